"""Add the levels at which games and leagues are seen, and what strangers read in the place of a player's name."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the table and the columns."""
    op.create_table(
        "visibility",
        sa.Column("what", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("level", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("what", "number", name="visibility_pkey"),
    )
    op.add_column("player", sa.Column("public", sa.String, nullable=False, server_default="off"))
    op.add_column("player", sa.Column("pseudonym", sa.String, nullable=True))
    op.add_column("player", sa.Column("pseudonym_key", sa.String, nullable=True))
    op.create_index("player_pseudonym", "player", ["pseudonym_key"], unique=True)
