"""Dice by mail: what is kept, what is logged, what a player can check, and what no log line shows."""

import hashlib
import logging
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import bindparam, delete

from tests.play import small_games
from tests.play.by_hand import roll
from tests.service.world import BEGIN, World
from turnserver.audit.game.recheck import recheck
from turnserver.errors import SecretLost
from turnserver.ids import GameId, game_stream
from turnserver.play import events as e
from turnserver.play.commands import Accept, Annul, Cancel
from turnserver.play.state import Status
from turnserver.store.log import log
from turnserver.store.log import secrets as keyring
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database, table
from turnserver.store.log.statement import Statement
from turnserver.store.log.tables import SecretRow

SECRETS = table(SecretRow)
SECRET = bytes(range(32))
DICE = {"dice_from": 1, "heap": 9}


@pytest.fixture
def world(sqlite_url: str, tmp_path: Path) -> Iterator[World]:
    """A world that plays the small games."""
    db = Database.connect(sqlite_url)
    yield World(db, tmp_path / "mail", find=small_games.find)
    db.close()


@pytest.fixture
def club(sqlite_url: str, tmp_path: Path) -> Iterator[World]:
    """A world that plays the games of the catalogue."""
    db = Database.connect(sqlite_url)
    yield World(db, tmp_path / "mail")
    db.close()


def digest(words: str | bytes) -> str:
    return hashlib.sha256(words.encode() if isinstance(words, str) else words).hexdigest()


def events(world: World, game: GameId) -> list[object]:
    return [row.event for row in world.service.games.history(game)]


def secret_of(world: World, game: GameId) -> bytes | None:
    with world.service.db.read() as conn:
        return keyring.of_stream(conn, game_stream(game))


def test_a_game_from_its_secret_to_its_reveal(world: World) -> None:
    """The words of one and the mail of the other decide; everything that is rolled can be worked out by hand."""
    game = world.open_any("dice", ["Ada", "Bob"], DICE, accepted=False)
    assert secret_of(world, game) == SECRET
    raw = world.answer("Ada", "accept")
    world.answer("Bob", "Accept My lucky  words!")
    entropies = (digest(raw), digest("My lucky words"))
    assert world.state(game).entropies == entropies
    opened, *joined, started = events(world, game)
    assert isinstance(opened, e.GameOpened)
    assert opened.commitment == digest(SECRET)
    assert joined == [
        e.InvitationAccepted(player=player, zone="UTC", entropy=own) for player, own in zip(opened.players, entropies, strict=True)
    ]
    assert isinstance(started, e.GameStarted)
    assert started.rolls == (roll(1, entropies, game=game),)
    while (state := world.state(game)).status is Status.RUNNING:
        world.answer("Ada" if state.to_move == 1 else "Bob", "1")
        world.restart()
    turns = [event for event in events(world, game) if isinstance(event, e.TurnPlayed)]
    numbers = [one.number for one in (*started.rolls, *(one for turn in turns for one in turn.rolls))]
    assert numbers == list(range(1, len(numbers) + 1))
    *_, end, reveal = events(world, game)
    assert isinstance(end, e.GameEnded)
    assert reveal == e.SecretRevealed(secret=SECRET.hex())
    assert list(recheck((row.event for row in world.service.games.history(game)), game, small_games.find)) == []
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []


def test_the_transcript_says_what_a_player_needs_to_check_it(world: World) -> None:
    game = world.open_any("dice", ["Ada", "Bob"], DICE, accepted=False)
    world.answer("Ada", "accept seven is my number")
    world.answer("Bob", "accept")
    world.answer("Ada", "history")
    unwrapped = world.text("Ada")
    assert digest(SECRET) in unwrapped
    assert digest("seven is my number") in unwrapped
    assert "seven is my number" not in unwrapped
    assert SECRET.hex() not in unwrapped
    world.answer("Ada", "confirm resign")
    world.answer("Ada", "history")
    assert SECRET.hex() in world.text("Ada")
    assert world.state(game).status is Status.ENDED


def test_no_secret_is_shown_before_the_end(world: World, caplog: pytest.LogCaptureFixture) -> None:
    """Not in the log of events, in a mail, in a log line, or in what a debugger or a traceback prints."""
    caplog.set_level(logging.DEBUG)
    game = world.open_any("dice", ["Ada", "Bob"], DICE)
    world.answer("Ada", "1")
    with world.service.db.read() as conn:
        at = world.service.ledger.games.load(conn, game)
        rows = conn.rows(log._LOAD, of=f"game-{game}", after=0)  # the text as it is stored
    assert at.chance is not None
    assert at.chance.secret == SECRET
    shown = [repr(at), caplog.text, *map(repr, rows), *(world.text(name) for name in ("Ada", "Bob"))]
    assert not [text for text in shown if SECRET.hex() in text or repr(SECRET)[2:-1] in text]


def test_an_acceptance_by_an_admin_adds_its_cause(world: World) -> None:
    game = world.open_any("dice", ["Ada", "Bob"], DICE, accepted=False)
    ada = world.service.people.find("Ada").id
    world.service.games.handle(game, Accept(ada, world.now), actor="admin:test", cause="cli:accept:1")
    assert world.state(game).entropies == (digest("cli:accept:1"), "")


def test_words_are_for_games_with_chance(world: World) -> None:
    game = world.open_any("nim", ["Ada", "Bob"], accepted=False)
    world.answer("Ada", "accept my lucky words please")
    assert world.outcome() == "done: refused: not_understood"
    world.answer("Ada", "accept")
    assert world.state(game).entropies == ("", "")
    assert secret_of(world, game) is None


def test_a_challenge_adds_entropy_and_a_refused_one_keeps_nothing(club: World) -> None:
    club.answer("Ada", "challenge Zoe tako", mail=club.welcomes["Ada"])
    assert secret_of(club, GameId(1)) is None
    raw = club.answer("Ada", "challenge Bob tako first", mail=club.welcomes["Ada"])
    assert secret_of(club, GameId(1)) == SECRET
    assert club.state(GameId(1)).entropies == (digest(raw), "")


def test_without_its_secret_a_game_waits_and_can_be_looked_at(world: World) -> None:
    """The mail that would have rolled stays in the inbox, visibly; nothing is rolled from another secret."""
    game = world.open_any("dice", ["Ada", "Bob"], DICE)
    with world.service.db.write() as tx:
        tx.run(Statement(delete(SECRETS).where(SECRETS.c.name == bindparam("which"))), which=f"game-{game}")
    world.restart()
    before = world.state(game).version
    world.answer("Ada", "1", settle=False)
    world.service.mail.read_inbox()
    assert world.outcome().startswith("new: The secret that this game's rolls come from is not in the database any more.")
    assert world.state(game).version == before


def test_a_restored_secret_is_noticed_without_a_restart(world: World) -> None:
    """The mail that waited is carried out, and what it rolls is what it would have rolled."""
    game = world.open_any("dice", ["Ada", "Bob"], DICE)
    with world.service.db.write() as tx:
        tx.run(Statement(delete(SECRETS).where(SECRETS.c.name == bindparam("which"))), which=f"game-{game}")
    world.restart()
    world.answer("Ada", "1", settle=False)
    world.service.mail.read_inbox()
    for secret, played in ((bytes(32), 0), (SECRET, 1)):
        with world.service.db.write() as tx:
            tx.run(Statement(delete(SECRETS).where(SECRETS.c.name == bindparam("which"))), which=f"game-{game}")
            keyring.keep(tx, game_stream(game), secret)
        world.wait(hours=1)
        world.settle()
        assert world.state(game).line.length == played
    (turn,) = (event for event in events(world, game) if isinstance(event, e.TurnPlayed))
    assert turn.rolls == (roll(2, world.state(game).entropies, game=game),)
    world.answer("Bob", "1")
    assert world.state(game).line.length == 2


def test_a_game_whose_secret_is_lost_can_be_cancelled(world: World) -> None:
    """Its players are told as ever, and write to a game that is over; what was never revealed, the audit names."""
    game = world.open_any("dice", ["Ada", "Bob"], DICE)
    with world.service.db.write() as tx:
        tx.run(Statement(delete(SECRETS).where(SECRETS.c.name == bindparam("which"))), which=f"game-{game}")
    world.restart()
    with pytest.raises(SecretLost):
        world.service.games.handle(game, Annul("the secret is lost"), actor="admin:test", cause="cli:annul")
    world.service.games.handle(game, Cancel("the secret is lost"), actor="admin:test", cause="cli:cancel")
    world.settle()
    result = world.state(game).result
    assert result is not None
    assert (result.outcome, result.by) == (e.Outcome.VOID, e.EndedBy.CANCELLATION)
    assert all("the secret is lost" in " ".join(world.text(name).split()) for name in ("Ada", "Bob"))
    assert not any(isinstance(event, e.SecretRevealed) for event in events(world, game))
    world.answer("Ada", "1")
    assert world.outcome() == "done: refused: game_over"
    found = recheck((row.event for row in world.service.games.history(game)), game, small_games.find)
    assert [objection.problem for objection in found] == ["the game has ended, but its secret is not revealed"]


def test_a_lost_secret_holds_up_no_other_game(world: World) -> None:
    """Neither their clocks, nor the mail that waits, nor the time that an outage gives back."""
    lost = world.open_any("dice", ["Ada", "Bob"], DICE)
    other = world.open_any("nim", ["Ada", "Bob"])
    with world.service.db.write() as tx:
        tx.run(Statement(delete(SECRETS).where(SECRETS.c.name == bindparam("which"))), which=f"game-{lost}")
    world.restart()
    world.service.upkeep.sweep()
    world.wait(days=1)
    world.answer("Ada", "1")
    assert world.outcome() == "done: carried out"
    world.service.upkeep.sweep()
    while world.state(other).status is not Status.ENDED and world.state(other).version < 20:
        world.wait(minutes=20)
        world.service.upkeep.sweep()
        if world.now > BEGIN + timedelta(days=6):
            break
    assert world.state(other).status is Status.ENDED
    assert world.state(lost).status is Status.RUNNING
