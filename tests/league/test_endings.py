"""The ends of seasons, and the seasons that follow."""

from random import Random

import pytest

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, LOTS, OPENED, League, day
from turnserver.errors import Malformed
from turnserver.ids import Burden, PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.closing import AFTERWARDS
from turnserver.league.course import due
from turnserver.league.divisions import Why
from turnserver.league.evolve import evolve, fold
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import Format, Settings, TierSize
from turnserver.league.state import Phase

FOUR = (ADA, BOB, CLEO, DAN)
PLAYOFFS = Settings(tie_breaks=(TieBreak.PLAYOFF,))


def drawn(settings: Settings, players: tuple[PlayerId, ...] = FOUR) -> League:
    """A season in which every game was drawn, and nothing has been done about it."""
    league = League(settings)
    league.begin(players)
    while not all(fixture.marks for fixture in league.season.fixtures):
        for fixture in league.season.fixtures:
            if not fixture.marks:
                league.result(fixture.number, Mark.DRAW)
    return league


def by_strength(settings: Settings, players: tuple[PlayerId, ...]) -> League:
    """A season that is over, in which the lower number has always won."""
    league = League(settings)
    league.begin(players, [2000 - player for player in players])
    while league.season.phase is Phase.RUNNING:
        for fixture in league.season.fixtures:
            if not fixture.marks:
                league.result(fixture.number, Mark.WIN if fixture.players[0] == min(fixture.players) else Mark.LOSS)
        league.do(c.CheckLeague())
    return league


def test_lots_part_whom_nothing_else_parts() -> None:
    league = drawn(Settings(tie_breaks=(TieBreak.WINS, TieBreak.LOTS)))
    order = LOTS.drawn(1, "places in 1", FOUR)
    lots, closed = league.do(c.CheckLeague())
    assert lots == e.LotsDrawn(division="1", players=order)
    assert isinstance(closed, e.SeasonClosed)
    assert closed.secret == LOTS.of(1)
    assert closed.tables[0].lines == tuple(e.FinalLine(place=at + 1, player=player, points="3/2") for at, player in enumerate(order))


def test_without_lots_places_are_shared() -> None:
    [closed] = drawn(Settings(tie_breaks=(TieBreak.WINS,))).do(c.CheckLeague())
    assert isinstance(closed, e.SeasonClosed)
    assert {line.place for line in closed.tables[0].lines} == {1}


def test_a_season_waits_for_a_playoff() -> None:
    league = drawn(PLAYOFFS)
    assert due(league.state) is None
    assert league.refusal(c.CheckLeague()) == "nothing_due"
    assert league.refusal(c.DecidePlayoff("1", (ADA, BOB))) == "no_playoff"
    assert league.refusal(c.DecidePlayoff("2", FOUR)) == "not_found"
    assert league.refusal(c.CloseSeason("spring")) == "playoff_due"
    assert league.do(c.DecidePlayoff("1", (DAN, BOB, CLEO, ADA))) == [e.PlayoffDecided(division="1", players=(DAN, BOB, CLEO, ADA))]
    assert due(league.state) == OPENED
    [closed] = league.do(c.CheckLeague())
    assert isinstance(closed, e.SeasonClosed)
    assert [line.player for line in closed.tables[0].lines] == [DAN, BOB, CLEO, ADA]


def test_there_is_no_playoff_before_all_is_played() -> None:
    league = League(PLAYOFFS)
    league.begin(FOUR)
    assert league.refusal(c.DecidePlayoff("1", FOUR)) == "no_playoff"


def test_a_season_can_be_closed_early() -> None:
    league = League(Settings())
    league.begin(FOUR)
    league.result(1, Mark.WIN)
    events = league.do(c.CloseSeason("spring"))
    left = [event for event in events if isinstance(event, e.ResultRecorded)]
    assert {(event.marks, event.by, event.reason) for event in left} == {((Mark.NO_RESULT, Mark.NO_RESULT), e.DecidedBy.CLOSING, "spring")}
    assert [event.meeting for event in left] == [2, 3, 4, 5, 6]
    assert league.season.phase is Phase.CLOSED
    assert league.refusal(c.CarryResult(2, (Mark.WIN, Mark.LOSS), day(1))) == "decided"
    assert due(league.state) is None


def test_a_game_that_goes_on_after_the_season_corrects_the_tables() -> None:
    league = League(Settings())
    league.begin(FOUR)
    league.result(1, Mark.WIN)
    league.do(c.CloseSeason("spring"))
    winner, loser = league.season.fixtures[0].players
    assert points(league) == {winner: "1", loser: "0"}
    reopened, tables = league.do(c.ReopenResult(1))
    assert (reopened, type(tables)) == (e.ResultReopened(meeting=1), e.TablesCorrected)
    assert points(league) == {winner: "0", loser: "0"}
    again, tables = league.do(c.CarryResult(1, (Mark.LOSS, Mark.WIN), day(9)))
    assert isinstance(again, e.ResultRecorded)
    assert (again.by, again.reason, type(tables)) == (e.DecidedBy.GAME, AFTERWARDS, e.TablesCorrected)
    assert points(league) == {winner: "0", loser: "1"}
    assert league.refusal(c.ReopenResult(2)) == "not_by_game"


def points(league: League) -> dict[PlayerId, str]:
    """Return what the two of the first meeting have in the final table."""
    return {line.player: line.points for line in league.state.last[0].lines if line.player in league.season.fixtures[0].players}


def test_the_next_season_announces_itself_with_those_who_stayed() -> None:
    stranger = PlayerId(99)
    league = League(Settings(next_days=30, entry_days=7))
    league.begin((*FOUR, EVE))
    league.do(c.SubstitutePlayer(BOB, stranger, Burden.SEAT, "ill"), c.Withdraw(CLEO))
    for fixture in league.season.fixtures:
        if EVE not in fixture.players and not fixture.marks:
            league.result(fixture.number, Mark.DRAW)
    for fixture in league.season.fixtures:
        if not fixture.marks:
            league.do(c.CarryResult(fixture.number, (Mark.DRAW, Mark.DRAW), league.now))
    league.do(c.CheckLeague())
    assert due(league.state) == day(30)
    assert league.refusal(c.CheckLeague()) == "nothing_due"
    league.now = day(30)
    announced, *entered = league.do(c.CheckLeague({DAN: 1700.0}))
    assert announced == e.SeasonAnnounced(season=2, entries_until=day(37), commitment=LOTS.commitment(2))
    ratings = {event.player: event.rating for event in entered if isinstance(event, e.PlayerEntered)}
    assert ratings == {ADA: 1500, stranger: 1500, DAN: 1700, EVE: 1500}


def test_who_withdrew_late_is_in_the_table_and_not_in_the_next_season() -> None:
    league = League(Settings(next_days=0, entry_days=0))
    league.begin((ADA, BOB, CLEO))
    games = [fixture for fixture in league.season.fixtures if ADA in fixture.players and len(fixture.players) == 2]
    league.result(games[0].number, Mark.DRAW)
    league.do(c.Withdraw(ADA))
    for fixture in league.season.fixtures:
        if not fixture.marks:
            league.result(fixture.number, Mark.DRAW)
    league.do(c.CheckLeague())
    assert sorted(line.player for line in league.state.last[0].lines) == [ADA, BOB, CLEO]
    assert sorted(entry.player for entry in league.season.entries) == [BOB, CLEO]
    assert league.season.entries_until is None


def test_up_and_down_and_what_an_admin_says() -> None:
    players = tuple(map(PlayerId, range(1, 9)))
    league = by_strength(Settings(tiers=(TierSize(size=4, moves=1), TierSize(size=4))), players)
    assert [[line.player for line in table.lines] for table in league.state.last] == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert league.do(c.MovePlayer(PlayerId(8), 1, "an old champion")) == [
        e.PlayerMoved(player=PlayerId(8), tier=1, reason="an old champion")
    ]
    assert league.refusal(c.MovePlayer(PlayerId(8), 3, "typo")) == "no_tier"
    started = league.begin(())[0]
    assert isinstance(started, e.SeasonStarted)
    assert [sorted(division.players) for division in started.divisions] == [[1, 2, 3, 8], [4, 5, 6, 7]]
    why = {move.player: (move.why, move.before, move.after) for move in started.moves}
    assert why[PlayerId(8)] == (Why.BY_ADMIN, 2, 1)
    assert why[PlayerId(4)] == (Why.RELEGATED, 1, 2)
    assert league.state.moved == {}


def test_what_an_admin_says_outlives_a_season_that_is_dropped() -> None:
    league = by_strength(Settings(), FOUR)
    league.do(c.MovePlayer(ADA, 1, "stays"), c.AnnounceSeason(), c.Withdraw(ADA), c.Withdraw(BOB))
    league.now = day(1)
    assert league.state.moved == {ADA: 1}
    league.do(c.Withdraw(CLEO))
    assert [entry.player for entry in league.season.entries] == [DAN]
    assert {move.player for move in league.state.last[0].lines} == set(FOUR)


def test_divisions_side_by_side_keep_their_tables() -> None:
    players = tuple(map(PlayerId, range(1, 13)))
    league = by_strength(Settings(tiers=(TierSize(size=4, moves=2), TierSize(size=4, divisions=2))), players)
    assert [(table.division, table.tier) for table in league.state.last] == [("1", 1), ("2.1", 2), ("2.2", 2)]
    started = league.begin(())[0]
    assert isinstance(started, e.SeasonStarted)
    up = sorted(move.player for move in started.moves if move.why is Why.PROMOTED)
    assert up == sorted(table.lines[0].player for table in league.state.last[1:])


def test_a_result_can_be_corrected_after_the_end() -> None:
    league = by_strength(Settings(tie_breaks=(TieBreak.LOTS,)), (ADA, BOB, CLEO))
    game = next(fixture for fixture in league.season.fixtures if set(fixture.players) == {ADA, CLEO})
    marks = (Mark.WIN, Mark.LOSS) if game.players[0] == CLEO else (Mark.LOSS, Mark.WIN)
    order = LOTS.drawn(1, "places in 1", (ADA, BOB, CLEO))
    corrected, lots, tables = league.do(c.SetResult(game.number, marks, "the log was wrong"))
    assert corrected == e.ResultCorrected(meeting=game.number, marks=marks, reason="the log was wrong")
    assert lots == e.LotsDrawn(division="1", players=order)
    assert isinstance(tables, e.TablesCorrected)
    assert [(line.player, line.points) for line in tables.tables[0].lines] == [(player, "1") for player in order]
    assert league.state.last == tables.tables
    assert league.refusal(c.SetResult(game.number, marks, "typo")) == "same_result"
    league.do(c.AnnounceSeason())
    assert league.refusal(c.SetResult(game.number, (Mark.DRAW, Mark.DRAW), "too late")) == "season_stands"


NO_HISTORY = [
    lambda _: fold([]),
    lambda league: evolve(league.state, league.events[0]),
    lambda _: evolve(None, e.PlayerReady(player=ADA)),
    lambda league: evolve(league.state, e.PlayerReady(player=ADA)),
    lambda league: evolve(league.state, e.SeasonReopened(meetings=(), reason="typo")),
    lambda league: evolve(league.state, e.SeasonCancelled(reason="typo", secret="0" * 64)),
    lambda league: evolve(league.state, e.SeasonDivided(divisions=(), reason="typo")),
    lambda league: evolve(league.state, e.WordsSent(players=(ADA,), digest="5d" * 32)),
    lambda league: evolve(league.state, e.SeasonClosed(tables=(), secret="0" * 64, next_at=None)),
    lambda league: fold(
        [
            e.SeasonAnnounced(season=1, entries_until=None, commitment="0" * 64),
            e.RoundPaired(division="1", round=1, meetings=(), deadline=None),
            e.ResultReopened(meeting=1),
        ],
        league.state,
    ),
    lambda league: fold(
        [
            e.SeasonAnnounced(season=1, entries_until=None, commitment="0" * 64),
            e.RoundOverdue(division="1", round=1, meetings=(1,)),
        ],
        league.state,
    ),
]


@for_each("made", NO_HISTORY)
def test_what_is_no_history_of_a_league(made: object) -> None:
    assert callable(made)
    with pytest.raises(Malformed):
        made(League(Settings()))


def test_a_pair_may_be_barred_between_seasons() -> None:
    league = by_strength(Settings(format=Format.SWISS, rounds=2), FOUR)
    league.do(c.BarPair((ADA, BOB)))
    league.begin(())
    league.play(Random(1))  # noqa: S311  # repeatable seasons, not secrets
    assert all({ADA, BOB} != set(fixture.players) for fixture in league.season.fixtures)
