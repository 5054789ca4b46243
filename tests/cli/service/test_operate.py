"""`init` and `tick`; the process that `serve` starts has tests of its own under tests/jobs."""

import logging
import mailbox
from datetime import timedelta
from pathlib import Path

import pytest

from tests.cases import for_each
from tests.cli.club import CONFIG, Club
from tests.cli.typed import MAILDIR, configure, declared, service_of, typed
from turnserver.cli.operate import Initialised, LogLine, RoundOfWork
from turnserver.errors import MailboxClosed
from turnserver.mail.transport import maildir
from turnserver.store.incidents import health
from turnserver.store.log.database import REVISION, Database
from turnserver.store.mail import outbox

HELP = b"From: ada@example.org\r\nTo: turns@club.example\r\nMessage-ID: <1@example.org>\r\n\r\nhelp\r\n"


@pytest.fixture
def bare(tmp_path: Path) -> Club:
    """A configuration and nothing else."""
    club = Club(tmp_path)
    club.config.write_text(CONFIG, encoding="utf-8")
    return club


def test_init_creates_once(bare: Club) -> None:
    first = typed(bare, "init")
    assert first.exit_code == 0
    assert first.stdout.startswith(f"Created the file {bare.directory / 'club.db'}, revision {REVISION}.\n")
    assert "`turnserver doctor`" in first.stdout
    key = bare.directory / "checkpoint.pem"
    assert f"Made the key {key} for checkpoints" in first.stdout
    assert key.stat().st_mode & 0o777 == 0o600
    made = key.read_bytes()
    second = typed(bare, "init")
    assert second.stdout == f"There was nothing to do for the file {bare.directory / 'club.db'}, revision {REVISION}.\n"
    assert typed(bare, "player add Ada ada@example.org").exit_code == 0
    assert key.read_bytes() == made


def test_nothing_is_created_for_a_service_without_an_admin(bare: Club) -> None:
    bare.config.write_text(CONFIG.replace('admin = "admin@club.example"\n', ""), encoding="utf-8")
    refused = typed(bare, "init")
    assert refused.exit_code == 1
    assert "site.admin is empty" in refused.stderr
    assert not (bare.directory / "club.db").exists()


def test_init_says_it_to_programs(bare: Club) -> None:
    place = f"the file {bare.directory / 'club.db'}"
    for did, keys in (("created", [str(bare.directory / "checkpoint.pem")]), ("nothing", [])):
        assert declared(typed(bare, "init --json").stdout, "init") == Initialised(did, place, REVISION, [], keys)


def test_a_key_that_cannot_be_made_holds_up_nothing_else(bare: Club) -> None:
    bare.config.write_text(f'{CONFIG}\n[audit]\nkey_files = ["no/where.pem"]\n', encoding="utf-8")
    done = typed(bare, "init")
    assert (done.exit_code, done.stderr.count("\n")) == (0, 1)
    assert "no/where.pem, cannot be written: No such file or directory. Name a place in audit.key_files" in done.stderr


def test_no_key_is_made_where_another_machine_has_signed(bare: Club) -> None:
    """A second machine gets the file: two keys under one name would make each checkpoint doubtful to the other machine."""
    assert typed(bare, "init").exit_code == 0
    assert typed(bare, "audit checkpoint add").exit_code == 0
    key = bare.directory / "checkpoint.pem"
    moved = key.rename(bare.directory / "elsewhere.pem")
    for line, where in (("init", "stderr"), ("audit checkpoint add", "stderr"), ("doctor", "stdout"), ("status", "stdout")):
        said = " ".join(getattr(typed(bare, line), where).split())
        assert "Copy its file to the place that audit.key_files names" in said
        assert "checkpoint add --lost-key" in said
        assert not key.exists()
    moved.rename(key)
    assert "Checkpoint:" not in typed(bare, "status").stdout
    assert typed(bare, "audit checkpoint add").exit_code == 0
    key.unlink()
    assert typed(bare, "audit key add {dir}/checkpoint.pem").exit_code == 0
    assert typed(bare, "audit checkpoint add").exit_code == 1
    assert typed(bare, "audit checkpoint add --lost-key").exit_code == 0


def test_init_leaves_what_is_there(club: Club) -> None:
    before = club.printed("game list --all")
    assert typed(club, "init").exit_code == 0
    assert club.printed("game list --all") == before


def test_init_where_there_is_no_directory(bare: Club) -> None:
    bare.config.write_text('[database]\nurl = "sqlite:///no/where.db"\n', encoding="utf-8")
    done = typed(bare, "init")
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert "no/where.db: No such file or directory" in done.stderr


@for_each(
    ("url", "expected"),
    [
        ("sqlite:////var/lib/club.db", "the file /var/lib/club.db"),
        ("postgresql+psycopg://ada:secret@db.example:5433/club", "the database club at db.example:5433"),
        ("postgresql+psycopg:///club?host=/run/postgresql", "the database club at /run/postgresql"),
        ("postgresql+psycopg:///club", "the database club at the local socket"),
    ],
)
def test_a_database_is_named_without_its_password(url: str, expected: str) -> None:
    assert health.place(url) == expected


def test_looking_at_a_database_leaves_no_trace(database: Database) -> None:
    found = health.examine(database)
    assert found.engine.partition(" ")[0] in {"SQLite", "PostgreSQL"}
    assert (found.revision, found.journal) == (REVISION, "wal" if found.engine.startswith("SQLite") else None)
    assert health.examine(database) == found


def test_tick_does_everything_once(club: Club) -> None:
    """The club's founding left mails to be sent; a mail lies in the maildir; the second round finds nothing."""
    box = club.directory / "incoming"
    for name in ("new", "cur", "tmp"):
        (box / name).mkdir(parents=True)
    (box / "new" / "1.mail").write_bytes(HELP)
    configure(club, f'{MAILDIR}\n[incoming]\nmaildir = "incoming"\n')
    service = service_of(club)
    with service.db.read() as conn:
        waiting = outbox.counts(conn)["queued"]
    service.db.close()
    assert waiting > len(("Ada", "Bob", "Cleo"))
    said = typed(club, "tick").stdout.splitlines()
    assert said == ["1 mail fetched", "1 mail handled", f"{waiting + 1} mails sent"]
    assert len(mailbox.Maildir(club.directory / "leaving")) == waiting + 1
    assert typed(club, "tick").stdout == "There was nothing to do.\n"


def test_tick_says_it_to_programs(club: Club) -> None:
    """Nobody answers on port 1; one mail finds that out, and the others wait for the next round."""
    configure(club, '\n[outgoing]\nhost = "127.0.0.1"\nport = 1\n')
    done = declared(typed(club, "tick --json").stdout, "tick")
    assert done == RoundOfWork(0, 0, 0, 0, 0, 0, 0, 1, 0)


def test_tick_where_the_maildir_is_none(club: Club) -> None:
    configure(club, '\n[incoming]\nmaildir = "nowhere"\n')
    done = typed(club, "tick")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "nowhere is not a maildir" in done.stderr


def test_tick_goes_on_where_the_maildir_cannot_be_read(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As with a mailbox of IMAP, no deadline is enforced, and what came another way is handled."""

    def refuse(path: Path) -> None:
        raise MailboxClosed(f"the maildir {path} cannot be read")

    monkeypatch.setattr(maildir, "waiting", refuse)
    configure(club, f'{MAILDIR}\n[incoming]\nmaildir = "incoming"\n')
    done = typed(club, "tick")
    assert done.exit_code == 0
    assert done.stdout.endswith("mails sent\n")
    assert "incoming cannot be read" in caplog.text


def test_tick_goes_on_where_the_clock_cannot_be_right(club: Club) -> None:
    """The sweep tells the admin of it."""
    typed(club, "tick")
    configure(club, f'{MAILDIR}\n[incoming]\nmaildir = "incoming"\n')
    club.now += timedelta(days=400)
    assert typed(club, "tick").exit_code == 0


def test_the_log_does_not_steer_a_terminal() -> None:
    record = logging.makeLogRecord({"msg": "mail 1: %s", "args": ("550 \x1b[2J\u202eno",)})
    assert LogLine("%(message)s").format(record) == "mail 1: 550  [2J no"
