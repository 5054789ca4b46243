"""Texts that people write for a moment of the past, and the events that had happened by then."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.cases import for_each
from turnserver.audit.past import AtTime, LogMoment, WrittenMoment, in_log, in_stream, newest_of_leagues, person_then, read
from turnserver.errors import BadOption, NotFound
from turnserver.ids import GameId, PlayerId, Position, Recorded, Stream, Version, game_stream, player_stream
from turnserver.play.events import DrawOffered, PlayerEdited, PlayerReachable, PlayerUnreachable
from turnserver.rules import Seat
from turnserver.service.games.ledger import Ledger
from turnserver.store.log import log
from turnserver.store.log.database import Database
from turnserver.store.mail.told import Letter, Reached

ZONE = "Europe/Berlin"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
TICK = timedelta(microseconds=1)
NOW = NOON + timedelta(days=1)
GAME = game_stream(GameId(17))


def at(*fields: int) -> datetime:
    return datetime(*fields, tzinfo=UTC)  # type: ignore[misc, arg-type]  # year, month, day ...


TIMES = {
    "2026-11-03": (at(2026, 11, 2, 23), at(2026, 11, 3, 23) - TICK),
    "2026-03-29": (at(2026, 3, 28, 23), at(2026, 3, 29, 22) - TICK),
    "2026-11-03 18:00": (at(2026, 11, 3, 17), at(2026, 11, 3, 17, 1) - TICK),
    "2026-07-03T18:00": (at(2026, 7, 3, 16), at(2026, 7, 3, 16, 1) - TICK),
    "2026-11-03 18:00:30": (at(2026, 11, 3, 17, 0, 30), at(2026, 11, 3, 17, 0, 31) - TICK),
    "2026-11-03T18:00:30.000001Z": (at(2026, 11, 3, 18, 0, 30, 1), at(2026, 11, 3, 18, 0, 30, 1)),
    "2026-11-03 18:00:30.25": (at(2026, 11, 3, 17, 0, 30, 250_000), at(2026, 11, 3, 17, 0, 30, 250_000)),
    "2026-11-03 18:00+05:30": (at(2026, 11, 3, 12, 30), at(2026, 11, 3, 12, 31) - TICK),
    " 2026-11-03 18:00 -0800 ": (at(2026, 11, 4, 2), at(2026, 11, 4, 2, 1) - TICK),
}
NUMBERS = {
    "12": WrittenMoment("12", version=Version(12)),
    "v12": WrittenMoment("v12", version=Version(12)),
    "V012": WrittenMoment("V012", version=Version(12)),
    "20261103": WrittenMoment("20261103", version=Version(20261103)),
    "#48211": WrittenMoment("#48211", position=Position(48211)),
}
NONE = ["", "v", "#", "twelve", "-3", "2026-13-01", "2026-02-30", "2026-11-03 25:00", "2026-11-03 18", "9999-12-31", "v12 #3", "12.5", "١٢"]


@for_each(("text", "between"), TIMES.items())
def test_a_time_counts_to_its_end_as_it_is_written(text: str, between: tuple[datetime, datetime]) -> None:
    assert read(text, ZONE).time == AtTime(*between)


@for_each(("text", "written"), NUMBERS.items())
def test_versions_and_positions(text: str, written: WrittenMoment) -> None:
    assert read(text, ZONE) == written


@for_each("text", NONE)
def test_anything_else_is_refused_and_says_what_is_possible(text: str) -> None:
    with pytest.raises(BadOption, match=r"is no moment. Write a version such as 12, a position of the log such as #48211, or a time"):
        read(text, ZONE)


def filled(db: Database) -> list[Recorded[Any]]:
    """Game 17 at positions 1, 3, 4 and 6: two events in the same microsecond, one an hour later, one another hour later; others between."""
    others = Stream("player-8")

    def one(stream: Stream, version: int, after: timedelta, previous: bytes | None) -> bytes:
        event = DrawOffered(seat=Seat(1)) if stream == GAME else PlayerEdited(player=PlayerId(8), fields=("name",))
        with db.write() as tx:
            done = log.append(
                tx, stream, Version(version), [event], at=NOON + after, actor="service", cause=f"test:{version}", previous=previous
            )
        return done[0].hash

    hour = timedelta(hours=1)
    first = one(GAME, 0, timedelta(0), None)
    other = one(others, 0, timedelta(0), None)
    second = one(GAME, 1, timedelta(0), first)
    third = one(GAME, 2, hour, second)
    one(others, 1, hour, other)
    one(GAME, 3, 2 * hour, third)
    with db.read() as conn:
        return log.load(conn, GAME)


SEEN = {
    "a version": ("2", 2),
    "the first version": ("v1", 1),
    "the last version": ("4", 4),
    "the position of an event of its own": ("#3", 2),
    "the position of another stream's event": ("#2", 1),
    "the position of another stream's event in the same microsecond as one to come": ("#5", 3),
    "the last position": ("#6", 4),
    "the instant of two events": ("2026-03-01T12:00:00.000000Z", 2),
    "an instant between two events": ("2026-03-01T12:30Z", 2),
    "the last moment before an event": ("2026-03-01T12:59:59.999999Z", 2),
    "the instant of an event": ("2026-03-01T13:00:00.000000Z", 3),
    "the minute of an event": ("2026-03-01 14:00", 3),
    "a day": ("2026-03-01", 4),
    "a day that is not over": ("2026-03-02", 4),
}
REFUSED = {
    "a version to come": ("5", "Game 17 has had 4 events so far; there is no version 5."),
    "no version": ("0", "Game 17 has had 4 events so far; they are numbered from 1."),
    "a position to come": ("#7", "The log has had 6 events so far; there is no position #7."),
    "no position": ("#0", "there is no position #0."),
    "before the first event": (
        "2026-03-01T11:59Z",
        "Game 17 begins with event #1 on 2026-03-01 13:00 (Europe/Berlin); there was nothing of it at 2026-03-01 12:59 (Europe/Berlin).",
    ),
    "the future": ("2026-03-03", "2026-03-03 00:00 (Europe/Berlin) is in the future: it is 2026-03-02 13:00 (Europe/Berlin) now."),
}


@pytest.mark.parametrize(("text", "versions"), SEEN.values(), ids=SEEN)
def test_what_had_happened_in_a_stream(database: Database, text: str, versions: int) -> None:
    rows = filled(database)
    with database.read() as conn:
        moment = in_stream(conn, rows, read(text, ZONE), title="Game 17", zone=ZONE, now=NOW)
    assert moment.upto(rows) == rows[:versions]


@pytest.mark.parametrize(("text", "says"), REFUSED.values(), ids=REFUSED)
def test_what_there_was_not_is_refused_and_says_what_there_is(database: Database, text: str, says: str) -> None:
    rows = filled(database)
    with database.read() as conn, pytest.raises(NotFound) as refused:
        in_stream(conn, rows, read(text, ZONE), title="Game 17", zone=ZONE, now=NOW)
    assert says in str(refused.value)


def test_a_position_before_the_first_event(database: Database) -> None:
    rows = filled(database)[1:]
    with database.read() as conn, pytest.raises(NotFound, match=r"begins with event #3 .* there was nothing of it at #2\."):
        in_stream(conn, rows, read("#2", ZONE), title="Game 17", zone=ZONE, now=NOW)


def test_the_whole_log_has_no_versions(database: Database) -> None:
    filled(database)
    with database.read() as conn:
        assert in_log(conn, read("#4", ZONE), of="the outbox", zone=ZONE, now=NOW) == LogMoment(NOON + timedelta(hours=1), Position(4))
        with pytest.raises(BadOption, match="'4' is a version, and the outbox has none"):
            in_log(conn, read("4", ZONE), of="the outbox", zone=ZONE, now=NOW)


def test_a_day_that_is_not_over_lasts_until_now(database: Database) -> None:
    with database.read() as conn:
        assert in_log(conn, read("2026-03-02", ZONE), of="the outbox", zone=ZONE, now=NOW) == LogMoment(NOW)


def test_since_when_no_mail_had_arrived_by_then(database: Database) -> None:
    eve, hour = PlayerId(8), timedelta(hours=1)
    happened = (PlayerUnreachable(player=eve), PlayerReachable(player=eve), PlayerUnreachable(player=eve))
    previous = None
    for number, event in enumerate(happened):
        with database.write() as tx:
            done = log.append(
                tx,
                player_stream(eve),
                Version(number),
                [event],
                at=NOON + number * hour,
                actor="service",
                cause=f"test:{number}",
                previous=previous,
            )
        previous = done[0].hash
    ledger = Ledger(database, "club.example")
    with database.read() as conn:
        since = [person_then(conn, ledger, eve, LogMoment(NOON + at * hour)).unreachable_since for at in (-1, 0, 1, 2, 3)]
    assert since == [None, NOON, None, NOON + 2 * hour, NOON + 2 * hour]


def test_of_each_league_the_letter_that_shows_the_most_counts() -> None:
    def letter(mail: int, stream: str, version: int, reached: Reached = Reached.TAKEN) -> Letter:
        return Letter(mail, "round", Stream(stream), Version(version), NOON, reached, NOON)

    newest, other = letter(3, "league-1", 7), letter(5, "league-2", 2, Reached.ANSWERED)
    letters = [letter(1, "league-1", 5), newest, letter(2, "league-1", 7), letter(4, "league-1", 9, Reached.WAITING), other]
    assert newest_of_leagues([*letters, letter(6, "game-1", 3)]) == {"league-1": newest, "league-2": other}
