"""What becomes of the time that a turn doesn't use, in a sentence for whoever has the turn."""

from datetime import timedelta
from typing import assert_never

from turnserver.mail.outbound.wording import time_left
from turnserver.play.clock.clock import control
from turnserver.play.clock.controls import Bank, Byoyomi, FixedHour, Increment, PerMove, Total, Unlimited
from turnserver.play.clock.spans import span_told
from turnserver.play.state import GameState
from turnserver.rules import Seat
from turnserver.text import say


def in_hand(state: GameState, seat: Seat) -> str:
    """What the deadline doesn't tell in a game with a bank; nothing in others, and nothing for a turn that is played on grace."""
    agreed = control(state).control
    match agreed:
        case _ if state.grace:
            return ""
        case Increment():
            increment, cap = span_told(agreed.increment), span_told(agreed.cap)
            return say("Time that you do not use is kept for later: each turn adds {increment}, up to {cap}.", increment=increment, cap=cap)
        case Total():
            return say("That is all your time for the rest of the game.")
        case Byoyomi() if state.clock and state.clock.time == _whole(agreed, state.banks[seat - 1]):
            return _periods(agreed, state.banks[seat - 1])
        case Byoyomi() | PerMove() | FixedHour() | Unlimited():
            return ""
        case _:
            assert_never(agreed)


def _whole(agreed: Byoyomi, bank: Bank) -> timedelta:
    """What a turn has by its bank. One that was taken back, taken over or given time has another."""
    return bank.time + bank.periods * agreed.period


def _periods(agreed: Byoyomi, bank: Bank) -> str:
    period = span_told(agreed.period)
    if bank.time:
        return say(
            "Of that, {main} is your main time; the rest is {n} period of {period}, and a turn that takes less does not use it up.",
            "Of that, {main} is your main time; the rest is {n} periods of {period}, and a turn that takes less uses up none.",
            main=time_left(bank.time),
            n=bank.periods,
            period=period,
        )
    return say(
        "Your main time is used up. You have {n} period of {period}, and a turn that takes less does not use it up.",
        "Your main time is used up. You have {n} periods of {period}, and a turn that takes less uses up none.",
        n=bank.periods,
        period=period,
    )
