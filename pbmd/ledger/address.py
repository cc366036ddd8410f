"""The address of a ledger, as SQLAlchemy writes it: a file, or a database in PostgreSQL."""

from importlib.util import find_spec

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError


def address_problem(address: str) -> str:
    """Why pbmd cannot have a ledger there, and how to mend that; empty if it can. The address may hold a password, which is
    never quoted."""
    if address.count("@") > 1:
        # What follows the first one would be taken for the host, and be shown wherever the host is.
        return "must be an address with one @, before the host: any other, as in the password, is written %40"
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):  # not a port, and perhaps a password
        return "must be an address like postgresql+psycopg://user@host/name"
    if url.get_backend_name() == "sqlite":
        return ""
    if url.drivername != "postgresql+psycopg":
        return "must begin with postgresql+psycopg:// (or be empty, for a file in the data folder)"
    if "password=" in address.partition("?")[2]:  # also one that begins with "&", of which the URL has nothing else
        return "must have its password before the host, or in a file that passfile names: postgresql+psycopg://user:password@host/name"
    if find_spec("psycopg") is None:
        return "PostgreSQL needs a driver: pip install 'pbmd-games[postgres]'"
    return ""
