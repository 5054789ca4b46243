"""The instant that the clock told when a process found it to be ahead."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add the column."""
    op.add_column("heartbeat", sa.Column("doubted_at", sa.String, nullable=True))
