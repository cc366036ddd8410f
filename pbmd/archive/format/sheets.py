"""``sheets.json``: every letter with orders for a step, as it was understood, and what became of it.

The desk records this as it happens (`pbmd.desk.player.orders.filing`, `pbmd.desk.step.resolve`); here it is derived again,
from the journal and from what the rules say when the game is played again.
"""

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pbmd.archive.format.documents import SheetDocument, VerdictDocument
from pbmd.ledger.entries.parts import Orders
from pbmd.ledger.journal import written_time
from pbmd.ledger.tables import SubmissionState
from pbmd.rules import Sheet, Verdict
from pbmd.rules.sheets import digest
from pbmd.terms.times import EPOCH

_FILED, _USED, _REPLACED = SubmissionState.FILED, SubmissionState.USED, SubmissionState.REPLACED
_CANCELLED, _ROLLED_BACK = SubmissionState.CANCELLED, SubmissionState.ROLLED_BACK


@dataclass(frozen=True, slots=True)
class FiledLetter:
    """A letter with orders. `verdicts` are line, status, text and message; `head` and `word` come from the order form that the
    letter quotes, empty if there is none."""

    seat: str
    arrived_at: datetime
    receipt: int
    digest: str
    state: str
    lines: Sequence[str]
    verdicts: Iterable[Sequence[Any]]
    head: str = ""
    word: str = ""

    @property
    def document(self) -> SheetDocument:
        """As sheets.json has it."""
        verdicts = [
            VerdictDocument(line=line, status=status, text=text, message=message)
            for line, status, text, message in self.verdicts
        ]
        document: SheetDocument = {
            "seat": self.seat,
            "arrived_at": written_time(self.arrived_at),
            "receipt": self.receipt,
            "digest": self.digest,
            "head": self.head,
            "word": self.word,
            "state": self.state,
            "lines": list(self.lines),
            "verdicts": verdicts,
        }
        if not self.head:
            del document["head"]
        if not self.word:
            del document["word"]
        return document


def moment(arrival: Sequence[int]) -> datetime:
    """The time of an arrival in the journal's notation."""
    return EPOCH + timedelta(microseconds=arrival[0])


@dataclass
class _Letter:
    """A letter. `document` is JSON, as sheets.json has it except for the state: it needs much less memory than the objects."""

    seat: str
    step: int
    state: str
    place: tuple[int, ...]
    receipt: int
    document: str


@dataclass
class Letters:
    """The letters of a game that is played again. `last` is the last entry of the journal with orders for each step, since some
    come when the step is over. Moves that wait, and letters that no entry holds (receipt 0), are not in sheets.json."""

    last: Mapping[int, int]
    running: int = 0
    _open: dict[int, list[_Letter]] = field(default_factory=dict[int, list[_Letter]])

    def came(self, sent: Orders, step: int, receipt: int, sheet: Sheet | None = None, verdicts: Iterable[Verdict] = ()) -> None:
        """The next letter: what the journal has of it, for which step it counts, the entry that holds it, and what the rules
        made of it."""
        seat, arrival = sent.seat, sent.arrival
        said = [(verdict.line, verdict.status.value, verdict.text, verdict.message) for verdict in verdicts]
        shown = digest([sheet]).hex() if sheet else ""
        brought = sent.head or "", sent.word or ""
        lines = sheet.lines if sheet else ()
        document = FiledLetter(seat, moment(arrival), receipt, shown, "", lines, said, *brought).document
        letter = _Letter(seat, step, sent.state, arrival, receipt, json.dumps(document))
        self._open.setdefault(step, []).append(letter)

    def cancelled(self, seat: str) -> None:
        """A seat has cancelled what was on file."""
        for letter in self._filed():
            if letter.seat == seat:
                letter.state = _CANCELLED

    def resolved(self, step: int, used: Container[str], on_file: Container[str] = ()) -> None:
        """A step is over: what becomes of the orders on file, except those of the seats in `on_file`, whose moves still wait.
        Of each seat the last were used; a move that was not used was struck off by the rules."""
        last: dict[str, _Letter] = {}
        for letter in self._filed():
            if letter.seat not in on_file:
                letter.state = _REPLACED if letter.seat in used else _CANCELLED
                last[letter.seat] = letter
        for seat, letter in last.items():
            if seat in used:
                letter.state = _USED
        self._open.setdefault(step, [])
        self.running = step + 1

    def rolled_back(self, step: int) -> None:
        """The game goes on with this step; what was on file counts for the step that was open."""
        for letter in self._filed():
            self._open[letter.step].remove(letter)
            letter.state, letter.step = _ROLLED_BACK, self.running
            self._open.setdefault(self.running, []).append(letter)
        self.running = step

    def finished(self) -> None:
        """The game is over: moves that wait will never be made."""
        for letter in self._filed():
            letter.state = _CANCELLED

    def settled(self, entry: int | None = None) -> Iterator[tuple[int, list[SheetDocument]]]:
        """Each step whose letters cannot change any more after this entry (None: the last one), with its sheets.json; it is
        forgotten then. The last call also gives those on file for a step that was never resolved."""
        for step in sorted(self._open):
            letters = self._open[step]
            waits = any(letter.state == _FILED for letter in letters)
            if entry is None or (step < self.running and not waits and self.last.get(step, 0) <= entry):
                del self._open[step]
                told = [letter for letter in letters if letter.receipt and (letter.state != _FILED or entry is None)]
                in_order = sorted(told, key=lambda letter: letter.place)
                yield step, [json.loads(letter.document) | {"state": letter.state} for letter in in_order]

    def _filed(self) -> list[_Letter]:
        in_order = (letter for step in sorted(self._open) for letter in self._open[step])
        return [letter for letter in in_order if letter.state == _FILED]
