"""Proof that leagues are what their rules make of them, and that leagues and their games tell the same.

A league and a game know each other by number only, so whoever changes one history has not changed the other.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias, assert_never

from turnserver import games as catalogue
from turnserver.audit.league.readings import HEARD
from turnserver.audit.league.recheck import LeagueObjection, recheck
from turnserver.errors import TurnserverError, in_words
from turnserver.ids import GameId, LeagueId, PlayerId, Position, Recorded, Version, game_stream, league_stream
from turnserver.league import events as e
from turnserver.league.commands import CheckLeague
from turnserver.league.evolve import fold
from turnserver.league.pairing import judged
from turnserver.league.scoring.record import Verdict
from turnserver.league.state import Fixture, LeagueState, Season
from turnserver.play.clock import controls
from turnserver.play.clock.clock import parsed
from turnserver.play.events import GameEvent, GameOpened, SubstituteSeated
from turnserver.play.evolve import FindGame, evolve
from turnserver.play.state import GameState, Status
from turnserver.rules import Seat
from turnserver.service.leagues.news import verdict_of_game
from turnserver.store.leagues import views as kept_leagues
from turnserver.store.leagues.views import Meeting
from turnserver.store.log import log
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Database
from turnserver.store.log.verify import Finding

NOTHING: Final = Verdict(())


class GameThen(NamedTuple):
    """A game at some moment: its state and its history up to there, and when it had ended, None if it had not."""

    state: GameState
    history: Sequence[Recorded[GameEvent]]
    ended_at: datetime | None

    @property
    def verdict(self) -> Verdict:
        """Return the verdict of the game at this moment."""
        return NOTHING if self.state.result is None else verdict_of_game(self.state, self.history)


class Claim(NamedTuple):
    """A claim about a game by the event of a league that led to `version`.

    `wrong` returns what is wrong with the claim, as a clause about the game as it was `before` a position, or None. If `since` is given,
    the claim may have been right at any moment from there on. Events of the same cause do not count if `apart` names that cause.
    """

    version: Version
    before: Position
    wrong: Callable[[GameThen], str | None]
    since: Position | None = None
    apart: str | None = None


def claims(rows: Sequence[Recorded[e.LeagueEvent]]) -> Iterator[tuple[GameId, Claim]]:
    """Yield every claim of a league about its games, in the order of its events."""
    state: LeagueState | None = None
    last = dict[tuple[int, int], GameId]()
    begins = [Position(0), Position(0)]
    for _, those in groupby(rows, key=lambda row: (row.at, row.cause.removesuffix(HEARD))):
        request = tuple(those)
        # The beginnings of the last two requests: news may have come at any moment since the one before.
        begins = [begins[-1], request[0].position]
        for row in request:
            season = state.season if state is not None else None
            if state is not None and season is not None:
                if isinstance(row.event, e.SeasonAnnounced):
                    yield from _heard(season, row.version, *begins)
                elif isinstance(row.event, e.GameAttached):
                    last[season.number, row.event.meeting] = row.event.game
                yield from _said(state, season, row, last)
            state = fold([row.event], state)
    if state is not None and state.season is not None:
        yield from _heard(state.season, rows[-1].version, begins[0], Position(rows[-1].position + 1))


def _heard(season: Season, version: Version, since: Position, before: Position) -> Iterator[tuple[GameId, Claim]]:
    # A write to the league carries over all news of its games. A game may change at that very moment; then the next write carries it over.
    for fixture in season.fixtures:
        if fixture.game is not None and fixture.by in (None, e.DecidedBy.GAME):
            yield fixture.game, Claim(version, before, _unheard(fixture), since)


def _unheard(fixture: Fixture) -> Callable[[GameThen], str | None]:
    known = fixture.verdict
    return lambda then: None if then.verdict == known else f"has come to {_told(then.verdict)}, which the league has not heard of"


def _said(  # noqa: C901, PLR0912  # one branch an event
    state: LeagueState, season: Season, row: Recorded[e.LeagueEvent], last: Mapping[tuple[int, int], GameId]
) -> Iterator[tuple[GameId, Claim]]:
    event = row.event
    match event:
        case e.GameAttached():
            players = tuple(map(season.who, season.fixtures[event.meeting - 1].players))
            yield event.game, Claim(row.version, row.position, lambda then: _misplayed(then, state, players))
        case e.ResultRecorded() | e.ResultReopened():
            fixture = season.fixtures[event.meeting - 1]
            game = fixture.game if fixture.game is not None else last.get((season.number, event.meeting))
            if game is not None:
                yield from ((game, claim) for claim in _result(fixture, row, event))
            # A meeting whose next game is yet to be opened has no game that a deadline could judge.
            if isinstance(event, e.ResultRecorded) and event.by is e.DecidedBy.DEADLINE and fixture.game is not None:
                yield fixture.game, Claim(row.version, row.position, _misjudged(state, season, fixture.game, event), apart=row.cause)
        case e.RoundUnpaired():
            for fixture in season.fixtures:
                if fixture.game is not None and not fixture.void and (fixture.division, fixture.round) == (event.division, event.round):
                    yield fixture.game, Claim(row.version, row.position, _still_played)
        case e.SeasonDivided():
            after = fold([event], state).season
            for fixture in season.fixtures:
                if fixture.game is not None and not fixture.marks and after is not None and after.fixtures[fixture.number - 1].void:
                    yield fixture.game, Claim(row.version, row.position, _still_played)
        case e.AdmissionUndone():
            for fixture in season.fixtures:
                if fixture.game is not None and not fixture.void and event.player in fixture.players:
                    yield fixture.game, Claim(row.version, row.position, _still_played)
        case e.PlayerSubstituted():
            for fixture in season.fixtures:
                if fixture.game is not None and not fixture.marks and event.player in fixture.players:
                    seat = Seat(fixture.players.index(event.player) + 1)
                    yield fixture.game, Claim(row.version, row.position, _unseated(seat, row, event))
        case (
            e.RoundPaired()
            | e.RoundHeld()
            | e.RoundApproved()
            | e.RoundReminded()
            | e.RoundOverdue()
            | e.MeetingsAdded()
            | e.DeadlinesMoved()
            | e.ResultCorrected()
            | e.PlayerWithdrawn()
            | e.PlayerReturned()
            | e.PlayerAdmitted()
            | e.ByeAsked()
            | e.ByeDropped()
            | e.PenaltyGiven()
            | e.SettingsEvent()
            | e.SeasonAnnounced()
            | e.SeasonMoved()
            | e.RoundsMoved()
            | e.ReadyCheckBegun()
            | e.SeasonDropped()
            | e.SeasonStarted()
            | e.TablesHeld()
            | e.SeasonClosed()
            | e.SeasonPaused()
            | e.SeasonResumed()
            | e.SeasonCancelled()
            | e.SeasonReopened()
            | e.TablesCorrected()
            | e.EntryEvent()
            | e.LadderEvent()
            | e.OrderEvent()
            | e.AdminEvent()
        ):
            pass
        case _:
            assert_never(event)


def _result(fixture: Fixture, row: Recorded[e.LeagueEvent], event: e.ResultRecorded | e.ResultReopened) -> Iterator[Claim]:
    match event:
        case e.ResultReopened():
            same = "has come to the same as before"
            # The request that heard of it may have ended the game at once.
            asked = row.cause.removesuffix(HEARD)
            yield Claim(row.version, row.position, lambda then: None if then.verdict != fixture.verdict else same, apart=asked)
        case e.ResultRecorded(by=e.DecidedBy.GAME):
            told = Verdict(event.marks, event.places)
            yield Claim(row.version, row.position, lambda then: _otherwise(then, told, event.at))
        case e.ResultRecorded():
            yield Claim(row.version, row.position, _still_played)
        case _:
            assert_never(event)


def _misplayed(then: GameThen, state: LeagueState, players: tuple[PlayerId, ...]) -> str | None:
    opened = then.history[0].event
    if not isinstance(opened, GameOpened) or (opened.game, opened.options) != (state.game, state.options):
        return "is not what is played in this league"
    if then.state.players != players:
        return f"is played by {_listed(then.state.players)}, but it is {_listed(players)} who meet"
    # A league without a time control has that of the site, which may change.
    if state.time and not _same_time(opened.terms.time, state.time):
        return f"is played by the time control {opened.terms.time}, but the league has {state.time}"
    return None


def _same_time(one: str, other: str) -> bool:
    # A league may name no zone for an hour of the day, and its games have that of the site then.
    zones = {agreed.control.zone for agreed in (parsed(one),) if isinstance(agreed.control, controls.FixedHour)}
    return one == other or any(controls.written(controls.parse(other, zone)) == one for zone in zones or {"UTC"})


def _otherwise(then: GameThen, told: Verdict, at: datetime) -> str | None:
    if then.verdict != told:
        return f"has come to {_told(then.verdict)}, and not to {_told(told)}"
    ended = then.ended_at or then.history[0].at
    return None if ended == at else f"came to that at {ended.isoformat()}, and not at {at.isoformat()}"


def _still_played(then: GameThen) -> str | None:
    return "goes on, though the league has decided what it comes to" if then.state.status is Status.RUNNING else None


def _misjudged(state: LeagueState, season: Season, game: GameId, event: e.ResultRecorded) -> Callable[[GameThen], str | None]:
    """Return the check that a deadline was judged as the game stood, by the player to move and by those who had left."""
    fixture, told = season.fixtures[event.meeting - 1], Verdict(event.marks, event.places)
    lines = [season.who(line) for line in fixture.players]

    def due(then: GameThen) -> Verdict:
        # A league hears what its games have come to before it judges any, so there was nothing left to judge.
        if then.state.status is Status.ENDED:
            return then.verdict
        turns = {} if then.state.to_move is None else {game: lines[then.state.to_move - 1]}
        left = frozenset(lines[seat - 1] for seat in then.state.left)
        return judged(state, season, fixture, CheckLeague({}, turns, {game: left}))

    return lambda then: None if due(then) == told else f"would have been {_told(due(then))} at its deadline, and not {_told(told)}"


def _unseated(seat: Seat, row: Recorded[e.LeagueEvent], event: e.PlayerSubstituted) -> Callable[[GameThen], str | None]:
    substitute = event.substitute

    def wrong(then: GameThen) -> str | None:
        for one in then.history:
            # The same request has seated them in the game.
            seated = one.event if (one.at, one.cause) == (row.at, row.cause) else None
            if isinstance(seated, SubstituteSeated) and seated.player == substitute and seated.rating is not event.rating:
                return f"counts for the rating of {seated.rating}, and the league says {event.rating}"
        plays = then.state.status is Status.RUNNING and seat in then.state.staying
        sits = then.state.players[seat - 1]
        return f"has player {sits} in seat {seat}, where {substitute} plays on" if plays and sits != substitute else None

    return wrong


def _told(verdict: Verdict) -> str:
    return "-".join(verdict.marks) or "nothing"


def _listed(players: Sequence[PlayerId]) -> str:
    return ", ".join(map(str, players))


History: TypeAlias = Sequence[Recorded[GameEvent]]
Games: TypeAlias = Callable[[GameId], History | None]
"""The history of a game: empty if there is no such game, None if it is not at hand."""


def verify(db: Database, league: LeagueId, find: FindGame = catalogue.find) -> Iterator[Finding]:
    """Yield the findings about a league: by its own rules, beside its games, and in its stored rows."""
    stream = league_stream(league)
    try:
        with db.read() as conn:
            rows = log.load(conn, stream)
            secret = keyring.of_stream(conn, stream)
            kept = kept_leagues.games_of(conn, league)
        found = list(recheck(rows, secret))
        if not found:  # otherwise nobody can say what it should tell of its games
            found = [*misplaced(league, rows, kept), *crosscheck(rows, lambda game: _history(db, game), find)]
            state = fold(row.event for row in rows)
            with db.read() as conn:
                found += [LeagueObjection(state.version, problem) for problem in kept_leagues.differences(conn, league, state, rows[0].at)]
    except TurnserverError as error:
        yield Finding(None, stream, None, f"the league cannot be checked: {error}")
        return
    for version, problem in found:
        yield Finding(rows[version - 1].position, stream, version, problem)


def crosscheck(history: Iterable[Recorded[e.LeagueEvent]], games: Games, find: FindGame = catalogue.find) -> Iterator[LeagueObjection]:
    """Yield the objections to a league by its games: who plays in them, their results and ends, and the player to move at a deadline.

    Games that are not at hand are left out. `recheck` must have no objection to the history.
    """
    said = dict[GameId, list[Claim]]()
    for game, claim in claims(tuple(history)):
        said.setdefault(game, []).append(claim)
    for game, about in sorted(said.items()):
        rows = games(game)
        if rows is None:
            continue
        try:
            for claim in about:
                problem = _problem(claim, list(_moments(rows, claim, find)))
                if problem is not None:
                    yield LeagueObjection(claim.version, f"game {game} {problem}")
        # A fold trusts what it reads, so a game that somebody has changed may trip anything, and the others are to be looked at too.
        except Exception as error:  # noqa: BLE001
            yield LeagueObjection(about[0].version, f"game {game} cannot be looked at: {in_words(error)}")


def misplaced(league: LeagueId, history: Iterable[Recorded[e.LeagueEvent]], kept: Mapping[GameId, Meeting]) -> Iterator[LeagueObjection]:
    """Yield objections to games that are `kept` elsewhere than the history of their league says, or that it does not know."""
    season, version, known = 0, Version(0), set[GameId]()
    for row in history:
        version = row.version
        if isinstance(row.event, e.SeasonAnnounced):
            season = row.event.season
        elif isinstance(row.event, e.GameAttached):
            game, meeting = row.event.game, row.event.meeting
            known.add(game)
            if kept.get(game) != Meeting(league, season, meeting):
                yield LeagueObjection(version, f"game {game} is not kept as the game of meeting {meeting} of season {season}")
    for game in sorted(kept.keys() - known):
        yield LeagueObjection(version, f"game {game} is kept as one of this league, which does not know it")


def _problem(claim: Claim, moments: Sequence[GameThen]) -> str | None:
    # The claim holds if it was right at one of the moments.
    if not moments:
        return "was not there"
    problems = [claim.wrong(moment) for moment in moments]
    return None if None in problems else problems[-1]


def _moments(rows: History, claim: Claim, find: FindGame) -> Iterator[GameThen]:
    """Yield the game as it was when the claim was made, and before that as far back as the claim may have been made."""
    state: GameState | None = None
    now: GameThen | None = None
    for number, row in enumerate(rows, 1):
        if row.position >= claim.before or row.cause == claim.apart:
            break
        if now is not None and claim.since is not None and row.position >= claim.since:
            yield now
        was_over = state is not None and state.status is Status.ENDED
        ended_at = now.ended_at if now is not None and was_over else row.at
        state = evolve(state, row.event, find)
        now = GameThen(state, rows[:number], ended_at if state.status is Status.ENDED else None)
    if now is not None:
        yield now


def _history(db: Database, game: GameId) -> History:
    with db.read() as conn:
        return log.load(conn, game_stream(game))
