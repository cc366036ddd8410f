"""Reminders of a deadline, to those of whom no usable orders have arrived when it is time to."""

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.awaiting import reminders_left
from pbmd.desk.deadlines.evidence import Evidence
from pbmd.desk.mail.clock_words import clock_words
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import mail_to_seat
from pbmd.desk.mail.tags import form_top
from pbmd.desk.step.nmr import no_orders
from pbmd.desk.step.sleepers.warnings import sleep_words
from pbmd.terms.times import describe_duration


def remind(work: Transaction, table: OpenGame, evidence: Evidence) -> None:
    """Remind those of whom no usable orders had arrived when it was time to; once for each time set."""
    for reminder in reminders_left(work, table):
        seat = reminder.seat
        if reminder.at > evidence.until:
            continue
        clock = clock_words(table, seat, work.now)
        none = no_orders(work, table, seat)
        values = {
            "game": table.game,
            "seat": seat.name,
            "mark": form_top(work, table, seat),
            "form": table.ruleset.order_form(table.position, seat.name),
            "useless": none.told.strip("()"),
            "unread": none.unread,
            "errors": none.errors,
            "sequential": table.ruleset.sequential,
            "sleep": sleep_words(work, table, seat),
            "clock": clock,
            "missed": table.ruleset.info.nothing.missed_in(table.phase),
        }
        title = subject(table, f"no orders yet, {clock.left} left", f"{clock.left} left", seat=seat.name)
        mail_to_seat(work, table, seat, Draft("reminder", reminder.key, title, render("reminder.txt", values)))
        left = describe_duration(reminder.deadline - work.now)
        work.log("reminder", table, seat.name, table.of_step(f"{left} before the deadline"))
