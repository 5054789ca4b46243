"""What players may write, and reading it: lines of text become phrases; nothing here knows of games, accounts or mail programs.

A command is a whole line. Case, spacing, trailing full stops and exclamation marks, markdown's asterisks, curly quotes and invisible
characters are forgiven; a wrong letter is not: what is nearly a command is handed back with a suggestion and never carried out.
Everything else is conversation. Time is linear in the length of the lines.
"""

import re
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby, islice, takewhile
from typing import NamedTuple, TypeAlias

from turnserver.mail import time_phrases
from turnserver.mail.steps import WRAPPED, as_steps, unwrapped
from turnserver.mail.synonyms import Wordbook, alike, synonyms
from turnserver.mail.time_phrases import Pause, Resume, TimeDeed, Vacation
from turnserver.words import say, with_texts

MAX_LINES = 150
"""Of the lines that a player wrote himself, how many are read: some pages, and few enough to compare each with every command there is."""

MAX_LINE = 1_000


@dataclass(frozen=True, slots=True)
class Move:
    """Play a turn: `move d3`, or a line that reads as a move. The text is as written, less decoration."""

    text: str


@dataclass(frozen=True, slots=True)
class Preview:
    """Show what a turn comes to, without playing it: `preview d3`, or `preview` above or below the lines of the turn."""

    text: str


@dataclass(frozen=True, slots=True)
class Resign:
    """Ask to give the game up; the answer says how to confirm it."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """Give the game up: `confirm resign`."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take one's last turn back, or ask the others for it: `undo`. `undo d3` is that and the move."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Draw:
    """Offer a draw."""


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept the invitation or what is on offer. `words` go into the chance of the game: `accept my lucky words`."""

    words: str = ""


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline the invitation or what is on offer."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """Invite players, named in any way, to a game. `first` is whether the challenger wants the first seat; None leaves it to the lot."""

    opponents: tuple[str, ...]
    game: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    time: str | None = None
    first: bool | None = None


@dataclass(frozen=True, slots=True)
class Show:
    """Show the board as it is, or as it was after a turn."""

    turn: int | None = None


@dataclass(frozen=True, slots=True)
class History:
    """Send the whole game so far."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Say why the deadline of the pending turn is what it is."""


@dataclass(frozen=True, slots=True)
class Games:
    """List the sender's games."""


@dataclass(frozen=True, slots=True)
class Resend:
    """Send everything once more that waits for the sender."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Send the rules of a game, by default the one that the mail is about."""

    game: str | None = None


@dataclass(frozen=True, slots=True)
class Help:
    """Send the list of commands, or what there is to say about one of them."""

    topic: str | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """Show what the sender has set."""


@dataclass(frozen=True, slots=True)
class Set:
    """Change one of the sender's settings: `set digest 18:00`. The name is one of `SETTABLE`."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Unsubscribe:
    """Send no more mail but answers."""


@dataclass(frozen=True, slots=True)
class Subscribe:
    """Send mail again."""


@dataclass(frozen=True, slots=True)
class Say:
    """Tell the others of the game something."""

    text: str


Deed: TypeAlias = Move | Undo | Confirm | Draw | TimeDeed | Accept | Decline
"""What changes the game that the mail is about."""

Question: TypeAlias = Resign | Preview | Show | History | Clock | Games | Resend | Rules | Help | Settings
"""What is answered by mail and changes nothing."""

Choice: TypeAlias = Set | Unsubscribe | Subscribe
"""What changes how the sender gets his mail."""

Phrase: TypeAlias = Deed | Challenge | Question | Choice | Vacation | Say

SETTABLE: tuple[str, ...] = ("language", "zone", "mail", "board", "digest", "quiet", "reminders", "calendar")
"""What `set` can be followed by."""


class Unclear(NamedTuple):
    """A line that was not understood, and what its writer may have meant, as a line to write instead, in the language of his own."""

    line: str
    suggestion: str | None


@dataclass(frozen=True, slots=True)
class Understood:
    """What some lines ask for.

    `phrases` are in the order of the lines, each once. `unclear` holds the near misses and, if there is no phrase at all, every other
    line too. `conflict` holds the lines that contradict each other: then `phrases` is empty, and the writer has to be asked. `quotes` are
    the phrases as he may have put them, each in the language of his line.
    """

    phrases: tuple[Phrase, ...] = ()
    unclear: tuple[Unclear, ...] = ()
    conflict: tuple[str, ...] = ()
    quotes: tuple[str, ...] = field(default=(), compare=False)


_FIXED: dict[str, Phrase] = {
    **dict.fromkeys(("preview", "preview turn", "preview the turn", "preview my turn"), Preview("")),
    **dict.fromkeys(("resign", "i resign", "i give up"), Resign()),
    **dict.fromkeys(("confirm resign", "confirm resignation", "confirm: resign", "i confirm resign"), Confirm()),
    **dict.fromkeys(("undo", "undo my move", "undo my last move", "take back", "take it back", "take back my move"), Undo()),
    **dict.fromkeys(("draw", "offer draw", "offer a draw", "i offer a draw", "draw offer"), Draw()),
    **dict.fromkeys(("accept", "i accept", "accept draw", "accept the draw", "accept invitation", "accept the invitation"), Accept()),
    **dict.fromkeys(
        ("decline", "i decline", "decline draw", "decline the draw", "decline invitation", "decline the invitation"), Decline()
    ),
    **dict.fromkeys(("show", "show board", "show the board", "board"), Show()),
    **dict.fromkeys(("history", "show history", "transcript"), History()),
    **dict.fromkeys(("clock", "show clock", "show the clock", "my clock", "deadline"), Clock()),
    **dict.fromkeys(("games", "my games", "list games", "show games"), Games()),
    **dict.fromkeys(("resend", "send again", "resend mails", "resend my mails"), Resend()),
    **dict.fromkeys(("rules", "show rules"), Rules()),
    **dict.fromkeys(("settings", "my settings", "show settings", "preferences"), Settings()),
    **dict.fromkeys(("unsubscribe", "unsubscribe me"), Unsubscribe()),
    **dict.fromkeys(("subscribe", "subscribe me", "resubscribe"), Subscribe()),
    **dict.fromkeys(("help", "commands"), Help()),
    **time_phrases.FIXED,
}
_NO_TURN = Preview("")
_HARMLESS = (Show, History, Clock, Games, Resend, Rules, Help, Settings)
_ASKABLE = (Draw, Pause, Challenge, Preview, *_HARMLESS)
_WORDS = (
    "move",
    "preview",
    "undo",
    "resign",
    "draw",
    "pause",
    "resume",
    "vacation",
    "accept",
    "decline",
    "nudge",
    "reopen",
    "challenge",
    "show",
    "history",
    "clock",
    "games",
    "resend",
    "rules",
    "settings",
    "unsubscribe",
    "subscribe",
    "help",
)
_SHOW_FILLERS = frozenset({"the", "board", "at", "after", "turn"})
_SEAT_WISHES = {"first": True, "second": False}
_CHALLENGE_FILLERS = frozenset({"to", "at", "a", "game", "of"})
_OF_TURNS = ("move", "preview")
_UNDOING = ("undo", "correct")
_EXTRA_WORDS = 2
_MISSPELLED_WORDS = 2
_CLASHES: tuple[frozenset[type], ...] = tuple(
    frozenset(pair)
    for pair in (
        (Resign, Move),
        (Confirm, Move),
        (Confirm, Undo),
        (Resign, Undo),
        (Preview, Undo),
        (Accept, Undo),
        (Confirm, Preview),
        (Confirm, Draw),
        (Confirm, Accept),
        (Confirm, Decline),
        (Resign, Preview),
        (Accept, Preview),
        (Resign, Draw),
        (Resign, Accept),
        (Resign, Decline),
        (Accept, Decline),
        (Accept, Move),
        (Accept, Draw),
        (Accept, Pause),
        (Draw, Pause),
        (Pause, Resume),
        (Subscribe, Unsubscribe),
    )
)
_LONGEST_MISSPELLED = 12
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys(
            "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufe0f\ufeff", None
        ),
    }
)
_LETTERS = re.compile(r"[^\W_]+")
_ASSENT = frozenset(
    "ok okay k yes yep yeah y sure agreed play it this that so go ahead do confirm confirmed send submit please thanks "
    "looks good fine great perfect right correct the my turn move".split()
)
_BULLETS = ("- ", "* ", "\u2022 ")
_EDGES = "*_~'\" "
_ENDS = ".!,; "
_TIME = re.compile(r"(?:^|[ ,])time ?[=:]", re.IGNORECASE)
_AND = re.compile(r" ?(?:,|&|\band\b) ?", re.IGNORECASE)


class _Found(NamedTuple):
    """A command; `book` is that of the language that it is written in, None for English."""

    line: str
    phrase: Phrase
    book: Wordbook | None = None


class _Near(NamedTuple):
    """Nearly something that would change a game; `phrase` is what, as far as it can be told."""

    line: str
    suggestion: str | None
    phrase: Phrase | None


class _Prose(NamedTuple):
    line: str
    suggestion: str | None


_Read: TypeAlias = _Found | _Near | _Prose


def written(phrase: Phrase) -> str:  # noqa: C901  # one branch a phrase
    """The phrase as its writer may have put it, for quoting it back."""
    match phrase:
        case Accept(words=words):
            return f"accept {words}".rstrip()
        case Pause() | Vacation():
            return time_phrases.written(phrase)
        case Undo(text=text):
            return " ".join(["undo", *text.split("\n")]).rstrip()
        case Confirm():
            return "confirm resign"
        case Move(text=text):
            return " / ".join(text.split("\n"))
        case Preview(text=text):
            return " ".join(["preview", *text.split("\n")])
        case Say(text=text):
            return f"say {text}"
        case Show(turn=int() as turn):
            return f"show turn {turn}"
        case Rules(game=str() as name) | Help(topic=str() as name):
            return f"{type(phrase).__name__.lower()} {name}"
        case Set(name=name, value=value):
            return f"set {name} {value}"
        case Challenge():
            who = " and ".join(phrase.opponents)
            options = [f"{name}={value}" for name, value in phrase.options]
            time = [] if phrase.time is None else [f"time={phrase.time}"]
            order = [] if phrase.first is None else ["first" if phrase.first else "second"]
            return " ".join(["challenge", who, *([phrase.game] if phrase.game else []), *options, *order, *time])
        case _:
            return type(phrase).__name__.lower()


def understand(
    lines: Iterable[str],
    is_move: Callable[[str], bool],
    games: Iterable[str] = (),
    *,
    resembles: Callable[[str], bool] | None = None,
    lucky: bool = False,
) -> Understood:
    """Read the lines that a player wrote.

    `is_move` says whether some text reads as a move, legal or not; it must not raise. `games` are the names by which games are known,
    so that `challenge Bob take` can tell the game from the player. Where a turn may take several steps, `resembles` says whether a line
    that is no move may have been meant as one. There all lines that read as moves are one turn, and what may have been a step of it is
    unclear: a turn must not be played without it. Elsewhere two different moves contradict each other. Where the answer to an invitation
    may bring words along that are `lucky`, a line that begins with `accept` and ends without a question mark is an acceptance with the
    words that follow; elsewhere it may just be the beginning of a sentence. After `say:` alone on a line everything up to the next empty
    line is told; after `say words` the rest of the line, and of the lines below it if a mail program wrapped it.
    """
    vocabulary = _Vocabulary(is_move, frozenset(name.casefold() for name in games), lucky, resembles)
    everything = list(_read(deque(line[:MAX_LINE].strip() for line in islice(lines, MAX_LINES)), vocabulary))
    everything = [one for item in everything for one in _undone(item)]
    read = [item for item in (_one_turn(everything, resembles) if resembles else everything) if item is not None]
    read = _previewed(read)
    found = [item for item in read if isinstance(item, _Found)]
    near = [item for item in read if isinstance(item, _Near)]
    conflict = _conflict([*found, *near])
    if conflict:
        return Understood(conflict=conflict)
    asked = near if found else [item for item in read if not isinstance(item, _Found)]
    unclear = dict.fromkeys(Unclear(item.line, item.suggestion) for item in asked)
    phrases: dict[Hashable, _Found] = {}
    for item in found:
        phrases.setdefault(_key(item.phrase), item)
    quotes = tuple(_in_words_of(item.book, written(item.phrase)) for item in phrases.values())
    return Understood(tuple(item.phrase for item in phrases.values()), tuple(unclear), quotes=quotes)


def assents(lines: Iterable[str]) -> bool:
    """Whether the first words of a mail are a mere yes, as to a preview: `ok`, `Yes, play it!`."""
    words = _LETTERS.findall(next((line for line in lines if line), "")[:MAX_LINE].translate(_PLAIN).casefold())
    return bool(words) and (_ASSENT | synonyms().assent).issuperset(words)


class _Vocabulary(NamedTuple):
    is_move: Callable[[str], bool]
    games: frozenset[str]
    lucky: bool
    resembles: Callable[[str], bool] | None


def _one_turn(read: Sequence[_Read | None], resembles: Callable[[str], bool]) -> Iterator[_Read | None]:
    """All moves as one, in place of the last of them; prose that may have been one of its steps is unclear.

    That is every line between two moves of a paragraph, whatever it says. Above the last move, and right below it, it is a line that
    `resembles` a step. What comes later is a signature.
    """
    read = [one for item in read for one in _apart(item)]
    steps: list[str] = []
    last = max((at for at, item in enumerate(read) if _is(item, Move)), default=-1)
    for is_gap, paragraph in groupby(enumerate(read), key=lambda pair: pair[1] is None):
        items = list(paragraph)
        moves = [at for at, item in items if not is_gap and _is(item, Move)]
        for at, item in items:
            if isinstance(item, _Found) and isinstance(item.phrase, Move):
                steps.append(item.phrase.text)
                if at == last:
                    yield _Found("\n".join(steps), Move("\n".join(steps)))
            elif isinstance(item, _Prose) and ((moves and moves[0] < at < moves[-1]) or ((moves or at < last) and resembles(item.line))):
                yield _Near(item.line, item.suggestion, None)
            else:
                yield item


def _apart(item: _Read | None) -> tuple[_Read | None, ...]:
    """A preview of a move as a preview and the move."""
    if isinstance(item, _Found) and isinstance(item.phrase, Preview) and item.phrase != _NO_TURN:
        return item._replace(phrase=_NO_TURN), item._replace(phrase=Move(item.phrase.text))
    return (item,)


def _undone(item: _Read | None) -> tuple[_Read | None, ...]:
    """A turn that is to replace the last one as what takes that back, and the turn."""
    if isinstance(item, _Found) and isinstance(item.phrase, Undo) and item.phrase.text:
        return item._replace(phrase=Undo()), item._replace(phrase=Move(item.phrase.text))
    return (item,)


def _previewed(read: Sequence[_Read]) -> list[_Read]:
    """With a line `preview` among them, moves are to be shown and not played."""
    if not any(_is(item, Preview) for item in read):
        return list(read)
    turned = [
        item._replace(phrase=Preview(item.phrase.text)) if isinstance(item, _Found) and isinstance(item.phrase, Move) else item
        for item in read
    ]
    wanted = [item for item in turned if not (isinstance(item, _Found) and item.phrase == _NO_TURN)]
    if any(_is(item, Preview) for item in wanted):
        return wanted
    alone = next(item for item in turned if isinstance(item, _Found) and item.phrase == _NO_TURN)
    return [*wanted, _spoken(_Near(alone.line, _with_move("preview"), None), alone.book)]


def _is(item: _Read | None, kind: type[Phrase]) -> bool:
    return isinstance(item, _Found) and isinstance(item.phrase, kind)


def _read(lines: deque[str], vocabulary: _Vocabulary) -> Iterator[_Read | None]:
    """What each line is, None for one without words."""
    while lines:
        line = lines.popleft()
        if vocabulary.resembles:
            line = unwrapped(line, lines, lambda text: vocabulary.is_move(_less_word(_tidy(text))))
        item = _line(line, vocabulary)
        if isinstance(item, _Found) and isinstance(item.phrase, Say):
            text = _told(item.phrase.text, line, lines, vocabulary)
            yield item._replace(phrase=Say(text)) if text else _spoken(_Prose(line, _with_words("say")), item.book)
        else:
            yield item


def _told(text: str, line: str, lines: deque[str], vocabulary: _Vocabulary) -> str:
    """What is said in all; takes the lines that belong to it off `lines`."""
    if not text:
        return "\n".join(takewhile(bool, iter(lambda: lines.popleft() if lines else "", "")))
    told = [text]
    while len(line) >= WRAPPED and lines and isinstance(_line(lines[0], vocabulary), _Prose):
        if vocabulary.resembles and vocabulary.resembles(lines[0]):
            break
        line = lines.popleft()
        told.append(line)
    return " ".join(told)


def _line(line: str, vocabulary: _Vocabulary) -> _Read | None:
    """What one line is; None if there is no word in it."""
    said = _say_pattern().match(line)
    if said:
        return _Found(line, Say(said["text"]), synonyms().read(f"{said['word']}:").book)
    tidy = _tidy(line)
    text = tidy.rstrip("?" + _EDGES + _ENDS)
    if not any(letter.isalnum() for letter in text):
        return None
    english, book, _ = synonyms().read(text)
    if book is None or vocabulary.is_move(text):
        return _judged(line, text, vocabulary, asks=tidy.endswith("?"))
    word, _, rest = english.partition(" ")
    if word.rstrip(":") in _OF_TURNS and rest and not _may_be_turn(rest, vocabulary):
        return _spoken(_Prose(line, _with_move(word.rstrip(":"))), book)
    return _spoken(_judged(line, english, vocabulary, asks=tidy.endswith("?")), book)


def _judged(line: str, text: str, vocabulary: _Vocabulary, *, asks: bool) -> _Read:
    """What a line is whose `text`, in English, `asks` for something if it ended in a question mark."""
    phrase = _phrase(text, vocabulary)
    if phrase is None:
        return _guess(line, text, vocabulary)
    return _Near(line, _canonical(phrase), phrase) if asks and not isinstance(phrase, _ASKABLE) else _Found(line, phrase)


def _may_be_turn(text: str, vocabulary: _Vocabulary) -> bool:
    """Whether text behind a word for moving, which in another language may begin a sentence, is a turn, or a misspelled one."""
    if vocabulary.is_move(text) or (vocabulary.resembles and (vocabulary.resembles(text) or as_steps(text, vocabulary.is_move))):
        return True
    return len(text.split()) <= _MISSPELLED_WORDS and any(letter.isdigit() for letter in text)


def _spoken(item: _Read, book: Wordbook | None) -> _Read:
    """The same about a line in another language: so is what is suggested."""
    if book is None:
        return item
    if isinstance(item, _Found):
        return item._replace(book=book)
    return item if item.suggestion is None else item._replace(suggestion=with_texts(item.suggestion, book.in_words))


def _in_words_of(book: Wordbook | None, english: str) -> str:
    return english if book is None else book.in_words(english)


def _with_move(word: str) -> str:
    return say("{word} <your move>", word=word)


def _with_words(word: str) -> str:
    return say("{word} <words>", word=word)


@cache
def _say_pattern() -> re.Pattern[str]:
    """What a line begins with that tells the others something, in any language."""
    bare, marked = (sorted(words, key=len, reverse=True) for words in synonyms().first_words("say"))
    with_colon = f"|(?:{'|'.join(map(re.escape, marked))})(?=[*_]{{0,2}}:)" if marked else ""
    words = f"(?P<word>{'|'.join(map(re.escape, bare))}{with_colon})"
    return re.compile(rf"[*_]{{0,2}}{words}[*_]{{0,2}}(?::|\s)[*_]{{0,2}}\s*(?P<text>.*)", re.IGNORECASE | re.DOTALL)


def _tidy(line: str) -> str:
    text = " ".join(line.translate(_PLAIN).split())
    for bullet in _BULLETS:
        text = text.removeprefix(bullet)
    return text.lstrip(_EDGES).rstrip(_EDGES + _ENDS)


def _phrase(text: str, vocabulary: _Vocabulary) -> Phrase | None:
    """The phrase that a whole line is, or None."""
    fixed = _FIXED.get(text.casefold())
    if fixed is not None:
        return fixed
    if turn := _turn(text, vocabulary):
        return Move(turn)
    first, _, rest = text.partition(" ")
    if vocabulary.lucky and first.casefold().rstrip(_EDGES + ":") == "accept" and rest.strip(_EDGES):
        return Accept(rest.strip(_EDGES))
    if first.casefold().rstrip(_EDGES + ":") in _UNDOING and (turn := _turn(rest.strip(_EDGES), vocabulary)):
        return Undo(turn)
    read_argument = _WITH_ARGUMENT.get(first.casefold().rstrip(_EDGES + ":"))
    argument = rest.strip(_EDGES)
    if vocabulary.resembles and read_argument in (_move, _preview):
        argument = as_steps(argument, vocabulary.is_move) or argument
    return read_argument(argument, vocabulary.games) if read_argument and argument else None


def _turn(text: str, vocabulary: _Vocabulary) -> str | None:
    """Some text as a turn; None if it is none."""
    steps = as_steps(text, vocabulary.is_move) if vocabulary.resembles else None
    return steps or (text if vocabulary.is_move(text) else None)


def _less_word(text: str) -> str:
    """The turn that a line tells to play or to show."""
    first, _, rest = synonyms().read(text).text.partition(" ")
    return rest if first.casefold().rstrip(_EDGES + ":") in (*_OF_TURNS, *_UNDOING) else text


def _move(argument: str, _games: frozenset[str]) -> Move:
    return Move(argument)


def _preview(argument: str, _games: frozenset[str]) -> Preview:
    return Preview(argument)


def _rules(argument: str, games: frozenset[str]) -> Rules | None:
    game = argument.casefold().removeprefix("of ").removeprefix("for ")
    return Rules(game) if game in games or " " not in game else None


def _help(argument: str, _games: frozenset[str]) -> Help | None:
    return Help(argument.casefold()) if " " not in argument else None


def _show(argument: str, _games: frozenset[str]) -> Show | None:
    words = [word for word in argument.casefold().split() if word not in _SHOW_FILLERS]
    return Show(int(words[0])) if len(words) == 1 and _is_number(words[0]) else None


def _challenge(argument: str, games: frozenset[str]) -> Challenge | None:
    about, _, time = (part.strip(" ,") for part in _TIME.sub("\n", argument, count=1).partition("\n"))
    tight = about.replace(" = ", "=").replace("= ", "=").replace(" =", "=").split()
    settings = dict(word.casefold().split("=", 1) for word in tight if "=" in word)
    words = [word for word in tight if "=" not in word]
    first = None
    if len(words) > 1 and words[-1].casefold() in _SEAT_WISHES:
        first = _SEAT_WISHES[words.pop().casefold()]
    game = next((name for size in (3, 2, 1) if len(words) > size and (name := " ".join(words[-size:]).casefold()) in games), None)
    if game is not None:
        del words[-len(game.split()) :]
        while len(words) > 1 and words[-1].casefold() in _CHALLENGE_FILLERS:
            words.pop()
    opponents = tuple(name.strip(_EDGES) for name in _AND.split(" ".join(words), maxsplit=9) if name.strip(_EDGES))
    if not opponents:
        return None
    return Challenge(opponents, game, tuple(settings.items()), time or None, first)


def _set(argument: str, _games: frozenset[str]) -> Set | None:
    name, value = _name_and_value(argument)
    return Set(name, value) if name in SETTABLE and value else None


def _name_and_value(argument: str) -> tuple[str, str]:
    """The two parts of `digest 18:00`, however they are joined."""
    name, _, value = argument.replace("=", " ").partition(" ")
    value = value.strip(_EDGES)
    return name.casefold().rstrip(_EDGES + ":"), value[len(_TO) :] if value.casefold().startswith(_TO) else value


_TO = "to "


_WITH_ARGUMENT: Mapping[str, Callable[[str, frozenset[str]], Phrase | None]] = {
    "move": _move,
    "preview": _preview,
    "challenge": _challenge,
    "show": _show,
    "rules": _rules,
    "help": _help,
    "set": _set,
    **time_phrases.WITH_ARGUMENT,
}


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 6


def _guess(line: str, text: str, vocabulary: _Vocabulary, *, sure: bool = True) -> _Read:
    """What a line that is no phrase may have been meant as. Unless `sure`, the first word of the `text` is only nearly what was written."""
    first, _, rest = text.partition(" ")
    if first.casefold() == "i" and rest:
        first, _, rest = rest.partition(" ")
    word = first.casefold().rstrip(_EDGES + _ENDS + ":")
    meant = word if word in _WORDS else _alike(word)
    if word == "say":
        return _Prose(line, _with_words("say"))
    if word == "set" or (meant is None and _alike(word, ("set",))):
        return _setting(line, rest, sure=sure)
    if meant is None:
        foreign = synonyms().nearly(text) if sure else None
        if foreign is not None and foreign.book is not None:
            return _spoken(_nearly(line, foreign.text, vocabulary, sure=foreign.sure), foreign.book)
        return _Prose(line, word if rest and vocabulary.is_move(word) else None)
    exact = sure and meant == word
    if meant == "challenge":
        return _Near(line, f"challenge {rest}" if rest and not exact else say("{word} <player> <game>", word="challenge"), None)
    if meant in _OF_TURNS:
        turn = Move(rest) if meant == "move" else Preview(rest)
        return _Near(line, f"{meant} {rest}", turn) if vocabulary.is_move(rest) else _Prose(line, _with_move(meant) if exact else None)
    phrase = _FIXED[meant]
    if len(rest.split()) > (_EXTRA_WORDS if exact else 0):
        return _Prose(line, meant if exact else None)
    return _Prose(line, meant) if isinstance(phrase, _HARMLESS) else _Near(line, meant, phrase)


def _nearly(line: str, text: str, vocabulary: _Vocabulary, *, sure: bool) -> _Read:
    """What a line may have been meant as that in another language is nearly a command; `sure`: it lacks only a colon behind its word."""
    word, _, rest = text.partition(" ")
    if sure and word == "accept" and vocabulary.lucky and rest:
        return _Near(line, text, Accept(rest))
    return _guess(line, text, vocabulary, sure=sure)


def _setting(line: str, rest: str, *, sure: bool) -> _Near | _Prose:
    """What a line that begins like `set` may have been meant to set."""
    name, value = _name_and_value(rest)
    meant = name if name in SETTABLE else _alike(name, SETTABLE) or synonyms().argument_like("set", name)
    meant = meant if meant in SETTABLE else None
    if meant is None or not value:
        return _Near(line, "settings", None) if not value and (sure or meant) else _Prose(line, None)
    return _Near(line, f"set {meant} {value}", Set(meant, value))


def _alike(word: str, known: Sequence[str] = _WORDS) -> str | None:
    """See `alike`; a word with more letters than that is a misspelling of none."""
    return alike(word, known) if len(word) <= _LONGEST_MISSPELLED else None


def _canonical(phrase: Phrase) -> str:
    if isinstance(phrase, Move):
        return f"move {phrase.text}"
    return written(phrase) if isinstance(phrase, Set | Pause | Vacation | Confirm | Undo) else type(phrase).__name__.lower()


def _key(phrase: Phrase) -> Hashable:
    return (type(phrase), "".join(phrase.text.casefold().split())) if isinstance(phrase, Move | Preview) else phrase


def _conflict(items: Sequence[_Found | _Near]) -> tuple[str, ...]:
    """The lines that cannot all be meant."""
    kinds = {type(item.phrase) for item in items}
    clashing = {kind for clash in _CLASHES if clash <= kinds for kind in clash}
    for kind in (Move, Preview, Accept, Pause, Vacation):
        if len({_key(item.phrase) for item in items if isinstance(item.phrase, kind)}) > 1:
            clashing.add(kind)
    values = {item.phrase for item in items if isinstance(item.phrase, Set)}
    twice = {one.name for one in values for other in values if one.name == other.name and one != other}
    return tuple(
        dict.fromkeys(
            item.line for item in items if type(item.phrase) in clashing or (isinstance(item.phrase, Set) and item.phrase.name in twice)
        )
    )
