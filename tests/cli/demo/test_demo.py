"""The demo as a newcomer sees it: a whole game through real SMTP and LMTP, and what it leaves behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from turnserver import games

TURNSERVER = str(Path(sys.executable).with_name("turnserver"))


def run(directory: Path, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the program in a directory, with something typed into it."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(directory), "LANG": "C.UTF-8", "COLUMNS": "100"}
    return subprocess.run(
        [TURNSERVER, *words], cwd=directory, env=environment, text=True, capture_output=True, check=False, timeout=300, input=typed
    )  # our own program


PLAYED_BY_THE_HOUSE = [
    "take size=3",
    "tako-judo variant=duel",
    *(
        pytest.param(variant, marks=pytest.mark.long)
        for variant in ("tako variant=adept betting=yes stake=15", "okago size=5", "sneaky-octopuses players=3 target=5")
    ),
]
"""One of each game; tests/service/games/test_house_games.py has every variant."""
HOUSES = ["house-one", "house-two", "house-three", "house-four"]


@pytest.mark.parametrize("variant", PLAYED_BY_THE_HOUSE)
def test_a_whole_game(tmp_path: Path, variant: str) -> None:
    """It ends, the audit is clean, everybody got mail, and everything named is there."""
    key, *options = variant.split()
    game = games.find(key, **games.options_from_text(games.entry(key), dict(option.split("=") for option in options)))
    ran = run(tmp_path, "demo", "--game", key, *(word for option in options for word in ("--option", option)))
    assert ran.returncode == 0, ran.stderr
    assert " won: " in ran.stdout
    assert "unbroken, from the invitation to the result" in ran.stdout
    for name in ("turnserver.db", "board.svg", "board.png", "turnserver.toml"):
        assert (tmp_path / "demo" / name).exists(), name
    assert sorted(path.name for path in (tmp_path / "demo" / "mail").iterdir()) == sorted(HOUSES[: game.rules.seats])
    assert (tmp_path / "demo" / "board.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.long
def test_what_it_says_to_type_next_works(tmp_path: Path) -> None:
    ran = run(tmp_path, "demo", "--game", "tako", "--option", "betting=yes")
    nexts = [line.split()[1:] for line in ran.stdout.partition("Next, for example:\n")[2].splitlines()]
    assert len(nexts) == 4
    for words in nexts:
        again = run(tmp_path, *words)
        assert (again.returncode, again.stderr) == (0, ""), words


@pytest.mark.long
def test_a_demo_replaces_a_demo_and_nothing_else(tmp_path: Path) -> None:
    """An earlier demo goes; a directory with anything else in it is left alone."""
    other = tmp_path / "precious"
    other.mkdir()
    (other / "letter.txt").write_text("keep me")
    refused = run(tmp_path, "demo", "--option", "size=2", "--dir", "precious")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "holds something that is not a demo" in refused.stderr
    assert (other / "letter.txt").read_text() == "keep me"
    for _ in range(2):
        assert run(tmp_path, "demo", "--option", "size=2").returncode == 0


PLAYED = [
    ("c2\nresign\nconfirm resign\n", "House One (Blue) won: resignation, after 2 turns."),
    ("preview c2\nc22\nsay hello\nc2\n", "The game stands as you left it, after 2 turns."),
    ("", "The game stands as you left it, after 0 turns."),
]


@pytest.mark.parametrize(("typed", "ends"), PLAYED)
def test_a_person_plays_against_the_house(tmp_path: Path, typed: str, ends: str) -> None:
    """What is typed goes the way of mail: every line is answered, and the game stands as it was left."""
    ran = run(tmp_path, "demo", "--play", "take", "--option", "size=2", typed=typed)
    assert ran.returncode == 0, ran.stderr
    assert ends in ran.stdout
    assert "The first move is yours" in ran.stdout
    assert ("House One (Blue) played" in ran.stdout) == ("\nc2\n" in f"\n{typed}")
    assert ("Nothing has been played." in ran.stdout) == ("preview" in typed)
    assert ("There is no c22 on this board" in ran.stdout) == ("c22" in typed)
