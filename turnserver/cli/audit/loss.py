"""`turnserver audit loss`: when the database was put back, and what is known to be lost."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated

import msgspec
import typer
from msgspec import Meta

from turnserver.cli.doctor.findings import Check, check
from turnserver.cli.output import show
from turnserver.cli.output.tables import times
from turnserver.cli.session import session
from turnserver.mail.outbound.wording import counted
from turnserver.service import Service
from turnserver.store.incidents import lost_history as losses
from turnserver.store.incidents import restorations
from turnserver.store.incidents.restorations import NOTICED


class Return(msgspec.Struct, frozen=True):
    """That history was put back to an earlier state."""

    at: Annotated[datetime, Meta(description="when it was put back, or when that was noticed")]
    since: Annotated[datetime | None, Meta(description="what happened after that instant may be lost; null if nobody knows")]
    position: Annotated[int, Meta(description="the last event that the old history and the new one share")]
    said: Annotated[bool, Meta(description="whether somebody has said so; else a mail has shown it")]
    lost: Annotated[bool, Meta(description="whether anything may have been lost")]
    told: Annotated[bool, Meta(description="whether the players have been told")]


class Missing(msgspec.Struct, frozen=True):
    """Something that happened and is in no history here."""

    what: Annotated[str, Meta(description="what is lost, such as `game 17, turn 8, edition 0`")]
    shown_by: Annotated[str, Meta(description="what shows that it was there")]
    at: Annotated[datetime, Meta(description="when that was found out")]
    mail: Annotated[int | None, Meta(description="the mail of the inbox that shows it")]


class Loss(msgspec.Struct, frozen=True):
    """All that is known of lost history."""

    restorations: Annotated[list[Return], Meta(description="how often the database was put back, oldest first")]
    losses: Annotated[list[Missing], Meta(description="what is known to be lost, in the order in which it was found out")]


@show.emits(Loss)
def loss(ctx: typer.Context, *, json: show.Json = False) -> None:
    """When the database was put back to an earlier state, and what proves to be lost since."""
    run = session(ctx)
    found = _found(run.service)
    if json:
        show.json(found)
        return
    when = times(run)
    for one in found.restorations:
        said = "was put back" if one.said else "proved to be an older one"
        typer.echo(f"{when.full(one.at)}: the database {said}; what follows position {one.position} is new.")
        if one.said and not one.lost:
            typer.echo("Nothing was lost, as whoever did it said.")
        elif one.since is not None:
            typer.echo(f"What happened after {when.full(one.since)} may be lost. {'The players know.' if one.told else ''}".rstrip())
        typer.echo()
    rows = [(one.what, one.shown_by, when.at(one.at), str(one.mail or "")) for one in found.losses]
    show.table(("Lost", "Shown by", "Found out", "Mail"), rows, right=("Mail",), empty="Nothing is known to be lost.")


def examine(service: Service) -> Iterator[Check]:
    """What the doctor says of it; nothing as long as nothing was put back."""
    found = _found(service)
    if found.losses:
        many = counted(len(found.losses), "thing")
        yield check("history", "note", f"{many} that happened {'is' if len(found.losses) == 1 else 'are'} lost; `turnserver audit loss`")
    if any(not one.said for one in found.restorations):
        yield check(
            "history", "note", "the database proved to be an older one, which nobody has said; see `turnserver restored` in AUDIT.md"
        )


def _found(service: Service) -> Loss:
    with service.db.read() as conn:
        returns = [
            Return(one.at, one.put_back_to if one.lost else None, one.position, one.reason != NOTICED, one.lost, one.told)
            for one in restorations.every(conn)
        ]
        return Loss(returns, [Missing(one.subject, one.evidence, one.at, one.mail) for one in losses.every(conn)])
