"""Resolving a step: the rules carry out the sheets, the books are kept, and everybody gets their report."""

import hashlib
import json
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func
from sqlmodel import col, select, update

from pbmd.desk.deadlines import deadline_of, own_deadline
from pbmd.desk.mails import Draft, clock_words, mail_to_seat, mark_line, render, subject
from pbmd.desk.maps import report_map
from pbmd.desk.nmr import cause_of, last_submission, miss, missing, refused_words
from pbmd.desk.seats import end_questions
from pbmd.desk.times import describe_time, next_deadline
from pbmd.desk.work import Table, Work, compact_json
from pbmd.ledger.tables import GameStatus, Report, Seat, SeatState, StepRecord, Submission, SubmissionState
from pbmd.reports.render import report_html, report_text
from pbmd.rules import canonical_json, sheets
from pbmd.rules.dice import HmacDice, commitment
from pbmd.rules.protocol import PUBLIC, Event, Outcome, seat_reader

SECRET_BYTES = 32
START = -1
"""The step that a game's first report counts as."""


def resolve_step(work: Work, table: Table, cause: str) -> None:
    """Resolve the current step, open the next one (or end the game), and queue every report, in this transaction."""
    game, rules = table.game, table.ruleset
    receipts = {seat.number: _receipt_words(work, table, seat) for seat in table.seats}
    closings = {seat.number: deadline_of(table, seat) or own_deadline(table, seat) for seat in table.seats}
    deadlines = {number: at.isoformat() for number, at in closings.items() if at}
    before, turn, step, secret = rules.dump(table.position), game.turn, game.step, game.secret
    dice = HmacDice(secret, sheets.digest(rules.sheets(table.position)))
    resolution = rules.resolve(table.position, dice)
    work.move(table, resolution.position)
    meanwhile = json.loads(game.meanwhile)
    _settle_submissions(work, table)
    outcome = rules.outcome(table.position)
    _open_next_step(work, table, outcome)
    work.add(
        StepRecord,
        game_id=table.id,
        step=step,
        turn=turn,
        resolved_at=work.now,
        cause=cause,
        deadlines=compact_json(deadlines),
        before=compact_json(before),
        after=compact_json(rules.dump(table.position)),
        events=compact_json([_event(event) for event in resolution.events]),
        dice=compact_json(dice.drawn),
        secret=secret,
    )
    public = {"turn": turn, "step": step, "cause": cause, "secret": secret.hex(), "commitment": commitment_of(table)}
    after = hashlib.sha256(canonical_json(rules.dump(table.position))).hexdigest()
    secret_part = {"position": after, "dice": [list(roll) for roll in dice.drawn]}
    number = work.journal(table, "resolved", public, secret_part | ({"meanwhile": meanwhile} if meanwhile else {}))
    if meanwhile:
        _number_requests(work, table, step, number)
    following = f"; next deadline {describe_time(game.deadline)}" if game.deadline else ""
    work.log("resolved", table, detail=cause + following, turn=turn)
    if outcome is not None:
        work.journal(table, "finished", {"winners": list(outcome.winners), "reason": outcome.reason})
        work.log("finished", table, detail=outcome.reason, turn=turn)
    send_reports(work, table, resolution.events, step, turn, secret, receipts, outcome)


def send_reports(
    work: Work,
    table: Table,
    events: tuple[Event, ...],
    step: int,
    turn: int,
    secret: bytes,
    receipts: dict[int, list[str]],
    outcome: Outcome | None,
) -> None:
    """Render and keep a report for every seat and the public, and mail it to the seats that are played."""
    work.move(table, table.position)
    game, rules = table.game, table.ruleset
    game.turn = rules.turn(table.position)
    awaiting = set(rules.awaiting(table.position))
    for seat in table.seats:
        view = rules.view(table.position, events, seat_reader(seat.name))
        form = rules.order_form(table.position, seat.name) if seat.name in awaiting and outcome is None else ""
        values: dict[str, Any] = {
            "game": game,
            "seat": seat.name,
            "title": rules.info.title,
            "turn": turn,
            "first": step == START,
            "outcome": outcome,
            "body": report_text(rules, view),
            "receipts": receipts.get(seat.number, []),
            "mark": mark_line(work, seat),
            "form": form,
            "commitment": commitment_of(table),
            "secret": secret.hex() if secret else "",
            # The number of entries tells how many letters of others came.
            "numbers_told": table.terms.who_has_sent != "nothing",
            **clock_words(table, seat, work.now),
        }
        text = render("report.txt", values)
        mailed = seat.state is SeatState.ACTIVE
        picture = report_map(work, table, view, mailed=mailed)
        html = render("report.html", values | {"body": report_html(rules, view, picture.kept)})
        _keep(work, table, step, turn, f"seat:{seat.number}", values["body"], html)
        if mailed:
            if picture.kept:
                html = render("report.html", values | {"body": report_html(rules, view, picture.shown)})
            key = f"report {table.id} {step} {seat.number}"
            words = subject(table, _headline(table, turn, step, outcome, asks=bool(form)))
            draft = Draft("report", key, words, text, html, inline=picture.inline, attachments=picture.attachments)
            mail_to_seat(work, table, seat, draft)
    view = rules.view(table.position, events, PUBLIC)
    picture = report_map(work, table, view, mailed=False)
    _keep(work, table, step, turn, "public", report_text(rules, view), report_html(rules, view, picture.kept))


def close_for_missing(work: Work, table: Table) -> None:
    """Whoever is still awaited has missed the step: it is resolved now."""
    for seat in missing(table):
        miss(work, table, seat)


def new_secret(work: Work) -> bytes:
    """The dice secret of a step."""
    return work.desk.entropy(SECRET_BYTES)


def _headline(table: Table, turn: int, step: int, outcome: Outcome | None, *, asks: bool) -> str:
    """What the report is about; `asks` tells whether there is an order form in it."""
    if outcome is not None:
        return f"report of turn {turn}: the game is over"
    if step == START:
        return f"the game begins: turn {table.game.turn}"
    return f"report of turn {turn}" + (f"; orders for turn {table.game.turn}, please" if asks else "")


def _open_next_step(work: Work, table: Table, outcome: Outcome | None) -> None:
    game = table.game
    old_deadline = game.deadline
    game.step += 1
    game.opened_at, game.meanwhile = work.now, "[]"
    for seat in table.seats:
        seat.waits, seat.deadline, seat.settled_at = False, None, None
    if outcome is not None:
        game.status, game.deadline, game.secret = GameStatus.FINISHED, None, b""
        for seat in table.seats:
            end_questions(work, table, seat)
        return
    game.secret = new_secret(work)
    game.deadline = following_deadline(table.terms.deadline, work.now, old_deadline)


def following_deadline(rule: str, now: datetime, last: datetime | None) -> datetime:
    """The next step's deadline. A calendar rule goes on after the last deadline, so that an early resolution never
    leaves less time than the rule promises."""
    calendar = rule.strip().lower().startswith("every")
    return next_deadline(rule, max(now, last) if calendar and last else now)


def commitment_of(table: Table) -> str:
    """What is published now about the dice of the step to come."""
    return commitment(table.game.secret) if table.game.secret else ""


def _receipt_words(work: Work, table: Table, seat: Seat) -> list[str]:
    """What became of the orders a seat sent for the step now being resolved, for its own report."""
    if sheets.sheet_of(table.ruleset.sheets(table.position), seat.name) is None:
        missed = seat.missed_step == table.game.step
        if not missed:
            return []
        cause = cause_of(work, table, seat, closing=True)
        return [f"No orders of yours were used: {cause}.", *refused_words(work, table, seat)]
    last = last_submission(work, table, seat, SubmissionState.FILED)
    if last is None:
        return []
    number = f"receipt {last.number}" if table.terms.who_has_sent != "nothing" else f"digest {last.digest[:16]}"
    return [f"Orders used: {number}, arrived {describe_time(last.arrived_at, seat.timezone)}."]


def _settle_submissions(work: Work, table: Table) -> None:
    """The last orders filed by each seat were used, those before them were replaced."""
    work.write_rows()
    for settle in (_USED, _REPLACED):
        work.session.connection().execute(settle, {"game": table.id, "now": table.game.step})


# Made once: putting a statement together takes longer than the ledger takes to answer.
_FILED = (
    col(Submission.game_id) == bindparam("game"),
    col(Submission.step) == bindparam("now"),
    col(Submission.state) == SubmissionState.FILED,
)
_LAST = select(func.max(Submission.id)).where(*_FILED).group_by(col(Submission.seat_id))
_USED = update(Submission).where(*_FILED, col(Submission.id).in_(_LAST)).values(state=SubmissionState.USED)
_REPLACED = update(Submission).where(*_FILED).values(state=SubmissionState.REPLACED)


def _number_requests(work: Work, table: Table, step: int, number: int) -> None:
    """The requests granted in a step are in the journal now, in this entry."""
    granted = col(Submission.state) == SubmissionState.GRANTED
    statement = update(Submission).where(col(Submission.game_id) == table.id, col(Submission.step) == step, granted)
    work.write_rows()
    work.session.exec(statement.values(number=number), execution_options={"synchronize_session": False})


def _keep(work: Work, table: Table, step: int, turn: int, reader: str, text: str, html: str) -> None:
    work.add(Report, game_id=table.id, step=step, turn=turn, reader=reader, text=text, html=html)


def _event(event: Event) -> dict[str, Any]:
    return {
        "kind": event.kind,
        "audience": None if event.audience is None else list(event.audience),
        "data": dict(event.data),
        "detail": dict(event.detail),
        "insiders": list(event.insiders),
    }
