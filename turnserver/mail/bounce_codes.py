"""What a failure says of the address: gone for good, or not now. From status codes (RFC 3463 and its IANA registry) and SMTP answers.

A permanent failure (class 5) is hard only if it is about the recipient: the address, the mailbox or the way to it. What is about our mail
or about us (size, content, protocol, policy, our own address as the sender) is soft although it is permanent, and so is a full mailbox:
another mail, or the same one after some tidying, may get through.
"""

import re
from typing import Final

from turnserver.envelope import Fate

_SENDER, _FULL, _LENGTH, _SYSTEM_FULL, _SIZE, _EXPIRED = (1, 7), (2, 2), (2, 3), (3, 1), (3, 4), (4, 7)
_SOFT_DETAILS: Final = frozenset({_SENDER, (1, 8), _FULL, _LENGTH, _SYSTEM_FULL, _SIZE, _EXPIRED})
_PROTOCOL, _CONTENT, _POLICY = 5, 6, 7
_SOFT_SUBJECTS: Final = frozenset({_PROTOCOL, _CONTENT, _POLICY})
_STORAGE_EXCEEDED: Final = "552"
_ENHANCED: Final = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?!\d|\.\d)")
_REPLY: Final = re.compile(r"(?<![\d.])([45])[0-5]\d(?=[ -])")
_FULL_WORDS: Final = ("quota", "mailbox full", "mailbox is full", "mailbox size", "out of storage", "insufficient storage")
_GONE_WORDS: Final = (
    "user unknown",
    "unknown user",
    "no such user",
    "no such address",
    "no such recipient",
    "unknown or illegal",
    "unknown or invalid",
    "invalid recipient",
    "does not exist",
    "doesn't exist",
    "not listed in",
    "no mailbox here",
    "account has been disabled",
    "mailbox unavailable",
    "host unknown",
    "unknown host",
    "host not found",
    "unknown recipient",
    "not recognized",
)


def classified(text: str) -> Fate:
    """HARD or SOFT, from whatever a server or a report said: `5.1.1`, `smtp; 550 5.1.1 no such user`, or words alone.

    An enhanced status code says most, unless it says nothing (`5.0.0`); then the code of the SMTP reply, then the words. SOFT if in doubt.
    """
    words = text.lower()
    full = any(one in words for one in _FULL_WORDS)
    codes = [(int(found[1]), int(found[2]), int(found[3])) for found in _ENHANCED.finditer(words)]
    telling = next((code for code in codes if code[1:] != (0, 0)), None)
    if telling is not None:
        permanent, soft = telling[0] == 5, telling[1] in _SOFT_SUBJECTS or telling[1:] in _SOFT_DETAILS  # RFC 3463, 2
        return Fate.HARD if permanent and not soft else Fate.SOFT
    replies = [found[0] for found in _REPLY.finditer(words)]
    if full or _STORAGE_EXCEEDED in replies:
        return Fate.SOFT
    if codes or replies:
        classes = [str(code[0]) for code in codes] + [reply[0] for reply in replies]
        return Fate.HARD if "5" in classes else Fate.SOFT
    return Fate.HARD if any(one in words for one in _GONE_WORDS) else Fate.SOFT


def tells(line: str) -> bool:
    """Whether a line says more than that something failed: it has a code, or words that are known."""
    words = line.lower()
    return bool(_ENHANCED.search(words) or _REPLY.search(words)) or any(one in words for one in (*_FULL_WORDS, *_GONE_WORDS))


def status_in(text: str) -> str:
    """The enhanced status code in a text that says most, such as `5.1.1`, or an empty string."""
    found = [code[0] for code in _ENHANCED.finditer(text)]
    return next((code for code in found if not code.endswith(".0.0")), next(iter(found), ""))
