"""Message-IDs of ours: they say what a mail is about, and nobody else can make one up.

`<turn.game-17.34.0123456789abcdef.<mac>@example.org>`: the kind of the mail; the stream that it is about, or `-`; the version that it
shows, or 0; what tells the request apart that queued it; and the HMAC-SHA256 over all that, cut to 128 bits, in hexadecimal. An answer that
names one comes from somebody who got the mail; and a Message-ID that is ours but in no outbox belongs to a mail that was sent in a history
which is lost.
"""

import hmac
import re
from typing import Final, NamedTuple

from turnserver.envelope import Stream, Version
from turnserver.mail.tokens import Keys

_PURPOSE: Final = b"turnserver message id\x00"
_ID: Final = re.compile(r"<([a-z_]{1,30})\.(-|(?:game|league)-[0-9]{1,12})\.([0-9]{1,12})\.([0-9a-f]{16})\.([0-9a-f]{32})@[^<>\s]+>")


class Named(NamedTuple):
    """What a Message-ID says: the kind of the mail, what it is about and as of which version, and the version of the key that signed it."""

    kind: str
    stream: Stream | None
    version: Version
    key: int


def write(keys: Keys, kind: str, stream: Stream | None, version: Version | None, request: str, domain: str) -> str:  # noqa: PLR0917  # what it says
    """The Message-ID of a mail under the newest key; the same for the same `request`, as long as that key is the newest."""
    key = keys[max(keys)]
    told_apart = hmac.digest(key, request.encode(), "sha256").hex()[:16]
    said = f"{kind}.{stream or '-'}.{version or 0}.{told_apart}"
    return f"<{said}.{_mac(key, said)}@{domain}>"


def verify(keys: Keys, text: str) -> Named | None:
    """What a Message-ID of ours says; None for any that was not written under one of `keys`."""
    found = _ID.fullmatch(text.strip())
    if found is None:
        return None
    *_, mac = found.groups()
    said = ".".join(found.groups()[:-1])
    for version, key in keys.items():
        if hmac.compare_digest(_mac(key, said), mac):
            kind, stream, number, _, _ = found.groups()
            return Named(kind, None if stream == "-" else Stream(stream), Version(int(number)), version)
    return None


def _mac(key: bytes, said: str) -> str:
    return hmac.digest(key, _PURPOSE + said.encode(), "sha256").hex()[:32]
