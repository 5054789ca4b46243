"""Add the tables of links to sign in by and of the browsers in which players are signed in, and a column for their calendars."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the tables, and the column with what holds for everybody at first."""
    op.add_column("player", sa.Column("calendar_edition", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "sign_in",
        sa.Column("token", sa.String, nullable=False),
        sa.Column("player", sa.Integer),
        sa.Column("mailbox", sa.String, nullable=False),
        sa.Column("made_at", sa.String, nullable=False),
        sa.Column("expires_at", sa.String, nullable=False),
        sa.Column("used_at", sa.String),
        sa.PrimaryKeyConstraint("token", name="sign_in_pkey"),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="sign_in_player_fkey"),
    )
    op.create_index("sign_in_mailbox", "sign_in", ["mailbox", "made_at"])
    op.create_index("sign_in_player", "sign_in", ["player"])
    op.create_index("sign_in_made_at", "sign_in", ["made_at"])
    op.create_table(
        "session",
        sa.Column("token", sa.String, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("made_at", sa.String, nullable=False),
        sa.Column("seen_at", sa.String, nullable=False),
        sa.Column("expires_at", sa.String, nullable=False),
        sa.Column("browser", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("token", name="session_pkey"),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="session_player_fkey"),
    )
    op.create_index("session_player", "session", ["player"])
    op.create_index("session_expires_at", "session", ["expires_at"])
