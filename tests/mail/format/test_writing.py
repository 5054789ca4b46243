"""Mails as we write them, read by the standard library: what goes in comes out, and no line is longer than it may be."""

import string
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import parseaddr

from hypothesis import example, given
from hypothesis import strategies as st

from tests.cases import for_each
from turnserver.mail.format import writing
from turnserver.mail.format.writing import COLUMNS, LONGEST_LINE

LETTERS = st.characters(codec="utf-8", categories=("L", "N", "P", "S"))
WORDS = st.lists(st.text(LETTERS, min_size=1, max_size=60), max_size=8).map(" ".join)
LOCAL_PARTS = st.text(string.ascii_letters + string.digits + "+-_.", min_size=1, max_size=60)

TEXTS = ("", "Hello.\n", "Grüße, Zoë.\n= and a blank \n\n.\nFrom here on\n", "a" * 2000 + "\n", "\N{GRINNING FACE}" * 300)


def read(*fields: str, content: writing.Part | None = None) -> EmailMessage:
    """The mail as the standard library reads it, with nothing to complain of."""
    raw = writing.whole(fields, content or writing.text("Hello.\n", plainly=True))
    assert b"\n" not in raw.replace(b"\r\n", b"")
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert message.defects == []
    return message


def widest(field: str) -> int:
    """The length of the longest line that has a place where it could have been broken."""
    return max((len(line) for line in field.split("\r\n") if " " in line.strip() and line.partition(":")[2].strip() != ""), default=0)


@given(words=WORDS)
@example(words="")
@example(words="[Take 17] Ada - Bob: your move")
@example(words="=?utf-8?q?forged?=")
@example(words="Ein Zug für Ödön, und noch einer für Zoë, der in eine zweite Zeile reicht, weil er so lang ist")
@example(words="日本語の題名" * 20)
def test_free_words_come_back(words: str) -> None:
    for utf8 in (False, True):
        field = writing.unstructured("Subject", words, utf8=utf8)
        assert read(field)["Subject"] == words
        assert utf8 or field.isascii()
        assert widest(field) <= COLUMNS or utf8


@given(words=WORDS, local=LOCAL_PARTS)
@example(words="", local="ada")
@example(words='Ada "the Gull" Byron\\', local="ada")
@example(words="Ada, Bob <eve@example.org>", local="ada")
@example(words="Zoë", local="z" * 60)
@example(words="a" * 60, local="b" * 60)
@example(words="=?utf-8?q?forged?=", local="ada")
def test_somebody_is_called_as_they_are(words: str, local: str) -> None:
    local = local.strip(".").replace("..", ".") or "a"
    address = Address(username=local, domain="example.org").addr_spec
    field = writing.mailbox("Reply-To", words, address)
    # the newer interface puts blanks between the parts of a long name
    name, found = parseaddr(field.partition(":")[2].replace("\r\n", ""))
    assert (str(make_header(decode_header(name))), found) == (words, address)
    assert [one.addr_spec for one in read(field)["Reply-To"].addresses] == [address]
    assert field.isascii()
    assert all(len(line) <= COLUMNS for line in field.split("\r\n"))


def test_an_address_beyond_ascii_stands_as_it_is() -> None:
    field = writing.mailbox("To", "Zoë", "zoë@example.org", utf8=True)
    assert field == "To: Zoë <zoë@example.org>\r\n".replace("Zoë <", '"Zoë" <')


@for_each("words", TEXTS)
@for_each("plainly", [True, False])
def test_text_comes_back(words: str, plainly: bool) -> None:
    part = writing.text(words, plainly=plainly)
    assert read(content=part).get_content().replace("\r\n", "\n") == words
    assert max(map(len, part.body.split(b"\r\n"))) <= (LONGEST_LINE if b"7bit" in part.fields.encode() else 76)


def test_parts_are_found_again() -> None:
    page = writing.multipart("related", [writing.text("<p>Hi</p>\n", "html"), writing.picture(b"\x89PNG" * 99, "board.png", "b@x")], "=_2")
    parts = [writing.multipart("alternative", [writing.text("Hi\n"), page], "=_1"), writing.calendar(b"BEGIN", "due.ics", "PUBLISH")]
    *above, drawn, entry = read(content=writing.multipart("mixed", parts, "=_0")).walk()
    kinds = ["multipart/mixed", "multipart/alternative", "text/plain", "multipart/related", "text/html"]
    assert [part.get_content_type() for part in above] == kinds
    assert (drawn.get_content_type(), entry.get_content_type()) == ("image/png", "text/calendar")
    assert isinstance(drawn, EmailMessage)
    assert isinstance(entry, EmailMessage)
    assert (drawn["Content-ID"], drawn.get_content(), drawn.get_filename()) == ("<b@x>", b"\x89PNG" * 99, "board.png")
    assert (entry.get_param("method"), entry.get_filename(), entry.get_content()) == ("PUBLISH", "due.ics", "BEGIN")
