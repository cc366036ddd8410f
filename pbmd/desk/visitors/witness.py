"""A letter of a witness: a checkpoint of a listed game that they have signed, too, with their key beside it.

Anybody may send one. In a letter that proves a seat it counts if the letter says nothing else: anything else in it is orders.
"""

from collections.abc import Sequence

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes.witnesses import keep_witnesses
from pbmd.desk.letter.opened_letter import Arrived, Master, Outcome, Sender, Whose
from pbmd.desk.mail.draft import render
from pbmd.desk.questions.ask import Answering
from pbmd.desk.visitors.ask import answer_visitor
from pbmd.desk.visitors.watch import may_watch
from pbmd.notes.notes_in_mail import FoundNote, keys_in, notes_in, without_notes
from pbmd.notes.signed_note import COSIGNATURE, Verifier
from pbmd.post.compose import can_be_written
from pbmd.post.read.letter import Limits, read_letter
from pbmd.rules.protocol import Refused

_MOST_NOTES = 3
_OWN_WORDS = frozenset({"witness", "key", "checkpoint"})


def take_witness(work: Transaction, arrived: Arrived, whose: Whose) -> Outcome | None:
    """Store what a witness has signed, and answer; None for any other letter."""
    letter = arrived.letter
    if letter.automatic or isinstance(whose, Master | Answering) or not can_be_written(letter.sender):
        return None
    if not any(key.kind == COSIGNATURE for key in keys_in("\n".join(line.original for line in letter.lines))):
        return None
    # Read again as if it belonged to nobody: a player's letter is read without lines from our own mails, which these are.
    limits = Limits(message_bytes=work.desk.settings.limits.letter_kilobytes * 1000)
    text = "\n".join(line.original for line in read_letter(arrived.raw, limits).lines)
    keys, found = tuple(keys_in(text)), tuple(notes_in(text))[:_MOST_NOTES]
    if not found or (isinstance(whose, Sender) and _says_more(text)):
        return None
    sentences = [_keep(work, each, keys, letter.sender) for each in found]
    told = render("told.txt", {"seat": "", "game": None, "sentence": " ".join(sentences), "left_out": ()})
    answer_visitor(work, letter, arrived.id, "your signature", told)
    return Outcome("from a witness", logged=False)


def _keep(work: Transaction, found: FoundNote, keys: Sequence[Verifier], sender: str) -> str:
    """The sentence for the answer."""
    try:
        kept = keep_witnesses(work, may_watch(work.table_named(found.checkpoint.game)), found, keys, sender)
    except Refused as refusal:
        return f"Your signature was not kept: {refusal}."
    named = (
        f"{each.witness} vouches for {each.checkpoint.game} up to {each.checkpoint.place}"
        + ("" if each.new else ", or further, which was known already")
        for each in kept
    )
    return f"{'; '.join(named)}. Its pages and archives say so."


def _says_more(text: str) -> bool:
    words = (word.strip(":").casefold() for word in without_notes(text).split())
    return any(word not in _OWN_WORDS for word in words)
