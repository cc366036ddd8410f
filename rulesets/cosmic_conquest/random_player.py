"""Order text of a random player who wants to win: for `pbmd simulate`, for fuzzing, for the demo."""

from pbmd.rules import Dice
from pbmd.rules.randomly import one_in, pick

from .checking.bold import Bold, marked
from .orders import ACTION_WORDS, Kind
from .tables import INDECISIVE_UNITS, TIME_SKIP_UNITS
from .world.state import Faction, Position
from .world.values import launching, resource_units, targets


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
    if bold != "off" and (one_in(dice, 8) or bold == "required"):
        return "\n".join(["Greetings to all.", f"[b]{lines[0]}", *lines[1:], "[/b]"])
    return "\n".join(pick(dice, ("", "", "- ", f"{place}. ")) + line for place, line in enumerate(lines, start=1))


# --- What costs no units -------------------------------------------------------------------------------------------------


def _insight(position: Position, faction: Faction, dice: Dice) -> str:
    """Now and then a Telepathic Insight by somebody who can ask for it; "" if there is none."""
    asked = any(insight.by == faction.colour for insight in position.insights)
    open_minds = [other for other in position.active if other is not faction and other.tech != "psionic"]
    if faction.tech != "psionic" or asked or not open_minds or not one_in(dice, 4):
        return ""
    return f"Telepathic Insight {pick(dice, ('on', 'into', 'of'))} {_called(pick(dice, open_minds), dice)}"


def _abilities(position: Position, faction: Faction, dice: Dice) -> tuple[list[str], str, str]:
    """Lines, and the systems in Temporal Stasis and under Time Skip."""
    own = [system.name for system in position.held_by(faction.colour)]
    enemies = [system for system in position.systems if system.owner not in ("", faction.colour)]
    lines: list[str] = []
    stasis = skip = ""
    if faction.tech == "chronotech":
        skip = pick(dice, own)
        lines.append(f"Time Skip {pick(dice, ('in', 'on', 'at'))} {skip}")
        others = [name for name in own if name != skip]
        if others and one_in(dice, 4):
            stasis = pick(dice, others)
            lines.append(f"Temporal Stasis {pick(dice, ('in', 'on', 'at', 'for'))} {stasis}")
    if faction.tech == "psionic" and enemies:
        sabotaged, assaulted = pick(dice, enemies).name, pick(dice, enemies)
        lines.append(f"Psychic Sabotage {pick(dice, ('on', 'in', 'of', 'against'))} {sabotaged}")
        rival = _called(position.colours[assaulted.owner], dice)
        home = pick(dice, own)
        forms = (
            f"the defense of {assaulted.name}",
            f"defence of {assaulted.name}",
            f"the attack of {rival} on {home}",
            f"{rival}'s attack on {home}",
        )
        lines.append(f"Psychic Assault {pick(dice, ('on', 'against'))} {pick(dice, forms)}")
    return lines, stasis, skip


def _declarations(position: Position, faction: Faction, dice: Dice) -> list[str]:
    own = {system.name for system in position.held_by(faction.colour)}
    lines: list[str] = []
    if not faction.empire_turn and position.galaxy.largest_group(own) >= position.options.empire_size:
        forms = ("", " of Peace", f" of the {faction.colour} Star")
        start = pick(dice, ("Announce the", "Announce an", "Announce the creation of an"))
        lines.append(f"{start} Intergalactic Empire{pick(dice, forms)}")
    if one_in(dice, 200):
        lines.append(pick(dice, ("Vote for a draw", "Vote for draw")))
    if one_in(dice, 10):
        lines.append(pick(dice, ("Publish orders", "Publish", "Publish my orders", "Publish these orders")))
    return lines


# --- What costs units ----------------------------------------------------------------------------------------------------


def _raised(position: Position, faction: Faction, stasis: str, pool: int, dice: Dice) -> tuple[list[str], int]:
    """At most one line, and the number of drones."""
    able = [s.name for s in position.held_by(faction.colour) if s.effective > 3 and s.name != stasis]
    count = min(len(able), max(0, pool), dice.roll(3))
    if faction.has("inefficient") or not count or not one_in(dice, 3):
        return [], 0
    first, *others = able[:count]
    if not others:
        forms = (f"Raise a drone in {first}", f"Raise 1 Drone from {first}", f"Build one drone at {first}")
        return [pick(dice, forms)], 1
    number = pick(dice, ("", f"{count} "))
    listed = f"{', '.join((first, *others[:-1]))}{pick(dice, (' and ', ', ', ', and '))}{others[-1]}"
    return [f"{pick(dice, ('Raise', 'Create'))} {number}drones in {listed}"], count


def _forces(position: Position, faction: Faction, pool: int, stasis: str, dice: Dice) -> list[str]:
    """The units split into a few lots, each for an attack, a defense or an investment; drones and the admiral go with some."""
    own = [system.name for system in position.held_by(faction.colour)]
    reachable = targets(position, faction.colour, launching(position, faction.colour, stasis))
    drones, leader, used = faction.drones, dice.roll(3) > 1, set[tuple[str, str]]()
    lines: list[str] = []
    for lot in _lots(pool, INDECISIVE_UNITS if faction.has("indecisive") else pool, dice):
        choice = dice.roll(5)
        kind: Kind = "conquer" if choice <= 3 and reachable else "defend"
        system = pick(dice, reachable if kind == "conquer" else own)
        if choice == 5 or (kind, system) in used:
            target = pick(dice, [name for name in own if ("invest", name) not in used] or own)
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
    return pick(dice, forms)


def _action(kind: Kind, system: str, units: int, drones: int, leader: bool, dice: Dice) -> list[str]:
    """One action in one line or several (CC-R09)."""
    with_drones = f"{pick(dice, (' and ', ' + ', ', and ', ' plus '))}{drones} drone{'s' * (drones != 1)}" if drones else ""
    force = f"{_units(units, dice)}{with_drones}"
    verb = pick(dice, ("Conquer", "Attack")) if kind == "conquer" else "Defend"
    purpose = ("Conquest of", "the attack on") if kind == "conquer" else ("Defense of", "the defence of")
    led = pick(dice, (" led by the admiral", ", led by the Stellar Admiral", " under my admiral"))
    way = dice.roll(4) if leader else 0
    tail = led if leader and way < 4 else ""
    forms = (f"{verb} {system} with {force}{tail}", f"{force} for {pick(dice, purpose)} {system}{tail}")
    lines = [pick(dice, forms)]
    if way == 4:
        lines.append(f"{pick(dice, ('The admiral leads', 'Stellar Admiral to lead'))} the {ACTION_WORDS[kind]} {system}")
    return lines


def _units(count: int, dice: Dice) -> str:
    word = "Resource Unit" if one_in(dice, 2) else "unit"
    return pick(dice, (f"{count} {word}{'s' * (count != 1)}", f"{count} RU", f"{count}"))


def _called(faction: Faction, dice: Dice) -> str:
    return pick(dice, (faction.colour, faction.name))
