"""A rewritten past is located as precisely as checkpoints can tell."""

from collections.abc import Iterator
from hashlib import sha256

import pytest

from tests.cases import for_each
from turnserver.audit.checkpoints import SignedMark, hold, problem, shown
from turnserver.errors import LogRewritten, MalformedProof
from turnserver.ids import Position
from turnserver.proof.checkpoint import Checkpoint
from turnserver.proof.merkle import Frontier, leaf
from turnserver.store.log.checkpoints import Leaf


def leaves(size: int, changed: int = 0, misfit: int = 0, gap: int = 0) -> Iterator[Leaf]:
    """A log, in which the event at one position may be another one, or not have its hash, or be missing."""
    for position in range(1, size + 1):
        if position == gap:
            raise LogRewritten(f"the event at position {position} is missing")
        content = f"{position}{'x' if position == changed else ''}"
        yield Leaf(Position(position), sha256(content.encode()).digest(), position != misfit)


def mark(size: int, *, tree: bool) -> SignedMark:
    grown = Frontier().extend(leaf(each.hash) for each in leaves(size))
    return SignedMark(size, grown.root(), grown if tree else None)


def said(size: int) -> Checkpoint:
    return Checkpoint("log", size, mark(size, tree=False).root)


@pytest.mark.parametrize("tree", [True, False])
def test_what_nobody_touched_holds(*, tree: bool) -> None:
    held = hold(leaves(100), [mark(size, tree=tree) for size in (0, 1, 50, 100)])
    assert (held.end, held.rewritten, held.misfits, held.broken) == (100, None, (), "")
    assert [problem(said(size), held) for size in (0, 1, 50, 100)] == [None] * 4


@for_each(
    ("changed", "sizes", "tree", "between"),
    [
        (70, (100,), False, (1, 100)),
        (70, (50, 100), False, (51, 100)),
        (70, (50, 90, 100), False, (51, 90)),
        (70, (50, 69, 70, 100), False, (70, 70)),
        (70, (100,), True, (65, 96)),  # 64 + 32 + 4
        (70, (71, 100), True, (69, 70)),  # 64 + 4 + 2 + 1
        (71, (71,), True, (71, 71)),
        (1, (100,), True, (1, 64)),
        (100, (100,), True, (97, 100)),
    ],
)
def test_between_which_positions(changed: int, sizes: tuple[int, ...], between: tuple[int, int], *, tree: bool) -> None:
    held = hold(leaves(100, changed), [mark(size, tree=tree) for size in sizes])
    assert held.rewritten == between
    assert [problem(said(size), held) is None for size in sizes] == [size < changed for size in sizes]


def test_it_is_told_in_a_sentence() -> None:
    held = hold(leaves(100, 70), [mark(size, tree=False) for size in (50, 90)])
    assert problem(said(90), held) == (
        "The log was rewritten from a position between 51 and 90 on; the first 50 events are as they were signed."
    )
    held = hold(leaves(100, 1), [mark(1, tree=False)])
    assert problem(said(1), held) == "The log was rewritten at position 1; no checkpoint before it is still true."


@for_each(
    ("log", "says"),
    [
        (leaves(80), "The log has only 80 events in a row: position 81 to 100 of what was signed is lost."),
        (leaves(99), "The log has only 99 events in a row: position 100 of what was signed is lost."),
        (
            leaves(100, gap=60),
            "The log has only 59 events in a row, for the event at position 60 is missing: position 60 to 100 of what was signed is lost.",
        ),
        (
            leaves(100, misfit=7),
            "The event at position 7 is not the one that was signed: its row was changed, and the hash beside it was not.",
        ),
    ],
)
def test_other_ways_to_lie(log: Iterator[Leaf], says: str) -> None:
    assert problem(said(100), hold(log, [mark(100, tree=True), mark(5, tree=True)])) == says


def test_what_was_changed_after_it_leaves_a_checkpoint_true() -> None:
    held = hold(leaves(100, misfit=60), [mark(50, tree=True)])
    assert (problem(said(50), held), held.misfits) == (None, (60,))


def test_subtrees_that_were_edited_along_with_the_log_hide_nothing() -> None:
    """They are those of the log as it is now, and the root beside them is the one that was signed."""
    grown = Frontier().extend(leaf(each.hash) for each in leaves(100, 70))
    held = hold(leaves(100, 70), [mark(100, tree=False)._replace(tree=grown)])
    assert held.rewritten == (1, 100)
    assert problem(said(100), held) == (
        "The log was rewritten from a position between 1 and 100 on; no checkpoint before it is still true."
    )


def test_long_logs_tell_how_far_they_are() -> None:
    told: list[int] = []
    hold(leaves(2500), [mark(2500, tree=False)], told.append)
    assert told == [1000, 2000]


@for_each("content", [b"", b"no line", b"\n{", b"\n{}", b"\n[1]", b'\n["1","game-1",1,"game.opened","x","service","{}"]'])
def test_what_is_no_event_is_not_shown_as_one(content: bytes) -> None:
    with pytest.raises(MalformedProof, match="is not the event that was logged"):
        shown(content)
