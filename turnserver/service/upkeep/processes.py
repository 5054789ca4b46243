"""Names of processes that hold leases, so that a process that starts can tell whether the holder has died.

A lease protects against a process that hangs. One that was killed will not come back, and its mail need not wait until the lease ends.
Only the machine on which a process ran can tell that it is gone: a name says which boot of which machine that was, which namespace of
process numbers, the number, and when the process began, since numbers are given out again. Other names say nothing.
"""

import logging
import os
import uuid
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from turnserver.errors import ClockWrong
from turnserver.mail.outbound.language import span
from turnserver.mail.outbound.notices import game as notices
from turnserver.service.clock import Running
from turnserver.service.games.ledger import Ledger, Request
from turnserver.store.incidents import outages
from turnserver.store.log.database import Database, Transaction
from turnserver.store.mail import mailboxes

BEHIND: Final = timedelta(minutes=15)
"""So far several machines that share a database may disagree, and a clock may be set back."""

AHEAD: Final = timedelta(days=60)
"""Nobody leaves a service switched off for so long without a word."""

CONFIRM: Final = "turnserver confirm-clock"

logger = logging.getLogger(__name__)


def require_plausible(conn: Transaction, now: datetime) -> None:
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
        """Raise ClockWrong if the clock has moved by another amount than the time that passed since the last call that did not raise.

        Setting the clock back to what it was, or confirming it (`outages.confirm`), makes it right again.
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


def tell_of_clock(ledger: Ledger, admin: str, error: ClockWrong, now: datetime) -> None:
    """Tell the admin how the clock is wrong, once a day by that clock."""
    logger.critical("%s", error)
    if admin:
        notice = notices.clock_report(admin, str(error))
        ledger.attempt(lambda tx: ledger.post(tx, [notice], Request("service", f"job:clock:{now.date()}", now)))


def _wrong(now: datetime, how: str, known: datetime) -> ClockWrong:
    return ClockWrong(
        f"the clock of this machine says {now:%Y-%m-%d %H:%M} UTC, which is {how} ({known:%Y-%m-%d %H:%M} UTC)."
        f" Nothing is decided and no mail is taken until it is right. Set it; or, if it is right, type `{CONFIRM}`"
    )


_PROC = Path("/proc")
_BEGAN = 19  # of the fields behind the name of the program in `stat`, which are counted from the third one on: proc(5)


def new_name() -> str:
    """Return a name for something in this process that takes leases."""
    return f"{_here()}/{os.getpid()}/{_began(os.getpid())}/{uuid.uuid4().hex}"


def has_died(name: str) -> bool:
    """Return whether the process of that name ran on this machine and runs no more."""
    here, _, rest = name.partition("/")
    number, _, more = rest.partition("/")
    began, _, _ = more.partition("/")
    return bool(here) and here == _here() and number.isdecimal() and bool(began) and _began(int(number)) != began


def take_over(db: Database) -> int:
    """End the leases of processes of this machine that have died. Return how many mails and mailboxes those held."""
    with db.read() as conn:
        dead = [name for name in mailboxes.lease_holders(conn) if has_died(name)]
    if not dead:
        return 0
    with db.write() as tx:
        return sum(mailboxes.end_leases(tx, name) for name in dead)


def _here() -> str:
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot}:{(_PROC / 'self/ns/pid').stat().st_ino}"
    except OSError:
        return ""


def _began(number: int) -> str:
    """Return when a process began, in ticks since the boot; empty if none of that number runs."""
    try:
        return (_PROC / str(number) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[_BEGAN]
    except OSError:
        return ""
