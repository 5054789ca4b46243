"""Deciding about pauses that the players agree on: no clock runs for some days, or until one of them, or an admin, wants to go on."""

from datetime import datetime, timedelta
from typing import Final

from turnserver.errors import NotAllowed
from turnserver.play.commands import FreezeClock, Propose, Release, Resume, ThawClock
from turnserver.play.events import FreezeKind, GameEvent, ProposalKind, ProposalMade
from turnserver.play.evolve import fold
from turnserver.play.guards import pending, seat_of
from turnserver.play.state import GameState, Proposal
from turnserver.play.timing import freeze_clock, standing_still, thaw_clock
from turnserver.rules import Seat
from turnserver.words import say

USUAL_DAYS: Final = 14
"""How long a pause lasts of which nobody has said how long, if that is allowed."""


def proposed_pause(state: GameState, seat: Seat, command: Propose) -> ProposalMade:
    """The proposal of a pause.

    Refuses (`no_pauses`, `bad_pause`) what the terms of the game do not allow, and (`already_paused`) a second one at the same time.
    """
    longest = state.terms.pause_days
    if not longest:
        raise NotAllowed("no_pauses", say('This game is played without pauses. If you cannot go on, write "vacation" or ask the admin.'))
    days = min(USUAL_DAYS, longest) if command.days is None else command.days
    if not 1 <= days <= longest:
        told = say(
            'A pause lasts 1 to {n} day in this game. Write, for example, "pause {days} days".',
            'A pause lasts 1 to {n} days in this game. Write, for example, "pause {days} days".',
            n=longest,
            days=min(USUAL_DAYS, longest),
        )
        raise NotAllowed("bad_pause", told)
    if standing_still(state, command.arrived_at, FreezeKind.PAUSE, FreezeKind.HALT):
        raise NotAllowed("already_paused", say("This game pauses already: no clock runs."))
    return ProposalMade(seat=seat, kind=ProposalKind.PAUSE, days=days)


def agreed_pause(state: GameState, proposal: Proposal, now: datetime) -> tuple[GameEvent, ...]:
    """Stop every clock from now on, as long as was agreed."""
    ends = now + timedelta(days=proposal.days or USUAL_DAYS)
    return freeze_clock(state, FreezeClock(FreezeKind.PAUSE, None, now, ends), now)


def resume(state: GameState, command: Resume, now: datetime) -> tuple[GameEvent, ...]:
    """End the pause. Refuses (`not_paused`) where there is none, and (`halted`) one that an admin has ordered."""
    seat_of(state, command.player)
    pending(state)
    pause = standing_still(state, now, FreezeKind.PAUSE)
    if pause is None and standing_still(state, now, FreezeKind.HALT):
        raise NotAllowed("halted", say("An admin has stopped the clocks of this game, and only an admin can let them run again."))
    if pause is None:
        raise NotAllowed("not_paused", say("This game does not pause, so there is nothing to resume. Play on."))
    return thaw_clock(state, ThawClock(pause.number, now))


def release(state: GameState, command: Release, now: datetime) -> tuple[GameEvent, ...]:
    """End what has stopped every clock of the game, be it a pause or a halt. Refuses (`not_paused`) where nothing has."""
    pending(state)
    stopped = (standing_still(state, now, kind) for kind in (FreezeKind.PAUSE, FreezeKind.HALT))
    events: tuple[GameEvent, ...] = ()
    for number in [freeze.number for freeze in stopped if freeze]:
        thawed = thaw_clock(state, ThawClock(number, now, command.reason))
        events, state = (*events, *thawed), fold(thawed, state)
    if not events:
        raise NotAllowed("not_paused", "No pause or halt stops the clocks of this game. There is nothing to resume.")
    return events
