"""How much of one mail is read, however it is put together: a budget that all its parts share, so that no mail keeps the reader busy."""

from dataclasses import dataclass


@dataclass(slots=True)
class Room:
    """What may still be read of a mail; whoever reads takes from it.

    `is_exceeded` says that something was left out which may hold words of the sender. What was read before is then the beginning of the
    text, without gaps, and nothing may be read after it.
    """

    parts: int = 99
    structure: int = 6_000_000
    """Bytes that are searched for the parts in them, those of nested parts again and again."""

    source: int = 200_000
    """Characters of HTML."""

    tags: int = 4_000
    elements: int = 800
    """Those beyond the quotations. The conversion takes some tens of microseconds an element."""

    words: int = 65_536
    """Characters of text in HTML, which cost a fraction of a microsecond each."""

    is_exceeded: bool = False
