"""Combat and conquest (7.4, 7.5): all combats use the owners at the start of the turn, then systems change hands."""

from typing import Any, NamedTuple

from pbmd.rules import Dice
from pbmd.rules.randomly import pick

from ..orders import Act, Assault, Force
from ..tables import ASSAULT_STRENGTH, ATTACK_BONUS_TACHYON, DIE, TECHS, TRAIT_BONUS
from .turn import Turn


class Share(NamedTuple):
    """The part of a defense that stands against one attacker."""

    units: int
    drones: int


class Number(NamedTuple):
    """One side's number in a combat, part by part (7.4); `drones` counts them, `drone_bonus` is their total bonus."""

    die: int
    units: int
    drones: int = 0
    drone_bonus: int = 0
    cv: int = 0
    traits: int = 0
    technology: int = 0
    assault: int = 0

    @property
    def total(self) -> int:
        """What is compared."""
        return sum(self) - self.drones

    @property
    def parts(self) -> dict[str, int]:
        """The parts as a report lists them."""
        return {**self._asdict(), "total": self.total}


def fight(turn: Turn, dice: Dice) -> None:
    """All combats, in map order (7.4)."""
    attacked = {system for plan in turn.plans.values() for system in plan.conquer}
    stasis = turn.stasis
    for system in turn.galaxy.in_order(attacked):
        attackers = turn.attackers(system)
        owner = turn.owners[system]
        if system in stasis:
            _block(turn, system, attackers)
        elif owner and system not in turn.plans[owner].defend:
            turn.tell("undefended", {"system": system, "attackers": attackers})
            turn.taken_undefended.add(system)
            _award(turn, system, attackers, dice)
        else:
            _award(turn, system, _combats(turn, system, attackers, dice), dice)


def conquer(turn: Turn) -> None:
    """The systems that were won change hands, with less output (7.5)."""
    for system in turn.galaxy.in_order(turn.taken):
        winner, loser, before = turn.taken[system], turn.owners[system], turn.outputs[system]
        turn.outputs[system] = _output_after(turn, system, winner)
        turn.owners[system] = winner
        data = {"system": system, "from": loser, "to": winner, "before": before, "after": turn.outputs[system]}
        turn.tell("conquest", data)


def shares(force: Force, attackers: int) -> tuple[Share, Share]:
    """A defense spread over this many attackers: the part against the top attacker, and that against each other (CC-R11)."""
    units, more_units = divmod(force.units, attackers)
    drones, more_drones = divmod(force.drones, attackers)
    return Share(units + more_units, drones + more_drones), Share(units, drones)


def _block(turn: Turn, system: str, attackers: list[str]) -> None:
    """Temporal Stasis: the attacks do not take place (CC-R53)."""
    turn.tell("attack_blocked", {"system": system, "attackers": attackers})
    for colour in attackers:
        _note(turn, colour, system, "blocked by Temporal Stasis")
        if turn.options.stasis_is_failure:
            turn.fail(colour, "conquer", system)


def _combats(turn: Turn, system: str, attackers: list[str], dice: Dice) -> list[str]:
    """One combat for each attacker (CC-R10); returns those that won, in arrival order."""
    owner = turn.owners[system]
    force = turn.plans[owner].defend[system] if owner else Force(turn.options.independent_units, 0)
    forces = {colour: turn.plans[colour].conquer[system] for colour in attackers}
    # The first of the greatest is the earliest in arrival order (CC-R12).
    top = max(attackers, key=lambda colour: (forces[colour].units, forces[colour].drones))
    most, others = shares(force, len(attackers))
    once = dice.roll(DIE) if turn.options.defense_roll == "once" else 0
    won: list[str] = []
    for colour in attackers:
        attack = _attack_number(turn, colour, system, dice.roll(DIE))
        die = dice.roll(DIE) if turn.options.defense_roll == "each" else once
        defense = _defense_number(turn, system, most if colour == top else others, force.led, die)
        if attack.total > defense.total:
            won.append(colour)
        else:
            turn.fail(colour, "conquer", system)
        _tell_combat(turn, system, colour, attack, defense)
    return won


def _attack_number(turn: Turn, colour: str, system: str, die: int) -> Number:
    faction, force = turn.start.colours[colour], turn.plans[colour].conquer[system]
    return Number(
        die=die,
        units=force.units,
        drones=force.drones,
        drone_bonus=force.drones * TECHS[faction.tech].attack_drone,
        cv=faction.admiral.cv if force.led else 0,
        traits=TRAIT_BONUS * (faction.has("conqueror") - faction.has("weak")),
        technology=ATTACK_BONUS_TACHYON if faction.tech == "tachyon" else 0,
        assault=_assault(turn, Assault(system, colour)),
    )


def _defense_number(turn: Turn, system: str, share: Share, led: bool, die: int) -> Number:
    assault = _assault(turn, Assault(system))
    if not (owner := turn.owners[system]):
        return Number(die=die, units=share.units, assault=assault)
    faction = turn.start.colours[owner]
    return Number(
        die=die,
        units=share.units,
        drones=share.drones,
        drone_bonus=share.drones * TECHS[faction.tech].defense_drone,
        cv=faction.admiral.cv if led else 0,
        traits=TRAIT_BONUS * (faction.has("defender") - faction.has("unprepared")),
        assault=assault,
    )


def _assault(turn: Turn, target: Assault) -> int:
    """What all Psychic Assaults on this take away (CC-R57); their authors have affected something."""
    authors = turn.assaults_on(target)
    turn.assaults.update(dict.fromkeys(authors, True))
    return -ASSAULT_STRENGTH * len(authors)


def _tell_combat(turn: Turn, system: str, attacker: str, attack: Number, defense: Number) -> None:
    owner, detail = turn.owners[system], turn.options.battle_detail
    won = attack.total > defense.total
    data: dict[str, Any] = {"system": system, "attacker": attacker, "defender": owner, "won": won}
    if detail != "outcome":
        data |= {"attack_number": attack.total, "defense_number": defense.total}
    turn.tell("combat", data)
    both = {"system": system, "attacker": attacker, "defender": owner}
    turn.tell("attack_parts", {**both, "parts": attack.parts}, None if detail == "full" else (attacker,))
    if owner or detail == "full":
        turn.tell("defense_parts", {**both, "parts": defense.parts}, None if detail == "full" else (owner,))
    totals = f" {attack.total} against {defense.total}" if detail != "outcome" else ""
    _note(turn, attacker, system, f"{'won' if won else 'failed'}{totals}")


def _award(turn: Turn, system: str, winners: list[str], dice: Dice) -> None:
    """Which of those that beat the defense gets the system: most units, or else a toss (CC-58, CC-59, CC-R16)."""
    if not winners:
        return
    units = {colour: turn.plans[colour].conquer[system].units for colour in winners}
    best = [colour for colour in winners if units[colour] == max(units.values())]
    winner = pick(dice, best) if len(best) > 1 else best[0]
    if len(best) > 1:
        turn.tell("tie_toss", {"system": system, "colours": best, "winner": winner})
    turn.taken[system] = winner
    for colour in winners:
        _note(turn, colour, system, "taken" if colour == winner else f"{winner} gets the system")
    owner = turn.owners[system]
    if owner and system in turn.plans[owner].defend:
        turn.fail(owner, "defend", system)


def _note(turn: Turn, colour: str, system: str, words: str) -> None:
    turn.note(colour, Act("conquer", system, *turn.plans[colour].conquer[system]).text, words)


def _output_after(turn: Turn, system: str, winner: str) -> int:
    """The output of a conquered system (CC-60, CC-R20, CC-R21)."""
    options, faction = turn.options, turn.start.colours[winner]
    output = turn.outputs[system]
    if options.conquered_investment == "lost":
        output -= turn.gains.get(system, 0)
    if system in turn.taken_undefended and not options.halve_undefended:
        return output
    loss = output - (output + (options.halve == "up")) // 2
    loss = max(0, loss - faction.has("diplomat")) + faction.has("arrogant")
    return max(0, output - loss)
