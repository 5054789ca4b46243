"""Taking records into the archive, and whether the rules bear out what lies there."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from turnserver.errors import NotFound
from turnserver.ids import ArchiveId, archive_stream
from turnserver.records.check import game_of
from turnserver.records.recheck import problem
from turnserver.records.record import Record
from turnserver.store.games import archives
from turnserver.store.log import log
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database, Transaction
from turnserver.store.log.verify import Finding
from turnserver.store.people import accounts as people


class Imported(NamedTuple):
    """What became of a record: its number in the archive, and whether it is new there."""

    archive: ArchiveId
    fresh: bool


def take(tx: Transaction, records: Sequence[Record], *, at: datetime, actor: str, cause: str) -> list[Imported]:
    """Take canonical records of games that are over into the archive, all of them or none."""
    return [Imported(*archives.add(tx, record, at=at, actor=actor, cause=cause)) for record in records]


def link(tx: Transaction, number: ArchiveId, seat: str, who: str | None) -> None:
    """Say whose account the name at a seat stands for, nobody's if `who` is None; a later player of a seat is `Red 2`. Raises NotFound."""
    archived = archives.load(tx, number)
    seats = game_of(archived.record).view.seat_names
    known: dict[str, int] = {}
    for name in archived.names:
        label = seats[name.seat - 1].casefold()
        nth = 1 + sum(other.seat == name.seat for other in archived.names[: name.number - 1])
        known[label if nth == 1 else f"{label} {nth}"] = name.number
    place = known.get(" ".join(seat.casefold().split()))
    if place is None:
        raise NotFound(f"There is no seat {seat!r} in game {number} of the archive; there are {', '.join(known)}.")
    archives.link(tx, number, place, people.find_player(tx, who).id if who is not None else None)


def verify(db: Database) -> Iterator[Finding]:
    """Everything in the archive that the rules do not bear out."""
    with db.read() as conn:
        for number in audit.archives(conn):
            stream = archive_stream(number)
            for row in log.load(conn, stream):
                if wrong := problem(row.event, row.version):
                    yield Finding(row.position, stream, row.version, wrong)
