"""The current state of a league: the fold of its events."""

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
"""The instant that stands for an unknown one: earlier than any other."""


class Phase(StrEnum):
    """The stage of a season's life."""

    ENTRIES = "entries"
    READY_CHECK = "ready check"
    RUNNING = "running"
    CLOSED = "closed"


class Entry(msgspec.Struct, frozen=True):
    """A player who wants to be in a season. `ready` is True once they have confirmed that they are there."""

    player: PlayerId
    rating: float
    ready: bool = False


class Fixture(msgspec.Struct, frozen=True, kw_only=True):
    """A meeting of a season: its division, round, players and game, and its result: when, and who decided it.

    `marks` are empty, and `at` and `by` None, while there is no result; a bye has no instant either. `places` are those of a table of more
    than two. `remind_at` is None if nobody is to be reminded any more. `overdue`: an admin has been asked. `challenger` plays for the place
    of the other on a ladder. `resumed`: the game goes on after there was a result; then an admin decides about it, and not the deadline.
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
        """The encounter that tables are made from."""
        return Encounter(self.round, self.players, self.marks, self.places, self.game)

    @property
    def verdict(self) -> Verdict:
        """The result; without marks while there is none."""
        return Verdict(self.marks, self.places)


class Penalty(NamedTuple):
    """Points taken from a line of the table, or given back if they are negative, and the reason."""

    points: Fraction
    reason: str


class Season(msgspec.Struct, frozen=True, kw_only=True):
    """A season, from its announcement on. `entries` are in the order in which they came.

    `fixtures` are in the order of their numbers, so that number 1 is the first. `paired` is the latest paired round of each division.
    `withdrawn` have left since the start, in that order; the `struck` ones are in no table. `acting` are the present substitutes by the
    line they play for, and `acted` all who ever were. `penalties` are those of lines, one after another. `lots` and `playoffs` are, by
    division, players in the order that was given to them, the best first. `cup_lots` are those between two, by division, with the player
    who goes on. On a ladder, `climb` is its order and history, and `ended` says that there are no more challenges.
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
        """The players who are on the ladder now, the first at the top. Empty in any other format."""
        return self.climb.ladder.order if self.climb is not None else ()

    @property
    def began(self) -> datetime:
        """The instant at which a season that has begun did begin."""
        return self.started_at or EARLIEST

    def of(self, division: Division) -> tuple[Fixture, ...]:
        """Return the fixtures of a division."""
        return tuple(fixture for fixture in self.fixtures if fixture.division == division.name)

    def plays_as(self, player: PlayerId) -> PlayerId | None:
        """Return the line of the table that a player has now, their own or as a substitute. None if they have none, or have withdrawn."""
        lines = (line for division in self.divisions for line in division.players if line not in self.withdrawn)
        return next((line for line in lines if self.who(line) == player), None)

    def who(self, line: PlayerId) -> PlayerId:
        """Return the player who plays for a line of the table."""
        return self.acting.get(line, line)


class Coming(NamedTuple):
    """The settings of the next season, and the time control of its games."""

    settings: Settings
    time: str


class LeagueState(msgspec.Struct, frozen=True, kw_only=True):
    """A league after its first `version` events.

    `settings` and `time` are those of the season, over or not; `coming` those of the next one if they were changed since. `season` is the
    latest one, None before the first and after one that was dropped; `seasons` is how many were announced. `last` are the final tables of
    the last season that was played, and `ratings` the ratings with which its players entered. `moved` are the tiers that an admin has put
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
        """The settings of the next season, if nothing is changed any more."""
        return self.coming or Coming(self.settings, self.time)
