"""Games played again by several processes: all of them, each once, and no process is left behind, however it ends."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from tests.audit.bundle import finds
from tests.shortened import shortened
from tests.store.scene import ENDED, RUNNING, add_players, play_game, turn
from turnserver.audit.replaying import ReplayedGame, replay_all
from turnserver.errors import DatabaseMissing, WorkerLost
from turnserver.ids import GameId
from turnserver.play.events import GameEvent
from turnserver.store.log.database import Database

GAMES = [GameId(number) for number in range(1, 6)]
SECOND_SEAT = (*RUNNING, turn(2, "e5"))
ILLEGAL = (*RUNNING, turn(2, "a1"))


@pytest.fixture
def five_games(database: Database) -> None:
    """Five games; in the third a piece stands where one stood already."""
    with database.write() as tx:
        add_players(tx)
    played: tuple[Sequence[GameEvent], ...] = (SECOND_SEAT, ENDED, ILLEGAL, RUNNING, SECOND_SEAT)
    for game, events in zip(GAMES, played, strict=True):
        play_game(database, game, events)


def broken(outcomes: Iterator[ReplayedGame]) -> dict[GameId, list[int | None]]:
    """Return the versions of illegal turns by game; every game is there."""
    found = {}
    for outcome in outcomes:
        assert outcome.game not in found
        found[outcome.game] = [finding.version for finding in outcome.findings if "not legal" in finding.problem]
    return found


@pytest.mark.usefixtures("five_games")
@pytest.mark.parametrize(("workers", "at_once"), shortened([(1, 1), (2, 1), (9, 3)], first=2))
def test_every_game_is_played_again_once(database_url: str, workers: int, at_once: int) -> None:
    found = broken(replay_all(database_url, GAMES, workers, at_once=at_once))
    assert found == {GameId(1): [], GameId(2): [], GameId(3): [6], GameId(4): [], GameId(5): []}
    assert [*found] == GAMES


@pytest.mark.usefixtures("five_games")
def test_a_game_that_is_not_there_is_a_finding(sqlite_url: str) -> None:
    (outcome,) = replay_all(sqlite_url, [GameId(6)], 1)
    assert (outcome.events, [finding.problem for finding in outcome.findings]) == (
        0,
        ["the game cannot be played again: There is no game 6 here."],
    )


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.usefixtures("five_games")
def test_a_fault_in_the_rules_is_a_finding_of_its_game(database_url: str) -> None:
    (outcome,) = replay_all(database_url, GAMES[:1], 1, find=finds.failing)
    assert [finding.problem for finding in outcome.findings] == ["the game cannot be played again: ZeroDivisionError: in the rules"]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.usefixtures("five_games")
def test_a_process_that_dies_ends_it_with_a_clear_error(database_url: str) -> None:
    with pytest.raises(WorkerLost, match=r"played games \d to \d again has died \(exit code -9\)"):
        list(replay_all(database_url, GAMES, 2, find=finds.deadly, at_once=2))


def test_a_database_that_is_not_there_is_said_once(tmp_path: object) -> None:
    with pytest.raises(DatabaseMissing):
        list(replay_all(f"sqlite:///{tmp_path}/none.db", GAMES, 2, at_once=1))


@contextmanager
def another_process(url: str, find: str) -> Iterator["subprocess.Popen[str]"]:
    """A process that replays, in a session of its own as a terminal gives one."""
    command = [sys.executable, "-c", f"from tests.audit.bundle.finds import main; main({url!r}, {find!r}, '1', '2', '3', '4', '5')"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True) as running:
        try:
            yield running
        finally:
            if running.poll() is None:
                running.kill()


def said_until_all_have_ended(running: "subprocess.Popen[str]") -> str:
    """Return what is printed until nobody is left who could: every process that was started holds that end of the pipe."""
    assert running.stdout is not None
    return running.stdout.read()


@pytest.mark.long
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.usefixtures("five_games")
def test_nobody_is_left_when_the_terminal_interrupts(database_url: str) -> None:
    with another_process(database_url, "hanging") as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "begun\n"
        os.killpg(running.pid, signal.SIGINT)
        said_until_all_have_ended(running)
        assert running.wait() == -signal.SIGINT


@pytest.mark.long
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.usefixtures("five_games")
def test_nobody_is_left_when_whoever_asked_is_killed(database_url: str) -> None:
    with another_process(database_url, "product") as running:
        assert said_until_all_have_ended(running).startswith("game ")
        assert running.wait() == -signal.SIGKILL
