"""``turns/``: what each step began with, what was ordered, what happened, and what was reported."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from sqlmodel import Session, col, select

from pbmd.archive.format.documents import EventDocument, ResolutionDocument, SheetDocument, VerdictDocument
from pbmd.archive.format.plan import Plan, Step
from pbmd.archive.format.sheets import FiledLetter
from pbmd.archive.write.anonymous import blank
from pbmd.archive.write.dice_file import Bound, anonymised, dice_of_setup, dice_of_step
from pbmd.archive.write.orders_file import Given, Resigned, orders_document, orders_of_steps
from pbmd.archive.write.positions_before import positions_before
from pbmd.archive.write.writing import Writer
from pbmd.ledger.entries.codec import Document
from pbmd.ledger.entries.parts import Orders, meanwhile_in
from pbmd.ledger.tables import Letter, Report, Seat, StepRecord, Submission
from pbmd.rendering.picture import drawn_svg, picture_apart
from pbmd.rules import Event, Reader, Ruleset, Sheet, Status, seat_reader, seen_by
from pbmd.rules.protocol import event_of
from pbmd.rules.sheets import to_be_used, without_waiting

_REFUSED = re.compile(r'<p style="margin:0 0 12px">Line \d+: &#34;[^<>]*</p>\n')
"""A paragraph in the page of a report that says why a line could not be taken (`pbmd.desk.step.nmr.refused_words`)."""


def write_turns(session: Session, plan: Plan, writer: Writer, done: Callable[[], None]) -> None:
    """Write the folder of each step, one after the other. Raises `OSError`."""
    with (
        closing(positions_before(session, plan)) as befores,
        closing(orders_of_steps(session, plan.game.id or 0, plan.last_entry)) as orders,
    ):
        bound = Bound()
        for step in plan.steps:
            record = step.record(session)
            if record is None:
                document: Document = plan.setup.position
                if plan.audience.everything and plan.setup.secret:
                    setup = dice_of_setup(plan.setup, ((seat.number, seat.name) for seat in plan.seats))
                    _write_dice(plan, writer, f"turns/{step.folder}/dice.json", setup)
            else:
                (number, before), (ordered, given) = next(befores), next(orders)
                assert number == ordered == step.number, "the journal has the steps in their order"
                bound = _write_step(session, plan, writer, _Played(step, record, before, given), bound)
                document = json.loads(record.after)
            _write_after(session, plan, writer, step, record, document)
            done()


def write_told(session: Session, plan: Plan, writer: Writer, step: Step) -> None:
    """Write only what was reported of a step: when it was, its reports, maps and numbers. Raises `OSError`."""
    record = step.record(session)
    if record is not None:
        writer.toml(f"turns/{step.folder}/resolution.toml", resolution_document(record, with_rolls=plan.audience.everything))
    _write_after(session, plan, writer, step, record, json.loads(record.after) if record else plan.setup.position)


@dataclass(frozen=True, slots=True)
class _Played:
    """A resolved step: its record, the position document before it, and what the rules got in it."""

    step: Step
    record: StepRecord
    before: Document
    given: Sequence[Given]


def _write_step(session: Session, plan: Plan, writer: Writer, played: _Played, bound: Bound) -> Bound:
    """Everything about a step, or less if it is the beginning."""
    record, place, everything = played.record, f"turns/{played.step.folder}", plan.audience.everything
    writer.toml(f"{place}/resolution.toml", resolution_document(record, with_rolls=everything))
    # Not the position that was resolved: that one already has the orders in it.
    ahead = _sent_ahead(plan.ruleset, played.before, record)
    if everything:
        writer.toml(f"{place}/position.toml", presentable_position(plan.ruleset, played.before, ahead))
    if plan.audience.kind != "public":
        _write_orders(plan, writer, played, _sheets(session, plan, record), ahead)
    events: list[EventDocument] = json.loads(record.events)
    seen = events if everything else seen_events(tuple(map(event_of, events)), plan.audience.reader)
    writer.json(f"{place}/events.json", seen)
    if not everything:
        return bound
    dice, bound = dice_of_step(plan.ruleset, record, ((seat.number, seat.name) for seat in plan.seats), bound)
    _write_dice(plan, writer, f"{place}/dice.json", dice)
    return bound


def _write_orders(plan: Plan, writer: Writer, played: _Played, sheets: Sequence[SheetDocument], ahead: Sequence[Sheet]) -> None:
    """What was ordered, as far as the reader may know it: the letters, and how they were understood."""
    place, audience = f"turns/{played.step.folder}", plan.audience
    for sheet in sheets:
        said = json.dumps([sheet["seat"], sheet["lines"]], ensure_ascii=False)
        if plan.anonymised and writer.anonymous(said) != said:
            sheet["digest"] = ""  # it also covers what was taken out: wrong now, and it would confirm a guess
    others = [sheet for sheet in sheets if _is_by_another(plan, sheet)]
    seen = (entry for entry in played.given if audience.everything or _is_of(entry, audience.seat))
    given = [_without_refused(entry, others, sheets) for entry in seen]
    mailed = orders_document(given, marks_deadlines=plan.ruleset.info.timing == "sequential", without=ahead)
    writer.toml(f"{place}/orders.toml", mailed, multiline=True)
    writer.json(f"{place}/sheets.json", [_without_words(sheet) if sheet in others else sheet for sheet in sheets])


def _write_dice(plan: Plan, writer: Writer, path: str, document: dict[str, Any]) -> None:
    if plan.anonymised and (blanked := anonymised(document, writer.anonymous)):
        document = blanked
        writer.changed.append(path)
    writer.json(path, document)


def _write_after(
    session: Session, plan: Plan, writer: Writer, step: Step, record: StepRecord | None, document: Document
) -> None:
    place, rules = f"turns/{step.folder}", plan.ruleset
    if plan.audience.everything:
        writer.toml(f"{place}/after.toml", presentable_position(rules, document))
    events = tuple(map(event_of, json.loads(record.events))) if record else ()
    view = rules.view(rules.load(presentable_position(rules, document)), events, plan.audience.reader)
    writer.json(f"{place}/numbers.json", view.data.get("numbers", {}))
    _write_reports(session, plan, writer, step, place, _show_what_waits(plan, document, events))


def resolution_document(record: StepRecord, *, with_rolls: bool) -> ResolutionDocument:
    """The content of resolution.toml."""
    document: ResolutionDocument = {
        "step": record.step,
        "turn": record.turn,
        "name": record.name,
        "resolved_at": record.resolved_at,
        "cause": record.cause,
        "secret": record.secret.hex(),
    }
    if not record.name:
        del document["name"]
    if with_rolls:  # the number of rolls gives something away about orders
        document["dice"] = " ".join(str(roll) for _, roll in json.loads(record.dice))
    return document


# Positions


def presentable_position(ruleset: Ruleset[Any], document: Document, used: Sequence[Sheet] = ()) -> Document:
    """A position as it may be shown when the sheets `used` are resolved: without the other moves that wait."""
    return ruleset.dump(without_waiting(ruleset, ruleset.load(document), used)) if ruleset.sequential else document


def _sent_ahead(ruleset: Ruleset[Any], document: Document, record: StepRecord) -> list[Sheet]:
    """The sheets that a step used and that were on file before it began. They were checked when they came, and might not pass
    now: so they stand in the position, and not among the letters."""
    if not ruleset.sequential:
        return []
    on_file = ruleset.sheets(ruleset.load(document))
    return [sheet for sheet in to_be_used(ruleset, ruleset.load(json.loads(record.before))) if sheet in on_file]


def _show_what_waits(plan: Plan, document: Document, events: Sequence[Event]) -> set[int]:
    """The numbers of the seats whose reports on a step show a move of theirs that still waits and is in no entry of the journal
    yet: nobody else may know of it, nor could the report be made again from the journal."""
    rules = plan.ruleset
    if not (rules.sequential and plan.audience.everything):
        return set()
    kept = {(each.seat, each.arrival) for each in meanwhile_in(plan.game.meanwhile) if isinstance(each, Orders)}
    position = rules.load(document)
    waiting = {sheet.seat for sheet in rules.sheets(position) if (sheet.seat, sheet.arrival) in kept}
    without = rules.load(presentable_position(rules, document))

    def differs(seat: str) -> bool:
        return rules.view(position, events, seat_reader(seat)) != rules.view(without, events, seat_reader(seat))

    return {seat.number for seat in plan.seats if seat.name in waiting and differs(seat.name)}


# Orders


def _is_of(entry: Given, seat: str) -> bool:
    return isinstance(entry, Orders | Resigned) and entry.seat == seat


def _sheets(session: Session, plan: Plan, record: StepRecord) -> list[SheetDocument]:
    """Every letter with orders for a step, by arrival, as far as the reader may know them, without moves that still wait."""
    # What is not in the journal yet still waits.
    in_journal = col(Submission.number).between(1, plan.last_entry)
    wanted = [Submission.game_id == plan.game.id, Submission.step == record.step, in_journal]
    columns = select(Submission, Seat.name).join(Seat, col(Seat.id) == col(Submission.seat_id))
    columns = columns.outerjoin(Letter, col(Letter.id) == col(Submission.letter_id)).where(*wanted)
    rows = session.exec(columns.order_by(col(Submission.arrived_at), col(Letter.uid), col(Submission.id)))
    return [_sheet(submission, seat) for submission, seat in rows if plan.audience.sees_seat(seat)]


def _sheet(submission: Submission, seat: str) -> SheetDocument:
    state, lines, verdicts = submission.state.value, json.loads(submission.orders), json.loads(submission.verdicts)
    said = submission.digest, state, lines, verdicts, submission.head, submission.word
    return FiledLetter(seat, submission.arrived_at, submission.number, *said).document


def _is_refused(verdict: VerdictDocument) -> bool:
    return verdict["status"] == Status.ERROR


def _is_by_another(plan: Plan, sheet: SheetDocument) -> bool:
    """Whether the reader may not see what its writer wrote: in an anonymised archive nobody may, and a seat's new holder may
    only see the orders of the earlier ones, which belong to the seat."""
    return plan.anonymised or sheet["receipt"] < plan.taken_over


def _without_words(sheet: SheetDocument) -> SheetDocument:
    """A sheet without the lines that no rule understood, and without the word for the dice: there people write what they
    like."""
    verdicts: list[VerdictDocument] = [
        {**verdict, "text": blank(verdict["text"]), "message": ""} if _is_refused(verdict) else verdict
        for verdict in sheet["verdicts"]
    ]
    silent: SheetDocument = {**sheet, "verdicts": verdicts}
    silent.pop("head", None)
    silent.pop("word", None)
    return silent


def _without_refused(entry: Given, others: Sequence[SheetDocument], sheets: Sequence[SheetDocument]) -> Given:
    """The letter without the lines that no rule understood in the sheets `others`."""
    if not isinstance(entry, Orders) or not others:
        return entry
    refused = {verdict["text"] for verdict in _verdicts(others, entry.seat) if _is_refused(verdict)}
    refused -= {verdict["text"] for verdict in _verdicts(sheets, entry.seat) if not _is_refused(verdict)}
    lines = ((number, blank(text) if text in refused else text) for number, text in entry.lines)
    return replace(entry, lines=tuple(lines))


def _verdicts(sheets: Iterable[SheetDocument], seat: str) -> list[VerdictDocument]:
    return [verdict for sheet in sheets if sheet["seat"] == seat for verdict in sheet["verdicts"]]


# Events and reports


def seen_events(events: Sequence[Event], reader: Reader) -> list[EventDocument]:
    """What the reader may know of the events, as events.json has it, without who else knows them."""
    seen = seen_by(events, reader)
    return [{"kind": event.kind, "data": dict(event.data), "detail": dict(event.detail)} for event in seen]


def _write_reports(session: Session, plan: Plan, writer: Writer, step: Step, place: str, left_out: set[int]) -> None:
    """The reports on a step, except those of the seats that are `left_out`."""
    names = {f"seat:{seat.number}": f"{seat.number}-{file_name(writer.cleaned(seat.name))}" for seat in plan.seats}
    seats = [seat for seat in plan.seats if plan.audience.sees_seat(seat.name) and seat.number not in left_out]
    seen = {f"seat:{seat.number}" for seat in seats} | {"public"}
    reports = select(Report.reader, Report.text, Report.html).where(
        Report.game_id == plan.game.id, Report.step == step.number, col(Report.reader).in_(seen)
    )
    public = ""
    for reader, text, page in sorted(session.exec(reports), key=lambda row: row[0]):  # the public one first
        name = names.get(reader, "public")
        if step.entry < plan.taken_over or plan.anonymised:
            page = _REFUSED.sub("", page)
        picture = drawn_svg(page)
        public = public if reader in names else picture
        shown = "public" if picture == public else name
        writer.text(f"{place}/reports/{name}.txt", text)
        writer.text(f"{place}/reports/{name}.html", picture_apart(page, shown))
        if picture and shown == name:
            writer.text(f"{place}/maps/{name}.svg", picture)


def file_name(name: str) -> str:
    """What is left of a player's chosen name when it has to be the name of a file."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:40] or "seat"
