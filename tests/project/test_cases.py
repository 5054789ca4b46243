"""Cases that share an item: each is tried, and those that fail are named."""

import pytest

from tests.cases import for_each


@for_each("number", [1, 2, pytest.param(3, id="three"), 4, 5])
@for_each(("other",), [(6,)], ids=["six"])
def even(number: int, other: int, *, seen: list[int]) -> None:
    seen.append(number)
    assert (number + other) % 2 == 0


def test_every_case_is_tried_and_those_that_fail_are_named() -> None:
    seen: list[int] = []
    with pytest.raises(AssertionError) as failed:
        even(seen=seen)
    assert seen == [1, 2, 3, 4, 5]
    assert failed.value.__notes__ == ["1 of 1 cases fail:\nsix", "3 of 5 cases fail:\n1\nthree\n5"]


def test_a_case_with_marks_is_refused() -> None:
    with pytest.raises(AssertionError, match="an item of its own"):
        for_each("number", [pytest.param(1, marks=pytest.mark.long)])
