"""TAKO's notation: `a3`, `b2`, `ab2`, `pass`, `add a`; rolls are `1 4` for the start and `HI 5` later. The grammar stands in RULES.md."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import assert_never

from turnserver.errors import Ambiguous, Illegal, Unreadable
from turnserver.games.tako.position import PILES, Add, Opening, Options, Pass, Position, Step, Take, Throw, name, opponent, winnings
from turnserver.rules import Over, Seat
from turnserver.rules.options import shown
from turnserver.rules.writing import plain
from turnserver.text import listing, say


def counted(number: int, options: Options) -> str:
    """Return `1 stone`, `5 stones`; in a betting game, coins."""
    return coins(number) if options.betting else say("{n} stone", "{n} stones", n=number)


def coins(number: int) -> str:
    """Return `1 coin`, `5 coins`."""
    return say("{n} coin", "{n} coins", n=number)


def allows(roll: Throw, options: Options) -> str:
    """Return the bound that a roll sets its player, as an order (ruling 1)."""
    match roll.coin:
        case "HI":
            return say("take at most {stones} in all", stones=counted(roll.die, options))
        case "LO":
            return say("take at least {stones} in all", stones=counted(roll.die, options))
        case "FREE":
            return say("take any number of coins") if options.betting else say("take any number of stones")
        case _:
            assert_never(roll.coin)


def purse(state: Position, seat: Seat, over: Over | None) -> str:
    """Return the content of a purse: `7`; at the end with its calculation: `7 - 4 = 3` (ruling 7)."""
    before = state.purses[seat - 1]
    if over is None:
        return str(before)
    (winner,) = over.winners
    return f"{before} {'+' if seat == winner else '-'} {winnings(state.purses, winner)} = {over.scores[seat - 1]}"


def settlement(state: Position, over: Over) -> tuple[str, ...]:
    """Return sentences about the settlement of the purses at the end of a betting game; none in another game (ruling 7)."""
    if not over.scores:
        return ()
    (winner,) = over.winners
    loser = opponent(winner)
    before, (white, black) = state.purses[loser - 1], over.scores
    if before:
        share = say(
            "{winner} wins half of {loser}'s {coins}, rounded up: {number}.",
            winner=name(winner),
            loser=name(loser),
            coins=coins(before),
            number=winnings(state.purses, winner),
        )
    else:
        share = say("{loser}'s purse is empty, so there is nothing to win.", loser=name(loser))
    final = say("The final purses: White {white}, Black {black}.", white=white, black=black)
    rest = sum(state.piles)
    left = (say("Nobody gets the {n} coin left in the piles.", "Nobody gets the {n} coins left in the piles.", n=rest),) if rest else ()
    return (share, final, *left)


_NUMBER = "(0|[1-9][0-9]{0,8})"
_DIE = "(10|[1-9])"
_TAKE = re.compile(f"(?:take )?(?:pile )?(a|b|ab|ba) ?[-:]? ?{_NUMBER}")
_TAKE_FROM = re.compile(f"(?:take )?{_NUMBER}(?: stones?| coins?)? from (?:pile )?(a|b|each|both)(?: piles?)?")
_TAKE_SOMEWHERE = re.compile(f"take {_NUMBER}(?: stones?| coins?)?")
_TWO_TAKES = re.compile(f"(?:take )?(?:a ?{_NUMBER}(?: ?[,+] ?| and | ?)b ?{_NUMBER}|b ?{_NUMBER}(?: ?[,+] ?| and | ?)a ?{_NUMBER})")
_ADD = re.compile("add ?(?:(?:1|one)(?: stone| coin)? |a (?:stone|coin) )?(?:(?:to|zu|auf) )?(?:pile )?(a|b)")
# Next to these, German has a command by mail, "pausieren", which they would be taken for.
_GERMAN_PASSES = {"passe", "passen"}
_EACH_ADD = ("add a", "add b")
_ADD_SOMEWHERE = {"add", "add one", "add a stone", "add a coin"}
_ROLL = re.compile(f"(hi|lo|free) ?{_DIE}|{_DIE} {_DIE}")
_HOW = say("a move is a pile (a, b, or ab for both) and a number, the word pass, or the word add and a pile")


def vocabulary(options: Options) -> Mapping[str, Step]:
    """Return every step that can ever come up with these options, by its canonical notation."""
    sides, numbers = range(1, options.die + 1), range(1, options.most + 1)
    steps: list[Step] = [Opening(white, black) for white in sides for black in sides]
    steps += [Throw(coin, die) for coin in options.coin for die in sides]
    steps += [Take(a * number, b * number) for a, b in ((1, 0), (0, 1), (1, 1)) for number in numbers]
    steps += [Pass(), Add(0), Add(1)]
    return MappingProxyType({str(step): step for step in steps})


def replayed(steps: Mapping[str, Step], text: str) -> Step:
    """Return the step with this canonical notation. Raises Unreadable."""
    try:
        return steps[text]
    except KeyError:
        raise _unreadable(text) from None


def read(options: Options, steps: Mapping[str, Step], state: Position, text: str) -> Step:
    """Return the step that the text names, in any case and spacing.

    Raises Unreadable for text that names none. Raises Ambiguous for an `add` or a take without its pile, unless an `add` is not legal here
    at all. Raises Illegal for a step that these options do not have, and for a take of unequal numbers from both piles.
    """
    # the log, and most players, write the step as it is
    if text in steps:
        return steps[text]
    words = plain(text)
    if words in _ADD_SOMEWHERE:
        # an add that is not legal at all needs no question to which pile
        check(options, state, Add(0))
        raise Ambiguous(say("Say which pile you add to."), code="which_pile", meant=_EACH_ADD)
    if take := _read_take(options, words):
        return take
    if add := _ADD.fullmatch(words):
        return Add(PILES.index(add.group(1)))
    if roll := _ROLL.fullmatch(words):
        words = f"{roll.group(1).upper()} {roll.group(2)}" if roll.group(1) else words
        if words not in steps:
            shows = listing([*options.coin])
            raise Illegal(
                say(
                    "{roll} can't be rolled here: the coin shows {coin}, and the die 1 to {most}.", roll=words, coin=shows, most=options.die
                ),
                code="no_such_roll",
            )
    # as in `I pass`
    words = words.removeprefix("i ").removeprefix("ich ")
    if words in _GERMAN_PASSES:
        return Pass()
    if words not in steps:
        raise _unreadable(text)
    return steps[words]


def check(options: Options, state: Position, step: Step) -> None:
    """Raise Illegal, naming the rule, unless the step is legal in this position."""
    rolled = isinstance(step, Opening | Throw)
    if state.over:
        raise Illegal(say("The game is over."), code="over")
    if state.mover is None and not isinstance(step, Opening):
        raise Illegal(say("The roll for the start comes first."), code="roll_first")
    if state.mover is not None and isinstance(step, Opening):
        raise Illegal(say("The roll for the start is over."), code="rolled_already")
    if state.mover is not None and state.roll is None and not rolled:
        raise Illegal(say("Coin and die come first: there is nothing to choose before the roll."), code="roll_first")
    # a roll itself is checked by the audit, which compares it with its draw
    if state.roll is not None and state.mover is not None:
        _check_choice(options, state, step, state.roll)


def _check_choice(options: Options, state: Position, step: Step, roll: Throw) -> None:
    assert state.mover is not None  # noqa: S101  # `check` has seen to it
    unused = state.unused[state.mover - 1]
    match step:
        case Opening() | Throw():
            raise Illegal(say("The roll is {roll} already; {how}.", roll=str(roll), how=_HOW), code="rolled_already")
        # each once in a game (ruling 2)
        case Pass() if not unused.passing:
            raise Illegal(say("You have used your pass. Each player can pass once a game."), code="pass_used")
        case Add() if not unused.adding:
            used = (
                say("You have used your add. Each player can add a coin once a game.")
                if options.betting
                else say("You have used your add. Each player can add a stone once a game.")
            )
            raise Illegal(used, code="add_used")
        case Take():
            _check_take(options, state, step, roll)
        case Pass() | Add():
            return
        case _:
            assert_never(step)


def _check_take(options: Options, state: Position, take: Take, roll: Throw) -> None:
    for pile, there, wanted in zip(PILES, state.piles, (take.a, take.b), strict=True):
        if wanted > there:
            raise Illegal(_too_many(options, pile.upper(), there, take, wanted), code="too_many")
    # both bounds are inclusive, and equal takes from both piles count twice (ruling 1)
    if not roll.low <= take.total <= roll.high:
        raise Illegal(
            say(
                "{roll}: {order}; {take} takes {number}.",
                roll=str(roll),
                order=allows(roll, options),
                take=str(take),
                number=take.total,
            ),
            code="above" if roll.coin == "HI" else "below",
        )
    # each player has at least one turn (ruling 5)
    if state.turn == 1 and take.total == sum(state.piles):
        raise Illegal(
            say(
                "The first move can't empty both piles, because each player gets at least one turn; {take} takes all.",
                take=str(take),
            ),
            code="first_takes_all",
        )


def _too_many(options: Options, pile: str, there: int, take: Take, wanted: int) -> str:
    stones, written = counted(there, options), str(take)
    if take.a and take.b and there:
        return say("Pile {pile} holds {stones}; {take} takes {number} from each.", pile=pile, stones=stones, take=written, number=wanted)
    if take.a and take.b:
        return say("Pile {pile} is empty; {take} takes {number} from each.", pile=pile, take=written, number=wanted)
    if there:
        return say("Pile {pile} holds {stones}; {take} takes {number}.", pile=pile, stones=stones, take=written, number=wanted)
    return say("Pile {pile} is empty; {take} takes {number}.", pile=pile, take=written, number=wanted)


def _read_take(options: Options, words: str) -> Take | None:
    """Return the take that the words name; None if they name none."""
    if both := _TWO_TAKES.fullmatch(words):
        a, b = both.group(1) or both.group(4), both.group(2) or both.group(3)
        # from both piles only as many from one as from the other (ruling 1)
        if a != b:
            raise Illegal(
                say("You can only take the same number from both piles, not {a} and {b}.", a=a, b=b),
                code="unequal",
                meant=[f"ab{a}", f"ab{b}"],
            )
        return _take(options, "ab", int(a))
    if take := _TAKE.fullmatch(words):
        return _take(options, "".join(sorted(take.group(1))), int(take.group(2)))
    if take := _TAKE_FROM.fullmatch(words):
        number, pile = take.groups()
        if pile == "both":
            message = say("Say whether you take {number} from each pile, or {number} from both together.", number=number)
            raise Ambiguous(message, code="both_or_each", meant=[f"ab{number}"])
        return _take(options, "ab" if pile == "each" else pile, int(number))
    if take := _TAKE_SOMEWHERE.fullmatch(words):
        number = take.group(1)
        raise Ambiguous(
            say("Say which pile you take {number} from, or whether from each.", number=number),
            code="which_pile",
            meant=[f"{piles}{number}" for piles in ("a", "b", "ab")],
        )
    return None


def _take(options: Options, piles: str, number: int) -> Take:
    if number == 0:
        nothing = (
            say("You can't take nothing. Take at least one coin.")
            if options.betting
            else say("You can't take nothing. Take at least one stone.")
        )
        raise Illegal(nothing, code="nothing", meant=[f"{piles}1"])
    return Take(number if "a" in piles else 0, number if "b" in piles else 0)


def _unreadable(text: str) -> Unreadable:
    return Unreadable(say("{text} isn't a move in TAKO; {how}.", text=shown(text), how=_HOW))
