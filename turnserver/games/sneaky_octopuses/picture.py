"""A position of Sneaky Octopuses as an SVG picture: the aquarium, under it the fish at each home, and a legend."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final

from turnserver.games.sneaky_octopuses import board
from turnserver.games.sneaky_octopuses.board import FISH_SQUARES, GRID, HOMES, LINES, SIDE
from turnserver.games.sneaky_octopuses.position import COLOURS, NOWHERE, OCTOPUSES, Keeper, Options, Piece, Position, Trail, kind_of, worth
from turnserver.rules import svg
from turnserver.rules.square import Square
from turnserver.text import say

UNIT: Final = 60.0
"""The side of a square."""

INK: Final = "#1f2a33"
PAPER: Final = "#fdfaf3"
WATER: Final = "#8fd0e8"
WATER_EDGE: Final = "#2b7fa3"
MAT: Final = "#c9b483"
AMBER: Final = "#f2b01e"

TEAMS: Final = (("#1769c2", "#0a3566"), ("#d1372c", "#6f1510"), ("#8a3fb5", "#451a5e"), ("#2c8c3c", "#11451b"))
"""The body and the outline of each team's octopuses, in the order of the four homes."""

TINTS: Final = ("#cfe4fb", "#fbd8d2", "#ead6f5", "#d3efd3")
"""The water of each team's home."""

FISH: Final = (("#e2483a", "#fff"), ("#f39a2d", INK), ("#ffe14d", INK), ("#ffffff", INK), ("#2b2b30", "#fff"))
"""The body of a fish of each colour and the figure on it."""

_HEADS: Final = (
    "M-19,7 C-30,-36 30,-36 19,7 Z",
    "M-20,7 L-20,-18 Q-20,-26 -12,-26 L12,-26 Q20,-26 20,-18 L20,7 Z",
    "M-19,7 C-26,-8 -8,-17 0,-30 C8,-17 26,-8 19,7 Z",
    "M-19,7 L-23,-28 L-9,-21 L9,-21 L23,-28 L19,7 Z",
)
"""The heads: Blue's is round, Red's square, Purple's pointed, and Green's has ears."""

_TENTACLES: Final = "M-13,5 C-15,16 -25,11 -25,20 M-5,7 C-5,16 -11,17 -9,23 M5,7 C5,16 11,17 9,23 M13,5 C15,16 25,11 25,20"

_DROPS: Final = tuple((x, y) for y, row in ((-2, (-9, 1, 11)), (10, (-5, 5))) for x in row)


def placed(sprite: str, at: svg.Point, scale: float = 1.0) -> str:
    """Return the sprite around that point."""
    return svg.group(sprite, transform=f"translate({svg.number(at[0])} {svg.number(at[1])}) scale({svg.number(scale)})")


def path(course: str, **attributes: str | float) -> str:
    """Return a path by its commands."""
    return svg.element("path", d=course, **attributes)


def lettering(at: svg.Point, words: str, size: float, colour: str) -> str:
    """Return heavy letters. The font that comes with the program has one weight only, so they are drawn with an outline."""
    return svg.text(at, words, size, fill=colour, stroke=colour, stroke_width=size / 22)


@cache
def draw_octopus(team: int, code: str) -> str:
    """Return an octopus with its two letters, if any, under the eyes."""
    body, edge = TEAMS[team]
    limbs = [
        path(_TENTACLES, fill="none", stroke=edge, stroke_width=11, stroke_linecap="round"),
        path(_HEADS[team], fill=body, stroke=edge, stroke_width=5, stroke_linejoin="round"),
        path(_TENTACLES, fill="none", stroke=body, stroke_width=6.5, stroke_linecap="round"),
        path(_HEADS[team], fill=body),
    ]
    for side in (-7.5, 7.5):
        limbs += [svg.circle((side, -13), 5.2, fill="#fff"), svg.circle((side, -12), 2.4, fill=INK)]
    return "".join([*limbs, lettering((0, 1), code, 18, "#fff") if code else ""])


@cache
def draw_shadow(team: int, code: str) -> str:
    """Return the outline of an octopus, which marks its seat at home."""
    body, _ = TEAMS[team]
    return svg.group(
        path(_HEADS[team], fill="none", stroke=body, stroke_width=2.5, stroke_dasharray="4 4", stroke_linejoin="round"),
        svg.text((0, -8), code, 18, fill=body) if code else "",
        opacity=0.7,
    )


@cache
def draw_fish(colour: int, *, numbered: bool = True) -> str:
    """Return a fish of the colour 1 to 5, with that number unless it is too small for it."""
    body, figure = FISH[colour - 1]
    outline = "M-22,0 C-18,-15 4,-17 12,-3 L23,-11 Q20,0 23,11 L12,3 C4,17 -18,15 -22,0 Z"
    body = path(outline, fill=body, stroke=INK, stroke_width=2.5, stroke_linejoin="round")
    return body + lettering((-5, 0), str(colour), 19, figure) if numbered else body


@cache
def draw_keeper(name: str, facing: int) -> str:
    """Return a keeper in a white coat seen from above, with a lamp that shines where the keeper looks; 0 is north, then clockwise."""
    outline = "M-25,6 C-25,-10 -14,-12 0,-12 C14,-12 25,-10 25,6 C25,17 12,18 0,18 C-12,18 -25,17 -25,6 Z"
    coat = svg.group(
        path("M-10,-9 L0,-30 L10,-9 Z", fill=AMBER, stroke=INK, stroke_width=2.5, stroke_linejoin="round"),
        path(outline, fill="#fff", stroke=INK, stroke_width=2.5),
        transform=f"rotate({90 * facing})",
    )
    head = svg.circle((0, 0), 12.5, fill="#f3d3a8", stroke=INK, stroke_width=2.5)
    return coat + head + lettering((0, 0), name, 17, INK)


def draw_shower() -> str:
    """Return a shower: its head and falling drops."""
    drops = [path(f"M{x},{y} l-3,8", stroke=WATER_EDGE, stroke_width=3, stroke_linecap="round") for x, y in _DROPS]
    rose = path("M-14,-8 C-14,-20 14,-20 14,-8 Z", fill="#7b8b96", stroke=INK, stroke_width=2)
    return svg.group(path("M0,-17 L0,-26", stroke="#7b8b96", stroke_width=5), rose, *drops)


def draw_hole() -> str:
    """Return the end of a passage under a tank: half a hole that stands on the origin."""
    return path("M-13,2 A13,12 0 0 1 13,2 Z", fill="#12485f")


def draw_mat() -> str:
    """Return a quarter of a round mat; its angle is the origin, and it lies to the right and above."""
    return path(f"M0,0 H{0.8 * UNIT} A{0.8 * UNIT},{0.8 * UNIT} 0 0 0 0,{-0.8 * UNIT} Z", fill=MAT, opacity=0.55)


CODES: Final = ("Sp", "Ta", "Sh", "St")
"""The signs of octopuses by kind: three of the names begin alike, and two of these share three letters."""

KEEPERS: Final = "NESW"
"""The signs of keepers by number."""

ANGLES: Final = tuple(next(one for one in home if {GRID.file(one), GRID.rank(one)} <= {0, SIDE - 1}) for home in HOMES)
"""The square of each home that lies in a corner of the board, where the points are shown."""

SEATS_AT_HOME: Final = tuple(tuple(one for one in home if one != angle) for home, angle in zip(HOMES, ANGLES, strict=True))
"""The squares of each home in which its octopuses are shown, by kind."""

HOME_OF: Final[Mapping[Square, int]] = MappingProxyType({one: team for team, home in enumerate(HOMES) for one in home})
"""The home that a square belongs to."""


_SCALE: Final = 52 / UNIT
"""On the screen, a square has 52 pixels."""
EDGE: Final = 34 / _SCALE
"""The border with the coordinates: what is left of the width."""
PIXELS: Final = svg.WIDTH / _SCALE
BACKGROUND: Final = "#e6f0f3"

_FLOOR = ("#f6f0e2", "#eee5d2")
_JOINT = "#dccfb4"
_WALL = "#75838e"
_MORTAR = "#5b6872"
_WET = "#d5eaf2"
_COORDINATE = "#46545e"
_WORDS = "#1f2a34"
_DARK = {BACKGROUND: "#161d21", _COORDINATE: "#b4c3cc", _WORDS: "#e9f0f3"}
_EMPTY, _EMPTY_EDGE = "#dfe5e8", "#9aa7b0"


@cache
def centre(square: Square) -> svg.Point:
    """Return the middle of a square."""
    return EDGE + (GRID.file(square) + 0.5) * UNIT, EDGE + (board.SIDE - 0.5 - GRID.rank(square)) * UNIT


def outline(*squares: Square) -> tuple[svg.Point, ...]:
    """Return the corners of the rectangle around some squares."""
    across, down = zip(*map(centre, squares), strict=True)
    left, right, top, bottom = min(across) - UNIT / 2, max(across) + UNIT / 2, min(down) - UNIT / 2, max(down) + UNIT / 2
    return (left, top), (right, top), (right, bottom), (left, bottom)


@cache
def draw_room(homes: tuple[int, ...]) -> str:
    """Return the room with everything in it that does not move. The homes of these teams are filled and the others empty."""
    parts = [svg.rect(EDGE - 5, EDGE - 5, board.SIDE * UNIT + 10, board.SIDE * UNIT + 10, rx=16, fill=_MORTAR)]
    parts += [_wall(square) for square in board.WALLS]
    parts += [_box(square, _FLOOR[square % 2], stroke=_JOINT, stroke_width=1.5) for square in (*sorted(board.FLOOR), *board.FISH_SQUARES)]
    parts += [_corner(square) for square in sorted(board.CORNERS)]
    for shower, entrance, facing in board.SHOWERS:
        parts += [
            _box(shower, _WET),
            _box(entrance, _FLOOR[0]),
            placed(draw_shower(), centre(shower)),
            _arrow(centre(entrance), facing),
        ]
    parts += [_tank(squares) for squares in board.TANKS]
    parts += [_hole(side, middle) for near, middle, far in board.SQUEEZES for side in (near, far)]
    parts += [_home_floor(team, used=team in homes) for team in range(len(board.HOMES))]
    for number in range(board.SIDE):
        along = EDGE + (number + 0.5) * UNIT
        for across in (0.4 * EDGE, PIXELS - 0.4 * EDGE):
            parts.append(svg.text((along, across), chr(ord("a") + number), 23, fill=_COORDINATE))
            parts.append(svg.text((across, PIXELS - along), str(number + 1), 23, fill=_COORDINATE))
    return svg.group(*parts)


def _box(square: Square, fill: str, inset: float = 0.0, **style: str | float) -> str:
    x, y = centre(square)
    return svg.rect(x - UNIT / 2 + inset, y - UNIT / 2 + inset, UNIT - 2 * inset, UNIT - 2 * inset, fill=fill, **style)


def _wall(square: Square) -> str:
    x, y = centre(square)
    left, right, top = x - UNIT / 2, x + UNIT / 2, y - UNIT / 2
    courses = f"M{left},{top + 20}H{right}M{left},{top + 40}H{right}"
    joints = f"{courses}M{x},{top}v20M{x - 15},{top + 20}v20M{x},{top + 40}v20"
    return _box(square, _WALL) + path(joints, fill="none", stroke=_MORTAR, stroke_width=2)


def _corner(square: Square) -> str:
    """Return a quarter of a round mat, with its angle at the home."""
    across, down = (1 if GRID.file(square) > board.SIDE / 2 else -1), (-1 if GRID.rank(square) > board.SIDE / 2 else 1)
    x, y = centre(square)
    foot = svg.number(x + across * UNIT / 2), svg.number(y + down * UNIT / 2)
    return svg.group(draw_mat(), transform=f"translate({foot[0]} {foot[1]}) scale({-across} {down})")


def _arrow(at: svg.Point, facing: int) -> str:
    chevron = path("M-16,10 L0,-6 L16,10", fill="none", stroke=MAT, stroke_width=7, stroke_linecap="round", stroke_linejoin="round")
    return svg.group(chevron, transform=f"translate({svg.number(at[0])} {svg.number(at[1])}) rotate({90 * facing})")


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
        fill=WATER,
        stroke=WATER_EDGE,
        stroke_width=5,
    )
    waves = [
        path(f"M{x - 17},{y - 16} q5,-5 10,0 t10,0 M{x + 1},{y + 19} q4,-4 8,0 t8,0", fill="none", stroke="#d4f0fa", stroke_width=2.5)
        for x, y in map(centre, squares)
    ]
    return body + "".join(waves)


def _hole(side: Square, middle: Square) -> str:
    """Return an end of a passage: a round hole in the long side of the tank, seen from the square before it."""
    (x, y), (middle_x, middle_y) = centre(side), centre(middle)
    turned = 90 * ((0, 2)[middle_y > y] if x == middle_x else (1, 3)[middle_x < x])
    foot = svg.number(x + 0.515 * (middle_x - x)), svg.number(y + 0.515 * (middle_y - y))
    return svg.group(draw_hole(), transform=f"translate({foot[0]} {foot[1]}) rotate({turned})")


def _home_floor(team: int, *, used: bool) -> str:
    """Return an L of five squares, drawn from its angle in the corner of the room."""
    middle = ANGLES[team]
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
    tint, edge = (TINTS[team], TEAMS[team][0]) if used else (_EMPTY, _EMPTY_EDGE)
    points = [(x + across * dx, y + down * dy) for dx, dy in ell]
    return svg.polygon(points, fill=tint, stroke=edge, stroke_width=6, stroke_linejoin="round")


_ROW: Final = 52.0
_WIDTH: Final = 700.0
_POINTS: Final = 140.0
"""The room for the headline and for a team's points."""
_MARK: Final = "#d6008f"
"""The colour of marks. Nothing else in the aquarium has it."""
_TARGET: Final = "#0b7d57"


_PIECE: Final = svg.around(40)
"""The part of the picture that an octopus, a keeper, fish and marks keep to."""
_HEADLINE: Final = svg.Box(0, -16, _WIDTH, 40)
_KEPT: Final = 500
"""The number of homes, and of lines under the board, that are kept as they were drawn."""
_LINE: Final = svg.Box(0, -_ROW / 2, PIXELS, _ROW)


def draw(options: Options, state: Position, headline: str, trails: Sequence[Trail], targets: Iterable[Square]) -> str:
    """Return the whole picture. `trails` are drawn as ways and shots, `targets` as dots; `headline` says how the game stands."""
    parts, targets = [draw_room(options.homes)], sorted(set(targets))
    # what comes later lies above: sight and ways below the pieces, rings and dots above them
    parts += [_beam(state, keeper) for keeper in state.keepers]
    parts += [_trail(trail) for trail in trails]
    parts += [svg.tile(centre(where), _PIECE, draw_fish(fish), 0.95) for where in FISH_SQUARES if (fish := state.fish_in(where))]
    parts += [_loose(where, state.lying(where)) for where in sorted({where for where, _ in state.loose}) if state.octopus_on(where) is None]
    for seat, team in enumerate(options.homes):
        away = tuple(where != NOWHERE for where in state.octopuses[4 * seat : 4 * seat + 4])
        parts += _home(team, away, state.landed[seat])
    parts += [_octopus(options, state, Piece(piece)) for piece, where in enumerate(state.octopuses) if where != NOWHERE]
    parts += [_keeper(state, number) for number, keeper in enumerate(state.keepers) if keeper.square != NOWHERE]
    parts += [svg.tile(centre(where), _PIECE, _frame()) for where in sorted({trail.squares[-1] for trail in trails})]
    parts += [svg.tile(_aside(where), _PIECE, _aim()) for where in targets]
    y = PIXELS + 16
    parts.append(svg.tile((EDGE, y), _HEADLINE, svg.text(svg.ORIGIN, headline, 28, fill=_WORDS, anchor="start", room=_WIDTH)))
    y += 26
    asked = state.seat - 1 if state.dealt and state.first else None
    for seat, landed in enumerate(state.landed):
        drawn = _standing(options, seat, landed, gone=bool(state.left >> seat & 1), asked=seat == asked)
        parts.append(svg.tile((0, y + (seat + 0.5) * _ROW), _LINE, drawn))
    y += options.players * _ROW
    aimed = bool(targets)
    legend, end = svg.legend(_marks(options, state, trails, aimed=aimed), y + 4, _WORDS, PIXELS)
    title = say("Sneaky Octopuses, {number} players", number=options.players)
    return svg.document(PIXELS, end + 8, BACKGROUND, *parts, legend, title=title, board=PIXELS, dark=_DARK)


def _aside(where: Square) -> svg.Point:
    # a dot here covers nothing that must be read
    x, y = centre(where)
    return x - 0.36 * UNIT, y - 0.36 * UNIT


def _beam(state: Position, keeper: Keeper) -> str:
    """Return the light of a keeper's lamp as far as it goes. The keeper would see everything that it lights up."""
    if keeper.square == NOWHERE or keeper.showering:
        return ""
    # light ends where sight does: at a wall, a tank, a keeper or an octopus
    far = keeper.square
    for where in LINES[keeper.square][keeper.facing]:
        if state.keeper_on(where) is not None:
            break
        far = where
        if state.octopus_on(where) is not None:
            break
    if far == keeper.square:
        return ""
    (x, y), (end_x, end_y) = centre(keeper.square), centre(far)
    length = abs(end_x - x) + abs(end_y - y) + 0.42 * UNIT
    cone = svg.polygon(((-8, 0), (8, 0), (17, -60), (17, -length), (-17, -length), (-17, -60)), fill=AMBER, opacity=0.42)
    across, down = ((0, -1), (1, 0), (0, 1), (-1, 0))[keeper.facing]
    box = svg.reaching([(across * length, down * length)], 17)
    return svg.tile((x, y), box, svg.group(cone, transform=f"rotate({90 * keeper.facing})"))


def _trail(trail: Trail) -> str:
    (x, y), *_ = points = [centre(where) for where in trail.squares]
    way = [(across - x, down - y) for across, down in points]
    return svg.tile((x, y), svg.reaching(way, 12), _course(way, flying=trail.kind == "shot"))


def _course(points: Sequence[svg.Point], *, flying: bool) -> str:
    """Return a line that starts with a small circle. It is dotted for a fish or ink."""
    course = "M" + "L".join(f"{svg.number(x)},{svg.number(y)}" for x, y in points)
    style: dict[str, str | float] = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    dots: dict[str, str | float] = {"stroke_dasharray": "1 12"} if flying else {}
    halo = path(course, stroke="#fff", stroke_width=11, opacity=0.8, **style)
    line = path(course, stroke=_MARK, stroke_width=6, **style, **dots)
    return halo + line + svg.circle(points[0], 7, fill="#fff", stroke=_MARK, stroke_width=5)


def _aim() -> str:
    return svg.circle(svg.ORIGIN, 7.5, fill=_TARGET, stroke="#fff", stroke_width=2.5)


def _frame() -> str:
    half = UNIT / 2 - 3
    return svg.rect(-half, -half, 2 * half, 2 * half, rx=13, fill="none", stroke=_MARK, stroke_width=4.5)


def _octopus(options: Options, state: Position, piece: Piece) -> str:
    """Return an octopus, with the fish that it holds before it."""
    where = state.octopuses[piece]
    (x, y), held = centre(where), state.lying(where)
    drawn = draw_octopus(options.homes[piece // 4], CODES[kind_of(piece)])
    if not held:
        return svg.tile((x, y + 1), _PIECE, drawn, 0.98)
    return svg.tile((x, y), _PIECE, placed(drawn, (0, -5), 0.98) + _school((0, 17), held, 0.74, 2))


def _keeper(state: Position, number: int) -> str:
    keeper = state.keepers[number]
    return svg.tile(centre(keeper.square), _PIECE, draw_keeper(KEEPERS[number], keeper.facing), 0.98)


def _loose(where: Square, fish: tuple[int, ...]) -> str:
    """Return the fish on the floor, one big or some small ones."""
    if len(fish) == 1:
        return svg.tile(centre(where), _PIECE, draw_fish(fish[0]), 0.95)
    if len(fish) < 4:
        small = (placed(draw_fish(one), (0, 18 * (place - (len(fish) - 1) / 2)), 0.72) for place, one in enumerate(fish))
        return svg.tile(centre(where), _PIECE, "".join(small))
    return svg.tile(centre(where), _PIECE, _school((0, -13), fish[:2], 0.68, 2) + _school((0, 13), fish[2:], 0.68, 2))


def _school(at: svg.Point, fish: tuple[int, ...], scale: float, most: int) -> str:
    """Return fish side by side. If there are more than `most`, a number says how many more."""
    shown = fish if len(fish) <= most else fish[: most - 1]
    more = len(fish) - len(shown)
    apart = min(46 * scale, 56 - 46 * scale)
    left = at[0] - apart * (min(len(fish), most) - 1) / 2
    parts = [placed(draw_fish(one), (left + place * apart, at[1]), scale) for place, one in enumerate(shown)]
    if more:
        badge = left + len(shown) * apart, at[1]
        parts += [svg.circle(badge, 12, fill=INK), lettering(badge, f"+{more}", 14, "#fff")]
    return "".join(parts)


@lru_cache(maxsize=_KEPT)
def _home(team: int, away: tuple[bool, ...], landed: tuple[int, ...]) -> Sequence[str]:
    """Return the points in the angle of a home, the octopuses in its arms by kind, and a shoal of each colour in one of its squares."""
    angle, arms = ANGLES[team], SEATS_AT_HOME[team]
    parts = []
    for kind, where in enumerate(arms):
        x, y = centre(where)
        piece = draw_shadow(team, CODES[kind]) if away[kind] else draw_octopus(team, CODES[kind])
        parts.append(svg.tile((x, y - 4), _PIECE, piece, 0.84))
    x, y = centre(angle)
    parts.append(svg.tile((x, y - 9), _PIECE, lettering(svg.ORIGIN, str(worth(landed)), 32, TEAMS[team][1])))
    for colour, where, count in zip(COLOURS, (angle, *arms), landed, strict=True):
        x, y = centre(where)
        parts += [svg.tile((x - 16 + 8 * one, y + 18), _PIECE, draw_fish(colour, numbered=False), 0.5) for one in range(count)]
    return parts


@lru_cache(maxsize=_KEPT)
def _standing(options: Options, seat: int, landed: tuple[int, ...], *, gone: bool, asked: bool) -> str:
    """Return a line under the board: the team, whether it is asked to play, its points, and how many fish of each colour it has."""
    team = options.homes[seat]
    points = say("{points} of {target}", points=worth(landed), target=options.target)
    parts = [
        svg.rect(EDGE - 5, 3 - _ROW / 2, PIXELS - 2 * EDGE + 10, _ROW - 6, rx=10, fill=TINTS[team]),
        placed(draw_octopus(team, ""), (EDGE + 27, 0), 0.72),
        svg.text((EDGE + 60, 0), options.seat_names[seat], 25, fill=INK, anchor="start"),
        svg.text((EDGE + 262, 0), say("has left") if gone else points, 25, fill=INK, anchor="end", room=_POINTS),
    ]
    if asked:
        parts.append(svg.polygon(((6, -12), (26, 0), (6, 12)), fill=_WORDS))
    for colour, count in zip(COLOURS, landed, strict=True):
        x = EDGE + 300 + 77 * (colour - 1)
        parts.append(svg.group(placed(draw_fish(colour), (x, 0), 0.85), opacity=1 if count else 0.28))
        if count:
            parts.append(lettering((x + 35, 0), f"x{count}", 19, INK))
    return svg.group(*parts, opacity=0.6 if gone else 1)


def _marks(options: Options, state: Position, trails: Sequence[Trail], *, aimed: bool) -> Iterator[svg.Mark]:
    """Yield what can be seen in the aquarium."""
    for code, name in zip(CODES, OCTOPUSES, strict=True):
        yield svg.Mark(lettering((0, 0), code, 36, _WORDS), name)
    awake = [keeper for keeper in state.keepers if keeper.square != NOWHERE]
    if awake:
        yield svg.Mark(placed(draw_keeper(KEEPERS[0], 1), (0, 0)), say("north keeper"))
    if any(not keeper.showering for keeper in awake):
        yield svg.Mark(svg.rect(-26, -16, 52, 32, fill=AMBER, opacity=0.42), say("what a keeper sees"))
    if any(trail.kind != "shot" for trail in trails):
        yield svg.Mark(_course(((-20.0, 0.0), (24.0, 0.0)), flying=False), say("last turn"))
    if any(trail.kind == "shot" for trail in trails):
        yield svg.Mark(_course(((-20.0, 0.0), (24.0, 0.0)), flying=True), say("throw or ink"))
    if trails:
        yield svg.Mark(_frame(), say("where it ended"))
    if any(where != NOWHERE for where in state.octopuses):
        yield svg.Mark(placed(draw_shadow(options.homes[0], ""), (0, 12)), say("away from home"))
    yield svg.Mark(placed(draw_hole(), (0, 10), 1.6), say("gap for Squish"))
    yield svg.Mark(placed(draw_mat(), (-24, 24)), say("corner without ink"))
    yield svg.Mark(placed(draw_shower(), (0, 4)), say("shower"))
    yield svg.Mark(_arrow((0, 0), 0), say("entrance"))
    if aimed:
        yield svg.Mark(_aim(), say("possible step"))
