"""Time controls: how people write them, what they say, and the arithmetic of each by figures made by hand."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from turnserver.errors import BadOption
from turnserver.play.clock.controls import (
    PRESETS,
    Bank,
    Byoyomi,
    Control,
    FixedHour,
    Increment,
    PerMove,
    TimeControl,
    Total,
    Unlimited,
    after,
    allowance,
    described,
    first,
    parse,
    written,
)
from turnserver.play.clock.live_time import Calendar, LiveTime, Off

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
NOTHING = timedelta(0)

STANDARD = Increment(5 * DAY, 36 * HOUR, 10 * DAY)
TOTAL = Total(60 * DAY)
BYOYOMI = Byoyomi(20 * DAY, 5, 2 * DAY)
EVENING = FixedHour(time(20), "Europe/Berlin", DAY)
THREE_DAYS = PerMove(3, NOTHING)

READ = [
    # what somebody writes, what it is, and how it is written
    ("3d", TimeControl(THREE_DAYS), "3d"),
    ("3 days", TimeControl(THREE_DAYS), "3d"),
    (" 3 D per Move ", TimeControl(THREE_DAYS), "3d"),
    ("3d a turn", TimeControl(THREE_DAYS), "3d"),
    ("2w", TimeControl(PerMove(14, NOTHING)), "14d"),
    ("1 week 2 days", TimeControl(PerMove(9, NOTHING)), "9d"),
    ("60d", TimeControl(PerMove(60, NOTHING)), "60d"),
    ("1d12h", TimeControl(PerMove(1, 12 * HOUR)), "1d12h"),
    ("1 day 12 hours", TimeControl(PerMove(1, 12 * HOUR)), "1d12h"),
    ("1d36h", TimeControl(PerMove(1, 36 * HOUR)), "1d36h"),
    ("36h", TimeControl(PerMove(0, 36 * HOUR)), "36h"),
    ("24h", TimeControl(PerMove(0, DAY)), "24h"),
    ("90 min", TimeControl(PerMove(0, 90 * MINUTE)), "1h30m"),
    ("60 minutes", TimeControl(PerMove(0, HOUR)), "1h"),
    ("366d", TimeControl(PerMove(366, NOTHING)), "366d"),
    ("5d+36h cap 10d", TimeControl(STANDARD), "5d+36h cap 10d"),
    ("5 days + 36 hours cap 10 days", TimeControl(STANDARD), "5d+36h cap 10d"),
    ("5d + 1d12h up to 10d", TimeControl(STANDARD), "5d+36h cap 10d"),
    ("5D+36H CAP 5D", TimeControl(Increment(5 * DAY, 36 * HOUR, 5 * DAY)), "5d+36h cap 5d"),
    ("5d+3d12h", TimeControl(Increment(5 * DAY, 84 * HOUR, 10 * DAY)), "5d+3d12h cap 10d"),
    ("200d+1d", TimeControl(Increment(200 * DAY, DAY, 366 * DAY)), "200d+24h cap 366d"),
    ("60d in all", TimeControl(TOTAL), "60d in all"),
    ("60 days total", TimeControl(TOTAL), "60d in all"),
    ("60d in total", TimeControl(TOTAL), "60d in all"),
    ("total 60d", TimeControl(TOTAL), "60d in all"),
    ("20d then 5x2d", TimeControl(BYOYOMI), "20d then 5x2d"),
    ("20 days then 5 X 48 hours", TimeControl(BYOYOMI), "20d then 5x2d"),
    ("20d then 1x1d", TimeControl(Byoyomi(20 * DAY, 1, DAY)), "20d then 1x24h"),
    ("next 20:00 Europe/Berlin, at least 24h", TimeControl(EVENING), "next 20:00 Europe/Berlin, at least 24h"),
    ("Next 20:00 europe/berlin", TimeControl(EVENING), "next 20:00 Europe/Berlin, at least 24h"),
    ("next 9:05, AT LEAST 2 days", TimeControl(FixedHour(time(9, 5), "Asia/Tokyo", 2 * DAY)), "next 09:05 Asia/Tokyo, at least 2d"),
    ("no limit", TimeControl(Unlimited()), "no limit"),
    ("No time  limit", TimeControl(Unlimited()), "no limit"),
    ("unlimited", TimeControl(Unlimited()), "no limit"),
    ("3 days/move", TimeControl(THREE_DAYS), "3d"),
    ("3d / turn", TimeControl(THREE_DAYS), "3d"),
    ("three days per move", TimeControl(THREE_DAYS), "3d"),
    ("36 hrs", TimeControl(PerMove(0, 36 * HOUR)), "36h"),
    ("36 hrs. per move", TimeControl(PerMove(0, 36 * HOUR)), "36h"),
    ("1 hr 30 mins", TimeControl(PerMove(0, 90 * MINUTE)), "1h30m"),
    ("2 wks", TimeControl(PerMove(14, NOTHING)), "14d"),
    ("a week", TimeControl(PerMove(7, NOTHING)), "7d"),
    ("One week per move", TimeControl(PerMove(7, NOTHING)), "7d"),
    ("max 10d", TimeControl(PerMove(10, NOTHING)), "10d"),
    ("at most two days a move", TimeControl(PerMove(2, NOTHING)), "2d"),
    ("5d+36h max 10d", TimeControl(STANDARD), "5d+36h cap 10d"),
    ("5d + 36h, maximum 10 days", TimeControl(STANDARD), "5d+36h cap 10d"),
    ("5d + 36h at most 10d", TimeControl(STANDARD), "5d+36h cap 10d"),
    ("20d + 5x2d", TimeControl(BYOYOMI), "20d then 5x2d"),
    ("20 days, then 5x2 days", TimeControl(BYOYOMI), "20d then 5x2d"),
    ("20d and then 5x2d", TimeControl(BYOYOMI), "20d then 5x2d"),
    ("20 days, and 5x2 days", TimeControl(BYOYOMI), "20d then 5x2d"),
    ("20 days plus 5 x 2 days", TimeControl(BYOYOMI), "20d then 5x2d"),
    ("20:00 daily", TimeControl(FixedHour(time(20), "Asia/Tokyo", DAY)), "next 20:00 Asia/Tokyo, at least 24h"),
    ("daily at 20:00", TimeControl(FixedHour(time(20), "Asia/Tokyo", DAY)), "next 20:00 Asia/Tokyo, at least 24h"),
    ("daily at 20 o'clock", TimeControl(FixedHour(time(20), "Asia/Tokyo", DAY)), "next 20:00 Asia/Tokyo, at least 24h"),
    ("every day 20:00 o'clock", TimeControl(FixedHour(time(20), "Asia/Tokyo", DAY)), "next 20:00 Asia/Tokyo, at least 24h"),
    ("at 20:00 Europe/Berlin each day", TimeControl(EVENING), "next 20:00 Europe/Berlin, at least 24h"),
    ("next 20:00 Europe/Berlin at least 24h", TimeControl(EVENING), "next 20:00 Europe/Berlin, at least 24h"),
    ("3d no weekends", TimeControl(THREE_DAYS, weekends=True), "3d, no weekends"),
    (
        "three days no weekends nights 22:00-7:00 holidays DE-BY no vacation",
        TimeControl(THREE_DAYS, weekends=True, night=(time(22), time(7)), holidays="DE-BY", vacation=False),
        "3d, no weekends, nights 22:00-07:00, holidays DE-BY, no vacation",
    ),
    ("Standard", TimeControl(STANDARD), "5d+36h cap 10d"),
    ("quick", TimeControl(Increment(2 * DAY, 12 * HOUR, 4 * DAY)), "2d+12h cap 4d"),
    ("slow", TimeControl(Increment(14 * DAY, 3 * DAY, 28 * DAY)), "14d+3d cap 28d"),
    ("daily", TimeControl(FixedHour(time(20), "Asia/Tokyo", DAY)), "next 20:00 Asia/Tokyo, at least 24h"),
    ("correspondence", TimeControl(Unlimited()), "no limit"),
    ("3d, no weekends", TimeControl(THREE_DAYS, weekends=True), "3d, no weekends"),
    ("3d,No Weekend", TimeControl(THREE_DAYS, weekends=True), "3d, no weekends"),
    ("standard, nights 22:00-7:00", TimeControl(STANDARD, night=(time(22), time(7))), "5d+36h cap 10d, nights 22:00-07:00"),
    ("3d, night 00:30 \N{EN DASH} 16:30", TimeControl(THREE_DAYS, night=(time(0, 30), time(16, 30))), "3d, nights 00:30-16:30"),
    ("3d, holidays de-by", TimeControl(THREE_DAYS, holidays="DE-BY"), "3d, holidays DE-BY"),
    ("3d, holidays FR", TimeControl(THREE_DAYS, holidays="FR"), "3d, holidays FR"),
    ("no limit, no vacation", TimeControl(Unlimited(), vacation=False), "no limit, no vacation"),
    (
        "daily, no vacation, holidays US-CA, nights 23:00-06:00, no weekends",
        TimeControl(FixedHour(time(20), "Asia/Tokyo", DAY), weekends=True, night=(time(23), time(6)), holidays="US-CA", vacation=False),
        "next 20:00 Asia/Tokyo, at least 24h, no weekends, nights 23:00-06:00, holidays US-CA, no vacation",
    ),
]


@for_each(("text", "control", "canonical"), READ, ids=[text for text, _, _ in READ])
def test_what_people_write_is_read(text: str, control: TimeControl, canonical: str) -> None:
    assert parse(text, "Asia/Tokyo") == control
    assert written(control) == canonical
    assert parse(canonical) == control


def test_every_preset_is_read_as_it_is_told() -> None:
    assert {name for name in PRESETS if any(text.lower() == name for text, _, _ in READ)} == set(PRESETS)
    assert [text for text in PRESETS.values() if written(parse(text)) != text] == ["next 20:00, at least 24h"]


def test_without_any_zone_an_hour_is_in_utc() -> None:
    assert parse("next 20:00").control == FixedHour(time(20), "UTC", DAY)


def test_an_hour_of_an_old_game_may_be_of_a_zone_that_nobody_can_choose_any_more() -> None:
    assert parse("next 20:00 factory").control == FixedHour(time(20), "Factory", DAY)


NO_CONTROL = "\" isn't a time control. Write a time per move (3d), a bank"
REFUSED = {
    "": '"' + NO_CONTROL,
    "some days": '"some days' + NO_CONTROL,
    "20:00": '"20:00' + NO_CONTROL,
    "3d/week": '"3d/week' + NO_CONTROL,
    "3": '"3' + NO_CONTROL,
    "3d 4": '"3d 4' + NO_CONTROL,
    "-3d": '"-3d' + NO_CONTROL,
    "\u0663d": '"\u0663d' + NO_CONTROL,
    "5d+": '"5d+' + NO_CONTROL,
    "20d then": '"20d then' + NO_CONTROL,
    "next": '"next' + NO_CONTROL,
    "next week": '"next week' + NO_CONTROL,
    "no weekends": '"no weekends' + NO_CONTROL,
    ", no weekends": '", no weekends' + NO_CONTROL,
    "no limits": "or one of these names: standard, quick, slow, daily and correspondence.",
    "3 months": '"3 months" isn\'t a span of time. Write it like 3d, 36h, 1d12h or 2 weeks.',
    "12h1d": '"12h1d" isn\'t a span of time.',
    "1d 1d": '"1d 1d" isn\'t a span of time.',
    "99999999d": '"99999999d" isn\'t a span of time.',
    "1.5d": '"1.5d' + NO_CONTROL,
    "59m": '"59m" is too short or too long: a span of time is 1 hour to 366 days.',
    "0d": '"0d" is too short',
    "367d": '"367d" is too short or too long',
    "366d1m": '"366d1m" is too',
    "5d+0h": '"0h" is too short or',
    "5d+36h cap 400d": '"400d" is too',
    "5d+36h cap 4d": "The cap (4d) can't be less than the bank (5d).",
    "20d then 0x2d": "0 periods won't work. Choose 1 to 20.",
    "20d then 21x2d": "21 periods won't work. Choose 1 to 20.",
    "20d then 5x70d": "The bank and the periods together can't be longer than 366 days.",
    "next 24:00": '"24:00" isn\'t a time of day. Write it like 20:00.',
    "next 20:60": '"20:60" isn\'t a time of day.',
    "next 20:00 Mars/Olympus": "'Mars/Olympus' isn't a time zone. Write it like Europe/Berlin, or UTC.",
    "next 20:00 ../UTC": "'../UTC' isn't a time zone.",
    "next 20:00, at least 30m": '"30m" is too',
    "next 20:00, at least 1d, at least 2d": '"next 20:00, at least 1d, at least 2d" has "at least" more than once. Write it once.',
    "3d, at least 24h": '"at least 24h" can\'t follow a time control.',
    "3d, weekends": '"weekends" can\'t follow a time control.',
    "3d,": '"" can\'t follow a time control.',
    "3d, no weekends, No Weekends": '"3d, no weekends, No Weekends" has "no weekends" more than once. Write it once.',
    "3d, nights 22:00-07:00, nights 23:00-07:00": 'has "nights" more than once',
    "3d, no vacation, no vacation": 'has "no vacation" more than once',
    "3d, holidays DE, holidays FR": 'has "holidays" more than once',
    "3d, nights 22:00-22:00": "Nights can't end at the time they begin, and last 16 hours at most: nights 22:00-07:00.",
    "3d, nights 15:00-07:01": "Nights can't end at the time they begin",
    "3d, nights 22:00-24:00": '"24:00" isn\'t a time of day.',
    "3d, nights": '"nights" can\'t follow',
    "3d, holidays Germany": '"holidays Germany" can\'t follow',
    "3d, holidays DE-": '"holidays DE-" can\'t follow',
    "1d" * 100000: "isn't a span of time.",
    "1" * 100000: NO_CONTROL,
    "3d" + ", x" * 100000: '"x" can\'t follow',
}


@for_each(("text", "sentence"), REFUSED.items(), ids=[text[:40] for text in REFUSED])
def test_what_cannot_be_read_is_told(text: str, sentence: str) -> None:
    with pytest.raises(BadOption) as refused:
        parse(text)
    assert sentence in refused.value.message
    assert len(refused.value.message) < 600


TOLD = {
    "3d": "Each turn may take 3 days.",
    "1d12h": "Each turn may take 1 day 12 hours.",
    "90m": "Each turn may take 1 hour 30 minutes.",
    "standard": "Each side has 5 days; every turn adds 36 hours, up to 10 days in all.",
    "60d in all": "Each side has 60 days for the whole game.",
    "20d then 5x2d": "Each side has 20 days, then 5 periods of 2 days. A turn that takes less than one uses up none.",
    "6d then 1x2d": "Each side has 6 days, then 1 period of 2 days. A turn that takes less doesn't use it up.",
    "next 9:30 Asia/Tokyo": "Each turn is due at 09:30 (Asia/Tokyo), on the first day that leaves at least 24 hours for it.",
    "no limit": "There is no time limit.",
    "3d, no weekends, nights 22:00-07:00, holidays DE-BY, no vacation": (
        "Each turn may take 3 days. The clock stands still on weekends, in each player's own time zone. "
        "The clock stands still at night from 22:00 to 07:00, in each player's own time zone. "
        "The clock stands still on the public holidays of DE-BY. There is no vacation in this game."
    ),
}


@for_each(("text", "sentences"), TOLD.items())
def test_players_are_told_what_it_means(text: str, sentences: str) -> None:
    assert described(parse(text)) == sentences


FRIDAY = datetime(2027, 5, 7, 16, tzinfo=UTC)
"""Six in the evening in Berlin."""
BEFORE_SUMMER_TIME = datetime(2027, 3, 27, 17, tzinfo=UTC)
"""Six in the evening in Berlin, before a night in which an hour is skipped."""

ALWAYS = LiveTime()
BERLIN = LiveTime(Calendar("Europe/Berlin"))
WORKDAYS = LiveTime(Calendar("Europe/Berlin", weekends=True))
AWAY = LiveTime(WORKDAYS.calendar, (Off("vacation", FRIDAY, FRIDAY + 10 * DAY),))
PAUSED = LiveTime(WORKDAYS.calendar, (Off("pause", FRIDAY, None),))
FEAST = LiveTime(Calendar("Europe/Berlin", weekends=True, holidays=frozenset({date(2027, 5, 10)})))

ALLOWANCES = [
    # control, bank, since, live time, and what the turn may take of it
    (THREE_DAYS, Bank(), FRIDAY, ALWAYS, 3 * DAY),
    (THREE_DAYS, Bank(), FRIDAY, WORKDAYS, 3 * DAY),
    (THREE_DAYS, Bank(), FRIDAY, AWAY, 3 * DAY),
    (THREE_DAYS, Bank(), BEFORE_SUMMER_TIME, BERLIN, 71 * HOUR),
    (THREE_DAYS, Bank(), BEFORE_SUMMER_TIME, WORKDAYS, 3 * DAY),  # the hour is skipped while the clock stands still
    (PerMove(1, 12 * HOUR), Bank(), BEFORE_SUMMER_TIME, BERLIN, 35 * HOUR),
    (PerMove(0, 36 * HOUR), Bank(), BEFORE_SUMMER_TIME, BERLIN, 36 * HOUR),
    (STANDARD, Bank(4 * DAY), BEFORE_SUMMER_TIME, BERLIN, 4 * DAY),
    (STANDARD, Bank(), FRIDAY, ALWAYS, NOTHING),
    (TOTAL, Bank(7 * HOUR), FRIDAY, AWAY, 7 * HOUR),
    (BYOYOMI, Bank(20 * DAY, 5), FRIDAY, ALWAYS, 30 * DAY),
    (BYOYOMI, Bank(NOTHING, 2), FRIDAY, WORKDAYS, 4 * DAY),
    (EVENING, Bank(), FRIDAY, BERLIN, 26 * HOUR),
    (EVENING, Bank(), FRIDAY, WORKDAYS, 26 * HOUR),
    (EVENING, Bank(), FRIDAY, PAUSED, 26 * HOUR),
    (EVENING, Bank(), FRIDAY, FEAST, 26 * HOUR),
    (EVENING, Bank(), BEFORE_SUMMER_TIME, BERLIN, 25 * HOUR),
    (EVENING, Bank(), FRIDAY + 3 * HOUR, BERLIN, 47 * HOUR),
    (Unlimited(), Bank(), FRIDAY, WORKDAYS, None),
]


@for_each(("control", "bank", "since", "live", "span"), ALLOWANCES)
def test_what_a_turn_may_take(control: Control, bank: Bank, since: datetime, live: LiveTime, span: timedelta | None) -> None:
    assert allowance(control, bank, since, live) == span


BANKS = [
    # control, bank, what is left after a turn, and what the clock holds then
    (THREE_DAYS, Bank(), 2 * DAY, Bank()),
    (EVENING, Bank(), HOUR, Bank()),
    (Unlimited(), Bank(), None, Bank()),
    (Unlimited(), Bank(), DAY, Bank()),
    (STANDARD, Bank(5 * DAY), 4 * DAY, Bank(132 * HOUR)),
    (STANDARD, Bank(9 * DAY), 9 * DAY, Bank(10 * DAY)),  # up to the cap
    (STANDARD, Bank(10 * DAY), 10 * DAY, Bank(10 * DAY)),
    (STANDARD, Bank(11 * DAY), 11 * DAY, Bank(11 * DAY)),  # what was granted beyond it is not taken away
    (STANDARD, Bank(DAY), NOTHING, Bank(36 * HOUR)),
    (STANDARD, Bank(DAY), -HOUR, Bank(36 * HOUR)),
    (STANDARD, Bank(DAY), None, Bank(DAY)),
    (TOTAL, Bank(60 * DAY), 59 * DAY, Bank(59 * DAY)),
    (TOTAL, Bank(60 * DAY), -HOUR, Bank()),
    (BYOYOMI, Bank(20 * DAY, 5), 29 * DAY, Bank(19 * DAY, 5)),
    (BYOYOMI, Bank(20 * DAY, 5), 10 * DAY + MINUTE, Bank(MINUTE, 5)),
    (BYOYOMI, Bank(20 * DAY, 5), 10 * DAY, Bank(NOTHING, 5)),  # as the bank runs out
    (BYOYOMI, Bank(20 * DAY, 5), 10 * DAY - MINUTE, Bank(NOTHING, 5)),  # within the first period, which is kept
    (BYOYOMI, Bank(20 * DAY, 5), 8 * DAY, Bank(NOTHING, 4)),
    (BYOYOMI, Bank(20 * DAY, 5), 8 * DAY + MINUTE, Bank(NOTHING, 5)),
    (BYOYOMI, Bank(NOTHING, 5), 3 * DAY, Bank(NOTHING, 2)),
    (BYOYOMI, Bank(NOTHING, 1), MINUTE, Bank(NOTHING, 1)),
    (BYOYOMI, Bank(NOTHING, 3), NOTHING, Bank(NOTHING, 1)),  # at the deadline
    (BYOYOMI, Bank(NOTHING, 1), -HOUR, Bank(NOTHING, 1)),
    (BYOYOMI, Bank(NOTHING, 2), 5 * DAY, Bank(DAY, 2)),  # more than the periods were was granted
]


@for_each(("control", "bank", "left", "then"), BANKS)
def test_what_a_turn_leaves(control: Control, bank: Bank, left: timedelta | None, then: Bank) -> None:
    assert after(control, bank, left) == then


@for_each(
    ("control", "bank"),
    [
        (THREE_DAYS, Bank()),
        (STANDARD, Bank(5 * DAY)),
        (TOTAL, Bank(60 * DAY)),
        (BYOYOMI, Bank(20 * DAY, 5)),
        (EVENING, Bank()),
        (Unlimited(), Bank()),
    ],
)
def test_what_a_clock_holds_at_first(control: Control, bank: Bank) -> None:
    assert first(control) == bank


SPANS = st.integers(60, 100 * 24 * 60).map(lambda minutes: minutes * MINUTE)
DRAWN: dict[type[Control], st.SearchStrategy[Control]] = {
    PerMove: st.one_of(
        st.builds(PerMove, st.integers(1, 300), st.integers(0, 60 * 24 * 60).map(lambda minutes: minutes * MINUTE)),
        st.builds(PerMove, st.just(0), SPANS),
    ),
    Increment: st.builds(lambda bank, increment, more: Increment(bank, increment, bank + more), SPANS, SPANS, SPANS),
    Total: st.builds(Total, SPANS),
    Byoyomi: st.builds(Byoyomi, SPANS, st.integers(1, 20), st.integers(60, 12 * 24 * 60).map(lambda minutes: minutes * MINUTE)),
    FixedHour: st.builds(FixedHour, st.times().map(lambda wall: wall.replace(second=0, microsecond=0)), st.just("Pacific/Apia"), SPANS),
    Unlimited: st.just(Unlimited()),
}
CONTROLS = st.one_of(*DRAWN.values())
NIGHTS = [None, *((time(begins), time((begins + hours) % 24)) for begins, hours in product((0, 9, 22), (1, 16)))]


def test_every_control_is_drawn() -> None:
    assert set(DRAWN) == set(get_args(Control))


@given(
    st.builds(TimeControl, CONTROLS, st.booleans(), st.sampled_from(NIGHTS), st.sampled_from(["", "DE", "GB-SCT", "FR-6AE"]), st.booleans())
)
def test_whatever_is_written_is_read_back(control: TimeControl) -> None:
    assert parse(written(control)) == control
    assert parse(written(control).upper()) == control
