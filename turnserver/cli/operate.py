"""`turnserver init`, `serve` and `tick`: making the service and keeping it running."""

import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import nullcontext, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
import typer
from msgspec import Meta

import turnserver
from turnserver.cli.output import show
from turnserver.cli.session import session
from turnserver.config import Settings
from turnserver.errors import ClockWrong, ConfigError, DatabaseReplaced, MailboxClosed, StoreError
from turnserver.mail.outbound.language import counted
from turnserver.mail.transport.maildir import Collected
from turnserver.service.service import Service
from turnserver.service.upkeep import checkpoints
from turnserver.store.incidents import health
from turnserver.store.log import checkpoints as signed
from turnserver.store.log import schema
from turnserver.store.log.database import REVISION, Database
from turnserver.text import listing, steady

if TYPE_CHECKING:
    from turnserver.web.server import WebServer

READY, ALIVE, STOPPING = "READY=1", "WATCHDOG=1", "STOPPING=1"


def tell(state: str) -> None:
    """Tell the service manager, if one started this process and listens; nothing goes wrong if it does not."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    # The protocol of sd_notify: a path, or an abstract socket whose name is written with @ for the first zero byte.
    if not address.startswith(("/", "@")):
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
        line.settimeout(1)
        line.sendto(state.encode(), address.replace("@", "\0", 1) if address.startswith("@") else address)


class Confirmed(msgspec.Struct, frozen=True):
    """The instant that was confirmed as the present one."""

    at: Annotated[datetime, Meta(description="the present instant by the clock of this machine")]


@show.emits(Confirmed)
def confirm_clock(ctx: typer.Context, *, json: show.Json = False) -> None:
    """Confirm that the clock of this machine is right, when the service has stopped because it doubts that.

    Players get back the time since the service last worked, if that lies in the past.
    """
    run = session(ctx)
    done = Confirmed(run.service.upkeep.confirm_clock())
    if json:
        show.json(done)
        return
    typer.echo(f"It is {show.Times(run.settings.site.zone, done.at).full(done.at)}. The service goes on from here.")


logger = logging.getLogger(__name__)

STOPS = (signal.SIGTERM, signal.SIGINT)
HEARD = (*STOPS, signal.SIGHUP)
GONE: Final = "the database is gone"
LOOK_SECONDS: Final = 2.0
"""The time between two looks of `web` whether the database is still the one that it opened."""

NO_ADMIN: Final = (
    "The setting site.admin is empty, so nobody would hear of games that wait, mail that comes back or outages. "
    "Set it to the mail address of a person."
)
"""The fault of a configuration that names no admin."""


class Initialised(msgspec.Struct, frozen=True):
    """The work that `init` did."""

    did: Annotated[str, Meta(description="created, upgraded or nothing")]
    database: Annotated[str, Meta(description="the path or address of the database")]
    revision: Annotated[str, Meta(description="the revision of its tables now")]
    put_back: Annotated[list[str], Meta(description="triggers and indexes that were missing or changed and were made anew")]
    keys: Annotated[list[str], Meta(description="the files of the keys for checkpoints that were made")]


class RoundOfWork(msgspec.Struct, frozen=True):
    """The work of one round."""

    collected: Annotated[int, Meta(description="mails fetched from the maildir or over IMAP")]
    not_collected: Annotated[int, Meta(description="mails that stay where they are because they could not be fetched or stored")]
    handled: Annotated[int, Meta(description="mails of the inbox that were handled")]
    failed: Annotated[int, Meta(description="mails of the inbox that could not be handled")]
    clocks: Annotated[
        int, Meta(description="reminders and ends of players' time that were due, leagues that went on, their games that were opened")
    ]
    credited: Annotated[int, Meta(description="games that got back the time of an outage")]
    sent: Annotated[int, Meta(description="mails that left")]
    retried: Annotated[int, Meta(description="mails that could not leave and will be tried again")]
    dead: Annotated[int, Meta(description="mails that will not be tried again")]


_WORDS = {
    "collected": ("mail", "fetched"),
    "not_collected": ("mail", "left in place, as fetching or storing failed"),
    "handled": ("mail", "handled"),
    "failed": ("mail", "put aside, as handling failed; see `turnserver status`"),
    "clocks": ("step", "taken by the clocks of games and leagues"),
    "credited": ("game", "given back the time of an outage"),
    "sent": ("mail", "sent"),
    "retried": ("mail", "to be tried again"),
    "dead": ("mail", "given up; see `turnserver status`"),
}


@show.emits(Initialised)
def init(ctx: typer.Context, *, json: show.Json = False) -> None:
    """Create the database, or bring it up to date; doing it again changes nothing."""
    run = session(ctx)
    if run.settings.lacks_admin:
        raise ConfigError(NO_ADMIN)
    database = Service.initialise(run.settings).db
    # Triggers and indexes are put back first; what differs after that was changed in another way.
    mended = schema.put_back(database)
    amiss = schema.differences(database)
    made = _keys_made(run.settings, database)
    database.close()
    found = "nothing" if database.revision_before == REVISION else "upgraded" if database.revision_before else "created"
    done = Initialised(found, health.place(run.settings.database.url), REVISION, mended, [str(path) for path in made])
    if json:
        show.json(done)
    else:
        _say(done)
    if amiss:
        typer.echo(f"Something in the database was changed: {'; '.join(amiss)}.", err=True)
        raise typer.Exit(1)


def _say(done: Initialised) -> None:
    said = {"created": "Created", "upgraded": "Upgraded", "nothing": "There was nothing to do for"}[done.did]
    typer.echo(f"{said} {done.database}, revision {done.revision}.")
    if done.put_back:
        typer.echo(f"Put back: {listing(done.put_back, 'and')}. Somebody had changed that: `turnserver audit verify` says what else.")
    for path in done.keys:
        typer.echo(f"Made the key {path} for checkpoints; publish what `turnserver audit key show` prints.")
    if done.did == "created":
        typer.echo("Next: `turnserver doctor` looks at everything else, `turnserver player add ADA ada@example.org` makes a player.")


def collect_less_garbage() -> None:
    """Have the garbage collector look at what comes from now on only, and less often: it took a thirtieth of the time of a process."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def _keys_made(settings: Settings, database: Database) -> list[Path]:
    with database.read() as conn:
        last = signed.last(conn)
    # A key that cannot be made is told, and nothing else waits for it.
    try:
        return checkpoints.make_missing(settings, last)
    except ConfigError as error:
        typer.echo(str(error), err=True)
        return []


def serve(ctx: typer.Context) -> None:
    """Receive, handle and send mail and watch the clocks, until SIGTERM or SIGINT; then finish the work under way and stop.

    SIGHUP changes nothing. It tells systemd when it is ready, and after each sweep that it works. It ends with 3 when the database was
    moved, deleted, replaced or damaged: nothing can be stored then, so mail servers have to keep their mail.
    """
    from turnserver.jobs import Server  # noqa: PLC0415  # no other command needs a scheduler and a listener
    from turnserver.web.health import health_server  # noqa: PLC0415  # few commands need a web server

    # Blocked first: by default SIGHUP ends a process, also one that is still starting.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    run = session(ctx)
    log_to_stderr()
    # The main thread waits for signals alone, so a server that gives up sends one.
    server = Server(run.service, given_up=lambda: os.kill(os.getpid(), signal.SIGTERM), alive=lambda: tell(ALIVE))
    watched = health_server(run.service, server.counts)
    # Before any thread starts, so that all of them leave the signals to the wait below.
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    with watched or nullcontext():
        host, port = server.start()
        where = health.place(run.settings.database.url)
        logger.info("turnserver %s serves %s and takes mail by LMTP at %s port %d", turnserver.__version__, where, host, port)
        if server.pages is not None:
            _say_where_pages_are(run.settings, server.pages)
        collect_less_garbage()
        tell(READY)
        while (caught := signal.sigwait(HEARD)) == signal.SIGHUP:
            _say_that_nothing_is_read()
        _say_that_it_ends(signal.Signals(caught).name if server.failure is None else GONE)
        server.stop()
    logger.info("stopped")
    if server.failure is not None:
        raise server.failure


def web(ctx: typer.Context) -> None:
    """Serve the pages and nothing else, until SIGTERM or SIGINT; then finish the requests under way and stop.

    Any number of processes may do so on one PostgreSQL database, beside `serve`. Each needs a web.port and a web.health of its own, such
    as by TURNSERVER_WEB__PORT in its environment. Ends with 3 when the database was moved, deleted or replaced, as `serve` does.
    """
    if ctx.invoked_subcommand is not None:
        return
    from turnserver.web.app import public_server  # noqa: PLC0415  # no other command needs a web server
    from turnserver.web.counts import Counts  # noqa: PLC0415  # see above
    from turnserver.web.health import health_server  # noqa: PLC0415  # see above

    signal.pthread_sigmask(signal.SIG_BLOCK, HEARD)
    run = session(ctx)
    log_to_stderr()
    if not run.settings.web.url:
        raise ConfigError(
            "The setting web.url is empty, so there are no pages. Set it to the https address that your web server passes on to them."
        )
    counts = Counts()
    pages = public_server(run.service, counts)
    with health_server(run.service, counts) or nullcontext(), pages:
        _say_where_pages_are(run.settings, pages)
        collect_less_garbage()
        tell(READY)
        gone = _until_stopped(run.service)
    logger.info("stopped")
    if gone is not None:
        raise gone


def _until_stopped(service: Service) -> DatabaseReplaced | None:
    """Wait for a signal to stop. Return why nothing can go on, if that comes first."""
    # Nothing else in this process would notice between two requests that the database is another one.
    while (caught := signal.sigtimedwait(HEARD, LOOK_SECONDS)) is None or caught.si_signo == signal.SIGHUP:
        if caught is not None:
            _say_that_nothing_is_read()
            continue
        try:
            health.require_ready(service.db)
        except DatabaseReplaced as error:
            _say_that_it_ends(GONE)
            return error
        except StoreError as error:
            # whoever asks for a page is told to try again; the database may come back
            logger.debug("%s", error)
    _say_that_it_ends(signal.Signals(caught.si_signo).name)
    return None


def _say_where_pages_are(settings: Settings, pages: "WebServer") -> None:
    logger.info("pages are at %s, which is to be passed on to %s", settings.web.url, pages.address)


def _say_that_nothing_is_read() -> None:
    logger.info("SIGHUP: nothing is read anew; another configuration counts from the next start on")


def _say_that_it_ends(why: str) -> None:
    tell(STOPPING)
    logger.info("%s: finishing what is under way; a second one ends it at once", why)
    # From here on a signal has its default effect, so a second one ends the process at once.
    for number in STOPS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)


@show.emits(RoundOfWork)
def tick(ctx: typer.Context, *, json: show.Json = False) -> None:
    """Do one round of everything that `serve` does and stop: for cron.

    Run it more often than jobs.outage_minutes. If two rounds are further apart, players get back the time between them.
    """
    from turnserver.jobs import collect_maildir, fetch_mail  # noqa: PLC0415  # see above

    run = session(ctx)
    log_to_stderr()
    # Mail is fetched before the sweep, so that a move that waits in a mailbox counts before its deadline is enforced.
    maildir, fetched = (_fetched(fetch, run.service) for fetch in (collect_maildir, fetch_mail))
    handled, swept, sent = run.service.tick()
    work = RoundOfWork(maildir.delivered + fetched.delivered, maildir.failed + fetched.failed, *handled, *swept, *sent)
    if json:
        show.json(work)
        return
    counts = ((count, *_WORDS[name]) for name, count in msgspec.structs.asdict(work).items() if count)
    said = [f"{counted(count, noun)} {done}" for count, noun, done in counts]
    typer.echo("\n".join(said) or "There was nothing to do.")


def _fetched(fetch: Callable[[Service], Collected], service: Service) -> Collected:
    try:
        return fetch(service)
    except (ClockWrong, MailboxClosed) as error:
        # no deadline is enforced then, and all else goes on
        logger.error("%s", error)  # noqa: TRY400  # it says what is wrong; where does not matter
        return Collected(0, 0)


class LogLine(logging.Formatter):
    """A line of the log. What other servers say stands in it, and a terminal must not obey that."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, with the traceback below it if there is one."""
        return steady(super().format(record))


def log_to_stderr() -> None:
    """Write the program's log, a line for each thing worth knowing, to the standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LogLine("%(asctime)s %(levelname)s %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    logging.getLogger("turnserver").setLevel(logging.INFO)
    # A tick that takes longer than its interval is no trouble, and the scheduler would say so every time.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
