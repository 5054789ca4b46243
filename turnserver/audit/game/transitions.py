"""Check whether an event is possible in the state before it: the part of an audit about people, not about the board.

It does not use the deciding code, whose mistakes it would share.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, TypeAlias, assert_never

from turnserver.ids import Burden, PlayerId, Recorded, Version
from turnserver.play import events as e
from turnserver.play.admin import REOPENABLE
from turnserver.play.clock.clock import again, calendar, live_time
from turnserver.play.clock.live_time import LiveTime
from turnserver.play.leaving import never_under_way
from turnserver.play.line import Entry
from turnserver.play.state import GameState, Status
from turnserver.play.vacations import Vacation, days_between, vacations
from turnserver.rules import Leaving, Seat, Skipping

LateEvent: TypeAlias = e.GraceGranted | e.PlayerNudged | e.SeatVacated | e.TurnSkipped | e.TurnTimedOut
"""An event that may happen because a player lets the others wait."""

_SPARED = 3
_A_DAY = timedelta(days=1)
_A_WEEK = timedelta(days=7)


def late_in_place(state: GameState, event: LateEvent) -> bool:
    """Return whether the event may happen here."""
    if (event.seat, event.turn) != (state.to_move, state.turn):
        return False
    match event:
        case e.GraceGranted():
            return event.hours == state.terms.grace_hours > 0 and event.seat not in state.graces and _longer(state, event)
        case e.TurnSkipped():
            return _had_grace(state) and _spared(state, e.WhenLate.SKIP)
        case e.SeatVacated():
            return _had_grace(state) and state.terms.when_late is e.WhenLate.SUBSTITUTE and state.vacant is None and _a_week(state, event)
        case e.TurnTimedOut():
            return event.deadline == state.deadline and _had_grace(state) and _has_to_leave(state)
        case e.PlayerNudged():
            return _may_be_asked(state, event)
        case _:
            assert_never(event)


def played_by_house(state: GameState, event: e.TurnPlayed) -> bool:
    """Return whether the house could play a turn, which it does at the deadline."""
    return _had_grace(state) and _spared(state, e.WhenLate.HOUSE) and event.received_at == state.deadline and not event.left


def reopenable(state: GameState) -> bool:
    """Return whether a game of two without chance was lost on time. The instant at which a player asked is not known here."""
    lost = state.result is not None and (state.result.by, state.result.outcome) == (e.EndedBy.TIME, e.Outcome.WON)
    return lost and len(state.players) == 2 and state.commitment is None and state.terms.reopen_hours > 0


def _had_grace(state: GameState) -> bool:
    return state.terms.grace_hours == 0 or state.to_move in state.graces


def _longer(state: GameState, event: e.GraceGranted) -> bool:
    before, more = state.clock, timedelta(hours=event.hours)
    if before is None or before.time is None:
        return False
    return (event.clock.since, event.clock.time) == (before.since, before.time + more)


def _spared(state: GameState, policy: e.WhenLate) -> bool:
    """Return whether a policy applies to the turn that the seat has just missed.

    It applies at a table of more than two that has chosen it, and only to so many turns of a seat in a row.
    """
    # Whoever took the seat over does not answer for turns that were missed before.
    since = max((each.turn for each in state.takeovers if each.seat == state.to_move), default=1)
    own = [turn for turn in state.line.numbered if turn.seat == state.to_move and turn.turn >= since][-_SPARED:]
    missed = [turn for turn in own if isinstance(turn, e.TurnSkipped) or turn.by_house]
    able = policy is not e.WhenLate.SKIP or isinstance(state.game.rules, Skipping)
    return able and len(state.players) > 2 and state.terms.when_late is policy and len(missed) < _SPARED


def _has_to_leave(state: GameState) -> bool:
    if state.terms.when_late is e.WhenLate.SUBSTITUTE:
        return state.vacant == state.to_move
    return not (_spared(state, e.WhenLate.SKIP) or _spared(state, e.WhenLate.HOUSE))


def _a_week(state: GameState, event: e.SeatVacated) -> bool:
    since, time = event.clock.since, event.clock.time
    week = LiveTime(calendar(state.terms, state.zones[event.seat - 1])).between(since, since + _A_WEEK)
    # A week of days off would leave no time at all.
    return state.deadline is not None and since >= state.deadline and time == max(week, _A_DAY)


def claim_in_place(state: GameState, event: e.ClaimMade | e.ClaimDropped | e.ClaimDecided) -> bool:
    """Return whether a claim could be made, taken back or decided: one about a turn that its own side of two waits for."""
    claim, clock = state.claim, state.clock
    about_this = claim is not None and (claim.turn, claim.edition) == (state.turn, state.edition)
    if clock is None or len(state.seats) != 2:
        return False
    if isinstance(event, e.ClaimMade):
        waits = event.seat in state.staying and event.seat != state.to_move and event.turn == state.turn
        return waits and not about_this and event.claimed_at - clock.since >= _A_DAY
    waits = claim is not None and about_this and claim.open and claim.seat == event.seat
    return waits and (isinstance(event, e.ClaimDropped) or bool(event.reason.strip()))


def _may_be_asked(state: GameState, event: e.PlayerNudged) -> bool:
    clock, at = state.clock, event.asked_at
    if clock is None or event.asked_by == event.seat or event.asked_by not in state.staying or state.vacant is not None:
        return False
    if at - clock.since < _A_DAY or (state.nudged_at is not None and at - state.nudged_at < _A_DAY):
        return False
    # Nobody is asked on a day off.
    return not live_time(state, event.seat).off(at, at + timedelta.resolution)


def freeze_in_place(state: GameState, event: e.ClockFrozen) -> bool:
    """Return whether clocks could stop: those of the whole table or that of one seat, by its kind, and a pause only as all have agreed.

    A game does not know whether a player has declared a vacation: see `undeclared`.
    """
    if state.status is not Status.RUNNING or event.number != len(state.freezes) + 1:
        return False
    match event.kind:
        case e.FreezeKind.PAUSE:
            return event.seat is None and _as_agreed(state, event)
        case e.FreezeKind.HALT:
            return event.seat is None
        case e.FreezeKind.OUTAGE:
            return event.seat is None and event.ends is not None
        case e.FreezeKind.VACATION | e.FreezeKind.UNDELIVERED:
            return event.seat in state.staying and event.ends is not None
        case _:
            assert_never(event.kind)


def thaw_in_place(state: GameState, event: e.ClockThawed) -> bool:
    """Return whether a freeze could end. If a player ends it, it must be an agreed pause that the player has not ended before.

    `audit.game.clocks` checks when clocks run again, since only the record says when the player asked.
    """
    if state.status is not Status.RUNNING or not 1 <= event.number <= len(state.freezes):
        return False
    if event.by is None:
        return True
    ended = state.freezes[event.number - 1]
    return ended.kind is e.FreezeKind.PAUSE and event.by in state.staying and event.by not in ended.ended_by


def _as_agreed(state: GameState, event: e.ClockFrozen) -> bool:
    pause = state.proposal
    if pause is None or pause.kind is not e.ProposalKind.PAUSE or pause.days is None or event.ends is None:
        return False
    return {pause.seat, *pause.agreed} >= {*state.staying} and event.ends - event.begins == pause.days * _A_DAY


class _Stop(NamedTuple):
    player: PlayerId
    seat: Seat
    begins: datetime
    ends: datetime


def undeclared(  # noqa: C901  # one branch an event
    history: Sequence[Recorded[e.GameEvent]], of: Callable[[PlayerId], Sequence[Recorded[object]]]
) -> Iterator[tuple[Version, str]]:
    """Yield the faults of the vacations that stop clocks in a game, by the versions of its events. `of` returns the events of a player.

    Each has to lie within a vacation that its player had declared by then, and those of one player may not take more days than the game
    allows. A vacation that stops no clock is no fault.
    """
    players: tuple[PlayerId, ...] = ()
    most = 0
    stops: dict[int, _Stop] = {}
    for recorded in history:
        event, number, longer = recorded.event, 0, False
        match event:
            # First, as most events are turns.
            case e.TurnEvent():
                pass
            case e.GameOpened():
                players, most = event.players, event.terms.vacation_days
            case e.SubstituteSeated() if event.seat in range(1, len(players) + 1):
                players = (*players[: event.seat - 1], event.player, *players[event.seat :])
            case e.ClockFrozen(kind=e.FreezeKind.VACATION, seat=int(seat)) if event.ends is not None and seat in range(1, len(players) + 1):
                number, longer = event.number, True
                stops[number] = _Stop(players[seat - 1], seat, event.begins, event.ends)
            case e.ClockThawed() if event.number in stops:
                number, longer = event.number, event.ends > stops[event.number].ends
                # A vacation may be ended before it begins.
                stops[number] = stops[number]._replace(ends=max(event.ends, stops[number].begins))
            case (
                e.GameStarted()
                | e.SeatResigned()
                | e.SeatLeft()
                | e.SubstituteSeated()
                | e.ClockCredited()
                | e.TimeGiven()
                | e.ClockFrozen()
                | e.ClockThawed()
                | e.InvitationEvent()
                | e.PlanEvent()
                | e.ProposalEvent()
                | e.LateEvent()
                | e.SeatOfferEvent()
                | e.EndEvent()
            ):
                pass
            case _:
                assert_never(event)
        if number and (stop := stops[number]).begins < stop.ends:
            declared = _declared(of(stop.player), stop, recorded)
            if declared is None:
                yield recorded.version, f"player {stop.player} has declared no such vacation"
            elif longer and (days := _days(stops.values(), stop, declared.zone)) > most:
                yield recorded.version, f"vacations stop the clock of player {stop.player} for {days} days, and the game allows {most}"


def _declared(events: Sequence[Recorded[object]], stop: _Stop, freeze: Recorded[e.GameEvent]) -> Vacation | None:
    known = vacations(row.event for row in events if _known_by(row, freeze))
    return next((each for each in known if each.begins <= stop.begins and stop.ends <= each.ends), None)


def _known_by(row: Recorded[object], freeze: Recorded[e.GameEvent]) -> bool:
    # Clocks of machines differ, so positions say what was before. A vacation and its freezes are one request, and the vacation is its end.
    return row.position < freeze.position or (row.cause, row.at) == (freeze.cause, freeze.at)


def _days(stops: Iterable[_Stop], last: _Stop, zone: str) -> int:
    # All in the zone of the vacation that was the last to be declared: a player may have moved since the others.
    own = [each for each in stops if (each.player, each.seat) == (last.player, last.seat)]
    return sum(len(list(days_between(each.begins, each.ends, zone))) for each in own)


_CAUSES: dict[e.EndedBy, type[e.GameEvent]] = {
    e.EndedBy.RESIGNATION: e.SeatResigned,
    e.EndedBy.TIME: e.TurnTimedOut,
    e.EndedBy.AGREEMENT: e.DrawAccepted,
    e.EndedBy.REFUSAL: e.InvitationDeclined,
}
_BY_PEOPLE = frozenset({e.EndedBy.TIME, e.EndedBy.RESIGNATION, e.EndedBy.AGREEMENT, e.EndedBy.ADJUDICATION})
_RESULTS = {
    e.EndedBy.AGREEMENT: {e.Outcome.DRAWN},
    e.EndedBy.REFUSAL: {e.Outcome.VOID},
    e.EndedBy.CANCELLATION: {e.Outcome.VOID},
    e.EndedBy.ANNULMENT: {e.Outcome.VOID},
    e.EndedBy.ADJUDICATION: {e.Outcome.WON, e.Outcome.DRAWN},
}


def out_of_course(state: GameState, before: e.GameEvent, event: e.GameEvent) -> Iterator[str]:
    """Yield the faults of `event` coming after `before`, which led to `state`, as clauses. The board and chance are not checked."""
    if owed := still_owed(state, before, event):
        yield owed
    if not _has_its_place(state, event):
        yield f"{type(event).__name__} has no place here: nothing that went before could lead to it"
    elif isinstance(event, e.GameEnded):
        yield from _ending(state, before, event)


def still_owed(state: GameState, last: e.GameEvent, event: e.GameEvent | None = None) -> str | None:
    """Return what should have followed at once upon `last` instead of `event`, as a clause. An `event` of None is the end of the log."""
    # Upon a turn nothing is owed, and most events are turns.
    if isinstance(last, e.TurnEvent):
        return None
    # First, as the game may go on where a player can leave it.
    if isinstance(last, e.SeatResigned | e.TurnTimedOut) and isinstance(state.game.rules, Leaving):
        return None if isinstance(event, e.SeatLeft) else "whoever resigned or ran out of time has not left"
    if isinstance(last, e.ClaimDecided) and last.granted:
        own = isinstance(event, e.GameEnded) and (event.by, event.winners) == (e.EndedBy.ADJUDICATION, (last.seat,))
        return None if own else "a claim is granted, and the game goes on or is lost by it"
    if isinstance(last, e.PlanActed):
        own = isinstance(event, e.SeatResigned if last.act is e.PlanAct.RESIGN else e.DrawOffered) and event.seat == last.seat
        return None if own else f"a plan says {last.act}, and the game goes on as if it did not"
    if isinstance(last, e.DrawAccepted | e.ProposalMade | e.ProposalAgreed) and state.proposal is not None and _agreed(state):
        on_offer = state.proposal.kind
        return None if _carries_out(on_offer, event) else f"a {on_offer} is agreed on, and the game goes on as if it were not"
    if isinstance(last, e.SeatResigned | e.TurnTimedOut | e.InvitationDeclined):
        return None if isinstance(event, e.GameEnded) else f"the game goes on after {type(last).__name__}"
    if isinstance(last, e.InvitationAccepted) and _all_accepted(state):
        return None if isinstance(event, e.GameStarted) else "everybody has accepted, but the game does not start"
    return None


def _has_its_place(state: GameState, event: e.GameEvent) -> bool:  # noqa: C901, PLR0912  # one line an event
    inviting, pending = state.status is Status.INVITING, (state.to_move, state.turn)
    match event:
        # Most events are turns, so they are looked for first, here and below.
        case e.TurnPlayed():
            return _in_turn(state, event)
        case e.InvitationAccepted():
            return inviting and event.player in state.players and event.player not in state.accepted
        case e.InvitationDeclined():
            return inviting and event.player in state.players
        case e.GameStarted():
            return _all_accepted(state)
        case e.SeatResigned():
            return state.to_move is not None and event.seat in state.staying
        case e.PlanLaid() | e.PlanDropped() | e.PlanActed():
            return plan_in_place(state, event)
        # Before the cases of these events: the plan answers, so that none of them comes.
        case e.PlayerReminded() | e.GraceGranted() | e.SeatVacated() | e.TurnTimedOut() if waits_for_a_plan(state, event):
            return False
        case e.ClaimMade() | e.ClaimDropped() | e.ClaimDecided():
            return claim_in_place(state, event)
        case e.TurnTimedOut() | e.GraceGranted() | e.TurnSkipped() | e.SeatVacated() | e.PlayerNudged():
            return late_in_place(state, event)
        case e.PlayerReminded():
            agreed = {*state.terms.reminders, *_again(state)} - state.reminded
            return (event.seat, event.turn) == pending and set() < {*event.marks} <= agreed
        case e.DrawOffered():
            return state.to_move is not None and event.seat in state.staying and draw_in_place(state, event.seat)
        # Before the other proposals, since it alone comes after the end.
        case e.ProposalMade(kind=e.ProposalKind.REOPENING):
            return reopenable(state) and state.proposal is None and state.result is not None and event.seat in state.result.winners
        case e.GameReopened():
            return reopenable(state) and state.proposal is not None and _agreed(state) and event.to_move != state.proposal.seat
        case e.ProposalMade():
            return state.to_move is not None and event.seat in state.staying and state.proposal is None and _proposable(state, event)
        case e.DrawAccepted() | e.DrawDeclined() | e.ProposalAgreed() | e.ProposalDeclined():
            return _is_answer(state, event)
        case e.SubstituteSeated():
            return state.to_move is not None and event.seat in state.staying and event.player not in state.players and _wanted(state, event)
        case e.SubstituteInvited():
            wanted = state.proposal
            asked = wanted is not None and (wanted.place, wanted.player, wanted.seat) == (event.seat, event.player, event.asked_by)
            return asked and _agreed(state)
        case e.SubstituteDeclined():
            return _was_asked(state, event)
        case e.SubstituteWithdrawn():
            own = state.proposal is not None and (state.proposal.kind, state.proposal.seat) == (e.ProposalKind.SUBSTITUTE, event.seat)
            return own or any(offer.asked_by == event.seat for offer in state.seat_offers)
        case e.ClockCredited():
            return _has_more(state, event)
        case e.TimeGiven():
            # One of two, to the other.
            return _has_more(state, event) and {event.seat, state.to_move} == {*state.seats} == {1, 2}
        case e.ClockFrozen():
            return freeze_in_place(state, event)
        case e.ClockThawed():
            return thaw_in_place(state, event)
        case e.TurnsRetracted():
            return _retractable(state, event)
        case e.EndRetracted():
            return state.result is not None and state.result.by in _BY_PEOPLE and bool(event.reason.strip())
        case e.GameEnded():
            return state.result is None
        case e.ResultAnnulled():
            return state.result is not None and state.result.outcome is not e.Outcome.VOID
        case e.GameOpened() | e.SeatLeft() | e.SecretRevealed():
            return True  # what happens on the board is judged by the rules
        case _:
            assert_never(event)


def draw_in_place(state: GameState, seat: Seat) -> bool:
    """Return whether a seat at the table of a running game may offer a draw."""
    first = state.proposal is None and state.turn not in state.draw_offers
    return state.game.entry.draws and first and _rested(state, state.draw_offers[seat - 1])


def _has_more(state: GameState, event: e.ClockCredited | e.TimeGiven) -> bool:
    time = state.clock.time if state.clock else None
    longer = None if time is None else time + timedelta(seconds=event.seconds)
    return longer is not None and (event.turn, event.clock.time) == (state.turn, longer) and event.seconds > 0


def _again(state: GameState) -> Iterator[str]:
    # Only the second reading of terms knows reminders that a clock runs again.
    known = state.freezes if state.terms.clock > 1 else ()
    agreed = (freeze for freeze in known if freeze.kind in (e.FreezeKind.VACATION, e.FreezeKind.PAUSE))
    yield from (again(freeze.ends) for freeze in agreed if freeze.seat in (None, state.to_move) and freeze.ends is not None)


def _in_turn(state: GameState, event: e.TurnPlayed) -> bool:
    if event.by_plan:
        return played_by_plan(state, event)
    return played_by_house(state, event) if event.by_house else state.vacant is None


def _ending(state: GameState, before: e.GameEvent, event: e.GameEnded) -> Iterator[str]:
    """Yield the faults of a result that do not concern the rules of the game."""
    if (event.outcome is e.Outcome.WON) is not bool(event.winners) or not {*event.winners} <= {*state.seats}:
        yield "the winners do not fit the outcome"
    if any({*event.winners} & team not in (team, set()) for team in state.game.rules.teams):
        yield "half of a team has won"
    if event.outcome not in _RESULTS.get(event.by, e.Outcome):
        yield f"no game is {event.outcome} by {event.by.value}"
    if event.by in (e.EndedBy.ADJUDICATION, e.EndedBy.ANNULMENT) and state.status is not Status.RUNNING:
        yield "a game that has not started has a result"
    cause = _CAUSES.get(event.by)
    # Once somebody has left, the rules say how it ends.
    if cause is None or isinstance(before, e.SeatLeft):
        return
    if not isinstance(before, cause) or (event.by is e.EndedBy.AGREEMENT and not _agreed(state)):
        yield f"the game has ended by {event.by.value}, but nothing of the kind has happened"
    elif isinstance(before, e.SeatResigned | e.TurnTimedOut):
        void = isinstance(before, e.TurnTimedOut) and never_under_way(state, before.seat)
        others = [team for team in state.game.rules.teams if before.seat not in team and not void]
        if event.winners != tuple(sorted(seat for team in others for seat in team)):
            yield "the winners are not those who stayed"


def _carries_out(kind: e.ProposalKind, event: e.GameEvent | None) -> bool:
    match kind:
        case e.ProposalKind.DRAW:
            return isinstance(event, e.GameEnded)
        case e.ProposalKind.PAUSE:
            return isinstance(event, e.ClockFrozen) and event.kind is e.FreezeKind.PAUSE
        case e.ProposalKind.REOPENING:
            return isinstance(event, e.GameReopened)
        case e.ProposalKind.TAKE_BACK:
            return isinstance(event, e.TurnsRetracted) and event.kind is e.RetractionKind.AGREEMENT
        case e.ProposalKind.SUBSTITUTE:
            return isinstance(event, e.SubstituteInvited)
        case _:
            assert_never(kind)


def _all_accepted(state: GameState) -> bool:
    return state.status is Status.INVITING and state.accepted == frozenset(state.players)


def _proposable(state: GameState, event: e.ProposalMade) -> bool:
    """Return whether the terms of the game allow the proposal."""
    if event.kind is e.ProposalKind.SUBSTITUTE:
        outside = event.player is not None and event.player not in (*state.players, *(offer.player for offer in state.seat_offers))
        return outside and event.days is None and event.place == (state.vacant or event.seat)
    if event.player is not None or event.place is not None:
        return False
    if event.kind is e.ProposalKind.TAKE_BACK:
        return event.days is None and _may_go_back(state, event.seat)
    return event.kind is e.ProposalKind.PAUSE and event.days is not None and 1 <= event.days <= state.terms.pause_days


def _wanted(state: GameState, event: e.SubstituteSeated) -> bool:
    # An admin gives a reason. A substitute whom the players have asked needs none, but then the result counts as usual.
    return bool(event.reason.strip()) or (event.rating is Burden.SEAT and _was_asked(state, event))


def _was_asked(state: GameState, event: e.SubstituteSeated | e.SubstituteDeclined) -> bool:
    return any((offer.seat, offer.player) == (event.seat, event.player) for offer in state.seat_offers)


def _may_go_back(state: GameState, seat: Seat) -> bool:
    since: list[Entry] = []
    for entry, _ in state.line.backwards():
        since.append(entry)
        if isinstance(entry, e.TurnPlayed) and entry.seat == seat and not entry.by_house:
            # Nobody may play a turn again for a roll that is known.
            return entry.turn != state.take_backs[seat - 1] and all(isinstance(each, e.TurnPlayed) and not each.rolls for each in since)
    return False


def _retractable(state: GameState, event: e.TurnsRetracted) -> bool:
    # Whether the others knew of a corrected turn, only instants could tell.
    newest, proposal = state.line.entry, state.proposal
    match event.kind:
        case e.RetractionKind.ADMIN:
            reopens = state.result is None or state.result.by in REOPENABLE
            return reopens and event.first in [turn.turn for turn in state.line.numbered]
        case e.RetractionKind.CORRECTION:
            own = isinstance(newest, e.TurnPlayed) and (newest.turn, newest.seat) == (event.first, event.seat) and not newest.rolls
            return state.to_move is not None and own and bool(state.terms.correction_minutes)
        case e.RetractionKind.AGREEMENT:
            asked = proposal is not None and proposal.kind is e.ProposalKind.TAKE_BACK and proposal.seat == event.seat
            last = max((turn.turn for turn in state.line.turns if turn.seat == event.seat and not turn.by_house), default=None)
            return asked and _agreed(state) and event.first == last
        case _:
            assert_never(event.kind)


def _is_answer(state: GameState, event: e.DrawAccepted | e.DrawDeclined | e.ProposalAgreed | e.ProposalDeclined) -> bool:
    asked = state.asked(event.seat) if event.seat in state.seats else None
    if asked is None or (asked.kind is e.ProposalKind.DRAW) is not isinstance(event, e.DrawAccepted | e.DrawDeclined):
        return False
    # A player may say yes only once.
    return isinstance(event, e.DrawDeclined | e.ProposalDeclined) or event.seat not in asked.agreed


def _rested(state: GameState, offered: int | None) -> bool:
    return offered is None or state.turn - offered >= state.terms.draw_turns


def _agreed(state: GameState) -> bool:
    on_offer = state.proposal
    return on_offer is not None and {*on_offer.agreed, on_offer.seat, on_offer.place} >= {*state.staying}


def plan_in_place(state: GameState, event: e.PlanLaid | e.PlanDropped | e.PlanActed) -> bool:
    """Return whether the event about a plan may happen here."""
    if event.seat not in state.seats or state.to_move is None:
        return False
    if isinstance(event, e.PlanLaid):
        return len(state.seats) == 2 and _opponents(state, event)
    newest, asked = state.line.entry, state.asked(event.seat) is not None
    if state.plans[event.seat - 1] is None:
        return False
    if isinstance(event, e.PlanActed):
        return (state.to_move, state.turn) == (event.seat, event.turn) and not asked
    match event.reason:
        case e.PlanEnd.FORGOTTEN:
            return True
        case e.PlanEnd.PLAYED_OUT:
            return isinstance(newest, e.TurnPlayed) and newest.by_plan and newest.seat == event.seat
        case e.PlanEnd.ASKED:
            return state.to_move == event.seat and asked
        case e.PlanEnd.NOT_EXPECTED | e.PlanEnd.NOT_LEGAL | e.PlanEnd.LOST:
            return state.to_move == event.seat and not asked
        case _:
            assert_never(event.reason)


def played_by_plan(state: GameState, event: e.TurnPlayed) -> bool:
    """Return whether a plan could play a turn: there was one, and nothing on offer would lapse by it."""
    return state.planned is not None and state.asked(event.seat) is None and not event.by_house


def waits_for_a_plan(state: GameState, event: e.PlayerReminded | e.GraceGranted | e.SeatVacated | e.TurnTimedOut) -> bool:
    """Return whether the turn of a reminder or of a missed deadline is one for the player's plan to answer."""
    return event.seat in state.seats and state.plans[event.seat - 1] is not None


def _opponents(state: GameState, event: e.PlanLaid) -> bool:
    # The plan begins with a turn of the opponent: the pending one, or the last one, which the plan's player may not have known.
    newest = state.line.entry
    if event.turn == state.turn:
        return state.to_move != event.seat
    return isinstance(newest, e.TurnPlayed) and newest.turn == event.turn and newest.seat != event.seat
