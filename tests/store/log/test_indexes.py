"""Each statement that runs every few seconds uses its index, so that it does not get slower with what has been."""

from contextlib import closing
from typing import Any, NamedTuple

import pytest
from sqlalchemy import text

from turnserver.store.games import notes, views
from turnserver.store.leagues import ratings, results
from turnserver.store.leagues import views as leagues
from turnserver.store.log import log
from turnserver.store.log.database import Database
from turnserver.store.log.statement import Statement
from turnserver.store.mail import delivery_reports, gathering, inbox, mailboxes, outbox, retention
from turnserver.store.people import accounts as people
from turnserver.store.people import confirmations, erasing, sessions
from turnserver.store.web import forms

NOW = "2026-03-01T00:00:00.000000Z"


class Plan(NamedTuple):
    """A statement, parameters that it takes, and the index it must use."""

    statement: Statement
    parameters: dict[str, Any]
    uses: dict[str, str]


def everywhere(name: str) -> dict[str, str]:
    """An index of that name on both engines."""
    return {"sqlite": name, "postgresql": name}


PLANS = [
    Plan(views._DUE, {"now": NOW, "most": 9}, everywhere("game_due")),
    Plan(views._listing(frozenset({"who"})), {"who": 1}, everywhere("seat_player")),
    Plan(views._listing(frozenset({"who", "most"}), over=True), {"who": 1, "most": 20}, everywhere("seat_player")),
    Plan(views._OFFERED, {"who": 1}, everywhere("seat_offer_player")),
    Plan(notes._OWN, {"which": 1, "who": 1}, everywhere("note_game")),
    Plan(leagues._DUE, {"now": NOW, "most": 9}, everywhere("league_due")),
    Plan(leagues._OPENING, {"now": NOW}, everywhere("league_opens")),
    Plan(leagues._CHANGED, {}, everywhere("league_game_changed")),
    Plan(leagues._CHANGED_IN, {"which": 3}, everywhere("league_game_changed")),
    Plan(leagues._LIST_OF, {"who": 1}, everywhere("league_player_player")),
    Plan(inbox._OLDEST, {}, everywhere("inbox_new")),
    Plan(inbox._TRAFFIC, {"whose": "player-1", "since": NOW, "upto": NOW}, everywhere("inbox_writer")),
    Plan(forms._COUNT, {"whose": 1, "since": NOW, "upto": NOW}, everywhere("form_player")),
    Plan(confirmations._EXPIRED, {"now": NOW}, everywhere("confirmation_expiry")),
    Plan(sessions._EXPIRED, {"now": NOW}, everywhere("session_expires_at")),
    Plan(sessions._UNCOUNTED, {"before": NOW}, everywhere("sign_in_made_at")),
    Plan(sessions._UNUSED, {"which": "a", "since": NOW}, everywhere("sign_in_mailbox")),
    Plan(outbox._BY_MESSAGE_ID, outbox.names("<a@b>"), {"sqlite": "sqlite_autoindex_outbox_1", "postgresql": "outbox_message_id_key"}),
    Plan(inbox._CLAIM, {"now": NOW, "until": NOW, "most": 9, "owner": "me"}, everywhere("inbox_new")),
    Plan(outbox._CLAIM, {"now": NOW, "until": NOW, "most": 9, "owner": "me"}, everywhere("outbox_queued")),
    Plan(mailboxes._END[0], {"whose": "me"}, everywhere("inbox_new")),
    Plan(mailboxes._END[1], {"whose": "me"}, everywhere("outbox_queued")),
    Plan(outbox._ANSWERS, {"key": "a", "since": NOW}, everywhere("outbox_address")),
    Plan(outbox._DUE_HELD, {"now": NOW, "most": 9}, everywhere("outbox_held")),
    Plan(outbox._TAKE, {"player_id": 1, "now": NOW}, everywhere("outbox_held_player")),
    Plan(outbox._LIST_LATER, {"player_id": 1, "now": NOW}, everywhere("outbox_queued")),
    Plan(outbox._SHOWN, {"game_id": 1, "player_id": 1, "before": 9}, everywhere("outbox_")),
    Plan(outbox._THREAD, {"game_id": 1, "player_id": 1, "before": 9}, everywhere("outbox_told")),
    Plan(outbox._PLANNED_REMINDERS, {"game_id": 1, "player_id": 1}, everywhere("outbox_")),
    Plan(outbox._WAS_REMINDED, {"game_id": 1, "player_id": 1, "at": NOW}, everywhere("outbox_told")),
    Plan(gathering._WAITING, {"player_id": 1}, everywhere("outbox_")),
    Plan(outbox._SWALLOW, {"game_id": 1, "player_id": 1, "at": NOW}, everywhere("outbox_")),
    Plan(erasing._EMPTY_BYTES, {"holder": 1, "nothing": b"", "was": None}, everywhere("inbox_sharing")),
    Plan(retention._BYTES, {"which": 1}, everywhere("inbox_sharing")),
    Plan(retention._TEXT, {"which": 1}, {"sqlite": "INTEGER PRIMARY KEY", "postgresql": "game_pkey"}),
    Plan(retention._CAME_PAGE, {"after": 0, "most": 9}, {"sqlite": "INTEGER PRIMARY KEY", "postgresql": "inbox_pkey"}),
    Plan(retention._WENT_PAGE, {"after": 0, "most": 9}, {"sqlite": "INTEGER PRIMARY KEY", "postgresql": "outbox_pkey"}),
    Plan(retention._EMPTY, {"which": 1, "nothing": b"", "was": None}, everywhere("inbox_sharing")),
    Plan(views._OF_SEASON, {"of": 1}, everywhere("league_game_")),
    Plan(delivery_reports._TOLD, {"game_id": 1, "player_id": 1, "first": 3}, everywhere("outbox_told")),
    Plan(delivery_reports._OF_PLAYER, {"player_id": 1, "since": NOW}, everywhere("outbox_returned")),
    Plan(
        delivery_reports._BY_MESSAGE_ID,
        outbox.names("<1>"),
        {"sqlite": "sqlite_autoindex_outbox_1", "postgresql": "outbox_message_id_key"},
    ),
    Plan(
        delivery_reports._ANSWERED_BY_NAME,
        {**outbox.names("<a@b>"), "player_id": 1, "at": NOW},
        {"sqlite": "sqlite_autoindex_outbox_1", "postgresql": "outbox_message_id_key"},
    ),
    Plan(delivery_reports._ALL, {}, everywhere("reach_since")),
    Plan(people._BY_ADDRESS, {"key": "a"}, everywhere("player_address")),
    Plan(people._BY_NAME, {"key": "a"}, everywhere("player_name")),
    Plan(ratings._BEHIND, {}, everywhere("rated_since")),
    Plan(ratings._LATEST, {"which": "take", "who": 1}, {"sqlite": "sqlite_autoindex_rating_1", "postgresql": "rating_pkey"}),
    Plan(
        ratings._LATEST_BEFORE,
        {"which": "take", "who": 1, "begin": NOW},
        {"sqlite": "sqlite_autoindex_rating_1", "postgresql": "rating_pkey"},
    ),
    Plan(results._BETWEEN, {"which": "take", "begin": NOW, "end": NOW}, everywhere("result_key")),
    Plan(results._FIRST_FROM, {"which": "take", "begin": NOW}, everywhere("result_key")),
    Plan(results._SEATED, {"of": "game-1"}, {"sqlite": "sqlite_autoindex_event_1", "postgresql": "event_stream_"}),
    Plan(log._LOAD, {"of": "game-1", "after": 0}, {"sqlite": "sqlite_autoindex_event_1", "postgresql": "event_stream_version"}),
    Plan(log._TAIL, {"after": 0, "most": 1}, {"sqlite": "INTEGER PRIMARY KEY", "postgresql": "event_pkey"}),
    Plan(log._OF_CAUSE, {"of": "game-1", "why": "c"}, {"sqlite": "sqlite_autoindex_event_2", "postgresql": "event_stream_cause"}),
]


@pytest.mark.parametrize("url", ["sqlite_url", "empty_postgresql_url"])
def test_the_index_is_used(url: str, request: pytest.FixtureRequest) -> None:
    """In a new database: what PostgreSQL has counted in one that others have filled would make other plans."""
    with closing(Database.create_or_upgrade(request.getfixturevalue(url))) as database:
        missed = [(plan.uses, steps) for plan in PLANS if not fits(plan, database, steps := steps_of(plan, database))]
    assert missed == []


def steps_of(plan: Plan, database: Database) -> list[str]:
    """Return what the engine would do, step by step."""
    words, bind = plan.statement.compile(database.engine.dialect)
    parameters = bind(plan.parameters)
    with database.write() as tx:
        if database.engine.dialect.name == "sqlite":
            return [row[-1] for row in tx._driver.execute(f"EXPLAIN QUERY PLAN {words}", parameters).fetchall()]
        tx.run(Statement(text("SET LOCAL enable_seqscan = off")))  # a few rows are faster read than looked up
        return [row[0] for row in tx._driver.execute(f"EXPLAIN {words}", parameters).fetchall()]


def fits(plan: Plan, database: Database, steps: list[str]) -> bool:
    """Return whether the index is used, and no table is gone through."""
    engine = database.engine.dialect.name
    gone_through = [step for step in steps if step.startswith("SCAN") and "USING" not in step]
    return any(plan.uses[engine] in step for step in steps) and not (engine == "sqlite" and gone_through)
