"""JSON Schemas of events, from the classes and their docstrings, for readers that do not run this program."""

import inspect
import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, TypeAlias

import msgspec

from turnserver.ids import Event, EventType
from turnserver.text import listing

Schema: TypeAlias = dict[str, Any]
"""A JSON Schema, or a part of one."""

FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "act": "What the plan does: it gives the game up, or offers a draw.",
        "asked_at": "When the mail that asks for the move arrived.",
        "asked_by": "The seat that asks for the move, or that has proposed the substitute.",
        "bank": "What the seat's clock holds after the turn: time, and periods of byo-yomi; absent if nothing.",
        "began": "The day on which the game began, as `2026.11.22`, with question marks for what is not known; absent if nothing is.",
        "begins": "When clocks begin to stand still.",
        "by": "What ended the game.",
        "by_house": "Whether the house played the turn, because the time of its seat was up; absent if not.",
        "by_plan": "Whether a plan of the seat's player played the turn as soon as it could begin, so that it used no time; absent if not.",
        "claimed_at": "When the mail that asks for a decision arrived.",
        "clock": "The clock of the pending turn; null when there is none.",
        "commitment": "The SHA-256 of the secret that all chance in the game comes from; absent if there is none.",
        "course": "What happened in the game, in order, as in the `course` of a record (`turnserver/records/RECORD.md`).",
        "days": "How many days a pause is to last; absent for anything else.",
        "deadline": "When the turn in question was due.",
        "digest": "The SHA-256 of the 32 bytes of the plan's salt and, behind them, the plan on one line in canonical notation (UTF-8).",
        "ended": "The day on which the game ended, as in `began`; absent if not known.",
        "ends": "When clocks run again; null while there is no end in sight.",
        "entropy": "What the seat adds to the chance of the game: the SHA-256 of the player's words, or of what brought the answer.",
        "fields": "The names of the fields that were changed: name, address, zone.",
        "first": "The number of the earliest turn that was taken back.",
        "game": "The game's key in the catalogue of games.",
        "hours": "How many hours more there are, once for each seat of the game.",
        "granted": "Whether the claim wins the game.",
        "head": "The hash of the last event of the game's own history, as its record has it; absent if not known.",
        "kind": "Why clocks stand still, what is proposed, or how turns came to be taken back (absent: by an admin).",
        "left": "What the time of the turn had left when it arrived; absent if it had no limit.",
        "grace": "How much was left besides of time that was lent for the turn and is not saved up. Absent if nothing was.",
        "marks": "The reminders that went out or are done with, as they stand in the terms of the game.",
        "number": "The number of the freeze in its game, or of the vacation of its player: 1, 2, ...",
        "opened_by": "The player whose challenge it was; null for an admin.",
        "options": "Every option of the game, also those at their defaults.",
        "order": "How the seats were given out.",
        "outcome": "What the game came to.",
        "place": "The seat that a substitute is to be asked to take over; absent for any other proposal.",
        "player": "The player's number.",
        "players": "The players' numbers in seat order.",
        "rating": "Whose rating the result of the seat counts for: that of whoever had it before, that of the substitute, or nobody's.",
        "reason": "Why: the rules' own phrase, or an admin's words, which may be empty; or what became of a plan.",
        "received_at": "When the request reached this side, which is what the deadline judged.",
        "remind_at": "When the player is reminded next; null if not again.",
        "result": "What the game came to.",
        "revision": "Which reading of the game's rules it was opened under.",
        "rolls": "What chance decided after that, until somebody had to choose, in order.",
        "scores": "The final scores in seat order, in games that keep any.",
        "seat": "The seat that this is about: 1, 2, ...; null for every seat.",
        "secret": "The 32 bytes that all chance in the game came from, in hexadecimal.",
        "seconds": "How much time was given.",
        "steps": "The whole turn in canonical notation, step by step.",
        "terms": "What was agreed about time.",
        "to_move": "The seat that has the next turn; null when there is none.",
        "turn": "The turn's number: 1, 2, ... A turn that is played again after a retraction keeps it.",
        "winners": "The seats that won, in order; empty unless the outcome is won.",
        "zone": "The player's time zone at that moment, which weekends and nights go by in this game.",
    }
)
"""The meanings of fields. A name means the same in every event that has it, except in events of leagues."""

LEAGUE_FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "at": "When it was so: when the season began, the game of the meeting ended, or what happened did.",
        "by": "Where the result comes from.",
        "challenger": "The player who wants the place of the other.",
        "commitment": "The SHA-256 of the secret that all lots of the season come from.",
        "deadline": "When the round, or the meeting, is to be over; null if it may last.",
        "deadlines": "The meetings by their numbers, each with its new deadline and reminder; left out where there is none.",
        "digest": "The SHA-256 of the words in UTF-8, in hexadecimal.",
        "division": "The name of the division: `1`, or `2.1` if there are several in its tier.",
        "divisions": "The divisions, with their players in pairing order and the points that each begins with.",
        "entries_until": "When entries end; null if an admin says so.",
        "game": "The game's key in the catalogue of games; or the number of the game of a meeting.",
        "marks": "What the meeting was to each of its players, in their order.",
        "meeting": "The number of the meeting in its season: 1, 2, ...",
        "meetings": "The meetings that this is about: who meets, the first of them moving first; or their numbers.",
        "moves": "Who is in which tier now, and was in which before, and why.",
        "name": "What the league is called.",
        "next_at": "When the next season is announced; null if it is not by itself.",
        "odd_first": "Whether odd pairing numbers move first where nothing else decides.",
        "options": "The options of its games, as far as they were chosen.",
        "place": "The place in the pairing order of the division, 1 being the first.",
        "places": "Who came first, second, ... at a table of more than two, in the players' order; absent for two, and if nobody did.",
        "player": "The player's number.",
        "players": "The players' numbers: the best first, the one who moves first first, or those that this is about.",
        "points": "How many points are taken, as exact text: `1` or `1/2`.",
        "role": "What the player may direct: all of the league, results and games, or players and mail to them.",
        "rating": "What the player's rating was; or whose rating the results of the games count for that go on.",
        "reason": "Why: an admin's words, which may be empty.",
        "remind_at": "When players who have not finished their games are reminded; left out if nobody is.",
        "round": "The number of the round in its division: 1, 2, ...; on a ladder, the month of the season, of 30 days each; left out for "
        "lots that are not about one.",
        "season": "The number of the season in its league: 1, 2, ...",
        "secret": "The 32 bytes that all lots of the season came from, in hexadecimal.",
        "settings": "How seasons are played, everything spelled out but what is as usual.",
        "start": "The points that the player begins with, as exact text.",
        "starts_at": "When the season starts; left out if that is when entries have ended.",
        "struck": "Whether neither the player nor their results are in the table any more.",
        "substitute": "The number of the player who plays on.",
        "tables": "The final table of each division.",
        "tier": "The tier, 1 being the top.",
        "time": "How games are clocked; empty for what is usual here.",
        "worth": "The points of the bye, as exact text.",
        "seconds": "So many seconds later, or earlier if negative.",
        "approved_at": "When that holds without a director; null or left out if never.",
        "until": "When the answers must have arrived.",
    }
)
"""The same for events of leagues, whose name begins with `league.`."""

_LEAGUE = "league."

INSTANT = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$"
"""The form of a written instant: in UTC, to the microsecond."""


@cache
def schema_of(event: type[Event], current: EventType) -> Schema:
    """Return the JSON Schema (draft 2020-12) of an event's data. The same class gives the same schema, key for key.

    Raises KeyError for a field that `meanings_of` does not explain.
    """
    generated = msgspec.json.schema(event)
    definitions = _finished(generated["$defs"])
    own = definitions.pop(generated["$ref"].rpartition("/")[2])
    meanings = meanings_of(current.name)
    properties = {name: {"description": meanings[name], **field} for name, field in own["properties"].items()}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{current.name}, version {current.schema}",
        "description": _prose(event.__doc__ or ""),
        "type": "object",
        "properties": properties,
        "required": own["required"],
        "additionalProperties": own["additionalProperties"],
    }
    return {**schema, "$defs": definitions} if definitions else schema


def meanings_of(name: str) -> Mapping[str, str]:
    """Return the meanings of the fields of the event type that is stored under that name."""
    return LEAGUE_FIELDS if name.startswith(_LEAGUE) else FIELDS


def fields_of(schema: Schema) -> dict[str, str]:
    """Return the accepted values of each field of a schema as a text to compare: its definition with references resolved, without prose."""
    # whether a field is required is part of what it accepts; its description is not, and may improve after a release
    required = schema["required"]
    return {
        name: msgspec.json.encode([name in required, _bare(field, schema.get("$defs", {}))], order="sorted").decode()
        for name, field in schema["properties"].items()
    }


def form(field: Schema, definitions: Schema) -> str:
    """Return the form of a field in JSON, in a few words: `integer or null`."""
    match field:
        case {"anyOf": list() as choices}:
            return " or ".join(form(choice, definitions) for choice in choices)
        case {"$ref": str() as reference}:
            return form(definitions[reference.rpartition("/")[2]], definitions)
        case {"enum": list() as values}:
            return f"one of {', '.join(repr(value) for value in values)}".replace("'", '"')
        # before the types: a format says more than the type of text that it belongs to
        case {"format": "date-time"}:
            return "instant"
        case {"format": "date" | "duration" as kind}:
            return str(kind)
        case {"type": "array", "items": dict() as items}:
            return f"array of {form(items, definitions)}"
        case {"type": "object", "properties": dict() as inner}:
            return f"object with {listing([f'`{name}`' for name in inner], 'and')}"
        case {"type": "object", "additionalProperties": dict() as values}:
            return f"object of {form(values, definitions)}"
    return str(field["type"])


def _finished(part: Any) -> Any:  # noqa: ANN401  # JSON
    match part:
        case {"type": "string", "format": "date-time"}:
            return {**part, "pattern": INSTANT}
        case dict():
            return {key: _prose(value) if key == "description" else _finished(value) for key, value in part.items()}
        case list():
            return [_finished(inner) for inner in part]
    return part


def _prose(docstring: str) -> str:
    """Return a docstring without its indentation, with null for None."""
    return re.sub(r"\bNone\b", "null", inspect.cleandoc(docstring))


def _bare(part: Any, definitions: Schema) -> Any:  # noqa: ANN401  # JSON
    match part:
        case {"$ref": str() as reference}:
            return _bare(definitions[reference.rpartition("/")[2]], definitions)
        case dict():
            return {key: _bare(value, definitions) for key, value in part.items() if key not in ("description", "title")}
        case list():
            return [_bare(inner, definitions) for inner in part]
    return part
