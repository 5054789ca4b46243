"""`turnserver serve` under a service manager: what it tells, which signals it heeds, and what its unit allows it."""

import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.jobs.serving import SITE, configured, loaded, serving
from tests.jobs.sink import PATIENCE_SECONDS, Sink, recipient
from turnserver.service.service import Service

UNIT = Path(__file__).parents[2] / "config" / "turnserver.service"
NO_CODE_AT_RUNTIME = (
    sys.executable,
    "-c",
    "import ctypes; assert ctypes.CDLL(None).prctl(65, 1, 0, 0, 0) == 0, 'refused'; from turnserver.cli import main; main()",
)
"""The program under what MemoryDenyWriteExecute stands for: PR_SET_MDWE."""


@pytest.fixture
def sink() -> Iterator[Sink]:
    with Sink() as sink:
        yield sink


@pytest.fixture
def path(tmp_path: Path, sqlite_url: str, sink: Sink) -> Path:
    """The configuration of a site with a player. A sweep a second is seen; everything else would come in an hour unless it is nudged."""
    found = configured(tmp_path, sqlite_url, sink.port, jobs={"read_seconds": 3600, "send_seconds": 3600, "sweep_seconds": 1})
    service = Service.initialise(loaded(found))
    service.people.add("Ada", "ada@example.org", actor="admin:test", cause="test:ada")
    service.mail.send_outbox()
    service.db.close()
    return found


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(PATIENCE_SECONDS)
        yield line


def test_mail_is_answered_at_once_and_the_manager_hears_that_it_is_ready_works_and_stops(
    path: Path, sink: Sink, manager: socket.socket
) -> None:
    question = EmailMessage()
    question["From"], question["To"], question["Message-ID"] = "ada@example.org", SITE, "<1@example.org>"
    question.set_content("help\n")
    with serving(path, NOTIFY_SOCKET=manager.getsockname()) as served:
        served.deliver(question)
        assert recipient(sink.wait(2)[-1]) == "ada@example.org"
        heard = [manager.recv(99).decode() for _ in range(3)]
        assert heard.count("READY=1") == 1
        assert heard.count("WATCHDOG=1") == 2  # one a sweep
        assert served.stop() == 0
        assert served.log[-1].rstrip().endswith("stopped")
    manager.settimeout(0)
    rest = []
    try:
        while True:
            rest.append(manager.recv(99).decode())
    except BlockingIOError:
        assert "STOPPING=1" in rest


@pytest.mark.long
def test_nobody_listens_to_a_socket_that_is_gone(path: Path, tmp_path: Path) -> None:
    with serving(path, NOTIFY_SOCKET=str(tmp_path / "nobody")) as served:
        assert served.port
        assert served.stop() == 0


@pytest.mark.long
def test_sighup_ends_nothing(path: Path) -> None:
    with serving(path) as served:
        assert served.port
        for _ in range(2):
            served.process.send_signal(signal.SIGHUP)
            served.wait("SIGHUP: nothing is read anew")
        assert served.stop() == 0
        assert served.log[-1].rstrip().endswith("stopped")


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="Linux protects memory that way")
def test_it_makes_no_code_while_it_runs(path: Path) -> None:
    with serving(path, NO_CODE_AT_RUNTIME) as served:
        try:
            served.wait("takes mail by LMTP")
        except ConnectionError as error:
            if "refused" in str(error):
                pytest.skip("this kernel does not know PR_SET_MDWE")
            raise
        assert served.stop() == 0


def test_the_unit_allows_little() -> None:
    """By the reckoning of systemd: 10 is a process that may do everything."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not installed")
    done = subprocess.run([analyze, "security", "--offline=true", str(UNIT)], capture_output=True, text=True, check=False)
    found = re.search(r"Overall exposure level for turnserver\.service: ([0-9.]+)", done.stdout)
    assert found is not None, done.stdout + done.stderr
    assert float(found[1]) < 2.5
