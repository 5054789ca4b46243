"""What `doctor` says of variables in templates of a site's own: nothing where they can be rendered, and the fault where they cannot."""

from pathlib import Path
from typing import NamedTuple

import pytest
from jinja2 import TemplateError

from turnserver import resources, templates


class Case(NamedTuple):
    """A template, and what it may name `part`; `doctor` says `says` of them, and Jinja renders them if that is nothing."""

    page: str
    says: tuple[str, ...] = ()
    part: str = "{{ row }}"


GIVEN = {"title": "Club", "rows": [4, 2]}
LIB = "{% macro bold(x) %}{% if caller is defined %}{{ caller() }}{% endif %}<b>{{ x }}</b>{{ varargs }}{% endmacro %}"
LAYOUT = "{% block top %}{{ title }}{% endblock %}{% block body %}{% endblock %}"
CASES = {
    "given": Case("{{ title }}{% for one in rows %}{{ loop.index }}{{ one.bit_length() }}{% endfor %}"),
    "tested": Case("{% if own is defined %}{{ own }}{% endif %}"),
    "tested the other way": Case("{% if own is undefined %}-{% else %}{{ own.name }}{% endif %}"),
    "tested in one line": Case("{{ own if own is defined else title }}{{ own is defined and own }}{{ own is not defined or own }}"),
    "tested around a part": Case("{% if own is defined %}{% include 'part' %}{% endif %}", part="{{ own }}"),
    "a short default": Case("{{ own | d('') }}{{ own | d | upper }}{% if own | d(false) %}{{ own }}{% endif %}"),
    "a default": Case("{{ own | default('') }}{% include 'part' %}", part="{{ other | default(title) }}"),
    "set": Case("{% set row = title %}{{ row }}{% include 'part' %}"),
    "set for a part": Case("{% for row in rows %}{% include 'part' %}{% endfor %}"),
    "lent to a part": Case("{% with row = 1 %}{% include 'part' %}{% endwith %}"),
    "imported": Case("{% import 'lib' as lib %}{{ lib.bold(title) }}{% call lib.bold(1, 2) %}{{ title }}{% endcall %}"),
    "imported for a block": Case("{% import 'lib' as lib %}{% block body %}{{ lib.bold(title) }}{% endblock %}"),
    "imported for a child's block": Case("{% extends 'layout' %}{% import 'lib' as lib %}{% block body %}{{ lib.bold(1) }}{% endblock %}"),
    "imported for a part": Case("{% import 'lib' as lib %}{% include 'part' %}", part="{{ lib.bold(title) }}"),
    "taken from a part": Case("{% from 'lib' import bold, bold as fat %}{% block body %}{{ bold(1) }}{{ fat(2) }}{% endblock %}"),
    "a macro for a block": Case("{% macro told() %}-{% endmacro %}{% block body %}{{ told() }}{% endblock %}"),
    "a namespace": Case("{% with ns = namespace(n=0) %}{% set ns.n = 1 %}{{ ns.n }}{% endwith %}"),
    "a namespace for a macro": Case("{% macro told(it) %}{{ it.n }}{% endmacro %}{{ told(namespace(n=0)) }}{{ told.arguments }}"),
    "dictionaries": Case("{% for row in [{'tint': 1}] %}{{ row.tint }}{% endfor %}{{ dict(hue=1).hue }}{{ {'hue': 1}.hue }}"),
    "groups": Case("{% for one in [{'a': 1}] | groupby('a') %}{{ one.grouper }}{{ one.list }}{% endfor %}"),
    "layouts": Case("{% extends 'layout' %}{% block top %}{{ super() }}{{ self.body() }}{% endblock %}", part=""),
    "layouts above": Case(
        "{% extends 'part' %}{% block top %}{{ super.super() }}{% endblock %}", part="{% extends 'layout' %}{% block top %}{% endblock %}"
    ),
    "put away": Case("{% if false %}{{ gone }}{% include 'gone' %}{% elif 0 %}{{ gone }}{% else %}{{ title }}{% endif %}"),
    "parts that may be missing": Case("{% include 'gone' ignore missing %}{% include ['lost', 'layout'] %}"),
    "not given": Case("{{ title }}\n{{ own.name }}", ("page, line 2: there is no variable own",)),
    "not given to a macro": Case("{% macro one() %}{{ own }}{% endmacro %}{{ one() }}", ("page, line 1: there is no variable own",)),
    "not given to a part": Case("{% include 'part' %}", ("part, line 1: there is no variable row",)),
    "another is tested": Case("{% if ovn is defined %}-{% else %}{{ own }}{% endif %}", ("page, line 1: there is no variable own",)),
    "another test": Case("{% if own is even %}-{% endif %}", ("page, line 1: there is no variable own",)),
    "another filter": Case("{{ own | upper }}", ("page, line 1: there is no variable own",)),
    "never put away": Case("{% if true %}{{ own }}{% endif %}", ("page, line 1: there is no variable own",)),
    "not put away": Case("{% if false %}-{% else %}{{ own }}{% endif %}", ("page, line 1: there is no variable own",)),
    "set where it is put away": Case("{% if false %}{% set own = 1 %}{% endif %}{{ own }}", ("page, line 1: there is no variable own",)),
    "a missing part": Case("{% include 'gone' %}", ("gone is missing",)),
    "a part that may be missing": Case("{% include ['part', 'gone'] ignore missing %}", ("part, line 1: there is no variable row",)),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_says_what_cannot_be_rendered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: Case) -> None:
    for name, text in {"page": case.page, "part": case.part, "lib": LIB, "layout": LAYOUT}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(resources, "templates_dir", lambda: tmp_path)
    made = templates.environment.__wrapped__()
    said = tuple(fault.removeprefix(f"{tmp_path}/") for fault in templates.faults(made, {"page": frozenset(GIVEN)}))
    try:
        made.get_template("page").render(GIVEN)
        rendered = True
    except TemplateError:
        rendered = False
    assert (said, rendered) == (case.says, not case.says)
