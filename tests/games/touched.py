"""The outcome of touches of a board, as tables of cases write it."""

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

from turnserver.rules import Rules, View
from turnserver.rules.svg import Point
from turnserver.rules.touch import reach, why_not

SVG = "{http://www.w3.org/2000/svg}"


def played(rules: Rules[Any, Any], view: View[Any, Any], state: object, touched: str) -> tuple[str, str]:
    """The steps that the touches play, as `c3; c3 down`, and the names of the places that can follow, as `a5 e1`."""
    steps, follow = reach(rules, view, state, tuple(touched.split()))
    return "; ".join(rules.format(state, step) for step in steps), " ".join(follow)


def refused(rules: Rules[Any, Any], view: View[Any, Any], state: object, touched: str) -> str:
    """Return the reason why the touches play nothing."""
    return why_not(rules, view, state, tuple(touched.split()))


def drawn(picture: str, tag: str) -> Iterator[tuple[ET.Element, Point]]:
    """The elements of a picture's tiles with a tag, such as `circle`, and where they are: the middle, a corner or where words begin."""
    root = ET.fromstring(picture)  # noqa: S314  # our own
    for tile in root.findall(f"{SVG}svg"):
        left, top, wide, _ = map(float, tile.get("viewBox", "").split())
        scale = float(tile.get("width", 0)) / wide
        for one in tile.iter(f"{SVG}{tag}"):
            x, y = (float(one.get(name, one.get(f"c{name}", 0))) for name in ("x", "y"))
            yield one, (float(tile.get("x", 0)) + scale * (x - left), float(tile.get("y", 0)) + scale * (y - top))
