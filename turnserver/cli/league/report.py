"""`turnserver league report`: what the log of a league has that an admin may want to look into."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Final, assert_never

import typer

from turnserver.cli.league.group import DivisionOf, LeagueFound, SeasonOf, Which, load
from turnserver.cli.league.shapes import LeagueFinding
from turnserver.cli.league.tables import ratings_of, tables
from turnserver.cli.output import show
from turnserver.cli.output.shapes import name_in, names
from turnserver.cli.session import session
from turnserver.ids import GameId, PlayerId
from turnserver.league.events import Division
from turnserver.league.formats.swiss import Breach
from turnserver.league.presentation import trf
from turnserver.league.presentation.crosstable import Crosstable
from turnserver.league.presentation.exports import as_json, lines_csv, results_csv
from turnserver.league.presentation.svg import draw
from turnserver.league.scoring.fairness import Crowded, Finding, FirstMoves, Forced, Gifts, Streak, Traded, Unexpected
from turnserver.mail.outbound.language import counted
from turnserver.mail.outbound.picture import png
from turnserver.service.leagues.fairness import Report, look_into
from turnserver.text import listing

WIDTH: Final = 1400
"""The width of a picture, in pixels."""


class ExportFormat(StrEnum):
    """The formats of an exported season."""

    JSON = "json"
    CSV = "csv"
    RESULTS = "results"
    SVG = "svg"
    PNG = "png"
    TRF = "trf"


OF_ONE: Final = frozenset({ExportFormat.SVG, ExportFormat.PNG, ExportFormat.TRF})
"""The formats that hold one division."""


def export(
    ctx: typer.Context,
    league: Which,
    *,
    format: Annotated[  # noqa: A002  # names the option
        ExportFormat,
        typer.Option(
            help="json: the whole season; csv: the tables, one line per player; results: CSV with one line per "
            "meeting; svg, png: the table of a division as a picture; trf: that of a division of games of two as "
            "FIDE's TRF, up to the last round that is over."
        ),
    ] = ExportFormat.JSON,
    division: DivisionOf = None,
    season: SeasonOf = None,
    output: show.Output = None,
) -> None:
    """Write the tables and results of a season. `turnserver league sheet` writes its tables as a page."""
    run = session(ctx)
    found = load(run, league, season)
    made = tables(found, found.divisions(division), ratings_of(run, found))
    if format in OF_ONE and len(made) > 1:
        names = ", ".join(one.name for one in found.divisions())
        raise typer.BadParameter(f"{format.value} shows one division; choose one with --division: {names}", ctx=ctx)
    if format is ExportFormat.PNG and output is None:
        raise typer.BadParameter("a PNG can't be shown in a terminal; give --output", ctx=ctx)
    content = _written(found, made, found.divisions(division), format)
    if output is None:
        # Only a terminal needs its last line ended; a file has what the format says.
        typer.echo(content, nl=not content.endswith(b"\n"))
        return
    output.write_bytes(content)
    typer.echo(f"Season {found.season.number} of {found.state.name} is in {output}.")


def _written(found: LeagueFound, made: Sequence[Crosstable], divisions: Sequence[Division], wanted: ExportFormat) -> bytes:
    match wanted:
        case ExportFormat.JSON:
            return as_json(found.state, found.season, found.names)
        case ExportFormat.CSV:
            return lines_csv(made).encode()
        case ExportFormat.RESULTS:
            return results_csv(found.state, found.season, found.names).encode()
        case ExportFormat.SVG:
            return draw(made[0]).encode()
        case ExportFormat.PNG:
            return png(draw(made[0]), WIDTH)
        case ExportFormat.TRF:
            report = trf.report(found.state, found.season, divisions[0], found.names)
            # On the standard error: the report may be what goes to the standard output.
            for remark in report.remarks:
                typer.echo(remark, err=True)
            return report.text.encode()
        case _:
            assert_never(wanted)


Names = Mapping[PlayerId, str]


@show.emits(list[LeagueFinding])
def report(
    ctx: typer.Context,
    league: Which,
    *,
    season: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Look at this season only; else at all of them, and for first moves at the latest."),
    ] = None,
    json: show.Json = False,
) -> None:
    """Show what stands out: games given up in a row, unlikely results of a pair, uneven first moves, too many games at once.

    For Swiss rounds, it also shows what the pairing could not avoid: rematches, second byes, two players who are due the same move.

    Each finding names its games, so that you can look at them. A finding says what was seen, and proves nothing.
    """
    run = session(ctx)
    number = run.service.leagues.find(league)
    with run.service.db.read() as conn:
        found = look_into(conn, number, season)
    people = names(run)
    if json:
        show.json([as_finding(one, people, found.short) for one in found.findings])
        return
    show.words(_looked_at(found, season))
    typer.echo()
    for one in found.findings:
        show.words(f"- {told(one, people, found.short)}")
    if found.findings:
        typer.echo()
        show.words(
            f"This is what was seen, and it proves nothing. A short game has {counted(found.short, 'turn')} or less, by all its players. "
            "`turnserver game history N` shows all of a game."
        )
    else:
        typer.echo("Nothing stands out.")


def told(finding: Finding, people: Names, short: int) -> str:
    """Return a finding as a sentence, with its games. A game of up to `short` turns counted as short."""
    match finding:
        case Streak():
            name, n = name_in(people, finding.player), len(finding.games)
            how = f"{name} did not come, ran out of time or resigned within {counted(short, 'turn')}"
            return f"In {n} games in a row, {how}: {_games(finding.games)}."
        case Traded():
            one, other = (name_in(people, player) for player in finding.players)
            won = [
                f"game {game} to {name_in(people, winner)} after {counted(turns, 'turn')}"
                for game, winner, turns in zip(finding.games, finding.winners, finding.turns, strict=True)
            ]
            return f"{one} and {other} gave up short games against each other by turns: {listing(won, 'and')}."
        case Gifts():
            winner, loser = name_in(people, finding.winner), name_in(people, finding.loser)
            games = [f"game {game} after {counted(turns, 'turn')}" for game, turns in zip(finding.games, finding.turns, strict=True)]
            return f"{winner} has won every short game against {loser}: {listing(games, 'and')}."
        case Unexpected():
            one, other = (name_in(people, player) for player in finding.players)
            scored, due = f"{float(finding.scored):g} points in {len(finding.games)} games", f"{finding.expected:.1f}"
            return f"{one} has {scored} against {other}, where {due} was to be expected by their ratings: {_games(finding.games)}."
        case FirstMoves():
            name, even = name_in(people, finding.player), f"where {float(finding.due):g} would be even"
            return f"{name} has the first move in {finding.firsts} of {finding.games} games, {even}{_in(finding.moved)}."
        case Crowded():
            name, n = name_in(people, finding.player), len(finding.games)
            return f"{name} has {n} games at the same time, and the league wants {finding.most} at most: {_games(finding.games)}."
        case Forced():
            names = listing([name_in(people, player) for player in finding.players], "and")
            how = "was paired by hand" if finding.breach is Breach.ASKED_BYE else "could not be paired otherwise"
            return f"Round {finding.round} {how}: {FORCED[finding.breach].format(names)}{_in(finding.games)}."
        case _:
            assert_never(finding)


FORCED: Mapping[Breach, str] = {
    Breach.REMATCH: "{} meet again",
    Breach.SECOND_BYE: "{} has a point without a game once more",
    Breach.CLASH: "{} are both due the same move, first or second",
    Breach.ASKED_BYE: "{} are paired, although a bye was asked for",
}


def as_finding(finding: Finding, people: Names, short: int) -> LeagueFinding:
    """Return a finding as --json prints it."""
    match finding:
        case Streak() | FirstMoves() | Crowded():
            players: tuple[PlayerId, ...] = (finding.player,)
        case Traded() | Unexpected() | Forced():
            players = finding.players
        case Gifts():
            players = (finding.winner, finding.loser)
        case _:
            assert_never(finding)
    games = finding.moved if isinstance(finding, FirstMoves) else finding.games
    return LeagueFinding(KINDS[type(finding)], [*players], [*games], told(finding, people, short))


KINDS: Mapping[type[Finding], str] = {
    Streak: "given up in a row",
    Traded: "wins in turn",
    Gifts: "short wins",
    Unexpected: "unexpected",
    FirstMoves: "first moves",
    Crowded: "at once",
    Forced: "forced",
}


def _looked_at(found: Report, season: int | None) -> str:
    if found.season is None:
        return "There was no season yet."
    over = f"{counted(found.games, 'game')} {'was' if found.games == 1 else 'were'} looked at"
    which = f"season {season}" if season else f"all seasons up to season {found.season}"
    return f"{over} in {which}. Those that a withdrawal ended are left out."


def _games(games: Sequence[GameId]) -> str:
    return f"game {games[0]}" if len(games) == 1 else f"games {listing(list(map(str, games)), 'and')}"


def _in(games: Sequence[GameId]) -> str:
    return f": {_games(games)}" if games else ""
