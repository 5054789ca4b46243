"""The time at which a mail leaves: by the player's own clock, over changes to summer time and back, and after what each kind waits for."""

from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from turnserver.ids import PlayerId
from turnserver.mail.outbound.kinds import ANSWERS, MailKind
from turnserver.service.mailroom.scheduling import Slot, end_of_quiet, next_time, slot
from turnserver.store.people.accounts import Person, Preferences, Quiet

BERLIN = "Europe/Berlin"
NIGHT = Quiet(time(22), time(7))


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


# Berlin is an hour ahead of UTC in winter and two in summer; in 2026 it springs from 02:00 to 03:00 on 29 March and falls back from
# 03:00 to 02:00 on 25 October, each at 01:00 UTC. Lord Howe changes by half an hour; Apia left out the whole of 30 December 2011.
NEXT = [
    ("18:00", BERLIN, "2026-03-01 12:00", "2026-03-01 17:00"),
    ("18:00", BERLIN, "2026-03-01 17:00", "2026-03-02 17:00"),
    ("18:00", BERLIN, "2026-03-01 16:59:59", "2026-03-01 17:00"),
    ("00:00", BERLIN, "2026-03-01 22:59", "2026-03-01 23:00"),
    ("18:00", BERLIN, "2026-03-28 17:00", "2026-03-29 16:00"),
    ("18:00", BERLIN, "2026-10-24 16:00", "2026-10-25 17:00"),
    ("02:30", BERLIN, "2026-03-28 12:00", "2026-03-29 01:30"),
    ("02:30", BERLIN, "2026-03-29 01:30", "2026-03-30 00:30"),
    ("02:30", BERLIN, "2026-10-24 12:00", "2026-10-25 00:30"),
    ("02:30", BERLIN, "2026-10-25 00:30", "2026-10-26 01:30"),
    ("18:00", "UTC", "2026-03-01 12:00", "2026-03-01 18:00"),
    ("09:00", "Pacific/Kiritimati", "2026-03-01 12:00", "2026-03-01 19:00"),
    ("09:00", "Pacific/Pago_Pago", "2026-03-01 12:00", "2026-03-01 20:00"),
    ("02:15", "Australia/Lord_Howe", "2026-10-03 12:00", "2026-10-03 15:45"),
    ("09:00", "Pacific/Apia", "2011-12-29 20:00", "2011-12-30 19:00"),
    ("18:00", "Nowhere/Any_More", "2026-03-01 12:00", "2026-03-01 18:00"),
]
QUIET = [
    (NIGHT, "2026-03-01 20:59", None),
    (NIGHT, "2026-03-01 21:00", "2026-03-02 06:00"),
    (NIGHT, "2026-03-02 00:00", "2026-03-02 06:00"),
    (NIGHT, "2026-03-02 05:59:59", "2026-03-02 06:00"),
    (NIGHT, "2026-03-02 06:00", None),
    (NIGHT, "2026-03-28 22:00", "2026-03-29 05:00"),
    (NIGHT, "2026-10-24 21:00", "2026-10-25 06:00"),
    (Quiet(time(9), time(17)), "2026-03-01 12:00", "2026-03-01 16:00"),
    (Quiet(time(9), time(17)), "2026-03-01 16:00", None),
    (Quiet(time(22), time(2, 30)), "2026-03-29 01:00", "2026-03-29 01:30"),
    (Quiet(time(2, 30), time(7)), "2026-03-29 01:00", None),
    (Quiet(time(2, 30), time(7)), "2026-03-29 01:30", "2026-03-29 05:00"),
    (Quiet(time(2), time(2, 30)), "2026-03-29 01:15", "2026-03-29 01:30"),
    (Quiet(time(22), time(2, 30)), "2026-10-25 00:29", "2026-10-25 00:30"),
    (Quiet(time(22), time(2, 30)), "2026-10-25 00:45", None),
    (Quiet(time(2), time(3)), "2026-03-29 01:00", None),
    (Quiet(time(2), time(3)), "2026-03-29 12:00", None),
    (Quiet(time(2), time(3)), "2026-03-30 00:30", "2026-03-30 01:00"),
    (Quiet(time(2, 30), time(3, 15)), "2026-03-29 12:00", None),
    (Quiet(time(0), time(23, 59)), "2026-03-01 22:30", "2026-03-01 22:59"),
]


@for_each(("wall", "zone", "after", "expected"), NEXT)
def test_the_next_time_of_the_day(wall: str, zone: str, after: str, expected: str) -> None:
    assert next_time(time.fromisoformat(wall), zone, utc(after)) == utc(expected)


@for_each(("quiet", "at", "end"), QUIET)
def test_quiet_hours_end(quiet: Quiet, at: str, end: str | None) -> None:
    assert end_of_quiet(quiet, BERLIN, utc(at)) == (utc(end) if end else None)


def test_there_are_no_quiet_hours_where_midnight_is_skipped() -> None:
    assert end_of_quiet(Quiet(time(0), time(1)), "Africa/Cairo", utc("2027-04-30 12:00")) is None


@given(
    st.builds(time, st.integers(0, 23), st.integers(0, 59)),
    st.sampled_from([BERLIN, "America/St_Johns", "Australia/Lord_Howe", "Africa/Casablanca", "UTC"]),
    st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1)),  # noqa: DTZ001  # becomes UTC below
)
def test_a_time_of_the_day_comes_once_a_day(wall: time, zone: str, after: datetime) -> None:
    start = after.replace(tzinfo=UTC)
    first = next_time(wall, zone, start)
    second = next_time(wall, zone, first)
    assert start < first < second
    assert first - start <= timedelta(hours=26)
    assert timedelta(hours=21) <= second - first <= timedelta(hours=27)


NOW = utc("2026-03-01 12:00")
LATE = utc("2026-03-01 21:30")
PLAIN = Preferences()
DIGEST = Preferences(digest=time(18))
ASLEEP = Preferences(quiet=NIGHT)
GONE = Preferences(subscribed=False)


class Case(NamedTuple):
    """A mail of a kind that there is reason for at an instant, and its slot; `left` is the time for the player's own pending turn."""

    name: str
    chosen: Preferences
    kind: MailKind
    now: datetime
    left: timedelta | None
    asked: bool
    expected: Slot | None


def queued(at: datetime) -> Slot:
    return Slot("queued", at)


DAYS = timedelta(days=1)
TONIGHT, MORNING = utc("2026-03-01 17:00"), utc("2026-03-02 06:00")
CASES = [
    Case("no wish", PLAIN, MailKind.TURN, NOW, 3 * DAYS, False, queued(NOW)),
    Case("a turn waits for the digest", DIGEST, MailKind.TURN, NOW, 3 * DAYS, False, Slot("held", TONIGHT)),
    Case("until the next one", DIGEST, MailKind.TURN, TONIGHT, 3 * DAYS, False, Slot("held", TONIGHT + DAYS)),
    Case("a day would be left", DIGEST, MailKind.TURN, NOW, TONIGHT - NOW + DAYS, False, Slot("held", TONIGHT)),
    Case("less than a day would be left", DIGEST, MailKind.TURN, NOW, TONIGHT - NOW + DAYS - timedelta(seconds=1), False, queued(NOW)),
    Case("a reminder comes at once", DIGEST, MailKind.REMINDER, NOW, DAYS, False, queued(NOW)),
    Case("news without a turn wait", DIGEST, MailKind.GAME_OVER, NOW, None, False, Slot("held", TONIGHT)),
    Case("what one's own mail has done", DIGEST, MailKind.GAME_OVER, NOW, None, True, queued(NOW)),
    Case("the digest itself", DIGEST, MailKind.DIGEST, TONIGHT, None, False, queued(TONIGHT)),
    Case("the digest in quiet hours", Preferences(digest=time(23), quiet=NIGHT), MailKind.DIGEST, LATE, None, False, queued(LATE)),
    Case("a welcome", DIGEST, MailKind.WELCOME, NOW, None, False, queued(NOW)),
    Case("by day", ASLEEP, MailKind.TURN, NOW, 3 * DAYS, False, queued(NOW)),
    Case("by night", ASLEEP, MailKind.TURN, LATE, 3 * DAYS, False, queued(MORNING)),
    Case("by night, asked for", ASLEEP, MailKind.TURN, LATE, 3 * DAYS, True, queued(LATE)),
    Case("the deadline is before the morning", ASLEEP, MailKind.REMINDER, LATE, timedelta(hours=8), False, queued(LATE)),
    Case("the deadline is in the morning", ASLEEP, MailKind.REMINDER, LATE, timedelta(hours=9), False, queued(MORNING)),
    Case(
        "too urgent for the digest, and by night",
        Preferences(digest=time(18), quiet=NIGHT),
        MailKind.TURN,
        LATE,
        DAYS,
        False,
        queued(MORNING),
    ),
    Case("no reminders", Preferences(reminders=False), MailKind.REMINDER, NOW, DAYS, False, None),
    Case("no reminders, but turns", Preferences(reminders=False), MailKind.TURN, NOW, DAYS, False, queued(NOW)),
    Case("unsubscribed", GONE, MailKind.TURN, NOW, 3 * DAYS, False, Slot("unwanted", NOW)),
    Case("unsubscribed, asked for", GONE, MailKind.GAME_OVER, NOW, None, True, queued(NOW)),
    Case("a league's mail waits for no digest", DIGEST, MailKind.LEAGUE_ROUND, NOW, None, False, queued(NOW)),
    Case("a league's mail by night", ASLEEP, MailKind.LEAGUE_FINAL, LATE, None, False, queued(MORNING)),
    Case("no reminders of leagues either", Preferences(reminders=False), MailKind.LEAGUE_REMINDER, NOW, None, False, None),
    Case("unsubscribed, a league", GONE, MailKind.LEAGUE_READY, NOW, None, False, Slot("unwanted", NOW)),
    Case("unsubscribed, a digest", GONE, MailKind.DIGEST, NOW, None, False, Slot("unwanted", NOW)),
]


@for_each("case", CASES, ids=lambda case: case.name)
def test_a_mail_has_its_slot(case: Case) -> None:
    person = Person(PlayerId(8), "Ada", "ada@example.org", BERLIN, NOW, case.chosen)
    deadline = None if case.left is None else case.now + case.left
    assert slot(person, case.kind, case.now, deadline, asked=case.asked) == case.expected


@for_each("kind", sorted(ANSWERS))
@for_each("chosen", [DIGEST, ASLEEP, GONE], ids=["digest", "quiet", "unsubscribed"])
def test_an_answer_comes_at_once(kind: MailKind, chosen: Preferences) -> None:
    person = Person(PlayerId(8), "Ada", "ada@example.org", BERLIN, NOW, chosen)
    assert slot(person, kind, LATE, None, asked=False) == queued(LATE)
