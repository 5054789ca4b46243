"""Touching TAKO: a pile, or both, and the button of a number; or the option to pass, or to add and a pile."""

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from turnserver.games.tako.notation import counted
from turnserver.games.tako.position import PILES, Add, Opening, Options, Pass, Position, Step, Take, Throw
from turnserver.rules.place import Outline, Place, Touches
from turnserver.text import say

_PASS: Final = str(Pass())
_ADD: Final = "add"


def touches(step: Step) -> Sequence[Touches]:
    """Return the sequences that play a step. See `rules.View`. Either pile may come first, and a pile before the word add."""
    match step:
        case Take(a, b) if a and b:
            return ("a", "b", str(a)), ("b", "a", str(a))
        case Take(a, b):
            return (("a" if a else "b", str(a or b)),)
        case Add(pile):
            return (_ADD, PILES[pile]), (PILES[pile], _ADD)
        case Pass():
            return ((_PASS,),)
        case Opening() | Throw():
            return ()
        case _:
            assert_never(step)


def places(options: Options, state: Position, touched: Touches, outlines: Mapping[str, Outline]) -> dict[str, Place]:
    """Return all that can be touched next. See `rules.View`. `outlines` has piles and options in the picture."""
    piles = {
        name: _in_corner(say("Pile {pile}, {stones}", pile=name.upper(), stones=counted(there, options)), outlines[name], left=True)
        for name, there in zip(PILES, state.piles, strict=True)
    }
    add = {_ADD: _in_corner(say("Add a coin") if options.betting else say("Add a stone"), outlines[_ADD])}
    match touched:
        case ():
            return piles | {_PASS: _in_corner(say("Pass"), outlines[_PASS])} | add
        case ("add",):
            return piles
        case ("a" | "b" as name,):
            del piles[name]
            return piles | _numbers(state, name) | add
        case ("a", "b") | ("b", "a"):
            return _numbers(state, PILES)
        case _:
            return {}


def _in_corner(words: str, outline: Outline, *, left: bool = False) -> Place:
    # in the middle there are stones or words
    across, down = zip(*outline, strict=True)
    return Place(words, outline, (min(across) + 16 if left else max(across) - 16, min(down) + 16))


def written(state: Position, touched: Touches) -> str:
    """Return the step that the touches mean, legal or not. See `rules.View`."""
    match touched:
        case ("a" | "b" as pile, "add") | ("add", "a" | "b" as pile):
            return f"add {pile}"
        case ("a" | "b",) | ("a", "b") | ("b", "a"):
            piles = "".join(sorted(touched))
            # the number that comes nearest to what the roll allows, so that its refusal says why there is none
            low = state.roll is not None and state.roll.coin == "LO"
            return f"{piles}{max(1, _least(state, piles)) if low else 1}"
        case ("a", "b", number) | ("b", "a", number):
            return f"ab{number}"
        case _:
            # parted by blanks, a take from each pile would read as one from both
            return "-".join(touched)


def _numbers(state: Position, piles: str) -> dict[str, Place]:
    """Return a button for every number of stones that could be taken from each of the piles without regard to the roll."""
    both = piles == PILES
    numbers = range(1, _least(state, piles) + 1)
    return {str(number): Place(say("Take {n} from each", n=number) if both else say("Take {n}", n=number)) for number in numbers}


def _least(state: Position, piles: str) -> int:
    return min(state.piles[PILES.index(name)] for name in piles)
