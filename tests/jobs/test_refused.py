"""A refusal by a mail server concerns that mail and its player alone: a real server on loopback."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.jobs.serving import SITE, configured, loaded
from tests.jobs.sink import Sink, recipient
from turnserver.ids import DeliveryStatus, GameId, PlayerId, player_stream
from turnserver.mail.outbound.kinds import MailKind
from turnserver.play.commands import Accept
from turnserver.play.events import PlayerUnreachable, SeatOrder, TurnTimedOut
from turnserver.service.service import Service
from turnserver.store.log import log
from turnserver.store.log.database import Database
from turnserver.store.mail import delivery_reports, outbox

BEGIN = datetime(2026, 3, 1, 12, tzinfo=UTC)
ADA, BOB = PlayerId(1), PlayerId(2)
GONE = "550 5.1.1 no such user"
ADMIN = "admin@example.net"


class Club:
    """A service that sends to a server, with Ada's turn in a game against Bob, and a clock to turn."""

    def __init__(self, directory: Path, url: str, sink: Sink) -> None:
        self.now, self.sink = BEGIN, sink
        path = configured(directory, url, sink.port, site={"admin": ADMIN}, outgoing={"retry_seconds": [60]}, jobs={"outage_minutes": 600})
        settings = loaded(path)
        Service.initialise(settings).db.close()
        self.service = Service(Database.connect(url), settings, clock=lambda: self.now, lot=tuple)
        for name in ("Ada", "Bob"):
            self.service.people.add(name, f"{name.lower()}@example.org", actor="admin:test", cause=f"test:{name}")
        self.send()
        self.game: GameId = self.service.games.open(
            "take", {"size": 3}, ["Ada", "Bob"], order=SeatOrder.GIVEN, actor="admin:test", cause="test:open"
        ).game
        self.send()

    def begin(self) -> None:
        """Everybody accepts."""
        for player in (ADA, BOB):
            self.service.games.handle(self.game, Accept(player, self.now), actor=f"player-{player}", cause=f"test:accept:{player}")

    def send(self) -> None:
        """Everything that is due."""
        while any(self.service.mail.send_outbox()):
            pass

    def turn(self) -> outbox.OutboxItem:
        """The mail that tells Ada of her turn."""
        with self.service.db.read() as conn:
            return next(mail for mail in outbox.list_outbox(conn) if (mail.kind, mail.player) == (MailKind.TURN, ADA))

    def reach(self) -> delivery_reports.Reach:
        """Return what is known of Ada."""
        with self.service.db.read() as conn:
            return delivery_reports.deliverability(conn, ADA)


@pytest.fixture
def club(tmp_path: Path, database_url: str) -> Iterator[Club]:
    with Sink() as sink:
        club = Club(tmp_path, database_url, sink)
        yield club
        club.service.db.close()


class Case(NamedTuple):
    """The answer of the server, what becomes of the mail, and whether its player is unreachable then."""

    answer: str
    status: str
    report: DeliveryStatus | None
    lost: bool


@pytest.mark.parametrize(
    "case",
    [
        Case("250 OK", "sent", None, lost=False),
        Case(GONE, "dead", DeliveryStatus.HARD, lost=True),
        Case("550 5.7.1 not from you", "dead", DeliveryStatus.POLICY, lost=False),
        Case("552 5.2.2 mailbox full", "dead", DeliveryStatus.SOFT, lost=False),
        Case("452 4.2.2 mailbox full", "queued", None, lost=False),
    ],
    ids=lambda case: case.answer,
)
def test_a_refusal_counts_as_if_the_mail_had_come_back(club: Club, case: Case) -> None:
    club.sink.refused["ada@example.org"] = case.answer
    club.begin()
    club.service.mail.send_outbox()
    mail = club.turn()
    assert (mail.status, mail.report, mail.report_mail) == (case.status, case.report, None)
    assert mail.reason == (case.answer if case.report else None)
    assert (club.reach().since is not None) is case.lost


def test_everybody_hears_of_it_once_and_nobody_loses_on_time(club: Club) -> None:
    club.sink.refused["ada@example.org"] = GONE
    club.begin()
    club.send()
    with club.service.db.read() as conn:
        assert log.load(conn, player_stream(ADA))[-1].event == PlayerUnreachable(player=ADA)
    came = [(recipient(mail), mail["Message-ID"].partition(".")[0].strip("<")) for mail in club.sink.mails]
    assert came[-3:] == [("bob@example.org", "game_started"), ("bob@example.org", "unreachable"), (ADMIN, "admin_report")]
    until = BEGIN + timedelta(days=10)
    while club.now < until:
        club.now += timedelta(hours=8)
        club.service.upkeep.sweep()
    club.send()
    assert not [row for row in club.service.games.history(club.game) if isinstance(row.event, TurnTimedOut)]
    # The reports on Monday mornings tell it as long as it lasts.
    subjects = [str(mail["Subject"]) for mail in club.sink.mails if recipient(mail) == ADMIN]
    assert [subject.rpartition("] ")[2] for subject in subjects if not subject.endswith("for you")] == ["Mail to Ada comes back"]


def test_the_envelope_says_which_mail_it_is(club: Club) -> None:
    """And the address that it names is one of ours, so what comes back finds its way."""
    club.begin()
    club.send()
    numbers = {sender.partition("+b-")[2].partition("-")[0] for sender in club.sink.senders}
    assert len(numbers) == len(club.sink.senders)
    assert {sender.rpartition("@")[2] for sender in club.sink.senders} == {SITE.rpartition("@")[2]}
    turn = club.turn()
    assert turn.answer == "250 OK"
    sender = next(sender for sender in club.sink.senders if f"+b-{turn.id}-" in sender)
    club.service.mail.receive(b"From: x@example.org\nMessage-ID: <1@x>\n\nresign\n", sender, "", "lmtp")
    club.service.mail.read_inbox()
    item, _ = club.service.mail.reading(1)
    assert item.outcome == f"ignored: nothing about mail {turn.id}"
