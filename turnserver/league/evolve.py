"""A league's state from its events. `evolve` never refuses: recorded events have happened."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from typing import TypeAlias, assert_never

from msgspec.structs import replace

from turnserver.errors import Malformed
from turnserver.ids import PlayerId, Version
from turnserver.league import events as e
from turnserver.league.formats.formats import rounds_due
from turnserver.league.formats.knockout import Lot
from turnserver.league.formats.ladder_decisions import OfLadder, as_ladder, climbed, on_ladder
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import FIXED
from turnserver.league.state import Coming, Entry, Fixture, LeagueState, Penalty, Phase, Season

OfLeague: TypeAlias = (
    e.SettingsChanged
    | e.LeagueRenamed
    | e.LeagueArchived
    | e.LeagueUnarchived
    | e.SeasonAnnounced
    | e.SeasonDropped
    | e.SeasonDivided
    | e.SeasonClosed
    | e.SeasonCancelled
    | e.SeasonReopened
    | e.TablesCorrected
    | e.PlayerMoved
    | e.WordsSent
    | e.PairBarred
    | e.PairAllowed
    | e.RoleGiven
    | e.RoleTaken
)
OfEntries: TypeAlias = e.PlayerEntered | e.EntryWithdrawn | e.ReadyCheckBegun | e.PlayerReady
OfFixtures: TypeAlias = (
    e.RoundPaired
    | e.RoundUnpaired
    | e.MeetingsAdded
    | e.RoundHeld
    | e.RoundApproved
    | e.RoundReminded
    | e.RoundOverdue
    | e.DeadlinesMoved
    | e.GameAttached
    | e.ResultRecorded
    | e.ResultCorrected
    | e.ResultReopened
)
OfSeason: TypeAlias = (
    e.SeasonStarted
    | e.PlayerWithdrawn
    | e.SeasonPaused
    | e.SeasonResumed
    | e.PlayerReturned
    | e.PlayerAdmitted
    | e.AdmissionUndone
    | e.ByeAsked
    | e.ByeDropped
    | e.PlayerSubstituted
    | e.PenaltyGiven
    | e.LotsDrawn
    | e.PlayoffDecided
    | e.SeasonMoved
    | e.RoundsMoved
    | e.TablesHeld
)


def fold(events: Iterable[e.LeagueEvent], state: LeagueState | None = None) -> LeagueState:
    """Return the state after `events`, beginning from `state` or from nothing. Raises Malformed if there is neither."""
    for event in events:
        state = evolve(state, event)
    if state is None:
        raise Malformed("a league's history is empty")
    return state


def evolve(state: LeagueState | None, event: e.LeagueEvent) -> LeagueState:
    """Return the state one event later.

    Raises Malformed for a history that doesn't begin with its only `league.opened`, and for an event about a season or a meeting that does
    not exist.
    """
    if isinstance(event, e.LeagueOpened):
        if state is not None:
            raise Malformed("a league's history holds a second league.opened")
        return LeagueState(
            version=Version(1), name=event.name, game=event.game, options=event.options, time=event.time, settings=event.settings
        )
    if state is None:
        raise Malformed(f"a league's history begins with {type(event).__name__} instead of league.opened")
    state = replace(state, version=Version(state.version + 1))
    if isinstance(event, OfLeague):
        return _league(state, event)
    season = _present(state, event)
    paused_at = season.paused_at
    season = on_ladder(season, event) if isinstance(event, OfLadder) else _season(season, event)
    if isinstance(event, e.SeasonStarted):
        return replace(state, moved={}, season=as_ladder(season, event, state.settings))
    return replace(state, season=climbed(season, event, paused_at))


def _present(state: LeagueState, event: e.LeagueEvent) -> Season:
    if state.season is None:
        raise Malformed(f"a league's history holds {type(event).__name__} while there is no season")
    return state.season


def _league(state: LeagueState, event: OfLeague) -> LeagueState:  # noqa: C901, PLR0912  # one branch an event
    match event:
        case e.SettingsChanged():
            return replace(state, coming=Coming(event.settings, event.time), next_at=event.next_at)
        case e.LeagueRenamed(name=name):
            return replace(state, name=name)
        case e.LeagueArchived():
            return replace(state, archived=True, next_at=None)
        case e.LeagueUnarchived():
            return replace(state, archived=False)
        case e.SeasonAnnounced():
            # a season keeps the settings that it was announced with; later changes wait in `coming`
            settings, time = state.for_next
            season = Season(number=event.season, commitment=event.commitment, entries_until=event.entries_until, starts_at=event.starts_at)
            return replace(state, settings=settings, time=time, coming=None, season=season, seasons=event.season, next_at=None)
        case e.SeasonDropped():
            return replace(state, season=None)
        case e.SeasonClosed():
            return _closed(state, event)
        case e.SeasonCancelled():
            return replace(state, season=replace(_present(state, event), phase=Phase.CLOSED, cancelled=True))
        case e.SeasonReopened():
            return _reopened(state, event)
        case e.SeasonDivided():
            return _divided(state, event)
        case e.TablesCorrected():
            return replace(state, last=event.tables)
        case e.PlayerMoved():
            return replace(state, moved={**state.moved, event.player: event.tier})
        case e.WordsSent():
            return _told(state, event)
        case e.PairBarred():
            return replace(state, barred=state.barred | {frozenset(event.players)})
        case e.PairAllowed():
            return replace(state, barred=state.barred - {frozenset(event.players)})
        case e.RoleGiven() | e.RoleTaken():
            return replace(state, roles=_roles(state, event))
        case _:
            assert_never(event)


def _roles(state: LeagueState, event: e.RoleGiven | e.RoleTaken) -> Mapping[PlayerId, frozenset[e.Role]]:
    had = state.roles.get(event.player, frozenset())
    roles = had | {event.role} if isinstance(event, e.RoleGiven) else had - {event.role}
    others = {player: theirs for player, theirs in state.roles.items() if player != event.player}
    return {**others, event.player: roles} if roles else others


def _told(state: LeagueState, event: e.WordsSent) -> LeagueState:
    season = _present(state, event)
    had = season.told.get(event.digest, frozenset())
    return replace(state, season=replace(season, told={**season.told, event.digest: had | frozenset(event.players)}))


def _closed(state: LeagueState, event: e.SeasonClosed) -> LeagueState:
    season = _present(state, event)
    return replace(
        state,
        season=replace(season, phase=Phase.CLOSED),
        last=event.tables,
        # for those who stay, whom the next announcement enters without asking again
        ratings={entry.player: entry.rating for entry in season.entries},
        next_at=event.next_at,
    )


def _reopened(state: LeagueState, event: e.SeasonReopened) -> LeagueState:
    season = _played_anew(_present(state, event), event.meetings)
    return replace(state, season=replace(season, phase=Phase.RUNNING, cancelled=False, tables_held=False), next_at=None)


def _divided(state: LeagueState, event: e.SeasonDivided) -> LeagueState:
    season = _present(state, event)
    before = {line: division.name for division in season.divisions for line in division.players}
    home = {line: division.name for division in event.divisions for line in division.players}
    fixtures = [_sorted_into(one, home) for one in season.fixtures]
    again = {(line, one.round) for one in season.fixtures if one.parted and not fixtures[one.number - 1].parted for line in one.players}
    # whoever had a bye in the place of a meeting that counts again has it no longer
    fixtures = [replace(one, void=True) if len(one.players) == 1 and (*one.players, one.round) in again else one for one in fixtures]
    season = replace(season, divisions=event.divisions, fixtures=tuple(fixtures))
    paired = {
        # where everybody meets everybody, all meetings that are missing come at once
        division.name: rounds_due(state, season, division)
        if state.settings.format in FIXED
        else max((season.paired.get(before[line], 0) for line in division.players if line in before), default=0)
        for division in event.divisions
    }
    return replace(state, season=replace(season, paired=paired))


def _sorted_into(one: Fixture, home: Mapping[PlayerId, str]) -> Fixture:
    names = {home.get(line, "") for line in one.players}
    if one.void and not one.parted:
        return one
    if len(names) == 1:
        name = names.pop()
        return replace(one, division=name, void=False, parted=False) if one.parted or name != one.division else one
    if one.marks:
        return one if one.parted else replace(one, void=True, parted=True)
    return _taken_back(one)


def _played_anew(season: Season, meetings: Iterable[int]) -> Season:
    for number in meetings:
        reopened = e.ResultReopened(meeting=number)
        season = climbed(_fixtures(season, reopened), reopened)
        # The league has ended the game, so there will be a new one. Being new, it is judged by its deadline.
        season = _changed(season, [replace(_fixture(season, number), game=None, resumed=False)])
    return season


def _season(season: Season, event: OfEntries | OfFixtures | OfSeason) -> Season:  # noqa: C901, PLR0912  # one branch an event
    if isinstance(event, OfEntries):
        return _entries(season, event)
    if isinstance(event, OfFixtures):
        return _fixtures(season, event)
    match event:
        case e.SeasonStarted():
            return replace(season, phase=Phase.RUNNING, started_at=event.at, divisions=event.divisions, odd_first=event.odd_first)
        case e.PlayerWithdrawn():
            struck = season.struck | {event.player} if event.struck else season.struck
            return replace(season, withdrawn=(*season.withdrawn, event.player), struck=struck)
        case e.SeasonPaused():
            return replace(season, paused_at=event.at)
        case e.TablesHeld(approved_at=until):
            return replace(season, tables_held=True, tables_held_until=until)
        case e.SeasonResumed():
            length = event.at - (season.paused_at or event.at)
            return replace(season, paused_at=None, later_by=season.later_by + length)
        case e.RoundsMoved(seconds=seconds):
            return replace(season, later_by=season.later_by + timedelta(seconds=seconds))
        case e.SeasonMoved(entries_until=until, starts_at=starts):
            ready_until = starts if season.phase is Phase.READY_CHECK else None
            return replace(season, entries_until=until, starts_at=starts, ready_until=ready_until)
        case e.PlayerReturned():
            withdrawn = tuple(line for line in season.withdrawn if line != event.player)
            return _played_anew(
                replace(season, tables_held=False, withdrawn=withdrawn, struck=season.struck - {event.player}), event.meetings
            )
        case e.PlayerAdmitted():
            return _admitted(season, event)
        case e.AdmissionUndone(player=line):
            return _never_there(season, line)
        case e.ByeAsked():
            return replace(season, byes={**season.byes, (event.player, event.round): Fraction(event.worth)})
        case e.ByeDropped():
            return replace(season, byes={key: worth for key, worth in season.byes.items() if key != (event.player, event.round)})
        case e.PlayerSubstituted():
            acting = {**season.acting, event.player: event.substitute}
            # the present substitute may change, but whoever acted once stays noted
            return replace(season, acting=acting, acted=season.acted | {event.substitute})
        case e.PenaltyGiven():
            given = (*season.penalties.get(event.player, ()), Penalty(Fraction(event.points), event.reason))
            return replace(season, penalties={**season.penalties, event.player: given})
        # lots between two in a round of a cup; all others are lots for places
        case e.LotsDrawn() if event.round:
            known = season.cup_lots.get(event.division, {})
            drawn = {**known, Lot(event.round, frozenset(event.players)): event.players[0]}
            return replace(season, cup_lots={**season.cup_lots, event.division: drawn})
        case e.LotsDrawn():
            return replace(season, lots={**season.lots, event.division: event.players})
        case e.PlayoffDecided():
            before = season.playoffs.get(event.division, ())
            return replace(season, playoffs={**season.playoffs, event.division: (*before, event.players)})
        case _:
            assert_never(event)


def _entries(season: Season, event: OfEntries) -> Season:
    match event:
        case e.PlayerEntered():
            return replace(season, entries=(*season.entries, Entry(event.player, event.rating)))
        case e.EntryWithdrawn():
            byes = {key: worth for key, worth in season.byes.items() if key[0] != event.player}
            return replace(season, entries=tuple(entry for entry in season.entries if entry.player != event.player), byes=byes)
        case e.ReadyCheckBegun():
            return replace(season, phase=Phase.READY_CHECK, ready_until=event.until)
        case e.PlayerReady():
            entries = (replace(entry, ready=entry.ready or entry.player == event.player) for entry in season.entries)
            return replace(season, entries=tuple(entries))
        case _:
            assert_never(event)


def _fixtures(season: Season, event: OfFixtures) -> Season:  # noqa: C901, PLR0912  # one branch an event
    match event:
        case e.RoundPaired():
            paired = {**season.paired, event.division: event.round}
            return replace(season, fixtures=(*season.fixtures, *_paired(event)), paired=paired, tables_held=False)
        case e.RoundUnpaired():
            return _unpaired(season, event)
        case e.MeetingsAdded():
            return replace(season, fixtures=(*season.fixtures, *_added(event)), tables_held=False)
        case e.RoundHeld(meetings=meetings, approved_at=until):
            return _changed(season, (replace(_fixture(season, number), held=True, held_until=until) for number in meetings))
        case e.RoundApproved(meetings=meetings):
            return _changed(season, (replace(_fixture(season, number), held=False, held_until=None) for number in meetings))
        case e.RoundReminded():
            fixtures = (replace(one, remind_at=None) if _is_reminded(one, event) else one for one in season.fixtures)
            return replace(season, fixtures=tuple(fixtures))
        case e.RoundOverdue():
            return _changed(season, (replace(_fixture(season, number), overdue=True) for number in event.meetings))
        case e.DeadlinesMoved():
            return _changed(season, (_moved(_fixture(season, each.meeting), each) for each in event.deadlines))
        case e.GameAttached():
            return _changed(season, [replace(_fixture(season, event.meeting), game=event.game)])
        case e.ResultRecorded():
            return _changed(season, [_decided(season, event, at=event.at, by=event.by)])
        case e.ResultCorrected():
            at = _fixture(season, event.meeting).at
            return _changed(season, [_decided(season, event, at=at, by=e.DecidedBy.ADMIN)])
        case e.ResultReopened():
            fixture = replace(_fixture(season, event.meeting), marks=(), places=(), at=None, by=None, resumed=True)
            return _changed(replace(season, tables_held=False), [fixture])
        case _:
            assert_never(event)


def _fixture(season: Season, number: int) -> Fixture:
    if not 1 <= number <= len(season.fixtures):
        raise Malformed(f"a league's history speaks of meeting {number}, which there is not")
    return season.fixtures[number - 1]


def _is_reminded(fixture: Fixture, event: e.RoundReminded) -> bool:
    # on a ladder each meeting has a deadline of its own
    of_round = (fixture.division, fixture.round) == (event.division, event.round)
    return of_round and (fixture.challenger is None or fixture.number in event.meetings)


def _decided(season: Season, event: e.ResultRecorded | e.ResultCorrected, at: datetime | None, by: e.DecidedBy) -> Fixture:
    return replace(_fixture(season, event.meeting), marks=event.marks, places=event.places, at=at, by=by)


def _moved(fixture: Fixture, event: e.MovedDeadline) -> Fixture:
    return replace(fixture, deadline=event.deadline, remind_at=event.remind_at, overdue=False)


def _changed(season: Season, changed: Iterable[Fixture]) -> Season:
    fixtures = list(season.fixtures)
    for one in changed:
        # meetings are numbered from 1 without a gap
        fixtures[one.number - 1] = one
    return replace(season, fixtures=tuple(fixtures))


def _paired(event: e.RoundPaired) -> Iterable[Fixture]:
    for meeting in event.meetings:
        yield Fixture(
            number=meeting.number,
            division=event.division,
            round=event.round,
            players=meeting.players,
            deadline=event.deadline,
            remind_at=event.remind_at,
            # a bye is over when it is paired
            marks=(Mark.BYE,) if len(meeting.players) == 1 else (),
        )


def _unpaired(season: Season, event: e.RoundUnpaired) -> Season:
    def taken_back(one: Fixture) -> Fixture:
        if (one.division, one.round) != (event.division, event.round) or one.void:
            return one
        return _taken_back(one)

    fixtures = tuple(map(taken_back, season.fixtures))
    return replace(season, fixtures=fixtures, paired={**season.paired, event.division: event.round - 1})


def _taken_back(one: Fixture) -> Fixture:
    # with a result, so that nobody waits for it, and an admin's, so that its game is not heard of
    return replace(one, void=True, held=False, marks=one.marks or (Mark.NO_RESULT,) * len(one.players), by=e.DecidedBy.ADMIN)


def _added(event: e.MeetingsAdded) -> Iterable[Fixture]:
    for one in event.meetings:
        yield Fixture(
            number=one.number,
            division=event.division,
            round=one.round,
            players=one.players,
            deadline=one.deadline,
            remind_at=one.remind_at,
            marks=(Mark.BYE,) if len(one.players) == 1 else (),
            worth=Fraction(one.worth) if one.worth else None,
        )


def _admitted(season: Season, event: e.PlayerAdmitted) -> Season:
    entries = (*(one for one in season.entries if one.player != event.player), Entry(event.player, event.rating, ready=True))
    divisions = tuple(
        each.with_line(event.player, event.place, event.start, event.rating) if each.name == event.division else each
        for each in season.divisions
    )
    return replace(season, entries=entries, divisions=divisions, late=(*season.late, event.player))


def _never_there(season: Season, line: PlayerId) -> Season:
    """Return the season without a line, and without all that there was about it. Its meetings keep their numbers."""
    substitutes = {line, season.who(line)}
    return replace(
        season,
        entries=tuple(one for one in season.entries if one.player != line),
        divisions=tuple(each for one in season.divisions if (each := one.without(line)).players),
        fixtures=tuple(replace(_taken_back(one), parted=False) if line in one.players else one for one in season.fixtures),
        withdrawn=_apart(season.withdrawn, line),
        struck=season.struck - {line},
        acting={each: player for each, player in season.acting.items() if each != line},
        acted=season.acted - substitutes,
        late=_apart(season.late, line),
        byes={key: worth for key, worth in season.byes.items() if key[0] != line},
        penalties={each: given for each, given in season.penalties.items() if each != line},
        lots={name: _apart(order, line) for name, order in season.lots.items()},
        playoffs={name: tuple(_apart(order, line) for order in orders) for name, orders in season.playoffs.items()},
    )


def _apart(players: tuple[PlayerId, ...], line: PlayerId) -> tuple[PlayerId, ...]:
    return tuple(player for player in players if player != line)
