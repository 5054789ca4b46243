"""The settings of a player, how they are written, and how they are shown: one table, for mail and for the command line."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import time
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, assert_never

import msgspec

from turnserver.errors import BadOption
from turnserver.mail.inbound.synonyms import synonyms
from turnserver.mail.outbound.context import Setting, Way
from turnserver.mail.outbound.language import language, languages, named
from turnserver.play.clock.controls import zones
from turnserver.service.people.names import check_chosen
from turnserver.store.people.accounts import Person, Preferences, Public, Quiet
from turnserver.text import joined, listing, say

OFF: Final = "off"
"""The value of a setting that is not wanted, as it is written."""

_ON: Final = frozenset({"on", "yes", "true"})
_OFF: Final = frozenset({"off", "no", "none", "false", "never"})
_TIME: Final = re.compile(r"([0-9]{1,2})(?:[:.]([0-9]{2}))? ?(?:(am|pm)|o'clock)?")
_BETWEEN: Final = re.compile(r" ?(?:-|\bto\b|\buntil\b|\band\b) ?")
_NOON: Final = 12


class _Choice(NamedTuple):
    """One setting: its group, its label, its purpose, the texts that may be written, and some of them; none stands for all languages.

    `read` reads such a text, or returns None if it cannot. `show` returns the present value as text. A setting that is `closed` has no
    other values than its examples.
    """

    group: str
    label: str
    about: str
    may_be: str
    some: tuple[str, ...]
    read: Callable[[str], object]
    show: Callable[[Person], str]
    closed: bool = False

    @property
    def examples(self) -> tuple[str, ...]:
        """Return texts that may be written, each of another value."""
        # languages are read when they are asked for: a mistake in one must not keep this module from being imported
        return self.some or tuple(one.name for one in languages().values())


class Field(NamedTuple):
    """A setting to be chosen in a form: its English name, what it is called, for, and set to. `few` are its values if they are few."""

    name: str
    label: str
    about: str
    value: str
    few: tuple[str, ...]


def check_zone(zone: str) -> str:
    """Return the name of a time zone such as `Europe/Berlin`, in any case and with spaces for underscores. Raises BadOption."""
    wanted = "_".join(zone.casefold().split())
    found = zones().get(wanted)
    if found is None:
        near = sorted(name for key, name in zones().items() if wanted and wanted in key)[:3]
        if not near:
            raise BadOption(say("'{zone}' isn't a time zone. Write it like Europe/Berlin, or UTC.", zone=zone))
        if len(near) == 1:
            raise BadOption(say("'{zone}' isn't a time zone, but {name} is.", zone=zone, name=near[0]), f"set zone {near[0]}")
        raise BadOption(say("'{zone}' isn't a time zone. Did you mean {names}?", zone=zone, names=_either(near)))
    return found


def check_language(text: str) -> str:
    """Return the key of a language that somebody calls by its key or its name. Raises BadOption."""
    found = named(text)
    if found is None:
        names = [f"{one.name} ({one.key})" for one in languages().values()]
        sentence = say("Our mails don't come in '{text}'. Choose {languages}.", text=text, languages=listing(names))
        raise BadOption(sentence)
    return found.key


def _either(names: Sequence[str]) -> str:
    some = names[0]
    for name in names[1:]:
        some = say("{some} or {last}", some=some, last=name)
    return some


def changed(person: Person, wanted: Sequence[tuple[str, str]]) -> Person:
    """Return the account with the named settings at the values beside them. Raises BadOption for a setting or value that there is not."""
    for name, text in wanted:
        value, chosen = _read(name.casefold(), text), person.preferences
        if name.casefold() == "zone":
            person = msgspec.structs.replace(person, zone=value)
            continue
        values = {"calendar_edition": chosen.calendar_edition + 1} if value is _ANEW else {name.casefold(): value}
        person = msgspec.structs.replace(person, preferences=msgspec.structs.replace(chosen, **values))
    return person


def differing(one: Person, other: Person) -> tuple[str, ...]:
    """Return the names of the settings that two states of an account differ in, in alphabetical order."""
    found = {name for name, choice in CHOICES.items() if choice.show(one) != choice.show(other)}
    anew = one.preferences.calendar_edition != other.preferences.calendar_edition
    return tuple(sorted(found | ({"calendar"} if anew else set())))


def values(person: Person) -> dict[str, str]:
    """Return every setting of a player as it is written in English."""
    return {name: str(choice.show(person)) for name, choice in CHOICES.items()}


def fields(person: Person) -> tuple[Field, ...]:
    """Return every setting of a player, for a form."""
    return tuple(
        Field(name, choice.label, choice.about, choice.show(person), choice.examples if choice.closed else ())
        for name, choice in CHOICES.items()
    )


def listed(person: Person) -> tuple[Setting, ...]:
    """Return every setting of a player with the ways to change it, for a mail. Subscribing has words of its own and is left out."""
    return tuple(
        Setting(
            choice.group,
            choice.label,
            choice.show(person),
            choice.about,
            tuple(Way(each, say("set {name} {value}", name=choice.label, value=each)) for each in _ways(choice, person)),
        )
        for name, choice in CHOICES.items()
        if name != "subscribed"
    )


def _ways(choice: _Choice, person: Person) -> tuple[str, ...]:
    # To set what holds already would change nothing. The short one comes first: four words of ours in a row are taken for a quotation.
    return tuple(each for each in choice.examples if each != choice.show(person)) or choice.examples


def _read(name: str, text: str) -> object:
    choice = CHOICES.get(name)
    if choice is None:
        near = get_close_matches(name, CHOICES, 1)
        every = joined(", ", [one.label for one in CHOICES.values()])
        raise BadOption(
            say(
                "There is no setting '{name}'; the settings are {all}. Did you mean {near}?",
                name=name,
                all=every,
                near=CHOICES[near[0]].label,
            )
            if near
            else say("There is no setting '{name}'; the settings are {all}.", name=name, all=every)
        )
    value = choice.read(" ".join(text.split()))
    if value is None:
        message = say("The setting {name} can't be '{text}'. It can be {may_be}.", text=text, name=choice.label, may_be=choice.may_be)
        raise BadOption(message)
    return None if value is _NEVER else value


class _Never:
    """The value that reading `off` gives for a setting that is then without a value."""


class _Anew:
    """The value that reading `new` gives for a setting that has a secret, which is replaced then."""


_NEVER: Final = _Never()
_ANEW: Final = _Anew()


def _switch(text: str) -> bool | None:
    word = text.casefold()
    return True if word in _ON else False if word in _OFF else None


def _calendar(text: str) -> bool | _Anew | None:
    return _ANEW if text.casefold() == "new" else _switch(text)


def _one_of(*words: str) -> Callable[[str], str | None]:
    return lambda text: text.casefold() if text.casefold() in words else None


def _hour(text: str) -> time | _Never | None:
    return _NEVER if text.casefold() in _OFF else _time(text)


def _quiet(text: str) -> Quiet | _Never | None:
    if text.casefold() in _OFF:
        return _NEVER
    ends = [_time(part) for part in _BETWEEN.split(text.casefold().removeprefix("from ").removeprefix("between "))]
    match ends:
        # The same time twice could be the whole day or no time at all.
        case [time() as begin, time() as end] if begin != end:
            return Quiet(begin, end)
    return None


def _time(text: str) -> time | None:
    """Return a time of the day as people write it: 18:00, 18.00, 18, 6pm."""
    found = _TIME.fullmatch(text.casefold())
    if found is None:
        return None
    hour, minute, half = int(found[1]), int(found[2] or 0), found[3]
    if half:
        if not 1 <= hour <= _NOON:
            return None
        # 12am is midnight, and 12pm is noon.
        hour = hour % _NOON + (_NOON if half == "pm" else 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _receipts(text: str) -> str | None:
    on = _switch(text)
    return _one_of("first", "digest")(text) if on is None else "on" if on else "off"


def _public(text: str) -> Public | None:
    # a form shows these words in the language of its player, and sends them back so
    words = {meant: synonyms().argument("set", meant) for meant in ("off", "name", "as")}
    first, _, pseudonym = text.partition(" ")
    if first.casefold() in words["as"] and pseudonym:
        return Public("as", check_chosen(pseudonym))
    if text.casefold() in words["name"]:
        return Public("name")
    return Public() if text.casefold() in words["off"] | _OFF else None


def _shown_public(public: Public) -> str:
    match public.how:
        case "off":
            return say("off")
        case "name":
            return say("name")
        case "as":
            return say("as {pseudonym}", pseudonym=public.pseudonym)
        case _:
            assert_never(public.how)


def _shown_switch(name: Literal["reminders", "calendar", "subscribed", "subjects"]) -> Callable[[Person], str]:
    return lambda person: say("on") if getattr(person.preferences, name) else say("off")


def _shown_quiet(preferences: Preferences) -> str:
    quiet = preferences.quiet
    return f"{quiet.begins:%H:%M}-{quiet.ends:%H:%M}" if quiet else say("off")


_ON_OR_OFF: Final = (say("on"), say("off"))
_LOOK: Final = say("How our mails look:")
_TIMES: Final = say("Which mails come, and when:")
_PUBLIC: Final = say("What others can read:")

CHOICES: Final[Mapping[str, _Choice]] = MappingProxyType(
    {
        "language": _Choice(
            _LOOK,
            say("language"),
            say("Commands in English always work too."),
            say("the name of a language"),
            (),
            check_language,
            lambda person: language(person.preferences.language).name,
            closed=True,
        ),
        "zone": _Choice(
            _LOOK,
            say("zone"),
            say("For all times in our mails, and those you set here."),
            say("a time zone such as Europe/Berlin, or UTC"),
            ("UTC", "Europe/Berlin"),
            check_zone,
            lambda person: person.zone,
        ),
        "mail": _Choice(
            _LOOK,
            say("mail"),
            say("With html you get pictures of the board, with text none."),
            say("html or text"),
            (say("html"), say("text")),
            _one_of("html", "text"),
            lambda person: {"html": say("html"), "text": say("text")}[person.preferences.mail],
            closed=True,
        ),
        "board": _Choice(
            _LOOK,
            say("board"),
            say("The size of these pictures. Small ones load fast."),
            say("small, medium or large"),
            (say("small"), say("medium"), say("large")),
            _one_of("small", "medium", "large"),
            lambda person: {"small": say("small"), "medium": say("medium"), "large": say("large")}[person.preferences.board],
            closed=True,
        ),
        "subjects": _Choice(
            _LOOK,
            say("subjects"),
            say("Subjects end in what you have to do. Off helps if threads fall apart."),
            say("on or off"),
            _ON_OR_OFF,
            _switch,
            _shown_switch("subjects"),
            closed=True,
        ),
        "digest": _Choice(
            _TIMES,
            say("digest"),
            say("One mail a day at that time. What can't wait comes at once."),
            say("off, or a time such as 18:00"),
            (say("off"), "18:00"),
            _hour,
            lambda person: f"{person.preferences.digest:%H:%M}" if person.preferences.digest else say("off"),
        ),
        "quiet": _Choice(
            _TIMES,
            say("quiet"),
            say("Only answers, a digest at its hour and what can't wait come between these times. Reminders come earlier."),
            say("off, or two different times such as 22:00-07:00"),
            (say("off"), "22:00-07:00"),
            _quiet,
            lambda person: _shown_quiet(person.preferences),
        ),
        "reminders": _Choice(
            _TIMES,
            say("reminders"),
            say("A mail when your time for a move is running out."),
            say("on or off"),
            _ON_OR_OFF,
            _switch,
            _shown_switch("reminders"),
            closed=True,
        ),
        "receipts": _Choice(
            _TIMES,
            say("receipts"),
            say("A short mail that confirms a move, with the time to undo it; first: only for your first moves here."),
            say("first, on, digest or off"),
            (say("first"), say("on"), say("digest"), say("off")),
            _receipts,
            lambda person: {"first": say("first"), "on": say("on"), "digest": say("digest"), "off": say("off")}[
                person.preferences.receipts
            ],
            closed=True,
        ),
        "calendar": _Choice(
            _TIMES,
            say("calendar"),
            say("Deadlines come as calendar entries; answers to your moves remove them."),
            say("on, off or new"),
            _ON_OR_OFF,
            _calendar,
            _shown_switch("calendar"),
            closed=True,
        ),
        "public": _Choice(
            _PUBLIC,
            say("public"),
            say(
                "Strangers read your number on our pages (off), your name, or a pseudonym. With these two you have a page there, "
                "with your games, results and ratings. Those you play with always read your name."
            ),
            say("off, name, or as and a pseudonym"),
            (say("name"), say("as {pseudonym}", pseudonym=say("Blue Fox")), say("off")),
            _public,
            lambda person: _shown_public(person.preferences.public),
        ),
        "subscribed": _Choice(
            _TIMES,
            say("subscribed"),
            say("With on, you get all mail; with off, only answers to your own."),
            say("on or off"),
            _ON_OR_OFF,
            _switch,
            _shown_switch("subscribed"),
            closed=True,
        ),
    }
)
"""Every setting by its name, in the order in which they are shown."""
