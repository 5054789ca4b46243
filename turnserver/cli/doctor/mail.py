"""`turnserver doctor --mail`: whether mail of this service would be taken, believed and answered, as far as this machine can tell."""

import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import msgspec

from turnserver.cli.doctor import dns as dnscheck
from turnserver.cli.doctor.findings import Check, check
from turnserver.cli.session import Session
from turnserver.config import DatabaseSettings, Settings
from turnserver.errors import BadOption, ConfigError, MailError, TemporaryFailure, TurnserverError
from turnserver.ids import GameId, PlayerId
from turnserver.mail.format.dns import PORT, Names
from turnserver.mail.format.tokens import LOCAL_PART_OCTETS, Token, find, reply_address, verify
from turnserver.mail.outbound.language import counted, span
from turnserver.mail.transport.outgoing import SmtpTransport
from turnserver.play.commands import Accept
from turnserver.play.events import SeatOrder
from turnserver.service.service import Service
from turnserver.store.incidents import outages
from turnserver.store.mail import outbox
from turnserver.text import listing

LONGEST_LINE: Final = 998
"""Octets of a line without its end (RFC 5322, 2.1.1)."""
WIDEST: Final = Token(PlayerId(10**9), GameId(10**9), 36**3 - 1, 36**2 - 1)
"""The longest token that there is room for."""
SAMPLE: Final = "take"
_ACTOR: Final = "admin:doctor"
ONCE: Final = ("From", "To", "Subject", "Date", "Message-ID", "Reply-To", "MIME-Version", "Content-Type")
_PLACE: Final = re.compile(r"(?:(?P<four>[\d.]+)|\[(?P<six>[\da-fA-F:.]+)\])(?::(?P<port>\d{1,5}))?")
_SIZE: Final = re.compile(r"[0-9]{1,20}")
"""The text that may stand behind SIZE (RFC 1870, 4)."""
EXTENSIONS: Final = ("STARTTLS", "8BITMIME", "SMTPUTF8", "DSN", "PIPELINING")


@dataclass(frozen=True)
class Asked:
    """The name server to ask, None for no DNS, and the addresses that mail leaves from if this machine cannot know them."""

    names: Names | None
    addresses: Sequence[str] = ()


def examine_mail(run: Session, asked: Asked) -> Iterator[Check]:
    """Yield everything about mail that can be found out without sending any."""
    settings = run.settings
    yield _addresses(settings)
    # Without sample mails the server, the clock and DNS can still be checked.
    mails: list[bytes] = []
    try:
        mails = samples(settings)
    except ConfigError as error:  # a key that cannot be used, which the other checks explain
        yield check("mails", "wrong", f"no mail can be written: {error}")
    yield from _mails(settings, mails)
    if settings.outgoing.transport == "smtp":
        yield from _server(settings, max(map(len, mails), default=0))
    yield from _clock(run)
    yield from dnscheck.examine(settings, asked.names, asked.addresses)


def asked(nameserver: str | None, addresses: Sequence[str], *, dns: bool) -> Asked:
    """Read the options that say how to look. Raises BadOption for a text that is no IP address."""
    for address in addresses:
        _ip(address, "--address")
    if not dns:
        return Asked(None, addresses)
    if nameserver is None:
        try:
            return Asked(Names(), addresses)
        except TemporaryFailure:  # without a name server nothing can be looked up, and everything can be told
            return Asked(None, addresses)
    place = _PLACE.fullmatch(nameserver)
    server, port = (place["four"] or place["six"], place["port"]) if place else (nameserver, None)
    return Asked(Names(_ip(server, "--nameserver"), int(port or PORT)), addresses)


def _ip(text: str, option: str) -> str:
    try:
        return str(ip_address(text))
    except ValueError as error:
        raise BadOption(f"{option} needs an IP address such as 192.0.2.5, not {text!r}.") from error


def samples(settings: Settings) -> list[bytes]:
    """Return the mails that two players get when they begin a game, as they would be sent. Raises ConfigError if they cannot be signed."""
    # A service of its own in a temporary database, so that the mails are written as real ones and the real database stays as it is.
    with tempfile.TemporaryDirectory(prefix="turnserver-doctor-") as directory:
        place = DatabaseSettings(url=f"sqlite:///{Path(directory, 'sample.db')}")
        service = Service.initialise(msgspec.structs.replace(settings, database=place))
        try:
            names = ("Ada", "Bob")
            people = [service.people.add(name, f"{name.lower()}@example.org", actor=_ACTOR, cause=f"doctor:{name}") for name in names]
            game = service.games.open(SAMPLE, {}, names, order=SeatOrder.GIVEN, actor=_ACTOR, cause="doctor:open").game
            for person in people:
                service.games.handle(game, Accept(person.id, service.clock()), actor=_ACTOR, cause=f"doctor:{person.name}:accept")
            with service.db.read() as conn:
                rows = outbox.list_outbox(conn)
            return [service.mail.sealed(row.id) for row in rows]
        finally:
            service.db.close()


def _addresses(settings: Settings) -> Check:
    """Check that reply addresses still verify when a mail system writes them in capitals."""
    # The widest token and the longest key number give the longest address that can ever be sent.
    keys = {36**2 - 1: bytes(32)}
    try:
        address = reply_address(settings.site.address, keys, WIDEST)
    except ConfigError as error:
        return check("addresses", "wrong", str(error))
    local = address.rpartition("@")[0]
    for written in (address, address.upper(), f'"{settings.site.name}" <{address}>'):
        if verify(keys, find([written]) or "") != WIDEST:
            return check("addresses", "wrong", f"an answer to {written} would not be understood")
    box = settings.site.address.rpartition("@")[0]
    says = f"the longest has {len(local)} of {LOCAL_PART_OCTETS} characters before the @; your mail system must deliver {box}+anything"
    return check("addresses", "ok", f"answers come to {box}+token: {says} like {box}")


def _mails(settings: Settings, mails: Sequence[bytes]) -> Iterator[Check]:
    found = list(dict.fromkeys(fault for mail in mails for fault in _faults(settings, mail)))
    yield from (check("mails", "wrong", fault) for fault in found)
    if mails and not found:
        largest = max(map(len, mails))
        yield check("mails", "ok", f"{counted(len(mails), 'sample mail')} would leave in good form, the largest with {largest // 1000} kB")
    if mails and settings.dkim.key_files:
        yield _signatures(settings, mails)


def _faults(settings: Settings, raw: bytes) -> Iterator[str]:
    """Yield the faults in a mail's form that other mail systems would object to."""
    mail = message_from_bytes(raw, policy=policy.default)
    head = raw.partition(b"\r\n\r\n")[0]
    domain = settings.site.domain
    if re.search(rb"\r(?!\n)|(?<!\r)\n", raw):
        yield "a line of a mail ends in something else than CRLF"
    if max(map(len, raw.split(b"\r\n"))) > LONGEST_LINE:
        yield f"a line of a mail is longer than {LONGEST_LINE} octets"
    if not head.isascii():
        yield "a header of a mail is not ASCII"
    yield from (f"a mail has {len(mail.get_all(name, []))} headers {name}" for name in ONCE if len(mail.get_all(name, [])) != 1)
    if not str(mail["Message-ID"]).strip().endswith(f"@{domain}>"):
        yield f"the Message-ID {mail['Message-ID']} is not of {domain}"
    if mail.defects:
        yield f"a mail is not in form: {mail.defects[0]}"
    yield from _unsubscribing(mail)


def _unsubscribing(mail: EmailMessage) -> Iterator[str]:
    # RFC 2369 for the header, RFC 8058 for one click.
    ways = str(mail.get("List-Unsubscribe", "<mailto:>"))
    if not re.fullmatch(r"\s*<(mailto:|https:)[^<>]*>(,\s*<(mailto:|https:)[^<>]*>)*\s*", ways):
        yield f"List-Unsubscribe is {ways}, which nobody can follow"
    if "List-Unsubscribe-Post" in mail and "<https:" not in ways:
        yield "List-Unsubscribe-Post is there without an https address to post to"


def _signatures(settings: Settings, mails: Sequence[bytes]) -> Check:
    """Check that our signatures verify with the public keys that we would publish."""
    from turnserver.mail.format import dkim  # noqa: PLC0415  # slow to import, and few need them

    signers = dkim.signers(settings)
    zone = {one.name: dkim.record(one.key.public_key()) for one in signers}
    for mail in mails:
        verdicts = dkim.verdicts(mail, zone.get)
        if bad := next((one for one in verdicts if not one.good), None):
            return check("mails", "wrong", f"the signature of the selector {bad.selector} does not hold: {bad.why}")
        # A signature that is missing is not reported as bad by itself.
        if len(verdicts) < len(signers):
            return check("mails", "wrong", f"a mail has {counted(len(verdicts), 'signature')} instead of {len(signers)}")
    return check("mails", "ok", f"their DKIM signatures hold, by {listing([one.algorithm for one in signers], 'and')}")


def _server(settings: Settings, largest: int) -> Iterator[Check]:
    """Check the extensions that the outgoing mail server offers."""
    outgoing, domain = settings.outgoing, settings.site.domain
    try:
        with SmtpTransport(outgoing) as server:
            offered = server.offers(domain)
    except MailError:
        return  # said before
    known = [name for name in EXTENSIONS if name.lower() in offered]
    yield check("server", "ok", f"it offers {listing(known, 'and') if known else 'nothing beyond plain SMTP'}")
    said = offered.get("size", "")
    # No number, or 0, means that the server names no limit (RFC 1870, 4).
    size = int(said) if _SIZE.fullmatch(said) else 0
    if 0 < size < largest:
        yield check("server", "wrong", f"it takes mails up to {size} octets, and a sample mail has {largest}")
    elif size:
        yield check("server", "ok", f"it takes mails up to {size // 1000} kB")
    if outgoing.security == "none" and not dnscheck.is_local(outgoing.host):
        offer = ', which it offers: outgoing.security = "starttls"' if "starttls" in offered else "; ask for a server that encrypts"
        yield check("server", "wrong", f"mails go to {outgoing.host} unencrypted{offer}")
    if "smtputf8" not in offered:
        yield check("server", "note", "it takes no addresses beyond ASCII (SMTPUTF8); players with such an address cannot be reached")


def _clock(run: Session) -> Iterator[Check]:
    # Deadlines and signatures do not forgive a clock that goes backwards.
    try:
        service = run.service
        with service.db.read() as conn:
            beat = outages.last_beat(conn)
    except TurnserverError:
        return  # said before
    now = service.clock()
    # Machines that share a database differ by seconds, which is no fault.
    if beat is not None and beat - now > timedelta(minutes=1):
        yield check("time", "wrong", f"this machine's clock is {span(beat - now)} behind what it was before; keep it by NTP")
    else:
        yield check("time", "ok", f"the clock says {now:%Y-%m-%d %H:%M} UTC")
