"""Round robin by the Berger tables, and what every round robin has to keep."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, groupby

import pytest

from tests.cases import for_each
from turnserver.ids import PlayerId
from turnserver.league.formats.round_robin import round_robin
from turnserver.league.scoring.marks import USUAL, Mark
from turnserver.league.scoring.record import Encounter, PlayRecord

TABLES = {  # FIDE Handbook, C.05, annex 1
    4: """
        1-4 2-3
        4-3 1-2
        2-4 3-1
    """,
    6: """
        1-6 2-5 3-4
        6-4 5-3 1-2
        2-6 3-1 4-5
        6-5 1-4 2-3
        3-6 4-2 5-1
    """,
    8: """
        1-8 2-7 3-6 4-5
        8-5 6-4 7-3 1-2
        2-8 3-1 4-7 5-6
        8-6 7-5 1-4 2-3
        3-8 4-2 5-1 6-7
        8-7 1-6 2-5 3-4
        4-8 5-3 6-2 7-1
    """,
    10: """
        1-10 2-9 3-8 4-7 5-6
        10-6 7-5 8-4 9-3 1-2
        2-10 3-1 4-9 5-8 6-7
        10-7 8-6 9-5 1-4 2-3
        3-10 4-2 5-1 6-9 7-8
        10-8 9-7 1-6 2-5 3-4
        4-10 5-3 6-2 7-1 8-9
        10-9 1-8 2-7 3-6 4-5
        5-10 6-4 7-3 8-2 9-1
    """,
    12: """
        1-12 2-11 3-10 4-9 5-8 6-7
        12-7 8-6 9-5 10-4 11-3 1-2
        2-12 3-1 4-11 5-10 6-9 7-8
        12-8 9-7 10-6 11-5 1-4 2-3
        3-12 4-2 5-1 6-11 7-10 8-9
        12-9 10-8 11-7 1-6 2-5 3-4
        4-12 5-3 6-2 7-1 8-11 9-10
        12-10 11-9 1-8 2-7 3-6 4-5
        5-12 6-4 7-3 8-2 9-1 10-11
        12-11 1-10 2-9 3-8 4-7 5-6
        6-12 7-5 8-4 9-3 10-2 11-1
    """,
    14: """
        1-14 2-13 3-12 4-11 5-10 6-9 7-8
        14-8 9-7 10-6 11-5 12-4 13-3 1-2
        2-14 3-1 4-13 5-12 6-11 7-10 8-9
        14-9 10-8 11-7 12-6 13-5 1-4 2-3
        3-14 4-2 5-1 6-13 7-12 8-11 9-10
        14-10 11-9 12-8 13-7 1-6 2-5 3-4
        4-14 5-3 6-2 7-1 8-13 9-12 10-11
        14-11 12-10 13-9 1-8 2-7 3-6 4-5
        5-14 6-4 7-3 8-2 9-1 10-13 11-12
        14-12 13-11 1-10 2-9 3-8 4-7 5-6
        6-14 7-5 8-4 9-3 10-2 11-1 12-13
        14-13 1-12 2-11 3-10 4-9 5-8 6-7
        7-14 8-6 9-5 10-4 11-3 12-2 13-1
    """,
    16: """
        1-16 2-15 3-14 4-13 5-12 6-11 7-10 8-9
        16-9 10-8 11-7 12-6 13-5 14-4 15-3 1-2
        2-16 3-1 4-15 5-14 6-13 7-12 8-11 9-10
        16-10 11-9 12-8 13-7 14-6 15-5 1-4 2-3
        3-16 4-2 5-1 6-15 7-14 8-13 9-12 10-11
        16-11 12-10 13-9 14-8 15-7 1-6 2-5 3-4
        4-16 5-3 6-2 7-1 8-15 9-14 10-13 11-12
        16-12 13-11 14-10 15-9 1-8 2-7 3-6 4-5
        5-16 6-4 7-3 8-2 9-1 10-15 11-14 12-13
        16-13 14-12 15-11 1-10 2-9 3-8 4-7 5-6
        6-16 7-5 8-4 9-3 10-2 11-1 12-15 13-14
        16-14 15-13 1-12 2-11 3-10 4-9 5-8 6-7
        7-16 8-6 9-5 10-4 11-3 12-2 13-1 14-15
        16-15 1-14 2-13 3-12 4-11 5-10 6-9 7-8
        8-16 9-7 10-6 11-5 12-4 13-3 14-2 15-1
    """,
}
SIZES = range(2, 34)
BOTH = [(size, double) for size in SIZES for double in (False, True)]


def numbers(size: int) -> list[PlayerId]:
    return [PlayerId(number + 1) for number in range(size)]


def rounds(encounters: Sequence[Encounter]) -> list[list[Encounter]]:
    return [list(those) for _, those in groupby(encounters, key=lambda one: one.round)]


def shown(encounters: Sequence[Encounter], nobody: int) -> list[list[str]]:
    """The rounds as the tables have them, and a bye as who would have met number `nobody`."""
    return [
        ["-".join(map(str, one.players)) if len(one.players) == 2 else f"{one.players[0]} with {nobody}" for one in those]
        for those in rounds(encounters)
    ]


@for_each("size", TABLES)
def test_even_numbers_are_as_published(size: int) -> None:
    assert shown(round_robin(numbers(size)), size) == [line.split() for line in TABLES[size].strip().splitlines()]


@for_each("size", TABLES)
def test_odd_numbers_have_a_bye_instead_of_the_highest(size: int) -> None:
    published = [
        [f"{(set(pair.split('-')) - {str(size)}).pop()} with {size}" if str(size) in pair.split("-") else pair for pair in line.split()]
        for line in TABLES[size].strip().splitlines()
    ]
    assert shown(round_robin(numbers(size - 1)), size) == published


@pytest.mark.thorough
def test_everybody_meets_everybody() -> None:
    for size, double in BOTH:
        games = [one.players for one in round_robin(numbers(size), double=double) if len(one.players) == 2]
        pairs = set(combinations(numbers(size), 2))
        met = Counter(games) if double else Counter(tuple(sorted(both)) for both in games)
        assert met == Counter(pairs | {(second, first) for first, second in pairs if double}), (size, double)


def test_everybody_has_one_encounter_a_round() -> None:
    for size, double in BOTH:
        found = rounds(round_robin(numbers(size), double=double))
        assert [sorted(player for one in those for player in one.players) for those in found] == [numbers(size)] * len(found), (
            size,
            double,
        )
        assert [those[0].round for those in found] == list(range(1, (size - 1 + size % 2) * (1 + double) + 1)), (size, double)


def test_byes_are_shared() -> None:
    for size, double in BOTH:
        byes = [one for one in round_robin(numbers(size), double=double) if one.marks]
        assert all(one.marks == (Mark.BYE,) for one in byes), (size, double)
        assert Counter(one.players[0] for one in byes) == Counter(numbers(size) * (1 + double) if size % 2 else []), (size, double)


@pytest.mark.thorough
def test_first_moves_are_shared() -> None:
    for size, double in BOTH:
        histories = PlayRecord(numbers(size), round_robin(numbers(size), double=double)).firsts(USUAL).values()
        assert all(abs(2 * sum(history) - len(history)) <= (0 if double else 1) for history in histories), (size, double)


@pytest.mark.thorough
def test_nobody_is_first_or_second_three_times_running() -> None:
    for size, double in BOTH:
        histories = PlayRecord(numbers(size), round_robin(numbers(size), double=double)).firsts(USUAL).values()
        assert max(len(list(run)) for history in histories for _, run in groupby(history)) <= 2, (size, double)


def test_a_double_one_exchanges_two_rounds() -> None:
    once, twice = rounds(round_robin(numbers(6))), rounds(round_robin(numbers(6), double=True))
    order = [[one.players for one in once[at]] for at in (0, 1, 2, 4, 3)]
    assert [[one.players for one in those] for those in twice[:5]] == order


@pytest.mark.parametrize("size", [0, 1])
def test_there_have_to_be_two(size: int) -> None:
    assert round_robin(numbers(size)) == ()
