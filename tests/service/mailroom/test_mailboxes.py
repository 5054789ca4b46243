"""Deadlines and mail that waits in a mailbox: what has not been fetched may be a move."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.service.mailroom.letters import key_of, letter, post, reply_address
from tests.service.mailroom.test_undelivered import SETTINGS as UNDELIVERED
from tests.service.mailroom.test_undelivered import club
from tests.service.pages.test_turns import act, link
from tests.service.signing import signed_in
from tests.service.world import BEGIN, PEOPLE, SITE, World
from tests.terms import PLAIN
from turnserver.config import ImapAccount, Incoming, Jobs
from turnserver.ids import GameId
from turnserver.mail.inbound.phrases import Move, Say
from turnserver.mail.inbound.time_phrases import Nudge
from turnserver.play.events import FreezeKind
from turnserver.play.state import Status
from turnserver.service.mailroom.reception import Handled
from turnserver.service.pages.turns import SignedIn
from turnserver.service.upkeep.deadlines import SETTLE
from turnserver.store.incidents import outages
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database
from turnserver.store.mail import mailboxes

DEADLINE = BEGIN + timedelta(days=3)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
STEP = 30 * MINUTE
"""As long as is no outage."""

POLL = 60.0
ONE = ImapAccount(host="imap.example.org", username="turns", password="secret", poll_seconds=POLL)  # noqa: S106  # of nothing
ACCOUNTS = {"one": ONE, "two": msgspec.structs.replace(ONE, folders=("INBOX", "Spam"))}
FOLDERS = [
    (mailboxes.account_of(name, account.username, account.host), folder) for name, account in ACCOUNTS.items() for folder in account.folders
]
SPAM = FOLDERS[-1]
UIDVALIDITY = 1


@pytest.fixture
def mailed(world: World) -> World:
    """A world whose mail comes out of three folders that were never read."""
    world._settings = msgspec.structs.replace(world._settings, imap=ACCOUNTS)
    world.restart()
    return world


def read(world: World, *, but: tuple[str, str] | None = None) -> None:
    """Every folder is read to its end, less one, and the maildir if there is one."""
    with world.service.db.write() as tx:
        for where in FOLDERS:
            mailboxes.watch(tx, *where, world.now)
            mailboxes.renumber(tx, *where, UIDVALIDITY, 1)
            if where != but:
                mailboxes.read_to_end(tx, *where, UIDVALIDITY, world.now, now=world.now)
    if world._settings.incoming.maildir:
        world.service.mail.collected(world.service.mail.begin_collecting(), world.now)


def live(world: World, until: datetime, *, but: tuple[str, str] | None = None) -> None:
    """Time passes, folders are read and sweeps run."""
    while world.now < until:
        world.now = min(world.now + STEP, until)
        read(world, but=but)
        world.service.upkeep.sweep()
    world.settle()


def running(world: World, game: GameId) -> bool:
    return world.state(game).status is Status.RUNNING


@pytest.mark.parametrize("blind", FOLDERS)
def test_no_deadline_is_enforced_before_every_folder_was_read(mailed: World, blind: tuple[str, str]) -> None:
    game = mailed.open()
    live(mailed, DEADLINE)
    live(mailed, DEADLINE + 20 * MINUTE, but=blind)
    assert running(mailed, game)
    live(mailed, mailed.now + MINUTE)
    assert not running(mailed, game)


def test_a_folder_that_was_never_read_stops_the_clocks(mailed: World) -> None:
    """An account that was just configured, with a password that nobody has typed in yet."""
    game = mailed.open()
    mailed.now = DEADLINE + 5 * HOUR
    mailed.service.upkeep.sweep()
    assert running(mailed, game)


def test_what_is_in_flight_when_a_folder_is_read_gets_time_to_appear(mailed: World) -> None:
    game = mailed.open()
    live(mailed, DEADLINE + SETTLE - timedelta(seconds=1))
    assert running(mailed, game)
    live(mailed, DEADLINE + SETTLE)
    assert not running(mailed, game)


@pytest.mark.parametrize(("hours", "given_back"), [(0.25, False), (5, True)])
def test_a_mailbox_that_cannot_be_read_for_long_is_an_outage(mailed: World, hours: float, *, given_back: bool) -> None:
    """Everybody gets the time back, once, whichever folder it was and whether or not the service ran."""
    game = mailed.open()
    live(mailed, BEGIN + timedelta(days=1))
    live(mailed, mailed.now + timedelta(hours=hours), but=SPAM)
    live(mailed, mailed.now + MINUTE)
    live(mailed, mailed.now + HOUR)
    assert mailed.state(game).deadline == DEADLINE + (timedelta(hours=hours) + MINUTE if given_back else timedelta(0))


def test_the_time_of_a_closed_mailbox_is_given_back_in_one_piece(mailed: World) -> None:
    """Each piece would be a mail to everybody. The process takes mail by LMTP too, and sees that nothing waits there."""
    game = mailed.open()
    live(mailed, DEADLINE - HOUR)
    mailed.service.upkeep.watch.listening()
    live(mailed, DEADLINE + 9 * HOUR, but=SPAM)
    assert mailed.state(game).freezes == ()
    live(mailed, mailed.now + MINUTE)
    assert len(mailed.state(game).freezes) == 1
    assert running(mailed, game)


@pytest.mark.parametrize(("time", "left"), [("5d+36h cap 10d", 6.5), ("5d in all", 5.0), ("3d", 3.0)])
@pytest.mark.parametrize("closed_for", [timedelta(days=4), timedelta(days=6)])
@pytest.mark.parametrize("by_page", [True, False], ids=["page", "mail"])
def test_whoever_moves_while_a_mailbox_is_closed_has_the_time_back(
    world: World, time: str, left: float, closed_for: timedelta, by_page: bool
) -> None:
    """Their clock ends with the move, and is not there any more when the outage is over; nor is anybody late in an outage."""
    play = msgspec.structs.replace(PLAIN, time=time, reminders=())
    world._settings = msgspec.structs.replace(world._settings, imap=ACCOUNTS, play=play)
    world.restart()
    game = world.open()
    live(world, BEGIN + MINUTE)
    page = link(world, game, "Ada") if by_page else None
    live(world, world.now + closed_for, but=SPAM)
    if page is not None:
        assert act(world, page, Move("a1")) == ""
    else:
        world.answer("Ada", "a1")
    live(world, world.now + MINUTE)
    world.answer("Bob", "a2")
    deadline = world.state(game).deadline
    assert deadline is not None
    assert timedelta(0) <= timedelta(days=left) - (deadline - world.now) <= 2 * MINUTE
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []


@pytest.mark.parametrize(
    ("headers", "text", "own_address"),
    [
        ({}, "a1", True),
        ({"Precedence": "bulk"}, "a1", True),
        ({"In-Reply-To": "{mail}"}, "a1", False),
        ({"Reply-To": "{address}"}, "a1", False),
        ({}, "key {key}\r\na1", False),
    ],
)
def test_nobody_is_late_by_a_deadline_in_an_outage_that_goes_on(
    mailed: World, headers: dict[str, str], text: str, own_address: bool
) -> None:
    """However a mail shows who wrote it, and about which game."""
    game = mailed.open()
    live(mailed, DEADLINE - HOUR)
    live(mailed, DEADLINE + 5 * HOUR, but=SPAM)
    mail = mailed.mails("Ada")[-1]
    address = reply_address(mail)
    shown = {name: value.format(mail=mail["Message-ID"], address=address) for name, value in headers.items()}
    outcome = post(mailed, letter(PEOPLE["Ada"], text.format(key=key_of(mail)), shown), address if own_address else SITE, PEOPLE["Ada"])
    assert (outcome, mailed.state(game).turn) == ("carried out", 2)


@pytest.mark.parametrize("grace_hours", [0, 24])
def test_nobody_is_late_on_a_page_by_a_deadline_in_an_outage_that_goes_on(world: World, grace_hours: int) -> None:
    play = msgspec.structs.replace(PLAIN, grace_hours=grace_hours)
    world._settings = msgspec.structs.replace(world._settings, imap=ACCOUNTS, play=play)
    world.restart()
    game = world.open()
    live(world, DEADLINE - HOUR)
    page = link(world, game, "Ada")
    live(world, DEADLINE + 5 * HOUR, but=SPAM)
    assert act(world, page, Move("a1")) == ""
    assert (world.state(game).turn, world.state(game).graces) == (2, frozenset())


@pytest.mark.engines
@pytest.mark.parametrize("signed", [True, False], ids=["signed in", "by a link"])
def test_a_page_that_is_used_after_a_downtime_before_the_first_sweep_judges_nobody_by_it(any_world: World, signed: bool) -> None:
    world = any_world
    game = world.open()
    world.sweep_until(DEADLINE - HOUR)
    turn = world.state(game)
    page = SignedIn(signed_in(world, "Ada"), game, turn.turn, turn.edition) if signed else link(world, game, "Ada")
    world.now = DEADLINE + 5 * HOUR
    world.restart()
    assert act(world, page, Move("a1")) == ""


@pytest.mark.parametrize(("time", "left"), [("3d", 3.0), ("5d+36h cap 10d", 6.5)])
@pytest.mark.parametrize("again", [0, 2])
def test_a_page_that_is_used_while_the_time_of_an_outage_is_given_back_judges_nobody_by_it(
    world: World, time: str, left: float, again: int
) -> None:
    """The sweep has found the outage, and games get its time one after the other; a process may have died then, and be away again."""
    play = msgspec.structs.replace(PLAIN, time=time, reminders=())
    world._settings = msgspec.structs.replace(world._settings, play=play)
    world.restart()
    game = world.open()
    world.sweep_until(BEGIN + HOUR)
    page = link(world, game, "Ada")
    world.now = BEGIN + timedelta(days=6)
    world.restart()
    with world.service.db.write() as tx:
        assert outages.beat(tx, world.now, HOUR) is not None
    world.now += MINUTE + timedelta(days=again)
    world.restart()
    assert act(world, page, Move("a1")) == ""
    world.service.upkeep.sweep()
    world.answer("Bob", "a2")
    deadline = world.state(game).deadline
    assert deadline is not None
    assert timedelta(0) <= timedelta(days=left) - (deadline - world.now) <= HOUR + 2 * MINUTE
    assert len(world.state(game).freezes) == 1 + bool(again)


def test_a_folder_that_was_read_by_a_clock_that_was_ahead_is_watched_once_that_is_confirmed_to_be_right(mailed: World) -> None:
    live(mailed, BEGIN + HOUR)
    mailed.now += timedelta(days=5)
    read(mailed)
    mailed.service.upkeep.sweep()
    mailed.now -= timedelta(days=5)
    mailed.service.upkeep.confirm_clock()
    game = mailed.open()
    live(mailed, mailed.now + timedelta(days=3) + HOUR, but=SPAM)
    assert running(mailed, game)


def test_an_outage_that_was_noted_wholly_ahead_never_was(world: World) -> None:
    game = world.open()
    world.sweep_until(DEADLINE - HOUR)
    with world.service.db.write() as tx:
        outages.beat(tx, world.now + timedelta(days=10), timedelta(days=100))
        assert outages.beat(tx, world.now + timedelta(days=20), HOUR) is not None
    world.restart()
    world.service.upkeep.watch.listening()
    world.service.upkeep.confirm_clock()
    with world.service.db.read() as conn:
        assert outages.unsettled(conn) == []
    world.now += MINUTE
    world.service.upkeep.sweep()
    assert (world.state(game).deadline, world.state(game).freezes) == (DEADLINE, ())


def test_a_folder_that_was_read_by_a_clock_that_was_ahead_counts_as_never_read(mailed: World) -> None:
    """A process that fetches mail only, before any sweep; the clock is set right, and the folder is closed since."""
    game = mailed.open()
    live(mailed, DEADLINE - HOUR)
    mailed.now += timedelta(days=2)
    read(mailed)
    mailed.now -= timedelta(days=2)
    mailed.restart()
    live(mailed, DEADLINE + HOUR, but=SPAM)
    assert running(mailed, game)


def test_an_outage_that_a_clock_noted_that_was_ahead_ends_when_that_is_confirmed_to_be_right(world: World) -> None:
    game = world.open()
    world.sweep_until(BEGIN + HOUR)
    with world.service.db.write() as tx:
        assert outages.beat(tx, world.now + timedelta(days=10), HOUR) is not None
    world.now += HOUR
    world.restart()
    world.service.upkeep.confirm_clock()
    world.now += MINUTE
    world.service.upkeep.sweep()
    assert world.state(game).deadline == DEADLINE + HOUR


def test_a_page_gives_the_time_back_before_a_player_could_be_told(sqlite_url: str, tmp_path: Path) -> None:
    """As mail does, before the next sweep."""
    world = club(Database.connect(sqlite_url), tmp_path)
    game = world.open()
    world.down()
    world.answer("Ada", "a1", settle=False)
    world.live(world.now + timedelta(days=2))
    world.up()
    deadline = world.state(game).deadline
    assert deadline is not None
    world.live(deadline - timedelta(seconds=20))
    world.now = deadline + timedelta(seconds=5)
    assert act(world, link(world, game, "Bob"), Move("a2")) == ""
    assert world.state(game).turn == 3


def test_time_before_a_player_could_be_told_is_given_back_now_while_a_mailbox_is_closed(sqlite_url: str, tmp_path: Path) -> None:
    """The deadline lay seconds before the outage, and the log goes on meanwhile."""
    jobs = msgspec.structs.replace(UNDELIVERED.jobs, outage_minutes=40)
    world = club(Database.connect(sqlite_url), tmp_path, msgspec.structs.replace(UNDELIVERED, imap=ACCOUNTS, jobs=jobs))
    game = world.open()
    live(world, BEGIN + MINUTE)
    world.answer("Ada", "a1")
    deadline = world.state(game).deadline
    assert deadline is not None
    live(world, deadline - 2 * HOUR)
    world.open_any("take", ["Cleo", "Ada"], {"size": 3})
    live(world, deadline + timedelta(seconds=10))
    live(world, world.now + 4 * HOUR, but=SPAM)
    world.answer("Cleo", "a1")
    live(world, world.now + HOUR, but=SPAM)
    world.bounce("5.1.1")
    world.settle()
    live(world, world.now + HOUR, but=SPAM)
    world.service.mail.receive(letter("eve@example.net", "hello"), SITE, "eve@example.net", "test")
    world.tick()
    with world.service.db.read() as conn:
        assert list(audit.odd_instants(conn, world.now, 5 * MINUTE)) == []
    world.service.db.close()


def test_a_mail_that_no_person_wrote_gives_nothing_back(mailed: World) -> None:
    game = mailed.open()
    live(mailed, DEADLINE - HOUR)
    live(mailed, DEADLINE + 5 * HOUR, but=SPAM)
    away = letter(PEOPLE["Ada"], "I am away.", {"Auto-Submitted": "auto-replied"})
    assert post(mailed, away, reply_address(mailed.mails("Ada")[-1]), PEOPLE["Ada"]).startswith("ignored: ")
    assert mailed.state(game).freezes == ()


@pytest.mark.parametrize("answers", ["the welcome", "the turn"])
def test_a_vacation_while_a_mailbox_is_closed_takes_no_grace_for_a_deadline_in_that(world: World, answers: str) -> None:
    play = msgspec.structs.replace(PLAIN, grace_hours=24)
    world._settings = msgspec.structs.replace(world._settings, imap=ACCOUNTS, play=play)
    world.restart()
    game = world.open()
    mail = world.welcomes["Ada"] if answers == "the welcome" else world.mails("Ada")[-1]
    live(world, DEADLINE - HOUR)
    live(world, DEADLINE + 5 * HOUR, but=SPAM)
    begins = world.now
    world.answer("Ada", "vacation 9 days", mail=mail)
    live(world, begins + timedelta(days=2))
    state = world.state(game)
    assert state.graces == frozenset()
    assert state.deadline == begins + timedelta(days=9) + HOUR


def test_mails_of_others_give_nothing_back_while_a_mailbox_is_closed(mailed: World) -> None:
    """Neither those of strangers nor those of an opponent: each piece would be a mail to everybody at the table."""
    game = mailed.open()
    live(mailed, DEADLINE - 12 * HOUR)
    mailed.service.upkeep.watch.listening()
    for number in range(1, 10):
        live(mailed, mailed.now + HOUR, but=SPAM)
        post(mailed, letter("eve@example.net", "hello", number=number))
        mailed.answer("Bob", "show")
    assert mailed.state(game).freezes == ()


def test_a_deadline_in_a_downtime_waits_for_queued_mail_whoever_writes_before_the_folders_are_read(mailed: World) -> None:
    """A move may lie with another server, which tries again when it pleases."""
    game = mailed.open()
    live(mailed, DEADLINE - HOUR)
    turn = mailed.mails("Ada")[-1]
    mailed.now = DEADLINE + 4 * HOUR
    mailed.restart()
    mailed.service.upkeep.watch.listening()
    mailed.answer("Bob", "show")
    for _ in range(120):
        live(mailed, mailed.now + MINUTE)
    mailed.answer("Ada", "a1", mail=turn)
    assert (mailed.outcome(), mailed.state(game).turn) == ("done: carried out", 2)


def test_a_deadline_long_after_the_beginning_of_an_outage_gets_what_that_has_taken_and_no_more(mailed: World) -> None:
    """What another server queues for us comes within a day, and the deadline is further away than that."""
    game = mailed.open()
    live(mailed, DEADLINE - 26 * HOUR)
    mailed.service.upkeep.watch.listening()
    live(mailed, mailed.now + 31 * HOUR, but=SPAM)
    mailed.answer("Ada", "show")
    assert mailed.state(game).deadline == DEADLINE + 31 * HOUR


def test_an_outage_that_goes_on_is_no_time_in_which_a_player_could_not_be_told(sqlite_url: str, tmp_path: Path) -> None:
    """That is counted and has an end. Strangers write meanwhile."""
    jobs = msgspec.structs.replace(UNDELIVERED.jobs, outage_minutes=40)
    world = club(Database.connect(sqlite_url), tmp_path, msgspec.structs.replace(UNDELIVERED, imap=ACCOUNTS, jobs=jobs))
    game = world.open()
    live(world, BEGIN + MINUTE)
    world.down()
    world.answer("Ada", "a1", settle=False)
    world.tick()
    live(world, BEGIN + HOUR)
    for number in range(1, 10):
        live(world, BEGIN + timedelta(days=number), but=SPAM)
        world.service.mail.receive(letter("eve@example.net", "hello", number=number), SITE, "eve@example.net", "test")
        world.tick()
    world.up()
    world.retry_dead()
    live(world, world.now + HOUR)
    assert [freeze.kind for freeze in world.state(game).freezes] == [FreezeKind.OUTAGE]
    world.service.db.close()


def test_a_short_silence_and_a_game_that_is_over_get_no_time_before_a_mail_about_them(mailed: World) -> None:
    """A turn that has lasted for a short time has lost a short time, however long the silence."""
    game = mailed.open()
    live(mailed, BEGIN + HOUR)
    mailed.service.upkeep.watch.listening()
    for name, move in (("Ada", "a1"), ("Bob", "a2")):
        live(mailed, mailed.now + 20 * MINUTE, but=SPAM)
        mailed.answer(name, move)
    mailed.answer("Ada", "resign")
    mailed.answer("Ada", "confirm resign")
    assert not running(mailed, game)
    live(mailed, mailed.now + HOUR, but=SPAM)
    mailed.answer("Ada", "show")
    assert (mailed.outcome(), mailed.state(game).freezes) == ("done: answered", ())


def test_a_short_silence_costs_nobody_their_turn(mailed: World) -> None:
    game = mailed.open()
    live(mailed, DEADLINE - 5 * MINUTE)
    mailed.service.upkeep.watch.listening()
    live(mailed, DEADLINE + 5 * MINUTE, but=SPAM)
    mailed.answer("Ada", "a1")
    assert (mailed.outcome(), mailed.state(game).turn) == ("done: carried out", 2)


def test_a_player_who_asks_and_asks_gets_the_time_of_an_outage_once_before_its_end(mailed: World) -> None:
    game = mailed.open()
    live(mailed, BEGIN + HOUR)
    live(mailed, mailed.now + 30 * HOUR, but=SPAM)
    for _ in range(3):
        live(mailed, mailed.now + 10 * MINUTE, but=SPAM)
        mailed.answer("Ada", "show")
    assert len(mailed.state(game).freezes) == 1
    live(mailed, BEGIN + 40 * HOUR)
    assert mailed.state(game).deadline == DEADLINE + 31 * HOUR


@pytest.mark.parametrize("asks", [True, False])
@pytest.mark.parametrize("hours", [(5, 2, 4, 5.5), (0.5, 9, 8.5, 1.2)])
def test_whoever_asks_something_in_an_outage_still_gets_the_wait_for_queued_mail(
    mailed: World, hours: tuple[float, float, float, float], asks: bool
) -> None:
    """A mailbox is closed, then the process itself is away, and a move lies with another server, which tries again later."""
    before, closed, away, queued = (timedelta(hours=each) for each in hours)
    game = mailed.open()
    live(mailed, DEADLINE - before)
    mailed.service.upkeep.watch.listening()
    turn = mailed.mails("Ada")[-1]
    live(mailed, mailed.now + closed, but=SPAM)
    if asks:
        mailed.answer("Ada", "show")
    mailed.now += away
    mailed.restart()
    mailed.service.upkeep.watch.listening()
    back = mailed.now
    while mailed.now < back + queued:
        live(mailed, mailed.now + 4 * MINUTE)
    mailed.answer("Ada", "a1", mail=turn)
    assert (mailed.outcome(), mailed.state(game).turn) == ("done: carried out", 2)


def test_a_silence_after_an_outage_takes_nothing_of_its_time(world: World) -> None:
    """A process finds an outage and dies, the next one waits for mail that was queued while nobody was there."""
    game = world.open()
    world.sweep_until(DEADLINE - 30.5 * HOUR)
    began = world.now
    world.now = began + 30 * HOUR
    with world.service.db.write() as tx:
        assert outages.beat(tx, world.now, HOUR) is not None
    world.now += 10 * MINUTE
    world.restart()
    world.service.upkeep.watch.listening()
    world.service.upkeep.sweep()
    deadline = world.state(game).deadline
    assert deadline is not None
    assert deadline >= DEADLINE + 30 * HOUR


@pytest.mark.parametrize("away", [2 * HOUR, timedelta(days=2)])
@pytest.mark.parametrize("later", [timedelta(0), 20 * MINUTE])
def test_a_mailbox_that_is_closed_when_a_process_begins_is_not_read_up_to_then(mailed: World, away: timedelta, later: timedelta) -> None:
    """It was read once more after the last sweep: the outage goes on from there, in one piece."""
    game = mailed.open()
    live(mailed, DEADLINE - 5 * MINUTE)
    mailed.now += timedelta(seconds=10)
    read(mailed)
    mailed.now += away
    mailed.restart()
    if later:
        mailed.settle()
        live(mailed, mailed.now + later, but=SPAM)
    mailed.answer("Ada", "a1")
    assert (mailed.outcome(), mailed.state(game).turn, len(mailed.state(game).freezes)) == ("done: carried out", 2, 1)


@pytest.mark.parametrize("by_page", [True, False], ids=["page", "mail"])
@pytest.mark.parametrize("new", [True, False], ids=["new", "known"])
def test_nobody_takes_the_grace_of_whoever_has_played_in_time_into_a_folder_that_is_not_read_yet(
    world: World, by_page: bool, new: bool
) -> None:
    play = msgspec.structs.replace(PLAIN, grace_hours=24)
    world._settings = msgspec.structs.replace(world._settings, imap={} if new else ACCOUNTS, play=play)
    world.restart()
    game = world.open()
    if new:
        world.sweep_until(DEADLINE - timedelta(seconds=10))
    else:
        live(world, DEADLINE - timedelta(seconds=10))
    world._settings = msgspec.structs.replace(world._settings, imap=ACCOUNTS)
    world.restart()
    page, mail = link(world, game, "Bob"), world.mails("Ada")[-1]
    world.now = DEADLINE + timedelta(seconds=5)
    if by_page:
        assert [act(world, page, one) for one in (Nudge(), Say("hello"))] == ["too_soon", ""]
    else:
        world.answer("Bob", "nudge", settle=False)
        for named in (None, world.welcomes["Ada"]):
            world.answer("Ada", "vacation for 2 days", mail=named, settle=False)
        assert world.service.mail.read_inbox() == Handled()
    world.now = DEADLINE + MINUTE
    raw, address = letter(PEOPLE["Ada"], "a1", {}), reply_address(mail)
    world.service.mail.receive(raw, address, PEOPLE["Ada"], "imap", DEADLINE - timedelta(seconds=5))
    read(world)
    world.settle()
    assert (world.state(game).turn, world.state(game).graces) == (2, frozenset())


def test_mails_that_wait_for_a_folder_hold_up_no_others(mailed: World) -> None:
    """As many as a round takes."""
    mailed.open()
    live(mailed, DEADLINE - timedelta(seconds=1))
    turn = mailed.mails("Ada")[-1]
    mailed.now = DEADLINE + timedelta(seconds=1)
    for number in range(51):
        mailed.answer("Ada", f"claim\r\nsay {number}", mail=turn, settle=False)
    assert mailed.service.mail.read_inbox() == Handled()
    mailed.now += timedelta(seconds=1)
    mailed.answer("Bob", "help", mail=mailed.mails("Bob")[0])
    assert mailed.outcome() == "done: answered"


def test_a_late_mail_waits_for_no_folder_that_is_watched_since_later(world: World) -> None:
    """Nobody can read it yet; up to the last sweep before, all mail was read."""
    world.open()
    world.sweep_until(DEADLINE - MINUTE)
    turn = world.mails("Ada")[-1]
    world.now = DEADLINE + timedelta(seconds=20)
    world.service.upkeep.sweep()
    world._settings = msgspec.structs.replace(world._settings, imap=ACCOUNTS)
    world.restart()
    world.answer("Ada", "a1", mail=turn)
    assert world.outcome() == "done: refused: too_late"


def test_a_mail_of_somebody_else_moves_no_deadline_in_an_outage(mailed: World) -> None:
    game = mailed.open()
    live(mailed, DEADLINE - HOUR)
    live(mailed, DEADLINE + 5 * HOUR, but=SPAM)
    mailed.answer("Cleo", "help", mail=mailed.welcomes["Cleo"])
    assert mailed.state(game).freezes == ()


def test_a_folder_that_was_never_read_is_an_outage_that_goes_on(world: World) -> None:
    """It was just configured, and the service has run before."""
    game = world.open()
    world.sweep_until(BEGIN + HOUR)
    world._settings = msgspec.structs.replace(world._settings, imap=ACCOUNTS)
    world.restart()
    world.wait(hours=5)
    world.answer("Bob", "show")
    assert world.state(game).freezes == ()


RARELY = 1_740.0


@pytest.mark.parametrize(
    "changed",
    [
        {"imap": {"one": msgspec.structs.replace(ONE, poll_seconds=RARELY)}},
        {"incoming": Incoming(maildir="mail"), "jobs": Jobs(read_seconds=RARELY)},
    ],
)
def test_a_mailbox_that_is_looked_into_rarely_by_rights_is_no_outage(world: World, changed: dict[str, Any]) -> None:
    """The time from one look to the next comes on top of the time that makes an outage."""
    world._settings = msgspec.structs.replace(world._settings, **changed)
    world.restart()
    game = world.open()
    live(world, BEGIN + HOUR)
    for wait, deadline in ((59 * MINUTE, DEADLINE), (60 * MINUTE, DEADLINE + HOUR)):
        world.now += wait
        read(world)
        world.service.upkeep.sweep()
        assert world.state(game).deadline == deadline


def test_an_account_that_is_configured_no_more_stops_nothing(mailed: World) -> None:
    game = mailed.open()
    live(mailed, DEADLINE)
    mailed._settings = msgspec.structs.replace(mailed._settings, imap={"one": ONE})
    mailed.restart()
    live(mailed, DEADLINE + 20 * MINUTE, but=FOLDERS[1])
    assert not running(mailed, game)
