"""The status of a league: the shapes that `turnserver league status` prints, and the tasks of an admin."""

import shlex
from collections.abc import Iterator, Mapping

import msgspec

from turnserver import games
from turnserver.cli.league.group import LeagueFound
from turnserver.cli.league.shapes import League, LeagueDetails, LeagueDivision, LeagueEntry, LeagueMeeting, LeagueSeason
from turnserver.cli.output.shapes import chosen
from turnserver.ids import GameId
from turnserver.league.closing import is_played, playoffs_due
from turnserver.league.course import due
from turnserver.league.entering import waiting
from turnserver.league.pairing import openable
from turnserver.league.state import Fixture, LeagueState, Phase, Season
from turnserver.mail.outbound.telling.leagues import result_told
from turnserver.store.games.views import GameSummary
from turnserver.store.leagues.views import LeagueSummary

NO_SEASON = "none"
"""The phase of a league that has no season."""


def as_league(row: LeagueSummary) -> League:
    """A league's row as JSON has it."""
    phase = row.phase.value if row.phase is not None else NO_SEASON
    return League(row.id, row.name, row.game, row.season, phase, row.due_at, row.opened_at, row.version)


def details(found: LeagueFound, running: Mapping[GameId, GameSummary]) -> LeagueDetails:
    """A league with everything that holds now."""
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
        barred=[sorted(pair) for pair in sorted(state.barred, key=sorted)],
        to_do=list(to_do(found)),
        version=state.version,
    )


def _season(found: LeagueFound, season: Season, running: Mapping[GameId, GameSummary]) -> LeagueSeason:
    late = waiting(found.state, season)
    name = found.told.name
    return LeagueSeason(
        number=season.number,
        phase=season.phase.value,
        entries_until=season.entries_until,
        ready_until=season.ready_until,
        started_at=season.started_at,
        entries=[LeagueEntry(one.player, name(one.player), one.rating, one.ready, one.player in late) for one in season.entries],
        divisions=[
            LeagueDivision(one.name, one.tier, list(one.players), [name(season.who(player)) for player in one.players])
            for one in season.divisions
        ],
        meetings=[_meeting(found, season, fixture, running) for fixture in season.fixtures],
        withdrawn=list(season.withdrawn),
    )


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


def to_do(found: LeagueFound) -> Iterator[str]:
    """Yield a sentence for each thing that waits for an admin, with the command for it."""
    state, season, number = found.state, found.state.season, found.id
    if season is None or season.phase is Phase.CLOSED:
        if state.next_at is None:
            yield f"No season is announced. `turnserver league open {number}` opens entries for the next one."
    elif season.phase is not Phase.RUNNING:
        # Entries with an end close by themselves.
        if season.phase is Phase.ENTRIES and season.entries_until is None:
            yield f"Season {season.number} begins when you say so: `turnserver league start {number}`."
    else:
        yield from _running(found, state, season)


def _running(found: LeagueFound, state: LeagueState, season: Season) -> Iterator[str]:
    told = found.told
    for fixture in season.fixtures:
        if fixture.overdue and not fixture.marks:
            yield (
                f"{met(found, season, fixture)} was to be over by {told.at(fixture.deadline) if fixture.deadline else 'now'}. Decide it: "
                f"`turnserver league correct {found.id} {fixture.number} win-loss --reason TEXT`."
            )
    # A game is opened only where everybody can be written to.
    for fixture in openable(state, season):
        silent = [season.who(line) for line in fixture.players if season.who(line) in found.silent]
        if silent:
            # The command is there to be copied into a shell, and names have spaces.
            name = shlex.quote(told.name(silent[0]))
            yield (
                f"{met(found, season, fixture)}, has no game, as {told.all(silent)} {'wants' if len(silent) == 1 else 'want'} no mail. "
                f"`turnserver player set {name} subscribed on`, or `turnserver league substitute {found.id} {name} PLAYER --reason TEXT`."
            )
    # Before that, players who share a place can still part by their games.
    if is_played(state, season):
        for division, one in playoffs_due(state, season):
            where = f" of division {division.name}" if len(season.divisions) > 1 else ""
            names = " ".join(shlex.quote(told.name(season.who(line))) for line in one.players)
            yield (
                f"{told.all(season.who(line) for line in one.players)} share place {one.place}{where} and have to "
                f"play it out. Then: `turnserver league playoff {found.id} {division.name} {names}`, the best first."
            )


def met(found: LeagueFound, season: Season, fixture: Fixture) -> str:
    """`Meeting 4, Ada - Bob (game 17)`, or with its result."""
    players = [found.told.name(season.who(line)) for line in fixture.players]
    game = f" (game {fixture.game})" if fixture.game is not None else ""
    return (
        f"Meeting {fixture.number}, {result_told(players, fixture.marks, fixture.places) if fixture.marks else ' - '.join(players)}{game}"
    )
