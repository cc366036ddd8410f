"""Where a ledger can be: a file, or a database in PostgreSQL, as SQLAlchemy writes its address."""

from importlib.util import find_spec

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError


def address_problem(address: str) -> str:
    """Why pbmd can have no ledger there, and how to mend it; empty if it can. The address may hold a password: what is said
    never quotes it."""
    try:
        url = make_url(address)
    except ArgumentError:
        return "must be an address like postgresql+psycopg://user@host/name"
    if url.get_backend_name() == "sqlite":
        return ""
    if url.drivername != "postgresql+psycopg":
        return "must begin with postgresql+psycopg:// (or be empty, for a file in the data folder)"
    if find_spec("psycopg") is None:
        return "PostgreSQL needs a driver: pip install 'pbmd-games[postgres]'"
    return ""
