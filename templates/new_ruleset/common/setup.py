"""Sign-up and set-up."""

from collections.abc import Sequence

from pbmd.rules import Dice, Options, Refused, Signup, Verdict
from pbmd.rules.options import changed
from pbmd.rules.signups import must_be_sound, name_taken, no_room, read_setup, seat_verdict

from .orders import clean
from .position import INFO, Digger, Position, first_position


def check_signup(signup: Signup, accepted: Sequence[Signup], options: Options) -> tuple[Verdict, ...]:
    """What is wrong with a newcomer's name, and with the lines below it: there are none here."""
    problem = no_room(accepted, INFO.max_seats, INFO.seat_word) or name_taken(signup.seat, accepted, INFO.seat_word)
    if clean(signup.seat) != signup.seat:
        problem = "at its ends a name has letters, digits or brackets"
    return (seat_verdict(signup, problem), *read_setup(signup.lines, ())[0])


def setup(signups: Sequence[Signup], options: Options, dice: Dice) -> Position:
    """The first position. Raises `Refused` if these players make no game."""
    if len(signups) < INFO.min_seats:
        raise Refused(f"{INFO.title} needs at least {INFO.min_seats} players")
    must_be_sound(check_signup, signups, options)
    given = tuple(changed(INFO.options, options).items())
    return first_position(tuple(Digger(signup.seat) for signup in signups), given)
