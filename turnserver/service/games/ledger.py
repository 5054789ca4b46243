"""Load, decide, append: every change to a game goes through `Ledger.write`, inside one transaction with everything that follows from it.

Views, outbox rows and the events themselves become durable together or not at all. Losing the race for a stream's next version is
not an error: `Ledger.attempt` starts the transaction over, so that the command is decided again on the new state of the game.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple, TypeAlias, TypeVar

from turnserver import games
from turnserver.errors import (
    AlreadyDone,
    AlreadyHandled,
    ConfigError,
    Conflict,
    DatabaseBusy,
    NotAllowed,
    StoreError,
    TurnserverError,
    Unplayable,
)
from turnserver.ids import GameId, LeagueId, PlayerId, Recorded, Stream, Version, game_stream, league_stream, player_stream
from turnserver.mail.format import tokens
from turnserver.mail.outbound.notices.game import CAN_WAIT, MailKind, Notice, combined, notices
from turnserver.play import events as e
from turnserver.play import playable
from turnserver.play.chance import SECRET_BYTES, Chance
from turnserver.play.commands import Accept, Command, LayPlan, OpenGame
from turnserver.play.conditional_moves import SALT_BYTES
from turnserver.play.decide import decide
from turnserver.play.evolve import Find, fold
from turnserver.play.reliability import tallied
from turnserver.play.second_thoughts import told_at, untold
from turnserver.play.state import GameState, Status
from turnserver.play.timeouts import House
from turnserver.play.timing import freeze_clock, thaw_clock
from turnserver.play.vacations import freeze_for, thaws_for, vacations
from turnserver.rules import Seat
from turnserver.service.clock import Entropy, system_entropy
from turnserver.service.games.folds import Folds, GameAt
from turnserver.service.games.plans import drafted
from turnserver.service.mailroom.scheduling import Slot, call_off, came_ahead, plan_ahead, slot, turn_ends
from turnserver.store import refusals
from turnserver.store.games import plans, views
from turnserver.store.games.plans import KeptPlan
from turnserver.store.leagues import views as leagues
from turnserver.store.log import log
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Database, Transaction
from turnserver.store.mail import delivery_reports, outbox
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person
from turnserver.text import say

T = TypeVar("T")

PlayerEvent: TypeAlias = (
    e.PlayerRegistered | e.PlayerEdited | e.PlayerUnreachable | e.PlayerReachable | e.PlayerErased | e.VacationDeclared | e.VacationEnded
)
"""An event of an account."""

_UNNUMBERED = GameId(0)
"""The number of a game until it is certain that it is opened; nothing is rolled before that."""

ATTEMPTS = 20
"""The number of tries after a lost race before the caller is told that the database is busy."""

CACHED_EVENTS = 100_000
"""The number of events that the folded states in memory may stand for in all; half a kilobyte each."""


class Plan(NamedTuple):
    """The result of commands to a game, decided and not yet written.

    `head` is the hash of the last event before them. `laid` are the conditional plans among them whose texts are to be kept.
    """

    game: GameId
    before: GameState | None
    events: tuple[e.GameEvent, ...]
    after: GameState
    head: bytes | None
    laid: tuple[KeptPlan, ...] = ()


class Request(NamedTuple):
    """The actor who asks, the cause, and the instant of the decision.

    `in_reply_to` is the Message-ID of the mail that asked, or None if no mail did.
    """

    actor: str
    cause: str
    now: datetime
    in_reply_to: str | None = None

    def answered_by(self, notice: Notice) -> str | None:
        """Return the Message-ID that a mail about this request answers; None for a mail to another player, who did not write that one."""
        return self.in_reply_to if notice.player is None or actor(notice.player) == self.actor else None


def actor(player: PlayerId) -> str:
    """Return the log's name for a player who asked for something."""
    return f"player-{player}"


def player_of(who: str) -> PlayerId | None:
    """Return the player whom the log calls `who`; None if it was no player."""
    kind, _, number = who.partition("-")
    return PlayerId(int(number)) if kind == "player" and number.isdigit() else None


_URGING = frozenset({MailKind.REMINDER, MailKind.NUDGED, MailKind.LEAGUE_REMINDER})


class Ledger:
    """The games of one database. Threads may share it."""

    def __init__(
        self,
        db: Database,
        domain: str,
        find: Find = games.find,
        *,
        house: House = games.house_turn,
        entropy: Entropy = system_entropy,
        cached_events: int = CACHED_EVENTS,
    ) -> None:
        """Keep `db`, the mail `domain` that Message-IDs end in, and where games are found by their key; remember so many events.

        The secrets of games with chance come from `entropy`; `house` plays the turns that the house has to.
        """
        self.db = db
        self.find = find
        self._house = house
        self._domain = domain
        self._entropy = entropy
        self._message_keys: Mapping[int, bytes] = {}
        self._folds = Folds(cached_events)

    def forget_keys(self) -> None:
        """Read the keys of Message-IDs again before the next one is made."""
        self._message_keys = {}

    def attempt(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a write transaction of its own, again from the start whenever another writer was first."""
        for _ in range(ATTEMPTS):
            try:
                with self.db.write() as tx:
                    return work(tx)
            except (AlreadyDone, AlreadyHandled):
                raise
            except Conflict:
                continue
        raise DatabaseBusy("The database is too busy: other processes were faster every time. Try again.")

    def act(self, game: GameId, commands: Sequence[Command], request: Request) -> Plan:
        """Plan and write commands in a transaction of their own. Raises Refusal, and then nothing has changed."""

        def work(tx: Transaction) -> Plan:
            plan = self.plan(game, self.load(tx, game), commands, request.now)
            return self.write(tx, plan, request, call_off(tx, game, plan.before, plan.events))

        return self.attempt(work)

    def load(self, conn: Transaction, game: GameId) -> GameAt:
        """Return the game as it is now. Raises NotFound, and Unplayable if the installed program cannot follow its log."""
        cached = self._folds.get(game)
        with _served(game):
            newer = log.load(conn, game_stream(game), after=cached.state.version if cached else Version(0))
            if newer:
                state = fold((row.event for row in newer), cached.state if cached else None, self.find)
                if cached is None:
                    playable.check(state)
                cached = GameAt(state, newer[-1].hash, cached.chance if cached else None)
        if cached is None:
            raise refusals.no_game(game)
        lost = cached.waits_for_secret
        if lost:
            cached = cached._replace(chance=self._chance(conn, game))
        if newer or lost:
            self._folds.remember(game, cached)
        return cached

    def seen(self, conn: Transaction, game: GameId, state: GameState, player: PlayerId, now: datetime) -> GameState:
        """Return a loaded game as the player may see it: without a last turn that nobody else is to know of yet."""
        turn = untold(state, now)
        if turn is None or state.player_at(turn.seat) == player:
            return state
        history = self.history(conn, game, state.version)
        known = max((index for index, row in enumerate(history) if row.event == turn), default=None)
        if known is None:  # it is being written
            return self.seen(conn, game, self.state_after(game, history), player, now)
        return self.state_after(game, history[:known])

    @staticmethod
    def _chance(conn: Transaction, game: GameId) -> Chance | None:
        # Without its secret the game can still be looked at.
        secret = keyring.of_stream(conn, game_stream(game))
        return Chance(game, secret) if secret is not None else None

    @staticmethod
    def history(conn: Transaction, game: GameId, upto: Version | None = None) -> list[Recorded[e.GameEvent]]:
        """Return every event of the game, or those up to a version. Raises NotFound."""
        with _served(game):
            rows: list[Recorded[e.GameEvent]] = log.load(conn, game_stream(game))
        if not rows:
            raise refusals.no_game(game)
        return rows[:upto]

    def state_after(self, game: GameId, history: Sequence[Recorded[e.GameEvent]]) -> GameState:
        """Return the game after the events of its `history`, which may end before its last one."""
        cached = self._folds.get(game)
        if cached and cached.state.version == len(history):
            return cached.state
        with _served(game):
            return fold((row.event for row in history), find=self.find)

    def plan(self, game: GameId, at: GameAt, commands: Iterable[Command], now: datetime) -> Plan:
        """Decide `commands` in order on a game as it was loaded. Raises Refusal if any of them is refused. Writes nothing."""
        state = at.state
        events: list[e.GameEvent] = []
        laid: list[KeptPlan] = []
        for command in commands:
            decided = decide(state, command, now, self.find, at.chance, house=self._house)
            laid += [drafted(state, command)] if isinstance(command, LayPlan) else []
            state = fold(decided, state, self.find)
            events += decided
        return Plan(game, at.state, tuple(events), state, at.head, tuple(laid))

    def plan_new(self, tx: Transaction, command: OpenGame, now: datetime) -> Plan:
        """Decide the opening of a game under the next free number, and keep its secret if it has chance. Raises Refusal.

        Nobody can be invited who wants no mail.
        """
        for player in command.players:
            invited = people.player(tx, player)
            if not invited.preferences.subscribed:
                message = say("{name} wants no mail at present and cannot be invited.", name=invited.name)
                raise NotAllowed("unsubscribed", message)
        secret = self._entropy(SECRET_BYTES)
        events = decide(None, command, now, self.find, Chance(_UNNUMBERED, secret))
        state = fold(events, find=self.find)
        game = GameId(log.next_number(tx, "game"))
        if state.commitment is not None:
            keyring.keep(tx, game_stream(game), secret)
        return Plan(game, None, events, state, None)

    def plan_begun(self, tx: Transaction, command: OpenGame, request: Request) -> Plan:
        """Plan a new game like `plan_new`, for players who have agreed already: their seats are taken, and the game begins.

        The digest of the request's cause and the seat is what each player adds to the chance of the game. Raises Refusal.
        """
        opened = self.plan_new(tx, command, request.now)
        takes = [
            Accept(
                player,
                request.now,
                zone=people.player(tx, player).zone,
                entropy=sha256(f"{request.cause} {seat}".encode()).hexdigest(),
            )
            for seat, player in enumerate(command.players, start=1)
        ]
        begun = self.plan(opened.game, GameAt(opened.after, b"", self._chance(tx, opened.game)), takes, request.now)
        return opened._replace(events=(*opened.events, *begun.events), after=begun.after)

    def salt(self) -> bytes:
        """Return a salt for the digest of a plan."""
        return self._entropy(SALT_BYTES)

    def secret(self) -> bytes:
        """Return a secret that chance or lots come from."""
        return self._entropy(SECRET_BYTES)

    def write(self, tx: Transaction, plan: Plan, request: Request, told: Sequence[Notice] = ()) -> Plan:
        """Write a plan: views, mails to be sent (with those in `told`), events. Nothing may follow it in the transaction.

        Return the plan together with the vacations of players who have just sat down: a vacation that a player declared before counts in
        this game too. Raises Conflict if the game has moved on since, and AlreadyDone if the same request was written before.
        """
        whole = self.with_vacations(tx, plan, request.now)
        self.prepare(tx, whole, request, told)
        self.append(tx, whole, request)
        return whole

    def prepare(
        self, tx: Transaction, plan: Plan, request: Request, told: Sequence[Notice] = (), heard: Container[PlayerId] = frozenset()
    ) -> None:
        """Do the part of `write` that comes before the log, so that several games can be written, in the order of their numbers.

        Players in `heard` know of it already and get no mail.
        """
        before, after = plan.before, plan.after
        self._views(tx, plan, request.now)
        for kept in plan.laid:
            plans.keep(tx, plan.game, kept, request.now)
        for event in plan.events:
            if isinstance(event, e.InvitationAccepted):  # they got the invitation, or an admin answers for them
                people.confirm(tx, event.player, request.now)
        found = (notice for notice in notices(before, plan.events, after) if notice.player not in heard)
        self.post(tx, combined((*(_with_reliability(tx, notice, after) for notice in found), *told)), request, plan.game, after)

    @staticmethod
    def append(tx: Transaction, plan: Plan, request: Request) -> None:
        """Do the part of `write` that is the log, for each plan once all are prepared."""
        log.append(
            tx,
            game_stream(plan.game),
            plan.before.version if plan.before else Version(0),
            plan.events,
            at=request.now,
            actor=request.actor,
            cause=request.cause,
            previous=plan.head,
        )

    def with_vacations(self, tx: Transaction, plan: Plan, now: datetime, seats: Iterable[Seat] | None = None) -> Plan:
        """Return the plan with the effect of vacations on the clocks of those who sit down by it, or are called back to an ended game.

        With `seats` the effect is on these instead: vacations of which the game has not heard may have become known.
        """
        events, state = plan.events, plan.after
        for seat in _sitting_down(plan) if seats is None else seats:
            known = vacations(row.event for row in log.load(tx, player_stream(state.player_at(seat))))
            for thaw in thaws_for(state, seat, known):
                thawed = thaw_clock(state, thaw)
                events, state = (*events, *thawed), fold(thawed, state, self.find)
            for vacation in known:
                freeze = freeze_for(state, seat, vacation, max(now, vacation.begins))
                if freeze is not None:
                    frozen = freeze_clock(state, freeze, now)
                    events, state = (*events, *frozen), fold(frozen, state, self.find)
        return plan._replace(events=events, after=state)

    def post(
        self,
        tx: Transaction,
        told: Iterable[Notice],
        request: Request,
        game: GameId | None = None,
        state: GameState | None = None,
        *,
        league: tuple[LeagueId, Version] | None = None,
    ) -> list[int]:
        """Queue a mail for each notice, to leave when its player wants it, and return the mails' numbers.

        The mails are about a `game` as it is in `state`, or else about a `league` at a version. The same request queues the same
        Message-IDs, so a repetition cannot send twice. Answers also keep the address that they go to, by which they are counted.
        """
        numbers: list[int | None] = []
        about = game_stream(game) if game else league_stream(league[0]) if league else None
        for ordinal, notice in enumerate(told):
            person = people.player(tx, notice.player) if notice.player is not None else None
            if person is not None and person.erased_at is not None:
                continue
            shown, at = self._tellable(tx, game, state, notice, request.now)
            version = shown.version if shown else league[1] if league else None
            place = _slot(person, notice.kind, request._replace(now=at), shown)
            if place is None or (notice.kind in _URGING and person and delivery_reports.deliverability(tx, person.id).since):
                continue  # not wanted; or their mail comes back, and their time does not run out for that
            if notice.kind is MailKind.REMINDER and person is not None and game is not None and shown is not None:
                if came_ahead(tx, person, game, shown, request.now):
                    continue
                outbox.swallow_reminders(tx, game, person.id, place.due_at)
            number = outbox.queue(
                tx,
                kind=notice.kind,
                player=notice.player,
                address=person.address if person and notice.is_answer else notice.address,
                game=game,
                league=league[0] if league else None,
                version=version,
                detail=notice.detail,
                message_id=self._message_id(tx, request.cause, about, version, notice, ordinal),
                in_reply_to=request.answered_by(notice),
                at=request.now,
                status=place.status,
                due_at=place.due_at,
            )
            numbers.append(number)
            if person is not None and person.preferences.quiet and game is not None and shown is not None:
                self.plan_reminders(tx, person, game, shown, at, f"{request.cause}:{ordinal}")
        return [number for number in numbers if number is not None]

    def plan_reminders(self, tx: Transaction, person: Person, game: GameId, state: GameState, now: datetime, cause: str) -> None:  # noqa: PLR0917  # whose, of which game, and why
        """Queue the reminders that have to come before the player's quiet hours, in the place of those that were planned before."""
        for ordinal, (notice, due_at) in enumerate(plan_ahead(tx, person, game, state, now)):
            outbox.queue(
                tx,
                kind=notice.kind,
                player=person.id,
                address=None,
                game=game,
                version=state.version,
                detail=notice.detail,
                message_id=self._message_id(tx, f"{cause}:ahead", game_stream(game), state.version, notice, ordinal),
                in_reply_to=None,
                at=now,
                due_at=due_at,
            )

    def _tellable(
        self, tx: Transaction, game: GameId | None, state: GameState | None, notice: Notice, now: datetime
    ) -> tuple[GameState | None, datetime]:
        """Return the state that a mail shows, and its earliest instant: news of an unknown turn wait, answers leave that turn out."""
        turn = untold(state, now) if state else None
        if state is None or game is None or turn is None or notice.player in (None, state.player_at(turn.seat)):
            return state, now
        if notice.kind in CAN_WAIT:
            return state, told_at(state, now)
        return self.seen(tx, game, state, notice.player, now) if notice.player else state, now

    def _message_id(  # noqa: PLR0917  # what a mail is made from
        self, conn: Transaction, cause: str, about: Stream | None, version: Version | None, notice: Notice, ordinal: int
    ) -> str:
        """Return a Message-ID: the same for the same request, and none that anybody can guess.

        An answer that names it comes from its reader.
        """
        keys = self._message_keys = self._message_keys or keyring.keys(conn, keyring.MESSAGE_ID)
        if not keys:
            raise ConfigError("There is no key for Message-IDs: run `turnserver init`.")
        request = "\n".join(map(str, (cause, about, version, notice.kind, notice.player, notice.address, ordinal)))
        return tokens.write_message_id(keys, notice.kind, about, version, request, self._domain)

    @staticmethod
    def _views(tx: Transaction, plan: Plan, now: datetime) -> None:
        before = plan.before
        ended = plan.after.status is Status.ENDED
        was_ended = before is not None and before.status is Status.ENDED
        if before is not None and before.result != plan.after.result:
            leagues.note(tx, plan.game)
        if before is not None:
            views.add_tallies(tx, tallied(before.players, plan.events, before.vacant))
        views.save_game(tx, plan.game, plan.after, opened_at=None if before else now, ended_at=now if ended and not was_ended else None)
        if before is not None and before.seat_offers != plan.after.seat_offers:
            views.save_seat_offers(tx, plan.game, plan.after)


@contextmanager
def _served(game: GameId) -> Iterator[None]:
    """Raise Unplayable for every error of the installed program over a game's log, except StoreError."""
    try:
        yield
    except (StoreError, Unplayable):
        raise
    except Exception as error:  # rules that cannot follow a line may raise anything
        why = str(error) if isinstance(error, TurnserverError) else f"{type(error).__name__}: {error}"
        raise Unplayable(game, why) from error


def _with_reliability(conn: Transaction, notice: Notice, state: GameState) -> Notice:
    """Return an invitation with the reliability of the others, as it is known now."""
    if notice.kind not in (MailKind.INVITATION, MailKind.SEAT_OFFERED):
        return notice
    others = [player for player in state.players if player != notice.player]
    return replace(notice, detail={**notice.detail, "reliability": {str(player): list(views.tally_of(conn, player)) for player in others}})


def _slot(person: Person | None, kind: MailKind, request: Request, state: GameState | None) -> Slot | None:
    if person is None:
        return Slot("queued", request.now)
    return slot(person, kind, request.now, turn_ends(state, person.id), asked=request.actor == actor(person.id))


def _sitting_down(plan: Plan) -> Iterator[Seat]:
    """Yield the seats whose players were not playing before, with those who had left and are back."""
    before, after = plan.before, plan.after
    there = before.staying if before is not None and before.status is Status.RUNNING else ()
    if after.status is Status.RUNNING:
        for seat in after.staying:
            if before is None or seat not in there or before.player_at(seat) != after.player_at(seat):
                yield seat


def note(tx: Transaction, history: Sequence[Recorded[PlayerEvent]], event: PlayerEvent, request: Request) -> None:
    """Append an event to a player's stream, which was loaded as `history`. Raises Conflict if the stream has grown meanwhile."""
    log.append(
        tx,
        player_stream(event.player),
        Version(len(history)),
        [event],
        at=request.now,
        actor=request.actor,
        cause=request.cause,
        previous=history[-1].hash if history else None,
    )
