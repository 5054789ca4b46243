"""The settings that a league can be opened with."""

from datetime import timedelta
from fractions import Fraction

import msgspec
import pytest
from msgspec.structs import replace

from tests.cases import for_each
from turnserver.errors import BadOption
from turnserver.league.divisions import Tier
from turnserver.league.formats.knockout import Drawn
from turnserver.league.formats.ladder import LadderRules, Winner
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import (
    Approval,
    Format,
    Pace,
    Seeding,
    Settings,
    TierSize,
    WhenUnfinished,
    complete,
    ladder_rules,
    place_points,
    scoring,
    tiers,
)

SWISS = Settings(format=Format.SWISS)
LADDER = Settings(format=Format.LADDER)
TABLES = Settings(format=Format.TABLES)
WRONG = [
    (Settings(rounds=0), "The setting rounds can't be 0. Choose 1 to 50."),
    (Settings(reliability=101), "reliability can't be 101. Choose 0 to 100."),
    (Settings(next_days=-1), "next_days can't be -1. Choose 0 to 366."),
    (Settings(points={Mark.DRAW: "half"}), "'half' isn't a number of points for draw."),
    (Settings(points={Mark.DRAW: "1/0"}), "'1/0' isn't a number of points for draw."),
    (Settings(points={Mark.LOSS: "1"}), "A win has to be worth more than a loss"),
    (Settings(points={Mark.DRAW: "2"}), "and a draw something in between"),
    (Settings(tie_breaks=(TieBreak.POINTS,)), "Points come before all tie-breaks."),
    (Settings(tie_breaks=(TieBreak.WINS, TieBreak.WINS)), "'wins' is in"),
    (Settings(tie_breaks=(TieBreak.BUCHHOLZ,)), "'buchholz' says nothing where everybody plays everybody."),
    (Settings(tie_breaks=(TieBreak.FIRST_PLACES,)), "'first places' is for games of more than two."),
    (Settings(tie_breaks=(TieBreak.LOTS, TieBreak.WINS)), "Lots separate everybody"),
    (Settings(format=Format.KNOCKOUT, tie_breaks=(TieBreak.WINS,)), "In a cup, places come from the bracket."),
    (Settings(format=Format.KNOCKOUT, when_unfinished=WhenUnfinished.NO_RESULT), "somebody has to go through."),
    (replace(SWISS, cup_draw=Drawn.LOTS), "Only in a cup does somebody have to go through after a draw."),
    (replace(SWISS, third_place=True), "Only a knockout has a game for third place."),
    (replace(SWISS, bounds=(1400,)), "Only McMahon events have bands."),
    (replace(SWISS, format=Format.MCMAHON, bounds=(1600, 1400)), "The bounds of the bands have to go up"),
    (Settings(seats=5), "seats can't be 5. Choose 0 to 4."),
    (Settings(seats=4), "In this format, games are for two."),
    (Settings(places=("2", "1", "0")), "Only tables of three or four have points for places."),
    (replace(TABLES, seats=2), "Tables are for three or four players."),
    (replace(TABLES, places=("2", "1", "0")), "Give the points of 4 places, such as 6, 3, 1, 0."),
    (replace(TABLES, seats=3, places=("2", "1", "0", "0")), "Give the points of 3 places, such as 3, 1, 0."),
    (replace(TABLES, places=("3", "two", "1", "0")), "'two' isn't a number of points for place 2."),
    (replace(TABLES, places=("3", "1", "2", "0")), "No place can be worth more than the one above it"),
    (replace(TABLES, places=("1", "1", "1", "1")), "the first has to be worth more than the last"),
    (replace(TABLES, tie_breaks=(TieBreak.SONNEBORN_BERGER,)), "'sonneborn-berger' is for games of two."),
    (replace(TABLES, tie_breaks=(TieBreak.BUCHHOLZ,)), "'buchholz' is for games of two."),
    (replace(TABLES, tiers=(TierSize(size=8), TierSize(size=3))), "There are 4 at a table, so no division can be smaller."),
    (replace(TABLES, most=3), "A season can't need 4 players and take only 3."),
    (Settings(rating_from=1800, rating_to=1400), "No rating can be from 1800 to 1400."),
    (Settings(least=8, most=6), "A season can't need 8 players and take only 6."),
    (Settings(tiers=(TierSize(size=1),)), "A tier has 1 to 50 divisions, and a division at least 2 players."),
    (replace(LADDER, reach=0), "reach can't be 0. Choose 1 to 1000."),
    (replace(LADDER, tiers=(TierSize(size=8),)), "A ladder is one table"),
    (replace(LADDER, at_once=3), "challenges and defences say how many games"),
    (replace(LADDER, round_every=7), "games begin when somebody challenges"),
    (replace(LADDER, tie_breaks=(TieBreak.WINS,)), "On a ladder, the order is the table."),
    (replace(LADDER, approve=(Approval.PAIRINGS,)), "On a ladder, nobody is paired"),
    (replace(SWISS, winner=Winner.SWAPS), "Only a ladder has winner."),
    (Settings(season_days=100), "Only a ladder has season_days."),
    (Settings(tiers=(TierSize(size=8, moves=5),)), "At most half a tier can move up or down."),
]


@for_each(("settings", "says"), WRONG, ids=[says[:30] for _, says in WRONG])
def test_what_cannot_be_played_is_refused(settings: Settings, says: str) -> None:
    with pytest.raises(BadOption) as refused:
        complete(settings)
    assert says in refused.value.message


def test_everything_is_spelled_out_and_kept() -> None:
    settings = complete(replace(SWISS, points={Mark.WIN: "3", Mark.DRAW: "1"}, rating_from=1400, rating_to=1400))
    assert settings.pace is Pace.ROUND_BY_ROUND
    assert settings.seeding is Seeding.RATING
    assert settings.tie_breaks[0] is TieBreak.BUCHHOLZ_CUT_1
    assert set(settings.points) == set(Mark)
    assert settings.points[Mark.BYE] == "1"
    assert complete(settings) == settings
    assert msgspec.json.decode(msgspec.json.encode(settings), type=Settings) == settings


def test_own_tie_breaks_and_the_pace_of_a_round_robin_stay() -> None:
    settings = complete(Settings(tie_breaks=(TieBreak.WINS, TieBreak.PLAYOFF), pace=Pace.TOGETHER))
    assert (settings.tie_breaks, settings.pace) == ((TieBreak.WINS, TieBreak.PLAYOFF), Pace.TOGETHER)
    assert settings.seeding is Seeding.LOTS


def test_a_cup_has_no_tie_breaks() -> None:
    settings = complete(Settings(format=Format.DOUBLE_KNOCKOUT))
    assert (settings.tie_breaks, settings.pace) == ((), Pace.ROUND_BY_ROUND)


def test_a_ladder_has_no_tie_breaks_and_its_rules() -> None:
    settings = complete(replace(LADDER, reach=5, challenges=1, defences=3, rest_days=4, draw_lifts=True, late_drop=2, idle_drop=4))
    assert (settings.tie_breaks, settings.pace) == ((), Pace.ROUND_BY_ROUND)
    assert ladder_rules(settings) == LadderRules(5, 1, 3, timedelta(days=4), Winner.STEPS_IN, True, 2, timedelta(days=60), 4)
    assert ladder_rules(replace(settings, idle_days=0)).idle is None


def test_tables_have_points_for_places() -> None:
    settings = complete(replace(TABLES, pace=Pace.ROUND_BY_ROUND, places=("5", "2.5", "1/2", "0")))
    assert place_points(settings) == {4: (Fraction(5), Fraction(5, 2), Fraction(1, 2), Fraction(0))}
    assert (settings.seats, settings.least, settings.points[Mark.BYE], settings.pace) == (4, 4, "2", Pace.ROUND_BY_ROUND)
    assert place_points(complete(SWISS)) == {}
    assert complete(settings) == settings


def test_points_are_exact() -> None:
    points = scoring(complete(Settings(points={Mark.DRAW: "0.5", Mark.LOSS: "1/3", Mark.FORFEIT: "-1"}))).points
    told = [points[mark] for mark in (Mark.DRAW, Mark.LOSS, Mark.FORFEIT, Mark.BYE)]
    assert told == [Fraction(1, 2), Fraction(1, 3), Fraction(-1), Fraction(0)]


def test_without_tiers_everybody_is_in_one_division() -> None:
    assert tiers(Settings(), 12) == (Tier(12),)
    assert tiers(Settings(tiers=(TierSize(size=4, moves=1), TierSize(size=4, divisions=2))), 12) == (Tier(4, 1, 1), Tier(4, 2))
