"""Time that is up, by mail: grace, every policy, asking for a move, and a game that is taken up again."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeAlias

import pytest
from msgspec.structs import replace

from tests.play import small_games
from tests.service.world import BEGIN, SITE, World, unread
from tests.terms import PLAIN
from turnserver.config import Play, Settings, Site
from turnserver.ids import Burden, GameId, PlayerId
from turnserver.play.events import EndedBy
from turnserver.play.reliability import Tally
from turnserver.play.state import Status
from turnserver.rules import Seat
from turnserver.service.mailroom.reception import LEASE, SOON, Handled
from turnserver.store.games import views
from turnserver.store.log.database import Database
from turnserver.store.mail import inbox

ADMIN = "admin@club.example"
DEADLINE = BEGIN + timedelta(days=3)
Opened: TypeAlias = Callable[[Play], World]


@pytest.fixture
def opened(sqlite_url: str, tmp_path: Path) -> Iterator[Opened]:
    """A world of small games with such settings for games."""
    db = Database.connect(sqlite_url)
    settings = Settings(site=Site(address=SITE, admin=ADMIN))
    yield lambda play: World(db, tmp_path / "mail", find=small_games.find, settings=replace(settings, play=play))
    db.close()


def live(world: World, until: datetime) -> None:
    """Time passes with the sweeps that a running service does, and whatever is to be sent is."""
    world.sweep_until(until)
    world.settle()


def happened(world: World, game: GameId) -> list[str]:
    return [type(row.event).__name__ for row in world.service.games.history(game)]


def kinds(world: World, name: str) -> list[str]:
    return [mail["Message-ID"].strip("<").partition(".")[0] for mail in world.mails(name)]


def test_grace_is_told_to_everybody_and_given_once(opened: Opened) -> None:
    world = opened(replace(PLAIN, grace_hours=24))
    game = world.open_any("nim", ["Ada", "Bob"], {"heap": 20})
    for name in ("Ada", "Bob"):
        world.answer(name, "1")
    live(world, DEADLINE + timedelta(hours=1))
    assert (kinds(world, "Ada")[-1], kinds(world, "Bob")[-1]) == ("grace", "grace")
    assert "Thu 5 Mar" in world.text("Ada")
    assert "last extension in this game. After that you lose the game." in " ".join(world.text("Ada").split())
    assert "Ada (Red)" in world.text("Bob")
    world.answer("Ada", "1")
    assert world.outcome() == "done: carried out"
    world.answer("Bob", "1")
    live(world, world.now + timedelta(days=4))
    assert happened(world, game).count("GraceGranted") == 1
    result = world.state(game).result
    assert result is not None
    assert (result.by, result.winners) == (EndedBy.TIME, (2,))


def test_whoever_never_moved_reads_in_grace_that_the_game_ends_without_a_result(opened: Opened) -> None:
    world = opened(replace(PLAIN, grace_hours=24))
    world.open_any("nim", ["Ada", "Bob"], {"heap": 20})
    live(world, DEADLINE + timedelta(hours=1))
    assert "After that the game ends without a result." in " ".join(world.text("Ada").split())


def test_whoever_writes_after_the_deadline_waits_for_what_came_before_it_and_is_still_unread(opened: Opened) -> None:
    """Another process has the turn; if that mail were not waited for, its player would have their grace for nothing."""
    world = opened(replace(PLAIN, grace_hours=24))
    game = world.open_any("nim", ["Ada", "Bob"], {"heap": 20})
    live(world, DEADLINE - timedelta(minutes=1))
    world.answer("Ada", "1", settle=False)
    inbox.claim(world.service.db, world.now, 1, LEASE, "somebody")
    world.wait(seconds=61)
    world.answer("Bob", "pause 5 days", settle=False)
    assert world.service.mail.read_inbox() == Handled()
    assert unread(world.service) == 2
    for wait in (timedelta(minutes=1), SOON):
        world.now += wait
        world.settle()
    assert happened(world, game)[-2:] == ["TurnPlayed", "ProposalMade"]
    assert world.state(game).graces == frozenset()


@pytest.mark.parametrize("policy", ["loss", "skip", "house", "substitute"])
@pytest.mark.parametrize("grace", [0, 24])
def test_what_arrived_in_time_counts_under_every_policy_though_it_is_read_later(opened: Opened, policy: str, grace: int) -> None:
    world = opened(replace(PLAIN, grace_hours=grace, when_late=policy))
    game = world.open_any("trio", ["Ada", "Bob", "Cleo"], {"heap": 20})
    live(world, DEADLINE - timedelta(minutes=1))
    world.answer("Ada", "1", settle=False)
    for _ in range(8):
        world.wait(minutes=20)
        world.service.upkeep.sweep()
    world.settle()
    assert world.outcome() == "done: carried out"
    assert happened(world, game)[-1] == "TurnPlayed"
    assert world.state(game).graces == frozenset()


def test_what_arrived_within_grace_counts_though_it_is_read_later(opened: Opened) -> None:
    world = opened(replace(PLAIN, grace_hours=24))
    game = world.open_any("trio", ["Ada", "Bob", "Cleo"], {"heap": 20})
    live(world, DEADLINE + timedelta(hours=24, minutes=-1))
    world.answer("Ada", "1", settle=False)
    for _ in range(8):
        world.wait(minutes=20)
        world.service.upkeep.sweep()
    world.settle()
    assert happened(world, game)[-2:] == ["GraceGranted", "TurnPlayed"]


def test_a_mail_that_comes_before_the_sweep_has_its_grace(opened: Opened) -> None:
    """Seconds after the deadline nobody has looked at the clock; the turn is played, and its player hears what that cost."""
    world = opened(replace(PLAIN, grace_hours=24))
    game = world.open_any("nim", ["Ada", "Bob"], {"heap": 20})
    live(world, DEADLINE)
    world.wait(seconds=9)
    world.answer("Ada", "1")
    assert world.outcome() == "done: carried out"
    assert happened(world, game)[-2:] == ["GraceGranted", "TurnPlayed"]
    assert "you have used that now" in " ".join(world.text("Ada").split())


def test_a_turn_is_skipped(opened: Opened) -> None:
    world = opened(replace(PLAIN, when_late="skip"))
    game = world.open_any("trio", ["Ada", "Bob", "Cleo"], {"heap": 20})
    live(world, DEADLINE + timedelta(hours=1))
    assert (world.state(game).turn, world.state(game).to_move) == (2, 2)
    assert kinds(world, "Ada")[-1] == "missed"
    assert "turn 1 was skipped" in " ".join(world.text("Bob").split())
    world.answer("Ada", "1")
    assert world.outcome() == "done: refused: not_your_turn"
    world.answer("Bob", "1", mail=next(mail for mail in world.mails("Bob") if mail["Message-ID"].startswith("<turn.")))
    assert world.outcome() == "done: carried out"


def test_a_seat_waits_and_the_admin_hears_of_it(opened: Opened) -> None:
    world = opened(replace(PLAIN, when_late="substitute"))
    game = world.open_any("nim", ["Ada", "Bob"], {"heap": 20})
    for name in ("Ada", "Bob"):
        world.answer(name, "1")
    live(world, DEADLINE + timedelta(hours=1))
    assert (kinds(world, "Ada")[-1], kinds(world, "Bob")[-1], kinds(world, ADMIN)) == ("vacant", "vacant", ["admin_report"])
    assert f"turnserver game substitute {game} 1" in world.text(ADMIN)
    world.answer("Ada", "1")
    assert world.outcome() == "done: refused: seat_vacant"
    live(world, DEADLINE + timedelta(days=7, hours=1))
    assert world.state(game).status is Status.ENDED
    assert len(kinds(world, ADMIN)) == 1


def test_who_let_the_time_pass_is_blamed_for_it_though_somebody_takes_over(opened: Opened) -> None:
    world = opened(replace(PLAIN, when_late="substitute"))
    game = world.open_any("nim", ["Ada", "Bob"], {"heap": 20})
    for name in ("Ada", "Bob"):
        world.answer(name, "1")
    live(world, DEADLINE + timedelta(hours=1))
    world.service.games.substitute(game, Seat(1), "Cleo", Burden.SEAT, "stays away", actor="admin:test", cause="test:substitute")
    world.settle()
    world.answer("Cleo", "1")
    with world.service.db.read() as conn:
        kept = views.every_tally(conn)
    assert kept == {PlayerId(1): Tally(2, 1, 1), PlayerId(2): Tally(1, 1), PlayerId(3): Tally(1, 1)}


def test_a_move_is_asked_for_once_a_day(opened: Opened) -> None:
    world = opened(PLAIN)
    world.open_any("nim", ["Ada", "Bob"], {"heap": 20})
    world.answer("Bob", "nudge")
    assert world.outcome() == "done: refused: nudge_too_early"
    world.wait(hours=25)
    world.answer("Bob", "nudge")
    assert world.outcome() == "done: carried out"
    assert "Bob (Blue) asks whether you have seen" in " ".join(world.text("Ada").split())
    world.answer("Bob", "nudge")
    assert world.outcome() == "done: refused: nudged_already"
    world.answer("Ada", "1")
    assert world.outcome() == "done: carried out"


def test_reminders_come_though_the_player_was_here_and_only_a_setting_stops_them(opened: Opened) -> None:
    """A player who has just asked for the board is reminded; one who wants no reminders gets none, but is asked when a player asks."""
    world = opened(replace(PLAIN, reminders=("50%", "24h")))
    world.open_any("nim", ["Ada", "Bob"], {"heap": 20})
    live(world, BEGIN + timedelta(hours=35))
    world.answer("Ada", "show")
    live(world, BEGIN + timedelta(hours=37))
    assert kinds(world, "Ada")[-1] == "reminder"
    world.answer("Ada", "set reminders off")
    live(world, BEGIN + timedelta(hours=49))
    assert kinds(world, "Ada").count("reminder") == 1
    world.answer("Bob", "nudge")
    assert kinds(world, "Ada")[-1] == "nudged"


def test_a_game_that_was_lost_on_time_goes_on(opened: Opened) -> None:
    world = opened(PLAIN)
    game = world.open_any("nim", ["Ada", "Bob"], {"heap": 20})
    for name in ("Ada", "Bob"):
        world.answer(name, "1")
    live(world, DEADLINE + timedelta(hours=1))
    old = next(mail for mail in reversed(world.mails("Ada")) if mail["Message-ID"].startswith("<turn."))
    assert '"reopen" by' in " ".join(world.text("Bob").split())
    world.answer("Ada", "accept")
    assert world.outcome() == "done: refused: game_over"
    world.answer("Bob", "reopen")
    assert kinds(world, "Ada")[-1] == "proposed"
    world.answer("Ada", "accept")
    assert world.outcome() == "done: carried out"
    with world.service.db.read() as conn:
        row = views.game_row(conn, game)
    assert (row.status, row.ended_at, row.to_move) == (Status.RUNNING, None, 1)
    assert row.due_at is not None
    assert (kinds(world, "Ada")[-1], kinds(world, "Bob")[-1]) == ("reopened", "reopened")
    world.answer("Ada", "1", mail=old)
    assert world.outcome() == "done: refused: turn_already_played"
    world.answer("Ada", "1", mail=world.mails("Ada")[-2])
    assert world.outcome() == "done: carried out"
