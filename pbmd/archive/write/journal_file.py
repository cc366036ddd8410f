"""``journal.jsonl``: the chain, with the seal in place of every secret part that the reader may not know."""

import json
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

import rfc8785
from sqlmodel import Session, col, select

from pbmd.archive.format.audience import entry_for_audience
from pbmd.archive.format.plan import Plan
from pbmd.archive.write.dice_file import is_own
from pbmd.archive.write.writing import Writer
from pbmd.ledger.entries.codec import Document, Entry
from pbmd.ledger.entries.kinds import UnlistedEntry
from pbmd.ledger.entries.master_entries import ExtendedEntry, PausedEntry, ResumedEntry
from pbmd.ledger.entries.player_entries import OfferedEntry
from pbmd.ledger.entries.reveal_entries import RevealedEntry
from pbmd.ledger.entries.step_entries import ABANDONED, FinishedEntry, ResolvedEntry, RestoredEntry, kept_back_in
from pbmd.ledger.entries.vote_entries import CANCELLED, DRAWN, VOTE
from pbmd.ledger.journal import seal, written_time
from pbmd.ledger.tables import GameStatus, JournalEntry, StepRecord

NOT_TYPED = (ABANDONED, DRAWN, CANCELLED)
"""The reasons of games that ended without their rules that no person wrote."""


@dataclass(frozen=True, slots=True)
class _Row:
    """An entry in the ledger, its two parts in their original form, and what it says."""

    entry: JournalEntry
    public: Document
    secret: Document
    content: Entry


def entries_of(session: Session, plan: Plan) -> Generator[JournalEntry]:
    """The entries that the archive has, in order, a few at a time."""
    entries = select(JournalEntry).where(JournalEntry.game_id == plan.game.id, JournalEntry.number <= plan.last_entry)
    with session.exec(entries.order_by(col(JournalEntry.number)).execution_options(yield_per=200)) as found:
        yield from found


def journal_lines(session: Session, plan: Plan, writer: Writer) -> Iterator[tuple[str, str]]:
    """Each entry as canonical JSON, without a line end, and the hash that it shows, empty if none.

    Where nothing random stands beside a public part that is withheld, anybody with a name in mind could test whether it gives
    the hash of the entry, or of any later one. So no hash is shown, nor written anywhere else by the `writer`, until an entry
    whose seal nobody will ever know: that one shows its hash, and not the seal.
    """
    to_be_guessed = False
    for entry in entries_of(session, plan):
        row = _row(entry)
        fields = _fields(session, plan, row, writer)
        is_withheld = "withheld" in fields
        if to_be_guessed or (is_withheld and (plan.anonymised or not plan.audience.sees_public(entry.kind))):
            is_sealed = bool(entry.secret or entry.sealed)
            is_hidden = is_withheld or ("secret" not in fields and _is_of_people(session, plan, row, writer))
            to_be_guessed = not (is_sealed and is_hidden)
            if to_be_guessed:
                writer.hide(fields.pop("hash"))
            else:
                fields.pop("sealed", None)
        yield rfc8785.dumps(fields).decode(), fields.get("hash", "")


def _row(entry: JournalEntry) -> _Row:
    public, secret = json.loads(entry.public), json.loads(entry.secret) if entry.secret else {}
    return _Row(entry, public, secret, entry_for_audience(entry.kind, public, secret or (None if entry.sealed else {})))


def _fields(session: Session, plan: Plan, row: _Row, writer: Writer) -> dict[str, Any]:
    """What an archive has of an entry while its hash may be shown."""
    entry, secret = row.entry, row.secret
    sealed = entry.sealed or seal(bytes.fromhex(entry.salt), entry.secret.encode())
    fields: dict[str, Any] = {"number": entry.number, "at": written_time(entry.at), "kind": entry.kind, "hash": entry.hash}
    # A token in it would let anybody who reads it act for a seat; without it the hash cannot be checked.
    has_token = writer.blanker.text(entry.public) != entry.public
    for_others = not plan.audience.sees_public(entry.kind)
    if has_token or for_others or (plan.anonymised and _tells_of_people(row, writer)):
        return fields | {"withheld": True}
    fields |= {"public": row.public, "sealed": sealed}
    # Even a reader's own letters have numbers, of the mailbox and the ledger, that would let them count those of others.
    over = plan.audience.everything or plan.game.status is GameStatus.FINISHED
    may = over and plan.sees_sealed(entry.number, row.content)
    if secret and may and not (plan.anonymised and _is_of_people(session, plan, row, writer)):
        blanked = writer.blanker.text(entry.secret)
        # What was blanked is not what was sealed, so the salt has nothing to check.
        sure = blanked == entry.secret and not entry.sealed
        fields |= {"secret": secret, "salt": entry.salt} if sure else {"secret": json.loads(blanked)}
    return fields


def _tells_of_people(row: _Row, writer: Writer) -> bool:
    """Whether the public part contains what somebody wrote, or shows who somebody is."""
    match row.content:
        case UnlistedEntry() | RevealedEntry():
            return True
        # No person wrote the reason of these, unless the game was abandoned.
        case FinishedEntry(abandoned=abandoned, reason=reason) if not abandoned or reason in NOT_TYPED:
            written = False
        case (PausedEntry() | ResumedEntry() | OfferedEntry() | ExtendedEntry()) as entry if entry.by == VOTE:
            written = False
        case _:
            written = any(row.public.get(key) for key in ("text", "reason"))
    return written or writer.cleaned(row.entry.public) != row.entry.public


def _is_of_people(session: Session, plan: Plan, row: _Row, writer: Writer) -> bool:
    """Whether the sealed part concerns a person: by its kind, or by what it records from the time when a step was open."""
    if row.content.tells_of_people or kept_back_in(row.content):
        return True
    sealed = row.entry.secret
    return writer.cleaned(sealed) != sealed or _has_digests_of_people(session, plan, row.content, writer)


def _has_digests_of_people(session: Session, plan: Plan, content: Entry, writer: Writer) -> bool:
    """Whether something is taken out of the orders or the position of a step, of words for its dice, or of sign-ups: with the
    digest of the position, and with the secret of the salts, one could test guesses at it."""
    if not content.opens_salts:
        return False
    step = content.step if isinstance(content, ResolvedEntry | RestoredEntry) else None
    if step is None:
        return any(writer.anonymous(line) != line for lines in plan.setup.signups.values() for line in lines)
    of_step = select(StepRecord.before, StepRecord.after, StepRecord.words).where(
        StepRecord.game_id == plan.game.id, StepRecord.step == step
    )
    record = session.exec(of_step).first()
    if record is None:
        return True  # a step that is not over
    *documents, words = record
    changed = any(writer.anonymous(document) != document for document in documents)
    return changed or any(is_own(word) for word in json.loads(words).values())
