"""What the holders of seats are called where others can read it."""

import json
import re

from pbmd.desk.books.transaction import OpenGame
from pbmd.desk.language.likeness import name_problem
from pbmd.ledger.tables import Seat
from pbmd.post.lines.text import normal
from pbmd.rules.protocol import Line, Signup, Status, Verdict

_HOLDER_CHARS = 60
_AROUND = "\"'<>() "
_ADDRESS = re.compile(r"[^\s@<>:]+@[^\s@<>]+\.[^\s@<>]")


def called(holder: str, address: str) -> str:
    """What the holder of a seat is called in the game, unless the rules ask for a name; "" for one who gives no name.

    Everybody may read it, so an address is no name, nor is what stands before the @ of one's own, quoted or not and however it
    is written: mail programs that know no name put either into From. Only a word with a capital is: Kim is called kim@….
    """
    name = " ".join(holder.split())
    bare, local = normal(name).strip(_AROUND), address.partition("@")[0]
    is_local = bare.casefold() in (local.casefold(), local.partition("+")[0].casefold())
    is_written_as_name = bare.isalpha() and bare[0].isupper() and not bare.isupper()
    return "" if "@" in bare or (is_local and not is_written_as_name) else name[:_HOLDER_CHARS]


def known_as(table: OpenGame, seat: Seat, holder: str, address: str) -> str:
    """What somebody who takes a seat over is called in the game; "" for one who gives no name, or one that could be taken for
    another's or for more than a player: of a sign-up another name is asked for, and here the seat is theirs already."""
    name = called(holder, address)
    return "" if _problem(table, seat, name) else name


def addresses_in(signup: Signup) -> tuple[Verdict, ...]:
    """What is wrong with a sign-up that would publish an address: everybody reads its name, and most rules show its lines."""
    said = [(0, signup.seat), *((line.number, line.text) for line in signup.lines)]
    problem = "everybody can read this, so it cannot have an address in it."
    return tuple(Verdict(number, text, Status.ERROR, problem) for number, text in said if _ADDRESS.search(text))


def signup_of(seat: Seat) -> Signup:
    """How the seat was asked for, with what its holder is called now."""
    lines = tuple(Line(*line) for line in json.loads(seat.signup))
    return Signup(seat.name, lines, called(seat.holder, seat.address))


def new_name_problem(table: OpenGame, seat: Seat, holder: str, address: str) -> str:
    """Why a seat cannot be offered to somebody of this name, which others would read; empty if it can, or none would."""
    return _problem(table, seat, called(holder, address)) if table.ruleset.take_over is not None else ""


def _problem(table: OpenGame, seat: Seat, name: str) -> str:
    others = [signup_of(other) for other in table.seats if other is not seat]
    taken = [known for each in others for known in (each.seat, each.holder, *table.ruleset.names(each).values()) if known]
    return name_problem(name, taken, table.commands) if name else ""
