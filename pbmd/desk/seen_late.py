"""Orders that came in time and were seen only when the deadline had closed their turn.

A mail server may show a letter later than those that came after it, and a letter may lie in the junk folder until somebody
moves it back. The player is not to blame, and only the game master can take the turn back, so they are told at once.
"""

from typing import TYPE_CHECKING

from pbmd.desk.answer import Answer
from pbmd.desk.mails import Draft, render, subject, tell_gm
from pbmd.desk.times import describe_time
from pbmd.desk.trust import Sender
from pbmd.desk.work import Work

if TYPE_CHECKING:
    from pbmd.desk.opened import Arrived


def tell_of_orders_seen_late(work: Work, sender: Sender, arrived: "Arrived", turn: int, answer: Answer) -> None:
    """Tell the game master by mail and log, and the player that they know."""
    table, seat = sender.table, sender.seat
    at = describe_time(arrived.arrived_at, work.desk.settings.server.timezone, seconds=True)
    work.log("seen-late", table, seat.name, f"letter {arrived.id} came in time for turn {turn}, at {at}")
    values = {"game": table.game, "seat": seat.name, "turn": turn, "arrived": at, "letter": arrived.id}
    title = subject(table, f"orders of {seat.name} came in time and were seen too late")
    tell_gm(work, Draft("alarm", f"seen-late {table.id} {arrived.id}", title, render("seen_late.txt", values)), table)
    answer.remark("The game master is told that your orders came in time, and can take the turn back.")
