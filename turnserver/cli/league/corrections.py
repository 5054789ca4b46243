"""Where an admin decides: results, substitutes and playoffs."""

from typing import Annotated, Final

import typer

from turnserver.cli import complete
from turnserver.cli.league.changes import Who, Yes, about, act
from turnserver.cli.league.group import LeagueFound, Reason, Which, load
from turnserver.cli.league.history_words import result_told, uncounted
from turnserver.cli.league.shapes import LeagueEventTold
from turnserver.cli.league.status import met
from turnserver.cli.output import show
from turnserver.cli.session import session
from turnserver.errors import NotFound
from turnserver.ids import Burden, GameId
from turnserver.league.commands import DecidePlayoff, SetResult, SubstitutePlayer
from turnserver.league.course import meeting_of
from turnserver.league.guards import fixture_of
from turnserver.league.scoring.marks import OTHER_SIDE, Mark
from turnserver.league.scoring.verdicts import Verdict, by_places
from turnserver.league.state import Fixture

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
    if size > 2 and len(words) == size and all(word.isdecimal() for word in words):
        return by_places([int(word) for word in words])
    unknown = [word for word in words if word not in WORDS]
    if unknown:
        known = ", ".join(f"`{one}`" for one in RESULTS) if size == 2 else "a place for each player, such as `1-2-3`, or `no result`"
        raise typer.BadParameter(f"{text!r} is no result. Write what it was to each player, whoever moved first in front: {known}.")
    marks = tuple(WORDS[word] for word in words)
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
    reason: Reason,
    yes: Yes = False,
    json: show.Json = False,
) -> None:
    """Decide a meeting, or change its result, also when the season is over. If its game still runs, it ends."""
    run = session(ctx)
    found = load(run, league)
    season, fixture = found.season, _fixture(found, meeting)
    marks, places = verdict_of(result, max(len(fixture.players), 2))
    verdict = result_told([found.told.name(season.who(line)) for line in fixture.players], marks, places)
    question = f"{met(found, season, fixture)}: now {verdict}? {uncounted(season, fixture, found.told)}".rstrip()
    act(run, found, SetResult(fixture.number, marks, reason, places), question, yes=yes, json=json)


def _fixture(found: LeagueFound, text: str) -> Fixture:
    """A meeting by its number, or by its game. Raises NotFound."""
    word = text.strip().lower()
    digits = word.removeprefix("game-")
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
    reason: Reason,
    rating: Annotated[
        Burden, typer.Option(help="Whose rating the running games count for: whoever has had the place, the substitute, or nobody.")
    ] = Burden.SEAT,
    yes: Yes = False,
    json: show.Json = False,
) -> None:
    """Have somebody else play on in the place of a player, in all games that run and in those to come, with the same line in the table."""
    run = session(ctx)
    found, person = load(run, league), run.service.player(player)
    chosen = run.service.player(other) if other is not None else None
    name = chosen.name if chosen is not None else "the first of the waiting list"
    question = f"Have {name} play on for {person.name} in season {found.state.seasons} of {found.state.name}?"
    with about(found, person):
        act(
            run, found, SubstitutePlayer(person.id, chosen.id if chosen is not None else None, rating, reason), question, yes=yes, json=json
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
    lines = [season.plays_as(run.service.player(who).id) or run.service.player(who).id for who in players]
    act(run, found, DecidePlayoff(division, tuple(lines)), "", yes=True, json=json)
