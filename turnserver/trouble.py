"""Log one line when something begins to fail, and one when it works again, however often it failed in between."""

import logging
from collections.abc import Callable
from threading import Lock
from typing import Final

from turnserver.errors import DatabaseUnavailable

MOST_KINDS: Final = 5
"""The number of different errors that are logged in one outage."""

CALM_SECONDS: Final = 300.0
"""The time without a failure after which an outage is over for good."""


class Trouble:
    """Repeated failures of one thing. Threads may share it."""

    def __init__(self, logger: logging.Logger, what: str, seconds: Callable[[], float]) -> None:
        """Log to `logger`. `what` says what fails, at the beginning of a line; `seconds` is a clock that only runs on."""
        self._logger, self._what, self._seconds = logger, what, seconds
        self._lock = Lock()
        self._failures = 0
        self._told: set[str] = set()
        self._last = 0.0
        # whether it has worked since it failed, whether that was told, and whether it was told too early once
        self._well = self._over = self._returned = False

    def failed(self, error: object, *, trace: bool = False) -> None:
        """Note a failure. It is logged unless one of its kind was logged in the same outage; with a traceback if `trace`."""
        # a database that stops and starts again has many words for it, which stand behind ours
        kind = str(error).partition(": ")[0] if isinstance(error, DatabaseUnavailable) else str(error)
        with self._lock:
            self._forget_if_over()
            if self._over:
                # the log says that it works, so it has to say once more that it does not
                self._over, self._returned, self._told = False, True, set()
            self._well = False
            self._failures, self._last = self._failures + 1, self._seconds()
            # an error may have a number in it that changes every time, and would fill the log
            new = kind not in self._told and len(self._told) < MOST_KINDS
            self._told |= {kind} if new else set()
        if new:
            self._logger.error("%s: %s; while that goes on, it is counted and not told again", self._what, error, exc_info=trace)

    def works(self) -> None:
        """Note that the thing works. If it failed before, log how often, and how long ago it did last.

        If it fails again soon, as on a disk that is nearly full, the next line about its end waits until it has worked for a while.
        """
        with self._lock:
            failures, waits = self._failures, self._over or (self._returned and not self._is_calm())
            ago = self._seconds() - self._last
            self._well |= failures > 0
            self._over |= not waits and failures > 0
            self._forget_if_over()
        if failures and not waits:
            # the line may come minutes after the outage
            last, plural = round(ago), "" if failures == 1 else "s"
            self._logger.warning("%s: works again, after %d failure%s; the last was %d seconds ago", self._what, failures, plural, last)

    def _is_calm(self) -> bool:
        return self._seconds() - self._last >= CALM_SECONDS

    def _forget_if_over(self) -> None:
        if self._well and self._is_calm():
            self._failures, self._told, self._well, self._over, self._returned = 0, set(), False, False, False
