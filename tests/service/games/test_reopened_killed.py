"""The end of a game of a league is taken back, killed with SIGKILL at every statement on the way."""

from typing import NamedTuple

import pytest

from tests.processes import start
from tests.service.leagues.league_world import ADMIN, begin, open_league, sweep
from tests.service.leagues.tellings import tellings
from tests.service.world import World
from tests.shortened import shortened
from turnserver.audit.game.recheck import recheck
from turnserver.league.events import ResultReopened
from turnserver.mail.outbound.kinds import MailKind
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.play.state import Status
from turnserver.rules import Seat
from turnserver.store.games import views
from turnserver.store.log import verify as audit

pytestmark = [pytest.mark.engines, pytest.mark.thorough]

STATEMENTS = 10
"""At least so many are executed on the way; a test that killed at fewer would have missed something."""


class Trace(NamedTuple):
    """Traces of an end that is taken back: events, the game's status, players told, and results that the league takes back."""

    retracted: int
    status: Status
    told: int
    unlearned: int


@pytest.mark.parametrize("every", shortened([3, 1]))
def test_an_end_is_taken_back_once_wherever_the_process_is_killed(any_world: World, database_url: str, every: int) -> None:
    """First the game goes on, in the log, in the rows and in mails to both players; then its league knows no result any more."""
    world = any_world
    league = open_league(world)
    game = begin(world, league).fixtures[0].game
    assert game is not None
    world.service.games.handle(game, c.Adjudicate((Seat(1),), "gone"), actor=ADMIN, cause="test:result")
    sweep(world)

    def seen() -> Trace:
        with world.service.db.read() as conn:
            assert list(audit.verify(conn)) == []
            status = views.game_row(conn, game).status
            tellings(world)
        history = world.service.games.history(game)
        assert list(recheck((row.event for row in history), game, recorded=[row.at for row in history])) == []
        retracted = sum(isinstance(row.event, e.EndRetracted) for row in history)
        told = sum(mail.kind == MailKind.REOPENED for mail in world.outbox())
        unlearned = sum(isinstance(row.event, ResultReopened) for row in world.service.leagues.history(league))
        return Trace(retracted, status, told, unlearned)

    lives = [seen()]
    assert lives == [Trace(0, Status.ENDED, 0, 0)]
    end = "killed"
    with start("reopen", database_url, world.now.isoformat(), str(game), module="tests.service.mortal") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(every * (len(lives) - 1) + 1))
            end = process.hear()
            lives.append(seen())
    assert end == "done"
    assert every * len(lives) > STATEMENTS
    assert list(dict.fromkeys(lives)) == [lives[0], Trace(1, Status.RUNNING, 2, 0), Trace(1, Status.RUNNING, 2, 1)]
