"""The Jinja environment that all mails and pages are rendered in."""

from collections.abc import Callable
from dataclasses import asdict
from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from jinja2.ext import Extension

from turnserver import resources


@cache
def environment(*extensions: type[Extension], **filters: Callable[..., str]) -> Environment:
    """Return the environment of `templates/`. An unknown name is an error, and whatever stands in HTML is escaped.

    Templates have the `filters` by their names, and are changed by the `extensions` as they are loaded.
    """
    made = Environment(
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
