"""The commands that change a league: its seasons, its players, its results, and the reminders that are sent by hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Final

import typer

from turnserver.cli import complete
from turnserver.cli.league.group import LeagueFound, Which, load
from turnserver.cli.league.shapes import LeagueEventTold
from turnserver.cli.output import show
from turnserver.cli.session import Session, session
from turnserver.config.leagues import with_assignments
from turnserver.errors import NotAllowed, NotFound
from turnserver.ids import Burden, GameId, LeagueId
from turnserver.league import commands as c
from turnserver.league.course import meeting_of
from turnserver.league.events import EVENT_TYPES, LeagueEvent
from turnserver.league.evolve import evolve
from turnserver.league.guards import fixture_of
from turnserver.league.scoring.marks import OTHER_SIDE, Mark
from turnserver.league.scoring.record import Verdict, by_places
from turnserver.league.state import Fixture, LeagueState
from turnserver.mail.outbound.telling.leagues import happened, result_told, uncounted
from turnserver.service.leagues.folds import LeagueDecision
from turnserver.service.leagues.tasks import met
from turnserver.store.people.accounts import Person

Who = Annotated[str, typer.Argument(metavar="PLAYER", autocompletion=complete.players, help="The player's number, name or mail address.")]
Whom = Annotated[
    list[str], typer.Argument(metavar="PLAYER", autocompletion=complete.players, help="Each player's number, name or mail address.")
]

OF_PLAYER: Final = {
    "already_entered": "{name} has entered season {season} of {league} already.",
    "not_entered": "{name} has not entered season {season} of {league}.",
    "already_ready": "{name} is ready for season {season} of {league} already.",
    "not_in_season": "{name} is not in season {season} of {league}.",
    "not_on_ladder": "Both have to be on the ladder of {league}. `turnserver league standings` shows who is.",
    "not_above": "{name} can challenge only players who stand above.",
    "out_of_reach": "{name} cannot challenge somebody who stands so far above. `turnserver league status` shows how far the reach is.",
    "open_already": "There is a challenge between the two already. It is to be played to its end first.",
    "too_many_games": "{name} has as many own challenges as a player may have. One of them is to be played to its end first.",
    "season_full": "Season {season} of {league} has all the players that it takes. {name} can come back when somebody has left.",
    "no_ready_check": "Nobody has been asked yet whether they are there for season {season} of {league}.",
}
"""What refusals say of a player to an admin, by their codes."""
OF_LEAGUE: Final = {
    "season_running": "Season {season} of {league} has begun. `turnserver league substitute` lets somebody play on for a player, "
    "`turnserver league close` ends it.",
    "no_ladder": "{league} is no ladder: nobody challenges there, and who meets is decided by its format.",
    "barred": "The two are barred from meeting in {league}. `turnserver league bar --allow` lets them meet again.",
}
"""What refusals say of a league to an admin, where a player reads what an admin may do."""


@show.emits(list[LeagueEventTold])
def pair(ctx: typer.Context, league: Which, *, json: show.Json = False) -> None:
    """Do now what is due: begin a season, pair the next round, judge what is late, draw lots, close. The service does it by itself too."""
    run = session(ctx)
    found = load(run, league)
    plan = run.service.leagues.check(found.id, actor=run.actor, cause=run.cause)
    report(run, plan, json=json)


@show.emits(list[LeagueEventTold])
def remind(
    ctx: typer.Context,
    league: Which,
    *,
    division: Annotated[str | None, typer.Option(metavar="NAME", help="Only this division, such as 1.2; else all.")] = None,
    json: show.Json = False,
) -> None:
    """Remind everybody now who has not finished the games of a round that has a deadline."""
    run = session(ctx)
    act(run, load(run, league), c.Remind(division), "", yes=True, json=json)


@show.emits(list[LeagueEventTold])
def challenge(
    ctx: typer.Context,
    league: Which,
    player: Who,
    opponent: Annotated[str, typer.Argument(metavar="OPPONENT", autocompletion=complete.players, help="Whose place the player wants.")],
    *,
    json: show.Json = False,
) -> None:
    """Challenge somebody on a ladder for a player, as the player can do with a mail that says `challenge NAME in league-3`."""
    run = session(ctx)
    found, person, other = load(run, league), run.service.people.find(player), run.service.people.find(opponent)
    with about(found, person):
        act(run, found, c.Challenge(person.id, other.id), "", yes=True, json=json)


@show.emits(list[LeagueEventTold])
def close(ctx: typer.Context, league: Which, *, reason: show.Reason, yes: show.Yes = False, json: show.Json = False) -> None:
    """End a season early: games that are not over end without a result."""
    run = session(ctx)
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
    tier: Annotated[int, typer.Argument(min=1, metavar="TIER", help="The tier; 1 is the top.")],
    *,
    reason: show.Reason,
    json: show.Json = False,
) -> None:
    """Have a player in another tier when the next season begins than the tables say. Others make room."""
    run = session(ctx)
    found = load(run, league)
    # Not `decide`: it goes on taking such a move, which changed nothing, so that logs that hold one stay right.
    if len(found.state.for_next.settings.tiers) < 2:
        told = f"{found.state.name} has one tier only, so nobody can be moved. Give it tiers first with `turnserver league set`."
        raise NotAllowed("no_tier", told)
    act(run, found, c.MovePlayer(run.service.people.find(player).id, tier, reason), "", yes=True, json=json)


@show.emits(list[LeagueEventTold])
def bar(
    ctx: typer.Context,
    league: Which,
    player: Who,
    other: Annotated[str, typer.Argument(metavar="OTHER", autocompletion=complete.players, help="Whom that player is not to meet.")],
    *,
    allow: Annotated[bool, typer.Option("--allow", help="Let them meet again.")] = False,
    json: show.Json = False,
) -> None:
    """Keep two players apart from the next round on that is paired."""
    run = session(ctx)
    pair_ = run.service.people.find(player).id, run.service.people.find(other).id
    act(run, load(run, league), c.BarPair(pair_, barred=not allow), "", yes=True, json=json)


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
    return NotAllowed(refused.code, words.format(name=name, season=found.state.seasons, league=found.state.name))


def act(run: Session, found: LeagueFound, command: c.LeagueCommand, question: str, *, yes: bool, json: bool) -> None:
    """Ask unless there is nothing to ask, carry a command out, and say what it came to."""
    show.confirm(question, yes=yes or not question)
    with about(found):
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
    reason: show.Reason,
    time: Annotated[str | None, typer.Option(metavar="TEXT", help="The time control of its games from then on, such as `3d`.")] = None,
    json: show.Json = False,
) -> None:
    """Change settings for the seasons to come, while none is announced or played. Those that are not named stay."""
    run = session(ctx)
    found = load(run, league)
    settings = with_assignments(found.state.for_next.settings, assignments or [])
    plan = run.service.leagues.change(found.id, c.ChangeSettings(settings, reason, time), actor=run.actor, cause=run.cause)
    report(run, plan, json=json)


@show.emits(list[LeagueEventTold])
def penalize(
    ctx: typer.Context,
    league: Which,
    player: Who,
    points: Annotated[str, typer.Argument(metavar="POINTS", help="How many: whole ones or halves, such as 1 or 1/2.")],
    *,
    reason: show.Reason,
    back: Annotated[bool, typer.Option("--back", help="Give back what was taken before.")] = False,
    json: show.Json = False,
) -> None:
    """Take points from a player in the table. `league explain` shows them with their reason."""
    run = session(ctx)
    found, person = load(run, league), run.service.people.find(player)
    with about(found, person):
        act(run, found, c.Penalize(person.id, f"-{points}" if back else points, reason), "", yes=True, json=json)


@show.emits(list[LeagueEventTold])
def reopen(ctx: typer.Context, league: Which, *, reason: show.Reason, yes: show.Yes = False, json: show.Json = False) -> None:
    """Go on with a season that was closed too early, while the next one is not announced. What its end left without a result is open."""
    run = session(ctx)
    found = load(run, league)
    act(run, found, c.ReopenSeason(reason), f"Go on with season {found.season.number} of {found.state.name}?", yes=yes, json=json)


WORDS: Final = {mark.value: mark for mark in Mark if mark in OTHER_SIDE} | {"1": Mark.WIN, "0": Mark.LOSS, "1/2": Mark.DRAW, "½": Mark.DRAW}
"""How marks are written in a result."""
RESULTS: Final = tuple(f"{mark.value}-{other.value}" if mark is not other else mark.value for mark, other in OTHER_SIDE.items())
"""Every result of a game of two, as it is written."""


def verdict_of(text: str, size: int) -> Verdict:
    """Read the result of a meeting of that size: a mark for each player with dashes between, or one for all; places for three and more.

    Raises typer.BadParameter.
    """
    words = [word.strip().lower() for word in text.split("-")]
    if len(words) not in {1, size}:
        raise typer.BadParameter(f"{text!r} is a result of {len(words)}, and {size} play in that meeting.")
    # Only at larger tables: `1-0` is a win between two, and no places.
    if size > 2 and len(words) == size and all(word.isdecimal() for word in words):
        return by_places([int(word) for word in words])
    unknown = [word for word in words if word not in WORDS]
    if unknown:
        known = ", ".join(f"`{one}`" for one in RESULTS) if size == 2 else "a place for each player, such as `1-2-3`, or `no result`"
        raise typer.BadParameter(f"{text!r} is no result. Write what it was to each player, whoever moved first in front: {known}.")
    marks = tuple(WORDS[word] for word in words)
    # A single word, such as `draw`, is meant for everybody.
    return Verdict(marks if len(marks) == size else marks * size)


@show.emits(list[LeagueEventTold])
def correct(
    ctx: typer.Context,
    league: Which,
    meeting: Annotated[str, typer.Argument(metavar="MEETING", help="The number of the meeting in the season, or of its game as game-17.")],
    result: Annotated[
        str,
        typer.Argument(
            metavar="RESULT",
            autocompletion=complete.results,
            help="What it was to whoever moved first, a dash, and what to the other: win-loss, draw ...; at a larger table places: 1-2-3.",
        ),
    ],
    *,
    reason: show.Reason,
    yes: show.Yes = False,
    json: show.Json = False,
) -> None:
    """Decide a meeting, or change its result, also when the season is over. If its game still runs, it ends."""
    run = session(ctx)
    found = load(run, league)
    season, fixture = found.season, _fixture(found, meeting)
    marks, places = verdict_of(result, max(len(fixture.players), 2))
    verdict = result_told([found.told.name(season.who(line)) for line in fixture.players], marks, places)
    question = f"{met(found.told, season, fixture)}: now {verdict}? {uncounted(season, fixture, found.told)}".rstrip()
    act(run, found, c.SetResult(fixture.number, marks, reason, places), question, yes=yes, json=json)


def _fixture(found: LeagueFound, text: str) -> Fixture:
    """A meeting by its number, or by its game. Raises NotFound."""
    word = text.strip().lower()
    digits = word.removeprefix("game-")
    # `isdigit` alone takes a superscript, which is no number to `int`.
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise typer.BadParameter(f"{text!r} is not the number of a meeting, such as 4, or of its game, such as game-17.")
    if digits == word:
        return fixture_of(found.season, int(digits))
    fixture = meeting_of(found.season, GameId(int(digits)))
    if fixture is None:
        raise NotFound(f"Game {digits} does not belong to season {found.season.number} of {found.state.name}.")
    return fixture


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
            help="Who plays on, somebody who is not in the season; else the first of its waiting list.",
        ),
    ] = None,
    *,
    reason: show.Reason,
    rating: Annotated[
        Burden, typer.Option(help="Whose rating the running games count for: whoever has had the place, the substitute, or nobody.")
    ] = Burden.SEAT,
    yes: show.Yes = False,
    json: show.Json = False,
) -> None:
    """Have somebody else play on in the place of a player, in all games that run and in those to come, with the same line in the table."""
    run = session(ctx)
    found, person = load(run, league), run.service.people.find(player)
    chosen = run.service.people.find(other) if other is not None else None
    name = chosen.name if chosen is not None else "the first of the waiting list"
    question = f"Have {name} play on for {person.name} in season {found.state.seasons} of {found.state.name}?"
    with about(found, person):
        act(
            run,
            found,
            c.SubstitutePlayer(person.id, chosen.id if chosen is not None else None, rating, reason),
            question,
            yes=yes,
            json=json,
        )


@show.emits(list[LeagueEventTold])
def playoff(
    ctx: typer.Context,
    league: Which,
    division: Annotated[str, typer.Argument(metavar="DIVISION", help="The name of the division, such as 1.2; 1 if there is one only.")],
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER", autocompletion=complete.players, help="All who were tied, the best first: number, name or address."
        ),
    ],
    *,
    json: show.Json = False,
) -> None:
    """Enter what came of a playoff between players who share a place when everything else is played. `league status` says when."""
    run = session(ctx)
    found = load(run, league)
    season = found.season
    # Places are those of lines: whoever plays on for somebody is named by that player's.
    lines = [season.plays_as(run.service.people.find(who).id) or run.service.people.find(who).id for who in players]
    act(run, found, c.DecidePlayoff(division, tuple(lines)), "", yes=True, json=json)
