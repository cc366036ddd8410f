"""Sign-up and set-up (section 5 of the rules): factions, their bases, and what they begin with."""

from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import islice

from pbmd.rules import Dice, Options, Signup, SignupForm, Verdict, fold
from pbmd.rules.checking import Fault
from pbmd.rules.options import changed, complete
from pbmd.rules.signups import (
    SetupField,
    form_by_name,
    lines_to_copy,
    must_be_sound,
    name_taken,
    no_room,
    read_setup,
    seat_verdict,
)
from pbmd.rules.words import counted

from .checking.reading import clean
from .tables import INFO, game_options
from .world.state import Base, Player, Position, automatic_name, faction_name_problem, free_names, name_problem

_BASES = "Bases"
_ANY_NUMBER = 10**6


def check_signup(signup: Signup, accepted: Sequence[Signup], options: Options) -> tuple[Verdict, ...]:
    """The faction's name and its ``Bases:`` line (section 5); the first to arrive keeps a name."""
    problem = (
        faction_name_problem(signup.seat)
        or name_taken(signup.seat, accepted, INFO.seat_word)
        or no_room(accepted, int(options["max_players"]), "factions")
    )
    taken = frozenset(fold(name) for other in accepted for name in bases_asked_for(other))
    verdicts, _ = read_setup(signup.lines, (_bases_line(int(options["starting_bases"]), taken),))
    return (seat_verdict(signup, problem), *verdicts)


def signup_form(asked: Signup, accepted: Sequence[Signup], options: Options) -> SignupForm:
    """A free name, and names for the first bases."""
    taken = frozenset(fold(name) for other in accepted for name in bases_asked_for(other))
    form = form_by_name(INFO, check_signup)(asked, accepted, options)
    return replace(form, lines=lines_to_copy(asked, (_bases_line(int(options["starting_bases"]), taken),)))


def bases_asked_for(signup: Signup) -> list[str]:
    """The base names of an accepted sign-up, in the order written."""
    _, values = read_setup(signup.lines, (_bases_line(_ANY_NUMBER),))
    return values[_BASES].split(", ") if _BASES in values else []


def _bases_line(most: int, taken: Set[str] = frozenset()) -> SetupField:
    """The line with names of the first bases; those taken are folded."""

    def read(text: str) -> str:
        names = [name.strip().rstrip(".").strip() for name in clean(text).split(",")]
        if len(names) > most:
            raise Fault(f"{len(names)} names for {counted(most, 'base')}")
        met: set[str] = set()
        for name in names:
            problem = name_problem(name)
            if not problem and fold(name) in taken:
                problem = "another base has this name already"
            if not problem and fold(name) in met:
                problem = "the name is there twice"
            if problem:
                raise Fault(f'"{name}": {problem}')
            met.add(fold(name))
        return ", ".join(names)

    about = f"The names of your first bases, at most {most}. You may leave the line out."
    return SetupField(_BASES, ", ".join(islice(free_names(taken), min(most, 3))), read, about=about)


def setup(signups: Sequence[Signup], options: Options, _dice: Dice) -> Position:
    """The first position (section 5). Raises `Refused` for too few factions, and for an invalid one."""
    chosen = complete(INFO.options, options)
    must_be_sound(INFO, check_signup, signups, chosen)
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
            alive=True,
            bp=rules.starting_bp,
            generators=rules.starting_generators,
            spies=rules.starting_spies,
            counter_espionage=rules.starting_counter_espionage,
        )
        for signup in signups
    )
    return Position(0 if rules.turn_zero else 1, "running", "", players, tuple(bases), given=given)


def _first_bases(signup: Signup, count: int, taken: set[str]) -> list[str]:
    names = bases_asked_for(signup)
    while len(names) < count:
        names.append(automatic_name(signup.seat, len(names), taken))
        taken.add(fold(names[-1]))
    return names
