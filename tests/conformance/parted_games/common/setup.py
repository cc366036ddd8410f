"""Sign-up and set-up."""

from collections.abc import Sequence

from pbmd.rules import Dice, Options, Signup
from pbmd.rules.options import changed
from pbmd.rules.signups import check_by_name, must_be_sound

from .position import INFO, Digger, Position, first_position

check_signup = check_by_name(INFO)


def setup(signups: Sequence[Signup], options: Options, dice: Dice) -> Position:
    """The first position. Raises `Refused` if these players make no game."""
    must_be_sound(INFO, check_signup, signups, options)
    given = tuple(changed(INFO.options, options).items())
    return first_position(tuple(Digger(signup.seat) for signup in signups), given)
