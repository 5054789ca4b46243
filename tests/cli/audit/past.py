"""A world of real mails whose admin sits at the command line, on either engine."""

from pathlib import Path

from tests.cli.club import Club
from tests.service.world import SITE, World
from turnserver.config import Play, Settings, Site
from turnserver.store.log.database import Database


class Past(Club):
    """The command line over the database of a `world`, on its clock."""

    def __init__(self, directory: Path, url: str, play: Play | None = None) -> None:
        """Ada, Bob and Cleo have accounts. Whoever asks says how games are played; else without correction time."""
        super().__init__(directory)
        self.config.write_text(f'[site]\naddress = "{SITE}"\nzone = "Europe/Berlin"\n\n[database]\nurl = "{url}"\n', encoding="utf-8")
        self.db = Database.connect(url)
        settings = Settings(site=Site(address=SITE), play=play) if play else None
        self.world = World(self.db, directory / "mail", settings=settings)
        self.look()

    def look(self) -> None:
        """The admin's clock shows what that of the world does."""
        self.now = self.world.now

    def close(self) -> None:
        """Let go of the database."""
        self.db.close()
