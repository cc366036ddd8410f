"""What the entries about single seats, and the end of a game, do to its clock: orders on file, WAIT and READY, deadlines
missed, seats given up or asleep. None of them moves the deadline of the game."""

from typing import Any

from pbmd.archive.format.clock import Clock, moment_of
from pbmd.archive.format.entries import Entry
from pbmd.archive.format.sheets import moment
from pbmd.ledger.entries import kinds
from pbmd.ledger.entries.parts import OneSeat, Orders
from pbmd.ledger.entries.player_entries import UNTIL_ORDERS, EarlyEnd
from pbmd.ledger.tables import SubmissionState
from pbmd.rules import Ruleset

OF_SEATS = frozenset({"orders", "cancelled", "wait", "ready", "missed", "resigned", "holder", "asleep", "awake", "finished"})
"""The kinds of these entries."""


def take_seat_entry(clock: Clock, rules: Ruleset[Any], entry: Entry, *, is_ours: bool) -> None:
    """The clock after such an entry. `is_ours`: this edition of pbmd opened the step. Raises `ValueError`."""
    match entry.content:
        case kinds.OrdersEntry(sealed=Orders(state=SubmissionState.FILED.value) as sent) if not rules.sequential:
            # Editions before this one took everything that was read for orders that were sent since.
            clock.file(sent.seat, entry.at, moment(sent.arrival) if is_ours else entry.at)
        case kinds.CancelledEntry(sealed=OneSeat(seat=seat)):
            clock.settled.pop(seat, None)
        case kinds.ReadyEntry(sealed=OneSeat(seat=seat)):  # before its base class
            clock.wait_no_more(seat)
        case kinds.WaitEntry(sealed=EarlyEnd(seat=seat, until=until, arrived=arrived)):
            since = moment_of(arrived or "") if until == UNTIL_ORDERS else None
            clock.wait(seat, until_orders_since=since and since.replace(microsecond=0))
        case kinds.MissedEntry(sealed=OneSeat(seat=seat)):
            clock.miss(seat, entry.at)
        case kinds.ResignedEntry(seat=seat):
            clock.give_up(seat, entry.at, is_known=rules.resign is not None)
        case kinds.HolderEntry(seat=seat):
            clock.take_over(seat)
        case kinds.AsleepEntry(sealed=OneSeat(seat=seat), step=step):
            clock.asleep[seat] = step
        case kinds.AwakeEntry(sealed=OneSeat(seat=seat)):
            clock.asleep.pop(seat, None)
        case kinds.FinishedEntry():
            clock.deadline = clock.paused = None
        case _:
            pass
