"""The encounters that count for ratings, for whom, and as what."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.cases import for_each
from turnserver.ids import Burden, GameId, PlayerId
from turnserver.league.scoring.marks import OTHER_SIDE, USUAL, Mark
from turnserver.league.scoring.record import Encounter
from turnserver.league.scoring.results import Bearer, RatedResult, bearer, result_of

ADA, BOB, CLEO, DAN = map(PlayerId, (1, 2, 3, 4))
AT = datetime(2026, 5, 4, 12, tzinfo=UTC)
GAME = GameId(7)
A, B, C, D = (Bearer(player) for player in (ADA, BOB, CLEO, DAN))


@for_each(
    ("changes", "found"),
    [
        ([], A),
        ([(BOB, Burden.SEAT)], A),
        ([(BOB, Burden.SUBSTITUTE)], B),
        ([(BOB, Burden.NONE)], Bearer(BOB, counts=False)),
        ([(BOB, Burden.SEAT), (CLEO, Burden.SEAT)], A),
        ([(BOB, Burden.SEAT), (CLEO, Burden.SUBSTITUTE)], C),
        ([(BOB, Burden.SUBSTITUTE), (CLEO, Burden.SEAT)], B),
        ([(BOB, Burden.NONE), (CLEO, Burden.SEAT)], Bearer(BOB, counts=False)),
        ([(BOB, Burden.NONE), (CLEO, Burden.SUBSTITUTE)], C),
    ],
)
def test_who_bears_a_result(changes: list[tuple[PlayerId, Burden]], found: Bearer) -> None:
    assert bearer(ADA, changes) == found


def of_two(mark: Mark) -> Encounter:
    return Encounter(1, (ADA, BOB), (mark, OTHER_SIDE[mark]), game=GAME)


@for_each(
    ("mark", "places"),
    [(Mark.WIN, (1, 2)), (Mark.LOSS, (2, 1)), (Mark.DRAW, (1, 1)), (Mark.WIN_ON_TIME, (1, 2)), (Mark.TIMEOUT, (2, 1))],
)
def test_games_on_the_board_count(mark: Mark, places: tuple[int, int]) -> None:
    assert result_of(of_two(mark), AT, USUAL) == RatedResult(AT, GAME, ((A,), (B,)), places)


FOUR = Encounter(1, (ADA, BOB, CLEO, DAN), (Mark.WIN, Mark.LOSS, Mark.WIN, Mark.LOSS), (1, 3, 1, 4), GAME)


@for_each(
    ("encounter", "teams", "bearers", "sides", "places"),
    [
        (FOUR, (), {}, ((A,), (B,), (C,), (D,)), (1, 3, 1, 4)),
        (FOUR, ((1, 3), (2, 4)), {}, ((A, C), (B, D)), (1, 3)),
        (replace(FOUR, places=()), ((2, 4), (1, 3)), {}, ((B, D), (A, C)), (2, 1)),
        (of_two(Mark.WIN), (), {BOB: D, CLEO: C}, ((A,), (D,)), (1, 2)),
        (of_two(Mark.WIN), (), {BOB: Bearer(DAN, counts=False)}, ((A,), (Bearer(DAN, counts=False),)), (1, 2)),
    ],
)
def test_tables_teams_and_substitutes(
    encounter: Encounter,
    teams: Sequence[Sequence[int]],
    bearers: Mapping[PlayerId, Bearer],
    sides: tuple[tuple[Bearer, ...], ...],
    places: tuple[int, ...],
) -> None:
    assert result_of(encounter, AT, USUAL, teams=teams, bearers=bearers) == RatedResult(AT, GAME, sides, places)


@for_each(
    "encounter",
    [
        Encounter(1, (ADA, BOB), game=GAME),
        Encounter(1, (ADA,), (Mark.BYE,)),
        replace(of_two(Mark.WIN), game=None),
        *(of_two(mark) for mark in (Mark.WIN_BY_FORFEIT, Mark.FORFEIT, Mark.NO_RESULT, Mark.ANNULLED)),
    ],
)
def test_what_does_not_count(encounter: Encounter) -> None:
    assert result_of(encounter, AT, USUAL) is None


def test_what_does_not_count_even_if_all_marks_are_rated() -> None:
    everything = replace(USUAL, rated=frozenset(Mark))
    assert result_of(of_two(Mark.FORFEIT), AT, everything) == RatedResult(AT, GAME, ((A,), (B,)), (2, 1))
    assert result_of(Encounter(1, (ADA, BOB), (Mark.FORFEIT, Mark.FORFEIT), game=GAME), AT, everything) is None
    assert result_of(Encounter(1, (ADA,), (Mark.BYE,), game=GAME), AT, everything) is None


@for_each(
    ("at", "sides", "places", "why"),
    [
        (AT.replace(tzinfo=None), ((A,), (B,)), (1, 2), "zone"),
        (AT, ((A,),), (1,), "two sides or more"),
        (AT, ((A,), ()), (1, 2), "two sides or more"),
        (AT, ((A,), (B,)), (1,), "two sides or more"),
        (AT, ((A,), (B, A)), (1, 2), "in the result twice"),
    ],
)
def test_what_cannot_be_is_refused(at: datetime, sides: tuple[tuple[Bearer, ...], ...], places: tuple[int, ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        RatedResult(at, GAME, sides, places)
