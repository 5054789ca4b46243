"""What became of turns whose time was up, and who asked for them, as sentences."""

from datetime import timedelta
from typing import Protocol, TypeAlias, assert_never

from turnserver.mail.outbound.wording import span
from turnserver.play.events import GraceGranted, PlayerNudged, SeatVacated, TurnPlayed, TurnSkipped
from turnserver.rules import Seat
from turnserver.text import say

LateEvent: TypeAlias = GraceGranted | PlayerNudged | SeatVacated | TurnSkipped


class _Seated(Protocol):
    """Who sits where, in words."""

    def at(self, seat: Seat) -> str:
        """`Bob (Blue)`."""


def late_story(event: LateEvent, table: _Seated) -> str:
    """What happened, in a sentence or two."""
    who = table.at(event.seat)
    match event:
        case GraceGranted():
            more = span(timedelta(hours=event.hours))
            return say(
                "Time ran out for {player}, who got {span} more for turn {turn}, once in the game.", player=who, turn=event.turn, span=more
            )
        case TurnSkipped():
            return say("Turn {turn} was skipped: time ran out for {player}.", turn=event.turn, player=who)
        case SeatVacated():
            return say("Time ran out for {player} at turn {turn}. The seat waits for a substitute.", player=who, turn=event.turn)
        case PlayerNudged():
            return say("Turn {turn}: {asking} asked {player} for the move.", turn=event.turn, asking=table.at(event.asked_by), player=who)
        case _:
            assert_never(event)


def played_story(event: TurnPlayed, who: str) -> str:
    """Who played what, by whatever hand."""
    if event.by_house:
        return say(
            "Turn {turn}: time ran out for {player}, and the house played {moves} instead.", turn=event.turn, player=who, moves=event.text
        )
    if event.by_plan:
        return say("Turn {turn}: {player} played {moves}, as planned beforehand.", turn=event.turn, player=who, moves=event.text)
    return say("Turn {turn}: {player} played {moves}.", turn=event.turn, player=who, moves=event.text)
