"""Add the mail whose bytes a row of the inbox shares, where several recipients were sent one mail."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column; in words that both engines read, because Alembic adds no foreign key to a table of SQLite."""
    op.execute("ALTER TABLE inbox ADD COLUMN bytes_of INTEGER CONSTRAINT inbox_bytes_of_fkey REFERENCES inbox (id)")
    shares = sa.text("bytes_of IS NOT NULL")
    op.create_index("inbox_sharing", "inbox", ["bytes_of"], sqlite_where=shares, postgresql_where=shares)
