"""The players' mail server: takes everything, and lets a test wait for what it expects."""

import asyncio
import secrets
import socket
from collections.abc import Callable, Collection
from contextlib import suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from threading import Condition, Thread
from typing import Self

from aiosmtpd.smtp import SMTP, Envelope, Session

LOOPBACK = "127.0.0.1"
PATIENCE_SECONDS = 60.0
"""Much longer than anything here takes: only a failing test waits so long."""

Mails = list[EmailMessage]


def free_port() -> int:
    """A port that nothing listens on.

    Below those that a system lends to outgoing connections (from 32768 on Linux, from 49152 elsewhere): one of these could have it
    before we do.
    """
    while True:
        port = 10_240 + secrets.randbelow(22_528)
        with suppress(OSError), socket.create_server((LOOPBACK, port)):
            return port


def message_id(mail: EmailMessage) -> str:
    """As it stands in the outbox."""
    return str(mail["Message-ID"]).strip()


def recipient(mail: EmailMessage) -> str:
    """The address that it is for."""
    address: str = mail["To"].addresses[0].addr_spec
    return address


class Sink:
    """Listens from `with` to its end, and may be entered again.

    `mails` are those that came, in order, `raw` the same to the byte.
    `before_answer` is called with each before its sender or a test knows that it came.
    """

    def __init__(self) -> None:
        self.port = free_port()
        self.mails: Mails = []
        self.senders: list[str] = []
        self.refused: dict[str, str] = {}
        self.raw: list[bytes] = []
        self.before_answer: Callable[[EmailMessage], None] = lambda _: None
        self._came = Condition()

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        serving = self._loop.create_server(lambda: SMTP(self, hostname="localhost", loop=self._loop), LOOPBACK, self.port)
        self._server = asyncio.run_coroutine_threadsafe(serving, self._loop).result()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def wait(self, count: int) -> Mails:
        """Everything that came, once there are so many."""
        return self._wait(lambda: len(self.mails) >= count)

    def wait_for_mails_from(self, sender: str, count: int) -> Mails:
        """Everything that came from an address, once there are so many."""
        self._wait(lambda: len(self.mails_from(sender)) >= count)
        return self.mails_from(sender)

    def mails_from(self, sender: str) -> Mails:
        """Everything that has come from an address so far."""
        return [mail for mail in self.mails if mail["From"].addresses[0].addr_spec == sender]

    def wait_for(self, message_ids: Collection[str]) -> Mails:
        """Everything that came, once these are among it."""
        return self._wait(lambda: set(message_ids) <= {message_id(mail) for mail in self.mails})

    def _wait(self, enough: Callable[[], bool]) -> Mails:
        with self._came:
            assert self._came.wait_for(enough, PATIENCE_SECONDS), f"only {len(self.mails)} mails came"
            return list(self.mails)

    async def handle_RCPT(  # noqa: N802  # aiosmtpd's name and arguments
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        answer = self.refused.get(address, "250 OK")
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802  # aiosmtpd's name
        mail = message_from_bytes(envelope.original_content or b"", policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.before_answer(mail)
        with self._came:
            self.mails.append(mail)
            self.senders.append(str(envelope.mail_from))
            self.raw.append(envelope.original_content or b"")
            self._came.notify_all()
        return "250 OK"

    async def _close(self) -> None:
        self._server.close()
        current = asyncio.current_task()
        others = [task for task in asyncio.all_tasks() if task is not current]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
