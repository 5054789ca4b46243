"""Mails that were written to a player, and the state of each mail at a moment of the past."""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import bindparam, select

from turnserver.ids import DeliveryStatus, GameId, LeagueId, PlayerId, Stream, Version, game_stream, league_stream
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, instant, optional_instant, stamp
from turnserver.store.log.tables import OutboxRow
from turnserver.store.mail.outbox import UNSENT


class Reached(StrEnum):
    """The state of a mail.

    WAITING: it had not left. TAKEN: the next server had accepted it, and nothing was heard of it since. DELIVERED: a report said so.
    BOUNCED: it had come back. ANSWERED: a mail of its player showed that they had read it. An answer counts more than any report.
    """

    WAITING = "waiting"
    TAKEN = "taken"
    DELIVERED = "delivered"
    BOUNCED = "bounced"
    ANSWERED = "answered"


TOLD = frozenset({Reached.TAKEN, Reached.DELIVERED, Reached.ANSWERED})
"""The states of a mail in which its player knows what it says."""


class Letter(NamedTuple):
    """A mail to a player about a stream, which showed it after its first `version` events; a digest is a letter for each of its games.

    `at` is when the state `reached` began, or when the letter was written, as long as it waits.
    """

    mail: int
    kind: str
    stream: Stream
    version: Version
    written_at: datetime
    reached: Reached
    at: datetime


_DIGEST = "digest"
_row = table(OutboxRow).c
_READ = (
    _row.id,
    _row.kind,
    _row.game,
    _row.league,
    _row.version,
    _row.detail,
    _row.created_at,
    _row.sent_at,
    _row.report,
    _row.reported_at,
    _row.answered_at,
)
_LETTERS = Statement(
    select(*_READ)
    .where(
        _row.player == bindparam("who"),
        _row.created_at <= bindparam("upto"),
        _row.status.not_in(UNSENT),
    )
    .order_by(_row.id)
)


def letters(conn: Transaction, player: PlayerId, upto: datetime) -> list[Letter]:
    """Return the mails to a player about games and leagues until an instant, in the order in which they were written.

    News for a digest is in the digest. Mails that were called off or not wanted are left out. A mail that was sent again, because it had
    come back, counts from the last time.
    """
    return [letter for row in conn.rows(_LETTERS, who=player, upto=stamp(upto)) for letter in _letters(row, upto)]


def _letters(row: tuple[Any, ...], upto: datetime) -> Iterator[Letter]:
    number, kind, game, league, version, detail, created, sent, report, reported, answered = row
    written = instant(created)
    reached, at = _reached(optional_instant(sent), report, optional_instant(reported), optional_instant(answered), upto)
    for stream, shown in _about(kind, game, league, version, detail):
        yield Letter(number, kind, stream, shown, written, reached, at or written)


def _about(kind: str, game: int | None, league: int | None, version: int | None, detail: str) -> Iterator[tuple[Stream, Version]]:
    if version is not None and (game is not None or league is not None):
        yield game_stream(GameId(game)) if game is not None else league_stream(LeagueId(league or 0)), Version(version)
    elif kind == _DIGEST:
        for each in msgspec.json.decode(detail)["games"]:
            yield game_stream(GameId(each["game"])), Version(each["version"])


def _reached(
    sent: datetime | None, report: str | None, reported: datetime | None, answered: datetime | None, upto: datetime
) -> tuple[Reached, datetime | None]:
    # first: an answer counts for more than any report
    if answered is not None and answered <= upto:
        return Reached.ANSWERED, answered
    if report is not None and reported is not None and reported <= upto:
        if DeliveryStatus(report).came_back:
            return Reached.BOUNCED, reported
        if report == DeliveryStatus.DELIVERED:
            return Reached.DELIVERED, reported
    if sent is not None and sent <= upto:
        return Reached.TAKEN, sent
    return Reached.WAITING, None
