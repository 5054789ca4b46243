"""Devices, pipes and closed descriptors where files are expected: a sentence and an exit code, at once."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.club import Club

TURNSERVER = (sys.executable, "-c", "from turnserver.cli import main; main()")


class Case(NamedTuple):
    """What a shell is given, with `turnserver` for the program; the exit code, and what is said."""

    line: str
    code: int
    says: str


CASES = [
    Case("turnserver games > /dev/full", 1, "cannot be: No space left on device."),
    Case("turnserver --help > /dev/full", 1, "cannot be: No space left on device."),
    Case("turnserver game list --json > /dev/full", 1, "cannot be: No space left on device."),
    Case("turnserver player erase Bob < /dev/null", 1, "turnserver: "),
    Case("turnserver player erase Bob <&-", 1, "turnserver: "),
    Case("TURNSERVER_CONFIG=/dev/zero turnserver game list", 1, "There is no configuration file /dev/zero"),
    Case("TURNSERVER_DATABASE__URL=postgresql+psycopg://u@[::1/x turnserver game list", 1, "TURNSERVER_DATABASE__URL must be"),
    Case("TURNSERVER_WEB__URL=https://[::1 turnserver game list", 1, "TURNSERVER_WEB__URL must be"),
    Case("turnserver league presets /dev/full", 1, "/dev/full cannot be read: it is no plain file."),
    Case("turnserver league presets /dev/zero", 1, "/dev/zero cannot be read: it is no plain file."),
    Case("turnserver league presets $PWD/pipe", 1, "pipe cannot be read: it is no plain file."),
    Case("turnserver game import /dev/zero", 1, "/dev/zero: it is no plain file."),
    Case("turnserver game import pipe", 1, "pipe: it is no plain file."),
    Case("turnserver audit check /dev/zero", 2, "it is no plain file"),
    Case("turnserver audit check pipe", 2, "it is no plain file"),
    Case("turnserver restore /dev/zero --replace", 1, "it is no plain file"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.line)
def test_it_gets_a_sentence_at_once(club: Club, case: Case) -> None:
    os.mkfifo(club.directory / "pipe")
    environment = {**os.environ, "TURNSERVER_CONFIG": str(club.config), "COLUMNS": "200"}
    program = Path(club.directory / "turnserver")
    program.write_text(f'#!/bin/sh\nexec "{TURNSERVER[0]}" {TURNSERVER[1]} "{TURNSERVER[2]}" "$@"\n')
    program.chmod(0o755)
    environment["PATH"] = f"{club.directory}:{environment['PATH']}"
    environment.pop("PYTHONUNBUFFERED", None)  # what is buffered is written as Python ends, when nobody catches anything any more
    done = subprocess.run(
        ["/bin/sh", "-c", case.line], cwd=club.directory, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (case.code, 1), done
    assert case.says in done.stderr
    assert "nobody foresaw" not in done.stderr
