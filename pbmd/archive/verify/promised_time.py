"""Whether the players of a game were given the time that they were promised.

The entry that opens a step gives its deadline, and so does each one that moves it. So when a game is played again from its
journal it is known at each entry which deadlines run (`pbmd.archive.format.clock`). This checks the first deadline of a step,
by the terms of the game; each change, of which only the game master's word may take time away; and everything that depends on a
deadline (`pbmd.archive.verify.event_times`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

from pbmd.archive.format.clock import Clock, moment_of, terms_of
from pbmd.archive.format.editions import is_ours
from pbmd.archive.format.entries import Entry
from pbmd.archive.format.findings import Findings
from pbmd.archive.verify import event_times, given_time
from pbmd.archive.verify.event_times import Moving, Opening, TimedEntry, time_words
from pbmd.archive.verify.seat_times import OF_SEATS, take_seat_entry
from pbmd.ledger.entries import kinds
from pbmd.ledger.entries.codec import Entry as Content
from pbmd.ledger.entries.parts import Orders, WithdrawnMove
from pbmd.rendering.entry_notices import OF_DEFECT
from pbmd.rules import Ruleset
from pbmd.rules.sheets import to_be_used
from pbmd.terms.terms import BY_RULES, QUIET
from pbmd.terms.times import EPOCH, EndedStep

_NONE = timedelta(0)


class _Unsaid(ValueError):
    """An entry does not give the deadline that it makes."""


class _Past(NamedTuple):
    """A step that was resolved; `phase` is of which kind it was, None if that is not known."""

    step: int
    phase: str | None
    ended: EndedStep


_UNKNOWN = _Past(-1, None, EndedStep(EPOCH, EPOCH))
"""Steps of which nobody can tell when they ended: it is taken that it was long ago."""


@dataclass
class Timing:
    """Gets each entry `before` it takes effect and `after`, with the position before and after it; None where the game is not
    `played` again, or has not begun.

    `clock` is None until the terms are known, its deadline None as long as nobody can tell it, and `why` says why: before the
    first entry that gives one (`unsaid` counts such steps, from a pbmd that did not record them), where an entry is `withheld`,
    or because one makes no sense. `is_ours`: this edition opened the step. `past` are the steps before it, `phase` is the kind
    of the last one. `letters` are the entries that letters made, with their times, and `taken` the minutes that each seat took
    by itself.
    """

    findings: Findings
    ruleset: Ruleset[Any]
    played: bool
    clock: Clock | None = None
    last: datetime | None = None
    awaited: frozenset[str] = frozenset()
    past: list[_Past] = field(default_factory=list[_Past])
    letters: list[tuple[int, datetime]] = field(default_factory=list[tuple[int, datetime]])
    taken: dict[str, int] = field(default_factory=dict[str, int])
    phase: str | None = None
    says: bool = False
    is_ours: bool = True
    why: Literal["unsaid", "withheld", "senseless"] = "unsaid"
    checked: int = 0
    unsaid: int = 0
    withheld: int = 0

    def before(self, entry: Entry, position: Any = None) -> None:
        """An entry comes; the position is the one before it."""
        if entry.kind in given_time.OF_LETTERS:
            self.letters.append((entry.number, entry.at))
        if entry.public is not None and self.clock is not None:
            self._carefully(entry, lambda: self._check(entry, position))

    def after(self, entry: Entry, position: Any = None) -> None:
        """The entry has taken effect; the position is the one after it."""
        deed, clock = _DEEDS.get(entry.kind), self.clock
        if entry.public is None:
            if entry.kind in _DEEDS:
                self._forget("withheld")
        elif entry.kind == kinds.CreatedEntry.kind:
            self._carefully(entry, lambda: self._create(entry.content))
        elif deed is not None and clock is not None:
            self._carefully(entry, lambda: deed(self, clock, TimedEntry(entry, entry.content, position)))
        elif entry.kind in OF_SEATS and clock is not None:
            self._carefully(entry, lambda: take_seat_entry(clock, self.ruleset, entry, is_ours=self.is_ours))

    def kept(self, entry: Entry, kept: Orders | WithdrawnMove, position: Any) -> None:
        """What followed an entry, and has none of its own."""
        clock = self.clock
        if isinstance(kept, Orders) and clock is not None and clock.deadline is not None:
            told = TimedEntry(entry, None, position)
            self._carefully(
                entry, lambda: self.blame(entry, event_times.letter_untimely(clock, self.ruleset, told, kept, kept=True))
            )

    def say(self) -> None:
        """Report what was checked, and what could not be."""
        findings = self.findings
        if self.checked:
            findings.checked["deadlines of steps"] = self.checked
        if self.clock is None:
            findings.unchecked.append(
                "Deadlines were not checked: the terms of the game are withheld, or none that this pbmd knows."
            )
        for count, why in (
            (self.unsaid, "the journal does not say them; the pbmd that wrote it was an older one"),
            (self.withheld, "entries that say them are withheld"),
        ):
            if count:
                findings.unchecked.append(f"The deadlines of {count} step{'s' * (count > 1)} were not checked: {why}.")
        if self.checked and not self.played:
            findings.unchecked.append(
                "Of time only the deadlines of the game as a whole were checked, since not all sealed parts of the journal are "
                "shown: not those that seats have of their own, nor whose orders were late or missing."
            )

    def _carefully(self, entry: Entry, do: Callable[[], None]) -> None:
        """An archive may be anybody's, and its entries say anything."""
        what = f"entry {entry.number} ({entry.kind[:20]})"
        try:
            do()
        except _Unsaid:
            self._forget("senseless")
            self.findings.blame(entry, f"{what} does not say the deadline that it makes")
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as trouble:
            self._forget("senseless")
            told = f"{type(trouble).__name__}: {trouble}"[:200]
            self.findings.blame(entry, f"what {what} says of time makes no sense: {told}")

    def blame(self, entry: Entry, problems: Iterable[str]) -> None:
        """Report what is wrong with an entry, one after the other, until something about it makes no sense."""
        for problem in problems:
            self.findings.blame(entry, problem)

    def _forget(self, why: Literal["withheld", "senseless"]) -> None:
        """The deadline is unknown until the next step opens."""
        self.why = why
        self.past.append(_UNKNOWN)
        if self.clock is not None:
            self.clock.deadline = None

    def _create(self, content: Content | None) -> None:
        assert isinstance(content, kinds.CreatedEntry)
        terms = terms_of(content)
        self.clock = None if terms is None else Clock(terms)  # `say` reports it

    def _check(self, entry: Entry, position: Any) -> None:
        """Check what depends on a deadline."""
        clock, rules = self.clock, self.ruleset
        assert clock is not None
        known = clock.deadline is not None
        if entry.kind == kinds.ResolvedEntry.kind:
            self.awaited = frozenset(() if position is None else rules.awaiting(position))
            self.phase = None if position is None else rules.phase(position)
            self.checked += known
            self.withheld += not known and self.why == "withheld"
            self.unsaid += not known and self.why == "unsaid"
            self._attend(clock, position)
        if not known or entry.kind not in _RESTING:
            return
        told: TimedEntry[Any] = TimedEntry(entry, entry.content, position)
        match told.content:
            case kinds.ResolvedEntry():
                self.blame(entry, event_times.resolved_untimely(clock, rules, told))
            case kinds.MissedEntry():
                self.blame(entry, event_times.missed_untimely(clock, rules, told))
            case kinds.OrdersEntry(sealed=Orders() as sent) if event_times.is_for_this_step(clock, told, sent):
                self.blame(entry, event_times.letter_untimely(clock, rules, told, sent, kept=False))
            case kinds.AsleepEntry():
                self.blame(entry, event_times.asleep_untimely(clock, told))
            case _:
                pass

    def _attend(self, clock: Clock, position: Any) -> None:
        """Who had a part in the step that is resolved now."""
        if position is None:
            return
        rules = self.ruleset
        used = to_be_used(rules, position) if rules.sequential else rules.sheets(position)
        clock.attend({*(sheet.seat for sheet in used), *(() if rules.sequential else self.awaited)})

    # Entries that open a step, or move its deadline

    def open(self, clock: Clock, told: TimedEntry[Opening], step: int, *, goes_on: bool = False) -> None:
        """A step begins, with no less time than the terms promise."""
        written = told.content.deadline
        clock.open(step, told.entry.at, None, goes_on=goes_on)
        self.is_ours = is_ours(told.content.edition)
        if written is None:
            if self.says:
                raise _Unsaid
            return
        if goes_on and self.last is None:  # a deadline with an unknown beginning
            clock.deadline = None if told.position is not None else moment_of(written)
            return
        self.says = True
        deadline = self._said(written, told.position)
        if deadline is None:
            return
        clock.deadline = deadline
        least = self._promised(clock, told, goes_on=goes_on)
        if least is not None and deadline < least:
            zones = ", by the time zones as this machine knows them" if clock.is_calendar else ""
            words = (
                f"{told.where} opens a step with the deadline {time_words(deadline)}, and the terms of the game promise "
                f"{time_words(least)} or later{zones}"
            )
            self.findings.blame(told.entry, words)

    def _said(self, written: str, position: Any) -> datetime | None:
        """The deadline of a step that begins; None if the game is over, or may be."""
        if position is not None and self.ruleset.outcome(position) is not None:
            return None
        deadline = moment_of(written)
        if deadline is None and position is not None:
            raise _Unsaid
        return deadline

    def _promised(self, clock: Clock, told: TimedEntry[Opening], *, goes_on: bool) -> datetime | None:
        """The earliest deadline that a step can have; None if it depends on a position that is not known."""
        phases = self.ruleset.info.phases if told.position is None else (self.ruleset.phase(told.position),)
        rules, recommend = clock.rules_of(phases), self.ruleset.hours
        if BY_RULES in rules and recommend is not None and told.position is None:
            return None
        if goes_on and self.last is not None:
            return self.last
        return min(self._promised_by(clock, told, rule) for rule in rules)

    def _promised_by(self, clock: Clock, told: TimedEntry[Opening], rule: str) -> datetime:
        """The earliest deadline of a step that goes by this rule."""
        # If nobody knows the deadline of a step, it is assumed to have been used.
        last = self.last or (told.entry.at if isinstance(told.content, kinds.ResolvedEntry) else None)
        resumed = self._resumed(clock, rule) if isinstance(told.content, kinds.ResolvedEntry) and clock.terms.phases else None
        hours = self.ruleset.hours(told.position) if rule == BY_RULES and self.ruleset.hours is not None else 0
        written = f"{hours}h" if hours else rule
        return clock.promised(written, told.entry.at, last, resumed=resumed, is_ours=is_ours(told.content.edition))

    def _resumed(self, clock: Clock, rule: str) -> EndedStep | None:
        """The last step by this rule, if the one before went by another."""
        if self.phase is not None and clock.terms.of_phase(self.phase).deadline == rule:
            return None
        known = ((past.phase, past.ended) for past in reversed(self.past))
        return next((ended for phase, ended in known if phase is None or clock.terms.of_phase(phase).deadline == rule), None)

    def move(self, clock: Clock, told: TimedEntry[Moving], *, whose: str = "", least: timedelta = _NONE) -> None:
        """Deadlines change, and none becomes earlier. The deadline of the game, and with it those of single seats, or only that
        of the seat `whose`, moves by `least`."""
        if clock.deadline is None:
            return
        if told.content.deadline is None:
            raise _Unsaid
        said, before = moment_of(told.content.deadline), clock.own_deadline(whose) if whose else clock.deadline
        if said is None or before is None:
            raise _Unsaid
        self._must_be(told, f"the deadline of {whose}" if whose else "the deadline", said, before + least)
        if not whose:
            clock.deadline = said
        if self.played:
            self._move_own(clock, told, whose, least)

    def _move_own(self, clock: Clock, told: TimedEntry[Moving], whose: str, least: timedelta) -> None:
        said = (told.content.sealed.own or {}) if told.content.sealed else {}
        own = {seat: at for seat, text in said.items() if (at := moment_of(text))}
        for seat, before in clock.own.items():
            if seat not in clock.missed | clock.gone:
                now = own.get(seat, clock.deadline) or before
                self._must_be(told, f"the deadline of {seat}", now, before + (least if whose in ("", seat) else _NONE))
        clock.own = own

    def _must_be(self, told: TimedEntry[Any], what: str, said: datetime, least: datetime) -> None:
        if said < least:
            words = (
                f"{what} is {time_words(said)} since {told.where}, and by the entries before it not before {time_words(least)}"
            )
            self.findings.blame(told.entry, words)


_Deed = Callable[[Timing, Clock, TimedEntry[Any]], None]


def _begin(timing: Timing, clock: Clock, told: TimedEntry[kinds.StartedEntry | kinds.ImportedEntry]) -> None:
    clock.seats = told.content.seats
    clock.gone = set(told.content.given_up) if isinstance(told.content, kinds.ImportedEntry) else set()
    timing.last, timing.past = None, []
    timing.open(clock, told, 0)


def _resolve(timing: Timing, clock: Clock, told: TimedEntry[kinds.ResolvedEntry]) -> None:
    timing.last, rules = clock.deadline, timing.ruleset
    ended = EndedStep(told.entry.at, timing.last or told.entry.at)
    timing.past.append(_UNKNOWN if timing.phase is None else _Past(told.content.step, timing.phase, ended))
    goes_on = False
    if rules.sequential and told.position is not None:
        goes_on = rules.turn(told.position) == told.content.turn and set(rules.awaiting(told.position)) <= timing.awaited
    elif rules.sequential:  # only the position shows it
        goes_on = timing.last is None or moment_of(told.content.deadline or "") == timing.last
    timing.open(clock, told, told.content.step + 1, goes_on=goes_on)


def _roll_back(timing: Timing, clock: Clock, told: TimedEntry[kinds.RolledBackEntry]) -> None:
    timing.last = None
    timing.past = [past for past in timing.past if past.step not in told.content.taken_back]
    clock.take_back(told.content.taken_back)
    timing.open(clock, told, told.content.step)
    clock.paused = clock.paused and told.entry.at
    if not timing.ruleset.sequential:
        clock.waits = set(clock.seats) - clock.gone


def _extend(timing: Timing, clock: Clock, told: TimedEntry[kinds.ExtendedEntry]) -> None:
    whose, who = told.content.seat, told.content.by
    if timing.is_ours and timing.ruleset.info.own_extensions is None and who in clock.seats:
        timing.taken[who] = timing.taken.get(who, 0) + told.content.minutes
        timing.blame(told.entry, given_time.beyond_budget(clock, told, timing.taken))
    if not whose:
        clock.closed = None
    timing.move(clock, told, whose=whose, least=timedelta(minutes=told.content.minutes))


def _put_off(timing: Timing, clock: Clock, told: TimedEntry[kinds.PutOffEntry]) -> None:
    timing.move(clock, told, whose=told.content.seat if told.content.own else "")


def _set_deadline(timing: Timing, clock: Clock, told: TimedEntry[kinds.DeadlineEntry]) -> None:
    """The game master's word may take time away, since everybody gets a mail. What a seat was granted beyond it stays."""
    clock.closed = None
    if clock.deadline is not None:
        clock.deadline = moment_of(told.content.deadline)
        timing.move(clock, told)


def _shift(timing: Timing, clock: Clock, told: TimedEntry[kinds.ShiftedEntry]) -> None:
    if timing.is_ours:
        timing.blame(told.entry, given_time.outage_too_long(clock, told))
        timing.findings.unchecked += filter(None, [given_time.within_outage(told, timing.letters)])
    timing.move(clock, told)


def _change_quiet_days(timing: Timing, clock: Clock, told: TimedEntry[kinds.QuietEntry]) -> None:
    clock.change({key: getattr(told.content, key) for key in QUIET})
    timing.move(clock, told)


def _pause(_timing: Timing, clock: Clock, told: TimedEntry[kinds.PausedEntry]) -> None:
    clock.paused = _since(told)
    if told.content.reason != OF_DEFECT or (told.content.sealed and told.content.sealed.cause is not None):
        clock.closed = None


def _resume(timing: Timing, clock: Clock, told: TimedEntry[kinds.ResumedEntry]) -> None:
    timing.move(clock, told, least=clock.resume(told.entry.at))


def _close(_timing: Timing, clock: Clock, told: TimedEntry[kinds.ClosedEntry]) -> None:
    clock.closed = _since(told)


def _since(told: TimedEntry[kinds.PausedEntry] | TimedEntry[kinds.ClosedEntry]) -> datetime:
    """When the event in an entry happened: it may have been written later. Raises `ValueError`."""
    sealed = told.content.sealed
    return (moment_of(sealed.since or "") if sealed else None) or told.entry.at


def _set_option(timing: Timing, clock: Clock, told: TimedEntry[kinds.SetEntry]) -> None:
    options = timing.ruleset.info.clock
    if options is not None and told.content.option == options.turn_hours:
        clock.change({"deadline": f"{told.content.now}h"})


_DEEDS: Mapping[str, _Deed] = {
    "started": _begin,
    "imported": _begin,
    "resolved": _resolve,
    "rolled-back": _roll_back,
    "extended": _extend,
    "put-off": _put_off,
    "deadline": _set_deadline,
    "shifted": _shift,
    "quiet": _change_quiet_days,
    "paused": _pause,
    "resumed": _resume,
    "closed": _close,
    "set": _set_option,
}
"""What entries do that may move the deadline of the game, also where they are withheld."""
_RESTING = frozenset({kinds.ResolvedEntry.kind, kinds.MissedEntry.kind, kinds.OrdersEntry.kind, kinds.AsleepEntry.kind})
"""The kinds that depend on a deadline."""
