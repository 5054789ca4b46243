"""Who must be told what because of something that happened. Pure: events in, notices out; no text, no addresses, no clock.

One decision gives each player at most one mail, the one that says most. Somebody's own legal move is answered by silence: the
opponent's answer is the receipt, and `show` gives the board at any time (who has deadlines in the calendar gets the board at once, see
`service.mailroom.command_handler`). A clock that is credited concerns the one whose clock it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, Literal, TypeAlias, assert_never

from turnserver.errors import Refusal
from turnserver.ids import GameId, PlayerId
from turnserver.play import events as e
from turnserver.play.state import GameState, Status
from turnserver.rules import Seat
from turnserver.text import pack, say

Detail: TypeAlias = Mapping[str, Any]
"""JSON that a mail needs besides the game itself; each kind's keys stand with the function below that makes it."""


class Kind(StrEnum):
    """What a mail is for; also the name of its template."""

    WELCOME = "welcome"
    INVITATION = "invitation"
    OPENED = "opened"
    GAME_STARTED = "game_started"
    TURN = "turn"
    ANSWERED = "answered"
    REMINDER = "reminder"
    NUDGED = "nudged"
    GRACE = "grace"
    MISSED = "missed"
    VACANT = "vacant"
    REOPENED = "reopened"
    SUBSTITUTED = "substituted"
    SEAT_OFFERED = "seat_offered"
    SEAT_NEWS = "seat_news"
    SEAT_GONE = "seat_gone"
    VACATION = "vacation"
    AWAY = "away"
    PROPOSED = "proposed"
    DECLINED = "declined"
    SAID = "said"
    RETRACTED = "retracted"
    CLOCK_CHANGED = "clock_changed"
    LEFT = "left"
    GAME_OVER = "game_over"
    REFUSAL = "refusal"
    RESIGNING = "resigning"
    PREVIEW = "preview"
    PLAN = "plan"
    BOARD = "board"
    TRANSCRIPT = "transcript"
    CLOCK = "clock"
    GAMES = "games"
    HELP = "help"
    RULES = "rules"
    SETTINGS = "settings"
    SUBSCRIPTION = "subscription"
    RESTORED = "restored"
    DIGEST = "digest"
    LEAGUE_SEASON = "league_season"
    LEAGUE_ENTRY = "league_entry"
    LEAGUE_ANSWER = "league_answer"
    LEAGUE_READY = "league_ready"
    LEAGUE_DROPPED = "league_dropped"
    LEAGUE_STARTED = "league_started"
    LEAGUE_ROUND = "league_round"
    LEAGUE_REMINDER = "league_reminder"
    LEAGUE_NEWS = "league_news"
    LEAGUE_FINAL = "league_final"
    LEAGUE_TABLE = "league_table"
    LEAGUES = "leagues"
    UNKNOWN_SENDER = "unknown_sender"
    UNREACHABLE = "unreachable"
    REACHABLE = "reachable"
    ADMIN_REPORT = "admin_report"
    CONFIRM = "confirm"
    NEW_ADDRESS = "new_address"
    ADDRESS = "address"


ANSWERS: Final = frozenset(
    {
        Kind.REFUSAL,
        Kind.RESIGNING,
        Kind.PREVIEW,
        Kind.PLAN,
        Kind.BOARD,
        Kind.TRANSCRIPT,
        Kind.CLOCK,
        Kind.GAMES,
        Kind.HELP,
        Kind.RULES,
        Kind.SETTINGS,
        Kind.SUBSCRIPTION,
        Kind.VACATION,
        Kind.LEAGUE_ANSWER,
        Kind.LEAGUE_TABLE,
        Kind.LEAGUES,
        Kind.UNKNOWN_SENDER,
        Kind.CONFIRM,
    }
)
"""The kinds that are sent only because somebody wrote to us; floods of them are limited, and they are marked as automatic replies."""

AGAIN: Final = "again"
"""The detail of a mail that its player asked for once more."""

PLANNED_AHEAD: Final = "ahead"
"""The detail of a reminder that comes before the quiet hours of its player: the deadline that it was planned for."""

CAN_WAIT: Final = frozenset(
    {
        Kind.INVITATION,
        Kind.OPENED,
        Kind.GAME_STARTED,
        Kind.TURN,
        Kind.ANSWERED,
        Kind.REMINDER,
        Kind.NUDGED,
        Kind.GRACE,
        Kind.MISSED,
        Kind.VACANT,
        Kind.REOPENED,
        Kind.SUBSTITUTED,
        Kind.SEAT_OFFERED,
        Kind.SEAT_NEWS,
        Kind.PROPOSED,
        Kind.DECLINED,
        Kind.SAID,
        Kind.RETRACTED,
        Kind.CLOCK_CHANGED,
        Kind.LEFT,
        Kind.GAME_OVER,
    }
)
"""The kinds that tell of a game, and that a player may want later: after his quiet hours, or all of a day's in one digest."""

OF_LEAGUES: Final = frozenset(
    {
        Kind.LEAGUE_SEASON,
        Kind.LEAGUE_ENTRY,
        Kind.LEAGUE_READY,
        Kind.LEAGUE_DROPPED,
        Kind.LEAGUE_STARTED,
        Kind.LEAGUE_ROUND,
        Kind.LEAGUE_REMINDER,
        Kind.LEAGUE_NEWS,
        Kind.LEAGUE_FINAL,
    }
)
"""The kinds that tell of a league. They wait for the end of quiet hours, but for no digest: a season has few of them."""

UNTIL_ACTED_ON: Final = frozenset(
    {Kind.INVITATION, Kind.TURN, Kind.REMINDER, Kind.NUDGED, Kind.REOPENED, Kind.CLOCK_CHANGED, Kind.PROPOSED, Kind.SEAT_OFFERED}
)
"""The kinds among them that say nothing any more once the player has done what they ask for."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One mail to be written: to a player, or to an `address` without an account."""

    kind: Kind
    player: PlayerId | None = None
    address: str | None = None
    detail: Detail = field(default_factory=dict)

    @property
    def is_answer(self) -> bool:
        """Whether it is sent only because somebody wrote to us: its kind always is, or it was asked for `again`."""
        return is_answer(self.kind, self.detail)


def is_answer(kind: Kind, detail: Detail) -> bool:
    """See `Notice.is_answer`."""
    return kind in ANSWERS or AGAIN in detail


def notices(before: GameState | None, events: Sequence[e.GameEvent], after: GameState) -> tuple[Notice, ...]:
    """What to send because `events` turned `before` into `after`, in seat order; whoever has no seat comes last."""
    found = (_for_player(player, before, events, after) for player in after.players)
    replaced = [player for player in (before.players if before else ()) if player not in after.players]
    outside = _outside(before, events, after)
    return (*(notice for notice in found if notice is not None), *(Notice(Kind.SUBSTITUTED, player) for player in replaced), *outside)


def _outside(before: GameState | None, events: Sequence[e.GameEvent], after: GameState) -> tuple[Notice, ...]:
    """To those who are not at the table: that they are asked to take a seat over, and that they are asked no more."""
    answered = {event.player for event in events if isinstance(event, e.SubstituteDeclined)}
    known = before.seat_offers if before is not None else ()
    gone = [offer for offer in known if offer.player not in (*answered, *after.players) and offer not in after.seat_offers]
    asked = [offer for offer in after.seat_offers if offer not in known]
    return (
        *(Notice(Kind.SEAT_GONE, offer.player) for offer in gone),
        *(Notice(Kind.SEAT_OFFERED, offer.player) for offer in asked),
    )


def welcome(player: PlayerId) -> Notice:
    """To a player whose account was just made."""
    return Notice(Kind.WELCOME, player)


def said(state: GameState, speaker: PlayerId, text: str) -> tuple[Notice, ...]:
    """Relay a line to everybody else who is still at the table. Detail: `said`, a list of {`player`, `text`}."""
    line = {"said": [{"player": speaker, "text": text}]}
    staying = (state.player_at(seat) for seat in state.staying)
    return tuple(Notice(Kind.SAID, player, detail=line) for player in staying if player != speaker)


def combined(found: Sequence[Notice]) -> tuple[Notice, ...]:
    """Let a line said ride along in a fuller mail about the same game to the same player, and join the lines of several."""
    result: list[Notice] = []
    for notice in sorted(found, key=lambda notice: notice.kind is Kind.SAID):
        host = next((i for i, other in enumerate(result) if notice.kind is Kind.SAID and other.player == notice.player), None)
        if host is None:
            result.append(notice)
        else:
            lines = [*result[host].detail.get("said", ()), *notice.detail["said"]]
            result[host] = replace(result[host], detail={**result[host].detail, "said": lines})
    return tuple(result)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a mail that was not done: the words as the player wrote them (may be empty), a sentence why, and a stable code."""

    quoted: str
    message: str
    code: str

    @classmethod
    def of(cls, quoted: str, refusal: Refusal) -> "Problem":
        """The problem that a refusal makes of the `quoted` words."""
        return cls(quoted, refusal.message, refusal.code)


RESTS: Final = "rests"
"""The code of the one problem of a mail that is kept because its game rests."""


def refusal(problems: Sequence[Problem], *, done: Sequence[str] = (), player: PlayerId | None = None, address: str | None = None) -> Notice:
    """Answer a mail of which something, or all, could not be done.

    `done` says in sentences what was done all the same. Detail: `problems`, a list of {`quoted`, `message`, `code`}; `done`.
    """
    listed = [{"quoted": problem.quoted, "message": pack(problem.message), "code": problem.code} for problem in problems]
    return Notice(Kind.REFUSAL, player, address, {"problems": listed, "done": [pack(line) for line in done]})


def preview(player: PlayerId, steps: Sequence[str], *, again: bool = False) -> Notice:
    """Show what a turn would come to. Detail: its `steps` in canonical notation, possibly not all of them.

    `again`: the player has answered a preview as if that could play it.
    """
    return Notice(Kind.PREVIEW, player, detail={"steps": list(steps), **({"again": True} if again else {})})


def resigning(player: PlayerId) -> Notice:
    """Ask somebody who wants to give a game up whether he means it."""
    return Notice(Kind.RESIGNING, player)


def board(player: PlayerId, at: int | None = None) -> Notice:
    """Show the game as it stands, or as it stood after turn `at`. Detail: `at`."""
    return Notice(Kind.BOARD, player, detail={} if at is None else {"at": at})


def transcript(player: PlayerId) -> Notice:
    """Everything that happened in a game."""
    return Notice(Kind.TRANSCRIPT, player)


def clock(player: PlayerId) -> Notice:
    """Why the pending turn is due when it is."""
    return Notice(Kind.CLOCK, player)


def own_games(player: PlayerId) -> Notice:
    """The player's own open games."""
    return Notice(Kind.GAMES, player)


def help_on(player: PlayerId, topic: str = "") -> Notice:
    """How the service is used. Detail: `topic`, as the player wrote it."""
    return Notice(Kind.HELP, player, detail={"topic": topic})


def rules_of(player: PlayerId, game: str) -> Notice:
    """The rules of a game. Detail: `game`, a key of the catalogue."""
    return Notice(Kind.RULES, player, detail={"game": game})


def restored(player: PlayerId, when: datetime) -> Notice:
    """The player's own open games, since they are what they were at an earlier instant. Detail: `when`, in ISO 8601."""
    return Notice(Kind.RESTORED, player, detail={"when": when.isoformat()})


def settings(player: PlayerId) -> Notice:
    """What the player has set, and how to change it."""
    return Notice(Kind.SETTINGS, player)


def subscription(player: PlayerId) -> Notice:
    """That the player gets mail again, or none any more, and what becomes of the games."""
    return Notice(Kind.SUBSCRIPTION, player)


def digest(player: PlayerId, told: Sequence[Detail]) -> Notice:
    """Several games in one mail. Detail: `games`, a list of {`game`, `version`, `said`}, the version being the one to show."""
    return Notice(Kind.DIGEST, player, detail={"games": list(told)})


def unreachable(state: GameState, lost: PlayerId, *, waits: bool) -> tuple[Notice, ...]:
    """To the others who are still at a table, that mail to one of them comes back.

    Detail: `player`, who that is; `waits`, whether no time counts for whoever cannot be told of his turn.
    """
    return _to_others(state, lost, Kind.UNREACHABLE, {"player": lost, "waits": waits})


def waited_enough(state: GameState, lost: PlayerId, days: int) -> tuple[Notice, ...]:
    """Notify the others at a table that a game waits no longer for mail to one of them, after so many days.

    Detail: `player`, who that is; `days`; `until`, when the clock of that player will have run out.
    """
    until = state.deadline.isoformat() if state.deadline is not None else ""
    return _to_others(state, lost, Kind.UNREACHABLE, {"player": lost, "waits": False, "days": days, "until": until})


def reachable(state: GameState, found: PlayerId) -> tuple[Notice, ...]:
    """To the others who are still at a table, that one of them can be reached again. Detail: `player`, who that is."""
    return _to_others(state, found, Kind.REACHABLE, {"player": found})


def admin_report(
    admin: str,
    about: Literal["unreachable", "held", "vacant"],
    *,
    player: PlayerId,
    name: str,
    address: str,
    why: str,
    games: Sequence[GameId],
    waits: bool,
    days: int = 0,
    told: bool = False,
    seat: Seat | None = None,
) -> Notice:
    """To the admin's address: mail to a player comes back (`unreachable`), or a game has waited for that reason for many `days` (`held`).

    Or a player's `seat` waits for a substitute (`vacant`).

    Detail: all of these but `admin`. `games` are those that it is about, `why` what the mail system said; `told` says that by now the
    player knows what the game has waited for.
    """
    detail = {"about": about, "player": player, "name": name, "address": address, "why": why, "games": list(games), "waits": waits}
    return Notice(Kind.ADMIN_REPORT, address=admin, detail={**detail, "days": days, "told": told, "seat": seat})


def provider_report(admin: str, provider: str, why: str, missing: int, marked: Sequence[PlayerId]) -> Notice:
    """To the admin's address: a provider refuses our mail, and that is not about single addresses.

    Detail: `about` (provider), `provider` (a domain), `why` as its server put it, `missing` (how many mailboxes it says there are none of,
    0 if it objects to us in so many words), `marked` (the players among them that were marked as unreachable before that was seen).
    """
    detail = {"about": "provider", "provider": provider, "why": why, "missing": missing, "marked": list(marked)}
    return Notice(Kind.ADMIN_REPORT, address=admin, detail=detail)


def outage_report(admin: str, began: datetime, ended: datetime, *, games: int, at_odds: Sequence[GameId], tolerated: timedelta) -> Notice:
    """To the admin's address: the service did not do its work between two instants, and `games` clocks got the time back.

    Detail: `about` (outage), `began` and `ended` in ISO 8601, `games`, `at_odds` (those that could not be given it), and `minutes`, from
    how many on a gap counts.
    """
    detail = {"about": "outage", "began": began.isoformat(), "ended": ended.isoformat(), "games": games, "at_odds": list(at_odds)}
    return Notice(Kind.ADMIN_REPORT, address=admin, detail={**detail, "minutes": tolerated // timedelta(minutes=1)})


def clock_report(admin: str, why: str) -> Notice:
    """To the admin's address: the clock of the machine cannot be right. Detail: `about` (clock), and `why`, with what to do."""
    return Notice(Kind.ADMIN_REPORT, address=admin, detail={"about": "clock", "why": why})


def loss_report(admin: str, lost: Sequence[str], since: datetime | None, *, told: bool) -> Notice:
    """To the admin's address: mails show that history is lost.

    Detail: `about` (loss), `lost` (what, and what shows it, a phrase each), `since` (when the state is from that was put back, in ISO 8601,
    if somebody has said that it was), `told` (whether the players know).
    """
    detail = {"about": "loss", "lost": list(lost), "since": since.isoformat() if since else None, "told": told}
    return Notice(Kind.ADMIN_REPORT, address=admin, detail=detail)


def rest_report(admin: str, game: GameId, why: str, since: datetime) -> Notice:
    """To the admin's address: the installed program cannot follow the log of a game, which rests therefore.

    Detail: `about` (rest), `game`, `why` as a clause, and `since`, in ISO 8601, when its time does not count.
    """
    return Notice(Kind.ADMIN_REPORT, address=admin, detail={"about": "rest", "game": game, "why": why, "since": since.isoformat()})


def given_up_report(
    admin: str,
    *,
    mail: int,
    kind: str,
    player: PlayerId,
    name: str,
    address: str,
    game: GameId | None,
    attempts: int,
    why: str,
    waits: bool,
) -> Notice:
    """To the admin's address: a mail to a player about a `game`, or a digest, was given up.

    Detail: `about` (given up), and all of these but `admin`: the number of the `mail` in the outbox, its `kind`, how often it was tried
    (`attempts`), `why` it could not be sent, and whether the clock `waits` for a player who was not told.
    """
    detail = {"about": "given up", "mail": mail, "kind": kind, "player": player, "name": name, "address": address, "game": game}
    return Notice(Kind.ADMIN_REPORT, address=admin, detail={**detail, "attempts": attempts, "why": why, "waits": waits})


def resting(player: PlayerId, game: GameId) -> Notice:
    """The answer to a mail about a game that rests."""
    message = say(
        "Game {game} rests for the moment: the service cannot go on with it at present. Nothing of your mail is lost. It will be handled "
        "when the game goes on, and you need not send it again. No clock runs until then, and the time is given back.",
        game=game,
    )
    return refusal([Problem("", message, RESTS)], player=player)


def _to_others(state: GameState, player: PlayerId, kind: Kind, detail: Detail) -> tuple[Notice, ...]:
    staying = (state.player_at(seat) for seat in state.staying)
    return tuple(Notice(kind, other, detail=detail) for other in staying if other != player)


def unknown_sender(address: str) -> Notice:
    """To an address without an account."""
    return Notice(Kind.UNKNOWN_SENDER, address=address)


def again(kind: Kind, player: PlayerId) -> Notice:
    """An invitation or a turn that was asked for once more. Detail: `again`."""
    return Notice(kind, player, detail={AGAIN: True})


def confirm(address: str, number: int, name: str, until: datetime) -> Notice:
    """Ask an address whether it wants an account. Detail: `number` of the confirmation, `name` that was asked for, `until` in ISO 8601."""
    return Notice(Kind.CONFIRM, address=address, detail={"number": number, "name": name, "until": until.isoformat()})


def new_address(address: str, number: int, name: str, until: datetime) -> Notice:
    """Ask an address whether it is the one that the player of that `name` gets his mail at from now on. Detail: as for `confirm`."""
    return Notice(Kind.NEW_ADDRESS, address=address, detail={"number": number, "name": name, "until": until.isoformat()})


def address(player: PlayerId, new: str, until: datetime | None = None) -> Notice:
    """Tell a player of his new address: that it can be confirmed `until` then, or that it holds. Detail: `address`, `until`."""
    return Notice(Kind.ADDRESS, player, detail={"address": new, "until": until.isoformat() if until else None})


CONFIRMATIONS: Final = frozenset({Kind.CONFIRM, Kind.NEW_ADDRESS})
"""The kinds that are answered to confirm an address."""


@dataclass(frozen=True, slots=True)
class _Place:
    """One player's side of a decision. `new_turn`: it is this player's turn now, and was not before, or a plan was to answer it then.

    `planned`: a plan of the player's is to play it; `lost_plan`: he had a plan and has none now. `left`: the seat is not at the table any
    more. `late` is the seat whose time has run out. `on_offer` is what was on offer before.
    """

    player: PlayerId
    seat: Seat
    on_move: bool
    new_turn: bool
    planned: bool
    lost_plan: bool
    declined: bool
    left: bool
    late: Seat | None
    on_offer: e.ProposalKind | None


def _for_player(player: PlayerId, before: GameState | None, events: Sequence[e.GameEvent], after: GameState) -> Notice | None:
    seat = Seat(after.players.index(player) + 1)
    on_move = after.status is Status.RUNNING and after.to_move == seat
    planned = on_move and after.planned is not None
    lost_plan = before is not None and before.plans[seat - 1] is not None and after.plans[seat - 1] is None
    dropped = any(isinstance(event, e.PlanDropped) and event.seat == seat for event in events)
    new_turn = on_move and not planned and (before is None or _pending(before) != _pending(after) or dropped)
    declined = any(isinstance(event, e.InvitationDeclined) and event.player == player for event in events)
    late = next((event.seat for event in events if isinstance(event, e.TurnTimedOut)), None)
    on_offer = before.proposal.kind if before is not None and before.proposal is not None else None
    place = _Place(player, seat, on_move, new_turn, planned, lost_plan, declined, seat in after.left, late, on_offer)
    begun = any(isinstance(event, e.GameStarted) for event in events)
    news = [event for event in events if not (begun and isinstance(event, e.GameOpened))]  # nobody is invited to what has begun
    heard = (hear(event, place) for hear in (_FROM_AFAR if place.left else _BY_WEIGHT) for event in news)
    return next((notice for notice in heard if notice is not None), None)


def _pending(state: GameState) -> tuple[Status, int, int, int | None]:
    return state.status, state.turn, state.edition, state.to_move


def _hear_end(event: e.GameEvent, place: _Place) -> Notice | None:
    """Whoever declined the invitation knows that nothing came of it."""
    ended = isinstance(event, e.GameEnded | e.ResultAnnulled) and not place.declined
    return Notice(Kind.GAME_OVER, place.player) if ended else None


def _hear_retraction(event: e.GameEvent, place: _Place) -> Notice | None:
    if not isinstance(event, e.TurnsRetracted):
        return None
    if event.kind is e.RetractionKind.CORRECTION and not (place.on_move and place.seat == event.seat):
        return None  # nobody else knew of the turn, and who has played another already knows the rest
    detail = {"first": event.first, "reason": event.reason, **({"plan": True} if place.lost_plan else {})}
    return Notice(Kind.RETRACTED, place.player, detail=detail)


def _hear_reopening(event: e.GameEvent, place: _Place) -> Notice | None:
    return Notice(Kind.REOPENED, place.player) if isinstance(event, e.GameReopened) else None


def _hear_turn(_event: e.GameEvent, place: _Place) -> Notice | None:
    """Whoever has planned an answer hears of the turn when his plan has not answered it."""
    return Notice(Kind.TURN, place.player) if place.new_turn else None


def _hear_plan(event: e.GameEvent, place: _Place) -> Notice | None:
    """What somebody has played himself he knows; what his plan has played is news."""
    by_plan = isinstance(event, e.TurnPlayed) and event.by_plan and event.seat == place.seat
    return Notice(Kind.ANSWERED, place.player) if by_plan else None


def _hear_leaving(event: e.GameEvent, place: _Place) -> Notice | None:
    """Who has resigned knows it; who ran out of time does not, and neither do the others. Who left before has no part in it."""
    if not isinstance(event, e.SeatLeft) or (place.left and place.seat != place.late):
        return None
    return Notice(Kind.LEFT, place.player, detail={"seat": event.seat, "late": event.seat == place.late})


def _hear_lateness(event: e.GameEvent, place: _Place) -> Notice | None:
    """Everybody hears that a time was extended, and that a seat waits; that a turn was not played hears who should have played it."""
    match event:
        case e.GraceGranted():
            return Notice(Kind.GRACE, place.player)
        case e.SeatVacated():
            return Notice(Kind.VACANT, place.player)
        case e.TurnSkipped(seat=seat, turn=turn) | e.TurnPlayed(seat=seat, turn=turn, by_house=True) if seat == place.seat:
            return Notice(Kind.MISSED, place.player, detail={"turn": turn})
        case e.PlayerNudged(seat=seat) if seat == place.seat:
            return Notice(Kind.NUDGED, place.player)
        case (
            e.GameOpened()
            | e.InvitationAccepted()
            | e.InvitationDeclined()
            | e.GameStarted()
            | e.TurnPlayed()
            | e.PlanLaid()
            | e.PlanDropped()
            | e.DrawOffered()
            | e.DrawAccepted()
            | e.DrawDeclined()
            | e.ProposalMade()
            | e.ProposalAgreed()
            | e.ProposalDeclined()
            | e.SeatResigned()
            | e.SeatLeft()
            | e.PlayerReminded()
            | e.PlayerNudged()
            | e.TurnSkipped()
            | e.GameReopened()
            | e.SubstituteInvited()
            | e.SubstituteDeclined()
            | e.SubstituteWithdrawn()
            | e.SubstituteSeated()
            | e.TurnTimedOut()
            | e.TurnsRetracted()
            | e.ClockCredited()
            | e.ClockFrozen()
            | e.ClockThawed()
            | e.GameEnded()
            | e.SecretRevealed()
            | e.ResultAnnulled()
        ):
            return None
        case _:
            assert_never(event)


def _hear_substitute(event: e.GameEvent, place: _Place) -> Notice | None:
    """Everybody hears of it; for the substitute it is also the mail that brings the turn."""
    return Notice(Kind.SUBSTITUTED, place.player) if isinstance(event, e.SubstituteSeated) else None


def _hear_of_seat(event: e.GameEvent, place: _Place) -> Notice | None:
    """That somebody is asked hears who wanted it, and whose seat it is; that nothing comes of it, all but the one who says so."""
    match event:
        case e.SubstituteInvited(asked_by=seat, seat=other) if place.seat in (seat, other):
            return Notice(Kind.SEAT_NEWS, place.player)
        case e.SubstituteDeclined():
            return Notice(Kind.SEAT_NEWS, place.player)
        case e.SubstituteWithdrawn(seat=seat) if place.seat != seat:
            return Notice(Kind.SEAT_NEWS, place.player)
        case (
            e.GameOpened()
            | e.InvitationAccepted()
            | e.InvitationDeclined()
            | e.GameStarted()
            | e.TurnPlayed()
            | e.PlanLaid()
            | e.PlanDropped()
            | e.DrawOffered()
            | e.DrawAccepted()
            | e.DrawDeclined()
            | e.ProposalMade()
            | e.ProposalAgreed()
            | e.ProposalDeclined()
            | e.SeatResigned()
            | e.SeatLeft()
            | e.PlayerReminded()
            | e.PlayerNudged()
            | e.GraceGranted()
            | e.TurnSkipped()
            | e.SeatVacated()
            | e.GameReopened()
            | e.SubstituteInvited()
            | e.SubstituteWithdrawn()
            | e.SubstituteSeated()
            | e.TurnTimedOut()
            | e.TurnsRetracted()
            | e.ClockCredited()
            | e.ClockFrozen()
            | e.ClockThawed()
            | e.GameEnded()
            | e.SecretRevealed()
            | e.ResultAnnulled()
        ):
            return None
        case _:
            assert_never(event)


def _hear_opening(event: e.GameEvent, place: _Place) -> Notice | None:
    if isinstance(event, e.GameStarted):
        return Notice(Kind.GAME_STARTED, place.player)
    if isinstance(event, e.GameOpened):
        return Notice(Kind.OPENED if event.opened_by == place.player else Kind.INVITATION, place.player)
    return None


def _hear_clock(event: e.GameEvent, place: _Place) -> Notice | None:
    if isinstance(event, e.ClockCredited) and place.on_move:
        return Notice(Kind.CLOCK_CHANGED, place.player)
    if isinstance(event, e.ClockFrozen | e.ClockThawed):
        return _hear_freeze(event, place)
    if place.on_move and isinstance(event, e.PlayerReminded):
        return Notice(Kind.REMINDER, place.player)
    return None


def _hear_freeze(event: e.ClockFrozen | e.ClockThawed, place: _Place) -> Notice | None:
    """What gave time back concerns the one whose clock it is; that a game stands still, or goes on, all but the one who asked for it."""
    if isinstance(event, e.ClockFrozen) and event.kind in (e.FreezeKind.OUTAGE, e.FreezeKind.UNDELIVERED):
        return Notice(Kind.CLOCK_CHANGED, place.player) if place.on_move else None
    return Notice(Kind.CLOCK_CHANGED, place.player) if event.seat != place.seat else None


def _hear_proposal(event: e.GameEvent, place: _Place) -> Notice | None:
    """What is on offer, all who are asked hear; that somebody declined, all but that one.

    An offer keeps a plan from answering, and then the turn tells of it.
    """
    if place.planned:
        return None
    if isinstance(event, e.DrawOffered | e.ProposalMade) and event.seat != place.seat:
        return Notice(Kind.PROPOSED, place.player)
    if isinstance(event, e.DrawDeclined | e.ProposalDeclined) and event.seat != place.seat:
        return Notice(Kind.DECLINED, place.player, detail={"seat": event.seat, "kind": place.on_offer})
    return None


_BY_WEIGHT: Final = (
    _hear_end,
    _hear_retraction,
    _hear_reopening,
    _hear_substitute,
    _hear_turn,
    _hear_plan,
    _hear_leaving,
    _hear_lateness,
    _hear_opening,
    _hear_clock,
    _hear_of_seat,
    _hear_proposal,
)
"""What ends a game outweighs what reshapes it, that the turn, and the turn what can wait."""

_FROM_AFAR: Final = (_hear_end, _hear_leaving)
"""What concerns somebody who has left a game that the others play on."""
