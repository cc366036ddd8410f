"""What the ledger has for one seat and nobody else: its reports, the maps in them, and the orders that it sent.

Every query names the game and the seat, so no address can lead to another's rows.
"""

import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, select

from pbmd.ledger.hands import taken_over
from pbmd.ledger.tables import Game, JournalEntry, Report, Seat, StepRecord, Submission, SubmissionState, called, step_words
from pbmd.post.tags import SeatNumber
from pbmd.rendering.picture import drawn_svg

START = -1
"""The step of the report of the beginning."""
MOST_REPORTS, MOST_MAPS, MOST_SENT = 500, 60, 200
_STATES = {
    SubmissionState.FILED: "in force",
    SubmissionState.REFUSED: "refused",
    SubmissionState.LATE: "too late",
    SubmissionState.REPLACED: "replaced by later ones",
    SubmissionState.GRANTED: "granted",
    SubmissionState.CANCELLED: "taken back",
    SubmissionState.USED: "used",
    SubmissionState.ROLLED_BACK: "rolled back with the turn",
}
_MARKS = {"ok": "ok", "warning": "note", "error": "refused"}
_OF_REFUSED = _MARKS | {"ok": "unused"}
"""No line of a mail that was refused as a whole is valid."""


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A report in the list; `step` is the step in its address."""

    step: str
    words: str
    turn: int
    at: datetime | None


@dataclass(frozen=True, slots=True)
class SeatMap:
    """The map of a report; `step` is that of the report."""

    step: str
    words: str
    short: str


@dataclass(frozen=True, slots=True)
class SentLine:
    """The verdict on a line of orders."""

    line: int
    text: str
    state: str
    message: str


@dataclass(frozen=True, slots=True)
class Sent:
    """Orders that were sent and their receipt; `number` is None if there is none, or it is not shown."""

    words: str
    state: str
    at: datetime
    number: int | None
    digest: str
    orders: tuple[str, ...]
    lines: tuple[SentLine, ...]


def reports(session: Session, of: SeatNumber, turns: int | None = None) -> list[ReportLine]:
    """The reports of a seat, last first, without those that were taken back; of the last `turns` alone, if that is said."""
    columns = select(Report.step, Report.turn, StepRecord.name, StepRecord.resolved_at)
    joined = columns.outerjoin(StepRecord, (col(StepRecord.game_id) == Report.game_id) & (col(StepRecord.step) == Report.step))
    rows = session.exec(joined.where(*_of_seat(of)).order_by(col(Report.step).desc()).limit(MOST_REPORTS)).yield_per(20)
    found: list[ReportLine] = []
    for step, turn, name, at in rows:
        if turns is not None and found and turn <= found[0].turn - turns:
            rows.close()
            break
        found.append(ReportLine(_address(step), _words(step, turn, name), turn, at))
    return found


def number_of_reports(session: Session, of: SeatNumber) -> int:
    """How many there are of them, as far as they are listed."""
    return min(session.exec(select(func.count()).select_from(Report).where(*_of_seat(of))).one(), MOST_REPORTS)


def report_html(session: Session, of: SeatNumber, step: str) -> str:
    """A report of a seat as it is stored; empty if there is none."""
    one = select(Report.html).where(*_of_seat(of), col(Report.step) == (START if step == "start" else int(step)))
    return session.exec(one).first() or ""


def maps(session: Session, of: SeatNumber, lines: list[ReportLine]) -> list[SeatMap]:
    """The maps in these reports, in order: for each turn that of its last step."""
    last_of_turn = {("start" if line.step == "start" else line.turn): line for line in reversed(lines)}
    chosen = list(last_of_turn.values())[-MOST_MAPS:]
    found = [line for line in chosen if drawn_svg(report_html(session, of, line.step))]
    return [
        SeatMap(line.step, "at the beginning" if line.step == "start" else f"after {line.words}", _short(line))
        for line in found
    ]


def sent(session: Session, of: SeatNumber, *, numbers_told: bool) -> list[Sent]:
    """The orders that the holder of a seat sent, last first. What earlier holders wrote is nobody else's business."""
    game = session.exec(select(Game).where(Game.id == of.game)).one()
    steps = select(StepRecord.step, StepRecord.turn, StepRecord.name).where(StepRecord.game_id == of.game)
    names = {step: (turn, name) for step, turn, name in session.exec(steps)} | {game.step: (game.turn, game.step_name)}
    rows = select(Submission).join(Seat, col(Seat.id) == Submission.seat_id)
    rows = rows.where(Submission.game_id == of.game, Seat.game_id == of.game, Seat.number == of.seat)
    if since := _held_since(session, game, of):
        rows = rows.where(Submission.arrived_at >= since)
    rows = rows.order_by(col(Submission.arrived_at).desc(), col(Submission.id).desc()).limit(MOST_SENT)
    return [_sent(row, names.get(row.step, (0, "")), numbers_told) for row in session.exec(rows)]


def _held_since(session: Session, game: Game, of: SeatNumber) -> datetime | None:
    """When the seat last changed hands; None if it never has."""
    name = session.exec(select(Seat.name).where(Seat.game_id == of.game, Seat.number == of.seat)).one()
    number = taken_over(session, game, name)
    entry = select(JournalEntry.at).where(JournalEntry.game_id == of.game, JournalEntry.number == number)
    return session.exec(entry).one() if number else None


def _sent(row: Submission, step: tuple[int, str], numbers_told: bool) -> Sent:
    verdicts = json.loads(row.verdicts)
    marks = _OF_REFUSED if any(state == "error" and not line for line, state, _, _ in verdicts) else _MARKS
    lines = tuple(SentLine(line, text, marks[state], message) for line, state, text, message in verdicts)
    return Sent(
        words=called(step_words(*step)),
        state=_STATES[row.state],
        at=row.arrived_at,
        number=row.number if row.number and numbers_told else None,
        digest=row.digest if row.number and numbers_told else "",
        orders=tuple(json.loads(row.orders)),
        lines=lines,
    )


def _of_seat(of: SeatNumber) -> tuple[ColumnElement[bool], ...]:
    """The reports of a seat that are valid."""
    taken_back = select(StepRecord.step).where(StepRecord.game_id == of.game, StepRecord.rolled_back != 0)
    mine = (col(Report.game_id) == of.game, col(Report.reader) == f"seat:{of.seat}")
    return (*mine, col(Report.step).not_in(taken_back))


def _address(step: int) -> str:
    return "start" if step == START else str(step)


def _words(step: int, turn: int, name: str | None) -> str:
    return "the beginning" if step == START else called(step_words(turn, name or ""))


def _short(line: ReportLine) -> str:
    return "start" if line.step == "start" else str(line.turn)
