"""Collecting from a maildir: delivered first, moved afterwards."""

import errno
import logging
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from turnserver.errors import ConfigError, DatabaseBusy, MailboxClosed
from turnserver.mail.format.envelope import identity
from turnserver.mail.transport.maildir import Collected, collect
from turnserver.trouble import Trouble

OURS = "turns@play.example.org"


class Inbox:
    """Remembers what was delivered, and fails for mails that hold a certain word."""

    def __init__(self, failing: bytes = b"never", error: Exception | None = None) -> None:
        self.mails: list[tuple[str, str | None, bytes]] = []
        self.arrivals: list[datetime] = []
        self.failing = failing
        self.error = error or OSError("no space left")

    def deliver(self, recipient: str, sender: str | None, raw: bytes, arrived_at: datetime) -> None:
        if self.failing in raw:
            raise self.error
        self.mails.append((recipient, sender, raw))
        self.arrivals.append(arrived_at)


PUT = datetime.fromtimestamp(1_700_000_000, UTC)


def trouble() -> Trouble:
    """Something that has not failed yet."""
    return Trouble(logging.getLogger("test"), "maildir", lambda: 0.0)


def maildir(path: Path, mails: dict[str, str]) -> Path:
    for name in ("new", "cur", "tmp"):
        (path / name).mkdir(parents=True)
    for age, (name, text) in enumerate(reversed(mails.items())):
        file = path / "new" / name
        file.write_text(text)
        os.utime(file, (1_700_000_000 - age, 1_700_000_000 - age))
    return path


def names(path: Path) -> list[str]:
    return sorted(file.name for file in path.iterdir())


def test_mails_are_delivered_oldest_first_and_moved(tmp_path: Path) -> None:
    path, inbox = maildir(tmp_path / "box", {"b": "Subject: 1\n\nf4", "a": "Subject: 2\n\nf5"}), Inbox()
    assert collect(path, inbox.deliver, OURS, 1000, trouble()) == Collected(2, 0)
    assert [raw for _, _, raw in inbox.mails] == [b"Subject: 1\n\nf4", b"Subject: 2\n\nf5"]
    assert (names(path / "new"), names(path / "cur")) == ([], ["a:2,S", "b:2,S"])


def test_mail_arrives_when_it_is_put_there(tmp_path: Path) -> None:
    inbox = Inbox()
    collect(maildir(tmp_path / "box", {"b": "Subject: 1\n\nf4", "a": "Subject: 2\n\nf5"}), inbox.deliver, OURS, 1000, trouble())
    assert inbox.arrivals == [PUT - timedelta(seconds=1), PUT]


def test_a_mail_that_is_dated_ahead_arrives_when_it_is_put_there(tmp_path: Path) -> None:
    path, inbox = maildir(tmp_path / "box", {"b": "Subject: 1\n\nf4", "a": "Subject: 2\n\nf5"}), Inbox()
    os.utime(path / "new" / "b", (2**32, 2**32))
    collect(path, inbox.deliver, OURS, 1000, trouble())
    put = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    assert [abs(arrived - at) < timedelta(minutes=1) for arrived, at in zip(inbox.arrivals, (PUT, put), strict=True)] == [True, True]


@pytest.mark.parametrize("error", [OSError("no space left"), DatabaseBusy("the database is locked")], ids=["the disk", "the database"])
def test_what_cannot_be_delivered_stays_and_holds_up_nothing(tmp_path: Path, error: Exception) -> None:
    path, inbox = maildir(tmp_path / "box", {"b": "good", "a": "bad"}), Inbox(b"bad", error)
    assert collect(path, inbox.deliver, OURS, 1000, trouble()) == Collected(1, 1, PUT)
    assert (names(path / "new"), names(path / "cur")) == (["a"], ["b:2,S"])
    inbox.failing = b"never"
    assert collect(path, inbox.deliver, OURS, 1000, trouble()) == Collected(1, 0)
    assert [raw for _, _, raw in inbox.mails] == [b"good", b"bad"]


def test_a_mail_that_is_dated_ahead_waits_since_it_was_put_there(tmp_path: Path) -> None:
    path, inbox = maildir(tmp_path / "box", {"a": "bad"}), Inbox(b"bad", OSError("no space left"))
    os.utime(path / "new" / "a", (2**32, 2**32))
    waits_since = collect(path, inbox.deliver, OURS, 1000, trouble()).waits_since
    assert waits_since is not None
    assert abs(waits_since - datetime.fromtimestamp(path.stat().st_mtime, UTC)) < timedelta(minutes=1)


def test_a_mail_that_trips_this_program_stops_no_clock(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Anybody could send one."""
    path, inbox = maildir(tmp_path / "box", {"a": "bad"}), Inbox(b"bad", ValueError("not like this"))
    assert collect(path, inbox.deliver, OURS, 1000, trouble()) == Collected(0, 1)
    assert "a stays where it is: ValueError: not like this" in caplog.text
    assert "Traceback" in caplog.text


def test_a_mail_that_is_stored_stops_no_clock_though_it_cannot_be_moved(tmp_path: Path) -> None:
    path, inbox = maildir(tmp_path / "box", {"a": "first"}), Inbox()
    (path / "cur" / "a:2,S").mkdir()
    assert collect(path, inbox.deliver, OURS, 1000, trouble()) == Collected(0, 1)
    assert len(inbox.mails) == 1


def test_what_stays_is_told_once_and_once_more_when_it_is_gone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path, inbox, one = maildir(tmp_path / "box", {"a": "bad"}), Inbox(b"bad"), trouble()
    for _ in range(3):
        collect(path, inbox.deliver, OURS, 1000, one)
    inbox.failing = b"never"
    collect(path, inbox.deliver, OURS, 1000, one)
    assert [record.getMessage().partition("; ")[0] for record in caplog.records] == [
        "maildir: a stays where it is: no space left",
        "maildir: works again, after 3 failures",
    ]


def test_a_maildir_that_cannot_be_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    path = maildir(tmp_path / "box", {"a": "first"})
    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(MailboxClosed, match="box cannot be read: Permission denied; no deadline"):
        collect(path, Inbox().deliver, OURS, 1000, trouble())


def test_killed_between_delivery_and_move_the_same_mail_comes_again(tmp_path: Path) -> None:
    path, inbox = maildir(tmp_path / "box", {"a": "Message-ID: <1@x>\n\nf4"}), Inbox()

    def deliver_and_die(recipient: str, sender: str | None, raw: bytes, arrived_at: datetime) -> None:
        inbox.deliver(recipient, sender, raw, arrived_at)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        collect(path, deliver_and_die, OURS, 1000, trouble())
    assert names(path / "new") == ["a"]
    collect(path, inbox.deliver, OURS, 1000, trouble())
    assert len(inbox.mails) == 2
    assert len({identity(raw, recipient) for recipient, _, raw in inbox.mails}) == 1


def test_a_mail_that_another_process_took_is_left_to_it(tmp_path: Path) -> None:
    path, inbox = maildir(tmp_path / "box", {"a": "first", "b": "second"}), Inbox()

    def deliver_while_another_takes_the_next(recipient: str, sender: str | None, raw: bytes, arrived_at: datetime) -> None:
        inbox.deliver(recipient, sender, raw, arrived_at)
        (path / "new" / "b").rename(path / "cur" / "b:2,S")

    assert collect(path, deliver_while_another_takes_the_next, OURS, 1000, trouble()) == Collected(1, 0)
    assert len(inbox.mails) == 1


def test_of_a_huge_mail_the_beginning_is_delivered_and_the_file_kept(tmp_path: Path) -> None:
    path, inbox = maildir(tmp_path / "box", {"a": "Subject: 1\n\n" + "x" * 5000}), Inbox()
    collect(path, inbox.deliver, OURS, 1000, trouble())
    assert len(inbox.mails[0][2]) == 1000
    assert (path / "cur" / "a:2,S").stat().st_size == 5012


ENVELOPES = [
    ("To: Turns <turns+k7@play.example.org>\nReturn-Path: <ada@example.org>", "turns+k7@play.example.org", "ada@example.org"),
    ("To: turns+k7@play.example.org\nDelivered-To: turns+k8@play.example.org", "turns+k8@play.example.org", None),
    ("Delivered-To: other@example.org\nX-Original-To: Turns+K7@play.example.org", "Turns+K7@play.example.org", None),
    ("To: other@example.org\nReturn-Path: <>", OURS, ""),
    ("", OURS, None),
]


@pytest.mark.parametrize(("head", "recipient", "sender"), ENVELOPES)
def test_the_envelope_is_taken_from_the_headers(tmp_path: Path, head: str, recipient: str, sender: str | None) -> None:
    inbox = Inbox()
    collect(maildir(tmp_path / "box", {"a": f"{head}\n\nf4"}), inbox.deliver, OURS, 1000, trouble())
    assert inbox.mails[0][:2] == (recipient, sender)


def test_something_else_than_a_maildir_is_an_error_in_the_settings(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is not a maildir"):
        collect(tmp_path, Inbox().deliver, OURS, 1000, trouble())


def a_pipe(path: Path, _secret: Path) -> None:
    os.mkfifo(path)


def a_link(path: Path, secret: Path) -> None:
    path.symlink_to(secret)


def a_link_to_nothing(path: Path, _secret: Path) -> None:
    path.symlink_to("nowhere")


def a_folder(path: Path, _secret: Path) -> None:
    path.mkdir()


def a_device(path: Path, _secret: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("put", [a_pipe, a_link, a_link_to_nothing, a_folder, a_device], ids=lambda each: each.__name__)
def test_what_is_no_plain_file_is_neither_followed_nor_waited_for(
    tmp_path: Path, put: Callable[[Path, Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "secret").write_text("Subject: not for you\n\nroot:x:0:0\n")
    path, inbox = maildir(tmp_path / "box", {"mail": "Subject: 1\n\nf4"}), Inbox()
    put(path / "new" / "odd", tmp_path / "secret")
    assert collect(path, inbox.deliver, OURS, 1000, trouble()) == Collected(1, 1)
    assert [raw for _, _, raw in inbox.mails] == [b"Subject: 1\n\nf4"]
    assert (names(path / "new"), names(path / "cur")) == (["odd"], ["mail:2,S"])
    assert "odd stays where it is" in caplog.text
    assert "Traceback" not in caplog.text
