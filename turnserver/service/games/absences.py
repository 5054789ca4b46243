"""The effect of vacations on a game in which their player sits down, or of which the game has not heard."""

from datetime import datetime

from turnserver.play.timing import freeze_clock, thaw_clock
from turnserver.play.vacations import freeze_for, thaws_for, vacations
from turnserver.rules import Seat
from turnserver.service.games.folds import Decision
from turnserver.service.people import player_log
from turnserver.store.log.database import Transaction


def with_vacations(tx: Transaction, decision: Decision, seat: Seat, now: datetime) -> Decision:
    """Return the decision with the freezes and thaws that follow from the vacations of the player at `seat`."""
    known = vacations(row.event for row in player_log.load(tx, decision.after.player_at(seat)))
    for thaw in thaws_for(decision.after, seat, known):
        decision = decision.followed_by(thaw_clock(decision.after, thaw))
    for vacation in known:
        freeze = freeze_for(decision.after, seat, vacation, max(now, vacation.begins))
        if freeze is not None:
            decision = decision.followed_by(freeze_clock(decision.after, freeze, now))
    return decision
