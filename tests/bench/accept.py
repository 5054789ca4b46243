"""A move from the bytes of a mail to durable events, views and outbox, against the bare statements that this cannot do without.

The baseline writes, through nothing but the driver, one row of each kind as the service wrote it: the mail, the event, the game, the
mail to the opponent. It does so into a copy of the service's own database, in the same directory and with the same settings, once in one
transaction and once in the two that the promise to lose no mail demands: the mail first, then what it causes.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from time import process_time
from typing import Any, Final

from tests.bench.club import Club, Letter
from tests.bench.measure import Budget, Figure, Rounds, alternate
from tests.bench.scale import Scale
from turnserver.ids import GameId

BUDGET: Final = Budget(2)


class Bare:
    """The rows that the service writes for a move, written by hand."""

    def __init__(self, path: Path, like: Path) -> None:
        """Copy the database at `like`, in which at least one move was played by mail, and write copies of its newest rows."""
        with closing(sqlite3.connect(like)) as source, source:
            self._connection = sqlite3.connect(path, isolation_level=None)
            source.backup(self._connection)
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "recursive_triggers = ON"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._numbers = count(10_000_000)
        self._rows = {name: self._newest(name) for name in ("inbox", "event", "game", "outbox")}
        self._insertions = {
            name: f"INSERT INTO {name} VALUES ({', '.join(f':{column}' for column in row)})"  # noqa: S608  # our own names
            for name, row in self._rows.items()
        }
        changing = ("version", "status", "turn", "to_move", "deadline_at", "due_at")
        self._update = f"UPDATE game SET {', '.join(f'{name} = :{name}' for name in changing)} WHERE id = :id"  # noqa: S608  # our own names

    def at_once(self, letter: Letter) -> None:
        """Four statements, one commit."""
        number = next(self._numbers)
        self._connection.execute("BEGIN IMMEDIATE")
        self._receive(number, letter)
        self._record(number)
        self._connection.execute("COMMIT")

    def mail_first(self, letter: Letter) -> None:
        """The same four statements, two commits."""
        number = next(self._numbers)
        self._connection.execute("BEGIN IMMEDIATE")
        self._receive(number, letter)
        self._connection.execute("COMMIT")
        self._connection.execute("BEGIN IMMEDIATE")
        self._record(number)
        self._connection.execute("COMMIT")

    def close(self) -> None:
        """Close the copy."""
        self._connection.close()

    def _receive(self, number: int, letter: Letter) -> None:
        self._insert("inbox", id=number, identity=f"{number:064}", raw=letter.raw)

    def _record(self, number: int) -> None:
        self._insert("event", position=number, version=number, cause=f"mail:{number:064}")
        self._connection.execute(self._update, {**self._rows["game"], "version": number, "turn": number})
        self._insert("outbox", id=number, message_id=f"<turn.{number:032}@club.example>")

    def _insert(self, name: str, **changed: object) -> None:
        self._connection.execute(self._insertions[name], {**self._rows[name], **changed})

    def _newest(self, name: str) -> Mapping[str, Any]:
        cursor = self._connection.execute(f"SELECT * FROM {name} ORDER BY 1 DESC LIMIT 1")  # noqa: S608  # our own names
        return dict(zip((column for column, *_ in cursor.description), cursor.fetchone(), strict=True))


def accept(directory: Path, scale: Scale) -> Iterator[Figure]:
    """One mail at a time, as they trickle in, and a mail from each of many games at once, as after a night."""
    club = Club.found(directory / "accept.db")
    games = [club.open(seed=number) for number in range(scale.mails)]
    handled = Handled(club, games)
    handled.at_once()
    bare = Bare(directory / "bare.db", directory / "accept.db")
    for key, what, by_service in (
        ("accept.single", "accept a move, mails one at a time", handled.one_by_one),
        ("accept.batch", f"accept a move, {scale.mails} mails at once", handled.at_once),
    ):
        measured = alternate(
            scale.rounds,
            {
                "service": by_service,
                "one": partial(handled.again, bare.at_once),
                "two": partial(handled.again, bare.mail_first),
            },
        )
        yield _figure(measured, key, what, "four bare statements, one commit", "one")
        yield _figure(measured, f"{key}.mail_first", what, "the same, mail committed first", "two")
    bare.close()
    club.service.db.close()


class Handled:
    """Mails that the service has handled, to be handled once more by hand. Each way gives the seconds of processor time a mail."""

    def __init__(self, club: Club, games: Sequence[GameId], clock: Callable[[], float] = process_time) -> None:
        """Take a round of mails, one from each of the `games`, whenever the service is to work."""
        self._club = club
        self._clock = clock
        self._games = games
        self._letters: Sequence[Letter] = ()

    def one_by_one(self) -> float:
        """The service takes each mail in and reads it before the next one comes."""
        self._letters = list(self._club.answers(self._games))
        began = self._clock()
        for letter in self._letters:
            self._receive(letter)
            self._club.service.mail.read_inbox()
        return self._each(self._clock() - began)

    def at_once(self) -> float:
        """The service takes all mails in and then reads them."""
        self._letters = list(self._club.answers(self._games))
        began = self._clock()
        for letter in self._letters:
            self._receive(letter)
        self._club.service.mail.read_inbox()
        return self._each(self._clock() - began)

    def again(self, by_hand: Callable[[Letter], None]) -> float:
        """The same mails, handled by hand one after another."""
        began = process_time()
        for letter in self._letters:
            by_hand(letter)
        return (process_time() - began) / len(self._letters)

    def _receive(self, letter: Letter) -> None:
        self._club.service.mail.receive(letter.raw, letter.recipient, letter.sender, "lmtp")

    def _each(self, seconds: float) -> float:
        self._club.assert_played(self._letters)
        return seconds / len(self._letters)


def _figure(measured: Rounds, key: str, what: str, against: str, baseline: str) -> Figure:
    service, bare = measured.typical("service") * 1e3, measured.typical(baseline) * 1e3
    return Figure(key, what, "ms", service, against, bare, measured.ratio("service", baseline), BUDGET)
