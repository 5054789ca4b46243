"""A service over a new database, two players a game at its mailboxes, and a way to have very many games without playing each of them."""

import random
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from email import policy
from email.message import EmailMessage
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from sqlmodel import SQLModel

from tests.terms import PLAIN
from turnserver.config import DatabaseSettings, Incoming, Settings, Site
from turnserver.ids import GameId, PlayerId, game_stream
from turnserver.mail.format.tokens import Token, reply_address
from turnserver.play.commands import Accept, PlayTurn
from turnserver.play.events import SeatOrder, TurnPlayed
from turnserver.play.state import GameState
from turnserver.rules.kit import example_turns
from turnserver.service.service import Service
from turnserver.store.log import log
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import table
from turnserver.store.log.statement import instant, stamp
from turnserver.store.log.tables import EventRow, GameRow, SeatRow
from turnserver.store.mail import outbox
from turnserver.store.mail.outbox import OutboxItem
from turnserver.store.people import accounts as people

ADDRESS = "turns@club.example"
LIFTED = Incoming(mails_per_hour=100_000, answers_per_day=10_000)
"""A benchmark sends more mail in an hour than a person does in a year."""


class Letter(NamedTuple):
    """A mail on its way to us, with its envelope, that plays a move in `game`, which has had `version` events."""

    raw: bytes
    recipient: str
    sender: str
    game: GameId
    version: int


def settings(database: Path | str) -> Settings:
    """The settings of a club whose database is that file, or has that URL."""
    url = f"sqlite:///{database}" if isinstance(database, Path) else database
    return Settings(site=Site(address=ADDRESS), play=PLAIN, incoming=LIFTED, database=DatabaseSettings(url=url))


class Club:
    """Plays games of Take. Mail that is due is not sent but noted as sent, all of it with the text of one real turn mail."""

    def __init__(self, service: Service) -> None:
        """Use the club of `service`."""
        self.service = service
        with service.db.read() as conn:
            self._keys = keyring.keys(conn, keyring.REPLY)
        self._pairs = len(service.people.everybody()) // 2
        self._newest: dict[tuple[GameId, PlayerId], OutboxItem] = {}
        self.text = ""
        """The text of every mail that is noted as sent."""

    @classmethod
    def found(cls, database: Path | str) -> "Club":
        """Make the database in that file, or the tables of the one with that URL."""
        return cls(Service.initialise(settings(database)))

    def open(self, size: int = 5, turns: int = 0, seed: int = 0) -> GameId:
        """Open a game between two new players and play so many turns at random."""
        service = self.service
        self._pairs += 1
        names = [f"{name}{self._pairs}" for name in ("Ada", "Bob")]
        pair = [service.people.add(name, f"{name}@example.org", actor="admin:bench", cause=f"cli:{name}") for name in names]
        game = service.games.open("take", {"size": size}, names, order=SeatOrder.GIVEN, actor="admin:bench", cause="cli:open").game
        for person in pair:
            service.games.handle(game, Accept(person.id, service.clock()), actor=f"player-{person.id}", cause=f"cli:{person.id}")
        chance = random.Random(seed)  # noqa: S311  # repeatable on purpose
        for turn in range(turns):
            self.play(game, chance, f"cli:turn-{turn}")
        return game

    def play(self, game: GameId, chance: random.Random, cause: str) -> None:
        """Play a turn at random."""
        state = self.service.games.state(game)
        rules, position = state.game.rules, state.line.position
        step = rules.format(position, chance.choice(rules.steps(position)))
        player = _on_move(state)
        self.service.games.handle(game, PlayTurn(player, self.service.clock(), step), actor=f"player-{player}", cause=cause)

    def deliver(self) -> None:
        """Note all mail as sent."""
        service, owner = self.service, "bench"
        items = outbox.claim(service.db, service.clock(), 1_000_000, timedelta(hours=1), owner)
        if items and not self.text:
            self.text = service.mail.render(items[-1].id).mail.text
        with service.db.write() as tx:
            for item in items:
                outbox.sent(tx, item.id, owner, service.clock(), self.text)
        self._newest.update(((item.game, item.player), item) for item in items if item.game is not None and item.player is not None)

    def answers(self, games: Iterable[GameId]) -> Iterator[Letter]:
        """Yield a legal move in each game by whoever is to move, in answer to the newest mail to them about it, which is quoted below."""
        self.deliver()
        states = {game: self.service.games.state(game) for game in games}
        return (self._answer(game, state) for game, state in states.items())

    def assert_played(self, letters: Iterable[Letter]) -> None:
        """Raise AssertionError unless each mail played its move and its opponent is to get a mail of that; then note these as sent."""
        self.deliver()
        for letter in letters:
            *_, newest = self.service.games.history(letter.game)
            if newest.version != letter.version + 1 or not isinstance(newest.event, TurnPlayed) or not newest.cause.startswith("mail:"):
                raise AssertionError(f"game {letter.game} got no move by mail after version {letter.version}: {newest}")
            told = self._newest[letter.game, _on_move(self.service.games.state(letter.game))]
            if told.version != newest.version:
                raise AssertionError(f"nobody is told of version {newest.version} of game {letter.game}, only of {told.version}")

    def _answer(self, game: GameId, state: GameState) -> Letter:
        """Write the mail to the reply address of the turn."""
        with self.service.db.read() as conn:
            player = people.player(conn, _on_move(state))
        mail = self._newest[game, player.id]
        recipient = reply_address(ADDRESS, self._keys, Token(player.id, game, state.turn, state.edition))
        (move,) = example_turns(state.game.rules, state.line.position, count=1)
        raw = answer(
            f"{player.name} <{player.address}>", recipient, f"{game}.{state.turn}.{state.edition}", mail.message_id, move, self.text
        )
        return Letter(raw, recipient, player.address, game, state.version)


def answer(sender: str, recipient: str, name: str, answered: str, move: str, quoted: str) -> bytes:  # noqa: PLR0917  # what is in it
    """Write the answer to a mail of ours as a web mailer does: text and HTML, both with the whole of the `quoted` text below.

    `name` tells its Message-ID from others, and `answered` is the Message-ID of our mail.
    """
    written = f"On Tue, May 6, 2025 at 7:02 PM turnserver <{ADDRESS}> wrote:"
    letter = EmailMessage(policy=policy.SMTP)
    letter["Received"] = "from mx.example.org ([192.0.2.1]) by club.example with ESMTPS id 4Zs6tL; Tue, 6 May 2025 21:14:03 +0200"
    letter["From"] = sender
    letter["To"] = f"turnserver <{recipient}>"
    letter["Subject"] = "Re: [turnserver] Take"
    letter["Date"] = datetime.now(UTC)
    letter["Message-ID"] = f"<{name}@mail.example.org>"
    letter["In-Reply-To"] = letter["References"] = answered
    below = "".join(f"> {line}".rstrip() + "\n" for line in quoted.splitlines())
    letter.set_content(f"{move}\n\n{written}\n\n{below}", cte="quoted-printable")
    page = f"<div dir=ltr>{move}</div><div class=quote>{escape(written)}<blockquote><pre>{escape(quoted)}</pre></blockquote></div>"
    letter.add_alternative(page, subtype="html", cte="quoted-printable")
    return letter.as_bytes()


def _on_move(state: GameState) -> PlayerId:
    if state.to_move is None:
        raise AssertionError("the game is over")
    return state.player_at(state.to_move)


def copies(path: Path, source: GameId, count: int, *, events: bool) -> range:
    """Copy a game, with its seats and its log or without, under the numbers that follow the last one; gives the new numbers.

    The copies fall due a second after one another. Their hashes are right, so an audit finds nothing wrong with copies that have a log.
    """
    connection = sqlite3.connect(path)
    with connection:
        numbers = _reserve(connection, "game", count)
        (row,) = connection.execute("SELECT * FROM game WHERE id = ?", (source,))
        insert(connection, GameRow, (_game_like(row, number, after) for after, number in enumerate(numbers, start=1)))
        if events:
            seats = connection.execute("SELECT * FROM seat WHERE game = ?", (source,)).fetchall()
            insert(connection, SeatRow, ((number, *seat[1:]) for number in numbers for seat in seats))
            log_rows = connection.execute("SELECT * FROM event WHERE stream = ? ORDER BY version", (game_stream(source),)).fetchall()
            positions = _reserve(connection, "position", count * len(log_rows))
            insert(connection, EventRow, _events_like(log_rows, numbers, iter(positions)))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return numbers


def insert(connection: sqlite3.Connection, into: type[SQLModel], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows that hold every column in the order of the table."""
    stored = table(into)
    connection.executemany(f"INSERT INTO {stored.name} VALUES ({', '.join('?' * len(stored.columns))})", rows)  # noqa: S608  # our own names


def _reserve(connection: sqlite3.Connection, counter: str, count: int) -> range:
    ((last,),) = connection.execute("UPDATE counter SET value = value + ? WHERE name = ? RETURNING value", (count, counter)).fetchall()
    return range(last - count + 1, last + 1)


def _game_like(row: Sequence[Any], number: int, seconds: int) -> Sequence[Any]:
    values = dict(zip(table(GameRow).columns.keys(), row, strict=True))
    later = timedelta(seconds=seconds)
    return tuple(
        {
            **values,
            "id": number,
            "deadline_at": stamp(instant(values["deadline_at"]) + later),
            "due_at": stamp(instant(values["due_at"]) + later),
        }.values()
    )


def _events_like(rows: Sequence[Sequence[Any]], games: Iterable[int], positions: Iterator[int]) -> Iterator[Sequence[Any]]:
    for game in games:
        head, stream = "", game_stream(GameId(game))
        for row in rows:
            envelope = (next(positions), stream, *row[2:-1])
            head = log.chain(head, envelope)
            yield (*envelope, head)
