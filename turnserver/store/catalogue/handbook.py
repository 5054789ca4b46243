"""The text of `events/README.md`: every event for people, and the rules for changing the catalogue."""

from collections.abc import Iterable, Mapping
from string import Template

from turnserver.ids import Event, EventType
from turnserver.store.catalogue.schemas import FIELDS, LEAGUE_FIELDS, Schema, form, meanings_of, schema_of
from turnserver.store.log import manifest

_TEXT = Template("""\
# Event catalogue

Everything that happens in turnserver is an event in one table, `event`. This directory describes all of them, for
readers of an export as much as for programmers. It is data and not a package; a wheel carries it.

| where | what |
|---|---|
| `schema/<type>.v<N>.json` | JSON Schema of an event's `data`, generated for the current version and kept for older ones |
| `examples/<type>.v<N>.json` | one event of each type and version as it is stored, written by hand |
| `histories/*.jsonl` | whole recorded games: a heading that says how the game ends, then its rows |
| `manifest.v1.json` | JSON Schema of the manifest of a bundle, generated |
| `shipped.json` | what was released and may not change |
| `README.md` | this page, generated |

`turnserver events check` says what does not hold; `turnserver events write` generates again.

## The envelope

| column | meaning |
|---|---|
| `position` | the event's place among all events: 1, 2, ... without a gap |
| `stream` | whose history it belongs to: `game-17`, `league-3`, `player-8`, `archive-5` |
| `version` | its place in its stream: 1, 2, ... without a gap |
| `type` | the name of the event's type, as below |
| `schema` | the version of the type that `data` was written in |
| `at` | the instant at which the request or job began that wrote it: UTC, `YYYY-MM-DDTHH:MM:SS.ffffffZ` |
| `actor` | who wanted it: `player-8`, `admin:<name>` or `service` |
| `cause` | what asked for it: `mail:<identity>`, `cli:<invocation>`, `job:<name>:<key>` |
| `ordinal` | its place among the events of that cause: 0, 1, ... |
| `data` | the event itself: canonical JSON |
| `hash` | chains it to the event before it in its stream |

Canonical JSON has sorted keys, no spaces and no escapes but those that JSON demands; instants are written as `at` is;
a field at its default is left out. So an event has one text, and that text is what is stored, hashed and exported.

`hash` is the SHA-256, in hexadecimal, of: the hash of the stream's previous event (nothing before the first), a line
feed, and the JSON array `[position, stream, version, type, schema, at, actor, cause, ordinal, data]` without spaces,
`data` being a string in it, all in UTF-8. In Python, for an event from an exported game, where `data` is that string, or
from a recorded game, where it is the object:

```python
import hashlib
import json


def hash_of(event, previous=""):
    compact = {"ensure_ascii": False, "separators": (",", ":")}
    data = event["data"] if isinstance(event["data"], str) else json.dumps(event["data"], sort_keys=True, **compact)
    columns = [event[name] for name in "position stream version type schema at actor cause ordinal".split()]
    return hashlib.sha256(f"{previous}\\n{json.dumps([*columns, data], **compact)}".encode()).hexdigest()
```

## Chance

Rolls are made from a secret that the game commits to when it is opened and tells when it has ended, and from what the
seats add when they join. Which values there were, and which were drawn, is recorded; that they were drawn fairly can be
recomputed. In Python, for all events of such a game that has ended, each as above:

```python
import hashlib
import hmac
import json


def draw(key, number, below):
    value, again = 2**256, 0
    while value >= 2**256 - 2**256 % below:
        text = f"draw {number} again {again}" if again else f"draw {number}"
        value, again = int.from_bytes(hmac.digest(key, text.encode(), "sha256"), "big"), again + 1
    return value % below


def wrong_rolls(events):
    \"\"\"The rolls that do not follow from the secret: none, if all is well.\"\"\"
    texts = [(event["type"], event["data"]) for event in events]
    told = [(name, json.loads(data) if isinstance(data, str) else data) for name, data in texts]
    opened = told[0][1]
    (secret,) = [bytes.fromhex(data["secret"]) for name, data in told if name == "game.secret_revealed"]
    if hashlib.sha256(secret).hexdigest() != opened["commitment"]:
        raise ValueError("this is not the secret that the game has committed to")
    added = {data["player"]: data.get("entropy", "") for name, data in told if name == "game.invitation_accepted"}
    lines = [events[0]["stream"].replace("-", " ")] + [added.get(player, "") for player in opened["players"]]
    key = hmac.digest(secret, "\\n".join(lines).encode(), "sha256")
    rolls = [roll for _, data in told for roll in data.get("rolls", [])]
    due = [(number, draw(key, number, roll["below"])) for number, roll in enumerate(rolls, start=1)]
    return [roll for roll, expected in zip(rolls, due) if (roll["number"], roll["value"]) != expected]
```

The steps that chance may take stand side by side in the game's canonical order, each as wide as its weight; the value,
counted from 0, points at one of them, the `outcome`. Draws are counted through the whole game: turns that were taken
back keep theirs.

## Bundles

`turnserver audit export` writes the events of a game, of a league or of the whole log to a ZIP, for somebody who wants
to check them without trusting the service: see `turnserver/AUDIT.md`. It may be unpacked to a directory. Its files:

| file | what is in it |
|---|---|
$bundle_files

In `events.jsonl` streams stand one after the other, each whole and in the order of its versions: those of players, of
games, of leagues, of the archive, each kind by number. So a reader needs no more memory than one stream takes, and has
seen everything that a game depends on when it comes to the game. Every line ends with a line feed and is at most 1,048,576 bytes long;
rebuilt from its columns, with sorted keys inside `data` and without spaces, it is the same to the byte.

The leaf of an event in the tree (RFC 6962, section 2.1) has the index `position` - 1 and holds the 32 bytes of its hash.
In a bundle of the whole log positions run from 1 to the size of the tree without a gap.
$manifest_fields

A secret that a game or a league has not told yet is not in a bundle; nor are names, addresses, mails and plans.

## Privacy

No event holds a name, an address or anything that a player wrote, except moves: players are numbers, and what the
numbers stand for can be erased without touching the log.

## Events

| type | version | when |
|---|---|---|
$table

## Fields

A field means the same in every event of games and players that has it, and in every event of leagues. An *instant* is
text, written as the column `at` is; a *date* is `YYYY-MM-DD`; a *duration* is ISO 8601 in days of 24 hours and seconds,
`P1DT43200S` being 36 hours.

| field | meaning |
|---|---|
$fields

Of leagues:

| field | meaning |
|---|---|
$league_fields

$events
## Recorded games

| file in `histories/` | what happens |
|---|---|
$histories

They prove that old games are still read as they were played: each must decode, fold, and end with the board and
result in its heading, and each decision in it must still be decided the same way. `python -m tests.histories.record`
plays them again, turn by turn, and writes them; review the difference.

## Changing the catalogue

**A new type.** Write the class in `turnserver/play/events.py` or `turnserver/league/events.py` and name it in
`EVENT_TYPES` with version 1. Explain new fields in `FIELDS` or `LEAGUE_FIELDS` of `turnserver/store/catalogue/schemas.py`. Write
`examples/<type>.v1.json` and generate again.

**A new optional field.** Give it a default and keep the version. The default is not stored, so older events keep
their text. Generate again.

**Any other change of shape**, be it another name, another type, a field more or less, or one more value of an
enumeration: raise the version in `EVENT_TYPES`, and put a pure function from the old fields to the new ones under
`(type, old version)` into `UPCASTERS` of `turnserver/store/log/codec.py`. It is given and gives plain JSON values, and
chains with those before it. The schema and the example of the old version stay where they are; write an example of
the new one and generate again. Stored rows are never rewritten: they are brought up to date whenever
they are read, and their hashes hold.

**A new meaning** gets a new type.

**A release** calls `turnserver.store.catalogue.events.ship`, which enters everything into `shipped.json`. From then on an
example may not change by a byte, and a field of a version accepts what it accepted. Descriptions may improve.
""")


def handbook(types: Mapping[type[Event], EventType], examples: Mapping[str, str], histories: Mapping[str, str]) -> str:
    """Return the page for these types. `examples` maps `<type>.v<N>` to stored data, `histories` file names to their subjects."""
    schemas = {current: schema_of(event, current) for event, current in types.items()}
    return _TEXT.substitute(
        bundle_files=_rows((f"`{name}`", what) for name, what in manifest.FILES.items()),
        manifest_fields="\n".join(_fields_of(where, meanings) for where, meanings in manifest.fields().items()),
        table=_rows((f"[`{name}`](#{_anchor(name)})", str(version), _first(schema)) for (name, version), schema in schemas.items()),
        fields=_meanings(schemas, FIELDS),
        league_fields=_meanings(schemas, LEAGUE_FIELDS),
        events="\n".join(
            _section(current, schema, examples.get(f"{current.name}.v{current.schema}", "")) for current, schema in schemas.items()
        ),
        histories=_rows((f"`{name}`", about) for name, about in histories.items()),
    )


def _meanings(schemas: Mapping[EventType, Schema], meanings: Mapping[str, str]) -> str:
    # a field means something else in events of leagues, so each of the two tables has the fields of its own events
    used = {name for current, schema in schemas.items() if meanings_of(current.name) is meanings for name in schema["properties"]}
    return _rows((f"`{name}`", meanings[name]) for name in sorted(used))


def _fields_of(where: str, meanings: Mapping[str, str]) -> str:
    return f"\n| field of {where} | meaning |\n|---|---|\n{_rows((f'`{name}`', meaning) for name, meaning in meanings.items())}"


def _section(current: EventType, schema: Schema, example: str) -> str:
    definitions = schema.get("$defs", {})
    fields = _rows(
        (f"`{name}`", form(field, definitions) + ("" if name in schema["required"] else ", optional"))
        for name, field in schema["properties"].items()
    )
    return (
        f"### {current.name}\n\nVersion {current.schema}. {schema['description']}\n\n"
        f"| field | form |\n|---|---|\n{fields}\n\n```json\n{example}\n```\n"
    )


def _first(schema: Schema) -> str:
    sentence, _, _ = " ".join(schema["description"].split()).partition(". ")
    return sentence.removesuffix(".")


def _anchor(heading: str) -> str:
    # renderers drop the full stop from the heading's anchor
    return heading.replace(".", "")


def _rows(rows: Iterable[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
