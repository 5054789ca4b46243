"""Collect mail from a maildir, where a mail server or a program such as fetchmail puts it."""

import errno
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeAlias

from turnserver.errors import ConfigError, MailboxClosed, TurnserverError, in_words
from turnserver.mail.format.envelope import envelope
from turnserver.trouble import Trouble

Keep: TypeAlias = Callable[[str, str | None, bytes, datetime], None]
"""A function like `Deliver`, but it is also told when the mail was put into the maildir, which is its time of arrival."""


class Collected(NamedTuple):
    """The number of mails that were delivered, of files that stay where they are, and when the oldest of these came that may be a mail."""

    delivered: int
    failed: int
    waits_since: datetime | None = None


class Waiting(NamedTuple):
    """A file in `new/`: when it was put there, and whether it can be a mail, which is a plain file."""

    put_at: datetime
    path: Path
    plain: bool


def collect(maildir: Path, deliver: Keep, own_address: str, max_bytes: int, trouble: Trouble) -> Collected:
    """Deliver every mail in `new/`, oldest first, and move each to `cur/` once `deliver` has returned.

    A file that cannot be delivered stays in `new/`, and `trouble` hears of it. If the process is killed between the two steps, a mail is
    delivered again, and its identity shows this. Of a mail larger than `max_bytes` only the beginning is delivered. The file stays whole.
    Raise ConfigError for no maildir, and MailboxClosed for one that cannot be read.
    """
    delivered, failed, unread = 0, 0, list[datetime]()
    for put_at, path, plain in waiting(maildir):
        stored = False
        try:
            with _opened(path) as file:
                raw = file.read(max_bytes)
            deliver(*envelope(raw, own_address), raw, put_at)
            stored = True
            # after it is delivered: whoever is killed in between delivers it twice, which its identity shows
            path.rename(maildir / "cur" / f"{path.name.partition(':')[0]}:2,S")
        except FileNotFoundError:
            # another process was faster
            continue
        except Exception as error:  # noqa: BLE001  # one mail that cannot be delivered must not hold up the others
            foreseen = isinstance(error, OSError | TurnserverError)
            why = error.strerror or error if isinstance(error, OSError) else in_words(error)
            trouble.failed(f"{path.name} stays where it is: {why}", trace=not foreseen)
            failed += 1
            # The time to mend it is given back, so such a mail may hold up deadlines for as long as it lies there. But somebody could send
            # a mail on which this program trips, or leave something else than a mail there; neither may stop all clocks.
            if plain and foreseen and not stored:
                unread.append(put_at)
        else:
            delivered += 1
    if not failed:
        trouble.works()
    return Collected(delivered, failed, min(unread, default=None))


def waiting(maildir: Path) -> list[Waiting]:
    """Return what lies in `new/`, oldest first. Raise ConfigError for no maildir, and MailboxClosed for one that cannot be read."""
    dated: list[tuple[int, str, Waiting]] = []
    try:
        if not (maildir / "new").is_dir() or not (maildir / "cur").is_dir():
            raise ConfigError(f"{maildir} is not a maildir: it needs the directories new, cur and tmp")
        for path in (maildir / "new").iterdir():
            with suppress(FileNotFoundError):
                found = path.lstat()
                # the date of a mail may be anything, but not when its file was last renamed or changed
                put_at = min(found.st_mtime_ns, found.st_ctime_ns)
                file = Waiting(datetime.fromtimestamp(put_at / 1e9, UTC), path, stat.S_ISREG(found.st_mode))
                dated.append((put_at, path.name, file))
    except OSError as error:
        why = f"the maildir {maildir} cannot be read: {error.strerror or error}; no deadline is enforced before it is"
        raise MailboxClosed(why) from error
    return [file for _, name, file in sorted(dated) if not name.startswith(".")]


def _opened(path: Path) -> BinaryIO:
    """Open a plain file of a maildir. Raise OSError for anything else."""
    # a link could lead to any file, and a pipe would make us wait
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no plain file", str(path))
    return os.fdopen(descriptor, "rb")
