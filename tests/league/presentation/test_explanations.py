"""Explanations: what players read about their line of the table, and that its summands are the whole of it."""

import pytest
from msgspec.structs import replace

from tests.league.presentation.test_crosstable import at_tables
from tests.league.written import ADA, BEGUN, BOB, CLEO, DAN, EVE, NAMES, Game, one, season, written
from turnserver.ids import PlayerId
from turnserver.league.events import LotsDrawn, PlayerWithdrawn, PlayoffDecided
from turnserver.league.presentation.explanations import KINDS, explain, parted_by
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.sheets import LineKind
from turnserver.league.scoring.standings import division_table, sheets
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import Format, Settings
from turnserver.league.state import LeagueState, Phase
from turnserver.mail.outbound.language import language
from turnserver.text import retold

WIN, DRAW, LOSS = Mark.WIN, Mark.DRAW, Mark.LOSS


def told(state: LeagueState, line: PlayerId) -> list[str]:
    """Headings, each followed by its summands."""
    parts = explain(state, season(state), season(state).divisions[0], line, NAMES)
    return [sentence for part in parts for sentence in (part.heading, *part.summands)]


EVERYBODY: list[list[Game]] = [
    [(ADA, BOB, WIN), (CLEO, DAN, Mark.WIN_BY_FORFEIT)],
    [(CLEO, ADA, DRAW), (DAN, BOB, Mark.TIMEOUT)],
    [(ADA, DAN, LOSS), (BOB, CLEO, DRAW)],
]
FIXED = Settings(tie_breaks=(TieBreak.HEAD_TO_HEAD, TieBreak.SONNEBORN_BERGER, TieBreak.WINS, TieBreak.WINS_AS_SECOND, TieBreak.LOTS))
SWISS = Settings(format=Format.SWISS, tie_breaks=(TieBreak.BUCHHOLZ_CUT_1, TieBreak.SONNEBORN_BERGER, TieBreak.GAMES_PLAYED))
ROUNDS: list[list[Game]] = [
    [(ADA, BOB, WIN), (CLEO, DAN, Mark.ANNULLED), EVE],
    [(ADA, CLEO, Mark.FORFEIT), (EVE, BOB, WIN)],
    [(CLEO, EVE, LOSS), BOB],
]


def test_a_line_of_a_round_robin() -> None:
    assert told(one(FIXED, [ADA, BOB, CLEO, DAN], *EVERYBODY), BOB) == [
        "Place 3 of 4",
        "Behind Ada by Head-to-head (0 to 1).",
        "Points: 1½",
        "Round 1: 0 against Ada (lost).",
        "Round 2: 1 against Dan (won on time).",
        "Round 3: ½ against Cleo (drawn).",
        "Head-to-head between Ada and Bob: 0",
        "Round 1: 0 against Ada.",
        "Sonneborn-Berger: 2",
        "Round 1: Ada has 1½; times 0 is 0.",
        "Round 2: Dan has 1; times 1 is 1.",
        "Round 3: Cleo has 2; times ½ is 1.",
        "Wins: 1",
        "Round 2: against Dan.",
        "Games won as second player: 1",
        "Round 2: against Dan.",
    ]


def test_progressive_score_koya_and_median() -> None:
    order = (TieBreak.PROGRESSIVE, TieBreak.KOYA, TieBreak.BUCHHOLZ_MEDIAN_1)
    state = one(
        Settings(format=Format.SWISS, tie_breaks=order), [ADA, BOB, CLEO, DAN], [(ADA, BOB, WIN), (CLEO, DAN, DRAW)], [(ADA, CLEO, DRAW)]
    )
    assert told(state, ADA)[1:] == [
        "Points: 1½",
        "Round 1: 1 against Bob (won).",
        "Round 2: ½ against Cleo (drawn).",
        "Progressive score: 2½",
        "Round 1: 1; in the score of 2 rounds, 2.",
        "Round 2: ½; in the score of 1 round, ½.",
        "Koya: ½",
        "Round 2: ½ against Cleo, who has 1.",
        "Median Buchholz: 0",
        "Round 1: Bob has 0; with missed rounds at the end counted as draws, ½; this one is left out.",
        "Round 2: Cleo has 1; this one is left out.",
    ]
    settings = Settings(format=Format.MCMAHON, bounds=(1500,), tie_breaks=order[:1])
    begun = written(settings, {"1": ([ADA, BOB], [[(ADA, BOB, WIN)]])}, start={ADA: "1"})
    assert "1 at the start; in the score of 1 round, 1." in told(begun, ADA)


def test_a_line_in_german() -> None:
    german = retold(told(one(FIXED, [ADA, BOB, CLEO, DAN], *EVERYBODY), BOB), language("de"))
    assert german[:4] == [
        "Platz 3 von 4",
        "Hinter Ada durch: Direkter Vergleich (0 zu 1).",
        "Punkte: 1½",
        "Runde 1: 0 gegen Ada (verloren).",
    ]


def test_rounds_without_a_game_of_a_swiss_event() -> None:
    state = one(SWISS, [ADA, BOB, CLEO, DAN, EVE], *ROUNDS)
    assert told(state, CLEO) == [
        "Place 3 of 5",
        "Behind Bob by Buchholz cut 1 (4 to 4½).",
        "Before Ada by Buchholz cut 1 (4 to 2).",
        "Points: 1",
        "Round 1: 0 against Dan (annulled).",
        "Round 2: 1 against Ada (won by forfeit).",
        "Round 3: 0 against Eve (lost).",
        "Buchholz cut 1: 4",
        "Round 1: no result, so a virtual opponent with 1 counts; this one is left out.",
        "Round 2: won by forfeit, so a virtual opponent with 1 counts.",
        "Round 3: Eve has 3.",
        "Sonneborn-Berger: 1",
        "Round 1: no result, so a virtual opponent with 1 counts; times 0 is 0.",
        "Round 2: won by forfeit, so a virtual opponent with 1 counts; times 1 is 1.",
        "Round 3: Eve has 3; times 0 is 0.",
        "Games played: 1",
        "Round 3: against Eve.",
    ]
    assert told(state, BOB)[3:9] == [
        "Points: 1",
        "Round 1: 0 against Ada (lost).",
        "Round 2: 0 against Eve (lost).",
        "Round 3: 1 (bye).",
        "Buchholz cut 1: 4½",
        "Round 1: Ada has 1; with missed rounds at the end counted as draws, 1½.",
    ]
    assert "Round 3: 0 (not there)." in told(state, ADA)


def test_forfeits_and_byes_that_count_as_wins() -> None:
    order = Settings(format=Format.SWISS, tie_breaks=(TieBreak.WINS,))
    state = one(order, [ADA, BOB, CLEO], [(ADA, BOB, Mark.WIN_BY_FORFEIT), CLEO], [(ADA, CLEO, LOSS), BOB])
    assert told(state, ADA)[-2:] == ["Wins: 1", "Round 1: against Bob (won by forfeit)."]
    assert told(state, CLEO)[-3:] == ["Wins: 2", "Round 1: bye.", "Round 2: against Ada."]


def test_points_to_begin_with() -> None:
    settings = Settings(format=Format.MCMAHON, bounds=(1500,), tie_breaks=(TieBreak.WINS,))
    state = written(settings, {"1": ([ADA, BOB], [[(ADA, BOB, LOSS)]])}, start={ADA: "3"})
    assert told(state, ADA)[:4] == ["Place 1 of 2", "Points: 3", "3 at the start.", "Round 1: 0 against Bob (lost)."]


DOUBLE = Settings(format=Format.DOUBLE_ROUND_ROBIN, tie_breaks=(TieBreak.HEAD_TO_HEAD, TieBreak.LOTS))
TWICE: list[list[Game]] = [[(ADA, BOB, WIN)], [(BOB, ADA, WIN)]]


def test_lots_between_players_who_have_met_twice() -> None:
    assert told(one(DOUBLE, [ADA, BOB], *TWICE), ADA)[:2] == ["Place 1 of 2", "Level with Bob: no tie-break separates the two."]
    assert told(one(DOUBLE, [ADA, BOB], *TWICE, then=[LotsDrawn(division="1", players=(BOB, ADA))]), ADA) == [
        "Place 2 of 2",
        "Behind Bob by Lots.",
        "Points: 1",
        "Round 1: 1 against Bob (won).",
        "Round 2: 0 against Bob (lost).",
        "Head-to-head between Ada and Bob: ½",
        "Round 1: 1 against Bob; as this is one of 2 games, ½ counts.",
        "Round 2: 0 against Bob; as this is one of 2 games, 0 counts.",
        "Lots between Ada and Bob",
        "Lots were drawn for division 1, in this order: Bob, Ada.",
    ]


def test_a_playoff_between_players_who_have_not_met() -> None:
    settings = Settings(format=Format.SWISS, tie_breaks=(TieBreak.HEAD_TO_HEAD, TieBreak.PLAYOFF))
    games: list[Game] = [(ADA, BOB, WIN), (CLEO, DAN, WIN)]
    then = [PlayoffDecided(division="1", players=(DAN, BOB)), PlayoffDecided(division="1", players=(CLEO, ADA))]
    assert told(one(settings, [ADA, BOB, CLEO, DAN], games, then=then), CLEO) == [
        "Place 1 of 4",
        "Before Ada by Playoff.",
        "Points: 1",
        "Round 1: 1 against Dan (won).",
        "Head-to-head between Ada and Cleo: 0",
        "There were no games against any of them.",
        "Playoff between Ada and Cleo",
        "The playoff ended in this order: Cleo, Ada.",
    ]


def test_some_are_compared_again() -> None:
    rounds: list[list[Game]] = [
        [(ADA, BOB, WIN), (DAN, CLEO, WIN)],
        [(CLEO, ADA, WIN), (BOB, DAN, DRAW)],
        [(ADA, DAN, WIN), (BOB, CLEO, DRAW)],
    ]
    start = {BOB: "1", CLEO: "1/2", DAN: "1/2"}  # so that all have two points
    settings = Settings(tie_breaks=(TieBreak.HEAD_TO_HEAD,))
    state = written(settings, {"1": ([ADA, BOB, CLEO, DAN], rounds)}, start=start)
    assert told(state, DAN)[:4] == [
        "Place 2 of 4",
        "Behind Ada by Head-to-head.",
        "Before Cleo by Head-to-head (1 to 0).",
        "Before Bob by Head-to-head.",
    ]
    assert [sentence for sentence in told(state, DAN) if sentence.startswith("Head")] == [
        "Head-to-head between Ada, Bob, Cleo and Dan: 1½",
        "Head-to-head between Cleo and Dan: 1",
    ]


def test_how_far_somebody_has_come_in_a_cup() -> None:
    state = one(Settings(format=Format.KNOCKOUT), [ADA, BOB, CLEO], [(BOB, CLEO, DRAW), (CLEO, BOB, WIN)], [(ADA, CLEO, None)])
    assert told(state, ADA) == ["Place 1 of 3", "Round 1: no opponent.", "Round 2: still plays against Cleo."]
    assert told(state, BOB) == ["Place 3 of 3", "Round 1: lost against Cleo."]
    assert told(state, CLEO) == ["Place 1 of 3", "Round 1: went through against Bob.", "Round 2: still plays against Ada."]
    assert told(one(Settings(format=Format.KNOCKOUT), [ADA]), ADA) == ["Place 1 of 1"]
    assert state.season is not None
    over = replace(state, season=replace(state.season, phase=Phase.CLOSED))
    assert told(over, ADA)[-1] == "Round 2: not decided against Cleo."


def test_places_at_tables_of_three() -> None:
    assert told(at_tables(), BOB) == [
        "Place 1 of 4",
        "Level with Cleo: no tie-break separates the two.",
        "Points: 3½",
        "Round 1: ½ for place 2 against Ada and Cleo.",
        "Round 2: 2 for place 1 against Dan and Ada.",
        "Round 3: 1 (bye).",
        "First places: 1",
        "Round 2: against Dan and Ada.",
        "Second places: ½",
        "Round 1: ½ against Ada and Cleo.",
    ]
    assert "Round 3: 0 against Cleo and Dan (lost by forfeit)." in told(at_tables(), ADA)


def test_whoever_is_not_in_the_table_has_nothing_to_explain() -> None:
    then = [PlayerWithdrawn(player=DAN, struck=True, at=BEGUN)]
    assert told(one(FIXED, [ADA, BOB, CLEO, DAN], *EVERYBODY, then=then), DAN) == []


@pytest.mark.parametrize("state", [one(FIXED, [ADA, BOB, CLEO, DAN], *EVERYBODY), one(SWISS, [ADA, BOB, CLEO, DAN, EVE], *ROUNDS)])
def test_what_parts_two_lines_is_the_same_from_both_sides(state: LeagueState) -> None:
    division = season(state).divisions[0]
    found, order = sheets(state, season(state), division), state.settings.tie_breaks
    lines = division_table(state, season(state), division).standings
    for here in lines:
        for there in lines:
            assert parted_by(found, order, here, there) == parted_by(found, order, there, here)
            assert (parted_by(found, order, here, there) is None) is (here.place == there.place)


def test_every_round_without_a_game_has_a_name() -> None:
    assert set(KINDS) == set(LineKind) - {LineKind.GAME, LineKind.RUNNING, LineKind.PENALTY}
