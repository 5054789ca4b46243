"""`make scale`: a million events, verified and played again, and how long that takes against reading and digesting them alone."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final, NamedTuple

from tests.bench.club import settings
from tests.scale.filling import fill
from turnserver.service.service import Service
from turnserver.store.log import log
from turnserver.store.log import verify as audit

TIMED: Final = Path(__file__).with_name("timed.py")


class Run(NamedTuple):
    """The cost of a command: wall time and processor time with children, in seconds, and the most memory of one process, in bytes."""

    seconds: float
    processor: float
    memory: int


class Job(NamedTuple):
    """Something to be measured."""

    name: str
    command: tuple[str, ...]


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the log unless it is there, and print the figures. Ends with 1 if a command does."""
    parser = argparse.ArgumentParser(prog="python -m tests.scale", description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=2027)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--database", type=Path, help="a log made before, or where to keep it")
    given = parser.parse_args(arguments)
    with TemporaryDirectory(prefix="turnserver-scale-") as directory:
        path = given.database or Path(directory) / "scale.db"
        if not path.exists():
            _make(path, given.events, given.seed, given.workers)
        events, games = _size(path)
        _say(f"{events:,} events in {games:,} games, {path.stat().st_size / 1e6:,.0f} MB")
        bare = None
        for job in _jobs(path, Path(directory), given.workers):
            run = measured(job.command)
            bare = bare or run
            _say(
                f"{job.name:<44} {run.seconds:>8.1f} s {run.processor:>8.1f} s of processor {events / run.seconds:>10,.0f} events/s"
                f" {run.seconds / bare.seconds:>7.1f} x {run.memory / 1e6:>7,.0f} MB"
            )


def measured(command: Sequence[str]) -> Run:
    """Run a command to its end. Raises CalledProcessError with what it said if it fails."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", TIMED, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True
    )
    return Run(**json.loads(done.stdout.splitlines()[-1]))


def _jobs(path: Path, directory: Path, workers: int) -> Iterator[Job]:
    """Reading and digesting alone comes first."""
    config, bundle = directory / "turnserver.toml", directory / "all.zip"
    config.write_text(f'[database]\nurl = "sqlite:///{path.absolute()}"\n', encoding="utf-8")
    turnserver = (sys.executable, "-c", "from turnserver.cli import main; main()", "--config", str(config))
    subprocess.run([*turnserver, "init"], stdout=subprocess.PIPE, check=True)  # makes the key that checkpoints are signed with
    yield Job("reading and SHA-256 alone", (sys.executable, "-m", "tests.scale.bare", str(path)))
    yield Job(f"audit verify, games in {workers} processes", (*turnserver, "audit", "verify", "--workers", str(workers)))
    yield Job("audit replay-all", (*turnserver, "audit", "replay-all", "--workers", str(workers)))
    yield Job("audit checkpoint add", (*turnserver, "audit", "checkpoint", "add"))
    yield Job("audit export all", (*turnserver, "audit", "export", "all", "--output", str(bundle)))
    yield Job("audit check of that bundle", (*turnserver, "audit", "check", str(bundle), "--workers", str(workers)))


def _make(path: Path, events: int, seed: int, workers: int) -> None:
    service, began = Service.initialise(settings(path)), monotonic()
    for written, games in fill(service, events, seed, workers):
        sys.stderr.write(f"\r{written:,} events in {games:,} games")
    service.db.close()
    sys.stderr.write(f", made in {monotonic() - began:,.0f} s\n")


def _size(path: Path) -> tuple[int, int]:
    service = Service.connect(settings(path))
    with service.db.read() as conn:
        found = log.last_position(conn), len(audit.begun(conn).games)
    service.db.close()
    return found


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
