"""`turnserver league list`. It reads rows alone, so that it answers at once."""

from typing import Annotated

import typer

from turnserver.cli import complete
from turnserver.cli.league.shapes import League
from turnserver.cli.output import show
from turnserver.cli.output.shapes import times
from turnserver.cli.session import session
from turnserver.store.leagues import views as leagues
from turnserver.store.leagues.views import LeagueSummary
from turnserver.store.people import accounts as people

NO_SEASON = "none"
"""The phase of a league without a season."""


@show.emits(list[League])
def list_(
    ctx: typer.Context,
    *,
    player: Annotated[
        str | None, typer.Option(metavar="WHO", autocompletion=complete.players, help="List only leagues that this player is in now.")
    ] = None,
    archived: Annotated[bool, typer.Option("--archived", help="List the leagues that are archived instead.")] = False,
    json: show.Json = False,
) -> None:
    """List the leagues, each with its season."""
    run = session(ctx)
    with run.database.read() as conn:
        who = people.find_player(conn, player).id if player is not None else None
        found = [one for one in leagues.listed(conn, who) if one.archived is archived]
    if json:
        show.json([_as_league(one) for one in found])
        return
    clock = times(run)
    rows = [(str(one.id), one.name, one.game, str(one.season), one.phase or NO_SEASON, clock.at(one.due_at)) for one in found]
    empty = (
        "There are no leagues; `turnserver league add` sets one up, and `turnserver league list --archived` lists former ones."
        if who is None and not archived
        else "There are none."
    )
    show.table(("No", "League", "Game", "Season", "Now", "Next"), rows, right=("No", "Season"), empty=empty, note=clock.note)


def _as_league(row: LeagueSummary) -> League:
    phase = row.phase.value if row.phase is not None else NO_SEASON
    return League(row.id, row.name, row.game, row.season, phase, row.due_at, row.opened_at, row.version)
