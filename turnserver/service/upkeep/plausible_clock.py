"""Whether the clock of the machine can be right, judged by what has happened before.

A wrong clock does more harm than none. Two hours back, deadlines come two hours late and events are logged in the wrong order. A year
ahead, every clock in every game would get a year back for an outage that never was, and that stays in the log. So the present instant is
compared with the last sweep and with the newest event: it lies before neither, and not months after both. A process that runs knows more:
how much time has passed since it looked last, so it notices when the clock is set, by how little ever. By a clock that contradicts them
nothing is decided. No mail is taken either, because it would be stamped with a wrong arrival: mail servers keep theirs. An admin sets the
clock, or says that it is right (`turnserver confirm-clock`), for instance after a service was really switched off for so long.
"""

import logging
from datetime import datetime, timedelta
from typing import Final

from turnserver.errors import ClockWrong
from turnserver.mail.outbound.notices import game as notices
from turnserver.mail.outbound.wording import span
from turnserver.service.clock import Running
from turnserver.service.games.ledger import Ledger, Request
from turnserver.store.incidents import outages
from turnserver.store.log.database import Transaction

BEHIND: Final = timedelta(minutes=15)
"""So far several machines that share a database may disagree, and a clock may be set back."""

AHEAD: Final = timedelta(days=60)
"""Nobody leaves a service switched off for so long without a word."""

CONFIRM: Final = "turnserver confirm-clock"

logger = logging.getLogger(__name__)


def require(conn: Transaction, now: datetime) -> None:
    """Raise ClockWrong if `now` cannot be the present instant."""
    beat = outages.last_beat(conn)
    known = max((at for at in (beat, outages.newest(conn)) if at is not None), default=None)
    if known is None:
        return
    if now < known - BEHIND:
        raise _wrong(now, f"{span(known - now)} before what has happened already", known)
    if beat is not None and now > known + AHEAD:
        raise _wrong(now, f"{span(now - known)} after the last sign of life of the service", known)


class Steady:
    """Notices when the clock of the machine is set while this process runs. Threads may share one."""

    def __init__(self, running: Running | None) -> None:
        """Compare the clock with what `running` counts; without it, notice nothing."""
        self._running = running
        self._seen: tuple[datetime, float] | None = None

    def require(self, conn: Transaction, now: datetime) -> None:
        """Raise ClockWrong if `now` is not as long after the instant before as time has passed.

        Whoever sets the clock back to what it was, or confirms it (`outages.confirm`), makes it right again.
        """
        if self._running is None:
            return
        count = self._running()
        if self._seen is not None:
            at, then = self._seen
            due = at + timedelta(seconds=count - then)
            beat = outages.last_beat(conn) if abs(now - due) > BEHIND else now
            if beat is None or abs(now - beat) > BEHIND:
                side = "after" if now > due else "before"
                raise _wrong(now, f"{span(abs(now - due))} {side} what it must be by the time that this process has run", due)
        self._seen = now, count


def tell(ledger: Ledger, admin: str, error: ClockWrong, now: datetime) -> None:
    """Tell the admin what is wrong with the clock, once a day by that clock."""
    logger.critical("%s", error)
    if admin:
        notice = notices.clock_report(admin, str(error))
        ledger.attempt(lambda tx: ledger.post(tx, [notice], Request("service", f"job:clock:{now.date()}", now)))


def _wrong(now: datetime, how: str, known: datetime) -> ClockWrong:
    return ClockWrong(
        f"the clock of this machine says {now:%Y-%m-%d %H:%M} UTC, which is {how} ({known:%Y-%m-%d %H:%M} UTC)."
        f" Nothing is decided and no mail is taken until it is right. Set it; or, if it is right, type `{CONFIRM}`"
    )
