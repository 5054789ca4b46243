"""What the history of a league says of its games, as claims that can be held against the history of each game."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Final, NamedTuple, assert_never

from msgspec.structs import replace

from turnserver.audit.league.readings import HEARD
from turnserver.ids import GameId, PlayerId, Position, Recorded, Version
from turnserver.league.commands import CheckLeague
from turnserver.league.events import (
    ChallengeMade,
    ChallengesEnded,
    DecidedBy,
    EntryWithdrawn,
    GameAttached,
    LeagueEvent,
    LeagueOpened,
    LotsDrawn,
    PairAllowed,
    PairBarred,
    PenaltyGiven,
    PlayerEntered,
    PlayerJoined,
    PlayerMoved,
    PlayerReady,
    PlayersSunk,
    PlayerSubstituted,
    PlayerWithdrawn,
    PlayoffDecided,
    ReadyCheckBegun,
    ResultCorrected,
    ResultRecorded,
    ResultReopened,
    RoundOverdue,
    RoundPaired,
    RoundReminded,
    SeasonAnnounced,
    SeasonClosed,
    SeasonDropped,
    SeasonReopened,
    SeasonStarted,
    SettingsChanged,
    TablesCorrected,
)
from turnserver.league.evolve import fold
from turnserver.league.pairing import judged
from turnserver.league.scoring.verdicts import Verdict
from turnserver.league.state import Fixture, LeagueState, Season
from turnserver.play.events import GameEvent, GameOpened
from turnserver.play.state import GameState, Status
from turnserver.rules import Seat
from turnserver.service.leagues.pending_results import verdict_of

NOTHING: Final = Verdict(())


class Moment(NamedTuple):
    """A game at some moment: its state and its history up to there, and when it had ended, None if it had not."""

    state: GameState
    history: Sequence[Recorded[GameEvent]]
    ended_at: datetime | None

    @property
    def verdict(self) -> Verdict:
        """What it had come to."""
        return NOTHING if self.state.result is None else verdict_of(self.state, self.history)


class Claim(NamedTuple):
    """What the event of a league that led to `version` says of a game.

    `wrong` is what is wrong with that, as a clause about the game as it was `before` a position, None if nothing is. It may have been right
    at any moment from `since` on, if that is given. What was written for the same cause does not count if `apart` names that.
    """

    version: Version
    before: Position
    wrong: Callable[[Moment], str | None]
    since: Position | None = None
    apart: str | None = None


def claims(rows: Sequence[Recorded[LeagueEvent]]) -> Iterator[tuple[GameId, Claim]]:
    """Everything that a league says of its games, in the order in which it does."""
    state: LeagueState | None = None
    last = dict[tuple[int, int], GameId]()
    begins = [Position(0), Position(0)]
    for _, those in groupby(rows, key=lambda row: (row.at, row.cause.removesuffix(HEARD))):
        request = tuple(those)
        begins = [begins[-1], request[0].position]
        for row in request:
            season = state.season if state is not None else None
            if state is not None and season is not None:
                if isinstance(row.event, SeasonAnnounced):
                    yield from _heard(season, row.version, *begins)
                elif isinstance(row.event, GameAttached):
                    last[season.number, row.event.meeting] = row.event.game
                yield from _said(state, season, row, last)
            state = fold([row.event], state)
    if state is not None and state.season is not None:
        yield from _heard(state.season, rows[-1].version, begins[0], Position(rows[-1].position + 1))


def _heard(season: Season, version: Version, since: Position, before: Position) -> Iterator[tuple[GameId, Claim]]:
    """Whoever writes to a league writes what its games have come to, unless one changes at that very moment: then the next one does."""
    for fixture in season.fixtures:
        if fixture.game is not None and fixture.by in (None, DecidedBy.GAME):
            yield fixture.game, Claim(version, before, _unheard(fixture), since)


def _unheard(fixture: Fixture) -> Callable[[Moment], str | None]:
    known = fixture.verdict
    return lambda then: None if then.verdict == known else f"has come to {_told(then.verdict)}, which the league has not heard of"


def _said(
    state: LeagueState, season: Season, row: Recorded[LeagueEvent], last: Mapping[tuple[int, int], GameId]
) -> Iterator[tuple[GameId, Claim]]:
    event = row.event
    match event:
        case GameAttached():
            players = tuple(map(season.who, season.fixtures[event.meeting - 1].players))
            yield event.game, Claim(row.version, row.position, lambda then: _misplayed(then, state, players))
        case ResultRecorded() | ResultReopened():
            fixture = season.fixtures[event.meeting - 1]
            game = fixture.game if fixture.game is not None else last.get((season.number, event.meeting))
            if game is not None:
                yield from ((game, claim) for claim in _result(state, season, replace(fixture, game=game), row))
        case PlayerSubstituted():
            for fixture in season.fixtures:
                if fixture.game is not None and not fixture.marks and event.player in fixture.players:
                    seat = Seat(fixture.players.index(event.player) + 1)
                    yield fixture.game, Claim(row.version, row.position, _unseated(seat, event.substitute))
        case (
            LeagueOpened()
            | SettingsChanged()
            | SeasonAnnounced()
            | PlayerEntered()
            | EntryWithdrawn()
            | ReadyCheckBegun()
            | PlayerReady()
            | SeasonDropped()
            | SeasonStarted()
            | RoundPaired()
            | RoundReminded()
            | PlayerJoined()
            | ChallengeMade()
            | PlayersSunk()
            | ChallengesEnded()
            | RoundOverdue()
            | ResultCorrected()
            | PlayerWithdrawn()
            | PenaltyGiven()
            | LotsDrawn()
            | PlayoffDecided()
            | SeasonClosed()
            | SeasonReopened()
            | TablesCorrected()
            | PlayerMoved()
            | PairBarred()
            | PairAllowed()
        ):
            pass
        case _:
            assert_never(event)


def _result(state: LeagueState, season: Season, fixture: Fixture, row: Recorded[LeagueEvent]) -> Iterator[Claim]:
    """What is claimed by a result that a game has brought, or has lost again, or that the league itself has decided."""
    event = row.event
    if isinstance(event, ResultReopened):
        yield Claim(row.version, row.position, lambda then: None if then.verdict != fixture.verdict else "has come to the same as before")
    elif isinstance(event, ResultRecorded):
        told = Verdict(event.marks, event.places)
        if event.by is DecidedBy.GAME:
            yield Claim(row.version, row.position, lambda then: _otherwise(then, told, event.at))
            return
        yield Claim(row.version, row.position, _still_played)
        if event.by is DecidedBy.DEADLINE:
            apart = row.cause
            yield Claim(row.version, row.position, lambda then: _misjudged(then, state, season, fixture, told), apart=apart)


def _misplayed(then: Moment, state: LeagueState, players: tuple[PlayerId, ...]) -> str | None:
    opened = then.history[0].event
    if not isinstance(opened, GameOpened) or (opened.game, opened.options) != (state.game, state.options):
        return "is not what is played in this league"
    if then.state.players != players:
        return f"is played by {_listed(then.state.players)}, but it is {_listed(players)} who meet"
    return None


def _otherwise(then: Moment, told: Verdict, at: datetime) -> str | None:
    if then.verdict != told:
        return f"has come to {_told(then.verdict)}, and not to {_told(told)}"
    ended = then.ended_at or then.history[0].at
    return None if ended == at else f"came to that at {ended.isoformat()}, and not at {at.isoformat()}"


def _still_played(then: Moment) -> str | None:
    return "goes on, though the league has decided what it comes to" if then.state.status is Status.RUNNING else None


def _misjudged(then: Moment, state: LeagueState, season: Season, fixture: Fixture, told: Verdict) -> str | None:
    """Whether a deadline was judged as the game stood: whose turn it was, and who had left."""
    game, lines = fixture.game, [season.who(line) for line in fixture.players]
    if game is None or then.state.status is not Status.RUNNING:
        return None
    turns = {} if then.state.to_move is None else {game: lines[then.state.to_move - 1]}
    left = frozenset(lines[seat - 1] for seat in then.state.left)
    due = judged(state, season, fixture, CheckLeague({}, turns, {game: left}))
    return None if due == told else f"would have been {_told(due)} at its deadline, and not {_told(told)}"


def _unseated(seat: Seat, substitute: PlayerId) -> Callable[[Moment], str | None]:
    def wrong(then: Moment) -> str | None:
        plays = then.state.status is Status.RUNNING and seat in then.state.staying
        sits = then.state.players[seat - 1]
        return f"has player {sits} in seat {seat}, where {substitute} plays on" if plays and sits != substitute else None

    return wrong


def _told(verdict: Verdict) -> str:
    return "-".join(verdict.marks) or "nothing"


def _listed(players: Sequence[PlayerId]) -> str:
    return ", ".join(map(str, players))
