"""`turnserver league standings` and `explain`: the tables of a season, and how they came about."""

from collections.abc import Iterator, Mapping, Sequence

import typer

from turnserver.audit.past import ratings_then
from turnserver.cli.game.found import actor_told
from turnserver.cli.league.act import Who, told_events
from turnserver.cli.league.directors import MAY, directors_of
from turnserver.cli.league.group import DivisionOf, LeagueFound, SeasonOf, Which, load
from turnserver.cli.league.shapes import LeagueEventTold, LeagueExplained, LeagueFigure, LeagueLine, LeagueTable
from turnserver.cli.output import show
from turnserver.cli.output.moments import At
from turnserver.cli.session import Session, session
from turnserver.errors import NotFound
from turnserver.ids import PlayerId
from turnserver.league.events import Division, ResultCorrected, ResultRecorded, ResultReopened, Role, SeasonAnnounced
from turnserver.league.presentation.bracket import bracket
from turnserver.league.presentation.crosstable import Crosstable, crosstable
from turnserver.league.presentation.explanations import explain as explained
from turnserver.league.presentation.text import legend, text
from turnserver.league.presentation.words import division_told, points_told
from turnserver.league.scoring.ratings import Rating
from turnserver.league.settings import CUPS
from turnserver.league.state import Phase
from turnserver.service.leagues import ratings
from turnserver.store.people.accounts import Person

WIDTH = 76


@show.emits(list[LeagueTable])
def standings(
    ctx: typer.Context, league: Which, *, division: DivisionOf = None, season: SeasonOf = None, at: At = None, json: show.Json = False
) -> None:
    """Show the tables of a season with all results, as they are, as they ended, or as they were at a moment."""
    run = session(ctx)
    found = load(run, league, season, at)
    made = tables(found, found.divisions(division), ratings_of(run, found))
    if json:
        show.json([_as_table(one, table) for one, table in zip(found.divisions(division), made, strict=True)])
        return
    cup = found.state.settings.format in CUPS
    for number, table in enumerate(made):
        typer.echo(f"{chr(10) if number else ''}{table.title}. {table.standing}\n\n{text(table, WIDTH)}\n\n{legend(table, WIDTH)}")
        drawn = bracket(found.state, found.season, found.divisions(division)[number], found.names, WIDTH) if cup else ""
        if drawn:
            typer.echo(f"\n{drawn}")


@show.emits(list[LeagueExplained])
def explain(ctx: typer.Context, league: Which, player: Who, *, season: SeasonOf = None, at: At = None, json: show.Json = False) -> None:
    """Explain a player's line of the table, summand by summand, the results that somebody decided, and what the player may direct."""
    run = session(ctx)
    found, person = load(run, league, season, at), run.service.people.find(player)
    roles = list(_roles(run, found, person.id))
    try:
        heading, told = _figures(run, found, person)
    except NotFound:
        # Whoever directs the league need not play in it.
        if not roles:
            raise
        heading, told = f"{person.name} in {found.state.name}", []
    told += roles
    if json:
        show.json(told)
        return
    typer.echo(heading)
    for one in told:
        typer.echo()
        show.words(f"{one.heading} ({one.meaning})" if one.meaning else one.heading)
        if one.summands:
            show.facts([("", words) for words in one.summands])


def _figures(run: Session, found: LeagueFound, person: Person) -> tuple[str, list[LeagueExplained]]:
    """Return a heading, and every figure in a player's line of the table. Raises NotFound for a player who is in no table."""
    division = found.division_of(person.id)
    # A substitute is explained by the line that they play on.
    line = next(line for line in division.players if person.id in {line, found.season.who(line)})
    told = explained(found.state, found.season, division, line, found.names)
    if not told:
        raise NotFound(f"{person.name} has left season {found.season.number} early, and is in no table any more.")
    figures = [LeagueExplained(str(one.heading), str(one.meaning), [str(words) for words in one.summands]) for one in told]
    return f"{person.name} in {division_told(found.state, found.season, division)}", [*figures, *_decided(run, found, line)]


def _decided(run: Session, found: LeagueFound, line: PlayerId) -> Iterator[LeagueExplained]:
    """Yield the results of a line that somebody has decided, with who did so, when and why; nothing if there are none."""
    latest: dict[int, LeagueEventTold] = {}
    # A league's version is how many events it had by then; meetings are numbered in each season.
    for row, told in zip(run.service.leagues.history(found.id)[: found.state.version], told_events(run, found.id), strict=False):
        if isinstance(row.event, SeasonAnnounced):
            latest.clear()
        elif isinstance(row.event, ResultRecorded | ResultCorrected | ResultReopened):
            latest[row.event.meeting] = told
    own = (latest[one.number] for one in found.season.fixtures if line in one.players and one.number in latest)
    results = [f"{told.what} {_by(told, found)}" for told in own if told.decided_by is not None]
    if results:
        yield LeagueExplained("Results that were decided", "not by the games themselves", results)


def _by(told: LeagueEventTold, found: LeagueFound) -> str:
    # The sentence names whoever decided in the game itself.
    by = f"by {actor_told(told.decided_by or '', found.names)} " if told.decided_by == told.actor else ""
    return f"Recorded {by}on {found.told.at(told.at)}."


def _roles(run: Session, found: LeagueFound, player: PlayerId) -> Iterator[LeagueExplained]:
    """Yield what a player may direct in the league, with who said so, when and why."""
    for one in directors_of(run, found.id, found.state.version):
        if one.player == player:
            given = f"Given by {actor_told(one.given_by, found.names)} on {found.told.at(one.since)}: {one.reason}."
            yield LeagueExplained(one.role, MAY[Role(one.role)], [given])


def tables(found: LeagueFound, divisions: Sequence[Division], known: Mapping[PlayerId, Rating]) -> list[Crosstable]:
    """Return the tables of these divisions of the season that was found."""
    return [crosstable(found.state, found.season, division, found.names, known) for division in divisions]


def ratings_of(run: Session, found: LeagueFound) -> Mapping[PlayerId, Rating]:
    """Return the ratings of those who play. Empty for a season that is over, whose players had other ratings then."""
    if found.season.phase is not Phase.RUNNING:
        return {}
    with run.service.db.read() as conn:
        if found.then is not None:
            return dict(ratings_then(conn, found.state.game, found.then).everybody(found.then.instant))
        return dict(ratings.ratings(conn, found.state.game, run.service.clock()))


def _as_table(division: Division, table: Crosstable) -> LeagueTable:
    headings = table.headings
    return LeagueTable(
        division=division.name,
        tier=division.tier,
        title=table.title,
        standing=table.standing,
        lines=[
            LeagueLine(
                place=line.place,
                player=line.player,
                name=line.name,
                figures=[
                    LeagueFigure(heading.tie_break.value, points_told(value), float(value))
                    for heading, value in zip(headings, line.figures, strict=True)
                    if value is not None
                ],
                zone=line.zone.value if line.zone is not None else None,
                left=line.has_left,
            )
            for line in table.lines
        ],
        notes=list(table.notes),
    )
