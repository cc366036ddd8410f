"""The terminal in which a game is played: whose seat letters are written from, and what is printed."""

import re
import threading
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import fill

from rich.console import Console
from rich.text import Text

from pbmd.play.game import Delivered, PlayedGame
from pbmd.play.local_desk import text_of
from pbmd.play.pictures import picture_in, show_picture
from pbmd.rules.words import listing

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

    def take_changes(self) -> None:
        """Take in what an author has changed, and say so."""
        if told := self.refresh(self.game):
            self.say(told, "magenta")

    def send(self, text: str) -> None:
        """Send a letter, and print what comes of it."""
        self.take_changes()
        with self.waiting():
            mails = self.game.write(self.seat, text)
        self.show(mails)
        if not mails:
            self.say("pbmd would not answer this letter.", "yellow")
        self.stand()

    @contextmanager
    def waiting(self) -> Generator[None]:
        """What others do meanwhile is told if it takes long, to whoever sits there."""
        if not self.console.is_terminal:
            yield
            return
        told = threading.Timer(_PATIENCE_SECONDS, self.say, ("The others move …", "dim"))
        told.start()
        try:
            yield
        finally:
            told.cancel()
            told.join()


_TAG = re.compile(r"\[pbmd [^]]*\] ")
"""How a mail program tells these mails from others."""


def _headline(delivered: Delivered, *, of_several: bool) -> str:
    """What a mail is, and whose it is if that is not clear."""
    subject = _TAG.sub("", str(delivered.mail["Subject"]))
    return subject if not of_several or subject.startswith(delivered.seat) else f"{delivered.seat}: {subject}"
