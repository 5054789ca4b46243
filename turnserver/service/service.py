"""A running turnserver: all of its parts, made in one place."""

from collections.abc import Callable
from typing import NamedTuple, Self

from turnserver import games
from turnserver.config import Settings
from turnserver.mail.transport.outgoing import Transport
from turnserver.outside import Clock, DrawLots, RandomBytes, Running, draw_lots, system_clock, system_entropy
from turnserver.play.evolve import FindGame
from turnserver.play.timeouts import House
from turnserver.service.games.commands import GameCommands
from turnserver.service.games.ledger import Ledger
from turnserver.service.games.terms import check_time
from turnserver.service.keys import ReplyKeys, ensure
from turnserver.service.leagues.repository import Leagues
from turnserver.service.mailroom.dispatch import Sent
from turnserver.service.mailroom.mailroom import Mailroom
from turnserver.service.mailroom.reception import Handled
from turnserver.service.pages.pages import Pages
from turnserver.service.people.people import People
from turnserver.service.upkeep.deadlines import SweepCounts
from turnserver.service.upkeep.processes import take_over
from turnserver.service.upkeep.upkeep import Upkeep
from turnserver.store.log.database import Database


class Ticked(NamedTuple):
    """The results of one round of everything."""

    handled: Handled
    swept: SweepCounts
    sent: Sent


class Service:
    """A running turnserver. Threads may share one; processes make their own over the same database.

    `games`, `leagues`, `people`, `mail` and `upkeep` take commands and questions, and `pages` those of pages; `ledger` is for whoever has a
    transaction.
    """

    def __init__(
        self,
        db: Database,
        settings: Settings,
        *,
        clock: Clock = system_clock,
        lot: DrawLots = draw_lots,
        entropy: RandomBytes = system_entropy,
        running: Running | None = None,
        transport: Callable[[], Transport] | None = None,
        find: FindGame = games.find,
        house: House = games.house_turn,
    ) -> None:
        """Serve the games of `db`, which `find` knows and `house` plays. The other arguments are the ways to the outside world.

        With `running`, the service notices a `clock` that is set meanwhile, or that differs from the one of the database's server; and
        writes no event from the future.
        """
        self.db = db
        db.in_real_time = running is not None
        self.settings = settings
        self.clock = clock
        reply_keys = ReplyKeys(db)
        self.ledger = Ledger(
            db, settings.site.domain, find, house=house, entropy=entropy, correction_minutes=settings.play.correction_minutes
        )
        self.games = GameCommands(self.ledger, settings, clock, lot)
        self.leagues = Leagues(self.ledger, settings, clock)
        self.upkeep = Upkeep(self.ledger, self.leagues, settings, clock, running)
        self.mail = Mailroom(self.ledger, self.leagues, settings, reply_keys, self.upkeep, clock, lot, transport)
        self.pages = Pages(self.ledger, self.leagues, settings, reply_keys, self.mail, self.upkeep, clock, lot)
        self.people = People(self.ledger, self.leagues, settings, reply_keys, clock, self.mail.deliverability, self.mail.dispatcher)

    @classmethod
    def connect(cls, settings: Settings) -> Self:
        """Open the database that the settings name. Raises StoreError if it cannot be used."""
        return cls(Database.connect(settings.database.url, settings.database.busy_timeout_seconds), settings)

    @classmethod
    def initialise(cls, settings: Settings) -> Self:
        """Create the database that the settings name, or bring it up to date, and see to it that it has its keys."""
        db = Database.create_or_upgrade(settings.database.url, settings.database.busy_timeout_seconds)
        with db.write() as tx:
            ensure(tx, system_entropy)
        return cls(db, settings)

    def make_ready(self) -> None:
        """Check that mail can be signed and games be opened by the settings; release what a killed process held. Raises ConfigError."""
        self.mail.dispatcher.make_ready()
        check_time(self.settings, self.clock())
        take_over(self.db)

    def tick(self) -> Ticked:
        """Do everything once, until nothing is left to do: for cron."""
        take_over(self.db)
        return Ticked(self.mail.read_everything(), self.upkeep.sweep(), self.mail.send_everything())
