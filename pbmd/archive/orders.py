"""The letters of a step as an orders file, so that `pbmd adjudicate` can resolve the step again."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from pbmd.ledger.tables import JournalEntry, Submission, SubmissionState
from pbmd.rules import Sheet

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NOT_BEGUN = -1
_REFUSED, _GRANTED, _FILED = (
    state.value for state in (SubmissionState.REFUSED, SubmissionState.GRANTED, SubmissionState.FILED)
)
_SEEN = (SubmissionState.USED, SubmissionState.REPLACED, SubmissionState.FILED)


@dataclass(frozen=True, slots=True)
class _Mailed:
    """A letter with orders that the rules got to see."""

    seat: str
    arrival: tuple[int, int]
    lines: Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class _Missed:
    """Some seat's deadline passed."""

    at: datetime


@dataclass(frozen=True, slots=True)
class _Resigned:
    """A seat was given up."""

    seat: str
    at: datetime


_Given = _Mailed | _Missed | _Resigned


def orders_of_steps(session: Session, game_id: int, last_entry: int) -> dict[int, list[_Given]]:
    """What the rules got in each step, in the order of the journal, requests that were granted last. Late, cancelled and
    misdirected orders are left out."""
    seen = _seen_by_the_rules(session, game_id)
    entries = select(JournalEntry).where(
        JournalEntry.game_id == game_id,
        JournalEntry.number <= last_entry,
        col(JournalEntry.kind).in_(("started", "orders", "missed", "resigned", "resolved", "rolled-back")),
    )
    steps: dict[int, list[_Given]] = {}
    running = _NOT_BEGUN
    gone: set[tuple[int, str]] = set()
    for entry in session.exec(entries.order_by(col(JournalEntry.number))):
        public, secret = json.loads(entry.public), json.loads(entry.secret or "{}")
        # Orders may be late for a step that is over; a resignation is always of the one that runs.
        number = public.get("step", running)
        step = steps.setdefault(number, [])
        if entry.kind == "started":
            running = 0
        elif entry.kind == "rolled-back":
            running = public["step"]
        elif entry.kind == "resigned":
            step.append(_Resigned(public["seat"], entry.at))
        elif entry.kind == "missed":
            step.append(_Missed(entry.at))
            gone.add((number, secret["seat"]))
        elif entry.kind == "resolved":
            step += _kept(secret.get("meanwhile", ()))
            running = number + 1
        elif entry.number in seen and not ((number, secret["seat"]) in gone and secret["state"] == _REFUSED):
            # What was refused because the deadline had been missed would be taken where no deadline is marked.
            step.append(_mailed(secret))
    return steps


def _kept(entries: Iterable[Mapping[str, Any]]) -> list[_Given]:
    """What was kept for the journal until the step was over and that the rules took: requests, and of the moves that were
    sent ahead the last of each seat, unless it was taken back."""
    requests = [_mailed(entry) for entry in entries if entry.get("state", _GRANTED) == _GRANTED and "lines" in entry]
    moves: dict[str, _Mailed] = {}
    for entry in entries:
        if "cancelled" in entry:
            moves.pop(entry["seat"], None)
        elif entry.get("state") == _FILED:
            moves[entry["seat"]] = _mailed(entry)
    return [*requests, *moves.values()]


def orders_document(entries: Iterable[_Given], *, marks_deadlines: bool, without: Sequence[Sheet] = ()) -> dict[str, Any]:
    """The entries of an orders file, in order of arrival, without the letters of the sheets that the position has already.
    Simultaneous rulesets need no mark where a deadline passed."""
    there = {(sheet.seat, sheet.arrival) for sheet in without}
    written: list[tuple[tuple[int, int], dict[str, Any]]] = []
    latest = 0
    for entry in entries:
        if isinstance(entry, _Mailed):
            if (entry.seat, entry.arrival) in there:
                continue
            latest = max(latest, entry.arrival[0])
            text = {"player": entry.seat, "received": _time(entry.arrival[0]), "text": _text(entry.lines)}
            written.append((entry.arrival, text))
        elif isinstance(entry, _Resigned):
            latest = max(latest, _microseconds(entry.at))
            written.append(((latest, 1 << 61), {"player": entry.seat, "received": _time(latest), "resigns": True}))
        elif marks_deadlines and not (written and "deadline" in written[-1][1]):
            # Never before a letter that had been dealt with by then, whatever the clock of its server said.
            latest = max(latest, _microseconds(entry.at))
            written.append(((latest, 1 << 62), {"deadline": True, "received": _time(latest)}))
    return {"orders": [entry for _, entry in sorted(written, key=lambda item: item[0])]}


def _seen_by_the_rules(session: Session, game_id: int) -> set[int]:
    """Journal numbers of the orders that reached the rules and were not taken back."""
    columns = select(Submission.number, Submission.state, Submission.verdicts).where(Submission.game_id == game_id)
    return {
        number
        for number, state, verdicts in session.exec(columns)
        # What the desk itself turned away has no verdicts.
        if state in _SEEN or (state is SubmissionState.REFUSED and json.loads(verdicts))
    }


def _mailed(secret: Mapping[str, Any]) -> _Mailed:
    microseconds, uid = secret["arrival"]
    return _Mailed(secret["seat"], (microseconds, uid), [(number, text) for number, text in secret["lines"]])


def _microseconds(at: datetime) -> int:
    return (at - _EPOCH) // timedelta(microseconds=1)


def _time(microseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=microseconds)


def _text(lines: Sequence[tuple[int, str]]) -> str:
    """The lines where they stood in the letter: what stood between them becomes blank lines."""
    texts = dict(lines)
    return "".join(f"{texts.get(number, '')}\n" for number in range(1, max(texts, default=0) + 1))
