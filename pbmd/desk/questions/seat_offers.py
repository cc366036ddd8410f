"""Offers of seats: to one person, or to all who stand by."""

from sqlmodel import col, delete, func, or_, select

from pbmd.desk.books.holders import new_name_problem
from pbmd.desk.books.question_payloads import OfSeat, read_as
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.seats import Holder, holds_another, must_be_free
from pbmd.desk.mail.clock_words import clock_words
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.notice import GM, in_words_of, sealed_cause
from pbmd.desk.mail.queue import mail_to, mail_to_seat, tell_gm
from pbmd.desk.questions.ask import Question, ask
from pbmd.desk.questions.offer_mail import offered_words
from pbmd.desk.step.end_questions import must_have_begun
from pbmd.desk.step.substitutes.wishes import comes_back_to
from pbmd.ledger.entries.player_entries import OfferedEntry
from pbmd.ledger.entries.vote_entries import VOTE
from pbmd.ledger.tables import Confirmation, ConfirmationState, Seat, SeatState, Visitor, VisitorKind
from pbmd.post.addresses import folded
from pbmd.rules.protocol import Refused
from pbmd.rules.words import capital
from pbmd.terms.times import TimeError, zone


def asked_besides(work: Transaction, seat: Seat, question: Confirmation | None = None) -> list[str]:
    """The addresses that are asked to take over a seat and have not answered yet, except by this question."""
    work.write()
    same = (Confirmation.seat_id == seat.id, Confirmation.subject == "take-over")
    still_open = select(Confirmation).where(*same, Confirmation.state == ConfirmationState.OPEN)
    others = [each for each in work.session.exec(still_open.order_by(col(Confirmation.id))) if each is not question]
    return list(dict.fromkeys(read_as(OfSeat, each.payload).address for each in others))


def note_taken(work: Transaction, table: OpenGame, seat: Seat, others: list[str], letter_id: int) -> None:
    """The seat has a new holder, by this letter: tell the game master, and the others who were asked."""
    text = render("taken_over.txt", {"game": table.game, "seat": seat.name})
    tell_gm(work, Draft("notice", f"taken over {letter_id}", subject(table, f"{seat.name} has a new player"), text), table)
    theirs = (col(Visitor.address) == seat.address, col(Visitor.kind) == VisitorKind.STANDBY)
    work.session.exec(delete(Visitor).where(*theirs, or_(col(Visitor.game_id) == table.id, col(Visitor.game_id).is_(None))))
    for place, address in enumerate(address for address in others if address != seat.address):
        words = f"{seat.name} has been filled"
        text = render("seat_taken.txt", {"game": table.game, "seat": seat.name})
        mail_to(work, address, Draft("notice", f"taken {letter_id} {place}", subject(table, words), text, owed=True), table)


def tell_holder(work: Transaction, table: OpenGame, seat: Seat, reason: str = "", by: str = GM) -> None:
    """Tell the player of a seat that it has just been offered to others: what that means, and what they can do."""
    if seat.state is not SeatState.ACTIVE:
        return
    last = select(func.max(Confirmation.id)).where(Confirmation.seat_id == seat.id, Confirmation.subject == "take-over")
    headline = f"{seat.name} is offered to somebody else"
    days = work.desk.settings.limits.confirmation_days
    text = (
        f"{capital(by)} has offered your seat to somebody else. Until somebody says yes it is yours: play on, all that you "
        f"send counts. With the first yes, which may come within {days} days, it goes to whoever said it; a mail tells you so, "
        "and from then on your mails count no more. If you want to keep your seat, write to the game master now. If you do "
        "not, RESIGN gives it up at once."
    )
    text, why = in_words_of(by, text, reason)
    values = {"game": table.game, "seat": seat.name, "headline": headline, "text": text, "reason": why, "by": by}
    words = render("notice.txt", values | {"clock": clock_words(table, seat, work.now)})
    key = f"offered {table.id} {seat.number} {work.session.exec(last).one()}"
    mail_to_seat(work, table, seat, Draft("notice", key, subject(table, headline), words, owed=True))


def offer(work: Transaction, table: OpenGame, name: str, address: str, holder: Holder, reason: str = "") -> None:
    """Ask the person at `address` to take over the seat with that name, and tell its present player. Until they say yes it
    stays as it is. Raises `Refused`."""
    seat = table.seat(name)
    address = folded(address)
    must_be_to_offer(work, table, seat, address, holder.name, holder.timezone)
    kept = OfSeat(address, holder=holder.name, timezone=holder.timezone)
    words = {"stands": offered_words(work, table, seat, holder.timezone), "reason": reason}
    ask(work, table, seat, Question("take-over", kept=kept, words=words))
    _note_offer(work, table, seat, "", reason)


def must_be_to_offer(work: Transaction, table: OpenGame, seat: Seat, address: str, holder: str, timezone: str) -> None:
    """Whether a seat can be offered to somebody of this name at this address, folded. Raises `Refused`."""
    must_have_begun(table)
    if problem := new_name_problem(table, seat, holder, address):
        raise Refused(f"the new holder: {problem}")
    must_be_free(work, table, seat, address)
    if table.ruleset.take_over is not None:
        table.ruleset.take_over(table.position, seat.name, "")  # only to see whether it is possible
    if holds_another(table, seat, address) or comes_back_to(work, table, seat, address):
        raise Refused(f"{address} has another seat in {table.game.name}")
    try:
        zone(timezone)
    except TimeError as problem:
        raise Refused(str(problem)) from None


def standing_by(work: Transaction, table: OpenGame) -> list[Visitor]:
    """Who is on the list of a game or on that of all games, once each, in the order in which their STANDBY arrived."""
    by_address = {one.address: one for one in reversed(on_list(work, table.id, None))}
    return list(reversed(by_address.values()))


def offer_seat(work: Transaction, table: OpenGame, name: str, reason: str = "", *, by: str = GM) -> int:
    """Offer a seat to all who stand by for the game, tell its present player, and return the number of those asked. `by` is who
    has decided it. Until the first says yes the seat stays as it is. Raises `Refused` if the seat cannot change hands or nobody
    stands by."""
    seat = table.seat(name)
    asked = would_be_asked(work, table, seat)
    words = {"stands": offered_words(work, table, seat), "reason": reason, "by": by}
    for one in asked:
        ask(work, table, seat, Question("take-over", kept=OfSeat(one.address, holder=one.holder), words=words))
    _note_offer(work, table, seat, f"to the standby list, {len(asked)} asked", reason, by)
    return len(asked)


def _note_offer(work: Transaction, table: OpenGame, seat: Seat, to: str, reason: str, by: str = GM) -> None:
    """A seat has been offered: the log records it, the journal also why, and its present player gets a mail."""
    if reason:
        turn = table.game.turn
        work.journal(
            table,
            OfferedEntry(turn=turn, seat=seat.name, by=by if by == VOTE else None, reason=reason, sealed=sealed_cause(work)),
        )
    work.log("offered", table, seat.name, ": ".join(filter(None, (to, reason))))
    tell_holder(work, table, seat, reason, by)


def would_be_asked(work: Transaction, table: OpenGame, seat: Seat) -> list[Visitor]:
    """Who stands by and can be offered the seat: not those who have an open offer for it, nor those who play in the game.
    Raises `Refused` if there is nobody, or the seat cannot change hands."""
    must_have_begun(table)
    if table.ruleset.take_over is not None:
        table.ruleset.take_over(table.position, seat.name, "")  # only to see whether it is possible
    open_ones = asked_besides(work, seat)
    others: list[Visitor] = []
    for one in standing_by(work, table):
        if one.address in open_ones or (seat.address == one.address and seat.state is SeatState.ACTIVE):
            continue
        if holds_another(table, seat, one.address) or comes_back_to(work, table, seat, one.address):
            continue
        must_be_free(work, table, seat, one.address)
        others.append(one)
    if not others:
        raise Refused(f"nobody stands by for {table.game.name}" + (" who was not asked already" if open_ones else ""))
    return others


def on_list(work: Transaction, *games: int | None) -> list[Visitor]:
    """Who stands by for any of these games, None being the host's own list, in the order in which they asked."""
    work.write()
    which = or_(*(col(Visitor.game_id).is_(None) if game is None else col(Visitor.game_id) == game for game in games))
    rows = select(Visitor).where(Visitor.kind == VisitorKind.STANDBY, which).order_by(col(Visitor.since), col(Visitor.id))
    return list(work.session.exec(rows))
