"""The tables' history, run by Alembic without a configuration file, so that a wheel carries all of it."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection

from turnserver.errors import WrongRevision


def configuration() -> Config:
    """Return Alembic's configuration for this directory. The caller sets `attributes["connection"]`."""
    config = Config()
    # a percent sign in a path would be an interpolation
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def upgrade(connection: Connection) -> str | None:
    """Run every migration that is missing, and return the revision that was there before; None if there were no tables.

    The connection is in a transaction, and one alone for all of them: tables are never between two revisions. Raises WrongRevision for
    newer tables.
    """
    config = configuration()
    found = MigrationContext.configure(connection).get_current_revision()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise WrongRevision("the database is newer than this program: update turnserver") from error
    return found


def known() -> frozenset[str]:
    """Return the revisions that this program can upgrade from."""
    return frozenset(script.revision for script in ScriptDirectory.from_config(configuration()).walk_revisions())
