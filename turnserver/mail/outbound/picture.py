"""Boards as PNG pictures. The bytes are the same on every machine, because the only font in use comes with the program."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from math import ceil, floor
from typing import Final, Literal, NamedTuple, TypeAlias

import resvg_py
from PIL import Image

from turnserver import resources

BlockKind: TypeAlias = Literal["heading", "paragraph", "item", "code"]
_HEADING: Final = re.compile(r"#{1,6} +(.*)")
_ITEM: Final = re.compile(r"(?:[-*]|[0-9]{1,2}\.) +(.*)")
_MARKUP: Final = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=\w)|(?<=[\w.,;:!?)])[*_](?!\w)|\[([^\]]*)\]\([^)]*\)")


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph, a list item with its mark (`-` or `3.`), or one line of code. `text` carries no more mark-up."""

    kind: BlockKind
    text: str
    mark: str = ""


def blocks(markdown: str) -> tuple[Block, ...]:
    """Return the blocks from top to bottom. The lines of a table count as code."""
    found: list[Block] = []
    # `joined` means that a plain line goes on with the paragraph or the item before it.
    fenced = joined = False
    for line in markdown.splitlines():
        if line.lstrip().startswith("```"):
            fenced, joined = not fenced, False
            continue
        block = Block("code", line.rstrip()) if fenced else _block(line, joined=joined)
        if block.kind == "paragraph" and joined and block.text:
            found[-1] = replace(found[-1], text=f"{found[-1].text} {block.text}")
        elif block.text:
            found.append(block)
        joined = block.kind in {"paragraph", "item"} and bool(block.text)
    return tuple(block if block.kind == "code" else replace(block, text=_plain(block.text)) for block in found)


def _block(line: str, *, joined: bool) -> Block:
    """Return the block that one line begins. An indented line within a paragraph or item continues it."""
    if line.startswith("|") or (line.startswith("    ") and not joined):
        return Block("code", line.strip())
    heading, item = _HEADING.match(line), _ITEM.match(line)
    if heading:
        return Block("heading", heading.group(1))
    if item:
        return Block("item", item.group(1), line[: item.start(1)].strip().replace("*", "-"))
    return Block("paragraph", line.strip())


def _plain(text: str) -> str:
    return _MARKUP.sub(lambda match: match.group(1) or "", text)


NARROWEST: Final = 64
WIDEST: Final = 1600
TALLEST: Final = 4
"""The largest height in widths. The renderer ends the whole process when it cannot get the memory for a picture."""

REMEMBERED: Final = 16
"""The number of pictures kept. An ended game is shown to all of its players at once, and drawing takes a hundred times longer."""

TILES: Final = 2000
"""The number of rendered tiles kept, of some ten kilobytes each."""

BOARDS: Final = 12
"""The number of boards kept without what moves on them, of some two megabytes each."""

FAMILY: Final = "DejaVu Sans"

COLOURS: Final = 64
"""The most colours of a picture. Boards have few, so all of them stay, and the edges of letters stay smooth."""

EFFORT: Final = 5
"""The level of compression, of 9. The next one takes two fifths longer and saves a twentieth, the highest takes ten times as long."""

PHASES: Final = 32
"""Tiles begin at one of so many places within a pixel, which nobody can tell from where they should begin."""

_HEAD: Final = re.compile(r'<svg [^>]*viewBox="0 0 ([0-9.]+) ([0-9.]+)"[^>]*>')
_UNSEEN: Final = re.compile(r"<(title|style)>[^<]*</\1>")
_PLAIN: Final = re.compile(r'<rect x="0" y="0" width="([0-9.]+)" height="([0-9.]+)" fill="(#[0-9a-f]{6})"/>')
_TILE: Final = re.compile(
    r'<svg x="([-0-9.]+)" y="([-0-9.]+)" width="([0-9.]+)" height="([0-9.]+)" '
    r'viewBox="([-0-9.]+) ([-0-9.]+) ([0-9.]+) ([0-9.]+)">(.*?)</svg>',
    re.DOTALL,
)


@lru_cache(maxsize=REMEMBERED)
def png(svg: str, width: int) -> bytes:
    """Draw an SVG document on white, `width` pixels wide (64 to 1600, else the nearer of the two), in the shipped font and few colours.

    A document more than four times as high as wide becomes narrower. Raise ValueError for text that is not SVG.
    """
    width = min(max(width, NARROWEST), WIDEST)
    # A palette makes a picture a third as heavy, and each heavy mail is sent to every player after every turn.
    drawn = _drawn(svg, width)
    # Each second pixel of each second row has the colours of all, and to find them takes longer than to use them.
    some = drawn.resize((ceil(drawn.width / 2), ceil(drawn.height / 2)), Image.Resampling.NEAREST)
    palette = some.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few = drawn.quantize(palette=palette, dither=Image.Dither.NONE)
    packed = BytesIO()
    few.save(packed, "PNG", compress_level=EFFORT)
    return packed.getvalue()


class _Layer(NamedTuple):
    """Something rendered: its colours, and how far it covers what is below it, or None where it covers all."""

    colours: Image.Image
    cover: Image.Image | None


def _drawn(svg: str, width: int) -> Image.Image:
    """Put the picture together from its tiles (see `rules.svg.tile`) and from what stands between them, in the order of the document."""
    head = _HEAD.match(svg)
    if head is None or float(head[2]) > TALLEST * float(head[1]):
        # The document is fitted into width and height, so only one that is too high becomes narrower.
        return _rendered(svg, (width, width * TALLEST), "white").colours
    across, down = float(head[1]), float(head[2])
    scale = width / across
    picture = Image.new("RGB", (width, ceil(_near(down * scale))), "white")
    content, end = _UNSEEN.sub("", svg[head.end() : svg.rindex("</svg>")]), 0
    for tile in _TILE.finditer(content):
        _lay(picture, (0, 0), _ground(content[end : tile.start()], (across, down), picture.size))
        _lay(picture, *_laid(tile, scale))
        end = tile.end()
    _lay(picture, (0, 0), _ground(content[end:], (across, down), picture.size))
    return picture


def _lay(picture: Image.Image, at: tuple[int, int], layer: _Layer | None) -> None:
    if layer is not None:
        picture.paste(layer.colours, at, layer.cover)


def _laid(tile: re.Match[str], scale: float) -> tuple[tuple[int, int], _Layer]:
    """Return a tile on whole pixels, and the first of them. Tiles that begin at the same fraction of a pixel are rendered once."""
    *box, drawn = tile.groups()
    first, view, size = _box(tuple(box), scale)
    return first, _tile(drawn, view, size)


@lru_cache(maxsize=4 * TILES)
def _box(numbers: tuple[str, ...], scale: float) -> tuple[tuple[int, int], str, tuple[int, int]]:
    """Return the first pixel of a tile with these numbers, what of it is seen, and its size in pixels."""
    x, y, width, height, left, top, wide, _ = map(float, numbers)
    begins = _near(x * scale), _near(y * scale)
    first = floor(begins[0]), floor(begins[1])
    size = ceil(begins[0] + _near(width * scale)) - first[0], ceil(begins[1] + _near(height * scale)) - first[1]
    # The length of a pixel in the tile's own units.
    pixel = wide / width / scale
    seen = (left - (begins[0] - first[0]) * pixel, top - (begins[1] - first[1]) * pixel, size[0] * pixel, size[1] * pixel)
    return first, " ".join(f"{length:.3f}" for length in seen), size


def _near(length: float) -> float:
    return round(length * PHASES) / PHASES


@lru_cache(maxsize=TILES)
def _tile(drawn: str, view: str, size: tuple[int, int]) -> _Layer:
    return _part(drawn, view, size)


def _ground(drawn: str, view: tuple[float, float], size: tuple[int, int]) -> _Layer | None:
    """Return what stands between tiles; None if that is nothing."""
    if not drawn:
        return None
    plain = _PLAIN.fullmatch(drawn)
    if plain is not None and (float(plain[1]), float(plain[2])) == view:
        return _Layer(Image.new("RGB", size, plain[3]), None)
    return _board(drawn, f"0 0 {view[0]:g} {view[1]:g}", size)


@lru_cache(maxsize=BOARDS)
def _board(drawn: str, view: str, size: tuple[int, int]) -> _Layer:
    return _part(drawn, view, size)


def _part(drawn: str, view: str, size: tuple[int, int]) -> _Layer:
    namespace, fitted = 'xmlns="http://www.w3.org/2000/svg"', 'preserveAspectRatio="none"'
    return _rendered(f'<svg {namespace} viewBox="{view}" width="{size[0]}" height="{size[1]}" {fitted}>{drawn}</svg>', size)


def _rendered(svg: str, size: tuple[int, int], background: str | None = None) -> _Layer:
    """Render a document of its own. It is fitted into the size."""
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
        seen = picture.convert("RGBA")
    cover = seen.getchannel("A")
    return _Layer(seen.convert("RGB"), None if cover.getextrema() == (255, 255) else cover)
