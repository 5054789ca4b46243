"""The cost of durable writes on this disk: the figures for accepting a move hold for it, and come out differently on another one."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import gettempdir
from time import perf_counter
from typing import Final

from tests.bench.measure import Figure, alternate
from tests.bench.scale import Scale

DISK: Final = next((path for path in [Path("/var/tmp")] if path.is_dir()), Path(gettempdir()))  # noqa: S108
"""The disk to measure on, unless another is named: unlike /tmp, this one is never in memory, where being durable costs nothing."""

PAGE: Final = bytes(4096)
TIMES: Final = 20


def disk(directory: Path, scale: Scale) -> Iterator[Figure]:
    """One page, appended and forced to the disk."""
    with (directory / "pages").open("wb", buffering=0) as file:
        measured = alternate(scale.rounds * TIMES, {"page": partial(_seconds, file.write, file.fileno())})
    yield Figure("disk", "force one page to this disk", "ms", measured.typical("page") * 1e3)


def _seconds(write: Callable[[bytes], object], descriptor: int) -> float:
    began = perf_counter()
    write(PAGE)
    os.fsync(descriptor)
    return perf_counter() - began
