"""Points that an admin takes away."""

from fractions import Fraction

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, League
from tests.league.written import NAMES
from turnserver.ids import Burden, PlayerId
from turnserver.league import commands as c
from turnserver.league.events import PenaltyGiven, SeasonClosed, TablesCorrected
from turnserver.league.presentation.explanations import explain
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.standings import division_table
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import Format, Settings

FOUR = (ADA, BOB, CLEO, DAN)
SETTINGS = Settings(tie_breaks=(TieBreak.SONNEBORN_BERGER,))
SWISS = Settings(format=Format.SWISS, rounds=2)
STRANGER = PlayerId(99)


def begun(settings: Settings = SETTINGS) -> League:
    league = League(settings)
    league.begin(FOUR, [2000 - player for player in FOUR])
    return league


def played(settings: Settings = SETTINGS) -> League:
    """Return a season in which the lower number has won every game; it is not closed yet."""
    league = begun(settings)
    for fixture in league.season.fixtures:
        league.result(fixture.number, Mark.WIN if fixture.players[0] == min(fixture.players) else Mark.LOSS)
    return league


def figures(league: League) -> dict[PlayerId, list[Fraction]]:
    table = division_table(league.state, league.season, league.season.divisions[0])
    return {line.player: [figure.value for figure in line.figures] for line in table.standings}


def test_points_are_taken_in_the_table_and_nowhere_else() -> None:
    league = played()
    before = figures(league)
    assert league.do(c.Penalize(ADA, "3/2", "late")) == [PenaltyGiven(player=ADA, points="3/2", reason="late")]
    league.do(c.Penalize(DAN, "0.5", "rude"))
    taken = {ADA: Fraction(3, 2), DAN: Fraction(1, 2)}
    assert figures(league) == {player: [points - taken.get(player, 0), berger] for player, (points, berger) in before.items()}
    closed = league.do(c.CheckLeague())[-1]
    assert isinstance(closed, SeasonClosed)
    assert [(line.player, line.points) for line in closed.tables[0].lines] == [(BOB, "2"), (ADA, "3/2"), (CLEO, "1"), (DAN, "-1/2")]


def test_what_was_taken_can_be_given_back_and_no_more() -> None:
    league = played()
    before = figures(league)
    league.do(c.Penalize(ADA, "1", "late"))
    assert league.refusal(c.Penalize(ADA, "-3/2", "typo")) == "bad_points"
    league.do(c.Penalize(ADA, "-1", "it was the post"))
    assert figures(league) == before
    assert league.refusal(c.Penalize(BOB, "-1/2", "a favour")) == "bad_points"


def test_it_is_explained() -> None:
    league = played()
    league.do(c.Penalize(ADA, "1", "Two turns late."), c.Penalize(ADA, "-1/2", "One of them was not."))
    points = explain(league.state, league.season, league.season.divisions[0], ADA, NAMES)[1]
    assert points.heading == "Points: 2½"
    assert points.summands[-2:] == ("-1 as a penalty: Two turns late.", "½ given back after a penalty: One of them was not.")
    assert len(points.summands) == 5


@for_each("points", ["0", "half", "1/3", "0.25", "1/0", ""])
def test_whole_points_or_halves(points: str) -> None:
    assert begun().refusal(c.Penalize(ADA, points, "late")) == "bad_points"


def test_who_can_be_punished() -> None:
    league = League(SETTINGS)
    assert league.refusal(c.Penalize(ADA, "1", "late")) == "no_season"
    league.do(c.AnnounceSeason())
    assert league.refusal(c.Penalize(ADA, "1", "late")) == "season_not_begun"
    league = begun()
    assert league.refusal(c.Penalize(EVE, "1", "late")) == "not_in_season"
    league.do(c.Withdraw(ADA))
    assert league.refusal(c.Penalize(ADA, "1", "late")) == "not_in_season"
    for places in (Format.KNOCKOUT, Format.LADDER):
        assert begun(Settings(format=places)).refusal(c.Penalize(ADA, "1", "late")) == "no_points"


def test_whoever_has_withdrawn_and_whoever_plays_for_somebody_can_be() -> None:
    league = begun(SWISS)
    league.do(c.Withdraw(ADA), c.SubstitutePlayer(BOB, STRANGER, Burden.SEAT, "ill"))
    assert league.do(c.Penalize(ADA, "1", "rude"), c.Penalize(STRANGER, "1/2", "late")) == [
        PenaltyGiven(player=ADA, points="1", reason="rude"),
        PenaltyGiven(player=BOB, points="1/2", reason="late"),
    ]


def test_pairing_does_not_look_at_penalties() -> None:
    punished, other = played(SWISS), played(SWISS)
    punished.do(c.Penalize(ADA, "1", "late"))
    assert punished.do(c.CheckLeague()) == other.do(c.CheckLeague())


def test_the_tables_of_a_season_that_is_over_follow() -> None:
    league = played()
    league.do(c.CheckLeague())
    given, corrected = league.do(c.Penalize(ADA, "2", "found out later"))
    assert given == PenaltyGiven(player=ADA, points="2", reason="found out later")
    assert isinstance(corrected, TablesCorrected)
    assert [(line.player, line.points) for line in corrected.tables[0].lines][:2] == [(BOB, "2"), (ADA, "1")]
    assert league.state.last == corrected.tables
