"""Signing mails with DKIM (RFC 6376): relaxed/relaxed, by RSA with SHA-256 or by Ed25519 (RFC 8463), over all of the body.

The signature is made here, over keys of `cryptography`, because the instant of signing is the caller's and because Ed25519 needs no
second library then. Another implementation, dkimpy, verifies it in the tests and in `turnserver doctor --mail`.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.hashes import SHA256

SIGNED: Final = (
    "From",
    "To",
    "Cc",
    "Subject",
    "Date",
    "Message-ID",
    "Reply-To",
    "In-Reply-To",
    "References",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
    "Auto-Submitted",
    "List-Id",
    "List-Help",
    "List-Unsubscribe",
    "List-Unsubscribe-Post",
)
"""What is signed, present or not. A mail has at most one of each, and each is named once more than it is there: whoever adds another
one breaks the signature (RFC 6376, 5.4.2 and 8.15)."""

_COLUMNS: Final = 72
_BLANKS: Final = re.compile(rb"[ \t]+")
_FIELDS: Final = re.compile(rb"([!-9;-~]+):(.*?\r\n)(?![ \t])", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Signer:
    """A private key and where its public half is published: `<selector>._domainkey.<domain>`."""

    domain: str
    selector: str
    key: RSAPrivateKey | Ed25519PrivateKey

    @property
    def algorithm(self) -> str:
        """As in the tag `a`."""
        return "rsa-sha256" if isinstance(self.key, RSAPrivateKey) else "ed25519-sha256"

    @property
    def name(self) -> str:
        """Where DNS has the public key."""
        return f"{self.selector}._domainkey.{self.domain}"

    def signature(self, data: bytes) -> bytes:
        """The signature of canonical data."""
        if isinstance(self.key, RSAPrivateKey):
            return self.key.sign(data, PKCS1v15(), SHA256())
        return self.key.sign(sha256(data).digest())  # RFC 8463, 3: over the digest


def signed(mail: bytes, signers: Iterable[Signer], at: datetime) -> bytes:
    """`mail`, whose lines end in CRLF, with a signature by each signer on top. They do not cover one another, so either stands alone."""
    head, _, body = mail.partition(b"\r\n\r\n")
    fields = [(name.lower(), value) for name, value in _FIELDS.findall(head + b"\r\n")]
    digest = b64encode(sha256(_canonical_body(body)).digest()).decode()
    return b"".join(_field(signer, fields, digest, int(at.timestamp())) for signer in signers) + mail


def _field(signer: Signer, fields: Sequence[tuple[bytes, bytes]], digest: str, instant: int) -> bytes:
    """The whole header field of a signature."""
    chosen = list(_chosen(fields))
    tags = (
        f"v=1; a={signer.algorithm}; c=relaxed/relaxed;",
        f"d={signer.domain}; s={signer.selector}; t={instant};",
        *_folded(f"h={':'.join(name for name, _ in chosen)};", ":"),
        f"bh={digest};",
        "b=",
    )
    value = " " + "\r\n ".join(tags)
    covered = [_canonical(name.encode(), field) for name, field in chosen if field is not None]
    own = _canonical(b"dkim-signature", value.encode()).removesuffix(b"\r\n")  # 3.7: with an empty `b` and without a line break
    signature = b64encode(signer.signature(b"".join([*covered, own]))).decode()
    chunks = "\r\n ".join(_chunks(signature))
    return f"DKIM-Signature:{value}{chunks}\r\n".encode()


def _chosen(fields: Sequence[tuple[bytes, bytes]]) -> Iterator[tuple[str, bytes | None]]:
    """What the tag `h` names, in its order: every instance from the bottom up (5.4.2), and one more that is not there."""
    for wanted in SIGNED:
        name = wanted.lower()
        for found, value in reversed(fields):
            if found == name.encode():
                yield name, value
        yield name, None


def _canonical(name: bytes, value: bytes) -> bytes:
    """A header field, relaxed (3.4.2)."""
    return name + b":" + _BLANKS.sub(b" ", value.replace(b"\r\n", b"")).strip() + b"\r\n"


def _canonical_body(body: bytes) -> bytes:
    """The body, relaxed (3.4.4)."""
    lines = [_BLANKS.sub(b" ", line).removesuffix(b" ") for line in body.split(b"\r\n")]
    text = b"\r\n".join(lines).rstrip(b"\r\n")
    return text + b"\r\n" if text else b""


def _folded(text: str, after: str) -> Iterator[str]:
    """The lines of a value that may be broken behind `after`."""
    line = ""
    for part in re.findall(rf"[^{after}]*{after}?", text):
        if line and len(line) + len(part) > _COLUMNS:
            yield line
            line = ""
        line += part
    yield line


def _chunks(text: str) -> Iterator[str]:
    for start in range(0, len(text), _COLUMNS):
        yield text[start : start + _COLUMNS]
