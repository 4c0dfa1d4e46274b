"""Alembic's environment around each change of layout: it works on the caller's connection."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
