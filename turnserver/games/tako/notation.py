"""TAKO's notation: `a3`, `b2`, `ab2`, `pass`, `add a`; rolls are `1 4` for the start and `HI 5` later. The grammar stands in RULES.md."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import assert_never

from turnserver.errors import Ambiguous, Illegal, Unreadable
from turnserver.games.tako.position import PILES, Add, Opening, Options, Pass, Position, Step, Take, Throw
from turnserver.games.tako.words import allows, counted
from turnserver.rules.options import listing, shown

_DECORATION = " \t\r\n.,;:!\"'()[]"
_NUMBER = "(0|[1-9][0-9]{0,8})"
_DIE = "(10|[1-9])"
_TAKE = re.compile(f"(?:take )?(a|b|ab|ba) ?{_NUMBER}")
_TWO_TAKES = re.compile(f"(?:take )?(?:a ?{_NUMBER}(?: ?[,+] ?| and | ?)b ?{_NUMBER}|b ?{_NUMBER}(?: ?[,+] ?| and | ?)a ?{_NUMBER})")
_ADD = re.compile("add ?(?:to )?(?:pile )?(a|b)")
_ROLL = re.compile(f"(hi|lo|free) ?{_DIE}|{_DIE} {_DIE}")
_HOW = 'write a pile and a number, such as a3, b2 or ab2, or else "pass", "add a" or "add b"'


def vocabulary(options: Options) -> Mapping[str, Step]:
    """Every step that can ever come up with these options, by its canonical notation."""
    sides, numbers = range(1, options.die + 1), range(1, options.most + 1)
    steps: list[Step] = [Opening(white, black) for white in sides for black in sides]
    steps += [Throw(coin, die) for coin in options.coin for die in sides]
    steps += [Take(a * number, b * number) for a, b in ((1, 0), (0, 1), (1, 1)) for number in numbers]
    steps += [Pass(), Add(0), Add(1)]
    return MappingProxyType({str(step): step for step in steps})


def replayed(words: Mapping[str, Step], text: str) -> Step:
    """The step with this canonical notation. Raises Unreadable."""
    try:
        return words[text]
    except KeyError:
        raise _unreadable(text) from None


def read(options: Options, words: Mapping[str, Step], state: Position, text: str) -> Step:
    """The step that the text names, whatever its case and spacing.

    Raises Unreadable, what there is to say about an `add` without its pile, or Illegal for what is no step with these options.
    """
    plain = " ".join(text.strip(_DECORATION).lower().split())
    if plain == "add":
        check(options, state, Add(0))
        raise Ambiguous('Write to which pile you add: "add a" or "add b".', code="which_pile")
    if both := _TWO_TAKES.fullmatch(plain):
        a, b = both.group(1) or both.group(4), both.group(2) or both.group(3)
        if a != b:
            raise Illegal(f"From both piles you may only take the same number, such as ab2; a{a} and b{b} do not go together.", "unequal")
        plain = f"ab{a}"
    if take := _TAKE.fullmatch(plain):
        return _take(options, "".join(sorted(take.group(1))), int(take.group(2)))
    if add := _ADD.fullmatch(plain):
        return Add(PILES.index(add.group(1)))
    if roll := _ROLL.fullmatch(plain):
        plain = f"{roll.group(1).upper()} {roll.group(2)}" if roll.group(1) else plain
        if plain not in words:
            coin = listing([*options.coin])
            raise Illegal(f"Nobody can roll {plain} here: the coin shows {coin}, the die 1 to {options.die}.", code="no_such_roll")
    if plain not in words:
        raise _unreadable(text)
    return words[plain]


def check(options: Options, state: Position, step: Step) -> None:
    """Do nothing if the step is legal in this position. Raises Illegal, naming the rule."""
    rolled = isinstance(step, Opening | Throw)
    if state.over:
        raise Illegal("The game is over.", code="over")
    if state.mover is None and not isinstance(step, Opening):
        raise Illegal("Who starts has to be rolled first, such as 1 4.", code="roll_first")
    if state.mover is not None and isinstance(step, Opening):
        raise Illegal("Who starts was rolled already.", code="rolled_already")
    if state.mover is not None and state.roll is None and not rolled:
        raise Illegal("Coin and die come first: there is nothing to choose before the roll.", code="roll_first")
    if state.roll is not None and state.mover is not None:
        _check_choice(options, state, step, state.roll)


def _check_choice(options: Options, state: Position, step: Step, roll: Throw) -> None:
    assert state.mover is not None  # noqa: S101  # `check` has seen to it
    unused = state.unused[state.mover - 1]
    match step:
        case Opening() | Throw():
            raise Illegal(f"The roll is {roll} already; {_HOW}.", code="rolled_already")
        case Pass() if not unused.passing:
            raise Illegal("You have used your pass; each player passes once in a game.", code="pass_used")
        case Add() if not unused.adding:
            raise Illegal(f"You have used your add; each player adds a {options.unit} once in a game.", code="add_used")
        case Take():
            _check_take(options, state, step, roll)
        case Pass() | Add():
            return
        case _:
            assert_never(step)


def _check_take(options: Options, state: Position, take: Take, roll: Throw) -> None:
    for pile, there, wanted in zip(PILES, state.piles, (take.a, take.b), strict=True):
        if wanted > there:
            holds = f"holds {counted(there, options.unit)}" if there else "is empty"
            each = " from each" if take.a and take.b else ""
            raise Illegal(f"Pile {pile.upper()} {holds}; {take} takes {wanted}{each}.", code="too_many")
    if not roll.low <= take.total <= roll.high:
        raise Illegal(f"{roll}: {allows(roll, options.unit)}; {take} takes {take.total}.", code="above" if roll.coin == "HI" else "below")
    if state.turn == 1 and take.total == sum(state.piles):
        raise Illegal(
            f"The first move of the game may not empty both piles, because each player has at least one turn; {take} takes all.",
            code="first_takes_all",
        )


def _take(options: Options, piles: str, number: int) -> Take:
    if number == 0:
        raise Illegal(f"Taking nothing is no move; take at least one {options.unit}, such as {piles}1.", code="nothing")
    return Take(number if "a" in piles else 0, number if "b" in piles else 0)


def _unreadable(text: str) -> Unreadable:
    return Unreadable(f"{shown(text)} is no move in TAKO; {_HOW}.")
