"""A move from the bytes of a mail to durable events, views and outbox, against the floor: one hand-written file that does the same work.

The floor works on a copy of the service's own database, made before the first round, and then takes each mail that the service took. It
keeps the promise that no mail is lost with one commit a mail; a second floor takes all mails of a round within one commit, which nobody
may do who has to answer for each before the next one comes. PostgreSQL's own processor time is in the wall time alone.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
import psycopg

from tests.bench import postgresql
from tests.bench.club import ADDRESS, Club, Letter
from tests.bench.floor import Floor, Place
from tests.bench.measure import Budget, Cost, Figure, Rounds, alternate_costs
from tests.bench.scale import Scale
from turnserver.ids import GameId
from turnserver.service.service import Service
from turnserver.store.log.statement import stamp

Connection: TypeAlias = sqlite3.Connection | psycopg.Connection

BUDGET: Final = Budget(2)
SIDE: Final = 5
DAY: Final = 24 * 60 * 60
DURABLE: Final = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "recursive_triggers = ON")
"""The settings that the service gives SQLite for every connection and file."""

_WRITTEN: Final = """
SELECT event.data FROM event JOIN inbox ON event.cause = 'mail:' || inbox.identity AND inbox.status = 'done'
JOIN outbox ON outbox.game = {game} AND outbox.version = event.version AND outbox.kind = 'turn'
JOIN game ON game.id = {game} AND game.version = event.version
WHERE event.stream = 'game-{game}' AND event.version = {version}
"""

_DELIVER: Final = """
UPDATE outbox SET status = 'sent', text = {mark}, sent_at = {mark}, answer = '', attempts = 1, begun = 1 WHERE status = 'queued'
"""


def accept(directory: Path, scale: Scale) -> Iterator[Figure]:
    """Measure one mail at a time, as they trickle in, and a mail from each of many games at once, as after a night."""
    path = directory / "accept.db"
    yield from _figures("accept", "", scale, Club.found(path), lambda name, *of: Copied.of_sqlite(path, directory / name, *of))
    with postgresql.server() as server:
        club = Club.found(postgresql.create(server, "accept"))
        copied = partial(Copied.of_postgresql, server, "accept")
        yield from _figures("accept.postgresql", " on PostgreSQL", scale, club, copied)


class Copied:
    """A floor over a copy of the database of a service, which is to be in the middle of nothing."""

    def __init__(  # whose, of what, and how the driver has it
        self, connection: Connection, service: Service, games: Sequence[GameId], mark: str = "?", begin: str = "BEGIN IMMEDIATE"
    ) -> None:
        """Have the floor work through a connection, and give it the positions of the games."""
        self._connection = connection
        self._cursor = connection.cursor()
        self._mark = mark
        self.floor = Floor(self._cursor, site=ADDRESS, side=SIDE, mark=mark, begin=begin)
        self.floor.prepare(place(service, game) for game in games)
        self._service = service

    @classmethod
    def of_sqlite(cls, source: Path, path: Path, service: Service, games: Sequence[GameId]) -> "Copied":
        """Copy a file."""
        connection = sqlite3.connect(path, isolation_level=None)
        with closing(sqlite3.connect(source)) as original, original:
            original.backup(connection)
        for pragma in DURABLE:
            connection.execute(f"PRAGMA {pragma}")
        return cls(connection, service, games)

    @classmethod
    def of_postgresql(cls, server: str, source: str, name: str, service: Service, games: Sequence[GameId]) -> "Copied":
        """Copy a database of a server, once the service has let go of it."""
        service.db.close()
        connection = psycopg.connect(postgresql.create(server, name, source), autocommit=True)
        return cls(connection, service, games, "%s", "BEGIN")

    def one_by_one(self, letters: Sequence[Letter]) -> None:
        """Accept some mails, each durably before the next one."""
        for letter in letters:
            self.floor.accept(letter.raw, letter.recipient, letter.sender, datetime.now(UTC))

    def together(self, letters: Sequence[Letter]) -> None:
        """Accept some mails, all durably at the end."""
        with self.floor.together():
            for letter in letters:
                self.floor.take(letter.raw, letter.recipient, letter.sender, datetime.now(UTC))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def assert_accepted(self, letters: Sequence[Letter]) -> None:
        """Raise AssertionError unless each mail played its move, as it did in the service, and its opponent is to get a mail of that."""
        for letter in letters:
            self._cursor.execute(_WRITTEN.format(game=letter.game, version=letter.version + 1))
            (data,) = self._cursor.fetchone() or ("{}",)
            *_, played = self._service.games.history(letter.game)
            if msgspec.json.decode(data).get("steps") != list(getattr(played.event, "steps", ())):
                raise AssertionError(f"the floor wrote {data} as version {letter.version + 1} of game {letter.game}")
            if self.floor.place(letter.game) != place(self._service, letter.game):
                raise AssertionError(f"the floor came to another position in game {letter.game}")

    def deliver(self, text: str) -> None:
        """Note all mail as sent, with that text, as the club does."""
        self._cursor.execute(_DELIVER.format(mark=self._mark), (text, stamp(self._service.clock())))


class Accepted:
    """Mails that the service takes, and that floors then take again. Each way gives what a mail cost."""

    def __init__(self, club: Club, games: Sequence[GameId], so_far: Callable[[], Cost] = Cost.so_far) -> None:
        """Take a round of mails, one from each of the `games`, whenever the service is to work."""
        self._club = club
        self._so_far = so_far
        self._games = games
        self._letters: Sequence[Letter] = ()

    def one_by_one(self) -> Cost:
        """Have the service take each mail in and read it before the next one comes."""

        def work(letters: Sequence[Letter]) -> None:
            for letter in letters:
                self._receive(letter)
                self._club.service.mail.read_inbox()

        return self._accepted(work)

    def at_once(self) -> Cost:
        """Have the service take all mails in and then read them."""

        def work(letters: Sequence[Letter]) -> None:
            for letter in letters:
                self._receive(letter)
            self._club.service.mail.read_inbox()

        return self._accepted(work)

    def again(self, floor: Copied, work: Callable[[Copied, Sequence[Letter]], None]) -> Cost:
        """Have a floor take the same mails."""
        floor.deliver(self._club.text)
        began = self._so_far()
        work(floor, self._letters)
        cost = self._so_far().since(began, len(self._letters))
        floor.assert_accepted(self._letters)
        return cost

    def _accepted(self, work: Callable[[Sequence[Letter]], None]) -> Cost:
        self._letters = list(self._club.answers(self._games))
        began = self._so_far()
        work(self._letters)
        cost = self._so_far().since(began, len(self._letters))
        self._club.assert_played(self._letters)
        return cost

    def _receive(self, letter: Letter) -> None:
        self._club.service.mail.receive(letter.raw, letter.recipient, letter.sender, "lmtp")


def place(service: Service, game: GameId) -> Place:
    """Return the position of a game at three days a move with a reminder on the last of them, as the floor keeps it."""
    state = service.games.state(game)
    position = state.line.position
    return Place(game, state.edition, position.mine, position.theirs, position.cover, 3 * DAY, DAY)


def _figures(
    key: str, where: str, scale: Scale, club: Club, copied: Callable[[str, Service, Sequence[GameId]], Copied]
) -> Iterator[Figure]:
    games = [club.open(SIDE, seed=number) for number in range(scale.mails)]
    club.deliver()
    accepted = Accepted(club, games)
    floors = each, together = [copied(name, club.service, games) for name in ("floor", "together")]
    again = {
        "floor": partial(accepted.again, each, Copied.one_by_one),
        "together": partial(accepted.again, together, Copied.together),
    }
    single = alternate_costs(scale.rounds, {"service": accepted.one_by_one, **again})
    batch = alternate_costs(scale.rounds, {"service": accepted.at_once, **again})
    for one in floors:
        one.close()
    club.service.db.close()
    for name, what, measured in (
        ("single", f"accept a move, mails one at a time{where}", single),
        ("batch", f"accept a move, {scale.mails} mails at once{where}", batch),
    ):
        yield _figure(measured["processor"], f"{key}.{name}", what, "the floor, processor time", "floor", BUDGET)
        yield _figure(measured["wall"], f"{key}.{name}.wall", what, "the floor, wall time", "floor")
    yield _figure(batch["processor"], f"{key}.batch.together", what, "the floor in one commit, processor time", "together")


def _figure(measured: Rounds, key: str, what: str, against: str, floor: str, budget: Budget | None = None) -> Figure:  # noqa: PLR0917
    service, least = measured.typical("service") * 1e3, measured.typical(floor) * 1e3
    return Figure(key, what, "ms", service, against, least, measured.ratio("service", floor), budget)
