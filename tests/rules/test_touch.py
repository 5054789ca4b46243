"""The meaning of touches, told from what a view says of each step."""

from collections.abc import Mapping, Sequence

import pytest

from tests.cases import for_each
from tests.play import small_games
from tests.play.small_games import Heap
from turnserver.rules import View
from turnserver.rules.place import SMALLEST, Place, Touches, rectangle
from turnserver.rules.touch import reach, why_not
from turnserver.text import say

NIM = small_games.find("nim", heap=3)
DICE = small_games.find("dice", dice_from=1)
SEQUENCES: Mapping[int, Sequence[Touches]] = {
    1: [("heap",), ("one",)],
    2: [("heap", "more"), ("heap", "other")],
    3: [("heap", "more"), ("heap", "more", "more")],
}
"""A step that begins another, one that shares its touches with another, and several sequences for each."""


class Fingers(small_games.Tally):
    """A heap that is touched as often as it is told above."""

    def touches(self, state: Heap, step: int) -> Sequence[Touches]:  # noqa: ARG002  # the same in every position
        return SEQUENCES[step]

    def places(self, state: Heap, touched: Touches = ()) -> Mapping[str, Place]:  # noqa: ARG002  # as above
        return {name: Place(say("Heap")) for name in ("heap", "one", "more", "other", "all")}

    def written(self, state: Heap, touched: Touches) -> str:  # noqa: ARG002  # as above
        return {"all": "9", "one": "1"}.get(touched[-1], "-".join(touched))


VIEW: View[Heap, int] = Fingers(small_games.COLOURS)
TALLY: View[Heap, int] = small_games.Tally(small_games.COLOURS)


@for_each(
    ("touched", "steps", "follow"),
    [
        pytest.param((), (), ("heap", "one"), id="nothing yet"),
        pytest.param(("heap",), (1,), ("more", "other"), id="a step that others begin with"),
        pytest.param(("one",), (1,), (), id="another sequence for it"),
        pytest.param(("heap", "other"), (2,), (), id="a step alone"),
        pytest.param(("heap", "more"), (2, 3), ("more",), id="two steps, of which one goes on"),
        pytest.param(("heap", "more", "more"), (3,), (), id="to its end"),
        pytest.param(("more",), (), (), id="in the middle of a sequence"),
        pytest.param(("heap", "other", "more"), (), (), id="beyond an end"),
    ],
)
def test_touches_reach_what_they_play_and_what_can_follow(touched: Touches, steps: tuple[int, ...], follow: tuple[str, ...]) -> None:
    assert reach(NIM.rules, VIEW, NIM.rules.start(), touched) == (steps, follow)


def test_a_step_that_is_not_legal_is_not_reached() -> None:
    assert reach(NIM.rules, VIEW, NIM.rules.apply(NIM.rules.start(), 1), ("heap", "more")) == ((2,), ())


def test_nothing_is_touched_where_nobody_has_to_choose() -> None:
    over = NIM.rules.apply(NIM.rules.start(), 3)
    assert reach(NIM.rules, VIEW, over, ()) == ((), ())
    rolling = DICE.rules.start()
    assert DICE.rules.steps(rolling)
    assert reach(DICE.rules, VIEW, rolling, ()) == ((), ())


@pytest.mark.parametrize(
    ("touched", "reason"),
    [
        pytest.param(("all",), "You cannot take 9 of 3.", id="against the rules"),
        pytest.param(("heap", "heap"), "A move is a number.", id="no step"),
        pytest.param(("more", "one"), "Nothing can be played there.", id="a step, but not by these touches"),
    ],
)
def test_touches_that_lead_nowhere_are_refused_as_steps_are(touched: Touches, reason: str) -> None:
    assert why_not(NIM.rules, VIEW, NIM.rules.start(), touched) == reason


def test_a_heap_is_taken_from_by_buttons() -> None:
    state = NIM.rules.apply(NIM.rules.start(), 1)
    assert reach(NIM.rules, TALLY, state, ()) == ((), ("1", "2"))
    assert reach(NIM.rules, TALLY, state, ("2",)) == ((2,), ())
    assert {name: place.words for name, place in TALLY.places(state).items()} == {"1": "Take 1", "2": "Take 2", "3": "Take 3"}
    assert why_not(NIM.rules, TALLY, state, ("3",)) == "You cannot take 3 of 2."
    assert TALLY.places(state, ("2",)) == {}


def test_a_place_has_its_centre_in_the_middle_of_what_it_spans() -> None:
    assert Place("a", rectangle(10, 20, 4, 6)).centre == (12, 23)
    assert Place("a", ((0, 0), (8, 2), (4, 6))).centre == (4, 3)


def test_the_smallest_place_is_24_of_360() -> None:
    assert pytest.approx(128 / 3) == SMALLEST
