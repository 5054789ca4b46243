"""The commands that enter results into a league: of a meeting, and of a playoff."""

from collections.abc import Sequence
from typing import Annotated, Final

import typer

from turnserver.cli import complete
from turnserver.cli.league.changes import act
from turnserver.cli.league.group import LeagueFound, Which, load
from turnserver.cli.league.shapes import LeagueEventTold
from turnserver.cli.output import show
from turnserver.cli.results import parted
from turnserver.cli.session import Session, session
from turnserver.errors import BadOption, NotFound
from turnserver.ids import GameId, PlayerId
from turnserver.league import commands as c
from turnserver.league.course import meeting_of
from turnserver.league.guards import fixture_of
from turnserver.league.pairing_again import later_round
from turnserver.league.scoring.marks import OTHER_SIDE, Mark
from turnserver.league.scoring.record import Verdict, by_places
from turnserver.league.state import Fixture
from turnserver.mail.outbound.telling.leagues import result_told, uncounted
from turnserver.service.leagues.tasks import met
from turnserver.text import listing

WORDS: Final = {mark.value: mark for mark in Mark if mark in OTHER_SIDE} | {"1": Mark.WIN, "0": Mark.LOSS, "1/2": Mark.DRAW, "½": Mark.DRAW}
"""The words for marks in a result."""
RESULTS: Final = tuple(f"{mark.value}-{other.value}" if mark is not other else mark.value for mark, other in OTHER_SIDE.items())
"""Every result of a game of two, as it is written."""


def verdict_of(text: str, size: int) -> Verdict:
    """Read the result of a meeting of that size: a mark for each player with dashes between, or one for all; places for three and more.

    Between two, `win` and `loss` alone are those of the first.

    Raises typer.BadParameter.
    """
    words = [word.strip().lower() for word in text.split("-")]
    if size == 2 and len(words) == 1 and WORDS.get(words[0]) in {Mark.WIN, Mark.LOSS}:
        first = WORDS[words[0]]
        return Verdict((first, OTHER_SIDE[first]))
    if len(words) not in {1, size}:
        raise typer.BadParameter(f"{text!r} has {len(words)} results, but {size} players are in that meeting.")
    # Only at larger tables: `1-0` is a win between two, and no places.
    if size > 2 and len(words) == size and all(word.isdecimal() for word in words):
        return by_places([int(word) for word in words])
    unknown = [word for word in words if word not in WORDS]
    if unknown:
        known = ", ".join(f"`{one}`" for one in RESULTS) if size == 2 else "a place for each player, such as `1-2-3`, or `no result`"
        raise typer.BadParameter(f"{text!r} isn't a result. Write one word per player, whoever moved first in front: {known}.")
    marks = tuple(WORDS[word] for word in words)
    # A single word, such as `draw`, is meant for everybody.
    return Verdict(marks if len(marks) == size else marks * size)


@show.emits(list[LeagueEventTold])
def result(
    ctx: typer.Context,
    league: Which,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="MEETING RESULT",
            autocompletion=complete.results,
            help="The meeting, by its players, its number, or its game as game-17. Then the result of the player named "
            "first, else of the first mover: `win`, `loss`, `draw` or `no result`; for both players, such as `win "
            "by forfeit-forfeit`; at a larger table the places, such as 1-2-3.",
        ),
    ],
    *,
    reason: show.Reason,
    yes: show.Yes = False,
    json: show.Json = False,
) -> None:
    """Decide a meeting or change its result, even after the season: `Ada Bob win`. If its game still runs, the game ends."""
    run = session(ctx)
    found = load(run, league)
    named, how = parted(words)
    if not named:
        raise BadOption("Name the meeting, by its players or its number, and then the result, as in `Ada Bob win`.")
    season = found.season
    if len(named) == 1:
        fixture = _fixture(found, named[0])
        verdict = verdict_of(how, max(len(fixture.players), 2))
    else:
        fixture, verdict = _between(run, found, named, how)
    said = result_told([found.told.name(season.who(line)) for line in fixture.players], verdict.marks, verdict.places)
    question = f"{met(found.told, season, fixture)}: now {said}? {uncounted(season, fixture, found.told)}".rstrip()
    if (later := later_round(found.state, season, fixture)) is not None:
        again = f"turnserver league pair {found.id} --again --division {fixture.division}"
        question += f" Round {later} is paired already and stays; `{again}` pairs it anew while no game of it is over."
    act(run, found, c.SetResult(fixture.number, verdict.marks, reason, verdict.places), question, yes=yes, json=json)


def _between(run: Session, found: LeagueFound, named: Sequence[str], how: str) -> tuple[Fixture, Verdict]:
    """Return the meeting of these players, and its result with them in the order of the meeting. Raises NotFound and BadOption."""
    season, people = found.season, [run.service.people.find(who).id for who in named]
    theirs = [one for one in season.fixtures if not one.void and sorted(map(season.who, one.players)) == sorted(people)]
    who = found.told.all(people)
    if not theirs:
        raise NotFound(f"{who} don't play each other in season {season.number} of {found.state.name}.")
    # If they meet several times, the meeting that has no result is most likely meant.
    meant = [one for one in theirs if not one.marks] or theirs
    if len(meant) > 1:
        numbers = listing([str(one.number) for one in meant], "and")
        raise BadOption(f"{who} meet more than once here, in meetings {numbers}. Give a number, with the result for whoever moved first.")
    [fixture] = meant
    verdict = verdict_of(how, len(people))
    order: list[PlayerId] = [season.who(line) for line in fixture.players]
    at = [people.index(player) for player in order]
    return fixture, Verdict(tuple(verdict.marks[one] for one in at), tuple(verdict.places[one] for one in at) if verdict.places else ())


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
    json: show.Json = False,
) -> None:
    """Enter the result of a playoff between players who share a place at the end. `league show` says when one is needed."""
    run = session(ctx)
    found = load(run, league)
    season = found.season
    # Places are those of lines: whoever plays on for somebody is named by that player's.
    lines = [season.plays_as(run.service.people.find(who).id) or run.service.people.find(who).id for who in players]
    act(run, found, c.DecidePlayoff(division, tuple(lines)), "", yes=True, json=json)
