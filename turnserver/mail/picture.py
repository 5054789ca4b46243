"""Boards as PNG pictures: the same bytes on every machine, because the one font that is used comes with the program."""

from typing import Final

import resvg_py

from turnserver import resources

NARROWEST: Final = 64
WIDEST: Final = 1600
"""The renderer ends the whole process when it cannot get the memory for a picture, so widths are clamped."""


def png(svg: str, width: int) -> bytes:
    """Draw an SVG document `width` pixels wide (clamped to 64..1600), opaque, in the shipped font. Raises ValueError if it is not SVG."""
    font = resources.font_file()
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=min(max(width, NARROWEST), WIDEST),
        background="white",
        skip_system_fonts=True,
        font_files=[str(font)],
        font_family="DejaVu Sans",
        serif_family="DejaVu Sans",
        sans_serif_family="DejaVu Sans",
        monospace_family="DejaVu Sans",
    )
