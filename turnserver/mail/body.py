"""The text that a person sees first on opening a mail, out of all its parts.

Where a mail holds several versions of its text, the plain one counts, and HTML only if that is empty. Attachments do not count, whatever
they are, nor does a mail that was forwarded whole, nor a second part beside what a signature covers.
"""

from typing import NamedTuple

from turnserver.mail.html_text import html_text
from turnserver.mail.mime import MAX_DEPTH, MAX_MAIL, Part, parse
from turnserver.mail.reply import MAX_TEXT, unflow
from turnserver.mail.smime import signed_content
from turnserver.words import say

_PLAIN = ("text/plain", "text/markdown")
_SEALED = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_ARMOUR = "-----BEGIN PGP MESSAGE-----"


class Problem(NamedTuple):
    """Why a person's mail cannot be used: a stable code, and a sentence for its sender."""

    code: str
    message: str


ENCRYPTED = Problem("encrypted", say("The mail is encrypted. Please send your commands unencrypted; a signature does no harm."))
SEALED = Problem("sealed", say("The mail is packed into a signature that cannot be opened. Please send your commands as plain text."))


class Body(NamedTuple):
    """The text, and what stands in the way of reading it."""

    text: str = ""
    problem: Problem | None = None


def body(part: Part, depth: int = 0) -> Body:
    """The text of a mail, or of a part of it that lies `depth` parts deep."""
    if part.media_type in _SEALED:
        return _opened(part, depth)
    if part.media_type in ("multipart/encrypted", "application/pgp-encrypted"):
        return Body(problem=ENCRYPTED)
    if depth > MAX_DEPTH or part.is_attachment or (depth and part.is_named):
        return Body()
    match part.media_type:
        case "text/html":
            return Body(html_text(part.text()))
        case media_type if media_type in _PLAIN:
            return _plain(part)
        case "multipart/alternative":
            return _alternative(part, depth + 1)
        case "multipart/signed":
            return next((body(child, depth + 1) for child in part.parts()), Body())
        case "multipart/digest":
            return Body()
        case media_type if media_type.startswith("multipart/"):
            return _joined(part, depth + 1)
        case _:
            return Body()


def _joined(part: Part, depth: int) -> Body:
    bodies = [body(child, depth) for child in part.parts()]
    return Body("\n".join(one.text for one in bodies if one.text), next((one.problem for one in bodies if one.problem), None))


def _alternative(part: Part, depth: int) -> Body:
    """The first version with words in it; HTML, which is slower to read and vaguer, only if there is no other."""
    children = sorted(part.parts(), key=lambda child: child.media_type == "text/html")
    return next((one for one in (body(child, depth) for child in children) if one.text.strip() or one.problem), Body())


def _plain(part: Part) -> Body:
    text = part.text()
    if _ARMOUR in text[:10_000]:
        return Body(problem=ENCRYPTED)
    if part.parameters.get("format", "").lower() == "flowed":
        return Body(unflow(text[: MAX_TEXT + 1], delsp=part.parameters.get("delsp", "").lower() == "yes"))
    return Body(text)


def _opened(part: Part, depth: int) -> Body:
    """What lies in an opaque signature; the mail in it may be signed once more."""
    if part.parameters.get("smime-type", "").lower() in ("enveloped-data", "authenveloped-data"):
        return Body(problem=ENCRYPTED)
    content = signed_content(part.content()[:MAX_MAIL])
    if content is None:
        return Body(problem=SEALED if part.parameters.get("smime-type") else ENCRYPTED)
    return body(parse(content), depth + 1) if depth < MAX_DEPTH else Body()
