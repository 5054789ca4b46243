"""Check a bundle from itself alone: nothing is looked up in a database, and nothing that it says of itself is believed.

A bundle cannot prove who made it. A verification key from elsewhere proves that the checkpoint is the service's.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from itertools import groupby, pairwise
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Annotated, Any, Final, NamedTuple

import msgspec
from msgspec import Meta

from turnserver import resources
from turnserver.audit import accounts
from turnserver.audit.bundle.container import Container, opened
from turnserver.audit.bundle.findings import BundleFault, CheckedSubject, FaultTally, Subject
from turnserver.audit.bundle.playing import UNREADABLE, GameCheck, Vacations, look, play, wrong_with
from turnserver.audit.bundle.writing import ARCHIVE, GAMES, LEAGUES, PLAYERS, VERIFIER, place
from turnserver.audit.league.leagues import History, crosscheck
from turnserver.audit.league.recheck import recheck
from turnserver.audit.workers import WorkerPool
from turnserver.errors import Malformed, NoBundle, ProofError, in_words
from turnserver.ids import GameId, PlayerId, Recorded, player_stream
from turnserver.league.events import GameAttached
from turnserver.mail.outbound.language import counted
from turnserver.play.events import VacationDeclared, VacationEnded
from turnserver.proof import checkpoint, note
from turnserver.proof.checkpoint import Checkpoint
from turnserver.proof.merkle import HASH_BYTES, Frontier, included, leaf
from turnserver.proof.note import VerificationKey
from turnserver.records.archive import ArchiveImported
from turnserver.records.check import event_problem
from turnserver.records.record import Turn
from turnserver.store.log import history, manifest
from turnserver.store.log.history import Row
from turnserver.store.log.manifest import Manifest, Proof

_PAGE: Final = 1000

_read_proof = msgspec.json.Decoder(Proof).decode
_write_proof = msgspec.json.Encoder().encode


class Paths:
    """The places of events by the paths that lead from them to the root."""

    def __init__(self, tree: Checkpoint, lines: Iterator[bytes], tally: FaultTally) -> None:
        self._tree, self._lines, self._tally = tree, lines, tally

    def take(self, row: Row) -> None:
        """Check the place of an event. Raises NoBundle for a line that is no proof."""
        line = next(self._lines, b"")
        try:
            proof = _read_proof(line)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise NoBundle(f"{manifest.PROOFS} has no proof for position {row.position}: {error}") from error
        self._tally.checked[Subject.INCLUSION] += 1
        data, index = bytes.fromhex(row.hash), row.position - 1
        exact = proof.position == row.position and _write_proof(proof) + b"\n" == line
        if not exact or not included(data, index, self._tree.size, proof.path, self._tree.root):
            problem = "its path does not lead to the root that the checkpoint states"
            self._tally.add([wrong_with(row, Subject.INCLUSION, problem)])

    def finish(self) -> None:
        """Check that there is no proof too many."""
        if next(self._lines, None) is not None:
            self._tally.object(Subject.INCLUSION, f"{manifest.PROOFS} has more lines than there are events")


class Whole:
    """The places of all events there are. Their hashes are kept in a file, since they don't come in the order of their positions."""

    def __init__(self, events: int, tree: Checkpoint | None, older: bool, leaves: IO[bytes], tally: FaultTally) -> None:  # noqa: FBT001  # whether the checkpoint may be of fewer events
        self._events, self._tree, self._older, self._leaves, self._tally = events, tree, older, leaves, tally

    def take(self, row: Row) -> None:
        """Note the place of an event, unless another one has it."""
        if not 1 <= row.position <= self._events:
            self._tally.add([wrong_with(row, Subject.STREAMS, f"positions should run from 1 to {self._events}")])
            return
        self._leaves.seek(HASH_BYTES * (row.position - 1))
        if any(self._leaves.read(HASH_BYTES)):
            self._tally.add([wrong_with(row, Subject.STREAMS, f"position {row.position} is taken twice")])
        self._leaves.seek(HASH_BYTES * (row.position - 1))
        self._leaves.write(bytes.fromhex(row.hash))

    def finish(self) -> None:
        """Check that no place is empty and that the events lead to the root of the checkpoint."""
        size = self._tree.size if self._tree is not None else self._events
        if size > self._events or (size < self._events and not self._older):
            self._tally.object(Subject.CHECKPOINT, f"it states a log of {size} events, and there are {self._events}")
        tree = Frontier()
        for first in range(0, self._events, _PAGE):
            page = self._page(first)
            tree = tree.extend(map(leaf, page[: size - tree.size]))
        if self._tree is not None:
            self._tally.checked[Subject.INCLUSION] = tree.size
            if (tree.size, tree.root()) != (size, self._tree.root):
                self._tally.object(Subject.INCLUSION, "the events do not come to the root that the checkpoint states")

    def _page(self, first: int) -> list[bytes]:
        """Return the hashes from an index on, and object to those that are missing."""
        self._leaves.seek(HASH_BYTES * first)
        count = min(_PAGE, self._events - first)
        held = self._leaves.read(HASH_BYTES * count).ljust(HASH_BYTES * count, b"\0")
        found = [held[at : at + HASH_BYTES] for at in range(0, len(held), HASH_BYTES)]
        for at, data in enumerate(found, start=first + 1):
            if not any(data):
                self._tally.object(Subject.STREAMS, f"no event stands at position {at}", at)
        return found


class Histories:
    """The histories of games, to be looked up once all of them have come by. Only where each stands is kept in memory."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._places: dict[int, tuple[int, int]] = {}

    def keep(self, game: int, lines: Sequence[bytes]) -> None:
        """Keep the lines of a game."""
        self._file.seek(0, 2)
        self._places[game] = self._file.tell(), len(lines)
        self._file.writelines(lines)

    def of(self, game: GameId) -> History | None:
        """Return the history of a game; None if it is not in the bundle. Raises UnknownEvent or Malformed."""
        if game not in self._places:
            return None
        place, count = self._places[game]
        self._file.seek(place)
        return [history.recorded(history.read_line(self._file.readline())) for _ in range(count)]


def decided_again(rows: Sequence[Row], events: Sequence[Recorded[Any]], games: Histories) -> Iterator[BundleFault]:
    """Yield the faults of a league: by its own rules, and beside those of its games that are in the bundle."""
    if not events:
        yield wrong_with(rows[0], Subject.LEAGUES, "the league cannot be checked, because it cannot be read")
        return
    try:
        found = list(recheck(events)) or list(crosscheck(events, games.of))
    # One of its games cannot be read. What else trips over an event is an objection of these two, and the rest of the bundle comes next.
    except UNREADABLE as error:
        yield wrong_with(rows[0], Subject.LEAGUES, f"the league cannot be checked: {in_words(error)}")
        return
    for version, problem in found:
        yield wrong_with(rows[version - 1], Subject.LEAGUES, problem)


HANDFUL: Final = 20
"""The number of games that are handed to a process at a time."""


@contextmanager
def _player(vacations: Vacations) -> Iterator[Callable[[Sequence[bytes]], GameCheck]]:
    yield lambda lines: play([history.read_line(line) for line in lines], vacations)


WORTH_A_PROCESS: Final = 200
"""The number of games that can be played again in the time that a new process takes to begin."""

_A_HASH: Final = re.compile(r"[0-9a-f]{64}")


class Checked(msgspec.Struct, frozen=True):
    """The result of checking a bundle."""

    what: Annotated[str, Meta(description="the subject of the bundle: `all`, `game-17` or `league-3`")]
    events: Annotated[int, Meta(description="the number of events in it")]
    streams: Annotated[int, Meta(description="the number of streams that they belong to")]
    until: Annotated[str, Meta(description="the instant of the newest event")]
    head: Annotated[str, Meta(description="the hash of the last event of the game or league; empty for the whole log")]
    rules: Annotated[list[str], Meta(description="the games and revisions whose rules were applied")]
    signed_by: Annotated[list[str], Meta(description="the keys that have signed the checkpoint")]
    trusted: Annotated[bool, Meta(description="whether the key was given with --key, instead of being taken from the bundle")]
    lines: Annotated[list[CheckedSubject], Meta(description="the subjects that were checked")]
    wrong: Annotated[list[BundleFault], Meta(description="the faults, the first thousand of them; empty if there are none")]
    notes: Annotated[list[str], Meta(description="remarks that matter for judging the result")]


class Against(NamedTuple):
    """The evidence from elsewhere that a bundle is checked against: keys, and a checkpoint as the text of a signed note."""

    keys: tuple[VerificationKey, ...] = ()
    note: str | None = None


def check(path: Path, against: Against, workers: int, progress: Callable[[int, int], object] = lambda _done, _all: None) -> Checked:
    """Check a bundle, packed or unpacked. `progress` is called with how many events are done, of how many. Raises NoBundle."""
    with opened(path) as container, TemporaryFile() as leaves, TemporaryFile() as games:
        try:
            said = manifest.read(container.whole(manifest.MANIFEST))
            return _Check(container, said, against, _Files(leaves, games), progress).run(workers)
        except Malformed as error:
            raise NoBundle(str(error)) from error
        except RecursionError as error:
            raise NoBundle("It nests values deeper than any bundle does") from error


class _Files(NamedTuple):
    """Files for hashes and games that are needed in another order than they come."""

    leaves: IO[bytes]
    games: IO[bytes]


class _Check:
    """A bundle that is being checked."""

    def __init__(
        self, container: Container, said: Manifest, against: Against, files: _Files, progress: Callable[[int, int], object]
    ) -> None:
        self.container, self.said, self.against, self.progress = container, said, against, progress
        self.leaves, self.games = files.leaves, Histories(files.games)
        self.tally = FaultTally()
        self.notes: list[str] = []
        self.tree: Checkpoint | None = None
        self.signers: tuple[VerificationKey, ...] = ()
        self.rules: set[str] = set()
        self.until = ""
        self.belongs: set[str] = {said.what}
        self.types: set[str] = set()
        self.secret_rolls = 0

    def run(self, workers: int) -> Checked:
        """Check everything."""
        self._files()
        self._signature()
        self._events(workers)
        self._belonging()
        self._schemas()
        if self.said.what != "all":
            self.notes.append(
                "It does not show whether later events of its games, leagues and players were left out. A bundle of the whole log does."
            )
        return Checked(
            what=self.said.what,
            events=self.tally.checked[Subject.HASHES],
            streams=len(self.said.streams),
            until=self.until,
            head=next((each.hash for each in self.said.streams if each.stream == self.said.what), ""),
            rules=sorted(self.rules),
            signed_by=[str(key) for key in self.signers],
            trusted=bool(self.against.keys),
            lines=self._lines(),
            wrong=sorted(self.tally.wrong, key=lambda one: ([*Subject].index(one.about), one.position or 0)),
            notes=self.notes,
        )

    def _files(self) -> None:
        listed = self.said.files
        for name in sorted((self.container.names | listed.keys()) - {manifest.MANIFEST}):
            self.tally.checked[Subject.FILES] += 1
            if name not in listed:
                self.tally.object(Subject.FILES, f"{name} is not in the manifest")
            elif name not in self.container.names:
                self.tally.object(Subject.FILES, f"{name} is missing")
            else:
                size, digest = 0, sha256()
                for part in self.container.parts(name):
                    size += len(part)
                    digest.update(part)
                    # A file that is longer than listed is wrong already, and may never end.
                    if size > listed[name].size:
                        break
                if (size, digest.hexdigest()) != (listed[name].size, listed[name].sha256):
                    self.tally.object(Subject.FILES, f"{name} is not the file that the manifest describes")
        if manifest.VERIFIER in self.container.names and self.container.whole(manifest.VERIFIER) != VERIFIER.read_bytes():
            self.notes.append("The verify.py in it is not the one of this program. Read it before you run it.")

    def _signature(self) -> None:
        """Read the tree that the checkpoint states, and check who has signed it."""
        text = self.against.note
        if text is None and manifest.CHECKPOINT in self.container.names:
            text = self._text(manifest.CHECKPOINT)
        if text is None:
            if self.against.keys:
                self.tally.object(Subject.CHECKPOINT, "there is none, so nobody has signed this")
            self.notes.append("There is no checkpoint in it, so nobody has signed it: compare the hashes with those in your mails.")
            return
        self.tally.checked[Subject.CHECKPOINT] = 1
        try:
            keys = self.against.keys or tuple(map(note.verification_key, self._text(manifest.KEYS).splitlines()))
            self.tree = checkpoint.parse(text.rpartition("\n\n")[0] + "\n")
            origin = self.tree.origin
            found = note.verify(text, [key for key in keys if key.name == origin])
            self.signers = found.signers
        except ProofError as error:
            self.tally.object(Subject.CHECKPOINT, str(error))
        if not self.against.keys:
            self.notes.append(
                "The key came with the bundle, so the signature does not prove who has signed. Give the key that was published with --key."
            )

    def _text(self, name: str) -> str:
        try:
            return self.container.whole(name).decode()
        except UnicodeError as error:
            raise NoBundle(f"{name} is no text in UTF-8") from error

    def _events(self, workers: int) -> None:
        """Check everything about events, a stream at a time."""
        games = sum(each.stream.startswith("game-") for each in self.said.streams)
        workers = min(workers, max(1, games // WORTH_A_PROCESS))
        has_leagues = any(each.stream.startswith("league-") for each in self.said.streams)
        vacations: dict[PlayerId, Sequence[Recorded[object]]] = {}
        # By the first game all vacations are known, since players come first.
        pool = WorkerPool(_player, lambda _games: "played games again", workers, HANDFUL)
        self._played(pool.run(self._games(vacations, keep=has_leagues), vacations))

    def _games(self, vacations: dict[PlayerId, Sequence[Recorded[object]]], *, keep: bool) -> Iterator[list[bytes]]:
        for rows in self._streams():
            kind, number, _ = place(rows[0].stream)
            if kind == GAMES:
                lines = [history.write_line(row) for row in rows]
                # Leagues stand behind the games, and are checked beside them.
                if keep:
                    self.games.keep(number, lines)
                yield lines
                continue
            looked = look(rows)
            self.tally.add(looked.wrong)
            if kind == PLAYERS:
                self.tally.add(
                    wrong_with(rows[at - 1], Subject.RULES, says) for at, says in accounts.faults(PlayerId(number), looked.events)
                )
                if declared := [each for each in looked.events if isinstance(each.event, VacationDeclared | VacationEnded)]:
                    vacations[PlayerId(number)] = declared
            elif kind == LEAGUES:
                self._league(rows, looked.events)
            elif kind == ARCHIVE:
                self._archived(rows, looked.events)

    def _streams(self) -> Iterator[list[Row]]:
        listed = iter(self.said.streams)
        for name, group in groupby(self._rows(), key=lambda row: row.stream):
            rows, due = list(group), next(listed, None)
            in_turn = all(row.version == version for version, row in enumerate(rows, start=1))
            if due is None or (due.stream, due.events) != (name, len(rows)) or not in_turn:
                raise NoBundle(f"The events of {name} do not stand in {manifest.EVENTS} where and as many as {manifest.MANIFEST} says")
            for before, row in pairwise(rows):
                if row.position <= before.position:
                    self.tally.add([wrong_with(row, Subject.STREAMS, f"it stands after position {before.position}")])
            if rows[-1].hash != due.hash:
                self.tally.add([wrong_with(rows[-1], Subject.STREAMS, f"{manifest.MANIFEST} says that the stream ends with another hash")])
            yield rows
        if (missing := next(listed, None)) is not None:
            raise NoBundle(f"{manifest.EVENTS} has no events of {missing.stream}, which {manifest.MANIFEST} lists")

    def _rows(self) -> Iterator[Row]:
        """Yield each row after checking its place in the log. Raises NoBundle if there are not as many as the manifest says."""
        places = self._places()
        number = 0
        for number, line in enumerate(self.container.lines(manifest.EVENTS), start=1):
            try:
                row = history.read_line(line)
            except Malformed as error:
                raise NoBundle(f"Line {number} of {manifest.EVENTS}: {error}") from error
            if not _A_HASH.fullmatch(row.hash):
                raise NoBundle(f"Line {number} of {manifest.EVENTS} has no hash")
            self.types.add(f"{manifest.SCHEMA}{row.type}.v{row.schema}.json")
            self.until = max(self.until, row.at)
            for about in (Subject.HASHES, Subject.SCHEMA):
                self.tally.checked[about] += 1
            if places is not None:
                places.take(row)
            yield row
            self.progress(number, self.said.events)
        if number != self.said.events:
            raise NoBundle(f"There are {number} events in it, and {manifest.MANIFEST} says {self.said.events}")
        if places is not None:
            places.finish()

    def _places(self) -> Paths | Whole | None:
        """Return a checker for the places of events, or None if there is nothing to check them against."""
        given = self.against.note is not None
        if self.said.whole:
            return Whole(self.said.events, self.tree, given, self.leaves, self.tally)
        if self.tree is None:
            return None
        if given and manifest.CHECKPOINT in self.container.names:
            own = checkpoint.parse(self._text(manifest.CHECKPOINT).rpartition("\n\n")[0] + "\n")
            if own.size != self.tree.size:
                event_problem = (
                    f"the one given is of {self.tree.size} events, that of the bundle of {own.size}: whether one follows from the other"
                )
                self.tally.object(Subject.CHECKPOINT, f"{event_problem}, a proof of consistency has to show")
                return None
        return Paths(self.tree, self.container.lines(manifest.PROOFS), self.tally)

    def _played(self, games: Iterable[GameCheck]) -> None:
        for game in games:
            self.tally.add(game.wrong)
            self.tally.checked[Subject.RULES] += game.turns
            self.tally.checked[Subject.CHANCE] += game.rolls
            self.tally.checked[Subject.CLOCKS] += game.clocks
            self.tally.checked[Subject.RESULTS] += game.results
            self.secret_rolls += game.secret_rolls
            self.rules |= {game.rules} - {""}
            if not self.said.whole:
                self.belongs |= {player_stream(player) for player in game.players}

    def _league(self, rows: Sequence[Row], events: Sequence[Recorded[object]]) -> None:
        """Check a league by its rules and its games, and note which streams belong to the bundle because of it."""
        attached = {f"game-{each.event.game}" for each in events if isinstance(each.event, GameAttached)}
        if self.said.what in attached or self.said.what == rows[0].stream:
            self.belongs.add(rows[0].stream)
        if self.said.what == rows[0].stream:
            self.belongs |= attached
        self.tally.checked[Subject.LEAGUES] += len(rows)
        self.tally.add(decided_again(rows, events, self.games))

    def _archived(self, rows: Sequence[Row], events: Sequence[Recorded[object]]) -> None:
        for row, event in zip(rows, events, strict=False):
            if isinstance(event.event, ArchiveImported):
                self.tally.checked[Subject.RULES] += sum(isinstance(item, Turn) for item in event.event.course)
                self.tally.checked[Subject.RESULTS] += 1
                self.rules.add(f"{event.event.game} (revision {event.event.revision})")
            if wrong := event_problem(event.event, event.version):
                self.tally.add([wrong_with(row, Subject.RULES, wrong)])

    def _belonging(self) -> None:
        """Check that the streams are those that belong to the subject of the bundle, and stand in their order."""
        listed = [each.stream for each in self.said.streams]
        self.tally.checked[Subject.STREAMS] = len(listed)
        if listed != sorted({*listed}, key=place):
            self.tally.object(Subject.STREAMS, "streams do not stand in their order, or twice")
        if self.said.whole:
            return
        for name in sorted(self.belongs.difference(listed), key=place):
            self.tally.object(Subject.STREAMS, f"{name} belongs here and is missing", stream=name)
        for name in sorted({*listed} - self.belongs, key=place):
            self.tally.object(Subject.STREAMS, f"{name} does not belong here", stream=name)

    def _schemas(self) -> None:
        there = {name for name in self.container.names if name.startswith(manifest.SCHEMA)}
        for name in sorted(there | self.types):
            known = resources.events_dir() / name
            if name not in there:
                self.tally.object(Subject.SCHEMA, f"{name} is missing")
            elif name not in self.types:
                self.tally.object(Subject.SCHEMA, f"{name} is of no event in it")
            elif known.is_file() and known.read_bytes() != self.container.whole(name):
                self.tally.object(Subject.SCHEMA, f"{name} is not the schema that this program knows")

    def _lines(self) -> list[CheckedSubject]:
        later = f"; {counted(self.secret_rolls, 'more roll')} can be checked when the games have ended" if self.secret_rolls else ""
        says = {
            Subject.FILES: "are those that the manifest describes",
            Subject.STREAMS: "are there from their beginning, and no others",
            Subject.HASHES: "follow from each event and the one before it in its stream",
            Subject.SCHEMA: "events can be read, and are written in the one right way",
            Subject.RULES: f"turns are legal by the rules of {', '.join(sorted(self.rules)) or 'no game'}",
            Subject.CHANCE: f"rolls follow from secrets that were fixed before them{later}",
            Subject.CLOCKS: "clocks and deadlines follow from what was agreed",
            Subject.RESULTS: "results are those that the rules give",
            Subject.LEAGUES: "events of leagues follow from what was known, and results from the games",
            Subject.CHECKPOINT: "is signed by a key that was given",
            Subject.INCLUSION: "events lie in the tree that the checkpoint states",
        }
        if not self.against.keys:
            says[Subject.CHECKPOINT] = "is signed, but by a key that came with the bundle"
        if self.tree is None:
            says |= {Subject.CHECKPOINT: "there is none", Subject.INCLUSION: "there is no checkpoint"}
        return [CheckedSubject(about, self.tally.checked[about], self.tally.failed[about], words) for about, words in says.items()]
