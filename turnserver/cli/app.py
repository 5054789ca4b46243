"""The root of the command line: the global options, the commands, and the one place where errors become sentences."""

import os
import re
import signal
import sys
import traceback
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer

import turnserver
from turnserver.cli.commands import COMMANDS
from turnserver.cli.imported import Imported, PlainGroup, only_told
from turnserver.cli.session import Outside, Session
from turnserver.errors import TurnserverError
from turnserver.outside import system_running
from turnserver.text import steady

TRACEBACK = "TURNSERVER_TRACEBACK"
"""The environment variable that shows where an error came from."""

# What somebody has typed or written stands in sentences whole, but nobody reads a number of five thousand digits.
_ENDLESS = re.compile(r"(\S{200})\S{1800,}")

_ENOUGH = 128 + signal.SIGPIPE
"""The exit status that shells give a program whose reader went away, as `head` does."""

_MADE = Imported(COMMANDS)
"""The commands. Each is made once in a process, when it is first asked for."""


class Sentences(PlainGroup):
    """A command line whose every failure is one sentence on the standard error, and never a traceback that nobody asked for.

    The process ends with 1 for what was refused or failed and 2 for a command line that makes no sense. It says nothing and ends with 141
    when nobody reads on.
    """

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401  # inherited
        super().__init__(**attributes)
        self.commands = _MADE

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002  # inherited
        """Return the names of all commands, in the order of help, without importing any."""
        return list(self.commands)

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401  # inherited
        """Print the help of the root, which says a line about each command and needs none of them."""
        # Nothing follows the help, so the group need not get its commands back.
        self.commands = only_told(COMMANDS)
        super().format_help(ctx, formatter)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: ARG002, FBT001, FBT002  # inherited; there is only one way to end
        windows_expand_args: bool = True,  # noqa: FBT001, FBT002  # inherited
        **extra: Any,  # noqa: ANN401  # inherited
    ) -> Any:  # noqa: ANN401  # inherited
        """Run a command line and end the process."""
        if sys.stdin is None:  # closed by whoever started us; what asks gets no answer then
            sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115  # for as long as the process lasts
        # An encoding such as Latin-1 lacks letters of some names. Nothing fails by that: what it lacks is written as `\u0141`.
        if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
            sys.stdout.reconfigure(errors="backslashreplace")
        try:
            code = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)  # noqa: FBT003  # inherited
            # Output that cannot be written fails here, where it still becomes a sentence, and not when Python ends.
            if sys.stdout is not None:
                sys.stdout.flush()
        except (BrokenPipeError, SystemExit) as error:
            # Typer and rich make an end with 1 of it, as if the command had failed. Mail and database have errors of their own for sockets.
            if not isinstance(error, BrokenPipeError) and not isinstance(error.__context__, BrokenPipeError):
                raise
            code = _ENOUGH
            _drop_output()
        # Nobody above would tell the admin anything better. What nobody foresaw is called so, with the way to see where it came from.
        except Exception as error:  # noqa: BLE001
            if os.environ.get(TRACEBACK):
                traceback.print_exception(error)
            if said := sentence(error):
                typer.echo(f"turnserver: {said}", err=True)
            code = getattr(error, "exit_code", 1)
            _drop_output()
        sys.exit(code or 0)


def _drop_output() -> None:
    # Python would try again as it ends, and end in its own words and with a code of its own.
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def sentence(error: Exception) -> str:
    """Return the sentence that tells an admin about an error."""
    match error:
        case TurnserverError():
            said = str(error)
        case typer.TyperException():
            said = _usage(error)
        case typer.Abort():
            said = "Nothing was changed"
        case OSError(filename=str(name), strerror=str(why)):
            said = f"{name}: {why}"
        case OSError(strerror=str(why)):
            said = f"Reading or writing failed: {why}"
        case _:
            kind = type(error).__name__
            said = f"Unexpected error ({kind}: {error}). Set {TRACEBACK}=1 and try again to see where"
    said = _ENDLESS.sub(r"\1...", steady(said).strip())
    # A question or a command at the end needs no full stop.
    return said if not said or said.endswith((".", "?", "!", "`")) else f"{said}."


def _usage(error: typer.TyperException) -> str:
    ctx: typer.Context | None = getattr(error, "ctx", None)
    # Typer has pydantic read options that may be left out, and pydantic puts `Value error` before the words of typer.
    said = " ".join(error.format_message().split()).replace(": Value error, ", ": ")
    if not said or ctx is None:
        return said
    # Typer ends some sentences with a question: Did you mean 'show'?
    return f"{said if said.endswith('?') else said.rstrip('.') + '.'} Try `{ctx.command_path} --help`."


app = typer.Typer(
    name="turnserver",
    cls=Sentences,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:  # noqa: FBT001  # typer hands a flag over by position
    if wanted:
        typer.echo(f"turnserver {turnserver.__version__}")
        raise typer.Exit


@app.callback()
def root(
    ctx: typer.Context,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The configuration file; else the one in TURNSERVER_CONFIG, ./turnserver.toml or /etc/turnserver/turnserver.toml.",
        ),
    ] = None,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")] = False,  # noqa: ARG001, FBT002  # the callback acts on it
) -> None:
    """Play slow board games by mail: set up players and games, see what happened, keep the service running."""
    run = Session(config, ctx.obj if isinstance(ctx.obj, Outside) else Outside(running=system_running))
    ctx.obj = run
    ctx.call_on_close(run.close)
