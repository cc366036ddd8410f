"""The clock of a game according to its journal: which deadlines run, since when, and from when on somebody could do nothing any
more.

It works as the desk does (`pbmd.desk.books.deadlines`, `pbmd.desk.deadlines.awaiting`), but from the entries alone and the
position that the rules make from them: an archive has no ledger, and what the ledger says now was never promised to anybody.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import Any

from pydantic import ValidationError

from pbmd.archive.format.sheets import moment
from pbmd.ledger.entries.step_entries import CreatedEntry
from pbmd.rules import Ruleset
from pbmd.terms.quiet_days import allowed
from pbmd.terms.terms import BY_RULES, Terms
from pbmd.terms.times import EPOCH, EndedStep, calendar_of, following_deadline, next_deadline, parse_duration, resumed_deadline


@dataclass
class Clock:
    """The times of the step that runs, going by the entries so far.

    `deadline` is the game's, None until an entry gives one; `own` are those of single seats; `settled` is since when the orders
    of a seat have been on file, or nothing has been waited for. `missed`, `waits` (WAIT) and `gone` (given up) are names of
    seats; those in `held` wait only until they have sent orders again. Those in `asleep` are not waited for, since the step
    that they missed last; `attended` has the steps in which a seat's holder had a part, and whether they met them. `closed` is
    when the game master closed the step, `paused` since when the game has been paused.
    """

    terms: Terms
    seats: tuple[str, ...] = ()
    step: int = 0
    opened: datetime = EPOCH
    deadline: datetime | None = None
    own: Mapping[str, datetime] = field(default_factory=dict[str, datetime])
    settled: dict[str, datetime] = field(default_factory=dict[str, datetime])
    missed: set[str] = field(default_factory=set[str])
    ever_missed: set[str] = field(default_factory=set[str])
    waits: set[str] = field(default_factory=set[str])
    held: dict[str, datetime] = field(default_factory=dict[str, datetime])
    gone: set[str] = field(default_factory=set[str])
    asleep: dict[str, int] = field(default_factory=dict[str, int])
    attended: dict[str, list[tuple[int, bool]]] = field(default_factory=dict[str, list[tuple[int, bool]]])
    closed: datetime | None = None
    paused: datetime | None = None

    def open(self, step: int, at: datetime, deadline: datetime | None, *, goes_on: bool = False) -> None:
        """A step begins. `goes_on`: in a sequential game the time of those who are to move keeps running."""
        self.step, self.deadline, self.closed = step, deadline, None
        self.settled, self.missed, self.waits, self.held = {}, set(), set(), {}
        if not goes_on:
            self.opened, self.own = at, {}

    def wait(self, seat: str, *, until_orders_since: datetime | None) -> None:
        """A seat does not want the step to end early, or not before it has sent orders; once somebody has said WAIT, that
        stands."""
        if until_orders_since is None:
            self.held.pop(seat, None)
        elif seat not in self.waits or seat in self.held:
            self.held[seat] = until_orders_since
        self.waits.add(seat)

    def wait_no_more(self, seat: str) -> None:
        """As far as this seat is concerned the step may end early."""
        self.waits.discard(seat)
        self.held.pop(seat, None)

    def file(self, seat: str, at: datetime, arrived: datetime) -> None:
        """Orders of a seat are on file, which `arrived` before."""
        self.settled[seat] = at
        if seat in self.held and arrived >= self.held[seat]:
            self.wait_no_more(seat)

    def miss(self, seat: str, at: datetime) -> None:
        """A seat has missed this step."""
        self.missed.add(seat)
        self.ever_missed.add(seat)
        self.settled[seat] = at

    def give_up(self, seat: str, at: datetime, *, is_known: bool) -> None:
        """A seat was given up; `is_known`: by the rules nothing is waited for any more."""
        self.gone.add(seat)
        self.asleep.pop(seat, None)
        if is_known and self.seats:
            self.settled.setdefault(seat, at)

    def take_over(self, seat: str) -> None:
        """A seat has another holder."""
        self.gone.discard(seat)
        self.asleep.pop(seat, None)
        self.attended.pop(seat, None)
        self.wait_no_more(seat)

    @property
    def unawaited(self) -> set[str]:
        """The seats for which nobody waits: they are given up, or asleep."""
        return self.gone | self.asleep.keys()

    def attend(self, met: Collection[str]) -> None:
        """The step is resolved with orders of these seats."""
        for seat in self.missed - self.unawaited:
            self.attended.setdefault(seat, []).append((self.step, False))
        for seat in set(met) - self.missed:
            self.attended.setdefault(seat, []).append((self.step, True))

    def has_missed_too_much(self, seat: str) -> bool:
        """Whether a seat may be asleep by the terms. Absences, and what the game master did not wait for, are none of the
        misses that count, which only the host knows: so it may have missed more than was counted, and never less."""
        steps = [met for _, met in self.attended.get(seat, [])]
        in_a_row = len([*takewhile(lambda met: not met, reversed(steps))])
        return 0 < self.terms.missed_in_a_row <= in_a_row or 0 < self.terms.missed_in_all <= steps.count(False)

    def take_back(self, steps: Collection[int]) -> None:
        """These steps never were."""
        self.asleep = {seat: step for seat, step in self.asleep.items() if step not in steps}
        self.attended = {seat: [each for each in told if each[0] not in steps] for seat, told in self.attended.items()}

    def resume(self, at: datetime) -> timedelta:
        """The game resumes; of what was settled during the pause, only the rest counts. Returns how long the clock stood."""
        stood = timedelta(0) if self.paused is None else max(at - self.paused, timedelta(0))
        if self.paused is not None:
            self.settled = {seat: min(since + stood, at) for seat, since in self.settled.items()}
        self.paused = None
        return stood

    def own_deadline(self, seat: str) -> datetime | None:
        """The deadline of a seat without any waiting for others."""
        return self.own.get(seat, self.deadline)

    def closing(self, rules: Ruleset[Any], position: Any, seat: str) -> datetime | None:
        """The last instant at which orders of a seat count; None if there is no limit yet."""
        deadline = self._deadline_of(rules, position, seat)
        return self._or_closed(None if deadline is None else deadline + self.terms.grace_time)

    def over(self, rules: Ruleset[Any], position: Any) -> datetime | None:
        """The instant before which a step of a game in which all send at once cannot be over, if nobody is awaited any more and
        the game master has not closed it."""
        names = {*rules.awaiting(position), *(sheet.seat for sheet in rules.sheets(position))} - self.unawaited
        closings = [instant for seat in names if (instant := self.closing(rules, position, seat))]
        own = self._or_closed(self.deadline and self.deadline + self.terms.grace_time)
        last = max(closings, default=own)
        terms = self.terms.of_phase(rules.phase(position))
        if not terms.early or not names or names & self.waits:
            return last
        early = self._early(rules, position, terms)
        return min(early, last) if last else early

    def is_late(self, rules: Ruleset[Any], position: Any, seat: str, arrived: datetime) -> bool:
        """Whether what arrived then comes too late for this step. While the game is paused nothing becomes late."""
        if rules.sequential and seat not in rules.awaiting(position):
            return False
        limit = self.closing(rules, position, seat)
        return limit is not None and arrived > limit and (self.paused is None or limit < self.paused)

    def promised(
        self, rule: str, at: datetime, last: datetime | None, *, resumed: EndedStep | None = None, is_ours: bool = True
    ) -> datetime:
        """What the terms promise as the deadline of a step that opens at `at` and goes by a rule, after one with the deadline
        `last` (None: after none); `resumed`: after steps with another rule, before which this one went by the same. Editions
        before this one (not `is_ours`) went on from the last deadline, used or not. Raises `TimeError`."""
        if not is_ours:
            return allowed(self.terms, next_deadline(rule, max(at, last) if last and calendar_of(rule) else at))
        share = self.terms.promised_share
        due = resumed_deadline(rule, at, resumed, share) if resumed else following_deadline(rule, at, last, share)
        return allowed(self.terms, due)

    @property
    def is_calendar(self) -> bool:
        """Whether deadlines go by days and hours of a time zone."""
        return any(rule != BY_RULES and calendar_of(rule) for rule in self.rules_of(("", *self.terms.phases)))

    def rules_of(self, phases: Collection[str]) -> set[str]:
        """The deadline rules of phases of these kinds."""
        return {self.terms.of_phase(kind).deadline for kind in phases or ("",)}

    def change(self, terms: Mapping[str, object]) -> None:
        """Some of the terms change from now on. Raises `ValueError` for what cannot be terms."""
        self.terms = Terms.model_validate(self.terms.model_dump() | dict(terms))

    def _deadline_of(self, rules: Ruleset[Any], position: Any, seat: str) -> datetime | None:
        own = self.own_deadline(seat)
        waits = [wait for wait in rules.waits(position) if wait.seat == seat] if rules.waits else []
        awaited = set(rules.awaiting(position)) - self.missed if waits else set[str]()
        if own is None or any(wait.on in awaited for wait in waits):
            return None
        since = [(wait.hours, self.settled[wait.on]) for wait in waits if wait.on in self.settled]
        return max((own, *(allowed(self.terms, at + timedelta(hours=hours)) for hours, at in since)))

    def _or_closed(self, instant: datetime | None) -> datetime | None:
        return min(instant, self.closed) if instant and self.closed else instant or self.closed

    def _early(self, rules: Ruleset[Any], position: Any, terms: Terms) -> datetime:
        arrivals: Iterable[int] = (sheet.arrival[0] for sheet in rules.sheets(position))
        # Not from `opened` on: what ended the step before may have happened long before pbmd came to it.
        return early_end(terms, self.opened, moment((max(arrivals, default=0),)))


def early_end(terms: Terms, opened: datetime, last_letter: datetime) -> datetime:
    """When a step is over in which all have sent their orders, the last of them with this letter."""
    instant, minimum = last_letter + terms.second_thought_time, parse_duration(terms.minimum_time)
    return max(instant, opened + minimum) if minimum else instant


def terms_of(created: CreatedEntry) -> Terms | None:
    """The terms with which a game began; None if they are none that this pbmd knows."""
    try:
        return Terms.model_validate(dict(created.terms))
    except ValidationError:
        return None


def moment_of(written: object) -> datetime | None:
    """A deadline as written in an entry; None for an empty text. Raises `ValueError` and `TypeError`."""
    if written == "":
        return None
    if not isinstance(written, str):
        raise TypeError("a deadline is no text")
    at = datetime.fromisoformat(written)
    if at.tzinfo is None:
        raise ValueError("a deadline has no time zone")
    return at.astimezone(UTC)
