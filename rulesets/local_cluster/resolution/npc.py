"""States that nobody plays: what they rebuild (7.8 of the rules), and how a nation becomes one and a player's again."""

from dataclasses import replace

from pbmd.rules import Refused, Resolution, fold

from ..orders import UnitKind
from ..world.economy import blockaded, tax_income, trade_income, unit_cost, upkeep
from ..world.names import player_name
from ..world.state import Position, with_state
from .eviction import leave_list
from .move import Move

# --- The NPC phase -----------------------------------------------------------------------------------------------------


def npc_phase(move: Move) -> None:
    """Each NPC State in listing order gets its income, pays its upkeep and rebuilds what it has lost (LC-47, LC-R56)."""
    for state in [state.name for state in move.position.states if state.kind == "npc"]:
        position = move.position
        income = tax_income(position, state) + trade_income(position, state)
        due = upkeep(position, state) if position.options.npc_pays_upkeep else 0
        move.change(state, credits=max(0, position.by_name[state].credits + income - due))
        _rebuild(move, state, "army")
        _rebuild(move, state, "fleet")


def _rebuild(move: Move, state: str, kind: UnitKind) -> None:
    """Up to the establishment, one on each planet, home first; the first that cannot be paid ends it (LC-R57)."""
    power = move.position.by_name[state]
    units = move.position.armies if kind == "army" else move.position.fleets
    wanted = power.establishment_armies if kind == "army" else power.establishment_fleets
    missing = wanted - sum(unit.owner == state for unit in units)
    # Sorting keeps the order by number of all but the home planet.
    for planet in sorted(move.position.owned_by(state), key=lambda planet: planet.name != power.home_planet):
        if missing <= 0:
            return
        if kind == "fleet" and blockaded(move.position, planet.name):
            continue
        cost = unit_cost(move.position, planet.name, kind)
        if cost > move.position.by_name[state].credits:
            return
        move.earn(state, -cost)
        unit = move.new_unit(kind, planet.name)
        missing -= 1
        move.tell_money("npc_built", state, {"unit": unit, "planet": planet.name}, {"cost": cost})


# --- From player to NPC and back ---------------------------------------------------------------------------------------


def become_npc(move: Move, state: str) -> None:
    """A player who was skipped too often leaves the list; the State keeps what it has and moves no more (LC-93, LC-R14)."""
    armies = sum(army.owner == state for army in move.position.armies)
    fleets = sum(fleet.owner == state for fleet in move.position.fleets)
    leave_list(move, state)
    move.change(state, kind="npc", proclaims="", establishment_armies=armies, establishment_fleets=fleets)
    move.tell("became_npc", {"state": state, "armies": armies, "fleets": fleets})


def resign(position: Position, seat: str) -> Resolution[Position]:
    """Nobody plays the nation for now: it goes on missing its moves, and has no player's name."""
    return Resolution(_played_by(position, seat, ""))


def take_over(position: Position, seat: str, holder: str | None) -> Position:
    """The seat is a player's again, from the next Turn on, at its old place in the list (LC-R15), and has the name of its new
    holder. Raises `Refused` if that nation is out of the game, or the game is over."""
    if holder is not None:
        position = _played_by(position, seat, holder)
    state = position.by_name[seat]
    if state.kind == "player":
        return position
    if state.kind == "eliminated":
        raise Refused(f"{seat} has no planet left and is out of the game")
    if position.phase == "over":
        raise Refused("the game is over")
    back = replace(state, kind="player", skips=0, proclaims=seat, establishment_armies=0, establishment_fleets=0)
    return with_state(position, back)


def _played_by(position: Position, seat: str, holder: str) -> Position:
    """With the name of the player; without it if another player already has it: orders can name States by their players."""
    name = player_name(holder)
    taken = any(fold(name) == fold(other.player_name) for other in position.states if other.name != seat)
    return with_state(position, replace(position.by_name[seat], player_name="" if taken else name))
