"""Wishes for a substitute: which there are in a game, when each begins and ends, and how one is over.

A seat has one at most. Days are those of its player's time zone, also while the substitute has the seat. As long as there is
any, `Game.substitutes_at` says when the clock must look at them; so nothing is looked up in a game without
(`OpenGame.has_substitutes`).
"""

from datetime import UTC, date, datetime, time, timedelta

from sqlmodel import col, select, update

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import mail_to
from pbmd.ledger.tables import Confirmation, ConfirmationState, Seat, Substitution, SubstitutionState
from pbmd.terms.times import describe_day, describe_days, zone


def wishes_in(work: Transaction, table: OpenGame) -> list[Substitution]:
    """The wishes of a game that are not over, oldest first."""
    return _wishes(work, table) if table.has_substitutes else []


def wish_of(work: Transaction, table: OpenGame, seat: Seat) -> Substitution | None:
    """The wish for this seat, or its substitute's time; None if nobody wants one."""
    return next((wish for wish in wishes_in(work, table) if wish.seat_id == seat.id), None)


def time_of_substitute(work: Transaction, table: OpenGame, seat: Seat) -> Substitution | None:
    """The time for which the present holder of a seat has it; None if it is their own."""
    wish = wish_of(work, table, seat)
    return wish if wish is not None and wish.state is SubstitutionState.PLAYING else None


def comes_back_to(work: Transaction, table: OpenGame, seat: Seat, address: str) -> bool:
    """Whether another seat of the game, which a substitute has now, comes back to this address. Only the game master may
    know."""
    away = (wish for wish in wishes_in(work, table) if wish.state is SubstitutionState.PLAYING and wish.seat_id != seat.id)
    return any(wish.address == address for wish in away)


def begins_at(table: OpenGame, wish: Substitution, seat: Seat) -> datetime:
    """When the first day begins."""
    return _midnight(table, wish.first, wish, seat)


def ends_at(table: OpenGame, wish: Substitution, seat: Seat) -> datetime:
    """When the last day is over."""
    return _midnight(table, wish.last + timedelta(days=1), wish, seat)


def _midnight(table: OpenGame, day: date, wish: Substitution, seat: Seat) -> datetime:
    """By the clock of the seat's own player, or of the game (`Terms.clock_of`)."""
    own = wish.timezone if wish.state is SubstitutionState.PLAYING else seat.timezone
    return datetime.combine(day, time(), zone(table.terms.clock_of(own))).astimezone(UTC)


def days_of(wish: Substitution) -> str:
    """From when to when, in words."""
    return describe_days(wish.first, wish.last)


def last_day_of(wish: Substitution) -> str:
    """The last day, in words."""
    return describe_day(wish.last)


_HAS = {
    SubstitutionState.WANTED: "wants a substitute",
    SubstitutionState.AGREED: "has found a substitute",
    SubstitutionState.PLAYING: "played by a substitute",
}


def substitute_words(work: Transaction, table: OpenGame, seat: Seat) -> tuple[str, ...]:
    """What the game master reads of the wish for a seat; nothing if there is none."""
    wish = wish_of(work, table, seat)
    return () if wish is None else (f"{_HAS[wish.state]}, {days_of(wish)}",)


def note_looks(work: Transaction, table: OpenGame) -> None:
    """Note when the clock must look at the wishes of a game next."""
    table.game.substitutes_at = min((wish.look_at for wish in _wishes(work, table) if wish.look_at), default=None)


def _wishes(work: Transaction, table: OpenGame) -> list[Substitution]:
    work.session.flush()
    in_game = (Substitution.game_id == table.id, Substitution.state != SubstitutionState.ENDED)
    return list(work.session.exec(select(Substitution).where(*in_game).order_by(col(Substitution.id))))


def close_wish(work: Transaction, table: OpenGame, wish: Substitution) -> None:
    """A wish is over: nobody is asked any more, and nothing is left of the people."""
    wish.state, wish.look_at, wish.named = SubstitutionState.ENDED, None, ""
    wish.address = wish.holder = wish.other_address = wish.report_files = ""
    wish.timezone, wish.calendar, wish.generation = "UTC", False, 0
    close_offers(work, wish)
    note_looks(work, table)


def close_offers(work: Transaction, wish: Substitution) -> None:
    """Nobody else can say yes any more."""
    work.write()
    asked = (col(Confirmation.seat_id) == wish.seat_id, col(Confirmation.subject) == "substitute")
    still_open = update(Confirmation).where(*asked, col(Confirmation.state) == ConfirmationState.OPEN)
    work.session.exec(still_open.values(state=ConfirmationState.EXPIRED))


def drop_wish(work: Transaction, table: OpenGame, seat: Seat) -> None:
    """The seat was given up, or has another holder for good. Who has agreed to play it for a while learns that nobody is
    needed, and the player of whom a substitute has it that it does not come back."""
    wish = wish_of(work, table, seat)
    if wish is None:
        return
    state, address, key = wish.state, wish.address, f"substitute {wish.id} off"
    close_wish(work, table, wish)
    if state is SubstitutionState.WANTED or address == seat.address:
        return
    lost = state is SubstitutionState.PLAYING
    text = render("substitute_off.txt", {"game": table.game, "seat": seat.name, "lost": lost, "days": days_of(wish)})
    words = f"{seat.name} does not come back to you" if lost else f"no substitute for {seat.name} is needed"
    mail_to(work, address, Draft("notice", key, subject(table, words), text, owed=True), table)


def end_wishes(work: Transaction, table: OpenGame) -> None:
    """The game is over, so nobody needs a substitute any more. Seats that a substitute has stay as they are: the game may yet
    be taken back."""
    by_id = {seat.id: seat for seat in table.seats}
    for wish in wishes_in(work, table):
        if wish.state is not SubstitutionState.PLAYING:
            drop_wish(work, table, by_id[wish.seat_id])
