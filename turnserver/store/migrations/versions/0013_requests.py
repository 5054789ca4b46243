"""Find the requests of one player among those of all: every mail counts them."""

from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the index."""
    op.create_index("form_player", "form", ["player", "at"])
