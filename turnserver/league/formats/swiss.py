"""Swiss: the pairs of one round, the best there are by objectives in strict order.

The objectives are those of FIDE's Dutch system (Handbook C.04.3 as applied from 1 July 2025) wherever a sum over pairs can say them. That
system pairs one score group after the other, from the top; here all players are paired at once, by a matching of least cost. So nothing
depends on an order of trials, there is always an answer, and `Cost` says what makes it a good one. What is left out: the exceptions for
leaders in the last round, floats of two rounds ago, and that a bye goes to whoever has missed the fewest games.

Scores and ranks here are those for pairing: with the points that players began with, and before the round.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from fractions import Fraction
from itertools import accumulate, combinations
from math import lcm
from operator import mul
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from turnserver.ids import PlayerId
from turnserver.league.scoring.marks import Mark, Scoring
from turnserver.league.scoring.record import Encounter, PlayerPart, PlayRecord

History: TypeAlias = Sequence[bool]
"""The games of a player, the oldest first: True if the player moved first."""


class WishStrength(IntEnum):
    """The importance of a wish."""

    MILD = 1
    """The player has been first as often as second, and the other way round in their last game."""
    STRONG = 2
    """The player has had the other once more often."""
    ABSOLUTE = 3
    """The player has had the other at least twice more often, or in both of their last two games."""


@dataclass(frozen=True, slots=True)
class Wish:
    """The move order that a player is due: `first` or second. `surplus` is how much more often they have had the other."""

    first: bool
    strength: WishStrength
    surplus: int


def wish(history: History) -> Wish | None:
    """Return the wish that follows from a player's history. None if they have played nothing."""
    if not history:
        return None
    surplus = 2 * sum(history) - len(history)
    twice = len(history) > 1 and history[-1] == history[-2]
    strength = WishStrength.ABSOLUTE if abs(surplus) > 1 or twice else WishStrength.STRONG if surplus else WishStrength.MILD
    # A surplus is made up, and one of two or more in any case. Before a smaller one, the same move order twice running is turned; without a
    # surplus, that of the last game.
    due = surplus < 0 if abs(surplus) > 1 or (surplus and not twice) else not history[-1]
    return Wish(due, strength, abs(surplus))


def clash(one: Wish | None, other: Wish | None) -> WishStrength | None:
    """Return the strength of the wish that cannot come true if the two meet. None if both can."""
    return None if one is None or other is None or one.first != other.first else min(one.strength, other.strength)


def higher_is_first(higher: History, lower: History, *, odd: bool) -> bool:
    """Return whether the higher ranked of two players moves first. `odd` decides if nothing else does.

    In this order: both have what they are due; the player who is due it more has it, and between two who are absolutely due it, the one who
    had the other more often; they change places since the last time that one was first and the other second; the higher has what they are
    due; `odd`.
    """
    due, others = wish(higher), wish(lower)
    if due is None or others is None:
        return due.first if due else not others.first if others else odd
    if due.first != others.first:
        return due.first
    if (due.strength, due.surplus) != (others.strength, others.surplus):
        return due.first == ((due.strength, due.surplus) > (others.strength, others.surplus))
    # as each had it when they last differed, exchanged
    return next((theirs for ours, theirs in zip(reversed(higher), reversed(lower), strict=False) if ours != theirs), due.first)


NOBODY: Final[Mapping[PlayerId, Fraction]] = MappingProxyType({})
FREE: Final = frozenset({Mark.BYE, Mark.WIN_BY_FORFEIT})
"""The marks of points without a game. A player who has had one of them, and not asked for it, is not to have a bye."""
WIDEST: Final = 2**125
"""The largest weight: the matching counts in 128 bits and doubles what it counts."""
FOUR_TIMES: Final = 4
"""The bits by which the squares of distances are cut. The distances then count in steps that are four times as wide."""


class Cost(NamedTuple):
    """The cost of a pairing, or of one pair or bye in it. Each field outweighs all fields after it.

    The first three are promises, and all are kept if they can be; if not, the last of them gives way first.
    """

    rematches: int
    """Pairs who have met."""
    second_byes: int
    """Byes of players who have had one, or a win by forfeit."""
    clashes: int
    """Pairs who are both absolutely due the same move order: one of them has it three times running, or with a surplus of three."""
    bye_score: int
    """The score of the player with the bye, above the lowest there is, in the smallest unit of scores."""
    gaps: int
    """The squares of the differences of scores within pairs, in the same unit."""
    floats: int
    """Pairs whose scores differ."""
    repeats: int
    """Players who meet somebody below them (or have the bye), and did so in the round before; the same for above."""
    strong: int
    """Players who do not have the first or second move that they are strongly or absolutely due."""
    mild: int
    """Players who do not have the first or second move that they are due."""
    halves: int
    """Pairs within the upper, or within the lower, half of a score group. The middle one of an odd group is of both."""
    places: int
    """Squares of the distances of players from their places, in the opponent's group.

    Within a group of n, the opponent's place is n // 2 below. Between groups, the upper player's place is the last of their group, and the
    lower player's place the first of theirs. The place of the bye is the last of a group.
    """


FREE_OF_COST: Final = Cost(*[0] * len(Cost._fields))


class Breach(StrEnum):
    """A promise that could not be kept."""

    REMATCH = "rematch"
    SECOND_BYE = "second bye"
    CLASH = "same move order again"
    ASKED_BYE = "bye asked for"
    """Only by hand: a player is paired who has asked for a bye."""


class Float(StrEnum):
    """A player's pairing with another score in the round before."""

    DOWN = "down"
    UP = "up"


@dataclass(frozen=True, slots=True)
class _Entrant:
    """A player, with the figures that count for pairing.

    `score` is in units; the player is number `at`, from 0, of the `group` with that score.
    """

    player: PlayerId
    is_odd: bool
    score: int
    group: int
    at: int
    history: History
    due: Wish | None
    met: frozenset[PlayerId]
    barred: frozenset[PlayerId]
    had_bye: bool
    floated: Float | None


def pair(
    number: int,
    players: Sequence[PlayerId],
    record: PlayRecord,
    scoring: Scoring,
    *,
    extra: Mapping[PlayerId, Fraction] = NOBODY,
    barred: Iterable[frozenset[PlayerId]] = (),
    odd_first: bool = True,
) -> tuple[Encounter, ...]:
    """Return the pairs of round `number` among `players`, who are in pairing order, strongest first, and all in `record`.

    The best scores stand first, and byes last. The pairing has as many pairs as possible. With an odd number one player has a bye; more
    have one only if `barred` pairs, who never meet, leave no choice. Among such pairings it is one of least `Cost`, the same every time.
    Running games count as met, and for no points. `extra` are points that players begin with. `odd_first`: players with odd numbers in
    pairing order move first if nothing else decides, which is the draw before round one. Raises ValueError if the scores of so many players
    are too far apart to be compared.
    """
    field = _field(players, record, scoring, extra, barred)
    meetings = {
        (high, low): _meeting(field[high], field[low])
        for high, low in combinations(range(len(field)), 2)
        if field[low].player not in field[high].barred
    }
    byes = [_bye(entrant, field[-1].score) for entrant in field]
    chosen = sorted(_matched(meetings, byes))
    idle = sorted(set(range(len(field))).difference(*chosen))
    return (
        *(Encounter(number, _in_order(field[high], field[low], odd_first=odd_first)) for high, low in chosen),
        *(Encounter(number, (field[at].player,), (Mark.BYE,)) for at in idle),
    )


def breaches(encounter: Encounter, record: PlayRecord, scoring: Scoring) -> tuple[Breach, ...]:
    """Return the promises that an encounter breaks after the games of `record`. In a round of `pair`, they could not be kept.

    A bye that was asked for breaks none.
    """
    if encounter.worth is not None:
        return ()
    if len(encounter.players) == 1:
        had_bye = any(part.mark in FREE and part.worth is None for part in record.parts(encounter.players[0]))
        return (Breach.SECOND_BYE,) if had_bye else ()
    histories = record.firsts(scoring)
    high, low = (wish(histories[player]) for player in encounter.players)
    found = {
        Breach.REMATCH: frozenset(encounter.players) in record.met(scoring),
        Breach.CLASH: clash(high, low) is WishStrength.ABSOLUTE,
    }
    return tuple(breach for breach, is_broken in found.items() if is_broken)


def _field(
    players: Sequence[PlayerId],
    record: PlayRecord,
    scoring: Scoring,
    extra: Mapping[PlayerId, Fraction],
    barred: Iterable[frozenset[PlayerId]],
) -> list[_Entrant]:
    """Return the players by rank: by score, and in pairing order among equals."""
    scores = {player: record.score(player, scoring) + extra.get(player, 0) for player in record.players}
    # whole units, so that all scores compare exactly
    unit = lcm(*(score.denominator for score in scores.values()))
    met, apart, histories = _others(record.met(scoring)), _others(barred), record.firsts(scoring)
    floated = _floated(record, scoring, extra)
    sizes, seen = Counter(scores[player] for player in players), Counter[Fraction]()
    field = []
    for at, player in sorted(enumerate(players), key=lambda one: (-scores[one[1]], one[0])):
        score = scores[player]
        field.append(
            _Entrant(
                player,
                is_odd=at % 2 == 0,
                score=int(score * unit),
                group=sizes[score],
                at=seen[score],
                history=histories[player],
                due=wish(histories[player]),
                met=met[player],
                barred=apart[player],
                had_bye=any(part.mark in FREE and part.worth is None for part in record.parts(player)),
                floated=floated.get(player),
            )
        )
        seen[score] += 1
    return field


def _others(pairs: Iterable[frozenset[PlayerId]]) -> Mapping[PlayerId, frozenset[PlayerId]]:
    """Return the partners in `pairs` of each player."""
    found: defaultdict[PlayerId, frozenset[PlayerId]] = defaultdict(frozenset)
    for both in pairs:
        for player in both:
            found[player] |= both - {player}
    return found


def _floated(record: PlayRecord, scoring: Scoring, extra: Mapping[PlayerId, Fraction]) -> Mapping[PlayerId, Float]:
    """Return the players who were paired with another score in the latest round, by the scores before it and today's `extra`.

    A player who was given more than for a loss, without a game, has floated down too (C.04.3, article 1.4.3).
    """
    latest = max((encounter.round for encounter in record.encounters), default=0)
    before = PlayRecord(record.players, [encounter for encounter in record.encounters if encounter.round < latest])
    scores = {player: before.score(player, scoring) + extra.get(player, 0) for player in record.players}
    parts = [(player, part) for player in record.players for part in record.parts(player) if part.round == latest]
    found = {player: _float(part, scores[player], scores, scoring) for player, part in parts}
    return {player: how for player, how in found.items() if how}


def _float(part: PlayerPart, score: Fraction, scores: Mapping[PlayerId, Fraction], scoring: Scoring) -> Float | None:
    if part.mark is not None and part.mark not in scoring.played:
        return Float.DOWN if scoring.points[part.mark] > scoring.points[Mark.LOSS] else None
    others = scores[part.opponents[0]]
    return None if score == others else Float.DOWN if score > others else Float.UP


def _meeting(high: _Entrant, low: _Entrant) -> Cost:
    """Return the cost of a meeting of the two."""
    refused = clash(high.due, low.due)
    gap = high.score - low.score
    if gap:
        halves, places = False, (high.group - 1 - high.at) ** 2 + low.at**2
    else:
        half = high.group // 2
        halves, places = low.at < half or high.at >= high.group - half, (low.at - high.at - half) ** 2
    return Cost(
        rematches=low.player in high.met,
        second_byes=0,
        clashes=refused is WishStrength.ABSOLUTE,
        bye_score=0,
        gaps=gap**2,
        floats=gap != 0,
        repeats=gap != 0 and (high.floated is Float.DOWN) + (low.floated is Float.UP),
        strong=refused is not None and refused >= WishStrength.STRONG,
        mild=refused is not None,
        halves=halves,
        places=places,
    )


def _bye(entrant: _Entrant, lowest: int) -> Cost:
    return FREE_OF_COST._replace(
        second_byes=int(entrant.had_bye),
        bye_score=entrant.score - lowest,
        repeats=int(entrant.floated is Float.DOWN),
        places=(entrant.group - 1 - entrant.at) ** 2,
    )


def _matched(meetings: Mapping[tuple[int, int], Cost], byes: Sequence[Cost]) -> list[tuple[int, int]]:
    """Return the most pairs that `meetings` allow, at the least cost with the `byes` of all others. The higher ranked stands first.

    A cost is a number of as many digits as it has parts, each digit in a base that no pairing reaches. A bye is a meeting with a number
    that is nobody's; there are as many of those as there have to be.
    """
    size = len(byes)
    everybody_may_meet = len(meetings) == size * (size - 1) // 2
    # how many have to stay idle is asked first, by a matching without costs, but only where barred pairs make it uncertain
    idle = size % 2 if everybody_may_meet else size - 2 * len(_matching(size, dict.fromkeys(meetings, 0)))
    costs = {**meetings, **{(at, size + nobody): byes[at] for at in range(size) for nobody in range(idle)}}
    # a pairing has `(size + idle) // 2` pairs and byes, each of the largest cost at most: so no sum reaches its base
    limits = Cost(*map(max, zip(FREE_OF_COST, *costs.values(), strict=True)))
    # Many hundred players with many scores have more to compare than fits: the distances, which matter least, then count less finely.
    for cut in range(0, limits.places.bit_length() + FOUR_TIMES, FOUR_TIMES):
        bases = [(size + idle) // 2 * limit + 1 for limit in limits._replace(places=limits.places >> cut)]
        digits = list(accumulate(reversed(bases[1:]), mul, initial=1))[::-1]
        weights = {both: -sum(map(mul, (*cost[:-1], cost.places >> cut), digits)) for both, cost in costs.items()}
        if -min(weights.values(), default=0) * (size + 1) <= WIDEST:
            return [both for both in _matching(size + idle, weights) if both[1] < size]
    raise ValueError(f"{size} players with these scores are too many to be paired at once")


def _matching(size: int, weights: Mapping[tuple[int, int], int]) -> list[tuple[int, int]]:
    """Return a matching of greatest weight among those with the most pairs, in a graph of `size` nodes. The smaller number stands first."""
    from rustworkx import PyGraph, max_weight_matching  # noqa: PLC0415  # it takes long to load, and most of what knows leagues pairs nobody

    graph: PyGraph[None, int] = PyGraph()  # no edge twice here, and looking for one costs more than the matching
    graph.add_nodes_from([None] * size)
    graph.add_edges_from([(*both, weight) for both, weight in weights.items()])
    return [(min(both), max(both)) for both in max_weight_matching(graph, max_cardinality=True, weight_fn=int)]


def _in_order(high: _Entrant, low: _Entrant, *, odd_first: bool) -> tuple[PlayerId, PlayerId]:
    is_first = higher_is_first(high.history, low.history, odd=high.is_odd is odd_first)
    return (high.player, low.player) if is_first else (low.player, high.player)
