"""Find plans in the lines of a mail: `if c6-a4 then d3-d4; else d3-d5`, on one line or on several, in any language.

Much talk begins with "if" too. A text counts as a plan when it has the shape of a plan and holds something like a move. Then
`turnserver.play.conditional_moves`, which knows the position, finds its mistakes. This module only translates its words to English.
"""

import re
from collections import deque
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from turnserver.mail.inbound.one_line import MAX_LINE, Found, Near, Prose, Vocabulary, plain, read_line
from turnserver.mail.inbound.phrases import If, Move
from turnserver.mail.inbound.steps import WRAPPED, as_steps
from turnserver.mail.inbound.synonyms import Wordbook, synonyms
from turnserver.play.conditional_moves import MAX_TEXT
from turnserver.text import say

_MARKUP: Final = "*_~` "
_EDGES: Final = _MARKUP + "'\""
_BETWEEN: Final = _EDGES + ";,.:!?"
_NUMBER: Final = re.compile(r"\(?[0-9]{1,2}(?:\.[0-9]{1,2})*[.):]* ")
_BEGIN: Final = re.compile(r"(?P<said>plan[ :,]+)?if\b", re.IGNORECASE)
_GOES_ON: Final = re.compile(r"else\b|\( ?(?:if\b|else\b|$)")
_UNFINISHED: Final = re.compile(r"(?:\b(?:if|then|else)|[(,-])$")
_THEN: Final = re.compile(r"\bthen\b")
_MARK: Final = re.compile(r"\b(?:if|then|else)\b|[();]")
_SQUARE: Final = re.compile(r"\b[a-z]{1,2}[0-9]{1,2}\b", re.IGNORECASE)
_LIKE_A_MOVE: Final = 3
_MOST_LINES: Final = 5
_WIDTH: Final = 66
_MOST_WORDS: Final = 12
_ALSO: Final = {"otherwise": "else"}


def cut(line: str) -> str:
    """Return the line, cut at MAX_LINE characters unless it may be part of a plan: a plan without its end would be another plan."""
    whole = line.strip()
    if len(whole) <= MAX_LINE:
        return whole
    begin = _told(whole[:MAX_LINE])
    return whole if _BEGIN.match(begin) or _GOES_ON.match(begin) else whole[:MAX_LINE].strip()


def plan_at(lines: deque[str], vocabulary: Vocabulary) -> Found | Near | None:
    """Take the plan at the beginning of the lines off them and return it. Return Near for text that may have been meant as a plan.

    Return None, and leave the lines as they are, if they begin with something else.
    """
    told = _Lines(lines)
    shape = _shape(told, 0, vocabulary)
    if shape is None:
        return None
    # nobody could say what the plan would be, so nothing below the line is taken for a part of it
    if shape.near:
        return Near(lines.popleft(), say("if <their move> then <your move>"), None)
    written, text = [lines[0]], _BEGIN.sub("if", told[0], count=1)
    at = 1
    while len(text) <= MAX_TEXT and (after := _next(told, at, text, vocabulary)) is not None:
        torn = _is_torn(told, after, text, vocabulary) or (_UNFINISHED.search(text) and not _is_step(told.raw[after], vocabulary))
        text += (" " if torn else "\n") + told[after]
        written.append(lines[after])
        at = after + 1
    for _ in range(at):
        lines.popleft()
    return Found(" / ".join(written), If(text), _book(written[0]))


def begins_plan(lines: deque[str], vocabulary: Vocabulary) -> bool:
    """Return whether `plan_at` finds something."""
    return _shape(_Lines(lines), 0, vocabulary) is not None


class _Lines:
    """The lines without decoration, in the words of the grammar. Every line behind the last one is empty."""

    def __init__(self, lines: deque[str]) -> None:
        self.raw = lines
        self._told: dict[int, str] = {}

    def __getitem__(self, at: int) -> str:
        # translated on first use: most mails have no plan, and few lines of one are looked at
        if at not in self._told:
            self._told[at] = _told(self.raw[at]) if at < len(self.raw) else ""
        return self._told[at]


class _Shape(NamedTuple):
    """The verdict on a line that begins a plan.

    If it is `near`, the line only resembles a plan, and that plan is not known.
    """

    near: bool = False


def _shape(told: _Lines, at: int, vocabulary: Vocabulary) -> _Shape | None:
    """Judge a line by the text behind its `if` and behind its `then`. Return None for talk."""
    line = told[at]
    numbered = _NUMBER.match(line)
    text = line[numbered.end() :] if numbered else line
    begin = _BEGIN.match(text)
    if begin is None:
        return _Shape(near=True) if text.startswith("else ") and _reads(text[5:], vocabulary) else None
    said, rest = begin["said"] is not None, text[begin.end() :]
    for below in range(at + 1, at + 1 + _MOST_LINES):
        if _THEN.search(rest) or not (told[below].startswith("then") or not rest or _is_full(told, below)):
            break
        rest = f"{rest} {told[below]}"
    condition, then, answer = (part.strip(_BETWEEN) for part in _split(rest))
    if not then:
        moves = sum(_reads(word.strip(_BETWEEN), vocabulary) for word in condition.split()[:_MOST_WORDS])
        return _Shape(near=True) if moves > 1 or _reads(condition, vocabulary) else _Shape() if said else None
    few = len(condition.split()) <= _LIKE_A_MOVE and _SQUARE.search(condition)
    if said or few or _reads(condition, vocabulary) or _reads(answer, vocabulary):
        return _Shape(near=numbered is not None)
    return None


def _split(text: str) -> tuple[str, str, str]:
    """Split a text into three: before the first `then`, that word, and the text from there up to the next word or mark of the grammar."""
    condition, then, rest = _THEN.sub("\n", text, count=1).partition("\n")
    return condition, then, _MARK.split(rest, maxsplit=1)[0]


def _next(told: _Lines, at: int, text: str, vocabulary: Vocabulary) -> int | None:
    """Return the index of the line with which the plan `text` goes on, at `at` or below. None if it ends here.

    Behind an empty line, a plan goes on only with a line that begins like one.
    """
    below = next((index for index in range(at, len(told.raw)) if told.raw[index]), None)
    if below is None:
        return None
    line, is_open = told[below], text.count("(") > text.count(")")
    shape = _shape(told, below, vocabulary)
    if _GOES_ON.match(line) or (shape and not shape.near) or (is_open and line.startswith((")", "if"))):
        return below
    # behind an empty line, only a line that begins like one goes on
    if below > at:
        return None
    goes_on = is_open or _UNFINISHED.search(text) or (line.startswith("then") and not _has_answer(text))
    return below if goes_on or _is_torn(told, below, text, vocabulary) or _is_step(told.raw[below], vocabulary) else None


def _is_full(told: _Lines, at: int) -> bool:
    """Return whether the line above is so long that a mail program may have wrapped it at this place."""
    if not told[at] or not told[at - 1]:
        return False
    above, word = len(told.raw[at - 1]), len(told[at].split(" ", 1)[0])
    return above >= WRAPPED or above + 1 + word > _WIDTH


def _is_torn(told: _Lines, at: int, text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a mail program tore this line off the one above, which ends the `text`.

    A torn-off line is talk or a move. If both ends read as moves, each line is complete by itself.
    """
    if not _is_full(told, at) or text.endswith(";") or _GOES_ON.match(told[at]) or told[at].startswith("if"):
        return False
    item = read_line(told.raw[at][:MAX_LINE], vocabulary)
    if isinstance(item, Prose) or (isinstance(item, Found) and isinstance(item.phrase, Move)):
        return not (_reads(_MARK.split(told[at], maxsplit=1)[0], vocabulary) and _reads(_MARK.split(text)[-1], vocabulary))
    return False


def _is_step(line: str, vocabulary: Vocabulary) -> bool:
    """Return whether a line right below a plan may be a step of its last turn, in games whose turns have several steps."""
    return vocabulary.resembles is not None and (_reads(line, vocabulary) or vocabulary.resembles(line))


def _has_answer(text: str) -> bool:
    return text.rfind("then") > text.rfind("if")


def _reads(text: str, vocabulary: Vocabulary) -> bool:
    text = text[:MAX_LINE].strip(_BETWEEN)
    return bool(text) and (vocabulary.is_move(text) or (vocabulary.resembles is not None and bool(as_steps(text, vocabulary.is_move))))


def _told(line: str) -> str:
    # quotation marks at the beginning stay: somebody who quotes a plan does not make one
    return _words().sub(lambda word: _english()[word[0].casefold()], plain(line).lstrip(_MARKUP).rstrip(_EDGES + ".!"))


@cache
def _english() -> Mapping[str, str]:
    return {**{word: each for each in ("if", "then", "else") for word in synonyms().argument("if", each)}, **_ALSO}


@cache
def _words() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, _english()))})\b", re.IGNORECASE)


def _book(line: str) -> Wordbook | None:
    """Return the wordbook of the language in which a line says `if`; None for English."""
    word = _words().search(line)
    return synonyms().read(word[0]).book if word else None
