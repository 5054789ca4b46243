"""Reminders and quiet hours: what would come too late in the morning comes in the evening before, and no two come together."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.service.world import SITE, World
from turnserver.config import Play, Settings, Site
from turnserver.ids import GameId
from turnserver.play.commands import CheckClock, CreditClock
from turnserver.play.events import SeatOrder
from turnserver.store.log.database import Database

QUIET = "20:00-07:29"

Make = Callable[..., World]


@pytest.fixture
def make(database_url: str, tmp_path: Path) -> Iterator[Make]:
    """A world with some reminders, in which Ada wants no mail by night."""
    db = Database.connect(database_url)

    def world(*marks: str, quiet: str = QUIET) -> World:
        play = Play(reminders=marks, correction_minutes=0, grace_hours=0, receipts=0)
        made = World(db, tmp_path / "mail", settings=Settings(site=Site(address=SITE), play=play))
        made.service.people.choose("Ada", [("quiet", quiet)], actor="admin:test", cause="test:quiet")
        return made

    yield world
    db.close()


def instant(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-03-{text}").replace(tzinfo=UTC)


def begin(world: World, time: str, at: str) -> GameId:
    """Ada has the turn from an instant on, when Bob accepts."""
    order = SeatOrder.GIVEN
    game = world.service.games.open(
        "take", {"size": 3}, ["Ada", "Bob"], time=time, order=order, actor="admin:test", cause=f"open:{at}"
    ).game
    world.settle()
    world.answer("Ada", "accept")
    invited = world.mails("Bob")[-1]
    world.now = instant(at)
    world.answer("Bob", "accept", mail=invited)
    assert world.state(game).deadline is not None
    return game


def pass_time(world: World, game: GameId, until: str) -> None:
    """Send every mail when it is due, and look at the clock whenever that is."""
    end = instant(until)
    while world.now < end:
        waiting = [row.next_at for row in world.outbox() if row.status == "queued"]
        due = world.state(game).due_at
        world.now = min([end, *(at for at in waiting if at > world.now), *([due] if due and due > world.now else [])])
        world.settle()
        if due is not None and due <= world.now:
            world.service.games.handle(game, CheckClock(), actor="service", cause=f"test:clock:{world.now}")
            world.settle()


def reminders(world: World) -> list[str]:
    """Return the day and time at which each reminder came to Ada."""
    mails = [mail for mail in world.mails("Ada") if str(mail["Message-ID"]).startswith("<reminder")]
    return sorted(f"{mail['Date'].datetime:%d %H:%M}" for mail in mails)


class Case(NamedTuple):
    """The marks of a game, a turn that begins and whose deadline comes after some time, and when reminders of it came."""

    name: str
    marks: tuple[str, ...]
    time: str
    begins: str
    came: list[str]


CASES = [
    Case("a minute would be left", ("24h", "4h", "2h"), "3d", "02 07:30", ["04 07:30", "04 19:59"]),
    Case("less than half would be left", ("24h", "10h"), "3d", "02 12:00", ["04 12:00", "04 19:59"]),
    Case("half is left", ("24h", "8h"), "3d", "02 12:00", ["04 12:00", "05 07:29"]),
    Case("the deadline is by night", ("4h",), "3d", "02 05:00", ["04 19:59"]),
    Case("by day", ("4h",), "3d", "02 15:00", ["05 11:00"]),
    Case("nothing could come before, and one is enough", ("50%", "80%"), "10h", "02 21:30", ["03 07:29"]),
    Case("one waits, another comes before", ("59h", "4h"), "3d", "02 07:30", ["03 07:29", "04 19:59"]),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_reminders_of_whoever_wants_none_by_night(make: Make, case: Case) -> None:
    world = make(*case.marks)
    game = begin(world, case.time, case.begins)
    pass_time(world, game, f"{world.state(game).deadline:%d %H:%M}")
    assert reminders(world) == case.came


def test_they_are_planned_anew_when_quiet_hours_are_chosen(make: Make) -> None:
    world = make("4h", quiet="off")
    game = begin(world, "3d", "02 07:30")
    world.service.people.choose("Ada", [("quiet", "22:00-07:29")], actor="admin:test", cause="test:quiet:later")
    world.service.people.choose("Ada", [("zone", "Europe/Berlin")], actor="admin:test", cause="test:zone")
    pass_time(world, game, "05 07:30")
    assert reminders(world) == ["04 20:59"]


def test_it_says_what_is_left_when_it_comes(make: Make) -> None:
    world = make("4h")
    pass_time(world, begin(world, "3d", "02 07:30"), "05 07:29")
    assert "Reminder: your move, 11 hours 31 minutes left." in " ".join(world.text("Ada").split())


def test_none_comes_for_a_turn_that_was_played(make: Make) -> None:
    """Neither the one that was planned for the evening, nor the one that waits for the morning."""
    world = make("59h", "4h")
    game = begin(world, "3d", "02 07:30")
    pass_time(world, game, "02 19:31")
    assert [row.status for row in world.outbox() if row.kind == "reminder"] == ["queued"]
    pass_time(world, game, "02 23:00")
    world.answer("Ada", "a1", mail=next(mail for mail in reversed(world.mails("Ada")) if "[Take" in mail["Subject"]))
    pass_time(world, game, "05 07:00")
    assert reminders(world) == []
    assert {row.status for row in world.outbox() if row.kind == "reminder" and row.player == 1} == {"unwanted"}


def test_a_deadline_that_moves_takes_its_reminder_along(make: Make) -> None:
    world = make("4h")
    game = begin(world, "3d", "02 07:30")
    pass_time(world, game, "03 12:00")
    world.service.games.handle(game, CreditClock(24 * 3600, "we were slow"), actor="admin:test", cause="test:credit")
    pass_time(world, game, "06 07:29")
    assert reminders(world) == ["05 19:59"]


def test_an_own_vacation_takes_its_reminder_along(make: Make) -> None:
    world = make("4h")
    game = begin(world, "3d", "02 07:30")
    pass_time(world, game, "02 12:00")
    world.answer("Ada", "vacation 2026-03-03 to 2026-03-06", mail=world.welcomes["Ada"])
    assert world.state(game).deadline == instant("09 07:30")
    assert [row.due_at for row in world.outbox() if row.kind == "reminder" and row.status == "queued"] == [instant("08 19:59")]
    pass_time(world, game, "09 07:30")
    assert reminders(world)[-1] == "08 19:59"
    assert "05 19:59" not in reminders(world)


def test_one_that_may_never_leave_is_no_part_of_the_thread(make: Make) -> None:
    world = make("4h")
    game = begin(world, "3d", "02 07:30")
    planned = next(row.message_id for row in world.outbox() if row.kind == "reminder")
    world.answer("Bob", "say Hello", mail=world.mails("Bob")[-1])
    hello = world.mails("Ada")[-1]
    assert "Hello" in world.text("Ada")
    assert planned not in f"{hello['References']} {hello['In-Reply-To']}"
    assert [row.message_id for row in world.outbox() if row.kind == "reminder"] == [planned]
    assert world.state(game).line.length == 0


def test_who_has_no_quiet_hours_or_wants_no_reminders_gets_none_ahead(make: Make) -> None:
    world = make("4h", quiet="off")
    begin(world, "3d", "02 07:30")
    world.service.people.choose("Ada", [("quiet", QUIET), ("reminders", "off")], actor="admin:test", cause="test:off")
    begin(world, "3d", "02 07:31")
    assert [row for row in world.outbox() if row.kind == "reminder"] == []
