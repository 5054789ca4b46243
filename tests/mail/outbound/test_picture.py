"""Pictures: the size asked for, opaque, the same everywhere, and no size that ends the process."""

import struct
import zlib

import pytest

from turnserver.mail.outbound.picture import png

SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{}</svg>'


def size(picture: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def pixels(picture: bytes) -> list[bytes]:
    """The rows of an RGBA picture, read after the PNG specification (RFC 2083, 6)."""
    assert picture[25] == 6, "colour type"
    width, height = size(picture)
    at, packed = 8, b""
    while at < len(picture):
        length, kind = struct.unpack(">I4s", picture[at : at + 8])
        packed += picture[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    raw, rows, above = zlib.decompress(packed), [], bytes(4 * width)
    for row in range(height):
        start = row * (4 * width + 1)
        above = _unfiltered(raw[start], raw[start + 1 : start + 1 + 4 * width], above)
        rows.append(above)
    return rows


def _unfiltered(kind: int, line: bytes, above: bytes) -> bytes:
    result = bytearray()
    for index, value in enumerate(line):
        left = result[index - 4] if index >= 4 else 0
        corner = above[index - 4] if index >= 4 else 0
        up = above[index]
        paeth = min((left, up, corner), key=lambda one: abs(left + up - corner - one))
        result.append((value + (0, left, up, (left + up) // 2, paeth)[kind]) % 256)
    return bytes(result)


@pytest.mark.parametrize(("asked", "given"), [(600, 600), (64, 64), (63, 64), (-1, 64), (1600, 1600), (1601, 1600), (10**9, 1600)])
def test_the_width_is_clamped(asked: int, given: int) -> None:
    assert size(png(SQUARE.format(""), asked)) == (given, given)


def test_a_document_that_is_absurdly_tall_stays_small() -> None:
    assert size(png('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 100000000"/>', 1600)) == (1, 6400)


def test_what_is_not_drawn_is_white_and_opaque() -> None:
    rows = pixels(png(SQUARE.format('<rect width="50" height="100" fill="#ff0000"/>'), 64))
    assert rows == [b"\xff\x00\x00\xff" * 32 + b"\xff\xff\xff\xff" * 32] * 64


@pytest.mark.parametrize("family", ["monospace", "sans-serif", "serif", "Some Font Nobody Has"])
def test_every_family_is_drawn_in_the_shipped_font(family: str) -> None:
    text = '<text x="5" y="60" font-size="40" font-family="{}">e5 ä</text>'
    shipped = png(SQUARE.format(text.format("DejaVu Sans")), 200)
    assert shipped != png(SQUARE.format(""), 200)
    assert png(SQUARE.format(text.format(family)), 200) == shipped


def test_a_picture_is_the_same_every_time() -> None:
    drawing = SQUARE.format('<circle cx="50" cy="50" r="30"/><text x="3" y="20">a1</text>')
    first = png(drawing, 600)
    png.cache_clear()
    assert png(drawing, 600) == first


@pytest.mark.parametrize("text", ["", "<svg", "<html/>"])
def test_what_is_no_svg_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        png(text, 600)
