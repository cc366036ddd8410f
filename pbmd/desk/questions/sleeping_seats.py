"""A seat that sleeps is offered to those who stand by, without the game master's word: the terms say so."""

from pbmd.desk.books.question_payloads import OfSeat
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.questions.ask import Question, ask
from pbmd.desk.questions.offer_mail import offered_words
from pbmd.desk.questions.seat_offers import would_be_asked
from pbmd.ledger.tables import Seat
from pbmd.rules.protocol import Refused


def offer_sleeping_seat(work: Transaction, table: OpenGame, seat: Seat) -> int:
    """Offer the seat to all who stand by for the game, and return how many these are. Its player has it until one of them says
    YES, or wakes it."""
    try:
        asked = would_be_asked(work, table, seat)
    except Refused:  # nobody stands by, or nobody else can have it: then it only sleeps
        return 0
    words = {"stands": offered_words(work, table, seat), "reason": "", "asleep": True}
    for one in asked:
        ask(work, table, seat, Question("take-over", kept=OfSeat(one.address, holder=one.holder, asleep=True), words=words))
    work.log("offered", table, seat.name, f"to the standby list, {len(asked)} asked, since it is asleep")
    return len(asked)
