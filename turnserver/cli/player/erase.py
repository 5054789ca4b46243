"""`turnserver player erase`: everything that names somebody, gone for good."""

from typing import Annotated

import msgspec
import typer
from msgspec import Meta

from turnserver.cli.output import show
from turnserver.cli.player.commands import Who
from turnserver.cli.session import session
from turnserver.mail.outbound.wording import counted


class ErasedPlayer(msgspec.Struct, frozen=True):
    """What was erased of a player."""

    player: Annotated[int, Meta(description="his number, which stays his")]
    left: Annotated[list[str], Meta(description="what he was withdrawn from before")]
    mails: Annotated[int, Meta(description="mails of the inbox that were his or named him; digest and length stay")]
    texts: Annotated[int, Meta(description="mails of the outbox that were for him or named him; digest and length stay")]
    chat: Annotated[int, Meta(description="lines of chat that he said")]
    plans: Annotated[int, Meta(description="plans that he had laid")]
    renamed: Annotated[bool, Meta(description="whether he once had another name, which nobody knows here any more")]


@show.emits(ErasedPlayer)
def erase(
    ctx: typer.Context,
    who: Who,
    *,
    leave: Annotated[
        bool, typer.Option("--leave", help="First resign all games, withdraw from leagues and decline what waits; the others are told.")
    ] = False,
    also: Annotated[
        list[str] | None,
        typer.Option("--also", metavar="TEXT", help="Another name or address that the player had or has; may be given several times."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json: show.Json = False,
) -> None:
    """Erase everything that names a player: name, address, mails, chat, plans. It cannot be undone.

    Games and leagues stay, and say `former player 8` where the name was. Mails of others that name the player are emptied too.
    What is erased is gone from the files of the database as well; backups, log lines and mail programs are not reached: see AUDIT.md.
    Done again, it erases what has come since, and what `--also` finds.
    """
    run = session(ctx)
    person = run.service.player(who)
    if not yes:
        typer.confirm(f"Erase {person.name}, player {person.id}, for ever?", abort=True, err=True)
    left = run.service.leave(person.id, actor=run.actor, cause=run.cause) if leave else []
    done = run.service.erase_player(person.id, also or (), actor=run.actor, cause=run.cause)
    if json:
        show.json(ErasedPlayer(done.player, left, done.came, done.went, done.chat, done.plans, done.renamed))
        return
    for one in left:
        typer.echo(f"Left: {one}.")
    typer.echo(
        f"Player {done.player} is erased: {counted(done.came, 'mail')} that came, {counted(done.went, 'mail')} that went, "
        f"{counted(done.chat, 'line')} of chat, {counted(done.plans, 'plan')}."
    )
    if done.renamed:
        typer.echo("The player once had another name, which is not known here any more. If you know it, erase again with --also NAME.")
    typer.echo('Backups, log lines and published pages may still name the player: see "Personal data" in AUDIT.md.')
