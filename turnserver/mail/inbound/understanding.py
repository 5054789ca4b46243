"""Read all lines of a mail together: its phrases, its unclear lines, and lines that contradict each other."""

import re
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice, takewhile
from typing import NamedTuple

from turnserver.mail.inbound.commands import CLASHES, classes
from turnserver.mail.inbound.conditional_moves import begins_plan, cut, plan_at
from turnserver.mail.inbound.one_line import (
    MAX_LINE,
    PLAIN,
    Found,
    Near,
    Prose,
    Read,
    Vocabulary,
    less_word,
    read_line,
    spoken,
    tidy,
    with_move,
    with_words,
)
from turnserver.mail.inbound.phrases import (
    If,
    Move,
    Phrase,
    Preview,
    Say,
    Set,
    Undo,
    written,
)
from turnserver.mail.inbound.steps import WRAPPED, Effort, Trials, unwrapped
from turnserver.mail.inbound.synonyms import Wordbook, synonyms

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
    # the phrases as the writer may have put them, each in the language of its line
    quotes: tuple[str, ...] = field(default=(), compare=False)


_ONCE = classes(lambda one: one.once)
_NO_TURN = Preview("")
_RESEMBLING = 20
"""The cost of comparing the words of a line with those of a game, in units of `Effort`."""

_LETTERS = re.compile(r"[^\W_]+")
_ASSENT = frozenset(
    "ok okay k yes yep yeah y sure agreed play it this that so go ahead do confirm confirmed send submit please thanks "
    "looks good fine great perfect right correct the my turn move".split()
)


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
    # The names of all leagues, and the one whose mail is answered.
    leagues: Iterable[str] = (),
    league: str = "",
) -> Understood:
    """Read the lines that a player wrote. Raise NotAllowed when the mail is too long to be understood.

    Two different moves contradict each other, unless `resembles` is given. So do two plans, unless only empty lines stand between them:
    then they are one. After `say:` alone on a line, everything up to the next empty line is told. After `say words`, the rest of the line
    is told, and the lines below it if a mail program wrapped it.
    """
    names = frozenset(name.casefold() for name in leagues)
    effort = Effort()
    reads_as_move = Trials(is_move, effort)
    resembles = Trials(resembles, effort, cost=_RESEMBLING, price=0) if resembles else None
    vocabulary = Vocabulary(reads_as_move, frozenset(name.casefold() for name in games), lucky, resembles, names, league)
    everything = list(_read(deque(cut(line) for line in islice(lines, MAX_LINES)), vocabulary))
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
    quotes = tuple(_in_words_of(item.book, written(item.phrase)) for item in phrases.values())
    return Understood(tuple(item.phrase for item in phrases.values()), tuple(unclear), quotes=quotes)


def assents(lines: Iterable[str]) -> bool:
    """Return whether the first line with words is a mere yes, as an answer to a preview: `ok`, `Yes, play it!`."""
    words = _LETTERS.findall(next((line for line in lines if line), "")[:MAX_LINE].translate(PLAIN).casefold())
    return bool(words) and (_ASSENT | synonyms().assent).issuperset(words)


def _one_turn(read: Sequence[Read | None], resembles: Callable[[str], bool]) -> Iterator[Read | None]:
    """Yield the lines, with all moves joined in place of the last one. Prose that may have been one of the steps becomes unclear.

    Such prose is every line between two moves of a paragraph. Above the last move, and in its paragraph, it is a line that `resembles` a
    step. Lines after that paragraph are a signature.
    """
    read = [one for item in read for one in _apart(item)]
    steps: list[str] = []
    last = max((at for at, item in enumerate(read) if _is(item, Move)), default=-1)
    for is_gap, paragraph in groupby(enumerate(read), key=lambda pair: pair[1] is None):
        items = list(paragraph)
        moves = [at for at, item in items if not is_gap and _is(item, Move)]
        for at, item in items:
            if isinstance(item, Found) and isinstance(item.phrase, Move):
                steps.append(item.phrase.text)
                # the turn takes the place of its last step: what stands between the steps was read before it
                if at == last:
                    yield Found("\n".join(steps), Move("\n".join(steps)))
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


def _read(lines: deque[str], vocabulary: Vocabulary) -> Iterator[Read | None]:
    is_worded_move = Trials(lambda text: vocabulary.is_move(less_word(tidy(text))), vocabulary.is_move.effort, price=0)
    while lines:
        plan = plan_at(lines, vocabulary)
        if plan is not None:
            yield plan
            continue
        line = lines.popleft()[:MAX_LINE]
        if vocabulary.resembles:
            line = unwrapped(line, lines, is_worded_move, vocabulary.resembles)
        item = read_line(line, vocabulary)
        if isinstance(item, Found) and isinstance(item.phrase, Say):
            text = _told(item.phrase.text, line, lines, vocabulary)
            yield item._replace(phrase=Say(text)) if text else spoken(Prose(line, with_words("say")), item.book)
        else:
            yield item


def _told(text: str, line: str, lines: deque[str], vocabulary: Vocabulary) -> str:
    """Return the whole text that is said, and take the lines that belong to it off `lines`."""
    if not text:
        return "\n".join(takewhile(bool, iter(lambda: lines.popleft() if lines else "", "")))
    told = [text]
    # only a line as long as mail programs wrap it goes on in the next
    while len(line) >= WRAPPED and lines and isinstance(read_line(lines[0], vocabulary), Prose):
        if begins_plan(lines, vocabulary) or (vocabulary.resembles and vocabulary.resembles(lines[0])):
            break
        line = lines.popleft()
        told.append(line)
    return " ".join(told)


def _in_words_of(book: Wordbook | None, english: str) -> str:
    return english if book is None else book.in_words(english)


def _key(phrase: Phrase) -> Hashable:
    # a move that is repeated in other spelling is one move
    return (type(phrase), "".join(phrase.text.casefold().split())) if isinstance(phrase, Move | Preview | If) else phrase


def _conflict(items: Sequence[Found | Near]) -> tuple[str, ...]:
    """Return the lines that cannot all be meant."""
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
