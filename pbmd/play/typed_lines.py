"""A game that is played in a terminal: what is typed is a letter, or a word that the terminal itself knows."""

import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pbmd.desk.language.player_commands import PLAYERS
from pbmd.play.commands import TypedWord, obey, word_in, word_meant
from pbmd.play.terminal import Terminal
from pbmd.rules.lines import order_lines

_INTRODUCTION = (
    "Type your orders, one a line, and send them with an empty line. STATUS, HELP orders, RULES and all else that can be "
    'mailed to a game work, too. Then type "resolve". "help" lists what else there is; "quit" ends.'
)


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
    if not letter and (word := word_in(line)) and not (line != line.lower() and _is_order(terminal, line)):
        obey(terminal, word)
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
            terminal.send("\n".join(letter[: len(letter) - len(words)]))
        if len(letter) == 1 and (meant := _meant(terminal, letter[0])):
            terminal.say(f'If you meant "{meant}", which is for the terminal, type it again.', "yellow")
    for word in words:
        if not terminal.ended:
            terminal.say(f'"{word.name}" is for the terminal: it was not sent, and is done now.', "dim")
            obey(terminal, word)


def _words_at_the_end(terminal: Terminal, letter: Sequence[str]) -> list[TypedWord]:
    """The words of the terminal with which a letter ends, each on a line of its own: nobody means to send them. Those that a
    game answers, too, and what rules take for an order are part of it."""
    found = list[TypedWord]()
    if _closing(letter):
        return found
    for line in reversed(letter[1:]):
        word = word_in(line)
        if not word or word.argument or PLAYERS.read(order_lines(line)).commands or _is_order(terminal, line):
            break
        found.insert(0, word)
    return found


def _meant(terminal: Terminal, line: str) -> str:
    """The word of the terminal that was meant by a line which was mailed and means nothing there; empty if there is none."""
    is_mail = line[:1].isspace() or PLAYERS.read(order_lines(line)).commands or _is_order(terminal, line)
    return "" if is_mail else word_meant(line)


def _is_order(terminal: Terminal, line: str) -> bool:
    with terminal.lock:
        return terminal.game.is_order(terminal.seat, line)


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


def with_newlines_gone(lines: Iterable[str]) -> Iterator[str]:
    """Lines as a file has them."""
    return (line.rstrip("\r\n") for line in lines)
