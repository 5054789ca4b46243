"""The Jinja environment that all mails and pages are rendered in."""

from collections.abc import Callable, Iterable, Iterator, MutableMapping
from dataclasses import asdict
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateSyntaxError, meta, select_autoescape
from jinja2.ext import Extension

from turnserver import files, resources


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


def faults(made: Environment, names: Iterable[str]) -> Iterator[str]:
    """Compile templates and their parts in an environment. Yield what is wrong with each that is missing or cannot be compiled."""
    waiting, looked_at = [*names], set[str]()
    while waiting:
        name = waiting.pop(0)
        path = resources.templates_dir() / name
        if name in looked_at:
            continue
        looked_at.add(name)
        try:
            tree = made.parse(files.read_text(path), name, str(path))
            waiting += filter(None, meta.find_referenced_templates(tree))
            made.compile(tree, name, str(path))
        except TemplateSyntaxError as error:
            yield f"{path}, line {error.lineno}: {str(error.message).rstrip('.')}"
        except UnicodeDecodeError:
            yield f"{path} is not UTF-8 text"
        except OSError as error:
            yield f"{path} is missing" if isinstance(error, FileNotFoundError) else f"{path} cannot be read: {error.strerror}"
        except KeyError as error:
            # styles are written into the tags of mails before they are compiled
            yield f"{path}: there is no rule in mail/style.css for {error}"
