"""The rules kit on a toy with chance, turns of two steps and a draw-free end."""

from typing import NamedTuple

import pytest

from tests.cases import for_each
from turnserver.errors import Illegal, StepError, Unreadable
from turnserver.rules import Choose, Next, Over, Roll, Seat
from turnserver.rules.kit import TurnText, example_turns, format_turn, parse_turn, perft, playout, reads_as_turn, replay_turn


class Pile(NamedTuple):
    turn: int
    phase: str
    coins: int


class Coins:
    """A turn: a toss adds 0 or 1, the seat adds 1 to 4, and says done. Whoever brings the pile to six wins."""

    seats = 2
    teams = (frozenset({Seat(1)}), frozenset({Seat(2)}))

    def start(self) -> Pile:
        return Pile(1, "toss", 0)

    def next(self, state: Pile) -> Next:
        seat = Seat(2 - state.turn % 2)
        if state.phase == "over":
            return Over(frozenset({seat}), "the pile is high enough")
        return Roll(seat, state.turn, (1, 1)) if state.phase == "toss" else Choose(seat, state.turn)

    def steps(self, state: Pile) -> tuple[str, ...]:
        return {"toss": ("0", "1"), "add": ("+1", "+2", "+3", "+4"), "done": ("done",), "over": ()}[state.phase]

    def apply(self, state: Pile, step: str) -> Pile:
        turn, phase, coins = state
        if phase == "done":
            return Pile(turn + 1, "toss", coins)
        return Pile(turn, "over" if coins + int(step) >= 6 else {"toss": "add", "add": "done"}[phase], coins + int(step))

    def ends_turn(self, state: Pile, step: str) -> bool:  # noqa: ARG002  # as the interface has it
        return step == "done"

    def missing(self, state: Pile) -> str:
        return f"There are {state.coins} coins."

    def parse(self, state: Pile, text: str) -> str:
        if text not in ("0", "1", "+1", "+2", "+3", "+4", "done"):
            raise Unreadable("No such step.")
        if text not in self.steps(state):
            raise Illegal("Not now.")
        return text

    def format(self, state: Pile, step: str) -> str:  # noqa: ARG002  # as the interface has it
        return step

    def replay(self, state: Pile, text: str) -> str:  # noqa: ARG002  # as the interface has it
        return text


COINS = Coins()
TO_ADD = Pile(1, "add", 1)


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("+2; done", TurnText(("+2", "done"), Pile(2, "toss", 3), Roll(Seat(2), 2, (1, 1)))),
        ("+2;done;", TurnText(("+2", "done"), Pile(2, "toss", 3), Roll(Seat(2), 2, (1, 1)))),
        ("\n+2\n\n done \n", TurnText(("+2", "done"), Pile(2, "toss", 3), Roll(Seat(2), 2, (1, 1)))),
    ],
)
def test_a_turn_is_read(text: str, turn: TurnText[Pile, str]) -> None:
    assert parse_turn(COINS, TO_ADD, text) == turn


def test_a_turn_that_ends_the_game_is_read() -> None:
    assert parse_turn(COINS, Pile(2, "add", 4), "+3") == TurnText(
        ("+3",), Pile(2, "over", 7), Over(frozenset({Seat(2)}), "the pile is high enough")
    )


@for_each(
    ("state", "text", "error", "code", "words"),
    [
        (TO_ADD, " ;\n; ", Unreadable, "unreadable", "There is no move in that."),
        (TO_ADD, "+2", Illegal, "too_few_steps", 'The turn isn\'t over with "+2". There are 3 coins. Add, for example, "done".'),
        (TO_ADD, "+2; done; 1", Illegal, "too_many_steps", 'The turn ends with "done". Leave out what follows.'),
        (Pile(1, "add", 5), "+1; done", Illegal, "too_many_steps", 'The turn ends with "+1". Leave out what follows.'),
        (TO_ADD, "+2; +2", Illegal, "illegal", 'Not now. The next step can be, for example, "done".'),
        (TO_ADD, "+9", Unreadable, "unreadable", 'No such step. The next step can be, for example, "+4".'),
        (COINS.start(), "1", Illegal, "roll_first", "Chance comes first: there is nothing to choose before the roll."),
        (Pile(1, "over", 6), "+1", Illegal, "over", "The game is over."),
    ],
)
def test_what_is_no_whole_turn_is_refused(state: Pile, text: str, error: type[StepError], code: str, words: str) -> None:
    with pytest.raises(error) as refused:
        parse_turn(COINS, state, text)
    assert (refused.value.code, refused.value.message) == (code, words)


@for_each(("text", "reads"), [("+2", True), ("done", True), ("+9", False), ("so; +2", True), ("so\nwhat", False), (" ; ", False)])
def test_whether_there_is_a_step_in_a_text_legal_or_not(text: str, *, reads: bool) -> None:
    assert reads_as_turn(COINS, TO_ADD, text) is reads


def test_a_turn_is_written_as_it_is_read_and_replayed() -> None:
    assert format_turn(COINS, TO_ADD, ("+2", "done")) == "+2; done"
    assert replay_turn(COINS, TO_ADD, ("+2", "done")) == (Pile(2, "toss", 3), "done")


@for_each(
    ("state", "count", "examples"),
    [
        (TO_ADD, 2, ("+2; done", "+4; done")),
        (TO_ADD, 1, ("+3; done",)),
        (TO_ADD, 9, ("+1; done", "+2; done", "+3; done", "+4; done")),
        (Pile(1, "add", 3), 4, ("+1; done", "+2; done", "+3", "+4")),
        (Pile(1, "done", 3), 3, ("done",)),
        (COINS.start(), 3, ()),
        (Pile(1, "over", 6), 3, ()),
    ],
)
def test_examples_are_spread_over_the_list(state: Pile, count: int, examples: tuple[str, ...]) -> None:
    assert example_turns(COINS, state, count) == examples


def test_a_playout_yields_each_position_with_its_step() -> None:
    assert list(playout(COINS, lambda options: options[-1])) == [
        (Pile(1, "toss", 0), "1"),
        (Pile(1, "add", 1), "+4"),
        (Pile(1, "done", 5), "done"),
        (Pile(2, "toss", 5), "1"),
    ]
    assert list(playout(COINS, lambda options: options[0], Pile(2, "add", 5))) == [(Pile(2, "add", 5), "+1")]


@for_each(
    ("state", "depth", "count"),
    [
        (None, 0, 1),
        (None, 1, 2),
        (None, 2, 2 * 4),
        (None, 3, 2 * 4),
        # +3 and +4 end the game at once; the others have one more step.
        (Pile(1, "add", 3), 1, 4),
        (Pile(1, "add", 3), 2, 2),
        (Pile(1, "over", 6), 0, 1),
        (Pile(1, "over", 6), 1, 0),
    ],
)
def test_perft_counts_sequences_of_steps(state: Pile | None, depth: int, count: int) -> None:
    assert perft(COINS, depth, state) == count
