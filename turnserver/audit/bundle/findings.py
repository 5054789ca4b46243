"""The subjects of a check of a bundle, and its findings."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Final

import msgspec
from msgspec import Meta

MOST: Final = 1000
"""The number of faults that are told one by one."""


class Subject(StrEnum):
    """The parts of an audit of a bundle, in the order in which they are shown."""

    FILES = "files"
    STREAMS = "streams"
    HASHES = "hashes"
    SCHEMA = "schema"
    RULES = "rules"
    CHANCE = "chance"
    CLOCKS = "clocks"
    RESULTS = "results"
    LEAGUES = "leagues"
    CHECKPOINT = "checkpoint"
    INCLUSION = "inclusion"


class BundleFault(msgspec.Struct, frozen=True):
    """Something wrong in a bundle."""

    about: Annotated[Subject, Meta(description="the check that failed")]
    position: Annotated[int | None, Meta(description="the place in the whole log")]
    stream: Annotated[str | None, Meta(description="the stream, such as game-17")]
    version: Annotated[int | None, Meta(description="the place in the stream")]
    problem: Annotated[str, Meta(description="the fault")]


class CheckedSubject(msgspec.Struct, frozen=True):
    """The result of checking one subject."""

    about: Annotated[Subject, Meta(description="the subject")]
    checked: Annotated[int, Meta(description="the number of things checked; 0 if there was nothing to check them against")]
    wrong: Annotated[int, Meta(description="the number of faults")]
    says: Annotated[str, Meta(description="the check in words")]


class FaultTally:
    """Counts the checks and collects the faults."""

    def __init__(self) -> None:
        self.checked: Counter[Subject] = Counter()
        self.failed: Counter[Subject] = Counter()
        self.wrong: list[BundleFault] = []

    def add(self, found: Iterable[BundleFault]) -> None:
        """Add faults."""
        for each in found:
            self.failed[each.about] += 1
            if len(self.wrong) < MOST:
                self.wrong.append(each)

    def object(
        self, about: Subject, problem: str, position: int | None = None, stream: str | None = None, version: int | None = None
    ) -> None:
        """Take something that is wrong."""
        self.add([BundleFault(about, position, stream, version, problem)])
