"""A house player for Okago: looks a few turns ahead along the most promising steps, and counts open lines."""

from typing import NamedTuple

from turnserver.games.okago.position import Ground, Position, Step
from turnserver.games.okago.rules import OkagoRules

_WIDTH = 12
"""The number of steps that are looked into, those worth most at sight. While all of them lose, the next ones are tried too."""
_DEPTH = 2
"""The number of turns after a step for which such a choice is made. All steps are tried in the turn after these."""

_WON = 1_000_000
_WINS_NEXT = 100_000
_LOSES_NEXT = 10_000
_DECIDED = 50_000
"""The bound of decided positions: a greater worth is won, and a worth below its negative is lost, whatever anybody does."""
_THREAT = 30
_JUMP = 12
_PIECE = 25
_LINES = (1, 5, 14)
"""The worth of an open line with one, two or three pieces in it."""


class _Candidate(NamedTuple):
    worth: int
    step: Step
    after: Position


def choose(rules: OkagoRules, state: Position) -> Step:
    """Return the step with the best prospect; among equals the one worth most at sight, and then the first in canonical order.

    It wins at once if it can, and otherwise prevents a four if that can be done. Always the same for the same position. Defined while the
    game is not over; on size 8 it takes a fraction of a second.
    """
    candidates = _candidates(rules, state)
    chosen, most = candidates[0], -2 * _WON
    for tried, candidate in enumerate(candidates):
        if tried >= _WIDTH and most > -_DECIDED:
            break
        prospect = _prospect(rules, candidate, _DEPTH, most, 2 * _WON)
        if prospect > most:
            chosen, most = candidate, prospect
    return chosen.step


def worth(rules: OkagoRules, state: Position) -> int:
    """Return the worth of a position at sight for the seat to move."""
    ground, mine, theirs = rules.ground, state.mine, state.theirs
    free = ground.board.full & ~(mine | theirs)
    jumps = list(ground.jumps(state.my_up, state.their_up, free))
    if ground.fours(theirs) or not (state.my_left or jumps):
        return state.turn - _WON
    if (state.my_left and gaps(ground, mine) & free & ~state.no_go) or any(
        ground.fours(mine ^ 1 << jump.origin | 1 << jump.landing) for jump in jumps
    ):
        return _WINS_NEXT - state.turn
    threats = (gaps(ground, theirs) & free).bit_count() if state.their_left else 0
    pieces = mine.bit_count() + state.my_left - theirs.bit_count() - state.their_left
    score = _open_lines(ground, mine, theirs) - _open_lines(ground, theirs, mine) + _PIECE * pieces + _JUMP * len(jumps)
    return score - (_LOSES_NEXT if threats > 1 else _THREAT * threats)


def gaps(ground: Ground, pieces: int) -> int:
    """Return the squares that would make a four with three of the pieces, empty or not."""
    found = 0
    for stride, starts in ground.strides:
        second, third, fourth = pieces >> stride, pieces >> 2 * stride, pieces >> 3 * stride
        outer, inner = starts & pieces & fourth, starts & second & third
        found |= inner & fourth | (outer & third) << stride | (outer & second) << 2 * stride | (inner & pieces) << 3 * stride
    return found


def _open_lines(ground: Ground, own: int, other: int) -> int:
    """Return the worth of one side's lines of four, summed over all lines without a piece of the other side."""
    total = 0
    for stride, starts in ground.strides:
        closed = other | other >> stride
        clear = starts & ~(closed | closed >> 2 * stride)
        # The four squares of all lines are added up at once: `odd` and `high` are the two binary digits of their sums.
        second = own >> stride
        parity, carry = own ^ second, own & second
        odd = parity ^ parity >> 2 * stride
        high = carry ^ carry >> 2 * stride ^ parity & parity >> 2 * stride
        one, two, three = _LINES
        total += (
            one * (clear & odd & ~high).bit_count() + two * (clear & high & ~odd).bit_count() + three * (clear & odd & high).bit_count()
        )
    return total


def _candidates(rules: OkagoRules, state: Position) -> list[_Candidate]:
    tried = ((step, rules.apply(state, step)) for step in rules.steps(state))
    return sorted((_Candidate(-worth(rules, after), step, after) for step, after in tried), key=lambda one: -one.worth)


def _prospect(rules: OkagoRules, candidate: _Candidate, depth: int, low: int, high: int) -> int:
    """Return the worth of a step for the seat that makes it, if it lies between `low` and `high`; else a value on the same side of them."""
    if abs(candidate.worth) > _DECIDED:
        return candidate.worth
    answers = _candidates(rules, candidate.after)
    if depth == 0:
        return -answers[0].worth
    least = 2 * _WON
    for tried, answer in enumerate(answers):
        if least <= low or (tried >= _WIDTH and least < _DECIDED):
            break
        least = min(least, -_prospect(rules, answer, depth - 1, -min(high, least), -low))
    return least
