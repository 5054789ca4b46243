"""Proof that ratings are what the log says: results are gathered from it anew, and folded anew, and compared with what is kept."""

from collections.abc import Iterator
from datetime import UTC, datetime
from math import isclose

from turnserver.errors import TurnserverError
from turnserver.ids import game_stream, league_stream
from turnserver.league.scoring.ratings import Moment, month_began
from turnserver.league.scoring.ratings import ratings as fold
from turnserver.store.leagues import ratings as kept
from turnserver.store.leagues import results
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Transaction
from turnserver.store.log.verify import Finding

CLOSE = 1e-9
"""How much figures may differ: another machine may round the last bits otherwise."""

BEGIN, END = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def verify(conn: Transaction) -> Iterator[Finding]:
    """Give what is wrong with results and ratings; nothing at all if everything is as the log says."""
    for league in audit.leagues(conn):
        try:
            for game in results.astray(conn, league):
                yield Finding(None, game_stream(game), None, "what is kept of its result for ratings is not what the log says")
        except TurnserverError as error:
            yield Finding(None, league_stream(league), None, f"which of its games count for ratings cannot be told: {error}")
    for key in kept.keys(conn):
        try:
            yield from _ratings(conn, key)
        except TurnserverError as error:
            yield Finding(None, None, None, f"the ratings of {key} cannot be worked out: {error}")


def _ratings(conn: Transaction, key: str) -> Iterator[Finding]:
    """The players whose kept ratings are not those of the kept results, as far as they have followed them."""
    behind = kept.still_behind(conn, key)
    until = month_began(behind.since) if behind is not None else END
    right = fold(key, results.between(conn, key, BEGIN, until))
    for player in sorted(right.players() | kept.everybody(conn, key).keys()):
        found = [moment for moment in kept.history(conn, key, player) if moment.at < until]
        if not _same(found, right.history(player)):
            yield Finding(None, None, None, f"the rating of player {player} at {key} is not what the results come to")


def _same(one: list[Moment], other: tuple[Moment, ...]) -> bool:
    return len(one) == len(other) and all(
        (here.at, here.game, here.rating.games) == (there.at, there.game, there.rating.games)
        and all(isclose(figure, right, rel_tol=CLOSE) for figure, right in zip(here.known, there.known, strict=True))
        for here, there in zip(one, other, strict=True)
    )
