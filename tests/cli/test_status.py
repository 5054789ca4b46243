"""One screen says what waits for an admin, and the same comes as a mail on Monday mornings."""

from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta

import pytest

from tests.cli.club import ADA, NOON, RUNNING, Club
from tests.cli.doctor.test_doctor import dead, failed, unreachable, unread
from tests.cli.league.league_club import swept
from tests.cli.typed import MAILDIR, configure, declared, service_of
from turnserver.ids import GameId
from turnserver.play import commands as c
from turnserver.store.incidents import outages
from turnserver.store.incidents.outages import QuarantinedGame
from turnserver.store.log.database import REVISION
from turnserver.store.mail import mailboxes, outbox
from turnserver.store.mail.mailboxes import Trouble

SUNDAY_NOON = NOON
MONDAY = datetime(2026, 3, 2, 6, tzinfo=UTC)
"""Seven in the morning in the zone of the club, on the day after `NOON`."""


def works(club: Club, _: ExitStack) -> None:
    swept(club)


def asleep(club: Club, stack: ExitStack) -> None:
    works(club, stack)
    club.now += timedelta(days=2)


def resting(club: Club, _: ExitStack) -> None:
    service = service_of(club)
    with service.db.write() as tx:
        outages.rest(tx, QuarantinedGame(GameId(1), club.now, "its rules are not installed"))
    service.db.close()


IMAP = """
[imap.club]
host = "imap.example.org"
username = "turns"
folders = ["INBOX", "Junk"]
"""


def folder_missing(club: Club, _: ExitStack) -> None:
    configure(club, IMAP)
    service, account = service_of(club), mailboxes.account_of("club", "turns", "imap.example.org")
    with service.db.write() as tx:
        for folder in ("INBOX", "Junk", "Old"):
            mailboxes.watch(tx, account, folder, club.now)
        mailboxes.renumber(tx, account, "INBOX", 1, 1)
    club.now += timedelta(hours=2)
    with service.db.write() as tx:
        mailboxes.read_to_end(tx, account, "INBOX", 1, club.now, now=club.now)
    service.db.close()
    swept(club)


def read_by_a_wrong_clock(club: Club, _: ExitStack) -> None:
    configure(club, IMAP.replace(', "Junk"', ""))
    service, account = service_of(club), mailboxes.account_of("club", "turns", "imap.example.org")
    with service.db.write() as tx:
        mailboxes.watch(tx, account, "INBOX", club.now)
        mailboxes.renumber(tx, account, "INBOX", 1, 1)
    swept(club)
    ahead = club.now + timedelta(days=2)
    with service.db.write() as tx:
        mailboxes.read_to_end(tx, account, "INBOX", 1, ahead, now=ahead)
        mailboxes.note_trouble(tx, "club", Trouble(1, club.now + timedelta(hours=5)))
    service.db.close()
    club.now += timedelta(hours=4)


def login_refused(club: Club, _: ExitStack) -> None:
    configure(club, IMAP.replace(', "Junk"', ""))
    service, account = service_of(club), mailboxes.account_of("club", "turns", "imap.example.org")
    with service.db.write() as tx:
        mailboxes.watch(tx, account, "INBOX", club.now)
        mailboxes.hold(tx, "club", "test", club.now, club.now)
    swept(club)
    club.now += timedelta(hours=3)
    with service.db.write() as tx:
        mailboxes.note_trouble(tx, "club", Trouble(9, club.now + timedelta(minutes=5)))
    service.db.close()


def nobody_tries(club: Club, stack: ExitStack) -> None:
    login_refused(club, stack)
    club.now += timedelta(minutes=20)


def retried(club: Club, _: ExitStack) -> None:
    service = service_of(club)
    for mail in outbox.claim(service.db, club.now, 2, timedelta(minutes=1), "test"):
        with service.db.write() as tx:
            outbox.retry(tx, mail.id, "test", "the server is down", club.now + timedelta(hours=1))
    service.db.close()


def no_way_out(club: Club, _: ExitStack) -> None:
    service = service_of(club)
    (mail,) = outbox.claim(service.db, club.now, 1, timedelta(minutes=1), "test")
    with service.db.write() as tx:
        outbox.postpone(tx, mail.id, "test", "nobody answers at port 25", club.now + timedelta(hours=1))
    service.db.close()


def claimed(club: Club, _: ExitStack) -> None:
    club.now += timedelta(days=1)
    club.ask(RUNNING, c.MakeClaim(ADA, club.now))
    swept(club)


def never_signed(club: Club, _: ExitStack) -> None:
    (club.directory / "checkpoint.pem").unlink()
    club.now += timedelta(days=3)
    swept(club)


def season(club: Club, _: ExitStack) -> None:
    club.printed("league add Winter --game take")
    club.printed("league open 1")


def late_rounds(club: Club, _: ExitStack) -> None:
    club.printed("league add Winter --game take --set round_days=2 --set when_unfinished=admin")
    club.printed("league open 1")
    club.printed("league enter 1 Ada Bob Cleo")
    club.printed("league start 1 --now --yes")
    for _day in range(9):
        swept(club)
        club.now += timedelta(days=1)
    swept(club)


CASES: dict[str, tuple[Callable[[Club, ExitStack], None], str, str]] = {
    "asleep": (asleep, "Service: It has not worked for 2 days: no mail is handled and no clock watched.", "turnserver serve"),
    "a missing folder": (
        folder_missing,
        "1 thing waits for you: Mailbox: The folder Junk of imap.club has not been read for 2 hours; no deadline is enforced before it is.",
        "turnserver doctor",
    ),
    "a mailbox that a wrong clock read": (
        read_by_a_wrong_clock,
        "INBOX of imap.club has not been read for 4 hours; no deadline is enforced before it is. It is tried again in 1 hour.",
        "turnserver doctor",
    ),
    "a mailbox that is closed": (
        login_refused,
        "INBOX of imap.club has not been read for 3 hours; no deadline is enforced before it is. It is tried again in 5 minutes.",
        "turnserver doctor",
    ),
    "a mailbox that nobody tries": (
        nobody_tries,
        "no deadline is enforced before it is. `turnserver serve` was to try again 15 minutes ago.",
        "turnserver doctor",
    ),
    "no checkpoint ever": (
        never_signed,
        "Checkpoint: None was made in the 3 days since the first event.",
        "turnserver audit checkpoint add",
    ),
    "unread": (unread, "Inbox: 1 mail to be read, the oldest for 2 hours.", "turnserver doctor"),
    "failed": (failed, "Inbox: 1 mail could not be handled.", "turnserver mail inbox list --status failed"),
    "dead": (dead, "Outbox: 2 mails could not be sent at all.", "turnserver mail outbox list --status dead"),
    "retried": (
        retried,
        "Outbox: 2 mails could not leave yet; the last time: the server",
        "turnserver mail outbox list --status queued",
    ),
    "no way out": (
        no_way_out,
        "Outbox: 1 mail could not leave yet; the last time: nobody answers at port 25.",
        "turnserver mail outbox list --status queued",
    ),
    "out of reach": (unreachable, "Players: Mail to Ada (1) and Bob (2) comes back.", "turnserver player show 1"),
    "resting": (resting, "Games: This program cannot follow game 1. Nobody is served there; mail is kept.", "turnserver doctor"),
    "a claim": (
        claimed,
        "Claim: Ada asks you to decide game 1, as turn 4 is not played. `turnserver game claim 1 --grant --reason TEXT` wins it for Ada,",
        "turnserver game show 1",
    ),
    "a season": (season, "League 1, Winter: Season 1 begins when you say so: `turnserver league start 1`.", "turnserver league show 1"),
    "late": (
        late_rounds,
        "(game 4) was to be over by 2026-03-0",
        "turnserver league show 1",
    ),
}


@pytest.mark.parametrize(("make", "says", "command"), CASES.values(), ids=CASES)
def test_what_waits_is_told_with_the_command_for_it(club: Club, make: Callable[[Club, ExitStack], None], says: str, command: str) -> None:
    club.entropy = bytes
    with ExitStack() as stack:
        make(club, stack)
    printed = club.printed("status")
    assert says in " ".join(printed.split())
    assert f"\n  $ {command}\n" in printed
    assert "Nothing waits" not in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_a_claim_in_a_game_that_rests_is_not_told(club: Club) -> None:
    with ExitStack() as stack:
        claimed(club, stack)
        resting(club, stack)
    assert [one["about"] for one in club.json("status --json")["tasks"]] == ["Games"]  # type: ignore[index]


def test_no_folder_is_late_while_nothing_works(club: Club) -> None:
    with ExitStack() as stack:
        folder_missing(club, stack)
    club.now += timedelta(days=2)
    assert [one["about"] for one in club.json("status --json")["tasks"]] == ["Service"]  # type: ignore[index]


def test_nothing_waits(club: Club) -> None:
    swept(club)
    printed = club.printed("status")
    assert printed.endswith("\nNothing waits for you.\n")
    assert f"tables {REVISION}\n" in printed
    assert "Worked      2026-03-01 13:00 (Europe/Berlin), less than a minute ago\n" in printed
    assert "Backup      none is known\n" in printed
    assert "Games       1 running, 1 inviting\n" in printed


def test_it_knows_the_last_backup(club: Club) -> None:
    club.printed("backup {dir}/first.gz")
    club.now += timedelta(hours=3)
    club.printed("backup {dir}/second.gz")
    club.now += timedelta(days=3)
    assert "Backup 2026-03-01 16:00 (Europe/Berlin), 3 days ago: " in " ".join(club.printed("status").split())
    assert "not there any more" not in club.printed("status")
    (club.directory / "second.gz").unlink()
    # the path is long, so the line may break anywhere in it
    assert "second.gz,whichisnotthereanymore" in "".join(club.printed("status").split())
    assert declared(club.printed("status --json"), "status").backup.there is False  # type: ignore[attr-defined]
    (club.directory / "club.db.last-backup").write_text("no note")
    assert "none is known" in club.printed("status")


def test_json(club: Club) -> None:
    with ExitStack() as stack:
        failed(club, stack)
    club.printed("backup {dir}/first.gz")
    found = declared(club.printed("status --json"), "status")
    assert [(one.about, one.command) for one in found.tasks] == [("Inbox", "turnserver mail inbox list --status failed")]  # type: ignore[attr-defined]
    assert found.backup.file == str(club.directory / "first.gz")  # type: ignore[attr-defined]


def reports(club: Club) -> list[str]:
    service = service_of(club)
    with service.db.read() as conn:
        found = [mail.id for mail in outbox.list_outbox(conn, None, 1_000) if mail.detail.get("about") == "status"]
    texts = [service.mail.render(number).mail.text for number in found]
    service.db.close()
    return texts


def test_the_admin_gets_a_mail_on_monday_morning_if_anything_waits(club: Club) -> None:
    configure(club, MAILDIR)
    with ExitStack() as stack:
        failed(club, stack)
    for at in (SUNDAY_NOON, MONDAY - timedelta(minutes=1)):
        club.now = at
        swept(club)
    assert reports(club) == []
    for minutes in (1, 2, 3 * 24 * 60):
        club.now = MONDAY + timedelta(minutes=minutes)
        swept(club)
    [text] = reports(club)
    assert "1 thing waits for you." in text
    assert "Inbox: 1 mail could not be handled." in text
    assert "$ turnserver mail inbox list --status failed" in text
    club.printed("mail inbox retry --all")
    service = service_of(club)
    service.mail.read_everything()
    service.db.close()
    club.now = MONDAY + timedelta(days=7, minutes=1)
    swept(club)
    assert "Nothing waits for you." in club.printed("status")
    assert len(reports(club)) == 1
