"""Plays the games of `events/histories/` and writes them down: `python -m tests.histories.record`.

Everything is decided, stored and hashed by the product itself; only the moves are chosen here, and the instants made up, from a seed.
"""

import random
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from turnserver import resources
from turnserver.envelope import GameId, PlayerId, Version, game_stream
from turnserver.play.commands import (
    Accept,
    Adjudicate,
    Annul,
    Cancel,
    CheckClock,
    Command,
    CreditClock,
    Decline,
    OpenGame,
    PlayTurn,
    Resign,
    Retract,
)
from turnserver.play.decide import decide
from turnserver.play.events import SeatOrder
from turnserver.play.evolve import fold
from turnserver.play.state import GameState
from turnserver.rules import Seat
from turnserver.store import catalogue, history, log
from turnserver.store.database import Database

ADA, BOB = PlayerId(8), PlayerId(3)


class Table:
    """A game being played in a database of its own, under a clock that only moves when told to."""

    def __init__(self, database: Database, number: int) -> None:
        self.database = database
        self.stream = game_stream(GameId(number))
        self.random = random.Random(number)  # noqa: S311  # made-up moves, the same every time
        self.now = datetime(2025, 11, 3, 8, 0, tzinfo=UTC) + timedelta(days=number)
        self.hash: bytes | None = None
        self.state: GameState | None = None

    @property
    def game(self) -> GameState:
        assert self.state is not None
        return self.state

    def wait(self, **time: float) -> None:
        self.now += timedelta(**time)

    def do(self, command: Command, actor: str, cause: str) -> None:
        """Decide the command now and append what follows."""
        events = decide(self.state, command, self.now)
        expected = self.state.version if self.state else Version(0)
        with self.database.write() as tx:
            rows = log.append(tx, self.stream, expected, events, at=self.now, actor=actor, cause=cause, previous=self.hash)
        self.state, self.hash = fold(events, self.state), rows[-1].hash

    def below(self, limit: int) -> int:
        """A made-up number. Only `random()` itself is promised to be the same in every version of Python."""
        return int(self.random.random() * limit)

    def mail(self, player: PlayerId, make: Callable[[PlayerId, datetime], Command]) -> None:
        """A player's mail, handled some time after it arrived."""
        arrived_at = self.now
        self.wait(microseconds=self.below(5_000_000))
        cause = f"mail:{sha256(f'{self.stream} {arrived_at} {player}'.encode()).hexdigest()}"
        self.do(make(player, arrived_at), f"player-{player}", cause)

    def admin(self, command: Command) -> None:
        self.do(command, "admin:cleo", f"cli:{self.now:%Y%m%dT%H%M%S}")

    def clock(self) -> None:
        self.do(CheckClock(), "service", f"job:sweep:{self.game.version}")

    def open(self, opened_by: PlayerId | None = None, order: SeatOrder = SeatOrder.GIVEN, **options: str | int) -> None:
        """Seat Ada and Bob."""
        command = OpenGame("take", options, (ADA, BOB), order, days_per_move=3, opened_by=opened_by)
        if opened_by is None:
            self.admin(command)
        else:
            self.mail(opened_by, lambda _player, _at: command)

    def accept(self) -> None:
        """Let everybody who has to accept do so within a day."""
        for player in self.game.players:
            if player not in self.game.accepted:
                self.wait(hours=self.below(20))
                self.mail(player, Accept)

    def play(self, until: int = 1000) -> None:
        """Play any legal turns up to the one of that number, or to the end."""
        while self.game.to_move is not None and self.game.turn < until:
            self.wait(minutes=self.below(2800))
            self.mail(self.game.player_at(self.game.to_move), self.any_turn)

    def any_turn(self, player: PlayerId, arrived_at: datetime) -> PlayTurn:
        position, rules = self.game.line.position, self.game.game.rules
        steps = rules.steps(position)
        text = rules.format(position, steps[self.below(len(steps))])
        return PlayTurn(player, arrived_at, text, self.game.turn, self.game.edition)


class Recording(NamedTuple):
    """`about` says in one phrase what the game shows; `script` plays it."""

    name: str
    about: str
    script: Callable[[Table], None]


def won_by_rules(table: Table) -> None:
    table.open(ADA, SeatOrder.LOT, size=5)
    table.accept()
    table.play()


def high_churn(table: Table) -> None:
    table.open(variant="high-churn", size=4)
    table.accept()
    table.play()


def resigned(table: Table) -> None:
    table.open(BOB, SeatOrder.LOT, size=4)
    table.accept()
    table.play(until=10)
    table.wait(hours=3)
    table.mail(BOB, Resign)


def lost_on_time(table: Table) -> None:
    table.open(ADA, size=3)
    table.accept()
    table.play(until=6)
    table.wait(days=2)
    table.clock()
    table.wait(days=1, seconds=9)
    table.clock()


def retracted(table: Table) -> None:
    table.open(size=4)
    table.accept()
    table.play(until=12)
    table.wait(hours=1)
    table.admin(Retract(10, "Turn 10 was meant for another game."))
    table.play()


def adjudicated(table: Table) -> None:
    table.open(size=4)
    table.accept()
    table.play(until=8)
    table.wait(days=2, hours=1)
    table.clock()
    table.admin(CreditClock(2 * 86400, "The service was down for two days."))
    table.wait(days=1)
    table.admin(Adjudicate((Seat(2),), "Red stopped playing; Blue is ahead."))


def annulled(table: Table) -> None:
    table.open(ADA, size=3)
    table.accept()
    table.play(until=5)
    table.mail(ADA, Resign)
    table.wait(days=10)
    table.admin(Annul("Both sides were played by one person."))


def cancelled(table: Table) -> None:
    table.open()
    table.wait(days=30)
    table.admin(Cancel("One of the two never answered."))


def declined(table: Table) -> None:
    table.open(ADA, SeatOrder.LOT)
    table.wait(hours=7)
    table.mail(BOB, Decline)


RECORDINGS = (
    Recording("take-won", "Standard Take, side 5, a challenge: won by the rules", won_by_rules),
    Recording("take-high-churn-won", "High-churn Take, side 4, opened by an admin: won by the rules", high_churn),
    Recording("take-resigned", "The challenger resigns", resigned),
    Recording("take-lost-on-time", "One reminder, then the deadline passes", lost_on_time),
    Recording("take-retracted", "An admin takes two turns back; they are played again, and the game ends by the rules", retracted),
    Recording("take-adjudicated", "An admin gives two days back after an outage, and later decides the game", adjudicated),
    Recording("take-annulled", "A game ends by resignation and its result is taken back", annulled),
    Recording("take-cancelled", "An admin calls a game off that never started", cancelled),
    Recording("take-declined", "A challenge is declined", declined),
)


def record(recording: Recording, number: int) -> str:
    """Play a game and give its text. The same every time, until the product changes."""
    with tempfile.TemporaryDirectory() as directory:
        database = Database.create_or_upgrade(f"sqlite:///{directory}/turnserver.db")
        table = Table(database, number)
        recording.script(table)
        with database.read() as conn:
            rows = history.load(conn, table.stream)
        database.close()
    return catalogue.write_history(recording.about, catalogue.ending(table.game), rows)


def main() -> None:
    root: Path = resources.events_dir()
    for number, recording in enumerate(RECORDINGS, start=1):
        (root / "histories" / f"{recording.name}.jsonl").write_text(record(recording, number), encoding="utf-8")
    catalogue.write(root)


if __name__ == "__main__":
    main()
