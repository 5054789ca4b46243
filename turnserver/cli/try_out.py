"""`turnserver try`: the service on one page of this machine, with nothing to set up."""

import logging
import os
import signal
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Literal

import typer

from turnserver import games
from turnserver.cli import complete
from turnserver.cli.game.commands import assignments
from turnserver.cli.operate import STOPS, log_to_stderr
from turnserver.cli.session import session
from turnserver.mail.outbound.language import counted
from turnserver.service.service import Service
from turnserver.store.mail import outbox
from turnserver.web.app import guarded
from turnserver.web.sandbox.desk import HOUSE, YOURS, Desk, new_site, service_into
from turnserver.web.sandbox.mails import Capture
from turnserver.web.sandbox.page import SandboxPages
from turnserver.web.server import LOOPBACK, WebServer


def try_out(
    ctx: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            autocompletion=complete.keys,
            help="The game, by its key in `turnserver games`; else take. The page has the others.",
        ),
    ] = None,
    *,
    option: Annotated[list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="Choose an option of the game.")] = None,
    against: Annotated[
        Literal["yourself", "house"], typer.Option(help="Your opponent: yourself on a second phone, or the house.")
    ] = "yourself",
    keep: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep games and mails in this directory, and go on with them next time.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65_535, metavar="N", help="The port of the page; 0 takes a free one.")] = 0,
    open_: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open the page in a browser, or not; else only if there is a display.")
    ] = None,
    site: Annotated[
        bool, typer.Option("--site", help="Use the configured database, with its players and games, instead of one to throw away.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --site: do not ask before playing with this database.")] = False,
) -> None:
    """Try everything on one page: mails as they will look on a phone, with buttons to tap and a box to answer them.

    Nothing has to be set up, and nothing leaves this machine: the page shows each mail and takes the answers. The database is thrown away
    at the end. With --site, the configured database is used, so that an admin sees their own games, players and templates; this command
    then does the work of `serve`.
    """
    run = session(ctx)
    key = game or "take"
    options = games.options_from_text(games.entry(key), assignments(option or []))
    if site and (game or option or against == "house"):
        raise typer.BadParameter("with --site, open games with `turnserver game open`", ctx=ctx)
    log_to_stderr()
    # The page shows what happens; the terminal is left for the address and for trouble.
    logging.getLogger("turnserver").setLevel(logging.WARNING)
    with ExitStack() as until_the_end:
        directory = until_the_end.enter_context(_directory(keep))
        made, maildir = directory / "turnserver.toml", directory / "mails"
        settings = run.settings if site else new_site(made)
        players, house = ((), ()) if site else (YOURS, ()) if against == "yourself" else (YOURS[:1], HOUSE)
        service = until_the_end.enter_context(service_into(maildir, settings, run.outside.clock, run.outside.lot))
        if site:
            _ask_first(service, maildir, sure=yes)
        desk = Desk(service, maildir, players=players, house=house)
        # With --keep the games of the last time are there already.
        if not (site or service.mail.mails_written()):
            desk.open(key, options)
        pages = guarded(SandboxPages(desk).routes(), url="", language="en")
        server = WebServer(pages, LOOPBACK, port, choose="Choose another with --port.")
        # Before the threads start, so that Ctrl-C is taken below and nowhere else.
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
        until_the_end.callback(signal.pthread_sigmask, signal.SIG_UNBLOCK, STOPS)
        until_the_end.enter_context(desk)
        until_the_end.enter_context(server)
        typer.echo(f"Play at {server.address} in a browser; Ctrl-C ends it.")
        if not site:
            typer.echo(f"Other commands see these games with: turnserver --config {made}")
        if open_ or (open_ is None and _has_display()):
            webbrowser.open(server.address)
        signal.sigwait(STOPS)


@contextmanager
def _directory(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        try:
            keep.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError) as error:
            raise typer.BadParameter(f"{keep} is not a directory", param_hint="--keep") from error
        yield keep.absolute()
        return
    with tempfile.TemporaryDirectory(prefix="turnserver-try-") as temporary:
        yield Path(temporary)


def _has_display() -> bool:
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _ask_first(service: Service, maildir: Path, *, sure: bool) -> None:
    # The page keeps mails from leaving: on the database of real players it would take their mails away.
    if sure:
        return
    with service.db.read() as conn:
        # The newest are enough to see whether mails of this database have really left.
        gone = {mail.message_id for mail in outbox.list_outbox(conn, "sent", 1000)}
    if real := gone - Capture(maildir).message_ids():
        question = f"This database has really sent {counted(len(real), 'mail')}. From now on nobody would get its mails. Go on?"
        typer.confirm(question, abort=True, err=True)
