"""What became of plans, as sentences, and who may read them."""

from collections.abc import Sequence
from typing import assert_never

from turnserver.ids import Recorded
from turnserver.play.events import GameEvent, PlanDropped, PlanEnd, PlanLaid
from turnserver.play.state import GameState
from turnserver.text import say


def plan_story(event: PlanLaid | PlanDropped, who: str) -> str:
    """What happened, in a sentence."""
    if isinstance(event, PlanLaid):
        return say(
            "A plan of answers, the first to turn {turn}, was laid by {player}; its digest is {digest}.",
            turn=event.turn,
            player=who,
            digest=event.digest,
        )
    match event.reason:
        case PlanEnd.FORGOTTEN:
            return say("The plan of {player} was called off.", player=who)
        case PlanEnd.PLAYED_OUT:
            return say("The plan of {player} is played out.", player=who)
        case PlanEnd.NOT_EXPECTED:
            return say("The plan of {player} had no answer to that.", player=who)
        case PlanEnd.NOT_LEGAL:
            return say("The plan of {player} did not answer: its move was not legal.", player=who)
        case PlanEnd.ASKED:
            return say("The plan of {player} did not answer: there was something on offer.", player=who)
        case PlanEnd.LOST:
            return say("The plan of {player} did not answer: its text is lost.", player=who)
        case _:
            assert_never(event.reason)


def without_plans(history: Sequence[Recorded[GameEvent]], state: GameState) -> Sequence[Recorded[GameEvent]]:
    """What players may read of a history: nobody hears of a plan that has not answered before the game is over."""
    if state.result is not None:
        return history
    return [one for one in history if not isinstance(one.event, PlanLaid | PlanDropped)]
