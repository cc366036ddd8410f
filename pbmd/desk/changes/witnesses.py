"""Witnesses: people who sign the checkpoints of a game, too, so that its host cannot tell others another history.

Anybody can be one, under any name; to believe a witness one must know their key from elsewhere. So nothing here proves who they
are, and only what they have signed last is stored.
"""

import hmac
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlmodel import col, select

from pbmd.desk.books.checkpoints import journal_name, signer_of
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.tables import Endorsement, JournalEntry
from pbmd.notes.checkpoint import Checkpoint, Cosignature, cosignature_of, is_of_log
from pbmd.notes.notes_in_mail import FoundNote
from pbmd.notes.signed_note import COSIGNATURE, NoNote, Note, Verifier, told_apart, verifier_of
from pbmd.post.addresses import folded
from pbmd.rules.protocol import Refused
from pbmd.terms.times import EPOCH

MOST_WITNESSES = 50
"""For one game; to make room for another, one of those who have signed only once is forgotten: from the address that sent most
keys, and of several such the one that came last. Those who have signed more often are never pushed out by a newcomer: anybody
can make any number of keys."""
MOST_OF_ADDRESS = 3
"""How many keys may come from one address for a game."""
MOST_AT_ONCE = 5
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._~/-]{0,98}[A-Za-z0-9])?", re.ASCII)
"""A name that appears on pages and in archives: no mail address, and nothing that could look like something else."""
_AHEAD, _FAR = timedelta(hours=1), 2**36


@dataclass(frozen=True, slots=True)
class WitnessedHead:
    """Who vouches for a game now, and up to which entry; `new` is False if that was known already."""

    witness: str
    checkpoint: Checkpoint
    new: bool


def witnesses_in(found: FoundNote, keys: Sequence[Verifier]) -> list[tuple[Verifier, Cosignature]]:
    """The keys of witnesses with a cosignature under a checkpoint. Raises `Refused` for an invalid one."""
    try:
        signed = ((key, cosignature_of(found.note, key)) for key in keys if key.kind == COSIGNATURE)
        return [(key, seen) for key, seen in signed if seen is not None][:MOST_AT_ONCE]
    except NoNote as problem:
        raise Refused(str(problem)) from None


def keep_witnesses(
    work: Transaction, table: OpenGame, found: FoundNote, keys: Sequence[Verifier], sender: str = ""
) -> list[WitnessedHead]:
    """Store what witnesses have signed about a game, in a letter from the `sender` unless it was typed.

    Raises `Refused` if it is not a checkpoint of this game that this pbmd has signed, or if there is no cosignature, or an
    invalid one, or if there is no room for another witness.
    """
    said = found.checkpoint
    own = signer_of(work.desk, journal_name(table.game)).verifier
    try:
        ours = said.game == table.game.name and is_of_log(found.note, own)
    except NoNote as problem:
        raise Refused(str(problem)) from None
    if not ours:
        raise Refused(f"it is no checkpoint that was signed here for {table.game.name}")
    if not _is_in_journal(work, table, said):
        # A backup has replaced the ledger since, or somebody else has the key.
        work.log(
            "witness", table, detail=f"{said.place} with the head {said.head} is signed with our key, and not in the journal"
        )
        raise Refused(f"the journal of {table.game.name} has another head at {said.place}; ask the game master why")
    signed = witnesses_in(found, keys)
    if not signed:
        raise Refused("it has no cosignature of a witness whose key stands beside it")
    return [_keep(work, table, found, key, seen, _digest(work, sender)) for key, seen in signed]


def endorsements(work: Transaction, game_id: int | None) -> list[Endorsement]:
    """Who vouches for a game, those who have signed last first."""
    rows = select(Endorsement).where(Endorsement.game_id == game_id)
    return list(work.session.exec(rows.order_by(col(Endorsement.at).desc(), col(Endorsement.id).desc())))


def _keep(work: Transaction, table: OpenGame, found: FoundNote, key: Verifier, seen: Cosignature, whose: str) -> WitnessedHead:
    said = found.checkpoint
    _must_be_witness(work, said, key, seen)
    known = endorsements(work, table.id)
    row = next((each for each in known if each.key == str(key)), None)
    if row is not None and row.entry >= said.size:
        return WitnessedHead(_called(key, known), said, new=False)
    if row is None:
        _make_room(work, table, known, whose)
    only = Note(found.note.text, tuple(line for line in found.note.signatures if key.owns(line) or line.name == said.origin))
    if row is None:
        row = Endorsement(game_id=table.id, key=str(key), entry=said.size, at=work.now, times=0, whose=whose)
    row.times += 1
    row.entry, row.at, row.note = said.size, work.now, str(only)
    work.session.add(row)
    work.session.flush()
    work.log("witness", table, detail=f"{_called(key, known)} vouches up to {said.place}")
    return WitnessedHead(_called(key, known), said, new=True)


def _make_room(work: Transaction, table: OpenGame, known: Sequence[Endorsement], whose: str) -> None:
    """Make room for one more witness. Raises `Refused` if enough keys have come from the same address, if all known ones have
    signed more than once, or if no address of the others has as many."""
    keys = Counter(_from(each) for each in known)
    own = keys[whose] if whose else 0
    if own >= MOST_OF_ADDRESS:
        raise Refused(
            f"{MOST_OF_ADDRESS} witnesses of {table.game.name} have come from your address already, and so many may; "
            "sign with one of their keys"
        )
    if len(known) < MOST_WITNESSES:
        return
    once = [each for each in known if each.times <= 1]
    if not once:
        raise Refused(f"{table.game.name} has {MOST_WITNESSES} witnesses, who have signed more often, and no room for more")
    last = max(once, key=lambda each: (keys[_from(each)], each.id or 0))
    if keys[_from(last)] <= own:
        raise Refused(
            f"{table.game.name} has {MOST_WITNESSES} witnesses, and nobody makes room for one more of your address; sign with "
            "a key of yours that is known"
        )
    work.session.delete(last)


def _from(row: Endorsement) -> str:
    """The address that a key came from; unknown if it was typed."""
    return row.whose or f"typed {row.id}"


def _called(key: Verifier, known: Sequence[Endorsement]) -> str:
    return told_apart(key, (verifier_of(each.key) for each in known))


def _digest(work: Transaction, address: str) -> str:
    return hmac.digest(work.desk.key, b"witness " + folded(address).encode(), "sha256").hex() if address else ""


def _must_be_witness(work: Transaction, said: Checkpoint, key: Verifier, seen: Cosignature) -> None:
    if not _NAME.fullmatch(key.name) or key.name == said.origin:
        raise Refused("the name of a witness has letters, digits, and . _ ~ / - only, and is not that of the game")
    if EPOCH + timedelta(seconds=min(seen.at, _FAR)) > work.now + _AHEAD:
        raise Refused(f"the time at which {key.name} has signed is still to come; let its clock be set")


def _is_in_journal(work: Transaction, table: OpenGame, said: Checkpoint) -> bool:
    work.write()
    entries = select(JournalEntry.number).where(JournalEntry.game_id == table.id, JournalEntry.hash == said.head)
    number = work.session.exec(entries).first()
    return number is not None and (said.by_report or number == said.size)
