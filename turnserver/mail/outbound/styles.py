"""Styles of mails: the rules of `templates/mail/style.css`, in the tags that they are for, since many mail programs ignore style sheets."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from jinja2.ext import Extension

from turnserver import resources

_TAG: Final = re.compile(r'<([a-z]+[0-9]?)(?: class="([a-z ]+)")?(?: style="([^"]+)")?(?=[ >{])')
_RULE: Final = re.compile(r"^(\.?[a-z]+[0-9]?) {(.+)}$", re.MULTILINE)


class Styled(Extension):
    """Has Jinja write the rules into each template as it loads it: doing it to each mail took a twentieth of writing one."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002  # Jinja gives it
        """Return HTML with its styles, and any other template as it is."""
        return styled(source) if name and name.endswith(".html.j2") else source


def styled(html: str) -> str:
    """Return HTML, or a template of it, with the rules in its tags.

    A tag may have classes, of which later ones prevail, and a style of its own, in this order and before anything else. Raise KeyError
    for a class without a rule.
    """
    return _TAG.sub(_with_style, html)


def _with_style(tag: re.Match[str]) -> str:
    name, classes, own = tag.groups()
    rules = _rules()
    wanted = dict(rules.get(name, {}))
    for one in (classes or "").split():
        wanted |= rules[f".{one}"]
    wanted |= _declarations(own or "")
    named = f' class="{classes}"' if classes else ""
    style = ";".join(f"{what}:{value}" for what, value in wanted.items())
    return f'<{name}{named} style="{style}"' if style else f"<{name}{named}"


@cache
def _rules() -> Mapping[str, Mapping[str, str]]:
    sheet = (resources.templates_dir() / "mail" / "style.css").read_text(encoding="utf-8")
    return {selector: _declarations(body) for selector, body in _RULE.findall(sheet)}


def _declarations(body: str) -> dict[str, str]:
    parts = (one.partition(":") for one in body.split(";") if one.strip())
    return {what.strip(): value.strip() for what, _, value in parts}
