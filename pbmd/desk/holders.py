"""What the holders of seats are called where others can read it."""

import json
import re

from pbmd.desk.likeness import name_problem
from pbmd.desk.work import Table
from pbmd.ledger.tables import Seat
from pbmd.rules.protocol import Line, Signup, Status, Verdict

_HOLDER_CHARS = 60
_ADDRESS = re.compile(r"[^\s@<>:]+@[^\s@<>]+\.[^\s@<>]")


def called(holder: str, address: str) -> str:
    """What the holder of a seat is called in the game, unless the rules ask for a name; "" for one who gives no name.

    Everybody may read it, so an address is no name, nor is exactly what stands before the @ of one's own: mail programs that
    know no name put either into From.
    """
    name = " ".join(holder.split())
    local = address.partition("@")[0]
    return "" if "@" in name or name in (local, local.partition("+")[0]) else name[:_HOLDER_CHARS]


def addresses_in(signup: Signup) -> tuple[Verdict, ...]:
    """What is wrong with a sign-up that would publish an address: everybody reads its name, and most rules show its lines."""
    said = [(0, signup.seat), *((line.number, line.text) for line in signup.lines)]
    problem = "everybody can read this, so it cannot have an address in it."
    return tuple(Verdict(number, text, Status.ERROR, problem) for number, text in said if _ADDRESS.search(text))


def signup_of(seat: Seat) -> Signup:
    """How the seat was asked for, with what its holder is called now."""
    lines = tuple(Line(*line) for line in json.loads(seat.signup))
    return Signup(seat.name, lines, called(seat.holder, seat.address))


def new_name_problem(table: Table, seat: Seat, holder: str, address: str) -> str:
    """Why others cannot read this name for a seat's new holder, who could be taken for somebody else by it; empty if they can,
    or never read such names."""
    name = called(holder, address)
    if not name or table.ruleset.take_over is None:
        return ""
    others = [signup_of(other) for other in table.seats if other is not seat]
    taken = [known for each in others for known in (each.seat, each.holder, *table.ruleset.names(each).values()) if known]
    return name_problem(name, taken)
