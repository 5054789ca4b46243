"""Bundles: what is in them, that they are the same each time, and that both programs that check them find nothing wrong."""

import json
import os
import signal
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

from tests.audit.bundle import bundles, finds
from tests.audit.bundle.bundles import DICE, DICE_RUNNING, KEY, VKEY, exported, packed, unpacked
from tests.cli.audit.test_verify import Burglar
from tests.cli.club import PEOPLE, Club
from tests.cli.typed import service_of
from tests.play.given import ADA, BOB, CLEO, NIM, RED, clock
from turnserver import resources
from turnserver.audit.bundle import verify, writing
from turnserver.audit.bundle.check import Against, Checked, check
from turnserver.audit.bundle.findings import MOST, BundleFault, FaultTally, Subject
from turnserver.audit.bundle.playing import play
from turnserver.errors import Malformed, NoBundle
from turnserver.ids import Burden
from turnserver.play.events import SubstituteSeated
from turnserver.proof.note import verification_key
from turnserver.store.log import history, log

TRUSTED = Against((KEY.verification_key(),))


def checked(path: Path, against: Against = TRUSTED) -> Checked:
    found = check(path, against, 1)
    assert found.wrong == []
    return found


def numbers(found: Checked) -> dict[Subject, int]:
    return {line.about: line.checked for line in found.lines}


def alone(path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the verifier without anything that was installed."""
    return subprocess.run([sys.executable, "-I", "-S", verify.__file__, str(path), *words], capture_output=True, text=True, check=False)


EXPORTED = ["game-1", "game-2", "game-3", DICE, DICE_RUNNING, "all"]
# What is unpacked is read alike whatever it is about.
UNPACKED = [pytest.param(what, True, marks=[] if what == "all" else [pytest.mark.long], id=f"unpacked-{what}") for what in EXPORTED]


@pytest.mark.parametrize(("what", "unpack"), [*(pytest.param(what, False, id=f"packed-{what}") for what in EXPORTED), *UNPACKED])
def test_nothing_is_wrong_with_what_was_exported(template: Club, tmp_path: Path, what: str, unpack: bool) -> None:
    path = tmp_path / "bundle"
    path.write_bytes(content := exported(template, what))
    if unpack:
        path = tmp_path / "folder"
        (path / "schema").mkdir(parents=True)
        for name, text in unpacked(content).items():
            (path / name).write_bytes(text)
    found = checked(path)
    assert (found.what, found.trusted, found.signed_by) == (what, True, [VKEY])
    assert numbers(found)[Subject.INCLUSION] == found.events == numbers(found)[Subject.HASHES]
    told = alone(path, "--key", VKEY)
    assert (told.returncode, told.stderr) == (0, ""), told
    assert f"{found.events} events have the hash" in told.stdout
    assert f"{numbers(found)[Subject.CHANCE]} rolls" in told.stdout


def test_who_has_read_enough_gets_no_trace(of_all: bytes, tmp_path: Path) -> None:
    (tmp_path / "all.zip").write_bytes(of_all)
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-I", "-S", verify.__file__, str(tmp_path / "all.zip")]
    told = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (told.returncode, told.stderr) == (-signal.SIGPIPE, "")


def test_what_was_checked_is_what_there_is(of_all: bytes, tmp_path: Path) -> None:
    files = unpacked(of_all)
    events = bundles.rows(files)
    rolls = {row["stream"]: 0 for row in events}
    for row in events:
        rolls[row["stream"]] += len(row["data"].get("rolls", []))
    assert rolls[DICE] > 0 < rolls[DICE_RUNNING]
    found = checked(packed(files, tmp_path / "all.zip"))
    assert numbers(found) == {
        Subject.FILES: len(files) - 1,
        Subject.STREAMS: 8,
        Subject.HASHES: len(events),
        Subject.SCHEMA: len(events),
        Subject.RULES: sum(row["type"] == "game.turn_played" for row in events),
        Subject.CHANCE: rolls[DICE],
        Subject.CLOCKS: sum(row["data"].get("clock") is not None for row in events),
        Subject.RESULTS: sum(row["type"] == "game.ended" for row in events),
        Subject.LEAGUES: 0,
        Subject.CHECKPOINT: 1,
        Subject.INCLUSION: len(events),
    }
    assert f"; {rolls[DICE_RUNNING]} more roll" in next(line.says for line in found.lines if line.about is Subject.CHANCE)
    assert found.rules == ["take (revision 1)", "tako (revision 1)"]


def test_the_same_log_gives_the_same_bytes(template: Club, of_dice: bytes) -> None:
    assert exported(template, DICE) == of_dice


def test_a_bundle_tells_no_secret_and_no_name(of_all: bytes) -> None:
    text = b"".join(content for name, content in unpacked(of_all).items() if name not in ("verify.py", "README.txt"))
    for name, address in PEOPLE.items():
        assert name.encode() not in text
        assert address.encode() not in text
    untold = [row["data"]["commitment"] for row in bundles.rows(unpacked(of_all)) if row["data"].get("commitment")]
    assert len(untold) == 2
    assert sum(row["type"] == "game.secret_revealed" for row in bundles.rows(unpacked(of_all))) == 1


def test_a_game_brings_its_players_along_and_nothing_else(of_dice: bytes, of_all: bytes) -> None:
    said = bundles.manifest(unpacked(of_dice))
    assert [each["stream"] for each in said["streams"]] == ["player-1", "player-2", DICE]
    assert sorted(unpacked(of_all)) == sorted({*unpacked(of_all)} - {"proofs.jsonl"})
    assert [each["stream"] for each in bundles.manifest(unpacked(of_all))["streams"]] == [
        *(f"player-{number}" for number in (1, 2, 3)),
        *(f"game-{number}" for number in (1, 2, 3, 4, 5)),
    ]


def test_the_manifest_fits_its_schema(of_dice: bytes) -> None:
    schema = json.loads((resources.events_dir() / "manifest.v1.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(bundles.manifest(unpacked(of_dice)))


def test_what_is_not_signed_is_said_to_be_so(template: Club, tmp_path: Path) -> None:
    for what in (DICE, "all"):
        path = tmp_path / what
        path.write_bytes(exported(template, what, ()))
        found = checked(path, Against())
        assert numbers(found)[Subject.CHECKPOINT] == numbers(found)[Subject.INCLUSION] == 0
        assert "nobody has signed" in found.notes[0]
        assert "NOBODY HAS SIGNED" in alone(path).stdout
        # only the whole log shows where it ends
        assert ("were left out" in found.notes[-1], "have been left out" in alone(path).stdout) == ((what != "all",) * 2)
        assert [one.about for one in check(path, TRUSTED, 1).wrong] == [Subject.CHECKPOINT]
        assert alone(path, "--key", VKEY).returncode == 1


def test_a_key_from_the_bundle_proves_nothing(of_dice: bytes, tmp_path: Path) -> None:
    path = packed(unpacked(of_dice), tmp_path / "bundle.zip")
    assert "came with the bundle" in checked(path, Against()).notes[0]
    told = alone(path)
    assert (told.returncode, "CAME WITH THE BUNDLE" in told.stdout) == (0, True)


def test_keys_that_follow_one_another_both_count(template: Club, tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    path.write_bytes(exported(template, DICE, (KEY, bundles.FORGERS)))
    for vkey in (VKEY, bundles.FORGERS_VKEY):
        assert checked(path, Against((verification_key(vkey),))).signed_by == [vkey]
        assert alone(path, "--key", vkey).returncode == 0


@pytest.mark.long
def test_several_processes_find_what_one_finds(of_all: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnserver.audit.bundle.check.WORTH_A_PROCESS", 1)
    monkeypatch.setattr("turnserver.audit.bundle.check.HANDFUL", 1)
    files = unpacked(of_all)
    path = packed(files, tmp_path / "all.zip")
    assert check(path, TRUSTED, 2) == check(path, TRUSTED, 1)
    at = next(row["version"] for row in bundles.rows(files) if row["stream"] == DICE and row["type"] == "game.turn_played")
    forged = bundles.chained(files, bundles.changed(bundles.rows(files), DICE, at, lambda row: {**row, "data": {**row["data"], "turn": 9}}))
    path = packed(forged, tmp_path / "forged.zip")
    found = check(path, TRUSTED, 2)
    assert found == check(path, TRUSTED, 1)
    assert Subject.RULES in {one.about for one in found.wrong}


def test_games_of_the_archive_are_played_too(club: Club, tmp_path: Path) -> None:
    record = '[Game "take"]\n[Options "size 2"]\n[Red "?"]\n[Blue "?"]\n\n1. a1 2. c2 (Blue resigns) 1-0\n'
    (club.directory / "game.txt").write_text(record, encoding="utf-8")
    club.printed("game import {dir}/game.txt")
    files = unpacked(exported(club, "all"))
    events = bundles.rows(files)
    assert (
        numbers(checked(packed(files, tmp_path / "all.zip")))[Subject.RULES] == sum(row["type"] == "game.turn_played" for row in events) + 2
    )
    forged = bundles.changed(events, "archive-1", 1, lambda row: json.loads(json.dumps(row).replace("c2", "a1")))
    bad = check(packed(bundles.signed_again(bundles.chained(files, forged), KEY), tmp_path / "bad.zip"), TRUSTED, 1)
    assert [(one.about, one.stream, "a1" in one.problem) for one in bad.wrong] == [(Subject.RULES, "archive-1", True)]


def test_of_countless_faults_the_first_are_told_and_all_are_counted() -> None:
    tally = FaultTally()
    tally.add(BundleFault(Subject.HASHES, at, "game-1", at, "wrong") for at in range(1, MOST + 6))
    assert (len(tally.wrong), tally.wrong[-1].position, tally.failed[Subject.HASHES]) == (MOST, MOST, MOST + 5)


def test_whoever_takes_a_seat_over_belongs_to_a_game_like_those_who_began_it() -> None:
    seated = SubstituteSeated(seat=RED, player=CLEO, zone="UTC", rating=Burden.SUBSTITUTE, reason="r", clock=clock(1))
    assert writing.players([*NIM, seated]) == {ADA, BOB, CLEO}


@pytest.mark.parametrize("change", ["type = 'game.surprise'", "schema = 99"])
def test_what_cannot_be_read_again_is_not_exported(club: Club, change: str) -> None:
    with Burglar(club) as burglar:
        burglar.run(f"UPDATE event SET {change} WHERE stream = 'game-1' AND version = 4")  # noqa: S608  # our own columns
    service = service_of(club)
    says = "game-1 holds what cannot be written to a bundle; see what `turnserver audit verify` says of it"
    with service.db.read() as conn, pytest.raises(Malformed, match=says):
        writing.write(conn, "all", log.last_position(conn), None, BytesIO(), progress=lambda _done: None)
    service.db.close()


def test_a_checkpoint_of_the_same_size_does_as_well_as_the_one_in_the_bundle(of_dice: bytes, tmp_path: Path) -> None:
    files = unpacked(of_dice)
    path = packed(files, tmp_path / "bundle.zip")
    found = checked(path, TRUSTED._replace(note=files["checkpoint"].decode()))
    assert numbers(found)[Subject.INCLUSION] == found.events


def test_streams_of_a_kind_to_come_are_checked_like_any_other(of_all: bytes, tmp_path: Path) -> None:
    files = unpacked(of_all)
    events = bundles.rows(files)
    more = {**events[0], "stream": "surprise-1", "position": len(events) + 1}
    good = bundles.signed_again(bundles.chained(files, [*events, more]), KEY)
    assert numbers(checked(packed(good, tmp_path / "good.zip")))[Subject.HASHES] == len(events) + 1
    forged = bundles.rows(good)
    forged[-1]["actor"] = "player-1"
    bad = check(packed(bundles.with_rows(good, forged), tmp_path / "bad.zip"), TRUSTED, 1)
    assert [(one.about, one.stream) for one in bad.wrong] == [(Subject.HASHES, "surprise-1")]


def test_streams_that_do_not_stand_in_their_order_are_named(of_dice: bytes, tmp_path: Path) -> None:
    files = unpacked(of_dice)
    events = bundles.rows(files)
    turned = [row for name in (DICE, "player-2", "player-1") for row in events if row["stream"] == name]
    bad = check(packed(bundles.chained(files, turned), tmp_path / "bad.zip"), Against(), 1)
    assert "streams do not stand in their order, or twice" in [one.problem for one in bad.wrong if one.about is Subject.STREAMS]


def test_a_stream_that_is_listed_and_not_there_is_missed(of_dice: bytes, tmp_path: Path) -> None:
    said = bundles.manifest(unpacked(of_dice))
    more = {"stream": "game-99", "events": 1, "hash": "0" * 64}
    files = bundles.with_manifest(unpacked(of_dice), {**said, "streams": [*said["streams"], more]})
    with pytest.raises(NoBundle, match=r"events.jsonl has no events of game-99, which manifest.json lists"):
        check(packed(files, tmp_path / "bad.zip"), TRUSTED, 1)


def test_something_else_than_a_game_in_the_archive_is_named(of_all: bytes, tmp_path: Path) -> None:
    files = unpacked(of_all)
    events = bundles.rows(files)
    more = {**events[0], "stream": "archive-1", "position": len(events) + 1}
    bad = check(packed(bundles.signed_again(bundles.chained(files, [*events, more]), KEY), tmp_path / "bad.zip"), TRUSTED, 1)
    assert [(one.about, one.stream) for one in bad.wrong] == [(Subject.RULES, "archive-1")]


def test_rules_that_trip_over_a_game_are_a_fault_of_that_game(of_dice: bytes) -> None:
    """The rest of the bundle is looked at all the same."""
    lines = [history.read_line(line) for line in unpacked(of_dice)["events.jsonl"].splitlines(keepends=True)]
    found = play([row for row in lines if row.stream == DICE], {}, finds.failing)
    assert [(one.about, one.stream, one.version, one.problem) for one in found.wrong] == [
        (Subject.RULES, DICE, 1, "the game cannot be played again here: ZeroDivisionError: in the rules")
    ]
