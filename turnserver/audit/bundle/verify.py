"""Check a bundle of turnserver with nothing but Python 3.9 or later: `python verify.py game-17.zip --key VKEY`.

The bundle is what `turnserver audit export` wrote, packed or unpacked. VKEY is the key of the service as it has published it: get it from
somewhere else than the bundle, because whoever forges a bundle signs it with a key of their own and puts that in. Get this program from
somewhere else too, or read it: it is short. It checks that

- each file is the one that the manifest describes, and no other is there,
- each event has the hash of its contents and of the event before it in its stream,
- the events lie in the tree (RFC 6962) that the checkpoint states; those of a bundle of the whole log have to be all of it,
- the checkpoint is signed (C2SP tlog-checkpoint and signed-note, Ed25519 after RFC 8032),
- the rolls of games that have ended follow from the secret that was fixed before the first of them.

It knows the rules of no game: `turnserver audit check` looks at moves, clocks and results too. The format is described in events/README.md.
Ends with 0 if all is well, with 1 if something is wrong, and with 2 if that is no bundle that can be read.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import signal
import struct
import sys
import tempfile
import zipfile
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

# fmt: off
COLUMNS = {
    "position": int, "stream": str, "version": int, "type": str, "schema": int, "at": str,
    "actor": str, "cause": str, "ordinal": int, "data": dict, "hash": str,
}
# fmt: on
LONGEST_LINE, LONGEST_FILE = 1 << 20, 1 << 26
DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError)  # what a ZIP that is none leads to
NONSENSE = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError)  # and what JSON of another shape leads to


class Unfit(ValueError):
    """A bundle, a checkpoint or a key is not written as it has to be; the message says what is wrong with it."""


class Bundle:
    """The files of a bundle by their names."""

    def __init__(self, path: Path) -> None:
        folder = path if path.is_dir() else None
        there = [each for each in path.rglob("*") if not each.is_dir()] if folder else [path]
        # a pipe or a device may have no end, and a link leads out of the bundle
        if odd := [each.name for each in there if (folder and each.is_symlink()) or (each.exists() and not each.is_file())]:
            raise Unfit(f"{odd[0]} is no plain file")
        archive = None if folder else zipfile.ZipFile(path)
        self.read: Any = archive.open if archive else lambda name: (path / name).open("rb")
        files = [each.relative_to(path).as_posix() for each in there]
        self.names = [name for name in archive.namelist() if name != "schema/"] if archive else files
        text = self.whole("manifest.json")
        self.manifest = json.loads(text)
        # written in one way only: nothing hides in a key that stands there twice
        if json.dumps(self.manifest, indent=1, ensure_ascii=False) + "\n" != text or self.manifest["format"] != 1:
            raise Unfit("its manifest is not of a format that is known here")
        shapes = {(*self.manifest,), *map(tuple, self.manifest["streams"]), *map(tuple, self.manifest["files"].values())}
        if shapes != {("format", "what", "events", "streams", "files"), ("stream", "events", "hash"), ("size", "sha256")}:
            raise Unfit("its manifest holds what does not belong there")
        counts = [each["events"] for each in self.manifest["streams"]]
        if self.manifest["events"] != sum(counts) or any(count < 1 for count in counts):
            raise Unfit("its manifest lists fewer or more events than it counts")
        if len({*self.names}) < len(self.names):
            raise Unfit("it holds a file twice")

    def open(self, name: str) -> Any:  # noqa: ANN401  # a file of bytes, in the one or the other
        if name not in self.names:
            raise Unfit(f"it holds no {name}")
        return self.read(name)

    def whole(self, name: str) -> str:
        with self.open(name) as file:
            return str(file.read(LONGEST_FILE).decode())

    def lines(self, name: str) -> Iterator[str]:
        with self.open(name) as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE), b""), start=1):
                if not line.endswith(b"\n"):
                    raise Unfit(f"line {number} of {name} is cut off, or longer than {LONGEST_LINE} bytes")
                yield line[:-1].decode()

    def is_as_listed(self, name: str, size: int, digest: str) -> bool:
        found, length = hashlib.sha256(), 0
        with self.open(name) as file:
            # one byte more than listed is enough to see that it is longer
            while part := file.read(min(LONGEST_LINE, size + 1 - length)):
                found.update(part)
                length += len(part)
        return (length, found.hexdigest()) == (size, digest)


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def event(line: str) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(line)
    if type(row) is not dict or [*row] != [*COLUMNS] or any(type(row[name]) is not kind for name, kind in COLUMNS.items()):
        raise Unfit("a line of events.jsonl is no event")
    if line != "{" + ",".join(f'"{name}":{compact(row[name])}' for name in COLUMNS) + "}":
        raise Unfit(f"the event at position {row['position']} is not written as events are")
    return row


def hash_of(row: dict[str, Any], before: str) -> str:
    columns = [row[name] for name in COLUMNS][:-2]
    return hashlib.sha256(f"{before}\n{compact([*columns, compact(row['data'])])}".encode()).hexdigest()


def streams(bundle: Bundle, wrong: list[str]) -> Iterator[list[dict[str, Any]]]:
    """Yield the events of one stream after the other, their hashes checked. Nobody needs more than one stream at a time."""
    rows = map(event, bundle.lines("events.jsonl"))
    for listed in bundle.manifest["streams"]:
        history: list[dict[str, Any]] = []
        before, position = "", 0
        while len(history) < listed["events"]:
            row: dict[str, Any] = next(rows, {"stream": "", "version": 0})
            if (row["stream"], row["version"]) != (listed["stream"], len(history) + 1):
                raise Unfit(f"the events of {listed['stream']} do not stand in it where and as many as the manifest says")
            if row["hash"] != hash_of(row, before) or row["position"] <= position:
                wrong.append(f"position {row['position']}, {row['stream']} version {row['version']}: its hash or its place is wrong")
            before, position = row["hash"], row["position"]
            history.append(row)
        if before != listed["hash"]:
            wrong.append(f"{listed['stream']}: the manifest says that it ends with another hash")
        yield history
    if next(rows, None) is not None:
        raise Unfit("there are more events than the manifest says")


def leaf(data: bytes) -> bytes:
    return hashlib.sha256(b"\0" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def root_over(leaves: Iterable[bytes]) -> bytes:
    """Return the root of the tree over the data of its leaves (RFC 6962, section 2.1)."""
    full: list[tuple[int, bytes]] = []  # complete subtrees with their sizes, the largest first
    for data in leaves:
        size, top = 1, leaf(data)
        while full and full[-1][0] == size:
            size, top = 2 * size, node(full.pop()[1], top)
        full.append((size, top))
    top = full.pop()[1] if full else hashlib.sha256().digest()
    while full:
        top = node(full.pop()[1], top)
    return top


def root_above(data: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """Return the root over a leaf and its path (RFC 9162, 2.1.3.2), empty if the path has a wrong length. `index` must be below `size`."""
    last, top = size - 1, leaf(data)
    for beside in path:
        if last == 0:
            return b""
        if index % 2 or index == last:
            top = node(beside, top)
            while index and not index % 2:
                index, last = index // 2, last // 2
        else:
            top = node(top, beside)
        index, last = index // 2, last // 2
    return top if last == 0 else b""


P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, ROOT_OF_MINUS_1 = -121665 * pow(121666, -1, P) % P, pow(2, (P - 1) // 4, P)


def plus(one: tuple[int, ...], two: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sum of two points of Ed25519 in extended coordinates X, Y, Z, T (RFC 8032, section 5.1.4)."""
    a, b = (one[1] - one[0]) * (two[1] - two[0]), (one[1] + one[0]) * (two[1] + two[0])
    c, d = 2 * one[3] * two[3] * D, 2 * one[2] * two[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(factor: int, point: tuple[int, ...]) -> tuple[int, ...]:
    total: tuple[int, ...] = (0, 1, 1, 0)
    while factor:
        total = plus(total, point) if factor % 2 else total
        point, factor = plus(point, point), factor // 2
    return total


def point(text: bytes) -> tuple[int, ...]:
    """Return the point that 32 bytes stand for (RFC 8032, section 5.1.3). Raises ValueError."""
    y, odd = int.from_bytes(text, "little") % 2**255, text[31] // 128
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * ROOT_OF_MINUS_1 % P
    if y >= P or x * x % P != square or (x == 0 and odd):
        raise ValueError("there is no such point")
    x = x if x % 2 == odd else P - x
    return x, y, 1, x * y % P


def has_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether an Ed25519 signature holds (RFC 8032, section 5.1.7). All of this is public, so it need not hide how long it takes."""
    try:
        public, commitment, base = point(key), point(signature[:32]), point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    except (ValueError, IndexError):
        return False
    answer = int.from_bytes(signature[32:], "little")
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    left, right = times(answer, base), plus(commitment, times(challenge, public))
    same = all((left[i] * right[2] - right[i] * left[2]) % P == 0 for i in (0, 1))
    return same and len(key) == 32 and len(signature) == 64 and answer < ORDER


def signers(note: str, keys: list[str], wrong: list[str]) -> list[str]:
    """Return those of the keys that have signed a note in the name in its first line."""
    text, _, below = note.rpartition("\n\n")
    known, found = {}, []
    for vkey in keys:
        name, short, encoded = vkey.split("+", 2)
        public = b64decode(encoded, validate=True)
        if public[:1] != b"\1" or hashlib.sha256(name.encode() + b"\n" + public).hexdigest()[:8] != short:
            raise Unfit(f"{vkey} is no key")
        known[name, bytes.fromhex(short)] = vkey, public[1:]
    for line in below[:-1].split("\n"):
        dash, name, encoded = line.split(" ")
        signature = b64decode(encoded, validate=True)
        if dash != "\N{EM DASH}" or b64encode(signature).decode() != encoded or below[-1:] != "\n":
            raise Unfit("the checkpoint is no signed note")
        # others may have signed it too: a key that is not known proves nothing, and does no harm
        vkey, public = known.get((name, signature[:4]), ("", b""))
        if vkey and not has_signed(public, f"{text}\n".encode(), signature[4:]):
            wrong.append(f"checkpoint: it is not {name} who has signed it, or it was changed")
        elif vkey and name == text.split("\n")[0]:
            found.append(vkey)
    if not found:
        wrong.append("checkpoint: none of the keys has signed it")
    return found


def draw(key: bytes, number: int, below: int) -> int:
    if not 0 < below <= 2**256:
        raise Unfit(f"draw {number} is below {str(below)[:30]}, which no roll is")
    value, again = 2**256, 0
    # above the last whole multiple it is drawn again, or small numbers would come more often
    while value >= 2**256 - 2**256 % below:
        text = f"draw {number} again {again}" if again else f"draw {number}"
        value, again = int.from_bytes(hmac.digest(key, text.encode(), "sha256"), "big"), again + 1
    return value % below


def rolls(history: list[dict[str, Any]], wrong: list[str]) -> int:
    """Work out anew the rolls of a game that has told its secret, and return how many there are."""
    stream, opened, told = history[0]["stream"], history[0]["data"], [(row["type"], row["data"]) for row in history]
    secret = b"".join(bytes.fromhex(data["secret"]) for name, data in told if name == "game.secret_revealed")
    if not secret and not (opened.get("commitment") and any(name == "game.ended" for name, _ in told)):
        return 0
    if hashlib.sha256(secret).hexdigest() != opened.get("commitment"):
        wrong.append(f"{stream}: it has not told the secret that it has committed to")
    entropy = {data["player"]: data.get("entropy", "") for name, data in told if name == "game.invitation_accepted"}
    lines = [stream.replace("-", " ")] + [entropy.get(player, "") for player in opened["players"]]
    key = hmac.digest(secret, "\n".join(lines).encode(), "sha256")
    made = [roll for _, data in told for roll in data.get("rolls", [])]
    for number, roll in enumerate(made, start=1):
        if (roll["number"], roll["value"]) != (number, draw(key, number, roll["below"])):
            wrong.append(f"{stream}: draw {number} does not follow from the secret")
    return len(made)


def in_order(hashes: BinaryIO, total: int, size: int, wrong: list[str]) -> Iterator[bytes]:
    """Yield the hashes of the whole log, as many as a tree of this size has; in the file each stands at its place."""
    hashes.seek(0)
    for position in range(1, total + 1):
        data = hashes.read(32)
        if not any(data):
            wrong.append(f"position {position}: no event stands there")
        if position <= (size or total):
            yield data


def check_files(bundle: Bundle, wrong: list[str]) -> int:
    listed = bundle.manifest["files"]
    for name in sorted({*listed, *bundle.names} - {"manifest.json"}):
        there = name in listed and name in bundle.names
        if not there or not bundle.is_as_listed(name, listed[name]["size"], listed[name]["sha256"]):
            wrong.append(f"{name}: it is not as the manifest says")
    return len(listed)


def has_path(row: dict[str, Any], line: str, size: int, root: bytes) -> bool:
    """Return whether a line of proofs.jsonl leads from an event to the root."""
    position, path = row["position"], [b64decode(each, validate=True) for each in json.loads(line)["path"]]
    right = json.dumps({"position": position, "path": [b64encode(each).decode() for each in path]}, separators=(",", ":"))
    return line == right and position <= size and root_above(bytes.fromhex(row["hash"]), position - 1, size, path) == root


def check_events(bundle: Bundle, size: int, root: bytes, wrong: list[str]) -> tuple[int, int]:
    """Check hashes, rolls, and the tree if there is a root. Return how many events and rolls there are."""
    what, total = bundle.manifest["what"], bundle.manifest["events"]
    proofs = bundle.lines("proofs.jsonl") if root and what != "all" else iter(())
    events = rolled = 0
    # streams follow each other, the tree goes by positions: a file puts the hashes in order, and takes no memory
    with tempfile.TemporaryFile() as hashes:
        for history in streams(bundle, wrong):
            events += len(history)
            rolled += rolls(history, wrong) if history[0]["type"] == "game.opened" else 0
            for row in history:
                if what == "all" and not 0 < row["position"] <= total:
                    wrong.append(f"position {row['position']}: positions run from 1 to {total}")
                elif what == "all":
                    hashes.seek(32 * (row["position"] - 1))
                    hashes.write(bytes.fromhex(row["hash"]))
                elif root and not has_path(row, next(proofs, "{}"), size, root):
                    wrong.append(f"position {row['position']}: its path does not lead to the root that the checkpoint states")
        if next(proofs, None) is not None:
            wrong.append("proofs.jsonl: there are more paths than events")
        if events != total or what not in ["all", *(each["stream"] for each in bundle.manifest["streams"])]:
            wrong.append("manifest.json: it does not say what is in the bundle")
        if what == "all":
            found = root_over(in_order(hashes, total, size, wrong))
            if root and (size > total or found != root):
                wrong.append("checkpoint: the events do not come to the root that it states")
    return events, rolled


def check(bundle: Bundle, keys: list[str], given: str) -> tuple[list[str], list[str]]:
    """Check everything, and return what was checked and what is wrong."""
    wrong: list[str] = []
    files, own = check_files(bundle, wrong), "checkpoint" in bundle.names
    note = given or (bundle.whole("checkpoint") if own else "")
    by = signers(note, keys or bundle.whole("keys").splitlines(), wrong) if note else []
    _, size, root, *_ = note.split("\n") if note else ("", "0", "")
    events, rolled = check_events(bundle, int(size), b64decode(root, validate=True), wrong)
    if note and not given and bundle.manifest["what"] == "all" and int(size) != events:
        wrong.append("checkpoint: it is not of as many events as there are")
    if keys and not note:
        wrong.append("checkpoint: there is none, so nobody has signed this")
    facts = [f"{files} files are those that the manifest describes."]
    facts.append(f"{events} events have the hash of their contents and of the event before them in their stream.")
    facts.append(f"{rolled} rolls of games that have ended follow from their secrets.")
    if bundle.manifest["what"] != "all":
        facts.append("Later events of these streams may have been left out. A bundle of the whole log shows whether they were.")
    if not note:
        return [*facts, "There is no checkpoint in it: NOBODY HAS SIGNED THIS. Compare the hashes with those in your mails."], wrong
    facts.append(f"The events lie in the tree of {size} events that the checkpoint states, signed by {' and '.join(by)}.")
    if not keys:
        facts.append("THIS KEY CAME WITH THE BUNDLE, so it does not prove who has signed. Give the one that was published with --key.")
    return facts, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description="Check a bundle of turnserver.")
    parser.add_argument("bundle", type=Path, help="the ZIP, or the folder that it was unpacked to")
    parser.add_argument("--key", action="append", default=[], metavar="VKEY", help="the key of the service, as it has published it")
    parser.add_argument("--checkpoint", type=Path, metavar="FILE", help="hold the events against this checkpoint, not their own")
    asked = parser.parse_args()
    try:
        note = asked.checkpoint.read_text(encoding="utf-8") if asked.checkpoint else ""
        facts, wrong = check(Bundle(asked.bundle), asked.key, note)
    except (*DAMAGE, *NONSENSE) as error:
        own = isinstance(error, (Unfit, *DAMAGE)) and not isinstance(error, RecursionError)
        print(f"{asked.bundle} cannot be checked: {error if own else 'something in it, or a key, is not written as it has to be'}")
        return 2
    print("\n".join(["THIS IS WRONG:", *wrong] if wrong else ["Nothing is wrong.", *facts, "Moves, clocks and results were not checked."]))
    return 1 if wrong else 0


if __name__ == "__main__":
    signal.signal(getattr(signal, "SIGPIPE", signal.SIGTERM), signal.SIG_DFL)  # whoever reads may have enough, as `head` has
    sys.exit(main())
