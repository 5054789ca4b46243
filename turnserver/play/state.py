"""What a game is right now: the fold of its events."""

from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec

from turnserver.envelope import PlayerId, Version
from turnserver.play.events import EndedBy, Outcome
from turnserver.play.line import Line
from turnserver.rules import Game, Seat


class Status(StrEnum):
    """Where a game is in its life."""

    INVITING = "inviting"
    RUNNING = "running"
    ENDED = "ended"


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the game ended. A result that was annulled afterwards is void, by annulment."""

    outcome: Outcome
    by: EndedBy
    winners: tuple[Seat, ...]
    reason: str
    scores: tuple[int, ...] = ()


class GameState(msgspec.Struct, frozen=True, kw_only=True):
    """A game after its first `version` events.

    `turn` is the number of the pending turn and `edition` how often turns were retracted: together they name a turn for good, since a
    retracted turn is played again under the same number. `line` is the turns that stand; the board is `line.position`.
    `to_move`, `deadline` and `remind_at` are set exactly while the game runs. `draw_agreed` are the seats that accepted the draw that
    `draw_offer` has on offer; `last_draw_offer` is the turn during which a draw was last offered. `left` are the seats that resigned or
    ran out of time while the others play on.

    A game with chance has a `commitment` to its secret. `entropies` are what the seats have added, in seat order, each empty until then;
    `draws_made` counts every draw of the game, those of turns that were taken back too.
    """

    version: Version
    game: Game[Any, Any]
    days_per_move: int
    players: tuple[PlayerId, ...]
    accepted: frozenset[PlayerId]
    opened_by: PlayerId | None
    status: Status
    line: Line
    turn: int
    edition: int
    to_move: Seat | None
    deadline: datetime | None
    remind_at: datetime | None
    reminded: bool
    draw_offer: Seat | None
    last_draw_offer: int | None
    draw_agreed: frozenset[Seat] = frozenset()
    left: frozenset[Seat] = frozenset()
    result: Result | None
    commitment: str | None = None
    entropies: tuple[str, ...]
    draws_made: int = 0

    def seat_of(self, player: PlayerId) -> Seat | None:
        """The player's seat, or None for somebody who is not in the game."""
        return Seat(self.players.index(player) + 1) if player in self.players else None

    def player_at(self, seat: Seat) -> PlayerId:
        """Who sits there."""
        return self.players[seat - 1]

    def seat_name(self, seat: Seat) -> str:
        """What the game calls the seat, such as `Red`."""
        return self.game.view.seat_names[seat - 1]

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Every seat of the game, in order."""
        return tuple(Seat(number) for number in range(1, self.game.rules.seats + 1))

    @property
    def staying(self) -> tuple[Seat, ...]:
        """The seats that have not left, in order."""
        return tuple(seat for seat in self.seats if seat not in self.left)

    @property
    def due_at(self) -> datetime | None:
        """When the clock must be looked at next: the reminder, then the deadline; None when nothing can fall due."""
        return self.deadline if self.reminded else self.remind_at
