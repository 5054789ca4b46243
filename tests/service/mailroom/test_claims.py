"""A claim that the opponent does not move, from the mail to the admin's decision."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.service.leagues.league_world import ADMIN, sound
from tests.service.world import SITE, World
from tests.terms import PLAIN
from turnserver.config import Settings, Site
from turnserver.play.commands import DecideClaim
from turnserver.store.log.database import Database


@pytest.fixture
def world(database_url: str, tmp_path: Path) -> Iterator[World]:
    """A world with an admin who gets reports, and games without a limit of time."""
    settings = Settings(site=Site(address=SITE, admin="admin@example.net"), play=replace(PLAIN, time="no limit"))
    db = Database.connect(database_url)
    yield World(db, tmp_path / "mail", settings=settings)
    db.close()


def told(world: World, name: str) -> str:
    return " ".join(world.text(name).split())


@pytest.mark.parametrize("granted", [True, False])
def test_a_claim_waits_for_the_admin_and_both_hear_of_the_decision(world: World, granted: bool) -> None:
    game = world.open()
    world.wait(days=9)
    world.answer("Bob", "claim\nsay Nothing from you since March.", mail=world.mails("Bob")[-1])
    assert world.outcome() == "done: carried out"
    assert "You asked the organisers to decide the game, because turn 1 is not played. Your claim waits for the organisers" in told(
        world, "Bob"
    )
    assert "Bob (Blue) asked the organisers to decide the game, because turn 1 is not played. Your move" in told(world, "Ada")
    report = told(world, "admin@example.net")
    assert "Bob asks you to decide game 1." in report
    assert "Nothing from you since March." in report
    assert f"turnserver game claim {game} --grant --reason TEXT" in report
    world.service.games.handle(game, DecideClaim(granted, "We reached her by phone."), actor=ADMIN, cause="test:claim")
    world.settle()
    for name in ("Ada", "Bob"):
        assert "We reached her by phone" in told(world, name)
        assert ("is over" in told(world, name)) is granted
    result = world.state(game).result
    assert (result.winners if result is not None else None) == ((2,) if granted else None)
    assert sound(world)


def test_a_claim_is_taken_back_or_settled_by_a_move(world: World) -> None:
    game = world.open()
    world.wait(days=2)
    mail = world.mails("Bob")[-1]
    world.answer("Bob", "reklamieren", mail=mail)
    world.answer("Bob", "claim off", mail=mail)
    assert "Bob (Blue) took the claim back." in told(world, "Ada")
    world.answer("Bob", "claim", mail=mail)
    assert world.outcome() == "done: refused: claimed_already"
    world.answer("Ada", "a2")
    world.wait(days=2)
    world.answer("Ada", "claim")
    assert world.state(game).open_claim is not None
    world.answer("Bob", "b1")
    assert world.state(game).open_claim is None
    assert sound(world)


def test_a_refusal_names_its_moments_by_the_clock_and_in_the_language_of_its_reader(world: World) -> None:
    world.open()
    mail = world.mails("Bob")[-1]
    world.answer("Bob", "set zone Asia/Tokyo", mail=mail)
    world.wait(hours=1)
    world.answer("Bob", "claim", mail=mail)
    assert world.outcome() == "done: refused: claim_too_early"
    assert "Red has been to move for less than a day. Make a claim after Mon 2 Mar, 21:00 (Asia/Tokyo)." in told(world, "Bob")
    world.answer("Bob", "set language de", mail=mail)
    world.answer("Bob", "reklamieren", mail=mail)
    assert "Rot ist seit weniger als einem Tag am Zug. Reklamieren kannst du nach Mo. 2.3., 21:00 Uhr (Asia/Tokyo)." in told(world, "Bob")
