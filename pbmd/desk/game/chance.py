"""What the dice of a step come from: two secrets, drawn and promised when it opens, and opened when it is over.

The secret of the dice is told to everybody with the next report. The secret of the salts is told to nobody: each player knows
the salt of their own seat, and the journal has it sealed beside the orders, since whoever knows all salts can try guesses at
orders on the dice.

The third thing is a word that stands in each order form (`pbmd.desk.mail.forms`), and comes back with the reply.
"""

import json
from collections.abc import Iterable, Mapping

from sqlalchemy import Integer, bindparam
from sqlmodel import col, select

from pbmd.desk.books.work import Table, Work
from pbmd.ledger.tables import Game, Seat, Submission, SubmissionState
from pbmd.rules.dice import commitment
from pbmd.rules.salts import Salts, salt_of, salts_of

SECRET_BYTES = 32


def new_secret(work: Work) -> bytes:
    """A secret of the dice."""
    return work.desk.entropy(SECRET_BYTES)


def draw(work: Work, game: Game) -> None:
    """Draw what the dice of the step that opens now come from."""
    game.secret, game.salts, game.draws_anew = new_secret(work), work.desk.entropy(SECRET_BYTES), False


def forget(game: Game) -> None:
    """There is no step to come."""
    game.secret, game.salts, game.draws_anew = b"", None, False


def commitment_of(table: Table) -> str:
    """What is published now about the dice secret of the step to come; empty if there is none to come."""
    return commitment(table.game.secret) if table.game.secret else ""


def promised(table: Table) -> dict[str, str]:
    """What the public part of the journal entry with which a step opens has of its secrets."""
    salts = table.game.salts
    return {"commitment": commitment_of(table)} | ({"salts_commitment": commitment(salts)} if salts else {})


def opened(salts: bytes | None) -> dict[str, str]:
    """What the secret part of the journal entry with which a step is over has of its salts."""
    return {"salts": salts.hex()} if salts else {}


def salts_in(table: Table, secret: bytes | None) -> Salts:
    """The salts of all seats of a game."""
    return salts_of(secret, ((seat.number, seat.name) for seat in table.seats))


def own_salt(table: Table, seat: Seat) -> str:
    """The salt of a seat in the step to come, in hex, for its holder alone; empty if it has none."""
    return salt_of(table.game.salts, seat.number).hex() if table.game.salts else ""


def words_with(work: Work, table: Table, used: Iterable[str]) -> Mapping[str, str]:
    """The words that came with the orders of these seats, which are used now: of each the last, since orders that are sent
    again without one leave it as it was."""
    work.write_rows()
    here = {"game": table.id, "step": -1 if table.ruleset.sequential else table.game.step}
    words = {row.seat_id: row.word for row in work.session.connection().execute(_WORDS, here)}
    by_name = {seat.name: words[seat.id] for seat in table.seats if seat.id in words}
    return {seat: by_name[seat] for seat in used if seat in by_name}


def written_words(words: Mapping[str, str]) -> str:
    """Words as the record of a step has them."""
    return json.dumps(words, ensure_ascii=False, separators=(",", ":"))


# Made once: putting a statement together takes longer than the ledger takes to answer. A move may have been sent in any step.
_WORDS = (
    select(col(Submission.seat_id), col(Submission.word))
    .where(
        Submission.game_id == bindparam("game"),
        col(Submission.state) == SubmissionState.FILED,
        (col(Submission.step) == bindparam("step")) | (bindparam("step", type_=Integer) < 0),
        Submission.word != "",
    )
    .order_by(col(Submission.id))
)
