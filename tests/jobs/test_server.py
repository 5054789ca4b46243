"""The ticks and the listener within one process: how they begin and how they end."""

import smtplib
import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from threading import Event, Thread, current_thread
from typing import Self
from urllib.parse import urlencode

import pytest
from apscheduler.events import EVENT_JOB_EXECUTED
from sqlalchemy import text

from tests.jobs.serving import SITE, configured, loaded
from tests.jobs.sink import LOOPBACK, PATIENCE_SECONDS, free_port
from tests.web.serving import asked
from turnserver.errors import ConfigError
from turnserver.jobs import Server
from turnserver.service.service import Service
from turnserver.store.log.database import REVISION, Database
from turnserver.store.log.statement import Statement
from turnserver.store.mail import inbox, outbox

HOUR = 3600


class Slow:
    """A way out for mail that takes a moment; the moment is over when the test says so."""

    def __init__(self) -> None:
        self.begun, self.through = Event(), Event()
        self.sent = 0

    def send(self, mail: bytes, envelope_from: str, recipient: str) -> str:
        del mail, envelope_from, recipient
        self.begun.set()
        assert self.through.wait(PATIENCE_SECONDS)
        self.sent += 1
        return "250 taken"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Served:
    """A server whose intervals are so long that only nudges make anything happen."""

    def __init__(self, directory: Path, url: str, **sections: dict[str, object]) -> None:
        jobs: dict[str, object] = {"read_seconds": HOUR, "send_seconds": HOUR, "sweep_seconds": HOUR}
        settings = loaded(configured(directory, url, 25, jobs=jobs, **sections))
        Service.initialise(settings).db.close()
        self.url = url
        self.transport = Slow()
        self.hold_reading, self.reading = Event(), Event()
        self.server = Server(Service(Database.connect(url), settings, clock=self._clock, transport=lambda: self.transport))

    def _clock(self) -> datetime:
        """The time; a reader of the inbox gets it late if the test wants that."""
        if self.hold_reading.is_set() and current_thread().name.startswith("ThreadPoolExecutor"):
            self.reading.set()
            assert self.transport.through.wait(PATIENCE_SECONDS)
        return datetime.now(UTC)

    def ask(self) -> None:
        """A mail that wants an answer comes in by LMTP."""
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Message-ID"] = "ada@example.org", SITE, "<1@example.org>"
        mail.set_content("help\n")
        with smtplib.LMTP(LOOPBACK, self.server.port) as lmtp:
            lmtp.send_message(mail)

    def stopped(self) -> int:
        """Stop it while it is held up, then let it through; gives how many mails it had sent when it had stopped."""
        sent: list[int] = []

        def stop() -> None:
            self.server.stop()
            sent.append(self.transport.sent)

        thread = Thread(target=stop)
        thread.start()
        self.transport.through.set()
        thread.join(PATIENCE_SECONDS)
        assert not thread.is_alive()
        return sent[0]

    def counts(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return what is in the inbox and in the outbox."""
        db = Database.connect(self.url)
        with db.read() as conn:
            found = inbox.counts(conn), outbox.counts(conn)
        db.close()
        return found


@pytest.fixture
def served(tmp_path: Path, sqlite_url: str) -> Iterator[Served]:
    served = Served(tmp_path, sqlite_url)
    yield served
    served.transport.through.set()
    served.server.stop()


def test_stopping_waits_for_the_mail_that_is_being_sent(served: Served) -> None:
    served.server.start()
    served.ask()
    assert served.transport.begun.wait(PATIENCE_SECONDS)
    assert served.counts() == ({"done": 1}, {"queued": 1})
    assert served.stopped() == 1
    assert served.counts() == ({"done": 1}, {"sent": 1})


def test_stopping_waits_for_the_mail_that_is_being_read(served: Served) -> None:
    """The reader wants its answer sent while everything is ending: neither waits for the other, and the answer is not lost."""
    served.server.start()
    served.hold_reading.set()
    served.ask()
    assert served.reading.wait(PATIENCE_SECONDS)
    sent = served.stopped()
    assert served.counts() == ({"done": 1}, {"sent" if sent else "queued": 1})


def test_what_was_queued_before_the_start_leaves_at_once(served: Served) -> None:
    served.transport.through.set()
    served.server.service.people.add("Ada", "ada@example.org", actor="admin:test", cause="test:ada")
    served.server.start()
    assert served.transport.begun.wait(PATIENCE_SECONDS)


def test_what_others_queue_leaves_when_nudged(served: Served) -> None:
    served.transport.through.set()
    served.server.start()
    served.server.service.people.add("Ada", "ada@example.org", actor="admin:test", cause="test:ada")
    served.server.nudge()
    assert served.transport.begun.wait(PATIENCE_SECONDS)


def test_what_a_page_queues_leaves_at_once(tmp_path: Path, sqlite_url: str) -> None:
    served = Served(tmp_path, sqlite_url, web={"url": "https://club.example", "port": 0, "health": ""})
    served.transport.through.set()
    served.server.service.people.add("Ada", "ada@example.org", actor="admin:test", cause="test:ada")
    served.server.start()
    assert served.transport.begun.wait(PATIENCE_SECONDS)
    served.transport.begun.clear()
    assert served.server.pages is not None
    form = urlencode({"email": "ada@example.org", "nonce": 20 * "n", "to": ""})
    assert asked(served.server.pages.port, "POST", "/sign-in", form, Sec_Fetch_Site="same-origin").status == 303
    assert served.transport.begun.wait(PATIENCE_SECONDS)
    served.server.stop()


def test_who_finds_other_tables_takes_no_mail_until_they_fit(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    server, other, looked = served.server, Database.connect(served.url), Event()
    served.transport.through.set()
    server.start()
    look = next(job for job in server._scheduler.get_jobs() if job.name == "look at the tables")
    server._scheduler.add_listener(lambda event: looked.set() if event.job_id == look.id else None, EVENT_JOB_EXECUTED)

    def become(revision: str) -> None:
        with other.write() as tx:
            tx.run(Statement(text("UPDATE alembic_version SET version_num = :revision")), revision=revision)
        # one look may have begun before
        for _ in range(2):
            looked.clear()
            look.modify(next_run_time=datetime.now(UTC))
            assert looked.wait(PATIENCE_SECONDS)

    become("9999")
    with pytest.raises(smtplib.SMTPDataError, match="try again later"):
        served.ask()
    sweep = server._sweep
    sweep()
    with sweep._changed:
        assert sweep._changed.wait_for(lambda: not sweep._running, PATIENCE_SECONDS)
    told = {line.message.partition(": ")[0] for line in caplog.records if "the database is at revision 9999, this" in line.message}
    assert told == {"mail that comes by LMTP cannot be stored, and its sender has to try again", "sweep deadlines"}
    become(REVISION)
    assert served.counts() == ({}, {})
    served.ask()
    assert served.transport.begun.wait(PATIENCE_SECONDS)
    other.close()


def test_a_taken_address_is_a_sentence_about_the_setting(tmp_path: Path, sqlite_url: str) -> None:
    port = free_port()
    settings = loaded(configured(tmp_path, sqlite_url, 25, incoming={"lmtp_port": port}))
    server = Server(Service.initialise(settings))
    with socket.create_server((LOOPBACK, port)), pytest.raises(ConfigError, match=rf"incoming\.lmtp_port {port}: Address already in use"):
        server.start()
    server.stop()


def test_ticks_go_on_when_the_clock_of_the_machine_was_set_back(served: Served) -> None:
    """All that the scheduler has planned lies hours ahead then, nudges included."""
    served.transport.through.set()
    served.server.start()
    scheduler = served.server._scheduler
    ahead, ran = datetime.now(UTC) + timedelta(hours=3), Event()
    scheduler.add_job(ran.set, "date", run_date=ahead, name="a nudge")
    scheduler.add_job(ran.set, "interval", hours=1, next_run_time=ahead, name="a tick")
    due = scheduler.add_job(ran.set, "interval", hours=1, next_run_time=datetime.now(UTC) + timedelta(minutes=59), name="in time")
    assert ran.wait(PATIENCE_SECONDS)
    assert due.next_run_time - datetime.now(UTC) > timedelta(minutes=58)
