"""`python -m tests.docs.way_of_a_letter`: how many files the work crosses from a stored letter to its answer, and likewise for
a deadline and a command of the game master; `--files` lists them, `--write` writes the table of docs/architecture.md anew.

Whoever follows a letter in the code opens these files. Counted are the functions of pbmd and of the ruleset as they are
entered, in a game of Count (tests/rules/count): a *move* is one that stands in another file than the one entered before it.
What limits the time of each call of the rules is left out: it leads from whoever calls to the rules, and nowhere else.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from pbmd.desk.changes.gm import send_gm_token
from pbmd.desk.due.advance import advance_games
from pbmd.desk.mailroom import process_letters
from tests.desk.world import World, message_of

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
TABLE = re.compile(r"(?<=<!-- ways -->\n)(?P<rows>.*?)(?=<!-- end -->)", re.DOTALL)
ROW = re.compile(r"^\| (?P<name>[^|]+) \| (?P<files>\d+) \| (?P<moves>\d+) \|$", re.MULTILINE)
_FOLDERS = ("pbmd", "rulesets", "tests/rules")
_LIMITS = ("pbmd/desk/books/timed_rules/", "pbmd/post/time_limit.py")
_INLINED = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>"})
"""Functions of their own up to Python 3.11."""
_MOST_LISTED = 40


@dataclass(frozen=True)
class Way:
    """The files in which functions were entered, one for each function, in that order."""

    entered: Sequence[str]

    @property
    def files(self) -> int:
        """How many files it crosses."""
        return len({*self.entered})

    @property
    def moves(self) -> Counter[tuple[str, str]]:
        """How often it goes from one file to another, for each two."""
        pairs = zip(self.entered, self.entered[1:], strict=False)
        return Counter(pair for pair in pairs if pair[0] != pair[1])


def way_of(act: Callable[[], object]) -> Way:
    """The way of what is done by a function."""
    entered: list[str] = []

    def note(frame: FrameType, happened: str, _: Any) -> None:
        if happened == "call" and frame.f_code.co_name not in _INLINED and (name := _file_of(frame.f_code.co_filename)):
            entered.append(name)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(before)
    return Way(entered)


@cache
def _file_of(filename: str) -> str:
    path = Path(filename)
    name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
    return name if name.startswith(_FOLDERS) and not name.startswith(_LIMITS) and name.endswith(".py") else ""


def ways() -> dict[str, Way]:
    """The three ways, each taken once before, so that nothing is counted that is only done once in a process."""
    for act in WAYS.values():
        _taken(act)
    return {name: _taken(act) for name, act in WAYS.items()}


def _taken(act: Callable[[World], Way]) -> Way:
    with TemporaryDirectory() as folder:
        world = World(Path(folder))
        try:
            world.count()
            return act(world)
        finally:
            world.close()


def _letter(world: World) -> Way:
    world.send("Borealis", "add 3")
    world.arrive(world.letter("Altair", "add 3"))
    return way_of(lambda: process_letters(world.desk))


def _deadline(world: World) -> Way:
    """One that a seat has missed: with the orders of all the turn would be over before it."""
    for seat in ("Altair", "Borealis"):
        world.send(seat, "add 3")
    world.now += timedelta(days=30)
    world.read_mailbox()
    return way_of(lambda: advance_games(world.desk))


def _command(world: World) -> Way:
    world.master("EXTEND 12h")
    world.act("galaxy-7", send_gm_token, "for a second command")
    mail = world.outbox("alarm")[-1]
    header = message_of(mail)
    reply = {"sender": mail.recipient, "to": header["Reply-To"], "subject": f"Re: {header['Subject']}"}
    world.arrive(world.letter("", "EXTEND 24h", headers={"In-Reply-To": mail.message_id}, **reply))
    return way_of(lambda: process_letters(world.desk))


WAYS: dict[str, Callable[[World], Way]] = {
    "an order letter, from stored to acknowledged": _letter,
    "a deadline, from due to resolved and reported": _deadline,
    "the game master's `EXTEND`, from stored to answered": _command,
}


def table(taken: dict[str, Way]) -> str:
    """The ways as a Markdown table."""
    rows = (f"| {name} | {way.files} | {way.moves.total()} |\n" for name, way in taken.items())
    return "".join(["| way | files | moves |\n|---|---|---|\n", *rows])


def _listed(name: str, way: Way) -> Iterator[str]:
    """Where a way goes: in which files it arrives how often, from which others, and the pairs that are most trodden."""
    arrivals: dict[str, Counter[str]] = {}
    between: Counter[tuple[str, str]] = Counter()
    for (one, other), times in way.moves.items():
        arrivals.setdefault(other, Counter())[one] += times
        between[min(one, other), max(one, other)] += times
    yield f"\n{name}: {way.files} files, {way.moves.total()} moves\n\n moves  functions  to file, and most often from\n"
    entered = Counter(way.entered)
    for file in sorted(arrivals, key=lambda file: (-arrivals[file].total(), file)):
        origins = ", ".join(f"{origin} {times}" for origin, times in arrivals[file].most_common(3))
        yield f"{arrivals[file].total():6} {entered[file]:10}  {file}  ← {origins}\n"
    yield "\n moves  between\n"
    for (one, other), times in between.most_common(_MOST_LISTED):
        yield f"{times:6}  {one} ↔ {other}\n"


if __name__ == "__main__":
    measured = ways()
    sys.stdout.write(table(measured))
    if "--files" in sys.argv:
        sys.stdout.writelines(line for title, each in measured.items() for line in _listed(title, each))
    if "--write" in sys.argv:
        PAGE.write_text(TABLE.sub(lambda _: table(measured), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
