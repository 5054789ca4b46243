"""The commands about a season that has not begun: it is announced, players enter, say that they are there, and it starts or is dropped."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from turnserver.cli import complete, lists
from turnserver.cli.league.act import Again, Who, about, act, for_admin, played_again, report, told_beforehand, warn
from turnserver.cli.league.group import By, LeagueFound, Which, acting, instant_of
from turnserver.cli.league.shapes import LeagueEventTold
from turnserver.cli.output import show
from turnserver.cli.session import Session
from turnserver.errors import BadOption, NotAllowed, SomeRefused
from turnserver.league import commands as c
from turnserver.league.events import ReadyCheckBegun, SeasonStarted
from turnserver.league.state import Phase, Season
from turnserver.mail.outbound.language import counted
from turnserver.text import listing

Players = Annotated[
    list[str] | None,
    typer.Argument(metavar="[PLAYER]...", autocompletion=complete.players, help="Each player's number, name or mail address."),
]


@show.emits(list[LeagueEventTold])
def open_(
    ctx: typer.Context,
    league: Which,
    *,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="The end of entries, such as 2026-12-01, '2026-12-01 18:00' or 14d; else they end with `league start`."
        ),
    ] = None,
    starts: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="The start of the season, in the same forms, a day being its beginning; else the end of entries."
        ),
    ] = None,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Announce the next season, so that players can enter. Players who finished the last one are entered already."""
    run, found = acting(ctx, league, by)
    at = None if until is None else instant_of(run, until)
    begins = None if starts is None else instant_of(run, starts, starts=True)
    with about(found):
        plan = run.service.leagues.announce(found.id, at, begins, actor=run.actor, cause=run.cause)
    number = found.id
    follow = f"Enter players with `turnserver league enter {number} NAME ...`, or let them write a mail that says `join league-{number}`."
    report(run, plan, json=json, then=follow if at or begins else f"{follow} Then `turnserver league start {number}`.")


@show.emits(list[LeagueEventTold])
def enter(
    ctx: typer.Context,
    league: Which,
    players: Players = None,
    *,
    file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            exists=True,
            help="Enter the players of this file: one on each line, or a CSV as `turnserver player import` reads it.",
        ),
    ] = None,
    past: Annotated[
        c.Past | None,
        typer.Option(
            help="Enter them into a season that has begun, and say what its earlier rounds are to them: no points, a bye, half a point, a "
            "forfeit, or games to be played now."
        ),
    ] = None,
    division: Annotated[
        str | None, typer.Option(metavar="NAME", help="With --past, this division, such as 1.2; else the smallest of the lowest tier.")
    ] = None,
    back: Annotated[
        bool, typer.Option("--back", help="Undo an entry that was a mistake, also one with --past: as if it had not been.")
    ] = False,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="With --past or --back, the reason, for the players and the history.")] = "",
    yes: show.Yes = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Enter players into the announced season, whatever its conditions of entry. If one of them cannot enter, nobody is entered.

    With --file, players who have entered already are left out. With --past, they come into a season that has begun; if its earlier rounds
    give results by that, what would happen is shown before. With --back, the entry of one player is undone.
    """
    run, found = acting(ctx, league, by)
    if back:
        _undo(run, found, players or [], reason, alone=file is None and past is None and division is None, yes=yes, json=json)
        return
    if (file is None) is not bool(players):
        raise BadOption("Name the players, or write --file with a list of them.")
    if past is None and (division is not None or reason):
        raise BadOption("--division and --reason are for a season that has begun. Write --past with them.")
    listed = players or []
    if file is not None:
        season = found.state.season
        # The entries of a closed season are those of the last one, and say nothing about the next.
        there = {entry.player for entry in season.entries} if season is not None and season.phase is not Phase.CLOSED else set()
        named = lists.players(file, run.service.people.find)
        listed = [str(one.id) for one in named if one.id not in there]
        if not json and len(listed) < len(named):
            typer.echo(f"{counted(len(named) - len(listed), 'player')} of the list entered before.")
        if not listed:
            show.json([]) if json else typer.echo("Nobody is new; nothing has changed.")
            return
    with _together(found, len(listed)):
        if past is None:
            plan = run.service.leagues.enter_all(found.id, listed, actor=run.actor, cause=run.cause)
        else:
            # Only these give results for rounds that are over, which changes the table.
            if past in {c.Past.BYE, c.Past.HALF, c.Past.FORFEIT} and not yes:
                warn(
                    told_beforehand(run.service.leagues.preview_admit_all(found.id, listed, past, division, reason, actor=run.actor), found)
                )
                show.confirm(f"Enter {counted(len(listed), 'player')} into season {found.state.seasons} of {found.state.name}?", yes=False)
            plan = run.service.leagues.admit_all(found.id, listed, past, division, reason, actor=run.actor, cause=run.cause)
    report(run, plan, json=json)


def _undo(run: Session, found: LeagueFound, players: list[str], reason: str, *, alone: bool, yes: bool, json: bool) -> None:
    if len(players) != 1 or not alone:
        raise BadOption("Name one player whose entry is undone, with --reason TEXT and nothing else.")
    person = run.service.people.find(players[0])
    begun = found.state.season is not None and found.state.season.phase is Phase.RUNNING
    if begun and not reason:
        raise BadOption("Say why with --reason TEXT.")
    # Before a season begins no game ends by it, and nothing is asked.
    question = f"Undo the entry of {person.name} into season {found.state.seasons} of {found.state.name}?" if begun else ""
    act(run, found, c.UndoAdmission(person.id, reason), question, person=person, yes=yes, json=json)


@contextmanager
def _together(found: LeagueFound, number: int) -> Iterator[None]:
    """Tell a refusal of several players in words for an admin."""
    try:
        yield
    except SomeRefused as some:
        # A refusal that names nobody is the same for all of them, and said once.
        told = list(dict.fromkeys(for_admin(refusal, found, name).message for name, refusal in some.refusals.items()))
        # All or nobody: whoever was not refused is to be named again.
        if len(some.refusals) < number:
            which = "this one" if len(told) == 1 else "these"
            told.append(f"Nothing was changed: try again without {which}.")
        raise NotAllowed(some.code, " ".join(told)) from some


@show.emits(list[LeagueEventTold])
def withdraw(
    ctx: typer.Context,
    league: Which,
    player: Who,
    *,
    back: Annotated[bool, typer.Option("--back", help="Undo a withdrawal from a running season.")] = False,
    again: Again = "in-time",
    reason: Annotated[str | None, typer.Option(metavar="TEXT", help="With --back, the reason, for the players and the history.")] = None,
    yes: show.Yes = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Take a player out of the season. If it has begun, their games end, and the table follows the league's rule for withdrawals.

    With --back, a player who has withdrawn is in the season again, with all finished games.
    """
    run, found = acting(ctx, league, by)
    person = run.service.people.find(player)
    if back and reason is None:
        raise BadOption("Say why with --reason TEXT.")
    if back:
        undoing = c.ReturnPlayer(person.id, reason or "", *played_again(found, person, again))
        act(run, found, undoing, f"Undo the withdrawal of {person.name} from {found.state.name}?", person=person, yes=yes, json=json)
        return
    # Before a season begins no game ends by it, and nothing is asked.
    running = found.state.season is not None and found.state.season.phase is Phase.RUNNING
    question = f"Take {person.name} out of season {found.state.seasons} of {found.state.name}, and end the games that run?"
    act(run, found, c.Withdraw(person.id), question if running else "", person=person, yes=yes, json=json)


@show.emits(list[LeagueEventTold])
def ready(
    ctx: typer.Context,
    league: Which,
    players: Players = None,
    *,
    everybody: Annotated[bool, typer.Option("--all", help="Answer for everybody who has not answered.")] = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Answer the ready check of a season for players. If one of them cannot be ready, nobody is."""
    run, found = acting(ctx, league, by)
    if everybody is bool(players):
        raise BadOption("Name the players, or write --all for everybody who has not answered.")
    with _together(found, len(players) if players else len(found.state.season.entries) if found.state.season is not None else 0):
        try:
            plan = run.service.leagues.confirm_all(found.id, players or None, actor=run.actor, cause=run.cause)
        except NotAllowed as refused:
            # Nobody is left to answer for, so the admin most likely wants the season to begin.
            if everybody and refused.code == "already_ready":
                told = f"{refused.message} `turnserver league start {found.id}` begins the season."
                raise NotAllowed(refused.code, told) from refused
            raise
    report(run, plan, json=json)


@show.emits(list[LeagueEventTold])
def start(
    ctx: typer.Context,
    league: Which,
    *,
    now: Annotated[bool, typer.Option("--now", help="Skip the ready check; if it has begun, start with those who have answered.")] = False,
    yes: show.Yes = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """End the entries now. If the league has a ready check, it begins; else the season begins, and its games are opened.

    During the ready check, the command shows who has answered. It begins the season once all have answered, or at once with --now.
    """
    run, found = acting(ctx, league, by)
    season = found.state.season
    if season is not None and season.phase is Phase.READY_CHECK and not now and not all(entry.ready for entry in season.entries):
        show.json([]) if json else show.words(f"{_asked(found, season)} {_to_skip(found)}")
        return
    # Nothing is asked where nothing can begin: that is refused.
    if season is not None and season.phase in (Phase.ENTRIES, Phase.READY_CHECK):
        show.confirm(_question(found, season, now=now), yes=yes)
    with about(found):
        plan = run.service.leagues.start(found.id, ask=not now, actor=run.actor, cause=run.cause)
    then = ""
    if any(isinstance(event, SeasonStarted) for event in plan.events):
        then = "The service opens the games with its next round; nobody has to accept them."
    elif any(isinstance(event, ReadyCheckBegun) for event in plan.events):
        then = (
            f"Whoever answers in time is in, and the season begins by itself then. `turnserver league start {found.id}` tells who has "
            f"answered, `turnserver league ready {found.id} PLAYER` answers for a player. {_to_skip(found)}"
        )
    report(run, plan, json=json, then=then)


def _question(found: LeagueFound, season: Season, *, now: bool) -> str:
    name = found.state.name
    if season.phase is Phase.READY_CHECK:
        out = [found.told.name(entry.player) for entry in season.entries if not entry.ready]
        without = f", without {listing(out, 'and')}" if out else ""
        return f"Begin season {season.number} of {name} with {counted(len(season.entries) - len(out), 'player')}{without}?"
    asked = not now and found.state.settings.ready_hours > 0
    what = f"and ask whether they will play, {found.state.settings.ready_hours} hours long" if asked else "and begin the season"
    return f"End the entries of {name}, with {counted(len(season.entries), 'player')}, {what}?"


def _asked(found: LeagueFound, season: Season) -> str:
    """Tell how far the ready check is: until when, who has answered, and who has not."""
    here, out = ([found.told.name(one.player) for one in season.entries if one.ready is there] for there in (True, False))
    until = found.told.at(season.ready_until) if season.ready_until is not None else "the start"
    answered = f"{len(here)} of {len(season.entries)} are ready: {listing(here, 'and')}" if here else "Nobody is ready"
    return (
        f"Everybody is asked until {until} whether they will play for season {season.number} of {found.state.name}. "
        f"{answered}. No answer yet from {listing(out, 'and')}."
    )


def _to_skip(found: LeagueFound) -> str:
    return f"`turnserver league start {found.id} --now` begins at once, with those who have answered by then."


@show.emits(list[LeagueEventTold])
def drop(
    ctx: typer.Context,
    league: Which,
    *,
    begun: Annotated[bool, typer.Option("--begun", help="A season that has begun: it has no table and no winner then.")] = False,
    reason: show.Reason,
    yes: show.Yes = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Call off a season that has not begun; with --begun, one that was begun by mistake. `league reopen` goes on with that after all."""
    run, found = acting(ctx, league, by)
    command = c.CancelSeason(reason) if begun else c.DropSeason(reason)
    act(run, found, command, f"Call season {found.state.seasons} of {found.state.name} off?", yes=yes, json=json)
