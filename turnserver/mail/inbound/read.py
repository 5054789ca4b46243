"""Turn the bytes of a mail into its meaning: the sender, the recipients, the answered mail, and the lines that may hold commands.

Never raises, for any bytes. Time is linear in their number, and everything has a cap. Quoted text, signatures and our own words are not
among the lines (`turnserver.mail.inbound.reply` says why each line was dropped). Mail from machines is recognised as such
(`turnserver.mail.format.automatic`).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from turnserver.mail.format.automatic import Evidence, sign_of_machine
from turnserver.mail.format.envelope import named_in
from turnserver.mail.format.mime import MAX_MAIL, Headers, Room, addresses, in_utf_8, parse
from turnserver.mail.format.tokens import masked
from turnserver.mail.inbound.body import Problem, body
from turnserver.mail.inbound.openings import LineKind, MailLine
from turnserver.mail.inbound.reply import certain, kept, sift, words_of
from turnserver.text import say

SentTexts: TypeAlias = Callable[[Sequence[str]], Iterable[str]]
"""A function that returns the texts of ours that a mail with these references may be quoting."""

SINGLE_FIELDS = (
    "from",
    "sender",
    "reply-to",
    "to",
    "cc",
    "bcc",
    "subject",
    "message-id",
    "date",
    "in-reply-to",
    "references",
    "mime-version",
    "content-type",
    "content-transfer-encoding",
    "content-disposition",
)
"""Fields that may stand in a mail only once: those of RFC 5322, 3.6, and of MIME (RFC 2045, 3).

A mail with a second one on top still passes DKIM. The second one could name another sender, or cause another text to be read.
"""

MAX_REFERENCES = 20
_LONE_RETURN = re.compile(rb"\r(?!\n)")
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,250}>")


class Reading(msgspec.Struct, frozen=True):
    """The content of a mail."""

    # the one From address, or empty if there is none or several
    sender: str
    # the addresses that it went to as far as its headers tell, the most certain first; the envelope knows better
    recipients: tuple[str, ...]
    message_id: str
    subject: str
    # the Message-IDs that it answers, the direct one first
    references: tuple[str, ...]
    # every line with its verdict
    text: tuple[MailLine, ...]
    # the reason to take it for a machine's mail: then it is neither carried out nor answered, unless `overruled_by` is found
    automatic: str | None
    # the reason why a person's mail cannot be used: then nothing is carried out, and the sender is told
    problem: Problem | None
    # the addresses at which its sender wants answers
    reply_to: tuple[str, ...] = ()
    # its Authentication-Results headers, the topmost first; nothing shows that they are true
    authentication: tuple[str, ...] = ()
    # the evidence that an `automatic` mail is a person's all the same
    overruled_by: Evidence = Evidence.NONE

    @property
    def lines(self) -> tuple[str, ...]:
        """The sender's own lines. One empty line stands wherever something was dropped or left blank."""
        return kept(self.text)

    @property
    def certain_lines(self) -> tuple[str, ...]:
        """The sender's own lines down to the first place where another mail may begin."""
        return certain(self.text)


def read(
    raw: bytes,
    sent_texts: SentTexts | None = None,
    own_address: str = "",
    envelope_sender: str | None = None,
    most: int = MAX_MAIL,
) -> Reading:
    """Read a mail. Never raises.

    `own_address` is the service's. `envelope_sender` comes from the transport, None if that did not tell; `""` is the null sender. A mail
    of `most` bytes may have been longer, and cut off there.
    """
    mail = parse(raw)
    headers = mail.headers
    senders = addresses(headers.every("from"))
    references = _references(headers)
    room = Room()
    content = body(mail, room)
    text = sift(content.text, sent_texts(references) if sent_texts else (), more=room.is_exceeded)
    sign = sign_of_machine(mail, envelope_sender, own_address)
    return Reading(
        sender=senders[0] if len(senders) == 1 else "",
        recipients=named_in(headers),
        message_id=next(iter(_MESSAGE_ID.findall(headers.first("message-id"))), ""),
        subject=" ".join(headers.text("subject").split()),
        references=references,
        text=text,
        automatic=sign.reason if sign else None,
        problem=_line_problem(raw)
        or _header_problem(headers, senders)
        or content.problem
        or _text_problem(text, is_cut=len(raw) >= min(most, MAX_MAIL)),
        reply_to=addresses(headers.every("reply-to")),
        authentication=tuple(map(in_utf_8, headers.every("authentication-results"))),
        overruled_by=sign.overruled_by if sign else Evidence.NONE,
    )


def less(reading: Reading, text: Sequence[MailLine]) -> Reading:
    """Return the reading with other verdicts on its lines, and with the problem that follows from these."""
    return replace(reading, text=tuple(text), problem=reading.problem or _text_problem(text))


def without_tokens(reading: Reading) -> Reading:
    """Return the reading, with tokens masked in its lines: with a token, somebody else could write in a player's name."""
    written = tuple(line.text for line in reading.text)
    texts = masked(written)
    if texts == written:
        return reading
    return replace(reading, text=tuple(MailLine(text, line.verdict) for text, line in zip(texts, reading.text, strict=True)))


def _references(headers: Headers) -> tuple[str, ...]:
    direct = _MESSAGE_ID.findall(headers.first("in-reply-to"))
    thread = _MESSAGE_ID.findall(headers.first("references"))
    # References has the oldest mail of the thread first
    return tuple(dict.fromkeys((*direct, *reversed(thread))))[:MAX_REFERENCES]


def _header_problem(headers: Headers, senders: Sequence[str]) -> Problem | None:
    repeated = next((name for name in SINGLE_FIELDS if len(headers.every(name)) > 1), None)
    if repeated:
        return Problem("repeated_header", _repeated(repeated.title()))
    if len(senders) != 1:
        return Problem("no_sender", say("Your mail doesn't say who wrote it: its From line must have exactly one address."))
    return None


def _repeated(name: str) -> str:
    return say("Your mail has more than one {name} line, so I can't tell which one is true.", name=name)


def _line_problem(raw: bytes) -> Problem | None:
    # A carriage return alone ends a line for some programs only (RFC 5322, 2.3, forbids it). A quotation or signature that begins behind
    # one would be overlooked, and commands in it would be carried out.
    if _LONE_RETURN.search(raw, 0, MAX_MAIL) is None:
        return None
    return Problem(
        "line_ends", say("Your mail was damaged on its way, and I can't tell where its lines end. Please send it again as plain text.")
    )


def _text_problem(text: Sequence[MailLine], *, is_cut: bool = False) -> Problem | None:
    if any(line.verdict is LineKind.BEYOND for line in text):
        message = say("Your mail is too long to read to its end. Please send only your commands, without quoted text.")
        return Problem("too_long", message)
    if kept(text):
        return None
    if any(line.text for line in text):
        return Problem("only_quoted", say("Your mail has only quoted text. Please write your commands above it."))
    if is_cut:
        message = say("Your mail is too large, so I got only its beginning, and found no text there. Please send only your commands.")
        return Problem("too_large", message)
    return Problem("no_text", say("Your mail has no text. Please write your commands as plain text, not as a picture or an attachment."))


EARLIER_SIZE: Final = 16_384
"""The number of bytes of an earlier mail that are looked at: its writer's own words stand at the top."""

_MAX_TEXT: Final = 2_000
_MAX_WORDS: Final = 200
_FEW_WORDS: Final = 4


class Earlier(NamedTuple):
    """An earlier mail of the same player: its Message-ID, the words that they wrote in it themselves, and whether it did something."""

    message_id: str
    words: tuple[str, ...]
    is_done: bool

    @classmethod
    def of(cls, raw: bytes, *, is_done: bool) -> "Earlier":
        """Return the earlier mail from its bytes, of which the beginning is enough."""
        mail = parse(raw[:EARLIER_SIZE])
        content = body(mail, Room(parts=9, structure=4 * EARLIER_SIZE, source=EARLIER_SIZE, tags=300, elements=100, words=_MAX_TEXT))
        words = chain.from_iterable(map(words_of, kept(sift(content.text[:_MAX_TEXT]))))
        return cls(mail.headers.first("message-id"), tuple(words)[:_MAX_WORDS], is_done)


def may_quote(text: Sequence[MailLine]) -> bool:
    """Return whether own lines stand below other own lines, with something between them. Earlier words can stand only there."""
    return next(_lower_blocks(text), None) is not None


def less_earlier(reading: Reading, earlier: Sequence[Earlier]) -> Reading:
    """Return the reading without earlier mails, where all of their words follow each other below the new text.

    An earlier mail is dropped if the mail answers it, or if it did something and has more than a few words.
    """
    text = list(reading.text)
    for mail in earlier:
        # words that did nothing may be sent again, and a few words may be meant again
        if (mail.words and mail.message_id in reading.references) or (mail.is_done and len(mail.words) >= _FEW_WORDS):
            _drop(text, mail.words)
    return reading if tuple(text) == reading.text else less(reading, text)


def _drop(text: list[MailLine], words: tuple[str, ...]) -> None:
    lines = [index for block in _lower_blocks(text) for index in block]
    for place in range(len(lines)):
        found: list[str] = []
        for end in range(place, len(lines)):
            found += words_of(text[lines[end]].text)
            if len(found) >= len(words):
                break
        if tuple(found) == words:
            for index in lines[place : end + 1]:
                text[index] = MailLine(text[index].text, LineKind.SENT)
            return


def _lower_blocks(text: Sequence[MailLine]) -> Iterator[list[int]]:
    """Yield each block of own lines that stand together, except the one at the top."""
    block: list[int] = []
    is_first = True
    # the empty line at the end closes the last block
    for index, line in enumerate((*text, MailLine("", LineKind.KEPT))):
        if line.text and line.verdict is LineKind.KEPT:
            block.append(index)
        elif block:
            if not is_first:
                yield block
            block, is_first = [], False
