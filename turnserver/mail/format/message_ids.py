"""Message-IDs of ours: they say what a mail is about, and nobody else can make one up.

`<turn.g17.y.abcdefghijklm.abcdefghijklmnop@example.org>`: the kind of the mail; the game or league (`l3`) that it is about, or `-`; the
version that it shows in base 36, or 0; what tells the request apart that queued it; and the HMAC-SHA256 over all that, cut to 80 bits, in
base 32. It is short because some mail programs break a long one when they answer. An answer that names one comes from somebody who got the
mail; and a Message-ID that is ours but in no outbox belongs to a mail that was sent in a history which is lost.
"""

import hmac
import re
from base64 import b32encode
from typing import Final, NamedTuple

from turnserver.ids import Stream, Version
from turnserver.mail.format.tokens import Keys, base36

_PURPOSE: Final = b"turnserver message id\x00"
_ID: Final = re.compile(r"<([a-z_]{1,30})\.(-|[gl][0-9]{1,12})\.([0-9a-z]{1,8})\.([a-z2-7]{13})\.([a-z2-7]{16})@[^<>\s]+>")
_NAMES: Final = {"g": "game", "l": "league"}


class Named(NamedTuple):
    """What a Message-ID says: the kind of the mail, what it is about, such as `game 17`, as of which version, and which key signed it."""

    kind: str
    about: str
    version: Version
    key: int


def write(keys: Keys, kind: str, stream: Stream | None, version: Version | None, request: str, domain: str) -> str:  # noqa: PLR0917  # what it says
    """The Message-ID of a mail under the newest key; the same for the same `request`, as long as that key is the newest."""
    key = keys[max(keys)]
    name, _, number = (stream or "").partition("-")
    about = f"{name[:1]}{number}" or "-"
    said = f"{kind}.{about}.{base36(version or 0)}.{_text(hmac.digest(key, request.encode(), 'sha256')[:8])}"
    return f"<{said}.{_mac(key, said)}@{domain}>"


def verify(keys: Keys, text: str) -> Named | None:
    """What a Message-ID of ours says; None for any that was not written under one of `keys`."""
    found = _ID.fullmatch(text.strip())
    if found is None:
        return None
    kind, about, version, told_apart, mac = found.groups()
    said = f"{kind}.{about}.{version}.{told_apart}"
    signed = next((number for number, key in keys.items() if hmac.compare_digest(_mac(key, said), mac)), None)
    if signed is None:
        return None
    return Named(kind, f"{_NAMES[about[0]]} {about[1:]}" if about != "-" else "", Version(int(version, 36)), signed)


def _mac(key: bytes, said: str) -> str:
    return _text(hmac.digest(key, _PURPOSE + said.encode(), "sha256")[:10])


def _text(raw: bytes) -> str:
    return b32encode(raw).decode().rstrip("=").lower()
