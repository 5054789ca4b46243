"""The drawing kit."""

import pytest

from turnserver.rules import svg


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        (svg.number(1), "1"),
        (svg.number(1.005), "1"),
        (svg.number(-0.001), "0"),
        (svg.number(1234.5678), "1234.57"),
        (svg.rect(0, 1, 2, 3.5, rx=1), '<rect x="0" y="1" width="2" height="3.5" rx="1"/>'),
        (svg.circle((1, 2), 3, stroke_width=2), '<circle cx="1" cy="2" r="3" stroke-width="2"/>'),
        (svg.polygon(((0, 0), (1.5, 2)), fill="none"), '<polygon points="0,0 1.5,2" fill="none"/>'),
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
def test_what_is_drawn(drawn: str, expected: str) -> None:
    assert drawn == expected
