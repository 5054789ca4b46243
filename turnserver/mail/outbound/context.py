"""All that is needed to write one mail, gathered by the service at one moment: writing it asks nobody anything."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Protocol

from turnserver.config import Site
from turnserver.ids import GameId, LeagueId, PlayerId, Recorded
from turnserver.league.events import LeagueEvent
from turnserver.league.scoring.ratings import Rating
from turnserver.league.state import LeagueState
from turnserver.mail.outbound.language import ENGLISH
from turnserver.mail.outbound.notices.game import Detail, Kind
from turnserver.play.events import GameEvent
from turnserver.play.state import GameState


class Person(Protocol):
    """Who will read the mail. `zone` is an IANA time zone name."""

    @property
    def id(self) -> PlayerId | None:
        """The account, or None for an address without one."""

    @property
    def name(self) -> str:
        """What others call the person; empty for an address without an account."""

    @property
    def address(self) -> str:
        """Where the mail goes."""

    @property
    def zone(self) -> str:
        """The zone in which instants are shown."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """Somebody who wrote to us and has no account."""

    address: str
    zone: str = "UTC"
    name: str = ""
    id: PlayerId | None = None


@dataclass(frozen=True, slots=True)
class OwnGame:
    """One line of the list of a player's own games, with the address that answers to that game."""

    game_id: GameId
    state: GameState
    reply_to: str


DIGEST_DIGITS: Final = 16
"""How many digits of a hash mails print."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueOccasion:
    """A league as it was at some moment, for a mail about it.

    `events` are what the mail is about; they lead from `before`, which is None before the first of all, to `state`. `time` is the
    time control of its games, and `rating` what the reader has in its game, if the mail tells it. `digest` are the first digits of the
    hash of its history, as many as mails print.
    """

    league: LeagueId
    state: LeagueState
    before: LeagueState | None = None
    events: Sequence[LeagueEvent] = ()
    time: str = ""
    rating: Rating | None = None
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueGame:
    """Where a game belongs: the league's name, season and round, and the `division` if there are several."""

    league: str
    season: int
    round: int
    division: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """Something that a player may choose: its name, what holds, what it does, and lines that change it."""

    name: str
    value: str
    about: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """How a player wants his mails; without `html` there are no pictures.

    A picture has `picture_width` pixels and is shown at most `shown_width` wide: so it stays sharp on fine screens, and when enlarged.
    `language` is the key of one.
    """

    html: bool = True
    picture_width: int = 640
    shown_width: int = 520
    calendar: bool = False
    language: str = ENGLISH


@dataclass(frozen=True, slots=True)
class Unsubscribing:
    """Ways to get no more mail, for the mail program: a personal address, and an `https` address or nothing."""

    address: str
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """One mail to write.

    `state` is the game at the version of the notice and `history` its events up to there, both absent for mails that are not about a
    game. `people` names everybody at any table mentioned. `references` are the Message-IDs of the thread so far, oldest first. `shown` is
    the game at the last mail about it before, if there was one and the form has a calendar. `games` is needed by lists of own games only,
    `settings` and `subscribed` by the mails about them, and `parts` by the digest and by a vacation: one occasion for each of their games.
    `league` is needed by mails about one, `leagues` by the list of them; `league_game` says where the game belongs, if to a league.
    """

    kind: Kind
    person: Person
    site: Site
    now: datetime
    message_id: str
    reply_to: str
    detail: Detail = field(default_factory=dict)
    in_reply_to: str | None = None
    references: Sequence[str] = ()
    game_id: GameId | None = None
    state: GameState | None = None
    history: Sequence[Recorded[GameEvent]] = ()
    people: Mapping[PlayerId, str] = field(default_factory=dict)
    games: Sequence[OwnGame] = ()
    form: Form = Form()
    unsubscribing: Unsubscribing | None = None
    shown: GameState | None = None
    settings: Sequence[Setting] = ()
    subscribed: bool = True
    parts: "Sequence[Occasion]" = ()
    league: LeagueOccasion | None = None
    leagues: Sequence[LeagueOccasion] = ()
    league_game: LeagueGame | None = None
