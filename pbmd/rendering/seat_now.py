"""What a seat's own pages show of now, and what the rules say of orders written there: made by the desk, shown by the pages."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from pbmd.rendering.render import Stand, You
from pbmd.rules.words import counted


@dataclass(frozen=True, slots=True)
class OrderMail:
    """The mail that the order form of a page ends in: `mark` and `end` are the lines around the orders, and `for_step` says
    which step orders are for; empty if none need say it."""

    address: str
    subject: str
    mark: str
    for_step: str
    end: str = "#end"


class OwnSeat(NamedTuple):
    """A seat that whoever looks at the page plays, too, and what the address of its pages ends with."""

    name: str
    tag: str


ARCHIVE_PAGE = "archive.zip"
"""Where the archive of a game that is over is among the pages of a seat."""


@dataclass(frozen=True, slots=True)
class SeatNow:
    """How things stand for a seat. `deadline` is None where none runs, or words alone tell it: `clock`, which says besides
    whose it is if it is another's. `left` is how much time is left, empty if none is. `sent` is who has sent orders, as far as
    players may know. `arrived` is when the orders `on_file` came, None if there are none. `closed` says why no orders are taken
    now; then there is no `mail`. `is_checked`: the rules can be asked about orders before they are sent. `own_seats`: in a game
    that is played at one machine (`pbmd play`), those of whoever sits there; orders are sent by a button then. `archived`: the
    game is over, and has an archive for the seat."""

    game: str
    title: str
    seat: str
    timezone: str
    status: str
    step: str
    sequential: bool
    outcome: str = ""
    deadline: datetime | None = None
    left: str = ""
    clock: str = ""
    sent: str = ""
    on_file: tuple[str, ...] | None = None
    arrived: datetime | None = None
    form: str = ""
    closed: str = ""
    mail: OrderMail | None = None
    is_checked: bool = False
    numbers_told: bool = True
    own_seats: tuple[OwnSeat, ...] = ()
    archived: bool = False


@dataclass(frozen=True, slots=True)
class SeatTold:
    """What the last report told a seat: of which `step`, empty for the beginning, what became of it, whether it `missed` the
    step, and how it stands. `now` is how it is since then in the words of a report, where letters have taken effect; `stand` is
    of now, then. `words` are the four words of the report, which everybody has."""

    step: str = ""
    you: You | None = None
    missed: bool = False
    stand: Stand | None = None
    words: str = ""
    now: str = ""


@dataclass(frozen=True, slots=True)
class CheckedLine:
    """What would become of a line: ``ok``, ``unused``, ``note``, ``refused`` or ``command``; 0 is the sheet as a whole."""

    line: int
    state: str
    text: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """What would become of all that was written; `problem` says why it was not looked at. `orders`: there are orders in it that
    do not say for which step they are. Without `text` there is nothing to send."""

    lines: tuple[CheckedLine, ...] = ()
    problem: str = ""
    orders: bool = False
    text: str = ""

    @property
    def refused(self) -> int:
        """How many lines would be refused."""
        return sum(each.state == "refused" for each in self.lines if each.line)

    @property
    def summary(self) -> str:
        """All that in a sentence; empty where there is nothing to say."""
        if any(each.state == "refused" and not each.line for each in self.lines):
            return "Nothing of it would be taken."
        if self.refused:
            return f"{counted(self.refused, 'line')} would be refused."
        return "Nothing would be refused." if self.lines else ""
