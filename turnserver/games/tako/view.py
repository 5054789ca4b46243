"""How a position of TAKO looks, as text and as a picture, and how its story is told."""

from collections.abc import Sequence
from typing import assert_never

from turnserver.games.tako import picture
from turnserver.games.tako.phrases import allows, counted, purse, settlement
from turnserver.games.tako.position import (
    BLACK,
    PILES,
    SEAT_NAMES,
    WHITE,
    Add,
    Opening,
    Pass,
    Position,
    Step,
    Take,
    Throw,
    name,
    opponent,
)
from turnserver.games.tako.rules import TakoRules
from turnserver.rules import Over, Seat
from turnserver.text import joined, say


class TakoView:
    """TAKO's table for one choice of options."""

    seat_names = SEAT_NAMES

    def __init__(self, rules: TakoRules) -> None:
        """Look at games by these rules."""
        self._rules = rules
        self._options = rules.options

    def text(self, state: Position, last: Step | None = None) -> str:
        """The piles as rows with counts, the roll and what it allows, and what each player still has; at the end, the settlement."""
        over = self._over(state)
        lines = [self._pile(state, last, pile) for pile in (0, 1)]
        lines += ["", *self._situation(state, over), "", *self._players(state, over), "", self._legend(state, last)]
        if last is not None:
            lines.append(_last(state, last))
        return joined("\n", [*lines, ""])

    def tell(self, state: Position, step: Step) -> tuple[str, ...]:
        """What was rolled, taken, passed or added, what that leaves, and how the game ended if it did."""
        after = self._rules.apply(state, step)
        over = self._over(after)
        return (self._told(state, step, after), *(_ending(after, over) if over else ()))

    def svg(self, state: Position, last: Step | None = None, targets: Sequence[Step] = ()) -> str:
        """Rows of stones or coins, the roll as a coin and a die, the unused options; what was taken is an outline, numbers mark targets."""
        return picture.draw(picture.Scene(self._options, state, self._over(state), last, targets))

    def _over(self, state: Position) -> Over | None:
        pending = self._rules.next(state)
        return pending if isinstance(pending, Over) else None

    def _pile(self, state: Position, last: Step | None, pile: int) -> str:
        sign = "$" if self._options.betting else "o"
        there = [sign] * state.piles[pile]
        if isinstance(last, Take):
            there += "." * (last.a, last.b)[pile]
        if last == Add(pile):
            there[-1] = "+"
        return say(
            "{pile}  {stones:40}{number:>9}",
            pile=PILES[pile].upper(),
            stones=" ".join(there),
            number=counted(state.piles[pile], self._options),
        )

    def _situation(self, state: Position, over: Over | None) -> list[str]:
        """What was rolled and what may be done about it, or how the game ended."""
        if state.mover is None:
            return [say("Each player is about to roll a die. The higher roll starts.")]
        if state.roll is None:
            return [say("{who} is about to roll.", who=name(state.mover))]
        if over is not None:
            return list(_ending(state, over))
        roll, order = str(state.roll), allows(state.roll, self._options)
        rolled = (
            say("{who} passed on {roll}: {order}.", who=name(opponent(state.mover)), roll=roll, order=order)
            if state.passed
            else say("{who} rolled {roll}: {order}.", who=name(state.mover), roll=roll, order=order)
        )
        return [rolled, say("Open now: {moves}.", moves=self._open(state))]

    def _open(self, state: Position) -> str:
        """Every legal choice, takes as ranges: `a1 to a5, b1, pass`."""
        steps = self._rules.steps(state)
        takes = [step for step in steps if isinstance(step, Take)]
        ranges = ([one for one in takes if (one.a > 0, one.b > 0) == kind] for kind in ((True, False), (False, True), (True, True)))
        words = [_range(group[0], group[-1]) for group in ranges if group]
        return joined(", ", [*words, *(str(step) for step in steps if not isinstance(step, Take))])

    def _players(self, state: Position, over: Over | None) -> list[str]:
        betting = self._options.betting
        lines: list[str] = [say("          options left    purse, in coins") if betting else say("          options left")]
        for seat in (WHITE, BLACK):
            unused = state.unused[seat - 1]
            left = ", ".join(word for word, there in (("pass", unused.passing), ("add", unused.adding)) if there) or say("none")
            mark = "*" if seat == state.mover and over is None else ""
            lines.append(
                say("{who:6}{mark:4}{left:16}{coins}", who=name(seat), mark=mark, left=left, coins=purse(state, seat, over))
                if betting
                else say("{who:6}{mark:4}{left}", who=name(seat), mark=mark, left=left)
            )
        return lines

    def _legend(self, state: Position, last: Step | None) -> str:
        entries = [say("$ coin") if self._options.betting else say("o stone")]
        entries += [say(". taken last")] if isinstance(last, Take) else [say("+ added last")] if isinstance(last, Add) else []
        entries += [say("* on turn")] if state.mover is not None and not state.over else []
        return joined(", ", entries)

    def _told(self, state: Position, step: Step, after: Position) -> str:
        if isinstance(step, Opening):
            return _told_start(step)
        assert state.mover is not None  # noqa: S101  # only a roll for the start comes before there is a mover
        who = name(state.mover)
        match step:
            case Throw():
                return say("{who} rolled {roll}: {order}.", who=who, roll=str(step), order=allows(step, self._options))
            case Take():
                return self._told_take(who, step, after)
            case Pass():
                other, roll = name(opponent(state.mover)), str(state.roll)
                if state.passed:
                    return say("{who} passed {roll} back to {other}.", who=who, roll=roll, other=other)
                return say("{who} passed {roll} on to {other}.", who=who, roll=roll, other=other)
            case Add():
                return self._told_add(state, state.mover, step, after.piles[step.pile])
            case _:
                assert_never(step)

    def _told_take(self, who: str, take: Take, after: Position) -> str:
        a, b = after.piles
        stones = counted(take.a or take.b, self._options)
        if take.a and take.b:
            return say("{who} took {stones} from each pile, which leaves {a} in A and {b} in B.", who=who, stones=stones, a=a, b=b)
        pile = "A" if take.a else "B"
        return say("{who} took {stones} from pile {pile}, which leaves {a} in A and {b} in B.", who=who, stones=stones, pile=pile, a=a, b=b)

    def _told_add(self, state: Position, adder: Seat, add: Add, number: int) -> str:
        who, pile = name(adder), PILES[add.pile].upper()
        if not self._options.betting:
            return say("{who} added a stone to pile {pile}, which now holds {number}.", who=who, pile=pile, number=number)
        if state.purses[adder - 1]:
            return say("{who} added a coin from {who}'s purse to pile {pile}, which now holds {number}.", who=who, pile=pile, number=number)
        return say("{who} added a coin from the bank to pile {pile}, which now holds {number}.", who=who, pile=pile, number=number)


def _ending(state: Position, over: Over) -> tuple[str, ...]:
    (winner,) = over.winners
    won = say("{winner} made the last move and wins.", winner=name(winner))
    return (say("{reason}.", reason=over.reason), won, *settlement(state, over))


def _range(first: Take, last: Take) -> str:
    return str(first) if first == last else say("{first} to {last}", first=str(first), last=str(last))


def _told_start(roll: Opening) -> str:
    if roll.white == roll.black:
        return say("For the start both players rolled {number}, so they roll again.", number=roll.white)
    starter = WHITE if roll.white > roll.black else BLACK
    return say(
        "For the start White rolled {white} and Black {black}, so {who} begins.", white=roll.white, black=roll.black, who=name(starter)
    )


def _last(state: Position, last: Step) -> str:
    """The last step in its notation; a choice was made by whoever is not on turn now."""
    if isinstance(last, Opening):
        return say("Last roll, White's die before Black's: {roll}", roll=str(last))
    if isinstance(last, Throw) or state.mover is None:
        return say("Last roll: {roll}", roll=str(last))
    return say("Last move, by {who}: {move}", who=name(opponent(state.mover)), move=str(last))
