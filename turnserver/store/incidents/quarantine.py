"""Games that rest: the installed program cannot play them again from their logs, so nobody is served and no clock counts."""

from datetime import datetime

import msgspec
from sqlalchemy import Executable, bindparam, delete, select, update

from turnserver.ids import GameId
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.instants import instant, stamp
from turnserver.store.log.statement import Inserting, Statement, plain
from turnserver.store.log.tables import RestRow


class Rest(msgspec.Struct, frozen=True):
    """A game that rests: since when its time is not to count, and why, as a clause."""

    game: GameId
    since: datetime
    why: str


_rests = table(RestRow)
_rest = _rests.c


def _keep(insert_into: Inserting) -> Executable:
    new = insert_into(_rests).values(game=bindparam("which"), since=bindparam("since"), why=bindparam("why"))
    return new.on_conflict_do_nothing()


_KEEP = Statement(_keep)
_EARLIER = Statement(
    update(_rests).where(_rest.game == bindparam("which"), _rest.since > bindparam("earlier")).values(since=bindparam("earlier"))
)
_ALL = Statement(select(_rest.game, _rest.since, _rest.why).order_by(_rest.game))
_FORGET = Statement(delete(_rests).where(_rest.game == bindparam("which")))


def keep(tx: Transaction, rest: Rest) -> bool:
    """Note that a game rests; whether that is new. If it rested already, its time does not count from the earlier instant on."""
    if tx.run(_KEEP, which=rest.game, since=stamp(rest.since), why=plain(rest.why)):
        return True
    tx.run(_EARLIER, which=rest.game, earlier=stamp(rest.since))
    return False


def every(conn: Transaction) -> list[Rest]:
    """All games that rest, by number."""
    return [Rest(game, instant(since), why) for game, since, why in conn.rows(_ALL)]


def numbers(conn: Transaction) -> frozenset[GameId]:
    """The numbers of the games that rest."""
    return frozenset(rest.game for rest in every(conn))


def forget(tx: Transaction, game: GameId) -> bool:
    """Note that a game goes on; whether it rested."""
    return tx.run(_FORGET, which=game) > 0
