"""The Jinja environment that all mails and pages are rendered in."""

from collections.abc import Callable, Container, Iterator, Mapping, MutableMapping
from dataclasses import asdict
from functools import cache
from typing import Any, Final, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateSyntaxError, meta, nodes, select_autoescape
from jinja2.ext import Extension
from jinja2.runtime import LoopContext

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


_PLAIN: Final = frozenset(name for kind in (str, list, dict, LoopContext) for name in dir(kind))
"""The names that stand behind the dot of a text, a list, a dictionary or the `loop`."""


class _Read(NamedTuple):
    """A template: the parts that it names, the variables that it sets, and with their lines those that it asks for and unknown fields."""

    parts: list[str]
    sets: set[str]
    asks: list[tuple[str, int]]
    fields: list[tuple[str, int]]


def faults(made: Environment, given: Mapping[str, Container[str]], fields: Container[str] | None = None) -> Iterator[str]:
    """Compile templates and their parts in an environment, without rendering any.

    `given` has the names of variables for each template, and `fields` those of the fields of all variables; None looks at no fields.
    Yield what is wrong with each that is missing, cannot be compiled, or asks for a variable or a field that there is not.
    """
    waiting, known = [*given], dict[str, _Read]()
    while waiting:
        name = waiting.pop(0)
        path = resources.templates_dir() / name
        if name in known:
            continue
        known[name] = _Read([], set(), [], [])
        try:
            tree = made.parse(files.read_text(path), name, str(path))
            waiting += filter(None, meta.find_referenced_templates(tree))
            made.compile(tree, name, str(path))
            known[name] = _read(tree, fields)
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


def _read(tree: nodes.Template, known: Container[str] | None) -> _Read:
    names, unset = [*tree.find_all(nodes.Name)], meta.find_undeclared_variables(tree)
    sets = {one.name for one in names if one.ctx != "load"} | {one.name for one in tree.find_all(nodes.Macro)}
    sets |= {name if isinstance(name, str) else name[1] for one in tree.find_all(nodes.FromImport) for name in one.names}
    # `asked | default(false)` asks for nothing
    spared = {id(one.node) for one in tree.find_all(nodes.Filter) if one.name == "default"}
    asks = [(one.name, one.lineno) for one in names if one.name in unset and id(one) not in spared]
    # what a template sets itself, such as a `namespace`, may have any fields
    free = {"self", *(one.target for one in tree.find_all(nodes.Import))}
    free |= {one.target.name for one in tree.find_all(nodes.Assign) if isinstance(one.target, nodes.Name)}
    dots = (one for one in tree.find_all(nodes.Getattr) if not (isinstance(one.node, nodes.Name) and one.node.name in free))
    fields = [(one.attr, one.lineno) for one in dots if known is not None and one.attr not in known and one.attr not in _PLAIN]
    return _Read([*filter(None, meta.find_referenced_templates(tree))], sets, asks, fields)


def _unknown(known: Mapping[str, _Read], name: str, given: tuple[Container[str], ...]) -> Iterator[str]:
    """Yield the variables that a template or a part of it asks for although nothing gives or sets them, and fields that there are not."""
    whole = [name]
    # the list grows while it is gone through
    for one in whole:
        whole += [part for part in known[one].parts if part not in whole]
    # a part may get a variable from a loop or an assignment around it
    given = (*given, {variable for one in whole for variable in known[one].sets})
    for one in whole:
        path, read = resources.templates_dir() / one, known[one]
        for variable, line in read.asks:
            if not any(variable in names for names in given):
                yield f"{path}, line {line}: there is no variable {variable}"
        yield from (f"{path}, line {line}: no variable has a field {field}" for field, line in read.fields)
