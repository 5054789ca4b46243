"""The texts of plans, which the log has digests of: kept apart from it so that they stay secret, and can be erased."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select

from turnserver.ids import GameId
from turnserver.rules import Seat
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, row_into, stamp
from turnserver.store.log.tables import PlanRow


class KeptPlan(NamedTuple):
    """The plan of a seat as `write_plan` writes it, and the salt that makes it the `digest` in the log."""

    seat: Seat
    digest: str
    text: str
    salt: bytes

    def __repr__(self) -> str:
        # a plan is secret while it matters: a log line or a traceback must not show it
        return f"<plan {self.digest} of seat {self.seat}>"


_plans = table(PlanRow)
_plan = _plans.c
_KEPT = (_plan.seat, _plan.digest, _plan.text, _plan.salt)


_KEEP = Statement(row_into(_plans))
_ONE = Statement(select(*_KEPT).where(_plan.game == bindparam("game_id"), _plan.digest == bindparam("which")))
_OF_GAME = Statement(select(*_KEPT).where(_plan.game == bindparam("game_id")).order_by(_plan.laid_at, _plan.digest))


def keep(tx: Transaction, game: GameId, plan: KeptPlan, now: datetime) -> None:
    """Keep a plan, in the transaction that logs its digest."""
    tx.run(_KEEP, game=game, seat=plan.seat, digest=plan.digest, text=plan.text, salt=plan.salt, laid_at=stamp(now))


def of(conn: Transaction, game: GameId, digest: str) -> KeptPlan | None:
    """Return the plan with that digest; None if it is lost or was erased."""
    row = conn.row(_ONE, game_id=game, which=digest)
    return _as_plan(*row) if row else None


def of_game(conn: Transaction, game: GameId) -> list[KeptPlan]:
    """Return every plan of a game that is kept, oldest first."""
    return [_as_plan(*row) for row in conn.rows(_OF_GAME, game_id=game)]


def _as_plan(seat: int, digest: str, text: str, salt: bytes) -> KeptPlan:
    return KeptPlan(Seat(seat), digest, text, bytes(salt))
