"""A substitute gets a seat for a time, and its player has it back.

Both are changes of hands like any other (`pbmd.desk.changes.seats`): other tokens, an entry `holder` in the journal, and the
rules are told. Its sealed part says until when, or that the seat came back. What the player had chosen for their mails is kept
meanwhile. A seat that is out of the game in the eyes of the rules comes back all the same, as with another address.
"""

from typing import Any

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.seats import Hands, Holder, must_be_free, must_have_other_hands, tell_of_holder, to_other_hands, welcome
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import mail_to
from pbmd.desk.step.substitutes.away_mails import mail_away
from pbmd.desk.step.substitutes.wishes import close_wish, days_of, ends_at, last_day_of, note_looks
from pbmd.ledger.journal import written_time
from pbmd.ledger.tables import Seat, Substitution, SubstitutionState


def begin(work: Transaction, table: OpenGame, seat: Seat, wish: Substitution, **besides: Any) -> None:
    """Whoever has agreed to it gets the seat; `besides` is what their mail says about the letter that said yes, if that does
    it. Raises `Refused`, before anything is changed, if they cannot have it."""
    must_be_free(work, table, seat, wish.address)
    until = ends_at(table, wish, seat)
    kept = {"address": seat.address, "holder": seat.holder, "timezone": seat.timezone, "generation": seat.token_generation}
    kept |= {"other_address": seat.other_address, "report_files": seat.report_files, "calendar": seat.calendar}
    last, by_clock = last_day_of(wish), f"{last_day_of(wish)} ({table.terms.clock_of(seat.timezone)})"
    to = Hands(wish.address, Holder(wish.holder, wish.timezone), until=written_time(until))
    gone = to_other_hands(work, table, seat, to)
    for name, value in kept.items():
        setattr(wish, name, value)
    wish.state, wish.look_at = SubstitutionState.PLAYING, until
    note_looks(work, table)
    work.log("holder", table, seat.name, "a substitute")
    work.log("substitute", table, seat.name, f"plays {days_of(wish)}")
    text = render("substitute_begins.txt", {"game": table.game, "seat": seat.name, "last": by_clock})
    title = subject(table, f"{seat.name}: your substitute plays now")
    key = f"substitute {wish.id}"
    mail_away(work, table, seat, wish, Draft("notice", f"{key} begins", title, text, owed=True, invitation=gone))
    tell_of_holder(work, table, seat, f"{key} holder", "somebody else")
    welcome(work, table, seat, f"{key} yours", {"until": last, **besides})


def give_back(work: Transaction, table: OpenGame, seat: Seat, wish: Substitution, why: str) -> None:
    """The player has their seat again. `why`: a sentence about it for the log."""
    holder, address, key = Holder(wish.holder, wish.timezone), seat.address, f"substitute {wish.id}"
    chosen = {"other_address": wish.other_address, "report_files": wish.report_files, "calendar": wish.calendar}
    gone = must_have_other_hands(work, table, seat, Hands(wish.address, holder, back=True))
    for name, value in chosen.items():
        setattr(seat, name, value)
    close_wish(work, table, wish)
    work.log("holder", table, seat.name, "its player again")
    work.log("substitute", table, seat.name, f"its player has the seat again: {why}")
    text = render("substitute_over.txt", {"game": table.game, "seat": seat.name})
    title = subject(table, f"{seat.name}: your time as a substitute is over")
    mail_to(work, address, Draft("notice", f"{key} over", title, text, owed=True, invitation=gone), table)
    tell_of_holder(work, table, seat, f"{key} back", "its former player again")
    welcome(work, table, seat, f"{key} again", {"back": True})
