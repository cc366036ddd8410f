"""What a journal tells of its game at a glance: which steps there were, and which were rolled back."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbmd.archive.format.entries import Entry
from pbmd.archive.format.plan import START
from pbmd.ledger.tables import StepRecord
from pbmd.rules import Event, Outcome, Sheet
from pbmd.set_up import SetUp


class StoryError(ValueError):
    """What the journal tells cannot have happened like this; `entry` is the number of the entry, `turn` the turn."""

    def __init__(self, entry: int, turn: int, problem: str) -> None:
        super().__init__(problem)
        self.entry = entry
        self.turn = turn


@dataclass(frozen=True)
class Stage:
    """A resolved step as it came out again, or the beginning, then `record` is None and `setup` is not.

    `begins` is the position document before the step without its orders, `ahead` are sheets that it used and that were on file
    before. `events` are those of the step, `told` those of which its report tells, None if a later step is reported together
    with it. `outcome` is the game's.
    """

    entry: Entry
    step: int
    turn: int
    position: Any
    begins: Mapping[str, Any]
    ahead: tuple[Sheet, ...] = ()
    record: StepRecord | None = None
    setup: SetUp | None = None
    told: tuple[Event, ...] | None = ()
    events: tuple[Event, ...] = ()
    outcome: Outcome | None = None
    next_commitment: str = ""


@dataclass
class Outline:
    """What must be known of a journal before the game is played again: `kept` is what happened after an entry and stands only
    in a later one; `branches` are steps that were rolled back, with the entry that did it; `together` are the steps that are
    reported with the one after them; `parents` the entries that rollbacks go back to; `letters` is the last entry with
    orders for each step. What is kept has the number of the entry that holds it as its `receipt`, 0 if it came to nothing."""

    kept: dict[int, list[Mapping[str, Any]]] = field(default_factory=dict[int, list[Mapping[str, Any]]])
    branches: dict[int, int] = field(default_factory=dict[int, int])
    together: set[int] = field(default_factory=set[int])
    parents: set[int] = field(default_factory=set[int])
    seats: dict[int, str] = field(default_factory=dict[int, str])
    turns: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    letters: dict[int, int] = field(default_factory=dict[int, int])

    @property
    def folders(self) -> dict[int, str]:
        """Where each resolved step stands below ``turns/``, by its number."""
        seen = {(0, 0): 1}
        places = {START: "000"}
        for step, turn in sorted(self.turns):
            branch = self.branches.get(step, 0)
            count = seen[branch, turn] = seen.get((branch, turn), 0) + 1
            where = f"rolled-back/{branch}/" if branch else ""
            places[step] = f"{where}{turn:03d}" + (f".{count}" if count > 1 else "")
        return places


def outline(entries: Iterable[Entry]) -> Outline:
    """Look over a whole journal. Raises `StoryError` for one that is not made like a journal."""
    look = _Look()
    for entry in entries:
        try:
            look.take(entry)
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            raise StoryError(entry.number, 0, f"the entry ({entry.kind}) has not what such an entry has: {problem}") from None
    return look.found


class _Look:
    """The outline as far as the entries have come; the number and the secret of the last step tell which were reported
    together."""

    def __init__(self) -> None:
        self.found = Outline()
        self._begun = False
        self._last: tuple[int, str] | None = None

    def take(self, entry: Entry) -> None:
        """The next entry."""
        public = entry.public or {}
        if entry.kind == "joined":
            self.found.seats[int(public["number"])] = str(public["seat"])
        elif entry.kind == "orders":
            self.found.letters[int(public["step"])] = entry.number
        elif entry.kind == "resigned" and not self._begun:
            self.found.seats = {number: seat for number, seat in self.found.seats.items() if seat != public["seat"]}
        elif entry.kind in ("started", "imported"):
            self._begun = True
        elif entry.kind == "resolved":
            self._resolve(public)
        elif entry.kind == "rolled-back":
            self._roll_back(public, entry.number)
        self._keep(entry)

    def _resolve(self, public: Mapping[str, Any]) -> None:
        if self._last and self._last[1] == public["secret"]:
            self.found.together.add(self._last[0])
        self._last = int(public["step"]), str(public["secret"])
        self.found.turns.append((int(public["step"]), int(public["turn"])))

    def _roll_back(self, public: Mapping[str, Any], number: int) -> None:
        self.found.branches |= {int(step): number for step in public["taken_back"]}
        self.found.parents.add(int(public["parent"]["number"]))
        self._last = None

    def _keep(self, entry: Entry) -> None:
        public, secret = entry.public or {}, entry.secret or {}
        receipt = 0 if public.get("abandoned") or entry.public is None else entry.number
        for kept in secret.get("meanwhile", ()):
            if "told" not in kept:
                self.found.kept.setdefault(int(kept["after"]), []).append({**kept, "receipt": receipt})
