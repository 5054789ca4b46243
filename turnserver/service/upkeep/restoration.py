"""The database is put back to an earlier state: a new history begins, and nothing of the one that is lost may act on it.

Numbers come again: of games, turns, players, mails and positions. So what is signed is signed by new keys from now on. A reply address
under an older key counts for what the old history held, up to the turn at which the game was put back (`service.upkeep.losses`); a
Message-ID is another one even where the same job does the same thing again, for mail programs drop what they think they have.

What was to be told of games, and surely was told in the history that is lost, is called off where it only asks for something: players get
the present state instead (`Losses.tell`). Everything else that waited is sent under the Message-ID that it has, and whoever got it already
sees it once.
"""

from datetime import datetime

from turnserver.mail.outbound.notices.game import UNTIL_ACTED_ON
from turnserver.service.clock import Entropy
from turnserver.service.keys import KEY_BYTES
from turnserver.store.incidents import outages, restorations
from turnserver.store.incidents.restorations import RESTORED, Restoration
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Transaction


def begin(tx: Transaction, entropy: Entropy, now: datetime, *, lost: bool, reason: str = RESTORED) -> Restoration:
    """Begin a new history with what the database holds now. `lost`: something may have happened since that was so.

    The time since the service was last seen counts as an outage, however short it was: its clocks get it back.
    """
    reply = keyring.rotate(tx, keyring.REPLY, entropy(KEY_BYTES), now)
    message = keyring.rotate(tx, keyring.MESSAGE_ID, entropy(KEY_BYTES), now)
    since = outages.interrupt(tx, now) if reason == RESTORED else None
    if lost and reason == RESTORED:
        restorations.call_off(tx, UNTIL_ACTED_ON, now)
    return restorations.begin(tx, at=now, reason=reason, since=since, reply_key=reply, message_key=message, lost=lost)
