"""What a failure says: the mailbox does not exist, our mail or we are not wanted, or anything else.

The words of a server say more than its codes, since many servers send one code (`5.0.0`, `5.1.1`, `550`) for everything. Codes are those
of RFC 3463, its IANA registry and RFC 5321; the words are those that mail servers are known to use.

HARD is a failure that says that there is no such mailbox, no such host, or no mail taken there at all. POLICY is one that says that we or
our mail are not wanted, which is never about the address. Everything else is SOFT, however permanent: a full or locked mailbox, a size.
Another mail, or the same one after some tidying, may get through.
"""

import re
from collections.abc import Sequence
from typing import Final

from turnserver.ids import Fate

_ENHANCED: Final = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?!\d|\.\d)")
_REPLY: Final = re.compile(r"(?<![\d.])([45])[0-5]\d(?=[ -])")
_AT_DATA: Final = re.compile(
    r"in\s+reply\s+to\s+(?:end\s+of\s+)?data|after\s+(?:end\s+of\s+)?data\b|smtp transmission failure"
    r"|(?:>>>|<<<) *(?:data|\.)[ \r]*\n(?: *\n)?(?:>>>|<<<) *[45]\d\d"
)
"""A refusal in answer to the mail itself, after the server took the recipient: then it knows the mailbox, whatever it says."""

_NO_MAILBOX: Final = frozenset({(1, 1), (1, 2), (1, 3), (1, 6), (1, 10), (4, 4)})
_SENDER: Final = frozenset({(1, 7), (1, 8)})
_MAILBOX: Final = 2  # RFC 3463, 3.3: these are about a mailbox that exists
_POLICY: Final = 7
_NO_MAIL_REPLIES: Final = frozenset({"521", "556"})  # RFC 7504: the host takes no mail at all
_STORAGE_EXCEEDED: Final = "552"

_CERTAINLY_GONE: Final = (
    "recipient address rejected: access denied",  # what Microsoft says of an address that it does not know
    "user unknown in",
    "resolver.adr",
    "recipientnotfound",
    "recipnotfound",
)
"""Words that mean a missing mailbox although a policy seems to speak."""

_US_WORDS: Final = (
    "access denied",
    "abuse",
    "authentication required",
    "smtp auth",
    "banned",
    "bad dns ptr",
    "black list",
    "blacklist",
    "block list",
    "blocklist",
    "blocked",
    "bulk mail",
    "content rejected",
    "dkim",
    "dmarc",
    "dnsbl",
    "duplicate header",
    "frequency limit",
    "greylist",
    "junk",
    "listed at",
    "listed by",
    "listed in rbl",
    "mail rejete",
    "malware",
    "not allowed",
    "not authorized",
    "no access from",
    "not permitted",
    "open relay",
    "phish",
    "policies",
    "policy",
    "poor reputation",
    "proofpoint",
    "ptr record",
    "rate limit",
    "rbl",
    "recipient preferences",
    "rejected by this system",
    "rejected due to",
    "rejected for",
    "message rejected",
    "mail rejected",
    "refused due to",
    "refused by",
    "forbidden",
    "content filter",
    "sender address",
    "sender domain",
    "sender rejected",
    "sender verif",
    "unacceptable",
    "not accepting mail from",
    "dynamic ip",
    "your ip",
    "helo",
    "complaint",
    "relay access",
    "relay denied",
    "relaying",
    "reputation",
    "reverse dns",
    "spam",
    "spf",
    "suspicious",
    "throttl",
    "too many",
    "too much mail",
    "unauthenticated",
    "unsolicited",
    "virus",
)
_LOCKED_WORDS: Final = (
    "quota",
    "mailbox full",
    "mailbox is full",
    "mailbox size",
    "out of storage",
    "insufficient storage",
    "disabled",
    "discontinued",
    "suspended",
    "account is inactive",
    "reach is inactive",
    "temporarily",
    "hop count",
    "loop",
    "couldn't create",
    "timed out",
    "expired",
)
_GONE_WORDS: Final = (
    "user unknown",
    "unknown user",
    "unknown recipient",
    "recipient unknown",
    "unknown local",
    "unknown or illegal",
    "unknown or invalid",
    "no such user",
    "no such address",
    "no such recipient",
    "no such mailbox",
    "no such person",
    "no such local user",
    "no such account",
    "no such domain",
    "no mailbox here",
    "no mailbox by that name",
    "no account by that name",
    "addressee unknown",
    "unknown mailbox",
    "utilisateur inconnu",
    "destinatario sconosciuto",
    "not a valid mailbox",
    "not a valid recipient",
    "recipient is not exist",
    "user is not found",
    "no valid recipients",
    "invalid recipient",
    "invalid user",
    "invalid mailbox",
    "invalid address",
    "bad destination",
    "destinataire invalide",
    "does not exist",
    "doesn't exist",
    "do not exist",
    "not listed in",
    "mailbox unavailable",
    "mailbox not found",
    "user not found",
    "user not exist",
    "address not found",
    "couldn't be found",
    "could not be found",
    "not our customer",
    "doesn't have an account",
    "user doesn't have a",
    "does not have an account",
    "no longer valid",
    "has moved",
    "not recognized",
    "host unknown",
    "unknown host",
    "host not found",
    "name or domain",
    "domain not found",
    "domain is not reachable",
    "unrouteable address",
    "unrouteable mail domain",
    "dns lookup failure",
    "no mx record",
    "null mx",
    "does not accept mail",
    "unable to deliver message to <",
    "address rejected.",  # with no reason behind it, as Cisco's gateways say it
)


def judged(text: str, *, notification: str = "") -> Fate:
    """Return HARD, POLICY or SOFT for what was said of a failure: `5.1.1`, `smtp; 550 5.1.1 no such user`, or words; SOFT if in doubt.

    `notification` is what the report tells people, of which it counts only at which stage of the session the mail was refused.
    """
    words = text.lower()
    codes = [(found[1], (int(found[2]), int(found[3]))) for found in _ENHANCED.finditer(words)]
    replies = [found[0] for found in _REPLY.finditer(words)]
    if _any(words, _CERTAINLY_GONE):
        gone, us, locked = True, False, False
    else:
        temporary = bool(codes) and all(kind == "4" for kind, _ in codes)
        gone = not temporary and _any(words, _GONE_WORDS)
        by_policy = not gone and any(code[0] == _POLICY for _, code in codes)
        us = by_policy or _any(words, _US_WORDS) or any(code in _SENDER for _, code in codes)
        locked = _any(words, _LOCKED_WORDS) or _STORAGE_EXCEEDED in replies or any(code[0] == _MAILBOX for _, code in codes)
    if us and not locked:
        return Fate.POLICY
    if us or locked or _AT_DATA.search(words) or _AT_DATA.search(notification.lower()):
        return Fate.SOFT
    if gone or any(kind == "5" and code in _NO_MAILBOX for kind, code in codes) or not _NO_MAIL_REPLIES.isdisjoint(replies):
        return Fate.HARD
    return Fate.SOFT


def tells(line: str) -> bool:
    """Return whether a line says more than that something failed: it has a code, or words that are known."""
    words = line.lower()
    return bool(_ENHANCED.search(words) or _REPLY.search(words)) or any(
        _any(words, known) for known in (_GONE_WORDS, _LOCKED_WORDS, _US_WORDS)
    )


def says_nothing(text: str) -> bool:
    """Return whether a diagnosis has neither words nor a code that says more than "it failed" (`5.0.0`, `550`)."""
    return not any(_any(text.lower(), known) for known in (_CERTAINLY_GONE, _GONE_WORDS, _LOCKED_WORDS, _US_WORDS)) and (
        status_in(text) == "" or status_in(text).endswith(".0.0")
    )


def status_in(text: str) -> str:
    """Return the enhanced status code in a text that says most, such as `5.1.1`, or an empty string."""
    found = [code[0] for code in _ENHANCED.finditer(text)]
    return next((code for code in found if not code.endswith(".0.0")), next(iter(found), ""))


def _any(words: str, known: Sequence[str]) -> bool:
    return any(one in words for one in known)
