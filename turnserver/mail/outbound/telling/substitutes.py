"""Somebody takes a seat over, as sentences."""

from typing import assert_never

from turnserver.ids import Burden
from turnserver.play.events import SubstituteDeclined, SubstituteInvited, SubstituteSeated
from turnserver.text import joined, say


def substitute_story(event: SubstituteSeated, former: str, player: str, reason: str) -> str:
    """Who plays on for whom and why, and whose rating the game counts for."""
    if reason:
        told = say("The seat of {former} was taken over by {player}: {reason}.", player=player, former=former, reason=reason)
    else:
        told = say("The seat of {former} was taken over by {player}.", player=player, former=former)
    return joined(" ", [told, counts_for(event.rating)])


def offer_story(event: SubstituteInvited | SubstituteDeclined, former: str, player: str) -> str:
    """That somebody was asked to take a seat over, or does not want to."""
    if isinstance(event, SubstituteInvited):
        return say("They agreed to ask {player} to play on for {former}.", player=player, former=former)
    return say("To play on for {former} was declined by {player}.", player=player, former=former)


def counts_for(rating: Burden) -> str:
    """Whose rating the result of the seat counts for."""
    match rating:
        case Burden.SEAT:
            return say("The result counts for the rating of whoever had the seat before.")
        case Burden.SUBSTITUTE:
            return say("The result counts for the rating of the substitute.")
        case Burden.NONE:
            return say("The result counts for nobody's rating at that seat.")
        case _:
            assert_never(rating)
