"""Pictures: the size asked for, opaque, the same everywhere, and no size that ends the process."""

import zlib
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from tests.cases import for_each
from turnserver.mail.outbound import picture
from turnserver.mail.outbound.picture import png
from turnserver.rules import svg

SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{}</svg>'


def read(drawn: bytes) -> Image.Image:
    found = Image.open(BytesIO(drawn))
    assert (found.format, found.mode) == ("PNG", "P"), "a palette"
    assert "transparency" not in found.info
    # Pillow does not look at the check of the whole stream of rows, which zlib does.
    rows = zlib.decompress(drawn[drawn.index(b"IDAT") + 4 :])
    assert len(rows) == found.height * (found.width + 1)
    return found.convert("RGB")


@for_each(("asked", "given"), [(600, 600), (64, 64), (63, 64), (-1, 64), (1600, 1600), (1601, 1600), (10**9, 1600)])
def test_the_width_is_clamped(asked: int, given: int) -> None:
    assert read(png(SQUARE.format(""), asked)).size == (given, given)


def test_a_document_that_is_absurdly_tall_stays_small() -> None:
    assert read(png('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 100000000"/>', 1600)).size == (1, 6400)


def test_what_is_not_drawn_is_white_and_opaque() -> None:
    pixels = read(png(SQUARE.format('<rect width="50" height="100" fill="#ff0000"/>'), 64)).tobytes()
    assert pixels == (b"\xff\x00\x00" * 32 + b"\xff\xff\xff" * 32) * 64


@for_each("family", ["monospace", "sans-serif", "serif", "Some Font Nobody Has"])
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


RED, BLUE = (svg.rect(-9, -9, 18, 18, fill=colour) for colour in ("#d00000", "#0000d0"))
BOX = svg.around(10)
MIXED = 12
"""The most that a pixel may differ, of 255: what lies between two pixels is mixed in another order."""


@for_each(
    ("tiled", "plain"),
    [
        pytest.param([svg.tile((30, 40), BOX, RED)], [(30, 40, 1.0, RED)], id="one"),
        pytest.param([svg.tile((30, 40), BOX, RED), svg.tile((35, 45), BOX, BLUE)], [(30, 40, 1.0, RED), (35, 45, 1.0, BLUE)], id="above"),
        pytest.param([svg.tile((30, 40), BOX, RED), svg.tile((70, 40), BOX, RED)], [(30, 40, 1.0, RED), (70, 40, 1.0, RED)], id="alike"),
        pytest.param([svg.tile((30, 40), BOX, RED, 2)], [(30, 40, 2.0, RED)], id="enlarged"),
        pytest.param([svg.tile((30.5, 40.25), BOX, RED)], [(30.5, 40.25, 1.0, RED)], id="between pixels"),
        pytest.param(
            [svg.tile((50, 50), svg.Box(-2, -45, 4, 90), svg.rect(-1, -40, 2, 80))], [(50, 50, 1.0, svg.rect(-1, -40, 2, 80))], id="narrow"
        ),
        pytest.param(
            [svg.tile((30, 40), BOX, RED), svg.tile((60, 40), BOX, RED), svg.tile((45, 44), BOX, BLUE)],
            [(30, 40, 1.0, RED), (60, 40, 1.0, RED), (45, 44, 1.0, BLUE)],
            id="above two",
        ),
        pytest.param([svg.tile((30, 63), BOX, RED)], [(30, 63, 1.0, RED)], id="in two bands"),
        pytest.param([svg.tile((0, 99), BOX, RED)], [(0, 99, 1.0, RED)], id="over the edge"),
        pytest.param([svg.tile((-20, 40), BOX, RED), svg.tile((120, 40), BOX, RED), svg.tile((50, 120), BOX, RED)], [], id="beside it"),
        pytest.param([svg.tile((30, 40), svg.around(6), RED)], [(30, 40, 1.0, svg.rect(-6, -6, 12, 12, fill="#d00000"))], id="cut off"),
        pytest.param(
            [svg.tile((30, 40), BOX, RED), svg.circle((30, 40), 5)], [(30, 40, 1.0, RED + svg.circle((0, 0), 5))], id="below the rest"
        ),
        pytest.param(
            [svg.tile((30, 40), BOX, RED), svg.circle((30, 40), 5), svg.tile((34, 42), svg.around(2), BLUE)],
            [(30, 40, 1.0, RED + svg.circle((0, 0), 5) + svg.rect(2, 0, 4, 4, fill="#0000d0"))],
            id="ground between tiles",
        ),
        pytest.param(
            [svg.circle((30, 40), 12), svg.tile((30, 40), BOX, RED)], [(30, 40, 1.0, svg.circle((0, 0), 12) + RED)], id="on the ground"
        ),
    ],
)
@for_each("width", [100, 250])
def test_tiles_look_as_if_they_were_no_parts(tiled: list[str], plain: list[tuple[float, float, float, str]], width: int) -> None:
    groups = [svg.group(drawn, transform=f"translate({x} {y}) scale({scale})") for x, y, scale, drawn in plain]
    together, whole = (read(png(svg.document(100, 100, "#ffffff", *parts, title=""), width)) for parts in (tiled, groups))
    assert max(ImageChops.difference(together, whole).tobytes()) <= MIXED


SPACED = 8
"""The most pixels by which two renderers may differ in where a line of some 250 begins and ends: they space its letters by themselves."""


@for_each("anchor", ["start", "middle", "end"])
@for_each("scale", [0.5, 1.0])
def test_a_line_of_words_lies_where_it_would_be_rendered(anchor: str, scale: float) -> None:
    line = svg.text((200, 20), "Red & Blue: who is next?", 24, anchor=anchor, fill="#1f2a34")
    # What follows the words has them rendered with the rest of the tile.
    tiles = (svg.tile((0, 10), svg.Box(0, 0, 400, 40), drawn, scale) for drawn in (line, line + svg.circle((0, 0), 0)))
    apart, rendered = (_dark(read(png(svg.document(400, 60, "#ffffff", tile, title=""), 400))) for tile in tiles)
    assert max(abs(one - other) for one, other in zip(apart, rendered, strict=True)) <= SPACED * scale


def _dark(picture: Image.Image) -> tuple[int, int, int, int]:
    found = picture.convert("L").point(lambda grey: 255 * (grey < 128)).getbbox()
    assert found is not None
    return found


def test_a_line_of_words_is_cut_off_at_the_edge_of_its_tile() -> None:
    line = svg.text((10, 10), "more than there is room for", 20, anchor="start", fill="#000000")
    seen = read(png(svg.document(400, 60, "#ffffff", svg.tile((0, 0), svg.Box(0, 0, 100, 8), line), title=""), 400))
    left, top, right, bottom = _dark(seen)
    assert left >= 10
    assert top > 0
    assert 90 <= right <= 100
    assert bottom == 8


@for_each(
    ("texts", "rendered"),
    [
        (("Round 1: Red to play.", "Round 2: Blue to play."), 0),
        (("Runde 1: Grün zieht.", "Гонка 2: синий & красный"), 0),
        (("round one", "سلام عليكم"), 1),
        (("12", "13"), 1),
    ],
)
def test_a_tile_whose_words_alone_change_is_not_rendered_again(texts: tuple[str, str], rendered: int) -> None:
    first, second = (
        svg.document(
            400,
            60,
            "#ffffff",
            svg.tile((0, 30), svg.Box(0, -30, 400, 60), svg.circle((9, 0), 5) + svg.text((20, 0), text, 20, fill="#000000")),
            title="",
        )
        for text in texts
    )
    png(first, 400)
    earlier = picture._tile.cache_info().misses
    assert png(second, 400) != png(first, 400)
    assert picture._tile.cache_info().misses - earlier == rendered


@pytest.mark.parametrize(("moved", "packed"), [(0, 0), (10, 1), (100, 2)])
def test_only_bands_that_change_are_packed(moved: int, packed: int) -> None:
    before, after = (svg.document(256, 256, "#fff0e0", svg.tile((40 + aside, 40 + aside), BOX, RED), title="") for aside in (0, moved))
    png(before, 256)
    earlier = picture._band.cache_info().misses
    assert (png(after, 256) != png(before, 256)) == bool(moved)
    assert picture._band.cache_info().misses - earlier == packed


def test_a_picture_has_more_colours_than_there_is_room_for() -> None:
    stripes = [svg.rect(x, 0, 1, 90, fill=f"#{x:02x}{255 - x:02x}40") for x in range(200)]
    assert len(read(png(svg.document(200, 90, "#ffffff", *stripes, title=""), 200)).getcolors() or ()) > picture.COLOURS / 2


def test_translucent_areas_keep_their_tint() -> None:
    amber, floor = "#f2b01e", "#f4efe4"
    others = [svg.rect(x, 0, 1, 4, fill=f"#{x:02x}{x * 7 % 256:02x}{x * 13 % 256:02x}") for x in range(40, 60)]
    beam = svg.rect(0, 20, 100, 60, fill=amber, opacity=0.42)
    seen = read(png(svg.document(100, 100, floor, *others, beam, title=""), 100)).getpixel((50, 50))
    mixed = [0.42 * int(amber[at : at + 2], 16) + 0.58 * int(floor[at : at + 2], 16) for at in (1, 3, 5)]
    assert isinstance(seen, tuple)
    assert max(abs(one - other) for one, other in zip(seen, mixed, strict=True)) <= MIXED


def test_what_is_alike_but_for_its_title_is_rendered_once() -> None:
    named = (svg.tile((20 * at, 20), BOX, f"<title>{at}</title>{RED}") for at in range(1, 4))
    picture._tile.cache_clear()
    png(svg.document(80, 40, "#ffffff", *named, title=""), 80)
    assert picture._tile.cache_info().misses == 1


def test_dark_pages_change_nothing_in_a_mail() -> None:
    light, dark = (svg.document(90, 90, "#ffffff", title="", dark=colours) for colours in ({}, {"#ffffff": "#000000"}))
    assert png(dark, 90) == png(light, 90)


@pytest.mark.parametrize("text", ["", "<svg", "<html/>"])
def test_what_is_no_svg_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        png(text, 600)
