"""The places up to which mailboxes are read: the promises of a folder's numbers, on both engines and with several readers."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import msgspec
import pytest

from tests.store.scene import day
from turnserver.errors import NotFound
from turnserver.store.log.database import Database, Transaction
from turnserver.store.mail import mailboxes
from turnserver.store.mail.mailboxes import Mailbox, Place, Trouble

T = TypeVar("T")
BOX = ("club", "INBOX")
OTHER = ("club", "Spam")
FIRST, SECOND = 4_294_967_294, 4_294_967_295
"""UIDVALIDITYs; RFC 3501 lets them have 32 bits."""
SECONDS, HOUR = timedelta(seconds=1), timedelta(hours=1)


def done(database: Database, work: Callable[[Transaction], T]) -> T:
    with database.write() as tx:
        return work(tx)


def box(database: Database, where: tuple[str, str] = BOX) -> Mailbox:
    with database.read() as conn:
        return mailboxes.get(conn, *where)


def in_hand(database: Database, validity: int = FIRST) -> set[int]:
    with database.read() as conn:
        return set(mailboxes.in_hand(conn, *BOX, validity))


def renumber(database: Database, validity: int, next_uid: int) -> None:
    done(database, lambda tx: mailboxes.renumber(tx, *BOX, validity, next_uid))


@pytest.fixture
def watched(database: Database) -> Database:
    """Two folders that are read since the first day and have their numbers; what has a UID below 10 lay there before."""
    for where in (BOX, OTHER):
        with database.write() as tx:
            mailboxes.watch(tx, *where, day(1))
            mailboxes.renumber(tx, *where, FIRST, 10)
    return database


def take(database: Database, uid: int, validity: int = FIRST) -> bool:
    return done(database, lambda tx: mailboxes.take(tx, Place(*BOX, validity, uid)))


def test_reading_begins_once(database: Database) -> None:
    with pytest.raises(NotFound):
        box(database)
    for when in (day(1), day(2)):
        with database.write() as tx:
            mailboxes.watch(tx, *BOX, when)
    assert box(database) == Mailbox(*BOX, day(1), None, 1, 1, day(1))


ONE, ANOTHER = (mailboxes.account_of("club", user, "imap.example.org") for user in ("ada", "bob"))
FOLDER = "INBOX"


def watch_for(database: Database, account: str, hour: int, section: str = "club") -> datetime:
    """Ask to read a mailbox so many hours after the first day, and return when reading it began."""
    done(database, lambda tx: mailboxes.watch_for(tx, section, account, FOLDER, day(1) + hour * HOUR))
    return box(database, (account, FOLDER)).began_at


def test_another_account_is_read_from_where_the_one_before_was_left(database: Database) -> None:
    """But mail of more than a day counts in none that is new. Each goes on from where it was; another section has accounts of its own."""
    began = [watch_for(database, ONE, 0), watch_for(database, ONE, 5)]
    done(database, lambda tx: mailboxes.renumber(tx, ONE, FOLDER, FIRST, 9))
    done(database, lambda tx: mailboxes.read_to_end(tx, ONE, FOLDER, FIRST, day(1) + 5 * HOUR, now=day(2)))
    began += [watch_for(database, ANOTHER, 7), watch_for(database, ONE, 8)]
    began += [watch_for(database, mailboxes.account_of("club", "cleo", "a.example"), 40)]
    began += [watch_for(database, mailboxes.account_of("club2", "ada", "a.example"), 41, "club2")]
    assert [(each - day(1)) / HOUR for each in began] == [0, 0, 5, 0, 16, 41]
    assert box(database, (ANOTHER, FOLDER)) == Mailbox(ANOTHER, FOLDER, began[2], None, 1, 1, began[2])


def test_a_row_that_knows_the_section_alone_is_the_one_of_its_account(watched: Database) -> None:
    """Once: the next account of the section is another one."""
    take(watched, 11)
    before = box(watched)
    assert watch_for(watched, ONE, 5) == day(1)
    assert box(watched, (ONE, FOLDER)) == msgspec.structs.replace(before, account=ONE)
    with watched.read() as conn:
        assert mailboxes.in_hand(conn, ONE, FOLDER, FIRST) == {11}
    assert watch_for(watched, ANOTHER, 5) == day(1)
    assert box(watched, (ANOTHER, FOLDER)).uidvalidity is None


def test_a_place_is_taken_once(watched: Database) -> None:
    """Also when it has been passed, and never under another UIDVALIDITY than the folder has."""
    assert [take(watched, 11), take(watched, 12), take(watched, 11)] == [True, True, False]
    assert in_hand(watched) == {11, 12}
    done(watched, lambda tx: mailboxes.advance(tx, *BOX, FIRST, 12))
    assert in_hand(watched) == {12}
    assert [take(watched, 11), take(watched, 12), take(watched, 13, SECOND), take(watched, 13)] == [False, False, False, True]


def test_nothing_goes_back(watched: Database) -> None:
    """A reader that was held up for longer than its lease says late what another one has overtaken."""
    for uid, when in ((20, day(3)), (15, day(2))):
        with watched.write() as tx:
            mailboxes.advance(tx, *BOX, FIRST, uid)
            mailboxes.read_to_end(tx, *BOX, FIRST, when, now=day(3))
    assert box(watched) == Mailbox(*BOX, day(1), FIRST, 20, 10, day(3))
    assert box(watched, OTHER) == Mailbox(*OTHER, day(1), FIRST, 1, 10, day(1))


def test_an_instant_that_a_clock_wrote_ahead_goes_back(watched: Database) -> None:
    """Nor does reading of the next account begin there."""
    for at, now in ((day(9), day(9)), (day(2), day(3))):
        with watched.write() as tx:
            mailboxes.read_to_end(tx, *BOX, FIRST, at, now=now)
            mailboxes.watch_maildir(tx, f"/{at}", now)
    assert box(watched).read_at == day(2)
    assert box(watched, (mailboxes.MAILDIR, f"/{day(2)}")).began_at == day(3)


def test_a_maildir_does_not_follow_the_mailboxes_of_accounts(watched: Database) -> None:
    done(watched, lambda tx: mailboxes.watch_maildir(tx, "/mail", day(5)))
    assert box(watched, (mailboxes.MAILDIR, "/mail")).began_at == day(5)


def test_what_a_clock_wrote_ahead_is_forgotten(watched: Database) -> None:
    """How far a folder was read and since when, when an account is tried again, and who reads it until when. In a maildir all counts."""
    later = ("three", "INBOX")
    done(watched, lambda tx: mailboxes.watch_maildir(tx, "/mail", day(9)))
    done(watched, lambda tx: mailboxes.watch(tx, *later, day(9)))
    done(watched, lambda tx: mailboxes.read_to_end(tx, *BOX, FIRST, day(9), now=day(9)))
    done(watched, lambda tx: mailboxes.note_trouble(tx, "one", Trouble(1, day(9))))
    done(watched, lambda tx: mailboxes.hold(tx, "two", "a dead process", day(8), day(9)))
    done(watched, lambda tx: mailboxes.set_back(tx, day(5)))
    with watched.read() as conn:
        assert mailboxes.trouble(conn, "one") == Trouble(1)
    assert (box(watched).read_at, box(watched, later).began_at) == (day(5), day(5))
    assert box(watched, (mailboxes.MAILDIR, "/mail")).began_at == datetime.min.replace(tzinfo=UTC)
    assert done(watched, lambda tx: mailboxes.hold(tx, "two", "another", day(5), day(6)))


def test_a_new_uidvalidity_voids_the_numbers(watched: Database) -> None:
    """The instants stay. What a late reader says of old numbers does not count."""
    take(watched, 11)
    done(watched, lambda tx: mailboxes.read_to_end(tx, *BOX, FIRST, day(2), now=day(2)))
    for next_uid, taken in ((7, True), (9, False)):
        renumber(watched, SECOND, next_uid)
        assert take(watched, 8, SECOND) is taken
    done(watched, lambda tx: mailboxes.advance(tx, *BOX, FIRST, 50))
    done(watched, lambda tx: mailboxes.read_to_end(tx, *BOX, FIRST, day(9), now=day(9)))
    assert box(watched) == Mailbox(*BOX, day(1), SECOND, 1, 7, day(2))
    assert (in_hand(watched), in_hand(watched, SECOND)) == (set(), {8})


@pytest.mark.parametrize("seen", ["lay there", "done", "in hand"])
def test_numbers_that_are_given_again_are_void(watched: Database, seen: str) -> None:
    """Whatever it is that has been seen of the numbers."""
    if seen == "done":
        done(watched, lambda tx: mailboxes.advance(tx, *BOX, FIRST, 20))
    if seen == "in hand":
        take(watched, 19)
    beyond = 10 if seen == "lay there" else 20
    before = box(watched)
    renumber(watched, FIRST, beyond)
    assert box(watched) == before
    renumber(watched, FIRST, beyond - 1)
    assert box(watched) == Mailbox(*BOX, day(1), FIRST, 1, beyond - 1, day(1))
    assert in_hand(watched) == set()


def test_one_reads_at_a_time(database: Database) -> None:
    def hold(owner: str, since: int, until: int) -> bool:
        return done(database, lambda tx: mailboxes.hold(tx, "club", owner, day(0) + since * SECONDS, day(0) + until * SECONDS))

    assert [hold("ada", 0, 10), hold("bob", 9, 20), hold("ada", 9, 15), hold("bob", 14, 20)] == [True, False, True, False]
    assert [hold("bob", 15, 30), hold("ada", 16, 30)] == [True, False]
    done(database, lambda tx: mailboxes.let_go(tx, "club", "ada"))
    assert not hold("ada", 17, 30)
    done(database, lambda tx: mailboxes.let_go(tx, "club", "bob"))
    assert hold("ada", 17, 30)


def test_trouble_is_remembered_for_every_process(database: Database) -> None:
    found = []
    for trouble in (None, Trouble(3, day(2)), Trouble()):
        if trouble is not None:
            with database.write() as tx:
                mailboxes.hold(tx, "club", "ada", day(1), day(2))
                mailboxes.note_trouble(tx, "club", trouble)
        with database.read() as conn:
            found.append(mailboxes.trouble(conn, "club"))
    assert found == [Trouble(), Trouble(3, day(2)), Trouble()]
