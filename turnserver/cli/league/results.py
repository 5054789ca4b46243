"""The commands that enter results into a league: of a meeting, and of a playoff."""

from typing import Annotated

import typer

from turnserver.cli import complete
from turnserver.cli.league.act import about, act
from turnserver.cli.league.group import By, Which, acting
from turnserver.cli.league.shapes import LeagueEventTold
from turnserver.cli.output import show
from turnserver.cli.results import parted
from turnserver.errors import BadOption
from turnserver.league import commands as c
from turnserver.league.pairing_again import later_round
from turnserver.mail.outbound.telling.leagues import result_told, uncounted
from turnserver.service.leagues.meetings import decided
from turnserver.service.leagues.tasks import met


@show.emits(list[LeagueEventTold])
def result(
    ctx: typer.Context,
    league: Which,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="MEETING win|loss|draw",
            autocompletion=complete.results,
            help="The meeting, by its players, its number, or its game as game-17. Then the result of the player named "
            "first, else of whoever the pairing names first: `win`, `loss`, `draw` or `no result`; for both players, such as `win "
            "by forfeit-forfeit`; at a larger table the places, such as 1-2-3.",
        ),
    ],
    *,
    reason: show.Reason,
    yes: show.Yes = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Decide a meeting or change its result, until the next season is announced: `Ada Bob win`. If its game still runs, the game ends."""
    run, found = acting(ctx, league, by)
    named, how = parted(words)
    if not named:
        raise BadOption("Name the meeting, by its players or its number, and then the result, as in `Ada Bob win`.")
    season = found.season
    with about(found), run.service.db.read() as conn:
        fixture, verdict = decided(conn, found.id, found.state, named, how)
    said = result_told([found.told.name(season.who(line)) for line in fixture.players], verdict.marks, verdict.places)
    question, then = f"{met(found.told, season, fixture)}: now {said}? {uncounted(season, fixture, found.told)}".rstrip(), ""
    if (later := later_round(found.state, season, fixture)) is not None:
        again = f"turnserver league pair {found.id} --again --division {fixture.division}"
        then = f"Round {later} is paired already and stays; `{again}` pairs it anew while no game of it is over."
    act(run, found, c.SetResult(fixture.number, verdict.marks, reason, verdict.places), question, then=then, yes=yes, json=json)


@show.emits(list[LeagueEventTold])
def playoff(
    ctx: typer.Context,
    league: Which,
    division: Annotated[str, typer.Argument(metavar="DIVISION", help="The name of the division, such as 1.2; 1 if there is one only.")],
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER", autocompletion=complete.players, help="All tied players, the best first: numbers, names or mail addresses."
        ),
    ],
    *,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Enter the result of a playoff between players who share a place at the end. `league show` says when one is needed."""
    run, found = acting(ctx, league, by)
    season = found.season
    # Places are those of lines: whoever plays on for somebody is named by that player's.
    lines = [season.plays_as(run.service.people.find(who).id) or run.service.people.find(who).id for who in players]
    act(run, found, c.DecidePlayoff(division, tuple(lines)), json=json)
