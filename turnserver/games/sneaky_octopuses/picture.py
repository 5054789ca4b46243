"""A position of Sneaky Octopuses as an SVG picture: the aquarium, and under it who has which fish at home, and what is what."""

from collections.abc import Iterable, Sequence
from typing import Final

from turnserver.games.sneaky_octopuses import room, signs, sprites
from turnserver.games.sneaky_octopuses.board import FISH_SQUARES, LINES
from turnserver.games.sneaky_octopuses.position import COLOURS, NOWHERE, OCTOPUSES, Keeper, Options, Piece, Position, Trail, kind_of
from turnserver.games.sneaky_octopuses.signs import CODES
from turnserver.games.sneaky_octopuses.sprites import INK, UNIT, placed
from turnserver.rules import svg
from turnserver.rules.square import Square
from turnserver.text import say

_ROW: Final = 52.0
_LINE: Final = 44.0
_WIDTH: Final = 713.0
_POINTS: Final = 140.0
_LEFT: Final = 430.0
_RIGHT: Final = 257.0
"""The room for the headline, for a team's points, and for the words in either column of the key."""
_MARK: Final = "#d6008f"
"""Nothing else in the aquarium is of this colour."""
_TARGET: Final = "#0b7d57"


def draw(options: Options, state: Position, headline: str, trails: Sequence[Trail], targets: Iterable[Square]) -> str:
    """The whole picture. `trails` are drawn as ways and shots, `targets` as dots; `headline` says how the game stands."""
    parts = [room.draw(options.homes)]
    parts += [_beam(state, keeper) for keeper in state.keepers]
    parts += [_trail(trail) for trail in trails]
    parts += [placed(sprites.fish(fish), room.centre(where), 0.95) for where in FISH_SQUARES if (fish := state.fish_in(where))]
    parts += [_loose(where, state.lying(where)) for where in sorted({where for where, _ in state.loose}) if state.octopus_on(where) is None]
    parts += [_home(options, state, seat) for seat in range(options.players)]
    parts += [_octopus(options, state, Piece(piece)) for piece, where in enumerate(state.octopuses) if where != NOWHERE]
    parts += [_keeper(state, number) for number, keeper in enumerate(state.keepers) if keeper.square != NOWHERE]
    parts += [_ring(where) for where in sorted({trail.squares[-1] for trail in trails})]
    parts += [svg.circle(_aside(where), 7.5, fill=_TARGET, stroke="#fff", stroke_width=2.5) for where in sorted(set(targets))]
    y = room.SIDE + 16
    parts.append(svg.text((room.EDGE, y), headline, 26, fill=INK, anchor="start", room=_WIDTH))
    y += 26
    parts += [_standing(options, state, seat, y + (seat + 0.5) * _ROW) for seat in range(options.players)]
    y += options.players * _ROW + 8
    parts += _legend(y)
    return svg.document(
        room.SIDE, y + 3 * _LINE - 6, room.BACKGROUND, *parts, title=say("Sneaky Octopuses, {number} players", number=options.players)
    )


def _aside(where: Square) -> svg.Point:
    """The upper left part of a square, where a dot covers nothing that must be read."""
    x, y = room.centre(where)
    return x - 0.36 * UNIT, y - 0.36 * UNIT


def _beam(state: Position, keeper: Keeper) -> str:
    """The light of a keeper's lamp as far as it goes: what it lights up, the keeper would see."""
    if keeper.square == NOWHERE or keeper.showering:
        return ""
    far = keeper.square
    for where in LINES[keeper.square][keeper.facing]:
        if state.keeper_on(where) is not None:
            break
        far = where
        if state.octopus_on(where) is not None:
            break
    (x, y), (end_x, end_y) = room.centre(keeper.square), room.centre(far)
    length = abs(end_x - x) + abs(end_y - y) + 0.42 * UNIT
    cone = svg.polygon(((-8, 0), (8, 0), (17, -60), (17, -length), (-17, -length), (-17, -60)), fill=sprites.AMBER, opacity=0.22)
    return (
        svg.group(cone, transform=f"translate({svg.number(x)} {svg.number(y)}) rotate({90 * keeper.facing})")
        if far != keeper.square
        else ""
    )


def _trail(trail: Trail) -> str:
    return _course([room.centre(where) for where in trail.squares], flying=trail.kind == "shot")


def _course(points: Sequence[svg.Point], *, flying: bool) -> str:
    """A line from a small circle on, dotted if it is that of a fish or of ink."""
    course = "M" + "L".join(f"{svg.number(x)},{svg.number(y)}" for x, y in points)
    style: dict[str, str | float] = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    dots: dict[str, str | float] = {"stroke_dasharray": "1 12"} if flying else {}
    halo = sprites.path(course, stroke="#fff", stroke_width=11, opacity=0.8, **style)
    line = sprites.path(course, stroke=_MARK, stroke_width=6, **style, **dots)
    return halo + line + svg.circle(points[0], 7, fill="#fff", stroke=_MARK, stroke_width=5)


def _ring(where: Square) -> str:
    x, y = room.centre(where)
    half = UNIT / 2 - 3
    return svg.rect(x - half, y - half, 2 * half, 2 * half, rx=13, fill="none", stroke=_MARK, stroke_width=4.5)


def _octopus(options: Options, state: Position, piece: Piece) -> str:
    """An octopus, with the fish that it holds before it."""
    where = state.octopuses[piece]
    x, y = room.centre(where)
    held = state.lying(where)
    body = placed(sprites.octopus(options.homes[piece // 4], CODES[kind_of(piece)]), (x, y - 5 if held else y + 1), 0.98)
    return body + _school((x, y + 17), held, 0.74, 2)


def _keeper(state: Position, number: int) -> str:
    keeper = state.keepers[number]
    return placed(sprites.keeper(signs.KEEPERS[number], keeper.facing), room.centre(keeper.square), 0.98)


def _loose(where: Square, fish: tuple[int, ...]) -> str:
    """Fish on the floor, one big or some small ones."""
    x, y = room.centre(where)
    if len(fish) == 1:
        return placed(sprites.fish(fish[0]), (x, y), 0.95)
    if len(fish) < 4:
        return "".join(placed(sprites.fish(one), (x, y + 18 * (place - (len(fish) - 1) / 2)), 0.72) for place, one in enumerate(fish))
    return _school((x, y - 13), fish[:2], 0.68, 2) + _school((x, y + 13), fish[2:], 0.68, 2)


def _school(at: svg.Point, fish: tuple[int, ...], scale: float, most: int) -> str:
    """Fish side by side; if there are more than `most`, how many more."""
    shown = fish if len(fish) <= most else fish[: most - 1]
    more = len(fish) - len(shown)
    apart = min(46 * scale, 56 - 46 * scale)
    left = at[0] - apart * (min(len(fish), most) - 1) / 2
    parts = [placed(sprites.fish(one), (left + place * apart, at[1]), scale) for place, one in enumerate(shown)]
    if more:
        badge = left + len(shown) * apart, at[1]
        parts += [svg.circle(badge, 12, fill=INK), sprites.lettering(badge, f"+{more}", 14, "#fff")]
    return "".join(parts)


def _home(options: Options, state: Position, seat: int) -> str:
    """The points in the angle of a home, the octopuses in its arms, a shoal of each colour in one of its squares."""
    team = options.homes[seat]
    angle, arms = signs.ANGLES[team], signs.SEATS_AT_HOME[team]
    parts = []
    for kind, where in enumerate(arms):
        x, y = room.centre(where)
        away = state.octopuses[4 * seat + kind] != NOWHERE
        piece = sprites.shadow(team, CODES[kind]) if away else sprites.octopus(team, CODES[kind])
        parts.append(placed(piece, (x, y - 4), 0.84))
    x, y = room.centre(angle)
    parts.append(sprites.lettering((x, y - 9), str(state.points[seat]), 32, sprites.TEAMS[team][1]))
    for colour, where, count in zip(COLOURS, (angle, *arms), state.landed[seat], strict=True):
        x, y = room.centre(where)
        parts += [placed(sprites.fish(colour, numbered=False), (x - 16 + 8 * one, y + 18), 0.5) for one in range(count)]
    return "".join(parts)


def _standing(options: Options, state: Position, seat: int, y: float) -> str:
    """A line under the board: the team, its points, and how many fish of each colour it has."""
    team = options.homes[seat]
    gone = state.left >> seat & 1
    points = say("{points} of {target}", points=state.points[seat], target=options.target)
    parts = [
        svg.rect(room.EDGE - 5, y - _ROW / 2 + 3, room.SIDE - 2 * room.EDGE + 10, _ROW - 6, rx=10, fill=sprites.TINTS[team]),
        placed(sprites.octopus(team, ""), (room.EDGE + 27, y), 0.72),
        svg.text((room.EDGE + 60, y), options.seat_names[seat], 25, fill=INK, anchor="start"),
        svg.text((room.EDGE + 262, y), say("has left") if gone else points, 25, fill=INK, anchor="end", room=_POINTS),
    ]
    if state.dealt and state.first and seat == state.seat - 1:
        parts.append(svg.polygon(((6, y - 12), (26, y), (6, y + 12)), fill=INK))
    for colour, count in zip(COLOURS, state.landed[seat], strict=True):
        x = room.EDGE + 300 + 77 * (colour - 1)
        parts.append(svg.group(placed(sprites.fish(colour), (x, y), 0.85), opacity=1 if count else 0.28))
        if count:
            parts.append(sprites.lettering((x + 35, y), f"x{count}", 19, INK))
    return svg.group(*parts, opacity=0.6 if gone else 1)


def _legend(y: float) -> list[str]:
    left, middle = room.EDGE + 16, room.SIDE / 2 + 98
    parts = []
    for place, (code, name) in enumerate(zip(CODES, OCTOPUSES, strict=True)):
        x = left + 170 * place
        parts += [sprites.lettering((x, y + 16), code, 23, INK), svg.text((x + 26, y + 16), name, 23, fill=INK, anchor="start")]
    entries = (
        (left, 1, placed(sprites.keeper(signs.KEEPERS[0], 1), (0, 0), 0.7), say("north keeper, looks east"), _LEFT),
        (middle, 1, placed(sprites.hole(), (0, 8)), say("gap for Squish"), _RIGHT),
        (left, 2, _course(((-14.0, 0.0), (14.0, 0.0)), flying=False), say("last turn; dotted: throws, ink"), _LEFT),
        (middle, 2, placed(sprites.mat(), (-17, 17), 0.7), say("corner without ink"), _RIGHT),
    )
    for x, line, icon, words, width in entries:
        at = x, y + 16 + _LINE * line
        parts += [placed(icon, at), svg.text((at[0] + 28, at[1]), words, 23, fill=INK, anchor="start", room=width)]
    return parts
