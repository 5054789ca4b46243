"""Mails that left into a maildir and stay there to be looked at: what a mail program would show of them."""

import re
from base64 import b64encode
from collections.abc import Iterator
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Final

import msgspec

from turnserver.errors import NotFound

_NAME: Final = re.compile(r"[0-9a-f]{40}")
"""How the maildir transport names its files, less their ending."""
_CID: Final = re.compile(r"cid:([^\"'\s>]+)")
_PICTURES: Final = frozenset({"image/png", "image/jpeg", "image/gif"})


class Captured(msgspec.Struct, frozen=True):
    """A mail in a list. `news` is how its text begins: mails of one game share their subject."""

    id: str
    name: str
    address: str
    subject: str
    news: str
    at: datetime


class Header(msgspec.Struct, frozen=True):
    """A header as it was sent, unfolded."""

    name: str
    value: str


class Opened(Captured, frozen=True):
    """A mail that is looked at. `files` are the names of its attachments, in order."""

    text: str
    source: str
    headers: list[Header]
    files: list[str]
    rendered: bool


class Capture:
    """The mails of one maildir. Threads may share it."""

    def __init__(self, maildir: Path) -> None:
        """Nothing is read, and nothing has to be there, before it is asked for."""
        self._new = maildir / "new"
        self._known: dict[tuple[int, str], Captured] = {}

    def list(self) -> list[Captured]:
        """Every mail, the newest first."""
        places = sorted(self._places(), reverse=True)
        self._known = {place: self._known.get(place) or _summary(place[1], self.message(place[1])) for place in places}
        return list(self._known.values())

    def message(self, number: str) -> EmailMessage:
        """A mail, parsed. Raises NotFound."""
        return message_from_bytes(self.raw(number), policy=policy.default)

    def raw(self, number: str) -> bytes:
        """A mail to the byte, less what the maildir put on top of it. Raises NotFound."""
        if _NAME.fullmatch(number) is None:
            raise NotFound("There is no such mail.")
        try:
            _return_path, _delivered_to, mail = (self._new / f"{number}.turnserver").read_bytes().split(b"\n", 2)
        except FileNotFoundError as error:
            raise NotFound(f"There is no mail {number} any more.") from error
        return mail

    def open(self, number: str) -> Opened:
        """Everything about a mail but its HTML. Raises NotFound."""
        mail, source = self.message(number), self.raw(number).decode("utf-8", "replace")
        summary = _summary(number, mail)
        return Opened(
            **msgspec.structs.asdict(summary),
            text=_text(mail),
            source=source,
            headers=[Header(name, " ".join(value.split())) for name, value in mail.raw_items()],
            files=[part.get_filename("attachment") for part in mail.iter_attachments()],
            rendered=mail.get_body(("html",)) is not None,
        )

    def html(self, number: str) -> str:
        """The HTML of a mail with its pictures inside of it; empty if there is none. Raises NotFound."""
        mail = self.message(number)
        body = mail.get_body(("html",))
        pictures = {str(part["Content-ID"]).strip("<> "): part for part in mail.walk() if part["Content-ID"]}
        return _CID.sub(lambda match: _inside(pictures.get(match[1])), body.get_content()) if body else ""

    def attachment(self, number: str, index: int) -> tuple[str, bytes]:
        """Name and content of an attachment. Raises NotFound."""
        parts = list(self.message(number).iter_attachments())
        if index >= len(parts):
            raise NotFound(f"This mail has {len(parts)} attachments.")
        content = parts[index].get_payload(decode=True)
        return parts[index].get_filename("attachment"), content if isinstance(content, bytes) else b""

    def message_ids(self) -> set[str]:
        """The Message-ID of every mail."""
        return {str(self.message(name)["Message-ID"]).strip() for _, name in self._places()}

    def _places(self) -> Iterator[tuple[int, str]]:
        """When each mail came, in nanoseconds, and the name of its file."""
        for path in self._new.glob("*.turnserver"):
            if _NAME.fullmatch(path.stem):
                try:
                    yield path.stat().st_mtime_ns, path.stem
                except FileNotFoundError:
                    continue


def _summary(number: str, mail: EmailMessage) -> Captured:
    to = mail["To"].addresses[0]
    _marker, _, text = _text(mail).partition("\n\n")
    news = " ".join(text.strip().partition("\n\n")[0].split())
    return Captured(number, to.display_name or to.addr_spec, to.addr_spec, str(mail["Subject"]), news, mail["Date"].datetime)


def _text(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    return body.get_content() if body else ""


def _inside(part: EmailMessage | None) -> str:
    """A picture as a data URI; an empty one for anything else."""
    if part is None or part.get_content_type() not in _PICTURES:
        return "data:,"
    return f"data:{part.get_content_type()};base64,{b64encode(part.get_content()).decode()}"
