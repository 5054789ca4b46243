"""Compare the log with what was signed: one pass over all events tells which checkpoints still hold, and where the past was rewritten."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from email import message_from_bytes
from email.policy import default
from hashlib import sha256
from itertools import islice, pairwise
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from msgspec import Meta

from turnserver.config import Settings
from turnserver.errors import BadOption, ConfigError, LogRewritten, MalformedProof, NotAllowed, NotFound, ProofError
from turnserver.ids import Position, Stream, Version
from turnserver.proof import checkpoint
from turnserver.proof.checkpoint import Checkpoint
from turnserver.proof.growth import Growth
from turnserver.proof.merkle import Frontier, consistency, consistent, inclusions, leaf
from turnserver.proof.note import VerificationKey
from turnserver.proof.tlog_proof import TlogProof
from turnserver.service.upkeep import checkpoints as checkpoint_keys
from turnserver.service.upkeep.checkpoints import fault
from turnserver.store.log import checkpoints, log
from turnserver.store.log.checkpoints import Leaf, Stored
from turnserver.store.log.database import Transaction
from turnserver.store.log.verify import Finding

PRINTED: Final = 16
"""The number of digits that a mail prints."""
# Not within an address, a Message-ID or a longer word.
_PRINTED = re.compile(r"(?<![\w+.@=-])[0-9a-f]{16}(?![\w@=-])", re.IGNORECASE)
_TYPED = re.compile(r"[0-9a-f]{8,64}")


def typed(text: str) -> str:
    """Return a digest as somebody has typed it, without its spaces and in lower case. Raises BadOption for anything that is no digest."""
    # It may have been copied with the end of its sentence.
    digest = "".join(text.split()).lower().removesuffix(".")
    if not _TYPED.fullmatch(digest):
        raise BadOption(f"{text[:70]!r} is no digest. Write the 8 to 64 digits (0 to 9, a to f) that stand at the end of the mail.")
    return digest


def in_text(raw: bytes) -> list[str]:
    """Return the digests that a mail, or any text, shows, each once and in their order. Raises BadOption if it shows none."""
    mail = message_from_bytes(raw, policy=default)
    parts = [part for part in mail.walk() if part.get_content_maintype() == "text"]
    # The text as it is, as it may be no mail; and each part decoded, as quoted-printable breaks digests in two.
    texts = [raw.decode("utf-8", "replace"), *(_decoded(part.get_payload(decode=True)) for part in parts)]
    found = [each.lower() for text in texts for each in _PRINTED.findall(text)]
    if not found:
        raise BadOption(f"There is no digest in this text: {PRINTED} digits (0 to 9, a to f) that stand alone.")
    return list(dict.fromkeys(found))


def _decoded(payload: object) -> str:
    return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""


FIELDS = ("position", "stream", "version", "type", "schema", "at", "actor", "cause", "ordinal", "data")


class ShownEvent(msgspec.Struct, frozen=True):
    """An event as the bytes tell it that its hash is made of."""

    position: Annotated[int, Meta(description="its place in the whole log")]
    stream: Annotated[str, Meta(description="its stream, such as game-17")]
    version: Annotated[int, Meta(description="its place in the stream")]
    type: Annotated[str, Meta(description="the event's type, such as game.turn_played")]
    at: Annotated[str, Meta(description="when it was recorded")]
    actor: Annotated[str, Meta(description="who did it")]
    data: Annotated[str, Meta(description="the event's data, JSON as text")]


def inclusion(conn: Transaction, stream: Stream, version: Version) -> TlogProof:
    """Return a proof that an event stands in the smallest checkpoint that has it.

    Raises NotFound if there is no such event, NotAllowed if no checkpoint has it yet, LogRewritten if it does not stand there any more.
    """
    found = checkpoints.preimage(conn, stream, version)
    if found is None:
        raise NotFound(f"There is no event {stream} {version}.")
    position, content = found
    stored = checkpoints.covering(conn, position)
    if stored is None:
        raise NotAllowed("not_covered", f"No checkpoint has {stream} {version} yet; `turnserver audit checkpoint add` makes one.")
    tree = inclusions([position - 1], checkpoints.hashes(conn, 0, stored.size))
    leaf = next(checkpoints.hashes(conn, position - 1, position))
    if tree.root != stored.root or sha256(content).digest() != leaf:
        raise LogRewritten(f"the log is not the one any more that the checkpoint of {stored.size} events was made of, so nothing proves it")
    return TlogProof(position - 1, tree.paths[position - 1], stored.note, content)


def growth(conn: Transaction, old: Checkpoint, new: Stored) -> Growth:
    """Return a proof that the tree of an old checkpoint is the beginning of the tree of a new one.

    Raises NotAllowed if the old checkpoint is larger, LogRewritten if its tree is no such beginning.
    """
    if old.size > new.size:
        raise NotAllowed("not_older", f"The checkpoint of {old.size} events is not older than that of {new.size}.")
    path = consistency(old.size, checkpoints.hashes(conn, 0, new.size))
    if not consistent(old.size, old.root, new.size, new.root, path):
        raise LogRewritten(f"the log of {new.size} events did not grow out of that of {old.size}, so nothing proves that it did")
    return Growth(old.size, path, new.note)


def shown(content: bytes) -> ShownEvent:
    """Return the event in the bytes that its hash is made of. Raises MalformedProof if they are not such bytes."""
    _, _, line = content.partition(b"\n")
    try:
        values: dict[str, Any] = dict(zip(FIELDS, msgspec.json.decode(line), strict=True))
        return msgspec.convert(values, ShownEvent)
    except (msgspec.DecodeError, TypeError, ValueError) as error:
        raise MalformedProof("The extra data of this proof is not the event that was logged.") from error


MOST_NAMED = 100


class SignedMark(NamedTuple):
    """A checkpoint that was signed, and the subtrees of its tree if they are known, so that a change can be narrowed down."""

    size: int
    root: bytes
    tree: Frontier | None = None


class Held(NamedTuple):
    """The log compared with the marks.

    `end` is how many events there are without a gap, `broken` says what comes then if it is not the end. `rewritten` is None, or a first
    and a last position: the first changed event lies between them. `misfits` are the first positions whose hash is not that of their row.
    """

    end: int
    broken: str
    roots: dict[int, bytes]
    rewritten: tuple[int, int] | None
    misfits: tuple[int, ...]


def hold(leaves: Iterable[Leaf], marks: Sequence[SignedMark], progress: Callable[[int], object] = lambda _: None) -> Held:
    """Hold a log against checkpoints; those whose root `Held.roots` has at their size are still true."""
    misfits: list[int] = []
    broken: list[str] = []
    steps = _noted(leaves, misfits, broken, progress)
    tree, grown = Frontier(), {0: Frontier()}
    # The leaves are read once: each tree goes on where the smaller one has ended.
    for size in sorted({mark.size for mark in marks}):
        tree = tree.extend(islice(steps, size - tree.size))
        if tree.size < size:
            break
        grown[size] = tree
    # To the end, since no checkpoint need reach that far and every hash has to be looked at.
    tree = tree.extend(steps)
    roots = {size: each.root() for size, each in grown.items()}
    return Held(tree.size, "".join(broken), roots, _narrowed(marks, grown), tuple(misfits))


def _noted(leaves: Iterable[Leaf], misfits: list[int], broken: list[str], progress: Callable[[int], object]) -> Iterator[bytes]:
    try:
        for each in leaves:
            if not each.fits and len(misfits) < MOST_NAMED:
                misfits.append(each.position)
            if each.position % 1000 == 0:
                progress(each.position)
            yield leaf(each.hash)
    except LogRewritten as error:
        broken.append(str(error))


def _narrowed(marks: Sequence[SignedMark], grown: dict[int, Frontier]) -> tuple[int, int] | None:
    """Return the positions between which the first event lies that is not the one that was signed; None if there is no such event."""
    wrong = [mark for mark in marks if mark.size in grown and grown[mark.size].root() != mark.root]
    if not wrong:
        return None
    first = min(mark.size for mark in wrong)
    # A checkpoint that still holds vouches for all that lies before it.
    same = max((mark.size for mark in marks if mark.size < first and mark.size in grown and mark not in wrong), default=0)
    for mark in wrong:
        begin, end = _within(mark, grown[mark.size])
        same, first = max(same, begin), min(first, end)
    return same + 1, first


def _within(mark: SignedMark, tree: Frontier) -> tuple[int, int]:
    """Return how many events are surely the same, and by which number of events the first change has come.

    The full subtrees below the two roots are compared.
    """
    if mark.tree is None:
        return 0, mark.size
    begin = 0
    for bit, was, now in zip(_bits(mark.size), mark.tree.hashes, tree.hashes, strict=True):
        if was != now:
            return begin, begin + bit
        begin += bit
    return 0, mark.size


def _bits(size: int) -> list[int]:
    return [1 << place for place in reversed(range(size.bit_length())) if size >> place & 1]


def problem(said: Checkpoint, held: Held) -> str | None:
    """Return the fault between a checkpoint and the log, as a sentence; None if there is none. `held` must cover the size of `said`."""
    if said.size > held.end:
        lost = f"{held.end + 1} to {said.size}" if said.size > held.end + 1 else str(said.size)
        why = f", for {held.broken}" if held.broken else ""
        return f"The log has only {held.end} events in a row{why}: position {lost} of what was signed is lost."
    if held.roots[said.size] != said.root:
        return f"The log was rewritten {_between(held)}."
    changed = [position for position in held.misfits if position <= said.size]
    if changed:
        return f"The event at position {changed[0]} is not the one that was signed: its row was changed, and the hash beside it was not."
    return None


def _between(held: Held) -> str:
    assert held.rewritten is not None  # noqa: S101  # a root differs
    begin, end = held.rewritten
    same = f"the first {begin - 1} events are as they were signed" if begin > 1 else "no checkpoint before it is still true"
    where = f"at position {begin}" if begin == end else f"from a position between {begin} and {end} on"
    return f"{where}; {same}"


def known(conn: Transaction, settings: Settings, keys: Sequence[VerificationKey]) -> list[SignedMark]:
    """Return every stored or published checkpoint that one of the keys has signed."""
    marks = [SignedMark(one.size, one.root, one.tree) for one in _stored(conn) if fault(one, keys) is None]
    for _, said in _published(settings, keys):
        if isinstance(said, Checkpoint):
            marks.append(SignedMark(said.size, said.root))
    return marks


def findings(conn: Transaction, settings: Settings) -> Iterator[Finding]:
    """Yield the faults of the stored and of the published checkpoints, each by itself and beside the log.

    `store.log.verify.verify` checks whether each event has the hash that stands beside it.
    """
    try:
        keys = checkpoint_keys.verifying(settings)
        stored = checkpoints.every(conn)
        published = list(_published(settings, keys))
    except (ConfigError, LogRewritten) as error:
        yield _found(f"the checkpoints cannot be checked: {error}")
        return
    yield from _rows(stored, keys)
    yield from _files(stored, published)
    said = [Checkpoint(settings.origin, one.size, one.root) for one in stored if fault(one, keys) is None]
    said += [one for _, one in published if isinstance(one, Checkpoint)]
    if not said:
        return
    marks = known(conn, settings, keys)
    held = hold(_as_stored(conn), marks)
    # One fault may be that of many checkpoints, and is told once.
    seen: set[str] = set()
    for one in sorted(said, key=lambda each: each.size):
        if (wrong := problem(one, held)) is not None and wrong not in seen:
            seen.add(wrong)
            yield _found(f"the checkpoint of {one.size} events is not true any more: {wrong[:1].lower()}{wrong[1:].rstrip('.')}")


def _rows(stored: Sequence[Stored], keys: Sequence[VerificationKey]) -> Iterator[Finding]:
    for number, one in enumerate(stored, 1):
        if one.id != number:
            yield _found(f"the checkpoint in row {number} of the table is missing")
            break
        if (wrong := fault(one, keys)) is not None:
            yield _found(f"the checkpoint of {one.size} events in row {one.id} of the table is not to be believed: {wrong}".rstrip("."))
    for one, after in pairwise(stored):
        if after.size < one.size:
            yield _found(f"the checkpoint in row {after.id} of the table is of fewer events than the one before it")


def _files(stored: Sequence[Stored], published: Sequence[tuple[checkpoint_keys.Published, Checkpoint | ProofError]]) -> Iterator[Finding]:
    sizes = {one.size for one in stored}
    for file, said in published:
        if not isinstance(said, Checkpoint):
            yield _found(f"{file.path} is not to be believed: {said}".rstrip("."))
        elif said.size != file.size:
            yield _found(f"{file.path} is the checkpoint of {said.size} events and not of {file.size}")
        elif said.size not in sizes:
            yield _found(
                f"{file.path} was published, and the table has no checkpoint of {said.size} events: it was rolled back or rewritten"
            )


def _published(settings: Settings, keys: Sequence[VerificationKey]) -> Iterator[tuple[checkpoint_keys.Published, Checkpoint | ProofError]]:
    for file in checkpoint_keys.listed(settings.audit.publish) if settings.audit.publish else ():
        try:
            yield file, checkpoint.verify(checkpoint_keys.read(file.path), keys, settings.origin)
        except ProofError as error:
            yield file, error


def _stored(conn: Transaction) -> list[Stored]:
    try:
        return checkpoints.every(conn)
    except LogRewritten:  # a row that cannot be read; `findings` names it
        return []


def _as_stored(conn: Transaction) -> Iterator[Leaf]:
    last = log.last_position(conn)
    for position, each in enumerate(checkpoints.hashes(conn, 0, last), 1):
        yield Leaf(Position(position), each, fits=True)


def _found(text: str) -> Finding:
    return Finding(None, None, None, text)
