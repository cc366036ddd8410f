"""Resolves a step: the rules process the sheets, the records are written, and what is to be reported is noted."""

import hashlib
import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func
from sqlmodel import col, or_, select, update

from pbmd.desk.books.attendance import note_played
from pbmd.desk.books.carried_out import START, Tick, Unreported
from pbmd.desk.books.holders import reveal
from pbmd.desk.books.transaction import OpenGame, Transaction, compact_json
from pbmd.desk.books.votes import end_votes
from pbmd.desk.deadlines.awaiting import missing
from pbmd.desk.deadlines.next_deadline import deadline_after_phase
from pbmd.desk.deadlines.proof import must_be_proved
from pbmd.desk.deadlines.unread_letters import LIES_UNREAD, passed_over
from pbmd.desk.digest.requests import ask_rulings, end_late_requests, end_requests
from pbmd.desk.step.absences import mind_absences, sentences
from pbmd.desk.step.dice_secrets import (
    commitment_of,
    draw,
    forget,
    opened_salts,
    salts_commitment_of,
    salts_in,
    words_with,
    written_words,
)
from pbmd.desk.step.end_questions import end_questions
from pbmd.desk.step.nmr import NoOrders, last_submission, miss, no_orders
from pbmd.desk.step.sleepers.falling_asleep import fall_asleep
from pbmd.desk.step.substitutes.wishes import end_wishes
from pbmd.edition import EDITION
from pbmd.ledger.entries.codec import written_part
from pbmd.ledger.entries.parts import KeptBack, Orders, WithdrawnMove, meanwhile_in
from pbmd.ledger.entries.step_entries import Ending, FinishedEntry, Resolution, ResolvedEntry
from pbmd.ledger.journal import written_deadline
from pbmd.ledger.tables import GameStatus, Seat, StepRecord, Submission, SubmissionState
from pbmd.rules import HmacDice, canonical_json, sheets
from pbmd.rules.dice import Roll
from pbmd.rules.protocol import Event, Outcome, PastStep, Sheet, event_document
from pbmd.rules.troubles import read_back
from pbmd.terms.times import describe_time

CLOSED = "the game master decided so"
"""The cause of a resolution that did not wait for anybody."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A step before the rules processed it, and why and when they do. `before` is the position, dumped."""

    number: int
    turn: int
    name: str
    phase: str
    deadlines: dict[int, str]
    awaited: frozenset[str]
    before: Any
    cause: str
    at: datetime


def _step_now(table: OpenGame, cause: str, at: datetime) -> _Step:
    game, awaited = table.game, frozenset(table.awaiting)
    before = table.ruleset.dump(table.position)
    return _Step(game.step, game.turn, game.step_name, table.phase, _deadlines(table), awaited, before, cause, at)


def carry_out(work: Transaction, table: OpenGame, cause: str) -> None:
    """Resolve the current step and open the next one, or end the game. It is reported before another letter or command is
    looked at, once for all steps that this letter, deadline or command causes. Raises `BrokenGame` if the rules cannot read the
    resulting position, which is then not changed either, or if the records of the game were altered."""
    game, rules = table.game, table.ruleset
    step = _step_now(table, cause, work.now)
    if table.changed:  # by this transaction, at whose end only the result is read back
        read_back(game.name, rules, table.position, compact_json(step.before))
    tick = _tick(work, table)
    tick.began = step.turn if tick.step == START else tick.began
    used = sheets.to_be_used(rules, table.position)
    on_time = _on_time(table)
    mails = _mails_used(work, table, on_time)
    tick.missed = {**tick.missed, **_missed(work, table, on_time)}
    tick.used = {**tick.used, **_used_words(table, used, mails)}
    tick.receipts = {**tick.receipts, **_receipts(work, table, used, mails)}
    note_played(work, table, {sheet.seat for sheet in used})
    tick.words = words_with(work, table, [sheet.seat for sheet in used])
    # Those of the next step of this tick are bound to what these are bound to.
    tick.context = sheets.bound(used, salts_in(table, tick.salts), tick.context, tick.words)
    dice = HmacDice(tick.secret, tick.context)
    resolution = sheets.resolved(rules, table.position, dice, _steps_before(work, table))
    work.move(table, resolution.position)
    on_file = {sheet.seat for sheet in rules.sheets(table.position)} if rules.sequential else set[str]()
    meanwhile, game.meanwhile = _parted(meanwhile_in(game.meanwhile), on_file)
    _settle_submissions(work, table, on_file, {sheet.seat for sheet in used})
    outcome = rules.outcome(table.position)
    _open_next_step(work, table, outcome, step, new_secret_too=tick.step == START)
    table.note_step()
    _record(work, table, step, tick, resolution.events, dice.drawn)
    number = _enter(work, table, step, tick, dice.drawn, meanwhile)
    if meanwhile:
        _number_requests(work, table, step.number, number, on_file)
    following = f"; next deadline {describe_time(game.deadline)}" if game.deadline else ""
    called = f"{step.name}: " if step.name else ""
    work.log("resolved", table, detail=called + cause + following, turn=step.turn)
    tick.step, tick.turn, tick.name, tick.outcome = step.number, step.turn, step.name, outcome
    tick.events, tick.position = (*tick.events, *resolution.events), table.position
    if outcome is None:
        if table.terms.have_sleepers:
            fall_asleep(work, table, tick, step.number)
        _note_absences(work, table, tick)
        ask_rulings(work, table)
        end_late_requests(work, table)
    else:
        end_votes(work, table)
        _finish(work, table, outcome)
        tick.players = reveal(work, table)
        work.log("finished", table, detail=outcome.told(rules.seats(table.position)), turn=step.turn)
        end_requests(work, table)


def _tick(work: Transaction, table: OpenGame) -> Tick:
    """The steps that are resolved together: they have the secrets of the first. Raises `AlteredGame` before that one."""
    ticks = work.slot(Unreported).left
    if table.id not in ticks:
        must_be_proved(work, table)
        ticks[table.id] = Tick(secret=table.game.secret, salts=table.game.salts)
    return ticks[table.id]


def _steps_before(work: Transaction, table: OpenGame) -> Iterator[PastStep]:
    """What was used in each step of the game, except those that were taken back; read only on demand."""
    work.write_rows()
    columns = select(StepRecord.before).where(StepRecord.game_id == table.id, StepRecord.rolled_back == 0)
    for before in work.session.exec(columns.order_by(col(StepRecord.step))):
        yield sheets.past_step(table.ruleset, table.ruleset.load(json.loads(before)))


def _record(work: Transaction, table: OpenGame, step: _Step, tick: Tick, events: Iterable[Event], drawn: Sequence[Any]) -> None:
    """The step in the ledger, which allows taking it back."""
    work.add(
        StepRecord,
        game_id=table.id,
        step=step.number,
        turn=step.turn,
        name=step.name,
        resolved_at=step.at,
        took_until=work.as_of,
        cause=step.cause,
        deadlines=compact_json(step.deadlines),
        before=compact_json(step.before),
        after=compact_json(table.ruleset.dump(table.position)),
        events=compact_json([event_document(event) for event in events]),
        dice=compact_json(drawn),
        secret=tick.secret,
        salts=tick.salts,
        words=written_words(tick.words),
    )


def _enter(
    work: Transaction, table: OpenGame, step: _Step, tick: Tick, drawn: Iterable[Roll], meanwhile: tuple[KeptBack, ...]
) -> int:
    """Enter the step in the journal and return the number of the entry. `meanwhile` is what was kept for it."""
    position = table.ruleset.dump(sheets.without_waiting(table.ruleset, table.position))
    sealed = Resolution(
        position=hashlib.sha256(canonical_json(position)).hexdigest(),
        dice=tuple(drawn),
        salts=opened_salts(tick.salts),
        meanwhile=meanwhile or None,
    )
    entry = ResolvedEntry(
        turn=step.turn,
        step=step.number,
        name=step.name or None,
        cause=step.cause,
        secret=tick.secret.hex(),
        commitment=commitment_of(table),
        salts_commitment=salts_commitment_of(table),
        edition=EDITION,
        deadline=written_deadline(table.game.deadline),
        sealed=sealed,
    )
    return work.journal(table, entry, at=step.at)


def _note_absences(work: Transaction, table: OpenGame, tick: Tick) -> None:
    """Who is away when the step that begins is due, if anybody is; the report says so."""
    if notes := mind_absences(work, table):
        told = {seat.number: sentences(notes, seat) for seat in table.seats}
        tick.away = {number: [*tick.away.get(number, []), *lines] for number, lines in told.items()}


def _deadlines(table: OpenGame) -> dict[int, str]:
    """The deadlines of the seats that took part in the step that is resolved now; in sequential games of all."""
    names = table.with_part
    concerned = [
        seat for seat in table.seats if table.ruleset.sequential or seat.name in names or seat.missed_step == table.game.step
    ]
    closings = {seat.number: table.deadline_of(seat) or table.own_deadline(seat) for seat in concerned}
    return {number: at.isoformat() for number, at in closings.items() if at}


def close_for_missing(work: Transaction, table: OpenGame) -> None:
    """The seats still awaited have missed the step: it is resolved now."""
    for seat in missing(table):
        miss(work, table, seat)


def _clock_goes_on(table: OpenGame, step: _Step) -> bool:
    """Whether the next step has the deadline of the one before: in the same turn the same seats are to move, without those that
    have. A deadline runs from the report that calls for the move."""
    rules = table.ruleset
    is_same_turn = rules.sequential and rules.turn(table.position) == step.turn
    return is_same_turn and step.awaited.issuperset(table.awaiting)


def _open_next_step(work: Transaction, table: OpenGame, outcome: Outcome | None, ended: _Step, *, new_secret_too: bool) -> None:
    """All steps of a tick have one secret, so it gets a new one only once."""
    game, goes_on = table.game, _clock_goes_on(table, ended)
    old_deadline = game.deadline
    game.step, game.closed_at = game.step + 1, None
    for seat in table.seats:
        seat.waits = seat.waits_for_orders = False
        seat.settled_at = None
        if not goes_on:
            seat.deadline = None
    if outcome is not None:
        game.opened_at, game.takes_from = work.now, work.as_of
        game.status, game.deadline = GameStatus.FINISHED, None
        forget(game)
        for seat in table.seats:
            seat.deadline = None
            end_questions(work, table, seat)
        end_wishes(work, table)
        return
    if new_secret_too:
        draw(work, game)
    if not goes_on:
        game.opened_at, game.takes_from = work.now, work.as_of
        game.deadline = deadline_after_phase(work, table, old_deadline, ended.phase)


def _on_time(table: OpenGame) -> list[Seat]:
    """The seats with orders on file for this step that are no move which only comes after the one that it missed."""
    on_file = {sheet.seat for sheet in table.ruleset.sheets(table.position)}
    missed = table.game.step if table.ruleset.sequential else None
    return [seat for seat in table.seats if seat.name in on_file and seat.missed_step != missed]


def _mails_used(work: Transaction, table: OpenGame, on_time: Iterable[Seat]) -> dict[int, Submission]:
    """The mails whose orders are used in the step now being resolved, by the numbers of their seats."""
    found = ((seat.number, last_submission(work, table, seat, SubmissionState.FILED)) for seat in on_time)
    return {number: mail for number, mail in found if mail is not None}


def _receipts(
    work: Transaction, table: OpenGame, used: tuple[Sheet, ...], mails: Mapping[int, Submission]
) -> dict[int, list[str]]:
    """What becomes of the mails of each seat in the step that is carried out now, for its own report."""
    unread = [LIES_UNREAD] if passed_over(work, table) else []
    came = {seat.number: _receipt_words(table, seat, mails.get(seat.number)) for seat in table.seats}
    if not table.ruleset.sequential:
        return {number: words + unread for number, words in came.items()}
    names = {sheet.seat for sheet in used}
    concerned = [seat for seat in table.seats if seat.name in names or seat.missed_step == table.game.step]
    as_understood = {sheet.seat: ["As understood:", *(f"  {line}" for line in sheet.lines)] for sheet in used}
    return {seat.number: came[seat.number] + as_understood.get(seat.name, []) + unread for seat in concerned}


def _missed(work: Transaction, table: OpenGame, on_time: Sequence[Seat]) -> dict[int, list[str]]:
    """That a seat sent no orders for the step that is carried out now, and what became of the mail that it did send."""
    numbers = {seat.number for seat in on_time}
    missed = [seat for seat in table.seats if seat.missed_step == table.game.step and seat.number not in numbers]
    return {seat.number: _missed_words(table, no_orders(work, table, seat, closing=True)) for seat in missed}


def _missed_words(table: OpenGame, why: NoOrders) -> list[str]:
    step = table.game.step_called
    none = f"You made no move in {step}." if table.ruleset.sequential else f"You sent no orders for {step}."
    if why.unread:
        none = f"No mail of yours with orders for {step} could be read."
    return [f"{none} {why.told}".rstrip(), *why.errors]


def _receipt_words(table: OpenGame, seat: Seat, last: Submission | None) -> list[str]:
    """When the orders came that are used in the step now being resolved, for the seat's own report."""
    if last is None:
        return []
    receipt = "" if table.terms.who_has_sent == "nothing" else f" (receipt {_receipt(table, last)})"
    what = "Your move" if table.ruleset.sequential else "Your orders"
    return [f"{what} came {describe_time(last.arrived_at, seat.timezone)}{receipt}."]


def _used_words(table: OpenGame, used: Iterable[Sheet], mails: Mapping[int, Submission]) -> dict[int, str]:
    """The same of all seats for their proofs, in words that programs read. A move that waits for its turn is not used yet."""
    names = {sheet.seat for sheet in used}
    return {
        seat.number: f"Orders used: {_proof_of(table, mails[seat.number])}, arrived "
        f"{describe_time(mails[seat.number].arrived_at, seat.timezone)}"
        for seat in table.seats
        if seat.number in mails and seat.name in names
    }


def _proof_of(table: OpenGame, used: Submission) -> str:
    secret = table.terms.who_has_sent == "nothing"
    return f"digest {used.digest[:16]}" if secret else f"receipt {_receipt(table, used)}"


def _receipt(table: OpenGame, used: Submission) -> int:
    # A move that was sent ahead gets into the journal with the entry of its resolution, which is the next.
    return used.number or table.game.chain_number + 1


def _parted(kept: Sequence[KeptBack], on_file: set[str]) -> tuple[tuple[KeptBack, ...], str]:
    """What was kept for the journal: what goes into it now, and what stays, since moves that are still on file are nobody
    else's business, and neither are those that were taken back before them. What was refused to their seats stays, too: the
    reason may be such a move."""
    held = [item for item in kept if item.seat in on_file and (isinstance(item, WithdrawnMove) or _is_held_back(item))]
    return tuple(item for item in kept if item not in held), compact_json([written_part(item) for item in held])


def _is_held_back(item: KeptBack) -> bool:
    return isinstance(item, Orders) and item.state in (SubmissionState.FILED, SubmissionState.REFUSED)


def _finish(work: Transaction, table: OpenGame, outcome: Outcome) -> None:
    """The end of the game in the journal; with it, sealed, the moves that waited and will never be made. Something is always
    sealed: a seal where there is usually none would tell everybody that there were such moves."""
    game = table.game
    kept, game.meanwhile = meanwhile_in(game.meanwhile), "[]"
    sealed = Ending(meanwhile=kept)
    number = work.journal(table, FinishedEntry(winners=tuple(outcome.winners), reason=outcome.reason, sealed=sealed))
    if kept:
        waiting = col(Submission.game_id) == table.id, col(Submission.state) == SubmissionState.FILED
        work.write()
        statement = update(Submission).where(*waiting).values(state=SubmissionState.CANCELLED, number=number)
        work.session.exec(statement, execution_options={"synchronize_session": False})
        _number_requests(work, table, game.step, number)


def _settle_submissions(work: Transaction, table: OpenGame, on_file: set[str], used: set[str]) -> None:
    """Of the orders filed by each seat the last were used, those before them were replaced. In sequential games, moves of the
    seats that are still `on_file` stay filed, and one that was neither `used` nor is still on file was struck off by the
    rules."""
    work.write_rows()
    if table.ruleset.sequential:
        _settle_moves(work, table, on_file, used)
        return
    for settle in (_USED, _REPLACED):
        work.session.connection().execute(settle, {"game": table.id, "now": table.game.step})


# Made once: building a statement takes longer than the ledger takes to answer.
_FILED = (
    col(Submission.game_id) == bindparam("game"),
    col(Submission.step) == bindparam("now"),
    col(Submission.state) == SubmissionState.FILED,
)
_LAST = select(func.max(Submission.id)).where(*_FILED).group_by(col(Submission.seat_id))
_USED = update(Submission).where(*_FILED, col(Submission.id).in_(_LAST)).values(state=SubmissionState.USED)
_REPLACED = update(Submission).where(*_FILED).values(state=SubmissionState.REPLACED)


def _settle_moves(work: Transaction, table: OpenGame, on_file: set[str], used: set[str]) -> None:
    filed = [col(Submission.game_id) == table.id, col(Submission.state) == SubmissionState.FILED]
    if keep := [seat.id for seat in table.seats if seat.name in on_file]:
        filed.append(col(Submission.seat_id).not_in(keep))
    last_ones = select(func.max(Submission.id)).where(*filed).group_by(col(Submission.seat_id))
    settled = [([col(Submission.id).in_(last_ones)], SubmissionState.USED), ([], SubmissionState.REPLACED)]
    if gone := [seat.id for seat in table.seats if seat.name not in used]:
        settled.insert(0, ([col(Submission.seat_id).in_(gone)], SubmissionState.CANCELLED))
    for chosen, state in settled:
        statement = update(Submission).where(*filed, *chosen).values(state=state)
        work.session.exec(statement, execution_options={"synchronize_session": False})


def _number_requests(work: Transaction, table: OpenGame, step: int, number: int, on_file: Container[str] = ()) -> None:
    """What was kept for the journal until now is in this entry, except what `_parted` left out."""
    kept = [col(Submission.step) <= step, col(Submission.number) == 0, col(Submission.state) != SubmissionState.FILED]
    if held := [seat.id for seat in table.seats if seat.name in on_file]:
        waits = (SubmissionState.CANCELLED, SubmissionState.REFUSED)
        kept.append(or_(col(Submission.state).not_in(waits), col(Submission.seat_id).not_in(held)))
    statement = update(Submission).where(col(Submission.game_id) == table.id, *kept)
    work.write_rows()
    work.session.exec(statement.values(number=number), execution_options={"synchronize_session": False})
