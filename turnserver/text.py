"""Sentences that remember their template and values, so that they can be translated for each reader.

The code speaks English: `say("{square} is empty.", square="c6")` is the string `c6 is empty.`, and equal to it. It also keeps the template
and the values, and a `Tongue` makes the same sentence of them in its own language. Values that are sentences themselves are translated
too. An instant among the values is a `Moment`, which each reader is told by their own clock. Plain text (names, squares, notation, words
of players) and numbers stay as they are.

A string that is cut out of such a sentence or glued to it is plain. So sentences are put together with `say`, `listing` and `joined`.
"""

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final, Protocol, Self, TypeAlias, TypeVar, cast

Value: TypeAlias = "str | int"
"""A value in a sentence."""

Packed: TypeAlias = "str | Mapping[str, Any]"
"""A sentence as JSON. Plain text stays text."""

STEERING: Final = r"\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
"""Characters that steer a terminal or a page: control characters, line breaks and marks of direction; for a set in a regular expression."""

_STEERING = re.compile(rf"(?![\n\t])[{STEERING}]")

UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
"""The letters by which umlauts are written where a keyboard has none."""

AnyT = TypeVar("AnyT")


class Tongue(Protocol):
    """A language, as far as sentences need it."""

    @property
    def key(self) -> str:
        """The name of the language in BCP 47."""

    def template(self, template: str, plural: str, number: int) -> str:
        """Return the translation of an English template.

        `plural` is the template for any number except one, or empty if there is no number.
        """


class Words(str):
    """English text that can be translated."""

    __slots__ = ()

    @abstractmethod
    def retold(self, tongue: Tongue) -> str:
        """Return the same text in that language, as plain text."""


class Sentence(Words):
    """A sentence from a template with named places in braces, and their values. `values["n"]` is the number, if there is a `plural`."""

    __slots__ = ("plural", "template", "values")

    template: str
    plural: str
    values: Mapping[str, Value]

    def __new__(cls, template: str, plural: str = "", /, **values: Value) -> Self:
        """Fill the template in. Raise KeyError for a place without a value."""
        # by the rules of English; other languages choose by theirs
        chosen = plural if plural and values["n"] != 1 else template
        made = super().__new__(cls, chosen.format_map(values))
        made.template, made.plural, made.values = template, plural, values
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Make copies and pickles anew from template and values."""
        return unpack, (pack(self),)

    def retold(self, tongue: Tongue) -> str:
        """Return the sentence in that language; see `Words.retold`."""
        number = self.values.get("n", 1)
        template = tongue.template(self.template, self.plural, number if isinstance(number, int) else 1)
        return template.format_map(retold(self.values, tongue))

    def with_values(self, change: Callable[[str], str]) -> "Sentence":
        """Return the same sentence with every value changed that is no number."""
        changed = {name: change(value) if isinstance(value, str) else value for name, value in self.values.items()}
        return Sentence(self.template, self.plural, **changed)


say = Sentence
"""The way to write sentences. The template stands there in full, so that translators find it."""


class Moment(Words):
    """An instant in a sentence whose reader is not known yet: `2026-11-24 08:00:00 UTC`, to the second.

    `with_moments` tells it by the clock of a reader. `at` is the instant in UTC as in ISO 8601, since games read no clock.
    """

    __slots__ = ("at",)

    at: str

    def __new__(cls, at: str) -> Self:
        """Write the instant `at`, such as `2026-11-24T08:00:00+00:00`."""
        made = super().__new__(cls, f"{at[:10]} {at[11:19]} UTC")
        made.at = at
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Moment, (self.at,)

    def retold(self, tongue: Tongue) -> str:  # noqa: ARG002  # the same in every language
        """Return the instant in UTC."""
        return str(self)


class Laid(Words):
    """Text that `make` lays out from a thing with sentences in it.

    In another language, `make` lays out the translated thing; see `retold`.
    """

    __slots__ = ("make", "thing")

    thing: Any
    make: Callable[[Any], str]

    def __new__(cls, thing: AnyT, make: Callable[[AnyT], str]) -> Self:
        """Lay the text out in English; `retold` does so in other languages."""
        made = super().__new__(cls, make(thing))
        made.thing, made.make = thing, make
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Laid, (self.thing, self.make)

    def retold(self, tongue: Tongue) -> str:
        """Return the text in that language; see `Words.retold`."""
        return self.make(retold(self.thing, tongue))


def listing(words: Sequence[str], joint: str = "or") -> str:
    """Return `a, b or c`. The joint is `or` or `and`. Raise ValueError if there is nothing to list."""
    *some, last = words
    if not some:
        return last
    before = joined(", ", some)
    return say("{some} and {last}", some=before, last=last) if joint == "and" else say("{some} or {last}", some=before, last=last)


def joined(separator: str, parts: Sequence[str]) -> str:
    """Return the parts one after another. Each is translated by itself."""
    for part in parts:
        if isinstance(part, Words):
            break
    else:
        # there is nothing to translate, so plain text stays plain
        return separator.join(parts)
    named = {f"p{number}": part for number, part in enumerate(parts)}
    between = separator.replace("{", "{{").replace("}", "}}")
    return Sentence(between.join(f"{{{name}}}" for name in named), **named)


def with_texts(text: str, change: Callable[[str], str]) -> str:
    """Return text with each part changed that is no sentence of ours: all of plain text, or the values within a sentence."""
    if isinstance(text, Sentence):
        return text.with_values(lambda value: with_texts(value, change))
    return text if isinstance(text, Words) else change(text)


def with_moments(text: str, told: Callable[[str], str]) -> str:
    """Return text with each `Moment` in it as `told` by somebody's clock."""
    if isinstance(text, Moment):
        return told(text.at)
    return text.with_values(lambda value: with_moments(value, told)) if isinstance(text, Sentence) else text


def retold(thing: AnyT, tongue: Tongue) -> AnyT:
    """Return a value with every sentence within it in a language. Looks into dataclasses, tuples, lists and mappings."""
    told: Any = thing
    if isinstance(thing, Words):
        told = thing.retold(tongue)
    # a NamedTuple takes its values one by one, a plain tuple takes them as one
    elif isinstance(thing, tuple) and not hasattr(thing, "_fields"):
        told = tuple(retold(one, tongue) for one in thing)
    elif isinstance(thing, tuple):
        told = type(thing)(*(retold(one, tongue) for one in thing))
    elif isinstance(thing, list):
        told = [retold(one, tongue) for one in thing]
    elif isinstance(thing, Mapping):
        told = {name: retold(one, tongue) for name, one in thing.items()}
    elif is_dataclass(thing) and not isinstance(thing, type):
        told = replace(thing, **{one.name: retold(getattr(thing, one.name), tongue) for one in fields(thing)})
    return cast(AnyT, told)


def in_english(value: object) -> str:
    """Return words in English, for an encoder of JSON. Raises NotImplementedError for any other value, as such an encoder expects."""
    if isinstance(value, Words):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} has no form in JSON")


def steady(text: str) -> str:
    """Return text with blanks for characters that steer a terminal. Line breaks and tabs stay."""
    return _STEERING.sub(" ", text)


def escaped(json: bytes) -> bytes:
    """Return the same JSON with escapes for characters that steer a terminal. All but one of the control characters of ASCII have some."""
    if json.isascii() and b"\x7f" not in json:
        return json
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", json.decode()).encode()


def capitalised(text: str) -> str:
    """Return text with a capital letter at its beginning. Unlike with `str.capitalize`, names further on keep theirs."""
    return text[:1].upper() + text[1:]


def pack(text: str) -> Packed:
    """Return text as JSON, from which `unpack` makes the same sentence with template and values. Words of other kinds become plain text."""
    if isinstance(text, Moment):
        return {"at": text.at}
    if not isinstance(text, Sentence):
        return str(text)
    values = {name: pack(value) if isinstance(value, str) else value for name, value in text.values.items()}
    return {"say": [text.template, text.plural], "values": values}


def unpack(packed: Packed) -> str:
    """Return the text that `pack` packed."""
    if isinstance(packed, str):
        return packed
    if "at" in packed:
        return Moment(packed["at"])
    template, plural = packed["say"]
    values = {name: value if isinstance(value, int) else unpack(value) for name, value in packed["values"].items()}
    return Sentence(template, plural, **values)
