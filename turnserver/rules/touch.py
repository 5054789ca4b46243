"""Touching a board: a step is said by touching places one after the other, such as the square of a piece and the square it goes to.

A game says which touches play a step, and where its places lie in the picture: see `View`. All else that a page asks for is here: what can
follow the touches so far, what they play, and why they play nothing. Nothing here knows of HTML.
"""

from typing import Generic, NamedTuple

from turnserver.errors import StepError
from turnserver.rules import Choose, Rules, StateT, StepT, View
from turnserver.rules.place import Touches
from turnserver.text import say

Touches: TypeAlias = tuple[str, ...]
"""The names of places in the order in which they are touched."""

Outline: TypeAlias = tuple[Point, ...]
"""The corners of a convex area in the coordinates of a picture."""

SMALLEST: Final = 24 / 360 * WIDTH
"""The least width and height of a place in a picture that is `svg.WIDTH` wide: 24 pixels on a phone of 360 (WCAG 2.2, 2.5.8)."""


@dataclass(frozen=True, slots=True)
class Place:
    """Something to touch: a part of the picture, or a button beside the board if it has no outline."""

    words: str
    """The place and what is there, for a screen reader, and the words on a button: `c4, red stone`."""
    outline: Outline = ()
    """The area in the picture. Empty for a button."""

    @property
    def centre(self) -> Point:
        """Return the middle of the area that the outline spans. Defined for a place in the picture."""
        across, down = zip(*self.outline, strict=True)
        return (min(across) + max(across)) / 2, (min(down) + max(down)) / 2


def rectangle(x: float, y: float, width: float, height: float) -> Outline:
    """Return a rectangle by its upper left corner, as `svg.rect` draws it."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


class Touchable(Protocol[StateT_contra, StepT_contra]):
    """The part of a view that makes its board one to play on by touch. Positions are those in which a seat has to choose."""

    def touches(self, state: StateT_contra, step: StepT_contra) -> Sequence[Touches]:
        """Return every sequence of touches that plays a legal step, at least one, the most natural one first.

        Other names of a place and either order, where order means nothing, are sequences too. A sequence may begin a longer one, and
        several steps may share one: they are then offered by their notation.
        """

    def places(self, state: StateT_contra, touched: Touches = ()) -> Mapping[str, Place]:
        """Return all places that can be touched next, by name, after those that are `touched`; also those that no step goes on with.

        The names of squares are those of the notation. Places that a step goes on with do not overlap, and lie above the others. Where one
        is smaller than `SMALLEST`, its steps have other sequences too, of larger places or of buttons. Empty after a step that never goes on.
        """

    def written(self, state: StateT_contra, touched: Touches) -> str:
        """Return the step that somebody would write who touches these places, legal or not, for `Rules.parse` to refuse it."""


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
