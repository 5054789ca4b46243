"""`turnserver audit diff`: two moments of a game or a league, or two games, and what is different."""

import re
from collections.abc import Mapping
from itertools import zip_longest
from typing import Annotated, Final, NamedTuple

import typer

from turnserver.audit.past import FORMS
from turnserver.cli.audit.shapes import ChangedFact, Diff, DiffEvent, DiffSide, TableMove
from turnserver.cli.audit.trail import Teller
from turnserver.cli.game.found import FoundGame, actor_told, bank_told, load
from turnserver.cli.league import group as league_found
from turnserver.cli.league.group import LeagueFound
from turnserver.cli.league.show import next_told, phase_told, settings_told
from turnserver.cli.output import show
from turnserver.cli.output.shapes import chosen, names, situation, times, who_plays
from turnserver.cli.session import Session, session
from turnserver.errors import BadOption
from turnserver.ids import PlayerId, game_stream, league_stream
from turnserver.league.presentation.crosstable import crosstable
from turnserver.league.presentation.words import points_told
from turnserver.mail.outbound.language import counted, time_left
from turnserver.mail.outbound.telling import proposals as proposal_story
from turnserver.play.clock.clock import control
from turnserver.play.state import Status
from turnserver.store.log import trail
from turnserver.store.log.trail import Asked

WIDTH: Final = 78


def game_facts(found: FoundGame, clock: show.Times) -> Mapping[str, str]:
    """Return the facts of a game that can be compared, by name. `clock` says at which instant the game was in that state."""
    state, table = found.state, found.table
    offered = state.proposal
    last = state.line.numbered[-1] if state.line.length else None
    return {
        "Game": f"{state.game.entry.title} ({chosen(found.game.options)})",
        "Players": who_plays(found.game),
        "Not accepted": ", ".join([table.name(player) for player in state.players if player not in state.accepted]),
        "Now": situation(found.game, ""),
        "Turns": f"{counted(state.line.length, 'turn')}{f', the last by {table.of(last)}' if last else ''}",
        "Times taken back": str(state.edition),
        "Deadline": clock.full(state.deadline),
        "Time left": time_left(state.deadline - clock.now) if state.deadline is not None and state.deadline > clock.now else "",
        **{f"Clock of {state.seat_name(seat)}": bank_told(control(state).control, state.banks[seat - 1]) for seat in state.seats},
        "Standing still": "; ".join(found.standing_still(clock)),
        "Late": "; ".join(found.late(clock)),
        "On offer": proposal_story.question(offered, table.parties(offered)) if offered else "",
        "Asked to play on": "; ".join(found.asked()),
        "Gave up": ", ".join([table.at(seat) for seat in sorted(state.left)]),
        "Plans": ", ".join([state.seat_name(seat) for seat in state.seats if state.plans[seat - 1] is not None]),
        "Result": found.result if state.status is Status.ENDED else "",
    }


def changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[ChangedFact]:
    """Return the facts that differ, in their order."""
    names = dict.fromkeys((*before, *after))
    found = [ChangedFact(name, before.get(name, ""), after.get(name, "")) for name in names]
    return [one for one in found if one.before != one.after]


def side_by_side(one: str, other: str, headings: tuple[str, str]) -> str:
    """Return two boards beside each other, with `<>` between lines that differ, or one above the other where the screen is too narrow.

    What both say below the board is said once.
    """
    (here, below), (there, also) = _parted(one), _parted(other)
    # Words that are not the same stay below their own board.
    if below != also:
        here, there, below = one.rstrip(), other.rstrip(), ""
    left, right = here.splitlines(), there.splitlines()
    width = max(map(len, (*left, headings[0])))
    if width + len(_BETWEEN) + max(map(len, (*right, headings[1]))) > WIDTH:
        return "\n\n".join((headings[0], here, headings[1], there, *filter(None, [below])))
    rows = [f"{headings[0]:<{width}}{' ' * len(_BETWEEN)}{headings[1]}", ""]
    for before, after in zip_longest(left, right, fillvalue=""):
        between = " " * len(_BETWEEN) if before.rstrip() == after.rstrip() else _BETWEEN
        rows.append(f"{before:<{width}}{between}{after}".rstrip())
    return "\n".join([*rows, *(["", below] if below else [])])


_BETWEEN: Final = "  <>  "


def _parted(text: str) -> tuple[str, str]:
    board, _, below = text.rstrip().rpartition("\n\n")
    return (board, below) if board else (below, "")


class _LogPlace(NamedTuple):
    division: str
    place: int
    points: str


def league_facts(found: LeagueFound, clock: show.Times) -> Mapping[str, str]:
    """Return the facts of a league that can be compared, by name. `clock` says at which instant the league was in that state."""
    state, season, told = found.state, found.state.season, found.told
    return {
        "League": state.name,
        "Settings": settings_told(state.settings),
        "Now": phase_told(found),
        "Next": next_told(found, clock),
        "Entered": ", ".join([told.name(entry.player) for entry in season.entries]) if season else "",
        "Withdrawn": ", ".join([told.name(player) for player in season.withdrawn]) if season else "",
        "Playing for others": ", ".join([f"{told.name(who)} for {told.name(line)}" for line, who in season.acting.items()])
        if season
        else "",
        "Not to meet": "; ".join(told.all(sorted(pair)) for pair in sorted(state.barred, key=sorted)),
    }


def moves(before: LeagueFound, after: LeagueFound) -> list[TableMove]:
    """Return the players whose place or points differ, or who are in only one of the tables, in the later table's order."""
    old, new = _places(before), _places(after)
    found = []
    for player in dict.fromkeys((*new, *old)):
        here, there = old.get(player), new.get(player)
        if here != there:
            found.append(
                TableMove(
                    player=player,
                    name=after.told.name(player),
                    division_before=here.division if here else None,
                    place_before=here.place if here else None,
                    points_before=here.points if here else None,
                    division_after=there.division if there else None,
                    place_after=there.place if there else None,
                    points_after=there.points if there else None,
                )
            )
    return found


def _places(found: LeagueFound) -> dict[PlayerId, _LogPlace]:
    """Return every player's place, table by table. Empty before a season has begun."""
    season = found.state.season
    places: dict[PlayerId, _LogPlace] = {}
    for division in season.divisions if season is not None else ():
        for line in crosstable(found.state, found.season, division, found.names).lines:
            points = line.figures[0] if line.figures else None
            places[line.player] = _LogPlace(division.name, line.place, "" if points is None else points_told(points))
    return places


def move_cells(move: TableMove) -> tuple[str, str, str]:
    """`Ada`, `2 -> 1`, `3 -> 4`."""
    far = move.division_before != move.division_after
    before = _place(move.division_before if far else None, move.place_before)
    after = _place(move.division_after if far else None, move.place_after)
    return move.name, _arrow(before, after), _arrow(move.points_before or "-", move.points_after or "-")


def _place(division: str | None, place: int | None) -> str:
    if place is None:
        return "-"
    return str(place) if division is None else f"{place} in {division}"


def _arrow(before: str, after: str) -> str:
    return before if before == after else f"{before} -> {after}"


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
    """The result of comparing two sides. `boards` is empty for leagues, `tables` for games."""

    sides: tuple[DiffSide, DiffSide]
    changes: list[ChangedFact]
    boards: tuple[str, ...]
    tables: list[TableMove]


@show.emits(Diff)
def diff(ctx: typer.Context, one: Side, other: Side, *, json: show.Json = False) -> None:
    """Compare two moments of a game or a league, the earlier one first; or two games.

    For one game or league, it also lists the events in between. Games are shown with their boards, leagues with the places that changed.
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
    found = _SIDE.fullmatch(text.strip())
    if found is None:
        raise BadOption(f"{text!r} can't be compared. Write game-17, game-17@5, league-3@2026-11-01 or 'game-17@#48211'.")
    return _Named((found["noun"] or "game-").lower(), int(found["number"]), found["at"])


def _games(run: Session, here: _Named, there: _Named) -> _Compared:
    one, other = load(run, here.number, here.at), load(run, there.number, there.at)
    # Two moments of a game stand in their order, two games as they were named.
    if one.id == other.id and one.state.version > other.state.version:
        one, other = other, one
    before, after = (game_facts(found, times(run, found.then)) for found in (one, other))
    boards = tuple(found.board(found.state.line) for found in (one, other))
    return _Compared((_side(run, one), _side(run, other)), changes(before, after), boards, [])


def _side(run: Session, found: FoundGame) -> DiffSide:
    at = found.then.instant if found.then is not None else run.service.clock()
    return DiffSide(game_stream(found.id), found.state.version, at)


def _leagues(run: Session, here: _Named, there: _Named) -> _Compared:
    # Now is a moment too, so that both sides are made alike.
    now = run.service.clock().isoformat(timespec="microseconds")
    one, other = (league_found.load(run, str(side.number), at=side.at or now) for side in (here, there))
    if one.id != other.id:
        raise BadOption("Two leagues can't be compared. Compare two moments of one league.")
    if one.state.version > other.state.version:
        one, other = other, one
    before, after = (league_facts(found, times(run, found.then)) for found in (one, other))
    return _Compared((_of_league(one), _of_league(other)), changes(before, after), (), moves(one, other))


def _of_league(found: LeagueFound) -> DiffSide:
    assert found.then is not None  # noqa: S101  # a moment was asked for, be it now
    return DiffSide(league_stream(found.id), found.state.version, found.then.instant)


def _between(run: Session, one: DiffSide, other: DiffSide) -> list[DiffEvent]:
    """Return the events between the two moments. Empty if the sides are two streams."""
    if one.stream != other.stream:
        return []
    teller = Teller(run)
    with run.service.db.read() as conn:
        # The trail counts by positions of the whole log, not by versions; one stream is short enough to be read whole.
        traces = [trace for trace in trail.every(conn, Asked(stream=one.stream)) if one.version < trace.version <= other.version]
    return [DiffEvent(trace.version, trace.at, trace.actor, trace.type, teller.tell(trace)) for trace in traces]


def _print(run: Session, compared: _Compared, events: list[DiffEvent]) -> None:
    clock, (one, other) = times(run), compared.sides
    sides = tuple(f"{side.stream}@{side.version}" for side in compared.sides)
    typer.echo(f"{sides[0]} as of {clock.full(one.at)}\n{sides[1]} as of {clock.full(other.at)}\n")
    show.table(
        ("", *sides),
        [(change.what, change.before or "-", change.after or "-") for change in compared.changes],
        empty="Nothing is different.",
    )
    if len(set(compared.boards)) > 1:
        headings = f"Board at {sides[0]}", f"Board at {sides[1]}"
        typer.echo(f"\n{side_by_side(compared.boards[0], compared.boards[1], headings)}")
    elif compared.boards:
        typer.echo("\nThe boards are the same.")
    if compared.tables:
        typer.echo()
        show.table(("Player", "Place", "Points"), [move_cells(move) for move in compared.tables])
    if one.stream == other.stream:
        typer.echo(f"\n{counted(len(events), 'event')} between them{':' if events else '.'}")
    if events:
        people = names(run)
        rows = [(str(event.version), clock.at(event.at), actor_told(event.actor, people), event.what) for event in events]
        show.table(("No", "At", "By", "What"), rows, right=("No",), note=clock.note)
