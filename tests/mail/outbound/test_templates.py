"""Templates and the letters they are filled with: both say the same, and the handbook says it too."""

import re
from collections import Counter
from dataclasses import fields
from functools import cache

import pytest
from jinja2 import meta

from tests.mail.outbound.mails import composed, html, occasions
from turnserver import resources
from turnserver.mail.outbound.kinds import FORMS, MailKind
from turnserver.mail.outbound.language import wrap
from turnserver.mail.outbound.letters import LeagueLetter, Letter
from turnserver.templates import environment, styled
from turnserver.tools.template_guide import LENT, readme

LEAGUES = [kind for kind, form in FORMS.items() if issubclass(form.letter, LeagueLetter)]
ONLY_IN = {
    "txt": set[tuple[MailKind, str]](),
    "html": {
        (MailKind.WELCOME, "reply_to"),
        (MailKind.REFUSAL, "mailto"),
        (MailKind.SETTINGS, "mailto"),
        *((kind, "mailto") for kind in LEAGUES),
    },
}
"""The fields that one of the two forms alone may use: a touch on a phone needs an address, a person who answers does not."""


HANDED_ON = {MailKind.DIGEST: {"game", "happenings"}}
"""The fields that a template hands on under the name by which its parts know it."""


@cache
def closure(name: str) -> set[str]:
    """A template and all that it extends or includes."""
    source = (resources.templates_dir() / name).read_text(encoding="utf-8")
    found = {name}
    for reference in meta.find_referenced_templates(environment(wrap=wrap).parse(source)):
        assert reference is not None
        found |= closure(reference)
    return found


@cache
def undeclared(name: str) -> set[str]:
    source = (resources.templates_dir() / name).read_text(encoding="utf-8")
    return meta.find_undeclared_variables(environment(wrap=wrap).parse(source))


def used(name: str) -> set[str]:
    return {variable for part in closure(name) for variable in undeclared(part)}


@pytest.mark.parametrize(("form", "other"), [("txt", "html"), ("html", "txt")])
def test_a_template_uses_exactly_what_is_documented(form: str, other: str) -> None:
    for kind in MailKind:
        documented = {one.name for one in fields(FORMS[kind].letter)}
        spared = {name for one, name in ONLY_IN[other] if one is kind}
        # what a block inherits from a loop (`speech`), or says to a part (`asked`), is the template's own
        own = {"speech", "asked"} | HANDED_ON.get(kind, set())
        assert used(f"mail/{FORMS[kind].template}.{form}.j2") - own - set(LENT) == documented - spared, kind


def test_no_template_is_left_over() -> None:
    reached = {part for one in FORMS.values() for form in ("txt", "html") for part in closure(f"mail/{one.template}.{form}.j2")}
    templates = resources.templates_dir()
    assert {str(path.relative_to(templates)) for path in (templates / "mail").rglob("*.j2")} == reached


def test_every_page_has_one_main_part_and_tables_of_figures_have_headings() -> None:
    """As programs that read aloud want it."""
    for about in occasions():
        page = html(composed(about))
        assert page.count('role="main"') == 1, about
        tables = re.findall(r"<table(?![^>]*presentation).*?</table>", page, re.DOTALL)
        assert all('scope="col"' in table for table in tables), about


@pytest.mark.parametrize("about", ["preview", "resigning", "refusal with a suggestion"])
def test_what_asks_something_first_has_one_green_box(about: str) -> None:
    page = html(composed(about))
    assert (page.count('class="do"'), page.count("Your move")) == (1, 1)


PARAGRAPH = "margin:0 0 12px"
QUIET = "color:#6d6b64;font-size:13px"
BOX = "margin:0 0 12px;padding:10px 14px 2px;border-radius:8px;background:#e8f1ea;color:#16301f"


@pytest.mark.parametrize(
    ("tag", "with_style"),
    [
        ("<p>", f'<p style="{PARAGRAPH}">'),
        ('<p class="quiet">', f'<p class="quiet" style="{PARAGRAPH};{QUIET}">'),
        ('<p class="quiet tight">', f'<p class="quiet tight" style="margin:0 0 8px;{QUIET}">'),
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
    assert sheet == sorted(sheet, key=lambda one: one.startswith("."))


def test_a_kind_says_who_gets_it_unless_its_letter_does() -> None:
    used = Counter(form.letter for form in FORMS.values())
    assert [kind for kind, form in FORMS.items() if bool(form.to) != (used[form.letter] > 1)] == []


def test_the_handbook_is_up_to_date() -> None:
    assert (resources.templates_dir() / "README.md").read_text(encoding="utf-8") == readme(), "run: make docs"


def test_the_handbook_names_every_variable_of_every_kind() -> None:
    sections = {section.partition("\n")[0]: section for section in readme().split("\n## ")}
    common = {one.name for one in fields(Letter)}
    for kind, form in FORMS.items():
        own = {one.name for one in fields(form.letter)} - common
        assert {name for name in own if f"- `{name}`" in sections[kind]} == own
    assert {name for name in common if f"- `{name}`" in sections["In every mail"]} == common
    assert all(f"- `{name}`" in readme() for name in LENT)
