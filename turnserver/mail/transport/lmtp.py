"""The LMTP listener (RFC 2033), which takes mail from a mail server.

A mail is accepted only after it was stored for all its recipients, in one transaction. The answer to DATA has one line for each recipient,
and all lines are equal.
"""

import asyncio
import logging
import re
import threading
from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType
from typing import Self

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from turnserver.errors import TurnserverError
from turnserver.mail.format.envelope import Deliver
from turnserver.trouble import Trouble

_STORED = "250 2.0.0 Stored"
_LATER = "451 4.3.0 Not stored, try again later"

MOST_RECIPIENTS = 20
"""The largest number of recipients of a mail. The mail server sends the others a copy of their own.

People answer one mail or a few at once.
"""

MOST_CONNECTIONS = 100
"""The largest number of connections at a time, each of which may hold a mail in memory. Postfix opens 20."""

_TOO_LARGE = "552 5.3.4 Too large"
_TOO_MANY_RECIPIENTS = "452 4.5.3 Too many recipients, send the others separately"
_TOO_MANY_CONNECTIONS = b"421 4.3.2 Too many connections, try again later\r\n"

_LINE = b"\r\n"
_DOT = b".\r\n"
_STUFFED = _LINE + b"."
_END = _LINE + _DOT

_ATOM = r"[\w!#$%&'*+/=?^`{|}~-]+"
_PLAIN = re.compile(rf"<({_ATOM}(?:\.{_ATOM})*@[\w-]+(?:\.[\w-]+)*)>\s*([^()]*)", re.ASCII)
"""An address without anything that has to be taken apart, and what stands behind it."""

_log = logging.getLogger(__name__)


class Listener:
    """A listener in a thread of its own from `start` to `stop`. It calls `deliver` in worker threads, several at a time."""

    def __init__(
        self, deliver: Deliver, *, host: str = "127.0.0.1", port: int = 0, max_bytes: int = 1_000_000, grace_seconds: float = 10.0
    ) -> None:
        """Set the listener up. Port 0 takes any free one. Mails of more than `max_bytes` are refused.

        `stop` waits `grace_seconds` for deliveries under way.
        """
        self._deliver = deliver
        self._host = host
        self._port = port
        self._max_bytes = max_bytes
        self._grace_seconds = grace_seconds
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None

    def start(self) -> tuple[str, int]:
        """Listen, and return the host and the port. Raise OSError if the address is taken."""
        listening: Future[tuple[str, int]] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(listening)), name="lmtp", daemon=True)
        self._thread.start()
        return listening.result()

    def stop(self) -> None:
        """Take no more mail, let the deliveries under way finish and be answered, and close. Does nothing if it does not listen."""
        if self._thread is None or self._loop is None or self._stopping is None:
            return
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join()
        self._thread = self._loop = self._stopping = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    async def _serve(self, listening: "Future[tuple[str, int]]") -> None:
        loop = asyncio.get_running_loop()
        stopping = asyncio.Event()
        handler = _Handler(self._deliver, loop.time)
        # without file descriptors, for one, asyncio would tell of each connection in ten lines, some hundred times a second
        loop.set_exception_handler(lambda _, said: handler.trouble.failed(f"{said['message']}: {said.get('exception', '')}"))
        try:
            server = await loop.create_server(lambda: _Connection(handler, self._max_bytes, loop), self._host, self._port)
        except OSError as error:
            listening.set_exception(error)
            return
        self._loop, self._stopping = loop, stopping
        host, port = server.sockets[0].getsockname()[:2]
        listening.set_result((host, port))
        await stopping.wait()
        server.close()
        # connections that wait for a command have nothing to lose; a mail that is being stored gets its answer first
        for transport in handler.transports - handler.answering.keys():
            transport.close()
        if handler.answering:
            await asyncio.wait(handler.answering.values(), timeout=self._grace_seconds)
        for transport in handler.transports:
            transport.close()


class _Handler:
    """The shared state of the connections: the place where mail goes, and the connections that are being answered."""

    def __init__(self, deliver: Deliver, seconds: Callable[[], float]) -> None:
        self._deliver = deliver
        self.trouble = Trouble(_log, "mail that comes by LMTP cannot be stored, and its sender has to try again", seconds)
        self.transports: set[asyncio.BaseTransport] = set()
        self.answering: dict[asyncio.BaseTransport | None, asyncio.Future[None]] = {}

    async def handle_EHLO(self, _server: SMTP, session: Session, _envelope: Envelope, hostname: str, responses: list[str]) -> list[str]:  # noqa: N802  # aiosmtpd's name
        session.host_name = hostname
        # RFC 2033, 5, demands it, and aiosmtpd does not say it
        return [*responses[:-1], "250-PIPELINING", responses[-1]]

    async def handle_RCPT(  # noqa: N802  # aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return _TOO_MANY_RECIPIENTS
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Ok"

    def store(self, envelope: Envelope, content: bytes) -> str:
        """Store a mail for all its recipients, and return the answer that each of them gets."""
        sender = "" if envelope.mail_from in (None, "<>") else envelope.mail_from
        try:
            self._deliver(tuple(envelope.rcpt_tos), sender, content)
        except TurnserverError as error:
            self.trouble.failed(error)
            return _LATER
        except Exception as error:  # noqa: BLE001  # whatever went wrong, the mail server has to keep the mail
            self.trouble.failed(f"nobody foresaw this: {type(error).__name__}: {error}", trace=True)
            return _LATER
        self.trouble.works()
        return _STORED


class _Connection(LMTP):
    """aiosmtpd's LMTP, with as many answers to DATA as there are recipients."""

    # So much is read at a time. A line of a mail may be longer: RFC 5321, 4.5.3.1.6, allows less, and refusing such mails would lose them.
    line_length_limit = 100_000

    def __init__(self, handler: _Handler, max_bytes: int, loop: asyncio.AbstractEventLoop) -> None:
        # without a host name given, aiosmtpd asks the name servers for one
        super().__init__(handler, data_size_limit=max_bytes, enable_SMTPUTF8=True, hostname="localhost", ident="turnserver LMTP", loop=loop)
        self._handler = handler
        self._max_bytes = max_bytes
        self._answers_due = 1

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember the connection, so that it can be closed. Send it away at once if there are too many."""
        if len(self._handler.transports) >= MOST_CONNECTIONS and isinstance(transport, asyncio.WriteTransport):
            transport.write(_TOO_MANY_CONNECTIONS)
            transport.close()
            return
        self._handler.transports.add(transport)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Forget the connection."""
        if self.transport is not None:
            self._handler.transports.discard(self.transport)
        super().connection_lost(error)

    async def push(self, status: str | bytes) -> None:
        """Send one answer, or one for each recipient if it is the answer to a mail."""
        line = status if isinstance(status, bytes) else status.encode()
        await super().push(b"\r\n".join([line] * self._answers_due))
        self._answers_due = len(self.envelope.rcpt_tos) if self.envelope and line.startswith(b"354 ") else 1

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        # aiosmtpd parses each address as one in a header, which took a twentieth of all processor time from mail to mail
        plain = _PLAIN.fullmatch(arg)
        return (plain[1], plain[2]) if plain else super()._getaddr(arg)

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802  # aiosmtpd's name
        """Take a mail. `stop` waits until its answer is on the way, or will never be."""
        transport, envelope = self.transport, self.envelope
        if not (envelope and envelope.rcpt_tos):
            await self.push("503 5.5.1 Error: need RCPT command")
            return
        if arg:
            await self.push("501 5.5.4 Syntax: DATA")
            return
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        content = await self._content()
        answered = self._handler.answering[transport] = self.loop.create_future()
        try:
            status = _TOO_LARGE if content is None else await asyncio.to_thread(self._handler.store, envelope, content)
            self._set_post_data_state()  # type: ignore[no-untyped-call]  # aiosmtpd's, without types
            await self.push(status)
        finally:
            del self._handler.answering[transport]
            answered.set_result(None)

    async def _content(self) -> bytes | None:
        """Read a mail up to the line that has nothing but a dot, without the dots that lines were given on the way (RFC 5321, 4.5.2).

        Return None for a mail that is too large. aiosmtpd reads each line by itself, which took a twentieth of all processor time from
        mail to mail; this reads from one sentence that ends a line to the next.
        """
        # What is too large is read to its end, and not kept.
        most, pieces, size, tail = self._max_bytes + len(_DOT), list[bytes](), 0, _LINE
        while tail != _END:
            try:
                piece = await self._reader.readuntil(_DOT)
            except asyncio.LimitOverrunError as error:
                piece = await self._reader.readexactly(error.consumed)
            tail = (tail + piece)[-len(_END) :]
            size += len(piece)
            pieces.append(piece)
            if size > most:
                pieces.clear()
        if size > most:
            return None
        return (_LINE + b"".join(pieces)[: -len(_DOT)]).replace(_STUFFED, _LINE)[len(_LINE) :]
