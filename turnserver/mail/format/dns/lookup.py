"""Asking DNS, with an answer for everything: what is there, that there is nothing, or that nobody could be asked."""

from collections.abc import Iterator
from ipaddress import ip_address
from typing import Final

import dns.exception
import dns.name
import dns.rdata
import dns.resolver
from dns.rdtypes.ANY.MX import MX
from dns.rdtypes.ANY.TXT import TXT

from turnserver.errors import TemporaryFailure

PORT: Final = 53
_NOTHING: Final = (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer)


class Names:
    """A resolver. Every question raises TemporaryFailure if nobody answers it."""

    def __init__(self, server: str | None = None, port: int = PORT, seconds: float = 5.0) -> None:
        """Ask `server`, an IP address, or the system's own name servers; each question takes `seconds` at most.

        Raises TemporaryFailure if the system has none.
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
        """The TXT records at a name, the strings of each joined (RFC 7208, 3.3)."""
        return [b"".join(one.strings).decode("utf-8", "replace") for one in self._ask(name, "TXT") if isinstance(one, TXT)]

    def mail_hosts(self, name: str) -> list[str]:
        """The hosts that take a domain's mail, the preferred one first; an empty name is a domain that takes none (RFC 7505)."""
        found = sorted((one.preference, str(one.exchange).rstrip(".")) for one in self._ask(name, "MX") if isinstance(one, MX))
        return [host for _, host in found]

    def addresses(self, name: str) -> list[str]:
        """The IPv4 and IPv6 addresses of a host."""
        return [one.to_text() for kind in ("A", "AAAA") for one in self._ask(name, kind)]

    def hosts(self, address: str) -> list[str]:
        """The names that an IP address has (PTR)."""
        return [one.to_text().rstrip(".") for one in self._ask(ip_address(address).reverse_pointer, "PTR")]

    def _ask(self, name: str, kind: str) -> Iterator[dns.rdata.Rdata]:
        try:
            asked = dns.name.from_text(name)
        except dns.exception.DNSException:  # nothing can have a name like that
            return
        try:
            yield from self._resolver.resolve(asked, kind)
        except _NOTHING:
            return
        except (dns.exception.DNSException, OSError) as error:
            raise TemporaryFailure(f"DNS does not say what {name} has for {kind}: {str(error).rstrip('.')}") from error
