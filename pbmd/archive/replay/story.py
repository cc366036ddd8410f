"""A game played again from its journal alone: what the rules got, in the order in which they got it, entry by entry.

This is what makes an archive evidence. Everything else in it (positions, orders, events, reports) comes out of this again; and
the journal is one chain whose hashes the players have in their mails. These things move a position, and no others:

- a letter that the rules got to see (`orders`), whatever they made of it, and one that was filed again by a rollback;
- orders taken back (`cancelled`), a deadline missed (`missed`), a seat given up or taken over (`resigned`, `holder`), in civil
  disorder or back from there (`asleep`, `awake`);
- an option changed in mid-game (`set`), a word of the game master's (`ruled`), a rollback (`rolled-back`);
- the resolution of a step (`resolved`), with the step's secret, from which all its dice come;
- of what nobody could know of before the step was over (requests granted, moves sent ahead or taken back) the journal tells
  only in the entry that ended it, each with the number of the entry ``after`` which it happened.

What the game master peeked at, who had moved on, or was reminded, paused or extended, moves nothing.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Protocol

from pbmd.archive.format.editions import NO_REFUSALS, Refusals, is_ours
from pbmd.archive.format.entries import Entry
from pbmd.archive.format.outline import HeldBack, Outline, Stage, StoryError
from pbmd.archive.format.plan import START
from pbmd.archive.format.sheets import Letters, moment
from pbmd.archive.replay.kept_sheets import with_sheets_kept
from pbmd.archive.replay.sign_ups import OF_SIGN_UPS, SignUps, sealed_part
from pbmd.ledger.entries import kinds
from pbmd.ledger.entries.codec import Document
from pbmd.ledger.entries.codec import Entry as Content
from pbmd.ledger.entries.parts import Orders, WithdrawnMove
from pbmd.ledger.entries.sleep_entries import DISORDER
from pbmd.ledger.journal import written_time
from pbmd.ledger.tables import StepRecord, SubmissionState
from pbmd.rules import Event, HmacDice, Line, Mail, PastStep, Refused, Ruleset, Sheet, canonical_json
from pbmd.rules.protocol import event_document
from pbmd.rules.salts import salts_of
from pbmd.rules.sheets import bound, past_step, resolved, sheet_of, without_waiting
from pbmd.set_up import SetUp

_NO_ORDER = "?"
"""A line that the rules refuse."""


class Onlooker(Protocol):
    """Gets each entry before and after it takes effect, and whatever followed an entry without one of its own, before that
    takes effect; with the position at that time, None before the game begins."""

    def before(self, entry: Entry, position: Any) -> None:
        """An entry comes."""

    def after(self, entry: Entry, position: Any) -> None:
        """It has taken effect."""

    def kept(self, entry: Entry, kept: Orders | WithdrawnMove, position: Any) -> None:
        """Something followed the entry."""


def play(
    ruleset: Ruleset[Any],
    entries: Iterable[Entry],
    overview: Outline,
    letters: Letters | None = None,
    onlooker: Onlooker | None = None,
    refusals: Refusals = NO_REFUSALS,
) -> Iterator[Stage]:
    """Play the game again and give each resolved step as it comes out, the beginning first; `letters` learns what becomes of
    the letters. `refusals` are the lines that were refused in letters: lines refused by another edition stay refused.

    Raises `StoryError` where the rules, given what the journal has, do something that cannot have been. `entries` must have
    their secret parts.
    """
    yield from stages_of(Player(ruleset, overview, refusals, letters), entries, onlooker)


def stages_of(player: "Player", entries: Iterable[Entry], onlooker: Onlooker | None = None) -> Iterator[Stage]:
    """The same with a player who is asked later how the game stands."""
    overview = player.overview
    for entry in entries:
        try:
            if onlooker:
                onlooker.before(entry, player.position)
            stage = player.take(entry)
            if onlooker:
                onlooker.after(entry, player.position)
            for held in overview.kept.get(entry.number, ()):
                if onlooker:
                    onlooker.kept(entry, held.item, player.position)
                player.take_held(held)
        except StoryError:
            raise
        except Exception as trouble:  # an archive may be anybody's, and make a ruleset stumble in any way
            problem = f"{type(trouble).__name__}: {trouble}"[:300]
            raise StoryError(
                entry.number, player.turn, f"entry {entry.number} ({entry.kind}) cannot be: {problem}"
            ) from trouble
        if stage is not None:
            yield stage


class _SeatChange(NamedTuple):
    """A seat was given up, or went to civil disorder, or was taken over by somebody with this name; None where the journal does
    not give it, and where its player came back."""

    kind: str
    seat: str
    holder: str | None


class _Change(NamedTuple):
    """The entry that changed the hands of a seat. One that fell asleep did so with a step, `since` whose entry it was to: who
    goes back to before that step has it awake."""

    number: int
    hands: _SeatChange
    since: int = 0


@dataclass
class Player:
    """How far the game has been played. `resolved` is the number of the last entry that resolved a step. `begins` is the
    position when the running step began, without its orders; `past` are the steps that were not taken back, `words` those that
    came with orders on file, by seat. It is `ours` if this edition opened that step."""

    ruleset: Ruleset[Any]
    overview: Outline
    refusals: Refusals
    letters: Letters | None = None
    ours: bool = True
    position: Any = None
    begins: Any = None
    turn: int = 0
    secret: bytes = b""
    context: bytes = b""
    told: tuple[Event, ...] = ()
    past: dict[int, PastStep] = field(default_factory=dict[int, PastStep])
    words: dict[str, str] = field(default_factory=dict[str, str])
    sign_ups: SignUps = field(default_factory=SignUps)
    stood: dict[int, Document] = field(default_factory=dict[int, Document])
    hands: list[_Change] = field(default_factory=list[_Change])
    resolved: int = 0
    refused_then: set[str] = field(default_factory=set[str])

    def take(self, entry: Entry) -> Stage | None:
        """The next entry."""
        if entry.kind == kinds.FinishedEntry.kind and self.letters and entry.public and not entry.public.get("abandoned"):
            self.letters.finished()
        deed = self._DEEDS.get(entry.kind)
        if deed is None:
            return None
        if entry.public is None or entry.secret is None:
            raise StoryError(entry.number, self.turn, f"entry {entry.number} ({entry.kind}) is not shown in this archive")
        return deed(self, entry, entry.content)

    def take_held(self, held: HeldBack) -> None:
        """What followed an entry and had no entry of its own then."""
        if isinstance(held.item, Orders):
            self._receive(held.item, self.letters.running if self.letters else 0, held.receipt)
            return
        seat = held.item.seat
        self.words.pop(seat, None)
        if self.letters:
            self.letters.cancelled(seat)
        # While the game is running, a move that waits is not shown, nor what was taken back before it.
        if sheet_of(self.ruleset.sheets(self.position), seat):
            self.position = self.ruleset.withdraw(self.position, seat)

    def _sign(self, entry: Entry, _content: Content) -> None:
        self.sign_ups.take(entry)

    def _start(self, entry: Entry, content: kinds.StartedEntry) -> Stage:
        begun = self.sign_ups.begun(entry, content)
        self.position, made = begun.set_up(self.ruleset)
        self.begins, self.ours = self.position, is_ours(content.edition)
        document = self._document()
        self._stands(entry, document)
        given = self.sign_ups.claim(self.ruleset, begun)
        setup, promise = replace(made, position=document), content.commitment
        return Stage(entry, START, 0, self.position, document, setup=setup, seats=given, next_commitment=promise)

    def _orders(self, entry: Entry, content: kinds.OrdersEntry) -> None:
        self._receive(sealed_part(content.sealed), content.step, entry.number)

    def _cancel(self, _entry: Entry, content: kinds.CancelledEntry) -> None:
        seat = sealed_part(content.sealed).seat
        self.position = self.ruleset.withdraw(self.position, seat)
        self.words.pop(seat, None)
        if self.letters:
            self.letters.cancelled(seat)

    def _miss(self, _entry: Entry, content: kinds.MissedEntry) -> None:
        self.position = self.ruleset.miss(self.position, sealed_part(content.sealed).seat).position

    def _change_hands(self, entry: Entry, content: kinds.ResignedEntry | kinds.HolderEntry) -> None:
        if self.position is None:  # before the game began a seat became free again
            self.sign_ups.free(content.seat)
            return
        holder = sealed_part(content.sealed).holder if isinstance(content, kinds.HolderEntry) else None
        hands = _SeatChange(entry.kind, content.seat, holder)
        self.hands.append(_Change(entry.number, hands))
        self.position = _in_other_hands(self.ruleset, self.position, hands, strict=True)

    def _sleep(self, entry: Entry, content: kinds.AsleepEntry | kinds.AwakeEntry) -> None:
        if content.sleeper == DISORDER:
            hands = _SeatChange(entry.kind, sealed_part(content.sealed).seat, None)
            self.hands.append(_Change(entry.number, hands, self.resolved if isinstance(content, kinds.AsleepEntry) else 0))
            self.position, self.begins = (
                _in_other_hands(self.ruleset, each, hands, strict=True) for each in (self.position, self.begins)
            )

    def _set_option(self, _entry: Entry, content: kinds.SetEntry) -> None:
        options = sealed_part(content.sealed).options
        self.position, self.begins = (
            self.ruleset.load({**self.ruleset.dump(position), "options": options}) for position in (self.position, self.begins)
        )

    def _rule(self, _entry: Entry, content: kinds.RuledEntry) -> None:
        assert self.ruleset.rule is not None
        key = sealed_part(content.sealed).key
        self.position, self.begins = (self.ruleset.rule(position, key) for position in (self.position, self.begins))

    def _roll_back(self, entry: Entry, content: kinds.RolledBackEntry) -> None:
        parent, stands = content.parent.number, sealed_part(content.sealed).position
        position = self.again(self.stood[parent], parent)
        self.position = self.begins = self.ruleset.load(stands)
        if canonical_json(self.ruleset.dump(position)) != canonical_json(stands):
            raise StoryError(entry.number, content.to, f"the rollback of entry {entry.number} goes back to what never was")
        self.secret, self.context, self.told, self.words = b"", b"", (), {}
        self.past = {step: past for step, past in self.past.items() if step not in content.taken_back}
        if self.letters:
            self.letters.rolled_back(content.step)

    def again(self, document: Document, parent: int) -> Any:
        """The position after the entry `parent`, with the options and holders of now."""
        options = {"options": self.ruleset.dump(self.position)["options"]} if "options" in document else {}
        position = without_waiting(self.ruleset, self.ruleset.load({**document, **options}))
        for change in self.hands:
            if change.since <= parent < change.number:
                position = _in_other_hands(self.ruleset, position, change.hands, strict=False)
        return position

    def _begin_elsewhere(self, entry: Entry, content: kinds.ImportedEntry) -> Stage:
        """The game continues from the position of another one, in another archive."""
        self.position = self.begins = self.ruleset.load(sealed_part(content.sealed).position)
        self.ours = is_ours(content.edition)
        document = self._document()
        self._stands(entry, document)
        self.turn = self.ruleset.turn(self.position)
        setup = SetUp(document)
        return Stage(entry, START, self.turn, self.position, document, setup=setup, next_commitment=content.commitment)

    def _resolve(self, entry: Entry, content: kinds.ResolvedEntry) -> Stage:
        rules, step, sealed = self.ruleset, content.step, sealed_part(content.sealed)
        own = bytes.fromhex(content.secret)
        salting = None if sealed.salts is None else bytes.fromhex(sealed.salts)
        salts = salts_of(salting, self.overview.seats.items())
        before, begins = rules.dump(self.position), rules.dump(self.begins)
        past = past_step(rules, self.position)
        used, on_file = past.sheets, rules.sheets(self.begins) if rules.sequential else ()
        if own != self.secret:
            self.context, self.told = b"", ()
        words = {sheet.seat: self.words[sheet.seat] for sheet in used if sheet.seat in self.words}
        self.secret, self.context = own, bound(used, salts, self.context, words)
        dice = HmacDice(own, self.context)
        resolution = resolved(rules, self.position, dice, self.past.values())
        self.position = self.begins = self._as_then(before, resolution.position, past, sealed.position)
        self.past[step], self.ours, self.resolved = past, is_ours(content.edition), entry.number
        self.told = (*self.told, *resolution.events)
        self._settle(step, used)
        self.words = self._words_of_what_waits()
        after = self._document()
        self._stands(entry, after)
        self.turn = rules.turn(self.position)
        record = StepRecord(
            game_id=0,
            step=step,
            turn=content.turn,
            name=content.name or "",
            resolved_at=entry.at,
            took_until=entry.at,
            cause=content.cause,
            before=_kept(before),
            after=_kept(after),
            events=_kept([event_document(event) for event in resolution.events]),
            dice=_kept(dice.drawn),
            secret=own,
            salts=salting,
            words=_kept(words),
            rolled_back=self.overview.branches.get(step, 0),
        )
        ahead = tuple(sheet for sheet in used if sheet in on_file)
        told = None if step in self.overview.together else self.told
        outcome = rules.outcome(self.position)
        commits = content.commitment or ""
        events, refused = tuple(resolution.events), frozenset(self.refused_then)
        self.refused_then.clear()
        values = (step, content.turn, self.position, begins, ahead, record, None, told, events, outcome, commits)
        return Stage(entry, *values, refused_then=refused)

    def _words_of_what_waits(self) -> dict[str, str]:
        waiting = {sheet.seat for sheet in self.ruleset.sheets(self.position)} if self.ruleset.sequential else set[str]()
        return {seat: word for seat, word in self.words.items() if seat in waiting}

    def _as_then(self, before: Document, position: Any, past: PastStep, digest: str) -> Any:
        """The position after a step as the pbmd of that time had it, if the journal says so."""
        if self.ruleset.reveal is None or digest_of(self.ruleset, position) == digest:
            return position
        older = with_sheets_kept(self.ruleset, before, position, past)
        return position if older is None or digest_of(self.ruleset, older) != digest else older

    def _receive(self, sent: Orders, step: int, receipt: int) -> None:
        lines = () if sent.unseen else self._lines_in(sent, receipt)
        came = None
        if not sent.unseen and (lines or not sent.lines):  # else nothing came of it
            came = self.ruleset.receive(self.position, Mail(sent.seat, lines, sent.arrival))
            self.position = came.position
            if sent.state == SubmissionState.FILED and sent.word:
                self.words[sent.seat] = sent.word
        if self.letters:
            sheet = sheet_of(self.ruleset.sheets(self.position), sent.seat) if came and came.filed else None
            self.letters.came(sent, step, receipt, sheet, came.verdicts if came else ())

    def _lines_in(self, sent: Orders, receipt: int) -> tuple[Line, ...]:
        """What the rules got to see: where another edition read the lines, without those that it refused, for this one might
        accept them; of a letter that it refused as a whole, lines that are no orders in any edition."""
        lines = tuple(Line(number, text) for number, text in sent.lines)
        if self.ours:
            return lines
        if sent.state == SubmissionState.REFUSED:
            self.refused_then.add(sent.seat)
            return tuple(Line(line.number, _NO_ORDER) for line in lines)
        refused = self.refusals.get((sent.seat, receipt, written_time(moment(sent.arrival))), frozenset())
        return tuple(line for line in lines if line.number not in refused)

    def _settle(self, step: int, used: Sequence[Sheet]) -> None:
        if self.letters is None:
            return
        if self.ruleset.sequential:
            on_file = {sheet.seat for sheet in self.ruleset.sheets(self.position)}
            self.letters.resolved(step, {sheet.seat for sheet in used}, on_file)
        else:
            self.letters.resolved(step, set(self.overview.seats.values()))

    def _document(self) -> dict[str, Any]:
        """The position as the ledger stores it."""
        return json.loads(_kept(self.ruleset.dump(self.position)))

    def _stands(self, entry: Entry, document: Document) -> None:
        if entry.number in self.overview.parents:
            self.stood[entry.number] = document

    _DEEDS: ClassVar[Mapping[str, Callable[..., Stage | None]]] = {
        **dict.fromkeys(OF_SIGN_UPS, _sign),
        kinds.StartedEntry.kind: _start,
        kinds.ImportedEntry.kind: _begin_elsewhere,
        kinds.OrdersEntry.kind: _orders,
        kinds.CancelledEntry.kind: _cancel,
        kinds.MissedEntry.kind: _miss,
        kinds.ResignedEntry.kind: _change_hands,
        kinds.HolderEntry.kind: _change_hands,
        kinds.AsleepEntry.kind: _sleep,
        kinds.AwakeEntry.kind: _sleep,
        kinds.SetEntry.kind: _set_option,
        kinds.RuledEntry.kind: _rule,
        kinds.RolledBackEntry.kind: _roll_back,
        kinds.ResolvedEntry.kind: _resolve,
    }


def _in_other_hands(ruleset: Ruleset[Any], position: Any, change: _SeatChange, *, strict: bool) -> Any:
    """The position with the seat given up, or taken over. With `strict` it raises `Refused`."""
    if change.kind in (kinds.AsleepEntry.kind, kinds.AwakeEntry.kind):
        return ruleset.disorder(position, change.seat, change.kind == kinds.AsleepEntry.kind) if ruleset.disorder else position
    if change.kind == kinds.ResignedEntry.kind:
        return ruleset.resign(position, change.seat).position if ruleset.resign else position
    try:
        return ruleset.take_over(position, change.seat, change.holder) if ruleset.take_over else position
    except Refused:
        if strict:
            raise
        return position


def digest_of(ruleset: Ruleset[Any], position: Any) -> str:
    """What the journal has for a position: the SHA-256 of it without the moves that wait."""
    return hashlib.sha256(canonical_json(ruleset.dump(without_waiting(ruleset, position)))).hexdigest()


def _kept(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
