"""The books of a game in the ledger."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from sqlmodel import Session, col, select

from pbmd.archive.format.books import Books, KeptReport, books_of_entries
from pbmd.archive.format.entries import Entry
from pbmd.archive.format.orders_on_file import BrokenBooks, OrdersOnFile, compare_orders, given_in
from pbmd.ledger.journal import ChainError, Link, verify
from pbmd.ledger.tables import Game, JournalEntry, Report, Seat, StepRecord, Submission, step_words
from pbmd.rules.salts import salt_of


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
    books = books_of_entries(game.name, entries, orders, broken)
    seats = {str(seat.number): seat.name for seat in session.exec(select(Seat).where(Seat.game_id == game.id))}
    if game.salts and not books.broken:
        books = replace(books, salts={**books.salts, **_open_salts(game, game.salts, seats)}, sealed=False)
    return replace(
        books,
        numbers=seats,
        seats=frozenset(seats.values()),
        reports=[*_reports(session, game, books, seats)],
        # The archive of an imported game may have had such entries.
        blanked=frozenset(row.number for row in rows if row.sealed and row.secret),
    )


def _entry(row: JournalEntry) -> Entry:
    # The secret part of an imported game may be sealed.
    secret = None if row.sealed and not row.secret else json.loads(row.secret or "{}")
    return Entry(row.number, row.at, row.kind, json.loads(row.public), secret, row.hash)


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
    """The salts for the step that is open, which come from this secret."""
    told = f"for the dice of {game.step_words}, which is open"
    return {salt_of(secret, int(number)).hex(): f"the salt of {name} {told}" for number, name in seats.items()}


def _reports(session: Session, game: Game, books: Books, seats: Mapping[str, str]) -> Iterator[KeptReport]:
    records = select(StepRecord.step, StepRecord.turn, StepRecord.name, StepRecord.secret)
    steps = {
        step: (step_words(turn, name), secret.hex())
        for step, turn, name, secret in session.exec(records.where(StepRecord.game_id == game.id))
    }
    kept = select(Report.step, Report.reader, Report.text, Report.html).where(Report.game_id == game.id)
    for step, reader, text, page in session.exec(kept.order_by(col(Report.id))):
        words, secret = steps.get(step, ("", ""))
        yield KeptReport(
            seats.get(reader.removeprefix("seat:"), ""),
            words,
            secret,
            "" if words else books.first_promise,
            partial(str, text),
            partial(str, page),
        )
