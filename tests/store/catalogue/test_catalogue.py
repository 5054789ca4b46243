"""The event catalogue: everything in `events/` holds, and whatever doesn't is named with what to do about it."""

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from jsonschema import Draft202012Validator, ValidationError  # type: ignore[import-untyped]  # ships no types

from tests.cases import for_each
from turnserver import resources
from turnserver.ids import Event, EventType, PlayerId
from turnserver.play.events import PlayerEdited, PlayerRegistered
from turnserver.store.catalogue import events as catalogue
from turnserver.store.catalogue.events import Problem
from turnserver.store.catalogue.schemas import FIELDS, LEAGUE_FIELDS, meanings_of
from turnserver.store.log.codec import EVENT_TYPES, PRODUCT, UPCASTERS, Codec

pytestmark = pytest.mark.thorough

EVENTS = resources.events_dir()
EXAMPLES = sorted(path.stem for path in (EVENTS / "examples").glob("*.json"))


def schema(name: str) -> Any:
    return msgspec.json.decode((EVENTS / "schema" / f"{name}.json").read_bytes())


def example(name: str) -> Any:
    return msgspec.json.decode((EVENTS / "examples" / f"{name}.json").read_bytes())


def stored_events() -> Iterator[tuple[str, Any]]:
    """Each example and each row of the recorded games: its type with its version, and its data."""
    for name in EXAMPLES:
        yield name, example(name)
    for path in (EVENTS / "histories").glob("*.jsonl"):
        for row in map(msgspec.json.decode, path.read_text(encoding="utf-8").splitlines()[1:]):
            yield f"{row['type']}.v{row['schema']}", row["data"]


def test_the_catalogue_holds() -> None:
    assert catalogue.check(EVENTS) == []


def test_every_type_and_version_has_its_schema_and_example() -> None:
    named = {f"{name}.v{version}" for name, current in EVENT_TYPES.values() for version in range(1, current + 1)}
    assert set(EXAMPLES) == named
    assert {path.stem for path in (EVENTS / "schema").glob("*.json")} == named


def test_every_stored_event_fits_its_schema() -> None:
    for name, data in stored_events():
        Draft202012Validator(schema(name)).validate(data)


INSTANTS = ("2026-03-02T18:04:07Z", "2026-03-02T18:04:07.000000+00:00", "2026-03-02 18:04:07.000000Z", "soon", 1772474647, None)


def spoiled(name: str) -> Iterator[Any]:
    """Yield what no event of the type looks like: a field less, a field more, a field of a wrong type, an instant in another form."""
    good, definition = example(name), schema(name)
    yield [good]
    yield {**good, "surprise": 1}
    for field, value in good.items():
        if field in definition["required"]:
            yield {other: good[other] for other in good if other != field}
        yield {**good, field: {"wrong": []}}
        if str(value).endswith("Z"):
            optional = {"type": "null"} in definition["properties"][field].get("anyOf", ())
            yield from ({**good, field: other} for other in INSTANTS if other is not None or not optional)
        if re.fullmatch("[0-9a-f]{64}", str(value)):
            yield from ({**good, field: other} for other in (value[:-1], f"{value}0", f"{value}\n", value.upper()))
        if isinstance(value, dict) and field != "options":
            yield {**good, field: {**value, "surprise": 1}}
            instants = [inner for inner in value if str(value[inner]).endswith("Z")]
            yield from ({**good, field: {**value, inner: other}} for inner in instants for other in INSTANTS if other is not None)


@for_each("name", EXAMPLES)
def test_a_schema_refuses_what_is_no_event(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    for wrong in spoiled(name):
        with pytest.raises(ValidationError):
            Draft202012Validator(schema(name)).validate(wrong)


@pytest.mark.parametrize("meanings", [FIELDS, LEAGUE_FIELDS], ids=["games", "leagues"])
def test_every_field_is_explained_and_nothing_else_is(meanings: Mapping[str, str]) -> None:
    explained = (event for event, (name, _) in EVENT_TYPES.items() if meanings_of(name) is meanings)
    assert {field for event in explained for field in event.__struct_fields__} == set(meanings)


def test_the_handbook_shows_every_type_field_example_and_history() -> None:
    text = (EVENTS / "README.md").read_text(encoding="utf-8")
    newest = {f"{name}.v{version}" for name, version in EVENT_TYPES.values()}
    for name in newest:
        type_, _, version = name.rpartition(".v")
        section = text.partition(f"\n### {type_}\n")[2].partition("\n### ")[0]
        assert section.startswith(f"\nVersion {version}. ")
        assert (EVENTS / "examples" / f"{name}.json").read_text(encoding="utf-8") in section
        for field in example(name):
            assert f"| `{field}` | " in section
            assert f"| `{field}` | {meanings_of(type_)[field]} |" in text
    for path in (EVENTS / "histories").glob("*.jsonl"):
        assert f"| `{path.name}` | {catalogue.read_history(path.read_text(encoding='utf-8'))[0].about} |" in text


@pytest.fixture(scope="module")
def one_history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The catalogue with one of its histories: whether all of them hold is asked once, by the first test."""
    others = [path.name for path in (EVENTS / "histories").iterdir() if path.name != Path(WON).name]
    root = Path(shutil.copytree(EVENTS, tmp_path_factory.mktemp("catalogue") / "events", ignore=lambda *_: others))
    catalogue.write(root)
    return root


@pytest.fixture
def root(one_history: Path, tmp_path: Path) -> Path:
    """A copy of it to spoil."""
    return Path(shutil.copytree(one_history, tmp_path / "events"))


def test_writing_again_changes_nothing_and_restores_what_was_lost(tmp_path: Path) -> None:
    root = Path(shutil.copytree(EVENTS, tmp_path / "events"))
    for name, version in EVENT_TYPES.values():  # an older version is made by no program any more
        (root / "schema" / f"{name}.v{version}.json").unlink()
    (root / "README.md").unlink()
    catalogue.write(root)
    for path in EVENTS.rglob("*.*"):
        assert (root / path.relative_to(EVENTS)).read_bytes() == path.read_bytes()


class Spoil(NamedTuple):
    """Replaces text in a file of the catalogue; with `new` None, removes the file."""

    path: str
    old: str = ""
    new: str | None = None

    def __call__(self, root: Path) -> None:
        path = root / self.path
        if self.new is None:
            path.unlink()
            return
        text = path.read_text(encoding="utf-8") if path.exists() else self.old
        assert self.old in text
        path.write_text(text.replace(self.old, self.new, 1), encoding="utf-8")


LOST = "is missing; write it by hand, as events/README.md says"
ACCOUNT, WON = "examples/player.registered.v1.json", "histories/take-won.jsonl"
SPOILED: list[tuple[str, Spoil, list[tuple[str, str]]]] = [
    (
        "a schema edited",
        Spoil("schema/game.ended.v1.json", '"integer"', '"number"'),
        [("schema/game.ended.v1.json", "differs from what the program generates; run `turnserver events write`")],
    ),
    (
        "a schema removed",
        Spoil("schema/game.ended.v1.json"),
        [
            ("schema/game.ended.v1.json", "differs from what the program generates; run `turnserver events write`"),
            ("schema/game.ended.v1.json", "is missing; run `turnserver events write`"),
        ],
    ),
    ("a page edited", Spoil("README.md", "Event", "Events"), [("README.md", "differs from what the program generates")]),
    ("an example removed", Spoil(ACCOUNT), [("README.md", "differs from"), (ACCOUNT, "is missing; write it by hand")]),
    (
        "an example spaced out",
        Spoil(ACCOUNT, ":", ": "),
        [("README.md", "differs from"), (ACCOUNT, 'is not as it would be stored, which is {"player":8}')],
    ),
    ("an example without its line feed", Spoil(ACCOUNT, "\n", ""), [(ACCOUNT, "is not as it would be stored, which is")]),
    (
        "an example with a wrong value",
        Spoil(ACCOUNT, "8", '"eight"'),
        [("README.md", "differs from"), (ACCOUNT, "player.registered v1 cannot be read: Expected `int`, got `str`")],
    ),
    (
        "an example of nothing",
        Spoil("examples/game.moved.v1.json", "", "{}\n"),
        [("examples/game.moved.v1.json", "belongs to no type and version that can be read")],
    ),
    (
        "a schema of a version to come",
        Spoil("schema/game.ended.v2.json", "", "{}\n"),
        [("schema/game.ended.v2.json", "belongs to no type and version that can be read")],
    ),
    ("another result", Spoil(WON, '"winners":[1]', '"winners":[2]'), [(WON, "the game now ends with another result")]),
    ("another board", Spoil(WON, "R R", "R B"), [(WON, "the game now ends with another board")]),
    ("another turn", Spoil(WON, '"turn":7', '"turn":8'), [(WON, "game-1 version ")]),
    ("no heading", Spoil(WON, "{", ""), [("README.md", "differs from"), (WON, "the first line is not the heading of a recorded game: ")]),
    ("a manifest that is none", Spoil("shipped.json", "{", "["), [("shipped.json", "cannot be read: ")]),
]


@pytest.mark.parametrize(("spoil", "problems"), [pytest.param(spoil, problems, id=name) for name, spoil, problems in SPOILED])
def test_what_does_not_hold_is_named(root: Path, spoil: Spoil, problems: list[tuple[str, str]]) -> None:
    spoil(root)
    found = catalogue.check(root)
    assert [path for path, _ in found] == [path for path, _ in problems]
    for problem, (path, says) in zip(found, problems, strict=True):
        assert str(problem).startswith(f"{path}: {says}")


class Registered(Event, frozen=True):
    """There is a new account."""

    player: PlayerId


class RegisteredPerhapsBySomebody(Event, frozen=True):
    """An account was made; by whom is known since somebody asked for it."""

    player: PlayerId
    opened_by: int = 0


class RegisteredOnAWhim(Event, frozen=True):
    """An account was made on a whim, which nobody explains."""

    player: PlayerId
    whim: int = 0


class RegisteredBySomebody(Event, frozen=True):
    """An account was made by somebody."""

    player: PlayerId
    opened_by: int


class RegisteredByName(Event, frozen=True):
    """An account was made for a name."""

    player: str


def codec(account: type[Event], schema: int = 1, **upcast: Callable[..., Any]) -> Codec:
    """The product's codec with another class for a draw that was offered."""
    types = {event: current for event, current in EVENT_TYPES.items() if event is not PlayerRegistered}
    steps = {("player.registered", int(version.removeprefix("v"))): step for version, step in upcast.items()}
    return Codec({**types, account: EventType("player.registered", schema)}, {**UPCASTERS, **steps})


def new_version(root: Path) -> None:
    (root / "examples" / "player.registered.v2.json").write_text('{"opened_by":3,"player":8}\n', encoding="utf-8")


def edited_example(root: Path) -> None:
    (root / ACCOUNT).write_text('{"player":2}\n', encoding="utf-8")


def edited_old_schema(root: Path) -> None:
    new_version(root)
    path = root / "schema" / "player.registered.v1.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"integer"', '"number"'), encoding="utf-8")


def lost_old_example(root: Path) -> None:
    new_version(root)
    (root / ACCOUNT).unlink()


def no_old_schema(root: Path) -> None:
    new_version(root)
    (root / "schema" / "player.registered.v1.json").write_text("{}", encoding="utf-8")


def nothing(_root: Path) -> None:
    """Leave the files alone."""


SCHEMA = "schema/player.registered.v1.json"
SECOND = codec(RegisteredBySomebody, 2, v1=lambda old: {**old, "opened_by": 1})
AFTER_A_RELEASE: list[tuple[str, Codec, Callable[[Path], None], list[Problem]]] = [
    ("nothing", PRODUCT, nothing, []),
    ("only prose", codec(Registered), nothing, []),
    ("a new optional field", codec(RegisteredPerhapsBySomebody), nothing, []),
    (
        "a field without a meaning",
        codec(RegisteredOnAWhim),
        nothing,
        [
            Problem(
                SCHEMA,
                "cannot be generated: the field 'whim' has no meaning in FIELDS or LEAGUE_FIELDS of turnserver/store/catalogue/schemas.py",
            )
        ],
    ),
    ("a new version with its upcaster", SECOND, new_version, []),
    (
        "a new required field",
        codec(RegisteredBySomebody),
        nothing,
        [
            Problem(ACCOUNT, "player.registered v1 cannot be read: Object missing required field `opened_by`"),
            Problem(SCHEMA, "was shipped without 'opened_by'; give that field a default, or the event a new version and an upcaster"),
        ],
    ),
    (
        "another type of a field",
        codec(RegisteredByName),
        nothing,
        [
            Problem(ACCOUNT, "player.registered v1 cannot be read: Expected `str`, got `int` - at `$.player`"),
            Problem(SCHEMA, "was shipped with another 'player'; give the event a new version and an upcaster"),
        ],
    ),
    ("another example", PRODUCT, edited_example, [Problem(ACCOUNT, "was shipped and may not change")]),
    (
        "another schema of an old version",
        SECOND,
        edited_old_schema,
        [Problem(SCHEMA, "was shipped with another 'player'; give the event a new version and an upcaster")],
    ),
    ("the schema of an old version emptied", SECOND, no_old_schema, [Problem(SCHEMA, "is no schema: KeyError('required')")]),
    ("the example of an old version lost", SECOND, lost_old_example, [Problem(ACCOUNT, LOST)]),
]


@pytest.mark.parametrize(
    ("later", "change", "problems"), [pytest.param(later, change, problems, id=name) for name, later, change, problems in AFTER_A_RELEASE]
)
def test_what_was_released_does_not_change(root: Path, later: Codec, change: Callable[[Path], None], problems: list[Problem]) -> None:
    catalogue.ship(root)
    assert catalogue.check(root) == []
    change(root)
    catalogue.write(root, later)
    assert catalogue.check(root, later) == problems


def test_a_type_that_was_released_stays_readable(root: Path) -> None:
    catalogue.ship(root)
    fewer = Codec({event: current for event, current in EVENT_TYPES.items() if event is not PlayerEdited}, UPCASTERS)
    assert Problem("schema/player.edited.v1.json", "was shipped, but can no longer be read") in catalogue.check(root, fewer)


def test_only_a_catalogue_that_holds_is_shipped(root: Path) -> None:
    Spoil(ACCOUNT, ":", ": ")(root)
    with pytest.raises(ValueError, match="is not fit to be shipped"):
        catalogue.ship(root)
    assert (root / "shipped.json").read_text(encoding="utf-8") == (EVENTS / "shipped.json").read_text(encoding="utf-8")
