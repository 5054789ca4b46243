"""Mails that wait for the end of quiet hours: what they say when they leave is true then, and none leaves when it is too late to act."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from tests.service.mailroom.test_quiet_reminders import pass_time
from tests.service.upkeep.test_late import live
from tests.service.world import SITE, World
from tests.terms import PLAIN
from turnserver.config import Settings, Site
from turnserver.ids import GameId
from turnserver.play.commands import Cancel, Retract
from turnserver.play.events import SeatOrder, WhenLate
from turnserver.store.log.database import Database

NIGHT = "22:00-07:00"
EVENING = datetime(2026, 3, 1, 22, 30, tzinfo=UTC)
MORNING = datetime(2026, 3, 2, 7, tzinfo=UTC)

Make = Callable[..., World]


@pytest.fixture
def make(database_url: str, tmp_path: Path) -> Iterator[Make]:
    """A world in which Ada begins and Bob wants no mail by night; it is evening, and the game has a time control and reminders."""
    db = Database.connect(database_url)

    def world(time: str = "3d", reminders: tuple[str, ...] = ()) -> World:
        play = replace(PLAIN, reminders=reminders)
        made = World(db, tmp_path / "mail", settings=Settings(site=Site(address=SITE), play=play))
        made.service.people.choose("Bob", [("quiet", NIGHT)], actor="admin:test", cause="test:quiet")
        given = SeatOrder.GIVEN
        made.service.games.open("take", {"size": 3}, ["Ada", "Bob"], time=time, order=given, actor="admin:test", cause="test:open")
        made.settle()
        made.now = EVENING - timedelta(hours=2)
        for name in ("Ada", "Bob"):
            made.answer(name, "accept")
        made.now = EVENING
        return made

    yield world
    db.close()


def play(world: World) -> None:
    """Ada plays, and Bob has the turn."""
    world.answer("Ada", "a1", mail=next(mail for mail in reversed(world.mails("Ada")) if mail["Message-ID"].startswith("<turn.")))
    assert world.outcome() == "done: carried out"


def came(world: World, since: int, until: datetime = MORNING) -> list[tuple[str, str]]:
    """Return the kind of each mail that came to Bob after the first ones, and when."""
    pass_time(world, GameId(1), f"{until:%d %H:%M}")
    mails = world.mails("Bob")[since:]
    return [(str(mail["Message-ID"]).split(".")[0][1:], f"{mail['Date'].datetime:%d %H:%M}") for mail in mails]


class Case(NamedTuple):
    """A time control, the marks of reminders, and the mails to Bob until an hour after waking if Bob is to move at 22:30."""

    name: str
    time: str
    marks: tuple[str, ...]
    came: list[tuple[str, str]]


CASES = [
    Case("it can wait", "3d", (), [("turn", "02 07:00")]),
    Case("half of the time would be left", "17h", (), [("turn", "02 07:00")]),
    Case("less than half would be left", "16h", (), [("turn", "01 22:30")]),
    Case("a minute would be left", "511m", (), [("turn", "01 22:30")]),
    Case("nothing would be left", "6h", (), [("turn", "01 22:30")]),
    Case("a reminder would come with it", "20h", ("18h",), [("turn", "02 07:00")]),
    Case("a reminder comes later", "20h", ("11h",), [("turn", "02 07:00"), ("reminder", "02 07:30")]),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_turn_that_begins_by_night(make: Make, case: Case) -> None:
    world = make(case.time, case.marks)
    before = len(world.mails("Bob"))
    play(world)
    kinds = came(world, before, MORNING + timedelta(hours=1))
    assert [one for one in kinds if one[0] != "game_over"] == case.came


def test_a_turn_that_was_played_by_night_is_not_asked_for(make: Make) -> None:
    world = make()
    play(world)
    world.answer("Bob", "resend", mail=world.welcomes["Bob"])
    world.answer("Bob", "b2")
    assert world.outcome() == "done: carried out"
    assert came(world, len(world.mails("Bob"))) == []
    assert [row.status for row in world.outbox() if row.kind == "turn" and row.player == 2] == ["sent", "unwanted"]


def test_words_in_a_turn_that_is_over_are_passed_on_by_themselves(make: Make) -> None:
    world = make()
    world.answer("Ada", "a1\nsay Sleep well", mail=world.mails("Ada")[-1])
    world.answer("Bob", "resend", mail=world.welcomes["Bob"])
    world.answer("Bob", "b2")
    assert came(world, len(world.mails("Bob")), MORNING + timedelta(minutes=1)) == [("said", "02 07:00")]
    assert "| Sleep well" in world.text("Bob")
    assert [name for name in ("Ada", "Bob") if "YOUR MOVE" in world.text(name)] == ["Ada"]


def test_a_game_that_was_called_off_by_night_asks_for_nothing(make: Make) -> None:
    world, game = make(), GameId(1)
    before = len(world.mails("Bob"))
    play(world)
    world.answer("Ada", "undo", mail=world.mails("Ada")[-1])
    assert world.state(game).proposal is not None
    world.service.games.handle(game, Cancel("the club is closed"), actor="admin:test", cause="test:cancel")
    assert came(world, before) == [("game_over", "02 07:00")]
    assert "a1" in world.text("Bob")


def test_a_turn_that_was_taken_back_by_night_is_not_asked_for(make: Make) -> None:
    world = make()
    before = len(world.mails("Bob"))
    play(world)
    world.service.games.handle(GameId(1), Retract(1, "the wrong board"), actor="admin:test", cause="test:retract")
    assert came(world, before) == [("retracted", "02 07:00")]


def test_who_has_lost_the_seat_is_asked_for_no_move(database_url: str, tmp_path: Path) -> None:
    """Neither by a digest, nor by the list of games, nor by what is sent again, nor by the calendar."""
    db = Database.connect(database_url)
    waiting = Settings(site=Site(address=SITE), play=replace(PLAIN, when_late=WhenLate.SUBSTITUTE))
    world = World(db, tmp_path / "mail", settings=waiting)
    game = world.open({"size": 3})
    world.answer("Ada", "set digest 18:00")
    live(world, world.now + timedelta(days=3, hours=7))
    assert world.state(game).vacant == 1
    digest = " ".join(world.text("Ada").split())
    assert "News of 1 game. It does not wait for you." in digest
    assert "The seat of Ada (Red) waits for a substitute, until" in digest
    assert "Ada (Red) ran out of time in turn 1." in digest
    assert "just reply" not in digest
    for words in ("games", "resend"):
        world.answer("Ada", words, mail=world.welcomes["Ada"])
        listed = " ".join(world.text("Ada").split())
        assert "Take 1 against Bob: the seat of Ada (Red) waits for a substitute, until" in listed
        assert ">> Take" not in listed
    calendars = world.service.pages.calendars
    assert calendars.see(calendars.path(world.service.people.find("Ada")).split("/")[1].removesuffix(".ics")).turns == ()
    db.close()
