"""Bundles that are made to keep whoever checks them busy, or to pass for what they are not: a sentence, and at once."""

import json
import os
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.audit.bundle import bundles
from tests.audit.bundle.bundles import DICE, FORGERS_VKEY, VKEY, Files, chained, manifest, rows, sealed, unpacked, with_manifest, with_rows
from tests.audit.bundle.test_bundles import alone
from tests.audit.bundle.test_forged_bundles import NO_BUNDLE, WRONG, by_check, by_verify
from tests.cli.club import Club
from tests.cli.typed import typed
from turnserver.audit.bundle import verify
from turnserver.audit.bundle.findings import Subject
from turnserver.proof import checkpoint
from turnserver.proof.merkle import included, leaf, node
from turnserver.proof.note import SigningKey

ENDLESS = 10**15
PYTHONS = re.compile(r"object|iterable|index|arg\b|recursion|unpack|char |item|'")
"""Words that Python has for its errors."""


def counted(files: Files) -> Files:
    """As many events as nobody could look at."""
    return with_manifest(files, {**manifest(files), "events": ENDLESS})


def listed(files: Files) -> Files:
    """A stream of so many, which the count fits."""
    said = manifest(files)
    *others, last = said["streams"]
    more = {**last, "events": ENDLESS - sum(each["events"] for each in others)}
    return with_manifest(files, {**said, "events": ENDLESS, "streams": [*others, more]})


def nested(files: Files) -> Files:
    """Lists in lists, in the data of an event."""
    lines = files["events.jsonl"].splitlines()
    before, data, after = lines[0].partition(b'"data":')
    return sealed({**files, "events.jsonl": b"\n".join([before + data + b"[" * 200_000 + b"]" * 200_000 + after[-1:], *lines[1:], b""])})


def rolled_below(below: int) -> Callable[[Files], Files]:
    """A roll with so many outcomes, in a game that has told its secret."""

    def do(files: Files) -> Files:
        events = [json.loads(json.dumps(row)) for row in rows(files)]
        roll = next(row["data"]["rolls"][0] for row in events if row["stream"] == DICE and row["data"].get("rolls"))
        roll["below"] = below
        return chained(files, events)

    return do


def left_over(files: Files) -> Files:
    """More events than the manifest lists: the last stream is not among its streams."""
    said = manifest(files)
    fewer = said["streams"][:-1]
    return with_manifest(files, {**said, "streams": fewer, "events": sum(each["events"] for each in fewer)})


def placed(position: int) -> Callable[[Files], Files]:
    """The last event at another position, in a bundle whose hashes fit."""

    def do(files: Files) -> Files:
        events = rows(files)
        events[-1]["position"] = position
        return chained(files, events)

    return do


def no_event(files: Files) -> Files:
    """JSON of another shape in the place of an event."""
    return sealed({**files, "events.jsonl": b"null\n" + files["events.jsonl"].partition(b"\n")[2]})


def no_hash(files: Files) -> Files:
    """An event whose hash is none."""
    first, *others = rows(files)
    return with_rows(files, [{**first, "hash": "x" * 64}, *others])


def empty_stream(files: Files) -> Files:
    """A stream without events."""
    said = manifest(files)
    return with_manifest(files, {**said, "streams": [{**said["streams"][0], "stream": "player-77", "events": 0}, *said["streams"]]})


def without(name: str) -> Callable[[Files], Files]:
    return lambda files: sealed({other: content for other, content in files.items() if other != name})


class Case(NamedTuple):
    name: str
    forge: Callable[[Files], Files]
    whole: bool
    ends: tuple[int, int] = (NO_BUNDLE, NO_BUNDLE)


CASES = [
    *(
        Case(f"{name}, {'all' if whole else 'a game'}", forge, whole)
        for name, forge in {"counted": counted, "listed": listed, "nested": nested, "left over": left_over}.items()
        for whole in (False, True)
    ),
    *(Case(f"position {position}", placed(position), True, (WRONG, WRONG)) for position in (-1, 0, 10**6, 2**62)),
    *(Case(name, forge, False) for name, forge in {"no event": no_event, "no hash": no_hash, "an empty stream": empty_stream}.items()),
    *(Case(f"no {name}", without(name), False) for name in ("events.jsonl", "proofs.jsonl")),
    *(Case(f"a roll below {below}", rolled_below(below), True, (WRONG, NO_BUNDLE)) for below in (2**300, 2**256 + 1, 0, -1)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_nobody_is_kept_busy(case: Case, of_dice: bytes, of_all: bytes, template: Club, tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    bundles.packed(case.forge(unpacked(of_all if case.whole else of_dice)), path)
    ends = by_check(path)[0], by_verify(path)
    assert ends == case.ends
    if ends == (NO_BUNDLE, NO_BUNDLE):
        said = typed(template, f"audit check {path} --key {VKEY}", TURNSERVER_CONFIG="nowhere.toml")
        assert (said.exit_code, said.stdout, said.stderr.count("\n")) == (2, "", 1), said.output
        told = alone(path, "--key", VKEY)
        assert (told.returncode, told.stderr, told.stdout.count("\n")) == (2, "", 1), told
        assert not PYTHONS.search(told.stdout), told


@pytest.mark.parametrize("name", ["events.jsonl", "manifest.json"])
@pytest.mark.parametrize(
    "put",
    [os.mkfifo, lambda path: path.symlink_to("/dev/zero"), lambda path: path.symlink_to("README.txt")],
    ids=["a pipe", "endless", "a link"],
)
def test_what_is_no_plain_file_is_not_read(name: str, put: Callable[[Path], None], of_dice: bytes, tmp_path: Path) -> None:
    (tmp_path / "schema").mkdir()
    for other, content in unpacked(of_dice).items():
        (tmp_path / other).write_bytes(content)
    (tmp_path / name).unlink()
    put(tmp_path / name)
    told = alone(tmp_path, "--key", VKEY)
    assert (told.returncode, told.stdout) == (2, f"{tmp_path} cannot be checked: {name} is no plain file\n")


def test_a_bundle_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "bundle.zip")
    assert alone(tmp_path / "bundle.zip").stdout.endswith("cannot be checked: bundle.zip is no plain file\n")
    with pytest.raises(verify.Unfit, match="is no plain file"):
        verify.Bundle(tmp_path / "bundle.zip")


def test_no_more_is_read_of_a_file_than_is_listed(of_dice: bytes, tmp_path: Path) -> None:
    path = bundles.packed(unpacked(of_dice), tmp_path / "bundle.zip")
    bundle = verify.Bundle(path)
    with BytesIO(bytes(1 << 22)) as endless:
        endless.close = lambda: None  # type: ignore[method-assign]  # asked after it was read
        bundle.read = lambda _name: endless
        assert not bundle.is_as_listed("README.txt", 100, "")
        assert endless.tell() == 101


def test_a_file_that_is_there_twice_is_no_bundle(of_dice: bytes, tmp_path: Path) -> None:
    """A name that stands twice in an archive is refused: one program may unpack the first file, another the second."""
    from tests.audit.bundle.test_no_bundles import again  # noqa: PLC0415  # a neighbour's tool

    path = tmp_path / "bundle.zip"
    path.write_bytes(again(of_dice, ("events.jsonl", unpacked(of_dice)["events.jsonl"])))
    with pytest.raises(ValueError, match="a file twice"):
        verify.Bundle(path)


def test_a_key_of_another_log_signs_nothing_here(of_dice: bytes, tmp_path: Path) -> None:
    """The checkpoint is signed with it as well, in the name of that log: other keys cannot tell who made this one."""
    files: dict[str, Any] = unpacked(of_dice)
    said = checkpoint.parse(files["checkpoint"].decode().rpartition("\n\n")[0] + "\n")
    other = SigningKey("other.example/turnserver", Ed25519PrivateKey.from_private_bytes(b"o" * 32))
    path = tmp_path / "bundle.zip"
    bundles.packed(sealed({**files, "checkpoint": checkpoint.sign(said, [other]).encode()}), path)
    assert by_check(path, (str(other.verification_key()),)) == (WRONG, {Subject.CHECKPOINT})
    assert by_verify(path, (str(other.verification_key()),)) == WRONG
    assert by_check(path, (FORGERS_VKEY,))[0] == WRONG


def test_a_path_that_is_too_short_proves_nothing() -> None:
    """It leads to the root of a smaller tree, which is not the one that the size is of."""
    one, two = b"one", b"two"
    root = node(leaf(one), leaf(two))
    assert included(one, 0, 2, [leaf(two)], root)
    assert not included(one, 0, 4, [leaf(two)], root)
    assert not included(one, 0, 3, [leaf(two)], root)
    assert not included(one, 0, 2, [], leaf(one))
    assert verify.root_above(one, 0, 2, [leaf(two)]) == root
    assert verify.root_above(one, 0, 4, [leaf(two)]) == b""
