"""The records of a game that came from an archive: journal, steps, orders, reports."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

from pbmd.archive.format.documents import SheetDocument
from pbmd.archive.format.editions import Refusals
from pbmd.archive.format.entries import Entry
from pbmd.archive.format.outline import Stage, StoryError, outline
from pbmd.archive.format.plan import START
from pbmd.archive.format.sheets import Letters
from pbmd.archive.replay.story import play
from pbmd.desk.books.transaction import OpenGame, Transaction, compact_json
from pbmd.desk.step.reporting.reports import ReportWords
from pbmd.ledger.tables import Game, JournalEntry, Report, StepRecord, Submission, SubmissionState, called, step_words
from pbmd.rendering.map_parts import MapError
from pbmd.rendering.picture import inline_svg, map_svg
from pbmd.rendering.render import Rendered, html_parts, report_text
from pbmd.rules import PUBLIC, Refused, Ruleset, canonical_json, seat_reader
from pbmd.rules.words import capital

Entries = Callable[[], Iterator[Entry]]
"""Reads the journal of an archive from its beginning."""


def add_journal(work: Transaction, table: OpenGame, entries: Entries) -> None:
    """Add the entries, with their original hashes. Where a secret part or its salt is missing, the seal stands in for it."""
    for entry in entries():
        sure = entry.sure and bool(entry.salt)
        work.add(
            JournalEntry,
            game_id=table.id,
            number=entry.number,
            at=entry.at,
            kind=entry.kind,
            public=canonical_json(entry.public).decode(),
            secret=canonical_json(entry.secret).decode() if entry.secret else "",
            salt=entry.salt if sure else "",
            hash=entry.hash,
            sealed="" if sure else entry.sealed,
        )
        if entry.number % 500 == 0:
            work.write_rows()


def add_steps(work: Transaction, table: OpenGame, entries: Entries, refusals: Refusals) -> None:
    """Add the steps as they come out when the game is replayed, with reports and orders. Raises `Refused` if that is
    impossible."""
    rules, overview = table.ruleset, outline(entries())
    letters = Letters(overview.letters)
    try:
        for stage in play(rules, entries(), overview, letters, refusals=refusals):
            if stage.record is not None:
                given = stage.record.model_dump(exclude={"id", "game_id"})
                work.add(StepRecord, game_id=table.id, **given)
                table.game.step = stage.step + 1
            if stage.told is not None:
                add_reports(work, table, stage)
            add_orders(work, table, letters.settled(stage.entry.number))
            table.loaded = stage.position
            work.write_rows()
        add_orders(work, table, letters.settled())
        work.write_rows()
    except StoryError as problem:
        raise Refused(f"the game cannot be played again: {problem}") from None
    table.game.position = compact_json(rules.dump(table.loaded))
    table.note_step()


def add_orders(work: Transaction, table: OpenGame, settled: Iterable[tuple[int, list[SheetDocument]]]) -> None:
    """Add what became of the letters of steps, as their sheets.json have it."""
    for step, sheets in settled:
        for sheet in sheets:
            said = [[each["line"], each["status"], each["text"], each["message"]] for each in sheet["verdicts"]]
            work.add(
                Submission,
                game_id=table.id,
                seat_id=table.seat(sheet["seat"]).id,
                step=step,
                letter_id=None,
                number=sheet["receipt"],
                arrived_at=datetime.fromisoformat(sheet["arrived_at"]),
                digest=sheet["digest"],
                state=SubmissionState(sheet["state"]),
                orders=compact_json(sheet["lines"]),
                verdicts=compact_json(said),
                head=sheet.get("head", ""),
                word=sheet.get("word", ""),
                cancelled_by=None,
            )


def add_reports(work: Transaction, table: OpenGame, stage: Stage) -> None:
    """Add the reports of a stage, made anew from what each seat and the public may see."""
    turn = stage.turn if stage.record is not None else table.ruleset.turn(stage.position) - 1
    for seat in (*table.seats, None):
        view = table.ruleset.view(stage.position, stage.told or (), seat_reader(seat.name) if seat else PUBLIC)
        try:
            picture = map_svg(view)
        except MapError:
            picture = None
        shown = inline_svg(picture) if picture else ""
        parts = html_parts(table.ruleset, view, shown)
        page = _page(table.ruleset, table.game.name, stage, seat.name, parts) if seat else parts.rest
        text, reader = report_text(table.ruleset, view), f"seat:{seat.number}" if seat else "public"
        work.add(Report, game_id=table.id, step=stage.step, turn=turn, reader=reader, text=text, html=page)


def _page(rules: Ruleset[Any], name: str, stage: Stage, seat: str, parts: Rendered) -> str:
    """The page of a report, made anew: the one in an archive may be anybody's. It has no deadlines and receipts."""
    game = Game(
        name=name,
        ruleset=rules.info.slug,
        turn=rules.turn(stage.position),
        step_name=rules.step_name(stage.position),
        chain_number=stage.entry.number,
        chain_head=stage.entry.hash,
        created_at=stage.entry.at,
    )
    awaited = stage.outcome is None and seat in rules.awaiting(stage.position)
    record = stage.record
    reported = step_words(record.turn, record.name) if record else ""
    words = ReportWords(
        kept=True,
        game=game,
        seat=seat,
        title=rules.info.title,
        reported=reported,
        happened=capital(called(reported)),
        first=stage.step == START,
        sequential=rules.sequential,
        outcome=stage.outcome.told(rules.seats(stage.position)) if stage.outcome else "",
        you=parts.you,
        body=parts.rest,
        form=rules.order_form(stage.position, seat) if awaited else "",
        commitment=stage.next_commitment,
        secret=record.secret.hex() if record else "",
    )
    return words.filled("report.html")
