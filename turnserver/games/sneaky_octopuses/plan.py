"""A position of Sneaky Octopuses as lines of text: the aquarium, and under it who is where with which fish, and what is what."""

from collections.abc import Iterable
from textwrap import wrap
from typing import Final

from turnserver.games.sneaky_octopuses import signs
from turnserver.games.sneaky_octopuses.board import COMPASS, CORNERS, GRID, NAMES, READING, SIDE, SQUEEZES, sign
from turnserver.games.sneaky_octopuses.position import COLOURS, FISH, KEEPERS, NOWHERE, OCTOPUSES, Options, Piece, Position, kind_of
from turnserver.games.sneaky_octopuses.signs import CODES
from turnserver.rules.square import Square

_COLUMNS: Final = 72
_ARROWS: Final = "^>v<"
_MIDDLES: Final = frozenset(middle for _, middle, _ in SQUEEZES)
_MOST: Final = 4
"""How many signs there is room for on a square."""

_LEGEND: Final = (
    "BSp: Blue's Speedy; Ta Tako, Sh Squish, St Squirt, likewise R, P, G",
    "BSp3 holds fish 3, BSp+ several; ~~ home, its points in the angle",
    "(3) fish in a tank, {3} over the gap for Squish; bare 3: loose fish",
    "kN> north keeper looking east, |  | entrance, //// shower, ## wall",
    "o corner without ink, [ ] where something went in the last turn",
    f"fish: {', '.join(f'{colour} {FISH[colour]}' for colour in COLOURS)}",
)


def lines(options: Options, state: Position, headline: str, marked: Iterable[Square]) -> list[str]:
    """The whole page, at most 72 columns wide; the `marked` squares in brackets."""
    brackets = set(marked)
    page = ["   " + "".join(f"  {chr(ord('a') + file)}   " for file in range(SIDE)).rstrip()]
    for start in range(0, len(READING), SIDE):
        row = READING[start : start + SIDE]
        cells = "".join(_cell(_sign(options, state, where), bracketed=where in brackets) for where in row)
        page.append(f"{GRID.rank(row[0]) + 1:2} {cells}".rstrip())
    page += ["", *wrap(headline, _COLUMNS), ""]
    for seat in range(options.players):
        page += _team(options, state, seat)
    page += _listed("keepers: ", [f"{name} {_whereabouts(state, number)}" for number, name in enumerate(KEEPERS)])
    floor = sorted({where for where, _ in state.loose if state.octopus_on(where) is None}, key=READING.index)
    if floor:
        page += _listed("loose fish: ", [f"{' '.join(map(str, state.lying(where)))} on {NAMES[where]}" for where in floor])
    return [*page, "", *_LEGEND]


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


def _team(options: Options, state: Position, seat: int) -> list[str]:
    """What a team has at home, and where its octopuses are."""
    landed = state.landed[seat]
    home = "".join(f" {colour}" * count for colour, count in zip(COLOURS, landed, strict=True))
    has = f"{state.points[seat]} of {options.target} points, {f'fish{home}' if home else 'no fish'} at home"
    gone = ", gone for good" if state.left >> seat & 1 else ""
    octopuses = [_octopus(state, Piece(4 * seat + kind)) for kind in range(len(OCTOPUSES))]
    return _listed(f"{options.seat_names[seat]}{gone}: {has}; ", octopuses)


def _octopus(state: Position, piece: Piece) -> str:
    name, where = OCTOPUSES[kind_of(piece)], state.octopuses[piece]
    if where == NOWHERE:
        return f"{name} at home"
    held = state.lying(where)
    return f"{name} on {NAMES[where]}{' with ' if held else ''}{' '.join(map(str, held))}"


def _whereabouts(state: Position, keeper: int) -> str:
    where, facing = state.keepers[keeper]
    return "waits for a shower" if where == NOWHERE else f"on {NAMES[where]} looking {COMPASS[facing]}"


def _listed(head: str, entries: Iterable[str]) -> list[str]:
    return wrap(head + ", ".join(entries), _COLUMNS, subsequent_indent="  ", break_on_hyphens=False)
