"""Declaring a game's options: a frozen dataclass of fields made by `choice`, `whole`, `one_of` and `flag`, which validates itself."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from typing import Any, Literal, TypeAlias, assert_never, cast

from turnserver.errors import BadOption
from turnserver.text import joined, listing, say

Value: TypeAlias = str | int | bool

Phrase: TypeAlias = Callable[[Any], str]
"""Says the value of an option to players."""

_FLAGS = {"yes": True, "on": True, "true": True, "1": True, "no": False, "off": False, "false": False, "0": False}
_NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """Facts about an option.

    `choices` belongs to a choice. `low` and `high` (both included) belong to a whole number, which is one of `numbers` if there are any.
    `phrase` says a value to players; without it, they read the name and the value.
    """

    name: str
    kind: Literal["choice", "whole", "flag"]
    default: Value
    doc: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    numbers: tuple[int, ...] = ()
    phrase: Phrase | None = None

    @property
    def allowed(self) -> str:
        """The allowed values as a phrase: `standard or high-churn`, `2 to 8`, `yes or no`."""
        match self.kind:
            case "choice":
                return listing(self.choices)
            case "whole" if self.numbers:
                return listing([str(number) for number in self.numbers])
            case "whole":
                return say("{low} to {high}", low=self.low, high=self.high)
            case "flag":
                return listing(["yes", "no"])
            case _:
                assert_never(self.kind)

    def allows(self, value: object) -> bool:
        """Return whether the option may have this value. True is not a number and 1 is not a flag."""
        if self.kind == "choice":
            return value in self.choices
        if self.kind == "whole":
            # `isinstance` would take True for the number 1
            return type(value) is int and (value in self.numbers if self.numbers else self.low <= value <= self.high)
        return type(value) is bool

    def refuse(self, value: object) -> BadOption:
        """Return the error for a value that the option cannot have."""
        return BadOption(
            say("The option {name} can't be {value}. Choose {allowed}.", name=self.name, value=shown(value), allowed=self.allowed)
        )

    def read(self, text: str) -> Value:
        """Return the value that a text stands for, which may not be an allowed one. Raises BadOption."""
        word = text.strip().lower()
        if self.kind == "choice":
            return word
        if self.kind == "whole" and _NUMBER.fullmatch(word):
            return int(word)
        if self.kind == "flag" and word in _FLAGS:
            return _FLAGS[word]
        raise self.refuse(text)


def choice(default: str, choices: Sequence[str], doc: str, phrase: Phrase | None = None) -> Any:  # noqa: ANN401  # like dataclasses.field, it stands for the field's own type
    """Declare an option that is one of several words."""
    return field(default=default, metadata={"kind": "choice", "choices": tuple(choices), "doc": doc, "phrase": phrase})


def whole(default: int, low: int, high: int, doc: str, phrase: Phrase | None = None) -> Any:  # noqa: ANN401  # like dataclasses.field, it stands for the field's own type
    """Declare an option that is a whole number from `low` to `high`."""
    return field(default=default, metadata={"kind": "whole", "low": low, "high": high, "doc": doc, "phrase": phrase})


def one_of(default: int, numbers: Sequence[int], doc: str, phrase: Phrase | None = None) -> Any:  # noqa: ANN401  # like dataclasses.field, it stands for the field's own type
    """Declare an option that is one of several whole numbers."""
    low, high = min(numbers), max(numbers)
    return field(
        default=default, metadata={"kind": "whole", "low": low, "high": high, "numbers": tuple(numbers), "doc": doc, "phrase": phrase}
    )


def flag(default: bool, doc: str, phrase: Phrase | None = None) -> Any:  # noqa: ANN401, FBT001  # like dataclasses.field; the default is the whole point of the argument
    """Declare an option that is either on or off."""
    return field(default=default, metadata={"kind": "flag", "doc": doc, "phrase": phrase})


def describe(options: type[Any]) -> tuple[OptionInfo, ...]:
    """Return the options of a dataclass of options, in the order of their declaration."""
    return tuple(OptionInfo(name=one.name, default=cast(Value, one.default), **one.metadata) for one in fields(options))


def validate(options: object) -> None:
    """Raise BadOption unless every field holds a value that its declaration allows."""
    for info in describe(type(options)):
        value = getattr(options, info.name)
        if not info.allows(value):
            raise info.refuse(value)


def in_words(options: Mapping[str, Value]) -> str:
    """Return chosen options as a phrase: `variant standard, betting yes, stake 11`."""
    return ", ".join(f"{name} {written(value)}" for name, value in options.items())


def written(value: Value) -> str:
    """Return a value as people write it: `yes` and `no` for flags."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def told(options: object) -> str:
    """Return the options of a game as players read them: `standard, 5 cells along each side`."""
    chosen = ((info, getattr(options, info.name)) for info in describe(type(options)))
    return joined(", ", [info.phrase(value) if info.phrase else in_words({info.name: value}) for info, value in chosen])


def typed(options: type[Any], texts: Mapping[str, str]) -> dict[str, Value]:
    """Turn text such as `{"size": "5"}` into typed values of the options. Raises BadOption for text that cannot be read."""
    known = {info.name: info for info in describe(options)}
    check_names(options, texts)
    return {name: known[name].read(text) for name, text in texts.items()}


def check_names(options: type[Any], names: Mapping[str, Any]) -> None:
    """Raise BadOption, with a suggestion, if a name in `names` is not an option."""
    known = [info.name for info in describe(options)]
    for name in names:
        if name not in known:
            raise BadOption(_no_option(name, known))


def closest(word: str, known: Sequence[str]) -> str | None:
    """Return the one of the `known` words that was probably meant; None if no word is near."""
    return next(iter(get_close_matches(word.lower(), known, n=1)), None)


def shown(value: object) -> str:
    """Return a value from outside, quoted and cut to a length that fits into a sentence."""
    text = " ".join(str(value).split())
    return say('"{text}"', text=text if len(text) <= 40 else f"{text[:40]}...")


def _no_option(name: str, known: Sequence[str]) -> str:
    meant = closest(name, known)
    if not known:
        return say("There is no option {name}. This game has no options.", name=shown(name))
    options = listing(known, "and")
    if meant is None:
        return say("There is no option {name}. The options are {options}.", name=shown(name), options=options)
    return say(
        'There is no option {name}. Did you mean "{meant}"? The options are {options}.', name=shown(name), meant=meant, options=options
    )
