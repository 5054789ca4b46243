"""What a league is right now: the fold of its events."""

from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from fractions import Fraction
from typing import Final, NamedTuple

import msgspec

from turnserver.ids import GameId, PlayerId, Version
from turnserver.league.events import DecidedBy, Division, FinalTable
from turnserver.league.formats.knockout import Lot
from turnserver.league.formats.ladder import Climb
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.record import Encounter, Verdict
from turnserver.league.settings import Settings

EARLIEST: Final = datetime(1, 1, 1, tzinfo=UTC)
"""When no instant is known: at once."""


class Phase(StrEnum):
    """Where a season is in its life."""

    ENTRIES = "entries"
    READY_CHECK = "ready check"
    RUNNING = "running"
    CLOSED = "closed"


class Entry(msgspec.Struct, frozen=True):
    """A player who wants to be in a season; `ready` when he has said that he is there."""

    player: PlayerId
    rating: float
    ready: bool = False


class Fixture(msgspec.Struct, frozen=True, kw_only=True):
    """A meeting of a season: who meets in which round of which division, in which game, and what came of it, when, and by whom.

    `marks` are empty, and `at` and `by` None, while there is no result; a bye has no instant either. `places` are those of a table of more
    than two. `remind_at` is None if nobody is to be reminded any more. `overdue`: an admin has been asked. `challenger` is who plays for
    the place of the other on a ladder. `resumed`: the game goes on after there was a result; then an admin, and not the deadline, decides
    about it.
    """

    number: int
    division: str
    round: int
    players: tuple[PlayerId, ...]
    deadline: datetime | None
    remind_at: datetime | None = None
    game: GameId | None = None
    marks: tuple[Mark, ...] = ()
    places: tuple[int, ...] = ()
    at: datetime | None = None
    by: DecidedBy | None = None
    overdue: bool = False
    resumed: bool = False
    challenger: PlayerId | None = None

    @property
    def encounter(self) -> Encounter:
        """What tables are made from."""
        return Encounter(self.round, self.players, self.marks, self.places, self.game)

    @property
    def verdict(self) -> Verdict:
        """What came of it; without marks if nothing has yet."""
        return Verdict(self.marks, self.places)


class Penalty(NamedTuple):
    """Points taken from a line of the table, or given back if they are negative, and why."""

    points: Fraction
    reason: str


class Season(msgspec.Struct, frozen=True, kw_only=True):
    """A season, from its announcement on. `entries` are in the order in which they came.

    `fixtures` are in the order of their numbers, so that number 1 is the first. `paired` is the latest round of each division that is.
    `withdrawn` have left since the start, in that order; those of them who are `struck` are in no table. `acting` are substitutes by whose
    line they play, and `acted` all who ever were. `penalties` are those of lines, one after another. `lots` and `playoffs` are, by
    division, players in the order that has been given to them, the best first. `cup_lots` are those between two, by division, and who goes
    on. On a ladder, `climb` is its order and how it came about, and `ended` says that there are no more challenges.
    """

    number: int
    commitment: str
    phase: Phase = Phase.ENTRIES
    entries_until: datetime | None
    starts_at: datetime | None = None
    ready_until: datetime | None = None
    started_at: datetime | None = None
    entries: tuple[Entry, ...] = ()
    divisions: tuple[Division, ...] = ()
    odd_first: bool = True
    fixtures: tuple[Fixture, ...] = ()
    paired: Mapping[str, int] = {}
    withdrawn: tuple[PlayerId, ...] = ()
    struck: frozenset[PlayerId] = frozenset()
    acting: Mapping[PlayerId, PlayerId] = {}
    acted: frozenset[PlayerId] = frozenset()
    penalties: Mapping[PlayerId, tuple[Penalty, ...]] = {}
    lots: Mapping[str, tuple[PlayerId, ...]] = {}
    cup_lots: Mapping[str, Mapping[Lot, PlayerId]] = {}
    playoffs: Mapping[str, tuple[tuple[PlayerId, ...], ...]] = {}
    climb: Climb | None = None
    ended: bool = False

    @property
    def order(self) -> tuple[PlayerId, ...]:
        """Those who are on the ladder now, the first at the top; nobody in any other format."""
        return self.climb.ladder.order if self.climb is not None else ()

    @property
    def began(self) -> datetime:
        """When a season that has begun did."""
        return self.started_at or EARLIEST

    def of(self, division: Division) -> tuple[Fixture, ...]:
        """The fixtures of a division."""
        return tuple(fixture for fixture in self.fixtures if fixture.division == division.name)

    def plays_as(self, player: PlayerId) -> PlayerId | None:
        """The line of the table that a player has now, himself or as a substitute; None if he has none, or has withdrawn."""
        lines = (line for division in self.divisions for line in division.players if line not in self.withdrawn)
        return next((line for line in lines if self.who(line) == player), None)

    def who(self, line: PlayerId) -> PlayerId:
        """Who plays for a line of the table."""
        return self.acting.get(line, line)


class Coming(NamedTuple):
    """What the next season is played with, and how its games are clocked."""

    settings: Settings
    time: str


class LeagueState(msgspec.Struct, frozen=True, kw_only=True):
    """A league after its first `version` events.

    `settings` and `time` are those of the season, over or not; `coming` those of the next one if they have been changed since.
    `season` is the latest one, None before the first and after one that was dropped; `seasons` is how many were announced. `last` are the
    final tables of the last one that was played, and `ratings` what its players entered with. `moved` are the tiers that an admin has put
    players in, for the next season. `barred` are the pairs who are not to meet.
    """

    version: Version
    name: str
    game: str
    options: dict[str, str | int | bool]
    time: str
    settings: Settings
    season: Season | None = None
    seasons: int = 0
    coming: Coming | None = None
    last: tuple[FinalTable, ...] = ()
    ratings: Mapping[PlayerId, float] = {}
    next_at: datetime | None = None
    moved: Mapping[PlayerId, int] = {}
    barred: frozenset[frozenset[PlayerId]] = frozenset()

    @property
    def for_next(self) -> Coming:
        """What the next season is going to be played with, if nothing is changed any more."""
        return self.coming or Coming(self.settings, self.time)
