"""`doctor --mail`: what DNS, the mail server and our own mails say is found right or wrong, and what to publish is told."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Session

from tests.cases import for_each
from tests.cli.club import Club
from tests.cli.typed import MAILDIR, configure, declared, service_of, typed
from tests.jobs.sink import LOOPBACK, Sink, free_port
from tests.mail.format.nameserver import NameServer, Zone
from turnserver.cli.doctor import dns as dnscheck
from turnserver.cli.doctor import mail as mailcheck
from turnserver.cli.doctor.findings import Check
from turnserver.config import Dkim, Outgoing, Settings, Site
from turnserver.mail.format import dkim
from turnserver.mail.format.dns import Names

HERE = "192.0.2.5"
GOOD: Zone = {
    ("club.example", "MX"): ["10 mail.club.example."],
    ("mail.club.example", "A"): [HERE],
    ("club.example", "TXT"): ['"v=spf1 mx -all"', '"something else"'],
    ("_dmarc.club.example", "TXT"): ['"v=DMARC1; p=quarantine; adkim=s"'],
    ("5.2.0.192.in-addr.arpa", "PTR"): ["mail.club.example."],
}
KEY = "s1._domainkey.club.example"


class Case(NamedTuple):
    """`changed` records make a zone of GOOD, an empty list removes one; then one check says `says` in that state, and what to publish."""

    changed: Zone
    state: str
    says: str
    record: str = ""


MX = "club.example. IN MX 10 mail.club.example."
SPF = f'club.example. IN TXT "v=spf1 mx ip4:{HERE} -all"'
DMARC = '_dmarc.club.example. IN TXT "v=DMARC1; p=quarantine; rua=mailto:ada@club.example"'
PTR = "5.2.0.192.in-addr.arpa. IN PTR mail.club.example."
CASES = {
    "MX": Case({}, "ok", "MX: mail for club.example goes to mail.club.example."),
    "no MX": Case({("club.example", "MX"): []}, "wrong", "MX: nobody can write to club.example", MX),
    "no MX and an address": Case({("club.example", "MX"): [], ("club.example", "A"): [HERE]}, "note", "MX: club.example has none"),
    "null MX": Case({("club.example", "MX"): ["0 ."]}, "wrong", "MX: club.example says that it takes no mail at all.", MX),
    "MX nowhere": Case({("mail.club.example", "A"): []}, "wrong", "MX: mail.club.example is to take the mail of club.example and has no"),
    "SPF": Case({}, "ok", f"SPF: {HERE} may send the mail of club.example."),
    "no SPF": Case({("club.example", "TXT"): ['"x"']}, "wrong", "SPF: club.example does not say who may send its mail.", SPF),
    "two SPF": Case({("club.example", "TXT"): ['"v=spf1 mx"', '"v=spf1 a"']}, "wrong", "SPF: club.example has 2 records", SPF),
    "SPF of another": Case({("club.example", "TXT"): ['"v=spf1 ip4:198.51.100.1 -all"']}, "wrong", f"says fail for {HERE}, where", SPF),
    "SPF that is too much for us": Case({("club.example", "TXT"): ['"v=spf1 ptr -all"']}, "note", "SPF: the record of club.example is too"),
    "DKIM": Case({}, "ok", "DKIM: the key of the selector s1 is published."),
    "no DKIM": Case({(KEY, "TXT"): []}, "wrong", "DKIM: the key of the selector s1 is not published.", f"{KEY}. IN TXT"),
    "DKIM of another": Case({(KEY, "TXT"): ['"v=DKIM1; k=rsa; p=AAAA"']}, "wrong", "s1 is not the key that signs.", f"{KEY}. IN TXT"),
    "DKIM revoked": Case({(KEY, "TXT"): ['"v=DKIM1; p="']}, "wrong", "s1 is not the key that signs.", f"{KEY}. IN TXT"),
    "DMARC": Case({}, "ok", "DMARC: _dmarc.club.example asks others to quarantine what only looks like mail of club.example."),
    "no DMARC": Case({("_dmarc.club.example", "TXT"): []}, "note", "DMARC: nobody knows what to do with forged mail", DMARC),
    "DMARC watches": Case({("_dmarc.club.example", "TXT"): ['"v=DMARC1; p=none"']}, "note", "only watches (p=none)", DMARC),
    "two DMARC": Case(
        {("_dmarc.club.example", "TXT"): ['"v=DMARC1; p=none"', '"v=DMARC1; p=reject"']}, "wrong", "is not one policy.", DMARC
    ),
    "DMARC without a policy": Case({("_dmarc.club.example", "TXT"): ['"v=DMARC1; q=none"']}, "wrong", "is not one policy.", DMARC),
    "PTR": Case({}, "ok", f"PTR: {HERE} is called mail.club.example."),
    "no PTR": Case({("5.2.0.192.in-addr.arpa", "PTR"): []}, "wrong", f"PTR: {HERE} has no name", PTR),
    "PTR to elsewhere": Case({("5.2.0.192.in-addr.arpa", "PTR"): ["x.club.example."]}, "wrong", "a name that does not lead back", PTR),
}


@pytest.fixture(scope="module")
def signing(tmp_path_factory: pytest.TempPathFactory, club_template: Club) -> Settings:
    """The settings of a club that signs and sends from this machine."""
    directory = tmp_path_factory.mktemp("keys")
    assert typed(club_template, f"mail dkim-key --selector s1 --directory {directory}").exit_code == 0
    return Settings(
        site=Site(name="Our club", address="turns@club.example", admin="ada@club.example"), dkim=Dkim(key_files=(directory / "s1.pem",))
    )


def zone_of(settings: Settings, changed: Zone = {}) -> Zone:  # noqa: B006  # never changed
    """Return what DNS says: all is well, but for what was changed."""
    published = {
        (signer.name, "TXT"): [f'"{text[:200]}" "{text[200:]}"']
        for signer in dkim.signers(settings)
        for text in [dkim.record(signer.key.public_key())]
    }
    zone: Mapping[tuple[str, str], Sequence[str]] = {**GOOD, **published, **changed}
    return {place: records for place, records in zone.items() if records}


def found(settings: Settings, zone: Zone, addresses: Sequence[str] = (HERE,), broken: Sequence[str] = ()) -> list[Check]:
    with NameServer(zone, broken) as server:
        return list(dnscheck.examine(settings, Names(LOOPBACK, server.port, 1.0), addresses))


def check_says(checks: Sequence[Check], state: str, says: str, record: str = "") -> None:
    fitting = [one for one in checks if one.state == state and says in one.says]
    assert len(fitting) == 1, checks
    assert fitting[0].record.startswith(record) if record else fitting[0].record == "", fitting


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_dns(signing: Settings, case: Case) -> None:
    checks = found(signing, zone_of(signing, case.changed))
    check_says(checks, case.state, case.says, case.record)
    assert all(check.state == "ok" for check in checks if not case.changed)


def test_dns_that_does_not_answer_is_no_fault_and_the_record_is_told(signing: Settings) -> None:
    checks = found(signing, zone_of(signing), broken=["club.example", KEY, "_dmarc.club.example", "5.2.0.192.in-addr.arpa"])
    assert [check.state for check in checks] == ["note"] * 5
    assert [check.record.partition(" ")[0] for check in checks] == [
        "club.example.", "club.example.", f"{KEY}.", "_dmarc.club.example.", "5.2.0.192.in-addr.arpa.",
    ]  # fmt: skip


def test_without_dns_every_record_is_told(signing: Settings) -> None:
    checks = list(dnscheck.examine(signing, None, [HERE, "2001:db8::5"]))
    assert {check.state for check in checks} == {"note"}
    records = [check.record for check in checks]
    assert records[:2] == [MX, f'club.example. IN TXT "v=spf1 mx ip4:{HERE} ip6:2001:db8::5 -all"']
    assert [record.partition(" IN ")[0] for record in records[2:]] == [
        f"{KEY}.",
        "_dmarc.club.example.",
        "5.2.0.192.in-addr.arpa.",
        "5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa.",
    ]


ALIGNED = {
    "the same": ("club.example", "adkim=s", True),
    "below": ("mail.club.example", "adkim=r", True),
    "above": ("example", "", True),
    "below, strictly": ("mail.club.example", "adkim=s", False),
    "another": ("example.org", "", False),
    "another that ends alike": ("theclub.example", "", False),
}


@pytest.mark.parametrize(("domain", "tag", "counts"), ALIGNED.values(), ids=ALIGNED)
def test_a_signature_of_another_domain_may_not_count(signing: Settings, domain: str, tag: str, *, counts: bool) -> None:
    settings = Settings(site=signing.site, dkim=Dkim(domain, signing.dkim.key_files))
    checks = found(settings, zone_of(settings, {("_dmarc.club.example", "TXT"): [f'"v=DMARC1; p=reject; {tag}"']}))
    assert [check.says for check in checks if check.state == "wrong"] == (
        [] if counts else [f"DMARC: {domain} signs for club.example, which _dmarc.club.example does not let count; set dkim.domain."]
    )


def test_the_policy_of_a_domain_above_holds() -> None:
    settings = Settings(site=Site(address="turns@mail.club.example"))
    assert any(check.says.startswith("DMARC: _dmarc.club.example asks others to quarantine") for check in found(settings, GOOD))


def test_mail_that_leaves_by_another_machine(signing: Settings) -> None:
    settings = Settings(site=signing.site, outgoing=Outgoing(host="smtp.example.net"))
    checks = found(settings, zone_of(settings), addresses=())
    check_says(checks, "ok", "PTR: mail leaves by smtp.example.net, whose names are its operator's business.")
    check_says(checks, "note", "SPF: club.example has a record; from which address mail leaves is not known here, and --address tells.")
    check_says(checks, "note", "DKIM: mails are not signed; `turnserver mail dkim-key --selector s1` makes a key")
    checks = list(dnscheck.examine(settings, None, ()))
    assert 'club.example. IN TXT "v=spf1 mx a:smtp.example.net -all"' in [check.record for check in checks]


class Told(NamedTuple):
    """The answer of the command."""

    code: int
    checks: list[Check]


def told(club: Club, options: str) -> Told:
    result = typed(club, f"doctor --mail {options} --json")
    checks = declared(result.stdout, "doctor")
    assert isinstance(checks, list)
    return Told(result.exit_code, checks)


def test_a_service_that_is_set_up_well(club: Club) -> None:
    assert typed(club, "mail dkim-key --selector s1").exit_code == 0
    configure(club, '\n[dkim]\nkey_files = ["s1.pem"]\n\n[incoming]\nlmtp_port = 0\n')
    with Sink() as sink:
        configure(club, f'\n[outgoing]\nhost = "{LOOPBACK}"\nport = {sink.port}\n')
        settings = Settings(site=Site(address="turns@club.example"), dkim=Dkim(key_files=(club.directory / "s1.pem",)))
        with NameServer(zone_of(settings)) as server:
            code, checks = told(club, f"--nameserver {LOOPBACK}:{server.port} --address {HERE}")
        assert sink.mails == []
    assert (code, [check for check in checks if check.state == "wrong"]) == (0, [])
    check_says(checks, "ok", "characters before the @; your mail system must deliver turns+anything like turns.")
    check_says(checks, "ok", "sample mails would leave in good form, the largest with ")
    check_says(checks, "ok", "Their DKIM signatures hold, by rsa-sha256.")
    check_says(checks, "ok", "It offers 8BITMIME.")
    check_says(checks, "ok", "The clock says 2026-03-01 12:00 UTC.")
    check_says(checks, "ok", "DKIM: the key of the selector s1 is published.")


def test_it_prints_what_to_publish(club: Club) -> None:
    configure(club, MAILDIR)
    result = typed(club, "doctor --mail --no-dns")
    assert result.exit_code == 0, result.stdout
    assert f"\n         {MX}\n" in result.stdout
    assert '\n         club.example. IN TXT "v=spf1 mx -all"\n' in result.stdout


def test_without_the_option_nobody_is_asked(club: Club) -> None:
    configure(club, MAILDIR)
    with NameServer(GOOD) as server:
        checks = declared(typed(club, f"doctor --json --nameserver {LOOPBACK}:{server.port}").stdout, "doctor")
        assert isinstance(checks, list)
        assert (server.asked, {"DNS", "mails", "server"} & {check.about for check in checks}) == ([], set())


@pytest.mark.parametrize(
    "options", ["--nameserver ns.example.org", "--nameserver 127.0.0.1:x", "--address turns.example.org", "--address 1.2.3"]
)
def test_refuses(club: Club, options: str) -> None:
    result = typed(club, f"doctor --mail {options}")
    assert (result.exit_code, "needs an IP address such as 192.0.2.5" in result.stderr, result.stdout) == (1, True, "")


def test_a_server_that_takes_only_small_mails_and_only_ascii(club: Club) -> None:
    class Small(Controller):
        def factory(self) -> SMTP:
            return SMTP(self.handler, data_size_limit=5000, enable_SMTPUTF8=False)

    server = Small(object(), hostname=LOOPBACK, port=free_port())
    server.start()
    try:
        configure(club, f'\n[outgoing]\nhost = "{LOOPBACK}"\nport = {server.port}\n')
        code, checks = told(club, "--no-dns")
    finally:
        server.stop()
    assert code == 1
    check_says(checks, "wrong", "It takes mails up to 5000 octets, and a sample mail has ")
    check_says(checks, "note", "It takes no addresses beyond ASCII (SMTPUTF8)")


def test_a_server_that_boasts(club: Club) -> None:
    class Boaster:
        async def handle_EHLO(self, _: SMTP, session: Session, _envelope: object, hostname: str, said: list[str]) -> list[str]:  # noqa: N802  # as aiosmtpd calls it
            session.host_name = hostname
            return [said[0], f"250-SIZE {'9' * 5_000}", *said[1:]]

    class Boastful(Controller):
        def factory(self) -> SMTP:
            return SMTP(self.handler, data_size_limit=None)

    server = Boastful(Boaster(), hostname=LOOPBACK, port=free_port())
    server.start()
    try:
        configure(club, f'\n[outgoing]\nhost = "{LOOPBACK}"\nport = {server.port}\n')
        _, checks = told(club, "--no-dns")
    finally:
        server.stop()
    check_says(checks, "ok", "It offers ")


def test_a_clock_that_went_backwards_is_noticed(club: Club) -> None:
    configure(club, MAILDIR)
    service = service_of(club)
    service.upkeep.sweep()
    service.db.close()
    club.now = club.now.replace(year=2025)
    _, checks = told(club, "--no-dns")
    check_says(checks, "wrong", "This machine's clock is 365 days behind what it was before; keep it by NTP.")


def test_a_missing_key_is_named_once_and_nothing_breaks(club: Club) -> None:
    configure(club, f'{MAILDIR}\n[dkim]\nkey_files = ["s1.pem"]\n')
    code, checks = told(club, "--no-dns")
    assert code == 1
    check_says(checks, "wrong", "No mail can be written: dkim.key_files: ")


def mail(*, head: str = "", body: str = "d4\r\n", message_id: str = "<1@club.example>") -> bytes:
    return (
        "From: turns@club.example\r\nTo: ada@example.org\r\nSubject: a turn\r\nDate: Sun, 01 Mar 2026 12:00:00 +0000\r\n"
        f"Message-ID: {message_id}\r\nReply-To: turns@club.example\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n{head}\r\n{body}"
    ).encode()


FAULTS: dict[str, tuple[bytes, str]] = {
    "none": (mail(), ""),
    "a way out": (
        mail(head="List-Unsubscribe: <mailto:turns@club.example>,\r\n <https://club.example/x>\r\nList-Unsubscribe-Post: x\r\n"),
        "",
    ),
    "no end of a line": (mail(body="one\ntwo\r\n"), "ends in something else than CRLF"),
    "a bare carriage return": (mail(body="one\rtwo\r\n"), "ends in something else than CRLF"),
    "a long line": (mail(body="x" * 999 + "\r\n"), "longer than 998 octets"),
    "no long line": (mail(body="x" * 998 + "\r\n"), ""),
    "not ASCII": (mail(head="X-Name: Jörg\r\n"), "not ASCII"),
    "twice": (mail(head="Subject: another\r\n"), "a mail has 2 headers Subject"),
    "missing": (mail().replace(b"Date:", b"X-Date:"), "a mail has 0 headers Date"),
    "a Message-ID of another": (mail(message_id="<1@localhost>"), "is not of club.example"),
    "a way out to nowhere": (mail(head="List-Unsubscribe: <http://club.example/x>\r\n"), "nobody can follow"),
    "one touch by mail": (mail(head="List-Unsubscribe: <mailto:x@y.example>\r\nList-Unsubscribe-Post: x\r\n"), "without an https address"),
}


@for_each(("raw", "says"), FAULTS.values(), ids=FAULTS)
def test_the_form_of_a_mail(raw: bytes, says: str) -> None:
    faults = [*mailcheck._faults(Settings(site=Site(address="turns@club.example")), raw)]
    assert [says in fault for fault in faults] == ([True] if says else [])


def test_every_key_readable_by_everybody_is_wrong(club: Club) -> None:
    assert typed(club, "mail dkim-key --selector s1").exit_code == 0
    Path(club.directory, "s1.pem").chmod(0o644)
    configure(club, f'{MAILDIR}\n[dkim]\nkey_files = ["s1.pem"]\n')
    checks: Any = declared(typed(club, "doctor --json").stdout, "doctor")
    check_says(checks, "wrong", "s1.pem can be read by everybody on this machine: `chmod 600")
