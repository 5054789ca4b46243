"""What the log says of a player at a moment of the past."""

from datetime import datetime
from typing import NamedTuple

from turnserver.audit.past.games import summary
from turnserver.audit.past.moments import Moment
from turnserver.ids import PlayerId, player_stream
from turnserver.play.events import PlayerReachable, PlayerUnreachable
from turnserver.play.reliability import Tally, reliability
from turnserver.service.games.ledger import Ledger
from turnserver.store.games.views import GameSummary
from turnserver.store.log import log, trail
from turnserver.store.log.database import Transaction


class PersonThen(NamedTuple):
    """The games in which a player sat then, the newest first; how he had kept to the time; and since when mail had not reached him."""

    games: list[GameSummary]
    tally: Tally
    unreachable_since: datetime | None


def person_then(conn: Transaction, ledger: Ledger, player: PlayerId, then: Moment) -> PersonThen:
    """A player as he was, from nothing but the log. Raises UnknownEvent and Malformed."""
    histories = [(game, then.upto(ledger.history(conn, game))) for game in trail.tables_of(conn, player)]
    begun = [(game, rows) for game, rows in histories if rows]
    rows_of = [summary(game, rows, ledger.find)[1] for game, rows in begun]
    tally = reliability([row.event for row in rows] for _, rows in begun).get(player, Tally())
    since = None
    for row in then.upto(log.load(conn, player_stream(player))):
        if isinstance(row.event, PlayerUnreachable):
            since = row.at
        elif isinstance(row.event, PlayerReachable):
            since = None
    return PersonThen([row for row in reversed(rows_of) if player in row.players], tally, since)
