"""A world whose database can be put back to an earlier state, by hand or as one is told to."""

from email.message import EmailMessage
from pathlib import Path

from tests.service.world import SITE, World
from tests.store.incidents import copying
from tests.terms import PLAIN
from turnserver.config import Jobs, Settings, Site
from turnserver.service.upkeep import losses
from turnserver.store.incidents import restorations
from turnserver.store.log.database import Database

ADMIN = "admin@example.org"
SETTINGS = Settings(site=Site(address=SITE, admin=ADMIN, registration="open"), play=PLAIN, jobs=Jobs(outage_minutes=1_440))
"""A service that does not sweep for hours has no outage for that: only one that is put back has."""


class LostWorld(World):
    """Ada, Bob and Cleo, whose service may lose what they did."""

    def __init__(self, url: str, directory: Path) -> None:
        """Over the database at a URL; mails lie in the directory."""
        self.url = url
        self._backup = directory.with_name("backup.gz")
        self._drawn = 0
        super().__init__(Database.connect(url), directory, settings=SETTINGS)

    def back_up(self, *, settle: bool = True) -> None:
        """Keep the present state, with all mails sent that wait."""
        self.service.upkeep.sweep()
        if settle:
            self.settle()
        copying.back_up(self.url, self._backup)

    def put_back(self, *, said: bool = True, lost: bool = True) -> None:
        """Put the kept state back, and say so unless nobody does; what was mailed until now is out of sight."""
        self.service.db.close()
        copying.put_back(self.url, self._backup)
        for path in (self.directory / "new").iterdir():
            path.unlink()
        self._read.clear()
        self._db = Database.connect(self.url)
        if said:
            with self._db.write() as tx:
                losses.begin(tx, self._fresh, self.now, lost=lost)
        self.restart()

    def _fresh(self, count: int) -> bytes:
        self._drawn += 1
        return bytes([100 + self._drawn]) * count

    def go_on(self) -> None:
        """Do all that is due."""
        self.service.upkeep.sweep()
        self.settle()

    def known(self) -> list[str]:
        """Return what is known to be lost."""
        with self.service.db.read() as conn:
            return [one.subject for one in restorations.every_loss(conn)]

    def kinds(self, name: str) -> list[str]:
        """Return what the mails of a player, or an address, are about, oldest first."""
        return [mail["Message-ID"].strip().removeprefix("<").partition(".")[0] for mail in self.mails(name)]

    def newest(self, name: str) -> EmailMessage:
        """The newest mail that a player got."""
        return self.mails(name)[-1]
