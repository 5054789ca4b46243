"""Write the reference of the command line in Markdown, made from the commands: `make docs`."""

import types
from collections.abc import Iterator
from datetime import datetime
from inspect import cleandoc
from pathlib import Path
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec
import typer
from msgspec import Meta
from typer.core import TyperGroup
from typer.main import get_command

FILE = Path(__file__).parents[1] / "cli" / "CLI.md"

_PREFACE = """\
# The turnserver command

Made by `make docs` from the commands themselves. `turnserver COMMAND --help` says the same in the
terminal.

A command ends with 0 when it has done what it says, with 1 when it was refused or failed, with 2 when the command line makes no sense, and
with 141, without a word, when nobody reads on. What went wrong is one sentence on the standard error. With TURNSERVER_TRACEBACK=1 in the
environment, the place in the program comes first.

Players are named by number, name or mail address, games by number. Commands that cannot be undone ask first unless there is a `--yes`.
Times are in the zone of the setting `site.zone`; in JSON they are in UTC, as `2026-11-24T08:00:00Z`.

`turnserver --install-completion` teaches your shell to complete commands, options, games and players."""

_WORDS = {str: "text", int: "number", float: "number", bool: "true or false", datetime: "instant", types.NoneType: "null"}


class Documented(NamedTuple):
    """A command as the reference shows it. `shape` is what it prints with --json, None if it prints none."""

    path: str
    help: str
    usage: str
    parameters: tuple[tuple[str, str], ...]
    shape: Any


def commands(app: typer.Typer) -> tuple[Documented, ...]:
    """Every command and group that is not hidden, in the order of their registration; the root first."""
    return tuple(_walk(get_command(app), None, "turnserver"))


def reference(app: typer.Typer) -> str:
    """The whole reference."""
    every = commands(app)
    lines = [_PREFACE, ""]
    for one in every:
        lines += [f"## {one.path}", "", one.help, "", f"    {one.usage}", ""]
        lines += [f"- `{name}`: {text}" for name, text in one.parameters]
        if one.shape is not None:
            lines += ["", f"With `--json` it prints {_phrase(one.shape)}."]
        lines.append("")
    lines += ["# What --json prints", ""]
    for shape in shapes(every):
        lines += [f"## {shape.__name__}", "", cleandoc(shape.__doc__ or ""), ""]
        lines += [f"- `{name}` ({_phrase(hint)}): {text}" for name, hint, text in keys(shape)]
        lines.append("")
    return "\n".join(lines)


def shapes(every: tuple[Documented, ...]) -> tuple[type[msgspec.Struct], ...]:
    """Every structure that is printed by a command, or part of one that is, each once."""
    found: dict[type[msgspec.Struct], None] = {}
    for one in every:
        for shape in _structures(one.shape):
            found.setdefault(shape)
    return tuple(found)


def keys(shape: type[msgspec.Struct]) -> Iterator[tuple[str, Any, str]]:
    """Name, type and description of each key; the description is empty if there is none."""
    for name, hint in get_type_hints(shape, include_extras=True).items():
        described = [meta.description for meta in getattr(hint, "__metadata__", ()) if isinstance(meta, Meta)]
        yield name, get_args(hint)[0] if described else hint, (described or [""])[-1] or ""


def _walk(command: Any, parent: typer.Context | None, name: str) -> Iterator[Documented]:  # noqa: ANN401  # typer names no public type for it
    ctx = typer.Context(command, parent=parent, info_name=name)
    parameters = [param for param in command.get_params(ctx) if param.name != "help"]
    yield Documented(
        path=ctx.command_path,
        help=cleandoc(command.help or ""),
        usage=" ".join((ctx.command_path, *command.collect_usage_pieces(ctx))),
        parameters=tuple(_described(param, ctx) for param in parameters if not param.hidden),
        shape=getattr(command.callback, "json_shape", None),
    )
    if isinstance(command, TyperGroup):
        for child_name, child in command.commands.items():
            if not child.hidden:
                yield from _walk(child, ctx, child_name)


def _described(param: Any, ctx: typer.Context) -> tuple[str, str]:  # noqa: ANN401  # typer names no public type for it
    shown, text = param.get_help_record(ctx)
    return shown.partition(" <")[0] if param.param_type_name == "argument" else shown, " ".join(text.split())


def _structures(shape: Any) -> Iterator[type[msgspec.Struct]]:  # noqa: ANN401  # a type expression
    if isinstance(shape, type) and issubclass(shape, msgspec.Struct):
        yield shape
        for _, hint, _ in keys(shape):
            yield from _structures(hint)
    for part in get_args(shape):
        yield from _structures(part)


def _phrase(hint: Any) -> str:  # noqa: ANN401  # a type expression
    origin, parts = get_origin(hint), get_args(hint)
    if origin in {list, tuple}:
        return f"a list of {_phrase(parts[0])}"
    if origin is dict:
        return f"an object of {_phrase(parts[1])}"
    if origin in {Union, types.UnionType}:
        return " or ".join(_phrase(part) for part in parts)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return f"[{hint.__name__}](#{hint.__name__.lower()})"
    return _WORDS.get(hint, "a value")


if __name__ == "__main__":
    from turnserver.cli.app import app

    FILE.write_text(reference(app), encoding="utf-8")
