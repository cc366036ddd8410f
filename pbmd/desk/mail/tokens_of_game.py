"""All tokens that may stand in the letters of a game, to be blanked before others read them."""

from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.tags import GM_SEAT
from pbmd.desk.mail.tokens import tokens_known, tokens_of
from pbmd.ledger.entries.player_entries import AddressEntry, HolderEntry
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.entries.seating_entries import SignedUpEntry
from pbmd.ledger.entries.step_entries import JoinedEntry, JoiningPlayer
from pbmd.ledger.tables import Game, Seat


def tokens_about(work: Transaction, table: OpenGame) -> list[str]:
    """The tokens, including those replaced last, of everybody who plays or played here, in all their games, and of the game
    master: letters may contain any of them."""
    seats = work.session.exec(select(Seat).where(col(Seat.address).in_(_addresses(work, table))))
    games = work.session.exec(select(col(Game.id), Game.gm_generation))
    of_gm = [token for game, last in games for token in tokens_known(work, game or 0, GM_SEAT, last)]
    return [*(token for seat in seats for token in tokens_of(work, seat)), *of_gm]


def _addresses(work: Transaction, table: OpenGame) -> set[str]:
    """The addresses of those who hold, or held, a seat of the game."""
    found = {seat.address for seat in table.seats}
    for each in entries_of(work.session, table.id, JoinedEntry, SignedUpEntry, AddressEntry, HolderEntry, with_sealed=True):
        sealed = each.entry.sealed
        if isinstance(sealed, JoiningPlayer):
            found.add(sealed.address)
        elif sealed:
            found |= {sealed.old, sealed.new}
    return found
