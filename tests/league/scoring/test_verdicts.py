"""The verdict on a meeting, at tables of two and of more."""

from collections.abc import Collection, Mapping, Sequence
from itertools import permutations, product
from typing import Any

from tests.cases import for_each
from turnserver.ids import PlayerId
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.record import Verdict, alike, by_places, drawn, ended, fits, forfeited

ADA, BOB, CLEO, DAN = map(PlayerId, (11, 12, 13, 14))
TWO, FOUR = (ADA, BOB), (ADA, BOB, CLEO, DAN)
OWN = ({1}, {2}, {3}, {4})
PAIRS = ({1, 3}, {2, 4})
LETTERS = {
    "W": Mark.WIN,
    "D": Mark.DRAW,
    "L": Mark.LOSS,
    "w": Mark.WIN_BY_FORFEIT,
    "f": Mark.FORFEIT,
    "O": Mark.WIN_ON_TIME,
    "T": Mark.TIMEOUT,
    "n": Mark.NO_RESULT,
    "a": Mark.ANNULLED,
    "b": Mark.BYE,
}


def verdict(marks: str, places: str = "") -> Verdict:
    return Verdict(tuple(LETTERS[mark] for mark in marks), tuple(map(int, places)))


@for_each(
    ("found", "expected"),
    [
        (alike(TWO), verdict("nn")),
        (alike(FOUR, Mark.ANNULLED), verdict("aaaa")),
        (drawn(TWO), verdict("DD")),
        (drawn(FOUR), verdict("DDDD", "1111")),
        (drawn(FOUR, [BOB]), verdict("DLDD", "1411")),
        (drawn(FOUR, FOUR), verdict("nnnn")),
        (forfeited(TWO, [ADA]), verdict("fw")),
        (forfeited(TWO, TWO), verdict("ff")),
        (forfeited(FOUR, [BOB, DAN]), verdict("wfwf", "1313")),
        (forfeited(FOUR, FOUR), verdict("ffff")),
        (drawn(FOUR, [BOB], PAIRS), verdict("DDDD", "1111")),
        (drawn(FOUR, [BOB, DAN], PAIRS), verdict("DLDL", "1313")),
        (forfeited(FOUR, [BOB], PAIRS), verdict("wfwL", "1313")),
        (forfeited(FOUR, [BOB, DAN], PAIRS), verdict("wfwf", "1313")),
        (forfeited(FOUR, [ADA, BOB], PAIRS), verdict("nnnn")),
        (forfeited(FOUR, FOUR, PAIRS), verdict("ffff")),
        (by_places((2, 1, 2, 4)), verdict("LWLL", "2124")),
        (by_places((1, 1, 3)), verdict("WWL", "113")),
        (by_places((1, 1, 1)), verdict("DDD", "111")),
    ],
)
def test_verdicts(found: Verdict, expected: Verdict) -> None:
    assert found == expected


@for_each(
    ("teams", "winners", "more", "expected"),
    [
        (({1}, {2}), {2}, {}, verdict("LW")),
        (({1}, {2}), {2}, {"left": [1], "late": {1}}, verdict("TO")),
        (({1}, {2}), (), {}, verdict("DD")),
        (({1}, {2}), {1, 2}, {}, verdict("DD")),
        (OWN, {3}, {}, verdict("LLWL", "2212")),
        (OWN, {3}, {"scores": (4, 7, 10, 4)}, verdict("LLWL", "3213")),
        (OWN, {1, 2, 3, 4}, {}, verdict("WWWW", "1111")),
        (OWN, {1, 2}, {"scores": (9, 9, 0, 4)}, verdict("WWLL", "1143")),
        # Who has left is behind those who stayed, whatever their score is, and whoever left first is last.
        (OWN, {4}, {"scores": (9, 3, 9, 5), "left": [1, 3]}, verdict("LLLW", "4231")),
        (OWN, {4}, {"left": [3, 1, 2], "late": {1, 2}}, verdict("TTLW", "3241")),
        (OWN, {4}, {"left": [3, 1, 2], "late": {1, 2, 3}}, verdict("TTTO", "3241")),
        (OWN, (), {"left": [3], "late": {3}}, verdict("DDTD", "1141")),
        (PAIRS, {1, 3}, {}, verdict("WLWL", "1313")),
        # A side is as good as the better of its two, and its winner who was not there at the end has won.
        (PAIRS, {2, 4}, {"left": [4, 3], "late": {4, 3}}, verdict("LWTW", "3131")),
        (PAIRS, (), {"left": [2], "late": {2}}, verdict("DDDD", "1111")),
    ],
)
def test_what_a_game_has_come_to(
    teams: Sequence[Collection[int]], winners: Collection[int], more: Mapping[str, Any], expected: Verdict
) -> None:
    assert ended(teams, winners, **more) == expected


def test_every_end_of_a_game_of_two_is_a_result() -> None:
    teams = ({1}, {2})
    for won, left, late in product((set[int](), {1}, {2}, {1, 2}), ((), (1,), (2,), (2, 1)), (set[int](), {1}, {1, 2})):
        found = ended(teams, won, left=left, late=late)
        assert fits(TWO, found, teams), (won, left, late, found)


def test_every_end_of_a_game_is_a_result() -> None:
    for teams in (OWN, PAIRS):
        for left in permutations((1, 2, 3, 4), 2):
            for winners, late, scores in product(({1, 3}, {2}, set[int]()), ((), left[:1], left), ((), (3, 1, 3, 0))):
                won = {seat for team in teams if winners & team for seat in team}
                found = ended(teams, won, scores=scores, left=left, late=late)
                assert fits(FOUR, found, teams), (teams, left, winners, late, scores)


@for_each(
    ("told", "players", "teams", "fit"),
    [
        (verdict("WL"), TWO, (), True),
        (verdict("ff"), TWO, (), True),
        (verdict("WW"), TWO, (), False),
        (verdict("W"), TWO, (), False),
        (verdict("bL"), TWO, (), False),
        (verdict("WL", "12"), TWO, (), False),
        (verdict("WLL", "123"), FOUR[:3], OWN[:3], True),
        (verdict("WLLL", "1234"), FOUR[:3], OWN[:3], False),
        (verdict("WLL", "12"), FOUR[:3], OWN[:3], False),
        (verdict("WLL"), FOUR[:3], OWN[:3], False),
        (verdict("WLLb", "1234"), FOUR, OWN, False),
        (verdict("nnnn"), FOUR, OWN, True),
        (verdict("nnna"), FOUR, OWN, False),
        (verdict("nnnn", "1111"), FOUR, OWN, False),
        (verdict("LLLL"), FOUR, OWN, False),
        (verdict("WLLL", "1224"), FOUR, OWN, True),
        (verdict("WLLL", "1223"), FOUR, OWN, False),
        (verdict("WLLL", "0123"), FOUR, OWN, False),
        (verdict("LWLL", "1234"), FOUR, OWN, False),
        (verdict("WWLL", "1134"), FOUR, OWN, True),
        (verdict("WWLL", "1234"), FOUR, OWN, False),
        (verdict("WDLL", "1134"), FOUR, OWN, False),
        (verdict("DDLT", "1134"), FOUR, OWN, True),
        (verdict("wLLf", "1234"), FOUR, OWN, True),
        (verdict("wLLT", "1234"), FOUR, OWN, False),
        (verdict("OLLT", "1234"), FOUR, OWN, True),
        (verdict("OLLL", "1234"), FOUR, OWN, False),
        (verdict("WLWL", "1313"), FOUR, PAIRS, True),
        (verdict("WLLL", "1234"), FOUR, PAIRS, False),
        (verdict("wwfw", "1141"), FOUR, PAIRS, False),
        (verdict("wfwL", "1313"), FOUR, PAIRS, True),
    ],
)
def test_what_goes_together(told: Verdict, players: Sequence[PlayerId], teams: Sequence[Collection[int]], fit: bool) -> None:
    assert fits(players, told, teams) is fit
