"""Signed notes (c2sp.org/signed-note): a text, and below it the signatures of one or more keys.

Keys are Ed25519, signature type 0x01, no others. A verification key is published as text, in the form of golang.org/x/mod/sumdb/note:
`NAME+ID+KEY`, where ID is the key's id in hexadecimal and KEY the base64 of the byte 0x01 and the 32 bytes of the public key.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from turnserver.errors import MalformedProof, NotSigned, WrongSignature

_ED25519 = b"\x01"
_DASH = "\u2014 "
# as many as golang.org/x/mod/sumdb/note reads, so that a text from a stranger costs little
_MOST_SIGNATURES = 100
_ID_BYTES = 4


class VerificationKey(NamedTuple):
    """A key whose signatures count: its name and the 32 bytes of the public key."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """The four bytes that, with the name, identify the key of a signature."""
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.public).digest()[:_ID_BYTES]

    def __str__(self) -> str:
        """Return the text to publish; `verification_key` reads it."""
        return f"{self.name}+{self.id.hex()}+{b64encode(_ED25519 + self.public).decode()}"


class SigningKey(NamedTuple):
    """A private key and the name in which it signs."""

    name: str
    private: Ed25519PrivateKey

    def verification_key(self) -> VerificationKey:
        """Return the key that verifies its signatures."""
        return VerificationKey(self.name, self.private.public_key().public_bytes_raw())


class Verified(NamedTuple):
    """The verified text of a note, and the keys that signed it in the order of their signatures."""

    text: str
    signers: tuple[VerificationKey, ...]


def is_name(text: str) -> bool:
    """Return whether a key may have this name: it is not empty, and has no spaces, plus signs or control characters."""
    return text != "" and "+" not in text and not any(letter.isspace() or letter < " " for letter in text)


def verification_key(text: str) -> VerificationKey:
    """Return the key in its published text. Raise MalformedProof for other text, or if the id in it is not the key's."""
    name, _, rest = text.partition("+")
    key_id, _, encoded = rest.partition("+")
    key = decoded(encoded)
    if not is_name(name) or len(key) != 33 or key[:1] != _ED25519:
        raise MalformedProof(f"{text!r} is not a verification key, NAME+ID+KEY, for Ed25519.")
    found = VerificationKey(name, key[1:])
    if str(found) != text:
        raise MalformedProof(f"The verification key {text!r} was copied wrongly: it does not have the id {key_id!r}.")
    return found


def sign(text: str, keys: Sequence[SigningKey]) -> str:
    """Return the note of this text with a signature by each of the keys. Raise MalformedProof for a text that no note can hold."""
    if not text.endswith("\n") or not keys or not all(is_name(key.name) for key in keys):
        raise MalformedProof("A note needs a text that ends with a line feed, and somebody to sign it whose name has no spaces.")
    message = _checked(text)
    lines = (f"{_DASH}{key.name} {b64encode(key.verification_key().id + key.private.sign(message)).decode()}\n" for key in keys)
    return f"{text}\n{''.join(lines)}"


def verify(note: str, keys: Iterable[VerificationKey]) -> Verified:
    """Return the text of a note that at least one of the keys has signed. Other signatures mean nothing.

    Raise MalformedProof if it is no note, NotSigned if none of the keys has signed it, WrongSignature if a signature with the name and id
    of one of the keys was not made by that key.
    """
    _checked(note)
    # the last empty line: the text may have some of its own
    body, gap, below = note.rpartition("\n\n")
    if not gap or not below.endswith("\n"):
        raise MalformedProof("This is not a signed note: a text, an empty line, and lines with signatures.")
    text = f"{body}\n"
    lines = below.removesuffix("\n").split("\n")
    if len(lines) > _MOST_SIGNATURES:
        raise MalformedProof(f"This note has more than {_MOST_SIGNATURES} signatures.")
    signatures = [_signature(line) for line in lines]
    known = {(key.name, key.id): key for key in keys}
    signers: dict[VerificationKey, None] = {}
    for name, signature in signatures:
        # a signature by an unknown key means nothing, not even that something is wrong
        key = known.get((name, signature[:_ID_BYTES]))
        if key is None:
            continue
        try:
            Ed25519PublicKey.from_public_bytes(key.public).verify(signature[_ID_BYTES:], text.encode())
        except InvalidSignature as error:
            raise WrongSignature(f"The signature of {key.name}+{key.id.hex()} does not fit the note: one of them was changed.") from error
        signers[key] = None
    if not signers:
        names = ", ".join(f"{name}+{signature[:_ID_BYTES].hex()}" for name, signature in signatures)
        raise NotSigned(f"No key that is known here has signed this note, only {names}.")
    return Verified(text, tuple(signers))


def decoded(text: str) -> bytes:
    """Return the bytes of a base64 text in its one canonical form. Raise MalformedProof for any other text."""
    try:
        found = b64decode(text, validate=True)
    except ValueError as error:
        raise MalformedProof(f"{text!r} is not base64.") from error
    # one signature has one text: base64 leaves bits over that could be anything
    if b64encode(found).decode() != text:
        raise MalformedProof(f"{text!r} is not the usual way to write these bytes in base64.")
    return found


def _signature(line: str) -> tuple[str, bytes]:
    """Return the name and the bytes, id first, of a signature line. Raise MalformedProof for any other line."""
    name, gap, encoded = line.removeprefix(_DASH).partition(" ")
    if not line.startswith(_DASH) or not gap or not is_name(name):
        raise MalformedProof(f"{line!r} is not the line of a signature.")
    signature = decoded(encoded)
    if len(signature) <= _ID_BYTES:
        raise MalformedProof(f"The signature in {line!r} is too short.")
    return name, signature


def _checked(text: str) -> bytes:
    """Return the bytes of a text that a note may hold. Raise MalformedProof for any other text."""
    if any(letter < " " and letter != "\n" for letter in text):
        raise MalformedProof("A note can hold no control characters but line feeds.")
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise MalformedProof("A note is UTF-8, and this is not.") from error
