"""Read the verdict of our own mail server about the sender of a mail, from its Authentication-Results header (RFC 8601).

Anybody can write such a header. So only the one counts that our border server put on top, under its own name (section 5). That server
must remove forged ones that carry its name, as section 5 demands. A result never authorises by itself: it stands beside the reply token.
"""

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any, Final, NamedTuple

import authres

from turnserver.addresses import ascii_domain

MAX_RESULTS: Final = 2_000
"""The parser takes time that is quadratic in the length of a header. Real headers have a few hundred characters."""


class Authenticity(Enum):
    """The verdict whether a mail comes from the domain that its From line names: proven, disproven, or neither."""

    PROVEN = "proven"
    DISPROVEN = "disproven"
    UNKNOWN = "unknown"


class _Result(NamedTuple):
    """The result of one method, and the domain that it is about."""

    method: str
    result: str
    domain: str


def authenticated(headers: Iterable[str], authserv_id: str, sender: str) -> Authenticity:
    """Judge `sender`, the address in the From line, by the values of the Authentication-Results headers, top to bottom.

    A sender is proven by DMARC, or by DKIM or SPF for an aligned domain. A sender is disproven by DMARC, or by DKIM or SPF if nothing
    proves it. An empty `authserv_id` trusts no header. Never raises.
    """
    # the topmost one alone: whatever lies below it came with the mail
    trusted = next((value for value in headers if authserv_id and _identifier(value) == authserv_id.lower()), None)
    if trusted is None:
        return Authenticity.UNKNOWN
    domain = ascii_domain(sender.rpartition("@")[2]).lower()
    about = [one for one in _results(trusted) if one.method != "dmarc" or one.domain == domain]
    results = {(one.method, one.result) for one in about}
    # before what passes: DMARC has looked at DKIM and SPF itself, and knows the domain's policy
    if ("dmarc", "fail") in results:
        return Authenticity.DISPROVEN
    if ("dmarc", "pass") in results or any(one.result == "pass" and aligned(one.domain, domain) for one in about if one.method != "dmarc"):
        return Authenticity.PROVEN
    return Authenticity.UNKNOWN if results.isdisjoint({("spf", "fail"), ("dkim", "fail")}) else Authenticity.DISPROVEN


def aligned(one: str, other: str) -> bool:
    """Return whether two domains belong together: they are equal, or one lies below the other and the upper one is no top-level domain."""
    # simpler than the organisational domain of DMARC (RFC 7489, 3.2), which needs a list of all public suffixes: siblings do not count
    shorter, longer = sorted((one.lower().rstrip("."), other.lower().rstrip(".")), key=len)
    return "." in shorter and (shorter == longer or longer.endswith(f".{shorter}"))


def _identifier(value: str) -> str:
    return next(iter(value.partition(";")[0].split()), "").lower()


def _results(value: str) -> list[_Result]:
    try:
        header: Any = authres.AuthenticationResultsHeader.parse_value(value[:MAX_RESULTS])
        return list(_read(header.results))
    # it raises all kinds of errors on headers that do not follow the RFC, among them RecursionError
    except Exception:  # noqa: BLE001  # see above
        return []


def _read(results: Iterable[Any]) -> Iterator[_Result]:
    named = {"dmarc": ("from",), "dkim": ("d", "i"), "spf": ("mailfrom",)}
    for one in results:
        method = str(one.method).lower()
        if method not in named:
            continue
        properties = {prop.name.lower(): str(prop.value) for prop in one.properties}
        value = next((properties[name] for name in named[method] if name in properties), "")
        yield _Result(method, str(one.result).lower(), ascii_domain(value.strip('"<>').rpartition("@")[2]).lower())
