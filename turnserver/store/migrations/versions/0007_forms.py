"""Add the table of forms that were sent from pages."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "form",
        sa.Column("nonce", sa.String, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("at", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("nonce", name="form_pkey"),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="form_player_fkey"),
    )
    op.create_index("form_at", "form", ["at"])
