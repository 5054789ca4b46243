"""The files at the top of the tree keep their promises to one another."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import turnserver
from tests.cases import for_each
from turnserver import resources
from turnserver.config import handbook

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "turnserver"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LOCKS = [(ROOT / name).read_text("utf-8") for name in ("requirements-build.txt", "requirements.txt")]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
ARCHITECTURE = PACKAGE / "ARCHITECTURE.md"
DECISIONS = PACKAGE / "DECISIONS.md"
RUNTIME = [Requirement(text) for text in PROJECT["project"]["dependencies"]]
DEVELOPMENT = [Requirement(text) for text in PROJECT["project"]["optional-dependencies"]["dev"]]
BUILD = [Requirement(text) for text in (*PROJECT["build-system"]["requires"], *PROJECT["dependency-groups"]["build"])]
ALL = [*RUNTIME, *DEVELOPMENT, *BUILD]

OF_ONE_MACHINE = re.compile(
    r"--(extra-)?[i]ndex(-url)?\b|--[f]ind-links|py[p]i\.org|[p]ythonhosted|/[h]ome/\w|/[U]sers/\w|/[r]oot/|[f]ile:///"
)
"""The look of an index, or of a place on one machine; written so that it does not find itself."""


def locked(lock: str) -> dict[str, str]:
    """The version of every package in a lock file."""
    return {normal(name): version for name, version in re.findall(r"^([\w.-]+)==([^ ;]+)", lock, re.MULTILINE)}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_lock_files_hold_versions_that_are_allowed() -> None:
    files = [*map(locked, LOCKS)]
    for requirement in ALL:
        versions = [found[normal(requirement.name)] for found in files if normal(requirement.name) in found]
        assert versions, requirement
        assert all(version in requirement.specifier for version in versions), requirement


def test_both_lock_files_name_the_same_versions() -> None:
    build, everything = map(locked, LOCKS)
    assert {name: everything[name] for name in build.keys() & everything} == {name: build[name] for name in build.keys() & everything}


def test_every_requirement_says_from_which_version_on() -> None:
    assert [str(one) for one in ALL if all(each.operator != ">=" for each in one.specifier)] == []


@pytest.mark.parametrize("lock", LOCKS, ids=["build", "all"])
def test_every_line_of_a_lock_file_is_a_pin_a_hash_or_a_comment(lock: str) -> None:
    pin = r"[\w.-]+==[\w.+!]+(?: ; [\w .'!=<>()]+)? \\\n(?:    --hash=sha256:[0-9a-f]{64} \\\n)*    --hash=sha256:[0-9a-f]{64}\n"
    assert re.fullmatch(rf"(?:{pin}| *#[^\n/]*\n)+", lock)


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout  # noqa: S607  # any git will do
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


@for_each(
    ("text", "matches"),
    [
        ("pip install --in|dex-url x", True),
        ("--extra-in|dex-url=x", True),
        ("--fi|nd-links x", True),
        ("see /ho|me/ada/turns", True),
        ("pip install --no-index x.whl", False),
        ("sqlite:////srv/turns.db", False),
    ],
)
def test_the_search_for_machines_finds_them(text: str, *, matches: bool) -> None:
    """The bar keeps the examples from being found themselves."""
    assert bool(OF_ONE_MACHINE.search(text.replace("|", ""))) is matches


def test_no_file_names_an_index_or_a_place_on_one_machine() -> None:
    guilty = {}
    for path in tracked():
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        found = OF_ONE_MACHINE.search(text)
        if found or f"{ROOT}/" in text:
            guilty[path.relative_to(ROOT)] = found[0] if found else str(ROOT)
    assert guilty == {}


def test_every_target_is_listed_with_its_purpose() -> None:
    (phony,) = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    listed = subprocess.run(["make", "-s"], cwd=ROOT, capture_output=True, text=True, check=True).stdout  # noqa: S607  # any make will do
    purposes = dict(re.findall(r"^  make (\w+) +(\S.*)$", listed, re.MULTILINE))
    assert set(purposes) == set(phony.split())
    assert set(purposes) == set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))


@pytest.mark.parametrize("stamps", [(), (".locked",)])
def test_the_environment_of_another_checkout_is_left_alone(tmp_path: Path, stamps: tuple[str, ...]) -> None:
    """A link to it stands where one of its own would be made or installed into."""
    here, theirs = tmp_path / "here", tmp_path / "theirs"
    for directory in (here, theirs):
        directory.mkdir()
    for name in ("Makefile", "requirements.txt", "requirements-build.txt"):
        shutil.copy2(ROOT / name, here)
    for name in ("kept", *stamps):
        (theirs / name).touch()
    (here / "pyproject.toml").touch()
    (here / ".venv").symlink_to(theirs)
    made = subprocess.run(["make", "-s", "PYTHON=false", "install"], cwd=here, capture_output=True, text=True, check=False)  # noqa: S607  # any make will do
    assert (made.returncode, "is a link" in made.stderr, (theirs / "kept").exists()) == (2, True, True)


def test_the_change_log_starts_with_this_version() -> None:
    first = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert first
    assert first[1] == turnserver.__version__


def test_the_map_shows_every_room() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    text = ARCHITECTURE.read_text("utf-8")
    assert {room for room in rooms - {"__init__.py", "__main__.py"} if f"`{room}`" not in text and f"`{room}/`" not in text} == set()


def test_every_dependency_has_a_reason() -> None:
    text = DECISIONS.read_text("utf-8")
    assert {each.name for each in [*RUNTIME, *DEVELOPMENT] if f"`{each.name}`" not in text} == set()


@pytest.mark.parametrize("name", ["turnserver.service", "web/turnserver-web@.service"])
def test_the_systemd_units_set_variables_that_exist(name: str) -> None:
    unit = (resources.config_dir() / name).read_text("utf-8")
    known = {setting.variable for setting in handbook.every_setting()} | {"TURNSERVER_CONFIG"}
    assert set(re.findall(r"TURNSERVER_\w+", unit)) <= known


def test_every_setting_is_used() -> None:
    readers = [*PACKAGE.rglob("*.py"), *resources.templates_dir().rglob("*.j2")]
    read = "\n".join(path.read_text("utf-8") for path in readers if path.parent.name != "config")
    used = set(re.findall(r"\b_?(\w+)(?=\.(\w+))", read))
    unused = [one.name for one in handbook.every_setting() if used.isdisjoint({(one.section, one.key), ("settings", one.key)})]
    assert unused == []
