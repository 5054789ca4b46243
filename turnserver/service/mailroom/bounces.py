"""Mail that comes back: which mail of ours it is about, whether to believe it, and what follows.

Whatever comes to a bounce address is a report or nothing: it is never carried out and never answered. A report that comes to any other
address is believed if it returns or answers the Message-ID of a mail of ours, which nobody can guess.
"""

from datetime import datetime
from typing import NamedTuple

from turnserver.ids import Fate
from turnserver.mail.format import return_paths as verp
from turnserver.mail.format import tokens
from turnserver.mail.format.bounces import Report, report
from turnserver.mail.format.tokens import Keys
from turnserver.mail.inbound.read import Reading
from turnserver.service.games.ledger import Request
from turnserver.service.mailroom import lost_history as lost
from turnserver.service.mailroom.deliverability import Reachability
from turnserver.store.log.database import Transaction
from turnserver.store.mail import delivery_reports as outcomes
from turnserver.store.mail import inbox
from turnserver.store.mail.inbox import InboxItem

_WORDS = {
    Fate.HARD: "hard bounce of mail",
    Fate.POLICY: "refusal of us by policy, of mail",
    Fate.SOFT: "soft bounce of mail",
    Fate.DELAYED: "delay of mail",
    Fate.DELIVERED: "delivery of mail",
    Fate.UNCLASSIFIED: "ignored: nothing about mail",
}


class Returned(NamedTuple):
    """A mail that may be a report. `tag` is what it has of a bounce address; None if it came to another one."""

    tag: str | None
    report: Report


class Returns:
    """Takes what comes back out of the stream of mail."""

    def __init__(self, keys: Keys, reachability: Reachability) -> None:
        """`keys` verify bounce addresses."""
        self._keys = keys
        self._reachability = reachability

    def read(self, item: InboxItem, reading: Reading) -> Returned | None:
        """Look at a mail before anything is decided; None for one that is certainly none of these."""
        if tag := verp.find([item.recipient]) or self._named(item, reading):
            return Returned(tag, report(item.raw))
        if reading.automatic and (found := report(item.raw)).fate is not Fate.UNCLASSIFIED:
            return Returned(None, found)
        return None

    def _named(self, item: InboxItem, reading: Reading) -> str | None:
        """The bounce address of ours among those that the headers name, if the envelope names neither one nor an address for answers."""
        tag = verp.find(reading.recipients) if tokens.find([item.recipient]) is None else None
        return tag if tag is not None and verp.verify(self._keys, tag) is not None else None

    def take(self, tx: Transaction, item: InboxItem, returned: Returned, now: datetime) -> bool:
        """Keep what a mail reports, judge the player, and finish the mail. False, and nothing is done, if it is about no mail of ours."""
        found = returned.report
        if returned.tag is None:
            number = outcomes.find(tx, found.message_ids)
            if number is None:
                return False
        else:
            number = verp.verify(self._keys, returned.tag)
            if number is None or not outcomes.exists(tx, number) or lost.mail_is_lost(tx, number, verp.signed_by(returned.tag)):
                inbox.done(tx, item.id, "ignored: a bounce address that is not ours", now)
                return True
        inbox.done(tx, item.id, f"{_WORDS[found.fate]} {number}", now)
        if found.fate is not Fate.UNCLASSIFIED:
            player = outcomes.returned(tx, number, found.fate, found.reason, now, mail=item.id)
            if player is not None and found.fate.came_back:
                why = found.reason or f"a {found.fate} bounce"
                self._reachability.judge(tx, player, found.fate, why, Request("service", f"mail:{item.identity}", now))
        return True
