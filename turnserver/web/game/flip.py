"""A picture of a board turned round, as somebody on the other side of the table sees it: the words stay upright."""

from functools import lru_cache
from xml.etree import ElementTree as ET

from turnserver.rules.svg import number

_SVG = "http://www.w3.org/2000/svg"
_OTHER_SIDE = {"start": "end", "end": "start"}
_CAPITALS = 0.72
"""The height of capitals, by the size of the font: see `rules.svg`."""


@lru_cache(maxsize=200)
def flipped(svg: str) -> str:
    """Return the picture turned by half a circle. The ground, the title and the legend stay where they are."""
    ET.register_namespace("", _SVG)
    root = ET.fromstring(svg)  # noqa: S314  # drawn by us
    _, _, width, height = (float(part) for part in root.attrib["viewBox"].split())
    legend = next((part for part in root if part.get("class") == "legend"), None)
    # the legend stands below the board
    below = float(legend.attrib["transform"].partition(" ")[2].partition(")")[0]) if legend is not None else height
    turned = ET.Element(f"{{{_SVG}}}g", transform=f"rotate(180 {number(width / 2)} {number(below / 2)})")
    for part in list(root):
        is_ground = part.tag == f"{{{_SVG}}}rect" and part.get("width") == number(width) and part.get("height") == number(height)
        if part is legend or is_ground or part.tag in {f"{{{_SVG}}}title", f"{{{_SVG}}}style"}:
            continue
        root.remove(part)
        turned.append(part)
    for text in turned.iter(f"{{{_SVG}}}text"):
        middle = float(text.attrib["y"]) - _CAPITALS / 2 * float(text.attrib["font-size"])
        text.set("transform", f"rotate(180 {text.attrib['x']} {number(middle)})")
        anchor = text.get("text-anchor", "start")
        text.set("text-anchor", _OTHER_SIDE.get(anchor, anchor))
    root.insert(len(root) - (legend is not None), turned)
    return ET.tostring(root, encoding="unicode")
