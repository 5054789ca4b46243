"""Results as admins write them, of games and of leagues alike: `Ada win`, `Ada loss`, `draw`, `no result`."""

from collections.abc import Sequence
from typing import Final

from turnserver.league.scoring.marks import Mark

WIN: Final = Mark.WIN.value
LOSS: Final = Mark.LOSS.value
DRAW: Final = Mark.DRAW.value
NO_RESULT: Final = Mark.NO_RESULT.value


def parted(words: Sequence[str]) -> tuple[list[str], str]:
    """Return the words before a result, and the result, which may be `no result` in two words."""
    *named, last = (word.strip() for word in words)
    if named and f"{named[-1]} {last}".lower() == NO_RESULT:
        return named[:-1], NO_RESULT
    return named, last.lower()
