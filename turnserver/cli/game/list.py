"""`turnserver game list`. It reads rows alone, so that it answers at once; only claims are looked for in the games."""

from typing import Annotated

import typer

from turnserver.cli import complete
from turnserver.cli.output import show
from turnserver.cli.output.shapes import GAME_COLUMNS, Game, as_game, game_cells, names, times
from turnserver.cli.session import session
from turnserver.play.state import Status
from turnserver.store.games import views
from turnserver.store.people import accounts as people


@show.emits(list[Game])
def list_(
    ctx: typer.Context,
    *,
    everything: Annotated[bool, typer.Option("--all", help="List ended games too.")] = False,
    status: Annotated[Status | None, typer.Option(help="List only games of this status.")] = None,
    player: Annotated[
        str | None, typer.Option(metavar="WHO", autocompletion=complete.players, help="List only the games of this player.")
    ] = None,
    claims: Annotated[bool, typer.Option("--claims", help="List only games in which a claim waits for a decision of yours.")] = False,
    json: show.Json = False,
) -> None:
    """List the games that are not over, the newest first."""
    if everything and status is not None:
        raise typer.BadParameter("give either --all or --status", ctx=ctx)
    run = session(ctx)
    known = names(run)
    with run.database.read() as conn:
        who = people.find_player(conn, player).id if player is not None else None
        statuses = (Status.RUNNING,) if claims else _statuses(everything, status)
        rows = [row for one in statuses for row in views.list_games(conn, status=one, player=who)]
        if claims:
            from turnserver.service.games.claims import waiting_claims  # noqa: PLC0415  # all else here reads rows alone, and answers at once

            # the only question here for which games have to be loaded
            waiting = waiting_claims(conn, run.service.ledger.games)
            rows = [row for row in rows if row.id in waiting]
    listed = [as_game(row, known) for row in sorted(rows, key=lambda row: row.id, reverse=True)]
    if json:
        show.json(listed)
        return
    clock = times(run)
    show.table(GAME_COLUMNS, [game_cells(game, clock) for game in listed], right=("No", "Turn"), empty="There are no such games.")


def _statuses(everything: bool, status: Status | None) -> tuple[Status | None, ...]:  # noqa: FBT001  # the flag of the command line
    if everything or status is not None:
        return (status,)
    return (Status.INVITING, Status.RUNNING)
