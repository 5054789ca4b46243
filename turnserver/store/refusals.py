"""Refusals of the store, as sentences for people that can be told in their language."""

from typing import Final

from turnserver.errors import NotAllowed, NotFound
from turnserver.ids import GameId, PlayerId
from turnserver.text import say

NAME: Final = "player_name"
PSEUDONYM: Final = "player_pseudonym"
ADDRESS: Final = "player_address"
"""The constraints that two players cannot both fulfil."""


def taken(constraint: str, name: str, address: str, pseudonym: str = "") -> NotAllowed:
    """Return the refusal of a name or pseudonym (`name_taken`) or of an address (`address_taken`) that somebody else has."""
    if constraint in (NAME, PSEUDONYM):
        return NotAllowed("name_taken", say("The name {name} is taken.", name=name if constraint == NAME else pseudonym))
    return NotAllowed("address_taken", say("Another player has the address {address}.", address=address))


def no_player(number: PlayerId) -> NotFound:
    """Return the error for a number without an account."""
    return NotFound(say("There is no player {number} here.", number=number))


def erased(number: PlayerId) -> NotFound:
    """Return the error for an account that was erased: nothing can be done for it any more."""
    return NotFound(say("The account of player {number} was erased.", number=number))


def former(number: PlayerId) -> str:
    """Return the name for somebody whose account was erased."""
    return say("former player {number}", number=number)


def nobody_called(text: str, meant: str = "", *, by_number: bool = True) -> NotFound:
    """Return the error for a text that names no player, who may be named `by_number` too. It offers the name that may be `meant`."""
    nobody = say('There is nobody here with the number, name or address "{who}".', who=text)
    if not by_number:
        nobody = say('There is nobody here with the name or address "{who}".', who=text)
    return NotFound(say("{problem} Did you mean {name}?", problem=nobody, name=meant) if meant else nobody)


def no_league(text: str) -> NotFound:
    """Return the error for a number or name without a league."""
    return NotFound(say('There is no league with the number or name "{league}" here.', league=text))


def no_game(number: GameId) -> NotFound:
    """Return the error for a number without a game."""
    return NotFound(say("There is no game {game} here.", game=number))
