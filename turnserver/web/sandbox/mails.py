"""The mails of a maildir as a mail program would show them."""

import re
from base64 import b64encode
from collections.abc import Iterator
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import escape, unescape
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

import msgspec

from turnserver.errors import NotFound

_NAME: Final = re.compile(r"[0-9a-f]{40}")
"""The names that the maildir transport gives its files, less their ending."""
_MAILTO: Final = re.compile(r"""\bhref\s*=\s*(?:"(mailto:[^"]*)"|'(mailto:[^']*)')""", re.IGNORECASE)
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


class Opened(Captured, frozen=True):
    """A mail that is looked at. `headers` are names and unfolded values, `files` the names of attachments, in order."""

    text: str
    source: str
    headers: list[tuple[str, str]]
    files: list[str]
    rendered: bool


class Capture:
    """The mails of one maildir. Threads may share it."""

    def __init__(self, maildir: Path) -> None:
        """Nothing is read, and nothing has to be there, before it is asked for."""
        self._new = maildir / "new"
        self._known: dict[tuple[int, str], Captured] = {}

    def list(self) -> list[Captured]:
        """Return every mail, the newest first."""
        places = sorted(self._places(), reverse=True)
        # A mail never changes, so each is parsed once; mails that were removed are forgotten.
        self._known = {place: self._known.get(place) or _summary(place[1], self.message(place[1])) for place in places}
        return list(self._known.values())

    def message(self, number: str) -> EmailMessage:
        """Return a mail, parsed. Raises NotFound."""
        return message_from_bytes(self.raw(number), policy=policy.default)

    def raw(self, number: str) -> bytes:
        """Return a mail to the byte, less what the maildir put on top of it. Raises NotFound."""
        # The name comes from a request: nothing but a file name of the transport may become part of a path.
        if _NAME.fullmatch(number) is None:
            raise NotFound("There is no such mail.")
        try:
            _return_path, _delivered_to, mail = (self._new / f"{number}.turnserver").read_bytes().split(b"\n", 2)
        except FileNotFoundError as error:
            raise NotFound(f"There is no mail {number} any more.") from error
        return mail

    def open(self, number: str) -> Opened:
        """Return everything about a mail but its HTML. Raises NotFound."""
        mail, source = self.message(number), self.raw(number).decode("utf-8", "replace")
        summary = _summary(number, mail)
        return Opened(
            **msgspec.structs.asdict(summary),
            text=_text(mail),
            source=source,
            headers=[(name, " ".join(value.split())) for name, value in mail.raw_items()],
            files=[part.get_filename("attachment") for part in mail.iter_attachments()],
            rendered=mail.get_body(("html",)) is not None,
        )

    def html(self, number: str) -> str:
        """Return the HTML of a mail with its pictures inside of it; empty if there is none. Raises NotFound.

        An address to write to opens the page again, with the answer that was tapped in the box of this mail.
        """
        mail = self.message(number)
        body = mail.get_body(("html",))
        pictures = {str(part["Content-ID"]).strip("<> "): part for part in mail.walk() if part["Content-ID"]}
        html = _CID.sub(lambda match: _inside(pictures.get(match[1])), body.get_content()) if body else ""
        return _MAILTO.sub(lambda match: _to_box(number, unescape(match[1] or match[2])), html)

    def attachment(self, number: str, index: int) -> tuple[str, bytes]:
        """Return the name and the content of an attachment. Raises NotFound."""
        parts = list(self.message(number).iter_attachments())
        if index >= len(parts):
            raise NotFound(f"This mail has {len(parts)} attachments.")
        content = parts[index].get_payload(decode=True)
        return parts[index].get_filename("attachment"), content if isinstance(content, bytes) else b""

    def message_ids(self) -> set[str]:
        """Return the Message-ID of every mail."""
        return {str(self.message(name)["Message-ID"]).strip() for _, name in self._places()}

    def _places(self) -> Iterator[tuple[int, str]]:
        for path in self._new.glob("*.turnserver"):
            if _NAME.fullmatch(path.stem):
                try:
                    yield path.stat().st_mtime_ns, path.stem
                # Somebody has removed the mail since the directory was read.
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


def _to_box(number: str, mailto: str) -> str:
    # No script may run in the frame of a mail, so that its links lead out of it, to the page with other parameters.
    written = urlsplit(mailto)
    # In a `mailto:` link a plus is a plus (RFC 6068), while `parse_qs` reads it as a blank.
    words = parse_qs(written.query.replace("+", "%2B")).get("body", [""])[0]
    query = urlencode({"mail": number, "to": unquote(written.path), "words": words})
    return f'target="_top" href="{escape(f"/?{query}#answer")}"'


def _inside(part: EmailMessage | None) -> str:
    # The frame loads nothing, so a picture that is missing or of another type is an empty one.
    if part is None or part.get_content_type() not in _PICTURES:
        return "data:,"
    return f"data:{part.get_content_type()};base64,{b64encode(part.get_content()).decode()}"
