"""For which step a letter is meant, and whether it came in time.

One that came in time may be seen only when its seat has been said to have missed the turn at the deadline: a mail server may
show a letter later than those that came after it, and a letter may lie in the junk folder until somebody moves it back. The
player is not to blame, and only the game master can take the turn back.

Which step a letter is for its Message-ID says (``-t3s17``: turn and step of the mail that it answers), else the name in the
subject (``[pbmd galaxy-7 t3 phase 1b]``), else ``ORDERS FOR TURN 3 PHASE 1B``, which goes before both. What is for another step
is not taken; of a seat that has no part in a step it is not late, but for another one. What names the turn alone counts if it
arrived since the step began.
"""

import json
import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.awaiting import closing
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.letter.sender import subject_reported, subject_step
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import is_queued, tell_gm
from pbmd.ledger.tables import Game, GameStatus, Seat, StepRecord, SubmissionState, called, step_words
from pbmd.post.read.letter import Letter
from pbmd.post.tags import Tag, read_tag
from pbmd.terms.times import describe_duration, describe_time

_MESSAGE_ID = re.compile(
    r"<[a-z]+-t(?P<turn>\d{1,6})(?:s(?P<step>\d{1,9}))?\.(?P<tag>g\d+p\d+\.[a-z2-7]+)\.", re.IGNORECASE | re.ASCII
)


def not_under_way(table: OpenGame) -> str:
    """Why a game takes no orders at all, in words; empty if it does."""
    if table.game.status in (GameStatus.RUNNING, GameStatus.PAUSED):
        return ""
    return "the game has not begun" if table.game.status is GameStatus.SIGNUP else "the game is over"


@dataclass(frozen=True, slots=True)
class Mistimed:
    """Why a letter cannot count now, as a sentence, and the turn and step that it was for. `seen_late`: it came in time, but
    was seen only when its seat had been said to have missed that step at the deadline. `why` is what the log says of it, where
    that is not the sentence, and `short` what a subject says."""

    sentence: str
    state: SubmissionState
    turn: int
    step: int
    seen_late: bool = False
    why: str = ""
    short: str = "NOT TAKEN"


@dataclass(frozen=True, slots=True)
class TargetStep:
    """The step that orders are for, as far as they say it. `step` is None if only the turn is known, and negative if the turn
    has no step of that `name`."""

    turn: int
    step: int | None = None
    name: str = ""

    @property
    def words(self) -> str:
        """What that step is called in a sentence."""
        return called(step_words(self.turn, self.name))

    def may_be_now(self, game: Game) -> bool:
        """Whether it is the step that runs, as far as they say it."""
        return self.turn == game.turn and self.step in (None, game.step)


def mistimed(
    work: Transaction, sender: Sender, arrived: Arrived, command: Command | None, what: str = "orders"
) -> Mistimed | None:
    """Why a letter does not count for the step that now runs, None if it does. `command` is its ORDERS line, if
    it has one, and `what` its lines that are asked about, for the sentence."""
    table, game = sender.table, sender.table.game
    named = _named(work, sender, command)
    meant = _meant(named, answered_step(work, sender, arrived.letter))
    again = _again(table, what)
    if named is None and (earlier := _before_this_step(work, sender, meant, arrived.arrived_at, what)):
        return replace(earlier, sentence=f"{earlier.sentence}. {again}")
    if meant is None or meant.may_be_now(game):
        return _untimely_now(table, sender.seat, meant, arrived.arrived_at, what)
    if missed := _missed_the_last_step(work, sender, meant, arrived.arrived_at):
        return replace(missed, sentence=f"your {what} for {meant.words} {missed.sentence}. {again}")
    if meant is named:
        sentence = f"your {what} say {meant.words}, but this is {game.step_called}, so they were not accepted. {again}"
    else:
        answers = f"your mail answers one of {meant.words}, but the game is in {game.step_called}"
        sentence = f"{answers}; your {what} were not taken. {again}"
    short = f"NOT TAKEN: your {what} say {meant.words}" if meant is named else f"NOT TAKEN: {meant.words} is over"
    return Mistimed(sentence, SubmissionState.REFUSED, game.turn, game.step, short=short)


def _meant(named: TargetStep | None, answered: TargetStep | None) -> TargetStep | None:
    """The step that a letter is for, by its ORDERS line and by the mail that it answers."""
    if named is None:
        return answered
    # Which of the steps of a turn is meant, a mail may tell though its text names the turn.
    return answered if answered and named.step is None and answered.turn == named.turn else named


def _again(table: OpenGame, what: str) -> str:
    """What to do if lines that were not taken are for the step that runs."""
    of = table.game.step_called
    if what != "orders":
        return f"If they are for {of}, reply to the last report"
    return f"If you want them for {of}, send them again in reply to the last report, or below the line {orders_line(table)}"


def _untimely_now(table: OpenGame, seat: Seat, meant: TargetStep | None, arrived_at: datetime, what: str) -> Mistimed | None:
    """How a letter that may be for the step that now runs missed it, None if it did not."""
    # In a turn of several steps the turn alone does not tell that a letter is about this one.
    is_vague = meant is None or (meant.step is None and bool(table.game.step_name))
    words = untimely(table, seat, arrived_at, since_opened=is_vague)
    sentence = f"your {what} {words} and were not taken"
    short = "NOT TAKEN: " + words.removeprefix("came ")
    return Mistimed(sentence, SubmissionState.LATE, table.game.turn, table.game.step, short=short) if words else None


def orders_line(table: OpenGame) -> str:
    """The line above orders that says that they are for the step that now runs."""
    name = table.game.step_name.upper()
    phase = f" PHASE {name.removeprefix('PHASE ')}" if name else ""
    return f"ORDERS FOR TURN {table.game.turn}{phase}"


def _named(work: Transaction, sender: Sender, command: Command | None) -> TargetStep | None:
    """The step that an ORDERS line names; None if there is none, or it names none."""
    if command is None or "turn" not in command.words:
        return None
    turn, phase = int(command.words["turn"]), " ".join(command.words.get("phase", "").lower().split())
    if not phase:
        return TargetStep(turn)
    found = [_step_of_name(work, sender.table, turn, name) for name in (f"phase {phase}", phase)]
    return next((meant for meant in found if meant), TargetStep(turn, -1, f"phase {phase}"))


def _step_of_name(work: Transaction, table: OpenGame, turn: int, name: str) -> TargetStep | None:
    """The step of that name in a turn, None if there is none so far."""
    game = table.game
    if (turn, name) == (game.turn, game.step_name):
        return TargetStep(turn, game.step, name)
    work.write_rows()
    steps = select(StepRecord.step).where(StepRecord.game_id == table.id, StepRecord.turn == turn, StepRecord.name == name)
    step = work.session.exec(steps.order_by(col(StepRecord.step).desc()).limit(1)).first()
    return None if step is None else TargetStep(turn, step, name)


def answered_step(work: Transaction, sender: Sender, letter: Letter) -> TargetStep | None:
    """The step of the mail that this letter answers: as its Message-ID has it, else as the subject has it."""
    return _step_of_references(work, sender, letter) or _step_of_subject(work, sender.table, letter)


def _step_of_references(work: Transaction, sender: Sender, letter: Letter) -> TargetStep | None:
    """Of a whole thread the latest, also if turns were taken back."""
    table, found = sender.table, filter(None, map(_MESSAGE_ID.match, letter.references))
    # Mails from before steps had names do not say their step.
    steps = [(int(each["step"] or -1), int(each["turn"])) for each in found if _is_of(sender, read_tag(each["tag"]))]
    if not steps:
        return None
    step, turn = max(steps)
    is_earlier = turn == table.game.turn and 0 <= step < table.game.step
    if is_earlier and _is_played_again(work, table, step):
        step = table.game.step
    return TargetStep(turn, None if step < 0 else step, _name_of_step(work, table, step))


def _step_of_subject(work: Transaction, table: OpenGame, letter: Letter) -> TargetStep | None:
    named = subject_step(letter)
    if named is None or named[0] != table.game.name:
        return None
    _, turn, name = named
    if not name and (told := subject_reported(letter)):
        return _step_after(work, table, told) or TargetStep(turn)
    return (_step_of_name(work, table, turn, name.lower()) if name else None) or TargetStep(turn)


def _step_after(work: Transaction, table: OpenGame, told: str) -> TargetStep | None:
    """The step that began with the report of one that players call so, where that says more than the turn."""
    work.write_rows()
    columns = select(StepRecord.step, StepRecord.turn, StepRecord.name).where(StepRecord.game_id == table.id)
    steps = work.session.exec(columns.where(StepRecord.name != "").order_by(col(StepRecord.step).desc())).all()
    before = next((step for step, turn, name in steps if called(step_words(turn, name)).lower() == told), None)
    if before is None:
        return None
    now = table.game.turn, table.game.step_name
    turn, name = next(((turn, name) for step, turn, name in steps if step == before + 1), now)
    return TargetStep(turn, before + 1, name)


def _is_played_again(work: Transaction, table: OpenGame, step: int) -> bool:
    """Whether a step of this turn was taken back and the game stands again as it stood then."""
    game = table.game
    work.write_rows()
    record = select(StepRecord.name, StepRecord.rolled_back).where(StepRecord.game_id == table.id, StepRecord.step == step)
    found = work.session.exec(record).first()
    return found is not None and bool(found[1]) and found[0] == game.step_name


def _name_of_step(work: Transaction, table: OpenGame, step: int) -> str:
    """What the rules call a step of this game; empty if it has no name, or is not known."""
    if step == table.game.step:
        return table.game.step_name
    work.write_rows()
    names = select(StepRecord.name).where(StepRecord.game_id == table.id, StepRecord.step == step)
    return work.session.exec(names).first() or ""


def _is_of(sender: Sender, tag: Tag | None) -> bool:
    return tag is not None and (tag.game, tag.seat) == (sender.table.id, sender.seat.number)


def _missed_the_last_step(work: Transaction, sender: Sender, meant: TargetStep, arrived_at: datetime) -> Mistimed | None:
    """How a letter missed the step that was resolved last, as the end of a sentence, None if it is for another."""
    table, seat = sender.table, sender.seat
    last = table.game.step - 1
    if meant.step not in (None, last):
        return None
    work.write()
    columns = select(StepRecord.resolved_at, StepRecord.took_until, StepRecord.cause, StepRecord.deadlines)
    of_turn = columns.where(StepRecord.game_id == table.id, StepRecord.step == last, StepRecord.turn == meant.turn)
    record = work.session.exec(of_turn).first()
    if record is None:
        return None
    resolved_at, took_until, cause, deadlines = record
    if str(seat.number) not in json.loads(deadlines):
        return None  # It had no part in that step, so it missed nothing.
    resolved = f"{meant.words} was played {describe_time(resolved_at, seat.timezone, seconds=True)}"
    missed = Mistimed("", SubmissionState.LATE, meant.turn, last, short=f"NOT TAKEN: {meant.words} was over")
    if late := lateness(table, seat, deadlines, arrived_at):
        missed = replace(missed, short=_too_late(meant.words, late))
        return replace(missed, sentence=f"came {describe_duration(late)} after the deadline: {resolved}")
    if arrived_at >= took_until.replace(microsecond=0):
        return replace(missed, sentence=f"came too late: {resolved}, because {cause}")
    if sender.confirmed:
        return replace(missed, sentence=f"were confirmed too late: {resolved}, because {cause}")
    if seat.missed_step == last and closed_by_deadline(seat, deadlines, resolved_at):
        return replace(missed, sentence=f"came in time, but were seen only when it was over: {resolved}", seen_late=True)
    return replace(missed, sentence=f"were read too late: {resolved}, because {cause}")


def _before_this_step(
    work: Transaction, sender: Sender, meant: TargetStep | None, arrived_at: datetime, what: str
) -> Mistimed | None:
    """How a letter that was held missed the step in which it arrived, None if it arrived in the one that now runs or is for
    another. It belongs to the books of that step, and is no evidence of anything in a later one."""
    table, seat = sender.table, sender.seat
    if not sender.confirmed or table.game.takes_from is None or arrived_at >= table.game.takes_from.replace(microsecond=0):
        return None
    work.write()
    columns = select(StepRecord.turn, StepRecord.step, StepRecord.name, StepRecord.deadlines)
    # What came in the second in which a step ended counts for the one that began then.
    records = columns.where(StepRecord.game_id == table.id, StepRecord.took_until >= arrived_at + timedelta(seconds=1))
    record = work.session.exec(records.order_by(col(StepRecord.step)).limit(1)).first()
    if record is None:
        return None
    turn, step, name, deadlines = record
    if meant is not None and (meant.turn != turn or meant.step not in (None, step)):
        return None
    of = called(step_words(turn, name))
    late = lateness(table, seat, deadlines, arrived_at)
    how = f"came {describe_duration(late)} too late for {of}, and were" if late else f"came in time for {of}, but were"
    state = SubmissionState.LATE if late else SubmissionState.REFUSED
    sentence = f"your {what} {how} confirmed only after that was resolved; they were not taken"
    return Mistimed(sentence, state, turn, step, short=_too_late(of, late) if late else f"NOT TAKEN: {of} was over")


def _too_late(step: str, late: timedelta) -> str:
    return f"{describe_duration(late)} too late for {step}"


def untimely_move(table: OpenGame, seat: Seat, arrived_at: datetime) -> str:
    """How a letter missed the seat's move in a sequential game, empty if it did not: no clock runs but for who is to move."""
    is_awaited = seat.name in table.awaiting
    return untimely(table, seat, arrived_at, since_opened=False) if is_awaited else ""


def lateness(table: OpenGame, seat: Seat, deadlines: str, arrived_at: datetime) -> timedelta | None:
    """How long after its deadline and grace something of a seat's came for a step with these deadlines, None if in time."""
    written = json.loads(deadlines).get(str(seat.number))
    deadline = datetime.fromisoformat(written) if written else None
    return arrived_at - deadline if deadline and arrived_at > deadline + table.terms.grace_time else None


def closed_by_deadline(seat: Seat, deadlines: str, resolved_at: datetime) -> bool:
    """Whether a step was resolved when the seat's deadline in it was over, and not before by the game master's word."""
    written = json.loads(deadlines).get(str(seat.number))
    return bool(written) and datetime.fromisoformat(written) <= resolved_at


def untimely(table: OpenGame, seat: Seat, arrived_at: datetime, *, since_opened: bool = True) -> str:
    """How a letter missed the step that now runs ("came 3 min 12 s too late"), empty if it did not.

    With `since_opened` it must have arrived since the step began; one that is known to be about this step has.
    """
    game = table.game
    # INTERNALDATE has whole seconds, so a letter of the second in which the step before ended counts for this one.
    if since_opened and game.takes_from and arrived_at < game.takes_from.replace(microsecond=0):
        return f"arrived before {game.step_called} began"
    limit = closing(table, seat)
    # While the clock stands nothing becomes late, but what was due before it stopped stays due.
    if limit and arrived_at > limit and (game.paused_at is None or limit < game.paused_at):
        return f"came {describe_duration(arrived_at - min(table.deadline_of(seat) or limit, limit))} too late"
    return ""


def tell_of_orders_seen_late(work: Transaction, sender: Sender, arrived: Arrived, problem: Mistimed, answer: Answer) -> None:
    """Tell the player whom to ask, and the game master by log and, once for a seat and step, by mail; by none where nobody may
    know who has sent, since they may play themselves."""
    table, seat = sender.table, sender.seat
    answer.remark("You can ask the game master to take the turn back, since your orders came in time.")
    at = describe_time(arrived.arrived_at, work.desk.settings.server.timezone, seconds=True)
    work.log("seen-late", table, seat.name, f"letter {arrived.id} came in time for turn {problem.turn}, at {at}")
    key = f"seen-late {table.id} {seat.number} {problem.step}"
    if table.terms.who_has_sent == "nothing" or is_queued(work, key):
        return
    values = {"game": table.game, "seat": seat.name, "turn": problem.turn, "arrived": at, "letter": arrived.id}
    title = subject(table, f"orders of {seat.name} were seen too late", "orders were seen too late")
    tell_gm(work, Draft("alarm", key, title, render("seen_late.txt", values)), table)
