"""The kit that every game gets for nothing: free functions over the rules interface."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple

from turnserver.errors import Illegal, StepError, Unreadable
from turnserver.rules import Choose, Next, Over, Roll, Rules, SeveralSteps, StateT, StepT
from turnserver.rules.offers import quoted, rest_of_turn, with_offer
from turnserver.rules.writing import with_latin_squares
from turnserver.text import joined, say


class TurnText(NamedTuple, Generic[StateT, StepT]):
    """A turn that was read: its steps, the position after them, and the next choice or roll there."""

    steps: tuple[StepT, ...]
    state: StateT
    next: Next


def parse_turn(rules: Rules[StateT, StepT], state: StateT, text: str) -> TurnText[StateT, StepT]:
    """Read a whole turn, its steps parted by `;` or line breaks, all or nothing.

    A turn ends when the seat, the turn's number or the kind of the next action changes. Raises as `parse_steps` does, and Illegal if there
    are too few steps.
    """
    read = parse_steps(rules, state, text)
    # the same seat still has the same turn
    if read.next == rules.next(state):
        raise _too_few(rules, read.state, split_turn(text)[-1])
    return read


def parse_steps(rules: Rules[StateT, StepT], state: StateT, text: str) -> TurnText[StateT, StepT]:
    """Read a turn as far as it is given.

    Raises as `Rules.parse` does, with steps in the message that are legal in the place of the one that is not. Raises Unreadable if there
    is no step at all, and Illegal if there are too many or if nobody has to choose.
    """
    pending = rules.next(state)
    if isinstance(pending, Over):
        raise Illegal(say("The game is over."), code="over")
    if isinstance(pending, Roll):
        raise Illegal(say("Chance comes first: there is nothing to choose before the roll."), code="roll_first")
    texts = split_turn(text)
    if not texts:
        raise Unreadable(say("There is no move in that."))
    steps: list[StepT] = []
    after: Next = pending
    for part in texts:
        if after != pending:
            message = say('The turn ends with "{step}". Leave out what follows.', step=texts[len(steps) - 1])
            raise Illegal(message, code="too_many_steps")
        try:
            step = rules.parse(state, part)
        except StepError as refused:
            # what the rules said is part of the new error
            raise with_offer(rules, state, part, refused, begun=bool(steps)) from None
        state = rules.apply(state, step)
        steps.append(step)
        after = rules.next(state)
    return TurnText(tuple(steps), state, after)


def reads_as_turn(rules: Rules[StateT, StepT], state: StateT, text: str) -> bool:
    """Return whether the text contains a step, legal or not. A step that only a letter of another alphabet spoils counts too."""
    return any(_reads_as_step(rules, state, part) for part in split_turn(text))


def split_turn(text: str) -> list[str]:
    """Return the texts of a turn's steps."""
    return [part.strip() for part in re.split("[;\uff1b\n]", text) if part.strip()]


def replay_turn(rules: Rules[StateT, StepT], state: StateT, steps: Sequence[str]) -> tuple[StateT, StepT | None]:
    """Return the position after a turn that was legal according to the log, and the turn's last step (None if it has none).

    Raises Unreadable for text that is no notation at all.
    """
    step: StepT | None = None
    for text in steps:
        step = rules.replay(state, text)
        state = rules.apply(state, step)
    return state, step


def format_steps(rules: Rules[StateT, StepT], state: StateT, steps: Sequence[StepT]) -> tuple[str, ...]:
    """Return each step of a turn that begins in `state`, in canonical notation."""
    texts = []
    for at, step in enumerate(steps):
        # a step is written by the position before it, so nobody needs the one after the last
        if at:
            state = rules.apply(state, steps[at - 1])
        texts.append(rules.format(state, step))
    return tuple(texts)


def format_turn(rules: Rules[StateT, StepT], state: StateT, steps: Sequence[StepT]) -> str:
    """Write the steps of a turn in canonical notation joined by `; `, so that `parse_turn` reads them."""
    return "; ".join(format_steps(rules, state, steps))


def playout(
    rules: Rules[StateT, StepT], choose: Callable[[Sequence[StepT]], StepT], state: StateT | None = None
) -> Iterator[tuple[StateT, StepT]]:
    """Play from `state` (or the start) to the end, chance included. `choose` picks each step.

    Yields every position with the step chosen in it; the final position is `apply` of the last pair.
    """
    here = rules.start() if state is None else state
    while options := rules.steps(here):
        step = choose(options)
        yield here, step
        here = rules.apply(here, step)


def perft(rules: Rules[StateT, StepT], depth: int, state: StateT | None = None) -> int:
    """Return how many sequences of exactly `depth` steps there are from `state` (or the start).

    A game that ends earlier counts for nothing, as is the custom in computer chess.
    """
    here = rules.start() if state is None else state
    if depth == 0:
        return 1
    options = rules.steps(here)
    if depth == 1:
        return len(options)
    return sum(perft(rules, depth - 1, rules.apply(here, step)) for step in options)


def example_turns(rules: Rules[StateT, StepT], state: StateT, count: int = 3) -> tuple[str, ...]:
    """Return up to `count` turns that are legal now, spread evenly over the canonical list of first steps. Empty if nobody has to choose.

    The result is always the same for the same position. A turn of several steps goes on to the hand-over as `rest_of_turn` has it.
    """
    pending = rules.next(state)
    if not isinstance(pending, Choose):
        return ()
    options = rules.steps(state)
    count = min(count, len(options))
    return tuple(_complete(rules, state, options[(2 * index + 1) * len(options) // (2 * count)], pending) for index in range(count))


def _too_few(rules: Rules[StateT, StepT], state: StateT, last: str) -> Illegal:
    assert isinstance(rules, SeveralSteps)  # noqa: S101  # in any other game one step is enough
    rest = format_turn(rules, state, rest_of_turn(rules, state))
    told = (
        say('The turn isn\'t over with "{step}".', step=last),
        rules.missing(state),
        say("Add, for example, {steps}.", steps=quoted(rest)),
    )
    return Illegal(joined(" ", told), code="too_few_steps")


def _reads_as_step(rules: Rules[StateT, StepT], state: StateT, text: str) -> bool:
    try:
        rules.parse(state, text)
    except Unreadable:
        # somebody whose keyboard writes another alphabet meant a step; as talk it would be ignored in silence
        latin = with_latin_squares(text)
        return latin is not None and _reads_as_step(rules, state, latin)
    except StepError:
        return True
    return True


def _complete(rules: Rules[StateT, StepT], start: StateT, first: StepT, pending: Choose) -> str:
    state = rules.apply(start, first)
    rest = rest_of_turn(rules, state) if rules.next(state) == pending else []
    return format_turn(rules, start, [first, *rest])
