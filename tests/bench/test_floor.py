"""The floor of accepting a move does the work of the service and nothing less: it writes the same rows, and plays the same game."""

import ast
import random
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from sqlalchemy import make_url

from tests.bench import floor
from tests.bench.accept import SIDE, Copied
from tests.bench.club import Club, Letter, settings
from tests.bench.floor import Board, Place
from turnserver import games
from turnserver.ids import GameId
from turnserver.mail.format.tokens import find
from turnserver.outside import system_entropy
from turnserver.rules import Over
from turnserver.service.keys import ensure
from turnserver.service.service import Service
from turnserver.store.log.database import Database
from turnserver.store.log.tables import METADATA

TURNS = 3
MOVE = re.compile(rb"(\r\n\r\n)([a-i][1-9]\r\n)")
OURS = {("inbox", "lease_owner")}
"""The columns that the floor does not write: who handled a mail."""


class Both:
    """A club and the floor over a copy of its database, at one instant of a clock that the test moves."""

    def __init__(self, url: str, copied: Callable[[Service, Sequence[GameId]], Copied]) -> None:
        """Open two games and copy them."""
        self.now = datetime(2026, 5, 4, 9, 0, 0, 17, UTC)
        database = Database.connect(url)
        with database.write() as tx:
            ensure(tx, system_entropy)
        self.club = Club(Service(database, settings(url), clock=lambda: self.now))
        self.games = [self.club.open(SIDE, seed=number) for number in range(2)]
        self.club.deliver()
        self.copied = copied(self.club.service, self.games)

    def letters(self) -> list[Letter]:
        """Return the next move of each game by mail, an hour later."""
        self.now += timedelta(hours=1, microseconds=1)
        letters = list(self.club.answers(self.games))
        self.copied.deliver(self.club.text)
        return letters

    def close(self) -> None:
        """Close both databases."""
        self.copied.close()
        self.club.service.db.close()

    def served(self, letters: Sequence[Letter]) -> None:
        """Have the service accept some mails."""
        for letter in letters:
            self.club.service.mail.receive(letter.raw, letter.recipient, letter.sender, "lmtp")
            assert self.club.service.mail.read_inbox().handled == 1


class Databases(NamedTuple):
    """A connection of its own to the database of the service, and to the copy."""

    served: Any
    copied: Any

    def rows(self) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
        """Return all rows of all tables of both, but for what the floor does not write."""
        return _rows(self.served), _rows(self.copied)


@contextmanager
def on_sqlite(url: str, tmp_path: Path) -> Iterator[tuple[Both, Databases]]:
    """Copy an SQLite file."""
    path, copy = Path(str(make_url(url).database)), tmp_path / "floor.db"
    both = Both(url, lambda service, games: Copied.of_sqlite(path, copy, service, games))
    with closing(both), closing(sqlite3.connect(path)) as served, closing(sqlite3.connect(copy)) as copied:
        yield both, Databases(served, copied)


@contextmanager
def on_postgresql(url: str, server: str) -> Iterator[tuple[Both, Databases]]:
    """Copy a database of a server."""
    name = str(make_url(url).database)
    copy = f"{name}_floor"
    both = Both(url, lambda service, games: Copied.of_postgresql(server, name, copy, service, games))
    served, copied = (psycopg.connect(server.replace("/postgres?", f"/{each}?"), autocommit=True) for each in (name, copy))
    with closing(both), closing(served), closing(copied):
        yield both, Databases(served, copied)


def test_it_writes_the_rows_of_the_service_on_sqlite(sqlite_url: str, tmp_path: Path) -> None:
    with on_sqlite(sqlite_url, tmp_path) as (both, databases):
        check(both, databases)


def test_it_writes_the_rows_of_the_service_on_postgresql(postgresql_url: str, postgresql_server: str) -> None:
    with on_postgresql(postgresql_url, postgresql_server) as (both, databases):
        check(both, databases)


def check(both: Both, databases: Databases) -> None:
    """Play some turns on both sides."""
    for turn in range(TURNS):
        letters = both.letters()
        both.served(letters)
        if turn % 2:
            with both.copied.floor.together():
                for letter in letters:
                    both.copied.floor.take(letter.raw, letter.recipient, letter.sender, both.now)
        else:
            for letter in letters:
                both.copied.floor.accept(letter.raw, letter.recipient, letter.sender, both.now)
        both.copied.assert_accepted(letters)
        for number, letter in enumerate(letters, start=1 + turn * len(letters)):
            item, reading = both.club.service.mail.reading(number)
            mail = floor.read(letter.raw, str(find([letter.recipient])))
            assert mail == (reading.sender, reading.references[0], reading.lines, item.identity)
    served, copied = databases.rows()
    assert {name: rows for name, rows in copied.items() if rows != served[name]} == {}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda one: one._replace(recipient=one.recipient.replace("+", "+1", 1)), "forged"),
        (lambda one: one._replace(raw=MOVE.sub(rb"\1j1\r\n", one.raw)), "no cell"),
        (lambda one: one._replace(raw=MOVE.sub(rb"\1\2resign\r\n", one.raw)), "no turn that is due"),
        (lambda one: one._replace(raw=re.sub(rb"(From: \S+ <)", rb"\1x", one.raw)), "no turn that is due"),
        (lambda one: one._replace(raw=b"Auto-Submitted: auto-replied\r\n" + one.raw), "a machine"),
    ],
)
def test_what_it_does_not_understand_changes_nothing(change: Callable[[Letter], Letter], why: str, sqlite_url: str, tmp_path: Path) -> None:
    with on_sqlite(sqlite_url, tmp_path) as (both, databases):
        letter, _ = both.letters()
        before, changed = databases.rows(), change(letter)
        with pytest.raises(ValueError, match=why):
            both.copied.floor.accept(changed.raw, changed.recipient, changed.sender, both.now)
        assert databases.rows() == before
        both.copied.floor.accept(letter.raw, letter.recipient, letter.sender, both.now)
        with pytest.raises(ValueError, match="has come before"):
            both.copied.floor.accept(letter.raw, letter.recipient, letter.sender, both.now)


def test_work_that_was_left_out_is_noticed(sqlite_url: str, tmp_path: Path) -> None:
    with on_sqlite(sqlite_url, tmp_path) as (both, _):
        letters = both.letters()
        both.served(letters)
        with pytest.raises(AssertionError, match="the floor wrote"):
            both.copied.assert_accepted(letters)


@pytest.mark.parametrize("side", [2, 3, 5])
def test_it_plays_take(side: int) -> None:
    chance = random.Random(side)  # noqa: S311  # repeatable on purpose
    rules, board = games.find("take", size=side).rules, Board(side)
    assert set(board.cells) == {rules.format(rules.start(), step) for step in rules.steps(rules.start())}
    for _ in range(6):
        state = rules.start()
        mine = Place(1, 0, state.mine, state.theirs, state.cover, 1, 1)
        while True:
            legal = {rules.format(state, step) for step in rules.steps(state)}
            assert {name for name in board.cells if _is_legal(board, mine, name)} == legal
            move = chance.choice(sorted(legal))
            state = rules.apply(state, rules.parse(state, move))
            after = board.play(mine, move)
            if isinstance(rules.next(state), Over):
                assert after is None
                break
            assert after == Place(1, 0, state.mine, state.theirs, state.cover, 1, 1)
            mine = after


def test_it_imports_nothing_of_turnserver() -> None:
    tree = ast.parse(Path(floor.__file__).read_text("utf-8"))
    named = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    named += [str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert [name for name in named if name.partition(".")[0] in ("turnserver", "tests", "sqlalchemy", "sqlmodel")] == []


def _is_legal(board: Board, at: Place, name: str) -> bool:
    try:
        board.play(at, name)
    except ValueError:
        return False
    return True


def _rows(connection: Any) -> dict[str, list[Any]]:
    columns = {
        table.name: ", ".join(f'"{column.name}"' for column in table.columns if (table.name, column.name) not in OURS)
        for table in METADATA.sorted_tables
    }
    return {name: sorted(connection.execute(f'SELECT {of} FROM "{name}"').fetchall(), key=repr) for name, of in columns.items()}  # noqa: S608  # our own names
