"""Signs that the clock of this machine is wrong: it contradicts the log, the machine's count of seconds or the database's server."""

from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from turnserver.errors import ClockAhead, ClockWrong
from turnserver.mail.outbound.language import span
from turnserver.outside import Clock, Running
from turnserver.store.incidents.outages import Signs
from turnserver.store.log.log import APART, clocks_differ

BEHIND: Final = timedelta(minutes=15)
"""So far several machines that share a database may disagree, and a clock may be set back."""

AHEAD: Final = timedelta(days=60)
"""Nobody leaves a service switched off for so long without a word."""

CONFIRM: Final = "turnserver confirm-clock"


def require_plausible(signs: Signs) -> None:
    """Raise ClockWrong if by the other signs their `now` cannot be the present instant."""
    now, beat = signs.now, signs.beat
    known = max((at for at in (beat, signs.newest) if at is not None), default=None)
    if known is None:
        return
    if now < known - BEHIND:
        raise _wrong(now, f"{span(known - now)} before what has happened already", known)
    if beat is not None and now > known + AHEAD:
        raise _wrong(now, f"{span(now - known)} after the last sign of life of the service", known)


class ClockGuard:
    """Tells whether the clock can be right, and whether it was set while this process runs. Threads may share one."""

    def __init__(self, clock: Clock, running: Running | None, tell: Callable[[ClockWrong | None, datetime], None]) -> None:
        """Compare `clock` with what `running` counts too, and with the clock of the database's server.

        Without `running`, do neither: such a clock may tell any time. `tell` is called once when the clock begins to be wrong, and
        with None when it is right again.
        """
        self._clock = clock
        self._running = running
        self._tell = tell
        self._wrong = False
        self._telling = Lock()
        self._seen: tuple[datetime, float] | None = None

    def is_right(self, signs: Signs) -> bool:
        """Return whether the clock can be right."""
        try:
            self.require(signs)
        except ClockWrong as error:
            # of two threads that find it at once, one tells
            with self._telling:
                known, self._wrong = self._wrong, True
            if not known:
                try:
                    self._tell(error, signs.now)
                except BaseException:
                    # nobody was told, so the next look has to
                    self._wrong = False
                    raise
            return False
        # or the process that found it so is gone
        if self._wrong or (signs.doubted is not None and signs.now <= signs.doubted - BEHIND):
            self._tell(None, signs.now)
        self._wrong = False
        return True

    def require(self, signs: Signs) -> None:
        """Raise ClockWrong if by the other signs their `now` cannot be the present instant.

        It cannot either if the clock has moved by another amount than the time that passed since the last call that did not raise. Setting
        the clock back to what it was, or confirming it (`outages.confirm`), makes it right again. ClocksDiffer is raised whatever an admin
        has confirmed.
        """
        self.require_agreement(signs)
        require_plausible(signs)
        if self._running is None:
            return
        now, count = signs.now, self._running()
        if self._seen is not None:
            at, then = self._seen
            due = at + timedelta(seconds=count - then)
            if abs(now - due) > BEHIND and (signs.beat is None or abs(now - signs.beat) > BEHIND):
                side = "after" if now > due else "before"
                how = f"{span(abs(now - due))} {side} what it must be by the time that this process has run"
                raise _wrong(now, how, due, ClockAhead if now > due else ClockWrong)
        # by its own count a process would take the clock that it begins with for right
        elif signs.doubted is not None and now > signs.doubted - BEHIND:
            raise _wrong(now, "not before what it said when another process found it to be ahead", signs.doubted)
        self._seen = now, count

    def require_agreement(self, signs: Signs) -> None:
        """Raise ClocksDiffer if the database's server, whose clock all machines share, tells another time."""
        if self._running is None or signs.server is None:
            return
        # The server was asked after `now` and has answered by now, however long that took.
        if not signs.now - APART <= signs.server <= self._clock() + APART:
            raise clocks_differ(signs.now, signs.server, "Here nothing is decided and no mail is taken until they agree.")


def _wrong(now: datetime, how: str, known: datetime, kind: type[ClockWrong] = ClockWrong) -> ClockWrong:
    return kind(
        f"the clock of this machine says {now:%Y-%m-%d %H:%M} UTC, which is {how} ({known:%Y-%m-%d %H:%M} UTC)."
        f" Nothing is decided and no mail is taken until it is right. Set it; or, if it is right, type `{CONFIRM}`"
    )
