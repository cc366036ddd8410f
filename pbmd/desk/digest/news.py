"""What has happened in a game, and when the game master is told. A digest takes it from the lines of the dashboard log, which
never hold orders, tokens or press; how often a deadline was missed is counted in the journal."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import bindparam, select
from sqlmodel import col

from pbmd.desk.books.transaction import LoggedLines, OpenGame, Transaction
from pbmd.desk.digest.joint import is_one_of_several, next_morning
from pbmd.ledger.entries.player_entries import HolderEntry
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.entries.step_entries import MissedDeadline, MissedEntry
from pbmd.ledger.tables import GameStatus, LogLine
from pbmd.rules.words import counted

DAY = timedelta(days=1)
MOST_LINES = 1000
"""How many lines a digest looks back; a turn of a game has some dozens."""
# Made once: building a statement takes longer than the ledger takes to answer.
_NEWEST = (
    select(col(LogLine.at), col(LogLine.turn), col(LogLine.what), col(LogLine.seat), col(LogLine.detail))
    .where(col(LogLine.game) == bindparam("game"))
    .order_by(col(LogLine.id).desc())
    .limit(MOST_LINES)
)
_BEFORE = ("rolled-back", "imported", "restored")
"""Lines before these words belong to another course of the game."""


@dataclass(frozen=True, slots=True)
class NewsLine:
    """The parts of a log line that a digest uses."""

    at: datetime
    turn: str
    what: str
    seat: str
    detail: str


def newest_lines(work: Transaction, table: OpenGame) -> list[NewsLine]:
    """The last lines of the log about a game, newest first, including those of this transaction."""
    if not work.beside:
        work.write_rows()
    kept = [NewsLine(*row) for row in work.session.connection().execute(_NEWEST, {"game": table.game.name})]
    if not work.beside:
        return kept
    # When others share the ledger, lines are written at the very end.
    own = work.slot(LoggedLines).of(table.id)
    return [NewsLine(row["at"], row["turn"], row["what"], row["seat"], row["detail"]) for row in reversed(own)] + kept


def of_turns(lines: Sequence[NewsLine], first: int) -> list[NewsLine]:
    """The lines from that turn on, oldest first; if the game began with it, also those before it began."""
    found: list[NewsLine] = []
    for line in lines:
        number = int(line.turn[1:]) if line.turn[1:].isdigit() else -1
        if number < first or line.what in _BEFORE:
            break
        found.append(line)
    return found[::-1]


def news_in(work: Transaction, table: OpenGame, lines: Sequence[NewsLine]) -> list[tuple[str, str]]:
    """What in these lines is news for the game master: a label and a text each."""
    hidden = _hidden(table)
    by_word: dict[str, list[NewsLine]] = {}
    for line in lines:
        if line.what not in hidden:
            by_word.setdefault(line.what, []).append(line)
    told = ((label, words(by_word[what])) for what, (label, words) in _NEWS.items() if what in by_word)
    return [*_missed(work, table, by_word.get("nmr", [])), *((label, text) for label, text in told if text)]


@dataclass(frozen=True, slots=True)
class DigestsSent:
    """The slot of the digests that a transaction has sent: after how many of its lines about a game, by the id of that."""

    lines: dict[int, int] = field(default_factory=dict[int, int])


def note_news(work: Transaction, table: OpenGame) -> None:
    """Note when the game master is told of what this transaction has logged, if nothing tells them before. Nothing is told of a
    game that is over."""
    game, when = table.game, table.terms.digest
    if when == "off" or game.status is GameStatus.FINISHED:
        game.digest_at = None
        return
    words = {row["what"] for row in work.slot(LoggedLines).of(table.id)[work.slot(DigestsSent).lines.get(table.id, 0) :]}
    is_told = _is_news(table, words) or (when == "daily" and "resolved" in words)
    if is_told and game.digest_at is None:
        game.digest_at = next_morning(work) if is_one_of_several(work, table) else work.now + DAY


def _is_news(table: OpenGame, words: Iterable[str]) -> bool:
    """Whether anything of this is news that a digest tells between turns."""
    return not (_NEWS_WORDS - _hidden(table)).isdisjoint(words)


def _hidden(table: OpenGame) -> frozenset[str]:
    return frozenset() if may_know_who_has_sent(table) else _ABOUT_ORDERS


def may_know_who_has_sent(table: OpenGame) -> bool:
    """Whether an unrequested mail may tell the game master who has sent orders: they may play in the game themselves."""
    return table.terms.who_has_sent != "nothing"


def _missed(work: Transaction, table: OpenGame, lines: Sequence[NewsLine]) -> list[tuple[str, str]]:
    lines = [line for line in lines if not line.detail.endswith(_UNPLAYED)]
    if not lines:
        return []
    times = times_missed(work, table)
    has_cause = may_know_who_has_sent(table)  # it says what was sent in vain
    words = (f"{line.seat}{_often(times.get(line.seat, 1))}{f': {line.detail}' if has_cause else ''}" for line in lines)
    return [("missed", each) for each in dict.fromkeys(words)]


def _often(times: int) -> str:
    return "" if times < _TWICE else f", {times} times now"


_TWICE = 2


def _names(lines: Sequence[NewsLine]) -> str:
    return ", ".join(dict.fromkeys(line.seat for line in lines))


def _each(lines: Sequence[NewsLine]) -> str:
    return "; ".join(f"{line.seat}: {line.detail}" if line.seat != "-" else line.detail for line in lines)


def _by_players(lines: Sequence[NewsLine]) -> str:
    """Of the moved deadlines, those that the game master has not moved."""
    return _each([line for line in lines if "the game master" not in line.detail])


def _counts(noun: str) -> Callable[[Sequence[NewsLine]], str]:
    def counts(lines: Sequence[NewsLine]) -> str:
        of = Counter("somebody without a seat" if line.seat == "-" else line.seat for line in lines)
        return ", ".join(f"{counted(count, noun)} from {name}" for name, count in of.items())

    return counts


def _in_all(noun: str) -> Callable[[Sequence[NewsLine]], str]:
    return lambda lines: counted(len(lines), noun)


_REASON = re.compile(r"not sent: [^;]*; (?P<why>.*)", re.DOTALL)


def _withheld(lines: Sequence[NewsLine]) -> str:
    """How many mails the limits have held back, to whom, and why."""
    of = Counter((line.seat, found["why"] if (found := _REASON.match(line.detail)) else line.detail) for line in lines)
    names = {"-": "others"}
    return "; ".join(f"{counted(count, 'answer')} to {names.get(seat, seat)}: {why}" for (seat, why), count in of.items())


_HEAD = re.compile(r":? [0-9a-f]{16,}\b")


def _entries(lines: Sequence[NewsLine]) -> str:
    """Without the digits of heads, which nobody reads: the log has them, and the mail that came at once."""
    return _HEAD.sub("", _each(lines))


Words = Callable[[Sequence[NewsLine]], str]
_NEWS: Mapping[str, tuple[str, Words]] = {
    "joined": ("joined", _names),
    "holder": ("new player", _names),
    "resigned": ("gave up", _names),
    "asleep": ("asleep", _each),
    "awake": ("awake again", _names),
    "refused": ("refused", _counts("mail")),
    "late": ("too late", _counts("mail")),
    "seen-late": ("seen late", _names),
    "extended": ("more time", _by_players),
    "absent": ("away", _each),
    "substitute": ("substitute", _each),
    "proposed": ("vote begun", _each),
    "voted": ("vote over", _each),
    "held": ("in doubt", _counts("mail")),
    "unheard": ("not read", _counts("mail")),
    "brake": ("not sent", _withheld),
    "unreachable": ("comes back", _names),
    "quarantine": ("put aside", _in_all("letter")),
    "disputed": ("disputed", _entries),
}
"""What a digest reports, in this order: the word of the log, the label in the digest, and what is said about its lines."""
_NEWS_WORDS = frozenset({*_NEWS, "nmr", "request"})
_ABOUT_ORDERS = frozenset({"refused", "late", "seen-late", "held", "unheard", "brake", "awake"})
"""Where nobody may know who has sent orders, the game master is not told by mail who has sent some in vain, or too
many to be answered."""


EMPTY = "the seat is empty"
"""Why a deadline of a seat that nobody plays has passed."""
ASLEEP = "the seat is asleep"
"""The same of one for which nobody waits, since it has missed too much."""
_UNPLAYED = (EMPTY, ASLEEP)


@dataclass(slots=True)
class TimesMissed:
    """The slot of how often seats have missed deadlines, by the game and the length of its journal: a digest asks twice."""

    of: dict[tuple[int, int], Mapping[str, int]] = field(default_factory=dict[tuple[int, int], Mapping[str, int]])


def times_missed(work: Transaction, table: OpenGame) -> Mapping[str, int]:
    """How often whoever plays a seat now has missed a deadline in this game, by the name of the seat, if they ever did."""
    known, here = work.slot(TimesMissed).of, (table.id, table.game.chain_number)
    if here not in known:
        known[here] = _counted_missed(work, table)
    return known[here]


def _counted_missed(work: Transaction, table: OpenGame) -> dict[str, int]:
    work.write_rows()
    times: Counter[str] = Counter()
    of_players: dict[str, int] = {}
    for each in entries_of(work.session, table.id, MissedEntry, HolderEntry, with_sealed=True):
        match each.entry:
            case HolderEntry(seat=seat, sealed=hand_over):
                missed = times.pop(seat, 0)
                if hand_over and hand_over.until:
                    of_players[seat] = missed
                if hand_over and hand_over.back:  # from a substitute
                    times[seat] = of_players.pop(seat, 0)
            case MissedEntry(sealed=MissedDeadline(seat=seat, cause=cause)) if cause not in _UNPLAYED:
                times[seat] += 1
            case _:
                pass
    return dict(times)
