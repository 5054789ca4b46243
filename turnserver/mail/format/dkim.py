"""Sign mails with DKIM (RFC 6376): relaxed/relaxed, by RSA with SHA-256 or by Ed25519 (RFC 8463), over all of the body.

The signature is made here, with keys of `cryptography`: so the caller passes the instant of signing, and Ed25519 needs no second library.
Another implementation, dkimpy, verifies it in the tests and in `turnserver doctor --mail`.
"""

import logging
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import dkim
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key
from dkim.util import InvalidTagValueList, parse_tag_value

from turnserver import files
from turnserver.config import Settings
from turnserver.errors import ConfigError

Texts: TypeAlias = Callable[[str], str | None]
"""A function that returns the text of the TXT record at a name, without a dot at its end; None if there is none."""

_SILENT = logging.getLogger(f"{__name__}.dkimpy")
_SILENT.disabled = True


class SignatureVerdict(NamedTuple):
    """The verdict of somebody who gets the mail on one signature."""

    selector: str
    good: bool
    why: str = ""


def verdicts(mail: bytes, texts: Texts) -> Sequence[SignatureVerdict]:
    """Return one verdict for each signature of the mail, the topmost first. Asks nobody but `texts`."""
    # 2048 bits: receivers may refuse shorter keys (RFC 8301, 3.2)
    checker = _Checker(mail, logger=_SILENT, minkey=2048)
    count = sum(name.lower() == b"dkim-signature" for name, _ in checker.headers)
    return [_verdict(checker, number, texts) for number in range(count)]


def _verdict(checker: "_Checker", number: int, texts: Texts) -> SignatureVerdict:
    try:
        good = checker.verify(number, lambda name, **_: (texts(name.decode().rstrip(".")) or "").encode())
        why = "" if good else "it does not fit the mail, or no usable key is published"
    except (dkim.DKIMException, InvalidTagValueList, ValueError) as error:
        good, why = False, str(error)
    selector = checker.signature_fields.get(b"s", b"")
    return SignatureVerdict(selector.decode("ascii", "replace"), bool(good), why)


class _Checker(dkim.DKIM):  # type: ignore[misc]  # ships no types
    """A verifier that knows Ed25519 too. For this, dkimpy itself would need another library."""

    def verify_sig(self, sig: Any, include_headers: Any, sig_header: Any, dnsfunc: Any) -> bool:  # noqa: ANN401  # inherited
        """Verify one signature; see dkimpy."""
        if sig[b"a"] != b"ed25519-sha256":
            return bool(super().verify_sig(sig, include_headers, sig_header, dnsfunc))
        tags = parse_tag_value(dnsfunc(sig[b"s"] + b"._domainkey." + sig[b"d"]))
        # without the tag a key is RSA (RFC 6376, 3.6.1)
        if tags.get(b"k") != b"ed25519":
            return False
        key = _Ed25519(b64decode(tags.get(b"p", b"")))
        # what dkimpy itself keeps after it has fetched a key
        self.pk, self.keysize, self.ktag, self.seqtlsrpt = key, 256, b"ed25519", False
        return bool(self.verify_sig_process(sig, include_headers, sig_header, dnsfunc)) and key.satisfied


class _Ed25519:
    """A public key with the interface that dkimpy calls. Its verdict is `satisfied`."""

    def __init__(self, raw: bytes) -> None:
        self._key = Ed25519PublicKey.from_public_bytes(raw)
        self.satisfied = True

    def verify(self, digest: bytes, signature: bytes) -> None:
        """Set `satisfied` to False if the signature does not fit."""
        try:
            self._key.verify(signature, digest)
        except InvalidSignature:
            self.satisfied = False


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
"""The header fields that are signed, present or not. A mail has at most one of each, and each is named once more than it is there: so
an added one breaks the signature (RFC 6376, 5.4.2 and 8.15).
"""

_COLUMNS: Final = 72
_BLANKS: Final = re.compile(rb"[ \t]+")
_FIELDS: Final = re.compile(rb"([!-9;-~]+):(.*?\r\n)(?![ \t])", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Signer:
    """A private key, and the place of its public half: `<selector>._domainkey.<domain>`."""

    domain: str
    selector: str
    key: RSAPrivateKey | Ed25519PrivateKey

    @property
    def algorithm(self) -> str:
        """The algorithm, as in the tag `a`."""
        return "rsa-sha256" if isinstance(self.key, RSAPrivateKey) else "ed25519-sha256"

    @property
    def name(self) -> str:
        """The name at which DNS has the public key."""
        return f"{self.selector}._domainkey.{self.domain}"

    def signature(self, data: bytes) -> bytes:
        """Return the signature of canonical data."""
        if isinstance(self.key, RSAPrivateKey):
            return self.key.sign(data, PKCS1v15(), SHA256())
        # RFC 8463, 3: over the digest
        return self.key.sign(sha256(data).digest())


def signed(mail: bytes, signers: Iterable[Signer], at: datetime) -> bytes:
    """Return `mail`, whose lines end in CRLF, with a signature by each signer on top.

    Signatures do not cover one another: each stands alone.
    """
    head, _, body = mail.partition(b"\r\n\r\n")
    fields = [(name.lower(), value) for name, value in _FIELDS.findall(head + b"\r\n")]
    digest = b64encode(sha256(_canonical_body(body)).digest()).decode()
    return b"".join(_field(signer, fields, digest, int(at.timestamp())) for signer in signers) + mail


def _field(signer: Signer, fields: Sequence[tuple[bytes, bytes]], digest: str, instant: int) -> bytes:
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
    # 3.7: with an empty `b` and without a line break
    own = _canonical(b"dkim-signature", value.encode()).removesuffix(b"\r\n")
    signature = b64encode(signer.signature(b"".join([*covered, own]))).decode()
    chunks = "\r\n ".join(_chunks(signature))
    return f"DKIM-Signature:{value}{chunks}\r\n".encode()


def _chosen(fields: Sequence[tuple[bytes, bytes]]) -> Iterator[tuple[str, bytes | None]]:
    """Yield the fields that the tag `h` names, in its order: every instance from the bottom up (5.4.2), and one more that is not there."""
    for wanted in SIGNED:
        name = wanted.lower()
        for found, value in reversed(fields):
            if found == name.encode():
                yield name, value
        yield name, None


def _canonical(name: bytes, value: bytes) -> bytes:
    # relaxed (3.4.2)
    return name + b":" + _BLANKS.sub(b" ", value.replace(b"\r\n", b"")).strip() + b"\r\n"


def _canonical_body(body: bytes) -> bytes:
    """Return the body, relaxed (3.4.4)."""
    lines = [_BLANKS.sub(b" ", line).removesuffix(b" ") for line in body.split(b"\r\n")]
    text = b"\r\n".join(lines).rstrip(b"\r\n")
    return text + b"\r\n" if text else b""


def _folded(text: str, after: str) -> Iterator[str]:
    """Yield the lines of a value that may be broken behind `after`."""
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


LEAST_RSA_BITS: Final = 2048
"""The least size that RFC 8301, 3.2, asks of signers."""


def signers(settings: Settings) -> tuple[Signer, ...]:
    """Return one signer for each key of the settings; none if there are no keys. Raise ConfigError for a key that cannot be used."""
    return tuple(Signer(settings.signing_domain, path.stem, read_key(path)) for path in settings.dkim.key_files)


def read_key(path: Path) -> RSAPrivateKey | Ed25519PrivateKey:
    """Return the private key in a PEM file. Raise ConfigError, naming the file, for a file without a key that can sign mail."""
    where = f"dkim.key_files: {path}"
    try:
        key = load_pem_private_key(files.read(path), password=None)
    except OSError as error:
        raise ConfigError(f"{where} cannot be read: {error.strerror}. No mail is sent unsigned.") from error
    except TypeError as error:
        raise ConfigError(f"{where} is protected by a password, and nobody is there to type it in.") from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise ConfigError(f"{where} has no private key in PEM form; `turnserver mail dkim-key` makes one.") from error
    if isinstance(key, RSAPrivateKey) and key.key_size < LEAST_RSA_BITS:
        raise ConfigError(f"{where} is an RSA key of {key.key_size} bits, and others want {LEAST_RSA_BITS} at least.")
    if not isinstance(key, RSAPrivateKey | Ed25519PrivateKey):
        raise ConfigError(f"{where} is a key that cannot sign mail; RSA and Ed25519 can.")
    return key


def record(key: RSAPublicKey | Ed25519PublicKey) -> str:
    """Return the text of the TXT record that publishes a key."""
    if isinstance(key, RSAPublicKey):
        return f"v=DKIM1; k=rsa; p={b64encode(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).decode()}"
    return f"v=DKIM1; k=ed25519; p={b64encode(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()}"
