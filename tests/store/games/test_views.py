"""The rows of games: what lists and the sweep see."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec
import pytest

from tests.store.scene import ADA, BLUE, BOB, ENDED, GAME, INVITED, RED, REMINDED, RUNNING, STARTED, add_players, day, turn
from tests.terms import three_days
from turnserver.errors import NotFound
from turnserver.ids import GameId, Version
from turnserver.play import events as e
from turnserver.play.evolve import fold
from turnserver.play.state import Status
from turnserver.store.games import views
from turnserver.store.games.views import GameSummary
from turnserver.store.log.database import Database

ANNULLED = (*ENDED, e.ResultAnnulled(reason="a mistake"))
REOPENED = (*ENDED, e.TurnsRetracted(first=1, reason="a mistake", to_move=RED, clock=three_days(day(27))))

INVITATION = GameSummary(
    id=GAME,
    version=Version(2),
    game="take",
    options={"size": 5, "variant": "standard"},
    status=Status.INVITING,
    turn=1,
    to_move=None,
    deadline=None,
    due_at=None,
    opened_at=day(0),
    ended_at=None,
    outcome=None,
    ended_by=None,
    winners=(),
    players=(ADA, BOB),
    accepted=(True, False),
)


class Saved(NamedTuple):
    """Histories after which a game was saved, with the instant of its end if they ended it; and how its row then differs."""

    name: str
    histories: tuple[tuple[Sequence[e.GameEvent], datetime | None], ...]
    differs: dict[str, object]


PLAYING: dict[str, object] = {"status": Status.RUNNING, "accepted": (True, True)}
OVER: dict[str, object] = {"version": 6, "status": Status.ENDED, "turn": 2, "accepted": (True, True)}
WON: dict[str, object] = {"outcome": "won", "ended_by": "resignation", "winners": (RED,)}
STEPS: list[tuple[Sequence[e.GameEvent], datetime | None]] = [(INVITED, None), (STARTED, None), (RUNNING, None)]


@pytest.mark.parametrize(
    "case",
    [
        Saved("invited", (*STEPS[:1],), {}),
        Saved("started", (*STEPS[:2],), PLAYING | {"version": 4, "to_move": RED, "deadline": day(3), "due_at": day(2)}),
        Saved("played", (*STEPS,), PLAYING | {"version": 5, "turn": 2, "to_move": BLUE, "deadline": day(4), "due_at": day(3)}),
        Saved("saved late", (*STEPS[2:],), PLAYING | {"version": 5, "turn": 2, "to_move": BLUE, "deadline": day(4), "due_at": day(3)}),
        Saved(
            "reminded",
            (*STEPS, (REMINDED, None)),
            PLAYING | {"version": 6, "turn": 2, "to_move": BLUE, "deadline": day(4), "due_at": day(4)},
        ),
        Saved("ended", (*STEPS, (ENDED, day(5))), OVER | WON | {"ended_at": day(5)}),
        Saved("ended, and saved again", (*STEPS, (ENDED, day(5)), (ENDED, None)), OVER | WON | {"ended_at": day(5)}),
        Saved(
            "annulled",
            (*STEPS, (ENDED, day(5)), (ANNULLED, None)),
            OVER | {"version": 7, "ended_at": day(5), "outcome": "void", "ended_by": "annulment"},
        ),
        Saved(
            "taken up again",
            (*STEPS, (ENDED, day(5)), (REOPENED, None)),
            PLAYING | {"version": 7, "to_move": RED, "deadline": day(30), "due_at": day(29)},
        ),
    ],
    ids=lambda case: case.name,
)
def test_a_row_follows_the_fold(database: Database, case: Saved) -> None:
    with database.write() as tx:
        add_players(tx)
    for number, (history, ended_at) in enumerate(case.histories):
        with database.write() as tx:
            views.save_game(tx, GAME, fold(history), opened_at=None if number else day(0), ended_at=ended_at)

    with database.read() as conn:
        assert views.game_row(conn, GAME) == msgspec.structs.replace(INVITATION, **case.differs)


def test_a_row_can_be_made_again(database: Database) -> None:
    with database.write() as tx:
        add_players(tx)
        views.save_game(tx, GAME, fold(INVITED), opened_at=day(0))
        views.save_game(tx, GAME, fold(RUNNING), opened_at=day(7))
        row = views.game_row(tx, GAME)
    assert row.accepted == (True, True)
    assert row.opened_at == day(0)


def test_a_row_needs_to_know_when_the_game_was_opened(database: Database) -> None:
    with pytest.raises(ValueError, match="opened"), database.write() as tx:
        views.save_game(tx, GAME, fold(RUNNING))


def test_there_is_no_row_of_no_game(database: Database) -> None:
    with pytest.raises(NotFound, match="99"), database.read() as conn:
        views.game_row(conn, GameId(99))


def due(days: float) -> tuple[e.GameEvent, ...]:
    """A game whose clock must be looked at on that day."""
    return (*RUNNING, e.ClockCredited(turn=2, seconds=1, reason="", clock=three_days(day(days - 2))))


GAMES: dict[int, Sequence[e.GameEvent]] = {1: INVITED, 2: due(20), 3: due(10), 4: ENDED, 5: due(15), 6: due(10)}


@pytest.fixture
def several(database: Database) -> Database:
    """Six games in all states."""
    with database.write() as tx:
        add_players(tx)
        for number, history in GAMES.items():
            views.save_game(tx, GameId(number), fold(history), opened_at=day(number))
    return database


@pytest.mark.parametrize(
    ("now", "limit", "found"),
    [
        (9.9, 9, []),
        (10, 9, [3, 6]),
        (15, 9, [3, 6, 5]),
        (99, 9, [3, 6, 5, 2]),
        (99, 2, [3, 6]),
    ],
)
def test_the_sweep_sees_what_is_due_the_longest_due_first(several: Database, now: float, limit: int, found: list[int]) -> None:
    with several.read() as conn:
        assert views.due_games(conn, day(now), limit) == found


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, [6, 5, 4, 3, 2, 1]),
        ({"limit": 2}, [6, 5]),
        ({"status": Status.RUNNING}, [6, 5, 3, 2]),
        ({"status": Status.RUNNING, "limit": 1}, [6]),
        ({"player": ADA}, [6, 5, 4, 3, 2, 1]),
        ({"player": BOB, "status": Status.ENDED}, [4]),
        ({"player": BOB, "status": Status.RUNNING, "limit": 3}, [6, 5, 3]),
        ({"player": 99}, []),
    ],
    ids=str,
)
def test_games_are_listed_newest_first(several: Database, filters: dict[str, object], found: list[int]) -> None:
    with several.read() as conn:
        games = views.list_games(conn, **filters)  # type: ignore[arg-type]  # one test for every combination
    assert [game.id for game in games] == found
    assert {game.players for game in games} <= {(ADA, BOB)}


def test_a_turn_changes_nothing_but_its_game(several: Database) -> None:
    with several.write() as tx:
        before = {row.id: row for row in views.list_games(tx)}
        views.save_game(tx, GameId(2), fold([*RUNNING, turn(2, "b2")]))
        after = {row.id: row for row in views.list_games(tx)}
    assert {number for number in after if after[number] != before[number]} == {2}
