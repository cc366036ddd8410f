"""A transaction in which games may change: its body need not think of their reports, of the maps in them, of when they are next
due, or of dice secrets that a backup brought back.

Drawing maps takes long, and while a transaction is open nobody else can write. So if any are needed, it is undone, they are
drawn, and everything is done again with the same random choices as before, since otherwise other maps would be needed.

When a deadline resolves a step nobody waits for its maps (twelve of them take a second and a half): the desk handles the
letters and games of others until they are there. If a letter has come in or somebody else has moved the game meanwhile, other
maps may be needed, which are drawn then; after a few failed attempts the report goes out without maps.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from pbmd.desk.books.carried_out import Unreported
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.deadlines.awaiting import reschedule
from pbmd.desk.digest.news import note_news
from pbmd.desk.step.dice_secrets import promise_anew
from pbmd.desk.step.reporting.maps import MapPictures
from pbmd.desk.step.reporting.reports import report_all
from pbmd.ledger.tables import GameStatus
from pbmd.rendering.drawing_jobs import Picture, Wanted, draw

TRIES = 3
"""How often maps may be drawn in vain because somebody else has moved the game meanwhile."""
T = TypeVar("T")

COMMAND_LINE = "the command line"
"""The cause, in log and journal, of what the game master does there."""


class Undrawn(Exception):
    """Maps must be drawn before this transaction can be done."""

    def __init__(self, wanted: Sequence[Wanted]) -> None:
        super().__init__()
        self.wanted = wanted


class RepeatedChance:
    """Random bytes that can be repeated from the beginning, for a transaction that is undone and done again."""

    def __init__(self, entropy: Callable[[int], bytes]) -> None:
        self._entropy = entropy
        self._given: list[bytes] = []

    def again(self) -> Callable[[int], bytes]:
        """Start from the beginning; if other amounts than last time are requested, or more, new bytes are drawn."""
        at = 0

        def give(size: int) -> bytes:
            nonlocal at
            fresh = self._entropy(size)
            if at == len(self._given) or len(self._given[at]) != size:
                self._given[at:] = [fresh]
            at += 1
            return self._given[at - 1]

        return give


def changing_games(
    desk: Desk, cause: str = "", pictures: Callable[[Wanted], Picture | None] = draw, lane: int | None = None
) -> Transaction:
    """A transaction (``with changing_games(desk) as work: …``) at whose end everything that was resolved is reported, and it is
    noted when the clock must next look at its games. `cause`, `lane`: see `Transaction`. `pictures` returns the maps that have
    been drawn; the transaction raises `Undrawn` if others must be drawn. Without it they are drawn inside the transaction: for
    callers that nobody waits for."""
    work = Transaction(desk, cause=cause, ending=_end, stale=promise_anew, lane=lane)
    work.slot(MapPictures).source = pictures
    return work


def change_games(desk: Desk, act: Callable[[Transaction], T], cause: str = "", lane: int | None = None) -> T:
    """Change games in one transaction; returns what `act` returns, which may be called several times: see the module."""
    chance, pictures = RepeatedChance(desk.entropy), dict[Wanted, Picture]()
    for _ in range(TRIES):
        try:
            with changing_games(replace(desk, entropy=chance.again()), cause, pictures.get, lane) as work:
                return act(work)
        except Undrawn as missing:
            pictures |= desk.studio.draw(missing.wanted)
    with changing_games(replace(desk, entropy=chance.again()), cause, without, lane) as work:
        return act(work)


def without(_wanted: Wanted) -> Picture:
    """Stands for a map that is not drawn any more."""
    return Picture(trouble="the game went on whenever its maps were drawn")


def _end(work: Transaction) -> None:
    if work.slot(Unreported).left:
        report_all(work)
    if wanted := work.slot(MapPictures).left:
        raise Undrawn(wanted)
    for table in work.tables:
        # A game that cannot go on stays due: the clock finds out, and stops it.
        if table.game.status is not GameStatus.RUNNING or not table.trouble:
            reschedule(work, table)
        note_news(work, table)
