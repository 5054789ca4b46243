"""A long game from the database to its state, against merely reading and JSON-decoding its rows with the standard library."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import process_time
from typing import Final

from tests.bench.club import Club
from tests.bench.measure import Budget, Figure, alternate
from tests.bench.scale import Scale
from turnserver.ids import GameId, game_stream
from turnserver.play.state import GameState
from turnserver.service.games.ledger import Ledger
from turnserver.store.log.database import Database

EVENTS: Final = 200
OPENING: Final = 4
SIZE: Final = 7
"""Games on the board of side 5 end before they have so many events."""

TIMES: Final = 10
_COLUMNS: Final = "position, stream, version, at, actor, cause, type, schema, data, hash"


def fold(directory: Path, scale: Scale) -> Iterator[Figure]:
    """The state without and with the board, which a fold leaves out until somebody asks for it."""
    path = directory / "fold.db"
    club = Club.found(path)
    game = club.open(size=SIZE, turns=EVENTS - OPENING)
    club.service.db.close()
    db, bare = Database.connect(f"sqlite:///{path}"), sqlite3.connect(path)
    if _state(db, game).version != EVENTS or len(_rows(bare, game)) != EVENTS:
        raise AssertionError(f"the game has {_state(db, game).version} events instead of {EVENTS}")
    measured = alternate(
        scale.rounds * 4,
        {
            "state": partial(_seconds, lambda: _state(db, game)),
            "board": partial(_seconds, lambda: _state(db, game).line.position),
            "rows": partial(_seconds, lambda: _rows(bare, game)),
        },
    )
    bare.close()
    db.close()
    for key, what, side in (("fold", "fold a game of 200 events", "state"), ("fold.board", "fold it and set up the board", "board")):
        yield Figure(
            key,
            what,
            "ms",
            measured.typical(side) * 1e3,
            "sqlite3 and json.loads of its rows",
            measured.typical("rows") * 1e3,
            measured.ratio(side, "rows"),
            Budget(2) if side == "state" else None,
        )


def _state(db: Database, game: GameId) -> GameState:
    """The game as a service finds it that has never seen it before."""
    with db.read() as conn:
        return Ledger(db, "club.example").games.load(conn, game).state


def _rows(connection: sqlite3.Connection, game: GameId) -> list[object]:
    rows = connection.execute(f"SELECT {_COLUMNS} FROM event WHERE stream = ? ORDER BY version", (game_stream(game),)).fetchall()  # noqa: S608  # our own names
    return [(*row, json.loads(row[8])) for row in rows]


def _seconds(work: Callable[[], object]) -> float:
    began = process_time()
    for _ in range(TIMES):
        work()
    return (process_time() - began) / TIMES
