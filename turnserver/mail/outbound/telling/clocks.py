"""What happened to the clocks of a game, as sentences."""

from datetime import timedelta
from typing import TypeAlias, assert_never

from turnserver.mail.outbound.wording import short_time, span
from turnserver.play.events import ClockCredited, ClockFrozen, ClockThawed, FreezeKind
from turnserver.text import say

ClockEvent: TypeAlias = ClockCredited | ClockFrozen | ClockThawed


def clock_story(event: ClockEvent, who: str, zone: str, reason: str, *, called_off: bool = False) -> str:
    """What happened to a clock, `who` being whose it is, as seen from a `zone`, with an admin's `reason` if there is one.

    `called_off`: what ends had not begun.
    """
    match event:
        case ClockCredited():
            return _credited(event, reason)
        case ClockFrozen():
            begins = short_time(event.begins, zone)
            return _stood_still(event.kind, who, begins, short_time(event.ends, zone), reason) if event.ends else _halted(begins, reason)
        case ClockThawed():
            return _called_off(event.kind, who) if called_off else _thawed(event.kind, who, short_time(event.ends, zone), reason)
        case _:
            assert_never(event)


def _credited(event: ClockCredited, reason: str) -> str:
    more = span(timedelta(seconds=event.seconds))
    if reason:
        return say("The clock of turn {turn} was given {span} more: {reason}.", turn=event.turn, span=more, reason=reason)
    return say("The clock of turn {turn} was given {span} more.", turn=event.turn, span=more)


def _halted(begins: str, reason: str) -> str:
    """No end is in sight."""
    if reason:
        return say("An admin has stopped all clocks of the game from {begins}: {reason}.", begins=begins, reason=reason)
    return say("All clocks of the game stand still from {begins}.", begins=begins)


def _stood_still(kind: FreezeKind, who: str, begins: str, ends: str, reason: str) -> str:
    match kind:
        case FreezeKind.OUTAGE:
            return say("Because the service was down, no clock runs from {begins} to {ends}.", begins=begins, ends=ends)
        case FreezeKind.UNDELIVERED:
            return say(
                "No mail got through to {player} from {begins} to {ends}. The clock did not run.", player=who, begins=begins, ends=ends
            )
        case FreezeKind.VACATION:
            return say("Vacation of {player} from {begins} to {ends}. The clock does not run.", player=who, begins=begins, ends=ends)
        case FreezeKind.PAUSE:
            return say("The game pauses from {begins} to {ends}, as its players have agreed. No clock runs.", begins=begins, ends=ends)
        case FreezeKind.HALT if reason:
            return say(
                "An admin has stopped all clocks of the game from {begins} to {ends}: {reason}.", begins=begins, ends=ends, reason=reason
            )
        case FreezeKind.HALT:
            return say("An admin has stopped all clocks of the game from {begins} to {ends}.", begins=begins, ends=ends)
        case _:
            assert_never(kind)


def _called_off(kind: FreezeKind, who: str) -> str:
    if kind is FreezeKind.VACATION:
        return say("A vacation was called off by {player}. The clock runs.", player=who)
    return say("The clocks of the game are not to stand still after all.")


def _thawed(kind: FreezeKind, who: str, ends: str, reason: str) -> str:
    if kind is FreezeKind.PAUSE and who:
        return say("{player} wants to end the pause. The clocks of the game run again from {ends}.", player=who, ends=ends)
    if kind is FreezeKind.VACATION:
        return say("The vacation of {player} ends on {ends}. The clock runs again from then on.", player=who, ends=ends)
    if reason:
        return say("The clocks of the game run again from {ends}: {reason}.", ends=ends, reason=reason)
    return say("The clocks of the game run again from {ends}.", ends=ends)
