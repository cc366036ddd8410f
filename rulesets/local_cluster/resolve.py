"""The resolution (section 7 of the rules): a move, or the skips of a deadline, and after it perhaps the end of the Turn.

Dice are drawn in the order in which these steps reach them: coins of NPC States, fleet battles, bombardments, army battles.
"""

from dataclasses import replace

from pbmd.rules import Dice, Resolution

from .orders import Disband, Written
from .position import due
from .resolution.battle import battles
from .resolution.building import capital_line, research_line, resources_line, units_line
from .resolution.diplomacy import diplomacy_line
from .resolution.eviction import eliminate, evict
from .resolution.move import Move, aboard, armies_on
from .resolution.movement import movement_line
from .resolution.npc import become_npc, npc_phase
from .resolution.victory import judge
from .world.economy import tax_income, trade_income, unit_upkeep, upkeep
from .world.state import Held, Position


def resolve(position: Position, dice: Dice) -> Resolution[Position]:
    """Carry out the skips that are noted, or else the one move that is due; then end the Turn if nobody is left to move.

    Moves held by players whose turn it then is are the next step.
    """
    if position.phase == "over":
        return Resolution(position)
    held = due(position)
    if position.missed:
        move = _skips(position)
    elif held:
        move = _made(position, held, dice)
    else:
        return Resolution(position)
    if move.position.phase != "over" and not move.position.waiting:
        _end_turn(move)
    return Resolution(move.position, tuple(move.events))


# --- A move ------------------------------------------------------------------------------------------------------------


def _made(position: Position, held: Held, dice: Dice) -> Move:
    """One move from its beginning to its closing (7.3); in Turn 0 there is only dealing and building (LC-R03, LC-R04)."""
    move = Move(replace(position, held=tuple(other for other in position.held if other.state != held.state)), held.state)
    move.tell("move_begun", {"turn": position.turn, "state": held.state})
    move.gift_budget = _gift_budget(position, held.state)
    if position.turn > 0:
        _book_income(move)
        for written in held.lines:
            _disband_line(move, written)
        _pay_upkeep(move)
    for written in held.lines:
        diplomacy_line(move, written, dice)
    if position.turn > 0:
        for written in held.lines:
            movement_line(move, written)
        battles(move, dice)
        for written in held.lines:
            research_line(move, written)
    for step in (units_line, resources_line):
        for written in held.lines:
            step(move, written)
    if position.turn > 0:
        for written in held.lines:
            capital_line(move, written)
        _change_owners(move)
    _close(move)
    return move


def _gift_budget(position: Position, state: str) -> int:
    """The maximum total of the gifts in a move: the income at its start (LC-39, LC-R48)."""
    trade = trade_income(position, state) if position.options.gift_limit == "tax_and_trade" else 0
    return tax_income(position, state) + trade


def _change_owners(move: Move) -> None:
    """Planets of enemies with an army of the mover on them, and none of an enemy's, pass to the mover (LC-90, LC-R89)."""
    for planet in move.position.planets:
        if not move.position.at_war(planet.owner, move.state) or not armies_on(move.position, planet.name, move.state):
            continue
        surface = [army for army in move.position.armies if army.planet == planet.name]
        if any(move.position.at_war(army.owner, move.state) for army in surface):
            continue
        move.put_planet(planet._replace(owner=move.state))
        move.tell("planet_taken", {"planet": planet.name, "from": planet.owner, "to": move.state})


def _close(move: Move) -> None:
    eliminate(move)
    evict(move)
    move.change(move.state, skips=0)
    _moved(move, move.state)
    move.tell("move_ended", {"state": move.state})
    if move.position.options.victory_check == "move":
        judge(move)


def _moved(move: Move, state: str) -> None:
    """The State has nothing more to do in this Turn."""
    waiting = tuple(name for name in move.position.waiting if name != state)
    move.position = replace(move.position, waiting=waiting)


# --- Income, disbanding, upkeep ----------------------------------------------------------------------------------------


def _book_income(move: Move) -> None:
    tax, trade = tax_income(move.position, move.state), trade_income(move.position, move.state)
    move.earn(move.state, tax + trade)
    move.tell_money("income", move.state, {}, {"tax": tax, "trade": trade, "credits": move.power.credits})


def _disband_line(move: Move, written: Written) -> None:
    """Disband the units of a line (LC-72); does nothing for other lines."""
    if not isinstance(written.order, Disband):
        return
    for unit in written.order.units:
        held = move.position.fleet(unit) or move.position.army(unit)
        if held is None or held.owner != move.state:
            move.fail(written.line, "not_your_unit", unit)
        else:
            _disband(move, unit, forced=False)


def _disband(move: Move, unit: str, *, forced: bool) -> None:
    """A unit is removed; armies aboard a fleet land if the planet is their owner's, else they go with it (LC-R22)."""
    fleet, army = move.position.fleet(unit), move.position.army(unit)
    ashore: list[str] = []
    cargo: list[str] = []
    if fleet:
        if move.position.planet(fleet.planet).owner == fleet.owner:
            for carried in aboard(move.position, unit):
                move.put_army(carried._replace(planet=fleet.planet, fleet=""))
                ashore.append(carried.id)
        cargo = list(move.remove_fleet(unit))
    elif army:
        move.remove_army(unit)
    move.tell("disbanded", {"state": move.state, "unit": unit, "forced": forced, "ashore": ashore, "cargo": cargo})


def _pay_upkeep(move: Move) -> None:
    """Disband, one by one, what cannot be paid for, then pay (LC-70, LC-R20)."""
    state = move.state
    while (short := upkeep(move.position, state) - move.power.credits) > 0:
        _disband(move, _dispensable(move.position, state, short), forced=True)
    amount = upkeep(move.position, state)
    move.earn(state, -amount)
    move.tell_money("upkeep", state, {}, {"amount": amount, "credits": move.power.credits})


def _dispensable(position: Position, state: str, short: int) -> str:
    """The unit to disband when this many credits are missing: the loss closest to them, newest first, empty fleets before laden
    ones (LC-R20)."""
    fleets = [fleet for fleet in position.fleets if fleet.owner == state]
    armies = [army for army in position.armies if army.owner == state]
    of_fleet, of_army = unit_upkeep(position, state, "fleet"), unit_upkeep(position, state, "army")
    if fleets and of_fleet and (short >= of_fleet or not armies or not of_army):
        return max(fleets, key=lambda fleet: (not aboard(position, fleet.id), fleet.number)).id
    return max(armies, key=lambda army: army.number).id


# --- Skips -------------------------------------------------------------------------------------------------------------


def _skips(position: Position) -> Move:
    """Everybody whose deadline has passed is skipped, in list order (LC-91)."""
    late = [name for name in position.waiting if name in position.missed]
    move = Move(replace(position, missed=()), "")
    for state in late:
        move.state = state
        _skip(move)
    return move


def _skip(move: Move) -> None:
    """Only income and upkeep (LC-R12), or the change to an NPC empire (LC-93, LC-R14)."""
    position, state = move.position, move.state
    skips = move.power.skips + 1
    move.change(state, skips=skips)
    move.tell("skipped", {"turn": position.turn, "state": state, "skips": skips})
    if skips >= position.options.skips_to_npc:
        become_npc(move, state)
    elif position.turn > 0 and position.options.skip_income:
        _book_income(move)
        _pay_upkeep(move)
    _moved(move, state)


# --- The end of a Turn -------------------------------------------------------------------------------------------------


def _end_turn(move: Move) -> None:
    """The NPC phase, old offers lapse, victory, and a new Turn (7.8)."""
    turn = move.position.turn
    move.tell("turn_ended", {"turn": turn})
    if turn > 0:
        npc_phase(move)
    kept = move.position.options.offer_turns
    move.lapse(offer for offer in move.position.offers if offer.turn + kept <= turn)
    judge(move)
    if move.position.phase != "over":
        waiting = tuple(state.name for state in move.position.players)
        move.position = replace(move.position, turn=turn + 1, waiting=waiting)
