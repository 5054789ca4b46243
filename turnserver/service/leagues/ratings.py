"""How strong players are, as far as the results of leagues have been worked out, and what leagues ask about those who want to enter.

Ratings follow the results in the sweep, a month at a time: what a month comes to is worked out from one look at the database, outside of
any write transaction, and written if nothing was changed meanwhile. Of several workers one writes it, and whoever was slower looks again.
"""

import logging
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from turnserver.errors import StoreError
from turnserver.games import entry
from turnserver.ids import PlayerId
from turnserver.league.scoring.ratings import Moment, Rating, month_began, next_month
from turnserver.league.scoring.ratings import ratings as fold
from turnserver.league.scoring.results import Result
from turnserver.service.games.ledger import Ledger
from turnserver.store.games import views
from turnserver.store.leagues import ratings as kept
from turnserver.store.leagues import results
from turnserver.store.leagues.ratings import Behind
from turnserver.store.log.database import Database, Transaction

logger = logging.getLogger(__name__)


INSTANT = timedelta(microseconds=1)
AT_ONCE = 12
"""How many months of a game one round works out, which takes less than a second unless a thousand games end in each."""


class Month(NamedTuple):
    """What a month comes to: the moments of its players, and when the next game ended after it that counts, if one has."""

    was: Behind
    begin: datetime
    moments: dict[PlayerId, tuple[Moment, ...]]
    until: datetime | None


class Ratings:
    """The ratings of one database. Several processes may each keep them up."""

    def __init__(self, ledger: Ledger) -> None:
        """Keep the ratings beside the games of `ledger`."""
        self._ledger = ledger

    def follow(self) -> int:
        """Let ratings follow the results, some months of each game at most; gives how many were worked out.

        A game that cannot be rated holds up no other.
        """
        with self._ledger.db.read() as conn:
            keys = [one.key for one in kept.behind(conn)]
        return sum(self._follow(key) for key in keys)

    def _follow(self, key: str) -> int:
        done = 0
        try:
            while done < AT_ONCE and (found := look(self._ledger.db, key)) is not None and self._ledger.attempt(partial(write, found)):
                done += 1
        except StoreError:
            raise
        except Exception:  # whatever is wrong with one game, the others have ratings too
            logger.exception("the ratings of %s cannot be worked out", key)
        return done


def look(db: Database, key: str) -> Month | None:
    """Work out the first month in which the ratings of a game are behind; None if they are not."""
    with db.read() as conn:
        was = kept.still_behind(conn, key)
        if was is None:
            return None
        begin, end = month_began(was.since), next_month(was.since)
        found = results.between(conn, key, begin, end)
        players = {one.player for result in found for side in result.sides for one in side}
        before = kept.latest(conn, key, sorted(players), begin)
        until = results.first_from(conn, key, end)
    after = fold(key, found, before=before)
    moments = {player: after.history(player)[player in before :] for player in sorted(after.players())}
    return Month(was, begin, moments, until)


def write(month: Month, tx: Transaction) -> bool:
    """Write a month as it was worked out; False if something was changed since."""
    return kept.replace(tx, month.was, month.begin, month.until, month.moments)


def rating_of(conn: Transaction, key: str, player: PlayerId, now: datetime) -> Rating:
    """What a player has at a game of the catalogue now. Raises BadOption for a game that nobody knows."""
    return fold(key, (), before=kept.latest(conn, key, [player])).rating(player, now)


def rating_then(conn: Transaction, key: str, player: PlayerId, at: datetime) -> Rating | None:
    """What a player had at a game of the catalogue at an instant, whatever he has played since; the same whenever it is asked.

    None for somebody new, and while ratings have not followed the results of earlier months. Raises BadOption.
    """
    begin, behind = month_began(at), kept.still_behind(conn, key)
    if behind is not None and behind.since < begin:
        return None
    since = [one for one in results.between(conn, key, begin, at + INSTANT) if _concerns(key, one, player)]
    players = {player, *(one.player for result in since for side in result.sides for one in side)}
    found = fold(key, since, before=kept.latest(conn, key, sorted(players), begin)).rating(player, at)
    return found if found.games else None


def _concerns(key: str, result: Result, player: PlayerId) -> bool:
    """Whether a result can change a player's rating within its month: where games of a month count together, his own alone."""
    return entry(key).seats != (2,) or any(one.player == player for side in result.sides for one in side)


def ratings(conn: Transaction, key: str, now: datetime) -> list[tuple[PlayerId, Rating]]:
    """What everybody has now who has played a game that counts, the strongest first. Raises BadOption."""
    known = fold(key, (), before=kept.everybody(conn, key))
    found = [(player, known.rating(player, now)) for player in sorted(known.players())]
    return sorted(found, key=lambda one: -one[1].rating)


def history(conn: Transaction, key: str, player: PlayerId) -> tuple[Moment, ...]:
    """How a player's rating came about, the earliest moment first; nothing for somebody new. Raises BadOption."""
    return kept.history(conn, key, player)


def in_time(conn: Transaction, player: PlayerId) -> int | None:
    """How many of his turns a player has played in time, in percent and rounded down, in all his games; None if he has had none."""
    tally = views.of(conn, player)
    return tally.in_time * 100 // tally.turns if tally.turns else None
