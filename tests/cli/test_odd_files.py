"""Devices, pipes and closed descriptors where files are expected: a sentence and an exit code, at once."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from tests.cli.club import Club
from turnserver.cli.app import app

TURNSERVER = (sys.executable, "-c", "from turnserver.cli import main; main()")


class Case(NamedTuple):
    """A line that is typed, the exit code, and the sentence; beside what the environment says."""

    line: str
    code: int
    says: str
    environment: tuple[str, ...] = ()


IN_A_SHELL = [
    Case("turnserver games > /dev/full", 1, "failed: No space left on device."),
    Case("turnserver --help > /dev/full", 1, "failed: No space left on device."),
    Case("turnserver game list --json > /dev/full", 1, "failed: No space left on device."),
    Case("turnserver player erase Bob < /dev/null", 1, "turnserver: "),
    Case("turnserver player erase Bob <&-", 1, "turnserver: "),
]
"""The files of the process itself: descriptors, and an output that is written as it ends."""
FIRST_IN_A_SHELL = [IN_A_SHELL[0], *(pytest.param(case, marks=pytest.mark.long) for case in IN_A_SHELL[1:])]
"""A process takes a second to start, so `make test` has the first one."""

NAMED = [
    Case("game list", 1, "There is no configuration file /dev/zero", ("TURNSERVER_CONFIG=/dev/zero",)),
    Case("game list", 1, "TURNSERVER_DATABASE__URL must be", ("TURNSERVER_DATABASE__URL=postgresql+psycopg://u@[::1/x",)),
    Case("game list", 1, "TURNSERVER_WEB__URL must be", ("TURNSERVER_WEB__URL=https://[::1",)),
    Case("league presets /dev/full", 1, "/dev/full cannot be read: it is no plain file."),
    Case("league presets /dev/zero", 1, "/dev/zero cannot be read: it is no plain file."),
    Case("league presets {pipe}", 1, "pipe cannot be read: it is no plain file."),
    Case("game import /dev/zero", 1, "/dev/zero: it is no plain file."),
    Case("game import {pipe}", 1, "pipe: it is no plain file."),
    Case("audit check /dev/zero", 2, "it is no plain file"),
    Case("audit check {pipe}", 2, "it is no plain file"),
    Case("restore /dev/zero --replace", 1, "it is no plain file"),
]


@pytest.mark.parametrize("case", FIRST_IN_A_SHELL, ids=lambda case: case.line)
def test_a_process_gets_a_sentence(club: Club, case: Case) -> None:
    environment = {**os.environ, "TURNSERVER_CONFIG": str(club.config), "COLUMNS": "200"}
    program = Path(club.directory / "turnserver")
    program.write_text(f'#!/bin/sh\nexec "{TURNSERVER[0]}" {TURNSERVER[1]} "{TURNSERVER[2]}" "$@"\n')
    program.chmod(0o755)
    environment["PATH"] = f"{club.directory}:{environment['PATH']}"
    environment.pop("PYTHONUNBUFFERED", None)  # what is buffered is written as Python ends, when nobody catches anything any more
    done = subprocess.run(
        ["/bin/sh", "-c", case.line], cwd=club.directory, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    is_one_sentence(case, done.returncode, done.stderr)


@pytest.mark.timeout(30)
@pytest.mark.parametrize("case", NAMED, ids=lambda case: " ".join((*case.environment, case.line)))
def test_a_file_that_never_ends_is_not_read(club: Club, case: Case) -> None:
    os.mkfifo(club.directory / "pipe")
    environment = {"TURNSERVER_CONFIG": str(club.config), "COLUMNS": "200", **dict(each.split("=", 1) for each in case.environment)}
    line = case.line.format(pipe=club.directory / "pipe").split()
    done = CliRunner().invoke(app, line, env=environment, obj=club.outside)
    is_one_sentence(case, done.exit_code, done.stderr)


def is_one_sentence(case: Case, code: int, said: str) -> None:
    """Check the exit code and the sentence, which is all that is said on the standard error."""
    assert (code, said.count("\n")) == (case.code, 1), said
    assert case.says in said
    assert "nobody foresaw" not in said
