"""Events to canonical JSON and back: one text for one event, and a clear no to everything else."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.cases import for_each
from tests.terms import THREE_DAYS
from turnserver.errors import LogError, Malformed, UnknownEvent
from turnserver.ids import Event, EventType, PlayerId
from turnserver.play import events as e
from turnserver.play.clock.controls import Bank
from turnserver.rules import Seat
from turnserver.store.log.codec import PRODUCT, Codec, Upcasters, decode, encode

NOON = datetime(2026, 3, 29, 12, 0, tzinfo=UTC)
TURN = e.TurnPlayed(
    turn=7,
    seat=Seat(1),
    steps=("d3", "c2"),
    received_at=NOON,
    to_move=Seat(2),
    clock=e.TurnClock(since=NOON, time=timedelta(days=3, hours=12), deadline=NOON + timedelta(days=3.5)),
    left=timedelta(hours=-30),
    bank=Bank(timedelta(microseconds=1), 2),
)
TURN_TEXT = (
    '{"bank":{"periods":2,"time":"PT0.000001S"},'
    '"clock":{"deadline":"2026-04-02T00:00:00.000000Z","since":"2026-03-29T12:00:00.000000Z","time":"P3DT43200S"},'
    '"left":"-P1DT21600S","received_at":"2026-03-29T12:00:00.000000Z","seat":1,"steps":["d3","c2"],"to_move":2,"turn":7}'
)
OPENED = e.GameOpened(
    game="take",
    revision=1,
    options={"size": 5, "clods": True, "Variant": "standard"},
    players=(PlayerId(8), PlayerId(3)),
    order=e.SeatOrder.LOT,
    terms=replace(THREE_DAYS, holidays=(date(2026, 12, 25),)),
    opened_by=None,
)
OPENED_TEXT = (
    '{"game":"take","opened_by":null,"options":{"Variant":"standard","clods":true,"size":5},'
    '"order":"lot","players":[8,3],"revision":1,"terms":{"correction_minutes":0,"draw_turns":10,"grace_hours":0,'
    '"holidays":["2026-12-25"],"pause_days":60,"reminders":["24h"],"reopen_hours":48,"time":"3d","vacation_days":60,'
    '"void_turns":1,"when_late":"loss"}}'
)


@pytest.mark.parametrize(
    ("event", "stored"),
    [
        pytest.param(TURN, ("game.turn_played", 1, TURN_TEXT), id="instants, tuples, spans of time and what is left out"),
        pytest.param(OPENED, ("game.opened", 1, OPENED_TEXT), id="a mapping of mixed values, an enum, keys sorted at every depth"),
    ],
)
def test_one_text_for_one_event(event: Event, stored: tuple[str, int, str]) -> None:
    assert encode(event) == stored
    assert decode(*stored) == event


BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    "instant",
    [
        pytest.param(NOON.astimezone(BERLIN), id="a zone"),
        pytest.param(NOON.astimezone(timezone(timedelta(hours=-5, minutes=-30))), id="an offset"),
        pytest.param(NOON.astimezone(ZoneInfo("UTC")), id="UTC by another name"),
    ],
)
def test_an_instant_is_stored_in_utc_whatever_its_zone(instant: datetime) -> None:
    assert encode(replace(TURN, received_at=instant)) == encode(TURN)


def test_the_hour_that_happens_twice_keeps_its_instant() -> None:
    second_time = datetime(2026, 10, 25, 2, 30, tzinfo=BERLIN, fold=1)
    _, _, data = encode(replace(TURN, received_at=second_time))
    assert '"received_at":"2026-10-25T01:30:00.000000Z"' in data


aware = st.datetimes(timezones=st.timezones(), min_value=datetime(1970, 1, 2), max_value=datetime(9999, 12, 30))  # noqa: DTZ001  # bounds are naive by contract
clocks = st.builds(e.TurnClock, since=aware, time=st.timedeltas() | st.none(), deadline=aware | st.none(), remind_at=aware | st.none())
words = st.text(st.characters(exclude_categories=["Cs"]))


@given(
    st.builds(e.TurnPlayed, steps=st.lists(words).map(tuple), received_at=aware, clock=clocks | st.none())
    | st.builds(e.GameOpened, game=words, options=st.dictionaries(words, words | st.booleans() | st.integers(-(2**63), 2**63 - 1)))
)
def test_reading_and_writing_again_gives_the_same_text(event: Event) -> None:
    stored = encode(event)
    assert encode(decode(*stored)) == stored


REFUSED_TO_WRITE: list[tuple[Event, type[LogError], str]] = [
    (
        replace(TURN, received_at=datetime(2026, 4, 1)),  # noqa: DTZ001  # the naive instant is the point
        Malformed,
        "game.turn_played v1 cannot be stored: an instant needs a time zone: 2026-04-01T00:00:00",
    ),
    (replace(TURN, seat="1"), Malformed, "game.turn_played v1 cannot be stored: Expected `int`, got `str` - at `$.seat`"),
    (
        replace(TURN, received_at=datetime(1, 1, 1, tzinfo=BERLIN)),
        Malformed,
        "game.turn_played v1 cannot be stored: date value out of range",
    ),
    (replace(TURN, steps=("\ud800",)), Malformed, "game.turn_played v1 cannot be stored: 'utf-8' codec can't encode"),
    (replace(OPENED, options={"size": 5.5}), Malformed, "game.opened v1 cannot be stored: Expected `"),
    (Event(), UnknownEvent, "Event has no name to be stored under"),
]


@for_each(("event", "error", "says"), REFUSED_TO_WRITE)
def test_what_could_not_be_read_back_is_not_written(event: Event, error: type[LogError], says: str) -> None:
    with pytest.raises(error) as caught:
        encode(event)
    assert str(caught.value).startswith(says)


REFUSED_TO_READ = [
    ("game.moved", 1, "{}", UnknownEvent, "there is no event type 'game.moved'"),
    ("game.turn_played", 2, TURN_TEXT, UnknownEvent, "game.turn_played v2 is unknown: this program reads versions 1 to 1"),
    ("game.turn_played", 0, TURN_TEXT, UnknownEvent, "game.turn_played v0 is unknown: this program reads versions 1 to 1"),
    ("game.draw_offered", 1, "", Malformed, "game.draw_offered v1 cannot be read: Input data was truncated"),
    ("game.draw_offered", 1, "{}", Malformed, "game.draw_offered v1 cannot be read: Object missing required field `seat`"),
    ("game.draw_offered", 1, '{"seat":1,"by":2}', Malformed, "game.draw_offered v1 cannot be read: Object contains unknown field `by`"),
    ("game.draw_offered", 1, '{"seat":1', Malformed, "game.draw_offered v1 cannot be read: Input data was truncated"),
    ("game.draw_offered", 1, '{"seat":1}\ud800', Malformed, "game.draw_offered v1 cannot be read: 'utf-8' codec can't encode"),
    (
        "game.turn_played",
        1,
        TURN_TEXT.replace("Z", ""),
        Malformed,
        "game.turn_played v1 cannot be read: Expected `datetime` with",
    ),
]


@for_each(("type_", "schema", "data", "error", "says"), REFUSED_TO_READ)
def test_what_the_log_may_not_hold_is_named(type_: str, schema: int, data: str, error: type[LogError], says: str) -> None:
    with pytest.raises(error) as caught:
        decode(type_, schema, data)
    assert str(caught.value).startswith(says)


class PlayerMoved(Event, frozen=True):
    """The first shape of a turn: one text."""

    seat: Seat
    move: str


class PlayerMovedInSteps(Event, frozen=True):
    """The second: a turn is several steps."""

    seat: Seat
    steps: tuple[str, ...]


class PlayerMovedAt(Event, frozen=True):
    """The third: it also has an instant, and one new optional field."""

    seat: Seat
    steps: tuple[str, ...]
    at: datetime | None
    note: str = ""


def split(old: Mapping[str, object]) -> dict[str, object]:
    return {"seat": old["seat"], "steps": str(old["move"]).split(";")}


def undated(old: Mapping[str, object]) -> dict[str, object]:
    return {**old, "at": None}


THIRD = Codec({PlayerMovedAt: EventType("moved", 3)}, {("moved", 1): split, ("moved", 2): undated})


ENDED_TEXT = '{"by":"adjudication","outcome":"drawn","reason":"due at 2026-03-29T12:00:00Z","winners":[]}'


@for_each(
    ("type_", "data", "canonical"),
    [
        ("game.turn_played", TURN_TEXT, True),
        ("game.turn_played", TURN_TEXT.replace("00.000000Z", "00Z"), False),
        (
            "game.turn_played",
            TURN_TEXT.replace('"received_at":"2026-03-29T12:00:00.000000Z"', '"received_at":"2026-03-29T14:00:00+02:00"'),
            False,
        ),
        ("game.turn_played", TURN_TEXT.replace("12:00:00.000000Z", "12:00:00.500000Z"), True),
        ("game.turn_played", TURN_TEXT.replace(",", ", "), False),
        # words are not instants, whatever they look like
        ("game.ended", ENDED_TEXT, True),
        ("game.ended", ENDED_TEXT.replace("00Z", "00.000000Z"), True),
    ],
)
def test_an_event_has_one_text(type_: str, data: str, *, canonical: bool) -> None:
    assert PRODUCT.is_canonical(type_, 1, data) is canonical
    assert (encode(decode(type_, 1, data))[2] == data) is canonical


@pytest.mark.parametrize(
    ("schema", "data"),
    [(1, '{"move":"d3;c2","seat":1}'), (2, '{"seat":1,"steps":["d3","c2"]}'), (3, '{"at":null,"seat":1,"steps":["d3","c2"]}')],
)
def test_every_version_is_read_as_the_current_one(schema: int, data: str) -> None:
    assert THIRD.decode("moved", schema, data) == PlayerMovedAt(seat=Seat(1), steps=("d3", "c2"), at=None)


def test_only_the_current_version_is_written_and_an_optional_field_at_its_default_is_left_out() -> None:
    assert THIRD.encode(PlayerMovedAt(seat=Seat(1), steps=("d3",), at=None)) == ("moved", 3, '{"at":null,"seat":1,"steps":["d3"]}')


@for_each(
    ("schema", "data", "says"),
    [
        (1, '{"seat":1}', "moved v1 cannot be brought to version 2: KeyError('move')"),
        (1, "[]", "moved v1 cannot be read: Expected `object`, got `array`"),
        (1, '{"move":"d3","seat":"one"}', "moved v1 cannot be read: Expected `int`, got `str`"),
        (2, '{"seat":1,"steps":["d3"],"at":', "moved v2 cannot be read: Input data was truncated"),
    ],
)
def test_a_damaged_old_row_is_named(schema: int, data: str, says: str) -> None:
    with pytest.raises(Malformed) as caught:
        THIRD.decode("moved", schema, data)
    assert str(caught.value).startswith(says)


GAPS: list[tuple[Mapping[type[Event], EventType], Upcasters, str]] = [
    ({PlayerMovedAt: EventType("moved", 3)}, {("moved", 2): undated}, "outdated versions and upcasters differ in [('moved', 1)]"),
    ({PlayerMoved: EventType("moved", 1)}, {("moved", 1): split}, "outdated versions and upcasters differ in [('moved', 1)]"),
    ({PlayerMoved: EventType("moved", 1)}, {("left", 1): split}, "outdated versions and upcasters differ in [('left', 1)]"),
    ({PlayerMoved: EventType("moved", 1), PlayerMovedInSteps: EventType("moved", 1)}, {}, "two events share a name"),
]


@for_each(("types", "upcasters", "says"), GAPS)
def test_a_history_of_versions_has_no_gap(types: Mapping[type[Event], EventType], upcasters: Upcasters, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        Codec(types, upcasters)
