"""Boards as PNG pictures: the same bytes on every machine, because the one font that is used comes with the program."""

from functools import lru_cache
from typing import Final

import resvg_py

from turnserver import resources

NARROWEST: Final = 64
WIDEST: Final = 1600
TALLEST: Final = 4
"""The renderer ends the whole process when it cannot get the memory for a picture, so no picture is taller than this times its width."""

REMEMBERED: Final = 16
"""A game that ends is shown to all of its players at once; drawing takes a hundred times longer than remembering."""

FAMILY: Final = "DejaVu Sans"


@lru_cache(maxsize=REMEMBERED)
def png(svg: str, width: int) -> bytes:
    """Draw an SVG document on white, `width` pixels wide (64 to 1600, else the nearer of the two), in the shipped font.

    A document more than four times as high as wide comes out narrower. Raises ValueError for what is not SVG.
    """
    width = min(max(width, NARROWEST), WIDEST)
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        height=width * TALLEST,
        background="white",
        skip_system_fonts=True,
        font_files=[str(resources.font_file())],
        font_family=FAMILY,
        serif_family=FAMILY,
        sans_serif_family=FAMILY,
        monospace_family=FAMILY,
    )
