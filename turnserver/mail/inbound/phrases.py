"""The phrases that players may write. Nothing here knows of games, accounts or mail programs."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from turnserver.mail.inbound.synonyms import alike, any_of, synonyms
from turnserver.mail.inbound.time_phrases import Give, TimeDeed, Vacation
from turnserver.mail.inbound.wording import Worded


def _of_round(number: int | None) -> str:
    return "" if number is None else f" round {number}"


@dataclass(frozen=True, slots=True)
class Join(Worded):
    """Enter the season of a league: `join league-3`."""

    league: str

    def __str__(self) -> str:
        return f"join {self.league}"


@dataclass(frozen=True, slots=True)
class Leave(Worded):
    """Leave the season of a league, before its start or later: `leave league-3`, or `confirm leave league-3` for one that has begun."""

    league: str
    confirmed: bool = False

    def __str__(self) -> str:
        return f"{'confirm ' if self.confirmed else ''}leave {self.league}"


@dataclass(frozen=True, slots=True)
class Ready(Worded):
    """Say that the sender is there, or plays after all in a round with a bye: `ready league-3`, `ready league-3 round 4`.

    It is a mere yes if they were `asked` whether they are there.
    """

    league: str
    round: int | None = None
    asked: bool = False

    def __str__(self) -> str:
        return f"ready {self.league}{_of_round(self.round)}"


@dataclass(frozen=True, slots=True)
class Bye(Worded):
    """Ask not to be paired in a round of a league, the next one if none is named: `bye league-3`, `bye league-3 round 4`.

    `bye league-3 0` and `bye league-3 0 round 4` are for no points in any case.
    """

    league: str
    worthless: bool = False
    round: int | None = None

    def __str__(self) -> str:
        return f"bye {self.league}{' 0' if self.worthless else ''}{_of_round(self.round)}"


@dataclass(frozen=True, slots=True)
class Table(Worded):
    """Send the standings of a league: `table league-3`, `league-3`."""

    league: str

    def __str__(self) -> str:
        return f"table {self.league}"


class Leagues(Worded):
    """List the leagues."""


@dataclass(frozen=True, slots=True)
class Direct(Worded):
    """Direct a league: `league-3 result 4 win-loss because Bob is away`. `act` is a key of `directions.ACTS`, with its `words`.

    `text` is the line as written. Whoever writes it needs a role in the league.
    """

    league: str
    act: str
    words: tuple[str, ...] = ()
    reason: str = ""
    text: str = field(default="", compare=False)

    def __str__(self) -> str:
        return self.text


LeagueDeed: TypeAlias = Join | Leave | Ready | Bye
LeagueQuestion: TypeAlias = Table | Leagues
Naming: TypeAlias = LeagueDeed | Table

WORDS: Final[Mapping[str, type[Naming]]] = MappingProxyType(
    {"join": Join, "enter": Join, "leave": Leave, "ready": Ready, "bye": Bye, "table": Table, "standings": Table, "league": Table}
)
"""The first words of commands about leagues. Our own mails use the name of the class that each means."""

_FILLERS: Final = frozenset({"the", "for", "from", "of", "in", "into"})
_EDGES: Final = "*_~'\"<>: "
_MISSPELLED: Final = re.compile(r"([^\W\d_]{3,10})[- #]?([0-9]{1,9})")
_LIKENESS: Final = 0.8
_LONGEST: Final = 60
_LAST_NUMBER: Final = re.compile("[1-9][0-9]{0,3}")


def read_naming(text: str, leagues: Iterable[str], answered: str) -> Naming | None:
    """Return the phrase that a whole line is, or None.

    `leagues` are the names of all leagues, in lower case. `answered` is the league whose mail is answered, empty if there is none.
    """
    alone = numbered_league(text)
    if alone is not None:
        return Table(alone)
    word, rest = _parted(text, leagues)
    if word == "confirm":
        leaving = read_naming(rest, leagues, answered)
        return replace(leaving, confirmed=True) if isinstance(leaving, Leave) else None
    kind = WORDS.get(word)
    if kind is None:
        return None
    if not rest:
        # `Bye` alone takes leave of us.
        return kind(answered) if answered and kind is not Bye else None
    rest, tail = _parted_tail(kind, rest, leagues)
    league = named_league(rest, leagues) or (f"league-{rest}" if rest.isascii() and rest.isdigit() and len(rest) < _DIGITS else None)
    return None if league is None else _named(kind, league, tail)


def nearly_naming(text: str, leagues: Iterable[str]) -> tuple[str, Naming] | None:
    """Return the command that a line may have been meant as, as text and as a phrase. None if there is none."""
    word, rest = _parted(text, leagues)
    meant = word if word in WORDS else alike(word, WORDS)
    if meant is None or len(text) > _LONGEST:
        return None
    rest, tail = _parted_tail(WORDS[meant], rest, leagues)
    before, _, last = rest.rpartition(" ")
    # a number alone may be meant as a round
    if WORDS[meant] in (Bye, Ready) and _LAST_NUMBER.fullmatch(last) and named_league(before, leagues) is not None:
        rest, tail = before, tail._replace(round=int(last))
    league = named_league(rest, leagues) or _nearly_named(rest, leagues)
    if league is None:
        return None
    phrase = _named(WORDS[meant], league, tail)
    return str(phrase), phrase


def named_league(text: str, leagues: Iterable[str]) -> str | None:
    """Return the league that some words name, by its number or by its whole name. None if there is none."""
    bare = " ".join(text.split()).strip(_EDGES)
    number = numbered_league(bare)
    return number if number is not None else bare if bare.casefold() in leagues else None


def numbered_league(text: str) -> str | None:
    """Return `league-3` for a text that is that, or nearly: `League 3`, `liga-3`. None for any other text."""
    found = _number().fullmatch(text.strip(_EDGES))
    return f"league-{int(found[1])}" if found else None


def naming_word(text: str) -> str | None:
    """Return our word for the command with which a line begins. None if it begins with none."""
    word, rest = _parted(text)
    takes_leave = WORDS.get(word) is Bye and not rest
    return WORDS[word].__name__.casefold() if word in WORDS and not takes_leave else None


_DIGITS: Final = 10


@cache
def _number() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of(synonyms().first_words('league')[0])})[- ]?#?([0-9]{{1,9}})", re.IGNORECASE)


def _parted(text: str, leagues: Iterable[str] = ()) -> tuple[str, str]:
    """Split a line into its first word in lower case and the words behind that, without fillers unless one begins the name of a league."""
    first, _, rest = text.partition(" ")
    word, words = first.casefold().strip(_EDGES), rest.strip(_EDGES).split()
    # no name is looked for in a line that is about no league
    names = leagues if word in WORDS else ()
    while len(words) > 1 and words[0].casefold() in _FILLERS and " ".join(words).casefold() not in names:
        del words[0]
    return word, " ".join(words)


class _Tail(NamedTuple):
    """The words behind a league: the 0 of a bye without points, and the round of a bye."""

    worthless: bool = False
    round: int | None = None


@cache
def _round() -> re.Pattern[str]:
    return re.compile(rf"(.+?),? (?:(?:in|for|für) )?(?:{any_of(synonyms().argument('direct', 'round'))}) #?([0-9]{{1,4}})", re.IGNORECASE)


def _parted_tail(kind: type[Naming], rest: str, leagues: Iterable[str]) -> tuple[str, _Tail]:
    """Part a league from the words behind it, unless they are part of its name."""
    tail = _Tail()
    while kind in (Bye, Ready) and named_league(rest, leagues) is None:
        league, _, last = rest.rpartition(" ")
        found = _round().fullmatch(rest)
        if found and tail.round is None:
            rest, tail = found[1], tail._replace(round=int(found[2]))
        elif kind is Bye and last == "0" and league and not tail.worthless:
            rest, tail = league, tail._replace(worthless=True)
        else:
            break
    return rest, tail


def _named(kind: type[Naming], league: str, tail: _Tail) -> Naming:
    if kind is Bye:
        return Bye(league, *tail)
    return Ready(league, tail.round) if kind is Ready else kind(league)


def _nearly_named(text: str, leagues: Iterable[str]) -> str | None:
    """Return the league that some words nearly name, or None."""
    found = _MISSPELLED.fullmatch(text)
    if found and alike(found[1].casefold(), synonyms().first_words("league")[0]):
        return f"league-{int(found[2])}"
    return next(iter(get_close_matches(text.casefold(), leagues, 1, _LIKENESS)), None) if len(text) <= _LONGEST else None


MOST_WORDS: Final = 4
"""The largest number of words in a name. A longer text is a sentence that begins with a command by chance."""


@dataclass(frozen=True, slots=True)
class Substitute(Worded):
    """Propose that somebody, named in any way, takes a seat over: `substitute Carl`. Without a name, withdraw the proposal."""

    name: str | None = None

    def __str__(self) -> str:
        return f"substitute {self.name or 'off'}"


def read_substitute(argument: str, _games: frozenset[str]) -> Substitute | None:
    """Read `Carl` or `off`."""
    if argument.casefold() in synonyms().argument("substitute", "off"):
        return Substitute()
    return Substitute(argument) if len(argument.split()) <= MOST_WORDS else None


@dataclass(frozen=True, slots=True)
class Move(Worded):
    """Play a turn: `move d3`, or a line that reads as a move. The text is as written, without decoration."""

    text: str

    def __str__(self) -> str:
        return self.text.replace("\n", " / ")


@dataclass(frozen=True, slots=True)
class Preview(Worded):
    """Show the result of a turn, without playing it: `preview d3`, or `preview` above or below the lines of the turn."""

    text: str

    def __str__(self) -> str:
        return " ".join(["preview", *self.text.split("\n")])


@dataclass(frozen=True, slots=True)
class If(Worded):
    """Answer turns that the opponent has yet to play: a plan, in the words of `turnserver.play.conditional_moves`."""

    text: str

    def __str__(self) -> str:
        return " ".join(self.text.split())


class Plan(Worded):
    """Show the sender's plan."""


class Forget(Worded):
    """Drop the plan, so that no future turn of the opponent is answered: `forget plan`."""

    def __str__(self) -> str:
        return "forget plan"


class Resign(Worded):
    """Ask to give the game up. The answer says how to confirm it."""


class Confirm(Worded):
    """Give the game up: `confirm resign`."""

    def __str__(self) -> str:
        return "confirm resign"


@dataclass(frozen=True, slots=True)
class Undo(Worded):
    """Take one's last turn back, or ask the others to agree to it: `undo`. `undo d3` also plays that move."""

    text: str = ""

    def __str__(self) -> str:
        return " ".join(["undo", *self.text.split("\n")]).rstrip()


class Draw(Worded):
    """Offer a draw."""


@dataclass(frozen=True, slots=True)
class Accept(Worded):
    """Accept the invitation or the offer. `words` go into the chance of the game: `accept my lucky words`."""

    words: str = ""

    def __str__(self) -> str:
        return f"accept {self.words}".rstrip()


class Decline(Worded):
    """Decline the invitation or the offer."""


@dataclass(frozen=True, slots=True)
class Challenge(Worded):
    """Invite players, named in any way, to a game. `first` is whether the challenger wants the first seat. None leaves it to the lot.

    With a `league`, the game is for the opponent's place on its ladder: `challenge Bob in league-3`. `time` is in English words. `filling`
    are words such as `to a game of`, as written; the name of the last opponent may go on with some of them.
    """

    opponents: tuple[str, ...]
    game: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    time: str | None = None
    first: bool | None = None
    league: str = ""
    filling: tuple[str, ...] = ()
    time_as_written: str = field(default="", compare=False)

    def __str__(self) -> str:
        who = " and ".join(self.opponents)
        if self.league:
            return f"challenge {who} in {self.league}"
        options = [f"{name}={value}" for name, value in self.options]
        time = [] if self.time is None else [f"time={self.time}"]
        order = [] if self.first is None else ["first" if self.first else "second"]
        return " ".join(["challenge", who, *([self.game] if self.game else []), *options, *order, *time])


@dataclass(frozen=True, slots=True)
class Show(Worded):
    """Show the board as it is, or as it was after a turn."""

    turn: int | None = None

    def __str__(self) -> str:
        return "show" if self.turn is None else f"show turn {self.turn}"


class History(Worded):
    """Send the whole game so far."""


class Clock(Worded):
    """Explain the deadline of the pending turn."""


class Games(Worded):
    """List the sender's games."""


class Resend(Worded):
    """Send every mail again that waits for the sender."""


@dataclass(frozen=True, slots=True)
class Rules(Worded):
    """Send the rules of a game, by default the one that the mail is about."""

    game: str | None = None

    def __str__(self) -> str:
        return f"rules {self.game or ''}".rstrip()


@dataclass(frozen=True, slots=True)
class Help(Worded):
    """Send the list of commands, or the explanation of one of them."""

    topic: str | None = None

    def __str__(self) -> str:
        return f"help {self.topic or ''}".rstrip()


class Settings(Worded):
    """Show the sender's settings."""


@dataclass(frozen=True, slots=True)
class Set(Worded):
    """Change one of the sender's settings: `set digest 18:00`. The name is one of `SETTABLE`."""

    name: str
    value: str

    def __str__(self) -> str:
        return f"set {self.name} {self.value}"


class Unsubscribe(Worded):
    """Send no more mail except answers."""


class Subscribe(Worded):
    """Send mail again."""


@dataclass(frozen=True, slots=True)
class Say(Worded):
    """Send a text to the others of the game."""

    text: str

    def __str__(self) -> str:
        return f"say {self.text}"


@dataclass(frozen=True, slots=True)
class Note(Worded):
    """Keep a text for oneself, with the turn that is answered: `note their corner is weak`."""

    text: str

    def __str__(self) -> str:
        return f"note {self.text}"


class Notes(Worded):
    """List the sender's notes of the game."""


class Publish(Worded):
    """Add the sender's notes to the record of a game that is over: `publish notes`."""

    def __str__(self) -> str:
        return "publish notes"


class Hide(Worded):
    """Take the sender's notes out of the record again: `hide notes`."""

    def __str__(self) -> str:
        return "hide notes"


@dataclass(frozen=True, slots=True)
class Claim(Worded):
    """Ask the admin to decide the game because the opponent does not move: `claim`. If `off`, take that back."""

    off: bool = False

    def __str__(self) -> str:
        return "claim off" if self.off else "claim"


Deed: TypeAlias = Claim | Move | If | Forget | Undo | Confirm | Draw | TimeDeed | Accept | Decline
"""Commands that change the game that the mail is about."""

Question: TypeAlias = Resign | Preview | Plan | Show | History | Clock | Games | Notes | Resend | Rules | Help | Settings
"""Questions that are answered by mail and change nothing."""

Choice: TypeAlias = Set | Unsubscribe | Subscribe
"""Commands that change how the sender gets mail."""

Noting: TypeAlias = Note | Publish | Hide
"""Commands about the sender's own notes."""

Phrase: TypeAlias = (
    Deed | Substitute | Give | Challenge | LeagueDeed | Direct | LeagueQuestion | Question | Choice | Vacation | Say | Noting
)

SETTABLE: Final = ("language", "zone", "mail", "board", "digest", "quiet", "reminders", "calendar", "receipts", "subjects", "public")
"""The settings that `set` can change."""
