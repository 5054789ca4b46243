"""A directory of exported files: new ones are made aside and take the places of the old ones at the end; files of others stay."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from turnserver.errors import Refusal

LIST: Final = ".turnserver-export"
"""The file that lists all others that an export has made. A directory without it is none of ours."""

ASIDE: Final = ".turnserver-export.new"
"""The directory, within it, in which new files are made."""

_HEADING: Final = "Made by `turnserver web export`, which replaces and removes these files and no others:"


class Finished(NamedTuple):
    """The result of an export: the number of all files, of those that are new or changed, and of old ones that were removed."""

    files: int
    changed: int
    removed: int


class Directory:
    """A directory that is being exported to; see `exporting`."""

    def __init__(self, place: Path) -> None:
        """Take a directory that is locked, and make it one of ours. Raises Refusal if it has files and no list."""
        self._place, self._aside = place, place / ASIDE
        self._new: set[str] = set()
        is_ours = (place / LIST).exists()
        if not is_ours and any(one.name != ASIDE for one in place.iterdir()):
            raise Refusal("no_export", f"{place} is not empty, and no export has made it. Name a new or an empty directory.")
        self._old = self._listed() if is_ours else frozenset[str]()
        # left by an export that was interrupted
        self.abandon()
        self._aside.mkdir()
        # First of all, so that a new directory is known as ours even if the export is interrupted.
        self._list(self._old)

    def write(self, name: str, content: str | bytes) -> None:
        """Make a file aside. Its name is relative, with slashes."""
        self._new.add(name)
        path = self._aside / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def finish(self) -> Finished:
        """Put all new files into their places, and remove old ones that were not made again.

        Raises Refusal, with nothing changed, if somebody else has put a file into one of these places. An interruption leaves some files
        old and some new; the list has all of them, so the next export goes on from there.
        """
        for name in sorted(self._new):
            self._require_own(name)
        # Before the files themselves, so that the next export knows all files of an interrupted one as ours.
        self._list(self._old | self._new)
        # what other pages lead to comes before them
        changed = sum(self._put(name) for name in sorted(self._new, key=lambda name: (-name.count("/"), name)))
        gone = sorted(self._old - self._new)
        for name in gone:
            self._remove(name)
        self._list(self._new)
        return Finished(len(self._new), changed, len(gone))

    def abandon(self) -> None:
        """Remove what was made aside."""
        shutil.rmtree(self._aside, ignore_errors=True)

    def _listed(self) -> frozenset[str]:
        heading, *names = (self._place / LIST).read_text(encoding="utf-8").splitlines() or [""]
        # a list that leads out of the directory would have us remove files of others
        if heading != _HEADING or not all(_is_within(name) for name in names):
            raise Refusal("no_list", f"{self._place / LIST} is not the list that an export makes. Name a new or an empty directory.")
        return frozenset(names)

    def _require_own(self, name: str) -> None:
        path = self._place / name
        taken = next((one for one in (path, *path.parents) if one.is_symlink() or one.exists()), path)
        is_ours = name in self._old if taken == path else taken.is_dir()
        if not is_ours and os.path.lexists(taken):
            raise Refusal("taken", f"{taken} was not made by an export, and stands where a page has to be. Move it away and try again.")

    def _put(self, name: str) -> bool:
        new, place = self._aside / name, self._place / name
        # a file that stays as it was keeps its time, so that only what has changed is copied to the web space
        if place.is_file() and place.read_bytes() == new.read_bytes():
            return False
        place.parent.mkdir(parents=True, exist_ok=True)
        new.replace(place)
        return True

    def _remove(self, name: str) -> None:
        path = self._place / name
        path.unlink(missing_ok=True)
        with suppress(OSError):  # somebody else's file is in one of them
            for above in path.relative_to(self._place).parents[:-1]:
                (self._place / above).rmdir()

    def _list(self, names: set[str] | frozenset[str]) -> None:
        new = self._aside / LIST
        new.write_text("\n".join([_HEADING, *sorted(names), ""]), encoding="utf-8")
        # Renamed and not written in its place: half a list would make some of our files those of others.
        new.replace(self._place / LIST)


@contextmanager
def exporting(place: Path) -> Iterator[Directory]:
    """Make the directory if there is none, and hold it. If the body fails, what was there before stays as it was.

    Raises Refusal if another export holds it, or if it has files and no export has made them.
    """
    place.mkdir(parents=True, exist_ok=True)
    held = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            # The lock is on the directory itself and ends with the process, so no lock file can stay behind.
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Refusal("under_way", f"Another export to {place} is under way. Wait until it is done.") from error
        directory = Directory(place)
        try:
            yield directory
        finally:
            directory.abandon()
    finally:
        os.close(held)


def _is_within(name: str) -> bool:
    path = PurePosixPath(name)
    return bool(name) and not path.is_absolute() and ".." not in path.parts
