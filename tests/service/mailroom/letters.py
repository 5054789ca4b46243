"""Mails as people and programs may write them, header by header, and worlds with settings of their own."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path

from tests.service.world import PEOPLE, SITE, World
from turnserver.config import Incoming, Play, Settings, Site
from turnserver.mail.format.tokens import find
from turnserver.store.log.database import Database
from turnserver.store.mail import inbox


@contextmanager
def world_over(
    url: str, directory: Path, incoming: Incoming | None = None, site: Site | None = None, *, again: bool = False
) -> Iterator[World]:
    """A world with these settings; `again` over a database that one was in before."""
    db = Database.connect(url)
    settings = Settings(site=site or Site(address=SITE), incoming=incoming or Incoming(), play=Play(receipts=0))
    yield (AnotherWorld if again else World)(db, directory / "mail", settings=settings)
    db.close()


class AnotherWorld(World):
    """A world that goes on where another one stopped."""

    def found(self) -> None:
        """Everybody has an account already."""


def reply_address(mail: EmailMessage) -> str:
    """Return the address to which an answer to a mail of ours goes."""
    address: str = mail["Reply-To"].addresses[0].addr_spec
    return address


def key_of(mail: EmailMessage) -> str:
    """The token in the reply address of a mail of ours."""
    return find([reply_address(mail)]) or ""


def letter(sender: str, text: str, headers: Mapping[str, str] | None = None, *, number: int = 1) -> bytes:
    """A mail with these headers besides; a header that is given takes the place of the usual one, an empty one is left out."""
    usual = {"From": sender, "To": SITE, "Subject": "hello", "Message-ID": f"<{number}.letter@example.org>"}
    lines = [f"{name}: {value}" for name, value in {**usual, **(headers or {})}.items() if value]
    return ("\r\n".join(lines) + f"\r\n\r\n{text}\r\n").encode("utf-8", "surrogateescape")


def post(world: World, raw: bytes, recipient: str = SITE, sender: str | None = None) -> str:
    """Let a mail arrive and be handled; what it came to."""
    world.service.mail.receive(raw, recipient, sender, "test")
    world.settle()
    return outcomes(world)[-1]


def outcomes(world: World) -> list[str]:
    """Return what the mails of the inbox came to, oldest first."""
    with world.service.db.read() as conn:
        return [mail.outcome or mail.status for mail in reversed(inbox.list_inbox(conn, limit=10_000))]


def said(world: World, name: str) -> str:
    """The text of the newest mail to somebody, on one line."""
    return " ".join(world.text(name).split())


def counts(world: World) -> dict[str, int]:
    """Return the number of mails that each player was sent."""
    return {name: len(world.mails(name)) for name in PEOPLE}
