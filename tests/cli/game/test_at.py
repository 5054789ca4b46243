"""A game at a moment of its past, as the commands show it."""

from datetime import timedelta
from typing import Any

import pytest

from tests.cli.club import ADA, BOB, ENDED, NOON, RUNNING, Club
from tests.cli.typed import declared, service_of, typed
from turnserver.cli.game.found import details, load
from turnserver.cli.output.shapes import GameDetails
from turnserver.cli.session import Session
from turnserver.ids import GameId
from turnserver.play.commands import PlayTurn
from turnserver.play.evolve import fold
from turnserver.store.games import views

DAY = timedelta(days=1)


@pytest.fixture
def later(club: Club) -> Club:
    """The club a day later, in whose running game Bob has played then, and Ada two hours after that."""
    club.now = NOON + DAY
    club.ask(RUNNING, PlayTurn(BOB, club.now, "e2"))
    club.now += timedelta(hours=2)
    club.ask(RUNNING, PlayTurn(ADA, club.now, "a3"))
    club.now += DAY
    return club


SAYS = {
    "who was to move, and how long": ("game show 1 --at 2026-03-01", "Bob to move by 2026-03-06 13:00 (Europe/Berlin), in 4 days 13 hours"),
    "as of when": ("game show 1 --at 2026-03-01", "As of    2026-03-01 23:59 (Europe/Berlin), after 10 events"),
    "before a turn was taken back": ("game show 1 --at 9", "a3"),
    "before somebody had accepted": ("game show 1 --at v1", "waits for Ada and Bob to accept"),
    "before it ended": ("game show 3 --at 5", "Now      Bob to move"),
    "the board then": ("game board 1 --at 2026-03-02T12:30Z", "after turn 4 of 4: Bob (Blue) played e2 (as of 2026-03-02 13:30"),
    "a turn of then": ("game board 1 --at 9 --turn 5", "after turn 5 of 5: Ada (Red) played a3"),
    "the history until then": ("game history 1 --at 2", "Ada"),
    "why it was due": ("game why-deadline 1 --at 10", "Deadline  2026-03-06 13:00 (Europe/Berlin)"),
    "a replay until then": ("game replay 3 --at 5", "after turn 1 of 1"),
    "a record until then": ("game record 3 --at 6", "1. Red: a1 2. Blue: c2 *"),
}
REFUSES = {
    "a turn to come then": ("game board 1 --at 6 --turn 3", "Game 1 has had 2 turns so far; there is no turn 3."),
    "a version to come": ("game show 1 --at 13", "Game 1 has had 12 events so far; there is no version 13."),
    "before the game": ("game show 1 --at 2026-02-28", "Game 1 begins with event #"),
    "the future": ("game history 1 --at 2027-01-01", "2027-01-01 00:00 (Europe/Berlin) is in the future"),
    "no moment": ("game board 1 --at yesterday", "'yesterday' is no moment. Write a version such as 12"),
}


@pytest.mark.parametrize(("line", "fragment"), SAYS.values(), ids=SAYS)
def test_says(later: Club, line: str, fragment: str) -> None:
    assert fragment in later.printed(line)


@pytest.mark.parametrize(("line", "fragment"), REFUSES.values(), ids=REFUSES)
def test_refuses_in_one_sentence(later: Club, line: str, fragment: str) -> None:
    result = later.run(line)
    assert fragment in result.stderr
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)


def test_the_history_until_then_is_its_beginning(later: Club) -> None:
    whole: Any = later.json("game history 1 --json")
    assert later.json("game history 1 --at 9 --json") == [{**event, "undone_by": None} for event in whole[:9]]


@pytest.mark.parametrize("game", [RUNNING, ENDED])
def test_each_version_is_the_fold_of_its_events(later: Club, game: int) -> None:
    service = service_of(later)
    events = [row.event for row in service.games.history(GameId(game))]
    service.db.close()
    run = Session(later.config, later.outside)
    for version in range(1, len(events) + 1):
        found = load(run, game, str(version))
        assert found.state == fold(events[:version])
        assert found.game.version == version
    run.close()


def test_the_last_version_is_the_row(later: Club) -> None:
    run = Session(later.config, later.outside)
    for game in (RUNNING, ENDED):
        found = load(run, game)
        with run.service.db.read() as conn:
            row = views.game_row(conn, GameId(game))
        shown = details(run, found)
        same = ("status", "turn", "to_move", "deadline", "opened_at", "ended_at", "outcome", "ended_by", "version")
        assert [getattr(shown, name) for name in same] == [getattr(row, name) for name in same]
        assert (tuple(seat.player for seat in shown.seats), tuple(seat.accepted for seat in shown.seats)) == (row.players, row.accepted)
    run.close()


def test_json_at_a_moment(later: Club) -> None:
    then = declared(typed(later, "game show 1 --at 10 --json").stdout, "game show")
    assert isinstance(then, GameDetails)
    assert (then.version, then.to_move, then.turn) == (10, 2, 4)
