"""Orders by mail: taken or not, in force or not, and what the acknowledgement says about them."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pbmd.desk.answer import Answer, OrdersAnswer
from pbmd.desk.clock import awaited, closing
from pbmd.desk.commands import Command, nearest_command
from pbmd.desk.times import describe_duration, describe_time
from pbmd.desk.trust import Sender, subject_turn
from pbmd.desk.work import Table, Work, compact_json
from pbmd.ledger.tables import GameStatus, Seat, Submission, SubmissionState
from pbmd.rules import sheets
from pbmd.rules.protocol import Mail, Sheet, Status, Verdict

if TYPE_CHECKING:
    from pbmd.desk.clerk import Arrived

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def take_orders(work: Work, sender: Sender, arrived: "Arrived", command: Command | None, answer: Answer) -> None:
    """Check the order lines and file them, or say why not; while the game runs either is in its journal."""
    table, seat = sender.table, sender.seat
    refusal, state = _not_now(table, seat, arrived, command)
    if refusal:
        number = None
        if table.game.status in (GameStatus.RUNNING, GameStatus.PAUSED):
            number = _record(work, sender, arrived, None, (), state)
            what = "late" if state is SubmissionState.LATE else "refused"
            work.log(what, table, seat.name, f"receipt {number}: {refusal}")
        answer.orders = _orders_answer(sender, arrived, refusal, _shown(table, number), (), ())
        return
    mail = Mail(seat.name, arrived.script.orders, (_microseconds(arrived.arrived_at), arrived.uid))
    receipt = table.ruleset.receive(table.position, mail)
    work.move(table, receipt.position)
    verdicts = tuple(_with_nearest_command(verdict) for verdict in receipt.verdicts)
    state = SubmissionState.FILED if receipt.filed else SubmissionState.REFUSED
    number = _record(work, sender, arrived, sheet_on_file(table, seat) if receipt.filed else None, verdicts, state)
    if receipt.filed:
        seat.missed_in_a_row = 0
        work.log("orders", table, seat.name, f"receipt {number}")
        headline = f"your orders for turn {table.game.turn} are in"
    else:
        work.log("refused", table, seat.name, f"receipt {number}: no usable orders")
        headline = "nothing in your mail could be used as orders"
    answer.orders = _orders_answer(sender, arrived, headline, _shown(table, number), verdicts, receipt.defaults)


def sheet_on_file(table: Table, seat: Seat) -> Sheet | None:
    """The orders in force of a seat in this step."""
    return sheets.sheet_of(table.ruleset.sheets(table.position), seat.name) if table.position is not None else None


def sent_words(table: Table) -> str:
    """Who has sent orders in this step, as far as the game's terms let players know."""
    if table.terms.who_has_sent == "nothing":
        return ""
    sent = [sheet.seat for sheet in table.ruleset.sheets(table.position)]
    # Names in the order of the seats: the order of arrival is nobody's business.
    names = [seat.name for seat in table.seats if seat.name in sent]
    count = f"{len(names)} of {len(names) + len(awaited(table))}"
    return f"{', '.join(names)} ({count})" if table.terms.who_has_sent == "names" and names else count


def arrival_words(sheet: Sheet, seat: Seat) -> str:
    """When the sheet arrived, as the seat's holder reads it."""
    return describe_time(_EPOCH + timedelta(microseconds=sheet.arrival[0]), seat.timezone, seconds=True)


def _not_now(table: Table, seat: Seat, arrived: "Arrived", command: Command | None) -> tuple[str, SubmissionState]:
    """Why orders cannot be taken now, as the headline of the answer; empty if they can."""
    game, refused = table.game, SubmissionState.REFUSED
    if game.status is GameStatus.SIGNUP:
        return "the game has not begun, so your orders were not taken", refused
    if game.status is GameStatus.FINISHED:
        return "the game is over, so your orders were not taken", refused
    named = command.words.get("turn") if command else None
    if named and int(named) != game.turn:
        return f"your orders are for turn {named}, but the game is in turn {game.turn}; they were not taken", refused
    answered = subject_turn(arrived.letter)
    if not named and answered and answered[0] == game.name and answered[1] != game.turn:
        stale = f"your mail answers one of turn {answered[1]}, but the game is in turn {game.turn}; your orders were not taken"
        return f"{stale}. Reply to the last report, or write ORDERS FOR TURN {game.turn} above them", refused
    when = untimely(table, seat, arrived.arrived_at)
    return (f"your orders {when} and were not taken", SubmissionState.LATE) if when else ("", SubmissionState.FILED)


def untimely(table: Table, seat: Seat, arrived_at: datetime) -> str:
    """How a letter missed the step that now runs ("are late by 3 min 12 s"), empty if it did not."""
    game = table.game
    # INTERNALDATE has whole seconds, so a letter of the second in which the step opened counts for it.
    if game.opened_at and arrived_at < game.opened_at.replace(microsecond=0):
        return f"arrived before turn {game.turn} began"
    limit = closing(table, seat)
    # While the clock stands nothing is late, but what was late before stays late.
    if limit and arrived_at > limit and (game.paused_at is None or arrived_at < game.paused_at.replace(microsecond=0)):
        return f"are late by {describe_duration(arrived_at - (seat.deadline or game.deadline or limit))}"
    return ""


def _shown(table: Table, number: int | None) -> int | None:
    """The receipt's number as far as the terms let a player see it: from numbers one could count what others send."""
    return None if table.terms.who_has_sent == "nothing" else number


def _record(
    work: Work, sender: Sender, arrived: "Arrived", sheet: Sheet | None, verdicts: tuple[Verdict, ...], state: SubmissionState
) -> int:
    """Journal entry and submission of orders that were received; gives the receipt's number."""
    table, seat = sender.table, sender.seat
    secret = {
        "seat": seat.name,
        "state": state.value,
        "letter": arrived.letter.fingerprint,
        "arrival": [_microseconds(arrived.arrived_at), arrived.uid],
        "lines": [[line.number, line.text] for line in arrived.script.orders],
    }
    number = work.journal(table, "orders", {"turn": table.game.turn, "step": table.game.step}, secret)
    work.add(
        Submission,
        game_id=table.id,
        seat_id=seat.id,
        step=table.game.step,
        letter_id=arrived.id,
        number=number,
        arrived_at=arrived.arrived_at,
        digest=sheets.digest([sheet]).hex() if sheet else "",
        state=state,
        orders=compact_json(list(sheet.lines) if sheet else []),
        verdicts=compact_json([[verdict.line, verdict.status.value, verdict.text, verdict.message] for verdict in verdicts]),
    )
    return number


def _orders_answer(
    sender: Sender,
    arrived: "Arrived",
    headline: str,
    number: int | None,
    verdicts: tuple[Verdict, ...],
    defaults: tuple[str, ...],
) -> OrdersAnswer:
    table, seat = sender.table, sender.seat
    sheet = sheet_on_file(table, seat)
    running = table.game.status in (GameStatus.RUNNING, GameStatus.PAUSED)
    return OrdersAnswer(
        headline=headline,
        receipt=number,
        arrived=describe_time(arrived.arrived_at, seat.timezone, seconds=True),
        digest=sheets.digest([sheet]).hex() if sheet and number else "",
        chain_head=table.game.chain_head if number else "",
        sent=sent_words(table) if running else "",
        verdicts=verdicts,
        in_force=sheet.lines if sheet else None,
        defaults=defaults,
    )


def _with_nearest_command(verdict: Verdict) -> Verdict:
    usage = nearest_command(verdict.text) if verdict.status is Status.ERROR else None
    if usage is None:
        return verdict
    message = f"{verdict.message.rstrip('.')}. If you meant a command: {usage}"
    return Verdict(verdict.line, verdict.text, verdict.status, message, verdict.canonical, verdict.code)


def _microseconds(at: datetime) -> int:
    return (at - _EPOCH) // timedelta(microseconds=1)
