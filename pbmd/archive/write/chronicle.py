"""What happened to a game around its turns, in sentences: more time, pauses, rollbacks, seats that changed hands, with who did
it and why. The pages of an archive and the book use the same sentences.

It is made from the public parts of the journal's entries. From secret parts it uses only the name that a holder has in the
game, and only where the archive shows it: no address, and nothing else that says who somebody is.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Generic

from pbmd.archive.format.documents import SeatDocument
from pbmd.archive.write.reader import DatedEntry
from pbmd.ledger.entries import kinds
from pbmd.ledger.entries.codec import E, Entry
from pbmd.ledger.entries.kinds import UnlistedEntry
from pbmd.ledger.entries.player_entries import HandOver
from pbmd.ledger.entries.reveal_entries import Holding
from pbmd.ledger.entries.step_entries import JoiningPlayer
from pbmd.ledger.entries.vote_entries import FAILED, PASSED, VETOED
from pbmd.rules.words import capital, counted, listing
from pbmd.terms.times import describe_day, describe_days, describe_duration, describe_time

_GM = "The game master"
_A_DEFECT = "a defect"
_CLOSED, _ANNOUNCED = f"{_GM} ended the turn without waiting for anybody.", f"{_GM} wrote to all players."
_SLEEPER, _FELL_ASLEEP = "A seat that had been asleep", " had missed so much that the game no longer waited for it."
_START, _END = "the start", "the end"
_PLACES = ("the first player", "the second player", "the third player", "another player")
_ANYBODY = "*"
"""The seat that is taken from its player, if the entry does not say which."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something that happened to the game: in words, and with the reason as somebody gave it. `entry` is the number of its
    journal entry."""

    at: str
    words: str
    reason: str = ""
    entry: int = 0


@dataclass(frozen=True, slots=True)
class Hand:
    """Who held a seat, from when until when, in words; `holder` is empty if no name is known and nobody else held it, `until`
    while they still hold it."""

    seat: str
    holder: str
    since: str
    until: str = ""


class Chronicle:
    """Goes through the entries of a journal, one stretch after the other, and remembers who holds which seat."""

    def __init__(self) -> None:
        self._begun = False
        self._hands: list[_Held] = []
        self._ejected = ""
        self._ended = False

    def take(self, entries: Iterable[DatedEntry], where: str) -> list[Note]:
        """What happened in these entries; `where` is the time in terms of turns: "before turn 3"."""
        notes: list[Note] = []
        for entry in entries:
            self._take_hands(entry, where)
            if note := self._noted(entry):
                notes.append(note)
        return notes

    def hands(self, seats: Sequence[SeatDocument]) -> list[Hand]:
        """Everybody who ever held one of these seats, as game.toml has them, in the order of seats and of time."""
        return [hand for seat in seats for hand in self._of_seat(seat)]

    def _of_seat(self, seat: SeatDocument) -> Iterator[Hand]:
        held = [each for each in self._hands if each.seat == seat["name"]] or [_Held(str(seat["name"]), "", _START)]
        *before, last = held
        for place, each in enumerate(before):
            yield Hand(each.seat, each.holder or _PLACES[min(place, len(_PLACES) - 1)], each.since, each.until)
        nobody = _PLACES[min(len(before), len(_PLACES) - 1)] if before else ""
        yield Hand(last.seat, self._name_now(last, seat) or nobody, last.since, last.until or self._until_now(seat))

    def _name_now(self, last: "_Held", seat: SeatDocument) -> str:
        """The name of the last holder of a seat: game.toml has the current one, which may date from after the end of this
        journal."""
        told = str(seat.get("holder", ""))
        names = [last.holder, "" if "@" in told else told]
        return next(filter(None, reversed(names) if self._ended else names), "")

    def _until_now(self, seat: SeatDocument) -> str:
        if seat.get("state") == "resigned":
            return "resigned"
        return _END if self._ended else ""

    def _take_hands(self, entry: DatedEntry, where: str) -> None:
        self._begun = self._begun or entry.kind in ("started", "imported")
        self._ended = (self._ended or entry.kind == "finished") and entry.kind != "rolled-back"
        when = f"{describe_day(datetime.fromisoformat(entry.at).date())}, {where}"
        match entry.content:
            case kinds.ImportedEntry(given_up=given_up):
                for gone in given_up:
                    self._close(gone, "resigned elsewhere")
            case kinds.JoinedEntry(seat=seat, sealed=sealed):
                self._hands.append(_Held(seat, _name(sealed), _START))
            case kinds.ResignedEntry(seat=seat) if not self._begun:
                self._hands = [held for held in self._hands if held.seat != seat]
            case kinds.ResignedEntry(seat=seat):
                why = "removed by the game master" if self._ejected in (seat, _ANYBODY) else "resigned"
                self._close(seat, f"{when}: {why}")
            case kinds.HolderEntry(seat=seat, sealed=sealed):
                self._close(seat, f"{when}: replaced")
                self._hands.append(_Held(seat, _name(sealed), when))
            case kinds.RevealedEntry(players=players):
                self._name_hands(players)
            case _:
                pass

    def _name_hands(self, players: Sequence[Holding]) -> None:
        """Those whose names an anonymous game has kept to itself until it was over."""
        for seat in {each.seat for each in players}:
            names = [each.player or "" for each in players if each.seat == seat]
            for held, name in zip((each for each in self._hands if each.seat == seat), names, strict=False):
                held.holder = held.holder or name

    def _close(self, seat: str, until: str) -> None:
        for held in self._hands:
            if held.seat == seat and not held.until:
                held.until = until

    def _noted(self, entry: DatedEntry) -> Note | None:
        """A player whose seat is taken away leaves it with the next entry, which says nothing new."""
        content, row = entry.content, SENTENCES.get(entry.kind)
        before, self._ejected = self._ejected, ""
        if content is None:
            self._ejected = _ANYBODY if entry.kind == "ejected" else ""
            return _note(entry, row.withheld if row else _ANNOUNCED if entry.kind == "announced" else "", "")
        if isinstance(content, kinds.EjectedEntry):
            self._ejected = content.seat
        elif isinstance(content, kinds.ResignedEntry) and before in (content.seat, _ANYBODY):
            return None
        elif isinstance(content, kinds.ResignedEntry) and not self._begun:
            return _note(entry, f"{content.seat} left before the game began.", "")
        if row is None:
            return None
        return _note(entry, _told(row, content), (row.tells_reason and getattr(content, "reason", "")) or "")


def _name(holder: JoiningPlayer | HandOver | None) -> str:
    """The name of the holder of a seat; empty if the entry does not give it."""
    return holder.name if holder else ""


@dataclass(slots=True)
class _Held:
    seat: str
    holder: str
    since: str
    until: str = ""


def _note(entry: DatedEntry, words: str, reason: str) -> Note | None:
    return Note(entry.at, words, "" if reason == _A_DEFECT else reason, entry.number) if words else None


def _told(row: "Sentence[Any]", content: Entry) -> str:
    """What an entry says; if it lacks fields of its kind, or says what cannot be, only the kind."""
    try:
        return row.withheld if isinstance(content, UnlistedEntry) else row.words(content)
    except (OverflowError, ValueError):
        return row.withheld


# The sentences


def _due(deadline: str | None, before: str) -> str:
    """When it is due now, after `before`; empty if the entry does not say."""
    return f"{before}{describe_time(datetime.fromisoformat(deadline))}" if deadline else ""


def _extended(entry: kinds.ExtendedEntry) -> str:
    more, by, seat = describe_duration(timedelta(minutes=entry.minutes)), capital(entry.by), entry.seat
    if not seat:
        return f"{by} moved the deadline by {more}{_due(entry.deadline, ', to ')}."
    verb = "took" if by == capital(seat) else f"gave {seat}"
    return f"{by} {verb} {more} more{_due(entry.deadline, ', until ')}."


def _put_off(entry: kinds.PutOffEntry) -> str:
    days = counted(entry.days, "day")
    if entry.own:
        return f"{entry.seat} was away and got {days} more{_due(entry.deadline, ', until ')}."
    return f"The deadline moved by {days}{_due(entry.deadline, ', to ')}, because {entry.seat} was away."


def _shifted(entry: kinds.ShiftedEntry) -> str:
    began, ended = (describe_time(datetime.fromisoformat(at)) for at in (entry.began, entry.ended))
    moved = entry.deadline != entry.before
    what = f"The deadline moved{_due(entry.deadline, ' to ')}" if moved else "Some deadlines moved"
    return f"{what}, because no mail could be read from {began} to {ended}."


def _resumed(entry: kinds.ResumedEntry) -> str:
    stood = f" after {describe_duration(timedelta(seconds=entry.stood_seconds))}" if entry.stood_seconds else ""
    damaged = " although its records were damaged" if entry.as_it_is else ""
    return f"{capital(entry.by or _GM)} resumed the game{stood}{damaged}{_due(entry.deadline, '; the deadline is now ')}."


def _paused(entry: kinds.PausedEntry) -> str:
    by_itself = "The game stopped by itself, because of a fault."
    return by_itself if entry.reason == _A_DEFECT else f"{capital(entry.by or _GM)} paused the game."


def _proposed(entry: kinds.ProposedEntry) -> str:
    what = _PROPOSALS.get(entry.proposal, entry.proposal).format(entry.about)
    return f"{entry.seat or 'A player'} proposed to vote on {what} (vote {entry.vote})."


_PROPOSALS: Mapping[str, str] = {
    "pause": "a pause",
    "extension": "more time",
    "replace": "another player for {}",
    "draw": "a draw",
    "cancel": "an end without a result",
}
_RESULTS: Mapping[str | None, str] = {PASSED: "has passed", FAILED: "has failed", VETOED: "was stopped by the game master"}
_SEATED: Mapping[str, str] = {"preference": " by the lists of the players", "lot": " by lot"}


def _quiet(entry: kinds.QuietEntry) -> str:
    days = [capital(day) for day in (*entry.quiet_days, *entry.holidays)]
    return f"{_GM} changed the days on which no deadline falls: {', '.join(days) or 'none'}."


def _value(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _holder(entry: kinds.HolderEntry) -> str:
    name, sealed = _name(entry.sealed), entry.sealed
    if sealed and sealed.until:
        return f"{name or 'Somebody'} played {entry.seat} from then on, as a substitute."
    if sealed and sealed.back:
        return f"{name or 'Its player'} had {entry.seat} back from a substitute."
    return f"{name} took over {entry.seat}." if name else f"{entry.seat} has a new player."


def _absent(entry: kinds.AbsentEntry) -> str:
    if entry.seat is None or entry.first is None or entry.last is None:
        return ""
    return f"{entry.seat} was away {describe_days(date.fromisoformat(entry.first), date.fromisoformat(entry.last))}."


def _imported(entry: kinds.ImportedEntry) -> str:
    name = entry.archive.game
    return "The game came here from another host" + (f", where it was called {name}." if name else ".")


@dataclass(frozen=True, slots=True)
class Sentence(Generic[E]):
    """What is told of a kind of entry: in `words`, or, where an anonymised archive has only the kind, what is told then
    (`withheld`); and whether the reason of the person who decided is told, too, where the entry has one."""

    kind: type[E]
    words: Callable[[E], str]
    withheld: str = ""
    tells_reason: bool = True


_ROWS = (
    Sentence(kinds.SeatedEntry, lambda entry: f"The seats were given{_SEATED.get(entry.seating, '')}."),
    Sentence(
        kinds.StartedEntry, lambda entry: f"The game began with {counted(len(entry.seats), 'player')}.", "The game began."
    ),
    Sentence(kinds.ImportedEntry, _imported),
    Sentence(kinds.ExtendedEntry, _extended, "Somebody got more time."),
    Sentence(kinds.PutOffEntry, _put_off),
    Sentence(kinds.ShiftedEntry, _shifted),
    Sentence(
        kinds.DeadlineEntry,
        lambda entry: f"{_GM} set the deadline{_due(entry.deadline, ' to ')}.",
        f"{_GM} set another deadline.",
    ),
    Sentence(kinds.ClosedEntry, lambda _entry: _CLOSED, _CLOSED),
    Sentence(kinds.PausedEntry, _paused, f"{_GM} paused the game."),
    Sentence(kinds.ResumedEntry, _resumed, f"{_GM} resumed the game."),
    Sentence(kinds.ProposedEntry, _proposed, "A player proposed a vote."),
    Sentence(
        kinds.VotedEntry,
        lambda entry: f"Vote {entry.vote} {_RESULTS.get(entry.result, 'is over')}.",
        "A vote of the players is over.",
    ),
    Sentence(
        kinds.VotesEntry,
        lambda entry: f"{_GM} changed what players may vote on: {listing(entry.votes) or 'nothing'}.",
        f"{_GM} changed what players may vote on.",
    ),
    Sentence(kinds.QuietEntry, _quiet, f"{_GM} changed the days on which no deadline falls."),
    Sentence(
        kinds.SetEntry,
        lambda entry: f"{_GM} changed the option {entry.option} from {_value(entry.before)} to {_value(entry.now)}.",
        f"{_GM} changed an option.",
    ),
    Sentence(kinds.RuledEntry, lambda _entry: f"{_GM} gave a ruling."),
    Sentence(
        kinds.RolledBackEntry,
        lambda entry: f"{_GM} took the game back from turn {entry.turn} to the beginning of turn {entry.to}.",
        f"{_GM} took the game back.",
    ),
    Sentence(
        kinds.RestoredEntry, lambda entry: f"New dice for turn {entry.turn or 0}: the records were restored from a backup."
    ),
    Sentence(
        kinds.EjectedEntry, lambda entry: f"{_GM} took {entry.seat} from its player.", f"{_GM} took a seat from its player."
    ),
    Sentence(kinds.ResignedEntry, lambda entry: f"{entry.seat} resigned.", "A player resigned."),
    Sentence(kinds.OfferedEntry, lambda entry: f"{capital(entry.by or _GM)} offered {entry.seat} to other players."),
    Sentence(kinds.HolderEntry, _holder, "A seat has a new player."),
    Sentence(
        kinds.AsleepEntry,
        lambda entry: f"{entry.seat or (entry.sealed.seat if entry.sealed else 'A seat')}{_FELL_ASLEEP}",
        f"A seat{_FELL_ASLEEP}",
    ),
    Sentence(
        kinds.AwakeEntry,
        lambda entry: f"{entry.sealed.seat if entry.sealed else _SLEEPER} was awake again.",
        f"{_SLEEPER} was awake again.",
        tells_reason=False,
    ),
    Sentence(kinds.AbsentEntry, _absent),
    Sentence(kinds.PresentEntry, lambda entry: f"{entry.seat} was back early." if entry.seat is not None else ""),
    Sentence(
        kinds.PeekedEntry,
        lambda entry: f"{_GM} looked at what only {entry.seat} may know.",
        f"{_GM} looked at what only one player may know.",
    ),
    Sentence(kinds.DisputedEntry, lambda _entry: "A player's mail did not match these records."),
)
SENTENCES: Mapping[str, Sentence[Any]] = {row.kind.kind: row for row in _ROWS}
"""The sentence for each kind of entry that has one."""
