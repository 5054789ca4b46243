"""The times of planned mails: reminders, quiet hours of a player, and planned mails that are called off."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from turnserver.errors import NotAllowed
from turnserver.ids import GameId, PlayerId, Version, game_stream
from turnserver.mail.outbound.kinds import ASKED_FOR, CAN_WAIT, OF_LEAGUES, UNTIL_ACTED_ON, MailKind, Notice
from turnserver.mail.outbound.notices.game import PLANNED_AHEAD
from turnserver.play import events as e
from turnserver.play.clock.clock import reminders_to_come
from turnserver.play.clock.live_time import zone_of
from turnserver.play.state import GameState, Proposal
from turnserver.service.games.plans import began_with
from turnserver.store.log import log
from turnserver.store.log.database import Transaction
from turnserver.store.log.statement import stamp
from turnserver.store.mail import outbox
from turnserver.store.mail.outbox import OutboxItem
from turnserver.store.people.accounts import Person, Quiet
from turnserver.text import say


def call_off(tx: Transaction, game: GameId, before: GameState | None, events: Sequence[e.GameEvent]) -> tuple[Notice, ...]:
    """Call off the mails that `events`, which are to follow on `before`, make untrue. Return the notices to send all the same.

    Refuses (`already_told`), and has changed nothing, if a mail about a turn that is corrected has left.
    """
    if before is None:
        return ()
    laid = next((event for event in events if isinstance(event, e.PlanLaid)), None)
    if laid is not None and laid.turn < before.turn:
        since = began_with(log.load(tx, game_stream(game))[: before.version], laid.turn)
        return tuple(_still_news(outbox.call_off_turn(tx, game, since, before.player_at(laid.seat))))
    turn = before.line.entry
    if isinstance(turn, e.TurnPlayed) and any(map(_is_correction, events)):
        return _call_off_turn(tx, game, before, turn)
    return ()


def _call_off_turn(tx: Transaction, game: GameId, state: GameState, turn: e.TurnPlayed) -> tuple[Notice, ...]:
    history = log.load(tx, game_stream(game))[: state.version]
    version = Version(max(index for index, row in enumerate(history, start=1) if row.event == turn))
    mover = state.player_at(turn.seat)
    if outbox.told_of(tx, game, version, mover):
        told = say('The others have just heard of your move. To ask them to take it back, reply "take back".')
        raise NotAllowed("already_told", told)
    return tuple(_still_news(outbox.call_off(tx, game, version, mover)))


def _still_news(unsent: Iterable[OutboxItem]) -> Iterator[Notice]:
    # The corrected turn is no news any more, but other news and chat lines are still to be told.
    for row in unsent:
        if row.kind not in UNTIL_ACTED_ON:
            yield Notice(MailKind(row.kind), row.player, detail=row.detail)
        elif "said" in row.detail:
            yield Notice(MailKind.SAID, row.player, detail={"said": row.detail["said"]})


def _is_correction(event: e.GameEvent) -> bool:
    return isinstance(event, e.TurnsRetracted) and event.kind is e.RetractionKind.CORRECTION


TIME_TO_ACT = timedelta(hours=24)
"""A turn that would have less than this left when the next digest comes does not wait for it."""

_ASKS: Final = UNTIL_ACTED_ON - {MailKind.REMINDER}
_DAY = timedelta(days=1)
_MINUTE = timedelta(minutes=1)


class Slot(NamedTuple):
    """The place of a mail in the outbox: queued or held until an instant, or kept as a record of a mail that was not sent."""

    status: Literal["queued", "held", "unwanted"]
    due_at: datetime


def slot(person: Person, kind: MailKind, now: datetime, deadline: datetime | None, *, asked: bool) -> Slot | None:
    """Return the slot of a mail of some kind that becomes due `now`; None if it is not even to be recorded.

    `deadline` is when the player's own pending turn in the mail's game must have arrived, or None. `asked` says that the player caused the
    mail by one of their own: then they are awake and wait for it.
    """
    chosen, at_once = person.preferences, Slot("queued", now)
    if kind is MailKind.RECEIPT and chosen.receipts == "digest" and chosen.digest is not None and not chosen.calendar:
        return Slot("held", next_time(chosen.digest, person.zone, now))
    if kind in ASKED_FOR:
        return at_once
    if not chosen.subscribed and not asked:
        return Slot("unwanted", now)
    if kind in (MailKind.REMINDER, MailKind.LEAGUE_REMINDER) and not chosen.reminders:
        return None
    # Whoever has just written is awake and waits for the mail.
    if asked or kind not in CAN_WAIT | OF_LEAGUES:
        return at_once
    if chosen.digest is not None and kind not in OF_LEAGUES:
        digest = next_time(chosen.digest, person.zone, now)
        if deadline is None or deadline - digest >= TIME_TO_ACT:
            return Slot("held", digest)
    waking = end_of_quiet(chosen.quiet, person.zone, now) if chosen.quiet else None
    # A mail at night is better than one after the deadline, or one that would leave little of the time that it promises. Reminders of that
    # sort come in the evening before (`before_quiet`).
    if waking is None or (deadline is not None and (waking >= deadline or (kind in _ASKS and _hurts(now, waking, deadline)))):
        return at_once
    return Slot("queued", waking)


def _hurts(due: datetime, waking: datetime, deadline: datetime) -> bool:
    """Return whether a mail that comes only when its player wakes leaves less than half of the time that was left when it was due."""
    return 2 * (deadline - waking) < deadline - due


def turn_ends(state: GameState | None, player: PlayerId) -> datetime | None:
    """Return when the player's turn must have arrived, if the pending one is theirs."""
    return state.deadline if state is not None and state.mover == player else None


def before_quiet(person: Person, at: datetime, deadline: datetime) -> datetime | None:
    """Return when a reminder that is due `at` an instant comes instead because its player's quiet hours would delay it too long.

    That is the minute before they begin. Who gets "4 hours left" in the evening can act on it, who gets "1 minute left" in the morning
    cannot. None for a reminder that can wait, that falls into no quiet hours, or that waits for a digest.
    """
    quiet = person.preferences.quiet
    place = slot(person, MailKind.REMINDER, at, deadline, asked=False)
    hours = quiet_hours(quiet, person.zone, at) if quiet else None
    if place is None or place.status != "queued" or hours is None or not _hurts(at, hours[1], deadline):
        return None
    return hours[0] - _MINUTE


def next_time(wall: time, zone: str, after: datetime) -> datetime:
    """Return the first instant after another at which the day's `wall` time comes in a zone; in UTC."""
    days = (after.astimezone(zone_of(zone)).date() + _DAY * ahead for ahead in range(-1, 3))
    instants = (datetime.combine(day, wall, zone_of(zone)).astimezone(UTC) for day in days)
    return next(at for at in instants if at > after)


def end_of_quiet(quiet: Quiet, zone: str, at: datetime) -> datetime | None:
    """Return when the quiet hours around an instant end, or None if the instant is in none. They begin with their first minute."""
    hours = quiet_hours(quiet, zone, at)
    return None if hours is None else hours[1]


def quiet_hours(quiet: Quiet, zone: str, at: datetime) -> tuple[datetime, datetime] | None:
    """Return when the quiet hours around an instant begin and end; None if the instant is in none."""
    here = zone_of(zone)
    today = at.astimezone(here).date()
    for day in (today - _DAY, today):
        # the end of that day and no next occurrence: where clocks skip an hour, hours that begin in it may end when they begin
        morning = day if quiet.begins < quiet.ends else day + _DAY
        begun = datetime.combine(day, quiet.begins, here).astimezone(UTC)
        end = datetime.combine(morning, quiet.ends, here).astimezone(UTC)
        if begun <= at < end:
            return begun, end
    return None


def plan_ahead(tx: Transaction, person: Person, game: GameId, state: GameState, now: datetime) -> Iterator[tuple[Notice, datetime]]:
    """Yield the reminders of a player's pending turn that have to come before quiet hours, each with its instant.

    Calls off those that were planned before. Nothing happens if they are the same.
    """
    deadline = turn_ends(state, person.id)
    wanted: set[datetime] = set()
    if deadline is not None and person.preferences.reminders and person.preferences.subscribed:
        early = (before_quiet(person, at, deadline) for at in reminders_to_come(state))
        wanted = {at for at in early if at is not None and at > now}
    detail = {PLANNED_AHEAD: stamp(deadline)} if deadline is not None else {}
    there = outbox.planned_reminders(tx, game, person.id)
    if {(item.due_at, item.detail[PLANNED_AHEAD]) for item in there} == {(at, detail[PLANNED_AHEAD]) for at in wanted}:
        return
    for item in there:
        outbox.call_off_planned(tx, item.id)
    for at in sorted(wanted):
        yield Notice(MailKind.REMINDER, person.id, detail=detail), at


def needs_no_reminder(conn: Transaction, person: Person, game: GameId, state: GameState, now: datetime, leaves_at: datetime) -> bool:  # noqa: PLR0917  # whose, of which turn
    """Return whether the reminder that is due now has come before the quiet hours instead, or would leave with the news of the turn."""
    if outbox.turn_leaves(conn, game, person.id, leaves_at):
        return True
    deadline = turn_ends(state, person.id)
    early = before_quiet(person, now, deadline) if deadline is not None else None
    return early is not None and outbox.was_reminded(conn, game, person.id, early)


def is_outdated(item: OutboxItem, then: GameState, now: GameState, player: PlayerId) -> bool:
    """Return whether a mail asks its player for something that is not waited for now, or was planned for a deadline that has moved.

    The game was as in `then` when it was queued.
    """
    match MailKind(item.kind):
        case MailKind.INVITATION | MailKind.SEAT_OFFERED:
            return not now.invites(player)
        case MailKind.PROPOSED:
            return not now.asks(player) or _offer(now) != _offer(then)
        case MailKind.TURN | MailKind.NUDGED | MailKind.REMINDER:
            if now.mover != player or (then.turn, then.edition, then.to_move) != (now.turn, now.edition, now.to_move):
                return True
            deadline = stamp(now.deadline) if now.deadline is not None else None
            return PLANNED_AHEAD in item.detail and item.detail[PLANNED_AHEAD] != deadline
        case _:
            return False


def _offer(state: GameState) -> Proposal | None:
    # Whoever else has agreed meanwhile, it is the same.
    return replace(state.proposal, agreed=frozenset()) if state.proposal is not None else None
