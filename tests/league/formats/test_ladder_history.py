"""The history of a ladder: the order in which things count, and the ladder after a result has changed."""

from datetime import timedelta
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import for_each
from tests.league.formats.test_ladder import DAY, LENIENT, START, claim, ladder, order, since
from turnserver.ids import PlayerId
from turnserver.league.formats.ladder import (
    ChallengeMadeAt,
    ChallengeOver,
    Climb,
    Joined,
    Left,
    Step,
    Sunk,
    after,
    corrected,
    reopened,
    replayed,
)
from turnserver.league.scoring.marks import OTHER_SIDE, Mark


def step(text: str) -> Step:
    """`1 +6`: on the first day 6 joins; `-6`: they leave; `4>2`: challenges; `4=2 win`: what it was to 4; `~23`: these drop."""
    day, what, *mark = text.split()
    at = START + float(day) * DAY
    match what[0], what[1:]:
        case "+", player:
            return Joined(PlayerId(int(player)), at)
        case "-", player:
            return Left(PlayerId(int(player)), at)
        case "~", players:
            return Sunk(tuple(PlayerId(int(one)) for one in players), at)
        case _ if mark:
            own = Mark(mark[0])
            return ChallengeOver(int(what.replace("=", "")), (own, OTHER_SIDE[own]), at)
        case _:
            return ChallengeMadeAt(claim(what.replace(">", "-")), at)


def climb(*steps: str) -> Climb:
    found = Climb(LENIENT, ladder(), ladder())
    for text in steps:
        found = after(found, step(text))
    return found


BEFORE = ("1 4>2", "1 3>1")
CASES = [
    (("1 +6",), "123456"),
    (("1 +6", "2 -6"), "12345"),
    (("1 -1",), "2345"),
    (("1 -1", "2 +1"), "23451"),
    (("1 ~23",), "14235"),
    ((*BEFORE, "2 4=2 win", "3 3=1 win"), "31425"),
    # What was over first counts first, whenever it becomes known.
    ((*BEFORE, "3 3=1 win", "2 4=2 win"), "31425"),
    ((*BEFORE, "2 3=1 win", "3 4=2 win"), "31425"),
    (("1 4>2", "1 5>4", "3 5=4 win", "2 4=2 win"), "15423"),
    (("1 4>2", "1 5>4", "3 4=2 win", "2 5=4 win"), "14235"),
    (("1 4>2", "4 +6", "2 4=2 win", "3 -5"), "14236"),
    # At the same instant, the order of the log counts.
    ((*BEFORE, "2 3=1 win", "2 4=2 win"), "31425"),
    # Who leaves takes their challenges along, whatever they come to.
    (("1 4>2", "2 -2", "2 4=2 win"), "1345"),
    (("1 4>2", "2 -2", "3 +2", "4 4=2 win"), "13452"),
    # No clock that goes back makes the end of a game come before its beginning, or a player leave before they have come.
    (("2 4>2", "1 4=2 win"), "14235"),
    (("2 +6", "1 -6"), "12345"),
]


@for_each(("steps", "expected"), CASES, ids=[" ".join(each) for each, _ in CASES])
def test_what_has_happened_makes_the_order(steps: tuple[str, ...], expected: str) -> None:
    found = climb(*steps)
    assert order(found.ladder) == expected
    assert replayed(found) == found.ladder
    instants = [each.at for each in found.steps]
    assert instants == sorted(instants)


CHAIN = ("1 4>2", "2 4=2 win", "3 5>4", "4 5=4 win")


@for_each(
    ("meeting", "mark", "expected"),
    [(42, Mark.LOSS, "12354"), (54, Mark.LOSS, "14235"), (42, Mark.ANNULLED, "12354"), (42, Mark.WIN, "15423"), (99, Mark.LOSS, "15423")],
)
def test_a_correction_makes_the_order_again(meeting: int, mark: Mark, expected: str) -> None:
    found = corrected(climb(*CHAIN), meeting, (mark, OTHER_SIDE[mark]))
    assert order(found.ladder) == expected
    assert [since(found.ladder, player) - START for player in (2, 4, 5)] == [2 * DAY, 4 * DAY, 4 * DAY]


def test_a_game_that_goes_on_has_changed_nothing() -> None:
    found = reopened(climb(*CHAIN), 42)
    assert (order(found.ladder), found.ladder.claims) == ("12354", (claim("4-2"),))
    assert order(after(found, step("6 4=2 draw")).ladder) == "12354"
    assert order(after(found, step("6 4=2 win")).ladder) == "14235"


@settings(max_examples=60)
@given(chance=st.randoms(use_true_random=False))
def test_in_whatever_order_results_become_known_the_ladder_is_the_same(chance: Random) -> None:
    pairs = [(2, 1), (3, 1), (4, 2), (5, 3), (5, 2)]
    made = climb(*(f"0 {one}>{other}" for one, other in pairs))
    ends = [
        ChallengeOver(
            10 * one + other,
            (mark := chance.choice([Mark.WIN, Mark.LOSS, Mark.TIMEOUT, Mark.NO_RESULT]), OTHER_SIDE[mark]),
            START + timedelta(minutes=at),
        )
        for at, (one, other) in enumerate(chance.sample(pairs, len(pairs)))
    ]
    found = []
    for ordered in (ends, chance.sample(ends, len(ends))):
        now = made
        for end in ordered:
            now = after(now, end)
        found.append(now)
    assert found[0] == found[1]
