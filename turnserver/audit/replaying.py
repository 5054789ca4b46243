"""Playing games again from their logs: one game of any log, or all of a database, in several processes at once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import NamedTuple

from turnserver import games
from turnserver.audit.game.actors import misattributed
from turnserver.audit.game.plan_texts import KeptPlan, unfaithful
from turnserver.audit.game.recheck import Course, Objection, recheck
from turnserver.audit.game.transitions import undeclared
from turnserver.audit.workers import WorkerPool
from turnserver.errors import TurnserverError, in_words
from turnserver.ids import GameId, PlayerId, Recorded, game_stream, player_stream
from turnserver.play import events as e
from turnserver.play.evolve import FindGame
from turnserver.play.reliability import Tally, reliability
from turnserver.play.state import GameState
from turnserver.store import refusals
from turnserver.store.games import plans, views
from turnserver.store.log import log
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Database
from turnserver.store.log.verify import Finding

AT_ONCE = 50
"""The number of games that a process is handed at a time. So few are played again sooner than another process begins."""


def replay(history: Sequence[Recorded[e.GameEvent]], game: GameId, find: FindGame, secret: bytes | None = None) -> Course:
    """Play a game again and yield what its rules, chance and clocks do not confirm, and what its actors could not bring about.

    `secret` is the one of its chance, if it is kept. Returns as `recheck` does.
    """
    yield from (Objection(version, problem) for version, problem in misattributed(history))
    return (yield from recheck((row.event for row in history), game, find, kept=secret, recorded=[row.at for row in history]))


def replay_all(
    url: str,
    wanted: Sequence[GameId],
    workers: int,
    *,
    busy_timeout_seconds: float = 5.0,
    find: FindGame = games.find,
    at_once: int = AT_ONCE,
) -> "Iterator[ReplayedGame]":
    """Play the `wanted` games of a database again and yield one outcome a game, in their order.

    `find` must be importable under its name, for other processes to find it. Raises StoreError if the database cannot be opened, and
    WorkerLost.
    """
    pool = WorkerPool(_player, lambda those: f"played games {those[0]} to {those[-1]} again", workers, at_once)
    return pool.run(wanted, url, busy_timeout_seconds, find)


@contextmanager
def _player(url: str, busy_timeout_seconds: float, find: FindGame) -> "Iterator[Callable[[GameId], ReplayedGame]]":
    with closing(Database.connect(url, busy_timeout_seconds)) as db:
        yield lambda game: played_again(db, game, find)


class ReplayedGame(NamedTuple):
    """The result of playing a game again: the number of its events, and the findings about them; no findings if all is well.

    `tallies` are how reliable its players were in it, None if that cannot be told.
    """

    game: GameId
    events: int
    findings: tuple[Finding, ...]
    tallies: Mapping[PlayerId, Tally] | None


class _StoredGame(NamedTuple):
    """The stored parts of a game, as they were at one moment."""

    rows: Sequence[Recorded[e.GameEvent]]
    secret: bytes | None
    plans: dict[str, KeptPlan]
    view: views.Stored | None


def played_again(db: Database, game: GameId, find: FindGame = games.find) -> ReplayedGame:
    """Play a game of the database again, as far as its log allows. An obstacle is a finding too."""
    stream = game_stream(game)
    rows: Sequence[Recorded[e.GameEvent]] = ()
    tallies = None
    try:
        kept = _load(db, game)
        rows = kept.rows
        found = tuple(_at_odds(db, game, kept, find))
        if not found:
            # here, where the events are at hand, so that nobody has to read them once more to count
            tallies = reliability([[row.event for row in rows]])
    # Rules trust the positions that they made, and here come others: they may trip over anything, and the other games come next.
    except Exception as error:  # noqa: BLE001
        found = (Finding(None, stream, None, f"the game cannot be played again: {in_words(error)}"),)
    return ReplayedGame(game, len(rows), found, tallies)


def _load(db: Database, game: GameId) -> _StoredGame:
    with db.read() as conn:
        rows = log.load(conn, game_stream(game))
        if not rows:
            raise refusals.no_game(game)
        texts = {plan.digest: KeptPlan(plan.text, plan.salt) for plan in plans.of_game(conn, game)}
        return _StoredGame(rows, keyring.of_stream(conn, game_stream(game)), texts, views.stored(conn, game))


def _at_odds(db: Database, game: GameId, kept: _StoredGame, find: FindGame) -> Iterator[Finding]:
    stream, rows = game_stream(game), kept.rows
    if _unkept(rows, kept.secret):
        yield Finding(
            rows[0].position, stream, rows[0].version, "the secret that it has committed to is not kept, so no roll can be checked"
        )
    found, state = _to_the_end(replay(rows, game, find, kept.secret))
    if not found:
        # Where something else is wrong, nobody can say what a plan had to answer.
        found = list(unfaithful((row.event for row in rows), kept.plans, find))
    for wrong in found:
        yield Finding(rows[wrong.version - 1].position, stream, wrong.version, wrong.problem)
    # Only then can be said what the row of the game should be.
    if not found and kept.view is not None and state is not None:
        ends = [row.at for row in rows if isinstance(row.event, e.GameEnded)]
        for problem in views.differences(kept.view, state, ends):
            yield Finding(rows[-1].position, stream, state.version, problem)
    try:
        for version, problem in undeclared(rows, lambda player: _events_of(db, player)):
            yield Finding(rows[version - 1].position, stream, version, problem)
    except TurnserverError as error:
        yield Finding(None, stream, None, f"the vacations of its players cannot be read: {error}")


def _events_of(db: Database, player: PlayerId) -> Sequence[Recorded[object]]:
    # in a transaction of its own, as few games have a vacation
    with db.read() as conn:
        return log.load(conn, player_stream(player))


def _to_the_end(course: Course) -> tuple[list[Objection], GameState | None]:
    found: list[Objection] = []
    while True:
        try:
            found.append(next(course))
        except StopIteration as end:
            return found, end.value


def _unkept(rows: Sequence[Recorded[e.GameEvent]], secret: bytes | None) -> bool:
    # A game that has told its secret can be checked without the stored one.
    committed = any(isinstance(row.event, e.GameOpened) and row.event.commitment is not None for row in rows)
    return committed and secret is None and not any(isinstance(row.event, e.SecretRevealed) for row in rows)
