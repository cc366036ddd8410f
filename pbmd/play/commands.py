"""The words that the terminal knows, and what each does."""

from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

import click

from pbmd.play.game import NotSavedError
from pbmd.play.seat_names import NoSuchSeatError, seats_of
from pbmd.play.terminal import Terminal
from pbmd.rules import Refused
from pbmd.rules.registry import UnknownRuleset
from pbmd.rules.words import capital, with_single_marks


class TypedWord(NamedTuple):
    """A word of the terminal, as it was typed, and what follows it."""

    name: str
    command: "Command"
    argument: str = ""


def word_in(line: str) -> TypedWord | None:
    """The word of the terminal that a line is; None for a line of a letter."""
    name, _, argument = line.strip().partition(" ")
    known = name.casefold()
    command = None if line[:1].isspace() else _COMMANDS.get(_ALIKE.get(known, known))
    return TypedWord(name, command, argument.strip()) if command and (command.argument or not argument) else None


def obey(terminal: Terminal, word: TypedWord) -> None:
    """Do what a word says."""
    with terminal.lock:
        terminal.take_changes()
        word.command.act(terminal, word.argument)


def _resolve(terminal: Terminal, _argument: str) -> None:
    if terminal.game.state().outcome:
        terminal.say("The game is over.")
        return
    with terminal.waiting():
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
        terminal.send(written)


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
    "help": Command("help", "this list, as does ?; HELP orders is what the game says of orders", _help),
    "quit": Command("quit", "end; so do q and exit", _end),
}
_ALIKE = {"q": "quit", "exit": "quit", "?": "help"}
_LIKENESS = 0.75


def word_meant(line: str) -> str:
    """The word of the terminal that a line with a slip of the pen in it may mean; empty if there is none."""
    typed = line.strip().partition(" ")[0].casefold()
    return next(iter(get_close_matches(typed, _COMMANDS, n=1, cutoff=_LIKENESS)), "")
