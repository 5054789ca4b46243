"""Beats, and what is kept when they stop."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import NamedTuple

import pytest

from tests.store.scene import ENDED, INVITED, RUNNING, STARTED, add_players, day, wait_for_lock
from turnserver.errors import AlreadyHandled
from turnserver.ids import GameId
from turnserver.play.evolve import fold
from turnserver.store.games import views
from turnserver.store.incidents import outages
from turnserver.store.incidents.outages import Outage, QuarantinedGame
from turnserver.store.log.database import Database

HOUR = timedelta(hours=1)
MOMENT = timedelta(microseconds=1)


def beat(database: Database, now: datetime) -> Outage | None:
    with database.write() as tx:
        return outages.beat(tx, now, HOUR)


class Case(NamedTuple):
    """Beats one after the other, and the gaps that were kept."""

    name: str
    beats: tuple[datetime, ...]
    kept: tuple[tuple[datetime, datetime], ...]


@pytest.mark.parametrize(
    "case",
    [
        Case("the first beat ever", (day(1),), ()),
        Case("as late as is tolerated", (day(1), day(1) + HOUR), ()),
        Case("a moment too late", (day(1), day(1) + HOUR + MOMENT), ((day(1), day(1) + HOUR + MOMENT),)),
        Case("a gap is kept once", (day(1), day(2), day(2), day(2) + HOUR), ((day(1), day(2)),)),
        Case("two gaps", (day(1), day(2), day(4)), ((day(1), day(2)), (day(2), day(4)))),
        Case("a clock that was set back makes no gap", (day(2), day(1), day(2) + HOUR), ()),
    ],
    ids=lambda case: case.name,
)
def test_gaps_between_beats(database: Database, case: Case) -> None:
    found = [outage for now in case.beats if (outage := beat(database, now))]
    assert [(outage.began_at, outage.ended_at) for outage in found] == list(case.kept)
    with database.read() as conn:
        assert outages.unsettled(conn) == found
        assert outages.last_beat(conn) == max(case.beats)


def test_a_due_game_one_at_rest_and_an_unsettled_outage_wait(database: Database) -> None:
    with database.write() as tx:
        add_players(tx)
        views.save_game(tx, GameId(1), fold(STARTED), opened_at=day(0))
        due = views.game_row(tx, GameId(1)).due_at
        assert due is not None
        assert outages.signs(tx, due - MOMENT)[:5] == (due - MOMENT, None, None, None, False)
        assert outages.signs(tx, due).waits
        outages.rest(tx, QuarantinedGame(GameId(1), day(0), "a reason"))
        assert outages.signs(tx, due - MOMENT).waits
        outages.wake(tx, GameId(1))
        assert not outages.signs(tx, due - MOMENT).waits
        outages.beat(tx, day(0), HOUR)
        kept = outages.beat(tx, day(1), HOUR)
        assert kept is not None
        assert outages.signs(tx, due - MOMENT)[:5] == (due - MOMENT, day(1), None, None, True)
        outages.settle(tx, kept.id)
        assert not outages.signs(tx, due - MOMENT).waits


def test_of_two_that_find_the_same_gap_one_keeps_it(postgresql_url: str) -> None:
    database = Database.connect(postgresql_url)
    beat(database, day(1))
    with ThreadPoolExecutor(1) as pool:
        with database.write() as tx:
            assert outages.beat(tx, day(2), HOUR) is not None
            slower = pool.submit(beat, database, day(2) + MOMENT)
            wait_for_lock(postgresql_url, slower)
        assert slower.result() is None
    with database.read() as conn:
        assert [outage.ended_at for outage in outages.unsettled(conn)] == [day(2)]
    database.close()


def test_an_outage_is_settled_once(database: Database) -> None:
    beat(database, day(1))
    outage = beat(database, day(2))
    assert outage is not None
    with database.write() as tx:
        outages.settle(tx, outage.id)
    with pytest.raises(AlreadyHandled), database.write() as tx:
        outages.settle(tx, outage.id)
    with database.read() as conn:
        assert outages.unsettled(conn) == []


def test_games_whose_clock_ran_are_affected(database: Database) -> None:
    with database.write() as tx:
        add_players(tx)
        for number, history in enumerate((INVITED, STARTED, RUNNING, ENDED), start=1):
            views.save_game(tx, GameId(number), fold(history), opened_at=day(0))
    with database.read() as conn:
        # the deadlines of the two that run are on days 3 and 4
        for began, affected in ((1, [2, 3]), (3, [3]), (4, [])):
            assert outages.affected_games(conn, Outage(1, day(began), day(9))) == affected
        for began, until, due in ((2, 2.9, []), (2, 3, [2]), (2, 9, [2, 3]), (3, 4, [3])):
            assert outages.games_due(conn, day(began), day(until)) == due
