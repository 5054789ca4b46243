"""A world that makes checkpoints: its key, its published files, and a past that somebody rewrites behind everybody's back."""

from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.service.world import SITE, World
from tests.store.log.test_verify import execute
from tests.terms import PLAIN
from turnserver.config import Audit, Settings, Site
from turnserver.ids import Position
from turnserver.proof import checkpoint, merkle
from turnserver.proof.checkpoint import Checkpoint
from turnserver.proof.note import SigningKey
from turnserver.service.upkeep import checkpoints as publishing
from turnserver.store.log import checkpoints, log
from turnserver.store.log.checkpoints import Stored
from turnserver.store.log.database import Database, Transaction

ORIGIN = "club.example/turnserver"

DROP = {
    "sqlite": [f"DROP TRIGGER {table}_no_{what}" for table in ("event", "checkpoint") for what in ("update", "delete")],
    "postgresql": [f"DROP TRIGGER {table}_append_only ON {table}" for table in ("event", "checkpoint")],
}


def write_key(path: Path, seed: int = 1) -> SigningKey:
    """A key that is the same in every run, in a file."""
    key = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return SigningKey(ORIGIN, key)


def settings(
    directory: Path, *, seeds: tuple[int, ...] = (1,), hours: int = 24, retired: tuple[int, ...] = (), publish: bool = True
) -> Settings:
    """Sign with the keys of these seeds, let those of others only verify, and publish beside them."""
    for seed in seeds:
        write_key(directory / f"key-{seed}.pem", seed)
    audit = Audit(
        key_files=tuple(directory / f"key-{seed}.pem" for seed in seeds),
        verification_keys=tuple(str(write_key(directory / "retired.pem", seed).verification_key()) for seed in retired),
        publish=str(directory / "published") if publish else "",
        checkpoint_hours=hours,
    )
    return Settings(site=Site(address=SITE), play=PLAIN, audit=audit)


def with_audit(world: World, audit: Audit) -> None:
    """The service ends and begins anew with other settings."""
    world._settings = msgspec.structs.replace(world._settings, audit=audit)
    world.restart()


def stored(world: World) -> list[Stored]:
    with world.service.db.read() as conn:
        return checkpoints.every(conn)


def published(directory: Path) -> dict[str, str]:
    """Return what was published, by name."""
    return {each.path.name: publishing.read(each.path) for each in publishing.listed(str(directory / "published"))}


def hashes(db: Database, size: int) -> list[bytes]:
    with db.read() as conn:
        return [row.hash for row in log.tail(conn, Position(0), size)]


def sound(world: World, directory: Path) -> list[int]:
    """The sizes of all checkpoints: each is signed, says what the log's tree was, grew out of the one before it, and lies published."""
    found = stored(world)
    keys = [write_key(directory / "same.pem").verification_key()]
    for one in found:
        leaves = hashes(world.service.db, one.size)
        assert checkpoint.verify(one.note, keys, ORIGIN) == Checkpoint(ORIGIN, one.size, merkle.root(leaves))
        assert one.tree == merkle.Frontier().extend(map(merkle.leaf, leaves))
    assert [one.id for one in found] == list(range(1, len(found) + 1))
    assert published(directory) == {f"{one.size}.checkpoint": one.note for one in found}
    return [one.size for one in found]


def tamper(db: Database, *statements: str) -> None:
    """Change rows, with no trigger in the way."""
    with db.write() as tx:
        disarm(tx)
        for statement in statements:
            execute(tx, statement)


def disarm(tx: Transaction) -> None:
    """Drop the triggers that make tables append-only."""
    for statement in DROP[tx.database.engine.dialect.name]:
        execute(tx, statement)
