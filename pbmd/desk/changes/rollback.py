"""A turn is played again: the game goes back to how it stood when that turn began, and nothing is lost.

The journal is never cut: the entry `rolled-back` begins a new branch and names the entry that it continues from, so that every
earlier receipt still proves what it proved. The steps that are taken back keep their records, marked with the number of that
entry; the numbers of steps continue, so nothing that was said about one of them can be mistaken for another. The dice secret
that was promised for the current step is revealed, and a new one promised: no roll is repeated.

What a fair game master wants to happen to the orders:

- Those that were used in the repeated turn are filed again, with their old arrival, and each player may send others until the
  new deadline. The turn waits until then, unless all say READY, because some may want to think again.
- Where orders are final once they are filed, and where moves are resolved one by one, nothing is filed again, since nobody
  could take it back. A player files what they had sent with the line ``USE ORDERS OF TURN n``.
- The same line files those of later turns when the game gets there. They are not filed automatically: the turn they were
  written for will not be what it was.

The holders of seats, those who have given up or were ejected, and the options stay as they are now. A seat that fell asleep
with a step that is taken back is awake again.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlmodel import col, select, update

from pbmd.desk.books.carried_out import START
from pbmd.desk.books.transaction import OpenGame, Transaction, compact_json
from pbmd.desk.books.votes import end_votes
from pbmd.desk.deadlines.next_deadline import first_deadline
from pbmd.desk.digest.requests import ask_rulings, end_requests
from pbmd.desk.mail.clock_words import clock_words
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import mail_to_seat
from pbmd.desk.mail.tags import form_top
from pbmd.desk.step.absences import mind_absences
from pbmd.desk.step.dice_secrets import commitment_of, draw, new_dice, opened_salts, salts_commitment_of
from pbmd.desk.step.events import tell_events
from pbmd.desk.step.on_file import digest_of, sheet_on_file, written_verdicts
from pbmd.desk.step.reporting.watchers import tell_watchers
from pbmd.edition import EDITION
from pbmd.ledger.digests import HEAD, MEANWHILE, POSITION, found_in
from pbmd.ledger.entries.parts import Orders, meanwhile_in
from pbmd.ledger.entries.player_entries import HolderEntry, OrdersEntry, ResignedEntry
from pbmd.ledger.entries.rows import entries_of, entry_in
from pbmd.ledger.entries.sleep_entries import DISORDER, AsleepEntry, AwakeEntry
from pbmd.ledger.entries.step_entries import (
    EntryReference,
    ImportedEntry,
    ResolvedEntry,
    RestoredPosition,
    RolledBackEntry,
    StartedEntry,
)
from pbmd.ledger.journal import written_deadline
from pbmd.ledger.tables import GameStatus, JournalEntry, Report, Seat, SeatState, StepRecord, Submission, SubmissionState
from pbmd.rendering.notice_sentences import AS_BEFORE
from pbmd.rendering.render import report_text
from pbmd.rules import seat_reader
from pbmd.rules.canonical import canonical_json
from pbmd.rules.joining import orders_alone
from pbmd.rules.options import complete
from pbmd.rules.protocol import Line, Mail, PositionError, Refused, Verdict
from pbmd.rules.sheets import without_waiting
from pbmd.rules.troubles import told_of_options
from pbmd.set_up import set_up

_LEFT_BEHIND = frozenset({POSITION, MEANWHILE, HEAD})
"""What may be altered in a game: everything that belongs only to the step, which ends."""


@dataclass(frozen=True)
class Back:
    """Where a game goes back to. `steps` are the records that are taken back, oldest first; `stands` is the last that stays,
    None if the game goes back to its beginning."""

    turn: int
    steps: tuple[StepRecord, ...]
    stands: StepRecord | None


def way_back(work: Transaction, table: OpenGame, turn: int) -> Back:
    """What a rollback to the beginning of a turn would take back. Raises `Refused`."""
    if table.game.status is GameStatus.SIGNUP or not table.game.position:
        raise Refused(f"{table.game.name} has not begun")
    work.write()
    standing = select(StepRecord).where(StepRecord.game_id == table.id, StepRecord.rolled_back == 0)
    records = work.session.exec(standing.order_by(col(StepRecord.step))).all()
    first = next((place for place, record in enumerate(records) if record.turn == turn), None)
    if first is None:
        turns = sorted({record.turn for record in records})
        there = f"of its turns {turns[0]} to {turns[-1]} are" if turns else "none is yet"
        raise Refused(f"turn {turn} of {table.game.name} is not resolved, so it cannot be undone; {there}")
    return Back(turn, tuple(records[first:]), records[first - 1] if first else None)


def roll_back(work: Transaction, table: OpenGame, turn: int, reason: str = "") -> Back:
    """Play from the beginning of this turn again, and notify everybody; see the module. Raises `Refused`, before anything is
    changed, if the turn is not resolved or the present options do not fit the position then; `AlteredGame` if more than its
    position was altered."""
    back = way_back(work, table, turn)
    if _LEFT_BEHIND.issuperset({*table.altered} - {*found_in(table.game.digests)}):
        table.altered = ()
    table.must_be_as_written()
    game, rules = table.game, table.ruleset
    parent = _parent(work, table, back)
    document = canonical_json(rules.dump(_position(work, table, back, parent.number)))
    position = rules.load(json.loads(document))  # as in the journal, from which the game can be replayed
    left, step = game.turn, game.step
    work.move(table, position)
    game.deadline = first_deadline(table, work.now)
    number = _enter(work, table, back, parent, rules.dump(position), reason)
    _mark(work, table, back, step, number)
    table.note_step()
    game.step, game.opened_at, game.takes_from = step + 1, work.now, work.as_of
    game.status = GameStatus.PAUSED if game.status is GameStatus.PAUSED else GameStatus.RUNNING
    game.paused_at, game.closed_at = work.as_of if game.status is GameStatus.PAUSED else None, None
    taken_back = {record.step for record in back.steps}
    for seat in table.seats:
        seat.asleep_since = -1 if seat.asleep_since in taken_back else seat.asleep_since
        seat.deadline, seat.settled_at = None, None
        seat.waits_for_orders = False
        seat.waits = not rules.sequential and seat.state is SeatState.ACTIVE
    work.log("rolled-back", table, detail=f"from turn {left} to the beginning of turn {turn}", turn=left)
    end_requests(work, table)
    end_votes(work, table)
    mind_absences(work, table)
    refiled = set[int]() if rules.sequential or rules.info.sheets.later == "final" else _file_again(work, table, back)
    _tell(work, table, _Taken(back, left, reason, number, refiled))
    ask_rulings(work, table)
    return back


def _parent(work: Transaction, table: OpenGame, back: Back) -> EntryReference:
    """The entry of the journal after which the game continues."""
    if back.stands is None:
        begun = next(entries_of(work.session, table.id, StartedEntry, ImportedEntry))
        return EntryReference(number=begun.number, hash=begun.hash)
    step = back.stands.step
    resolved = next(each for each in entries_of(work.session, table.id, ResolvedEntry) if each.entry.step == step)
    return EntryReference(number=resolved.number, hash=resolved.hash)


def _position(work: Transaction, table: OpenGame, back: Back, parent: int) -> Any:
    rules = table.ruleset
    kept = (
        set_up(work.session, table.game, table.seats, rules).position if back.stands is None else json.loads(back.stands.after)
    )
    document: dict[str, Any] = dict(kept)
    if "options" in document:
        document["options"] = complete(rules.info.options, json.loads(table.game.options))
    try:
        position = rules.load(document)
    except PositionError as problem:
        words = told_of_options(problem)
        raise Refused(f"with the options as they now are the game cannot go back: {words}") from None
    position = without_waiting(rules, position)
    of_hands = (ResignedEntry, HolderEntry, AsleepEntry, AwakeEntry)
    since = col(JournalEntry.number) > parent
    for change in entries_of(work.session, table.id, *of_hands, with_sealed=True, where=since):
        if not isinstance(change.entry, AsleepEntry | AwakeEntry) or _is_of_disorder(change.entry, back):
            position = _in_other_hands(table, position, change.entry)
    return position


def _is_of_disorder(change: AsleepEntry | AwakeEntry, back: Back) -> bool:
    """Whether a seat is in civil disorder by an entry, or no more, also after going back: a step that is taken back was missed
    by nobody."""
    stays = isinstance(change, AwakeEntry) or (back.stands is not None and change.step == back.stands.step)
    return change.sleeper == DISORDER and stays


def _in_other_hands(table: OpenGame, position: Any, change: ResignedEntry | HolderEntry | AsleepEntry | AwakeEntry) -> Any:
    """The position as if the seat had been given up, or taken over by that holder, already then."""
    rules, seat = table.ruleset, _seat_of(change)
    if isinstance(change, AsleepEntry | AwakeEntry):
        return rules.disorder(position, seat, isinstance(change, AsleepEntry)) if rules.disorder else position
    if isinstance(change, ResignedEntry):
        return rules.resign(position, seat).position if rules.resign else position
    holder = change.sealed.holder if change.sealed else None
    try:
        return rules.take_over(position, seat, holder) if rules.take_over else position
    except Refused:
        return position  # in that position the seat is nobody else's in the rules' eyes


def _seat_of(change: ResignedEntry | HolderEntry | AsleepEntry | AwakeEntry) -> str:
    if isinstance(change, ResignedEntry | HolderEntry):
        return change.seat
    assert change.sealed is not None, "here all is known"
    return change.sealed.seat


def _enter(
    work: Transaction, table: OpenGame, back: Back, parent: EntryReference, position: Mapping[str, Any], reason: str
) -> int:
    game = table.game
    held, dice_secret, unused, game.meanwhile = meanwhile_in(game.meanwhile), game.secret, opened_salts(game.salts), "[]"
    draw(work, game)
    entry = RolledBackEntry(
        turn=game.turn,
        to=back.turn,
        step=game.step + 1,
        taken_back=tuple(record.step for record in back.steps),
        parent=parent,
        reason=reason,
        secret=dice_secret.hex(),
        commitment=commitment_of(table),
        salts_commitment=salts_commitment_of(table),
        edition=EDITION,
        deadline=written_deadline(game.deadline),
        sealed=RestoredPosition(position=position, salts=unused, cause=work.cause or None, meanwhile=held or None),
    )
    return work.journal(table, entry)


def _mark(work: Transaction, table: OpenGame, back: Back, step: int, number: int) -> None:
    work.write()
    for record in back.steps:
        record.rolled_back = number
    filed = col(Submission.game_id) == table.id, col(Submission.state) == SubmissionState.FILED
    values = {"state": SubmissionState.ROLLED_BACK, "step": step}
    work.session.exec(update(Submission).where(*filed).values(values), execution_options={"synchronize_session": False})
    unnumbered = col(Submission.game_id) == table.id, col(Submission.number) == 0
    statement = update(Submission).where(*unnumbered).values(number=number)
    work.session.exec(statement, execution_options={"synchronize_session": False})


def _file_again(work: Transaction, table: OpenGame, back: Back) -> set[int]:
    """File what was used in the first step that is played again, in order of arrival; returns the numbers of the seats."""
    used = select(Submission).where(Submission.game_id == table.id, Submission.step == back.steps[0].step)
    by_id = {seat.id: seat for seat in table.seats if seat.state is SeatState.ACTIVE}
    again = set[int]()
    for old in work.session.exec(
        used.where(Submission.state == SubmissionState.USED).order_by(col(Submission.arrived_at), col(Submission.id))
    ).all():
        seat, lines = by_id.get(old.seat_id), mailed_lines(work, table, old)
        if seat is None:
            continue
        letter = _orders_of(work, table, old)
        assert letter is not None, "where all send at once, each letter has an entry"
        receipt = table.ruleset.receive(table.position, Mail(seat.name, lines, letter.arrival))
        if not receipt.filed:
            continue
        letter = replace(letter, lines=tuple((line.number, line.text) for line in lines))
        work.move(table, receipt.position)
        seat.settled_at = work.now
        _note(work, table, seat, old, letter, receipt.verdicts)
        tell_events(work, table, receipt.events, seat, f"again {old.id}")
        again.add(seat.number)
    return again


def _note(
    work: Transaction, table: OpenGame, seat: Seat, old: Submission, letter: Orders, verdicts: tuple[Verdict, ...]
) -> None:
    game, sheet = table.game, sheet_on_file(table, seat)
    assert sheet is not None, "the rules have just filed it"
    number = work.journal(table, OrdersEntry(turn=game.turn, step=game.step, sealed=replace(letter, again=old.number)))
    work.log("orders", table, seat.name, f"receipt {number}: those of receipt {old.number} again")
    work.add(
        Submission,
        game_id=table.id,
        seat_id=seat.id,
        step=game.step,
        letter_id=old.letter_id,
        number=number,
        arrived_at=old.arrived_at,
        digest=digest_of(sheet),
        state=SubmissionState.FILED,
        orders=compact_json(list(sheet.lines)),
        verdicts=written_verdicts(verdicts),
        head=old.head,
        word=old.word,
        cancelled_by=None,
    )


def _orders_of(work: Transaction, table: OpenGame, submission: Submission) -> Orders | None:
    """The letter in the entry that holds these orders; None if that is the end of a step, for which they waited."""
    columns = select(JournalEntry.kind, JournalEntry.public, JournalEntry.secret)
    here = JournalEntry.game_id == table.id, JournalEntry.number == submission.number
    kind, public, secret = work.session.exec(columns.where(*here)).one()
    entry = entry_in(kind, public, secret)
    return entry.sealed if isinstance(entry, OrdersEntry) else None


def mailed_lines(work: Transaction, table: OpenGame, submission: Submission) -> tuple[Line, ...]:
    """The lines as they were mailed, without what took effect at once; for a move that was sent ahead, as they were
    understood."""
    letter = _orders_of(work, table, submission)
    if letter is not None:
        mail = Mail(letter.seat, tuple(Line(number, text) for number, text in letter.lines), letter.arrival)
        return orders_alone(mail, table.ruleset.receive(table.position, mail)).lines
    return tuple(Line(number, text) for number, text in enumerate(json.loads(submission.orders), start=1))


@dataclass(frozen=True, slots=True)
class _Taken:
    """What was taken back: from turn `left`, why, by which entry; the orders of the seats `refiled` are on file again."""

    back: Back
    left: int
    reason: str
    number: int
    refiled: set[int]


def _tell(work: Transaction, table: OpenGame, taken: _Taken) -> None:
    game, rules, back, left, number = table.game, table.ruleset, taken.back, taken.left, taken.number
    again = f"turn {back.turn} is played again"
    words = f"The game master has taken the game back from turn {left}: {again}."
    tell_watchers(work, table, f"rolled-back {table.id} {number}", again, words)
    awaited = set(table.awaiting)
    stands = back.stands.step if back.stands else START
    for seat in table.seats:
        if seat.state is not SeatState.ACTIVE:
            continue
        kept = select(Report.text).where(
            Report.game_id == table.id, Report.reader == f"seat:{seat.number}", Report.step == stands
        )
        # Of moves that were resolved together only the last has a report.
        report = work.session.exec(kept).first() or ""
        concerned = seat.name in awaited or seat.number in taken.refiled
        sheet = sheet_on_file(table, seat) if seat.number in taken.refiled else None
        values = {
            "game": game,
            "seat": seat.name,
            "left": left,
            "back": back.turn,
            "reason": taken.reason,
            "as_before": AS_BEFORE,
            "sequential": rules.sequential,
            "orders": sheet.lines if sheet else None,
            "report": report,
            "stands": "" if report else report_text(rules, rules.view(table.position, (), seat_reader(seat.name))),
            "mark": form_top(work, table, seat),
            "form": rules.order_form(table.position, seat.name) if concerned else "",
            "clock": clock_words(table, seat, work.now),
        }
        text = render("rolled_back.txt", values)
        key = f"rolled-back {table.id} {number} {seat.number}"
        words = subject(table, f"turn {back.turn} is played again")
        proof = new_dice(table, seat, of=game.step_words, why="played again")
        mail_to_seat(work, table, seat, Draft("notice", key, words, text, owed=True, proof=proof))
