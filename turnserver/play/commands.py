"""What players, admins and the service itself may ask of a game, in the imperative.

Instants are data: `arrived_at` is when a player's request reached this side and is what a deadline judges; the instant of the decision
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
    """Set up a game. `players` stand in seat order, already drawn if `order` is LOT.

    `opened_by` is the player who challenges (his own acceptance is implied), or None for an admin. `zone` and `entropy` are as in `Accept`.
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
    """Plan one's answers to what the opponent may play, in the grammar of `turnserver.play.conditional_moves`.

    `salt` are the secret bytes of its digest. `turn` and `edition` as in `PlayTurn`: one's last turn, or the opponent's after it.
    """

    player: PlayerId
    arrived_at: datetime
    text: str = field(repr=False)
    salt: bytes = field(repr=False)
    turn: int | None = None
    edition: int | None = None


@dataclass(frozen=True, slots=True)
class ForgetPlan:
    """Have no plan any more."""

    player: PlayerId
    arrived_at: datetime


@dataclass(frozen=True, slots=True)
class AnswerByPlan:
    """Have the plan of the seat that has the turn answer, or drop it. `text` and `salt` are what was kept of it; None if that is lost."""

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
    """Propose something other than a draw to the others: a pause of so many `days`, or as many as is usual.

    Or that `substitute` be asked to play on at the seat of `player`, or at the one that waits for somebody.
    """

    player: PlayerId
    arrived_at: datetime
    kind: ProposalKind
    days: int | None = None
    substitute: PlayerId | None = None


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Want no substitute any more: neither the one whom the player has proposed, nor whoever was asked because of it."""

    player: PlayerId
    arrived_at: datetime


@dataclass(frozen=True, slots=True)
class Undo:
    """Take one's last turn back: at once while nobody knows of it, else by asking the others.

    `again` says that another one comes with it, so that asking is no use. `edition` as in `PlayTurn`.
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
    """Accept whatever is open: the invitation, a seat that one was asked to take over, or else what is on offer.

    `turn` and `edition` say during which turn the player was asked, as in `PlayTurn`: a late yes to an invitation agrees to nothing else.
    `entropy`, 64 hexadecimal digits, is what the seat adds to the chance of the game that it joins, and `zone` what its days follow.
    """

    player: PlayerId
    arrived_at: datetime
    turn: int | None = None
    edition: int | None = None
    zone: str = "UTC"
    entropy: str | None = None


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline whatever is open: the invitation, a seat, or else what is on offer. `turn` and `edition` as in `Accept`."""

    player: PlayerId
    arrived_at: datetime
    turn: int | None = None
    edition: int | None = None


@dataclass(frozen=True, slots=True)
class Nudge:
    """Ask whoever has the turn for the move."""

    player: PlayerId
    arrived_at: datetime


@dataclass(frozen=True, slots=True)
class CheckClock:
    """Remind or time out whoever has the turn, if that was due when everything was `heard` that arrived by then; None: by now.

    Whoever has the turn next has it from the instant of the decision on.
    """

    heard: datetime | None = None


@dataclass(frozen=True, slots=True)
class CreditClock:
    """Admin: give the pending turn `seconds` more."""

    seconds: int
    reason: str


@dataclass(frozen=True, slots=True)
class FreezeClock:
    """Stop a seat's clock, or every clock where `seat` is None, between two instants; None: with no end in sight."""

    kind: FreezeKind
    seat: Seat | None
    begins: datetime
    ends: datetime | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ThawClock:
    """End the freeze of that number at an instant; at its beginning or before, if it is not to be at all. `by` as in `ClockThawed`."""

    number: int
    ends: datetime
    reason: str = ""
    by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Release:
    """Admin: let every clock run again that a pause or a halt of the game has stopped."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Substitute:
    """Admin: have `player`, who lives in a `zone`, play on at a seat in place of whoever sits there."""

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
class Annul:
    """Admin: make a running game void, or take back the result of an ended one."""

    reason: str


@dataclass(frozen=True, slots=True)
class Retract:
    """Admin: take back every turn from `first` on; reopens a game that ended by one of them."""

    first: int
    reason: str


PlayerCommand: TypeAlias = (
    PlayTurn | LayPlan | ForgetPlan | Resign | OfferDraw | Propose | Withdraw | Undo | Resume | Accept | Decline | Nudge
)
AdminCommand: TypeAlias = CreditClock | Release | Substitute | Cancel | Adjudicate | Annul | Retract
GameCommand: TypeAlias = PlayerCommand | AdminCommand | AnswerByPlan | CheckClock | FreezeClock | ThawClock
Command: TypeAlias = OpenGame | GameCommand
