"""The record of a game, with what its history does not say: names, the league and its round, the days."""

from collections.abc import Sequence
from itertools import takewhile

from turnserver.ids import GameId, PlayerId, Recorded, league_stream
from turnserver.league.course import meeting_of
from turnserver.league.events import GameAttached, LeagueEvent
from turnserver.league.evolve import fold as fold_league
from turnserver.play.events import GameEnded, GameEvent, GameStarted
from turnserver.play.state import GameState
from turnserver.records.making import Circumstances, record_of
from turnserver.records.record import Record
from turnserver.store.leagues import views as leagues
from turnserver.store.log import log
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people


def record(conn: Transaction, game: GameId, state: GameState, history: Sequence[Recorded[GameEvent]], site: str) -> Record:
    """The record of a game that stands in `state` after this history, played at this `site`. Days are those of UTC."""
    began = next((row.at for row in history if isinstance(row.event, GameStarted)), None)
    ended = next((row.at for row in reversed(history) if isinstance(row.event, GameEnded)), None) if state.result else None
    event, round_ = _meeting(conn, game)
    about = Circumstances(
        names=_names(conn),
        event=event,
        site=site,
        round=round_,
        began=began,
        ended=ended,
        digest=history[-1].hash.hex(),
    )
    return record_of(state, [row.event for row in history], about)


def _names(conn: Transaction) -> dict[PlayerId, str]:
    return {person.id: person.name for person in people.list_players(conn)}


def _meeting(conn: Transaction, game: GameId) -> tuple[str, str]:
    """`Club league, season 2` and the round, of a game that belongs to a league."""
    where = leagues.meeting_of(conn, game)
    if where is None:
        return "", ""
    rows: list[Recorded[LeagueEvent]] = log.load(conn, league_stream(where.league))
    attached = next((row.version for row in rows if isinstance(row.event, GameAttached) and row.event.game == game), 0)
    state = fold_league(row.event for row in takewhile(lambda row: row.version <= attached, rows))
    fixture = meeting_of(state.season, game) if state.season else None
    name = f"{state.name}, season {where.season}"
    return (f"{name}, division {fixture.division}", str(fixture.round)) if fixture else (name, "")
