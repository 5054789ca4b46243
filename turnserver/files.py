"""Read files that a person has named, whose name may be that of a device or a pipe; write files for their owner alone."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Final

LONGEST: Final = 1 << 26
"""The largest size of a file that is read as a whole, in bytes."""


def require_plain(path: Path) -> None:
    """Raise OSError unless a path leads to a plain file, which has an end."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is no plain file", str(path))


def read(path: Path, most: int = LONGEST) -> bytes:
    """Return the content of a plain file. Raise OSError for any other file, and for one of more than `most` bytes."""
    # without O_NONBLOCK, opening a pipe would wait for somebody to write
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        # the open file is asked, not its name, which may lead elsewhere by now
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no plain file", str(path))
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is longer than {most} bytes", str(path))
    return content


def read_text(path: Path, most: int = LONGEST) -> str:
    """Return the text in a plain file, with line feeds and without the mark with which some editors begin one.

    Raise OSError or UnicodeDecodeError.
    """
    return read(path, most).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def create(path: Path) -> BinaryIO:
    """Open a new file that only its owner may read. Raise OSError; FileExistsError if there is one, which stays as it is."""
    # made with its mode, or others could open it before a chmod
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def write_new(path: Path, content: bytes) -> None:
    """Write a file that only its owner may read, durably. Raise OSError; FileExistsError if there is one, which stays as it is."""
    with create(path) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def settle(directory: Path) -> None:
    """Make the names in a directory durable: a file that was renamed has its new name for good only then."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
