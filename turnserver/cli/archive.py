"""`turnserver archive` and `turnserver game import`: games that were played elsewhere, or here once, kept to be looked at."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import Meta

from turnserver import files
from turnserver.cli import complete
from turnserver.cli.game.record import How, RecordFormat, deliver
from turnserver.cli.output import show
from turnserver.cli.output.shapes import Options, times
from turnserver.cli.session import Session, session
from turnserver.errors import BadRecord
from turnserver.ids import ArchiveId
from turnserver.mail.outbound.language import counted, one_line
from turnserver.records import jsonform, reading, writing
from turnserver.records.check import game_of
from turnserver.records.course import Moment, moments
from turnserver.records.record import Record, Skipped, Turn
from turnserver.rules import Game
from turnserver.rules.options import in_words
from turnserver.service.games import records
from turnserver.store.games import archives
from turnserver.text import listing, steady
from turnserver.web import replay

_JSON = re.compile(r"\s*(\{|\[\s*[{\]])")
"""The character that begins JSON, and no text of a record."""

_UNSURE = "It may be game {} of the archive, whose names are erased or unknown; --again imports it all the same."


def archived_number(text: str) -> int:
    """Read a number of the archive, also as it stands in a stream's name. Raises typer.BadParameter."""
    digits = text.strip().lower().removeprefix("archive-").removeprefix("#")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):  # more than any table holds
        raise typer.BadParameter(f"{text!r} isn't a number in the archive, such as 5. `turnserver archive list` shows them.")
    return int(digits)


Which = Annotated[int, typer.Argument(metavar="NUMBER", parser=archived_number, help="The game's number in the archive.")]
Seat = Annotated[str, typer.Argument(metavar="SEAT", help="The seat, such as Red; 'Red 2' is its second player.")]


class Import(msgspec.Struct, frozen=True):
    """A game of a file that was imported."""

    file: Annotated[str, Meta(description="the file")]
    at: Annotated[int, Meta(description="the line on which the game begins; in JSON, the number of the game in the file")]
    archive: Annotated[
        int | None, Meta(description="its number in the archive, or that of a game that may be the same; null if it is wrong")
    ]
    fresh: Annotated[bool, Meta(description="whether it is new in the archive")]
    problem: Annotated[str, Meta(description="the reason why it was not imported; empty if it was, or is there already")]


class Archived(msgspec.Struct, frozen=True):
    """A game of the archive."""

    id: Annotated[int, Meta(description="its number in the archive")]
    game: Annotated[str, Meta(description="the key of the game in the catalogue")]
    players: Annotated[list[str], Meta(description="the players in seat order, then the substitutes; empty for a name that is not known")]
    turns: Annotated[int, Meta(description="the number of turns")]
    outcome: Annotated[str, Meta(description="won, drawn or void")]
    imported_at: Annotated[datetime, Meta(description="when it was imported")]


class ArchivedBoard(msgspec.Struct, frozen=True):
    """A game of the archive at one of its moments."""

    id: Annotated[int, Meta(description="its number in the archive")]
    game: Annotated[str, Meta(description="the key of the game in the catalogue")]
    options: Annotated[Options, Meta(description="the options of the game with their values")]
    players: Annotated[list[str], Meta(description="the first player of each seat, in seat order; empty for a name that is not known")]
    event: Annotated[str, Meta(description="the event that it was played in; may be empty")]
    date: Annotated[str, Meta(description="the day on which it began, such as 2026.11.22")]
    result: Annotated[str, Meta(description="the result of each seat in seat order, such as 1-0")]
    turns: Annotated[int, Meta(description="the number of turns")]
    turn: Annotated[int, Meta(description="the turn after which the board is shown; 0 for the start")]
    text: Annotated[str, Meta(description="the board in characters")]


@show.emits(list[Import])
def import_(
    ctx: typer.Context,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="A file with records, as text or JSON; it may hold many."),
    ],
    *,
    keep_going: Annotated[bool, typer.Option("--keep-going", help="Import the other games of a file in which some are wrong.")] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Import games too that may be there already, under names that are erased or unknown.")
    ] = False,
    json: show.Json = False,
) -> None:
    """Import finished games from their records into the archive. A game that is there already is not added again.

    Each game is replayed by the rules, and its result is compared with theirs. Imported games are never rated. If one game of a file is
    wrong, none of that file is imported.
    """
    run = session(ctx)
    done: list[Import] = []
    for file in files:
        done += _file(run, file, keep_going=keep_going, again=again)
    wrong = [one for one in done if one.problem]
    if json:
        show.json(done)
    else:
        for one in done:
            if not one.problem:
                typer.echo(f"{one.file}:{one.at}: {'now' if one.fresh else 'was there before as'} {one.archive} of the archive.")
        for one in wrong:
            # On the standard error, so that what was imported can be read by itself.
            typer.echo(steady(f"{one.file}:{one.at}: {one.problem}"), err=True)
        if wrong:
            typer.echo(f"{counted(len(wrong), 'game')} {'is' if len(wrong) == 1 else 'are'} not imported because of that.", err=True)
        for name in sorted({one.file for one in wrong if one.archive is None}) if not keep_going else ():
            typer.echo(f"Nothing was imported from {name}; --keep-going imports the good games.", err=True)
    if wrong:
        raise typer.Exit(1)


@show.emits(list[Archived])
def list_(ctx: typer.Context, *, json: show.Json = False) -> None:
    """List the games of the archive, the newest first."""
    run = session(ctx)
    with run.service.db.read() as conn:
        rows = archives.listed(conn)
    found = [Archived(row.id, row.game, [name.name for name in row.names], row.turns, row.outcome.value, row.imported_at) for row in rows]
    if json:
        show.json(found)
        return
    clock = times(run)
    cells = [
        (
            str(one.id),
            one.game,
            ", ".join(one_line(name) or "?" for name in one.players),
            str(one.turns),
            one.outcome,
            clock.at(one.imported_at),
        )
        for one in found
    ]
    show.table(("No", "Game", "Players", "Turns", "Outcome", "Imported"), cells, right=("No", "Turns"), empty="The archive is empty.")


@show.emits(ArchivedBoard)
def show_(
    ctx: typer.Context,
    number: Which,
    *,
    turn: Annotated[int | None, typer.Option(min=0, metavar="N", help="Show the board after turn N; 0 is the start.")] = None,
    json: show.Json = False,
) -> None:
    """Show a game of the archive, with the board after its last turn or another one."""
    run = session(ctx)
    record = _load(run, number).record
    game = game_of(record)
    played = list(moments(game, record.course))
    last = sum(isinstance(item, Turn | Skipped) for item in record.course)
    shown = last if turn is None else turn
    if shown > last:
        raise typer.BadParameter(f"the game had {counted(last, 'turn')}", param_hint="--turn")
    text = _board(game, played, None if shown == last else shown)
    result = writing.shares(record.result, game.rules.seats)
    if json:
        show.json(
            ArchivedBoard(
                number, record.game, dict(record.options), list(record.players), record.event, record.date, result, last, shown, text
            )
        )
        return
    show.facts([(name, value) for name, value in writing.headings(record, game) if value])
    typer.echo(f"\nAfter turn {shown} of {last}:\n\n{text}")


def record(ctx: typer.Context, number: Which, *, format: How = RecordFormat.TEXT, output: show.Output = None) -> None:  # noqa: A002  # names the option
    """Write a game of the archive as text, JSON, or a page that steps through it."""
    written = _load(session(ctx), number).record
    if format is RecordFormat.HTML:
        text = replay.page(_replay(number, written), show.progress)
    else:
        text = writing.write(written) if format is RecordFormat.TEXT else jsonform.write(written)
    deliver(text, output, f"The record of game {number} of the archive")


def link(
    ctx: typer.Context,
    number: Which,
    seat: Seat,
    player: Annotated[
        str, typer.Argument(metavar="PLAYER", autocompletion=complete.players, help="The player's number, name or mail address.")
    ],
) -> None:
    """Link a name in an archived game to a player of this site. When the account is erased, the name goes too."""
    run = session(ctx)
    run.service.ledger.attempt(lambda tx: records.link(tx, ArchiveId(number), seat, player))
    typer.echo(f"{seat} in game {number} of the archive is {run.service.people.find(player).name}.")


def forget(
    ctx: typer.Context,
    number: Which,
    *,
    yes: show.Yes = False,
) -> None:
    """Erase the names, comments and other words of a game of the archive. The moves stay."""
    run = session(ctx)
    # Before the question, which makes no sense for a game that is not there.
    _load(run, number)
    show.confirm(f"Erase all names and words of game {number} of the archive?", yes=yes)
    run.service.ledger.attempt(lambda tx: archives.forget(tx, ArchiveId(number)))
    typer.echo(f"Game {number} of the archive has no names and no words any more.")


def _file(run: Session, file: Path, *, keep_going: bool, again: bool) -> Iterator[Import]:
    """Import a file, and say of each of its games what became of it."""
    found = list(_games(file))
    good = [one for _, one in found if isinstance(one, Record)]
    # A file is imported whole or, with a wrong game in it, not at all; `keep_going` takes the good ones. All are one transaction.
    done = iter(_added(run, good, again=again) if keep_going or len(good) == len(found) else [None] * len(good))
    for at, one in found:
        if isinstance(one, BadRecord):
            yield Import(str(file), at, None, fresh=False, problem=str(one))
        elif (added := next(done)) is not None:
            problem = _UNSURE.format(added.archive) if added.alike else ""
            yield Import(str(file), at, int(added.archive), fresh=added.fresh, problem=problem)


def _added(run: Session, good: Sequence[Record], *, again: bool) -> list[archives.Added]:
    # Asked once: another attempt must not give the same import another instant.
    now = run.outside.clock()
    return run.service.ledger.attempt(
        lambda tx: [archives.add(tx, record, again=again, at=now, actor=run.actor, cause=run.cause) for record in good]
    )


def _games(file: Path) -> Iterator[tuple[int, Record | BadRecord]]:
    try:
        # Editors of some systems begin a file with this mark, and neither form of a record does.
        text = files.read_text(file).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        yield 1, BadRecord(None, f"It is not UTF-8: {error.reason} at byte {error.start}")
        return
    # The beginning tells JSON from text, since file names may end in anything.
    for at, one in (jsonform.split if _JSON.match(text) else reading.split)(text):
        going_on = isinstance(one, Record) and one.result is None
        yield at, BadRecord(None, "The game goes on; only finished games are for the archive") if going_on else one


def _load(run: Session, number: int) -> archives.Archived:
    with run.service.db.read() as conn:
        return archives.load(conn, ArchiveId(number))


def _board(game: Game, played: Sequence[Moment], turn: int | None) -> str:  # type: ignore[type-arg]  # any game
    # The draws after a turn belong to that turn, so the loop ends at the next turn and not at this one.
    position, last, number = game.rules.start(), None, 0
    for moment in played:
        if isinstance(moment.item, Turn | Skipped):
            if number == turn:
                break
            number = moment.item.turn
        position, last = moment.after, moment.last
    return game.view.text(position, last)


def _replay(number: int, record: Record) -> replay.Replay:
    game = game_of(record)
    seated = [f"{name or '?'} ({seat})" for name, seat in zip(record.players, game.view.seat_names, strict=True)]
    shares = writing.shares(record.result, game.rules.seats)
    how = record.result.reason or record.result.by.value if record.result else ""
    facts = (
        ("Game", f"{game.entry.title}, by {game.entry.designer}"),
        ("Options", in_words(record.options)),
        ("Event", record.event),
        ("Round", record.round),
        ("Site", record.site),
        ("Begun", record.date),
        ("Ended", record.ended),
        ("Time", record.time),
        *record.others.items(),
        ("Digest", record.digest or ""),
    )
    return replay.Replay(
        title=f"{game.entry.title}, {number} of the archive: {listing(seated, 'and')}",
        game=game,
        record=record,
        result=f"{shares} ({how})",
        facts=tuple((name, value) for name, value in facts if value),
        whens={},
    )
