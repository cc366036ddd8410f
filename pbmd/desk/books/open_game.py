"""A game at the desk: its rules, its position, and the deadlines of its seats."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from pbmd.desk.books.timed_rules.clock import RulesClock
from pbmd.desk.language.player_commands import PlayerLanguage
from pbmd.ledger.digests import must_be_digests, words_of
from pbmd.ledger.readable import Place, Read
from pbmd.ledger.tables import Game, GameStatus, Seat
from pbmd.rules.options import changed, option_words
from pbmd.rules.protocol import Refused, Ruleset, Wait
from pbmd.rules.troubles import AlteredGame, BrokenGame, read_position, usable_ruleset
from pbmd.terms.quiet_days import allowed
from pbmd.terms.terms import Terms


@lru_cache(maxsize=1000)
def terms_of(text: str) -> Terms:
    """The terms of a game as its row keeps them. Raises `ValidationError`."""
    # Checking them costs more than all else of a game's loading, and few games have terms of their own.
    return Terms.model_validate_json(text)


def _must_be_entries(written: str) -> None:
    if not all(isinstance(each, dict) for each in json.loads(written)):
        raise TypeError


TEXTS: Mapping[Place, Read] = {
    ("game", "terms"): Terms.model_validate_json,
    ("game", "digests"): must_be_digests,
    ("game", "meanwhile"): _must_be_entries,
    ("seat", "timezone"): ZoneInfo,
}
"""How texts are read that are loaded with a game, and of which the ledger knows no more than that they are texts."""


@dataclass
class OpenGame:
    """A game at the desk: its row, its seats, its ruleset, and its position as long as the transaction lasts. `changed`: the
    position is not written yet; `written`: the transaction has written one; `anew`: it has promised the dice anew. `altered`
    are the parts of it that are not what was written (`pbmd.ledger.digests`).

    Ruleset and position are looked for when they are first asked for: a game that has none which can be used can still be put
    aside, and named. `commands` are those of its players, as the desk has them, and `clock` has the games whose rules took too
    long.
    """

    game: Game
    seats: list[Seat]
    find: Callable[[str], Ruleset[Any]]
    terms: Terms
    commands: PlayerLanguage
    clock: RulesClock
    loaded: Any = None
    changed: bool = False
    written: bool = False
    anew: bool = False
    altered: tuple[str, ...] = ()
    _awaiting: tuple[Any, tuple[str, ...]] | None = None

    @cached_property
    def ruleset(self) -> Ruleset[Any]:
        """The rules of the game. Raises `BrokenGame` if they are not there or cannot be used."""
        return self.clock.limited(self.game, usable_ruleset(self.game.name, self.game.ruleset, self.find))

    @property
    def position(self) -> Any:
        """The game's position; None before the game has begun. Raises `BrokenGame` if it cannot be read or used."""
        self.must_be_as_written()
        if self.loaded is None and self.game.position:
            self.loaded = read_position(self.game.name, self.ruleset, self.game.position)
        return self.loaded

    @property
    def awaiting(self) -> tuple[str, ...]:
        """The names of the seats whose orders the rules await as the position is: they are asked once for each."""
        position = self.position
        if self._awaiting is None or self._awaiting[0] is not position:
            self._awaiting = position, self.ruleset.awaiting(position)
        return self._awaiting[1]

    @property
    def trouble(self) -> str:
        """Why the game cannot go on as it is kept, as a sentence without full stop; empty if it can."""
        try:
            self.must_go_on()
        except BrokenGame as problem:
            return problem.trouble
        return ""

    def must_go_on(self) -> None:
        """Raises `BrokenGame` for a game that cannot go on as it is kept, or whose rules took too long."""
        self.clock.must_not_be_over(self.game)
        _ = self.ruleset, self.position

    def must_run(self) -> None:
        """Raises `Refused` for a game whose clock does not run."""
        status = self.game.status
        if status is not GameStatus.RUNNING:
            words = {"signup": "has not begun", "paused": "is paused", "finished": "is over"}
            raise Refused(f"{self.game.name} {words[status.value]}")

    def must_be_as_written(self) -> None:
        """Raises `AlteredGame` if a part of the game is not what was written."""
        if self.altered:
            raise AlteredGame(self.game.name, self.altered_words)

    @property
    def altered_words(self) -> list[str]:
        """The parts that are not what was written, in words."""
        return list(words_of(self.altered, self.seats))

    @property
    def title(self) -> str:
        """What the game is a game of: the title of its rules, their short name if they cannot be used."""
        try:
            return self.ruleset.info.title
        except BrokenGame:
            return self.game.ruleset

    @property
    def phase(self) -> str:
        """The kind of the step that runs, or of the first; empty if the rules have no kinds, or the game is over."""
        kinds = self.ruleset.info.phases
        return self.ruleset.phase(self.position) if self.position is not None else kinds[0] if kinds else ""

    @property
    def step_terms(self) -> Terms:
        """The terms as they are in the step that runs, or in the first."""
        return self.terms.of_phase(self.phase) if self.terms.phases else self.terms

    @property
    def has_sleepers(self) -> bool:
        """Whether a seat of this game is asleep, or can fall asleep by its terms."""
        return self.terms.have_sleepers or any(seat.is_asleep for seat in self.seats)

    @property
    def has_substitutes(self) -> bool:
        """Whether anybody in this game wants a substitute, or has one: only then is there anything to be looked up of them."""
        return self.game.substitutes_at is not None

    def note_step(self) -> None:
        """Let the game's row have the turn and the step of the position: so a game can be talked about whose position cannot be
        read."""
        position = self.position
        self.game.turn, self.game.step_name = self.ruleset.turn(position), self.ruleset.step_name(position)

    def of_step(self, text: str) -> str:
        """A text for the log, with the name of the current step before it if it has one."""
        return f"{self.game.step_name}: {text}" if self.game.step_name else text

    @cached_property
    def id(self) -> int:
        """The game's id; a game at the desk always has one."""
        assert self.game.id is not None
        return self.game.id

    @property
    def changed_options(self) -> str:
        """The options that are not as in the handbook, as ``turn_limit = 40, undefended = one``; empty if all are."""
        others = changed(self.ruleset.info.options, json.loads(self.game.options))
        return ", ".join(f"{key} = {option_words(value).lower()}" for key, value in others.items())

    def seat_of_id(self, seat_id: int | None) -> Seat | None:
        """The seat with that id in the ledger; None if it is not this game's, or not there any more."""
        return next((seat for seat in self.seats if seat.id == seat_id), None)

    def seat(self, name: str) -> Seat:
        """The seat of that name; the ruleset and the ledger know the same seats."""
        return next(seat for seat in self.seats if seat.name == name)

    # The deadline of a seat: the game's, one of its own, or a later one where the rules let it wait for another's orders.
    #
    # As long as the orders that a seat waits for are awaited, it has no deadline. From the instant at which they are filed, or
    # missed, or given up (`Seat.settled_at`) it has so many hours, and never less than without waiting. The instant is when
    # pbmd noted it, and not when the letter arrived, so that nobody loses time by a letter that was held or by a mail server
    # that was down. Reminders keep to the times of the seat's own deadline until that is over: they are in the log.

    @property
    def with_part(self) -> frozenset[str]:
        """The names of the seats with a part in this step: the rules await their orders, or have them. In a sequential game a
        move that waits has none yet.

        A seat without one gets the report that opens the step, without a form. It is not awaited, reminded, or told that it
        missed anything, and cannot hold the step up."""
        on_file = () if self.ruleset.sequential else self.ruleset.sheets(self.position)
        return frozenset((*self.awaiting, *(sheet.seat for sheet in on_file)))

    def own_deadline(self, seat: Seat) -> datetime | None:
        """The deadline as it is without any waiting; None if none runs."""
        return seat.deadline or self.game.deadline

    def waiting_for(self, seat: Seat) -> Wait | None:
        """For whose orders the seat still waits; as long as it does, it has no deadline."""
        return self._first_unended(self._waits(seat))

    def deadline_of(self, seat: Seat) -> datetime | None:
        """The deadline of the seat; None if none runs, or as long as it waits for another's orders."""
        own = self.own_deadline(seat)
        waits = self._waits(seat) if own else ()
        if own is None or self._first_unended(waits):
            return None
        settled = [(wait, self.seat(wait.on).settled_at) for wait in waits]
        return max((own, *(allowed(self.terms, at + timedelta(hours=wait.hours)) for wait, at in settled if at)))

    def _waits(self, seat: Seat) -> Sequence[Wait]:
        """For whose orders the rules let the seat wait, sent or not."""
        if self.ruleset.waits is None or self.position is None:
            return ()
        return [wait for wait in self.ruleset.waits(self.position) if wait.seat == seat.name]

    def _first_unended(self, waits: Sequence[Wait]) -> Wait | None:
        """The first of these whose orders are still awaited."""
        awaited = set(self.awaiting) if waits else ()
        return next((wait for wait in waits if wait.on in awaited and self.seat(wait.on).missed_step < self.game.step), None)
