"""A week of games by mail through a server that fails in every phase: every notice arrives, and nobody loses on time for it."""

import heapq
from collections import Counter
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest
from msgspec import structs

from tests.faults.fickle import Fault, FickleServer
from tests.service.world import BEGIN, PEOPLE, SITE, World
from tests.terms import PLAIN
from turnserver.config import Jobs, Outgoing, Settings, Site
from turnserver.ids import GameId
from turnserver.mail.transport.outgoing import SmtpTransport, Transport
from turnserver.play import events as e
from turnserver.rules.kit import example_turns
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database

SEED = 1
LIKELIHOOD = 0.07
"""Of each phase. A mail passes nine of them, so nearly half of all attempts fail."""

WEEK = timedelta(days=7)
STEP = timedelta(minutes=30)
MOVE_TIME = timedelta(days=1)
THINKS = (timedelta(hours=4), timedelta(hours=23))
"""The time that players take from when a mail reaches them: nearly all that they have, so that a mail that is late would cost them it."""

GAMES: tuple[tuple[str, dict[str, str | int | bool]], ...] = (
    ("take", {"size": 5}),
    ("take", {"size": 4}),
    ("tako-judo", {}),
    ("take", {"size": 6}),
    ("take", {"size": 5}),
)
FEWEST_TURNS = 20
FEWEST_FAULTS = 3
"""Of each kind; a week with fewer has shown nothing about it."""


class Week(World):
    """A world whose mail leaves by a server that fails, and whose players answer what that server took."""

    def __init__(self, db: Database, directory: Path, server: FickleServer) -> None:
        """The players begin to answer when the server begins to fail."""
        self.server = server
        self._dice = Random(SEED)  # noqa: S311  # made up, and the same every time
        self._looked = 0
        self._known: set[str] = set()
        self._thinking: list[tuple[datetime, int, str, EmailMessage]] = []
        self.outgoing = Outgoing(host="127.0.0.1", port=server.port, timeout_seconds=10)
        super().__init__(db, directory, settings=settings(self.outgoing))

    def way_out(self) -> Transport:
        """SMTP."""
        return SmtpTransport(self.outgoing)

    def mails(self, name: str) -> list[EmailMessage]:
        """Return what the server took for a player."""
        address = PEOPLE.get(name, name)
        return [parsed(kept.content) for kept in self.server.kept if kept.recipient == address]

    def tick(self) -> None:
        """Half an hour: one round of everything."""
        self.server.next_round()
        self._play()
        self.service.mail.read_inbox()
        self.service.upkeep.sweep()
        while (sent := self.service.mail.send_outbox()).sent:
            pass
        if sent.retried and not self.server.listens:
            self.server.refused()
        self._look()
        self.now += STEP

    def _look(self) -> None:
        """Every player begins to think about what has reached them for the first time."""
        for kept in self.server.kept[self._looked :]:
            mail = parsed(kept.content)
            if mail["Message-ID"] not in self._known:
                self._known.add(mail["Message-ID"])
                name = next(name for name, address in PEOPLE.items() if address == kept.recipient)
                later = self.now + THINKS[0] + (THINKS[1] - THINKS[0]) * self._dice.random()
                heapq.heappush(self._thinking, (later, len(self._known), name, mail))
        self._looked = len(self.server.kept)

    def _play(self) -> None:
        """Let each player who has thought enough, and still has the turn, play it."""
        while self._thinking and self._thinking[0][0] <= self.now:
            _, _, name, mail = heapq.heappop(self._thinking)
            token = self.service.mail.token_in(mail["Reply-To"].addresses[0].addr_spec)
            if token is None or not token.game:
                continue
            state = self.state(token.game)
            if state.to_move is not None and (state.turn, state.player_at(state.to_move)) == (token.turn, token.player):
                (turn,) = example_turns(state.game.rules, state.line.position, 1)
                self.answer(name, turn, mail=mail, settle=False)


def settings(outgoing: Outgoing) -> Settings:
    return Settings(
        site=Site(address=SITE), outgoing=outgoing, jobs=Jobs(outage_minutes=60), play=structs.replace(PLAIN, time=f"{MOVE_TIME.days}d")
    )


def parsed(raw: bytes) -> EmailMessage:
    mail = message_from_bytes(raw, policy=policy.default)
    assert isinstance(mail, EmailMessage)
    return mail


@pytest.mark.long
def test_a_week_with_a_mail_server_that_fails(sqlite_url: str, tmp_path: Path) -> None:
    database = Database.connect(sqlite_url)
    with FickleServer(SEED, LIKELIHOOD) as server:
        world = Week(database, tmp_path, server)
        games = [world.open_any(game, ["Ada", "Bob"], options) for game, options in GAMES]
        for name in ("Ada", "Bob"):
            world.service.people.choose(name, [("mail", "text")], actor="admin:test", cause=f"test:text:{name}")
        server.fickle = True
        while world.now < BEGIN + WEEK:
            world.tick()
        server.fickle = False
        while any(mail.status == "queued" for mail in world.outbox()) and world.now < BEGIN + 2 * WEEK:
            world.tick()
    print(check(world, games))  # noqa: T201  # what `pytest -rP` shows are the figures of the week
    database.close()


def check(world: Week, games: list[GameId]) -> dict[str, int]:
    """Everything arrived, every copy the same to the byte, and the games went on; gives the figures."""
    outbox, server = world.outbox(), world.server
    assert {mail.status for mail in outbox} == {"sent"}
    arrived = Counter(parsed(kept.content)["Message-ID"].strip() for kept in server.kept)
    assert set(arrived) == {mail.message_id for mail in outbox}
    assert sum(arrived.values()) - len(arrived) == server.faults[Fault.CUT_KEPT]
    assert len(set(server.kept)) == len(arrived)
    assert min(server.faults[fault] for fault in Fault) >= FEWEST_FAULTS
    happened = [row.event for game in games for row in world.service.games.history(game)]
    counts = Counter(type(event) for event in happened)
    assert counts[e.TurnTimedOut] == counts[e.SeatLeft] == 0
    assert counts[e.ClockFrozen]
    assert counts[e.TurnPlayed] > FEWEST_TURNS
    assert len(server.kept) > len(arrived)
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []
    return {
        "notices": len(outbox),
        "copies": len(server.kept) - len(arrived),
        "turns": counts[e.TurnPlayed],
        "freezes": counts[e.ClockFrozen],
        "most attempts": max(mail.attempts for mail in outbox),
        **{fault.value: server.faults[fault] for fault in Fault},
    }
