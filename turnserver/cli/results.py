"""Results as admins write them, of games and of leagues alike: `Ada win`, `Ada loss`, `draw`, `no result`."""

from collections.abc import Sequence
from typing import Final

from turnserver.league.scoring.marks import Mark

WIN: Final = Mark.WIN.value
LOSS: Final = Mark.LOSS.value
DRAW: Final = Mark.DRAW.value
NO_RESULT: Final = Mark.NO_RESULT.value
_MARKS: Final = frozenset(mark.value for mark in Mark)


def parted(words: Sequence[str]) -> tuple[list[str], str]:
    """Return the words before a result, and the result, which may have several, as in `no result` and `win by forfeit-forfeit`."""
    said = [word.strip() for word in words]
    for at in range(len(said) - 1):
        how = " ".join(said[at:]).lower()
        # for both players, the mark of each with a hyphen between
        if all(mark.strip() in _MARKS for mark in how.split("-")):
            return said[:at], how
    return said[:-1], said[-1].lower()
