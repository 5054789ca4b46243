"""Styles of mails stand in their tags."""

import re

import pytest

from tests.mail.outbound.mails import composed, html, occasions
from turnserver import resources
from turnserver.mail.outbound.styles import styled

PARAGRAPH = "margin:0 0 12px"
QUIET = "color:#6d6b64;font-size:13px"
BOX = "margin:0 0 12px;padding:8px 14px 1px;border-radius:8px;background:#e8f1ea;color:#16301f"


@pytest.mark.parametrize(
    ("tag", "with_style"),
    [
        ("<p>", f'<p style="{PARAGRAPH}">'),
        ('<p class="quiet">', f'<p class="quiet" style="{PARAGRAPH};{QUIET}">'),
        ('<p class="quiet record">', '<p class="quiet record" style="margin:0 0 10px;color:#6d6b64;font-size:12px">'),
        ('<span class="quiet">', f'<span class="quiet" style="{QUIET}">'),
        ('<span class="quiet" style="color: red; top: 0" id="a">', '<span class="quiet" style="color:red;font-size:13px;top:0" id="a">'),
        (
            '{% if a %}<div class="do">{% else %}<div>{% endif %}',
            f'{{% if a %}}<div class="do" style="{BOX}">{{% else %}}<div>{{% endif %}}',
        ),
        (
            '<a class="narrow"{% if a %} href="b"{% endif %}>',
            '<a class="narrow" style="color:#1f6b3f;width:60px"{% if a %} href="b"{% endif %}>',
        ),
        ("<br>a < b</p>", "<br>a < b</p>"),
    ],
)
def test_a_tag_gets_the_styles_of_its_name_then_those_of_its_classes_then_its_own(tag: str, with_style: str) -> None:
    assert styled(tag) == with_style


def test_what_has_a_class_has_its_styles() -> None:
    for about in occasions():
        assert re.findall(r'<[a-z0-9]+ class="[^"]*"(?! style=")', html(composed(about))) == [], about


def test_a_class_without_a_rule_is_an_error() -> None:
    with pytest.raises(KeyError, match="loud"):
        styled('<p class="loud">')


def test_rules_are_those_of_the_tags_and_classes_that_mails_have() -> None:
    """And a class stands where it is found: behind the name of its tag, and as it is."""
    folder = resources.templates_dir() / "mail"
    _, *lines = (folder / "style.css").read_text(encoding="utf-8").splitlines()
    sheet = [line.partition(" {")[0] for line in lines]
    assert all(re.fullmatch(r"\.?[a-z]+[0-9]? {.+}", line) for line in lines)
    tags, classes = set[str](), {"code"}  # what `code` writes stands in no template
    for path in folder.rglob("*.html.j2"):
        source = path.read_text(encoding="utf-8")
        found = re.findall(r'<[a-z0-9]+ class="([a-z ]+)"', source)
        assert len(found) == source.count("class="), path
        classes.update(*map(str.split, found))
        tags.update(re.findall(r"<([a-z0-9]+)", source))
    assert {one[1:] for one in sheet if one.startswith(".")} == classes
    assert {one for one in sheet if not one.startswith(".")} <= tags
