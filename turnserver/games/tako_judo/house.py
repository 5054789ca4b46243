"""A house player for Tako Judo: keeps its own octopuses moving, hems the others in, and does not walk into a hold."""

from turnserver.games.tako_judo.position import Move, Position, occupied, partners
from turnserver.games.tako_judo.rules import TakoJudoRules
from turnserver.rules import Seat

_WON = 100_000
_EXHAUSTED = 1_000
"""The worth of an exhausted octopus, in moves."""
_SHORTLIST = 10
"""The number of moves that are looked at together with the best answer of the next player."""
_PATIENCE = 150
"""The turn up to which the player gives something to avoid a repeated position. After that turn the player gives something for one."""
_WEARY = 2 * _PATIENCE
"""The turn after which the player keeps moving a single piece, unless there is something to win or to lose."""
_MOODS = ((2, 2), (2, 3), (3, 2))
_MOOD_LASTS = 30
"""The number of turns after which a side values freedom anew, its own and the others'.

Otherwise two of these players would go round in circles.
"""


def choose(rules: TakoJudoRules, state: Position) -> Move:
    """Return a move that is best by `worth`, and of several the one that is still best after the next player's best answer.

    Always the same for the same position; among equals the first in canonical order. Defined while the game is not over. With the option
    `repetition`, two of these players come to an end sooner or later.
    """
    seat = state.mover
    after = {step: rules.apply(state, step) for step in rules.steps(state)}
    bonus = {step: _again(state) if rules.occurrences(there) > 1 else 0 for step, there in after.items()}
    # the piece that was moved last goes on: only its way back is banned, and the others stay where they are
    if state.turn > _WEARY:
        ban = state.bans[seat]
        bonus[next((step for step in after if ban and step.start == ban.start), next(iter(after)))] += _EXHAUSTED // 2
    # answers are looked at for few moves only, since each of them costs as much as all moves of this turn
    promising = sorted(after, key=lambda step: -worth(rules, after[step], seat) - bonus[step])[:_SHORTLIST]
    return max(promising, key=lambda step: _answered(rules, after[step], seat) + bonus[step])


def worth(rules: TakoJudoRules, state: Position, seat: int) -> int:
    """Return the worth of a position for a seat, counted from 0: its side's moves against the others'. Being pinned counts most."""
    if state.over is not None:
        if not state.over.winners:
            return _again(state)
        return _WON if Seat(seat + 1) in state.over.winners else -_WON
    ours, squares, total = partners(rules.options, seat), occupied(rules.field, state), 0
    own_weight, other_weight = _MOODS[min(state.turn, _WEARY) // _MOOD_LASTS % len(_MOODS)]
    for one, (head, arms) in enumerate(zip(state.heads, state.arms, strict=True)):
        if state.exhausted >> one & 1:
            moves = -_EXHAUSTED
        else:
            moves = sum(ends.bit_count() for _, ends in rules.field.ends(head, arms, squares, state.bans[one]))
        total += own_weight * moves if one in ours else -other_weight * moves
    return total


def _answered(rules: TakoJudoRules, state: Position, seat: int) -> int:
    # the next player's best answer counts, unless that player is a partner
    if state.over is not None or state.mover in partners(rules.options, seat):
        return worth(rules, state, seat)
    return min(worth(rules, rules.apply(state, answer), seat) for answer in rules.steps(state))


def _again(state: Position) -> int:
    # in moves: negative before the turn of patience, positive after it
    return (min(state.turn, _WEARY) - _PATIENCE) // 2
