"""Nothing that a service does again and again reads a table from end to end that grows with its games, mails and players."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, cycle
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import text

from tests.service.leagues.league_world import begin, open_league
from tests.service.world import World
from turnserver.store.log import tables
from turnserver.store.log.database import Database, Transaction
from turnserver.store.log.statement import Statement

SMALL: Final = {"counter", "heartbeat", "outage", "reader", "rest", "restoration", "loss", "checkpoint", "secret", "CONSTANT"}
"""Tables with a few rows: what happened to the service itself. A `CONSTANT ROW` is none at all."""
INDEXES: Final = [index for table in tables.METADATA.tables.values() for index in table.indexes]
PARTIAL: Final = {index.name for index in INDEXES if index.dialect_options["sqlite"]["where"] is not None}
"""Indexes with rows that wait for something alone, which may be read from end to end."""


class Asked:
    """Each statement that was run while the service was at work, with values for it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Note what transactions run."""
        self.statements: dict[str, Any] = {}
        self._at_work = False
        for name in ("rows", "run"):
            monkeypatch.setattr(Transaction, name, self._noting(getattr(Transaction, name)))

    def _noting(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def ask(tx: Transaction, statement: Statement, **values: Any) -> Any:
            words, bind = statement.compile(tx.database.engine.dialect)
            if self._at_work:
                self.statements.setdefault(words, bind(values))
            return method(tx, statement, **values)

        return ask

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Note only what is run in here."""
        self._at_work = True
        try:
            yield
        finally:
            self._at_work = False


def steps(tx: Transaction, words: str, values: Any) -> list[str]:
    """Return the steps of a plan that read a table from end to end."""
    if tx.database.engine.dialect.name == "sqlite":
        plan = [row[-1] for row in tx._driver.execute(f"EXPLAIN QUERY PLAN {words}", values).fetchall()]
        return [step for step in plan if step.startswith("SCAN") and step.split()[1] not in SMALL and not PARTIAL & {*step.split()}]
    plan = [row[0].strip(" ->") for row in tx._driver.execute(f"EXPLAIN {words}", values).fetchall()]
    return [step for step in plan if step.startswith("Seq Scan") and step.split()[3] not in SMALL]


def test_what_recurs_finds_its_rows_by_an_index(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mails of all sorts, turns, plans, an undo, reminders, deadlines, an outage and a league."""
    asked, world = Asked(monkeypatch), World(database, tmp_path)

    def work() -> None:
        with asked.at_work():
            world.service.tick()

    world.open({"size": 3})
    said = {"Ada": ["c3", "if b2 then b1", "undo"], "Bob": ["say hello", "a1", "games"]}
    for name, words in zip(cycle(said), chain(*zip(*said.values(), strict=True)), strict=False):
        world.answer(name, words, settle=False)
        work()
    begin(world, open_league(world))
    for _ in range(6):
        world.wait(hours=20)
        work()
    assert len(asked.statements) > 50
    with database.write() as tx:
        if database.engine.dialect.name == "postgresql":
            tx.run(Statement(text("SET LOCAL enable_seqscan = off")))  # a few rows are faster read than looked up
        asked_of = {words: steps(tx, words, values) for words, values in asked.statements.items() if not words.startswith("INSERT")}
    assert {words: found for words, found in asked_of.items() if found} == {}
