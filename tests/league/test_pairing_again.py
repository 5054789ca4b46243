"""Rounds that an admin pairs anew, by the rules or by hand."""

from collections.abc import Callable, Mapping

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, League, day
from turnserver.ids import Burden, PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.formats.formats import broken_promises
from turnserver.league.formats.swiss import Breach
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.standings import division_table
from turnserver.league.settings import Format, Settings, TierSize
from turnserver.league.state import Phase

FOUR = (ADA, BOB, CLEO, DAN)
FIVE = (*FOUR, EVE)
STRANGER = PlayerId(99)
SWISS = Settings(format=Format.SWISS, rounds=3, round_days=10)


def second(players: tuple[PlayerId, ...] = FOUR) -> League:
    """A Swiss event in its second round; in the first, the higher number has lost."""
    league = League(SWISS)
    league.begin(players, [2000 - player for player in players])
    for one in league.season.fixtures:
        if not one.marks:
            league.result(one.number, Mark.WIN if one.players[0] == min(one.players) else Mark.LOSS)
    league.now = day(1)
    league.do(c.CheckLeague())
    league.open_games()
    return league


def round_of(league: League, number: int) -> list[tuple[PlayerId, ...]]:
    [division] = league.season.divisions
    return [one.players for one in league.season.of(division) if one.round == number]


WANTED: Mapping[str, tuple[tuple[PlayerId, ...], tuple[tuple[PlayerId, ...], ...], set[frozenset[PlayerId]]]] = {
    "a pair": (FOUR, ((DAN, ADA),), {frozenset({ADA, DAN}), frozenset({BOB, CLEO})}),
    "all pairs": (FOUR, ((ADA, CLEO), (DAN, BOB)), {frozenset({ADA, CLEO}), frozenset({BOB, DAN})}),
    "a bye": (FIVE, ((ADA,),), {frozenset({ADA})}),
    "a pair and the bye": (FIVE, ((BOB, CLEO), (EVE,)), {frozenset({BOB, CLEO}), frozenset({EVE}), frozenset({ADA, DAN})}),
}


@for_each("name", WANTED)
def test_pairs_as_wanted_and_the_others_as_usual(name: str) -> None:
    players, pairs, expected = WANTED[name]
    league = second(players)
    before = league.season.fixtures
    back, paired = league.do(c.PairAgain("1", "a typo", pairs))
    assert back == e.RoundUnpaired(division="1", round=2, reason="a typo")
    assert isinstance(paired, e.RoundPaired)
    assert (paired.round, paired.deadline, paired.meetings[0].number) == (2, day(11), len(before) + 1)
    assert {frozenset(one) for one in round_of(league, 2)} >= expected
    assert sorted(player for one in round_of(league, 2) for player in one) == sorted(players)
    assert round_of(league, 2)[0] == pairs[0]
    # the games of the new pairing are opened, and those of the old one are over
    assert {one.players for one in league.open_games()} == {one for one in round_of(league, 2) if len(one) == 2}
    assert all(one.marks for one in league.season.fixtures[: len(before)])


def test_nothing_of_a_pairing_that_was_taken_back_counts() -> None:
    league = second(FIVE)
    bye = next(one.players[0] for one in league.season.fixtures if one.round == 2 and len(one.players) == 1)
    other = next(player for player in FIVE if player != bye and (player,) not in round_of(league, 1))
    league.do(c.PairAgain("1", "", ((other,),)))
    [division] = league.season.divisions
    points = {line.player: line.figures[0].value for line in division_table(league.state, league.season, division).standings}
    won = {one.players[one.marks.index(Mark.WIN)] for one in league.season.of(division) if Mark.WIN in one.marks}
    assert points == {player: (player in won) + ((player,) in round_of(league, 1)) + (player == other) for player in FIVE}


def test_a_round_without_wishes_is_paired_by_the_rules() -> None:
    league = second()
    as_usual = round_of(league, 2)
    league.do(c.PairAgain("1", "", ((ADA, DAN),)), c.PairAgain("1", ""))
    assert round_of(league, 2) == as_usual
    league.do(c.Admit(STRANGER, 3000.0, "", c.Past.HALF), c.Admit(EVE, 1000.0, "", c.Past.ABSENT), c.PairAgain("1", "two are late"))
    assert sorted(player for one in round_of(league, 2) for player in one) == sorted((*FIVE, STRANGER))
    while league.season.phase is Phase.RUNNING:
        for one in league.season.fixtures:
            if not one.marks:
                league.result(one.number, Mark.DRAW)
        league.do(c.CheckLeague())
    assert len(league.state.last[0].lines) == 6


def test_what_pairs_by_hand_break_is_named() -> None:
    league = second(FIVE)
    met = next(pair for pair in round_of(league, 1) if len(pair) == 2)
    [free] = [pair for pair in round_of(league, 1) if len(pair) == 1]
    league.do(c.PairAgain("1", "", (met, free)))
    found = {breach for breach, _ in broken_promises(league.state, league.season, league.season.divisions[0], 2)}
    assert found >= {Breach.REMATCH, Breach.SECOND_BYE}
    assert Breach.ASKED_BYE not in found


def test_a_pair_by_hand_whose_player_asked_for_a_bye_is_named() -> None:
    league = League(SWISS)
    league.begin(FIVE, [2000 - player for player in FIVE])
    league.do(c.AskBye(BOB), c.AskBye(CLEO))
    for one in league.season.fixtures:
        if not one.marks:
            league.result(one.number, Mark.DRAW)
    league.do(c.CheckLeague(), c.PairAgain("1", "", ((BOB, DAN),)))
    found = broken_promises(league.state, league.season, league.season.divisions[0], 2)
    assert [one.players for breach, one in found if breach is Breach.ASKED_BYE] == [(BOB, DAN)]


def begun() -> League:
    league = second()
    league.result(league.season.fixtures[-1].number, Mark.DRAW)
    return league


def barred() -> League:
    league = second()
    league.do(c.BarPair((ADA, DAN)), c.SubstitutePlayer(BOB, STRANGER, Burden.SEAT, ""))
    return league


def left() -> League:
    league = second(FIVE)
    league.do(c.Withdraw(DAN))
    return league


def robin() -> League:
    league = League(Settings())
    league.begin(FOUR)
    return league


def alone() -> League:
    """Somebody is alone in the lowest division."""
    league = League(Settings(format=Format.SWISS, tiers=(TierSize(size=2), TierSize(size=2))))
    league.begin(FIVE[:3])
    return league


REFUSED: Mapping[str, tuple[Callable[[], League], c.PairAgain, str]] = {
    "a game that is over": (begun, c.PairAgain("1", ""), "round_begun"),
    "a round robin": (robin, c.PairAgain("1", ""), "not_swiss"),
    "no division": (second, c.PairAgain("2", ""), "not_found"),
    "no round": (alone, c.PairAgain("2", ""), "no_round"),
    "somebody twice": (second, c.PairAgain("1", "", ((ADA, BOB), (BOB, CLEO))), "bad_pairs"),
    "against themselves": (second, c.PairAgain("1", "", ((ADA, ADA),)), "bad_pairs"),
    "three": (second, c.PairAgain("1", "", ((ADA, BOB, CLEO),)), "bad_pairs"),
    "a stranger": (second, c.PairAgain("1", "", ((ADA, STRANGER),)), "not_in_division"),
    "who has left": (left, c.PairAgain("1", "", ((ADA, DAN),)), "not_in_division"),
    "whoever has a substitute": (barred, c.PairAgain("1", "", ((ADA, BOB),)), "not_in_division"),
    "a barred pair": (barred, c.PairAgain("1", "", ((ADA, DAN),)), "barred"),
}


@for_each("name", REFUSED)
def test_refuses_pairs_that_cannot_be(name: str) -> None:
    make, command, code = REFUSED[name]
    league = make()
    before = league.state
    assert league.refusal(command) == code
    assert league.state == before


def test_a_meeting_that_was_taken_back_has_no_result() -> None:
    league = second()
    last = league.season.fixtures[-1]
    league.do(c.PairAgain("1", ""))
    for command in (c.SetResult(last.number, (Mark.WIN, Mark.LOSS), ""), c.MoveDeadlines({last.number: day(30)}, "")):
        assert league.refusal(command) == "not_found"


def test_whoever_has_left_is_not_paired_again() -> None:
    league = left()
    league.do(c.PairAgain("1", ""))
    assert DAN not in [player for one in round_of(league, 2) for player in one]
    assert all(len(one) == 2 for one in round_of(league, 2))
