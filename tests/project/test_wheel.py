"""The wheel carries everything that the program needs, and the program runs from it alone."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

import turnserver

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
CARRIED = ("templates", "events", "config")
FIND = "from turnserver.resources import *; print(templates_dir(), events_dir(), config_dir(), font_file(), sep='\\n')"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment that holds the wheel, and borrows the packages it depends on from the one that runs the tests."""
    place = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place), cwd=ROOT)
    (wheel,) = place.glob("*.whl")
    home = place / "venv"
    venv.create(home, with_pip=True)
    run(str(home / "bin/python"), "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", str(wheel), cwd=place)
    (packages,) = home.glob("lib/python*/site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return home


def run(*command: str, cwd: Path) -> str:
    """Return what the program prints; it sees no variable of ours but the search path."""
    done = subprocess.run(command, cwd=cwd, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_program_runs(installed: Path, tmp_path: Path) -> None:
    assert turnserver.__version__ in run(str(installed / "bin/turnserver"), "--version", cwd=tmp_path)


def test_doctor_finds_nothing_wrong(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "turnserver.toml").write_text('[outgoing]\ntransport = "maildir"\n[incoming]\nlmtp_port = 0\n', encoding="utf-8")
    run(str(installed / "bin/turnserver"), "init", cwd=tmp_path)
    assert "Nothing is wrong." in run(str(installed / "bin/turnserver"), "doctor", cwd=tmp_path)


def test_its_files_are_found_inside_of_it(installed: Path, tmp_path: Path) -> None:
    found = run(str(installed / "bin/python"), "-c", FIND, cwd=tmp_path).split()
    assert len(found) == len(CARRIED) + 1
    for path in found:
        assert Path(path).exists()
        assert Path(path).is_relative_to(installed)


@pytest.mark.parametrize("name", ["turnserver", *CARRIED])
def test_no_file_is_left_behind(name: str, installed: Path) -> None:
    (package,) = installed.glob("lib/python*/site-packages/turnserver")
    there = package if name == "turnserver" else package / "_data" / name
    assert files(ROOT / name) - files(there) == set()


@pytest.mark.parametrize(
    ("where", "name"),
    [
        ("man/man1/turnserver.1", "turnserver.1"),
        ("bash-completion/completions/turnserver", "turnserver.bash"),
        ("zsh/site-functions/_turnserver", "_turnserver"),
        ("fish/vendor_completions.d/turnserver.fish", "turnserver.fish"),
    ],
)
def test_man_and_the_shells_find_their_files(installed: Path, where: str, name: str) -> None:
    assert (installed / "share" / where).read_text() == (ROOT / "turnserver/cli/share" / name).read_text()


def files(root: Path) -> set[Path]:
    return {path.relative_to(root) for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
