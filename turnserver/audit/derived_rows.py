"""Proof that rows which follow from the log say what it says, where nothing else holds them against it.

These are how reliable players are, whom mail does not reach, when games were opened, who has an account, and the numbers given out last.
"""

from collections.abc import Iterator

from turnserver.errors import TurnserverError
from turnserver.ids import GameId, PlayerId, game_stream, player_stream
from turnserver.play.events import PlayerErased, PlayerReachable, PlayerUnreachable
from turnserver.play.reliability import reliability as counted_anew
from turnserver.store.log import derived_rows as rows
from turnserver.store.log import log
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Transaction
from turnserver.store.log.verify import Finding
from turnserver.store.mail import deliverability as reach
from turnserver.store.people import reliability

COUNTED = ("game", "league", "player", "archive")
"""What has numbers, a stream for each, and a counter that knows the last one."""


def verify(conn: Transaction) -> Iterator[Finding]:
    """Give every row that says otherwise than the log; nothing at all if all of them follow from it."""
    games = audit.games(conn)
    yield from _reliability(conn, games)
    yield from _openings(conn)
    yield from _accounts(conn)
    yield from _counters(conn)


def _reliability(conn: Transaction, games: list[GameId]) -> Iterator[Finding]:
    kept = reliability.every(conn)
    try:
        right = counted_anew([row.event for row in log.load(conn, game_stream(game))] for game in games)
    except (TurnserverError, StopIteration) as error:
        yield Finding(None, None, None, f"how reliable players are cannot be worked out: {error}")
        return
    for player in sorted({*kept, *right}):
        if kept.get(player) != right.get(player):
            yield Finding(None, player_stream(player), None, "what is kept of its player's reliability is not what the games come to")


def _openings(conn: Transaction) -> Iterator[Finding]:
    for game in rows.opened_otherwise(conn):
        yield Finding(None, game_stream(game), 1, "the game's row has another instant of its opening than the event")


def _accounts(conn: Transaction) -> Iterator[Finding]:
    known, begun = set(rows.players(conn)), set(rows.numbers(conn, "player"))
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
    changes = [row for row in history if isinstance(row.event, PlayerUnreachable | PlayerReachable)]
    last = changes[-1] if changes else None
    since = last.at if last is not None and isinstance(last.event, PlayerUnreachable) else None
    if any(isinstance(row.event, PlayerErased) for row in history):
        since = None
    if reach.of(conn, player).since != since:
        wrong = "mail does not reach its player" if since is None else "mail reaches its player"
        yield Finding(None, player_stream(player), last.version if last else None, f"its row says that {wrong}, or since when, wrongly")


def _counters(conn: Transaction) -> Iterator[Finding]:
    for noun in COUNTED:
        highest, given = max(rows.numbers(conn, noun), default=0), log.last_number(conn, noun)
        if given != highest:
            yield Finding(None, None, None, f"the counter {noun} stands at {given}, but the last {noun} in the log is {highest}")
    waiting, given = rows.last_confirmation(conn), log.last_number(conn, "confirmation")
    if waiting > given:
        yield Finding(None, None, None, f"the counter confirmation stands at {given}, but number {waiting} was given out")
