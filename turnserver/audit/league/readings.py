"""The possible requests behind events of a league: the commands, and the instants at which they may have been decided.

Nothing here says that an event is right. It says what has to be decided again to see whether it is.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from typing import Final, assert_never

from turnserver.ids import GameId, PlayerId, Recorded, is_admin, player_of
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league import rights
from turnserver.league.course import awaited
from turnserver.league.pairing import judged
from turnserver.league.settings import Pace
from turnserver.league.state import Fixture, LeagueState, Phase, Season

HEARD: Final = ":results"
"""The ending of the cause of events that a league has heard from its games."""
INSTANT: Final = timedelta(microseconds=1)


def may(state: LeagueState | None, row: Recorded[e.LeagueEvent], command: c.Command) -> bool:
    """Return whether the actor of an event may ask for a command.

    The service may do what is due, admins the rest, and players what is their own or what a role of theirs allows where the league stands.
    """
    carried, due = c.CarryResult | c.ReopenResult, c.CheckLeague | c.AttachGame
    if row.actor == "service":
        return isinstance(command, carried if row.cause.endswith(HEARD) else due)
    if is_admin(row.actor):
        return not isinstance(command, carried | c.AttachGame)
    player = player_of(row.actor)
    if state is None or player is None or isinstance(command, c.OpenLeague):
        return False
    return rights.may(state, player, command)


def instants(state: LeagueState | None, rows: Sequence[Recorded[e.LeagueEvent]]) -> Iterator[datetime]:
    """Yield the instants at which the decision that `rows` begin with may have been made, the likely ones first.

    An admin's decision was made when it was recorded, others then or before: a mail counts when it arrived, and the service judges by the
    latest instant up to which it has read all mail. The log keeps neither instant but in what was decided.
    """
    at, events = rows[0].at, [row.event for row in rows]
    if state is None or is_admin(rows[0].actor):
        yield at
        return
    told = [instant for event in events if (instant := _decided_at(state, event)) is not None]
    likely = dict.fromkeys(each for each in (*told, at) if each <= at)
    yield from likely
    # mostly one of those was it, and what turns when is worked out from the whole season
    turning = {each for event in events if isinstance(event, e.PlayersSunk | e.ChallengesEnded) for each in (event.at,)}
    turning.update(_turning(state))
    found = (near for each in sorted(turning, reverse=True) for near in (each, each - INSTANT))
    yield from dict.fromkeys(each for each in found if each <= at and each not in likely)


def _decided_at(state: LeagueState, event: e.LeagueEvent) -> datetime | None:
    match event:
        case e.SeasonStarted() | e.PlayerWithdrawn() | e.PlayerJoined() | e.ChallengeMade():
            return event.at
        case e.ResultRecorded() if event.by is not e.DecidedBy.GAME:
            return event.at
        case e.ReadyCheckBegun():
            return event.until - timedelta(hours=state.settings.ready_hours)
        case e.SeasonClosed() if event.next_at is not None:
            return event.next_at - timedelta(days=state.settings.next_days or 0)
        case e.SeasonAnnounced() if event.entries_until is not None:
            # The season is not announced before this event, so the settings are still those of the next one.
            return event.entries_until - timedelta(days=state.for_next.settings.entry_days)
        case e.RoundPaired() if event.deadline is not None:
            return event.deadline - timedelta(days=state.settings.round_days)
        case e.RoundHeld() | e.TablesHeld():
            return event.approved_at - timedelta(hours=state.settings.approve_hours) if event.approved_at is not None else None
        case e.DeadlinesMoved():
            return _approved_at(state, event)
        case (
            e.SeasonAnnounced()
            | e.SeasonDropped()
            | e.RoundPaired()
            | e.RoundApproved()
            | e.RoundReminded()
            | e.PlayersSunk()
            | e.ChallengesEnded()
            | e.RoundUnpaired()
            | e.MeetingsAdded()
            | e.RoundOverdue()
            | e.GameAttached()
            | e.ResultRecorded()
            | e.ResultCorrected()
            | e.ResultReopened()
            | e.PlayerReturned()
            | e.PlayerAdmitted()
            | e.AdmissionUndone()
            | e.ByeAsked()
            | e.ByeDropped()
            | e.PlayerSubstituted()
            | e.PenaltyGiven()
            | e.SeasonClosed()
            | e.SeasonCancelled()
            | e.SeasonDivided()
            | e.SeasonMoved()
            | e.RoundsMoved()
            | e.SeasonPaused()
            | e.SeasonResumed()
            | e.SeasonReopened()
            | e.TablesCorrected()
            | e.SettingsEvent()
            | e.EntryEvent()
            | e.OrderEvent()
            | e.AdminEvent()
        ):
            return None
        case _:
            assert_never(event)


def _approved_at(state: LeagueState, event: e.DeadlinesMoved) -> datetime | None:
    """Return when games were approved that have these deadlines, if that is why they were moved."""
    first, fixtures = event.deadlines[0], state.season.fixtures if state.season is not None else ()
    together = state.settings.pace is Pace.TOGETHER and not state.settings.round_every
    rounds = [one.round if together else 1 for one in fixtures if one.number == first.meeting]
    # a log that somebody has changed may name a meeting that is none
    return first.deadline - timedelta(days=state.settings.round_days) * rounds[0] if first.deadline is not None and rounds else None


def _turning(state: LeagueState) -> Iterator[datetime]:
    season = state.season
    if season is not None and season.entries_until is not None:
        yield season.entries_until
    if season is not None and season.phase is Phase.RUNNING:
        yield from awaited(state, season)


def readings(  # noqa: C901, PLR0912, PLR0915  # one branch an event
    state: LeagueState | None, rows: Sequence[Recorded[e.LeagueEvent]]
) -> Iterator[c.Command]:
    """Yield the commands from which the decision at the beginning of `rows` may follow, whoever asked for it."""
    events = [row.event for row in rows]
    first = events[0]
    season = state.season if state is not None else None
    match first:
        case e.LeagueOpened():
            yield c.OpenLeague(first.name, first.game, first.options, first.settings, first.time)
        case e.SettingsChanged():
            yield c.ChangeSettings(first.settings, first.reason, first.time)
        case e.LeagueRenamed():
            yield c.RenameLeague(first.name, first.reason)
        case e.LeagueArchived() | e.LeagueUnarchived():
            yield c.ArchiveLeague(first.reason, archived=isinstance(first, e.LeagueArchived))
        case e.SeasonDivided():
            yield from (c.Divide(_moves(season, first), first.reason),) if season is not None else ()
        case e.SeasonMoved():
            yield c.MoveSeason(first.entries_until, first.starts_at, first.reason)
        case e.RoundsMoved():
            yield c.MoveRounds(timedelta(seconds=first.seconds), first.reason)
        case e.PlayerMoved():
            yield c.MovePlayer(first.player, first.tier, first.reason)
        case e.WordsSent():
            yield c.SendWords(first.digest, first.division, first.round)
        case e.RoleGiven():
            yield c.GiveRole(first.player, first.role, first.reason)
        case e.RoleTaken():
            yield c.TakeRole(first.player, first.role, first.reason)
        case e.PairBarred() | e.PairAllowed():
            yield c.BarPair(first.players, barred=isinstance(first, e.PairBarred))
        case e.PlayerEntered() | e.PlayerJoined():
            # By the player, or for the player by an admin or a director; `may` tells which of them the actor was.
            yield from (c.Enter(first.player, first.rating, by_admin=others) for others in (False, True))
        case e.EntryWithdrawn():
            yield c.Withdraw(first.player)
        case e.PlayerReady():
            yield c.Confirm(first.player)
        case e.SeasonDropped():
            yield from (c.DropSeason(first.reason), c.CheckLeague())
        case e.SeasonAnnounced() | e.ReadyCheckBegun() | e.SeasonStarted():
            yield from _beginning(events)
        case (
            e.PlayersSunk()
            | e.ChallengesEnded()
            | e.RoundOverdue()
            | e.RoundPaired()
            | e.LotsDrawn()
            | e.TablesHeld()
            | e.SeasonClosed()
            | e.RoundReminded()
        ):
            yield from _going_on(state, events)
        case e.RoundApproved():
            # The log does not say whether a division or a round was named.
            yield from (checking(state, events), c.Approve(), c.Approve(first.division), c.Approve(first.division, first.round))
            yield c.Approve(None, first.round)
        case e.SeasonPaused():
            yield c.PauseSeason(first.reason)
        case e.SeasonResumed():
            yield c.ResumeSeason(first.reason)
        case e.SeasonCancelled():
            yield c.CancelSeason(first.reason)
        case e.ResultRecorded() if first.by not in (e.DecidedBy.GAME, e.DecidedBy.ADMIN):
            yield from _going_on(state, events)
            yield c.CancelSeason(first.reason)
            # On a ladder, the results of whoever leaves come first.
            left = next((event for event in events if isinstance(event, e.PlayerWithdrawn)), None)
            yield from (c.Withdraw(season.who(left.player)),) if left is not None and season is not None else ()
        case e.ResultRecorded() if first.by is e.DecidedBy.GAME:
            yield c.CarryResult(first.meeting, first.marks, first.at, first.places)
        case e.ResultRecorded() | e.ResultCorrected():
            yield c.SetResult(first.meeting, first.marks, first.reason, first.places)
        case e.ResultReopened():
            yield c.ReopenResult(first.meeting)
        case e.GameAttached():
            yield c.AttachGame(first.meeting, first.game)
        case e.RoundUnpaired():
            # By hand or by the rules: all pairs by hand come to the same round.
            paired = [one.players for event in events[1:2] if isinstance(event, e.RoundPaired) for one in event.meetings]
            pairs = tuple(tuple(season.who(line) for line in those) for those in paired) if season is not None else ()
            yield from (c.PairAgain(first.division, first.reason), c.PairAgain(first.division, first.reason, pairs))
        case e.DeadlinesMoved():
            yield c.MoveDeadlines({one.meeting: one.deadline for one in first.deadlines}, first.reason)
        case e.SeasonReopened():
            yield c.ReopenSeason(first.reason)
        case e.PlayoffDecided():
            yield c.DecidePlayoff(first.division, first.players)
        case e.PlayerAdmitted():
            # What became of earlier rounds stands in what follows, and not in this event.
            yield from (c.Admit(first.player, first.rating, first.reason, past, first.division) for past in c.Past)
        case e.AdmissionUndone():
            yield from (c.UndoAdmission(season.who(first.player), first.reason),) if season is not None else ()
        case e.ByeAsked():
            asked = (c.AskBye(season.who(first.player), first.round, each, first.reason) for each in (None, first.worth)) if season else ()
            yield from asked
        case e.ByeDropped():
            yield from (c.DropBye(season.who(first.player), first.round, first.reason),) if season is not None else ()
        case e.PlayerReturned() | e.PlayerSubstituted():
            yield from _coming(season, events) if season is not None else ()
        case e.ChallengeMade() | e.PlayerWithdrawn() | e.PenaltyGiven():
            yield from _about_lines(season, first) if season is not None else ()
        case e.TablesCorrected() | e.MeetingsAdded() | e.RoundHeld():
            return  # only ever follows from something else
        case _:
            assert_never(first)


def _beginning(events: Sequence[e.LeagueEvent]) -> Iterator[c.Command]:
    first, check = events[0], checking(None, events)
    yield check
    if isinstance(first, e.SeasonAnnounced):
        yield c.AnnounceSeason(first.entries_until, check.ratings, first.starts_at)
    else:
        # The log does not say whether an admin wanted nobody to be asked.
        yield from (c.StartSeason(check.ratings), c.StartSeason(check.ratings, ask=False))


def _going_on(state: LeagueState | None, events: Sequence[e.LeagueEvent]) -> Iterator[c.Command]:
    first = events[0]
    yield checking(state, events)
    if isinstance(first, e.RoundReminded):
        # The log does not say whether one division was meant or all of them.
        yield from (c.Remind(), c.Remind(first.division))
    else:
        yield c.Approve()
        yield c.CloseSeason(first.reason if isinstance(first, e.ResultRecorded) else "")


def _coming(season: Season, events: Sequence[e.LeagueEvent]) -> Iterator[c.Command]:
    """Yield the commands that let somebody come into a place, also one whose player has withdrawn."""
    first, missed = events[0], any(isinstance(event, e.MeetingsAdded) for event in events)
    seated = next((event for event in events[:2] if isinstance(event, e.PlayerSubstituted)), None)
    meetings = first.meetings if isinstance(first, e.PlayerReturned) else None
    if seated is not None:
        yield c.SubstitutePlayer(season.who(seated.player), seated.substitute, seated.rating, seated.reason, meetings, missed)
    if isinstance(first, e.PlayerReturned):
        yield c.ReturnPlayer(season.who(first.player), first.reason, meetings, missed)


def _moves(season: Season, event: e.SeasonDivided) -> dict[PlayerId, str]:
    """Return the players who move between divisions, and where to. Who has left goes where the others go."""
    before = {line: division.name for division in season.divisions for line in division.players}
    return {
        season.who(line): division.name
        for division in event.divisions
        for line in division.players
        if before.get(line) != division.name and line not in season.withdrawn
    }


def _about_lines(season: Season, event: e.ChallengeMade | e.PlayerWithdrawn | e.PenaltyGiven) -> Iterator[c.Command]:
    match event:
        case e.ChallengeMade():
            # Commands name people, events the lines of the table.
            one, other = map(season.who, event.players)
            yield from (
                (c.Challenge(one, other), c.Challenge(other, one)) if event.challenger == event.players[0] else (c.Challenge(other, one),)
            )
        case e.PlayerWithdrawn():
            yield c.Withdraw(season.who(event.player), results_first=False)
        case e.PenaltyGiven():
            yield c.Penalize(season.who(event.player), event.points, event.reason)
        case _:
            assert_never(event)


def checking(state: LeagueState | None, events: Sequence[e.LeagueEvent]) -> c.CheckLeague:
    """Return the check that may have led to these events: it has their ratings, and turns and leavers that would explain their verdicts."""
    ratings = dict[PlayerId, float]()
    for event in events:
        if isinstance(event, e.PlayerEntered):
            ratings[event.player] = event.rating
        elif isinstance(event, e.SeasonStarted):
            ratings |= {player: had for each in event.divisions for player, had in zip(each.players, each.ratings, strict=False)}
    turns, left = dict[GameId, PlayerId](), dict[GameId, frozenset[PlayerId]]()
    for at, check in _explained(state, events):
        turns |= check.turns
        left[at] = check.left[at]
    return c.CheckLeague(ratings, turns, left)


def _explained(state: LeagueState | None, events: Sequence[e.LeagueEvent]) -> Iterator[tuple[GameId, c.CheckLeague]]:
    season = state.season if state is not None else None
    if state is None or season is None:
        return
    for event in events:
        # A log that somebody has changed may name a meeting that is none.
        if isinstance(event, e.ResultRecorded) and event.by is e.DecidedBy.DEADLINE and 1 <= event.meeting <= len(season.fixtures):
            fixture = season.fixtures[event.meeting - 1]
            # The first one that fits will do: all of them lead to this verdict.
            fitting = (each for each in _tables(season, fixture) if judged(state, season, fixture, each) == (event.marks, event.places))
            yield from ((at, found) for found in [next(fitting, None)] if found is not None for at in found.left)


def _tables(season: Season, fixture: Fixture) -> Iterator[c.CheckLeague]:
    """Yield all possible states of the game of a meeting: who has the turn, and at a table of more than two who has left it."""
    if fixture.game is None:
        return
    there = [season.who(line) for line in fixture.players]
    # Whoever leaves a game of two ends it.
    gone = [those for size in range(len(there)) for those in combinations(there, size)] if len(there) > 2 else [()]
    for those in gone:
        yield c.CheckLeague({}, {}, {fixture.game: frozenset(those)})
        yield from (c.CheckLeague({}, {fixture.game: one}, {fixture.game: frozenset(those)}) for one in there if one not in those)
