"""Everything that is needed to write one mail. The service gathers it at one moment, so that writing reads nothing else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Protocol

from turnserver.config import Site
from turnserver.ids import GameId, LeagueId, PlayerId, Recorded
from turnserver.league.events import LeagueEvent
from turnserver.league.scoring.ratings import Rating
from turnserver.league.state import LeagueState
from turnserver.mail.outbound.kinds import Detail, MailKind
from turnserver.mail.outbound.language import ENGLISH
from turnserver.play.events import GameEvent
from turnserver.play.state import GameState


class Person(Protocol):
    """The reader of the mail. `zone` is an IANA time zone name."""

    @property
    def id(self) -> PlayerId | None:
        """The account, or None for an address without one."""

    @property
    def name(self) -> str:
        """The name that others see; empty for an address without an account."""

    @property
    def address(self) -> str:
        """The address that the mail goes to."""

    @property
    def zone(self) -> str:
        """The zone in which instants are shown."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """A person without an account who wrote to us."""

    address: str
    zone: str = "UTC"
    name: str = ""
    id: PlayerId | None = None


@dataclass(frozen=True, slots=True)
class OwnGame:
    """One line of the list of a player's own games, with the address for answers to that game."""

    game_id: GameId
    state: GameState
    reply_to: str


@dataclass(frozen=True, slots=True)
class OwnNote:
    """A private note of the reader on a turn of the game that a mail is about."""

    turn: int
    text: str
    published: bool = False


DIGEST_DIGITS: Final = 16
"""The number of digits of a hash that mails print."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueContext:
    """A league at one moment, for a mail about it."""

    league: LeagueId
    state: LeagueState
    # None before the first event.
    before: LeagueState | None = None
    # The subject of the mail. The events lead from `before` to `state`.
    events: Sequence[LeagueEvent] = ()
    # The actors of these events, in their order.
    actors: Sequence[str] = ()
    # The events of the season up to `before`, since it began.
    earlier: Sequence[LeagueEvent] = ()
    # The time control of its games.
    time: str = ""
    # The reader's rating in its game, if the mail tells it.
    rating: Rating | None = None
    # The first digits of the hash of its history, as many as mails print.
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueGame:
    """The place of a game in a league: the league's name, season and round, and the `division` if there are several."""

    league: str
    season: int
    round: int
    division: str = ""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to change a setting: another value, and the line that sets it."""

    value: str
    line: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a player: the heading of its group, its name, its value, its meaning, and ways to change it."""

    group: str
    name: str
    value: str
    about: str
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """The form in which a player wants mails. Without `html` there are no pictures.

    A picture has `picture_width` pixels and is shown at most `shown_width` wide: so it stays sharp on fine screens, and when enlarged.
    `language` is the key of one. With `subjects`, the subject of a mail about a game ends in what the game wants of the reader.
    """

    html: bool = True
    picture_width: int = 640
    shown_width: int = 520
    calendar: bool = False
    language: str = ENGLISH
    subjects: bool = True


@dataclass(frozen=True, slots=True)
class Unsubscribing:
    """The ways to stop mail, for the mail program: a personal address, and an `https` address or nothing."""

    address: str
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailContext:
    """All that a mail is written from."""

    kind: MailKind
    person: Person
    site: Site
    now: datetime
    message_id: str
    reply_to: str
    detail: Detail = field(default_factory=dict)
    in_reply_to: str | None = None
    # The Message-IDs of the thread so far, oldest first.
    references: Sequence[str] = ()
    game_id: GameId | None = None
    # The game at the version of the notice, and its events up to there. Both are absent for mails that are not about a game.
    state: GameState | None = None
    history: Sequence[Recorded[GameEvent]] = ()
    # The names of everybody at any table mentioned.
    people: Mapping[PlayerId, str] = field(default_factory=dict)
    # Only lists of own games need these.
    games: Sequence[OwnGame] = ()
    form: Form = Form()
    unsubscribing: Unsubscribing | None = None
    # The game at the mail about it before this one, if there was one and the form has a calendar.
    shown: GameState | None = None
    # Only the mails about them need `settings` and `subscribed`.
    settings: Sequence[Setting] = ()
    subscribed: bool = True
    # The digest and a vacation have one context for each of their games.
    parts: "Sequence[MailContext]" = ()
    # Mails about a league need `league`, and the list of leagues needs `leagues`.
    league: LeagueContext | None = None
    leagues: Sequence[LeagueContext] = ()
    # The address of the reader's page of the game, of the page that signs them in, or of their calendar; empty if there is none.
    page: str = ""
    # The address that those of all pages begin with; empty if there are none.
    web: str = ""
    # The reader's notes of the game, oldest first.
    notes: Sequence[OwnNote] = ()
    # The place of the game in a league, if it belongs to one.
    league_game: LeagueGame | None = None


def unsent(kind: MailKind, person: Person, site: Site, now: datetime, language: str) -> MailContext:
    """Return the context of a mail that nobody gets, in a language and about nothing yet. Pages and calendars are made of it."""
    return MailContext(kind=kind, person=person, site=site, now=now, message_id="", reply_to="", form=Form(language=language))
