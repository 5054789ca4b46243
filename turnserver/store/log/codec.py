"""Events to canonical JSON and back, through every schema version that was ever stored.

Canonical JSON has sorted keys, no spaces, and instants as `YYYY-MM-DDTHH:MM:SS.ffffffZ`, so that one event has one text: the text is
hashed, compared and never reformatted. A row of an older version is brought up to date as it is read; the row itself stays as it is.
"""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

import msgspec

from turnserver.errors import Malformed, UnknownEvent
from turnserver.ids import Event, EventType
from turnserver.league import events as league
from turnserver.play import events as play
from turnserver.records import archive
from turnserver.store.log.statement import stamp

EVENT_TYPES: Mapping[type[Event], EventType] = MappingProxyType({**play.EVENT_TYPES, **league.EVENT_TYPES, **archive.EVENT_TYPES})
"""Every event of the product, with its stored name and current schema version."""

Upcaster: TypeAlias = Callable[[Mapping[str, object]], Mapping[str, object]]
"""The fields of an event at one schema version, as JSON has them, to its fields at the next. Pure; gets and gives plain JSON values."""

Upcasters: TypeAlias = Mapping[tuple[str, int], Upcaster]
"""For each type and outdated schema version, the step to the version after it."""

UPCASTERS: Upcasters = MappingProxyType(
    {(name, version): dict for name in ("league.opened", "league.settings_changed") for version in (1, 2, 3)}
)
"""Version 2 of the settings of leagues knows more tie-breaks, 3 what a director approves, 4 which rules hold: the other fields stay."""

Encoded: TypeAlias = tuple[str, int, str]
"""A type's name, its schema version, and the event's canonical JSON."""


_as_json = msgspec.json.Encoder(order="sorted").encode
_OTHER_INSTANT: Final = re.compile(rb"T(?<=[0-9]T)[0-9]{2}:[0-9]{2}:[0-9]{2}(?!\.[0-9]{6}Z\")")
"""An instant that is not as canonical JSON has it: msgspec itself leaves out a fraction of zero, and keeps zones.

The pattern begins with a letter that is rare, so that a text is searched much faster than for any digit.
"""

_WHOLE_SECOND: Final = re.compile(rb"Z(?<=[0-9]T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)\"")
"""The end of an instant without a fraction. Nothing of it is put back, which takes longer than all the rest."""


class _Shape(NamedTuple):
    """The current version of a type, prepared once for all its events."""

    current: EventType
    event: type[Event]
    decoder: msgspec.json.Decoder[Event]


class Codec:
    """Encodes and decodes the events in `types`, reading their older versions through `upcasters`.

    Raises ValueError when made of a type whose history has a gap: a version without its upcaster, or an upcaster without its version.
    """

    __slots__ = ("_by_class", "_by_name", "_decoders", "_upcasters", "types")

    def __init__(self, types: Mapping[type[Event], EventType], upcasters: Upcasters) -> None:
        """Prepare a decoder for each type, so that reading an event costs one look-up and one parse."""
        self.types = types
        self._by_class = {event: _Shape(current, event, msgspec.json.Decoder(event)) for event, current in types.items()}
        self._by_name = {shape.current.name: shape for shape in self._by_class.values()}
        self._decoders: Mapping[tuple[str, int], msgspec.json.Decoder[Event]] = {
            shape.current: shape.decoder for shape in self._by_class.values()
        }
        self._upcasters = upcasters
        # found when the program starts, so that no event is ever stored that could not be read
        if len(self._by_name) < len(types):
            raise ValueError("two events share a name")
        outdated = {(name, version) for name, current in types.values() for version in range(1, current)}
        if astray := outdated.symmetric_difference(upcasters):
            raise ValueError(f"outdated versions and upcasters differ in {sorted(astray)}")

    def encode(self, event: Event) -> Encoded:
        """Write an event as canonical JSON that can be read back.

        Raises UnknownEvent for a class without a name, Malformed for a field that does not fit its type, such as a naive datetime.
        """
        written = self._write(event)
        try:
            # the log is for ever: text that cannot be read must never reach it
            self._by_class[type(event)].decoder.decode(written[2])
        except (msgspec.DecodeError, UnicodeError) as error:
            raise Malformed(f"{_label(*written[:2])} cannot be stored: {error}") from error
        return written

    def is_canonical(self, type_: str, schema: int, data: str) -> bool:
        """Return whether data is the one way to write its event; of an outdated version, which nothing writes any more, that JSON.

        Raises as `decode` does.
        """
        event = self.decode(type_, schema, data)
        if (type_, schema) not in self._decoders:
            return _as_json(msgspec.json.decode(data)).decode() == data
        # In the text, instants of whole seconds get their fractions much faster. Words that look like an instant get one too; then the
        # text differs from the data, whose words have none.
        text = _WHOLE_SECOND.sub(rb'.000000Z"', _as_json(event))
        return (text.decode() == data and not _OTHER_INSTANT.search(text)) or self._write(event)[2] == data

    def _write(self, event: Event) -> Encoded:
        shape = self._by_class.get(type(event))
        if shape is None:
            raise UnknownEvent(f"{type(event).__name__} has no name to be stored under")
        try:
            data = _as_json(event)
            if _OTHER_INSTANT.search(data):
                data = _as_json(_canonical(msgspec.to_builtins(event, builtin_types=(datetime,))))
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as error:
            raise Malformed(f"{_label(*shape.current)} cannot be stored: {error}") from error
        return shape.current.name, shape.current.schema, data.decode()

    def decode(self, type_: str, schema: int, data: str) -> Event:
        """Read an event of any stored version as an event of the current version.

        Raises UnknownEvent for a type, or a version of it, that this program does not know, and Malformed for data that does not fit.
        """
        decoder = self._decoders.get((type_, schema))
        try:
            return decoder.decode(data) if decoder is not None else self._decode_outdated(type_, schema, data)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise Malformed(f"{_label(type_, schema)} cannot be read: {error}") from error

    def reads(self, type_: str, schema: int) -> bool:
        """Return whether events of a type and version can be read."""
        shape = self._by_name.get(type_)
        return shape is not None and 1 <= schema <= shape.current.schema

    def _decode_outdated(self, type_: str, schema: int, data: str) -> Event:
        shape = self._by_name.get(type_)
        if shape is None:
            raise UnknownEvent(f"there is no event type {type_!r}")
        if not 1 <= schema <= shape.current.schema:
            raise UnknownEvent(f"{_label(type_, schema)} is unknown: this program reads versions 1 to {shape.current.schema}")
        fields: Mapping[str, object] = msgspec.json.decode(data, type=dict[str, object])
        for version in range(schema, shape.current.schema):
            try:
                fields = self._upcasters[type_, version](fields)
            # an upcaster is given whatever the row holds, and may fail in any way over a damaged one
            except (LookupError, TypeError, ValueError, AttributeError) as error:
                raise Malformed(f"{_label(type_, version)} cannot be brought to version {version + 1}: {error!r}") from error
        return msgspec.convert(fields, shape.event)


def _canonical(value: object) -> object:
    match value:
        case datetime():
            return stamp(value)
        case dict():
            return {key: _canonical(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_canonical(inner) for inner in value]
    return value


def _label(type_: str, schema: int) -> str:
    return f"{type_} v{schema}"


PRODUCT = Codec(EVENT_TYPES, UPCASTERS)
"""The codec of the product's own events."""

encode = PRODUCT.encode
decode = PRODUCT.decode
