"""The commands that change who meets whom, until when, and for what, in a season: pairings, deadlines, players, divisions."""

from datetime import datetime
from itertools import count
from typing import Annotated

import typer

from turnserver.cli import complete
from turnserver.cli.league.act import Again, Who, Whom, about, act, played_again, report, tell, told_events, told_of_two, warn
from turnserver.cli.league.group import By, Which, acting, instant_of, load, span
from turnserver.cli.league.shapes import LeagueEventTold
from turnserver.cli.output import show
from turnserver.errors import BadOption, NotAllowed, NotFound
from turnserver.ids import Burden
from turnserver.league import commands as c
from turnserver.league.deadlines import still_open
from turnserver.league.presentation.crosstable import nobody_moves
from turnserver.text import listing


@show.emits(list[LeagueEventTold])
def pair(
    ctx: typer.Context,
    league: Which,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLAYER]...",
            autocompletion=complete.players,
            help="With --again, the players of pairs by hand, two by two, seat 1 in front; all others are paired as usual.",
        ),
    ] = None,
    *,
    again: Annotated[bool, typer.Option("--again", help="Pair the latest Swiss round anew, of which no game is over.")] = False,
    bye: Annotated[
        str | None, typer.Option(metavar="PLAYER", autocompletion=complete.players, help="With --again, the player who has the bye.")
    ] = None,
    division: Annotated[str, typer.Option(metavar="NAME", help="With --again, the division, such as 1.2.")] = "1",
    reason: Annotated[str | None, typer.Option(metavar="TEXT", help="With --again, the reason, for the players and the history.")] = None,
    yes: show.Yes = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Do what is due, as the service does by itself: begin a season, pair the next round, judge late games, draw lots, close.

    With --again, take the latest round back and pair it anew. What a pairing by hand breaks is told before.
    """
    run, found = acting(ctx, league, by)
    if again:
        named = [run.service.people.find(who).id for who in players or []]
        if len(named) % 2:
            raise BadOption("Name the players of the pairs two by two. --bye names the one without an opponent.")
        if reason is None:
            raise BadOption("Say why with --reason TEXT.")
        pairs = [(named[at], named[at + 1]) for at in range(0, len(named), 2)]
        alone = [(run.service.people.find(bye).id,)] if bye is not None else []
        command = c.PairAgain(division, reason, (*pairs, *alone))
        act(run, found, command, f"Pair the latest round of {found.state.name} again?", yes=yes, json=json)
        return
    if players or bye is not None or reason is not None:
        raise BadOption("Pairs by hand are for a round that is paired again. Write --again with them.")
    with about(found):
        plan = run.service.leagues.check(found.id, actor=run.actor, cause=run.cause)
    report(run, plan, json=json, news=True)


@show.emits(list[LeagueEventTold])
def remind(
    ctx: typer.Context,
    league: Which,
    *,
    division: Annotated[str | None, typer.Option(metavar="NAME", help="Only this division, such as 1.2; else all.")] = None,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Remind everybody who has unfinished games in a round with a deadline."""
    run, found = acting(ctx, league, by)
    act(run, found, c.Remind(division), json=json)


@show.emits(list[LeagueEventTold])
def bye(
    ctx: typer.Context,
    league: Which,
    player: Who,
    *,
    number: Annotated[int | None, typer.Option("--round", min=1, metavar="N", help="The round; else the next one.")] = None,
    points: Annotated[str, typer.Option(metavar="POINTS", help="What it is worth: 1/2, or 0.")] = "1/2",
    back: Annotated[bool, typer.Option("--back", help="Pair the player after all.")] = False,
    reason: show.Reason,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Give a player a bye in a Swiss round that is to come, as players ask for one themselves with `bye league-3` in a mail."""
    run, found = acting(ctx, league, by)
    person = run.service.people.find(player)
    if points not in {"0", "1/2"}:
        raise BadOption("A bye that was asked for is worth 1/2 or 0.")
    command = c.DropBye(person.id, number, reason) if back else c.AskBye(person.id, number, points, reason)
    act(run, found, command, person=person, json=json)


@show.emits(list[LeagueEventTold])
def extend(
    ctx: typer.Context,
    league: Which,
    *,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="The new deadline, such as 2026-12-01, '2026-12-01 18:00' or 14d; `none` for none.")
    ] = None,
    longer: Annotated[str | None, typer.Option(metavar="TIME", help="So much later than each deadline is now, such as 3d.")] = None,
    division: Annotated[str | None, typer.Option(metavar="NAME", help="Only this division, such as 1.2.")] = None,
    number: Annotated[int | None, typer.Option("--round", min=1, metavar="N", help="Only this round.")] = None,
    player: Annotated[
        str | None, typer.Option(metavar="PLAYER", autocompletion=complete.players, help="Only the games of this player.")
    ] = None,
    meeting: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only this meeting.")] = None,
    reason: show.Reason,
    yes: show.Yes = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Move the deadlines of games that are not over: of all, or of a division, a round, a player or a meeting. Late games go on with it."""
    run, found = acting(ctx, league, by)
    if (until is None) is (longer is None):
        raise BadOption("Say the new deadline with --until, or how much later it is with --longer.")
    if division is not None:
        found.divisions(division)
    who = run.service.people.find(player).id if player is not None else None
    those = list(still_open(found.season, division=division, number=number, player=who, meeting=meeting))
    if longer is not None:
        later = span(longer)
        deadlines: dict[int, datetime | None] = {one.number: one.deadline + later for one in those if one.deadline is not None}
    else:
        at = None if until == "none" else instant_of(run, until or "")
        deadlines = dict.fromkeys((one.number for one in those), at)
    act(run, found, c.MoveDeadlines(deadlines, reason), f"Move the deadlines in {found.state.name}?", yes=yes, json=json)


@show.emits(list[LeagueEventTold])
def challenge(
    ctx: typer.Context,
    league: Which,
    player: Who,
    opponent: Annotated[
        str,
        typer.Argument(metavar="OPPONENT", autocompletion=complete.players, help="The challenged player's number, name or mail address."),
    ],
    *,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Challenge somebody on a ladder for a player, as players do themselves with `challenge NAME in league-3` in a mail."""
    run, found = acting(ctx, league, by)
    person, other = run.service.people.find(player), run.service.people.find(opponent)
    act(run, found, c.Challenge(person.id, other.id), person=person, json=json)


@show.emits(list[LeagueEventTold])
def move(
    ctx: typer.Context,
    league: Which,
    player: Who,
    tier: Annotated[str, typer.Argument(metavar="TIER", help="The tier, 1 being the top; with --now, the division, such as 1.2.")],
    *,
    now: Annotated[bool, typer.Option("--now", help="Move the player between divisions of the season that runs.")] = False,
    reason: show.Reason,
    yes: show.Yes = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Put a player into another tier for the next season, whatever the tables say, or at once into another division. Others make room."""
    run, found = acting(ctx, league, by)
    if now:
        person = run.service.people.find(player)
        question = f"Put {person.name} into division {tier} of {found.state.name}?"
        act(run, found, c.Divide({person.id: tier}, reason), question, person=person, yes=yes, json=json)
        return
    if not (tier.isascii() and tier.isdigit() and len(tier) < 10 and int(tier)):
        raise BadOption(f"{tier!r} is no tier. Write its number, 1 being the top, or --now with a division.")
    # Not `decide`: it goes on taking such a move, which changed nothing, so that logs that hold one stay right.
    if len(found.state.for_next.settings.tiers) < 2:
        told = f"{found.state.name} has one tier only, so nobody can be moved. Give it tiers first with `turnserver league set`."
        raise NotAllowed("no_tier", told)
    act(run, found, c.MovePlayer(run.service.people.find(player).id, int(tier), reason), json=json)


@show.emits(list[LeagueEventTold])
def bar(
    ctx: typer.Context,
    league: Which,
    player: Who,
    other: Annotated[
        str, typer.Argument(metavar="OTHER", autocompletion=complete.players, help="The other player's number, name or mail address.")
    ],
    *,
    allow: Annotated[bool, typer.Option("--allow", help="Let them meet again.")] = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Keep two players apart in all rounds that are paired from now on."""
    run, found = acting(ctx, league, by)
    pair_ = run.service.people.find(player).id, run.service.people.find(other).id
    act(run, found, c.BarPair(pair_, barred=not allow), json=json)


@show.emits(list[LeagueEventTold])
def split(
    ctx: typer.Context,
    league: Which,
    players: Whom,
    *,
    into: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A new league for them: it is like this one, and they are in its next season instead."),
    ] = None,
    division: Annotated[
        str | None, typer.Option(metavar="NAME", help="A division of the season that runs: they are in a new one beside it from now on.")
    ] = None,
    reason: Annotated[
        str | None, typer.Option(metavar="TEXT", help="With --division, the reason, for the players and the history.")
    ] = None,
    yes: show.Yes = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Split a division of a season that runs, or a league whose next season is announced. These players go into the new one."""
    run, found = acting(ctx, league, by)
    if (into is None) is (division is None):
        raise BadOption("Say which --division is split, or the name of a new league with --into.")
    if into is not None and by is not None:
        raise BadOption("Only an admin opens a league, so leave --as out.")
    chosen = [run.service.people.find(who) for who in players]
    if division is not None:
        if reason is None:
            raise BadOption("Say why with --reason TEXT.")
        [home] = found.divisions(division)
        outside = next((one for one in chosen if found.season.plays_as(one.id) not in home.players), None)
        if outside is not None:
            raise NotFound(f"{outside.name} is not in division {division} of season {found.season.number} of {found.state.name}.")
        # From 2 on, since the division that is split is the first of its tier, whatever its name.
        name = next(name for name in (f"{home.tier}.{at}" for at in count(2)) if name not in {one.name for one in found.divisions()})
        command = c.Divide(dict.fromkeys((one.id for one in chosen), name), reason)
        then = " ".join(nobody_moves(found.state))
        act(run, found, command, f"Split division {division} of {found.state.name}?", then=then, yes=yes, json=json)
        return
    numbers = [one.id for one in chosen]
    if not yes:
        with about(found):
            would = run.service.leagues.preview_split(found.id, into or "", numbers, actor=run.actor)
        warn(told_of_two(would, found))
    show.confirm(f"Open {into} for {listing([one.name for one in chosen], 'and')}, who leave season {found.state.seasons}?", yes=yes)
    with about(found):
        new = run.service.leagues.split(found.id, into or "", numbers, actor=run.actor, cause=run.cause)
    tell(told_events(run, new), json=json)


@show.emits(list[LeagueEventTold])
def merge(
    ctx: typer.Context,
    league: Which,
    other: Annotated[
        str | None,
        typer.Argument(
            metavar="[OTHER]", autocompletion=complete.leagues, help="Another league, whose players enter this one's next season."
        ),
    ] = None,
    *,
    divisions: Annotated[
        list[str] | None,
        typer.Option("--division", metavar="NAME", help="Divisions of the season that runs, which become the first of them."),
    ] = None,
    reason: show.Reason,
    yes: show.Yes = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Merge divisions of a season that runs, or another league into the next season of this one; the other league is archived then."""
    run, found = acting(ctx, league, by)
    if (other is None) is (divisions is None):
        raise BadOption("Name the other league, or two divisions with --division.")
    if other is not None and by is not None:
        raise BadOption("Only an admin merges leagues, so leave --as out.")
    if divisions is not None:
        first, *rest = dict.fromkeys(divisions)
        if not rest:
            raise BadOption("Name two divisions at least, each with --division.")
        found.divisions(first)
        lines = (line for name in rest for one in found.divisions(name) for line in one.players if line not in found.season.withdrawn)
        # Commands name those who play; a line has the number of the player who began on it.
        command = c.Divide(dict.fromkeys(map(found.season.who, lines), first), reason)
        act(run, found, command, f"Merge divisions {listing([first, *rest], 'and')} of {found.state.name}?", yes=yes, json=json)
        return
    gone = load(run, other or "")
    if gone.id == found.id:
        raise BadOption("A league cannot be merged with itself. Name another one.")
    if not yes:
        with about(found):
            warn(told_of_two(run.service.leagues.preview_merge(found.id, gone.id, reason, actor=run.actor), found, gone))
    show.confirm(f"Enter the players of {gone.state.name} into season {found.state.seasons} of {found.state.name} and archive it?", yes=yes)
    with about(found):
        run.service.leagues.merge(found.id, gone.id, reason, actor=run.actor, cause=run.cause)
    then = f"{gone.title}, is archived. `turnserver league archive {gone.id} --back` brings it back."
    tell(told_events(run, found.id)[found.state.version :], json=json, then=then)


@show.emits(list[LeagueEventTold])
def penalize(
    ctx: typer.Context,
    league: Which,
    player: Who,
    points: Annotated[str, typer.Argument(metavar="POINTS", help="The number of points, whole or halves, such as 1 or 1/2.")],
    *,
    reason: show.Reason,
    back: Annotated[bool, typer.Option("--back", help="Give back points that were taken before.")] = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Take points from a player in the table. `league explain` shows them with their reason."""
    run, found = acting(ctx, league, by)
    person = run.service.people.find(player)
    # Points are text, such as 1/2, in commands as in the log.
    act(run, found, c.Penalize(person.id, f"-{points}" if back else points, reason), person=person, json=json)


@show.emits(list[LeagueEventTold])
def substitute(
    ctx: typer.Context,
    league: Which,
    player: Who,
    other: Annotated[
        str | None,
        typer.Argument(
            metavar="SUBSTITUTE",
            autocompletion=complete.players,
            help="The substitute, who must not be in the season; else the first player on its waiting list.",
        ),
    ] = None,
    *,
    reason: show.Reason,
    rating: Annotated[
        Burden, typer.Option(help="The rating that the running games count for: the former player's, the substitute's, or nobody's.")
    ] = Burden.SEAT,
    again: Again = "in-time",
    yes: show.Yes = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Replace a player in all running and later games of the season. The substitute takes over the player's line in the table.

    The place of a player who has withdrawn is filled in the same way; --again says which of the games that ended by it are played then.
    """
    run, found = acting(ctx, league, by)
    person = run.service.people.find(player)
    chosen = run.service.people.find(other) if other is not None else None
    name = chosen.name if chosen is not None else "the first of the waiting list"
    question = f"Have {name} play on for {person.name} in season {found.state.seasons} of {found.state.name}?"
    coming = chosen.id if chosen is not None else None
    # No number leaves the choice to the decision: the waiting list may be another one by then.
    command = c.SubstitutePlayer(person.id, coming, rating, reason, *played_again(found, person, again))
    act(run, found, command, question, person=person, yes=yes, json=json)
