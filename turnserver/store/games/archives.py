"""The archive: games from records. The log holds the moves; names and words are rows, which can be erased."""

from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

import msgspec
from sqlalchemy import bindparam, null, select, update

from turnserver.errors import NotFound
from turnserver.ids import ArchiveId, PlayerId, Version, archive_stream
from turnserver.play.events import Outcome
from turnserver.records.archive import ArchiveImported, Words, apart, together
from turnserver.records.record import Record, Skipped, Turn
from turnserver.rules import Seat
from turnserver.store.log import log
from turnserver.store.log.codec import encode
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, instant, row_into, stamp
from turnserver.store.log.tables import ArchiveNameRow, ArchiveRow


class Name(NamedTuple):
    """The name of somebody at a seat, empty if it is unknown or erased, and the account that it stands for, or None."""

    number: int
    seat: Seat
    name: str
    player: PlayerId | None


class Archived(NamedTuple):
    """A game of the archive."""

    id: ArchiveId
    record: Record
    names: tuple[Name, ...]
    imported_at: datetime


class ArchiveSummary(NamedTuple):
    """A line of the list."""

    id: ArchiveId
    game: str
    names: tuple[Name, ...]
    turns: int
    outcome: Outcome
    imported_at: datetime


class Added(NamedTuple):
    """The result of adding a record: its number in the archive, and whether it is new there.

    `alike` is a game that is not new only if its erased or unknown names are those of the record, which nobody can tell any more.
    """

    archive: ArchiveId
    fresh: bool
    alike: bool = False


class _Rest(msgspec.Struct, frozen=True):
    """The words of a record other than names, as they are stored."""

    event: str = ""
    site: str = ""
    round: str = ""
    time: str = ""
    reason: str = ""
    comments: tuple[tuple[int, str], ...] = ()
    others: dict[str, str] = {}


_NO_WORDS = "{}"

_archives = table(ArchiveRow)
_archive = _archives.c
_names = table(ArchiveNameRow)
_name = _names.c


_OF = _name.archive == bindparam("which")
_INSERT, _INSERT_NAME = Statement(row_into(_archives)), Statement(row_into(_names))
_ONE = Statement(select(_archive.imported_at, _archive.words).where(_archive.id == bindparam("which")))
_SAME = Statement(select(_archive.id).where(_archive.digest == bindparam("digest")).order_by(_archive.id))
_NAMES = Statement(select(_name.number, _name.seat, _name.name, _name.player).where(_OF).order_by(_name.number))
_ALL = Statement(select(_archive.id, _archive.game, _archive.turns, _archive.outcome, _archive.imported_at).order_by(_archive.id.desc()))
_LINK = Statement(update(_names).where(_OF, _name.number == bindparam("place")).values(player=bindparam("player")))
_FORGET = Statement(update(_archives).where(_archive.id == bindparam("which")).values(words=bindparam("words")))
_FORGET_NAME = Statement(update(_names).where(_OF, _name.number == bindparam("place")).values(name=bindparam("name"), player=null()))
_ALL_WORDS = Statement(select(_archive.id, _archive.words).order_by(_archive.id))
_ALL_NAMES = Statement(select(_name.archive, _name.number, _name.name, _name.player).order_by(_name.archive, _name.number))


def add(tx: Transaction, record: Record, *, again: bool, at: datetime, actor: str, cause: str) -> Added:
    """Take the canonical record of a game that is over into the archive, unless it is there. One that is `alike` is taken in only `again`.

    Two games are the same if the log would hold the same of both, and each name is the same.
    """
    # names are not in the log and so not in the digest: two games with the same moves may be of different people
    event, words = apart(record)
    digest = sha256(encode(event)[2].encode()).hexdigest()
    given = [name for _, name in words.names]
    there = {ArchiveId(same): [name.name for name in _names_of(tx, ArchiveId(same))] for (same,) in tx.rows(_SAME, digest=digest)}
    for same, known in there.items():
        if known == given:
            return Added(same, fresh=False)
    for same, known in there.items():
        # a name that was erased may have been any
        if not again and all(name in {"", now} for name, now in zip(known, given, strict=True)):
            return Added(same, fresh=False, alike=True)
    number = ArchiveId(log.next_number(tx, "archive"))
    turns = sum(isinstance(item, Turn | Skipped) for item in event.course)
    rest = msgspec.json.encode(_Rest(**{name: getattr(words, name) for name in _Rest.__struct_fields__})).decode()
    tx.run(
        _INSERT,
        id=number,
        version=1,
        game=event.game,
        turns=turns,
        outcome=event.result.outcome,
        digest=digest,
        imported_at=stamp(at),
        words=rest,
    )
    for place, (seat, name) in enumerate(words.names, start=1):
        tx.run(_INSERT_NAME, archive=number, number=place, seat=seat, name=name, player=None)
    # last: from here to the commit nobody else gets a position
    log.append(tx, archive_stream(number), Version(0), [event], at=at, actor=actor, cause=cause, previous=None)
    return Added(number, fresh=True)


def load(conn: Transaction, number: ArchiveId) -> Archived:
    """Return a game of the archive. Raises NotFound."""
    row = conn.row(_ONE, which=number)
    events = log.load(conn, archive_stream(number))
    if row is None or not events:
        raise NotFound(f"There is no game {number} in the archive; `turnserver archive list` shows what there is.")
    event: ArchiveImported = events[0].event
    names, rest = _names_of(conn, number), msgspec.json.decode(row[1], type=_Rest)
    words = Words(names=tuple((name.seat, name.name) for name in names), **msgspec.structs.asdict(rest))
    return Archived(number, together(event, words), names, instant(row[0]))


def listed(conn: Transaction) -> list[ArchiveSummary]:
    """Return all games of the archive, the newest first."""
    return [
        ArchiveSummary(ArchiveId(number), game, _names_of(conn, ArchiveId(number)), turns, Outcome(outcome), instant(at))
        for number, game, turns, outcome, at in conn.rows(_ALL)
    ]


def link(tx: Transaction, number: ArchiveId, place: int, player: PlayerId | None) -> None:
    """Set the account of the name at a place."""
    tx.run(_LINK, which=number, place=place, player=player)


def forget(tx: Transaction, number: ArchiveId) -> None:
    """Erase the names and words of a game of the archive; its moves stay."""
    tx.run(_FORGET, which=number, words=_NO_WORDS)
    for name in _names_of(tx, number):
        tx.run(_FORGET_NAME, which=number, place=name.number, name="")


def forget_player(tx: Transaction, player: PlayerId, names: Callable[[str], bool]) -> None:
    """Erase the names that stand for a player's account or that `names` holds for theirs, and the words of games that contain one."""
    for number, text in tx.rows(_ALL_WORDS):
        # without its words a game is still the same game, so they go as a whole
        if names(text):
            tx.run(_FORGET, which=number, words=_NO_WORDS)
    for number, place, name, whose in tx.rows(_ALL_NAMES):
        if whose == player or names(name):
            tx.run(_FORGET_NAME, which=number, place=place, name="")


def _names_of(conn: Transaction, number: ArchiveId) -> tuple[Name, ...]:
    return tuple(
        Name(place, Seat(seat), name, PlayerId(player) if player is not None else None)
        for place, seat, name, player in conn.rows(_NAMES, which=number)
    )
