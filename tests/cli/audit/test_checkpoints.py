"""`audit checkpoint`, `audit key`, `audit prove` and `audit check-proof`, and what `audit verify` says of checkpoints."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.audit.test_verify import Burglar
from tests.cli.club import Club
from tests.cli.typed import configure, declared, typed
from turnserver.cli.audit.checkpoints import CheckpointMade, CheckpointVerified, KeyShown
from turnserver.cli.audit.group import AuditReport
from turnserver.cli.audit.proofs import Proved
from turnserver.proof import tlog_proof
from turnserver.proof.tlog_proof import TlogProof

ORIGIN = "club.example/turnserver"


@pytest.fixture
def signed(club: Club) -> Club:
    """A club with two checkpoints, published: one of all that happened at first, one with two games more."""
    configure(club, '\n[audit]\npublish = "published"\n')
    club.printed("audit checkpoint add")
    for _ in range(2):
        club.printed("game open take Ada Bob")
    club.printed("audit checkpoint add")
    return club


def sizes(club: Club) -> list[int]:
    found = declared(typed(club, "audit checkpoint list --json").stdout, "audit checkpoint list")
    assert isinstance(found, list)
    return [one.size for one in found]


def files(club: Club) -> list[Path]:
    return [club.directory / "published" / f"{size}.checkpoint" for size in sizes(club)]


def verified(club: Club, *more: object) -> list[CheckpointVerified]:
    """Return what `verify` finds for the published files, or others."""
    line = f"audit checkpoint verify {' '.join(map(str, more or files(club)))} --json"
    result = typed(club, line)
    found = declared(result.stdout, "audit checkpoint verify")
    assert isinstance(found, list)
    assert result.exit_code == (not all(one.true for one in found))
    return found


def audited(club: Club) -> list[str]:
    """Return what `audit verify` finds."""
    result = typed(club, "audit verify --json --workers 1")
    found = declared(result.stdout, "audit verify")
    assert isinstance(found, AuditReport)
    return [one.problem for one in found.findings]


def test_a_checkpoint_is_printed_listed_and_published(signed: Club) -> None:
    note = signed.printed("audit checkpoint show")
    first, second = sizes(signed)
    assert note.startswith(f"{ORIGIN}\n{second}\n")
    assert signed.printed("audit checkpoint add") == note  # nothing has happened since
    assert signed.printed(f"audit checkpoint show {first}").startswith(f"{ORIGIN}\n{first}\n")
    assert [path.read_text("utf-8") for path in files(signed)] == [signed.printed(f"audit checkpoint show {first}"), note]
    made = declared(signed.printed("audit checkpoint show --json"), "audit checkpoint show")
    assert isinstance(made, CheckpointMade)
    assert (made.size, made.note, made.reason) == (second, note, "asked")
    assert declared(signed.printed("audit checkpoint add --json"), "audit checkpoint add") == made
    lines = signed.printed("audit checkpoint list").splitlines()
    assert ["somebody asked" in line for line in lines].count(True) == 2


def test_keys_are_shown_and_made(signed: Club) -> None:
    (shown,) = signed.printed("audit key show").splitlines()
    assert shown.startswith(f"{ORIGIN}+")
    printed = signed.printed("audit key add {dir}/next.pem")
    assert (signed.directory / "next.pem").stat().st_mode & 0o777 == 0o600
    (public,) = [line.strip() for line in printed.splitlines() if f"  {ORIGIN}+" in line]
    again = typed(signed, "audit key add {dir}/next.pem")
    assert (again.exit_code, again.stderr.count("\n")) == (1, 1)
    assert typed(signed, "audit key add {dir}/no/where.pem").exit_code == 1
    text = signed.config.read_text("utf-8")
    added = f'key_files = ["next.pem"]\nverification_keys = ["{shown}"]\n'
    signed.config.write_text(text.replace("[audit]\n", f"[audit]\n{added}"), encoding="utf-8")
    assert signed.printed("audit key show").splitlines() == [public, f"{shown} (signs no more)"]
    keys = declared(signed.printed("audit key show --json"), "audit key show")
    assert keys == [KeyShown(public, signs=True, file=str(signed.directory / "next.pem")), KeyShown(shown, signs=False, file=None)]
    assert [one.true for one in verified(signed)] == [True, True]
    assert audited(signed) == []
    signed.config.write_text(text.replace("[audit]\n", '[audit]\nkey_files = ["next.pem"]\n'), encoding="utf-8")
    assert [one.size for one in verified(signed)] == [None, None]
    assert any("No key that is known here has signed this note" in one for one in audited(signed))


def test_what_is_whole_is_true(signed: Club) -> None:
    first, second = sizes(signed)
    assert [(one.size, one.true) for one in verified(signed)] == [(first, True), (second, True)]
    path, _ = files(signed)
    assert typed(signed, f"audit checkpoint verify {path}").stdout == f"{path}: Each of the first {first} events is as it was signed.\n"
    assert audited(signed) == []


def changed(burglar: Burglar) -> None:
    burglar.change("game-1", 6, '"e3"', '"e2"')


def covered_up(burglar: Burglar) -> None:
    changed(burglar)
    burglar.cover_up("game-1")


def cut_off(burglar: Burglar) -> None:
    """The last game and everything after it never happened."""
    burglar.run("PRAGMA foreign_keys = OFF")
    burglar.run("DELETE FROM event WHERE position > (SELECT position - 1 FROM event WHERE stream = 'game-5' AND version = 1)")
    burglar.run("UPDATE counter SET value = (SELECT MAX(position) FROM event) WHERE name = 'position'")
    burglar.run("DELETE FROM game WHERE id = 5")


def swapped(burglar: Burglar) -> None:
    """Two games were opened the other way round: two positions change places, and all hashes are made anew."""
    rows = burglar.connection.execute("SELECT position FROM event WHERE stream IN ('game-2', 'game-3') AND version = 1").fetchall()
    (one,), (other,) = rows
    for was, now in ((one, -1), (other, one), (-1, other)):
        burglar.run(f"UPDATE event SET position = {now} WHERE position = {was}")  # noqa: S608  # numbers
    burglar.cover_up("game-2")
    burglar.cover_up("game-3")


TAMPERED: dict[str, tuple[Callable[[Burglar], None], list[bool], str]] = {
    "a move": (changed, [False, False], "is not the one that was signed: its row was changed"),
    "a move, covered up": (covered_up, [False, False], "The log was rewritten"),
    "the end cut off": (cut_off, [True, False], "of what was signed is lost"),
    "two games swapped": (swapped, [False, False], "The log was rewritten"),
}


@pytest.mark.parametrize(("tamper", "true", "says"), TAMPERED.values(), ids=TAMPERED)
def test_what_was_done_to_the_log_is_found(signed: Club, tamper: Callable[[Burglar], None], true: list[bool], says: str) -> None:
    with Burglar(signed) as burglar:
        tamper(burglar)
    found = verified(signed)
    assert [one.true for one in found] == true
    assert says in found[-1].says
    assert any("is not true any more" in one or "the hash does not fit" in one for one in audited(signed))


def an_early_event(burglar: Burglar) -> None:
    burglar.run("UPDATE checkpoint SET size = size - 1 WHERE id = 1")


STORED: dict[str, tuple[Callable[[Burglar], None], str]] = {
    "its size": (an_early_event, "in row 1 of the table is not to be believed: What stands beside"),
    "its root": (lambda burglar: burglar.run(f"UPDATE checkpoint SET root = '{'00' * 32}' WHERE id = 1"), "is not to be believed"),  # noqa: S608
    "its note": (lambda burglar: burglar.run("UPDATE checkpoint SET note = '-' || note WHERE id = 2"), "row 2 of the table"),
    "its subtrees": (lambda burglar: burglar.run("UPDATE checkpoint SET frontier = x'00' WHERE id = 2"), "is not to be believed"),
    "nonsense": (lambda burglar: burglar.run("UPDATE checkpoint SET root = 'x' WHERE id = 2"), "cannot be checked"),
    "one removed": (lambda burglar: burglar.run("DELETE FROM checkpoint WHERE id = 1"), "row 1 of the table is missing"),
    "all removed": (lambda burglar: burglar.run("DELETE FROM checkpoint"), "it was rolled back or rewritten"),
    "their order": (lambda burglar: burglar.run("UPDATE checkpoint SET id = 4 - id"), "of fewer events than the one before"),
}


@pytest.mark.parametrize(("tamper", "says"), STORED.values(), ids=STORED)
def test_what_was_done_to_stored_checkpoints_is_found(signed: Club, tamper: Callable[[Burglar], None], says: str) -> None:
    before = files(signed)
    with Burglar(signed) as burglar:
        tamper(burglar)
    assert [one for one in audited(signed) if says in one] != []
    assert [one.true for one in verified(signed, *before)] == [True, True]  # the files tell the truth, and so does the log


def test_what_was_done_to_published_ones_is_found(signed: Club) -> None:
    first, second = files(signed)
    shutil.copy(first, second)
    first.write_text("nothing\n", encoding="utf-8")
    found = audited(signed)
    assert any(f"{second} is the checkpoint of" in one for one in found)
    assert any(f"{first} is not to be believed: This is not a signed note" in one for one in found)
    assert [one.size for one in verified(signed, first, second)] == [None, sizes(signed)[0]]


def test_a_backup_put_back_is_noticed_by_what_was_published(signed: Club) -> None:
    with_all = (signed.directory / "club.db").read_bytes()
    signed.printed("game open take Ada Bob")
    signed.printed("audit checkpoint add")
    last = files(signed)[-1]
    for rest in signed.directory.glob("club.db-*"):
        rest.unlink()
    (signed.directory / "club.db").write_bytes(with_all)
    (found,) = verified(signed, last)
    assert "of what was signed is lost" in found.says
    assert any(f"{last} was published, and the table has no checkpoint" in one for one in audited(signed))
    refused = typed(signed, "audit checkpoint add")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "history was lost" in refused.stderr


def test_an_event_is_proved_to_whoever_has_only_the_key(signed: Club, tmp_path: Path) -> None:
    (key,) = signed.printed("audit key show").splitlines()
    signed.printed("audit prove game-1 6 -o {dir}/x.tlog-proof")
    assert signed.printed("audit prove 1 6") == (signed.directory / "x.tlog-proof").read_text("utf-8")
    nobody = Club(tmp_path / "elsewhere")
    nobody.directory.mkdir()
    nobody.config.touch()  # neither a database nor anything in the configuration
    printed = typed(nobody, f"audit check-proof {signed.directory}/x.tlog-proof --key {key}")
    assert printed.exit_code == 0, printed.stderr
    assert "Proved: position " in printed.stdout
    assert "game-1 6, game.turn_played" in printed.stdout
    assert '"e3"' in printed.stdout
    done = declared(typed(nobody, f"audit check-proof {signed.directory}/x.tlog-proof --key {key} --json").stdout, "audit check-proof")
    assert isinstance(done, Proved)
    assert done.event is not None
    assert (done.origin, done.size, done.event.stream, done.event.version) == (ORIGIN, sizes(signed)[0], "game-1", 6)
    other = typed(nobody, f"audit check-proof {signed.directory}/x.tlog-proof")
    assert (other.exit_code, other.stderr.count("\n")) == (1, 1)
    assert "No key that is known here" in other.stderr


def test_a_proof_is_held_to_a_hash(signed: Club) -> None:
    signed.printed("audit prove game-1 6 -o {dir}/x.tlog-proof")
    path = signed.directory / "x.tlog-proof"
    proof = tlog_proof.parse(path.read_text("utf-8"))
    done = declared(typed(signed, f"audit check-proof {path} --json").stdout, "audit check-proof")
    assert isinstance(done, Proved)
    path.write_text(str(TlogProof(proof.index, proof.path, proof.checkpoint)), encoding="utf-8")
    assert typed(signed, f"audit check-proof {path} --digest {done.digest}").exit_code == 0
    for wrong in ("", "--digest x", f"--digest {'00' * 32}"):
        refused = typed(signed, f"audit check-proof {path} {wrong}")
        assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (1, "", 1)
    path.write_text(str(TlogProof(proof.index, proof.path, proof.checkpoint, b"another event")), encoding="utf-8")
    assert typed(signed, f"audit check-proof {path}").exit_code == 1
    assert typed(signed, f"audit check-proof {path} --digest {done.digest}").exit_code == 1


def test_growth_is_proved_to_whoever_kept_the_older_checkpoint(signed: Club) -> None:
    (key,) = signed.printed("audit key show").splitlines()
    first, second = files(signed)
    old, new = sizes(signed)
    by_size = signed.printed(f"audit prove-consistency {old} {new}")
    assert by_size == signed.printed(f"audit prove-consistency {first}")
    path = signed.directory / "growth"
    signed.printed(f"audit prove-consistency {first} -o {path}")
    said = signed.printed(f"audit check-proof {path} --old {first} --key {key}")
    assert said == f"Proved: the log {ORIGIN} of {new} events grew out of that of {old}; none of those was touched.\n"
    for wrong in ("", f"--old {second}", f"--old {path}", "--old no-such-file"):
        refused = typed(signed, f"audit check-proof {path} {wrong}")
        assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (1, "", 1), refused.output
    assert typed(signed, f"audit prove-consistency {second} {old}").exit_code == 1


def test_nothing_is_proved_of_a_log_that_was_rewritten(signed: Club) -> None:
    with Burglar(signed) as burglar:
        covered_up(burglar)
    for line in ("audit prove game-1 6", "audit prove game-2 1", f"audit prove-consistency {sizes(signed)[0]}"):
        refused = typed(signed, line)
        assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (1, "", 1), line


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("audit prove game-99 1", "There is no event game-99 1."),
        ("audit prove nonsense 1", "There is no event nonsense 1."),
        ("audit prove game-1 1", "No checkpoint has game-1 1 yet; `turnserver audit checkpoint add` makes one."),
        ("audit checkpoint show", "There is no checkpoint yet."),
        ("audit checkpoint show 5", "There is no checkpoint of 5 events"),
        ("audit prove-consistency 5", "There is no checkpoint yet."),
        ("audit check-proof {dir}/club.db", "is not UTF-8 text"),
        ("audit check-proof {dir}/turnserver.toml", "This is not a proof of inclusion"),
        ("audit check-proof {dir}/none", "cannot be read: No such file or directory"),
        ("audit check-proof {dir}/none --key x", "is not a verification key"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(club: Club, line: str, says: str) -> None:
    refused = typed(club, line)
    assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1), refused.output
    assert says in refused.stderr


def test_a_list_of_none(club: Club) -> None:
    assert club.printed("audit checkpoint list") == "There are none yet.\n"
