"""Sign-up, where a player chooses a name and perhaps a side, and the first position (section 5 of the rules)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle

from pbmd.rules import Dice, Line, Options, Refused, Signup, SignupForm, SignupLine, Verdict, fold
from pbmd.rules.checking import Right, Wrong, verdict
from pbmd.rules.options import changed, complete
from pbmd.rules.signups import form_by_name, must_be_sound, name_taken, no_room, seat_verdict

from .tables import INFO, SIDE_NAMES, GameOptions, game_options
from .world.maps import built_in, random_map
from .world.names import player_name_problem
from .world.state import Player, Position, Side
from .world.systems import SIDES, Body, SideNumber, System

_SIDE = re.compile(r"side\b\s*:?\s*(1|2|one|two)\s*[.,;!]*", re.IGNORECASE)
_NUMBERS: dict[str, SideNumber] = {"1": 1, "one": 1, "2": 2, "two": 2}
_EXAMPLE = "Side 1"


def check_signup(signup: Signup, accepted: Sequence[Signup], options: Options) -> tuple[Verdict, ...]:
    """The name of a newcomer and the side asked for; the first to arrive keeps a name, and a seat."""
    room = 2 * int(options["players_per_side"])
    problem = (
        player_name_problem(signup.seat) or name_taken(signup.seat, accepted, "player") or no_room(accepted, room, "players")
    )
    got = sides_of((*accepted, signup), options)[-1]
    said: list[SideNumber] = []
    lines = (_check_line(line, got, said) for line in signup.lines if line.text.strip())
    return seat_verdict(signup, problem), *lines


def signup_form(asked: Signup, accepted: Sequence[Signup], options: Options) -> SignupForm:
    """A free name, and the side: the one that was asked for, if it has a seat."""
    side = sides_of((*accepted, asked), options)[-1]
    form = form_by_name(INFO, check_signup)(asked, accepted, options)
    return replace(form, lines=(SignupLine(f"Side {side}", "The side that you would like. You may leave it out."),))


def sides_of(signups: Sequence[Signup], options: Options) -> tuple[SideNumber, ...]:
    """The sides of the players: the one asked for while it has a free seat, else the one with fewer players, or side one."""
    room, found = int(options["players_per_side"]), list[SideNumber]()
    for signup in signups:
        wishes: list[SideNumber] = [side for line in signup.lines if (side := _side_in(line))]
        wish = wishes[0] if wishes else None
        fewer: SideNumber = 1 if found.count(1) <= found.count(2) else 2
        found.append(wish if wish and found.count(wish) < room else fewer)
    return tuple(found)


def _side_in(line: Line) -> SideNumber | None:
    found = _SIDE.fullmatch(line.text.strip())
    return _NUMBERS[fold(found[1])] if found else None


def _check_line(line: Line, got: SideNumber, said: list[SideNumber]) -> Verdict:
    wish = _side_in(line)
    if wish is None or said:
        problem = "this is said twice" if wish else "a sign-up can say which side is preferred"
        return verdict(Wrong(line, problem, example=_EXAMPLE))
    said.append(wish)
    return verdict(Right(line, f"Side {wish}", f"side {wish} is full; you join side {got}" if got != wish else ""))


# --- The first position --------------------------------------------------------------------------------------------------


def setup(signups: Sequence[Signup], options: Options, dice: Dice) -> Position:
    """The position in which squadrons are chosen. Raises `Refused` for players or options that make no game.

    Dice: only for a random map.
    """
    chosen = complete(INFO.options, options)
    given = tuple(changed(INFO.options, chosen).items())
    try:
        rules = game_options(given)
    except ValueError as problem:
        raise Refused(str(problem)) from None
    must_be_sound(INFO, check_signup, signups, chosen)
    sides = sides_of(signups, chosen)
    players = tuple(Player(signup.seat, side, next_question=1) for signup, side in zip(signups, sides, strict=True))
    for side in SIDES:
        if side not in sides:
            raise Refused(f"side {side} has no player; the game is for {2 * rules.players_per_side}")
    return Position(
        day=0,
        phase="setup",
        given=given,
        sides=(_side(1, rules), _side(2, rules)),
        players=players,
        systems=_dealt(_map(rules, dice), players),
    )


def _side(number: SideNumber, rules: GameOptions) -> Side:
    return Side(number, SIDE_NAMES[number - 1], rules.tech_of(number), rules.points_of(number))


def _map(rules: GameOptions, dice: Dice) -> tuple[System, ...]:
    if rules.map == "custom":
        raise Refused("a custom map comes with a position document and cannot be set up; choose another one")
    return random_map(rules.systems, dice) if rules.map == "random" else built_in(rules.map)


def _dealt(systems: Sequence[System], players: Sequence[Player]) -> tuple[System, ...]:
    """The planets of a side are dealt to its players in map order, in sign-up order, round and round (section 5.1)."""
    turns: dict[SideNumber, Iterator[str]] = {
        side: cycle([player.name for player in players if player.side == side]) for side in SIDES
    }
    return tuple(replace(system, bodies=tuple(_given(body, turns) for body in system.bodies)) for system in systems)


def _given(body: Body, turns: dict[SideNumber, Iterator[str]]) -> Body:
    return replace(body, commander=next(turns[body.owner])) if body.owner else body
