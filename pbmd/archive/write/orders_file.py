"""The letters of a step as an orders file, so that `pbmd adjudicate` can resolve the step again."""

import json
from collections.abc import Container, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from pbmd.ledger.entries.kinds import KINDS
from pbmd.ledger.tables import JournalEntry, SubmissionState
from pbmd.rules import Sheet
from pbmd.terms.times import EPOCH

_NOT_BEGUN = -1
_REFUSED, _GRANTED, _FILED = (
    state.value for state in (SubmissionState.REFUSED, SubmissionState.GRANTED, SubmissionState.FILED)
)
_KINDS = ("started", "imported", "orders", "cancelled", "missed", "resigned", "resolved", "rolled-back")

Row = tuple[int, str, datetime, Mapping[str, Any], Mapping[str, Any]]
"""An entry of the journal: number, kind, time, public part, secret part."""


@dataclass(frozen=True, slots=True)
class Mailed:
    """A letter with orders that the rules got to see."""

    seat: str
    arrival: tuple[int, int]
    lines: Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Missed:
    """Some seat's deadline passed."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat was given up."""

    seat: str
    at: datetime


Given = Mailed | Missed | Resigned


def orders_of_steps(session: Session, game_id: int, last_entry: int) -> Generator[tuple[int, list[Given]]]:
    """The number of each resolved step and what the rules got in it, in the order of the journal, requests that were granted
    last. Late, cancelled and misdirected orders are left out."""
    entries = select(JournalEntry).where(
        JournalEntry.game_id == game_id, JournalEntry.number <= last_entry, col(JournalEntry.kind).in_(_KINDS)
    )
    in_order = entries.order_by(col(JournalEntry.number)).execution_options(yield_per=200)

    def rows() -> Iterator[Row]:
        with session.exec(in_order) as found:
            for entry in found:
                yield entry.number, entry.kind, entry.at, json.loads(entry.public), json.loads(entry.secret or "{}")

    return given_in_steps(rows(), orders_seen(rows()))


def given_in_steps(rows: Iterable[Row], seen: Container[int]) -> Generator[tuple[int, list[Given]]]:
    """The same from the entries of a journal; `seen` are the numbers of the orders that the rules got to see."""
    running = _NOT_BEGUN
    step: list[Given] = []
    gone: set[str] = set()
    for entry, kind, at, public, secret in rows:
        if kind not in _KINDS:
            continue
        if kind == "resolved":
            yield running, [*step, *_kept(secret.get("meanwhile", ()))]
        if KINDS[kind].opens_step:
            running = {"resolved": running + 1, "rolled-back": public.get("step", 0)}.get(kind, 0)
            step, gone = [], set()
        elif kind == "cancelled":
            continue
        elif kind == "resigned":
            step.append(Resigned(public["seat"], at))
        elif kind == "missed":
            step.append(Missed(at))
            gone.add(secret["seat"])
        # Orders may be late for a step that is over. What was refused because the deadline had been missed would be taken
        # where no deadline is marked.
        elif entry in seen and public["step"] == running and not (secret["seat"] in gone and secret["state"] == _REFUSED):
            step.append(_mailed(secret))


def orders_seen(rows: Iterable[Row]) -> frozenset[int]:
    """The numbers of the entries with orders that reached the rules and were not taken back."""
    seen: set[int] = set()
    filed: dict[str, list[int]] = {}
    for number, kind, _at, _public, secret in rows:
        if kind == "orders" and not secret.get("unseen"):
            seen.add(number)
            if secret["state"] == _FILED:
                filed.setdefault(secret["seat"], []).append(number)
        elif kind == "cancelled":
            seen -= set(filed.pop(secret["seat"], ()))
        elif kind in ("resolved", "rolled-back"):
            filed = {}
    return frozenset(seen)


def _kept(entries: Iterable[Mapping[str, Any]]) -> list[Given]:
    """What was kept for the journal until the step was over and that the rules took: requests, and of the moves that were
    sent ahead the last of each seat, unless it was taken back."""
    requests = [_mailed(entry) for entry in entries if entry.get("state", _GRANTED) == _GRANTED and "lines" in entry]
    moves: dict[str, Mailed] = {}
    for entry in entries:
        if "cancelled" in entry:
            moves.pop(entry["seat"], None)
        elif entry.get("state") == _FILED:
            moves[entry["seat"]] = _mailed(entry)
    return [*requests, *moves.values()]


def orders_document(entries: Iterable[Given], *, marks_deadlines: bool, without: Sequence[Sheet] = ()) -> dict[str, Any]:
    """The entries of an orders file, in order of arrival, without the letters of the sheets that the position has already.
    Simultaneous rulesets need no mark where a deadline passed."""
    there = {(sheet.seat, sheet.arrival) for sheet in without}
    written: list[tuple[tuple[int, int], dict[str, Any]]] = []
    latest = 0
    for entry in entries:
        if isinstance(entry, Mailed):
            if (entry.seat, entry.arrival) in there:
                continue
            latest = max(latest, entry.arrival[0])
            text = {"player": entry.seat, "received": _time(entry.arrival[0]), "text": _text(entry.lines)}
            written.append((entry.arrival, text))
        elif isinstance(entry, Resigned):
            latest = max(latest, _microseconds(entry.at))
            written.append(((latest, 1 << 61), {"player": entry.seat, "received": _time(latest), "resigns": True}))
        elif marks_deadlines and not (written and "deadline" in written[-1][1]):
            # Never before a letter that had been dealt with by then, whatever the clock of its server said.
            latest = max(latest, _microseconds(entry.at))
            written.append(((latest, 1 << 62), {"deadline": True, "received": _time(latest)}))
    return {"orders": [entry for _, entry in sorted(written, key=lambda item: item[0])]}


def _mailed(secret: Mapping[str, Any]) -> Mailed:
    microseconds, uid = secret["arrival"]
    return Mailed(secret["seat"], (microseconds, uid), [(number, text) for number, text in secret["lines"]])


def _microseconds(at: datetime) -> int:
    return (at - EPOCH) // timedelta(microseconds=1)


def _time(microseconds: int) -> datetime:
    return EPOCH + timedelta(microseconds=microseconds)


def _text(lines: Sequence[tuple[int, str]]) -> str:
    """The lines where they stood in the letter: what stood between them becomes blank lines."""
    texts = dict(lines)
    return "".join(f"{texts.get(number, '')}\n" for number in range(1, max(texts, default=0) + 1))
