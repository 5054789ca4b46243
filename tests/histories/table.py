"""A table at which a recorded game is played: everything is decided, stored and hashed by the product itself.

Only the instants, the secret and the words of the players are made up here, and those turns that were not recorded before.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from tests.terms import THREE_DAYS
from turnserver import games
from turnserver.ids import GameId, PlayerId, Version, game_stream
from turnserver.play import commands as c
from turnserver.play.chance import SECRET_BYTES, Chance
from turnserver.play.conditional_moves import SALT_BYTES
from turnserver.play.decide import decide
from turnserver.play.events import SeatOrder, Terms
from turnserver.play.evolve import fold
from turnserver.play.state import GameState
from turnserver.rules import Game, Seat
from turnserver.rules.kit import format_turn
from turnserver.store.log import log
from turnserver.store.log.database import Database

ADA, BOB, CYD, DOT = (PlayerId(number) for number in (8, 3, 12, 5))
ZONES = {ADA: "Europe/Berlin", BOB: "America/New_York", CYD: "Asia/Tokyo", DOT: "UTC"}
"""The zones where they live."""
WORDS = ("", "rain on the harbour", "seven grey gulls", "my aunt's second teapot")
"""The words that players send for the chance of a game when they join it; mostly nothing, and then their mail counts."""
SALT = b"salt of the plans in these games."[:SALT_BYTES]
"""As secret as these games are."""
WHIM = 1 / 8
"""The share of turns in which a player does anything that is legal, instead of what the house would do."""


class Table:
    """A game being played in a database of its own, under a clock that only moves when told to.

    `recorded` are the turns of an earlier recording, in the order in which they came. They are played again; what goes beyond them is made
    up, so that better house players and new variants of games leave the recorded games as they are.
    """

    def __init__(self, database: Database, number: int, recorded: Iterable[str] = ()) -> None:
        self.database = database
        self.terms: Terms = THREE_DAYS
        self.stream = game_stream(GameId(number))
        self.now = datetime(2025, 11, 3, 8, 0, tzinfo=UTC) + timedelta(days=number)
        self.random = random.Random(number)  # noqa: S311  # made up, and the same every time
        self.whims = random.Random(f"whims {number}")  # noqa: S311  # made up, and the same every time
        self.chance = Chance(GameId(number), bytes(self.below(256) for _ in range(SECRET_BYTES)))
        self.recorded = iter(recorded)
        self.hash: bytes | None = None
        self.state: GameState | None = None
        self.invocations = Counter[str]()

    @property
    def game(self) -> GameState:
        assert self.state is not None
        return self.state

    def wait(self, **time: float) -> None:
        self.now += timedelta(**time)

    def below(self, limit: int) -> int:
        """A made-up number. Only `random()` itself is promised to be the same in every version of Python."""
        return int(self.random.random() * limit)

    def do(self, command: c.Command, actor: str, cause: str) -> None:
        """Decide the command now and append what follows."""
        events = decide(self.state, command, self.now, chance=self.chance, house=self.house)
        expected = self.state.version if self.state else Version(0)
        with self.database.write() as tx:
            rows = log.append(tx, self.stream, expected, events, at=self.now, actor=actor, cause=cause, previous=self.hash)
        self.state, self.hash = fold(events, self.state), rows[-1].hash

    def house(self, game: Game[Any, Any], position: Any) -> tuple[str, ...]:
        """Return what the house plays for somebody whose time is up: as recorded, or else as it does today."""
        recorded = next(self.recorded, None)
        return tuple(recorded.split("; ")) if recorded else games.house_turn(game, position)

    def mail(self, player: PlayerId, make: Callable[[PlayerId, datetime], c.Command]) -> None:
        """A player's mail, handled some time after it arrived. Joining a game adds the digest of words sent for it, or else of the mail."""
        mail = f"{self.stream} {self.now} {player}"
        command = make(player, self.now)
        if isinstance(command, c.OpenGame):
            command = replace(command, zone=ZONES[player], entropy=_digest(mail))
        elif isinstance(command, c.Accept):
            command = replace(command, zone=ZONES[player], entropy=_digest(WORDS[self.below(len(WORDS))] or mail))
        self.wait(microseconds=self.below(5_000_000))
        self.do(command, f"player-{player}", f"mail:{_digest(f'{mail} to turnserver')}")

    def admin(self, command: c.Command) -> None:
        cause = f"cli:{self.now:%Y%m%dT%H%M%S}"
        self.invocations[cause] += 1
        # another command of the same second is another request, and no repetition of the first
        again = f"-{self.invocations[cause]}" if self.invocations[cause] > 1 else ""
        self.do(command, "admin:cleo", cause + again)

    def clock(self) -> None:
        self.job(c.CheckClock(), "sweep")

    def job(self, command: c.Command, name: str) -> None:
        """Do what the service does by itself."""
        self.do(command, "service", f"job:{name}:{self.game.version}")

    def open(self, game: str, opened_by: PlayerId | None = None, order: SeatOrder = SeatOrder.GIVEN, **options: str | int | bool) -> None:
        """Seat as many as the game is for."""
        seated = (ADA, BOB, CYD, DOT)[: games.find(game, **options).rules.seats]
        command = c.OpenGame(game, options, seated, order, self.terms, opened_by)
        if opened_by is None:
            self.admin(command)
        else:
            self.mail(opened_by, lambda _player, _at: command)

    def start(self, game: str, opened_by: PlayerId | None = None, order: SeatOrder = SeatOrder.GIVEN, **options: str | int | bool) -> None:
        """Open a game and let everybody who has to accept do so, each within a day."""
        self.open(game, opened_by, order, **options)
        for player in self.game.players:
            if player not in self.game.accepted:
                self.wait(hours=self.below(20))
                self.answer(player, c.Accept)

    def answer(self, player: PlayerId, how: type[c.Accept | c.Decline]) -> None:
        """Accept or decline whatever is open."""
        self.mail(player, lambda _player, at: how(player, at, self.game.turn, self.game.edition))

    def play(self, until: int = 1000, turns: Iterator[str] | None = None) -> None:
        """Play up to the turn of that number, or to the end: these `turns`, or else the recorded ones, or else new ones."""
        while (seat := self.game.to_move) is not None and self.game.turn < until:
            recorded = next(self.recorded, None)
            text = next(turns) if turns else recorded or self.new_turn()
            self.wait(minutes=self.below(2400))
            self.play_turn(seat, text)

    def play_turn(self, seat: Seat, text: str) -> None:
        self.mail(self.game.player_at(seat), lambda player, at: c.PlayTurn(player, at, text, self.game.turn, self.game.edition))

    def new_turn(self) -> str:
        """A turn as the house plays it, with a whim now and then."""
        game, choose = self.game.game, games.house(self.game.game.entry.key)
        rules: Any = game.rules
        position = self.game.line.position
        here, steps = rules.next(position), []
        while rules.next(position) == here:
            legal = rules.steps(position)
            whim = self.whims.random() < WHIM
            steps.append(legal[int(self.whims.random() * len(legal))] if whim else choose(game, position))
            position = rules.apply(position, steps[-1])
        return format_turn(rules, self.game.line.position, steps)

    def plan(self, seat: Seat, text: str) -> None:
        """Somebody plans answers."""
        state = self.game
        self.mail(state.player_at(seat), lambda player, at: c.LayPlan(player, at, text, SALT, state.turn, state.edition))

    def answer_by_plan(self, text: str) -> None:
        """Answer the turn by a plan of the player who has it, once the others may know of the turn before; a plan may also fail."""
        before = self.game.turn
        self.wait(minutes=10, seconds=30)
        assert self.game.to_move is not None
        self.job(c.AnswerByPlan(self.game.to_move, text, SALT), "clock")
        if self.game.turn > before:
            next(self.recorded, None)

    def resign(self, seat: Seat) -> None:
        self.wait(hours=3)
        self.mail(self.game.player_at(seat), c.Resign)

    def let_grace_pass(self) -> None:
        """Let the time of the turn pass, and then its player's grace, which lasts a day."""
        self.let_time_pass()
        self.wait(days=1)
        self.clock()

    def let_time_pass(self) -> None:
        """Let the time of the turn pass, and its reminder too."""
        self.wait(days=2)
        self.clock()
        self.wait(days=1, seconds=9)
        self.clock()


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
