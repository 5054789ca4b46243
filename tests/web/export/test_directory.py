"""The directory of an export: killed at every step it is whole after the next one; files of others stay; nothing else is taken for ours."""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from turnserver.errors import Refusal
from turnserver.web.export.directory import ASIDE, LIST, exporting

OLD = {"index.html": "old", "same.css": "same", "games/1/index.html": "old", "games/2/index.html": "gone", "players/1/index.html": "gone"}
NEW = {"index.html": "new", "same.css": "same", "games/1/index.html": "new", "games/3/a/b.svg": "new"}
FOREIGN = {"CNAME": "club.example", "games/2/picture.png": "of the club's own"}
EVENTS = frozenset({"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "shutil.rmtree"})
STEPS = 20
"""At least so many are on the way; a test that killed at fewer would have missed something."""


def make(place: Path, content: Mapping[str, str]) -> tuple[int, int, int]:
    with exporting(place) as directory:
        for name, text in content.items():
            directory.write(name, text)
        return directory.finish()


def put(place: Path, content: Mapping[str, str]) -> None:
    for name, text in content.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)


def held(place: Path) -> dict[str, str]:
    """All files but the list, and those that are made aside."""
    files = (path for path in place.rglob("*") if path.is_file() and path.name != LIST)
    return {str(path.relative_to(place)): path.read_text() for path in files if ASIDE not in path.parts}


def killed_at(step: int, work: Callable[[], object]) -> bool:
    """Do the work in a process that dies at its `step`th call that reads or changes files. Return whether it came so far."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    left = [step]

    def die(event: str, _: object) -> None:
        left[0] -= event in EVENTS
        if not left[0]:
            os._exit(9)

    sys.addaudithook(die)
    try:
        work()
    finally:
        os._exit(0)


def test_new_files_take_the_places_of_old_ones(tmp_path: Path) -> None:
    place = tmp_path / "new" / "site"
    assert make(place, OLD) == (5, 5, 0)
    put(place, FOREIGN)
    kept = (place / "same.css").stat().st_mtime_ns
    assert make(place, NEW) == (4, 3, 2)
    assert held(place) == NEW | FOREIGN
    assert (place / "same.css").stat().st_mtime_ns == kept
    # a directory is left only where somebody else has a file
    assert sorted(path.name for path in place.iterdir()) == [LIST, "CNAME", "games", "index.html", "same.css"]
    assert make(place, NEW) == (4, 0, 0)


def test_killed_at_every_step(tmp_path: Path) -> None:
    step, place = 0, tmp_path
    while True:
        step, place = step + 1, tmp_path / str(step)
        make(place, OLD)
        put(place, FOREIGN)
        died = killed_at(step, lambda place=place: make(place, NEW))  # type: ignore[misc]  # mypy knows no default of a lambda
        found = held(place)
        # every file is an old one or a new one, and those of others are there
        assert found.items() <= {*OLD.items(), *NEW.items(), *FOREIGN.items()}
        assert found.items() >= {*FOREIGN.items(), ("same.css", "same")}
        assert "index.html" in found
        make(place, NEW)
        assert held(place) == NEW | FOREIGN
        if not died:
            break
    assert step > STEPS


def test_killed_at_every_step_of_the_first_one(tmp_path: Path) -> None:
    step, died = 0, True
    while died:
        step += 1
        died = killed_at(step, lambda place=tmp_path / str(step): make(place, NEW))  # type: ignore[misc]  # as above
        make(tmp_path / str(step), NEW)
        assert held(tmp_path / str(step)) == NEW
    assert step > STEPS


def test_what_fails_leaves_everything_as_it_was(tmp_path: Path) -> None:
    make(tmp_path, OLD)
    with pytest.raises(FileExistsError):
        make(tmp_path, {"index.html": "new", "index.html/below": "new"})
    assert held(tmp_path) == OLD
    assert not (tmp_path / ASIDE).exists()


@pytest.mark.parametrize(
    ("there", "why"),
    [
        ({"index.html": "mine"}, "is not empty, and no export has made it. Name a new or an empty directory."),
        ({".git/config": "mine"}, "is not empty, and no export has made it."),
        ({LIST: ""}, "is not the list that an export makes."),
        ({LIST: "{heading}\n../mine\n"}, "is not the list that an export makes."),
        ({LIST: "{heading}\n/etc/passwd\n"}, "is not the list that an export makes."),
        ({LIST: "{heading}\n\n"}, "is not the list that an export makes."),
        ({LIST: "{heading}\n", "index.html": "mine"}, "index.html was not made by an export, and stands where a page has to be."),
        ({LIST: "{heading}\n", "games": "mine"}, "games was not made by an export, and stands where a page has to be."),
        ({LIST: "{heading}\n", "index.html/mine": "mine"}, "index.html was not made by an export"),
    ],
)
def test_files_of_others_are_never_touched(tmp_path: Path, there: dict[str, str], why: str) -> None:
    """`{heading}` stands for the first line of a list."""
    make(tmp_path / "other", {})
    heading = (tmp_path / "other" / LIST).read_text().rstrip("\n")
    put(tmp_path, {"mine": "mine"})
    place = tmp_path / "site"
    put(place, {name: text.format(heading=heading) for name, text in there.items()})
    before = held(place)
    with pytest.raises(Refusal, match=why.replace(".", r"\.")):
        make(place, NEW)
    assert held(place) == before
    assert (tmp_path / "mine").read_text() == "mine"


def test_a_link_to_elsewhere_is_not_followed(tmp_path: Path) -> None:
    make(tmp_path / "site", {})
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "site" / "index.html").symlink_to(tmp_path / "mine")
    with pytest.raises(Refusal, match="was not made by an export"):
        make(tmp_path / "site", NEW)
    assert (tmp_path / "mine").read_text() == "mine"


def test_one_export_at_a_time(tmp_path: Path) -> None:
    with exporting(tmp_path), pytest.raises(Refusal, match=r"is under way\. Wait until it is done\."), exporting(tmp_path):
        raise AssertionError("there are two")
    make(tmp_path, NEW)
