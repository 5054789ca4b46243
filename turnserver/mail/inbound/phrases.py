"""What players may write: the phrases that lines of text become. Nothing here knows of games, accounts or mail programs."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import Final, TypeAlias, assert_never

from turnserver.mail.inbound import time_phrases
from turnserver.mail.inbound.synonyms import alike, synonyms
from turnserver.mail.inbound.time_phrases import Nudge, Pause, Reopen, Resume, TimeDeed, Vacation


@dataclass(frozen=True, slots=True)
class Join:
    """Enter the season of a league: `join league-3`."""

    league: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave it, before its start or later: `leave league-3`."""

    league: str


@dataclass(frozen=True, slots=True)
class Ready:
    """Say that one is there: `ready league-3`."""

    league: str


@dataclass(frozen=True, slots=True)
class Table:
    """Send how a league stands: `table league-3`, `league-3`."""

    league: str


@dataclass(frozen=True, slots=True)
class Leagues:
    """List the leagues."""


LeagueDeed: TypeAlias = Join | Leave | Ready
LeagueQuestion: TypeAlias = Table | Leagues
Naming: TypeAlias = LeagueDeed | Table

WORDS: Final[Mapping[str, type[Naming]]] = MappingProxyType(
    {"join": Join, "enter": Join, "leave": Leave, "ready": Ready, "table": Table, "standings": Table, "league": Table}
)
"""The first words; those of our own mails are the names of what they mean."""

_FILLERS: Final = frozenset({"the", "for", "from", "of", "in", "into"})
_EDGES: Final = "*_~'\"<>: "
_MISSPELLED: Final = re.compile(r"([^\W\d_]{3,10})[- #]?([0-9]{1,9})")
_LIKENESS: Final = 0.8
_LONGEST: Final = 60


def read(text: str, leagues: Collection[str], answered: str) -> Naming | None:
    """The phrase that a whole line is.

    `leagues` are the names of those that there are, in lower case; `answered` is the one whose mail is answered, empty if it is none's.
    """
    alone = numbered(text)
    if alone is not None:
        return Table(alone)
    word, rest = _parted(text)
    kind = WORDS.get(word)
    if kind is None:
        return None
    if not rest:
        return kind(answered) if answered else None
    league = named(rest, leagues) or (f"league-{rest}" if rest.isascii() and rest.isdigit() and len(rest) < _DIGITS else None)
    return None if league is None else kind(league)


def nearly(text: str, leagues: Collection[str]) -> tuple[str, Naming] | None:
    """What a line may have been meant as that is no phrase: what to write, and what that is."""
    word, rest = _parted(text)
    meant = word if word in WORDS else alike(word, WORDS)
    if meant is None or len(text) > _LONGEST:
        return None
    league = named(rest, leagues) or _nearly_named(rest, leagues)
    if league is None:
        return None
    return f"{WORDS[meant].__name__.casefold()} {league}", WORDS[meant](league)


def named(text: str, leagues: Collection[str]) -> str | None:
    """The league that some words name, by its number or by its whole name."""
    bare = " ".join(text.split()).strip(_EDGES)
    number = numbered(bare)
    return number if number is not None else bare if bare.casefold() in leagues else None


def numbered(text: str) -> str | None:
    """`league-3` for a text that is that, or nearly: `League 3`, `liga-3`."""
    found = _number().fullmatch(text.strip(_EDGES))
    return f"league-{int(found[1])}" if found else None


def begins_like_one(text: str) -> str | None:
    """The word of ours that a line begins with; None if it begins with none."""
    word, _ = _parted(text)
    return WORDS[word].__name__.casefold() if word in WORDS else None


def written_naming(phrase: Naming) -> str:
    """The phrase as its writer may have put it."""
    return f"{type(phrase).__name__.casefold()} {phrase.league}"


_DIGITS: Final = 10


@cache
def _number() -> re.Pattern[str]:
    words = sorted(synonyms().first_words("league")[0], key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(re.escape, words))})[- ]?#?([0-9]{{1,9}})", re.IGNORECASE)


def _parted(text: str) -> tuple[str, str]:
    """The first word in lower case, and what stands behind it, less words that mean nothing there."""
    first, _, rest = text.partition(" ")
    words = rest.strip(_EDGES).split()
    while len(words) > 1 and words[0].casefold() in _FILLERS:
        del words[0]
    return first.casefold().strip(_EDGES), " ".join(words)


def _nearly_named(text: str, leagues: Collection[str]) -> str | None:
    """The league that some words nearly name."""
    found = _MISSPELLED.fullmatch(text)
    if found and alike(found[1].casefold(), synonyms().first_words("league")[0]):
        return f"league-{int(found[2])}"
    return next(iter(get_close_matches(text.casefold(), leagues, 1, _LIKENESS)), None) if len(text) <= _LONGEST else None


MOST_WORDS: Final = 4
"""A name of more words is a sentence that begins with one of ours."""


@dataclass(frozen=True, slots=True)
class Substitute:
    """Propose to ask somebody, named in any way, to take a seat over: `substitute Carl`; without a name, want nobody any more."""

    name: str | None = None


def written_seat(phrase: Substitute) -> str:
    """The phrase as its writer may have put it."""
    return f"substitute {phrase.name or 'off'}"


def read_substitute(argument: str, _games: frozenset[str]) -> Substitute | None:
    """`Carl`, `off`."""
    if argument.casefold() in synonyms().argument("substitute", "off"):
        return Substitute()
    return Substitute(argument) if len(argument.split()) <= MOST_WORDS else None


@dataclass(frozen=True, slots=True)
class Move:
    """Play a turn: `move d3`, or a line that reads as a move. The text is as written, less decoration."""

    text: str


@dataclass(frozen=True, slots=True)
class Preview:
    """Show what a turn comes to, without playing it: `preview d3`, or `preview` above or below the lines of the turn."""

    text: str


@dataclass(frozen=True, slots=True)
class If:
    """Answer turns that the opponent has yet to play: a plan, in the words of `turnserver.play.conditional_moves`."""

    text: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Show the plan that there is."""


@dataclass(frozen=True, slots=True)
class Forget:
    """Answer nothing any more that the opponent has yet to play: `forget plan`."""


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
    """Invite players, named in any way, to a game. `first` is whether the challenger wants the first seat; None leaves it to the lot.

    With a `league`, one of them is to play for his place on its ladder: `challenge Bob in league-3`.
    """

    opponents: tuple[str, ...]
    game: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    time: str | None = None
    first: bool | None = None
    league: str = ""


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


Deed: TypeAlias = Move | If | Forget | Undo | Confirm | Draw | TimeDeed | Accept | Decline
"""What changes the game that the mail is about."""

Question: TypeAlias = Resign | Preview | Plan | Show | History | Clock | Games | Resend | Rules | Help | Settings
"""What is answered by mail and changes nothing."""

Choice: TypeAlias = Set | Unsubscribe | Subscribe
"""What changes how the sender gets his mail."""

Phrase: TypeAlias = Deed | Substitute | Challenge | LeagueDeed | LeagueQuestion | Question | Choice | Vacation | Say

SETTABLE: tuple[str, ...] = ("language", "zone", "mail", "board", "digest", "quiet", "reminders", "calendar")
"""What `set` can be followed by."""


def written(phrase: Phrase) -> str:  # noqa: C901, PLR0912  # one branch a phrase
    """The phrase as its writer may have put it, for quoting it back."""
    match phrase:
        case Accept(words=words):
            return f"accept {words}".rstrip()
        case Pause() | Vacation():
            return time_phrases.written(phrase)
        case Join() | Leave() | Ready() | Table():
            return written_naming(phrase)
        case Substitute():
            return written_seat(phrase)
        case Undo(text=text):
            return " ".join(["undo", *text.split("\n")]).rstrip()
        case Confirm():
            return "confirm resign"
        case Forget():
            return "forget plan"
        case If(text=text):
            return " ".join(text.split())
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
            if phrase.league:
                return f"challenge {who} in {phrase.league}"
            return " ".join(["challenge", who, *([phrase.game] if phrase.game else []), *options, *order, *time])
        case (
            Draw()
            | Resume()
            | Nudge()
            | Reopen()
            | Decline()
            | Leagues()
            | Resign()
            | Plan()
            | Show()
            | History()
            | Clock()
            | Games()
            | Resend()
            | Rules()
            | Help()
            | Settings()
            | Unsubscribe()
            | Subscribe()
        ):
            return type(phrase).__name__.lower()
        case _:
            assert_never(phrase)


def canonical(phrase: Phrase) -> str:
    """The phrase as a line that is it and nothing else; of most, the first word."""
    if isinstance(phrase, Move):
        return f"move {phrase.text}"
    whole = isinstance(phrase, Set | Pause | Vacation | Confirm | Undo | Forget | Substitute | Join | Leave | Ready | Table)
    return written(phrase) if whole else type(phrase).__name__.lower()
