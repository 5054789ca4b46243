"""Refusals of the store, as sentences for people that can be told in their language."""

from typing import Final

from turnserver.errors import NotAllowed, NotFound
from turnserver.ids import GameId, PlayerId
from turnserver.text import say

NAME: Final = "player_name"
ADDRESS: Final = "player_address"
"""The constraints that two players cannot both fulfil."""


def taken(constraint: str, name: str, address: str) -> NotAllowed:
    """Somebody else has the name (`name_taken`) or the address (`address_taken`)."""
    if constraint == NAME:
        return NotAllowed("name_taken", say("Another player is called {name}.", name=name))
    return NotAllowed("address_taken", say("Another player has the address {address}.", address=address))


def no_player(number: PlayerId) -> NotFound:
    """There is no account of that number."""
    return NotFound(say("There is no player {number} here.", number=number))


def erased(number: PlayerId) -> NotFound:
    """There was an account of that number, and nothing can be done for it any more."""
    return NotFound(say("The account of player {number} was erased.", number=number))


def former(number: PlayerId) -> str:
    """Return the name for somebody whose account was erased."""
    return say("former player {number}", number=number)


def nobody_called(text: str) -> NotFound:
    """Nobody goes by what somebody wrote."""
    return NotFound(say("There is no player {who} here, neither by number nor by name nor by address.", who=repr(text)))


def no_league(text: str) -> NotFound:
    """There is no league of that number or name."""
    return NotFound(say("There is no league {league} here, neither by number nor by name.", league=repr(text)))


def no_game(number: GameId) -> NotFound:
    """There is no game of that number."""
    return NotFound(say("There is no game {game} here.", game=number))
