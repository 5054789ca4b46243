"""`turnserver try` as it is typed: nothing is needed, nothing stays, and the house plays if it is asked to."""

import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic
from typing import NamedTuple
from urllib.parse import urlencode

import pytest

from tests.cli.club import Club
from tests.cli.typed import configure, typed
from tests.jobs.serving import environment
from tests.web.sandbox.boxes import OURS

PATIENCE_SECONDS = 60.0
"""Much longer than anything here takes: only a failing test waits so long."""
PROGRAM = (sys.executable, "-m", "turnserver")


class Running(NamedTuple):
    """The program at work: its page, and what other commands need to see its games."""

    process: "subprocess.Popen[str]"
    address: str
    config: Path

    def seen(self, path: str = "/", form: dict[str, str] | None = None) -> str:
        """A page, after the form is sent if there is one."""
        connection = HTTPConnection(self.address.removeprefix("http://").strip("/"), timeout=PATIENCE_SECONDS)
        if form is not None:
            connection.request("POST", path, urlencode(form), OURS)
            sent = connection.getresponse()
            sent.read()
            path = sent.headers["Location"]
        connection.request("GET", path)
        page = unescape(connection.getresponse().read().decode())
        connection.close()
        return page

    def answer(self, name: str, words: str) -> str:
        """The page after an answer to the newest mail of a player."""
        mine = self.seen().partition(f'aria-label="Mails of {name}"')[2]
        return self.seen(re.findall(r'action="(/mails/\w+/answer)"', mine)[0], {"words": words})

    def other_command(self, line: str) -> "subprocess.CompletedProcess[str]":
        """Return what somebody types in another terminal, as the program says."""
        command = [*PROGRAM, "--config", str(self.config), *shlex.split(line)]
        return subprocess.run(command, env=environment(), capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS)

    def stop(self) -> int:
        """Press Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE_SECONDS)


@contextmanager
def started(directory: Path, line: str = "", **environ: str) -> Iterator[Running]:
    """Type `turnserver try` in a directory, and stop it in the end."""
    command = [*PROGRAM, "try", "--no-open" if "BROWSER" not in environ else "--open", *shlex.split(line)]
    env = {**environment(), "TMPDIR": str(directory), **environ}
    with subprocess.Popen(command, cwd=directory, env=env, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline() + process.stdout.readline()
            found = re.fullmatch(
                r"Play at (http://127\.0\.0\.1:\d+/) in a browser; Ctrl-C ends it\.\n"
                r"Other commands see these games with: turnserver --config (\S+)\n",
                said,
            )
            assert found is not None, said
            yield Running(process, found[1], Path(found[2]))
        finally:
            process.kill()


def test_needs_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    """The temporary directory is gone in the end; before, other commands see the games."""
    with started(tmp_path) as running:
        page = running.seen()
        assert re.findall(r'aria-label="Mails of (\w+)"', page) == ["Ada", "Bob"]
        assert page.count(">You are invited to a game against") == 2
        assert "waits for Ada and Bob" in running.other_command("game list").stdout
        assert running.stop() == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_goes_on_with_what_was_kept(tmp_path: Path) -> None:
    for news in ("You are invited to a game against Bob", "The game against Bob has begun"):
        with started(tmp_path, "okago --keep mine") as running:
            assert news in running.seen()
            for name in ("Ada", "Bob"):
                running.answer(name, "accept")
            assert running.stop() == 0
    assert (tmp_path / "mine" / "turnserver.db").exists()


@pytest.mark.long
def test_opens_the_page_in_the_browser(tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.new && mv {opened}.new {opened}\n')
    browser.chmod(0o755)
    patience = monotonic() + PATIENCE_SECONDS
    with started(tmp_path, BROWSER=f"{browser} %s") as running:
        while not opened.exists():
            assert monotonic() < patience
        assert opened.read_text() == f"{running.address}\n"


REFUSED = {
    "try ludo": 'There is no game called "ludo"',
    "try take --option size=99": "size",
    "try okago --site": "with --site, open games with `turnserver game open`",
    "try --keep {dir}": "is not empty, and `turnserver try` has not made it",
    "try --keep {dir}/other": "is not empty, and `turnserver try` has not made it",
    "try --keep {dir}/odd": "is not empty, and `turnserver try` has not made it",
    "try --keep {dir}/turnserver.toml": "is not a directory",
    "try --keep {dir}/turnserver.toml/x": "is not a directory",
}


@pytest.mark.parametrize("line", REFUSED)
def test_refuses(club: Club, line: str) -> None:
    (club.directory / "other").mkdir()
    (club.directory / "other" / "turnserver.db").touch()
    (club.directory / "odd").mkdir()
    (club.directory / "odd" / "turnserver.toml").write_bytes(b"\xff")
    result = typed(club, line)
    assert (result.exit_code > 0, REFUSED[line] in result.stderr) == (True, True), result.output


def test_asks_before_it_takes_the_mails_of_real_players(club: Club) -> None:
    configure(club, '\n[outgoing]\ntransport = "maildir"\nmaildir = "leaving"\n')
    assert typed(club, "tick").exit_code == 0
    result = typed(club, "try --site", b"n\n")
    assert (result.exit_code, "really sent" in result.stderr) == (1, True), result.output


@pytest.mark.long
def test_shows_the_mails_of_a_site(club: Club) -> None:
    """It does the work of the service: what another command queues is sent by itself."""
    club.config.write_text(club.config.read_text().replace("busy_timeout_seconds = 0.1", ""))  # the two have to wait for each other
    command = [*PROGRAM, "--config", str(club.config), "try", "--site", "--no-open"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=environment(), text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[2]
            assert typed(club, "player add Dan dan@example.org").exit_code == 0
            running, patience = Running(process, address, club.config), monotonic() + PATIENCE_SECONDS
            while "Dan" not in (page := running.seen()):
                assert monotonic() < patience
            assert "Start it" not in page
            assert running.stop() == 0
        finally:
            process.kill()


def test_the_module_does_what_the_command_does() -> None:
    """`python -m turnserver` is there where no script is on the path."""
    script = Path(sys.executable).with_name("turnserver")
    command = "no-such-command"
    by_name, as_module = (
        subprocess.run([*program, command], capture_output=True, check=False, env=environment()) for program in ([script], PROGRAM)
    )
    assert (as_module.returncode, as_module.stdout, as_module.stderr) == (2, by_name.stdout, by_name.stderr)
    assert by_name.stderr
