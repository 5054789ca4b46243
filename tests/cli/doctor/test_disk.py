"""`turnserver doctor` on a disk that is full, and on one that cannot be written at all."""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.cli.club import Club
from tests.cli.typed import MAILDIR, configure

DOCTOR = (sys.executable, "-c", "from turnserver.cli import main; main()", "doctor")


def full() -> None:
    """Files grow no more in this process, as on a disk that is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def asked(club: Club, *before: str, inside: Callable[[], None] | None = None) -> str:
    """Return what doctor prints."""
    done = subprocess.run(
        [*before, *DOCTOR],
        cwd=club.directory,
        env={**os.environ, "TURNSERVER_CONFIG": str(club.config)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=inside,
    )
    assert done.returncode == 1
    return done.stdout


def test_a_full_disk_is_noticed(club: Club) -> None:
    configure(club, MAILDIR)
    said = asked(club, inside=full)
    assert "wrong  database: The file" in said
    assert "wrong outgoing: Mail cannot go into the maildir" in " ".join(said.split())
    assert "the database cannot be written: disk I/O error" in said


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anything")
def test_a_file_that_cannot_be_written_is_there_all_the_same(club: Club) -> None:
    (club.directory / "club.db").chmod(0o400)
    assert "club.db is there, but the file cannot be written" in asked(club)


def test_a_disk_that_is_read_only_is_named(club: Club) -> None:
    unshare = shutil.which("unshare")
    alone = [str(unshare), "--mount", "sh", "-c", f'mount --bind "{club.directory}" "{club.directory}" && mount -o remount,ro,bind "$0"']
    if unshare is None or subprocess.run([*alone, str(club.directory)], capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    alone[-1] += ' && cd "$0" && exec "$@"'
    said = asked(club, *alone, str(club.directory))
    assert "club.db is there, but the file cannot be written" in said
    assert "turnserver init" not in said
