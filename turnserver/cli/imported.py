"""Commands that are imported when somebody calls them, completes them or asks for their help: a line pays for its own command alone."""

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.main import get_group

Commands = Mapping[str, "str | Noun"]
"""Commands by name, in the order of help. A command is `module:function`, the module being one of this package."""


class Noun(NamedTuple):
    """A group of commands: where its `typer.Typer` is, as `module:name`, and the commands that it has besides those it comes with."""

    place: str
    commands: Commands


class Imported(MutableMapping[str, Any]):
    """The commands of a group, for typer: those that the group came with, and those that are made when they are first asked for."""

    def __init__(self, commands: Commands, made: Mapping[str, Any] | None = None) -> None:
        self._places = dict(commands)
        self._made = dict(made or {})

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401  # typer names no public type for a command
        if name not in self._made:
            self._made[name] = _command(name, self._places[name])
        return self._made[name]

    def __setitem__(self, name: str, command: Any) -> None:  # noqa: ANN401  # as above
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        self._places.pop(name, None)
        self._made.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        yield from (name for name in self._made if name not in self._places)
        yield from self._places

    def __len__(self) -> int:
        return len({*self._made, *self._places})


def _command(name: str, what: "str | Noun") -> Any:  # noqa: ANN401  # as above
    """Import a command or a group, and let typer make of it what it makes of one that is registered."""
    around = typer.Typer()
    if isinstance(what, str):
        around.command(name)(_find(what))
        return get_group(around).commands[name]
    around.add_typer(_find(what.place), name=name)
    group: Any = get_group(around).commands[name]
    group.commands = Imported(what.commands, group.commands)
    return group


def _find(place: str) -> Any:  # noqa: ANN401  # a function or a Typer
    module, _, name = place.partition(":")
    return getattr(import_module(f"turnserver.cli.{module}"), name)
