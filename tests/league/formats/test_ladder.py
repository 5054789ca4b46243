"""Ladder: who may challenge whom, what becomes of the order, and that nobody ever gets lost."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import for_each
from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.league.formats.ladder import (
    Ladder,
    LadderChallenge,
    LadderRules,
    Rung,
    Winner,
    begun,
    challenged,
    challenger_is_first,
    check,
    join,
    leave,
    next_idle,
    over,
    sunk,
)
from turnserver.league.scoring.marks import OTHER_SIDE, Mark

START = datetime(2026, 5, 4, 12, tzinfo=UTC)
DAY = timedelta(days=1)
RULES = LadderRules()
LENIENT = LadderRules(late_drop=0)
RESTING = LadderRules(rest=7 * DAY, late_drop=0)


def claim(text: str) -> LadderChallenge:
    """`4-2`: 4 wants the place of 2, in meeting 42."""
    challenger, defender = text.split("-")
    return LadderChallenge(int(challenger + defender), PlayerId(int(challenger)), PlayerId(int(defender)))


def ladder(order: str = "12345", claims: str = "") -> Ladder:
    return Ladder(begun([PlayerId(int(one)) for one in order], START).rungs, tuple(map(claim, claims.split())))


def order(found: Ladder) -> str:
    return "".join(map(str, found.order))


def since(found: Ladder, player: int) -> datetime:
    return next(rung.idle_since for rung in found.rungs if rung.player == player)


@for_each(
    ("claims", "wanted", "rules", "code", "words"),
    [
        ("", "2-2", RULES, "not_above", "only challenge players above you"),
        ("", "2-3", RULES, "not_above", "only challenge players above you"),
        ("", "5-1", RULES, "out_of_reach", "up to 3 places above you, and this one is 4 above you."),
        ("", "3-1", LadderRules(reach=1), "out_of_reach", "up to 1 place above you, and this one is 2 above you."),
        ("4-3", "4-3", RULES, "open_already", "have a challenge going already"),
        ("3-4", "4-3", RULES, "open_already", "have a challenge going already"),
        ("4-3 4-2", "4-1", RULES, "too_many_games", "2 challenges of your own at a time"),
        ("4-3", "4-1", LadderRules(games=1), "too_many_games", "1 challenge of your own at a time"),
        ("3-2 5-2", "4-2", RULES, "too_many_defences", "as many challenges as anybody has to play"),
    ],
)
def test_what_is_not_allowed(claims: str, wanted: str, rules: LadderRules, code: str, words: str) -> None:
    with pytest.raises(NotAllowed) as refusal:
        check(ladder(claims=claims), rules, *claim(wanted)[1:], START)
    assert (refusal.value.code, words in refusal.value.message) == (code, True)


def open_to(found: Ladder, rules: LadderRules, challenger: PlayerId, now: datetime) -> tuple[PlayerId, ...]:
    """The players whom a player may challenge now, the highest first."""

    def allowed(defender: PlayerId) -> bool:
        try:
            check(found, rules, challenger, defender, now)
        except NotAllowed:
            return False
        return True

    return tuple(filter(allowed, found.order))


@for_each(
    ("claims", "challenger", "expected"),
    [
        ("", 5, "234"),
        ("", 2, "1"),
        ("", 1, ""),
        ("5-4", 5, "23"),
        ("4-3 5-3", 3, "12"),
        ("2-1 3-1", 4, "23"),
        ("3-2 3-1", 4, "123"),
    ],
)
def test_who_may_be_challenged(claims: str, challenger: int, expected: str) -> None:
    assert "".join(map(str, open_to(ladder(claims=claims), RULES, PlayerId(challenger), START))) == expected


@for_each(
    ("mark", "days", "rests"),
    [
        (Mark.LOSS, 0, True),
        (Mark.LOSS, 6.9, True),
        (Mark.LOSS, 7, False),
        (Mark.DRAW, 1, True),
        (Mark.TIMEOUT, 1, True),
        # Who has not come has not earned a rest, nor has anybody from a game that is none.
        (Mark.WIN_ON_TIME, 1, False),
        (Mark.WIN_BY_FORFEIT, 1, False),
        (Mark.NO_RESULT, 1, False),
        (Mark.ANNULLED, 1, False),
    ],
)
def test_who_has_met_a_challenge_has_a_rest(*, mark: Mark, days: float, rests: bool) -> None:
    found = over(ladder(claims="4-2"), RESTING, 42, (mark, OTHER_SIDE[mark]), START)
    assert (PlayerId(2) not in open_to(found, RESTING, PlayerId(5), START + days * DAY)) is rests


def test_that_somebody_rests_is_told() -> None:
    found = over(ladder(claims="4-2"), RESTING, 42, (Mark.LOSS, Mark.WIN), START)
    with pytest.raises(NotAllowed, match="rests for 7 days") as refusal:
        check(found, RESTING, PlayerId(5), PlayerId(2), START)
    assert refusal.value.code == "resting"


def test_the_challenger_has_no_rest() -> None:
    found = over(ladder(claims="3-2"), RESTING, 32, (Mark.WIN, Mark.LOSS), START)
    assert open_to(found, RESTING, PlayerId(4), START + DAY) == (1, 3)


def test_a_challenge_is_kept() -> None:
    assert challenged(ladder(claims="3-2"), claim("4-2")) == ladder(claims="3-2 4-2")


@for_each(
    ("mark", "rules", "expected"),
    [
        (Mark.WIN, RULES, "14235"),
        (Mark.WIN, LadderRules(winner=Winner.SWAPS), "14325"),
        (Mark.WIN_BY_FORFEIT, LENIENT, "14235"),
        (Mark.WIN_BY_FORFEIT, RULES, "14325"),
        (Mark.WIN_ON_TIME, LENIENT, "14235"),
        (Mark.WIN_ON_TIME, LadderRules(late_drop=2), "14352"),
        (Mark.WIN_ON_TIME, LadderRules(late_drop=9), "14352"),
        (Mark.TIMEOUT, LENIENT, "12345"),
        (Mark.TIMEOUT, RULES, "12354"),
        (Mark.FORFEIT, RULES, "12354"),
        *[(mark, RULES, "12345") for mark in (Mark.LOSS, Mark.NO_RESULT, Mark.ANNULLED, Mark.DRAW)],
        (Mark.DRAW, LadderRules(draw_lifts=True), "12435"),
    ],
)
def test_what_a_game_does(mark: Mark, rules: LadderRules, expected: str) -> None:
    found = over(ladder(claims="4-2 5-4"), rules, 42, (mark, OTHER_SIDE[mark]), START + DAY)
    assert (order(found), found.claims) == (expected, (claim("5-4"),))
    assert [since(found, player) - START for player in (2, 4, 5)] == [DAY, DAY, 0 * DAY]


def test_both_may_have_stayed_away() -> None:
    assert order(over(ladder(claims="4-2"), RULES, 42, (Mark.FORFEIT, Mark.FORFEIT), START)) == "13254"


def test_whoever_stands_above_meanwhile_has_nothing_to_win() -> None:
    for mark in (Mark.WIN, Mark.DRAW):
        assert order(over(ladder("14235", "4-2"), LadderRules(draw_lifts=True), 42, (mark, OTHER_SIDE[mark]), START)) == "14235"


def test_what_is_over_does_not_end_again() -> None:
    assert over(ladder(claims="2-4"), RULES, 42, (Mark.WIN, Mark.LOSS), START) == ladder(claims="2-4")


def test_newcomers_stand_at_the_bottom() -> None:
    found = join(ladder("21"), PlayerId(3), START + DAY)
    assert (order(found), since(found, 3), join(found, PlayerId(1), START + 2 * DAY)) == ("213", START + DAY, found)


def test_whoever_leaves_takes_their_challenges_along() -> None:
    found = leave(ladder(claims="4-2 5-4 3-1"), PlayerId(4), START + DAY)
    assert (order(found), found.claims) == ("1235", (claim("3-1"),))
    assert [since(found, player) - START for player in (1, 2, 3, 5)] == [0 * DAY, DAY, 0 * DAY, DAY]


@for_each(
    ("rungs", "claims", "rules", "expected"),
    [
        ("1.0 2.9 3.8 4.8", "", LadderRules(idle=10 * DAY), "18 34"),
        ("1.0 2.9 3.8 4.8", "4-1", LadderRules(idle=10 * DAY), "18 3"),
        ("1.0 2.9 3.8 4.8", "4-1 3-2", LadderRules(idle=10 * DAY), "nobody"),
        ("1.0 2.9", "", LadderRules(idle=10 * DAY, idle_drop=0), "nobody"),
        ("1.0 2.9", "", LadderRules(idle=None), "nobody"),
        # Who stands at the top has nobody to challenge.
        ("1.0", "", LadderRules(idle=10 * DAY), "nobody"),
        ("", "", LadderRules(idle=10 * DAY), "nobody"),
    ],
)
def test_who_is_idle_next(rungs: str, claims: str, rules: LadderRules, expected: str) -> None:
    whole = tuple(Rung(PlayerId(int(one[0])), START + int(one[2:]) * DAY) for one in rungs.split())
    found = next_idle(Ladder(whole, tuple(map(claim, claims.split()))), rules)
    told = "nobody" if found is None else f"{(found[0] - START).days} {''.join(map(str, found[1]))}"
    assert told == expected


@for_each(
    ("players", "drop", "expected"),
    [
        ("2", 1, "13245"),
        ("2", 2, "13425"),
        ("2", 9, "13452"),
        ("5", 1, "12345"),
        # Those who drop together keep their order, and let everybody else pass.
        ("23", 1, "14235"),
        ("345", 1, "12345"),
        ("24", 1, "13254"),
        ("2345", 5, "12345"),
    ],
)
def test_idle_players_drop(players: str, drop: int, expected: str) -> None:
    found = sunk(ladder(), LadderRules(idle_drop=drop), [PlayerId(int(one)) for one in players], START + DAY)
    assert order(found) == expected
    assert "".join(str(rung.player) for rung in sorted(found.rungs) if rung.idle_since == START + DAY) == players


@for_each(
    ("challenger", "defender", "expected"),
    [
        ((), (), None),
        ((True,), (), False),
        ((), (True,), True),
        ((False,), (False,), False),
        ((True,), (True,), True),
    ],
)
@for_each("lot", [False, True])
def test_who_moves_first(*, challenger: Sequence[bool], defender: Sequence[bool], expected: bool | None, lot: bool) -> None:
    assert challenger_is_first(challenger, defender, lot=lot) is (lot if expected is None else expected)


@for_each(
    ("rules", "why"),
    [
        *[({name: 0}, "are one at least") for name in ("reach", "games", "defences")],
        *[({name: -1}, "less than nothing") for name in ("late_drop", "idle_drop")],
        ({"idle": 0 * DAY}, "takes some time"),
    ],
)
def test_rules_that_nobody_could_play_by(rules: dict[str, int], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        LadderRules(**rules)  # type: ignore[arg-type]  # wrong on purpose


def a_step(found: Ladder, rules: LadderRules, now: datetime, chance: Random) -> Ladder:
    """Return the ladder after any one thing that may happen."""
    player = chance.choice(found.order)
    idle = next_idle(found, rules)
    if idle and idle[0] <= now:
        return sunk(found, rules, idle[1], idle[0])
    match chance.randrange(5):
        case 0 | 1 if choice := open_to(found, rules, player, now):
            return challenged(found, LadderChallenge(now.toordinal(), player, chance.choice(choice)))
        case _ if found.claims:
            mark = chance.choice(list(OTHER_SIDE))
            return over(found, rules, chance.choice(found.claims).meeting, (mark, OTHER_SIDE[mark]), now)
        case _:
            return found


@settings(max_examples=60)
@given(
    winner=st.sampled_from(Winner), lifts=st.booleans(), drops=st.tuples(*[st.integers(0, 3)] * 2), chance=st.randoms(use_true_random=False)
)
def test_nobody_gets_lost(*, winner: Winner, lifts: bool, drops: tuple[int, int], chance: Random) -> None:
    rules = LadderRules(3, 2, 2, 2 * DAY, winner, lifts, drops[0], 7 * DAY, drops[1])
    found = ladder("123456789")
    for at in range(60):
        found = a_step(found, rules, START + at * DAY, chance)
        assert sorted(found.order) == list(range(1, 10))
        assert len(set(found.claims)) == len(found.claims)
        for player in found.order:
            assert sum(one.challenger == player for one in found.claims) <= rules.games
            assert sum(one.defender == player for one in found.claims) <= rules.defences
