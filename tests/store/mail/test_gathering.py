"""Mails that wait for another one: which they are, and that one which is leaving is left alone."""

from datetime import timedelta

import pytest

from tests.store.scene import ADA, BOB, add_players, day
from turnserver.ids import PlayerId
from turnserver.store.log.database import Database
from turnserver.store.mail import gathering, outbox

MINUTE = timedelta(minutes=1)


@pytest.fixture
def waiting(database: Database) -> int:
    """A mail to Ada that waits for a day, beside one to her that does not, and one to Bob that does."""
    with database.write() as tx:
        add_players(tx)
    number, *_ = [queue(database, "a", ADA, gathers=True), queue(database, "b", ADA), queue(database, "c", BOB, gathers=True)]
    return number


def queue(database: Database, name: str, player: PlayerId, *, gathers: bool = False) -> int:
    with database.write() as tx:
        number = outbox.queue(
            tx,
            kind="welcome",
            player=player,
            address=None,
            game=None,
            version=None,
            detail={gathering.GATHERS: True} if gathers else {},
            message_id=f"<{name}>",
            in_reply_to=None,
            at=day(1),
            due_at=day(2),
        )
    assert number is not None
    return number


def test_what_waits_is_found_and_taken_once(database: Database, waiting: int) -> None:
    with database.write() as tx:
        assert [item.id for item in gathering.waiting(tx, ADA)] == [waiting]
        assert gathering.take(tx, waiting)
        assert not gathering.take(tx, waiting)
        assert gathering.waiting(tx, ADA) == []
        assert outbox.get(tx, waiting).status == "merged"


def test_what_is_released_leaves_then_and_not_later(database: Database, waiting: int) -> None:
    with database.write() as tx:
        gathering.release(tx, waiting, day(3))
        assert outbox.get(tx, waiting).due_at == day(2)
        gathering.release(tx, waiting, day(1))
        item = outbox.get(tx, waiting)
    assert (item.due_at, item.next_at, item.status) == (day(1), day(1), "queued")


def test_what_is_leaving_is_neither_found_nor_taken(database: Database, waiting: int) -> None:
    claimed = outbox.claim(database, day(2), 9, MINUTE, "me")
    assert waiting in [item.id for item in claimed]
    with database.write() as tx:
        assert gathering.waiting(tx, ADA) == []
        # as if it had been claimed by another process since it was found
        assert not gathering.take(tx, waiting)
        gathering.release(tx, waiting, day(1))
        item = outbox.get(tx, waiting)
    assert (item.status, item.due_at) == ("queued", day(2))
