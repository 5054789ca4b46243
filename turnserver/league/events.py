"""Everything that can happen to a league, in the past tense.

Names and schema versions of `EVENT_TYPES` are as those of games: chosen for good. No event holds a name of a person, an address, or
anything that a player wrote, but the reason of a decision by somebody who directs the league.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from turnserver.ids import Burden, Digest, Event, EventType, GameId, Instant, PlayerId
from turnserver.league.divisions import Why
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Settings


class DecidedBy(StrEnum):
    """The origin of a result: the game itself, a withdrawal, the deadline of the round, an admin, or the end of the season.

    `barred`: two who are not to meet came together in a cup, and one of them went on without a game. `bracket`: after a correction, others
    meet in that round.
    """

    GAME = "game"
    WITHDRAWAL = "withdrawal"
    DEADLINE = "deadline"
    BARRED = "barred"
    BRACKET = "bracket"
    ADMIN = "admin"
    CLOSING = "closing"


class Role(StrEnum):
    """The part of a league that a player may direct: all of it, results and games, or players and mail to them."""

    DIRECTOR = "director"
    ARBITER = "arbiter"
    SECRETARY = "secretary"


class Division(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A division of a season. `players` are in pairing order; `start` are the points that each begins with, as exact text.

    `ratings` are what each had when the season began, by which players were put in order.
    """

    name: str
    tier: int
    players: tuple[PlayerId, ...]
    start: tuple[str, ...]
    ratings: tuple[float, ...]

    def with_line(self, player: PlayerId, place: int, start: str, rating: float) -> "Division":
        """Return the division with one player more, at that place of its pairing order, 1 being the first."""
        before, behind = slice(place - 1), slice(place - 1, None)
        return replace(
            self,
            players=(*self.players[before], player, *self.players[behind]),
            start=(*self.start[before], start, *self.start[behind]),
            ratings=(*self.ratings[before], rating, *self.ratings[behind]),
        )

    def without(self, line: PlayerId) -> "Division":
        """Return the division without a player; perhaps they were not in it."""
        kept = [at for at, player in enumerate(self.players) if player != line]
        players, start, ratings = (tuple(each[at] for at in kept) for each in (self.players, self.start, self.ratings))
        return replace(self, players=players, start=start, ratings=ratings)


class Meeting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The players who meet: the first moves first, one alone has a bye. Meetings are numbered through a season: 1, 2, ..."""

    number: int
    players: tuple[PlayerId, ...]


class FinalLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of a final table: the place, which several may share, and the player's points as exact text. `left`: they have withdrawn."""

    place: int
    player: PlayerId
    points: str
    left: bool = False


class Move(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The tier that a player was in last, and the one they are in now, None if in none; and why."""

    player: PlayerId
    why: Why
    before: int | None = None
    after: int | None = None


# Every event is of one kind, so that a match can name a kind where it treats all events of it alike.


class EntryEvent(Event, frozen=True):
    """A player enters, takes the entry back, or says that they are there."""


class SeasonEvent(Event, frozen=True):
    """A season comes, begins or ends, or its end is changed."""


class RoundEvent(Event, frozen=True):
    """A round is paired, its games are opened, or its time runs out."""


class ResultEvent(Event, frozen=True):
    """A meeting gets a result, another one, or none."""


class LadderEvent(Event, frozen=True):
    """A ladder moves."""


class PlaceEvent(Event, frozen=True):
    """A player's place in a table is left, taken over or penalised."""


class OrderEvent(Event, frozen=True):
    """An order that results leave open is decided."""


class SettingsEvent(Event, frozen=True):
    """A league is set up, or its settings change."""


class AdminEvent(Event, frozen=True):
    """A ruling of an admin for later pairings or seasons, words to players, or the rights of a director."""


class LeagueOpened(SettingsEvent, frozen=True):
    """A league was set up. `time` is how its games are clocked; empty for what is usual here."""

    name: str
    game: str
    options: dict[str, str | int | bool]
    time: str
    settings: Settings


class SettingsChanged(SettingsEvent, frozen=True):
    """Seasons are played otherwise from the next one on, or clocked otherwise. It is announced at `next_at`, if it does so by itself."""

    settings: Settings
    time: str
    next_at: Instant | None
    reason: str


class LeagueRenamed(SettingsEvent, frozen=True):
    """The league has this name from now on."""

    name: str
    reason: str


class LeagueArchived(SettingsEvent, frozen=True):
    """The league is in no list and on no page any more, and has no next season until it is brought back. Nothing is deleted."""

    reason: str


class LeagueUnarchived(SettingsEvent, frozen=True):
    """The league is in lists and on pages again. Its next season is announced by an admin."""

    reason: str


class SeasonAnnounced(SeasonEvent, frozen=True):
    """Players may enter; until when, or until an admin says so. `commitment` is the SHA-256 of the secret of its lots.

    The season starts when entries have ended, or at `starts_at`; a ready check, if there is one, is over then.
    """

    season: int
    entries_until: Instant | None
    commitment: Digest
    starts_at: Instant | None = None


class SeasonMoved(SeasonEvent, frozen=True):
    """A season that has not begun has other dates: the end of entries and the start, as in its announcement."""

    entries_until: Instant | None
    starts_at: Instant | None
    reason: str


class RoundsMoved(SeasonEvent, frozen=True):
    """Rounds to come that have a date, or the end of a ladder's challenges, are so many `seconds` later; earlier if they are negative."""

    seconds: int
    reason: str


class PlayerEntered(EntryEvent, frozen=True):
    """A player wants to be in the season. `rating` is what they had then."""

    player: PlayerId
    rating: float


class EntryWithdrawn(EntryEvent, frozen=True):
    """A player does not want to be in a season that has not begun."""

    player: PlayerId


class ReadyCheckBegun(SeasonEvent, frozen=True):
    """No more entries; everybody is asked whether they are there, those who wait too."""

    until: Instant


class PlayerReady(EntryEvent, frozen=True):
    """A player has said that they are there."""

    player: PlayerId


class SeasonDropped(SeasonEvent, frozen=True):
    """The season was not begun, because there were too few players or an admin did not want it."""

    reason: str


class SeasonStarted(SeasonEvent, frozen=True):
    """The season begins, with those who are in its divisions. `odd_first`: odd numbers move first if nothing else decides."""

    at: Instant
    divisions: tuple[Division, ...]
    moves: tuple[Move, ...]
    odd_first: bool


class SeasonDivided(SeasonEvent, frozen=True):
    """The divisions of a season that runs are these now. Meetings of players who are in one division stay, or count again; others are none.

    Games of the others that run end without a result.
    """

    divisions: tuple[Division, ...]
    reason: str


class RoundPaired(RoundEvent, frozen=True):
    """The pairs of a round of the division of that name, when they are to have played, and when whoever has not is reminded."""

    division: str
    round: int
    meetings: tuple[Meeting, ...]
    deadline: Instant | None
    remind_at: Instant | None = None


class AddedMeeting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A meeting of a round that was paired before: its number, its round, who meets, until when, and when they are reminded.

    `worth` are the points of a bye that was asked for, as exact text.
    """

    number: int
    round: int
    players: tuple[PlayerId, ...]
    deadline: Instant | None = None
    remind_at: Instant | None = None
    worth: str = ""


class MeetingsAdded(RoundEvent, frozen=True):
    """Rounds of the division of that name have these meetings besides, since somebody is there who was not when they were paired."""

    division: str
    meetings: tuple[AddedMeeting, ...]


class RoundUnpaired(RoundEvent, frozen=True):
    """An admin takes the latest round of the division of that name back. Its meetings are none any more, and their games end."""

    division: str
    round: int
    reason: str


class RoundHeld(RoundEvent, frozen=True):
    """The games of these meetings of a round do not begin before a director approves them, or before `approved_at`."""

    division: str
    round: int
    meetings: tuple[int, ...]
    approved_at: Instant | None = None


class RoundApproved(RoundEvent, frozen=True):
    """The games of these meetings of a round may begin: a director has approved them, or did not object in time."""

    division: str
    round: int
    meetings: tuple[int, ...]


class RoundReminded(RoundEvent, frozen=True):
    """Whoever has not finished these meetings of a round is reminded of its deadline."""

    division: str
    round: int
    meetings: tuple[int, ...]


class PlayerJoined(LadderEvent, frozen=True):
    """A player comes to a ladder while the season runs, for the first time or again, at the bottom. `rating` is what they had."""

    player: PlayerId
    rating: float
    at: Instant


class ChallengeMade(LadderEvent, frozen=True):
    """The `challenger` plays on a ladder for the place of the other of the `players`, of whom the first moves first.

    The `round` is the month of the season.
    """

    division: str
    round: int
    meeting: int
    players: tuple[PlayerId, PlayerId]
    challenger: PlayerId
    at: Instant
    deadline: Instant | None
    remind_at: Instant | None = None


class PlayersSunk(LadderEvent, frozen=True):
    """These have played nothing on a ladder for so long that each drops `at` this instant, and again after as long."""

    players: tuple[PlayerId, ...]
    at: Instant


class ChallengesEnded(LadderEvent, frozen=True):
    """The days of a ladder's season are over: there are no more challenges, and it ends with the last game."""

    at: Instant


class RoundOverdue(RoundEvent, frozen=True):
    """The deadline of a round has passed, and an admin has to decide these meetings."""

    division: str
    round: int
    meetings: tuple[int, ...]


class MovedDeadline(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The new deadline of a meeting, None for no deadline, and when whoever has not finished by then is reminded."""

    meeting: int
    deadline: Instant | None = None
    remind_at: Instant | None = None


class DeadlinesMoved(RoundEvent, frozen=True):
    """An admin has moved the deadlines of these meetings, also of some that were late already. Nobody decides those any more."""

    deadlines: tuple[MovedDeadline, ...]
    reason: str


class GameAttached(RoundEvent, frozen=True):
    """The game of a meeting was opened."""

    meeting: int
    game: GameId


class ResultRecorded(ResultEvent, frozen=True):
    """The result of a meeting for each player, in their order, and its instant. At a table of more than two, `places` are theirs."""

    meeting: int
    marks: tuple[Mark, ...]
    at: Instant
    by: DecidedBy
    reason: str = ""
    places: tuple[int, ...] = ()


class ResultCorrected(ResultEvent, frozen=True):
    """An admin has changed the result of a meeting. Who moved first stays. At a table of more than two, `places` are the players'."""

    meeting: int
    marks: tuple[Mark, ...]
    reason: str
    places: tuple[int, ...] = ()


class ResultReopened(ResultEvent, frozen=True):
    """The game of a meeting goes on after all: it has no result now."""

    meeting: int


class PlayerWithdrawn(PlaceEvent, frozen=True):
    """A player leaves a season that has begun. If they are `struck`, neither they nor their results are in the table any more."""

    player: PlayerId
    struck: bool
    at: Instant


class PlayerReturned(PlaceEvent, frozen=True):
    """A withdrawal is undone: the line of `player` is in the season again, and in the table with all results of finished games.

    These `meetings`, which the withdrawal has decided, are open again, each with a new game. The others stay as it has decided them.
    """

    player: PlayerId
    meetings: tuple[int, ...]
    reason: str


class PlayerAdmitted(PlaceEvent, frozen=True):
    """An admin lets a player into the division of that name while the season runs. `rating` is what they had.

    They stand at the `place` of its pairing order, 1 being the first, and begin with the points of `start`.
    """

    player: PlayerId
    rating: float
    division: str
    place: int
    start: str
    reason: str


class AdmissionUndone(PlaceEvent, frozen=True):
    """An entry into a season that had begun is undone: the player's line, byes and meetings are gone, and their open games end."""

    player: PlayerId
    reason: str


class ByeAsked(PlaceEvent, frozen=True):
    """A player is not to be paired in a round that is to come, and has so many points for it, as exact text."""

    player: PlayerId
    round: int
    worth: str
    reason: str = ""


class ByeDropped(PlaceEvent, frozen=True):
    """A player is to be paired in that round after all."""

    player: PlayerId
    round: int
    reason: str = ""


class PlayerSubstituted(PlaceEvent, frozen=True):
    """The `substitute` plays on in the place of `player`, whose line in the table they go on with."""

    player: PlayerId
    substitute: PlayerId
    rating: Burden
    reason: str


class PenaltyGiven(PlaceEvent, frozen=True):
    """So many points are taken from a line of the table, for the reason given; given back if they are negative."""

    player: PlayerId
    points: str
    reason: str


class LotsDrawn(OrderEvent, frozen=True):
    """Lots between players who are tied for a place: the best first.

    With a `round`, between two who have met in that round of a cup, and nobody has won: the first goes on.
    """

    division: str
    players: tuple[PlayerId, ...]
    round: int = 0


class PlayoffDecided(OrderEvent, frozen=True):
    """The order of a playoff between players who are tied for a place: the best first."""

    division: str
    players: tuple[PlayerId, ...]


class FinalTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The final table of the division of that name in its tier."""

    division: str
    tier: int
    lines: tuple[FinalLine, ...]


class SeasonClosed(SeasonEvent, frozen=True):
    """The season is over. `secret` is what its lots came from; the next one is announced at `next_at`, if it does so by itself."""

    tables: tuple[FinalTable, ...]
    secret: Digest
    next_at: Instant | None


class TablesHeld(SeasonEvent, frozen=True):
    """Everything is played. The season is over, and its tables are final, once a director approves them, or at `approved_at`."""

    approved_at: Instant | None = None


class SeasonPaused(SeasonEvent, frozen=True):
    """From this instant on nothing is due in the season, and the clocks of its games stand still."""

    at: Instant
    reason: str


class SeasonResumed(SeasonEvent, frozen=True):
    """The season goes on. Rounds that have a date begin later by the length of the pause."""

    at: Instant
    reason: str


class SeasonCancelled(SeasonEvent, frozen=True):
    """A season that has begun is called off: it has no table and no winner. `secret` is what its lots came from."""

    reason: str
    secret: Digest


class SeasonReopened(SeasonEvent, frozen=True):
    """The season goes on after all. These meetings, which its end has left without a result, are open again, each with a new game."""

    meetings: tuple[int, ...]
    reason: str


class TablesCorrected(SeasonEvent, frozen=True):
    """The final tables of a season that is over, after a result in it was corrected."""

    tables: tuple[FinalTable, ...]


class PlayerMoved(AdminEvent, frozen=True):
    """An admin puts a player into another tier than the tables say, when the next season begins."""

    player: PlayerId
    tier: int
    reason: str


class PairBarred(AdminEvent, frozen=True):
    """These two are not to meet from now on."""

    players: tuple[PlayerId, PlayerId]


class PairAllowed(AdminEvent, frozen=True):
    """These two may meet again."""

    players: tuple[PlayerId, PlayerId]


class WordsSent(AdminEvent, frozen=True):
    """An admin writes to these players: to all of the season, or to those of a `division` or of a `round`. `digest` is that of the words.

    It is the SHA-256 of their UTF-8, and the words themselves stand in the mails.
    """

    players: tuple[PlayerId, ...]
    digest: Digest
    division: str | None = None
    round: int | None = None


class RoleGiven(AdminEvent, frozen=True):
    """From now on this player may do for the league what the role allows."""

    player: PlayerId
    role: Role
    reason: str


class RoleTaken(AdminEvent, frozen=True):
    """From now on this player may no longer do what the role allows."""

    player: PlayerId
    role: Role
    reason: str


LeagueEvent: TypeAlias = (
    LeagueOpened
    | SettingsChanged
    | LeagueRenamed
    | LeagueArchived
    | LeagueUnarchived
    | SeasonAnnounced
    | SeasonMoved
    | RoundsMoved
    | PlayerEntered
    | EntryWithdrawn
    | ReadyCheckBegun
    | PlayerReady
    | SeasonDropped
    | SeasonStarted
    | SeasonDivided
    | RoundPaired
    | RoundUnpaired
    | MeetingsAdded
    | RoundHeld
    | RoundApproved
    | RoundReminded
    | PlayerJoined
    | ChallengeMade
    | PlayersSunk
    | ChallengesEnded
    | RoundOverdue
    | DeadlinesMoved
    | GameAttached
    | ResultRecorded
    | ResultCorrected
    | ResultReopened
    | PlayerWithdrawn
    | PlayerReturned
    | PlayerAdmitted
    | AdmissionUndone
    | ByeAsked
    | ByeDropped
    | PlayerSubstituted
    | PenaltyGiven
    | LotsDrawn
    | PlayoffDecided
    | TablesHeld
    | SeasonClosed
    | SeasonPaused
    | SeasonResumed
    | SeasonCancelled
    | SeasonReopened
    | TablesCorrected
    | PlayerMoved
    | WordsSent
    | PairBarred
    | PairAllowed
    | RoleGiven
    | RoleTaken
)


EVENT_TYPES: Mapping[type[Event], EventType] = MappingProxyType(
    {
        LeagueOpened: EventType("league.opened", 4),
        SettingsChanged: EventType("league.settings_changed", 4),
        LeagueRenamed: EventType("league.renamed", 1),
        LeagueArchived: EventType("league.archived", 1),
        LeagueUnarchived: EventType("league.unarchived", 1),
        SeasonAnnounced: EventType("league.season_announced", 1),
        SeasonMoved: EventType("league.season_moved", 1),
        RoundsMoved: EventType("league.rounds_moved", 1),
        PlayerEntered: EventType("league.player_entered", 1),
        EntryWithdrawn: EventType("league.entry_withdrawn", 1),
        ReadyCheckBegun: EventType("league.ready_check_begun", 1),
        PlayerReady: EventType("league.player_ready", 1),
        SeasonDropped: EventType("league.season_dropped", 1),
        SeasonStarted: EventType("league.season_started", 1),
        SeasonDivided: EventType("league.season_divided", 1),
        RoundPaired: EventType("league.round_paired", 1),
        RoundUnpaired: EventType("league.round_unpaired", 1),
        MeetingsAdded: EventType("league.meetings_added", 1),
        RoundHeld: EventType("league.round_held", 1),
        RoundApproved: EventType("league.round_approved", 1),
        RoundReminded: EventType("league.round_reminded", 1),
        PlayerJoined: EventType("league.player_joined", 1),
        ChallengeMade: EventType("league.challenge_made", 1),
        PlayersSunk: EventType("league.players_sunk", 1),
        ChallengesEnded: EventType("league.challenges_ended", 1),
        RoundOverdue: EventType("league.round_overdue", 1),
        DeadlinesMoved: EventType("league.deadlines_moved", 1),
        GameAttached: EventType("league.game_attached", 1),
        ResultRecorded: EventType("league.result_recorded", 1),
        ResultCorrected: EventType("league.result_corrected", 1),
        ResultReopened: EventType("league.result_reopened", 1),
        PlayerWithdrawn: EventType("league.player_withdrawn", 1),
        PlayerReturned: EventType("league.player_returned", 1),
        PlayerAdmitted: EventType("league.player_admitted", 1),
        AdmissionUndone: EventType("league.admission_undone", 1),
        ByeAsked: EventType("league.bye_asked", 1),
        ByeDropped: EventType("league.bye_dropped", 1),
        PlayerSubstituted: EventType("league.player_substituted", 1),
        PenaltyGiven: EventType("league.penalty_given", 1),
        LotsDrawn: EventType("league.lots_drawn", 1),
        PlayoffDecided: EventType("league.playoff_decided", 1),
        TablesHeld: EventType("league.tables_held", 1),
        SeasonClosed: EventType("league.season_closed", 1),
        SeasonPaused: EventType("league.season_paused", 1),
        SeasonResumed: EventType("league.season_resumed", 1),
        SeasonCancelled: EventType("league.season_cancelled", 1),
        SeasonReopened: EventType("league.season_reopened", 1),
        TablesCorrected: EventType("league.tables_corrected", 1),
        PlayerMoved: EventType("league.player_moved", 1),
        WordsSent: EventType("league.words_sent", 1),
        PairBarred: EventType("league.pair_barred", 1),
        PairAllowed: EventType("league.pair_allowed", 1),
        RoleGiven: EventType("league.role_given", 1),
        RoleTaken: EventType("league.role_taken", 1),
    }
)
