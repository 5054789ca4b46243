"""A year of games over a real database, in which all happens that can happen to clocks, followed by the naive clock from event to event.

Time is two clocks: `real` goes on, and the machine shows `real + skew`, where `skew` changes when somebody sets the machine's clock. The
service knows the machine's alone. It sweeps every few seconds while it runs; sweeps that could find nothing are left out, and when there is
something to find the naive clock says. So a service that acts too late is found out by a sweep, one that acts too early by its event.
"""

import os
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from msgspec.structs import replace

from tests.decide import small_games
from tests.store.child import mortal
from tests.year.followed import SETTLE, Difference, Followed, Pending
from tests.year.naive_clock import NEVER
from tests.year.places import changes, changing
from tests.year.telling import Letter
from turnserver.config import Jobs, Play, Settings, Site
from turnserver.envelope import GameId, PlayerId, Position
from turnserver.errors import AlreadyDone, Refusal
from turnserver.play.commands import (
    Accept,
    Command,
    CreditClock,
    FreezeClock,
    PlayTurn,
    Resign,
    Retract,
    ThawClock,
)
from turnserver.play.events import (
    ClockFrozen,
    ClockThawed,
    FreezeKind,
    GameEvent,
    GameOpened,
    GraceGranted,
    PlayerReminded,
    SeatOrder,
    TurnPlayed,
    TurnTimedOut,
)
from turnserver.play.recheck import recheck
from turnserver.rules import Seat
from turnserver.service import Service, keys
from turnserver.service.ledger import Ledger
from turnserver.store import audit, inbox, log
from turnserver.store.database import Database

BEGIN = datetime(2027, 1, 1, tzinfo=UTC)
END = datetime(2028, 1, 1, tzinfo=UTC)
SITE = "turns@club.example"
SWEEP = timedelta(seconds=15)
BEAT = timedelta(hours=5)
GRACE_HOURS = (0, 24)
"""In the games that the one process opens, and in those that the other one does."""
OUTAGE = timedelta(hours=6)
"""A sweep that would find nothing is left out, as long as this is more than a beat."""
SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)

CONTROLS = (
    *("3d", "1d", "36h", "1d12h", "7d", "no limit"),
    *("5d+36h cap 10d", "2d+12h cap 4d", "14d+3d cap 28d", "60d in all", "15d in all", "20d then 5x2d", "3d then 4x1d"),
    *("next 20:00 Europe/Berlin, at least 24h", "next 02:30 America/New_York, at least 12h", "next 09:00 Pacific/Auckland, at least 2d"),
)
OPTIONS = ("no weekends", "nights 22:00-07:00", "nights 00:30-03:30", "holidays DE", "holidays US-CA", "no vacation")

LAST_MOMENTS = (-HOUR, -MINUTE, -SECOND, timedelta(0), timedelta(microseconds=1), 10 * SECOND, 44 * SECOND)
"""When somebody's turn arrives who nearly is too late, counted from his deadline."""

SETTINGS = Settings(
    site=Site(address=SITE),
    play=Play(reminders=("50%", "80%", "24h", "4h"), grace_hours=0, correction_minutes=0, undelivered="count"),
    jobs=Jobs(sweep_seconds=SWEEP.total_seconds(), outage_minutes=int(OUTAGE / MINUTE)),
)


class Waiting(NamedTuple):
    """A mail that has arrived and is still to be read: whose answer it is to which turn."""

    game: GameId
    answers: Pending
    arrived: datetime


class Lost(NamedTuple):
    """Time in which no service ran, as far as the machine's clock can say, and the games whose clocks ran."""

    began: datetime
    ended: datetime
    games: Mapping[GameId, Pending]


class Year:
    """The year. Everything is drawn from one seed."""

    def __init__(self, url: str, games: int, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311  # no secret
        self.url = url
        self.games = games
        self.real, self.skew = BEGIN, timedelta(0)
        self.figures: Counter[str] = Counter()
        self.followed: dict[GameId, Followed] = {}
        self.tables: dict[PlayerId, list[GameId]] = {}
        self.zones: dict[PlayerId, str] = {}
        self.slow: set[GameId] = set()
        self.numbers = count(1)
        self._queue: list[tuple[datetime, int, Callable[[], object]]] = []
        self._due: list[tuple[datetime, GameId]] = []
        self._seen = Position(0)
        self._asleep_until = BEGIN
        self._swept = self._beaten = BEGIN
        self._waiting: dict[int, Waiting] = {}
        self._held: list[Callable[[], object]] = []
        self.databases = [Database.connect(url) for _ in range(2)]
        with self.databases[0].write() as tx:
            keys.ensure(tx, lambda size: b"k" * size)
        self.restart()

    @property
    def now(self) -> datetime:
        """What the machine's clock shows."""
        return self.real + self.skew

    @property
    def asleep(self) -> bool:
        return self.real < self._asleep_until

    @property
    def _unheard(self) -> datetime:
        """When the oldest mail arrived that nobody has read: what falls due from then on has to wait for it."""
        return min((mail.arrived for mail in self._waiting.values()), default=NEVER)

    def restart(self) -> None:
        """Processes that remember nothing."""
        self.services = [self._service(db, hours) for db, hours in zip(self.databases, GRACE_HOURS, strict=True)]

    def close(self) -> None:
        """Let go of the database."""
        for db in self.databases:
            db.close()

    def _service(self, db: Database, grace_hours: int = 0) -> Service:
        settings = replace(SETTINGS, play=replace(SETTINGS.play, grace_hours=grace_hours))
        return Service(db, settings, clock=lambda: self.now, lot=tuple, entropy=lambda size: bytes(range(size)), find=small_games.find)

    # the course of the year

    def run(self) -> None:
        """Everything."""
        self._people()
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
        """When the next sweep is that has something to do, or is to be seen: on the grid of sweeps, as the machine's clock stands."""
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
            self.killed(lambda service: service.sweep())
        if way > 0.9:
            with ThreadPoolExecutor(2) as threads:
                list(threads.map(lambda service: service.sweep(), self.services))
            self.figures["sweeps by two at once"] += 1
        while self.services[0].sweep().acted:
            pass
        self.figures["sweeps"] += 1
        self.observe()
        self._given_back(lost)
        self._nothing_overdue()
        self._wake()

    def _lost(self) -> Lost | None:
        """What is to be given back if it is now that an outage, or what looks like one, is found; to be asked before anything is done."""
        began, self._beaten = self._beaten, max(self._beaten, self.now)
        if self.now - began <= OUTAGE:
            return None
        running = {game: followed.pending for game, followed in self.followed.items() if (followed.deadline or BEGIN) > began}
        return Lost(began, self.now, {game: pending for game, pending in running.items() if pending is not None})

    def _given_back(self, lost: Lost | None) -> None:
        """Nobody lost any time to an outage."""
        if lost is not None:
            self.figures["outages found"] += 1
            for game, pending in lost.games.items():
                clock = self.followed[game].clock
                if clock is None or clock.ran(pending.seat, lost.began, lost.ended):
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
                work(self._service(database))
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        self.figures["crashes" if os.WIFSIGNALED(status) else "crashes that came too late"] += 1
        self.observe()
        self.restart()

    def handle(self, game: GameId, command: Command, actor: str = "admin:test") -> bool:
        """Give a command, perhaps through a process that is killed on the way, and then again. False if it is refused."""
        cause = f"test:{next(self.numbers)}"
        try:
            if self.random.random() < 0.01:
                self.killed(lambda service: service.handle(game, command, actor=actor, cause=cause))
            self.services[0].handle(game, command, actor=actor, cause=cause)
        except AlreadyDone:
            self.figures["commands that a dead process had done"] += 1
        except Refusal as refused:
            self.figures[f"refused: {refused.code}"] += 1
            return False
        return True

    # what is looked at

    def observe(self) -> None:
        """Tell the naive clocks what is new in the log, and plan what follows from it."""
        with self.databases[0].read() as conn:
            rows = log.tail(conn, self._seen, 10_000)
        changed: dict[GameId, Pending | None] = {}
        for row in rows:
            self._seen = row.position
            if not row.stream.startswith("game-"):
                continue
            game = GameId(int(row.stream.removeprefix("game-")))
            if isinstance(row.event, GameOpened):
                self.followed[game] = Followed(game, row.event)
            followed = self.followed[game]
            changed.setdefault(game, followed.pending)
            if isinstance(row.event, TurnTimedOut | GraceGranted):
                self._no_mail_waits(followed)
            followed.tell(row)
            self._count(row.event)
        for game, before in changed.items():
            followed = self.followed[game]
            if followed.due is not None:
                heappush(self._due, (followed.due, game))
            if followed.pending is not None and followed.pending != before:
                self._plan_turn(game, followed.pending)

    def _no_mail_waits(self, flagged: Followed) -> None:
        """Whoever is out of time had not written in time."""
        for mail in self._waiting.values():
            late = flagged.deadline is not None and mail.arrived > flagged.deadline
            if (mail.game, mail.answers) == (flagged.game, flagged.pending) and not late:
                raise Difference(f"game {mail.game}: the flag fell, though a mail had come at {mail.arrived}")

    def _count(self, event: GameEvent) -> None:
        match event:
            case TurnPlayed():
                self.figures["turns"] += 1
            case TurnTimedOut():
                self.figures["flags"] += 1
            case GraceGranted():
                self.figures["grace"] += 1
            case PlayerReminded():
                self.figures["reminders"] += len(event.marks)
            case ClockFrozen():
                self.figures[f"freezes: {event.kind}"] += 1
            case ClockThawed():
                self.figures["thaws"] += 1
            case _:
                pass

    def look_through(self) -> None:
        """At the end: the log is whole, the games can be played again, and what their states hold is what the naive clocks say."""
        with self.databases[0].read() as conn:
            assert list(audit.verify(conn)) == []
        ledger = Ledger(self.databases[0], "club.example", small_games.find)
        for game, followed in self.followed.items():
            history = self.services[0].history(game)
            state = ledger.state_after(game, history)
            naive = followed.clock
            if naive is not None and followed.pending is not None:
                assert state.deadline == followed.deadline, game
                assert [(bank.time, bank.periods) for bank in state.banks] == [tuple(held) for held in naive.holds.values()], game
            assert list(recheck((row.event for row in history), game, small_games.find)) == [], game
        self.figures["games"] = len(self.followed)
        self.figures["zones whose change a turn spanned"] = len(self.zones_spanned() & set(changing(BEGIN.year)))

    def zones_spanned(self) -> set[str]:
        return set().union(*(followed.spanned for followed in self.followed.values()))

    # what people do

    def _people(self) -> None:
        zones = self.random.sample(changing(BEGIN.year), len(changing(BEGIN.year)))
        for number in range(max(40, min(2 * len(zones), self.games // 2))):
            zone = (
                zones[number % len(zones)] if number % 9 else self.random.choice(("UTC", "Asia/Tokyo", "Asia/Kathmandu", "America/Bogota"))
            )
            added = self.services[0].add_player(f"P{number}", f"p{number}@example.org", zone, actor="admin:test", cause=f"test:p{number}")
            self.zones[added.id] = zone
            self.tables[added.id] = []

    def _plan(self) -> None:
        """What is to happen in the year. In a year of many games, one is played over every change of the clocks of every zone."""
        zones = sorted(set(self.zones.values()) & set(changing(BEGIN.year)))
        spanning = [(zone, at) for zone in zones for at in changes(zone, BEGIN.year)]
        self.random.shuffle(spanning)
        spanning = spanning[: self.games // 3]
        for zone, at in spanning:
            self.at(max(BEGIN, at - self.random.random() * DAY), partial(self._open_over, zone))
        for _ in range(self.games - len(spanning)):
            self.at(BEGIN + self.random.random() * 340 * DAY, partial(self._open, None))
        for player in self.zones:
            for _ in range(self.random.randrange(3)):
                self.at(self._some_time(), partial(self._vacation, player))
        for _ in range(12):
            self.at(self._some_time(), self._outage)
        for _ in range(12):
            self.at(self._some_time(), self._set_clock)
        for _ in range(30):
            self.at(self._some_time(), self.restart)
        for _ in range(max(20, self.games // 2)):
            self.at(self._some_time(), self._admin)

    def _some_time(self) -> datetime:
        return BEGIN + self.random.random() * (END - BEGIN)

    def _open_over(self, zone: str) -> None:
        """A game whose first turn, of somebody who lives there, lasts for days."""
        here = self.random.choice([player for player, lives in self.zones.items() if lives == zone])
        other = self.random.choice([player for player in self.zones if player != here])
        game = self._open((here, other))
        self.slow.add(game)

    def _open(self, seated: Sequence[PlayerId] | None) -> GameId:
        """A game of these players, or of some, who accept by and by."""
        kinds = (("nim", 2), ("dice", 2), ("trio", 3), ("bones", 3), ("pairs", 4))
        game, seats = self.random.choice(kinds[: 2 if seated else None])
        players = seated or self.random.sample(list(self.zones), seats)
        chosen = {option[:4]: option for option in OPTIONS if self.random.random() < 0.15}  # one of each kind
        text = ", ".join([self.random.choice(CONTROLS), *chosen.values()])
        heap = {"heap": 2 * self.random.randrange(3, 25), "dice_from": 2 if game in {"dice", "bones"} else 0}
        who, cause = [str(player) for player in players], f"test:{next(self.numbers)}"
        service = self.random.choice(self.services)
        number = service.open_game(game, heap, who, order=SeatOrder.GIVEN, time=text, actor="admin:test", cause=cause).game
        for player in players:
            self.tables[player].append(number)
            self.at(self.real + (0 if seated else self.random.random()) * DAY, partial(self._accept, number, player))
        return number

    def _accept(self, game: GameId, player: PlayerId) -> None:
        self.handle(game, Accept(player, self.now), f"player-{player}")

    def _plan_turn(self, game: GameId, pending: Pending) -> None:
        """When the player who has the turn does something about it: in good time, in the last moment, or never."""
        deadline = self.followed[game].deadline
        mood, chance = self.random.random(), 0.15
        if deadline is None:
            when = self.now + self.random.expovariate(1 / 4) * DAY
        elif pending.turn == 1 and game in self.slow:
            when = deadline - 0.1 * self.random.random() * (deadline - self.now)
        elif mood < 0.06:
            return
        elif mood < 0.16:
            when, chance = deadline + self.random.choice(LAST_MOMENTS), 0.5
            self.later(deadline + self.random.random() * SETTLE, self.sweep)  # too early for a flag
            self.later(deadline + SETTLE + SWEEP, self.sweep)  # too early, if a mail waits
        else:
            when = self.now + self.random.betavariate(1, 3) * (deadline - self.now)
        by_mail = self.random.random() < chance
        self.later(when, partial(self._writes if by_mail else self._plays, game, pending))

    def _plays(self, game: GameId, pending: Pending) -> None:
        followed = self.followed[game]
        if followed.pending != pending:
            return
        if self.now - self._beaten > OUTAGE:
            self.read()  # what a player wants comes by mail, and whoever reads mail looks for outages first
        if followed.pending != pending:
            return
        player = followed.players[pending.seat - 1]
        if self.random.random() < 0.01:
            self.handle(game, Resign(player, self.now), f"player-{player}")
            return
        in_time = followed.deadline is None or self.now <= followed.deadline
        played = self.handle(game, PlayTurn(player, self.now, "1", pending.turn, pending.edition), f"player-{player}")
        if in_time and not played and followed.pending == pending:
            raise Difference(f"game {game}: turn {pending} came at {self.now}, before {followed.deadline}, and was refused")

    def _writes(self, game: GameId, pending: Pending) -> None:
        """A mail arrives now. It is read some time later, which may be after the deadline."""
        followed = self.followed[game]
        if followed.pending != pending:
            return
        letter = Letter(game, followed.players[pending.seat - 1], pending, next(self.numbers))
        number = self.services[0].receive(letter.raw(SITE), letter.to(SITE, self.databases[0]), letter.sender, "test")
        self._waiting[number] = Waiting(game, pending, self.now)
        self.figures["mails"] += 1
        self.at(self.real + self.random.choice((SECOND, MINUTE, MINUTE, HOUR, 5 * HOUR)), self.read)

    def read(self) -> None:
        """Read all mail that has arrived, perhaps in a process that is killed on the way."""
        lost = self._lost()
        judged = {number: self.followed[mail.game].deadline for number, mail in self._waiting.items()}
        if self.random.random() < 0.02:
            self.killed(lambda service: service.read_inbox())
        while any(self.services[0].read_inbox()):
            pass
        pending = {number: self.followed[mail.game].pending for number, mail in self._waiting.items()}
        self.observe()
        self._given_back(lost)
        for number, mail in list(self._waiting.items()):
            deadline = judged[number]
            with self.databases[0].read() as conn:
                item = inbox.get(conn, number)
            if item.status != "done":
                continue  # a dead process has it until its lease is over
            del self._waiting[number]
            due = pending[number] == mail.answers and (deadline is None or mail.arrived <= deadline)
            if due and item.outcome != "carried out":
                raise Difference(f"game {mail.game}: a mail came at {mail.arrived}, before {deadline}, but: {item.outcome}")
        if self._waiting:
            self.at(self.real + 10 * MINUTE, self.read)

    def _vacation(self, player: PlayerId) -> None:
        begins = self.now + self.random.choice((timedelta(0), self.random.random() * 10 * DAY))
        ends = begins + (2 + self.random.random() * 19) * DAY
        for game in self.tables[player]:
            followed = self.followed[game]
            if followed.pending is not None:
                seat = Seat(followed.players.index(player) + 1)
                self._freeze(game, FreezeClock(FreezeKind.VACATION, seat, begins, ends))

    def _freeze(self, game: GameId, freeze: FreezeClock) -> None:
        """Stop a clock; now and then it goes on earlier or later than was in sight."""
        clock = self.followed[game].clock
        number = len(clock.stops) + 1 if clock else 1
        if not self.handle(game, freeze):
            return
        end = freeze.ends or self.now + self.random.random() * 9 * DAY
        changed = self.random.random()
        if freeze.ends is None or changed < 0.3:
            other = self.now + self.random.random() * (end - self.now)
            self.later(other, lambda: self.handle(game, ThawClock(number, self.now)))
        elif changed < 0.45:
            self.later(end - self.random.random() * 2 * DAY, lambda: self.handle(game, ThawClock(number, end + 3 * DAY)))

    def _admin(self) -> None:
        """An admin, or the players, do something about a game."""
        running = [game for game, followed in self.followed.items() if followed.pending is not None]
        if not running:
            return
        game = self.random.choice(running)
        pending = self.followed[game].pending
        assert pending is not None
        match self.random.randrange(5):
            case 0:
                self._freeze(game, FreezeClock(FreezeKind.HALT, None, self.now, self.now + self.random.random() * 30 * DAY))
            case 1:
                self._freeze(game, FreezeClock(FreezeKind.HALT, None, self.now, None))
            case 2:
                self.handle(game, CreditClock(self.random.randrange(1, 200_000), "lost mail"))
            case 3:
                self.handle(game, Retract(max(1, pending.turn - self.random.randrange(1, 4)), "wrong board"))
            case _:
                back = self.now - self.random.random() * 5 * DAY
                self._freeze(game, FreezeClock(FreezeKind.UNDELIVERED, Seat(pending.seat), back, self.now))

    # what happens to the machine

    def _outage(self) -> None:
        """Nothing runs for hours or days. What is shorter than an outage may delay a flag, but never makes one fall too early."""
        self._asleep_until = self.real + self.random.choice((2 * HOUR, 7 * HOUR, 30 * HOUR, 4 * DAY))
        self.figures["outages"] += 1

    def _set_clock(self) -> None:
        """Somebody sets the machine's clock wrong, or right again."""
        steps = (20 * SECOND, -20 * SECOND, HOUR, -HOUR, -5 * HOUR, 3 * HOUR, 2 * DAY, -DAY)
        self.skew = timedelta(0) if self.skew else self.random.choice(steps)
        self.figures["clock set"] += 1
        if self.skew:
            self.at(self.real + self.random.random() * 2 * DAY, self._set_clock)
