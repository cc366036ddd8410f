"""How long the rules of a game may take: a call of theirs that never ends would hold up all games of this machine."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from pbmd.desk.books.timed_rules.limited import limited_rules
from pbmd.ledger.tables import Game, GameStatus
from pbmd.post.time_limit import within
from pbmd.rules.protocol import Ruleset
from pbmd.rules.troubles import BrokenGame, place_of

SECONDS = 60.0
"""Of the processor's time, for a call of the rules: a hundred times what those that come with pbmd take at most."""
SECONDS_OF: Mapping[str, float] = {"setup": 300.0, "resolve": 300.0}
"""For those that may have a whole world to make or to move."""


class _OverTime(BaseException):
    """The rules took too long. Not an `Exception`, which they might catch."""


@dataclass
class _Overrun:
    """What a game stops for, and whether the ledger has it as stopped already."""

    trouble: str
    has_stopped: bool = False


class RulesClock:
    """Limits the processor's time that the rules of a game take, in the main thread, which is where the desk works.

    Rules that took too long are not called for their game any more, as if they could not be used, until it is resumed: each
    call would make everybody wait once more. It is known in this process alone.
    """

    def __init__(self) -> None:
        self._overrun: dict[str, _Overrun] = {}

    def limited(self, game: Game, rules: Ruleset[Any]) -> Ruleset[Any]:
        """The rules of a game with functions that raise `BrokenGame` when they take too long."""
        return limited_rules(rules, partial(self._call, game))

    def must_not_be_over(self, game: Game) -> None:
        """Raises `BrokenGame` for a game whose rules took too long, unless it was resumed since."""
        known = self._overrun.get(game.name)
        if known is None:
            return
        if game.status is GameStatus.RUNNING and known.has_stopped:
            self.forget(game)
            return
        raise BrokenGame(game.name, known.trouble)

    def is_written(self, game: Game) -> None:
        """The ledger has the game as it is now. That it was stopped counts from then on: what is undone is tried again."""
        known = self._overrun.get(game.name)
        if known is not None and game.status is not GameStatus.RUNNING:
            known.has_stopped = True

    def forget(self, game: Game) -> None:
        """Try the rules again."""
        self._overrun.pop(game.name, None)

    def _call(self, game: Game, name: str, function: Callable[..., Any], given: tuple[Any, ...]) -> Any:
        """The result of a function of the rules. Raises `BrokenGame` if it takes too long, or if one did so before."""
        if self._overrun:
            self.must_not_be_over(game)
        seconds = SECONDS_OF.get(name, SECONDS)
        try:
            with within(seconds, _OverTime):
                return function(*given)
        except _OverTime as problem:
            place = place_of(problem).removeprefix(f"{_OverTime.__name__} in ")
            trouble = f"the rules took more than {seconds:g} s of the processor, at {place}"
            self._overrun[game.name] = _Overrun(trouble)
            raise BrokenGame(game.name, trouble) from None
