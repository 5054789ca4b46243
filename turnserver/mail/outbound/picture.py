"""Boards as PNG pictures. They look the same on every machine, because the only font in use comes with the program.

A picture is made of bands, each packed by itself: a turn changes few of them, and the others are taken as they were packed before.
"""

import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from html import unescape
from io import BytesIO
from itertools import combinations
from math import ceil, floor
from typing import Final, NamedTuple

import resvg_py
from PIL import Image, ImageDraw, ImageFont
from zlib_ng import zlib_ng as zlib

from turnserver import resources

NARROWEST: Final = 64
WIDEST: Final = 1600
TALLEST: Final = 4
"""The largest height in widths. The renderer ends the whole process when it cannot get the memory for a picture."""

REMEMBERED: Final = 16
"""The number of pictures kept. An ended game is shown to all of its players at once, and drawing takes a hundred times longer."""

TILES: Final = 2000
"""The number of rendered tiles kept, of some ten kilobytes each."""

PLACES: Final = 8000
"""The number of tiles kept with their place, of less than half a kilobyte each."""

BOARDS: Final = 12
"""The number of boards kept without what moves on them, of some two megabytes each."""

BANDS: Final = 5000
"""The number of packed bands kept, of some three kilobytes each: the boards of some five hundred games."""

BAND: Final = 64
"""The height of a band in pixels. Lower ones weigh more, and of higher ones a turn changes more."""

FAMILY: Final = "DejaVu Sans"
BLACK: Final = "#000000"
WHITE: Final = "#ffffff"

COLOURS: Final = 96
"""The most colours of a picture. Boards have few, so all of them stay, and the edges of letters stay smooth."""

STEPS: Final = 12
"""The number of steps between two colours of a document, of which the edges of what is drawn are made."""

EFFORT: Final = 5
"""The level of compression, of 9. The one below takes a seventh less and weighs a tenth more."""

PHASES: Final = 32
"""Tiles begin at one of so many places within a pixel, which nobody can tell from where they should begin."""

FONTS: Final = 64
"""The number of sizes of the font kept."""

_ANCHORS: Final = {"start": "ls", "middle": "ms", "end": "rs"}
"""Pillow's names for what SVG calls them."""

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_BEGIN: Final = b"\x78\x9c"
_END: Final = b"\x03\x00"
"""A last block with nothing in it."""
_PRIME: Final = 65521

_HEAD: Final = re.compile(r'<svg [^>]*viewBox="0 0 ([0-9.]+) ([0-9.]+)"[^>]*>')
_COLOUR: Final = re.compile(r'="(#[0-9a-f]{6})"')
_INK: Final = re.compile(r'(?:fill|stroke)="(#[0-9a-f]{6})"[^<>]* (?:stroke-)?opacity="(0\.[0-9]+)"')
_UNSEEN: Final = re.compile(r"<(title|style)>[^<]*</\1>")
_TILE: Final = "<svg x="
_LINE: Final = re.compile(
    r'<text x="([-0-9.]+)" y="([-0-9.]+)" font-family="DejaVu Sans" font-size="([0-9.]+)" text-anchor="(start|middle|end)" '
    r'fill="(#[0-9a-f]{6})">([ -;=-\u02af\u0370-\u0587]{4,})</text>$'
)
"""Words in one colour that end a tile, as `rules.svg.text` writes them, in Latin, Greek, Cyrillic or Armenian letters.

Shorter words recur, and are rendered with their tile; so are other letters, whose shapes follow from their neighbours.
"""
_PARTS_OF_TILE: Final = re.compile(
    r'"([-0-9.]+)" y="([-0-9.]+)" width="([0-9.]+)" height="([0-9.]+)" '
    r'viewBox="([-0-9.]+) ([-0-9.]+) ([0-9.]+) [0-9.]+">(.*)',
    re.DOTALL,
)


@lru_cache(maxsize=REMEMBERED)
def png(svg: str, width: int) -> bytes:
    """Draw an SVG document on white, `width` pixels wide (64 to 1600, else the nearer of the two), in the shipped font and few colours.

    A document more than four times as high as wide becomes narrower. Raise ValueError for text that is not SVG.
    """
    (across, down), parts, palette = _parts(svg, min(max(width, NARROWEST), WIDEST))
    bands: list[list[_Part]] = [[] for _ in range(ceil(down / BAND))]
    for part in parts:
        for number in range(max(part.top, 0) // BAND, ceil(min(part.top + part.layer.colours.height, down) / BAND)):
            bands[number].append(part)
    packed = [_band(palette, (1 + across, min(BAND, down - BAND * at)), BAND * at, tuple(band)) for at, band in enumerate(bands)]
    return _file((across, down), palette, packed)


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    """Something rendered: its colours, and how far it covers what is below it, or None where it covers all."""

    colours: Image.Image
    cover: Image.Image | None


class _Part(NamedTuple):
    """A layer in its place in a picture, or in a tile."""

    left: int
    top: int
    layer: _Layer


@dataclass(frozen=True, slots=True, eq=False)
class _Palette:
    """The colours of a picture, as an image that has them and as the bytes of a PNG."""

    image: Image.Image
    colours: bytes


class _Band(NamedTuple):
    """Some rows of a picture, deflated up to a whole byte, and the length and Adler-32 of what was deflated."""

    packed: bytes
    length: int
    check: int


def _parts(svg: str, width: int) -> tuple[tuple[int, int], list[_Part], _Palette]:
    """Return the size of the picture, its tiles (see `rules.svg.tile`) and what stands between them, in their order, and its colours."""
    head = _HEAD.match(svg)
    if head is None or float(head[2]) > TALLEST * float(head[1]):
        # The document is fitted into width and height, so only one that is too high becomes narrower.
        whole = _rendered(svg, (width, width * TALLEST), "white")
        return whole.layer.colours.size, [whole], _palette_of([svg])
    across, down = float(head[1]), float(head[2])
    scale = width / across
    size = width, ceil(_near(down * scale))
    view = f"0 0 {across:g} {down:g}"
    # What comes before the first tile is taken for what follows an empty one.
    pieces, parts = f"</svg>{_UNSEEN.sub('', svg[head.end() : svg.rindex('</svg>')])}".split(_TILE), list[_Part]()
    for piece in pieces:
        tile, _, between = piece.partition("</svg>")
        if tile:
            parts += _laid(tile, scale)
        if between:
            parts.append(_ground(between, view, size))
    return size, parts, _palette_of(pieces)


@lru_cache(maxsize=BANDS)
def _band(palette: _Palette, size: tuple[int, int], top: int, parts: Sequence[_Part]) -> _Band:
    """Draw the parts into the rows from `top` on, behind a column for the filters of the rows, and pack them."""
    drawn = Image.new("RGB", size, "white")
    for left, above, layer in parts:
        drawn.paste(layer.colours, (1 + left, above - top), layer.cover)
    # Black is number 0 of every palette, which is no filter: the others make pictures with a palette heavier.
    drawn.paste(BLACK, (0, 0, 1, size[1]))
    # A palette makes a picture a third as heavy, and each heavy mail is sent to every player after every turn.
    rows = drawn.quantize(palette=palette.image, dither=Image.Dither.NONE).tobytes()
    packer = zlib.compressobj(EFFORT, wbits=-zlib.MAX_WBITS, memLevel=9)
    return _Band(packer.compress(rows) + packer.flush(zlib.Z_SYNC_FLUSH), len(rows), zlib.adler32(rows))


def _palette_of(pieces: Iterable[str]) -> _Palette:
    """Return the colours of a document that is put together from these."""
    colours, inks = zip(*map(_named, pieces), strict=True)
    return _palette(tuple(sorted({BLACK, WHITE}.union(*colours))), tuple(sorted(set[tuple[str, str]]().union(*inks))))


@lru_cache(maxsize=PLACES)
def _named(drawn: str) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    """Return the colours that a part of a document names, and what is translucent of them, with its opacity."""
    return frozenset(_COLOUR.findall(drawn)), frozenset(_INK.findall(drawn))


@lru_cache(maxsize=64)
def _palette(colours: tuple[str, ...], inks: tuple[tuple[str, str], ...]) -> _Palette:
    """Return the colours of a document, black first, and of those between them as many as there is room for. `inks` are translucent.

    They follow from what a game draws with and not from where, so boards of a game have bands in common.
    """
    named = [_colour(one) for one in colours]
    if len(named) > COLOURS / 2:
        listed = _colour(BLACK) + _chosen(named, COLOURS - 1)
    else:
        between = [_mixed(one, other, step / STEPS) for one, other in combinations(named, 2) for step in range(1, STEPS)]
        tints = [_mixed(_colour(ink), other, float(opacity)) for ink, opacity in inks for other in named]
        # Tints cover areas, on which the eye rests longer than on edges, so they count half as much as all of these, however few they are.
        weight = ceil(len(between) / 2 / max(len(tints), 1))
        listed = b"".join(named) + _chosen(between + weight * tints, COLOURS - len(named))
    image = Image.new("P", (1, 1))
    image.putpalette(listed)
    return _Palette(image, listed)


def _chosen(colours: Sequence[bytes], number: int) -> bytes:
    """Return so many colours that each of `colours` is near one of them."""
    all_of_them = Image.frombytes("RGB", (len(colours), 1), b"".join(colours))
    return bytes(all_of_them.quantize(number, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).getpalette("RGB") or ())


def _colour(name: str) -> bytes:
    return bytes.fromhex(name[1:])


def _mixed(one: bytes, other: bytes, share: float) -> bytes:
    return bytes(round(share * a + (1 - share) * b) for a, b in zip(one, other, strict=True))


def _file(size: tuple[int, int], palette: _Palette, bands: Sequence[_Band]) -> bytes:
    """Return the bands as a PNG file (RFC 2083) of eight bits a pixel. Their rows are one stream of zlib (RFC 1950)."""
    check = reduce(_adler32, bands, 1)
    stream = b"".join([_BEGIN, *(band.packed for band in bands), _END, check.to_bytes(4, "big")])
    header = struct.pack(">IIBBBBB", *size, 8, 3, 0, 0, 0)
    chunks = (b"IHDR", header), (b"PLTE", palette.colours), (b"IDAT", stream), (b"IEND", b"")
    return b"".join([_SIGNATURE, *(_chunk(name, data) for name, data in chunks)])


def _chunk(name: bytes, data: bytes) -> bytes:
    return b"".join([struct.pack(">I", len(data)), name, data, struct.pack(">I", zlib.crc32(data, zlib.crc32(name)))])


def _adler32(before: int, band: _Band) -> int:
    """Return the Adler-32 (RFC 1950, 8.2) of some bytes that have the one `before`, followed by a band."""
    low, high = before & 0xFFFF, before >> 16
    return (high + band.length * (low - 1) + (band.check >> 16)) % _PRIME << 16 | (low + (band.check & 0xFFFF) - 1) % _PRIME


@lru_cache(maxsize=PLACES)
def _laid(tile: str, scale: float) -> Sequence[_Part]:
    """Return what a tile is made of on whole pixels. Tiles that begin at the same fraction of a pixel are rendered once."""
    found = _PARTS_OF_TILE.fullmatch(tile)
    assert found is not None, tile  # noqa: S101  # `rules.svg.tile` writes all of them
    x, y, width, height, left, top, wide = map(float, found.groups()[:-1])
    begins = _near(x * scale), _near(y * scale)
    first = floor(begins[0]), floor(begins[1])
    size = ceil(begins[0] + _near(width * scale)) - first[0], ceil(begins[1] + _near(height * scale)) - first[1]
    # The length of a pixel in the tile's own units.
    pixel = wide / width / scale
    corner = left - (begins[0] - first[0]) * pixel, top - (begins[1] - first[1]) * pixel
    drawn, parts = found[8], list[_Part]()
    while line := _LINE.search(drawn):
        along, under, words = _line(line, corner, pixel, size)
        parts.append(_Part(first[0] + along, first[1] + under, words))
        drawn = drawn[: line.start()]
    if drawn:
        seen = (*corner, size[0] * pixel, size[1] * pixel)
        left, top, layer = _tile(drawn, " ".join(f"{length:.3f}" for length in seen), size)
        parts.append(_Part(first[0] + left, first[1] + top, layer))
    return parts[::-1]


def _line(line: re.Match[str], corner: tuple[float, float], pixel: float, size: tuple[int, int]) -> _Part:
    """Set words in a tile of a size in pixels. `corner` is its upper left, and `pixel` the length of a pixel, in the tile's own units.

    Lines of words hardly recur, and the renderer of SVG takes twenty times as long for them.
    """
    x, y, height, anchor, colour, words = line.groups()
    cover = Image.new("L", size)
    at = (float(x) - corner[0]) / pixel, (float(y) - corner[1]) / pixel
    ImageDraw.Draw(cover).text(at, unescape(words), 255, _font(float(height) / pixel), _ANCHORS[anchor])
    left, top, *_ = seen = cover.getbbox() or (0, 0, 1, 1)
    letters = cover.crop(seen)
    return _Part(left, top, _Layer(Image.new("RGB", letters.size, colour), letters))


@lru_cache(maxsize=FONTS)
def _font(size: float) -> ImageFont.FreeTypeFont:
    # Pillow finds the other engine for laying out words on some machines only.
    return ImageFont.truetype(resources.font_file(), size, layout_engine=ImageFont.Layout.BASIC)


def _near(length: float) -> float:
    return round(length * PHASES) / PHASES


@lru_cache(maxsize=TILES)
def _tile(drawn: str, view: str, size: tuple[int, int]) -> _Part:
    return _fitted(drawn, view, size)


@lru_cache(maxsize=BOARDS)
def _ground(drawn: str, view: str, size: tuple[int, int]) -> _Part:
    return _fitted(drawn, view, size)


def _fitted(drawn: str, view: str, size: tuple[int, int]) -> _Part:
    namespace, fitted = 'xmlns="http://www.w3.org/2000/svg"', 'preserveAspectRatio="none"'
    return _rendered(f'<svg {namespace} viewBox="{view}" width="{size[0]}" height="{size[1]}" {fitted}>{drawn}</svg>', size)


def _rendered(svg: str, size: tuple[int, int], background: str | None = None) -> _Part:
    """Render a document of its own, fitted into the size, without the rows and columns around it in which nothing is drawn."""
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=size[0],
        height=size[1],
        background=background,
        skip_system_fonts=True,
        font_files=[str(resources.font_file())],
        font_family=FAMILY,
        serif_family=FAMILY,
        sans_serif_family=FAMILY,
        monospace_family=FAMILY,
    )
    with Image.open(BytesIO(drawn)) as picture:
        whole = picture.convert("RGBA")
    left, top, *_ = inked = whole.getchannel("A").getbbox() or (0, 0, 1, 1)
    seen = whole.crop(inked)
    cover = seen.getchannel("A")
    return _Part(left, top, _Layer(seen.convert("RGB"), None if cover.getextrema() == (255, 255) else cover))
