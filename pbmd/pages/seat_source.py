"""What the pages of seats are made from, passed in once: the ledger to read, and what only the desk knows."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Engine

from pbmd.post.tags import SeatNumber
from pbmd.rendering.seat_now import Checked, SeatNow, SeatTold


@dataclass(frozen=True, slots=True)
class SeatSource:
    """`seat_of` returns the seat of the tag in an address, None for an invalid one, in the same time whatever is wrong with it.
    `stands` says how things stand for a seat, `told` what its last report said, `press` what came with the reports of a turn,
    `check` what the rules say about orders, `archive` makes the archive of a game that is over, as the seat may know it (a zip,
    empty if there is none); none of them changes anything."""

    engine: Engine
    seat_of: Callable[[str], SeatNumber | None]
    stands: Callable[[SeatNumber], SeatNow]
    told: Callable[[SeatNumber], SeatTold]
    press: Callable[[SeatNumber, int], str]
    check: Callable[[SeatNumber, str], Checked]
    archive: Callable[[SeatNumber], bytes]
