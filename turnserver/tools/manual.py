"""Write the manual page of the command line and the completion scripts of shells, made from the commands: `make docs`.

A wheel installs them under `share`, where `man` and the shells look for them.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import typer

from turnserver.tools.command_reference import Documented, commands

SHARE: Final = Path(__file__).parents[1] / "cli" / "share"

SCRIPTS: Final = {"bash": "turnserver.bash", "zsh": "_turnserver", "fish": "turnserver.fish"}
"""The file of each shell's completion script."""

_NAME: Final = "turnserver \\- play slow board games by mail"
_PREFACE: Final = (
    "A command ends with 0 when it has done what it says, with 1 when it was refused or failed, with 2 when the command line makes no "
    "sense, and with 141, without a word, when nobody reads on. What went wrong is one sentence on the standard error. Players are named "
    "by number, name or mail address, games by number. Commands that cannot be undone ask first unless there is a `--yes`."
)
_MARKED: Final = re.compile(r"`([^`]+)`")


def page(app: typer.Typer) -> str:
    """Return the manual page, in the macros of man(7)."""
    every = commands(app)
    lines = [".TH TURNSERVER 1", ".SH NAME", _NAME, ".SH SYNOPSIS", ".B turnserver", "[OPTIONS] COMMAND [ARGS]...", ".SH DESCRIPTION"]
    lines += [_text(every[0].help), ".PP", _text(_PREFACE), ".SH OPTIONS", *_parameters(every[0]), ".SH COMMANDS"]
    for one in every[1:]:
        lines += [f".SS {_text(one.path)}", f".B {_text(one.usage)}", ".PP", *_paragraphs(one.help), *_parameters(one)]
    return "\n".join(lines) + "\n"


def script(shell: str) -> str:
    """Return the completion script of a shell, as the program itself shows it."""
    asked = {**os.environ, "_TURNSERVER_COMPLETE": f"source_{shell}"}
    program = (sys.executable, "-c", "from turnserver.cli import main; main()")
    done = subprocess.run(program, env=asked, capture_output=True, text=True, check=True)  # noqa: S603  # our own program
    return f"{done.stdout.strip()}\n"


def _parameters(one: Documented) -> Iterator[str]:
    for name, text in one.parameters:
        yield from (".TP", f".B {_text(name)}", _text(text))


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in text.split("\n\n"):
        yield from (_text(paragraph), ".PP")


def _text(text: str) -> str:
    """Return text with commands in bold, and nothing in it that means something else to man."""
    plain = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    marked = _MARKED.sub(r"\\fB\1\\fR", plain)
    # A line that begins with one of these would be a macro.
    return f"\\&{marked}" if marked.startswith((".", "'")) else marked


if __name__ == "__main__":
    from turnserver.cli.app import app

    SHARE.mkdir(exist_ok=True)
    (SHARE / "turnserver.1").write_text(page(app), encoding="utf-8")
    for shell, name in SCRIPTS.items():
        (SHARE / name).write_text(script(shell), encoding="utf-8")
