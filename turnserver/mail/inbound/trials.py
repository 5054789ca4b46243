"""What some text was found to be in one mail, remembered, and how much may be tried: no mail keeps the reader busy, in any game."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from turnserver.errors import NotAllowed
from turnserver.text import say

EFFORT: Final = 3_000
"""What one mail may cost, in units of about ten microseconds."""

_PER_CHARACTERS: Final = 100
_IF_MOVE: Final = 12
"""What it costs besides that a text reads as a move: a game then looks for what forbids it."""


@dataclass(slots=True)
class Effort:
    """What is left of the effort for one mail."""

    left: int = EFFORT

    def spend(self, cost: int) -> None:
        """Take some of it. Raises NotAllowed when there is none left: the mail is too long to be understood."""
        self.left -= cost
        if self.left < 0:
            message = say("The mail is too long to be read to its end. Please send your commands alone, without what you quote.")
            raise NotAllowed("too_long", message)


@dataclass(slots=True)
class Trials:
    """Whether a text is something, asked once for each text.

    `cost` is what it costs to ask, and `price` what a Yes costs besides. `steps` is what `mail.inbound.steps` made of texts.
    """

    is_one: Callable[[str], bool]
    effort: Effort
    cost: int = 1
    price: int = _IF_MOVE
    verdicts: dict[str, bool] = field(default_factory=dict)
    steps: dict[str, str | None] = field(default_factory=dict)

    def __call__(self, text: str) -> bool:
        """Whether the text is one. Raises NotAllowed when the mail has had its effort."""
        verdict = self.verdicts.get(text)
        if verdict is None:
            self.effort.spend(self.cost + len(text) // _PER_CHARACTERS)
            verdict = self.verdicts[text] = self.is_one(text)
            if verdict:
                self.effort.spend(self.price)
        return verdict
