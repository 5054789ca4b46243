"""The look of a position of Sneaky Octopuses, as text and as a picture, and the telling of its events."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, assert_never

from turnserver.games.sneaky_octopuses import moves as m
from turnserver.games.sneaky_octopuses import picture, story, touch
from turnserver.games.sneaky_octopuses.board import CORNERS, GRID, LINES, NAMES, READING, SIDE, SQUEEZES, read_in_order, sign
from turnserver.games.sneaky_octopuses.notation import DIRECTIONS, KEEPERS, Filled, octopus
from turnserver.games.sneaky_octopuses.picture import CODES, SEATS_AT_HOME
from turnserver.games.sneaky_octopuses.position import COLOURS, NOWHERE, OCTOPUSES, SQUIRT, Options, Piece, Position, kind_of, piece
from turnserver.games.sneaky_octopuses.resolve import resolve, verdict
from turnserver.rules.place import Place, Touches
from turnserver.rules.square import Square
from turnserver.text import joined, listing, say

_ARROWS: Final = "^>v<"
_MIDDLES: Final = frozenset(middle for _, middle, _ in SQUEEZES)
_MOST: Final = 4
"""The most signs for which a square has room."""

_LEGEND: Final = say(
    "BSp: Blue's Speedy; Ta Tako, Sh Squish, St Squirt, likewise R, P, G\n"
    "BSp3 holds fish 3, BSp+ several; ~~ home, its points in the angle\n"
    "(3) fish in a tank, {{3}} over the gap for Squish; bare 3: loose fish\n"
    "kN> north keeper looking east, |  | entrance, //// shower, ## wall\n"
    "o corner without ink, [ ] where something went in the last turn\n"
    "fish: 1 red, 2 orange, 3 yellow, 4 white, 5 black"
)


def lines(options: Options, state: Position, headline: str, marked: Iterable[Square]) -> list[str]:
    """Return the whole page in parts to be put one under the other, at most 72 columns wide. The `marked` squares are in brackets."""
    brackets, signs = set(marked), _signs(options, state)
    page: list[str] = ["   " + "".join(f"  {chr(ord('a') + file)}   " for file in range(SIDE)).rstrip()]
    for start in range(0, len(READING), SIDE):
        row = READING[start : start + SIDE]
        cells = "".join(_cell(signs[where], bracketed=where in brackets) for where in row)
        page.append(f"{GRID.rank(row[0]) + 1:2} {cells}".rstrip())
    page += ["", Filled(headline), ""]
    for seat in range(options.players):
        page.append(_team(options, state, seat))
    keepers = [_keeper(state, number) for number in range(len(state.keepers))]
    page.append(_listed(say("keepers: {keepers}", keepers=joined(", ", keepers))))
    floor = read_in_order({where for where, _ in state.loose if state.octopus_on(where) is None})
    if floor:
        fish = [say("{fish} on {square}", fish=_numbers(state.lying(where)), square=NAMES[where]) for where in floor]
        page.append(_listed(say("loose fish: {fish}", fish=joined(", ", fish))))
    return [*page, "", _LEGEND]


def _cell(content: str, *, bracketed: bool) -> str:
    # six columns; the outer ones are for brackets, and otherwise continue the content
    edge = content[-1] if content[-1] in "~#" else " "
    return f"[{content}]" if bracketed else f"{edge}{content}{edge}"


def _signs(options: Options, state: Position) -> Mapping[Square, str]:
    """Return four characters for each square, and for `NOWHERE`, which nobody looks at. A piece hides what lies under it."""
    signs = {where: _empty(options, state, where) for where in READING}
    for one, where in enumerate(state.octopuses):
        held = state.lying(where)
        signs[where] = f"{_code(options, Piece(one))}{'+' if len(held) > 1 else ''.join(map(str, held)) or ' '}"
    for number, keeper in enumerate(state.keepers):
        signs[keeper.square] = f"k{picture.KEEPERS[number]}{_ARROWS[keeper.facing]} "
    return signs


def _empty(options: Options, state: Position, where: Square) -> str:
    match sign(where):
        case "F":
            fish = str(state.fish_in(where) or " ")
            return f"{{{fish}}} " if where in _MIDDLES else f"({fish}) "
        case "#":
            return "####"
        case "S":
            return "////"
        case "e":
            return "|  |"
        case ".":
            return _floor(state, where)
        case _:
            return _home(options, state, where)


def _floor(state: Position, where: Square) -> str:
    fish = "".join(map(str, state.lying(where)))
    if len(fish) > _MOST:
        return f"{fish[: _MOST - 1]}+"
    return f"{fish or ('o' if where in CORNERS else '.'):^4}"


def _home(options: Options, state: Position, where: Square) -> str:
    team = picture.HOME_OF[where]
    if team not in options.homes:
        return "    "
    seat = options.homes.index(team)
    if where == picture.ANGLES[team]:
        return f"{state.points[seat]:~^4}"
    piece = Piece(4 * seat + picture.SEATS_AT_HOME[team].index(where))
    return f"{_code(options, piece) if state.octopuses[piece] == NOWHERE else '':~<4}"


def _code(options: Options, piece: Piece) -> str:
    return options.seat_names[piece // 4][0] + CODES[kind_of(piece)]


def _team(options: Options, state: Position, seat: int) -> str:
    """Return a paragraph with a team's fish at home and the places of its octopuses."""
    landed = state.landed[seat]
    home = [colour for colour, count in zip(COLOURS, landed, strict=True) for _ in range(count)]
    name, points, target = options.seat_names[seat], state.points[seat], options.target
    fish = say("fish {fish} at home", "fish {fish} at home", fish=_numbers(home), n=len(home)) if home else say("no fish at home")
    octopuses = joined(", ", [_octopus(state, Piece(4 * seat + kind)) for kind in range(len(OCTOPUSES))])
    if state.left >> seat & 1:
        return _listed(
            say(
                "{seat}, gone for good: {points} of {target} points, {fish}; {octopuses}",
                seat=name,
                points=points,
                target=target,
                fish=fish,
                octopuses=octopuses,
            )
        )
    return _listed(
        say(
            "{seat}: {points} of {target} points, {fish}; {octopuses}",
            seat=name,
            points=points,
            target=target,
            fish=fish,
            octopuses=octopuses,
        )
    )


def _octopus(state: Position, piece: Piece) -> str:
    name, where = OCTOPUSES[kind_of(piece)], state.octopuses[piece]
    if where == NOWHERE:
        return say("{octopus} at home", octopus=name)
    held = state.lying(where)
    if held:
        return say("{octopus} on {square} with {fish}", octopus=name, square=NAMES[where], fish=_numbers(held))
    return say("{octopus} on {square}", octopus=name, square=NAMES[where])


def _keeper(state: Position, keeper: int) -> str:
    where, facing = state.keepers[keeper]
    place = (
        say("waits for a shower")
        if where == NOWHERE
        else say("on {square} looking {direction}", square=NAMES[where], direction=DIRECTIONS[facing])
    )
    named = (
        say("north {place}", place=place),
        say("east {place}", place=place),
        say("south {place}", place=place),
        say("west {place}", place=place),
    )
    return named[keeper]


def _numbers(fish: Iterable[int]) -> str:
    return " ".join(map(str, fish))


def _listed(words: str) -> str:
    return Filled(words, "  ")


NOTATION: Final = say(
    "A turn: at most one action per octopus, then a keeper walks. "
    "One step a\nline, or several with semicolons between. Name every square on a way.\n  out of the home tank: "
    "Speedy escape b9\n  up to three squares: Tako move b9-b8-b7\n  the same, and fish 3 comes along from b9: "
    "Tako move b9+3-b8-b7\n  under the middle of a tank, Squish only: "
    "Squish move d10-d8\n  four or more straight on, without a fish: "
    "Speedy slide b5\n  take a fish from the tank square next to it: Tako steal c9\n  fish 3 to a square or at a piece: "
    "Tako throw 3 e6 (or 3 home)\n  after catching it from a mate: "
    "Squirt keep (or Squirt throw 3 d4)\n  ink to N, E, S or W: Squirt ink N\n  a keeper was hit or run into: "
    "shower a5; the last step: keeper f6"
)
"""The quick reference: how to write a turn. Its examples stand behind a colon, so that no line reads as a step."""


class SneakyView:
    """The boards and the stories of Sneaky Octopuses for one choice of options."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self.seat_names = options.seat_names

    def text(self, state: Position, last: m.Step | None = None) -> str:
        """Return the aquarium, then teams, keepers and loose fish in words.

        Pieces that moved in the turn of `last` have brackets where they ended.
        """
        marked = () if last is None else [trail.squares[-1] for trail in state.trails]
        return joined("\n", [*lines(self._options, state, self._headline(state), marked), ""])

    def tell(self, state: Position, step: m.Step) -> tuple[str, ...]:
        """Return sentences about everybody's acts, noises and sights, in order. Of the deal, it tells only the end."""
        after, happened = resolve(self._options, state, step)
        return story.tell(self.seat_names, after, happened)

    def svg(self, state: Position, last: m.Step | None = None, targets: Sequence[m.Step] = ()) -> str:
        """Return the aquarium from above with the light of the keepers' lamps, and all ways and shots of the turn of `last`."""
        aims = (self._target(state, step) for step in targets)
        trails = () if last is None else state.trails
        return picture.draw(self._options, state, self._headline(state), trails, [aim for aim in aims if aim is not None])

    def touches(self, state: Position, step: m.Step) -> Sequence[Touches]:
        """Return the touches that play a step: an octopus, a button for some of what it does, and squares; or a keeper."""
        return touch.touches(self._options, state, step)

    def places(self, state: Position, touched: Touches = ()) -> Mapping[str, Place]:
        """Return the squares and buttons that can be touched next."""
        return touch.places(self._options, state, touched)

    def written(self, state: Position, touched: Touches) -> str:
        """Return the step that the touches mean, legal or not."""
        return touch.written(self._options, state, touched)

    def _headline(self, state: Position) -> str:
        """Return how the game stands, in a sentence."""
        if not state.first:
            return say("The first player is yet to be drawn.") if state.dealt else say("The fish are yet to be dealt.")
        if verdict(self._options, state) is not None:
            return say("The game is over.")
        return say("Round {number}: {pending}.", number=state.round, pending=self._pending(state))

    def _pending(self, state: Position) -> str:
        if state.nominated is not None:
            return say("the die is to be rolled for the {keeper}", keeper=KEEPERS[state.nominated])
        seat = self.seat_names[state.seat - 1]
        if state.action is not None and state.action.keeper is not None:
            return say("{seat} sends the {keeper} to a shower", seat=seat, keeper=KEEPERS[state.action.keeper])
        if state.action is not None:
            return say("{octopus} keeps the fish or throws it on", octopus=octopus(self.seat_names, state.action.holder))
        acted = [name for kind, name in enumerate(OCTOPUSES) if state.acted >> kind & 1]
        if not acted:
            return say("{seat} to play", seat=seat)
        octopuses = listing(acted, "and")
        return say("{seat} to play; {octopuses} acted", "{seat} to play; {octopuses} acted", seat=seat, octopuses=octopuses, n=len(acted))

    def _target(self, state: Position, step: m.Step) -> Square | None:
        # a dot on this square shows that the step can be chosen
        match step:
            case m.Move():
                return step.path[-1]
            case m.Throw(square=None):
                return SEATS_AT_HOME[self._options.homes[state.seat - 1]][0]
            case m.Escape() | m.Slide() | m.Steal() | m.Throw() | m.ToShower() | m.Nominate():
                return step.square
            case m.Ink():
                return LINES[state.octopuses[piece(state.seat, SQUIRT)]][step.direction][0]
            case m.Deal() | m.First() | m.Die() | m.Keep():
                return None
            case _:
                assert_never(step)
