"""`turnserver game record`: a game for people to read, keep and pass on."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from turnserver.cli.game.commands import Which
from turnserver.cli.game.found import FoundGame, load
from turnserver.cli.output import show
from turnserver.cli.output.moments import At
from turnserver.cli.output.shapes import times
from turnserver.cli.session import Session, session
from turnserver.play.events import TurnsRetracted
from turnserver.records import jsonform, writing
from turnserver.records.check import proof_of
from turnserver.records.record import Record
from turnserver.rules.options import in_words
from turnserver.text import listing
from turnserver.web import replay


class RecordFormat(StrEnum):
    """The formats of a record."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


How = Annotated[RecordFormat, typer.Option(help="Text, JSON, or a page that steps through the game with buttons and keys.")]


def record(
    ctx: typer.Context,
    game: Which,
    *,
    at: At = None,
    format: How = RecordFormat.TEXT,  # noqa: A002  # names the option
    output: show.Output = None,
) -> None:
    """Write a game as a file for people: the players, the turns and the result.

    The page needs no other file and no network. If the game is over, its reader can check every roll there. `turnserver audit export`
    writes a file that proves the game.
    """
    run = session(ctx)
    found = load(run, game, at)
    # Of the version that was read, should something happen in between.
    written = run.service.games.record(found.id, found.rows[-1].version)
    if format is RecordFormat.HTML:
        text = replay.page(_replay(run, found, written), show.progress)
    else:
        text = writing.write(written) if format is RecordFormat.TEXT else jsonform.write(written)
    deliver(text, output, f"The record of game {game}")


def deliver(text: str, output: Path | None, what: str) -> None:
    """Print a text, or write it to a file and say so."""
    if output is None:
        typer.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8")
        typer.echo(f"{what} is in {output}.")


def _replay(run: Session, found: FoundGame, written: Record) -> replay.Replay:
    state, table, clock = found.state, found.table, times(run, found.then)
    turns = state.line.turns
    facts = [
        ("Game", f"{state.game.entry.title}, by {state.game.entry.designer}"),
        ("Options", in_words(written.options)),
        ("Time", state.terms.time),
        *(
            (state.seat_name(each.seat), f"{table.name(each.former)}, from turn {each.turn} {table.name(each.player)}")
            for each in state.takeovers
        ),
        ("First turn", clock.full(turns[0].received_at) if turns else ""),
        ("Last turn", clock.full(turns[-1].received_at) if turns else ""),
        ("History", f"{state.version} events, head {found.head[:16]}"),
    ]
    return replay.Replay(
        title=f"{state.game.entry.title} {found.id}: {listing([table.at(seat) for seat in state.seats], 'and')}",
        game=state.game,
        record=written,
        result=found.result,
        facts=tuple(fact for fact in facts if fact[1]),
        whens={turn.turn: clock.at(turn.received_at) for turn in turns},
        retracted=any(isinstance(row.event, TurnsRetracted) for row in found.rows),
        proof=proof_of(found.id, state, [row.event for row in found.rows]),
    )
