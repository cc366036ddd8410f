"""A new key for the server, if the old one is lost for good."""

from pathlib import Path

from sqlmodel import col, select

from pbmd.desk.books.server_key import KEY, copy_of_key, key_trouble, known_key, replace_key, way_back
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.gm import announce, send_gm_token
from pbmd.ledger.database import open_engine, reading
from pbmd.ledger.tables import Game, GameStatus
from pbmd.rules import Refused
from pbmd.settings import Settings

TOLD = (
    "The key by which this server knows your replies was lost, and there is a new one. Please reply to this mail, or to a "
    "later one, from now on. If you reply to an earlier one, it is not lost: pbmd asks you first whether it was yours. "
    "Addresses of pages from earlier mails lead nowhere any more, the deadline may stand in your calendar twice, and the heads "
    "in later reports are signed with another key than those before."
)
"""What players are told."""


def make_new_key(settings: Settings) -> Path | None:
    """Make a new key the ledger's; returns where the file that was in its place is now, if there was one. Raises `Refused` if
    the right one is there, or a copy of it; `OSError` and `SQLAlchemyError`."""
    engine = open_engine(settings.database_url)
    try:
        with reading(engine).connect() as connection:
            known = known_key(connection)
        if not key_trouble(settings.data / KEY, known):
            raise Refused(f"{settings.data / KEY} is whole, and the key of this ledger: no other is needed")
        if not key_trouble(copy_of_key(settings), known):
            raise Refused(f"the key is not lost: {way_back(settings, known)}")
        with engine.begin() as connection:
            return replace_key(settings, connection)
    finally:
        engine.dispose()


def tell_of_new_key(work: Transaction, table: OpenGame) -> None:
    """Send everybody who plays, and the game master, a mail with which they can go on. Raises `Refused`."""
    announce(work, table, TOLD)
    send_gm_token(work, table, f"gm-token {table.id} key {table.game.chain_number}")


def unfinished(work: Transaction) -> list[int]:
    """The games whose people have to know."""
    games = work.session.exec(select(Game.id).where(Game.status != GameStatus.FINISHED).order_by(col(Game.id)))
    return [game for game in games if game is not None]
