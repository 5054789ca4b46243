"""Check the rows that follow from the log and that no other check covers.

These are the reliability of players, the players whom mail does not reach, the opening of games, the accounts, whose streams are checked
here too, and the last numbers.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from math import isclose

from turnserver.audit import accounts
from turnserver.errors import TurnserverError
from turnserver.ids import GameId, PlayerId, game_stream, league_stream, player_stream
from turnserver.league.scoring.ratings import RatingPoint, month_began
from turnserver.league.scoring.ratings import ratings as fold
from turnserver.play.events import PlayerErased, PlayerReachable, PlayerUnreachable
from turnserver.play.reliability import Tally
from turnserver.play.reliability import reliability as counted_anew
from turnserver.store.games import views
from turnserver.store.leagues import ratings as kept
from turnserver.store.leagues import results
from turnserver.store.log import log
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Transaction
from turnserver.store.log.verify import Begun, Finding
from turnserver.store.mail import delivery_reports

CLOSE = 1e-9
"""The tolerance for figures: another machine may round the last bits otherwise."""

BEGIN, END = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def verify_ratings(conn: Transaction) -> Iterator[Finding]:
    """Yield the faults of results and ratings; nothing at all if everything is as the log says."""
    for league in audit.begun(conn).leagues:
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
    """Yield the players whose kept ratings are not those of the kept results, as far as the ratings have followed them."""
    behind = kept.still_behind(conn, key)
    until = month_began(behind.since) if behind is not None else END
    # Ratings are worked out by and by: what is still to come is no fault.
    right = fold(key, results.between(conn, key, BEGIN, until))
    for player in sorted(right.players() | kept.everybody(conn, key).keys()):
        found = [moment for moment in kept.history(conn, key, player) if moment.at < until]
        if not _same(found, right.history(player)):
            yield Finding(None, None, None, f"the rating of player {player} at {key} is not what the results come to")


def _same(one: list[RatingPoint], other: tuple[RatingPoint, ...]) -> bool:
    return len(one) == len(other) and all(
        (here.at, here.game, here.rating.games) == (there.at, there.game, there.rating.games)
        and all(isclose(figure, right, rel_tol=CLOSE) for figure, right in zip(here.known, there.known, strict=True))
        for here, there in zip(one, other, strict=True)
    )


def verify(conn: Transaction, counted: Mapping[PlayerId, Tally] | None = None) -> Iterator[Finding]:
    """Yield a finding for every row that contradicts the log; nothing at all if all rows follow from it.

    `counted` are the tallies of all games as they are now, if the caller has worked them out.
    """
    begun = audit.begun(conn)
    if counted is None or counted != views.every_tally(conn):
        yield from _reliability(conn, begun.games)
    yield from _openings(conn)
    yield from _accounts(conn, begun.players)
    yield from _counters(conn, begun)


def _reliability(conn: Transaction, games: list[GameId]) -> Iterator[Finding]:
    kept = views.every_tally(conn)
    try:
        right = counted_anew([row.event for row in log.load(conn, game_stream(game))] for game in games)
    except (TurnserverError, StopIteration) as error:
        yield Finding(None, None, None, f"how reliable players are cannot be worked out: {error}")
        return
    for player in sorted({*kept, *right}):
        if kept.get(player) != right.get(player):
            yield Finding(None, player_stream(player), None, "what is kept of its player's reliability is not what the games come to")


def _openings(conn: Transaction) -> Iterator[Finding]:
    for game in audit.opened_otherwise(conn):
        yield Finding(None, game_stream(game), 1, "the game's row has another instant of its opening than the event")


def _accounts(conn: Transaction, streams: Iterable[PlayerId]) -> Iterator[Finding]:
    known, begun = set(audit.players(conn)), set(streams)
    for player in sorted(known ^ begun):
        problem = "there is an account without its stream" if player in known else "the stream has no account"
        yield Finding(None, player_stream(PlayerId(player)), None, problem)
    for player in sorted(known & begun):
        try:
            yield from _reached(conn, PlayerId(player))
        except TurnserverError as error:
            yield Finding(None, player_stream(PlayerId(player)), None, f"whether mail reaches its player cannot be told: {error}")


def _reached(conn: Transaction, player: PlayerId) -> Iterator[Finding]:
    history = log.load(conn, player_stream(player))
    for version, problem in accounts.faults(player, history):
        yield Finding(history[version - 1].position, player_stream(player), version, problem)
    changes = [row for row in history if isinstance(row.event, PlayerUnreachable | PlayerReachable)]
    last = changes[-1] if changes else None
    since = last.at if last is not None and isinstance(last.event, PlayerUnreachable) else None
    if any(isinstance(row.event, PlayerErased) for row in history):
        since = None
    if delivery_reports.deliverability(conn, player).since != since:
        wrong = "mail does not reach its player" if since is None else "mail reaches its player"
        yield Finding(None, player_stream(player), last.version if last else None, f"its row says that {wrong}, or since when, wrongly")


def _counters(conn: Transaction, begun: Begun) -> Iterator[Finding]:
    # each of them has a stream, and a counter knows the last number
    for noun, numbers in (("game", begun.games), ("league", begun.leagues), ("player", begun.players), ("archive", begun.archives)):
        highest, given = max(numbers, default=0), log.last_number(conn, noun)
        if given != highest:
            yield Finding(None, None, None, f"the counter {noun} stands at {given}, but the last {noun} in the log is {highest}")
    waiting, given = audit.last_confirmation(conn), log.last_number(conn, "confirmation")
    # Addresses that were confirmed, or were not in time, leave no row, so the counter may be ahead.
    if waiting > given:
        yield Finding(None, None, None, f"the counter confirmation stands at {given}, but number {waiting} was given out")
