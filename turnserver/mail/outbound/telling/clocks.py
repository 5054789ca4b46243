"""Events about the clocks of a game, as sentences."""

from datetime import timedelta
from typing import TypeAlias, assert_never

from turnserver.mail.outbound.language import beginning, ending, short_time, span, time_left
from turnserver.play import events as e
from turnserver.play.clock.clock import control
from turnserver.play.clock.controls import Bank, Byoyomi, FixedHour, Increment, PerMove, Total, Unlimited, span_told, worth
from turnserver.play.state import GameState
from turnserver.rules import Seat
from turnserver.text import say


def in_hand(state: GameState, seat: Seat) -> str:
    """Return the time that a bank holds beside the deadline. Empty in games without a bank, and for a turn that is played on grace."""
    agreed, bank = control(state).control, state.banks[seat - 1]
    match agreed:
        case _ if state.grace:
            return ""
        case Increment():
            increment, cap = span_told(agreed.increment), span_told(agreed.cap)
            return say("Time that you do not use is kept for later: each turn adds {increment}, up to {cap}.", increment=increment, cap=cap)
        case Total():
            return say("That is all your time for the rest of the game.")
        # Said only where the turn has exactly the time of its bank. A turn that was taken back, taken over or given time has another.
        case Byoyomi() if state.clock and state.clock.time == worth(agreed, bank):
            return _periods(agreed, bank)
        case Byoyomi() | PerMove() | FixedHour() | Unlimited():
            return ""
        case _:
            assert_never(agreed)


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


ClockEvent: TypeAlias = e.ClockCredited | e.TimeGiven | e.ClockFrozen | e.ClockThawed


def clock_story(event: ClockEvent, who: str, zone: str, *, called_off: bool = False) -> str:
    """Return a sentence about the clock of `who`, in the reader's `zone`. With `called_off`, a freeze ends that had not begun."""
    match event:
        case e.ClockCredited():
            more = span(timedelta(seconds=event.seconds))
            return say("The clock of turn {turn} was given {span} more.", turn=event.turn, span=more)
        case e.TimeGiven():
            more = span(timedelta(seconds=event.seconds))
            return say("{player} gave {span} more for turn {turn}.", player=who, span=more, turn=event.turn)
        case e.ClockFrozen():
            begins = short_time(event.begins, zone)
            if event.ends is None:
                return say("The organisers have stopped all clocks of the game from {begins}.", begins=begins)
            if event.kind is e.FreezeKind.VACATION:
                # of whole days, as a rule: nobody has to think about which day midnight belongs to
                return _stood_still(event.kind, who, beginning(event.begins, zone), ending(event.ends, zone))
            return _stood_still(event.kind, who, begins, short_time(event.ends, zone))
        case e.ClockThawed():
            return _called_off(event.kind, who) if called_off else _thawed(event.kind, who, short_time(event.ends, zone))
        case _:
            assert_never(event)


def _stood_still(kind: e.FreezeKind, who: str, begins: str, ends: str) -> str:
    match kind:
        case e.FreezeKind.OUTAGE:
            return say(
                "Because the service was down, no clock runs from {begins} to {ends}, so that nobody loses time by it.",
                begins=begins,
                ends=ends,
            )
        case e.FreezeKind.UNDELIVERED:
            return say(
                "No mail got through to {player} from {begins} to {ends}. The clock did not run.", player=who, begins=begins, ends=ends
            )
        case e.FreezeKind.VACATION:
            return say("Vacation of {player} from {begins} to {ends}. The clock does not run then.", player=who, begins=begins, ends=ends)
        case e.FreezeKind.PAUSE:
            return say("The game pauses from {begins} to {ends}, as its players have agreed. No clock runs.", begins=begins, ends=ends)
        case e.FreezeKind.HALT:
            return say("The organisers have stopped all clocks of the game from {begins} to {ends}.", begins=begins, ends=ends)
        case _:
            assert_never(kind)


def _called_off(kind: e.FreezeKind, who: str) -> str:
    if kind is e.FreezeKind.VACATION:
        return say("{player} called off a vacation. The clock runs.", player=who)
    return say("The clocks of the game run on after all.")


def _thawed(kind: e.FreezeKind, who: str, ends: str) -> str:
    if kind is e.FreezeKind.PAUSE and who:
        return say("{player} wants to end the pause. The clocks of the game run again from {ends}.", player=who, ends=ends)
    if kind is e.FreezeKind.VACATION:
        return say("The vacation of {player} ends on {ends}. The clock runs again from then on.", player=who, ends=ends)
    return say("The clocks of the game run again from {ends}.", ends=ends)
