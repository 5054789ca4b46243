"""Where a mail that cannot be delivered goes back to: an envelope sender that names the mail (variable envelope return paths).

Behind the plus sign of the site's address stands `b`, the number of the mail in the outbox, the version of the key, and a code:
`turns+b-4711-1-<mac>@example.org`. The numbers are decimal, so that an admin who reads a header can look the mail up. The code is
HMAC-SHA256 over them, cut to 128 bits, in base 32, under the keys of reply addresses and with a purpose of its own: a reply address is
never taken for one of these, nor the other way round. Case does not matter. With mails up to 10^12 there is room for a box name of 14
characters within the 64 octets of RFC 5321, 4.5.3.1.1.
"""

import hmac
import re
from base64 import b32encode
from collections.abc import Iterable
from typing import Final

from turnserver.errors import ConfigError
from turnserver.mail.format.mime import addresses
from turnserver.mail.format.tokens import LOCAL_PART_OCTETS, Keys

_MAC_BYTES: Final = 16
_PURPOSE: Final = b"turnserver bounce address\x00"
_TAG: Final = re.compile(r"b-([1-9][0-9]{0,11})-([0-9]{1,4})-[a-z2-7]{26}")


def bounce_address(site_address: str, keys: Keys, mail: int) -> str:
    """The envelope sender of the mail of that number. Raises ConfigError if there is no key, or no room behind `site_address`."""
    if not keys:
        raise ConfigError("there is no key for bounce addresses: run `turnserver init`")
    box, at, domain = site_address.rpartition("@")
    local = f"{box}+{_written(max(keys), keys[max(keys)], mail)}"
    if not (box and at and domain) or len(local.encode()) > LOCAL_PART_OCTETS:
        raise ConfigError(f"site.address: {site_address!r} must be box@domain, with a box name of at most 14 characters")
    return f"{local}@{domain}"


def find(recipients: Iterable[str]) -> str | None:
    """The first text that looks like a tag in the local part of an address, with or without a display name; not verified."""
    for address in addresses(recipients):
        text = address.rpartition("@")[0].lower().rpartition("+")[2]
        if _TAG.fullmatch(text):
            return text
    return None


def verify(keys: Keys, tag: str) -> int | None:
    """The number of the mail that a tag in any case names; None for anything that we did not write under one of `keys`."""
    tag = tag.strip().lower()
    found = _TAG.fullmatch(tag)
    if found is None:
        return None
    mail, version = int(found[1]), int(found[2])
    key = keys.get(version)
    return mail if key is not None and hmac.compare_digest(_written(version, key, mail), tag) else None


def signed_by(tag: str) -> int:
    """The version of the key that a tag names which `verify` has read; 0 for what has not the form of a tag."""
    found = _TAG.fullmatch(tag.strip().lower())
    return int(found[2]) if found else 0


def _written(version: int, key: bytes, mail: int) -> str:
    clear = f"b-{mail}-{version}"
    mac = hmac.digest(key, _PURPOSE + clear.encode(), "sha256")[:_MAC_BYTES]
    return f"{clear}-{b32encode(mac).decode().rstrip('=').lower()}"
