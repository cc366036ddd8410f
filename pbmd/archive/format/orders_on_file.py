"""Which orders were on file when, according to a journal."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from pbmd.archive.format.entries import Entry
from pbmd.archive.format.limits import LARGEST_TEXT
from pbmd.archive.format.sheets import moment
from pbmd.ledger.entries.codec import MalformedEntry
from pbmd.ledger.entries.kinds import KINDS
from pbmd.ledger.entries.parts import Orders
from pbmd.ledger.entries.step_entries import kept_back_in
from pbmd.rules.protocol import Sheet
from pbmd.rules.sheets import digest


@dataclass(frozen=True, slots=True)
class OrdersOnFile:
    """Orders as the books have them. `receipt` is the number of the journal entry that holds them; `digest` is empty if none of
    them were filed, or if it was `left_out`, for example because a name in them was replaced. `word` is the one for the dice
    that came with them, empty if none did, and None if it is not shown;
    `lines` are the orders themselves, None if they are not shown."""

    seat: str
    receipt: int
    arrived_at: datetime
    digest: str
    state: str
    left_out: bool = False
    word: str | None = None
    lines: tuple[str, ...] | None = None


# The books


class BrokenBooks(ValueError):
    """`file` and `line` say where, if a file of an archive is to blame."""

    def __init__(self, told: str, file: str = "", line: int = 0) -> None:
        super().__init__(told)
        self.file = file
        self.line = line


def orders_of_archive(payload: Path, files: Iterable[str], entries: Sequence[Entry]) -> Iterator[OrdersOnFile]:
    """The orders in the ``sheets.json`` of these files, checked against the journal. Raises `BrokenBooks` and `OSError`."""
    for name in sorted(files):
        if not name.startswith("turns/") or not name.endswith("/sheets.json"):
            continue
        text, receipt = "", ""
        try:
            text = read_file(payload / name)
            for sheet in json.loads(text):
                receipt = f'"receipt": {json.dumps(sheet["receipt"])},'
                at = datetime.fromisoformat(sheet["arrived_at"])
                lines = [str(line) for line in sheet["lines"]]
                given = given_in(
                    str(sheet["seat"]), int(sheet["receipt"]), at, str(sheet["digest"]), str(sheet["state"]), lines
                )
                yield compare_orders(replace(given, word=str(sheet.get("word", ""))), entries)
        except (AttributeError, LookupError, OverflowError, RecursionError, TypeError, ValueError) as problem:
            told = str(problem) if isinstance(problem, BrokenBooks) else "it is not as pbmd writes it"
            line = text[: text.index(receipt)].count("\n") + 1 if receipt in text and receipt else 0
            raise BrokenBooks(told, name, line) from None


def given_in(seat: str, number: int, at: datetime, shown: str, state: str, lines: Sequence[str]) -> OrdersOnFile:
    """Orders with these lines. Raises `BrokenBooks` if `shown`, the digest that the books have for them, does not match."""
    if shown and digest([Sheet(seat, (0, 0), tuple(lines))]).hex() != shown:
        raise BrokenBooks(f"the digest of the orders of {seat} with receipt {number} is not that of their lines")
    return OrdersOnFile(seat, number, at, shown, state, left_out=bool(lines) and not shown, lines=tuple(lines))


def orders_not_seen(view: object, orders: Sequence[OrdersOnFile], entries: Sequence[Entry]) -> str:
    """Why an archive may lack the digest of orders that existed, empty if it has all."""
    if view != "all":
        return "this archive has not the orders of all seats"
    if any(given.left_out for given in orders):
        return "those in which a name was replaced are left out"
    shown = Counter(given.receipt for given in orders if given.digest)
    told = {given.receipt for given in orders}
    for entry in entries:
        if entry.kind not in HOLD_ORDERS:
            continue
        if entry.secret is None:
            # A step that was resolved has its sheets, whoever may read its entry.
            lacks = entry.number not in told and entry.kind != "resolved"
        else:
            lacks = shown[entry.number] < sum(letter.state == "filed" for letter in sound_letters_in(entry))
        if lacks:
            return f"entry {entry.number} of the journal may hold orders of a step that was never resolved"
    return ""


def sound_letters_in(entry: Entry) -> tuple[Orders, ...]:
    """The letters with orders that an entry holds, none if it is not as pbmd writes it, which `pbmd verify` reports."""
    try:
        return letters_in(entry)
    except MalformedEntry:
        return ()


def letters_in(entry: Entry) -> tuple[Orders, ...]:
    """The letters with orders that an entry holds, as far as they are shown; some entries have other things, too, such as
    orders that were taken back. Raises `MalformedEntry`."""
    if entry.kind not in HOLD_ORDERS:
        return ()
    content = entry.content
    if content is None:
        return ()
    return tuple(item for item in (content.sealed, *kept_back_in(content)) if isinstance(item, Orders))


def compare_orders(given: OrdersOnFile, entries: Sequence[Entry]) -> OrdersOnFile:
    """The orders, if they are those that the chain holds, as far as it can be read; with the word for the dice that it has for
    them. Raises `BrokenBooks`."""
    number = given.receipt
    if not 0 <= number <= len(entries):
        raise BrokenBooks(f"there are orders with receipt {number}, and no such entry in the journal")
    entry = entries[number - 1] if number else None
    if entry is None:
        return _with_word(given, None)
    if entry.kind not in HOLD_ORDERS:
        raise BrokenBooks(f"there are orders with receipt {number}, and entry {number} of the journal has none ({entry.kind})")
    if entry.secret is None:
        return _with_word(given, None)
    letters = [
        letter for letter in letters_in(entry) if (letter.seat, moment(letter.arrival)) == (given.seat, given.arrived_at)
    ]
    states = [letter.state for letter in letters]
    if not states:
        raise BrokenBooks(f"the orders with receipt {number} are not those of entry {number} of the journal")
    if not any(given.state in _BECOMES.get(state, (state,)) for state in states):
        raise BrokenBooks(f"the orders with receipt {number} are {given.state} here and {states[0]} in the journal")
    return _with_word(given, letters if entry.sure else None)


def _with_word(given: OrdersOnFile, letters: Sequence[Orders] | None) -> OrdersOnFile:
    """Orders with the word that came with them, as it was sealed: the one in the chain, if the `letters` are shown there. An
    archive without names leaves words out. Raises `BrokenBooks`."""
    if letters is None:
        return replace(given, word=given.word or None)
    kept = {letter.word or "" for letter in letters}
    if given.word in kept:
        return given
    if given.word:
        raise BrokenBooks(f"the word that came with the orders with receipt {given.receipt} is not the one in the journal")
    return replace(given, word=next(iter(kept)) if len(kept) == 1 else None)


HOLD_ORDERS = frozenset(kind for kind, of in KINDS.items() if of.holds_orders)
"""The kinds of entries that can hold orders: sent with the entry, or kept secret while the step was open."""
_BECOMES = {"filed": frozenset({"filed", "used", "replaced", "cancelled", "rolled-back"})}
"""What can become of orders after they came."""


def read_file(path: Path) -> str:
    """The text of a file of an archive. Raises `ValueError` if it is too large or not UTF-8, and `OSError`."""
    if path.stat().st_size > LARGEST_TEXT:
        raise ValueError(f"{path} is larger than any such file of an archive")
    return path.read_text(encoding="utf-8")
