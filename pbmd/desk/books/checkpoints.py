"""The key by which the checkpoints of games are signed, and the checkpoints that reports show.

The key is derived from the server's: so it is the same on all hosts of a ledger, is compared and backed up with that, and
stands in no file, ledger or archive of its own.
"""

import hmac
import json
from dataclasses import dataclass

from sqlalchemy import bindparam
from sqlalchemy.orm import object_session
from sqlmodel import col, select

from pbmd.desk.books.carried_out import Tick
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.entries.rows import TurnEntry, last_turn_entry
from pbmd.ledger.entries.step_entries import CreatedEntry, ImportedEntry
from pbmd.ledger.tables import Game, JournalEntry
from pbmd.notes.checkpoint import ANEW, OF_REPORTS, Checkpoint, sign_checkpoint
from pbmd.notes.four_words import four_words
from pbmd.notes.signed_note import Signer

_DIGITS = 12
_BEFORE_LETTERS = 500
"""That a game goes on from an archive is written behind its seats, before any letter comes."""


@dataclass(frozen=True, slots=True)
class SignedHead:
    """The head of a journal, signed, as a text that ends with a line end; and the key that it is checked by. `words` are the
    four words of the `entry` of the turn, which everybody has."""

    note: str
    key: str
    words: str
    entry: TurnEntry


def signer_of(desk: Desk, log: str) -> Signer:
    """What signs the checkpoints of a journal, by its name (`journal_name`). All have one key, under the name of each."""
    local, _, domain = desk.settings.server.address.lower().rpartition("@")
    return Signer(f"{domain}/{local}/{log}", hmac.digest(desk.key, b"pbmd: the key that signs checkpoints", "sha256"))


def journal_name(game: Game) -> str:
    """What the journal of a game is called where it is signed: as the game, and digits of the hash of the entry with which it
    begins, here or anew from an archive. Else two honest journals at one host could have one name, and look like two histories:
    a club that has lost its books begins again under the old names, with the old key."""
    session = object_session(game)
    assert session is not None, "the game comes from a ledger that is open"
    first = session.execute(_BEGINNINGS, {"game": game.id}).scalars().first()
    return f"{game.name}{ANEW}{first[:_DIGITS]}" if first else game.name


# Made once: putting a statement together takes longer than the ledger takes to answer.
_BEGINNINGS = (
    select(JournalEntry.hash)
    .where(
        JournalEntry.game_id == bindparam("game"),
        JournalEntry.number <= _BEFORE_LETTERS,
        col(JournalEntry.kind).in_((CreatedEntry.kind, ImportedEntry.kind)),
    )
    .order_by(col(JournalEntry.number).desc())
)


def log_of(desk: Desk, game: Game) -> Signer:
    """What signs the checkpoints that the reports of a game show. Where nobody may know how many entries there are, heads are
    counted by the reports, and that log has a name of its own."""
    is_silent = json.loads(game.terms).get("who_has_sent") == "nothing"
    return signer_of(desk, journal_name(game) + (OF_REPORTS if is_silent else ""))


def signed_head(work: Transaction, table: OpenGame, tick: Tick) -> SignedHead:
    """What all reports of a step show."""
    signer, game = log_of(work.desk, table.game), table.game
    number = tick.step + 2 if signer.name.endswith(OF_REPORTS) else game.chain_number  # the first report is that of step −1
    work.write_rows()
    entry = last_turn_entry(work.session, table.id) or TurnEntry(game.chain_number, game.chain_head)
    note = str(sign_checkpoint(Checkpoint(signer.name, number, game.chain_head), signer))
    return SignedHead(note, str(signer.verifier), four_words(entry.hash), entry)
