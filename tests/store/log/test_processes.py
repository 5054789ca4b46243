"""Several processes on one database, and processes that die."""

from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, closing
from typing import NamedTuple

import pytest
from sqlalchemy import text

from tests.processes import start
from tests.store.scene import GAME, RUNNING, SHARED, STARTED, STREAM, add_players, append, day, play_game
from turnserver.ids import Event, Position, Recorded
from turnserver.store.games import views
from turnserver.store.log import log
from turnserver.store.log import verify as audit
from turnserver.store.log.database import REVISION, Database
from turnserver.store.log.statement import Statement
from turnserver.store.mail import inbox, outbox

where_several_write = pytest.mark.parametrize("database_url", [pytest.param("sqlite", marks=pytest.mark.long), "postgresql"], indirect=True)
"""SQLite itself lets one write at a time."""


def test_of_two_that_decide_at_once_one_wins_and_the_other_decides_again(database: Database, database_url: str) -> None:
    append(database, SHARED, STARTED, cause="cli:open")
    with start("race", database_url, "ada") as ada, start("race", database_url, "bob") as bob:
        assert [ada.hear(), bob.hear()] == ["decided on 4", "decided on 4"]
        ada.say()
        bob.say()
        by_answer = {process.hear(): process for process in (ada, bob)}
        assert by_answer.keys() == {"won", "lost"}
        loser = by_answer["lost"]
        assert loser.hear() == "decided on 5"
        loser.say()
        assert loser.hear() == "won"

    with database.read() as conn:
        events = log.load(conn, SHARED)
        assert list(audit.verify(conn)) == []
    assert [each.event.turn for each in events[4:]] == [4, 5]
    assert {each.actor for each in events[4:]} == {"ada", "bob"}


@where_several_write
def test_a_reader_of_four_writers_misses_nothing(database: Database, database_url: str) -> None:
    count_each, names = 12, ("a", "b", "c", "d")
    with ExitStack() as stack:
        writers = [stack.enter_context(start("write", database_url, name, str(count_each))) for name in names]
        assert {writer.hear() for writer in writers} == {"ready"}
        for writer in writers:
            writer.say()
        total = len(names) * (count_each + count_each // 2)
        seen: list[Recorded[Event]] = []
        while len(seen) < total:
            with database.read() as conn:
                seen += log.tail(conn, Position(len(seen)), 7)
            assert [each.position for each in seen[-7:]] == [*range(max(1, len(seen) - 6), len(seen) + 1)]
        assert {writer.hear() for writer in writers} == {"done"}

    with database.read() as conn:
        assert log.tail(conn, Position(0), total + 1) == seen
        assert list(audit.verify(conn)) == []
    assert len({(each.cause, each.version) for each in seen}) == total
    assert Counter(each.stream for each in seen)[SHARED] == len(names) * count_each


@where_several_write
def test_of_four_copies_of_a_mail_one_is_new(database: Database, database_url: str) -> None:
    names, mails = ("a", "b", "c", "d"), 10
    _let_loose(database_url, "receive", [(name, str(mails)) for name in names])

    with database.read() as conn:
        rows = inbox.list_inbox(conn, limit=1000)
    by_identity: dict[tuple[str, str, str | None], int] = Counter((row.identity, row.status, row.outcome) for row in rows)
    once: dict[tuple[str, str, str | None], int] = {(f"m{number}", "new", None): 1 for number in range(mails)}
    copies: dict[tuple[str, str, str | None], int] = {(f"m{number}", "done", "duplicate"): len(names) - 1 for number in range(mails)}
    assert by_identity == {**once, **copies}
    firsts = {row.identity: row.id for row in rows if row.copy_of is None}
    assert all(row.copy_of in {None, firsts[row.identity]} for row in rows)


@where_several_write
def test_four_that_share_an_inbox_handle_each_mail_once(database: Database, database_url: str) -> None:
    with database.write() as tx:
        for number in range(20):
            inbox.receive(tx, identity=str(number), source="lmtp", recipient="us", sender="a", received_at=day(number), raw=b"x")
    said = _let_loose(database_url, "handle", [(name,) for name in "abcd"])

    handled = sorted(int(line.split()[1]) for lines in said for line in lines)
    assert handled == [*range(1, 21)]
    with database.read() as conn:
        assert Counter(row.attempts for row in inbox.list_inbox(conn)) == {1: 20}


class Before(NamedTuple):
    """Statements on a new database, if there is one, and what one of three says that begin at once; the others find nothing to do."""

    statements: Sequence[str]
    one_says: str


@pytest.mark.parametrize(
    "before",
    [
        Before((), "None 0"),
        Before(("ALTER TABLE heartbeat DROP COLUMN doubted_at", "UPDATE alembic_version SET version_num = '0013'"), "0013 0"),
        Before(("DROP INDEX game_due",), f"{REVISION} 1"),
    ],
)
def test_of_three_that_begin_at_once_one_makes_the_tables_and_the_others_wait(empty_url: str, before: Before) -> None:
    if before.statements:
        with closing(Database.create_or_upgrade(empty_url)) as database, database.write() as tx:
            for statement in before.statements:
                tx.run(Statement(text(statement)))
    with ExitStack() as stack:
        processes = [stack.enter_context(start("init", empty_url)) for _ in range(3)]
        assert {process.hear() for process in processes} == {"ready"}
        for process in processes:
            process.say()
        assert Counter(process.hear() for process in processes) == {before.one_says: 1, f"{REVISION} 0": 2}


def _let_loose(url: str, role: str, arguments: list[tuple[str, ...]]) -> list[list[str]]:
    """Start a process for each entry, all at the same moment, and return what each said until it was done."""
    with ExitStack() as stack:
        processes = [stack.enter_context(start(role, url, *each)) for each in arguments]
        assert {process.hear() for process in processes} == {"ready"}
        for process in processes:
            process.say()
        return [list(iter(process.hear, "done")) for process in processes]


class Trace(NamedTuple):
    """The traces that a turn leaves."""

    events: int
    counter: int
    row: int
    mails: int
    inbox: str


def test_a_turn_killed_at_any_statement_happened_entirely_or_not_at_all(database: Database, database_url: str) -> None:
    with database.write() as tx:
        add_players(tx)
        inbox.receive(tx, identity="2", source="lmtp", recipient="us", sender="a", received_at=day(2), raw=b"b2")
    play_game(database, GAME, RUNNING)
    before = Trace(len(RUNNING), len(RUNNING), len(RUNNING), 0, "new")
    after = Trace(len(RUNNING) + 1, len(RUNNING) + 1, len(RUNNING) + 1, 1, "done")

    seen: list[Trace] = []
    end = "killed"
    with start("turns", database_url) as player:
        assert player.hear() == "ready"
        while end == "killed":
            player.say(str(len(seen) + 1))
            if (end := player.hear()) == "killed":
                seen.append(_trace(database))

    assert end == "handled before"
    assert seen == [before] * (len(seen) - 1) + [after]
    assert len(seen) > len(("begin", "load", "inbox", "game", "outbox", "counter", "event", "commit"))


def _trace(database: Database) -> Trace:
    with database.read() as conn:
        assert list(audit.verify(conn)) == []
        return Trace(
            len(log.load(conn, STREAM)),
            log.last_position(conn),
            views.game_row(conn, GAME).version,
            len(outbox.list_outbox(conn)),
            inbox.get(conn, 1).status,
        )
