"""Sign-up (section 5.1 of the rules): a player chooses a name, and perhaps a side."""

import re
from collections.abc import Sequence

from pbmd.rules import Line, Options, Signup, Status, Verdict, fold

from .names import player_name_problem
from .state import SideNumber, enemy_of

_SIDE = re.compile(r"side\b\s*:?\s*(1|2|one|two)\s*[.,;!]*", re.IGNORECASE)
_SIDES: dict[str, SideNumber] = {"1": 1, "one": 1, "2": 2, "two": 2}
_EXAMPLE = "Side 1"


def check_signup(signup: Signup, accepted: Sequence[Signup], options: Options) -> tuple[Verdict, ...]:
    """The name of a newcomer and the side asked for; the first to arrive keeps a name, and a seat."""
    problem = player_name_problem(signup.seat)
    if not problem and any(fold(signup.seat) == fold(other.seat) for other in accepted):
        problem = "another player has this name already"
    room = 2 * int(options["players_per_side"])
    if not problem and len(accepted) >= room:
        problem = f"the game is for {room} players and full"
    status = Status.ERROR if problem else Status.OK
    head = Verdict(0, signup.seat, status, f'"{signup.seat:.60}": {problem}' if problem else "")
    got = sides_of((*accepted, signup), options)[-1]
    said: list[SideNumber] = []
    return (head, *(_check_line(line, got, said) for line in signup.lines if line.text.strip()))


def sides_of(signups: Sequence[Signup], options: Options) -> tuple[SideNumber, ...]:
    """The sides of the players: the one asked for while it has a free seat, else the one with fewer players, or side one."""
    room, found = int(options["players_per_side"]), list[SideNumber]()
    for signup in signups:
        wish = _wish(signup)
        fewer: SideNumber = 1 if found.count(1) <= found.count(2) else 2
        found.append(wish if wish and found.count(wish) < room else fewer)
    return tuple(found)


def _wish(signup: Signup) -> SideNumber | None:
    for line in signup.lines:
        if wish := _side_in(line):
            return wish
    return None


def _side_in(line: Line) -> SideNumber | None:
    found = _SIDE.fullmatch(line.text.strip())
    return _SIDES[fold(found[1])] if found else None


def _check_line(line: Line, got: SideNumber, said: list[SideNumber]) -> Verdict:
    wish = _side_in(line)
    if wish is None or said:
        problem = "this is said twice" if wish else "a sign-up can say which side is preferred"
        return Verdict(line.number, line.text, Status.ERROR, f"{problem}, for example: {_EXAMPLE}")
    said.append(wish)
    if got != wish:
        message = f"side {wish} is full; you join side {enemy_of(wish)}"
        return Verdict(line.number, line.text, Status.WARNING, message, f"Side {wish}")
    return Verdict(line.number, line.text, Status.OK, canonical=f"Side {wish}")
