"""The terms of a new game."""

from datetime import date

import msgspec
import pytest

from tests.cases import for_each
from tests.service.world import World
from tests.terms import PLAIN
from turnserver.config import Settings, Site
from turnserver.errors import BadOption, ConfigError
from turnserver.service.games.terms import check_time, league_terms, terms
from turnserver.store.games import views

TODAY = date(2027, 3, 1)
SETTINGS = Settings(site=Site(zone="Europe/Berlin"), play=PLAIN)


@for_each(
    ("text", "zone", "time"),
    [
        (None, None, "3d"),
        ("No limit", None, "no limit"),
        ("daily", None, "next 20:00 Europe/Berlin, at least 24h"),
        ("daily", "Factory", "next 20:00 Europe/Berlin, at least 24h"),
        ("daily", "Asia/Tokyo", "next 20:00 Asia/Tokyo, at least 24h"),
        ("next 20:00 Europe/Rome, at least 12h", "Asia/Tokyo", "next 20:00 Europe/Rome, at least 12h"),
    ],
)
def test_the_time_is_that_which_was_asked_for(text: str | None, zone: str | None, time: str) -> None:
    assert terms(SETTINGS, text, TODAY, zone).time == time


@pytest.mark.parametrize("zone", ["localtime", "factory"])
def test_an_hour_is_one_of_a_place(zone: str) -> None:
    with pytest.raises(BadOption, match="isn't a time zone"):
        terms(SETTINGS, f"next 20:00 {zone}", TODAY)


def test_a_league_goes_on_with_the_hour_that_was_chosen_once() -> None:
    assert league_terms(SETTINGS, "next 20:00 Factory", TODAY, kept=True).time == "next 20:00 Factory, at least 24h"


def test_all_else_is_as_the_settings_have_it() -> None:
    play = msgspec.structs.replace(PLAIN, reminders=("50%",), grace_hours=1, void_turns=2, reopen_hours=3, pause_days=4, draw_turns=5)
    agreed = terms(msgspec.structs.replace(SETTINGS, play=play), None, TODAY)
    assert (agreed.reminders, agreed.grace_hours, agreed.void_turns, agreed.reopen_hours) == (("50%",), 1, 2, 3)
    assert (agreed.pause_days, agreed.draw_turns, agreed.vacation_days, agreed.when_late) == (4, 5, 60, "loss")


def test_a_game_without_vacation_has_none() -> None:
    assert terms(SETTINGS, "3d, no vacation", TODAY).vacation_days == 0


@for_each(
    ("region", "day", "off"),
    [
        ("DE-BY", date(2027, 1, 6), True),  # Epiphany
        ("DE-BE", date(2027, 1, 6), False),
        ("DE", date(2031, 10, 3), True),
        ("DE", date(2032, 10, 3), False),  # five years and no more
        ("US", date(2027, 11, 25), True),  # the fourth Thursday
    ],
)
def test_holidays_are_fixed_when_the_game_is_opened(region: str, day: date, *, off: bool) -> None:
    agreed = terms(SETTINGS, f"3d, holidays {region}", TODAY)
    assert (day in agreed.holidays) is off
    assert list(agreed.holidays) == sorted(set(agreed.holidays))


@pytest.mark.parametrize("region", ["XX", "DE-QQ"])
def test_holidays_of_nowhere_are_refused(region: str) -> None:
    with pytest.raises(BadOption, match=f"I don't know the holidays of {region}"):
        terms(SETTINGS, f"3d, holidays {region}", TODAY)


def test_a_service_does_not_start_with_a_time_that_nobody_can_read() -> None:
    with pytest.raises(ConfigError, match=r"play\.time cannot be used"):
        check_time(msgspec.structs.replace(SETTINGS, play=msgspec.structs.replace(PLAIN, time="soon")), TODAY)


def test_a_fixed_hour_is_one_of_the_challengers_day(world: World) -> None:
    world.answer("Ada", "set zone Asia/Tokyo")
    world.answer("Ada", "challenge Bob take time=daily", mail=world.welcomes["Ada"])
    with world.service.db.read() as conn:
        (game,) = views.list_games(conn)
    assert world.state(game.id).terms.time == "next 20:00 Asia/Tokyo, at least 24h"


def test_a_service_that_could_open_no_game_does_not_start(world: World) -> None:
    world._settings = msgspec.structs.replace(SETTINGS, play=msgspec.structs.replace(PLAIN, time="some days"))
    world.restart()
    with pytest.raises(ConfigError, match=r"play\.time cannot be used"):
        world.service.make_ready()
