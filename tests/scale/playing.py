"""Games that the house plays against itself, decided and hashed by the product, with nothing around them but a clock that is made up.

To think takes a hundred times as long as everything else, so the house means one move in fifty, and the others are whims: anything legal.
That is what lets a million events be played in the time of a coffee or two.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Final, NamedTuple

from turnserver import games
from turnserver.ids import GameId, PlayerId
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.play.chance import SECRET_BYTES, Chance
from turnserver.play.decide import decide
from turnserver.play.evolve import fold
from turnserver.play.state import GameState, Status
from turnserver.rules.kit import format_turn

PLAYERS: Final = 200
"""The number of people who share the games."""
BEGINNING: Final = datetime(2025, 1, 6, tzinfo=UTC)
TERMS: Final = e.Terms(
    time="3d",
    holidays=(),
    reminders=("24h",),
    grace_hours=24,
    when_late=e.WhenLate.LOSS,
    void_turns=1,
    reopen_hours=48,
    vacation_days=60,
    pause_days=60,
    correction_minutes=0,
    draw_turns=10,
)
_HOUSE: Final = 1 / 50
_RESIGNS: Final = 1 / 2000
_REMINDED: Final = 1 / 50
_FLAGS: Final = 1 / 3000
_GAMES_A_DAY: Final = 30


class Kind(NamedTuple):
    """A kind of game, and how many of a hundred games are of that kind."""

    weight: int
    game: str
    options: dict[str, str | int | bool]


KINDS: Final = (
    Kind(8, "take", {"size": 5}),
    Kind(12, "take", {"size": 4}),
    Kind(8, "tako-judo", {}),
    Kind(34, "tako", {}),
    Kind(34, "okago", {}),
    Kind(4, "sneaky-octopuses", {}),
)
_WEIGHTS: Final = tuple(kind.weight for kind in KINDS)


@dataclass(frozen=True, slots=True)
class Decision:
    """Events that were appended together."""

    at: datetime
    actor: str
    cause: str
    events: tuple[e.GameEvent, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A game: its decisions in order, and the secret of its chance."""

    number: GameId
    secret: bytes
    decisions: tuple[Decision, ...]


def play(number: int, seed: int) -> Played:
    """The game of that number among those of a seed: always the same one."""
    table = _Table(GameId(number), random.Random(f"{seed} {number}"))  # noqa: S311  # made up, and the same every time
    return Played(table.number, table.secret, tuple(table.decisions()))


class _Table:
    def __init__(self, number: GameId, chance: random.Random) -> None:
        self.number = number
        self.secret = chance.randbytes(SECRET_BYTES)
        self._chance = chance
        self._rolls = Chance(number, self.secret)
        self._now = BEGINNING + timedelta(days=number / _GAMES_A_DAY, seconds=chance.randrange(80_000))
        self._state: GameState | None = None

    def decisions(self) -> Iterator[Decision]:
        yield self._open()
        for player in self._game.players:
            self._wait(20)
            entropy = sha256(f"{self.number} {player}".encode()).hexdigest()
            yield self._by(player, c.Accept(player, self._now, self._game.turn, self._game.edition, zone="Europe/Berlin", entropy=entropy))
        while self._game.status is Status.RUNNING:
            yield from self._turn()

    @property
    def _game(self) -> GameState:
        assert self._state is not None
        return self._state

    def _open(self) -> Decision:
        (kind,) = self._chance.choices(KINDS, _WEIGHTS)
        seats = games.find(kind.game, **kind.options).rules.seats
        players = tuple(PlayerId(1 + player) for player in self._chance.sample(range(PLAYERS), seats))
        return self._do(c.OpenGame(kind.game, kind.options, players, e.SeatOrder.GIVEN, TERMS), "admin:scale", f"cli:open {self.number}")

    def _turn(self) -> Iterator[Decision]:
        state, luck = self._game, self._chance.random
        assert state.to_move is not None
        player = state.player_at(state.to_move)
        if luck() < _RESIGNS:
            self._wait(20)
            yield self._by(player, c.Resign(player, self._now))
        elif luck() < _FLAGS:
            while self._game.to_move == state.to_move and self._game.turn == state.turn and self._game.due_at is not None:
                yield self._tick()
        else:
            if luck() < _REMINDED:
                yield self._tick()
            self._wait(20)
            yield self._by(player, c.PlayTurn(player, self._now, self._whole_turn(), state.turn, state.edition))

    def _tick(self) -> Decision:
        due = self._game.due_at
        assert due is not None
        self._now = due + timedelta(seconds=9)
        return self._do(c.CheckClock(), "service", f"job:clock:{self._game.version}")

    def _whole_turn(self) -> str:
        game, position = self._game.game, self._game.line.position
        rules: Any = game.rules
        if self._chance.random() < _HOUSE:
            return "; ".join(games.house_turn(game, position))
        here, steps, after = rules.next(position), [], position
        while rules.next(after) == here:
            steps.append(self._chance.choice(rules.steps(after)))
            after = rules.apply(after, steps[-1])
        return format_turn(rules, position, steps)

    def _wait(self, hours: int) -> None:
        self._now += timedelta(seconds=self._chance.randrange(60, hours * 3600))

    def _by(self, player: PlayerId, command: c.Command) -> Decision:
        identity = sha256(f"{self.number} {self._game.version} mail".encode()).hexdigest()
        return self._do(command, f"player-{player}", f"mail:{identity}")

    def _do(self, command: c.Command, actor: str, cause: str) -> Decision:
        events = tuple(decide(self._state, command, self._now, chance=self._rolls))
        self._state = fold(events, self._state)
        return Decision(self._now, actor, cause, events)
