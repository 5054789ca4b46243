"""A small drawing kit: functions that return SVG elements as text, to be joined by `document`.

Lengths are in the document's own units, y grows downwards. Keyword arguments become attributes: `stroke_width=2` is written
`stroke-width="2"`.
"""

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

FONT = "DejaVu Sans"

Point = tuple[float, float]


def element(name: str, *content: str, **attributes: str | float) -> str:
    """One element around content that is SVG already."""
    written = "".join(
        f" {key.replace('_', '-')}={quoteattr(value if isinstance(value, str) else number(value))}" for key, value in attributes.items()
    )
    return f"<{name}{written}>{''.join(content)}</{name}>" if content else f"<{name}{written}/>"


def document(width: float, height: float, background: str, *content: str, title: str) -> str:
    """A whole picture on an opaque background. `title` is read out where the picture cannot be seen."""
    return element(
        "svg",
        element("title", escape(title)),
        rect(0, 0, width, height, fill=background),
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role="img",
    )


def group(*content: str, **attributes: str | float) -> str:
    """Elements that share attributes."""
    return element("g", *content, **attributes)


def rect(x: float, y: float, width: float, height: float, **attributes: str | float) -> str:
    """A rectangle by its upper left corner; `rx` rounds its corners."""
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def circle(centre: Point, radius: float, **attributes: str | float) -> str:
    """A circle."""
    return element("circle", cx=centre[0], cy=centre[1], r=radius, **attributes)


def polygon(points: Iterable[Point], **attributes: str | float) -> str:
    """A closed outline."""
    return element("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), **attributes)


def text(centre: Point, words: str, size: float, *, anchor: str = "middle", **attributes: str | float) -> str:
    """A line of text around `centre`; with `anchor` "start" or "end" it begins or ends there, half-way up its capitals."""
    x, y = centre[0], centre[1] + 0.36 * size
    return element("text", escape(words), x=x, y=y, font_family=FONT, font_size=size, text_anchor=anchor, **attributes)


def number(value: float) -> str:
    """A coordinate to two decimals, without idle zeros."""
    return f"{round(value, 2) + 0:g}"
