"""List the games and leagues that a player is part of, and withdraw the player from all of them. Everybody who plays there is told."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

import msgspec

from turnserver.ids import GameId, LeagueId, PlayerId
from turnserver.league.commands import TakeRole
from turnserver.league.commands import Withdraw as LeaveSeason
from turnserver.mail.inbound.time_phrases import Vacation as Wanted
from turnserver.play.commands import Command, Decline, Resign, Withdraw
from turnserver.play.state import GameState, Status
from turnserver.service.games.ledger import Ledger
from turnserver.service.leagues.repository import Leagues
from turnserver.service.people import vacations
from turnserver.service.request import Request
from turnserver.store.games import views
from turnserver.store.leagues import views as leagues
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.store.people import erasing

MOST_ROUNDS: Final = 5
"""The number of rounds of leaving: the end of a game may bring the next one of a cup."""


class Tie(NamedTuple):
    """Something that a player is still part of; `what` is a phrase, such as `game 17, which they play`."""

    what: str
    game: GameId | None = None
    league: LeagueId | None = None


def ties(conn: Transaction, ledger: Ledger, player: PlayerId) -> list[Tie]:
    """Return everything that a player has to leave before they can be erased: leagues first, then games by their numbers."""
    seasons = [Tie(f"league {one.id} ({one.name}), which they have entered", league=one.id) for one in leagues.listed(conn, player)]
    own = [row.id for row in views.list_games(conn, player=player) if row.status is not Status.ENDED]
    games = sorted({*own, *views.seats_offered(conn, player), *_proposed(conn, player)})
    found = ((game, _part(ledger.games.load(conn, game).state, player)) for game in games)
    # Leagues first: leaving a season also decides its games.
    return [*seasons, *(Tie(f"game {game}, {part}", game=game) for game, part in found if part)]


def leave(ledger: Ledger, known: Leagues, player: PlayerId, request: Callable[[str], Request], vacation_days: int) -> list[Tie]:
    """Withdraw a player from every season, resign their games, decline their offers, end their vacations. Return what the player has left.

    Each step has a transaction and a `request` of its own, with the mails that go with it. Raises Refusal for what cannot be left.
    """
    left: list[Tie] = []
    for _ in range(MOST_ROUNDS):
        with ledger.db.read() as conn:
            there = ties(conn, ledger, player)
        if not there:
            break
        for tie in there:
            if tie.league is not None:
                one = request(f"league-{tie.league}")
                known.handle(tie.league, LeaveSeason(player), actor=one.actor, cause=one.cause)
            else:
                _leave_game(ledger, tie, player, request)
            left.append(tie)
    _give_up_roles(known, player, request)
    _end_vacations(ledger, player, request, vacation_days)
    return left


def _give_up_roles(known: Leagues, player: PlayerId, request: Callable[[str], Request]) -> None:
    for league, state in known.states().items():
        for role in sorted(state.roles.get(player, ())):
            one = request(f"{role}-{league}")
            known.handle(league, TakeRole(player, role, "the account is erased"), actor=one.actor, cause=one.cause)


def _leave_game(ledger: Ledger, tie: Tie, player: PlayerId, request: Callable[[str], Request]) -> None:
    assert tie.game is not None  # noqa: S101  # whatever is no league is a game
    with ledger.db.read() as conn:
        state = ledger.games.load(conn, tie.game).state
    one = request(f"game-{tie.game}")
    command = _way_out(state, player, one.now)
    if command is not None:  # else it was over when its league heard that they leave
        ledger.act(tie.game, [command], one)


def _part(state: GameState, player: PlayerId) -> str:
    """Return a phrase for a player's part in a game; empty if the player may go."""
    if state.status is Status.ENDED:
        return ""
    seat = state.seat_of(player)
    if seat is not None and state.status is Status.INVITING:
        return "to which they are invited"
    if seat is not None and seat in state.staying:
        return "which they play"
    if state.seat_offer(player):
        return "in which they were asked to take a seat"
    if state.proposal is not None and state.proposal.player == player:
        return "in which they are proposed as a substitute"
    return ""


def _way_out(state: GameState, player: PlayerId, now: datetime) -> Command | None:
    seat = state.seat_of(player)
    if not _part(state, player):
        return None
    if seat is not None and state.status is Status.RUNNING and seat in state.staying:
        return Resign(player, now)
    if state.proposal is not None and state.proposal.player == player:
        # Only the player who made a proposal can take it back, so it is done in their name.
        return Withdraw(state.player_at(state.proposal.seat), now)
    return Decline(player, now)


def _proposed(conn: Transaction, player: PlayerId) -> Sequence[GameId]:
    rows = erasing.seats_of(conn, player)
    made = (stream for stream, kind, data in rows if kind == "game.proposal_made" and msgspec.json.decode(data).get("player") == player)
    return [GameId(int(stream.removeprefix("game-"))) for stream in dict.fromkeys(made)]


def _end_vacations(ledger: Ledger, player: PlayerId, request: Callable[[str], Request], days: int) -> None:
    one = request("vacations")
    with ledger.db.read() as conn:
        person = people.player(conn, player)
        there = [each.number for each in vacations.known(conn, player) if each.open(one.now)]

    for number in there:
        ended = request(f"vacation-{number}")

        def work(tx: Transaction, number: int = number, ended: Request = ended) -> None:
            away = vacations.decide(tx, ledger, person, Wanted(off=True, number=number), days, ended, ended.now)
            vacations.write(tx, ledger, away, ended)

        ledger.attempt(work)


def games_of(conn: Transaction, player: PlayerId) -> list[GameId]:
    """Return every game in which a player ever had a seat, by their numbers."""
    found: set[GameId] = set()
    for stream, kind, data in erasing.seats_of(conn, player):
        event = msgspec.json.decode(data)
        seated = event["players"] if kind == "game.opened" else [event["player"]] if kind == "game.substitute_seated" else []
        if player in seated:
            found.add(GameId(int(stream.removeprefix("game-"))))
    return sorted(found)
