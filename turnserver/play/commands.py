"""Commands to a game, from players, admins and the service itself, in the imperative.

Instants are data. `arrived_at` is when a player's request reached this side; deadlines judge that instant. The instant of the decision
comes to `decide` beside the command.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from turnserver.ids import Burden, PlayerId
from turnserver.play.events import FreezeKind, ProposalKind, SeatOrder, Terms
from turnserver.rules import Seat


@dataclass(frozen=True, slots=True)
class OpenGame:
    """Set up a game. `players` stand in seat order, already drawn by lot if `order` is LOT.

    `opened_by` is the player who challenges, or None for an admin. The challenger accepts the invitation by opening the game. `zone` and
    `entropy` are as in `Accept`.
    """

    game: str
    options: Mapping[str, str | int | bool]
    players: tuple[PlayerId, ...]
    order: SeatOrder
    terms: Terms
    opened_by: PlayerId | None = None
    zone: str = "UTC"
    entropy: str | None = None


@dataclass(frozen=True, slots=True)
class PlayTurn:
    """Play a whole turn given as text (`d3`, or several steps joined by `;`).

    `turn` and `edition` say which turn the player was answering (see `GameState.edition`); None means the pending one.
    """

    player: PlayerId
    arrived_at: datetime
    text: str
    turn: int | None = None
    edition: int | None = None


@dataclass(frozen=True, slots=True)
class LayPlan:
    """Plan answers to the opponent's possible turns, in the grammar of `turnserver.play.conditional_moves`.

    `salt` are the secret bytes of the digest. `turn` and `edition` are as in `PlayTurn`: the player's last turn, or the opponent's after
    it.
    """

    player: PlayerId
    arrived_at: datetime
    text: str = field(repr=False)
    salt: bytes = field(repr=False)
    turn: int | None = None
    edition: int | None = None


@dataclass(frozen=True, slots=True)
class ForgetPlan:
    """Drop the player's plan."""

    player: PlayerId
    arrived_at: datetime


@dataclass(frozen=True, slots=True)
class AnswerByPlan:
    """Let the plan of the seat to move answer, or drop the plan. `text` and `salt` are the stored plan; `text` is None if it is lost."""

    seat: Seat
    text: str | None = field(repr=False)
    salt: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the game up."""

    player: PlayerId
    arrived_at: datetime


@dataclass(frozen=True, slots=True)
class OfferDraw:
    """Offer a draw."""

    player: PlayerId
    arrived_at: datetime


@dataclass(frozen=True, slots=True)
class Propose:
    """Propose something other than a draw: a pause of `days` days, or of the usual length if `days` is None.

    Or propose that `substitute` be asked to play on at the seat of `player`, or at the seat that waits for somebody.
    """

    player: PlayerId
    arrived_at: datetime
    kind: ProposalKind
    days: int | None = None
    substitute: PlayerId | None = None


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Withdraw every substitute: the one that the player has proposed, and anybody who was asked because of that proposal."""

    player: PlayerId
    arrived_at: datetime


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back one's last turn: at once while nobody else knows of it, otherwise by asking the others.

    `again` says that another turn comes with the command, so asking the others is no use. `edition` is as in `PlayTurn`.
    """

    player: PlayerId
    arrived_at: datetime
    again: bool = False
    edition: int | None = None


@dataclass(frozen=True, slots=True)
class Resume:
    """End the pause that the players have agreed on."""

    player: PlayerId
    arrived_at: datetime


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept the open question: the invitation, a seat to take over, or an offer.

    `turn` and `edition` name the turn during which the player was asked, as in `PlayTurn`: a late yes to an invitation accepts nothing
    else. `entropy` (64 hexadecimal digits) is the seat's part of the chance of the game that it joins. `zone` is the player's time zone.
    """

    player: PlayerId
    arrived_at: datetime
    turn: int | None = None
    edition: int | None = None
    zone: str = "UTC"
    entropy: str | None = None


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline the open question: the invitation, a seat to take over, or an offer. `turn` and `edition` are as in `Accept`."""

    player: PlayerId
    arrived_at: datetime
    turn: int | None = None
    edition: int | None = None


@dataclass(frozen=True, slots=True)
class Nudge:
    """Ask the player to move for their move."""

    player: PlayerId
    arrived_at: datetime


@dataclass(frozen=True, slots=True)
class MakeClaim:
    """Ask an admin to decide the game because the opponent does not move."""

    player: PlayerId
    arrived_at: datetime


@dataclass(frozen=True, slots=True)
class DropClaim:
    """Take one's claim back."""

    player: PlayerId
    arrived_at: datetime


@dataclass(frozen=True, slots=True)
class GiveTime:
    """Give the opponent, who has the turn, `hours` more for it, in a game that has to be over `by` an instant; None means by none."""

    player: PlayerId
    arrived_at: datetime
    hours: int
    by: datetime | None = None


@dataclass(frozen=True, slots=True)
class CheckClock:
    """Remind or time out the player to move, if that was due when all mail that arrived by `heard` was read; None means by now.

    The next turn begins at the instant of the decision.
    """

    heard: datetime | None = None


@dataclass(frozen=True, slots=True)
class CreditClock:
    """Admin: give the pending turn `seconds` more."""

    seconds: int
    reason: str


@dataclass(frozen=True, slots=True)
class FreezeClock:
    """Stop a seat's clock between two instants, or every clock if `seat` is None. An end of None means that no end is known."""

    kind: FreezeKind
    seat: Seat | None
    begins: datetime
    ends: datetime | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ThawClock:
    """End a freeze at an instant. An instant at or before its beginning means that the freeze never happens.

    `by` is as in `ClockThawed`.
    """

    number: int
    ends: datetime
    reason: str = ""
    by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Release:
    """Admin: end the pause or halt that stops every clock of the game."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Substitute:
    """Admin: seat `player`, who lives in `zone`, in place of the player at a seat."""

    seat: Seat
    player: PlayerId
    zone: str
    rating: Burden
    reason: str


@dataclass(frozen=True, slots=True)
class Cancel:
    """Admin: stop a game that has not ended; it gets no result."""

    reason: str


@dataclass(frozen=True, slots=True)
class Adjudicate:
    """Admin: end a running game with these winners, or as a draw if there are none."""

    winners: tuple[Seat, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class DecideClaim:
    """Admin: grant the open claim, which wins the game, or dismiss it."""

    granted: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Annul:
    """Admin: make a running game void, or take back the result of an ended one."""

    reason: str


@dataclass(frozen=True, slots=True)
class Retract:
    """Admin: take back every turn from `first` on; reopens a game that ended by one of them."""

    first: int
    reason: str


@dataclass(frozen=True, slots=True)
class Reopen:
    """Admin: take back the end of a game that people or the clock brought about; the pending turn goes on."""

    reason: str


PlayerCommand: TypeAlias = (
    PlayTurn
    | LayPlan
    | ForgetPlan
    | Resign
    | OfferDraw
    | Propose
    | Withdraw
    | Undo
    | Resume
    | Accept
    | Decline
    | Nudge
    | GiveTime
    | MakeClaim
    | DropClaim
)
AdminCommand: TypeAlias = CreditClock | Release | Substitute | Cancel | Adjudicate | DecideClaim | Annul | Retract | Reopen
GameCommand: TypeAlias = PlayerCommand | AdminCommand | AnswerByPlan | CheckClock | FreezeClock | ThawClock
Command: TypeAlias = OpenGame | GameCommand
