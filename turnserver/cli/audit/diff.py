"""`turnserver audit diff`: two moments of a game or a league, or two games, and what is different."""

import re
from typing import Annotated, Final, NamedTuple

import typer

from turnserver.audit.past.moments import FORMS
from turnserver.cli.audit import game_diff as gamediff
from turnserver.cli.audit import league_diff as leaguediff
from turnserver.cli.audit.shapes import Change, Diff, DiffEvent, DiffSide, TableMove
from turnserver.cli.audit.trail_words import Teller
from turnserver.cli.game.found import Found, load
from turnserver.cli.game.history import actor_told
from turnserver.cli.league import group as league_found
from turnserver.cli.league.group import LeagueFound
from turnserver.cli.output import show
from turnserver.cli.output.tables import times
from turnserver.cli.session import Session, session
from turnserver.errors import BadOption
from turnserver.ids import game_stream, league_stream
from turnserver.mail.outbound.wording import counted
from turnserver.store.log import trail
from turnserver.store.log.trail import Asked

_SIDE: Final = re.compile(r"(?P<noun>game-|league-)?(?P<number>[0-9]{1,9})(?:@(?P<at>.+))?", re.IGNORECASE)

Side = Annotated[
    str,
    typer.Argument(metavar="SIDE", help=f"A game or league, such as game-17, and perhaps behind an @ when: {FORMS}. game-17@5, for one."),
]


class _Named(NamedTuple):
    """A side as it was written."""

    noun: str
    number: int
    at: str | None


class _Compared(NamedTuple):
    """What came of two sides; `boards` are empty for leagues, `tables` for games."""

    sides: tuple[DiffSide, DiffSide]
    changes: list[Change]
    boards: tuple[str, ...]
    tables: list[TableMove]


@show.emits(Diff)
def diff(ctx: typer.Context, one: Side, other: Side, *, json: show.Json = False) -> None:
    """Show what is different between two moments of a game or a league, the earlier one first; or between two games.

    For one stream it tells what happened in between. Games are shown with their boards, leagues with the places that changed.
    """
    run = session(ctx)
    here, there = _read(one), _read(other)
    if here.noun != there.noun:
        raise BadOption("Compare two moments of games, or two of leagues.")
    compared = _games(run, here, there) if here.noun == "game-" else _leagues(run, here, there)
    events = _between(run, *compared.sides)
    if json:
        show.json(Diff(*compared.sides, events, compared.changes, list(compared.boards), compared.tables))
        return
    _print(run, compared, events)


def _read(text: str) -> _Named:
    """A side as it was written. Raises BadOption."""
    found = _SIDE.fullmatch(text.strip())
    if found is None:
        raise BadOption(f"{text!r} is no side of a comparison. Write game-17, game-17@5, league-3@2026-11-01 or 'game-17@#48211'.")
    return _Named((found["noun"] or "game-").lower(), int(found["number"]), found["at"])


def _games(run: Session, here: _Named, there: _Named) -> _Compared:
    one, other = load(run, here.number, here.at), load(run, there.number, there.at)
    if one.id == other.id and one.state.version > other.state.version:
        one, other = other, one
    before, after = (gamediff.facts(found, times(run, found.then)) for found in (one, other))
    boards = tuple(found.board(found.state.line) for found in (one, other))
    return _Compared((_side(run, one), _side(run, other)), gamediff.changes(before, after), boards, [])


def _side(run: Session, found: Found) -> DiffSide:
    at = found.then.instant if found.then is not None else run.service.clock()
    return DiffSide(game_stream(found.id), found.state.version, at)


def _leagues(run: Session, here: _Named, there: _Named) -> _Compared:
    one, other = (league_found.load(run, str(side.number), at=side.at or _now(run)) for side in (here, there))
    if one.id != other.id:
        raise BadOption("Two leagues have no table in common: compare two moments of one.")
    if one.state.version > other.state.version:
        one, other = other, one
    before, after = (leaguediff.facts(found, times(run, found.then)) for found in (one, other))
    return _Compared((_of_league(one), _of_league(other)), gamediff.changes(before, after), (), leaguediff.moves(one, other))


def _of_league(found: LeagueFound) -> DiffSide:
    assert found.then is not None  # noqa: S101  # a moment was asked for, be it now
    return DiffSide(league_stream(found.id), found.state.version, found.then.instant)


def _now(run: Session) -> str:
    return run.service.clock().isoformat(timespec="microseconds")


def _between(run: Session, one: DiffSide, other: DiffSide) -> list[DiffEvent]:
    """What happened from the one moment to the other; nothing between two streams."""
    if one.stream != other.stream:
        return []
    teller = Teller(run)
    with run.service.db.read() as conn:
        traces = [trace for trace in trail.every(conn, Asked(stream=one.stream)) if one.version < trace.version <= other.version]
    return [DiffEvent(trace.version, trace.at, trace.actor, trace.type, teller.tell(trace)) for trace in traces]


def _print(run: Session, compared: _Compared, events: list[DiffEvent]) -> None:
    clock, (one, other) = times(run), compared.sides
    names = tuple(f"{side.stream}@{side.version}" for side in compared.sides)
    typer.echo(f"{names[0]} as of {clock.full(one.at)}\n{names[1]} as of {clock.full(other.at)}\n")
    show.table(
        ("", *names),
        [(change.what, change.before or "-", change.after or "-") for change in compared.changes],
        empty="Nothing is different.",
    )
    if len(set(compared.boards)) > 1:
        headings = f"Board at {names[0]}", f"Board at {names[1]}"
        typer.echo(f"\n{gamediff.side_by_side(compared.boards[0], compared.boards[1], headings)}")
    elif compared.boards:
        typer.echo("\nThe boards are the same.")
    if compared.tables:
        typer.echo()
        show.table(("Player", "Place", "Points"), [leaguediff.move_cells(move) for move in compared.tables])
    if one.stream == other.stream:
        typer.echo(f"\n{counted(len(events), 'event')} between them{':' if events else '.'}")
    if events:
        people = {person.id: person.name for person in run.service.players()}
        rows = [(str(event.version), clock.at(event.at), actor_told(event.actor, people), event.what) for event in events]
        show.table(("No", "At", "By", "What"), rows, right=("No",), note=clock.note)
