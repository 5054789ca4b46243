"""Turn the bytes of a mail into a report about a mail of ours: from delivery status notifications (RFC 3464), and from others in words.

Never raises, and reads only so much that no mail takes longer than a few milliseconds. This module does not decide who may be believed:
the service asks whether the mail came to a bounce address of ours (`turnserver.mail.format.tokens`) or returns a Message-ID of ours.
"""

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from email import message_from_bytes
from itertools import islice
from typing import Final

from flufl.bounce import all_failures

from turnserver.ids import DeliveryStatus
from turnserver.mail.format.mime import MAX_DEPTH, Headers, Part, addresses, parse, parse_part

_ENHANCED: Final = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?!\d|\.\d)")
_REPLY: Final = re.compile(r"(?<![\d.])([45])[0-5]\d(?=[ -])")
_AT_DATA: Final = re.compile(
    r"in\s+reply\s+to\s+(?:end\s+of\s+)?data|after\s+(?:end\s+of\s+)?data\b|smtp transmission failure"
    r"|(?:>>>|<<<) *(?:data|\.)[ \r]*\n(?: *\n)?(?:>>>|<<<) *[45]\d\d"
)
"""A refusal in answer to the mail itself, after the server took the recipient. Then the server knows the mailbox, whatever it says."""

_NO_MAILBOX: Final = frozenset({(1, 1), (1, 2), (1, 3), (1, 6), (1, 10), (4, 4)})
_SENDER: Final = frozenset({(1, 7), (1, 8)})
# RFC 3463, 3.3: these are about a mailbox that exists
_MAILBOX: Final = 2
# RFC 3463, 3.7 and 3.8: these are about the mail and about who may send it, whatever mailbox it is for
_OURS: Final = frozenset({6, 7})
# RFC 6531, 3.5 and RFC 6532: these are about an address with letters beyond ASCII, if it has any
_LETTERS: Final = frozenset({(6, 7), (6, 9), (6, 10)})
# RFC 7504: the host takes no mail at all
_NO_MAIL_REPLIES: Final = frozenset({"521", "556"})
_STORAGE_EXCEEDED: Final = "552"

_CERTAINLY_GONE: Final = (
    "recipient address rejected: access denied",  # what Microsoft says of an address that it does not know
    "user unknown in",
    "resolver.adr",
    "recipientnotfound",
    "recipnotfound",
)
"""Words that mean a missing mailbox, although they sound like a policy."""

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


def judged(text: str, *, notification: str = "") -> DeliveryStatus:
    """Return HARD, POLICY or SOFT for a diagnosis: `5.1.1`, `smtp; 550 5.1.1 no such user`, or words. SOFT if in doubt.

    `notification` is the report's text for people. It is searched only for the stage of the session at which the mail was refused.
    """
    words = text.lower()
    codes = [(found[1], (int(found[2]), int(found[3]))) for found in _ENHANCED.finditer(words)]
    replies = [found[0] for found in _REPLY.finditer(words)]
    # before all codes: these words are mostly sent with the code of a policy
    if _any(words, _CERTAINLY_GONE):
        gone, us, locked = True, False, False
    else:
        # whatever the words say, a server that answers 4.x.x takes the mail later
        temporary = bool(codes) and all(kind == "4" for kind, _ in codes)
        gone = not temporary and _any(words, _GONE_WORDS)
        by_policy = not gone and any(code[0] in _OURS for _, code in codes)
        us = by_policy or _any(words, _US_WORDS) or any(code in _SENDER for _, code in codes)
        locked = _any(words, _LOCKED_WORDS) or _STORAGE_EXCEEDED in replies or any(code[0] == _MAILBOX for _, code in codes)
    # both at once, or a refusal in answer to the mail itself, say little about the mailbox: in doubt it is there
    if us and not locked:
        return DeliveryStatus.POLICY
    if us or locked or _AT_DATA.search(words) or _AT_DATA.search(notification.lower()):
        return DeliveryStatus.SOFT
    if gone or any(kind == "5" and code in _NO_MAILBOX for kind, code in codes) or not _NO_MAIL_REPLIES.isdisjoint(replies):
        return DeliveryStatus.HARD
    return DeliveryStatus.SOFT


def is_about_letters(text: str) -> bool:
    """Return whether a diagnosis says that a server takes no addresses with letters beyond ASCII."""
    return any((int(found[2]), int(found[3])) in _LETTERS for found in _ENHANCED.finditer(text))


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


MAX_GROUPS: Final = 50
MAX_TEXT: Final = 16_000
MAX_LINE: Final = 998
MAX_LINES: Final = 400
MAX_FIELDS: Final = 24
MAX_IDS: Final = 20
MAX_REASON: Final = 300
SAID_LINES: Final = 4
"""The number of lines of a paragraph that count as words of a server, from the first line that tells anything."""

_STATUS_PARTS: Final = frozenset({"message/delivery-status", "message/global-delivery-status"})
_RETURNED: Final = frozenset(
    {"message/rfc822", "message/global", "text/rfc822-headers", "message/rfc822-headers", "message/global-headers"}
)
_TELLING_FIELDS: Final = ("from", "to", "subject", "content-type", "content-transfer-encoding", "x-failed-recipients", "x-mailer")
_MESSAGE_ID: Final = re.compile(r"<[^<>\s]{1,250}>")
_RETURNED_ID: Final = re.compile(r"^[>| ]{0,4}message-id: {0,4}(<[^<>\s]{1,250}>)", re.IGNORECASE | re.MULTILINE)
_RETURNED_REPLY_TO: Final = re.compile(r"^[>| ]{0,4}reply-to: {0,4}(.{1,300})$", re.IGNORECASE | re.MULTILINE)
_MAIL_SYSTEM: Final = re.compile(r"mailer.?daemon|post.?master@|mail.?delivery.?(?:sub)?system", re.IGNORECASE)
_RETURNED_BELOW: Final = re.compile(
    r"^[>| ]{0,4}(?:message-id: {0,4}<|received: from |return-path:)"
    r"|^.{0,30}(?:(?:original|unsent|returned) (?:mail|message)|message headers? follow|copy of (?:the|your) (?:original )?message)",
    re.IGNORECASE | re.MULTILINE,
)
_TEXTS: Final = frozenset({"text/plain", "text/html"})
_SPACE: Final = re.compile(r"\s")
_BLANK_LINES: Final = re.compile(r"\n[ \t]*\n\s*")
_MILDEST_FIRST: Final = (DeliveryStatus.DELIVERED, DeliveryStatus.DELAYED, DeliveryStatus.POLICY, DeliveryStatus.SOFT, DeliveryStatus.HARD)

# it logs a traceback for every mail that it trips over
logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class Report:
    """The content of a report.

    `reason` is one line for an admin: the status code and the words of the server; it may name the address. `addresses` are those that the
    report is about, as far as it tells. `message_ids` belong to the mail that it returns or answers, the most certain first. `recipients`
    are the addresses at which the mail ended with this fate: others than we wrote to, if it was forwarded. At those of `reply_to` the
    returned mail asked for replies.
    """

    fate: DeliveryStatus
    reason: str = ""
    addresses: tuple[str, ...] = ()
    message_ids: tuple[str, ...] = ()
    recipients: tuple[str, ...] = ()
    reply_to: tuple[str, ...] = ()


def report(raw: bytes) -> Report:
    """Read a mail as a report about a mail to one address. Never raises; a mail that reports nothing is UNCLASSIFIED.

    One address may stand for several. The best of several results counts then: somebody has the mail.
    """
    mail = parse(raw)
    # without any part, the boundary may be another one than the header says
    parts = list(islice(_leaves(mail, 0), MAX_GROUPS)) or [Part(Headers(), mail.body)]
    ids, reply_to = _message_ids(mail.headers, parts), _reply_to(parts)
    notification = _notification(parts)
    groups = [group for part in parts if part.media_type in _STATUS_PARTS for group in _groups(part.text())]
    # Amazon WorkMail writes the fields into the text
    groups = groups or _groups(notification)
    found = [one for one in (_of_group(group, notification) for group in groups) if one is not None]
    found = found or _unstructured(mail, notification)
    # one address may stand for several mailboxes: if somebody has the mail, it has arrived
    best = min(found, key=lambda one: _MILDEST_FIRST.index(one.fate), default=None)
    if best is None:
        return Report(DeliveryStatus.UNCLASSIFIED, message_ids=ids, reply_to=reply_to)
    named = dict.fromkeys(address for one in found for address in one.addresses)
    last = dict.fromkeys(address for one in found if one.fate is best.fate for address in one.recipients)
    return Report(best.fate, best.reason, tuple(named), ids, tuple(last), reply_to)


def _leaves(part: Part, depth: int) -> Iterator[Part]:
    """Yield the parts that are no multiparts, without looking into returned mails."""
    if part.media_type.startswith("multipart/"):
        for child in part.parts() if depth < MAX_DEPTH else ():
            yield from _leaves(child, depth + 1)
    else:
        yield part


def _groups(text: str) -> list[Headers]:
    """Return the fields about each recipient (RFC 3464, 2.1): every group except the first, which is about the mail."""
    groups = _BLANK_LINES.split(text[:MAX_TEXT].replace("\r", "\n").strip("\n"), MAX_GROUPS)[:MAX_GROUPS]
    read = [parse_part(group.encode("utf-8", "surrogateescape")).headers for group in groups]
    return [headers for headers in read if headers.every("action") or headers.every("final-recipient")]


def _notification(parts: Sequence[Part]) -> str:
    """Return a report's text for people, without our own mail, which some programs append to it."""
    text = next((part.text()[:MAX_TEXT] for part in parts if part.media_type in _TEXTS), "")
    returned = _RETURNED_BELOW.search(text)
    return text[: returned.start()] if returned else text


def _of_group(group: Headers, notification: str) -> Report | None:
    action, status = group.first("action").partition(" ")[0].strip().lower(), group.first("status")
    diagnosis = group.text("diagnostic-code")
    original, final = (
        addresses(value.rpartition(";")[2] for value in group.every(name)) for name in ("original-recipient", "final-recipient")
    )
    said = f"{status} {diagnosis.partition(';')[2] or diagnosis}"
    match action:
        # the second and the third one are not in RFC 3464, 2.3.3, but are sent
        case "failed" | "failure" | "error":
            fate = judged(f"{said} {notification}" if says_nothing(said) else said, notification=notification)
        case "delayed":
            fate = DeliveryStatus.DELAYED
        case "delivered" | "relayed" | "expanded":
            fate = DeliveryStatus.DELIVERED
        case _:
            return None
    return Report(fate, _one_line(said), tuple(dict.fromkeys((*original, *final))), recipients=final)


def _unstructured(mail: Part, notification: str) -> list[Report]:
    """Return the reports in a notification in words, if it is of a known kind, or if a mail system wrote it and it tells a reason."""
    delayed, failed = _recognised(mail)
    if not failed and delayed:
        return [Report(DeliveryStatus.DELAYED, "", delayed, recipients=delayed)]
    if not failed and not _MAIL_SYSTEM.search(mail.headers.text("from")):
        return []
    said = list(_told(notification))
    if not said and not failed:
        return []
    fates = [judged(words, notification=notification) for words in said or [notification]]
    about = failed or addresses([notification])[:MAX_IDS]
    reason = _one_line(next(iter(said), notification).partition("\n")[0])
    return [Report(min(fates, key=_MILDEST_FIRST.index), reason, about, recipients=about)]


def _told(notification: str) -> Iterator[str]:
    """Yield the words of servers: one text for each paragraph that tells anything, from its first line that does."""
    for paragraph in _BLANK_LINES.split(notification, MAX_GROUPS):
        lines = paragraph.splitlines()
        telling = next((number for number, line in enumerate(lines) if tells(line)), None)
        if telling is not None:
            yield "\n".join(lines[telling : telling + SAID_LINES])


def _recognised(mail: Part) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the addresses that flufl.bounce takes for delayed, and those that it takes for failed."""
    # only the beginning of the mail, with few lines, short lines and few parts: flufl.bounce and the standard library's parser are slow on
    # large mails
    fields = b"".join(
        f"{name}: {value[:MAX_LINE]}\n".encode("utf-8", "surrogateescape")
        for name in _TELLING_FIELDS
        for value in mail.headers.every(name)[:1]
    )
    body = b"\n".join(line[:MAX_LINE] for line in mail.body[:MAX_TEXT].split(b"\n", MAX_LINES)[:MAX_LINES])
    if body.lower().count(b"content-type") > MAX_FIELDS:
        return (), ()
    try:
        delayed, failed = all_failures(message_from_bytes(fields + b"\n" + body))
    except Exception:  # noqa: BLE001  # whatever it trips over, the mail is then one that it does not know
        return (), ()
    return _decoded(delayed), _decoded(failed)


def _decoded(found: Iterable[bytes]) -> tuple[str, ...]:
    # one of its patterns takes half a sentence of any mail with commas around it, as ours have, so texts with white space are dropped
    texts = (address.decode("utf-8", "replace") for address in found)
    return tuple(sorted(text for text in texts if not _SPACE.search(text)))[:MAX_IDS]


def _message_ids(headers: Headers, parts: Sequence[Part]) -> tuple[str, ...]:
    certain = [headers.first("message-id") for headers in _returned(parts)]
    quoted = [found for part in parts if part.media_type == "text/plain" for found in _RETURNED_ID.findall(part.text()[:MAX_TEXT])]
    answered = [headers.first("in-reply-to"), headers.first("references")]
    # the header of the returned mail is certain; References may name any mail of the thread
    found = [one for text in (*certain, *quoted, *answered) for one in _MESSAGE_ID.findall(text)]
    return tuple(dict.fromkeys(found))[:MAX_IDS]


def _reply_to(parts: Sequence[Part]) -> tuple[str, ...]:
    quoted = [found for part in parts if part.media_type == "text/plain" for found in _RETURNED_REPLY_TO.findall(part.text()[:MAX_TEXT])]
    return addresses([*(value for headers in _returned(parts) for value in headers.every("reply-to")), *quoted])[:MAX_IDS]


def _returned(parts: Sequence[Part]) -> Iterator[Headers]:
    """Yield the header of each returned mail."""
    returned = (part for part in parts if part.media_type in _RETURNED)
    return (parse_part(part.text()[:MAX_TEXT].encode("utf-8", "surrogateescape")).headers for part in returned)


def _one_line(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * MAX_REASON]).split())[:MAX_REASON]
