"""Somebody plays on for another, by mail: who hears of it, who may move, and what lists say."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.play import small_games
from tests.service.world import World
from turnserver.errors import NotAllowed
from turnserver.ids import Burden, GameId
from turnserver.rules import Seat
from turnserver.store.games import views
from turnserver.store.log.database import Database


@pytest.fixture
def world(sqlite_url: str, tmp_path: Path) -> Iterator[World]:
    """A world that plays nim."""
    db = Database.connect(sqlite_url)
    yield World(db, tmp_path / "mail", find=small_games.find)
    db.close()


def put_in(world: World, game: GameId, who: str = "Cleo") -> None:
    world.service.games.substitute(game, Seat(1), who, Burden.SEAT, "stays away", actor="admin:test", cause=f"test:{world.now}")
    world.settle()


def games_of(world: World, name: str) -> list[GameId]:
    with world.service.db.read() as conn:
        return [row.id for row in views.list_games(conn, player=world.service.people.find(name).id)]


def test_everybody_hears_of_it_and_the_substitute_plays(world: World) -> None:
    game = world.open_any("nim", ["Ada", "Bob"])
    world.answer("Ada", "2")
    world.answer("Bob", "1")
    put_in(world, game)
    assert "You now play for Ada (Red)" in world.text("Cleo").replace("\n", " ")
    assert "Cleo took over your seat" in world.text("Ada").replace("\n", " ")
    assert "The result counts for your rating." in world.text("Ada").replace("\n", " ")
    assert "The result counts for the rating of whoever had the seat before." in world.text("Cleo").replace("\n", " ")
    assert "Cleo plays on for Ada (Red)" in world.text("Bob").replace("\n", " ")
    assert (games_of(world, "Ada"), games_of(world, "Cleo")) == ([], [game])
    world.answer("Cleo", "1")
    assert "Cleo (Red) played 1" in world.text("Bob").replace("\n", " ")


def test_a_result_is_not_that_of_a_substitute_who_is_replaced(world: World) -> None:
    game = world.open_any("nim", ["Ada", "Bob"])
    put_in(world, game)
    world.wait(hours=1)
    put_in(world, game, "Ada")
    told = world.text("Cleo").replace("\n", " ")
    assert "Ada took over your seat" in told
    assert "The result counts for the rating of whoever had the seat before." in told


@pytest.mark.parametrize("text", ["1", "draw", "say hello", "confirm resign", "preview 1"])
def test_who_was_replaced_can_do_nothing_more(world: World, text: str) -> None:
    game = world.open_any("nim", ["Ada", "Bob"])
    turn = world.mails("Ada")[-1]
    put_in(world, game)
    version = world.state(game).version
    world.answer("Ada", text, mail=turn)
    assert world.outcome() == "done: refused: seat_taken_over"
    assert world.state(game).version == version


@pytest.mark.parametrize(
    ("text", "shown"), [("show", "The board now"), ("history", "Cleo took over"), ("clock", "whoever has taken the seat")]
)
def test_who_was_replaced_may_ask(world: World, text: str, shown: str) -> None:
    game = world.open_any("nim", ["Ada", "Bob"])
    put_in(world, game)
    world.answer("Ada", text)
    assert shown in world.text("Ada").replace("\n", " ")


def test_nobody_plays_on_who_wants_no_mail(world: World) -> None:
    game = world.open_any("nim", ["Ada", "Bob"])
    world.service.people.choose("Cleo", [("subscribed", "off")], actor="admin:test", cause="test:off")
    with pytest.raises(NotAllowed, match="doesn't want mail"):
        put_in(world, game)


def test_the_calendar_entry_moves_to_the_substitute(world: World) -> None:
    for name in ("Ada", "Cleo"):
        world.service.people.choose(name, [("calendar", "on")], actor="admin:test", cause=f"test:calendar:{name}")
    game = world.open_any("nim", ["Ada", "Bob"])
    put_in(world, game)
    statuses = [
        next(part for part in world.mails(name)[-1].walk() if part.get_content_type() == "text/calendar").get_content()
        for name in ("Ada", "Cleo")
    ]
    assert ["STATUS:CANCELLED" in statuses[0], "STATUS:CONFIRMED" in statuses[1]] == [True, True]


def test_the_substitute_brings_a_vacation_along_and_the_other_takes_theirs_away(world: World) -> None:
    game = world.open_any("nim", ["Ada", "Bob"])
    world.answer("Ada", "vacation 9 days")
    world.answer("Cleo", "vacation 4 days", mail=world.welcomes["Cleo"])
    put_in(world, game)
    state = world.state(game)
    gone, new = state.freezes
    assert gone.ends == max(gone.begins, world.now)
    assert new.ends is not None
    assert (new.seat, (new.ends - world.now).days) == (1, 4)
    assert state.clock is not None
    assert state.deadline == new.ends + (state.clock.time or new.begins - world.now) - max(timedelta(0), new.begins - world.now)
