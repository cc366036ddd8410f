"""Order text of a random player who wants to win: for `pbmd simulate`, for fuzzing, for the demo."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pbmd.rules import Dice, Line
from pbmd.rules.checking import Right
from pbmd.rules.randomly import one_in, pick

from .checking.building import points_of
from .checks import answers_to
from .orders import Heading
from .tables import LIMITS, GameOptions
from .world.condition import current, unit_cost
from .world.counters import Unit
from .world.factors import Factors
from .world.hexes import Hex, distance, hex_at
from .world.sight import Seen, sight
from .world.state import Position
from .world.systems import Place, SideNumber, System, enemy_of

_DESIGNS: Sequence[tuple[str, Factors]] = (
    ("Cruiser", Factors(4, 6, 5, 12, 5, 5)),
    ("Raider", Factors(4, 6, 3, 8, 3, 2)),
    ("Monitor", Factors(2, 3, 4, 15, 6, 10)),
    ("Scout", Factors(6, 6, 8, 2, 2, 1)),
    ("Tender", Factors(4, 5, 2, 0, 0, 3, 6)),
)
_PLANET = Factors(sensor_range=5, attack=8, attack_range=5, defense=6, supply=2)
_MOST_SQUADRONS = 40
"""No more than this are built, however many points there are: a game may have a million of them."""
_TARGETS = ("NEAREST", "STRONGEST", "WEAKEST", "SQUADRON", "PLANET", "?", "ANY")


@dataclass(slots=True)
class _Draft:
    """A letter in the making."""

    position: Position
    seat: str
    dice: Dice
    lines: list[str] = field(default_factory=list[str])

    def say(self, *forms: str) -> None:
        """One of these lines."""
        self.lines.append(pick(self.dice, forms))

    @property
    def side(self) -> SideNumber:
        return self.position.side_of(self.seat)

    @property
    def units(self) -> list[Unit]:
        return [unit for unit in self.position.units if unit.player == self.seat]

    def squadrons_by_place(self) -> dict[Place, list[Unit]]:
        """The player's squadrons on boards, by their hexes."""
        found: dict[Place, list[Unit]] = {}
        for unit in self.units:
            if unit.is_squadron and unit.place:
                found.setdefault(unit.place, []).append(unit)
        return found


def random_orders(position: Position, seat: str, dice: Dice) -> str:
    """A legal list of a player who is awaited, in all the forms there are; rarely an empty one."""
    draft = _Draft(position, seat, dice)
    if position.phase == "setup":
        _setup(draft)
    elif position.phase == "day":
        _day(draft)
    elif position.mover is not None:
        _fleet(draft)
        _moves(draft)
    elif position.phase in ("1f", "2f"):
        _fire(draft)
    else:
        _end(draft)
    return "\n".join(_legal(position, seat, draft.lines))


def _legal(position: Position, seat: str, lines: Sequence[str]) -> list[str]:
    """The lines without those that the check would refuse."""
    numbered = [Line(number, text) for number, text in enumerate(lines)]
    answers = answers_to(position, seat, numbered)
    good = {answer.line.number for answer in answers if isinstance(answer, Right)}
    headings = {Heading(1).text, Heading(2).text, Heading(0).text}
    return [line.text for line in numbered if line.number in good or line.text in headings]


# --- Set-up --------------------------------------------------------------------------------------------------------------


def _setup(draft: _Draft) -> None:
    position, player = draft.position, draft.position.by_player[draft.seat]
    tech, options = position.side(player.side).tech, position.options
    points = points_of(position, player)
    planets = [*position.planets_of(draft.seat)]
    if planets and one_in(draft.dice, 2):
        planet = _within(_PLANET, tech)
        draft.lines.append(
            f"PLANET {planets[0]}: S{planet.sensor_range} A{planet.attack} R{planet.attack_range} D{planet.defense}"
        )
        points -= unit_cost(planet, tech, options)
    points -= min(points // 3, draft.dice.roll(20))
    names = _squadrons(draft, points, tech, options)
    draft.say(f"BUY ADMIRAL FOR {names[0]}", f"BUY 2 ADMIRALS FOR {names[-1]}", f"BUY SUPPLY 2 FOR {names[-1]}")
    draft.say("BUY ? 4", "BUY 6 ?", "BUY 3 QUESTION COUNTERS")
    draft.say(f"PLACE Q1 ON {names[0]}", f"PLACE ? ON {names[-1]}")
    draft.say(f"FLEET Alpha: {names[0]}, Q1", f"FLEET Alpha = {names[0]} AND {names[-1]}")


def _squadrons(draft: _Draft, points: int, tech: int, options: GameOptions) -> list[str]:
    """Lines for as many squadrons as can be paid for, at least a small one; their names."""
    havens = [place.text for place in draft.position.havens_of(draft.side)]
    names: list[str] = []
    while len(names) < _MOST_SQUADRONS:
        kind, wanted = pick(draft.dice, _DESIGNS)
        factors = _within(wanted, tech)
        cost = unit_cost(factors, tech, options)
        if cost > points:
            break
        points -= cost
        names.append(f"{kind} {len(names) + 1}")
        at = f" AT {pick(draft.dice, havens)}" if havens and one_in(draft.dice, 3) else ""
        j, m, s, a, r, d, u = factors
        draft.say(
            f"SQUADRON {names[-1]}: J{j} M{m} S{s} A{a} R{r} D{d} U{u}{at}",
            f"SQUADRON {names[-1]} WITH Jump {j}, Maneuver {m}, Sensors {s}, Attack {a}, Attack Range {r}, Defense {d}{at}",
            f"{names[-1]} Squadron with Jump {j}, Maneuver {m}, Sensors {s}, Attack {a}, Attack Range {r} and Defense {d}{at}",
        )
    if not names:
        names.append("Boat")
        draft.lines.append("SQUADRON Boat: M1")
    return names


def _within(factors: Factors, tech: int) -> Factors:
    return Factors(*map(min, factors, LIMITS[tech]))


# --- The day -------------------------------------------------------------------------------------------------------------


def _day(draft: _Draft) -> None:
    if one_in(draft.dice, 40):
        draft.say("PASS", "NO ORDERS", "WAIT 2")
        return
    _fleet(draft)
    if one_in(draft.dice, 2):
        _moves(draft)
        _fire(draft)
    else:
        for heading in ("IMPULSE 1", "IMPULSE 2"):
            draft.lines.append(heading)
            _moves(draft)
            _fire(draft)
        draft.lines.append("END OF DAY")
    _end(draft)
    if not draft.squadrons_by_place():
        draft.say("WAIT 2", "WAIT 3 DAYS")


def _fleet(draft: _Draft) -> None:
    groups = [units for units in draft.squadrons_by_place().values() if len(units) > 1]
    if groups and one_in(draft.dice, 4):
        names = ", ".join(unit.name for unit in pick(draft.dice, groups))
        draft.say(f"FLEET {pick(draft.dice, ('Alpha', 'Beta', 'Gamma'))}: {names}")
    fleets = [fleet.name for fleet in draft.position.fleets if fleet.player == draft.seat]
    if fleets and one_in(draft.dice, 8):
        draft.say(f"DISBAND {pick(draft.dice, fleets)}", f"DISBAND FLEET {pick(draft.dice, fleets)}")


def _moves(draft: _Draft) -> None:
    """Groups go for enemies that they see, for planets that are not theirs, or for fuel."""
    seen = sight(draft.position, draft.side)
    for place, units in draft.squadrons_by_place().items():
        goal = _goal(draft, place, units, seen[place.system])
        if goal is None or goal == place.hex:
            continue
        with_question = [q.id for q in draft.position.questions if q.player == draft.seat and q.place == place]
        counters = [unit.name for unit in units] + (with_question if one_in(draft.dice, 2) else [])
        draft.say(f"MOVE {', '.join(counters)} TO {goal.text}", f"MOVE {' AND '.join(counters)} TO {goal.text}")
    for question in draft.position.questions:
        if question.player == draft.seat and question.place and one_in(draft.dice, 6):
            size = draft.position.by_system[question.place.system].size
            goal = hex_at(draft.dice.roll(size.columns), draft.dice.roll(size.rows))
            draft.lines.append(f"MOVE {question.id} TO {goal.text}")


def _goal(draft: _Draft, place: Place, units: Sequence[Unit], seen: Seen) -> Hex | None:
    system = draft.position.by_system[place.system]
    enemies = [*(unit.place.hex for unit in seen.units if unit.place), *seen.questions]
    if enemies and not one_in(draft.dice, 4):
        return _nearest(place.hex, enemies)
    to_take = _to_take(draft, system)
    if to_take and any(current(unit).attack for unit in units):
        return _nearest(place.hex, to_take)
    fuel = _fuel_sources(draft, system)
    if fuel and any(unit.fuel < unit.printed.jump for unit in units):
        return _nearest(place.hex, fuel)
    return pick(draft.dice, [body.hex for body in system.bodies]) if one_in(draft.dice, 6) and system.bodies else None


def _nearest(here: Hex, hexes: Sequence[Hex]) -> Hex:
    return min(hexes, key=lambda where: (distance(where, here), where))


def _to_take(draft: _Draft, system: System) -> list[Hex]:
    """The planets that are not the side's own."""
    return [body.hex for body in system.bodies if body.kind == "planet" and body.owner != draft.side]


def _fuel_sources(draft: _Draft, system: System) -> list[Hex]:
    enemy = enemy_of(draft.side)
    return [body.hex for body in system.bodies if body.kind == "gas_giant" or (body.starport and body.owner != enemy)]


def _fire(draft: _Draft) -> None:
    armed = [unit.name for unit in draft.units if unit.place and current(unit).attack]
    if not armed or one_in(draft.dice, 6):
        return
    if one_in(draft.dice, 3):
        draft.say("FIRE ALL AT NEAREST, ?", "FIRE ALL AT ANY", "HOLD FIRE", "FIRE ALL AT WEAKEST THEN NEAREST IF SEEN")
        return
    seen = sight(draft.position, draft.side)
    names = [unit.name for system in seen.values() for unit in system.units]
    for name in armed:
        if one_in(draft.dice, 2):
            targets = [pick(draft.dice, _TARGETS), "NEAREST"]
            if names and one_in(draft.dice, 2):
                targets.insert(0, pick(draft.dice, names))
            draft.say(
                f"FIRE {name} AT {', '.join(targets)}", f"FIRE {name} AT {', '.join(targets)} WITHIN {draft.dice.roll(9)}"
            )
        elif one_in(draft.dice, 8):
            draft.lines.append(f"HOLD FIRE {name}")


def _end(draft: _Draft) -> None:
    for unit in draft.units:
        if unit.damage and one_in(draft.dice, 3):
            draft.say(f"REPAIR {unit.name}", f"REPAIR 1 HIT ON {unit.name} FROM SELF", f"NO REPAIR {unit.name}")
        if unit.supplies and one_in(draft.dice, 6):
            draft.say(f"TRANSFER 1 SUPPLY FROM {unit.name} TO {pick(draft.dice, draft.units).name}")
        elif unit.is_squadron and unit.place and current(unit).supply and one_in(draft.dice, 3):
            draft.say(f"LOAD 2 SUPPLY COUNTERS FROM STARPORT TO {unit.name}")
        if unit.admirals and one_in(draft.dice, 10):
            draft.say(f"TRANSFER 1 ADMIRAL FROM {unit.name} TO {pick(draft.dice, draft.units).name}")
    for place, units in draft.squadrons_by_place().items():
        _jump(draft, place, units)
    _place(draft)


def _jump(draft: _Draft, place: Place, units: Sequence[Unit]) -> None:
    """Squadrons with nothing to do where they are jump to where a planet can be taken."""
    position = draft.position
    if _to_take(draft, position.by_system[place.system]) and not one_in(draft.dice, 8):
        return
    reaches = [_reach(unit) for unit in units]
    # As far as all of them can jump or, where some cannot at all, as far as the best of the others.
    reach = min(reaches) or max(reaches)
    systems = [s for s in position.systems if 0 < position.jump_distance(place.system, s.name) <= reach]
    if not systems or one_in(draft.dice, 3):
        return
    system = pick(draft.dice, [s for s in systems if _to_take(draft, s)] or systems)
    if free := _jump_hexes(system):
        names = ", ".join(unit.name for unit in units if _reach(unit))
        draft.lines.append(f"JUMP {names} TO {system.name} {pick(draft.dice, free).text}")


def _reach(unit: Unit) -> int:
    return min(current(unit).jump, unit.fuel)


def _jump_hexes(system: System) -> list[Hex]:
    """Where jumps can end, column by column."""
    return [where for where in system.size.hexes if not system.is_within_limit(where)]


def _place(draft: _Draft) -> None:
    on_board = [unit for unit in draft.units if unit.place]
    if not on_board or one_in(draft.dice, 3):
        return
    unit = pick(draft.dice, on_board)
    assert unit.place is not None
    draft.say(f"PLACE ? ON {unit.name}", f"PLACE ? AT {unit.place.text}")
