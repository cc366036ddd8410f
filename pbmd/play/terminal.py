"""A game that is played in a terminal: what is typed is a letter, or a word that the terminal itself knows."""

import re
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

import click
from rich.console import Console
from rich.text import Text

from pbmd.desk.language.player_commands import PLAYERS
from pbmd.play.game import Delivered, NotSavedError, PlayedGame
from pbmd.play.local_desk import text_of
from pbmd.play.pictures import picture_in, show_picture
from pbmd.rules import Refused
from pbmd.rules.lines import order_lines
from pbmd.rules.registry import UnknownRuleset
from pbmd.rules.words import capital, listing, with_single_marks

_INTRODUCTION = (
    "Type your orders, one a line, and send them with an empty line. STATUS, HELP orders, RULES and all else that can be "
    'mailed to a game work, too. Then type "resolve". "help" lists what else there is; "quit" ends.'
)
_NARROWEST = 30
"""In a terminal of fewer columns lines are as if it had so many."""

_PATIENCE_SECONDS = 1.0
"""So long nothing needs to be said while something is done."""


@dataclass
class Terminal:
    """Where the game is played: whose seat letters are written from, and what is outside of it.

    `load` gives the game that is saved in a file; raises `NotSavedError`, `UnknownRuleset` and `OSError`. `refresh` takes in
    files that an author has changed, and says what came of it; empty if nothing was changed. `explain` says where in the rules
    something was raised, and what. `begins`: the game begins now, and was not loaded. `address` says where a browser finds a
    seat's pages, None if none are shown. `typed_by_hand`: somebody sits there, and Ctrl-C ends what is being done, and not the
    game. `letter`: the lines of the letter that is being written.
    """

    game: PlayedGame
    path: str
    console: Console
    load: Callable[[Path], tuple[PlayedGame, str]]
    refresh: Callable[[PlayedGame], str]
    explain: Callable[[BaseException], str]
    begins: bool = True
    lock: threading.RLock = field(default_factory=threading.RLock)
    address: Callable[[str], str] | None = None
    typed_by_hand: bool = False
    seat: str = ""
    letter: list[str] = field(default_factory=list[str])
    ended: bool = False

    def __post_init__(self) -> None:
        self.seat = self.game.mine[0]

    def show(self, mails: Iterable[Delivered]) -> None:
        """Print mails: that of a report with its map, if the terminal can show it."""
        for each in mails:
            self.console.rule(Text(_headline(each, of_several=len(self.game.mine) > 1)))
            self.show_as_it_is(text_of(each.mail).rstrip())
            if picture := picture_in(each.mail):
                show_picture(self.console, picture)

    def say(self, text: str, style: str = "", *, label: str = "") -> None:
        """Sentences of the terminal itself, with breaks between words; a `label` stands at the left of them."""
        width, beside = max(self.console.width, _NARROWEST), " " * len(label)
        lines = (
            # Nobody can use half an address, or half a path.
            fill(line, width, initial_indent=label, subsequent_indent=beside, break_long_words=False, break_on_hyphens=False)
            for line in text.splitlines()
        )
        self.show_as_it_is("\n".join(lines), style)

    def show_as_it_is(self, text: str, style: str = "") -> None:
        """Print a text whose lines are those of a mail."""
        self.console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)

    def drop(self, line: str) -> bool:
        """Drop the line that is being typed, or else the letter, and say so; False if there is neither."""
        if line.strip():
            self.say("The line is dropped; the letter goes on." if self.letter else "The line is dropped.", "dim")
        elif self.letter:
            self.letter.clear()
            self.say("The letter is dropped.", "dim")
        else:
            return False
        return True

    def stand(self) -> None:
        """Say in a line how the game stands."""
        for trouble in self.game.troubles():
            self.say(f"The rules failed: {self.explain(trouble)}", "red")
        state = self.game.state()
        if state.outcome:
            self.say(f"{state.outcome} The game is over.", "bold green")
            return
        if state.is_stopped:
            self.say('The game has stopped. "undo" goes back to before; mend the rules first.', "red")
            return
        missing = [seat for seat in self.game.mine if seat in state.awaited]
        if missing:
            of = "your orders" if len(self.game.mine) == 1 else f"the orders of {listing(missing)}"
            self.say(f"{state.step}: {of} are missing.", "yellow")
            return
        sent = any(seat in state.sent for seat in self.game.mine)
        what = "your orders are in" if sent else "there is nothing for you to do"
        self.say(f'{state.step}: {what}. "resolve" goes on.', "green")


def play(terminal: Terminal, lines: Iterable[str]) -> None:
    """Play until the lines end, or one of them is "quit"."""
    terminal.say(_INTRODUCTION, "dim")
    with terminal.lock:
        terminal.show(terminal.game.begun() if terminal.begins else terminal.game.latest())
        terminal.stand()
    for line in lines:
        with _interruptible(terminal):
            _take(terminal, line)
        if terminal.ended:
            return
    with _interruptible(terminal):
        _send_letter(terminal)


@contextmanager
def _interruptible(terminal: Terminal) -> Generator[None]:
    try:
        yield
    except KeyboardInterrupt:
        if not terminal.typed_by_hand:
            raise
        terminal.console.print()
        terminal.say("Interrupted: nothing was done.", "yellow")


def _take(terminal: Terminal, line: str) -> None:
    """Do what a line says: it is a word of the terminal, a line of a letter, or the end of one."""
    letter = terminal.letter
    if not letter and (word := _word_in(line)) and not (line != line.lower() and _is_order(terminal, line)):
        _obey(terminal, word)
    elif line.strip():
        letter.append(line)
    elif closed_by := _closing(letter):
        if all(each.strip() for each in letter):  # it is told once
            terminal.say(f"An empty line is part of what stands there, up to {closed_by}.", "dim")
        letter.append("")
    else:
        _send_letter(terminal)


def _send_letter(terminal: Terminal) -> None:
    """Send the letter that has been written, if there is any, without words of the terminal at its end; and do what they
    say."""
    letter, terminal.letter = terminal.letter, []
    words = _words_at_the_end(terminal, letter)
    if letter:
        with terminal.lock:
            _send(terminal, "\n".join(letter[: len(letter) - len(words)]))
    for word in words:
        if not terminal.ended:
            terminal.say(f'"{word.name}" is for the terminal: it was not sent, and is done now.', "dim")
            _obey(terminal, word)


class _Word(NamedTuple):
    """A word of the terminal, as it was typed, and what follows it."""

    name: str
    command: "Command"
    argument: str = ""


def _word_in(line: str) -> _Word | None:
    """The word of the terminal that a line is; None for a line of a letter."""
    name, _, argument = line.strip().partition(" ")
    known = name.casefold()
    command = None if line[:1].isspace() else _COMMANDS.get(_ALIKE.get(known, known))
    return _Word(name, command, argument.strip()) if command and (command.argument or not argument) else None


def _words_at_the_end(terminal: Terminal, letter: Sequence[str]) -> list[_Word]:
    """The words of the terminal with which a letter ends, each on a line of its own: nobody means to send them. Those that a
    game answers, too, and what rules take for an order are part of it."""
    found = list[_Word]()
    if _closing(letter):
        return found
    for line in reversed(letter[1:]):
        word = _word_in(line)
        if not word or word.argument or PLAYERS.read(order_lines(line)).commands or _is_order(terminal, line):
            break
        found.insert(0, word)
    return found


def _is_order(terminal: Terminal, line: str) -> bool:
    with terminal.lock:
        return terminal.game.is_order(terminal.seat, line)


def _obey(terminal: Terminal, word: _Word) -> None:
    with terminal.lock:
        _refresh(terminal)
        word.command.act(terminal, word.argument)


def _closing(letter: Sequence[str]) -> str:
    """The line that a letter must have before it ends, since it is in the midst of a message, say; "" for none."""
    commands = PLAYERS.read(order_lines("\n".join(letter))).commands
    return PLAYERS.by_kind[commands[-1].kind].usage.rpartition("… ")[2] if commands and commands[-1].open else ""


def prompted(terminal: Terminal) -> Iterator[str]:
    """The lines that are typed, each after the name of the seat, or "..." where a letter goes on. Ctrl-C drops what is being
    written; where that is nothing, a second one ends."""
    coloured = terminal.console.color_system is not None and not terminal.console.no_color  # none where TERM is dumb
    # Only a prompt that readline prints itself, with what takes no room marked as such, is one that it counts right.
    before, after = ("\001\033[1;36m\002", "\001\033[0m\002") if coloured else ("", "")
    is_second = False
    while True:
        try:
            line = input(f"{before}{_asking(terminal)}{after} ")
        except EOFError:
            terminal.console.print()
            return
        except KeyboardInterrupt:
            terminal.console.print()
            if terminal.drop(_begun_line()):
                is_second = False
            elif is_second:
                return
            else:
                terminal.say('Ctrl-C once more ends the game; so does "quit".', "dim")
                is_second = True
        else:
            is_second = False
            yield line


def _asking(terminal: Terminal) -> str:
    """What stands before the line that is typed next."""
    asking = f"{terminal.seat}>"
    return "...".rjust(len(asking)) if terminal.letter else asking


def _begun_line() -> str:
    """What has been typed of a line that was interrupted, where Python's readline can say it."""
    readline: Any = sys.modules.get("readline")
    return readline.get_line_buffer() if readline else ""


def _refresh(terminal: Terminal) -> None:
    if told := terminal.refresh(terminal.game):
        terminal.say(told, "magenta")


def _send(terminal: Terminal, text: str) -> None:
    _refresh(terminal)
    with _waiting(terminal):
        mails = terminal.game.write(terminal.seat, text)
    terminal.show(mails)
    if not mails:
        terminal.say("pbmd would not answer this letter.", "yellow")
    terminal.stand()


@contextmanager
def _waiting(terminal: Terminal) -> Generator[None]:
    """What others do meanwhile is told if it takes long, to whoever sits there."""
    if not terminal.console.is_terminal:
        yield
        return
    told = threading.Timer(_PATIENCE_SECONDS, terminal.say, ("The others move …", "dim"))
    told.start()
    try:
        yield
    finally:
        told.cancel()
        told.join()


def _resolve(terminal: Terminal, _argument: str) -> None:
    if terminal.game.state().outcome:
        terminal.say("The game is over.")
        return
    with _waiting(terminal):
        mails = terminal.game.resolve()
    terminal.show(mails)
    terminal.stand()


def _report(terminal: Terminal, _argument: str) -> None:
    report = terminal.game.last_report(terminal.seat)
    if report:
        terminal.show([report])
    else:
        terminal.say("There is no report yet.")


def _form(terminal: Terminal, _argument: str) -> None:
    terminal.show_as_it_is(terminal.game.form(terminal.seat).rstrip() or "No orders are awaited from this seat now.")


def _edit(terminal: Terminal, _argument: str) -> None:
    begun = "".join(f"{line}\n" for line in terminal.game.orders(terminal.seat)) or terminal.game.form(terminal.seat)
    try:
        written = click.edit(begun, extension=".txt")
    except click.ClickException as problem:
        terminal.say(f"There is no editor to be had ({problem.message}). The variable EDITOR names one.", "red")
        return
    if written is None or not written.strip():
        terminal.say("Nothing was saved in the editor, so nothing is sent.")
    else:
        _send(terminal, written)


def _seat(terminal: Terminal, name: str) -> None:
    if not name:
        told = ", ".join(f"{seat} (yours)" if seat in terminal.game.mine else seat for seat in terminal.game.seats)
        terminal.say(f"The seats: {told}. You write as {terminal.seat}.")
        return
    try:
        (chosen,) = seats_of([name], terminal.game.seats)
    except NoSuchSeatError as problem:
        terminal.say(with_single_marks(f"{capital(str(problem))}."))
        return
    if chosen not in terminal.game.mine:
        terminal.game.take(chosen)
        terminal.say(f"{chosen} is yours from now on, too.")
    terminal.seat = chosen
    terminal.stand()


def _undo(terminal: Terminal, _argument: str) -> None:
    what = terminal.game.undo()
    terminal.say(f"{capital(what)} is taken back." if what else "There is nothing to take back.")
    terminal.stand()


def _reveal(terminal: Terminal, _argument: str) -> None:
    terminal.show_as_it_is(terminal.game.revealed().rstrip())


def _save(terminal: Terminal, name: str) -> None:
    if not name:
        terminal.say("save FILE: which file?", "red")
        return
    try:
        terminal.game.save(Path(name), terminal.path)
    except OSError as problem:
        terminal.say(f"{name}: {problem.strerror or problem}", "red")
    else:
        terminal.say(f"Saved: pbmd play --load {name} goes on with it.")


def _load(terminal: Terminal, name: str) -> None:
    if not name:
        terminal.say("load FILE: which file?", "red")
        return
    try:
        terminal.game, terminal.path = terminal.load(Path(name))
    except OSError as problem:
        terminal.say(f"{name}: {problem.strerror or problem}", "red")
        return
    except (NotSavedError, UnknownRuleset, Refused) as problem:
        terminal.say(str(problem), "red")
        return
    terminal.seat = terminal.game.mine[0]
    terminal.show(terminal.game.latest())
    terminal.stand()


def _browser(terminal: Terminal, _argument: str) -> None:
    if terminal.address is None:
        terminal.say("No pages are shown: begin with pbmd play --browser.")
    else:
        terminal.say(terminal.address(terminal.seat))
        click.launch(terminal.address(terminal.seat))


def _help(terminal: Terminal, _argument: str) -> None:
    wide = max(len(command.usage) for command in _COMMANDS.values())
    for command in _COMMANDS.values():
        terminal.say(command.text, label=f"  {command.usage:<{wide}}  ")
    terminal.say("Every other line is part of a letter; so is one of these with a blank before it.")


def _end(terminal: Terminal, _argument: str) -> None:
    terminal.ended = True


class Command(NamedTuple):
    """A word that the terminal knows: how it is written, what it does, and whether something follows it."""

    usage: str
    text: str
    act: Callable[[Terminal, str], None]
    argument: bool = False


_COMMANDS = {
    "resolve": Command("resolve", "the others write, the deadline passes, and you get the report", _resolve),
    "report": Command("report", "the last report once more", _report),
    "form": Command("form", "the order form", _form),
    "edit": Command("edit", "write in your editor ($EDITOR), from your orders that are in, or else the form", _edit),
    "seat": Command("seat [NAME]", "write as another seat, which is played by you from then on; alone: the seats", _seat, True),
    "undo": Command("undo", "take back your last letter, or the last resolution", _undo),
    "reveal": Command("reveal", "what a game master can look up: all orders that are in, and the game as a whole", _reveal),
    "browser": Command("browser", "the pages of your seat in a browser", _browser),
    "save": Command("save FILE", "keep the game in a file", _save, True),
    "load": Command("load FILE", "go on with a game that was kept", _load, True),
    "help": Command("help", "this list; HELP orders is what the game says of orders", _help),
    "quit": Command("quit", "end; so do q and exit", _end),
}
_ALIKE = {"q": "quit", "exit": "quit"}


_TAG = re.compile(r"\[pbmd [^]]*\] ")
"""How a mail program tells these mails from others."""


def _headline(delivered: Delivered, *, of_several: bool) -> str:
    """What a mail is, and whose it is if that is not clear."""
    subject = _TAG.sub("", str(delivered.mail["Subject"]))
    return subject if not of_several or subject.startswith(delivered.seat) else f"{delivered.seat}: {subject}"


def with_newlines_gone(lines: Iterable[str]) -> Iterator[str]:
    """Lines as a file has them."""
    return (line.rstrip("\r\n") for line in lines)


class NoSuchSeatError(ValueError):
    """A name that no seat has, or that several begin with. The message says which there are."""


def seats_of(names: Sequence[str], seats: Sequence[str]) -> tuple[str, ...]:
    """The seats that these names mean, or begin like. Raises `NoSuchSeatError`."""
    return tuple(seat for seat in seats if seat in {_seat_of(name, seats) for name in names})


def _seat_of(name: str, seats: Sequence[str]) -> str:
    like = [seat for seat in seats if seat.casefold() == name.casefold()] or [
        seat for seat in seats if seat.casefold().startswith(name.casefold())
    ]
    if len(like) == 1:
        return like[0]
    if like:
        raise NoSuchSeatError(f'"{name}" may be {listing(like, "or")}')
    near = get_close_matches(name.casefold(), [seat.casefold() for seat in seats], n=1)
    hint = "".join(f'; did you mean "{seat}"?' for seat in seats if seat.casefold() in near)
    raise NoSuchSeatError(f'no seat is called "{name}"{hint or f"; there are {listing(seats)}"}')
