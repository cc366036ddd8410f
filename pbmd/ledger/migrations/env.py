"""Alembic's entry: runs the migrations of the ledger on the database named by `pbmd.ledger.database.migrate`."""

from alembic import context
from sqlmodel import SQLModel

from pbmd.ledger import postgresql, tables
from pbmd.ledger.database import moving, open_engine

assert tables.Game.metadata is SQLModel.metadata

engine = moving(open_engine(context.config.get_main_option("sqlalchemy.url", ""), begins=True))
try:
    with engine.connect() as connection:
        # All in one transaction, on SQLite as well, where Alembic would commit after each migration.
        context.configure(
            connection=connection, target_metadata=SQLModel.metadata, render_as_batch=True, transactional_ddl=True
        )
        with context.begin_transaction():
            if engine.dialect.name == "postgresql":
                postgresql.must_be_fit(connection)
            context.run_migrations()
finally:
    engine.dispose()
