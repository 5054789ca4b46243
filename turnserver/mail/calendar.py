"""Deadlines as calendar entries (iCalendar, RFC 5545), published with METHOD:PUBLISH (RFC 5546, 3.2).

A game has one entry for each of its players, under one UID for good, which moves from turn to turn. Its SEQUENCE is the version of the
game, so that a calendar program takes whichever mail it reads last for what the newest of them says. The entry stands while the turn is
the reader's and is cancelled by the next mail about the game after that.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from icalendar import Alarm, Calendar, Event, vCalAddress, vText

from turnserver.envelope import PlayerId
from turnserver.mail.gamedesk import GameDesk
from turnserver.mail.language import language
from turnserver.mail.notices import ANSWERS
from turnserver.mail.occasion import Occasion
from turnserver.mail.wording import one_line
from turnserver.play.state import GameState
from turnserver.words import say

FILE_NAME: Final = "deadline.ics"
METHOD: Final = "PUBLISH"
ALARM: Final = timedelta(hours=6)
"""How long before the deadline the calendar program speaks up."""


def deadlines(occasion: Occasion) -> bytes | None:
    """The calendar to attach to a mail, with CRLF; None if the reader wants none, or nothing in it would be new.

    While the turn is the reader's, every mail about the game carries the entry, except answers to questions.
    """
    if not occasion.form.calendar:
        return None
    events = [event for one in (occasion.parts or (occasion,)) if (event := _event(one)) is not None]
    return _calendar(events) if events else None


def _event(occasion: Occasion) -> Event | None:
    state, reader = occasion.state, occasion.person.id
    if state is None or reader is None or "at" in occasion.detail:
        return None
    if _on_move(state, reader):
        return _entry(occasion, "CONFIRMED") if occasion.kind not in ANSWERS else None
    return _entry(occasion, "CANCELLED") if occasion.shown is not None and _on_move(occasion.shown, reader) else None


def _on_move(state: GameState, player: PlayerId) -> bool:
    return state.to_move is not None and state.deadline is not None and state.player_at(state.to_move) == player


def _entry(occasion: Occasion, status: str) -> Event:
    desk, domain = GameDesk.of(occasion), occasion.site.address.rpartition("@")[2]
    shown = desk.state if status == "CONFIRMED" else occasion.shown
    assert shown is not None  # noqa: S101  # what is cancelled was shown
    event, spoken = Event(), language(occasion.form.language)
    event.add("uid", f"game-{desk.game_id}-player-{occasion.person.id}@{domain}")
    event.add("sequence", int(desk.state.version))
    event.add("dtstamp", occasion.now)
    event.add("dtstart", shown.deadline)
    event.add("summary", spoken.told(say("{game}: your move against {players}", game=desk.name, players=desk.opponents)))
    event.add("status", status)
    event.add("transp", "TRANSPARENT")
    event.add("organizer", _organizer(occasion))
    if status == "CONFIRMED":
        event.add("description", spoken.told(say("Your move must have arrived by then. To play it, answer the newest mail of the game.")))
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", spoken.told(say("{game} waits for your move.", game=desk.name)))
        alarm.add("trigger", -ALARM)
        event.add_component(alarm)
    return event


def _organizer(occasion: Occasion) -> vCalAddress:
    """RFC 5546, 3.2.1, wants one in what is published."""
    organizer = vCalAddress(f"mailto:{occasion.site.address}")
    organizer.params["CN"] = vText(one_line(occasion.site.name))
    return organizer


def _calendar(events: Sequence[Event]) -> bytes:
    calendar = Calendar()
    calendar.add("prodid", "-//turnserver//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", METHOD)
    for event in events:
        calendar.add_component(event)
    return bytes(calendar.to_ical())
