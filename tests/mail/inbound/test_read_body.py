"""The part of a mail that is its text: versions, attachments, signatures that wrap it, and parts that cannot be opened."""

import base64
from datetime import UTC, datetime, timedelta
from functools import cache

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.hazmat.primitives.serialization.pkcs7 import PKCS7Options, PKCS7SignatureBuilder
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from turnserver.mail.inbound.body import signed_content
from turnserver.mail.inbound.read import Reading, read

HEAD = "From: Ada <ada@example.org>\nMIME-Version: 1.0\n"
INNER = b"Content-Type: text/plain; charset=utf-8\r\n\r\nmove g2\r\n-- \r\nAda\r\n"
SIGNED_DATA = bytes.fromhex("06092a864886f70d010702")
ENVELOPED_DATA = bytes.fromhex("06092a864886f70d010703")
DATA = bytes.fromhex("06092a864886f70d010701")


def reading(text: str) -> Reading:
    return read((HEAD + text).encode())


def multipart(kind: str, *parts: str) -> str:
    return f"Content-Type: multipart/{kind}; boundary=b\n\n" + "".join(f"--b\n{part}\n" for part in parts) + "--b--\n"


def part(kind: str, text: str, *fields: str) -> str:
    return "\n".join((f"Content-Type: {kind}", *fields, "", text))


PLAIN, HTML = part("text/plain", "g2"), part("text/html", "<p>resign</p>")
ATTACHED = "Content-Disposition: attachment; filename=moves.txt"

TEXTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "plain before HTML, whatever that says": (multipart("alternative", PLAIN, HTML), ("g2",)),
    "plain, though it stands last": (multipart("alternative", HTML, PLAIN), ("g2",)),
    "HTML if plain is empty": (multipart("alternative", part("text/plain", " \n"), part("text/html", "<p>g2</p>")), ("g2",)),
    "HTML with its pictures": (
        multipart(
            "alternative",
            part("text/plain", ""),
            multipart("related", part("text/html", "<p>g2</p>"), part("image/png", "x")).replace("=b\n", "=c\n").replace("--b", "--c"),
        ),
        ("g2",),
    ),
    "an attached text": (multipart("mixed", PLAIN, part("text/plain", "resign", ATTACHED)), ("g2",)),
    "an attached text before the text": (multipart("mixed", part("text/plain", "resign", ATTACHED), PLAIN), ("g2",)),
    "a file that is shown in the text": (
        multipart("mixed", PLAIN, part("text/plain", "resign", 'Content-Disposition: inline; filename="a.txt"')),
        ("g2",),
    ),
    "a file with a name only": (multipart("mixed", PLAIN, part('text/plain; name="a.txt"', "resign")), ("g2",)),
    "a calendar": (multipart("mixed", PLAIN, part("text/calendar", "resign")), ("g2",)),
    "a forwarded mail": (multipart("mixed", PLAIN, part("message/rfc822", "Subject: x\n\nresign")), ("g2",)),
    "a digest": (multipart("digest", "Subject: x\n\nresign"), ()),
    "a forwarded mail alone": (part("message/rfc822", "From: Ada <ada@example.org>\n\nresign"), ()),
    "text in two parts": (multipart("mixed", PLAIN, part("text/plain", "say hello")), ("g2", "say hello")),
    "more than what was signed": (multipart("signed", PLAIN, part("text/plain", "resign")), ("g2",)),
    "a signature that wraps HTML": (multipart("signed", part("text/html", "<b>g2</b>"), part("application/pkcs7-signature", "x")), ("g2",)),
    "PGP beside the text": (multipart("signed", PLAIN, part("application/pgp-signature", "x")), ("g2",)),
    "PGP in the text": (
        "\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n- -- nice\ng2\n-----BEGIN PGP SIGNATURE-----\nx",
        ("-- nice", "g2"),
    ),
    "parts without an end": (multipart("mixed", PLAIN).removesuffix("--b--\n"), ("g2",)),
    "parts without a boundary": ("Content-Type: multipart/mixed\n\ng2", ()),
    "nine parts deep": ("".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(9)) + PLAIN, ()),
    "five parts deep": ("".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(5)) + PLAIN, ("g2",)),
}


@for_each("name", TEXTS)
def test_the_text_is_what_a_reader_sees_first(name: str) -> None:
    text, lines = TEXTS[name]
    assert reading(text).lines == lines


@cache
def certificate() -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Ada")])
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, begin, begin + timedelta(days=9999))
    return builder.sign(key, SHA256()), key


@cache
def opaque() -> bytes:
    """DER as mail programs make it."""
    return PKCS7SignatureBuilder().set_data(INNER).add_signer(*certificate(), SHA256()).sign(Encoding.DER, [PKCS7Options.Binary])


def element(tag: int, content: bytes) -> bytes:
    return bytes((tag, 0x84)) + len(content).to_bytes(4) + content


def open_element(tag: int, content: bytes) -> bytes:
    """BER whose length is left open, as programs write that sign while they send."""
    return bytes((tag, 0x80)) + content + b"\0\0"


def enclosed(kind: bytes, octets: bytes, wrap: object = open_element) -> bytes:
    around = open_element if wrap is open_element else element
    content = around(0x30, DATA + around(0xA0, octets))
    return around(0x30, kind + around(0xA0, around(0x30, b"\x02\x01\x01" + element(0x31, b"") + content)))


PIECES = open_element(0x24, element(0x04, INNER[:20]) + element(0x04, INNER[20:]))
SEALED: dict[str, tuple[bytes, str | None]] = {
    "DER": (opaque(), None),
    "BER in pieces": (enclosed(SIGNED_DATA, PIECES), None),
    "BER, pieces of known length": (enclosed(SIGNED_DATA, element(0x24, element(0x04, INNER)), element), None),
    "nothing inside": (enclosed(SIGNED_DATA, b""), "sealed"),
    "encrypted": (enclosed(ENVELOPED_DATA, PIECES), "sealed"),
    "cut off": (opaque()[:60], "sealed"),
    "longer than it is": (b"\x30\x84\xff\xff\xff\xff" + opaque()[4:], "sealed"),
    "a length of 127 bytes": (b"\x30\xff" + b"\xff" * 200, "sealed"),
    "no bytes": (b"", "sealed"),
}


def sealed(data: bytes, kind: str = "; smime-type=signed-data") -> str:
    disposition = "Content-Disposition: attachment; filename=smime.p7m"
    return part(
        f"application/pkcs7-mime{kind}; name=smime.p7m", base64.encodebytes(data).decode(), "Content-Transfer-Encoding: base64", disposition
    )


@for_each("name", SEALED)
def test_an_opaque_signature_is_opened(name: str) -> None:
    data, code = SEALED[name]
    found = reading(sealed(data))
    assert (found.lines, found.problem and found.problem.code) == ((("move g2",), None) if code is None else ((), code))


REFUSED = {
    "enveloped": (sealed(opaque(), "; smime-type=enveloped-data"), "encrypted"),
    "enveloped, without saying so": (sealed(enclosed(ENVELOPED_DATA, PIECES), ""), "encrypted"),
    "enveloped in a list's mail": (multipart("mixed", sealed(opaque(), "; smime-type=enveloped-data"), PLAIN), "encrypted"),
    "PGP/MIME": (
        multipart("encrypted", part("application/pgp-encrypted", "Version: 1"), part("application/octet-stream", "x")),
        "encrypted",
    ),
    "PGP in the text": ("\n-----BEGIN PGP MESSAGE-----\n\nx\n-----END PGP MESSAGE-----", "encrypted"),
}


@for_each("name", REFUSED)
def test_what_cannot_be_read_is_said(name: str) -> None:
    text, code = REFUSED[name]
    problem = reading(text).problem
    assert problem is not None
    assert problem.code == code


def test_signed_without_saying_so_is_opened() -> None:
    assert reading(sealed(opaque(), "")).lines == ("move g2",)


def test_a_signature_in_a_signature_in_a_signature_ends_somewhere() -> None:
    inner = INNER
    for _ in range(20):
        inner = sealed(enclosed(SIGNED_DATA, element(0x04, inner), element)).encode()
    assert read(HEAD.encode() + inner).lines == ()


@given(st.binary(max_size=80), st.integers(0, 200), st.integers(0, 200))
def test_damaged_signatures_raise_nothing(noise: bytes, at: int, end: int) -> None:
    whole = enclosed(SIGNED_DATA, PIECES)
    signed_content(noise)
    assert isinstance(signed_content(whole[:at] + noise + whole[end:]), bytes | None)


@pytest.mark.parametrize("named", ['Content-Type: text/plain; name="answer.txt"', 'Content-Disposition: inline; filename="answer.txt"'])
def test_a_mail_that_is_nothing_but_a_named_text_is_read(named: str) -> None:
    """Only beside a text is a part with a name a file."""
    assert read(f"From: Ada <ada@example.org>\n{named}\n\ng2\n".encode()).lines == ("g2",)
