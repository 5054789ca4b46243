"""`turnserver serve` as an admin starts it: a process of its own, with a configuration file, a database and ports on loopback."""

import json
import os
import re
import signal
import smtplib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from threading import Condition, Thread

from tests.jobs.sink import LOOPBACK, PATIENCE_SECONDS
from turnserver.config import Settings, reading
from turnserver.service.upkeep import checkpoints

TURNSERVER = (sys.executable, "-c", "from turnserver.cli import main; main()")
SITE = "turns@club.example"
_LISTENS = re.compile(r"takes mail by LMTP at \S+ port (\d+)")


def environment() -> dict[str, str]:
    """Our environment without what would configure the program."""
    return {name: value for name, value in os.environ.items() if not name.startswith("TURNSERVER_")}


def configured(directory: Path, database_url: str, smtp_port: int, **sections: dict[str, object]) -> Path:
    """Write a configuration; `sections` override. The key for checkpoints is there, as after `init`."""
    if not (directory / "checkpoint.pem").exists():
        checkpoints.make(directory / "checkpoint.pem")
    wanted: dict[str, dict[str, object]] = {
        "site": {"address": SITE},
        "database": {"url": database_url},
        "outgoing": {"host": LOOPBACK, "port": smtp_port},
        "incoming": {"lmtp_port": 0},
        "play": {"correction_minutes": 0},
        "web": {"health": ""},
    }
    for section, values in sections.items():
        wanted.setdefault(section, {}).update(values)
    text = "\n".join(
        f"[{section}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items()) for section, values in wanted.items()
    )
    path = directory / "turnserver.toml"
    path.write_text(text, encoding="utf-8")
    return path


def loaded(path: Path) -> Settings:
    """Return what the configuration says."""
    return reading.load(path, {})


class Serving:
    """A running process. `log` is what it wrote so far, a line each."""

    def __init__(self, path: Path, program: Sequence[str] = TURNSERVER, *, command: str = "serve", **environ: str) -> None:
        env = {**environment(), **environ}
        self.process = subprocess.Popen(
            [*program, "--config", str(path), command], stderr=subprocess.PIPE, env=env, text=True, cwd=path.parent
        )
        self.log: list[str] = []
        self._wrote = Condition()
        self._ended = False
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def port(self) -> int:
        """Return the port where it takes mail by LMTP, once it does."""
        found = _LISTENS.search(self.wait(_LISTENS.pattern))
        assert found is not None
        return int(found[1])

    def wait(self, pattern: str) -> str:
        """The first line of the log that fits, once there is one. Raises ConnectionError if the process ends before."""
        wanted = re.compile(pattern)

        def found() -> str | None:
            return next((line for line in self.log if wanted.search(line)), None)

        with self._wrote:
            self._wrote.wait_for(lambda: self._ended or found() is not None, PATIENCE_SECONDS)
            line = found()
        if line is None:
            raise ConnectionError(f"{pattern} never came:\n{''.join(self.log)}")
        return line

    def deliver(self, mail: EmailMessage) -> None:
        """Hand a mail in over LMTP, as a mail server would. Raises OSError or SMTPException if it is not taken."""
        with smtplib.LMTP(LOOPBACK, self.port) as lmtp:
            lmtp.send_message(mail)

    def stop(self, by: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and wait for the end; gives the exit status."""
        self.process.send_signal(by)
        status = self.process.wait(PATIENCE_SECONDS)
        self._reader.join(PATIENCE_SECONDS)
        return status

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._wrote:
                self.log.append(line)
                self._wrote.notify_all()
        self.process.stderr.close()
        with self._wrote:
            self._ended = True
            self._wrote.notify_all()


@contextmanager
def serving(path: Path, program: Sequence[str] = TURNSERVER, *, command: str = "serve", **environ: str) -> Iterator[Serving]:
    """Start the process, perhaps with more in its environment; it is killed in the end if it still runs."""
    served = Serving(path, program, command=command, **environ)
    try:
        yield served
    finally:
        if served.process.poll() is None:
            served.stop(signal.SIGKILL)
