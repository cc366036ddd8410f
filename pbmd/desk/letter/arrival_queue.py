"""The letters that are to be dealt with, in order of arrival, and those of them that the clock must come before.

What a letter arrived after has happened before it: a step that was complete is over, a deadline has passed. So it makes no
difference whether letters are read one by one or many at once. A letter that comes after something which the clock has still to
do is left where it is, with all later ones of its game, until the clock has done it; and if the mailbox was not read far enough
for that, until it was. Letters of other games wait for nothing.

What closes a step has its place in the order of arrival: a deadline, the end of the second in which it falls; an early end, the
last orders, or `second_thought` after them. So ``CANCEL ORDERS``, ``WAIT`` or other orders that come after the last ones come
too late, however soon they come; and late ones are told so after the resolution. Which step a letter is for goes by arrivals,
too (`Game.takes_from`, `StepRecord.took_until`), and what the game master's letters do to the clock has their arrival as its
time (`Transaction.as_of`). A letter that waits has its game in `Letter.game_id`, so that it holds up no other. There is no
commit for a letter unless a step is over between two of them.

What is not the same however letters are read has to do with when pbmd did it: the times in journal and mails, the hashes and
heads into which they go, and deadlines, which run from when the players were told; so a letter may be late for one that would
run longer after a longer downtime. Further, the limits of how much may be sent in an hour or a day, reminders, and questions
that nobody has answered in time; and news within a minute that goes out before the letter with more of it is read makes two
mails (`pbmd.desk.step.gathering`). An observer who begins to watch gets the last report that there is then.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import bindparam, select, tuple_
from sqlmodel import col, func

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.awaiting import is_due
from pbmd.desk.deadlines.evidence import ALL_MAIL, Evidence, Place, first_of_nobody, in_order_until, read_so_far
from pbmd.desk.deadlines.trusted_clock import doubt
from pbmd.desk.due.advance import go_before
from pbmd.desk.letter.opened_letter import STORED, Stored, Unclear, Whose
from pbmd.desk.questions.ask import comes_too_soon
from pbmd.desk.votes.due import decide_before, is_vote_due
from pbmd.ledger.database import padded
from pbmd.ledger.tables import GameStatus, LetterState
from pbmd.ledger.tables import Letter as LetterRow
from pbmd.post.read.letter import Letter

BATCH = 1000
BATCH_BYTES = 4_000_000
"""What is held in memory at once; a letter that is longer is a batch of its own."""
_WAITS = "waits until the mailbox is read far enough for what comes before it"
_GAME_OR_NONE = func.coalesce(LetterRow.game_id, 0)
_NEW = STORED.where(col(LetterRow.state) == LetterState.NEW).order_by(
    col(LetterRow.arrived_at), col(LetterRow.uid), col(LetterRow.id)
)


_PLACE = tuple_(col(LetterRow.arrived_at), col(LetterRow.uid))
_STILL_NEW = select(col(LetterRow.id)).where(
    col(LetterRow.id).in_(bindparam("ids", expanding=True)), col(LetterRow.state) == LetterState.NEW
)


class Left:
    """Letters that were left where they are, by the ids of their games, in order of arrival. `waiting`: game → place of the
    first of its letters that waits. No other may overtake that one, whatever has become of the game or the clock since."""

    def __init__(self, waiting: Mapping[int, Place], letters: Iterable[tuple[int, list[Stored]]] = ()) -> None:
        self.waiting = waiting
        self.letters = {game_id: [*left] for game_id, left in letters}

    def copy(self) -> "Left":
        """The same letters, to which others can be added."""
        return Left(self.waiting, self.letters.items())

    def takes(self, work: Transaction, stored: Stored, letter: Letter, whose: Whose) -> bool:
        """Whether this letter, whoever's it is, is left, too. Nothing of it may have been done."""
        games = [table.id for table in _games_of(whose) if self._stops(work, table, stored)]
        if self.letters and isinstance(whose, str) and comes_too_soon(work, letter):
            games = [*self.letters]
        for game_id in games[:1]:
            self.letters.setdefault(game_id, []).append(stored)
        return bool(games)

    def _stops(self, work: Transaction, table: OpenGame, stored: Stored) -> bool:
        if table.id in self.letters or self._overtakes(table, stored):
            return True
        return _comes_before(work, table, _place_of(stored))

    def _overtakes(self, table: OpenGame, stored: Stored) -> bool:
        first = self.waiting.get(table.id)
        return first is not None and first < _place_of(stored)


def _place_of(stored: Stored) -> Place:
    return stored.arrived_at, stored.uid


def still_new(work: Transaction, letters: Sequence[Stored]) -> list[Stored]:
    """Those of these letters that nobody else has dealt with since they were looked up."""
    new = set(work.session.connection().execute(_STILL_NEW, {"ids": padded(stored.id for stored in letters)}).scalars())
    return [stored for stored in letters if stored.id in new]


def _comes_before(work: Transaction, table: OpenGame, place: Place, read: datetime = ALL_MAIL) -> bool:
    """Whether the clock of a game has something to do before the letter at this place is dealt with: what a letter
    arrived after has happened before it, though nobody looked at the clock. `read`: as far as that is known when the mailbox
    was read until then."""
    evidence, runs = Evidence(read, place), table.game.status is GameStatus.RUNNING and not table.trouble
    vote_is_due = bool(table.terms.votes) and is_vote_due(work, table, evidence)
    return ((runs and is_due(table, evidence)) or vote_is_due) and not doubt(work)


def _games_of(whose: Whose) -> tuple[OpenGame, ...]:
    """The games that a letter is of, or could be."""
    if isinstance(whose, str):
        return ()
    return tuple(each.table for each in whose.seats) if isinstance(whose, Unclear) else (whose.table,)


@dataclass
class Queue:
    """See the module. `waiting` are the games whose letters wait for a reading of the mailbox, with the place of the first;
    `read` is up to when it was read when the last letters were taken from the queue, None if that cannot be said. With a `lane`
    it is of the letters of that game alone, as far as none of which nobody knows whose it is came before them; with `until` of
    those up to that place."""

    desk: Desk
    lane: int | None = None
    until: Place | None = None
    waiting: dict[int, Place] = field(default_factory=dict[int, Place])
    read: datetime | None = None

    def next_letters(self) -> list[Stored]:
        """The next letters, first come first, none of them of a game that waits; none if that is all."""
        while True:
            with Transaction(self.desk, reads=True) as work:
                letters = self._letters(work)
                if not letters:
                    return []
                self.read = read_so_far(work)
                marked = {stored.game_id: stored for stored in reversed(letters) if stored.game_id is not None}
                places = {id_: _place_of(first) for id_, first in marked.items()}
                still = {id_: place for id_, place in places.items() if self._waits_still(work, id_, place)}
            if not still:
                return letters
            self.waiting |= still

    def _letters(self, work: Transaction) -> list[Stored]:
        letters: list[Stored] = []
        size = 0
        new = _NEW.where(_GAME_OR_NONE.not_in(self.waiting)) if self.waiting else _NEW
        if self.lane is not None:
            new = new.where(_GAME_OR_NONE.in_([self.lane]))
            if first := first_of_nobody(work):
                new = new.where(first > _PLACE)
        if self.until is not None:
            new = new.where(self.until >= _PLACE)
        if self.desk.host and (known := in_order_until(work)) is not None:
            new = new.where(col(LetterRow.arrived_at) <= known)
        with work.session.connection().execute(new, execution_options={"yield_per": 20}) as rows:
            for row in rows:
                letters.append(Stored(*row))
                size += len(row.raw)
                if len(letters) == BATCH or size > BATCH_BYTES:
                    break
        return letters

    def _waits_still(self, work: Transaction, game_id: int, place: Place) -> bool:
        table = work.table(game_id)
        return _comes_before(work, table, place) and not self._is_known(work, table, place)

    def _is_known(self, work: Transaction, table: OpenGame, place: Place) -> bool:
        return self.read is not None and _comes_before(work, table, place, self.read)

    def let_the_clock_go_first(self, left: Left) -> None:
        """Let the clock do what comes before the letters that were left. Where the mailbox was not read far enough for it, the
        letters of the game wait."""
        for game_id, letters in left.letters.items():
            place = _place_of(letters[0])
            with Transaction(self.desk, reads=True) as work:
                table = work.table(game_id)
                is_due, is_known = _comes_before(work, table, place), self._is_known(work, table, place)
            would_overtake = self.waiting.get(game_id, place) < place
            if would_overtake or (is_due and not (is_known and self._go_before(game_id, place))):
                self._let_wait(game_id, letters)

    def _go_before(self, game_id: int, place: Place) -> bool:
        if self.read is None:
            return False
        evidence = Evidence(self.read, place)
        return decide_before(self.desk, game_id, evidence, self.lane) or go_before(self.desk, game_id, evidence, lane=self.lane)

    def _let_wait(self, game_id: int, letters: list[Stored]) -> None:
        place = _place_of(letters[0])
        self.waiting[game_id] = min(place, self.waiting.get(game_id, place))
        if fresh := [stored for stored in letters if stored.game_id is None]:
            with Transaction(self.desk, lane=self.lane) as work:
                for stored in fresh:
                    work.put_off(stored.id, _WAITS, game_id)
