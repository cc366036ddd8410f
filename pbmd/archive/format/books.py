"""The books of a game, against which a mail is checked: an archive, which may be anybody's, or the ledger."""

import json
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, select

from pbmd.archive.format.audience import entry_for_audience
from pbmd.archive.format.entries import BrokenJournal, Entry, read_entries
from pbmd.archive.format.late_steps import late_steps
from pbmd.archive.format.orders_on_file import (
    BrokenBooks,
    OrdersOnFile,
    compare_orders,
    given_in,
    letters_in,
    orders_not_seen,
    orders_of_archive,
    read_file,
)
from pbmd.archive.format.own_deeds import Deed, deeds_in
from pbmd.archive.format.press_and_deadlines import (
    Due,
    KeptNotice,
    KeptPress,
    deadlines_by_entry,
    deadlines_in,
    notices_in,
    press_in,
)
from pbmd.archive.format.salts import Shown, opened_salts
from pbmd.archive.format.seals import files_of
from pbmd.archive.format.sheets import moment
from pbmd.ledger.entries.codec import Entry as Content
from pbmd.ledger.entries.codec import MalformedEntry
from pbmd.ledger.entries.kinds import turn_of
from pbmd.ledger.entries.parts import Orders
from pbmd.ledger.entries.player_entries import AddressEntry, EjectedEntry, HolderEntry, OrdersEntry, ResignedEntry
from pbmd.ledger.entries.reveal_entries import RevealedEntry, who_played
from pbmd.ledger.entries.step_entries import (
    CreatedEntry,
    FinishedEntry,
    ImportedEntry,
    ResolvedEntry,
    RestoredEntry,
    RolledBackEntry,
    StartedEntry,
    kept_back_in,
)
from pbmd.ledger.entries.vote_entries import BallotEntry
from pbmd.ledger.journal import ChainError, Link, verify
from pbmd.ledger.tables import Game, JournalEntry, Report, Seat, StepRecord, Submission, step_words
from pbmd.rendering.picture import picture_file, picture_within
from pbmd.rules.dice import commitment
from pbmd.rules.salts import salt_of


@dataclass(frozen=True, slots=True)
class ShownSecret:
    """A dice secret or a commitment to one: the entry that shows it, and the names of the steps that it belongs to, none if the
    books do not say; `told` says what it is."""

    entry: int
    value: str
    of: frozenset[str]
    told: str


@dataclass(frozen=True, slots=True)
class KeptReport:
    """A report on a step: for which seat, empty if it is the public one; what the step is called, its dice secret and the
    commitment that was shown with it; for the beginning only the commitment. `text` and `page` are the report and its page."""

    seat: str
    of: str
    secret: str
    commitment: str
    text: Callable[[], str]
    page: Callable[[], str]


@dataclass(frozen=True)
class Books:
    """What is known of a game. `kinds` are the kinds of all entries of its journal and the turns they are about, the first at
    0, `hashes` their hashes (empty where they are not shown) and `times` when they were written; `heads`: hash → number of the
    entry. `secrets` and `promises` are those of the dice. `broken` says how the books contradict themselves, and `where` in
    which file and line of an archive; `told_by` names the source that says how orders were understood and what became of them,
    if that is somebody else. With `open_end` the game may have gone on where these end. `withheld` are the entries at which the
    chain begins anew, and `blanked` those whose secret part is not what was sealed: an archive can have such entries, and so
    can a forged one. `unseen` says why there may be orders whose digest is not shown here, empty if there are none.
    `first_name` is the name that the game had when it was created: one that was imported may have another. `unopened` are the
    entries that open or promise dice and do not show which. `before` are the head and number of the last entry of the journal
    that this one continues. `no_reports` says why no report can be compared, empty if those that are there can; `seats` are the
    names of all seats. `arrivals` are those of the orders that an entry holds, where the entry itself is the only source for
    them. `salts`: salt, in hex → what it is; with `sealed` there are others. `press` is what entries show, and all of it unless
    more of it is `unshown`. `key` is the one that the end of an archive's journal is signed with, if it says so. `passed_on`:
    seat → the entries since which it has had another holder or address, and whether it has had one. `numbers`: number of a
    seat → its name. `notices` are the mails that entries make, and `letters` the letters with orders that they hold, each
    with the number of its entry. `due` are the deadlines that run after each entry, and `deeds` what players did besides
    sending orders. `ballots` are those that are shown: whose, in which vote, and what. `is_silent`: nobody is told who has
    sent, so receipts have no numbers. `late` are steps that waited though all was in, and `gone_on` are number and hash of the
    entry of the journal before this one after which the game went on, and the turn that was played next. `revealed`: entry →
    the lines by which an anonymous game said then who had played it; it does so each time it is over."""

    game: str
    kinds: Sequence[tuple[str, int | None]]
    heads: dict[str, int]
    secrets: Sequence[ShownSecret]
    promises: Sequence[ShownSecret]
    orders: Sequence[OrdersOnFile]
    hashes: Sequence[str] = ()
    times: Sequence[datetime] = ()
    broken: str = ""
    where: tuple[str, int] = ("", 0)
    open_end: bool = False
    told_by: str = ""
    withheld: Sequence[int] = ()
    blanked: frozenset[int] = frozenset()
    unseen: str = ""
    first_name: str = ""
    unopened: Sequence[int] = ()
    before: tuple[str, int] = ("", 0)
    reports: Sequence[KeptReport] = ()
    no_reports: str = ""
    seats: frozenset[str] = frozenset()
    arrivals: Mapping[int, datetime] = field(default_factory=dict[int, datetime])
    salts: Mapping[str, str] = field(default_factory=dict[str, str])
    sealed: bool = False
    press: Sequence[KeptPress] = ()
    unshown: bool = False
    deadlines: frozenset[datetime] = frozenset()
    due: Sequence[Due] = ()
    deeds: Sequence[Deed] = ()
    notices: Sequence[KeptNotice] = ()
    letters: Sequence[tuple[int, Orders]] = ()
    is_silent: bool = False
    ballots: frozenset[tuple[str, int, str]] = frozenset()
    late: Sequence[tuple[int, str]] = ()
    gone_on: tuple[int, str, int] = (0, "", 0)
    numbers: Mapping[str, str] = field(default_factory=dict[str, str])
    key: str = ""
    passed_on: Mapping[str, Sequence[tuple[int, bool]]] = field(default_factory=dict[str, Sequence[tuple[int, bool]]])
    revealed: Mapping[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])

    def who_played(self, finished: int) -> tuple[str, ...]:
        """Who played an anonymous game that was over with that entry; none for other games."""
        return self.revealed.get(finished + 1, ())


def books_of_archive(payload: Path) -> Books:
    """The books in an archive; `payload` is the folder with its game.toml. Raises `OSError` and, if it is no archive,
    `ValueError`."""
    files = files_of(payload)
    try:
        game = tomllib.loads(read_file(payload / "game.toml"))
    except RecursionError:
        raise ValueError("its game.toml is no TOML: its brackets are nested too deep") from None
    entries: list[Entry] = []
    orders: list[OrdersOnFile] = []
    broken, where = "", ("", 0)
    try:
        entries.extend(read_entries(payload / "journal.jsonl"))
        orders.extend(orders_of_archive(payload, files, entries))
    except BrokenJournal as problem:
        broken, where = str(problem), ("journal.jsonl", problem.line)
    except BrokenBooks as problem:
        broken, where = str(problem), (problem.file, problem.line)
    books = _books(str(game.get("name", "")), entries, orders, broken, open_end=game.get("status") != "finished")
    if game.get("anonymised"):
        books = replace(books, no_reports="what tells who somebody is was taken out of the reports of this archive")
    else:
        reports = list(_reports_of_archive(payload, files, game, books))
        books = replace(books, reports=reports, seats=frozenset(_seats(game).values()))
    books = replace(books, numbers=_seats(game))
    books = replace(_with_gaps(books, entries), arrivals=_arrivals(entries), where=where, told_by=_OF_SHEETS)
    books = _with_words(_with_salts(books, _shown(entries)), _shown(entries))
    return replace(books, unseen=orders_not_seen(game.get("view"), orders, entries), key=_key(game))


def _key(game: Mapping[str, object]) -> str:
    journal: Any = game.get("journal")
    return str(journal.get("key", "")) if isinstance(journal, Mapping) else ""


def _with_gaps(books: Books, entries: Sequence[Entry]) -> Books:
    """Adds which entries are not shown, or not as they were sealed."""
    return replace(
        books,
        withheld=[entry.number for entry in entries if not entry.bound],
        blanked=frozenset(entry.number for entry in entries if entry.bound and not entry.sure),
        unopened=[entry.number for entry in entries if entry.public is None and entry.kind in _OPENING],
    )


def books_of_ledger(session: Session, game: Game) -> Books:
    """The books of a game in the ledger."""
    rows = session.exec(select(JournalEntry).where(JournalEntry.game_id == game.id).order_by(col(JournalEntry.number))).all()
    entries = [_entry(row) for row in rows]
    broken = ""
    orders: list[OrdersOnFile] = []
    try:
        _check_chain(rows, game)
        orders.extend(_orders_of_ledger(session, game))
        for given in orders:
            compare_orders(given, entries)
    except (ChainError, BrokenBooks) as problem:
        broken = str(problem)
    books = _books(game.name, entries, orders, broken)
    seats = {f"seat:{seat.number}": seat.name for seat in session.exec(select(Seat).where(Seat.game_id == game.id))}
    reports = list(_reports_of_ledger(session, game, books, seats))
    numbers = {reader.removeprefix("seat:"): name for reader, name in seats.items()}
    books = replace(books, reports=reports, seats=frozenset(seats.values()), numbers=numbers)
    books = _with_words(_with_salts(books, _shown(entries)), _shown(entries))
    if game.salts and not books.broken:
        books = replace(books, salts={**books.salts, **_open_salts(game, game.salts, seats)}, sealed=False)
    # The archive of an imported game may have had such entries.
    return replace(books, blanked=frozenset(row.number for row in rows if row.sealed and row.secret))


def _entry(row: JournalEntry) -> Entry:
    # The secret part of an imported game may be sealed.
    secret = None if row.sealed and not row.secret else json.loads(row.secret or "{}")
    return Entry(row.number, row.at, row.kind, json.loads(row.public), secret, row.hash)


def _shown(entries: Iterable[Entry]) -> list[Shown]:
    """What entries say, as far as they are shown. One that has not what its kind has says what no type has."""
    parts = ((entry.kind, entry.public, entry.secret) for entry in entries)
    return [(kind, None if public is None else entry_for_audience(kind, public, secret)) for kind, public, secret in parts]


def _check_chain(rows: Iterable[JournalEntry], game: Game) -> None:
    """Raises `ChainError`."""
    head = verify(Link(row.number, row.at, row.kind, row.public, row.secret, row.salt, row.hash, row.sealed) for row in rows)
    if head != (game.chain_head or head):
        raise ChainError("the last entry is missing")


def _orders_of_ledger(session: Session, game: Game) -> Iterator[OrdersOnFile]:
    """All orders that came, in order. Raises `BrokenBooks` where they do not match their digest."""
    columns = select(Submission, Seat.name).join(Seat, col(Seat.id) == col(Submission.seat_id))
    for row, seat in session.exec(columns.where(Submission.game_id == game.id).order_by(col(Submission.id))):
        given = given_in(seat, row.number, row.arrived_at, row.digest, row.state.value, json.loads(row.orders))
        yield replace(given, word=row.word)


def _open_salts(game: Game, secret: bytes, seats: Mapping[str, str]) -> dict[str, str]:
    """The salts for the step that is open, which come from this secret; seats are given as report readers."""
    told = f"for the dice of {game.step_words}, which is open"
    numbers = {int(reader.removeprefix("seat:")): name for reader, name in seats.items()}
    return {salt_of(secret, number).hex(): f"the salt of {name} {told}" for number, name in numbers.items()}


_OPENING = {
    CreatedEntry.kind: "the sign-up began",
    StartedEntry.kind: "the set-up",
    ImportedEntry.kind: "the beginning here",
    ResolvedEntry.kind: "turn {turn}",
    RolledBackEntry.kind: "a step taken back",
    RestoredEntry.kind: "a restored backup",
    FinishedEntry.kind: "the step that was open when the game ended",
}
"""The entries that open or promise dice, and which dice."""


def _books(
    game: str, entries: Sequence[Entry], orders: Sequence[OrdersOnFile], broken: str, *, open_end: bool = False
) -> Books:
    shown = [content for _, content in _shown(entries)]
    kinds = [(entry.kind, turn_of(content)) for entry, content in zip(entries, shown, strict=True)]
    heads = {entry.hash: number for number, entry in enumerate(entries, start=1) if entry.hash}
    first_name = next((content.game for content in shown if isinstance(content, CreatedEntry)), "")
    gone_on = next((content for content in shown if isinstance(content, ImportedEntry)), None)
    before = (gone_on.archive.head, gone_on.archive.entries) if gone_on else ("", 0)
    since = (gone_on.archive.entry.number, gone_on.archive.entry.hash, gone_on.turn) if gone_on else (0, "", 0)
    books = Books(game, kinds, heads, *_dice(shown), orders, broken=broken, open_end=open_end, first_name=first_name)
    hashes, times = [entry.hash for entry in entries], [entry.at for entry in entries]
    return replace(books, before=before, gone_on=since, hashes=hashes, times=times)


def _with_salts(books: Books, entries: Iterable[Shown]) -> Books:
    if books.broken:
        return books
    try:
        salts, sealed = opened_salts(entries)
    except ValueError:
        return replace(books, broken="an entry that opens salts has not what such an entry has")
    return replace(books, salts=salts, sealed=sealed)


def _with_words(books: Books, entries: Sequence[Shown]) -> Books:
    """The books with what entries say in words: press, deadlines, and who has held a seat since when."""
    if books.broken:
        return books
    press, unshown = press_in(entries)
    deadlines, notices = deadlines_in(entries), notices_in(entries)
    passed_on = defaultdict[str, list[tuple[int, bool]]](list)
    for number, (_, content) in enumerate(entries, 1):
        if isinstance(content, HolderEntry | EjectedEntry | ResignedEntry):
            passed_on[content.seat].append((number, isinstance(content, HolderEntry)))
        elif isinstance(content, AddressEntry) and content.sealed:
            passed_on[content.sealed.seat].append((number, True))
    letters = [
        (number, each)
        for number, (_, content) in enumerate(entries, 1)
        if content
        for each in (content.sealed, *kept_back_in(content))
        if isinstance(each, Orders)
    ]
    silent = any(isinstance(each, CreatedEntry) and each.terms.get("who_has_sent") == "nothing" for _, each in entries)
    return replace(
        books,
        letters=letters,
        is_silent=silent,
        ballots=_ballots(entries),
        late=[*late_steps(entries, books.times)],
        press=press,
        unshown=unshown,
        deadlines=deadlines,
        due=deadlines_by_entry(entries),
        deeds=deeds_in(entries),
        notices=notices,
        passed_on=passed_on,
        revealed=_revealed(entries),
    )


def _revealed(entries: Iterable[Shown]) -> dict[int, tuple[str, ...]]:
    """Who played an anonymous game, by the entries that say so."""
    shown = ((number, each) for number, (_, each) in enumerate(entries, 1) if isinstance(each, RevealedEntry))
    return {number: who_played(each.players) for number, each in shown}


def _ballots(entries: Iterable[Shown]) -> frozenset[tuple[str, int, str]]:
    """The ballots that entries show: whose, in which vote, and what."""
    papers = ((each.vote, each.sealed) for _, each in entries if isinstance(each, BallotEntry))
    return frozenset((paper.seat, vote, paper.answer) for vote, paper in papers if paper is not None)


def _dice(entries: Sequence[Content | None]) -> tuple[list[ShownSecret], list[ShownSecret]]:
    """The secrets and the commitments that the entries show, each where it is first. A commitment is to the secret of the steps
    that were resolved with it: where several moves were resolved together, these are several."""
    steps: dict[str, set[str]] = {}
    for entry in entries:
        if isinstance(entry, ResolvedEntry):
            steps.setdefault(entry.secret, set()).add(step_words(entry.turn, entry.name or ""))
    kept = {_promise(secret): words for secret, words in steps.items()}
    secrets, promises = dict[str, ShownSecret](), dict[str, ShownSecret]()
    for number, entry in enumerate(entries, start=1):
        if entry is None or entry.kind not in _OPENING:
            continue
        what = _OPENING[entry.kind].format(turn=turn_of(entry))
        secret, promise = getattr(entry, "secret", None) or "", getattr(entry, "commitment", None) or ""
        if secret:
            of = frozenset(steps[secret] if isinstance(entry, ResolvedEntry) else ())
            secrets.setdefault(secret, ShownSecret(number, secret, of, f"the dice secret of {what}"))
        if promise:
            told = f"the commitment to the dice that came after {what}"
            promises.setdefault(promise, ShownSecret(number, promise, frozenset(kept.get(promise, ())), told))
    return list(secrets.values()), list(promises.values())


def _promise(secret: str) -> str:
    try:
        return commitment(bytes.fromhex(secret))
    except ValueError:
        return ""


def _reports_of_archive(payload: Path, files: Iterable[str], game: Mapping[str, object], books: Books) -> Iterator[KeptReport]:
    """The reports in the folders of turns. The resolution.toml of a folder says which step it is about."""
    names = _seats(game)
    begun = _first_promise(books)
    there = frozenset(files)
    steps: dict[str, tuple[str, str]] = {}
    for name in sorted(there):
        folder, _, report = name.rpartition("/reports/")
        if not folder.startswith("turns/") or not report.endswith(".txt"):
            continue
        if folder not in steps:
            steps[folder] = _step_of(payload, folder) if f"{folder}/resolution.toml" in there else ("", "")
        words, secret = steps[folder]
        seat = "" if report == "public.txt" else names.get(report.partition("-")[0])
        if seat is None:
            continue
        page = f"{name.removesuffix('.txt')}.html"
        page_of = partial(_page, payload, page) if page in there else str
        yield KeptReport(seat, words, secret, "" if words else begun, partial(read_file, payload / name), page_of)


def _page(payload: Path, name: str) -> str:
    """The page of a report, including its picture."""
    page = read_file(payload / name)
    picture = payload / f"{name.rpartition('/reports/')[0]}/maps/{picture_file(page)}.svg"
    return picture_within(page, read_file(picture)) if picture_file(page) and picture.is_file() else page


def _seats(game: Mapping[str, object]) -> dict[str, str]:
    """The names of the seats by their numbers, as game.toml has them."""
    seats: Any = game.get("seats")
    said: list[Any] = [seat for seat in seats if isinstance(seat, Mapping)] if isinstance(seats, list) else []
    return {str(seat.get("number")): str(seat.get("name")) for seat in said}


_FIRST = (StartedEntry.kind, ImportedEntry.kind)


def _first_promise(books: Books) -> str:
    """The commitment in the first reports."""
    opening = (shown for shown in books.promises if books.kinds[shown.entry - 1][0] in _FIRST)
    return next((shown.value for shown in opening), "")


def _step_of(payload: Path, folder: str) -> tuple[str, str]:
    """What a resolved step is called, and its secret, as its folder says."""
    try:
        resolution = tomllib.loads(read_file(payload / folder / "resolution.toml"))
    except (ValueError, RecursionError):
        return "", ""
    turn, name, secret = (resolution.get(key, "") for key in ("turn", "name", "secret"))
    return (step_words(turn, str(name)), str(secret)) if isinstance(turn, int) else ("", "")


def _reports_of_ledger(session: Session, game: Game, books: Books, names: Mapping[str, str]) -> Iterator[KeptReport]:
    records = select(StepRecord.step, StepRecord.turn, StepRecord.name, StepRecord.secret)
    steps = {
        step: (step_words(turn, name), secret.hex())
        for step, turn, name, secret in session.exec(records.where(StepRecord.game_id == game.id))
    }
    begun = _first_promise(books)
    kept = select(Report.step, Report.reader, Report.text, Report.html).where(Report.game_id == game.id)
    for step, reader, text, page in session.exec(kept.order_by(col(Report.id))):
        words, secret = steps.get(step, ("", ""))
        yield KeptReport(names.get(reader, ""), words, secret, "" if words else begun, partial(str, text), partial(str, page))


def _arrivals(entries: Iterable[Entry]) -> dict[int, datetime]:
    """When the orders in entries arrived, as far as these are shown, and as pbmd writes them."""
    found: dict[int, datetime] = {}
    for entry in entries:
        if entry.kind == OrdersEntry.kind and entry.sure:
            with suppress(MalformedEntry, OverflowError):
                for orders in letters_in(entry):
                    found[entry.number] = moment(orders.arrival)
    return found


_OF_SHEETS = "as sheets.json has it, which pbmd verify checks"
