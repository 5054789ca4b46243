"""Evaluate whether a domain lets an address send its mail (SPF, RFC 7208), as far as an admin needs it: no macros, no time limits."""

import ipaddress
import re
from enum import Enum
from typing import Final

from turnserver.mail.format.dns import Names

MOST_LOOKUPS: Final = 10
"""The limit for terms that ask DNS, and for hosts that `mx` finds (4.6.4). Every checker treats more of them as an error."""

_VERSION: Final = "v=spf1"
_NAME: Final = re.compile(r"([a-z0-9]*)(.*)")
_TARGET: Final = re.compile(r"(?::(?P<target>[^/:]+))?(?:/(?P<four>\d+))?(?://(?P<six>\d+))?")


class Result(Enum):
    """The result of a check. `UNCLEAR` means that this module does not evaluate the record."""

    PASS = "pass"  # noqa: S105  # RFC 7208 calls it so
    FAIL = "fail"
    SOFTFAIL = "softfail"
    NEUTRAL = "neutral"
    NONE = "none"
    ERROR = "error"
    UNCLEAR = "unclear"


_QUALIFIERS: Final = {"+": Result.PASS, "-": Result.FAIL, "~": Result.SOFTFAIL, "?": Result.NEUTRAL}


def policies(names: Names, domain: str) -> list[str]:
    """Return the SPF records of a domain. A domain may have only one (4.5). Raise TemporaryFailure if DNS does not answer."""
    return [text for text in names.texts(domain) if text.lower() == _VERSION or text.lower().startswith(f"{_VERSION} ")]


def evaluate(names: Names, domain: str, address: str) -> Result:
    """Return the SPF result for mail of `domain` that comes from an IP address. Raise TemporaryFailure if DNS does not answer."""
    return _Evaluation(names, address).of(domain)


class _Evaluation:
    def __init__(self, names: Names, address: str) -> None:
        self._names = names
        self._address = ipaddress.ip_address(address)
        self._lookups = 0

    def of(self, domain: str) -> Result:
        found = policies(self._names, domain)
        if len(found) != 1:
            return Result.ERROR if found else Result.NONE
        redirect: str | None = None
        for term in found[0].lower().split()[1:]:
            # macros, which this module does not expand
            if "%" in term:
                return Result.UNCLEAR
            if term.startswith("redirect="):
                redirect = term.removeprefix("redirect=")
            elif "=" not in term:
                result = _QUALIFIERS.get(term[0], Result.PASS)
                matched = self._matches(term.lstrip("+-~?"), domain)
                if isinstance(matched, Result):
                    return matched
                if matched:
                    return result
        # only if no mechanism has matched (6.1)
        if redirect is not None:
            return self._asked() or _or_error(self.of(redirect))
        return Result.NEUTRAL

    def _matches(self, mechanism: str, domain: str) -> bool | Result:
        """Return whether a mechanism covers the address, or a result that ends the evaluation."""
        name, rest = _NAME.findall(mechanism)[0]
        if name == "all":
            return True
        if name in {"ip4", "ip6"}:
            network = _network(rest[1:])
            return Result.ERROR if network is None else self._address in network
        given = _TARGET.fullmatch(rest)
        if given is None or name not in {"a", "mx", "include", "exists", "ptr"} or self._asked():
            return Result.ERROR
        target, length = given["target"] or domain, given["six" if self._address.version == 6 else "four"]
        match name:
            case "include":
                return _included(self.of(target))
            case "exists":
                return any(ipaddress.ip_address(address).version == 4 for address in self._names.addresses(target))
            case "ptr":
                return Result.UNCLEAR
        hosts = self._names.mail_hosts(target) if name == "mx" else [target]
        if len(hosts) > MOST_LOOKUPS:
            return Result.ERROR
        found = [address for host in hosts for address in self._names.addresses(host)]
        around = [_network(f"{address}/{length}" if length else address) for address in found]
        return any(network is not None and self._address in network for network in around)

    def _asked(self) -> Result | None:
        self._lookups += 1
        return Result.ERROR if self._lookups > MOST_LOOKUPS else None


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None


def _included(inner: Result) -> bool | Result:
    # RFC 7208, 5.2: the result of the included domain, as it counts for the including one
    if inner is Result.UNCLEAR:
        return inner
    return Result.ERROR if inner in {Result.ERROR, Result.NONE} else inner is Result.PASS


def _or_error(result: Result) -> Result:
    # RFC 7208, 6.1: a domain that redirects to one without a record has an error
    return Result.ERROR if result is Result.NONE else result
