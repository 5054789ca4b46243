"""`audit replay-all` and `doctor --upgrade`: what another program would make of the games, and doctor's list of games that rest."""

import gzip
import os
import shutil
import sqlite3
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from tests.cli.audit.test_verify import Burglar
from tests.cli.club import CONFIG, RUNNING, Club
from tests.cli.typed import declared, typed
from tests.store.incidents.copying import TOOLS
from turnserver.cli.audit.group import Replayed
from turnserver.ids import GameId
from turnserver.store.incidents import outages
from turnserver.store.incidents.outages import QuarantinedGame
from turnserver.store.log.database import Database

EARLIER = Path(__file__).parents[2] / "histories" / "earlier" / "club"


def of_another_program(club: Club, statement: str) -> None:
    """The database as another program would have left it, with nothing wrong in a single hash."""
    with Burglar(club) as burglar:
        burglar.run(statement)
        for number in (1, 2, 3):
            burglar.cover_up(f"game-{number}")


OTHERS = "the game's rows seat others than its events, or ask others to take a seat over"
OTHERWISE: dict[str, tuple[str, str]] = {
    "a deadline that is worked out otherwise": (
        "UPDATE game SET deadline_at = '2026-03-05T12:00:00.000000Z' WHERE id = 1",
        "the game's row has '2026-03-05T12:00:00.000000Z' as deadline_at, its events come to '2026-03-06T12:00:00.000000Z'",
    ),
    "whose turn it is": ("UPDATE game SET to_move = 1 WHERE id = 1", "the game's row has 1 as to_move, its events come to 2"),
    "who sits where": ("UPDATE seat SET player = 3 WHERE game = 1 AND seat = 2", OTHERS),
    "who is asked to take a seat over": ("INSERT INTO seat_offer VALUES (1, 2, 3)", OTHERS),
    "how it is played": (
        """UPDATE game SET options = '{"size":9}' WHERE id = 1""",
        "the game's row has other options than its events",
    ),
    "when it ended": (
        "UPDATE game SET ended_at = '2026-03-05T12:00:00.000000Z' WHERE id = 1",
        "the game's row has 2026-03-05T12:00:00.000000Z as ended_at, which is no instant at which it ended",
    ),
}


@pytest.mark.parametrize(("statement", "says"), OTHERWISE.values(), ids=OTHERWISE)
def test_a_game_that_would_stand_otherwise_is_named(club: Club, statement: str, says: str) -> None:
    of_another_program(club, statement)
    result = typed(club, "audit replay-all --json")
    done = declared(result.stdout, "audit replay-all")
    assert isinstance(done, Replayed)
    assert (result.exit_code, done.games, done.differing) == (1, 3, 1)
    assert [(one.game, one.problem) for one in done.differences] == [(RUNNING, says)]
    shown = typed(club, "audit replay-all")
    assert (shown.exit_code, "3 games were played again, 1 would differ." in shown.stdout) == (1, True)


def test_none_would_differ(club: Club) -> None:
    done = declared(club.printed("audit replay-all --json --workers 1"), "audit replay-all")
    assert isinstance(done, Replayed)
    assert club.printed("audit replay-all") == f"3 games of {done.events} events were played again: none would differ.\n"
    assert done == Replayed(3, done.events, 0, [])


def test_an_upgrade_is_safe_and_nothing_is_changed(club: Club) -> None:
    before = dump(club)
    lines = club.printed("doctor --upgrade").splitlines()
    assert [line.split()[:2] for line in lines[:6]] == [
        ["ok", f"{about}:"] for about in ("catalogue", "database", "events", "rules", "games", "upgrade")
    ]
    assert "Safe: this program comes to the same in every game." in lines[5]
    assert dump(club) == before


def test_an_upgrade_of_a_club_without_games_says_nothing_about_games(tmp_path: Path) -> None:
    empty = Club(tmp_path)
    empty.config.write_text(CONFIG, encoding="utf-8")
    empty.printed("init")
    lines = empty.printed("doctor --upgrade").splitlines()
    assert [line.split()[:2] for line in lines[4:6]] == [["note", "games:"], ["note", "upgrade:"]]


def dump(club: Club) -> list[str]:
    connection = sqlite3.connect(club.directory / "club.db")
    try:
        return list(connection.iterdump())
    finally:
        connection.close()


UNSAFE: dict[str, tuple[str, list[str]]] = {
    "a revision that is not installed": (
        "UPDATE event SET data = replace(data, '\"revision\":1', '\"revision\":2') WHERE stream = 'game-1' AND version = 1",
        ["Not installed: take revision 2 (1 game).", "Take is not installed in revision 2 of its rules, only in 1"],
    ),
    "a game that is not installed": (
        "UPDATE event SET data = replace(data, '\"take\"', '\"taken\"') WHERE stream = 'game-1' AND version = 1",
        ["Not installed: taken revision 1 (1 game)."],
    ),
    "an event of a later program": (
        "UPDATE event SET schema = 9 WHERE stream = 'game-1' AND version = 5",
        ["This program cannot read game.turn_played v9.", "1 game would differ: 1; in game 1, the game cannot be played again"],
    ),
    "a turn that is not legal any more": (
        "UPDATE event SET data = replace(data, '\"e3\"', '\"a1\"') WHERE stream = 'game-1'",
        ["1 game would differ: 1; in game 1, the turn is not legal"],
    ),
}


@pytest.mark.parametrize(("statement", "says"), UNSAFE.values(), ids=UNSAFE)
def test_an_upgrade_is_not_safe(club: Club, statement: str, says: list[str]) -> None:
    of_another_program(club, statement)
    result = typed(club, "doctor --upgrade")
    assert result.exit_code == 1
    assert [one for one in says if one not in result.stdout] == [], result.stdout
    assert "Not safe: " in result.stdout
    assert "Safe: this" not in result.stdout


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE alembic_version SET version_num = '9999'", "is newer than this program"),
        ("UPDATE alembic_version SET version_num = '0001'", "TMPDIR names another place"),
    ],
)
def test_a_database_that_cannot_be_looked_at_is_called_neither_safe_nor_unsafe(club: Club, statement: str, says: str) -> None:
    """The second one has the tables that the upgrade would make."""
    of_another_program(club, statement)
    before = dump(club)
    result = typed(club, "doctor --upgrade")
    assert result.exit_code == 1
    assert says in result.stdout
    assert "Not checked" in result.stdout
    assert "afe: " not in result.stdout
    assert dump(club) == before


def test_older_tables_are_upgraded_in_a_copy_and_that_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club, room = Club(tmp_path), tmp_path / "room"
    room.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(room))
    shutil.copy(EARLIER / "turnserver.toml", tmp_path)
    (tmp_path / "club.db").write_bytes(gzip.decompress((EARLIER / "club.db.gz").read_bytes()))
    before = dump(club)
    found = declared(typed(club, "doctor --upgrade --json").stdout, "doctor")
    assert isinstance(found, list)
    assert f"has older tables: a copy in {room} was upgraded" in found[1].says
    assert [(one.state, one.about) for one in found[2:]] == [
        ("ok", "events"),
        ("note", "rules"),
        ("ok", "games"),
        ("note", "games"),
        ("ok", "upgrade"),
    ]
    # a game that is in quarantine there, and would stay
    assert "Not installed: take revision 2 (1 game), in quarantine as now." in found[3].says
    assert "Of 1 game in quarantine, 0 would go on; 21 would stay there: in game 21, " in found[5].says
    assert dump(club) == before
    assert list(room.iterdir()) == []


def test_an_upgrade_on_postgresql_is_checked_in_a_copy_that_the_admin_makes(
    club: Club, postgresql_url: str, postgresql_server: str
) -> None:
    with psycopg.connect(postgresql_url.replace("+psycopg", ""), autocommit=True) as conn:
        conn.execute("UPDATE alembic_version SET version_num = '0001'")
    config = club.config.read_text(encoding="utf-8")
    club.config.write_text(config.replace("sqlite:///club.db", postgresql_url.replace(":@", ":hush@")), encoding="utf-8")
    said = typed(club, "doctor --upgrade --json")
    assert said.exit_code == 1
    assert "hush" not in said.stdout
    found = declared(said.stdout, "doctor")
    assert isinstance(found, list)
    createdb, fill, *rest = (command for one in found for command in one.says.split("`")[1::2])
    assert rest == ["turnserver init", "turnserver doctor --upgrade"]
    assert found[-1].says.startswith("Not checked")
    name = str(make_url(postgresql_url).database)
    # which role may create databases is the admin's to know
    environment = {"PATH": f"{TOOLS}:{os.environ['PATH']}", "PGUSER": "postgres"}
    try:
        for command in (createdb, fill):
            subprocess.run(["/bin/bash", "-o", "pipefail", "-c", command], check=True, env=environment)
        with psycopg.connect(postgresql_url.replace("+psycopg", "").replace(name, f"{name}_check")) as conn:
            assert conn.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
    finally:
        with psycopg.connect(postgresql_server, autocommit=True) as conn:
            conn.execute(f"DROP DATABASE IF EXISTS {name}_check")


def test_the_doctor_names_games_that_rest(club: Club) -> None:
    db = Database.connect(f"sqlite:///{club.directory}/club.db")
    with db.write() as tx:
        assert outages.rest(tx, QuarantinedGame(GameId(RUNNING), datetime(2026, 3, 1, tzinfo=UTC), "it has no rules"))
    db.close()
    found = declared(typed(club, "doctor --json").stdout, "doctor")
    assert isinstance(found, list)
    (check,) = [one for one in found if one.about == "games"]
    assert check.state == "wrong"
    assert f"{RUNNING} (it has no rules)" in check.says
    upgrade = declared(typed(club, "doctor --upgrade --json").stdout, "doctor")
    assert isinstance(upgrade, list)
    assert [one.says for one in upgrade if one.state == "note"] == ["Of 1 game in quarantine, 1 would go on."]
