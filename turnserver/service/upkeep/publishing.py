"""Checkpoints as files outside of the database: what lies there is not rolled back or rewritten with it."""

import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from turnserver import files
from turnserver.errors import ConfigError, MalformedProof

_NAME = re.compile(r"(0|[1-9][0-9]{0,18})\.checkpoint")


class Published(NamedTuple):
    """A file and the size that its name tells."""

    path: Path
    size: int


def name(size: int) -> str:
    """What the checkpoint of this size is called."""
    return f"{size}.checkpoint"


def listed(directory: str) -> list[Published]:
    """The checkpoints in the directory by size; none if there is no directory. Raises ConfigError if it cannot be read."""
    try:
        found = [(path, _NAME.fullmatch(path.name)) for path in Path(directory).iterdir()]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ConfigError(f"audit.publish: {directory} cannot be read: {error.strerror}.") from error
    return sorted((Published(path, int(named[1])) for path, named in found if named), key=lambda each: each.size)


def read(path: Path) -> str:
    """The text of a file that holds a note or a proof. Raises MalformedProof, naming it, if it cannot be one."""
    try:
        return files.read(path).decode()
    except OSError as error:
        raise MalformedProof(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise MalformedProof(f"{path} is not UTF-8 text.") from error


def write(directory: str, notes: Iterable[tuple[int, str]]) -> None:
    """Write checkpoints by their sizes, each of them whole or not at all; one of the same size is replaced. Raises ConfigError."""
    try:
        Path(directory).mkdir(exist_ok=True)
        for size, note in notes:
            _replace(Path(directory, name(size)), note.encode())
    except OSError as error:
        raise ConfigError(f"audit.publish: {directory} cannot be written to: {error.strerror}.") from error


def _replace(path: Path, content: bytes) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), 0o644)
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
