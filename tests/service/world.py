"""A service with two players at their mailboxes: real database, real mails in a maildir, and a clock that is told the time."""

import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.utils import make_msgid
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple, overload

from msgspec.structs import replace
from sqlalchemy import func, select

from tests.mail.format.reading import READER, WRITER
from tests.terms import PLAIN
from turnserver import games
from turnserver.config import Incoming, Settings, Site
from turnserver.ids import GameId, PlayerId
from turnserver.mail.transport.outgoing import MaildirTransport, Transport
from turnserver.outside import RandomBytes
from turnserver.play.events import SeatOrder
from turnserver.play.evolve import FindGame
from turnserver.play.state import GameState
from turnserver.service import keys
from turnserver.service.service import Service
from turnserver.store.incidents import outages
from turnserver.store.leagues import views as leagues
from turnserver.store.leagues.views import LeagueSummary
from turnserver.store.log.database import Database, table
from turnserver.store.log.statement import Statement, optional_instant
from turnserver.store.log.tables import GameRow, OutboxRow
from turnserver.store.mail import inbox, outbox
from turnserver.store.people import accounts

BEGIN = datetime(2026, 3, 1, 12, tzinfo=UTC)
SITE = "turns@club.example"
PEOPLE = {"Ada": "ada@example.org", "Bob": "bob@example.org", "Cleo": "cleo@example.org"}


EVERY = timedelta(minutes=20)
"""From one sweep to the next, with which no outage is noticed."""
_DUE_FIRST = Statement(select(func.min(table(GameRow).c.due_at)))
_NUMBERS = Statement(select(table(OutboxRow).c.message_id, table(OutboxRow).c.id))


class Mail:
    """A mail that was sent, parsed once and only if somebody looks: that takes longer than we take for everything else."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        head = raw.partition(b"\r\n\r\n")[0].decode()
        self.to, self.message_id = (re.findall(rf"(?m)^{name}: (\S+)", head)[0] for name in ("Delivered-To", "Message-ID"))

    @cached_property
    def message(self) -> EmailMessage:
        """The mail as its reader's program reads it."""
        return message_from_bytes(self.raw, policy=READER)


class Box(Sequence[EmailMessage]):
    """Mails in a mailbox, of which only those that somebody opens are parsed."""

    def __init__(self, mails: Sequence[Mail]) -> None:
        self._mails = mails

    def __len__(self) -> int:
        return len(self._mails)

    @overload
    def __getitem__(self, at: int) -> EmailMessage: ...

    @overload
    def __getitem__(self, at: slice) -> list[EmailMessage]: ...

    def __getitem__(self, at: int | slice) -> EmailMessage | list[EmailMessage]:
        return [mail.message for mail in self._mails[at]] if isinstance(at, slice) else self._mails[at].message


COUNTING: RandomBytes = lambda count: bytes(range(count))  # noqa: E731  # worlds are compared by it


class Chance:
    """Bytes that are others each time, and the same in each run."""

    def __init__(self) -> None:
        self.given = 0

    def __call__(self, count: int) -> bytes:
        drawn = sha256(str(self.given).encode()).digest()[:count]
        self.given += 1
        return drawn


KEPT = 100
ROLLBACK = b"\x01\x01"
"""Bytes 18 and 19 of a file whose writes do not go ahead into another one, which nothing in memory has."""


class Begun(NamedTuple):
    """The world that hundreds of tests begin with, made once by each process: the database as it is then, and the mails that were sent."""

    database: bytes
    mails: Mapping[str, bytes]
    game: GameId
    given: int


_BEGUN: dict[tuple[object, ...], Begun] = {}


def unread(service: Service) -> int:
    """Return the number of mails that have arrived and are still to be handled."""
    with service.db.read() as conn:
        return inbox.counts(conn).get("new", 0)


class World:
    """Everything a test does: let time pass, write mails, and look at what came."""

    def __init__(
        self,
        db: Database,
        directory: Path,
        incoming: Incoming | None = None,
        find: FindGame = games.find,
        settings: Settings | None = None,
        *,
        entropy: RandomBytes = COUNTING,
    ) -> None:
        """Ada, Bob and Cleo have accounts and have read their welcome. `find` knows the games; `settings` are all of them."""
        self.now = BEGIN
        self.directory = directory
        self._read: dict[Path, Mail] = {}
        with db.write() as tx:
            keys.ensure(tx, lambda count: b"k" * count)
        self._db = db
        self._find = find
        self._entropy = entropy
        self._settings = settings or Settings(site=Site(address=SITE), incoming=incoming or Incoming(), play=PLAIN)
        self.service = self.another_process()
        self._begin("founded", self._founded)

    @cached_property
    def welcomes(self) -> dict[str, EmailMessage]:
        """The first mail to each of the three."""
        return {name: self.mails(name)[0] for name in PEOPLE}

    def found(self) -> None:
        """Make the accounts."""
        for name, address in PEOPLE.items():
            self.add(name, address)
        self.settle()

    def _founded(self) -> GameId:
        self.found()
        return GameId(0)

    def _begin(self, what: str, make: Callable[[], GameId]) -> GameId:
        """Make something, or copy what came of it where everything that it depends on was the same to the last byte."""
        chance = self._entropy if isinstance(self._entropy, Chance) else None
        usual = vars(self.way_out()) == vars(MaildirTransport(self.directory)) and (self._entropy is COUNTING or chance)
        if not usual or self._db.engine.dialect.name != "sqlite":
            return make()
        with closing(sqlite3.connect(str(self._db.engine.url.database))) as ours:
            key = (type(self), what, self.now, repr(self._settings), self._find, chance and chance.given, sha256(ours.serialize()).digest())
            if (begun := _BEGUN.pop(key, None)) is None:
                before = self._sent()
                game = make()
                mails = {path.name: path.read_bytes() for path in self._sent() - before}
                begun = Begun(ours.serialize(), mails, game, chance.given if chance else 0)
                # The tests of a file begin alike, so what was used longest ago goes.
                if len(_BEGUN) == KEPT:
                    del _BEGUN[next(iter(_BEGUN))]
                _BEGUN[key] = begun
                return game
            _BEGUN[key] = begun
            with closing(sqlite3.connect(":memory:")) as theirs:
                theirs.deserialize(begun.database[:18] + ROLLBACK + begun.database[20:])
                theirs.backup(ours)
        if chance:
            chance.given = begun.given
        (self.directory / "new").mkdir(parents=True, exist_ok=True)
        for name, mail in begun.mails.items():
            (self.directory / "new" / name).write_bytes(mail)
        return begun.game

    def _sent(self) -> set[Path]:
        return set((self.directory / "new").glob("*"))

    def add(self, name: str, address: str) -> None:
        """Make an account for somebody who wants text alone: HTML and boards take longer than all else that a test does."""
        self.service.people.add(name, address, actor="admin:test", cause=f"test:{name}")
        self.want("text", name)

    def want(self, mail: Literal["text", "html"], *names: str) -> None:
        """Players want their mail in this form, and nothing tells that they ever wanted it in another."""
        with self._db.write() as tx:
            for person in (accounts.find_player(tx, name) for name in names):
                accounts.edit_player(tx, person.id, preferences=replace(person.preferences, mail=mail))

    def another_process(self) -> Service:
        """A service over the same database that remembers nothing."""
        return Service(
            self._db,
            self._settings,
            clock=lambda: self.now,
            lot=tuple,
            entropy=self._entropy,
            transport=self.way_out,
            find=self._find,
        )

    def way_out(self) -> Transport:
        """Return the transport by which mail leaves."""
        return MaildirTransport(self.directory)

    def restart(self, settings: Settings | None = None) -> None:
        """The service ends and begins anew, perhaps with other settings."""
        self._settings = settings or self._settings
        self.service = self.another_process()

    def wait(self, **span: float) -> None:
        """Let time pass; arguments as for timedelta."""
        self.now += timedelta(**span)

    def sweep_until(self, until: datetime) -> None:
        """Let time pass with the sweeps of a running service."""
        while self.now < until:
            self.service.upkeep.sweep()
            self.now = min(until, self.now + EVERY)
            self.rest(until, EVERY)
        self.service.upkeep.sweep()

    def rest(self, until: datetime, every: timedelta) -> None:
        """Let time pass in which no mail waits and no game is due: of the sweeps in it, nothing is left but the mark of the last."""
        with self._db.read() as conn:
            ((due,),) = conn.rows(_DUE_FIRST)
            waits = inbox.oldest_waiting(conn)
        sweeps = (min(until, optional_instant(due) or until) - self.now) // every - 1
        if sweeps < 1 or waits:
            return
        self.now += sweeps * every
        with self._db.write() as tx:
            outages.beat(tx, self.now, timedelta.max)

    def settle(self) -> None:
        """Handle and send until nothing is left."""
        while any((*self.service.mail.read_inbox(), *self.service.mail.send_outbox())):
            pass

    def open(self, options: Mapping[str, str | int | bool] | None = None, *, accepted: bool = True) -> GameId:
        """A game of Take between Ada, who begins, and Bob."""
        return self.open_any("take", ["Ada", "Bob"], options or {"size": 2}, accepted=accepted)

    def open_any(
        self, game: str, players: Sequence[str], options: Mapping[str, str | int | bool] | None = None, *, accepted: bool = True
    ) -> GameId:
        """A game between players in seat order."""

        def make() -> GameId:
            opened = self.service.games.open(
                game, options or {}, players, order=SeatOrder.GIVEN, actor="admin:test", cause=f"test:open:{self.now}"
            ).game
            self.settle()
            if accepted:
                for name in players:
                    self.answer(name, "accept")
            return opened

        return self._begin(f"{game} {players} {options} {accepted}", make)

    def state(self, game: GameId) -> GameState:
        """The game as it is."""
        return self.service.games.state(game)

    def leagues(self, player: PlayerId | None = None) -> list[LeagueSummary]:
        """The leagues as lists have them, or those that a player is in."""
        with self._db.read() as conn:
            return leagues.listed(conn, player)

    def mails(self, name: str) -> Sequence[EmailMessage]:
        """All mails that a player, or an address, ever got, oldest first."""
        address = PEOPLE.get(name, name)
        for path in (self.directory / "new").iterdir():
            if path not in self._read:
                self._read[path] = Mail(path.read_bytes())
        with self.service.db.read() as conn:
            order = dict(conn.rows(_NUMBERS))
        mine = [mail for mail in self._read.values() if mail.to == address]
        return Box(sorted(mine, key=lambda mail: order[mail.message_id]))

    def text(self, name: str) -> str:
        """The text of the newest mail that a player got."""
        body = self.mails(name)[-1].get_body(("plain",))
        assert body is not None
        return str(body.get_content())

    def answer(
        self,
        name: str,
        text: str,
        *,
        mail: EmailMessage | None = None,
        sender: str | None = None,
        to: str | None = None,
        settle: bool = True,
    ) -> bytes:
        """A player answers a mail, by default the newest one; gives the raw answer.

        With another address to write `to`, it names no mail that it answers: nothing but that address says what it is about.
        """
        mail = mail or self.mails(name)[-1]
        answer = EmailMessage(policy=WRITER)
        answer["From"] = sender or PEOPLE[name]
        answer["To"] = to or mail["Reply-To"]
        answer["Subject"] = f"Re: {mail['Subject']}"
        answer["Message-ID"] = make_msgid(domain="example.org")
        if to is None:
            answer["In-Reply-To"] = mail["Message-ID"]
        answer.set_content(text + "\n")
        raw = answer.as_bytes()
        self.deliver(raw, answer, settle=settle)
        return raw

    def deliver(self, raw: bytes, parsed: EmailMessage | None = None, *, settle: bool = True) -> int:
        """A mail arrives at the recipient that its To line names."""
        parsed = parsed or message_from_bytes(raw, policy=READER)
        number = self.service.mail.receive(raw, parsed["To"].addresses[0].addr_spec, parsed["From"].addresses[0].addr_spec, "test")
        if settle:
            self.settle()
        return number

    def outcome(self) -> str:
        """Return what the newest mail in the inbox came to."""
        with self.service.db.read() as conn:
            newest = inbox.list_inbox(conn, limit=1)[0]
        return f"{newest.status}: {newest.outcome or newest.error}"

    def outbox(self) -> list[outbox.OutboxItem]:
        """Every row of the outbox."""
        with self.service.db.read() as conn:
            return outbox.list_outbox(conn, limit=10_000)
