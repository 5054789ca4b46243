"""`turnserver game substitute`: somebody else plays on at a seat."""

from typing import Annotated

import typer

from turnserver.cli import complete
from turnserver.cli.game.commands import Reason, Which, Yes, report
from turnserver.cli.game.found import load
from turnserver.cli.output import show
from turnserver.cli.output.shapes import GameDetails
from turnserver.cli.session import session
from turnserver.ids import Burden, GameId


@show.emits(GameDetails)
def substitute(
    ctx: typer.Context,
    game: Which,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="The seat's number or name, or the player who sits there.")],
    player: Annotated[
        str,
        typer.Argument(metavar="PLAYER", autocompletion=complete.players, help="Who plays on: the player's number, name or mail address."),
    ],
    *,
    reason: Reason,
    rating: Annotated[
        Burden, typer.Option(help="Whose rating the result counts for: whoever has had the seat, the substitute, or nobody.")
    ] = Burden.SEAT,
    yes: Yes = False,
    json: show.Json = False,
) -> None:
    """Have somebody else play on at a seat, at once. If it is that seat's turn, there is a day for it at least."""
    run = session(ctx)
    found = load(run, game)
    where, person = found.seat(seat), run.service.player(player)
    if not yes:
        typer.confirm(f"Have {person.name} play on for {found.table.at(where)} in {found.title}?", abort=True, err=True)
    run.service.substitute(GameId(game), where, str(person.id), rating, reason, actor=run.actor, cause=run.cause)
    report(run, GameId(game), "{name}: {players}; now {now}.", json=json)
