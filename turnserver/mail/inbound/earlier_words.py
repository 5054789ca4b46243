"""Find earlier words of a player that are quoted without a mark below an answer: they were dealt with then."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from turnserver.mail.format.mime import Room, parse
from turnserver.mail.inbound.body import body
from turnserver.mail.inbound.openings import LineKind, MailLine
from turnserver.mail.inbound.read import Reading, less
from turnserver.mail.inbound.reply import kept, sift

MAX_RAW: Final = 16_384
"""The number of bytes of an earlier mail that are looked at: its writer's own words stand at the top."""

_MAX_TEXT: Final = 2_000
_MAX_WORDS: Final = 200
_FEW_WORDS: Final = 4
_WORD: Final = re.compile(r"[^\W_]+")


class Earlier(NamedTuple):
    """An earlier mail of the same player: its Message-ID, the words that they wrote in it themselves, and whether it did something."""

    message_id: str
    words: tuple[str, ...]
    is_done: bool

    @classmethod
    def of(cls, raw: bytes, *, is_done: bool) -> "Earlier":
        """Return the earlier mail from its bytes, of which the beginning is enough."""
        mail = parse(raw[:MAX_RAW])
        content = body(mail, Room(parts=9, structure=4 * MAX_RAW, source=MAX_RAW, tags=300, elements=100, words=_MAX_TEXT))
        words = chain.from_iterable(map(_words, kept(sift(content.text[:_MAX_TEXT]))))
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
            found += _words(text[lines[end]].text)
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


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
