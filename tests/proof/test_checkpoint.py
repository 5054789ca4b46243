"""Checkpoints and proofs that are kept as files, in the formats that C2SP publishes."""

from base64 import b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from tests.proof.published import LEAVES, ROOTS
from turnserver.errors import MalformedProof, NotProved, NotSigned, ProofError
from turnserver.proof import checkpoint, note, tlog_proof
from turnserver.proof.checkpoint import Checkpoint
from turnserver.proof.merkle import inclusions
from turnserver.proof.note import SigningKey
from turnserver.proof.tlog_proof import TlogProof

ORIGIN = "example.org/turnserver"
KEY = SigningKey(ORIGIN, Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
NEXT = SigningKey(ORIGIN, Ed25519PrivateKey.from_private_bytes(bytes(32)))
KEYS = [KEY.verification_key()]
TREE = Checkpoint(ORIGIN, 8, ROOTS[7])
SIGNED = checkpoint.sign(TREE, [KEY])

# the example of c2sp.org/tlog-checkpoint, which shows no key
EXAMPLE = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"

PROOF = TlogProof(5, inclusions([5], LEAVES).paths[5], SIGNED)


def test_the_published_example() -> None:
    found = checkpoint.parse(EXAMPLE)
    assert found[:2] == ("example.com/behind-the-sofa", 20852163)
    assert str(found) == EXAMPLE


def test_a_checkpoint_is_three_lines_and_signatures() -> None:
    origin, size, root, empty, signature, end = SIGNED.split("\n")
    assert (origin, size, root, empty, end) == (ORIGIN, "8", b64encode(ROOTS[7]).decode(), "", "")
    assert signature.startswith(f"— {ORIGIN} ")
    assert checkpoint.verify(SIGNED, KEYS, ORIGIN) == TREE


def test_either_key_of_a_rotation_verifies() -> None:
    both = checkpoint.sign(TREE, [KEY, NEXT])
    assert [checkpoint.verify(both, [key.verification_key()], ORIGIN) for key in (KEY, NEXT)] == [TREE, TREE]
    with pytest.raises(NotSigned):
        checkpoint.verify(SIGNED, [NEXT.verification_key()], ORIGIN)


def test_lines_that_others_add_are_passed_over() -> None:
    assert checkpoint.parse(f"{TREE}something else\n") == TREE


@for_each(
    "text",
    [
        "",
        "example.com\n1\n",
        EXAMPLE.removesuffix("\n"),
        EXAMPLE.replace("20852163", "020852163"),
        EXAMPLE.replace("20852163", "-1"),
        EXAMPLE.replace("20852163", "²"),
        EXAMPLE.replace("20852163", "9" * 20),
        EXAMPLE.replace("CsUY", "CsU"),
        EXAMPLE.replace("jxq2I=", "jxq2J="),  # bits that base64 does not use
        EXAMPLE.replace("CsUYapGG", ""),
        EXAMPLE.replace("example.com/behind-the-sofa", ""),
        f"{EXAMPLE}\n",
    ],
)
def test_what_is_no_checkpoint(text: str) -> None:
    with pytest.raises(MalformedProof):
        checkpoint.parse(text)


@pytest.mark.parametrize("origin", ["", "two\nlines", "a\x00b"])
def test_an_origin_is_one_line(origin: str) -> None:
    with pytest.raises(MalformedProof):
        checkpoint.sign(Checkpoint(origin, 0, ROOTS[0]), [KEY])


def test_the_checkpoint_of_another_log_says_nothing_of_this_one() -> None:
    with pytest.raises(MalformedProof, match=r"of the log example\.org/turnserver"):
        checkpoint.verify(SIGNED, KEYS, "example.org/other")


@pytest.mark.parametrize("extra", [None, b"", b"what is hashed"])
def test_a_proof_is_read_as_it_was_written(extra: bytes | None) -> None:
    proof = TlogProof(5, PROOF.path, SIGNED, extra)
    assert tlog_proof.parse(str(proof)) == proof
    assert tlog_proof.verify(proof, LEAVES[5], KEYS, ORIGIN) == TREE


def test_a_proof_in_the_published_format() -> None:
    hashes = "\n".join(b64encode(each).decode() for each in PROOF.path)
    assert str(PROOF) == f"c2sp.org/tlog-proof@v1\nindex 5\n{hashes}\n\n{SIGNED}"
    alone = TlogProof(0, (), checkpoint.sign(Checkpoint(ORIGIN, 1, ROOTS[0]), [KEY]), b"\x00")
    assert str(alone).startswith(f"c2sp.org/tlog-proof@v1\nextra AA==\nindex 0\n\n{ORIGIN}\n1\n")
    assert tlog_proof.verify(tlog_proof.parse(str(alone)), LEAVES[0], KEYS, ORIGIN).size == 1


@for_each(
    "text",
    [
        "",
        SIGNED,
        str(PROOF).replace("@v1", "@v2"),
        str(PROOF).replace("index 5", "index 05"),
        str(PROOF).replace("index 5", "5"),
        str(PROOF).replace("index 5", "extra !\nindex 5"),
        str(PROOF).replace("index 5", "index 5\nAAAA"),
        str(PROOF).replace("index 5\n", "index 5\n" + f"{b64encode(ROOTS[0]).decode()}\n" * 62),
        str(PROOF).replace("\n\n", "\n"),
        "c2sp.org/tlog-proof@v1\nextra AA==\n\n" + SIGNED,
    ],
)
def test_what_is_no_proof(text: str) -> None:
    with pytest.raises(ProofError):
        tlog_proof.verify(tlog_proof.parse(text), LEAVES[5], KEYS, ORIGIN)


def test_a_proof_of_something_else_proves_nothing() -> None:
    with pytest.raises(NotProved):
        tlog_proof.verify(PROOF, LEAVES[4], KEYS, ORIGIN)


@given(st.integers(0, len(str(PROOF)) - 1), st.integers(0, 6))
def test_a_changed_proof_proves_nothing(at: int, bit: int) -> None:
    text = str(PROOF)
    changed = text[:at] + chr(ord(text[at]) ^ (1 << bit)) + text[at + 1 :]
    with pytest.raises(ProofError):
        tlog_proof.verify(tlog_proof.parse(changed), LEAVES[5], KEYS, ORIGIN)


def test_notes_of_other_kinds_are_no_checkpoints() -> None:
    with pytest.raises(MalformedProof):
        checkpoint.verify(note.sign("hello\n", [KEY]), KEYS, ORIGIN)


@pytest.mark.parametrize("origin", ["", "two\nlines", f"{ORIGIN}\n9\n{b64encode(ROOTS[7]).decode()}"])
def test_an_origin_that_is_no_line_is_not_signed(origin: str) -> None:
    """Least of all one with which the note would read as the checkpoint of another size."""
    with pytest.raises(MalformedProof):
        checkpoint.sign(TREE._replace(origin=origin), [KEY])
