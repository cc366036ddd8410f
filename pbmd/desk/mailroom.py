"""The mailroom: takes new letters in order of arrival and hands each to the clerk (`pbmd.desk.clerk`).

Letters share a transaction as long as all goes well. When one of them makes trouble the whole batch is undone and done
again letter by letter, so that only the troublemaker is put aside (quarantined, visible to the GM) and nobody else's
mail is lost or waits for it. What shares a transaction makes no other difference: what a letter sets off is reported before
the next is looked at, and a letter before which the clock has something to do is left for the next batch
(`pbmd.desk.letter.arrival_queue`).

Nobody can look ahead at a letter. So one that makes a move is dealt with, undone, and dealt with again when the maps that its
reports need are drawn; the secret of the game's next dice is drawn in that transaction, so such a letter begins another one.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from pbmd.desk.books.carried_out import Unreported
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.clerk import deal_with
from pbmd.desk.confirming.held_letters import ask_whose, may_be_asked
from pbmd.desk.deadlines.evidence import Place
from pbmd.desk.deadlines.trusted_clock import doubt
from pbmd.desk.letter.arrival_queue import Left, Queue, still_new
from pbmd.desk.letter.attached import with_files
from pbmd.desk.letter.defects import tell_sender
from pbmd.desk.letter.lanes import give_back
from pbmd.desk.letter.opened_letter import Doubtful, Sender, Stored
from pbmd.desk.letter.opening import open_letter
from pbmd.desk.mail.alarms import alarm
from pbmd.desk.mail.rate_limits import CausedMails
from pbmd.desk.questions.ask import Answering, expire, has_expired
from pbmd.desk.step.end_questions import NEVER_CONFIRMED
from pbmd.desk.step.game_transaction import change_games, changing_games
from pbmd.desk.step.reporting.maps import MapPictures
from pbmd.desk.step.reporting.reports import report_all
from pbmd.desk.step.stop import lacks_rules, stop_game
from pbmd.desk.unreadable.looks import despite_unreadable, found_aside
from pbmd.desk.visitors.asked_for import asked_for
from pbmd.ledger.damage import UNUSABLE
from pbmd.ledger.tables import GameStatus, LetterState, SeatState
from pbmd.ledger.tables import Letter as LetterRow
from pbmd.rules.troubles import DEFECTS, place_of

_MOST_DRAWN = 16
"""With so many maps to draw no more letters are dealt with: whoever wrote the others would wait for them, too."""
_AT_ONCE = 100
"""What so many letters cause is gathered and then written: the answers are several times as long as the letters."""
_trouble = logging.getLogger("pbmd.clerk")


@despite_unreadable
def process_letters(desk: Desk, answered: Callable[[], object] = lambda: None, until: Place | None = None) -> int:
    """Deal with all new letters, in order of arrival, and give their number; those before which the clock has to do something
    that it cannot do yet stay new, and those after the place `until`. `answered` is called whenever some of them have been
    dealt with for good: who waits for an answer need not wait for the rest, and what it raises leaves the rest new. Raises
    `OperationalError` if the ledger cannot be written: then all letters that were not committed are still new. What is wrong
    with a letter itself raises nothing, whatever it is: that letter is put aside."""
    queue = Queue(desk, until=until)
    count = _deal_with_queue(queue, partial(_deal_with_batch, desk), answered)
    # Looked for first, since whoever writes makes the others wait.
    with Transaction(desk, reads=True) as work:
        expired = (count or queue.waiting) and has_expired(work) and not doubt(work)
        letters = may_be_asked(work)
    if expired:
        with Transaction(desk) as work:
            expire(work)
    _ask_about_waiting(desk, letters)
    return count


def process_letters_of(desk: Desk, game_id: int, answered: Callable[[], object] = lambda: None) -> int:
    """Deal with the new letters of one game while others do so for other games, and return their number: up to the first letter
    of which it is not known yet what game it is for. A letter that concerns anything else is given back
    (`pbmd.desk.letter.lanes`), for `process_letters` to deal with. `answered` and `OperationalError` are as there."""
    return _deal_with_queue(Queue(desk, lane=game_id), partial(_deal_with_lane, desk, game_id), answered)


def _deal_with_queue(
    queue: Queue, deal: Callable[[list[Stored], Mapping[int, Place]], tuple[int, Left]], answered: Callable[[], object]
) -> int:
    count = 0
    while letters := queue.next_letters():
        dealt, left = deal(letters, queue.waiting)
        count += dealt
        answered()
        queue.let_the_clock_go_first(left)
    return count


def _deal_with_lane(desk: Desk, game_id: int, letters: list[Stored], waiting: Mapping[int, Place]) -> tuple[int, Left]:
    """Deal with letters of one game. The first that cannot be dealt with here is given back, and holds up those after it until
    it has been dealt with elsewhere."""
    try:
        return _deal_with_all(desk, letters, Left(waiting), game_id)
    except UNUSABLE:
        raise
    except DEFECTS:
        count, left = 0, Left(waiting)
        for stored in letters:
            try:
                dealt, left = _deal_with_all(desk, [stored], left, game_id)
            except UNUSABLE:
                raise
            except DEFECTS:  # whatever it is, it comes again where all games are at hand, and is dealt with there
                give_back(desk, stored.id)
                break
            count += dealt
        return count, left


def _ask_about_waiting(desk: Desk, letters: Iterable[int]) -> None:
    """Ask about letters that had to wait until their players could be asked again."""
    for letter_id in letters:
        try:
            with Transaction(desk) as work:
                _ask_about(work, letter_id)
        except UNUSABLE:
            raise
        except DEFECTS as trouble:
            if found_aside(desk):
                continue  # a row was to blame; if the letter waits still, it is asked about in the next pass
            note = place_of(trouble)
            _trouble.error("letter %d cannot be asked about and is quarantined: %s", letter_id, note)
            try:
                _put_waiting_aside(desk, letter_id, note)
            except UNUSABLE:
                raise
            except DEFECTS:  # nor can it be said whose it is
                with Transaction(desk) as work:
                    _put_aside(work, letter_id, None, note)


def _put_waiting_aside(desk: Desk, letter_id: int, note: str) -> None:
    with Transaction(desk) as work:
        waits = _waiting(work, letter_id)
        _put_aside(work, letter_id, waits, note)
        if waits is not None:  # else that has raised the alarm
            words = f"letter {letter_id} in {waits.table.game.name}: {note}"
            alarm(work, "letter", words, about=f"letter {letter_id}", lasts=False)


def _ask_about(work: Transaction, letter_id: int) -> None:
    work.cause = f"letter {letter_id}"
    letter, waits = work.session.get(LetterRow, letter_id), _waiting(work, letter_id)
    if letter is None or letter.state is not LetterState.HELD:
        return
    if waits is None:
        raise LookupError("it is held for no seat of its game")
    table, seat = waits.table, waits.seat
    if seat.state is SeatState.ACTIVE and table.game.status in (GameStatus.RUNNING, GameStatus.PAUSED):
        stored = Stored(letter_id, letter.uid, letter.arrived_at, letter.size, letter.raw, letter.truncated)
        arrived, _ = open_letter(work, stored, waits)
        doubtful = Doubtful(table, seat, letter.note)
        ask_whose(work, doubtful, with_files(doubtful, arrived)[0])
    else:
        work.settle_letter(letter_id, LetterState.DONE, NEVER_CONFIRMED, table.id, seat.id)


def _waiting(work: Transaction, letter_id: int) -> Sender | None:
    """The seat whose player is to be asked about a letter that is held; None if it is none."""
    letter = work.session.get(LetterRow, letter_id)
    if letter is None or letter.state is not LetterState.HELD or letter.game_id is None:
        return None
    table = work.table(letter.game_id)
    seat = next((seat for seat in table.seats if seat.id == letter.seat_id), None)
    return Sender(table, seat) if seat else None


def _deal_with_batch(desk: Desk, letters: list[Stored], waiting: Mapping[int, Place]) -> tuple[int, Left]:
    """Deal with letters, but for those of games whose earlier letters wait; gives how many were dealt with, and those that
    were left."""
    try:
        return _deal_with_all(desk, letters, Left(waiting))
    except UNUSABLE:
        raise
    except DEFECTS:
        if found_aside(desk):  # it is no matter of theirs
            return _deal_with_batch(desk, letters, waiting)
        count, left = 0, Left(waiting)
        for stored in letters:
            dealt, left = _deal_with_alone(desk, stored, left)
            count += dealt
        return count, left


def _deal_with_all(desk: Desk, letters: list[Stored], left: Left, lane: int | None = None) -> tuple[int, Left]:
    """Deal with letters in one transaction, of which some may not be looked at: with many maps to draw the others wait."""

    def deal(work: Transaction) -> tuple[int, Left]:
        nonlocal letters
        if lane is not None:
            work.table(lane)  # from here on nobody else deals with the letters of this game
        still_left, count, looked_at = left.copy(), 0, 0
        for stored in still_new(work, letters):
            count += _deal_with(work, stored, still_left)
            looked_at += 1
            if looked_at % _AT_ONCE == 0:
                work.write_rows()
            if len(work.slot(MapPictures).left) >= _MOST_DRAWN:
                break
        letters = letters[:looked_at]  # when it is done again
        work.moment = None
        _stop_broken(work)
        return count, still_left

    return change_games(desk, deal, lane=lane)


def _stop_broken(work: Transaction) -> None:
    """Stop the games that cannot go on. Such a one may be here only because the writer of a letter plays in it, too: the others
    do not wait for it."""
    for table in work.tables:
        if table.game.status is GameStatus.RUNNING and table.trouble and not (work.desk.host and lacks_rules(table)):
            stop_game(work, table, table.trouble)


def _deal_with_alone(desk: Desk, stored: Stored, left: Left) -> tuple[int, Left]:
    """Deal with one letter, or leave it with the others that were left; if it makes trouble it is put aside."""
    try:
        return _deal_with_all(desk, [stored], left)
    except UNUSABLE:
        raise
    except DEFECTS as trouble:
        # The text of the exception may quote the letter, so only its kind goes into log and ledger.
        note = place_of(trouble)
        desk.troubled(trouble)
        _trouble.error("letter %d cannot be dealt with and is quarantined: %s", stored.id, note)
        try:
            with changing_games(desk) as work:
                if not still_new(work, [stored]):
                    return 0, left  # somebody else has dealt with it, and had no trouble
                _quarantine(work, stored, note)
        except UNUSABLE:
            raise
        except DEFECTS as further:
            _trouble.error("nor can it be said whose letter %d is: %s", stored.id, place_of(further))
            with Transaction(desk) as work:
                _put_aside(work, stored.id, None, note)
        return 1, left


def _quarantine(work: Transaction, stored: Stored, note: str) -> None:
    """Put a letter aside with what is known of it. If it acts for a seat, its game must not go on without it."""
    work.cause, work.moment = f"letter {stored.id}", stored.arrived_at
    arrived, sender = open_letter(work, stored)
    if isinstance(sender, Answering):
        sender = Sender(sender.table, sender.seat)
    if not isinstance(sender, Sender) or arrived.letter.vacation or asked_for(work, arrived, sender):
        _put_aside(work, stored.id, None, note)
        return
    _put_aside(work, stored.id, sender, note)
    stop_game(work, sender.table, note, stored.id)
    tell_sender(work, sender, arrived.letter, stored.id)


def _put_aside(work: Transaction, letter_id: int, sender: Sender | None, note: str) -> None:
    work.cause = f"letter {letter_id}"
    table, seat = (sender.table, sender.seat) if sender else (None, None)
    work.settle_letter(letter_id, LetterState.QUARANTINED, note, table and table.id, seat and seat.id)
    work.log("quarantine", table, seat.name if seat else "-", f"letter {letter_id}: {note}; nothing was changed by it")
    if sender is None:
        alarm(work, "letter", f"letter {letter_id}: {note}", about=f"letter {letter_id}", lasts=False)


def _deal_with(work: Transaction, stored: Stored, left: Left) -> bool:
    """Deal with a letter and report what it sets off. False if it was left."""
    work.cause, work.moment = f"letter {stored.id}", stored.arrived_at
    work.slot(CausedMails).count = 0
    arrived, sender = open_letter(work, stored)
    if left.takes(work, stored, arrived.letter, sender):
        return False
    deal_with(work, arrived, sender)
    if work.slot(Unreported).left:
        report_all(work)
    return True
