"""How a position of TAKO looks, as text and as a picture, and how its story is told."""

from collections.abc import Sequence
from typing import assert_never

from turnserver.games.tako import picture
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
from turnserver.games.tako.words import allows, counted, purse, settlement
from turnserver.rules import Over, Seat

_ROOM = 40


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
        return "\n".join(lines) + "\n"

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
        return f"{PILES[pile].upper()}  {' '.join(there):{_ROOM}}{counted(state.piles[pile], self._options.unit):>9}"

    def _situation(self, state: Position, over: Over | None) -> list[str]:
        """What was rolled and what may be done about it, or how the game ended."""
        if state.mover is None:
            return ["Each player is about to roll a die. The higher roll starts."]
        if state.roll is None:
            return [f"{name(state.mover)} is about to roll."]
        if over is not None:
            return list(_ending(state, over))
        origin = f"{name(opponent(state.mover))} passed on" if state.passed else f"{name(state.mover)} rolled"
        return [f"{origin} {state.roll}: {allows(state.roll, self._options.unit)}.", f"Open now: {self._open(state)}."]

    def _open(self, state: Position) -> str:
        """Every legal choice, takes as ranges: `a1 to a5, b1, pass`."""
        steps = self._rules.steps(state)
        takes = [step for step in steps if isinstance(step, Take)]
        ranges = ([one for one in takes if (one.a > 0, one.b > 0) == kind] for kind in ((True, False), (False, True), (True, True)))
        words = [f"{group[0]} to {group[-1]}" if len(group) > 1 else str(group[0]) for group in ranges if group]
        return ", ".join([*words, *(str(step) for step in steps if not isinstance(step, Take))])

    def _players(self, state: Position, over: Over | None) -> list[str]:
        lines = [f"{'':10}{'options left':16}{'purse, in coins' if self._options.betting else ''}".rstrip()]
        for seat in (WHITE, BLACK):
            unused = state.unused[seat - 1]
            left = ", ".join(word for word, there in (("pass", unused.passing), ("add", unused.adding)) if there) or "none"
            mark = "*" if seat == state.mover and over is None else ""
            coins = purse(state, seat, over) if self._options.betting else ""
            lines.append(f"{name(seat):6}{mark:4}{left:16}{coins}".rstrip())
        return lines

    def _legend(self, state: Position, last: Step | None) -> str:
        entries = ["$ coin" if self._options.betting else "o stone"]
        entries += [". taken last"] if isinstance(last, Take) else ["+ added last"] if isinstance(last, Add) else []
        entries += ["* on turn"] if state.mover is not None and not state.over else []
        return ", ".join(entries)

    def _told(self, state: Position, step: Step, after: Position) -> str:
        unit = self._options.unit
        if isinstance(step, Opening):
            return _told_start(step)
        assert state.mover is not None  # noqa: S101  # only a roll for the start comes before there is a mover
        who = name(state.mover)
        match step:
            case Throw():
                return f"{who} rolled {step}: {allows(step, unit)}."
            case Take():
                return f"{who} took {_taken(step, unit)}, which leaves {after.piles[0]} in A and {after.piles[1]} in B."
            case Pass():
                return f"{who} passed {state.roll} {'back' if state.passed else 'on'} to {name(opponent(state.mover))}."
            case Add():
                origin = f" from {self._source(state, state.mover)}" if self._options.betting else ""
                return f"{who} added a {unit}{origin} to pile {PILES[step.pile].upper()}, which now holds {after.piles[step.pile]}."
            case _:
                assert_never(step)

    def _source(self, state: Position, adder: Seat) -> str:
        return f"{name(adder)}'s purse" if state.purses[adder - 1] else "the bank"


def _ending(state: Position, over: Over) -> tuple[str, ...]:
    (winner,) = over.winners
    return (f"{over.reason}.", f"{name(winner)} made the last move and wins.", *settlement(state, over))


def _taken(take: Take, unit: str) -> str:
    if take.a and take.b:
        return f"{counted(take.a, unit)} from each pile"
    return f"{counted(take.total, unit)} from pile {'A' if take.a else 'B'}"


def _told_start(roll: Opening) -> str:
    if roll.white == roll.black:
        return f"For the start both players rolled {roll.white}, so they roll again."
    starter = WHITE if roll.white > roll.black else BLACK
    return f"For the start White rolled {roll.white} and Black {roll.black}, so {name(starter)} begins."


def _last(state: Position, last: Step) -> str:
    """The last step in its notation; a choice was made by whoever is not on turn now."""
    if isinstance(last, Opening):
        return f"Last roll, White's die before Black's: {last}"
    if isinstance(last, Throw) or state.mover is None:
        return f"Last roll: {last}"
    return f"Last move, by {name(opponent(state.mover))}: {last}"
