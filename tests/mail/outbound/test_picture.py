"""Pictures: the size asked for, opaque, the same everywhere, and no size that ends the process."""

from io import BytesIO

import pytest
from PIL import Image

from turnserver.mail.outbound.picture import png
from turnserver.rules import svg

SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{}</svg>'


def read(picture: bytes) -> Image.Image:
    found = Image.open(BytesIO(picture))
    assert (found.format, found.mode) == ("PNG", "P"), "a palette"
    assert "transparency" not in found.info
    return found.convert("RGB")


@pytest.mark.parametrize(("asked", "given"), [(600, 600), (64, 64), (63, 64), (-1, 64), (1600, 1600), (1601, 1600), (10**9, 1600)])
def test_the_width_is_clamped(asked: int, given: int) -> None:
    assert read(png(SQUARE.format(""), asked)).size == (given, given)


def test_a_document_that_is_absurdly_tall_stays_small() -> None:
    assert read(png('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 100000000"/>', 1600)).size == (1, 6400)


def test_what_is_not_drawn_is_white_and_opaque() -> None:
    pixels = read(png(SQUARE.format('<rect width="50" height="100" fill="#ff0000"/>'), 64)).tobytes()
    assert pixels == (b"\xff\x00\x00" * 32 + b"\xff\xff\xff" * 32) * 64


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


def test_dark_pages_change_nothing_in_a_mail() -> None:
    light, dark = (svg.document(90, 90, "#ffffff", title="", dark=colours) for colours in ({}, {"#ffffff": "#000000"}))
    assert png(dark, 90) == png(light, 90)


@pytest.mark.parametrize("text", ["", "<svg", "<html/>"])
def test_what_is_no_svg_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        png(text, 600)
