"""What a player chooses for themselves: the time zone of what they are told, and whether their mails have invitations."""

from typing import TYPE_CHECKING

from pbmd.desk.answer import Answer
from pbmd.desk.commands import Command
from pbmd.desk.games import sealed_cause
from pbmd.desk.times import TimeError, describe_time, named_zone
from pbmd.desk.trust import Sender
from pbmd.desk.work import Table, Work
from pbmd.ledger.tables import Seat

if TYPE_CHECKING:
    from pbmd.desk.clerk import Arrived


def set_timezone(work: Work, table: Table, seat: Seat, name: str) -> None:
    """The holder of a seat gets the times in the zone of that name, too. It must be one; where somebody lives is nobody
    else's business."""
    seat.timezone = name
    work.journal(table, "timezone", {}, sealed_cause(work) | {"seat": seat.name, "timezone": name})
    work.log("timezone", table, seat.name)


def timezone(work: Work, sender: Sender, _arrived: "Arrived", command: Command, answer: Answer) -> None:
    """TIMEZONE."""
    seat = sender.seat
    try:
        name = named_zone(command.words["zone"])
    except TimeError as problem:
        answer.remark(f"TIMEZONE: {problem}.")
        return
    if name != seat.timezone:
        set_timezone(work, sender.table, seat, name)
    answer.remark(f"Your time zone is {name}. It is {describe_time(work.now, name)}.")
