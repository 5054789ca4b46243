"""After the database was put back: tell players how their games stand now, and the admin what proves to be lost."""

from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from turnserver.config import Settings
from turnserver.errors import ConfigError, ProofError
from turnserver.mail.outbound.kinds import UNTIL_ACTED_ON, MailKind
from turnserver.mail.outbound.notices import game as notices
from turnserver.mail.outbound.notices.admin import loss_report
from turnserver.outside import RandomBytes
from turnserver.proof import checkpoint
from turnserver.service.games.ledger import Ledger
from turnserver.service.keys import KEY_BYTES
from turnserver.service.mailroom import open_games
from turnserver.service.request import Request
from turnserver.service.upkeep import checkpoints
from turnserver.store.incidents import outages, restorations
from turnserver.store.incidents.restorations import RESTORED, Restoration
from turnserver.store.log import log
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.store.people import sessions
from turnserver.store.people.accounts import Person


def begin(tx: Transaction, entropy: RandomBytes, now: datetime, *, lost: bool, reason: str = RESTORED) -> Restoration:
    """Begin a new history with the present contents of the database. `lost` says that something may have happened since those were current.

    The time since the service was last seen counts as an outage, however short it was: its clocks get it back.
    """
    # New keys, so that nothing that was signed in the lost history acts on this one.
    reply = keyring.rotate(tx, keyring.REPLY, entropy(KEY_BYTES), now)
    message = keyring.rotate(tx, keyring.MESSAGE_ID, entropy(KEY_BYTES), now)
    sessions.forget_all(tx)
    since = outages.interrupt(tx, now) if reason == RESTORED else None
    if lost and reason == RESTORED:
        restorations.call_off(tx, UNTIL_ACTED_ON, now)
    return restorations.begin(tx, at=now, reason=reason, since=since, reply_key=reply, message_key=message, lost=lost)


EVERY: Final = timedelta(days=1)
"""The shortest time between two reports of losses to the admin."""


class Losses:
    """Tells of losses, of each once, whichever process finds it."""

    def __init__(self, ledger: Ledger, settings: Settings) -> None:
        """Tell the players of `ledger`, and the admin of the `settings` if there is one."""
        self._ledger = ledger
        self._admin = settings.site.admin
        self._settings = settings
        self._looked = False

    def round(self, now: datetime) -> int:
        """Tell everything that has not been told. Return the number of mails and reports."""
        if not self._looked:
            self._looked = True
            with suppress(ConfigError):  # the doctor says so
                self._ledger.attempt(partial(self._compare, now))
        with self._ledger.db.read() as conn:
            settled = not outages.unsettled(conn)  # what is told of deadlines holds then
            untold = [one for one in restorations.every(conn) if one.lost and not one.told and one.reason == RESTORED and settled]
            due = self._due(conn, now)
        told = sum(self._tell(one, now) for one in untold)
        if due:
            self._ledger.attempt(partial(self._report, now))
        return told + due

    def _compare(self, now: datetime, tx: Transaction) -> None:
        """Compare once the published checkpoints with the log: events that were signed and are missing here are lost."""
        directory, last = self._settings.audit.publish, log.last_position(tx)
        beyond = [file for file in checkpoints.listed(directory) if file.size > last] if directory else []
        if not beyond:
            return
        keys = checkpoints.verifying(self._settings)
        # The largest checkpoint that is truly ours tells the whole loss; a forged file tells nothing.
        for file in reversed(beyond):
            with suppress(ProofError):
                size = checkpoint.verify(checkpoints.read(file.path), keys, self._settings.origin).size
                if size > last:
                    restorations.note(tx, f"events {last + 1} to {size}", f"the signed checkpoint {file.path.name}", now)
                    return

    def _tell(self, restoration: Restoration, now: datetime) -> int:
        """Tell every player with open games how these stand now, each of them once, whichever processes do so."""
        with self._ledger.db.read() as conn:
            everybody = people.list_players(conn)
        told = 0
        for person in everybody:
            told += self._ledger.attempt(partial(self._tell_one, restoration, person, now))
        # Noted last: if the process dies before, the next one tells those who are left.
        self._ledger.attempt(lambda tx: restorations.told(tx, restoration.id))
        return told

    def _tell_one(self, restoration: Restoration, person: Person, now: datetime, tx: Transaction) -> int:
        """Queue a mail with the player's games, and a fresh one for each game that waits for the player.

        Return 1, or 0 if nothing was due or the player has been told.
        """
        if not (person.preferences.subscribed and open_games.open_to(tx, person.id)):
            return 0
        request = Request("service", f"job:restored:{restoration.id}", now)
        # This mail stands for the whole: under its name it is queued once, so what another process has told is not called off below.
        if not self._ledger.post.queue(tx, [notices.restored(person.id, restoration.put_back_to or restoration.at)], request):
            return 0
        # Mails that ask for something are replaced by what is due now, and the list has the deadlines. One that is leaving may come too,
        # which is better than neither.
        restorations.call_off_to(tx, person.id, UNTIL_ACTED_ON | {MailKind.CLOCK_CHANGED}, now)
        for fresh in open_games.waiting_for(tx, self._ledger, person, now):
            self._ledger.post.queue(tx, [fresh.notice], request, fresh.game, fresh.state)
        return 1

    def _due(self, conn: Transaction, now: datetime) -> bool:
        # Reports of times at which there was no admin's address count as told.
        last = restorations.last_report(conn)
        return bool(restorations.unreported(conn)) and (last is None or now - last >= EVERY)

    def _report(self, now: datetime, tx: Transaction) -> None:
        found = restorations.unreported(tx)
        if not found:
            return
        restorations.reported(tx, found[-1].id, now)
        if not self._admin:
            return
        every = restorations.every(tx)
        known = every[-1] if every else None
        notice = loss_report(
            self._admin,
            [f"{one.subject}: {one.evidence}" for one in found],
            known.put_back_to if known else None,
            told=known is not None and known.told,
        )
        self._ledger.post.queue(tx, [notice], Request("service", f"job:losses:{found[-1].id}", now))
