"""The commands that change a league: its seasons, its players, its results, and the reminders that are sent by hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import count
from typing import Annotated, Final, NamedTuple

import typer

from turnserver.cli import complete
from turnserver.cli.league.group import By, LeagueFound, Which, acting, instant_of, load, span
from turnserver.cli.league.shapes import LeagueEventTold
from turnserver.cli.output import show
from turnserver.cli.output.visible import Option, league_visibility
from turnserver.cli.session import Session
from turnserver.config.leagues import with_assignments
from turnserver.errors import BadOption, NotAllowed, NotFound
from turnserver.ids import Burden, LeagueId
from turnserver.league import commands as c
from turnserver.league.deadlines import still_open
from turnserver.league.events import EVENT_TYPES, DecidedBy, LeagueEvent
from turnserver.league.evolve import evolve, fold
from turnserver.league.state import LeagueState
from turnserver.mail.outbound.telling.leagues import happened
from turnserver.service.leagues.folds import LeagueDecision
from turnserver.store.people.accounts import Person
from turnserver.text import listing

Who = Annotated[str, typer.Argument(metavar="PLAYER", autocompletion=complete.players, help="The player's number, name or mail address.")]
Whom = Annotated[
    list[str], typer.Argument(metavar="PLAYER", autocompletion=complete.players, help="Each player's number, name or mail address.")
]

Again = Annotated[
    str,
    typer.Option(
        metavar="WHICH",
        help="Which games that ended by the withdrawal are played after all: `in-time` those whose deadline has not passed, and those that "
        "were not paired meanwhile; `all`; `none`; or the numbers of their meetings, such as 4,7.",
    ),
]

OF_PLAYER: Final = {
    "already_entered": "{name} has entered season {season} of {league} already.",
    "not_entered": "{name} has not entered season {season} of {league}.",
    "already_ready": "{name} is ready for season {season} of {league} already.",
    "not_in_season": "{name} is not in season {season} of {league}.",
    "has_left": "{name} has left season {season} of {league}. `turnserver league withdraw --back` undoes that.",
    "not_withdrawn": "{name} has not withdrawn from season {season} of {league}, so there is nothing to undo.",
    "not_on_ladder": "Both have to be on the ladder of {league}. `turnserver league standings` shows who is.",
    "not_above": "{name} can challenge only players who stand above.",
    "out_of_reach": "{name} cannot challenge somebody who stands so far above. `turnserver league show` shows how far the reach is.",
    "open_already": "There is a challenge between the two already. It is to be played to its end first.",
    "too_many_games": "{name} has as many own challenges as a player may have. One of them is to be played to its end first.",
    "season_full": "Season {season} of {league} has all the players that it takes. {name} can come back when somebody has left.",
    "no_ready_check": "Nobody has been asked yet whether they will play for season {season} of {league}.",
}
"""The words of refusals about a player to an admin, by their codes."""
OF_LEAGUE: Final = {
    "no_season": "This league has no season now. `turnserver league open {number}` announces one.",
    "season_open": "Season {season} of {league} is not over yet. `turnserver league close {number}` ends it; if it has not begun, "
    "`turnserver league drop {number}` calls it off.",
    "season_not_begun": "Season {season} of {league} has not begun. `turnserver league start {number}` begins it.",
    "entries_closed": "Entries for season {season} of {league} are closed. Once it has begun, `turnserver league enter {number} --past` "
    "lets players in.",
    "not_by_withdrawal": "Only meetings that the withdrawal has decided can be played after all: `turnserver league history {number}` has "
    "them.",
    "decided": "That meeting has a result already. `turnserver league result {number}` changes it.",
    "season_running": "Season {season} of {league} has begun. `turnserver league enter --past` lets players in, `turnserver league "
    "substitute` lets somebody play on for a player, `turnserver league close` ends it, and `turnserver league drop --begun` calls it off.",
    "not_paused": "Season {season} of {league} is not paused, so there is nothing to resume.",
    "season_cancelled": "Season {season} of {league} was cancelled and has no table. `turnserver league reopen {number}` goes on with it.",
    "no_late_entry": "{league} takes nobody once it has begun: `turnserver league substitute {number}` lets somebody play on for a player.",
    "no_more_rounds": "All rounds of season {season} of {league} are paired, so nobody new would play in it. Where everybody meets "
    "everybody, `--past play` lets them play all games.",
    "not_swiss": "Only rounds of Swiss and McMahon events can be paired again, and {league} is none.",
    "no_ladder": "{league} is no ladder: nobody challenges there, and who meets is decided by its format.",
    "nothing_to_approve": "Nothing waits for approval in {league}. `turnserver league show {number}` says how it stands.",
    "archived": "{league} is archived. `turnserver league archive {number} --back` brings it back.",
    "barred": "The two are barred from meeting in {league}. `turnserver league bar --allow` lets them meet again.",
}
"""The words of refusals about a league to an admin, where a player reads what an admin may do."""


@show.emits(list[LeagueEventTold])
def pair(
    ctx: typer.Context,
    league: Which,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLAYER]...",
            autocompletion=complete.players,
            help="With --again, the players of pairs by hand, two by two, the first mover in front; all others are paired as usual.",
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
    run = acting(ctx, by)
    found = load(run, league)
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
    report(run, plan, json=json)


@show.emits(list[LeagueEventTold])
def approve(
    ctx: typer.Context,
    league: Which,
    *,
    division: Annotated[str | None, typer.Option(metavar="NAME", help="Only the pairings of this division, such as 1.2.")] = None,
    number: Annotated[int | None, typer.Option("--round", min=1, metavar="N", help="Only the pairings of this round.")] = None,
    yes: show.Yes = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Let the games of new pairings begin, or have the final tables stand, in a league whose setting `approve` asks for that."""
    run = acting(ctx, by)
    found = load(run, league)
    act(run, found, c.Approve(division, number), f"Approve this in {found.state.name}?", yes=yes, json=json)


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
    run = acting(ctx, by)
    act(run, load(run, league), c.Remind(division), "", yes=True, json=json)


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
    run = acting(ctx, by)
    found, person = load(run, league), run.service.people.find(player)
    if points not in {"0", "1/2"}:
        raise BadOption("A bye that was asked for is worth 1/2 or 0.")
    command = c.DropBye(person.id, number, reason) if back else c.AskBye(person.id, number, points, reason)
    act(run, found, command, "", person=person, yes=True, json=json)


@show.emits(list[LeagueEventTold])
def rename(
    ctx: typer.Context,
    league: Which,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name.")],
    *,
    reason: show.Reason,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Give a league another name. Players of its season are told; mails and pages have the new name at once."""
    run = acting(ctx, by)
    found = load(run, league)
    with about(found):
        plan = run.service.leagues.rename(found.id, name, reason, actor=run.actor, cause=run.cause)
    report(run, plan, json=json)


@show.emits(list[LeagueEventTold])
def archive(
    ctx: typer.Context,
    league: Which,
    *,
    back: Annotated[bool, typer.Option("--back", help="Bring it back.")] = False,
    reason: show.Reason,
    yes: show.Yes = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Take a league out of all lists and pages. Nothing is deleted: --back brings it back. Its last season has to be over."""
    run = acting(ctx, by)
    found = load(run, league)
    question = "" if back else f"Archive {found.state.name}?"
    act(run, found, c.ArchiveLeague(reason, archived=not back), question, yes=yes, json=json)


@show.emits(list[LeagueEventTold])
def dates(
    ctx: typer.Context,
    league: Which,
    *,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="The new end of entries, such as 2026-12-01 or 14d; `none` for until the start.")
    ] = None,
    starts: Annotated[
        str | None, typer.Option(metavar="TIME", help="The new start of the season, in the same forms; `none` for the end of entries.")
    ] = None,
    later: Annotated[
        str | None, typer.Option(metavar="TIME", help="In a season that has begun: so much later for all rounds to come, such as 7d.")
    ] = None,
    earlier: Annotated[str | None, typer.Option(metavar="TIME", help="The same, but so much earlier.")] = None,
    reason: show.Reason,
    yes: show.Yes = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Move the dates of a season: entries and start before it begins, and then the rounds to come, or the end of a ladder's challenges."""
    run = acting(ctx, by)
    found = load(run, league)
    season, question = found.season, f"Move the dates of {found.state.name}?"
    before = until is not None or starts is not None
    if sum((before, later is not None, earlier is not None)) != 1:
        raise BadOption("Say the new dates with --until and --starts before the season begins, then --later or --earlier.")
    if not before:
        moved = span(later or earlier or "")
        act(run, found, c.MoveRounds(moved if later is not None else -moved, reason), question, yes=yes, json=json)
        return
    at, begins = season.entries_until, season.starts_at
    if starts is not None:
        begins = None if starts == "none" else instant_of(run, starts)
        # Entries that would be open too long end as late as they can.
        at = at if begins is None or at is None or at <= begins - timedelta(hours=found.state.settings.ready_hours) else None
    if until is not None:
        at = None if until == "none" else instant_of(run, until)
    act(run, found, c.MoveSeason(at, begins, reason), question, yes=yes, json=json)


@show.emits(list[LeagueEventTold])
def pause(ctx: typer.Context, league: Which, *, reason: show.Reason, yes: show.Yes = False, by: By = None, json: show.Json = False) -> None:
    """Pause a season: nothing is due in it, no game begins, and the clocks of its games stand still."""
    run = acting(ctx, by)
    found = load(run, league)
    act(run, found, c.PauseSeason(reason), f"Pause season {found.season.number} of {found.state.name}?", yes=yes, json=json)


@show.emits(list[LeagueEventTold])
def resume(
    ctx: typer.Context, league: Which, *, reason: show.Reason, yes: show.Yes = False, by: By = None, json: show.Json = False
) -> None:
    """Go on with a paused season. Deadlines and dates are later by the length of the pause."""
    run = acting(ctx, by)
    found = load(run, league)
    act(run, found, c.ResumeSeason(reason), f"Go on with season {found.season.number} of {found.state.name}?", yes=yes, json=json)


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
    run = acting(ctx, by)
    found = load(run, league)
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
    run = acting(ctx, by)
    found, person, other = load(run, league), run.service.people.find(player), run.service.people.find(opponent)
    act(run, found, c.Challenge(person.id, other.id), "", person=person, yes=True, json=json)


@show.emits(list[LeagueEventTold])
def close(ctx: typer.Context, league: Which, *, reason: show.Reason, yes: show.Yes = False, by: By = None, json: show.Json = False) -> None:
    """End a season early. Games that are not over end without a result."""
    run = acting(ctx, by)
    found = load(run, league)
    left = sum(not fixture.marks for fixture in found.season.fixtures)
    act(
        run,
        found,
        c.CloseSeason(reason),
        f"End season {found.season.number} of {found.state.name} with {left} games open?",
        yes=yes,
        json=json,
    )


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
    run = acting(ctx, by)
    found = load(run, league)
    if now:
        person = run.service.people.find(player)
        question = f"Put {person.name} into division {tier} of {found.state.name}?"
        act(run, found, c.Divide({person.id: tier}, reason), question, person=person, yes=yes, json=json)
        return
    if not (tier.isascii() and tier.isdigit() and int(tier)):
        raise BadOption(f"{tier!r} is no tier. Write its number, 1 being the top, or --now with a division.")
    # Not `decide`: it goes on taking such a move, which changed nothing, so that logs that hold one stay right.
    if len(found.state.for_next.settings.tiers) < 2:
        told = f"{found.state.name} has one tier only, so nobody can be moved. Give it tiers first with `turnserver league set`."
        raise NotAllowed("no_tier", told)
    act(run, found, c.MovePlayer(run.service.people.find(player).id, int(tier), reason), "", yes=True, json=json)


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
    run = acting(ctx, by)
    pair_ = run.service.people.find(player).id, run.service.people.find(other).id
    act(run, load(run, league), c.BarPair(pair_, barred=not allow), "", yes=True, json=json)


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
    run = acting(ctx, by)
    found = load(run, league)
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
        name = next(name for name in (f"{home.tier}.{at}" for at in count(2)) if name not in {one.name for one in found.divisions()})
        command = c.Divide(dict.fromkeys((one.id for one in chosen), name), reason)
        act(run, found, command, f"Split division {division} of {found.state.name}?", yes=yes, json=json)
        return
    show.confirm(f"Open {into} for {listing([one.name for one in chosen], 'and')}, who leave season {found.state.seasons}?", yes=yes)
    with about(found):
        new = run.service.leagues.split(found.id, into or "", [one.id for one in chosen], actor=run.actor, cause=run.cause)
    if json:
        show.json(told_events(run, new))
        return
    for event in told_events(run, new):
        show.words(event.what)


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
    run = acting(ctx, by)
    found = load(run, league)
    if (other is None) is (divisions is None):
        raise BadOption("Name the other league, or two divisions with --division.")
    if other is not None and by is not None:
        raise BadOption("Only an admin merges leagues, so leave --as out.")
    if divisions is not None:
        first, *rest = dict.fromkeys(divisions)
        found.divisions(first)
        lines = (line for name in rest for one in found.divisions(name) for line in one.players if line not in found.season.withdrawn)
        command = c.Divide(dict.fromkeys(map(found.season.who, lines), first), reason)
        act(run, found, command, f"Merge divisions {listing([first, *rest], 'and')} of {found.state.name}?", yes=yes, json=json)
        return
    gone = load(run, other or "")
    if gone.id == found.id:
        raise BadOption("A league cannot be merged with itself. Name another one.")
    show.confirm(f"Enter the players of {gone.state.name} into season {found.state.seasons} of {found.state.name} and archive it?", yes=yes)
    with about(found):
        run.service.leagues.merge(found.id, gone.id, reason, actor=run.actor, cause=run.cause)
    first_new = found.state.version
    told = told_events(run, found.id)[first_new:]
    if json:
        show.json(told)
        return
    for event in told:
        show.words(event.what)
    show.words(f"{gone.title}, is archived. `turnserver league archive {gone.id} --back` brings it back.")


class PlayedAgain(NamedTuple):
    """The meetings of a line that are played after all, None for those that are in time, and whether rounds that it missed are played."""

    meetings: tuple[int, ...] | None
    missed: bool


def played_again(found: LeagueFound, person: Person, again: str) -> PlayedAgain:
    """Read --again. Raises BadOption."""
    if again == "in-time":
        return PlayedAgain(None, missed=True)
    if again == "none":
        return PlayedAgain((), missed=False)
    season = found.season
    if again == "all":
        decided = (one for one in season.fixtures if one.by is DecidedBy.WITHDRAWAL)
        theirs = (one.number for one in decided if any(person.id in (line, season.who(line)) for line in one.players))
        return PlayedAgain(tuple(theirs), missed=True)
    words = again.split(",")
    if not all(word.strip().isascii() and word.strip().isdigit() for word in words):
        raise BadOption(f"{again!r} are no meetings. Write in-time, all, none, or their numbers, such as 4,7.")
    return PlayedAgain(tuple(dict.fromkeys(int(word) for word in words)), missed=False)


@contextmanager
def about(found: LeagueFound, person: Person | None = None) -> Iterator[None]:
    """Return the refusal that a player would read, in words for an admin."""
    try:
        yield
    except NotAllowed as refused:
        raise for_admin(refused, found, person.name if person is not None else None) from refused


def for_admin(refused: NotAllowed, found: LeagueFound, name: str | None) -> NotAllowed:
    """Return a refusal as an admin is told of it, who is neither the player it is about nor somebody who can ask the admin."""
    # The words about a player have a place for the name, and not every command is about one.
    words = OF_LEAGUE.get(refused.code) or (OF_PLAYER.get(refused.code) if name is not None else None)
    if words is None:
        return refused
    return NotAllowed(refused.code, words.format(name=name, season=found.state.seasons, league=found.state.name, number=found.id))


def act(
    run: Session, found: LeagueFound, command: c.LeagueCommand, question: str, *, person: Person | None = None, yes: bool, json: bool
) -> None:
    """Ask unless there is nothing to ask, carry a command out, which may be about a person, and say what it came to.

    Before the question, everything is told that would happen.
    """
    if question and not yes:
        with about(found, person):
            would = run.service.leagues.preview(found.id, command, actor=run.actor)
        typer.echo("This would happen:", err=True)
        for words in told_beforehand(would, found):
            typer.echo(f"  {words}", err=True)
    show.confirm(question, yes=yes or not question)
    with about(found, person):
        plan = run.service.leagues.handle(found.id, command, actor=run.actor, cause=run.cause)
    report(run, plan, json=json)


def report(run: Session, plan: LeagueDecision, *, json: bool, then: str = "") -> None:
    """Say what has happened to a league in one decision, and what to do then."""
    first = plan.before.version if plan.before is not None else 0
    # Cut at both ends: the service may have decided more meanwhile.
    told = told_events(run, plan.league)[first : plan.after.version]
    if json:
        show.json(told)
        return
    for event in told:
        show.words(event.what)
    if then:
        show.words(then)


def told_beforehand(would: LeagueDecision, found: LeagueFound) -> Iterator[str]:
    """Yield a sentence for each event of a decision that is not written."""
    state = would.before if not would.heard.events else fold(would.heard.events, would.before)
    for event in would.own:
        yield happened(event, state, found.told)
        state = evolve(state, event)


def told_events(run: Session, league: LeagueId) -> list[LeagueEventTold]:
    """Every event of a league as a sentence."""
    found = load(run, str(league))
    sentences: list[LeagueEventTold] = []
    state: LeagueState | None = None
    for row in run.service.leagues.history(league):
        event: LeagueEvent = row.event
        words = happened(event, state, found.told)
        kind = EVENT_TYPES[type(event)].name
        sentences.append(LeagueEventTold(row.version, row.position, row.at, row.actor, row.cause, kind, words, row.hash.hex()))
        # Only after the sentence, which needs the league as it was before the event.
        state = evolve(state, event)
    return sentences


@show.emits(list[LeagueEventTold])
def set_(
    ctx: typer.Context,
    league: Which,
    assignments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME=VALUE]...", autocompletion=complete.league_settings, help="Settings, as `turnserver league settings` lists them."
        ),
    ] = None,
    *,
    reason: Annotated[str | None, typer.Option(metavar="TEXT", help="Why settings change; it stands in the log.")] = None,
    time: Annotated[str | None, typer.Option(metavar="TEXT", help="The time control of its games from then on, such as `3d`.")] = None,
    visible: Option = None,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Change settings for the seasons to come, while none is announced or played; those that are not named stay. Or say who may see it."""
    run = acting(ctx, by)
    found = load(run, league)
    if visible is not None and (assignments or time is not None):
        raise BadOption("Say who may see the league with a command of its own, because it holds at once: only --visible.")
    if visible is not None and by is not None:
        raise BadOption("Who may see the league is for an admin to say, so leave --as out.")
    if visible is not None:
        run.service.public_pages.show_to("league", found.id, visible.level)
        if json:
            show.json([])
        else:
            typer.echo(f"{found.title}, is now visible to: {league_visibility(run, [found.id])[found.id]}.")
        return
    if reason is None:
        raise BadOption("Say why with --reason TEXT.")
    settings = with_assignments(found.state.for_next.settings, assignments or [])
    with about(found):
        plan = run.service.leagues.change(found.id, c.ChangeSettings(settings, reason, time), actor=run.actor, cause=run.cause)
    report(run, plan, json=json)


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
    run = acting(ctx, by)
    found, person = load(run, league), run.service.people.find(player)
    act(run, found, c.Penalize(person.id, f"-{points}" if back else points, reason), "", person=person, yes=True, json=json)


@show.emits(list[LeagueEventTold])
def reopen(
    ctx: typer.Context, league: Which, *, reason: show.Reason, yes: show.Yes = False, by: By = None, json: show.Json = False
) -> None:
    """Reopen a season that was closed too early, if the next one is not announced yet. Meetings without a result are open again."""
    run = acting(ctx, by)
    found = load(run, league)
    act(run, found, c.ReopenSeason(reason), f"Go on with season {found.season.number} of {found.state.name}?", yes=yes, json=json)


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
    run = acting(ctx, by)
    found, person = load(run, league), run.service.people.find(player)
    chosen = run.service.people.find(other) if other is not None else None
    name = chosen.name if chosen is not None else "the first of the waiting list"
    question = f"Have {name} play on for {person.name} in season {found.state.seasons} of {found.state.name}?"
    coming = chosen.id if chosen is not None else None
    command = c.SubstitutePlayer(person.id, coming, rating, reason, *played_again(found, person, again))
    act(run, found, command, question, person=person, yes=yes, json=json)
