"""Positions of TAKO made by hand, and games told as one line of steps and rolls."""

from typing import Any

from turnserver.games.tako.position import BLACK, WHITE, Options, Position, Throw, Unused
from turnserver.games.tako.rules import TakoRules

SAMPLE = (
    "1 4, LO 1, ab2, HI 1, a1, HI 6, b2, LO 1, a4, HI 1, a1, HI 4, b2, LO 3, ab2, "
    "LO 6, pass, pass, add a, LO 2, ab1, LO 4"
)  # fmt: skip
"""The rule sheet's sample game: Chuck Henry is White, Jackie Kilmer, who rolls the 4, is Black."""


def rules_for(**options: Any) -> TakoRules:
    return TakoRules(Options(**options))


def position(
    a: int,
    b: int,
    roll: str = "",
    *,
    mover: str = "White",
    white: str = "",
    black: str = "",
    passed: bool = False,
    turn: int = 8,
    purses: tuple[int, int] = (0, 0),
) -> Position:
    """Return what lies in the piles, the roll if there is one, and the options still unused, such as `pass add`."""
    unused = (Unused("pass" in white, "add" in white), Unused("pass" in black, "add" in black))
    return Position(turn, WHITE if mover == "White" else BLACK, (a, b), unused, throw(roll) if roll else None, passed, purses)


def throw(text: str) -> Throw:
    rolls = {str(one): one for one in rules_for(variant="adept").steps(position(1, 1)) if isinstance(one, Throw)}
    return rolls[text]


def legal(rules: TakoRules, state: Position) -> str:
    """Every legal step, as one line."""
    return " ".join(str(step).replace(" ", "-") for step in rules.steps(state))


def played(rules: TakoRules, line: str, state: Position | None = None) -> Position:
    """The position after steps and rolls parted by commas, each of them read as somebody would write it."""
    here = rules.start() if state is None else state
    for text in line.split(", "):
        here = rules.apply(here, rules.parse(here, text))
    return here
