"""Puts games into a database as they would have come about: those that run at the same time interleaved, in the order of their instants."""

from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count, islice
from typing import Final

from tests.scale.playing import PLAYERS, Played, play
from turnserver.ids import Version, game_stream
from turnserver.play.evolve import fold
from turnserver.play.reliability import tallied
from turnserver.play.state import GameState, Status
from turnserver.service.service import Service
from turnserver.store.games import views
from turnserver.store.log import log, secrets
from turnserver.store.log.database import Database, Transaction

_A_BATCH: Final = 500
_AHEAD: Final = 64
"""The number of games that each process has played before they are wanted."""


def fill(  # noqa: PLR0917  # how much, and how fast
    service: Service, events: int, seed: int, workers: int, at_once: int = 100, ahead: int = _AHEAD
) -> Iterator[tuple[int, int]]:
    """Play games, some `at_once`, into an empty database until it holds so many events. Gives the events and games after each batch.

    The games that run when there are enough are played to their end. Each process plays so many games `ahead`.
    """
    for player in range(1, PLAYERS + 1):
        service.people.add(f"Player{player}", f"player{player}@scale.example", actor="admin:scale", cause=f"cli:player {player}")
    with ProcessPoolExecutor(workers) as pool:
        book = _Book(service.db, _in_order(pool, seed, workers * ahead), at_once)
        while book.batch(open_more=book.events < events):
            yield book.events, book.games
        pool.shutdown(cancel_futures=True)


def _in_order(pool: ProcessPoolExecutor, seed: int, ahead: int) -> Iterator[Played]:
    numbers = count(1)
    coming: list[Future[Played]] = [pool.submit(play, number, seed) for number in islice(numbers, ahead)]
    while True:
        yield coming.pop(0).result()
        coming.append(pool.submit(play, next(numbers), seed))


@dataclass(slots=True)
class _Running:
    """A game of which some decisions are written."""

    played: Played
    state: GameState | None = None
    head: bytes | None = None
    written: int = 0

    def place(self) -> tuple[float, int]:
        """Return the time stamp of its next decision, and its number."""
        return self.played.decisions[self.written].at.timestamp(), self.played.number

    def write(self, tx: Transaction) -> int:
        """Append the next decision; how many events it had. Its row is written with the first and with the last."""
        made, before = self.played.decisions[self.written], self.state
        expected = before.version if before else Version(0)
        stream = game_stream(self.played.number)
        self.state = fold(made.events, before)
        if before is not None:
            views.add_tallies(tx, tallied(before.players, made.events, before.vacant))
        self.written += 1
        if not expected:
            secrets.keep(tx, stream, self.played.secret)
            views.save_game(tx, self.played.number, self.state, opened_at=made.at)
        elif self.over:
            ended = self.state.status is Status.ENDED
            views.save_game(tx, self.played.number, self.state, opened_at=self.played.decisions[0].at, ended_at=made.at if ended else None)
        rows = log.append(tx, stream, expected, made.events, at=made.at, actor=made.actor, cause=made.cause, previous=self.head)
        self.head = rows[-1].hash
        return len(rows)

    @property
    def over(self) -> bool:
        return self.written == len(self.played.decisions)


class _Book:
    """The events written so far, and the games that are under way."""

    def __init__(self, database: Database, coming: Iterator[Played], at_once: int) -> None:
        self.events = 0
        self.games = 0
        self._database = database
        self._coming = coming
        self._at_once = at_once
        self._running: list[tuple[tuple[float, int], _Running]] = []

    def batch(self, *, open_more: bool) -> bool:
        """Write some decisions in one transaction; whether there were any."""
        with self._database.write() as tx:
            for _ in range(_A_BATCH):
                while open_more and len(self._running) < self._at_once:
                    self._open(tx)
                if not self._running:
                    return False
                self._next(tx)
        return True

    def _open(self, tx: Transaction) -> None:
        game = _Running(next(self._coming))
        log.next_number(tx, "game")
        self.games += 1
        heappush(self._running, (game.place(), game))

    def _next(self, tx: Transaction) -> None:
        _, game = heappop(self._running)
        self.events += game.write(tx)
        if not game.over:
            heappush(self._running, (game.place(), game))
