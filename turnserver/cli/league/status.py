"""The status of a league: the shapes that `turnserver league show` prints, and the tasks of an admin."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType

import msgspec

from turnserver import games
from turnserver.cli.league.group import LeagueFound
from turnserver.cli.league.shapes import LeagueBye, LeagueDetails, LeagueDivision, LeagueEntry, LeagueMeeting, LeagueRole, LeagueSeason
from turnserver.cli.output.shapes import chosen
from turnserver.ids import GameId, PlayerId
from turnserver.league.byes import byes_to_come
from turnserver.league.course import due
from turnserver.league.entering import waiting
from turnserver.league.state import Fixture, LeagueState, Season
from turnserver.service.leagues.tasks import tasks
from turnserver.store.games.views import GameSummary


def details(
    found: LeagueFound, running: Mapping[GameId, GameSummary], visible: str, claims: Mapping[GameId, str] = MappingProxyType({})
) -> LeagueDetails:
    """A league with everything that holds now. `claims` are sentences about claims that wait, in any games."""
    state, season = found.state, found.state.season
    return LeagueDetails(
        id=found.id,
        name=state.name,
        game=state.game,
        options=dict(state.options),
        time=state.time,
        settings=msgspec.to_builtins(state.settings),
        season=None if season is None else _season(found, season, running),
        seasons=state.seasons,
        next_at=state.next_at,
        due_at=due(state),
        directors=[LeagueRole(player, found.told.name(player), sorted(roles)) for player, roles in sorted(state.roles.items())],
        barred=[sorted(pair) for pair in sorted(state.barred, key=sorted)],
        to_do=list(to_do(found, claims)),
        version=state.version,
        visible=visible,
    )


def _season(found: LeagueFound, season: Season, running: Mapping[GameId, GameSummary]) -> LeagueSeason:
    late = waiting(found.state, season)
    name = found.told.name
    return LeagueSeason(
        number=season.number,
        phase="cancelled" if season.cancelled else season.phase.value,
        entries_until=season.entries_until,
        ready_until=season.ready_until,
        started_at=season.started_at,
        entries=[LeagueEntry(one.player, name(one.player), one.rating, one.ready, one.player in late) for one in season.entries],
        divisions=[
            LeagueDivision(one.name, one.tier, list(one.players), [name(season.who(player)) for player in one.players])
            for one in season.divisions
        ],
        meetings=[_meeting(found, season, fixture, running) for fixture in season.fixtures if not fixture.void],
        withdrawn=list(season.withdrawn),
        byes=[LeagueBye(line, number, str(worth)) for line, number, worth in byes_asked(season)],
    )


def byes_asked(season: Season) -> list[tuple[PlayerId, int, Fraction]]:
    """Return the byes that were asked for in rounds that are not paired yet: the line, the round, and the points.

    Whoever has left, or is not in a season that has begun, has none.
    """
    there = {line for division in season.divisions for line in division.players} or {entry.player for entry in season.entries}
    lines = dict.fromkeys(line for line, _ in sorted(season.byes) if line in there and line not in season.withdrawn)
    return [(line, number, worth) for line in lines for number, worth in byes_to_come(season, line).items()]


def _meeting(found: LeagueFound, season: Season, fixture: Fixture, running: Mapping[GameId, GameSummary]) -> LeagueMeeting:
    row = running.get(fixture.game) if fixture.game is not None else None
    players = [season.who(line) for line in fixture.players]
    return LeagueMeeting(
        number=fixture.number,
        division=fixture.division,
        round=fixture.round,
        players=[*players],
        player_names=[found.told.name(player) for player in players],
        game=fixture.game,
        deadline=fixture.deadline,
        marks=[mark.value for mark in fixture.marks],
        at=fixture.at,
        by=fixture.by.value if fixture.by is not None else None,
        overdue=fixture.overdue and not fixture.marks,
        turn=row.turn if row else None,
        to_move=row.players[row.to_move - 1] if row and row.to_move is not None else None,
        turn_deadline=row.deadline if row else None,
    )


def played_as(state: LeagueState) -> str:
    """`Take (size 5), round robin, 3d`."""
    game = f"{games.entry(state.game).title} ({chosen(state.options)})" if state.options else games.entry(state.game).title
    return ", ".join(filter(None, (game, state.settings.format.value, state.time)))


def to_do(found: LeagueFound, claims: Mapping[GameId, str]) -> Iterator[str]:
    """Yield a sentence for each thing that waits for an admin, with the command for it; of `claims`, those in games of its season."""
    season = found.state.season
    yield from tasks(found.id, found.state, found.told, found.silent)
    games = {fixture.game for fixture in season.fixtures} if season is not None else set()
    yield from (says for game, says in claims.items() if game in games)
