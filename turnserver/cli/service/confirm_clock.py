"""`turnserver confirm-clock`: the word of an admin that the clock of the machine is right."""

from datetime import datetime
from typing import Annotated

import msgspec
import typer
from msgspec import Meta

from turnserver.cli.output import show
from turnserver.cli.session import session


class Confirmed(msgspec.Struct, frozen=True):
    """What was taken for the present instant."""

    at: Annotated[datetime, Meta(description="the present instant, as the clock of this machine says")]


@show.emits(Confirmed)
def confirm_clock(ctx: typer.Context, *, json: show.Json = False) -> None:
    """Say that the clock of this machine is right, when the service stands still because it does not believe that.

    Players get the time back since the service was last seen, if that lies in the past.
    """
    run = session(ctx)
    done = Confirmed(run.service.confirm_clock())
    if json:
        show.json(done)
        return
    typer.echo(f"It is {show.Times(run.settings.site.zone, done.at).full(done.at)}. The service goes on from here.")
