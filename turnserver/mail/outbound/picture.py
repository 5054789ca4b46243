"""Boards as PNG pictures. The bytes are the same on every machine, because the only font in use comes with the program."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from typing import Final, Literal, TypeAlias

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

FAMILY: Final = "DejaVu Sans"

COLOURS: Final = 64
"""The most colours of a picture. Boards have few, so all of them stay, and the edges of letters stay smooth."""

EFFORT: Final = 6
"""The level of compression, of 9. The highest takes ten times as long and saves a twentieth."""


@lru_cache(maxsize=REMEMBERED)
def png(svg: str, width: int) -> bytes:
    """Draw an SVG document on white, `width` pixels wide (64 to 1600, else the nearer of the two), in the shipped font and few colours.

    A document more than four times as high as wide becomes narrower. Raise ValueError for text that is not SVG.
    """
    width = min(max(width, NARROWEST), WIDEST)
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        # The document is fitted into width and height, so only one that is too high becomes narrower.
        height=width * TALLEST,
        background="white",
        skip_system_fonts=True,
        font_files=[str(resources.font_file())],
        font_family=FAMILY,
        serif_family=FAMILY,
        sans_serif_family=FAMILY,
        monospace_family=FAMILY,
    )
    # A palette makes a picture a third as heavy, and each heavy mail is sent to every player after every turn.
    with Image.open(BytesIO(drawn)) as picture:
        few = picture.convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    packed = BytesIO()
    few.save(packed, "PNG", compress_level=EFFORT)
    return packed.getvalue()
