"""The tables. Instants are TEXT as `statement.stamp` writes them: the same bytes on both engines, comparable, readable, hashable.

`event` is the truth. `game`, `seat`, the tables of leagues and those of ratings are views that a fold can rebuild. `player`, `sign_in`,
`session`, `chat`, `plan`, `inbox` and `outbox` hold data that may be erased.
`mailbox`, `fetched` and `reader` are how far we are with reading mail over IMAP.
Columns named `..._key` hold the case-folded form of their neighbour, folded in Python because the engines fold differently.
"""

from typing import Final

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, Text, UniqueConstraint, text
from sqlmodel import Field, SQLModel

METADATA = SQLModel.metadata
# a constraint has one name on both engines, by which `KeyTaken` says what was taken
METADATA.naming_convention = {
    "pk": "%(table_name)s_pkey",
    "fk": "%(table_name)s_%(column_0_name)s_fkey",
    "uq": "%(table_name)s_%(column_0_N_name)s_key",
    "ix": "%(table_name)s_%(column_0_N_name)s",
}


def _partial(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    return Index(name, *columns, unique=unique, sqlite_where=text(where), postgresql_where=text(where))


class EventRow(SQLModel, table=True):
    """One event. Triggers refuse UPDATE, DELETE and TRUNCATE."""

    __tablename__ = "event"
    __table_args__ = (
        UniqueConstraint("stream", "version", name="event_stream_version"),
        UniqueConstraint("stream", "cause", "ordinal", name="event_stream_cause"),
    )
    # given out by `counter`: a sequence of the database would leave gaps
    position: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    stream: str
    version: int
    type: str
    schema_version: int = Field(sa_column=Column("schema", Integer, nullable=False))
    at: str
    actor: str
    cause: str
    ordinal: int
    data: str = Field(sa_column=Column(Text, nullable=False))
    hash: str


class Counter(SQLModel, table=True):
    """`position`, `game`, `league`, `player`, `confirmation`, `archive`: the last number given out."""

    __tablename__ = "counter"
    name: str = Field(primary_key=True)
    value: int


class CheckpointRow(SQLModel, table=True):
    """The log of `size` events has this root, in hexadecimal; `note` is the checkpoint as it was signed. Append-only as the log is.

    `frontier` lets the tree grow: the hashes of its full subtrees one after the other.
    """

    __tablename__ = "checkpoint"
    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: str
    reason: str
    size: int
    root: str
    note: str = Field(sa_column=Column(Text, nullable=False))
    frontier: bytes = Field(sa_column=Column(LargeBinary, nullable=False))

    __table_args__ = (Index("checkpoint_size", "size"),)


class PlayerRow(SQLModel, table=True):
    """A player's account. Name and address are stored as given and unique without regard to case.

    `confirmed_at` is when a mail first showed that the address is the player's. The columns from `mail` to `language`, and from `receipts`
    on, are the player's choices: see `store.people.accounts.Preferences`. Of a player who was erased only the number and `erased_at` are
    left. `wiped_at` is when the database was rewritten afterwards, so that no erased byte is left in its files.
    """

    __tablename__ = "player"
    __table_args__ = (
        Index("player_name", "name_key", unique=True),
        Index("player_address", "address_key", unique=True),
        Index("player_pseudonym", "pseudonym_key", unique=True),
        _partial("player_erased", "erased_at", where="erased_at IS NOT NULL"),
    )
    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    name: str
    name_key: str
    address: str
    address_key: str
    zone: str
    created_at: str
    mail: str
    digest: str | None
    quiet: str | None
    board: str
    reminders: bool
    calendar: bool
    subscribed: bool
    language: str
    confirmed_at: str | None
    erased_at: str | None
    wiped_at: str | None
    receipts: str = Field(sa_column_kwargs={"server_default": "first"})
    subjects: bool = Field(sa_column_kwargs={"server_default": text("true")})
    calendar_edition: int = Field(sa_column_kwargs={"server_default": "0"})
    # what strangers read on pages: a number (off), the name, or the pseudonym (as)
    public: str = Field(sa_column_kwargs={"server_default": "off"})
    pseudonym: str | None
    pseudonym_key: str | None


class ConfirmationRow(SQLModel, table=True):
    """An address that has to be confirmed by an answer until `expires_at`: of somebody who wants an account, or a `player`'s new one."""

    __tablename__ = "confirmation"
    __table_args__ = (Index("confirmation_address", "address_key", unique=True), Index("confirmation_expiry", "expires_at"))
    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    player: int | None = Field(foreign_key="player.id")
    name: str | None
    address: str
    address_key: str
    expires_at: str


class ReachRow(SQLModel, table=True):
    """The deliverability of a player's mail. A row exists once there was a doubt; `since` is set while mail does not arrive.

    Mail that came back before `cleared_at` does not count any more. `why` is the last reason, as the mail system gave it.
    """

    __tablename__ = "reach"
    player: int = Field(primary_key=True, foreign_key="player.id", sa_column_kwargs={"autoincrement": False})
    since: str | None
    cleared_at: str | None
    why: str

    __table_args__ = (_partial("reach_since", "since", where="since IS NOT NULL"),)


class ReliabilityRow(SQLModel, table=True):
    """A player's turns: the number of all, in time, out of time, with grace and with time given back. A view that follows from the log."""

    __tablename__ = "reliability"
    player: int = Field(primary_key=True, foreign_key="player.id", sa_column_kwargs={"autoincrement": False})
    turns: int
    in_time: int
    flags: int
    graces: int
    waits: int = Field(sa_column_kwargs={"server_default": "0"})


class GameRow(SQLModel, table=True):
    """A game, for lists and for the sweep. `due_at` is when the clock must be looked at next."""

    __tablename__ = "game"
    __table_args__ = (_partial("game_due", "due_at", where="due_at IS NOT NULL"),)
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
    """A seat of a game and its player."""

    __tablename__ = "seat"
    game: int = Field(primary_key=True, foreign_key="game.id")
    seat: int = Field(primary_key=True)
    player: int = Field(foreign_key="player.id", index=True)
    accepted: bool


class SeatOfferRow(SQLModel, table=True):
    """A player who was asked to take a seat over and has not answered."""

    __tablename__ = "seat_offer"
    game: int = Field(primary_key=True, foreign_key="game.id")
    seat: int = Field(primary_key=True)
    player: int = Field(foreign_key="player.id", index=True)


ARCHIVED: Final = "archived"
"""The phase in the row of a league that is in no list."""


class LeagueRow(SQLModel, table=True):
    """A league, for lists and for the sweep. `season` is the number of the latest one, 0 before the first.

    `phase` is the season's phase, empty if there is no season, or `ARCHIVED`. `due_at` is when the league must be looked at next, and
    `opens_at` when games of it are to be opened.
    """

    __tablename__ = "league"
    __table_args__ = (
        Index("league_name", "name_key", unique=True),
        _partial("league_due", "due_at", where="due_at IS NOT NULL"),
        _partial("league_opens", "opens_at", where="opens_at IS NOT NULL"),
    )
    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    version: int
    name: str
    name_key: str
    game: str
    season: int
    phase: str
    due_at: str | None
    opens_at: str | None
    opened_at: str


class LeagueGameRow(SQLModel, table=True):
    """A game of a league, with its season and meeting. `changed` says that the league has not heard the latest news of the game."""

    __tablename__ = "league_game"
    __table_args__ = (
        _partial("league_game_changed", "league", "game", where="changed"),
        Index("league_game_meeting", "league", "season", "meeting"),
    )
    game: int = Field(primary_key=True, foreign_key="game.id", sa_column_kwargs={"autoincrement": False})
    league: int = Field(foreign_key="league.id")
    season: int
    meeting: int
    changed: bool


class LeaguePlayerRow(SQLModel, table=True):
    """A player who has entered the present season of a league or plays in it."""

    __tablename__ = "league_player"
    league: int = Field(primary_key=True, foreign_key="league.id")
    player: int = Field(primary_key=True, foreign_key="player.id", index=True)


class ResultRow(SQLModel, table=True):
    """A game of a league that counts for ratings: a view that follows from the logs of the league and of the game.

    `key` is the catalogue's name of the game, and `at` when it ended. `sides` and `places` are canonical JSON. `sides` lists the players
    of each side, each with whether the result counts for them; `places` are the sides' places.
    """

    __tablename__ = "result"
    __table_args__ = (Index("result_key", "key", "at", "game"), Index("result_league", "league"))
    game: int = Field(primary_key=True, foreign_key="game.id", sa_column_kwargs={"autoincrement": False})
    league: int = Field(foreign_key="league.id")
    season: int
    meeting: int
    key: str
    at: str
    sides: str = Field(sa_column=Column(Text, nullable=False))
    places: str = Field(sa_column=Column(Text, nullable=False))


class RatingRow(SQLModel, table=True):
    """A moment of a player's rating at a game of the catalogue, after the results up to that `game`, which ended `at` an instant.

    `games` are those that had counted by then. `mean`, `spread` and `volatility` are in the units of the model: see
    `league.scoring.ratings`.
    """

    __tablename__ = "rating"
    key: str = Field(primary_key=True)
    player: int = Field(primary_key=True, foreign_key="player.id")
    at: str = Field(primary_key=True)
    game: int = Field(primary_key=True)
    games: int
    mean: float
    spread: float
    volatility: float


class RatedRow(SQLModel, table=True):
    """The state of the ratings of one game of the catalogue: how far they have followed its results.

    `changes` is the number of changes of results. Ratings are as the results say up to `since`, or all of them if that is empty.
    """

    __tablename__ = "rated"
    __table_args__ = (_partial("rated_since", "key", where="since IS NOT NULL"),)
    key: str = Field(primary_key=True)
    changes: int
    since: str | None


class ChatRow(SQLModel, table=True):
    """A line that one player said to the others of a game."""

    __tablename__ = "chat"
    id: int | None = Field(default=None, primary_key=True)
    game: int = Field(foreign_key="game.id", index=True)
    player: int = Field(foreign_key="player.id")
    at: str
    text: str = Field(sa_column=Column(Text, nullable=False))


class NoteRow(SQLModel, table=True):
    """A private note of a player on a turn of a game. After the end its player may have it `published` with the record of the game."""

    __tablename__ = "note"
    __table_args__ = (Index("note_game", "game", "player"),)
    id: int | None = Field(default=None, primary_key=True)
    game: int = Field(foreign_key="game.id")
    player: int = Field(foreign_key="player.id")
    turn: int
    text: str = Field(sa_column=Column(Text, nullable=False))
    at: str
    published: bool


class InboxRow(SQLModel, table=True):
    """A mail as it arrived."""

    __tablename__ = "inbox"
    __table_args__ = (
        _partial("inbox_new", "received_at", where="status = 'new'"),
        _partial("inbox_first", "identity", where="copy_of IS NULL", unique=True),
        _partial("inbox_copies", "copy_of", where="copy_of IS NOT NULL"),
        _partial("inbox_writer", "writer", "received_at", where="writer IS NOT NULL"),
        _partial("inbox_sharing", "bytes_of", where="bytes_of IS NOT NULL"),
    )
    id: int | None = Field(default=None, primary_key=True)
    # equal for copies of one mail; all but the first are stored done, and `copy_of` is the first row
    identity: str
    copy_of: int | None = Field(foreign_key="inbox.id")
    source: str
    recipient: str
    sender: str
    received_at: str
    # empty where the bytes are those of an earlier row, `bytes_of`: a mail to several recipients has a row for each
    raw: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    bytes_of: int | None = Field(foreign_key="inbox.id")
    # new, done (with an `outcome`), failed, or resting: in quarantine with its game (the outcome)
    status: str
    outcome: str | None
    attempts: int
    lease_until: str | None
    lease_owner: str | None
    handled_at: str | None
    error: str | None
    # the name under which a mail that is done counts: the player whose token it carried, or an address
    writer: str | None
    # what is left of erased bytes: their SHA-256 and their number
    erased: str | None


class OutboxRow(SQLModel, table=True):
    """A mail to be sent, or one that was."""

    __tablename__ = "outbox"
    __table_args__ = (
        _partial("outbox_queued", "next_at", where="status = 'queued'"),
        _partial("outbox_address", "address_key", "created_at", where="address_key IS NOT NULL"),
        _partial("outbox_held", "due_at", where="status = 'held'"),
        _partial("outbox_held_player", "player", where="status = 'held'"),
        _partial("outbox_returned", "player", "reported_at", where="report IN ('hard', 'soft')"),
        Index("outbox_told", "game", "player", "version"),
    )
    id: int | None = Field(default=None, primary_key=True)
    kind: str
    player: int | None
    address: str | None
    address_key: str | None
    game: int | None
    league: int | None
    # the version of the game's or league's stream that the mail shows
    version: int | None
    # canonical JSON that the template needs besides the game or league itself
    detail: str = Field(sa_column=Column(Text, nullable=False))
    # compared by its bytes, on PostgreSQL too, so that the index finds all that begin alike
    message_id: str = Field(sa_column_kwargs={"unique": True})
    in_reply_to: str | None
    created_at: str
    # queued, sent or dead; or held for a digest, then merged into the row `merged_into` if there was still something to tell;
    # or merged while it waited for another mail, that row, which tells its news too;
    # or unwanted, because its player has unsubscribed; or called off, because what it tells was corrected before;
    # or bounced, if it came back after it was sent
    status: str
    # how often it was tried
    attempts: int
    # how often a process took it without noting a result: the present holder, and processes that died with it
    begun: int = Field(sa_column_kwargs={"server_default": "0"})
    # when it was to leave, whatever came in the way; `next_at` is when it is tried next
    due_at: str
    next_at: str
    lease_until: str | None
    lease_owner: str | None
    last_error: str | None
    sent_at: str | None
    # the text as sent, kept so that the reader can subtract it from the answer
    text: str | None = Field(sa_column=Column(Text))
    merged_into: int | None = Field(foreign_key="outbox.id")
    # the words of the next server when it took the mail
    answer: str | None
    # the worst news of it afterwards: hard, soft, policy, delayed or delivered; with its instant, its reason, and the mail of the
    # inbox that brought it, if it was not the next server that refused the mail
    report: str | None
    reported_at: str | None
    reason: str | None
    report_mail: int | None
    # when the first mail arrived that shows that the player has read this one
    answered_at: str | None
    # what is left of an erased `text`: the SHA-256 of its UTF-8, and its number of bytes
    erased: str | None


class MailboxRow(SQLModel, table=True):
    """A folder that is read over IMAP, and how far: `store.mail.mailboxes` explains the columns."""

    __tablename__ = "mailbox"
    account: str = Field(primary_key=True)
    folder: str = Field(primary_key=True)
    began_at: str
    # both have 32 bits and no sign (RFC 3501, 2.3.1.1), which is more than PostgreSQL's integer
    uidvalidity: int | None = Field(sa_type=BigInteger)
    next_uid: int = Field(sa_type=BigInteger)
    sure_uid: int = Field(sa_type=BigInteger)
    read_at: str


class FetchedRow(SQLModel, table=True):
    """A message of a mailbox that is in the inbox and perhaps not yet marked and moved; it goes when `mailbox.next_uid` passes it."""

    __tablename__ = "fetched"
    account: str = Field(primary_key=True)
    folder: str = Field(primary_key=True)
    uidvalidity: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    uid: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})


class ReaderRow(SQLModel, table=True):
    """An IMAP account: the process that reads it, the number of failures in a row, and when it is tried again."""

    __tablename__ = "reader"
    account: str = Field(primary_key=True)
    lease_owner: str | None
    lease_until: str | None
    failures: int
    retry_at: str | None


class OutageRow(SQLModel, table=True):
    """A time during which no scheduler ran; `settled` once every affected clock got it back."""

    __tablename__ = "outage"
    id: int | None = Field(default=None, primary_key=True)
    began_at: str
    ended_at: str
    settled: bool


class HeartbeatRow(SQLModel, table=True):
    """The instant of the last sweep, in one row. An admin confirmed the clock after the event at `sure_position`.

    `doubted_at` is what the clock said when a process found it to be ahead, until it is right again.
    """

    __tablename__ = "heartbeat"
    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: str
    sure_position: int = Field(sa_column_kwargs={"server_default": "0"})
    doubted_at: str | None


class RestorationRow(SQLModel, table=True):
    """A restoration of an earlier state of the database.

    History up to `position` is the old one, and so are players, games, leagues, confirmations and mails up to those numbers. Later things
    have nothing to do with the things of the same numbers in the lost history.
    """

    __tablename__ = "restoration"
    id: int | None = Field(default=None, primary_key=True)
    at: str
    # `restored`, or `noticed` if nobody has said so
    reason: str
    position: int
    # when the old service was last seen
    since: str | None
    # reply addresses of this history are signed by this version of the key or a later one, Message-IDs by `message_key`
    reply_key: int
    message_key: int
    player: int
    game: int
    league: int
    confirmation: int
    mail: int
    # something may have happened after the backup was made
    lost: bool
    # the players have heard of it
    told: bool


class LossRow(SQLModel, table=True):
    """Something that certainly happened and is missing from the history, with the `evidence` for it.

    `subject` names it, always in the same form: `game-17 turn 8 edition 1`. `mail` is the mail of the inbox that shows it. `reported_at` is
    when the admin was told.
    """

    __tablename__ = "loss"
    __table_args__ = (Index("loss_subject", "subject", unique=True), _partial("loss_unreported", "at", where="reported_at IS NULL"))
    id: int | None = Field(default=None, primary_key=True)
    subject: str
    evidence: str
    at: str
    mail: int | None
    reported_at: str | None


class ArchiveRow(SQLModel, table=True):
    """A game that was taken into the archive. `digest` is the SHA-256 of its event's contents.

    `words` are the other words of its record, which may be erased, as JSON: event, site, round, comments and the like.
    """

    __tablename__ = "archive"
    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    version: int
    game: str
    turns: int
    outcome: str
    digest: str = Field(index=True)
    imported_at: str
    words: str = Field(sa_column=Column(Text, nullable=False))


class ArchiveNameRow(SQLModel, table=True):
    """A name at a seat of an archived game, empty once it is erased. Original names have the lowest numbers, substitutes follow.

    `player` is the account that the name stands for, if an admin has said so.
    """

    __tablename__ = "archive_name"
    archive: int = Field(primary_key=True, foreign_key="archive.id", sa_column_kwargs={"autoincrement": False})
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seat: int
    name: str
    player: int | None = Field(foreign_key="player.id", index=True)


class RestRow(SQLModel, table=True):
    """A game in quarantine: the installed program cannot play it again from its log. Its time does not count from `since` on."""

    __tablename__ = "rest"
    game: int = Field(primary_key=True, foreign_key="game.id", sa_column_kwargs={"autoincrement": False})
    since: str
    why: str = Field(sa_column=Column(Text, nullable=False))


class PlanRow(SQLModel, table=True):
    """The text of a plan that the log has the `digest` of, and its `salt`. It stays for the audit when the game is over."""

    __tablename__ = "plan"
    game: int = Field(primary_key=True, foreign_key="game.id", sa_column_kwargs={"autoincrement": False})
    digest: str = Field(primary_key=True)
    seat: int
    text: str = Field(sa_column=Column(Text, nullable=False))
    salt: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    laid_at: str


class FormRow(SQLModel, table=True):
    """A request that a form of a page made. `nonce` is its key, which is made of the nonce of the page and what the form said."""

    __tablename__ = "form"
    __table_args__ = (Index("form_player", "player", "at"),)
    nonce: str = Field(primary_key=True)
    player: int = Field(foreign_key="player.id")
    at: str = Field(index=True)


class SignInRow(SQLModel, table=True):
    """A link that signs a player in, known by the SHA-256 of its token; or, without a player, that nobody has the address that was given.

    `mailbox` is the SHA-256 of that address. `used_at` is when the player signed in by the link.
    """

    __tablename__ = "sign_in"
    __table_args__ = (Index("sign_in_mailbox", "mailbox", "made_at"),)
    token: str = Field(primary_key=True)
    player: int | None = Field(foreign_key="player.id", index=True)
    mailbox: str
    made_at: str = Field(index=True)
    expires_at: str
    used_at: str | None


class SessionRow(SQLModel, table=True):
    """A browser in which a player is signed in, known by the SHA-256 of its cookie. It was last used at `seen_at`."""

    __tablename__ = "session"
    token: str = Field(primary_key=True)
    player: int = Field(foreign_key="player.id", index=True)
    made_at: str
    seen_at: str
    expires_at: str = Field(index=True)
    browser: str


class VisibilityRow(SQLModel, table=True):
    """The `level` at which an admin lets a game or a league (`what`) of that number be seen; without a row, the settings say it."""

    __tablename__ = "visibility"
    what: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    level: str


class SecretRow(SQLModel, table=True):
    """Keys of the service, by name and version; never in the log or in a log line. `made_at` is known of those that replaced another."""

    __tablename__ = "secret"
    name: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    value: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    made_at: str | None
