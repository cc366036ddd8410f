"""Orders that came in time and were seen only when their seat had been said to have missed the turn at the deadline.

A mail server may show a letter later than those that came after it, and a letter may lie in the junk folder until somebody
moves it back. The player is not to blame, and only the game master can take the turn back.
"""

from pbmd.desk.books.work import Work
from pbmd.desk.letters.answer import Answer
from pbmd.desk.letters.arrived import Arrived, Sender
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import is_queued, tell_gm
from pbmd.desk.player.timing import Mistimed
from pbmd.terms.times import describe_time


def tell_of_orders_seen_late(work: Work, sender: Sender, arrived: Arrived, problem: Mistimed, answer: Answer) -> None:
    """Tell the player whom to ask, and the game master by log and, once for a seat and step, by mail; by none where nobody may
    know who has sent, since they may play themselves."""
    table, seat = sender.table, sender.seat
    answer.remark("You can ask the game master to take the turn back, since your orders came in time.")
    at = describe_time(arrived.arrived_at, work.desk.settings.server.timezone, seconds=True)
    work.log("seen-late", table, seat.name, f"letter {arrived.id} came in time for turn {problem.turn}, at {at}")
    key = f"seen-late {table.id} {seat.number} {problem.step}"
    if table.terms.who_has_sent == "nothing" or is_queued(work, key):
        return
    values = {"game": table.game, "seat": seat.name, "turn": problem.turn, "arrived": at, "letter": arrived.id}
    title = subject(table, f"orders of {seat.name} were seen too late", "orders were seen too late")
    tell_gm(work, Draft("alarm", key, title, render("seen_late.txt", values)), table)
