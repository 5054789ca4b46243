"""All parts of a database checked by several processes: each once, with what is found, and up to where the log is sound."""

import pytest

from tests.audit.test_replaying import GAMES, ILLEGAL, SECOND_SEAT
from tests.shortened import shortened
from tests.store.log.test_verify import DROP, execute
from tests.store.scene import RUNNING, add_players, play_game
from turnserver.audit.parts import Audited, OneGame, Part, Parts, audited
from turnserver.audit.replaying import replay_all
from turnserver.store.log.database import Database
from turnserver.store.log.verify import pages


@pytest.fixture(autouse=True)
def three_games(database: Database) -> None:
    """Three games; in the second a piece stands where one stood already."""
    with database.write() as tx:
        add_players(tx)
    for game, events in zip(GAMES, (SECOND_SEAT, ILLEGAL, RUNNING), strict=False):
        play_game(database, game, events)


@pytest.mark.parametrize("database_url", shortened(["sqlite", "postgresql"]), indirect=True)
def test_several_processes_find_what_one_finds(database: Database, database_url: str) -> None:
    with database.read() as conn:
        whole, done = Parts.of(conn), list[Part]()
    findings = [finding for game in replay_all(database_url, GAMES[:3], 1) for finding in game.findings]
    assert any("not legal" in finding.problem for finding in findings)
    for workers in (1, 2):
        done.clear()
        found = audited(database_url, whole, workers, done=done.append, at_once=2)
        # where something is wrong with a game, nobody can count how reliable its players are
        assert found == Audited(findings, [], whole.events, None)
        assert done == [*whole.pages, *map(OneGame, GAMES[:3])]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_log_is_sound_up_to_the_first_page_that_is_not(database: Database, database_url: str) -> None:
    with database.read() as conn:
        whole = Parts.of(conn)._replace(pages=pages(conn, 3))
    assert audited(database_url, whole, 1).sound == whole.events
    with database.write() as tx:
        for statement in DROP["sqlite"]:
            execute(tx, statement)
        execute(tx, "UPDATE event SET cause = 'another' WHERE position = 5")
    assert audited(database_url, whole, 1).sound == 3
    with database.write() as tx:
        execute(tx, "UPDATE event SET actor = CAST(:value AS TEXT) WHERE position = 1", value=b"\xff\xfe")
    assert audited(database_url, whole, 1).sound == 0  # that page cannot be read
