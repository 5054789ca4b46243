"""Read all lines of a mail together: its phrases, its unclear lines, and lines that contradict each other."""

import re
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby, islice, takewhile
from typing import Final, NamedTuple

from turnserver.mail.inbound.commands import CLASHES, classes
from turnserver.mail.inbound.directions import WRITING, usage
from turnserver.mail.inbound.one_line import (
    MAX_LINE,
    Found,
    Near,
    Prose,
    Read,
    Vocabulary,
    less_word,
    notes,
    plain,
    read_line,
    spoken,
    tidy,
    with_move,
    with_words,
)
from turnserver.mail.inbound.phrases import (
    Direct,
    If,
    Move,
    Note,
    Notes,
    Phrase,
    Preview,
    Say,
    Set,
    Undo,
)
from turnserver.mail.inbound.steps import WRAPPED, Effort, Trials, as_steps, unwrapped
from turnserver.mail.inbound.synonyms import Wordbook, any_of, synonyms
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
    """Return the line, cut at MAX_LINE characters unless it may be part of a plan: a plan without its end would be another plan.

    A note stays whole too: one that is too long is refused, and not kept without its end.
    """
    whole = line.strip()
    if len(whole) <= MAX_LINE or notes(whole):
        return whole
    begin = _told_of_conditional_moves(whole[:MAX_LINE])
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
            self._told[at] = _told_of_conditional_moves(self.raw[at]) if at < len(self.raw) else ""
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


def _told_of_conditional_moves(line: str) -> str:
    # quotation marks at the beginning stay: somebody who quotes a plan does not make one
    return _words().sub(lambda word: _english()[word[0].casefold()], plain(line).lstrip(_MARKUP).rstrip(_EDGES + ".!"))


@cache
def _english() -> Mapping[str, str]:
    return {**{word: each for each in ("if", "then", "else", "resign", "draw") for word in synonyms().argument("if", each)}, **_ALSO}


@cache
def _words() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{any_of(_english())})\b", re.IGNORECASE)


def _book(line: str) -> Wordbook | None:
    """Return the wordbook of the language in which a line says `if`; None for English."""
    word = _words().search(line)
    return synonyms().read(word[0]).book if word else None


MAX_LINES = 150
"""The number of a player's own lines that are read: some pages, and few enough to compare each with every command."""


class Unclear(NamedTuple):
    """A line that was not understood. `suggestion` is a line to write instead, in the language of the line itself."""

    line: str
    suggestion: str | None


@dataclass(frozen=True, slots=True)
class Understood:
    """The commands and questions in the lines of a mail."""

    # in the order of the lines, each once
    phrases: tuple[Phrase, ...] = ()
    # the near misses and, if there is no phrase at all, every other line too
    unclear: tuple[Unclear, ...] = ()
    # the lines that contradict each other; then `phrases` is empty, and the writer has to be asked
    conflict: tuple[str, ...] = ()
    # each phrase as it was written
    quotes: tuple[str, ...] = field(default=(), compare=False)


_ONCE = classes(lambda one: one.once)
_NO_TURN = Preview("")
_RESEMBLING = 20
"""The cost of comparing the words of a line with those of a game, in units of `Effort`."""


def understand(
    lines: Iterable[str],
    # Returns whether a text reads as a move, legal or not. It must not raise.
    is_move: Callable[[str], bool],
    # The names of games, so that `challenge Bob take` can tell the game from the player.
    games: Iterable[str] = (),
    *,
    # Given if a turn may take several steps: returns whether a line that is no move may have been meant as a step. Then all lines that
    # read as moves are one turn, and a line that may have been a step is unclear: a turn must not be played without it.
    resembles: Callable[[str], bool] | None = None,
    # Set if the answer to an invitation may bring words along. Then a line that begins with `accept` and has no question mark is an
    # acceptance with the words that follow. Otherwise it may be the beginning of a sentence.
    lucky: bool = False,
    # The names of all leagues in lower case, looked at only for a line that may be about one, and the one whose mail is answered.
    leagues: Iterable[str] = frozenset(),
    league: str = "",
) -> Understood:
    """Read the lines that a player wrote. Raise NotAllowed when the mail is too long to be understood.

    Two different moves contradict each other, unless `resembles` is given. So do two plans, unless only empty lines stand between them:
    then they are one. After `say:` alone on a line, everything up to the next empty line or note is told. After `say words`, the rest of
    the line is told, and the lines below it if a mail program wrapped it. Notes are read likewise. Below a line that writes to the players
    of a league, everything is for them.
    """
    effort = Effort()
    reads_as_move = Trials(is_move, effort)
    resembles = Trials(resembles, effort, cost=_RESEMBLING, price=0) if resembles else None
    vocabulary = Vocabulary(reads_as_move, frozenset(name.casefold() for name in games), lucky, resembles, leagues, league)
    whole = tuple(lines)
    everything = list(_read(deque(cut(line) for line in islice(whole, MAX_LINES)), whole, vocabulary))
    everything = [one for item in everything for one in _undone(item)]
    read = [item for item in (_one_turn(everything, resembles) if resembles else everything) if item is not None]
    read = _previewed(read)
    found = [item for item in read if isinstance(item, Found)]
    near = [item for item in read if isinstance(item, Near)]
    conflict = _conflict([*found, *near])
    # nothing is carried out: a mail is done as a whole or not at all
    if conflict:
        return Understood(conflict=conflict)
    # beside a command, conversation needs no answer
    asked = near if found else [item for item in read if not isinstance(item, Found)]
    unclear = dict.fromkeys(Unclear(item.line, item.suggestion) for item in asked)
    phrases: dict[Hashable, Found] = {}
    for item in found:
        phrases.setdefault(_key(item.phrase), item)
    kept = phrases.values()
    return Understood(tuple(item.phrase for item in kept), tuple(unclear), quotes=tuple(item.line for item in kept))


def _one_turn(read: Sequence[Read | None], resembles: Callable[[str], bool]) -> Iterator[Read | None]:
    """Yield the lines, with all moves joined in place of the last one. Prose that may have been one of the steps becomes unclear.

    Such prose is every line between two moves of a paragraph. Above the last move, and in its paragraph, it is a line that `resembles` a
    step. Lines after that paragraph are a signature.
    """
    read = [one for item in read for one in _apart(item)]
    steps: list[str] = []
    written: list[str] = []
    last = max((at for at, item in enumerate(read) if _is(item, Move)), default=-1)
    for is_gap, paragraph in groupby(enumerate(read), key=lambda pair: pair[1] is None):
        items = list(paragraph)
        moves = [at for at, item in items if not is_gap and _is(item, Move)]
        for at, item in items:
            if isinstance(item, Found) and isinstance(item.phrase, Move):
                steps.append(item.phrase.text)
                written.append(item.line)
                # the turn takes the place of its last step: what stands between the steps was read before it
                if at == last:
                    yield Found(" / ".join(written), Move("\n".join(steps)))
            elif isinstance(item, Prose) and ((moves and moves[0] < at < moves[-1]) or ((moves or at < last) and resembles(item.line))):
                yield Near(item.line, item.suggestion, None)
            else:
                yield item


def _apart(item: Read | None) -> tuple[Read | None, ...]:
    # the move joins the other steps of the turn, and the preview is of all of them
    if isinstance(item, Found) and isinstance(item.phrase, Preview) and item.phrase != _NO_TURN:
        return item._replace(phrase=_NO_TURN), item._replace(phrase=Move(item.phrase.text))
    return (item,)


def _undone(item: Read | None) -> tuple[Read | None, ...]:
    # as if both stood on lines of their own
    if isinstance(item, Found) and isinstance(item.phrase, Undo) and item.phrase.text:
        return item._replace(phrase=Undo()), item._replace(phrase=Move(item.phrase.text))
    return (item,)


def _previewed(read: Sequence[Read]) -> list[Read]:
    """Return the lines, with moves turned into previews if a line `preview` is among them."""
    if not any(_is(item, Preview) for item in read):
        return list(read)
    turned = [
        item._replace(phrase=Preview(item.phrase.text)) if isinstance(item, Found) and isinstance(item.phrase, Move) else item
        for item in read
    ]
    wanted = [item for item in turned if not (isinstance(item, Found) and item.phrase == _NO_TURN)]
    if any(_is(item, Preview) for item in wanted):
        return wanted
    alone = next(item for item in turned if isinstance(item, Found) and item.phrase == _NO_TURN)
    return [*wanted, spoken(Near(alone.line, with_move("preview"), None), alone.book)]


def _is(item: Read | None, kind: type[Phrase]) -> bool:
    return isinstance(item, Found) and isinstance(item.phrase, kind)


def _read(lines: deque[str], whole: Sequence[str], vocabulary: Vocabulary) -> Iterator[Read | None]:
    """Read the lines, which are the first ones of the `whole` mail, each cut to what a command may have."""
    read = len(lines)
    is_worded_move = Trials(lambda text: vocabulary.is_move(less_word(tidy(text))), vocabulary.is_move.effort, price=0)
    while lines:
        plan = plan_at(lines, vocabulary)
        if plan is not None:
            yield plan
            continue
        line = lines.popleft()
        line = line if notes(line) else line[:MAX_LINE]
        if vocabulary.resembles:
            line = unwrapped(line, lines, is_worded_move, vocabulary.resembles)
        item = read_line(line, vocabulary)
        if isinstance(item, Found) and isinstance(item.phrase, Say):
            text = _told(item.phrase.text, line, lines, vocabulary)
            told = item._replace(line=_with_words(item.line, item.phrase.text, text), phrase=Say(text))
            yield told if text else spoken(Prose(line, with_words("say")), item.book)
        elif isinstance(item, Found) and isinstance(item.phrase, Note):
            text = _told(item.phrase.text, line, lines, vocabulary)
            yield item._replace(line=_with_words(item.line, item.phrase.text, text), phrase=Note(text) if text else Notes())
        elif isinstance(item, Found) and isinstance(item.phrase, Direct) and item.phrase.act == WRITING:
            yield _letter(item, item.phrase, whole[read - len(lines) :])
            lines.clear()
        else:
            yield item


def _letter(item: Found, phrase: Direct, below: Sequence[str]) -> Found | Prose:
    """Return the direction with the words that it sends to players: all that stands below it, as in a mail to a list."""
    words = "\n".join(below).strip()
    if not words:
        return Prose(item.line, usage(phrase.league, WRITING))
    return item._replace(phrase=replace(phrase, words=(*phrase.words, words)))


def _told(text: str, line: str, lines: deque[str], vocabulary: Vocabulary) -> str:
    """Return the whole text that is said or kept, and take the lines that belong to it off `lines`."""
    if not text:
        # a note among the words for the others stays private
        count = len(list(takewhile(lambda line: line and not notes(line), lines)))
        text = "\n".join(lines.popleft() for _ in range(count))
        if lines and not lines[0]:
            lines.popleft()
        return text
    # the lines below belong to it up to an empty one, or one that may be anything else
    while lines and lines[0] and isinstance(below := read_line(lines[0], vocabulary), Prose):
        is_wrapped = len(line) >= WRAPPED
        if (
            (below.suggestion and not is_wrapped)
            or begins_plan(lines, vocabulary)
            or (vocabulary.resembles and vocabulary.resembles(lines[0]))
        ):
            break
        line = lines.popleft()
        text += (" " if is_wrapped else "\n") + line
    return text


def _with_words(line: str, begun: str, text: str) -> str:
    """Return a line that says or keeps a text, together with the lines below it that belong to the text. `begun` is what it has itself."""
    return line + (text[len(begun) :] if begun else f"\n{text}".rstrip())


def _key(phrase: Phrase) -> Hashable:
    # a move that is repeated in other spelling is one move
    return (type(phrase), "".join(phrase.text.casefold().split())) if isinstance(phrase, Move | Preview | If) else phrase


def _conflict(items: Sequence[Found | Near]) -> tuple[str, ...]:
    """Return the lines that contradict one another."""
    kinds = {type(item.phrase) for item in items}
    clashing = {kind for clash in CLASHES if clash <= kinds for kind in clash}
    for kind in _ONCE:
        if len({_key(item.phrase) for item in items if isinstance(item.phrase, kind)}) > 1:
            clashing.add(kind)
    values = {item.phrase for item in items if isinstance(item.phrase, Set)}
    twice = {one.name for one in values for other in values if one.name == other.name and one != other}
    return tuple(
        dict.fromkeys(
            item.line for item in items if type(item.phrase) in clashing or (isinstance(item.phrase, Set) and item.phrase.name in twice)
        )
    )
