"""The JSON that commands about leagues print."""

import pytest

from tests.cli.club import Club
from tests.cli.typed import SHAPES, declared

JSON = (
    "league add Summer --game take", "league list", "league show", "league show 1", "league open 3", "league enter 3 Ada",
    "league withdraw 1 Ada -y", "league ready 2 Bob", "league start 2 -y", "league drop 2 --reason x -y", "league pair 5",
    "league standings 1",
    "league explain 1 Ada", "league schedule 1", "league history 1", "league result 1 2 draw --reason x -y",
    "league substitute 5 Ada Cleo --reason x -y", "league playoff 5 1 Ada Bob", "league move 3 Ada 1 --reason x", "league bar 1 Ada Bob",
    "league set 3 at_once=3 --reason x", "league penalize 4 Ada 1 --reason x", "league reopen 1 --reason x -y", "league remind 1",
    "league challenge 6 Bob Ada", "league extend 1 --longer 3d --reason x -y", "league withdraw 1 Ada --back --reason x -y",
    "league pause 1 --reason x -y", "league resume 1 --reason x -y", "league close 1 --reason x -y", "league presets",
    "league presets swiss", "league settings", "league approve 7 -y", "league split 3 Ada --into Summer -y",
    "league merge 3 4 --reason x -y", "league rename 3 Summer --reason x", "league archive 3 --reason x -y",
    "league dates 2 --starts 9d --reason x -y", "league list --archived", "league settings rounds",
    "league director add 1 Ada arbiter --reason x",
    "league director drop 1 Ada arbiter --reason x", "league director list",
)  # fmt: skip
BEFORE = {
    "league director drop 1 Ada arbiter --reason x": "league director add 1 Ada arbiter --reason x",
    "league director list": "league director add 1 Ada arbiter --reason x",
    "league reopen 1 --reason x -y": "league close 1 --reason x -y",
    "league resume 1 --reason x -y": "league pause 1 --reason x -y",
    "league withdraw 1 Ada --back --reason x -y": "league withdraw 1 Ada -y",
    "league enter 3 Ada": "league open 3",
    "league ready 2 Bob": "league start 2 -y",
    "league pair 5": "league playoff 5 1 Ada Bob",
    "league split 3 Ada --into Summer -y": "league open 3; league enter 3 Ada",
    "league merge 3 4 --reason x -y": "league open 3",
    "league approve 7 -y": "league add Held --game take --set approve=pairings; league open 7; league enter 7 Ada Bob Cleo; "
    "league start 7 -y",
}
"""The commands that a line needs to have been given, with semicolons between them."""


@pytest.mark.parametrize("line", JSON)
def test_prints_what_is_declared(leagues: Club, line: str) -> None:
    for before in filter(None, BEFORE.get(line, "").split("; ")):
        leagues.printed(before)
    declared(leagues.printed(f"{line} --json"), line)


VALUES: dict[str, tuple[str, str, object]] = {
    "the phase": ("league list", "0.phase", "running"),
    "no phase": ("league list", "2.phase", "none"),
    "who waits": ("league show 2", "0.season.entries.2.waiting", True),
    "who meets": ("league show 1", "0.season.meetings.1.player_names", ["Cleo", "Bob"]),
    "whose turn it is": ("league show 1", "0.season.meetings.1.to_move", 3),
    "a bye": ("league show 1", "0.season.meetings.0.marks", ["bye"]),
    "a result": ("league show 4", "0.season.meetings.0.marks", ["loss", "win"]),
    "settings": ("league show 1", "0.settings.round_days", 14),
    "nothing to do": ("league show 1", "0.to_do", []),
    "the next season": ("league show 4", "0.next_at", "2026-03-08T13:59:30Z"),
    "a place": ("league standings 4", "0.lines.1.place", 2),
    "points": ("league standings 4", "0.lines.0.figures.0", {"name": "points", "text": "1", "value": 1.0}),
    "half a point": ("league standings 5", "0.lines.0.figures.0.text", "½"),
    "a summand": ("league explain 4 Ada", "1.summands.0", "Round 1: 0 against Cleo (lost)."),
    "a moment": ("league schedule 4", "0.what", "season 2 is announced"),
    "an event": ("league history 4", "0.type", "league.opened"),
    "what a command did": ("league bar 1 Ada Bob", "0.what", "Ada and Bob are not to meet."),
    "a preset": ("league presets swiss", "0.settings.rounds", 5),
    "a setting": ("league settings rounds", "0.usual", "5"),
}


@pytest.mark.parametrize(("line", "path", "expected"), VALUES.values(), ids=VALUES)
def test_value(leagues: Club, line: str, path: str, expected: object) -> None:
    assert leagues.value(line, path) == expected


def test_every_command_that_prints_json_is_tried() -> None:
    others = {"league ratings", "league report", "league bye", "league mail"}
    tried = {name for name in SHAPES if any(line.startswith(name) for line in JSON)}
    assert tried == {name for name in SHAPES if name.startswith("league ")} - others
