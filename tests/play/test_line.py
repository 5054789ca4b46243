"""The line of turns: what it holds, and when it asks the rules."""

from dataclasses import dataclass, field, replace

import pytest

from tests.cases import for_each
from tests.play.given import BLUE, GREEN, NIM_2, RED, clock, day, left, played
from tests.play.small_games import Counting, Heap, Options, find
from turnserver.errors import Unreadable
from turnserver.play.events import GameStarted, Rolled, TurnPlayed
from turnserver.play.evolve import fold
from turnserver.play.line import Line
from turnserver.rules import Seat

FIRST = played(1, RED, "2", BLUE, at=1)
SECOND = played(2, BLUE, "1", RED, at=2)
EMPTY = Line.empty(find("nim"))
ONE = EMPTY.played(FIRST)
TWO = ONE.played(SECOND)


@dataclass(frozen=True)
class Counted(Counting):
    """The same rules, keeping the texts that were replayed."""

    replayed: list[str] = field(default_factory=list)

    def replay(self, state: Heap, text: str) -> int:
        self.replayed.append(text)
        return super().replay(state, text)


def counted() -> tuple[Line, list[str]]:
    game = find("nim", heap=10)
    rules = Counted(game.rules.teams, Options(heap=10))
    return Line.empty(replace(game, rules=rules)), rules.replayed


def long_line(turns: int) -> Line:
    line = Line.empty(find("nim", heap=turns + 1))
    for turn in range(1, turns + 1):
        line = line.played(TurnPlayed(turn=turn, seat=Seat(1), steps=("1",), received_at=day(0), to_move=RED, clock=clock(0)))
    return line


@pytest.mark.parametrize(
    ("line", "turns", "position", "last_step"),
    [
        (EMPTY, (), Heap(6, 1, 0), None),
        (ONE, (FIRST,), Heap(4, 2, 0, BLUE), 2),
        (TWO, (FIRST, SECOND), Heap(3, 3, 0), 1),
    ],
    ids=["no turn", "one turn", "two turns"],
)
def test_a_line_tells_its_turns_and_boards(line: Line, turns: tuple[TurnPlayed, ...], position: Heap, last_step: int | None) -> None:
    assert (line.turns, line.length, line.last) == (turns, len(turns), turns[-1] if turns else None)
    assert (line.position, line.last_step) == (position, last_step)


def test_the_last_step_of_a_turn_of_several_is_its_last() -> None:
    line = Line.empty(find("nim", steps=2)).played(played(1, RED, "3; 1", BLUE, at=1))
    assert line.last_step == 1


@for_each(("turn", "expected"), [(0, EMPTY), (1, EMPTY), (2, ONE), (3, TWO), (4, TWO)])
def test_before_a_turn(turn: int, expected: Line) -> None:
    assert TWO.before(turn) is expected


def test_lines_are_equal_when_games_and_turns_are() -> None:
    same = Line.empty(find("nim")).played(FIRST).played(SECOND)
    assert same.position == TWO.position
    assert (same == TWO, same != TWO) == (True, False)
    assert hash(same) == hash(TWO)
    assert Line.empty(find("nim", heap=7)).played(FIRST).played(SECOND) != TWO
    assert EMPTY.played(FIRST).played(played(2, BLUE, "3", RED, at=2)) != TWO
    assert EMPTY.played(played(1, RED, "1", BLUE, at=1)).played(SECOND) != TWO
    assert ONE != TWO
    assert (TWO == (FIRST, SECOND), TWO != (FIRST, SECOND)) == (False, True)


def test_a_line_is_shown_in_a_few_words() -> None:
    assert repr(TWO) == "<Line of 2 turns of nim>"


def test_no_rules_are_asked_before_somebody_looks_at_the_board() -> None:
    state = fold((*NIM_2, played(3, RED, "no move at all", BLUE, at=3)), find=find)
    assert state.line.length == 3
    with pytest.raises(Unreadable):
        _ = state.line.position


def test_a_board_is_computed_once() -> None:
    empty, replayed = counted()
    line = empty.played(FIRST).played(SECOND)
    assert line.position is line.position
    assert replayed == ["2", "1"]


def test_a_board_is_computed_from_the_nearest_one_that_is_known() -> None:
    empty, replayed = counted()
    one = empty.played(FIRST)
    assert one.position == Heap(8, 2, 0, BLUE)
    two = one.played(SECOND)
    assert two.position == Heap(7, 3, 0)
    assert two.before(2).position == Heap(8, 2, 0, BLUE)
    assert replayed == ["2", "1"]


@pytest.mark.thorough
def test_a_line_may_be_longer_than_any_recursion() -> None:
    turns = 20_000
    line = long_line(turns)
    assert line.position == Heap(1, turns + 1, 0)
    assert line.before(1).length == 0
    assert line == long_line(turns)


def rolled(number: int, outcome: str) -> Rolled:
    return Rolled(number=number, below=6, value=0, outcome=outcome)


THREE = Line.empty(find("bones", heap=20, dice_from=1))
BEGUN = THREE.began(GameStarted(to_move=RED, clock=clock(0), rolls=(rolled(1, "3"),)))
RED_PLAYED = BEGUN.played(played(1, RED, "2", BLUE, at=1, rolls=(rolled(2, "1"),)))
BLUE_LEFT = RED_PLAYED.left(left(BLUE, GREEN, since=2, rolls=(rolled(3, "2"),)))
RED_LEFT_TOO = BLUE_LEFT.left(left(RED, GREEN, since=2))
GREEN_PLAYED = BLUE_LEFT.played(played(2, GREEN, "1", RED, at=3, rolls=(rolled(4, "1"),)))
BLUE_GONE = frozenset({BLUE})


@for_each(
    ("line", "length", "position", "last_step"),
    [
        (BEGUN, 0, Heap(17, 1, 0, RED, 1, scores=(3, 0, 0)), None),
        (RED_PLAYED, 1, Heap(14, 2, 0, BLUE, 1, scores=(5, 1, 0)), 2),
        (BLUE_LEFT, 1, Heap(12, 2, 0, GREEN, 1, BLUE_GONE, (5, 1, 2)), 2),
        (RED_LEFT_TOO, 1, Heap(12, 2, 0, GREEN, 1, BLUE_GONE | {RED}, (5, 1, 2)), 2),
        (GREEN_PLAYED, 2, Heap(10, 3, 0, RED, 1, BLUE_GONE, (6, 1, 3)), 1),
    ],
    ids=["begun", "played", "left on the turn", "left out of turn", "played on"],
)
def test_a_line_tells_what_chance_and_leaving_made_of_the_board(line: Line, length: int, position: Heap, last_step: int | None) -> None:
    """The step to be marked stays the one that a seat chose."""
    assert (line.length, len(line.turns)) == (length, length)
    assert (line.position, line.last_step) == (position, last_step)


@for_each(("turn", "expected"), [(0, BEGUN), (1, BEGUN), (2, BLUE_LEFT), (3, GREEN_PLAYED), (4, GREEN_PLAYED)])
def test_before_a_turn_is_after_the_rolls_and_leavings_that_came_before_it(turn: int, expected: Line) -> None:
    assert GREEN_PLAYED.before(turn) is expected
    assert RED_LEFT_TOO.before(2) is RED_LEFT_TOO


def test_the_last_turn_is_found_behind_those_who_left() -> None:
    assert RED_LEFT_TOO.last is RED_PLAYED.last is RED_PLAYED.entry
    assert BEGUN.last is None


def test_a_game_that_begins_without_a_roll_has_no_entry_for_it() -> None:
    assert EMPTY.began(GameStarted(to_move=RED, clock=clock(0))) is EMPTY


def test_lines_with_other_rolls_or_leavings_differ() -> None:
    again = THREE.began(GameStarted(to_move=RED, clock=clock(0), rolls=(rolled(1, "3"),)))
    assert again == BEGUN
    assert hash(again) == hash(BEGUN)
    assert THREE.began(GameStarted(to_move=RED, clock=clock(0), rolls=(rolled(1, "2"),))) != BEGUN
    assert RED_PLAYED != BLUE_LEFT != RED_LEFT_TOO
