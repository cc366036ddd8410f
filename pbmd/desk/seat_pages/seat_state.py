"""What a seat's own pages need from the desk: the seat of an address, and how things stand for it. It only reads."""

from datetime import datetime, timedelta

from sqlalchemy import bindparam, select
from sqlmodel import col

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.archive_requests import has_archive
from pbmd.desk.mail.clock_words import clock_words
from pbmd.desk.mail.draft import subject
from pbmd.desk.mail.queue import reply_address
from pbmd.desk.mail.tags import seat_tag, top_of_page
from pbmd.desk.player.orders.timing import not_under_way, orders_line
from pbmd.desk.player.preview import may_be_checked
from pbmd.desk.step.on_file import sent_words, sheet_on_file
from pbmd.desk.step.reporting.press import press_of_turn
from pbmd.ledger.tables import GameStatus, Seat, SeatState
from pbmd.post.tags import SeatNumber, Tag, make_page_token, read_tag, token_matches
from pbmd.rendering.seat_now import OrderMail, SeatNow
from pbmd.terms.times import EPOCH, describe_duration

_NOBODY = Tag(0, 0, "")
# Made once: building a statement takes longer than the ledger takes to answer.
_SEAT = select(col(Seat.token_generation), col(Seat.state)).where(
    col(Seat.game_id) == bindparam("game"), col(Seat.number) == bindparam("seat")
)


def seat_of_link(desk: Desk, text: str) -> SeatNumber | None:
    """The seat whose pages have this tag in their address; None if it has none, or no longer. Whatever is wrong with the tag,
    the same work is done."""
    tag = read_tag(text) or _NOBODY
    with Transaction(desk, reads=True) as work:
        row = work.session.connection().execute(_SEAT, {"game": tag.game, "seat": tag.seat}).first()
    generation, state = row or (0, None)
    is_right = token_matches(make_page_token(desk.key, tag.game, tag.seat, generation), tag.token)
    return SeatNumber(tag.game, tag.seat) if is_right and state == SeatState.ACTIVE else None


def seat_of(work: Transaction, of: SeatNumber) -> tuple[OpenGame, Seat]:
    """The game and the seat of a valid link."""
    table = work.table(of.game)
    return table, next(seat for seat in table.seats if seat.number == of.seat)


def seat_now(desk: Desk, of: SeatNumber) -> SeatNow:
    """How things stand for a seat. Raises `BrokenGame` for a game that cannot go on."""
    with Transaction(desk, reads=True) as work:
        table, seat = seat_of(work, of)
        game, rules = table.game, table.ruleset
        why_not, sheet, running = closed(table, seat), sheet_on_file(table, seat), game.status is GameStatus.RUNNING
        deadline = _deadline(table, seat) if running else None
        return SeatNow(
            game=game.name,
            title=rules.info.title,
            seat=seat.name,
            timezone=seat.timezone,
            status=game.status.value,
            step=game.step_called,
            sequential=rules.sequential,
            outcome=_outcome(table),
            deadline=deadline,
            left=describe_duration(deadline - work.now) if deadline and deadline > work.now else "",
            clock=_clock(work, table, seat) if running else "",
            sent=sent_words(table) if running else "",
            on_file=sheet.lines if sheet else None,
            arrived=EPOCH + timedelta(microseconds=sheet.arrival[0]) if sheet else None,
            form=_form(table, seat),
            closed=why_not,
            mail=None if why_not else _mail(work, table, seat),
            is_checked=may_be_checked(rules),
            numbers_told=table.terms.who_has_sent != "nothing",
            archived=has_archive(table) and table.terms.archive_kilobytes > 0,
        )


def seat_press(desk: Desk, of: SeatNumber, turn: int) -> str:
    """The press that its holder got with the reports of a turn; empty if none. Raises `BrokenGame`."""
    with Transaction(desk, reads=True) as work:
        table, seat = seat_of(work, of)
        return press_of_turn(work, table, seat, turn)


def closed(table: OpenGame, seat: Seat) -> str:
    """Why a game accepts no orders from the seat now, as a sentence; empty if it does."""
    why = not_under_way(table) or _closed(table, seat)
    return f"{why[0].upper()}{why[1:]}." if why else ""


def _closed(table: OpenGame, seat: Seat) -> str:
    if table.ruleset.sequential:
        return ""
    if table.ruleset.info.sheets.later != "replace" and sheet_on_file(table, seat) is not None:
        return f"your orders for {table.game.step_called} are in, and cannot be changed"
    return "" if seat.name in table.with_part else f"you have nothing to do in {table.game.step_called}"


def _outcome(table: OpenGame) -> str:
    if table.game.status is not GameStatus.FINISHED or table.position is None:
        return ""
    outcome = table.ruleset.outcome(table.position)
    return outcome.told(table.ruleset.seats(table.position)) if outcome else ""


def _form(table: OpenGame, seat: Seat) -> str:
    if closed(table, seat) or seat.name not in table.with_part:
        return ""
    return table.ruleset.order_form(table.position, seat.name)


def _is_to_move(table: OpenGame, seat: Seat) -> bool:
    return not table.ruleset.sequential or seat.name in table.awaiting


def _deadline(table: OpenGame, seat: Seat) -> datetime | None:
    """The deadline of the seat, or the last of those who are to move; None if only words can say it."""
    if _is_to_move(table, seat):
        return table.deadline_of(seat)
    awaited = map(table.seat, table.awaiting)
    return max((at for each in awaited if (at := table.own_deadline(each))), default=None)


def _clock(work: Transaction, table: OpenGame, seat: Seat) -> str:
    """What else the clock says: whose orders the seat waits for, or whose move it is."""
    clock = clock_words(table, seat, work.now)
    if clock.who:
        return f"{clock.who} {clock.are} to move"
    return clock.deadline if table.waiting_for(seat) else ""


def _mail(work: Transaction, table: OpenGame, seat: Seat) -> OrderMail:
    return OrderMail(
        address=reply_address(work, seat_tag(work, seat)),
        subject=subject(table, f"{seat.name}: orders"),
        mark=top_of_page(work, table, seat),
        # Without a mail that it answers nothing else says for which step it is.
        for_step=orders_line(table) if _is_to_move(table, seat) else "",
    )
