"""Every change to a bundle is found: by the program that knows the games and, as far as it looks, by the one in the bundle."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.audit.bundle import bundles
from tests.audit.bundle.bundles import (
    DICE,
    FORGERS_VKEY,
    KEY,
    VKEY,
    Files,
    chained,
    changed,
    manifest,
    rows,
    sealed,
    unpacked,
    with_manifest,
    with_rows,
)
from turnserver.audit.bundle import verify
from turnserver.audit.bundle.check import Against, check
from turnserver.audit.bundle.findings import Subject
from turnserver.errors import NoBundle
from turnserver.proof.note import verification_key

Row = dict[str, Any]
FINE, WRONG, NO_BUNDLE = 0, 1, 2


def by_check(path: Path, vkeys: tuple[str, ...] = (VKEY,)) -> tuple[int, set[Subject]]:
    """Return what `audit check` ends with, and what it objects to."""
    try:
        found = check(path, Against(tuple(map(verification_key, vkeys))), 1)
    except NoBundle:
        return NO_BUNDLE, set()
    return (WRONG if found.wrong else FINE), {one.about for one in found.wrong}


def by_verify(path: Path, vkeys: tuple[str, ...] = (VKEY,)) -> int:
    """Return what `verify.py` ends with."""
    try:
        _, wrong = verify.check(verify.Bundle(path), [*vkeys], "")
    except (*verify.DAMAGE, *verify.NONSENSE):
        return NO_BUNDLE
    return WRONG if wrong else FINE


def other(value: Any) -> Any:
    """Something else of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if value and value[0] in "0123456789abcdef" and len(value) == 64:
            return ("0" if value[0] != "0" else "1") + value[1:]
        case str():
            return value[:-1] + ("x" if value[-1:] != "x" else "y")
        case None:
            return 1
        case list():
            return [*value, 1]
    return {**value, "surprise": 1}


def leaves_of(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to every value in some JSON."""
    yield way
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield from leaves_of(inner, (*way, key))


def put(value: Any, way: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    """The same JSON with something changed at the end of a way."""
    if not way:
        return change(value)
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[way[0]] = put(value[way[0]], way[1:], change)
    return copy


def less(key: str, value: Row) -> Row:
    """Without a key."""
    return {name: inner for name, inner in value.items() if name != key}


def said(way: tuple[Any, ...]) -> str:
    return ".".join(map(str, way))


def with_lines(files: Files, name: str, lines: list[bytes]) -> Files:
    return sealed({**files, name: b"".join(line + b"\n" for line in lines)})


def manifests(files: Files) -> Iterator[tuple[str, Files]]:
    """Every value of the manifest changed, and every key taken away."""
    whole = manifest(files)
    for way in leaves_of(whole):
        yield f"manifest {said(way)} changed", with_manifest(files, put(whole, way, other))
        if way and isinstance(way[-1], str):
            yield (
                f"manifest {said(way)} missing",
                with_manifest(files, put(whole, way[:-1], partial(less, way[-1]))),
            )
    yield "manifest written otherwise", {**files, "manifest.json": json.dumps(whole).encode()}
    yield (
        "manifest said twice",
        {**files, "manifest.json": files["manifest.json"].replace(b'{\n "format": 1,', b'{\n "format": 1,\n "format": 1,', 1)},
    )


def contents(files: Files) -> Iterator[tuple[str, Files]]:
    """Each file changed, missing, or there besides, and the manifest as it was."""
    for name, content in files.items():
        if name != "manifest.json":
            yield f"{name} changed", {**files, name: content[:-1] + bytes([content[-1] ^ 1])}
            yield f"{name} longer", {**files, name: content + b"\n"}
        yield f"{name} missing", {other: text for other, text in files.items() if other != name}
    yield "a file too many", {**files, "schema/game.surprise.v1.json": b"{}"}
    yield "a file of no bundle", {**files, "surprise.txt": b""}


def events(files: Files) -> Iterator[tuple[str, Files]]:
    """Every column and every field of data changed in the first event of each type; hashes stay as they were."""
    known, lines = set(), rows(files)
    for at, row in enumerate(lines):
        if row["type"] in known:
            continue
        known.add(row["type"])
        for way in leaves_of(row):
            if way not in ((), ("data",)):
                yield f"{row['type']} {said(way)} changed", with_rows(files, put(lines, (at,), partial(put, way=way, change=other)))


def course(files: Files) -> Iterator[tuple[str, Files]]:
    """Events left out, repeated and swapped, and lines that are none."""
    lines = rows(files)
    yield "an event less", with_rows(files, [*lines[:3], *lines[4:]])
    yield "an event twice", with_rows(files, [*lines[:3], lines[2], *lines[3:]])
    yield "an event in the place of the next", with_rows(files, [*lines[:3], {**lines[3], "position": lines[4]["position"]}, *lines[4:]])
    yield "events swapped", with_rows(files, [*lines[:3], lines[4], lines[3], *lines[5:]])
    yield "the end cut off", with_rows(files, lines[:-1])
    raw = files["events.jsonl"].splitlines()
    for name, line in {
        "a space": raw[0].replace(b":", b": ", 1),
        "a space in data": raw[0].replace(b'"data":{', b'"data":{ '),
        "a column more": raw[0][:-1] + b',"surprise":1}',
        "a column twice": raw[0][:-1] + b',"hash":"' + b"0" * 64 + b'"}',
        "a key of data twice": raw[0].replace(b'"data":{', b'"data":{"player":9,'),
        "no JSON": b"{",
        "no object": b"[]",
        "no UTF-8": b"\xff" + raw[0],
        "a number that is none": raw[0].replace(b'"position":1', b'"position":1.0'),
        "nothing": b"",
    }.items():
        yield f"an event with {name}", with_lines(files, "events.jsonl", [line, *raw[1:]])


def proofs(files: Files) -> Iterator[tuple[str, Files]]:
    lines = files["proofs.jsonl"].splitlines()
    first = json.loads(lines[0])
    for way in leaves_of(first):
        for name, forged in {"changed": put(first, way, other), "none": put(first, way, lambda _: None)}.items():
            yield f"proof {said(way)} {name}", with_lines(files, "proofs.jsonl", [bundles.compact(forged).encode(), *lines[1:]])
    flipped = put(first, ("path", 0), lambda it: ("A" if it[0] != "A" else "B") + it[1:])
    yield "another hash in a path", with_lines(files, "proofs.jsonl", [bundles.compact(flipped).encode(), *lines[1:]])
    shorter = {**first, "path": first["path"][:-1]}
    yield "a path too short", with_lines(files, "proofs.jsonl", [bundles.compact(shorter).encode(), *lines[1:]])
    longer = {**first, "path": [*first["path"], first["path"][0]]}
    yield "a path too long", with_lines(files, "proofs.jsonl", [bundles.compact(longer).encode(), *lines[1:]])
    yield "a proof less", with_lines(files, "proofs.jsonl", lines[:-1])
    yield "a proof more", with_lines(files, "proofs.jsonl", [*lines, lines[-1]])
    yield "proofs swapped", with_lines(files, "proofs.jsonl", [lines[1], lines[0], *lines[2:]])
    yield "a proof with a space", with_lines(files, "proofs.jsonl", [lines[0].replace(b":", b": ", 1), *lines[1:]])
    yield "no proofs", sealed({name: text for name, text in files.items() if name != "proofs.jsonl"})


def checkpoints(files: Files) -> Iterator[tuple[str, Files]]:
    text = files["checkpoint"].decode()
    origin, size, root, _, signature = text.splitlines()
    dash, name, encoded = signature.split(" ")
    for what, forged in {
        "origin": text.replace(origin, "other.example/turnserver", 1),
        "origin and name": text.replace(origin, "other.example/turnserver"),
        "size": text.replace(f"\n{size}\n", f"\n{int(size) + 1}\n"),
        "smaller size": text.replace(f"\n{size}\n", f"\n{int(size) - 1}\n"),
        "root": text.replace(root, ("A" if root[0] != "A" else "B") + root[1:]),
        "a line more": text.replace(f"{root}\n", f"{root}\nmore\n"),
        "dash": text.replace(dash, "-"),
        "name": text.replace(f"{name} {encoded}", f"other {encoded}"),
        "id": text.replace(encoded, ("A" if encoded[0] != "A" else "B") + encoded[1:]),
        "signature": text.replace(encoded, encoded[:20] + ("A" if encoded[20] != "A" else "B") + encoded[21:]),
        "signature cut off": text.replace(encoded, encoded[:40]),
        "no signature": f"{origin}\n{size}\n{root}\n\n",
        "no note": f"{origin}\n{size}\n{root}\n",
        "nothing": "",
        "no size": text.replace(f"\n{size}\n", "\nmany\n"),
        "no root": text.replace(root, "root"),
    }.items():
        yield f"checkpoint, {what}", sealed({**files, "checkpoint": forged.encode()})
    yield "checkpoint, none", sealed({name: text for name, text in files.items() if name not in ("checkpoint", "proofs.jsonl")})


def covered_up(files: Files) -> Iterator[tuple[str, Files]]:
    """An event changed and every hash after it worked out anew, by somebody who has no key."""
    lines = rows(files)
    for at, row in enumerate(lines):
        if row["stream"] == DICE and "player" in row["data"]:
            yield f"{row['type']} covered up", chained(files, put(lines, (at, "data", "player"), lambda number: 3 - number))
    started = next(at for at, row in enumerate(lines) if row["stream"] == DICE and row["data"].get("rolls"))
    forged = put(lines, (started, "data", "rolls", 0, "value"), lambda value: (value + 1) % lines[started]["data"]["rolls"][0]["below"])
    yield "a roll covered up", chained(files, forged)
    yield "an event less, covered up", chained(files, [row for at, row in enumerate(lines) if at != len(lines) - 1])


DAMAGE = [manifests, contents, events, course, proofs, checkpoints, covered_up]
ONLY_IN_PART = {proofs}
"""A bundle of the whole log needs no proofs."""


class Case(NamedTuple):
    """A kind of damage, done to the bundle of a game or of everything."""

    damage: Callable[[Files], Iterator[tuple[str, Files]]]
    whole: bool


CASES = [
    pytest.param(
        Case(damage, whole),
        id=f"{damage.__name__}, {'all' if whole else 'a game'}",
        marks=[pytest.mark.long] * (damage is events or (whole and damage in {manifests, contents})),
    )
    for damage in DAMAGE
    for whole in (False, True)
    if not (whole and damage in ONLY_IN_PART)
]


@pytest.mark.parametrize("case", CASES)
def test_both_programs_find_every_kind_of_damage(case: Case, of_dice: bytes, of_all: bytes, tmp_path: Path) -> None:
    files = unpacked(of_all if case.whole else of_dice)
    path = tmp_path / "bundle.zip"
    missed = []
    count = 0
    for name, forged in case.damage(files):
        assert forged != files, name
        bundles.packed(forged, path)
        ends = by_check(path)[0], by_verify(path)
        count += 1
        if FINE in ends:
            missed.append((name, *ends))
    assert missed == []
    assert count > 2


def reroll(events: list[Row], change: Callable[[Row], Row]) -> list[Row]:
    """The first roll of the game that has ended, changed."""
    at = next(at for at, row in enumerate(events) if row["stream"] == DICE and row["data"].get("rolls"))
    return put(events, (at, "data", "rolls", 0), change)  # type: ignore[no-any-return]  # rows stay rows


def in_type(events: list[Row], type_: str, *way: Any) -> list[Row]:
    at = next(at for at, row in enumerate(events) if (row["stream"], row["type"]) == (DICE, type_))
    return put(events, (at, "data", *way), other)  # type: ignore[no-any-return]  # rows stay rows


def without(events: list[Row], type_: str) -> list[Row]:
    """Without the events of a type in the game that has ended, the rest closing ranks."""
    left = [row for row in events if (row["stream"], row["type"]) != (DICE, type_)]
    places = {position: at for at, position in enumerate(sorted(row["position"] for row in left), start=1)}
    versions: dict[str, int] = {}
    made = []
    for row in left:
        versions[row["stream"]] = versions.get(row["stream"], 0) + 1
        made.append({**row, "position": places[row["position"]], "version": versions[row["stream"]]})
    return made


def without_vacation(events: list[Row]) -> list[Row]:
    at = next(at for at, row in enumerate(events) if row["type"] == "player.vacation_declared")
    return put(events, (at, "data", "ends"), lambda text: text.replace("2026-03-06", "2026-03-04"))  # type: ignore[no-any-return]


SIGNED_AGAIN: dict[str, tuple[Callable[[list[Row]], list[Row]], Subject, bool]] = {
    "a roll": (lambda it: reroll(it, lambda roll: {**roll, "value": (roll["value"] + 1) % roll["below"]}), Subject.CHANCE, True),
    "the number of a roll": (lambda it: reroll(it, lambda roll: {**roll, "number": 2}), Subject.CHANCE, True),
    "what a roll means": (lambda it: reroll(it, lambda roll: {**roll, "outcome": "9"}), Subject.CHANCE, False),
    "the secret": (lambda it: in_type(it, "game.secret_revealed", "secret"), Subject.CHANCE, True),
    "the commitment": (lambda it: in_type(it, "game.opened", "commitment"), Subject.CHANCE, True),
    "what a seat added": (lambda it: in_type(it, "game.invitation_accepted", "entropy"), Subject.CHANCE, True),
    "the secret kept": (lambda it: without(it, "game.secret_revealed"), Subject.CHANCE, True),
    "a deadline": (lambda it: in_type(it, "game.started", "clock", "time"), Subject.SCHEMA, False),
    "who moves next": (
        lambda it: changed(it, "game-1", 4, lambda row: {**row, "data": {**row["data"], "to_move": 2}}),
        Subject.RULES,
        False,
    ),
    "a move": (lambda it: changed(it, "game-1", 6, lambda row: {**row, "data": {**row["data"], "steps": ["a1"]}}), Subject.RULES, False),
    "who has won": (
        lambda it: changed(it, "game-3", 8, lambda row: {**row, "data": {**row["data"], "winners": [2]}}),
        Subject.RESULTS,
        False,
    ),
    "an instant": (
        lambda it: changed(it, "game-1", 7, lambda row: {**row, "at": row["at"].replace("2026-03-01T12", "2026-03-01T14")}),
        Subject.CLOCKS,
        False,
    ),
    "a vacation": (without_vacation, Subject.CLOCKS, False),
    "whoever made an account": (lambda it: changed(it, "player-1", 1, lambda row: {**row, "actor": "nobody"}), Subject.RULES, False),
    "a revision of the rules": (
        lambda it: changed(it, "game-1", 1, lambda row: {**row, "data": {**row["data"], "revision": 99}}),
        Subject.RULES,
        False,
    ),
}
"""Forgeries that the service itself could make, which signs: change an event and everything that follows from it. Each has the name that
`audit check` gives it, and whether `verify.py`, which knows no rules, finds it too."""


@pytest.mark.parametrize(("forge", "about", "both"), SIGNED_AGAIN.values(), ids=SIGNED_AGAIN)
def test_what_the_service_could_sign_itself_is_found_where_rules_or_secrets_speak(
    forge: Callable[[list[Row]], list[Row]], about: Subject, both: bool, of_all: bytes, tmp_path: Path
) -> None:
    files = unpacked(of_all)
    forged = bundles.signed_again(chained(files, forge(rows(files))), KEY)
    path = bundles.packed(forged, tmp_path / "bundle.zip")
    code, subjects = by_check(path)
    assert (code, about in subjects) == (WRONG, True), subjects
    assert by_verify(path) == (WRONG if both else FINE)


def test_whoever_signs_with_another_key_is_found_by_the_key_from_elsewhere(of_all: bytes, tmp_path: Path) -> None:
    """And only by that: so both programs say that a key from the bundle proves nothing."""
    files = unpacked(of_all)
    path = bundles.packed(bundles.signed_again(files), tmp_path / "bundle.zip")
    assert (by_check(path), by_verify(path)) == ((WRONG, {Subject.CHECKPOINT}), WRONG)
    assert (by_check(path, ()), by_verify(path, ())) == ((FINE, set()), FINE)
    assert (by_check(path, (FORGERS_VKEY,)), by_verify(path, (FORGERS_VKEY,))) == ((FINE, set()), FINE)
