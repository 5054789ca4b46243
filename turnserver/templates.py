"""The Jinja environment that all mails and pages are rendered in."""

from collections.abc import Callable, MutableMapping
from dataclasses import asdict
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from jinja2.ext import Extension

from turnserver import resources


class _Environment(Environment):
    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return what every template knows. Jinja's own mapping, which adds to it for one template, takes a fortieth of writing a mail."""
        assert not d  # noqa: S101  # no template is loaded with names of its own
        return self.globals


@cache
def environment(*extensions: type[Extension], **filters: Callable[..., str]) -> Environment:
    """Return the environment of `templates/`. An unknown name is an error, and whatever stands in HTML is escaped.

    Templates have the `filters` by their names, and are changed by the `extensions` as they are loaded.
    """
    made = _Environment(
        loader=FileSystemLoader(resources.templates_dir()),
        undefined=StrictUndefined,
        autoescape=select_autoescape(enabled_extensions=("html.j2",)),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        extensions=extensions,
    )
    made.policies["json.dumps_kwargs"] = {"default": asdict, "separators": (",", ":")}
    made.filters.update(filters)
    return made
