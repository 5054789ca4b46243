"""Words for people: names, times and lines."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnserver.mail.language import language
from turnserver.mail.rulesheet import Block, blocks
from turnserver.mail.wording import date_and_time, lines_of, one_line, record_time, short_time, span, until, wrap

AT = datetime(2026, 11, 24, 23, 5, 59, tzinfo=UTC)
HOUR = 3_600
DAY = 24 * HOUR


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Ada", "Ada"),
        ("  Ada \t Bee  ", "Ada Bee"),
        ("Ada\r\nBcc: eve@example.org", "Ada Bcc: eve@example.org"),
        ("Ada\u2028Bee\u202egnp\x00", "Ada Bee gnp"),
        ("Zoë Łukasz 李", "Zoë Łukasz 李"),
        ("x" * 61, "x" * 59 + "…"),
    ],
)
def test_a_name_becomes_one_harmless_line(text: str, line: str) -> None:
    assert one_line(text) == line


@given(st.text())
def test_a_line_never_breaks_and_is_stable(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert len(line) <= 60
    assert one_line(line) == line


def test_words_keep_their_lines() -> None:
    assert lines_of("one\r\n\r\n two \x07\nthree" + "x" * 5000) == "one\ntwo\nthree" + "x" * (4000 - len("one\r\n\r\n two \x07\nthree"))


@given(st.text(max_size=400), st.sampled_from(["", "| ", "  e.g. "]))
def test_wrapped_text_stays_within_72_columns(text: str, first: str) -> None:
    assert all(len(line) <= 72 for line in wrap(text, first, " " * len(first)).splitlines())


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        ("UTC", "Tuesday 24 November 2026, 23:05 (UTC)"),
        ("Europe/Berlin", "Wednesday 25 November 2026, 00:05 (Europe/Berlin)"),
        ("America/New_York", "Tuesday 24 November 2026, 18:05 (America/New_York)"),
        ("Asia/Kathmandu", "Wednesday 25 November 2026, 04:50 (Asia/Kathmandu)"),
        ("Nowhere/Atall", "Tuesday 24 November 2026, 23:05 (UTC)"),
        ("../../etc/passwd", "Tuesday 24 November 2026, 23:05 (UTC)"),
        ("", "Tuesday 24 November 2026, 23:05 (UTC)"),
    ],
)
def test_an_instant_is_shown_in_the_readers_zone(zone: str, words: str) -> None:
    assert date_and_time(AT, zone) == words


def test_short_times() -> None:
    assert (short_time(AT, "Europe/Berlin"), record_time(AT, "Europe/Berlin")) == ("Wed 25 Nov, 00:05", "2026-11-25 00:05")


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (timedelta(days=3), "3 days"),
        (timedelta(days=2, hours=23, minutes=59), "2 days 23 hours"),
        (timedelta(days=1, hours=1), "1 day 1 hour"),
        (timedelta(days=1, minutes=59), "1 day"),
        (timedelta(hours=23, minutes=1), "23 hours 1 minute"),
        (timedelta(minutes=59, seconds=59), "59 minutes"),
        (timedelta(seconds=59), "less than a minute"),
    ],
)
def test_a_span_is_rounded_down(length: timedelta, words: str) -> None:
    assert span(length) == words


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (3 * DAY - 5, "in 3 days"),
        (3 * DAY - HOUR // 2 - 60, "in 2 days 23 hours"),
        (DAY - 29, "in 1 day"),
        (DAY - 31, "in 23 hours 59 minutes"),
        (HOUR + 29, "in 1 hour"),
        (89, "in 1 minute"),
        (29, "in less than a minute"),
        (1, "in less than a minute"),
        (0, "the time is up"),
        (-9, "the time is up"),
    ],
)
def test_time_that_is_left(left: int, words: str) -> None:
    assert until(AT + timedelta(seconds=left), AT) == words


@pytest.mark.parametrize(
    ("words", "german"),
    [
        (date_and_time(AT, "Europe/Berlin"), "Mittwoch, 25. November 2026, 00:05\u00a0Uhr (Europe/Berlin)"),
        (short_time(AT, "Europe/Berlin"), "Mi. 25.11., 00:05\u00a0Uhr"),
        (span(timedelta(days=2, hours=1)), "2 Tage 1 Stunde"),
        (span(timedelta(seconds=59)), "weniger als eine Minute"),
        (until(AT + timedelta(minutes=61), AT), "noch 1 Stunde 1 Minute"),
        (until(AT, AT), "die Zeit ist abgelaufen"),
    ],
)
def test_times_in_german(words: str, german: str) -> None:
    assert language("de").told(words) == german


RULES = """# Chess

A game for
**two**, see [the site](https://example.org).

- `size`: of the
  board
* a *better* item

   Why: because.
2. second

```
turn = row ;

| bar
```
    e4
| a | b |
"""


def test_a_rule_sheet_is_cut_into_blocks() -> None:
    assert blocks(RULES) == (
        Block("heading", "Chess"),
        Block("paragraph", "A game for two, see the site."),
        Block("item", "size: of the board", "-"),
        Block("item", "a better item", "-"),
        Block("paragraph", "Why: because."),
        Block("item", "second", "2."),
        Block("code", "turn = row ;"),
        Block("code", "| bar"),
        Block("code", "e4"),
        Block("code", "| a | b |"),
    )


@given(st.text(alphabet="ab *`#-1.|\n ", max_size=200))
def test_any_text_is_cut_without_an_error(text: str) -> None:
    assert all(block.text for block in blocks(text) if block.kind == "code")
