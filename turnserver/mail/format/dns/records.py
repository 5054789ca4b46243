"""What DNS has to say about a domain whose mail is ours, record by record, as it is typed in."""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

MOST_OF_A_STRING: Final = 255
"""Octets of one character-string (RFC 1035, 3.3); longer texts are several strings, which readers join without a space."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record. `name` has no dot at its end; `value` is one line, as web forms of DNS providers take it."""

    name: str
    type: str
    value: str

    @property
    def line(self) -> str:
        """The record in a zone file."""
        value = self.value if self.type != "TXT" else " ".join(f'"{part}"' for part in _strings(self.value))
        return f"{self.name}. IN {self.type} {value}"


def dkim(selector: str, domain: str, text: str) -> Record:
    """Where the public half of a signing key is found (RFC 6376, 3.6.2)."""
    return Record(f"{selector}._domainkey.{domain}", "TXT", text)


def mx(domain: str) -> Record:
    """Which host takes the domain's mail."""
    return Record(domain, "MX", f"10 {mail_host(domain)}.")


def spf(domain: str, host: str, addresses: Iterable[str]) -> Record:
    """Who may send the domain's mail: its mail host, these addresses, and `host` if mail leaves by another machine (RFC 7208)."""
    own = [f"ip{ip_address(one).version}:{one}" for one in addresses]
    return Record(domain, "TXT", " ".join(("v=spf1", "mx", *([f"a:{host}"] if host else own), "-all")))


def dmarc(domain: str, admin: str) -> Record:
    """What others are to do with mail of the domain that is neither signed by it nor sent by it (RFC 7489), and whom to tell."""
    reports = f"; rua=mailto:{admin}" if admin.rpartition("@")[2] == domain else ""  # others' domains would have to agree (7.1)
    return Record(f"_dmarc.{domain}", "TXT", f"v=DMARC1; p=quarantine{reports}")


def ptr(address: str, domain: str) -> Record:
    """The name of an address that mail leaves from; whoever lends the address publishes it."""
    return Record(ip_address(address).reverse_pointer, "PTR", f"{mail_host(domain)}.")


def mail_host(domain: str) -> str:
    """A name for the machine, where nothing says how it is called."""
    return f"mail.{domain}"


def _strings(text: str) -> list[str]:
    return [text[start : start + MOST_OF_A_STRING] for start in range(0, len(text), MOST_OF_A_STRING)]
