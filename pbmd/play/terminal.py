"""A game that is played in a terminal: what is typed is a letter, or a word that the terminal itself knows."""

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

import click
from rich.console import Console
from rich.text import Text

from pbmd.play.game import Delivered, NotSavedError, PlayedGame
from pbmd.play.local_desk import text_of
from pbmd.play.pictures import picture_in, show_picture
from pbmd.rules.words import listing

_INTRODUCTION = """\
Type your orders, one a line, and send them with an empty line. STATUS, HELP, RULES and
all else that can be mailed to a game work, too. Then type "resolve". "help" lists what
else there is; "quit" ends."""


@dataclass
class Table:
    """Where the game lies: whose seat letters are written from, the last report of each seat, and what is outside of it.

    `load` gives the game that is saved in a file; raises `NotSavedError` and `OSError`. `refresh` takes in files that an author
    has changed, and says what came of it; empty if nothing was changed. `address` says where a browser finds a seat's pages,
    None if none are shown.
    """

    game: PlayedGame
    path: str
    console: Console
    load: Callable[[Path], PlayedGame]
    refresh: Callable[[PlayedGame], str]
    lock: threading.RLock = field(default_factory=threading.RLock)
    address: Callable[[str], str] | None = None
    seat: str = ""
    ended: bool = False
    reports: dict[str, Delivered] = field(default_factory=dict[str, Delivered])

    def __post_init__(self) -> None:
        self.seat = self.game.mine[0]

    def show(self, mails: Iterable[Delivered]) -> None:
        """Print mails: that of a report with its map, if the terminal can show it."""
        for each in mails:
            self.console.rule(Text(_headline(each, of_several=len(self.game.mine) > 1)))
            self.console.print(text_of(each.mail).rstrip(), markup=False, highlight=False, soft_wrap=True)
            if picture := picture_in(each.mail):
                show_picture(self.console, picture)
            if _is_report(each):
                self.reports[each.seat] = each

    def say(self, text: str, style: str = "") -> None:
        """A sentence of the terminal itself."""
        self.console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)

    def stand(self) -> None:
        """Say in a line how the game stands."""
        state = self.game.state()
        if state.outcome:
            self.say(f"{state.outcome} The game is over.", "bold green")
            return
        missing = [seat for seat in self.game.mine if seat in state.awaited]
        if missing:
            of = "your orders" if len(self.game.mine) == 1 else f"the orders of {listing(missing)}"
            self.say(f"{state.step}: {of} are missing.", "yellow")
        else:
            self.say(f'{state.step}: your orders are in. "resolve" goes on.', "green")


def play(table: Table, lines: Iterable[str]) -> None:
    """Play until the lines end, or one of them is "quit"."""
    table.say(_INTRODUCTION, "dim")
    with table.lock:
        table.show(table.game.begun())
        table.stand()
    letter: list[str] = []
    for line in lines:
        name, _, argument = line.strip().partition(" ")
        command = None if letter or line[:1].isspace() else _COMMANDS.get(name)
        if command and not (argument and not command.argument):
            with table.lock:
                _refresh(table)
                command.act(table, argument.strip())
            if table.ended:
                return
        elif line.strip():
            letter.append(line)
        elif letter:
            with table.lock:
                _send(table, "\n".join(letter))
            letter = []
    if letter:
        with table.lock:
            _send(table, "\n".join(letter))


def prompted(table: Table) -> Iterator[str]:
    """The lines that are typed, each after the name of the seat."""
    while True:
        try:
            yield table.console.input(f"[bold cyan]{table.seat}>[/] ")
        except EOFError:
            table.console.print()
            return


def _refresh(table: Table) -> None:
    if told := table.refresh(table.game):
        table.say(told, "magenta")


def _send(table: Table, text: str) -> None:
    _refresh(table)
    mails = table.game.write(table.seat, text)
    table.show(mails)
    if not mails:
        table.say("pbmd would not answer this letter.", "yellow")
    table.stand()


def _resolve(table: Table, _argument: str) -> None:
    if table.game.state().outcome:
        table.say("The game is over.")
        return
    table.show(table.game.resolve())
    table.stand()


def _report(table: Table, _argument: str) -> None:
    report = table.reports.get(table.seat)
    if report:
        table.show([report])
    else:
        table.say("There is no report yet.")


def _form(table: Table, _argument: str) -> None:
    table.say(table.game.form(table.seat).rstrip() or "No orders are awaited from this seat now.")


def _edit(table: Table, _argument: str) -> None:
    written = click.edit(table.game.form(table.seat), extension=".txt")
    if written is None or not written.strip():
        table.say("Nothing was saved in the editor, so nothing is sent.")
    else:
        _send(table, written)


def _seat(table: Table, name: str) -> None:
    seats = {seat.casefold(): seat for seat in table.game.seats}
    chosen = seats.get(name.casefold())
    if chosen is None:
        near = get_close_matches(name.casefold(), seats, n=1)
        hint = f' Did you mean "{seats[near[0]]}"?' if near else ""
        told = ", ".join(f"{seat} (yours)" if seat in table.game.mine else seat for seat in table.game.seats)
        table.say(f'There is no seat "{name}".{hint}' if name else f"The seats: {told}. You write as {table.seat}.")
        return
    if chosen not in table.game.mine:
        table.game.mine = tuple(seat for seat in table.game.seats if seat in (*table.game.mine, chosen))
        table.say(f"{chosen} is yours from now on, too.")
    table.seat = chosen
    table.stand()


def _undo(table: Table, _argument: str) -> None:
    table.say("Taken back." if table.game.undo() else "There is nothing to take back.")
    table.stand()


def _reveal(table: Table, _argument: str) -> None:
    table.say(table.game.revealed().rstrip())


def _save(table: Table, name: str) -> None:
    try:
        table.game.save(Path(name), table.path)
    except OSError as problem:
        table.say(f"{name}: {problem.strerror or problem}", "red")
    else:
        table.say(f"Saved: pbmd play --load {name} goes on with it.")


def _load(table: Table, name: str) -> None:
    try:
        table.game = table.load(Path(name))
    except (OSError, NotSavedError) as problem:
        table.say(str(problem), "red")
        return
    table.seat, table.reports = table.game.mine[0], {}
    table.stand()


def _browser(table: Table, _argument: str) -> None:
    if table.address is None:
        table.say("No pages are shown: begin with pbmd play --browser.")
    else:
        table.say(table.address(table.seat))
        click.launch(table.address(table.seat))


def _help(table: Table, _argument: str) -> None:
    wide = max(len(command.usage) for command in _COMMANDS.values())
    for command in _COMMANDS.values():
        table.say(f"  {command.usage:<{wide}}  {command.text}")
    table.say("Every other line is part of a letter; so is one of these with a blank before it.")


def _end(table: Table, _argument: str) -> None:
    table.ended = True


class Command(NamedTuple):
    """A word that the terminal knows: how it is written, what it does, and whether something follows it."""

    usage: str
    text: str
    act: Callable[[Table, str], None]
    argument: bool = False


_COMMANDS = {
    "resolve": Command("resolve", "the others write, the deadline passes, and you get the report", _resolve),
    "report": Command("report", "the last report once more", _report),
    "form": Command("form", "the order form", _form),
    "edit": Command("edit", "write in your editor ($EDITOR), from the order form on", _edit),
    "seat": Command("seat [NAME]", "write as another seat, which is played by you from then on; alone: the seats", _seat, True),
    "undo": Command("undo", "take back your last letter, or the last resolution", _undo),
    "reveal": Command("reveal", "what a game master can look up: all orders that are in, and the game as a whole", _reveal),
    "browser": Command("browser", "the pages of your seat in a browser", _browser),
    "save": Command("save FILE", "keep the game in a file", _save, True),
    "load": Command("load FILE", "go on with a game that was kept", _load, True),
    "help": Command("help", "this list; HELP is the answer that the game gives", _help),
    "quit": Command("quit", "end", _end),
}


_TAG = re.compile(r"\[pbmd [^]]*\] ")
"""How a mail program tells these mails from others."""


def _headline(delivered: Delivered, *, of_several: bool) -> str:
    """What a mail is, and whose it is if that is not clear."""
    subject = _TAG.sub("", str(delivered.mail["Subject"]))
    return subject if not of_several or subject.startswith(delivered.seat) else f"{delivered.seat}: {subject}"


def _is_report(delivered: Delivered) -> bool:
    return "what happened" in str(delivered.mail["Subject"])


def with_newlines_gone(lines: Iterable[str]) -> Iterator[str]:
    """Lines as a file has them."""
    return (line.rstrip("\r\n") for line in lines)


def seats_of(names: Sequence[str], seats: Sequence[str]) -> tuple[str, ...]:
    """The seats that these names mean, or begin like. Raises `LookupError` with the sentence that says what is wrong."""
    chosen = list[str]()
    for name in names:
        like = [seat for seat in seats if seat.casefold() == name.casefold()] or [
            seat for seat in seats if seat.casefold().startswith(name.casefold())
        ]
        if len(like) != 1:
            raise LookupError(f'no seat is called "{name}"; there are {listing(seats)}')
        chosen.append(like[0])
    return tuple(seat for seat in seats if seat in chosen)
