"""The rows kept of league games that count, whatever becomes of the games: they are what the logs say."""

from collections.abc import Callable
from datetime import datetime

import pytest
from sqlalchemy import text

from tests.store.leagues.rated import ADA, BOB, CLEO, DAN, EVE, LEAGUE, Kept, add_everybody
from tests.store.scene import day
from turnserver.ids import Burden, GameId, PlayerId, league_stream
from turnserver.league import commands as c
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.results import Bearer
from turnserver.store.leagues import ratings, results
from turnserver.store.log import log
from turnserver.store.log.database import Database
from turnserver.store.log.statement import Statement

WIN, LOSS, DRAW, ANNULLED = Mark.WIN, Mark.LOSS, Mark.DRAW, Mark.ANNULLED
Row = tuple[int, datetime, str, tuple[int, ...]]
"""The game, when it ended, who bears it, in brackets if it does not count for them, and the places."""


def rows(database: Database) -> list[Row]:
    with database.read() as conn:
        kept = results.of_league(conn, LEAGUE)
        assert results.logged(conn, LEAGUE) == kept
        assert list(results.astray(conn, LEAGUE)) == []
    assert all(one.key == "take" for one in kept.values())
    return [
        (game, one.result.at, " ".join(_told(who) for side in one.result.sides for who in side), one.result.places)
        for game, one in sorted(kept.items())
    ]


def _told(bearer: Bearer) -> str:
    return str(bearer.player) if bearer.counts else f"({bearer.player})"


def behind(database: Database) -> datetime | None:
    with database.read() as conn:
        found = ratings.still_behind(conn, "take")
    return found.since if found else None


def who(league: Kept, meeting: int) -> tuple[PlayerId, ...]:
    return league.season.fixtures[meeting - 1].players


@pytest.fixture
def league(database: Database) -> Kept:
    add_everybody(database)
    found = Kept(database)
    found.begin(ADA, BOB, CLEO, DAN)
    return found


def pair(league: Kept, meeting: int) -> str:
    return " ".join(map(str, who(league, meeting)))


Change = Callable[[Kept], None]


def win(league: Kept) -> None:
    league.now = day(3)
    league.result(1, WIN)


def annul(league: Kept) -> None:
    league.now = day(5)
    league.do(c.SetResult(1, (ANNULLED, ANNULLED), "arranged"))


def correct(league: Kept) -> None:
    league.now = day(6)
    league.do(c.SetResult(1, (LOSS, WIN), "the wrong way round"))


def reopen(league: Kept) -> None:
    league.now = day(7)
    league.do(c.ReopenResult(1))


def draw_later(league: Kept) -> None:
    league.now = day(9)
    league.result(1, DRAW)


def withdraw(league: Kept) -> None:
    league.now = day(10)
    league.do(c.Withdraw(who(league, 1)[0]))


@pytest.mark.parametrize(
    ("changes", "kept", "since"),
    [
        ((win,), (day(3), (1, 2)), day(3)),
        ((win, annul), None, day(3)),
        ((win, annul, correct), (day(3), (2, 1)), day(3)),
        ((win, correct), (day(3), (2, 1)), day(3)),
        ((win, reopen), None, day(3)),
        ((win, reopen, draw_later), (day(9), (1, 1)), day(3)),
        ((withdraw,), None, None),
        ((win, withdraw), (day(3), (1, 2)), day(3)),
    ],
)
def test_a_result_is_kept_as_it_stands(
    league: Kept, changes: tuple[Change, ...], kept: tuple[datetime, tuple[int, ...]] | None, since: datetime | None
) -> None:
    for change in changes:
        change(league)
    found = [row for row in rows(league.database) if row[0] == 1]
    assert found == ([] if kept is None else [(1, kept[0], pair(league, 1), kept[1])])
    assert behind(league.database) == since


def test_nothing_is_noted_that_was_so_before(league: Kept) -> None:
    league.now = day(3)
    league.result(1, WIN)
    with league.database.read() as conn:
        before = ratings.still_behind(conn, "take")
    league.do(c.SetResult(2, (Mark.NO_RESULT, Mark.NO_RESULT), "never played"))
    with league.database.write() as tx:
        results.save(tx, LEAGUE, None, [row.event for row in log.load(tx, league_stream(LEAGUE))])
    with league.database.read() as conn:
        assert ratings.still_behind(conn, "take") == before


@pytest.mark.parametrize(
    ("rating", "told"),
    [(Burden.SEAT, "{first} {second}"), (Burden.SUBSTITUTE, "5 {second}"), (Burden.NONE, "(5) {second}")],
)
def test_a_seat_counts_for_whom_its_game_says(league: Kept, rating: Burden, told: str) -> None:
    first, second = who(league, 1)
    league.substitute(GameId(1), 1, EVE, rating)
    win(league)
    assert rows(league.database) == [(1, day(3), told.format(first=first, second=second), (1, 2))]


def test_a_game_against_oneself_counts_for_nobody(league: Kept) -> None:
    first, _ = who(league, 1)
    league.substitute(GameId(1), 1, EVE, Burden.SEAT)
    league.substitute(GameId(1), 2, first, Burden.SUBSTITUTE)
    win(league)
    assert rows(league.database) == []


def test_results_of_earlier_seasons_stay_and_several_seasons_may_come_at_once(league: Kept) -> None:
    for meeting in range(1, 6):
        league.now = day(meeting)
        league.result(meeting, WIN)
    league.now = day(6)
    league.do(c.CarryResult(6, (DRAW, DRAW), day(6)), c.CheckLeague(), c.AnnounceSeason(), c.StartSeason())
    league.open_games()
    assert [row[0] for row in rows(league.database)] == [1, 2, 3, 4, 5, 6]
    league.now = day(40)
    league.result(2, LOSS)
    with league.database.read() as conn:
        found = {game: (one.season, one.meeting) for game, one in results.of_league(conn, LEAGUE).items()}
    assert found == {GameId(number): (1, number) for number in range(1, 7)} | {GameId(8): (2, 2)}
    assert len(rows(league.database)) == 7


def test_whoever_changes_a_row_is_found_out(league: Kept) -> None:
    win(league)
    league.result(2, WIN)
    for statement in ("UPDATE result SET places = '[2,1]' WHERE game = 1", "DELETE FROM result WHERE game = 2"):
        with league.database.write() as tx:
            tx.run(Statement(text(statement)))
    with league.database.read() as conn:
        assert list(results.astray(conn, LEAGUE)) == [1, 2]
