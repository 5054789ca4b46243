"""Games of three and four: that everybody has the games due, how even meetings are, and that seats are shared."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, groupby

import pytest

from tests.cases import for_each
from turnserver.ids import PlayerId
from turnserver.league.formats import multiseat
from turnserver.league.formats.multiseat import MOST, table_schedule
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.record import Encounter

ROW = re.compile(r"^ +(\d+) +(\d) +(\d-\d) +(\d-\d) +(\d-\d) +(\d-\d)$", re.MULTILINE)
ROWS = [pytest.param(row, marks=[pytest.mark.long] if int(row[0]) != 8 else []) for row in ROW.findall(multiseat.__doc__ or "")]
"""Tables of many take seconds each."""


def numbers(size: int) -> list[PlayerId]:
    return [PlayerId(number + 1) for number in range(size)]


def tables(encounters: Sequence[Encounter]) -> list[tuple[PlayerId, ...]]:
    return [one.players for one in encounters if len(one.players) > 1]


def spread(encounters: Sequence[Encounter], size: int) -> tuple[int, int]:
    """Return how often the pair that meets least and the pair that meets most sit at one table."""
    often = [sum({one, other} <= set(table) for table in tables(encounters)) for one, other in combinations(numbers(size), 2)]
    return min(often), max(often)


CASES = [
    (4, 3, 4),
    (5, 6, 4),
    (7, 7, 4),
    (7, 8, 3),
    (9, 4, 3),
    (13, 13, 4),
    (10, 5, 3),
    (11, 2, 3),
    (14, 3, 3),
    (22, 2, 4),
    (23, 3, 4),
    (32, 3, 4),
]


@for_each(("players", "rounds", "size"), CASES)
def test_everybody_has_the_games_due(players: int, rounds: int, size: int) -> None:
    found = table_schedule(numbers(players), rounds, size)
    for number, those in groupby(found, key=lambda one: one.round):
        assert [len(one.players) for one in those if not one.marks] == [size] * (players // size), number
    assert Counter((one.round, player) for one in found for player in one.players) == Counter(
        (number + 1, player) for number in range(rounds) for player in numbers(players)
    )
    byes = Counter(dict.fromkeys(numbers(players), 0))
    byes.update(one.players[0] for one in found if len(one.players) == 1)
    assert max(byes.values()) - min(byes.values()) <= 1
    assert all(one.marks == ((Mark.BYE,) if len(one.players) == 1 else ()) for one in found)


@for_each(("players", "rounds", "size"), CASES)
def test_seats_are_shared(players: int, rounds: int, size: int) -> None:
    found = tables(table_schedule(numbers(players), rounds, size))
    for player in numbers(players):
        seats = [table.index(player) for table in found if player in table]
        often = [seats.count(seat) for seat in range(size)]
        assert max(often) - min(often) <= 1


def test_nobody_has_a_partner_in_a_bye() -> None:
    found = table_schedule(numbers(5), 5, 4, ({1, 3}, {2, 4}))
    assert sorted(one.players[0] for one in found if one.marks) == numbers(5)
    partners = Counter(frozenset((table[first], table[first + 2])) for table in tables(found) for first in (0, 1))
    assert max(partners.values()) <= 2


@for_each(
    ("players", "rounds", "size", "expected"),
    [
        # Everybody once, by an affine plane and by Kirkman's schoolgirls.
        (9, 4, 3, (1, 1)),
        (16, 5, 4, (1, 1)),
        (15, 7, 3, (1, 1)),
        # Cycles, with and without a player off the circle, and with byes.
        (8, 7, 4, (3, 3)),
        (9, 8, 3, (2, 2)),
        (12, 11, 4, (3, 3)),
        (5, 5, 4, (3, 3)),
        (13, 13, 4, (3, 3)),
        # Two of them, and rounds besides.
        (8, 14, 4, (6, 6)),
        (12, 12, 4, (3, 4)),
        (4, 3, 4, (3, 3)),
    ],
)
def test_meetings_are_even_where_the_numbers_allow(players: int, rounds: int, size: int, expected: tuple[int, int]) -> None:
    assert spread(table_schedule(numbers(players), rounds, size), players) == expected


@pytest.mark.thorough
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} at {row[1]}")
def test_the_table_of_meetings_is_true(row: Sequence[str]) -> None:
    players, size = int(row[0]), int(row[1])
    found = [spread(table_schedule(numbers(players), rounds, size), players) for rounds in (3, 5, 7, players - 1)]
    assert ["-".join(map(str, one)) for one in found] == list(row[2:])


def test_the_table_of_meetings_is_whole() -> None:
    rows = ROW.findall(multiseat.__doc__ or "")
    assert [(int(row[0]), int(row[1])) for row in rows] == [(size * many, size) for size in (3, 4) for many in range(2, MOST // size + 1)]


@for_each(("players", "size"), [(2, 3), (3, 4), (33, 4), (8, 2), (8, 5)])
def test_what_cannot_be_is_refused(players: int, size: int) -> None:
    with pytest.raises(ValueError, match="tables are for 3 or 4"):
        table_schedule(numbers(players), 3, size)
