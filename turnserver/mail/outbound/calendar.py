"""Deadlines as calendar entries (iCalendar, RFC 5545), published with METHOD:PUBLISH and taken back with METHOD:CANCEL (RFC 5546, 3.2).

A game has one entry for each of its players, which moves from turn to turn. The entry stands while the turn is the reader's. The next mail
about the game after that cancels it.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from icalendar import Alarm, Calendar, Event, vCalAddress, vText

from turnserver.ids import PlayerId
from turnserver.mail.outbound.context import MailContext
from turnserver.mail.outbound.game_words import GameDesk
from turnserver.mail.outbound.kinds import ANSWERS
from turnserver.mail.outbound.language import language, one_line
from turnserver.play.state import GameState
from turnserver.text import say

ALARM: Final = timedelta(hours=6)
"""The time before the deadline at which the calendar program gives an alarm."""

_BEGINNING: Final = datetime(2020, 1, 1, tzinfo=UTC)
"""Before any event. A SEQUENCE of seconds since then has 32 bits until 2088."""

_CONFIRMED: Final = "CONFIRMED"
_CANCELLED: Final = "CANCELLED"


class Enclosure(NamedTuple):
    """A calendar to attach to a mail, with CRLF, under its file name. `method` is also named in its type."""

    method: str
    file_name: str
    calendar: bytes


def deadlines(context: MailContext) -> tuple[Enclosure, ...]:
    """Return the calendars to attach to a mail: none if the reader wants none, or if nothing in them would be new.

    While the turn is the reader's, every mail about the game carries the entry. An answer does so only if the deadline has moved since
    the mail before.
    """
    if not context.form.calendar:
        return ()
    entries = [entry for one in (context.parts or (context,)) if (entry := _entry(one)) is not None]
    standing = [entry for entry in entries if entry["status"] == _CONFIRMED]
    over = [entry for entry in entries if entry["status"] == _CANCELLED]
    # RFC 5546 makes calendar programs remove an entry by the method. In many of them, one that is published with STATUS:CANCELLED stays, as
    # other projects' bug reports say. A calendar has one method, so a digest that announces and cancels encloses two.
    made = (("PUBLISH", "deadline.ics", standing), ("CANCEL", "cancelled.ics", over))
    return tuple(Enclosure(method, name, bytes(_made(method, events).to_ical())) for method, name, events in made if events)


def feed(context: MailContext, turns: Sequence[MailContext]) -> bytes:
    """Return a calendar to subscribe to, with CRLF: the deadlines of the reader's `turns`, each as a mail about its game would have it.

    The page of each game is its context's `page`.
    """
    events = []
    for one in turns:
        assert one.state is not None  # noqa: S101  # it is the reader's turn
        events.append(_event(one, one.state, _CONFIRMED))
        if one.page:
            events[-1].add("url", one.page)
    calendar = _made("PUBLISH", events)
    name = language(context.form.language).told(say("Deadlines at {site}", site=one_line(context.site.name)))
    # The first one is of RFC 7986, the second what most programs read.
    for key in ("name", "x-wr-calname"):
        calendar.add(key, name)
    calendar.add("refresh-interval", timedelta(hours=1), parameters={"value": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    return bytes(calendar.to_ical())


def _entry(context: MailContext) -> Event | None:
    state, shown, reader = context.state, context.shown, context.person.id
    # A mail about an earlier moment (`at`) says nothing about the deadline now.
    if state is None or reader is None or "at" in context.detail:
        return None
    # The calendar has an entry only if the mail before this one was written while the turn was the reader's.
    entered = shown if shown is not None and _on_move(shown, reader) else None
    if not _on_move(state, reader):
        return None if entered is None else _event(context, entered, _CANCELLED)
    if context.kind in ANSWERS and (entered is None or entered.deadline == state.deadline):
        return None
    return _event(context, state, _CONFIRMED)


def _on_move(state: GameState, player: PlayerId) -> bool:
    return state.mover == player and state.deadline is not None


def _event(context: MailContext, shown: GameState, status: str) -> Event:
    desk, domain = GameDesk.of(context), context.site.address.rpartition("@")[2]
    event, spoken = Event(), language(context.form.language)
    # The UID is the same for the whole game. The SEQUENCE only rises with what this player may know of the game, so that the newest mail
    # counts for a calendar program, in whatever order it reads them; among those that are alike, the newer DTSTAMP (RFC 5546, 2.1.5). The
    # events alone would not do: who loses their seat may know of fewer.
    event.add("uid", f"game-{desk.game_id}-player-{context.person.id}@{domain}")
    known = desk.history_told
    event.add("sequence", int((known.last.at - _BEGINNING).total_seconds()) + known.events)
    event.add("dtstamp", context.now)
    # There is no DTEND: such an event ends when it begins (RFC 5545, 3.6.1), as a deadline does.
    event.add("dtstart", shown.deadline)
    event.add("summary", spoken.told(say("{game}: your move against {players}", game=desk.name, players=desk.opponents)))
    event.add("status", status)
    # A deadline does not make its player busy (RFC 5545, 3.8.2.7).
    event.add("transp", "TRANSPARENT")
    event.add("organizer", _organizer(context))
    if status == _CONFIRMED:
        event.add("description", spoken.told(say("Your move must have arrived by then. To play it, answer the newest mail of the game.")))
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", spoken.told(say("{game} waits for your move.", game=desk.name)))
        alarm.add("trigger", -ALARM)
        event.add_component(alarm)
    return event


def _organizer(context: MailContext) -> vCalAddress:
    # RFC 5546, 3.2.1, wants one in what is published.
    organizer = vCalAddress(f"mailto:{context.site.address}")
    organizer.params["CN"] = vText(one_line(context.site.name))
    return organizer


def _made(method: str, events: Sequence[Event]) -> Calendar:
    calendar = Calendar()
    calendar.add("prodid", "-//turnserver//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", method)
    for event in events:
        calendar.add_component(event)
    return calendar
