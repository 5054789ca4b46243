"""`turnserver game pause` and `turnserver game resume`: an admin stops the clocks of a game, and lets them run again."""

from datetime import timedelta
from typing import Annotated

import typer

from turnserver.cli.game.commands import Reason, Which, step_in
from turnserver.cli.output import show
from turnserver.cli.output.shapes import GameDetails
from turnserver.cli.session import session
from turnserver.play.commands import FreezeClock, Release
from turnserver.play.events import FreezeKind


@show.emits(GameDetails)
def pause(
    ctx: typer.Context,
    game: Which,
    *,
    days: Annotated[
        int | None, typer.Option(min=1, max=3660, metavar="N", help="For how many days; without it until `turnserver game resume`.")
    ] = None,
    reason: Reason,
    json: show.Json = False,
) -> None:
    """Stop all clocks of a game. Its players are told, and may play on all the same."""
    run = session(ctx)
    now = run.service.clock()
    ends = None if days is None else now + timedelta(days=days)
    step_in(run, game, FreezeClock(FreezeKind.HALT, None, now, ends, reason), "", yes=True, json=json)


@show.emits(GameDetails)
def resume(
    ctx: typer.Context,
    game: Which,
    *,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why; the history will show it.")] = "",
    json: show.Json = False,
) -> None:
    """Let the clocks of a game run again, also out of a pause that its players have agreed on."""
    step_in(session(ctx), game, Release(reason), "", yes=True, json=json)
