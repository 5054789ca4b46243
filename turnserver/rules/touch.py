"""Touching a board: a step is said by touching places one after the other, such as the square of a piece and the square it goes to.

A game says which touches play a step, and where its places lie in the picture: see `View`. All else that a page asks for is here: what can
follow the touches so far, what they play, and why they play nothing. Nothing here knows of HTML.
"""

from typing import Generic, NamedTuple

from turnserver.errors import StepError
from turnserver.rules import Choose, Rules, StateT, StepT, View
from turnserver.rules.place import Touches
from turnserver.text import say


class Reach(NamedTuple, Generic[StepT]):
    """The meaning of some touches in a position."""

    steps: tuple[StepT, ...]
    """The steps that these touches play, in canonical order. Several differ in something that cannot be touched."""
    follow: tuple[str, ...]
    """The names of the places that go on towards some step, in the order of the steps."""


def reach(rules: Rules[StateT, StepT], view: View[StateT, StepT], state: StateT, touched: Touches) -> Reach[StepT]:
    """Return what some touches play, and what may follow them. Nothing at all for touches that lead nowhere, or if nobody has to choose."""
    if not isinstance(rules.next(state), Choose):
        return Reach((), ())
    steps: list[StepT] = []
    follow: dict[str, None] = {}
    length = len(touched)
    for step in rules.steps(state):
        plays = False
        for sequence in view.touches(state, step):
            if sequence[:length] == touched:
                if len(sequence) == length:
                    plays = True
                else:
                    follow[sequence[length]] = None
        if plays:
            steps.append(step)
    return Reach(tuple(steps), tuple(follow))


def why_not(rules: Rules[StateT, StepT], view: View[StateT, StepT], state: StateT, touched: Touches) -> str:
    """Return why these touches, which lead nowhere, do not play anything: a sentence as `Rules.parse` refuses a written step."""
    try:
        rules.parse(state, view.written(state, touched))
    except StepError as refused:
        return refused.message
    # what was written is a step, but its touches are others: only a view that breaks its promise gets here
    return say("Nothing can be played there.")
