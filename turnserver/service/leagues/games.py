"""Commands from a league to its games: it opens them, and ends a game when it decides the game's meeting."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, assert_never

from turnserver.config import Settings
from turnserver.errors import Conflict, NotAllowed
from turnserver.ids import GameId, PlayerId
from turnserver.league import events as e
from turnserver.league.evolve import fold
from turnserver.league.scoring.marks import WON, Mark
from turnserver.league.state import Fixture, LeagueState, Season
from turnserver.play import commands as c
from turnserver.play import reasons
from turnserver.play.events import FreezeKind, SeatOrder
from turnserver.play.state import GameState, Status
from turnserver.play.timing import standing_still
from turnserver.rules import Seat
from turnserver.service.games.absences import with_vacations
from turnserver.service.games.folds import Decision
from turnserver.service.games.ledger import Ledger
from turnserver.service.games.terms import league_terms
from turnserver.service.leagues.folds import LeagueDecision
from turnserver.service.request import Request
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.text import say

WHY: Final[Mapping[e.DecidedBy, str]] = MappingProxyType(
    {
        e.DecidedBy.WITHDRAWAL: reasons.WITHDRAWN,
        e.DecidedBy.DEADLINE: reasons.OVERDUE,
        e.DecidedBy.ADMIN: reasons.OVERRULED,
        e.DecidedBy.CLOSING: reasons.CLOSED,
        e.DecidedBy.BRACKET: reasons.REPLACED,
    }
)
"""The reasons for which a game ends whose meeting its league has decided."""
VOID: Final[Mapping[type[e.LeagueEvent], str]] = MappingProxyType(
    {e.RoundUnpaired: reasons.PAIRED_AGAIN, e.SeasonDivided: reasons.DIVIDED, e.AdmissionUndone: reasons.ENTRY_UNDONE}
)
"""The reasons for which a game ends whose meeting is none any more, by what has made it so."""


def opening(state: LeagueState, season: Season, fixture: Fixture, settings: Settings, request: Request) -> c.OpenGame:
    """Return the command that opens the game of a meeting, with a seat for each player or their substitute, in order. Raises BadOption."""
    players = tuple(season.who(line) for line in fixture.players)
    terms = league_terms(settings, state.time, request.now.date(), kept=True)
    return c.OpenGame(state.game, state.options, players, SeatOrder.GIVEN, terms)


class SeatsInPlay(NamedTuple):
    """The seats of a running game: the player who has the turn, and the players who have left. Players are those of the league's lines."""

    turn: PlayerId | None
    left: frozenset[PlayerId]


def tables(conn: Transaction, ledger: Ledger, season: Season) -> dict[GameId, SeatsInPlay]:
    """Return who has the turn and who has left in each running game of a season."""
    found = {}
    for fixture in season.fixtures:
        if fixture.game is not None and not fixture.marks:
            state, lines = ledger.games.load(conn, fixture.game).state, [season.who(line) for line in fixture.players]
            turn = lines[state.to_move - 1] if state.to_move is not None else None
            found[fixture.game] = SeatsInPlay(turn, frozenset(lines[seat - 1] for seat in state.left))
    return found


def consequences(tx: Transaction, ledger: Ledger, decision: LeagueDecision, request: Request) -> list[Decision]:
    """Return the plans for the running games of a league that follow from `decision`, in the order of the games' numbers.

    Raises Conflict if such a game has ended meanwhile: the league has to hear of that first. Raises Refusal (`unsubscribed`) for a
    substitute who wants no mail.
    """
    found = []
    # Everybody locks games in the order of their numbers.
    for game, command in sorted(_commands(tx, ledger, decision), key=lambda one: one[0]):
        at = ledger.games.load(tx, game)
        if at.state.status is not Status.RUNNING:
            raise Conflict(f"game {game} has ended meanwhile")
        decided = ledger.decide(game, at, [command], request.now)
        # Whoever sits down has their vacation at this table too.
        found.append(with_vacations(tx, decided, decided.sitting_down(), request.now))
    return found


def _commands(tx: Transaction, ledger: Ledger, decision: LeagueDecision) -> Iterator[tuple[GameId, c.Command]]:
    """Yield a command for each game that the decision concerns, at most one a game.

    A game ends if the league has decided its meeting, gets a substitute who plays on, or goes on without a player who leaves.
    """
    after = decision.after.season
    if after is None:
        return
    running = _running(decision)
    for event in decision.own:
        match event:
            case e.ResultRecorded() | e.ResultCorrected() if event.meeting in running:
                # Taken out, so that no later event of the decision commands the same game.
                by = event.by if isinstance(event, e.ResultRecorded) else e.DecidedBy.ADMIN
                yield running.pop(event.meeting).game, end(event.marks, event.reason or str(WHY[by]))
            case e.RoundUnpaired() | e.SeasonDivided() | e.AdmissionUndone():
                # A game that was taken up again goes on, although its meeting has been none since an earlier decision.
                for number in [one.number for one in after.fixtures if one.number in running and one.void and one.marks]:
                    yield running.pop(number).game, c.Annul(event.reason or str(VOID[type(event)]))
            case e.SeasonPaused() | e.SeasonResumed():
                yield from _stopped(tx, ledger, decision, running, event)
            case e.PlayerWithdrawn():
                yield from _left(tx, ledger, decision, running, event)
            case e.PlayerSubstituted():
                yield from _seated(tx, ledger, running, event)
            case (
                e.ResultRecorded()
                | e.ResultCorrected()
                | e.ResultReopened()
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
                | e.SeasonCancelled()
                | e.SeasonReopened()
                | e.TablesCorrected()
                | e.EntryEvent()
                | e.RoundPaired()
                | e.MeetingsAdded()
                | e.RoundHeld()
                | e.RoundApproved()
                | e.RoundReminded()
                | e.RoundOverdue()
                | e.DeadlinesMoved()
                | e.GameAttached()
                | e.LadderEvent()
                | e.OrderEvent()
                | e.AdminEvent()
            ):
                pass
            case _:
                assert_never(event)


class _Running(NamedTuple):
    """A meeting whose game is running."""

    fixture: Fixture
    game: GameId


def _running(decision: LeagueDecision) -> dict[int, _Running]:
    """Return the meetings whose games were running before the command, as far as the league knew or has just heard."""
    before, season = decision.before, decision.after.season
    known = fold(decision.heard.events, before).season if before is not None else None
    if known is None or season is None or known.number != season.number:
        return {}
    return {one.number: _Running(one, one.game) for one in known.fixtures if one.game is not None and not one.marks}


def end(marks: tuple[Mark, ...], reason: str) -> c.Adjudicate | c.Annul:
    """Return the command to a running game that ends it as the league has decided: for the winners, as a draw, or without a result."""
    winners = tuple(Seat(seat) for seat, mark in enumerate(marks, start=1) if mark in WON)
    if winners or Mark.DRAW in marks:
        return c.Adjudicate(winners, reason)
    return c.Annul(reason)


def _stopped(
    tx: Transaction, ledger: Ledger, decision: LeagueDecision, running: Mapping[int, _Running], event: e.SeasonPaused | e.SeasonResumed
) -> Iterator[tuple[GameId, c.Command]]:
    """Yield the commands that stop the clocks of games, or let those run again that the pause of the league has stopped."""
    before = decision.before.season if decision.before is not None else None
    since = before.paused_at if before is not None else None
    for one in running.values():
        state = ledger.games.load(tx, one.game).state
        stop = standing_still(state, event.at, FreezeKind.HALT)
        reason = event.reason or str(reasons.PAUSED)
        if isinstance(event, e.SeasonPaused) and stop is None:
            yield one.game, c.FreezeClock(FreezeKind.HALT, None, event.at, None, reason)
        elif isinstance(event, e.SeasonResumed) and stop is not None and stop.begins == since:
            yield one.game, c.ThawClock(stop.number, event.at, event.reason or str(reasons.GOES_ON))


def _left(
    tx: Transaction, ledger: Ledger, decision: LeagueDecision, running: Mapping[int, _Running], event: e.PlayerWithdrawn
) -> Iterator[tuple[GameId, c.Command]]:
    # Where the deadline has passed, the clock decides and not the leaving.
    after = decision.after.season
    for number, one in running.items():
        if after is None or event.player not in one.fixture.players or after.fixtures[number - 1].marks:
            continue
        state, player = ledger.games.load(tx, one.game).state, after.who(event.player)
        deadline = state.clock.deadline if state.clock is not None else None
        if state.seat_of(player) in state.staying and (deadline is None or event.at <= deadline):
            yield one.game, c.Resign(player, event.at)


def _seated(
    tx: Transaction, ledger: Ledger, running: Mapping[int, _Running], event: e.PlayerSubstituted
) -> Iterator[tuple[GameId, c.Command]]:
    person = people.player(tx, event.substitute)
    if not person.preferences.subscribed:
        raise NotAllowed("unsubscribed", say("{name} doesn't want mail at the moment, so they can't be a substitute.", name=person.name))
    for one in running.values():
        if event.player not in one.fixture.players:
            continue
        seat = Seat(one.fixture.players.index(event.player) + 1)
        state = ledger.games.load(tx, one.game).state
        # The line's games are the substitute's, also one that somebody took over for that game alone: the audit holds every seat to it.
        # Where that was the substitute, nothing is left to do.
        if _plays(state, seat) and state.player_at(seat) != person.id:
            reason = event.reason or str(reasons.SUBSTITUTED)
            yield one.game, c.Substitute(seat, person.id, person.zone, event.rating, reason)


def _plays(state: GameState, seat: Seat) -> bool:
    # A game may have ended without the league knowing; `consequences` then raises Conflict.
    return state.status is not Status.RUNNING or seat in state.staying
