"""The line of turns: what it holds, and when it asks the rules."""

from dataclasses import dataclass, field, replace

import pytest

from tests.decide.given import BLUE, NIM_2, RED, day, played
from tests.decide.small_games import Counting, Heap, Options, find
from turnserver.errors import Unreadable
from turnserver.play.events import TurnPlayed
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
        line = line.played(
            TurnPlayed(turn=turn, seat=Seat(1), steps=("1",), received_at=day(0), to_move=RED, deadline=day(3), remind_at=day(2))
        )
    return line


@pytest.mark.parametrize(
    ("line", "turns", "position", "last_step"),
    [
        (EMPTY, (), Heap(6, 1, 0), None),
        (ONE, (FIRST,), Heap(4, 2, 0), 2),
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


@pytest.mark.parametrize(("turn", "expected"), [(0, EMPTY), (1, EMPTY), (2, ONE), (3, TWO), (4, TWO)])
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
    assert one.position == Heap(8, 2, 0)
    two = one.played(SECOND)
    assert two.position == Heap(7, 3, 0)
    assert two.before(2).position == Heap(8, 2, 0)
    assert replayed == ["2", "1"]


def test_a_line_may_be_longer_than_any_recursion() -> None:
    turns = 100_000
    line = long_line(turns)
    assert line.position == Heap(1, turns + 1, 0)
    assert line.before(1).length == 0
    assert line == long_line(turns)
