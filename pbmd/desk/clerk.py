"""The clerk: takes letters in order of arrival, finds whose they are, does what they say, and answers every one.

Letters share a transaction as long as all goes well. When one of them makes trouble the whole batch is undone and done
again letter by letter, so that only the troublemaker is put aside (quarantined, visible to the GM) and nobody else's
mail is lost or waits for it. What shares a transaction makes no other difference: what a letter sets off is reported before
the next is looked at, and a letter before which the clock has something to do is left for the next batch
(`pbmd.desk.letters.waiting`).
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from sqlmodel import col

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.work import Work
from pbmd.desk.confirming.answers import hear, not_read
from pbmd.desk.confirming.held import ask_whose, hint, hold, may_be_asked
from pbmd.desk.confirming.several_games import hold_unclear
from pbmd.desk.game.ended import NEVER_CONFIRMED
from pbmd.desk.game.maps import draw
from pbmd.desk.game.moves_due import carry_on
from pbmd.desk.game.reports import report_tick
from pbmd.desk.game.stop import stop_game
from pbmd.desk.language.player_commands import VISITING, Command
from pbmd.desk.letters.answer import Answer, send_answer
from pbmd.desk.letters.arrived import STORED, Arrived, Doubtful, Master, Seated, Sender, Stored, Unclear, Whose, arrival_of
from pbmd.desk.letters.attached import with_files
from pbmd.desk.letters.defects import tell_sender
from pbmd.desk.letters.questions import Answering, expire, has_expired
from pbmd.desk.letters.read import blank, keep, open_letter, without_passwords
from pbmd.desk.letters.tries import forget_tries, has_old_tries
from pbmd.desk.letters.unread import MAX_LINE_CHARS, MAX_ORDER_LINES, could_be_orders
from pbmd.desk.letters.waiting import Left, Queue
from pbmd.desk.mail.alarms import alarm
from pbmd.desk.mail.ours import is_of, made_by_pbmd
from pbmd.desk.mail.reachable import heard_from
from pbmd.desk.mail.tokens import BLANKED, without_tokens
from pbmd.desk.master.serve import serve as serve_master
from pbmd.desk.player.commands import ACTS, Act
from pbmd.desk.player.earlier_orders import with_earlier_orders
from pbmd.desk.player.moves import carry_out_moves, take_move
from pbmd.desk.player.orders import take_orders
from pbmd.desk.sending.bounces import take_bounce
from pbmd.desk.timing.evidence import Place
from pbmd.desk.timing.schedule import reschedule
from pbmd.desk.timing.trusted_clock import doubt
from pbmd.desk.visitors.ask import visiting
from pbmd.desk.visitors.reception import from_seat, hear_visitor, receive_visitor
from pbmd.desk.visitors.signup import open_games
from pbmd.ledger.damage import UNUSABLE
from pbmd.ledger.tables import GameStatus, LetterState, SeatState
from pbmd.ledger.tables import Letter as LetterRow
from pbmd.post.commands import LeftOut, left_out
from pbmd.reports.picture import KEPT
from pbmd.rules.protocol import Line, View
from pbmd.rules.troubles import BrokenGame, place_of

MAX_COMMANDS = 30
"""A short letter must not make an endless answer, nor a flood of press."""
_MOST_DRAWN = KEPT // 2
"""With so many maps to draw no more letters are dealt with: pictures that are forgotten would be drawn a second time."""
_TOKENS_IN_TOKENS = 3
_COMMANDS: Mapping[str, Act] = ACTS | dict.fromkeys(("list", "watch", "unwatch", "standby"), from_seat)
_ASKING = ("status", "report", "rules", "help", "list")
_trouble = logging.getLogger("pbmd.clerk")


def process_letters(desk: Desk, answered: Callable[[], object] = lambda: None) -> int:
    """Deal with all new letters, in order of arrival, and give their number; those before which the clock has to do something
    that it cannot do yet stay new. `answered` is called whenever some of them have been dealt with for good: who waits for an
    answer need not wait for the rest. Raises `OperationalError` if the ledger cannot be written: then all letters that were not
    committed are still new. What is wrong with a letter itself raises nothing, whatever it is: that letter is put aside."""
    count, queue = 0, Queue(desk)
    while letters := queue.next_letters():
        dealt, left = _deal_with_batch(desk, letters, queue.waiting)
        count += dealt
        answered()
        queue.let_the_clock_go_first(left)
    # Looked for first, since whoever writes makes the others wait.
    with Work(desk, reads=True) as work:
        expired = (count or queue.waiting) and not doubt(work) and (has_expired(work) or has_old_tries(work))
        letters = may_be_asked(work)
    if expired:
        with Work(desk) as work:
            expire(work)
            forget_tries(work)
    _ask_about_waiting(desk, letters)
    return count


def _ask_about_waiting(desk: Desk, letters: Iterable[int]) -> None:
    """Ask about letters that had to wait until their players could be asked again."""
    for letter_id in letters:
        try:
            with Work(desk) as work:
                _ask_about(work, letter_id)
        except UNUSABLE:
            raise
        except Exception as trouble:
            _trouble.error("letter %d cannot be asked about and is quarantined: %s", letter_id, place_of(trouble))
            with Work(desk) as work:
                waits = _waiting(work, letter_id)
                _put_aside(work, letter_id, waits, place_of(trouble))
                if waits is not None:
                    alarm(work, "letter", f"letter {letter_id} in {waits.table.game.name}: {place_of(trouble)}", lasts=False)


def _ask_about(work: Work, letter_id: int) -> None:
    work.cause = f"letter {letter_id}"
    letter, waits = work.session.get(LetterRow, letter_id), _waiting(work, letter_id)
    if letter is None or waits is None:
        return
    table, seat = waits.table, waits.seat
    if seat.state is SeatState.ACTIVE and table.game.status in (GameStatus.RUNNING, GameStatus.PAUSED):
        stored = Stored(letter_id, letter.uid, letter.arrived_at, letter.size, letter.raw, letter.truncated)
        arrived, _ = open_letter(work, stored, waits)
        doubtful = Doubtful(table, seat, letter.note)
        ask_whose(work, doubtful, with_files(doubtful, arrived)[0])
    else:
        work.settle_letter(letter_id, LetterState.DONE, NEVER_CONFIRMED, table.id, seat.id)


def _waiting(work: Work, letter_id: int) -> Sender | None:
    """The seat whose player is to be asked about a letter that is held; None if it is none."""
    letter = work.session.get(LetterRow, letter_id)
    if letter is None or letter.state is not LetterState.HELD or letter.game_id is None:
        return None
    table = work.table(letter.game_id)
    return Sender(table, next(seat for seat in table.seats if seat.id == letter.seat_id))


class _DrawFirst(Exception):
    """Letters have moved games that have maps, and these are not drawn yet."""

    def __init__(self, letters: list[Stored], views: list[tuple[View, bool]]) -> None:
        super().__init__()
        self.letters = letters
        self.views = views


def _deal_with_batch(desk: Desk, letters: list[Stored], waiting: Mapping[int, Place]) -> tuple[int, Left]:
    """Deal with letters, but for those of games whose earlier letters wait; gives how many were dealt with, and those that
    were left."""
    try:
        return _deal_with_all(desk, letters, Left(waiting))
    except UNUSABLE:
        raise
    except Exception:
        count, left = 0, Left(waiting)
        for stored in letters:
            dealt, left = _deal_with_alone(desk, stored, left)
            count += dealt
        return count, left


def _deal_with_all(desk: Desk, letters: list[Stored], left: Left) -> tuple[int, Left]:
    """Deal with letters in one transaction, of which some may not be looked at. Maps take long, and as long as it lasts nobody
    else can write: so if there are any to be drawn, it is undone, they are drawn, and all is done again."""
    try:
        return _try_all(desk, letters, left.copy(), draws=False)
    except _DrawFirst as first:
        draw(first.views)
        return _try_all(desk, first.letters, left.copy(), draws=True)


def _try_all(desk: Desk, letters: list[Stored], left: Left, *, draws: bool) -> tuple[int, Left]:
    count = looked_at = 0
    with Work(desk) as work:
        work.sketches = None if draws else []
        for stored in letters:
            count += _deal_with(work, stored, left)
            looked_at += 1
            if work.sketches and len(work.sketches) >= _MOST_DRAWN:
                break
        work.moment = None
        if work.sketches:
            raise _DrawFirst(letters[:looked_at], work.sketches)
        _reschedule_all(work)
    return count, left


def _deal_with_alone(desk: Desk, stored: Stored, left: Left) -> tuple[int, Left]:
    """Deal with one letter, or leave it with the others that were left; if it makes trouble it is put aside."""
    try:
        return _deal_with_all(desk, [stored], left)
    except UNUSABLE:
        raise
    except Exception as trouble:
        # The text of the exception may quote the letter, so only its kind goes into log and ledger.
        note = place_of(trouble)
        _trouble.error("letter %d cannot be dealt with and is quarantined: %s", stored.id, note)
        try:
            with Work(desk) as work:
                _quarantine(work, stored, note)
        except UNUSABLE:
            raise
        except Exception as further:
            _trouble.error("nor can it be said whose letter %d is: %s", stored.id, place_of(further))
            clean = without_passwords(stored)
            with Work(desk) as work:
                keep(work, stored, clean)
                _put_aside(work, stored.id, None, note)
        return 1, left


def _quarantine(work: Work, stored: Stored, note: str) -> None:
    """Put a letter aside with what is known of it. If it acts for a seat, its game must not go on without it."""
    work.cause, work.moment = f"letter {stored.id}", stored.arrived_at
    arrived, sender = open_letter(work, stored)
    blank(work, stored, arrived.letter, arrived.passwords)
    if isinstance(sender, Answering):
        sender = Sender(sender.table, sender.seat)
    if not isinstance(sender, Sender) or arrived.letter.vacation or _visits(work, arrived, sender):
        _put_aside(work, stored.id, None, note)
        return
    _put_aside(work, stored.id, sender, note)
    stop_game(work, sender.table, note, stored.id)
    tell_sender(work, sender, arrived.letter, stored.id)


def _put_aside(work: Work, letter_id: int, sender: Sender | None, note: str) -> None:
    work.cause = f"letter {letter_id}"
    _mark(work, letter_id, LetterState.QUARANTINED, sender, note)
    table, seat = (sender.table, sender.seat.name) if sender else (None, "-")
    work.log("quarantine", table, seat, f"letter {letter_id}: {note}; nothing was changed by it")
    if sender is None:
        alarm(work, "letter", f"letter {letter_id}: {note}", lasts=False)


def _visits(work: Work, arrived: Arrived, sender: Whose) -> Command | None:
    """The command of a letter that asks for something that needs no seat. Who only shows an address may mean another game than
    their own, if it is one that takes sign-ups; and where none does, a JOIN is a letter like any other. What else needs no seat
    counts in a letter that says nothing more, or that is nobody's."""
    commands = [command for command in arrived.script.commands if command.kind in VISITING]
    if not commands or isinstance(sender, Answering) or not arrived.letter.sender:
        return None
    if commands[0].kind == "join":
        return _newcomer(work, commands[0], sender)
    only = len(commands) == len(arrived.script.commands) and not arrived.script.orders
    return commands[0] if isinstance(sender, str) or (only and not isinstance(sender, Sender)) else None


def _newcomer(work: Work, command: Command, sender: Whose) -> Command | None:
    """The JOIN of a letter if it asks for a seat."""
    games = open_games(work)
    if isinstance(sender, str | Unclear):
        return command if games else None
    game = command.words["game"].lower()
    if isinstance(sender, Sender) and (not sender.by_address or game == sender.table.game.name):
        return None
    return command if game in games else None


def _deal_with(work: Work, stored: Stored, left: Left) -> bool:
    """Deal with a letter and report what it sets off. False if it was left."""
    work.caused, work.cause, work.moment = 0, f"letter {stored.id}", stored.arrived_at
    arrived, sender = open_letter(work, stored)
    if left.takes(work, stored, arrived.letter, sender):
        return False
    _do(work, stored, arrived, sender)
    for game_id in [*work.ticks]:
        report_tick(work, work.table(game_id))
    return True


def _do(work: Work, stored: Stored, arrived: Arrived, sender: Whose) -> None:
    letter = arrived.letter
    blank(work, stored, letter, arrived.passwords)
    own = made_by_pbmd(letter, work.desk.settings.server.address, partial(is_of, work))
    if no_letter := own or take_bounce(work, letter, stored.id, stored.raw):
        _put_away(work, stored.id, None, f"not answered: {no_letter}")
        return
    if isinstance(sender, Master):
        work.settle_letter(stored.id, LetterState.DONE, "from the game master", sender.table.id, None)
        serve_master(work, sender, arrived)
        return
    unanswered = f"not answered: {letter.automatic}" if letter.automatic else ""
    if not letter.automatic and _received_visitor(work, arrived, sender):
        return
    if isinstance(sender, Sender):
        heard_from(work, sender.table, sender.seat)
        answer = _serve(work, arrived, sender)
        _put_away(work, stored.id, sender, unanswered)
        if not letter.automatic:
            send_answer(work, sender, letter, stored.id, answer)
    elif unanswered:
        _put_away(work, stored.id, None, unanswered)
    elif isinstance(sender, Answering):
        _mark(work, stored.id, LetterState.DONE, sender, "an answer to a question")
        if hear(work, sender, letter, stored.id, stored.arrived_at):
            _release(work, sender, not_read(work, sender, letter))
        # It may have been given up by whoever was to move.
        carry_on(work, sender.table, begins=True)
    elif isinstance(sender, Unclear):
        if reason := hold_unclear(work, sender, arrived):
            _put_away(work, stored.id, None, f"not answered: {reason}")
    else:
        doubtful = isinstance(sender, Doubtful)
        reason = hold(work, sender, arrived) if doubtful else sender
        if reason:
            _put_away(work, stored.id, sender if doubtful else None, f"not answered: {reason}")
        hint(work, letter, stored.id)


def _received_visitor(work: Work, arrived: Arrived, sender: Whose) -> bool:
    """Deal with a letter that needs no seat, or answers what somebody without one was asked. False if it is none."""
    # What shows a seat's token answers no question that was asked of somebody without a seat; most letters do.
    proven = isinstance(sender, Sender) and not sender.by_address
    visit = None if proven else visiting(work, arrived.letter, arrived.id, arrived.arrived_at)
    if visit is not None and (visit.said != "unclear" or not isinstance(sender, Sender)):
        _mark(work, arrived.id, LetterState.DONE, None, "an answer to a question")
        hear_visitor(work, visit)
        return True
    asked_for = _visits(work, arrived, sender)
    if asked_for is not None:
        _put_away(work, arrived.id, None, receive_visitor(work, arrived, asked_for))
    return asked_for is not None


def _release(work: Work, answer: Answering, left_out: tuple[LeftOut, ...]) -> None:
    """Deal with a letter that was held and is confirmed, as if it had never been in doubt. `left_out`: what was not read of
    the answer that confirms it."""
    held = answer.question.letter_id or 0
    work.write()
    found = STORED.where(col(LetterRow.id) == held, col(LetterRow.state) == LetterState.HELD)
    row = work.session.connection().execute(found).first()
    if row is None:
        return
    sender = Sender(answer.table, answer.seat, confirmed=True)
    arrived, _ = open_letter(work, Stored(*row), sender)
    with work.because(f"letter {held}, confirmed by {work.cause}"):
        served = _serve(work, arrived, sender)
    served.left_out += left_out
    _mark(work, held, LetterState.DONE, sender, "confirmed by its player")
    send_answer(work, sender, arrived.letter, held, served)


def _serve(work: Work, arrived: Arrived, sender: Sender) -> Answer:
    """Do all that a trusted letter says, and gather the answer."""
    arrived, files = with_files(sender, arrived)
    answer = Answer(left_out=arrived.letter.left_out)
    if files:
        answer.remark(files)
    if sender.besides:
        seat = f"{sender.seat.name} in {sender.table.game.name}"
        answer.remark(
            f"Your mail shows the secrets of several seats of yours. It was read for {seat}, and not for "
            f"{', '.join(sender.besides)}: send each a mail of its own."
        )
    if arrived.letter.problem:
        answer.remark(arrived.letter.problem)
        if not arrived.letter.lines:
            return answer
    if not arrived.script.orders and not arrived.script.commands:
        answer.remark(
            "Your mail had no line with an order or a command, so nothing was changed. "
            "If you want to give no orders this turn, send the single line ORDERS."
        )
    if any(arrived.shows_token(command) for command in arrived.script.commands):
        answer.remark(BLANKED)
    gives_orders = arrived.script.orders or any(command.kind == "orders" for command in arrived.script.commands)
    position = sender.table.position if gives_orders else None
    _carry_out(work, arrived, sender, answer)
    _doubt(sender, position, arrived, answer)
    if arrived.script.unread:
        count = len(arrived.script.unread)
        answer.remark(f"After END, {count} {'line was' if count == 1 else 'lines were'} not read.")
        answer.left_out += left_out([line.text for line in arrived.script.unread], "it stands below END")
    return answer


def _doubt(sender: Sender, position: Any, arrived: Arrived, answer: Answer) -> None:
    """Say first of all if what is in force may not be all that was meant: lines that could have been orders in this position
    were not read."""
    table, orders = sender.table, answer.orders
    if not answer.is_reported and (orders is None or not orders.taken):
        return
    if not could_be_orders(table, position, sender.seat.name, answer.left_out, arrival_of(arrived)):
        return
    if orders is None:
        answer.remark("Lines of your mail that could be orders were not read; they stand below.")
    else:
        answer.orders = replace(orders, headline=f"{orders.headline}, but lines that could be orders were not read")


def _carry_out(work: Work, arrived: Arrived, sender: Sender, answer: Answer) -> None:
    """Orders and commands in the order in which they are written, but what only asks to see something comes last."""
    own = tuple(line for line in arrived.script.orders if line.number not in arrived.blanked)
    script = with_earlier_orders(work, sender, replace(arrived.script, orders=own), answer)
    shown = [line.text for line in arrived.script.orders if line not in own]
    script = replace(script, orders=_orders_to_read(arrived, script.orders, shown, answer))
    arrived = replace(arrived, script=script)
    named = next((command for command in script.commands if command.kind == "orders"), None)
    if named and any(command.kind == "orders" and command.words != named.words for command in script.commands):
        answer.remark(f'Of several lines that say for when the orders are only the first counts: "{named.line.text}".')
    commands = [command for command in script.commands if command.kind != "orders"]
    if len(commands) > MAX_COMMANDS:
        answer.remark(f"Of your {len(commands)} commands only the first {MAX_COMMANDS} were carried out.")
        commands = commands[:MAX_COMMANDS]
    numbers = [line.number for line in script.orders] + ([named.line.number] if named else [])
    doing = [command for command in commands if command.kind not in _ASKING]
    before = [command for command in doing if not numbers or command.line.number < min(numbers)]
    # Asking twice for the same is asking once.
    asking = {(command.kind, *command.words.values()): command for command in commands if command.kind in _ASKING}
    sequential = sender.table.ruleset.sequential
    for command in before:
        _COMMANDS[command.kind](work, sender, arrived, command, answer)
    if numbers:
        (take_move if sequential else take_orders)(work, sender, arrived, named, answer)
    for command in doing[len(before) :]:
        _COMMANDS[command.kind](work, sender, arrived, command, answer)
    if sequential:
        carry_out_moves(work, sender, arrived, answer)
    for command in asking.values():
        _COMMANDS[command.kind](work, sender, arrived, command, answer)


def _orders_to_read(arrived: Arrived, lines: tuple[Line, ...], shown: list[str], answer: Answer) -> tuple[Line, ...]:
    """The order lines without those that are not read, of which the answer tells; those `shown` besides had a token."""
    if long := [line.text for line in lines if len(line.text) > MAX_LINE_CHARS]:
        answer.remark(f"Lines of more than {MAX_LINE_CHARS} characters are not read; your mail had {len(long)}.")
        answer.left_out += left_out(long, "it is too long")
        lines = tuple(line for line in lines if len(line.text) <= MAX_LINE_CHARS)
    if len(lines) > MAX_ORDER_LINES:
        answer.remark(f"Of the {len(lines)} order lines in your mail only the first {MAX_ORDER_LINES} were read.")
        answer.left_out += left_out([line.text for line in lines[MAX_ORDER_LINES:]], "there were too many lines above it")
        lines = lines[:MAX_ORDER_LINES]
    harmless = _without_tokens(arrived, lines)
    if shown := [*shown, *(line.text for line in lines if line not in harmless)]:
        answer.remark(f"Order lines with a secret token are not read, since others may see orders; your mail had {len(shown)}.")
        answer.left_out += left_out(without_tokens(arrived.blanker, shown), "a secret token is in it")
    return harmless


def _without_tokens(arrived: Arrived, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """The lines without those in which a token comes together when others are left out; who does that again and again has none
    of them read."""
    for _ in range(_TOKENS_IN_TOKENS):
        clean = without_tokens(arrived.blanker, [line.text for line in lines])
        kept = tuple(line for line, text in zip(lines, clean, strict=True) if line.text == text)
        if len(kept) == len(lines):
            return lines
        lines = kept
    return ()


def _put_away(work: Work, letter_id: int, sender: Seated | None, note: str) -> None:
    _mark(work, letter_id, LetterState.DONE, sender, note)
    if note:
        table = sender.table if sender else None
        work.log("letter", table, sender.seat.name if sender else "-", f"letter {letter_id} {note}")


def _mark(work: Work, letter_id: int, state: LetterState, sender: Seated | None, note: str) -> None:
    game_id, seat_id = (sender.table.id, sender.seat.id) if sender else (None, None)
    work.settle_letter(letter_id, state=state, note=note, game_id=game_id, seat_id=seat_id)


def _reschedule_all(work: Work) -> None:
    for table in work.tables:
        try:
            reschedule(work, table)
        except BrokenGame as trouble:
            # It may be here only because the writer of a letter plays in it, too: the others do not wait for it.
            stop_game(work, table, trouble.trouble)
