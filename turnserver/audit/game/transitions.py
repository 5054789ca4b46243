"""Whether an event could follow at all, in the state that it meets: the part of an audit that looks at people and not at the board.

Written apart from what decides: an audit that asked the deciding code would share its mistakes.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import assert_never

from turnserver.audit.game.freezes import freeze_in_place, thaw_in_place
from turnserver.audit.game.plans import plan_in_place, played_by_plan, waits_for_a_plan
from turnserver.audit.game.timeouts import late_in_place, played_by_house, reopenable
from turnserver.ids import Burden
from turnserver.play.admin import REOPENABLE
from turnserver.play.clock.clock import again
from turnserver.play.events import (
    ClockCredited,
    ClockFrozen,
    ClockThawed,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    EndedBy,
    FreezeKind,
    GameEnded,
    GameEvent,
    GameOpened,
    GameReopened,
    GameStarted,
    GraceGranted,
    InvitationAccepted,
    InvitationDeclined,
    Outcome,
    PlanDropped,
    PlanLaid,
    PlayerNudged,
    PlayerReminded,
    ProposalAgreed,
    ProposalDeclined,
    ProposalKind,
    ProposalMade,
    ResultAnnulled,
    RetractionKind,
    SeatLeft,
    SeatResigned,
    SeatVacated,
    SecretRevealed,
    SubstituteDeclined,
    SubstituteInvited,
    SubstituteSeated,
    SubstituteWithdrawn,
    TurnPlayed,
    TurnSkipped,
    TurnsRetracted,
    TurnTimedOut,
)
from turnserver.play.leaving import never_under_way
from turnserver.play.line import Entry
from turnserver.play.state import GameState, Status
from turnserver.rules import Leaving, Seat

_CAUSES: dict[EndedBy, type[GameEvent]] = {
    EndedBy.RESIGNATION: SeatResigned,
    EndedBy.TIME: TurnTimedOut,
    EndedBy.AGREEMENT: DrawAccepted,
    EndedBy.REFUSAL: InvitationDeclined,
}
_RESULTS = {
    EndedBy.AGREEMENT: {Outcome.DRAWN},
    EndedBy.REFUSAL: {Outcome.VOID},
    EndedBy.CANCELLATION: {Outcome.VOID},
    EndedBy.ANNULMENT: {Outcome.VOID},
    EndedBy.ADJUDICATION: {Outcome.WON, Outcome.DRAWN},
}


def out_of_course(state: GameState, before: GameEvent, event: GameEvent) -> Iterator[str]:
    """What is wrong with `event` coming after `before`, which led to `state`, as clauses; nothing about the board or about chance."""
    if owed := still_owed(state, before, event):
        yield owed
    if not _has_its_place(state, event):
        yield f"{type(event).__name__} has no place here: nothing that went before could lead to it"
    elif isinstance(event, GameEnded):
        yield from _ending(state, before, event)


def still_owed(state: GameState, last: GameEvent, event: GameEvent | None = None) -> str | None:
    """What should have followed at once upon `last` instead of `event` (None: the end of the log), as a clause."""
    if isinstance(last, SeatResigned | TurnTimedOut) and isinstance(state.game.rules, Leaving):
        return None if isinstance(event, SeatLeft) else "whoever resigned or ran out of time has not left"
    if isinstance(last, DrawAccepted | ProposalMade | ProposalAgreed) and state.proposal is not None and _agreed(state):
        on_offer = state.proposal.kind
        return None if _carries_out(on_offer, event) else f"a {on_offer} is agreed on, and the game goes on as if it were not"
    if isinstance(last, SeatResigned | TurnTimedOut | InvitationDeclined):
        return None if isinstance(event, GameEnded) else f"the game goes on after {type(last).__name__}"
    if isinstance(last, InvitationAccepted) and _all_accepted(state):
        return None if isinstance(event, GameStarted) else "everybody has accepted, but the game does not start"
    return None


def _has_its_place(state: GameState, event: GameEvent) -> bool:  # noqa: C901, PLR0912  # one line an event
    inviting, pending = state.status is Status.INVITING, (state.to_move, state.turn)
    match event:
        case InvitationAccepted():
            return inviting and event.player in state.players and event.player not in state.accepted
        case InvitationDeclined():
            return inviting and event.player in state.players
        case GameStarted():
            return _all_accepted(state)
        case SeatResigned():
            return state.to_move is not None and event.seat in state.staying
        case PlanLaid() | PlanDropped():
            return plan_in_place(state, event)
        case PlayerReminded() | GraceGranted() | SeatVacated() | TurnTimedOut() if waits_for_a_plan(state, event):
            return False
        case TurnTimedOut() | GraceGranted() | TurnSkipped() | SeatVacated() | PlayerNudged():
            return late_in_place(state, event)
        case TurnPlayed():
            return _in_turn(state, event)
        case PlayerReminded():
            agreed = {*state.terms.reminders, *_again(state)} - state.reminded
            return (event.seat, event.turn) == pending and set() < {*event.marks} <= agreed
        case DrawOffered():
            first = state.proposal is None and state.turn not in state.draw_offers
            at_table = state.to_move is not None and event.seat in state.staying and state.game.entry.draws
            return at_table and first and _rested(state, state.draw_offers[event.seat - 1])
        case ProposalMade(kind=ProposalKind.REOPENING):
            return reopenable(state) and state.proposal is None and state.result is not None and event.seat in state.result.winners
        case GameReopened():
            return reopenable(state) and state.proposal is not None and _agreed(state) and event.to_move != state.proposal.seat
        case ProposalMade():
            return state.to_move is not None and event.seat in state.staying and state.proposal is None and _proposable(state, event)
        case DrawAccepted() | DrawDeclined() | ProposalAgreed() | ProposalDeclined():
            return _is_answer(state, event)
        case SubstituteSeated():
            return state.to_move is not None and event.seat in state.staying and event.player not in state.players and _wanted(state, event)
        case SubstituteInvited():
            wanted = state.proposal
            asked = wanted is not None and (wanted.place, wanted.player, wanted.seat) == (event.seat, event.player, event.asked_by)
            return asked and _agreed(state)
        case SubstituteDeclined():
            return _was_asked(state, event)
        case SubstituteWithdrawn():
            own = state.proposal is not None and (state.proposal.kind, state.proposal.seat) == (ProposalKind.SUBSTITUTE, event.seat)
            return own or any(offer.asked_by == event.seat for offer in state.seat_offers)
        case ClockCredited():
            time = state.clock.time if state.clock else None
            longer = None if time is None else time + timedelta(seconds=event.seconds)
            return longer is not None and (event.turn, event.clock.time) == (state.turn, longer) and event.seconds > 0
        case ClockFrozen():
            return freeze_in_place(state, event)
        case ClockThawed():
            return thaw_in_place(state, event)
        case TurnsRetracted():
            return _retractable(state, event)
        case GameEnded():
            return state.result is None
        case ResultAnnulled():
            return state.result is not None and state.result.outcome is not Outcome.VOID
        case GameOpened() | SeatLeft() | SecretRevealed():
            return True  # what happens on the board is judged by the rules
        case _:
            assert_never(event)


def _again(state: GameState) -> Iterator[str]:
    """The reminders that a clock runs again which the second reading of terms knows."""
    known = state.freezes if state.terms.clock > 1 else ()
    agreed = (freeze for freeze in known if freeze.kind in (FreezeKind.VACATION, FreezeKind.PAUSE))
    yield from (again(freeze.ends) for freeze in agreed if freeze.seat in (None, state.to_move) and freeze.ends is not None)


def _in_turn(state: GameState, event: TurnPlayed) -> bool:
    """Whether a turn could be played by whom it says."""
    if event.by_plan:
        return played_by_plan(state, event)
    return played_by_house(state, event) if event.by_house else state.vacant is None


def _ending(state: GameState, before: GameEvent, event: GameEnded) -> Iterator[str]:
    """What is wrong with a result that the rules of the game have no part in."""
    if (event.outcome is Outcome.WON) is not bool(event.winners) or not {*event.winners} <= {*state.seats}:
        yield "the winners do not fit the outcome"
    if any({*event.winners} & team not in (team, set()) for team in state.game.rules.teams):
        yield "half of a team has won"
    if event.outcome not in _RESULTS.get(event.by, Outcome):
        yield f"no game is {event.outcome} by {event.by.value}"
    if event.by in (EndedBy.ADJUDICATION, EndedBy.ANNULMENT) and state.status is not Status.RUNNING:
        yield "a game that has not started has a result"
    cause = _CAUSES.get(event.by)
    if cause is None or isinstance(before, SeatLeft):
        return
    if not isinstance(before, cause) or (event.by is EndedBy.AGREEMENT and not _agreed(state)):
        yield f"the game has ended by {event.by.value}, but nothing of the kind has happened"
    elif isinstance(before, SeatResigned | TurnTimedOut):
        void = isinstance(before, TurnTimedOut) and never_under_way(state, before.seat)
        others = [team for team in state.game.rules.teams if before.seat not in team and not void]
        if event.winners != tuple(sorted(seat for team in others for seat in team)):
            yield "the winners are not those who stayed"


def _carries_out(kind: ProposalKind, event: GameEvent | None) -> bool:
    """Whether an event is what the last yes to a proposal has to bring about at once."""
    match kind:
        case ProposalKind.DRAW:
            return isinstance(event, GameEnded)
        case ProposalKind.PAUSE:
            return isinstance(event, ClockFrozen) and event.kind is FreezeKind.PAUSE
        case ProposalKind.REOPENING:
            return isinstance(event, GameReopened)
        case ProposalKind.TAKE_BACK:
            return isinstance(event, TurnsRetracted) and event.kind is RetractionKind.AGREEMENT
        case ProposalKind.SUBSTITUTE:
            return isinstance(event, SubstituteInvited)
        case _:
            assert_never(kind)


def _all_accepted(state: GameState) -> bool:
    return state.status is Status.INVITING and state.accepted == frozenset(state.players)


def _proposable(state: GameState, event: ProposalMade) -> bool:
    """Whether the terms of the game allow what is proposed."""
    if event.kind is ProposalKind.SUBSTITUTE:
        outside = event.player is not None and event.player not in (*state.players, *(offer.player for offer in state.seat_offers))
        return outside and event.days is None and event.place == (state.vacant or event.seat)
    if event.player is not None or event.place is not None:
        return False
    if event.kind is ProposalKind.TAKE_BACK:
        return event.days is None and _may_go_back(state, event.seat)
    return event.kind is ProposalKind.PAUSE and event.days is not None and 1 <= event.days <= state.terms.pause_days


def _wanted(state: GameState, event: SubstituteSeated) -> bool:
    """Whether an admin puts the substitute in, who says why, or the players have asked him; then the result counts as usual."""
    return bool(event.reason.strip()) or (event.rating is Burden.SEAT and _was_asked(state, event))


def _was_asked(state: GameState, event: SubstituteSeated | SubstituteDeclined) -> bool:
    return any((offer.seat, offer.player) == (event.seat, event.player) for offer in state.seat_offers)


def _may_go_back(state: GameState, seat: Seat) -> bool:
    """Whether the seat has played a turn that it has not asked for yet, and nothing was rolled and nobody has left since."""
    since: list[Entry] = []
    for entry, _ in state.line.backwards():
        since.append(entry)
        if isinstance(entry, TurnPlayed) and entry.seat == seat and not entry.by_house:
            return entry.turn != state.take_backs[seat - 1] and all(isinstance(each, TurnPlayed) and not each.rolls for each in since)
    return False


def _retractable(state: GameState, event: TurnsRetracted) -> bool:
    """Whether these turns could be taken back in that way; whether the others knew of a corrected turn only instants could tell."""
    newest, proposal = state.line.entry, state.proposal
    match event.kind:
        case RetractionKind.ADMIN:
            reopens = state.result is None or state.result.by in REOPENABLE
            return reopens and event.first in [turn.turn for turn in state.line.numbered]
        case RetractionKind.CORRECTION:
            own = isinstance(newest, TurnPlayed) and (newest.turn, newest.seat) == (event.first, event.seat) and not newest.rolls
            return state.to_move is not None and own and bool(state.terms.correction_minutes)
        case RetractionKind.AGREEMENT:
            asked = proposal is not None and proposal.kind is ProposalKind.TAKE_BACK and proposal.seat == event.seat
            last = max((turn.turn for turn in state.line.turns if turn.seat == event.seat and not turn.by_house), default=None)
            return asked and _agreed(state) and event.first == last
        case _:
            assert_never(event.kind)


def _is_answer(state: GameState, event: DrawAccepted | DrawDeclined | ProposalAgreed | ProposalDeclined) -> bool:
    """Whether somebody who was asked answers what was asked, and says yes once only."""
    asked = state.asked(event.seat) if event.seat in state.seats else None
    if asked is None or (asked.kind is ProposalKind.DRAW) is not isinstance(event, DrawAccepted | DrawDeclined):
        return False
    return isinstance(event, DrawDeclined | ProposalDeclined) or event.seat not in asked.agreed


def _rested(state: GameState, offered: int | None) -> bool:
    """Whether a seat that `offered` a draw during some turn may do so again."""
    return offered is None or state.turn - offered >= state.terms.draw_turns


def _agreed(state: GameState) -> bool:
    """Whether everybody who is still at the table wants what is on offer."""
    on_offer = state.proposal
    return on_offer is not None and {*on_offer.agreed, on_offer.seat, on_offer.place} >= {*state.staying}
