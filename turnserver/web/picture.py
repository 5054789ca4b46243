"""Pictures of boards as pages show them: turned round, and the board apart from what stands beneath it."""

from functools import lru_cache
from typing import Final
from xml.etree import ElementTree as ET

from turnserver.rules.svg import number

PARTS: Final = ("board", "beneath")
_SVG = "http://www.w3.org/2000/svg"
_OTHER_SIDE = {"start": "end", "end": "start"}
_CAPITALS = 0.72
"""The height of capitals, by the size of the font: see `rules.svg`."""

# Else each element would be written with a prefix, which HTML does not read.
ET.register_namespace("", _SVG)


@lru_cache(maxsize=200)
def flipped(svg: str) -> str:
    """Return the picture with its board turned by half a circle, all words upright. What stands beneath the board stays where it is."""
    root = ET.fromstring(svg)  # noqa: S314  # drawn by us
    width, below = float(root.attrib["width"]), float(root.attrib["data-board"])
    turned = ET.Element(f"{{{_SVG}}}g", transform=f"rotate(180 {number(width / 2)} {number(below / 2)})")
    head = _head(root)
    for part in list(root)[head:]:
        if not _is_beneath(part, below):
            root.remove(part)
            turned.append(part)
    for text in turned.iter(f"{{{_SVG}}}text"):
        middle = float(text.attrib["y"]) - _CAPITALS / 2 * float(text.attrib["font-size"])
        text.set("transform", f"rotate(180 {text.attrib['x']} {number(middle)})")
        # Upright again, a text has to run from the other side of its anchor.
        anchor = text.get("text-anchor", "start")
        text.set("text-anchor", _OTHER_SIDE.get(anchor, anchor))
    root.insert(head, turned)
    return ET.tostring(root, encoding="unicode")


@lru_cache(maxsize=200)
def cropped(svg: str, part: str) -> str:
    """Return a picture of the `board` alone, or of what stands `beneath` it, empty if nothing does. Any other part is the whole."""
    if part not in PARTS:
        return svg
    root = ET.fromstring(svg)  # noqa: S314  # drawn by us
    below, height = float(root.attrib["data-board"]), float(root.attrib["height"])
    top, bottom = (0.0, below) if part == "board" else (below, height)
    shown = 0
    for one in list(root)[_head(root) :]:
        if _is_beneath(one, below) == (part == "beneath"):
            shown += 1
        else:
            root.remove(one)
    root.set("viewBox", f"0 {number(top)} {root.attrib['width']} {number(bottom - top)}")
    root.set("height", number(bottom - top))
    return ET.tostring(root, encoding="unicode") if shown else ""


def _head(root: ET.Element) -> int:
    """Return how many elements come before those of the board: the title, the colours for dark screens, the ground."""
    return next(place for place, one in enumerate(root, 1) if one.tag == f"{{{_SVG}}}rect")


def _is_beneath(part: ET.Element, below: float) -> bool:
    return part.tag == f"{{{_SVG}}}svg" and float(part.attrib["y"]) >= below
