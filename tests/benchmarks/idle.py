"""A tick with many idle games against a tick with few: its work must grow with what is due, not with what is kept."""

from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import insert
from sqlmodel import SQLModel

from pbmd.daemon.heartbeat import work_pass
from pbmd.desk.books.desk import Desk, open_desk
from pbmd.desk.sending.sender import send_due
from pbmd.ledger.tables import (
    Game,
    GameStatus,
    JournalEntry,
    Letter,
    LetterState,
    Mailbox,
    Outbox,
    OutboxState,
    Seat,
    SeatState,
)
from pbmd.post.smtp.client import Smtp
from pbmd.settings import read_settings
from pbmd.terms.terms import Terms
from tests.benchmarks.estate import scratch, write_settings
from tests.benchmarks.measure import Result, columns, in_turn, seconds

FEW, MANY = 100, 100_000
TICKS = 20
"""Pairs for each repeat: a tick takes milliseconds only."""
_AT_ONCE = 10_000


def measure(repeats: int) -> list[Result]:
    """The desk's tick and the look into the outbox, with everything idle."""
    with scratch() as folder:
        desks = [kept(folder, MANY), kept(folder, FEW)]
        try:
            for desk in desks:
                tick(desk)
            rows = list(in_turn(repeats * TICKS, lambda: _seconds(desks[0]), lambda: _seconds(desks[1])))
        finally:
            for desk in desks:
                desk.engine.dispose()
    many, few = columns(rows, 1000)
    note = "letters, clock, log and outbox looked at; each game kept with 2 seats, a letter done, a mail sent, a journal entry"
    return [Result("idle", f"tick with {MANY:,} idle games", f"tick with {FEW} idle games", "ms", 1.5, many, few, note)]


def _seconds(desk: Desk) -> float:
    return seconds(lambda: tick(desk))


def tick(desk: Desk) -> None:
    """What the desk looks at again and again, when there is nothing to do."""
    work_pass(desk, mail_waits=lambda: None)
    assert send_due(desk, _nobody_is_called) == 0


def _nobody_is_called() -> AbstractContextManager[Smtp]:
    raise AssertionError("there is no mail to send")


def kept(folder: Path, count: int) -> Desk:
    """A desk whose ledger keeps so many games, none of them due."""
    home = folder / str(count)
    home.mkdir()
    desk = open_desk(read_settings(write_settings(home, 143, "games")))
    with desk.engine.begin() as connection:
        now = datetime.now(UTC)
        connection.execute(insert(Mailbox), [{"name": "m", "uidvalidity": 1, "last_uid": count, "read_through": now}])
        for first in range(0, count, _AT_ONCE):
            numbers = range(first + 1, min(first + _AT_ONCE, count) + 1)
            for table, rows in idle_rows(numbers, now).items():
                connection.execute(insert(table), rows)
    return desk


def idle_rows(numbers: range, now: datetime, first_uid: int = 0) -> dict[type[SQLModel], list[dict[str, Any]]]:
    """The rows of running games with these ids, none of which is due for a day; the UIDs of their letters come after
    `first_uid`."""
    terms, before = Terms().model_dump_json(), now - timedelta(hours=1)
    game = {
        "ruleset": "galactic_overlord",
        "status": GameStatus.RUNNING,
        "options": "{}",
        "terms": terms,
        "position": "{}",
        "turn": 1,
        "step": 0,
        "opened_at": now,
        "created_at": now,
        "secret": b"",
        "chain_number": 1,
        "chain_head": "0" * 64,
    }
    seat = {
        "holder": "",
        "timezone": "UTC",
        "token_generation": 1,
        "state": SeatState.ACTIVE,
        "waits": False,
        "missed_step": -1,
        "extended_minutes": 0,
        "signup": "[]",
    }
    letter = {"arrived_at": now, "size": 300, "truncated": False, "raw": b"x" * 300, "state": LetterState.DONE, "note": ""}
    mail = {
        "kind": "acknowledgement",
        "envelope_from": "g@pbmd.test",
        "raw": b"x" * 300,
        "state": OutboxState.SENT,
        "tries": 1,
        "queued_at": before,
        "next_try_at": before,
        "sent_at": before,  # the mails of the last minute are counted, however many games there are
        "error": "",
    }
    entry = {"number": 1, "at": now, "kind": "created", "public": "{}", "secret": "", "salt": "", "hash": "0" * 64}
    return {
        Game: [_game(game, number, now) for number in numbers],
        Seat: [
            seat | {"game_id": number, "number": place, "name": f"Seat {place}", "address": f"p{place}@g{number}.test"}
            for number in numbers
            for place in (1, 2)
        ],
        Letter: [letter | {"fingerprint": f"{number:064}", "uid": first_uid + number, "game_id": number} for number in numbers],
        JournalEntry: [entry | {"game_id": number} for number in numbers],
        Outbox: [
            mail
            | {"key": f"mail {number}", "game_id": number, "recipient": f"p1@g{number}.test", "message_id": f"<{number}@x>"}
            for number in numbers
        ],
    }


def _game(game: dict[str, Any], number: int, now: datetime) -> dict[str, Any]:
    later = now + timedelta(days=1, seconds=number % 86_400)
    return game | {"id": number, "name": f"g{number}", "deadline": later, "due_at": later}
