"""`turnserver player list`. It reads rows alone, so that it answers at once."""

import typer

from turnserver.cli.output import show
from turnserver.cli.output.shapes import Player, as_player
from turnserver.cli.session import session
from turnserver.play.reliability import Tally
from turnserver.store.games import views
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person

NOT_CONFIRMED = "not confirmed"
"""Beside an address that no mail has come from."""

ERASED = "erased"
"""Beside somebody of whom nothing else is known any more."""


@show.emits(list[Player])
def list_(ctx: typer.Context, *, json: show.Json = False) -> None:
    """List all players."""
    run = session(ctx)
    with run.database.read() as conn:
        everybody, known = people.list_players(conn), views.every_tally(conn) if json else {}
    if json:
        show.json([as_player(person, known.get(person.id, Tally())) for person in everybody])
        return
    rows = [(str(person.id), person.name, person.address, person.zone, _mark(person)) for person in everybody]
    show.table(
        ("No", "Name", "Address", "Zone", ""), rows, right=("No",), empty="There are no players yet; `turnserver player add` makes one."
    )


def _mark(person: Person) -> str:
    if person.erased_at is not None:
        return ERASED
    return "" if person.confirmed_at else NOT_CONFIRMED
