"""What follows from a command: the events, or a refusal. Pure: the instant of the decision is an argument."""

from datetime import datetime
from typing import assert_never

from turnserver import games
from turnserver.errors import NotAllowed, NotFound
from turnserver.play.admin import adjudicate, annul, cancel, retract
from turnserver.play.commands import (
    Accept,
    Adjudicate,
    Annul,
    Cancel,
    CheckClock,
    Command,
    CreditClock,
    Decline,
    OfferDraw,
    OpenGame,
    PlayTurn,
    Resign,
    Retract,
)
from turnserver.play.draws import accept_draw, decline_draw, offer_draw
from turnserver.play.events import GameEvent
from turnserver.play.evolve import Find
from turnserver.play.opening import accept_invitation, decline_invitation, open_game
from turnserver.play.state import GameState, Status
from turnserver.play.timing import check_clock, credit_clock
from turnserver.play.turns import play_turn, resign


def decide(  # noqa: C901, PLR0912  # one branch a command
    state: GameState | None, command: Command, now: datetime, find: Find = games.find
) -> tuple[GameEvent, ...]:
    """The events that follow from `command` at the instant `now` (UTC), at least one. `state` is None before the game is opened.

    Raises a Refusal whose code is stable and whose message says what to do instead: NotAllowed for what the state of the game forbids,
    StepError for what the rules forbid, BadOption for options, NotFound for a game that was never opened.
    """
    if isinstance(command, OpenGame):
        if state is not None:
            raise NotAllowed("already_open", "This game was opened already. Open a new one.")
        return open_game(command, find)
    if state is None:
        raise NotFound('There is no such game. Write "games" to see the games that you play in.')
    match command:
        case PlayTurn():
            return play_turn(state, command, now)
        case Accept():
            return _accept(state, command, now)
        case Decline():
            return _decline(state, command)
        case Resign():
            return resign(state, command)
        case OfferDraw():
            return offer_draw(state, command)
        case CheckClock():
            return check_clock(state, now)
        case CreditClock():
            return credit_clock(state, command, now)
        case Cancel():
            return cancel(state, command)
        case Adjudicate():
            return adjudicate(state, command)
        case Annul():
            return annul(state, command)
        case Retract():
            return retract(state, command, now)
        case _:
            assert_never(command)


def _accept(state: GameState, command: Accept, now: datetime) -> tuple[GameEvent, ...]:
    if state.status is Status.INVITING:
        return accept_invitation(state, command.player, now)
    return accept_draw(state, command)


def _decline(state: GameState, command: Decline) -> tuple[GameEvent, ...]:
    if state.status is Status.INVITING:
        return decline_invitation(state, command.player)
    return decline_draw(state, command)
