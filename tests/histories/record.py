"""Writes down the games of `events/histories/`: `python -m tests.histories.record`.

A game that was recorded before is played again turn by turn; remove its file to have it played anew, by the house with a whim now and then.
"""

import json
import tempfile
from collections.abc import Iterable
from pathlib import Path

import msgspec

from tests.histories.scripts import RECORDINGS, Recording
from tests.histories.table import Table
from turnserver import resources
from turnserver.play.events import EVENT_TYPES, TurnPlayed
from turnserver.store.catalogue import events as catalogue
from turnserver.store.log import history
from turnserver.store.log.database import Database


def record(recording: Recording, number: int, turns: Iterable[str] = ()) -> str:
    """Play a game, these turns first, and give its text. The same every time, until the product changes."""
    with tempfile.TemporaryDirectory() as directory:
        database = Database.create_or_upgrade(f"sqlite:///{directory}/turnserver.db")
        table = Table(database, number, turns)
        recording.script(table)
        with database.read() as conn:
            rows = history.load(conn, table.stream)
        database.close()
    heading = msgspec.json.encode(catalogue.Heading(recording.about, catalogue.ending(table.game))).decode()
    return f"{heading}\n{history.write(rows)}"


def turns(text: str) -> list[str]:
    """Every turn in the text of a recorded game as it came, those that were taken back too, whatever has become of the other events."""
    rows = catalogue.read_history(text)[1]
    return ["; ".join(json.loads(row.text)["steps"]) for row in rows if row.type == EVENT_TYPES[TurnPlayed].name]


def main() -> None:
    root: Path = resources.events_dir()
    for number, recording in enumerate(RECORDINGS, start=1):
        path = root / "histories" / f"{recording.name}.jsonl"
        before = turns(path.read_text(encoding="utf-8")) if path.exists() else ()
        path.write_text(record(recording, number, before), encoding="utf-8")
    catalogue.write(root)


if __name__ == "__main__":
    main()
