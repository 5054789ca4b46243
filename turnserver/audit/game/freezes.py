"""Whether a clock could come to stand still in the state that it meets: the part of an audit that is about freezes.

Written apart from what decides, as `turnserver.audit.game.transitions` is.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, assert_never

from turnserver.ids import PlayerId, Recorded, Version
from turnserver.play.events import (
    ClockCredited,
    ClockFrozen,
    ClockThawed,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    FreezeKind,
    GameEnded,
    GameEvent,
    GameOpened,
    GameReopened,
    GameStarted,
    GraceGranted,
    InvitationAccepted,
    InvitationDeclined,
    PlanDropped,
    PlanLaid,
    PlayerNudged,
    PlayerReminded,
    ProposalAgreed,
    ProposalDeclined,
    ProposalKind,
    ProposalMade,
    ResultAnnulled,
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
from turnserver.play.state import GameState, Status
from turnserver.play.vacations import Vacation, days_between, vacations

_A_DAY = timedelta(days=1)


def freeze_in_place(state: GameState, event: ClockFrozen) -> bool:
    """Whether clocks could stop: those of the whole table or that of one seat, by its kind, and a pause only as all have agreed.

    Whether a player has declared his vacation no game knows: see `undeclared`.
    """
    if state.status is not Status.RUNNING or event.number != len(state.freezes) + 1:
        return False
    match event.kind:
        case FreezeKind.PAUSE:
            return event.seat is None and _as_agreed(state, event)
        case FreezeKind.HALT:
            return event.seat is None
        case FreezeKind.OUTAGE:
            return event.seat is None and event.ends is not None
        case FreezeKind.VACATION | FreezeKind.UNDELIVERED:
            return event.seat in state.staying and event.ends is not None
        case _:
            assert_never(event.kind)


def thaw_in_place(state: GameState, event: ClockThawed) -> bool:
    """Whether a freeze could end: one that there is, and if a player ends it, an agreed pause that they have not ended before.

    When clocks run again `audit.game.clocks` looks at, since only the record says when they asked.
    """
    if state.status is not Status.RUNNING or not 1 <= event.number <= len(state.freezes):
        return False
    if event.by is None:
        return True
    ended = state.freezes[event.number - 1]
    return ended.kind is FreezeKind.PAUSE and event.by in state.staying and event.by not in ended.ended_by


def _as_agreed(state: GameState, event: ClockFrozen) -> bool:
    pause = state.proposal
    if pause is None or pause.kind is not ProposalKind.PAUSE or pause.days is None or event.ends is None:
        return False
    return {pause.seat, *pause.agreed} >= {*state.staying} and event.ends - event.begins == pause.days * _A_DAY


class _Stop(NamedTuple):
    player: PlayerId
    begins: datetime
    ends: datetime
    days: int


def undeclared(
    history: Sequence[Recorded[GameEvent]], of: Callable[[PlayerId], Sequence[Recorded[object]]]
) -> Iterator[tuple[Version, str]]:
    """What is wrong with the vacations that stop clocks in a game, by the versions of its events; `of` gives the events of a player.

    Each has to lie within one that whoever sat there had declared by then, and all of a player must not take more days than the game
    allows. A vacation that stops no clock is nothing wrong.
    """
    players: tuple[PlayerId, ...] = ()
    most = 0
    stops: dict[int, _Stop] = {}
    for recorded in history:
        event, number = recorded.event, 0
        match event:
            case GameOpened():
                players, most = event.players, event.terms.vacation_days
            case SubstituteSeated() if event.seat in range(1, len(players) + 1):
                players = (*players[: event.seat - 1], event.player, *players[event.seat :])
            case ClockFrozen(kind=FreezeKind.VACATION, seat=int(seat)) if event.ends is not None and seat in range(1, len(players) + 1):
                number = event.number
                stops[number] = _Stop(players[seat - 1], event.begins, event.ends, 0)
            case ClockThawed() if event.number in stops:
                number = event.number
                stops[number] = stops[number]._replace(ends=max(event.ends, stops[number].begins), days=0)
            case (
                InvitationAccepted()
                | InvitationDeclined()
                | GameStarted()
                | TurnPlayed()
                | PlanLaid()
                | PlanDropped()
                | DrawOffered()
                | DrawAccepted()
                | DrawDeclined()
                | ProposalMade()
                | ProposalAgreed()
                | ProposalDeclined()
                | SeatResigned()
                | SeatLeft()
                | PlayerReminded()
                | PlayerNudged()
                | GraceGranted()
                | TurnSkipped()
                | SeatVacated()
                | GameReopened()
                | SubstituteInvited()
                | SubstituteDeclined()
                | SubstituteWithdrawn()
                | SubstituteSeated()
                | TurnTimedOut()
                | TurnsRetracted()
                | ClockCredited()
                | ClockFrozen()
                | ClockThawed()
                | GameEnded()
                | SecretRevealed()
                | ResultAnnulled()
            ):
                pass
            case _:
                assert_never(event)
        if number and (stop := stops[number]).begins < stop.ends:
            declared = _declared(of(stop.player), stop, recorded.at)
            if declared is None:
                yield recorded.version, f"player {stop.player} has declared no such vacation"
                continue
            stops[number] = stop._replace(days=len(list(days_between(stop.begins, stop.ends, declared.zone))))
            if (days := sum(each.days for each in stops.values() if each.player == stop.player)) > most:
                yield recorded.version, f"vacations stop the clock of player {stop.player} for {days} days, and the game allows {most}"


def _declared(events: Sequence[Recorded[object]], stop: _Stop, at: datetime) -> Vacation | None:
    known = vacations(row.event for row in events if row.at <= at)
    return next((each for each in known if each.begins <= stop.begins and stop.ends <= each.ends), None)
