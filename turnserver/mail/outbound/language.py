"""The languages of mails and of commands.

A language is a directory `templates/languages/<key>/`, the key being that of BCP 47. `language.toml` has its name, the line at the top of
our mails, and the commands as its speakers write them. `*.po` are gettext catalogues of everything that is said. `rules/<game>.md` are rule
sheets. Missing texts are said in English, in which the code is written and which needs no catalogue. Catalogues are read as they are: to
add a language or mend a sentence, edit a file.
"""

import gettext
import re
import textwrap
import unicodedata
from collections.abc import Mapping
from datetime import datetime, time, timedelta, tzinfo
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Final, Self, cast

import msgspec
from babel import Locale, UnknownLocaleError
from babel.dates import format_datetime
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from turnserver import resources
from turnserver.config.reading import read_toml
from turnserver.errors import ConfigError
from turnserver.mail.format.mime import MARKER
from turnserver.play.clock.live_time import zone_of
from turnserver.play.events import TurnClock
from turnserver.text import AnyT, Sentence, Tongue, Words, joined, retold, say, with_moments, with_texts

ENGLISH: Final = "en"
_FILE: Final = "language.toml"


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A language, a `turnserver.text.Tongue`.

    `name` is what its speakers call it, `names` are other names, and `marker` is the line at the top of our mails. The other fields say how
    its speakers write commands. For each English command, `lines` are its whole lines, `words` its first words, and `arguments` the words
    behind these. `yes` and `no` are words that answer a question, `beside` are words that may stand beside them, and `terms` words that
    limit an answer above them, or take it back. `joining` are words that say yes only to the question whether somebody will play. `asking`
    are several words each, which make a question of the line that they begin. `courtesy` are words that may stand beside a yes that cannot
    be taken back. `greetings` begin a mail, with a name behind them.
    """

    key: str
    name: str
    names: tuple[str, ...] = ()
    marker: str = MARKER
    lines: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    words: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    arguments: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType({})
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    joining: tuple[str, ...] = ()
    asking: tuple[str, ...] = ()
    courtesy: tuple[str, ...] = ()
    greetings: tuple[str, ...] = ()

    def template(self, template: str, plural: str, number: int) -> str:
        """Return the template in this language; see `Tongue`. Raises ConfigError naming the file that is no catalogue."""
        found = _catalogue(self.key)
        return found.ngettext(template, plural, number) if plural else found.gettext(template)

    def say(self, template: str, plural: str = "", /, **values: str | int) -> str:
        """Return a sentence of a template of ours, in this language."""
        return self.told(Sentence(template, plural, **values))

    def told(self, thing: AnyT) -> AnyT:
        """Return a value with every sentence in it in this language; see `turnserver.text.retold`."""
        if self.key != ENGLISH:
            return retold(thing, self)
        # all is in English already
        return cast(AnyT, str(thing)) if isinstance(thing, Words) else thing

    def rules(self, game: str) -> str | None:
        """Return the rule sheet of a game in Markdown, None if there is none in this language."""
        path = resources.languages_dir() / self.key / "rules" / f"{game}.md"
        return path.read_text(encoding="utf-8") if path.is_file() else None


@cache
def languages() -> Mapping[str, Language]:
    """Return all languages by key, English first. Raises ConfigError naming the file that has a mistake."""
    others = map(_language, sorted(resources.languages_dir().glob(f"*/{_FILE}")))
    return MappingProxyType({ENGLISH: Language(ENGLISH, "English"), **{one.key: one for one in others}})


def _language(path: Path) -> Language:
    try:
        found = msgspec.convert(read_toml(path), Language)
        # asked here, since nothing can be said without its plurals, and no moment told without its dates
        Locale.parse(found.key, sep="-")
    except msgspec.ValidationError as error:
        raise ConfigError(f"The file {path} describes no language: {error}.") from error
    except (UnknownLocaleError, ValueError) as error:
        raise ConfigError(
            f"The file {path} has a key that names no language whose dates we can write. "
            "Give it, and its folder, the key of one that Babel knows, such as eo or pt-BR, or move the folder away."
        ) from error
    return found


def language(key: str) -> Language:
    """Return the language with that key, English if there is none."""
    return languages().get(key) or languages()[ENGLISH]


def named(text: str) -> Language | None:
    """Return the language with this key or name, in any case, or None."""
    word = text.strip().casefold()
    return next((one for one in languages().values() if word in map(str.casefold, (one.key, one.name, *one.names))), None)


@cache
def _catalogue(key: str) -> gettext.NullTranslations:
    found = gettext.NullTranslations()
    for path in sorted((resources.languages_dir() / key).glob("*.po")):
        # gettext reads compiled catalogues only, so each file is compiled in memory. Babel writes `pt_BR` where BCP 47 writes `pt-BR`.
        compiled = BytesIO()
        try:
            with path.open("rb") as file:
                write_mo(compiled, read_po(file, locale=key.replace("-", "_")))
            compiled.seek(0)
            one = gettext.GNUTranslations(compiled)
        except ValueError as error:
            raise ConfigError(f"The file {path} is no catalogue of sentences: {error}.") from error
        # All files of a language are one catalogue: what one file lacks is looked up in the others.
        one.add_fallback(found)
        found = one
    return found


COLUMNS: Final = 72
LONGEST_NAME: Final = 60
LONGEST_SPEECH: Final = 4000
_HOUR: Final = "HH"
_SECOND: Final = "ss"
# Unicode categories: control, format (with marks of direction), surrogate, private use, unassigned, line and paragraph separators.
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


class Instant(Words):
    """A moment of local time, written by a pattern of Unicode TR 35. Every language has its own pattern.

    In the hour that comes twice a year the offset from UTC stands behind it: `Sun 31 Oct, 02:30 +01:00`.
    """

    __slots__ = ("at", "pattern")

    at: datetime
    pattern: Sentence

    def __new__(cls, at: datetime, pattern: Sentence) -> Self:
        """Write the moment in English; `retold` writes it in other languages."""
        made = super().__new__(cls, _formatted(at, pattern, ENGLISH))
        made.at, made.pattern = at, pattern
        return made

    def retold(self, tongue: Tongue) -> str:
        """Return the moment in another language; see `Words.retold`."""
        return _formatted(self.at, self.pattern.retold(tongue), tongue.key)


def _formatted(at: datetime, pattern: str, language: str) -> str:
    # Without seconds, all moments of a minute are told alike.
    told = at.replace(tzinfo=None, microsecond=0) if _SECOND in pattern else at.replace(tzinfo=None, second=0, microsecond=0)
    # An instant equals the same one in another zone, and in an hour that comes twice another one.
    return _of_minute(told, at.tzinfo, at.fold, pattern, language)


@lru_cache(maxsize=2000)
def _of_minute(told: datetime, zone: tzinfo | None, fold: int, pattern: str, language: str) -> str:
    # One moment is told many times: in text and page, to everybody at a table, and in all games in which something happens in its minute.
    at = told.replace(tzinfo=zone, fold=fold)
    # Only a pattern that shows the hour needs the offset.
    exact = f"{pattern} xxx" if _HOUR in pattern and _comes_twice(at) else pattern
    return format_datetime(at, exact, tzinfo=zone, locale=Locale.parse(language, sep="-"))


def _comes_twice(at: datetime) -> bool:
    # In an hour that comes twice, only its offset from UTC tells one from the other.
    return at.replace(fold=1 - at.fold).utcoffset() != at.utcoffset()


def one_line(text: str, longest: int = LONGEST_NAME) -> str:
    """Return text from a person on one line: control, direction and line characters become spaces, runs of spaces one, and the rest is cut.

    In a sentence of ours, this is done to each value in it.
    """
    if isinstance(text, Words):
        return with_texts(text, lambda part: one_line(part, longest))
    # None of these characters is printable, and hardly a text has one.
    visible = text if text.isprintable() else "".join(" " if unicodedata.category(char) in _HIDDEN else char for char in text)
    line = " ".join(visible.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def lines_of(text: str) -> str:
    """Return text from a person with its line breaks kept, each line made safe as in `one_line`, and blank lines dropped."""
    lines = (one_line(line, LONGEST_SPEECH) for line in text[:LONGEST_SPEECH].splitlines())
    return "\n".join(line for line in lines if line)


_BEFORE_A_QUOTE: Final = re.compile(r' (?=["„“«»「『])')
_QUOTE: Final = re.compile(r'"[^"]{1,50}"|„[^“]{1,50}“|«[^»]{1,50}»')
_TIE: Final = "\N{WORD JOINER}"


def wrap(text: str, first: str = "", rest: str = "") -> str:
    """Fill paragraphs to 72 columns. `first` stands before the first line of each and `rest` before its others. Line breaks are kept."""
    # Moves such as `d3-d4` are not broken at the hyphen, nor are quoted commands, which people copy. No line begins with a quoted word: by
    # itself it would read as a command.
    return "\n".join(_filled(line, first, rest) for line in text.splitlines())


def _filled(line: str, first: str, rest: str) -> str:
    # Most lines are short, and to fill one that need not be takes fifty times longer.
    if len(first) + len(line) <= COLUMNS and line.isprintable() and line == line.strip() != "":
        return first + line
    tied = _BEFORE_A_QUOTE.sub(_TIE, _QUOTE.sub(lambda quote: quote[0].replace(" ", _TIE), line))
    room = COLUMNS - max(len(first), len(rest))
    # of several quotes in a row, or one behind a long word, a line has room only if they may be broken
    tied = " ".join(run if len(run) <= room else _QUOTE.sub(lambda quote: quote[0].replace(_TIE, " "), run) for run in tied.split(" "))
    return textwrap.fill(tied, COLUMNS, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False).replace(_TIE, " ")


def date_and_time(at: datetime, zone: str) -> str:
    """Return `Tuesday 24 November 2026, 08:00 (Europe/Berlin)`. The minute is the one that has begun."""
    return _in_zone(Instant(at.astimezone(zone_of(zone)), say("EEEE d MMMM y, HH:mm")))


def short_time(at: datetime, zone: str) -> str:
    """Return `Tue 24 Nov, 08:00`."""
    return Instant(at.astimezone(zone_of(zone)), say("EEE d MMM, HH:mm"))


def time_of_day(at: datetime, zone: str) -> str:
    """Return `08:00`."""
    return Instant(at.astimezone(zone_of(zone)), say("HH:mm"))


def deadline_time(at: datetime, zone: str) -> str:
    """Return `Tue 24 Nov, 08:00 (Europe/Berlin)`, for the line of a mail that names a deadline first."""
    return _in_zone(Instant(at.astimezone(zone_of(zone)), say("EEE d MMM, HH:mm")))


def exact_time(at: datetime, zone: str) -> str:
    """Return a deadline as `deadline_time` does, with its seconds unless it is on a full minute: `Tue 24 Nov, 08:00:15 (Europe/Berlin)`."""
    if not at.second:
        return deadline_time(at, zone)
    return _in_zone(Instant(at.astimezone(zone_of(zone)), say("EEE d MMM, HH:mm:ss")))


def by_clock(text: str, zone: str) -> str:
    """Return text with every moment in it by the clock of a reader in that zone."""
    return with_moments(text, lambda at: exact_time(datetime.fromisoformat(at), zone))


def _in_zone(time: Instant) -> str:
    return say("{time} ({zone})", time=time, zone=str(time.at.tzinfo))


def beginning(at: datetime, zone: str) -> str:
    """Return the beginning of something long: `Thu 1 Jul 2027` for the beginning of a day, else with the time."""
    return day(at, zone) if _is_midnight(at, zone) else full_time(at, zone)


def ending(at: datetime, zone: str) -> str:
    """Return the end of something long: `the end of Wed 14 Jul 2027` where it is midnight, else with the time."""
    # An hour before midnight lies in the day that ends.
    return say("the end of {day}", day=day(at - timedelta(hours=1), zone)) if _is_midnight(at, zone) else full_time(at, zone)


def _is_midnight(at: datetime, zone: str) -> bool:
    local = at.astimezone(zone_of(zone))
    return local.time() == time() and not local.fold  # a midnight that comes again, as in Havana, begins no day


def day(at: datetime, zone: str) -> str:
    """Return `Thu 1 Jul 2027`."""
    return Instant(at.astimezone(zone_of(zone)), say("EEE d MMM y"))


def full_time(at: datetime, zone: str) -> str:
    """Return `Tue 24 Nov 2026, 08:00`, for a time that may lie in another year."""
    return Instant(at.astimezone(zone_of(zone)), say("EEE d MMM y, HH:mm"))


def listed_time(at: datetime, zone: str) -> str:
    """Return `2026-11-24 08:00`, or as its language writes it in as many characters, for a column of times."""
    return Instant(at.astimezone(zone_of(zone)), say("y-MM-dd HH:mm"))


def record_time(at: datetime, zone: str) -> str:
    """Return `2026-11-24 08:00`, or `2027-10-31 02:30+01:00` in the hour that comes twice."""
    local = at.astimezone(zone_of(zone))
    return local.isoformat(" ", "minutes") if _comes_twice(local) else f"{local:%Y-%m-%d %H:%M}"


def span(length: timedelta) -> str:
    """Return a span in its two largest units, rounded down: `2 days 23 hours`, `5 hours 10 minutes`, `less than a minute`."""
    minutes = int(length.total_seconds()) // 60
    days, hours = divmod(minutes // 60, 24)
    parts = (in_days(days), in_hours(hours)) if days else (in_hours(hours), in_minutes(minutes % 60))
    return joined(" ", [part for part in parts if part]) or say("less than a minute")


def time_left(length: timedelta) -> str:
    """Return a span as `span` does, but to the nearest hour, or to the nearest minute within a day.

    So a mail that leaves seconds after it was written still says `3 days`.
    """
    minutes = timedelta(minutes=round(length / timedelta(minutes=1)))
    return span(minutes if minutes < timedelta(days=1) else timedelta(hours=round(minutes / timedelta(hours=1))))


def until(deadline: datetime, now: datetime) -> str:
    """Return `in 2 days 23 hours`, or that the time is up."""
    return say("in {span}", span=time_left(deadline - now)) if deadline > now else say("the time is up")


def time_to_move(clock: TurnClock, now: datetime) -> str:
    """Return the sentence that asks somebody for their move, and tells the time that is left: `Your move, 3 days left.`."""
    if clock.time is None:
        return say("Your move; there is no time limit.")
    if clock.deadline is None:
        return say("Your move; your clock stands still.")
    if clock.deadline <= now:
        return say("Your move; your time is up.")
    return say("Your move, {span} left.", span=time_left(clock.deadline - now))


def when_due(clock: TurnClock, deadline: str, now: datetime | None = None) -> str:
    """Return the due time of a turn, to stand behind a comma: the `deadline` in the reader's words, and the time from `now` until then."""
    if clock.time is None:
        return say("without a limit of time")
    if clock.deadline is None:
        return say("the clock stands still")
    if now is None:
        return say("until {deadline}", deadline=deadline)
    return say("until {deadline}, {left}", deadline=deadline, left=until(clock.deadline, now))


def in_days(number: int) -> str:
    """Return `1 day`, `2 days`, or an empty text for none."""
    return say("{n} day", "{n} days", n=number) if number else ""


def in_hours(number: int) -> str:
    """Return `1 hour`, `2 hours`, or an empty text for none."""
    return say("{n} hour", "{n} hours", n=number) if number else ""


def in_minutes(number: int) -> str:
    """Return `1 minute`, `2 minutes`, or an empty text for none."""
    return say("{n} minute", "{n} minutes", n=number) if number else ""


def counted(number: int, noun: str) -> str:
    """Return `1 turn`, `2 turns`, in English only: for admins."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
