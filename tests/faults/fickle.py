"""A mail server that fails as it is told by dice: at every phase of a session, and always the same way for one seed (RFC 5321, 4.2)."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Coroutine
from enum import StrEnum
from random import Random
from threading import Thread
from typing import Any, NamedTuple, Self

from tests.jobs.sink import LOOPBACK, free_port

MAX_MAIL = 2_000_000


class Fault(StrEnum):
    """A place where a session ends badly."""

    REFUSED = "connection refused"
    BANNER = "closed instead of a greeting"
    EHLO = "closed at EHLO"
    MAIL = "451 to MAIL"
    RCPT = "451 to RCPT"
    DATA = "451 to DATA"
    CONTENT = "451 to the content"
    CUT_LOST = "cut after the content, mail lost"
    CUT_KEPT = "cut after the content, mail kept"


class Kept(NamedTuple):
    """A mail that the server took, whether or not it could say so."""

    recipient: str
    content: bytes


class FickleServer:
    """Listens from `with` to its end. `kept` is what it took, in order; `faults` counts what went wrong."""

    def __init__(self, seed: int, likelihood: float) -> None:
        """Each phase of each session fails with that likelihood, once `fickle` is set."""
        self.fickle = False
        self.kept: list[Kept] = []
        self.faults: Counter[Fault] = Counter()
        self.port = free_port()
        self._dice = Random(seed)  # noqa: S311  # made up, and the same every time
        self._likelihood = likelihood
        self._server: asyncio.Server | None = None

    def __enter__(self) -> Self:
        """Begin to listen, in a thread."""
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._run(self._listen)
        return self

    def __exit__(self, *_: object) -> None:
        """Stop."""
        self._run(self._close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def next_round(self) -> None:
        """Decide whether anybody listens until the next call."""
        refuses = self._fails(Fault.REFUSED, count=False)
        if refuses == (self._server is not None):
            self._run(self._close_door if refuses else self._listen)

    def refused(self) -> None:
        """Somebody knocked in vain; only they can know."""
        self.faults[Fault.REFUSED] += 1

    @property
    def listens(self) -> bool:
        """Return whether a connection would be taken."""
        return self._server is not None

    def _run(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        asyncio.run_coroutine_threadsafe(work(), self._loop).result()

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._session, LOOPBACK, self.port, limit=MAX_MAIL)

    async def _close_door(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _close(self) -> None:
        await self._close_door()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _fails(self, fault: Fault, *, count: bool = True) -> bool:
        failed = self.fickle and self._dice.random() < self._likelihood
        self.faults[fault] += failed and count
        return failed

    async def _session(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await self._talk(reader, writer)
        writer.transport.abort()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._fails(Fault.BANNER):
            return
        await _say(writer, "220 fickle")
        recipient = ""
        while line := (await reader.readline()).decode("ascii").strip():
            match line.split()[0].upper():
                case "EHLO" if self._fails(Fault.EHLO):
                    return
                case "MAIL" | "RCPT" | "DATA" as phase if self._fails(Fault[phase]):
                    await _say(writer, "451 not now")
                case "RCPT":
                    recipient = line.partition("<")[2].partition(">")[0]
                    await _say(writer, "250 ok")
                case "DATA":
                    if not await self._take(reader, writer, recipient):
                        return
                case "QUIT":
                    await _say(writer, "221 bye")
                    return
                case _:
                    await _say(writer, "250 ok")

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, recipient: str) -> bool:
        """The content of a mail; whether the session goes on."""
        await _say(writer, "354 go on")
        content = (await reader.readuntil(b"\r\n.\r\n"))[:-3].replace(b"\r\n..", b"\r\n.")
        if self._fails(Fault.CONTENT):
            await _say(writer, "451 not now")
            return True
        if self._fails(Fault.CUT_LOST):
            return False
        self.kept.append(Kept(recipient, content))
        if self._fails(Fault.CUT_KEPT):
            return False
        await _say(writer, "250 taken")
        return True


async def _say(writer: asyncio.StreamWriter, line: str) -> None:
    writer.write(f"{line}\r\n".encode())
    await writer.drain()
