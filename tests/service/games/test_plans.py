"""Plans, from the turn that they answer to the mails that tell of it."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from threading import Barrier

import pytest
from msgspec.structs import replace

from tests.service.world import SITE, World
from tests.terms import PLAIN
from turnserver.audit.game.recheck import recheck
from turnserver.config import Settings, Site
from turnserver.errors import NotAllowed
from turnserver.ids import GameId
from turnserver.play import events as e
from turnserver.play.commands import Annul, ForgetPlan, LayPlan
from turnserver.play.conditional_moves import SALT_BYTES
from turnserver.rules.kit import example_turns
from turnserver.service.service import Service
from turnserver.store.games import plans
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database

TEN_MINUTES = Settings(site=Site(address=SITE), play=replace(PLAIN, correction_minutes=10))
PLAN = "if b1 then a1"


@pytest.fixture
def slow(database_url: str, tmp_path: Path) -> Iterator[World]:
    """A world in which a turn may be corrected for ten minutes, over each engine in turn."""
    db = Database.connect(database_url)
    yield World(db, tmp_path / "mail", settings=TEN_MINUTES)
    db.close()


def begin(world: World) -> GameId:
    """A game of Take in which Ada has played a2 and everybody knows it; the move is with Bob."""
    game = world.open()
    world.answer("Ada", "a2")
    world.wait(minutes=10)
    world.settle()
    return game


def lay(world: World, game: GameId, name: str, text: str) -> str:
    """A plan of a player; gives its digest."""
    service = world.service
    command = LayPlan(service.people.find(name).id, world.now, text, service.ledger.entropy(SALT_BYTES))
    laid = service.games.handle(game, command, actor=f"player-{command.player}", cause=f"test:plan:{world.now}").events[0]
    world.settle()
    assert isinstance(laid, e.PlanLaid)
    return laid.digest


def sweep(world: World, **span: float) -> None:
    """Some time goes by, with the sweeps that a running service does, and everything is done that is due."""
    world.sweep_until(world.now + timedelta(**span))
    world.settle()


def sweep_only(world: World, **span: float) -> None:
    """Some time goes by in which clocks are looked at and mail is neither read nor sent."""
    until = world.now + timedelta(**span)
    while world.now < until:
        world.now = min(until, world.now + timedelta(minutes=20))
        world.service.upkeep.sweep()


def turns(world: World, game: GameId) -> list[tuple[str, bool]]:
    return [(turn.text, turn.by_plan) for turn in world.state(game).line.turns]


def ends(world: World, game: GameId) -> list[e.PlanEnd]:
    return [row.event.reason for row in world.service.games.history(game) if isinstance(row.event, e.PlanDropped)]


def kinds(world: World, name: str, since: int) -> list[str]:
    """Return what the mails to a player are for that were made after the first so many rows of the outbox."""
    player = world.service.people.find(name).id
    return [
        str(row.kind) for row in sorted(world.outbox(), key=lambda row: row.id)[since:] if row.player == player and row.status == "sent"
    ]


def test_a_plan_answers_at_once_and_everybody_hears_of_it_once(world: World) -> None:
    game = begin(world)
    lay(world, game, "Ada", PLAN)
    rows = len(world.outbox())
    world.answer("Bob", "b1")
    played_at = world.now
    assert kinds(world, "Ada", rows) == []
    sweep(world, minutes=1)
    assert turns(world, game) == [("a2", False), ("b1", False), ("a1", True)]
    assert kinds(world, "Bob", rows)[-1] == "turn"
    assert kinds(world, "Ada", rows) == ["answered"]
    last = world.state(game).line.last
    assert last is not None
    assert (last.received_at, last.left) == (played_at, timedelta(days=3))
    assert ends(world, game) == [e.PlanEnd.PLAYED_OUT]


def test_plans_of_both_players_answer_each_other(world: World) -> None:
    """Until one has no answer; then whoever has the turn is told so."""
    game = begin(world)
    lay(world, game, "Ada", "if b1 then a1 (if c1 then b3)")
    world.answer("Bob", "b1\nif a1 then b2")
    rows = len(world.outbox())
    for _ in range(3):
        sweep(world, minutes=1)
    assert turns(world, game)[1:] == [("b1", False), ("a1", True), ("b2", True)]
    assert ends(world, game) == [e.PlanEnd.PLAYED_OUT, e.PlanEnd.NOT_EXPECTED]
    assert kinds(world, "Ada", rows)[-1] == "turn"
    assert "no answer to that" in " ".join(world.text("Ada").split())


def test_a_plan_without_an_answer_brings_the_turn(world: World) -> None:
    game = begin(world)
    lay(world, game, "Ada", PLAN)
    rows = len(world.outbox())
    world.answer("Bob", "b2")
    assert kinds(world, "Ada", rows) == []
    sweep(world, minutes=1)
    assert turns(world, game) == [("a2", False), ("b2", False)]
    assert kinds(world, "Ada", rows) == ["turn"]
    assert "Your conditional moves had no answer to that" in " ".join(world.text("Ada").split())
    assert ends(world, game) == [e.PlanEnd.NOT_EXPECTED]
    world.answer("Ada", "a1")
    assert turns(world, game)[-1] == ("a1", False)


def test_a_plan_resigns_and_says_so_beforehand(world: World) -> None:
    """The mail that confirms it warns once; afterwards both hear that the game is over."""
    game = begin(world)
    world.answer("Ada", "wenn b1 dann aufgeben")
    assert "if b1 then resign" in world.text("Ada")
    assert "we do not ask you again" in " ".join(world.text("Ada").split())
    rows = len(world.outbox())
    world.answer("Bob", "b1")
    sweep(world, minutes=1)
    assert kinds(world, "Ada", rows) == kinds(world, "Bob", rows) == ["game_over"]
    assert "Ada (Red) gave the game up, as planned beforehand." in " ".join(world.text("Ada").split())
    result = world.state(game).result
    assert result is not None
    assert (result.by, result.winners) == (e.EndedBy.RESIGNATION, (2,))
    assert list(recheck((row.event for row in world.service.games.history(game)), game)) == []


def test_a_plan_offers_a_draw_and_its_player_goes_on(world: World) -> None:
    game = world.open_any("tako-judo", ["Ada", "Bob"])
    state = world.state(game)
    first = example_turns(state.game.rules, state.line.position)[0]
    mover, other = ("Ada", "Bob") if state.to_move == 1 else ("Bob", "Ada")
    world.answer(other, f"if {first} then draw", mail=world.mails(other)[-1])
    rows = len(world.outbox())
    world.answer(mover, first)
    sweep(world, minutes=1)
    assert (kinds(world, mover, rows), kinds(world, other, rows)) == (["proposed"], ["turn"])
    assert "Your conditional moves have offered a draw for you." in " ".join(world.text(other).split())
    world.answer(mover, "accept")
    result = world.state(game).result
    assert result is not None
    assert result.by is e.EndedBy.AGREEMENT


def test_an_offer_is_read_and_not_answered_by_plan(world: World) -> None:
    game = begin(world)
    lay(world, game, "Ada", PLAN)
    rows = len(world.outbox())
    world.answer("Bob", "b1\npause 3 days")
    assert kinds(world, "Ada", rows) == []
    sweep(world, minutes=1)
    assert (ends(world, game), kinds(world, "Ada", rows)) == ([e.PlanEnd.ASKED], ["turn"])
    assert "3 days" in world.text("Ada")


def test_a_plan_waits_until_its_player_may_know_the_turn(slow: World) -> None:
    game = begin(slow)
    lay(slow, game, "Ada", PLAN)
    slow.answer("Bob", "b2")
    sweep(slow, minutes=9)
    assert turns(slow, game)[-1] == ("b2", False)
    slow.answer("Bob", "undo b1")
    told_at = slow.now + timedelta(minutes=10)
    sweep(slow, minutes=9, seconds=59)
    assert turns(slow, game)[-1] == ("b1", False)
    sweep(slow, seconds=31)
    assert turns(slow, game)[-1] == ("a1", True)
    slow.answer("Ada", "undo")
    assert turns(slow, game)[-1] == ("a1", True)
    last, clock = slow.state(game).line.last, slow.state(game).clock
    assert last is not None
    assert clock is not None
    assert (last.received_at, clock.since) == (told_at, slow.now)


def test_a_turn_that_nobody_knows_of_is_answered_by_a_plan_that_is_laid_meanwhile(slow: World) -> None:
    """Its mail is called off, but not what was said in it; and no refusal gives it away."""
    game = begin(slow)
    slow.answer("Bob", "b1\nsay Good luck!")
    rows = len(slow.outbox())
    slow.wait(minutes=5)
    with pytest.raises(NotAllowed) as refused:
        lay(slow, game, "Ada", "if b1 then a1; if b1 then b2")
    assert refused.value.code == "answered_twice"
    lay(slow, game, "Ada", PLAN)
    sweep(slow, minutes=6)
    assert turns(slow, game)[-1] == ("a1", True)
    assert [row.status for row in slow.outbox() if row.kind == "turn" and row.player == 1 and row.status != "sent"] == ["called off"]
    assert kinds(slow, "Ada", rows) == ["said", "answered"]
    assert any("Good luck!" in str(part.get_content()) for part in slow.mails("Ada")[-2].walk() if part.get_content_type() == "text/plain")


def test_a_plan_that_comes_meanwhile_does_not_keep_a_turn_from_being_corrected(slow: World) -> None:
    """The answer to it tells nothing of the turn; and the plan answers the turn as it is corrected."""
    game = begin(slow)
    slow.answer("Bob", "b2")
    slow.wait(minutes=5)
    slow.answer("Ada", PLAN)
    assert slow.outcome() == "done: carried out"
    assert not re.search(r"\bb2\b", slow.text("Ada"))
    slow.answer("Bob", "undo b1")
    assert slow.outcome() == "done: carried out"
    sweep(slow, minutes=11)
    assert turns(slow, game) == [("a2", False), ("b1", False), ("a1", True)]


def test_a_plan_that_is_forgotten_while_the_turn_waits_brings_the_turn_when_it_is_told(slow: World) -> None:
    game = begin(slow)
    lay(slow, game, "Ada", PLAN)
    slow.answer("Bob", "b1")
    rows = len(slow.outbox())
    slow.wait(minutes=5)
    slow.service.games.handle(game, ForgetPlan(slow.service.people.find("Ada").id, slow.now), actor="player-1", cause="test:forget")
    slow.settle()
    assert kinds(slow, "Ada", rows) == []
    sweep(slow, minutes=6)
    assert kinds(slow, "Ada", rows) == ["turn"]


def test_a_plan_that_could_not_be_read_in_time_gives_its_player_their_time(world: World) -> None:
    """A mail that waits holds everything up for a day; then the plan has no answer, and its player has three days from then on."""
    game = begin(world)
    lay(world, game, "Ada", PLAN)
    world.answer("Bob", "b2")
    began, deadline = world.now, world.state(game).deadline
    assert deadline is not None
    world.answer("Cleo", "games", settle=False)
    sweep_only(world, days=1)
    assert world.state(game).planned is not None
    world.settle()
    sweep(world, minutes=1)
    assert ends(world, game) == [e.PlanEnd.NOT_EXPECTED]
    sweep(world, days=2)
    frozen = [freeze for freeze in world.state(game).freezes if freeze.kind is e.FreezeKind.UNDELIVERED]
    assert [freeze.begins for freeze in frozen] == [began]
    assert (world.state(game).deadline or began) >= deadline + timedelta(days=1)


def test_a_text_that_was_erased_answers_nothing(world: World) -> None:
    game = begin(world)
    digest = lay(world, game, "Ada", PLAN)
    with world.service.db.engine.begin() as conn:
        conn.exec_driver_sql("DELETE FROM plan")
    with world.service.db.read() as conn:
        assert plans.of(conn, game, digest) is None
    world.answer("Bob", "b1")
    sweep(world, minutes=1)
    assert ends(world, game) == [e.PlanEnd.LOST]


def test_what_is_kept_of_plans(any_world: World) -> None:
    """Every plan in canonical notation, beside the log that has the digests of them alone."""
    game = begin(any_world)
    first = lay(any_world, game, "Ada", "IF b1, then A1")
    any_world.wait(minutes=1)
    second = lay(any_world, game, "Ada", "if b2 then a1 (else a2)")
    with any_world.service.db.read() as conn:
        kept = plans.of_game(conn, game)
        newest = plans.of(conn, game, second)
    assert [(one.seat, one.digest, one.text) for one in kept] == [(1, first, PLAN), (1, second, "if b2 then a1 (else a2)")]
    assert kept[1] == newest
    assert [one.digest for one in kept] == [sha256(one.salt + one.text.encode()).hexdigest() for one in kept]
    assert "then" not in repr(kept)
    assert (answer := any_world.state(game).plans[0]) is not None
    assert answer.digest == second


@pytest.mark.engines
def test_two_workers_answer_once(database_url: str, tmp_path: Path) -> None:
    """Each over a connection of its own, with a memory of its own."""
    world = World(Database.connect(database_url), tmp_path / "mail")
    game = begin(world)
    lay(world, game, "Ada", "if b1 then a1")
    world.answer("Bob", "b1")
    world.wait(minutes=1)
    settings = Settings(site=Site(address=SITE), play=PLAIN)
    workers = [Service(Database.connect(database_url), settings, clock=lambda: world.now) for _ in range(2)]
    together = Barrier(len(workers))

    def work(worker: Service) -> int:
        together.wait(30)
        return worker.upkeep.sweep().acted

    with ThreadPoolExecutor(len(workers)) as pool:
        assert sum(pool.map(work, workers)) == 1
    assert turns(world, game) == [("a2", False), ("b1", False), ("a1", True)]
    assert ends(world, game) == [e.PlanEnd.PLAYED_OUT]
    world.settle()
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []
    history = world.service.games.history(game)
    assert list(recheck((row.event for row in history), game, recorded=[row.at for row in history])) == []
    for service in (*workers, world.service):
        service.db.close()


LOOKS = ("show", "history", "games", "resend", "clock", "b2")


@pytest.mark.parametrize("line", LOOKS)
def test_nobody_else_hears_of_a_plan(world: World, line: str) -> None:
    """The answers to an opponent, with a plan and without one, differ in nothing but the hash and the version of the game."""
    world.want("html", "Bob")
    game = begin(world)
    lay(world, game, "Ada", "if b1 then a1")
    world.answer("Bob", line)
    assert "plan" not in "".join(str(part.get_content()) for part in world.mails("Bob")[-1].walk() if part.get_content_maintype() == "text")
    world.answer("Ada", "history")
    assert "plan" not in world.text("Ada")


def test_when_the_game_is_over_its_history_tells_of_plans(world: World) -> None:
    game = begin(world)
    digest = lay(world, game, "Ada", "if b1 then a1")
    world.service.games.handle(game, Annul("over"), actor="admin:test", cause="test:over")
    world.settle()
    world.answer("Bob", "history")
    assert digest in "".join(world.text("Bob").split())
