"""Set-up: the first position, and what the players' set-up letters make of it (section 5 of the rules)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, cycle

from pbmd.rules import Dice, Options, Refused, Resolution, Signup, fold
from pbmd.rules.options import changed, complete
from pbmd.rules.sheets import sheet_of
from pbmd.rules.signups import must_be_sound

from .absence import count_misses
from .building import Draft, build, default_place, draft_of, new_unit
from .day import Day
from .factors import Factors
from .hexes import hex_at
from .maps import JUMP_SIZE, built_in, random_map
from .names import map_names, name_problem
from .pricing import unit_cost
from .reading import orders_in
from .sight import remembered
from .signup import check_signup, sides_of
from .state import Body, Fleet, Place, Player, Position, Question, Side, SideNumber, System, Unit
from .tables import CRUISER, INFO, LIMITS, NAME_LENGTH, SIDE_NAMES, GameOptions, game_options

_SIDES: tuple[SideNumber, SideNumber] = (1, 2)


def setup(signups: Sequence[Signup], options: Options, dice: Dice) -> Position:
    """The position in which squadrons are chosen. Raises `Refused` for players or options that make no game.

    Dice: only for a random map.
    """
    chosen = complete(INFO.options, options)
    try:
        rules = game_options(chosen.items())
    except ValueError as problem:
        raise Refused(str(problem)) from None
    must_be_sound(check_signup, signups, chosen)
    sides = sides_of(signups, chosen)
    players = tuple(Player(signup.seat, side) for signup, side in zip(signups, sides, strict=True))
    for side in _SIDES:
        if side not in sides:
            raise Refused(f"side {side} has no player; the game is for {2 * rules.players_per_side}")
    return Position(
        day=0,
        phase="setup",
        given=tuple(changed(INFO.options, chosen).items()),
        options=rules,
        jump_size=JUMP_SIZE,
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
    """The planets of a side go to its players in map order, in sign-up order, round and round (section 5.1)."""
    turns: dict[SideNumber, Iterator[str]] = {
        side: cycle([player.name for player in players if player.side == side]) for side in _SIDES
    }
    return tuple(replace(system, bodies=tuple(_given(body, turns) for body in system.bodies)) for system in systems)


def _given(body: Body, turns: dict[SideNumber, Iterator[str]]) -> Body:
    return replace(body, commander=next(turns[body.owner])) if body.owner else body


# --- The end of set-up ---------------------------------------------------------------------------------------------------


def resolve_setup(position: Position, _dice: Dice) -> Resolution[Position]:
    """Build what the letters say, in order of arrival, then default set-ups in sign-up order (section 5.2); day one begins.

    Told are the lines to their sender, new names to the owner, and to everybody who sent nothing.
    Raises `ValueError` for sheets that no game has on file.
    """
    day = Day(position, position, stage="end")
    day.tell("setup", {}, None)
    late = [player.name for player in position.players if sheet_of(position.sheets, player.name) is None]
    for sheet in position.sheets:
        day.tell("orders", {"player": sheet.seat, "lines": list(sheet.lines)}, (sheet.seat,))
        _deploy(day, build(position, sheet.seat, orders_in(sheet.lines)))
    for name in late:
        _deploy(day, _default(position, name))
    by_side = sorted(day.now.units, key=lambda unit: unit.side)
    day.now = replace(day.now, units=tuple(by_side), sheets=(), missed=())
    count_misses(day, [sheet.seat for sheet in position.sheets], late)
    day.now = replace(day.now, day=1, phase="1a" if position.in_phases else "day", sightings=remembered(day.now))
    return Resolution(day.now, tuple(day.events))


def _deploy(day: Day, draft: Draft) -> None:
    """Put on the boards what a draft has built; who comes later with a name gets a new one (SQ-R03)."""
    taken = {fold(unit.name) for unit in day.now.units if unit.side == draft.player.side}
    own = {fold(name) for name in (*draft.units, *(fleet.name for fleet in draft.fleets))}
    on_map = map_names(day.now.systems)
    names: dict[str, str] = {}
    for name in draft.units:
        names[name] = name if fold(name) not in taken else _free_name(name, taken | own, on_map)
        taken.add(fold(names[name]))
        if names[name] != name:
            day.tell("renamed", {"player": draft.player.name, "old": name, "new": names[name]}, (draft.player.name,))
    units = tuple(replace(unit, name=names[unit.name]) for unit in draft.units.values())
    fleets = (Fleet(f.player, f.name, tuple(names.get(member, member) for member in f.members)) for f in draft.fleets)
    players = tuple(
        replace(player, next_question=len(draft.questions) + 1) if player.name == draft.player.name else player
        for player in day.now.players
    )
    day.now = replace(
        day.now,
        units=(*day.now.units, *units),
        questions=(*day.now.questions, *draft.questions),
        fleets=(*day.now.fleets, *fleets),
        players=players,
    )


def _free_name(name: str, taken: set[str], on_map: frozenset[str]) -> str:
    """The name with the lowest free number from 2 on."""
    return next(new for number in count(2) if fold(new := _numbered(name, number, on_map)) not in taken)


def _numbered(name: str, number: int, on_map: frozenset[str]) -> str:
    """The name with a number, shortened or with a hyphen where it would be no proper name otherwise."""
    room = NAME_LENGTH - len(f" {number}")
    stems = [name[:length].rstrip(" .") for length in range(min(len(name), room), 0, -1)]
    names = (f"{stem}{joint}{number}" for joint in (" ", "-") for stem in stems)
    return next(new for new in names if not name_problem(new, on_map))


def _default(position: Position, seat: str) -> Draft:
    """Cruisers as many as the points allow, and "?" for the rest, upon them; or one small ship (section 5.2)."""
    draft = draft_of(position, seat)
    where = default_place(position, draft.player.side) or _first_zone(position, draft.player.side)
    cruiser = Factors(*(min(level, most) for level, most in zip(CRUISER, LIMITS[draft.tech], strict=True)))
    cost = unit_cost(cruiser, draft.tech, position.options)
    if draft.points < cost:
        draft.put(_small_ship(draft, where))
        return draft
    for number in range(1, draft.points // cost + 1):
        draft.put(new_unit(draft, f"Cruiser {number}", cruiser, where))
    draft.points %= cost
    price, side = position.options.question_cost, draft.player.side
    bought = draft.points // price if price else 0
    draft.questions = [Question(number, side, seat, where) for number in range(1, bought + 1)]
    return draft


def _small_ship(draft: Draft, where: Place) -> Unit:
    """A ship for those who cannot pay a cruiser; it is theirs even if their points do not suffice."""
    attack = max(1, draft.points - 1 - 2 * (15 - draft.tech))
    return new_unit(draft, "Cruiser 1", Factors(maneuver=1, attack=attack), where)


def _first_zone(position: Position, side: SideNumber) -> Place:
    """Where a side without any planet stands: the first hex of its first deployment zone. Raises `ValueError` for none."""
    for system in position.systems:
        for zone in system.deploy:
            if zone.side == side:
                return Place(system.name, hex_at(zone.first, 1))
    raise ValueError(f"side {side} has neither a planet nor a deployment zone")
