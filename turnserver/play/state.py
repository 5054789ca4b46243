"""The current state of a game: the fold of its events."""

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
    """The stage of a game's life."""

    INVITING = "inviting"
    RUNNING = "running"
    ENDED = "ended"


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of a game. A result that was annulled afterwards is void, by annulment."""

    outcome: e.Outcome
    by: e.EndedBy
    winners: tuple[Seat, ...]
    reason: str
    scores: tuple[int, ...] = ()


class Freeze(msgspec.Struct, frozen=True):
    """A time during which the clock of a seat, or every clock, stands still. `ends` is None while no end is known.

    `player` sat at the seat when the freeze became known. A vacation stays theirs if somebody else sits there later. `ended_by` are the
    seats that want to end the freeze early.
    """

    number: int
    kind: e.FreezeKind
    seat: Seat | None
    begins: datetime
    ends: datetime | None
    player: PlayerId | None = None
    ended_by: frozenset[Seat] = frozenset()


class Proposal(msgspec.Struct, frozen=True):
    """An open offer: the seat that made it, and the seats that have agreed since. `days` is the length of a pause.

    A substitute is a `player` to be asked to play on at the seat `place`.
    """

    kind: e.ProposalKind
    seat: Seat
    agreed: frozenset[Seat] = frozenset()
    days: int | None = None
    player: PlayerId | None = None
    place: Seat | None = None


class SeatOffer(msgspec.Struct, frozen=True):
    """An invitation to somebody outside the game to take a seat over, proposed by a seat of the table. `turn` was pending then."""

    seat: Seat
    player: PlayerId
    asked_by: Seat
    turn: int
    edition: int


class LaidPlan(msgspec.Struct, frozen=True):
    """A seat's plan: its digest, and the opponent's turn that it begins with."""

    digest: str
    turn: int


class Takeover(msgspec.Struct, frozen=True):
    """A change of the player at a seat, by the event that led to `version`.

    The new player has its turns from `turn` on, as far as they stand.
    """

    version: Version
    turn: int
    seat: Seat
    former: PlayerId
    player: PlayerId


class Claim(msgspec.Struct, frozen=True):
    """A claim of a seat that the other one does not play the turn of that number and edition. It is `open` until somebody settles it.

    It is `dismissed` if an admin has decided against it.
    """

    seat: Seat
    turn: int
    edition: int
    open: bool = True
    dismissed: bool = False


class GameState(msgspec.Struct, frozen=True, kw_only=True):
    """A game after its first `version` events. Tuples with one value for each seat are in seat order."""

    version: Version
    game: Game[Any, Any]
    terms: e.Terms
    players: tuple[PlayerId, ...]
    # the time zone of each seat
    zones: tuple[str, ...]
    accepted: frozenset[PlayerId]
    opened_by: PlayerId | None
    status: Status
    # the turns that stand; the board is `line.position`
    line: Line
    # the number of the pending turn; with the edition it names a turn for good, since a retracted turn is played again under its number
    turn: int
    # how often turns were retracted
    edition: int
    # the last edition that does not begin with a correction, of which nobody hears
    known_edition: int = 0
    # set exactly while the game runs, like the clock of the pending turn
    to_move: Seat | None
    clock: e.TurnClock | None
    # what each clock holds between the turns of its seat
    banks: tuple[Bank, ...]
    freezes: tuple[Freeze, ...] = ()
    # the reminders of the pending turn that went out
    reminded: frozenset[str] = frozenset()
    # what one seat has on offer to the others
    proposal: Proposal | None = None
    # the turn during which each seat last offered a draw
    draw_offers: tuple[int | None, ...]
    # the turn that each seat last asked to have back
    take_backs: tuple[int | None, ...]
    plans: tuple[LaidPlan | None, ...]
    # the seats that resigned or ran out of time while the others play on
    left: frozenset[Seat] = frozenset()
    # the seats that had their grace in this game
    graces: frozenset[Seat] = frozenset()
    # the part of the pending turn's time that is grace
    grace: timedelta = timedelta(0)
    # the seat that has the turn and waits for somebody to take it over
    vacant: Seat | None = None
    # when a player last asked for the move of another
    nudged_at: datetime | None = None
    # the last claim that a player does not move
    claim: Claim | None = None
    # when a time was last up that cost a seat or the game
    flagged_at: datetime | None = None
    # the changes of players at seats, oldest first
    takeovers: tuple[Takeover, ...] = ()
    # the invitations to take over a seat that were not answered yet
    seat_offers: tuple[SeatOffer, ...] = ()
    result: Result | None
    # what binds a game with chance to its secret
    commitment: str | None = None
    # what the seats have added to the chance, each empty until then
    entropies: tuple[str, ...]
    # every draw of the game, those of turns that were taken back too
    draws_made: int = 0

    def seat_of(self, player: PlayerId) -> Seat | None:
        """Return the player's seat; None for somebody who is not in the game."""
        return Seat(self.players.index(player) + 1) if player in self.players else None

    def player_at(self, seat: Seat) -> PlayerId:
        """Return the player at a seat."""
        return self.players[seat - 1]

    def players_at(self, version: int) -> tuple[PlayerId, ...]:
        """Return the players at the table after the first `version` events, in seat order."""
        players = self.players
        for takeover in reversed(self.takeovers):
            if takeover.version > version:
                players = with_seat(players, takeover.seat, takeover.former)
        return players

    def player_of(self, seat: Seat, turn: int) -> PlayerId:
        """Return the player who has or had the turn of that number at `seat`."""
        later = (takeover for takeover in self.takeovers if takeover.seat == seat and takeover.turn > turn)
        first = next(later, None)
        return first.former if first else self.player_at(seat)

    def seated_since(self, seat: Seat) -> int:
        """Return the number of the first turn that the present player of `seat` could have."""
        return next((takeover.turn for takeover in reversed(self.takeovers) if takeover.seat == seat), 1)

    @property
    def everybody(self) -> tuple[PlayerId, ...]:
        """All who play or have played, those at the table first."""
        return tuple(dict.fromkeys((*self.players, *(takeover.former for takeover in self.takeovers))))

    def seat_name(self, seat: Seat) -> str:
        """Return the game's name of the seat, such as `Red`."""
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
        """Return the proposal that asks `seat` for an answer, whether or not it has agreed. None if the seat has no part in it."""
        return self.proposal if self.proposal is not None and seat in self.answering(self.proposal) else None

    def answering(self, proposal: Proposal) -> frozenset[Seat]:
        """Return the seats that must agree to a proposal: all that have not left, without the proposer and the seat that it is about."""
        return frozenset(self.staying) - {proposal.seat, proposal.place}

    def seat_offer(self, player: PlayerId) -> SeatOffer | None:
        """Return the open offer of a seat to this player; None if there is none."""
        return next((offer for offer in self.seat_offers if offer.player == player), None)

    def invites(self, player: PlayerId) -> bool:
        """Return whether a player is invited, to the game or to a seat of it, and has not answered."""
        inviting = self.status is Status.INVITING and player in self.players and player not in self.accepted
        return inviting or self.seat_offer(player) is not None

    @property
    def mover(self) -> PlayerId | None:
        """The player whose move is waited for. None if no turn is pending, or its seat waits for a substitute."""
        return None if self.to_move is None or self.vacant is not None else self.player_at(self.to_move)

    def waits_for(self, player: PlayerId) -> bool:
        """Return whether a move or an answer of a player is waited for."""
        return self.mover == player or self.asks(player)

    def asks(self, player: PlayerId) -> bool:
        """Return whether a yes or no of a player is waited for: to an invitation, or to what another seat has on offer."""
        seat = self.seat_of(player)
        proposal = self.asked(seat)
        return self.invites(player) or (proposal is not None and seat not in proposal.agreed)

    @property
    def open_claim(self) -> Claim | None:
        """The claim that waits for an admin. None if there is none, or a move has settled it."""
        claim = self.claim_now
        return claim if claim is not None and claim.open else None

    @property
    def claim_now(self) -> Claim | None:
        """The claim about the pending turn, open or not. None if there was none."""
        claim = self.claim
        about_this = claim is not None and self.to_move is not None and (claim.turn, claim.edition) == (self.turn, self.edition)
        return claim if about_this else None

    @property
    def planned(self) -> LaidPlan | None:
        """The plan of the seat that has the turn."""
        return self.plans[self.to_move - 1] if self.to_move is not None else None

    @property
    def deadline(self) -> datetime | None:
        """The instant by which the pending turn must arrive.

        None if no turn is pending, there is no limit, or the clock stands without end.
        """
        return self.clock.deadline if self.clock else None

    @property
    def due_at(self) -> datetime | None:
        """The instant at which the game must be looked at next: for a plan's answer, a reminder or the deadline. None for never."""
        if self.clock is not None and self.planned is not None:
            return self.clock.since
        return (self.clock.remind_at or self.clock.deadline) if self.clock else None


def with_seat(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """Return the values of all seats, in seat order, with the value of one seat replaced."""
    return (*values[: seat - 1], value, *values[seat:])
