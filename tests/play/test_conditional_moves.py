"""Plans as they are written, what they are read as, and which are refused."""

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import for_each
from tests.play.small_games import TABLE, Counting, Heap, Options
from turnserver import games
from turnserver.errors import Refusal
from turnserver.play.conditional_moves import MAX_BRANCHES, MAX_TEXT, Branch, Plan, fitting, plan_digest, read_plan, with_line, write_plan
from turnserver.rules import Choose, Over, Roll, Seat
from turnserver.rules.kit import format_steps, playout, replay_turn


@dataclass(frozen=True)
class Greedy(Counting):
    """The counting game in which a player who takes two counters takes the next ones as well."""

    def apply(self, state: Heap, step: int) -> Heap:
        after = super().apply(state, step)
        return after._replace(seat=state.seat) if step == 2 and after.left else after


class Scene(NamedTuple):
    """A game, and the steps and rolls after which the opponent has the turn; further rolls bring what comes first in the list."""

    rules: Any
    played: tuple[str, ...] = ()

    @property
    def position(self) -> Any:
        state, _ = replay_turn(self.rules, self.rules.start(), self.played)
        while isinstance(self.rules.next(state), Roll):
            state = self.rules.apply(state, self.rules.steps(state)[0])
        return state


NIM = Scene(TABLE["nim"].build(Options(heap=6)).rules)
TWICE = Scene(TABLE["nim"].build(Options(heap=20, steps=2)).rules)
DICE = Scene(TABLE["dice"].build(Options(heap=20, dice_from=2)).rules)
GREEDY = Scene(Greedy((frozenset({Seat(1)}), frozenset({Seat(2)})), Options(heap=6)))
TAKE = Scene(games.find("take").rules)
JUDO = Scene(games.find("tako-judo").rules)
OKAGO = Scene(games.find("okago").rules, ("c3",))
TAKO = Scene(games.find("tako").rules, ("2 3", "LO 4"))
SNEAKY = Scene(games.find("sneaky-octopuses", players=2).rules)


class Case(NamedTuple):
    scene: Scene
    text: str
    plan: Plan
    canonical: str


CASES = (
    Case(TAKE, "if a1 then b2", (Branch(("a1",), ("b2",)),), "if a1 then b2"),
    Case(TAKE, "IF A 1, THEN b2.", (Branch(("a1",), ("b2",)),), "if a1 then b2"),
    Case(TAKE, "else b2", (Branch(None, ("b2",)),), "else b2"),
    Case(
        TAKE,
        "if a1 then b2 (if c3 then d4; else e5); else if a2 then b1; else: b3",
        (
            Branch(("a1",), ("b2",), (Branch(("c3",), ("d4",)), Branch(None, ("e5",)))),
            Branch(("a2",), ("b1",)),
            Branch(None, ("b3",)),
        ),
        "if a1 then b2 (if c3 then d4; else e5); else if a2 then b1; else b3",
    ),
    Case(
        TAKE,
        "if a1\nthen b2\nif a2 then\n b1 (if c3 then d4\nelse e5),\n\nelse if a3 then a2; if a4 then a3\nelse b3\n",
        (
            Branch(("a1",), ("b2",)),
            Branch(("a2",), ("b1",), (Branch(("c3",), ("d4",)), Branch(None, ("e5",)))),
            Branch(("a3",), ("a2",)),
            Branch(("a4",), ("a3",)),
            Branch(None, ("b3",)),
        ),
        "if a1 then b2; else if a2 then b1 (if c3 then d4; else e5); else if a3 then a2; else if a4 then a3; else b3",
    ),
    Case(
        TAKE,
        "if a1 then b2 ( else C 3 (if b 2 then A 1) ) if a2 then b1",
        (Branch(("a1",), ("b2",), (Branch(None, ("c3",), (Branch(("b2",), ("a1",)),)),)), Branch(("a2",), ("b1",))),
        "if a1 then b2 (else c3 (if b2 then a1)); else if a2 then b1",
    ),
    Case(
        JUDO,
        "if c6 to a4 then d3-g6; else if d6>b4 then f2 g1; else d3 - d5 (if C6-A4 then e3-e4)",
        (
            Branch(("c6-a4",), ("d3-g6",)),
            Branch(("d6-b4",), ("f2-g1",)),
            Branch(None, ("d3-d5",), (Branch(("c6-a4",), ("e3-e4",)),)),
        ),
        "if c6-a4 then d3-g6; else if d6-b4 then f2-g1; else d3-d5 (if c6-a4 then e3-e4)",
    ),
    Case(
        OKAGO,
        "if c4 (face down) then b2 (if b4 then a1; else D4 X B2); else c4",
        (Branch(("c4 down",), ("b2",), (Branch(("b4",), ("a1",)), Branch(None, ("d4xb2",)))), Branch(None, ("c4",))),
        "if c4 down then b2 (if b4 then a1; else d4xb2); else c4",
    ),
    # A pass hands the roll on, so the answer is known to be legal; a take is followed by a roll that nobody knows.
    Case(
        TAKO,
        "if I pass then take 5 from A (if a1 then B 2); else if a4 then ab1 (if b7 then add a); else pass",
        (
            Branch(("pass",), ("a5",), (Branch(("a1",), ("b2",)),)),
            Branch(("a4",), ("ab1",), (Branch(("b7",), ("add a",)),)),
            Branch(None, ("pass",)),
        ),
        "if pass then a5 (if a1 then b2); else if a4 then ab1 (if b7 then add a); else pass",
    ),
    Case(
        SNEAKY,
        "if keeper north then tako: steals c9; keeper f6\nelse Squirt move b9-b8-b7\nkeeper f 6",
        (Branch(("keeper f11",), ("Tako steal c9", "keeper f6")), Branch(None, ("Squirt move b9-b8-b7", "keeper f6"))),
        "if keeper f11 then Tako steal c9; keeper f6; else Squirt move b9-b8-b7; keeper f6",
    ),
    Case(
        TWICE,
        "if 1; take 2 then 3\n3 (if 1;1; then 2;2); if 2;2 then 1;1;",
        (Branch(("1", "2"), ("3", "3"), (Branch(("1", "1"), ("2", "2")),)), Branch(("2", "2"), ("1", "1"))),
        "if 1; 2 then 3; 3 (if 1; 1 then 2; 2); else if 2; 2 then 1; 1",
    ),
    Case(DICE, "if 1 then 3 (if 9 then 8)", (Branch(("1",), ("3",), (Branch(("9",), ("8",)),)),), "if 1 then 3 (if 9 then 8)"),
    Case(GREEDY, "if 1 then 2", (Branch(("1",), ("2",)),), "if 1 then 2"),
    Case(NIM, "if 3 then 3", (Branch(("3",), ("3",)),), "if 3 then 3"),
)


@for_each("case", CASES, ids=lambda case: case.canonical)
def test_a_plan_is_read_and_written(case: Case) -> None:
    rules, position = case.scene.rules, case.scene.position
    assert read_plan(rules, position, case.text) == case.plan
    assert write_plan(case.plan) == case.canonical
    assert read_plan(rules, position, case.canonical) == case.plan


class Refused(NamedTuple):
    scene: Scene
    text: str
    code: str
    message: str


UNOPENED = "A bracket is closed that was never opened. Brackets go round what comes after your answer."
UNCLOSED = "A bracket is opened and never closed. Brackets go round what comes after your answer."
NONE = 'I couldn\'t find a conditional move in that. Write "if", a move of your opponent, "then", and your answer.'
REFUSED = (
    Refused(
        Scene(TABLE["trio"].build(Options()).rules),
        "if 1 then 1",
        "no_plans",
        "Conditional moves are for games of two. Here, others move before your next turn.",
    ),
    Refused(Scene(NIM.rules, ("3", "3")), "if 1 then 1", "over", "The game is over."),
    Refused(
        NIM, "x" * (MAX_TEXT + 1), "plan_too_long", "Conditional moves can take at most 4000 characters. Leave out the least likely ones."
    ),
    Refused(NIM, "", "bad_plan", NONE),
    Refused(NIM, " ;\n, ", "bad_plan", NONE),
    Refused(NIM, "3", "bad_plan", 'I expected "if" or "else" where you wrote "3".'),
    Refused(NIM, "then 3", "bad_plan", 'I expected "if" or "else" where you wrote "then".'),
    Refused(NIM, "(if 1 then 2)", "bad_plan", 'I expected "if" or "else" where you wrote "(".'),
    Refused(NIM, "if 1 then 2 (if 3 then 1) 2", "bad_plan", 'I expected "if" or "else" where you wrote "2".'),
    Refused(NIM, "if", "bad_plan", 'There is no move after "if".'),
    Refused(NIM, "if then 2", "bad_plan", 'There is no move after "if".'),
    Refused(NIM, "if 1; then ; (if 2 then 3)", "bad_plan", 'There is no move after "then".'),
    Refused(NIM, "Else", "bad_plan", 'There is no move after "else".'),
    Refused(NIM, "if 1", "bad_plan", 'After "if 1", write "then" and your answer.'),
    Refused(NIM, "if 1 else 2", "bad_plan", 'After "if 1", write "then" and your answer.'),
    Refused(NIM, "if 1 then 2 then 3", "bad_plan", 'I expected "if" or "else" where you wrote "then".'),
    Refused(
        NIM,
        "if 1 then 2 if 3 then 1",
        "bad_plan",
        'Write a semicolon before "if 3", or put it in brackets if it comes after your answer.',
    ),
    Refused(NIM, "if 1 then 2 (if 1 then 1", "bad_plan", UNCLOSED),
    Refused(NIM, "if 1 then 2 (1", "bad_plan", UNCLOSED),
    Refused(NIM, "if 1 then 2)", "bad_plan", UNOPENED),
    Refused(NIM, "else 1; else 2", "bad_plan", '"else 1" answers any move, so nothing can come after it.'),
    Refused(NIM, "if 1 then 1 (else 1; if 2 then 1)", "bad_plan", '"else 1" answers any move, so nothing can come after it.'),
    Refused(NIM, "if 1 then 1; if take 1 then 2", "answered_twice", '"if take 1" is there twice. Keep the one you mean.'),
    Refused(
        NIM,
        "if 1 then 1 (if 2 then 1; if 2 then 2)",
        "answered_twice",
        '"if 1 then 1 (if 2)" is there twice. Keep the one you mean.',
    ),
    Refused(Scene(NIM.rules, ("3",)), "if 3 then 1", "no_answer", 'In "if 3": That ends the game, so there is nothing to answer.'),
    Refused(
        NIM,
        "if 3 then 3 (else 1)",
        "no_answer",
        'In "if 3 then 3": That ends the game, so nothing can come after it.',
    ),
    Refused(GREEDY, "if 2 then 1", "no_answer", 'In "if 2": After that it is your opponent\'s move again, so there is nothing to answer.'),
    Refused(
        GREEDY,
        "if 1 then 2 (else 1)",
        "no_answer",
        'In "if 1 then 2": After that it is your move again, and conditional moves only answer your opponent.',
    ),
    Refused(NIM, "if 4 then 1", "illegal", 'In "if 4": You cannot take 4 of 6. You can write, for example, "3".'),
    Refused(NIM, "if 3 then 2 (if 1\nthen 1)", "no_answer", 'In "if 3 then 2 (if 1)": That ends the game, so there is nothing to answer.'),
    Refused(
        NIM, "if 3 then 2 (if 2 then 1)", "illegal", 'In "if 3 then 2 (if 2)": You cannot take 2 of 1. You can write, for example, "1".'
    ),
    Refused(
        GREEDY,
        "if 1 then 1 (if 1 then 1 (if 1 then 4))",
        "illegal",
        'In "... (if 1 then 1 (if 1 then 4))": You cannot take 4 of 1. You can write, for example, "1".',
    ),
    Refused(NIM, "if 1 then 2; 1", "too_many_steps", 'In "if 1 then 2; 1": The turn ends with "2". Leave out what follows.'),
    Refused(
        TWICE,
        "if 1 then 1;1",
        "too_few_steps",
        'In "if 1": The turn isn\'t over with "1". A turn takes 2 times. Add, for example, "1".',
    ),
    Refused(NIM, "else one", "unreadable", 'In "else one": A move is a number.'),
    Refused(NIM, "if 1 then (2)", "unreadable", 'In "if 1 then (2)": A move is a number. You can write, for example, "2".'),
    Refused(
        JUDO,
        "if c6-a4 then d3-d9",
        "off_board",
        'In "if c6-a4 then d3-d9": This board has no d9; its squares are a1 to h8. You can write, for example, "d3-d5".',
    ),
    Refused(
        TAKO,
        "if pass then a3",
        "below",
        'In "if pass then a3": LO 4: take at least 4 stones in all; a3 takes 3. You can write, for example, "a4".',
    ),
    # What "keeper north" is goes by where the keeper stands, which nobody knows after the die.
    Refused(
        SNEAKY,
        "if keeper north then keeper north",
        "unreadable",
        'In "if keeper north then keeper north": "keeper north" isn\'t a step in Sneaky Octopuses. '
        "Write an octopus, what it does and the squares for it, or keeper and a keeper's square.",
    ),
    Refused(
        TAKE,
        f"else {'x' * 200}",
        "unreadable",
        f'In "else {"x" * 60}...": "{"x" * 40}..." isn\'t a move in Take. Write the letter of a row and the number of a cell.',
    ),
)


@for_each("case", REFUSED, ids=lambda case: case.text[:40])
def test_what_is_no_plan_is_refused(case: Refused) -> None:
    with pytest.raises(Refusal) as refused:
        read_plan(case.scene.rules, case.scene.position, case.text)
    assert (refused.value.code, refused.value.message) == (case.code, case.message)


@for_each(
    "text",
    [
        "(" * MAX_TEXT,
        ")" * MAX_TEXT,
        "(if " * (MAX_TEXT // 4),
        "( \n" * (MAX_TEXT // 3),
        "if " * (MAX_TEXT // 3),
        "else " * (MAX_TEXT // 5),
        "if 1 then 1 (" * 250 + ")" * 250,
        "else 1(" * 400 + "else 1" + ")" * 400,
        "if 1 then 1;" * 300,
        "if 1 then " + "1;" * 1900,
        "if 1 then " + " " * 3900,
        "else 1" + " ," * 1900 + "1",
        "else " + "x;" * 1900,
        "else 1;" * 500,
        "else " + "1;" * 1900,
        "else 1" + ";" * MAX_TEXT,
    ],
    ids=lambda text: text[:16],
)
def test_hostile_text_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_plan(NIM.rules, NIM.position, text)
    assert refused.value.code in ("bad_plan", "plan_too_long", "too_many_steps", "unreadable")
    assert len(refused.value.message) < 400


def deep(number: int) -> str:
    """A plan of so many answers, each inside the one before."""
    return "else 1 (" * (number - 1) + "else 1" + ")" * (number - 1)


def wide(number: int) -> str:
    """A plan of so many answers, all but one to the same turn."""
    return f"else 1 ({'; '.join(f'if {other // 10}; {other % 10} then 1' for other in range(number - 1))})"


@pytest.mark.parametrize("text", [deep, wide])
def test_a_plan_has_as_many_answers_as_the_limit_allows(text: Callable[[int], str]) -> None:
    plan = read_plan(NIM.rules, NIM.position, text(MAX_BRANCHES))
    assert read_plan(NIM.rules, NIM.position, write_plan(plan)) == plan
    with pytest.raises(Refusal) as refused:
        read_plan(NIM.rules, NIM.position, text(MAX_BRANCHES + 1))
    assert (refused.value.code, refused.value.message) == (
        "plan_too_long",
        "There can be at most 40 conditional moves. Leave out the least likely ones.",
    )


@pytest.mark.parametrize("text", ["x" * (MAX_TEXT + 1), "else " + "1;" * 1500])
def test_a_plan_is_no_longer_than_the_limit_as_written_or_as_we_write_it(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_plan(NIM.rules, NIM.position, text)
    assert (refused.value.code, refused.value.message) == (
        "plan_too_long",
        "Conditional moves can take at most 4000 characters. Leave out the least likely ones.",
    )


PLAN: Plan = (Branch(("a1",), ("b2",), (Branch(None, ("c3",)),)), Branch(("a2", "a3"), ("b1",)))


@for_each(
    ("plan", "steps", "branch"),
    [
        (PLAN, ["a1"], PLAN[0]),
        (PLAN, ["a2", "a3"], PLAN[1]),
        (PLAN, ["a2"], None),
        (PLAN, ["a3", "a2"], None),
        (PLAN[0].then, ["a1"], PLAN[0].then[0]),
        ((), ["a1"], None),
    ],
)
def test_the_branch_that_answers_a_turn_is_found(plan: Plan, steps: list[str], branch: Branch | None) -> None:
    assert fitting(plan, steps) is branch


LINES: list[tuple[str, list[str], str]] = [
    ("", ["a1", "b1"], "if a1 then b1"),
    ("", ["a1", "b1", "a2", "b2"], "if a1 then b1 (if a2 then b2)"),
    ("if a1 then b1", ["a2", "b2"], "if a1 then b1; else if a2 then b2"),
    ("if a1 then b1; else b3", ["a2", "b2"], "if a1 then b1; else if a2 then b2; else b3"),
    ("if a1 then b1; else if a2 then b2", ["a1", "c1"], "if a1 then c1; else if a2 then b2"),
    ("if a1 then b1 (if a2 then b2)", ["a1", "b1"], "if a1 then b1 (if a2 then b2)"),
    ("if a1 then b1 (if a2 then b2)", ["a1", "b1", "a3", "b3"], "if a1 then b1 (if a2 then b2; else if a3 then b3)"),
    ("if a1 then b1 (if a2 then b2)", ["a1", "c1", "a3", "b3"], "if a1 then c1 (if a3 then b3)"),
]


@for_each(("plan", "line", "whole"), LINES)
def test_a_line_is_added_to_a_plan(plan: str, line: list[str], whole: str) -> None:
    """Other answers stay, those to the same turn give way."""
    take = games.find("take")
    before = read_plan(take.rules, take.rules.start(), plan) if plan else ()
    assert write_plan(with_line(before, [(turn,) for turn in line])) == whole


def test_a_digest_can_be_recomputed_by_hand() -> None:
    salt = bytes(range(32))
    assert plan_digest(salt, PLAN) == sha256(salt + b"if a1 then b2 (else c3); else if a2; a3 then b1").hexdigest()
    assert plan_digest(bytes(32), PLAN) != plan_digest(salt, PLAN) != plan_digest(salt, PLAN[:1])


def test_a_digest_needs_a_whole_salt() -> None:
    with pytest.raises(ValueError, match="a salt has 32 bytes, not 31"):
        plan_digest(bytes(31), PLAN)


class Grower:
    """Makes plans of legal turns, without reading a word."""

    def __init__(self, rules: Any, seed: int) -> None:
        self.rules, self.chance = rules, random.Random(seed)  # noqa: S311  # repeatable games, not secrets

    def opening(self) -> Any:
        """A position in which somebody has to begin a turn."""
        played = itertools.islice(playout(self.rules, self.chance.choice), 60)
        positions = [self.rules.start(), *(self.rules.apply(state, step) for state, step in played)]
        here = [(state, self.rules.next(state)) for state in positions]
        begun = [
            state
            for (_, before), (state, pending) in itertools.pairwise([(None, None), *here])
            if isinstance(pending, Choose) and pending != before
        ]
        return self.chance.choice(begun)

    def plan(self, state: Any, depth: int) -> Plan:
        expected = dict(self.turn(state) for _ in range(self.chance.randint(1, 2)))
        branches = [Branch(turn, *self.answer(after, depth)) for turn, after in expected.items() if not self.ends(after)]
        if not branches or self.chance.random() < 0.4:
            branches.append(Branch(None, *self.answer(state, depth)))
        return tuple(branches)

    def answer(self, state: Any, depth: int) -> tuple[tuple[str, ...], Plan]:
        """A reply and what comes then. The one to any turn might as well be played instead of it."""
        reply, after = self.turn(state)
        return reply, () if self.ends(after) or not depth else self.plan(after, depth - 1)

    def turn(self, state: Any) -> tuple[tuple[str, ...], Any]:
        """A turn, and a position in which the next one might begin."""
        pending, steps, begin = self.rules.next(state), [], state
        while self.rules.next(state) == pending:
            steps.append(self.chance.choice(self.rules.steps(state)))
            state = self.rules.apply(state, steps[-1])
        while isinstance(self.rules.next(state), Roll):
            state = self.rules.apply(state, self.chance.choice(self.rules.steps(state)))
        return format_steps(self.rules, begin, steps), state

    def ends(self, state: Any) -> bool:
        return isinstance(self.rules.next(state), Over)


@pytest.mark.parametrize(
    ("scene", "depth"),
    [
        pytest.param(NIM, 2, id="nim"),
        pytest.param(TWICE, 2, id="two-steps"),
        pytest.param(TAKE, 2, id="take"),
        pytest.param(JUDO, 2, id="tako-judo"),
        pytest.param(OKAGO, 2, id="okago"),
        pytest.param(TAKO, 2, id="tako"),
        pytest.param(SNEAKY, 1, id="sneaky-octopuses"),
    ],
)
@settings(max_examples=15)
@given(seed=st.integers(0, 2**32))
def test_what_was_written_is_read_again(scene: Scene, depth: int, seed: int) -> None:
    grower = Grower(scene.rules, seed)
    position = grower.opening()
    plan = grower.plan(position, depth)
    assert read_plan(scene.rules, position, write_plan(plan)) == plan
    assert read_plan(scene.rules, position, write_plan(plan).replace("; else", "\nelse").upper().replace("LO", "lo")) == plan
    assert all(fitting(plan, branch.expected or ("anything",)) is branch for branch in plan)
