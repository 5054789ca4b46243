"""What one line of a player's says: a phrase, nearly one, or conversation.

A command is a whole line. Case, spacing, trailing full stops and exclamation marks, markdown's asterisks, curly quotes and invisible
characters are forgiven; a wrong letter is not: what is nearly a command is handed back with a suggestion and never carried out.
Everything else is conversation. Time is linear in the length of the line.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from turnserver.mail.inbound import phrases, time_phrases
from turnserver.mail.inbound.phrases import (
    SETTABLE,
    Accept,
    Challenge,
    Clock,
    Confirm,
    Decline,
    Draw,
    Forget,
    Games,
    Help,
    History,
    Leagues,
    Move,
    Phrase,
    Plan,
    Preview,
    Resend,
    Resign,
    Rules,
    Say,
    Set,
    Settings,
    Show,
    Subscribe,
    Substitute,
    Table,
    Undo,
    Unsubscribe,
    canonical,
)
from turnserver.mail.inbound.steps import Trials, as_steps
from turnserver.mail.inbound.synonyms import Wordbook, alike, synonyms
from turnserver.mail.inbound.time_phrases import Pause
from turnserver.text import say, with_texts

_FORGETTING = ("forget", "delete", "cancel", "drop")
_FIXED: dict[str, Phrase] = {
    **dict.fromkeys(("preview", "preview turn", "preview the turn", "preview my turn"), Preview("")),
    **dict.fromkeys(("plan", "my plan", "show plan", "show the plan", "show my plan"), Plan()),
    **{f"{verb} {article}plan": Forget() for verb in _FORGETTING for article in ("", "the ", "my ")},
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
    **phrases.FIXED,
    **time_phrases.FIXED,
}
_HARMLESS = (Plan, Show, History, Clock, Games, Leagues, Table, Resend, Rules, Help, Settings)
_ASKABLE = (Draw, Pause, Challenge, Substitute, Preview, *_HARMLESS)
_WORDS = (
    "move",
    "preview",
    "plan",
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
    "substitute",
    "challenge",
    "show",
    "history",
    "clock",
    "games",
    "leagues",
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
_NAMING = ("challenge", "substitute")
_UNDOING = ("undo", "correct")
_EXTRA_WORDS = 2
_MISSPELLED_WORDS = 2
_LONGEST_MISSPELLED = 12
PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys(
            "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufe0f\ufeff", None
        ),
    }
)
"""For `str.translate`: quotes and hyphens as a keyboard has them, and nothing that cannot be seen."""

_LINE = 6
"""What it costs to compare a line with every command there is, in units of `Effort`."""

MAX_LINE = 1_000
"""Of a line, how many characters are read."""

_BULLETS = ("- ", "* ", "\u2022 ")
_EDGES = "*_~'\" "
_ENDS = ".!,; "
_TIME = re.compile(r"(?:^|[ ,])time ?[=:]", re.IGNORECASE)
_AND = re.compile(r" ?(?:,|&|\band\b) ?", re.IGNORECASE)


class Found(NamedTuple):
    """A command; `book` is that of the language that it is written in, None for English."""

    line: str
    phrase: Phrase
    book: Wordbook | None = None


class Near(NamedTuple):
    """Nearly something that would change a game; `phrase` is what, as far as it can be told."""

    line: str
    suggestion: str | None
    phrase: Phrase | None


class Prose(NamedTuple):
    """Conversation, and a line to write instead if it begins like a command."""

    line: str
    suggestion: str | None


Read: TypeAlias = Found | Near | Prose


class Vocabulary(NamedTuple):
    """What words mean where a mail is read; see `turnserver.mail.inbound.understanding.understand`.

    `leagues` are the names of those that there are, and `league` is what the one is called whose mail is answered.
    """

    is_move: Trials
    games: frozenset[str]
    lucky: bool
    resembles: Callable[[str], bool] | None
    leagues: frozenset[str] = frozenset()
    league: str = ""


def read_line(line: str, vocabulary: Vocabulary) -> Read | None:
    """What one line is; None if there is no word in it."""
    vocabulary.is_move.effort.spend(_LINE)
    said = _say_pattern().match(line)
    if said:
        return Found(line, Say(said["text"]), synonyms().read(f"{said['word']}:").book)
    clean = tidy(line)
    text = clean.rstrip("?" + _EDGES + _ENDS)
    if not any(letter.isalnum() for letter in text):
        return None
    english, book, _ = synonyms().read(text)
    if book is None or vocabulary.is_move(text):
        return _judged(line, text, vocabulary, asks=clean.endswith("?"))
    word, _, rest = english.partition(" ")
    if word.rstrip(":") in _OF_TURNS and rest and not _may_be_turn(rest, vocabulary):
        return spoken(Prose(line, with_move(word.rstrip(":"))), book)
    return spoken(_judged(line, english, vocabulary, asks=clean.endswith("?")), book)


def _judged(line: str, text: str, vocabulary: Vocabulary, *, asks: bool) -> Read:
    """What a line is whose `text`, in English, `asks` for something if it ended in a question mark."""
    phrase = _phrase(text, vocabulary)
    if phrase is None:
        return _about_league(line, text, vocabulary) or _guess(line, text, vocabulary)
    return Near(line, canonical(phrase), phrase) if asks and not isinstance(phrase, _ASKABLE) else Found(line, phrase)


def _may_be_turn(text: str, vocabulary: Vocabulary) -> bool:
    """Whether text behind a word for moving, which in another language may begin a sentence, is a turn, or a misspelled one."""
    if vocabulary.is_move(text) or (vocabulary.resembles and (vocabulary.resembles(text) or as_steps(text, vocabulary.is_move))):
        return True
    return len(text.split()) <= _MISSPELLED_WORDS and any(letter.isdigit() for letter in text)


def spoken(item: Read, book: Wordbook | None) -> Read:
    """The same about a line in another language: so is what is suggested."""
    if book is None:
        return item
    if isinstance(item, Found):
        return item._replace(book=book)
    return item if item.suggestion is None else item._replace(suggestion=with_texts(item.suggestion, book.in_words))


def with_move(word: str) -> str:
    """How a command is written that a move stands behind."""
    return say("{word} <your move>", word=word)


def with_words(word: str) -> str:
    """How a command is written that words stand behind."""
    return say("{word} <words>", word=word)


@cache
def _say_pattern() -> re.Pattern[str]:
    """What a line begins with that tells the others something, in any language."""
    bare, marked = (sorted(words, key=len, reverse=True) for words in synonyms().first_words("say"))
    with_colon = f"|(?:{'|'.join(map(re.escape, marked))})(?=[*_]{{0,2}}:)" if marked else ""
    words = f"(?P<word>{'|'.join(map(re.escape, bare))}{with_colon})"
    return re.compile(rf"[*_]{{0,2}}{words}[*_]{{0,2}}(?::|\s)[*_]{{0,2}}\s*(?P<text>.*)", re.IGNORECASE | re.DOTALL)


def plain(line: str) -> str:
    """The line less a bullet before it, with single spaces, and quotes and hyphens as a keyboard has them."""
    text = " ".join(line.translate(PLAIN).split())
    for bullet in _BULLETS:
        text = text.removeprefix(bullet)
    return text


def tidy(line: str) -> str:
    """The line less decoration."""
    return plain(line).lstrip(_EDGES).rstrip(_EDGES + _ENDS)


def _phrase(text: str, vocabulary: Vocabulary) -> Phrase | None:
    """The phrase that a whole line is, or None."""
    fixed = _FIXED.get(text.casefold())
    if fixed is not None:
        return fixed
    if turn := _turn(text, vocabulary):
        return Move(turn)
    if league := phrases.read(text, vocabulary.leagues, vocabulary.league):
        return league
    first, _, rest = text.partition(" ")
    if vocabulary.lucky and first.casefold().rstrip(_EDGES + ":") == "accept" and rest.strip(_EDGES):
        return Accept(rest.strip(_EDGES))
    if first.casefold().rstrip(_EDGES + ":") in _UNDOING and (turn := _turn(rest.strip(_EDGES), vocabulary)):
        return Undo(turn)
    read_argument = _WITH_ARGUMENT.get(first.casefold().rstrip(_EDGES + ":"))
    argument = rest.strip(_EDGES)
    if first.casefold() == "challenge" and (ladder := _on_ladder(argument, vocabulary)):
        return ladder
    if vocabulary.resembles and read_argument in (_move, _preview):
        argument = as_steps(argument, vocabulary.is_move) or argument
    return read_argument(argument, vocabulary.games) if read_argument and argument else None


def _turn(text: str, vocabulary: Vocabulary) -> str | None:
    """Some text as a turn; None if it is none."""
    steps = as_steps(text, vocabulary.is_move) if vocabulary.resembles else None
    return steps or (text if vocabulary.is_move(text) else None)


def less_word(text: str) -> str:
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
    return Help(argument.casefold().rstrip(":")) if " " not in argument else None


def _show(argument: str, _games: frozenset[str]) -> Show | None:
    words = [word for word in argument.casefold().split() if word not in _SHOW_FILLERS]
    return Show(int(words[0])) if len(words) == 1 and _is_number(words[0]) else None


def _challenge(argument: str, games: frozenset[str]) -> Challenge | None:
    about, marked, time = _TIME.sub("\n", argument, count=1).partition("\n")
    about, time = about.strip(" ,"), synonyms().in_english("challenge", time.strip(" ,"))
    if marked and not time:
        return None
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


def _on_ladder(argument: str, vocabulary: Vocabulary) -> Challenge | None:
    """`Bob in league-3`."""
    who, _, where = argument.rpartition(" in ")
    league = phrases.named(where, vocabulary.leagues)
    name = who.strip(_EDGES)
    return Challenge((name,), league=league) if league is not None and name else None


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
    **phrases.WITH_ARGUMENT,
}


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 6


def _guess(line: str, text: str, vocabulary: Vocabulary, *, sure: bool = True) -> Read:
    """What a line that is no phrase may have been meant as. Unless `sure`, the first word of the `text` is only nearly what was written."""
    first, _, rest = text.partition(" ")
    if first.casefold() == "i" and rest:
        first, _, rest = rest.partition(" ")
    word = first.casefold().rstrip(_EDGES + _ENDS + ":")
    meant = word if word in _WORDS else _alike(word)
    if word == "say":
        return Prose(line, with_words("say"))
    if (word in _FORGETTING or _alike(word, _FORGETTING)) and _alike(rest.casefold().split(" ")[-1], ("plan",)):
        return Near(line, "forget plan", Forget())
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
        turn = Move(rest) if meant == "move" else Preview(rest)
        return Near(line, f"{meant} {rest}", turn) if vocabulary.is_move(rest) else Prose(line, with_move(meant) if exact else None)
    phrase = _FIXED[meant]
    if len(rest.split()) > (_EXTRA_WORDS if exact else 0):
        return Prose(line, meant if exact else None)
    return Prose(line, meant) if isinstance(phrase, _HARMLESS) else Near(line, meant, phrase)


def _about_league(line: str, text: str, vocabulary: Vocabulary) -> Near | Prose | None:
    """What a line may have been meant as that begins like a command about a league, or nearly names one; None for any other line."""
    near = phrases.nearly(text, vocabulary.leagues)
    if near is not None:
        return Near(line, *near)
    begun = phrases.begins_like_one(text)
    if begun is None:
        return None
    return Prose(line, None if " " in text else say("{word} <league>", word=begun))


def _nearly(line: str, text: str, vocabulary: Vocabulary, *, sure: bool) -> Read:
    """What a line may have been meant as that in another language is nearly a command; `sure`: it lacks only a colon behind its word."""
    word, _, rest = text.partition(" ")
    if sure and word == "accept" and vocabulary.lucky and rest:
        return Near(line, text, Accept(rest))
    return _guess(line, text, vocabulary, sure=sure)


def _named(line: str, word: str, rest: str, *, exact: bool) -> Near | Prose:
    """What a line that begins with a word that wants a player behind it, or nearly so, may have been meant as."""
    if word == "substitute" and rest and (exact or len(rest.split()) > phrases.MOST_WORDS):
        return Prose(line, None)
    usage = say("{word} <player> <game>", word=word) if word == "challenge" else say("{word} <player>", word=word)
    return Near(line, f"{word} {rest}" if rest and not exact else usage, None)


def _setting(line: str, rest: str, *, sure: bool) -> Near | Prose:
    """What a line that begins like `set` may have been meant to set."""
    name, value = _name_and_value(rest)
    meant = name if name in SETTABLE else _alike(name, SETTABLE) or synonyms().argument_like("set", name)
    meant = meant if meant in SETTABLE else None
    if meant is None or not value:
        return Near(line, "settings", None) if not value and (sure or meant) else Prose(line, None)
    return Near(line, f"set {meant} {value}", Set(meant, value))


def _alike(word: str, known: Sequence[str] = _WORDS) -> str | None:
    """See `alike`; a word with more letters than that is a misspelling of none."""
    return alike(word, known) if len(word) <= _LONGEST_MISSPELLED else None
