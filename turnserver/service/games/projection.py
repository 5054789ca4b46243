"""Rows that follow from a decision about a game: its views, the texts of plans, and addresses that an answer has confirmed."""

from datetime import datetime

from turnserver.play.events import InvitationAccepted
from turnserver.play.reliability import tallied
from turnserver.play.state import Status
from turnserver.service.games.folds import Decision
from turnserver.store.games import plans, views
from turnserver.store.leagues import views as leagues
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people


def project(tx: Transaction, decision: Decision, now: datetime) -> None:
    """Write the rows that follow from a decision."""
    game, before, after = decision.game, decision.before, decision.after
    ended = after.status is Status.ENDED
    was_ended = before is not None and before.status is Status.ENDED
    if before is not None:
        if before.result != after.result:
            # The league of the game hears of the result later, in a transaction of its own.
            leagues.note(tx, game)
        views.add_tallies(tx, tallied(before.players, decision.events, before.vacant))
    views.save_game(tx, game, after, opened_at=None if before else now, ended_at=now if ended and not was_ended else None)
    if before is not None and before.seat_offers != after.seat_offers:
        views.save_seat_offers(tx, game, after)
    for kept in decision.laid:
        plans.keep(tx, game, kept, now)
    for event in decision.events:
        if isinstance(event, InvitationAccepted):
            # They got the invitation, or an admin answers for them.
            people.confirm(tx, event.player, now)
