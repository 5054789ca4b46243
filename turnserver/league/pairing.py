"""Deciding about the rounds of a running season: pairing them, opening and ending their games, reminding of them."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import assert_never

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.league import events as e
from turnserver.league.commands import AttachGame, CheckLeague, Remind
from turnserver.league.formats.formats import barred_lines, lots_due, next_begins, next_round, strays
from turnserver.league.formats.knockout import Drawn, Lot
from turnserver.league.formats.seating import teams_of
from turnserver.league.guards import division_of, fixture_of, running, undecided
from turnserver.league.scoring.lots import Drawing
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.record import Encounter, Verdict, abandoned, alike, drawn, forfeited
from turnserver.league.settings import Approval, Pace, Settings, WhenUnfinished
from turnserver.league.state import Fixture, LeagueState, Season
from turnserver.text import say


def pair_rounds(state: LeagueState, season: Season, now: datetime, lots: Drawing) -> tuple[e.LeagueEvent, ...]:
    """Return the next round of every division that can have one, if any.

    A player who has withdrawn but is still in the schedule forfeits. Two who are not to meet do not play in a cup either.
    """
    events: list[e.LeagueEvent] = []
    # meetings are numbered through the season, over all divisions that are paired now
    number = len(season.fixtures)
    for division in season.divisions:
        begins = next_begins(state, season, division)
        if begins is not None and begins <= now:
            paired = round_paired(state, season, division, *next_round(state, season, division), number, now)
            byes = tuple(asked_byes(state, season, division, paired, now))
            number += len(paired.meetings) + sum(len(event.meetings) for event in byes)
            decided = (*not_coming(season, paired.meetings, now), *_kept_apart(state, season, paired, now, lots))
            events += (paired, *byes, *decided, *held(state, paired, now, decided))
    return tuple(events)


def round_paired(  # noqa: PLR0917  # the facts of one event
    state: LeagueState,
    season: Season,
    division: e.Division,
    number: int,
    encounters: Iterable[Encounter],
    before: int,
    now: datetime,
) -> e.RoundPaired:
    """Return the event that pairs round `number` of a division, after so many meetings `before`."""
    meetings = tuple(e.Meeting(number=before + at + 1, players=one.players) for at, one in enumerate(encounters))
    # the time of a round that waits for approval begins with that
    deadline = None if Approval.PAIRINGS in state.settings.approve else round_deadline(state.settings, season.began, number, now)
    remind_at = reminder(state.settings, deadline, now)
    return e.RoundPaired(division=division.name, round=number, meetings=meetings, deadline=deadline, remind_at=remind_at)


def asked_byes(state: LeagueState, season: Season, division: e.Division, paired: e.RoundPaired, now: datetime) -> Iterator[e.MeetingsAdded]:
    """Yield the event that gives the byes of a round to those who have asked for one and are in no meeting of it."""
    met = {player for meeting in paired.meetings for player in meeting.players}
    away = met.union(season.withdrawn)
    byes = [
        Encounter(paired.round, (line,), (Mark.BYE,), worth=season.byes[line, paired.round])
        for line in division.players
        if (line, paired.round) in season.byes and line not in away
    ]
    before = paired.meetings[-1].number if paired.meetings else len(season.fixtures)
    yield from add_meetings(state, season, division, byes, now, before=before)


def add_meetings(  # the facts of one event
    state: LeagueState,
    season: Season,
    division: e.Division,
    encounters: Iterable[Encounter],
    now: datetime,
    *,
    before: int | None = None,
) -> Iterator[e.MeetingsAdded]:
    """Yield the event that adds encounters to rounds that were paired before, if there are any. Each has the time of a round from `now`.

    They are numbered after so many meetings `before`, those of the season if it is None.
    """
    until = time_up(state.settings, now)
    meetings = tuple(
        e.AddedMeeting(
            number=number,
            round=one.round,
            players=one.players,
            deadline=None if one.is_over else until,
            remind_at=None if one.is_over else reminder(state.settings, until, now),
            worth="" if one.worth is None else str(one.worth),
        )
        for number, one in enumerate(encounters, (len(season.fixtures) if before is None else before) + 1)
    )
    if meetings:
        yield e.MeetingsAdded(division=division.name, meetings=meetings)


def reminder(settings: Settings, deadline: datetime | None, now: datetime) -> datetime | None:
    """Return when players are reminded of the deadline of a round or meeting that begins `now`. None if they are not."""
    # the instant at which so many percent of the time have passed
    return now + (deadline - now) * settings.remind_percent // 100 if deadline is not None and settings.remind_percent else None


def held(state: LeagueState, paired: e.RoundPaired, now: datetime, decided: Iterable[e.ResultRecorded] = ()) -> tuple[e.RoundHeld, ...]:
    """Return the event that has the games of a round wait for a director, if its league has them approved and there are any."""
    settings, over = state.settings, {result.meeting for result in decided}
    those = tuple(one.number for one in paired.meetings if len(one.players) > 1 and one.number not in over)
    if Approval.PAIRINGS not in settings.approve or not those:
        return ()
    return (e.RoundHeld(division=paired.division, round=paired.round, meetings=those, approved_at=approved_by_itself(settings, now)),)


def approved_by_itself(settings: Settings, now: datetime) -> datetime | None:
    """Return when what waits for a director from `now` on holds by itself; None if never."""
    return now + timedelta(hours=settings.approve_hours) if settings.approve_hours else None


def round_deadline(settings: Settings, started_at: datetime, number: int, now: datetime) -> datetime | None:
    """Return when a round that begins `now` is to be over; None if that is left to the clocks of its games."""
    # All rounds that begin with the season have the same beginning. So the second is due after twice the time, and so on.
    if settings.round_days and settings.pace is Pace.TOGETHER and not settings.round_every:
        return started_at + number * timedelta(days=settings.round_days)
    return time_up(settings, now)


def time_up(settings: Settings, now: datetime) -> datetime | None:
    """Return when the time for a meeting that begins `now` is up; None if that is left to the clock of its game."""
    return now + timedelta(days=settings.round_days) if settings.round_days else None


def not_coming(season: Season, meetings: Iterable[e.Meeting | e.AddedMeeting], now: datetime) -> Iterator[e.ResultRecorded]:
    """Yield the results of meetings with somebody who has withdrawn."""
    for meeting in meetings:
        # a bye needs nobody to come
        if len(meeting.players) > 1 and any(player in season.withdrawn for player in meeting.players):
            yield recorded(meeting.number, forfeited(meeting.players, season.withdrawn), now, e.DecidedBy.WITHDRAWAL)


def _kept_apart(state: LeagueState, season: Season, paired: e.RoundPaired, now: datetime, lots: Drawing) -> Iterator[e.ResultRecorded]:
    """Yield the results of pairs in a cup that are not to meet: they say who goes on. Other formats never pair them."""
    division = division_of(season, paired.division)
    barred = barred_lines(state, season, division)
    for meeting in paired.meetings:
        if frozenset(meeting.players) in barred:
            # the one whom lots or seeds would send on after a draw goes on
            loser = _preferred(state, season, division, Lot(paired.round, frozenset(meeting.players)), lots)[1]
            yield recorded(meeting.number, forfeited(meeting.players, [loser]), now, e.DecidedBy.BARRED)


def _preferred(state: LeagueState, season: Season, division: e.Division, lot: Lot, lots: Drawing) -> tuple[PlayerId, ...]:
    """Return the two players of a lot, the one who goes on without a win first."""
    seeds = tuple(player for player in division.players if player in lot.players)
    by_lots = state.settings.cup_draw is Drawn.LOTS
    return lots.drawn(season.number, f"round {lot.round} of {division.name}", seeds) if by_lots else seeds


def void_strays(state: LeagueState, season: Season, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Give no result to the games of a cup whose places others have to play for after a correction. Perhaps there are none."""
    return tuple(
        recorded(fixture.number, alike(fixture.players), now, e.DecidedBy.BRACKET)
        for division in season.divisions
        for fixture in strays(state, season, division)
    )


def draw_lots(state: LeagueState, season: Season, lots: Drawing) -> tuple[e.LotsDrawn, ...]:
    """Draw the lots between players who have drawn to the end in a cup. Perhaps there are none."""
    return tuple(
        e.LotsDrawn(division=division.name, players=_preferred(state, season, division, lot, lots), round=lot.round)
        for division in season.divisions
        for lot in lots_due(state, season, division)
    )


def late(season: Season, now: datetime) -> tuple[Fixture, ...]:
    """Return the meetings that are not over at their deadline, and about which no admin was asked."""
    return tuple(one for one in season.fixtures if not one.marks and not one.overdue and one.deadline is not None and one.deadline <= now)


def by_round(fixtures: Iterable[Fixture]) -> Mapping[tuple[str, int], tuple[int, ...]]:
    """Return the numbers of meetings by division and round."""
    found: defaultdict[tuple[str, int], tuple[int, ...]] = defaultdict(tuple)
    for fixture in fixtures:
        found[fixture.division, fixture.round] += (fixture.number,)
    return found


def ask_admin(fixtures: Iterable[Fixture]) -> tuple[e.RoundOverdue, ...]:
    """Ask an admin about these meetings, which are not over in time."""
    return tuple(e.RoundOverdue(division=name, round=at, meetings=numbers) for (name, at), numbers in by_round(fixtures).items())


def judge_late(state: LeagueState, season: Season, command: CheckLeague, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Judge the games that are not over at the deadline, if any."""
    found = late(season, now)
    if state.settings.when_unfinished is WhenUnfinished.ADMIN:
        return ask_admin(found)
    # The deadline of a game that goes on after a result may be past already. It was not set for that game, so an admin decides.
    fresh = (fixture for fixture in found if not fixture.resumed)
    return (
        *ask_admin(fixture for fixture in found if fixture.resumed),
        *(recorded(one.number, judged(state, season, one, command), now, e.DecidedBy.DEADLINE) for one in fresh),
    )


def deserted(season: Season) -> tuple[Fixture, ...]:
    """Return the games of two that go on after a result although one of the two has withdrawn since."""
    resumed = (one for one in season.fixtures if one.resumed and not one.marks and len(one.players) == 2)
    return tuple(one for one in resumed if not set(season.withdrawn).isdisjoint(one.players))


def end_deserted(season: Season, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """End the deserted games as when a player withdraws, if there are any."""
    return tuple(given_up(one, season.withdrawn, now, season.struck) for one in deserted(season))


def given_up(fixture: Fixture, withdrawn: Iterable[PlayerId], now: datetime, struck: Collection[PlayerId] = ()) -> e.ResultRecorded:
    """Return the result of a meeting with players who have withdrawn: a forfeit, and no result if one of them is `struck`."""
    verdict = forfeited(fixture.players, withdrawn) if frozenset(struck).isdisjoint(fixture.players) else alike(fixture.players)
    return recorded(fixture.number, verdict, now, e.DecidedBy.WITHDRAWAL)


def recorded(meeting: int, verdict: Verdict, at: datetime, by: e.DecidedBy, reason: str = "") -> e.ResultRecorded:
    """Return the event that gives a meeting its result."""
    return e.ResultRecorded(meeting=meeting, marks=verdict.marks, at=at, by=by, reason=reason, places=verdict.places)


def judged(state: LeagueState, season: Season, fixture: Fixture, command: CheckLeague) -> Verdict:
    """Return the verdict on a game that is not over. A player who left a table of more than two counts as gone."""
    players = fixture.players
    # nobody can be blamed for a game that was never opened
    if fixture.game is None:
        return alike(players)
    teams = teams_of(state) if len(players) > 2 else ()
    left = command.left.get(fixture.game, frozenset())
    gone = {line for line in players if season.who(line) in left or line in season.withdrawn}
    policy = state.settings.when_unfinished
    match policy:
        case WhenUnfinished.ADMIN | WhenUnfinished.NO_RESULT:
            return alike(players)
        case WhenUnfinished.DRAW:
            return drawn(players, gone, teams)
        case WhenUnfinished.FORFEIT:
            late = {line for line in players if season.who(line) == command.turns.get(fixture.game)}
            return forfeited(players, late | abandoned(players, gone, teams), teams) if late else alike(players)
        case _:
            assert_never(policy)


def openable(state: LeagueState, season: Season, held: Collection[int] = ()) -> tuple[Fixture, ...]:
    """Return the meetings whose games are to be opened now, in the order of their numbers.

    Players have no more games at the same time than the settings allow. Games that are `held` cannot be opened, and nobody waits for them.
    """
    # a game that begins has a clock
    if season.paused_at is not None:
        return ()
    limit = state.settings.at_once
    games = _games_at_once(season)
    found = []
    for fixture in season.fixtures:
        waits = fixture.game is None and not fixture.marks and not fixture.held and fixture.number not in held
        if waits and not (limit and any(games[player] >= limit for player in fixture.players)):
            found.append(fixture)
            # counted at once, for the meetings that follow
            games.update(fixture.players)
    return tuple(found)


def may_open(state: LeagueState, season: Season, number: int) -> bool:
    """Return whether the players of a meeting that has no game yet may have another one at the same time."""
    limit, games = state.settings.at_once, _games_at_once(season)
    return not limit or all(games[player] < limit for player in fixture_of(season, number).players)


def _games_at_once(season: Season) -> Counter[PlayerId]:
    return Counter(player for one in season.fixtures if one.game is not None and not one.marks for player in one.players)


def attach(state: LeagueState, command: AttachGame) -> tuple[e.LeagueEvent, ...]:
    """Record the game of a meeting. Refuses (`decided`, `has_game`)."""
    fixture = fixture_of(running(state), command.meeting)
    undecided(fixture)
    if fixture.game is not None:
        message = say("Meeting {number} is game {game} already.", number=fixture.number, game=fixture.game)
        raise NotAllowed("has_game", message)
    return (e.GameAttached(meeting=fixture.number, game=command.game),)


def reminders(season: Season) -> tuple[tuple[datetime, Fixture], ...]:
    """Return the meetings that are not over and of which players will be reminded, each with the instant."""
    # after its deadline it is too late for a reminder: an admin was asked
    open_now = (one for one in season.fixtures if not one.marks and not one.overdue)
    return tuple((one.remind_at, one) for one in open_now if one.remind_at is not None)


def remind_slow(season: Season, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Send the reminders of all rounds for which the time has come, if any."""
    return _reminded(one for at, one in reminders(season) if at <= now)


def remind(state: LeagueState, command: Remind) -> tuple[e.LeagueEvent, ...]:
    """Send reminders of everything that is not over, now. Refuses (`nothing_open`) if nothing is open."""
    season = running(state)
    named = None if command.division is None else division_of(season, command.division).name
    events = _reminded(one for one in season.fixtures if not one.marks and named in (None, one.division))
    if not events:
        raise NotAllowed("nothing_open", say("No games are running, so there is nobody to remind."))
    return events


def _reminded(fixtures: Iterable[Fixture]) -> tuple[e.LeagueEvent, ...]:
    return tuple(e.RoundReminded(division=name, round=at, meetings=numbers) for (name, at), numbers in by_round(fixtures).items())
