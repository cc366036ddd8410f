"""A game as a folder of plain files that need no pbmd to be read.

    game.toml             the game, its seats, options, terms, and how it ended
    turns/NNN/            position.toml before, orders.toml, resolution.toml (cause, dice), after.toml, events.json, reports/
    letters.mbox          every letter of the game as it came, seat tokens blanked
    journal.jsonl         the hash-chained journal, an entry in canonical JSON a line

``turns/000`` is the beginning. With position.toml, orders.toml and the dice of resolution.toml `pbmd adjudicate` resolves a
turn again.
"""

import json
import mailbox
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import rfc8785
import tomli_w
from sqlmodel import Session, col, select

from pbmd import __version__
from pbmd.archive.before import positions_before
from pbmd.archive.blank import Blanker
from pbmd.archive.orders import orders_document, orders_of_steps
from pbmd.archive.plan import Plan, Step
from pbmd.ledger.journal import seal, written_time
from pbmd.ledger.tables import GameStatus, JournalEntry, Letter, Report, Seat, StepRecord
from pbmd.rules import Ruleset, Sheet
from pbmd.rules.sheets import to_be_used, without_waiting

FORMAT = 1
_MARK = "game.toml"
Done = Callable[[], None]


class FolderTaken(ValueError):
    """The folder to export to has something in it; the message says what to do."""


def write_archive(session: Session, plan: Plan, folder: Path, blanker: Blanker, done: Done, *, force: bool = False) -> None:
    """Write the archive; `folder` has all of it or is as it was. `done` is called for each of the plan's items.

    Raises `FolderTaken` if there is something in `folder` (with `force`: something else than an archive) and `OSError`.
    """
    with _written_aside(folder, force=force) as aside:
        _write_toml(aside / _MARK, _game(session, plan), blanker)
        _write_turns(session, plan, aside / "turns", blanker, done)
        _write_letters(session, plan, aside / "letters.mbox", blanker, done)
        _write_journal(session, plan, aside / "journal.jsonl", blanker, done)


@contextmanager
def _written_aside(folder: Path, *, force: bool) -> Generator[Path]:
    """A new folder beside `folder` that takes its place at the end, unless something went wrong."""
    folder = folder.absolute()
    _check_free(folder, force=force)
    folder.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        yield aside
        if force and folder.exists():
            old = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
            os.replace(folder, old)
            os.replace(aside, folder)
            shutil.rmtree(old)
        else:
            os.replace(aside, folder)  # over an empty folder too
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _check_free(folder: Path, *, force: bool) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise FolderTaken(f"{folder} is no folder")
    if any(folder.iterdir()):
        if not force:
            raise FolderTaken(f"{folder} is not empty; take another folder, or --force to replace an archive")
        if not (folder / _MARK).is_file() or not (folder / "journal.jsonl").is_file():
            raise FolderTaken(f"{folder} has something else than an archive in it, which --force does not delete")


# game.toml


def _game(session: Session, plan: Plan) -> dict[str, Any]:
    game = plan.game
    head = session.exec(
        select(JournalEntry.hash).where(JournalEntry.game_id == game.id, JournalEntry.number == plan.last_entry)
    ).one()
    return {
        "format": FORMAT,
        "pbmd": __version__,
        "name": game.name,
        "ruleset": game.ruleset,
        "title": plan.ruleset.info.title,
        "status": game.status.value,
        "created_at": game.created_at,
        "resolved_steps": len(plan.steps) - 1,
        "journal": {"entries": plan.last_entry, "head": head},
        "options": json.loads(game.options),
        "terms": json.loads(game.terms),
        **_outcome(session, plan),
        "seats": [_seat(seat) for seat in plan.seats],
    }


def _seat(seat: Seat) -> dict[str, Any]:
    return {
        "number": seat.number,
        "name": seat.name,
        "holder": seat.holder,
        "timezone": seat.timezone,
        "state": seat.state.value,
        "setup": [text for _, text in json.loads(seat.signup)],
    }


def _outcome(session: Session, plan: Plan) -> dict[str, Any]:
    if plan.game.status is not GameStatus.FINISHED:
        return {}
    finished = select(JournalEntry.public).where(JournalEntry.game_id == plan.game.id, JournalEntry.kind == "finished")
    public = session.exec(finished.order_by(col(JournalEntry.number).desc())).first()
    return {"outcome": json.loads(public)} if public else {}


# turns/


def _write_turns(session: Session, plan: Plan, folder: Path, blanker: Blanker, done: Done) -> None:
    orders = orders_of_steps(session, plan.game.id or 0, plan.last_entry)
    marks = plan.ruleset.info.timing == "sequential"
    before = positions_before(session, plan)
    for step in plan.steps:
        position = before.get(step.number, plan.first_position)
        place = folder / step.folder
        (place / "reports").mkdir(parents=True)
        record = step.record
        if record is not None:
            # Not the position that was resolved: that one has the orders in it already.
            ahead = _sent_ahead(plan.ruleset, position, record)
            _write_toml(place / "position.toml", _shown(plan.ruleset, position, ahead), blanker)
            mailed = orders_document(orders.get(step.number, ()), marks_deadlines=marks, without=ahead)
            _write(place / "orders.toml", tomli_w.dumps(mailed, multiline_strings=True), blanker)
            rolls: list[tuple[int, int]] = json.loads(record.dice)
            resolution = {
                "step": record.step,
                "turn": record.turn,
                **({"name": record.name} if record.name else {}),
                "resolved_at": record.resolved_at,
                "cause": record.cause,
                "secret": record.secret.hex(),
                "dice": " ".join(str(roll) for _, roll in rolls),
                "rolls": rolls,
            }
            _write_toml(place / "resolution.toml", resolution, blanker)
            events = json.dumps(json.loads(record.events), ensure_ascii=False, indent=2) + "\n"
            _write(place / "events.json", events, blanker)
            position = json.loads(record.after)
        _write_toml(place / "after.toml", _shown(plan.ruleset, position), blanker)
        _write_reports(session, plan, step, place / "reports", blanker)
        done()


def _shown(ruleset: Ruleset[Any], document: Mapping[str, Any], used: Sequence[Sheet] = ()) -> Mapping[str, Any]:
    """A position as it may be shown when the sheets `used` are carried out: without the other moves that wait."""
    return ruleset.dump(without_waiting(ruleset, ruleset.load(document), used)) if ruleset.sequential else document


def _sent_ahead(ruleset: Ruleset[Any], document: Mapping[str, Any], record: StepRecord) -> list[Sheet]:
    """The sheets that a step used and that were on file before it began. They were checked when they came, and might not pass
    now: so they stand in the position, and not among the letters."""
    if not ruleset.sequential:
        return []
    on_file = ruleset.sheets(ruleset.load(document))
    return [sheet for sheet in to_be_used(ruleset, ruleset.load(json.loads(record.before))) if sheet in on_file]


def _write_reports(session: Session, plan: Plan, step: Step, folder: Path, blanker: Blanker) -> None:
    names = {f"seat:{seat.number}": f"{seat.number}-{_file_name(seat.name)}" for seat in plan.seats}
    for report in session.exec(select(Report).where(Report.game_id == plan.game.id, Report.step == step.number)):
        name = names.get(report.reader, "public")
        _write(folder / f"{name}.txt", report.text, blanker)
        _write(folder / f"{name}.html", report.html, blanker)


def _file_name(name: str) -> str:
    """What is left of a player's choice of name when it has to be a file's."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:40] or "seat"


# letters.mbox and journal.jsonl


def _write_letters(session: Session, plan: Plan, path: Path, blanker: Blanker, done: Done) -> None:
    box = mailbox.mbox(path, create=True)
    try:
        for letter_id in plan.letters:
            letter = session.exec(select(Letter.raw, Letter.arrived_at).where(Letter.id == letter_id)).one()
            box.add(_framed(blanker.mail(letter[0]), letter[1]))
            done()
    finally:
        box.close()


def _framed(raw: bytes, arrived_at: datetime) -> bytes:
    """A letter behind the line that begins it in an mbox and tells its arrival. The library guards all lines but the first
    against being taken for such a line."""
    guard = b">" if raw.startswith(b"From ") else b""
    return f"From pbmd {arrived_at.ctime()}\n".encode() + guard + raw


def _write_journal(session: Session, plan: Plan, path: Path, blanker: Blanker, done: Done) -> None:
    entries = select(JournalEntry).where(JournalEntry.game_id == plan.game.id, JournalEntry.number <= plan.last_entry)
    with path.open("w", encoding="utf-8") as file:
        for entry in session.exec(entries.order_by(col(JournalEntry.number)).execution_options(yield_per=500)):
            file.write(blanker.text(_entry(entry, sealed=entry.number in plan.withheld)) + "\n")
            done()


def _entry(entry: JournalEntry, *, sealed: bool) -> str:
    fields = {
        "number": entry.number,
        "at": written_time(entry.at),
        "kind": entry.kind,
        "public": json.loads(entry.public),
        "secret": json.loads(entry.secret) if entry.secret and not sealed else {},
        "salt": "" if sealed else entry.salt,
        "hash": entry.hash,
    }
    if sealed:
        fields["sealed"] = seal(bytes.fromhex(entry.salt), entry.secret.encode())
    return rfc8785.dumps(fields).decode()


# Files


def _write_toml(path: Path, document: Mapping[str, Any], blanker: Blanker) -> None:
    _write(path, tomli_w.dumps(document), blanker)


def _write(path: Path, text: str, blanker: Blanker) -> None:
    path.write_text(blanker.text(text), encoding="utf-8", newline="\n")
