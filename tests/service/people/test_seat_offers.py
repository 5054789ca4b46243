"""A substitute whom the players themselves want, from mail to mail: one names them, the others agree, they are asked and answer."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.play import small_games
from tests.service.upkeep.test_late import live
from tests.service.world import SITE, World
from tests.terms import PLAIN
from turnserver.audit.game.recheck import recheck
from turnserver.config import Settings, Site
from turnserver.ids import GameId
from turnserver.play import events as e
from turnserver.store.games import views
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database

WAITING = Settings(site=Site(address=SITE), play=replace(PLAIN, when_late=e.WhenLate.SUBSTITUTE))


@pytest.fixture
def world(database_url: str, tmp_path: Path) -> Iterator[World]:
    """A world that plays nim and in which late seats wait for substitutes, over each engine in turn."""
    db = Database.connect(database_url)
    yield World(db, tmp_path / "mail", find=small_games.find, settings=WAITING)
    db.close()


def begin(world: World) -> GameId:
    """A game of Ada and Bob in which it is Ada's turn once more."""
    game = world.open_any("nim", ["Ada", "Bob"], {"heap": 20})
    world.answer("Ada", "2")
    world.answer("Bob", "1")
    return game


def asked(world: World) -> GameId:
    """The same, and Cleo is asked to play on for Ada."""
    game = begin(world)
    world.answer("Ada", "substitute Cleo")
    world.answer("Bob", "accept")
    return game


def read(world: World, name: str) -> str:
    """The newest mail to a player as one line."""
    return " ".join(world.text(name).split())


def test_the_whole_way(world: World) -> None:
    game = begin(world)
    world.answer("Ada", "substitute Cleo")
    assert "Ada (Red) would like Cleo to take over their seat." in read(world, "Bob")
    assert 'Reply "accept" to agree' in read(world, "Bob")
    heard = len(world.mails("Cleo"))
    world.answer("Bob", "accept")
    assert "We have asked Cleo to play on for Ada (Red). You play on until the answer comes." in read(world, "Ada")
    assert len(world.mails("Cleo")) == heard + 1
    offer = read(world, "Cleo")
    assert "Would you play on for Ada (Red) in Nim 1, against Bob (Blue)?" in offer
    assert "Each turn may take 3 days." in offer
    assert "Bob: 100 % of 1 turn in time." in offer
    assert "TO PLAY ON" in offer
    world.answer("Cleo", "set zone Asia/Tokyo", mail=world.welcomes["Cleo"])
    world.wait(days=1)
    world.answer("Cleo", "accept", mail=world.mails("Cleo")[heard])
    assert "You now play for Ada (Red), against Bob. Your move" in read(world, "Cleo")
    assert "Cleo took over your seat" in read(world, "Ada")
    assert "Cleo plays on for Ada (Red)" in read(world, "Bob")
    state = world.state(game)
    assert (state.players, state.zones[0], state.seat_offers) == ((3, 2), "Asia/Tokyo", ())
    world.answer("Cleo", "1")
    assert "Cleo (Red) played 1" in read(world, "Bob")
    world.answer("Bob", "history")
    for line in ("Ada (Red) proposed to hand the seat over to Cleo.", "They agreed to ask Cleo", "Cleo took over"):
        assert line in read(world, "Bob")
    history = [row.event for row in world.service.games.history(game)]
    assert list(recheck(history, game, small_games.find)) == []
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []
        assert views.seats_offered(conn, world.service.people.find("Cleo").id) == []


def test_whoever_never_answers_holds_nothing_up(world: World) -> None:
    game = asked(world)
    world.answer("Ada", "1")
    world.answer("Bob", "1")
    world.wait(days=2)
    world.answer("Cleo", "accept")
    assert world.state(game).players == (3, 2)
    assert "Your move" in read(world, "Cleo")


def test_the_one_who_is_asked_may_look_first(world: World) -> None:
    game = asked(world)
    offer = world.mails("Cleo")[-1]
    for text, shown in (("show", "The board now"), ("history", "Bob (Blue) played 1"), ("clock", "Ada (Red)")):
        world.answer("Cleo", text, mail=offer)
        assert shown in read(world, "Cleo")
    for text in ("1", "draw", "resign", "say hello", "substitute off"):
        world.answer("Cleo", text, mail=offer)
        assert world.outcome() == "done: refused: not_in_game"
    world.wait(hours=2)
    world.answer("Cleo", "games", mail=offer)
    assert ">> Nim 1 against Bob: you are asked to play on for Ada (Red)." in read(world, "Cleo")
    world.answer("Cleo", "resend", mail=offer)
    assert "Would you play on for Ada (Red) in Nim 1" in read(world, "Cleo")
    world.answer("Cleo", "accept")
    assert world.state(game).players == (3, 2)


def test_a_no(world: World) -> None:
    game = asked(world)
    offer, heard = world.mails("Cleo")[-1], len(world.mails("Cleo"))
    world.answer("Cleo", "decline")
    assert isinstance(world.service.games.history(game)[-1].event, e.SubstituteDeclined)
    for name in ("Ada", "Bob"):
        assert "Cleo declined to play on for Ada (Red). The game goes on as it is." in read(world, name)
    assert len(world.mails("Cleo")) == heard
    world.answer("Cleo", "accept", mail=offer)
    assert world.outcome() == "done: refused: not_in_game"
    world.answer("Cleo", "games", mail=offer)
    assert "asked to play on" not in read(world, "Cleo")


def test_called_off(world: World) -> None:
    game = asked(world)
    offer = world.mails("Cleo")[-1]
    world.answer("Ada", "substitute off")
    assert isinstance(world.service.games.history(game)[-1].event, e.SubstituteWithdrawn)
    assert "Ada (Red) no longer wants a substitute" in read(world, "Bob")
    assert "You need not play on for Ada (Red) in Nim 1 any more." in read(world, "Cleo")
    world.answer("Cleo", "accept", mail=offer)
    assert world.outcome() == "done: refused: not_in_game"
    world.answer("Ada", "substitute off")
    assert world.outcome() == "done: refused: nothing_to_withdraw"


def test_the_other_does_not_agree(world: World) -> None:
    game = begin(world)
    heard = len(world.mails("Cleo"))
    world.answer("Ada", "substitute Cleo")
    world.answer("Bob", "decline")
    assert "Bob (Blue) declined the substitute. The game goes on." in read(world, "Ada")
    world.answer("Ada", "substitute Cleo\nsay A friend of mine")
    assert "A friend of mine" in read(world, "Bob")
    world.answer("Ada", "1")
    world.answer("Bob", "accept")
    assert world.outcome() == "done: refused: nothing_to_accept"
    assert (world.state(game).players, len(world.mails("Cleo"))) == ((1, 2), heard)


@pytest.mark.parametrize(
    ("line", "outcome", "words"),
    [
        ("substitute Bob", "already_playing", "is in this game already"),
        ("substitute Zoe", "not_found", "Zoe"),
        ("substitute Cleo", "unsubscribed", "Cleo doesn't want mail at the moment"),
        ("substitute off", "nothing_to_withdraw", "You have no substitute to call off"),
    ],
)
def test_refusals(world: World, line: str, outcome: str, words: str) -> None:
    game = begin(world)
    world.service.people.choose("Cleo", [("subscribed", "off")], actor="admin:test", cause="test:off")
    version = world.state(game).version
    world.answer("Ada", line)
    assert world.outcome() == f"done: refused: {outcome}"
    assert words in read(world, "Ada")
    assert world.state(game).version == version


def test_a_seat_that_waits(world: World) -> None:
    """Of two, one is late: the other names somebody alone, who sits down with a day for the turn."""
    game = begin(world)
    live(world, world.now + timedelta(days=3, hours=1))
    assert world.state(game).vacant == 1
    world.answer("Bob", "substitute Cleo")
    assert [type(row.event) for row in world.service.games.history(game)][-1] is e.SubstituteInvited
    assert "We have asked Cleo to play on for Ada (Red). Somebody else may take over the seat, until" in read(world, "Bob")
    assert "We have asked Cleo to play on for Ada (Red)" in read(world, "Ada")
    assert ["call it off" in read(world, name) for name in ("Ada", "Bob")] == [False, True]
    assert "If you accept, you have a day for it." in read(world, "Cleo")
    world.answer("Cleo", "accept")
    state = world.state(game)
    assert isinstance(world.service.games.history(game)[-1].event, e.SubstituteSeated)
    assert (state.players, state.vacant, state.to_move) == ((3, 2), None, 1)
    world.answer("Cleo", "1")
    assert world.state(game).to_move == 2


def test_the_game_ends_before_the_answer(world: World) -> None:
    asked(world)
    offer = world.mails("Cleo")[-1]
    world.answer("Ada", "confirm resign")
    assert "any more" in read(world, "Cleo")
    world.answer("Cleo", "accept", mail=offer)
    assert world.outcome() == "done: refused: not_in_game"


def test_in_a_digest(world: World) -> None:
    world.answer("Cleo", "set digest 18:00")
    game = asked(world)
    heard = len(world.mails("Cleo"))
    world.wait(hours=7)
    world.settle()
    assert len(world.mails("Cleo")) == heard + 1
    told = read(world, "Cleo")
    assert ">> You are asked to play on for Ada (Red)." in told
    assert "to decline: decline" in told
    assert "has happened" not in told
    world.answer("Cleo", "accept")
    assert world.state(game).players == (3, 2)


def test_in_german(world: World) -> None:
    for name in ("Ada", "Bob", "Cleo"):
        world.answer(name, "set language Deutsch", mail=world.welcomes[name])
    game = begin(world)
    world.answer("Ada", "Ersatz: Cleo")
    assert "Ada (Rot) möchte den Platz an Cleo abgeben." in read(world, "Bob")
    world.answer("Bob", "annehmen")
    assert "Um es abzusagen, antworte „ersatz: aus“." in read(world, "Ada")
    assert "Möchtest du für Ada (Rot) in Nim 1 weiterspielen" in read(world, "Cleo")
    world.answer("Ada", "ersatz: aus")
    assert world.state(game).seat_offers == ()
    assert "Ada (Rot) möchte keinen Ersatz mehr" in read(world, "Bob")


def test_with_the_last_move_that_may_still_be_corrected(sqlite_url: str, tmp_path: Path) -> None:
    """Ada plays and hands over in one mail: Bob hears of both in one mail when the time for correcting is over, and then Cleo."""
    slow = Settings(site=Site(address=SITE), play=replace(PLAIN, correction_minutes=10))
    world = World(Database.connect(sqlite_url), tmp_path / "mail", find=small_games.find, settings=slow)
    game = world.open_any("nim", ["Ada", "Bob"], {"heap": 20})
    heard = len(world.mails("Bob"))
    world.answer("Ada", "2\nsubstitute Cleo")
    assert len(world.mails("Bob")) == heard
    world.wait(minutes=10)
    world.settle()
    assert len(world.mails("Bob")) == heard + 1
    assert "Ada played 2. Your move" in read(world, "Bob")
    assert "Ada (Red) would like us to ask Cleo to play on instead" in read(world, "Bob")
    world.answer("Bob", "accept")
    world.answer("Bob", "1", mail=world.mails("Bob")[-1])
    offer = world.mails("Cleo")[-1]
    world.answer("Cleo", "show", mail=offer)
    assert "2 taken last" in read(world, "Cleo")
    world.answer("Cleo", "accept", mail=offer)
    assert world.state(game).players == (3, 2)
    world.wait(minutes=10)
    world.settle()
    assert "You now play for Ada (Red), against Bob. Your move" in read(world, "Cleo")
    assert "17 counters left, 1 taken last" in read(world, "Cleo")
    world.service.db.close()
