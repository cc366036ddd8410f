"""What the journal says about the game as a whole, and whether game.toml says the same: name, rules, seats, and how it
ended."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pbmd.archive.format.documents import ForeignGame
from pbmd.archive.format.entries import Entry
from pbmd.archive.format.findings import GAME, JOURNAL, SHOWN, Archive, Problem
from pbmd.ledger.entries import kinds
from pbmd.ledger.entries.codec import Document
from pbmd.ledger.entries.player_entries import HandOver
from pbmd.ledger.entries.step_entries import JoiningPlayer
from pbmd.ledger.tables import GameStatus, SeatState
from pbmd.terms.terms import QUIET
from pbmd.terms.times import EPOCH

_NOTHING_AFTER = frozenset(
    (
        *("joined", "imported", "resigned", "holder", "created", "started", "cancelled", "missed", "asleep", "set", "ruled"),
        *("resolved", "restored", "finished"),
    )
)
"""What cannot happen once a game is over."""
_CHANGING_HANDS = (kinds.ResignedEntry, kinds.HolderEntry)
_ONCE = frozenset({"created", "started", "imported"})
_CHANGES = {"quiet": QUIET, "set": ("deadline",), "votes": ("votes",)}
"""The terms that each kind of entry changes."""
_MOMENT = timedelta(minutes=1)
_BY_WORD = "For the word of whoever made this archive take what game.toml says of holders and time zones"
_NOW = ", and of options, terms and who has given up, since the game was not over"


_End = tuple[int, Document | None]


@dataclass
class _Seat:
    name: str | None
    setup: list[str] | None
    players: list[str | None]
    state: str | None = SeatState.ACTIVE.value


@dataclass
class Facts:
    """Gathers what the entries say. What is withheld is None. `counts`: how many of each kind there are. `resolved` is the
    number of the last resolution, 0 if there has been none since the beginning or a rollback; `ends` maps the number of the
    resolution that a game ended with to the number of the entry `finished` and its public part. `heads` are the hashes with
    their numbers."""

    archive: Archive
    counts: dict[str, int] = field(default_factory=dict[str, int])
    created: kinds.CreatedEntry | None = None
    created_at: datetime = EPOCH
    last_at: datetime = EPOCH
    options: Document | None = None
    seats: dict[int, _Seat] = field(default_factory=dict[int, _Seat])
    over: bool = False
    outcome: Document | None = None
    resolved: int = 0
    ends: dict[int, _End] = field(default_factory=dict[int, _End])
    heads: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def by_word(self) -> str:
        """What in game.toml no journal can show."""
        return _BY_WORD + ("." if self.over else f"{_NOW}.")

    def take(self, entry: Entry) -> None:
        """The next entry."""
        self._check_order(entry)
        self.counts[entry.kind] = self.counts.get(entry.kind, 0) + 1
        self.last_at = entry.at
        if entry.hash:
            self.heads[entry.hash] = entry.number
        try:
            self._take(entry)
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
            self._blame(entry, f"entry {entry.number} ({entry.kind[:40]}) has not what such an entry has")

    @property
    def begun(self) -> bool:
        """Whether the game has begun."""
        return "started" in self.counts or "imported" in self.counts

    def _check_order(self, entry: Entry) -> None:
        what = f"entry {entry.number} ({entry.kind[:40]})"
        if self.over and (entry.kind in _NOTHING_AFTER or (entry.kind == "orders" and _seen(entry))):
            self._blame(entry, f"{what} comes after the game was over")
        elif entry.kind in ("resolved", "finished", "rolled-back") and not self.begun:
            self._blame(entry, f"{what} comes before the game has begun")
        elif entry.kind in _ONCE and (entry.kind in self.counts or (entry.kind != "created" and self.begun)):
            self._blame(entry, f"{what} cannot be twice")
        elif (entry.kind == "created") != (entry.number == 1):
            self._blame(entry, f"{what} is not in its place: a journal begins with one that is called created")

    def _blame(self, entry: Entry, problem: str) -> None:
        self.archive.findings.add(Problem(JOURNAL, problem, line=entry.number))

    def _take(self, entry: Entry) -> None:
        match entry.kind:
            case "created":
                content = entry.content
                self.created, self.created_at = content if isinstance(content, kinds.CreatedEntry) else None, entry.at
                self.options = self.created.options if self.created else None
            case "set":
                content = entry.content
                self.options = content.sealed.options if isinstance(content, kinds.SetEntry) and content.sealed else None
            case "joined" | "imported" | "resigned" | "holder":
                self._take_seat(entry)
            case "resolved":
                self.resolved = entry.number
            case "rolled-back":
                self.over, self.outcome, self.resolved = False, None, 0
            case "finished":
                self._end(entry)
            case "revealed":
                self._check_players(entry)
            case _:
                pass

    def _check_players(self, entry: Entry) -> None:
        """An anonymous game names those who played it when it is over, and no others, as far as it is shown who these are."""
        if not self.over:
            self._blame(entry, f"entry {entry.number} (revealed) says who plays before the game is over")
        content = entry.content
        if not isinstance(content, kinds.RevealedEntry):
            return
        for seat in self.seats.values():
            told = [each.player or "" for each in content.players if each.seat == seat.name]
            if None not in seat.players and seat.players != told:
                self._blame(entry, f"entry {entry.number} (revealed) names others than those who played {seat.name}")

    def _end(self, entry: Entry) -> None:
        self.over, self.outcome = True, entry.public
        if self.resolved:
            self.ends[self.resolved] = entry.number, entry.public
            return
        content = entry.content
        if isinstance(content, kinds.FinishedEntry) and (content.winners or not content.abandoned):
            what = f"entry {entry.number} (finished)"
            self._blame(entry, f"{what} ends a game by its rules, and nothing was resolved before it")

    def _take_seat(self, entry: Entry) -> None:
        match content := entry.content:
            case kinds.JoinedEntry():
                self.seats[content.number] = _Seat(content.seat, _setup(content), [_player(content.sealed)])
            case None if entry.kind == kinds.JoinedEntry.kind:
                self.seats[max(self.seats, default=0) + 1] = _Seat(None, None, [])
            case _ if entry.kind == kinds.ImportedEntry.kind:
                for seat in self.seats.values():
                    seat.state = None  # some may have been given up before
            case _:
                self._change_hands(entry, content.seat if isinstance(content, _CHANGING_HANDS) else None)

    def _change_hands(self, entry: Entry, whose: str | None) -> None:
        """A seat was given up, or has a holder again; if the entry does not say which, this is unknown for all seats."""
        is_given_up = entry.kind == kinds.ResignedEntry.kind
        if is_given_up and not self.begun:
            self.seats = {number: seat for number, seat in self.seats.items() if whose is None or seat.name != whose}
            return
        for seat in self.seats.values():
            if whose is None or seat.name is None:
                seat.state = None
                seat.players.append(None)
            elif seat.name == whose:
                if isinstance(entry.content, kinds.HolderEntry):
                    seat.players.append(_player(entry.content.sealed))
                seat.state = (SeatState.RESIGNED if is_given_up else SeatState.ACTIVE).value


def _player(sealed: JoiningPlayer | HandOver | None) -> str | None:
    """What the player is called, None if that is not shown."""
    return sealed.name if sealed else None


def _seen(entry: Entry) -> bool:
    """Whether the rules got to see these orders, as far as it is shown."""
    return entry.secret is not None and not entry.secret.get("unseen")


def _setup(content: kinds.JoinedEntry) -> list[str] | None:
    return [text for _, text in json.loads(content.sealed.setup)] if content.sealed else None


def check_game(archive: Archive, game: ForeignGame, facts: Facts, *, renamed: bool) -> None:
    """Check game.toml against what the journal says. An archive that may have been `renamed` can be of a game that was imported
    under another name."""
    created, findings = facts.created, archive.findings
    if renamed and created is not None and game["name"] != created.game:
        findings.unbound.append(
            f"Its journal calls the game {created.game}, and game.toml {findings.game}, as if it had been imported "
            "under another name."
        )
    for key, expected, found in _compared(game, facts, renamed=renamed):
        findings.count("compared")
        if expected != found:
            shown, other = (json.dumps(value, ensure_ascii=False, default=str)[:SHOWN] for value in (expected, found))
            findings.add(Problem(GAME, f"its {key} is not what the journal says", expected=shown, found=other))


def _compared(game: ForeignGame, facts: Facts, *, renamed: bool) -> Iterator[tuple[str, Any, Any]]:
    """What is compared, its value in the journal, and its value in game.toml."""
    running = {GameStatus.RUNNING.value, GameStatus.PAUSED.value}
    status = game.get("status")
    yield "status", GameStatus.FINISHED.value if facts.over else status if status in running else "running", status
    yield "resolved_steps", facts.counts.get("resolved", 0), game.get("resolved_steps")
    if facts.outcome is not None or not facts.over:
        yield "outcome", facts.outcome, game.get("outcome")
    if (created := facts.created) is not None:
        if not renamed:
            yield "name", created.game, game["name"]
        yield "ruleset", created.ruleset, game["ruleset"]
        at = game.get("created_at")
        near = isinstance(at, datetime) and at.tzinfo is not None and abs(at - facts.created_at) < _MOMENT
        yield "created_at", facts.created_at.isoformat(), facts.created_at.isoformat() if near else str(at)
    if facts.over and created is not None:
        yield from _terms(game, facts, created)
    yield from _seats(game, facts)


def _terms(game: ForeignGame, facts: Facts, created: kinds.CreatedEntry) -> Iterator[tuple[str, Any, Any]]:
    if facts.options is not None:
        yield "options", dict(facts.options), game.get("options")
    changed = {key for kind, keys in _CHANGES.items() if kind in facts.counts for key in keys}
    said, terms = game.get("terms"), created.terms
    if isinstance(said, Mapping):
        known = [key for key in terms if key not in changed]
        yield "terms", {key: terms[key] for key in known}, {key: said.get(key) for key in known}
    else:
        yield "terms", terms, said


def _seats(game: ForeignGame, facts: Facts) -> Iterator[tuple[str, Any, Any]]:
    yield "number of seats", sorted(facts.seats), [seat.get("number") for seat in game["seats"]]
    for said in game["seats"]:
        number: Any = said.get("number")
        known = facts.seats.get(number)
        if known is None:
            continue
        where = f"seat {number}"
        if known.name is not None:
            yield where, known.name, said.get("name")
        if facts.over and known.state is not None:
            yield f"state of {where}", known.state, said.get("state")
        if known.setup is not None and "setup" in said:
            yield f"setup of {where}", known.setup, said["setup"]
