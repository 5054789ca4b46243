"""The common ground of the tests of the store: instants, a game of Take, and one way to append."""

from collections.abc import Sequence
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg

from tests.terms import THREE_DAYS, three_days
from turnserver.ids import Event, GameId, PlayerId, Recorded, Stream, Version, game_stream
from turnserver.play import events as e
from turnserver.play.evolve import fold
from turnserver.rules import Seat
from turnserver.store.games import views
from turnserver.store.log import log
from turnserver.store.log.database import Database, Transaction
from turnserver.store.people import accounts as people

ADA, BOB = PlayerId(1), PlayerId(2)
RED, BLUE = Seat(1), Seat(2)
GAME = GameId(1)
STREAM = game_stream(GAME)
SHARED = Stream("club-1")
"""A stream that is neither a game's nor a league's, so that no row has to go with it."""


def day(days: float) -> datetime:
    """So long after everything began."""
    return datetime(2026, 3, 1, 12, tzinfo=UTC) + timedelta(days=days)


def turn(number: int, step: str) -> e.TurnPlayed:
    """A turn played on the day of its number."""
    seat, other = (RED, BLUE) if number % 2 else (BLUE, RED)
    return e.TurnPlayed(
        turn=number,
        seat=seat,
        steps=(step,),
        received_at=day(number),
        to_move=other,
        clock=three_days(day(number)),
        left=timedelta(days=2),
    )


OPENED = e.GameOpened(
    game="take", revision=1, options={"size": 5}, players=(ADA, BOB), order=e.SeatOrder.GIVEN, terms=THREE_DAYS, opened_by=None
)
INVITED = (OPENED, e.InvitationAccepted(player=ADA, zone="Europe/Oslo"))
STARTED = (*INVITED, e.InvitationAccepted(player=BOB, zone="UTC"), e.GameStarted(to_move=RED, clock=three_days(day(0))))
RUNNING = (*STARTED, turn(1, "a1"))
REMINDED = (*RUNNING, e.PlayerReminded(seat=BLUE, turn=2, marks=("24h",), remind_at=None))
ENDED = (*RUNNING, e.GameEnded(outcome=e.Outcome.WON, by=e.EndedBy.RESIGNATION, winners=(RED,), reason=""))


def add_players(tx: Transaction) -> None:
    """Ada and Bob have accounts."""
    people.add_player(tx, ADA, "Ada", "ada@example.org", "Europe/Oslo", day(0))
    people.add_player(tx, BOB, "Bob", "Bob@example.org", "UTC", day(0))


def append(
    database: Database,
    stream: Stream,
    events: Sequence[Event],
    *,
    cause: str,
    after: Sequence[Recorded[Event]] = (),
    actor: str = "admin:ada",
) -> list[Recorded[Event]]:
    """Append in a transaction of its own to a stream that holds `after`; returns all that it holds then."""
    with database.write() as tx:
        new = log.append(
            tx,
            stream,
            Version(len(after)),
            events,
            at=day(len(after)),
            actor=actor,
            cause=cause,
            previous=after[-1].hash if after else None,
        )
    return [*after, *new]


def play_game(database: Database, game: GameId, events: Sequence[e.GameEvent]) -> list[Recorded[Event]]:
    """Append a whole game, each event from a cause of its own, and leave its rows as they should be."""
    known: list[Recorded[Event]] = []
    for number, event in enumerate(events):
        known = append(database, game_stream(game), [event], cause=f"mail:{number}", after=known)
    with database.write() as tx:
        views.save_game(tx, game, fold(events), opened_at=day(0))
    return known


def wait_for_lock(postgresql_url: str, work: Future[Any]) -> None:
    """Wait until somebody in that database waits for a lock; `work` is what should."""
    waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    with psycopg.connect(postgresql_url.replace("+psycopg", ""), autocommit=True) as admin:
        while not admin.execute(waiting).fetchall():
            assert not work.done(), "it did not have to wait"
