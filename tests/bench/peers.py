"""The same work by other means: an event appended and a game folded by `eventsourcing`, and by SQLModel's own sessions, beside us.

They do less than we do: they chain no hashes, number nothing across streams and know no cause that comes only once. All of them write each
event durably in a transaction of its own.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any, Final

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from sqlmodel import Session, create_engine, select

from tests.bench.club import Club
from tests.bench.fold import EVENTS, OPENING, SIZE
from tests.bench.measure import Figure, alternate
from tests.bench.scale import Scale
from turnserver.ids import GameId, Recorded, Stream, Version, game_stream
from turnserver.play.events import GameEvent
from turnserver.play.evolve import fold
from turnserver.play.state import GameState
from turnserver.service.games.ledger import Ledger
from turnserver.store.log import log
from turnserver.store.log.codec import decode
from turnserver.store.log.database import Database
from turnserver.store.log.tables import EventRow

WRITES: Final = 20
"""The number of events that each side appends in a round."""
READS: Final = 5


class Match(Aggregate):
    """A game as `eventsourcing` has it: what happened, in the order in which it did."""

    @event("Begun")
    def __init__(self) -> None:
        """Begin."""
        self.said: list[dict[str, Any]] = []

    @event("Happened")
    def happen(self, said: dict[str, Any]) -> None:
        """Let something happen, with the data that our event has."""
        self.said.append(said)


class Ours:
    """The log of this service."""

    def __init__(self, db: Database, game: GameId) -> None:
        """Append to streams of their own in the database of a game, and fold that game."""
        self._db, self._game, self._streams = db, game, 0

    def append(self, rows: Sequence[Recorded[GameEvent]]) -> float:
        """Append events to a new stream."""
        self._streams += 1
        stream, head = Stream(f"bench-{self._streams}"), b""
        began = process_time()
        for number, row in enumerate(rows):
            with self._db.write() as tx:
                cause, previous = f"cli:{number}", head or None
                (written,) = log.append(
                    tx, stream, Version(number), [row.event], at=row.at, actor=row.actor, cause=cause, previous=previous
                )
            head = written.hash
        return process_time() - began

    def folded(self) -> GameState:
        """Return the game as a service finds it that has never seen it before."""
        with self._db.read() as conn:
            return Ledger(self._db, "club.example").games.load(conn, self._game).state


class Eventsourcing:
    """An application of the library over SQLite."""

    def __init__(self, path: Path, rows: Sequence[Recorded[GameEvent]]) -> None:
        """Keep a game with the data of these events."""
        self._application = Application[Any](env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)})
        match = Match()
        for row in rows:
            match.happen(said=msgspec.to_builtins(row.event))
        self._application.save(match)
        self._number = match.id

    def append(self, rows: Sequence[Recorded[GameEvent]]) -> float:
        """Append events to a new stream."""
        match, said = Match(), [msgspec.to_builtins(row.event) for row in rows]
        self._application.save(match)
        began = process_time()
        for one in said:
            match.happen(said=one)
            self._application.save(match)
        return process_time() - began

    def folded(self) -> Match:
        """Return the game."""
        found: Match = self._application.repository.get(self._number)
        return found

    def close(self) -> None:
        """Close the database."""
        self._application.close()


class Sessions:
    """Sessions of SQLModel over the models of our own tables."""

    def __init__(self, path: Path, game: GameId) -> None:
        """Use a database of ours."""
        self._engine, self._game, self._streams = create_engine(f"sqlite:///{path}"), game, 0

    def append(self, rows: Sequence[Recorded[GameEvent]]) -> float:
        """Append events to a new stream, at positions that nobody else has."""
        self._streams += 1
        first, stream = 10_000_000 + self._streams * 1_000, f"own-{self._streams}"
        told: dict[str, Any] = {"type": "game.turn_played", "schema_version": 1, "at": "", "actor": "", "ordinal": 0, "hash": ""}
        texts = [msgspec.json.encode(row.event).decode() for row in rows]
        began = process_time()
        for number, data in enumerate(texts):
            with Session(self._engine) as session:
                session.add(EventRow(position=first + number, stream=stream, version=number + 1, cause=f"{number}", data=data, **told))
                session.commit()
        return process_time() - began

    def folded(self) -> GameState:
        """Return the game."""
        with Session(self._engine) as session:
            wanted = select(EventRow).where(EventRow.stream == game_stream(self._game)).order_by(EventRow.version)  # type: ignore[arg-type]
            events: Iterator[Any] = (decode(row.type, row.schema_version, row.data) for row in session.exec(wanted))
            return fold(events)

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()


def peers(directory: Path, scale: Scale) -> Iterator[Figure]:
    """Processor time of each, for information."""
    path = directory / "peers.db"
    club = Club.found(path)
    game = club.open(size=SIZE, turns=EVENTS - OPENING)
    rows = club.service.games.history(game)
    turns = rows[OPENING : OPENING + WRITES]
    club.service.db.close()
    db = Database.connect(f"sqlite:///{path}")
    ours, library, sessions = Ours(db, game), Eventsourcing(directory / "eventsourcing.db", rows), Sessions(path, game)
    if len(library.folded().said) != len(rows) or not ours.folded().version == sessions.folded().version == len(rows):
        raise AssertionError("the three do not hold the same game")
    sides: dict[str, Ours | Eventsourcing | Sessions] = {"ours": ours, "eventsourcing": library, "sqlmodel": sessions}
    written = alternate(scale.rounds, {name: partial(_appended, side, turns) for name, side in sides.items()})
    read = alternate(scale.rounds, {name: partial(_folded, side) for name, side in sides.items()})
    for one in (db, library, sessions):
        one.close()
    for key, what, measured in (("append", "append an event, durably", written), ("fold", f"fold a game of {EVENTS} events", read)):
        for name, against in (("eventsourcing", "eventsourcing"), ("sqlmodel", "a Session of SQLModel")):
            took, theirs = measured.typical("ours") * 1e3, measured.typical(name) * 1e3
            yield Figure(f"peer.{key}.{name}", what, "ms", took, against, theirs, measured.ratio("ours", name))


def _appended(side: Ours | Eventsourcing | Sessions, turns: Sequence[Recorded[GameEvent]]) -> float:
    return side.append(turns) / len(turns)


def _folded(side: Ours | Eventsourcing | Sessions) -> float:
    began = process_time()
    for _ in range(READS):
        side.folded()
    return (process_time() - began) / READS
