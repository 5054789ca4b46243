"""Merkle trees: the published ones, every small one as a second implementation has it, and proofs that somebody changed."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.cases import for_each
from tests.proof import naive
from tests.proof.published import CONSISTENCIES, EMPTY, INCLUSIONS, LEAVES, ROOTS
from turnserver.proof.merkle import Frontier, consistency, consistent, included, inclusions, leaf, root

DATA = [bytes([number]) for number in range(70)]
SIZES = range(len(DATA) + 1)

leaves = st.lists(st.binary(min_size=1, max_size=3), min_size=1, max_size=300, unique=True)


def test_the_published_roots() -> None:
    assert root([]) == EMPTY
    assert [root(LEAVES[:size]) for size in range(1, 9)] == ROOTS


@for_each(("index", "size", "path"), INCLUSIONS)
def test_the_published_paths(index: int, size: int, path: list[str]) -> None:
    found = inclusions([index], LEAVES[:size])
    assert (found.size, found.root, [each.hex() for each in found.paths[index]]) == (size, ROOTS[size - 1], path)
    assert included(LEAVES[index], index, size, found.paths[index], ROOTS[size - 1])


@for_each(("old", "new", "path"), CONSISTENCIES)
def test_the_published_proofs_of_growth(old: int, new: int, path: list[str]) -> None:
    found = consistency(old, LEAVES[:new])
    assert [each.hex() for each in found] == path
    assert consistent(old, ROOTS[old - 1], new, ROOTS[new - 1], found)


def test_every_root_is_that_of_the_definition() -> None:
    assert [root(DATA[:size]) for size in SIZES] == [naive.root(DATA[:size]) for size in SIZES]


def test_every_path_is_that_of_the_definition() -> None:
    for size in SIZES:
        found = inclusions(range(size), DATA[:size])
        assert (found.size, found.root) == (size, naive.root(DATA[:size]))
        for index in range(size):
            assert list(found.paths[index]) == naive.path(index, DATA[:size]), (index, size)
            assert included(DATA[index], index, size, found.paths[index], found.root), (index, size)


def test_every_proof_of_growth_is_that_of_the_definition() -> None:
    roots = [naive.root(DATA[:size]) for size in SIZES]
    for size in SIZES:
        for old in range(1, size + 1):
            path = consistency(old, DATA[:size])
            assert list(path) == naive.proof(old, DATA[:size]), (old, size)
            assert consistent(old, roots[old], size, roots[size], path), (old, size)


def test_the_empty_tree_is_the_beginning_of_every_tree() -> None:
    assert consistency(0, DATA) == ()
    assert consistent(0, EMPTY, len(DATA), root(DATA), ())
    assert not consistent(0, root(DATA), len(DATA), root(DATA), ())
    assert not consistent(0, EMPTY, len(DATA), root(DATA), (EMPTY,))


@pytest.mark.parametrize("asked", [lambda: inclusions([3], DATA[:3]), lambda: inclusions([-1], DATA), lambda: consistency(4, DATA[:3])])
def test_nobody_can_prove_what_is_not_there(asked: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="leaves"):
        asked()


@given(leaves, st.data())
def test_a_tree_can_be_put_away_and_grow_later(data: list[bytes], draw: st.DataObject) -> None:
    cut = draw.draw(st.integers(0, len(data)))
    kept = Frontier().extend(map(leaf, data[:cut]))
    assert kept.root() == naive.root(data[:cut])
    grown = Frontier(*kept).extend(map(leaf, data[cut:]))
    assert (grown.size, grown.root()) == (len(data), naive.root(data))
    assert len(grown.hashes) == len(data).bit_count()
    one_by_one = kept
    for each in data[cut:]:
        one_by_one = one_by_one.append(leaf(each))
    assert one_by_one == grown


@given(leaves, st.data())
def test_a_changed_proof_of_inclusion_proves_nothing(data: list[bytes], draw: st.DataObject) -> None:
    index = draw.draw(st.integers(0, len(data) - 1))
    tree = inclusions([index], data)
    path = tree.paths[index]
    assert included(data[index], index, len(data), path, tree.root)
    assert not included(data[index] + b"x", index, len(data), path, tree.root)
    assert not included(data[index], index, len(data), path, _flipped(tree.root, draw))
    for other in _changed(path, draw):
        assert not included(data[index], index, len(data), other, tree.root)
    elsewhere = draw.draw(st.integers(-2, len(data) + 2).filter(lambda each: each != index))
    assert not included(data[index], elsewhere, len(data), path, tree.root)
    assert not included(data[index], index, index, path, tree.root)


@given(leaves, st.data())
def test_a_changed_proof_of_growth_proves_nothing(data: list[bytes], draw: st.DataObject) -> None:
    old = draw.draw(st.integers(1, len(data)))
    path = consistency(old, data)
    before, after = root(data[:old]), root(data)
    assert consistent(old, before, len(data), after, path)
    assert not consistent(old, _flipped(before, draw), len(data), after, path)
    assert not consistent(old, before, len(data), _flipped(after, draw), path)
    for other in _changed(path, draw):
        assert not consistent(old, before, len(data), after, other)
    another = draw.draw(st.integers(-2, len(data) + 2).filter(lambda each: each != old))
    assert not consistent(another, before, len(data), after, path)


@given(leaves, st.data())
def test_a_tree_whose_past_was_rewritten_is_no_growth(data: list[bytes], draw: st.DataObject) -> None:
    old = draw.draw(st.integers(1, len(data)))
    where = draw.draw(st.integers(0, old - 1))
    rewritten = [*data[:where], data[where] + b"x", *data[where + 1 :]]
    assume(rewritten != data)
    assert not consistent(old, root(data[:old]), len(data), root(rewritten), consistency(old, rewritten))


def _flipped(hashed: bytes, draw: st.DataObject) -> bytes:
    bit = draw.draw(st.integers(0, len(hashed) * 8 - 1))
    return (int.from_bytes(hashed) ^ 1 << bit).to_bytes(len(hashed))


def _changed(path: Sequence[bytes], draw: st.DataObject) -> list[tuple[bytes, ...]]:
    """The path with one hash more, one less, one bit changed and two hashes in each other's place."""
    at = draw.draw(st.integers(0, len(path)))
    found = [(*path[:at], EMPTY, *path[at:])]
    if path:
        at = at % len(path)
        found.append((*path[:at], *path[at + 1 :]))
        found.append((*path[:at], _flipped(path[at], draw), *path[at + 1 :]))
    if len(path) > 1:
        found.append((*path[1:], path[0]))
    return found
