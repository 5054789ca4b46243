"""Swiss pairing: what it promises, that no other pairing is better, and small rounds in which each objective decides."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from tests.league.formats.naive_swiss import Naive, all_pairings
from turnserver.ids import PlayerId
from turnserver.league.formats.swiss import FREE_OF_COST, Breach, Cost, _matched, breaches, pair
from turnserver.league.scoring.marks import OTHER_SIDE, USUAL, Mark, Scoring
from turnserver.league.scoring.record import Encounter, PlayRecord

RESULTS = {"1": Mark.WIN, "=": Mark.DRAW, "0": Mark.LOSS, "+": Mark.WIN_BY_FORFEIT, "-": Mark.FORFEIT, "n": Mark.NO_RESULT, "*": None}
MIXED = (*[Mark.WIN, Mark.DRAW, Mark.LOSS] * 3, Mark.WIN_BY_FORFEIT, Mark.FORFEIT, Mark.NO_RESULT)
THREE = Scoring({**USUAL.points, Mark.WIN: Fraction(3), Mark.DRAW: Fraction(1), Mark.BYE: Fraction(3)}, USUAL.rated, USUAL.played)


def numbers(size: int) -> list[PlayerId]:
    return [PlayerId(number + 1) for number in range(size)]


def played(number: int, line: str) -> list[Encounter]:
    """A round as `1-3=1 4-2=* 5`: the second figure is the result of the first mover, and whoever stands alone has a bye."""
    found = []
    for word in line.split():
        both, _, result = word.partition(":")
        players = tuple(PlayerId(int(one)) for one in both.split("-"))
        mark = RESULTS[result or "*"]
        marks = (Mark.BYE,) if len(players) == 1 else () if mark is None else (mark, OTHER_SIDE[mark])
        found.append(Encounter(number, players, marks))
    return found


def shown(pairing: Sequence[Encounter]) -> str:
    return " ".join("-".join(map(str, one.players)) for one in pairing)


def broken_by(pairing: Sequence[Encounter], record: PlayRecord) -> list[tuple[Breach, str]]:
    return [(breach, shown([one])) for one in pairing for breach in breaches(one, record, USUAL)]


def results(encounters: Sequence[Encounter], chance: Random, marks: Sequence[Mark] = (Mark.WIN, Mark.DRAW, Mark.LOSS)) -> list[Encounter]:
    return [
        one if one.marks else Encounter(one.round, one.players, (mark, OTHER_SIDE[mark]))
        for one, mark in zip(encounters, chance.choices(marks, k=len(encounters)), strict=True)
    ]


@pytest.mark.parametrize(
    ("ahead", "distances"),
    [
        pytest.param(2**53, 0, id="everything fits"),
        pytest.param(2**54, 8, id="distances count less finely, and nothing else does"),
    ],
)
def test_numbers_that_are_too_long_cost_fineness_where_it_matters_least(ahead: int, distances: int) -> None:
    players = numbers(12)
    extra = {player: Fraction(ahead + (player == 1)) for player in players[:6]}
    found = pair(1, players, PlayRecord(players, []), USUAL, extra=extra)
    cost = Naive(players, [], USUAL, extra).cost([one.players for one in found])
    assert cost == FREE_OF_COST._replace(gaps=1, floats=1, places=distances)


@for_each(
    ("size", "rounds", "extra", "expected"),
    [
        (0, [], {}, ""),
        (1, [], {}, "1"),
        # Nobody has played: the upper half meets the lower, odd numbers are first, the last has the bye.
        (8, [], {}, "1-5 6-2 3-7 8-4"),
        (7, [], {}, "1-4 5-2 3-6 7"),
        # Winners meet winners, and everybody has the other first or second move than before.
        (8, ["1-5:1 6-2:0 3-7:1 8-4:0"], {}, "4-1 2-3 5-8 7-6"),
        # Games that are still played are games, and those without a result are none.
        (4, ["1-3:* 2-4:*"], {}, "4-1 3-2"),
        (4, ["1-3:n 4-2:n"], {}, "1-3 4-2"),
        # Of those with one point 3 alone has had no bye.
        (5, ["1-3:1 4-2:0 5", "2-1:= 3-5:1 4"], {}, "1-4 5-2 3"),
        # So has the leader, where 3 has had one and 1 has won without a game.
        (3, ["1-2:+ 3"], {2: 9}, "1-3 2"),
        # The last of those with a point meets the first of those without.
        (6, [], {1: 1, 2: 1, 3: 1}, "1-2 3-4 5-6"),
        # Two differences of a point are less than one of two.
        (4, [], {1: 2, 2: 1, 3: 1}, "1-2 3-4"),
        # Pairing order decides among equals only: 4 is the strongest here.
        (4, [], {4: 2, 3: 2, 1: 1, 2: 1}, "3-4 1-2"),
    ],
)
def test_small_rounds(size: int, rounds: Sequence[str], extra: Mapping[int, int], expected: str) -> None:
    games = [game for at, line in enumerate(rounds) for game in played(at + 1, line)]
    begun = {PlayerId(player): Fraction(points) for player, points in extra.items()}
    record = PlayRecord(numbers(size), games)
    found = pair(len(rounds) + 1, numbers(size), record, USUAL, extra=begun)
    assert (shown(found), broken_by(found, record)) == (expected, [])


def test_the_draw_may_be_the_other_way_round() -> None:
    assert shown(pair(1, numbers(8), PlayRecord(numbers(8), []), USUAL, odd_first=False)) == "5-1 2-6 7-3 4-8"


def test_who_pauses_is_not_paired() -> None:
    present = [PlayerId(number) for number in (1, 3, 4)]
    assert shown(pair(2, present, PlayRecord(numbers(4), played(1, "1-3:1 4-2:1")), USUAL)) == "4-1 3"


@for_each(
    ("size", "rounds", "expected", "broken"),
    [
        (2, ["1-2:="], "2-1", [(Breach.REMATCH, "2-1")]),
        (3, ["1-2:+ 3", "1-3:1 2"], "2-1 3", [(Breach.SECOND_BYE, "3")]),
        (4, ["1-2:= 3-4:=", "1-4:= 3-2:="], "3-1 2-4", [(Breach.CLASH, "3-1"), (Breach.CLASH, "2-4")]),
        (3, ["1-2:= 3", "3-1:= 2", "2-3:= 1"], "1-2 3", [(Breach.REMATCH, "1-2"), (Breach.SECOND_BYE, "3")]),
    ],
)
def test_what_cannot_be_kept_is_told(size: int, rounds: Sequence[str], expected: str, broken: Sequence[tuple[Breach, str]]) -> None:
    games = [game for at, line in enumerate(rounds) for game in played(at + 1, line)]
    record = PlayRecord(numbers(size), games)
    found = pair(len(rounds) + 1, numbers(size), record, USUAL)
    assert (shown(found), broken_by(found, record)) == (expected, broken)


@pytest.mark.parametrize(
    ("size", "barred", "expected"),
    [
        (4, ["1-3"], "1-4 3-2"),
        (2, ["1-2"], "1 2"),
        (4, ["1-2", "1-3", "1-4", "2-4"], "3-2 1 4"),
    ],
)
def test_barred_players_never_meet(size: int, barred: Sequence[str], expected: str) -> None:
    pairs = [frozenset(PlayerId(int(one)) for one in both.split("-")) for both in barred]
    assert shown(pair(1, numbers(size), PlayRecord(numbers(size), []), USUAL, barred=pairs)) == expected


def test_what_cannot_be_compared_exactly_is_refused() -> None:
    with pytest.raises(ValueError, match="2 players with these scores are too many"):
        pair(1, numbers(2), PlayRecord(numbers(2), []), USUAL, extra={PlayerId(1): Fraction(2**70)})


@for_each("part", range(len(Cost._fields) - 1))
def test_the_least_of_a_part_outweighs_all_that_follows(part: int) -> None:
    dear = Cost(*[int(at == part) for at in range(len(Cost._fields))])
    cheap = Cost(*[int(at > part) for at in range(len(Cost._fields))])
    meetings = {(0, 1): dear, (2, 3): FREE_OF_COST, (4, 5): FREE_OF_COST} | dict.fromkeys([(1, 2), (3, 4), (0, 5)], cheap)
    assert sorted(_matched(meetings, [FREE_OF_COST] * 6)) == [(0, 5), (1, 2), (3, 4)]


@given(
    size=st.integers(2, 8),
    rounds=st.integers(1, 6),
    scoring=st.sampled_from((USUAL, THREE)),
    begun=st.lists(st.integers(0, 2), min_size=8, max_size=8),
    apart=st.lists(st.sets(st.integers(1, 8), min_size=2, max_size=2), max_size=3),
    chance=st.randoms(use_true_random=False),
)
def test_no_pairing_is_better(*, size: int, rounds: int, scoring: Scoring, begun: list[int], apart: list[set[int]], chance: Random) -> None:
    players, games = numbers(size), list[Encounter]()
    chance.shuffle(players)
    extra = {player: Fraction(points, 2) for player, points in zip(players, begun, strict=False) if points}
    barred = {frozenset(map(PlayerId, both)) for both in apart}
    for at in range(rounds):
        found = pair(at + 1, players, PlayRecord(players, games), scoring, extra=extra, barred=barred)
        naive = Naive(players, games, scoring, extra)
        assert naive.cost([one.players for one in found]) == min(map(naive.cost, all_pairings(players, barred)))
        assert sorted(player for one in found for player in one.players) == sorted(players)
        assert not barred.intersection(frozenset(one.players) for one in found)
        games += results(found, chance, MIXED)


@pytest.mark.parametrize(("size", "rounds"), [(20, 7), (21, 7), (40, 9), (41, 9)])
def test_a_whole_event_keeps_its_promises(size: int, rounds: int) -> None:
    players, games, chance = numbers(size), list[Encounter](), Random(size)  # noqa: S311  # results to pair by
    for at in range(rounds):
        record = PlayRecord(players, games)
        found = pair(at + 1, players, record, USUAL)
        assert not broken_by(found, record)
        assert sorted(player for one in found for player in one.players) == players
        games += results(found, chance)
    assert len({frozenset(one.players) for one in games}) == len(games)
    assert set(Counter(one.players[0] for one in games if len(one.players) == 1).values()) <= {1}
    for history in PlayRecord(players, games).firsts(USUAL).values():
        assert abs(2 * sum(history) - len(history)) <= 2
        assert max(len(list(run)) for _, run in groupby(history)) <= 2
