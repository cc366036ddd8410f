"""Sign-up and set-up."""

from collections.abc import Sequence

from pbmd.rules import Dice, Options, Refused, Signup
from pbmd.rules.options import changed
from pbmd.rules.randomly import shuffled
from pbmd.rules.signups import check_by_name, must_be_sound

from .position import INFO, Position, Role, Villager, game_options

check_signup = check_by_name(INFO)


def setup(signups: Sequence[Signup], options: Options, dice: Dice) -> Position:
    """The first position. Raises `Refused` if these players make no game."""
    must_be_sound(INFO, check_signup, signups, options)
    given = tuple(changed(INFO.options, options).items())
    many = game_options(given).wolves
    if 2 * many >= len(signups):
        raise Refused("there must be more others than wolves")
    rest = len(signups) - many - 2
    roles: list[Role] = ["wolf"] * many + ["seer", "doctor"] + ["villager"] * rest
    dealt = shuffled(dice, roles)
    return Position(tuple(Villager(signup.seat, role) for signup, role in zip(signups, dealt, strict=True)), given)
