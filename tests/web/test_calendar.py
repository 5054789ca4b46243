"""The calendar at a secret address: the deadlines of one player, for whoever has the address that holds."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar
from msgspec.structs import replace

from tests.service.signing import sign_in_link
from tests.terms import PLAIN
from tests.web.club import SETTINGS, Club, serving
from tests.web.serving import Answer, asked
from tests.web.turn.visitor import URL, link
from turnserver.config import Settings
from turnserver.ids import PlayerId
from turnserver.mail.format.tokens import Purpose, Token, sign
from turnserver.store.log import secrets as keyring

SLOW = replace(SETTINGS, play=replace(PLAIN, correction_minutes=10))


@pytest.fixture
def settings() -> Settings:
    """The settings of the club, for a test to choose others."""
    return SETTINGS


@pytest.fixture
def club(sqlite_url: str, tmp_path: Path, settings: Settings) -> Iterator[Club]:
    """A world with pages on a free port."""
    with serving(sqlite_url, tmp_path, settings) as served:
        yield served


def path(club: Club, name: str) -> str:
    return f"/turns/{club.world.service.pages.calendars.path(club.world.service.people.find(name))}"


def ask(club: Club, at: str) -> Answer:
    return asked(club.port, "GET", at)


def entries(club: Club, name: str) -> dict[str, Any]:
    """The entries of a player's calendar by their games."""
    found = Calendar.from_ical(ask(club, path(club, name)).text)
    return {str(event["summary"]).partition(":")[0]: event for event in found.walk("VEVENT")}


def test_a_player_subscribes_to_their_deadlines(club: Club) -> None:
    first, second = club.world.open({"size": 3}), club.world.open_any("take", ["Bob", "Ada"], {"size": 3})
    club.world.open({"size": 2}, accepted=False)
    assert set(entries(club, "Ada")) == {"Take 1"}
    assert set(entries(club, "Bob")) == {"Take 2"}
    entry = entries(club, "Ada")["Take 1"]
    assert str(entry["summary"]) == "Take 1: your move against Bob"
    assert entry.decoded("dtstart") == club.world.state(first).deadline
    assert str(entry["uid"]) == "game-1-player-1@club.example"
    assert str(entry["url"]) == f"{URL}/play/1-1"
    assert [str(alarm["trigger"].to_ical()) for alarm in entry.walk("VALARM")] == ["b'-PT6H'"]
    club.world.answer("Ada", "b2", mail=[mail for mail in club.world.mails("Ada") if "[Take 1]" in mail["Subject"]][-1])
    assert (set(entries(club, "Ada")), set(entries(club, "Bob"))) == (set(), {"Take 1", "Take 2"})
    assert second == 2


def test_it_does_not_tell_that_conditional_moves_wait(club: Club) -> None:
    """Not by the number of an entry either, which goes up with the game."""
    club.world.open({"size": 3})
    club.world.answer("Ada", "b2")
    before = entries(club, "Bob")["Take 1"]["sequence"]
    club.world.answer("Ada", "if c3 then a1")
    assert entries(club, "Bob")["Take 1"]["sequence"] == before
    club.world.answer("Bob", "c3")
    club.world.wait(minutes=1)
    club.world.service.upkeep.sweep()
    assert entries(club, "Bob")["Take 1"]["sequence"] > before


def test_what_calendar_programs_are_told(club: Club) -> None:
    answer = ask(club, path(club, "Ada"))
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    assert answer.headers["cache-control"] == "private, max-age=900"
    assert "set-cookie" not in answer.headers
    for line in ("METHOD:PUBLISH", "NAME:Deadlines at turnserver", "REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H"):
        assert f"\n{line}" in answer.text


@pytest.mark.parametrize("settings", [SLOW])
def test_a_turn_that_can_still_be_corrected_is_not_told(club: Club) -> None:
    club.world.open({"size": 3})
    club.world.wait(minutes=11)
    club.world.settle()
    club.world.answer("Ada", "b2")
    assert entries(club, "Bob") == {}
    club.world.wait(minutes=11)
    assert set(entries(club, "Bob")) == {"Take 1"}


def test_the_address_is_replaced_on_the_page(club: Club) -> None:
    old, bobs = path(club, "Ada"), path(club, "Bob")
    ada = club.visitor("Ada")
    assert URL + old.removeprefix("/turns") in ada.go("/turns/me").words or old in ada.answer.text
    assert ada.send("Replace the address").says("The old one no longer works.")
    assert path(club, "Ada") != old
    assert path(club, "Ada") in ada.answer.text
    assert [ask(club, one).status for one in (old, path(club, "Ada"), bobs)] == [404, 200, 200]


@pytest.mark.parametrize("words", ["set calendar new", "Set calendar: NEW", "setze kalender neu"])
def test_the_address_is_replaced_by_mail(club: Club, words: str) -> None:
    old = path(club, "Ada")
    club.world.answer("Ada", words)
    assert (path(club, "Ada") != old, ask(club, old).status) == (True, 404)
    (told,) = re.findall(rf"\n{URL}(/calendar/\S+)\n", club.world.text("Ada"))
    assert f"/turns{told}" == path(club, "Ada")
    assert club.world.service.people.find("Ada").preferences.calendar is False
    assert told.rpartition("-")[2] not in str(club.everything)


def test_nothing_else_opens_a_calendar(club: Club) -> None:
    game = club.world.open({"size": 3})
    with club.world.service.db.read() as conn:
        keys = keyring.keys(conn, keyring.REPLY)
    others = [sign(keys, Token(PlayerId(1)), purpose) for purpose in Purpose if purpose is not Purpose.CALENDAR]
    foreign = [sign(keys, Token(PlayerId(9)), Purpose.CALENDAR), sign(keys, Token(PlayerId(1), edition=1), Purpose.CALENDAR)]
    for text in (*others, *foreign, "x", link(club.world, game, "Ada").rpartition("/")[2], sign_in_link(club.world, "Ada")):
        answer = ask(club, f"/turns/calendar/{text}.ics")
        assert answer.status == 404
        assert "VEVENT" not in answer.text


def test_an_address_is_no_use_for_anything_else(club: Club) -> None:
    club.world.open({"size": 3})
    token = path(club, "Ada").rpartition("/")[2].removesuffix(".ics")
    for other in ("turn", "sign-in", "unsubscribe"):
        visitor = club.visitor()
        visitor.go(f"/turns/{other}/{token}")
        assert visitor.answer.status == 404
    assert asked(club.port, "GET", "/turns/me", Cookie=f"session={token}").status == 303


def test_whoever_was_erased_has_no_calendar(club: Club) -> None:
    old = path(club, "Cleo")
    club.world.service.people.erase(club.world.service.people.find("Cleo").id, actor="admin:test", cause="test:erase")
    assert ask(club, old).status == 404


def test_looking_changes_nothing(club: Club) -> None:
    club.world.open({"size": 3})
    before = club.everything
    for method in ("GET", "HEAD"):
        assert asked(club.port, method, path(club, "Ada")).status == 200
    assert club.everything == before


def test_it_speaks_the_language_of_its_player(club: Club) -> None:
    club.world.open({"size": 3})
    club.world.service.people.choose("Ada", [("language", "de")], actor="admin:test", cause="test:language")
    assert str(entries(club, "Ada")["Take 1"]["summary"]) == "Take 1: dein Zug gegen Bob"
