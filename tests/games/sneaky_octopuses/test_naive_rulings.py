"""The naive engine for Sneaky Octopuses against its rulings, one small aquarium at a time."""

import pytest

from tests.cases import for_each
from tests.games.sneaky_octopuses import naive_sneaky as naive
from tests.games.sneaky_octopuses.aquarium import keepers, loose, octopuses, played
from tests.games.sneaky_octopuses.listed import EXACTLY, LISTED, PASSING
from tests.games.sneaky_octopuses.naive_board import (
    CORNERS,
    FLOOR,
    INTO_THE_ROOM,
    KIND,
    SHOWERS,
    SQUEEZES,
    TANKS,
    Position,
    beside,
    next_to,
)
from tests.games.sneaky_octopuses.played import PLAYED


@for_each(("position", "steps", "standing", "keeping", "lying"), PLAYED.values(), ids=PLAYED)
def test_what_comes_of_it(position: Position, steps: str, standing: str, keeping: str, lying: str) -> None:
    after = played(position, steps)
    assert octopuses(after) == standing
    assert keepers(after) == keeping
    assert loose(after) == lying


@for_each(("position", "beginning", "endings"), EXACTLY.values(), ids=EXACTLY)
def test_these_and_no_others(position: Position, beginning: str, endings: str) -> None:
    listed = {text for text in naive.legal(position) if text.startswith(f"{beginning} ")}
    assert listed == {f"{beginning} {ending}" for ending in endings.split(", ") if ending}


@for_each(("position", "listed", "missing"), LISTED.values(), ids=LISTED)
def test_these_but_not_those(position: Position, listed: str, missing: str) -> None:
    legal = naive.legal(position)
    assert {text for text in listed.split(", ") if text} <= legal
    assert not set(missing.split(", ")) & legal


def test_what_is_not_legal_is_refused() -> None:
    with pytest.raises(ValueError, match="not legal"):
        naive.play(PASSING, "Tako move b8-b7")


def test_the_board_is_the_same_from_every_side() -> None:
    def across(square: str) -> str:
        return f"{chr(ord('a') + ord('k') - ord(square[0]))}{12 - int(square[1:])}"

    def turned(line: str) -> frozenset[str]:
        return frozenset(across(square) for square in line.split())

    letters = {"B": "P", "P": "B", "R": "G", "G": "R"}
    assert {across(square): letters.get(kind, kind) for square, kind in KIND.items()} == KIND
    for lines in (TANKS, SQUEEZES):
        assert {turned(line) for line in lines} == {frozenset(line.split()) for line in lines}
    assert {across(corner) for corner in CORNERS} == set(CORNERS)
    assert all(next_to(entrance, facing) in FLOOR for entrance, facing in INTO_THE_ROOM.items())
    assert all(entrance in beside(shower) for shower, entrance in SHOWERS.items())


def test_every_squeeze_leads_straight_through_the_middle_of_a_tank() -> None:
    middles = {tank.split()[1]: set(tank.split()) for tank in TANKS}
    assert len(SQUEEZES) == len(middles) == 8
    for squeeze in SQUEEZES:
        one, middle, other = squeeze.split()
        assert {one, other} == {square for square in beside(middle) if square not in middles[middle]} <= set(FLOOR)
