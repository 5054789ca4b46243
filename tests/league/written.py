"""Seasons written down by hand: who met whom in which round, who moved first, and what came of it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import TypeAlias

from turnserver.ids import GameId, PlayerId
from turnserver.league import events as e
from turnserver.league.evolve import fold
from turnserver.league.scoring.marks import OTHER_SIDE, Mark
from turnserver.league.settings import Settings, complete
from turnserver.league.state import LeagueState, Season

ADA, BOB, CLEO, DAN, EVE = map(PlayerId, (11, 12, 13, 14, 15))
NAMES: Mapping[PlayerId, str] = {ADA: "Ada", BOB: "Bob", CLEO: "Cleo", DAN: "Dan", EVE: "Eve"}
BEGUN = datetime(2025, 3, 1, 12, tzinfo=UTC)

Game: TypeAlias = "tuple[PlayerId, PlayerId, Mark | None] | PlayerId"
"""The player who moved first, the one who moved second, and the mark of the first, None while it is played; or the one who has a bye."""


def season(state: LeagueState) -> Season:
    """The season of a league that has one."""
    assert state.season
    return state.season


def written(
    settings: Settings,
    divisions: Mapping[str, tuple[Sequence[PlayerId], Sequence[Sequence[Game]]]],
    then: Sequence[e.LeagueEvent] = (),
    start: Mapping[PlayerId, str] | None = None,
) -> LeagueState:
    """A league in its first season: for each division its players in order and its rounds; `then` happens at the end."""
    players = [player for those, _ in divisions.values() for player in those]
    parts = tuple(
        e.Division(
            name=name,
            tier=int(name.split(".")[0]),
            players=tuple(those),
            start=tuple((start or {}).get(one, "0") for one in those),
            ratings=(1500.0,) * len(those),
        )
        for name, (those, _) in divisions.items()
    )
    events: list[e.LeagueEvent] = [
        e.LeagueOpened(name="Winter", game="take", options={}, time="", settings=complete(settings)),
        e.SeasonAnnounced(season=1, entries_until=None, commitment="0" * 64),
        *(e.PlayerEntered(player=player, rating=1500.0) for player in players),
        e.SeasonStarted(at=BEGUN, divisions=parts, moves=(), odd_first=True),
    ]
    numbers = count(1)
    for name, (_, rounds) in divisions.items():
        for at, games in enumerate(rounds, 1):
            events += _round(name, at, games, numbers)
    return fold([*events, *then])


def _round(division: str, at: int, games: Sequence[Game], numbers: "count[int]") -> list[e.LeagueEvent]:
    numbered = [(next(numbers), (game,) if isinstance(game, int) else game) for game in games]
    meetings = tuple(e.Meeting(number=number, players=game[:2]) for number, game in numbered)
    events: list[e.LeagueEvent] = [e.RoundPaired(division=division, round=at, meetings=meetings, deadline=None)]
    for number, game in numbered:
        if len(game) == 3:
            events.append(e.GameAttached(meeting=number, game=GameId(100 + number)))
            if game[2] is not None:
                marks = (game[2], OTHER_SIDE[game[2]])
                events.append(e.ResultRecorded(meeting=number, marks=marks, at=BEGUN + timedelta(days=7 * at), by=e.DecidedBy.GAME))
    return events


def one(settings: Settings, players: Sequence[PlayerId], *rounds: Sequence[Game], then: Sequence[e.LeagueEvent] = ()) -> LeagueState:
    """A league of one division."""
    return written(settings, {"1": (players, rounds)}, then)


def closed(*tables: e.FinalTable) -> e.SeasonClosed:
    """The end of a season."""
    return e.SeasonClosed(tables=tables, secret="0" * 64, next_at=None)
