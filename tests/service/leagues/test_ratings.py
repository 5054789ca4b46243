"""Ratings follow the results: month by month, whoever works them out, and come to what a fold of everything comes to."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import pytest
from sqlalchemy import text

from tests.processes import start
from tests.store.leagues.rated import ADA, BOB, CLEO, DAN, EVE, LEAGUE, Kept, add_everybody
from tests.store.scene import day
from turnserver.ids import PlayerId
from turnserver.league.commands import ReopenResult, SetResult
from turnserver.league.scoring.marks import OTHER_SIDE, Mark
from turnserver.league.scoring.ratings import RatingPoint
from turnserver.league.scoring.ratings import ratings as fold
from turnserver.league.settings import Format, Settings
from turnserver.play.reliability import Tally
from turnserver.service.games.ledger import Ledger
from turnserver.service.leagues.ratings import follow, in_time, look, rating_of, rating_then, ratings, write
from turnserver.store.games import views
from turnserver.store.leagues import ratings as kept
from turnserver.store.leagues import results
from turnserver.store.log.database import Database
from turnserver.store.log.statement import Statement

WIN, LOSS, DRAW, ANNULLED = Mark.WIN, Mark.LOSS, Mark.DRAW, Mark.ANNULLED
LATER = day(400)
Histories = Mapping[PlayerId, tuple[RatingPoint, ...]]


@pytest.fixture
def league(database: Database) -> Kept:
    """Twelve games between four players."""
    add_everybody(database)
    found = Kept(database, Settings(format=Format.DOUBLE_ROUND_ROBIN))
    found.begin(ADA, BOB, CLEO, DAN)
    return found


def keeper(database: Database) -> Ledger:
    return Ledger(database, "club.example")


def kept_now(database: Database) -> Histories:
    with database.read() as conn:
        found = {player: kept.history(conn, "take", player) for player in (ADA, BOB, CLEO, DAN, EVE)}
        assert kept.everybody(conn, "take") == {player: moments[-1] for player, moments in found.items() if moments}
    return {player: moments for player, moments in found.items() if moments}


def from_everything(database: Database) -> Histories:
    """Return what the log says, folded at once."""
    with database.read() as conn:
        after = fold("take", [one.result for one in results.logged(conn, LEAGUE).values()])
    return {player: after.history(player) for player in after.players()}


def test_ratings_follow_whatever_becomes_of_results(league: Kept) -> None:
    random, keeps, months = Random(7), keeper(league.database), 0  # noqa: S311  # the same each time
    for step in range(60):
        league.now = day(5 * step)
        meeting = random.choice(league.season.fixtures)
        mark = random.choice((WIN, LOSS, DRAW, ANNULLED))
        if not meeting.marks:
            league.result(meeting.number, mark)
        elif mark in (ANNULLED, DRAW) and meeting.by == "game":
            league.do(ReopenResult(meeting.number))
        elif meeting.marks[0] is not mark:
            league.do(SetResult(meeting.number, (mark, OTHER_SIDE[mark]), "a mistake"))
        if random.random() < 0.5:
            months += follow(keeps)
            assert kept_now(league.database) == from_everything(league.database)
    assert months > 20
    follow(keeps)
    assert follow(keeps) == 0
    assert kept_now(league.database) == from_everything(league.database) != {}


def test_a_month_whose_only_game_is_annulled_is_forgotten(league: Kept) -> None:
    keeps = keeper(league.database)
    league.now = day(3)
    league.result(1, WIN)
    league.now = day(50)
    league.result(2, WIN)
    assert follow(keeps) == 2
    league.do(SetResult(2, (ANNULLED, ANNULLED), "arranged"))
    assert follow(keeps) == 1
    assert {len(moments) for moments in kept_now(league.database).values()} == {1}
    league.do(SetResult(1, (ANNULLED, ANNULLED), "arranged, too"))
    assert follow(keeps) == 1
    assert kept_now(league.database) == {}


def test_a_round_works_out_a_year_and_the_next_one_goes_on(database: Database) -> None:
    add_everybody(database)
    league, keeps = Kept(database, Settings(format=Format.DOUBLE_ROUND_ROBIN)), keeper(database)
    league.begin(ADA, BOB, CLEO, DAN, EVE)
    for step, fixture in enumerate([one for one in league.season.fixtures if one.game is not None]):
        league.now = day(31 * step)
        league.result(fixture.number, WIN)
    assert [follow(keeps), follow(keeps), follow(keeps)] == [12, 8, 0]
    assert kept_now(database) == from_everything(database)


def test_what_is_changed_while_a_month_is_worked_out_is_not_lost(league: Kept) -> None:
    league.now = day(3)
    league.result(1, WIN)
    early = look(league.database, "take")
    assert early is not None
    league.result(2, WIN)
    with league.database.write() as tx:
        assert not write(early, tx)
    assert kept_now(league.database) == {}
    later = look(league.database, "take")
    assert later is not None
    with league.database.write() as tx:
        assert write(later, tx)
    with league.database.write() as tx:
        assert not write(later, tx), "another worker has done it"
    assert look(league.database, "take") is None
    assert kept_now(league.database) == from_everything(league.database) != {}


def test_several_workers_keep_the_same_ratings(league: Kept) -> None:
    for step, fixture in enumerate(league.season.fixtures):
        league.now = day(20 * step)
        league.result(fixture.number, WIN)
    databases = [Database.connect(league.database.engine.url.render_as_string(hide_password=False)) for _ in range(3)]
    together = Barrier(len(databases))

    def work(database: Database) -> int:
        together.wait(30)
        return follow(keeper(database))

    with ThreadPoolExecutor(len(databases)) as pool:
        done = list(pool.map(work, databases))
    for database in databases:
        database.close()
    follow(keeper(league.database))
    assert sum(done) >= 8
    assert kept_now(league.database) == from_everything(league.database)


@pytest.mark.engines
@pytest.mark.long
def test_ratings_follow_month_by_month_wherever_the_process_is_killed(league: Kept, database_url: str) -> None:
    """Every life ends with whole months and the rest as it was; the last one has them all."""
    for at in (1, 2, 3):
        league.now = day(31 * at)
        league.result(at, WIN)
    whole, seen, end = from_everything(league.database), list[Histories](), "killed"
    with start("follow", database_url, module="tests.service.mortal") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(len(seen) + 1))
            if (end := process.hear()) == "killed":
                seen.append(kept_now(league.database))
    assert end == "done"
    assert kept_now(league.database) == whole
    months = [sorted({moment.at for history in found.values() for moment in history}) for found in seen]
    assert sorted({len(found) for found in months}) == [0, 1, 2, 3]
    for found, instants in zip(seen, months, strict=True):
        known = {player: tuple(one for one in moments if one.at in instants) for player, moments in whole.items()}
        assert found == {player: moments for player, moments in known.items() if moments}


def test_a_game_that_cannot_be_rated_holds_up_no_other(league: Kept) -> None:
    league.result(1, WIN)
    with league.database.write() as tx:
        tx.run(Statement(text("INSERT INTO rated (key, changes, since) VALUES ('abalone', 1, '2026-03-01T12:00:00.000000Z')")))
    assert follow(keeper(league.database)) == 1
    assert kept_now(league.database) != {}


def test_what_somebody_has_now(league: Kept) -> None:
    league.now = day(3)
    league.result(1, WIN)
    first, second = league.season.fixtures[0].players
    follow(keeper(league.database))
    with league.database.read() as conn:
        assert ratings(conn, "tako-judo", LATER) == []
        then, later = rating_of(conn, "take", first, day(4)), rating_of(conn, "take", first, LATER)
        new = rating_of(conn, "take", EVE, LATER)
        everybody = ratings(conn, "take", day(4))
    assert (then.rating, then.games) == (later.rating, later.games)
    assert then.deviation < later.deviation < 350
    assert tuple(new) == (1500, 350, 0, 110)
    assert [player for player, _ in everybody] == [first, second]
    assert everybody[0][1] == then


@pytest.mark.parametrize("key", ["take", "tako-judo"])
def test_what_somebody_had_then_is_what_the_results_until_then_come_to(database: Database, key: str) -> None:
    add_everybody(database)
    league, keeps = Kept(database, Settings(format=Format.DOUBLE_ROUND_ROBIN), game=key), keeper(database)
    league.begin(ADA, BOB, CLEO, DAN)
    for at, fixture in enumerate(league.season.fixtures):
        league.now = day(9 * at)
        league.result(fixture.number, WIN if at % 3 else LOSS)
    with database.read() as conn:
        assert rating_then(conn, key, ADA, day(70)) is None, "nothing has followed"
    follow(keeps)
    league.do(SetResult(12, (ANNULLED, ANNULLED), "behind, but later"))
    with database.read() as conn:
        everything = results.between(conn, key, day(-1), LATER)
        for days in (0, 5, 9, 18, 40, 65, 70):
            right = fold(key, [one for one in everything if one.at <= day(days)])
            for player in (ADA, BOB, CLEO, DAN):
                then = rating_then(conn, key, player, day(days))
                assert then == (right.rating(player, day(days)) if player in right.players() else None)
        assert rating_then(conn, key, EVE, day(70)) is None


@pytest.mark.parametrize(
    ("tally", "percent"),
    [(Tally(), None), (Tally(1, 1), 100), (Tally(1, 0, 1), 0), (Tally(412, 404, 3, 9), 98), (Tally(1000, 999, 1), 99)],
)
def test_how_many_turns_come_in_time(database: Database, tally: Tally, percent: int | None) -> None:
    add_everybody(database)
    with database.write() as tx:
        views.add_tallies(tx, {ADA: tally} if any(tally) else {})
    with database.read() as conn:
        assert in_time(conn, ADA) == percent
        assert in_time(conn, BOB) is None
