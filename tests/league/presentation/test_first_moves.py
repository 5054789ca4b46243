"""Who moved first, in everything that shows a season: told where seat 1 begins, and never where chance decides it."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from tests.league.seasons import LEAGUES, League
from tests.league.written import ADA, BOB, CLEO, DAN, EVE, NAMES, Game, one, season
from turnserver.audit.league.recheck import recheck
from turnserver.ids import PlayerId
from turnserver.league.formats.formats import broken_promises, swiss_round
from turnserver.league.formats.swiss import Breach
from turnserver.league.presentation.crosstable import crosstable
from turnserver.league.presentation.explanations import explain
from turnserver.league.presentation.printouts import Kind, as_text, printout
from turnserver.league.presentation.text import legend, text
from turnserver.league.presentation.trf import report
from turnserver.league.presentation.words import FIRST
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import Format, Settings

FAY = PlayerId(16)
SWISS = Settings(format=Format.SWISS, rounds=3)
ROUNDS: Sequence[Sequence[Game]] = [[(ADA, BOB, Mark.WIN), CLEO], [(ADA, CLEO, Mark.WIN), BOB]]
TOLD = pytest.mark.parametrize(("game", "is_told"), [("take", True), ("tako", False), ("sneaky-octopuses", False)])


@TOLD
def test_tables_and_sheets(game: str, *, is_told: bool) -> None:
    state = replace(one(SWISS, [ADA, BOB, CLEO], *ROUNDS), game=game)
    division = season(state).divisions[0]
    table = crosstable(state, season(state), division, NAMES)
    shown = [as_text(printout(kind, state, season(state), division, NAMES, str)) for kind in (Kind.CHART, Kind.CROSSTABLE)]
    pairings = as_text(printout(Kind.PAIRINGS, state, season(state), division, NAMES, str))
    for told in (text(table, 80), *shown):
        assert (FIRST in told) == is_told
    assert ("moves first" in pairings) == ("moved first" in str(legend(table, 80))) == ("moved first" in shown[0]) == is_told


@TOLD
def test_a_tournament_report(game: str, *, is_told: bool) -> None:
    """It has colours all the same, and says what they are."""
    state = replace(one(SWISS, [ADA, BOB, CLEO], *ROUNDS), game=game)
    made = report(state, season(state), season(state).divisions[0], NAMES)
    players = "".join(line for line in made.text.splitlines() if line.startswith("001"))
    assert (made.remarks == (), " w " in players, " b " in players) == (is_told, True, True)


@TOLD
def test_a_promise_to_move_first_or_second(game: str, *, is_told: bool) -> None:
    """Ada and Bob have both moved first two times when they meet."""
    rounds: Sequence[Sequence[Game]] = [
        [(ADA, CLEO, Mark.WIN), (BOB, DAN, Mark.WIN)],
        [(ADA, DAN, Mark.WIN), (BOB, CLEO, Mark.WIN)],
        [(ADA, BOB, None)],
    ]
    state = replace(one(SWISS, [ADA, BOB, CLEO, DAN], *rounds), game=game)
    found = broken_promises(state, season(state), season(state).divisions[0], 3)
    assert (Breach.CLASH in [breach for breach, _ in found]) == is_told


@TOLD
@pytest.mark.parametrize("rules", [1, 2])
def test_players_take_turns_at_the_first_move(game: str, rules: int, *, is_told: bool) -> None:
    """Ada has moved first two times and Bob second, so Bob is due the first move; by lot, the one who is named first is Ada."""
    rounds: Sequence[Sequence[Game]] = [
        [(ADA, CLEO, Mark.WIN), (DAN, BOB, Mark.LOSS)],
        [(ADA, DAN, Mark.WIN), (CLEO, BOB, Mark.LOSS)],
    ]
    state = replace(one(replace(SWISS, rules=rules), [ADA, BOB, CLEO, DAN], *rounds), game=game)
    paired = [encounter.players for encounter in swiss_round(state, season(state), season(state).divisions[0], 3)]
    assert paired[0] == ((BOB, ADA) if is_told or rules == 1 else (ADA, BOB))


@pytest.mark.parametrize(("rules", "meet"), [(1, False), (2, True)])
def test_nobody_is_kept_from_an_opponent_by_a_seat_that_does_not_begin(rules: int, *, meet: bool) -> None:
    """Ada and Bob lead, and have both had seat 1 in each round: by the first rules they may not meet."""
    rounds: Sequence[Sequence[Game]] = [
        [(ADA, DAN, Mark.WIN), (BOB, CLEO, Mark.WIN), (EVE, FAY, Mark.DRAW)],
        [(ADA, EVE, Mark.WIN), (BOB, FAY, Mark.WIN), (CLEO, DAN, Mark.WIN)],
    ]
    state = replace(one(replace(SWISS, rules=rules), [ADA, BOB, CLEO, DAN, EVE, FAY], *rounds), game="tako")
    paired = [encounter.players for encounter in swiss_round(state, season(state), season(state).divisions[0], 3)]
    assert ({ADA, BOB} in map(set, paired)) == meet


@TOLD
def test_a_league_is_set_up_with_tie_breaks_that_mean_something(game: str, *, is_told: bool) -> None:
    options = {"players": 2} if game == "sneaky-octopuses" else {}
    usual = League(Settings(), game=game, options=options).state.settings.tie_breaks
    assert (TieBreak.WINS_AS_SECOND in usual, TieBreak.LOTS in usual) == (is_told, True)
    LEAGUES.clear()


def test_a_league_keeps_the_tie_breaks_that_it_was_set_up_with() -> None:
    """Leagues of earlier versions have them, and their tables are worked out with them again."""
    order = (TieBreak.WINS, TieBreak.WINS_AS_SECOND, TieBreak.LOTS)
    league = League(Settings(tie_breaks=order), game="tako")
    league.begin((ADA, BOB, CLEO))
    league.open_games()
    for fixture in [each for each in league.season.fixtures if not each.marks]:
        league.result(fixture.number, Mark.LOSS)
    assert league.state.settings.tie_breaks == order
    assert list(recheck(league.rows)) == []
    told = explain(league.state, league.season, league.season.divisions[0], ADA, NAMES)
    assert [each.meaning for each in told if each.heading.startswith("Games won as")] == [
        "games played as second player and won; second stands for the second seat, whoever began"
    ]
    LEAGUES.clear()
