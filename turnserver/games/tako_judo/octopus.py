"""Drawing one octopus of Tako Judo: a head with eyes, tentacles each of the seat's own shape, and what shows how it fares."""

from collections.abc import Callable
from typing import Final, NamedTuple

from turnserver.games.tako_judo.sight import Cause
from turnserver.rules import svg

UNIT: Final = 60.0
"""The side of a square; the lengths below are parts of it."""

INK: Final = "#22333b"
PAPER: Final = "#fbf8f1"
HOLLOW: Final = "#fdfcf8"
_FADED: Final = 0.42


class Look(NamedTuple):
    """What tells a seat from the others: its letter, its colours and the outline of its tentacles."""

    letter: str
    fill: str
    rim: str
    outline: Callable[..., str]


def _disc(centre: svg.Point, scale: float, **style: str | float) -> str:
    return svg.circle(centre, 0.35 * scale * UNIT, **style)


def _box(centre: svg.Point, scale: float, **style: str | float) -> str:
    half = 0.32 * scale * UNIT
    return svg.rect(centre[0] - half, centre[1] - half, 2 * half, 2 * half, rx=0.3 * half, **style)


def _diamond(centre: svg.Point, scale: float, **style: str | float) -> str:
    (x, y), reach = centre, 0.44 * scale * UNIT
    return svg.polygon(((x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)), stroke_linejoin="round", **style)


def _shield(centre: svg.Point, scale: float, **style: str | float) -> str:
    (x, y), side, high = centre, 0.37 * scale * UNIT, 0.4 * scale * UNIT
    corners = ((-1.0, -0.85), (1.0, -0.85), (1.0, 0.2), (0.0, 1.05), (-1.0, 0.2))
    return svg.polygon(((x + right * side, y + down * high) for right, down in corners), stroke_linejoin="round", **style)


LOOKS: Final = {
    "North": Look("N", "#d6401f", "#8f2508", _disc),
    "East": Look("E", "#e2a400", "#8a6200", _diamond),
    "South": Look("S", "#0a67b2", "#053e70", _box),
    "West": Look("W", "#5a4a63", "#2f2535", _shield),
}
"""By seat name."""


def head(look: Look, centre: svg.Point, *, exhausted: bool = False) -> str:
    """A head around the middle of its four squares; its eyes are closed if it is exhausted."""
    x, y = centre
    half = 0.9 * UNIT
    parts = [svg.rect(x - half, y - half, 2 * half, 2 * half, rx=0.62 * UNIT, fill=look.fill, stroke=look.rim, stroke_width=3)]
    for side in (-1, 1):
        eye = (x + side * 0.36 * UNIT, y - 0.3 * UNIT)
        if exhausted:
            parts.append(_stroke((eye[0] - 0.18 * UNIT, eye[1]), (eye[0] + 0.18 * UNIT, eye[1]), stroke="#ffffff", stroke_width=5))
        else:
            parts.append(svg.circle(eye, 0.23 * UNIT, fill="#ffffff", stroke=look.rim, stroke_width=2))
            parts.append(svg.circle((eye[0], eye[1] + 0.05 * UNIT), 0.1 * UNIT, fill=INK))
    parts.append(svg.text((x, y + 0.4 * UNIT), look.letter, 0.56 * UNIT, fill="#ffffff"))
    return svg.group(*parts, **_fading(exhausted=exhausted))


def tentacle(look: Look, centre: svg.Point, cause: Cause | None = None, *, exhausted: bool = False) -> str:
    """A tentacle: full if its head sees it, else hollow with a cross (entangled), a bar (blocked) or a broken rim (overreached)."""
    if cause is None:
        shape = look.outline(centre, 1, fill=look.fill, stroke=look.rim, stroke_width=2.5)
        return svg.group(shape, _letter(look, centre, "#ffffff"), **_fading(exhausted=exhausted))
    broken: dict[str, str | float] = {"stroke_dasharray": "7 5"} if cause == "overreached" else {}
    parts = [look.outline(centre, 0.95, fill=HOLLOW, stroke=look.fill, stroke_width=4, **broken), _letter(look, centre, look.rim)]
    badge = (centre[0] + 0.31 * UNIT, centre[1] - 0.31 * UNIT)
    if cause != "overreached":
        parts.append(svg.circle(badge, 0.15 * UNIT, fill=look.rim, stroke=PAPER, stroke_width=2))
        reach = 0.07 * UNIT
        tilts = ((1, 1), (1, -1)) if cause == "entangled" else ((1, 0),)
        for right, down in tilts:
            ends = [(badge[0] + sign * right * reach, badge[1] + sign * down * reach) for sign in (-1, 1)]
            parts.append(_stroke(*ends, stroke="#ffffff", stroke_width=3))
    return svg.group(*parts, **_fading(exhausted=exhausted))


def arm(look: Look, tip: svg.Point, head_end: svg.Point) -> str:
    """The line of sight between a head and a tentacle that it sees."""
    return _stroke(tip, head_end, stroke=look.fill, stroke_width=0.16 * UNIT, stroke_opacity=0.34)


def broken_sight(look: Look, tip: svg.Point, by: svg.Point) -> str:
    """What stands between a tentacle and its head."""
    return _stroke(tip, by, stroke=look.fill, stroke_width=3, stroke_dasharray="1 8", stroke_opacity=0.8)


def _letter(look: Look, centre: svg.Point, colour: str) -> str:
    return svg.text(centre, look.letter, 0.3 * UNIT, fill=colour)


def _stroke(start: svg.Point, end: svg.Point, **style: str | float) -> str:
    return svg.element("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], stroke_linecap="round", **style)


def _fading(*, exhausted: bool) -> dict[str, str | float]:
    return {"opacity": _FADED} if exhausted else {}
