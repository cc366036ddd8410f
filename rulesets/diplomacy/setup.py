"""Sign-up, where a player chooses a power, and the first position (DI-02)."""

from collections.abc import Mapping, Sequence

from pbmd.rules import Dice, Options, Refused, Signup, SignupForm, Verdict, match_name
from pbmd.rules.checking import Wrong, unknown, verdict
from pbmd.rules.options import changed, complete
from pbmd.rules.signups import must_be_sound, seat_verdict
from pbmd.rules.words import listing

from .tables import INFO, game_options
from .world.board import Board
from .world.state import Phase, Position, Power


def _board(options: Options) -> Board:
    return game_options(tuple(changed(INFO.options, options).items())).board


def check_signup(signup: Signup, accepted: Sequence[Signup], options: Options) -> tuple[Verdict, ...]:
    """The power that a newcomer asks for, by its name or the beginning of it; first come, first served (DI-02)."""
    powers = tuple(_board(options).by_power)
    taken = [other.seat for other in accepted]
    free = [name for name in powers if name not in taken]
    lines = (verdict(Wrong(line, "a sign-up has no lines in this game")) for line in signup.lines if line.text.strip())
    return _seat(signup, powers, free), *lines


def _seat(signup: Signup, powers: Sequence[str], free: Sequence[str]) -> Verdict:
    if not free:
        return seat_verdict(signup, f"the game is for {len(powers)} powers and full")
    found = match_name(signup.seat, powers)
    if found.found is None:
        return seat_verdict(signup, f"{unknown(found, signup.seat, 'power').problem}; there are {listing(powers)}")
    if found.found not in free:
        return seat_verdict(signup, f"{found.found} is taken; free are {listing(free)}")
    return seat_verdict(signup, "", found.found)


def fixed_seats(options: Options) -> Mapping[str, str]:
    """The powers of the map, with the letters by which the map has them."""
    return {power.name: power.code for power in _board(options).powers}


def most_seats(options: Options) -> int:
    """As many as the map has powers."""
    return len(_board(options).powers)


def sample_signup(accepted: Sequence[Signup], options: Options) -> Signup:
    """A sign-up for the first power that is free, or if there is none, for one that is taken."""
    powers, taken = tuple(_board(options).by_power), [other.seat for other in accepted]
    return Signup(next((name for name in powers if name not in taken), powers[0]))


def signup_form(asked: Signup, accepted: Sequence[Signup], options: Options) -> SignupForm:
    """The power that was asked for if it is free, else the first that is."""
    board = _board(options)
    free = [name for name in board.by_power if name not in {other.seat for other in accepted}] or list(board.by_power)
    found = match_name(asked.seat, free).found if asked.seat else None
    return SignupForm(found or free[0], f"The power that you play; free: {', '.join(free)}.")


def setup(signups: Sequence[Signup], options: Options, _dice: Dice) -> Position:
    """The position in which spring begins. Raises `Refused` for players or options that make no game. Powers that nobody has
    chosen are in civil disorder from the beginning (DI-04)."""
    chosen = complete(INFO.options, options)
    given = tuple(changed(INFO.options, chosen).items())
    try:
        game_options(given)
    except ValueError as problem:
        raise Refused(str(problem)) from None
    must_be_sound(INFO, check_signup, signups, chosen)
    board = _board(chosen)
    powers = tuple(
        Power(power.name, tuple(sorted(power.units, key=lambda unit: unit.place)), tuple(sorted(power.homes)))
        for power in board.powers
    )
    phase: Phase = "winter" if board.begins == "winter" else "spring moves"
    return Position(phase=phase, given=given, seats=tuple(signup.seat for signup in signups), powers=powers)
