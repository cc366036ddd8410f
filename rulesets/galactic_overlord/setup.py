"""Sign-up and set-up (section 5 of the rules): factions, their bases, and what they begin with."""

from collections.abc import Sequence

from pbmd.rules import Dice, Line, Options, Refused, Signup, Status, Verdict, fold
from pbmd.rules.options import changed, complete

from .checking.reading import clean
from .tables import INFO, game_options
from .world.state import Base, Player, Position, faction_name_problem, name_problem

_SETUP_HEAD = "bases:"


def check_signup(signup: Signup, accepted: Sequence[Signup], options: Options) -> tuple[Verdict, ...]:
    """The faction's name and its ``Bases:`` line (section 5); the first to arrive keeps a name."""
    problem = faction_name_problem(signup.seat)
    if not problem and any(fold(signup.seat) == fold(other.seat) for other in accepted):
        problem = "another faction has this name already"
    limit = int(options["max_players"])
    if not problem and limit and len(accepted) >= limit:
        problem = f"the game is for {limit} factions and full"
    head = (
        Verdict(0, signup.seat, Status.ERROR, f'"{signup.seat}": {problem}') if problem else Verdict(0, signup.seat, Status.OK)
    )
    taken = {fold(name) for other in accepted for name in bases_asked_for(other)}
    verdicts = [head]
    for place, line in enumerate(line for line in signup.lines if line.text.strip()):
        verdicts.append(_signup_line(line, taken, int(options["starting_bases"]), second=place > 0))
    return tuple(verdicts)


def bases_asked_for(signup: Signup) -> tuple[str, ...]:
    """The base names of an accepted sign-up, in the order written."""
    for line in signup.lines:
        if clean(line.text).lower().startswith(_SETUP_HEAD):
            return _base_list(line.text)
    return ()


def _base_list(text: str) -> tuple[str, ...]:
    return tuple(name.strip().rstrip(".").strip() for name in clean(text)[len(_SETUP_HEAD) :].split(","))


def _signup_line(line: Line, taken: set[str], most: int, *, second: bool) -> Verdict:
    example = "Example: Bases: Terra, Luna, Ceres"
    if not clean(line.text).lower().startswith(_SETUP_HEAD):
        return Verdict(
            line.number, line.text, Status.ERROR, f"a faction's set-up is one line with the names of its bases. {example}"
        )
    names = _base_list(line.text)
    problem = "the bases are named in one line only" if second else ""
    if len(names) > most:
        problem = problem or f"{len(names)} names for {most} {'base' if most == 1 else 'bases'}"
    for place, name in enumerate(names):
        wrong = name_problem(name)
        if not wrong and fold(name) in taken:
            wrong = "another base has this name already"
        if not wrong and fold(name) in {fold(other) for other in names[:place]}:
            wrong = "the name is there twice"
        problem = problem or (f'"{name}": {wrong}' if wrong else "")
    if problem:
        return Verdict(line.number, line.text, Status.ERROR, f"{problem}. {example}")
    return Verdict(line.number, line.text, Status.OK, canonical=f"Bases: {', '.join(names)}")


def setup(signups: Sequence[Signup], options: Options, _dice: Dice) -> Position:
    """The first position (section 5). Raises `Refused` for too few or too many factions."""
    if len(signups) < INFO.min_seats:
        raise Refused(f"{INFO.title} needs at least {INFO.min_seats} factions")
    chosen = complete(INFO.options, options)
    if 0 < int(chosen["max_players"]) < len(signups):
        raise Refused(f"the game is for {chosen['max_players']} factions at most, not for {len(signups)}")
    given = tuple(changed(INFO.options, chosen).items())
    rules = game_options(given)
    taken = {fold(name) for signup in signups for name in bases_asked_for(signup)}
    bases: list[Base] = []
    for signup in signups:
        for name in _first_bases(signup, rules.starting_bases, taken):
            bases.append(Base(name, signup.seat, signup.seat, len(bases) + 1))
    players = tuple(
        Player(
            name=signup.seat,
            bp=rules.starting_bp,
            generators=rules.starting_generators,
            spies=rules.starting_spies,
            counter_espionage=rules.starting_counter_espionage,
        )
        for signup in signups
    )
    return Position(0 if rules.turn_zero else 1, "running", "", players, tuple(bases), given=given)


def _first_bases(signup: Signup, count: int, taken: set[str]) -> list[str]:
    names = list(bases_asked_for(signup))
    place = 0
    while len(names) < count:
        place = max(place + 1, len(names) + 1)
        name = f"{signup.seat} Base {place}"
        if fold(name) not in taken:
            taken.add(fold(name))
            names.append(name)
    return names
