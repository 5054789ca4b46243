"""Draws, and tables of three, by mail: with small games, since the games on offer know neither."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.play import small_games
from tests.service.world import World
from turnserver.play.events import EndedBy, Outcome, ProposalKind
from turnserver.play.state import Proposal, Result, Status
from turnserver.rules import Seat
from turnserver.store.log.database import Database
from turnserver.store.people import accounts as people

AGREED = Result(Outcome.DRAWN, EndedBy.AGREEMENT, (), "")


@pytest.fixture
def world(sqlite_url: str, tmp_path: Path) -> Iterator[World]:
    """A world that plays nim, trio and pairs."""
    db = Database.connect(sqlite_url)
    yield World(db, tmp_path / "mail", find=small_games.find)
    db.close()


def counts(world: World) -> dict[str, int]:
    """Return the number of mails that each has got."""
    return {name: len(world.mails(name)) for name in ("Ada", "Bob", "Cleo")}


@pytest.mark.parametrize("text", ["draw\n2", "2\ndraw", "2\nI offer a draw!"])
def test_an_offer_beside_a_move_stands_for_the_opponent(world: World, text: str) -> None:
    """However the two lines are ordered, the opponent gets one mail with the turn and the offer, and may agree."""
    game = world.open_any("nim", ["Ada", "Bob"])
    before = counts(world)["Bob"]
    world.answer("Ada", text)
    assert world.state(game).proposal == Proposal(ProposalKind.DRAW, Seat(1))
    assert counts(world)["Bob"] == before + 1
    assert "draw" in world.text("Bob")
    world.answer("Bob", "accept")
    assert world.state(game).result == AGREED


def test_an_offer_lapses_with_the_move_of_the_other(world: World) -> None:
    """Agreeing to what has lapsed is refused and changes nothing."""
    game = world.open_any("nim", ["Ada", "Bob"])
    world.answer("Ada", "2\ndraw")
    world.answer("Bob", "1")
    world.answer("Bob", "accept")
    assert world.outcome() == "done: refused: nothing_to_accept"
    assert world.state(game).status is Status.RUNNING


@pytest.mark.parametrize("word", ["accept", "decline"])
def test_an_answer_to_an_earlier_mail_says_nothing_about_the_offer(world: World, word: str) -> None:
    """A late yes or no to the invitation, which names the first turn, is not taken for one to a draw offered later."""
    game = world.open_any("nim", ["Ada", "Bob"])
    invitation = next(mail for mail in world.mails("Bob") if mail["Message-ID"].startswith("<invitation."))
    world.answer("Ada", "2\ndraw")
    world.answer("Bob", word, mail=invitation)
    assert world.outcome() == "done: refused: answer_to_earlier_mail"
    assert (world.state(game).proposal, world.state(game).result) == (Proposal(ProposalKind.DRAW, Seat(1)), None)


def test_an_offer_is_declined(world: World) -> None:
    """The one who offered hears of it; nobody can offer again during that turn."""
    game = world.open_any("nim", ["Ada", "Bob"])
    world.answer("Ada", "draw")
    ada = counts(world)["Ada"]
    world.answer("Bob", "decline")
    assert counts(world)["Ada"] == ada + 1
    assert "declined" in world.text("Ada")
    world.answer("Ada", "draw")
    assert world.outcome() == "done: refused: draw_offered_this_turn"
    assert world.state(game).proposal is None


def test_three_agree(world: World) -> None:
    """A draw at a table of three needs everybody, and each acceptance counts once."""
    game = world.open_any("trio", ["Ada", "Bob", "Cleo"])
    world.answer("Bob", "draw")
    world.answer("Cleo", "accept")
    world.answer("Cleo", "accept")
    assert world.outcome() == "done: refused: already_accepted"
    assert world.state(game).status is Status.RUNNING
    world.answer("Ada", "accept")
    assert world.state(game).result == AGREED


def test_what_is_said_reaches_the_others_and_nobody_twice(world: World) -> None:
    """With a move: the next player reads it in the turn mail, the third in a mail of its own."""
    game = world.open_any("trio", ["Ada", "Bob", "Cleo"])
    before = counts(world)
    world.answer("Ada", "say one for all\n2\nsay and all for one")
    after = counts(world)
    assert {name: after[name] - before[name] for name in after} == {"Ada": 0, "Bob": 1, "Cleo": 1}
    for name in ("Bob", "Cleo"):
        assert "one for all" in world.text(name)
        assert "and all for one" in world.text(name)
    with world.service.db.read() as conn:
        assert [line.text for line in people.chat(conn, game)] == ["one for all", "and all for one"]


def test_nothing_is_said_if_the_mail_is_refused(world: World) -> None:
    """All or nothing: not even the words go out beside a move that is none."""
    game = world.open_any("trio", ["Ada", "Bob", "Cleo"])
    before = counts(world)
    world.answer("Ada", "say hello\n9")
    after = counts(world)
    assert {name: after[name] - before[name] for name in after} == {"Ada": 1, "Bob": 0, "Cleo": 0}
    with world.service.db.read() as conn:
        assert people.chat(conn, game) == []


def test_one_of_three_resigns(world: World) -> None:
    """The others play on, and whoever resigned has no more say."""
    game = world.open_any("trio", ["Ada", "Bob", "Cleo"])
    world.answer("Bob", "confirm resign")
    assert (world.state(game).status, sorted(world.state(game).left)) == (Status.RUNNING, [2])
    world.answer("Bob", "confirm resign")
    assert world.outcome() == "done: refused: left_game"


def test_one_of_three_declines(world: World) -> None:
    """The game is off for everybody; whoever declined knows it already."""
    game = world.open_any("trio", ["Ada", "Bob", "Cleo"], accepted=False)
    world.answer("Ada", "accept")
    before = counts(world)
    world.answer("Cleo", "decline")
    after = counts(world)
    assert {name: after[name] - before[name] for name in after} == {"Ada": 1, "Bob": 1, "Cleo": 0}
    world.answer("Bob", "accept")
    assert world.outcome().startswith("done: refused: ")
    assert world.state(game).status is Status.ENDED


def test_who_has_left_is_left_alone_and_may_still_ask(world: World) -> None:
    """No turns, no draws, no talk; the list of own games is without it; questions are answered; the end is told."""
    game = world.open_any("trio", ["Ada", "Bob", "Cleo"])
    before = counts(world)
    world.answer("Bob", "confirm resign\nsay Good luck, both")
    after = counts(world)
    assert {name: after[name] - before[name] for name in after} == {"Ada": 1, "Bob": 0, "Cleo": 1}
    for name in ("Ada", "Cleo"):
        assert "Bob (Blue) resigned" in world.text(name)
        assert "Good luck, both" in world.text(name)
    world.answer("Ada", "1\nsay Sorry to see you go")
    world.answer("Cleo", "draw")
    assert counts(world)["Bob"] == after["Bob"]
    for words, outcome in (
        ("say I am still here", "refused: left_game"),
        ("show", "answered"),
        ("history", "answered"),
        ("games", "answered"),
    ):
        world.answer("Bob", words)
        assert world.outcome() == f"done: {outcome}"
    assert "no games at present" in world.text("Bob")
    bob = counts(world)["Bob"]
    world.answer("Ada", "accept")
    assert world.state(game).result == AGREED
    assert counts(world)["Bob"] == bob + 1
    assert "is over" in world.text("Bob")


def test_time_runs_out_for_one_of_three(world: World) -> None:
    """Everybody hears of it in one mail, and the next one has the turn."""
    game = world.open_any("trio", ["Ada", "Bob", "Cleo"])
    before = counts(world)
    world.wait(days=3, hours=1)
    world.service.upkeep.sweep()
    world.settle()
    after = counts(world)
    assert {name: after[name] - before[name] for name in after} == {"Ada": 1, "Bob": 1, "Cleo": 1}
    assert "Your time ran out" in world.text("Ada")
    assert "Your move" in world.text("Bob")
    assert (world.state(game).to_move, world.state(game).turn, sorted(world.state(game).left)) == (2, 1, [1])
    world.answer("Bob", "2")
    assert world.state(game).to_move == 3
    world.answer("Cleo", "show turn 1")
    assert world.outcome() == "done: answered"
    world.answer("Bob", "3")
    assert world.outcome() == "done: refused: turn_already_played"
