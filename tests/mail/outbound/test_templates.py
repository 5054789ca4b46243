"""Templates and the letters they are filled with: both say the same, and the handbook says it too."""

import re
from collections import Counter
from dataclasses import fields
from functools import cache

import pytest
from jinja2 import meta

from tests.mail.outbound.mails import composed, html, occasions
from turnserver import resources
from turnserver.mail.outbound.compose import LENT
from turnserver.mail.outbound.kinds import FORMS, MailKind
from turnserver.mail.outbound.language import wrap
from turnserver.mail.outbound.letters import LeagueLetter, Letter
from turnserver.templates import environment
from turnserver.tools.template_guide import readme

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
