"""A year of games over a real database, in which all happens that can happen to clocks, followed by the naive clock from event to event.

Time is two clocks: `real` goes on, and the machine shows `real + skew`, where `skew` changes when somebody sets the machine's clock. The
service knows the machine's alone. It sweeps every few seconds while it runs; sweeps that could find nothing are left out, and when there is
something to find the naive clock says. So a service that acts too late is found out by a sweep, one that acts too early by its event.
"""

import os
import random
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from msgspec.structs import replace

from tests.play import small_games
from tests.store.child import mortal
from tests.year.absent import Absences
from tests.year.followed import SETTLE, Difference, Followed, Pending
from tests.year.naive_clock import NEVER
from tests.year.people import People
from tests.year.places import changing
from tests.year.telling import Letter
from tests.year.when import BEGIN, DAY, END, HOUR, MINUTE, SECOND, SWEEP
from turnserver.audit.game.recheck import recheck
from turnserver.config import Jobs, Play, Settings, Site
from turnserver.errors import AlreadyDone, Refusal
from turnserver.ids import GameId, Position
from turnserver.mail.format.tokens import Token
from turnserver.play import events as e
from turnserver.play.commands import Command
from turnserver.service import keys
from turnserver.service.games.ledger import Ledger
from turnserver.service.service import Service
from turnserver.store.log import log
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database
from turnserver.store.mail import inbox

SITE = "turns@club.example"
BEAT = timedelta(hours=5)
OUTAGE = timedelta(hours=6)
"""A sweep that would find nothing is left out, as long as this is more than a beat."""

SETTINGS = Settings(
    site=Site(address=SITE),
    play=Play(reminders=("50%", "80%", "24h", "4h"), undelivered="count", receipts=0, correction_minutes=45),
    jobs=Jobs(sweep_seconds=SWEEP.total_seconds(), outage_minutes=int(OUTAGE / MINUTE)),
)


LATE = (e.TurnTimedOut, e.GraceGranted, e.TurnSkipped, e.SeatVacated)
"""The events that nobody may suffer whose turn has arrived in time."""

COUNTED: Mapping[type, str] = {
    e.TurnPlayed: "turns",
    e.TurnSkipped: "turns skipped",
    e.TurnTimedOut: "flags",
    e.GraceGranted: "grace",
    e.SeatVacated: "seats that waited for somebody",
    e.SubstituteSeated: "substitutes",
    e.GameReopened: "games taken up again",
    e.EndRetracted: "ends taken back",
    e.ClockThawed: "thaws",
    e.VacationDeclared: "vacations",
    e.VacationEnded: "vacations that ended early",
}


class Waiting(NamedTuple):
    """A mail that has arrived and is still to be read.

    If it is a turn, `plays` says which. `expects` is asked right before it is read what has to become of it; None if that is not certain.
    """

    letter: Letter
    arrived: datetime
    plays: Pending | None
    expects: Callable[[], str | None]

    def touches(self, other: "Waiting") -> bool:
        """Return whether what becomes of the one may depend on the other."""
        mine, theirs = self.letter.answers, other.letter.answers
        return mine.game == theirs.game if mine.game else mine.player == theirs.player


class Lost(NamedTuple):
    """Time in which no service ran, as far as the machine's clock can say, and the games whose clocks ran: of which seat, since when."""

    began: datetime
    ended: datetime
    games: Mapping[GameId, tuple[int, datetime]]


class Year:
    """The year. Everything is drawn from one seed."""

    def __init__(self, url: str, games: int, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311  # no secret
        self.url = url
        self.games = games
        self.real, self.skew = BEGIN, timedelta(0)
        self.figures: Counter[str] = Counter()
        self.followed: dict[GameId, Followed] = {}
        self.absences = Absences(self.followed)
        self.numbers = count(1)
        self._queue: list[tuple[datetime, int, Callable[[], object]]] = []
        self._due: list[tuple[datetime, GameId]] = []
        self._seen = Position(0)
        self._causes: set[str] = set()
        self._asleep_until = BEGIN
        self._swept = self._beaten = BEGIN
        self.finds_outage = False
        """True while the mail that is read is the first after an outage."""
        self._waiting: dict[int, Waiting] = {}
        self._held: list[Callable[[], object]] = []
        self.databases = [Database.connect(url) for _ in range(2)]
        with self.databases[0].write() as tx:
            keys.ensure(tx, lambda size: b"k" * size)
        self.restart()
        self.people = People(self)

    @property
    def now(self) -> datetime:
        """Return what the machine's clock shows."""
        return self.real + self.skew

    @property
    def asleep(self) -> bool:
        return self.real < self._asleep_until

    @property
    def _unheard(self) -> datetime:
        """Return when the oldest mail arrived that nobody has read: what falls due from then on has to wait for it."""
        return min((mail.arrived for mail in self._waiting.values()), default=NEVER)

    def restart(self) -> None:
        """Processes that remember nothing."""
        self.services = [self.service(db) for db in self.databases]

    def close(self) -> None:
        """Let go of the database."""
        for db in self.databases:
            db.close()

    def service(self, db: Database | None = None, play: Play = SETTINGS.play) -> Service:
        """A process, with these settings of play."""
        return Service(
            db or self.databases[0],
            replace(SETTINGS, play=play),
            clock=lambda: self.now,
            lot=tuple,
            entropy=lambda size: bytes(range(size)),
            find=small_games.find,
            house=small_games.house,
        )

    # the course of the year

    def run(self) -> None:
        """Everything."""
        self.people.settle()
        self.people.plan()
        self._plan()
        while self.real < END:
            sweep = self._next_sweep()
            if self._queue and self._queue[0][0] <= sweep:
                self.real, _, act = heappop(self._queue)
                if self.real < END:
                    self.act(act)
            else:
                self.real = sweep
                self.sweep()
        self.real = max(self.real, self._asleep_until)
        self.sweep()
        self.look_through()

    def at(self, when: datetime, act: Callable[[], object]) -> None:
        """Let something happen then, or now if that is past."""
        heappush(self._queue, (max(when, self.real), next(self.numbers), act))

    def later(self, when: datetime, act: Callable[[], object]) -> None:
        """Let something happen when the machine's clock shows that, if nobody sets it."""
        self.at(when - self.skew, act)

    def act(self, act: Callable[[], object]) -> None:
        if self.asleep:
            self._held.append(act)  # nobody is there to do it
        else:
            act()
            self.observe()

    def _next_sweep(self) -> datetime:
        """Return when the next sweep is that has something to do or is to be seen: on the grid of sweeps, by the machine's clock."""
        while self._due and self._due[0] != (self.followed[self._due[0][1]].due, self._due[0][1]):
            heappop(self._due)
        at = self._swept + BEAT
        if self._due and self._due[0][0] < self._unheard:
            at = min(at, self._due[0][0] + SETTLE - self.skew)
        at = max(at, self._asleep_until, self.real + SECOND)
        return at + (BEGIN - at) % SWEEP

    # what the service does

    def sweep(self) -> None:
        """One round, by one process, by two at once, or by one that is killed on the way. What waited meanwhile comes before or after."""
        self._swept = self.real
        if self._held and self.random.random() < 0.5:
            self.read()
            self._wake()
        lost = self._lost()
        way = self.random.random()
        if way < 0.02:
            self.killed(lambda service: service.upkeep.sweep())
        if way > 0.9:
            with ThreadPoolExecutor(2) as threads:
                list(threads.map(lambda service: service.upkeep.sweep(), self.services))
            self.figures["sweeps by two at once"] += 1
        while self.services[0].upkeep.sweep().acted:
            pass
        self.figures["sweeps"] += 1
        self.observe()
        self._given_back(lost)
        self._nothing_overdue()
        self._wake()

    def _lost(self) -> Lost | None:
        """Return the time to give back if an outage, or what looks like one, is found now. Ask before anything is done."""
        began, self._beaten = self._beaten, max(self._beaten, self.now)
        if self.now - began <= OUTAGE:
            return None
        games: dict[GameId, tuple[int, datetime]] = {}
        for game, followed in self.followed.items():
            since = max(began, followed.since or began)
            if followed.pending is not None and (followed.deadline or BEGIN) > since:  # or else there was no time left to lose
                games[game] = followed.pending.seat, since
        return Lost(began, self.now, games)

    def _given_back(self, lost: Lost | None) -> None:
        """Nobody lost any time to an outage."""
        if lost is not None:
            self.figures["outages found"] += 1
            for game, (seat, since) in lost.games.items():
                clock = self.followed[game].clock
                if clock is None or clock.ran(seat, since, lost.ended):
                    raise Difference(f"game {game}: nothing was given back for {lost.began} to {lost.ended}")

    def _wake(self) -> None:
        held, self._held = self._held, []
        for act in held:
            act()
            self.observe()

    def _nothing_overdue(self) -> None:
        until = min(self.now - SETTLE, self._unheard - timedelta.resolution)
        while self._due and self._due[0][0] <= until:
            at, game = heappop(self._due)
            for problem in self.followed[game].overdue(until):
                raise Difference(f"{problem}; {self.now}, and the clock was set {self.skew}")
            if self.followed[game].due == at:
                raise Difference(f"game {game}: due at {at}, and nothing overdue at {self.now}")

    def killed(self, work: Callable[[Service], object]) -> None:
        """A process does that, and is killed at some statement on the way; another one takes its place."""
        fatal = self.random.randrange(1, 40)
        child = os.fork()
        if child == 0:
            try:
                database, _ = mortal(self.url, fatal)
                work(self.service(database))
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        self.figures["crashes" if os.WIFSIGNALED(status) else "crashes that came too late"] += 1
        self.observe()
        self.restart()

    def handle(self, game: GameId, command: Command, actor: str = "admin:test") -> bool:
        """Give a command. False if it is refused."""
        return self.ask(lambda service, cause: service.games.handle(game, command, actor=actor, cause=cause))

    def ask(self, work: Callable[[Service, str], object]) -> bool:
        """Ask for something, perhaps through a process that is killed on the way, and then again. False if it is refused."""
        cause = f"test:{next(self.numbers)}"
        try:
            if self.random.random() < 0.01:
                self.killed(lambda service: work(service, cause))
            work(self.services[0], cause)
        except AlreadyDone:
            self.figures["commands that a dead process had done"] += 1
        except Refusal as refused:
            if cause in self._causes:
                self.figures["commands that a dead process had done"] += 1
                return True
            self.figures[f"refused: {refused.code}"] += 1
            return False
        return True

    def mail(self, answers: Token, text: str, plays: Pending | None = None, expects: Callable[[], str | None] = lambda: None) -> None:
        """A mail arrives now. It is read some time later, which may be after the deadline."""
        letter = Letter(answers, text, next(self.numbers))
        number = self.services[0].mail.receive(letter.raw(SITE), letter.to(SITE, self.databases[0]), letter.sender, "test")
        self._waiting[number] = Waiting(letter, self.now, plays, expects)
        self.figures["mails"] += 1
        self.at(self.real + self.random.choice((SECOND, MINUTE, MINUTE, HOUR, 5 * HOUR)), self.read)

    def read(self) -> None:
        """Read all mail that has arrived, perhaps in a process that is killed on the way."""
        lost = self._lost()
        self.finds_outage = lost is not None
        expected = {number: self._expected(mail) for number, mail in self._waiting.items()}
        if self.random.random() < 0.02:
            self.killed(lambda service: service.mail.read_inbox())
        while any(self.services[0].mail.read_inbox()):
            pass
        self.observe()
        self._given_back(lost)
        for number, mail in list(self._waiting.items()):
            with self.databases[0].read() as conn:
                item = inbox.get(conn, number)
            if item.status != "done":
                continue  # a dead process has it until its lease is over
            del self._waiting[number]
            if item.outcome != "carried out":
                self.figures[f"mail: {item.outcome}"] += 1
            if expected[number] not in {None, item.outcome}:
                raise Difference(f"{mail.letter} came at {mail.arrived} and should be {expected[number]}, but: {item.outcome}")
        if self._waiting:
            self.at(self.real + 10 * MINUTE, self.read)

    def _expected(self, mail: Waiting) -> str | None:
        """Return what has to become of a mail that is read now; None if that depends on another one."""
        return mail.expects() if sum(mail.touches(other) for other in self._waiting.values()) == 1 else None

    def awake(self) -> bool:
        """Do what comes before a player's wish: it comes by mail, and who reads mail looks for outages, and reads the oldest first.

        False if a dead process still has some of it.
        """
        if self._waiting or self.now - self._beaten > OUTAGE:
            self.read()
        return not self._waiting

    # what is looked at

    def observe(self) -> None:
        """Tell the naive clocks what is new in the log, and plan what follows from it."""
        with self.databases[0].read() as conn:
            rows = log.tail(conn, self._seen, 10_000)
        changed: dict[GameId, Pending | None] = {}
        for row in rows:
            self._seen = row.position
            self._causes.add(row.cause)
            if isinstance(row.event, e.VacationDeclared | e.VacationEnded):
                self.absences.tell(row.event)
            self._count(row.event)
            if not row.stream.startswith("game-"):
                continue
            game = GameId(int(row.stream.removeprefix("game-")))
            if isinstance(row.event, e.GameOpened):
                self.followed[game] = Followed(game, row.event)
            followed = self.followed[game]
            changed.setdefault(game, followed.pending)
            self._no_mail_waits(followed, row.event)
            self.absences.froze(followed, row)
            followed.tell(row)
            if isinstance(row.event, e.SeatVacated):
                self.people.wait(game)
        for game, before in changed.items():
            followed = self.followed[game]
            if followed.due is not None:
                heappush(self._due, (followed.due, game))
            if followed.pending is not None and followed.pending != before:
                self.people.have_turn(game, followed.pending)
            elif followed.pending is None and before is not None:
                self.people.are_done(game)
        self.absences.look(self.now)

    def _no_mail_waits(self, flagged: Followed, event: e.GameEvent) -> None:
        """Raise Difference if a player who is out of time had written in time."""
        if not isinstance(event, LATE) and not (isinstance(event, e.TurnPlayed) and event.by_house):
            return
        for mail in self._waiting.values():
            late = flagged.deadline is not None and mail.arrived > flagged.deadline
            if (mail.letter.answers.game, mail.plays) == (flagged.game, flagged.pending) and not late and not flagged.vacant:
                raise Difference(f"game {flagged.game}: the flag fell, though a mail had come at {mail.arrived}")

    def _count(self, event: e.GameEvent | e.VacationDeclared | e.VacationEnded) -> None:
        match event:
            case e.PlayerReminded():
                self.figures["reminders"] += len(event.marks)
            case e.ClockFrozen():
                self.figures[f"freezes: {event.kind}"] += 1
            case e.TurnsRetracted():
                self.figures[f"taken back: {event.kind}"] += 1
            case e.TurnPlayed(by_house=True):
                self.figures["turns by the house"] += 1
            case _ if type(event) in COUNTED:
                self.figures[COUNTED[type(event)]] += 1
            case _:
                pass

    def look_through(self) -> None:
        """At the end: the log is whole, the games can be played again, and what their states hold is what the naive clocks say."""
        with self.databases[0].read() as conn:
            assert list(audit.verify(conn)) == []
        ledger = Ledger(self.databases[0], "club.example", small_games.find)
        for game, followed in self.followed.items():
            history = self.services[0].games.history(game)
            state = ledger.games.state_after(game, history)
            naive = followed.clock
            if naive is not None and followed.pending is not None:
                assert state.deadline == followed.deadline, game
                assert [(bank.time, bank.periods) for bank in state.banks] == [tuple(held) for held in naive.holds.values()], game
            wrong = list(recheck((row.event for row in history), game, small_games.find))
            assert wrong == [], (game, followed.terms.time, wrong)
        self.figures["games"] = len(self.followed)
        self.figures["zones whose change a turn spanned"] = len(self.zones_spanned() & set(changing(BEGIN.year)))

    def zones_spanned(self) -> set[str]:
        return set().union(*(followed.spanned for followed in self.followed.values()))

    # what happens to the machine

    def _plan(self) -> None:
        for happens, times in ((self._outage, 12), (self._set_clock, 12), (self.restart, 30)):
            for _ in range(times):
                self.at(self.some_time(), happens)

    def some_time(self) -> datetime:
        return BEGIN + self.random.random() * (END - BEGIN)

    def _outage(self) -> None:
        """Nothing runs for hours or days. What is shorter than an outage may delay a flag, but never makes one fall too early."""
        self._asleep_until = self.real + self.random.choice((2 * HOUR, 7 * HOUR, 30 * HOUR, 4 * DAY))
        self.figures["outages"] += 1

    def _set_clock(self) -> None:
        """Somebody sets the machine's clock wrong, or right again, and says that it is right if it goes back."""
        steps = (20 * SECOND, -20 * SECOND, HOUR, -HOUR, -5 * HOUR, 3 * HOUR, 2 * DAY, -DAY)
        before = self.now
        self.skew = timedelta(0) if self.skew else self.random.choice(steps)
        self.figures["clock set"] += 1
        if self.now < before:
            self.services[0].upkeep.confirm_clock()
        if self.skew:
            self.at(self.real + self.random.random() * 2 * DAY, self._set_clock)
