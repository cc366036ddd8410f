"""A notice to the holders of some or all seats of a game."""

from collections.abc import Sequence
from dataclasses import dataclass

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.clock_words import clock_words
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import mail_to_seat
from pbmd.ledger.entries.parts import Decision
from pbmd.ledger.entries.vote_entries import VOTE
from pbmd.ledger.tables import Seat, SeatState


def sealed_cause(work: Transaction) -> Decision:
    """The sealed part of the entry of a decision: which letter it rests on, or that it came by the command line."""
    return Decision(cause=work.cause or None)


@dataclass(frozen=True, slots=True)
class Notice:
    """What is told: `headline` goes into the subject, `reason` is in the words of whoever it is
    `by`, empty if the text says whose they are. `key` tells one notice from
    another. If it is of another deadline, `due` is the headline with the new one in it, for the subject; `short` is
    one of fewer words."""

    key: str
    headline: str
    text: str
    reason: str = ""
    due: str = ""
    short: str = ""
    by: str = "the game master"

    def titles(self, due: str) -> tuple[str, ...]:
        """What can stand in the subject, from the longest to the shortest; `due` is the deadline as it is now."""
        headlines = (self.headline, self.short) if self.short else (self.headline,)
        return (self.due.format(due=due), f"due {due}", *headlines) if self.due and due else headlines


def tell(work: Transaction, table: OpenGame, seats: Sequence[Seat], notice: Notice) -> None:
    """A notice to the holders of these seats, with the deadline as it now is."""
    for seat in seats:
        if seat.state is not SeatState.ACTIVE:
            continue
        clock = clock_words(table, seat, work.now)
        values = {
            "game": table.game,
            "seat": seat.name,
            "headline": notice.headline,
            "text": notice.text,
            "reason": notice.reason,
            "by": notice.by,
            "clock": clock,
        }
        title = subject(table, *notice.titles(clock.due))
        mail_to_seat(work, table, seat, Draft("notice", f"{notice.key} {seat.number}", title, render("notice.txt", values)))


GM = "the game master"


def in_words_of(by: str, text: str, reason: str) -> tuple[str, str]:
    """The text and the reason of a notice: those of a vote are our own words, and need no mark of somebody else's."""
    return (f"{text} {reason}", "") if by == VOTE else (text, reason)
