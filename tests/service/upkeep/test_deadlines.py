"""The sweep over clocks: with mail waiting, after an outage, and beside a game that is broken."""

from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from tests.service.world import BEGIN, EVERY, SITE, World
from tests.terms import PLAIN
from turnserver.config import Jobs, Settings, Site
from turnserver.ids import GameId
from turnserver.play import events as e
from turnserver.play.commands import FreezeClock, Retract
from turnserver.play.state import Status
from turnserver.service.request import Request
from turnserver.service.upkeep.deadlines import SETTLE
from turnserver.store.log.database import Database

ADMIN = "admin@example.net"
DEADLINE = BEGIN + timedelta(days=3)


def kinds(world: World, game: GameId) -> list[str]:
    return [type(row.event).__name__ for row in world.service.games.history(game)]


def test_reminder_then_the_end_of_the_time(any_world: World) -> None:
    """One reminder a day before the deadline, one end after it; nobody had played, so no result."""
    game = any_world.open()
    any_world.sweep_until(DEADLINE + timedelta(hours=2))
    any_world.settle()
    assert kinds(any_world, game)[4:] == ["PlayerReminded", "TurnTimedOut", "GameEnded"]
    result = any_world.state(game).result
    assert result is not None
    assert (result.outcome, result.by) == (e.Outcome.VOID, e.EndedBy.TIME)


def test_reminder_then_the_move(world: World) -> None:
    """A reminded player moves in time and the game goes on with a clock of its own."""
    game = world.open()
    world.sweep_until(DEADLINE - timedelta(hours=1))
    world.settle()
    world.answer("Ada", "a1")
    assert world.outcome() == "done: carried out"
    state = world.state(game)
    assert (state.reminded, state.deadline) == (frozenset(), world.now + timedelta(days=3))


@pytest.mark.parametrize(("late", "outcome"), [(timedelta(0), "done: carried out"), (timedelta(microseconds=1), "done: refused: too_late")])
def test_mail_at_the_deadline(world: World, late: timedelta, outcome: str) -> None:
    """The very instant of the deadline is in time; the next one is not, whenever either is read."""
    game = world.open()
    world.sweep_until(DEADLINE - EVERY)
    world.now = DEADLINE + late
    world.answer("Ada", "a1", settle=False)
    world.sweep_until(DEADLINE + timedelta(minutes=10))
    assert world.state(game).status is (Status.RUNNING if not late else Status.ENDED)
    world.settle()
    assert world.outcome() == (outcome if not late else "done: refused: game_over")


def test_events_are_dated_when_they_are_written(world: World) -> None:
    """The sweep judges by an instant in the past and does not pretend to have written then."""
    game = world.open()
    world.sweep_until(DEADLINE + timedelta(hours=1))
    rows = world.service.games.history(game)
    dates = [row.at for row in rows]
    assert dates == sorted(dates)
    assert all(row.at.minute % 20 == 0 for row in rows)


def test_mail_that_waits_holds_the_clocks_until_it_is_given_up(world: World) -> None:
    """A mail whose handling breaks down keeps all deadlines from falling, but only until its attempts are used up."""
    sound = world.open({"size": 3})
    world.sweep_until(DEADLINE - timedelta(minutes=1))
    with world.service.db.engine.begin() as conn:
        conn.exec_driver_sql("UPDATE player SET confirmed_at = 'never' WHERE name = 'Cleo'")
    world.answer("Cleo", "games")
    for _ in range(world.service.settings.incoming.max_attempts - 1):
        assert world.outcome().startswith("new: ")
        world.wait(minutes=3)
        assert world.service.upkeep.sweep().acted == 0
        world.settle()
    assert world.outcome().startswith("failed: ")
    assert world.state(sound).status is Status.RUNNING
    assert world.service.upkeep.sweep().acted == 1
    assert world.state(sound).status is Status.ENDED


def test_an_outage_is_given_back_once(any_world: World) -> None:
    """The scheduler sleeps for two days over a deadline; nobody loses, and the deadline has moved by that much and not twice."""
    game = any_world.open()
    any_world.sweep_until(BEGIN + timedelta(days=2))
    any_world.wait(days=2)
    assert any_world.service.upkeep.sweep().credited == 1
    assert any_world.service.upkeep.sweep().credited == 0
    state = any_world.state(game)
    assert (state.status, state.deadline) == (Status.RUNNING, DEADLINE + timedelta(days=2))


def test_the_admin_hears_once_of_an_outage_and_of_a_game_that_cannot_be_followed(sqlite_url: str, tmp_path: Path) -> None:
    """Of two games one cannot be loaded, and rests; the other has its time back, and a process that looks again says nothing more."""
    settings = Settings(site=Site(address=SITE, admin=ADMIN, zone="UTC"), play=PLAIN)
    world = World(Database.connect(sqlite_url), tmp_path / "mail", settings=settings)
    broken, _sound = world.open(), world.open()
    world.service.upkeep.sweep()
    _break_history(world, broken)
    world.wait(hours=7)
    world.restart()
    world.service.upkeep.sweep()
    world.restart()
    world.service.upkeep.sweep()
    world.settle()
    rest, text = (str(mail.get_body(("plain",)).get_content()) for mail in world.mails(ADMIN))  # type: ignore[union-attr]  # it has one
    assert f"Game {broken} rests" in rest
    assert "The service was down for 7 hours." in text
    assert "From: Sunday 1 March 2026, 12:00 (UTC)" in text
    assert "Clocks that got the time back: 1" in text
    assert "Clocks at odds: none" in text
    world.service.db.close()


def test_the_report_of_an_outage_counts_games_that_another_process_gave_the_time(sqlite_url: str, tmp_path: Path) -> None:
    """Or another thread of the same one: whoever reads mail looks for outages too."""
    settings = Settings(site=Site(address=SITE, admin=ADMIN, zone="UTC"), play=PLAIN)
    world = World(Database.connect(sqlite_url), tmp_path / "mail", settings=settings)
    game = world.open()
    world.service.upkeep.sweep()
    began = world.now
    world.wait(hours=7)
    world.service.ledger.act(
        game, [FreezeClock(e.FreezeKind.OUTAGE, None, began, world.now)], Request("service", "job:outage:1", world.now)
    )
    world.service.upkeep.sweep()
    world.settle()
    [mail] = world.mails(ADMIN)
    assert "Clocks that got the time back: 1" in str(mail.get_body(("plain",)).get_content())  # type: ignore[union-attr]  # it has one
    world.service.db.close()


@pytest.mark.parametrize("days", [366, 367, 4000])
def test_nobody_loses_on_time_because_the_clock_of_the_machine_jumped(any_world: World, days: int) -> None:
    """More than one credit can give back, after which whoever has the turn has what they had before."""
    any_world.service.upkeep.sweep()
    game = any_world.open()
    any_world.service.upkeep.sweep()
    any_world.wait(days=days)
    any_world.service.upkeep.confirm_clock()  # else nothing is decided by such a clock
    for _ in range(2):
        any_world.service.upkeep.sweep()
        any_world.restart()
    state = any_world.state(game)
    assert (state.status, state.deadline) == (Status.RUNNING, DEADLINE + timedelta(days=days))


def test_mail_after_an_outage_is_judged_by_the_time_given_back(world: World) -> None:
    """The first mail after an outage is read before the first sweep, yet the outage does not make it late."""
    game = world.open()
    world.sweep_until(DEADLINE - timedelta(hours=1))
    world.settle()
    world.wait(hours=5)
    world.answer("Ada", "a1")
    assert world.outcome() == "done: carried out"
    assert world.service.upkeep.sweep().credited == 0
    assert world.state(game).deadline == world.now + timedelta(days=3)


def test_an_outage_changes_nothing_in_games_that_have_ended_or_not_begun(world: World) -> None:
    """Only a clock that runs can get time back."""
    ended, invited = world.open(), world.open({"size": 3}, accepted=False)
    world.answer("Ada", "confirm resign", mail=[mail for mail in world.mails("Ada") if f"[Take {ended}]" in mail["Subject"]][-1])
    world.service.upkeep.sweep()
    world.wait(days=1)
    assert world.service.upkeep.sweep().credited == 0
    assert e.ClockFrozen.__name__ not in kinds(world, ended) + kinds(world, invited)


def test_a_clock_that_began_to_run_after_the_outage_gets_nothing(world: World) -> None:
    """A turn that was played after the outage ended, before anybody noticed, starts with its own full time."""
    game = world.open()
    world.service.upkeep.sweep()
    world.wait(days=1)
    world.answer("Ada", "a1")
    world.service.upkeep.sweep()
    assert world.state(game).deadline == world.now + timedelta(days=3)


def test_a_broken_game_does_not_hold_up_the_others(world: World) -> None:
    """A history that this program cannot read costs that game its clock and no other."""
    broken, sound = world.open(), world.open({"size": 3})
    world.sweep_until(DEADLINE - timedelta(hours=1))
    _break_history(world, broken)
    world.sweep_until(DEADLINE + timedelta(hours=1))
    assert world.state(sound).status is Status.ENDED
    world.wait(days=1)
    assert world.service.upkeep.sweep().credited == 0


def _break_history(world: World, game: GameId) -> None:
    """Give the game's last event a type that only another program knows, behind the back of everything that forbids it, and restart."""
    with world.service.db.engine.connect() as conn:
        for (name,) in conn.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'trigger'").all():
            conn.exec_driver_sql(f"DROP TRIGGER {name}")
        conn.exec_driver_sql("UPDATE event SET type = 'game.unheard_of' WHERE stream = ? AND version = 1", (f"game-{game}",))
        conn.commit()
    world.restart()


def test_a_game_that_is_taken_up_again_runs_on_a_new_clock(world: World) -> None:
    """Out of time, then retracted: the row forgets the result, and the sweep finds the game again."""
    game = world.open()
    world.answer("Ada", "a1")
    world.answer("Bob", "a2")
    world.sweep_until(DEADLINE + timedelta(hours=1))
    ended = [row.event for row in world.service.games.history(game)][-2:]
    assert [type(event) for event in ended] == [e.TurnTimedOut, e.GameEnded]
    world.service.games.handle(game, Retract(2, "the mail was down"), actor="admin:test", cause="test:retract")
    state = world.state(game)
    assert (state.status, state.turn, state.deadline) == (Status.RUNNING, 2, world.now + timedelta(days=3))
    world.sweep_until(world.now + timedelta(days=2, hours=1))
    assert isinstance(world.service.games.history(game)[-1].event, e.PlayerReminded)


@pytest.mark.parametrize(("put", "outcome"), [(timedelta(minutes=-5), "carried out"), (timedelta(minutes=5), "refused: too_late")])
def test_mail_that_was_with_us_before_it_was_fetched(world: World, put: timedelta, outcome: str) -> None:
    """A mail counts from when it was put into the maildir, however late it is fetched."""
    world.open()
    world.sweep_until(DEADLINE - EVERY)
    turn = world.mails("Ada")[-1]["Reply-To"].addresses[0].addr_spec
    world.now = DEADLINE + timedelta(minutes=9)
    world.service.mail.receive(b"From: ada@example.org\nMessage-ID: <late@example.org>\n\na1\n", turn, None, "maildir", DEADLINE + put)
    world.settle()
    assert world.outcome() == f"done: {outcome}"


def test_no_mail_arrives_in_the_future(world: World) -> None:
    """A file whose clock is wrong does not hold a place before the mails that come until then."""
    number = world.service.mail.receive(b"Subject: help", "turns@club.example", None, "maildir", world.now + timedelta(days=1))
    assert world.service.mail.reading(number)[0].received_at == world.now


def test_a_deadline_waits_for_mail_that_is_being_stored(world: World) -> None:
    """A mail stamped just before the deadline may be committed just after it; it counts if it is there before the flag falls."""
    game = world.open()
    world.sweep_until(DEADLINE + SETTLE - timedelta(seconds=1))
    assert world.state(game).status is Status.RUNNING
    world.wait(seconds=1)
    world.service.upkeep.sweep()
    assert world.state(game).status is Status.ENDED


@pytest.mark.parametrize(
    ("before", "down", "waits"),
    [
        pytest.param(timedelta(minutes=5), timedelta(minutes=20), timedelta(minutes=75), id="as long as a queue waits"),
        pytest.param(timedelta(minutes=5), timedelta(minutes=2), timedelta(minutes=75), id="shortly after it was up again"),
        pytest.param(timedelta(hours=2), timedelta(hours=7), timedelta(hours=7), id="as long as it was down"),
        pytest.param(timedelta(hours=2), timedelta(days=3), timedelta(days=1), id="a day at most"),
    ],
)
def test_mail_that_waited_elsewhere_while_we_were_down_is_waited_for(
    world: World, before: timedelta, down: timedelta, waits: timedelta
) -> None:
    """Down across a deadline: the first sweep flags nobody, and what comes from other servers' queues within that time is played."""
    game = world.open()
    world.sweep_until(DEADLINE - before)
    world.now += down
    world.restart()
    world.service.upkeep.watch.listening()
    world.service.upkeep.sweep()
    assert (world.state(game).status, world.state(game).deadline) == (Status.RUNNING, DEADLINE + down + waits)
    world.now += waits
    world.answer("Ada", "a1")
    assert world.outcome() == "done: carried out"


def test_a_downtime_gives_nothing_to_whose_time_is_up_much_later(world: World) -> None:
    game = world.open()
    world.sweep_until(DEADLINE - timedelta(hours=2))
    world.now += timedelta(minutes=20)
    world.restart()
    world.service.upkeep.watch.listening()
    assert world.service.upkeep.sweep().credited == 0
    assert world.state(game).deadline == DEADLINE


def test_the_first_mail_after_a_downtime_is_judged_by_the_time_given(world: World) -> None:
    """It is read before the first sweep; two processes that come up give the time once."""
    game = world.open()
    world.sweep_until(DEADLINE - timedelta(minutes=5))
    world.now += timedelta(minutes=20)
    world.restart()
    world.service.upkeep.watch.listening()
    world.answer("Ada", "a1", settle=False)
    world.settle()
    assert world.outcome() == "done: carried out"
    assert kinds(world, game).count("ClockFrozen") == 1
    assert world.service.upkeep.sweep().credited == 0


def test_after_the_queues_have_drained_the_flag_falls(world: World) -> None:
    game = world.open()
    world.sweep_until(DEADLINE - timedelta(minutes=5))
    world.now += timedelta(minutes=20)
    world.restart()
    world.service.upkeep.watch.listening()
    for _ in range(130):
        world.service.upkeep.sweep()
        world.now += timedelta(minutes=1)
    assert world.state(game).status is Status.ENDED
    assert kinds(world, game).count("ClockFrozen") == 1


def test_an_instant_may_come_twice(database: Database, tmp_path: Path) -> None:
    """As when somebody sets the clock: what is decided the second time is not what was decided the first time."""
    play = msgspec.structs.replace(PLAIN, grace_hours=1)
    world = World(database, tmp_path / "mail", settings=Settings(site=Site(address=SITE), play=play, jobs=Jobs(outage_minutes=1440)))
    game = world.open()
    world.sweep_until(DEADLINE)
    world.now = DEADLINE + timedelta(hours=3)
    for _ in range(2):
        world.service.upkeep.sweep()
    assert kinds(world, game)[-3:] == ["GraceGranted", "TurnTimedOut", "GameEnded"]
