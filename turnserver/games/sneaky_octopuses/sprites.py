"""The pieces and fittings of the aquarium as SVG, each drawn around the origin for a square of `UNIT`, to be put in place by `placed`.

Nothing is told by colour alone: every team has a head of its own shape, every octopus two letters, every fish and keeper a sign.
"""

from typing import Final

from turnserver.rules import svg

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
"""Blue is round, Red square, Purple pointed, and Green has ears."""

_TENTACLES: Final = ("M-13,5 C-15,16 -25,11 -25,20", "M-5,7 C-5,16 -11,17 -9,23", "M5,7 C5,16 11,17 9,23", "M13,5 C15,16 25,11 25,20")

_DROPS: Final = tuple((x, y) for y, row in ((-2, (-9, 1, 11)), (10, (-5, 5))) for x in row)


def placed(sprite: str, at: svg.Point, scale: float = 1.0) -> str:
    """The sprite around that point."""
    return svg.group(sprite, transform=f"translate({svg.number(at[0])} {svg.number(at[1])}) scale({svg.number(scale)})")


def path(course: str, **attributes: str | float) -> str:
    """A path by its commands."""
    return svg.element("path", d=course, **attributes)


def lettering(at: svg.Point, words: str, size: float, colour: str) -> str:
    """Heavy letters: the font that comes with the program has one weight only."""
    return svg.text(at, words, size, fill=colour, stroke=colour, stroke_width=size / 22)


def octopus(team: int, code: str) -> str:
    """An octopus with its two letters, if any, under the eyes."""
    body, edge = TEAMS[team]
    limbs = [path(limb, fill="none", stroke=edge, stroke_width=11, stroke_linecap="round") for limb in _TENTACLES]
    limbs += [path(_HEADS[team], fill=body, stroke=edge, stroke_width=5, stroke_linejoin="round")]
    limbs += [path(limb, fill="none", stroke=body, stroke_width=6.5, stroke_linecap="round") for limb in _TENTACLES]
    limbs += [path(_HEADS[team], fill=body)]
    for side in (-7.5, 7.5):
        limbs += [svg.circle((side, -13), 5.2, fill="#fff"), svg.circle((side, -12), 2.4, fill=INK)]
    return svg.group(*limbs, lettering((0, 1), code, 18, "#fff") if code else "")


def shadow(team: int, code: str) -> str:
    """Where an octopus sits when it is at home."""
    body, _ = TEAMS[team]
    return svg.group(
        path(_HEADS[team], fill="none", stroke=body, stroke_width=2.5, stroke_dasharray="4 4", stroke_linejoin="round"),
        svg.text((0, -8), code, 18, fill=body),
        opacity=0.7,
    )


def fish(colour: int, *, numbered: bool = True) -> str:
    """A fish of the colour 1 to 5, with that number unless it is too small for it."""
    body, figure = FISH[colour - 1]
    outline = "M-22,0 C-18,-15 4,-17 12,-3 L23,-11 Q20,0 23,11 L12,3 C4,17 -18,15 -22,0 Z"
    body = path(outline, fill=body, stroke=INK, stroke_width=2.5, stroke_linejoin="round")
    return body + lettering((-5, 0), str(colour), 19, figure) if numbered else body


def keeper(name: str, facing: int) -> str:
    """A keeper in a white coat seen from above, with a lamp that shines where he looks; 0 is north, then clockwise."""
    outline = "M-25,6 C-25,-10 -14,-12 0,-12 C14,-12 25,-10 25,6 C25,17 12,18 0,18 C-12,18 -25,17 -25,6 Z"
    coat = svg.group(
        path("M-10,-9 L0,-30 L10,-9 Z", fill=AMBER, stroke=INK, stroke_width=2.5, stroke_linejoin="round"),
        path(outline, fill="#fff", stroke=INK, stroke_width=2.5),
        transform=f"rotate({90 * facing})",
    )
    head = svg.circle((0, 0), 12.5, fill="#f3d3a8", stroke=INK, stroke_width=2.5)
    return coat + head + lettering((0, 0), name, 17, INK)


def shower() -> str:
    """A shower: its head and falling drops."""
    drops = [path(f"M{x},{y} l-3,8", stroke=WATER_EDGE, stroke_width=3, stroke_linecap="round") for x, y in _DROPS]
    rose = path("M-14,-8 C-14,-20 14,-20 14,-8 Z", fill="#7b8b96", stroke=INK, stroke_width=2)
    return svg.group(path("M0,-17 L0,-26", stroke="#7b8b96", stroke_width=5), rose, *drops)


def hole() -> str:
    """The end of a passage under a tank: half a hole that stands on the origin."""
    return path("M-13,2 A13,12 0 0 1 13,2 Z", fill="#12485f")


def mat() -> str:
    """A quarter of a round mat; its angle is the origin, and it lies to the right and above."""
    return path(f"M0,0 H{0.8 * UNIT} A{0.8 * UNIT},{0.8 * UNIT} 0 0 0 0,{-0.8 * UNIT} Z", fill=MAT, opacity=0.55)
