"""Old mail: after the time that the site has set, mails that were handled and texts that were sent are given up, a few at a time."""

from datetime import datetime, timedelta
from typing import Final

from turnserver.config import Retention
from turnserver.service.games.ledger import Ledger
from turnserver.store.mail import retention

AGAIN: Final = timedelta(days=1)
"""So long nothing is looked at once all old mail has been seen."""


class OldMail:
    """The mail that is not kept any longer. Each process goes through all mail once, and then waits for some to grow old."""

    def __init__(self, ledger: Ledger, settings: Retention) -> None:
        """Begin with the first mail."""
        self._ledger = ledger
        self._days = settings.mail_days
        self._came = self._went = 0
        self._next: datetime | None = None

    def round(self, now: datetime) -> int:
        """Look at the next mails that came and that went. Return how many of them are old and were not seen before."""
        if not self._days or (self._next is not None and self._next - AGAIN <= now < self._next):
            return 0
        before = now - timedelta(days=self._days)
        with self._ledger.db.read() as conn:
            came, went = retention.came(conn, self._came, before), retention.went(conn, self._went, before)
        if came.old or went.old:
            with self._ledger.db.write() as tx:
                for number in came.old:
                    retention.empty_came(tx, number)
                for number in went.old:
                    retention.empty_went(tx, number)
        # only now: what another process or an error has kept from being written is looked at again
        self._came, self._went = came.upto, went.upto
        self._next = now + AGAIN if came.last and went.last else None
        return len(came.old) + len(went.old)
