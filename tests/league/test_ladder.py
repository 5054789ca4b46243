"""Ladder: who may challenge whom, what becomes of the order, and that nobody ever gets lost."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnserver.envelope import PlayerId
from turnserver.errors import NotAllowed
from turnserver.league.ladder import (
    Challenge,
    Ladder,
    Rules,
    Rung,
    Winner,
    aged,
    challenged,
    join,
    leave,
    open_to,
    over,
    refused,
    seats,
)
from turnserver.league.marks import Mark

START = datetime(2026, 5, 4, 12, tzinfo=UTC)
DAY = timedelta(days=1)
RULES = Rules()


def challenge(text: str) -> Challenge:
    """`4-2`: 4 wants the place of 2."""
    challenger, defender = text.split("-")
    return Challenge(PlayerId(int(challenger)), PlayerId(int(defender)))


def ladder(order: str = "12345", challenges: str = "") -> Ladder:
    rungs = tuple(Rung(PlayerId(int(one)), START) for one in order)
    return Ladder(rungs, tuple(map(challenge, challenges.split())))


def order(found: Ladder) -> str:
    return "".join(map(str, found.order))


def since(found: Ladder, player: int) -> datetime:
    return dict(found.rungs)[PlayerId(player)]


@pytest.mark.parametrize(
    ("challenges", "wanted", "rules", "code", "words"),
    [
        ("", "9-2", RULES, "not_on_ladder", "You are not on this ladder."),
        ("", "2-9", RULES, "not_on_ladder", "This player is not on this ladder."),
        ("", "2-2", RULES, "not_above", "players who stand above you"),
        ("", "2-3", RULES, "not_above", "players who stand above you"),
        ("", "5-1", RULES, "out_of_reach", "up to 3 places above you; this one stands 4 above you."),
        ("", "3-1", Rules(reach=1), "out_of_reach", "up to 1 place above you; this one stands 2 above you."),
        ("4-3", "4-3", RULES, "open_already", "a challenge between the two of you already"),
        ("3-4", "4-3", RULES, "open_already", "a challenge between the two of you already"),
        ("4-3 4-2", "4-1", RULES, "too_many_games", "2 challenges of yours at a time"),
        ("4-3", "4-1", Rules(games=1), "too_many_games", "1 challenge of yours at a time"),
        ("3-2 5-2", "4-2", RULES, "too_many_defences", "as many challenges as a player has to meet"),
    ],
)
def test_what_is_not_allowed(challenges: str, wanted: str, rules: Rules, code: str, words: str) -> None:
    with pytest.raises(NotAllowed) as refusal:
        challenged(ladder(challenges=challenges), rules, challenge(wanted))
    assert (refusal.value.code, words in refusal.value.message) == (code, True)


@pytest.mark.parametrize(
    ("challenges", "challenger", "expected"),
    [
        ("", 5, "234"),
        ("", 2, "1"),
        ("", 1, ""),
        ("", 9, ""),
        ("5-4", 5, "23"),
        ("4-3 5-3", 3, "12"),
        ("2-1 3-1", 4, "23"),
        ("3-2 3-1", 4, "123"),
    ],
)
def test_who_may_be_challenged(challenges: str, challenger: int, expected: str) -> None:
    assert "".join(map(str, open_to(ladder(challenges=challenges), RULES, PlayerId(challenger)))) == expected


def test_a_challenge_is_kept() -> None:
    assert challenged(ladder(challenges="3-2"), RULES, challenge("4-2")) == ladder(challenges="3-2 4-2")


@pytest.mark.parametrize(
    ("mark", "rules", "expected"),
    [
        (Mark.WIN, RULES, "14235"),
        (Mark.WIN, Rules(winner=Winner.SWAPS), "14325"),
        (Mark.WIN_BY_FORFEIT, RULES, "14235"),
        (Mark.WIN_ON_TIME, RULES, "14235"),
        (Mark.WIN_ON_TIME, Rules(timeout_drop=2), "14352"),
        (Mark.WIN_ON_TIME, Rules(timeout_drop=9), "14352"),
        (Mark.TIMEOUT, RULES, "12345"),
        (Mark.TIMEOUT, Rules(timeout_drop=1), "12354"),
        *[
            (mark, Rules(timeout_drop=1, refusal_drop=1), "12345")
            for mark in (Mark.LOSS, Mark.FORFEIT, Mark.NO_RESULT, Mark.ANNULLED, Mark.DRAW)
        ],
        (Mark.DRAW, Rules(draw_lifts=True), "12435"),
    ],
)
def test_what_a_game_does(mark: Mark, rules: Rules, expected: str) -> None:
    found = over(ladder(challenges="4-2 5-4"), rules, challenge("4-2"), mark, START + DAY)
    assert (order(found), found.challenges) == (expected, (challenge("5-4"),))
    assert [since(found, player) - START for player in (2, 4, 5)] == [DAY, DAY, 0 * DAY]


def test_whoever_stands_above_meanwhile_has_nothing_to_win() -> None:
    for mark in (Mark.WIN, Mark.DRAW):
        assert order(over(ladder("14235", "4-2"), Rules(draw_lifts=True), challenge("4-2"), mark, START)) == "14235"


@pytest.mark.parametrize(("drop", "expected"), [(0, "14235"), (1, "14325"), (7, "14352")])
def test_a_refusal_loses_the_place(drop: int, expected: str) -> None:
    found = refused(ladder(challenges="4-2"), Rules(refusal_drop=drop), challenge("4-2"), START + DAY)
    assert (order(found), found.challenges) == (expected, ())
    assert (since(found, 2), since(found, 4)) == (START, START + DAY)


@pytest.mark.parametrize("end", [partial(over, mark=Mark.WIN), refused])
def test_what_was_not_asked_cannot_end(end: Callable[..., Ladder]) -> None:
    with pytest.raises(ValueError, match="player 4 has not challenged player 2"):
        end(ladder(challenges="2-4"), RULES, challenge("4-2"), now=START)


def test_newcomers_stand_at_the_bottom() -> None:
    found = join(ladder("21"), PlayerId(3), START + DAY)
    assert (order(found), since(found, 3), join(found, PlayerId(1), START + 2 * DAY)) == ("213", START + DAY, found)


def test_whoever_leaves_takes_his_challenges_along() -> None:
    found = leave(ladder(challenges="4-2 5-4 3-1"), PlayerId(4), START + DAY)
    assert (order(found), found.challenges) == ("1235", (challenge("3-1"),))
    assert [since(found, player) - START for player in (1, 2, 3, 5)] == [0 * DAY, DAY, 0 * DAY, DAY]


@pytest.mark.parametrize(
    ("rungs", "challenges", "days", "drop", "expected"),
    [
        ("1.0 2.0 3.9", "", 9, 1, "123 "),
        ("1.0 2.9 3.9", "", 10, 1, "213 1"),
        ("1.0 2.9 3.9", "", 10, 2, "231 1"),
        ("1.0 2.9 3.9", "", 10, 9, "231 1"),
        ("1.0 2.9 3.9", "", 10, 0, "123 1"),
        # Those who drop together keep their order, and let everybody else pass.
        ("1.0 2.0 3.9", "", 10, 1, "312 21"),
        ("1.9 2.0 3.0", "", 10, 1, "123 32"),
        ("1.0 2.0 3.0", "", 10, 5, "123 321"),
        # After as long again, he drops again; and each at his time.
        ("1.0 2.9 3.9 4.9", "", 18, 1, "2134 1"),
        ("1.0 2.19 3.19 4.19", "", 20, 1, "2314 11"),
        ("1.0 2.5 3.19", "", 15, 1, "123 12"),
        ("1.0 2.9 3.9", "3-1", 15, 1, "123 "),
    ],
)
def test_idle_players_drop(rungs: str, challenges: str, days: int, drop: int, expected: str) -> None:
    whole = tuple(Rung(PlayerId(int(one[0])), START + int(one[2:]) * DAY) for one in rungs.split())
    found, drops = aged(Ladder(whole, tuple(map(challenge, challenges.split()))), Rules(idle=10 * DAY, idle_drop=drop), START + days * DAY)
    assert f"{order(found)} {''.join(str(one.player) for one in drops)}" == expected


@pytest.mark.parametrize(
    ("challenger", "defender", "expected"),
    [((), (), (4, 2)), ((True,), (), (2, 4)), ((), (True,), (4, 2)), ((False,), (False,), (2, 4)), ((True,), (True,), (4, 2))],
)
def test_who_moves_first(challenger: Sequence[bool], defender: Sequence[bool], expected: tuple[int, int]) -> None:
    assert seats(challenge("4-2"), challenger, defender) == expected


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        *[({name: 0}, "are one at least") for name in ("reach", "games", "defences")],
        *[({name: -1}, "less than nothing") for name in ("timeout_drop", "refusal_drop", "idle_drop")],
        ({"idle": 0 * DAY}, "takes some time"),
    ],
)
def test_rules_that_nobody_could_play_by(rules: dict[str, int], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Rules(**rules)  # type: ignore[arg-type]  # wrong on purpose


def a_step(found: Ladder, rules: Rules, now: datetime, chance: Random) -> Ladder:
    player = chance.choice(found.order)
    match chance.randrange(5):
        case 0 | 1 if choice := open_to(found, rules, player):
            return challenged(found, rules, Challenge(player, chance.choice(choice)))
        case 2 if found.challenges:
            return refused(found, rules, chance.choice(found.challenges), now)
        case _ if found.challenges:
            return over(found, rules, chance.choice(found.challenges), chance.choice(list(Mark)), now)
        case _:
            return found


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    winner=st.sampled_from(Winner), lifts=st.booleans(), drops=st.tuples(*[st.integers(0, 3)] * 3), chance=st.randoms(use_true_random=False)
)
def test_nobody_gets_lost(*, winner: Winner, lifts: bool, drops: tuple[int, int, int], chance: Random) -> None:
    rules = Rules(3, 2, 2, winner, lifts, drops[0], drops[1], 7 * DAY, drops[2])
    found = rarely = ladder("123456789")
    for at in range(60):
        now = START + at * DAY
        found = a_step(aged(found, rules, now)[0], rules, now, chance)
        assert sorted(found.order) == list(range(1, 10))
        assert len(set(found.challenges)) == len(found.challenges)
        for player in found.order:
            assert sum(one.challenger == player for one in found.challenges) <= rules.games
            assert sum(one.defender == player for one in found.challenges) <= rules.defences
        rarely = found
        for _ in range(3):
            now += 5 * DAY
            rarely = aged(rarely, rules, now)[0]
        assert rarely == aged(found, rules, now)[0]
