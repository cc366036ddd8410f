"""The clock: what is due in each game, and doing it: reminders, missed deadlines, the end of a step.

A step closes at an instant, and only on evidence: the mailbox must have been read, completely, from a moment after that
instant on, and every letter that arrived until then must have been dealt with. So a letter that arrived in time counts even if
the daemon or the mail server was down, and downtime only shifts the resolution. And it closes before any letter is dealt with
that comes after it (`pbmd.desk.letter.arrival_queue`), so that nothing depends on how many letters are read at once.
"""

import logging
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, tuple_
from sqlmodel import col, func, select

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import OpenGame, OutOfLane, Transaction
from pbmd.desk.deadlines.awaiting import closing, known_end, missing_now, over_since, reminders_left, substitutes_come_first
from pbmd.desk.deadlines.evidence import Evidence, due_until, evidence_for, read_until, second_after
from pbmd.desk.deadlines.trusted_clock import doubt
from pbmd.desk.deadlines.unread_letters import passed_over
from pbmd.desk.mail.clock_words import clock_words
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import mail_to_seat
from pbmd.desk.mail.tags import form_top
from pbmd.desk.questions.substitutes import look
from pbmd.desk.step.game_transaction import TRIES, Undrawn, changing_games, without
from pbmd.desk.step.moves_due import carry_on
from pbmd.desk.step.nmr import miss, no_orders
from pbmd.desk.step.reporting.reports import report_all
from pbmd.desk.step.resolve import CLOSED, carry_out
from pbmd.desk.step.sleepers.falling_asleep import sleep_words
from pbmd.desk.unreadable.looks import despite_unreadable, look_now_and_then
from pbmd.desk.unreadable.stop_or_tell import is_told, stop_or_tell
from pbmd.ledger.damage import UNUSABLE
from pbmd.ledger.tables import Game, GameStatus, Submission, SubmissionState, UtcDateTime
from pbmd.rendering.drawing_jobs import Picture, Pictures, Wanted
from pbmd.rendering.drawing_pool import Drawing
from pbmd.rules.troubles import DEFECTS, MissingRuleset, UnknownRuleset, place_of
from pbmd.terms.times import EPOCH, describe_duration

_trouble = logging.getLogger("pbmd.due")


class Due(NamedTuple):
    """A game whose clock must be looked at, since when, and its ruleset."""

    at: datetime
    id: int
    ruleset: str


def due_games(desk: Desk, after: tuple[datetime, int] = (EPOCH, 0)) -> list[Due]:
    """The first of the running games whose clock must be looked at now, the most overdue first: those after that instant and
    id. None for which nothing can be known yet is among them."""
    with Transaction(desk, reads=True) as work:
        until = due_until(work)
        if until is None:
            return []
        due = work.session.connection().execute(_DUE, {"until": until, "at": after[0], "id": after[1]})
        return [Due(*row) for row in due]


AT_ONCE = 100
"""So many due games are looked for at once."""
# Made once: putting a statement together takes longer than the ledger takes to answer.
_DUE = (
    select(col(Game.due_at), col(Game.id), col(Game.ruleset))
    .where(
        col(Game.status) == GameStatus.RUNNING,
        col(Game.due_at).is_not(None),
        col(Game.due_at) <= bindparam("until", type_=UtcDateTime),
    )
    .where(tuple_(col(Game.due_at), col(Game.id)) > tuple_(bindparam("at", type_=UtcDateTime), bindparam("id")))
    .order_by(col(Game.due_at), col(Game.id))
    .limit(AT_ONCE)
)
_NEWEST_ORDERS = select(func.max(Submission.number)).where(
    Submission.game_id == bindparam("game"), Submission.step == bindparam("now"), Submission.state == SubmissionState.FILED
)


def _newest_orders(work: Transaction, table: OpenGame) -> str:
    """The receipt of the newest orders in force in this step, for the log; empty if there are none."""
    work.write_rows()
    number = work.session.connection().execute(_NEWEST_ORDERS, {"game": table.id, "now": table.game.step}).scalar()
    return f"newest orders receipt {number}; " if number else ""


def _nobody_waits() -> bool:
    return False


@despite_unreadable
def advance_games(desk: Desk, others_wait: Callable[[], bool] = _nobody_waits) -> int:
    """Look at every game that is due, each in its own transaction; gives the number of steps resolved. If after a game
    `others_wait`, the rest is left for the next time.

    Nothing is done as long as the clock is in doubt. A game that makes trouble is put aside (paused, visible to the GM), so
    that no other game waits for it. Raises `OperationalError` if the ledger cannot be written: then all that was not committed
    is still due.
    """
    look_now_and_then(desk)
    count, after = 0, (EPOCH, 0)
    while due := due_games(desk, after):
        with Transaction(desk, reads=True) as work:
            if doubt(work):
                return count
        for game in due:
            if not _waits_for_room(desk, game.id, game.ruleset):
                count += advance_or_put_aside(desk, game.id)
            if others_wait():
                return count
        after = (due[-1].at, due[-1].id)
    return count


def _waits_for_room(desk: Desk, game_id: int, slug: str) -> bool:
    """Whether a game has maps that cannot be drawn yet, since those of others are."""
    if not desk.studio.is_full or desk.studio.begun(game_id) is not None:
        return False
    try:
        return desk.ruleset(slug).info.map
    except UnknownRuleset:  # it is put aside
        return False


def advance_or_put_aside(desk: Desk, game_id: int, known: Evidence | None = None, lane: int | None = None) -> int:
    """Do what is due in a game, and put it aside if it makes trouble. Arguments and value are those of `advance_game`."""
    try:
        return advance_game(desk, game_id, known, lane)
    except UNUSABLE:
        raise
    except DEFECTS as trouble:
        _put_aside(desk, game_id, trouble)
        return 0


def go_before(desk: Desk, game_id: int, known: Evidence, lane: int | None = None) -> bool:
    """Do what comes before the letter at `known.before`, as far as the mailbox was read for it; all letters of the game before
    that one must have been dealt with. False if nothing could be done. Trouble is dealt with as by `advance_games`."""
    before = _done_so_far(desk, game_id)
    advance_or_put_aside(desk, game_id, known, lane)
    return _done_so_far(desk, game_id) != before


def _done_so_far(desk: Desk, game_id: int) -> tuple[int, datetime | None]:
    """What changes if anything is done: the journal has another entry, or a substitute is seen to later."""
    with Transaction(desk, reads=True) as work:
        game = work.table(game_id).game
        return game.chain_number, game.substitutes_at


def _put_aside(desk: Desk, game_id: int, trouble: BaseException) -> None:
    if desk.host and isinstance(trouble, MissingRuleset):
        _trouble.error("%s; another host may have it", trouble)
        return
    desk.troubled(trouble)
    place = place_of(trouble)  # the text of the exception may tell secrets, so only its kind goes into log and ledger
    if not is_told(desk, game_id, place):
        with Transaction(desk, reads=True) as work:
            name = work.session.exec(select(Game.name).where(Game.id == game_id)).first()
        _trouble.error("%s cannot go on and is paused: %s", name, place)
    stop_or_tell(desk, game_id, place)


def advance_game(desk: Desk, game_id: int, known: Evidence | None = None, lane: int | None = None) -> int:
    """Remind, record missed deadlines, and resolve the step, as far as they are due. Gives the steps resolved: 0 or 1, and
    more only where moves are carried out one by one. `known` is up to where all mail of the game is dealt with, where whoever
    asks knows it better than the ledger; nobody is reminded then, for the next letter may be theirs. With the game's `lane` it
    goes on beside others as long as it has to do with nothing else.

    Raises whatever makes trouble: to put a game aside is not for who only helps, since it may be nothing but this machine that
    lacks something. If maps are to be drawn for it, nothing is done until they are, and the desk goes on with other games
    meanwhile."""
    try:
        return _once_drawn(desk, game_id, known, lane)
    except OutOfLane:
        return _once_drawn(desk, game_id, known, None)


def _once_drawn(desk: Desk, game_id: int, known: Evidence | None, lane: int | None) -> int:
    """Do what is due, as soon as the maps that it needs are drawn."""
    while True:
        begun = desk.studio.begun(game_id)
        if begun is not None and not begun.done:
            return 0
        try:
            resolved = _do_what_is_due(desk, game_id, known, begun, lane)
        except Undrawn as missing:
            if begun is None and desk.studio.is_full:
                return 0
            desk.studio.begin(game_id, missing.wanted)
        except BaseException:
            desk.studio.forget(game_id)
            raise
        else:
            desk.studio.forget(game_id)
            return resolved


def _do_what_is_due(desk: Desk, game_id: int, known: Evidence | None, drawn: Drawing | None, lane: int | None) -> int:
    """The same with the maps that are drawn. Raises `Undrawn` if there are others to be drawn."""
    with changing_games(desk, pictures=_pictures_in(drawn), lane=lane) as work:
        table = work.table(game_id)
        if table.game.status is not GameStatus.RUNNING or table.anew or doubt(work):
            return 0  # whose dice are promised anew are told so before anything is rolled
        evidence = known or evidence_for(work, table)
        work.cause = "; ".join(filter(None, (read_until(evidence), passed_over(work, table))))
        if evidence is not None and substitutes_come_first(table, evidence):
            work.moment = table.game.substitutes_at
            look(work, table)
            work.moment = None
        resolve_due = _make_moves if table.ruleset.sequential else _end_step
        return 0 if evidence is None else resolve_due(work, table, evidence, reminds=known is None)


def _pictures_in(drawn: Drawing | None) -> Callable[[Wanted], Picture | None]:
    pictures: Pictures = drawn.pictures() if drawn else {}
    is_last_try = drawn is not None and drawn.tries >= TRIES
    return lambda wanted: pictures.get(wanted) or (without(wanted) if is_last_try else None)


def _remind(work: Transaction, table: OpenGame, evidence: Evidence) -> None:
    """Remind those of whom no usable orders had arrived when it was time to; once for each time set."""
    for reminder in reminders_left(work, table):
        seat = reminder.seat
        if reminder.at > evidence.until:
            continue
        clock = clock_words(table, seat, work.now)
        none = no_orders(work, table, seat)
        values = {
            "game": table.game,
            "seat": seat.name,
            "mark": form_top(work, table, seat),
            "form": table.ruleset.order_form(table.position, seat.name),
            "useless": none.told.strip("()"),
            "unread": none.unread,
            "errors": none.errors,
            "sequential": table.ruleset.sequential,
            "sleep": sleep_words(work, table, seat),
            "clock": clock,
            "missed": table.ruleset.info.nothing.missed_in(table.phase),
        }
        title = subject(table, f"no orders yet, {clock.left} left", f"{clock.left} left", seat=seat.name)
        mail_to_seat(work, table, seat, Draft("reminder", reminder.key, title, render("reminder.txt", values)))
        left = describe_duration(reminder.deadline - work.now)
        work.log("reminder", table, seat.name, table.of_step(f"{left} before the deadline"))


def _end_step(work: Transaction, table: OpenGame, evidence: Evidence, *, reminds: bool) -> int:
    """What is due in a game in which all send their orders before it goes on."""
    if reminds:
        _remind(work, table, evidence)
    for seat in missing_now(table, evidence):
        miss(work, table, seat)
    end = known_end(table, evidence)
    if end is None:
        return 0
    missed = [seat for seat in table.seats if seat.missed_step == table.game.step and seat.is_awake]
    work.moment = over_since(table, end, missed)
    with work.because(f"{_newest_orders(work, table)}{work.cause}"):
        carry_out(work, table, _why_over(table, missed=bool(missed)))
        report_all(work)  # what is logged of the reports rests on those orders, too
    return 1


def _why_over(table: OpenGame, *, missed: bool) -> str:
    if table.game.closed_at is not None:
        return CLOSED
    return "the deadline passed" if missed else "all orders were in"


def _make_moves(work: Transaction, table: OpenGame, evidence: Evidence, *, reminds: bool) -> int:
    """What is due in a sequential game. What came while the clock stood goes before any skip."""
    resolved = carry_on(work, table)
    if table.game.status is GameStatus.RUNNING:
        if reminds:
            _remind(work, table, evidence)
        for seat in missing_now(table, evidence):
            work.moment = max(work.moment or EPOCH, second_after(closing(table, seat) or EPOCH))
            miss(work, table, seat)
        resolved += carry_on(work, table)
    return resolved
