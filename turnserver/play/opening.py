"""Deciding about a game that is being set up: opening it, accepting and declining the invitation."""

from dataclasses import asdict
from datetime import datetime
from typing import Any, assert_never

from turnserver.envelope import PlayerId
from turnserver.errors import BadOption, NotAllowed
from turnserver.play.clock import deadlines
from turnserver.play.commands import OpenGame
from turnserver.play.events import EndedBy, GameEnded, GameEvent, GameOpened, GameStarted, InvitationAccepted, InvitationDeclined, Outcome
from turnserver.play.evolve import Find
from turnserver.play.guards import seat_of, waiting_for
from turnserver.play.state import GameState
from turnserver.rules import Choose, Game, Over, Roll, Seat

MAX_DAYS_PER_MOVE = 90
"""The slowest game on offer: a slip of the finger must not open one that nobody lives to see end."""


def open_game(command: OpenGame, find: Find) -> tuple[GameEvent, ...]:
    """Open the game with every option spelled out; a challenger has accepted his own invitation."""
    game = find(command.game, **command.options)
    first_seat(game)
    _check_players(command, game)
    if not 1 <= command.days_per_move <= MAX_DAYS_PER_MOVE:
        raise BadOption(f"Days per move cannot be {command.days_per_move}; name a whole number from 1 to {MAX_DAYS_PER_MOVE}.")
    opened = GameOpened(
        game=command.game,
        revision=game.entry.revision,
        options=asdict(game.options),
        players=command.players,
        order=command.order,
        days_per_move=command.days_per_move,
        opened_by=command.opened_by,
    )
    if command.opened_by is None:
        return (opened,)
    return (opened, InvitationAccepted(player=command.opened_by))


def accept_invitation(state: GameState, player: PlayerId, now: datetime) -> tuple[GameEvent, ...]:
    """Take the seat; the last one to do so starts the game and the first clock."""
    seat_of(state, player)
    if player in state.accepted:
        raise NotAllowed("already_accepted", f"You have accepted already and {waiting_for(state)}. You will hear when the game starts.")
    accepted = InvitationAccepted(player=player)
    if state.accepted | {player} != frozenset(state.players):
        return (accepted,)
    due = deadlines(state.days_per_move, now)
    return (accepted, GameStarted(to_move=first_seat(state.game), deadline=due.deadline, remind_at=due.remind_at))


def decline_invitation(state: GameState, player: PlayerId) -> tuple[GameEvent, ...]:
    """Call the game off for all, also after having accepted, as long as it has not started."""
    seat_of(state, player)
    return (
        InvitationDeclined(player=player),
        GameEnded(outcome=Outcome.VOID, by=EndedBy.REFUSAL, winners=(), reason=""),
    )


def first_seat(game: Game[Any, Any]) -> Seat:
    """Who has the first turn. Refuses (`chance_unsupported`, `nothing_to_play`) a game that doesn't begin with a choice."""
    match game.rules.next(game.rules.start()):
        case Choose(seat=seat):
            return seat
        case Roll():
            raise NotAllowed("chance_unsupported", f"{game.entry.title} needs dice, which cannot be rolled here yet. Choose another game.")
        case Over():
            raise NotAllowed("nothing_to_play", f"{game.entry.title} is over before it begins with these options. Choose others.")
        case nothing_else:
            assert_never(nothing_else)


def _check_players(command: OpenGame, game: Game[Any, Any]) -> None:
    """Refuse (`wrong_number_of_players`, `same_player_twice`, `challenger_not_playing`) players that cannot fill the seats."""
    wanted, given = game.rules.seats, len(command.players)
    if given != wanted:
        raise NotAllowed("wrong_number_of_players", f"{game.entry.title} with these options is for {wanted} players, not {given}.")
    if len(set(command.players)) != given:
        raise NotAllowed("same_player_twice", "Nobody can sit at two sides of the table. Name each player once.")
    if command.opened_by is not None and command.opened_by not in command.players:
        raise NotAllowed("challenger_not_playing", "A challenger plays too. Name yourself too, or let an admin open the game.")
