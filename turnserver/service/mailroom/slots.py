"""When a mail is to leave, by what its player has chosen: now, after his quiet hours, with his digest, or not at all.

Wall-clock times are those of the player's zone on the day in question. One that a change to summer time skips is read with the offset
before the gap, one that occurs twice is the first of the two: as RFC 5545, 3.3.5 has it.
"""

from datetime import UTC, datetime, time, timedelta
from typing import Literal, NamedTuple

from turnserver.ids import PlayerId
from turnserver.mail.outbound.notices.game import ANSWERS, CAN_WAIT, OF_LEAGUES, Kind
from turnserver.mail.outbound.wording import zone_of
from turnserver.play.state import GameState
from turnserver.store.people.accounts import Person, Quiet

TIME_TO_ACT = timedelta(hours=24)
"""A turn that would have less than this left when the next digest comes does not wait for it."""

_DAY = timedelta(days=1)
_MINUTE = timedelta(minutes=1)


class Slot(NamedTuple):
    """What becomes of a mail: queued or held until an instant, or kept as a record of what was not sent."""

    status: Literal["queued", "held", "unwanted"]
    due_at: datetime


def slot(person: Person, kind: Kind, now: datetime, deadline: datetime | None, *, asked: bool) -> Slot | None:
    """The slot of a mail of some kind that there is reason for `now`; None if it is not even to be recorded.

    `deadline` is when the player's own pending turn in the mail's game must have arrived, if he has one. `asked` says that he caused the
    mail himself, by one of his: then he is awake and waits for it.
    """
    chosen, at_once = person.preferences, Slot("queued", now)
    if kind in ANSWERS:
        return at_once
    if not chosen.subscribed and not asked:
        return Slot("unwanted", now)
    if kind in (Kind.REMINDER, Kind.LEAGUE_REMINDER) and not chosen.reminders:
        return None
    if asked or kind not in CAN_WAIT | OF_LEAGUES:
        return at_once
    if chosen.digest is not None and kind not in OF_LEAGUES:
        digest = next_time(chosen.digest, person.zone, now)
        if deadline is None or deadline - digest >= TIME_TO_ACT:
            return Slot("held", digest)
    waking = end_of_quiet(chosen.quiet, person.zone, now) if chosen.quiet else None
    if waking is None or (deadline is not None and waking >= deadline):
        return at_once
    return Slot("queued", waking)


def turn_ends(state: GameState | None, player: PlayerId) -> datetime | None:
    """Return when the player's turn must have arrived, if the pending one is theirs."""
    yours = state is not None and state.to_move is not None and state.player_at(state.to_move) == player
    return state.deadline if state is not None and yours else None


def before_quiet(person: Person, at: datetime, deadline: datetime) -> datetime | None:
    """Return when a reminder that is due `at` an instant comes instead because its player's quiet hours would delay it too long.

    That is the minute before they begin. A reminder can wait for their end if at least half of the time is left then that it promises:
    who gets "4 hours left" in the evening can act on it, who gets "1 minute left" in the morning cannot. None then, and for a reminder
    that falls into no quiet hours or waits for a digest.
    """
    quiet = person.preferences.quiet
    place = slot(person, Kind.REMINDER, at, deadline, asked=False)
    hours = quiet_hours(quiet, person.zone, at) if quiet else None
    if place is None or place.status != "queued" or hours is None or 2 * (deadline - hours[1]) >= deadline - at:
        return None
    return hours[0] - _MINUTE


def next_time(wall: time, zone: str, after: datetime) -> datetime:
    """The first instant after another at which the day's `wall` time comes in a zone; in UTC."""
    days = (after.astimezone(zone_of(zone)).date() + _DAY * ahead for ahead in range(-1, 3))
    instants = (datetime.combine(day, wall, zone_of(zone)).astimezone(UTC) for day in days)
    return next(at for at in instants if at > after)


def end_of_quiet(quiet: Quiet, zone: str, at: datetime) -> datetime | None:
    """When the quiet hours end that an instant falls into; None if it falls into none. They begin with their first minute."""
    hours = quiet_hours(quiet, zone, at)
    return None if hours is None else hours[1]


def quiet_hours(quiet: Quiet, zone: str, at: datetime) -> tuple[datetime, datetime] | None:
    """Return when the quiet hours that an instant falls into begin and end; None if it falls into none."""
    begun = next_time(quiet.begins, zone, at - 2 * _DAY)
    while (following := next_time(quiet.begins, zone, begun)) <= at:
        begun = following
    end = next_time(quiet.ends, zone, begun)
    return (begun, end) if begun <= at < end else None
