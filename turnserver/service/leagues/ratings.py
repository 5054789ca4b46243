"""Ratings of players, as far as the results of leagues have been worked out, and the facts that leagues ask about new entrants.

Ratings follow the results in the sweep, one month at a time. A month is worked out from one read of the database, outside any write
transaction, and is written if nothing has changed meanwhile. If several workers do so, one writes the month and the others read again.
"""

import logging
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from turnserver.errors import StoreError
from turnserver.games import entry
from turnserver.ids import PlayerId
from turnserver.league.scoring.ratings import Rating, RatingPoint, month_began, next_month
from turnserver.league.scoring.ratings import ratings as fold
from turnserver.league.scoring.results import RatedResult
from turnserver.service.games.ledger import Ledger
from turnserver.store.games import views
from turnserver.store.leagues import ratings as kept
from turnserver.store.leagues import results
from turnserver.store.leagues.ratings import Behind
from turnserver.store.log.database import Database, Transaction

logger = logging.getLogger(__name__)


INSTANT = timedelta(microseconds=1)
AT_ONCE = 12
"""The number of months of a game that one round works out: less than a second, unless a thousand games end in each."""


class Month(NamedTuple):
    """A month of ratings: the moments of its players, and when the next game that counts ended after it, or None."""

    was: Behind
    begin: datetime
    moments: dict[PlayerId, tuple[RatingPoint, ...]]
    until: datetime | None


def follow(ledger: Ledger) -> int:
    """Let ratings follow the results, some months of each game at most. Return the number of months.

    A game that cannot be rated holds up no other. Several processes may do so at once.
    """
    with ledger.db.read() as conn:
        keys = [one.key for one in kept.behind(conn)]
    return sum(_follow(ledger, key) for key in keys)


def _follow(ledger: Ledger, key: str) -> int:
    done = 0
    try:
        while done < AT_ONCE and (found := look(ledger.db, key)) is not None and ledger.attempt(partial(write, found)):
            done += 1
    except StoreError:
        raise
    except Exception:  # whatever is wrong with one game, the others have ratings too
        logger.exception("the ratings of %s cannot be worked out", key)
    return done


def look(db: Database, key: str) -> Month | None:
    """Work out and return the first month in which the ratings of a game are behind; None if they are not."""
    with db.read() as conn:
        was = kept.still_behind(conn, key)
        if was is None:
            return None
        begin, end = month_began(was.since), next_month(was.since)
        found = results.between(conn, key, begin, end)
        players = {one.player for result in found for side in result.sides for one in side}
        before = kept.latest(conn, key, sorted(players), begin)
        # A month without results has nothing to work out, so the next round goes on at the next result.
        until = results.first_from(conn, key, end)
    after = fold(key, found, before=before)
    # A player who was rated before begins with the moment that is kept already.
    moments = {player: after.history(player)[player in before :] for player in sorted(after.players())}
    return Month(was, begin, moments, until)


def write(month: Month, tx: Transaction) -> bool:
    """Write a month as it was worked out; False if something was changed since."""
    return kept.replace(tx, month.was, month.begin, month.until, month.moments)


def rating_of(conn: Transaction, key: str, player: PlayerId, now: datetime) -> Rating:
    """Return a player's rating now at the catalogue's game `key`. Raises BadOption for an unknown game."""
    return fold(key, (), before=kept.latest(conn, key, [player])).rating(player, now)


def rating_then(conn: Transaction, key: str, player: PlayerId, at: datetime) -> Rating | None:
    """Return a player's rating at `at` at the catalogue's game `key`. Later games never change the answer.

    Return None for a new player, and while the ratings of earlier months are still to be worked out. Raises BadOption for an unknown game.
    """
    begin, behind = month_began(at), kept.still_behind(conn, key)
    # Of the month itself nothing is taken that was kept, so only earlier months have to be worked out.
    if behind is not None and behind.since < begin:
        return None
    # `between` leaves its end out, and results of that very instant count.
    since = [one for one in results.between(conn, key, begin, at + INSTANT) if _concerns(key, one, player)]
    players = {player, *(one.player for result in since for side in result.sides for one in side)}
    found = fold(key, since, before=kept.latest(conn, key, sorted(players), begin)).rating(player, at)
    return found if found.games else None


def _concerns(key: str, result: RatedResult, player: PlayerId) -> bool:
    # In games for two, only the player's own results matter within a month. Games for more are rated together, a month at a time.
    return entry(key).seats != (2,) or any(one.player == player for side in result.sides for one in side)


def ratings(conn: Transaction, key: str, now: datetime) -> list[tuple[PlayerId, Rating]]:
    """Return the rating of every player who has played a game that counts, the strongest first. Raises BadOption for an unknown game."""
    return fold(key, (), before=kept.everybody(conn, key)).everybody(now)


def in_time(conn: Transaction, player: PlayerId) -> int | None:
    """Return the percentage of a player's turns, over all games, that were played in time, rounded down. None if there were no turns."""
    tally = views.tally_of(conn, player)
    return tally.in_time * 100 // tally.turns if tally.turns else None
