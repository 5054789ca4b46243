"""Whom players may have asked to play on for somebody."""

from datetime import datetime

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.mail.inbound.seat_phrases import Substitute
from turnserver.play.commands import Propose, Withdraw
from turnserver.play.events import ProposalKind
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.text import say


def command(conn: Transaction, phrase: Substitute, player: PlayerId, arrived_at: datetime) -> Propose | Withdraw:
    """What the player asks of his game. Raises NotFound for a name that nobody has; refuses (`unsubscribed`) who wants no mail."""
    if phrase.name is None:
        return Withdraw(player, arrived_at)
    person = people.find_player(conn, phrase.name)
    if not person.preferences.subscribed:
        raise NotAllowed("unsubscribed", say("{name} wants no mail at present and cannot be asked. Name somebody else.", name=person.name))
    return Propose(player, arrived_at, ProposalKind.SUBSTITUTE, substitute=person.id)
