"""Times without a scheduler: found by the gap between two beats of the sweep, and kept until every clock got them back."""

from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec
from sqlalchemy import bindparam, delete, exists, false, func, insert, literal_column, null, select, true, update

from turnserver.errors import AlreadyHandled
from turnserver.ids import GameId
from turnserver.store.log import log
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import ServersClock, Statement, instant, missing_row_into, optional_instant, plain, stamp
from turnserver.store.log.tables import EventRow, GameRow, HeartbeatRow, OutageRow, RestRow


class QuarantinedGame(msgspec.Struct, frozen=True):
    """A game in quarantine: since when its time is not to count, and why, as a clause."""

    game: GameId
    since: datetime
    why: str


_rests = table(RestRow)
_rest = _rests.c

_KEEP = Statement(missing_row_into(_rests))
_EARLIER = Statement(
    update(_rests).where(_rest.game == bindparam("which"), _rest.since > bindparam("earlier")).values(since=bindparam("earlier"))
)
_ALL = Statement(select(_rest.game, _rest.since, _rest.why).order_by(_rest.game))
_FORGET = Statement(delete(_rests).where(_rest.game == bindparam("which")))


def rest(tx: Transaction, rest: QuarantinedGame) -> bool:
    """Note that a game is in quarantine, and return whether that is new. Otherwise the earlier of both instants counts."""
    if tx.run(_KEEP, game=rest.game, since=stamp(rest.since), why=plain(rest.why)):
        return True
    tx.run(_EARLIER, which=rest.game, earlier=stamp(rest.since))
    return False


def quarantined_games(conn: Transaction) -> list[QuarantinedGame]:
    """Return all games in quarantine, by number."""
    return [QuarantinedGame(game, instant(since), why) for game, since, why in conn.rows(_ALL)]


def quarantined_numbers(conn: Transaction) -> frozenset[GameId]:
    """Return the numbers of the games in quarantine."""
    return frozenset(rest.game for rest in quarantined_games(conn))


def wake(tx: Transaction, game: GameId) -> bool:
    """Note that a game goes on, and return whether it was in quarantine."""
    return tx.run(_FORGET, which=game) > 0


class Outage(msgspec.Struct, frozen=True):
    """No sweep ran between these instants."""

    id: int
    began_at: datetime
    ended_at: datetime


_beats = table(HeartbeatRow)
_event = table(EventRow).c
_outages = table(OutageRow)
_outage = _outages.c
_game = table(GameRow).c

_LAST = Statement(select(_beats.c.at))
_CONFIRM = Statement(update(_beats).values(at=bindparam("now"), sure_position=bindparam("upto"), doubted_at=null()))
_DOUBT = Statement(update(_beats).where(_beats.c.doubted_at.is_(None)).values(doubted_at=bindparam("now")))
_TRUST = Statement(update(_beats).where(_beats.c.doubted_at.is_not(None)).values(doubted_at=null()))
_SURE = select(func.coalesce(func.max(_beats.c.sure_position), literal_column("0"))).scalar_subquery()
_NEWEST = select(_event.at).where(_event.position > _SURE).order_by(_event.position.desc()).limit(literal_column("1"))
_SIGNS = Statement(
    select(
        select(_beats.c.at).scalar_subquery(),
        select(_beats.c.doubted_at).scalar_subquery(),
        _NEWEST.scalar_subquery(),
        exists().where(_outage.settled == false()),
        exists(select(_rest.game)),
        exists().where(_game.due_at <= bindparam("now")),
        ServersClock(),
    )
)
_MOVE_ON = Statement(update(_beats).where(_beats.c.at == bindparam("last")).values(at=bindparam("now"), doubted_at=null()))
_OPEN = Statement(
    insert(_outages).values(began_at=bindparam("began_at"), ended_at=bindparam("ended_at"), settled=false()).returning(_outage.id)
)
_UNSETTLED = Statement(
    select(_outage.id, _outage.began_at, _outage.ended_at).where(_outage.settled == false()).order_by(_outage.began_at, _outage.id)
)
_SETTLE = Statement(update(_outages).where(_outage.id == bindparam("which"), _outage.settled == false()).values(settled=true()))
# The condition on `due_at` is the one of the index on it: only running games are in there. Asked for their order, SQLite reads all games.
_AFFECTED = Statement(select(_game.id).where(_game.due_at.is_not(None), _game.deadline_at > bindparam("began_at")))
_NEAR = Statement(
    select(_game.id).where(
        _game.due_at <= bindparam("until"), _game.deadline_at > bindparam("began_at"), _game.deadline_at <= bindparam("until")
    )
)
_SET_BACK = (
    Statement(update(_outages).where(_outage.settled == false(), _outage.began_at >= bindparam("now")).values(settled=true())),
    Statement(update(_outages).where(_outage.settled == false(), _outage.ended_at > bindparam("now")).values(ended_at=bindparam("now"))),
)
_FIRST = Statement(missing_row_into(_beats))


def beat(tx: Transaction, now: datetime, tolerated: timedelta) -> Outage | None:
    """Note that a sweep runs. If the one before was longer ago than `tolerated`, keep that time as an outage and return it.

    Of several processes that find the same gap exactly one keeps it.
    """
    last = last_beat(tx)
    if last is None:
        _begin(tx, now)
        return None
    # of several processes that find the same gap, the one that moves the beat on keeps it
    if now <= last or not tx.run(_MOVE_ON, last=stamp(last), now=stamp(now)) or now - last <= tolerated:
        return None
    row = tx.row(_OPEN, began_at=stamp(last), ended_at=stamp(now))
    return Outage(row[0], last, now) if row else None


def _begin(tx: Transaction, now: datetime) -> None:
    tx.run(_FIRST, id=1, at=stamp(now), sure_position=0, doubted_at=None)


def interrupt(tx: Transaction, now: datetime) -> datetime | None:
    """Keep the time since the last beat, however short, as an outage; set the beat to `now`. Return the last beat, or None.

    Nothing changes if there is no last beat, or if it is not before `now`.
    """
    last = last_beat(tx)
    if last is not None and last < now:
        tx.run(_MOVE_ON, last=stamp(last), now=stamp(now))
        tx.row(_OPEN, began_at=stamp(last), ended_at=stamp(now))
    return last


def confirm(tx: Transaction, now: datetime) -> None:
    """Take `now` for the right time. The last beat is now, even if a later one was noted, and later instants of events do not count.

    The time since an earlier beat is kept as an outage. One that some clock waits for ends now if it was to end
    later, and never was if it was to begin later.
    """
    last, sure = last_beat(tx), log.last_position(tx)
    if last is None:
        _begin(tx, now)
    elif last < now:
        interrupt(tx, now)
    tx.run(_CONFIRM, now=stamp(now), upto=sure)
    for statement in _SET_BACK:
        tx.run(statement, now=stamp(now))


def doubt(tx: Transaction, now: datetime) -> None:
    """Note that a process has found the clock ahead when that said `now`, unless that was noted before.

    `trust` takes it back, and so does the next beat.
    """
    tx.run(_DOUBT, now=stamp(now))


def trust(tx: Transaction) -> None:
    """Note that the clock, which a process had found ahead, is right again."""
    tx.run(_TRUST)


class Signs(NamedTuple):
    """The database's answer to somebody who takes `now` for the present instant, and whether clocks wait for somebody to look at them.

    `beat` is when a sweep last ran, `newest` when an event was last logged since an admin confirmed the clock; None for never. `doubted` is
    what the clock said when a process found it to be ahead, None unless that was since the last sweep. `waits` says that an outage is
    unsettled, a game rests in quarantine, or a game is due. `server` is the present instant by the database's server, or None on SQLite.
    """

    now: datetime
    beat: datetime | None
    doubted: datetime | None
    newest: datetime | None
    waits: bool
    server: datetime | None


def signs(conn: Transaction, now: datetime) -> Signs:
    """Return the signs of time. `now` is what the clock says, right or wrong."""
    [(*known, one, two, three, server)] = conn.rows(_SIGNS, now=stamp(now))
    beat, doubted, newest = map(optional_instant, known)
    return Signs(now, beat, doubted, newest, any((one, two, three)), optional_instant(server))


def last_beat(conn: Transaction) -> datetime | None:
    """Return when a sweep last ran, or None if none ever did."""
    row = conn.row(_LAST)
    return optional_instant(row[0]) if row else None


def unsettled(conn: Transaction) -> list[Outage]:
    """Return the outages for which some clock may still wait for its time, the oldest first."""
    return [Outage(number, instant(began), instant(ended)) for number, began, ended in conn.rows(_UNSETTLED)]


def affected_games(conn: Transaction, outage: Outage) -> list[GameId]:
    """Return the games whose clock is running towards a deadline that lay ahead when the outage began."""
    return sorted(game for (game,) in conn.rows(_AFFECTED, began_at=stamp(outage.began_at)))


def games_due(conn: Transaction, began_at: datetime, until: datetime) -> list[GameId]:
    """Return the games whose clock runs towards a deadline between two instants, the first one excluded."""
    return sorted(game for (game,) in conn.rows(_NEAR, began_at=stamp(began_at), until=stamp(until)))


def settle(tx: Transaction, number: int) -> None:
    """Note that every clock got its time back. Raises AlreadyHandled if another process has noted it."""
    if not tx.run(_SETTLE, which=number):
        raise AlreadyHandled(f"outage {number} has been settled by another process")
