"""What a journal says of its game at a glance: which steps there were, and which were rolled back."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from pbmd.archive.format.entries import Entry
from pbmd.archive.format.plan import folders_of
from pbmd.ledger.entries import kinds
from pbmd.ledger.entries.codec import Document, MalformedEntry
from pbmd.ledger.entries.codec import Entry as Content
from pbmd.ledger.entries.parts import ConfidentialEvent, Orders, WithdrawnMove
from pbmd.ledger.entries.step_entries import kept_back_in
from pbmd.ledger.tables import StepRecord
from pbmd.rules import Event, Outcome, Sheet
from pbmd.set_up import SetUp


class StoryError(ValueError):
    """What the journal says cannot have happened like this; `entry` is the number of the entry, `turn` the turn."""

    def __init__(self, entry: int, turn: int, problem: str) -> None:
        super().__init__(problem)
        self.entry = entry
        self.turn = turn


class SeatsClaim(NamedTuple):
    """How the seats were given when the game began, as it came out again, and as the journal has it: in the entry of that
    number. Either is None if they were not given, but asked for."""

    entry: int
    expected: Document | None
    found: Document | None


@dataclass(frozen=True)
class Stage:
    """A resolved step as it came out again; or the beginning, whose `record` is None and `setup` is not.

    `begins` is the position document before the step without its orders, `ahead` are sheets that it used and that were on file
    before. `events` are those of the step, `told` those in its report, None if a later step is reported together with it.
    `outcome` is the game's. `refused_then` are seats of which another edition refused a letter as a whole: what its words for
    that were is not known.
    """

    entry: Entry
    step: int
    turn: int
    position: Any
    begins: Document
    ahead: tuple[Sheet, ...] = ()
    record: StepRecord | None = None
    setup: SetUp | None = None
    told: tuple[Event, ...] | None = ()
    events: tuple[Event, ...] = ()
    outcome: Outcome | None = None
    next_commitment: str = ""
    seats: SeatsClaim | None = None
    refused_then: frozenset[str] = frozenset()


class HeldBack(NamedTuple):
    """What happened after an entry, and the number of the entry that holds it; 0 if nothing came of it."""

    receipt: int
    item: Orders | WithdrawnMove


@dataclass
class Outline:
    """What must be known of a journal before the game is played again: `kept` is what happened after an entry and is only
    recorded in a later one; `branches` are steps that were rolled back, with the entry that did it; `together` are the steps
    that are reported with the one after them; `parents` the entries that rollbacks go back to; `letters` is the last entry with
    orders for each step."""

    kept: dict[int, list[HeldBack]] = field(default_factory=dict[int, list[HeldBack]])
    branches: dict[int, int] = field(default_factory=dict[int, int])
    together: set[int] = field(default_factory=set[int])
    parents: set[int] = field(default_factory=set[int])
    seats: dict[int, str] = field(default_factory=dict[int, str])
    turns: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    letters: dict[int, int] = field(default_factory=dict[int, int])

    _begun: bool = False
    _last: tuple[int, str] | None = None
    """The number and the secret of the last step, which show which were reported together."""

    @property
    def folders(self) -> dict[int, str]:
        """Where each resolved step is below ``turns/``, by its number."""
        return folders_of((step, turn, self.branches.get(step, 0)) for step, turn in sorted(self.turns))

    def take(self, entry: Entry) -> None:
        """The next entry. Raises `MalformedEntry`."""
        if entry.kind not in _TELLING:
            return
        # Everything else that is sealed is only looked at when the game is played that far.
        content = (entry if entry.kind in _HOLD_BACK else replace(entry, secret=None)).content
        if content is None and entry.kind != kinds.FinishedEntry.kind:
            raise MalformedEntry("it is withheld")
        match content:
            case kinds.JoinedEntry():
                self.seats[content.number] = content.seat
            case kinds.OrdersEntry():
                self.letters[content.step] = entry.number
            case kinds.ResignedEntry() if not self._begun:
                self.seats = {number: seat for number, seat in self.seats.items() if seat != content.seat}
            case kinds.StartedEntry() | kinds.ImportedEntry():
                self._begun = True
            case kinds.ResolvedEntry():
                self._resolve(content)
                self._hold(entry.number, content)
            case kinds.RolledBackEntry():
                self.branches |= dict.fromkeys(content.taken_back, entry.number)
                self.parents.add(content.parent.number)
                self._last = None
                self._hold(entry.number, content)
            case kinds.FinishedEntry():
                self._hold(0 if content.abandoned else entry.number, content)
            case _:
                pass

    def _resolve(self, content: kinds.ResolvedEntry) -> None:
        if self._last and self._last[1] == content.secret:
            self.together.add(self._last[0])
        self._last = content.step, content.secret
        self.turns.append((content.step, content.turn))

    def _hold(self, receipt: int, content: Content) -> None:
        for item in kept_back_in(content):
            if isinstance(item, ConfidentialEvent):
                continue
            if item.after is None:
                raise MalformedEntry("meanwhile: after which entry it was")
            self.kept.setdefault(item.after, []).append(HeldBack(receipt, item))


def outline(entries: Iterable[Entry]) -> Outline:
    """Look over a whole journal. Raises `StoryError` if it cannot be a journal of pbmd."""
    found = Outline()
    for entry in entries:
        try:
            found.take(entry)
        except MalformedEntry as problem:
            raise StoryError(entry.number, 0, f"the entry ({entry.kind}) has not what such an entry has: {problem}") from None
    return found


_HOLD_BACK = frozenset({"resolved", "rolled-back", "finished"})
_TELLING = _HOLD_BACK | {"joined", "orders", "resigned", "started", "imported"}
"""The others are not read."""
