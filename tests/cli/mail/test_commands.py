"""`turnserver mail`: the way in by a pipe, both boxes, one mail, and another try."""

import os
import sqlite3
import subprocess
import sys
from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from tests.cli.club import Club, copied
from tests.cli.typed import MAILDIR, configure, declared, service_of, typed
from turnserver.cli.app import app
from turnserver.cli.mail.group import Retried
from turnserver.cli.mail.inbox import InMail, InMailDetails
from turnserver.cli.mail.outbox import OutMail, OutMailDetails
from turnserver.cli.session import Outside
from turnserver.store.mail import inbox, outbox, retention

PROGRAM = Path(sys.executable).with_name("turnserver")
SITE = "turns@club.example"
TAGGED = "turns+token@club.example"
PLAIN = b"From: Ada <ada@example.org>\nTo: turns@club.example\nSubject: a question\nMessage-ID: <1@example.org>\n\nhelp\n\n> quoted\n"


def came(club: Club) -> list[InMail]:
    found = declared(typed(club, "mail inbox list --json").stdout, "mail inbox list")
    assert isinstance(found, list)
    return found


RECEIVED: dict[str, tuple[str, dict[str, str], bytes, tuple[str, str]]] = {
    "named": ("--recipient turns+token@club.example --sender ada@example.org", {}, PLAIN, (TAGGED, "ada@example.org")),
    "by Postfix's local delivery": ("", {"ORIGINAL_RECIPIENT": TAGGED, "RECIPIENT": SITE, "SENDER": "a@b.org"}, PLAIN, (TAGGED, "a@b.org")),
    "by another one's": ("", {"RECIPIENT": TAGGED}, PLAIN, (TAGGED, "")),
    "the line is nearer than the environment": (f"--recipient {TAGGED}", {"RECIPIENT": SITE}, PLAIN, (TAGGED, "")),
    "by headers": ("", {}, b"Return-Path: <a@b.org>\nDelivered-To: turns+token@club.example\n" + PLAIN, (TAGGED, "a@b.org")),
    "headers of somebody else": ("", {}, b"Delivered-To: postmaster@club.example\n" + PLAIN, (SITE, "")),
    "no headers": ("", {}, b"\nhelp\n", (SITE, "")),
    "null sender": ('--sender ""', {}, PLAIN, (SITE, "<>")),
    "null sender in brackets": ('--sender "<>"', {}, PLAIN, (SITE, "<>")),
    "null sender by name": ("", {"SENDER": "MAILER-DAEMON"}, PLAIN, (SITE, "<>")),
    "null return path": ("", {}, b"Return-Path: <>\n" + PLAIN, (SITE, "<>")),
    "nothing at all": ("", {}, b"", (SITE, "")),
    "no text": ("", {}, bytes(range(256)), (SITE, "")),
}  # fmt: skip


@pytest.mark.parametrize(("line", "environ", "mail", "expected"), RECEIVED.values(), ids=RECEIVED)
def test_receive(club: Club, line: str, environ: dict[str, str], mail: bytes, expected: tuple[str, str]) -> None:
    result = typed(club, f"mail receive {line}", mail, **environ)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "Kept as mail 1 of the inbox.\n", "")
    (row,) = came(club)
    assert (row.recipient, row.sender) == expected
    assert (row.source, row.status) == ("pipe", "new")
    assert typed(club, "mail inbox show 1 --raw").stdout_bytes == mail


def locked(club: Club) -> sqlite3.Connection:
    holder = sqlite3.connect(club.directory / "club.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    return holder


@pytest.mark.parametrize(
    "trouble", ["no database", "locked database", "no configuration", "wrong configuration", "wrong option", "argument"]
)
def test_whatever_goes_wrong_the_mail_server_keeps_the_mail(club: Club, trouble: str) -> None:
    line = {"wrong option": "mail receive --recepient x", "argument": "mail receive ada@example.org"}.get(trouble, "mail receive")
    holder = locked(club) if trouble == "locked database" else None
    if trouble == "no database":
        (club.directory / "club.db").unlink()
    if trouble == "wrong configuration":
        configure(club, "[jobs\n")
    if trouble == "no configuration":
        club.config.unlink()
    result = typed(club, line, PLAIN)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (os.EX_TEMPFAIL, "", 1), result.output
    if holder is not None:
        holder.close()


def test_what_nobody_foresaw_makes_the_mail_server_keep_the_mail_too(club: Club) -> None:
    broken = Outside(clock=lambda: 1 // 0)  # type: ignore[return-value,arg-type]  # a clock that breaks
    result = CliRunner().invoke(app, ["mail", "receive"], PLAIN, env={"TURNSERVER_CONFIG": str(club.config)}, obj=broken)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (os.EX_TEMPFAIL, "", 1), result.output
    assert (came(club), "ZeroDivisionError" in result.stderr) == ([], True)


def test_a_mail_that_is_too_large_goes_back(club: Club) -> None:
    configure(club, "\n[incoming]\nmax_bytes = 10_000\n")
    result = typed(club, "mail receive", PLAIN + b"x" * 10_000)
    assert (result.exit_code, came(club)) == (os.EX_DATAERR, [])
    assert typed(club, "mail receive", PLAIN.ljust(10_000)).exit_code == 0


def test_the_real_program_in_a_real_pipe(club: Club) -> None:
    env = {**os.environ, "TURNSERVER_CONFIG": str(club.config), "ORIGINAL_RECIPIENT": TAGGED}
    assert subprocess.run([PROGRAM, "mail", "receive"], input=PLAIN, env=env, capture_output=True, check=True).stderr == b""
    env["TURNSERVER_DATABASE__URL"] = "sqlite:////nowhere/club.db"
    failed = subprocess.run([PROGRAM, "mail", "receive"], input=PLAIN, env=env, capture_output=True, check=False)
    assert (failed.returncode, failed.stderr.count(b"\n")) == (os.EX_TEMPFAIL, 1)
    assert [mail.recipient for mail in came(club)] == [TAGGED]


@pytest.fixture(scope="module")
def busy_template(club_template: Club, tmp_path_factory: pytest.TempPathFactory) -> Club:
    """The busy club that is copied."""
    club = configure(copied(club_template, tmp_path_factory.mktemp("busy")), MAILDIR)
    service = service_of(club)
    for _ in range(2):
        service.mail.receive(PLAIN, SITE, "ada@example.org", "pipe")
    service.mail.read_inbox()
    failed = service.mail.receive(PLAIN + b"again\n", SITE, "ada@example.org", "lmtp")
    with service.db.write() as tx:
        inbox.failed(tx, failed, "ZeroDivisionError: nobody foresaw it", club.now, final=True)
    service.mail.receive(b"\nno headers\n", SITE, None, "maildir")
    (mail,) = outbox.claim(service.db, club.now, 1, timedelta(minutes=1), "test")
    with service.db.write() as tx:
        outbox.dead(tx, mail.id, "test", "PermanentFailure: no such mailbox")
    service.mail.send_outbox()
    service.people.add("Dan", "dan@example.org", actor="admin:test", cause="test:dan")
    service.db.close()
    return club


@pytest.fixture
def busy(busy_template: Club, tmp_path: Path) -> Club:
    """A club with mails of every kind: two that are done (one a copy), a failed and a new one; some sent, one dead, some queued."""
    return copied(busy_template, tmp_path)


SAYS: dict[str, tuple[str, str | None]] = {
    "mail inbox list": ("4  2026-03-01 13:00  unknown          new", None),
    "mail inbox list --status done": ("a copy of mail 1", "ZeroDivisionError"),
    "mail inbox list --status failed": ("ZeroDivisionError: nobody foresaw it", "copy"),
    "mail inbox list --status new --limit 1": ("unknown", "ZeroDivisionError"),
    "mail outbox list": ("welcome", None),
    "mail outbox list --status sent": ("sent 2026-03-01 13:00", "given up"),
    "mail outbox list --status dead": ("given up after 1 attempt", "sent 2026"),
    "mail outbox list --status queued": ("to be sent", "given up"),
    "mail outbox list --limit 1": ("Dan", "Ada"),
    "mail inbox show 1": ("a question", None),
    "mail inbox show 2": ("a copy of mail 1", None),
    "mail inbox show 3": ("failed, tried 0 times", None),
    "mail outbox show 1": ("Ada <ada@example.org>", None),
}  # fmt: skip


@pytest.mark.parametrize(("line", "says"), SAYS.items(), ids=SAYS)
def test_says(busy: Club, line: str, says: tuple[str, str | None]) -> None:
    result = typed(busy, line)
    assert (result.exit_code, result.stderr) == (0, "")
    assert says[0] in result.stdout
    assert says[1] is None or says[1] not in result.stdout


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ("mail inbox list", InMail),
        ("mail outbox list", OutMail),
        ("mail inbox show 3", InMailDetails),
        ("mail outbox show 1", OutMailDetails),
        ("mail outbox retry --all", Retried),
    ],
)
def test_prints_what_is_declared(busy: Club, line: str, shape: type[msgspec.Struct]) -> None:
    found: Any = declared(typed(busy, f"{line} --json").stdout, line)
    assert isinstance(found[0] if isinstance(found, list) else found, shape)


def test_each_line_has_its_verdict(busy: Club) -> None:
    mail: Any = declared(typed(busy, "mail inbox show 1 --json").stdout, "mail inbox show")
    assert [(line.verdict, line.text) for line in mail.lines if line.text] == [("kept", "help"), ("quoted", "> quoted")]
    assert (mail.author, mail.subject, mail.message_id) == ("ada@example.org", "a question", "<1@example.org>")
    assert (mail.automatic, mail.problem) == (None, None)
    shown = typed(busy, "mail inbox show 1").stdout.splitlines()
    assert {"kept     help", "quoted   > quoted"} <= set(shown)


def test_a_mail_that_goes_is_shown_as_it_went(busy: Club) -> None:
    sent: Any = declared(typed(busy, "mail outbox show 2 --json").stdout, "mail outbox show")
    assert (sent.status, sent.recipient, sent.address, sent.kind) == ("sent", "Bob", "bob@example.org", "welcome")
    mails = [message_from_bytes(path.read_bytes(), policy=policy.default) for path in (busy.directory / "leaving" / "new").iterdir()]
    (mail,) = [mail for mail in mails if mail["Message-ID"].strip() == sent.message_id]
    body = mail.get_body(("plain",))
    assert body is not None
    assert (body.get_content(), mail["Subject"]) == (sent.text, sent.subject)
    assert typed(busy, "mail outbox show 2").stdout.endswith(sent.text)
    assert f"Message-ID: {sent.message_id}" in typed(busy, "mail outbox show 2 --raw").stdout


def test_a_mail_that_waits_is_shown_as_it_will_go(busy: Club) -> None:
    (waiting,) = msgspec.json.decode(typed(busy, "mail outbox list --status queued --json").stdout)
    mail: Any = declared(typed(busy, f"mail outbox show {waiting['id']} --json").stdout, "mail outbox show")
    assert (mail.recipient, mail.address, mail.sent_at, mail.text != "") == ("Dan", "dan@example.org", None, True)


@pytest.mark.parametrize(
    ("line", "number", "said"),
    [
        ("mail outbox retry 1", 1, "1 mail will be sent again.\n"),
        ("mail inbox retry 3", 3, "1 mail will be handled again.\n"),
        ("mail outbox retry --all", 1, "1 mail will be sent again.\n"),
        ("mail inbox retry --all", 3, "1 mail will be handled again.\n"),
    ],
)
def test_another_try(busy: Club, line: str, number: int, said: str) -> None:
    sent = "outbox" in line
    assert typed(busy, line).stdout == said
    rows: Any = declared(typed(busy, "mail outbox list --json --status dead").stdout, "mail outbox list")
    assert [row.id for row in rows] == ([] if sent else [number - 2])
    assert {mail.id: mail.status for mail in came(busy)}[3] == ("failed" if sent else "new")
    done = typed(busy, "tick --json")
    assert done.exit_code == 0
    rows = declared(typed(busy, "mail outbox list --json").stdout, "mail outbox list")
    assert {row.id: row.status for row in rows}[1] == ("sent" if sent else "dead")


@pytest.mark.parametrize("box", ["inbox", "outbox"])
def test_nothing_to_try_again(club: Club, box: str) -> None:
    assert typed(club, f"mail {box} retry --all").stdout == "There are no such mails.\n"
    assert declared(typed(club, f"mail {box} retry --all --json").stdout, f"mail {box} retry") == Retried([])


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("mail outbox retry", 1, "Name one mail"),
        ("mail inbox retry", 1, "Name one mail"),
        ("mail outbox retry 1 --all", 1, "Name one mail"),
        ("mail inbox retry 3 --all", 1, "Name one mail"),
        ("mail outbox retry 2", 1, "No mail 2 in the outbox is dead or bounced."),
        ("mail inbox retry 1", 1, "No mail 1 in the inbox has failed."),
        ("mail inbox show 99", 1, "There is no mail 99 in the inbox."),
        ("mail outbox show 99", 1, "There is no mail 99 in the outbox."),
        ("mail outbox show 0", 2, "greater than or equal to 1"),
        ("mail inbox list --status sent", 2, "sent"),
        ("mail inbox", 2, ""),
    ],
)
def test_refuses(busy: Club, line: str, code: int, says: str) -> None:
    result = typed(busy, line)
    assert (result.exit_code, says in result.stderr) == (code, True), result.output


@pytest.fixture
def old(busy: Club) -> Club:
    """A club whose mails have given up their bytes and texts."""
    service = service_of(busy)
    with service.db.read() as conn:
        numbers = [mail.id for mail in inbox.list_inbox(conn)], [mail.id for mail in outbox.list_outbox(conn, None, 1_000)]
    with service.db.write() as tx:
        for one in numbers[0]:
            retention.empty_came(tx, one)
        for one in numbers[1]:
            retention.empty_went(tx, one)
    service.db.close()
    return busy


def test_a_text_that_is_not_kept_is_not_taken_for_what_was_sent(old: Club) -> None:
    """Its digest tells whether what is composed today is the same."""
    same: Any = declared(typed(old, "mail outbox show 2 --json").stdout, "mail outbox show")
    assert (same.same, same.removed.partition(" bytes, SHA-256 ")[0]) == (True, str(len(same.text.encode())))
    assert "That is what was sent." in " ".join(typed(old, "mail outbox show 2").stdout.split())
    assert typed(old, "mail outbox show 2 --raw").stderr == ""
    old.printed("player set Bob language de")
    other: Any = declared(typed(old, "mail outbox show 2 --json").stdout, "mail outbox show")
    assert (other.same, other.removed, other.text != same.text) == (False, same.removed, True)
    shown = " ".join(typed(old, "mail outbox show 2").stdout.split())
    assert f"The text that was sent is not kept any more: {same.removed}." in shown
    assert "It is not what was sent" in shown
    assert "Subject today" in shown
    assert "It is not what was sent" in typed(old, "mail outbox show 2 --raw").stderr


def test_a_mail_without_its_bytes_is_not_read_as_an_empty_one(old: Club) -> None:
    mail: Any = declared(typed(old, "mail inbox show 1 --json").stdout, "mail inbox show")
    assert (mail.removed.partition(" bytes")[0], mail.problem, mail.automatic, mail.lines) == (str(len(PLAIN)), None, None, [])
    shown = " ".join(typed(old, "mail inbox show 1").stdout.split())
    assert f"Its bytes are not kept any more: {mail.removed}." in shown
    assert "Problem" not in shown
    assert "nobody" not in shown
    raw = typed(old, "mail inbox show 1 --raw")
    assert (raw.exit_code, raw.stdout, "not kept any more" in raw.stderr) == (1, "", True)
