"""The event catalogue under `events/`: generate its parts, and check whether everything there still holds.

`schema/<type>.v<N>.json` is generated for the current version of each type and stays as it is for older ones, `manifest.v1.json` for
bundles. `examples/` holds one event of each type and version, written by hand. `histories/` holds recorded games. `shipped.json` lists the
parts that no later release may change.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec

from turnserver import games
from turnserver.errors import LogError, Malformed, Refusal
from turnserver.play.evolve import FindGame, fold
from turnserver.play.state import GameState, Result, Status
from turnserver.store.catalogue.handbook import handbook
from turnserver.store.catalogue.schemas import Schema, fields_of, meanings_of, schema_of
from turnserver.store.log import history, manifest
from turnserver.store.log.codec import PRODUCT, Codec


class Problem(NamedTuple):
    """A fault of the catalogue: its file below the directory of the catalogue, and how to put it right."""

    path: str
    says: str

    def __str__(self) -> str:
        return f"{self.path}: {self.says}"


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The outcome of a recorded game; `board` is the text view, line by line."""

    version: int
    status: Status
    turn: int
    edition: int
    result: Result | None
    board: tuple[str, ...]


class Heading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a recorded game: its subject and its end. The rows of its stream follow."""

    about: str
    ends: Ending


class Shipped(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A released version of an event type: the SHA-256 of its example, and of the values that each field accepts."""

    example: str
    fields: dict[str, str]


def ending(state: GameState) -> Ending:
    """Return the outcome of a game in its present state."""
    board = state.game.view.text(state.line.position, state.line.last_step)
    return Ending(state.version, state.status, state.turn, state.edition, state.result, tuple(board.splitlines()))


def read_history(text: str) -> tuple[Heading, tuple[history.Row, ...]]:
    """Return a recorded game's heading and rows. Raises Malformed for a text that is no recorded game."""
    first, _, rest = text.partition("\n")
    try:
        heading = msgspec.json.decode(first, type=Heading)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise Malformed(f"the first line is not the heading of a recorded game: {error}") from error
    return heading, history.read(rest)


def write(root: Path, codec: Codec = PRODUCT) -> list[Problem]:
    """Generate the schema of each current version and README.md below `root`. Examples and histories are not touched.

    Return a problem for each field that has no meaning. If there is one, nothing is written.
    """
    if problems := _unexplained(codec):
        return problems
    (root / "schema").mkdir(exist_ok=True)
    for path, text in _generated(root, codec).items():
        (root / path).write_text(text, encoding="utf-8")
    return []


def ship(root: Path, codec: Codec = PRODUCT) -> None:
    """Enter every type and version into `shipped.json`: to be called for a release. Raises ValueError while `check` objects."""
    if problems := check(root, codec):
        raise ValueError(f"the catalogue is not fit to be shipped: {problems[0]}")
    shipped = {name: _as_shipped(root, name) for name in _names(codec)}
    (root / "shipped.json").write_bytes(msgspec.json.format(msgspec.json.encode(shipped, order="sorted"), indent=2) + b"\n")


def check(root: Path, codec: Codec = PRODUCT, find: FindGame = games.find) -> list[Problem]:
    """Return a problem for everything in the catalogue below `root` that does not hold, in the order of the files' names."""
    found = [*_check_generated(root, codec), *_check_examples(root, codec), *_check_shipped(root, codec)]
    for path in sorted((root / "histories").glob("*.jsonl")):
        found += [Problem(f"histories/{path.name}", says) for says in _check_history(path.read_text(encoding="utf-8"), codec, find)]
    return sorted(set(found))


def _names(codec: Codec) -> list[str]:
    # the oldest version of each type first
    return [f"{current.name}.v{version}" for current in codec.types.values() for version in range(1, current.schema + 1)]


def _unexplained(codec: Codec) -> list[Problem]:
    return [
        Problem(
            f"schema/{name}.v{version}.json",
            f"cannot be generated: the field {field!r} has no meaning in FIELDS or LEAGUE_FIELDS of turnserver/store/catalogue/schemas.py",
        )
        for event, (name, version) in codec.types.items()
        for field in event.__struct_fields__
        if field not in meanings_of(name)
    ]


def _generated(root: Path, codec: Codec) -> Mapping[str, str]:
    texts = {}
    for event, current in codec.types.items():
        schema = msgspec.json.encode(schema_of(event, current))
        texts[f"schema/{current.name}.v{current.schema}.json"] = msgspec.json.format(schema, indent=2).decode() + "\n"
    examples = {path.stem: path.read_text(encoding="utf-8").strip() for path in (root / "examples").glob("*.json")}
    abouts = {path.name: _about(path) for path in sorted((root / "histories").glob("*.jsonl"))}
    bundles = msgspec.json.format(msgspec.json.encode(manifest.schema()), indent=2).decode() + "\n"
    return {**texts, "manifest.v1.json": bundles, "README.md": handbook(codec.types, examples, abouts)}


def _about(path: Path) -> str:
    try:
        return read_history(path.read_text(encoding="utf-8"))[0].about
    except LogError:
        return "unreadable"


def _check_generated(root: Path, codec: Codec) -> Iterator[Problem]:
    if problems := _unexplained(codec):
        yield from problems
        return
    for path, text in _generated(root, codec).items():
        if _read(root / path) != text:
            yield Problem(path, "differs from what the program generates; run `turnserver events write`")


def _check_examples(root: Path, codec: Codec) -> Iterator[Problem]:
    names = _names(codec)
    missing = {"schema": "is missing; run `turnserver events write`", "examples": "is missing; write it by hand, as events/README.md says"}
    for directory, says in missing.items():
        there = {path.name.removesuffix(".json") for path in (root / directory).glob("*")}
        for name in sorted(there.symmetric_difference(names)):
            yield Problem(f"{directory}/{name}.json", says if name in names else "belongs to no type and version that can be read")
    current = {f"{name}.v{schema}" for name, schema in codec.types.values()}
    for name in names:
        text = _read(root / "examples" / f"{name}.json")
        # reported as missing above
        if text is None:
            continue
        type_, _, version = name.rpartition(".v")
        try:
            stored = codec.encode(codec.decode(type_, int(version), text.removesuffix("\n")))
        except LogError as error:
            yield Problem(f"examples/{name}.json", str(error))
            continue
        # nothing writes an older version any more, so its example is not to be as it would be written today
        if name in current and f"{stored[2]}\n" != text:
            yield Problem(f"examples/{name}.json", f"is not as it would be stored, which is {stored[2]}")


def _check_history(text: str, codec: Codec, find: FindGame) -> Iterator[str]:
    try:
        heading, rows = read_history(text)
        history.prove(rows)
        ends = ending(fold((history.recorded(row, codec.decode).event for row in rows), find=find))
    except (LogError, Refusal) as error:
        yield str(error)
        return
    for field in Ending.__struct_fields__:
        # by field, so that the fault says whether the result or only the picture of the board has changed
        if getattr(ends, field) != getattr(heading.ends, field):
            yield f"the game now ends with another {field}"


def _check_shipped(root: Path, codec: Codec) -> Iterator[Problem]:
    try:
        shipped = msgspec.json.decode(_read(root / "shipped.json") or "{}", type=dict[str, Shipped])
    except msgspec.DecodeError as error:
        yield Problem("shipped.json", f"cannot be read: {error}")
        return
    for name, before in shipped.items():
        if name in _names(codec):
            yield from _compare(root, name, before)
        else:
            yield Problem(f"schema/{name}.json", "was shipped, but can no longer be read")


def _compare(root: Path, name: str, before: Shipped) -> Iterator[Problem]:
    schema, example = f"schema/{name}.json", f"examples/{name}.json"
    try:
        now, required = _as_shipped(root, name), _schema(root, name)["required"]
    except FileNotFoundError:
        # reported as missing by `_check_examples`
        return
    except (msgspec.DecodeError, KeyError) as error:
        yield Problem(schema, f"is no schema: {error!r}")
        return
    if now.example != before.example:
        yield Problem(example, "was shipped and may not change")
    for field, accepts in before.fields.items():
        if now.fields.get(field) != accepts:
            yield Problem(schema, f"was shipped with another {field!r}; give the event a new version and an upcaster")
    for field in required:
        if field not in before.fields:
            yield Problem(schema, f"was shipped without {field!r}; give that field a default, or the event a new version and an upcaster")


def _as_shipped(root: Path, name: str) -> Shipped:
    example = sha256((root / "examples" / f"{name}.json").read_bytes()).hexdigest()
    return Shipped(example, {field: sha256(accepts.encode()).hexdigest() for field, accepts in fields_of(_schema(root, name)).items()})


def _schema(root: Path, name: str) -> Schema:
    return msgspec.json.decode((root / "schema" / f"{name}.json").read_bytes(), type=Schema)


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None
