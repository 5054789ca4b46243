"""The signs of unfair play in the log of a league and its games, over its seasons, and the players whom they are about."""

from fractions import Fraction

import pytest
from sqlalchemy import text

from tests.store.leagues.rated import ADA, BOB, CLEO, DAN, EVE, LEAGUE, Kept, add_everybody
from tests.store.scene import day
from turnserver.errors import NotFound
from turnserver.ids import GameId, LeagueId, PlayerId
from turnserver.league import commands as c
from turnserver.league.scoring.fairness import Crowded, FirstMoves, Streak, Traded, Unexpected
from turnserver.league.scoring.marks import OTHER_SIDE, Mark
from turnserver.league.settings import Format, Settings
from turnserver.service.games.ledger import Ledger
from turnserver.service.leagues.fairness import Report, look_into
from turnserver.service.leagues.ratings import follow
from turnserver.store.log.database import Database
from turnserver.store.log.statement import Statement

WIN, LOSS, TIMEOUT = Mark.WIN, Mark.LOSS, Mark.TIMEOUT


def league_of(database: Database, *players: PlayerId, at_once: int = 0) -> Kept:
    add_everybody(database)
    found = Kept(database, Settings(format=Format.DOUBLE_ROUND_ROBIN, least=2, at_once=at_once))
    found.begin(*players)
    return found


def ended(league: Kept, game: int, turns: int, by: str, winner: PlayerId, *players: PlayerId) -> None:
    """A game was over after so many turns, and the winner has won. These sat there at the end, if they are others."""
    fixture = next(one for one in league.season.fixtures if one.game == game)
    mark = WIN if winner == fixture.players[0] else LOSS
    if by == "time":
        mark = OTHER_SIDE[TIMEOUT] if mark is WIN else TIMEOUT
    with league.database.write() as tx:
        tx.run(Statement(text("UPDATE game SET turn = :turn, ended_by = :by WHERE id = :which")), turn=turns + 1, by=by, which=game)
        for seat, player in enumerate(players, start=1):
            values = {"who": player, "which": game, "at": seat}
            tx.run(Statement(text("UPDATE seat SET player = :who WHERE game = :which AND seat = :at")), **values)
    league.result(fixture.number, mark)


def found_in(league: Kept, season: int | None = None) -> Report:
    with league.database.read() as conn:
        return look_into(conn, LEAGUE, season)


def another_season(league: Kept) -> None:
    league.do(c.CheckLeague(), c.AnnounceSeason(), c.StartSeason())
    league.open_games()


def numbers(*games: int) -> tuple[GameId, ...]:
    return tuple(map(GameId, games))


def test_wins_that_are_traded_over_the_seasons(database: Database) -> None:
    league = league_of(database, ADA, BOB)
    for season in range(2):
        for at in (1, 2):
            league.now = day(10 * season + at)
            ended(league, 2 * season + at, 3, "resignation", ADA if at == 1 else BOB)
        if not season:
            another_season(league)
    report = found_in(league)
    assert (report.season, report.games) == (2, 4)
    assert report.findings == (Traded((ADA, BOB), numbers(1, 2, 3, 4), (ADA, BOB, ADA, BOB), (3, 3, 3, 3)),)
    assert found_in(league, 1) == Report(1, 2, 10, ())


def test_it_is_about_whoever_sat_there_at_the_end(database: Database) -> None:
    league = league_of(database, ADA, BOB, CLEO)
    for fixture in [one for one in league.season.fixtures if BOB in one.players and one.game is not None][:3]:
        league.now += day(1) - day(0)
        assert fixture.game is not None
        winner = next(player for player in fixture.players if player != BOB)
        ended(league, fixture.game, 20, "time", winner, *(EVE if player == BOB else player for player in fixture.players))
    (streak,) = (one for one in found_in(league).findings if isinstance(one, Streak))
    assert streak.player == EVE


def test_a_withdrawal_is_no_streak_and_short_games_in_earnest_are_shown_as_they_are(database: Database) -> None:
    league = league_of(database, ADA, BOB, CLEO, DAN)
    games = [one for one in league.season.fixtures if ADA in one.players and one.game is not None]
    for fixture in games[:3]:
        assert fixture.game is not None
        ended(league, fixture.game, 30, "rules", ADA)
    league.do(c.Withdraw(ADA))
    assert found_in(league) == Report(1, 3, 10, ())


def test_how_long_games_are_says_what_is_short(database: Database) -> None:
    league = league_of(database, ADA, BOB, CLEO)
    opened = [one.game for one in league.season.fixtures if one.game is not None]
    for game, turns in zip(opened[:5], (9, 6, 2, 7, 6), strict=True):
        players = next(one.players for one in league.season.fixtures if one.game == game)
        ended(league, game, turns, "rules", players[0])
    assert found_in(league).short == 3


def test_what_ratings_did_not_expect(database: Database) -> None:
    league = league_of(database, ADA, BOB)
    winners = [BOB, BOB, *[ADA] * 6, *[BOB] * 4]
    for at, winner in enumerate(winners):
        league.now = day(31 * at)
        if at and at % 2 == 0:
            another_season(league)
        ended(league, at + 1, 40, "rules", winner)
    known = [one for one in found_in(league).findings if isinstance(one, Unexpected)]
    assert known == [], "nobody has a rating yet"
    follow(Ledger(database, "club.example"))
    with database.read() as conn:
        report = look_into(conn, LEAGUE)
    assert report.games == 12
    assert [one for one in report.findings if isinstance(one, Unexpected)] == []
    with database.write() as tx:  # as if everybody knew for certain that Ada is much stronger
        for player, mean in ((ADA, 2200), (BOB, 1200)):
            values: dict[str, int] = {"who": player, "mean": mean}
            tx.run(Statement(text("UPDATE rating SET mean = :mean, spread = 30 WHERE player = :who")), **values)
    (one,) = (each for each in found_in(league).findings if isinstance(each, Unexpected))
    assert (one.players, one.games, one.scored) == ((BOB, ADA), numbers(*range(2, 13)), Fraction(5))
    assert 0 < one.expected < 0.2


def test_who_has_more_games_than_the_league_allows(database: Database) -> None:
    league = league_of(database, ADA, BOB, CLEO, at_once=1)
    assert found_in(league).findings == ()
    waiting = next(one for one in league.season.fixtures if one.game is None and len(one.players) == 2)
    league.open_game(GameId(9), waiting.players)
    league.do(c.AttachGame(waiting.number, GameId(9)))
    running = {player: [one.game for one in league.season.fixtures if player in one.players and one.game] for player in waiting.players}
    assert found_in(league).findings == tuple(
        Crowded(player, tuple(games), 1) for player, games in sorted(running.items()) if len(games) > 1
    )
    assert found_in(league).findings


def test_leagues_without_seasons_have_nothing_and_unknown_ones_are_refused(database: Database) -> None:
    league = Kept(database)
    with pytest.raises(NotFound, match="league"):
        found_in(league)
    league.do(c.OpenLeague("Winter", "take", {}, Settings()))
    assert found_in(league) == Report(None, 0, 10, ())
    with pytest.raises(NotFound, match="season 3"):
        found_in(league, 3)
    with database.read() as conn, pytest.raises(NotFound):
        look_into(conn, LeagueId(9))


@pytest.mark.parametrize(("game", "is_told"), [("take", True), ("tako", False)])
def test_first_moves_are_looked_at_where_a_seat_says_who_has_them(database: Database, game: str, *, is_told: bool) -> None:
    add_everybody(database)
    league = Kept(database, Settings(format=Format.SWISS, rounds=3, least=2), game)
    league.begin(ADA, BOB, CLEO, DAN)
    for other, pair in ((BOB, (CLEO, DAN)), (CLEO, (DAN, BOB)), (DAN, (BOB, CLEO))):
        league.do(c.PairAgain("1", "Ada wants to", ((ADA, other), pair)))
        league.open_games()
        for fixture in [one for one in league.season.fixtures if not one.marks and not one.void]:
            league.result(fixture.number, WIN)
        league.do(c.CheckLeague())
    found = [one for one in found_in(league).findings if isinstance(one, FirstMoves)]
    assert [one.player for one in found] == ([ADA] if is_told else [])
