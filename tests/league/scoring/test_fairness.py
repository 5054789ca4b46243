"""The signs of unfair play that an admin is shown, the limits from which they are, and their reasons."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.cases import for_each
from turnserver.ids import GameId, PlayerId
from turnserver.league.scoring.fairness import (
    Crowded,
    Ending,
    Finding,
    FirstMoves,
    Gifts,
    Limits,
    Streak,
    Traded,
    Unexpected,
    crowds,
    first_moves,
    fitting,
    gifts,
    report,
    streaks,
    surprises,
    trades,
)
from turnserver.league.scoring.marks import OTHER_SIDE, USUAL, Mark
from turnserver.league.scoring.record import Encounter

ADA, BOB, CLEO, DAN, EVE = map(PlayerId, (1, 2, 3, 4, 5))
WIN, LOSS, DRAW, FORFEIT, TIMEOUT = Mark.WIN, Mark.LOSS, Mark.DRAW, Mark.FORFEIT, Mark.TIMEOUT


def of_two(one: PlayerId, other: PlayerId, mark: Mark | None = None) -> Encounter:
    return Encounter(1, (one, other), () if mark is None else (mark, OTHER_SIDE[mark]))


def endings(*games: tuple[PlayerId, PlayerId, Mark, int, bool]) -> list[Ending]:
    """Games of two, numbered from 1: who met whom, what it was to the former, turns, and whether it was resigned."""
    return [
        Ending(of_two(one, other, mark), GameId(number), turns, resigned)
        for number, (one, other, mark, turns, resigned) in enumerate(games, 1)
    ]


def left(*marks: Mark) -> list[Ending]:
    """Games of Ada, each against Bob, with these marks for her."""
    return endings(*((ADA, BOB, mark, 30, False) for mark in marks))


def both(*wins: PlayerId, turns: int = 4, resigned: bool = True) -> list[Ending]:
    """Games of Ada and Bob, Ada first each second time, and who won."""
    return endings(
        *(
            (ADA, BOB, WIN if who == ADA else LOSS, turns, resigned)
            if number % 2
            else (BOB, ADA, WIN if who == BOB else LOSS, turns, resigned)
            for number, who in enumerate(wins)
        )
    )


@for_each(
    ("games", "runs"),
    [
        (left(TIMEOUT, FORFEIT, TIMEOUT), [(1, 2, 3)]),
        (left(TIMEOUT, TIMEOUT), []),
        (left(TIMEOUT, TIMEOUT, LOSS, TIMEOUT), []),
        (left(LOSS, TIMEOUT, TIMEOUT, TIMEOUT, DRAW, FORFEIT, FORFEIT, FORFEIT, FORFEIT), [(2, 3, 4), (6, 7, 8, 9)]),
        (left(TIMEOUT, TIMEOUT, Mark.ANNULLED, Mark.NO_RESULT, TIMEOUT), [(1, 2, 5)]),
        (left(Mark.WIN_ON_TIME, Mark.WIN_BY_FORFEIT, WIN), []),
    ],
)
def test_streaks_of_abandoned_games(games: list[Ending], runs: list[tuple[int, ...]]) -> None:
    assert list(streaks(games)) == [Streak(ADA, tuple(map(GameId, run))) for run in runs]


def test_a_streak_goes_on_against_others_and_at_larger_tables() -> None:
    table = Ending(Encounter(1, (BOB, CLEO, ADA), (WIN, LOSS, TIMEOUT), (1, 2, 3)), GameId(9), 40)
    games = [*endings((ADA, BOB, TIMEOUT, 9, False), (CLEO, ADA, Mark.WIN_ON_TIME, 9, False)), table]
    assert list(streaks(games)) == [Streak(ADA, (GameId(1), GameId(2), GameId(9)))]
    assert not list(streaks(games, Limits(streak=4)))


@for_each(
    ("mark", "turns", "resigned", "found"),
    [
        (LOSS, 10, True, True),
        (LOSS, 11, True, False),
        (LOSS, 2, False, False),
        (DRAW, 2, True, False),
        (WIN, 2, True, False),
        (TIMEOUT, 90, False, True),
    ],
)
def test_what_was_resigned_early_was_given_up(mark: Mark, turns: int, resigned: bool, found: bool) -> None:
    games = endings(*((ADA, BOB, mark, turns, resigned) for _ in range(3)))
    assert (Streak(ADA, (GameId(1), GameId(2), GameId(3))) in streaks(games)) is found


def test_nobody_knows_who_resigned_at_a_larger_table() -> None:
    table = Ending(Encounter(1, (ADA, BOB, CLEO), (WIN, LOSS, LOSS), (1, 2, 3)), GameId(1), 4, resigned=True)
    assert not list(streaks([table], Limits(streak=1)))


@for_each(
    ("games", "runs"),
    [
        (both(ADA, BOB, ADA, BOB), [(1, 2, 3, 4)]),
        (both(ADA, BOB, ADA), []),
        (both(ADA, BOB, ADA, BOB, turns=11), []),
        (both(ADA, BOB, ADA, BOB, turns=10), [(1, 2, 3, 4)]),
        (both(ADA, BOB, ADA, BOB, resigned=False), []),
        (both(ADA, ADA, BOB, ADA, BOB, BOB, ADA, BOB, ADA, BOB), [(2, 3, 4, 5), (6, 7, 8, 9, 10)]),
        (both(ADA, BOB, ADA, ADA, BOB, ADA), []),
        (endings(*((ADA, BOB, mark, 0, False) for mark in (FORFEIT, Mark.WIN_BY_FORFEIT, TIMEOUT, Mark.WIN_ON_TIME))), [(1, 2, 3, 4)]),
        (endings(*((ADA, BOB, DRAW, 2, True) for _ in range(8))), []),
    ],
)
def test_wins_that_are_traded(games: list[Ending], runs: list[tuple[int, ...]]) -> None:
    found = list(trades(games))
    assert [one.games for one in found] == runs
    assert all(one.players == (ADA, BOB) and len(one.winners) == len(one.turns) == len(one.games) for one in found)


def test_a_trade_has_its_reasons() -> None:
    games = [*both(ADA, BOB), Ending(of_two(ADA, BOB, WIN), GameId(8), 60), Ending(of_two(BOB, CLEO, LOSS), GameId(9), 1, resigned=True)]
    games.append(Ending(of_two(BOB, ADA, LOSS), GameId(10), 6, resigned=True))
    assert list(trades(games, Limits(trades=3))) == [Traded((ADA, BOB), (GameId(1), GameId(2), GameId(10)), (ADA, BOB, ADA), (4, 4, 6))]


@for_each(
    ("games", "found"),
    [
        (both(BOB, BOB, BOB, BOB), [(BOB, ADA)]),
        (both(BOB, BOB, BOB, BOB, resigned=False), [(BOB, ADA)]),
        (both(BOB, BOB, BOB), []),
        (both(BOB, BOB, BOB, BOB, ADA), []),
        (both(BOB, BOB, BOB, BOB, turns=11), []),
        ([*both(ADA, ADA, ADA, ADA), Ending(of_two(ADA, BOB, LOSS), GameId(5), 30)], [(ADA, BOB)]),
    ],
)
def test_short_games_that_all_went_to_one(games: list[Ending], found: list[tuple[PlayerId, PlayerId]]) -> None:
    assert list(gifts(games)) == [Gifts(winner, loser, tuple(map(GameId, (1, 2, 3, 4))), (4, 4, 4, 4)) for winner, loser in found]


def expecting(*games: tuple[PlayerId, PlayerId, Mark, float | None]) -> list[Ending]:
    """Games of two, numbered from 1: who met whom, what it was to the former, and what they were expected to score."""
    return [Ending(of_two(one, other, mark), GameId(number), 40, expected=due) for number, (one, other, mark, due) in enumerate(games, 1)]


@for_each(
    ("games", "found"),
    [
        ([(ADA, BOB, WIN, 0.1)] * 3, [((ADA, BOB), 3, 0.3, (1, 2, 3))]),
        ([(ADA, BOB, WIN, 0.1)] * 2, []),
        ([(ADA, BOB, WIN, 0.1)] * 2 + [(BOB, ADA, LOSS, 0.9)], [((ADA, BOB), 3, 0.3, (1, 2, 3))]),
        ([(ADA, BOB, LOSS, 0.9)] * 3, [((BOB, ADA), 3, 0.3, (1, 2, 3))]),
        ([(ADA, BOB, WIN, 0.5)] * 9, []),
        ([(ADA, BOB, WIN, 0.5)] * 10, [((ADA, BOB), 10, 5, tuple(range(1, 11)))]),
        ([(ADA, BOB, WIN, 0.9)] * 20, []),
        ([(ADA, BOB, WIN, 1.0)] * 3, []),
        ([(ADA, BOB, WIN, None)] * 3, []),
        ([(ADA, BOB, FORFEIT, 0.9)] * 3, []),
        ([(ADA, BOB, DRAW, 0.01)] * 4, [((ADA, BOB), 2, 0.04, (1, 2, 3, 4))]),
        ([(ADA, BOB, WIN, 0.1), (ADA, CLEO, WIN, 0.1), (BOB, ADA, LOSS, 0.9)], []),
    ],
)
def test_results_that_nobody_expected(
    games: list[tuple[PlayerId, PlayerId, Mark, float | None]],
    found: list[tuple[tuple[PlayerId, PlayerId], int, float, tuple[int, ...]]],
) -> None:
    known = [(one.players, int(one.scored), round(one.expected, 9), one.games) for one in surprises(expecting(*games), USUAL)]
    assert known == found


def test_tables_of_more_surprise_nobody() -> None:
    table = Encounter(1, (ADA, BOB, CLEO), (WIN, LOSS, LOSS), (1, 2, 3))
    assert not list(surprises([Ending(table, GameId(1), 9, expected=0.01)], USUAL, Limits(pairs=1)))


def running(game: int, *players: PlayerId) -> Encounter:
    return Encounter(1, players, game=GameId(game))


@pytest.mark.parametrize(
    ("most", "found"),
    [(0, []), (3, []), (2, [Crowded(ADA, (GameId(1), GameId(2), GameId(4)), 2)])],
)
def test_who_plays_more_than_they_may(most: int, found: list[Crowded]) -> None:
    over = Encounter(1, (ADA, BOB), (WIN, LOSS), game=GameId(3))
    games = [running(1, ADA, BOB), running(2, CLEO, ADA), over, running(4, ADA, DAN, BOB), of_two(ADA, CLEO)]
    assert list(crowds(games, most)) == found


@for_each(
    ("encounters", "found"),
    [
        ([of_two(ADA, BOB), of_two(ADA, CLEO)], []),
        ([of_two(ADA, BOB), of_two(ADA, CLEO), of_two(ADA, DAN)], [FirstMoves(ADA, 3, 3, Fraction(3, 2))]),
        ([of_two(ADA, BOB), of_two(ADA, CLEO), of_two(ADA, DAN, FORFEIT)], []),
        ([of_two(one, BOB, WIN) for one in (ADA, CLEO, DAN)], [FirstMoves(BOB, 3, 0, Fraction(3, 2))]),
        (
            [running(1, ADA, BOB), running(2, BOB, ADA), *(running(number, ADA, other) for number, other in ((3, CLEO), (4, DAN)))],
            [],
        ),
        (
            [*(running(number, ADA, other) for number, other in ((3, CLEO), (4, DAN))), of_two(ADA, BOB)],
            [FirstMoves(ADA, 3, 3, Fraction(3, 2), (GameId(3), GameId(4)))],
        ),
        ([Encounter(1, (ADA,), (Mark.BYE,)), of_two(ADA, BOB), of_two(ADA, CLEO)], []),
        ([Encounter(1, (ADA, BOB, CLEO))], []),
        ([Encounter(1, (ADA, BOB, CLEO)), Encounter(2, (ADA, DAN, BOB))], [FirstMoves(ADA, 2, 2, Fraction(2, 3))]),
    ],
)
def test_first_moves(encounters: Sequence[Encounter], found: list[FirstMoves]) -> None:
    assert list(first_moves(encounters, USUAL)) == found


@for_each(
    ("lengths", "short"),
    [((), 10), ((2, 2, 2, 2), 10), ((6, 6, 6, 6, 6), 3), ((60, 2, 70, 80, 2), 10), ((7, 7, 7, 7, 7, 7), 3), ((1, 1, 1, 1, 1), 0)],
)
def test_what_is_short_where_games_are(lengths: Sequence[int], short: int) -> None:
    assert fitting(lengths) == Limits(short=short)


def test_bye_is_never_a_first_move() -> None:
    everything = replace(USUAL, played=frozenset(Mark))
    assert not list(first_moves([Encounter(number, (ADA,), (Mark.BYE,)) for number in range(9)], everything))


def test_the_report_has_them_all_by_its_limits() -> None:
    games = [*both(ADA, BOB, ADA, BOB), Ending(of_two(ADA, CLEO, TIMEOUT), GameId(5), 3, expected=0.9)]
    limits = Limits(streak=1, short=3, trades=1, gifts=1, pairs=1, surprise=2, firsts=Fraction(1, 4))
    encounters = [of_two(ADA, CLEO, TIMEOUT), of_two(DAN, BOB), of_two(BOB, DAN), running(6, DAN, EVE), running(7, EVE, DAN)]
    expected: tuple[Finding, ...] = (
        Streak(ADA, (GameId(5),)),
        Traded((ADA, CLEO), (GameId(5),), (CLEO,), (3,)),
        Gifts(CLEO, ADA, (GameId(5),), (3,)),
        Unexpected((CLEO, ADA), (GameId(5),), Fraction(1), 1 - 0.9),
        FirstMoves(ADA, 1, 1, Fraction(1, 2)),
        FirstMoves(CLEO, 1, 0, Fraction(1, 2)),
        Crowded(DAN, (GameId(6), GameId(7)), 1),
        Crowded(EVE, (GameId(6), GameId(7)), 1),
    )
    assert report(encounters, games, USUAL, limits, at_once=1) == expected
    assert [type(one) for one in report((), games, USUAL)] == [Traded]
