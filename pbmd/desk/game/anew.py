"""The dice of a step that is open in a restored backup are promised anew, and bound anew.

What the backup had promised may be known by now: reports have told the secret since, or the host has seen what it rolls. So a
game with such secrets (`game.draws_anew`) gets others before anything else is done to it, whatever brings it to the desk. The
journal opens the old ones, unused, in an entry of their own. Orders and words on file, step and deadline stay.
"""

from pbmd.desk.books.work import Table, Work
from pbmd.desk.game.chance import commitment_of, draw, opened, own_salt, promised
from pbmd.desk.game.watchers import tell_watchers
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import mail_to_seat
from pbmd.ledger.tables import SeatState

RESTORED = "restored"
"""The kind of the entry."""
_HEADLINE = "the dice are promised anew"


def promise_anew(work: Work, table: Table) -> None:
    """Draw and promise others for the step to come, or for the set-up, and tell all. One that cannot go on waits."""
    if table.trouble:
        return
    game, before = table.game, commitment_of(table)
    caused, work.caused = work.caused, None  # no letter is the cause, if one brought the game to the desk
    of_step = {"turn": game.turn, "step": game.step} if game.position else {}
    secret, salts = {"secret": game.secret.hex()}, opened(game.salts)
    draw(work, game)
    table.anew = True
    of = game.step_words if game.position else "the set-up"
    with work.because("a backup has taken the place of the ledger"):
        number = work.journal(table, RESTORED, {**of_step, **secret, **promised(table)}, salts)
        work.log(RESTORED, table, detail=f"the dice of {of} are promised anew")
        _tell(work, table, f"{RESTORED} {table.id} {number}", of, before)
    work.caused = caused


def _tell(work: Work, table: Table, key: str, of: str, before: str) -> None:
    words = f"The books of this game were restored from a backup, so the dice of {of} have been promised anew."
    tell_watchers(work, table, key, _HEADLINE, words)
    for seat in table.seats:
        if seat.state is not SeatState.ACTIVE:
            continue
        values = {
            "game": table.game,
            "begun": bool(table.game.position),
            "of": of,
            "before": before,
            "commitment": commitment_of(table),
            "salt": own_salt(table, seat) if table.game.position else "",
        }
        text = render("promised_anew.txt", values)
        mail_to_seat(work, table, seat, Draft("notice", f"{key} {seat.number}", subject(table, _HEADLINE), text, owed=True))
