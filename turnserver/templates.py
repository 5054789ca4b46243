"""The Jinja environment that all mails and pages are rendered in, and the styles of mails."""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import cache
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from jinja2.ext import Extension

from turnserver import resources

_TAG: Final = re.compile(r'<([a-z]+[0-9]?)(?: class="([a-z ]+)")?(?: style="([^"]+)")?(?=[ >{])')
_RULE: Final = re.compile(r"^(\.?[a-z]+[0-9]?) {(.+)}$", re.MULTILINE)


@cache
def environment(**filters: Callable[..., str]) -> Environment:
    """Return the environment of `templates/`. An unknown name is an error, and whatever stands in HTML is escaped.

    Templates have the `filters` by their names.
    """
    made = Environment(
        loader=FileSystemLoader(resources.templates_dir()),
        undefined=StrictUndefined,
        autoescape=select_autoescape(enabled_extensions=("html.j2",)),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        extensions=[_Styled],
    )
    made.policies["json.dumps_kwargs"] = {"default": asdict, "separators": (",", ":")}
    made.filters.update(filters)
    return made


def styled(html: str) -> str:
    """Write the rules of `mail/style.css` into the tags that they are for, because many mail programs ignore style sheets.

    A tag may have classes, of which later ones prevail, and a style of its own, in this order and before anything else. Raise KeyError
    for a class without a rule.
    """
    return _TAG.sub(_with_style, html)


class _Styled(Extension):
    # Once for each template: doing it to each mail took a twentieth of writing one.
    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002  # Jinja gives it
        """Style the HTML of mails as it is loaded."""
        return styled(source) if name and name.startswith("mail/") and name.endswith(".html.j2") else source


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
