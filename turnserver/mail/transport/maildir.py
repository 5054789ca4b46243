"""Collect mail from a maildir, where a mail server or a program such as fetchmail puts it."""

import errno
import logging
import os
import stat
from collections.abc import Callable
from datetime import UTC, datetime
from os import fstat
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeAlias

from turnserver.errors import ConfigError
from turnserver.mail.format.envelope import envelope

_log = logging.getLogger(__name__)


Keep: TypeAlias = Callable[[str, str | None, bytes, datetime], None]
"""A function like `Deliver`, but it is also told when the mail was put into the maildir, which is its time of arrival."""


class Collected(NamedTuple):
    """The number of mails that were delivered, and of those that have to be tried again."""

    delivered: int
    failed: int


def collect(maildir: Path, deliver: Keep, own_address: str, max_bytes: int) -> Collected:
    """Deliver every mail in `new/`, oldest first, and move each to `cur/` once `deliver` has returned. Raise ConfigError for no maildir.

    A mail that cannot be delivered stays in `new/` and is logged. If the process is killed between the two steps, a mail is delivered
    again, and its identity shows this. Of a mail larger than `max_bytes` only the beginning is delivered. The file stays whole.
    """
    if not (maildir / "new").is_dir() or not (maildir / "cur").is_dir():
        raise ConfigError(f"{maildir} is not a maildir: it needs the directories new, cur and tmp")
    delivered = failed = 0
    for path in _waiting(maildir):
        try:
            with _opened(path) as file:
                raw = file.read(max_bytes)
                arrived_at = datetime.fromtimestamp(fstat(file.fileno()).st_mtime, UTC)
            deliver(*envelope(raw, own_address), raw, arrived_at)
            # after it is delivered: whoever is killed in between delivers it twice, which its identity shows
            path.rename(maildir / "cur" / f"{path.name.partition(':')[0]}:2,S")
        except FileNotFoundError:
            # another process was faster
            continue
        except OSError as error:
            # no traceback: where it was noticed does not matter
            _log.error("%s stays where it is: %s", path, error.strerror or error)
            failed += 1
        except Exception:  # noqa: BLE001  # one mail that cannot be delivered must not hold up the others
            _log.exception("%s stays where it is: it could not be delivered", path)
            failed += 1
        else:
            delivered += 1
    return Collected(delivered, failed)


def _opened(path: Path) -> BinaryIO:
    """Open a plain file of a maildir. Raise OSError for anything else."""
    # a link could lead to any file, and a pipe would make us wait
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no plain file", str(path))
    return os.fdopen(descriptor, "rb")


def _waiting(maildir: Path) -> list[Path]:
    dated: list[tuple[int, str, Path]] = []
    for path in (maildir / "new").iterdir():
        try:
            dated.append((path.lstat().st_mtime_ns, path.name, path))
        except FileNotFoundError:
            continue
    return [path for _, name, path in sorted(dated) if not name.startswith(".")]
