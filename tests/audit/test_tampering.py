"""Tampering with the database is found by the audits that are said to find it, and by no others."""

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import PrimaryKeyConstraint, Table

from tests.audit.bundle import bundles
from tests.audit.tampering import COLUMNS, DEEDS, DROP, Deed, Rows, Tampered, put_back
from tests.audit.tampering_docs import DOCS, written
from tests.cli import club as clubs
from tests.cli.club import ADA, Club
from tests.cli.league import rated_club
from tests.cli.typed import configure, service_of, typed
from turnserver.audit.bundle.check import Against, check
from turnserver.errors import TurnserverError
from turnserver.play.commands import LayPlan, Resign
from turnserver.proof import checkpoint
from turnserver.proof.checkpoint import Checkpoint
from turnserver.proof.merkle import Frontier, leaf
from turnserver.proof.note import SigningKey, verification_key
from turnserver.service.upkeep import checkpoints
from turnserver.store.log import schema
from turnserver.store.log.tables import METADATA

pytestmark = pytest.mark.thorough

AUDIT = '\n[audit]\npublish = "published"\n'


class Scene(NamedTuple):
    """A club; a checkpoint and its key that were kept elsewhere; the digests of all mails until then; what a tamperer may have."""

    club: Club
    note: str
    vkey: str
    digests: tuple[str, ...]
    backup: dict[str, Rows]
    another: Rows
    before: dict[str, Any]


def club_in(directory: Path, byte: int) -> Club:
    """Games with and without dice; all chance comes from one byte."""
    directory.mkdir()
    club = clubs.found(directory)
    configure(club, AUDIT)
    club.entropy = lambda count: bytes([byte]) * count
    bundles.with_chance(club)
    return club


def rows(club: Club) -> Rows:
    """All events of a club."""
    service = service_of(club)
    with service.db.read() as tx:
        log = Tampered(tx, [], {}, lambda _: ("", "", b""), "", {})
        found = log.sql(f"SELECT {', '.join(COLUMNS)}, hash FROM event ORDER BY position")  # noqa: S608  # our own columns
    service.db.close()
    return [dict(zip((*COLUMNS, "hash"), row, strict=True)) for row in found]


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return scene_in(tmp_path_factory.mktemp("tampering") / "scene")


def scene_in(directory: Path) -> Scene:
    """Make the scene in a new directory. Seen by nobody outside are only the last events."""
    directory.mkdir()
    another = rows(club_in(directory / "another", 7))
    club = club_in(directory / "club", 1)
    backup = everything(club)
    rated_club.play(club, "Ada", "Bob")
    club.ask(1, LayPlan(ADA, club.now, "if e2 then b1", b"s" * 32))
    note = club.printed("audit checkpoint add")
    [key] = json.loads(club.printed("audit key show --json"))
    digests = tuple(one["hash"][:16] for one in rows(club) if one["stream"].startswith("game-"))
    before = row(club)
    club.ask(1, Resign(ADA, club.now))
    return Scene(club, note, key["vkey"], digests, backup, another, before)


def everything(club: Club) -> dict[str, Rows]:
    """All rows of all tables."""
    service = service_of(club)
    with service.db.read() as tx:
        log = Tampered(tx, [], {}, lambda _: ("", "", b""), "", {})
        found = {
            table.name: log.sql(f'SELECT {_listed(table)} FROM "{table.name}" ORDER BY {_listed(table.primary_key)}')  # noqa: S608
            for table in METADATA.sorted_tables
        }
    service.db.close()
    return {
        table.name: [dict(zip(table.columns.keys(), row, strict=True)) for row in found[table.name]] for table in METADATA.sorted_tables
    }


def moved(club: Club, url: str) -> dict[str, Rows]:
    """Let a club whose database is an SQLite file have it on PostgreSQL from now on, where the tables are empty; gives the rows there."""
    now, club.now = club.now, club.now + timedelta(minutes=2)  # so that no service seems to run
    club.printed(f"copy '{url}'")
    club.now = now
    club.config.write_text(club.config.read_text(encoding="utf-8").replace("sqlite:///club.db", url), encoding="utf-8")
    return everything(club)


def _listed(table: Table | PrimaryKeyConstraint) -> str:
    return ", ".join(f'"{column.name}"' for column in table.columns)


def row(club: Club) -> dict[str, Any]:
    """Return what may change in the row of the running game."""
    names = ("status", "turn", "to_move", "deadline_at", "due_at", "ended_at", "outcome", "ended_by", "winners")
    service = service_of(club)
    with service.db.read() as tx:
        [found] = Tampered(tx, [], {}, lambda _: ("", "", b""), "", {}).sql(f"SELECT {', '.join(names)} FROM game WHERE id = 1")  # noqa: S608
    service.db.close()
    return dict(zip(names, found, strict=True))


@pytest.fixture
def copied(scene: Scene, tmp_path: Path) -> Club:
    return copy_of(scene, tmp_path)


def copy_of(scene: Scene, directory: Path) -> Club:
    """The club in a directory, for whoever wants to change it."""
    shutil.copytree(scene.club.directory, directory / "club")
    club = Club(directory / "club", scene.club.asked)
    club.now = scene.club.now
    return club


def tamper(club: Club, scene: Scene, deed: Deed) -> None:
    """Do it, past all triggers."""
    service = service_of(club)
    key = SigningKey(service.settings.origin, checkpoints.read_key(service.settings.audit.key_files[0]))
    forger = SigningKey(service.settings.origin, Ed25519PrivateKey.from_private_bytes(b"f" * 32))

    def resigned(hashes: list[bytes], by: SigningKey = key) -> tuple[str, str, bytes]:
        tree = Frontier().extend(map(leaf, hashes))
        return checkpoint.sign(Checkpoint(by.name, len(hashes), tree.root()), [by]), tree.root().hex(), b"".join(tree.hashes)

    said = checkpoint.parse(scene.note.rpartition("\n\n")[0] + "\n")
    forged = checkpoint.sign(said, [forger])
    with service.db.write() as tx:
        log = Tampered(tx, scene.another, scene.backup, resigned, forged, scene.before)
        for statement in () if deed.leaves_traces else DROP[service.db.engine.dialect.name]:
            log.sql(statement)
        deed.do(log)
        if deed.rechain:
            log.rechain()
    if not deed.leaves_traces:
        schema.put_back(service.db)
    service.db.close()


def finders(club: Club, scene: Scene, directory: Path) -> str:
    """The letters of those who find something."""
    (directory / "kept").write_text(scene.note)
    verified = typed(club, "audit verify --workers 1 --json")
    report = json.loads(verified.stdout)
    problems = [one["problem"] for one in report["findings"]]
    found = "V" if [one for one in problems if "checkpoint" not in one and "published" not in one] else "N" * bool(report["odd_instants"])
    found += "P" if [one for one in problems if "checkpoint" in one or "published" in one] else ""
    held = typed(club, f"audit checkpoint verify {directory / 'kept'} --key {scene.vkey}")
    assert (verified.exit_code, held.exit_code) in {(bool(problems), 0), (bool(problems), 1)}, held.output
    found += "C" if held.exit_code else ""
    witnessed = typed(club, f"audit witness {' '.join(scene.digests)} --json")
    assert witnessed.exit_code in (0, 1), witnessed.output
    found += "W" if witnessed.exit_code else ""
    return found + ("B" if by_bundle(club, scene, directory) else "")


def by_bundle(club: Club, scene: Scene, directory: Path) -> bool:
    """Return whether a bundle of everything is refused, or cannot even be written."""
    try:
        (directory / "all.zip").write_bytes(bundles.exported(club, "all", ()))
        return bool(check(directory / "all.zip", Against((verification_key(scene.vkey),), scene.note), 1).wrong)
    except TurnserverError:
        return True


def test_nobody_finds_anything_where_nothing_was_done(copied: Club, scene: Scene, tmp_path: Path) -> None:
    assert finders(copied, scene, tmp_path) == ""


# One deed in two, and of those who have also written the hashes again one in three; `make long` tries all of them.
SOME = [pytest.param(deed, marks=[pytest.mark.long] if at % (3 if deed.rechain else 2) else []) for at, deed in enumerate(DEEDS)]


@pytest.mark.parametrize("deed", SOME, ids=lambda deed: f"{deed.name}{', hashes too' * deed.rechain}")
def test_who_finds_what(copied: Club, scene: Scene, tmp_path: Path, deed: Deed) -> None:
    tamper(copied, scene, deed)
    assert finders(copied, scene, tmp_path) == deed.found


def test_a_player_who_is_missing_is_found_and_hinders_no_witness(copied: Club, scene: Scene, tmp_path: Path) -> None:
    """Foreign keys are off, as they can be for anybody who writes to the file."""
    with closing(sqlite3.connect(copied.directory / "club.db")) as connection:
        connection.execute("DELETE FROM player WHERE id = 2")
        connection.commit()
    assert "V" in finders(copied, scene, tmp_path)
    found = json.loads(typed(copied, "audit verify --workers 1 --json").stdout)["findings"]
    assert ("player-2", "the stream has no account") in [(one["stream"], one["problem"]) for one in found]


ON_POSTGRESQL = (
    "an event's `actor` is edited",
    "another result, legal",
    "the newest checkpoint is deleted",
    "the row of a game is edited: who won",
)


@pytest.mark.long
def test_the_same_find_the_same_on_postgresql(copied: Club, scene: Scene, tmp_path: Path, postgresql_url: str) -> None:
    """Some of it, one deed after the other in a copy of the same club, everything put back in between."""
    own = scene._replace(backup=moved(copied, postgresql_url))
    copy = Deed("a copy", "", put_back)
    for deed in (deed for deed in DEEDS if deed.name in ON_POSTGRESQL):
        tamper(copied, own, copy)
        tamper(copied, own, deed)
        assert (deed.name, finders(copied, own, tmp_path)) == (deed.name, deed.found)


def test_everything_is_found_by_somebody_but_what_is_said_plainly() -> None:
    """Each thing that nobody finds has its reason in the docs, which show this table."""
    assert [deed.name for deed in DEEDS if not deed.found and not deed.why] == []
    text = DOCS.read_text(encoding="utf-8")
    assert written(text) == text
