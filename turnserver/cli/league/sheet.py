"""`turnserver league sheet`: what a director hangs up or hands out."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, assert_never

import typer

from turnserver.cli.league.group import DivisionOf, SeasonOf, Which, load
from turnserver.cli.output import show
from turnserver.cli.session import session
from turnserver.errors import BadOption
from turnserver.league.presentation.printouts import Kind, as_rows, as_text, printout
from turnserver.mail.outbound.language import language
from turnserver.play.clock.live_time import zone_of
from turnserver.web.printouts import page


class SheetFormat(StrEnum):
    """The formats of a sheet."""

    TEXT = "text"
    HTML = "html"
    CSV = "csv"


def sheet(
    ctx: typer.Context,
    league: Which,
    kind: Annotated[
        Kind,
        typer.Argument(
            metavar="KIND",
            help="pairings: who meets whom in a round; chart: players by their pairing numbers, round by round; crosstable: everybody "
            "against everybody; standings: places and figures.",
        ),
    ],
    *,
    format: Annotated[  # noqa: A002  # names the option
        SheetFormat, typer.Option(help="text: 80 columns; html: a page for a printer; csv: for a spreadsheet, in English.")
    ] = SheetFormat.TEXT,
    division: DivisionOf = None,
    round_: Annotated[int | None, typer.Option("--round", min=1, metavar="N", help="The round of the pairings; else the latest.")] = None,
    season: SeasonOf = None,
    output: show.Output = None,
) -> None:
    """Write a sheet to hang up or to hand out, in the language of the site: pairings, wall chart, crosstable, standings."""
    run = session(ctx)
    if round_ is not None and kind is not Kind.PAIRINGS:
        raise BadOption("Only pairings are those of a round. Leave --round out.")
    found = load(run, league, season)
    zone = zone_of(found.zone)

    def when(at: datetime) -> str:
        there = at.astimezone(zone)
        # what is copied out of a file has nobody beside it who knows the zone
        return there.isoformat(" ", "minutes") if format is SheetFormat.CSV else f"{there:%Y-%m-%d %H:%M}"

    made = [printout(kind, found.state, found.season, each, found.names, when, round_) for each in found.divisions(division)]
    key = run.settings.site.language
    match format:
        case SheetFormat.TEXT:
            content = "\n".join(map(as_text, language(key).told(tuple(made))))
        case SheetFormat.HTML:
            content = page(made, key)
        case SheetFormat.CSV:
            content = as_rows(made)
        case _:
            assert_never(format)
    if output is None:
        typer.echo(content, nl=not content.endswith("\n"))
        return
    # Unchanged: lines of CSV end in CRLF (RFC 4180), whatever the system writes otherwise.
    output.write_text(content, encoding="utf-8", newline="")
    typer.echo(f"The sheet is in {output}.")
