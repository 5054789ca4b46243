"""Moments of the past: the option `--at` of commands, and what it names."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from turnserver.audit import past
from turnserver.audit.past import LogMoment
from turnserver.cli import complete
from turnserver.cli.session import Session
from turnserver.ids import Recorded
from turnserver.store.log.database import Transaction

At = Annotated[
    str | None,
    typer.Option(
        "--at",
        metavar="WHEN",
        autocompletion=complete.versions,
        help=f"As it was then: {past.FORMS}.",
    ),
]
"""The option of commands about a game or a league."""

AtAll = Annotated[
    str | None,
    typer.Option("--at", metavar="WHEN", help="Show the past: a position of the log such as #48211, or a time such as 2026-11-03."),
]
"""The option of commands about more than one stream."""


def stream_moment(run: Session, conn: Transaction, rows: Sequence[Recorded[Any]], at: str | None, title: str) -> LogMoment | None:
    """Return the moment that --at names in a stream, or None for now. Raises BadOption and NotFound."""
    if at is None:
        return None
    zone = run.settings.site.zone
    return past.in_stream(conn, rows, past.read(at, zone), title=title, zone=zone, now=run.service.clock())


def log_moment(run: Session, conn: Transaction, at: str | None, what: str) -> LogMoment | None:
    """Parse `--at` as a moment of the whole log, for `what` is of no stream. None means now. Raises BadOption and NotFound."""
    if at is None:
        return None
    zone = run.settings.site.zone
    return past.in_log(conn, past.read(at, zone), of=what, zone=zone, now=run.service.clock())
