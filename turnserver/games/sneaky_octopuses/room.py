"""The aquarium without anything that moves, as SVG: tiled floor, fish tanks, homes, showers, walls, coordinates."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from turnserver.games.sneaky_octopuses import board, signs, sprites
from turnserver.games.sneaky_octopuses.board import GRID
from turnserver.games.sneaky_octopuses.sprites import UNIT
from turnserver.rules import svg
from turnserver.rules.square import Square

EDGE: Final = 36.0
"""The border with the coordinates."""
SIDE: Final = board.SIDE * UNIT + 2 * EDGE
BACKGROUND: Final = "#e6f0f3"

_FLOOR = ("#f6f0e2", "#eee5d2")
_JOINT = "#dccfb4"
_WALL = "#75838e"
_MORTAR = "#5b6872"
_WET = "#d5eaf2"
_COORDINATE = "#46545e"
_EMPTY, _EMPTY_EDGE = "#dfe5e8", "#9aa7b0"


def centre(square: Square) -> svg.Point:
    """Where the middle of a square lies."""
    return EDGE + (GRID.file(square) + 0.5) * UNIT, EDGE + (board.SIDE - 0.5 - GRID.rank(square)) * UNIT


@cache
def draw(homes: tuple[int, ...]) -> str:
    """Everything, with the homes of these teams filled and the others empty."""
    parts = [svg.rect(EDGE - 5, EDGE - 5, board.SIDE * UNIT + 10, board.SIDE * UNIT + 10, rx=16, fill=_MORTAR)]
    parts += [_wall(square) for square in board.WALLS]
    parts += [_tile(square) for square in (*sorted(board.FLOOR), *board.FISH_SQUARES)]
    parts += [_corner(square) for square in sorted(board.CORNERS)]
    for shower, entrance, facing in board.SHOWERS:
        parts += [
            _box(shower, _WET),
            _box(entrance, _FLOOR[0]),
            sprites.placed(sprites.shower(), centre(shower)),
            _chevron(entrance, facing),
        ]
    parts += [_tank(squares) for squares in board.TANKS]
    parts += [_hole(side, middle) for near, middle, far in board.SQUEEZES for side in (near, far)]
    parts += [_home(team, used=team in homes) for team in range(len(board.HOMES))]
    for number in range(board.SIDE):
        along = EDGE + (number + 0.5) * UNIT
        for across in (0.4 * EDGE, SIDE - 0.4 * EDGE):
            parts.append(svg.text((along, across), chr(ord("a") + number), 23, fill=_COORDINATE))
            parts.append(svg.text((across, SIDE - along), str(number + 1), 23, fill=_COORDINATE))
    return svg.group(*parts)


def _box(square: Square, fill: str, inset: float = 0.0, **style: str | float) -> str:
    x, y = centre(square)
    return svg.rect(x - UNIT / 2 + inset, y - UNIT / 2 + inset, UNIT - 2 * inset, UNIT - 2 * inset, fill=fill, **style)


def _tile(square: Square) -> str:
    return _box(square, _FLOOR[square % 2], stroke=_JOINT, stroke_width=1.5)


def _wall(square: Square) -> str:
    x, y = centre(square)
    left, right, top = x - UNIT / 2, x + UNIT / 2, y - UNIT / 2
    courses = f"M{left},{top + 20}H{right}M{left},{top + 40}H{right}"
    joints = f"{courses}M{x},{top}v20M{x - 15},{top + 20}v20M{x},{top + 40}v20"
    return _box(square, _WALL) + sprites.path(joints, fill="none", stroke=_MORTAR, stroke_width=2)


def _corner(square: Square) -> str:
    """A quarter of a round mat, with its angle at the home."""
    across, down = (1 if GRID.file(square) > board.SIDE / 2 else -1), (-1 if GRID.rank(square) > board.SIDE / 2 else 1)
    x, y = centre(square)
    foot = svg.number(x + across * UNIT / 2), svg.number(y + down * UNIT / 2)
    return svg.group(sprites.mat(), transform=f"translate({foot[0]} {foot[1]}) scale({-across} {down})")


def _chevron(entrance: Square, facing: int) -> str:
    chevron = sprites.path(
        "M-16,10 L0,-6 L16,10", fill="none", stroke=sprites.MAT, stroke_width=7, stroke_linecap="round", stroke_linejoin="round"
    )
    x, y = centre(entrance)
    return svg.group(chevron, transform=f"translate({svg.number(x)} {svg.number(y)}) rotate({90 * facing})")


def _tank(squares: Sequence[Square]) -> str:
    corners = [centre(square) for square in (min(squares), max(squares))]
    left, right = sorted(x for x, _ in corners)
    top, bottom = sorted(y for _, y in corners)
    inset = UNIT / 2 - 3
    body = svg.rect(
        left - inset,
        top - inset,
        right - left + 2 * inset,
        bottom - top + 2 * inset,
        rx=14,
        fill=sprites.WATER,
        stroke=sprites.WATER_EDGE,
        stroke_width=5,
    )
    waves = [
        sprites.path(
            f"M{x - 17},{y - 16} q5,-5 10,0 t10,0 M{x + 1},{y + 19} q4,-4 8,0 t8,0", fill="none", stroke="#d4f0fa", stroke_width=2.5
        )
        for x, y in map(centre, squares)
    ]
    return body + "".join(waves)


def _hole(side: Square, middle: Square) -> str:
    """An end of a passage: a round hole in the long side of the tank, seen from the square before it."""
    (x, y), (middle_x, middle_y) = centre(side), centre(middle)
    turned = 90 * ((0, 2)[middle_y > y] if x == middle_x else (1, 3)[middle_x < x])
    foot = svg.number(x + 0.515 * (middle_x - x)), svg.number(y + 0.515 * (middle_y - y))
    return svg.group(sprites.hole(), transform=f"translate({foot[0]} {foot[1]}) rotate({turned})")


def _home(team: int, *, used: bool) -> str:
    """An L of five squares, drawn from its angle in the corner of the room."""
    middle = signs.ANGLES[team]
    x, y = centre(middle)
    across, down = (-1 if GRID.file(middle) else 1), (1 if GRID.rank(middle) else -1)
    half = UNIT / 2 - 3
    ell = (
        (-half, -half),
        (2 * UNIT + half, -half),
        (2 * UNIT + half, half),
        (half, half),
        (half, 2 * UNIT + half),
        (-half, 2 * UNIT + half),
    )
    tint, edge = (sprites.TINTS[team], sprites.TEAMS[team][0]) if used else (_EMPTY, _EMPTY_EDGE)
    points = [(x + across * dx, y + down * dy) for dx, dy in ell]
    return svg.polygon(points, fill=tint, stroke=edge, stroke_width=6, stroke_linejoin="round")
