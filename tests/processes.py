"""Processes that a test talks to and that may die: as of `python -m MODULE ARGUMENTS...`, without the second that each would import for.

One process imports what they need, once for each of pytest's workers, and forks them. Neither threads nor databases are open in it.
"""

import json
import os
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from typing import IO, NamedTuple

LONGEST = 2**16
"""Bytes of a request. A socket of packets takes more."""


class Process(NamedTuple):
    """A child and the two ways to talk to it."""

    said: IO[str]
    heard: IO[str]

    def hear(self) -> str:
        return self.said.readline().strip()

    def say(self, line: str = "go") -> None:
        self.heard.write(line + "\n")
        self.heard.flush()


@contextmanager
def start(*arguments: str, module: str = "tests.store.child") -> Iterator[Process]:
    """Run a module as a program, and end it in whatever it is doing."""
    (its_in, heard), (said, its_out) = os.pipe(), os.pipe()
    asked = _parent()
    socket.send_fds(asked, [json.dumps([module, *arguments]).encode()], [its_in, its_out])
    for end in (its_in, its_out):
        os.close(end)
    number = int(asked.recv(LONGEST))
    with os.fdopen(said, encoding="utf-8") as from_it, os.fdopen(heard, "w", encoding="utf-8") as to_it:
        try:
            yield Process(from_it, to_it)
        finally:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
            # This has an end when the process has, and what it has forked.
            from_it.read()


@cache
def _parent() -> socket.socket:
    """Return the way to the process that forks them, which ends when nobody can ask it any more."""
    asked, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", "tests.processes", str(its.fileno())]
    _PARENTS.append(subprocess.Popen(command, pass_fds=[its.fileno()], stdin=subprocess.DEVNULL))
    its.close()
    return asked


_PARENTS: list["subprocess.Popen[bytes]"] = []


def _fork(asked: socket.socket) -> None:
    """Fork one process for each request, and tell its number."""
    # Nobody waits for them.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        request, given, _, _ = socket.recv_fds(asked, LONGEST, 2)
        if not request:
            return
        module, *arguments = json.loads(request)
        import_module(module)
        number = os.fork()
        if not number:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            asked.close()
            _become(module, arguments, given)
        for end in given:
            os.close(end)
        asked.send(str(number).encode())


def _become(module: str, arguments: list[str], given: list[int]) -> None:
    for number, end in enumerate(given):
        os.dup2(end, number)
        os.close(end)
    sys.stdin, sys.stdout = open(0, encoding="utf-8"), open(1, "w", encoding="utf-8")  # noqa: SIM115  # until it ends
    # It runs as a program, so not what was imported.
    del sys.modules[module]
    sys.argv = [module, *arguments]
    status = 1
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        status = 0
    finally:
        sys.stdout.flush()
        os._exit(status)


if __name__ == "__main__":
    _fork(socket.socket(fileno=int(sys.argv[1])))
