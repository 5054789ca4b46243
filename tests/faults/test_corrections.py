"""A correction that came in time and is read when the others are about to be told: one process corrects, another one sends."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.play import small_games
from tests.processes import Process, start
from tests.service.world import SITE, World
from tests.terms import PLAIN
from turnserver.audit.game.recheck import recheck
from turnserver.config import Settings, Site
from turnserver.ids import GameId
from turnserver.mail.outbound.kinds import MailKind
from turnserver.play.commands import PlayTurn
from turnserver.play.events import TurnPlayed, TurnsRetracted
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database

pytestmark = pytest.mark.engines

ROUNDS = 15
MODULE = "tests.faults.correcting"
TEN_MINUTES = Settings(site=Site(address=SITE), play=replace(PLAIN, correction_minutes=10))


def corrector_first(corrector: Process, teller: Process, about: tuple[str, str]) -> str:
    corrector.say(about[0])
    end = corrector.hear()
    teller.say(about[1])
    teller.hear()
    return end


def teller_first(corrector: Process, teller: Process, about: tuple[str, str]) -> str:
    teller.say(about[1])
    teller.hear()
    corrector.say(about[0])
    return corrector.hear()


def at_once(corrector: Process, teller: Process, about: tuple[str, str]) -> str:
    teller.say(about[1])
    corrector.say(about[0])
    teller.hear()
    return corrector.hear()


ORDERS: tuple[Callable[[Process, Process, tuple[str, str]], str], ...] = (corrector_first, teller_first, at_once)


@pytest.mark.parametrize("database_url", [pytest.param("sqlite", marks=pytest.mark.long), "postgresql"], indirect=True)
def test_either_the_turn_is_corrected_or_the_other_is_told_never_both(database_url: str, tmp_path: Path) -> None:
    world = World(Database.connect(database_url), tmp_path / "mail", find=small_games.find, settings=TEN_MINUTES)
    game = world.open_any("nim", ["Ada", "Bob"], {"heap": 1_000_000})
    told: list[bool] = []
    with (
        start("correct", database_url, str(world.directory), module=MODULE) as corrector,
        start("tell", database_url, str(world.directory), module=MODULE) as teller,
    ):
        assert [corrector.hear(), teller.hear()] == ["ready", "ready"]
        for number in range(ROUNDS):
            before = world.state(game)
            assert before.to_move is not None
            mover = before.player_at(before.to_move)
            world.service.games.handle(game, PlayTurn(mover, world.now, "1"), actor=f"player-{mover}", cause=f"mail:{number}")
            world.wait(minutes=11)
            now = world.now.isoformat()
            end = ORDERS[number % len(ORDERS)](corrector, teller, (f"{now} {game} {mover} {before.edition}", now))
            assert (number % len(ORDERS), end) not in ((0, "already_told"), (1, "corrected"))
            told.append(checked(world, game, end, before.turn))
            world.wait(days=1 / 24)
    assert {True, False} == set(told)
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []
    assert list(recheck((row.event for row in world.service.games.history(game)), game, small_games.find)) == []
    world.service.db.close()


def checked(world: World, game: GameId, end: str, turn: int) -> bool:
    """Return whether the other was told of the turn; what was sent, what the log says and what the corrector heard are one story."""
    history = world.service.games.history(game)
    played = max(row.version for row in history if isinstance(row.event, TurnPlayed))
    fates = [mail.status for mail in world.outbox() if mail.kind == MailKind.TURN and mail.version == played]
    retracted = isinstance(history[-1].event, TurnsRetracted)
    assert (end, fates, world.state(game).turn) in (("corrected", ["called off"], turn), ("already_told", ["sent"], turn + 1))
    assert retracted == (end == "corrected")
    return not retracted
