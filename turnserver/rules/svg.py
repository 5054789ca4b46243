"""A small drawing kit: functions that return SVG elements as text, to be joined by `document`.

Lengths are in the document's own units, y grows downwards. Keyword arguments become attributes: `stroke_width=2` is written
`stroke-width="2"`.

Sentences (see `turnserver.text`) in `text` and `document` make the whole picture translatable, as long as its elements are put together by
these functions or by `joined("", parts)`. Each translation is escaped by itself.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import chain, groupby
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

from turnserver.text import Tongue, Words, joined

FONT: Final = "DejaVu Sans"
LETTER: Final = 0.62
"""The average width of a letter for a font size of 1; generous for words in small letters."""

WIDTH: Final = 640.0
"""The width of a board, and the number of pixels in a mail. Squares on whole units are alike to the pixel, so the picture packs well."""

SMALL: Final = 23.0
"""The size of the smallest words. A phone shows them half as large."""

Point = tuple[float, float]

ORIGIN: Final[Point] = (0.0, 0.0)


class Box(NamedTuple):
    """A rectangle around the origin, or beside it."""

    left: float
    top: float
    width: float
    height: float


def around(reach: float) -> Box:
    """Return the square whose sides are `reach` away from the origin."""
    return Box(-reach, -reach, 2 * reach, 2 * reach)


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
    # A board has hundreds of elements, so values are written here and not by a function of their own.
    quoted = [f'{_attribute(key)}"{escape(one) if isinstance(one, str) else number(one)}"' for key, one in attributes.items()]
    opened = f"<{name}{''.join(quoted)}"
    if not content:
        return f"{opened}/>"
    return _lettering(content[0] if len(content) == 1 else _together(content), partial(_within, f"{opened}>", f"</{name}>"))


@cache
def _attribute(key: str) -> str:
    return f" {key.replace('_', '-')}="


_TO_ESCAPE: Final = re.compile(r'[&<>"]')
_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def escape(words: str) -> str:
    """Return words as XML has them, in text and in attributes. Python's own function imports all that it takes to load a page."""
    # A board has thousands of attributes, and hardly one has anything to escape.
    return words.translate(_ESCAPES) if _TO_ESCAPE.search(words) else words


def document(
    width: float,
    height: float,
    background: str,
    *content: str,
    title: str,
    board: float | None = None,
    dark: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return a whole picture on an opaque background. `title` is read out where the picture cannot be seen.

    The picture of a game is `board` high before what stands beneath: tiles that begin there or lower. Pages show the two apart.

    A page on a dark screen shows each colour in `dark` as the other one. Nothing else knows about dark screens.
    """
    return element(
        "svg",
        element("title", _lettering(title, escape)),
        *([element("style", _darkening(tuple(dark.items())))] if dark else []),
        rect(0, 0, width, height, fill=background),
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role="img",
        **({"data-board": board} if board is not None else {}),
    )


def group(*content: str, **attributes: str | float) -> str:
    """Return a group of elements that share attributes."""
    return element("g", *content, **attributes)


def reaching(ends: Iterable[Point], aside: float) -> Box:
    """Return the rectangle around the origin and these points, with that much room on all sides."""
    across, down = zip(ORIGIN, *ends, strict=True)
    left, top = min(across) - aside, min(down) - aside
    return Box(left, top, max(across) + aside - left, max(down) + aside - top)


def tile(at: Point, box: Box, content: str, scale: float = 1.0) -> str:
    """Return `content`, drawn around the origin, as a part around `at`. What leaves `box` is cut off; `scale` enlarges both.

    A tile that recurs is rendered once and put together with others from then on, so whatever a board has many of is a tile, and its place
    and box are on whole pixels where they can be. Tiles lie beside one another in the document: never in a group or in another tile.
    """
    return _lettering(content, partial(_within, _opened(at, box, scale), "</svg>"))


@lru_cache(maxsize=4096)
def _opened(at: Point, box: Box, scale: float) -> str:
    x, y = number(at[0] + scale * box.left), number(at[1] + scale * box.top)
    return f'<svg x="{x}" y="{y}" {_sizes(box, scale)}>'


@lru_cache(maxsize=64)
def _sizes(box: Box, scale: float) -> str:
    left, top, width, height = map(number, box)
    return f'width="{number(scale * box.width)}" height="{number(scale * box.height)}" viewBox="{left} {top} {width} {height}"'


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


class Mark(NamedTuple):
    """A sign of a legend, drawn around the origin and 60 units wide, and its meaning."""

    icon: str
    words: str


def legend(marks: Iterable[Mark], y: float, ink: str, width: float = WIDTH) -> tuple[str, float]:
    """Return rows of marks from `y` down, as many to a row as have room, and the lower end of the last one.

    The picture is `width` units wide. However many these are, marks and words have the same size in a mail.
    """
    rows: list[list[tuple[Mark, int]]] = [[]]
    for mark in marks:
        wide = round(min(_ICON + LETTER * SMALL * (len(mark.words) + _SPARE), WIDTH - SMALL))
        if sum(taken for _, taken in rows[-1]) + wide > WIDTH - SMALL:
            rows.append([])
        rows[-1].append((mark, wide))
    scale = width / WIDTH
    drawn = (part for line, row in enumerate(rows) for part in _marks(row, y + line * _ROW * scale, scale, ink))
    return joined("", [*drawn]), y + len(rows) * _ROW * scale


@lru_cache(maxsize=4096)
def number(value: float) -> str:
    """Return a coordinate to two decimals, without idle zeros."""
    # adding 0 makes 0 of -0
    return f"{round(value, 2) + 0:g}"


_ICON: Final = 60.0
_ROW: Final = 46.0
_BEFORE: Final = 12
"""The room before the first mark of a row."""
_SPARE: Final = 2.5
"""The room for longer words in other languages, in letters. Words that are longer still are set smaller."""


def _marks(row: Sequence[tuple[Mark, int]], y: float, scale: float, ink: str) -> Iterable[str]:
    x = _BEFORE
    for mark, width in row:
        yield tile((x * scale, y), Box(0, 0, width, _ROW), _explained(mark.icon, mark.words, width - _ICON + 6, ink), scale)
        x += width


# Typed, so that words to be translated are not taken for plain ones that read alike.
@lru_cache(maxsize=512, typed=True)
def _explained(icon: str, words: str, room: float, ink: str) -> str:
    """Return a sign beside its meaning. All boards of a game have the same few."""
    sign = group(icon, transform=f"translate(24 {number(_ROW / 2)}) scale(0.6)")
    return joined("", [sign, text((50, _ROW / 2), words, SMALL, anchor="start", room=room, fill=ink)])


@lru_cache(maxsize=64)
def _darkening(dark: Sequence[tuple[str, str]]) -> str:
    rules = (f"[{kind}='{light}']{{{kind}:{other}}}" for light, other in dark for kind in ("fill", "stroke"))
    return f"@media (prefers-color-scheme: dark){{{''.join(rules)}}}"


def _line(centre: Point, size: float, room: float | None, attributes: dict[str, str | float], words: str) -> str:
    """Return a line of text in a font of `size`, or smaller so that by average letters it fits into `room`."""
    fitting = size if room is None or not words else min(size, room / LETTER / len(words))
    # text stands on its baseline, and capitals of this font are 0.72 high
    x, y = centre[0], centre[1] + 0.36 * fitting
    return element("text", escape(words), x=x, y=y, font_family=FONT, font_size=fitting, **attributes)


def _within(before: str, after: str, content: str) -> str:
    return f"{before}{content}{after}"


def _together(content: Iterable[str]) -> str:
    # A board has hundreds of elements without words, which are one element to a translator.
    runs = (run if translatable else ["".join(run)] for translatable, run in groupby(content, lambda one: isinstance(one, Words)))
    return joined("", [*chain.from_iterable(runs)])


def _lettering(words: str, make: Callable[[str], str]) -> str:
    # words stay translatable; plain text gives plain text
    return _Lettering(words, make) if isinstance(words, Words) else make(words)
