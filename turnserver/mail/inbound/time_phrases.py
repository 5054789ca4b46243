"""The phrases that players may write about time, and the readers of their arguments."""

import re
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from itertools import islice, product
from typing import Final, NamedTuple, TypeAlias

from babel import Locale

from turnserver.errors import NotAllowed
from turnserver.mail.inbound.synonyms import any_of, synonyms
from turnserver.mail.inbound.wording import Worded
from turnserver.mail.outbound.language import languages
from turnserver.text import UMLAUTS, say


@dataclass(frozen=True, slots=True)
class Pause(Worded):
    """Propose a pause of some days: `pause 14 days`. None means the usual number."""

    days: int | None = None

    def __str__(self) -> str:
        return "pause" if self.days is None else f"pause {_count(self.days, 'day')}"


class Resume(Worded):
    """End the pause."""


class Reopen(Worded):
    """Offer to play on in a game that was lost on time."""


@dataclass(frozen=True, slots=True)
class Give(Worded):
    """Give the opponent some hours for the pending turn: `give 2 days`."""

    hours: int

    def __str__(self) -> str:
        return f"give {_count(self.hours, 'hour') if self.hours % 24 else _count(self.hours // 24, 'day')}"


class Nudge(Worded):
    """Ask the player who has the turn for the move."""


class DayOfYear(NamedTuple):
    """A day without its year: `10.3.`."""

    month: int
    day: int

    def after(self, today: date) -> date:
        """Return the first such day from `today` on, or the last of all days if the calendar ends before it."""
        those = (_date(year, *self) for year in range(today.year, today.year + _LEAP))
        return next((each for each in those if each and each >= today), date.max)

    def before(self, last: date) -> date:
        """Return the last such day up to `last`, or the first of all days if the calendar begins after it."""
        those = (_date(year, *self) for year in range(last.year, last.year - _LEAP, -1))
        return next((each for each in those if each and each <= last), date.min)


class NoDay(NamedTuple):
    """A day that does not exist, as it was written: `2027-02-29`."""

    text: str


@dataclass(frozen=True, slots=True)
class Vacation(Worded):
    """Ask about the sender's vacations, declare one, or end one.

    A vacation lasts from the `first` day to the `last` one, or for some `days` from now on. `off` ends the vacation with that `number`, or
    else the current one.
    """

    first: date | DayOfYear | NoDay | None = None
    last: date | DayOfYear | NoDay | None = None
    days: int | None = None
    off: bool = False
    number: int | None = None

    def __str__(self) -> str:
        if self.first is not None and self.last is not None:
            return f"vacation {_day_text(self.first)} to {_day_text(self.last)}"
        if self.off:
            return f"vacation off {self.number or ''}".rstrip()
        return "vacation" if self.days is None else f"vacation {_count(self.days, 'day')}"

    @property
    def asks(self) -> bool:
        """True if it only asks and changes nothing."""
        return self == Vacation()

    def whole_days(self, today: date) -> tuple[date, date] | None:
        """Return the first and the last day; None unless both were named. Days without a year are the next ones.

        Refuses (`no_such_day`, `last_day_first`) a day that does not exist, and a last day before the first.
        """
        match self.first, self.last:
            case (NoDay() as missing, _) | (_, NoDay() as missing):
                raise _no_such_day(missing.text)
            case date() as first, date() as last if first > last:
                raise _last_day_first(first, last)
            case date() as first, date() as last:
                return first, last
            case date() as first, DayOfYear() as last:
                return first, _near(last.after(first), first, last)
            # the vacation may be under way: then its first day lies before today
            case DayOfYear() as first, date() as last:
                return _near(first.before(last), last, first), last
            case DayOfYear() as first, DayOfYear() as last:
                ends = last.after(today)
                begins = _near(first.before(ends), ends, first)
                # over New Year a vacation is shorter than that
                if first > last and ends - begins > _HALF_A_YEAR:
                    raise _last_day_first(first, last)
                return begins, ends
            case _:
                return None


def _near(found: date, other: date, wanted: DayOfYear) -> date:
    """Return the found day, unless it is `wanted` in another year than the one that lies beside the `other` day."""
    if abs(found - other) <= _A_YEAR or found in (date.min, date.max):
        return found
    # a leap day, which the years beside the other day do not have
    year, there = other.year, DayOfYear(other.month, other.day)
    if found < other and wanted > there:
        year -= 1
    elif found > other and wanted < there:
        year += 1
    raise _no_such_day(f"{year}-{wanted.month:02}-{wanted.day:02}")


def _last_day_first(first: date | DayOfYear, last: date | DayOfYear) -> NotAllowed:
    # `14.7.` ends in the full stop of the sentence
    days = {"first": _day_text(first).removesuffix("."), "last": _day_text(last)}
    return NotAllowed("last_day_first", say("{last} is before {first}. Write the first day first, then the last.", **days))


def _no_such_day(day: str) -> NotAllowed:
    return NotAllowed("no_such_day", say("{day} does not exist. Choose another day.", day=day))


TimeDeed: TypeAlias = Pause | Resume | Nudge | Reopen
"""Commands that change the clocks of the game that the mail is about."""

_FILLERS: Final = ("for", "of")
_ONE: Final = ("a", "an", "one")
_LONGEST_NUMBER: Final = 4
_CENTURY: Final = 2000
_ORDINAL: Final = r"(?:\.|st\b|nd\b|rd\b|th\b)?"
_MOST_DAYS: Final = 2
_DASHES: Final = {0x2013: "-", 0x2014: "-"}
_ENDS: Final = " .,!"
_DOTS: Final = {0x131: "i", 0x307: None}
"""Makes one `i` of those with and without a dot, in lower case, as a pattern that ignores case takes them all for one."""
_LEAP_YEAR: Final = 2000
_A_YEAR: Final = timedelta(days=366)
_HALF_A_YEAR: Final = timedelta(days=183)
_LEAP: Final = 9
"""The number of years in which each day of the year comes at least once: 1900 was no leap year."""

_UNITS: Final = {"day": 1, "days": 1, "week": 7, "weeks": 7}
_HOURS: Final = {"hour": 1, "hours": 1, "day": 24, "days": 24, "week": 168, "weeks": 168}
_RECEIVERS: Final = ("them", "him", "her")
_MORE: Final = "more"


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"


def span_in_days(text: str) -> int | None:
    """Return the number of days in `10 days`, `10`, `for 2 weeks` or `a week`, in any language. None if it is no such span."""
    words = _english(text, "pause")
    match words[1:] if words[:1] and words[0] in _FILLERS else words:
        case [number]:
            unit = "days"
        case [number, unit]:
            pass
        case _:
            return None
    count = 1 if number in _ONE else int(number) if _is_number(number) else None
    return None if count is None or unit not in _UNITS else count * _UNITS[unit]


def read_vacation(argument: str, _games: frozenset[str]) -> Vacation | None:
    """Read `2027-07-01 to 2027-07-14`, `1 to 14 July`, `10 days`, `off` or `off 2`. Return None for anything else."""
    words = argument.casefold().split()
    if words[:1] and (words[0] == "off" or words[0] in synonyms().argument("vacation", "off")):
        rest = words[1:]
        return Vacation(off=True, number=int(rest[0]) if rest else None) if all(map(_is_number, rest)) and len(rest) < 2 else None
    span = span_in_days(argument)
    if span is not None:
        return Vacation(days=span)
    days, between = _both_days(argument)
    joint = synonyms().argument("vacation", "to") | synonyms().argument("vacation", "until") | {"-"}
    begins = synonyms().argument("vacation", "from")
    words = between.casefold().translate(_DASHES).replace(",", " ").split()
    match days:
        case [first, last] if set(words) <= {word for each in joint | begins for word in each.split()}:
            return Vacation(first, last)
    return None


def _both_days(argument: str) -> tuple[list[date | DayOfYear | NoDay], str]:
    """Return the days that are named, and the words around them. Of `1 to 14 July`, both are days of July."""
    # one more than there may be, so that a third day is noticed
    found = list(islice(_days().finditer(argument), _MOST_DAYS + 1))
    days = [_day(each) for each in found]
    if len(found) == 1:
        before, after = _bare_day()
        (whole,), (day,) = days, found
        if not argument[day.end() :].strip(_ENDS) and (bare := before.fullmatch(argument[: day.start()])):
            return [_of_month(bare, whole), whole], ""
        if bare := after.fullmatch(argument[day.end() :]):
            return [whole, _of_month(bare, whole)], argument[: day.start()]
    return days, _days().sub(" ", argument)


@cache
def _bare_day() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of a day without a month, before and behind one with a month: `from 1 to`, and `to the 14th, 2027`."""
    joint = synonyms().argument("vacation", "to") | synonyms().argument("vacation", "until") | {"-", *map(chr, _DASHES)}
    # in English by now, but for single words: `to zum`
    to = rf"(?:(?:{any_of({'the', *(word for each in joint for word in each.split())})})\s*)+"
    number = rf"(?P<day>[0-9]{{1,2}}){_ORDINAL}\s*"
    return (
        re.compile(rf"\s*(?:(?:{any_of(synonyms().argument('vacation', 'from'))})\s+)?{number}{to}", re.IGNORECASE),
        re.compile(rf"\s*{to}{number}(?:,?\s*(?P<year>[0-9]{{4}}))?[\s{_ENDS}]*", re.IGNORECASE),
    )


def _of_month(bare: re.Match[str], whole: date | DayOfYear | NoDay) -> date | DayOfYear | NoDay:
    """Return the day of a number in the month of a whole day, and in its year unless a year follows the number."""
    if isinstance(whole, NoDay):
        # one of the two is told anyway
        return whole
    written = bare.groupdict().get("year")
    year = int(written) if written else whole.year if isinstance(whole, date) else None
    day, month = int(bare["day"]), whole.month
    return _named(year, month, day) or NoDay(f"{day}.{month}." if year is None else f"{year}-{month:02}-{day:02}")


@cache
def _days() -> re.Pattern[str]:
    """Return the pattern of a day: `2027-07-01`, `1.7.2027`, `1.7.27`, `1.7.`, `1. Juli`, `1 July 27`, `July 1st, 2027`."""
    name = any_of(_months())
    # behind a day, two figures are its year unless another day begins with them
    alone = rf"\b(?!\.? ?(?:[0-9]|{name}))"
    return re.compile(
        r"(?P<y1>[0-9]{4})-(?P<m1>[0-9]{1,2})-(?P<d1>[0-9]{1,2})"
        r"|(?P<d2>[0-9]{1,2})\. ?(?P<m2>[0-9]{1,2})(?:\. ?(?P<y2>[0-9]{4})|\.(?P<short2>[0-9]{2})|\.?)(?![0-9])"
        rf"|(?P<d3>[0-9]{{1,2}}){_ORDINAL} ?(?:of )?(?P<m3>{name})\b\.?"
        rf"(?:,? (?:(?P<y3>[0-9]{{4}})\b|'?(?P<short3>[0-9]{{2}}){alone}))?"
        rf"|\b(?P<m4>{name})\b\.? (?P<d4>[0-9]{{1,2}})(?![0-9]){_ORDINAL}"
        rf"(?:,? (?:(?P<y4>[0-9]{{4}})\b|'?(?P<short4>[0-9]{{2}}){alone}))?",
        re.IGNORECASE,
    )


@cache
def _months() -> Mapping[str, int]:
    """Return the numbers of the months by their names and abbreviations in all languages, in lower case and without a full stop.

    A name that means one month here and another there is left out.
    """
    found = defaultdict[str, set[int]](set)
    for key, width in product(languages(), ("wide", "abbreviated")):
        for number, name in Locale.parse(key, sep="-").months["format"][width].items():
            word = _folded(name).rstrip(".")
            found[word].add(number)
            found[word.translate(UMLAUTS)].add(number)
    return {word: number for word, (number, *others) in found.items() if not others}


def _day(found: re.Match[str]) -> date | DayOfYear | NoDay:
    """Return the day that `_days` has found."""
    part = {name.rstrip("1234"): _folded(text) for name, text in found.groupdict().items() if text is not None}
    month, day = _months().get(part["m"]) or int(part["m"]), int(part["d"])
    year = _CENTURY + int(part["short"]) if "short" in part else int(part["y"]) if "y" in part else None
    return _named(year, month, day) or NoDay(found[0])


def _named(year: int | None, month: int, day: int) -> date | DayOfYear | None:
    if year is not None:
        return _date(year, month, day)
    return DayOfYear(month, day) if _date(_LEAP_YEAR, month, day) else None


def _folded(text: str) -> str:
    return text.casefold().translate(_DOTS)


def _date(year: int, month: int, day: int) -> date | None:
    with suppress(ValueError):
        return date(year, month, day)
    return None


def _day_text(day: date | DayOfYear | NoDay) -> str:
    match day:
        case date():
            return day.isoformat()
        case DayOfYear():
            return f"{day.day}.{day.month}."
        case NoDay():
            return day.text


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= _LONGEST_NUMBER


def read_end(argument: str, _games: frozenset[str]) -> Vacation | None:
    """Read `end vacation 2`."""
    words = argument.casefold().split()
    match words:
        case ["vacation", number] if _is_number(number):
            return Vacation(off=True, number=int(number))
    return None


def _english(argument: str, command: str) -> list[str]:
    # an English command takes `tage` as well
    return synonyms().in_english(command, " ".join(argument.casefold().split())).split()


def read_give(argument: str, _games: frozenset[str]) -> Give | None:
    """Read `2 days`, `them 12 hours`, `a week more`."""
    words = _english(argument, "give")
    words = words[words[:1] != [] and words[0] in _RECEIVERS :]
    match [word for at, word in enumerate(words) if at == 0 or word != _MORE]:
        case [number, unit] if unit in _HOURS and (number in _ONE or _is_number(number)):
            return Give((1 if number in _ONE else int(number)) * _HOURS[unit])
    return None


def read_pause(argument: str, _games: frozenset[str]) -> Pause | None:
    """Read `14 days`."""
    days = span_in_days(argument)
    return None if days is None else Pause(days)
