"""A file that is no bundle gets one clear sentence, whatever somebody has sent: damaged ZIPs, bombs, tricks with paths."""

import os
import re
import warnings
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.audit.bundle.bundles import VKEY, packed, sealed, unpacked
from tests.audit.bundle.test_bundles import TRUSTED, alone
from tests.audit.bundle.test_forged_bundles import FINE, by_check, by_verify
from tests.cli.club import Club
from tests.cli.typed import typed
from turnserver.audit.bundle.check import check
from turnserver.errors import NoBundle

MEGABYTE = 1 << 20


def zipped(*files: tuple[str, bytes], method: int = ZIP_DEFLATED) -> bytes:
    """A ZIP of any files, also of some with the same name."""
    file = BytesIO()
    with ZipFile(file, "w", method) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, content in files:
            archive.writestr(name, content)
    return file.getvalue()


def again(good: bytes, *more: tuple[str, bytes], method: int = ZIP_DEFLATED, **instead: bytes) -> bytes:
    """The bundle packed again, with other contents of some files and with more of them."""
    files = {name: instead.get(name.partition(".")[0], content) for name, content in unpacked(good).items()}
    return zipped(*files.items(), *more, method=method)


def no_text(good: bytes) -> bytes:
    """The events, with a byte in the data of the first that is no UTF-8."""
    return unpacked(good)["events.jsonl"].replace(b'"data":{"', b'"data":{"\xff', 1)


def no_hash(good: bytes) -> bytes:
    """The events, with a word in the place of the first one's hash."""
    return re.sub(rb'"hash":"[0-9a-f]{64}"', b'"hash":"none"', unpacked(good)["events.jsonl"], count=1)


def encrypted(good: bytes) -> bytes:
    """The flag that says that a file is encrypted, in every entry."""
    marked = bytearray(good)
    for sign, flags in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        at = marked.find(sign)
        while at >= 0:
            marked[at + flags] |= 1
            at = marked.find(sign, at + 4)
    return bytes(marked)


HOSTILE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "nothing": (lambda _: b"", "no ZIP"),
    "a text": (lambda _: b"Dear referee, I have won.", "no ZIP"),
    "an empty ZIP": (lambda _: zipped(), "no manifest.json"),
    "another ZIP": (lambda _: zipped(("letter.txt", b"Dear referee")), "'letter.txt', which has no place"),
    "cut off": (lambda good: good[: len(good) // 2], "no ZIP"),
    "the beginning missing": (lambda good: good[1000:], "cannot be read"),
    "a damaged file": (lambda good: good[:60] + bytes(200) + good[260:], "cannot be read"),
    "encrypted": (encrypted, "cannot be read"),
    "packed otherwise": (lambda good: again(good, method=ZIP_LZMA), ""),
    "a path upwards": (lambda good: again(good, ("../turnserver.toml", b"")), "'../turnserver.toml', which has no place"),
    "a path from the root": (lambda good: again(good, ("/etc/passwd", b"")), "'/etc/passwd', which has no place"),
    "a path in a path": (lambda good: again(good, ("schema/../keys", b"")), "which has no place"),
    "a name twice": (lambda good: again(good, ("manifest.json", b"{}")), "a file twice"),
    "too many files": (lambda _: zipped(*((f"schema/game.a{'b' * at}.v1.json", b"") for at in range(1001))), "more than 1000 files"),
    "a manifest of zeros": (lambda good: again(good, manifest=bytes(65 * MEGABYTE)), "manifest.json is longer"),
    "a manifest that is nested": (lambda good: again(good, manifest=b"[" * 100_000), "is not the manifest"),
    "a manifest in another coding": (lambda good: again(good, manifest=b"\xff\xfe{}"), "is not the manifest"),
    "another JSON": (lambda good: again(good, manifest=b'{"format": 2}'), "is not the manifest"),
    "an event without a hash": (lambda good: again(good, events=no_hash(good)), "Line 1 of events.jsonl has no hash"),
    "events of zeros": (lambda good: again(good, events=bytes(65 * MEGABYTE)), "Line 1 of events.jsonl is cut off"),
    "empty events": (lambda good: again(good, events=b"\n" * MEGABYTE), "Line 1 of events.jsonl: it is not a row"),
    "proofs of zeros": (lambda good: again(good, proofs=bytes(2 * MEGABYTE)), "Line 1 of proofs.jsonl is cut off"),
    "an event that is no text": (lambda good: again(good, events=no_text(good)), "it is not a row of the log"),
    "no proofs": (lambda good: again(good, proofs=b""), "has no proof for position 1"),
    "keys that are no text": (lambda good: again(good, keys=b"\xff"), ""),
    "a checkpoint that is no text": (lambda good: again(good, checkpoint=b"\xff"), "checkpoint is no text"),
}


@pytest.mark.parametrize(("spoil", "says"), HOSTILE.values(), ids=HOSTILE)
def test_it_gets_one_sentence(spoil: Callable[[bytes], bytes], says: str, template: Club, of_dice: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    path.write_bytes(spoil(of_dice))
    result = typed(template, f"audit check {path} --key {VKEY}", TURNSERVER_CONFIG="nowhere.toml")
    told = alone(path, "--key", VKEY)
    if not says:
        assert (result.exit_code in (0, 1), told.returncode in (0, 1, 2), told.stderr) == (True, True, "")
        return
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert result.stderr.startswith("turnserver: ")
    assert says in result.stderr
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 500
    assert (told.returncode in (1, 2), told.stderr) == (True, ""), told


def test_what_lies_in_a_folder_and_is_no_file_is_not_waited_for(of_dice: bytes, tmp_path: Path) -> None:
    for name, content in unpacked(of_dice).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    (tmp_path / "keys").unlink()
    os.mkfifo(tmp_path / "keys")
    with pytest.raises(NoBundle, match="keys is no plain file"):
        check(tmp_path, TRUSTED, 1)


def test_a_folder_that_is_no_bundle_is_not_walked_through() -> None:
    with pytest.raises(NoBundle, match=r"no manifest\.json"):
        check(Path("/"), TRUSTED, 1)


def test_a_file_that_is_not_there(template: Club) -> None:
    result = typed(template, "audit check nowhere.zip")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)


@pytest.fixture
def good(of_dice: bytes, tmp_path: Path) -> Path:
    """A bundle as a file: what fails tells the names of its fixtures' values, and bytes are long."""
    path = tmp_path / "good.zip"
    path.write_bytes(of_dice)
    return path


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(how=st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255), st.booleans(), st.booleans()))
def test_any_byte_may_be_another(how: tuple[float, int, bool, bool], good: Path, tmp_path: Path) -> None:
    """In the ZIP, or in one of its files as a forger would pack them again: a sentence or findings, and never anything else.

    Nor does `verify.py` find anything that `audit check` does not.
    """
    where, byte, inside, cut = how
    of_dice = good.read_bytes()
    files = unpacked(of_dice)
    if inside:
        name = sorted(files)[int(where * len(files))]
        content = files[name]
        at = int(where * 7919 * len(content)) % max(1, len(content))
        files[name] = content[:at] if cut else content[:at] + bytes([byte]) + content[at + 1 :]
        if name != "manifest.json":
            files = sealed(files)
        path = packed(files, tmp_path / "bundle.zip")
    else:
        at = int(where * len(of_dice))
        path = tmp_path / "bundle.zip"
        path.write_bytes(of_dice[:at] if cut else of_dice[:at] + bytes([byte]) + of_dice[at + 1 :])
    (ends, _), alone_ends = by_check(path), by_verify(path)
    assert ends != FINE or alone_ends == FINE
