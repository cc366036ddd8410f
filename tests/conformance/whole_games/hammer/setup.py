"""Sign-up and set-up."""

from collections.abc import Sequence

from pbmd.rules import Dice, Options, Signup
from pbmd.rules.options import changed
from pbmd.rules.randomly import shuffled
from pbmd.rules.signups import check_by_name, must_be_sound

from .position import GEMS, INFO, Dealer, Position, game_options

check_signup = check_by_name(INFO)


def setup(signups: Sequence[Signup], options: Options, dice: Dice) -> Position:
    """The first position. Raises `Refused` if these players make no game."""
    must_be_sound(INFO, check_signup, signups, options)
    given = tuple(changed(INFO.options, options).items())
    chosen = game_options(given)
    gems = [GEMS[number % len(GEMS)] for number in range(chosen.lots)]
    first, *pile = shuffled(dice, gems)
    dealers = tuple(Dealer(signup.seat, chosen.money) for signup in signups)
    return Position(dealers, given, sale=(first,), reserve=dice.roll(chosen.reserve), pile=tuple(pile))
