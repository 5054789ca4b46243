"""Deciding about a game that is being set up: opening it, accepting and declining the invitation."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.play import events as e
from turnserver.play.chance import Chance, commitment
from turnserver.play.clock.clock import parsed
from turnserver.play.commands import Accept, OpenGame
from turnserver.play.evolve import FindGame, evolve
from turnserver.play.guards import seat_of, waiting_for
from turnserver.play.leaving import ended, hand_over
from turnserver.play.state import GameState
from turnserver.rules import Game, Over
from turnserver.rules.options import Value, describe
from turnserver.text import joined, listing, say


def open_game(command: OpenGame, find: FindGame, chance: Chance | None) -> tuple[e.GameEvent, ...]:
    """Open the game with every option spelled out. A challenger accepts their own invitation.

    A game with chance commits to the secret of `chance`. Refuses (`nothing_to_play`) options by which the game is over at once, and players
    who cannot fill the seats. Raises ValueError for a game with chance if `chance` is None.
    """
    game = find(command.game, **command.options)
    if game.rules.seats != len(command.players):
        # if nobody has named the option for the number of players, it follows from the players, provided that only one value fits
        unnamed = [one for one in _for_as_many(command, game, find) if one.option not in command.options]
        game = unnamed[0].game if len(unnamed) == 1 else game
    if isinstance(game.rules.next(game.rules.start()), Over):
        message = say("With these options, {game} is over before it begins. Choose others.", game=game.entry.title)
        raise NotAllowed("nothing_to_play", message)
    _check_players(command, game, find)
    # called for its refusal: a time control that nobody can read must not get into the log
    parsed(command.terms.time)
    opened = e.GameOpened(
        game=command.game,
        revision=game.entry.revision,
        options=asdict(game.options),
        players=command.players,
        order=command.order,
        terms=command.terms,
        opened_by=command.opened_by,
        commitment=_commitment(game, chance),
    )
    if command.opened_by is None:
        return (opened,)
    return (opened, _accepted(command.opened_by, command.zone, command.entropy, opened.commitment))


def accept_invitation(state: GameState, command: Accept, now: datetime, chance: Chance | None) -> tuple[e.GameEvent, ...]:
    """Take the seat. The last seat to be taken starts the game, its chance and the first clock.

    Refuses (`already_accepted`) a player who has accepted.
    """
    player = command.player
    seat_of(state, player)
    if player in state.accepted:
        message = say("You have accepted already, but {others}. You will get a mail when the game starts.", others=waiting_for(state))
        raise NotAllowed("already_accepted", message)
    accepted = _accepted(player, command.zone, command.entropy, state.commitment)
    joined = evolve(state, accepted)
    if joined.accepted != frozenset(state.players):
        return (accepted,)
    # the entropy of the last seat is part of the key, so the rolls come after its acceptance
    first = hand_over(joined, joined.line.position, now, chance)
    started = e.GameStarted(to_move=first.to_move, clock=first.clock, rolls=first.rolls)
    return (accepted, started, *ended(first.over))


def decline_invitation(state: GameState, player: PlayerId) -> tuple[e.GameEvent, ...]:
    """Call the game off for all. A player may do so even after accepting, as long as the game has not started."""
    seat_of(state, player)
    return (
        e.InvitationDeclined(player=player),
        e.GameEnded(outcome=e.Outcome.VOID, by=e.EndedBy.REFUSAL, winners=(), reason=""),
    )


def _commitment(game: Game[Any, Any], chance: Chance | None) -> str | None:
    if not game.entry.chance:
        return None
    if chance is None:
        raise ValueError(f"{game.entry.title} cannot be opened without a secret")
    return commitment(chance.secret)


def _accepted(player: PlayerId, zone: str, entropy: str | None, committed: str | None) -> e.InvitationAccepted:
    # entropy goes into the log only where it is used
    return e.InvitationAccepted(player=player, zone=zone, entropy=entropy if committed else None)


class _Fitting(NamedTuple):
    """A game for the wanted number of players, with the option and the value that make it so."""

    game: Game[Any, Any]
    option: str
    value: Value


def _for_as_many(command: OpenGame, game: Game[Any, Any], find: FindGame) -> Iterator[_Fitting]:
    for option in describe(game.entry.options):
        for value in option.choices or option.numbers:
            found = find(command.game, **{**command.options, option.name: value})
            if found.rules.seats == len(command.players):
                yield _Fitting(found, option.name, value)


def _check_players(command: OpenGame, game: Game[Any, Any], find: FindGame) -> None:
    """Refuse (`wrong_number_of_players`, `same_player_twice`, `challenger_not_playing`) players that cannot fill the seats."""
    wanted, given = game.rules.seats, len(command.players)
    if given != wanted:
        message = say(
            "{game} with these options is for {n} player, not {given}.",
            "{game} with these options is for {n} players, not {given}.",
            game=game.entry.title,
            n=wanted,
            given=given,
        )
        lines = [f'"{one.option}={one.value}"' for one in _for_as_many(command, game, find)]
        instead = say("For {given}, add {options} after the name of the game.", given=given, options=listing(lines)) if lines else ""
        raise NotAllowed("wrong_number_of_players", joined(" ", [message, instead]) if instead else message)
    if len(set(command.players)) != given:
        raise NotAllowed("same_player_twice", say("Nobody can play two seats. Name each player once."))
    if command.opened_by is not None and command.opened_by not in command.players:
        message = say("Whoever challenges also plays. Add yourself, or have the organisers open the game.")
        raise NotAllowed("challenger_not_playing", message)
