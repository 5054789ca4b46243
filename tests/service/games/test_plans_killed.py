"""Laying a plan and answering by it, killed with SIGKILL at every statement on the way."""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import pytest

from tests.processes import start
from tests.service.world import World
from turnserver.audit.game.plan_texts import KeptPlan, unfaithful
from turnserver.audit.game.recheck import recheck
from turnserver.ids import GameId
from turnserver.mail.outbound.kinds import MailKind
from turnserver.play.commands import LayPlan
from turnserver.play.conditional_moves import SALT_BYTES
from turnserver.play.events import PlanDropped, PlanLaid
from turnserver.store.games import plans
from turnserver.store.log import verify as audit

pytestmark = [pytest.mark.engines, pytest.mark.thorough]

PLAN = "if b1 then a1"
LAYING = 5
ANSWERING = 15
"""At least so many statements are executed on the way; a test that killed at fewer would have missed something."""


class Trace(NamedTuple):
    """Plans that are laid, texts that are kept, turns played by plan, plans dropped, and mails that bring Bob a turn."""

    laid: int
    kept: int
    answers: int
    dropped: int
    told: int


def trace(world: World, game: GameId) -> Trace:
    """Look at what a dead process left behind: the log is whole, and every plan that it knows of is kept as its digest says."""
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []
        kept = plans.of_game(conn, game)
    events = [row.event for row in world.service.games.history(game)]
    assert list(recheck(events, game)) == []
    assert list(unfaithful(events, {one.digest: KeptPlan(one.text, one.salt) for one in kept})) == []
    count = Counter(type(event) for event in events)
    answers = sum(turn.by_plan for turn in world.state(game).line.turns)
    told = sum(mail.kind == MailKind.TURN and mail.player == world.service.people.find("Bob").id for mail in world.outbox())
    return Trace(count[PlanLaid], len(kept), answers, count[PlanDropped], told)


def lives(look: Callable[[], Trace], role: str, *arguments: str) -> list[Trace]:
    """Return what each life left behind that was killed one statement later than the one before, until one was not."""
    seen: list[Trace] = []
    end = "killed"
    with start(role, *arguments, module="tests.service.mortal") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(len(seen) + 1))
            if (end := process.hear()) == "killed":
                seen.append(look())
    assert end == "done"
    return [*seen, look()]


def check(seen: list[Trace], nothing: Trace, everything: Trace, fewest: int) -> None:
    """Every life leaves nothing or everything, and once everything is there it stays."""
    turning = seen.index(everything)
    assert seen == [nothing] * turning + [everything] * (len(seen) - turning)
    assert turning
    assert len(seen) > fewest


@pytest.mark.long
def test_a_plan_is_laid_with_its_text_or_not_at_all(any_world: World, database_url: str) -> None:
    game = any_world.open()
    any_world.answer("Ada", "a2")
    told = trace(any_world, game).told
    seen = lives(lambda: trace(any_world, game), "lay", database_url, str(game), "1", PLAN)
    check(seen, Trace(0, 0, 0, 0, told), Trace(1, 1, 0, 0, told), LAYING)


@pytest.mark.long
def test_a_plan_answers_once(any_world: World, database_url: str) -> None:
    """And Bob is told once."""
    game = any_world.open()
    any_world.answer("Ada", "a2")
    ada = any_world.service.people.find("Ada").id
    command = LayPlan(ada, any_world.now, PLAN, any_world.service.ledger.entropy(SALT_BYTES))
    any_world.service.games.handle(game, command, actor="player-1", cause="test:plan")
    any_world.answer("Bob", "b1")
    told = trace(any_world, game).told
    seen = lives(lambda: trace(any_world, game), "sweep", database_url, str(any_world.directory))
    check(seen, Trace(1, 1, 0, 0, told), Trace(1, 1, 1, 1, told + 1), ANSWERING)
    assert set(Counter(mail["Message-ID"] for mail in any_world.mails("Bob")).values()) == {1}
