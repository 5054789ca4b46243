"""The explanation of places on a ladder, and the look of its crosstable."""

import pytest

from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, League, day
from turnserver.ids import PlayerId
from turnserver.league import commands as c
from turnserver.league.presentation.crosstable import crosstable
from turnserver.league.presentation.explanations import explain
from turnserver.league.presentation.text import text
from turnserver.league.scoring.marks import OTHER_SIDE, Mark
from turnserver.league.settings import Format, Settings

FAY = PlayerId(16)
NAMES = dict(zip((ADA, BOB, CLEO, DAN, EVE, FAY), ("Ada", "Bob", "Cleo", "Dan", "Eve", "Fay"), strict=True))


@pytest.fixture(scope="module")
def league() -> League:
    """A ladder on which everything has happened once."""
    found = League(Settings(format=Format.LADDER, rest_days=0, idle_days=60, late_drop=1, round_days=0))
    found.begin(list(NAMES)[:5], [1800, 1700, 1600, 1500, 1400])
    found.do(c.Challenge(DAN, BOB), c.Challenge(EVE, CLEO), c.Enter(FAY, 1500))
    found.now = day(3)
    over(found, 1, Mark.WIN)
    found.now = day(5)
    over(found, 2, Mark.TIMEOUT)
    found.do(c.Challenge(BOB, DAN))
    found.now = day(40)
    over(found, 3, Mark.DRAW)
    found.do(c.Challenge(CLEO, ADA), c.Withdraw(BOB), c.Enter(BOB, 1600))
    found.now = day(66)
    found.do(c.CheckLeague())
    over(found, 4, Mark.LOSS)
    return found


def over(league: League, number: int, mark: Mark) -> None:
    """Record the result of a meeting, given as its challenger's mark."""
    fixture = league.season.fixtures[number - 1]
    own = mark if fixture.players[0] == fixture.challenger else OTHER_SIDE[mark]
    league.do(c.CarryResult(number, (own, OTHER_SIDE[own]), league.now))


WAYS = {
    ADA: ["At the start: place 1.", "Challenged by Cleo, won: place 1."],
    BOB: [
        "At the start: place 2.",
        "Challenged by Dan, lost: place 3.",
        "Challenged Dan, drawn: place 3.",
        "Left the ladder.",
        "Joined the ladder: place 6.",
    ],
    CLEO: [
        "At the start: place 3.",
        "Dan challenged Bob, won: place 4.",
        "Challenged by Eve, won on time: place 4.",
        "Bob left the ladder: place 3.",
        "Challenged Ada, lost: place 3.",
    ],
    DAN: ["At the start: place 4.", "Challenged Bob, won: place 2.", "Challenged by Bob, drawn: place 2."],
    EVE: [
        "At the start: place 5.",
        "Challenged Cleo, lost on time: place 6.",
        "Bob left the ladder: place 5.",
        "Fay didn't play for too long: place 4.",
        "Didn't play for too long: place 5.",
    ],
    FAY: [
        "Joined the ladder: place 6.",
        "Eve challenged Cleo, lost on time: place 5.",
        "Bob left the ladder: place 4.",
        "Didn't play for too long: place 5.",
        "Eve didn't play for too long: place 4.",
    ],
}


@pytest.mark.parametrize("player", WAYS)
def test_how_a_place_came_about(league: League, player: PlayerId) -> None:
    (found,) = explain(league.state, league.season, league.season.divisions[0], player, NAMES)
    assert found.summands == tuple(WAYS[player])


def test_the_crosstable_has_the_latest_games(league: League) -> None:
    found = crosstable(league.state, league.season, league.season.divisions[0], NAMES)
    assert text(found).splitlines() == [
        "        1    2",
        "1 Ada   3•1",
        "2 Dan   6•½  6 1",
        "3 Cleo  1 0  5•1t",
        "4 Fay",
        "5 Eve   3 0t",
        "6 Bob   2 ½  2•0",
    ]
    assert (found.standing, found.headings) == ("Games finished: 4 of 4.", ())


def test_who_has_left_is_told_below_the_crosstable() -> None:
    left = League(Settings(format=Format.LADDER))
    left.begin(list(NAMES)[:4], [1800, 1700, 1600, 1500])
    left.do(c.Challenge(DAN, BOB))
    over(left, 1, Mark.WIN)
    left.do(c.Withdraw(BOB))
    found = crosstable(left.state, left.season, left.season.divisions[0], NAMES)
    assert [(line.place, line.name, line.has_left) for line in found.lines][-2:] == [(3, "Cleo", False), (4, "Bob", True)]
    assert found.notes[1:] == ("Bob has withdrawn.",)
