"""`python -m tests.audit.findings`: print what each audit objects to in histories that were tampered with, and in whole ones.

Run it before and after a change of the program, and `diff` shows every objection that a change has brought or lost. Histories are those of
the club in `test_tampering.py`, in its database and in bundles, and the recorded ones of games and leagues. What differs from run to run,
digests and causes, is not printed.
"""

import json
import re
import sys
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.audit.bundle import bundles
from tests.audit.bundle.test_forged_bundles import DAMAGE, ONLY_IN_PART
from tests.audit.league.test_recheck import variants
from tests.audit.tampering import DEEDS
from tests.audit.test_tampering import Scene, club_in, copy_of, scene_in, tamper
from tests.cli.club import Club
from tests.cli.typed import typed
from tests.histories.recorded import NAMES, recorded_of
from tests.league.histories import HISTORIES
from turnserver.audit.bundle import verify
from turnserver.audit.bundle.check import Against, check
from turnserver.audit.game.recheck import recheck as recheck_game
from turnserver.audit.league.recheck import recheck as recheck_league
from turnserver.errors import TurnserverError
from turnserver.ids import GameId, Recorded
from turnserver.proof.note import verification_key

NEVER_THE_SAME = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|[A-Za-z0-9+/]{40,}=*")
MANY = 2
"""The number of events of each kind in a history that are changed, field by field; all are left out once, and repeated once."""

FIRST = 1
"""The number of objections to the history of a league that are shown: each event is decided again, so they take longest."""


def of_databases(directory: Path) -> Iterator[str]:
    """Yield what is found in the database of a club, and in the bundle of it, after each deed."""
    scene = scene_in(directory / "scene")
    for number, deed in enumerate(DEEDS):
        club = copy_of(scene, directory / str(number))
        tamper(club, scene, deed)
        name = f"{deed.name}{', hashes too' * deed.rechain}"
        for found in _by_commands(club, scene, directory / str(number)):
            yield f"database | {name} | {found}".replace(str(directory), "")


def _by_commands(club: Club, scene: Scene, directory: Path) -> Iterator[str]:
    for found in json.loads(typed(club, "audit verify --workers 1 --json").stdout)["findings"]:
        yield f"verify | {found}"
    (directory / "kept").write_text(scene.note, encoding="utf-8")
    held = typed(club, f"audit checkpoint verify {directory / 'kept'} --key {scene.vkey}")
    yield f"checkpoint | {held.exit_code} {' '.join(held.output.split())}"
    witnessed = typed(club, f"audit witness {' '.join(scene.digests)}")
    yield f"witness | {witnessed.exit_code} {' '.join(witnessed.output.split())}"
    try:
        (directory / "all.zip").write_bytes(bundles.exported(club, "all", ()))
    except TurnserverError as error:
        yield f"bundle | {error}"
    else:
        yield from _of_bundle(directory / "all.zip", scene.vkey, scene.note)


def of_bundles(directory: Path) -> Iterator[str]:
    """Yield what both programs that check bundles find after each kind of damage."""
    club = club_in(directory / "bundled", 1)
    for what in (bundles.DICE, "all"):
        files = bundles.unpacked(bundles.exported(club, what))
        for damage in (one for one in DAMAGE if not (what == "all" and one in ONLY_IN_PART)):
            for name, forged in damage(files):
                path = bundles.packed(forged, directory / "bundle.zip")
                yield from (f"bundle | {what} | {name} | {said}" for said in _of_bundle(path, bundles.VKEY))


def _of_bundle(path: Path, vkey: str, note: str | None = None) -> Iterator[str]:
    try:
        yield from (f"check | {one}" for one in check(path, Against((verification_key(vkey),), note), 1).wrong)
    except TurnserverError as error:
        yield f"check | {error}"
    try:
        yield from (f"verify.py | {one}" for one in verify.check(verify.Bundle(path), [vkey], note or "")[1])
    except (*verify.DAMAGE, *verify.NONSENSE) as error:
        yield f"verify.py | {type(error).__name__}: {error}"


def of_games() -> Iterator[str]:
    """Yield what is wrong with the recorded games after each change."""
    for history in NAMES:
        whole = recorded_of(history)
        game = GameId(int(whole[0].stream.removeprefix("game-")))
        for name, rows in changes(whole):
            found = recheck_game((row.event for row in rows), game, recorded=(row.at for row in rows))
            yield from (f"game | {history} | {name} | {said}" for said in _until_it_fails(found))


def of_leagues() -> Iterator[str]:
    """Yield what is wrong with the histories of leagues after each change."""
    for history, make in HISTORIES.items():
        league = make()
        for name, rows in changes(list(league.rows)):
            found = islice(recheck_league(rows, league.lots.secret), FIRST)
            yield from (f"league | {history} | {name} | {said}" for said in _until_it_fails(found))


def _until_it_fails(objections: Iterator[object]) -> Iterator[str]:
    try:
        yield from map(str, objections)
    except Exception as error:  # noqa: BLE001  # how an audit fails at nonsense may not change unnoticed either
        yield f"{type(error).__name__}: {error}"


def changes(rows: list[Recorded[Any]]) -> Iterator[tuple[str, list[Recorded[Any]]]]:
    """Give the history as it is, and with one thing changed, left out or repeated."""
    yield "nothing", rows
    kinds = [type(row.event) for row in rows]
    for at, row in enumerate(rows):
        name = f"{at + 1} {kinds[at].__name__}"
        yield f"{name} left out", [*rows[:at], *rows[at + 1 :]]
        yield f"{name} twice", [*rows[: at + 1], *rows[at:]]
        for path, event in variants(row.event, name) if kinds[:at].count(kinds[at]) < MANY else ():
            yield path, [*rows[:at], row._replace(event=event), *rows[at + 1 :]]


def main() -> None:
    """Print one line for each objection."""
    with TemporaryDirectory() as name:
        for line in chain(of_databases(Path(name)), of_bundles(Path(name)), of_games(), of_leagues()):
            sys.stdout.write(NEVER_THE_SAME.sub("#", line).replace("\n", " ") + "\n")


if __name__ == "__main__":
    main()
