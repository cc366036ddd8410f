"""After the combats (7.6 to 7.12): eliminations, admirals and drones of failed actions, empires, stalls, resignations."""

from dataclasses import replace

from pbmd.rules import Dice
from pbmd.rules.randomly import pick

from ..orders import Act
from ..tables import ADMIRAL_NAMES, NEGATIVE, OPPOSITE, POSITIVE, PROMOTION_TURNS, RANKS, Rank
from ..world.state import Admiral, Faction
from .turn import Turn

HEADS = 1
_COIN = 2
_CV_DIE = 3


def eliminate(turn: Turn) -> None:
    """Factions without a system are out (7.6)."""
    for colour, faction in turn.factions.items():
        if faction.active and not turn.held_now(colour):
            turn.change(colour, status="eliminated", drones=0, lost_drones=0)
            turn.tell("eliminated", {"colour": colour})


def toss_for_admirals(turn: Turn, dice: Dice) -> set[str]:
    """A coin for each admiral that led a failed action (7.7); returns the factions whose admiral died."""
    led = {colour: (kind, system) for colour, kind, system in turn.failed if turn.plans[colour].actions(kind)[system].led}
    dead: set[str] = set()
    for colour in turn.remaining:
        if colour in led:
            kind, system = led[colour]
            died = dice.roll(_COIN) != HEADS
            dead |= {colour} if died else set()
            admiral = turn.factions[colour].admiral
            data = {"colour": colour, "died": died, "name": admiral.name, "rank": admiral.rank}
            turn.tell("admiral_toss", {**data, "action": kind, "system": system})
    return dead


def settle_drones(turn: Turn) -> None:
    """Drones of failed actions are destroyed, those of a BioMech come back later, raised ones are ready (7.8)."""
    for colour in [colour for colour in turn.factions if colour in turn.remaining]:
        faction, plan = turn.factions[colour], turn.plans[colour]
        audience = None if turn.options.battle_detail == "full" else (colour,)
        lost = 0
        for who, kind, system in turn.failed:
            count = plan.actions(kind)[system].drones if who == colour else 0
            if count:
                lost += count
                data = {"colour": colour, "system": system, "count": count, "action": kind}
                turn.tell("drones_lost", data, audience)
        drones, queue = faction.drones - lost, 0
        if faction.tech == "biomech":
            queue = faction.lost_drones + (0 if turn.options.regen_delay else lost)
            back = min(queue, len(turn.held_now(colour)))
            if back:
                turn.tell("drones_regenerated", {"colour": colour, "count": back}, audience)
            drones += back
            queue += (lost if turn.options.regen_delay else 0) - back
        turn.change(colour, drones=drones + len(plan.raises), lost_drones=queue)


def succeed_and_promote(turn: Turn, dead: set[str], dice: Dice) -> None:
    """Successors for dead admirals, and promotion of a Low one that has served long enough (7.9)."""
    for colour in turn.remaining:
        faction = turn.factions[colour]
        if colour in dead:
            turn.change(colour, deaths=faction.deaths + 1, fallen=(*faction.fallen, faction.admiral.name))
            admiral = _successor(turn, turn.factions[colour], dice)
            turn.change(colour, admiral=admiral)
            data = {"colour": colour, "name": admiral.name, "rank": admiral.rank, "cv": admiral.cv}
            turn.tell("admiral_successor", {**data, "traits": list(admiral.traits)})
            continue
        served = faction.admiral.turns_served + 1
        admiral = replace(faction.admiral, turns_served=served)
        if admiral.rank == "low" and served == PROMOTION_TURNS:
            admiral = _promoted(admiral, dice)
            data = {"colour": colour, "name": admiral.name, "cv": admiral.cv, "traits": list(admiral.traits)}
            turn.tell("admiral_promoted", data)
        turn.change(colour, admiral=admiral)


def found_empires(turn: Turn) -> None:
    """Announcements take effect (7.10); that of an eliminated faction is void."""
    for colour in turn.remaining:
        empire = turn.plans[colour].empire
        if empire:
            turn.change(colour, empire_turn=turn.start.turn, empire_name=empire.name)
            turn.note(colour, empire.text, "announced")
            turn.tell("empire", {"colour": colour, "name": empire.name})


def tell_assaults(turn: Turn) -> None:
    """Each author of a Psychic Assault learns whether it affected anything (section 8)."""
    for colour, plan in turn.plans.items():
        if plan.assault:
            effect = "weakened" if turn.assaults.get(colour) else "nothing to disrupt"
            turn.note(colour, plan.assault.text, effect)
            turn.tell("assault", {"by": colour, "target": plan.assault.target, "effect": effect}, (colour,))


def count_stalls_and_resign(turn: Turn) -> None:
    """Consecutive stalls, and factions that leave the game: their systems become independent (7.12, CC-R83, CC-R84)."""
    limit = turn.options.stall_limit
    for colour, faction in turn.factions.items():
        if not faction.active:
            continue
        stalls = faction.stalls + 1 if colour in turn.stalled else 0
        turn.change(colour, stalls=stalls)
        if colour in turn.start.resigning or 0 < limit <= stalls:
            turn.change(colour, status="resigned", drones=0, lost_drones=0)
            for system in turn.held_now(colour):
                turn.owners[system] = ""
                turn.outputs[system] = min(turn.outputs[system], turn.options.output_cap)
            turn.tell("resigned", {"colour": colour})


def note_defenses(turn: Turn) -> None:
    """For each defense its result, for its owner."""
    attacked = {system for plan in turn.plans.values() for system in plan.conquer}
    for colour, plan in turn.plans.items():
        for system, force in plan.defend.items():
            words = "lost" if system in turn.taken else "held" if system in attacked else "not attacked"
            turn.note(colour, Act("defend", system, *force).text, words)


def _successor(turn: Turn, faction: Faction, dice: Dice) -> Admiral:
    """High after the first death, Low after every other (CC-R45); dice: CV, traits, name."""
    rank: Rank = "high" if faction.deaths == 1 else "low"
    cv = dice.roll(_CV_DIE) + RANKS[rank].cv
    traits = [pick(dice, POSITIVE)]
    if rank == "low":
        possible = [trait for trait in NEGATIVE if trait != OPPOSITE.get(traits[0])]
        traits.append(pick(dice, possible))
    return Admiral(_free_name(turn, dice), rank, cv, tuple(traits), 0)


def _free_name(turn: Turn, dice: Dice) -> str:
    """The name drawn, or the next in the list that no admiral of this game has or had (section 5.4)."""
    names = turn.start.admiral_names or ADMIRAL_NAMES
    used = {name for faction in turn.factions.values() for name in (faction.admiral.name, *faction.fallen)}
    drawn = dice.roll(len(names)) - 1
    in_turn = (*names[drawn:], *names[:drawn])
    return next((name for name in in_turn if name not in used), in_turn[0])


def _promoted(admiral: Admiral, dice: Dice) -> Admiral:
    """More CV; heads: the negative trait goes, tails: a positive one comes (CC-26, CC-27, CC-R48)."""
    cv = admiral.cv + dice.roll(_CV_DIE)
    traits = admiral.traits
    if dice.roll(_COIN) == HEADS:
        traits = tuple(trait for trait in traits if trait not in NEGATIVE)
    else:
        free = [trait for trait in POSITIVE if trait not in traits and OPPOSITE.get(trait) not in traits]
        traits = (*traits, pick(dice, free)) if free else traits
    return replace(admiral, rank="high", cv=cv, traits=traits)
