"""Sentences that remember how they were made, so that whoever reads them can be told the same in another language.

The code speaks English: `say("{square} is empty.", square="c6")` is the string `c6 is empty.`, and equal to it. It also keeps the template
and the values, and a `Tongue` makes the same sentence of them in its own language. Values that are sentences themselves are told in that
language too; plain text (names, squares, notation, what players wrote) and numbers stay as they are.

What is cut out of such a string or glued to it is a plain string again. So sentences are put together with `say`, `listing` and `joined`.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Protocol, Self, TypeAlias, TypeVar, cast

Value: TypeAlias = "str | int"
"""What stands in a sentence."""

Packed: TypeAlias = "str | Mapping[str, Any]"
"""A sentence as JSON; plain text stays text."""

AnyT = TypeVar("AnyT")


class Tongue(Protocol):
    """A language, as far as sentences need it."""

    @property
    def key(self) -> str:
        """What BCP 47 calls it."""

    def template(self, template: str, plural: str, number: int) -> str:
        """What stands for an English template; `plural` is the one for any number but one, or empty if there is no number."""


class Words(str):
    """English text that can be told in other languages."""

    __slots__ = ()

    @abstractmethod
    def retold(self, tongue: Tongue) -> str:
        """The same in that language, as plain text."""


class Sentence(Words):
    """Made from a template with named places in braces, and what stands there. `values["n"]` is the number, if there is a `plural`."""

    __slots__ = ("plural", "template", "values")

    template: str
    plural: str
    values: Mapping[str, Value]

    def __new__(cls, template: str, plural: str = "", /, **values: Value) -> Self:
        """Fill the template in. Raises KeyError for a place without a value."""
        chosen = plural if plural and values["n"] != 1 else template
        made = super().__new__(cls, chosen.format_map(values))
        made.template, made.plural, made.values = template, plural, values
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are made anew from template and values."""
        return unpack, (pack(self),)

    def retold(self, tongue: Tongue) -> str:
        """See `Words.retold`."""
        number = self.values.get("n", 1)
        template = tongue.template(self.template, self.plural, number if isinstance(number, int) else 1)
        return template.format_map(retold(self.values, tongue))

    def with_texts(self, change: Callable[[str], str]) -> "Sentence":
        """The same sentence with every plain text in it changed."""
        changed = {name: with_texts(value, change) if isinstance(value, str) else value for name, value in self.values.items()}
        return Sentence(self.template, self.plural, **changed)


say = Sentence
"""How sentences are written: the template stands there in full, so that those who translate find it."""


class Laid(Words):
    """Text laid out by `make` from a thing that has sentences in it, and anew of what they are in another language; see `retold`."""

    __slots__ = ("make", "thing")

    thing: Any
    make: Callable[[Any], str]

    def __new__(cls, thing: AnyT, make: Callable[[AnyT], str]) -> Self:
        """In English until it is told in another language."""
        made = super().__new__(cls, make(thing))
        made.thing, made.make = thing, make
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Laid, (self.thing, self.make)

    def retold(self, tongue: Tongue) -> str:
        """See `Words.retold`."""
        return self.make(retold(self.thing, tongue))


def listing(words: Sequence[str], joint: str = "or") -> str:
    """`a, b or c`; the joint is `or` or `and`. Raises ValueError for nothing to list."""
    *some, last = words
    if not some:
        return last
    before = joined(", ", some)
    return say("{some} and {last}", some=before, last=last) if joint == "and" else say("{some} or {last}", some=before, last=last)


def joined(separator: str, parts: Sequence[str]) -> str:
    """The parts one after another, each to be told in another language by itself."""
    if not any(isinstance(part, Words) for part in parts):
        return separator.join(parts)
    named = {f"p{number}": part for number, part in enumerate(parts)}
    between = separator.replace("{", "{{").replace("}", "}}")
    return Sentence(between.join(f"{{{name}}}" for name in named), **named)


def with_texts(text: str, change: Callable[[str], str]) -> str:
    """Text with everything changed that is nobody's sentence: all of plain text, the values within a sentence."""
    if isinstance(text, Sentence):
        return text.with_texts(change)
    return text if isinstance(text, Words) else change(text)


def retold(thing: AnyT, tongue: Tongue) -> AnyT:
    """A value with every sentence within it told in a language; looks into dataclasses, tuples, lists and mappings."""
    told: Any = thing
    if isinstance(thing, Words):
        told = thing.retold(tongue)
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


def pack(text: str) -> Packed:
    """Text as JSON of which `unpack` makes the same text, template, values and all; words of other kinds become plain text."""
    if not isinstance(text, Sentence):
        return str(text)
    values = {name: pack(value) if isinstance(value, str) else value for name, value in text.values.items()}
    return {"say": [text.template, text.plural], "values": values}


def unpack(packed: Packed) -> str:
    """What `pack` packed."""
    if isinstance(packed, str):
        return packed
    template, plural = packed["say"]
    values = {name: value if isinstance(value, int) else unpack(value) for name, value in packed["values"].items()}
    return Sentence(template, plural, **values)
