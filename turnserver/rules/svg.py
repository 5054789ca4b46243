"""A small drawing kit: functions that return SVG elements as text, to be joined by `document`.

Lengths are in the document's own units, y grows downwards. Keyword arguments become attributes: `stroke_width=2` is written
`stroke-width="2"`.

Sentences (see `turnserver.text`) in `text` and `document` make the whole picture translatable, as long as its elements are put together by
these functions or by `joined("", parts)`. Each translation is escaped by itself.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, Self
from xml.sax.saxutils import escape, quoteattr

from turnserver.text import Tongue, Words, joined

FONT: Final = "DejaVu Sans"
LETTER: Final = 0.62
"""The average width of a letter for a font size of 1; generous for words in small letters."""

Point = tuple[float, float]


class _Lettering(Words):
    """SVG made of words, which is made again from their translation into another language."""

    __slots__ = ("make", "words")

    words: Words
    make: Callable[[str], str]

    def __new__(cls, words: Words, make: Callable[[str], str]) -> Self:
        made = super().__new__(cls, make(words))
        made.words, made.make = words, make
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return _Lettering, (self.words, self.make)

    def retold(self, tongue: Tongue) -> str:
        """Return the SVG made from the words in the language of `tongue`. See `Words.retold`."""
        return self.make(self.words.retold(tongue))


def element(name: str, *content: str, **attributes: str | float) -> str:
    """Return one element around content that is SVG already."""
    written = "".join(
        f" {key.replace('_', '-')}={quoteattr(value if isinstance(value, str) else number(value))}" for key, value in attributes.items()
    )
    return joined("", [f"<{name}{written}>", *content, f"</{name}>"]) if content else f"<{name}{written}/>"


def document(width: float, height: float, background: str, *content: str, title: str) -> str:
    """Return a whole picture on an opaque background. `title` is read out where the picture cannot be seen."""
    return element(
        "svg",
        element("title", _lettering(title, escape)),
        rect(0, 0, width, height, fill=background),
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role="img",
    )


def group(*content: str, **attributes: str | float) -> str:
    """Return a group of elements that share attributes."""
    return element("g", *content, **attributes)


def rect(x: float, y: float, width: float, height: float, **attributes: str | float) -> str:
    """Return a rectangle by its upper left corner; `rx` rounds its corners."""
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def circle(centre: Point, radius: float, **attributes: str | float) -> str:
    """Return a circle."""
    return element("circle", cx=centre[0], cy=centre[1], r=radius, **attributes)


def polygon(points: Iterable[Point], **attributes: str | float) -> str:
    """Return a closed outline."""
    return element("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), **attributes)


def text(centre: Point, words: str, size: float, *, anchor: str = "middle", room: float | None = None, **attributes: str | float) -> str:
    """Return a line of text around `centre`; with `anchor` "start" or "end" it begins or ends there, half-way up its capitals.

    Text that is wider than `room` is set smaller, in each language by itself.
    """
    return _lettering(words, partial(_line, centre, size, room, {"text_anchor": anchor, **attributes}))


def number(value: float) -> str:
    """Return a coordinate to two decimals, without idle zeros."""
    # adding 0 makes 0 of -0
    return f"{round(value, 2) + 0:g}"


def _line(centre: Point, size: float, room: float | None, attributes: dict[str, str | float], words: str) -> str:
    """Return a line of text in a font of `size`, or smaller so that by average letters it fits into `room`."""
    fitting = size if room is None or not words else min(size, room / LETTER / len(words))
    # text stands on its baseline, and capitals of this font are 0.72 high
    x, y = centre[0], centre[1] + 0.36 * fitting
    return element("text", escape(words), x=x, y=y, font_family=FONT, font_size=fitting, **attributes)


def _lettering(words: str, make: Callable[[str], str]) -> str:
    # words stay translatable; plain text gives plain text
    return _Lettering(words, make) if isinstance(words, Words) else make(words)
