"""Joining a game and its first position (section 5 of the rules)."""

import re
from collections.abc import Sequence

from pbmd.rules import Dice, Options, OptionValue, Refused, Signup, Status, Verdict, fold

from .economy import automatic_name
from .grammar import clean
from .position import Base, Player, Position, name_problem
from .tables import INFO, GameOptions, game_options

_BASES = re.compile(r"bases?\s*:(.*)", re.IGNORECASE)
_EXAMPLE = "Bases: Terra, Luna"


def check_signup(signup: Signup, accepted: Sequence[Signup], options: Options) -> tuple[Verdict, ...]:
    """Verdicts on a faction's name (line 0) and its ``Bases:`` line, given those that joined before."""
    chosen = game_options(options.items())
    verdicts = [_seat_verdict(signup.seat, accepted, chosen)]
    taken = {fold(name) for other in accepted for name in _base_names(other, chosen)}
    met = False
    for line in signup.lines:
        text = clean(line.text)
        if not text or text.startswith("#"):
            continue
        problem, names = _read_bases(text, taken, chosen)
        if met and not problem:
            problem = "your bases are named already in an earlier line"
        if problem:
            verdicts.append(Verdict(line.number, line.text, Status.ERROR, f'"{text:.60}": {problem}. Example: {_EXAMPLE}'))
        else:
            met = True
            verdicts.append(Verdict(line.number, line.text, Status.OK, canonical=f"Bases: {', '.join(names)}"))
    return tuple(verdicts)


def setup(seats: Sequence[Signup], options: Options, _dice: Dice) -> Position:
    """The first position. Raises `Refused` when the factions do not make a game. Nothing is left to chance."""
    chosen = game_options(options.items())
    if len(seats) < INFO.min_seats:
        raise Refused(f"a game needs at least {INFO.min_seats} factions, not {len(seats)}")
    for place, signup in enumerate(seats):
        verdict = _seat_verdict(signup.seat, seats[:place], chosen)
        if verdict.status is Status.ERROR:
            raise Refused(verdict.message)
    wishes = _wishes(seats, options)
    taken = {fold(name) for names in wishes for name in names}
    bases: list[Base] = []
    for signup, names in zip(seats, wishes, strict=True):
        faction = clean(signup.seat)
        for place in range(chosen.starting_bases):
            name = names[place] if place < len(names) else automatic_name(faction, place, taken)
            taken.add(fold(name))
            bases.append(Base(name, faction, faction, len(bases) + 1))
    given: tuple[tuple[str, OptionValue], ...] = tuple(
        (key, value) for key, value in options.items() if value != INFO.options[key].default
    )
    return Position(
        turn=0 if chosen.turn_zero else 1,
        status="running",
        winner="",
        given=given,
        options=chosen,
        players=tuple(_newcomer(clean(signup.seat), chosen) for signup in seats),
        bases=tuple(bases),
    )


def _newcomer(name: str, options: GameOptions) -> Player:
    return Player(
        name=name,
        alive=True,
        bp=options.starting_bp,
        generators=options.starting_generators,
        spies=options.starting_spies,
        counter_espionage=options.starting_counter_espionage,
        original_ships=0,
        ships=(),
    )


def _seat_verdict(seat: str, accepted: Sequence[Signup], options: GameOptions) -> Verdict:
    name = clean(seat)
    problem = name_problem(name)
    if not problem and fold(name) in {fold(clean(other.seat)) for other in accepted}:
        problem = "a faction of that name has joined already; choose another name"
    if not problem and options.max_players and len(accepted) >= options.max_players:
        problem = f"the game is full: it is for {options.max_players} factions"
    if problem:
        return Verdict(0, seat, Status.ERROR, f'"{name:.60}": {problem}')
    return Verdict(0, seat, Status.OK, canonical=name)


def _wishes(seats: Sequence[Signup], options: Options) -> list[list[str]]:
    """The base names that each faction chose and gets; those of a refused line are replaced by automatic ones."""
    return [
        next(
            (
                verdict.canonical.removeprefix("Bases: ").split(", ")
                for verdict in check_signup(signup, seats[:place], options)
                if verdict.line and verdict.status is Status.OK
            ),
            [],
        )
        for place, signup in enumerate(seats)
    ]


def _base_names(signup: Signup, options: GameOptions) -> list[str]:
    """The base names of a sign-up that was accepted before."""
    for line in signup.lines:
        problem, names = _read_bases(clean(line.text), set(), options)
        if not problem:
            return names
    return []


def _read_bases(text: str, taken: set[str], options: GameOptions) -> tuple[str, list[str]]:
    """What is wrong with a ``Bases:`` line, or "", and the names."""
    matched = _BASES.fullmatch(text.rstrip(" .,;!"))
    if matched is None:
        return "the only line at sign-up names your bases", []
    names = [clean(name) for name in matched[1].split(",")]
    if len(names) > options.starting_bases:
        return f"{len(names)} names, but a faction starts with {options.starting_bases} bases", names
    for place, name in enumerate(names):
        if problem := name_problem(name):
            return f'"{name:.40}": {problem}', names
        if fold(name) in taken or fold(name) in map(fold, names[:place]):
            return f'the name "{name}" is taken', names
    return "", names
