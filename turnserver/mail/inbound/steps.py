"""Read the steps of one turn as people write them: numbered, with bullets, chained by `then`, parted by commas, wrapped by a mail program.

Doubtful text is left alone: a line is taken apart only if each of its steps can be read by itself.
"""

import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, lru_cache
from itertools import islice
from typing import Final, NamedTuple

from turnserver.errors import NotAllowed
from turnserver.mail.inbound.synonyms import any_of, synonyms
from turnserver.text import say

EFFORT: Final = 3_000
"""The largest cost of one mail, in units of about ten microseconds."""

_CHARACTERS_OF_A_TRIAL: Final = 100
_IF_MOVE: Final = 12
"""The additional cost when a text reads as a move: a game then looks for rules that forbid it."""


@dataclass(slots=True)
class Effort:
    """The effort that is left for one mail."""

    left: int = EFFORT

    def spend(self, cost: int) -> None:
        """Spend some effort. Raise NotAllowed when none is left: the mail is too long to be understood."""
        self.left -= cost
        if self.left < 0:
            message = say("Your mail is too long to read to its end. Please send only your commands, without quoted text.")
            raise NotAllowed("too_long", message)


@dataclass(slots=True)
class Trials:
    """A question about texts, asked once for each text.

    `cost` is the cost of asking, and `price` the additional cost of a Yes. `steps` remembers the result of `as_steps` for each text.
    """

    is_one: Callable[[str], bool]
    effort: Effort
    cost: int = 1
    price: int = _IF_MOVE
    verdicts: dict[str, bool] = field(default_factory=dict)
    steps: dict[str, str | None] = field(default_factory=dict)

    def __call__(self, text: str) -> bool:
        """Return whether the text is one. Raise NotAllowed when the effort for the mail is used up."""
        verdict = self.verdicts.get(text)
        if verdict is None:
            self.effort.spend(self.cost + len(text) // _CHARACTERS_OF_A_TRIAL)
            verdict = self.verdicts[text] = self.is_one(text)
            if verdict:
                self.effort.spend(self.price)
        return verdict


WRAPPED = 60
"""The least number of characters in a line that a mail program may have wrapped."""

MAX_STEPS = 40
"""The largest number of steps in a turn. A line that seems to have more is not taken apart."""

_MARKS = (
    r"[+*\u2022\u2023\u25aa\u25e6\u00b7]|-+>?|\u2192|\(?[0-9]{1,2}[.):]|\([0-9]{1,2}\)|(?:step|action) [0-9]{1,2}[.):]?"
    r"|(?:next|after that|firstly|second(?:ly)?|third(?:ly)?|lastly|%s)[,:]?"
)
_MAX_PIECES = 5
_COST = 2
_PER_CHARACTERS = 25
"""Taking a text apart costs `_COST`, and one more for each so many characters, in units of `Effort`."""

_FIRST_WORDS = 12
_LIKENESS = 0.8
_ENDS_STEP = re.compile("[;\uff1b]")
_WORD = re.compile(r"[^\W\d_]{3,}")
_SQUARE = re.compile(r"\b[a-z][0-9]{1,2}\b", re.IGNORECASE)


class _Joints(NamedTuple):
    """Patterns for the text before a step, behind it, and between two steps, in any language."""

    lead: re.Pattern[str]
    trail: re.Pattern[str]
    parts: re.Pattern[str]


@cache
def _joints() -> _Joints:
    both, then = _joining("and"), _joining("then")
    after = rf"(?:(?:{both}) (?:{then})|{then}|{both})"
    return _Joints(
        re.compile(rf"(?:(?:{_MARKS % _joining('and', 'then', 'first', 'finally')}) )+", re.IGNORECASE),
        re.compile(rf"(?:[,.] ?|,? {after})$", re.IGNORECASE),
        re.compile(rf"[,.]? {after} |[,.] | [/+&|] ", re.IGNORECASE),
    )


def _joining(*english: str) -> str:
    return any_of(word for each in english for word in synonyms().argument("move", each))


def as_steps(text: str, reads: Trials) -> str | None:
    """Return the text as steps joined by `; `, without numbers and connecting words. None if any part of it reads as no step.

    Raise NotAllowed when the effort for the mail is used up.
    """
    if text not in reads.steps:
        reads.effort.spend(_COST + len(text) // _PER_CHARACTERS)
        reads.steps[text] = _as_steps(text, reads)
    return reads.steps[text]


def _as_steps(text: str, reads: Trials) -> str | None:
    parts = [part.strip() for part in _ENDS_STEP.split(text, MAX_STEPS) if part.strip()]
    found = [step for part in parts for step in _apart(part, reads)]
    return "; ".join(step for step in found if step) if found and all(found) and len(found) <= MAX_STEPS else None


def unwrapped(line: str, below: deque[str], reads: Trials, resembles: Callable[[str], bool]) -> str:
    """Join a line with the pieces that a mail program broke off it, if together they read as steps, and take these off the lines `below`.

    Otherwise return the line as it is. A line that was long enough to be wrapped and begins a turn `resembles` a step.
    """
    if len(line) < WRAPPED or not below or not resembles(line):
        return line
    # two lines that each read as steps are two lines, however long the first one is
    alone = as_steps(line, reads) is not None
    joined, last = line, line
    for count, piece in enumerate(islice(below, _MAX_PIECES), start=1):
        if len(last) < WRAPPED or not piece or (alone and as_steps(piece, reads) is not None):
            break
        joined, last = f"{joined} {piece}", piece
        if as_steps(joined, reads) is not None:
            for _ in range(count):
                below.popleft()
            return joined
    return line


def resembles_step(words: tuple[str, ...], line: str) -> bool:
    """Return whether a line that is no step may have been meant as one: it names a square, or one of the `words`, perhaps misspelled."""
    if _SQUARE.search(line):
        return True
    return any(_is_nearly(word, words) for word in islice(_WORD.findall(line.casefold()), _FIRST_WORDS))


def _apart(part: str, reads: Trials) -> Sequence[str | None]:
    """Return the steps in a text without semicolons. A step that cannot be read is None."""
    step = _bare(part, reads)
    return [step] if step else [_bare(piece, reads) for piece in _joints().parts.split(part, MAX_STEPS)]


def _bare(text: str, reads: Trials) -> str | None:
    """Return the text if it reads as a step, perhaps without words that only connect it with others; else None."""
    less = _joints().trail.sub("", text)
    return next((each for each in (text, less, _joints().lead.sub("", less, count=1)) if each and reads(each)), None)


# a mail repeats its words
@lru_cache(maxsize=4_096)
def _is_nearly(word: str, words: tuple[str, ...]) -> bool:
    letters = sorted(word)
    swapped = any(letters == sorted(each) for each in words if len(each) == len(word))
    return swapped or bool(get_close_matches(word, words, 1, _LIKENESS))
