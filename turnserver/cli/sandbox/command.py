"""`turnserver mail sandbox`: the service without any mail account. What it sends is caught and shown, and answered on a page."""

import logging
import os
import signal
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from email import policy
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Annotated, Self

import msgspec
import typer

from turnserver.cli.demo import answer_to
from turnserver.cli.operate import STOPS, log_to_stderr
from turnserver.cli.sandbox.page import LOOPBACK, Answered, Capture, SandboxServer
from turnserver.cli.session import Session, session
from turnserver.errors import ConfigError, NotAllowed, TurnserverError
from turnserver.mail.outbound.language import counted
from turnserver.mail.transport.outgoing import MaildirTransport
from turnserver.service.service import Service
from turnserver.store.log.database import Database
from turnserver.store.mail import inbox, outbox

logger = logging.getLogger(__name__)

PULSE_SECONDS = 1.0
"""How often the service looks for what other commands have left to do."""
MOST_CHARACTERS = 20_000
MOST_ANSWERS = 10_000
MOST_MAILS = 100_000
SOURCE = "sandbox"


class Sandbox:
    """A service at work whose mails stay in a directory, and the page to see and answer them; from `with` to its end."""

    def __init__(self, service: Service, directory: Path, port: int) -> None:
        """`service` sends into the maildir `directory`. Port 0 takes a free one. Raises ConfigError if the port is taken."""
        self.capture = Capture(directory)
        self.site = service.settings.site.name
        self.most = MOST_CHARACTERS
        self.trouble = ""
        self._service = service
        self._answered: dict[str, list[Answered]] = {}
        self._working = Lock()
        self._ended = Event()
        try:
            self._server = SandboxServer(self, port)
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else error
            raise ConfigError(f"The page cannot be served at {LOOPBACK} port {port}: {reason}. Choose another with --port") from error
        self._threads = [
            Thread(target=self._server.serve_forever, args=(0.1,), name="sandbox page", daemon=True),
            Thread(target=self._beat, name="sandbox service", daemon=True),
        ]

    def __enter__(self) -> Self:
        """Begin to work and to serve."""
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Finish what is under way."""
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()
        for thread in self._threads:
            thread.join()

    @property
    def address(self) -> str:
        """Return the URL to type into a browser."""
        return self._server.address

    def answer(self, number: str, text: str) -> Answered:
        """Answer a mail; see `page.SandboxDesk`."""
        if not text.strip():
            raise NotAllowed("empty", "Write something first.")
        if len(text) > MOST_CHARACTERS:
            raise NotAllowed("too_long", f"An answer may have {MOST_CHARACTERS} characters.")
        original = self.capture.message(number)
        mail = answer_to(original, text, self._service.clock())
        to, by = (mail[name].addresses[0].addr_spec for name in ("To", "From"))
        kept = self._service.mail.receive(mail.as_bytes(policy=policy.SMTP), to, by, SOURCE)
        self.work()
        with self._service.db.read() as conn:
            row = inbox.get(conn, kept)
        answered = Answered(text, row.outcome or row.error or "waits to be handled")
        self._answered[number] = [*self._answered.get(number, ()), answered]
        return answered

    def answers(self) -> Mapping[str, list[Answered]]:
        """Return the answers to each mail; see `page.SandboxDesk`."""
        return dict(self._answered)

    def work(self) -> None:
        """Do one round of everything; an error is shown on the page."""
        # The beat and an answer from the page may come at once.
        with self._working:
            try:
                self._service.tick()
            except TurnserverError as error:
                self.trouble = str(error)
            # Whatever a mail trips over, the page is the only place where somebody looks, so it goes on and shows it.
            except Exception as error:
                logger.exception("nobody foresaw this")
                self.trouble = f"{type(error).__name__}: {error}"
            else:
                self.trouble = ""

    def _beat(self) -> None:
        self.work()
        while not self._ended.wait(PULSE_SECONDS):
            self.work()


def sandbox(
    ctx: typer.Context,
    *,
    port: Annotated[int, typer.Option(min=0, max=65_535, metavar="N", help="The port of the page; 0 takes a free one.")] = 8025,
    directory: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The maildir that mails are kept in; else they are gone in the end.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether this database may be played with.")] = False,
) -> None:
    """Try the service without any mail account: a page on this machine shows every mail that is sent and has a box to answer it.

    Nothing leaves the machine. Players and games come from the other commands, in another terminal; this one does the work of `serve`.
    """
    run = session(ctx)
    log_to_stderr()
    logging.getLogger("turnserver").setLevel(logging.WARNING)
    with _kept(directory) as maildir:
        service = service_into(maildir, run)
        with closing(service.db):
            _ask_first(service, maildir, sure=yes)
            # Before the threads start, so that Ctrl-C is taken below and nowhere else.
            signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
            with Sandbox(service, maildir, port) as served:
                typer.echo(f"The sandbox is at {served.address} and mails are kept in {maildir}; Ctrl-C ends it.")
                signal.sigwait(STOPS)
                signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)


def service_into(maildir: Path, run: Session) -> Service:
    """The configured service, with another way out for its mails and no way in but ours. Raises ConfigError and StoreError.

    Nobody has to be protected here from loops and floods, and no mail server vouches for what is answered.
    """
    settings = run.settings
    incoming = msgspec.structs.replace(
        settings.incoming, answers_per_day=MOST_ANSWERS, mails_per_hour=MOST_MAILS, authentication="off", maildir=""
    )
    play = msgspec.structs.replace(settings.play, correction_minutes=0)  # who plays both sides waits for nobody
    db = Database.connect(settings.database.url, settings.database.busy_timeout_seconds)
    return Service(
        db,
        msgspec.structs.replace(settings, incoming=incoming, imap={}, play=play),
        clock=run.outside.clock,
        lot=run.outside.lot,
        transport=lambda: MaildirTransport(maildir),
    )


@contextmanager
def _kept(directory: Path | None) -> Iterator[Path]:
    if directory is not None:
        yield directory.absolute()
        return
    with tempfile.TemporaryDirectory(prefix="turnserver-sandbox-") as temporary:
        yield Path(temporary)


def _ask_first(service: Service, maildir: Path, *, sure: bool) -> None:
    # The sandbox keeps mails from leaving: on the database of real players it would take their mails away.
    if sure:
        return
    with service.db.read() as conn:
        gone = {mail.message_id for mail in outbox.list_outbox(conn, "sent", 1000)}
    if real := gone - Capture(maildir).message_ids():
        question = f"{counted(len(real), 'mail')} of this database left another way. From now on nobody would get its mails. Go on?"
        typer.confirm(question, abort=True, err=True)
