"""Deciding about turns: playing one, and seeing beforehand how it would read."""

from datetime import datetime

from msgspec.structs import replace

from turnserver.errors import NotAllowed
from turnserver.play.chance import Chance
from turnserver.play.clock.clock import bank_after, grace_left, left, turn_clock
from turnserver.play.commands import PlayTurn
from turnserver.play.events import GameEvent, TurnPlayed, TurnSkipped
from turnserver.play.evolve import fold
from turnserver.play.guards import in_time, pending, seat_of
from turnserver.play.leaving import ended, hand_over
from turnserver.play.second_thoughts import correction_time, unannounced
from turnserver.play.state import GameState, with_seat
from turnserver.play.timeouts import judged
from turnserver.rules import Seat
from turnserver.rules.kit import format_steps, parse_steps, parse_turn
from turnserver.text import say


def play_turn(state: GameState, command: PlayTurn, now: datetime, chance: Chance | None) -> tuple[GameEvent, ...]:
    """Play a whole turn. The next turn's clock starts `now`, or when the others are told, if the turn may still be corrected.

    Refuses (`unknown_turn`, `turn_already_played`) a turn that is not pending, (`not_your_turn`) somebody else's, (`too_late`) late mail,
    (`seat_vacant`) a seat that waits for a substitute, and (StepError) a turn that the rules do not allow.
    """
    _own_turn(state, command)
    return _played(state, command.text, command.arrived_at, now, chance)


def play_planned(state: GameState, text: str, now: datetime, chance: Chance | None) -> tuple[GameEvent, ...]:
    """Play the pending turn as planned. It uses no time, and everybody is told at once. Raises StepError for a step that is not legal."""
    return _played(state, text, pending(state).clock.since, now, chance, by_plan=True)


def _played(
    state: GameState, text: str, received_at: datetime, now: datetime, chance: Chance | None, *, by_plan: bool = False
) -> tuple[GameEvent, ...]:
    here = pending(state)
    before = state.line.position
    read = parse_turn(state.game.rules, before, text)
    remaining = left(state, received_at)
    bank = bank_after(state, here.seat, remaining)
    # the same seat may be the next, and its time comes from the bank
    banked = replace(state, banks=with_seat(state.banks, here.seat, bank))
    # the turn is judged by its arrival, the next one begins with the decision: our own delay costs neither player
    after = hand_over(banked, read.state, now, chance)
    clock = after.clock
    if after.to_move not in (None, here.seat) and not after.rolls and not by_plan and state.terms.correction_minutes:
        # the opponent does not know of the turn until it cannot be corrected any more, so their clock waits
        clock = turn_clock(banked, after.to_move, now + correction_time(state))
    played = TurnPlayed(
        turn=here.turn,
        seat=here.seat,
        steps=format_steps(state.game.rules, before, read.steps),
        received_at=received_at,
        to_move=after.to_move,
        clock=clock,
        left=remaining,
        grace=grace_left(state, received_at),
        bank=bank,
        rolls=after.rolls,
        by_plan=by_plan,
    )
    return (played, *ended(after.over))


def look_ahead(state: GameState, command: PlayTurn) -> tuple[str, ...]:
    """Return the steps of a turn as far as they are given, in canonical notation, without playing it. Refuses as `play_turn` does."""
    # as `decide` does, or a turn on grace would be refused here
    state = fold(judged(state, command.arrived_at), state)
    _own_turn(state, command)
    rules, before = state.game.rules, state.line.position
    return format_steps(rules, before, parse_steps(rules, before, command.text).steps)


def _own_turn(state: GameState, command: PlayTurn) -> None:
    """Refuse a command unless it names the pending turn, the turn is the player's own, and the command is in time."""
    seat = seat_of(state, command.player)
    here = pending(state)
    _check_turn(state, seat, command)
    if seat != here.seat:
        message = say(
            "{mover} is to move in turn {turn}, and you play {own}. You will get a mail when it is your move.",
            turn=here.turn,
            mover=state.seat_name(here.seat),
            own=state.seat_name(seat),
        )
        raise NotAllowed("not_your_turn", message)
    in_time(here, command.arrived_at)
    if state.vacant == seat:
        message = say(
            "Your time for turn {turn} ran out, and your seat waits for a substitute. You can't play there any more.",
            turn=here.turn,
        )
        raise NotAllowed("seat_vacant", message)


def _check_turn(state: GameState, seat: Seat, command: PlayTurn) -> None:
    """Refuse a command that names another turn than the pending one."""
    edition = state.edition if command.edition is None else command.edition
    turn = state.turn if command.turn is None else command.turn
    if (edition, turn) == (state.edition, state.turn):
        return
    # Whoever is not to move knows nothing of corrections, and must not learn of one from a refusal.
    if turn == state.turn and seat != state.to_move and state.known_edition <= edition < state.edition:
        return
    if edition > state.edition or turn < 1 or (edition == state.edition and turn > state.turn):
        message = say(
            "There is no turn {turn} yet; turn {next} is next. Reply to the newest mail of this game.", turn=turn, next=state.turn
        )
        raise NotAllowed("unknown_turn", message)
    if turn >= state.turn:
        message = say(
            "Something was taken back since that mail, and turn {turn} is next. Reply to the newest mail of this game.",
            turn=state.turn,
        )
        raise NotAllowed("turn_already_played", message)
    standing = state.line.numbered[turn - 1]
    if isinstance(standing, TurnSkipped):
        message = say(
            "{who} ran out of time in turn {turn}, so it was skipped. Turn {next} is next.",
            turn=turn,
            who=state.seat_name(standing.seat),
            next=state.turn,
        )
        raise NotAllowed("turn_already_played", message)
    if standing.by_house:
        message = say(
            "{who} ran out of time in turn {turn}, so the house played {steps}. It can't be changed; turn {next} is next.",
            turn=turn,
            who=state.seat_name(standing.seat),
            steps=standing.text,
            next=state.turn,
        )
        raise NotAllowed("turn_already_played", message)
    if standing == unannounced(state, command.arrived_at) and standing.seat == seat:
        message = say(
            'You have played {steps} in turn {turn} already. To play something else instead, write "undo", and the other move below it.',
            turn=turn,
            steps=standing.text,
        )
        raise NotAllowed("turn_already_played", message)
    message = say(
        "Turn {turn} is played already: {steps} by {who}. It can't be changed; turn {next} is next.",
        turn=turn,
        steps=standing.text,
        who=state.seat_name(standing.seat),
        next=state.turn,
    )
    raise NotAllowed("turn_already_played", message)
