"""Compare Message-IDs by their bytes, as SQLite does, so that an index finds those that begin alike."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Change the column where the order of texts is a matter of the database's language."""
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("outbox", "message_id", type_=sa.String(collation="C"), existing_nullable=False)
