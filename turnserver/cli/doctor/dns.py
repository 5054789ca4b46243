"""Compare the DNS records of the service's domain with those that its mail needs."""

import ipaddress
import re
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from turnserver.cli.doctor.findings import Check, State, check
from turnserver.config import Settings
from turnserver.errors import ConfigError, TemporaryFailure
from turnserver.mail.format import dns, spf
from turnserver.mail.format.dns import Names, Record
from turnserver.text import listing

_ELSEWHERE = ("192.0.2.1", "2001:db8::1")
"""Addresses that nobody has (RFC 5737, RFC 3849): asked for the way there, the system tells ours, and sends nothing."""


@dataclass(frozen=True)
class Domain:
    """The domain as this machine knows it. `addresses` are those that mail leaves from, empty if the machine cannot tell."""

    settings: Settings
    addresses: Sequence[str]

    @property
    def name(self) -> str:
        """The domain of every address of ours."""
        return self.settings.site.domain.lower()

    @property
    def relay(self) -> str:
        """The other machine that mail leaves by, if it does."""
        host = self.settings.outgoing.host
        return "" if self.settings.outgoing.transport == "maildir" or is_local(host) else host


def examine(settings: Settings, names: Names | None, addresses: Sequence[str]) -> Iterator[Check]:
    """Yield the findings about every record, looked up through `names`. Without `names`, yield the records as they should be.

    `addresses` are those that mail leaves from; if there are none, this machine's own are taken where mail leaves by itself.
    """
    domain = Domain(settings, addresses)
    if not addresses and not domain.relay:
        domain = Domain(settings, own_addresses())
    for part in (_mx, _spf, _dkim, _dmarc, _ptr):
        wanted = part(domain)
        if names is None:
            yield from (_found("note", f"not looked up: {one.name} should have this {one.type} record", one) for one in wanted.records)
            continue
        try:
            yield from wanted.look(names)
        except TemporaryFailure as error:
            # Nobody knows what the record is, so it is not wrong, and the others are looked up all the same.
            yield _found("note", str(error), *wanted.records[:1])


def is_local(host: str) -> bool:
    """Return whether a mail server is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower().rstrip(".") in {"localhost", socket.gethostname().lower()}


def own_addresses() -> list[str]:
    """Return the public addresses that this machine knows as its own. Behind a router that translates addresses, it knows none."""
    found = []
    for elsewhere, family in zip(_ELSEWHERE, (socket.AF_INET, socket.AF_INET6), strict=True):
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                # A datagram socket that is connected sends nothing, but knows its own address.
                probe.connect((elsewhere, 9))
            except OSError:
                continue
            found.append(str(probe.getsockname()[0]))
    # Records are about what others see, and they never see a private address.
    return [one for one in found if ipaddress.ip_address(one).is_global]


@dataclass(frozen=True)
class _Wanted:
    """The records of one kind as they should be, and a look at those that are there."""

    records: Sequence[Record]
    look: Callable[[Names], Iterator[Check]]


def _found(state: State, says: str, record: Record | None = None) -> Check:
    return check("DNS", state, says, record.line if record else "")


def _mx(domain: Domain) -> _Wanted:
    record = dns.mx(domain.name)

    def look(names: Names) -> Iterator[Check]:
        hosts = names.mail_hosts(domain.name)
        if not hosts:
            # RFC 5321, 5.1: without a record, the host of that name takes the mail.
            if names.addresses(domain.name):
                yield _found("note", f"MX: {domain.name} has none, so its mail goes to the host of that name")
            else:
                yield _found("wrong", f"MX: nobody can write to {domain.name}, which names no host for its mail", record)
        elif hosts == [""]:
            # RFC 7505: a null MX.
            yield _found("wrong", f"MX: {domain.name} says that it takes no mail at all", record)
        else:
            lost = [host for host in hosts if not names.addresses(host)]
            for host in lost:
                yield _found("wrong", f"MX: {host} is to take the mail of {domain.name} and has no address")
            if not lost:
                yield _found("ok", f"MX: mail for {domain.name} goes to {listing(hosts, 'and')}")

    return _Wanted([record], look)


def _spf(domain: Domain) -> _Wanted:
    record = dns.spf(domain.name, domain.relay, domain.addresses)

    def look(names: Names) -> Iterator[Check]:
        found = spf.policies(names, domain.name)
        if not found:
            yield _found("wrong", f"SPF: {domain.name} does not say who may send its mail", record)
        elif len(found) > 1:
            # RFC 7208, 4.5: more than one is an error.
            yield _found("wrong", f"SPF: {domain.name} has {len(found)} records, and others then take it that there is none", record)
        elif not domain.addresses:
            yield _found("note", f"SPF: {domain.name} has a record; from which address mail leaves is not known here, and --address tells")
        else:
            for address in domain.addresses:
                result = spf.evaluate(names, domain.name, address)
                if result is spf.Result.PASS:
                    yield _found("ok", f"SPF: {address} may send the mail of {domain.name}")
                elif result is spf.Result.UNCLEAR:
                    yield _found("note", f"SPF: the record of {domain.name} is too intricate to be checked here for {address}")
                else:
                    yield _found("wrong", f"SPF: the record of {domain.name} says {result.value} for {address}, where mail leaves", record)

    return _Wanted([record], look)


def _dkim(domain: Domain) -> _Wanted:
    settings = domain.settings
    if not settings.dkim.key_files:
        advice = "DKIM: mails are not signed; `turnserver mail dkim-key --selector s1` makes a key and says what to do with it"
        return _Wanted([], lambda _: iter([_found("note", advice)]))
    from turnserver.mail.format import dkim  # noqa: PLC0415  # slow to import, and few need it

    try:
        signers = dkim.signers(settings)
    except ConfigError:
        return _Wanted([], lambda _: iter(()))  # said before
    texts = {one.selector: dkim.record(one.key.public_key()) for one in signers}
    records = {one.selector: dns.dkim(one.selector, one.domain, texts[one.selector]) for one in signers}

    def look(names: Names) -> Iterator[Check]:
        for selector, record in records.items():
            # Of what is published the key alone has to be the same: the other tags have defaults, and may be left out.
            published = [_tags(text) for text in names.texts(record.name)]
            if not published:
                yield _found("wrong", f"DKIM: the key of the selector {selector} is not published", record)
            elif len(published) > 1 or published[0].get("p") != _tags(record.value)["p"]:
                yield _found("wrong", f"DKIM: what is published for the selector {selector} is not the key that signs", record)
            elif "y" in published[0].get("t", "").split(":"):
                # RFC 6376, 3.6.1: the flags stand between colons.
                yield _found("note", f"DKIM: the key of the selector {selector} is published for trial (t=y), so it does not count", record)
            else:
                yield _found("ok", f"DKIM: the key of the selector {selector} is published")

    return _Wanted(list(records.values()), look)


def _dmarc(domain: Domain) -> _Wanted:
    record = dns.dmarc(domain.name, domain.settings.site.admin)

    def look(names: Names) -> Iterator[Check]:
        place, found = _policy(names, domain.name)
        if not found:
            yield _found("note", f"DMARC: nobody knows what to do with forged mail of {domain.name}", record)
            return
        # RFC 7489, 6.6.3: several policies count as none.
        if len(found) > 1 or found[0].get("p", "").lower() not in {"none", "quarantine", "reject"}:
            yield _found("wrong", f"DMARC: what {place} says is not one policy", record)
            return
        policy, signing = found[0], domain.settings.signing_domain.lower()
        # RFC 7489, 6.3: relaxed, unless it says otherwise.
        strict = policy.get("adkim", "r").lower() == "s"
        if domain.settings.dkim.key_files and not _aligned(domain.name, signing, strict=strict):
            yield _found("wrong", f"DMARC: {signing} signs for {domain.name}, which {place} does not let count; set dkim.domain")
        if policy["p"].lower() == "none":
            yield _found("note", f"DMARC: {place} only watches (p=none); make it p=quarantine once no reports come any more", record)
        else:
            yield _found("ok", f"DMARC: {place} asks others to {policy['p'].lower()} what only looks like mail of {domain.name}")

    return _Wanted([record], look)


def _ptr(domain: Domain) -> _Wanted:
    records = {address: dns.ptr(address, domain.name) for address in domain.addresses}

    def look(names: Names) -> Iterator[Check]:
        if domain.relay and not records:
            yield _found("ok", f"PTR: mail leaves by {domain.relay}, whose names are its operator's business")
        elif not records:
            yield _found("note", "PTR: the address that mail leaves from is not known here, and --address tells")
        for address, record in records.items():
            hosts = names.hosts(address)
            if not hosts:
                yield _found(
                    "wrong", f"PTR: {address} has no name, and many refuse mail from it; whoever lends the address sets it", record
                )
            elif not any(_same(address, names.addresses(host)) for host in hosts):
                yield _found("wrong", f"PTR: {address} is called {listing(hosts, 'and')}, a name that does not lead back to it", record)
            else:
                yield _found("ok", f"PTR: {address} is called {listing(hosts, 'and')}")

    return _Wanted(list(records.values()), look)


def _policy(names: Names, domain: str) -> tuple[str, list[Mapping[str, str]]]:
    """Return where a DMARC policy stands, and the policy: that of the domain, or of the nearest domain above it that has one."""
    labels = domain.split(".")
    place = f"_dmarc.{domain}"
    # A top-level domain is not asked.
    for start in range(max(1, len(labels) - 1)):
        place = f"_dmarc.{'.'.join(labels[start:])}"
        if found := [tags for tags in map(_tags, names.texts(place)) if tags.get("v") == "DMARC1"]:
            return place, found
    return place, []


def _tags(text: str) -> Mapping[str, str]:
    # RFC 6376, 3.2, and DMARC alike; white space within a value does not count.
    pairs = (part.partition("=") for part in text.split(";"))
    return {name.strip(): re.sub(r"\s", "", value) for name, _, value in pairs}


def _aligned(sender: str, signing: str, *, strict: bool) -> bool:
    # RFC 7489, 3.1.1. Without a list of public suffixes, a parent domain is taken for the organisation.
    return sender == signing or (not strict and (sender.endswith(f".{signing}") or signing.endswith(f".{sender}")))


def _same(address: str, others: Sequence[str]) -> bool:
    return ipaddress.ip_address(address) in map(ipaddress.ip_address, others)
