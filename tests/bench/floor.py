"""The floor of accepting a move: the same work in one file, with the standard library, msgspec and the driver, and nothing of turnserver.

It takes the bytes of a mail that answers a turn mail of Take, and writes every row that the service would write, value for value, in one
durable transaction. A test compares all tables of the two. It is what somebody would write who needs one game, one kind of answer and one
time control, and neither refuses kindly nor looks after anything else: a mail that it does not understand raises ValueError and changes
nothing. It keeps the position of each game in a table of its own, `place`, where the service folds it from the events.
"""

import email
import hmac
import re
from base64 import b32encode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import Message
from email.utils import parseaddr
from hashlib import sha256
from typing import Any, Final, NamedTuple, Protocol

import msgspec


class Cursor(Protocol):
    """A cursor of either driver, on a connection that leaves transactions to us."""

    def execute(self, statement: Any, values: Any = ..., /) -> Any:
        """Run a statement."""

    def fetchone(self) -> Any:
        """Return the next row, or None."""


class Place(NamedTuple):
    """A position of Take, seen from the seat to move, and what of its game no other table says. Sets of cells are integers."""

    game: int
    edition: int
    mine: int
    theirs: int
    cover: int
    seconds: int
    """The time for a turn."""
    reminder: int
    """The seconds before the deadline at which the player is reminded."""


class Mail(NamedTuple):
    """A mail, read: who says that they wrote it, the Message-ID that it answers, its own lines, and the digest that tells copies of it."""

    sender: str
    answers: str
    lines: tuple[str, ...]
    identity: str


class Clock(msgspec.Struct):
    """The clock of the next turn. The fields stand in the order of canonical JSON, here and below."""

    deadline: str
    remind_at: str
    since: str
    time: timedelta


class TurnPlayed(msgspec.Struct):
    """The event."""

    bank: dict[str, str]
    clock: Clock
    left: timedelta
    received_at: str
    seat: int
    steps: tuple[str]
    to_move: int
    turn: int


_json = msgspec.json.Encoder().encode
_TOKEN: Final = re.compile(r"\+([0-9a-z]{1,7})-([0-9a-z]{1,7})-([0-9a-z]{1,7})-([0-9a-z]{1,7})-([0-9a-z]{1,7})-([a-z2-7]{26})@")

_ARRIVE: Final = """
INSERT INTO inbox (identity, source, recipient, sender, received_at, raw, status, outcome, attempts, handled_at, writer)
VALUES (?, 'lmtp', ?, ?, ?, ?, 'done', 'carried out', 1, ?, ?) ON CONFLICT DO NOTHING RETURNING id
"""
_LOAD: Final = """
SELECT game.version, game.turn, game.to_move, game.deadline_at, event.hash, own.player, writer.address_key, other.player,
reader.subscribed AND reader.digest IS NULL AND reader.quiet IS NULL,
place.edition, place.mine, place.theirs, place.cover, place.seconds, place.reminder
FROM game JOIN place ON place.game = game.id
JOIN event ON event.stream = ? AND event.version = game.version
JOIN seat AS own ON own.game = game.id AND own.seat = game.to_move
JOIN seat AS other ON other.game = game.id AND other.seat = 3 - game.to_move
JOIN player AS writer ON writer.id = own.player
JOIN player AS reader ON reader.id = other.player
WHERE game.id = ? AND game.status = 'running'
"""
_ANSWERED: Final = "UPDATE outbox SET answered_at = coalesce(answered_at, ?) WHERE message_id = ? AND player = ?"
_CONFIRM: Final = "UPDATE player SET confirmed_at = ? WHERE id = ? AND confirmed_at IS NULL"
_TALLY: Final = """
INSERT INTO reliability (player, turns, in_time, flags, graces, waits) VALUES (?, 1, 1, 0, 0, 0)
ON CONFLICT (player) DO UPDATE SET turns = reliability.turns + 1, in_time = reliability.in_time + 1
"""
_GAME: Final = "UPDATE game SET version = ?, turn = ?, to_move = ?, deadline_at = ?, due_at = ? WHERE id = ?"
_PLACE: Final = "UPDATE place SET mine = ?, theirs = ?, cover = ? WHERE game = ?"
_TELL: Final = """
INSERT INTO outbox (kind, player, game, version, detail, message_id, created_at, status, attempts, begun, due_at, next_at)
VALUES ('turn', ?, ?, ?, '{}', ?, ?, 'queued', 0, 0, ?, ?)
"""
_NEXT: Final = "UPDATE counter SET value = value + 1 WHERE name = 'position' RETURNING value"
_APPEND: Final = "INSERT INTO event (position, stream, version, type, schema, at, actor, cause, ordinal, data, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: E501
_MAKE: Final = """
CREATE TABLE place (game INTEGER PRIMARY KEY, edition INTEGER NOT NULL, mine TEXT NOT NULL, theirs TEXT NOT NULL, cover TEXT NOT NULL,
seconds INTEGER NOT NULL, reminder INTEGER NOT NULL)
"""
_PUT: Final = "INSERT INTO place VALUES (?, ?, ?, ?, ?, ?, ?)"


class Board:
    """A board of Take: an integer has a bit for each cell, and a column of bits that are never set between the rows."""

    def __init__(self, side: int) -> None:
        """Name the cells of a hexagon of that side, rows from the bottom."""
        wide = 2 * side
        self._ways = (1, wide, wide + 1)
        self.names = {
            (row + 1) * wide + max(0, row - side + 1) + place: f"{'abcdefghijklmnopqrstuvwxyz'[row]}{place + 1}"
            for row in range(2 * side - 1)
            for place in range(2 * side - 1 - abs(row - side + 1))
        }
        self.cells = {name: cell for cell, name in self.names.items()}
        self.full = sum(1 << cell for cell in self.names)

    def play(self, place: Place, name: str) -> Place | None:
        """Return the position after a stone on the cell of that name, or None if the game is over then. Raises ValueError."""
        cell = self.cells.get(name)
        if cell is None:
            raise ValueError(f"no cell {name}")
        stone, mine, theirs = 1 << cell, place.mine, place.theirs
        friends = (self._beside(stone)[0] & mine).bit_count()
        if (mine | theirs) & stone or friends > 1 or (friends == 0 and not place.cover & stone):
            raise ValueError(f"{name} is not legal")
        mine |= stone
        free = self.full & ~(mine | theirs)
        mine_left, theirs_left = self._growing(mine, free), self._growing(theirs, free)
        # A colour that has not moved yet has no stones either, and the game goes on.
        if not mine_left or (theirs and not theirs_left):
            return None
        return place._replace(mine=theirs_left, theirs=mine_left, cover=place.cover & ~stone)

    def _growing(self, own: int, free: int) -> int:
        """Return the groups of `own` that have a cell to grow to: a free one beside exactly one of their stones."""
        once, twice = self._beside(own)
        group, more = 0, self._beside(once & ~twice & free)[0] & own
        while more != group:
            group, more = more, (more | self._beside(more)[0]) & own
        return group

    def _beside(self, cells: int) -> tuple[int, int]:
        """Return what lies next to one or more of the cells, and what lies next to several."""
        once = twice = 0
        for way in self._ways:
            for moved in (cells << way, cells >> way):
                twice |= once & moved
                once |= moved
        return once, twice


class Floor:
    """Accepts moves by mail over a copy of a service's database: a connection without a transaction of its own, SQLite or PostgreSQL."""

    def __init__(self, cursor: Cursor, *, site: str, side: int, mark: str = "?", begin: str = "BEGIN IMMEDIATE") -> None:
        """Serve boards of a side for the address `site`. `mark` is what the driver has for a value."""
        self._cursor = cursor
        self._domain = site.rpartition("@")[2]
        self._board = Board(side)
        self._begin = begin
        self._mark = mark
        self._sql: dict[str, str] = {}
        self._reply = self._keys("reply")
        self._signing = max(self._keys("message-id").items())[1]

    def prepare(self, places: Iterable[Place]) -> None:
        """Make the table of positions."""
        self._run(_MAKE)
        self._cursor.execute(self._begin)
        for place in places:
            self._run(_PUT, place.game, place.edition, f"{place.mine:x}", f"{place.theirs:x}", f"{place.cover:x}", *place[5:])
        self._cursor.execute("COMMIT")

    def place(self, game: int) -> Place:
        """Return the position of a game."""
        self._run("SELECT * FROM place WHERE game = ?", game)
        number, edition, mine, theirs, cover, seconds, reminder = self._cursor.fetchone()
        return Place(number, edition, int(mine, 16), int(theirs, 16), int(cover, 16), seconds, reminder)

    def accept(self, raw: bytes, recipient: str, sender: str, now: datetime) -> None:
        """Accept a mail: all that it brings about is durable when this returns. Raises ValueError for any that plays no legal move."""
        with self.together():
            self.take(raw, recipient, sender, now)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Have everything in the block become durable at its end, or nothing of it."""
        self._cursor.execute(self._begin)
        try:
            yield
        except BaseException:
            self._cursor.execute("ROLLBACK")
            raise
        self._cursor.execute("COMMIT")

    def take(self, raw: bytes, recipient: str, sender: str, now: datetime) -> None:
        """Do all that `accept` does, inside of a transaction."""
        token, player, number, turn, edition = self._token(recipient)
        mail = read(raw, token)
        stream, cause, at = f"game-{number}", f"mail:{mail.identity}", _stamp(now)
        writer = f"player-{player}"
        if self._run(_ARRIVE, mail.identity, recipient, sender, at, raw, at, writer).fetchone() is None:
            raise ValueError("this mail has come before")
        row = self._run(_LOAD, stream, number).fetchone()
        if row is None:
            raise ValueError(f"no game {number} is running")
        version, at_turn, seat, until, head, mover, address, reader, reachable, at_edition, mine, theirs, cover, seconds, reminder = row
        if (player, turn, edition) != (mover, at_turn, at_edition) or mail.sender.casefold() != address or len(mail.lines) != 1:
            raise ValueError("this mail plays no turn that is due")
        deadline = datetime.fromisoformat(until)
        if now > deadline or not reachable:
            raise ValueError("more would have to be known")
        (move,) = mail.lines
        place = self._board.play(Place(number, edition, int(mine, 16), int(theirs, 16), int(cover, 16), seconds, reminder), move.lower())
        if place is None:
            raise ValueError("this is the last move of the game")
        time = timedelta(seconds=seconds)
        ends, remind = _stamp(now + time), _stamp(now + time - timedelta(seconds=reminder))
        played = TurnPlayed({}, Clock(ends, remind, at, time), deadline - now, at, seat, (move.lower(),), 3 - seat, turn)
        version += 1
        self._run(_ANSWERED, at, mail.answers, player)
        self._run(_CONFIRM, at, player)
        self._run(_TALLY, player)
        self._run(_GAME, version, turn + 1, 3 - seat, ends, remind, number)
        self._run(_PLACE, f"{place.mine:x}", f"{place.theirs:x}", f"{place.cover:x}", number)
        self._run(_TELL, reader, number, version, self._message_id(cause, stream, version, reader), at, at, at)
        (position,) = self._run(_NEXT).fetchone()
        envelope = (position, stream, version, "game.turn_played", 1, at, writer, cause, 0, _json(played).decode())
        self._run(_APPEND, *envelope, sha256(f"{head}\n".encode() + _json(envelope)).hexdigest())

    def _run(self, statement: str, *values: object) -> Cursor:
        text = self._sql.get(statement)
        if text is None:
            text = self._sql[statement] = statement.replace("?", self._mark)
        self._cursor.execute(text, values)
        return self._cursor

    def _keys(self, name: str) -> Mapping[int, bytes]:
        self._run("SELECT max(version) FROM secret WHERE name = ?", name)
        (last,) = self._cursor.fetchone()
        found = {}
        for version in range(1, last + 1):
            row = self._run("SELECT value FROM secret WHERE name = ? AND version = ?", name, version).fetchone()
            if row is not None:
                found[version] = bytes(row[0])
        return found

    def _token(self, recipient: str) -> tuple[str, int, int, int, int]:
        """Return the token in a reply address, and its player, game, turn and edition. Raises ValueError unless we signed it."""
        found = _TOKEN.search(recipient.lower())
        if found is None:
            raise ValueError("not a reply address")
        *numbers, version = (int(field, 36) for field in found.groups()[:5])
        clear, mac = found[0][1:-28], found[6]
        key = self._reply.get(version)
        signed = key and hmac.digest(key, b"turnserver reply address\x00" + clear.encode(), "sha256")
        if not signed or not hmac.compare_digest(_base32(signed[:16]), mac):
            raise ValueError("a forged reply address")
        player, game, turn, edition = numbers
        return f"{clear}-{mac}", player, game, turn, edition

    def _message_id(self, cause: str, stream: str, version: int, reader: int) -> str:
        request = f"{cause}\n{stream}\n{version}\nturn\n{reader}\nNone\n0"
        drawn = _base32(hmac.digest(self._signing, request.encode(), "sha256")[:8])
        said = f"turn.g{stream[5:]}.0.{drawn}"
        mac = hmac.digest(self._signing, b"turnserver message id\x00" + said.encode(), "sha256")[:10]
        return f"<{said}.{_base32(mac)}@{self._domain}>"


def read(raw: bytes, token: str) -> Mail:
    """Read a mail to the reply address with that token."""
    mail = email.message_from_bytes(raw)
    if mail.get("Auto-Submitted", "no") != "no":
        raise ValueError("a machine wrote this")
    named = ("Message-ID", "From", "Date")
    body = raw.partition(b"\r\n\r\n")[2].translate(None, delete=b" \t\r\n\v\f")
    digest = sha256()
    for field in (token.encode(), *(f"{name.lower()}:{' '.join(str(mail[name]).split())}".encode() for name in named), body):
        digest.update(len(field).to_bytes(8))
        digest.update(field)
    return Mail(parseaddr(str(mail["From"]))[1], str(mail["In-Reply-To"]).strip(), tuple(_own(_text(mail))), digest.hexdigest())


def _text(mail: Message) -> str:
    """Return the plain text of a mail. Raises ValueError if it has none."""
    for part in mail.walk():
        if part.get_content_type() == "text/plain":
            content = part.get_payload(decode=True)
            if isinstance(content, bytes):
                return content.decode(part.get_content_charset("utf-8"))
    raise ValueError("a mail without text")


def _own(text: str) -> Iterator[str]:
    """Yield the lines above the quotation: the line that opens it ends in a colon, with quoted lines alone below it."""
    above, opening, _ = text.partition(" wrote:")
    lines = above.splitlines()
    for line in lines[:-1] if opening else lines:
        written = line.strip()
        if written and not written.startswith(">"):
            yield written


def _stamp(instant: datetime) -> str:
    return instant.astimezone(UTC).isoformat(timespec="microseconds")[:26] + "Z"


def _base32(raw: bytes) -> str:
    return b32encode(raw).decode().rstrip("=").lower()
