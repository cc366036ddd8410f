"""What everybody was told about a turn, from the ledger: as the public archive would have it, but for one turn alone. So a
running game can have its newspaper."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from sqlmodel import Session, col, select

from pbmd.archive.format.audience import TO_PUBLIC, entry_for_audience
from pbmd.archive.format.documents import GameHead, SeatDocument
from pbmd.archive.format.plan import Plan, Step
from pbmd.archive.write.presentation import Message, said_in, step_shown
from pbmd.archive.write.reader import DatedEntry, Turn
from pbmd.archive.write.turns import write_told
from pbmd.archive.write.writing import Writer
from pbmd.book.from_archive import BookStep, told_of
from pbmd.ledger.tables import JournalEntry
from pbmd.post.blank import Blanker


def public_turn(session: Session, plan: Plan, turn: int, blanker: Blanker, folder: Path) -> tuple[BookStep, ...]:
    """The steps of a turn that stand, as they were reported to everybody; what is written for this goes into `folder`. Raises
    `OSError`."""
    public = replace(plan, audience=TO_PUBLIC)
    writer = Writer(folder, blanker)
    told: list[BookStep] = []
    since = 0
    for step in public.steps:
        if step.folder.startswith("rolled-back/"):
            continue
        if step.turn == turn:
            write_told(session, public, writer, step)
            path = Turn(folder / "turns" / step.folder, step.folder)
            told.append(told_of(path, step_shown(path), tuple(_said(session, public, since, step, blanker))))
        since = step.entry
    return tuple(told)


def game_words(plan: Plan) -> GameHead:
    """What a newspaper says about the game as such."""
    seats = [SeatDocument(number=seat.number, name=seat.name, state=seat.state.value) for seat in plan.seats]
    return {"name": plan.game.name, "title": plan.ruleset.info.title, "seats": seats, "created_at": plan.game.created_at}


def _said(session: Session, plan: Plan, since: int, step: Step, blanker: Blanker) -> Iterator[Message]:
    """What was said to everybody between two steps, as far as the public archive of the finished game will have it, without the
    times."""
    wanted = select(JournalEntry).where(
        JournalEntry.game_id == plan.game.id,
        col(JournalEntry.kind).in_(("press", "announced")),
        col(JournalEntry.number).between(since + 1, step.entry),
    )
    for entry in session.exec(wanted.order_by(col(JournalEntry.number))):
        public, secret = blanker.text(entry.public), blanker.text(entry.secret)
        content = entry_for_audience(entry.kind, json.loads(public), json.loads(secret) if secret else None)
        told = content if plan.sees_sealed(entry.number, content) else replace(content, sealed=None)
        yield from said_in([DatedEntry(entry.number, "", entry.kind, told)])
