"""What touches of a board come to, as tables of cases write it."""

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

from turnserver.rules import Rules, View
from turnserver.rules.touch import reach, why_not

SVG = "{http://www.w3.org/2000/svg}"


def played(rules: Rules[Any, Any], view: View[Any, Any], state: object, touched: str) -> tuple[str, str]:
    """The steps that the touches play, as `c3; c3 down`, and the names of the places that can follow, as `a5 e1`."""
    steps, follow = reach(rules, view, state, tuple(touched.split()))
    return "; ".join(rules.format(state, step) for step in steps), " ".join(follow)


def refused(rules: Rules[Any, Any], view: View[Any, Any], state: object, touched: str) -> str:
    """Why the touches play nothing."""
    return why_not(rules, view, state, tuple(touched.split()))


def tiles(picture: str, element: str) -> Iterator[tuple[float, float]]:
    """The middles of the tiles of a picture that have such an element, such as `circle`, in the order of the picture."""
    root = ET.fromstring(picture)  # noqa: S314  # our own
    for tile in root.iter(f"{SVG}svg"):
        if tile is not root and tile.find(f".//{SVG}{element}") is not None:
            x, y, width, height = (float(tile.get(name, 0)) for name in ("x", "y", "width", "height"))
            yield x + width / 2, y + height / 2
