"""The notation of Sneaky Octopuses: what a step is written as, and all that is read as one. The grammar stands in RULES.md."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from turnserver.errors import Illegal, Unreadable
from turnserver.games.sneaky_octopuses.board import COMPASS, GRID, NAMES, TEAMS
from turnserver.games.sneaky_octopuses.position import COLOURS, FISH, OCTOPUSES, TEAM_NAMES, Options
from turnserver.games.sneaky_octopuses.steps import (
    Deal,
    Die,
    Escape,
    First,
    Ink,
    Keep,
    Move,
    Nominate,
    Slide,
    Steal,
    Step,
    Throw,
    ToShower,
)
from turnserver.rules import Seat
from turnserver.rules.options import shown
from turnserver.rules.square import WRITTEN, called
from turnserver.rules.writing import plain
from turnserver.text import listing, say


@dataclass(frozen=True, slots=True)
class StealColour:
    """A steal that names the fish instead of its square."""

    octopus: int
    colour: int


@dataclass(frozen=True, slots=True)
class KeeperByName:
    """A keeper by its name."""

    keeper: int


@dataclass(frozen=True, slots=True)
class ShowerByName:
    """A shower by the side of the board on which it lies."""

    shower: int


Read: TypeAlias = Step | StealColour | KeeperByName | ShowerByName
"""What a text says; the last three are steps only once the position is known."""

_LETTERS: Final = "NESW"


def written(options: Options, step: Step) -> str:
    """The canonical notation of a step."""
    match step:
        case Deal():
            return f"deal {NAMES[step.square]} {step.colour}"
        case First():
            return f"first {options.seat_names[step.seat - 1].lower()}"
        case Die():
            return f"die {step.number}"
        case Nominate():
            return f"keeper {NAMES[step.square]}"
        case ToShower():
            return f"shower {NAMES[step.square]}"
    return f"{OCTOPUSES[step.octopus]} {_deed(step)}"


def _deed(step: Escape | Move | Slide | Steal | Throw | Keep | Ink) -> str:
    match step:
        case Escape():
            return f"escape {NAMES[step.square]}"
        case Move():
            places = (f"{NAMES[one]}+{fish}" if fish else NAMES[one] for one, fish in zip(step.path, (*step.takes, 0), strict=True))
            return f"move {'-'.join(places)}"
        case Slide():
            return f"slide {NAMES[step.square]}"
        case Steal():
            return f"steal {NAMES[step.square]}"
        case Throw():
            return f"throw {step.colour} {'home' if step.square is None else NAMES[step.square]}"
        case Keep():
            return "keep"
        case Ink():
            return f"ink {_LETTERS[step.direction]}"
        case _:
            assert_never(step)


def read(options: Options, text: str) -> Read:
    """What a text says, in whatever case and with every name that RULES.md gives to fish, showers and keepers.

    Raises Unreadable for what is no step in any position, and Illegal for what would be one but for a square that this board does not have,
    a team that does not play, or a fish picked up where a move ends.
    """
    words = _NUMBERED.sub("", plain(text))
    if turned := _WITH.fullmatch(words):
        words = f"{turned['who']} {turned['rest']}"
    for pattern, build in _FORMS:
        match = pattern.fullmatch(words)
        if match is not None:
            return build(match)
    match = _FIRST.fullmatch(words)
    if match is None:
        raise unreadable(text)
    team = match["team"].capitalize()
    if team not in options.seat_names:
        absent, teams = TEAM_NAMES[TEAMS.index(team)], listing(options.seat_names, "and")
        raise Illegal(say("{team} does not play here; the teams are {teams}.", team=absent, teams=teams), code="no_such_team")
    return First(Seat(options.seat_names.index(team) + 1))


def replayed(options: Options, text: str) -> Step:
    """The step that the notation says in every position. Raises Unreadable."""
    try:
        step = read(options, text)
    except Illegal:
        raise unreadable(text) from None
    if isinstance(step, StealColour | KeeperByName | ShowerByName):
        raise unreadable(text)
    return step


def unreadable(text: str) -> Unreadable:
    """What to say about text that is no step."""
    return Unreadable(
        say(
            "{text} is no step in Sneaky Octopuses; write an octopus, what he does and the squares of it, or a keeper's square.",
            text=shown(text),
        )
    )


def _octopus(match: re.Match[str]) -> int:
    return _OCTOPUSES[match["who"]]


def _move(match: re.Match[str]) -> Move:
    places = [place.groups() for place in _PLACE.finditer(match["path"])]
    path = tuple(called(GRID, name) for name, _ in places)
    takes = tuple(_FISH[fish] if fish else 0 for _, fish in places)
    if takes[-1]:
        end = NAMES[path[-1]]
        raise Illegal(
            say("A move ends on {square}, where its fish lie: nothing is picked up there. Leave out the plus.", square=end),
            code="plus_at_the_end",
            meant=[f"{OCTOPUSES[_octopus(match)]} {_deed(Move(_octopus(match), path, takes[:-1]))}"],
        )
    return Move(_octopus(match), path, takes[:-1])


def _move_without_way(match: re.Match[str]) -> Move:
    name, end = OCTOPUSES[_octopus(match)], NAMES[called(GRID, match["square"])]
    raise Illegal(
        say("Name every square on the way to {square}, first the one where {octopus} is.", square=end, octopus=name), code="way_missing"
    )


def _slide_with_start(match: re.Match[str]) -> Slide:
    end = NAMES[called(GRID, match["square"])]
    told = say("A slide names the square where it ends and no other.")
    raise Illegal(told, code="slide_with_start", meant=[f"{OCTOPUSES[_octopus(match)]} slide {end}"])


def _throw(match: re.Match[str]) -> Throw:
    return Throw(_octopus(match), _FISH[match["fish"]], called(GRID, match["square"]) if match["square"] else None)


def _throw_without_fish(match: re.Match[str]) -> Throw:
    name, end = OCTOPUSES[_octopus(match)], match["end"].replace(" ", "")
    raise Illegal(
        say("Say which fish {octopus} throws, by its colour or number.", octopus=name),
        code="which_fish",
        meant=[f"{name} throw {colour} {end}" for colour in COLOURS],
    )


def _steal(match: re.Match[str]) -> Steal | StealColour:
    return Steal(_octopus(match), called(GRID, match["square"])) if match["square"] else StealColour(_octopus(match), _FISH[match["fish"]])


def _steal_twice_named(match: re.Match[str]) -> Steal:
    name, where = OCTOPUSES[_octopus(match)], NAMES[called(GRID, match["square"])]
    raise Illegal(say("Name the fish or its square, not both."), code="fish_and_square", meant=[f"{name} steal {where}"])


def _side(match: re.Match[str]) -> int:
    return _DIRECTIONS[match["side"] or match["side_of"]]


_OCTOPUSES: Final = {name.lower(): kind for kind, name in enumerate(OCTOPUSES)}
_FISH: Final = {name: colour for colour in COLOURS for name in (str(colour), FISH[colour])}
_DIRECTIONS: Final = {name: number for number, side in enumerate(COMPASS) for name in (side, side[0])}

_ANY_FISH: Final = "|".join(_FISH)
_STEP_ON: Final = "(?: ?[-,] ?| to | )"
_PLACE: Final = re.compile(rf"({WRITTEN})(?: ?\+ ?({_ANY_FISH}))?")
_ANY_PLACE: Final = rf"{WRITTEN}(?: ?\+ ?(?:{_ANY_FISH}))?"
_NAME: Final = rf"(?P<who>{'|'.join(_OCTOPUSES)})"
_WHO: Final = rf"{_NAME}(?:[:,]| -)?"
_SQUARE: Final = rf"(?P<square>{WRITTEN})"
_A_FISH: Final = rf"(?:the )?(?P<fish>{_ANY_FISH})(?: fish)?"
_SIDE: Final = rf"(?P<side>{'|'.join(_DIRECTIONS)})"
_SIDE_OF: Final = rf"(?P<side_of>{'|'.join(COMPASS)})"
_MOVES: Final = "(?: (?:moves?|go|goes|squeezes?))?"
_NUMBERED: Final = re.compile(r"[1-9][0-9]?[.)] ")
_WITH: Final = re.compile(rf"(?P<rest>.+) with {_NAME}")
_FIRST: Final = re.compile(rf"first (?P<team>{'|'.join(TEAMS).lower()})")
_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Read]], ...]] = (
    (re.compile(rf"{_WHO}{_MOVES}(?: from)? (?P<path>{_ANY_PLACE}(?:{_STEP_ON}{_ANY_PLACE})+)"), _move),
    (re.compile(rf"{_WHO}{_MOVES}(?: to)? {_SQUARE}"), _move_without_way),
    (re.compile(rf"{_WHO} escapes?(?: to)? {_SQUARE}"), lambda match: Escape(_octopus(match), called(GRID, match["square"]))),
    (re.compile(rf"{_WHO} slides?(?: to)? {_SQUARE}"), lambda match: Slide(_octopus(match), called(GRID, match["square"]))),
    (re.compile(rf"{_WHO} slides?(?: from)? {WRITTEN}{_STEP_ON}{_SQUARE}"), _slide_with_start),
    (re.compile(rf"{_WHO} steals? (?:(?:from )?{_SQUARE}|{_A_FISH})"), _steal),
    (re.compile(rf"{_WHO} steals? {_A_FISH}(?: from)? {_SQUARE}"), _steal_twice_named),
    (re.compile(rf"{_WHO} throws? {_A_FISH} (?:home|(?:to |at )?{_SQUARE})"), _throw),
    (re.compile(rf"{_WHO} throws? (?:to |at )?(?P<end>home|{WRITTEN})"), _throw_without_fish),
    (re.compile(rf"{_WHO} keeps?(?: it| the fish)?"), lambda match: Keep(_octopus(match))),
    (re.compile(rf"{_WHO} (?:shoots )?inks? (?:to )?(?:the )?{_SIDE}"), lambda match: Ink(_octopus(match), _DIRECTIONS[match["side"]])),
    (re.compile(rf"keeper:? (?:at |on )?{_SQUARE}"), lambda match: Nominate(called(GRID, match["square"]))),
    (re.compile(rf"keeper:? {_SIDE}|(?:the )?{_SIDE_OF} keeper"), lambda match: KeeperByName(_side(match))),
    (re.compile(rf"shower:? (?:at |on )?{_SQUARE}"), lambda match: ToShower(called(GRID, match["square"]))),
    (re.compile(rf"shower:? {_SIDE}|(?:the )?{_SIDE_OF} shower"), lambda match: ShowerByName(_side(match))),
    (re.compile("die (?P<number>[1-6])"), lambda match: Die(int(match["number"]))),
    (re.compile(rf"deal {_SQUARE} {_A_FISH}"), lambda match: Deal(called(GRID, match["square"]), _FISH[match["fish"]])),
)
