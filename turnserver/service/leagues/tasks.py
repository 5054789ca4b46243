"""The decisions that a league waits for, as sentences for an admin with the command for each."""

import shlex
from collections.abc import Collection, Iterator

from turnserver.ids import LeagueId, PlayerId
from turnserver.league.approving import waiting_for_approval
from turnserver.league.closing import is_played, playoffs_due
from turnserver.league.pairing import by_round
from turnserver.league.state import Fixture, LeagueState, Phase, Season
from turnserver.mail.outbound.telling.leagues import LeagueTeller, result_told


def tasks(league: LeagueId, state: LeagueState, told: LeagueTeller, silent: Collection[PlayerId]) -> Iterator[str]:
    """Yield a sentence for each thing that an announced or running season waits for. Players in `silent` want no mail."""
    season = state.season
    if season is None or season.phase is Phase.CLOSED:
        return
    if season.paused_at is not None:
        since = told.at(season.paused_at)
        yield f"Season {season.number} is paused since {since}. `turnserver league resume {league} --reason TEXT` goes on."
    if season.phase is Phase.RUNNING:
        yield from _to_approve(league, state, season, told)
        yield from _overdue(league, season, told)
        yield from _without_mail(league, season, told, silent)
        yield from _tied(league, state, season, told)
    # Entries with an end close by themselves.
    elif season.phase is Phase.ENTRIES and season.entries_until is None:
        yield f"Season {season.number} begins when you say so: `turnserver league start {league}`."


def _to_approve(league: LeagueId, state: LeagueState, season: Season, told: LeagueTeller) -> Iterator[str]:
    waits = waiting_for_approval(season)
    ends = [one.held_until for one in waits] if waits else [season.tables_held_until]
    until = f" By itself on {told.at(ends[0])}." if ends[0] is not None else ""
    for name, number in by_round(waits):
        where = f" of division {name}" if len(season.divisions) > 1 else ""
        yield f"Round {number}{where} is paired. `turnserver league approve {league}` lets its games begin.{until}"
    if not waits and season.tables_held and is_played(state, season):
        yield f"Everything is played. `turnserver league approve {league}` makes the tables final.{until}"


def _overdue(league: LeagueId, season: Season, told: LeagueTeller) -> Iterator[str]:
    for fixture in season.fixtures:
        if fixture.overdue and not fixture.marks:
            yield (
                f"{met(told, season, fixture)} was to be over by {told.at(fixture.deadline) if fixture.deadline else 'now'}. Decide it: "
                f"`turnserver league result {league} {fixture.number} win-loss --reason TEXT`."
            )


def _without_mail(league: LeagueId, season: Season, told: LeagueTeller, silent: Collection[PlayerId]) -> Iterator[str]:
    # Their games are opened all the same.
    playing = dict.fromkeys(season.who(line) for one in season.fixtures if not one.marks for line in one.players)
    for player in playing:
        if player in silent:
            # The command is there to be copied into a shell, and names have spaces.
            name = shlex.quote(told.name(player))
            yield (
                f"{told.name(player)} has games and wants no mail, and so loses them on time. "
                f"`turnserver player set {name} subscribed on`, "
                f"`turnserver league substitute {league} {name} PLAYER --reason TEXT`, "
                f"or `turnserver league withdraw {league} {name}`."
            )


def _tied(league: LeagueId, state: LeagueState, season: Season, told: LeagueTeller) -> Iterator[str]:
    # Before that, players who share a place can still part by their games.
    if is_played(state, season):
        for division, one in playoffs_due(state, season):
            where = f" of division {division.name}" if len(season.divisions) > 1 else ""
            names = " ".join(shlex.quote(told.name(season.who(line))) for line in one.players)
            yield (
                f"{told.all(season.who(line) for line in one.players)} share place {one.place}{where} and have to "
                f"play it out. Then: `turnserver league playoff {league} {division.name} {names}`, the best first."
            )


def met(told: LeagueTeller, season: Season, fixture: Fixture) -> str:
    """Return `Meeting 4, Ada - Bob (game 17)`, or the same with its result."""
    players = [told.name(season.who(line)) for line in fixture.players]
    game = f" (game {fixture.game})" if fixture.game is not None else ""
    return (
        f"Meeting {fixture.number}, {result_told(players, fixture.marks, fixture.places) if fixture.marks else ' - '.join(players)}{game}"
    )
