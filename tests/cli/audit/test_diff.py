"""The differences between two moments, in words and beside each other."""

import pytest

from tests.cli.club import Club
from tests.cli.league.league_club import AUTUMN
from tests.cli.typed import declared, typed
from turnserver.cli.audit.diff import side_by_side
from turnserver.cli.audit.shapes import Diff

BOARDS = """\
Board at game-1@5      Board at game-1@9

  e1  # # #  e3    <>    e1  # B B  e3
 d1  # # # #  d4        d1  # # # #  d4
c1  # # # # #  c5      c1  # # # # #  c5
 b1  # # # #  b4        b1  # # # #  b4
  a1 [R]# #  a3    <>    a1  R R[R] a3

R red, B blue, # clod, . bare cell, [ ] last move
"""


def diff(club: Club, line: str) -> Diff:
    found = declared(typed(club, f"audit diff {line} --json").stdout, "audit diff")
    assert isinstance(found, Diff)
    return found


@pytest.mark.parametrize("line", ["game-1@5 game-1@9", "game-1@9 1@v5", "GAME-1@5 game-1@9"])
def test_the_earlier_moment_comes_first(club: Club, line: str) -> None:
    printed = club.printed(f"audit diff {line}")
    assert BOARDS in printed
    assert "4 events between them:" in printed
    assert "Turn 3: Ada (Red) played a2." in printed
    found = diff(club, line)
    assert (found.one.version, found.other.version, [event.version for event in found.events]) == (5, 9, [6, 7, 8, 9])
    assert [(one.what, one.before, one.after) for one in found.changes] == [
        ("Turns", "1 turn, the last by Ada (Red)", "5 turns, the last by Ada (Red)")
    ]


def test_turns_that_were_taken_back(club: Club) -> None:
    found = diff(club, "game-1@9 game-1")
    assert {one.what: (one.before, one.after) for one in found.changes}["Times taken back"] == ("0", "1")
    assert [event.type for event in found.events] == ["game.turns_retracted"]


def test_the_clock_seats_and_offers(club: Club) -> None:
    club.printed("game credit 1 --hours 30 --reason 'the server was down'")
    club.printed("game substitute 1 Bob Cleo --reason 'Bob is gone' -y")
    changed = {one.what: (one.before, one.after) for one in diff(club, "game-1@10 game-1").changes}
    assert changed["Players"] == ("Ada (Red), Bob (Blue)", "Ada (Red), Cleo (Blue)")
    assert changed["Now"] == ("Bob to move", "Cleo to move")
    deadlines = {one.what: (one.before, one.after) for one in diff(club, "game-1@10 game-1@11").changes}
    assert deadlines == {
        "Deadline": ("2026-03-06 13:00 (Europe/Berlin)", "2026-03-07 19:00 (Europe/Berlin)"),
        "Time left": ("5 days", "6 days 6 hours"),
    }


def test_nothing_is_different(club: Club) -> None:
    printed = club.printed("audit diff game-1@10 game-1")
    for words in ("Nothing is different.", "The boards are the same.", "0 events between them."):
        assert words in printed


def test_two_games(club: Club) -> None:
    found = diff(club, "game-1 game-3")
    assert found.events == []
    assert ("Game", "Take (standard, size 3)", "Take (standard, size 2)") in [(one.what, one.before, one.after) for one in found.changes]


def test_places_that_changed(leagues: Club) -> None:
    line = f"'league-{AUTUMN}@2026-03-01 13:30' league-{AUTUMN}"
    found = diff(leagues, line)
    moved = {one.name: (one.place_before, one.place_after, one.points_before, one.points_after) for one in found.tables}
    assert set(moved.values()) == {(1, 1, "0", "1"), (1, 2, "0", "0")}
    printed = leagues.printed(f"audit diff {line}")
    assert "1 -> 2" in printed
    assert "they met in a café" in " ".join(printed.split())


REFUSES = {
    "no side": ("audit diff game-1@5 chess", "'chess' can't be compared."),
    "a game and a league": ("audit diff game-1 league-1", "Compare two moments of games, or two of leagues."),
    "two leagues": ("audit diff league-1 league-2", "Two leagues can't be compared."),
    "a version to come": ("audit diff game-1@5 game-1@99", "Game 1 has had 11 events so far; there is no version 99."),
    "no game": ("audit diff game-1 game-99", "There is no game 99 here."),
}


@pytest.mark.parametrize(("line", "says"), REFUSES.values(), ids=REFUSES)
def test_refuses_in_one_sentence(leagues: Club, line: str, says: str) -> None:
    result = leagues.run(line)
    assert says in result.stderr
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)


def test_wide_boards_stand_one_above_the_other() -> None:
    wide = "#" * 60
    assert side_by_side(wide, f"{wide}!", ("one", "other")) == f"one\n\n{wide}\n\nother\n\n{wide}!"
