"""Reminders and quiet hours.

A reminder whose time falls into the quiet hours of its player waits for their end if at least half of the time is left then that it
promises. Any other is planned ahead, for the minute before the quiet begins. The log knows nothing of it: there it goes out when its time
has come. So a plan is a row of the outbox that is made, and made anew, whenever the player is told of the clock.
"""

from collections.abc import Iterator
from datetime import datetime

from turnserver.ids import GameId, PlayerId
from turnserver.mail.outbound.notices.game import PLANNED_AHEAD, Kind, Notice
from turnserver.play.clock.clock import reminders_to_come
from turnserver.play.state import GameState
from turnserver.service.mailroom.slots import before_quiet, turn_ends
from turnserver.store.log.database import Transaction
from turnserver.store.log.instants import stamp
from turnserver.store.mail import outbox
from turnserver.store.mail.outbox import OutboxItem
from turnserver.store.people.accounts import Person


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
        yield Notice(Kind.REMINDER, person.id, detail=detail), at


def came_ahead(conn: Transaction, person: Person, game: GameId, state: GameState, now: datetime) -> bool:
    """Return whether the reminder that is due now has come before the quiet hours instead."""
    deadline = turn_ends(state, person.id)
    early = before_quiet(person, now, deadline) if deadline is not None else None
    return early is not None and outbox.was_reminded(conn, game, person.id, early)


def is_outdated(item: OutboxItem, then: GameState, now: GameState, player: PlayerId) -> bool:
    """Return whether a reminder that waited is about a turn that is over, or was planned for a deadline that has moved."""
    deadline = turn_ends(now, player)
    if "said" in item.detail:
        return False
    if deadline is None or (then.turn, then.edition, then.to_move) != (now.turn, now.edition, now.to_move):
        return True
    return PLANNED_AHEAD in item.detail and item.detail[PLANNED_AHEAD] != stamp(deadline)
