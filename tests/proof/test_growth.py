"""Proofs that a log only grew, in the form in which logs send them to witnesses."""

from base64 import b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import example, given
from hypothesis import strategies as st

from tests.cases import for_each
from tests.proof.published import EMPTY, LEAVES, ROOTS
from turnserver.errors import MalformedProof, NotProved, ProofError
from turnserver.proof import checkpoint, growth
from turnserver.proof.checkpoint import Checkpoint
from turnserver.proof.growth import Growth
from turnserver.proof.merkle import consistency
from turnserver.proof.note import SigningKey

ORIGIN = "example.org/turnserver"
KEY = SigningKey(ORIGIN, Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
KEYS = [KEY.verification_key()]
OLD = Checkpoint(ORIGIN, 6, ROOTS[5])
NEW = Checkpoint(ORIGIN, 8, ROOTS[7])
SIGNED = checkpoint.sign(NEW, [KEY])
PROOF = Growth(6, consistency(6, LEAVES), SIGNED)

# the example of c2sp.org/tlog-witness, whose keys nobody has
EXAMPLE = """old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

"""


def test_the_published_example() -> None:
    found = growth.parse(EXAMPLE)
    assert (found.old, len(found.path), found.checkpoint.partition("\n")[0]) == (20852014, 4, "example.com/behind-the-sofa")
    assert str(found) == EXAMPLE
    assert growth.is_growth(EXAMPLE)
    assert not growth.is_growth(SIGNED)


def test_a_proof_is_read_as_it_was_written() -> None:
    hashes = "\n".join(b64encode(each).decode() for each in PROOF.path)
    assert str(PROOF) == f"old 6\n{hashes}\n\n{SIGNED}"
    assert growth.parse(str(PROOF)) == PROOF
    assert growth.verify(PROOF, OLD, KEYS) == NEW


@pytest.mark.parametrize(("old", "root"), [(8, ROOTS[7]), (0, EMPTY)])
def test_nothing_is_needed_for_the_same_tree_and_for_the_empty_one(old: int, root: bytes) -> None:
    proof = Growth(old, (), SIGNED)
    assert growth.parse(str(proof)) == proof
    assert growth.verify(proof, Checkpoint(ORIGIN, old, root), KEYS) == NEW


@pytest.mark.parametrize(
    ("old", "error"),
    [
        (Checkpoint(ORIGIN, 5, ROOTS[4]), NotProved),
        (Checkpoint(ORIGIN, 6, ROOTS[4]), NotProved),
        (Checkpoint("example.org/other", 6, ROOTS[5]), MalformedProof),
    ],
)
def test_what_did_not_grow_out_of_it(old: Checkpoint, error: type[ProofError]) -> None:
    with pytest.raises(error):
        growth.verify(PROOF, old, KEYS)


@for_each("text", ["", SIGNED, "old 6", "old x\n\n", "old 06\n\n", "old 6\nAAAA\n\n", "old 6\n" + "A" * 43 + "=\n" * 64 + "\n"])
def test_what_is_no_proof(text: str) -> None:
    with pytest.raises(MalformedProof):
        growth.verify(growth.parse(text), OLD, KEYS)


@example(at=len("old "), bit=0)  # it says that it begins at 7 events
@given(at=st.integers(0, len(str(PROOF)) - 1), bit=st.integers(0, 6))
def test_a_changed_proof_proves_nothing(at: int, bit: int) -> None:
    text = str(PROOF)
    changed = text[:at] + chr(ord(text[at]) ^ (1 << bit)) + text[at + 1 :]
    with pytest.raises(ProofError):
        growth.verify(growth.parse(changed), OLD, KEYS)
