"""Write a bundle: events that leave the database, so that somebody who does not trust the service can check them.

Streams stand one after the other: those of players, of games, of leagues, of the archive. So a checker knows the vacations of a game's
players before the game, and the results of a league's games before the league. Neither writing nor reading needs more memory than the
longest stream and a list of all streams. The same log gives the same bytes.
"""

from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import IO, Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec

from turnserver import resources
from turnserver.errors import Malformed, NotFound
from turnserver.ids import GameId, LeagueId, PlayerId, Position, Stream, game_stream, league_stream, player_stream
from turnserver.league.events import GameAttached
from turnserver.play.events import GameEvent, GameOpened, SubstituteSeated
from turnserver.proof.merkle import inclusions
from turnserver.store.leagues import views as leagues
from turnserver.store.log import history, manifest
from turnserver.store.log.database import Transaction
from turnserver.store.log.history import Row
from turnserver.store.log.manifest import ListedFile, ListedStream, Manifest, Proof

AT_ONCE: Final = 20_000
"""For so many events paths are worked out at once; it takes some tens of megabytes, and a look at every hash of the log."""

KINDS: Final = ("player", "game", "league", "archive")
"""The kinds of streams, in the order in which they stand in a bundle."""

PLAYERS, GAMES, LEAGUES, ARCHIVE = range(4)
"""The places of the kinds in that order."""

_BEGINNING: Final = (1980, 1, 1, 0, 0, 0)
VERIFIER: Final = Path(__file__).with_name("verify.py")
ABOUT: Final = Path(__file__).with_name("about_bundles.txt")


class Sealed(NamedTuple):
    """A checkpoint, the keys that verify it, and the hashes of all events up to it."""

    note: str
    keys: tuple[str, ...]
    leaves: Callable[[], Iterable[bytes]]


def write(
    conn: Transaction, what: str, until: Position, sealed: Sealed | None, file: IO[bytes], *, progress: Callable[[int], object]
) -> Manifest:
    """Write the bundle of `game-17`, `league-3` or `all`, as it was at position `until`, to a file.

    `sealed` is the checkpoint of that position, if anybody signs any. `progress` is called with the number of events written so far.
    Raises NotFound, and Malformed for a log that cannot be read: `audit verify` says more.
    """
    with ZipFile(file, "w") as archive:
        packing = _Packing(archive)
        packing.add(manifest.ABOUT, [ABOUT.read_bytes()])
        packing.add(manifest.VERIFIER, [VERIFIER.read_bytes()])
        if sealed is not None:
            packing.add(manifest.CHECKPOINT, [sealed.note.encode()])
            packing.add(manifest.KEYS, [f"{key}\n".encode() for key in sealed.keys])
        schemas = {path.stem: path for path in (resources.events_dir() / "schema").glob("*.json")}
        listing = _Listing(conn, until, schemas, progress)
        packing.add(manifest.EVENTS, listing.lines(belonging(conn, what, until)))
        if sealed is not None and what != "all":
            packing.add(manifest.PROOFS, _proofs(listing.positions, sealed))
        for name in sorted(listing.types):
            packing.add(f"{manifest.SCHEMA}{name}.json", [schemas[name].read_bytes()])
        # Last, since it lists all other files.
        made = Manifest(1, what, len(listing.positions), tuple(listing.streams), dict(sorted(packing.files.items())))
        packing.add(manifest.MANIFEST, [manifest.written(made)])
    return made


def belonging(conn: Transaction, what: str, until: Position) -> list[Stream]:
    """Return the streams of a bundle, in their order. Raises NotFound."""
    if what == "all":
        return sorted(history.streams(conn, until), key=place)
    kind, _, number = what.partition("-")
    if kind == "game":
        game = GameId(int(number))
        meeting = leagues.meeting_of(conn, game)
        found = {game_stream(game), *([league_stream(meeting.league)] if meeting is not None else [])}
    else:
        league = league_stream(LeagueId(int(number)))
        found = {league, *(game_stream(each.game) for each in _events(conn, league, until) if isinstance(each, GameAttached))}
    if not _rows(conn, Stream(what), until):
        raise NotFound(f"There is no {kind} {number} in the log up to position {until}")
    # A list of its own, since the set grows meanwhile.
    for stream in [each for each in found if each.startswith("game-")]:
        found |= {player_stream(player) for player in players(_events(conn, stream, until))}
    return sorted(found, key=place)


def place(stream: str) -> tuple[int, int, str]:
    """Return the sort key of a stream among the others in a bundle."""
    kind, _, number = stream.partition("-")
    return KINDS.index(kind) if kind in KINDS else len(KINDS), int(number) if number.isascii() and number.isdigit() else 0, stream


def players(events: Iterable[GameEvent]) -> set[PlayerId]:
    """Return every player who has had a seat in a game."""
    found: set[PlayerId] = set()
    for event in events:
        if isinstance(event, GameOpened):
            found |= {*event.players}
        elif isinstance(event, SubstituteSeated):
            found.add(event.player)
    return found


def _rows(conn: Transaction, stream: Stream, until: Position) -> list[Row]:
    return [row for row in history.load(conn, stream) if row.position <= until]


def _events(conn: Transaction, stream: Stream, until: Position) -> Iterator[GameEvent]:
    return (history.recorded(row).event for row in _rows(conn, stream, until))


class _Listing:
    """A collector that goes through streams and notes what the manifest has to say of them."""

    def __init__(self, conn: Transaction, until: Position, known: Container[str], progress: Callable[[int], object]) -> None:
        self._conn, self._until, self._known, self._progress = conn, until, known, progress
        self.streams: list[ListedStream] = []
        self.positions = array("Q")
        self.types: set[str] = set()

    def lines(self, streams: Iterable[Stream]) -> Iterator[bytes]:
        """Yield the rows of the streams as lines. Raises Malformed for a row that could not be read again."""
        for stream in streams:
            rows = _rows(self._conn, stream, self._until)
            text = history.write(rows)
            types = {f"{row.type}.v{row.schema}" for row in rows}
            # Read back at once, or whoever checks the bundle would be the first to notice.
            if history.read(text) != tuple(rows) or not all(name in self._known for name in types):
                raise Malformed(f"{stream} holds what cannot be written to a bundle; see what `turnserver audit verify` says of it")
            self.positions.extend(row.position for row in rows)
            self.types |= types
            self.streams.append(ListedStream(stream, len(rows), rows[-1].hash))
            self._progress(len(self.positions))
            yield text.encode()


def _proofs(positions: Sequence[int], sealed: Sealed) -> Iterator[bytes]:
    for first in range(0, len(positions), AT_ONCE):
        some = positions[first : first + AT_ONCE]
        paths = inclusions((position - 1 for position in some), sealed.leaves()).paths
        for position in some:
            yield msgspec.json.encode(Proof(position, paths[position - 1])) + b"\n"


class _Packing:
    """A ZIP that does not tell when and where it was made."""

    def __init__(self, archive: ZipFile) -> None:
        self._zip = archive
        self.files: dict[str, ListedFile] = {}

    def add(self, name: str, parts: Iterable[bytes]) -> None:
        """Write a file in parts."""
        entry = ZipInfo(name, _BEGINNING)
        # As if on Unix wherever it is made, so that the same log gives the same bytes.
        entry.compress_type, entry.create_system, entry.external_attr = ZIP_DEFLATED, 3, 0o100644 << 16
        size, digest = 0, sha256()
        # How long the file gets is not known yet, and its header comes first.
        with self._zip.open(entry, "w", force_zip64=True) as packed:
            for part in parts:
                packed.write(part)
                size += len(part)
                digest.update(part)
        self.files[name] = ListedFile(size, digest.hexdigest())
