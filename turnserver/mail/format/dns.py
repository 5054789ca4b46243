"""Ask DNS, and make the records that a domain of ours should have."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

import dns.exception
import dns.name
import dns.rdata
import dns.resolver
from dns.rdtypes.ANY.MX import MX
from dns.rdtypes.ANY.TXT import TXT

from turnserver.errors import TemporaryFailure

MOST_OF_A_STRING: Final = 255
"""Octets of one character-string (RFC 1035, 3.3). Longer texts are several strings, which readers join without a space."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record. `name` has no dot at its end. `value` is one line, as web forms of DNS providers take it."""

    name: str
    type: str
    value: str

    @property
    def line(self) -> str:
        """The record as a line of a zone file."""
        value = self.value if self.type != "TXT" else " ".join(f'"{part}"' for part in _strings(self.value))
        return f"{self.name}. IN {self.type} {value}"


def dkim(selector: str, domain: str, text: str) -> Record:
    """Return the record for the public half of a signing key (RFC 6376, 3.6.2)."""
    return Record(f"{selector}._domainkey.{domain}", "TXT", text)


def mx(domain: str) -> Record:
    """Return the record of the host that takes the domain's mail."""
    return Record(domain, "MX", f"10 {mail_host(domain)}.")


def spf(domain: str, host: str, addresses: Iterable[str]) -> Record:
    """Return the SPF record of a domain: its mail host, and `host` if mail leaves by another machine, else these addresses (RFC 7208)."""
    own = [f"ip{ip_address(one).version}:{one}" for one in addresses]
    return Record(domain, "TXT", " ".join(("v=spf1", "mx", *([f"a:{host}"] if host else own), "-all")))


def dmarc(domain: str, admin: str) -> Record:
    """Return the DMARC record of a domain (RFC 7489): quarantine mail that the domain neither signed nor sent, and report to the admin."""
    # another domain would have to agree to get reports (7.1)
    reports = f"; rua=mailto:{admin}" if admin.rpartition("@")[2] == domain else ""
    return Record(f"_dmarc.{domain}", "TXT", f"v=DMARC1; p=quarantine{reports}")


def ptr(address: str, domain: str) -> Record:
    """Return the record for the name of an address that mail leaves from. The owner of the address publishes it."""
    return Record(ip_address(address).reverse_pointer, "PTR", f"{mail_host(domain)}.")


def mail_host(domain: str) -> str:
    """Return a name for the machine, where nothing else names it."""
    return f"mail.{domain}"


def _strings(text: str) -> list[str]:
    return [text[start : start + MOST_OF_A_STRING] for start in range(0, len(text), MOST_OF_A_STRING)]


PORT: Final = 53
_NOTHING: Final = (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer)


class Names:
    """A resolver. Every question raises TemporaryFailure if no server answers it."""

    def __init__(self, server: str | None = None, port: int = PORT, seconds: float = 5.0) -> None:
        """Ask `server`, an IP address, or the system's own name servers. Each question takes `seconds` at most.

        Raise TemporaryFailure if the system has none.
        """
        try:
            self._resolver = dns.resolver.Resolver(configure=server is None)
        except dns.exception.DNSException as error:
            raise TemporaryFailure(f"this machine knows no name server: {error}") from error
        if server is not None:
            self._resolver.nameservers = [server]
            self._resolver.port = port
        self._resolver.lifetime = seconds

    def texts(self, name: str) -> list[str]:
        """Return the TXT records at a name, the strings of each joined (RFC 7208, 3.3)."""
        return [b"".join(one.strings).decode("utf-8", "replace") for one in self._ask(name, "TXT") if isinstance(one, TXT)]

    def mail_hosts(self, name: str) -> list[str]:
        """Return the hosts that take a domain's mail, the preferred one first. An empty name: the domain takes none (RFC 7505)."""
        found = sorted((one.preference, str(one.exchange).rstrip(".")) for one in self._ask(name, "MX") if isinstance(one, MX))
        return [host for _, host in found]

    def addresses(self, name: str) -> list[str]:
        """Return the IPv4 and IPv6 addresses of a host."""
        return [one.to_text() for kind in ("A", "AAAA") for one in self._ask(name, kind)]

    def hosts(self, address: str) -> list[str]:
        """Return the names of an IP address (PTR)."""
        return [one.to_text().rstrip(".") for one in self._ask(ip_address(address).reverse_pointer, "PTR")]

    def _ask(self, name: str, kind: str) -> Iterator[dns.rdata.Rdata]:
        try:
            asked = dns.name.from_text(name)
        except dns.exception.DNSException:
            # nothing can have a name like that
            return
        try:
            yield from self._resolver.resolve(asked, kind)
        except _NOTHING:
            return
        except (dns.exception.DNSException, OSError) as error:
            raise TemporaryFailure(f"DNS does not say what {name} has for {kind}: {str(error).rstrip('.')}") from error
