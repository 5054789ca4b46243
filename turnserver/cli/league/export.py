"""`turnserver league export`: the tables and results of a season for other programs, for pages and for walls."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, assert_never

import typer

from turnserver.cli.league.group import DivisionOf, LeagueFound, SeasonOf, Which, load
from turnserver.cli.league.tables import ratings_of, tables
from turnserver.cli.session import session
from turnserver.league.events import Division
from turnserver.league.presentation import trf
from turnserver.league.presentation.crosstable import Crosstable
from turnserver.league.presentation.exports import as_json, lines_csv, results_csv
from turnserver.league.presentation.html import page
from turnserver.league.presentation.svg import draw
from turnserver.mail.outbound.picture import png

WIDTH: Final = 1400
"""How wide a picture is, in pixels."""


class ExportFormat(StrEnum):
    """How a season is written."""

    JSON = "json"
    CSV = "csv"
    RESULTS = "results"
    HTML = "html"
    SVG = "svg"
    PNG = "png"
    TRF = "trf"


OF_ONE: Final = frozenset({ExportFormat.SVG, ExportFormat.PNG, ExportFormat.TRF})
"""Those that hold one division."""


def export(
    ctx: typer.Context,
    league: Which,
    *,
    format: Annotated[  # noqa: A002  # names the option
        ExportFormat,
        typer.Option(
            help="All of the season as JSON; its tables as CSV, a line a player, or its results, a line a meeting; its tables as a page in "
            "HTML; the table of a division as a picture, or, of a Swiss event, as FIDE's TRF, up to the last round that is over."
        ),
    ] = ExportFormat.JSON,
    division: DivisionOf = None,
    season: SeasonOf = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", dir_okay=False, help="Write to this file instead of the terminal.")
    ] = None,
) -> None:
    """Write a season's tables and results, as they stand or as they ended."""
    run = session(ctx)
    found = load(run, league, season)
    made = tables(found, found.divisions(division), ratings_of(run, found))
    if format in OF_ONE and len(made) > 1:
        names = ", ".join(one.name for one in found.divisions())
        raise typer.BadParameter(f"{format.value} is of one division; give --division, which may be {names}", ctx=ctx)
    if format is ExportFormat.PNG and output is None:
        raise typer.BadParameter("a PNG is nothing for a terminal; give --output", ctx=ctx)
    content = _written(found, made, found.divisions(division), format)
    if output is None:
        typer.echo(content, nl=not content.endswith(b"\n"))
        return
    output.write_bytes(content)
    typer.echo(f"Season {found.season.number} of {found.state.name} is in {output}.")


def _written(found: LeagueFound, made: Sequence[Crosstable], divisions: Sequence[Division], wanted: ExportFormat) -> bytes:
    """The content of the file."""
    match wanted:
        case ExportFormat.JSON:
            return as_json(found.state, found.season, found.names)
        case ExportFormat.CSV:
            return lines_csv(made).encode()
        case ExportFormat.RESULTS:
            return results_csv(found.state, found.season, found.names).encode()
        case ExportFormat.HTML:
            return page(made).encode()
        case ExportFormat.SVG:
            return draw(made[0]).encode()
        case ExportFormat.PNG:
            return png(draw(made[0]), WIDTH)
        case ExportFormat.TRF:
            report = trf.report(found.state, found.season, divisions[0], found.names)
            for remark in report.remarks:
                typer.echo(remark, err=True)
            return report.text.encode()
        case _:
            assert_never(wanted)
