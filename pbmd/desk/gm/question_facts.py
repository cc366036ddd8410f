"""The facts that a question to the game master rests on: if they have changed when the YES comes, it is void, otherwise not.

Letters, press, orders and other journal entries in the meantime are no reason: only what the question was about. `FACTS` is the
table of possible facts; the row of each command names those it rests on (`pbmd.desk.language.gm_commands`).
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.options import option_now
from pbmd.desk.deadlines.awaiting import awaited
from pbmd.desk.deadlines.trusted_clock import doubts
from pbmd.ledger.entries.player_entries import HolderEntry, ResignedEntry
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.entries.step_entries import JoinedEntry
from pbmd.ledger.tables import GameStatus, Seat, SeatState, StepRecord
from pbmd.rules.names import BETWEEN_NAMES, match_name
from pbmd.rules.protocol import Refused
from pbmd.terms.times import describe_time

Said = Mapping[str, str]
"""The words of a command: ``seat``, ``reason``, ``turn`` …"""
Known = Mapping[str, Any]
"""The facts as they were when the question was asked, by name; JSON."""


@dataclass(frozen=True, slots=True)
class Fact:
    """`now` is the present state, as JSON; `change` says in words how it differs from before, "" if the difference does not
    matter."""

    now: Callable[[Transaction, OpenGame, Said], Any]
    change: Callable[[Transaction, OpenGame, Said, Any], str]


def facts_of(work: Transaction, table: OpenGame, names: Iterable[str], said: Said) -> Known:
    """The present state of these facts for a command. Raises `Refused`."""
    return {name: FACTS[name].now(work, table, said) for name in names}


def changes(work: Transaction, table: OpenGame, names: Iterable[str], said: Said, known: Known) -> list[str]:
    """Which of these facts have changed, a part of a sentence each. Raises `Refused`."""
    if set(known) != set(names):
        return ["pbmd has been updated"]
    found = (FACTS[name].change(work, table, said, known[name]) for name in names)
    return [words for words in found if words]


def seat_named(table: OpenGame, name: str) -> Seat:
    """The seat with that name or unambiguous beginning of a name. Raises `Refused`."""
    match = match_name(name, table.seats, lambda seat: seat.name)
    if match.found is None:
        several = [each for each in _BETWEEN_SEATS.split(name) if each]
        if len(several) > 1 and all(match_name(each, table.seats, lambda seat: seat.name).found for each in several):
            raise Refused(f'"{name[:_SHOWN_CHARS]}" names several seats; write a line for each of them')
        raise Refused(match.problem(name, table.ruleset.info.seat_word))
    return match.found


_BETWEEN_SEATS = re.compile("|".join(BETWEEN_NAMES), re.IGNORECASE)
_SHOWN_CHARS = 80


def _step(_work: Transaction, table: OpenGame, _said: Said) -> list[Any]:
    game = table.game
    return [game.step, bool(game.position), game.step_words]


def _other_step(work: Transaction, table: OpenGame, said: Said, before: Any) -> str:
    now = _step(work, table, said)
    if before == now:
        return ""
    step, had_begun, words = before
    if not had_begun:
        return f"{table.game.name} has begun"
    work.write()
    stands = select(StepRecord.id).where(StepRecord.game_id == table.id, StepRecord.step == step, StepRecord.rolled_back == 0)
    if work.session.exec(stands).first() is None:
        return f"{table.game.name} was rolled back, and is in {now[2]}"
    over = table.game.status is GameStatus.FINISHED
    return f"{words} was resolved, and {'the game is over' if over else f'it is {now[2]} now'}"


def _over(_work: Transaction, table: OpenGame, _said: Said) -> bool:
    return table.game.status is GameStatus.FINISHED


def _ended(work: Transaction, table: OpenGame, said: Said, before: Any) -> str:
    now = _over(work, table, said)
    return "" if now is before else f"{table.game.name} {'is over' if now else 'goes on'}"


def _deadline(_work: Transaction, table: OpenGame, _said: Said) -> str:
    return table.game.deadline.isoformat() if table.game.deadline else ""


def _other_deadline(work: Transaction, table: OpenGame, said: Said, before: Any) -> str:
    if _deadline(work, table, said) == before:
        return ""
    at = table.game.deadline
    shown = describe_time(at, work.desk.settings.server.timezone) if at else "none any more"
    return f"the deadline of {table.game.step_called} is {shown}"


def _awaited(_work: Transaction, table: OpenGame, _said: Said) -> list[str]:
    return [seat.name for seat in awaited(table)]


def _more_awaited(work: Transaction, table: OpenGame, said: Said, before: Any) -> str:
    """New orders are no reason to keep a turn open; but players who have taken theirs back would miss it without being
    mentioned in the question."""
    more = [name for name in _awaited(work, table, said) if name not in before]
    return (
        f"{' and '.join(more)} {'has' if len(more) == 1 else 'have'} sent nothing now, and would miss it, too" if more else ""
    )


def _holder(work: Transaction, table: OpenGame, said: Said) -> list[Any]:
    """Whether the seat is played, and the journal's last entry that gave it its player or took them away."""
    seat = seat_named(table, said["seat"])
    work.write()
    changes = entries_of(work.session, table.id, JoinedEntry, HolderEntry, ResignedEntry, newest_first=True)
    last = next((change.number for change in changes if change.entry.seat == seat.name), 0)
    return [seat.state is SeatState.ACTIVE, last]


def _other_holder(work: Transaction, table: OpenGame, said: Said, before: Any) -> str:
    now = _holder(work, table, said)
    if now == before:
        return ""
    name = seat_named(table, said["seat"]).name
    return f"{name} has a new holder" if now[0] else f"nobody plays {name} any more"


def _option(_work: Transaction, table: OpenGame, said: Said) -> Any:
    return option_now(table, said["option"].lower()) if "option" in said else None


def _other_option(work: Transaction, table: OpenGame, said: Said, before: Any) -> str:
    now = _option(work, table, said)
    return "" if now == before else f"{said['option'].lower()} is {str(now).lower() if isinstance(now, bool) else now} now"


def _clock(work: Transaction, _table: OpenGame, _said: Said) -> str:
    return doubts(work)


def _other_clock(work: Transaction, _table: OpenGame, _said: Said, before: Any) -> str:
    now = doubts(work)
    return "" if now == before else f"the clock is in doubt for another reason now: {now}" if now else "the clock is trusted"


FACTS: Mapping[str, Fact] = {
    "step": Fact(_step, _other_step),
    "over": Fact(_over, _ended),
    "deadline": Fact(_deadline, _other_deadline),
    "awaited": Fact(_awaited, _more_awaited),
    "holder": Fact(_holder, _other_holder),
    "option": Fact(_option, _other_option),
    "clock": Fact(_clock, _other_clock),
}
