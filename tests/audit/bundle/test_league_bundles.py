"""Bundles of leagues: their games come along, and what the league decided follows from them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.audit.bundle import bundles
from tests.audit.bundle.bundles import KEY, chained, manifest, rows, signed_again, unpacked, with_manifest
from tests.audit.bundle.test_bundles import checked, numbers
from tests.audit.bundle.test_forged_bundles import FINE, WRONG, by_check, by_verify, other, put
from tests.cli import club as clubs
from tests.cli.club import Club
from tests.cli.league.league_club import with_leagues
from turnserver.audit.bundle.check import Against, check
from turnserver.audit.bundle.findings import Subject


@pytest.fixture(scope="module")
def leagues(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """The club with its leagues."""
    return with_leagues(clubs.found(tmp_path_factory.mktemp("leagues")))


@pytest.mark.parametrize(
    ("what", "games"), [("league-1", ["game-4", "game-5", "game-6"]), ("league-2", []), ("game-4", ["game-4"]), ("game-1", ["game-1"])]
)
def test_a_league_brings_its_games_and_a_game_its_league(leagues: Club, tmp_path: Path, what: str, games: list[str]) -> None:
    path = tmp_path / "bundle.zip"
    path.write_bytes(bundles.exported(leagues, what))
    streams = [each["stream"] for each in manifest(unpacked(path.read_bytes()))["streams"]]
    assert [name for name in streams if name.startswith("game-")] == games
    league = [name for name in streams if name.startswith("league-")]
    assert league == ([] if what == "game-1" else ["league-2"] if what == "league-2" else ["league-1"])
    assert (numbers(checked(path))[Subject.LEAGUES] > 0) is (league != [])
    assert by_verify(path) == FINE


FORGED: dict[str, tuple[str, tuple[Any, ...]]] = {
    "who meets whom": ("league.round_paired", ("meetings", 0, "players")),
    "a result": ("league.result_recorded", ("marks",)),
    "who is in": ("league.season_started", ("divisions", 0, "players")),
    "which game": ("league.game_attached", ("game",)),
    "a meeting": ("league.game_attached", ("meeting",)),
}


def reversed_or_other(value: Any) -> Any:
    return value[::-1] if isinstance(value, list) and value != value[::-1] else other(value)


@pytest.mark.parametrize(("type_", "way"), FORGED.values(), ids=FORGED)
def test_what_a_league_cannot_have_decided_is_found(leagues: Club, tmp_path: Path, type_: str, way: tuple[Any, ...]) -> None:
    """By whoever knows the rules of leagues, whatever was signed."""
    files = unpacked(bundles.exported(leagues, "all"))
    at = next(at for at, row in enumerate(rows(files)) if row["type"] == type_)
    forged = chained(files, put(rows(files), (at, "data", *way), reversed_or_other))
    path = bundles.packed(signed_again(forged, KEY), tmp_path / "bundle.zip")
    code, about = by_check(path)
    assert (code, Subject.LEAGUES in about) == (WRONG, True), about
    assert by_verify(path) == FINE


@pytest.mark.parametrize("missing", ["game-5", "player-2"])
def test_a_stream_that_was_left_out_is_missed(leagues: Club, tmp_path: Path, missing: str) -> None:
    files = unpacked(bundles.exported(leagues, "league-1"))
    kept = [row["stream"] != missing for row in rows(files)]
    left = {
        name: b"".join(line for line, keep in zip(files[name].splitlines(keepends=True), kept, strict=True) if keep)
        for name in ("events.jsonl", "proofs.jsonl")
    }
    streams = [each for each in manifest(files)["streams"] if each["stream"] != missing]
    said = {**manifest(files), "events": sum(kept), "streams": streams}
    path = bundles.packed(bundles.sealed(with_manifest({**files, **left}, json.loads(json.dumps(said)))), tmp_path / "bundle.zip")
    assert by_check(path)[0] == WRONG
    assert Subject.STREAMS in by_check(path)[1]


@pytest.mark.parametrize(
    ("stream", "says"),
    [("league-1", "the league cannot be checked, because it cannot be read"), ("game-4", "the league cannot be checked: ")],
)
def test_a_league_that_cannot_be_read_and_one_whose_game_cannot_are_named(leagues: Club, tmp_path: Path, stream: str, says: str) -> None:
    files = unpacked(bundles.exported(leagues, "league-1"))
    at = next(at for at, row in enumerate(rows(files)) if (row["stream"], row["version"]) == (stream, 2))
    forged = chained(files, put(rows(files), (at, "data"), lambda data: {**data, "surprise": 1}))
    found = check(bundles.packed(forged, tmp_path / "bundle.zip"), Against(), 1)
    assert [(one.stream, one.version, one.problem[: len(says)]) for one in found.wrong if one.about is Subject.LEAGUES] == [
        ("league-1", 1, says)
    ]
