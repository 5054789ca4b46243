"""Commands to a league, from players, admins and the service itself, in the imperative.

A command carries the facts about players that a decision needs: `ratings` are their ratings in the league's game now. The instant of the
decision comes to `decide` beside the command.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeAlias

from turnserver.ids import Burden, GameId, PlayerId
from turnserver.league.events import Role
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Settings


@dataclass(frozen=True, slots=True)
class OpenLeague:
    """Set up a league. The caller has checked the game, its options and its time control (`time`, empty for the usual one)."""

    name: str
    game: str
    options: Mapping[str, str | int | bool]
    settings: Settings
    time: str = ""


@dataclass(frozen=True, slots=True)
class ChangeSettings:
    """Replace all settings of the next seasons. `time` replaces the time control unless it is None."""

    settings: Settings
    reason: str
    time: str | None = None


@dataclass(frozen=True, slots=True)
class RenameLeague:
    """Give the league another name. The caller has checked it."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class ArchiveLeague:
    """Take a league without an open season out of lists and pages. With `archived` False, bring it back."""

    reason: str
    archived: bool = field(default=True, kw_only=True)


@dataclass(frozen=True, slots=True)
class MoveSeason:
    """Move the dates of a season that has not begun, which are as in `AnnounceSeason`."""

    entries_until: datetime | None
    starts_at: datetime | None
    reason: str


@dataclass(frozen=True, slots=True)
class MoveRounds:
    """Let the rounds to come that have a date begin so much `later`, or the challenges of a ladder end; earlier if it is negative."""

    later: timedelta
    reason: str


@dataclass(frozen=True, slots=True)
class AnnounceSeason:
    """Open the entries, until an instant or until an admin ends them. The season starts at the end of entries, or at `starts_at`.

    With a start but no end of entries, they are open as long as possible.
    """

    entries_until: datetime | None = None
    ratings: Mapping[PlayerId, float] = field(default_factory=dict)
    starts_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Enter:
    """Enter a player; on a ladder also while the season runs.

    `in_time` is the percentage of turns that the player plays in time, None if nothing is known. An admin may enter anybody; conditions do
    not matter then.
    """

    player: PlayerId
    rating: float
    in_time: int | None = None
    by_admin: bool = False


@dataclass(frozen=True, slots=True)
class Confirm:
    """Confirm in the ready check that the player is there."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Leave the season, before it begins or later.

    On a ladder the challenges of the player have their results first, so that who challenged them has their place. Without `results_first`
    those came to nothing, as in logs from before that.
    """

    player: PlayerId
    results_first: bool = True


@dataclass(frozen=True, slots=True)
class ReturnPlayer:
    """Undo a withdrawal from a running season. `meetings` are those that it has decided and that are to be played after all.

    If they are None, those are played that still can be in time: their deadline has not passed, and no later round was paired by it.
    `missed` is True if meetings of rounds are added that were paired without the player, where everybody meets everybody.
    """

    player: PlayerId
    reason: str
    meetings: tuple[int, ...] | None = None
    missed: bool = True


class Past(StrEnum):
    """The treatment of the rounds that were paired before a player came.

    The player was `absent` and has no points, had a `bye` or a `half` point for each, `forfeit` them, or is to `play` them now. The last
    two are for leagues where everybody meets everybody, a half point for Swiss and McMahon events.
    """

    ABSENT = "absent"
    BYE = "bye"
    HALF = "half"
    FORFEIT = "forfeit"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class Divide:
    """Put players of a running season into other divisions of it, by name. A name such as `1.3`, of a tier that there is, makes a new one.

    A division that all have left is none any more.
    """

    moves: Mapping[PlayerId, str]
    reason: str


@dataclass(frozen=True, slots=True)
class AskBye:
    """Ask not to be paired in a round of a Swiss division, also before the season begins: the next one, if no `round` is named.

    `worth` says how many points the bye has, as exact text; players can only say "0". Without it, a player's first bye has as many as a
    draw, and every other, and that of the last round, has none.
    """

    player: PlayerId
    round: int | None = None
    worth: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DropBye:
    """Take back a bye that was asked for, of the next round that has one, if no `round` is named."""

    player: PlayerId
    round: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Admit:
    """Let a player into a running season, in a division or, without one, in the lowest and smallest. `rating` is their rating now."""

    player: PlayerId
    rating: float
    reason: str
    past: Past
    division: str | None = None


@dataclass(frozen=True, slots=True)
class UndoAdmission:
    """Take an entry into a running season back, as if it had not been; before the start, any entry."""

    player: PlayerId
    reason: str


@dataclass(frozen=True, slots=True)
class StartSeason:
    """End the entries now: begin the ready check if there is to be one; otherwise, or after it, begin the season.

    If `ask` is False, nobody is asked: everybody who has entered is in. A ready check that has begun ends.
    """

    ratings: Mapping[PlayerId, float] = field(default_factory=dict)
    ask: bool = field(default=True, kw_only=True)


@dataclass(frozen=True, slots=True)
class DropSeason:
    """Call off a season that has not begun."""

    reason: str


@dataclass(frozen=True, slots=True)
class CheckLeague:
    """Do everything that is due. `turns` are the players to move in running games, `left` those who have left games of more than two."""

    ratings: Mapping[PlayerId, float] = field(default_factory=dict)
    turns: Mapping[GameId, PlayerId] = field(default_factory=dict)
    left: Mapping[GameId, frozenset[PlayerId]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Remind:
    """Remind players now of their unfinished games, in one division or in all. The regular reminder of the round is then not sent."""

    division: str | None = None


@dataclass(frozen=True, slots=True)
class MoveDeadlines:
    """Move the deadlines of meetings that are not over, by their numbers. None takes a deadline away."""

    deadlines: Mapping[int, datetime | None]
    reason: str


@dataclass(frozen=True, slots=True)
class Challenge:
    """Challenge a player who stands higher on a ladder, for their place."""

    player: PlayerId
    opponent: PlayerId


@dataclass(frozen=True, slots=True)
class PairAgain:
    """Pair the latest round of a Swiss division anew, of which no game is over. `pairs` are wanted, and the others are paired as usual.

    Of each pair the first moves first; one alone has the bye.
    """

    division: str
    reason: str
    pairs: tuple[tuple[PlayerId, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Approve:
    """Director: let the games of held pairings begin, of a division, of a round or of all; without either, final tables stand, too."""

    division: str | None = None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class AttachGame:
    """Attach the game that was opened for a meeting."""

    meeting: int
    game: GameId


@dataclass(frozen=True, slots=True)
class CarryResult:
    """Record the end of a meeting's game `at` an instant: the marks of the players in their order, and `places` if more than two play.

    `scoring.record.ended` computes them.
    """

    meeting: int
    marks: tuple[Mark, ...]
    at: datetime
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ReopenResult:
    """Take back the result of a game that goes on after all."""

    meeting: int


@dataclass(frozen=True, slots=True)
class SetResult:
    """Admin: set the result of a meeting, whether or not it has one, and even if the season is over.

    If more than two play there are `places` too, from which `scoring.record.by_places` makes marks.
    """

    meeting: int
    marks: tuple[Mark, ...]
    reason: str
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SubstitutePlayer:
    """Let somebody else play on in the place of a player, or let the player come back to their place.

    Without a `substitute`, the first of the waiting list comes in. `rating` says whose rating the running games count for. A place whose
    player has withdrawn is filled: `meetings` and `missed` are as in `ReturnPlayer`.
    """

    player: PlayerId
    substitute: PlayerId | None
    rating: Burden
    reason: str
    meetings: tuple[int, ...] | None = None
    missed: bool = True


@dataclass(frozen=True, slots=True)
class DecidePlayoff:
    """Record the outcome of a playoff: the tied players, the best first."""

    division: str
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class CloseSeason:
    """End a season early. Unfinished games get no result."""

    reason: str


@dataclass(frozen=True, slots=True)
class PauseSeason:
    """Let nothing be due in a running season, and stop the clocks of its games, until it is resumed."""

    reason: str


@dataclass(frozen=True, slots=True)
class ResumeSeason:
    """Go on with a paused season. Deadlines are later by the length of the pause."""

    reason: str


@dataclass(frozen=True, slots=True)
class CancelSeason:
    """Call off a season that has begun. It has no table and no winner, and the next one follows the tables of the one before."""

    reason: str


@dataclass(frozen=True, slots=True)
class ReopenSeason:
    """Continue a season that was closed too early, or cancelled.

    Meetings that the closing left without a result are open again. Their games were annulled, so there are new ones.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class Penalize:
    """Take whole or half points from a player in the table, as exact text. Negative points give back earlier penalties."""

    player: PlayerId
    points: str
    reason: str


@dataclass(frozen=True, slots=True)
class MovePlayer:
    """Put a player into another tier next season than the tables say."""

    player: PlayerId
    tier: int
    reason: str


@dataclass(frozen=True, slots=True)
class BarPair:
    """Keep two players from meeting, from the next round that is paired. With `barred` False, let them meet again."""

    players: tuple[PlayerId, PlayerId]
    barred: bool = field(default=True, kw_only=True)


@dataclass(frozen=True, slots=True)
class SendWords:
    """Admin: write to all players of the season, or to those of a division, of a round, or of both. `digest` is that of the words."""

    digest: str
    division: str | None = None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class GiveRole:
    """Admin: let a player direct the league, as far as the role goes."""

    player: PlayerId
    role: Role
    reason: str


@dataclass(frozen=True, slots=True)
class TakeRole:
    """Admin: take a role from a player."""

    player: PlayerId
    role: Role
    reason: str


LeagueCommand: TypeAlias = (
    ChangeSettings
    | RenameLeague
    | ArchiveLeague
    | AnnounceSeason
    | MoveSeason
    | MoveRounds
    | Enter
    | Confirm
    | Withdraw
    | ReturnPlayer
    | Admit
    | UndoAdmission
    | Divide
    | AskBye
    | DropBye
    | StartSeason
    | DropSeason
    | CheckLeague
    | Remind
    | MoveDeadlines
    | PairAgain
    | Approve
    | Challenge
    | AttachGame
    | CarryResult
    | ReopenResult
    | SetResult
    | SubstitutePlayer
    | DecidePlayoff
    | CloseSeason
    | PauseSeason
    | ResumeSeason
    | CancelSeason
    | ReopenSeason
    | Penalize
    | MovePlayer
    | BarPair
    | SendWords
    | GiveRole
    | TakeRole
)
Command: TypeAlias = OpenLeague | LeagueCommand
