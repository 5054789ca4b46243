"""Every match on an event, a command or a phrase names each alternative, so that a new one cannot be passed over.

mypy checks `assert_never`; this checks that it is there. A match that ends in `case _: pass`, or in nothing, type checks for ever. A match
that names a kind passes over a new event of that kind, which is what it is for; where who hears of an event is decided, nothing does.
"""

import ast
import importlib
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Union, get_args, get_origin

import pytest

from tests.cases import for_each
from turnserver.ids import Event

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "turnserver").rglob("*.py"))
UNIONS = (
    "turnserver.league.commands.Command",
    "turnserver.league.events.LeagueEvent",
    "turnserver.mail.inbound.phrases.Phrase",
    "turnserver.play.commands.Command",
    "turnserver.play.events.GameEvent",
    "turnserver.play.events.PlayerEvent",
)


def members(alias: Any) -> Iterator[type]:
    """Yield the classes of a union, those of unions inside it too."""
    if isinstance(alias, types.UnionType) or get_origin(alias) is Union:
        for inner in get_args(alias):
            yield from members(inner)
    else:
        yield alias


def found(name: str) -> Any:
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


CLOSED = frozenset(member for name in UNIONS for member in members(found(name)))
EVENTS = [member for name in UNIONS if name.endswith((".GameEvent", ".LeagueEvent")) for member in members(found(name))]
KINDS = frozenset(kind for event in EVENTS for kind in event.__bases__)


def classes(pattern: ast.pattern) -> Iterator[ast.expr]:
    """Yield the classes that the subject itself may be of, not those of its parts."""
    match pattern:
        case ast.MatchClass(cls=name):
            yield name
        case ast.MatchOr(patterns=several):
            for one in several:
                yield from classes(one)
        case ast.MatchAs(pattern=ast.pattern() as inner):
            yield from classes(inner)
        case _:
            pass


def meant(name: ast.expr, names: dict[str, Any]) -> Any:
    """Return what a name stands for, also one behind a module's: `e.TurnPlayed`."""
    match name:
        case ast.Name(id=plain):
            return names.get(plain)
        case ast.Attribute(value=ast.Name(id=module), attr=attribute):
            return getattr(names.get(module), attribute, None)
        case _:
            return None


def matches(source: str, names: dict[str, Any]) -> Iterator[tuple[ast.Match, set[Any]]]:
    """Yield each match with the classes that its cases name."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Match):
            yield node, {meant(one, names) for case in node.cases for one in classes(case.pattern)}


def half_named(source: str, names: dict[str, Any]) -> Iterator[int]:
    """Yield the line of each match that names a kind of events and also an event of that kind: it would pass over a new one."""
    for node, named in matches(source, names):
        if any(event in named and named & set(event.__bases__) for event in EVENTS):
            yield node.lineno


def wholesale(source: str, names: dict[str, Any]) -> Iterator[int]:
    """Yield the line of each match that names a kind of events, and so says nothing of a new event of that kind."""
    for node, named in matches(source, names):
        if named & KINDS:
            yield node.lineno


def silent(source: str, names: dict[str, Any]) -> Iterator[int]:
    """Yield the line of each match on a class of `CLOSED`, or a kind, that does not end by raising, and so passes others over."""
    for node, named in matches(source, names):
        last = node.cases[-1]
        catches_all = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
        ends = ast.dump(ast.Module(last.body, []))
        if named & (CLOSED | KINDS) and not (catches_all and ("assert_never" in ends or "Raise" in ends)):
            yield node.lineno


TAKEN = "def f(event):\n    match event:\n        case TurnPlayed():\n            return 1\n"


@for_each(
    ("source", "lines"),
    [
        (TAKEN, [2]),
        (TAKEN + "        case _:\n            return True\n", [2]),
        (TAKEN + "        case other:\n            return other\n", [2]),
        (TAKEN + "        case _ if event.seat:\n            assert_never(event)\n", [2]),
        (TAKEN + "        case _:\n            assert_never(event)\n", []),
        (TAKEN.replace("TurnPlayed", "e.TurnPlayed"), [2]),
        (TAKEN.replace("TurnPlayed()", "str() | TurnPlayed(seat=1) as other"), [2]),
        (TAKEN.replace("TurnPlayed()", "(TurnPlayed(), _)"), []),
        (TAKEN.replace("TurnPlayed", "str"), []),
    ],
)
def test_the_reader_finds_what_passes_alternatives_over(source: str, lines: list[int]) -> None:
    assert (
        list(
            silent(
                source,
                {
                    "TurnPlayed": found("turnserver.play.events.TurnPlayed"),
                    "e": importlib.import_module("turnserver.play.events"),
                    "str": str,
                },
            )
        )
        == lines
    )


NAMES = {"e": importlib.import_module("turnserver.play.events")}


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        (TAKEN.replace("TurnPlayed()", "e.TurnEvent() | e.ClockFrozen()"), []),
        (TAKEN.replace("TurnPlayed()", "e.TurnEvent() | e.TurnPlayed()"), [2]),
        (TAKEN.replace("TurnPlayed()", "e.TurnPlayed(by_house=True)") + "        case e.TurnEvent():\n            return 2\n", [2]),
    ],
)
def test_the_reader_finds_kinds_that_are_half_named(source: str, lines: list[int]) -> None:
    assert list(half_named(source, NAMES)) == lines


@pytest.mark.parametrize(
    ("source", "lines"), [(TAKEN.replace("TurnPlayed", "e.TurnPlayed"), []), (TAKEN.replace("TurnPlayed", "e.TurnEvent"), [2])]
)
def test_the_reader_finds_kinds(source: str, lines: list[int]) -> None:
    assert list(wholesale(source, NAMES)) == lines


def test_every_event_is_of_one_kind() -> None:
    assert [event.__name__ for event in EVENTS if len(event.__bases__) > 1 or event.__bases__[0].__bases__ != (Event,)] == []


def sources() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield name, source and names of each module that matches anything."""
    for path in MODULES:
        source = path.read_text("utf-8")
        if "    match " in source:
            dotted = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            yield dotted, source, vars(importlib.import_module(dotted))


def test_no_alternative_is_passed_over() -> None:
    assert [f"{dotted}:{line}" for dotted, source, names in sources() for line in silent(source, names)] == []


def test_no_kind_is_half_named() -> None:
    assert [f"{dotted}:{line}" for dotted, source, names in sources() for line in half_named(source, names)] == []


def test_a_new_event_is_told_to_somebody_or_said_to_be_told_to_nobody() -> None:
    """An event without a recipient or words fails the type check at the places that decide about these."""
    outbound = [one for one in sources() if one[0].startswith("turnserver.mail.outbound.")]
    assert [f"{dotted}:{line}" for dotted, source, names in outbound for line in wholesale(source, names)] == []
