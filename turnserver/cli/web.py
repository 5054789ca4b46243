"""`turnserver web export`: the public pages as files, for a club that has web space and no server."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import Meta

from turnserver.cli.output import show
from turnserver.cli.session import session
from turnserver.mail.outbound.language import counted
from turnserver.text import listing


class ExportedSite(msgspec.Struct, frozen=True):
    """The public pages, written to a directory."""

    directory: Annotated[str, Meta(description="the directory")]
    pages: Annotated[int, Meta(description="the number of pages")]
    leagues: Annotated[int, Meta(description="how many leagues have pages")]
    games: Annotated[int, Meta(description="how many games have pages")]
    players: Annotated[int, Meta(description="how many players have a page")]
    files: Annotated[int, Meta(description="the number of all files: pages, pictures, downloads, style sheets")]
    changed: Annotated[int, Meta(description="how many of them are new, or other than the last export left them")]
    removed: Annotated[int, Meta(description="how many files of the last export were removed, as they are not made any more")]


@show.emits(ExportedSite)
def export(
    ctx: typer.Context,
    place: Annotated[Path, typer.Argument(metavar="DIR", help="A new or an empty directory, or one that an export has made.")],
    *,
    json: show.Json = False,
) -> None:
    """Write all pages that everybody may see as files, for web space without a server.

    Links work from any directory, and without a web server. An export into the same directory writes what has changed, and removes pages
    that are not public any more. It touches no file that an export has not made. Interrupt it whenever you like, and run it again.
    """
    from turnserver.web.export.site import export as written  # noqa: PLC0415  # no other command needs all pages

    run = session(ctx)
    done = ExportedSite(str(place), *written(run.service, place, show.progress))
    if json:
        show.json(done)
        return
    of = listing([counted(done.leagues, "league"), counted(done.games, "game"), counted(done.players, "player")], "and")
    typer.echo(f"{counted(done.pages, 'page')} of {of} are in {place}. Copy it to your web space; links work from any directory.")
    if not done.leagues + done.games:
        show.words("No league and no game is public yet: `turnserver league set 1 --visible public` has everybody see one and its games.")
