"""The explanation of a deadline: a small bill that adds up to the minute."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Final, assert_never

from turnserver.mail.outbound.game_words import GameDesk
from turnserver.mail.outbound.language import date_and_time, in_days, in_hours, in_minutes, short_time
from turnserver.mail.outbound.letters import Bill, BillLine, ClockShown, Letter
from turnserver.mail.outbound.telling.events import SeatNames, given
from turnserver.play.clock.explain_deadline import Account, Given, Source, Stop, explain_deadline
from turnserver.play.clock.live_time import zone_of
from turnserver.play.events import ClockCredited, FreezeKind, GraceGranted, TimeGiven
from turnserver.text import joined, say

_CALENDAR: Final = ("weekend", "holiday", "night")


def clock_shown(desk: GameDesk) -> Letter:
    """Return the answer to `clock`. Raise ValueError if no turn is pending."""
    made = explain_deadline(desk.context.history, lambda *_, **__: desk.state.game)
    if made is None or desk.clock is None:
        raise ValueError(f"no clock runs in {desk.name}")
    headline = say(
        "The clock of {game}, turn {turn}: {player} to move, {when}.",
        game=desk.name,
        turn=made.turn,
        player=desk.clock.mover,
        when=desk.clock.when,
    )
    return ClockShown(**desk.common(headline), bill=bill(made, desk.table), time=desk.time)


def bill(made: Account, table: SeatNames) -> Bill:
    """Return the explanation of a deadline in the reader's zone."""
    at = made.since
    lines: list[BillLine] = []
    for length, text, ends in (*_times(made, table), *_stops(made, table)):
        # Each line is rounded at its own place along the turn, so that the lines add up to the minute of the deadline.
        lines.append(BillLine(_amount(at, at + length) if ends else say("not over yet"), text))
        at += length
    deadline = date_and_time(made.deadline, table.zone) if made.deadline else ""
    return Bill(date_and_time(made.since, table.zone), tuple(lines), deadline, _note(made, table.zone))


def _amount(since: datetime, until: datetime) -> str:
    """Return the time between two instants in words. It is rounded so that all lines together give the minute of the deadline."""
    minutes = _floor(until) - _floor(since)
    days, rest = divmod(minutes, 24 * 60)
    parts = (in_days(days), in_hours(rest // 60), in_minutes(rest % 60))
    return joined(" ", [part for part in parts if part]) or say("no time")


def _floor(at: datetime) -> int:
    return int(at.timestamp()) // 60


def _note(made: Account, zone: str) -> str:
    """Return the reason why there is no deadline, or a warning that the change to or from summer time shifts wall clocks in between."""
    if made.deadline is None:
        return say("There is no deadline as long as the clock stands still.") if made.parts else ""
    begins, ends = (at.astimezone(zone_of(zone)).utcoffset() or timedelta(0) for at in (made.since, made.deadline))
    if begins == ends:
        return ""
    return say("In between, the clocks of your time zone are changed by {span}.", span=_amount(made.since, made.since + abs(ends - begins)))


def _times(made: Account, table: SeatNames) -> Iterator[tuple[timedelta, str, bool]]:
    # A line is its length, its words, and whether it has an end: times always have one.
    for part in made.parts:
        yield part.span, _source(part.source), True
    for one in made.given:
        yield one.span, _given(one, table), True


def _source(source: Source) -> str:  # noqa: C901  # one branch a source
    match source:
        case "per turn":
            return say("for each turn")
        case "first bank":
            return say("to begin the game with")
        case "left over":
            return say("left over from the last turn of this side")
        case "increment":
            return say("added after that turn")
        case "kept":
            return say("left of the main time")
        case "periods":
            return say("in the periods that follow it")
        case "hour":
            return say("until the hour at which turns are due")
        case "vacancy":
            return say("for somebody to take the seat over")
        case "reopened":
            return say("for the turn with which the game goes on")
        case "again":
            return say("for the turn that was taken back, as it had left")
        case "substitute":
            return say("for whoever has taken the seat over")
        case _:
            assert_never(source)


def _given(one: Given, table: SeatNames) -> str:
    when, reason = short_time(one.at, table.zone), given(getattr(one.event, "reason", ""))
    if isinstance(one.event, TimeGiven):
        return say("given by {player} on {when}", player=table.at(one.event.seat), when=when)
    if isinstance(one.event, GraceGranted):
        return say("grace, once in the game, given on {when}", when=when)
    if not isinstance(one.event, ClockCredited):
        return say("given on {when}", when=when)
    if reason:
        return say("given by the organisers on {when}: {reason}", when=when, reason=reason)
    return say("given by the organisers on {when}", when=when)


def _stops(made: Account, table: SeatNames) -> Iterator[tuple[timedelta, str, bool]]:
    # Weekends stand together, and so do holidays and nights; each freeze has a line and a reason of its own.
    # Sorted first, since `groupby` only joins neighbours.
    regular = sorted((stop for stop in made.stops if stop.why in _CALENDAR), key=lambda stop: _CALENDAR.index(stop.why))
    for why, stops in groupby(regular, key=attrgetter("why")):
        found = list(stops)
        yield sum((stop.took for stop in found), timedelta(0)), _days_off(why, found, table.zone), True
    for stop in made.stops:
        if stop.why not in _CALENDAR:
            yield stop.took, _frozen(stop, table), stop.ends is not None


def _days_off(why: str, stops: Sequence[Stop], zone: str) -> str:
    n, first = len(stops), short_time(stops[0].begins, zone)
    if why == "weekend":
        return say("for {n} weekend, from {first}", "for {n} weekends, the first from {first}", n=n, first=first)
    if why == "holiday":
        return say("for {n} public holiday, from {first}", "for {n} public holidays, the first from {first}", n=n, first=first)
    return say("for {n} night, from {first}", "for {n} nights, the first from {first}", n=n, first=first)


def _frozen(stop: Stop, table: SeatNames) -> str:
    """Return a freeze with its beginning and end, and a remark if not all of it counts."""
    begins, reason = short_time(stop.begins, table.zone), given(stop.reason)
    why = _why(FreezeKind(stop.why), table.at(stop.seat) if stop.seat is not None else "", reason)
    if stop.ends is None:
        return say("{why}, from {begins}, with no end in sight", why=why, begins=begins)
    told = say("{why}, {begins} to {ends}", why=why, begins=begins, ends=short_time(stop.ends, table.zone))
    # Where stops overlap, each moment counts once, so a freeze may have taken less than its length.
    if stop.took == stop.ends - stop.begins:
        return told
    return say("{stop}, of which this much counts here", stop=told)


def _why(kind: FreezeKind, who: str, reason: str) -> str:
    match kind:
        case FreezeKind.VACATION:
            return say("vacation of {player}", player=who)
        case FreezeKind.PAUSE:
            return say("a pause that the players agreed on")
        case FreezeKind.HALT if reason:
            return say("stopped by the organisers ({reason})", reason=reason)
        case FreezeKind.HALT:
            return say("stopped by the organisers")
        case FreezeKind.UNDELIVERED:
            return say("no mail got through to {player}", player=who)
        case FreezeKind.OUTAGE:
            return say("the service was down")
        case _:
            assert_never(kind)
