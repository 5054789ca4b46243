"""Time controls: how much live time a turn may take, what is left of it for later turns, and how people write and are told that.

All spans but the days of `PerMove` are exact: there, a day is 24 hours of live time.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from functools import cache
from types import MappingProxyType
from typing import Final, TypeAlias, assert_never
from zoneinfo import available_timezones

import msgspec

from turnserver.errors import BadOption
from turnserver.play.clock.live_time import LiveTime, is_place
from turnserver.rules.options import shown
from turnserver.text import joined, listing, say

SHORTEST: Final = timedelta(hours=1)
LONGEST: Final = timedelta(days=366)

SPAN: Final = "(?:[0-9]+ ?[a-z]+ ?)+"
"""A regular expression for a span, in text without runs of spaces. It also takes a space behind the span.

Any word is a unit here, so that `days_and_rest` can say what is wrong with it.
"""

_NUMBER = "([0-9]{1,7}) ?"
_UNITS = re.compile(
    f"(?:{_NUMBER}(?:w|wks?|weeks?) ?)?(?:{_NUMBER}(?:d|days?) ?)?(?:{_NUMBER}(?:h|hrs?|hours?) ?)?(?:{_NUMBER}(?:m|mins?|minutes?))?",
    re.IGNORECASE,
)


def days_and_rest(text: str) -> tuple[int, timedelta]:
    """Return a written span as a number of days (from weeks and days) and an exact rest (from hours and minutes). Raises BadOption."""
    found = _UNITS.fullmatch(text.strip())
    if found is None:
        raise BadOption(say("{text} isn't a span of time. Write it like 3d, 36h, 1d12h or 2 weeks.", text=shown(text)))
    weeks, days, hours, minutes = (int(number or 0) for number in found.groups())
    whole, rest = weeks * 7 + days, timedelta(hours=hours, minutes=minutes)
    if not SHORTEST <= timedelta(days=whole) + rest <= LONGEST:
        raise BadOption(
            say("{text} is too short or too long: a span of time is 1 hour to {days} days.", text=shown(text), days=LONGEST.days)
        )
    return whole, rest


def exact_span(text: str) -> timedelta:
    """Return a written span, with days of 24 hours. Raises BadOption."""
    days, rest = days_and_rest(text)
    return timedelta(days=days) + rest


def span_text(span: timedelta) -> str:
    """Write an exact span of whole minutes: `36h`, `2d`, `3d12h`, `1h30m`. Spans below 48 hours are written without days."""
    days = span.days if span >= timedelta(hours=48) else 0
    return (f"{days}d" if days else "") + hours_text(span - timedelta(days=days))


def hours_text(span: timedelta) -> str:
    """Write a span of whole minutes without days. Returns the empty string for nothing."""
    hours, minutes = divmod(span // timedelta(minutes=1), 60)
    return (f"{hours}h" if hours else "") + (f"{minutes}m" if minutes else "")


def span_told(span: timedelta) -> str:
    """Return an exact span of whole minutes in words: `36 hours`, `2 days`, `3 days 12 hours`; below 48 hours without days."""
    days = span.days if span >= timedelta(hours=48) else 0
    return days_told(days, span - timedelta(days=days))


def days_told(days: int, rest: timedelta) -> str:
    """Return days and an exact rest of whole minutes in words, such as `1 day 12 hours`."""
    hours, minutes = divmod(rest // timedelta(minutes=1), 60)
    parts = [
        say("{n} day", "{n} days", n=days) if days else "",
        say("{n} hour", "{n} hours", n=hours) if hours else "",
        say("{n} minute", "{n} minutes", n=minutes) if minutes else "",
    ]
    return joined(" ", [part for part in parts if part])


NOTHING: Final = timedelta(0)
MOST_PERIODS: Final = 20
LONGEST_NIGHT: Final = timedelta(hours=16)
"""The longest night. It leaves eight hours of each day, so that every week has at least 40 hours of live time."""

PRESETS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "standard": "5d+36h cap 10d",  # a move every day or two, and ten days saved up for when life gets in between
        "quick": "2d+12h cap 4d",  # for players who look at their mail every day: 20 moves a side are over within 24 days
        "slow": "14d+3d cap 28d",  # two moves a week, and four weeks away without asking for vacation
        "daily": "next 20:00, at least 24h",  # a move every evening or every other: everybody knows the hour, and nobody counts
        "correspondence": "no limit",  # for friends: nobody ever loses on time
    }
)
"""The named time controls. A game gets the first one if nothing is said."""


class Bank(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The time that a seat's clock holds between its turns: live time, and periods of byo-yomi."""

    time: timedelta = NOTHING
    periods: int = 0


@dataclass(frozen=True, slots=True)
class PerMove:
    """`3d`: each turn may take `days` civil days, ending at the same time of the day, and `hours` exactly. Saved time is lost."""

    days: int
    hours: timedelta


@dataclass(frozen=True, slots=True)
class Increment:
    """`5d+36h cap 10d`: a bank that each move adds to, as long as that does not bring it over the cap."""

    bank: timedelta
    increment: timedelta
    cap: timedelta


@dataclass(frozen=True, slots=True)
class Total:
    """`60d in all`: a bank for the whole game."""

    bank: timedelta


@dataclass(frozen=True, slots=True)
class Byoyomi:
    """`20d then 5x2d`: a bank, and when it is empty `periods`, of which a turn uses up as many as it goes beyond."""

    main: timedelta
    periods: int
    period: timedelta


@dataclass(frozen=True, slots=True)
class FixedHour:
    """`next 20:00 Europe/Berlin, at least 24h`: each turn is due at the first such hour that leaves `at_least`.

    The time is calendar time: nights count, days off do not (see `LiveTime.next_hour`).
    """

    wall: time
    zone: str
    at_least: timedelta


@dataclass(frozen=True, slots=True)
class Unlimited:
    """`no limit`: a turn may take for ever."""


Control: TypeAlias = PerMove | Increment | Total | Byoyomi | FixedHour | Unlimited


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A control and the off-time of a game: what stops each seat's clock, in the seat's zone, and whether players may take vacation.

    `holidays` is a country, perhaps with a region (`DE`, `DE-BY`), or empty. Whether it exists is for others to say.
    """

    control: Control
    weekends: bool = False
    night: tuple[time, time] | None = None
    holidays: str = ""
    vacation: bool = True


def first(control: Control) -> Bank:
    """Return the bank of a seat's clock at the start of the game."""
    match control:
        case Increment() | Total():
            return Bank(control.bank)
        case Byoyomi():
            return Bank(control.main, control.periods)
        case PerMove() | FixedHour() | Unlimited():
            return Bank()
        case _:
            assert_never(control)


def allowance(control: Control, bank: Bank, since: datetime, live: LiveTime, runs: LiveTime | None = None) -> timedelta | None:
    """Return the live time that a turn may take if it begins at `since`, for a clock that holds `bank`. None means no limit.

    Only the calendar of `live` is looked at: a freeze moves the deadline and leaves the allowance as it is. `runs` is the time that counts
    until a fixed hour, if that is not `live`.
    """
    regular = LiveTime(live.calendar) if live.freezes else live
    match control:
        case PerMove():
            # only here are days civil: saved time is counted in exact hours, or two clocks that hold the same would not
            return regular.between(since, regular.days(since, control.days)) + control.hours
        case FixedHour():
            return (runs or regular).between(since, regular.next_hour(since, control.wall, control.zone, control.at_least))
        case Increment() | Total() | Byoyomi():
            return worth(control, bank)
        case Unlimited():
            return None
        case _:
            assert_never(control)


def worth(control: Control, bank: Bank) -> timedelta:
    """Return the live time that a bank is worth: all that a turn may take of it."""
    match control:
        case Byoyomi():
            return bank.time + bank.periods * control.period
        case PerMove() | Increment() | Total() | FixedHour() | Unlimited():
            return bank.time
        case _:
            assert_never(control)


def after(control: Control, bank: Bank, left: timedelta | None) -> Bank:
    """Return the bank of a seat's clock after a turn with `left` of its allowance remaining; None means that the turn had no limit.

    Time that was granted beyond a cap is kept, but does not grow. A turn that came after its time, by grace, leaves nothing.
    """
    if left is None:
        return bank
    left = max(left, NOTHING)
    match control:
        case PerMove() | FixedHour() | Unlimited():
            return Bank()
        case Increment():
            # an admin may have given more time than the cap allows; a cap stops growth and takes nothing away
            return Bank(max(left, min(control.cap, left + control.increment)))
        case Total():
            return Bank(left)
        case Byoyomi():
            main = left - bank.periods * control.period
            if main > NOTHING:
                return Bank(main, bank.periods)
            # a period that was begun is whole again for the next turn, and the last one is never used up
            return Bank(NOTHING, max(1, -(-left // control.period)))
        case _:
            assert_never(control)


def is_for_whole_game(control: Control) -> bool:
    """Return whether one bank is all the time that a seat has, so that no further turn is given any."""
    match control:
        case Total():
            return True
        case PerMove() | Increment() | Byoyomi() | FixedHour() | Unlimited():
            return False
        case _:
            assert_never(control)


def is_due_at_an_hour(control: Control) -> bool:
    """Return whether each turn is due at an hour of the day, which holds at night too."""
    match control:
        case FixedHour():
            return True
        case PerMove() | Increment() | Total() | Byoyomi() | Unlimited():
            return False
        case _:
            assert_never(control)


def parse(text: str, zone: str = "UTC") -> TimeControl:
    """Return the time control in a person's text, which may be the name of a preset. Case and spaces do not matter. Raises BadOption.

    After the control, off-time follows: `3d, no weekends, nights 22:00-07:00, holidays DE-BY, no vacation`. Its commas may be left out.

    - A bare `60d` is the time of each move, as `3d` is. The time of a whole game must be marked as such, for it takes months either way.
    - `5d+36h` without a cap has one of twice the bank: players expect to save time up, but not without end.
    - A fixed hour without a zone is in `zone`; without "at least", it leaves 24 hours.
    """
    whole, *parts = (" ".join(part.split()) for part in _usual(text).split(","))
    # the text of a preset has parts of its own, such as `at least 24h`
    whole, *more = PRESETS.get(whole.lower(), whole).split(", ")
    control = _control(whole, zone, text)
    chosen, seen = TimeControl(control), set[str]()
    for part in (*more, *parts):
        name, chosen = _with(chosen, part)
        if name in seen:
            raise BadOption(say("{text} has {name} more than once. Write it once.", name=shown(name), text=shown(text)))
        seen.add(name)
    return chosen


def _usual(text: str) -> str:
    """Return the text as it is parsed: figures for numbers, `per move` for `/move`, no full stops, commas before off-time alone."""
    text = _STOP.sub("", " ".join(text.split()))
    # `a` becomes 1 too: a pattern of `_CONTROLS` gets `per 1 day` for `per a day`
    text = _NUMERAL.sub(lambda word: str(_NUMERALS[word[0].lower()]), text)
    text = _SLASH.sub(" per ", text)
    return _OFF_TIME.sub(", ", _SECOND_PART.sub(" ", text))


_NUMERALS: Final = {"a": 1, "an": 1} | {
    word: number for number, word in enumerate("one two three four five six seven eight nine ten".split(), start=1)
}
_NUMERAL: Final = re.compile(rf"\b(?:{'|'.join(_NUMERALS)})(?= (?:weeks?|days?|hours?|minutes?|periods?)\b)", re.IGNORECASE)
_STOP: Final = re.compile(r"(?<=[a-z])\.", re.IGNORECASE)
_SLASH: Final = re.compile(r" ?/ ?(?=(?:move|turn)\b)", re.IGNORECASE)
_SECOND_PART: Final = re.compile(r" ?, ?(?=(?:(?:and )?then|and|plus) ?[0-9]|(?:cap|up to|max(?:imum)?|at most)\b)", re.IGNORECASE)
_OFF_TIME: Final = re.compile(
    r"(?<![,]) (?=no weekends?\b|no vacations?\b|nights? [0-9]|holidays? [a-z]{2}(?:\b|-)|at least [0-9])", re.IGNORECASE
)


def _control(text: str, zone: str, everything: str) -> Control:
    for pattern, make in _CONTROLS:
        if found := pattern.fullmatch(text):
            return make(found, zone)
    raise BadOption(
        say(
            "{text} isn't a time control. Write a time per move (3d), a bank that grows with every move (5d+36h cap 10d), a "
            "bank for the whole game (60d in all), a bank with periods after it (20d then 5x2d), an hour of the day (next "
            "20:00 Europe/Berlin, at least 24h), no limit, or one of these names: {presets}. "
            "Weeks are w, days d, hours h and minutes m.",
            text=shown(everything),
            presets=listing(list(PRESETS), "and"),
        )
    )


def _per_move(found: re.Match[str], _zone: str) -> PerMove:
    return PerMove(*days_and_rest(found["a"]))


def _increment(found: re.Match[str], _zone: str) -> Increment:
    bank = exact_span(found["a"])
    cap = exact_span(found["c"]) if found["c"] else min(2 * bank, LONGEST)
    if cap < bank:
        raise BadOption(say("The cap ({cap}) can't be less than the bank ({bank}).", cap=span_text(cap), bank=span_text(bank)))
    return Increment(bank, exact_span(found["b"]), cap)


def _total(found: re.Match[str], _zone: str) -> Total:
    return Total(exact_span(found["a"]))


def _byoyomi(found: re.Match[str], _zone: str) -> Byoyomi:
    main, periods, period = exact_span(found["a"]), int(found["n"]), exact_span(found["b"])
    if not 1 <= periods <= MOST_PERIODS:
        raise BadOption(say("{n} periods won't work. Choose 1 to {most}.", most=MOST_PERIODS, n=periods))
    if main + periods * period > LONGEST:
        raise BadOption(say("The bank and the periods together can't be longer than {days} days.", days=LONGEST.days))
    return Byoyomi(main, periods, period)


def _fixed_hour(found: re.Match[str], zone: str) -> FixedHour:
    # 24 hours, unless `at least` follows, which `_with` reads
    return FixedHour(_wall(found["wall"]), _known_zone(found["zone"]) if found["zone"] else zone, timedelta(hours=24))


def _unlimited(_found: re.Match[str], _zone: str) -> Unlimited:
    return Unlimited()


_AT_MOST: Final = "(?:up to|max(?:imum)?|at most)"
_DAILY: Final = "(?:daily|every day|each day)"
_WALL: Final = "(?P<wall>[0-9]{1,2}:[0-9]{2}|[0-9]{1,2}(?= o'clock))(?: o'clock)?"
# The first that fits the usual form of the text (`_usual`) is taken. SPAN takes any word as a unit: `3 games` is a time per move with a
# wrong unit, unless a pattern for it stands above.
_CONTROLS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str], Control]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), make)
    for pattern, make in (
        (rf"(?:{_AT_MOST} ?)?(?P<a>{SPAN})(?:(?:per|a|each|every) (?:move|turn))?", _per_move),
        (rf"(?P<a>{SPAN})(?:(?:and )?then|[+]|and|plus) ?(?P<n>[0-9]{{1,4}}) ?x ?(?P<b>{SPAN})", _byoyomi),
        (rf"(?P<a>{SPAN})[+] ?(?P<b>{SPAN})(?:(?:cap|{_AT_MOST}) ?(?P<c>{SPAN}))?", _increment),
        (rf"(?P<a>{SPAN})(?:in all|in total|total)", _total),
        (rf"total (?P<a>{SPAN})", _total),
        (rf"(?:next|{_DAILY}) (?:at )?{_WALL}(?: (?P<zone>\S+))?", _fixed_hour),
        # in `20:00 every day`, `every` is no zone
        (rf"(?:at )?{_WALL}(?: (?P<zone>(?!{_DAILY})\S+))? {_DAILY}", _fixed_hour),
        ("no (?:time )?limit|unlimited", _unlimited),
    )
)


def _with(chosen: TimeControl, part: str) -> tuple[str, TimeControl]:
    """Return the name of the off-time in `part`, and the time control with that off-time added."""
    if re.fullmatch("no weekends?", part, re.IGNORECASE):
        return "no weekends", replace(chosen, weekends=True)
    if re.fullmatch("no vacations?", part, re.IGNORECASE):
        return "no vacation", replace(chosen, vacation=False)
    # mail programs turn a hyphen between numbers into a dash
    if found := re.fullmatch("nights? ([0-9]{1,2}:[0-9]{2}) ?[-\u2013] ?([0-9]{1,2}:[0-9]{2})", part, re.IGNORECASE):
        return "nights", replace(chosen, night=_night(_wall(found[1]), _wall(found[2])))
    if found := re.fullmatch("holidays? ([a-z]{2}(?:-[a-z0-9]{1,3})?)", part, re.IGNORECASE):
        return "holidays", replace(chosen, holidays=found[1].upper())
    if isinstance(chosen.control, FixedHour) and (found := re.fullmatch(f"at least ({SPAN})", part, re.IGNORECASE)):
        return "at least", replace(chosen, control=replace(chosen.control, at_least=exact_span(found[1])))
    raise BadOption(
        say(
            "{text} can't follow a time control. These can: "
            "no weekends, nights 22:00-07:00, holidays DE (for a region DE-BY) and no vacation, and after an hour of the day "
            "at least 24h.",
            text=shown(part),
        )
    )


def _wall(text: str) -> time:
    hour, minute = (int(part or 0) for part in text.partition(":")[::2])
    if hour > 23 or minute > 59:
        raise BadOption(say("{text} isn't a time of day. Write it like 20:00.", text=shown(text)))
    return time(hour, minute)


def _night(begins: time, ends: time) -> tuple[time, time]:
    length = timedelta(hours=ends.hour - begins.hour, minutes=ends.minute - begins.minute) % timedelta(days=1)
    if not NOTHING < length <= LONGEST_NIGHT:
        raise BadOption(say("Nights can't end at the time they begin, and last 16 hours at most: nights 22:00-07:00."))
    return begins, ends


@cache
def zones() -> Mapping[str, str]:
    """Return the names of the time zones to choose from, by their spelling in lower case. The files are looked through once a process."""
    return {key: name for key, name in _every_zone().items() if is_place(name)}


@cache
def _every_zone() -> Mapping[str, str]:
    return {name.casefold(): name for name in available_timezones()}


def require_place(tc: TimeControl) -> None:
    """Raise BadOption if the hour of a time control is one of a zone that may not be chosen. `parse` reads it, for old games have it."""
    if isinstance(tc.control, FixedHour) and not is_place(tc.control.zone):
        raise _no_zone(tc.control.zone)


def _known_zone(name: str) -> str:
    if name.casefold() not in _every_zone():
        raise _no_zone(name)
    return _every_zone()[name.casefold()]


def _no_zone(name: str) -> BadOption:
    return BadOption(say("'{zone}' isn't a time zone. Write it like Europe/Berlin, or UTC.", zone=name[:40]))


def written(tc: TimeControl) -> str:
    """Write the time control in its one canonical form. `parse` reads it back unchanged."""
    parts = [
        _control_text(tc.control),
        "no weekends" if tc.weekends else "",
        f"nights {tc.night[0]:%H:%M}-{tc.night[1]:%H:%M}" if tc.night else "",
        f"holidays {tc.holidays}" if tc.holidays else "",
        "" if tc.vacation else "no vacation",
    ]
    return ", ".join(part for part in parts if part)


def _control_text(control: Control) -> str:
    match control:
        case PerMove():
            return (f"{control.days}d" if control.days else "") + hours_text(control.hours)
        case Increment():
            return f"{span_text(control.bank)}+{span_text(control.increment)} cap {span_text(control.cap)}"
        case Total():
            return f"{span_text(control.bank)} in all"
        case Byoyomi():
            return f"{span_text(control.main)} then {control.periods}x{span_text(control.period)}"
        case FixedHour():
            return f"next {control.wall:%H:%M} {control.zone}, at least {span_text(control.at_least)}"
        case Unlimited():
            return "no limit"
        case _:
            assert_never(control)


def described(tc: TimeControl) -> str:
    """Return the meaning of the time control, in whole sentences for players.

    The sentences stand in mails that are wrapped anywhere, and a line that begins with `move` is a command, so they speak of turns.
    """
    sentences = [
        _control_told(tc.control),
        say("The clock stands still on weekends, in each player's own time zone.") if tc.weekends else "",
        say(
            "The clock stands still at night from {begins} to {ends}, in each player's own time zone.",
            begins=f"{tc.night[0]:%H:%M}",
            ends=f"{tc.night[1]:%H:%M}",
        )
        if tc.night
        else "",
        say("The clock stands still on the public holidays of {place}.", place=tc.holidays) if tc.holidays else "",
        "" if tc.vacation else say("There is no vacation in this game."),
    ]
    return joined(" ", [sentence for sentence in sentences if sentence])


def _control_told(control: Control) -> str:
    match control:
        case PerMove():
            return say("Each turn may take {span}.", span=days_told(control.days, control.hours))
        case Increment():
            return say(
                "Each side has {bank}; every turn adds {increment}, up to {cap} in all.",
                bank=span_told(control.bank),
                increment=span_told(control.increment),
                cap=span_told(control.cap),
            )
        case Total():
            return say("Each side has {span} for the whole game.", span=span_told(control.bank))
        case Byoyomi():
            return say(
                "Each side has {main}, then {n} period of {period}. A turn that takes less doesn't use it up.",
                "Each side has {main}, then {n} periods of {period}. A turn that takes less than one uses up none.",
                main=span_told(control.main),
                n=control.periods,
                period=span_told(control.period),
            )
        case FixedHour():
            return say(
                "Each turn is due at {wall} ({zone}), on the first day that leaves at least {span} for it.",
                wall=f"{control.wall:%H:%M}",
                zone=control.zone,
                span=span_told(control.at_least),
            )
        case Unlimited():
            return say("There is no time limit.")
        case _:
            assert_never(control)
