"""Commands that are imported when somebody calls them, completes them or asks for their help: a line pays for its own command alone."""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

F = TypeVar("F", bound=Callable[..., Any])


class Command(NamedTuple):
    """A command of the root: its place, `module:function` of this package, and the line of help that begins its docstring."""

    place: str
    about: str


class Noun(NamedTuple):
    """A group of commands, and its line of help. With a `place`, the noun without a command is itself one: what stands there."""

    about: str
    commands: "Commands"
    place: str = ""


Commands: TypeAlias = "Mapping[str, str | Command | Noun]"
"""Commands by name, in the order of help. A mere text is the place of a command."""


class _PlainFlags:
    """Help without the type of a flag, which takes no value that could have one."""

    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401  # inherited
        """Return the parameters, that of help too."""
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]  # of the class beside this one
        for one in params:
            if getattr(one, "is_flag", False):
                one.metavar = ""
        return params


class PlainCommand(_PlainFlags, TyperCommand):
    """A command of this program."""


class PlainGroup(_PlainFlags, TyperGroup):
    """A group of commands of this program."""


class Imported(MutableMapping[str, Any]):
    """The commands of a group, for typer: each is made when it is first asked for."""

    def __init__(self, commands: Commands) -> None:
        self._known = dict(commands)
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401  # typer names no public type for a command
        if name not in self._made:
            self._made[name] = _command(name, self._known[name])
        return self._made[name]

    def __setitem__(self, name: str, command: Any) -> None:  # noqa: ANN401  # as above
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        self._known.pop(name, None)
        self._made.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        yield from self._known
        yield from (name for name in self._made if name not in self._known)

    def __len__(self) -> int:
        return len({*self._made, *self._known})


def only_told(commands: Mapping[str, Command | Noun]) -> dict[str, Any]:
    """Return commands that can be listed and not called, by their lines of help alone: nothing is imported for them."""
    # Only the root is listed in this way. The help of a noun imports its commands, which are few, and takes their docstrings.
    return {name: TyperCommand(name, help=what.about) for name, what in commands.items()}


def made_by(cls: type[PlainCommand]) -> Callable[[F], F]:
    """Have typer make a command of this class from a function."""

    def declare(function: F) -> F:
        # The table of commands knows only where a function stands, so the function itself brings its class.
        function.command_class = cls  # type: ignore[attr-defined]  # functions take any attribute
        return function

    return declare


def _command(name: str, what: str | Command | Noun) -> Any:  # noqa: ANN401  # as above
    """Import a command or make a group, as typer makes those that are registered."""
    # Typer alone turns the annotations of a function into options, and only for a command that is registered with it.
    around = typer.Typer()
    match what:
        case Noun(about, commands, place):
            if place:
                # Typer would show the command without brackets, but here it may be left out.
                alone = typer.Typer(cls=PlainGroup, invoke_without_command=True, subcommand_metavar="[COMMAND] [ARGS]...")
                alone.callback()(_function(place))
                around.add_typer(alone, name=name)
            else:
                around.add_typer(typer.Typer(cls=PlainGroup, no_args_is_help=True, help=about), name=name)
            group: Any = get_group(around).commands[name]
            group.commands = Imported(commands)
            return group
        case Command(place) | str(place):
            function = _function(place)
            around.command(name, cls=getattr(function, "command_class", PlainCommand))(function)
            return get_group(around).commands[name]


def _function(place: str) -> Any:  # noqa: ANN401  # any command
    module, _, called = place.partition(":")
    return getattr(import_module(f"turnserver.cli.{module}"), called)
