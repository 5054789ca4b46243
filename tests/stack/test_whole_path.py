"""A game's turn on its whole way: the service, Postfix, the player, Postfix, Dovecot or a program or LMTP, and the service again."""

import os
import smtplib
import subprocess
import uuid
from email.message import EmailMessage
from email.utils import make_msgid
from itertools import groupby
from pathlib import Path
from threading import Condition

import pytest

from tests.jobs.serving import TURNSERVER, configured, environment, loaded, serving
from tests.jobs.sink import LOOPBACK, PATIENCE_SECONDS, recipient
from tests.stack.mailsystem import MAILBOX, PASSWORD, PIPED, SERVED, MailSystem
from turnserver.ids import GameId
from turnserver.play.events import SeatOrder, TurnPlayed
from turnserver.service.service import Service
from turnserver.store.mail import inbox

PEOPLE = {"Ada": "ada@example.org", "Bob": "bob@example.org"}
GAME = GameId(1)
HOUR = 3600


@pytest.fixture(autouse=True)
def _trusting(mail_system: MailSystem, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that we start trust the mail system's authority."""
    monkeypatch.setenv("SSL_CERT_FILE", str(mail_system.authority))


class Club:
    """A site with two players whose mail goes through the mail system."""

    def __init__(self, system: MailSystem, directory: Path, url: str, domain: str, **sections: dict[str, object]) -> None:
        self.system = system
        self.user = f"u{uuid.uuid4().hex[:10]}"
        self.address = f"{self.user}@{domain}"
        submission: dict[str, object] = {
            "host": "localhost",
            "port": system.ports["submission"],
            "security": "starttls",
            "username": self.user,
            "password": PASSWORD,
        }
        account: dict[str, object] = {"host": "localhost", "port": system.ports["imaps"], "username": self.user, "password": PASSWORD}
        # Whatever is quick here, nobody looked for it.
        jobs: dict[str, object] = {"read_seconds": HOUR, "send_seconds": HOUR, "sweep_seconds": HOUR}
        named = {"imap.club": {**account, "move_to": "Done", "poll_seconds": 1_000}} if domain == MAILBOX else {}
        self.config = configured(directory, url, 0, site={"address": self.address}, outgoing=submission, jobs=jobs, **named, **sections)
        self.seen = 0

    def peopled(self) -> Service:
        """The service, with players who have had their welcome."""
        service = Service.initialise(loaded(self.config))
        for name, address in PEOPLE.items():
            service.people.add(name, address, actor="admin:test", cause=f"test:{name}")
            service.people.choose(name, [("mail", "text")], actor="admin:test", cause=f"test:text:{name}")
        service.mail.send_outbox()
        self.read(2)
        return service

    def read(self, count: int) -> dict[str, EmailMessage]:
        """The next mails that players get from this site, by address. Mails of other sites to them may still be on their way."""
        try:
            mails = self.system.players.wait_for_mails_from(self.address, self.seen + count)[self.seen :][:count]
        except AssertionError as error:
            raise AssertionError(self.system.log) from error
        self.seen += count
        return {recipient(mail): mail for mail in mails}

    def answer(self, mail: EmailMessage, text: str) -> None:
        """The player who got a mail answers it."""
        answer = EmailMessage()
        answer["From"], answer["To"], answer["Subject"] = str(mail["To"]), str(mail["Reply-To"]), f"Re: {mail['Subject']}"
        answer["Message-ID"], answer["In-Reply-To"] = make_msgid(domain="example.org"), mail["Message-ID"]
        answer.set_content(f"{text}\n")
        with smtplib.SMTP(LOOPBACK, self.system.ports["smtp"]) as smtp:
            smtp.send_message(answer)

    def play_a_turn(self) -> EmailMessage:
        """Let both accept and Ada move. Return the mail that tells Bob."""
        invitations = self.read(2)
        for address in PEOPLE.values():
            self.answer(invitations[address], "accept")
        while "your move" not in (mail := self.next_for("Ada")).get_body(("plain",)).get_content().lower():  # type: ignore[union-attr]
            pass
        self.answer(mail, "a1")
        while "played a1" not in (mail := self.next_for("Bob")).get_body(("plain",)).get_content():  # type: ignore[union-attr]
            pass
        return mail

    def next_for(self, name: str) -> EmailMessage:
        """The next mail that this player gets."""
        while PEOPLE[name] not in (mails := self.read(1)):
            pass
        return mails[PEOPLE[name]]


def turns(service: Service) -> int:
    return sum(isinstance(row.event, TurnPlayed) for row in service.games.history(GAME))


def handled(service: Service) -> list[tuple[str, str | None]]:
    with service.db.read() as conn:
        return [(mail.source, mail.outcome) for mail in reversed(inbox.list_inbox(conn))]


def open_game(service: Service) -> None:
    service.games.open("take", {"size": 2}, list(PEOPLE), order=SeatOrder.GIVEN, actor="admin:test", cause="test:open")


@pytest.mark.parametrize(("domain", "source"), [(MAILBOX, "imap"), pytest.param(SERVED, "lmtp", marks=pytest.mark.long)])
def test_a_turn_is_played_through_the_mail_system(
    mail_system: MailSystem, tmp_path: Path, sqlite_url: str, domain: str, source: str
) -> None:
    club = Club(mail_system, tmp_path, sqlite_url, domain, incoming={"lmtp_port": mail_system.ports["served"] if source == "lmtp" else 0})
    service = club.peopled()
    open_game(service)
    with serving(club.config) as served:
        club.play_a_turn()
        assert served.stop() == 0, served.log
    assert turns(service) == 1
    assert handled(service) == [(source, "carried out")] * 3
    service.db.close()
    if source == "imap":
        with mail_system.mailbox(club.user) as box:
            assert [box.select_folder(folder)[b"EXISTS"] for folder in ("INBOX", "Done")] == [0, 3]


RETRY_SECONDS = 2 * PATIENCE_SECONDS
"""Postfix tries again when its queue manager looks, which on a busy machine takes longer than what a program does."""


class Pipe:
    """`turnserver mail receive` as Postfix starts it; `statuses` are how it ended, `dies` whether it does after it has done its work."""

    def __init__(self, config: Path, log: Path) -> None:
        self.statuses: list[int] = []
        self.dies = False
        self._config = config
        self._log = log
        self._ended = Condition()

    def __call__(self, raw: bytes) -> int:
        command = [*TURNSERVER, "--config", str(self._config), "mail", "receive"]
        status = subprocess.run(command, input=raw, env=environment(), stdout=subprocess.DEVNULL, check=False).returncode
        with self._ended:
            self.statuses.append(os.EX_TEMPFAIL if self.dies else status)
            self.dies = False
            self._ended.notify_all()
            return self.statuses[-1]

    def wait(self, *statuses: int) -> None:
        """Wait until it has ended like this, each perhaps several times in a row."""
        with self._ended:
            came = self._ended.wait_for(lambda: [status for status, _ in groupby(self.statuses)] == list(statuses), RETRY_SECONDS)
            assert came, f"{self.statuses}; Postfix says: {self._log.read_text()[-4_000:]}"


@pytest.mark.long
def test_a_program_that_cannot_take_a_mail_gets_it_again(mail_system: MailSystem, tmp_path: Path) -> None:
    """While there is no database; and when it dies after it has stored a mail, which then comes a second time and is handled once."""
    club = Club(mail_system, tmp_path, f"sqlite:///{tmp_path / 'later.db'}", PIPED)
    mail_system.door.program = pipe = Pipe(club.config, mail_system.directory / "postfix.log")
    question = EmailMessage()
    question["From"], question["To"], question["Reply-To"] = "turns@example.org", PEOPLE["Ada"], club.address
    question["Subject"], question["Message-ID"] = "which games?", make_msgid(domain="example.org")
    club.answer(question, "games")
    pipe.wait(os.EX_TEMPFAIL)
    service = club.peopled()
    pipe.wait(os.EX_TEMPFAIL, os.EX_OK)
    pipe.dies = True
    club.answer(question, "help")
    pipe.wait(os.EX_TEMPFAIL, os.EX_OK, os.EX_TEMPFAIL, os.EX_OK)
    service.tick()
    assert [recipient(mail) for mail in club.read(2).values()] == [PEOPLE["Ada"]]
    assert [outcome for _, outcome in handled(service)].count(inbox.DUPLICATE) == 1
    assert [source for source, _ in handled(service)] == ["pipe"] * 3
    service.db.close()
