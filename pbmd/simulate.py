"""Whole games without people: random players send order text, as letters would bring it, until somebody has won.

It finds orders that crash a ruleset, shows whether seats are equal, and measures how fast turns are resolved. A game depends
only on the plan and its number, so any game can be repeated by itself.
"""

import hashlib
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from statistics import median
from typing import Any

from pbmd.rules import Dice, HmacDice, Mail, Options, Receipt, Refused, Ruleset, Signup, Status
from pbmd.rules.lines import order_lines
from pbmd.rules.sheets import digest, to_be_used
from pbmd.rules.signups import NAMES, as_signup
from pbmd.rules.troubles import PlaceInFile, in_a_line, place_in_files

_LETTERS_PER_SEAT = 100
"""If a seat writes more letters than this in one step, that is not a game but a ruleset that awaits orders without end."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played. `load` finds the ruleset and can be pickled, for games in other processes.

    `max_turns` ends games that nobody wins; a turn is one resolution, thus one move in a sequential ruleset.
    """

    load: Callable[[], Ruleset[Any]]
    players: int
    options: Options
    seed: int
    max_turns: int


@dataclass(frozen=True, slots=True)
class Game:
    """How one game went. `winners` are places in the order of sign-up, from 0; `lines` and `errors` count order lines.

    `problem` is the exception, if any, in the turn after the last of `turns`, `place` where in the files of the ruleset, if it
    was there; `trace` has the details.
    """

    number: int
    turns: int = 0
    lines: int = 0
    errors: int = 0
    ended: bool = False
    winners: tuple[int, ...] = ()
    problem: str = ""
    place: PlaceInFile | None = None
    trace: str = ""

    @property
    def unfinished(self) -> bool:
        """Whether it was stopped after the maximum number of turns."""
        return not self.ended and not self.problem

    @property
    def drawn(self) -> bool:
        """Whether it has ended and nobody has won."""
        return self.ended and not self.winners


@dataclass(frozen=True, slots=True)
class Summary:
    """All games in figures. Lengths are in turns, without failed games; `wins` has a number per place in the sign-up order."""

    games: int
    ended: int
    unfinished: int
    failed: int
    shortest: int
    median: float
    longest: int
    turns: int
    wins: tuple[int, ...]
    draws: int
    orders_per_turn: float
    errors_per_turn: float


def signups(ruleset: Ruleset[Any], players: int, options: Options, names: Sequence[str] = NAMES) -> tuple[Signup, ...]:
    """As many sign-ups as there are players, with `names`, which get a number if there are too few. Raises `Refused` when the
    ruleset does not take them."""
    accepted: list[Signup] = []
    for place in range(players):
        lap, star = divmod(place, len(names))
        name = f"{names[star]} {lap + 1}" if lap else names[star]
        signup = ruleset.sample_signup(accepted, options) if ruleset.sample_signup else Signup(name)
        if ruleset.signup_form and ruleset.sample_signup is None and _is_refused(ruleset, signup, accepted, options):
            signup = as_signup(ruleset.signup_form(signup, accepted, options))
        wrong = [verdict for verdict in ruleset.check_signup(signup, accepted, options) if verdict.status is Status.ERROR]
        if wrong:
            raise Refused(wrong[0].message)
        accepted.append(signup)
    return tuple(accepted)


def _is_refused(ruleset: Ruleset[Any], signup: Signup, accepted: Sequence[Signup], options: Options) -> bool:
    return any(verdict.status is Status.ERROR for verdict in ruleset.check_signup(signup, accepted, options))


_USUAL_PLAYERS = 6


def usual_players(rules: Ruleset[Any], options: Options) -> int:
    """The usual number of players, or the highest below it that can sign up with these options."""
    most = min(_USUAL_PLAYERS, rules.info.max_seats or _USUAL_PLAYERS)
    for players in range(most, rules.info.min_seats, -1):
        try:
            signups(rules, players, options)
        except Refused:
            continue
        return players
    return rules.info.min_seats


def must_be_for(rules: Ruleset[Any], players: int) -> None:
    """Raises `Refused` if the game is not for so many players."""
    info = rules.info
    if not info.min_seats <= players <= (info.max_seats or players):
        raise Refused(f"{info.title} is for {info.min_seats} to {info.max_seats or 'any number of'} players, not {players}")


def set_up(plan: Plan, number: int) -> Any:
    """The first position of a game. Raises `Refused` when the plan makes no game."""
    ruleset = plan.load()
    return ruleset.setup(signups(ruleset, plan.players, plan.options), plan.options, _dice(plan, number, "set-up"))


def play(plan: Plan, number: int) -> Game:
    """Play game no. `number` to its end, or to `plan.max_turns`. What a ruleset raises ends the game and is its `problem`."""
    game = Game(number)
    try:
        for game in _course(plan, number):  # noqa: B007 – the last state is what counts, also when the next one fails
            pass
    except Exception as problem:
        return replace(game, problem=in_a_line(problem), place=place_in_files(problem), trace=traceback.format_exc())
    return game


def play_all(plan: Plan, numbers: Sequence[int], jobs: int) -> Iterator[Game]:
    """Play the games in `jobs` processes and yield them in the order of `numbers`, each as soon as possible."""
    if jobs == 1:
        yield from map(partial(play, plan), numbers)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as processes:
        yield from processes.map(partial(play, plan), numbers)


def summary(games: Sequence[Game], players: int) -> Summary:
    """The figures of at least one game."""
    wins = Counter(place for game in games for place in game.winners)
    turns = sum(game.turns for game in games)
    lengths = [game.turns for game in games if not game.problem] or [0]

    def per_turn(count: int) -> float:
        return round(count / max(turns, 1), 2)

    return Summary(
        games=len(games),
        ended=sum(game.ended for game in games),
        unfinished=sum(game.unfinished for game in games),
        failed=sum(bool(game.problem) for game in games),
        shortest=min(lengths),
        median=median(lengths),
        longest=max(lengths),
        turns=turns,
        wins=tuple(wins[place] for place in range(players)),
        draws=sum(game.drawn for game in games),
        orders_per_turn=per_turn(sum(game.lines for game in games)),
        errors_per_turn=per_turn(sum(game.errors for game in games)),
    )


def _course(plan: Plan, number: int) -> Iterator[Game]:
    """The game after set-up and after each turn."""
    ruleset = plan.load()
    position = set_up(plan, number)
    players = _dice(plan, number, "players")
    game = Game(number)
    yield game
    while (outcome := ruleset.outcome(position)) is None and game.turns < plan.max_turns:
        position, counts = (_moves if ruleset.sequential else _post)(ruleset, position, players)
        chance = _dice(plan, number, f"turn {game.turns}", digest(to_be_used(ruleset, position)))
        position = ruleset.resolve(position, chance).position
        lines, errors = game.lines + counts["lines"], game.errors + counts["errors"]
        game = replace(game, turns=game.turns + 1, lines=lines, errors=errors)
        yield game
    if outcome is not None:
        places: Mapping[str, int] = {seat: place for place, seat in enumerate(ruleset.seats(position))}
        yield replace(game, ended=True, winners=tuple(places[seat] for seat in outcome.winners))


def _post(ruleset: Ruleset[Any], position: Any, players: Dice) -> tuple[Any, Counter[str]]:
    """Letters from the awaited seats, in random order, until nobody is: the resulting position, and numbers of lines and
    errors.

    A seat that is still awaited after its letter (all of it was refused) misses the deadline.
    """
    counts: Counter[str] = Counter()
    letters = 0
    while awaited := ruleset.awaiting(position):
        letters += 1
        if letters > _LETTERS_PER_SEAT * len(ruleset.seats(position)):
            raise RuntimeError(f"after {letters - 1} letters in one turn these are still awaited: {', '.join(awaited)}")
        seat = awaited[players.roll(len(awaited)) - 1]
        text = ruleset.random_orders(position, seat, players)
        receipt = ruleset.receive(position, Mail(seat, order_lines(text), (letters, 0)))
        counts += _counted(receipt)
        misses = seat in ruleset.awaiting(receipt.position) and not receipt.granted
        position = ruleset.miss(receipt.position, seat).position if misses else receipt.position
    return position, counts


def _moves(ruleset: Ruleset[Any], position: Any, players: Dice) -> tuple[Any, Counter[str]]:
    """Letters until a move, or a skip, is due in a sequential ruleset: as `_post`. Before the move others may send something, a
    move ahead of its time or mails that need none; and now and then the seat that is to move does not."""
    assert ruleset.ready is not None
    counts: Counter[str] = Counter()
    arrival = 1 + max((sheet.arrival[0] for sheet in ruleset.sheets(position)), default=0)
    while not ruleset.ready(position):
        awaited = ruleset.awaiting(position)
        if not awaited:
            raise RuntimeError("nobody is awaited, but nothing is due")
        for seat in ruleset.seats(position):
            what = players.roll(_SELDOM)
            if seat in awaited or what > len(_AHEAD):
                continue
            position, sent = _AHEAD[what - 1](ruleset, position, seat, arrival, players)
            counts += sent
            arrival += 1
        seat = awaited[players.roll(len(awaited)) - 1]
        if players.roll(_SELDOM) == 1:
            position = ruleset.miss(position, seat).position
            break
        receipt = ruleset.receive(
            position, Mail(seat, order_lines(ruleset.random_orders(position, seat, players)), (arrival, 0))
        )
        counts += _counted(receipt)
        # A letter that was refused as a whole made no move.
        position = receipt.position if receipt.filed else ruleset.miss(receipt.position, seat).position
    return position, counts


def _held(ruleset: Ruleset[Any], position: Any, seat: str, arrival: int, players: Dice) -> tuple[Any, Counter[str]]:
    """A move is sent ahead."""
    text = ruleset.random_orders(position, seat, players)
    receipt = ruleset.receive(position, Mail(seat, order_lines(text), (arrival, 0)))
    return receipt.position, _counted(receipt)


def _talk(ruleset: Ruleset[Any], position: Any, seat: str, arrival: int, players: Dice) -> tuple[Any, Counter[str]]:
    """The lines of a letter that take effect without a move are sent, each alone."""
    counts: Counter[str] = Counter()
    for line in order_lines(ruleset.random_orders(position, seat, players)):
        receipt = ruleset.receive(position, Mail(seat, (line,), (arrival, 0)))
        if receipt.granted:
            position = receipt.position
            counts += _counted(receipt)
    return position, counts


_SELDOM = 12
"""One in this many does something out of the ordinary."""
_AHEAD = (_held, _talk, _talk)


def _counted(receipt: Receipt[Any]) -> Counter[str]:
    lines = [verdict for verdict in receipt.verdicts if verdict.line > 0]
    return Counter(lines=len(lines), errors=sum(verdict.status is Status.ERROR for verdict in lines))


def _dice(plan: Plan, number: int, purpose: str, context: bytes = b"") -> HmacDice:
    return HmacDice(hashlib.sha256(f"{plan.seed}/{number}/{purpose}".encode()).digest(), context)
