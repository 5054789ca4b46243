"""Rows about leagues: lists, names, what is due, and the games that have changed."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from tests.league.seasons import ADA, BOB, CLEO, OPENED, League, day
from tests.store.scene import GAME, RUNNING, add_players, play_game
from turnserver.errors import NotAllowed, NotFound
from turnserver.ids import GameId, LeagueId, PlayerId
from turnserver.league.commands import AnnounceSeason, Enter, Withdraw
from turnserver.league.settings import Settings
from turnserver.league.state import Phase
from turnserver.store.leagues import views as leagues
from turnserver.store.leagues.views import LeagueSummary, Meeting
from turnserver.store.log.database import Database
from turnserver.store.people import accounts as people

WINTER = LeagueId(3)


def register(database: Database, *players: PlayerId) -> None:
    with database.write() as tx:
        for player in players:
            people.add_player(tx, player, f"player {player}", f"{player}@club.example", "UTC", OPENED)


def save(database: Database, league: League, number: LeagueId = WINTER) -> None:
    with database.write() as tx:
        leagues.save(tx, number, None, league.state, opened_at=OPENED)


def row(database: Database, *, player: PlayerId | None = None) -> list[LeagueSummary]:
    with database.read() as conn:
        return leagues.listed(conn, player)


def test_a_league_is_listed_as_it_is(database: Database) -> None:
    league = League(Settings())
    save(database, league)
    before = league.state
    league.do(AnnounceSeason(day(14)))
    with database.write() as tx:
        leagues.save(tx, WINTER, before, league.state)
    expected = LeagueSummary(WINTER, league.state.version, "Winter", "take", 1, Phase.ENTRIES, day(14), OPENED, archived=False)
    assert row(database) == [expected]


@pytest.mark.parametrize("text", ["3", "league-3", " League-3 ", "Winter", "wINTER"])
def test_it_is_found_by_its_number_or_name(database: Database, text: str) -> None:
    save(database, League(Settings()))
    with database.read() as conn:
        assert leagues.find(conn, text) == WINTER


@pytest.mark.parametrize("text", ["4", "league-4", "Summer", "", "league-", "9" * 30])
def test_what_there_is_not_is_not_found(database: Database, text: str) -> None:
    save(database, League(Settings()))
    with database.read() as conn, pytest.raises(NotFound):
        leagues.find(conn, text)


def test_no_two_leagues_have_one_name(database: Database) -> None:
    save(database, League(Settings()))
    with pytest.raises(NotAllowed, match="Winter"):
        save(database, League(Settings()), LeagueId(4))


def test_players_are_listed_with_the_leagues_that_they_are_in(database: Database) -> None:
    register(database, ADA, BOB, CLEO)
    league = League(Settings())
    league.do(AnnounceSeason(), Enter(ADA, 1500), Enter(BOB, 1500))
    save(database, league)
    before = league.state
    league.do(Withdraw(ADA), Enter(CLEO, 1500))
    with database.write() as tx:
        leagues.save(tx, WINTER, before, league.state)
    assert [len(row(database, player=player)) for player in (ADA, BOB, CLEO)] == [0, 1, 1]


def test_whoever_has_withdrawn_from_a_running_season_is_not_in_it(database: Database) -> None:
    register(database, ADA, BOB, CLEO)
    league = League(Settings())
    league.begin([ADA, BOB, CLEO])
    save(database, league)
    before = league.state
    league.do(Withdraw(ADA))
    with database.write() as tx:
        leagues.save(tx, WINTER, before, league.state)
    assert [len(row(database, player=player)) for player in (ADA, BOB, CLEO)] == [0, 1, 1]


def test_those_due_come_in_the_order_of_their_instants(database: Database) -> None:
    for number, until in ((3, 4), (4, 2), (5, 9)):
        league = League(Settings())
        league.do(AnnounceSeason(day(until)))
        with database.write() as tx:
            leagues.save(tx, LeagueId(number), None, replace(league.state, name=f"League of {number}"), opened_at=OPENED)
    with database.read() as conn:
        assert leagues.due_leagues(conn, day(4), 10) == [4, 3]
        assert leagues.due_leagues(conn, day(4) - timedelta(microseconds=1), 10) == [4]
        assert leagues.due_leagues(conn, day(9), 2) == [4, 3]


def test_a_game_that_changes_is_carried_once(database: Database) -> None:
    save(database, League(Settings()))
    with database.write() as tx:
        add_players(tx)
    play_game(database, GAME, RUNNING)
    with database.write() as tx:
        leagues.attach(tx, GAME, Meeting(WINTER, 1, 7))
    with database.read() as conn:
        assert leagues.meeting_of(conn, GAME) == (WINTER, 1, 7)
        assert leagues.changed(conn) == []
    with database.write() as tx:
        leagues.note(tx, GAME)
        leagues.note(tx, GameId(99))
    with database.read() as conn:
        assert leagues.changed(conn) == [WINTER]
        assert leagues.changed_in(conn, WINTER) == {GAME: Meeting(WINTER, 1, 7)}
        assert leagues.changed_in(conn, LeagueId(4)) == {}
    with database.write() as tx:
        leagues.carried(tx, [GAME])
    with database.read() as conn:
        assert leagues.changed(conn) == []


def test_a_game_of_no_league_has_no_meeting(database: Database) -> None:
    with database.read() as conn:
        assert leagues.meeting_of(conn, GAME) is None


def test_games_are_to_be_opened_at_once_or_when_it_was_put_off_to(database: Database) -> None:
    register(database, ADA, BOB, CLEO)
    league = League(Settings())
    save(database, league)
    before = league.state

    def opening(at: float) -> list[LeagueId]:
        with database.read() as conn:
            return leagues.opening_leagues(conn, day(at))

    assert opening(0) == []
    league.begin([ADA, BOB, CLEO])
    with database.write() as tx:
        leagues.save(tx, WINTER, before, league.state)
    assert opening(0) == [WINTER]
    with database.write() as tx:
        leagues.postpone(tx, WINTER, before.version, day(2))
    assert opening(0) == [WINTER]
    with database.write() as tx:
        leagues.postpone(tx, WINTER, league.state.version, day(2))
    assert (opening(1), opening(2)) == ([], [WINTER])
    league.open_games()
    with database.write() as tx:
        leagues.save(tx, WINTER, league.state, league.state)
        leagues.postpone(tx, WINTER, league.state.version, day(3))
    assert opening(9) == []
