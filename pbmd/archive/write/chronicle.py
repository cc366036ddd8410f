"""What happened to a game around its turns, in sentences: more time, pauses, rollbacks, seats that changed hands, with who did
it and why. The pages of an archive and the book tell the same.

It is made of the public parts of the journal's entries. Of a secret part only the name is used that a holder has in the game,
and only where the archive shows it: no address, and nothing else that says who somebody is.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from pbmd.rules.words import capital, counted
from pbmd.terms.times import describe_day, describe_days, describe_duration, describe_time

Entry = Mapping[str, Any]
_GM = "The game master"
_A_DEFECT = "a defect"
_START, _END = "the start", "the end"
_PLACES = ("the first player", "the second player", "the third player", "another player")
_ANYBODY = "*"
"""The seat that is taken from its player, where it is not told which that is."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something that happened to the game: in words, and with the reason in those of whoever gave one. `entry` is the number of
    the journal entry that has it."""

    at: str
    words: str
    reason: str = ""
    entry: int = 0


@dataclass(frozen=True, slots=True)
class Hand:
    """Who held a seat, from when until when, in words; `holder` is empty if no name is known and nobody else held it,
    `until` as long as it lasts."""

    seat: str
    holder: str
    since: str
    until: str = ""


class Chronicle:
    """Goes through the entries of a journal, a stretch after the other, and keeps in mind in whose hands the seats are."""

    def __init__(self) -> None:
        self._begun = False
        self._hands: list[_Held] = []
        self._ejected = ""
        self._ended = False

    def take(self, entries: Iterable[Entry], where: str) -> list[Note]:
        """What happened in these entries; `where` says of them when that was, in terms of turns: "before turn 3"."""
        notes: list[Note] = []
        for entry in entries:
            self._take_hands(entry, where)
            if note := self._noted(entry):
                notes.append(note)
        return notes

    def hands(self, seats: Sequence[Mapping[str, Any]]) -> list[Hand]:
        """All who ever held one of these seats, as game.toml has them, in the order of seats and of time."""
        return [hand for seat in seats for hand in self._of_seat(seat)]

    def _of_seat(self, seat: Mapping[str, Any]) -> Iterator[Hand]:
        held = [each for each in self._hands if each.seat == seat["name"]] or [_Held(str(seat["name"]), "", _START)]
        *before, last = held
        for place, each in enumerate(before):
            yield Hand(each.seat, each.holder or _PLACES[min(place, len(_PLACES) - 1)], each.since, each.until)
        nobody = _PLACES[min(len(before), len(_PLACES) - 1)] if before else ""
        yield Hand(last.seat, self._name_now(last, seat) or nobody, last.since, last.until or self._until_now(seat))

    def _name_now(self, last: "_Held", seat: Mapping[str, Any]) -> str:
        """What the last holder of a seat is called: game.toml has that as it is now, which may be after this journal ends."""
        told = str(seat.get("holder", ""))
        names = [last.holder, "" if "@" in told else told]
        return next(filter(None, reversed(names) if self._ended else names), "")

    def _until_now(self, seat: Mapping[str, Any]) -> str:
        if seat.get("state") == "resigned":
            return "resigned"
        return _END if self._ended else ""

    def _take_hands(self, entry: Entry, where: str) -> None:
        kind, public = entry["kind"], entry.get("public", {})
        self._begun = self._begun or kind in ("started", "imported")
        self._ended = (self._ended or kind == "finished") and kind != "rolled-back"
        for gone in public.get("given_up", ()):
            self._close(gone, "resigned elsewhere")
        if "seat" in public:
            day = describe_day(datetime.fromisoformat(entry["at"]).date())
            self._take_hand(kind, str(public["seat"]), str(entry.get("secret", {}).get("holder", "")), f"{day}, {where}")

    def _take_hand(self, kind: str, seat: str, holder: str, when: str) -> None:
        match kind:
            case "joined":
                self._hands.append(_Held(seat, holder, _START))
            case "resigned" if not self._begun:
                self._hands = [held for held in self._hands if held.seat != seat]
            case "resigned":
                why = "removed by the game master" if self._ejected in (seat, _ANYBODY) else "resigned"
                self._close(seat, f"{when}: {why}")
            case "holder":
                self._close(seat, f"{when}: replaced")
                self._hands.append(_Held(seat, holder, when))
            case _:
                pass

    def _close(self, seat: str, until: str) -> None:
        for held in self._hands:
            if held.seat == seat and not held.until:
                held.until = until

    def _noted(self, entry: Entry) -> Note | None:
        """Who is taken a seat from leaves it with the next entry, which tells nothing new."""
        kind, public = entry["kind"], entry.get("public")
        before, self._ejected = self._ejected, ""
        if public is None:
            self._ejected = _ANYBODY if kind == "ejected" else ""
            return _note(entry, _WITHHELD.get(kind, ""), "")
        seat = str(public.get("seat", ""))
        if kind == "ejected":
            self._ejected = seat
        elif kind == "resigned" and before in (seat, _ANYBODY):
            return None
        elif kind == "resigned" and not self._begun:
            return _note(entry, f"{seat} left before the game began.", "")
        words = _told(kind, public, entry.get("secret", {}))
        return _note(entry, words, str(public.get("reason", "")) if kind not in _NO_REASON else "")


@dataclass(slots=True)
class _Held:
    seat: str
    holder: str
    since: str
    until: str = ""


def _note(entry: Entry, words: str, reason: str) -> Note | None:
    return Note(str(entry["at"]), words, "" if reason == _A_DEFECT else reason, int(entry.get("number", 0))) if words else None


def _told(kind: str, public: Entry, secret: Entry) -> str:
    """What an entry tells; of one that lacks what its kind has, as a damaged row may, no more than the kind."""
    try:
        return _TOLD[kind](public, secret) if kind in _TOLD else ""
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
        return _WITHHELD.get(kind, "")


# The sentences

_Told = Callable[[Entry, Entry], str]


def _due(public: Entry, before: str) -> str:
    """When it is due now, behind `before`; empty if the entry does not say."""
    written = public.get("deadline")
    return f"{before}{describe_time(datetime.fromisoformat(written))}" if written else ""


def _extended(public: Entry, _secret: Entry) -> str:
    more, by, seat = describe_duration(timedelta(minutes=public["minutes"])), capital(str(public["by"])), public.get("seat")
    if not seat:
        return f"{by} moved the deadline by {more}{_due(public, ', to ')}."
    verb = "took" if by == capital(str(seat)) else f"gave {seat}"
    return f"{by} {verb} {more} more{_due(public, ', until ')}."


def _put_off(public: Entry, _secret: Entry) -> str:
    days, seat = counted(int(public["days"]), "day"), public["seat"]
    if public.get("own"):
        return f"{seat} was away and got {days} more{_due(public, ', until ')}."
    return f"The deadline moved by {days}{_due(public, ', to ')}, because {seat} was away."


def _shifted(public: Entry, _secret: Entry) -> str:
    began, ended = (describe_time(datetime.fromisoformat(public[key])) for key in ("from", "until"))
    moved = public.get("deadline") != public.get("before")
    what = f"The deadline moved{_due(public, ' to ')}" if moved else "Some deadlines moved"
    return f"{what}, because no mail could be read from {began} to {ended}."


def _resumed(public: Entry, _secret: Entry) -> str:
    stood = f" after {describe_duration(timedelta(seconds=public['stood_seconds']))}" if public.get("stood_seconds") else ""
    odd = " although its records were damaged" if public.get("as_it_is") else ""
    return f"{_GM} resumed the game{stood}{odd}{_due(public, '; the deadline is now ')}."


def _paused(public: Entry, _secret: Entry) -> str:
    return "The game stopped by itself, because of a fault." if public.get("reason") == _A_DEFECT else f"{_GM} paused the game."


def _quiet(public: Entry, _secret: Entry) -> str:
    days = [capital(str(day)) for day in (*public.get("quiet_days", ()), *public.get("holidays", ()))]
    return f"{_GM} changed the days on which no deadline falls: {', '.join(days) or 'none'}."


def _set(public: Entry, _secret: Entry) -> str:
    before, now = (_value(public[key]) for key in ("from", "to"))
    return f"{_GM} changed the option {public['option']} from {before} to {now}."


def _value(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _rolled_back(public: Entry, _secret: Entry) -> str:
    return f"{_GM} took the game back from turn {public['turn']} to the beginning of turn {public['to']}."


def _holder(public: Entry, secret: Entry) -> str:
    name = str(secret.get("holder", ""))
    return f"{name} took over {public['seat']}." if name else f"{public['seat']} has a new player."


def _absent(public: Entry, _secret: Entry) -> str:
    if "seat" not in public:
        return ""
    return f"{public['seat']} was away {describe_days(*(date.fromisoformat(public[key]) for key in ('from', 'to')))}."


def _started(public: Entry, _secret: Entry) -> str:
    return f"The game began with {counted(len(public.get('seats', ())), 'player')}."


def _imported(public: Entry, _secret: Entry) -> str:
    name = public.get("archive", {}).get("game")
    return "The game came here from another host" + (f", where it was called {name}." if name else ".")


_TOLD: Mapping[str, _Told] = {
    "started": _started,
    "imported": _imported,
    "extended": _extended,
    "put-off": _put_off,
    "shifted": _shifted,
    "deadline": lambda public, _: f"{_GM} set the deadline{_due(public, ' to ')}.",
    "closed": lambda _, __: f"{_GM} ended the turn without waiting for anybody.",
    "paused": _paused,
    "resumed": _resumed,
    "quiet": _quiet,
    "set": _set,
    "ruled": lambda _, __: f"{_GM} gave a ruling.",
    "rolled-back": _rolled_back,
    "restored": lambda public, _: f"New dice for turn {public.get('turn', 0)}: the records were restored from a backup.",
    "ejected": lambda public, _: f"{_GM} took {public['seat']} from its player.",
    "resigned": lambda public, _: f"{public['seat']} resigned.",
    "offered": lambda public, _: f"{_GM} offered {public['seat']} to other players.",
    "holder": _holder,
    "absent": _absent,
    "present": lambda public, _: f"{public['seat']} was back early." if "seat" in public else "",
    "peeked": lambda public, _: f"{_GM} looked at what only {public['seat']} may know.",
    "disputed": lambda _, __: "A player's mail did not match these records.",
}
_WITHHELD: Mapping[str, str] = {
    "started": "The game began.",
    "extended": "Somebody got more time.",
    "deadline": f"{_GM} set another deadline.",
    "closed": f"{_GM} ended the turn without waiting for anybody.",
    "paused": f"{_GM} paused the game.",
    "resumed": f"{_GM} resumed the game.",
    "quiet": f"{_GM} changed the days on which no deadline falls.",
    "set": f"{_GM} changed an option.",
    "rolled-back": f"{_GM} took the game back.",
    "announced": f"{_GM} wrote to all players.",
    "ejected": f"{_GM} took a seat from its player.",
    "resigned": "A player resigned.",
    "holder": "A seat has a new player.",
    "peeked": f"{_GM} looked at what only one player may know.",
}
"""What can be said where an anonymised archive has nothing but the kind."""
_NO_REASON = frozenset({"resigned", "holder", "finished"})
