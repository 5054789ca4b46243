"""`audit export` and `audit check` as they are typed."""

from base64 import b64encode
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.audit.bundle.bundles import packed, rows, unpacked
from tests.cli.audit.test_verify import Burglar
from tests.cli.club import Club
from tests.cli.typed import configure, declared, typed
from turnserver.audit.bundle.check import Checked
from turnserver.audit.bundle.findings import Subject


def check(club: Club, line: str) -> Checked:
    found = declared(typed(club, f"audit check {line} --json").stdout, "audit check")
    assert isinstance(found, Checked)
    return found


@pytest.mark.parametrize("what", ["game-1", "all"])
def test_what_is_exported_can_be_checked_where_there_is_no_service(club: Club, tmp_path: Path, what: str) -> None:
    told = club.printed(f"audit export {what} -o {{dir}}/out.zip")
    found = check(club, "{dir}/out.zip")
    assert told == f"{found.events} events of {found.streams} streams are in {club.directory}/out.zip.\n"
    (vkey,) = found.signed_by
    (club.directory / "club.db").unlink()
    shown = typed(club, f"audit check {{dir}}/out.zip --key {vkey}", TURNSERVER_CONFIG=str(tmp_path / "none.toml"))
    assert (shown.exit_code, shown.stderr) == (0, "")
    for words in (f"out.zip: {what}, with {found.events} events", "turns are legal by the rules of take (revision 1)", "Nothing is wrong."):
        assert words in shown.stdout
    assert "came with" not in shown.stdout
    last = [row for row in rows(unpacked((club.directory / "out.zip").read_bytes())) if row["stream"] == what][-1:]
    assert [found.head] == ([row["hash"] for row in last] or [""])
    assert found.head in shown.stdout
    assert oct((club.directory / "out.zip").stat().st_mode)[-3:] == "644"


def test_by_default_it_lies_here_under_its_name(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(club.directory)
    club.printed("audit export game-3")
    with ZipFile(club.directory / "game-3.zip") as archive:
        assert "proofs.jsonl" in archive.namelist()
    assert not [*club.directory.glob(".game*")]


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("game-99", 1, "no game 99"),
        ("league-1", 1, "no league 1"),
        ("player-1", 2, "neither all nor like game-17"),
        ("game-x", 2, "neither all nor like game-17"),
        ("17", 2, "neither all nor like game-17"),
        ("game-1 -o {dir}/nowhere/out.zip", 1, "nowhere"),
    ],
)
def test_what_cannot_be_exported(club: Club, line: str, code: int, says: str) -> None:
    before = sorted(club.directory.iterdir())
    result = typed(club, f"audit export {line}" if "-o" in line else f"audit export {line} -o {{dir}}/out.zip")
    assert (result.exit_code, result.stdout) == (code, "")
    assert says in result.stderr
    assert sorted(club.directory.iterdir()) == before


def test_without_a_key_nobody_signs(club: Club) -> None:
    configure(club, "\n[audit]\nkey_files = []\n")
    assert "it can't show that this is the service's log" in " ".join(club.printed("audit export game-1 -o {dir}/out.zip").split())
    found = check(club, "{dir}/out.zip")
    assert (found.signed_by, found.wrong) == ([], [])
    assert "nobody has signed" in found.notes[0]


def test_what_was_forged_is_named_with_its_place(club: Club) -> None:
    configure(club, "\n[audit]\nkey_files = []\n")
    with Burglar(club) as burglar:
        burglar.change("game-1", 6, '"e3"', '"a1"')
        burglar.cover_up("game-1")
    club.printed("audit export game-1 -o {dir}/out.zip")
    shown = typed(club, "audit check {dir}/out.zip")
    assert shown.exit_code == 1
    assert "rules: the turn is not legal" in shown.stdout
    (wrong,) = check(club, "{dir}/out.zip").wrong
    assert (wrong.about, wrong.stream, wrong.version) == (Subject.RULES, "game-1", 6)


def test_a_log_that_cannot_be_read_is_not_exported(club: Club) -> None:
    configure(club, "\n[audit]\nkey_files = []\n")
    with Burglar(club) as burglar:
        burglar.run("UPDATE event SET data = '{' WHERE stream = 'game-1' AND version = 2")
    result = typed(club, "audit export game-1 -o {dir}/out.zip")
    assert (result.exit_code, (club.directory / "out.zip").exists()) == (1, False)
    assert result.stderr.count("\n") == 1


def test_a_checkpoint_from_elsewhere_is_held_against_the_events(club: Club) -> None:
    """One that was kept before the log grew fits all of it; a bundle of one game cannot show that."""
    club.printed("audit export all -o {dir}/before.zip")
    before = unpacked((club.directory / "before.zip").read_bytes())
    kept = club.directory / "kept"
    kept.write_bytes(before["checkpoint"])
    club.printed("player vacation Ada --days 5")
    club.printed("audit export all -o {dir}/all.zip")
    club.printed("audit export game-1 -o {dir}/game.zip")
    fits = check(club, "{dir}/all.zip --checkpoint {dir}/kept")
    size = int(kept.read_text().splitlines()[1])
    assert fits.wrong == []
    assert [line.checked for line in fits.lines if line.about is Subject.INCLUSION] == [size] != [fits.events]
    (wrong,) = check(club, "{dir}/game.zip --checkpoint {dir}/kept").wrong
    assert "a proof of consistency has to show" in wrong.problem
    text = kept.read_text().splitlines(keepends=True)
    kept.write_text("".join([*text[:2], f"{b64encode(bytes(32)).decode()}\n", *text[3:]]))
    assert {one.about for one in check(club, "{dir}/all.zip --checkpoint {dir}/kept").wrong} == {Subject.CHECKPOINT, Subject.INCLUSION}


def test_a_verifier_that_was_changed_is_pointed_out(club: Club) -> None:
    club.printed("audit export game-1 -o {dir}/out.zip")
    files = unpacked((club.directory / "out.zip").read_bytes())
    packed({**files, "verify.py": b'print("Nothing is wrong.")\n'}, club.directory / "out.zip")
    assert "Read it before you run it" in " ".join(typed(club, "audit check {dir}/out.zip").stdout.split())
