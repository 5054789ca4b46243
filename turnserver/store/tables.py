"""The tables. Instants are TEXT, `YYYY-MM-DDTHH:MM:SS.ffffffZ`: the same bytes on both engines, comparable, readable, and hashable as they stand.

`event` is the truth. `game`, `seat` are views that a fold can rebuild. `player`, `chat`, `inbox`, `outbox` hold what may be erased.
"""

from sqlalchemy import Column, Index, LargeBinary, Text, UniqueConstraint, text
from sqlmodel import Field, SQLModel


class EventRow(SQLModel, table=True):
    """One event. Triggers refuse UPDATE and DELETE."""

    __tablename__ = "event"
    __table_args__ = (
        UniqueConstraint("stream", "version", name="event_stream_version"),
        UniqueConstraint("stream", "cause", "ordinal", name="event_stream_cause"),
    )
    position: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    stream: str
    version: int
    type: str
    schema_version: int = Field(sa_column=Column("schema", nullable=False))
    at: str
    actor: str
    cause: str
    ordinal: int
    data: str = Field(sa_column=Column(Text, nullable=False))
    hash: str


class Counter(SQLModel, table=True):
    """`position`, `game`, `player`: the last number given out."""

    name: str = Field(primary_key=True)
    value: int


class PlayerRow(SQLModel, table=True):
    """A player's account. `address` is stored as given and unique without regard to case."""

    __tablename__ = "player"
    __table_args__ = (Index("player_address", text("lower(address)"), unique=True), Index("player_name", text("lower(name)"), unique=True))
    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    name: str
    address: str
    zone: str
    created_at: str


class GameRow(SQLModel, table=True):
    """What lists and the sweep need to know of a game. `due_at` is when the clock must be looked at next."""

    __tablename__ = "game"
    __table_args__ = (Index("game_due", "due_at", sqlite_where=text("due_at IS NOT NULL"), postgresql_where=text("due_at IS NOT NULL")),)
    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    version: int
    game: str
    options: str = Field(sa_column=Column(Text, nullable=False))
    status: str
    turn: int
    to_move: int | None
    deadline_at: str | None
    due_at: str | None
    opened_at: str
    ended_at: str | None
    outcome: str | None
    ended_by: str | None
    winners: str | None


class SeatRow(SQLModel, table=True):
    """Who sits where."""

    __tablename__ = "seat"
    game: int = Field(primary_key=True, foreign_key="game.id")
    seat: int = Field(primary_key=True)
    player: int = Field(foreign_key="player.id", index=True)
    accepted: bool


class ChatRow(SQLModel, table=True):
    """A line that one player said to the others of a game."""

    __tablename__ = "chat"
    id: int | None = Field(default=None, primary_key=True)
    game: int = Field(foreign_key="game.id", index=True)
    player: int = Field(foreign_key="player.id")
    at: str
    text: str = Field(sa_column=Column(Text, nullable=False))


class InboxRow(SQLModel, table=True):
    """A mail as it arrived. `status` is new, done (with an `outcome`) or failed; `identity` tells copies of the same mail."""

    __tablename__ = "inbox"
    __table_args__ = (Index("inbox_new", "received_at", sqlite_where=text("status = 'new'"), postgresql_where=text("status = 'new'")),)
    id: int | None = Field(default=None, primary_key=True)
    identity: str = Field(index=True)
    source: str
    recipient: str
    sender: str
    received_at: str
    raw: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    status: str
    outcome: str | None
    attempts: int
    lease_until: str | None
    handled_at: str | None
    error: str | None


class OutboxRow(SQLModel, table=True):
    """What is to be told to whom. `detail` is canonical JSON that the template needs besides the game itself.

    `status` is queued, sent or dead. `text` is what was sent, kept so that the reader can subtract it from the answer.
    """

    __tablename__ = "outbox"
    __table_args__ = (Index("outbox_queued", "next_at", sqlite_where=text("status = 'queued'"), postgresql_where=text("status = 'queued'")),)
    id: int | None = Field(default=None, primary_key=True)
    kind: str
    player: int | None
    address: str | None
    game: int | None = Field(index=True)
    version: int | None
    detail: str = Field(sa_column=Column(Text, nullable=False))
    message_id: str = Field(unique=True)
    in_reply_to: str | None
    created_at: str
    status: str
    attempts: int
    next_at: str
    lease_until: str | None
    lease_owner: str | None
    last_error: str | None
    sent_at: str | None
    text: str | None = Field(sa_column=Column(Text))


class OutageRow(SQLModel, table=True):
    """A time during which no scheduler ran; `settled` once every affected clock got it back."""

    __tablename__ = "outage"
    id: int | None = Field(default=None, primary_key=True)
    began_at: str
    ended_at: str
    settled: bool


class Heartbeat(SQLModel, table=True):
    """When a sweep last ran, in one row."""

    id: int = Field(primary_key=True)
    at: str


class SecretRow(SQLModel, table=True):
    """Keys of the service, by name and version; never in the log or in a log line."""

    __tablename__ = "secret"
    name: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    value: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
