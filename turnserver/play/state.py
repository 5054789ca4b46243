"""What a game is right now: the fold of its events."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, TypeVar

import msgspec

from turnserver.ids import PlayerId, Version
from turnserver.play import events as e
from turnserver.play.clock.controls import Bank
from turnserver.play.line import Line
from turnserver.rules import Game, Seat

T = TypeVar("T")


class Status(StrEnum):
    """Where a game is in its life."""

    INVITING = "inviting"
    RUNNING = "running"
    ENDED = "ended"


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the game ended. A result that was annulled afterwards is void, by annulment."""

    outcome: e.Outcome
    by: e.EndedBy
    winners: tuple[Seat, ...]
    reason: str
    scores: tuple[int, ...] = ()


class Freeze(msgspec.Struct, frozen=True):
    """A time during which the clock of a seat, or every clock, stands still; `ends` is None while there is no end in sight.

    `player` is who sat at the seat when that became known: whose vacation it is, whoever sits there later. `ended_by` are the seats that
    want to end it early.
    """

    number: int
    kind: e.FreezeKind
    seat: Seat | None
    begins: datetime
    ends: datetime | None
    player: PlayerId | None = None
    ended_by: frozenset[Seat] = frozenset()


class Proposal(msgspec.Struct, frozen=True):
    """What is on offer: by which seat, and who has agreed to it since. `days` are how long a pause is to last.

    A substitute is a `player` who is to be asked to play on at a `place` at the table.
    """

    kind: e.ProposalKind
    seat: Seat
    agreed: frozenset[Seat] = frozenset()
    days: int | None = None
    player: PlayerId | None = None
    place: Seat | None = None


class SeatOffer(msgspec.Struct, frozen=True):
    """Somebody who is not in the game has been asked to take a seat over, as a seat of the table has proposed; `turn` was pending then."""

    seat: Seat
    player: PlayerId
    asked_by: Seat
    turn: int
    edition: int


class LaidPlan(msgspec.Struct, frozen=True):
    """The plan that a seat has: its digest, and the opponent's turn that it begins with."""

    digest: str
    turn: int


class Takeover(msgspec.Struct, frozen=True):
    """Somebody has taken a seat over with the event that led to `version`, and has its turns from `turn` on, as far as they stand."""

    version: Version
    turn: int
    seat: Seat
    former: PlayerId
    player: PlayerId


class GameState(msgspec.Struct, frozen=True, kw_only=True):
    """A game after its first `version` events.

    `turn` is the number of the pending turn and `edition` how often turns were retracted: together they name a turn for good, since a
    retracted turn is played again under the same number. `line` is the turns that stand; the board is `line.position`. `known_edition` is
    the last edition that begins with something else than a correction, of which nobody hears. `to_move` and `clock`, which is the pending
    turn's, are set exactly while the game runs; `reminded` are the reminders of that turn that went out. `zones` are the time zones of the
    seats, `banks` what their clocks hold between their turns. `proposal` is what one seat has on offer to the others; `draw_offers` are the
    turns during which each seat last offered a draw, `take_backs` those that each last asked to have back. `plans` are the plans that the
    seats have, in seat order. `left` are the seats that resigned or ran out of time while the others play on. `graces` are the seats that
    had their grace in this game, and `grace` is what of the pending turn's time is grace. `vacant` is the seat that has the turn and waits
    for somebody to take it over. `nudged_at` is when a player last asked for the move of another, `flagged_at` when a time was last up that
    cost a seat or the game. `players` are those who sit there now; `takeovers` tell who sat there before, oldest first, and
    `seat_offers` who was asked to sit there and has not answered.

    A game with chance has a `commitment` to its secret. `entropies` are what the seats have added, in seat order, each empty until then;
    `draws_made` counts every draw of the game, those of turns that were taken back too.
    """

    version: Version
    game: Game[Any, Any]
    terms: e.Terms
    players: tuple[PlayerId, ...]
    zones: tuple[str, ...]
    accepted: frozenset[PlayerId]
    opened_by: PlayerId | None
    status: Status
    line: Line
    turn: int
    edition: int
    known_edition: int = 0
    to_move: Seat | None
    clock: e.TurnClock | None
    banks: tuple[Bank, ...]
    freezes: tuple[Freeze, ...] = ()
    reminded: frozenset[str] = frozenset()
    proposal: Proposal | None = None
    draw_offers: tuple[int | None, ...]
    take_backs: tuple[int | None, ...]
    plans: tuple[LaidPlan | None, ...]
    left: frozenset[Seat] = frozenset()
    graces: frozenset[Seat] = frozenset()
    grace: timedelta = timedelta(0)
    vacant: Seat | None = None
    nudged_at: datetime | None = None
    flagged_at: datetime | None = None
    takeovers: tuple[Takeover, ...] = ()
    seat_offers: tuple[SeatOffer, ...] = ()
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

    def players_at(self, version: int) -> tuple[PlayerId, ...]:
        """Who sat at the table after so many events, in seat order."""
        players = self.players
        for takeover in reversed(self.takeovers):
            if takeover.version > version:
                players = with_seat(players, takeover.seat, takeover.former)
        return players

    def player_of(self, seat: Seat, turn: int) -> PlayerId:
        """Whose turn it was, or is, that the seat has under that number."""
        later = (takeover for takeover in self.takeovers if takeover.seat == seat and takeover.turn > turn)
        first = next(later, None)
        return first.former if first else self.player_at(seat)

    def seated_since(self, seat: Seat) -> int:
        """The number of the first turn that whoever sits there could have."""
        return next((takeover.turn for takeover in reversed(self.takeovers) if takeover.seat == seat), 1)

    @property
    def everybody(self) -> tuple[PlayerId, ...]:
        """All who play or have played, those at the table first."""
        return tuple(dict.fromkeys((*self.players, *(takeover.former for takeover in self.takeovers))))

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

    def asked(self, seat: Seat | None) -> Proposal | None:
        """What is on offer to that seat, agreed to or not; None for whoever has no part in it."""
        return self.proposal if self.proposal is not None and seat in self.answering(self.proposal) else None

    def answering(self, proposal: Proposal) -> frozenset[Seat]:
        """Who has to agree to what is proposed: all who have not left, but the one who proposes it and the one whose seat it is about."""
        return frozenset(self.staying) - {proposal.seat, proposal.place}

    def seat_offer(self, player: PlayerId) -> SeatOffer | None:
        """The seat that the player was asked to take over."""
        return next((offer for offer in self.seat_offers if offer.player == player), None)

    @property
    def planned(self) -> LaidPlan | None:
        """The plan of the seat that has the turn."""
        return self.plans[self.to_move - 1] if self.to_move is not None else None

    @property
    def deadline(self) -> datetime | None:
        """When the pending turn must have arrived; None if none is pending, or it has no limit, or its clock stands still without end."""
        return self.clock.deadline if self.clock else None

    @property
    def due_at(self) -> datetime | None:
        """When the game must be looked at next: when a plan is to answer, or at the next reminder, then at the deadline; None for never."""
        if self.clock is not None and self.planned is not None:
            return self.clock.since
        return (self.clock.remind_at or self.clock.deadline) if self.clock else None


def with_seat(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """The values of all seats, in seat order, with that of one seat changed."""
    return (*values[: seat - 1], value, *values[seat:])
