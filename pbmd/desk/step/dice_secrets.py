"""What the dice of a step come from: two secrets, drawn and promised when it opens, and revealed when it is over.

The secret of the dice is published with the next report. The secret of the salts is never published: each player knows the salt
of their own seat, and the journal has it sealed beside the orders, since anybody who knew all salts could test guesses at
orders on the dice.

What a backup had promised may be known by now: reports have revealed the secret since, or the host has seen what it rolls. So a
game with such secrets (`game.draws_anew`) gets others before anything else is done to it, whatever brings it to the desk;
orders and words on file, step and deadline stay.

The third thing is a word that stands in each order form (`pbmd.desk.mail.tags`), and comes back with the reply.
"""

import json
from collections.abc import Iterable, Mapping

from sqlalchemy import bindparam
from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.draft import Draft, Proof, render, subject
from pbmd.desk.mail.queue import mail_to_seat
from pbmd.desk.mail.rate_limits import CausedMails
from pbmd.desk.step.reporting.watchers import tell_watchers
from pbmd.ledger.entries.parts import OpenedSalts
from pbmd.ledger.entries.step_entries import RestoredEntry
from pbmd.ledger.tables import Game, Seat, SeatState, Submission, SubmissionState
from pbmd.post.proof_file import proof_name
from pbmd.rules.dice import commitment
from pbmd.rules.salts import Salts, salt_of, salts_of

SECRET_BYTES = 32
RESTORED = RestoredEntry.kind
"""Also the word in the log."""
_HEADLINE = "new dice"


def new_secret(work: Transaction) -> bytes:
    """A secret of the dice."""
    return work.desk.entropy(SECRET_BYTES)


def draw(work: Transaction, game: Game) -> None:
    """Draw what the dice of the step that opens now come from."""
    game.secret, game.salts, game.draws_anew = new_secret(work), work.desk.entropy(SECRET_BYTES), False


def forget(game: Game) -> None:
    """No step follows."""
    game.secret, game.salts, game.draws_anew = b"", None, False


def commitment_of(table: OpenGame) -> str:
    """What is published now about the dice secret of the coming step; empty if there is none."""
    return commitment(table.game.secret) if table.game.secret else ""


def salts_commitment_of(table: OpenGame) -> str | None:
    """What is published now about the secret of the salts of the coming step; None if there is none."""
    return commitment(table.game.salts) if table.game.salts else None


def opened_salts(salts: bytes | None) -> str | None:
    """What the sealed part of the journal entry that ends a step says about its salts."""
    return salts.hex() if salts else None


def salts_in(table: OpenGame, secret: bytes | None) -> Salts:
    """The salts of all seats of a game."""
    return salts_of(secret, ((seat.number, seat.name) for seat in table.seats))


def own_salt(table: OpenGame, seat: Seat) -> str:
    """The salt of a seat in the coming step, in hex, for its holder alone; empty if it has none."""
    return salt_of(table.game.salts, seat.number).hex() if table.game.salts else ""


_BACKUP = "our records had to be restored from a backup"


def promise_anew(work: Transaction, table: OpenGame, why: str = _BACKUP) -> None:
    """Draw and promise others for the coming step, or for the set-up, and tell everybody, with the reason. If the game cannot
    go on, this waits."""
    if table.trouble:
        return
    game, before = table.game, commitment_of(table)
    mails = work.slot(CausedMails)
    caused, mails.count = mails.count, None  # no letter is the cause, if one brought the game to the desk
    turn, step = (game.turn, game.step) if game.position else (None, None)
    secret, salts = game.secret.hex(), opened_salts(game.salts)
    draw(work, game)
    table.anew = True
    of = game.step_words if game.position else "the set-up"
    with work.because("a backup has taken the place of the ledger" if why == _BACKUP else why):
        entry = RestoredEntry(
            turn=turn,
            step=step,
            secret=secret,
            commitment=commitment_of(table),
            salts_commitment=salts_commitment_of(table),
            sealed=OpenedSalts(salts=salts),
        )
        number = work.journal(table, entry)
        work.log(RESTORED, table, detail=f"the dice of {of} are promised anew")
        _tell(work, table, f"{RESTORED} {table.id} {number}", of, before, why)
    mails.count = caused


def _tell(work: Transaction, table: OpenGame, key: str, of: str, before: str, why: str) -> None:
    words = f"There are new dice for {of}, since {why}."
    tell_watchers(work, table, key, _HEADLINE, words)
    for seat in table.seats:
        if seat.state is not SeatState.ACTIVE:
            continue
        values = {
            "game": table.game,
            "begun": bool(table.game.position),
            "of": of,
            "why": why,
        }
        text, proof = render("promised_anew.txt", values), new_dice(table, seat, of=of, why="its new dice", before=before)
        draft = Draft("notice", f"{key} {seat.number}", subject(table, _HEADLINE), text, owed=True, proof=proof)
        mail_to_seat(work, table, seat, draft)


def new_dice(table: OpenGame, seat: Seat, *, of: str, why: str, before: str = "") -> Proof:
    """The proof that goes with a mail that promises dice anew; `before` is the commitment that is no longer valid, if one is
    named."""
    game = table.game
    salt = own_salt(table, seat) if game.position else ""
    values = {"game": game, "seat": seat.name, "of": of, "next": of, "why": why, "before": before, "salt": salt}
    name = proof_name(game.name, game.turn if game.position else None, f"{game.step_name} {why.removeprefix('its ')}")
    return Proof(name, "proof.txt", values | {"commitment": commitment_of(table)})


def set_up_proof(table: OpenGame, seat: Seat) -> Proof:
    """The proof that goes with the mail that welcomes a player."""
    of = "the set-up"
    values = {"game": table.game, "seat": seat.name, "of": of, "next": of, "commitment": commitment_of(table)}
    return Proof(proof_name(table.game.name, None), "proof.txt", values)


def words_with(work: Transaction, table: OpenGame, used: Iterable[str]) -> Mapping[str, str]:
    """The words that came with the orders of these seats, which are used now: for each seat the last, since orders that are
    sent again without one leave it."""
    work.write_rows()
    here = {"game": table.id} if table.ruleset.sequential else {"game": table.id, "step": table.game.step}
    found = work.session.connection().execute(_WORDS if table.ruleset.sequential else _WORDS_OF_STEP, here)
    words = {row.seat_id: row.word for row in found}
    by_name = {seat.name: words[seat.id] for seat in table.seats if seat.id in words}
    return {seat: by_name[seat] for seat in used if seat in by_name}


def written_words(words: Mapping[str, str]) -> str:
    """Words as stored in the record of a step."""
    return json.dumps(words, ensure_ascii=False, separators=(",", ":"))


# Made once: building a statement takes longer than the ledger takes to answer. A move may have been sent in any step.
_WORDS = (
    select(col(Submission.seat_id), col(Submission.word))
    .where(Submission.game_id == bindparam("game"), col(Submission.state) == SubmissionState.FILED, Submission.word != "")
    .order_by(col(Submission.id))
)
_WORDS_OF_STEP = _WORDS.where(col(Submission.step) == bindparam("step"))
