"""`turnserver league`: the group of the commands about leagues, how they name one, and a league as they look at it."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Annotated, Final, NamedTuple

import typer

from turnserver.audit.past import LogMoment
from turnserver.cli import complete
from turnserver.cli.output import moments
from turnserver.cli.session import Session, session
from turnserver.errors import NotFound
from turnserver.ids import LeagueId, PlayerId
from turnserver.league.events import Division
from turnserver.league.evolve import fold
from turnserver.league.state import LeagueState, Season
from turnserver.mail.outbound.telling.leagues import LeagueTeller
from turnserver.play.clock.live_time import zone_of
from turnserver.service.leagues.folds import at_season
from turnserver.store.people.accounts import Person
from turnserver.text import listing

Which = Annotated[
    str, typer.Argument(metavar="LEAGUE", autocompletion=complete.leagues, help="The league's number, such as 3 or league-3, or its name.")
]
DivisionOf = Annotated[str | None, typer.Option("--division", metavar="NAME", help="Only this division, such as 1.2; else all.")]
SeasonOf = Annotated[int | None, typer.Option("--season", min=1, metavar="N", help="This season; else the latest one.")]

By = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="PERSON",
        autocompletion=complete.players,
        help="Act as this director of the league, who needs a role that allows it: a number, name or mail address.",
    ),
]

SPAN: Final = re.compile(r"(?P<number>[0-9]{1,4}) ?(?P<unit>d|days?|h|hours?|w|weeks?)")
_FARTHEST: Final = 100
"""The most years between now and a day that is written."""


class LeagueFound(NamedTuple):
    """A league as it is, or as it was in an earlier season or at the moment `then`.

    With it comes what players are called today, and who of them wants no mail, which is not known of the past.
    """

    id: LeagueId
    state: LeagueState
    names: Mapping[PlayerId, str]
    zone: str
    silent: frozenset[PlayerId]
    then: LogMoment | None = None

    @property
    def title(self) -> str:
        """`League 3, Take Winter`."""
        return f"League {self.id}, {self.state.name}"

    @property
    def told(self) -> LeagueTeller:
        """Return the names and the zone that sentences about the league need."""
        return LeagueTeller(self.names, self.zone)

    @property
    def season(self) -> Season:
        """Its season. Raises NotFound if there is none."""
        if self.state.season is None:
            raise NotFound(f"{self.title}, has no season yet. `turnserver league open {self.id}` announces one.")
        return self.state.season

    def divisions(self, name: str | None = None) -> tuple[Division, ...]:
        """The divisions of its season, or the one of that name. Raises NotFound."""
        season = self.season
        if not season.divisions:
            raise NotFound(f"Season {season.number} of {self.state.name} has not begun, so there is no table yet.")
        found = tuple(division for division in season.divisions if name in {None, division.name})
        if not found:
            known = listing([division.name for division in season.divisions], "and")
            raise NotFound(f"There is no division {name!r} in season {season.number} of {self.state.name}. It has {known}.")
        return found

    def division_of(self, player: PlayerId) -> Division:
        """Return the division that a player is in, with a place of their own or as a substitute. Raises NotFound."""
        season = self.season
        for division in season.divisions:
            if any(player in {line, season.who(line)} for line in division.players):
                return division
        known = f"`turnserver league show {self.id}` lists who is."
        raise NotFound(f"{self.told.name(player)} is not in season {season.number} of {self.state.name}. {known}")


def load(run: Session, league: str, season: int | None = None, at: str | None = None) -> LeagueFound:
    """Return a league as it is, as it was at the end of an earlier season, or as its log was at a moment as `--at` takes it.

    Raises NotFound and BadOption.
    """
    leagues = run.service.leagues
    number = leagues.find(league)
    people = run.service.people.everybody()
    names, zone = {one.id: one.name for one in people}, run.settings.site.zone
    if at is None:
        # The present includes what games have come to and the league has not recorded yet.
        state = leagues.state(number) if season is None else at_season(leagues.history(number), season)
        return LeagueFound(number, state, names, zone, _silent(people))
    rows = leagues.history(number)
    with run.service.db.read() as conn:
        then = moments.stream_moment(run, conn, rows, at, f"League {number}")
    happened = rows if then is None else then.upto(rows)
    state = fold(row.event for row in happened) if season is None else at_season(happened, season)
    # Who wants no mail is a setting of an account, and accounts have no past.
    return LeagueFound(number, state, names, zone, frozenset(), then)


def acting(ctx: typer.Context, league: str, by: str | None) -> tuple[Session, LeagueFound]:
    """Return the run that a command about a league belongs to, whose actor is that person if there is one, and the league.

    Raises NotFound.
    """
    run = session(ctx)
    if by is not None:
        run.act_as(run.service.people.find(by).id)
    return run, load(run, league)


def load_all(run: Session) -> list[LeagueFound]:
    """Return all leagues as they are, by their numbers, without those that are archived."""
    states, people = run.service.leagues.states(), run.service.people.everybody()
    names, silent = {one.id: one.name for one in people}, _silent(people)
    return [LeagueFound(league, state, names, run.settings.site.zone, silent) for league, state in states.items() if not state.archived]


def _silent(people: Iterable[Person]) -> frozenset[PlayerId]:
    return frozenset(one.id for one in people if not one.preferences.subscribed)


def instant_of(run: Session, text: str, *, starts: bool = False) -> datetime:
    """Return the instant, in UTC, that an admin has written as a day, a day and an hour, or a span from now on.

    A day is its end, as a deadline; or its beginning if something `starts` then.

    Raises typer.BadParameter.
    """
    zone, now = zone_of(run.settings.site.zone), run.service.clock()
    if SPAN.fullmatch(text.strip().lower()):
        return _near(now + span(text), now, text)
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise typer.BadParameter(f"{text!r} isn't a time such as 2026-12-01, '2026-12-01 18:00' or 14d.") from error
    _near(at, now, text)
    # Entries until the first of December are open on all of that day.
    # The length tells a day from an instant: once it is parsed, a day has an hour too.
    if len(text.strip()) <= len("2026-12-01"):
        at = datetime.combine(at.date() + timedelta(days=0 if starts else 1), time())
    return (at if at.tzinfo else at.replace(tzinfo=zone)).astimezone(UTC)


def _near(at: datetime, now: datetime, text: str) -> datetime:
    # where the calendar begins and ends, no time can be added or told in another zone
    if abs(at.year - now.year) > _FARTHEST:
        raise typer.BadParameter(f"{text!r} is more than {_FARTHEST} years away.")
    return at


def span(text: str) -> timedelta:
    """Return the time that `14d`, `36h` or `2 weeks` stands for. Raises typer.BadParameter."""
    found = SPAN.fullmatch(text.strip().lower())
    if found is None:
        raise typer.BadParameter(f"{text!r} isn't a time such as 14d, 36h or 2w.")
    return timedelta(**{{"d": "days", "h": "hours", "w": "weeks"}[found["unit"][0]]: int(found["number"])})
