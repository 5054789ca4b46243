"""What players, admins and the service itself may ask of a league, in the imperative.

What has to be known about players comes with a command: `ratings` are what they have in the league's game now. The instant of the decision
comes to `decide` beside the command.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from turnserver.ids import Burden, GameId, PlayerId
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Settings


@dataclass(frozen=True, slots=True)
class OpenLeague:
    """Set up a league. Its game and options, and how games are clocked (`time`, empty for what is usual), have been looked at."""

    name: str
    game: str
    options: Mapping[str, str | int | bool]
    settings: Settings
    time: str = ""


@dataclass(frozen=True, slots=True)
class ChangeSettings:
    """Have the next seasons played by other settings, all of them given anew, and clocked otherwise if `time` is not None."""

    settings: Settings
    reason: str
    time: str | None = None


@dataclass(frozen=True, slots=True)
class AnnounceSeason:
    """Let players enter, until an instant, or until an admin says so; the season starts when entries have ended, or later at `starts_at`.

    With a start and no end of entries, they are open as long as can be.
    """

    entries_until: datetime | None = None
    ratings: Mapping[PlayerId, float] = field(default_factory=dict)
    starts_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Enter:
    """Enter a player; on a ladder also while the season runs.

    `in_time` is the part of his turns that he plays in time, in percent, None if nothing is known. An admin enters whom he likes, whatever
    the conditions are.
    """

    player: PlayerId
    rating: float
    in_time: int | None = None
    by_admin: bool = False


@dataclass(frozen=True, slots=True)
class Confirm:
    """Say that one is there."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Leave the season, before it begins or later."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class StartSeason:
    """End the entries now: begin the ready check if there is to be one, or else, or after that, the season."""

    ratings: Mapping[PlayerId, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DropSeason:
    """Call off a season that has not begun."""

    reason: str


@dataclass(frozen=True, slots=True)
class CheckLeague:
    """Do everything that is due. `turns` say who has the turn in games that are not over, `left` who has left those of more than two."""

    ratings: Mapping[PlayerId, float] = field(default_factory=dict)
    turns: Mapping[GameId, PlayerId] = field(default_factory=dict)
    left: Mapping[GameId, frozenset[PlayerId]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Remind:
    """Remind now whoever has not finished his games, of a division or of all; the rounds do not remind him once more by themselves."""

    division: str | None = None


@dataclass(frozen=True, slots=True)
class Challenge:
    """Play for the place of an opponent who stands higher on a ladder."""

    player: PlayerId
    opponent: PlayerId


@dataclass(frozen=True, slots=True)
class AttachGame:
    """The game of a meeting was opened."""

    meeting: int
    game: GameId


@dataclass(frozen=True, slots=True)
class CarryResult:
    """The game of a meeting ended `at` an instant: what it was to each player, in their order, and `places` where more than two play.

    `verdicts.ended` says what a game has come to.
    """

    meeting: int
    marks: tuple[Mark, ...]
    at: datetime
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ReopenResult:
    """The game of a meeting goes on after all."""

    meeting: int


@dataclass(frozen=True, slots=True)
class SetResult:
    """An admin says what a meeting came to, whether or not it has a result already, and even if the season is over.

    Where more than two play there are `places` besides, from which `verdicts.by_places` makes marks.
    """

    meeting: int
    marks: tuple[Mark, ...]
    reason: str
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SubstitutePlayer:
    """Have somebody else play on in the place of a player, or let the player himself come back into his place.

    Without a `substitute`, it is the first of the waiting list. `rating` is whose rating the running games count for.
    """

    player: PlayerId
    substitute: PlayerId | None
    rating: Burden
    reason: str


@dataclass(frozen=True, slots=True)
class DecidePlayoff:
    """What came of a playoff: those who were tied, the best first."""

    division: str
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class CloseSeason:
    """End a season early: what is not over has no result."""

    reason: str


@dataclass(frozen=True, slots=True)
class ReopenSeason:
    """Go on with a season that was closed too early.

    What the closing left without a result is open again. Its games were annulled with it, so there are new ones.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class Penalize:
    """Take points from a player in the table, whole ones or halves, in exact text; negative ones give back what was taken."""

    player: PlayerId
    points: str
    reason: str


@dataclass(frozen=True, slots=True)
class MovePlayer:
    """Have a player in another tier next season than the tables say."""

    player: PlayerId
    tier: int
    reason: str


@dataclass(frozen=True, slots=True)
class BarPair:
    """Let two players not meet, from the next round on that is paired; or, if `barred` is False, let them meet again."""

    players: tuple[PlayerId, PlayerId]
    barred: bool = field(default=True, kw_only=True)


LeagueCommand: TypeAlias = (
    ChangeSettings
    | AnnounceSeason
    | Enter
    | Confirm
    | Withdraw
    | StartSeason
    | DropSeason
    | CheckLeague
    | Remind
    | Challenge
    | AttachGame
    | CarryResult
    | ReopenResult
    | SetResult
    | SubstitutePlayer
    | DecidePlayoff
    | CloseSeason
    | ReopenSeason
    | Penalize
    | MovePlayer
    | BarPair
)
Command: TypeAlias = OpenLeague | LeagueCommand
