"""Add columns for receipts of moves, and for subjects that say what a mail wants."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the columns, with what holds for new players."""
    op.add_column("player", sa.Column("receipts", sa.String, nullable=False, server_default="first"))
    op.add_column("player", sa.Column("subjects", sa.Boolean, nullable=False, server_default=sa.text("true")))
