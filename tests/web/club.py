"""A club with pages: a world, and a server of all its pages on loopback."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from tests.service.signing import signed_in
from tests.service.world import SITE, Chance, World
from tests.terms import PLAIN
from tests.web.serving import unattended
from tests.web.turn.visitor import URL, Visitor
from turnserver.config import Settings, Site, Web
from turnserver.store.log.database import Database
from turnserver.store.log.tables import METADATA
from turnserver.web.app import public_server
from turnserver.web.counts import Counts

SETTINGS = Settings(site=Site(address=SITE), play=PLAIN, web=Web(url=URL, port=0))
SIGNED_IN = replace(SETTINGS, web=replace(SETTINGS.web, link_play="sign-in"))


class Club(NamedTuple):
    """A world with pages."""

    world: World
    port: int

    def visitor(self, name: str = "") -> Visitor:
        """Somebody at a browser; with a name, a player who is signed in there."""
        visitor = Visitor(self.port)
        if name:
            visitor.cookies["/turns"] = f"session={signed_in(self.world, name)}"
        return visitor

    @property
    def everything(self) -> dict[str, list[Any]]:
        """Every row of every table."""
        with self.world.service.db.engine.connect() as conn:
            return {name: sorted(repr(tuple(row)) for row in conn.execute(table.select())) for name, table in METADATA.tables.items()}


@contextmanager
def serving(url: str, directory: Path, settings: Settings = SETTINGS) -> Iterator[Club]:
    """Serve the pages of a fresh world on a free port."""
    db = Database.connect(url)
    world = World(db, directory / "mail", settings=settings, entropy=Chance())
    with unattended(public_server(world.service, Counts())) as server:
        yield Club(world, server.port)
    db.close()
