"""Letters whose sender is not certain: held with their arrival while the holder of the seat is asked.

The question contains none of such a letter's own words, since it could be made to carry them to somebody else's mailbox: only
its orders as the rules understand them, without the words that are not the game's, and its commands by their names.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import bindparam
from sqlmodel import col, select

from pbmd.desk.books.question_payloads import OfSeat
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.confirming.known_words import in_known_words, words_of
from pbmd.desk.language.commands import Script
from pbmd.desk.letter.attached import with_files
from pbmd.desk.letter.opened_letter import SHOW_SECRET, Arrived, Doubtful, Sender
from pbmd.desk.letter.unread_orders import READ_CHARS, READ_LINES, without_marks
from pbmd.desk.mail.draft import Draft, render
from pbmd.desk.mail.queue import mail_to
from pbmd.desk.questions.ask import Question, ask, asked_lately
from pbmd.desk.step.end_questions import NEVER_CONFIRMED
from pbmd.ledger.lately import lately
from pbmd.ledger.tables import HELD, Confirmation, Game, GameStatus, LetterState, Outbox, Report, Seat, SeatState
from pbmd.ledger.tables import Letter as Letters
from pbmd.post.compose import can_be_written
from pbmd.post.read.letter import Letter
from pbmd.rules.protocol import Mail, Status
from pbmd.terms.times import describe_time

SHOWN_LINES = 12
SHOWN_CHARS = 66
MOST_WAITING = 100
"""How many letters of one seat wait without a question."""


def hold(work: Transaction, doubt: Doubtful, arrived: Arrived) -> str:
    """Hold a letter, and ask whose it is, now or when the seat may be asked again. Returns the reason for the log if it is not
    held, "" if it is."""
    arrived, _ = with_files(doubt, arrived)
    table, seat, script = doubt.table, doubt.seat, arrived.script
    if says_nothing(script) and not arrived.letter.sheet:
        return f"{doubt.reason}, and nothing in it that could be done"
    work.settle_letter(arrived.id, LetterState.HELD, doubt.reason, table.id, seat.id)
    asked = ask_whose(work, doubt, arrived)
    words = "its player was asked" if asked else "its player was asked often enough today, and will be asked later"
    found = f" ({', '.join(doubt.checks)})" if doubt.checks else ""
    work.log("held", table, seat.name, f"letter {arrived.id}: {doubt.reason}{found}; {words}")
    if not asked:
        _make_room(work, doubt)
    return ""


def says_nothing(script: Script) -> bool:
    """Whether a letter contains nothing that would be worth a question."""
    return not script.orders and not script.commands and not script.unopened


def ask_whose(work: Transaction, doubt: Doubtful, arrived: Arrived) -> bool:
    """Ask the holder of a seat whether a letter is theirs. False if that was asked too often today."""
    table, seat, letter, script = doubt.table, doubt.seat, arrived.letter, arrived.script
    lines = understood(work, doubt, arrived)
    unopened = sum(len(each.body) for each in script.unopened)
    others = len(script.orders) + len(script.commands) + unopened - len(lines)
    elsewhere = letter.sender if can_be_written(letter.sender) and len(letter.sender) <= SHOWN_CHARS else "another address"
    work.write()
    words = {
        "arrived": describe_time(arrived.arrived_at, seat.timezone, seconds=True),
        "sender": "" if letter.sender == seat.address else elsewhere,
        "lines": [line[:SHOWN_CHARS] for line in lines[:SHOWN_LINES]],
        "others": others + len(lines[SHOWN_LINES:]),
        "waiting": sum(each.id != arrived.id for each in _waiting(work, seat.id)),
        "advice": doubt.advice,
        "checks": doubt.checks,
    }
    return ask(work, table, seat, Question("letter", arrived.id, OfSeat(shows_secret=doubt.shows_secret), words))


def may_be_asked(work: Transaction) -> list[int]:
    """The letters that wait and whose players may be asked about them now, first those that show a secret of their seat."""
    limits = work.desk.settings.limits
    left: dict[tuple[int | None, bool], int] = {}
    found: list[int] = []
    for each in sorted(_waiting(work), key=lambda each: each.note not in SHOW_SECRET):
        evidence = each.seat_id, each.note in SHOW_SECRET
        if evidence not in left:
            asked = asked_lately(work, each.seat_id, "letter", shows_secret=evidence[1])
            left[evidence] = limits.confirmations_per_day - asked
        if left[evidence] > 0 and work.now - each.arrived_at < timedelta(days=limits.confirmation_days):
            left[evidence] -= 1
            found.append(each.id)
    return found


def _make_room(work: Transaction, doubt: Doubtful) -> None:
    """Put away what waits beyond the limit: the oldest first, and before that what shows no secret of the seat."""
    waiting = sorted(_waiting(work, doubt.seat.id), key=lambda each: each.note in SHOW_SECRET)
    for each in waiting[: max(0, len(waiting) - MOST_WAITING)]:
        work.settle_letter(each.id, LetterState.DONE, NEVER_CONFIRMED, doubt.table.id, doubt.seat.id)
        work.log(
            "letter", doubt.table, doubt.seat.name, f"letter {each.id} not answered: {MOST_WAITING} newer ones wait already"
        )


class _Waiting(NamedTuple):
    id: int
    seat_id: int
    note: str
    arrived_at: datetime


# Made once: building a statement takes longer than the ledger takes to answer.
_ASKED = select(Confirmation.id).where(Confirmation.seat_id == Letters.seat_id, Confirmation.letter_id == Letters.id)
_WAITING = (
    select(Letters.id, Letters.seat_id, Letters.note, Letters.arrived_at)
    .where(HELD, ~_ASKED.exists(), col(Letters.seat_id).is_not(None))
    .order_by(col(Letters.seat_id), col(Letters.arrived_at), col(Letters.uid))
)
_WAITING_OF = _WAITING.where(Letters.seat_id == bindparam("seat"))


def _waiting(work: Transaction, seat_id: int | None = None) -> list[_Waiting]:
    """The held letters that nobody was asked about yet, of this seat or of all, in order of arrival."""
    ledger = work.session.connection()
    rows = ledger.execute(_WAITING) if seat_id is None else ledger.execute(_WAITING_OF, {"seat": seat_id})
    return [_Waiting(*row) for row in rows]


def understood(work: Transaction, doubt: Doubtful | Sender, arrived: Arrived) -> list[str]:
    """The orders of a letter in the words of the rules, and its commands by name. A word that is neither in the handbook nor in
    what the seat was sent may be anything that its writer wanted somebody to read, and is shown as "…"."""
    table, script = doubt.table, arrived.script
    orders: list[str] = []
    if script.orders:
        short = tuple(line for line in script.orders if len(line.text) <= READ_CHARS)[:READ_LINES]
        short = without_marks(table, table.position, doubt.seat.name, short, arrived.arrival, of_stranger=True)
        mail = Mail(doubt.seat.name, short, arrived.arrival)
        verdicts = table.ruleset.receive(table.position, mail).verdicts
        orders = [verdict.canonical for verdict in verdicts if verdict.status is not Status.ERROR and verdict.canonical]
    known = words_of(table.ruleset.info.handbook) | _words_of_seat(work, table, doubt.seat) if orders else frozenset[str]()
    orders = [in_known_words(line, known) for line in orders]
    return [*orders, *(table.commands.by_kind[command.kind].name for command in script.commands)]


def _words_of_seat(work: Transaction, table: OpenGame, seat: Seat) -> frozenset[str]:
    """The words of the seat's last report and of its order form: the names that its game has for it."""
    work.write()
    kept = select(Report.text).where(Report.game_id == table.id, Report.reader == f"seat:{seat.number}")
    report = work.session.exec(kept.order_by(col(Report.step).desc()).limit(1)).first() or ""
    return words_of(report) | words_of(table.ruleset.order_form(table.position, seat.name))


def hint(work: Transaction, letter: Letter, letter_id: int) -> None:
    """Tell a stranger how to play, once a week at most, if the settings want it. The letter's content makes no difference: all
    letters from people without a seat get the same answer."""
    if not work.desk.settings.mail.hint_strangers or letter.automatic or not can_be_written(letter.sender):
        return
    work.write()
    playing = select(Seat.id).join(Game).where(Seat.address == letter.sender, Seat.state == SeatState.ACTIVE)
    if work.session.exec(playing.where(Game.status != GameStatus.FINISHED)).first() is not None:
        return
    this_week = lately(Outbox.queued_at, work.now, timedelta(days=7))
    hints = select(Outbox.id).where(Outbox.recipient == letter.sender, Outbox.kind == "hint", this_week)
    if work.session.exec(hints).first() is None:
        draft = Draft("hint", f"hint {letter_id}", "[pbmd] your mail", render("hint.txt", {}))
        mail_to(work, letter.sender, draft)
