"""The cost of drawing and writing a turn mail, against the floor of accepting a move.

Each mail shows a position that was never drawn before, as a turn mail does: its text, its HTML and its picture, down to the bytes that
leave but for a signature.
"""

import random
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from statistics import fmean
from typing import Final

from tests.bench.accept import SIDE, Accepted, Copied
from tests.bench.club import Club
from tests.bench.measure import Budget, Cost, Figure, alternate_costs
from tests.bench.scale import Scale
from turnserver.games import CATALOGUE
from turnserver.ids import GameId
from turnserver.mail.outbound.kinds import MailKind
from turnserver.play.commands import Accept, PlayTurn
from turnserver.play.events import SeatOrder
from turnserver.play.state import GameState
from turnserver.rules.kit import example_turns
from turnserver.store.mail import outbox

BUDGET: Final = Budget(4.5)
"""For the mean of the games: 4 ms where the floor takes 0.9 ms."""
TURNS: Final = 10
"""The number of turns of each game in a round."""
OWNER: Final = "bench"


class Writer:
    """Plays one game after another, and writes the mail of every turn."""

    def __init__(self, club: Club, key: str) -> None:
        """Play that game of the catalogue at its default options."""
        self._service = club.service
        self._key = key
        self._chance = random.Random(key)  # noqa: S311  # repeatable on purpose
        self._opened = 0
        self._game = self._open()

    def write(self) -> Cost:
        """Play some turns, and return what a mail cost."""
        total = Cost(0, 0)
        for _ in range(TURNS):
            number = self._played()
            began = Cost.so_far()
            mail = self._service.mail.sealed(number)
            total = Cost(*map(sum, zip(total, Cost.so_far().since(began, 1), strict=True)))
            if not all(part in mail for part in (b"text/plain", b"text/html", b"image/png")):
                raise AssertionError(f"a turn mail of {self._key} without text, HTML or picture")
        return Cost(*(spent / TURNS for spent in total))

    def _open(self) -> GameId:
        service, self._opened = self._service, self._opened + 1
        names = [f"{name}-{self._key}-{self._opened}" for name in ("Ada", "Bob")]
        pair = [service.people.add(name, f"{name}@example.org", actor="admin:bench", cause=f"cli:{name}") for name in names]
        cause = f"cli:{self._key}-{self._opened}"
        game = service.games.open(self._key, {}, names, order=SeatOrder.GIVEN, actor="admin:bench", cause=cause).game
        for person in pair:
            service.games.handle(game, Accept(person.id, service.clock()), actor=f"player-{person.id}", cause=f"cli:accept-{person.id}")
        return game

    def _played(self) -> int:
        """Play a turn after which somebody has the next one, and return the number of the mail that says so."""
        while True:
            state = self._service.games.state(self._game)
            if state.to_move is None:
                self._game = self._open()
                continue
            self._play(state, state.player_at(state.to_move))
            turns = [item.id for item in self._claimed() if item.kind == MailKind.TURN and item.game == self._game]
            if turns:
                return turns[-1]

    def _play(self, state: GameState, player: int) -> None:
        turn = self._chance.choice(example_turns(state.game.rules, state.line.position, count=5))
        command = PlayTurn(state.player_at(state.to_move), self._service.clock(), turn) if state.to_move else None
        assert command is not None
        self._service.games.handle(self._game, command, actor=f"player-{player}", cause=f"cli:{self._game}-{state.version}")

    def _claimed(self) -> list[outbox.OutboxItem]:
        """Take all mail that waits, and note it as sent."""
        service = self._service
        items = outbox.claim(service.db, service.clock(), 1_000, timedelta(hours=1), OWNER)
        with service.db.write() as tx:
            for item in items:
                outbox.sent(tx, item.id, OWNER, service.clock(), "")
        return items


def mails(directory: Path, scale: Scale) -> Iterator[Figure]:
    """Processor time of a turn mail of each game, and their mean."""
    path = directory / "mails.db"
    club = Club.found(path)
    games = [club.open(SIDE, seed=number) for number in range(scale.mails)]
    club.deliver()
    accepted = Accepted(club, games)
    floor = Copied.of_sqlite(path, directory / "mails-floor", club.service, games)
    writers = {key: Writer(club, key).write for key in CATALOGUE}

    def again() -> Cost:
        accepted.one_by_one()
        return accepted.again(floor, Copied.one_by_one)

    with closing(floor):
        measured = alternate_costs(scale.rounds, {**writers, "floor": again})["processor"]
    club.service.db.close()
    found = [(measured.typical(key) * 1e3, measured.typical("floor") * 1e3, measured.ratio(key, "floor")) for key in CATALOGUE]
    against = "the floor of accepting a move"
    for key, one in zip(CATALOGUE, found, strict=True):
        yield Figure(f"mail.{key}", f"draw and write a turn mail of {CATALOGUE[key].title}", "ms", one[0], against, *one[1:])
    took, baseline, ratio = (fmean(one) for one in zip(*found, strict=True))
    yield Figure("mail", "draw and write a turn mail, mean of the games", "ms", took, against, baseline, ratio, BUDGET)
