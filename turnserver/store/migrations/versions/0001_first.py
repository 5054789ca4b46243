"""The first tables, the counters, and the triggers that make the log append-only."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_SQLITE_TRIGGERS = (
    "CREATE TRIGGER event_no_update BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
    "CREATE TRIGGER event_no_delete BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
    "CREATE TRIGGER checkpoint_no_update BEFORE UPDATE ON checkpoint BEGIN SELECT RAISE(ABORT, 'checkpoints are for ever'); END",
    "CREATE TRIGGER checkpoint_no_delete BEFORE DELETE ON checkpoint BEGIN SELECT RAISE(ABORT, 'checkpoints are for ever'); END",
)
_POSTGRESQL_TRIGGERS = (
    "CREATE FUNCTION event_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the log is append-only'; END $$",
    "CREATE TRIGGER event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON event EXECUTE FUNCTION event_append_only()",
    "CREATE FUNCTION checkpoint_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'checkpoints are for ever'; END $$",
    "CREATE TRIGGER checkpoint_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON checkpoint EXECUTE FUNCTION checkpoint_kept()",
)


def upgrade() -> None:
    """Make everything."""
    _log()
    _games()
    _leagues()
    _ratings()
    _mail()
    _imap()
    _service()
    _restoring()
    _archive()
    for trigger in _SQLITE_TRIGGERS if op.get_bind().dialect.name == "sqlite" else _POSTGRESQL_TRIGGERS:
        op.execute(trigger)


def _log() -> None:
    op.create_table(
        "event",
        sa.Column("position", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("stream", sa.String, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("type", sa.String, nullable=False),
        sa.Column("schema", sa.Integer, nullable=False),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("actor", sa.String, nullable=False),
        sa.Column("cause", sa.String, nullable=False),
        sa.Column("ordinal", sa.Integer, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("hash", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("position", name="event_pkey"),
        sa.UniqueConstraint("stream", "version", name="event_stream_version"),
        sa.UniqueConstraint("stream", "cause", "ordinal", name="event_stream_cause"),
    )
    op.create_table(
        "checkpoint",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("root", sa.String, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("frontier", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="checkpoint_pkey"),
    )
    op.create_index("checkpoint_size", "checkpoint", ["size"])
    counter = op.create_table(
        "counter",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("value", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("name", name="counter_pkey"),
    )
    op.bulk_insert(counter, [{"name": name, "value": 0} for name in ("position", "game", "league", "player", "confirmation", "archive")])


def _games() -> None:
    op.create_table(
        "player",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("name_key", sa.String, nullable=False),
        sa.Column("address", sa.String, nullable=False),
        sa.Column("address_key", sa.String, nullable=False),
        sa.Column("zone", sa.String, nullable=False),
        sa.Column("created_at", sa.String, nullable=False),
        sa.Column("mail", sa.String, nullable=False),
        sa.Column("digest", sa.String),
        sa.Column("quiet", sa.String),
        sa.Column("board", sa.String, nullable=False),
        sa.Column("reminders", sa.Boolean, nullable=False),
        sa.Column("calendar", sa.Boolean, nullable=False),
        sa.Column("subscribed", sa.Boolean, nullable=False),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("confirmed_at", sa.String),
        sa.Column("erased_at", sa.String),
        sa.Column("wiped_at", sa.String),
        sa.PrimaryKeyConstraint("id", name="player_pkey"),
    )
    op.create_index("player_name", "player", ["name_key"], unique=True)
    op.create_index("player_address", "player", ["address_key"], unique=True)
    _partial("player_erased", "player", ["erased_at"], "erased_at IS NOT NULL")
    op.create_table(
        "confirmation",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("player", sa.Integer),
        sa.Column("name", sa.String),
        sa.Column("address", sa.String, nullable=False),
        sa.Column("address_key", sa.String, nullable=False),
        sa.Column("expires_at", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("id", name="confirmation_pkey"),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="confirmation_player_fkey"),
    )
    op.create_index("confirmation_address", "confirmation", ["address_key"], unique=True)
    op.create_index("confirmation_expiry", "confirmation", ["expires_at"])
    op.create_table(
        "game",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("to_move", sa.Integer),
        sa.Column("deadline_at", sa.String),
        sa.Column("due_at", sa.String),
        sa.Column("opened_at", sa.String, nullable=False),
        sa.Column("ended_at", sa.String),
        sa.Column("outcome", sa.String),
        sa.Column("ended_by", sa.String),
        sa.Column("winners", sa.String),
        sa.PrimaryKeyConstraint("id", name="game_pkey"),
    )
    _partial("game_due", "game", ["due_at"], "due_at IS NOT NULL")
    op.create_table(
        "seat",
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("accepted", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("game", "seat", name="seat_pkey"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="seat_game_fkey"),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="seat_player_fkey"),
    )
    op.create_index("seat_player", "seat", ["player"])
    op.create_table(
        "seat_offer",
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game", "seat", name="seat_offer_pkey"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="seat_offer_game_fkey"),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="seat_offer_player_fkey"),
    )
    op.create_index("seat_offer_player", "seat_offer", ["player"])
    op.create_table(
        "plan",
        sa.Column("game", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("salt", sa.LargeBinary, nullable=False),
        sa.Column("laid_at", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("game", "digest", name="plan_pkey"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="plan_game_fkey"),
    )
    op.create_table(
        "reach",
        sa.Column("player", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("since", sa.String),
        sa.Column("cleared_at", sa.String),
        sa.Column("why", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("player", name="reach_pkey"),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="reach_player_fkey"),
    )
    _partial("reach_since", "reach", ["since"], "since IS NOT NULL")
    op.create_table(
        "reliability",
        sa.Column("player", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("in_time", sa.Integer, nullable=False),
        sa.Column("flags", sa.Integer, nullable=False),
        sa.Column("graces", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("player", name="reliability_pkey"),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="reliability_player_fkey"),
    )
    op.create_table(
        "chat",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="chat_pkey"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="chat_game_fkey"),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="chat_player_fkey"),
    )
    op.create_index("chat_game", "chat", ["game"])


def _leagues() -> None:
    op.create_table(
        "league",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("name_key", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("season", sa.Integer, nullable=False),
        sa.Column("phase", sa.String, nullable=False),
        sa.Column("due_at", sa.String),
        sa.Column("opens_at", sa.String),
        sa.Column("opened_at", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("id", name="league_pkey"),
    )
    op.create_index("league_name", "league", ["name_key"], unique=True)
    _partial("league_due", "league", ["due_at"], "due_at IS NOT NULL")
    _partial("league_opens", "league", ["opens_at"], "opens_at IS NOT NULL")
    op.create_table(
        "league_game",
        sa.Column("game", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("league", sa.Integer, nullable=False),
        sa.Column("season", sa.Integer, nullable=False),
        sa.Column("meeting", sa.Integer, nullable=False),
        sa.Column("changed", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("game", name="league_game_pkey"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="league_game_game_fkey"),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name="league_game_league_fkey"),
    )
    op.create_index("league_game_meeting", "league_game", ["league", "season", "meeting"])
    _partial("league_game_changed", "league_game", ["league", "game"], "changed")
    op.create_table(
        "league_player",
        sa.Column("league", sa.Integer, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("league", "player", name="league_player_pkey"),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name="league_player_league_fkey"),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="league_player_player_fkey"),
    )
    op.create_index("league_player_player", "league_player", ["player"])


def _ratings() -> None:
    op.create_table(
        "result",
        sa.Column("game", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("league", sa.Integer, nullable=False),
        sa.Column("season", sa.Integer, nullable=False),
        sa.Column("meeting", sa.Integer, nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("sides", sa.Text, nullable=False),
        sa.Column("places", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game", name="result_pkey"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="result_game_fkey"),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name="result_league_fkey"),
    )
    op.create_index("result_key", "result", ["key", "at", "game"])
    op.create_index("result_league", "result", ["league"])
    op.create_table(
        "rating",
        sa.Column("key", sa.String, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("mean", sa.Float, nullable=False),
        sa.Column("spread", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("key", "player", "at", "game", name="rating_pkey"),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="rating_player_fkey"),
    )
    op.create_table(
        "rated",
        sa.Column("key", sa.String, nullable=False),
        sa.Column("changes", sa.Integer, nullable=False),
        sa.Column("since", sa.String),
        sa.PrimaryKeyConstraint("key", name="rated_pkey"),
    )
    _partial("rated_since", "rated", ["key"], "since IS NOT NULL")


def _mail() -> None:
    op.create_table(
        "inbox",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("identity", sa.String, nullable=False),
        sa.Column("copy_of", sa.Integer),
        sa.Column("source", sa.String, nullable=False),
        sa.Column("recipient", sa.String, nullable=False),
        sa.Column("sender", sa.String, nullable=False),
        sa.Column("received_at", sa.String, nullable=False),
        sa.Column("raw", sa.LargeBinary, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("outcome", sa.String),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("lease_until", sa.String),
        sa.Column("handled_at", sa.String),
        sa.Column("error", sa.String),
        sa.Column("writer", sa.String),
        sa.Column("erased", sa.String),
        sa.PrimaryKeyConstraint("id", name="inbox_pkey"),
        sa.ForeignKeyConstraint(["copy_of"], ["inbox.id"], name="inbox_copy_of_fkey"),
    )
    _partial("inbox_new", "inbox", ["received_at"], "status = 'new'")
    _partial("inbox_first", "inbox", ["identity"], "copy_of IS NULL", unique=True)
    _partial("inbox_copies", "inbox", ["copy_of"], "copy_of IS NOT NULL")
    _partial("inbox_writer", "inbox", ["writer", "received_at"], "writer IS NOT NULL")
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("player", sa.Integer),
        sa.Column("address", sa.String),
        sa.Column("address_key", sa.String),
        sa.Column("game", sa.Integer),
        sa.Column("league", sa.Integer),
        sa.Column("version", sa.Integer),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("message_id", sa.String, nullable=False),
        sa.Column("in_reply_to", sa.String),
        sa.Column("created_at", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("due_at", sa.String, nullable=False),
        sa.Column("next_at", sa.String, nullable=False),
        sa.Column("lease_until", sa.String),
        sa.Column("lease_owner", sa.String),
        sa.Column("last_error", sa.String),
        sa.Column("sent_at", sa.String),
        sa.Column("text", sa.Text),
        sa.Column("merged_into", sa.Integer),
        sa.Column("answer", sa.String),
        sa.Column("report", sa.String),
        sa.Column("reported_at", sa.String),
        sa.Column("reason", sa.String),
        sa.Column("report_mail", sa.Integer),
        sa.Column("answered_at", sa.String),
        sa.Column("erased", sa.String),
        sa.PrimaryKeyConstraint("id", name="outbox_pkey"),
        sa.ForeignKeyConstraint(["merged_into"], ["outbox.id"], name="outbox_merged_into_fkey"),
        sa.UniqueConstraint("message_id", name="outbox_message_id_key"),
    )
    op.create_index("outbox_told", "outbox", ["game", "player", "version"])
    _partial("outbox_queued", "outbox", ["next_at"], "status = 'queued'")
    _partial("outbox_address", "outbox", ["address_key", "created_at"], "address_key IS NOT NULL")
    _partial("outbox_held", "outbox", ["due_at"], "status = 'held'")
    _partial("outbox_held_player", "outbox", ["player"], "status = 'held'")
    _partial("outbox_returned", "outbox", ["player", "reported_at"], "report IN ('hard', 'soft')")


def _imap() -> None:
    op.create_table(
        "mailbox",
        sa.Column("account", sa.String, nullable=False),
        sa.Column("folder", sa.String, nullable=False),
        sa.Column("began_at", sa.String, nullable=False),
        sa.Column("uidvalidity", sa.BigInteger),
        sa.Column("next_uid", sa.BigInteger, nullable=False),
        sa.Column("sure_uid", sa.BigInteger, nullable=False),
        sa.Column("read_at", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("account", "folder", name="mailbox_pkey"),
    )
    op.create_table(
        "fetched",
        sa.Column("account", sa.String, nullable=False),
        sa.Column("folder", sa.String, nullable=False),
        sa.Column("uidvalidity", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("uid", sa.BigInteger, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("account", "folder", "uidvalidity", "uid", name="fetched_pkey"),
    )
    op.create_table(
        "reader",
        sa.Column("account", sa.String, nullable=False),
        sa.Column("lease_owner", sa.String),
        sa.Column("lease_until", sa.String),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("retry_at", sa.String),
        sa.PrimaryKeyConstraint("account", name="reader_pkey"),
    )


def _archive() -> None:
    op.create_table(
        "archive",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("outcome", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("imported_at", sa.String, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="archive_pkey"),
    )
    op.create_index("archive_digest", "archive", ["digest"])
    op.create_table(
        "archive_name",
        sa.Column("archive", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("player", sa.Integer),
        sa.PrimaryKeyConstraint("archive", "number", name="archive_name_pkey"),
        sa.ForeignKeyConstraint(["archive"], ["archive.id"], name="archive_name_archive_fkey"),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="archive_name_player_fkey"),
    )
    op.create_index("archive_name_player", "archive_name", ["player"])


def _restoring() -> None:
    op.create_table(
        "restoration",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("since", sa.String),
        *(
            sa.Column(name, sa.Integer, nullable=False)
            for name in ("reply_key", "message_key", "player", "game", "league", "confirmation", "mail")
        ),
        sa.Column("lost", sa.Boolean, nullable=False),
        sa.Column("told", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="restoration_pkey"),
    )
    op.create_table(
        "loss",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("subject", sa.String, nullable=False),
        sa.Column("evidence", sa.String, nullable=False),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("mail", sa.Integer),
        sa.Column("reported_at", sa.String),
        sa.PrimaryKeyConstraint("id", name="loss_pkey"),
    )
    op.create_index("loss_subject", "loss", ["subject"], unique=True)
    _partial("loss_unreported", "loss", ["at"], "reported_at IS NULL")


def _service() -> None:
    op.create_table(
        "outage",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("began_at", sa.String, nullable=False),
        sa.Column("ended_at", sa.String, nullable=False),
        sa.Column("settled", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="outage_pkey"),
    )
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("at", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("id", name="heartbeat_pkey"),
    )
    op.create_table(
        "rest",
        sa.Column("game", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("since", sa.String, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game", name="rest_pkey"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="rest_game_fkey"),
    )
    op.create_table(
        "secret",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("version", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sa.Column("made_at", sa.String),
        sa.PrimaryKeyConstraint("name", "version", name="secret_pkey"),
    )


def _partial(name: str, table: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    op.create_index(name, table, columns, unique=unique, sqlite_where=sa.text(where), postgresql_where=sa.text(where))
