"""REPORT: a seat's own reports, whole, and which there are; the last for programs; and the map in words."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from email import message_from_bytes

from sqlalchemy import ColumnElement
from sqlmodel import col, select

from pbmd.desk.books.carried_out import START
from pbmd.desk.books.report_files import as_file
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.step.reporting.maps import map_again
from pbmd.desk.step.reporting.present import present_of
from pbmd.desk.step.reporting.press import press_of_turn
from pbmd.desk.step.reporting.reports import report_key
from pbmd.ledger.tables import Outbox, Report, Seat, StepRecord, step_words
from pbmd.post.compose import Attachment
from pbmd.post.proof_file import PROOF_TYPE, is_proof, proof_bytes
from pbmd.rendering.render import lines_for_programs, map_text
from pbmd.rules.protocol import event_of, seat_reader

_REPORTS_OF_A_TURN = 30
_HOW_TO_ORDER = """\
Take the # away from a line to give that order, or write your own lines
between the two marks. Only lines without # count."""


def report(work: Transaction, sender: Sender, _arrived: Arrived, command: Command, answer: Answer) -> None:
    """REPORT [n]: the seat's own report, whole; alone the last one with its map, and which others there are."""
    table, seat = sender.table, sender.seat
    turns, wanted = _turns(work, table, seat), command.words.get("turn")
    if not turns:
        answer.remark("There is no report yet.")
        return
    if wanted and int(wanted) not in turns:
        answer.remark(f"There is no report of turn {wanted} in {table.game.name}. There are those of {_words(turns)}.")
        return
    rows = _reports(work, table, seat, int(wanted) if wanted else None)
    title, text = _shown(rows, _names_of_steps(work, table, rows))
    answer.remark(f"Your {title}, once more.")
    if not wanted and len(turns) > 1:
        answer.remark(f"You can ask for {_words(turns)}: REPORT {turns[-2]}, for example.")
    if not wanted:
        answer.attachments += map_again(work, seat, rows[0].html, "map")
    answer.attachments += _proofs_of(work, table, seat, rows)
    answer.section(title, text)
    if rows[0].step != START and (said := press_of_turn(work, table, seat, rows[0].turn)):
        answer.section("press that came with it", said)
    if not wanted:
        _add_present(work, table, seat, answer)


def _add_present(work: Transaction, table: OpenGame, seat: Seat, answer: Answer) -> None:
    """How it is now, where letters have taken effect since the report, and the order form for that."""
    present = present_of(work, table, seat)
    if present is None:
        return
    answer.remark("Something has taken effect since then: below the report stands how it is now.")
    answer.section("how it is now", present.text)
    if present.form:
        answer.section("order form", f"{_HOW_TO_ORDER}\n\n#orders\n{present.form.strip()}\n\n#end")


def report_data(work: Transaction, sender: Sender, _arrived: Arrived, _command: Command, answer: Answer) -> None:
    """REPORT DATA: the last report for programs, made of what its seat may know alone, and lines in which other programs read
    the game, if its view has such."""
    table, seat = sender.table, sender.seat
    if table.position is None:
        answer.remark(_NOT_BEGUN)
        return
    rules, record = table.ruleset, _last_step(work, table)
    position = rules.load(json.loads(record.after)) if record else table.position
    view = rules.view(position, [*map(event_of, json.loads(record.events if record else "[]"))], seat_reader(seat.name))
    outcome = rules.outcome(position)
    awaited = outcome is None and seat.name in table.awaiting
    answer.attachments.append(
        as_file(
            table,
            seat,
            view,
            step_words(record.turn, record.name) if record else "the beginning",
            outcome.told(rules.seats(position)) if outcome else "",
            rules.order_form(table.position, seat.name) if awaited else "",
        )
    )
    answer.remark("The last report is attached for programs, as report.json. SET REPORT DATA sends it with each report.")
    if present := present_of(work, table, seat):
        of_now = as_file(table, seat, present.view, "now", "", present.form if awaited else "")
        answer.attachments.append(replace(of_now, name=_NOW))
        answer.remark(f"Something has taken effect since then: {_NOW} has how it is now.")
        view = present.view
    if lines := lines_for_programs(view):
        answer.section("for programs", "\n".join(lines))


def report_map(_work: Transaction, sender: Sender, _arrived: Arrived, _command: Command, answer: Answer) -> None:
    """REPORT MAP: all that the seat knows of the map, in words."""
    table, seat = sender.table, sender.seat
    if table.position is None:
        answer.remark(_NOT_BEGUN)
    elif text := map_text(table.ruleset, table.ruleset.view(table.position, (), seat_reader(seat.name))):
        answer.section("the map", text)
    else:
        answer.remark("REPORT MAP: this game has no map in words. REPORT sends its last report.")


_NOT_BEGUN = "There is no report yet."
_NOW = "report-now.json"


def _last_step(work: Transaction, table: OpenGame) -> StepRecord | None:
    """The last step that was resolved and stands; None before the first."""
    work.write()
    stands = select(StepRecord).where(StepRecord.game_id == table.id, StepRecord.rolled_back == 0)
    return work.session.exec(stands.order_by(col(StepRecord.step).desc()).limit(1)).first()


def _proofs_of(work: Transaction, table: OpenGame, seat: Seat, rows: Sequence[Report]) -> list[Attachment]:
    """The files with the proof of these reports, as they were sent, of those that are kept still."""
    keys = [report_key(table, row.step, seat) for row in reversed(rows)]
    kept = dict(work.session.exec(select(Outbox.key, Outbox.raw).where(col(Outbox.key).in_(keys))).all())
    parts = (part for key in keys if key in kept for part in message_from_bytes(kept[key]).walk())
    return [Attachment(str(part.get_filename()), PROOF_TYPE, proof_bytes(part)) for part in parts if is_proof(part)]


def _shown(rows: Sequence[Report], names: Mapping[int, str]) -> tuple[str, str]:
    """Title and text of the reports of a turn, which has one for every move or phase; the last comes first in `rows`."""
    row = rows[0]
    if len(rows) == 1:
        words = "the beginning" if row.step == START else step_words(row.turn, names.get(row.step, ""))
        return f"report of {words}", row.text
    heads = [f"{names[each.step].upper()}\n\n" if names.get(each.step) else "" for each in rows]
    texts = [head + each.text.strip("\n") for head, each in zip(heads, rows, strict=True)]
    return f"report of turn {row.turn}", "\n\n".join(reversed(texts))


def _turns(work: Transaction, table: OpenGame, seat: Seat) -> list[int]:
    work.write()
    return sorted(work.session.exec(select(Report.turn).where(*_theirs(table, seat)).distinct()))


def _reports(work: Transaction, table: OpenGame, seat: Seat, turn: int | None) -> Sequence[Report]:
    """Those of a turn, the last first; without a turn the last alone."""
    kept = select(Report).where(*_theirs(table, seat), *(() if turn is None else (col(Report.turn) == turn,)))
    return work.session.exec(kept.order_by(col(Report.step).desc()).limit(1 if turn is None else _REPORTS_OF_A_TURN)).all()


def _theirs(table: OpenGame, seat: Seat) -> tuple[ColumnElement[bool], ...]:
    taken_back = select(StepRecord.step).where(StepRecord.game_id == table.id, StepRecord.rolled_back != 0)
    return (
        col(Report.game_id) == table.id,
        col(Report.reader) == f"seat:{seat.number}",
        col(Report.step).not_in(taken_back),
    )


def _words(turns: Sequence[int]) -> str:
    """``turn 3``, ``turns 0 to 5``; those between that are not there are rolled back, and played again."""
    return f"turn {turns[0]}" if len(turns) == 1 else f"turns {turns[0]} to {turns[-1]}"


def _names_of_steps(work: Transaction, table: OpenGame, rows: Sequence[Report]) -> dict[int, str]:
    steps = select(StepRecord.step, StepRecord.name).where(StepRecord.game_id == table.id)
    return dict(work.session.exec(steps.where(col(StepRecord.step).in_([row.step for row in rows]))).all())
