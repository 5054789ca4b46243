"""Since when a game has been waiting for the pending turn."""

from collections.abc import Iterable
from typing import assert_never

from turnserver.ids import Recorded
from turnserver.play.events import (
    ClockCredited,
    ClockFrozen,
    ClockThawed,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
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
from turnserver.rules import Seat


def waiting_since(history: Iterable[Recorded[GameEvent]]) -> Recorded[GameEvent] | None:
    """The event that made the last turn of a history pending for whoever has it; None before the game has started.

    Somebody who leaves makes one only if it was that seat's turn, and so does somebody who takes a seat over.
    """
    since: Recorded[GameEvent] | None = None
    mover: Seat | None = None
    for recorded in history:
        match recorded.event:
            case (
                GameStarted(to_move=to_move)
                | TurnPlayed(to_move=to_move)
                | TurnSkipped(to_move=to_move)
                | TurnsRetracted(to_move=to_move)
                | GameReopened(to_move=to_move)
            ):
                since, mover = recorded, to_move
            case SeatLeft(seat=seat, to_move=to_move) if seat == mover:
                since, mover = recorded, to_move
            case SubstituteSeated(seat=seat) if seat == mover:
                since = recorded
            case (
                GameOpened()
                | InvitationAccepted()
                | InvitationDeclined()
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
                | SeatVacated()
                | SubstituteInvited()
                | SubstituteDeclined()
                | SubstituteWithdrawn()
                | SubstituteSeated()
                | TurnTimedOut()
                | ClockCredited()
                | ClockFrozen()
                | ClockThawed()
                | GameEnded()
                | SecretRevealed()
                | ResultAnnulled()
            ):
                pass
            case _:
                assert_never(recorded.event)
    return since
