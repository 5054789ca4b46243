"""Take judged by others: games that another project's engine recorded, and a second engine written only to be obviously right."""

import gzip
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.games.take import naive_take
from tests.shortened import sampled
from turnserver import games
from turnserver.errors import Illegal
from turnserver.rules import Choose, Over, Rules, Seat

pytestmark = pytest.mark.thorough

SEATS = {"R": Seat(1), "B": Seat(2)}
VARIANTS_AND_SIDES = [
    pytest.param(variant, side, marks=[pytest.mark.long] if side > 6 else []) for variant in naive_take.VARIANTS for side in range(2, 9)
]


def recorded_games() -> dict[str, list[dict[str, Any]]]:
    """The lines of every recorded game, in playing order, by the game's name."""
    found = defaultdict(list)
    with gzip.open(Path(__file__).parents[1] / "traces" / "take.jsonl.gz", "rt") as lines:
        for line in map(json.loads, lines):
            found[line["game"]].append(line)
    return dict(found)


RECORDED = recorded_games()

LETTERS = {
    "#": naive_take.Cell(cover=True, stone=None),
    ".": naive_take.Cell(cover=False, stone=None),
    "R": naive_take.Cell(cover=False, stone="R"),
    "B": naive_take.Cell(cover=False, stone="B"),
    "r": naive_take.Cell(cover=True, stone="R"),
    "b": naive_take.Cell(cover=True, stone="B"),
}
"""The letters by which the recording writes a cell."""


def read_board(line: dict[str, Any]) -> naive_take.Position:
    """The position before the recorded move; the recording lists the rows from the top."""
    texts = reversed(line["board"].split("/"))
    cells = {
        name: LETTERS[letter]
        for row, text in zip(naive_take.rows(line["size"]), texts, strict=True)
        for name, letter in zip(row, text, strict=True)
    }
    return naive_take.Position(line["variant"], line["size"], cells, line["mover"], None)


def write_board(position: naive_take.Position) -> str:
    letters = {cell: letter for letter, cell in LETTERS.items()}
    return "/".join("".join(letters[position.cells[name]] for name in row) for row in reversed(naive_take.rows(position.side)))


def cell_name(axial: str, side: int) -> str:
    """Our name of a cell that the recording gives as `q,r`: r counts rows down from the middle one, q is slanted along the left edge."""
    q, r = map(int, axial.split(","))
    leftmost = max(-(side - 1), -(side - 1) - r)
    return naive_take.rows(side)[side - 1 - r][q - leftmost]


def check_same(rules: Rules[Any, Any], state: Any, naive: naive_take.Position) -> None:
    """Both engines name the same seat to move or the same winner, and allow the same placements, each once and in canonical order."""
    after = rules.next(state)
    if naive.winner is not None:
        assert isinstance(after, Over)
        assert after.winners == {SEATS[naive.winner]}
    else:
        assert isinstance(after, Choose)
        assert after.seat == SEATS[naive.mover]
    legal = naive_take.legal(naive)
    assert [rules.format(state, step) for step in rules.steps(state)] == [name for name in naive.cells if name in legal]


def check_parse(rules: Rules[Any, Any], state: Any, naive: naive_take.Position) -> None:
    """Every cell that the naive engine allows is read as the step listed for it, and every other cell is refused."""
    listed = {rules.format(state, step): step for step in rules.steps(state)}
    legal = naive_take.legal(naive)
    for name in naive.cells:
        if name in legal:
            assert rules.parse(state, name) == listed[name]
        else:
            with pytest.raises(Illegal):
                rules.parse(state, name)


def random_game(variant: str, side: int, seed: int) -> Iterator[tuple[naive_take.Position, str]]:
    """Every position of one random game by the naive engine with the placement chosen there; the last has none, the empty text."""
    choices = random.Random(f"{variant} {side} {seed}")  # noqa: S311  # a repeatable game, not a secret
    position = naive_take.start(variant, side)
    while position.winner is None:
        name = choices.choice(sorted(naive_take.legal(position)))
        yield position, name
        position = naive_take.play(position, name).position
    yield position, ""


def test_the_recording_holds_what_the_rulings_speak_of() -> None:
    lines = [line for game in RECORDED.values() for line in game]
    ends = Counter((line["rulesheet_winner"] == line["mover"], line["both_eliminated"]) for line in lines if line["over"])
    assert len(RECORDED) == sum(ends.values()) == 61
    assert {(line["variant"], line["size"]) for line in lines} == {
        (variant, side) for variant in naive_take.VARIANTS for side in range(2, 6)
    }
    assert {0, 1, 2, 3} == {len(line["removed_groups"]) for line in lines}
    assert {(True, False), (False, False), (True, True)} == set(ends), "a win, a loss by one's own move, and a board swept clean"
    assert {"r", "b", "."} <= set("".join(line["board_after"] for line in lines)), "stones on tiles, and bare cells"


@pytest.mark.parametrize("game", sampled(RECORDED, 4))
def test_the_naive_engine_agrees_with_the_recording(game: str) -> None:
    for line in RECORDED[game]:
        side = line["size"]
        before = read_board(line)
        assert naive_take.legal(before) == {cell_name(cell, side) for cell in line["legal"]}
        assert cell_name(line["move"], side) == line["move_ap"]
        played = naive_take.play(before, line["move_ap"])
        assert write_board(played.position) == line["board_after"]
        assert played.removed == {frozenset(cell_name(cell, side) for cell in group) for group in line["removed_groups"]}
        assert (played.position.winner is not None) == line["over"]
        assert played.position.winner == line.get("rulesheet_winner")


@pytest.mark.parametrize("game", sampled(RECORDED, 4))
def test_the_product_agrees_with_the_recording(game: str) -> None:
    first = RECORDED[game][0]
    rules = games.find("take", size=first["size"], variant=first["variant"]).rules
    state = rules.start()
    for line in RECORDED[game]:
        check_same(rules, state, read_board(line))
        check_parse(rules, state, read_board(line))
        state = rules.apply(state, rules.parse(state, line["move_ap"]))
    end = rules.next(state)
    assert isinstance(end, Over)
    assert end.winners == {SEATS[RECORDED[game][-1]["rulesheet_winner"]]}
    assert not rules.steps(state)


@pytest.mark.parametrize(("variant", "side"), VARIANTS_AND_SIDES)
def test_both_engines_play_the_same_random_games(variant: str, side: int) -> None:
    """Whole games, until 300 positions have been seen: 2,100 and more a variant."""
    rules = games.find("take", size=side, variant=variant).rules
    seen = 0
    seed = 0
    while seen < 300:
        state = rules.start()
        for naive, name in random_game(variant, side, seed):
            check_same(rules, state, naive)
            seen += 1
            if name:
                state = rules.apply(state, rules.parse(state, name))
        seed += 1


@pytest.mark.parametrize("variant", naive_take.VARIANTS)
def test_both_engines_know_the_same_positions_of_side_2(variant: str) -> None:
    """Every position that can come up on the smallest board, by whatever way."""
    rules = games.find("take", size=2, variant=variant).rules
    waiting = [(rules.start(), naive_take.start(variant, 2))]
    seen = set()
    winners = set()
    while waiting:
        state, naive = waiting.pop()
        winners.add(naive.winner)
        if (key := (write_board(naive), naive.mover)) in seen:
            continue
        seen.add(key)
        check_same(rules, state, naive)
        check_parse(rules, state, naive)
        waiting += [
            (rules.apply(state, rules.parse(state, name)), naive_take.play(naive, name).position) for name in naive_take.legal(naive)
        ]
    assert winners == {"R", "B", None}
