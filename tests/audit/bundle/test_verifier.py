"""The parts of `verify.py` that stand in for libraries: signatures, trees and draws, against vectors and against those libraries."""

import ast
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.audit.bundle.bundles import FORGERS_VKEY, VKEY, packed, unpacked, with_manifest
from tests.cases import for_each
from turnserver.audit.bundle import verify
from turnserver.play import chance
from turnserver.proof import merkle

VECTORS = {
    "RFC 8032, 7.1, test 1": (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    "test 2": (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    "test 3": (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    "test SHA(abc)": (
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
}


@pytest.mark.parametrize(("key", "message", "signature"), VECTORS.values(), ids=VECTORS)
def test_signatures_of_the_standard_hold_and_no_others(key: str, message: str, signature: str) -> None:
    public, text, signed = (bytes.fromhex(each) for each in (key, message, signature))
    assert verify.has_signed(public, text, signed)
    assert not verify.has_signed(public, text + b"!", signed)
    for at in (0, 31, 32, 63):
        assert not verify.has_signed(public, text, signed[:at] + bytes([signed[at] ^ 1]) + signed[at + 1 :])
    assert not verify.has_signed(public[:-1] + bytes([public[-1] ^ 1]), text, signed)


def test_a_signature_has_one_form() -> None:
    """Adding the order of the group gives another number that would satisfy the equation (RFC 8032, 5.1.7)."""
    key = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
    public, signed = key.public_key().public_bytes_raw(), key.sign(b"text")
    assert verify.has_signed(public, b"text", signed)
    longer = (int.from_bytes(signed[32:], "little") + verify.ORDER).to_bytes(32, "little")
    assert not verify.has_signed(public, b"text", signed[:32] + longer)


@for_each(
    ("key", "signature"),
    [
        (b"", b""),
        (b"k" * 31, b"s" * 64),
        (b"\xff" * 32, b"\xff" * 64),
        ((2).to_bytes(32, "little"), b"\0" * 64),
        ((1 + 2**255).to_bytes(32, "little"), b"\0" * 64),
        ((verify.P + 1).to_bytes(32, "little"), b"\0" * 64),
    ],
    ids=["nothing", "too short", "too large", "no point", "zero with a sign", "a number twice"],
)
def test_what_is_no_key_signs_nothing(key: bytes, signature: bytes) -> None:
    assert not verify.has_signed(key, b"text", signature)


@for_each("size", range(1, 18))
def test_trees_are_those_of_the_library(size: int) -> None:
    leaves = [bytes([at]) * 32 for at in range(size)]
    tree = merkle.inclusions(range(size), leaves)
    assert verify.root_over(leaves) == tree.root
    for at, path in tree.paths.items():
        assert verify.root_above(leaves[at], at, size, list(path)) == tree.root
        for wrong in ([*path, leaves[0]], list(path[:-1])):
            assert (wrong == list(path)) or verify.root_above(leaves[at], at, size, wrong) != tree.root


@for_each("below", [1, 2, 6, 52, 2**53, 2**255 + 1])
def test_draws_are_those_of_the_games(below: int) -> None:
    for number in range(1, 20):
        assert verify.draw(b"key", number, below) == chance.draw(b"key", number, below)


def test_it_is_written_in_the_python_that_it_promises() -> None:
    source = Path(verify.__file__).read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 9))
    assert "turnserver" not in {node.module for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)}
    assert len(source.splitlines()) < 380


@for_each("key", ["name+0+AQ==", "name+00000000+AQ==", "name+00000000+AA==", VKEY[:-4] + "AAA=", VKEY.replace("+", "+0", 1)])
def test_a_key_that_was_copied_wrongly_is_said_to_be_none(key: str) -> None:
    with pytest.raises(ValueError, match="is no key"):
        verify.signers("text\n\n", [key], [])


def ran(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    """Run the program, and return how it ends."""
    monkeypatch.setattr("sys.argv", ["verify.py", *map(str, words)])
    return verify.main()


def test_it_ends_as_what_it_found(
    of_dice: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """0 for nothing wrong, 1 for something, 2 for what cannot be checked; `--checkpoint` stands in for the one in the bundle."""
    files = unpacked(of_dice)
    good = packed(files, tmp_path / "good.zip")
    (tmp_path / "own").write_bytes(files["checkpoint"])
    (tmp_path / "cut").write_bytes(files["checkpoint"][:-9])
    for more in ((), ("--checkpoint", tmp_path / "own")):
        assert ran(monkeypatch, good, "--key", VKEY, *more) == 0
        assert capsys.readouterr().out.startswith("Nothing is wrong.\n")
    bad = packed({**files, "README.txt": b"another"}, tmp_path / "bad.zip")
    assert ran(monkeypatch, bad, "--key", VKEY) == 1
    assert capsys.readouterr().out == "THIS IS WRONG:\nREADME.txt: it is not as the manifest says\n"
    assert ran(monkeypatch, good, "--key", FORGERS_VKEY) == 1
    assert "none of the keys has signed it" in capsys.readouterr().out
    none = packed(with_manifest(files, {}), tmp_path / "none.zip")
    for path, option in ((none, ()), (tmp_path / "nowhere.zip", ()), (good, ("--key", "key")), (good, ("--checkpoint", tmp_path / "cut"))):
        assert ran(monkeypatch, path, *option) == 2
        assert capsys.readouterr().out.startswith(f"{path} cannot be checked: ")
