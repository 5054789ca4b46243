"""Alembic's entry: run the migrations on the connection and in the transaction of `turnserver.store.migrations.upgrade`."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=False)
context.run_migrations()
