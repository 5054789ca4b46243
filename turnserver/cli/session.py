"""One run of the command line: its settings, its service, and who asks for what it does."""

import getpass
import os
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from turnserver.errors import DatabaseMissing
from turnserver.ids import PlayerId, actor
from turnserver.outside import Clock, DrawLots, RandomBytes, Running, draw_lots, system_clock, system_entropy

if TYPE_CHECKING:
    from turnserver.config import Settings
    from turnserver.mail.transport.outgoing import Transport
    from turnserver.service.service import Service
    from turnserver.store.log.database import Database


@dataclass(frozen=True)
class Outside:
    r"""The ways in which a run reaches the world: time, chance and outgoing mail. Tests bring their own.

    `running` is the machine's count of seconds since it started, where it is used beside the machine's clock.
    """

    clock: Clock = system_clock
    lot: DrawLots = draw_lots
    entropy: RandomBytes = system_entropy
    running: Running | None = None
    transport: "Callable[[], Transport] | None" = None


@dataclass
class Session:
    """One run of the command line. Nothing is read or opened before it is asked for."""

    config: Path | None = None
    outside: Outside = field(default_factory=Outside)
    # A new cause for each run, since whoever types a command twice wants it done twice.
    cause: str = field(default_factory=lambda: f"cli:{uuid.uuid4()}")
    player: PlayerId | None = None

    @cached_property
    def settings(self) -> "Settings":
        """The configuration in use. Raises ConfigError."""
        from turnserver.config import reading  # noqa: PLC0415  # help needs no configuration

        return reading.load(self.config, os.environ)

    @cached_property
    def database(self) -> "Database":
        """The configured database, for commands that only read rows. Raises ConfigError and StoreError; DatabaseMissing says which one."""
        from turnserver.store.incidents import health  # noqa: PLC0415  # a command that needs no database does not wait for this
        from turnserver.store.log.database import Database  # noqa: PLC0415

        url = self.settings.database.url
        try:
            return Database.connect(url, self.settings.database.busy_timeout_seconds)
        except DatabaseMissing as error:  # most often the wrong directory or the wrong user
            raise DatabaseMissing(f"{health.place(url)}: {error}") from error

    @cached_property
    def service(self) -> "Service":
        """The service over that database. Raises as `database` does."""
        return self.serve(self.database)

    def serve(self, db: "Database") -> "Service":
        """Return a service over a database that is open already, on this run's outside world. Raises ConfigError."""
        from turnserver.mail.outbound.language import languages  # noqa: PLC0415  # see below
        from turnserver.service.service import Service  # noqa: PLC0415  # it brings most of the program along

        # a mistake in one is told at once, and not mail by mail
        languages()
        outside = self.outside
        return Service(
            db,
            self.settings,
            clock=outside.clock,
            lot=outside.lot,
            entropy=outside.entropy,
            running=outside.running,
            transport=outside.transport,
        )

    def act_as(self, player: PlayerId) -> None:
        """Let a player be the actor of what this run does. The cause keeps the login name of whoever has typed it."""
        self.cause = f"{self.cause}:{self.actor}"
        self.player = player

    @property
    def actor(self) -> str:
        """The name of whoever asks, for the log: `admin:<login name>`, or that of the player in whose name the run acts."""
        if self.player is not None:
            return actor(self.player)
        try:
            return f"admin:{getpass.getuser()}"
        except (OSError, KeyError):  # a user without an entry, as in many containers; KeyError before Python 3.13
            return f"admin:uid-{os.getuid()}"

    def close(self) -> None:
        """Let go of the database, if it was opened."""
        # A cached property stands in `__dict__` once it was asked for; asking for it here would open the database.
        if "database" in self.__dict__:
            self.database.close()


def session(ctx: typer.Context) -> Session:
    """Return the run that a command belongs to."""
    found = ctx.find_object(Session)
    assert found is not None  # noqa: S101  # the root command made it
    return found
