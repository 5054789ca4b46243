"""Mail addresses: which ones may be recipients, their one spelling, and their form for servers that know nothing beyond ASCII.

A local part may be quoted (RFC 5321, 4.1.2), and both sides may have letters beyond ASCII (RFC 6531).
"""

import re
from contextlib import suppress
from ipaddress import ip_address
from typing import Final

from turnserver.errors import PermanentFailure

LITERAL: Final = re.compile(r"\[(?:ipv6:)?(.*)]", re.IGNORECASE)
"""The number of a host in the place of a domain (RFC 5321, 4.1.3)."""

_DOMAIN: Final = r"[^\s<>\"@\x00-\x1f\x7f\ud800-\udfff]{1,255}"
_QUOTED: Final = r'"(?:[^"\\\x00-\x1f\x7f\ud800-\udfff]|\\[^\x00-\x1f\x7f\ud800-\udfff]){0,128}"'
_ADDRESS: Final = re.compile(rf"(?:[^\s<>\"@\x00-\x1f\x7f\ud800-\udfff]{{1,200}}|{_QUOTED})@{_DOMAIN}")
_ATOMS: Final = re.compile(r'[^\s"(),:;<>@\[\\\].]+(?:\.[^\s"(),:;<>@\[\\\].]+)*')
_GMAIL: Final = frozenset({"gmail.com", "googlemail.com"})
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_SPECIAL: Final = re.compile(r'["\\]')


def check_address(address: str) -> None:
    """Raise PermanentFailure for an address that no mail can carry. The next server knows whether anybody lives there."""
    if not is_address(address):
        raise PermanentFailure(f"no mail can be addressed to {address!r}")


def is_address(text: str) -> bool:
    """Return whether a text has the form of an address: something, an at sign, and a domain."""
    return _ADDRESS.fullmatch(text) is not None


def local_part(address: str) -> str:
    """Return the text before the last at sign, without the quotation marks that it may need there."""
    local = address.rpartition("@")[0]
    return _ESCAPED.sub(r"\1", local[1:-1]) if local.startswith('"') and local.endswith('"') and local[1:] else local


def spelled(address: str) -> str:
    """Return an address in the one spelling that has quotation marks only where they are needed."""
    # most addresses, and nothing to do
    if not address.startswith('"'):
        return address
    local, domain = local_part(address), address.rpartition("@")[2]
    return f"{local}@{domain}" if _ATOMS.fullmatch(local) else f'"{_SPECIAL.sub(_escape, local)}"@{domain}'


def same_box(address: str, other: str) -> bool:
    """Return whether two addresses are one mailbox.

    They are alike but for quotation marks, case, what follows a `+` (RFC 5233), the dot of the root, other forms of a literal (RFC 5321,
    4.1.3), and the dots that Gmail overlooks.
    """
    return _mailbox(address) == _mailbox(other)


def _mailbox(address: str) -> tuple[str, str]:
    local, _, domain = spelled(address).casefold().rpartition("@")
    box, domain = local.strip('"').partition("+")[0], _one_form(domain)
    return (box.replace(".", ""), "gmail.com") if domain in _GMAIL else (box, domain)


def _one_form(domain: str) -> str:
    if literal := LITERAL.fullmatch(domain):
        with suppress(ValueError):
            return str(ip_address(literal[1]))
    return ascii_domain(domain.rstrip("."))


def on_the_wire(address: str) -> str:
    """Return an address as any server takes it: with its domain in ASCII (RFC 5891), unless the local part has letters beyond ASCII."""
    local, at, domain = address.rpartition("@")
    return f"{local}{at}{ascii_domain(domain)}" if local.isascii() else address


def ascii_domain(domain: str) -> str:
    """Return a domain as name servers know it. Return it as it is if it cannot be one."""
    if domain.isascii():
        return domain
    try:
        # "idna" of the standard library is IDNA 2003; it raises UnicodeError for a label that is empty or too long
        return domain.encode("idna").decode("ascii")
    except UnicodeError:
        return domain


def _escape(letter: re.Match[str]) -> str:
    return f"\\{letter[0]}"
