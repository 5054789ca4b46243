"""Answers in the manner of many mail programs, `programs/*.eml`, made whole: encoded as they say, with a mail of ours in the quotation.

The files hold what a program writes, readable, and these words on lines of their own: `{mail}` for our text, each line with the mark that
stands before the word; `{broken}` for our text as a program leaves it that wraps lines and marks only what it thinks is one; `{filled}`
for our text as it was sent, as one paragraph without our first line; and `{html}`, anywhere, for the body of our HTML.
"""

import base64
import codecs
import quopri
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.mail.inbound.turn_mails import TurnMail

PROGRAMS = Path(__file__).parent / "programs"
HEAD = """\
Return-Path: <ada@example.org>
Delivered-To: turns+k7f3q2x5m4n6p8r9@example.org
Received: from mx.example.org by play.example.org; Sun, 22 Nov 2026 23:14:03 +0100
From: Ada <ada@example.org>
To: turns+k7f3q2x5m4n6p8r9@example.org
Date: Sun, 22 Nov 2026 23:14:03 +0100
Message-ID: <4711@example.org>
In-Reply-To: <turn-17-9@example.org>
References: <opened-17@example.org> <turn-17-9@example.org>
"""

_PLACE = re.compile(r"^(.*)\{(mail|broken|filled)\}$", re.MULTILINE)
_PARAMETER = r'{}="?([^";\n]+)'


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quotation. `mangled` is what has become of our text on its way."""

    mail: TurnMail
    mangled: Callable[[str], str] = str

    def into(self, body: str) -> str:
        return _PLACE.sub(self._marked, body).replace("{html}", self.mail.body_html)

    def _marked(self, place: re.Match[str]) -> str:
        if place[2] == "filled":
            return textwrap.fill(self.mail.text.split("\n", 1)[1], 44)
        mark, text = place[1], self.mangled(self.mail.text)
        lines = text.split("\n")
        if place[2] == "broken":
            lines = ["\n".join(textwrap.wrap(line, 30)) for line in lines]
        return "\n".join(mark + line for line in lines)


def answer(name: str, quoted: Quoted) -> bytes:
    """A mail as the service would get it."""
    return HEAD.encode() + _part((PROGRAMS / f"{name}.eml").read_text("utf-8"), quoted)


def _part(text: str, quoted: Quoted) -> bytes:
    head, _, body = text.partition("\n\n")
    boundary = re.search(_PARAMETER.format("boundary"), head)
    if boundary is None:
        return head.encode() + b"\n\n" + _encoded(head, quoted.into(body))
    begin, end = f"--{boundary[1]}\n", f"--{boundary[1]}--"
    parts = body.partition(end)[0].split(begin)[1:]
    return b"".join((head.encode(), b"\n\n", *(begin.encode() + _part(part, quoted) + b"\n" for part in parts), end.encode(), b"\n"))


def _encoded(head: str, body: str) -> bytes:
    data = body.encode(_charset(head), "xmlcharrefreplace" if "text/html" in head else "replace")
    if "base64" in head:
        return base64.encodebytes(data)
    return quopri.encodestring(data) if "quoted-printable" in head else data


def _charset(head: str) -> str:
    named = re.search(_PARAMETER.format("x-written-in"), head) or re.search(_PARAMETER.format("charset"), head)
    try:
        return codecs.lookup(named[1]).name if named else "us-ascii"
    except LookupError:
        return "utf-8"
