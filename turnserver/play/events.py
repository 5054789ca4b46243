"""Everything that can happen to a game and to a player's account, in the past tense.

The names under which events are stored stand in `EVENT_TYPES`; they are strings we chose and never import paths. Shipped shapes do not
change: a new optional field keeps the schema version, a reshaped event gets version + 1 and an upcaster, a new meaning gets a new name.
No event holds a name, an address, or anything that a player wrote, except moves.
"""

from collections.abc import Mapping
from datetime import date, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, TypeAlias

import msgspec

from turnserver.ids import Burden, Digest, Event, EventType, Instant, PlayerId
from turnserver.play.clock.controls import Bank
from turnserver.rules import Seat


class SeatOrder(StrEnum):
    """The way in which the seats were given out."""

    LOT = "lot"
    GIVEN = "given"


class Outcome(StrEnum):
    """The result of a game."""

    WON = "won"
    DRAWN = "drawn"
    VOID = "void"


class EndedBy(StrEnum):
    """The cause of the end of a game."""

    RULES = "rules"
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    TIME = "time"
    ADJUDICATION = "adjudication"
    CANCELLATION = "cancellation"
    ANNULMENT = "annulment"
    REFUSAL = "declined invitation"


class WhenLate(StrEnum):
    """The consequence for a turn whose time is up; `skip` and `house` need a table of more than two, and mean `loss` at any other."""

    LOSS = "loss"
    SKIP = "skip"
    HOUSE = "house"
    SUBSTITUTE = "substitute"


class FreezeKind(StrEnum):
    """Why a clock stands still."""

    VACATION = "vacation"
    PAUSE = "pause"
    HALT = "halt"
    UNDELIVERED = "undelivered"
    OUTAGE = "outage"


class PlanAct(StrEnum):
    """An action that a plan takes instead of playing a turn, and with which it ends."""

    RESIGN = "resign"
    DRAW = "draw"


class ProposalKind(StrEnum):
    """The subject of an offer at a table."""

    DRAW = "draw"
    PAUSE = "pause"
    REOPENING = "reopening"
    TAKE_BACK = "take back"
    SUBSTITUTE = "substitute"


class RetractionKind(StrEnum):
    """The way in which turns came to be taken back."""

    ADMIN = "admin"
    CORRECTION = "correction"
    AGREEMENT = "agreement"


class PlanEnd(StrEnum):
    """Why a plan is not at work any more.

    Its player has forgotten it, or it has answered all that it foresaw. Or it could not answer a turn: it did not expect that one, its
    answer turned out not to be legal, something is on offer to its player that would have lapsed unseen, or its text is lost.
    """

    FORGOTTEN = "forgotten"
    PLAYED_OUT = "played out"
    NOT_EXPECTED = "not expected"
    NOT_LEGAL = "not legal"
    ASKED = "asked"
    LOST = "lost"


class Rolled(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing that chance decided. How it is worked out stands in `turnserver/play/chance.py`."""

    number: Annotated[int, msgspec.Meta(description="Which draw of the game this is: 1, 2, ... No draw is made twice.")]
    below: Annotated[int, msgspec.Meta(description="How many values were possible: the sum of the weights of the steps.")]
    value: Annotated[int, msgspec.Meta(description="The value drawn: 0 or more, and below that.")]
    outcome: Annotated[str, msgspec.Meta(description="The step that this value means, in canonical notation.")]


class Terms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The agreement about time of a game, made when it was opened. Every term is spelled out, whatever the defaults will be one day."""

    time: Annotated[str, msgspec.Meta(description="The time control, such as `5d+36h cap 10d`; README explains them.")]
    holidays: Annotated[tuple[date, ...], msgspec.Meta(description="The days on which the clocks stand still, where they do on holidays.")]
    reminders: Annotated[
        tuple[str, ...], msgspec.Meta(description="When to remind: a part of the turn's time (`50%`) or before its end (`24h`).")
    ]
    grace_hours: Annotated[int, msgspec.Meta(description="What each seat gets once when its time is up, in hours; 0 for nothing.")]
    when_late: Annotated[WhenLate, msgspec.Meta(description="What becomes of a turn whose time and grace are up.")]
    void_turns: Annotated[int, msgspec.Meta(description="A game that ends on time is void if some side has completed fewer turns.")]
    reopen_hours: Annotated[int, msgspec.Meta(description="How long after it was lost on time the game may be taken up again, in hours.")]
    vacation_days: Annotated[int, msgspec.Meta(description="How many days of vacation may stop a player's clock in this game.")]
    pause_days: Annotated[int, msgspec.Meta(description="The longest pause that the players may agree on, in days.")]
    correction_minutes: Annotated[int, msgspec.Meta(description="How long a turn may be corrected before the others are told of it.")]
    draw_turns: Annotated[int, msgspec.Meta(description="A seat that has offered a draw may offer again after so many turns of the game.")]
    clock: Annotated[int, msgspec.Meta(description="Which reading of these terms holds: 1, or 2 in games opened since there were two.")] = 1


class TurnClock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The clock of a turn: its deadline is when `time` has passed since `since`, not counting what the clock stood still.

    `time` is None for a turn without limit; `deadline` is None then, and while the clock stands still with no end in sight. `remind_at` is
    when to remind next.
    """

    since: Instant
    time: timedelta | None = None
    deadline: Instant | None = None
    remind_at: Instant | None = None


# Every event is of one kind, so that a match can name a kind where it treats all events of it alike.


class OpeningEvent(Event, frozen=True):
    """A game is set up, or begins."""


class InvitationEvent(Event, frozen=True):
    """A player answers the invitation to a game."""


class TurnEvent(Event, frozen=True):
    """A turn is played, skipped or taken back, or the last one is asked for again."""


class PlanEvent(Event, frozen=True):
    """A player's conditional moves are laid down or end."""


class ProposalEvent(Event, frozen=True):
    """A draw or something else is proposed to the players of a game, or they answer."""


class SeatEvent(Event, frozen=True):
    """A seat gets another player, gives the game up, or leaves the table."""


class SeatOfferEvent(Event, frozen=True):
    """Somebody outside is asked to take a seat over, or is asked no more."""


class LateEvent(Event, frozen=True):
    """A turn takes long or has run out of time."""


class ClockEvent(Event, frozen=True):
    """A clock gets time, stands still or goes on."""


class EndEvent(Event, frozen=True):
    """A game ends, and what follows its end."""


class GameOpened(OpeningEvent, frozen=True):
    """A game was set up and its players invited. `players` stand in seat order; `opened_by` is None for an admin.

    `commitment` is the SHA-256 of the secret that the game's rolls come from, in games with chance.
    """

    game: str
    revision: int
    options: dict[str, str | int | bool]
    players: tuple[PlayerId, ...]
    order: SeatOrder
    terms: Terms
    opened_by: PlayerId | None
    commitment: Digest | None = None


class InvitationAccepted(InvitationEvent, frozen=True):
    """An invited player takes the seat. Their clock stands still and their days begin by their `zone`, as it is now.

    `entropy` is what the seat adds to the rolls of a game with chance: the SHA-256 of words that the player sent for it, or else of what
    brought the acceptance.
    """

    player: PlayerId
    zone: str
    entropy: Digest | None = None


class InvitationDeclined(InvitationEvent, frozen=True):
    """An invited player does not want to play."""

    player: PlayerId


class GameStarted(OpeningEvent, frozen=True):
    """Everybody has accepted. `to_move` has the first turn.

    `rolls` are what chance decided before the first turn. If they ended the game, the others are None.
    """

    to_move: Seat | None
    clock: TurnClock | None
    rolls: tuple[Rolled, ...] = ()


class TurnPlayed(TurnEvent, frozen=True):
    """A whole turn, as canonical steps. `to_move` and `clock` are None when that ended the game.

    `received_at` is when the request reached this side; it is what the deadline judged. `left` is what the turn's time had left then, None
    without a limit, `grace` what was left besides of time that was lent and is not saved up, and `bank` what the seat's clock holds
    afterwards. `rolls` are what chance decided after the turn, until somebody had to choose. `to_move` has the next turn. A turn `by_house`
    was not played by its seat, whose time was up. A turn `by_plan` is what its player had planned; it used no time.
    """

    turn: int
    seat: Seat
    steps: tuple[str, ...]
    received_at: Instant
    to_move: Seat | None
    clock: TurnClock | None
    left: timedelta | None = None
    grace: timedelta | None = None
    bank: Bank = Bank()
    rolls: tuple[Rolled, ...] = ()
    by_house: bool = False
    by_plan: bool = False

    @property
    def text(self) -> str:
        """The turn as it could be written in a mail, its steps joined by `; `."""
        return "; ".join(self.steps)


class PlanLaid(PlanEvent, frozen=True):
    """A seat has planned its answers to what the opponent may play, the first of them to `turn`. It replaces the plan that the seat had.

    `digest` is the SHA-256 of 32 secret bytes and of the plan, which its player alone knows until the game is over.
    """

    seat: Seat
    turn: int
    digest: Digest


class PlanDropped(PlanEvent, frozen=True):
    """The plan of a seat is not at work any more."""

    seat: Seat
    reason: PlanEnd


class PlanActed(PlanEvent, frozen=True):
    """The plan of a seat gives the game up or offers a draw instead of playing `turn`, and ends with that. What it does follows at once."""

    seat: Seat
    turn: int
    act: PlanAct


class DrawOffered(ProposalEvent, frozen=True):
    """A seat offers a draw; the offer lapses when somebody plays."""

    seat: Seat


class DrawAccepted(ProposalEvent, frozen=True):
    """A seat agrees to the draw on offer."""

    seat: Seat


class DrawDeclined(ProposalEvent, frozen=True):
    """A seat refuses the draw on offer."""

    seat: Seat


class ProposalMade(ProposalEvent, frozen=True):
    """A seat proposes something to the others of its table, other than a draw; the proposal lapses when somebody plays.

    `days` are how long a pause is to last. For a substitute, the `player` is who is to be asked to play on at the seat `place`.
    """

    seat: Seat
    kind: ProposalKind
    days: int | None = None
    player: PlayerId | None = None
    place: Seat | None = None


class ProposalAgreed(ProposalEvent, frozen=True):
    """A seat agrees to what was proposed."""

    seat: Seat


class ProposalDeclined(ProposalEvent, frozen=True):
    """A seat refuses what was proposed, and with that it is off the table."""

    seat: Seat


class SeatResigned(SeatEvent, frozen=True):
    """A seat gives the game up."""

    seat: Seat


class SeatLeft(SeatEvent, frozen=True):
    """A seat of more than two has resigned or let its time pass; the others play on, unless that ended the game.

    `rolls` are what chance decided after that. If it was not that seat's turn, the pending turn and its clock are as they were.
    """

    seat: Seat
    to_move: Seat | None
    clock: TurnClock | None
    rolls: tuple[Rolled, ...] = ()

    @property
    def ends_game(self) -> bool:
        """True if nobody has to move after it: the game is over."""
        return self.to_move is None


class PlayerReminded(LateEvent, frozen=True):
    """The seat that has `turn` was told that its time is running out: the reminders `marks` are done, the next is due at `remind_at`."""

    seat: Seat
    turn: int
    marks: tuple[str, ...]
    remind_at: Instant | None


class PlayerNudged(LateEvent, frozen=True):
    """The seat that has `turn` was told that another one, `asked_by`, asks for its move."""

    seat: Seat
    turn: int
    asked_by: Seat
    asked_at: Instant


class ClaimMade(LateEvent, frozen=True):
    """A seat asks an admin to decide the game because the other one does not play `turn`. A move settles it."""

    seat: Seat
    turn: int
    claimed_at: Instant


class ClaimDropped(LateEvent, frozen=True):
    """A seat takes its claim back."""

    seat: Seat


class ClaimDecided(LateEvent, frozen=True):
    """An admin has decided about the claim of a seat. One that is granted wins the game, which follows at once."""

    seat: Seat
    granted: bool
    reason: str


class GraceGranted(LateEvent, frozen=True):
    """The time of a seat was up for the first time in this game, and it got some hours more; `clock` is that of its turn then."""

    seat: Seat
    turn: int
    hours: int
    clock: TurnClock


class TurnSkipped(TurnEvent, frozen=True):
    """The seat that had `turn` let its time pass, and the others play on. `bank` is what its clock holds for its next turn.

    `rolls` are what chance decided after that. If the game ended, `to_move` and `clock` are None.
    """

    turn: int
    seat: Seat
    to_move: Seat | None
    clock: TurnClock | None
    bank: Bank = Bank()
    rolls: tuple[Rolled, ...] = ()


class SeatVacated(LateEvent, frozen=True):
    """The seat that has `turn` let its time pass, and somebody else may take it over, until the deadline of `clock`."""

    seat: Seat
    turn: int
    clock: TurnClock


class GameReopened(TurnEvent, frozen=True):
    """Both players of a game that was lost on time want to play on: `to_move` has the turn once more that was late."""

    to_move: Seat
    clock: TurnClock


class SubstituteSeated(SeatEvent, frozen=True):
    """Somebody else, the `player`, takes a seat over and plays on from here; its days follow their `zone` from now on.

    An admin gives a `reason`; whoever was asked by the players, and has accepted, needs none. `rating` is whose rating the result counts
    for. `clock` is what the clock of the pending turn is then; if the seat has that turn, it begins anew for the substitute.
    """

    seat: Seat
    player: PlayerId
    zone: str
    rating: Burden
    reason: str
    clock: TurnClock


class SubstituteInvited(SeatOfferEvent, frozen=True):
    """Everybody who was asked agrees to what `asked_by` has proposed: the `player` is asked to take the seat over.

    Until they have answered, the game goes on as it was.
    """

    seat: Seat
    player: PlayerId
    asked_by: Seat


class SubstituteDeclined(SeatOfferEvent, frozen=True):
    """The `player` does not want to take the seat over that was offered."""

    seat: Seat
    player: PlayerId


class SubstituteWithdrawn(SeatOfferEvent, frozen=True):
    """A seat wants no substitute any more: what it has proposed is off the table, and nobody is asked who was asked because of it."""

    seat: Seat


class TurnTimedOut(LateEvent, frozen=True):
    """The seat that had `turn` let its `deadline` pass."""

    seat: Seat
    turn: int
    deadline: Instant


class TurnsRetracted(TurnEvent, frozen=True):
    """The turns from `first` on are taken back; they stay in the log. `to_move` plays turn `first` again.

    An admin did it, or it is the correction of `seat`, of whose turn nobody knew yet, or the players have agreed to let `seat` play it
    again. What every seat's clock holds is what it was before that turn.
    """

    first: int
    reason: str
    to_move: Seat
    clock: TurnClock
    kind: RetractionKind = RetractionKind.ADMIN
    seat: Seat | None = None


class EndRetracted(TurnEvent, frozen=True):
    """An admin takes the end of a game back, and no turn: `to_move` has the turn once more that was pending then.

    A seat whose leaving ended the game is back at its table.
    """

    to_move: Seat
    clock: TurnClock
    reason: str


class ClockCredited(ClockEvent, frozen=True):
    """An admin gives the pending turn more time; `clock` is what it is then."""

    turn: int
    seconds: int
    reason: str
    clock: TurnClock


class TimeGiven(ClockEvent, frozen=True):
    """A seat gives the other one, which has the turn, more time for it; `clock` is what it is then."""

    seat: Seat
    turn: int
    seconds: int
    clock: TurnClock


class ClockFrozen(ClockEvent, frozen=True):
    """The clock of a seat, or every clock where `seat` is None, stands still between two instants; an outage is found out afterwards.

    Freezes are numbered in each game: 1, 2, ... `ends` is None while there is no end in sight. `clock` is what the clock of the pending
    turn is then; None if no turn is pending.
    """

    number: int
    kind: FreezeKind
    seat: Seat | None
    begins: Instant
    ends: Instant | None
    clock: TurnClock | None
    reason: str = ""


class ClockThawed(ClockEvent, frozen=True):
    """A freeze ends at `ends`, which is not what was in sight; `clock` as in `ClockFrozen`. One that ends when it begins never was.

    `by` is the seat that wants to go on, if players end a pause: after a day, or at once when every seat wants to.
    """

    number: int
    kind: FreezeKind
    seat: Seat | None
    ends: Instant
    clock: TurnClock | None
    reason: str = ""
    by: Seat | None = None


class GameEnded(EndEvent, frozen=True):
    """The result. `winners` is empty unless the outcome is `won`. `reason` is the rules' own phrase, an admin's words, or empty.

    `scores` are the final scores in seat order, in games that keep any.
    """

    outcome: Outcome
    by: EndedBy
    winners: tuple[Seat, ...]
    reason: str
    scores: tuple[int, ...] = ()


class SecretRevealed(EndEvent, frozen=True):
    """The game is over, and what all its rolls came from is told, in hexadecimal, so that anybody can recompute them."""

    secret: Digest


class ResultAnnulled(EndEvent, frozen=True):
    """An admin takes the result of an ended game back; it stays ended, without a result."""

    reason: str


class PlayerRegistered(Event, frozen=True):
    """An account was made; name and address live in an ordinary row."""

    player: PlayerId


class PlayerEdited(Event, frozen=True):
    """Fields of an account's row were changed: which, not to what."""

    player: PlayerId
    fields: tuple[str, ...]


class PlayerUnreachable(Event, frozen=True):
    """Mail to the player comes back. Why, and from which address, is not recorded here."""

    player: PlayerId


class PlayerReachable(Event, frozen=True):
    """The player has written, or an admin says that mail gets through again."""

    player: PlayerId


class PlayerErased(Event, frozen=True):
    """Everything that named the player was erased: name, address, mails, chat and the texts of plans. The number stays theirs for ever."""

    player: PlayerId


class VacationDeclared(Event, frozen=True):
    """The player's clocks stand still between two instants, in all games that allow it. Its days follow the `zone`, as it is now.

    Vacations are numbered for each player: 1, 2, ...
    """

    player: PlayerId
    number: int
    begins: Instant
    ends: Instant
    zone: str


class VacationEnded(Event, frozen=True):
    """A vacation ends at `ends`, which is earlier than was declared. One that ends when it begins is not to be."""

    player: PlayerId
    number: int
    ends: Instant


GameEvent: TypeAlias = (
    GameOpened
    | InvitationAccepted
    | InvitationDeclined
    | GameStarted
    | TurnPlayed
    | PlanLaid
    | PlanDropped
    | PlanActed
    | DrawOffered
    | DrawAccepted
    | DrawDeclined
    | ProposalMade
    | ProposalAgreed
    | ProposalDeclined
    | SeatResigned
    | SeatLeft
    | PlayerReminded
    | PlayerNudged
    | ClaimMade
    | ClaimDropped
    | ClaimDecided
    | GraceGranted
    | TurnSkipped
    | SeatVacated
    | GameReopened
    | SubstituteInvited
    | SubstituteDeclined
    | SubstituteWithdrawn
    | SubstituteSeated
    | TurnTimedOut
    | TurnsRetracted
    | EndRetracted
    | ClockCredited
    | TimeGiven
    | ClockFrozen
    | ClockThawed
    | GameEnded
    | SecretRevealed
    | ResultAnnulled
)

PlayerEvent: TypeAlias = (
    PlayerRegistered | PlayerEdited | PlayerUnreachable | PlayerReachable | PlayerErased | VacationDeclared | VacationEnded
)
"""An event of an account."""


EVENT_TYPES: Mapping[type[Event], EventType] = MappingProxyType(
    {
        GameOpened: EventType("game.opened", 1),
        InvitationAccepted: EventType("game.invitation_accepted", 1),
        InvitationDeclined: EventType("game.invitation_declined", 1),
        GameStarted: EventType("game.started", 1),
        TurnPlayed: EventType("game.turn_played", 1),
        PlanLaid: EventType("game.plan_laid", 1),
        PlanDropped: EventType("game.plan_dropped", 1),
        PlanActed: EventType("game.plan_acted", 1),
        DrawOffered: EventType("game.draw_offered", 1),
        DrawAccepted: EventType("game.draw_accepted", 1),
        DrawDeclined: EventType("game.draw_declined", 1),
        ProposalMade: EventType("game.proposal_made", 1),
        ProposalAgreed: EventType("game.proposal_agreed", 1),
        ProposalDeclined: EventType("game.proposal_declined", 1),
        SeatResigned: EventType("game.seat_resigned", 1),
        SeatLeft: EventType("game.seat_left", 1),
        PlayerReminded: EventType("game.player_reminded", 1),
        PlayerNudged: EventType("game.player_nudged", 1),
        ClaimMade: EventType("game.claim_made", 1),
        ClaimDropped: EventType("game.claim_dropped", 1),
        ClaimDecided: EventType("game.claim_decided", 1),
        GraceGranted: EventType("game.grace_granted", 1),
        TurnSkipped: EventType("game.turn_skipped", 1),
        SeatVacated: EventType("game.seat_vacated", 1),
        GameReopened: EventType("game.reopened", 1),
        SubstituteInvited: EventType("game.substitute_invited", 1),
        SubstituteDeclined: EventType("game.substitute_declined", 1),
        SubstituteWithdrawn: EventType("game.substitute_withdrawn", 1),
        SubstituteSeated: EventType("game.substitute_seated", 1),
        TurnTimedOut: EventType("game.turn_timed_out", 1),
        TurnsRetracted: EventType("game.turns_retracted", 1),
        EndRetracted: EventType("game.end_retracted", 1),
        ClockCredited: EventType("game.clock_credited", 1),
        TimeGiven: EventType("game.time_given", 1),
        ClockFrozen: EventType("game.clock_frozen", 1),
        ClockThawed: EventType("game.clock_thawed", 1),
        GameEnded: EventType("game.ended", 1),
        SecretRevealed: EventType("game.secret_revealed", 1),
        ResultAnnulled: EventType("game.result_annulled", 1),
        PlayerRegistered: EventType("player.registered", 1),
        PlayerEdited: EventType("player.edited", 1),
        PlayerUnreachable: EventType("player.unreachable", 1),
        PlayerReachable: EventType("player.reachable", 1),
        PlayerErased: EventType("player.erased", 1),
        VacationDeclared: EventType("player.vacation_declared", 1),
        VacationEnded: EventType("player.vacation_ended", 1),
    }
)
