"""Add the table of players' private notes."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "note",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("published", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="note_pkey"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="note_game_fkey"),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="note_player_fkey"),
    )
    op.create_index("note_game", "note", ["game", "player"])
