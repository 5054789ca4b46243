"""A database that is copied into an empty one of either engine has the same rows there, and goes on counting where they end."""

from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import literal, select, update

from tests.audit.test_tampering import moved
from tests.cli.club import Club
from tests.cli.typed import declared, service_of, typed
from turnserver.cli.backups import Copied
from turnserver.store.incidents import copying
from turnserver.store.log.database import Database, table
from turnserver.store.log.statement import Statement
from turnserver.store.log.tables import METADATA, OutboxRow, PlayerRow


def contents(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables, as both engines read them."""
    with closing(Database.connect(url)) as database, database.engine.connect() as connection:
        return {
            each.name: [tuple(row) for row in connection.execute(select(each).order_by(*each.primary_key.columns))]
            for each in METADATA.sorted_tables
        }


def test_a_database_goes_to_the_other_engine_and_back(club: Club, empty_postgresql_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a mail was merged into a later one, one came twice, and what is read at a time ends within a table."""
    monkeypatch.setattr(copying, "_AT_ONCE", 3)
    for _ in range(2):
        typed(club, "mail receive", b"From: ada@example.org\nMessage-ID: <again@example.org>\nSubject: games\n\ngames\n")
    with closing(service_of(club).db) as db, db.write() as tx:
        mails = table(OutboxRow)
        tx.run(Statement(update(mails).where(mails.c.id == literal(1)).values(merged_into=literal(2), status=literal("merged"))))
    before = contents(f"sqlite:///{club.directory}/club.db")
    made = declared(typed(club, f"copy '{empty_postgresql_url}' --json").stdout, "copy")
    assert isinstance(made, Copied)
    assert (made.rows, made.games) == (sum(map(len, before.values())), 3)
    assert contents(empty_postgresql_url) == before
    club.config.write_text(club.config.read_text(encoding="utf-8").replace("sqlite:///club.db", empty_postgresql_url), encoding="utf-8")
    assert typed(club, "copy sqlite:///{dir}/back.db").exit_code == 0
    assert contents(f"sqlite:///{club.directory}/back.db") == before


def test_what_comes_after_a_copy_is_numbered_after_what_was_there(club: Club, postgresql_url: str) -> None:
    typed(club, "tick")
    club.now = club.now.replace(hour=13)
    moved(club, postgresql_url)
    before = contents(postgresql_url)
    club.printed("game open take Ada Bob")
    after = contents(postgresql_url)
    grown = {name for name in before if len(after[name]) > len(before[name])}
    assert {"event", "game", "outbox"} <= grown
    assert [name for name in grown if after[name][: len(before[name])] != before[name]] == []
    assert "everything is as it was written" in club.printed("audit verify")


REFUSED = {
    "the database itself": (
        "sqlite:///{dir}/club.db",
        "The file {dir}/club.db has rows already, in the table event. Only an empty database can become a copy.",
    ),
    "no address": (
        "here",
        "The setting database.url isn't the address of a database. Write sqlite:///path or postgresql+psycopg://user@host/name.",
    ),
    "nowhere": ("sqlite:///{dir}/no/where.db", "cannot create the database {dir}/no/where.db: No such file or directory."),
}


@pytest.mark.parametrize(("url", "says"), REFUSED.values(), ids=REFUSED)
def test_what_can_be_no_copy_is_left_as_it_is(club: Club, url: str, says: str) -> None:
    before = (club.directory / "club.db").read_bytes()
    done = typed(club, f"copy {url}")
    assert (done.exit_code, done.stderr) == (1, f"turnserver: {says.format(dir=club.directory)}\n")
    assert (club.directory / "club.db").read_bytes() == before


def test_a_database_that_runs_is_not_copied(club: Club) -> None:
    typed(club, "tick")
    done = typed(club, "copy sqlite:///{dir}/copy.db")
    assert (done.exit_code, done.stderr.startswith("turnserver: The service runs on this database")) == (1, True)
    assert not (club.directory / "copy.db").exists()


def test_a_copy_that_ends_halfway_has_no_row_and_can_be_made_again(club: Club, postgresql_url: str) -> None:
    """SQLite keeps a text that PostgreSQL does not: nothing of ours writes one, but a hand may."""
    with closing(service_of(club).db) as db, db.write() as tx:
        tx.run(Statement(update(table(PlayerRow)).where(table(PlayerRow).c.id == literal(3)).values(name="C\0")))
    done = typed(club, f"copy '{postgresql_url}'")
    assert (done.exit_code, done.stderr) == (
        1,
        "turnserver: the database refused: PostgreSQL text fields cannot contain NUL (0x00) bytes.\n",
    )
    assert [name for name, rows in contents(postgresql_url).items() if rows] == ["counter"]
    with closing(service_of(club).db) as db, db.write() as tx:
        tx.run(Statement(update(table(PlayerRow)).where(table(PlayerRow).c.id == literal(3)).values(name="Cleo")))
    assert typed(club, f"copy '{postgresql_url}'").exit_code == 0
