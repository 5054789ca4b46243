"""The ledger: every change to a game is decided and written here, in one transaction with everything that follows from it.

Rows, mails to be sent and the events themselves become durable together or not at all. Losing the race for a stream's next version is
not an error: `Ledger.attempt` starts the transaction over, so that the command is decided again on the new state of the game.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from datetime import datetime
from typing import Final, TypeVar

from turnserver import games
from turnserver.errors import AlreadyDone, AlreadyHandled, Conflict, DatabaseBusy, Refusal
from turnserver.ids import GameId, LeagueId, PlayerId, Version, game_stream
from turnserver.mail.outbound.kinds import Notice
from turnserver.outside import RandomBytes, system_entropy
from turnserver.play.chance import Chance
from turnserver.play.commands import Command, LayPlan
from turnserver.play.decide import decide
from turnserver.play.evolve import FindGame
from turnserver.play.timeouts import House
from turnserver.service.fold_cache import FoldCache
from turnserver.service.games.absences import with_vacations
from turnserver.service.games.folds import CACHED_EVENTS, Decision, GameAt, Games, undecided
from turnserver.service.games.plans import drafted
from turnserver.service.games.projection import project
from turnserver.service.mailroom.post import Post
from turnserver.service.mailroom.scheduling import call_off
from turnserver.service.request import Request
from turnserver.store.log import log
from turnserver.store.log.database import Database, Transaction

T = TypeVar("T")

ATTEMPTS: Final = 20
"""The number of tries after a lost race before the caller is told that the database is busy."""


class Ledger:
    """The unit of work over the games of one database: `games` loads them, `post` queues mails about them. Threads may share it."""

    def __init__(
        self,
        db: Database,
        domain: str,
        find: FindGame = games.find,
        *,
        house: House = games.house_turn,
        entropy: RandomBytes = system_entropy,
        cached_events: int = CACHED_EVENTS,
        correction_minutes: int | None = None,
    ) -> None:
        """Keep `db`, the mail `domain` that Message-IDs end in, and where games are found by their key; cache so many events.

        Secrets and salts come from `entropy`; `house` plays the turns that the house has to. A turn can be corrected for
        `correction_minutes` at most; None means for as long as its game's terms say.
        """
        self.db = db
        self.find = find
        self.entropy = entropy
        self.games = Games(FoldCache(cached_events, lambda at: at.state.version), find, correction_minutes)
        self.post = Post(self.games, domain)
        self._house = house

    def attempt(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a write transaction of its own, again from the start whenever another writer was first."""
        for _ in range(ATTEMPTS):
            try:
                with self.db.write() as tx:
                    return work(tx)
            # The request is done, so another attempt would find the same.
            except (AlreadyDone, AlreadyHandled):
                raise
            except Conflict:
                continue
        raise DatabaseBusy("The database is too busy: other processes were faster every time. Try again.")

    def act(
        self, game: GameId, commands: Sequence[Command], request: Request, *, guard: Callable[[Transaction, GameAt], None] | None = None
    ) -> Decision:
        """Decide and write commands in a transaction of their own. Raises Refusal, and then nothing has changed.

        `guard` may refuse them first, for what else stands in the database then.
        """

        def work(tx: Transaction) -> Decision:
            at = self.games.load(tx, game)
            if guard is not None:
                guard(tx, at)
            decision = self.decide(game, at, commands, request.now)
            return self.write(tx, decision, request, call_off(tx, game, decision.before, decision.events))

        return self.attempt(work)

    def decide(self, game: GameId, at: GameAt, commands: Iterable[Command], now: datetime) -> Decision:
        """Decide `commands` in order on a game as it was loaded. Raises Refusal if any of them is refused. Writes nothing."""
        decision = undecided(game, at)
        for command in commands:
            decision = self._also(decision, command, now, at.chance)
        return decision

    def decide_past_rolls(
        self, game: GameId, at: GameAt, commands: Iterable[Command], now: datetime
    ) -> tuple[Decision, list[tuple[Command, Refusal]]]:
        """Decide as `decide` does until chance has decided something. What is refused after that is left out, and returned beside.

        If it undid what came before it, a player could look at a roll and choose another move: by commands that a roll forbids.
        """
        decision, refused = undecided(game, at), list[tuple[Command, Refusal]]()
        for command in commands:
            try:
                decision = self._also(decision, command, now, at.chance)
            except Refusal as refusal:
                if not decision.rolled:
                    raise
                refused.append((command, refusal))
        return decision, refused

    def _also(self, decision: Decision, command: Command, now: datetime, chance: Chance | None) -> Decision:
        events = decide(decision.after, command, now, self.find, chance, house=self._house)
        return decision.followed_by(events, [drafted(decision.after, command)] if isinstance(command, LayPlan) else [])

    def write(self, tx: Transaction, decision: Decision, request: Request, told: Sequence[Notice] = ()) -> Decision:
        """Write a decision: rows, mails to be sent (with those in `told`), events. Nothing may follow it in the transaction.

        Return the decision together with the vacations of players who have just sat down: a vacation that a player declared before counts
        in this game too. Raises Conflict if the game has moved on since, and AlreadyDone if the same request was written before.
        """
        whole = with_vacations(tx, decision, decision.sitting_down(), request.now)
        # The log comes last: whoever waits for its next position has little left to do.
        self.prepare(tx, whole, request, told)
        self.append(tx, whole, request)
        return whole

    def prepare(
        self,
        tx: Transaction,
        decision: Decision,
        request: Request,
        told: Sequence[Notice] = (),
        heard: Container[PlayerId] = frozenset(),
        *,
        opened_by: LeagueId | None = None,
    ) -> None:
        """Do the part of `write` that comes before the log, so that several games can be written, in the order of their numbers.

        Players in `heard` know of it already and get no mail. `opened_by` is the league that opens the game just now.
        """
        project(tx, decision, request.now)
        self.post.queue_news(tx, decision, request, told, heard, opened_by=opened_by)

    @staticmethod
    def append(tx: Transaction, decision: Decision, request: Request) -> None:
        """Do the part of `write` that is the log, for each decision once all are prepared."""
        log.append(
            tx,
            game_stream(decision.game),
            decision.before.version if decision.before else Version(0),
            decision.events,
            at=request.now,
            actor=request.actor,
            cause=request.cause,
            previous=decision.head,
        )
