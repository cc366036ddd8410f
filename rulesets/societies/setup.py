"""Sign-up and set-up (section 5 of the rules): names, and perhaps those of society and capital; then the first position."""

from collections.abc import Sequence
from dataclasses import replace

from pbmd.rules import Dice, OptionError, Options, Refused, Signup, SignupForm, Verdict
from pbmd.rules.checking import Fault
from pbmd.rules.options import changed, complete
from pbmd.rules.randomly import shuffled
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

from .checking.names import name_problem, text_problem
from .tables import INFO, START_GOLD, game_options
from .world.layout import side_for, slots, starts_problem, too_few_starts
from .world.state import City, Map, Position, Society


def _decoration(text: str) -> str:
    if problem := text_problem(text):
        raise Fault(problem)
    return text


_FIELDS = (
    SetupField("Society", "The Annalists", _decoration, about="What your people are called. You may leave it out."),
    SetupField("Capital", "Annopolis", _decoration, about="What your first city is called. You may leave it out."),
)


def check_signup(signup: Signup, accepted: Sequence[Signup], options: Options) -> tuple[Verdict, ...]:
    """The name of a newcomer and its set-up lines; the first to arrive keeps a name."""
    name = signup.seat
    problem = name_problem(name) or name_taken(name, accepted, INFO.seat_word)
    problem = problem or no_room(accepted, INFO.max_seats, "players") or _no_start(len(accepted) + 1, options)
    verdicts, _ = read_setup(signup.lines, _FIELDS, colon=False)
    return (seat_verdict(signup, problem), *verdicts)


def signup_form(asked: Signup, accepted: Sequence[Signup], options: Options) -> SignupForm:
    """A free name, and the two lines that may follow it."""
    lines = lines_to_copy(asked, _FIELDS, colon=False)
    form = form_by_name(INFO, check_signup)(asked, accepted, options)
    return replace(form, lines=lines)


def _no_start(players: int, options: Options) -> str:
    try:
        return too_few_starts(players, game_options(tuple(options.items())))
    except OptionError as problem:
        return str(problem)


def setup(signups: Sequence[Signup], options: Options, dice: Dice) -> Position:
    """The first position. Raises `Refused` for too few or too many players, and for options that make no map for them.

    Dice: one for the symmetry of the starting squares unless they are given, then those that deal the players to them.
    """
    players = len(signups)
    chosen = complete(INFO.options, options)
    given = tuple(changed(INFO.options, chosen).items())
    try:
        rules = game_options(given)
    except OptionError as problem:
        raise Refused(str(problem)) from None
    must_be_sound(INFO, check_signup, signups, chosen)
    if problem := starts_problem(players, rules):
        raise Refused(problem)
    side = side_for(players, rules)
    squares = slots(players, side, rules, dice)
    homes = dict(zip(shuffled(dice, range(players)), squares, strict=False))
    names = [(signup.seat, read_setup(signup.lines, _FIELDS, colon=False)[1]) for signup in signups]
    return Position(
        given=given,
        map=Map(side),
        societies=tuple(Society(seat, title=wishes.get("Society", ""), gold=START_GOLD) for seat, wishes in names),
        cities=tuple(City(homes[place], seat, wishes.get("Capital", "")) for place, (seat, wishes) in enumerate(names)),
    )
