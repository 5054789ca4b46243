"""The effect of a player's vacations on a game: when one is declared or ends, and when its player sits down there."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from turnserver.play.timing import freeze_clock, thaw_clock
from turnserver.play.vacations import Vacation, freeze_for, thaws_for, vacations
from turnserver.rules import Seat
from turnserver.service.games.folds import Decision
from turnserver.service.people import player_log
from turnserver.store.log.database import Transaction


def with_vacations(tx: Transaction, decision: Decision, seats: Iterable[Seat], now: datetime) -> Decision:
    """Return the decision with the freezes and thaws that follow from the vacations of the players at `seats`."""
    for seat in seats:
        known = vacations(row.event for row in player_log.load(tx, decision.after.player_at(seat)))
        decision = stopped_for(decision, seat, known, now)
    return decision


def stopped_for(decision: Decision, seat: Seat, known: Sequence[Vacation], now: datetime, asked_at: datetime | None = None) -> Decision:
    """Return the decision with the freezes and thaws that make the clock of `seat` stand still as vacations want it to.

    They count from `asked_at` on (see `freeze_for`), or else from now on. What a game allows goes to the vacations in the order of their
    beginnings; that includes the days that come back when an earlier one ends.
    """
    for thaw in thaws_for(decision.after, seat, known):
        decision = decision.followed_by(thaw_clock(decision.after, thaw))
    for vacation in sorted(known, key=lambda each: each.begins):
        freeze = freeze_for(decision.after, seat, vacation, max(asked_at or now, vacation.begins), asked_at)
        if freeze is not None:
            decision = decision.followed_by(freeze_clock(decision.after, freeze, now))
    return decision
