"""Deciding about pauses that the players agree on: no clock runs for some days, or until they, or an admin, want to go on."""

from datetime import datetime, timedelta
from typing import Final

from turnserver.errors import NotAllowed
from turnserver.play.commands import FreezeClock, Propose, Release, Resume, ThawClock
from turnserver.play.events import FreezeKind, GameEvent, ProposalKind, ProposalMade
from turnserver.play.evolve import fold
from turnserver.play.guards import instant, pending, seat_of
from turnserver.play.state import GameState, Proposal
from turnserver.play.timing import freeze_clock, standing_still, thaw_clock
from turnserver.rules import Seat
from turnserver.text import say

USUAL_DAYS: Final = 14
"""The length of a pause in days if nobody has named one and the terms allow it."""

NOTICE: Final = timedelta(days=1)
"""The shortest time that clocks still stand after one player alone has ended a pause."""


def proposed_pause(state: GameState, seat: Seat, command: Propose) -> ProposalMade:
    """Return the proposal of a pause.

    Refuses (`no_pauses`, `bad_pause`) what the terms of the game do not allow, and (`already_paused`) a second pause at the same time.
    """
    longest = state.terms.pause_days
    if not longest:
        raise NotAllowed("no_pauses", say('There are no pauses in this game. If you can\'t go on, reply "vacation" or ask the organisers.'))
    days = min(USUAL_DAYS, longest) if command.days is None else command.days
    if not 1 <= days <= longest:
        message = say(
            'A pause in this game lasts 1 to {n} day. Reply, for example, "pause {days} days".',
            'A pause in this game lasts 1 to {n} days. Reply, for example, "pause {days} days".',
            n=longest,
            days=min(USUAL_DAYS, longest),
        )
        raise NotAllowed("bad_pause", message)
    if standing_still(state, command.arrived_at, FreezeKind.PAUSE, FreezeKind.HALT):
        raise NotAllowed("already_paused", say("This game is paused already; no clock runs."))
    return ProposalMade(seat=seat, kind=ProposalKind.PAUSE, days=days)


def agreed_pause(state: GameState, proposal: Proposal, arrived_at: datetime, now: datetime) -> tuple[GameEvent, ...]:
    """Stop every clock for the agreed or usual days, from the arrival of the last yes, before the deadline. Refuses like `freeze_clock`."""
    deadline = state.deadline
    # From the arrival of the last yes, not from its reading, which may come after the deadline. A yes at the very deadline is in time, so
    # the pause has to begin before it.
    begins = arrived_at if deadline is None else min(arrived_at, deadline - timedelta.resolution)
    ends = begins + timedelta(days=proposal.days or USUAL_DAYS)
    return freeze_clock(state, FreezeClock(FreezeKind.PAUSE, None, begins, ends), now)


def resume(state: GameState, command: Resume, now: datetime) -> tuple[GameEvent, ...]:
    """End the pause after `NOTICE`, or at once if everybody at the table has asked for it.

    Refuses (`not_paused`) if there is no pause, (`already_resuming`) a player who has asked before, and (`halted`) to end an admin's halt.
    """
    seat = seat_of(state, command.player)
    pending(state)
    pause = standing_still(state, now, FreezeKind.PAUSE)
    if pause is None and standing_still(state, now, FreezeKind.HALT):
        raise NotAllowed("halted", say("The organisers have stopped the clocks of this game, and only they can start them again."))
    if pause is None:
        raise NotAllowed("not_paused", say("This game isn't paused. Play on."))
    if seat in pause.ended_by:
        message = say(
            'You have asked for that already. The clocks run again at {ends}, or as soon as everybody else has replied "resume".',
            ends=instant(pause.ends or now),
        )
        raise NotAllowed("already_resuming", message)
    if pause.ended_by | {seat} >= {*state.staying}:
        return thaw_clock(state, ThawClock(pause.number, now, by=seat))
    # the others have counted on the pause, and one of them may have an hour left
    return thaw_clock(state, ThawClock(pause.number, min(pause.ends or now + NOTICE, now + NOTICE), by=seat))


def release(state: GameState, command: Release, now: datetime) -> tuple[GameEvent, ...]:
    """End the pause or halt that stops every clock of the game. Refuses (`not_paused`) if there is none."""
    pending(state)
    stopped = (standing_still(state, now, kind) for kind in (FreezeKind.PAUSE, FreezeKind.HALT))
    events: tuple[GameEvent, ...] = ()
    for number in [freeze.number for freeze in stopped if freeze]:
        thawed = thaw_clock(state, ThawClock(number, now, command.reason))
        # a pause and a halt may stop the clocks at the same time, and the second clock follows from the first
        events, state = (*events, *thawed), fold(thawed, state)
    if not events:
        raise NotAllowed("not_paused", "No pause or halt stops the clocks of this game. There is nothing to resume.")
    return events
