"""Who moves first, by what the two have had so far: FIDE's preferences and their order (Handbook C.04.3 as applied from 1 July 2025)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

History: TypeAlias = Sequence[bool]
"""For each game of a player whether he moved first, the oldest first."""


class Strength(IntEnum):
    """How much it matters that a wish comes true."""

    MILD = 1
    """The player has been first as often as second, and the other way round in his last game."""
    STRONG = 2
    """He has been the other once more often."""
    ABSOLUTE = 3
    """He has been the other at least twice more often, or in both of his last two games."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a player is due: to move `first` or second. `surplus` is how much more often he has had the other."""

    first: bool
    strength: Strength
    surplus: int


def wish(history: History) -> Wish | None:
    """What a player of this history is due. None if he has played nothing."""
    if not history:
        return None
    surplus = 2 * sum(history) - len(history)
    twice = len(history) > 1 and history[-1] == history[-2]
    strength = Strength.ABSOLUTE if abs(surplus) > 1 or twice else Strength.STRONG if surplus else Strength.MILD
    due = surplus < 0 if abs(surplus) > 1 or (surplus and not twice) else not history[-1]
    return Wish(due, strength, abs(surplus))


def clash(one: Wish | None, other: Wish | None) -> Strength | None:
    """How strong the wish is that cannot come true if the two meet. None if both can."""
    return None if one is None or other is None or one.first != other.first else min(one.strength, other.strength)


def higher_is_first(higher: History, lower: History, *, odd: bool) -> bool:
    """Whether the higher ranked of two players moves first. `odd`: he does if nothing else decides.

    In this order: both have what they are due; whoever is due it more has it, and between two who are absolutely due it, whoever had the
    other more often; they change places since the last time that one was first and the other second; the higher has what he is due; `odd`.
    """
    due, others = wish(higher), wish(lower)
    if due is None or others is None:
        return due.first if due else not others.first if others else odd
    if due.first != others.first:
        return due.first
    if (due.strength, due.surplus) != (others.strength, others.surplus):
        return due.first == ((due.strength, due.surplus) > (others.strength, others.surplus))
    return next((theirs for ours, theirs in zip(reversed(higher), reversed(lower), strict=False) if ours != theirs), due.first)
