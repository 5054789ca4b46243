"""Crosstables: every game stands in them from both sides, and what players read is as wide as it may be."""

from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from fractions import Fraction
from random import Random

import pytest

from tests.cases import for_each
from tests.league.seasons import League
from tests.league.written import ADA, BEGUN, BOB, CLEO, DAN, EVE, NAMES, Game, closed, one, season, written
from tests.shortened import shortened
from turnserver.ids import Burden, PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.presentation.crosstable import Crosstable, Layout, Zone, crosstable
from turnserver.league.presentation.text import COLUMNS, cut, legend, text, width_of
from turnserver.league.presentation.words import FORMATS, MARKS, MEANINGS, PHASES, SHORT, SIGNS, TIE_BREAKS, UNFINISHED, points_told
from turnserver.league.scoring.marks import OTHER_SIDE, Mark
from turnserver.league.scoring.ratings import Rating
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import Format, Settings, TierSize, WhenUnfinished
from turnserver.league.state import LeagueState, Phase
from turnserver.mail.outbound.language import language
from turnserver.text import retold

WIN, DRAW, LOSS = Mark.WIN, Mark.DRAW, Mark.LOSS
GERMAN = language("de")
FOUR = Settings(tie_breaks=(TieBreak.HEAD_TO_HEAD, TieBreak.SONNEBORN_BERGER, TieBreak.WINS, TieBreak.LOTS))
SWISS = Settings(format=Format.SWISS, rounds=2, tie_breaks=(TieBreak.BUCHHOLZ, TieBreak.PLAYOFF, TieBreak.LOTS))
NO_RATINGS: Mapping[PlayerId, Rating] = {}


def table(
    state: LeagueState, division: int = 0, ratings: Mapping[PlayerId, Rating] = NO_RATINGS, names: Mapping[PlayerId, str] = NAMES
) -> Crosstable:
    return crosstable(state, season(state), season(state).divisions[division], names, ratings)


def four(last: Mark | None = None) -> LeagueState:
    """Everybody against everybody; `last` is what the game between Cleo and Dan was to her."""
    return one(
        FOUR,
        [ADA, BOB, CLEO, DAN],
        [(ADA, BOB, WIN), (CLEO, DAN, last)],
        [(CLEO, ADA, DRAW), (DAN, BOB, Mark.TIMEOUT)],
        [(ADA, DAN, WIN), (BOB, CLEO, WIN)],
        then=[closed()] if last else [],
    )


def test_a_round_robin() -> None:
    found = table(four(Mark.WIN_BY_FORFEIT))
    assert (found.title, found.standing, found.layout) == ("Winter, season 1", "Final table.", Layout.BY_OPPONENT)
    assert text(found).splitlines() == [
        "        1  2  3  4   Pts  SB  W",
        "1 Ada   ■  1  ½  1    2½  2¾  2",
        "2 Bob   0  ■  1  1t   2   1½  2",
        "3 Cleo  ½  0  ■  +    1½  1¼  1",
        "4 Dan   0  0t -  ■    0   0   0",
    ]
    assert legend(found).splitlines() == [
        "Pts: Points, SB: Sonneborn-Berger, W: Wins",
        "1 won, ½ drawn, 0 lost, + won by forfeit, - lost by forfeit, 1t won on time,",
        "0t lost on time",
    ]


def test_a_table_in_german() -> None:
    assert retold(text(table(four())), GERMAN).splitlines() == [
        "        1  2  3  4   Pkt  SB  S",
        "1 Ada   ■  1  ½  1    2½  2¼  2",
        "2 Bob   0  ■  1  1t   2    ½  2",
        "3 Cleo  ½  0  ■  *     ½  1¼  0",
        "4 Dan   0  0t *  ■    0   0   0",
    ]
    assert retold(legend(table(four())), GERMAN).splitlines() == [
        "Pkt: Punkte, SB: Sonneborn-Berger, S: Siege",
        "1 gewonnen, ½ remis, 0 verloren, 1t auf Zeit gewonnen, 0t auf Zeit verloren,",
        "* noch nicht vorbei",
    ]


def test_ratings_stand_beside_names_as_long_as_there_is_room() -> None:
    found = table(four(), ratings={ADA: Rating(1712.4, 61.2, 30, 110), DAN: Rating(1500, 350, 0, 110)})
    assert text(found).splitlines()[:2] == ["                  1  2  3  4   Pts  SB  W", "1 Ada    1712±61  ■  1  ½  1    2½  2¼  2"]
    assert text(found, 40).splitlines()[0] == "        1  2  3  4   Pts  SB  W"


@for_each(
    ("width", "first"),
    [
        (76, "1 Ada von und zu Hohenstein  ■  1  ½  1    2½  2¼  2"),
        (51, "1 Ada von und zu Hohenste…  ■  1  ½  1    2½  2¼  2"),
        (43, "1 Ada von und zu…  ■  1  ½  1    2½  2¼  2"),
        (39, "1 Ada von und…  ■  1  ½  1    2½  2¼  2"),
        (38, "1 Ada von und…  ■  1  ½  1    2½  2¼"),
        (34, "1 Ada von und…  ■  1  ½  1    2½"),
        (28, "1 Ada von…  ■  1  ½  1    2½"),
    ],
)
def test_what_does_not_fit_is_given_up_in_order(width: int, first: str) -> None:
    found = table(four(), names={**NAMES, ADA: "Ada von und zu Hohenstein"})
    lines = text(found, width).splitlines()
    assert lines[1] == first
    assert max(map(len, lines)) <= width
    assert ("W: Wins" in legend(found, width)) is first.endswith("2¼  2")


def test_cells_that_do_not_fit_stand_in_tables_of_their_own() -> None:
    assert text(table(four()), 19).splitlines() == [
        "        Pts  SB  W",
        "1 Ada    2½  2¼  2",
        "2 Bob    2    ½  2",
        "3 Cleo    ½  1¼  0",
        "4 Dan    0   0   0",
        "",
        "        1  2  3  4",
        "1 Ada   ■  1  ½  1",
        "2 Bob   0  ■  1  1t",
        "3 Cleo  ½  0  ■  *",
        "4 Dan   0  0t *  ■",
    ]
    assert text(table(four()), 16).splitlines()[-6:] == ["", "        4", "1 Ada   1", "2 Bob   1t", "3 Cleo  *", "4 Dan   ■"]


def test_a_double_round_robin_has_both_games_in_a_cell() -> None:
    settings = Settings(format=Format.DOUBLE_ROUND_ROBIN, least=2, tie_breaks=(TieBreak.LOTS,))
    state = one(settings, [ADA, BOB], [(ADA, BOB, WIN)], [(BOB, ADA, WIN)])
    assert text(table(state)).splitlines() == ["          1  2   Pts", "1 =1 Ada  ■  10    1", "2 =1 Bob  01 ■     1"]
    assert table(state).notes == ("Ada and Bob share place 1; lots decide at the end.",)
    drawn = table(one(settings, [ADA, BOB], [(ADA, BOB, WIN)], [(BOB, ADA, WIN)], then=[e.LotsDrawn(division="1", players=(BOB, ADA))]))
    assert text(drawn).splitlines() == ["       1  2   Pts", "1 Bob  ■  01    1", "2 Ada  10 ■     1"]
    assert drawn.notes == ("Lots decided between Ada and Bob.",)


def test_byes_that_count_have_a_column() -> None:
    rounds: list[list[Game]] = [[(ADA, BOB, WIN), CLEO], [(CLEO, ADA, LOSS), BOB], [(BOB, CLEO, Mark.NO_RESULT), ADA]]
    found = table(one(Settings(points={Mark.BYE: "1"}, tie_breaks=(TieBreak.WINS,)), [ADA, BOB, CLEO], *rounds))
    assert text(found).splitlines() == [
        "           1 2 3 F  Pts  W",
        "1    Ada   ■ 1 1 F    3  3",
        "2 =2 Bob   0 ■ / F    1  1",
        "3 =2 Cleo  0 / ■ F    1  1",
    ]
    assert found.signs == (("1", "won"), ("0", "lost"), ("/", "no result"), ("F", "bye"))
    without = table(one(Settings(tie_breaks=(TieBreak.WINS,)), [ADA, BOB, CLEO], *rounds))
    assert (without.columns, without.signs) == (("1", "2", "3"), found.signs[:3])


def test_a_swiss_event_shows_whom_one_met_and_who_moved_first() -> None:
    rounds: list[list[Game]] = [[(CLEO, ADA, LOSS), (BOB, DAN, DRAW), EVE], [(ADA, EVE, None), (DAN, CLEO, Mark.ANNULLED), BOB]]
    found = table(one(SWISS, [ADA, BOB, CLEO, DAN, EVE], *rounds))
    assert found.standing == "Round 2, games finished: 1 of 2."
    assert text(found).splitlines() == [
        "        1   2    Pts  Bh",
        "1 Bob   4•½   F   1½  1½",
        "2 Eve     F 3 *   1   1",
        "3 Ada   5 1 2•*   1   0",
        "4 Dan   1 ½ 5•x    ½  1½",
        "5 Cleo  3•0 4 x   0   1",
    ]
    signs = [sign for sign, _ in found.signs]
    assert signs == ["1", "½", "0", "x", "F", "*", "•"]


def test_a_table_of_whom_a_playoff_decides() -> None:
    played: list[Game] = [(ADA, BOB, DRAW)]
    assert table(one(SWISS, [ADA, BOB], played)).notes == ("Ada and Bob share place 1; a playoff decides at the end.",)
    found = table(one(SWISS, [ADA, BOB], played, then=[e.PlayoffDecided(division="1", players=(BOB, ADA))]))
    assert [line.name for line in found.lines] == ["Bob", "Ada"]
    assert found.notes == ("A playoff decided between Ada and Bob.",)


def test_a_cup_has_replays_in_a_cell_and_no_points() -> None:
    state = one(Settings(format=Format.KNOCKOUT, least=2), [ADA, BOB, CLEO], [(BOB, CLEO, DRAW), (CLEO, BOB, WIN)], [(ADA, CLEO, None)])
    assert text(table(state)).splitlines() == [
        "           1    2",
        "1 =1 Ada        2•*",
        "2 =1 Cleo  3 ½1 1 *",
        "3    Bob   2•½0",
    ]


def test_points_to_begin_with() -> None:
    settings = Settings(format=Format.MCMAHON, bounds=(1500,), tie_breaks=(TieBreak.WINS,), least=2)
    found = table(written(settings, {"1": ([ADA, BOB], [[(ADA, BOB, LOSS)]])}, start={ADA: "3"}))
    assert text(found).splitlines() == ["       +  1    Pts  W", "1 Ada  3  2•0    3  0", "2 Bob  0  1 1    1  1"]


def test_who_has_left_and_who_plays_for_whom() -> None:
    then: list[e.LeagueEvent] = [
        e.PlayerWithdrawn(player=DAN, struck=True, at=BEGUN),
        e.PlayerWithdrawn(player=CLEO, struck=False, at=BEGUN),
        e.PlayerSubstituted(player=ADA, substitute=EVE, rating=Burden.SEAT, reason="ill"),
    ]
    state = one(FOUR, [ADA, BOB, CLEO, DAN], [(ADA, BOB, WIN), (CLEO, DAN, WIN)], [(CLEO, ADA, Mark.FORFEIT), (DAN, BOB, WIN)], then=then)
    found = table(state, ratings={EVE: Rating(1400, 100, 9, 110)})
    assert text(found).splitlines() == [
        "                            1 2 3  Pts  H2H  SB  W",
        "1    Eve for Ada  1400±100  ■ 1 +    2        0  2",
        "2 =2 Bob                    0 ■      0    0   0  0",
        "3 =2 Cleo                   -   ■    0    0   0  0",
    ]
    assert [line.has_left for line in found.lines] == [False, False, True]
    assert found.notes == (
        "Cleo has withdrawn.",
        "Dan withdrew before half of the games were played, so those games aren't in the table.",
        "Bob and Cleo share place 2; lots decide at the end.",
    )


def test_a_penalty_is_told_below() -> None:
    then: list[e.LeagueEvent] = [
        e.PenaltyGiven(player=ADA, points="3/2", reason="late"),
        e.PenaltyGiven(player=ADA, points="-1/2", reason="post"),
    ]
    found = table(one(SWISS, [ADA, BOB], [(ADA, BOB, WIN)], then=then))
    assert [(line.name, str(line.penalty), str(line.figures[0])) for line in found.lines] == [("Bob", "0", "0"), ("Ada", "1", "0")]
    assert found.notes[0] == "Taken from Ada as a penalty: 1."


def test_zones_say_who_would_go_up_and_down() -> None:
    settings = Settings(tiers=(TierSize(size=2, moves=1), TierSize(size=2)), tie_breaks=(TieBreak.WINS,), least=2)
    players = {"1": ([ADA, BOB], [[(ADA, BOB, WIN)]]), "2": ([CLEO, DAN], [[(CLEO, DAN, LOSS)]])}
    upper, lower = table(written(settings, players)), table(written(settings, players), 1)
    assert (upper.title, lower.title) == ("Winter, season 1, division 1", "Winter, season 1, division 2")
    assert [line.zone for line in (*upper.lines, *lower.lines)] == [None, Zone.DOWN, Zone.UP, None]
    assert text(lower).splitlines() == ["          1 2  Pts  W", "1 Dan  ↑  ■ 1    1  1", "2 Cleo    0 ■    0  0"]
    assert (upper.signs[-1], lower.signs[-1]) == (("↓", "relegation"), ("↑", "promotion"))
    left = table(written(settings, players, [e.PlayerWithdrawn(player=BOB, struck=False, at=BEGUN)]))
    assert [line.zone for line in left.lines] == [None, None]


def climbing() -> LeagueState:
    """A ladder on which Cleo has beaten Ada and lost to Bob, Dan plays Ada, and Eve has gone."""
    league = League(Settings(format=Format.LADDER, rest_days=0, idle_days=10, late_drop=0, remind_percent=0))
    league.begin([ADA, BOB, CLEO, DAN, EVE], [2000, 1900, 1800, 1700, 1600])
    for challenger, other, mark in ((CLEO, ADA, WIN), (BOB, CLEO, WIN), (EVE, DAN, Mark.WIN_ON_TIME), (DAN, ADA, None)):
        league.do(c.Challenge(challenger, other))
        fixture = league.season.fixtures[-1]
        if mark is not None:
            own = mark if fixture.players[0] == challenger else OTHER_SIDE[mark]
            league.do(c.CarryResult(fixture.number, (own, OTHER_SIDE[own]), league.now))
    league.do(c.Withdraw(EVE))
    league.now += timedelta(days=11)
    league.do(c.CheckLeague())
    return league.state


def test_a_ladder_shows_the_latest_games() -> None:
    found = table(climbing())
    assert (found.layout, found.headings) == (Layout.LATEST, ())
    assert text(found).splitlines() == [
        "        1    2",
        "1 Bob   3 1",
        "2 Ada   4 *  3•0",
        "3 Cleo  1•0  2 1",
        "4 Dan   2•*  5•0t",
        "5 Eve   4 1t",
    ]
    assert found.notes == ("Each player's latest games are shown, newest first.", "Eve has withdrawn.")
    assert found.standing == "Games finished: 3 of 4."


def test_nothing_has_been_played() -> None:
    found = table(one(SWISS, [ADA, BOB]))
    assert found.standing == "No games yet."
    assert text(found).splitlines() == ["          Pts  Bh", "1 =1 Ada    0   0", "2 =1 Bob    0   0"]


def test_players_who_are_not_known_any_more_have_numbers() -> None:
    found = table(one(SWISS, [ADA, BOB]), names={})
    assert [line.name for line in found.lines] == ["Player 11", "Player 12"]


@pytest.mark.thorough
@pytest.mark.parametrize("form", [Format.ROUND_ROBIN, Format.DOUBLE_ROUND_ROBIN, Format.SWISS, Format.MCMAHON, Format.DOUBLE_KNOCKOUT])
@pytest.mark.parametrize("players", shortened([7, 2, 16, 41]))
def test_every_game_stands_there_from_both_sides(form: Format, players: int) -> None:
    league = League(Settings(format=form, least=2, rounds=6, bounds=(1800,) if form is Format.MCMAHON else ()))
    league.begin([PlayerId(number) for number in range(1, players + 1)], [2000 - 20 * at for at in range(players)])
    random = Random(players)  # noqa: S311  # a test's chance
    for _ in range(players * 2):
        if league.season.phase is Phase.RUNNING:
            league.play_some(random)
    found = table(league.state, names={})
    numbers = {line.number: line.player for line in found.lines}
    told = Counter(
        (cell.round, frozenset({line.player, *(numbers[other] for other in cell.opponents)}), cell.seat, cell.mark)
        for line in found.lines
        for cells in line.cells
        for cell in cells
        if cell.opponents
    )
    played = Counter(
        (fixture.round, frozenset(fixture.players), seat, fixture.marks[seat - 1] if fixture.marks else None)
        for fixture in league.season.fixtures
        if len(fixture.players) > 1
        for seat in (1, 2)
    )
    assert told == played
    for line in found.lines:
        total = line.start + sum((cell.points for cells in line.cells for cell in cells), Fraction(0))
        assert form is Format.DOUBLE_KNOCKOUT or line.figures[0] == total
    assert max(map(width_of, (text(found) + "\n" + legend(found)).splitlines())) <= COLUMNS


@for_each(
    ("points", "told"),
    [
        (Fraction(0), "0"),
        (Fraction(5, 2), "2½"),
        (Fraction(-1, 4), "-¼"),
        (Fraction(-7, 3), "-2⅓"),
        (Fraction(17, 5), "3 2/5"),
        (Fraction(2, 5), "2/5"),
        (Fraction(-12), "-12"),
    ],
)
def test_points_are_exact(points: Fraction, told: str) -> None:
    assert points_told(points) == told


def test_everything_has_a_name() -> None:
    assert set(FORMATS) == set(Format)
    assert set(PHASES) == set(Phase)
    assert set(UNFINISHED) == set(WhenUnfinished)
    assert set(MARKS) == set(SIGNS) == set(Mark)
    assert len(set(SIGNS.values())) == len(Mark)
    assert set(TIE_BREAKS) == set(SHORT) == set(MEANINGS) == set(TieBreak)


@for_each(("words", "width", "found"), [("Zoë", 3, "Zoë"), ("Zoe\u0308", 3, "Zoe\u0308"), ("李小龙", 6, "李小龙"), ("李小龙", 5, "李小…")])
def test_names_are_cut_by_the_room_they_take(words: str, width: int, found: str) -> None:
    assert cut(words, width) == found


def sat(
    number: int, at: int, players: tuple[PlayerId, ...], marks: tuple[Mark, ...] = (), places: tuple[int, ...] = ()
) -> list[e.LeagueEvent]:
    """A round in which one table was laid, and what came of it."""
    byes = [player for player in (ADA, BOB, CLEO, DAN) if player not in players]
    meetings = (e.Meeting(number=number, players=players), e.Meeting(number=number + 1, players=tuple(byes)))
    events: list[e.LeagueEvent] = [e.RoundPaired(division="1", round=at, meetings=meetings, deadline=None)]
    if marks:
        events.append(e.ResultRecorded(meeting=number, marks=marks, places=places, at=BEGUN, by=e.DecidedBy.GAME))
    return events


def at_tables() -> LeagueState:
    """Tables of three, at the second of which Ada has run out of time."""
    then = [
        *sat(1, 1, (ADA, BOB, CLEO), (WIN, LOSS, LOSS), (1, 2, 2)),
        *sat(3, 2, (BOB, DAN, ADA), (WIN, LOSS, Mark.TIMEOUT), (1, 2, 3)),
        *sat(5, 3, (CLEO, DAN, ADA), (WIN, LOSS, Mark.FORFEIT), (1, 2, 3)),
        *sat(7, 4, (CLEO, DAN, BOB)),
    ]
    return one(Settings(format=Format.TABLES, seats=3, rounds=4), [ADA, BOB, CLEO, DAN], then=then)


def test_tables_of_three_show_places() -> None:
    found = table(at_tables())
    assert text(found).splitlines() == [
        "             1      2       3      4    Pts  1st  2nd",
        "1 =1 Bob   3,2 2. 4,3•1.      F  2,4 *   3½    1    ½",
        "2 =1 Cleo  3,1 2.     F   4,3•1. 4,1•*   3½    1    ½",
        "3    Ada   1,2•1. 1,4 3.t 2,4 -      F   3     1   0",
        "4    Dan       F  1,3 2.  2,3 2. 2,1 *   3     0   2",
    ]
    assert legend(found).splitlines()[1:] == [
        "- lost by forfeit, F bye, 1. place at the table, t lost on time,",
        "* not over yet, • moved first",
        "Bob and Cleo share place 1; lots decide at the end.",
    ]
