"""What could not be read in a game, and was put aside, until the game master has dealt with it."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import update
from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.tables import UnreadableValue
from pbmd.rules.protocol import Refused

_MOST_NAMED = 6


def unsettled(work: Transaction, *of: Any) -> Sequence[UnreadableValue]:
    """The values that match this condition and that somebody has to deal with, in the order in which they were found."""
    work.write_rows()
    values = select(UnreadableValue).where(col(UnreadableValue.settled_at).is_(None), *of)
    return work.session.exec(values.order_by(col(UnreadableValue.id))).all()


def unsettled_of(work: Transaction, table: OpenGame) -> Sequence[UnreadableValue]:
    """Those in a game."""
    return unsettled(work, *of_game(table))


def of_game(table: OpenGame) -> tuple[Any, ...]:
    """The condition for a game's values: a mail is held by itself."""
    return UnreadableValue.game_id == table.id, UnreadableValue.of_table != "outbox"


def words_of(values: Sequence[UnreadableValue]) -> str:
    """Which values these are: ``deadline and terms of game 1, state of seat 4``. Their contents are not shown."""
    rows: dict[str, list[str]] = {}
    for value in values:
        rows.setdefault(f"{value.of_table} {value.of_row}", []).append(value.of_column)
    named = [f"{' and '.join(columns)} of {row}" for row, columns in rows.items()]
    more = [f"and {len(named) - _MOST_NAMED} rows more"] if len(named) > _MOST_NAMED else []
    return ", ".join([*named[:_MOST_NAMED], *more])


def must_be_readable(work: Transaction, table: OpenGame) -> None:
    """Raises `Refused` for a game in which something could not be read, and says how to recover."""
    if values := unsettled_of(work, table):
        name = table.game.name
        raise Refused(
            f"{name} stands still, since the ledger has what cannot be read: {words_of(values)}. Go back to a backup (pbmd "
            f"restore), or see to what is missing now and let it go on with pbmd resume {name} --as-it-is"
        )


def settle(work: Transaction, *of: Any) -> None:
    """Nobody has to do anything about these any more."""
    work.write_rows()
    waiting = update(UnreadableValue).where(col(UnreadableValue.settled_at).is_(None), *of)
    work.session.exec(waiting.values(settled_at=work.now), execution_options={"synchronize_session": False})
