"""`turnserver league director`: the players who direct a league, and what each of them may do."""

from collections.abc import Iterator
from typing import Annotated, Final

import typer

from turnserver.cli import complete
from turnserver.cli.game.found import actor_told
from turnserver.cli.league.act import Who, act
from turnserver.cli.league.group import Which, load
from turnserver.cli.league.shapes import LeagueDirector, LeagueEventTold
from turnserver.cli.output import show
from turnserver.cli.output.shapes import names, times
from turnserver.cli.session import Session, session
from turnserver.ids import LeagueId, PlayerId
from turnserver.league import commands as c
from turnserver.league.events import LeagueOpened, Role, RoleGiven, RoleTaken
from turnserver.store.leagues import views

MAY: Final = {
    Role.DIRECTOR: "may direct all of the league",
    Role.ARBITER: "may decide its results and games",
    Role.SECRETARY: "may enter and withdraw its players, and write to them",
}
"""What each role allows, in a few words."""

RoleOf = Annotated[
    Role,
    typer.Argument(
        metavar="ROLE",
        help="`director`: all of the league; `arbiter`: its results and games; `secretary`: its players, and mail to them.",
    ),
]


@show.emits(list[LeagueEventTold])
def add(ctx: typer.Context, league: Which, player: Who, role: RoleOf, *, reason: show.Reason, json: show.Json = False) -> None:
    """Let a player direct a league: by mail, such as `league-3 result 4 win-loss`, and by commands with --as. They are told."""
    run = session(ctx)
    act(run, load(run, league), c.GiveRole(run.service.people.find(player).id, role, reason), json=json)


@show.emits(list[LeagueEventTold])
def drop(ctx: typer.Context, league: Which, player: Who, role: RoleOf, *, reason: show.Reason, json: show.Json = False) -> None:
    """Take a role from a player, who is told. What they have done stays; what they write from then on is refused."""
    run = session(ctx)
    act(run, load(run, league), c.TakeRole(run.service.people.find(player).id, role, reason), json=json)


@show.emits(list[LeagueDirector])
def list_(
    ctx: typer.Context,
    league: Annotated[
        str | None,
        typer.Argument(metavar="LEAGUE", autocompletion=complete.leagues, help="The league's number, such as 3, or its name; else all."),
    ] = None,
    *,
    json: show.Json = False,
) -> None:
    """List who directs a league, or each league: with which role, since when, by whom and why."""
    run = session(ctx)
    found = [run.service.leagues.find(league)] if league is not None else _every(run)
    listed = [one for number in found for one in directors_of(run, number)]
    if json:
        show.json(listed)
        return
    clock, people = times(run), names(run)
    rows = [
        (f"{one.league}, {one.league_name}", one.name, one.role, clock.at(one.since), (actor_told(one.given_by, people), one.reason))
        for one in listed
    ]
    empty = "Nobody directs a league but you; `turnserver league director add` lets a player do so."
    show.table(("League", "Player", "Role", "At", "By and why"), rows, empty=empty, note=clock.note if rows else "")


def directors_of(run: Session, league: LeagueId, version: int | None = None) -> Iterator[LeagueDirector]:
    """Yield the roles that players have in a league, now or at a version, in the order in which they were given."""
    found: dict[tuple[PlayerId, Role], LeagueDirector] = {}
    people, name = names(run), ""
    # The state of a league has the roles alone; since when, by whom and why stand in the log.
    for row in run.service.leagues.history(league)[:version]:
        event = row.event
        if isinstance(event, LeagueOpened):
            name = event.name
        elif isinstance(event, RoleGiven):
            known = people.get(event.player, f"player {event.player}")
            told = LeagueDirector(league, name, event.player, known, event.role.value, row.at, row.actor, event.reason)
            found[event.player, event.role] = told
        elif isinstance(event, RoleTaken):
            del found[event.player, event.role]
    yield from found.values()


def _every(run: Session) -> list[LeagueId]:
    with run.service.db.read() as conn:
        return [one.id for one in views.listed(conn)]
