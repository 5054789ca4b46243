"""The Jinja environment that all mails and pages are rendered in."""

from collections.abc import Callable, Container, Iterator, Mapping, MutableMapping
from dataclasses import asdict
from functools import cache
from typing import Any, Final, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateSyntaxError, meta, nodes, select_autoescape
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


_SPARING: Final = frozenset({"defined", "undefined", "default", "d"})
"""The tests and filters that take a variable that there is not."""


class _Read(NamedTuple):
    """A template: the parts that it names, the variables that it sets or can do without, and those that it asks for, with their lines."""

    parts: list[str]
    has: set[str]
    asks: list[tuple[str, int]]


def parse(made: Environment, name: str) -> nodes.Template:
    """Return the tree of a template without what stands in `{% if false %}`, which is never rendered.

    Raise OSError, UnicodeDecodeError, or TemplateSyntaxError.
    """
    path = resources.templates_dir() / name
    tree = made.parse(files.read_text(path), name, str(path))
    for one in tree.find_all(nodes.If):
        if isinstance(one.test, nodes.Const) and not one.test.value:
            one.body = []
    return tree


def faults(made: Environment, given: Mapping[str, Container[str]]) -> Iterator[str]:
    """Compile templates and their parts in an environment, without rendering any.

    `given` has the names of variables for each template.
    Yield what is wrong with each that is missing, cannot be compiled, or asks for a variable that there is not.
    """
    waiting, known = [*given], dict[str, _Read]()
    while waiting:
        name = waiting.pop(0)
        path = resources.templates_dir() / name
        if name in known:
            continue
        known[name] = _Read([], set(), [])
        try:
            tree = parse(made, name)
            waiting += _parts(tree)
            made.compile(tree, name, str(path))
            known[name] = _read(tree)
        except TemplateSyntaxError as error:
            yield f"{path}, line {error.lineno}: {str(error.message).rstrip('.')}"
        except UnicodeDecodeError:
            yield f"{path} is not UTF-8 text"
        except OSError as error:
            yield f"{path} is missing" if isinstance(error, FileNotFoundError) else f"{path} cannot be read: {error.strerror}"
        except KeyError as error:
            # styles are written into the tags of mails before they are compiled
            yield f"{path}: there is no rule in mail/style.css for {error}"
    # many templates share a part, and a mistake in it is told once
    always = {*made.globals}
    yield from dict.fromkeys(fault for name, names in given.items() for fault in _unknown(known, name, (always, names)))


def _read(tree: nodes.Template) -> _Read:
    names, unset = [*tree.find_all(nodes.Name)], meta.find_undeclared_variables(tree)
    has = {one.name for one in names if one.ctx != "load"} | {one.name for one in tree.find_all(nodes.Macro)}
    has |= {one.target for one in tree.find_all(nodes.Import)}
    has |= {name if isinstance(name, str) else name[1] for one in tree.find_all(nodes.FromImport) for name in one.names}
    # `{% if asked is defined %}` may have `asked` anywhere behind it, also in a part
    guarded = (one.node for one in tree.find_all((nodes.Filter, nodes.Test)) if one.name in _SPARING)
    has |= {one.name for one in guarded if isinstance(one, nodes.Name)}
    return _Read(_parts(tree), has, [(one.name, one.lineno) for one in names if one.name in unset])


def _parts(tree: nodes.Template) -> list[str]:
    """Return the names of the templates that one refers to, without those that are missing and may be."""
    spare = (one for one in tree.find_all(nodes.Include) if one.ignore_missing or not isinstance(one.template, nodes.Const))
    gone = {name.value for one in spare for name in one.find_all(nodes.Const) if not (resources.templates_dir() / str(name.value)).exists()}
    return [name for name in meta.find_referenced_templates(tree) if name and name not in gone]


def _unknown(known: Mapping[str, _Read], name: str, given: tuple[Container[str], ...]) -> Iterator[str]:
    """Yield the variables that a template or a part of it asks for although nothing gives or sets them."""
    whole = [name]
    # the list grows while it is gone through
    for one in whole:
        whole += [part for part in known[one].parts if part not in whole]
    # a part may get a variable from a loop or an assignment around it
    given = (*given, {variable for one in whole for variable in known[one].has})
    for one in whole:
        path, read = resources.templates_dir() / one, known[one]
        for variable, line in read.asks:
            if not any(variable in names for names in given):
                yield f"{path}, line {line}: there is no variable {variable}"
