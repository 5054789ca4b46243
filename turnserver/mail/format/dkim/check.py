"""A second opinion on our own signatures: dkimpy verifies what `dkim_sign` has made."""

import logging
from base64 import b64decode
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import dkim
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from dkim.util import InvalidTagValueList, parse_tag_value

Texts: TypeAlias = Callable[[str], str | None]
"""The text of the TXT record at a name, without a dot at its end; None if there is none."""

_SILENT = logging.getLogger(f"{__name__}.dkimpy")
_SILENT.disabled = True


class Verdict(NamedTuple):
    """What somebody who gets the mail makes of one signature."""

    selector: str
    good: bool
    why: str = ""


def verdicts(mail: bytes, texts: Texts) -> Sequence[Verdict]:
    """One verdict for each signature of the mail, the topmost first. Asks nobody but `texts`."""
    checker = _Checker(mail, logger=_SILENT, minkey=2048)
    count = sum(name.lower() == b"dkim-signature" for name, _ in checker.headers)
    return [_verdict(checker, number, texts) for number in range(count)]


def _verdict(checker: "_Checker", number: int, texts: Texts) -> Verdict:
    try:
        good = checker.verify(number, lambda name, **_: (texts(name.decode().rstrip(".")) or "").encode())
        why = "" if good else "it does not fit the mail, or no usable key is published"
    except (dkim.DKIMException, InvalidTagValueList, ValueError) as error:
        good, why = False, str(error)
    selector = checker.signature_fields.get(b"s", b"")
    return Verdict(selector.decode("ascii", "replace"), bool(good), why)


class _Checker(dkim.DKIM):  # type: ignore[misc]  # ships no types
    """Verifies Ed25519 too, for which dkimpy itself would want another library."""

    def verify_sig(self, sig: Any, include_headers: Any, sig_header: Any, dnsfunc: Any) -> bool:  # noqa: ANN401  # inherited
        """See dkimpy."""
        if sig[b"a"] != b"ed25519-sha256":
            return bool(super().verify_sig(sig, include_headers, sig_header, dnsfunc))
        tags = parse_tag_value(dnsfunc(sig[b"s"] + b"._domainkey." + sig[b"d"]))
        if tags.get(b"k") != b"ed25519":
            return False
        key = _Ed25519(b64decode(tags.get(b"p", b"")))
        self.pk, self.keysize, self.ktag, self.seqtlsrpt = key, 256, b"ed25519", False
        return bool(self.verify_sig_process(sig, include_headers, sig_header, dnsfunc)) and key.satisfied


class _Ed25519:
    """A public key as dkimpy calls it; what it thinks stands in `satisfied`."""

    def __init__(self, raw: bytes) -> None:
        self._key = Ed25519PublicKey.from_public_bytes(raw)
        self.satisfied = True

    def verify(self, digest: bytes, signature: bytes) -> None:
        """Look whether the signature fits."""
        try:
            self._key.verify(signature, digest)
        except InvalidSignature:
            self.satisfied = False
