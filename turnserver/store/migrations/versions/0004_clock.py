"""Up to which event an admin has confirmed the clock of the machine."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column."""
    op.add_column("heartbeat", sa.Column("sure_position", sa.Integer, nullable=False, server_default="0"))
