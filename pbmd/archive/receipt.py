"""What a receipt proves: claims held against the books of the game.

The books are an archive, which may be anybody's, or the ledger. A mail is anybody's, too: only what the books have counts, so
a forged mail that says what is true proves what is true, and one that says anything else is found out.
"""

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, select

from pbmd.archive.claims import ANY, ARRIVED, COMMITMENT, DIGEST, HEAD, RECEIPT, SALT, SECRET, Claims
from pbmd.archive.entries import BrokenJournal, Entry, read_entries
from pbmd.archive.limits import LARGEST_TEXT
from pbmd.archive.salts import Part, opened_salts
from pbmd.archive.seals import files_of
from pbmd.archive.sheets import moment
from pbmd.ledger.journal import ChainError, Link, verify
from pbmd.ledger.tables import Game, JournalEntry, Seat, Submission
from pbmd.rules.protocol import Sheet
from pbmd.rules.salts import salt_of
from pbmd.rules.sheets import digest


@dataclass(frozen=True, slots=True)
class Given:
    """Orders as the books have them. `receipt` is the number of the journal entry that holds them; `digest` is empty if none
    of them were filed, or if it was `left_out`, as where a name in them was replaced."""

    seat: str
    receipt: int
    arrived_at: datetime
    digest: str
    state: str
    left_out: bool = False


@dataclass(frozen=True)
class Books:
    """What is known of a game. `kinds` are those of all entries of its journal and the turns they are about, the first at 0;
    `heads`: hash → number of the entry; `dice`: secret, commitment or salt → what it is. `broken` says how the books contradict
    themselves, and `where` in which file and line of an archive; `told_by` says what tells how orders were understood and what
    became of them, if it is another's word. With `open_end` the game may have gone on where these end. `withheld` are the
    entries at which the chain begins anew, and `blanked` those whose secret part is not what was sealed: an archive can have
    such, and a forged one, too. `unseen` says why there may be orders whose digest is not shown here, empty if there are none.
    `first_name` is the name that the game had when it was created: one that was imported may have another. `unopened` are the
    entries that open or promise dice and do not show which. With `sealed` there are salts that are not among the `dice`."""

    game: str
    kinds: Sequence[tuple[str, int | None]]
    heads: dict[str, int]
    dice: dict[str, str]
    orders: Sequence[Given]
    broken: str = ""
    where: tuple[str, int] = ("", 0)
    open_end: bool = False
    told_by: str = ""
    withheld: Sequence[int] = ()
    blanked: frozenset[int] = frozenset()
    unseen: str = ""
    first_name: str = ""
    unopened: Sequence[int] = ()
    sealed: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of a claim. `holds` is None if the books cannot tell."""

    what: str
    value: str
    holds: bool | None
    words: str


# The books


class _BrokenBooks(ValueError):
    """`file` and `line` say where, if a file of an archive is to blame."""

    def __init__(self, told: str, file: str = "", line: int = 0) -> None:
        super().__init__(told)
        self.file = file
        self.line = line


def books_of_archive(payload: Path) -> Books:
    """The books that an archive has; `payload` is the folder with its game.toml. Raises `OSError` and, for what is no archive,
    `ValueError`."""
    files = files_of(payload)
    try:
        game = tomllib.loads(_read(payload / "game.toml"))
    except RecursionError:
        raise ValueError("its game.toml is no TOML: brackets in brackets in brackets") from None
    entries: list[Entry] = []
    orders: list[Given] = []
    broken, where = "", ("", 0)
    try:
        entries.extend(read_entries(payload / "journal.jsonl"))
        orders.extend(_orders_of_archive(payload, files, entries))
    except BrokenJournal as problem:
        broken, where = str(problem), ("journal.jsonl", problem.line)
    except _BrokenBooks as problem:
        broken, where = str(problem), (problem.file, problem.line)
    parts = [(entry.kind, entry.public or {}, entry.hash) for entry in entries]
    books = _books(str(game.get("name", "")), parts, orders, broken, open_end=game.get("status") != "finished")
    withheld = [entry.number for entry in entries if not entry.bound]
    blanked = frozenset(entry.number for entry in entries if entry.bound and not entry.sure)
    unseen = _unseen(game.get("view"), orders, entries)
    unopened = [entry.number for entry in entries if entry.public is None and entry.kind in _OPENING]
    books = _with_salts(books, ((entry.kind, entry.public or {}, entry.secret) for entry in entries))
    return replace(books, where=where, withheld=withheld, blanked=blanked, told_by=_OF_SHEETS, unseen=unseen, unopened=unopened)


def books_of_ledger(session: Session, game: Game) -> Books:
    """The books that the ledger has of a game."""
    rows = session.exec(select(JournalEntry).where(JournalEntry.game_id == game.id).order_by(col(JournalEntry.number))).all()
    columns = select(Submission, Seat.name).join(Seat, col(Seat.id) == col(Submission.seat_id))
    broken = ""
    orders: list[Given] = []
    try:
        head = verify(
            Link(row.number, row.at, row.kind, row.public, row.secret, row.salt, row.hash, row.sealed) for row in rows
        )
        if head != (game.chain_head or head):
            raise ChainError("the last entry is missing")
        for row, seat in session.exec(columns.where(Submission.game_id == game.id).order_by(col(Submission.id))):
            orders.append(_given(seat, row.number, row.arrived_at, row.digest, row.state.value, json.loads(row.orders)))
        shown = [
            Entry(row.number, row.at, row.kind, json.loads(row.public), json.loads(row.secret or "{}"), row.hash)
            for row in rows
        ]
        for given in orders:
            _compare(given, shown)
    except (ChainError, _BrokenBooks) as problem:
        broken = str(problem)
    books = _books(game.name, [(row.kind, json.loads(row.public), row.hash) for row in rows], orders, broken)
    books = _with_salts(books, ((row.kind, json.loads(row.public), json.loads(row.secret or "{}")) for row in rows))
    if game.salts and not broken:
        seats = session.exec(select(Seat).where(Seat.game_id == game.id))
        told = f"for the dice of {game.step_words}, which is open"
        now = {salt_of(game.salts, seat.number).hex(): f"the salt of {seat.name} {told}" for seat in seats}
        books = replace(books, dice={**books.dice, **now}, sealed=False)
    # The archive of an imported game may have had such entries.
    return replace(books, blanked=frozenset(row.number for row in rows if row.sealed and row.secret))


_OPENING = {
    "started": "the set-up",
    "imported": "the beginning here",
    "resolved": "turn {turn}",
    "rolled-back": "a step taken back",
    "finished": "the step that was open when the game ended",
}
"""The entries that open or promise dice: what of."""


def _books(
    game: str,
    entries: Sequence[tuple[str, Mapping[str, Any], str]],
    orders: Sequence[Given],
    broken: str,
    *,
    open_end: bool = False,
) -> Books:
    dice: dict[str, str] = {}
    for kind, public, _ in entries:
        if kind in _OPENING:
            what = _OPENING[kind].format(turn=public.get("turn"))
            if secret := public.get("secret"):
                dice[str(secret)] = f"the dice secret of {what}"
            if promise := public.get("commitment"):
                dice.setdefault(str(promise), f"the commitment to the dice that came after {what}")
    kinds = [(kind, public.get("turn")) for kind, public, _ in entries]
    heads = {head: number for number, (_, _, head) in enumerate(entries, start=1) if head}
    first_name = next((str(public.get("game", "")) for kind, public, _ in entries if kind == "created"), "")
    return Books(game, kinds, heads, dice, orders, broken, open_end=open_end, first_name=first_name)


def _with_salts(books: Books, entries: Iterable[Part]) -> Books:
    if books.broken:
        return books
    try:
        salts, sealed = opened_salts(entries)
    except (KeyError, TypeError, ValueError, AttributeError):
        return replace(books, broken="an entry that opens salts has not what such an entry has")
    return replace(books, dice={**books.dice, **salts}, sealed=sealed)


def _orders_of_archive(payload: Path, files: Iterable[str], entries: Sequence[Entry]) -> Iterator[Given]:
    for name in sorted(files):
        if not name.startswith("turns/") or not name.endswith("/sheets.json"):
            continue
        text, receipt = "", ""
        try:
            text = _read(payload / name)
            for sheet in json.loads(text):
                receipt = f'"receipt": {json.dumps(sheet["receipt"])},'
                at = datetime.fromisoformat(sheet["arrived_at"])
                lines = [str(line) for line in sheet["lines"]]
                given = _given(str(sheet["seat"]), int(sheet["receipt"]), at, str(sheet["digest"]), str(sheet["state"]), lines)
                _compare(given, entries)
                yield given
        except (AttributeError, LookupError, OverflowError, RecursionError, TypeError, ValueError) as problem:
            told = str(problem) if isinstance(problem, _BrokenBooks) else "it is not as pbmd writes it"
            line = text[: text.index(receipt)].count("\n") + 1 if receipt in text and receipt else 0
            raise _BrokenBooks(told, name, line) from None


def _given(seat: str, number: int, at: datetime, shown: str, state: str, lines: Sequence[str]) -> Given:
    if shown and digest([Sheet(seat, (0, 0), tuple(lines))]).hex() != shown:
        raise _BrokenBooks(f"the digest of the orders of {seat} with receipt {number} is not that of their lines")
    return Given(seat, number, at, shown, state, left_out=bool(lines) and not shown)


def _unseen(view: object, orders: Sequence[Given], entries: Sequence[Entry]) -> str:
    """Why an archive may lack the digest of orders that there were, empty if it has all."""
    if view != "all":
        return "this archive has not the orders of all seats"
    if any(given.left_out for given in orders):
        return "those in which a name was replaced are left out"
    shown = Counter(given.receipt for given in orders if given.digest)
    told = {given.receipt for given in orders}
    for entry in entries:
        if entry.kind not in _HOLD_ORDERS:
            continue
        if entry.secret is None:
            # A step that was resolved has its sheets, whoever may read its entry.
            lacks = entry.number not in told and entry.kind != "resolved"
        else:
            lacks = shown[entry.number] < _on_file(entry.kind, entry.secret)
        if lacks:
            return f"entry {entry.number} of the journal may hold orders of a step that was never resolved"
    return ""


def _on_file(kind: str, secret: Mapping[str, Any]) -> int:
    """How many of the letters that an entry holds were on file, if it is as pbmd writes it: else nobody can tell (0)."""
    try:
        return sum(letter["state"] == "filed" for letter in _letters_in(kind, secret))
    except (LookupError, TypeError):
        return 0


def _letters_in(kind: str, secret: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The letters with orders that an entry holds; of some it has more, such as what was taken back."""
    letters = [secret] if kind == "orders" else secret.get("meanwhile", ())
    return [letter for letter in letters if "lines" in letter]


def _compare(given: Given, entries: Sequence[Entry]) -> None:
    """The orders are those that the chain holds, as far as it can be read. Raises `_BrokenBooks`."""
    number = given.receipt
    if not 0 <= number <= len(entries):
        raise _BrokenBooks(f"there are orders with receipt {number}, and no such entry in the journal")
    entry = entries[number - 1] if number else None
    if entry is None:
        return
    if entry.kind not in _HOLD_ORDERS:
        raise _BrokenBooks(f"there are orders with receipt {number}, and entry {number} of the journal has none ({entry.kind})")
    if entry.secret is None:
        return
    states = [
        str(letter["state"])
        for letter in _letters_in(entry.kind, entry.secret)
        if (letter["seat"], moment(letter["arrival"])) == (given.seat, given.arrived_at)
    ]
    if not states:
        raise _BrokenBooks(f"the orders with receipt {number} are not those of entry {number} of the journal")
    if not any(given.state in _BECOMES.get(state, (state,)) for state in states):
        raise _BrokenBooks(f"the orders with receipt {number} are {given.state} here and {states[0]} in the journal")


_HOLD_ORDERS = frozenset({"orders", "resolved", "rolled-back", "finished"})
"""The kinds of entries that can hold orders: at once, or what was kept back while the step was open."""
_BECOMES = {"filed": frozenset({"filed", "used", "replaced", "cancelled", "rolled-back"})}
"""What can become of orders after they came."""
_OF_SHEETS = "as sheets.json has it, which pbmd verify checks"


def _read(path: Path) -> str:
    if path.stat().st_size > LARGEST_TEXT:
        raise ValueError(f"{path} is larger than any such file of an archive")
    return path.read_text(encoding="utf-8")


# Claims against books


def examine(claims: Claims, books: Books) -> list[Finding]:
    """What becomes of each claim, and first of all of the books themselves."""
    if books.broken:
        return [
            Finding(
                "journal", "", False, f"the books contradict themselves, so they prove nothing: {_place(books)}{books.broken}"
            )
        ]
    head = next(reversed(books.heads), "")
    whole = f"all {len(books.kinds)} entries follow from each other; the last has this hash"
    part = f"{len(books.kinds)} entries, with the public part withheld in {_named(books.withheld)}: "
    part += "only what stands between two of these, or after the last, is one chain"
    if (shown := books.heads.get(head, 0)) < len(books.kinds):
        part += f"; this hash is that of entry {shown}, the last that shows one" if shown else "; none shows its hash"
    findings = [Finding("journal", head, True, part if books.withheld else whole)]
    if claims.game and claims.game not in (books.game, books.first_name):
        return [*findings, Finding("game", claims.game, False, f"these are the books of {books.game}")]
    number = int(claims.first(RECEIPT) or 0)
    given = _by_number(books, number) if number else _by_digest(books, claims.first(DIGEST) or claims.first(ANY))
    for what, value in claims.values:
        if what == RECEIPT:
            findings.append(_receipt(books, number, given))
        elif what == ARRIVED:
            findings.append(_arrival(value, given))
        elif what == DIGEST:
            findings.append(_digest(books, value, given, number))
        elif what == HEAD:
            findings.append(_head(books, value, number))
        elif what in (SECRET, COMMITMENT, SALT):
            findings.append(_dice(books, what, value))
        else:
            findings.append(_any(books, value, given))
    return findings


def _by_number(books: Books, number: int) -> Given | None:
    return next((given for given in books.orders if given.receipt == number), None)


def _by_digest(books: Books, shown: str) -> Given | None:
    """The last orders with that digest, or one that begins so: the same orders may have been sent again."""
    return next((given for given in reversed(books.orders) if shown and given.digest.startswith(shown)), None)


_BECAME = {
    "used": "they were used when the step was resolved",
    "filed": "they are on file, and used when the step is resolved unless others replace them",
    "replaced": "they were replaced by a later mail, so they were not used",
    "refused": "they were refused, so they were not used",
    "late": "they came, or were seen, too late, so they were not used",
    "cancelled": "they were cancelled, so they were not used",
    "granted": "what they asked for was granted",
    "rolled-back": "they were used, and that step was taken back later",
}


def _told(given: Given, books: Books) -> str:
    became = _BECAME.get(given.state, f"they are {given.state}")
    source = f" ({books.told_by})" if books.told_by else ""
    return f"orders of {given.seat} that arrived {_time(given.arrived_at)}; {became}{source}"


def _place(books: Books) -> str:
    file, line = books.where
    return f"{file}{f', line {line}' if line else ''}: " if file else ""


def _time(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _named(entries: Sequence[int]) -> str:
    return f"entr{'y' if len(entries) == 1 else 'ies'} {', '.join(map(str, entries))}"


def _missing(books: Books) -> tuple[bool | None, str]:
    """Whether it speaks against a claim that the books do not have it, and how to say so."""
    if books.open_end:
        return None, f"not in this archive, which ends with entry {len(books.kinds)}; it may be of a later one"
    return False, "not in these books: either this was altered or made up, or the books are not those of then"


def _missing_hash(books: Books) -> tuple[bool | None, str]:
    if len(books.heads) < len(books.kinds):
        return None, "not among the hashes that this archive shows, which leaves some out: it may be one of the others"
    return _missing(books)


def _receipt(books: Books, number: int, given: Given | None) -> Finding:
    if number > len(books.kinds) or not number:
        holds, words = _missing(books)
        return Finding(RECEIPT, str(number), holds, words)
    kind, turn = books.kinds[number - 1]
    if given and number in books.blanked:
        words = f"{_told(given, books)}; a token was blanked in entry {number}, so the chain cannot vouch for it"
        return Finding(RECEIPT, str(number), None, words)
    if given:
        return Finding(RECEIPT, str(number), True, f"entry {number} of the journal, turn {turn}: {_told(given, books)}")
    if kind == "orders":
        return Finding(
            RECEIPT, str(number), True, f"entry {number} of the journal is orders of turn {turn}; more may not be read here"
        )
    return Finding(RECEIPT, str(number), False, f"entry {number} of the journal is no receipt of orders ({kind})")


def _arrival(value: str, given: Given | None) -> Finding:
    if given is None:
        return Finding(ARRIVED, value, None, "whose orders these are cannot be told here")
    # A report leaves out the seconds.
    wanted = given.arrived_at.replace(microsecond=0, second=given.arrived_at.second if value.count(":") > 1 else 0)
    try:
        holds = parsedate_to_datetime(value.replace(" UTC", " +0000")) == wanted
    except ValueError:
        holds = False
    return Finding(ARRIVED, value, holds, "as the books have it" if holds else f"the books have {_time(given.arrived_at)}")


def _holds_orders(books: Books, number: int) -> bool:
    return number <= len(books.kinds) and books.kinds[number - 1][0] == "orders"


def _digest(books: Books, value: str, given: Given | None, number: int = 0) -> Finding:
    if given and given.digest.startswith(value):
        return Finding(DIGEST, value, True, f"receipt {given.receipt}: {_told(given, books)}")
    other = _by_digest(books, value)
    if other and (given is None or (other.seat == given.seat and other.receipt <= given.receipt)):
        # The answer to a letter that was not taken shows what stayed in force.
        return Finding(DIGEST, value, True, f"receipt {other.receipt}: {_told(other, books)}")
    if other is None and given is None and number and _holds_orders(books, number):
        return Finding(DIGEST, value, None, f"how the orders of receipt {number} were understood cannot be told here")
    if other is None and given and given.left_out:
        return Finding(
            DIGEST, value, None, f"the digest of receipt {given.receipt} is left out here, since a name in them was replaced"
        )
    if other is None and books.unseen and not (given and given.digest):
        return Finding(DIGEST, value, None, f"no digest that is shown here, and not all are: {books.unseen}")
    if other is None and (given is None or books.open_end):
        holds, words = _missing(books)
        return Finding(DIGEST, value, holds, words)
    return Finding(DIGEST, value, False, "these orders have another digest in the books")


def _head(books: Books, value: str, number: int) -> Finding:
    at = books.heads.get(value, 0)
    if not at:
        holds, words = _missing_hash(books)
        return Finding(HEAD, value, holds, words)
    if at < number:
        return Finding(HEAD, value, False, f"this was the head at entry {at}, before receipt {number} was written")
    if gap := max((entry for entry in books.withheld if entry <= at), default=0):
        words = (
            f"the head of the journal at entry {at}; entry {gap} is withheld, and what stands before it may have been changed"
        )
        return Finding(HEAD, value, None, words)
    words = f"the head of the journal at entry {at}: nothing up to there was changed since that mail"
    return Finding(HEAD, value, True, words)


def _dice(books: Books, what: str, value: str) -> Finding:
    if value in books.dice:
        return Finding(what, value, True, books.dice[value])
    if books.unopened:
        words = f"not in these books, but {_named(books.unopened)} may have it, whose public part is withheld"
        return Finding(what, value, None, words)
    if what == SALT and books.sealed:
        words = "not among the salts that are opened here: those of a step stand beside its orders, in an archive of view all"
        return Finding(what, value, None, words)
    holds, words = _missing(books)
    return Finding(what, value, holds, words)


def _any(books: Books, value: str, given: Given | None) -> Finding:
    head = next((one for one in books.heads if one.startswith(value)), "")
    if head:
        return _head(books, head, 0)
    dice = next((one for one in books.dice if one.startswith(value)), "")
    if dice:
        return _dice(books, "dice", dice)
    found = _digest(books, value, given)
    if found.holds:
        return found
    holds, words = _missing_hash(books)
    if len(books.heads) < len(books.kinds):
        return Finding(ANY, value, holds, words)
    return replace(found, what=ANY) if found.holds is None else found
