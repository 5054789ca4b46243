"""Names of processes that hold leases, so that a process that starts can tell whether the holder has died.

A lease protects against a process that hangs. One that was killed will not come back, and its mail need not wait until the lease ends.
Only the machine on which a process ran can tell that it is gone: a name says which boot of which machine that was, which namespace of
process numbers, the number, and when the process began, since numbers are given out again. Other names say nothing.
"""

import os
import uuid
from pathlib import Path

from turnserver.store.log.database import Database
from turnserver.store.mail import mailboxes

_PROC = Path("/proc")
_BEGAN = 19  # of the fields behind the name of the program in `stat`, which are counted from the third one on: proc(5)


def new_name() -> str:
    """Return a name for something in this process that takes leases."""
    return f"{_here()}/{os.getpid()}/{_began(os.getpid())}/{uuid.uuid4().hex}"


def has_died(name: str) -> bool:
    """Return whether the process of that name ran on this machine and runs no more."""
    here, _, rest = name.partition("/")
    number, _, more = rest.partition("/")
    began, _, _ = more.partition("/")
    # A name that says nothing of its machine or its beginning was made where nobody could tell, so nobody can tell of it now.
    return bool(here) and here == _here() and number.isdecimal() and bool(began) and _began(int(number)) != began


def take_over(db: Database) -> int:
    """End the leases of processes of this machine that have died. Return how many mails and mailboxes those held."""
    with db.read() as conn:
        dead = [name for name in mailboxes.lease_holders(conn) if has_died(name)]
    if not dead:
        return 0
    with db.write() as tx:
        return sum(mailboxes.end_leases(tx, name) for name in dead)


def _here() -> str:
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot}:{(_PROC / 'self/ns/pid').stat().st_ino}"
    except OSError:
        return ""


def _began(number: int) -> str:
    # In ticks since the boot: process numbers are used again, but not together with the same beginning. The name of the program
    # stands in brackets and may hold blanks and brackets itself, so the last bracket ends it.
    try:
        return (_PROC / str(number) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[_BEGAN]
    except OSError:
        return ""
