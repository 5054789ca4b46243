"""Deadlines: find the games whose clock is due and let `decide` say what that means. Plans that have a turn to answer are found likewise.

Four things come before any flag falls. (1) A scheduler that did not run for a while first gives the lost time back to every clock that
was running; the reader of mail waits for that too, since it judges by deadlines, or gives the time to the game of the mail (`credit`). (2)
Mail that arrived before a deadline is handled before the deadline is enforced. (3) Mail in flight, stamped on arrival but not yet
committed, is given `SETTLE` to appear. (4) A player who could not be told of their turn gets that time back
(`service.mailroom.undelivered`).

While we take mail ourselves (LMTP), nobody else could hand it to us while we were down, and a mail server that failed to do so tries again
when it pleases. So after any downtime, however short, no flag falls on a deadline that lay in it or shortly after until the queues
elsewhere have had time to drain (`drain`).

Mail that waits in a mailbox for us to fetch it is mail that arrived. So we count as awake only as far as every folder has been read to its
end: no deadline beyond that is enforced, and a mailbox that cannot be read for long is an outage, like a scheduler that does not run.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from enum import Enum
from functools import partial
from typing import NamedTuple

from turnserver.config import Settings
from turnserver.errors import AlreadyDone, AlreadyHandled, NotAllowed, SecretLost, StoreError, Unplayable
from turnserver.ids import GameId, PlayerId
from turnserver.mail.outbound.kinds import Notice
from turnserver.mail.outbound.notices.admin import outage_report, vacant_report
from turnserver.play.clock.clock import anew, frozen
from turnserver.play.commands import AnswerByPlan, CheckClock, FreezeClock
from turnserver.play.events import FreezeKind, SeatVacated
from turnserver.play.state import Freeze, GameState, Status
from turnserver.service.games.folds import Decision
from turnserver.service.games.ledger import Ledger
from turnserver.service.games.plans import answer_due
from turnserver.service.mailroom.undelivered import Undelivered
from turnserver.service.request import Request
from turnserver.service.upkeep.plausible_clock import BEHIND
from turnserver.service.upkeep.quarantine import Quarantine
from turnserver.store.games import views
from turnserver.store.incidents import outages
from turnserver.store.incidents.outages import Outage, Signs
from turnserver.store.log.database import Transaction
from turnserver.store.mail import inbox, mailboxes
from turnserver.store.people import accounts as people

logger = logging.getLogger(__name__)

SETTLE = timedelta(seconds=30)
"""Longer than it takes to store a mail that has been stamped with its arrival; one in a maildir has to be fetched first."""

INSTANT = timedelta(microseconds=1)

RETRY = timedelta(minutes=75)
"""Longer than Postfix lets a deferred mail wait: `maximal_backoff_time`, 4,000 s, and `queue_run_delay`, 300 s."""

LONGEST_DRAIN = timedelta(days=1)
"""By then every mail server that still has a mail for us has tried again; they wait for four hours at most."""

_AT_ONCE = 1_000
"""The number of games that one round looks at."""


class SweepCounts(NamedTuple):
    """The counts of one sweep."""

    acted: int = 0
    credited: int = 0


class Lost(NamedTuple):
    """Time in which the service was away, or could not read all of its mail."""

    began: datetime
    ended: datetime


class _Tried(Enum):
    """The result of trying one game in a round. BEFORE: it had been done already; AT_ODDS: it cannot be done, and somebody has to look."""

    DONE = "done"
    BEFORE = "before"
    NOTHING = "nothing to do"
    AT_ODDS = "at odds"


class Watch:
    """The sweep. Several processes may each run one: the version of a game's stream admits one decision."""

    def __init__(  # noqa: PLR0917  # what everything in this room is made of
        self,
        ledger: Ledger,
        settings: Settings,
        quarantine: Quarantine,
        settle: timedelta = SETTLE,
        folders: Collection[tuple[str, str]] = (),
        look_every: timedelta = timedelta(0),
    ) -> None:
        """Sweep the games of `ledger`; `jobs.outage_minutes` of the settings says from when on silence counts as an outage.

        `settle` is how long a mail may have been with us before it is in the inbox. `folders`, each with its account before it, are those
        that mail is fetched from, and `look_every` is how long it takes by rights from one look into them to the next.
        """
        self._ledger = ledger
        self._quarantine = quarantine
        self._settle_time = settle
        # From one look into the folders to the next, silence is as it should be.
        self._outage_after = timedelta(minutes=settings.jobs.outage_minutes) + look_every
        self._listens = False
        self._regularly = timedelta(seconds=settings.jobs.sweep_seconds) + look_every
        self._undelivered = Undelivered(ledger, settings)
        self._folders = frozenset(folders)
        self._admin = settings.site.admin

    def listening(self) -> None:
        """Note that this process takes mail itself from now on, so that a gap between two sweeps is time in which it took none."""
        self._listens = True

    @property
    def _down_after(self) -> timedelta:
        # Until this process takes mail itself, a gap too short for an outage has lost none.
        return min(4 * self._regularly, self._outage_after) if self._listens else self._outage_after

    def sweep(self, now: datetime) -> SweepCounts:
        """Beat, give back the time that an outage took, then remind and time out players; at most `_AT_ONCE` games."""
        with self._ledger.db.read() as conn:
            awake = self._awake(conn, now)
        if awake is None:
            return SweepCounts()
        credited = self._wait_for_queues(awake)
        # The beat ends the downtime, so the clocks that wait for queued mail are stopped before it.
        self._ledger.attempt(lambda tx: outages.beat(tx, awake, self._outage_after))
        # Time is given back before any deadline is looked at.
        credited += self._settle(now) + self._quarantine.wake()
        with self._ledger.db.read() as conn:
            horizon = self._horizon(conn, awake)
            due = views.due_games(conn, horizon, _AT_ONCE)
        return SweepCounts(sum(self._check(game, horizon, now) for game in due), credited)

    def is_behind(self, signs: Signs) -> bool:
        """Return whether `catch_up` may have something to do."""
        return signs.waits or self._is_silent(signs)

    def _is_silent(self, signs: Signs) -> bool:
        """Return whether there was no sweep for so long, or mail that could not be fetched, that some clock may have lost time."""
        return signs.beat is not None and signs.now - signs.beat > self._down_after

    def lost(self, conn: Transaction, signs: Signs) -> Sequence[Lost]:
        """Return the time that was lost and that some clock may not have got back: `credit` is for whoever is judged meanwhile."""
        noted = [Lost(one.began_at, one.ended_at) for one in outages.unsettled(conn)]
        return [*noted, Lost(signs.beat, signs.now)] if signs.beat is not None and self._is_silent(signs) else noted

    def catch_up(self, now: datetime) -> datetime | None:
        """Give back the time of an outage that has ended, and the time before players could be told. Call this before judging by deadlines.

        Return when an outage began that goes on, since a folder has not been read: `credit` is for each game that is judged meanwhile.
        """
        began = self._end_outage(now)
        self._quarantine.wake()
        # What the outage has taken is given back as that.
        self._give_back(began or now, now)
        return began

    def _end_outage(self, now: datetime) -> datetime | None:
        """Give back the time of an outage, as far as it is over, and return since when one goes on."""
        with self._ledger.db.read() as conn:
            awake = self._awake(conn, now)
            last = outages.last_beat(conn)
            settled = not outages.unsettled(conn)
        # While some mail cannot be fetched the outage goes on from there, and the sweep gives its time back when it is over: in one piece,
        # since each piece is told to every player.
        if last is not None and awake is not None and now - last > self._down_after and awake > last:
            self._wait_for_queues(awake)
            self._ledger.attempt(lambda tx: outages.beat(tx, awake, self._outage_after))
            settled, last = False, awake
        if not settled:
            self._settle(now)
        return last if last is not None and now - last > self._down_after else None

    def credit(self, player: PlayerId, about: GameId | None, lost: Sequence[Lost], now: datetime) -> None:
        """Give games time that was lost and not given back, before a mail or form of a player is judged, perhaps `about` a game.

        That game has the time back, too, in which its player could not be told. Nobody is late by a deadline in an outage: games of the
        player that had one since get the time. So does the game that it is about if it is the player's turn, since a move ends the clock
        that has lost the time, and what comes at the end of the outage would be too late for that. As elsewhere, a silence that is shorter
        than an outage costs a clock its time.
        """
        with self._ledger.db.read() as conn:
            own = views.list_games(conn, status=Status.RUNNING, player=player)
        for each in lost:
            late = {one.id for one in own if one.deadline is not None and each.began < one.deadline <= now}
            for game in sorted(late.union([about] if about else [])):
                self._credit(game, player, each, now)
        # What an outage has taken is given back as that.
        until = min((each.began for each in lost), default=now)
        if about and any(one.id == about and one.deadline is not None and one.deadline <= until for one in own):
            self._carried_out(about, partial(self._ledger.attempt, partial(self._give_back_one, about, until, now)))

    def _credit(self, game: GameId, player: PlayerId, lost: Lost, now: datetime) -> None:
        def freeze(state: GameState) -> FreezeClock:
            clock, seat, deadline = state.clock, state.to_move, state.deadline
            if clock is None or seat is None:
                raise NotAllowed("not_due", "No clock runs.")
            since = max(lost.began, clock.since)
            short = lost.ended - since - frozen(state, seat, since, lost.ended) <= self._outage_after
            late = deadline is not None and lost.began < deadline <= now
            if not late and (state.mover != player or short):
                raise NotAllowed("not_due", "The player's clock has lost no time worth mention.")
            return self._freeze_of(lost, state)

        self._frozen(game, freeze, Request("service", f"job:judged:{lost.began.isoformat()}:{now.isoformat()}", now), lost.began)

    def _wait_for_queues(self, now: datetime) -> int:
        """Give mail for deadlines in or soon after a downtime too short for an outage the time to arrive. Return the number of games.

        This comes before the beat that ends the downtime: a process that is killed meanwhile leaves it to the next one.
        """
        with self._ledger.db.read() as conn:
            last = outages.last_beat(conn)
            if last is None or not self._down_after < now - last <= self._outage_after:
                return 0
            until = now + drain(now - last)
            near = outages.games_due(conn, last, until)
        command = FreezeClock(FreezeKind.OUTAGE, None, last, until)
        request = Request("service", f"job:downtime:{last.isoformat()}", now)
        credited = sum(self._frozen(game, lambda _: command, request, last) is _Tried.DONE for game in near)
        if credited:
            said = "no mail was taken from %s to %s: %d games wait until %s for what is on its way"
            logger.warning(said, _logged(last), _logged(now), credited, _logged(until))
        return credited

    def heard(self, now: datetime) -> datetime | None:
        """Return the latest instant up to which all mail is handled; None while a watched folder was never read."""
        with self._ledger.db.read() as conn:
            awake = self._awake(conn, now)
            return None if awake is None else self._horizon(conn, awake)

    def waits_for_earlier(self, conn: Transaction, arrived_at: datetime, deadline: datetime | None, now: datetime) -> bool:
        """Return whether something that arrived after the deadline has to wait: a mail that came before it may hold the turn that meets it.

        Such a mail may still wait in the inbox, or in a folder that has not been read that far. The sweep waits likewise.
        """
        if deadline is None or arrived_at <= deadline:
            return False
        # A folder may be watched since the last beat only and never be read, but up to that all mail was.
        read, oldest = self._awake(conn, now) or outages.last_beat(conn), inbox.oldest_waiting(conn)
        return (read is not None and read < deadline) or (oldest is not None and oldest <= deadline)

    def _awake(self, conn: Transaction, now: datetime) -> datetime | None:
        # A folder that was never looked into may hold mail of any age, so nobody can say. Nor of one of which a clock that was ahead said
        # when it was read.
        if not self._folders:
            return now
        read = {(box.account, box.folder): box.read_at for box in mailboxes.every(conn) if box.read_at <= now + BEHIND}
        return min(now, *(read[folder] for folder in self._folders)) if read.keys() >= self._folders else None

    def _horizon(self, conn: Transaction, awake: datetime) -> datetime:
        waiting = inbox.oldest_waiting(conn)
        settled = awake - self._settle_time
        # The oldest mail that waits may be a turn, so its own instant is not reached yet.
        return settled if waiting is None else min(settled, waiting - INSTANT)

    def _check(self, game: GameId, horizon: datetime, now: datetime) -> bool:
        def work(tx: Transaction) -> None:
            at = self._ledger.games.load(tx, game)
            request = Request("service", f"job:clock:{at.state.version}", now)  # an instant may come twice, if somebody sets the clock
            command = answer_due(tx, game, at.state, horizon) or CheckClock(horizon)
            decision = self._ledger.decide(game, at, [command], now)
            gone = _ran_out(at.state, horizon) and not isinstance(command, AnswerByPlan)  # a plan is never late
            # Time before the player could be told is given back, and then no flag falls: the next round looks at the new deadline.
            if not (gone and self._undelivered.give_back(tx, game, at, now)):
                self._ledger.write(tx, decision, request, self._reports(tx, decision))

        return self._carried_out(game, lambda: self._ledger.attempt(work))

    def _reports(self, tx: Transaction, decision: Decision) -> list[Notice]:
        """Return the report to the admin about what the clock has done: a seat that waits for somebody to take it over."""
        waiting = next((event.seat for event in decision.events if isinstance(event, SeatVacated)), None)
        if waiting is None or not self._admin:
            return []
        person = people.player(tx, decision.after.player_at(waiting))
        return [vacant_report(self._admin, person, decision.game, waiting)]

    def _give_back(self, until: datetime, now: datetime) -> int:
        # Only for mails that wait and may be too late: the sweep gives the time back to every other clock.
        with self._ledger.db.read() as conn:
            due = views.due_games(conn, until, _AT_ONCE) if inbox.oldest_waiting(conn) else []
        return sum(self._carried_out(game, partial(self._ledger.attempt, partial(self._give_back_one, game, until, now))) for game in due)

    def _give_back_one(self, game: GameId, until: datetime, now: datetime, tx: Transaction) -> None:
        at = self._ledger.games.load(tx, game)
        if not (_ran_out(at.state, until) and self._undelivered.give_back(tx, game, at, now, until)):
            raise NotAllowed("not_due", "Nothing is to be given back.")

    def _settle(self, now: datetime) -> int:
        """Credit every clock that ran during an outage, once per game and outage."""
        with self._ledger.db.read() as conn:
            open_outages = outages.unsettled(conn)
        credited = 0
        for outage in open_outages:
            with self._ledger.db.read() as conn:
                affected = outages.affected_games(conn, outage)
            tried = {game: self._give(game, outage, now) for game in affected}
            credited += sum(one is _Tried.DONE for one in tried.values())
            got_it = sum(one in (_Tried.DONE, _Tried.BEFORE) for one in tried.values())
            with suppress(AlreadyHandled):
                self._ledger.attempt(partial(self._settled, outage, got_it, [game for game in tried if tried[game] is _Tried.AT_ODDS], now))
                # Inside, so that whoever was not the first does not say it again.
                logger.warning(
                    "no sweep ran, or a mailbox was closed, from %s to %s: %d games got the time back",
                    _logged(outage.began_at),
                    _logged(outage.ended_at),
                    got_it,
                )
        return credited

    def _settled(self, outage: Outage, got_it: int, at_odds: Sequence[GameId], now: datetime, tx: Transaction) -> None:
        # Raises AlreadyHandled if another process was first, so the admin gets one report.
        outages.settle(tx, outage.id)
        if self._admin:
            report = outage_report(
                self._admin, outage.began_at, outage.ended_at, games=got_it, at_odds=at_odds, tolerated=self._outage_after
            )
            self._ledger.post.queue(tx, [report], _of_outage(outage, now))

    def _give(self, game: GameId, outage: Outage, now: datetime) -> _Tried:
        lost = Lost(outage.began_at, outage.ended_at)

        def freeze(state: GameState) -> FreezeClock:
            found = self._freeze_of(lost, state)
            # A freeze that adds nothing is refused, so a process that comes second would take the game for one that had lost no time.
            if any(one.ends and found.ends and found.ends <= one.ends for one in _freezes_of(lost, state)):
                raise AlreadyDone(f"game {game} has the time of outage {outage.id}")
            return found

        return self._frozen(game, freeze, _of_outage(outage, now), outage.began_at)

    def _freeze_of(self, lost: Lost, state: GameState) -> FreezeClock:
        """Return the freeze that gives lost time back. For a deadline in it or soon after, it lasts until queued mail has arrived.

        Mail is queued elsewhere only for a process that takes it itself.
        """
        given, drained = _freezes_of(lost, state), drain(lost.ended - lost.began)
        # The deadline that was announced: it may have moved since, if its player has asked something meanwhile.
        clock = anew(state, tuple(one for one in state.freezes if one not in given))
        near = clock is not None and clock.deadline is not None and lost.began < clock.deadline <= lost.began + drained
        return FreezeClock(FreezeKind.OUTAGE, None, lost.began, lost.ended + drained if near and self._listens else lost.ended)

    def _frozen(self, game: GameId, freeze: Callable[[GameState], FreezeClock], request: Request, since: datetime) -> _Tried:
        def work(tx: Transaction) -> None:
            at = self._ledger.games.load(tx, game)
            self._ledger.write(tx, self._ledger.decide(game, at, [freeze(at.state)], request.now), request)

        return self._tried(game, lambda: self._ledger.attempt(work), since)

    def _carried_out(self, game: GameId, act: Callable[[], object], since: datetime | None = None) -> bool:
        return self._tried(game, act, since) is _Tried.DONE

    def _tried(self, game: GameId, act: Callable[[], object], since: datetime | None = None) -> _Tried:
        # A game that cannot be loaded is quarantined and must not hold up the others.
        try:
            act()
        except AlreadyDone:
            return _Tried.BEFORE  # another process was first
        except NotAllowed:
            return _Tried.NOTHING  # somebody moved
        except Unplayable as error:
            self._quarantine.noted(error, since)
            return _Tried.NOTHING
        except SecretLost:
            logger.exception("game %s cannot go on", game)
            return _Tried.AT_ODDS
        except StoreError:
            raise
        except Exception:  # whatever is wrong with one game, the others have deadlines too
            logger.exception("the clock of game %s cannot be looked at", game)
            return _Tried.AT_ODDS
        return _Tried.DONE


def drain(downtime: timedelta) -> timedelta:
    """Return how long after a downtime mail may still arrive that was sent in it: as long as it was, within limits."""
    return min(max(downtime, RETRY), LONGEST_DRAIN)


def _freezes_of(lost: Lost, state: GameState) -> Sequence[Freeze]:
    return [one for one in state.freezes if one.kind is FreezeKind.OUTAGE and one.begins == lost.began]


def _logged(instant: datetime) -> str:
    return instant.isoformat(timespec="seconds")


def _of_outage(outage: Outage, now: datetime) -> Request:
    return Request("service", f"job:outage:{outage.id}", now)


def _ran_out(state: GameState, now: datetime) -> bool:
    return state.deadline is not None and state.deadline <= now
