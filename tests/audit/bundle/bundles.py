"""Bundles of a small club, signed, and what a forger can do to one."""

import json
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.cli.club import ADA, BOB, Club
from tests.cli.typed import service_of
from turnserver.audit.bundle import writing as bundle
from turnserver.audit.bundle.writing import Sealed
from turnserver.ids import GameId, Position
from turnserver.play.commands import Accept, PlayTurn, Resign
from turnserver.proof import checkpoint, merkle
from turnserver.proof.checkpoint import Checkpoint
from turnserver.proof.note import SigningKey
from turnserver.store.log import log

ORIGIN = "club.example/turnserver"
KEY = SigningKey(ORIGIN, Ed25519PrivateKey.from_private_bytes(b"k" * 32))
FORGERS = SigningKey(ORIGIN, Ed25519PrivateKey.from_private_bytes(b"f" * 32))
VKEY, FORGERS_VKEY = str(KEY.verification_key()), str(FORGERS.verification_key())

DICE, DICE_RUNNING = "game-4", "game-5"


def with_chance(club: Club) -> None:
    """A game of TAKO that has ended, one that runs, and a vacation that stops clocks."""
    for number in (4, 5):
        club.printed("game open tako Ada Bob --order given")
        club.ask(number, Accept(ADA, club.now), Accept(BOB, club.now))
        service = service_of(club)
        state = service.games.state(GameId(number))
        move = state.game.rules.format(state.line.position, state.game.rules.steps(state.line.position)[0])
        service.db.close()
        club.ask(number, PlayTurn(ADA if state.to_move == 1 else BOB, club.now, move))
    club.ask(4, Resign(BOB, club.now))
    club.printed("player vacation Ada --days 5")


def exported(club: Club, what: str, keys: Iterable[SigningKey] = (KEY,)) -> bytes:
    """The ZIP of a bundle of the club, its checkpoint signed by these keys; by nobody if there are none."""
    service, file, keys = service_of(club), BytesIO(), tuple(keys)
    with service.db.read() as conn:
        size = log.last_position(conn)
        hashes = [event.hash for event in log.tail(conn, Position(0), size)]
        signed = checkpoint.sign(Checkpoint(ORIGIN, size, merkle.root(hashes)), keys) if keys else ""
        sealed = Sealed(signed, tuple(str(key.verification_key()) for key in keys), lambda: hashes) if keys else None
        bundle.write(conn, what, size, sealed, file, progress=lambda _done: None)
    service.db.close()
    return file.getvalue()


def unpacked(packed: bytes) -> dict[str, bytes]:
    """The files of a ZIP."""
    with ZipFile(BytesIO(packed)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(files: Mapping[str, bytes], path: Path) -> Path:
    """A ZIP of these files."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


Files = dict[str, bytes]
Row = dict[str, Any]


def manifest(files: Files) -> Any:
    return json.loads(files["manifest.json"])


def with_manifest(files: Files, said: Any) -> Files:
    return {**files, "manifest.json": (json.dumps(said, indent=1, ensure_ascii=False) + "\n").encode()}


def sealed(files: Files) -> Files:
    """With a manifest that says of each file what is true, as any forger would make it."""
    listed = {
        name: {"size": len(files[name]), "sha256": sha256(files[name]).hexdigest()} for name in sorted(files) if name != "manifest.json"
    }
    return with_manifest(files, {**manifest(files), "files": listed})


def rows(files: Files) -> list[Row]:
    return [json.loads(line) for line in files["events.jsonl"].splitlines()]


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def with_rows(files: Files, events: Iterable[Row]) -> Files:
    """With these events, and nothing else changed but the manifest's digest of them."""
    ordered = ({**row, "data": dict(sorted(row["data"].items()))} if isinstance(row["data"], dict) else row for row in events)
    return sealed({**files, "events.jsonl": "".join(f"{compact(row)}\n" for row in ordered).encode()})


def chained(files: Files, events: Iterable[Row]) -> Files:
    """With these events, every hash worked out anew, and the manifest as it has to be then."""
    heads: dict[str, Row] = {}
    for row in (made := [dict(row) for row in events]):
        before = heads.get(row["stream"], {"hash": ""})["hash"]
        data = json.dumps(row["data"], ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        row["hash"] = log.chain(before, (*(row[name] for name in list(row)[:9]), data))
        heads[row["stream"]] = row
    listed = [{"stream": name, "events": row["version"], "hash": row["hash"]} for name, row in heads.items()]
    return with_rows(with_manifest(files, {**manifest(files), "events": len(made), "streams": listed}), made)


def signed_again(files: Files, by: SigningKey = FORGERS) -> Files:
    """With a checkpoint and a key of the forger's own that fit the events; of a bundle of the whole log."""
    leaves = [bytes.fromhex(row["hash"]) for row in sorted(rows(files), key=lambda row: int(row["position"]))]
    text = checkpoint.sign(Checkpoint(ORIGIN, len(leaves), merkle.root(leaves)), [by])
    return sealed({**files, "checkpoint": text.encode(), "keys": f"{by.verification_key()}\n".encode()})


Change = Callable[[Row], Row]


def changed(events: list[Row], stream: str, version: int, change: Change) -> list[Row]:
    """With one event changed."""
    return [change(json.loads(json.dumps(row))) if (row["stream"], row["version"]) == (stream, version) else row for row in events]
