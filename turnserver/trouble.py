"""Log one line when something begins to fail, and one when it works again, however often it failed in between."""

import logging
from threading import Lock
from typing import Final

from turnserver.errors import DatabaseUnavailable

MOST_KINDS: Final = 5
"""The number of different errors that are logged in one outage."""


class Trouble:
    """Repeated failures of one thing. Threads may share it."""

    def __init__(self, logger: logging.Logger, what: str) -> None:
        """Log to `logger`. `what` says what fails, at the beginning of a line."""
        self._logger, self._what = logger, what
        self._lock = Lock()
        self._failures = 0
        self._told: set[str] = set()

    def failed(self, error: object, *, trace: bool = False) -> None:
        """Note a failure. It is logged unless one of its kind was logged in the same outage; with a traceback if `trace`."""
        # a database that stops and starts again has many words for it, which stand behind ours
        kind = str(error).partition(": ")[0] if isinstance(error, DatabaseUnavailable) else str(error)
        with self._lock:
            self._failures += 1
            # an error may have a number in it that changes every time, and would fill the log
            new = kind not in self._told and len(self._told) < MOST_KINDS
            self._told |= {kind} if new else set()
        if new:
            self._logger.error("%s: %s; while that goes on, it is counted and not told again", self._what, error, exc_info=trace)

    def works(self) -> None:
        """Note that the thing works. If it failed before, log how often."""
        with self._lock:
            failures, self._failures, self._told = self._failures, 0, set()
        if failures:
            self._logger.warning("%s: works again, after %d failures", self._what, failures)
