"""Asking DNS of a real server on loopback, and what SPF makes of the answers."""

import pytest

from tests.cases import for_each
from tests.jobs.sink import LOOPBACK, free_port
from tests.mail.format.nameserver import NameServer, Zone
from turnserver.errors import TemporaryFailure
from turnserver.mail.format import dns, spf
from turnserver.mail.format.dns import Names
from turnserver.mail.format.spf import Result

LONG = "x" * 255
ZONE: Zone = {
    ("club.example", "MX"): ["20 second.club.example.", "10 first.club.example."],
    ("silent.example", "MX"): ["0 ."],
    ("club.example", "TXT"): [f'"{LONG}" "y z"', '"another"'],
    ("first.club.example", "A"): ["192.0.2.5", "192.0.2.6"],
    ("first.club.example", "AAAA"): ["2001:db8::5"],
    ("5.2.0.192.in-addr.arpa", "PTR"): ["first.club.example."],
}


def test_what_is_there_is_found() -> None:
    with NameServer(ZONE) as server:
        names = Names(LOOPBACK, server.port)
        assert names.mail_hosts("club.example") == ["first.club.example", "second.club.example"]
        assert names.mail_hosts("silent.example") == [""]
        assert sorted(names.texts("club.example")) == ["another", f"{LONG}y z"]
        assert sorted(names.addresses("first.club.example")) == ["192.0.2.5", "192.0.2.6", "2001:db8::5"]
        assert names.hosts("192.0.2.5") == ["first.club.example"]


def test_nothing_is_not_the_same_as_no_answer() -> None:
    with NameServer(ZONE, broken=["broken.example"]) as server:
        names = Names(LOOPBACK, server.port, 2.0)
        assert (names.texts("nowhere.example"), names.texts("first.club.example"), names.hosts("2001:db8::5")) == ([], [], [])
        with pytest.raises(TemporaryFailure, match=r"broken\.example has for TXT"):
            names.texts("broken.example")
    with pytest.raises(TemporaryFailure, match="does not say"):
        Names(LOOPBACK, free_port(), 0.2).texts("club.example")


HERE, THERE = "192.0.2.5", "198.51.100.7"
SPF = {
    "none": ("", HERE, Result.NONE),
    "another text": ("v=spf10 -all", HERE, Result.NONE),
    "two": ("v=spf1 -all | v=spf1 +all", HERE, Result.ERROR),
    "an address": ("v=spf1 ip4:192.0.2.5 -all", HERE, Result.PASS),
    "a network": ("v=spf1 ip4:192.0.2.0/24 ~all", HERE, Result.PASS),
    "another network": ("v=spf1 ip4:198.51.100.0/24 ~all", HERE, Result.SOFTFAIL),
    "six": ("v=spf1 ip6:2001:db8::/32 -all", "2001:db8::1", Result.PASS),
    "six for four": ("v=spf1 ip6:2001:db8::/32 -all", HERE, Result.FAIL),
    "its own host": ("v=spf1 a -all", HERE, Result.PASS),
    "another host": ("v=spf1 a:other.example -all", HERE, Result.FAIL),
    "around its host": ("v=spf1 a/24 -all", "192.0.2.99", Result.PASS),
    "around its host in six": ("v=spf1 a/32//64 -all", "2001:db8::99", Result.PASS),
    "mail hosts": ("v=spf1 mx -all", "192.0.2.9", Result.PASS),
    "mail hosts of another": ("v=spf1 mx:other.example -all", HERE, Result.FAIL),
    "upper case": ("V=SPF1 IP4:192.0.2.5 -ALL", HERE, Result.PASS),
    "excluded first": ("v=spf1 -ip4:192.0.2.5 +all", HERE, Result.FAIL),
    "nothing said": ("v=spf1 ip4:198.51.100.1", HERE, Result.NEUTRAL),
    "neutral": ("v=spf1 ?all", HERE, Result.NEUTRAL),
    "included": ("v=spf1 include:other.example -all", THERE, Result.PASS),
    "included and not covered": ("v=spf1 include:other.example -all", HERE, Result.FAIL),
    "included nothing": ("v=spf1 include:nowhere.example -all", HERE, Result.ERROR),
    "redirected": ("v=spf1 redirect=other.example", THERE, Result.PASS),
    "redirected, not covered": ("v=spf1 redirect=other.example", HERE, Result.SOFTFAIL),
    "redirected to nothing": ("v=spf1 redirect=nowhere.example", HERE, Result.ERROR),
    "redirected for nothing": ("v=spf1 redirect=other.example -all", THERE, Result.FAIL),
    "in a circle": ("v=spf1 include:club.example -all", HERE, Result.ERROR),
    "too many lookups": ("v=spf1 " + "a:other.example " * 11 + "-all", HERE, Result.ERROR),
    "ten lookups": ("v=spf1 " + "a:other.example " * 10 + "-all", HERE, Result.FAIL),
    "there": ("v=spf1 exists:club.example -all", HERE, Result.PASS),
    "by name": ("v=spf1 ptr -all", HERE, Result.UNCLEAR),
    "macros": ("v=spf1 exists:%{i}.club.example -all", HERE, Result.UNCLEAR),
    "a mistake": ("v=spf1 ipv4:192.0.2.5 -all", HERE, Result.ERROR),
    "no network": ("v=spf1 ip4:192.0.2.500 -all", HERE, Result.ERROR),
    "redirected in a circle": ("v=spf1 redirect=club.example", HERE, Result.ERROR),
    "redirected to no name": ("v=spf1 redirect=", HERE, Result.ERROR),
    "in a circle of two": ("v=spf1 include:back.example -all", HERE, Result.ERROR),
    "included again and again": ("v=spf1 " + "include:other.example " * 11 + "-all", HERE, Result.ERROR),
    "included what no name can be": (f"v=spf1 include:{'x' * 64}.example -all", HERE, Result.ERROR),
    "included two dots": ("v=spf1 include:a..b -all", HERE, Result.ERROR),
    "a host that no name can be": ("v=spf1 a:a..b -all", HERE, Result.FAIL),
    "there in six only": ("v=spf1 exists:six.example -all", HERE, Result.FAIL),
    "too many mail hosts": ("v=spf1 mx:many.example -all", HERE, Result.ERROR),
    "a length without end": (f"v=spf1 a/{'9' * 5_000} -all", HERE, Result.FAIL),
    "nothing but a sign": ("v=spf1 - all", HERE, Result.ERROR),
    "other modifiers": ("v=spf1 exp=why.example ip4:192.0.2.5 -all", HERE, Result.PASS),
}


def strings(text: str) -> str:
    return " ".join(f'"{text[at : at + 255]}"' for at in range(0, len(text), 255))


@for_each(("text", "address", "expected"), SPF.values(), ids=SPF)
def test_spf(text: str, address: str, expected: Result) -> None:
    zone: Zone = {
        ("club.example", "TXT"): [strings(one) for one in text.split(" | ") if one],
        ("club.example", "A"): ["192.0.2.5"],
        ("club.example", "AAAA"): ["2001:db8::5"],
        ("club.example", "MX"): ["10 mail.club.example."],
        ("mail.club.example", "A"): ["192.0.2.9"],
        ("other.example", "TXT"): ['"v=spf1 ip4:198.51.100.0/24 ~all"'],
        ("other.example", "A"): ["198.51.100.1"],
        ("back.example", "TXT"): ['"v=spf1 include:club.example -all"'],
        ("six.example", "AAAA"): ["2001:db8::6"],
        ("many.example", "MX"): [f"10 mx{number}.many.example." for number in range(11)],
    }
    with NameServer(zone) as server:
        assert spf.evaluate(Names(LOOPBACK, server.port), "club.example", address) is expected


CLUB = "club.example"
RECORDS = {
    "MX": (dns.mx(CLUB), "club.example. IN MX 10 mail.club.example."),
    "SPF": (
        dns.spf(CLUB, "", ["192.0.2.5", "2001:db8::5"]),
        'club.example. IN TXT "v=spf1 mx ip4:192.0.2.5 ip6:2001:db8::5 -all"',
    ),
    "SPF by another machine": (
        dns.spf(CLUB, "smtp.example.net", []),
        'club.example. IN TXT "v=spf1 mx a:smtp.example.net -all"',
    ),
    "DKIM": (
        dns.dkim("s1", CLUB, "v=DKIM1; p=" + "a" * 250),
        f's1._domainkey.club.example. IN TXT "v=DKIM1; p={"a" * 244}" "{"a" * 6}"',
    ),
    "DMARC": (
        dns.dmarc(CLUB, "ada@club.example"),
        '_dmarc.club.example. IN TXT "v=DMARC1; p=quarantine; rua=mailto:ada@club.example"',
    ),
    "DMARC without an admin of the domain": (
        dns.dmarc(CLUB, "ada@example.org"),
        '_dmarc.club.example. IN TXT "v=DMARC1; p=quarantine"',
    ),
    "PTR": (dns.ptr("192.0.2.5", CLUB), "5.2.0.192.in-addr.arpa. IN PTR mail.club.example."),
}


@for_each(("record", "line"), RECORDS.values(), ids=RECORDS)
def test_records_as_they_are_typed_in(record: dns.Record, line: str) -> None:
    assert record.line == line
