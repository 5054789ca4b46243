"""`--at`: the one way in which commands are asked about a moment of the past."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from turnserver.audit.past import moments
from turnserver.audit.past.moments import Moment
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
        help=f"As it was then: {moments.FORMS}.",
    ),
]
"""The option of commands about a game or a league."""

AtAll = Annotated[
    str | None,
    typer.Option("--at", metavar="WHEN", help="As it was then: a position of the log such as #48211, or a time such as 2026-11-03."),
]
"""The option of commands about more than one stream."""


def of_stream(run: Session, conn: Transaction, rows: Sequence[Recorded[Any]], at: str | None, title: str) -> Moment | None:
    """The moment that --at names in a stream, or None for now. Raises BadOption and NotFound."""
    if at is None:
        return None
    zone = run.settings.site.zone
    return moments.in_stream(conn, rows, moments.read(at, zone), title=title, zone=zone, now=run.service.clock())


def of_log(run: Session, conn: Transaction, at: str | None, what: str) -> Moment | None:
    """The moment that --at names for `what` is of no stream, or None for now. Raises BadOption and NotFound."""
    if at is None:
        return None
    zone = run.settings.site.zone
    return moments.in_log(conn, moments.read(at, zone), of=what, zone=zone, now=run.service.clock())
