"""The reasons that the logs of games have for what their league does to them, if nobody gives a reason.

The log has them in English; whoever tells them finds the sentence again by `told`. So these words never change.
"""

from typing import Final

from turnserver.text import say

WITHDRAWN: Final = say("a player has withdrawn from the league")
OVERDUE: Final = say("the time for this round of the league is up")
OVERRULED: Final = say("the league has another result for this game")
CLOSED: Final = say("the season of the league is closed")
REPLACED: Final = say("others have to meet in this round of the cup")
PAIRED_AGAIN: Final = say("the round of the league is paired again")
DIVIDED: Final = say("the two are in different divisions of the league")
ENTRY_UNDONE: Final = say("the entry of a player into the league is undone")
PAUSED: Final = say("the league is paused")
GOES_ON: Final = say("the league goes on")
SUBSTITUTED: Final = say("a substitute plays on in the league")

ENDS: Final = frozenset([WITHDRAWN, OVERDUE, OVERRULED, CLOSED, REPLACED, PAIRED_AGAIN, DIVIDED, ENTRY_UNDONE])
"""The reasons for which games end."""

_ALL: Final = {str(one): one for one in (*ENDS, PAUSED, GOES_ON, SUBSTITUTED)}


def is_ours(reason: str) -> bool:
    """Return whether a reason is one of these, so that nobody has written it."""
    return reason in _ALL


def told(reason: str) -> str:
    """Return a reason that can be translated if it is one of these; else as it is."""
    return _ALL.get(reason, reason)
