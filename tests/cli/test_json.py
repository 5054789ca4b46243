"""Output for programs: every --json prints what its command declares, and keys that were there stay there."""

from typing import Any

import msgspec
import pytest

from tests.cases import for_each
from tests.cli.club import Club
from tests.cli.typed import SHAPES
from turnserver import games
from turnserver.cli.output import shapes, show
from turnserver.text import joined, listing, say

LINES = (
    "player add Dan dan@example.org",
    "player list",
    "player show Ada",
    "player set Ada zone UTC",
    "player set Bob digest 18:00",
    "games",
    "games take",
    "game open take Ada Bob",
    "game list --all",
    "game show 1",
    "game show 3",
    "game set 3 --visible public",
    "game board 1",
    "game board 1 --moves --turn 0",
    "game history 1",
    "game history 3",
    "game why-deadline 1",
    *(f"games {key}" for key in games.CATALOGUE),
    "game open tako Ada Bob",
    "game open okago Ada Bob",
    "game cancel 1 -y --reason x",
    "game result 1 draw -y --reason x",
    "game retract 1 -y --from 1 --reason x",
    "game reopen 3 -y --reason x",
    "game credit 1 --hours 1 --reason x",
    "game substitute 1 1 Cleo --reason x -y",
    "game pause 1 --days 3 --reason x",
    "game resume 1",
    "player vacation Ada",
    "player vacation Ada --days 5",
    "player data Ada -o {dir}/ada.zip",
    "player erase Cleo --leave --yes",
    "game import {dir}/3.txt",
)
BEFORE = {"game resume 1": "game pause 1 --reason x", "game import {dir}/3.txt": "game record 3 -o {dir}/3.txt"}
"""The commands that a line needs to have been given."""

KEYS = {
    shapes.Player: "id name address zone created_at",
    shapes.PlayerDetails: "id name address zone created_at games",
    shapes.Seat: "seat name player player_name accepted",
    shapes.Game: "id game options status seats turn to_move deadline opened_at ended_at outcome ended_by winners version",
    shapes.GameDetails: "time edition draw_offered_by reason turns head",
    shapes.Turn: "turn seat move received_at",
    shapes.Board: "id version turns last to_move text legal",
    shapes.Event: "version position at actor cause type what undone_by hash",
    shapes.Option: "name kind default allowed about",
    shapes.CatalogueGame: "key title designer summary seats draws revision notation options",
}
"""The keys that programs rely on."""

VALUES: dict[str, tuple[str, str, object]] = {
    "a player": ("player show 2", "name", "Bob"),
    "a player's games": ("player show Cleo", "games.0.seats.0.player_name", "Cleo"),
    "instants in UTC": ("player show 2", "created_at", "2026-03-01T12:00:00Z"),
    "the deadline": ("game show 1", "deadline", "2026-03-06T12:00:00Z"),
    "who is to move": ("game show 1", "to_move", 2),
    "options in declared order": ("game show 1", "options", {"variant": "standard", "size": 3}),
    "only the turns that stand": ("game show 1", "turns.2.move", "a2"),
    "retractions": ("game show 1", "edition", 1),
    "no result": ("game show 1", "outcome", None),
    "the result": ("game show 3", "winners", [1]),
    "who has accepted": ("game list --status inviting", "0.seats.1.accepted", False),
    "the newest game first": ("game list --all", "0.id", 3),
    "the board": ("game board 1 --turn 2", "last", "e3"),
    "no legal moves unless asked for": ("game board 1", "legal", []),
    "legal moves": ("game board 3 --turn 0 --moves", "legal", ["a1", "a2", "b1", "b2", "b3", "c1", "c2"]),
    "a past version": ("game board 1 --at 9", "turns", 5),
    "actor": ("game history 1", "4.actor", "player-1"),
    "cause": ("game history 1", "4.cause", "mail:1.3"),
    "type": ("game history 1", "4.type", "game.turn_played"),
    "a turn that stands": ("game history 1", "6.undone_by", None),
    "a turn that was taken back": ("game history 1", "7.undone_by", 10),
    "bounds of an option": ("games take", "0.options.1.allowed", "2 to 8"),
}


def test_every_command_that_prints_json_is_tried() -> None:
    mine = ("player ", "games", "game ")
    tried = {name for name in SHAPES if any(line.startswith(name) for line in LINES)}
    # The import of players needs a list, and a claim somebody to make it: tests.cli.player.test_import, tests.cli.game.test_stepping_in.
    assert tried | {"player import", "game claim"} == {name for name in SHAPES if name.startswith(mine)}


@pytest.mark.parametrize("line", LINES)
def test_prints_what_is_declared(club: Club, line: str) -> None:
    if line in BEFORE:
        club.printed(BEFORE[line])
    name = max((name for name in SHAPES if line.startswith(name)), key=len)
    printed = club.printed(f"{line} --json")
    value = msgspec.json.decode(printed, type=SHAPES[name])
    assert msgspec.json.decode(msgspec.json.encode(value)) == msgspec.json.decode(printed)


@pytest.mark.parametrize(("line", "path", "expected"), VALUES.values(), ids=VALUES)
def test_value(club: Club, line: str, path: str, expected: object) -> None:
    assert club.value(line, path) == expected


@for_each("shape", KEYS)
def test_keys_stay(shape: type[msgspec.Struct]) -> None:
    assert set(KEYS[shape].split()) <= set(shape.__struct_fields__)


def test_json_is_no_place_for_colours(club: Club) -> None:
    assert "\x1b" not in club.printed("game list --json")


SENTENCE = say("{who} was {what}", who="Ada", what=say("asked"))


@for_each(
    ("value", "written"),
    [
        (SENTENCE, b'"Ada was asked"'),
        ({"of": [SENTENCE, "Bob"]}, b'{"of":["Ada was asked","Bob"]}'),
        (shapes.Option("size", "whole", 5, say("{low} to {high}", low=2, high=8), SENTENCE), None),
        (joined("; ", [SENTENCE, "d3"]), b'"Ada was asked; d3"'),
        ("\x1b\u009b\u202eä\n", rb'"\u001b\u009b\u202e' + 'ä\\n"'.encode()),
        ("\x7f", rb'"\u007f"'),
        (listing([SENTENCE, "d3"], "and"), b'"Ada was asked and d3"'),
    ],
)
def test_sentences_are_written_in_english(value: object, written: bytes | None) -> None:
    assert show.as_json(value) == (written or b'{"name":"size","kind":"whole","default":5,"allowed":"2 to 8","about":"Ada was asked"}')


def test_what_has_no_form_in_json_is_not_written() -> None:
    with pytest.raises(NotImplementedError, match="object has no form in JSON"):
        show.as_json([object()])


def test_what_the_games_call_their_seats_is_written_in_english(club: Club) -> None:
    shown: Any = club.json("game show 1 --json")
    assert [seat["name"] for seat in shown["seats"]] == ["Red", "Blue"]
