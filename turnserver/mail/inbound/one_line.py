"""Read one line of a player's mail as a command, as nearly a command, or as conversation.

A command is a whole line. Case, spacing, full stops and exclamation marks at the end, asterisks of markdown, curly quotes and invisible
characters are forgiven. A wrong letter is not: a near command is handed back with a suggestion and never carried out. Everything else is
conversation. Time is linear in the length of the line.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from turnserver.mail.inbound import phrases
from turnserver.mail.inbound.commands import COMMANDS, FORGETTING, GUESSED, LINES, READERS, MailCommand, classes, name_and_value
from turnserver.mail.inbound.directions import nearly_direction, read_direction
from turnserver.mail.inbound.steps import Trials, as_steps
from turnserver.mail.inbound.synonyms import Wordbook, alike, any_of, synonyms
from turnserver.text import say, with_texts

_HARMLESS = classes(lambda one: one.harmless)
_ASKABLE = classes(lambda one: one.harmless or one.askable)
_OF_TURNS = ("move", "preview")
_NAMING = ("challenge", "substitute")
_WITH_WORDS = (("say", phrases.Say), ("note", phrases.Note))
_UNDOING = ("undo", "correct")
_EXTRA_WORDS = 2
_MISSPELLED_WORDS = 2
_LONGEST_MISSPELLED = 12
_MOST_BEGUN = 6
_KEYBOARD: dict[str, str | None] = {
    # letters, digits and marks of East Asian keyboards are as wide as their characters
    **{chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)},
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u00b4`", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300c\u300d", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63", "-"),
    "\u3002": ".",
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufe0f\ufeff", None),
}
_PLAIN = str.maketrans(_KEYBOARD)
"""A table for `str.translate`: replaces wide letters, quotes and hyphens by those of a keyboard, and drops invisible characters."""

_LINE = 6
"""The cost of comparing a line with every command, in units of `Effort`."""

MAX_LINE = 1_000
"""The number of characters of a line that are read."""

_BULLET = re.compile(r"\A[-*\u2022] ")
_NUMBER = re.compile(r"\A\(?[0-9]{1,2}[.)] (?=.)")
_DIGIT = re.compile("[0-9]")
_EDGES = "*_~'\" "
_ENDS = ".!,; "


class Found(NamedTuple):
    """A line that is a command. `book` is the wordbook of its language, None for English."""

    line: str
    phrase: phrases.Phrase
    book: Wordbook | None = None


class Near(NamedTuple):
    """A line that is nearly something that would change a game. `phrase` is that command, as far as it is known."""

    line: str
    suggestion: str | None
    phrase: phrases.Phrase | None


class Prose(NamedTuple):
    """A line of conversation. `suggestion` is a line to write instead, if the line begins like a command."""

    line: str
    suggestion: str | None


Read: TypeAlias = Found | Near | Prose


class Vocabulary(NamedTuple):
    """The meaning of words in the context of a mail; see `turnserver.mail.inbound.understanding.understand`.

    `leagues` are the names of all leagues. `league` is the name of the league whose mail is answered, or empty.
    """

    is_move: Trials
    games: frozenset[str]
    lucky: bool
    resembles: Callable[[str], bool] | None
    leagues: Iterable[str] = frozenset()
    league: str = ""


def read_line(line: str, vocabulary: Vocabulary) -> Read | None:
    """Read one line. Return None if there is no word in it. Raise NotAllowed when the effort for its mail is used up."""
    vocabulary.is_move.effort.spend(_LINE)
    # before the line is tidied: words stay as they were written
    for command, kind in _WITH_WORDS:
        if told := _words_pattern(command).match(line):
            return Found(line, kind(told["text"]), synonyms().read(f"{told['word']}:").book)
    clean = tidy(line)
    text = clean.rstrip("?" + _EDGES + _ENDS)
    if not any(letter.isalnum() for letter in text):
        return None
    english, book, _ = synonyms().read(text)
    # a move in the words of the game counts as it stands, even if a language has a command like it; behind a command stand moves too
    if book is None or vocabulary.is_move(text.partition(";")[0]):
        return _judged(line, text, vocabulary, asks=clean.endswith("?"))
    word, _, rest = english.partition(" ")
    if word.rstrip(":") in _OF_TURNS and rest and not _may_be_turn(rest, vocabulary):
        return spoken(Prose(line, with_move(word.rstrip(":"))), book)
    return spoken(_judged(line, english, vocabulary, asks=clean.endswith("?")), book)


def _judged(line: str, text: str, vocabulary: Vocabulary, *, asks: bool) -> Read:
    """Read the `text`, which is the line in English. If the line `asks`, it ended in a question mark."""
    phrase = _phrase(text, vocabulary)
    if phrase is None:
        return _about_league(line, text, vocabulary) or _guess(line, text, vocabulary)
    return Near(line, _not_asked(phrase), phrase) if asks and not isinstance(phrase, _ASKABLE) else Found(line, phrase)


def _not_asked(phrase: phrases.Phrase) -> str:
    """Return the line to write instead of a question: words behind `accept` may be those of the question, and a move alone may be talk."""
    if isinstance(phrase, phrases.Move):
        return f"move {phrase.text}"
    return "accept" if isinstance(phrase, phrases.Accept) else str(phrase)


def _may_be_turn(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether the text behind a word for moving is a turn, or a misspelled one.

    In another language this word may begin a sentence.
    """
    if vocabulary.is_move(text) or (vocabulary.resembles and (vocabulary.resembles(text) or as_steps(text, vocabulary.is_move))):
        return True
    return len(text.split()) <= _MISSPELLED_WORDS and any(letter.isdigit() for letter in text)


def spoken(item: Read, book: Wordbook | None) -> Read:
    """Return the item for a line in another language: with this wordbook, or with its suggestion in that language."""
    if book is None:
        return item
    if isinstance(item, Found):
        return item._replace(book=book)
    return item if item.suggestion is None else item._replace(suggestion=with_texts(item.suggestion, book.in_words))


def with_move(word: str) -> str:
    """Return the usage of a command that takes a move."""
    return say("{word} <your move>", word=word)


def with_words(word: str) -> str:
    """Return the usage of a command that takes words."""
    return say("{word} <words>", word=word)


def with_days(word: str) -> str:
    """Return the usage of a command that takes days, with an example: people write them in many ways."""
    return say("{word} <first day> to <last day>, as in {word} 1 July to 14 July", word=word)


def with_time(word: str) -> str:
    """Return the usage of a command that takes a time."""
    return say("{word} <time>", word=word)


def command_begun(line: str) -> MailCommand | None:
    """Return the command with whose word a line begins, in any language, also where only its colon is missing. None for a long line."""
    text = tidy(line)
    read = synonyms().read(text)
    if read.book is None and (near := synonyms().nearly(text)) is not None and near.sure:
        read = near
    word = read.text.partition(" ")[0].casefold().rstrip(_EDGES + ":")
    word = phrases.naming_word(read.text) or word
    # `Bye Ada` takes leave of us
    if len(text.split()) > _MOST_BEGUN or (word == "bye" and read.book is None):
        return None
    return next((one for one in COMMANDS if one.word == word), None)


def tells(line: str) -> bool:
    """Return whether a line tells the others something, as `say Well played!` does."""
    return _words_pattern("say").match(line) is not None


def notes(line: str) -> bool:
    """Return whether a line keeps a note, as `note Watch their corner.` does."""
    return _words_pattern("note").match(line) is not None


@cache
def _words_pattern(command: str) -> re.Pattern[str]:
    """Return the pattern of a line that is a command and words that stay as they were written, in any language."""
    bare, marked = map(any_of, synonyms().first_words(command))
    with_colon = f"|(?:{marked})(?=[*_]{{0,2}}:)" if marked else ""
    words = f"(?P<word>{bare}{with_colon})"
    return re.compile(rf"[*_]{{0,2}}{words}[*_]{{0,2}}(?::|\s)[*_]{{0,2}}\s*(?P<text>.*)", re.IGNORECASE | re.DOTALL)


def plain(line: str) -> str:
    """Return the line without a bullet, with single spaces, and with the letters and marks of a keyboard."""
    text = " ".join(line.translate(_PLAIN).split())
    return _BULLET.sub("", text)


def tidy(line: str) -> str:
    """Return the line as `plain` does, without its number in a list, and without decoration and punctuation at its ends."""
    return _NUMBER.sub("", plain(line)).lstrip(_EDGES).rstrip(_EDGES + _ENDS)


def _phrase(text: str, vocabulary: Vocabulary) -> phrases.Phrase | None:
    """Return the phrase that a whole line is, or None."""
    fixed = LINES.get(text.casefold())
    if fixed is not None:
        return fixed
    first, _, rest = text.partition(" ")
    word, argument = first.casefold().rstrip(_EDGES + ":"), rest.strip(_EDGES)
    # the second step in `preview d3; d4` would make a turn of the line
    if word not in (*_OF_TURNS, *_UNDOING) and (turn := _turn(text, vocabulary)):
        return phrases.Move(turn)
    if league := phrases.read_naming(text, vocabulary.leagues, vocabulary.league):
        return league
    if direction := read_direction(text):
        return direction
    if vocabulary.lucky and word == "accept" and argument:
        return phrases.Accept(argument)
    if word in _UNDOING and (turn := _turn(argument, vocabulary)):
        return phrases.Undo(turn)
    if first.casefold() == "challenge" and (ladder := _on_ladder(argument, vocabulary)):
        return ladder
    if vocabulary.resembles and word in _OF_TURNS:
        argument = as_steps(argument, vocabulary.is_move) or argument
    read_argument = READERS.get(word)
    return read_argument(argument, vocabulary.games) if read_argument and argument else None


def _turn(text: str, vocabulary: Vocabulary) -> str | None:
    steps = as_steps(text, vocabulary.is_move) if vocabulary.resembles else None
    return steps or (text if vocabulary.is_move(text) else None)


def less_word(text: str) -> str:
    """Return the turn in a line such as `move d3`, `preview d3` or `undo d3`. Return any other line as it is."""
    first, _, rest = synonyms().read(text).text.partition(" ")
    return rest if first.casefold().rstrip(_EDGES + ":") in (*_OF_TURNS, *_UNDOING) else text


def _on_ladder(argument: str, vocabulary: Vocabulary) -> phrases.Challenge | None:
    """Read `Bob in league-3`. Return None if no league or no name is in it."""
    who, _, where = argument.rpartition(" in ")
    league = phrases.named_league(where, vocabulary.leagues)
    name = who.strip(_EDGES)
    return phrases.Challenge((name,), league=league) if league is not None and name else None


def _guess(line: str, text: str, vocabulary: Vocabulary, *, sure: bool = True) -> Read:
    """Guess the meaning of a line that is no phrase.

    Unless `sure`, the first word of the `text` is only similar to the word that was written.
    """
    first, _, rest = text.partition(" ")
    if first.casefold() == "i" and rest:
        first, _, rest = rest.partition(" ")
    word = first.casefold().rstrip(_EDGES + _ENDS + ":")
    meant = word if word in GUESSED else _alike(word)
    if word in ("say", "give"):
        return Prose(line, with_words("say") if word == "say" else with_time("give") if _DIGIT.search(rest) else None)
    if (word in FORGETTING or _alike(word, FORGETTING)) and _alike(rest.casefold().split(" ")[-1], ("plan",)):
        return Near(line, "forget plan", phrases.Forget())
    if word == "set" or (meant is None and _alike(word, ("set",))):
        return _setting(line, rest, sure=sure)
    if meant is None:
        foreign = synonyms().nearly(text) if sure else None
        if foreign is not None and foreign.book is not None:
            return spoken(_nearly(line, foreign.text, vocabulary, sure=foreign.sure), foreign.book)
        return Prose(line, word if rest and vocabulary.is_move(word) else None)
    exact = sure and meant == word
    if meant in _NAMING:
        return _named(line, meant, rest, exact=exact)
    if meant in _OF_TURNS:
        turn = phrases.Move(rest) if meant == "move" else phrases.Preview(rest)
        return Near(line, f"{meant} {rest}", turn) if vocabulary.is_move(rest) else Prose(line, with_move(meant) if exact else None)
    return _with_argument(line, meant, rest, vocabulary, exact=exact)


def _with_argument(line: str, meant: str, rest: str, vocabulary: Vocabulary, *, exact: bool) -> Near | Prose:
    """Guess the meaning of a line that begins with, or nearly with, a command. The `rest` of it may be what its words should be."""
    phrase, read = LINES[meant], READERS.get(meant)
    found = read(rest, vocabulary.games) if read and rest and not exact else None
    if found is not None and not isinstance(found, _HARMLESS):
        return Near(line, f"{meant} {rest}", found)
    if meant == "vacation" and rest and not rest.casefold().startswith("off"):
        meant = with_days(meant)
    elif meant == "pause" and rest:
        # alone, it proposes a pause of another length
        meant = with_time(meant)
    if len(rest.split()) > (_EXTRA_WORDS if exact else 0):
        return Prose(line, meant if exact else None)
    return Prose(line, meant) if isinstance(phrase, _HARMLESS) else Near(line, meant, phrase)


def _about_league(line: str, text: str, vocabulary: Vocabulary) -> Near | Prose | None:
    """Suggest a command about a league, if a line begins like one or nearly names one. Return None for any other line."""
    direction = nearly_direction(text)
    if direction is not None:
        return Prose(line, direction[0]) if direction[1] is None else Near(line, *direction)
    near = phrases.nearly_naming(text, vocabulary.leagues)
    if near is not None:
        return Near(line, *near)
    begun = phrases.naming_word(text)
    word, _, confirmed = text.partition(" ")
    if word.casefold().rstrip(":") == "confirm" and phrases.naming_word(confirmed) == "leave":
        return Prose(line, say("{word} <league>", word="confirm leave"))
    if begun is None:
        return None
    return Prose(line, None if " " in text else say("{word} <league>", word=begun))


def _nearly(line: str, text: str, vocabulary: Vocabulary, *, sure: bool) -> Read:
    """Guess the meaning of a line in another language. If `sure`, the line lacks only a colon behind its first word."""
    word, _, rest = text.partition(" ")
    if sure and word == "accept" and vocabulary.lucky and rest:
        return Near(line, text, phrases.Accept(rest))
    return _guess(line, text, vocabulary, sure=sure)


def _named(line: str, word: str, rest: str, *, exact: bool) -> Near | Prose:
    """Guess the meaning of a line that begins with, or nearly with, a command that names a player."""
    if word == "substitute" and rest and (exact or len(rest.split()) > phrases.MOST_WORDS):
        return Prose(line, None)
    usage = say("{word} <player> <game>", word=word) if word == "challenge" else say("{word} <player>", word=word)
    return Near(line, f"{word} {rest}" if rest and not exact else usage, None)


def _setting(line: str, rest: str, *, sure: bool) -> Near | Prose:
    """Guess the meaning of a line that begins like `set`."""
    name, value = name_and_value(rest)
    meant = name if name in phrases.SETTABLE else _alike(name, phrases.SETTABLE) or synonyms().argument_like("set", name)
    meant = meant if meant in phrases.SETTABLE else None
    if meant is None or not value:
        return Near(line, "settings", None) if not value and (sure or meant) else Prose(line, None)
    return Near(line, f"set {meant} {value}", phrases.Set(meant, value))


def _alike(word: str, known: Sequence[str] = GUESSED) -> str | None:
    # comparing takes long for long words, and no command is that long
    return alike(word, known) if len(word) <= _LONGEST_MISSPELLED else None
