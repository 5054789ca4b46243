"""People are found in a text or a mail, however they are written."""

import base64
import quopri
from email.header import Header
from email.message import EmailMessage
from urllib.parse import quote

from tests.cases import for_each
from turnserver.mail.format.mentions import Mentions

ADA = Mentions(["Ada Lövelace", "Ada.L@example.org"])

TEXTS = {
    "by name": "Hello Ada Lövelace!",
    "in capitals": "ADA LÖVELACE",
    "decomposed": "Ada Lo\u0308velace",
    "in the genitive": "Ada Lövelaces Zug",
    "over two quoted lines": "> thanks, Ada\n> Lövelace wrote",
    "by address": "write to ada.l@EXAMPLE.org.",
    "as a bounce address": "bounces+ada.l=example.org@list.example",
    "in a link": f"mailto:{quote('ada.l@example.org', safe='')}",
    "in HTML": "Ada L&ouml;velace",
    "as an encoded word": Header("Ada Lövelace", "iso-8859-1").encode(),
}
OTHERS = {
    "half of the name": "Ada is a name",
    "a longer name": "Ada Lövelacery",
    "a longer address": "grada.l@example.org",
    "another domain": "ada.l@example.org.uk",
    "nothing": "",
}


@for_each("text", TEXTS.values(), ids=TEXTS)
def test_texts_that_mention_somebody(text: str) -> None:
    assert ADA.in_text(text)
    assert not ADA.in_text(ADA.without(text, "former player 8"))


@for_each("text", OTHERS.values(), ids=OTHERS)
def test_texts_that_mention_nobody(text: str) -> None:
    assert not ADA.in_text(text)
    assert ADA.without(text, "former player 8") == text


def mail(text: str, charset: str, encoding: str, subtype: str = "plain") -> bytes:
    """A mail to Bob with one part."""
    message = EmailMessage()
    message["To"] = "bob@example.org"
    message.set_content(text, charset=charset, cte=encoding, subtype=subtype)
    return message.as_bytes()


def enclosing(raw: bytes) -> bytes:
    """A mail with another one in it, packed as some programs do."""
    packed = base64.encodebytes(raw)
    head = b"Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
    return head + packed + b"\n--x--\n"


NAMED = "> Ada Lövelace wrote\n"
MAILS = {
    "as it is": mail(NAMED, "utf-8", "8bit"),
    "base64": mail(NAMED, "utf-8", "base64"),
    "base64 of UTF-16": mail(NAMED, "utf-16", "base64"),
    "quoted-printable": mail(NAMED, "iso-8859-1", "quoted-printable"),
    "HTML": mail("<p>Ada L&ouml;velace</p>", "us-ascii", "7bit", "html"),
    "a subject": b"Subject: " + Header("Ada Lövelace", "utf-8").encode().encode() + b"\n\nx",
    "a mail within a mail": enclosing(mail(NAMED, "utf-8", "base64")),
    "quoted-printable that nobody declared": b"To: bob@example.org\n\n" + quopri.encodestring(NAMED.encode()),
    "UTF-16 that nobody declared": b"To: bob@example.org\n\n" + NAMED.encode("utf-16-le"),
}


@for_each("raw", MAILS.values(), ids=MAILS)
def test_mails_that_mention_somebody(raw: bytes) -> None:
    assert ADA.in_mail(raw)
    assert not Mentions(["Babbage", "charles@example.org"]).in_mail(raw)


def test_nothing_is_a_mention_without_words() -> None:
    assert not Mentions([]).in_text("anything")
