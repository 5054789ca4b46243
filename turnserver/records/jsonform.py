"""A record as JSON, for programs. Its schema is `record.schema.json`, which `make docs` writes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from turnserver.errors import BadRecord
from turnserver.records.check import canonical
from turnserver.records.course import Wrong
from turnserver.records.record import Record, is_day
from turnserver.text import in_english

SCHEMA: Final = Path(__file__).parent / "record.schema.json"


def write(record: Record) -> str:
    """Return the record as indented JSON, in English like every file."""
    return msgspec.json.format(msgspec.json.encode(record, enc_hook=in_english), indent=2).decode() + "\n"


def split(text: str) -> Iterator[tuple[int, Record | BadRecord]]:
    """Yield each game of a text, an object or an array of them, with its number from 1: its canonical record, or its problem."""
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        yield 1, BadRecord(None, f"This is no JSON: {error}")
        return
    except RecursionError:
        yield 1, BadRecord(None, "This is no record: no JSON of a record goes as deep as this")
        return
    for number, one in enumerate(found if isinstance(found, list) else [found], start=1):
        yield number, _record(one)


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a record."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A game of turnserver", **msgspec.json.schema(Record)}


def schema_text() -> str:
    """Return the content of `record.schema.json`."""
    return msgspec.json.format(msgspec.json.encode(schema()), indent=2).decode() + "\n"


def _record(found: object) -> Record | BadRecord:
    try:
        record = msgspec.convert(found, Record)
        for day in (record.date, record.ended):
            # the form alone is in the schema, which knows no calendar
            if not is_day(day):
                return BadRecord(None, f"A day is such as 2026.11.22, not {day!r}")
        return canonical(record)
    except msgspec.ValidationError as error:
        return BadRecord(None, str(error))
    except Wrong as error:
        return BadRecord(None, f"Item {error.index + 1} of its course: {error}" if error.index is not None else str(error))


if __name__ == "__main__":
    SCHEMA.write_text(schema_text(), encoding="utf-8")
