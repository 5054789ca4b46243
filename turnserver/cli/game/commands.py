"""`turnserver game`: open games, look at them, and step in where an admin must."""

import math
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from turnserver import games as catalogue
from turnserver.cli import complete, lists
from turnserver.cli.game.found import FoundGame, actor_told, cause_told, details, events_of, load, moment
from turnserver.cli.output import show
from turnserver.cli.output.moments import At
from turnserver.cli.output.shapes import (
    Board,
    Event,
    GameDetails,
    situation,
    times,
    who_plays,
)
from turnserver.cli.output.visible import Option, game_visibility
from turnserver.cli.results import DRAW, LOSS, NO_RESULT, WIN, parted
from turnserver.cli.session import Session, session
from turnserver.errors import BadOption
from turnserver.ids import Burden, GameId
from turnserver.league.state import Phase
from turnserver.mail.outbound.language import counted
from turnserver.mail.outbound.picture import png
from turnserver.mail.outbound.telling import proposals as proposal_story
from turnserver.play import commands as c
from turnserver.play.events import FreezeKind, SeatOrder, TurnPlayed
from turnserver.rules import Seat
from turnserver.rules.options import in_words
from turnserver.text import listing

RECENT_TURNS = 5
PICTURE_WIDTH = 1000
SECONDS_PER_HOUR = 3600

Chosen = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", autocompletion=complete.options, help="Choose an option of the game; may be repeated."),
]


def game_number(text: str) -> int:
    """Read a game's number, also as it stands in a stream's name. Raises typer.BadParameter."""
    digits = text.strip().lower().removeprefix("game-").removeprefix("#")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):  # more than any table holds
        raise typer.BadParameter(f"{text!r} is not the number of a game, such as 17; `turnserver game list` shows them.")
    return int(digits)


Which = Annotated[int, typer.Argument(metavar="GAME", parser=game_number, autocompletion=complete.games, help="The game's number.")]


@show.emits(list[GameDetails])
def open_(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", autocompletion=complete.keys, help="The game, by its key in `turnserver games`.")],
    players: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PLAYER]...", autocompletion=complete.players, help="Each player's number, name or mail address."),
    ] = None,
    *,
    pairs: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            exists=True,
            help="Open a game for each line of this file, or none if a line is wrong. A line names the players, with "
            "commas or semicolons between.",
        ),
    ] = None,
    option: Chosen = None,
    time: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The time control, such as `3d`, `5d+36h cap 10d` or `no limit`; else the site's.")
    ] = None,
    order: Annotated[SeatOrder, typer.Option(help="Give the seats out by lot, or in the order of the players here.")] = SeatOrder.LOT,
    json: show.Json = False,
) -> None:
    """Open a game, or all games of a list, and invite the players by mail. A game starts when all of them have accepted."""
    run = session(ctx)
    if (pairs is None) is not bool(players):
        raise BadOption("Name the players, or write --pairs with a list of them.")
    options = catalogue.options_from_text(catalogue.entry(game), assignments(option or []))
    games, who = run.service.games, {"actor": run.actor, "cause": run.cause}
    if pairs is None:
        opened = [games.open(game, options, players or [], order=order, time=time, **who).game]
    else:
        # All players are looked up before a game is opened, so one answer names every wrong line of the list.
        tables = {line: [str(one.id) for one in those] for line, those in lists.tables(pairs, run.service.people.find).items()}
        opened = [one.game for one in games.open_all(game, options, tables, order=order, time=time, **who)]
    known = [load(run, number) for number in opened]
    if json:
        show.json([details(run, found) for found in known])
        return
    for found in known:
        typer.echo(f"{found.title} is open and the invitations are on their way: {who_plays(found.game)}.")


@show.emits(GameDetails)
def show_(ctx: typer.Context, game: Which, *, at: At = None, json: show.Json = False) -> None:
    """Show a game, now or in the past: its players, its clock, its last turns."""
    run = session(ctx)
    found = load(run, game, at)
    shown = details(run, found)
    if json:
        show.json(shown)
        return
    clock = times(run, found.then)
    entry, on_offer = found.state.game.entry, found.state.proposal
    show.facts(
        (
            ("Game", f"{shown.id}, {entry.title}"),
            ("As of", found.as_of(clock)),
            ("Options", in_words(shown.options)),
            ("Players", who_plays(shown)),
            ("Now", situation(shown, clock.due(shown.deadline))),
            ("Standing still", "; ".join(found.standing_still(clock))),
            ("Late", "; ".join(found.late(clock))),
            ("Result", found.result),
            ("On offer", proposal_story.question(on_offer, found.table.parties(on_offer)) if on_offer else ""),
            ("Claim", found.claimed),
            ("Asked to play on", "; ".join(found.asked())),
            ("Turn", str(shown.turn)),
            ("Time", shown.time),
            ("Opened", clock.full(shown.opened_at)),
            ("Ended", clock.full(shown.ended_at)),
            ("Visible", shown.visible),
            ("History", f"{counted(shown.version, 'event')}, head {shown.head[:16]}"),
        )
    )
    if shown.turns:
        recent, by = shown.turns[-RECENT_TURNS:], found.table.by
        rows = [(str(turn.turn), by(Seat(turn.seat), turn.turn), turn.move, clock.at(turn.received_at)) for turn in recent]
        typer.echo()
        show.table(("Turn", "Player", "Move", "Arrived"), rows, right=("Turn",), note=clock.note)


@show.emits(GameDetails)
def set_(ctx: typer.Context, game: Which, *, visible: Option = None, json: show.Json = False) -> None:
    """Say who may see the pages of a game. Without that, they are seen by those who see its league, or as the settings say."""
    run = session(ctx)
    if visible is None:
        raise BadOption("Say what to set: --visible.")
    run.service.pages.public.show_to("game", game, visible.level)
    if json:
        show.json(details(run, load(run, game)))
    else:
        typer.echo(f"Game {game} is now visible to: {game_visibility(run, GameId(game))}.")


@show.emits(Board)
def board(
    ctx: typer.Context,
    game: Which,
    *,
    at: At = None,
    turn: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="Show the board after the first N turns; 0 is the start. Turns that were taken back do not count."
        ),
    ] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", dir_okay=False, help="Write the picture as SVG.")] = None,
    png_: Annotated[Path | None, typer.Option("--png", metavar="FILE", dir_okay=False, help="Write the picture as PNG.")] = None,
    moves: Annotated[bool, typer.Option("--moves", help="List the legal steps, and mark them in the picture.")] = False,
    json: show.Json = False,
) -> None:
    """Show the board, now or at any moment of the past."""
    run = session(ctx)
    found = load(run, game, at)
    line = found.state.line if turn is None else found.line_at(turn)
    seen = moment(found, line, legal=moves)
    picture = found.state.game.view.svg(line.position, line.last_step, found.state.game.rules.steps(line.position) if moves else ())
    if svg is not None:
        svg.write_text(picture, encoding="utf-8")
    if png_ is not None:
        png_.write_bytes(png(picture, PICTURE_WIDTH))
    if json:
        show.json(seen)
        return
    as_of = f" (as of {found.as_of(times(run, found.then))})" if found.then else ""
    typer.echo(f"{found.title}, {found.when(line)}{as_of}\n\n{seen.text}")
    if moves:
        show.words(f"Legal: {' '.join(seen.legal)}" if seen.legal else "There are no legal moves.")
    for file in (svg, png_):
        if file is not None:
            typer.echo(f"The picture is in {file}.")


@show.emits(list[Event])
def history(ctx: typer.Context, game: Which, *, at: At = None, json: show.Json = False) -> None:
    """List every event of a game: when it happened, who did it, and by which request. Turns that were taken back are marked."""
    run = session(ctx)
    found = load(run, game, at)
    if json:
        show.json(events_of(found.rows, found.table))
        return
    clock = times(run, found.then)
    rows = [
        (
            str(event.version),
            clock.at(event.at),
            (actor_told(event.actor, found.table.people), cause_told(event.cause)),
            event.what if event.undone_by is None else f"[undone by {event.undone_by}] {event.what}",
            event.hash[:8],
        )
        for event in events_of(found.rows, replace(found.table, zone=clock.zone))
    ]
    show.table(("No", "At", "By", "What", "Hash"), rows, right=("No",), note=clock.note)


def replay(ctx: typer.Context, game: Which, *, at: At = None) -> None:
    """Show the board after each turn. `turnserver game record --format html` makes a page that steps through the game."""
    found = load(session(ctx), game, at)
    for line in found.lines():
        typer.echo(f"{found.title}, {found.when(line)}\n\n{found.board(line)}")
    if found.result:
        typer.echo(f"The game ended: {found.result}")


@show.emits(GameDetails)
def cancel(ctx: typer.Context, game: Which, *, reason: show.Reason, yes: show.Yes = False, json: show.Json = False) -> None:
    """Stop a game that is not over. It gets no result."""
    run = session(ctx)
    found = load(run, game)
    step_in(run, found, c.Cancel(reason), f"Stop {found.called} without a result?", yes=yes, json=json)


@show.emits(GameDetails)
def result(
    ctx: typer.Context,
    game: Which,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[PLAYER]... RESULT",
            autocompletion=complete.players,
            help="A player by seat, colour or name, or all players of a team, then `win` or `loss`; or just `draw` or `no result`.",
        ),
    ],
    *,
    reason: show.Reason,
    yes: show.Yes = False,
    json: show.Json = False,
) -> None:
    """Decide a running game: `Ada win`, `Ada loss`, `draw` or `no result`. `no result` also annuls the result of an ended game."""
    named, how = parted(words)
    if how not in {WIN, LOSS, DRAW, NO_RESULT} or bool(named) is not (how in {WIN, LOSS}):
        raise BadOption(f"{' '.join(words)!r} isn't a result. Write a player and `win` or `loss`, or just `draw` or `no result`.")
    run = session(ctx)
    found = load(run, game)
    command: c.AdminCommand
    if how == NO_RESULT:
        command, verdict = c.Annul(reason), "without a result"
    else:
        # A set: somebody may be named by seat and by name.
        those = {found.seat(who) for who in named}
        winners = tuple(sorted({*found.state.seats} - those if how == LOSS else those))
        side = listing([found.table.at(seat) for seat in winners], "and") if winners else ""
        command, verdict = c.Adjudicate(winners, reason), f"as won by {side}" if winners else "as a draw"
    step_in(run, found, command, f"End {found.called} {verdict}?", yes=yes, json=json)


@show.emits(GameDetails)
def retract(
    ctx: typer.Context,
    game: Which,
    *,
    first: Annotated[int, typer.Option("--from", min=1, metavar="TURN", help="The first turn to take back; all later ones go too.")],
    reason: show.Reason,
    yes: show.Yes = False,
    json: show.Json = False,
) -> None:
    """Take turns back. The history keeps them, and a game that ended by them goes on."""
    run = session(ctx)
    found = load(run, game)
    undone = [turn for turn in found.state.line.numbered if turn.turn >= first]
    what = ", ".join(f"{turn.turn} {turn.text if isinstance(turn, TurnPlayed) else 'skipped'}" for turn in undone)
    step_in(run, found, c.Retract(first, reason), f"Take back these turns of {found.called}: {what}?", yes=yes, json=json)


@show.emits(GameDetails)
def reopen(ctx: typer.Context, game: Which, *, reason: show.Reason, yes: show.Yes = False, json: show.Json = False) -> None:
    """Take back how a game ended, but no turn: a claim that was granted, a result, a resignation, a draw, a loss on time.

    A game with chance stays as it ended: its secret is public then.
    """
    run = session(ctx)
    found = load(run, game)
    question = f"{found.called} has ended: {found.result} Take that back and let the game go on?"
    step_in(run, found, c.Reopen(reason), question, yes=yes, json=json)


@show.emits(GameDetails)
def credit(
    ctx: typer.Context,
    game: Which,
    *,
    hours: Annotated[float, typer.Option(metavar="N", help="The number of hours to add.")],
    reason: show.Reason,
    json: show.Json = False,
) -> None:
    """Give the pending turn more time."""
    run = session(ctx)
    seconds = hours * SECONDS_PER_HOUR
    # What no integer can hold is refused as no time at all is: with the limits.
    given = c.CreditClock(round(seconds) if math.isfinite(seconds) else 0, reason)
    step_in(run, load(run, game), given, "", yes=True, json=json)


@show.emits(GameDetails)
def claim(
    ctx: typer.Context,
    game: Which,
    *,
    grant: Annotated[
        bool | None, typer.Option("--grant/--dismiss", help="Grant the claim, which wins the game, or dismiss it.", show_default=False)
    ] = None,
    reason: show.Reason,
    yes: show.Yes = False,
    json: show.Json = False,
) -> None:
    """Decide about the claim of a player whose opponent does not move. `turnserver game list --claims` lists the games with one."""
    run = session(ctx)
    if grant is None:
        raise BadOption("Say what you decide: --grant or --dismiss.")
    found = load(run, game)
    waits = found.state.open_claim
    question = f"End {found.called} as won by {found.table.at(waits.seat)}?" if waits is not None else ""
    # Nothing has to be asked about a claim that is dismissed.
    step_in(run, found, c.DecideClaim(grant, reason), question, yes=yes or not grant, json=json)


def assignments(texts: list[str]) -> dict[str, str]:
    """Read what stood behind each --option, `name=value`. Raises typer.BadParameter."""
    # At the first `=`: a value may have one too.
    pairs = [text.partition("=") for text in texts]
    for name, equals, _ in pairs:
        if not (name and equals):
            raise typer.BadParameter(f"write an option as name=value, not {name!r}", param_hint="--option")
    return {name.strip(): value for name, _, value in pairs}


def step_in(run: Session, found: FoundGame, command: c.AdminCommand | c.FreezeClock, question: str, *, yes: bool, json: bool) -> None:
    """Ask unless told not to, carry the command out, and show what it came to. What is refused is refused without a question."""
    run.service.games.check(found.id, command)
    if isinstance(command, c.Retract | c.Reopen | c.Annul):
        _warn_of_season(run, found)
    show.confirm(question, yes=yes)
    run.service.games.handle(found.id, command, actor=run.actor, cause=run.cause)
    report(run, found.id, "{name} now: {now}.", json=json)


def _warn_of_season(run: Session, found: FoundGame) -> None:
    """Say before the result of a game is taken back that the table of a season that is over changes with it, if it does."""
    league = run.service.pages.public.league_of(found.id)
    state = run.service.leagues.state(league) if league is not None and found.result else None
    season = state.season if state is not None else None
    if state is None or season is None or season.phase is not Phase.CLOSED or season.cancelled:
        return
    if any(fixture.game == found.id for fixture in season.fixtures):
        typer.echo(f"{found.called} belongs to season {season.number} of {state.name}, which is over: its final table changes.", err=True)


def report(run: Session, game: GameId, words: str, *, json: bool) -> None:
    """Say how a game is now: `words` with its name, its players and what it waits for."""
    found = load(run, game)
    if json:
        show.json(details(run, found))
        return
    typer.echo(
        words.format(name=found.title, players=who_plays(found.game), now=situation(found.game, times(run).due(found.game.deadline)))
    )


@show.emits(GameDetails)
def pause(
    ctx: typer.Context,
    game: Which,
    *,
    days: Annotated[
        int | None, typer.Option(min=1, max=3660, metavar="N", help="The number of days; else until `turnserver game resume`.")
    ] = None,
    reason: show.Reason,
    json: show.Json = False,
) -> None:
    """Stop all clocks of a game. Its players are told, and may play on all the same."""
    run = session(ctx)
    now = run.service.clock()
    ends = None if days is None else now + timedelta(days=days)
    step_in(run, load(run, game), c.FreezeClock(FreezeKind.HALT, None, now, ends, reason), "", yes=True, json=json)


@show.emits(GameDetails)
def resume(
    ctx: typer.Context,
    game: Which,
    *,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="The reason, for the history.")] = "",
    json: show.Json = False,
) -> None:
    """Let the clocks of a game run again. This also ends a pause that its players agreed on."""
    run = session(ctx)
    step_in(run, load(run, game), c.Release(reason), "", yes=True, json=json)


@show.emits(GameDetails)
def substitute(
    ctx: typer.Context,
    game: Which,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="The seat's number or name, or the player who sits there.")],
    player: Annotated[
        str,
        typer.Argument(metavar="PLAYER", autocompletion=complete.players, help="The substitute's number, name or mail address."),
    ],
    *,
    reason: show.Reason,
    rating: Annotated[
        Burden, typer.Option(help="The rating that the result counts for: the former player's, the substitute's, or nobody's.")
    ] = Burden.SEAT,
    yes: show.Yes = False,
    json: show.Json = False,
) -> None:
    """Replace the player at a seat, at once. If it is that seat's turn, the substitute has at least a day for it."""
    run = session(ctx)
    found = load(run, game)
    where, person = found.seat(seat), run.service.people.find(player)
    show.confirm(f"Have {person.name} play on for {found.table.at(where)} in {found.title}?", yes=yes)
    # By number: it means the same player whatever names change meanwhile.
    run.service.games.substitute(GameId(game), where, str(person.id), rating, reason, actor=run.actor, cause=run.cause)
    report(run, GameId(game), "{name}: {players}; now {now}.", json=json)
