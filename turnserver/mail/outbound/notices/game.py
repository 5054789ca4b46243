"""The notices about games: who must be told what. Pure: events in, notices out; no text, no addresses, no clock.

One decision gives each player at most one mail, the one that says most. A player's own move is no news to them. Whether a receipt
confirms it is for `service.mailroom.command_handler` to say, which knows what the player wants. A clock that is
credited concerns only its owner.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias, assert_never, get_args

from turnserver.errors import Refusal
from turnserver.ids import GameId, PlayerId
from turnserver.mail.outbound.kinds import AGAIN, Detail, MailKind, Notice
from turnserver.play import events as e
from turnserver.play.state import GameState, Proposal, Status
from turnserver.rules import Seat
from turnserver.text import pack, say

NotesNews: TypeAlias = Literal["kept", "shown", "published", "hidden"]
"""The reason why a player hears of their notes: one is kept, they asked for them, published them, or took that back."""

PLANNED_AHEAD: Final = "ahead"
"""The detail of a reminder that comes before its player's quiet hours. Its value is the deadline that the reminder was planned for."""


def notices(before: GameState | None, events: Sequence[e.GameEvent], after: GameState) -> tuple[Notice, ...]:
    """Return the notices that are due because `events` turned `before` into `after`, in seat order. People without a seat come last."""
    found = (_for_player(player, before, events, after) for player in after.players)
    replaced = [player for player in (before.players if before else ()) if player not in after.players]
    outside = _outside(before, events, after)
    return (*(notice for notice in found if notice is not None), *(Notice(MailKind.SUBSTITUTED, player) for player in replaced), *outside)


def _outside(before: GameState | None, events: Sequence[e.GameEvent], after: GameState) -> tuple[Notice, ...]:
    """Return the notices to people outside the table who are now asked to take a seat over, or who are asked no more."""
    answered = {event.player for event in events if isinstance(event, e.SubstituteDeclined)}
    known = before.seat_offers if before is not None else ()
    # Neither whoever has declined nor whoever sits down now needs to hear that the question is no longer open.
    gone = [offer for offer in known if offer.player not in (*answered, *after.players) and offer not in after.seat_offers]
    asked = [offer for offer in after.seat_offers if offer not in known]
    return (
        *(Notice(MailKind.SEAT_GONE, offer.player) for offer in gone),
        *(Notice(MailKind.SEAT_OFFERED, offer.player) for offer in asked),
    )


def said(state: GameState, speaker: PlayerId, text: str) -> tuple[Notice, ...]:
    """Relay a line to everybody else who is still at the table. Detail: `said`, a list of {`player`, `text`}."""
    return _to_others(state, speaker, MailKind.SAID, {"said": [{"player": speaker, "text": text}]})


def combined(found: Sequence[Notice]) -> tuple[Notice, ...]:
    """Merge chat lines into a fuller mail about the same game to the same player. Join the lines of several mails."""
    result: list[Notice] = []
    # Chat lines come last: by then the fuller mails that can carry them are in the result.
    for notice in sorted(found, key=lambda notice: notice.kind is MailKind.SAID):
        host = next((i for i, other in enumerate(result) if notice.kind is MailKind.SAID and other.player == notice.player), None)
        if host is None:
            result.append(notice)
        else:
            lines = [*result[host].detail.get("said", ()), *notice.detail["said"]]
            result[host] = replace(result[host], detail={**result[host].detail, "said": lines})
    return tuple(result)


@dataclass(frozen=True, slots=True)
class NotDone:
    """Something in a mail that was not done.

    `quoted` are the player's words (may be empty), `message` is a sentence why, `code` is stable.
    """

    quoted: str
    message: str
    code: str

    @classmethod
    def of(cls, quoted: str, refusal: Refusal) -> "NotDone":
        """Return the problem for a refusal of the `quoted` words."""
        return cls(quoted, refusal.message, refusal.code)


RESTS: Final = "rests"
"""The code of the only problem of a mail that is kept because its game rests."""


FOREIGN: Final = "foreign_sender"
"""The code of a mail that looks as if somebody else had written it. Whether it was carried out follows from what was done."""


def refusal(
    problems: Sequence[NotDone],
    *,
    done: Sequence[str] = (),
    suggestion: str = "",
    asked: Notice | None = None,
    player: PlayerId | None = None,
    address: str | None = None,
) -> Notice:
    """Answer a mail of which something, or all, could not be done.

    `done` are sentences about everything that was done nevertheless. `suggestion` is a line that the writer may have meant; a yes stands
    for it. `asked` is the notice of a league's question that is still open, so it is asked once more. Detail: `problems`, a list of
    {`quoted`, `message`, `code`}; `done`; `suggestion`, if there is one; with a question, `asked`, its kind, and the detail of its notice.
    """
    # The message stays a template with its values, so that the mail can say it in the reader's language.
    listed = [{"quoted": problem.quoted, "message": pack(problem.message), "code": problem.code} for problem in problems]
    detail = {"problems": listed, "done": [pack(line) for line in done], **({"suggestion": suggestion} if suggestion else {})}
    if asked is not None:
        detail |= {"asked": asked.kind, **asked.detail}
    return Notice(MailKind.REFUSAL, player, address, detail)


def foreign(player: PlayerId, sender: str, doubt: str, quoted: str) -> Notice:
    """Tell a player that a mail from `sender` was carried out in their name although it looks foreign. `quoted` is what it asked for.

    The detail is that of a refusal with one problem; the first sentence of `done` is the headline.
    """
    problem = NotDone(quoted, say("{doubt} If that wasn't you, tell the admin now.", doubt=doubt), FOREIGN)
    return refusal([problem], done=[say("We carried out a mail from {sender} in your name.", sender=sender)], player=player)


def preview(player: PlayerId, steps: Sequence[str]) -> Notice:
    """Show the result of a turn without playing it. Detail: its `steps` in canonical notation, possibly not all of them."""
    return Notice(MailKind.PREVIEW, player, detail={"steps": list(steps)})


def receipt(player: PlayerId) -> Notice:
    """Tell a player that their move has come in. Detail: none."""
    return Notice(MailKind.RECEIPT, player)


def proposal_sent(player: PlayerId, proposal: Proposal, *, moved: bool) -> Notice:
    """Tell a player that their proposal is on its way to the others, with a move if they have `moved` too.

    Detail: the `kind` of the proposal, the `days` of a pause, `moved`.
    """
    return Notice(MailKind.PROPOSAL_SENT, player, detail={"kind": proposal.kind, "days": proposal.days or 0, "moved": moved})


def notes(player: PlayerId, news: NotesNews) -> Notice:
    """Show a player their notes of the game, or say that one is kept. Detail: `news`."""
    return Notice(MailKind.NOTES, player, detail={"news": news})


def board(player: PlayerId, at: int | None = None) -> Notice:
    """Show the game as it stands, or as it stood after turn `at`. Detail: `at`."""
    return Notice(MailKind.BOARD, player, detail={} if at is None else {"at": at})


def help_on(player: PlayerId, topic: str = "") -> Notice:
    """Explain the use of the service. Detail: `topic`, as the player wrote it."""
    return Notice(MailKind.HELP, player, detail={"topic": topic})


def rules_of(player: PlayerId, game: str) -> Notice:
    """Send the rules of a game. Detail: `game`, a key of the catalogue."""
    return Notice(MailKind.RULES, player, detail={"game": game})


def restored(player: PlayerId, when: datetime) -> Notice:
    """List the player's own open games after they were put back to an earlier instant. Detail: `when`, in ISO 8601."""
    return Notice(MailKind.RESTORED, player, detail={"when": when.isoformat()})


def digest(player: PlayerId, told: Sequence[Detail]) -> Notice:
    """Tell about several games in one mail. Detail: `games`, a list of {`game`, `version`, `said`}; `version` is the one to show.

    `played` stands there too if a move of the player's is to be confirmed, and as `since` the version at which the first of the news was
    told that wait for nobody's move.
    """
    return Notice(MailKind.DIGEST, player, detail={"games": list(told)})


def unreachable(state: GameState, lost: PlayerId, *, waits: bool) -> tuple[Notice, ...]:
    """Notify the others who are still at a table that mail to one of them comes back.

    Detail: `player`, that one; `waits`, whether time does not count for players who cannot be told of their turn.
    """
    return _to_others(state, lost, MailKind.UNREACHABLE, {"player": lost, "waits": waits})


def waited_enough(state: GameState, lost: PlayerId, days: int) -> tuple[Notice, ...]:
    """Notify the others at a table that a game no longer waits for mail to one of them, after so many days.

    Detail: `player`, that one; `days`; `until`, the instant when the clock of that player will have run out.
    """
    until = state.deadline.isoformat() if state.deadline is not None else ""
    return _to_others(state, lost, MailKind.UNREACHABLE, {"player": lost, "waits": False, "days": days, "until": until})


def reachable(state: GameState, found: PlayerId) -> tuple[Notice, ...]:
    """Notify the others who are still at a table that one of them can be reached again. Detail: `player`, that one."""
    return _to_others(state, found, MailKind.REACHABLE, {"player": found})


def resting(player: PlayerId, game: GameId) -> Notice:
    """Answer a mail about a game that rests."""
    message = say(
        "Game {game} rests for the moment: the service cannot go on with it at present. Nothing of your mail is lost. It will be handled "
        "when the game goes on, and you need not send it again. No clock runs until then, and the time is given back.",
        game=game,
    )
    return refusal([NotDone("", message, RESTS)], player=player)


def _to_others(state: GameState, player: PlayerId, kind: MailKind, detail: Detail) -> tuple[Notice, ...]:
    staying = (state.player_at(seat) for seat in state.staying)
    return tuple(Notice(kind, other, detail=detail) for other in staying if other != player)


def again(kind: MailKind, player: PlayerId) -> Notice:
    """Send an invitation or a turn again that the player has asked for. Detail: `again`."""
    return Notice(kind, player, detail={AGAIN: True})


def confirm(address: str, number: int, name: str, until: datetime) -> Notice:
    """Ask an address whether it wants an account. Detail: `number` of the confirmation, `name` that was asked for, `until` in ISO 8601."""
    return Notice(MailKind.CONFIRM, address=address, detail={"number": number, "name": name, "until": until.isoformat()})


def new_address(address: str, number: int, name: str, until: datetime) -> Notice:
    """Ask an address whether the player with this `name` is to get mail there from now on. Detail: as for `confirm`."""
    return Notice(MailKind.NEW_ADDRESS, address=address, detail={"number": number, "name": name, "until": until.isoformat()})


def address(player: PlayerId, new: str, until: datetime | None = None) -> Notice:
    """Tell a player about their new address: that they can confirm it `until` then, or that it holds. Detail: `address`, `until`."""
    return Notice(MailKind.ADDRESS, player, detail={"address": new, "until": until.isoformat() if until else None})


def sign_in(player: PlayerId, drawn: int, to: str, until: datetime) -> Notice:
    """Send a player a link to sign in by. Detail: the number that was `drawn` for it, the page `to` go to afterwards, `until`."""
    return Notice(MailKind.SIGN_IN, player, detail={"drawn": drawn, "to": to, "until": until.isoformat()})


CONFIRMATIONS: Final = frozenset({MailKind.CONFIRM, MailKind.NEW_ADDRESS})
"""The kinds that are answered to confirm an address."""


_News: TypeAlias = (
    # the end of the game, then a change of its turns, the turn, and news that can wait
    Literal[MailKind.GAME_OVER]  # noqa: PYI030  # kinds that weigh the same share a member
    | Literal[MailKind.RETRACTED]
    | Literal[MailKind.REOPENED]
    | Literal[MailKind.SUBSTITUTED]
    | Literal[MailKind.TURN]
    | Literal[MailKind.ANSWERED]
    | Literal[MailKind.LEFT]
    | Literal[MailKind.MISSED, MailKind.NUDGED, MailKind.CLAIM, MailKind.GRACE, MailKind.VACANT]
    | Literal[MailKind.OPENED, MailKind.INVITATION, MailKind.GAME_STARTED]
    | Literal[MailKind.REMINDER, MailKind.CLOCK_CHANGED]
    | Literal[MailKind.SEAT_NEWS]
    | Literal[MailKind.PROPOSED, MailKind.DECLINED]
)
"""The kinds of mail about events. Of several mails, a player gets the one whose kind comes first here, and the first of equal ones.

A kind that has no place here is an error of mypy at `_Side.hears`.
"""

_PLACES: Final[Mapping[MailKind, int]] = {kind: place for place, kinds in enumerate(get_args(_News)) for kind in get_args(kinds)}

_FROM_AFAR: Final = frozenset({MailKind.GAME_OVER, MailKind.LEFT})
"""The news for a player who has left a game that the others play on."""


@dataclass(frozen=True, slots=True)
class _Side:
    """One player's side of a decision."""

    player: PlayerId
    seat: Seat
    on_move: bool
    # A plan of the player will play the turn.
    planned: bool
    # The player had a plan before and has none now.
    lost_plan: bool
    declined: bool
    # The seat is no longer at the table.
    left: bool
    # The seat whose time has run out.
    late: Seat | None
    # The kind of offer that was open before.
    on_offer: e.ProposalKind | None

    def hears(self, kind: _News, /, **detail: Any) -> Notice:  # noqa: ANN401  # JSON
        return Notice(kind, self.player, detail=detail)


def _for_player(player: PlayerId, before: GameState | None, events: Sequence[e.GameEvent], after: GameState) -> Notice | None:
    seat = Seat(after.players.index(player) + 1)
    on_move = after.mover == player
    planned = on_move and after.planned is not None
    lost_plan = before is not None and before.plans[seat - 1] is not None and after.plans[seat - 1] is None
    # When a plan is dropped, its player has to play the turn, which was theirs before as well.
    dropped = any(isinstance(event, e.PlanDropped | e.PlanActed) and event.seat == seat for event in events)
    declined = any(isinstance(event, e.InvitationDeclined) and event.player == player for event in events)
    late = next((event.seat for event in events if isinstance(event, e.TurnTimedOut)), None)
    on_offer = before.proposal.kind if before is not None and before.proposal is not None else None
    side = _Side(player, seat, on_move, planned, lost_plan, declined, seat in after.left, late, on_offer)
    begun = any(isinstance(event, e.GameStarted) for event in events)
    # Nobody is invited to what has begun.
    due = [_due_mail(event, side) for event in events if not (begun and isinstance(event, e.GameOpened))]
    if on_move and not planned and (before is None or _pending(before) != _pending(after) or dropped):
        due.append(side.hears(MailKind.TURN))
    heard = [mail for mail in due if mail is not None and (not side.left or mail.kind in _FROM_AFAR)]
    return min(heard, key=lambda mail: _PLACES[mail.kind], default=None)


def _pending(state: GameState) -> tuple[Status, int, int, int | None]:
    return state.status, state.turn, state.edition, state.to_move


def _due_mail(event: e.GameEvent, side: _Side) -> Notice | None:  # noqa: C901, PLR0912  # one branch an event
    """Return the mail by which a player hears of an event; None if they do not. A turn that is now theirs is told besides."""
    match event:
        case e.GameOpened(opened_by=opener):
            return side.hears(MailKind.OPENED if opener == side.player else MailKind.INVITATION)
        case e.InvitationAccepted():
            return None  # the last one begins the game, and the start is told
        case e.InvitationDeclined():
            return None  # the game ends, and the end is told
        case e.GameStarted():
            return side.hears(MailKind.GAME_STARTED)
        case e.TurnPlayed(by_plan=True):
            # A turn that was played by hand is no news to its player.
            return side.hears(MailKind.ANSWERED) if side.seat == event.seat else None
        case e.TurnSkipped() | e.TurnPlayed(by_house=True):
            return side.hears(MailKind.MISSED, turn=event.turn) if side.seat == event.seat else None
        case e.TurnPlayed():
            return None  # the next player hears of it with the turn, and the others with a later mail
        case e.PlanLaid():
            return None  # its player gets an answer, and it is a secret from all others
        case e.PlanDropped() | e.PlanActed():
            return None  # if the turn is its player's now, the turn is told
        case e.DrawOffered() | e.ProposalMade():
            # A player whose plan will answer is not notified. An offer to that player keeps the plan from answering, and then the turn
            # tells of it.
            return side.hears(MailKind.PROPOSED) if side.seat != event.seat and not side.planned else None
        case e.DrawAccepted() | e.ProposalAgreed():
            return None  # the last one brings about what was proposed, and that is told
        case e.DrawDeclined(seat=seat) | e.ProposalDeclined(seat=seat):
            told = side.seat != seat and not side.planned
            return side.hears(MailKind.DECLINED, seat=seat, kind=side.on_offer) if told else None
        case e.SeatResigned():
            return None  # the game ends, or the seat leaves, and that is told
        case e.SeatLeft(seat=seat):
            # A player who has left hears nothing of it: one who resigned knows, and one who had left before is not concerned. But somebody
            # who ran out of time does not know yet.
            told = not side.left or side.seat == side.late
            return side.hears(MailKind.LEFT, seat=seat, late=seat == side.late) if told else None
        case e.PlayerReminded():
            return side.hears(MailKind.REMINDER) if side.on_move else None
        case e.PlayerNudged(seat=seat):
            return side.hears(MailKind.NUDGED) if side.seat == seat else None
        case e.ClaimMade():
            return side.hears(MailKind.CLAIM)
        case e.ClaimDropped(seat=seat):
            return side.hears(MailKind.CLAIM) if side.seat != seat else None
        case e.ClaimDecided(granted=granted):
            return side.hears(MailKind.CLAIM) if not granted else None  # the end is told
        # Everybody hears of an extension and of a seat that waits. A missed turn and a nudge concern the late player alone.
        case e.GraceGranted():
            return side.hears(MailKind.GRACE)
        case e.SeatVacated():
            return side.hears(MailKind.VACANT)
        case e.TurnTimedOut():
            return None  # what becomes of the seat or the game is told
        case e.GameReopened() | e.EndRetracted():
            return side.hears(MailKind.REOPENED)
        case e.SubstituteInvited(asked_by=asker, seat=seat):
            # The player who proposed it, and the owner of the seat, who may be another one.
            return side.hears(MailKind.SEAT_NEWS) if side.seat in (asker, seat) else None
        case e.SubstituteDeclined():
            # The game goes on as it was, which everybody at the table is to know.
            return side.hears(MailKind.SEAT_NEWS)
        case e.SubstituteWithdrawn(seat=seat):
            # Whoever has withdrawn the proposal knows it.
            return side.hears(MailKind.SEAT_NEWS) if side.seat != seat else None
        case e.SubstituteSeated():
            # The substitute hears of the turn by this mail as well.
            return side.hears(MailKind.SUBSTITUTED)
        case e.TurnsRetracted():
            # Nobody else knew of a turn that was corrected, and who has played another already knows the rest.
            told = event.kind is not e.RetractionKind.CORRECTION or (side.on_move and side.seat == event.seat)
            plan = {"plan": True} if side.lost_plan else {}
            return side.hears(MailKind.RETRACTED, first=event.first, reason=event.reason, **plan) if told else None
        case e.ClockCredited() | e.TimeGiven() | e.ClockFrozen(kind=e.FreezeKind.OUTAGE | e.FreezeKind.UNDELIVERED):
            # Time that is given or given back moves only the deadline of the pending turn.
            return side.hears(MailKind.CLOCK_CHANGED) if side.on_move else None
        case e.ClockFrozen(seat=seat) | e.ClockThawed(seat=seat):
            # Whoever asked for the freeze knows it.
            return side.hears(MailKind.CLOCK_CHANGED) if side.seat != seat else None
        case e.GameEnded() | e.ResultAnnulled():
            # A player who ended the game by declining the invitation knows it.
            return side.hears(MailKind.GAME_OVER) if not side.declined else None
        case e.SecretRevealed():
            return None  # it comes with the end, and the end is told
        case _:
            assert_never(event)
