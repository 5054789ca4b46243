"""The notation of Sneaky Octopuses: the written form of each step, and everything that is read as one. The grammar stands in RULES.md."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from textwrap import fill
from typing import Any, Final, Self, TypeAlias, assert_never, cast

from turnserver.errors import Illegal, Unreadable
from turnserver.games.sneaky_octopuses import moves as m
from turnserver.games.sneaky_octopuses.board import COMPASS, GRID, NAMES, TEAMS
from turnserver.games.sneaky_octopuses.position import COLOURS, FISH, OCTOPUSES, TEAM_NAMES, Options, Piece, Position, kind_of, seat_of
from turnserver.rules import Seat
from turnserver.rules.options import shown
from turnserver.rules.square import WRITTEN, Square, called
from turnserver.rules.writing import plain
from turnserver.text import Tongue, Words, listing, retold, say

DIRECTIONS: Final = (say("north"), say("east"), say("south"), say("west"))
"""The directions in words, by the numbers of `board.COMPASS`."""

KEEPERS: Final = (say("north keeper"), say("east keeper"), say("south keeper"), say("west keeper"))
"""The keepers' names by their numbers, to stand behind an article."""

COLOUR_NAMES: Final = (say("red"), say("orange"), say("yellow"), say("white"), say("black"))
"""The names of the fish colours, from colour 1 on."""

_COLUMNS: Final = 72
_LISTED: Final = 3
_COUNTS: Final = (say("two"), say("three"), say("four"), say("five"))


class Filled(Words):
    """A paragraph of 72 columns at most, filled in each language by itself; every line but the first begins with `indent`."""

    __slots__ = ("indent", "words")

    words: str
    indent: str

    def __new__(cls, words: str, indent: str = "") -> Self:
        """Make the paragraph in English."""
        made = super().__new__(cls, _filled(words, indent))
        made.words, made.indent = words, indent
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Filled, (self.words, self.indent)

    def retold(self, tongue: Tongue) -> str:
        """Return the paragraph in the language of `tongue`. See `Words.retold`."""
        return _filled(retold(self.words, tongue), self.indent)


def keeper_on(keeper: int, where: Square) -> str:
    """Return a keeper by its square and its name: `f11 (north)`."""
    square = NAMES[where]
    named = (
        say("{square} (north)", square=square),
        say("{square} (east)", square=square),
        say("{square} (south)", square=square),
        say("{square} (west)", square=square),
    )
    return named[keeper]


def name_fish(colour: int, n: int = 1) -> str:
    """Return fish of that colour, to stand behind an article or a number: `red fish`."""
    named = (
        say("red fish", "red fish", n=n),
        say("orange fish", "orange fish", n=n),
        say("yellow fish", "yellow fish", n=n),
        say("white fish", "white fish", n=n),
        say("black fish", "black fish", n=n),
    )
    return named[colour - 1]


def those(colour: int, count: int = 1) -> str:
    """Return fish that were mentioned before: `the red`, `the two red`."""
    if count == 1:
        return (say("the red"), say("the orange"), say("the yellow"), say("the white"), say("the black"))[colour - 1]
    number = _COUNTS[count - 2]
    several = (
        say("the {count} red", count=number),
        say("the {count} orange", count=number),
        say("the {count} yellow", count=number),
        say("the {count} white", count=number),
        say("the {count} black", count=number),
    )
    return several[colour - 1]


def those_fish(colours: Sequence[int]) -> str:
    """Return fish that were mentioned before: `the red and the two black fish`.

    Of more than three colours, it is only the number of fish.
    """
    counts = sorted(Counter(colours).items())
    if len(counts) > _LISTED:
        return say("{n} fish", "{n} fish", n=len(colours))
    names = listing([those(colour, count) for colour, count in counts], "and")
    return say("{colours} fish", "{colours} fish", colours=names, n=counts[-1][1])


def octopus(seat_names: Sequence[str], one: Piece) -> str:
    """Return an octopus by its seat and name: `Red's Tako`."""
    return say("{seat}'s {octopus}", seat=seat_names[seat_of(one) - 1], octopus=OCTOPUSES[kind_of(one)])


def who(options: Options, state: Position, where: Square) -> str:
    """Return the piece on a square in words: `your Tako`, `Red's Tako`, `the north keeper`; the empty string if there is none."""
    one, keeper = state.octopus_on(where), state.keeper_on(where)
    if one is None:
        return say("the {keeper}", keeper=KEEPERS[keeper]) if keeper is not None else ""
    own = seat_of(one) == state.seat
    return say("your {octopus}", octopus=OCTOPUSES[kind_of(one)]) if own else octopus(options.seat_names, one)


def who_first(options: Options, state: Position, where: Square) -> str:
    """Return the same as `who`, for the beginning of a sentence."""
    one, keeper = state.octopus_on(where), state.keeper_on(where)
    if one is None:
        return say("The {keeper}", keeper=KEEPERS[keeper]) if keeper is not None else ""
    own = seat_of(one) == state.seat
    return say("Your {octopus}", octopus=OCTOPUSES[kind_of(one)]) if own else octopus(options.seat_names, one)


def _filled(words: str, indent: str) -> str:
    return fill(words, _COLUMNS, subsequent_indent=indent, break_on_hyphens=False)


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


Read: TypeAlias = m.Step | StealColour | KeeperByName | ShowerByName
"""The meaning of a text. The last three become steps only once the position is known."""

_LETTERS: Final = "NESW"


def written(options: Options, step: m.Step) -> str:
    """Return the canonical notation of a step."""
    match step:
        case m.Deal():
            return f"deal {NAMES[step.square]} {step.colour}"
        case m.First():
            return f"first {options.seat_names[step.seat - 1].lower()}"
        case m.Die():
            return f"die {step.number}"
        case m.Nominate():
            return f"keeper {NAMES[step.square]}"
        case m.ToShower():
            return f"shower {NAMES[step.square]}"
    return f"{OCTOPUSES[step.octopus]} {_deed(step)}"


def _deed(step: m.Escape | m.Move | m.Slide | m.Steal | m.Throw | m.Keep | m.Ink) -> str:
    match step:
        case m.Escape():
            return f"escape {NAMES[step.square]}"
        case m.Move():
            places = (f"{NAMES[one]}+{fish}" if fish else NAMES[one] for one, fish in zip(step.path, (*step.takes, 0), strict=True))
            return f"move {'-'.join(places)}"
        case m.Slide():
            return f"slide {NAMES[step.square]}"
        case m.Steal():
            return f"steal {NAMES[step.square]}"
        case m.Throw():
            return f"throw {step.colour} {'home' if step.square is None else NAMES[step.square]}"
        case m.Keep():
            return "keep"
        case m.Ink():
            return f"ink {_LETTERS[step.direction]}"
        case _:
            assert_never(step)


def read(options: Options, text: str) -> Read:
    """Return the meaning of a text, in any case and with every name that RULES.md gives to fish, showers and keepers.

    Raises Unreadable for text that is no step in any position. Raises Illegal for a step with a square that this board does not have, with
    a team that does not play, or with a fish picked up where a move ends.
    """
    return _written_move(text) or _read(options, text)


def _written_move(text: str) -> m.Move | None:
    """Return the move of that canonical notation, as the log and most players write it; None if it is none."""
    name, _, way = text.partition(" move ")
    places = [_WRITTEN_PLACES.get(place) for place in way.split("-")]
    if name not in OCTOPUSES or None in places or len(places) == 1:
        return None
    path, takes = zip(*cast(list[tuple[Square, int]], places), strict=True)
    return None if takes[-1] else m.Move(OCTOPUSES.index(name), path, takes[:-1])


# but for moves, the same few hundred texts come again and again
@lru_cache(maxsize=1_000)
def _read(options: Options, text: str) -> Read:
    # people number their steps, and say who acts at the end: `escape b9 with Speedy`
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
        raise Illegal(say("{team} isn't in this game. The teams are {teams}.", team=absent, teams=teams), code="no_such_team")
    return m.First(Seat(options.seat_names.index(team) + 1))


def replayed(options: Options, text: str) -> m.Step:
    """Return the step of that notation, which is the same in every position. Raises Unreadable."""
    try:
        step = read(options, text)
    except Illegal:
        raise unreadable(text) from None
    if isinstance(step, StealColour | KeeperByName | ShowerByName):
        raise unreadable(text)
    return step


def unreadable(text: str) -> Unreadable:
    """Return the error for text that is not a step."""
    return Unreadable(
        say(
            "{text} isn't a step in Sneaky Octopuses. Write an octopus, what it does and the squares for it, or keeper and a "
            "keeper's square.",
            text=shown(text),
        )
    )


def _octopus(match: re.Match[str]) -> int:
    return _OCTOPUSES[match["who"]]


def _move(match: re.Match[str]) -> m.Move:
    places = [place.groups() for place in _PLACE.finditer(match["path"])]
    path = tuple(called(GRID, name) for name, _ in places)
    takes = tuple(_FISH[fish] if fish else 0 for _, fish in places)
    if takes[-1]:
        end = NAMES[path[-1]]
        raise Illegal(
            say("The way ends on {square}, and nothing is picked up at its end. Leave out the plus.", square=end),
            code="plus_at_the_end",
            meant=[f"{OCTOPUSES[_octopus(match)]} {_deed(m.Move(_octopus(match), path, takes[:-1]))}"],
        )
    return m.Move(_octopus(match), path, takes[:-1])


def _move_without_way(match: re.Match[str]) -> m.Move:
    name, end = OCTOPUSES[_octopus(match)], NAMES[called(GRID, match["square"])]
    raise Illegal(
        say("Name every square on the way to {square}, first the one where {octopus} is.", square=end, octopus=name), code="way_missing"
    )


def _slide_with_start(match: re.Match[str]) -> m.Slide:
    end = NAMES[called(GRID, match["square"])]
    message = say("For a slide, name only the square where it ends.")
    raise Illegal(message, code="slide_with_start", meant=[f"{OCTOPUSES[_octopus(match)]} slide {end}"])


def _throw(match: re.Match[str]) -> m.Throw:
    return m.Throw(_octopus(match), _FISH[match["fish"]], called(GRID, match["square"]) if match["square"] else None)


def _throw_without_fish(match: re.Match[str]) -> m.Throw:
    name, end = OCTOPUSES[_octopus(match)], match["end"].replace(" ", "")
    raise Illegal(
        say("Say by colour or number which fish {octopus} throws.", octopus=name),
        code="which_fish",
        meant=[f"{name} throw {colour} {end}" for colour in COLOURS],
    )


def _steal(match: re.Match[str]) -> m.Steal | StealColour:
    return (
        m.Steal(_octopus(match), called(GRID, match["square"])) if match["square"] else StealColour(_octopus(match), _FISH[match["fish"]])
    )


def _steal_twice_named(match: re.Match[str]) -> m.Steal:
    name, where = OCTOPUSES[_octopus(match)], NAMES[called(GRID, match["square"])]
    raise Illegal(say("Name the fish or its square, not both."), code="fish_and_square", meant=[f"{name} steal {where}"])


def _side(match: re.Match[str]) -> int:
    return _DIRECTIONS[match["side"] or match["side_of"]]


_OCTOPUSES: Final = {name.lower(): kind for kind, name in enumerate(OCTOPUSES)}
_FISH: Final = {name: colour for colour in COLOURS for name in (str(colour), FISH[colour])}
_DIRECTIONS: Final = {name: number for number, side in enumerate(COMPASS) for name in (side, side[0])}

_WRITTEN_PLACES: Final = {f"{name}+{fish}" if fish else name: (called(GRID, name), fish) for name in NAMES for fish in (0, *COLOURS)}
"""Every place on the way of a move, as canonical notation has it: its square, and the fish that is picked up there or 0."""

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
# the first one that fits counts; those that only say what is missing stand behind the complete ones
_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Read]], ...]] = (
    (re.compile(rf"{_WHO}{_MOVES}(?: from)? (?P<path>{_ANY_PLACE}(?:{_STEP_ON}{_ANY_PLACE})+)"), _move),
    (re.compile(rf"{_WHO}{_MOVES}(?: to)? {_SQUARE}"), _move_without_way),
    (re.compile(rf"{_WHO} escapes?(?: to)? {_SQUARE}"), lambda match: m.Escape(_octopus(match), called(GRID, match["square"]))),
    (re.compile(rf"{_WHO} slides?(?: to)? {_SQUARE}"), lambda match: m.Slide(_octopus(match), called(GRID, match["square"]))),
    (re.compile(rf"{_WHO} slides?(?: from)? {WRITTEN}{_STEP_ON}{_SQUARE}"), _slide_with_start),
    (re.compile(rf"{_WHO} steals? (?:(?:from )?{_SQUARE}|{_A_FISH})"), _steal),
    (re.compile(rf"{_WHO} steals? {_A_FISH}(?: from)? {_SQUARE}"), _steal_twice_named),
    (re.compile(rf"{_WHO} throws? {_A_FISH} (?:home|(?:to |at )?{_SQUARE})"), _throw),
    (re.compile(rf"{_WHO} throws? (?:to |at )?(?P<end>home|{WRITTEN})"), _throw_without_fish),
    (re.compile(rf"{_WHO} keeps?(?: it| the fish)?"), lambda match: m.Keep(_octopus(match))),
    (re.compile(rf"{_WHO} (?:shoots )?inks? (?:to )?(?:the )?{_SIDE}"), lambda match: m.Ink(_octopus(match), _DIRECTIONS[match["side"]])),
    (re.compile(rf"keeper:? (?:at |on )?{_SQUARE}"), lambda match: m.Nominate(called(GRID, match["square"]))),
    (re.compile(rf"keeper:? {_SIDE}|(?:the )?{_SIDE_OF} keeper"), lambda match: KeeperByName(_side(match))),
    (re.compile(rf"shower:? (?:at |on )?{_SQUARE}"), lambda match: m.ToShower(called(GRID, match["square"]))),
    (re.compile(rf"shower:? {_SIDE}|(?:the )?{_SIDE_OF} shower"), lambda match: ShowerByName(_side(match))),
    (re.compile("die (?P<number>[1-6])"), lambda match: m.Die(int(match["number"]))),
    (re.compile(rf"deal {_SQUARE} {_A_FISH}"), lambda match: m.Deal(called(GRID, match["square"]), _FISH[match["fish"]])),
)
