"""Leases: who holds a mail of the inbox, and how often somebody has begun to send one and not said what came of it."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("inbox", sa.Column("lease_owner", sa.String))
    op.add_column("outbox", sa.Column("begun", sa.Integer, nullable=False, server_default="0"))
    op.execute("UPDATE outbox SET begun = 1 WHERE status = 'queued' AND lease_owner IS NOT NULL")
