"""Brackets as text: who meets whom, and who goes on."""

from random import Random

import pytest

from tests.league.seasons import League
from tests.league.written import ADA, BOB, CLEO, DAN, EVE, NAMES, Game, one, season
from turnserver.ids import PlayerId
from turnserver.league.presentation.bracket import bracket
from turnserver.league.presentation.text import COLUMNS, width_of
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Format, Settings
from turnserver.league.state import LeagueState
from turnserver.mail.outbound.language import language
from turnserver.text import retold

WIN, DRAW, LOSS = Mark.WIN, Mark.DRAW, Mark.LOSS
FIVE = [ADA, BOB, CLEO, DAN, EVE]
CUP = Settings(format=Format.KNOCKOUT, third_place=True)


def told(state: LeagueState, width: int = COLUMNS) -> list[str]:
    return bracket(state, season(state), season(state).divisions[0], NAMES, width).splitlines()


def test_a_cup_with_byes_replays_and_a_game_for_the_third_place() -> None:
    rounds: list[list[Game]] = [[(DAN, EVE, DRAW), (EVE, DAN, WIN)], [(ADA, EVE, Mark.WIN_ON_TIME), (BOB, CLEO, None)]]
    assert told(one(CUP, FIVE, *rounds)) == [
        "Round 1",
        "  1 Ada       →",
        "",
        "  4 Dan   ½ 0",
        "  5 Eve   ½ 1 →",
        "",
        "  2 Bob       →",
        "",
        "  3 Cleo      →",
        "",
        "Semifinals",
        "  1 Ada   1t  →",
        "  5 Eve   0t",
        "",
        "  2 Bob   *",
        "  3 Cleo  *",
        "",
        "Third place",
        "  5 Eve",
        "    ?",
        "",
        "Final",
        "  1 Ada",
        "    ?",
        "",
        "→ goes through, or wins the cup, 1 won, ½ drawn, 0 lost, 1t won on time,",
        "0t lost on time, * not over yet",
    ]


def test_the_end_of_a_cup_in_german() -> None:
    state = one(CUP, [ADA, BOB], [(BOB, ADA, Mark.WIN_BY_FORFEIT)])
    found = retold(bracket(state, season(state), season(state).divisions[0], NAMES), language("de"))
    assert found.splitlines() == [
        "Finale",
        "  1 Ada  -",
        "  2 Bob  + →",
        "",
        "→ kommt weiter oder gewinnt den Pokal, + kampflos gewonnen,",
        "- kampflos verloren",
    ]


def test_a_cup_in_which_it_takes_two_losses() -> None:
    rounds: list[list[Game]] = [[(DAN, EVE, WIN)], [(ADA, DAN, WIN), (BOB, CLEO, Mark.FORFEIT)]]
    found = told(one(Settings(format=Format.DOUBLE_KNOCKOUT), FIVE, *rounds))
    assert [line for line in found if line.startswith("Round")] == [
        "Round 1, without a loss",
        "Round 2, without a loss",
        "Round 2, after one loss",
        "Round 3, after one loss",
        "Round 4, without a loss",
        "Round 4, after one loss",
    ]
    assert found[-6:-3] == ["Round 4, after one loss", "  4 Dan", "    ?"]


def test_a_final_that_is_played_again() -> None:
    rounds: list[list[Game]] = [[(ADA, BOB, WIN)], [(BOB, ADA, WIN)], [(ADA, BOB, None)]]
    assert told(one(Settings(format=Format.DOUBLE_KNOCKOUT), [ADA, BOB], *rounds))[:11] == [
        "Round 1, without a loss",
        "  1 Ada  1 →",
        "  2 Bob  0",
        "",
        "Final",
        "  1 Ada  0",
        "  2 Bob  1 →",
        "",
        "Final, once again",
        "  1 Ada  *",
        "  2 Bob  *",
    ]


def test_nobody_has_gone_on_yet() -> None:
    assert told(one(CUP, [ADA, BOB], [(ADA, BOB, None)])) == ["Final", "  1 Ada  *", "  2 Bob  *", "", "* not over yet"]
    assert told(one(CUP, [ADA, BOB])) == ["Final", "  1 Ada", "  2 Bob"]


def test_one_player_has_no_bracket() -> None:
    assert told(one(CUP, [ADA])) == []


@pytest.mark.parametrize("form", [Format.KNOCKOUT, Format.DOUBLE_KNOCKOUT])
def test_every_game_stands_in_the_bracket_from_both_sides(form: Format) -> None:
    league = League(Settings(format=form))
    league.begin([PlayerId(number) for number in range(1, 12)], [2000 - 20 * at for at in range(11)])
    league.play(Random(3), (WIN, LOSS))  # noqa: S311  # a test's chance
    names = dict.fromkeys(league.season.divisions[0].players, "Maximilian Alexander von und zu Hohenstein-Falkenberg")
    found = bracket(league.state, league.season, league.season.divisions[0], names, 40)
    assert max(map(width_of, found.splitlines())) <= 40
    sides = [line for line in found.splitlines() if line.startswith("  ")]
    games = sum(len(fixture.players) > 1 for fixture in league.season.fixtures)
    assert sum(line.endswith(" 1 →") for line in sides) == sum(line.endswith(" 0") for line in sides) == games
