"""A position of Sneaky Octopuses as lines of text: the aquarium, and under it who is where with which fish, and what is what."""

from collections.abc import Iterable
from typing import Final

from turnserver.games.sneaky_octopuses import signs
from turnserver.games.sneaky_octopuses.board import CORNERS, GRID, NAMES, READING, SIDE, SQUEEZES, sign
from turnserver.games.sneaky_octopuses.naming import DIRECTIONS, Filled
from turnserver.games.sneaky_octopuses.position import COLOURS, NOWHERE, OCTOPUSES, Options, Piece, Position, kind_of
from turnserver.games.sneaky_octopuses.signs import CODES
from turnserver.rules.square import Square
from turnserver.text import joined, say

_ARROWS: Final = "^>v<"
_MIDDLES: Final = frozenset(middle for _, middle, _ in SQUEEZES)
_MOST: Final = 4
"""How many signs there is room for on a square."""

_LEGEND: Final = say(
    "BSp: Blue's Speedy; Ta Tako, Sh Squish, St Squirt, likewise R, P, G\n"
    "BSp3 holds fish 3, BSp+ several; ~~ home, its points in the angle\n"
    "(3) fish in a tank, {{3}} over the gap for Squish; bare 3: loose fish\n"
    "kN> north keeper looking east, |  | entrance, //// shower, ## wall\n"
    "o corner without ink, [ ] where something went in the last turn\n"
    "fish: 1 red, 2 orange, 3 yellow, 4 white, 5 black"
)


def lines(options: Options, state: Position, headline: str, marked: Iterable[Square]) -> list[str]:
    """The whole page in parts to be put one under the other, at most 72 columns wide; the `marked` squares in brackets."""
    brackets = set(marked)
    page: list[str] = ["   " + "".join(f"  {chr(ord('a') + file)}   " for file in range(SIDE)).rstrip()]
    for start in range(0, len(READING), SIDE):
        row = READING[start : start + SIDE]
        cells = "".join(_cell(_sign(options, state, where), bracketed=where in brackets) for where in row)
        page.append(f"{GRID.rank(row[0]) + 1:2} {cells}".rstrip())
    page += ["", Filled(headline), ""]
    for seat in range(options.players):
        page.append(_team(options, state, seat))
    keepers = [_keeper(state, number) for number in range(len(state.keepers))]
    page.append(_listed(say("keepers: {keepers}", keepers=joined(", ", keepers))))
    floor = sorted({where for where, _ in state.loose if state.octopus_on(where) is None}, key=READING.index)
    if floor:
        fish = [say("{fish} on {square}", fish=_numbers(state.lying(where)), square=NAMES[where]) for where in floor]
        page.append(_listed(say("loose fish: {fish}", fish=joined(", ", fish))))
    return [*page, "", _LEGEND]


def _cell(content: str, *, bracketed: bool) -> str:
    """Six columns; the outer ones are for brackets, and otherwise as the content is at its ends."""
    edge = content[-1] if content[-1] in "~#" else " "
    return f"[{content}]" if bracketed else f"{edge}{content}{edge}"


def _sign(options: Options, state: Position, where: Square) -> str:
    keeper, piece = state.keeper_on(where), state.octopus_on(where)
    if keeper is not None:
        return f"k{signs.KEEPERS[keeper]}{_ARROWS[state.keepers[keeper].facing]} "
    if piece is not None:
        held = state.lying(where)
        return f"{_code(options, piece)}{'+' if len(held) > 1 else ''.join(map(str, held)) or ' '}"
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
    team = signs.HOME_OF[where]
    if team not in options.homes:
        return "    "
    seat = options.homes.index(team)
    if where == signs.ANGLES[team]:
        return f"{state.points[seat]:~^4}"
    piece = Piece(4 * seat + signs.SEATS_AT_HOME[team].index(where))
    return f"{_code(options, piece) if state.octopuses[piece] == NOWHERE else '':~<4}"


def _code(options: Options, piece: Piece) -> str:
    return options.seat_names[piece // 4][0] + CODES[kind_of(piece)]


def _team(options: Options, state: Position, seat: int) -> str:
    """What a team has at home, and where its octopuses are."""
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
