"""A game in which it is Ada's turn, kept as a file, so that every mail is tried on a fresh copy of it."""

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.mail.inbound.answers import HEAD, Quoted, answer
from tests.mail.inbound.turn_mails import TurnMail
from tests.mail.outbound.occasions import OPENING
from tests.service.mailroom.letters import reply_address
from tests.service.world import BEGIN, SITE, World
from tests.terms import PLAIN
from turnserver import games
from turnserver.config import Settings, Site
from turnserver.ids import GameId
from turnserver.mail.outbound.kinds import MailKind
from turnserver.play.commands import PlayTurn
from turnserver.play.state import GameState
from turnserver.rules import Seat
from turnserver.service.service import Service
from turnserver.store.log.database import Database

STEPS = ("Squish throw 2 home", "Tako steal g7", "keeper f10")
"""The words of the written answers of several steps; any three steps may stand there."""

_HEAD_ADDRESS = HEAD.partition("To: ")[2].partition("\n")[0].rpartition(" ")[2]
_HEAD_REFERENCE = "<turn-17-9@example.org>"


class Scene(NamedTuple):
    """A database in which Ada has `mail`, and the game that it is about; `to` is where she answers and `steps` what she may play."""

    database: Path
    game: GameId
    mail: TurnMail
    message_id: str
    to: str
    steps: tuple[str, ...]

    def answer(self, program: str) -> bytes:
        """Return what a mail program of `tests/mail/inbound/programs` makes of Ada's answer."""
        raw = answer(program, Quoted(self.mail))
        told = {_HEAD_ADDRESS: self.to, _HEAD_REFERENCE: self.message_id, **dict(zip(STEPS, self.steps, strict=False))}
        for written, meant in told.items():
            raw = raw.replace(written.encode(), meant.encode())
        return raw


class Copies:
    """Fresh copies of a scene, one after another, in one database: its engine is warm and only the pages change."""

    def __init__(self, scene: Scene, path: Path) -> None:
        """The copies lie in the file `path`."""
        shutil.copyfile(scene.database, path)
        self._db = Database.connect(f"sqlite:///{path}")
        self._original = sqlite3.connect(scene.database)

    def fresh(self) -> Service:
        """A service that finds everything as it was in the scene, and at that moment."""
        pooled = self._db.engine.raw_connection()
        assert isinstance(pooled.driver_connection, sqlite3.Connection)
        pooled.driver_connection.execute("PRAGMA synchronous = OFF")  # the machine does not fail here
        self._original.backup(pooled.driver_connection)
        pooled.close()
        return Service(self._db, Settings(site=Site(address=SITE), play=PLAIN), clock=lambda: BEGIN, lot=tuple)

    def close(self) -> None:
        """Let go of the files."""
        self._original.close()
        self._db.close()


@contextmanager
def reopened(path: Path) -> Iterator[Service]:
    """A service over the database in a file, for looking at what others do with it."""
    db = Database.connect(f"sqlite:///{path}")
    yield Service(db, Settings(site=Site(address=SITE), play=PLAIN), clock=lambda: BEGIN, lot=tuple)
    db.close()


def take(url: str, directory: Path) -> Scene:
    """Turn 9 of a game of Take, in a fresh database."""
    world = World(Database.connect(url), directory / "take")
    world.want("html", "Ada")
    game = world.open({"size": 5})
    for move in OPENING:
        play(world, game, [move])
    return _scene(world, game, url, ())


def sneaky_octopuses(url: str, directory: Path) -> Scene:
    """A turn of several steps of a game of Sneaky Octopuses, in a fresh database."""
    world = World(Database.connect(url), directory / "sneaky")
    world.want("html", "Ada")
    game = world.open_any("sneaky-octopuses", ["Ada", "Bob"], {"players": 2})
    while (state := world.state(game)).to_move != Seat(1) or len(house_turn(state)) < len(STEPS):
        play(world, game, house_turn(state))
    steps = house_turn(world.state(game))
    last = len(STEPS) - 1
    return _scene(world, game, url, (*steps[:last], "; ".join(steps[last:])))


def play(world: World, game: GameId, steps: Sequence[str]) -> None:
    """Let the player who has the turn play it."""
    state = world.state(game)
    assert state.to_move is not None
    player = state.player_at(state.to_move)
    turn = PlayTurn(player, world.now, "\n".join(steps))
    world.service.games.handle(game, turn, actor=f"player-{player}", cause=f"test:{state.turn}")


def house_turn(state: GameState) -> tuple[str, ...]:
    """Return what the house player of Sneaky Octopuses would do."""
    return games.house_turn(state.game, state.line.position)


def _scene(world: World, game: GameId, url: str, steps: tuple[str, ...]) -> Scene:
    world.settle()
    [row] = [row for row in world.outbox() if row.message_id == world.mails("Ada")[-1]["Message-ID"].strip()]
    assert row.kind == MailKind.TURN
    mail = TurnMail(world.service.mail.render(row.id).mail, world.state(game), steps)
    to = reply_address(world.mails("Ada")[-1])
    world.service.db.close()
    return Scene(Path(url.removeprefix("sqlite:///")), game, mail, row.message_id, to, steps)
