"""The current state of a league: the fold of its events."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from fractions import Fraction
from typing import Final, NamedTuple

import msgspec

from turnserver.ids import GameId, PlayerId, Version
from turnserver.league.events import DecidedBy, Division, FinalTable, Role
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
    """A meeting of a season: its division, round, players and game, and its result: when, and who decided it."""

    number: int
    division: str
    round: int
    players: tuple[PlayerId, ...]
    deadline: datetime | None
    # None if nobody is to be reminded any more
    remind_at: datetime | None = None
    game: GameId | None = None
    # empty while there is no result
    marks: tuple[Mark, ...] = ()
    # only at a table of more than two
    places: tuple[int, ...] = ()
    # None while there is no result, and for a bye
    at: datetime | None = None
    # None while there is no result
    by: DecidedBy | None = None
    # an admin has been asked
    overdue: bool = False
    # the game goes on after there was a result; then an admin decides about it, and not the deadline
    resumed: bool = False
    # on a ladder, the player who plays for the place of the other
    challenger: PlayerId | None = None
    # the points of a bye that its player asked for
    worth: Fraction | None = None
    # it is no meeting any more: its round, its divisions or an entry was undone
    void: bool = False
    # it is over, and no meeting as long as its players are in different divisions
    parted: bool = False
    # its game waits for a director, until when, or without an end
    held: bool = False
    held_until: datetime | None = None

    @property
    def encounter(self) -> Encounter:
        """The encounter that tables are made from."""
        return Encounter(self.round, self.players, self.marks, self.places, self.game, self.worth)

    @property
    def verdict(self) -> Verdict:
        """The result; without marks while there is none."""
        return Verdict(self.marks, self.places)


class Penalty(NamedTuple):
    """Points taken from a line of the table, or given back if they are negative, and the reason."""

    points: Fraction
    reason: str


class Season(msgspec.Struct, frozen=True, kw_only=True):
    """A season, from its announcement on."""

    number: int
    commitment: str
    phase: Phase = Phase.ENTRIES
    entries_until: datetime | None
    starts_at: datetime | None = None
    ready_until: datetime | None = None
    started_at: datetime | None = None
    # in the order in which they came
    entries: tuple[Entry, ...] = ()
    divisions: tuple[Division, ...] = ()
    odd_first: bool = True
    # in the order of their numbers, so that number 1 is the first
    fixtures: tuple[Fixture, ...] = ()
    # the latest paired round of each division
    paired: Mapping[str, int] = {}
    # the players who have left since the start, in that order
    withdrawn: tuple[PlayerId, ...] = ()
    # those of the withdrawn who are in no table
    struck: frozenset[PlayerId] = frozenset()
    # the present substitutes, by the line they play for
    acting: Mapping[PlayerId, PlayerId] = {}
    # the lines that came when the season had begun, in that order; on a ladder that is nothing special
    late: tuple[PlayerId, ...] = ()
    # the byes that were asked for, by line and round, with their points
    byes: Mapping[tuple[PlayerId, int], Fraction] = {}
    # all who ever were substitutes
    acted: frozenset[PlayerId] = frozenset()
    # by line, one after another
    penalties: Mapping[PlayerId, tuple[Penalty, ...]] = {}
    # by division, the players in the order that lots gave them, the best first
    lots: Mapping[str, tuple[PlayerId, ...]] = {}
    # by division, the lots between two, with the player who goes on
    cup_lots: Mapping[str, Mapping[Lot, PlayerId]] = {}
    # by division, groups of players in the order of their playoff, the best first
    playoffs: Mapping[str, tuple[tuple[PlayerId, ...], ...]] = {}
    # the order of a ladder and its history
    climb: Climb | None = None
    # everything is played and the tables wait for a director, until when, or without an end
    tables_held: bool = False
    tables_held_until: datetime | None = None
    # a ladder takes no more challenges
    ended: bool = False
    # since when it is paused
    paused_at: datetime | None = None
    # how much later than planned its rounds begin: as long as it was paused, and as an admin has moved them
    later_by: timedelta = timedelta(0)
    # by the digest of an admin's words, the players who have had them
    told: Mapping[str, frozenset[PlayerId]] = {}
    # it is over without a table
    cancelled: bool = False

    @property
    def order(self) -> tuple[PlayerId, ...]:
        """The players who are on the ladder now, the first at the top. Empty in any other format."""
        return self.climb.ladder.order if self.climb is not None else ()

    @property
    def takes_entries(self) -> bool:
        """True if players may enter: before it starts, and on a ladder as long as it is played."""
        return self.phase is Phase.ENTRIES or (self.phase is Phase.RUNNING and self.climb is not None)

    @property
    def began(self) -> datetime:
        """The instant at which a season that has begun did begin."""
        return self.started_at or EARLIEST

    @property
    def reopened(self) -> tuple[Fixture, ...]:
        """The fixtures that had a result, and whose games go on again. A season that is over may have some."""
        return tuple(fixture for fixture in self.fixtures if fixture.resumed and not fixture.marks and not fixture.void)

    def of(self, division: Division) -> tuple[Fixture, ...]:
        """Return the fixtures of a division, without those that are none any more."""
        return tuple(fixture for fixture in self.fixtures if fixture.division == division.name and not fixture.void)

    def asks(self, player: PlayerId) -> bool:
        """Return whether a player who has entered is asked whether they will play, and has not answered."""
        return self.phase is Phase.READY_CHECK and any(one.player == player and not one.ready for one in self.entries)

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
    """A league after its first `version` events."""

    version: Version
    name: str
    game: str
    options: dict[str, str | int | bool]
    # the time control of the season, over or not; so are the settings
    time: str
    settings: Settings
    # the latest one; None before the first, and after one that was dropped
    season: Season | None = None
    # how many were announced
    seasons: int = 0
    # of the next season, if it was changed since
    coming: Coming | None = None
    # the final tables of the last season that was played
    last: tuple[FinalTable, ...] = ()
    # with which the players of the last season entered
    ratings: Mapping[PlayerId, float] = {}
    next_at: datetime | None = None
    # the tiers in which an admin has put players, for the next season
    moved: Mapping[PlayerId, int] = {}
    # it is in no list and on no page
    archived: bool = False
    # the pairs who are not to meet
    barred: frozenset[frozenset[PlayerId]] = frozenset()
    # the roles of players who direct the league; nobody is in it without one
    roles: Mapping[PlayerId, frozenset[Role]] = {}

    @property
    def for_next(self) -> Coming:
        """The settings of the next season, if nothing is changed any more."""
        return self.coming or Coming(self.settings, self.time)
