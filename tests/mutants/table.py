"""The table of mutants: one file a room, each entry a text of the program and what breaks it."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

ROOT: Final = Path(__file__).resolve().parents[2]
PRODUCT: Final = "turnserver"


class Mutant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change that breaks the program.

    `name` says what is broken. `text` occurs once in the files of `room`, a folder below `turnserver/`, and `becomes` takes its place.
    One of `tests`, which are arguments for pytest, has to fail then. `survives` is the reason why none does.
    """

    name: str
    room: str
    text: str
    becomes: str
    tests: tuple[str, ...]
    survives: str = ""


class Place(NamedTuple):
    """A file of the program, relative to the tree, and what it holds with the mutant in it."""

    path: Path
    changed: str


class NotFoundError(Exception):
    """The text of a mutant is not there, or more than once."""


def table() -> list[Mutant]:
    """Return all mutants, file by file."""
    files = sorted(Path(__file__).parent.glob("*.toml"))
    found: list[Mutant] = []
    for file in files:
        found += msgspec.toml.decode(file.read_bytes(), type=dict[str, list[Mutant]])["mutant"]
    return found


def place(mutant: Mutant, root: Path = ROOT) -> Place:
    """Find the text in its room, or in the whole program where the room has none of it. Raises NotFoundError."""
    for folder in (root / PRODUCT / mutant.room, root / PRODUCT):
        holding = [(path, whole) for path in _sources(folder) if mutant.text in (whole := path.read_text("utf-8"))]
        times = sum(whole.count(mutant.text) for _, whole in holding)
        if times == 1:
            [(path, whole)] = holding
            return Place(path.relative_to(root), whole.replace(mutant.text, mutant.becomes))
        if times:
            raise NotFoundError(f"its text occurs {times} times in {folder.relative_to(root)}")
    raise NotFoundError(f"its text occurs nowhere in {PRODUCT}")


def covering(arguments: Iterable[str]) -> list[str]:
    """Return the arguments for pytest less those that another one includes."""
    kept: list[str] = []
    for argument in sorted(set(arguments)):
        if not any(_includes(other, argument) for other in kept):
            kept.append(argument)
    return kept


def exists(argument: str, root: Path = ROOT) -> bool:
    """Return whether there is the file or folder, and the test in it, that an argument for pytest names."""
    name, _, test = argument.partition("::")
    path = root / name
    return f"def {test.partition('[')[0]}(" in path.read_text("utf-8") if test and path.is_file() else path.exists() and not test


def chosen(mutants: Sequence[Mutant], names: Sequence[str], rooms: Sequence[str]) -> list[Mutant]:
    """Return the mutants of some names and rooms; all of them if none is named. A room includes the rooms within it."""
    within = [Path(room) for room in rooms]
    return [
        mutant
        for mutant in mutants
        if (not names or mutant.name in names) and (not within or any(Path(mutant.room).is_relative_to(room) for room in within))
    ]


def _sources(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def _includes(wide: str, narrow: str) -> bool:
    return narrow.startswith((f"{wide}::", f"{wide}[")) or Path(narrow.partition("::")[0]).is_relative_to(wide)
