"""Signed notes: those that Go's sumdb/note makes, and whatever is not one."""

from base64 import b64decode
from contextlib import suppress

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from tests.proof.published import BAD_KEYS, BY_ENOCH, BY_PETER, ENOCH, PETER, PETER_SEED, TEXT
from turnserver.errors import MalformedProof, NotSigned, ProofError, WrongSignature
from turnserver.proof import note
from turnserver.proof.note import SigningKey, VerificationKey, verification_key

NOTE = f"{TEXT}\n{BY_PETER}{BY_ENOCH}"
PRIVATE = SigningKey("PeterNeumann", Ed25519PrivateKey.from_private_bytes(b64decode(PETER_SEED)[1:]))
OURS = SigningKey("example.org/turnserver", Ed25519PrivateKey.from_private_bytes(bytes(32)))

KNOWN = {"peter": verification_key(PETER), "enoch": verification_key(ENOCH), "ours": OURS.verification_key()}


def test_the_published_keys() -> None:
    assert [str(verification_key(text)) for text in (PETER, ENOCH)] == [PETER, ENOCH]
    assert str(PRIVATE.verification_key()) == PETER
    assert verification_key(PETER).id.hex() == "c74f20a3"


def test_the_published_note() -> None:
    assert note.sign(TEXT, [PRIVATE]) == f"{TEXT}\n{BY_PETER}"


@for_each(
    ("text", "keys", "signers"),
    [
        (NOTE, "peter", "peter"),
        (NOTE, "peter enoch", "peter enoch"),
        (NOTE, "enoch peter ours", "peter enoch"),
        (NOTE, "enoch enoch", "enoch"),
        (f"{TEXT}\n{BY_PETER}{BY_PETER}{BY_ENOCH}", "peter", "peter"),
        (note.sign(TEXT, [OURS, PRIVATE]), "peter ours", "ours peter"),
        (note.sign(f"{TEXT}\n\n{TEXT}", [OURS]), "ours", "ours"),
    ],
)
def test_who_signed(text: str, keys: str, signers: str) -> None:
    found = note.verify(text, [KNOWN[each] for each in keys.split()])
    assert found.signers == tuple(KNOWN[each] for each in signers.split())
    assert found.text == text[: text.rindex("\n\n") + 1]


@for_each(
    ("text", "keys", "error"),
    [
        (NOTE, "", NotSigned),
        (NOTE, "ours", NotSigned),
        (NOTE.replace("PeterNeumann", "PeterNeuman"), "peter", NotSigned),
        (NOTE.replace("— PeterNeumann x08go", "— PeterNeumann x08gp"), "peter", NotSigned),  # another id
        (NOTE.replace("cryptography", "cryptografy"), "peter", WrongSignature),
        (f"{TEXT}\n{BY_PETER[:60]}ABCD{BY_PETER[60:]}", "peter", WrongSignature),
        (f"{TEXT}\n{BY_ENOCH}{BY_PETER[:60]}A{BY_PETER[61:]}", "peter enoch", WrongSignature),  # one is right, the other is not
        (TEXT, "peter", MalformedProof),
        (f"{TEXT}\n", "peter", MalformedProof),
        (f"{TEXT}\n{BY_PETER[:-1]}", "peter", MalformedProof),
        (f"\x01{TEXT}\n{BY_PETER}", "peter", MalformedProof),
        (f"{TEXT}\n{BY_PETER}".replace("\n", "\r\n"), "peter", MalformedProof),
        (f"\udcff{TEXT}\n{BY_PETER}", "peter", MalformedProof),
        (f"{TEXT}\n{BY_PETER.replace('Peter', 'Peter ')}", "peter", MalformedProof),
        (f"{TEXT}\n{BY_PETER.replace('Peter', 'Peter+')}", "peter", MalformedProof),
        (f"{TEXT}\n{BY_PETER}Unexpected line.\n", "peter", MalformedProof),
        (f"{TEXT}\n{BY_PETER}— PeterNeumann x08g\n", "peter", MalformedProof),
        (f"{TEXT}\n{BY_PETER}— PeterNeumann x08go=\n", "peter", MalformedProof),
        (f"{TEXT}\n{BY_PETER * 101}", "peter", MalformedProof),
        ("", "peter", MalformedProof),
    ],
)
def test_what_is_not_to_be_believed(text: str, keys: str, error: type[ProofError]) -> None:
    with pytest.raises(error):
        note.verify(text, [KNOWN[each] for each in keys.split()])


def test_a_hundred_signatures_are_not_too_many() -> None:
    assert note.verify(f"{TEXT}\n{BY_ENOCH * 99}{BY_PETER}", [KNOWN["peter"]]).signers == (KNOWN["peter"],)


@for_each("text", [*BAD_KEYS, "", "PeterNeumann", f"{PETER}\n", PETER.replace("Neumann", " Neumann")])
def test_what_is_no_key(text: str) -> None:
    with pytest.raises(MalformedProof):
        verification_key(text)


@given(st.integers(0, len(PETER) - 1), st.integers(0, len(PETER)))
def test_no_piece_of_a_key_is_one(begin: int, end: int) -> None:
    if (begin, end) != (0, len(PETER)):
        with pytest.raises(MalformedProof):
            verification_key(PETER[begin:end])


def test_a_changed_key_is_not_the_key() -> None:
    keys = []
    for at, character in enumerate(PETER):
        changed = PETER[:at] + chr(ord(character) + 1) + PETER[at + 1 :]
        with suppress(MalformedProof):
            keys.append((changed, verification_key(changed)))
    assert keys == []


def test_whatever_is_changed_above_the_signatures_is_noticed() -> None:
    unnoticed = []
    for at, character in enumerate(NOTE):
        changed = NOTE[:at] + chr(ord(character) ^ 1) + NOTE[at + 1 :]
        with suppress(ProofError):
            assert note.verify(changed, [KNOWN["peter"]]) == (TEXT, (KNOWN["peter"],)), at
            unnoticed.append(at)
    assert min(unnoticed) >= len(TEXT) + 1 + len(BY_PETER)  # in the line of somebody unknown


@for_each(
    ("text", "keys"),
    [("abc", [OURS]), ("abc\n", []), ("a\tb\n", [OURS]), ("\ud800\n", [OURS]), ("abc\n", [SigningKey("two words", OURS.private)])],
)
def test_what_cannot_be_signed(text: str, keys: list[SigningKey]) -> None:
    with pytest.raises(MalformedProof):
        note.sign(text, keys)


def test_the_key_of_another_name_is_another_key() -> None:
    other = VerificationKey("example.org/other", OURS.verification_key().public)
    with pytest.raises(NotSigned):
        note.verify(note.sign(TEXT, [OURS]), [other])
