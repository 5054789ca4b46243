"""A move from LMTP in to SMTP out: hundreds of games by scripted players, over real sockets, through the processes that an admin starts.

Each player answers a turn mail with the next move of their game's script, the whole mail quoted below, and so many moves are under way at
once. Scripts differ, so that hardly a board is drawn twice, as on a site where people play. The processor time of the players and of their
mail server does not count, nor does that of PostgreSQL. Without /proc nothing is measured.

The floor takes some mails every few seconds meanwhile, in a process of its own: a machine on which all processors are busy is slower, and
its speed changes within a minute.
"""

import os
import random
import re
import smtplib
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from email import message_from_bytes
from email.message import Message
from functools import partial
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from statistics import fmean, quantiles
from time import perf_counter
from typing import Final, NamedTuple

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.bench import postgresql
from tests.bench.accept import SIDE, Copied
from tests.bench.club import LIFTED, Club, Letter, answer
from tests.bench.measure import Budget, Cost, Figure
from tests.bench.scale import Scale
from tests.jobs.serving import Serving, configured, loaded, serving
from tests.jobs.sink import LOOPBACK, PATIENCE_SECONDS, Sink
from turnserver import games as catalogue
from turnserver.ids import GameId
from turnserver.mail.format.mime import addresses
from turnserver.play.events import TurnPlayed
from turnserver.rules.kit import example_turns, parse_turn
from turnserver.service.service import Service
from turnserver.store.mail import inbox, outbox

AT_ONCE: Final = 32
"""The number of moves under way at a time, each from its mail to the mail that it causes."""

CHOICES: Final = 20
"""The number of moves from which a player chooses at random."""

AT_A_TIME: Final = 12
"""The number of mails that the floor takes after each pause. It has one for each game, and the games take longer than that."""

PAUSE_SECONDS: Final = 3.0
"""The pause of the floor, which shall hardly slow the load."""

BUDGET: Final = Budget(7.4)
"""150 moves a second of a core where the floor takes 0.9 ms."""

SHARED: Final = Budget(1.11)
"""At least 0.9 times the moves a second of processor time."""

PLAY: Final[dict[str, object]] = {"correction_minutes": 0, "receipts": 0, "grace_hours": 0, "time": "3d", "reminders": ["24h"]}
PROC: Final = Path("/proc")
_GAME: Final = re.compile(r"<turn\.g(\d+)\.")


class Used(NamedTuple):
    """Seconds of the processor that some processes have used, and the bytes that they hold in memory."""

    processor: float
    memory: int

    @classmethod
    def by(cls, served: Sequence[Serving]) -> "Used":
        """Look at processes that run."""
        ticks, pages = 0, 0
        for one in served:
            # the name of the command, which comes first, may hold spaces
            fields = (PROC / str(one.process.pid) / "stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
            pages += int(fields[21])
        return cls(ticks / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE"))


class Went(NamedTuple):
    """The cost of a mean move, the seconds from each move's acceptance to its notice, and bytes.

    `early` and `late` are the memory of the processes after as many moves as there are games, and at the end. `mail` is the size of a mean
    turn mail.
    """

    cost: Cost
    waits: Sequence[float]
    early: int
    late: int
    mail: float


class Mailboxes(Sink):
    """The mailboxes of all players: hands each turn mail to whoever waits for news of its game, with the instant at which it came."""

    def __init__(self, games: Sequence[GameId]) -> None:
        """Wait for news of some games."""
        super().__init__()
        self.news: dict[GameId, SimpleQueue[tuple[float, bytes]]] = {game: SimpleQueue() for game in games}

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802  # aiosmtpd's name
        """Take a mail; only turn mails are expected."""
        raw = envelope.original_content or b""
        found = _GAME.search(raw[: raw.find(b"\r\n\r\n")].decode("ascii", "replace"))
        if found is None:
            return "554 not a turn mail"
        self.news[GameId(int(found[1]))].put((perf_counter(), raw))
        return "250 OK"


class Players:
    """The players of some games, who play each to the end of its script."""

    def __init__(self, mailboxes: Mailboxes, letters: Sequence[Letter], scripts: Mapping[GameId, Sequence[str]]) -> None:
        """Begin with `letters`, which are the first move in each game."""
        self._mailboxes = mailboxes
        self._scripts = scripts
        self._games = len(letters)
        self._due: SimpleQueue[tuple[int, Letter] | None] = SimpleQueue()
        for letter in letters:
            self._due.put((1, letter))
        self._over: list[GameId] = []
        self._waits: list[float] = []
        self._sizes: list[int] = []
        self._memory = 0

    def play(self, served: Sequence[Serving]) -> Went:
        """Play all games, by LMTP to each of the processes in turn. Raises Empty if a move brings no notice."""
        ports = [one.port for one in served]
        self._look = partial(Used.by, served)
        used, began = Used.by(served), perf_counter()
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for work in [pool.submit(self._play, ports[number % len(ports)]) for number in range(AT_ONCE)]:
                work.result()
        wall, after, moves = perf_counter() - began, Used.by(served), len(self._waits)
        cost = Cost((after.processor - used.processor) / moves, wall / moves)
        return Went(cost, self._waits, self._memory, after.memory, sum(self._sizes) / moves)

    def _play(self, port: int) -> None:
        """Send one move after the other, each once the one before has come to its opponent."""
        try:
            with smtplib.LMTP(LOOPBACK, port, timeout=PATIENCE_SECONDS) as lmtp:
                while (due := self._due.get()) is not None:
                    number, letter = due
                    lmtp.sendmail(letter.sender, [letter.recipient], letter.raw)
                    accepted = perf_counter()
                    noticed, raw = self._mailboxes.news[letter.game].get(timeout=PATIENCE_SECONDS)
                    self._waits.append(max(noticed - accepted, 0.0))
                    self._sizes.append(len(raw))
                    if len(self._waits) == self._games:
                        self._memory = self._look().memory
                    script = self._scripts[letter.game]
                    if number < len(script):
                        self._due.put((number + 1, _reply(letter, raw, script[number])))
                    else:
                        self._over.append(letter.game)
                    if len(self._over) == self._games:
                        break
        finally:
            # the others stop too, whether all is over or something went wrong
            self._due.put(None)


def load(directory: Path, scale: Scale) -> Iterator[Figure]:
    """Measure one process on SQLite against the floor, and two on PostgreSQL against one."""
    if not PROC.is_dir():
        return
    yield from _on_sqlite(directory / "load", scale)
    with postgresql.server() as server:
        place = directory / "load-postgresql"
        place.mkdir()
        games, letters = _opened(configured(place, _url(postgresql.create(server, "load")), 25, play=PLAY), scale.games)
        went = {}
        for workers in (1, 2):
            copy = _url(postgresql.create(server, f"load_{workers}", "load"))
            went[workers] = _played(place, copy, games, letters, scale.script // 3, workers)
    one, two = went[1].cost, went[2].cost
    what = f"a move from LMTP to SMTP, {scale.games} games, two workers on PostgreSQL"
    ratio = two.processor / one.processor
    yield Figure("load.workers", what, "ms", two.processor * 1e3, "one worker, processor time", one.processor * 1e3, ratio, SHARED)
    wall = f"one worker, wall time, {os.cpu_count()} processors for all"
    yield Figure("load.workers.wall", what, "ms", two.wall * 1e3, wall, one.wall * 1e3, two.wall / one.wall)


def _on_sqlite(place: Path, scale: Scale) -> Iterator[Figure]:
    place.mkdir()
    path = place / "load.db"
    games, letters = _opened(configured(place, f"sqlite:///{path}", 25, play=PLAY), scale.games)
    before = _weight(path)
    with _floor(path, games, letters) as beside:
        went = _played(place, f"sqlite:///{path}", games, letters, scale.script)
        least = beside()
    moves, cost = len(went.waits), went.cost
    what = f"a move from LMTP to SMTP, {len(games)} games"
    yield Figure("load", what, "ms", cost.processor * 1e3, "the floor, processor time", least * 1e3, cost.processor / least, BUDGET)
    yield Figure("load.core", f"{what}, of a core", "moves/s", 1 / cost.processor)
    yield Figure("load.wall", f"{what}, {AT_ONCE} at once", "moves/s", 1 / cost.wall)
    cuts = quantiles(went.waits, n=100, method="inclusive")
    for part in (50, 95, 99):
        yield Figure(f"load.p{part}", f"from acceptance to notice, {part} of 100 within", "s", cuts[part - 1])
    yield Figure("load.weight", "a turn mail of Take, as it leaves", "kB", went.mail / 1e3)
    yield Figure("load.database", "a move in the database, its mails included", "kB", (_weight(path) - before) / moves / 1e3)
    early, late = went.early / 1e6, went.late / 1e6
    yield Figure("load.memory", f"memory after {moves:,} moves", "MB", late, f"after {len(games):,} moves", early, late / early)


def _url(made: str) -> str:
    return made.replace("postgresql://", "postgresql+psycopg://")


def _opened(config: Path, count: int) -> tuple[Sequence[GameId], Sequence[Letter]]:
    """Open games between two players each, and return them with the first move of each by mail. All mail is noted as sent."""
    club = Club(Service.initialise(loaded(config)))
    games = [club.open(SIDE) for _ in range(count)]
    letters = list(club.answers(games))
    club.service.db.close()
    return games, letters


def _played(place: Path, url: str, games: Sequence[GameId], letters: Sequence[Letter], length: int, workers: int = 1) -> Went:  # noqa: PLR0917  # where, what and how
    """Have processes serve a database while the games are played. Raises AssertionError unless each move was played and told."""
    with ExitStack() as stack:
        mailboxes = stack.enter_context(Mailboxes(games))
        flood: dict[str, object] = {"mails_per_hour": LIFTED.mails_per_hour, "answers_per_day": LIFTED.answers_per_day}
        config = configured(place, url, mailboxes.port, play=PLAY, incoming=flood)
        served = [stack.enter_context(serving(config)) for _ in range(workers)]
        scripts = {game: _script(length, game) for game in games}
        went = Players(mailboxes, letters, scripts).play(served)
        for one in served:
            if one.stop():
                raise AssertionError(f"a process did not end well:\n{''.join(one.log)}")
    with closing(Service.connect(loaded(config)).db) as db:
        service = Service(db, loaded(config))
        for game in games:
            played = [row.event.steps for row in service.games.history(game) if isinstance(row.event, TurnPlayed)]
            if played != [(move,) for move in scripts[game]]:
                raise AssertionError(f"game {game} went {played}")
        with db.read() as conn:
            handled, mails = inbox.counts(conn), outbox.counts(conn)
    if handled != {"done": len(games) * length} or set(mails) != {"sent"}:
        raise AssertionError(f"not every mail was handled and sent: {handled}, {mails}")
    return went


def _script(length: int, seed: int) -> Sequence[str]:
    """Return the first moves of a game that begins with the first example of a mail, and goes on with any of those that mails offer."""
    rules, chance = catalogue.find("take", size=SIDE).rules, random.Random(seed)  # noqa: S311  # repeatable on purpose

    def moves() -> Iterator[str]:
        # The first moves are in the letters that the load begins with.
        position, choices = rules.start(), 1
        while True:
            move = chance.choice(example_turns(rules, position, count=choices))
            yield move
            position, choices = parse_turn(rules, position, move).state, CHOICES

    return tuple(islice(moves(), length))


def _reply(letter: Letter, raw: bytes, move: str) -> Letter:
    """Write the next letter of a game, in answer to the mail that came of the letter before."""
    mail = message_from_bytes(raw)
    (sender,) = addresses([str(mail["To"])])
    (recipient,) = addresses([str(mail["Reply-To"])])
    version = letter.version + 1
    written = answer(str(mail["To"]), recipient, f"{letter.game}.{version}", str(mail["Message-ID"]), move, _text(mail))
    return Letter(written, recipient, sender, letter.game, version)


def _text(mail: Message) -> str:
    part = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
    content = part.get_payload(decode=True)
    return content.decode() if isinstance(content, bytes) else ""


@contextmanager
def _floor(path: Path, games: Sequence[GameId], letters: Sequence[Letter]) -> Iterator[Callable[[], float]]:
    """Have the floor take mails in a process of its own, over a copy of the database in the file `path`, which nobody may use before this.

    What it gives ends that, and returns the seconds of the processor that a mean mail took.
    """
    context = get_context("spawn")
    ours, its = context.Pipe()
    child = context.Process(target=_take_now_and_then, args=(path, games, letters, its), daemon=True)
    child.start()
    its.close()
    try:
        # it has its copy
        ours.recv()

        def end() -> float:
            ours.send(None)
            taken: float = ours.recv()
            return taken

        yield end
    finally:
        ours.close()
        child.join(PATIENCE_SECONDS)


def _take_now_and_then(path: Path, games: Sequence[GameId], letters: Sequence[Letter], told: Connection) -> None:
    service = Service.connect(loaded(path.parent / "turnserver.toml"))
    with closing(service.db):
        floor = Copied.of_sqlite(path, path.parent / "floor.db", service, games)
    told.send(None)
    spent = []
    for at in range(0, len(letters), AT_A_TIME):
        some = letters[at : at + AT_A_TIME]
        began = Cost.so_far()
        floor.one_by_one(some)
        spent.append(Cost.so_far().since(began, len(some)).processor)
        if told.poll(PAUSE_SECONDS):
            break
    # it may have none left before that
    told.recv()
    floor.close()
    told.send(fmean(spent))


def _weight(path: Path) -> int:
    """Return the bytes of a database that nobody is connected to."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.stat().st_size
