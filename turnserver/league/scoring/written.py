"""Results as directors write them: `win-loss`, `draw`, `no result`, or the places at a larger table, `1-2-3`."""

from collections.abc import Sequence
from typing import Final

from turnserver.errors import BadOption
from turnserver.league.scoring.marks import OTHER_SIDE, WON, Mark
from turnserver.league.scoring.record import Verdict, by_places
from turnserver.text import say

WORDS: Final = {
    **{mark.value: mark for mark in Mark if mark in OTHER_SIDE},
    "1": Mark.WIN,
    "0": Mark.LOSS,
    "1/2": Mark.DRAW,
    "½": Mark.DRAW,
    "loss by forfeit": Mark.FORFEIT,
    "loss on time": Mark.TIMEOUT,
}
"""The words for marks in a result."""
RESULTS: Final = tuple(f"{mark.value}-{other.value}" if mark is not other else mark.value for mark, other in OTHER_SIDE.items())
"""Every result of a game of two, as it is written."""


def verdict_of(text: str, size: int) -> Verdict:
    """Read the result of a meeting of that size: a mark for each player with dashes between, or one for all; places for three and more.

    Between two, `loss` and any sort of `win` alone are those of the first. Raises BadOption.
    """
    words = _parts(text)
    if size == 2 and len(words) == 1 and WORDS.get(words[0]) in {*WON, Mark.LOSS}:
        first = WORDS[words[0]]
        return Verdict((first, OTHER_SIDE[first]))
    if len(words) not in {1, size}:
        told = say('"{result}" has {n} results, but {size} players are in that meeting.', result=text, n=len(words), size=size)
        raise BadOption(told)
    # Only at larger tables: `1-0` is a win between two, and no places.
    if size > 2 and len(words) == size and all(word.isdecimal() for word in words):
        return by_places([int(word) for word in words])
    if not all(word in WORDS for word in words):
        known = ", ".join(f"`{one}`" for one in RESULTS) if size == 2 else say("a place for each player, such as `1-2-3`, or `no result`")
        told = say(
            '"{result}" isn\'t a result. Write one word per player, whoever the pairing names first in front: {known}.',
            result=text,
            known=known,
        )
        raise BadOption(told)
    marks = tuple(WORDS[word] for word in words)
    # A single word, such as `draw`, is meant for everybody.
    return Verdict(marks if len(marks) == size else marks * size)


def result_at_end(words: Sequence[str]) -> int:
    """Return how many of the last words are a result of whatever meeting, as many as possible. 0 if there is none."""
    return max((size for size in range(1, len(words) + 1) if _is_result(" ".join(words[-size:]))), default=0)


def _is_result(text: str) -> bool:
    words = _parts(text)
    return all(word in WORDS for word in words) or (len(words) > 1 and all(word.isdecimal() for word in words))


def _parts(text: str) -> list[str]:
    return [word.strip().lower() for word in text.split("-")]
