"""What the types of a position cannot express (section 4 of the rules): the checks of its document, and the values for what it
leaves out.

Places are those in the document, so rows are checked in its order; only then are they put in the order of the position.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbmd.rules import PositionError, fold
from pbmd.rules.sound import must_differ

from ..checking.reading import SMALL_WORDS
from ..orders import MAIL_ORDERS
from ..tables import DATA, Data
from .galaxy import LOCAL_CLUSTER
from .names import Book, with_full_names
from .state import SITES, Army, Fleet, Held, Planet, Position, Relation, State, capacity

NAME_LENGTH = 40
UNIT_ID = re.compile(r"[FA][1-9]\d{0,8}")


def checked(given: Position, document: Mapping[str, Any]) -> Position:
    """The position whose fields are those of that document, completed. Raises `PositionError` where it breaks the rules of
    positions."""
    _check_map(given)
    _check_data(given.data)
    _check_ids([fleet.id for fleet in given.fleets], "fleets", "F")
    _check_ids([army.id for army in given.armies], "armies", "A")
    position = _completed(given, document)
    _check_states(position, given.states)
    _check_planets(position, given.planets)
    _check_units(position, given)
    _check_relations(position, given.relations)
    _check_offers(position)
    _check_running(position)
    must_differ("held", "state", (held.state for held in position.held))
    held = tuple(_checked_mail(position, place) for place in range(len(given.held)))
    return replace(position, held=tuple(sorted(held, key=lambda mail: mail.arrival)))


def _completed(given: Position, document: Mapping[str, Any]) -> Position:
    """With the planets and the NPC States that the document implies, and everything in the position's order."""
    planets = _planets(given)
    listed = {state.name for state in given.states}
    said = ("proclaims" in row for row in document.get("states", ()))
    states = (
        *(_proclaiming(state, said=each) for state, each in zip(given.states, said, strict=True)),
        *(State(planet.name, "npc") for planet in planets if planet.name not in listed and planet.owner == planet.name),
    )
    fleets = tuple(sorted(given.fleets, key=lambda fleet: fleet.number))
    armies = tuple(sorted(given.armies, key=lambda army: army.number))
    all_players = tuple(state.name for state in states if state.kind == "player" and given.phase == "moves")
    return replace(
        given,
        lines=given.lines or () if given.map == "custom" else None,
        waiting=given.waiting if "waiting" in document else all_players,
        next_fleet=_next(given.next_fleet, fleets, "next_fleet"),
        next_army=_next(given.next_army, armies, "next_army"),
        states=states,
        planets=planets,
        fleets=fleets,
        armies=armies,
        relations=tuple(relation for relation in given.relations if not relation.is_default),
    )


def _proclaiming(state: State, *, said: bool) -> State:
    """Players proclaim themselves by default, others nobody."""
    return state if said or state.kind != "player" else replace(state, proclaims=state.name)


def _planets(given: Position) -> tuple[Planet, ...]:
    """All planets in number order. A planet without an owner belongs to the NPC State with its name."""
    rows = {planet.name: planet for planet in given.planets}
    sites = SITES if given.map == "local_cluster" else given.planets
    return tuple(_filled(rows.get(site.name, site), site) for site in sites)


def _filled(planet: Planet, site: Planet) -> Planet:
    x, y = (site.x if planet.x < 0 else planet.x, site.y if planet.y < 0 else planet.y)
    return Planet(planet.name, x, y, planet.owner or planet.name, planet.resources)


def _next(given: int, units: Sequence[Fleet | Army], place: str) -> int:
    highest = units[-1].number if units else 0
    if 0 < given <= highest:
        raise PositionError(place, f"the next number must be above {highest}, which is in use")
    return given or highest + 1


# --- Names ----------------------------------------------------------------------------------------------------------------


def _name_problem(name: str) -> str:
    """What is improper about the name of a planet, trait, resource or technology, "" if nothing: orders name them."""
    if _is_uneven(name):
        return "a name is one line without blanks at its ends or double ones"
    if len(name) > NAME_LENGTH:
        return f"the name has {len(name)} characters; {NAME_LENGTH} is the most"
    if not re.fullmatch(r"\w(?:[\w' .-]*\w)?", name):
        return (
            "a name has letters, digits, blanks, apostrophes, points and hyphens, and begins and ends with one of the first two"
        )
    if UNIT_ID.fullmatch(name.upper()):
        return "that is the name of a unit"
    if reserved := [word for word in fold(name).split() if word in SMALL_WORDS]:
        return f'the word "{reserved[0]}" is used in orders and cannot be part of a name'
    return ""


def _is_uneven(name: str) -> bool:
    return not name or name != " ".join(name.split()) or not name.isprintable()


def _check_names(names: Sequence[str], place: str) -> None:
    """Raise `PositionError` for a name that is improper or occurs twice."""
    for i, name in enumerate(names):
        if problem := _name_problem(name):
            raise PositionError(f"{place}[{i}].name", f'"{name:.60}": {problem}')
    must_differ(place, "name", names)


def _check_known(names: Sequence[str], known: Iterable[str], place: str, what: str, *, once: bool = False) -> None:
    """Raise `PositionError` for an unknown name, or one that occurs twice although it must not."""
    for i, name in enumerate(names):
        if name not in known:
            raise PositionError(f"{place}[{i}]", f'there is no {what} "{name:.60}"')
    if once:
        must_differ(place, "", names)


# --- The map and the tables of data -----------------------------------------------------------------------------------------


def _check_map(given: Position) -> None:
    names = [planet.name for planet in given.planets]
    if given.map == "custom":
        _check_own_map(given, names)
        return
    if given.lines is not None:
        raise PositionError("lines", 'the lines of the map are given; other ones need map = "custom"')
    for i, name in enumerate(names):
        if name not in LOCAL_CLUSTER.place:
            raise PositionError(f"planets[{i}].name", f'there is no planet "{name:.60}"')
    must_differ("planets", "name", names)


def _check_own_map(given: Position, names: Sequence[str]) -> None:
    """Exactly the planets and lines of the document."""
    if not names:
        raise PositionError("planets", "a map of your own needs planets")
    _check_names(names, "planets")
    for i, planet in enumerate(given.planets):
        if planet.x < 0 or planet.y < 0:
            raise PositionError(f"planets[{i}].{'x' if planet.x < 0 else 'y'}", "a map of your own needs its coordinates")
    met: set[frozenset[str]] = set()
    for i, (one, other) in enumerate(given.lines or ()):
        _check_known((one, other), names, f"lines[{i}]", "planet")
        if one == other:
            raise PositionError(f"lines[{i}]", f"{one} is joined to itself")
        if frozenset((one, other)) in met:
            raise PositionError(f"lines[{i}]", f"{one} and {other} are joined twice")
        met.add(frozenset((one, other)))


def _check_data(data: Data) -> None:
    if data == DATA:
        return
    for place, rows in (("traits", data.trait_rows), ("resources", data.resource_rows), ("technologies", data.technology_rows)):
        _check_names([row.name for row in rows], f"data.{place}")
    if not any(resource.weight for resource in data.resource_rows):
        raise PositionError("data.resources", "at least one resource needs a weight")
    for i, technology in enumerate(data.technology_rows):
        _check_known(technology.requires, data.technologies, f"data.technologies[{i}].requires", "technology", once=True)


# --- Who has what -----------------------------------------------------------------------------------------------------------


def _check_ids(ids: Sequence[str], place: str, letter: str) -> None:
    for i, unit in enumerate(ids):
        if not UNIT_ID.fullmatch(unit) or unit[0] != letter:
            raise PositionError(f"{place}[{i}].id", f'"{unit:.20}" is no id; ids here are like {letter}12')
    must_differ(place, "id", ids)


def _living(position: Position, name: str, place: str) -> State:
    state = position.by_name.get(name)
    if state is None:
        raise PositionError(place, f'there is no State "{name:.60}"')
    if state.kind == "eliminated":
        raise PositionError(place, f"{name} is eliminated")
    return state


def _check_states(position: Position, rows: Sequence[State]) -> None:
    must_differ("states", "name", (row.name for row in rows))
    for i, row in enumerate(rows):
        place = f"states[{i}]"
        if _is_uneven(row.name):
            raise PositionError(f"{place}.name", "a name is one line without blanks at its ends or double ones")
        if row.kind == "player" and row.name in position.galaxy.place:
            raise PositionError(f"{place}.name", f"a player's nation is not called after a planet: {row.name}")
        if row.home_planet and row.home_planet not in position.galaxy.place:
            raise PositionError(f"{place}.home_planet", f'there is no planet "{row.home_planet:.60}"')
        _check_known(row.traits, position.data.traits, f"{place}.traits", "trait", once=True)
        _check_known(row.technologies, position.data.technologies, f"{place}.technologies", "technology", once=True)
        if row.proclaims and row.proclaims not in position.by_name:
            raise PositionError(f"{place}.proclaims", f'there is no State "{row.proclaims:.60}"')


def _check_planets(position: Position, rows: Sequence[Planet]) -> None:
    for i, row in enumerate(rows):
        _living(position, position.planet(row.name).owner, f"planets[{i}].owner")
        _check_known(row.resources, position.data.resources, f"planets[{i}].resources", "resource")
    for planet in position.planets:
        # Its planet is not listed: the NPC State may be listed as eliminated.
        _living(position, planet.owner, "planets")


def _check_units(position: Position, given: Position) -> None:
    for i, row in enumerate(given.fleets):
        _living(position, row.owner, f"fleets[{i}].owner")
        _check_right(position, row.owner, row.planet, f"fleets[{i}].planet")
    cargo = Counter(army.fleet for army in position.armies)
    for i, row in enumerate(given.armies):
        place = f"armies[{i}]"
        _living(position, row.owner, f"{place}.owner")
        if bool(row.planet) == bool(row.fleet):
            raise PositionError(place, "an army is either on a planet or aboard a fleet")
        if row.planet:
            _check_right(position, row.owner, row.planet, f"{place}.planet")
            continue
        fleet = position.fleet(row.fleet)
        if fleet is None or fleet.owner != row.owner:
            raise PositionError(f"{place}.fleet", f'{row.owner} has no fleet "{row.fleet:.20}"')
        if cargo[fleet.id] > (most := capacity(position, row.owner)):
            raise PositionError(f"{place}.fleet", f"{cargo[fleet.id]} armies are aboard {fleet.id}, which can carry {most}")


def _check_right(position: Position, state: str, planet: str, place: str) -> None:
    if planet not in position.galaxy.place:
        raise PositionError(place, f'there is no planet "{planet:.60}"')
    if not position.may_be_at(state, planet):
        owner = position.planet(planet).owner
        raise PositionError(place, f"{state} may not be at {planet}: it is {owner}'s, and there is neither war nor a pact")


def _check_relations(position: Position, rows: Sequence[Relation]) -> None:
    met: set[frozenset[str]] = set()
    treaties: Counter[str] = Counter()
    for i, row in enumerate(rows):
        place = f"relations[{i}]"
        for k, name in enumerate(row.between):
            _living(position, name, f"{place}.between[{k}]")
            treaties[name] += row.trade
            if treaties[name] > position.options.trade_limit:
                raise PositionError(f"{place}.trade", f"{name} has more than {position.options.trade_limit} trade treaties")
        if len(pair := frozenset(row.between)) == 1:
            raise PositionError(f"{place}.between", "a relation is between two States")
        if pair in met:
            raise PositionError(f"{place}.between", f"there is an entry for {' and '.join(row.between)} already")
        met.add(pair)
        if row.at_war and (row.trade or row.pact):
            raise PositionError(f"{place}.{'trade' if row.trade else 'pact'}", "States at war have no treaty")


def _check_offers(position: Position) -> None:
    for i, offer in enumerate(position.offers):
        place = f"offers[{i}]"
        for name, field in ((offer.by, "from"), (offer.to, "to")):
            if _living(position, name, f"{place}.{field}").kind != "player":
                raise PositionError(f"{place}.{field}", f"{name} is an NPC State; offers stand between players")
        if offer.by == offer.to:
            raise PositionError(f"{place}.to", "nobody has an offer from himself")
        if offer.turn > position.turn:
            raise PositionError(f"{place}.turn", f"it is Turn {position.turn}")
        if any(offer[:3] == other[:3] for other in position.offers[:i]):
            raise PositionError(place, "this offer is there twice")


def _check_running(position: Position) -> None:
    over = position.phase == "over"
    if over == bool(position.waiting):
        raise PositionError("waiting", "in a running Turn somebody has still to move, and when the game is over nobody has")
    for field, names, able in (
        ("waiting", position.waiting, {state.name for state in position.players}),
        ("missed", position.missed, set(position.waiting)),
        ("ascended", position.ascended, set(position.by_name)),
    ):
        for i, name in enumerate(names):
            if name not in able:
                raise PositionError(f"{field}[{i}]", f'"{name:.60}" cannot be here')
        must_differ(field, "", names)
    if over != bool(position.victory):
        raise PositionError("victory", "a game that is over has a kind of victory, and no other has one")
    if bool(position.winner) != (position.victory not in ("", "none")):
        raise PositionError("winner", "there is a winner if somebody has won, and only then")
    if position.winner and position.winner not in position.by_name:
        raise PositionError("winner", f'there is no State "{position.winner:.60}"')


def _checked_mail(position: Position, i: int) -> Held:
    """The mail with full names. What became of a unit or a State since it came is only found when it is carried out."""
    held, place = position.held[i], f"held[{i}]"
    if _living(position, held.state, f"{place}.state").kind != "player" or position.phase == "over":
        raise PositionError(f"{place}.state", f"{held.state} makes no move any more")
    lines = [with_full_names(Book(position, held.state, gone=True), line.order) for line in held.lines]
    for k, (_, faults) in enumerate(lines):
        if faults:
            raise PositionError(f"{place}.lines[{k}]", faults[0].problem)
    if all(isinstance(order, MAIL_ORDERS) for order, _ in lines):
        raise PositionError(f"{place}.lines", "a mail on file has at least one line of a move")
    return held._replace(lines=tuple(line._replace(order=order) for line, (order, _) in zip(held.lines, lines, strict=True)))
