"""Run tests in copies of the tree, never in the tree itself."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

from tests.mutants.table import ROOT, Mutant, NotFoundError, place

COPIED: Final = ("turnserver", "tests", "templates", "events", "config", "pyproject.toml", "README.md", "Makefile", "CHANGELOG.md")
"""The files that the tests and the program read."""

LIMIT: Final = 120
"""The seconds that the tests of one mutant may take. A mutant that makes them hang is noticed by that."""

BASELINE_LIMIT: Final = 900

_FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (\S+::.+?)(?: - .*)?$", re.MULTILINE)


class Verdict(StrEnum):
    """The fate of a mutant. `BROKEN`: the tests could not be collected, or there are none, so nothing is proved."""

    KILLED = "killed"
    SURVIVED = "survived"
    NOT_FOUND = "not found"
    BROKEN = "broken"


class Outcome(NamedTuple):
    """The fate of a mutant, after how many seconds, and by which test or for which reason."""

    mutant: Mutant
    verdict: Verdict
    seconds: float
    why: str

    @property
    def is_good(self) -> bool:
        """Return whether the table promises this."""
        wanted = Verdict.SURVIVED if self.mutant.survives else Verdict.KILLED
        return self.verdict is wanted


class Ended(NamedTuple):
    """The end of a run of pytest; `code` is None if it took too long."""

    code: int | None
    output: str


def copy_tree(directory: Path, source: Path = ROOT) -> Path:
    """Copy what the tests need into a directory, and return that."""
    for name in COPIED:
        if (source / name).is_dir():
            shutil.copytree(source / name, directory / name, ignore=shutil.ignore_patterns(".*"))
        elif (source / name).exists():
            shutil.copy2(source / name, directory / name)
    return directory


def pytest(tree: Path, arguments: Sequence[str], *, limit: float, workers: int = 0, keep_bytecode: bool = False) -> Ended:
    """Run tests in a copy of the tree, with PostgreSQL left out. Stop them, and whatever they have started, after `limit` seconds."""
    # the bytecode of a mutant must not outlive it
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "" if keep_bytecode else "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "tests.mutants.from_here"]
    command += ["-n", str(workers), "--dist", "worksteal", "-k", "not postgresql", *arguments]
    with subprocess.Popen(
        command, cwd=tree, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as process:
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            return Ended(None, output)
    return Ended(process.returncode, output)


def try_out(tree: Path, mutant: Mutant) -> Outcome:
    """Put a mutant into a copy of the tree, run its tests there, and take it out again."""
    began = monotonic()
    try:
        where = place(mutant, tree)
    except NotFoundError as error:
        return Outcome(mutant, Verdict.NOT_FOUND, 0, str(error))
    file = tree / where.path
    before, stat = file.read_bytes(), file.stat()
    try:
        compile(where.changed, str(where.path), "exec")
        file.write_text(where.changed, "utf-8")
        ended = pytest(tree, mutant.tests, limit=LIMIT)
    except SyntaxError as error:
        return Outcome(mutant, Verdict.BROKEN, 0, f"it is no Python: {error}")
    finally:
        file.write_bytes(before)
        os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    return Outcome(mutant, *_judged(ended, began))


def _judged(ended: Ended, began: float) -> tuple[Verdict, float, str]:
    seconds = monotonic() - began
    match ended.code:
        case None:
            return Verdict.KILLED, seconds, f"hangs: {LIMIT} seconds were not enough"
        case 0:
            return Verdict.SURVIVED, seconds, "all its tests passed"
        case 1:
            found = _FAILED.search(ended.output)
            return Verdict.KILLED, seconds, found[1] if found else "a test failed"
        case code:
            return Verdict.BROKEN, seconds, f"pytest exit {code}: {' '.join(ended.output.split()[-30:])}"
