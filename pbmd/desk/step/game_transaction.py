"""A transaction in which games may change: whoever changes one need not think of its reports, of their maps, of when it is
next due, or of dice secrets that a backup brought back.

Maps take long, and as long as a transaction is open nobody else can write. So if there are any to be drawn, it is undone, they
are drawn, and all is done again with what chance gave the first time: else other maps would be wanted.

When a deadline resolves a step nobody waits for its maps (twelve of them take a second and a half): the desk goes on with the
letters and games of others until they are there. If a letter has come in or somebody else has moved the game meanwhile, other
maps may be wanted, which are drawn then; after a few times in vain the report goes out without.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.deadlines.schedule import reschedule
from pbmd.desk.digest.news import note_news
from pbmd.desk.step.dice_secrets import promise_anew
from pbmd.desk.step.maps import MapPictures
from pbmd.desk.step.reports import report_all
from pbmd.ledger.tables import GameStatus
from pbmd.rendering.drawing_jobs import Picture, Wanted, draw

TRIES = 3
"""So often maps are drawn that are not wanted in the end, since somebody else has moved the game meanwhile."""
T = TypeVar("T")

COMMAND_LINE = "the command line"
"""The cause, in log and journal, of what the game master does there."""


class Undrawn(Exception):
    """Maps are to be drawn before this transaction can be done."""

    def __init__(self, wanted: Sequence[Wanted]) -> None:
        super().__init__()
        self.wanted = wanted


class RepeatedChance:
    """Chance that gives the same again, each time from the beginning, to what was undone and is done again."""

    def __init__(self, entropy: Callable[[int], bytes]) -> None:
        self._entropy = entropy
        self._given: list[bytes] = []

    def again(self) -> Callable[[int], bytes]:
        """From the beginning; where other amounts are asked for than the last time, or more, it is new."""
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
    """A transaction (``with changing_games(desk) as work: …``) at whose end everything that was carried out is reported, and
    noted when the clock must look at its games next. `cause`, `lane`: see `Transaction`. `pictures` gives the maps that are
    drawn; the transaction raises `Undrawn` if there are others to be drawn. Without it they are drawn in the transaction: for
    those for whom nobody waits."""
    work = Transaction(desk, cause=cause, ending=_end, stale=promise_anew, lane=lane)
    work.slot(MapPictures).source = pictures
    return work


def change_games(desk: Desk, act: Callable[[Transaction], T], cause: str = "", lane: int | None = None) -> T:
    """Change games in one transaction; gives what `act` gives. It may be called several times: see the module."""
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
    """The picture of a map that is not drawn any more."""
    return Picture(trouble="the game went on whenever its maps were drawn")


def _end(work: Transaction) -> None:
    report_all(work)
    if wanted := work.slot(MapPictures).wanted:
        raise Undrawn(wanted)
    for table in work.tables:
        # A game that cannot go on is due as before: the clock finds out, and stops it.
        if table.game.status is not GameStatus.RUNNING or not table.trouble:
            reschedule(work, table)
        note_news(work, table)
