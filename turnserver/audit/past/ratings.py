"""Ratings as they were known at a moment of the past, from nothing but the log: what was corrected later counts as it was."""

from turnserver.audit.past.moments import Moment
from turnserver.league.scoring.ratings import Ratings, ratings
from turnserver.store.leagues import results
from turnserver.store.leagues import views as leagues
from turnserver.store.log.database import Transaction


def ratings_then(conn: Transaction, key: str, then: Moment) -> Ratings:
    """What the results of a game of the catalogue came to that the leagues had by then. Raises BadOption, UnknownEvent and Malformed."""
    of_game = [league.id for league in leagues.listed(conn) if league.game == key]
    known = [kept.result for league in of_game for kept in results.logged(conn, league, then.covers).values()]
    return ratings(key, known)
