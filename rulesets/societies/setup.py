"""Set-up: the first position (section 5 of the rules)."""

from collections.abc import Sequence

from pbmd.rules import Dice, Options, Refused, Signup
from pbmd.rules.options import changed, complete
from pbmd.rules.signups import must_be_sound

from .layout import side_for, slots, starts_problem
from .position import City, Position, Society
from .signup import check_signup, wishes_of
from .tables import INFO, START_GOLD, game_options


def setup(signups: Sequence[Signup], options: Options, dice: Dice) -> Position:
    """The first position. Raises `Refused` for too few or too many players, and for options that make no map for them.

    Dice: one for the symmetry of the starting squares unless they are given, then those that deal the players to them.
    """
    players = len(signups)
    chosen = complete(INFO.options, options)
    given = tuple(changed(INFO.options, chosen).items())
    if not INFO.min_seats <= players <= INFO.max_seats:
        raise Refused(f"{INFO.title} is for {INFO.min_seats} to {INFO.max_seats} players, not for {players}")
    try:
        rules = game_options(given)
    except ValueError as problem:
        raise Refused(str(problem)) from None
    must_be_sound(check_signup, signups, chosen)
    if problem := starts_problem(players, rules):
        raise Refused(problem)
    side = side_for(players, rules)
    squares = slots(players, side, rules, dice)
    homes = dict(zip(_dealt(players, dice), squares, strict=False))
    return Position(
        turn=1,
        given=given,
        options=rules,
        side=side,
        societies=tuple(Society(signup.seat, title=wishes_of(signup).title, gold=START_GOLD) for signup in signups),
        cities=tuple(City(homes[place], signup.seat, wishes_of(signup).capital) for place, signup in enumerate(signups)),
    )


def _dealt(players: int, dice: Dice) -> list[int]:
    """The players by their places in the sign-up order, shuffled from the end; the one at place k gets slot k."""
    order = list(range(players))
    for last in range(players, 1, -1):
        drawn = dice.roll(last)
        order[last - 1], order[drawn - 1] = order[drawn - 1], order[last - 1]
    return order
