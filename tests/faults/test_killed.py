"""Answers of several mail programs from their bytes to the opponent's mailbox, killed with SIGKILL at every statement on the way."""

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.faults import scene
from tests.faults.scene import Scene, reopened
from tests.processes import start
from tests.service.world import PEOPLE
from turnserver.service.service import Service
from turnserver.store.log import verify as audit
from turnserver.store.mail import inbox, outbox

STATEMENTS = 20
"""At least so many are executed on the way; a test that killed at fewer would have missed something."""


class Case(NamedTuple):
    """A mail program, what its answer comes to, and how many events and mails follow from it."""

    program: str
    outcome: str
    events: int
    told: int


CASES = [
    Case("gmail-web", "carried out", 1, 1),
    Case("swedish-broken-wrap", "refused: nothing_to_decline", 0, 1),
]


class Trace(NamedTuple):
    """The traces of a mail: events and rows of the outbox, and what the mail has come to, if it has."""

    events: int
    told: int
    outcome: str | None


@pytest.fixture(scope="module")
def played(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    directory = tmp_path_factory.mktemp("played")
    shutil.copyfile(sqlite_template, directory / "scene.db")
    return scene.take(f"sqlite:///{directory / 'scene.db'}", directory)


@pytest.mark.long
@pytest.mark.parametrize("case", [CASES[0], pytest.param(CASES[1], marks=pytest.mark.long)], ids=[case.program for case in CASES])
def test_a_mail_is_handled_once_wherever_its_process_is_killed(played: Scene, case: Case, tmp_path: Path) -> None:
    """Every life ends with nothing done or everything done; the mail is kept as it came from the moment that it is there."""
    database, outgoing, raw = tmp_path / "killed.db", tmp_path / "mail", tmp_path / "answer.eml"
    shutil.copyfile(played.database, database)
    raw.write_bytes(played.answer(case.program))
    with reopened(database) as service:
        before = trace(service, played, raw.read_bytes())
        seen: list[Trace] = []
        end = "killed"
        arguments = (f"sqlite:///{database}", str(outgoing), played.to, PEOPLE["Ada"], str(raw))
        with start("mail", *arguments, module="tests.service.mortal") as process:
            assert process.hear() == "ready"
            while end == "killed":
                process.say(str(len(seen) + 1))
                if (end := process.hear()) == "killed":
                    seen.append(trace(service, played, raw.read_bytes()))
        assert end == "done"
        done = Trace(before.events + case.events, before.told + case.told, case.outcome)
        assert trace(service, played, raw.read_bytes()) == done
        turning = seen.index(done)
        assert seen == [before] * turning + [done] * (len(seen) - turning)
        assert turning
        assert len(seen) > STATEMENTS
        assert len(list((outgoing / "new").iterdir())) == case.told
        with service.db.read() as conn:
            assert outbox.counts(conn) == {"sent": done.told}


def trace(service: Service, played: Scene, raw: bytes) -> Trace:
    """Return what a dead process left behind. The log is whole, and every copy of the mail is what was handed in."""
    with service.db.read() as conn:
        assert list(audit.verify(conn)) == []
        mails = [inbox.get(conn, row.id) for row in inbox.list_inbox(conn, limit=1_000) if row.source == "test"]
    copies = [mail for mail in mails if b"4711@example.org" in mail.raw]
    assert all(mail.raw == raw and mail.error is None for mail in copies)
    first = [mail.outcome for mail in copies if mail.copy_of is None]
    assert len(first) <= 1
    assert {mail.outcome for mail in copies if mail.copy_of is not None} <= {inbox.DUPLICATE}
    return Trace(len(service.games.history(played.game)), service.mail.mails_written(), first[0] if first else None)
