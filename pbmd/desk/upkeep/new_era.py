"""Going on with a ledger in PostgreSQL that `pg_restore` has restored: what `pbmd.desk.upkeep.restore` does with a file."""

from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy import Connection, func, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from pbmd.desk.books.server_key import KEY, key_trouble, known_key, replace_key
from pbmd.desk.upkeep.restore import Difference, compared, mark
from pbmd.ledger.damage import said_by
from pbmd.ledger.database import migrate, open_engine, reading
from pbmd.ledger.postgresql import identity
from pbmd.ledger.tables import Game, Letter
from pbmd.rules import Refused
from pbmd.settings import Settings


def must_be_postgresql(settings: Settings) -> None:
    """Raises `Refused` for a ledger in a file."""
    if make_url(settings.database_url).get_backend_name() != "postgresql":
        raise Refused("the ledger is in a file: pbmd restore FILE puts a backup in its place, and begins a new era by itself")


def must_have_key(settings: Settings) -> None:
    """Raises `Refused` if the key of the ledger is not in the data folder: another one would be made."""
    key = settings.data / KEY
    with _looking_at(settings.database_url) as ledger:
        trouble = key_trouble(key, known_key(ledger))
    if trouble:
        raise Refused(
            f"{key} {trouble}, and without it no reply to an earlier mail proves anything: copy it from where pbmd ran "
            "before; nothing was changed. If it is lost: --force goes on with a new one"
        )


def lost_since(settings: Settings, replaced: str) -> Difference:
    """What the ledger lacks compared with the one that it replaces, whose address is given, empty if that no longer exists.
    Raises `Refused`, and `SQLAlchemyError` for the ledger itself."""
    if not replaced:
        return Difference(readable=False)
    with _looking_at(settings.database_url) as old:
        try:
            with _looking_at(replaced) as ledger:
                if identity(ledger) == identity(old):
                    raise Refused("--replaced is the ledger itself: it takes the address of the database that was used before")
                return compared(old, ledger)
        except DBAPIError as problem:
            raise Refused(f"the replaced ledger cannot be read: {said_by(problem.orig or problem)}") from None


def begin_new_era(settings: Settings, lacks: Difference) -> tuple[int, int, bool]:
    """Bring the ledger up to date, and make sure that what is sent from now on belongs to a new era, and that nothing is sent
    again that has gone out. Returns the number of its games, and of its letters, and whether its key is new. Raises as
    `open_desk` does."""
    migrate(settings.database_url)
    engine = open_engine(settings.database_url)
    try:
        with engine.begin() as connection:
            mark(connection, lacks)
            is_new = bool(key_trouble(settings.data / KEY, known_key(connection)))
            if is_new:
                replace_key(settings, connection)  # all hosts must have it from then on
            games, letters = (
                connection.execute(select(func.count()).select_from(kind)).scalar_one() for kind in (Game, Letter)
            )
            return games, letters, is_new
    finally:
        engine.dispose()


@contextmanager
def _looking_at(address: str) -> Generator[Connection]:
    engine = open_engine(address)
    try:
        with reading(engine).connect() as connection:
            yield connection
    finally:
        engine.dispose()
