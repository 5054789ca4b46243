"""From the bytes of a mail to what it reports about one of ours: delivery status notifications (RFC 3464), and what is not one but says so.

Never raises, and reads only so much that no mail takes longer than a few milliseconds. Who may be believed is not decided here: the
service asks whether the mail came to a bounce address of ours (`turnserver.mail.format.return_paths`) or returns a Message-ID of ours.
"""

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from email import message_from_bytes
from itertools import islice
from typing import Final

from flufl.bounce import all_failures

from turnserver.ids import Fate
from turnserver.mail.format.bounce_codes import judged, says_nothing, tells
from turnserver.mail.format.mime import MAX_DEPTH, Headers, Part, addresses, parse, parse_part

MAX_GROUPS: Final = 50
MAX_TEXT: Final = 16_000
MAX_LINE: Final = 998
MAX_LINES: Final = 400
MAX_FIELDS: Final = 24
MAX_IDS: Final = 20
MAX_REASON: Final = 300
SAID_LINES: Final = 4
"""How many lines of a paragraph are what a server said, from the first one that tells anything."""

_STATUS_PARTS: Final = frozenset({"message/delivery-status", "message/global-delivery-status"})
_RETURNED: Final = frozenset(
    {"message/rfc822", "message/global", "text/rfc822-headers", "message/rfc822-headers", "message/global-headers"}
)
_TELLING_FIELDS: Final = ("from", "to", "subject", "content-type", "content-transfer-encoding", "x-failed-recipients", "x-mailer")
_MESSAGE_ID: Final = re.compile(r"<[^<>\s]{1,250}>")
_RETURNED_ID: Final = re.compile(r"^[>| ]{0,4}message-id: {0,4}(<[^<>\s]{1,250}>)", re.IGNORECASE | re.MULTILINE)
_MAIL_SYSTEM: Final = re.compile(r"mailer.?daemon|post.?master@|mail.?delivery.?(?:sub)?system", re.IGNORECASE)
_RETURNED_BELOW: Final = re.compile(
    r"^[>| ]{0,4}(?:message-id: {0,4}<|received: from |return-path:)"
    r"|^.{0,30}(?:(?:original|unsent|returned) (?:mail|message)|message headers? follow|copy of (?:the|your) (?:original )?message)",
    re.IGNORECASE | re.MULTILINE,
)
_TEXTS: Final = frozenset({"text/plain", "text/html"})
_SPACE: Final = re.compile(r"\s")
_BLANK_LINES: Final = re.compile(r"\n[ \t]*\n\s*")
_MILDEST_FIRST: Final = (Fate.DELIVERED, Fate.DELAYED, Fate.POLICY, Fate.SOFT, Fate.HARD)

logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)  # it logs a traceback for every mail that it trips over


@dataclass(frozen=True, slots=True)
class Report:
    """What a mail reports.

    `reason` is one line for an admin: the status code and what the server said; it may name the address. `addresses` are those that it is
    about, as far as it tells; `message_ids` those of the mail that it returns or answers, the most certain first.
    """

    fate: Fate
    reason: str = ""
    addresses: tuple[str, ...] = ()
    message_ids: tuple[str, ...] = ()


def report(raw: bytes) -> Report:
    """Read a mail as a report about a mail to one address.

    A report about several, because that address stands for several, is as good as the best of them: somebody has the mail.
    """
    mail = parse(raw)
    parts = list(islice(_leaves(mail, 0), MAX_GROUPS)) or [Part(Headers(), mail.body)]  # its boundary may be another one than it says
    ids = _message_ids(mail.headers, parts)
    notification = _notification(parts)
    groups = [group for part in parts if part.media_type in _STATUS_PARTS for group in _groups(part.text())]
    groups = groups or _groups(notification)  # Amazon WorkMail writes the fields into the text
    found = [one for one in (_of_group(group, notification) for group in groups) if one is not None]
    found = found or _unstructured(mail, notification)
    best = min(found, key=lambda one: _MILDEST_FIRST.index(one.fate), default=None)
    if best is None:
        return Report(Fate.UNCLASSIFIED, message_ids=ids)
    named = dict.fromkeys(address for one in found for address in one.addresses)
    return Report(best.fate, best.reason, tuple(named), ids)


def _leaves(part: Part, depth: int) -> Iterator[Part]:
    """The parts that are no multiparts, without looking into mails that are returned."""
    if part.media_type.startswith("multipart/"):
        for child in part.parts() if depth < MAX_DEPTH else ():
            yield from _leaves(child, depth + 1)
    else:
        yield part


def _groups(text: str) -> list[Headers]:
    """The fields about each recipient (RFC 3464, 2.1): every group but the first, which is about the mail."""
    groups = _BLANK_LINES.split(text[:MAX_TEXT].replace("\r", "\n").strip("\n"), MAX_GROUPS)[:MAX_GROUPS]
    read = [parse_part(group.encode("utf-8", "surrogateescape")).headers for group in groups]
    return [headers for headers in read if headers.every("action") or headers.every("final-recipient")]


def _notification(parts: Sequence[Part]) -> str:
    """What a report tells people, without the mail of ours that some programs put below it."""
    text = next((part.text()[:MAX_TEXT] for part in parts if part.media_type in _TEXTS), "")
    returned = _RETURNED_BELOW.search(text)
    return text[: returned.start()] if returned else text


def _of_group(group: Headers, notification: str) -> Report | None:
    action, status = group.first("action").partition(" ")[0].strip().lower(), group.first("status")
    diagnosis = group.text("diagnostic-code")
    about = addresses(value.rpartition(";")[2] for name in ("original-recipient", "final-recipient") for value in group.every(name))
    said = f"{status} {diagnosis.partition(';')[2] or diagnosis}"
    match action:
        case "failed" | "failure" | "error":  # the others are not in RFC 3464, 2.3.3, but are sent
            fate = judged(f"{said} {notification}" if says_nothing(said) else said, notification=notification)
        case "delayed":
            fate = Fate.DELAYED
        case "delivered" | "relayed" | "expanded":
            fate = Fate.DELIVERED
        case _:
            return None
    return Report(fate, _one_line(said), about)


def _unstructured(mail: Part, notification: str) -> list[Report]:
    """What a notification in words says, if it is one of those that are known, or if a mail system wrote it and it tells why."""
    delayed, failed = _recognised(mail)
    if not failed and delayed:
        return [Report(Fate.DELAYED, "", delayed)]
    if not failed and not _MAIL_SYSTEM.search(mail.headers.text("from")):
        return []
    said = list(_told(notification))
    if not said and not failed:
        return []
    fates = [judged(words, notification=notification) for words in said or [notification]]
    about = failed or addresses([notification])[:MAX_IDS]
    return [Report(min(fates, key=_MILDEST_FIRST.index), _one_line(next(iter(said), notification).partition("\n")[0]), about)]


def _told(notification: str) -> Iterator[str]:
    """What servers said, one text a paragraph that tells anything; the lines before it and other paragraphs are friendly words."""
    for paragraph in _BLANK_LINES.split(notification, MAX_GROUPS):
        lines = paragraph.splitlines()
        telling = next((number for number, line in enumerate(lines) if tells(line)), None)
        if telling is not None:
            yield "\n".join(lines[telling : telling + SAID_LINES])


def _recognised(mail: Part) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The addresses that flufl.bounce takes for delayed and for failed.

    It gets no more than the beginning, a sane number of lines of a sane length and few parts, because it and the standard library's
    parser take long for much; and it raises on some mails.
    """
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
    """As text, less what is none: one of its patterns takes half a sentence of any mail with commas around it, as ours have."""
    texts = (address.decode("utf-8", "replace") for address in found)
    return tuple(sorted(text for text in texts if not _SPACE.search(text)))[:MAX_IDS]


def _message_ids(headers: Headers, parts: Sequence[Part]) -> tuple[str, ...]:
    returned = [part for part in parts if part.media_type in _RETURNED]
    certain = [parse_part(part.text()[:MAX_TEXT].encode("utf-8", "surrogateescape")).headers.first("message-id") for part in returned]
    quoted = [found for part in parts if part.media_type == "text/plain" for found in _RETURNED_ID.findall(part.text()[:MAX_TEXT])]
    answered = [headers.first("in-reply-to"), headers.first("references")]
    found = [one for text in (*certain, *quoted, *answered) for one in _MESSAGE_ID.findall(text)]
    return tuple(dict.fromkeys(found))[:MAX_IDS]


def _one_line(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * MAX_REASON]).split())[:MAX_REASON]
