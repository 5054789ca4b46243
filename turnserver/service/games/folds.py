"""Games folded from their events, and decisions about games that are not written yet."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from msgspec.structs import replace

from turnserver.errors import StoreError, TurnserverError, Unplayable
from turnserver.ids import GameId, PlayerId, Recorded, Version, game_stream
from turnserver.play import events as e
from turnserver.play import playable
from turnserver.play.chance import Chance, commitment
from turnserver.play.evolve import FindGame, fold
from turnserver.play.reliability import Tally
from turnserver.play.second_thoughts import unannounced
from turnserver.play.state import GameState, Status
from turnserver.rules import Seat
from turnserver.service.fold_cache import FoldCache
from turnserver.store import refusals
from turnserver.store.games import views
from turnserver.store.games.plans import KeptPlan
from turnserver.store.log import log
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Transaction

CACHED_EVENTS = 15_000
"""The number of events that the folded states in memory may stand for in all; two thirds of a kilobyte each.

So 230 games of 60 turns are at hand. To fold one more takes a millisecond, and more games would leave no room in 150 MB.
"""


_LONGEST_CORRECTION: Final = timedelta(days=2)
"""More than the day for which a turn can be corrected at most before anybody else hears of it."""


class GameAt(NamedTuple):
    """A game as folded from its events so far, the hash of the last event, and the source of its rolls, or None if it has none."""

    state: GameState
    head: bytes
    chance: Chance | None = None

    @property
    def waits_for_secret(self) -> bool:
        """Return whether the game is not over and the secret that it committed to is missing. The secret may be restored at any time."""
        needed = self.state.commitment if self.state.result is None else None
        return needed is not None and (self.chance is None or commitment(self.chance.secret) != needed)


class Decision(NamedTuple):
    """The result of commands to a game, decided and not yet written.

    `head` is the hash of the last event before them. `laid` are the conditional plans among them whose texts are to be kept.
    """

    game: GameId
    before: GameState | None
    events: tuple[e.GameEvent, ...]
    after: GameState
    head: bytes | None
    laid: tuple[KeptPlan, ...] = ()

    def followed_by(self, events: Sequence[e.GameEvent], laid: Sequence[KeptPlan] = ()) -> "Decision":
        """Return the decision with further events at its end, and further plans to be kept."""
        return self._replace(events=(*self.events, *events), after=fold(events, self.after), laid=(*self.laid, *laid))

    @property
    def rolled(self) -> bool:
        """True if chance has decided something."""
        return any(getattr(event, "rolls", ()) for event in self.events)

    def sitting_down(self) -> Iterator[Seat]:
        """Yield the seats whose players begin to play, or play again after they had left."""
        before, after = self.before, self.after
        there = before.staying if before is not None and before.status is Status.RUNNING else ()
        if after.status is Status.RUNNING:
            for seat in after.staying:
                if before is None or seat not in there or before.player_at(seat) != after.player_at(seat):
                    yield seat


def undecided(game: GameId, at: GameAt) -> Decision:
    """Return the decision about a loaded game that changes nothing, for others to follow on."""
    return Decision(game, at.state, (), at.state, at.head)


class Games:
    """The repository of games: loads them from the log and folds them. Reads, but writes nothing. Threads may share it."""

    def __init__(self, cache: FoldCache[GameId, GameAt], find: FindGame, correction_minutes: int | None = None) -> None:
        """Keep folded games in `cache`, and find the rules of a game by its key with `find`.

        A turn can be corrected for `correction_minutes` at most, whatever was agreed; None means for as long as was agreed.
        """
        self._cache = cache
        self._find = find
        self._correction_minutes = correction_minutes

    def load(self, conn: Transaction, game: GameId) -> GameAt:
        """Return the game as it is now. Raises NotFound, and Unplayable if the installed program cannot follow its log."""
        stream = game_stream(game)
        last, folded = conn.folded
        if last == stream:
            found: GameAt = folded
            return found
        cached = self._cache.get(game)
        with _served(game):
            newer, head = log.happened(conn, stream, after=cached.state.version if cached else Version(0))
            if newer:
                state = self._served_here(fold(newer, cached.state if cached else None, self._find))
                if cached is None:
                    playable.check(state)
                cached = GameAt(state, head, cached.chance if cached else None)
        if cached is None:
            raise refusals.no_game(game)
        # A restored secret is no event, so a game that lacks its own asks for it each time.
        lost = cached.waits_for_secret
        if lost:
            cached = cached._replace(chance=chance_of(conn, game))
        if newer or lost:
            self._cache.put(game, cached)
        conn.folded = stream, cached
        return cached

    def seen(self, conn: Transaction, game: GameId, state: GameState, player: PlayerId | None, now: datetime) -> GameState:
        """Return a loaded game as the player, or anybody if None, may see it: without a last turn that nobody else is to know of yet."""
        turn = unannounced(state, now)
        if turn is None or state.player_at(turn.seat) == player:
            return state
        history = self.history(conn, game, state.version)
        known = max((index for index, row in enumerate(history) if row.event == turn), default=None)
        if known is None:  # it is being written
            return self.seen(conn, game, self.state_after(game, history), player, now)
        return self.state_after(game, history[:known])

    def known_to(self, conn: Transaction, game: GameId, player: PlayerId | None, now: datetime) -> GameState:
        """Load a game as the player, or anybody if None, may see it; see `seen`."""
        return self.seen(conn, game, self.load(conn, game).state, player, now)

    def tally(self, conn: Transaction, player: PlayerId, reader: PlayerId | None, now: datetime) -> Tally:
        """Return how a player keeps to the time, as a reader may know it: only the player's own has turns that can still be corrected."""
        found = views.tally_of(conn, player)
        if player == reader:
            return found
        states = (self.load(conn, game).state for game in views.lately_changed(conn, player, now - _LONGEST_CORRECTION))
        turns = ((state, unannounced(state, now)) for state in states)
        unheard = sum(turn is not None and not turn.by_house and state.player_at(turn.seat) == player for state, turn in turns)
        return found.plus(Tally(turns=-unheard, in_time=-unheard))

    @staticmethod
    def history(conn: Transaction, game: GameId, upto: Version | None = None) -> list[Recorded[e.GameEvent]]:
        """Return every event of the game, or those up to a version. Raises NotFound."""
        with _served(game):
            rows = log.load(conn, game_stream(game))
        if not rows:
            raise refusals.no_game(game)
        return rows[:upto]

    def state_after(self, game: GameId, history: Sequence[Recorded[e.GameEvent]]) -> GameState:
        """Return the game after the events of its `history`, which may end before its last one."""
        cached = self._cache.get(game)
        known = cached.state if cached and cached.state.version <= len(history) else None
        with _served(game):
            return self._served_here(fold((row.event for row in history[known.version if known else 0 :]), known, self._find))

    def _served_here(self, state: GameState) -> GameState:
        # The terms of a game say how long a correction may take, the site how long it waits: whoever opens a game in another process, with
        # other settings, does not decide how long this one stays silent.
        most, agreed = self._correction_minutes, state.terms
        if most is None or agreed.correction_minutes <= most:
            return state
        return replace(state, terms=replace(agreed, correction_minutes=most))


def chance_of(conn: Transaction, game: GameId) -> Chance | None:
    """Return the source of a game's rolls. Without its secret the game can still be looked at."""
    secret = keyring.of_stream(conn, game_stream(game))
    return Chance(game, secret) if secret is not None else None


@contextmanager
def _served(game: GameId) -> Iterator[None]:
    try:
        yield
    # A failure of the database says nothing about the game.
    except (StoreError, Unplayable):
        raise
    except Exception as error:  # rules that cannot follow a line may raise anything
        why = str(error) if isinstance(error, TurnserverError) else f"{type(error).__name__}: {error}"
        raise Unplayable(game, why) from error
