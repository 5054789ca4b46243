"""Records that are taken into the archive, looked at there, proved again, and forgotten."""

import json
import sqlite3
from contextlib import closing

import pytest

from tests.cli.club import Club
from tests.histories.recorded import NAMES as HISTORIES
from tests.records.test_roundtrip import recorded
from turnserver.records import jsonform
from turnserver.records.reading import read
from turnserver.records.record import Record
from turnserver.records.writing import write

GOOD = """[Event "Club evening"]
[Game "take"]
[Options "size 2"]
[Date "1998.03.??"]
[Red "Ada Lovely"]
[Blue "Bob"]
[Reason "Bob had to go"]

1. a1 {Ada began} 2. c2 (Red is now "Carla Bo") (Blue resigns) 1-0
"""
BAD = GOOD.replace("2. c2", "2. a1")
GOING_ON = '[Game "take"]\n[Red "Ada"]\n[Blue "Bob"]\n*\n'


def finished() -> list[Record]:
    return [one for one in map(recorded, HISTORIES) if one.result is not None]


def imported(club: Club, text: str, *options: str) -> None:
    (club.directory / "games.txt").write_text(text, encoding="utf-8")
    club.printed(" ".join(("game import {dir}/games.txt", *options)))


def stored(club: Club) -> bytes:
    """The text of every row that the database has of the archive, and of the log."""
    with closing(sqlite3.connect(club.directory / "club.db")) as database, database:
        rows = [database.execute(f"SELECT * FROM {table}").fetchall() for table in ("archive", "archive_name", "event")]  # noqa: S608  # our tables
    return repr(rows).encode()


def test_whole_files_come_back_as_they_were(club: Club) -> None:
    games = finished()
    (club.directory / "games.txt").write_text("\n".join(map(write, games)), encoding="utf-8")
    (club.directory / "games.json").write_text(f"[{','.join(map(jsonform.write, games))}]", encoding="utf-8")
    club.printed("game import {dir}/games.txt")
    again = club.json("game import {dir}/games.json --json")
    assert [(one["archive"], one["fresh"]) for one in again] == [(number, False) for number in range(1, len(games) + 1)]  # type: ignore[attr-defined]
    for number in (1, 7, len(games)):
        assert read(club.printed(f"archive record {number}")) == games[number - 1]
    assert len(json.loads(club.printed("archive list --json"))) == len(games)
    assert "everything is as it was written" in club.printed("audit verify")


def test_a_name_without_an_end_is_cut_in_the_list(club: Club) -> None:
    imported(club, GOOD.replace("Ada Lovely", "Ada " * 400))
    assert "…" in club.printed("archive list")
    assert len(club.printed("archive list").splitlines()) < 10


def test_is_shown_like_any_game(club: Club) -> None:
    imported(club, GOOD)
    assert "Ada Lovely, Bob, Carla Bo" in club.printed("archive list")
    shown = club.printed("archive show 1 --turn 1")
    assert "After turn 1 of 2:" in shown
    assert "Club evening" in shown
    page = club.printed("archive record 1 --format html")
    assert "Take, 1 of the archive: Ada Lovely (Red) and Bob (Blue)" in page
    assert "Ada began" in page
    assert json.loads(club.printed("archive record 1 --format json"))["players"] == ["Ada Lovely", "Bob"]
    assert "Game 1 of the archive was imported." in club.printed("audit trail --type archive.imported")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (GOOD + "\n" + BAD, "games.txt:11: Line 19, column 19: Your opponent's stone is on a1 already"),
        (GOOD + "\n" + GOING_ON, "games.txt:11: The game goes on; only finished games are for the archive"),
        ('[Game "ta\u202ek\x1be"]\n', 'games.txt:1: Line 1, column 2: There is no game called "ta k e"'),
        ("hello", "games.txt:1: Line 1, column 1: a game begins with its heading"),
        ("{}", "games.txt:1: Object missing required field"),
        ("", "games.txt:1: Line 1, column 1: there is no game in this file"),
    ],
)
def test_imports_nothing_of_a_file_with_a_wrong_game(club: Club, text: str, says: str) -> None:
    (club.directory / "games.txt").write_text(text, encoding="utf-8")
    result = club.run("game import {dir}/games.txt")
    assert result.exit_code == 1
    assert says in result.stderr
    assert club.json("archive list --json") == []


def test_goes_on_if_it_is_told_to(club: Club) -> None:
    (club.directory / "games.txt").write_text(f"{BAD}\n{GOOD}", encoding="utf-8")
    result = club.run("game import {dir}/games.txt --keep-going")
    assert (result.exit_code, result.stdout.count("of the archive")) == (1, 1)
    assert "1 game is not imported because of that." in result.stderr
    assert len(json.loads(club.printed("archive list --json"))) == 1


def test_what_is_no_text_is_refused(club: Club) -> None:
    (club.directory / "games.txt").write_bytes(b"\xff\xfe")
    assert "It is not UTF-8" in club.run("game import {dir}/games.txt").stderr


def test_other_people_with_the_same_game_are_another_game(club: Club) -> None:
    imported(club, GOOD)
    imported(club, GOOD.replace("Bob", "Rob"))
    imported(club, GOOD)
    assert len(json.loads(club.printed("archive list --json"))) == 2


WORDS = (b"Ada Lovely", b"Carla", b"Bob", b"evening", b"Ada began", b"had to go")


def test_words_are_not_in_the_log_and_can_be_forgotten(club: Club) -> None:
    with closing(sqlite3.connect(club.directory / "club.db")) as database, database:
        before = repr(database.execute("SELECT data FROM event").fetchall())
    imported(club, GOOD)
    with closing(sqlite3.connect(club.directory / "club.db")) as database, database:
        logged = repr(database.execute("SELECT data FROM event").fetchall())
    for word in WORDS:
        assert word in stored(club)
        assert logged.count(word.decode()) == before.count(word.decode())
    club.printed("archive forget 1 --yes")
    for word in WORDS:
        assert word not in stored(club)
    assert club.printed("archive record 1").endswith('1. Red: a1 2. Blue: c2 (Red is now "?") (Blue resigns) 1-0\n')
    assert "everything is as it was written" in club.printed("audit verify")


@pytest.mark.parametrize("names", [("Ada Lovely", "Bob"), ("Eve", "Finn")])
def test_nobody_can_tell_whether_a_game_is_one_without_names(club: Club, names: tuple[str, str]) -> None:
    imported(club, GOOD)
    club.printed("archive forget 1 --yes")
    (club.directory / "games.txt").write_text(GOOD.replace("Ada Lovely", names[0]).replace("Bob", names[1]), encoding="utf-8")
    refused = club.run("game import {dir}/games.txt")
    assert (refused.exit_code, "1: It may be game 1 of the archive" in refused.stderr) == (1, True)
    assert "Nothing was imported" not in refused.stderr
    assert "now 2 of the archive" in club.printed("game import {dir}/games.txt --again")
    assert "was there before as 2" in club.printed("game import {dir}/games.txt")


def test_who_is_erased_leaves_the_archive(club: Club) -> None:
    imported(club, GOOD.replace("Ada Lovely", "A. L."))
    club.printed("player add Zoe zoe@example.org")
    club.printed("archive link 1 red Zoe")
    club.printed("archive link 1 'Red 2' Zoe")
    club.printed("player erase Zoe --yes")
    assert (b"A. L." in stored(club), b"Carla" in stored(club)) == (False, False)
    refused = club.run("archive link 1 Green Bob")
    assert (refused.exit_code, "There is no seat 'Green' in game 1 of the archive; there are red, blue, red 2" in refused.stderr) == (
        1,
        True,
    )


def test_who_is_erased_by_name_leaves_it_too(club: Club) -> None:
    imported(club, GOOD)
    club.printed("player add Carla\\ Bo carla@example.org")
    club.printed("player erase 'Carla Bo' --yes")
    assert b"Carla" not in stored(club)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("replace(data, '\"c2\"', '\"a1\"')", "item 2 of its course: Your opponent's stone is on a1 already"),
        ("replace(data, '\"winners\":[1]', '\"winners\":[2]')", "the result is not what the game came to: won by seat 1"),
        ("replace(data, '\"revision\":1', '\"revision\":99')", "99"),
        ("replace(data, '\"a1\"', '\"A1\"')", "it is not written as the rules write it"),
    ],
)
def test_audits_play_it_again(club: Club, change: str, problem: str) -> None:
    imported(club, GOOD)
    with closing(sqlite3.connect(club.directory / "club.db")) as database, database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {name}")
        database.execute(f"UPDATE event SET data = {change} WHERE stream = 'archive-1'")  # noqa: S608  # the tests' own words
    found = json.loads(club.run("audit verify --json").stdout)["findings"]
    assert [one["problem"] for one in found if one["stream"] == "archive-1" and problem in one["problem"]] != []


def test_a_game_of_the_archive_that_lost_its_row_is_found(club: Club) -> None:
    imported(club, GOOD)
    with closing(sqlite3.connect(club.directory / "club.db")) as database, database:
        database.execute("DELETE FROM archive_name")
        database.execute("DELETE FROM archive")
    found = json.loads(club.run("audit verify --json").stdout)["findings"]
    assert [one["problem"] for one in found] == ["the archive has no row"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("archive show 9", "There is no game 9 in the archive; `turnserver archive list` shows what there is."),
        ("archive show x", "'x' isn't a number in the archive"),
        ("archive show 1 --turn 3", "the game had 2 turns"),
    ],
)
def test_says_what_there_is_not(club: Club, line: str, says: str) -> None:
    imported(club, GOOD)
    assert says in club.run(line).stderr
