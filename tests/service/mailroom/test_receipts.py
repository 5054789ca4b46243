"""Receipts: which moves are confirmed, to whom, when, and how a move is taken back from one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.mailroom.test_digests import at
from tests.service.world import SITE, World
from turnserver.config import Play, Settings, Site
from turnserver.ids import Burden
from turnserver.play.events import TurnPlayed
from turnserver.rules import Seat
from turnserver.store.log.database import Database

OPENING = ("e5", "c3", "e6", "c4", "d4", "g4", "f6", "g5")


@pytest.fixture
def world(database_url: str, tmp_path: Path) -> Iterator[World]:
    """A site that confirms the first two moves of a player, which can be corrected for ten minutes."""
    play = Play(time="3d", reminders=(), grace_hours=0, correction_minutes=10, receipts=2)
    db = Database.connect(database_url)
    yield World(db, tmp_path / "mail", settings=Settings(site=Site(address=SITE), play=play))
    db.close()


def receipts(world: World, name: str = "Ada") -> list[str]:
    """The first line of each receipt that a player got, below the mark."""
    bodies = [mail.get_body(("plain",)) for mail in world.mails(name) if str(mail["Message-ID"]).startswith("<receipt.")]
    return [str(body.get_content()).splitlines()[2] for body in bodies if body is not None]


def play(world: World, count: int) -> None:
    """Both play the opening, each in answer to the mail of their turn."""
    for ply, move in enumerate(OPENING[:count]):
        name = "AdaBob"[3 * (ply % 2) :][:3]
        turn = next(mail for mail in reversed(world.mails(name)) if str(mail["Message-ID"]).startswith(("<turn.", "<game_started.")))
        world.answer(name, move, mail=turn)
        world.wait(minutes=11)
        world.settle()


@pytest.mark.parametrize(
    ("wanted", "confirmed"),
    [
        ("first", ["e5 is in.", "e6 is in."]),
        ("on", ["e5 is in.", "e6 is in.", "d4 is in."]),
        ("off", []),
        ("digest", []),
    ],
)
def test_moves_are_confirmed_as_their_player_wants(world: World, wanted: str, confirmed: list[str]) -> None:
    world.service.people.choose("Ada", [("receipts", wanted)], actor="admin:test", cause="test:receipts")
    world.open({"size": 5})
    play(world, 6)
    assert receipts(world) == confirmed


def test_the_first_moves_are_counted_over_all_games(world: World) -> None:
    world.open({"size": 5})
    play(world, 4)
    world.open({"size": 5})
    play(world, 2)
    assert receipts(world) == ["e5 is in.", "e6 is in."]


def test_whoever_begins_in_the_middle_of_a_game_gets_receipts_too(world: World) -> None:
    game = world.open({"size": 5})
    play(world, 6)
    world.service.games.substitute(game, Seat(1), "Cleo", Burden.SEAT, "stays away", actor="admin:test", cause="test:substitute")
    world.settle()
    world.answer("Cleo", "f6")
    assert receipts(world, "Cleo") == ["f6 is in."]


def test_a_move_is_taken_back_in_answer_to_its_receipt(world: World) -> None:
    game = world.open({"size": 5})
    world.answer("Ada", "e5")
    assert 'Reply "undo" until ' in world.text("Ada")
    world.answer("Ada", "undo e6")
    assert [turn.text for turn in world.state(game).line.entries if isinstance(turn, TurnPlayed)] == ["e6"]
    assert receipts(world) == ["e5 is in.", "e6 is in."]


def test_a_receipt_waits_for_the_digest_of_whoever_wants_it_there(world: World) -> None:
    world.open({"size": 5})
    world.service.people.choose("Ada", [("digest", "18:00"), ("receipts", "digest")], actor="admin:test", cause="test:receipts")
    world.answer("Ada", "e5")
    assert receipts(world) == []
    at(world, "18:00")
    assert "Turn 1: Ada (Red) played e5." in world.text("Ada")


def test_a_move_that_another_mail_tells_of_has_no_receipt(world: World) -> None:
    world.open({"size": 5})
    world.answer("Ada", "e5\nhistory")
    assert receipts(world) == []
    assert "Turn 1: Ada (Red) played e5." in world.text("Ada")


def test_a_receipt_is_short_and_has_no_picture(world: World) -> None:
    world.want("html", "Ada")
    world.open({"size": 5})
    world.answer("Ada", "e5")
    mail = world.mails("Ada")[-1]
    assert [part.get_content_type() for part in mail.walk()] == ["multipart/alternative", "text/plain", "text/html"]
    assert len(world.text("Ada").splitlines()) <= 15


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("pause 5 days", "Your proposal of a pause of 5 days is on its way to Bob. Nothing changes unless they agree."),
        ("undo", "Your last move is known already, so Bob will be asked whether you may take it back. Nothing changes unless they agree."),
        ("substitute Cleo", "Your proposal of a substitute is on its way to Bob. Nothing changes unless they agree."),
    ],
)
@pytest.mark.parametrize("wanted", ["first", "off"])
def test_whoever_proposes_reads_that_it_is_on_its_way(world: World, wanted: str, line: str, told: str) -> None:
    world.service.people.choose("Ada", [("receipts", wanted)], actor="admin:test", cause="test:receipts")
    world.open({"size": 5})
    play(world, 2)
    world.answer("Ada", "e6")
    world.wait(minutes=11)
    world.settle()
    before = len(world.mails("Ada"))
    world.answer("Ada", line)
    assert len(world.mails("Ada")) == before + 1
    assert told in " ".join(world.text("Ada").split())


def test_a_move_with_an_offer_is_confirmed_in_one_mail(world: World) -> None:
    world.open_any("tako-judo", ["Ada", "Bob"])
    before = len(world.mails("Ada"))
    world.answer("Ada", "c6-a8\ndraw")
    assert len(world.mails("Ada")) == before + 1
    assert "c6-a8 is in. Your draw offer is on its way to Bob." in " ".join(world.text("Ada").split())


def test_the_answer_to_a_proposal_is_no_proposal(world: World) -> None:
    world.open({"size": 5})
    world.answer("Ada", "pause 5 days")
    before = len(world.mails("Bob"))
    world.answer("Bob", "decline")
    assert len(world.mails("Bob")) == before
