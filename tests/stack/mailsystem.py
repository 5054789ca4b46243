"""A throw-away mail system on loopback, as root on a machine that has Postfix and Dovecot: what stands between a player and the service.

Postfix takes mail and hands on what is for MAILBOX to Dovecot, for SERVED to LMTP, for PIPED to a program, and everything else to the sink
where the players have their mailboxes. Dovecot keeps a mailbox for every user who is named to it, all with one password. Both speak TLS
with a certificate of an authority of their own. Everything lies in one directory and is gone in the end.
"""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from string import Template
from threading import Event, Thread
from typing import Self

import trustme
from aiosmtpd.smtp import SMTP, Envelope, Session
from imapclient import IMAPClient

from tests.jobs.sink import LOOPBACK, PATIENCE_SECONDS, Sink, free_port

MAILBOX, SERVED, PIPED = "mailbox.example", "served.example", "piped.example"
PASSWORD = "secret"  # noqa: S105  # of mailboxes that live for some seconds
BARE, PLUS = "127.0.0.2", "127.0.0.3"
"""The port where Dovecot speaks only what RFC 3501 asks for, and that with UIDPLUS. Its certificate is for neither."""

TEMPLATES = Path(__file__).parent
USER = "mail"
"""The user who owns the mailboxes and runs the programs; every Debian has such a user."""


class Players(Sink):
    """The players' mail server, with some mailboxes that do not exist any more and some that are full."""

    async def handle_RCPT(  # noqa: N802  # aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Take a recipient, unless the name says that it cannot be taken."""
        if address.startswith("dead"):
            return "550 5.1.1 No such mailbox"
        if address.startswith("full"):
            return "452 4.2.2 The mailbox is full"
        envelope.rcpt_tos.append(address)
        return "250 OK"


class Door:
    """The program of Postfix's pipe, let in by us: pipe(8) never runs a program as root, and ours may lie where only root can read.

    `program` gets each mail and gives the exit status that Postfix sees.
    """

    def __init__(self, directory: Path) -> None:
        directory.mkdir()
        shutil.chown(directory, USER)
        self._directory = directory
        self._requests = directory / "requests"
        os.mkfifo(self._requests)
        shutil.chown(self._requests, USER)
        self.program: Callable[[bytes], int] = lambda _: os.EX_TEMPFAIL
        self.script = directory / "knock"
        self.script.write_text(
            f"cd {directory}\nmkfifo $$.status; cat >$$.mail; echo $$ >requests\n"
            "read status <$$.status; rm $$.mail $$.status; exit $status\n"
        )
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Let nobody in any more."""
        self._requests.write_text("\n")
        self._thread.join(PATIENCE_SECONDS)

    def _serve(self) -> None:
        with os.fdopen(os.open(self._requests, os.O_RDWR), encoding="ascii") as requests:
            for request in iter(requests.readline, "\n"):
                mail = self._directory / f"{request.strip()}.mail"
                mail.with_suffix(".status").write_text(f"{self.program(mail.read_bytes())}\n")


class MailSystem:
    """Runs from `with` to its end."""

    def __init__(self) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="m.", dir="/tmp"))  # short, or the sockets' names grow too long
        self.directory.chmod(0o755)  # the servers give up being root
        names = ("smtp", "submission", "smtps", "imap", "imaps", "lmtp", "served", "sasl")
        self.ports = dict(zip(names, _free_ports(len(names)), strict=True))
        self.authority, self.another_authority = self.directory / "ca.pem", self.directory / "another.pem"
        self.players = Players()
        self._log = self.directory / "start.log"

    def __enter__(self) -> Self:
        authority = trustme.CA()
        authority.cert_pem.write_to_path(self.authority)
        trustme.CA().cert_pem.write_to_path(self.another_authority)
        certificate = authority.issue_cert("localhost", LOOPBACK)
        certificate.private_key_pem.write_to_path(self.directory / "key.pem")
        (self.directory / "cert.pem").write_bytes(b"".join(each.bytes() for each in certificate.cert_chain_pems))
        for name in ("run", "state", "mail", "postfix", "spool", "data"):
            (self.directory / name).mkdir()
        shutil.chown(self.directory / "mail", USER)
        shutil.chown(self.directory / "data", "postfix")
        self.door = Door(self.directory / "door")
        self.players.__enter__()
        try:
            self._configure("dovecot.conf", self.directory)
            for name in ("main.cf", "master.cf"):
                self._configure(name, self.directory / "postfix")
            self._run("dovecot", "-c", str(self.directory / "dovecot.conf"))
            self._run("postfix", "-c", str(self.directory / "postfix"), "start")
            for name in ("smtp", "submission", "smtps", "imap", "imaps", "lmtp"):
                _wait_for_port(self.ports[name])
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        postfix, dovecot = str(self.directory / "postfix"), str(self.directory / "dovecot.conf")
        for command in (("postfix", "-c", postfix, "stop"), ("dovecot", "-c", dovecot, "stop")):
            with suppress(subprocess.CalledProcessError):  # it may never have started
                self._run(*command)
        self.door.close()
        self.players.__exit__()
        shutil.rmtree(self.directory)

    @property
    def log(self) -> str:
        """Return what both servers have said so far, for a test that fails."""
        return "".join(path.read_text("utf-8", "replace") for path in sorted(self.directory.glob("*.log")))

    def maildir(self, user: str) -> Path:
        """Return the directory where Dovecot keeps a user's mail."""
        return self.directory / "mail" / user

    def doveadm(self, *arguments: str) -> str:
        """Run Dovecot's own tool; what it says."""
        command = ["doveadm", "-c", str(self.directory / "dovecot.conf"), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE_SECONDS).stdout

    @contextmanager
    def mailbox(self, user: str) -> Iterator[IMAPClient]:
        """A user's mailbox, as their mail program sees it."""
        with IMAPClient(LOOPBACK, self.ports["imap"], ssl=False) as client:
            client.normalise_times = False
            client.login(user, PASSWORD)
            yield client

    def _configure(self, name: str, directory: Path) -> None:
        values = {name: str(port) for name, port in self.ports.items()}
        written = Template((TEMPLATES / name).read_text()).substitute(
            values,
            root=self.directory,
            user=USER,
            password=PASSWORD,
            loopback=LOOPBACK,
            bare=BARE,
            plus=PLUS,
            sink=self.players.port,
            program=self.door.script,
            mailbox=MAILBOX,
            served_domain=SERVED,
            piped=PIPED,
        )
        (directory / name).write_text(written)

    def _run(self, *command: str) -> None:
        """Run a program that leaves daemons behind: they keep what they inherit, so it gets nothing of ours."""
        with self._log.open("a") as log:
            try:
                subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=PATIENCE_SECONDS)
            except subprocess.CalledProcessError as error:
                error.add_note(self.log)
                raise


def missing() -> str | None:
    """Return why there can be no mail system on this machine, None if there can."""
    if os.geteuid() != 0:
        return "a real mail system needs root"
    absent = [program for program in ("postfix", "dovecot", "doveadm") if shutil.which(program) is None]
    return f"a real mail system needs {' and '.join(absent)} installed" if absent else None


def _free_ports(count: int) -> list[int]:
    """Ports that nothing listens on, all different."""
    found: set[int] = set()
    while len(found) < count:
        found.add(free_port())
    return list(found)


def _wait_for_port(port: int) -> None:
    for _ in range(int(PATIENCE_SECONDS * 20)):
        with suppress(ConnectionRefusedError), socket.create_connection((LOOPBACK, port)):
            return
        Event().wait(0.05)
    raise TimeoutError(f"nothing listens on port {port}")
