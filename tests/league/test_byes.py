"""Byes that players ask for before a round is paired, or an admin gives."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, League
from turnserver.ids import PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.formats.formats import broken_promises
from turnserver.league.presentation.crosstable import crosstable
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.standings import division_table
from turnserver.league.settings import Format, Settings, TierSize
from turnserver.league.state import Phase

FIVE = (ADA, BOB, CLEO, DAN, EVE)
SWISS = Settings(format=Format.SWISS, rounds=4)
HALF, NONE = Fraction(1, 2), Fraction(0)


def begun(settings: Settings = SWISS, players: tuple[PlayerId, ...] = FIVE) -> League:
    league = League(settings)
    league.begin(players, [2000 - player for player in players])
    return league


def next_round(league: League) -> None:
    """Everything that is paired is drawn, and what is due is done."""
    for one in league.season.fixtures:
        if not one.marks:
            league.result(one.number, Mark.DRAW)
    league.do(c.CheckLeague())


def byes(league: League) -> dict[tuple[PlayerId, int], Fraction | None]:
    """Return the byes by player and round, each with its points if it was asked for, else None."""
    return {(one.players[0], one.round): one.worth for one in league.season.fixtures if len(one.players) == 1}


def points(league: League, player: PlayerId) -> Fraction:
    [division] = league.season.divisions
    table = division_table(league.state, league.season, division)
    return next(line.figures[0].value for line in table.standings if line.player == player)


def test_the_first_bye_is_worth_a_draw_and_the_others_and_the_last_round_nothing() -> None:
    league = begun()
    [(first, _)] = byes(league)
    there = [player for player in FIVE if player != first]
    one, other = there[:2]
    assert league.do(c.AskBye(one)) == [e.ByeAsked(player=one, round=2, worth="1/2")]
    assert league.do(c.AskBye(one, 3)) == [e.ByeAsked(player=one, round=3, worth="0")]
    assert league.do(c.AskBye(other, 4)) == [e.ByeAsked(player=other, round=4, worth="0")]
    assert league.do(c.AskBye(first, 4, "1/2", "ill")) == [e.ByeAsked(player=first, round=4, worth="1/2", reason="ill")]
    while league.season.phase is Phase.RUNNING:
        next_round(league)
    found = byes(league)
    assert {key: found[key] for key in ((one, 2), (one, 3), (other, 4), (first, 4))} == {
        (one, 2): HALF,
        (one, 3): NONE,
        (other, 4): NONE,
        (first, 4): HALF,
    }
    # four are left in the rounds with one bye, so nobody else has one
    assert [key for key in found if key[1] in (2, 3)] == [(one, 2), (one, 3)]
    games = sum(one in fixture.players for fixture in league.season.fixtures if len(fixture.players) == 2)
    own = [worth for (player, _), worth in found.items() if player == one]
    signs = dict(crosstable(league.state, league.season, league.season.divisions[0], {player: f"P{player}" for player in FIVE}).signs)
    assert (signs["H"], signs["Z"]) == ("half-point bye", "zero-point bye")
    assert points(league, one) == HALF * games + HALF + sum(worth is None for worth in own)


def test_a_bye_is_taken_back() -> None:
    league = begun()
    league.do(c.AskBye(BOB), c.AskBye(BOB, 3), c.AskBye(CLEO, 3, "0"))
    assert league.do(c.DropBye(BOB)) == [e.ByeDropped(player=BOB, round=2)]
    assert league.do(c.DropBye(CLEO, 3, "back again")) == [e.ByeDropped(player=CLEO, round=3, reason="back again")]
    next_round(league)
    assert (BOB, 2) not in byes(league) or byes(league)[BOB, 2] is None
    next_round(league)
    assert byes(league)[BOB, 3] == NONE


def test_a_bye_that_was_asked_for_keeps_nobody_from_one_that_is_paired() -> None:
    league = begun(players=(ADA, BOB, CLEO))
    [(first, _)] = byes(league)
    winner, loser = (player for player in (ADA, BOB, CLEO) if player != first)
    league.do(c.BarPair((first, winner)), c.AskBye(winner))
    for better in (winner, loser):
        [game] = [one for one in league.season.fixtures if not one.marks]
        league.result(game.number, Mark.WIN if game.players[0] == better else Mark.LOSS)
        league.do(c.CheckLeague())
    # two meet again in any case; the winner has more points than the other who could have the bye, who had one that was paired
    assert byes(league)[winner, 3] is None


def test_a_bye_that_was_asked_for_breaks_no_promise_to_whoever_had_one() -> None:
    league = begun()
    [(first, _)] = byes(league)
    league.do(c.AskBye(first, 2, "0"))
    next_round(league)
    assert byes(league)[first, 2] == NONE
    assert broken_promises(league.state, league.season, league.season.divisions[0], 2) == ()


def test_whoever_leaves_has_no_bye_and_a_round_without_anybody_passes() -> None:
    league = begun()
    league.do(*(c.AskBye(player) for player in FIVE), c.Withdraw(ADA))
    next_round(league)
    assert {key for key in byes(league) if key[1] == 2} == {(player, 2) for player in FIVE if player != ADA}
    # all of the second round had byes, so the third begins at once
    assert league.season.paired == {"1": 3}


def test_divisions_have_byes_of_their_own() -> None:
    players = tuple(map(PlayerId, range(1, 9)))
    league = begun(Settings(format=Format.SWISS, rounds=3, tiers=(TierSize(size=4), TierSize(size=4))), players)
    upper, lower = (each.players for each in league.season.divisions)
    league.do(c.AskBye(upper[0]), c.AskBye(lower[0]))
    next_round(league)
    assert [one.number for one in league.season.fixtures] == list(range(1, len(league.season.fixtures) + 1))
    asked = {(one.division, one.players) for one in league.season.fixtures if one.worth is not None}
    assert asked == {("1", (upper[0],)), ("2", (lower[0],))}


def test_a_bye_holds_in_a_round_that_is_paired_again_unless_it_is_paired_by_hand() -> None:
    league = begun()
    league.do(c.AskBye(BOB), c.AskBye(CLEO))
    next_round(league)
    league.do(c.PairAgain("1", "a typo", ((BOB, DAN),)))
    now = [one for one in league.season.fixtures if one.round == 2 and not one.void]
    assert {one.players: one.worth for one in now if len(one.players) == 1} == {(CLEO,): HALF}
    assert sorted(player for one in now for player in one.players) == sorted(FIVE)


def asked() -> League:
    league = begun()
    league.do(c.AskBye(BOB), c.Withdraw(ADA))
    return league


def robin() -> League:
    return begun(Settings())


def in_the_last_round() -> League:
    league = begun()
    for _ in range(SWISS.rounds - 1):
        next_round(league)
    return league


REFUSED: Mapping[str, tuple[Callable[[], League], c.Command, str]] = {
    "where all meet": (robin, c.AskBye(BOB), "no_byes"),
    "a round that is paired": (asked, c.AskBye(CLEO, 1), "round_paired"),
    "no such round": (asked, c.AskBye(CLEO, 5), "no_such_round"),
    "no round to come": (in_the_last_round, c.AskBye(CLEO), "no_such_round"),
    "twice": (asked, c.AskBye(BOB, 2), "has_bye"),
    "a whole point": (asked, c.AskBye(CLEO, 2, "1"), "bad_points"),
    "who has left": (asked, c.AskBye(ADA), "not_in_season"),
    "none to take back": (asked, c.DropBye(CLEO), "no_bye"),
    "another round's": (asked, c.DropBye(BOB, 3), "no_bye"),
    "to take back where all meet": (robin, c.DropBye(BOB), "no_byes"),
}


@for_each("name", REFUSED)
def test_refuses_a_bye_that_cannot_be(name: str) -> None:
    make, command, code = REFUSED[name]
    league = make()
    before = league.state
    assert league.refusal(command) == code
    assert league.state == before
