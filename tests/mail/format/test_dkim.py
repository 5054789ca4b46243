"""Signatures: another implementation verifies them after a real server has taken the mail, and whatever is changed breaks them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat

from tests.cases import for_each
from tests.jobs.sink import LOOPBACK, Sink
from tests.mail.outbound.mails import composed, occasions
from turnserver.config import Dkim, Outgoing, Settings, Site
from turnserver.errors import ConfigError
from turnserver.mail.format.dkim import SIGNED, Signer, record, signed, signers, verdicts
from turnserver.mail.transport.outgoing import SmtpTransport

AT = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
RSA = Signer("example.org", "s1", rsa.generate_private_key(65_537, 2048))
ED25519 = Signer("example.org", "s2", ed25519.Ed25519PrivateKey.generate())
BOTH = (RSA, ED25519)
ZONE = {signer.name: record(signer.key.public_key()) for signer in BOTH}
GOOD = [("s1", True), ("s2", True)]
BROKEN = [("s1", False), ("s2", False)]


FEW = 8
"""One kind of mail in so many is signed, sent and verified at each change."""
KINDS = [
    pytest.param(about, marks=[pytest.mark.long] if at % FEW else [])
    for at, about in enumerate({one.kind: about for about, one in occasions().items()}.values())
]


def mail(about: str) -> bytes:
    return composed(about).raw


def judged(raw: bytes, zone: Mapping[str, str] = ZONE) -> list[tuple[str, bool]]:
    return [(verdict.selector, verdict.good) for verdict in verdicts(raw, zone.get)]


@pytest.fixture(scope="module")
def turn() -> bytes:
    """A signed turn mail."""
    return signed(mail("turn"), BOTH, AT)


@pytest.fixture(scope="module")
def sink() -> Iterator[Sink]:
    with Sink() as sink:
        yield sink


@pytest.mark.thorough
@pytest.mark.parametrize("about", KINDS)
def test_every_kind_of_mail_verifies_after_a_real_server_has_taken_it(about: str, sink: Sink) -> None:
    raw = signed(mail(about), BOTH, AT)
    with SmtpTransport(Outgoing(host=LOOPBACK, port=sink.port)) as transport:
        transport.send(raw, "turns@example.org", "ada@example.org")
    assert sink.raw[-1] == raw
    assert judged(sink.raw[-1]) == GOOD


def test_a_mail_to_an_address_beyond_ascii_verifies() -> None:
    raw = re.sub(rb"(?m)^To: .*$", "To: Jürgen <jürgen@exämple.org>\r".encode(), mail("turn"), count=1)
    assert judged(signed(raw, BOTH, AT)) == GOOD


def test_the_signature_says_what_it_covers_and_nothing_about_a_length(turn: bytes) -> None:
    message = message_from_bytes(turn, policy=policy.default)
    for signature, algorithm in zip(message.get_all("DKIM-Signature", []), ("rsa-sha256", "ed25519-sha256"), strict=True):
        tags = dict(tag.strip().split("=", 1) for tag in re.sub(r"\s", "", str(signature)).split(";"))
        assert (tags["a"], tags["c"], tags["d"], tags["t"]) == (algorithm, "relaxed/relaxed", "example.org", str(int(AT.timestamp())))
        assert "l" not in tags
        named = tags["h"].split(":")
        assert {name: named.count(name.lower()) for name in SIGNED} == {name: 1 + (name in message) for name in SIGNED}
    assert max(len(line) for line in turn[: turn.index(b"From:")].split(b"\r\n")) <= 78
    assert turn.endswith(mail("turn"))


@pytest.mark.parametrize("name", SIGNED)
@pytest.mark.parametrize("where", ["on top", "below"])
def test_another_header_of_a_signed_name_breaks_it(turn: bytes, name: str, where: str) -> None:
    forged = f"{name}: something else\r\n".encode()
    head, body = turn.split(b"\r\n\r\n", 1)
    added = forged + turn if where == "on top" else head + b"\r\n" + forged + b"\r\n" + body
    assert judged(added) == BROKEN


def without(raw: bytes, name: str) -> bytes:
    return re.sub(rf"(?ims)^{name}:.*?\r\n(?![ \t])".encode(), b"", raw, count=1)


CHANGED: dict[str, Callable[[bytes], bytes]] = {
    "subject": lambda raw: raw.replace(b"Subject: ", b"Subject: Re: ", 1),
    "sender": lambda raw: raw.replace(b"turns@example.org>", b"turns@example.com>", 1),
    "no Auto-Submitted": lambda raw: without(raw, "Auto-Submitted"),
    "no List-Id": lambda raw: without(raw, "List-Id"),
    "no Date": lambda raw: without(raw, "Date"),
    "one more line": lambda raw: raw + b"resign\r\n",
    "one letter": lambda raw: raw.replace(b"YOUR MOVE", b"YOUR MOVES", 1),
    "an empty body": lambda raw: raw.split(b"\r\n\r\n", 1)[0] + b"\r\n\r\n",
}


@pytest.mark.parametrize("change", CHANGED.values(), ids=CHANGED)
def test_a_change_breaks_it(turn: bytes, change: Callable[[bytes], bytes]) -> None:
    changed = change(turn)
    assert changed != turn
    assert judged(changed) == BROKEN


HARMLESS: dict[str, Callable[[bytes], bytes]] = {
    "trace headers": lambda raw: b"Received: from a by b\r\n\twith ESMTP\r\nReturn-Path: <turns@example.org>\r\n" + raw,
    "folding": lambda raw: raw.replace(b"Auto-Submitted: ", b"Auto-Submitted:\r\n \t ", 1),
    "upper case": lambda raw: raw.replace(b"\r\nDate: ", b"\r\nDATE: ", 1),
    "blank lines at the end": lambda raw: raw + b"\r\n\r\n",
}


@pytest.mark.parametrize("change", HARMLESS.values(), ids=HARMLESS)
def test_what_relays_do_on_the_way_does_not(turn: bytes, change: Callable[[bytes], bytes]) -> None:
    assert judged(change(turn)) == GOOD


def test_each_signature_stands_alone(turn: bytes) -> None:
    assert judged(without(turn, "DKIM-Signature")) == [("s2", True)]


@for_each(
    "raw",
    [
        b"From: a@example.org\r\n\r\n",
        b"From: a@example.org\r\n\r\n\r\n\r\n",
        b"From: a@example.org\r\n\r\n \r\n",
        b"From: a@example.org\r\nSubject:\r\n\tb  \r\n\r\nc \t c \r\n \r\n\r\n",
        b"From: a@example.org\r\n\r\nno line break at the end",
    ],
)
def test_odd_mails_are_made_canonical_as_others_do_it(raw: bytes) -> None:
    assert judged(signed(raw, BOTH, AT)) == GOOD


ZONES: dict[str, Mapping[str, str]] = {
    "nothing": {},
    "keys of others": {
        RSA.name: record(rsa.generate_private_key(65_537, 2048).public_key()),
        ED25519.name: record(ed25519.Ed25519PrivateKey.generate().public_key()),
    },
    "revoked": {RSA.name: "v=DKIM1; k=rsa; p=", ED25519.name: "v=DKIM1; k=ed25519; p="},
    "keys changed about": {RSA.name: ZONE[ED25519.name], ED25519.name: ZONE[RSA.name]},
    "nonsense": {RSA.name: "v=spf1 -all", ED25519.name: "hello"},
}


@pytest.mark.parametrize("zone", ZONES.values(), ids=ZONES)
def test_without_the_right_record_nobody_believes_it(turn: bytes, zone: Mapping[str, str]) -> None:
    assert judged(turn, zone) == BROKEN


def pem(key: rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey, password: bytes = b"") -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(password) if password else NoEncryption())


UNUSABLE: dict[str, tuple[bytes | None, str]] = {
    "missing": (None, "cannot be read: No such file or directory"),
    "empty": (b"", "no private key in PEM form"),
    "something else": (b"-----BEGIN PRIVATE KEY-----\nhello\n-----END PRIVATE KEY-----\n", "no private key in PEM form"),
    "a short key": (pem(rsa.generate_private_key(65_537, 1024)), "1024 bits"),  # noqa: S505  # too short on purpose
    "a key of another kind": (pem(ec.generate_private_key(ec.SECP256R1())), "cannot sign mail"),
    "protected": (pem(ED25519.key, b"sesame"), "protected by a password"),
}


@pytest.mark.parametrize(("content", "says"), UNUSABLE.values(), ids=UNUSABLE)
def test_a_key_that_cannot_be_used_is_the_operators_business(tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "s1.pem"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError) as refused:
        signers(Settings(dkim=Dkim(key_files=(path,))))
    assert f"dkim.key_files: {path}" in str(refused.value)
    assert says in str(refused.value)


@pytest.mark.parametrize(("dkim", "domain"), [("", "club.example"), ("example.org", "example.org")])
def test_keys_are_read_with_their_selectors(tmp_path: Path, dkim: str, domain: str) -> None:
    keys: Sequence[tuple[str, Signer]] = (("s1.2026", RSA), ("e1", ED25519))
    for name, signer in keys:
        (tmp_path / f"{name}.pem").write_bytes(pem(signer.key))
    files = tuple(tmp_path / f"{name}.pem" for name, _ in keys)
    read = signers(Settings(site=Site(address="turns@club.example"), dkim=Dkim(dkim, files)))
    assert [(one.name, record(one.key.public_key())) for one in read] == [
        (f"{name}._domainkey.{domain}", record(signer.key.public_key())) for name, signer in keys
    ]
