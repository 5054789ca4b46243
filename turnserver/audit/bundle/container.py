"""Reading a bundle that anybody may have made: its files by name, with nothing trusted and no more in memory than a line.

Whatever cannot be read raises NoBundle with a sentence: a ZIP that is cut off or damaged, a file that is there twice or has no place in a
bundle, a line without end.
"""

import re
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO, Final
from zipfile import BadZipFile, ZipFile

from turnserver import files
from turnserver.errors import NoBundle
from turnserver.store.log import manifest

LONGEST_LINE: Final = 1 << 20
LONGEST_FILE: Final = 1 << 26
"""The largest size of a file that is read as a whole and is no list of events: half a million streams in a manifest."""

MOST_FILES: Final = 1000

_NAMED: Final = {each for each in manifest.FILES if not each.startswith(manifest.SCHEMA)}
_A_SCHEMA: Final = re.compile(r"schema/[a-z_]+\.[a-z_]+\.v[1-9][0-9]*\.json", re.ASCII)
_DAMAGE: Final = (BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError, NotImplementedError, LookupError)
"""The errors of the standard library for a file that is no ZIP, or one that is encrypted or packed in another way."""


class Container:
    """The files of a bundle. Made by `opened`."""

    def __init__(self, names: Sequence[str], open_: Callable[[str], BinaryIO]) -> None:
        if len(names) > MOST_FILES:
            raise NoBundle(f"It holds more than {MOST_FILES} files, which no bundle does")
        for name in names:
            if name not in _NAMED and not _A_SCHEMA.fullmatch(name):
                raise NoBundle(f"It holds {name[:100]!r}, which has no place in a bundle")
        if len({*names}) < len(names):
            raise NoBundle("It holds a file twice")
        if manifest.MANIFEST not in names:
            raise NoBundle(f"It holds no {manifest.MANIFEST}, so it is no bundle")
        self.names = frozenset(names)
        self._open = open_

    def whole(self, name: str) -> bytes:
        """Return a whole file. Raises NoBundle, also if it is not there."""
        found = bytearray()
        for part in self.parts(name):
            found += part
            if len(found) > LONGEST_FILE:
                raise NoBundle(f"{name} is longer than {LONGEST_FILE} bytes")
        return bytes(found)

    def parts(self, name: str) -> Iterator[bytes]:
        """Yield a file in parts. Raises NoBundle."""
        with self._reading(name) as file:
            while part := file.read(LONGEST_LINE):
                yield part

    def lines(self, name: str) -> Iterator[bytes]:
        """Yield the lines of a file, each with its line feed. Raises NoBundle for one that is too long, or without an end."""
        with self._reading(name) as file:
            number = 0
            while line := file.readline(LONGEST_LINE):
                number += 1
                if not line.endswith(b"\n"):
                    raise NoBundle(f"Line {number} of {name} is cut off, or longer than {LONGEST_LINE} bytes")
                yield line

    @contextmanager
    def _reading(self, name: str) -> Iterator[BinaryIO]:
        if name not in self.names:
            raise NoBundle(f"It holds no {name}")
        try:
            with self._open(name) as file:
                yield file
        except _DAMAGE as error:
            raise NoBundle(f"{name} in it cannot be read: {_said(error)}") from error


@contextmanager
def opened(path: Path) -> Iterator[Container]:
    """Yield the bundle in a ZIP or, unpacked, in a directory. Raises NoBundle."""
    if path.is_dir():
        if not (path / manifest.MANIFEST).is_file():
            raise NoBundle(f"It holds no {manifest.MANIFEST}, so it is no bundle")
        yield Container(_files(path), lambda name: (path / name).open("rb"))
        return
    try:
        files.require_plain(path)
        archive = ZipFile(path)
    except _DAMAGE as error:
        raise NoBundle(f"It is no ZIP that can be read: {_said(error)}") from error
    with archive:
        yield Container([name for name in archive.namelist() if name != manifest.SCHEMA], archive.open)  # type: ignore[arg-type]  # reads as a file does


def _files(path: Path) -> list[str]:
    # Anything but a plain file is refused: reading it might never end.
    # The walk stops just beyond the limit, however many files there are.
    found = sorted(each for each in islice(path.rglob("*"), MOST_FILES + 2) if not each.is_dir())
    for each in found:
        if not S_ISREG(each.lstat().st_mode):
            raise NoBundle(f"{each.relative_to(path)} is no plain file")
    return [each.relative_to(path).as_posix() for each in found]


def _said(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
