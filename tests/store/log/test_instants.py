from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from tests.store.scene import day
from turnserver.store.log.statement import instant, optional_instant, optional_stamp, stamp

INSTANTS = st.builds(
    lambda seconds, micro, hours: (day(0) + timedelta(seconds=seconds, microseconds=micro)).astimezone(timezone(timedelta(hours=hours))),
    st.integers(-60_000_000_000, 200_000_000_000),
    st.integers(0, 999_999),
    st.integers(-23, 23),
)


@for_each(
    ("given_", "text"),
    [
        (datetime(2026, 3, 1, 9, 30, tzinfo=UTC), "2026-03-01T09:30:00.000000Z"),
        (datetime(2026, 3, 1, 9, 30, 0, 7, tzinfo=UTC), "2026-03-01T09:30:00.000007Z"),
        (datetime(2026, 3, 1, 1, 30, tzinfo=timezone(timedelta(hours=2))), "2026-02-28T23:30:00.000000Z"),
        (datetime(987, 3, 1, tzinfo=UTC), "0987-03-01T00:00:00.000000Z"),
    ],
)
def test_an_instant_has_one_spelling(given_: datetime, text: str) -> None:
    assert stamp(given_) == text
    assert instant(text) == given_
    assert instant(text).tzinfo is UTC


@given(INSTANTS, INSTANTS)
def test_text_compares_like_time(one: datetime, other: datetime) -> None:
    assert instant(stamp(one)) == one
    assert (stamp(one) < stamp(other)) == (one < other)


def test_a_naive_datetime_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        stamp(datetime(2026, 3, 1))  # noqa: DTZ001  # the point of the test


@for_each(
    "text",
    [
        "2026-03-01T09:30:00.000000+00:00",
        "2026-03-01 09:30:00.000000Z",
        "2026-03-01T09:30:00Z",
        "2026-02-30T09:30:00.000000Z",
        "2026-03-01T09:30:00.00000aZ",
        "",
    ],
)
def test_other_spellings_are_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # the sentence is ours or the standard library's
        instant(text)


def test_a_missing_instant_stays_missing() -> None:
    assert optional_stamp(None) is None
    assert optional_instant(None) is None
