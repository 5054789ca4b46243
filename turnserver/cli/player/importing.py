"""`turnserver player import`: many accounts from one list."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import Meta

from turnserver.cli import lists
from turnserver.cli.output import show
from turnserver.cli.output.shapes import Player, as_player
from turnserver.cli.session import session
from turnserver.errors import WrongLines
from turnserver.mail.outbound.language import counted
from turnserver.play.reliability import Tally
from turnserver.service.people.importing import Difference, ImportPlan


class ImportDifference(msgspec.Struct, frozen=True):
    """A setting of a player with an account that differs from the list. It stays as it is."""

    line: Annotated[int, Meta(description="the line of the list")]
    player: Annotated[int, Meta(description="the player's number")]
    setting: Annotated[str, Meta(description="name, zone or language")]
    here: Annotated[str, Meta(description="its value here")]
    there: Annotated[str, Meta(description="its value in the list")]


class ImportedPeople(msgspec.Struct, frozen=True):
    """The people of a list that was imported."""

    added: Annotated[list[Player], Meta(description="the players who were added")]
    known: Annotated[list[int], Meta(description="the numbers of the players who had an account already")]
    differences: Annotated[
        list[ImportDifference], Meta(description="settings of these players that differ from the list; they stay as they are")
    ]


@show.emits(ImportedPeople)
def import_(
    ctx: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", dir_okay=False, exists=True, help="A CSV with the columns name, address, zone, language.")
    ],
    *,
    yes: show.Yes = False,
    json: show.Json = False,
) -> None:
    """Make an account for everybody on a list and send each a welcome. If a line is wrong, nobody is added.

    The first line names the columns; zone and language may be missing. Commas, semicolons and quotes are read as spreadsheets write them.
    Whoever has an account with the address stays as they are. What the list has otherwise is told, with the command to change it. Welcomes
    leave after a quarter of an hour. Whoever is entered in a league before that is welcomed by its mail instead.
    """
    run = session(ctx)
    lines = lists.people(file)
    plan = run.service.people.plan_import(lines)
    if plan.wrong:
        raise WrongLines(plan.wrong)
    if not json:
        _show(plan)
    added = []
    if plan.new:
        show.confirm(f"Add {counted(len(plan.new), 'player')}, and send each a welcome?", yes=yes)
        # The lines and not the plan: what is new is found out once more in the transaction, as accounts may have come meanwhile.
        added = run.service.people.add_all(lines, actor=run.actor, cause=run.cause)
    if json:
        differences = [ImportDifference(one.line, one.person.id, *one[2:]) for one in plan.differences]
        show.json(ImportedPeople([as_player(one, Tally()) for one in added], [one.id for one in plan.known], differences))
    elif added:
        numbers = f"player {added[0].id}" if len(added) == 1 else f"players {added[0].id} to {added[-1].id}"
        typer.echo(f"Added {counted(len(added), 'player')}, as {numbers}. Each is welcomed in 15 minutes, or by the mail of a league.")
    else:
        typer.echo("Nobody is new; nothing has changed.")


def _show(plan: ImportPlan) -> None:
    if plan.new:
        typer.echo("To be added:\n")
        show.table(("Name", "Address", "Zone", "Language"), [[cell or "" for cell in one] for one in plan.new])
        typer.echo()
    if plan.known:
        typer.echo(f"{counted(len(plan.known), 'player')} of the list {'is' if len(plan.known) == 1 else 'are'} here already.")
    _tell(plan.differences)


def _tell(differences: Sequence[Difference]) -> None:
    for one in differences:
        show.words(
            f"Line {one.line}: {one.person.name} keeps the {one.setting} {one.here}, though the list says {one.there}. To change it: "
            f"`turnserver player set {one.person.id} {one.setting} {shlex.quote(one.there)}`."
        )
