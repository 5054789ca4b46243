"""Words for people: names, times and lines."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from turnserver.audit.past import read_time
from turnserver.mail.outbound.language import (
    beginning,
    date_and_time,
    deadline_time,
    ending,
    language,
    lines_of,
    listed_time,
    one_line,
    record_time,
    short_time,
    span,
    until,
    wrap,
)
from turnserver.mail.outbound.markdown import Block, blocks

AT = datetime(2026, 11, 24, 23, 5, 59, tzinfo=UTC)
HOUR = 3_600
DAY = 24 * HOUR


@for_each(
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


@for_each("quote", ['"challenge Bob in league-1"', "„herausfordern Bob in league-1“"])
def test_a_quoted_command_stays_on_one_line(quote: str) -> None:
    for width in range(50):
        assert quote in wrap(f"{'x' * width} To play for a place, reply {quote}, in a line of its own.")


def test_of_several_quoted_commands_no_word_is_broken() -> None:
    told = "Say which one to cancel: " + ", ".join(f'"vacation off {number}"' for number in range(1, 9))
    assert " ".join(wrap(told).split()) == told
    assert " ".join(wrap(f'{"x" * 30} "{"vacation " * 5}"').split()) == f'{"x" * 30} "{"vacation " * 5}"'


@given(st.text(max_size=400), st.sampled_from(["", "| ", "  e.g. "]))
def test_wrapped_text_stays_within_72_columns(text: str, first: str) -> None:
    assert all(len(line) <= 72 for line in wrap(text, first, " " * len(first)).splitlines())


@for_each(
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


TWICE = datetime(2027, 10, 31, 0, 30, tzinfo=UTC)
"""Half past two in the night in which clocks in Berlin are set back; an hour later it is half past two again."""


@for_each(
    ("at", "zone", "words"),
    [
        (TWICE, "Europe/Berlin", "Sun 31 Oct, 02:30 +02:00"),
        (TWICE + timedelta(hours=1), "Europe/Berlin", "Sun 31 Oct, 02:30 +01:00"),
        (TWICE - timedelta(minutes=31), "Europe/Berlin", "Sun 31 Oct, 01:59"),
        (TWICE + timedelta(minutes=90), "Europe/Berlin", "Sun 31 Oct, 03:00"),
        (TWICE + timedelta(minutes=45), "Europe/London", "Sun 31 Oct, 01:15 +00:00"),
        (TWICE + timedelta(hours=1), "UTC", "Sun 31 Oct, 01:30"),
        (datetime(2027, 4, 3, 15, tzinfo=UTC), "Australia/Lord_Howe", "Sun 4 Apr, 01:30 +10:30"),
        (datetime(2027, 3, 28, 0, 59, tzinfo=UTC), "Europe/Berlin", "Sun 28 Mar, 01:59"),
        (datetime(2027, 3, 28, 1, tzinfo=UTC), "Europe/Berlin", "Sun 28 Mar, 03:00"),
    ],
)
def test_an_hour_that_comes_twice_has_its_offset(at: datetime, zone: str, words: str) -> None:
    assert short_time(at, zone) == words


def test_whatever_names_an_hour_that_comes_twice_has_its_offset() -> None:
    zone = "Europe/Berlin"
    told = [tell(TWICE, zone) for tell in (date_and_time, deadline_time, beginning, ending, record_time, listed_time)]
    assert told == [
        "Sunday 31 October 2027, 02:30 +02:00 (Europe/Berlin)",
        "Sun 31 Oct, 02:30 +02:00 (Europe/Berlin)",
        "Sun 31 Oct 2027, 02:30 +02:00",
        "Sun 31 Oct 2027, 02:30 +02:00",
        "2027-10-31 02:30+02:00",
        "2027-10-31 02:30 +02:00",
    ]
    havana = datetime(2026, 11, 1, 4, tzinfo=UTC), datetime(2026, 11, 1, 5, tzinfo=UTC)
    assert [beginning(at, "America/Havana") for at in havana] == ["Sun 1 Nov 2026", "Sun 1 Nov 2026, 00:00 -05:00"]


def test_what_we_write_can_be_read_back_also_in_an_hour_that_comes_twice() -> None:
    for at in (TWICE, TWICE + timedelta(hours=1)):
        assert read_time(record_time(at, "Europe/Berlin"), "Europe/Berlin").begins == at


def test_short_times() -> None:
    assert (short_time(AT, "Europe/Berlin"), record_time(AT, "Europe/Berlin")) == ("Wed 25 Nov, 00:05", "2026-11-25 00:05")


@for_each(
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


@for_each(
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


@for_each(
    ("words", "german"),
    [
        (date_and_time(AT, "Europe/Berlin"), "Mittwoch, 25. November 2026, 00:05\u00a0Uhr (Europe/Berlin)"),
        (short_time(AT, "Europe/Berlin"), "Mi. 25.11., 00:05\u00a0Uhr"),
        (deadline_time(AT, "Europe/Berlin"), "Mi. 25.11., 00:05\u00a0Uhr (Europe/Berlin)"),
        (deadline_time(TWICE, "Europe/Berlin"), "So. 31.10., 02:30\u00a0Uhr +02:00 (Europe/Berlin)"),
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
