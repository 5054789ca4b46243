"""The drawing kit."""

import copy
from collections.abc import Callable

import pytest

from tests.cases import for_each
from turnserver.rules import svg
from turnserver.text import retold, say


@for_each(
    ("drawn", "expected"),
    [
        (svg.number(1), "1"),
        (svg.number(1.005), "1"),
        (svg.number(-0.001), "0"),
        (svg.number(1234.5678), "1234.57"),
        (svg.rect(0, 1, 2, 3.5, rx=1), '<rect x="0" y="1" width="2" height="3.5" rx="1"/>'),
        (svg.circle((1, 2), 3, stroke_width=2), '<circle cx="1" cy="2" r="3" stroke-width="2"/>'),
        (svg.polygon(((0, 0), (1.5, 2)), fill="none"), '<polygon points="0,0 1.5,2" fill="none"/>'),
        (
            svg.tile((10, 20), svg.around(4), svg.circle(svg.ORIGIN, 3), 0.5),
            '<svg x="8" y="18" width="4" height="4" viewBox="-4 -4 8 8"><circle cx="0" cy="0" r="3"/></svg>',
        ),
        (svg.reaching([(6, -8)], 1), svg.Box(-1, -9, 8, 10)),
        (svg.reaching([(6, -8), (-2, 3)], 1), svg.Box(-3, -9, 10, 13)),
        (svg.group(svg.rect(0, 0, 1, 1), opacity=0.5), '<g opacity="0.5"><rect x="0" y="0" width="1" height="1"/></g>'),
        (
            svg.text((10, 20), "<R & B>", 10),
            '<text x="10" y="23.6" font-family="DejaVu Sans" font-size="10" text-anchor="middle">&lt;R &amp; B&gt;</text>',
        ),
        (svg.element("a", href="\"<&'"), '<a href="&quot;&lt;&amp;\'"/>'),
        (
            svg.document(20, 10, "#ffffff", svg.rect(1, 1, 2, 2), title="1 < 2"),
            """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" width="20" height="10" role="img"><title>1 &lt; 2</title>\
<rect x="0" y="0" width="20" height="10" fill="#ffffff"/><rect x="1" y="1" width="2" height="2"/></svg>""",
        ),
    ],
)
def test_what_is_drawn(drawn: object, expected: object) -> None:
    assert drawn == expected


class Shouting:
    """A language that needs marks which pictures must not have as they are."""

    key = "loud"

    def template(self, template: str, plural: str, number: int) -> str:  # noqa: ARG002  # the interface has them
        return f"<&{template.upper()}>" if template == "to move" else template


def picture(words: str) -> str:
    return svg.document(9, 9, "#ffffff", svg.group(svg.text((1, 2), words, 10)), svg.rect(0, 0, 1, 1), title=words)


def test_a_picture_is_told_in_another_language_and_escaped_there() -> None:
    drawn = picture(say("to move"))
    assert drawn == picture("to move")
    assert retold(drawn, Shouting()) == picture("<&TO MOVE>")
    assert "<title>&lt;&amp;TO MOVE&gt;</title>" in retold(drawn, Shouting())


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy])
def test_a_copy_of_lettering_can_be_told_too(again: Callable[[str], str]) -> None:
    assert retold(again(svg.text((1, 2), say("to move"), 10)), Shouting()) == svg.text((1, 2), "<&TO MOVE>", 10)


def test_plain_words_make_a_plain_picture() -> None:
    assert type(picture("to move")) is str


def test_a_line_is_as_small_as_its_room_in_each_language() -> None:
    drawn = svg.text((0, 0), say("to move"), 10, room=7 * 10 * svg.LETTER)
    assert 'font-size="10"' in drawn
    assert 'font-size="7"' in retold(drawn, Shouting())
    assert 'font-size="10"' in svg.text((0, 0), "", 10, room=1)


def test_a_legend_has_as_many_rows_as_its_marks_need_and_room_for_longer_words() -> None:
    marks = [svg.Mark(svg.circle((0, 0), 20), words) for words in ("stone", "a mark with many words", "another of the same kind", "last")]
    drawn, end = svg.legend(marks, 100, "#000000")
    rows = [float(tile.split('y="')[1].split('"')[0]) for tile in drawn.split("<svg ")[1:]]
    assert (rows[0], rows[2]) == (rows[1], rows[3])
    assert 100 == rows[0] < rows[2] < end
    assert svg.legend(marks[:1], 100, "#000000")[1] < end


def test_a_picture_has_other_colours_on_dark_pages() -> None:
    drawn = svg.document(9, 9, "#ffffff", title="", dark={"#ffffff": "#000000"})
    assert "@media (prefers-color-scheme: dark){[fill='#ffffff']{fill:#000000}[stroke='#ffffff']{stroke:#000000}}" in drawn
    assert "prefers-color-scheme" not in svg.document(9, 9, "#ffffff", title="")
