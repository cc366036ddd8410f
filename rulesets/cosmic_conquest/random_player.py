"""Order text of a random player who wants to win: for `pbmd simulate`, for fuzzing, for the demo."""

from collections.abc import Sequence
from typing import TypeVar

from pbmd.rules import Dice

from .checking.bold import Bold, marked
from .orders import ACTION_WORDS, Kind
from .tables import INDECISIVE_UNITS, TIME_SKIP_UNITS
from .world.state import Faction, Position
from .world.values import launching, resource_units, targets

T = TypeVar("T")


def random_orders(position: Position, seat: str, dice: Dice) -> str:
    """Legal order lines for an active faction, in all the forms there are; a psionic may first ask for an Insight."""
    faction = position.colours[seat]
    if question := _insight(position, faction, dice):
        # No sheet: the player writes again when it is answered, or at once.
        return marked(question, position.options.bold)
    lines, stasis, skip = _abilities(position, faction, dice)
    pool = resource_units(position, faction)
    pool += TIME_SKIP_UNITS if skip else 0
    pool -= position.system(stasis).effective if stasis else 0
    raised, drones = _raised(position, faction, stasis, pool, dice)
    lines += raised
    pool -= drones if position.options.drone_uses_pool else 0
    lines += _forces(position, faction, pool, stasis, dice)
    lines += _declarations(position, faction, dice)
    return _mail(lines or ["Pass"], position.options.bold, dice)


def _mail(lines: list[str], bold: Bold, dice: Dice) -> str:
    """The lines as players send them: between tags, or one by one with or without a mark of a list (CC-43)."""
    if bold != "off" and (dice.roll(8) == 1 or bold == "required"):
        return "\n".join(["Greetings to all.", f"[b]{lines[0]}", *lines[1:], "[/b]"])
    return "\n".join(_one_of(("", "", "- ", f"{place}. "), dice) + line for place, line in enumerate(lines, start=1))


# --- What costs no units -------------------------------------------------------------------------------------------------


def _insight(position: Position, faction: Faction, dice: Dice) -> str:
    """Now and then a Telepathic Insight of one who can ask for it; "" if there is none."""
    asked = any(insight.by == faction.colour for insight in position.insights)
    open_minds = [other for other in position.active if other is not faction and other.tech != "psionic"]
    if faction.tech != "psionic" or asked or not open_minds or dice.roll(4) > 1:
        return ""
    return f"Telepathic Insight {_one_of(('on', 'into', 'of'), dice)} {_called(_one_of(open_minds, dice), dice)}"


def _abilities(position: Position, faction: Faction, dice: Dice) -> tuple[list[str], str, str]:
    """Lines, and the systems in Temporal Stasis and under Time Skip."""
    own = [system.name for system in position.held_by(faction.colour)]
    enemies = [system for system in position.systems if system.owner not in ("", faction.colour)]
    lines: list[str] = []
    stasis = skip = ""
    if faction.tech == "chronotech":
        skip = _one_of(own, dice)
        lines.append(f"Time Skip {_one_of(('in', 'on', 'at'), dice)} {skip}")
        others = [name for name in own if name != skip]
        if others and dice.roll(4) == 1:
            stasis = _one_of(others, dice)
            lines.append(f"Temporal Stasis {_one_of(('in', 'on', 'at', 'for'), dice)} {stasis}")
    if faction.tech == "psionic" and enemies:
        sabotaged, assaulted = _one_of(enemies, dice).name, _one_of(enemies, dice)
        lines.append(f"Psychic Sabotage {_one_of(('on', 'in', 'of', 'against'), dice)} {sabotaged}")
        rival = _called(position.colours[assaulted.owner], dice)
        home = _one_of(own, dice)
        forms = (
            f"the defense of {assaulted.name}",
            f"defence of {assaulted.name}",
            f"the attack of {rival} on {home}",
            f"{rival}'s attack on {home}",
        )
        lines.append(f"Psychic Assault {_one_of(('on', 'against'), dice)} {_one_of(forms, dice)}")
    return lines, stasis, skip


def _declarations(position: Position, faction: Faction, dice: Dice) -> list[str]:
    own = {system.name for system in position.held_by(faction.colour)}
    lines: list[str] = []
    if not faction.empire_turn and position.galaxy.largest_group(own) >= position.options.empire_size:
        forms = ("", " of Peace", f" of the {faction.colour} Star")
        start = _one_of(("Announce the", "Announce an", "Announce the creation of an"), dice)
        lines.append(f"{start} Intergalactic Empire{_one_of(forms, dice)}")
    if dice.roll(200) == 1:
        lines.append(_one_of(("Vote for a draw", "Vote for draw"), dice))
    if dice.roll(10) == 1:
        lines.append(_one_of(("Publish orders", "Publish", "Publish my orders", "Publish these orders"), dice))
    return lines


# --- What does -----------------------------------------------------------------------------------------------------------


def _raised(position: Position, faction: Faction, stasis: str, pool: int, dice: Dice) -> tuple[list[str], int]:
    """At most one line, and the number of drones."""
    able = [s.name for s in position.held_by(faction.colour) if s.effective > 3 and s.name != stasis]
    count = min(len(able), max(0, pool), dice.roll(3))
    if faction.has("inefficient") or not count or dice.roll(3) > 1:
        return [], 0
    first, *others = able[:count]
    if not others:
        forms = (f"Raise a drone in {first}", f"Raise 1 Drone from {first}", f"Build one drone at {first}")
        return [_one_of(forms, dice)], 1
    number = _one_of(("", f"{count} "), dice)
    listed = f"{', '.join((first, *others[:-1]))}{_one_of((' and ', ', ', ', and '), dice)}{others[-1]}"
    return [f"{_one_of(('Raise', 'Create'), dice)} {number}drones in {listed}"], count


def _forces(position: Position, faction: Faction, pool: int, stasis: str, dice: Dice) -> list[str]:
    """The units cut into a few lots, each for an attack, a defense or an investment; drones and the admiral go with some."""
    own = [system.name for system in position.held_by(faction.colour)]
    reachable = targets(position, faction.colour, launching(position, faction.colour, stasis))
    drones, leader, used = faction.drones, dice.roll(3) > 1, set[tuple[str, str]]()
    lines: list[str] = []
    for lot in _lots(pool, INDECISIVE_UNITS if faction.has("indecisive") else pool, dice):
        choice = dice.roll(5)
        kind: Kind = "conquer" if choice <= 3 and reachable else "defend"
        system = _one_of(reachable if kind == "conquer" else own, dice)
        if choice == 5 or (kind, system) in used:
            target = _one_of([name for name in own if ("invest", name) not in used] or own, dice)
            if ("invest", target) not in used:
                used.add(("invest", target))
                lines.append(_invest(lot, target, dice))
            continue
        used.add((kind, system))
        sent = dice.roll(drones + 1) - 1
        drones -= sent
        lines += _action(kind, system, lot, sent, leader, dice)
        leader = False
    return lines


def _lots(pool: int, most: int, dice: Dice) -> list[int]:
    lots: list[int] = []
    while pool > 0 and len(lots) < 6:
        lot = min(most, dice.roll(pool) if len(lots) < 3 else pool)
        lots.append(lot)
        pool -= lot
    return lots


def _invest(units: int, system: str, dice: Dice) -> str:
    forms = (
        f"Invest {_units(units, dice)} in {system}",
        f"{_units(units, dice)} to Invest in {system}.",
        f"{units} for investment into {system}",
    )
    return _one_of(forms, dice)


def _action(kind: Kind, system: str, units: int, drones: int, leader: bool, dice: Dice) -> list[str]:
    """One action in one line or several (CC-R09)."""
    with_drones = f"{_one_of((' and ', ' + ', ', and ', ' plus '), dice)}{drones} drone{'s' * (drones != 1)}" if drones else ""
    force = f"{_units(units, dice)}{with_drones}"
    verb = _one_of(("Conquer", "Attack"), dice) if kind == "conquer" else "Defend"
    purpose = ("Conquest of", "the attack on") if kind == "conquer" else ("Defense of", "the defence of")
    led = _one_of((" led by the admiral", ", led by the Stellar Admiral", " under my admiral"), dice)
    way = dice.roll(4) if leader else 0
    tail = led if leader and way < 4 else ""
    forms = (f"{verb} {system} with {force}{tail}", f"{force} for {_one_of(purpose, dice)} {system}{tail}")
    lines = [_one_of(forms, dice)]
    if way == 4:
        lines.append(f"{_one_of(('The admiral leads', 'Stellar Admiral to lead'), dice)} the {ACTION_WORDS[kind]} {system}")
    return lines


def _units(count: int, dice: Dice) -> str:
    word = "Resource Unit" if dice.roll(2) == 1 else "unit"
    return _one_of((f"{count} {word}{'s' * (count != 1)}", f"{count} RU", f"{count}"), dice)


def _called(faction: Faction, dice: Dice) -> str:
    return _one_of((faction.colour, faction.name), dice)


def _one_of(choices: Sequence[T], dice: Dice) -> T:
    return choices[dice.roll(len(choices)) - 1]
