"""Records that leave the house."""

import json

import pytest

from tests.cli.club import Club


@pytest.mark.parametrize("line", ["game record 3", "game record 3 --format json", "game record 3 --format html"])
def test_a_file_holds_what_the_terminal_shows(club: Club, line: str) -> None:
    club.printed(f"{line} -o {{dir}}/record")
    assert (club.directory / "record").read_text(encoding="utf-8") == club.printed(line)


RECORD = """[Event "?"]
[Site "club.example"]
[Date "2026.03.01"]
[Ended "2026.03.01"]
[Round "?"]
[Red "Ada"]
[Blue "Bob"]
[Game "take"]
[Revision "1"]
[Options "variant standard, size 2"]
[TimeControl "5d+36h cap 10d"]
[Result "1-0"]
[Termination "resignation"]
[Digest "HEAD"]

1. Red: a1 2. Blue: c2 (Blue resigns) 1-0
"""


def test_a_record_says_it_all(club: Club) -> None:
    head = json.loads(club.printed("game show 3 --json"))["head"]
    assert club.printed("game record 3") == RECORD.replace("HEAD", head)
    record = json.loads(club.printed("game record 3 --format json"))
    assert (record["format"], record["digest"], record["players"]) == ("turnserver record 1", head, ["Ada", "Bob"])


def test_pictures_are_of_the_moment_that_was_asked_for(club: Club) -> None:
    club.printed("game board 1 --turn 1 --svg {dir}/first.svg --png {dir}/first.png")
    club.printed("game board 1 --svg {dir}/now.svg")
    club.printed("game board 1 --moves --svg {dir}/moves.svg")
    first, now, moves = ((club.directory / f"{name}.svg").read_text(encoding="utf-8") for name in ("first", "now", "moves"))
    assert ("Red 1" in first, "Red 2" in now) == (True, True)
    assert moves.count("<circle") > now.count("<circle")
    assert (club.directory / "first.png").read_bytes().startswith(b"\x89PNG\r\n")
