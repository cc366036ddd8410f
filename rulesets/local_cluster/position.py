"""The position document (section 4 of the rules): read strictly, with the place of whatever is wrong, and written exactly."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from pbmd.rules import Document, OptionError, PositionError, fold
from pbmd.rules.documents import read_document

from .checking.judging import with_full_names
from .checking.reading import clean, read
from .orders import MAIL_ORDERS, Written
from .tables import INFO, GameOptions, game_options
from .world.documents import UNIT_ID, check_known, dump_data, load_data, load_galaxy
from .world.galaxy import Galaxy
from .world.layout import HeldRow, PositionTable, StateRow
from .world.names import Book
from .world.state import Army, Fleet, Held, Planet, Position, Relation, StandingOffer, State, capacity


def load(document: Mapping[str, Any]) -> Position:
    """The position in a document. Raises `PositionError` with the place of what is wrong."""
    content = read_document(PositionTable, document)
    if content.ruleset != INFO.slug:
        raise PositionError("ruleset", f'this is a position of "{content.ruleset}", not of "{INFO.slug}"')
    galaxy = load_galaxy(content)
    states = (*(_state(row) for row in content.states), *_unlisted(content, galaxy))
    fleets = _fleets(content)
    armies = _armies(content)
    players = tuple(state.name for state in states if state.kind == "player")
    position = Position(
        turn=content.turn,
        phase=content.phase,
        galaxy=galaxy,
        own_map=content.map == "custom",
        data=load_data(content.data),
        given=tuple((key, value) for key, value in content.options.items() if _differs(key, value)),
        options=_options(content.options),
        states=states,
        planets=_planets(content, galaxy),
        fleets=fleets,
        armies=armies,
        relations=_relations(content),
        offers=tuple(StandingOffer(offer.kind, offer.by, offer.to, offer.turn) for offer in content.offers),
        waiting=(players if content.phase == "moves" else ()) if content.waiting is None else tuple(content.waiting),
        next_fleet=_next(content.next_fleet, fleets, "next_fleet"),
        next_army=_next(content.next_army, armies, "next_army"),
        ascended=tuple(content.ascended),
        winner=content.winner,
        victory=content.victory,
        missed=tuple(content.missed),
    )
    _check_states(position, content.states)
    _check_planets(position, content)
    _check_units(position, content)
    _check_relations(position, content)
    _check_offers(position)
    _check_running(position)
    return _with_held(position, content.held)


def dump(position: Position) -> Document:
    """The document of a position, every planet and every State in it; `load` gives the same position back."""
    document: Document = {"ruleset": INFO.slug, "map": "custom" if position.own_map else "local_cluster"}
    if position.own_map:
        document["lines"] = [list(line) for line in position.galaxy.lines]
    document |= {
        "turn": position.turn,
        "phase": position.phase,
        "waiting": list(position.waiting),
        "winner": position.winner,
        "victory": position.victory,
        "ascended": list(position.ascended),
        "next_fleet": position.next_fleet,
        "next_army": position.next_army,
        "options": dict(position.given),
        "data": dump_data(position.data),
        "states": [{**asdict(s), "traits": list(s.traits), "technologies": list(s.technologies)} for s in position.states],
        "planets": [
            {**site._asdict(), "owner": planet.owner, "resources": list(planet.resources)}
            for site, planet in zip(position.galaxy.sites, position.planets, strict=True)
        ],
        "fleets": [fleet._asdict() for fleet in position.fleets],
        "armies": [{key: value for key, value in army._asdict().items() if value} for army in position.armies],
        "relations": [_dump_relation(relation) for relation in position.relations],
        "offers": [{"kind": o.treaty, "from": o.by, "to": o.to, "turn": o.turn} for o in position.offers],
        "held": [_dump_held(held) for held in position.held],
    }
    return {**document, "missed": list(position.missed)} if position.missed else document


def _dump_relation(relation: Relation) -> Document:
    status = "war" if relation.at_war else "peace"
    return {"between": list(relation.between), "status": status, "trade": relation.trade, "pact": relation.pact}


def _dump_held(held: Held) -> Document:
    lines, written = [line.order.text for line in held.lines], [line.line for line in held.lines]
    dumped: Document = {"state": held.state, "lines": lines, "arrival": list(held.arrival)}
    return dumped if written == lines else {**dumped, "written": written}


# --- Parts ----------------------------------------------------------------------------------------------------------------


def _options(given: Mapping[str, Any]) -> GameOptions:
    try:
        return game_options(tuple(given.items()))
    except OptionError as problem:
        raise PositionError("options", str(problem)) from None


def _differs(key: str, value: object) -> bool:
    spec = INFO.options.get(key)
    return spec is None or value != spec.default


def _state(row: StateRow) -> State:
    own = row.name if row.kind == "player" else ""
    return State(
        name=row.name,
        kind=row.kind,
        leader=row.leader,
        player_name=row.player_name,
        color=row.color,
        home_planet=row.home_planet,
        traits=tuple(row.traits),
        technologies=tuple(row.technologies),
        credits=row.credits,
        skips=row.skips,
        proclaims=own if row.proclaims is None else row.proclaims,
        establishment_armies=row.establishment_armies,
        establishment_fleets=row.establishment_fleets,
    )


def _owner(content: PositionTable, name: str) -> str:
    row = next((planet for planet in content.planets if planet.name == name), None)
    return name if row is None or row.owner is None else row.owner


def _unlisted(content: PositionTable, galaxy: Galaxy) -> list[State]:
    """The NPC States that the document implies: of planets that nobody else has, in planet-number order."""
    listed = {row.name for row in content.states}
    return [State(s.name, "npc") for s in galaxy.sites if s.name not in listed and _owner(content, s.name) == s.name]


def _planets(content: PositionTable, galaxy: Galaxy) -> tuple[Planet, ...]:
    resources = {planet.name: tuple(planet.resources) for planet in content.planets}
    return tuple(Planet(site.name, _owner(content, site.name), resources.get(site.name, ())) for site in galaxy.sites)


def _fleets(content: PositionTable) -> tuple[Fleet, ...]:
    _check_ids([row.id for row in content.fleets], "fleets", "F")
    return tuple(sorted((Fleet(row.id, row.owner, row.planet) for row in content.fleets), key=lambda fleet: fleet.number))


def _armies(content: PositionTable) -> tuple[Army, ...]:
    _check_ids([row.id for row in content.armies], "armies", "A")
    armies = (Army(row.id, row.owner, row.planet, row.fleet) for row in content.armies)
    return tuple(sorted(armies, key=lambda army: army.number))


def _check_ids(ids: Sequence[str], place: str, letter: str) -> None:
    for i, unit in enumerate(ids):
        if not UNIT_ID.fullmatch(unit) or unit[0] != letter:
            raise PositionError(f"{place}[{i}].id", f'"{unit:.20}" is no id; ids here are like {letter}12')
        if unit in ids[:i]:
            raise PositionError(f"{place}[{i}].id", f"{unit} is there twice")


def _next(given: int | None, units: Sequence[Fleet | Army], place: str) -> int:
    highest = units[-1].number if units else 0
    if given is not None and given <= highest:
        raise PositionError(place, f"the next number must be above {highest}, which is in use")
    return highest + 1 if given is None else given


def _relations(content: PositionTable) -> tuple[Relation, ...]:
    rows = (Relation((r.between[0], r.between[1]), r.status == "war", r.trade, r.pact) for r in content.relations)
    return tuple(relation for relation in rows if relation.at_war or relation.trade or relation.pact)


# --- Checks ---------------------------------------------------------------------------------------------------------------


def _living(position: Position, name: str, place: str) -> State:
    state = position.by_name.get(name)
    if state is None:
        raise PositionError(place, f'there is no State "{name:.60}"')
    if state.kind == "eliminated":
        raise PositionError(place, f"{name} is eliminated")
    return state


def _check_states(position: Position, rows: Sequence[StateRow]) -> None:
    met: dict[str, int] = {}
    for i, row in enumerate(rows):
        place = f"states[{i}]"
        if not row.name or row.name != " ".join(row.name.split()) or not row.name.isprintable():
            raise PositionError(f"{place}.name", "a name is one line without blanks at its ends or double ones")
        if (first := met.setdefault(fold(row.name), i)) != i:
            raise PositionError(f"{place}.name", f'"{row.name}" is the name of states[{first}] already')
        if row.kind == "player" and row.name in position.galaxy.place:
            raise PositionError(f"{place}.name", f"a player's nation is not called after a planet: {row.name}")
        if row.home_planet and row.home_planet not in position.galaxy.place:
            raise PositionError(f"{place}.home_planet", f'there is no planet "{row.home_planet:.60}"')
        check_known(row.traits, position.data.traits, f"{place}.traits", "trait", once=True)
        check_known(row.technologies, position.data.technologies, f"{place}.technologies", "technology", once=True)
        if row.proclaims and row.proclaims not in position.by_name:
            raise PositionError(f"{place}.proclaims", f'there is no State "{row.proclaims:.60}"')


def _check_planets(position: Position, content: PositionTable) -> None:
    for i, row in enumerate(content.planets):
        _living(position, position.planet(row.name).owner, f"planets[{i}].owner")
        check_known(row.resources, position.data.resources, f"planets[{i}].resources", "resource")
    for planet in position.planets:
        # Of a planet that is not listed: its NPC State may be listed as eliminated.
        _living(position, planet.owner, "planets")


def _check_units(position: Position, content: PositionTable) -> None:
    for i, row in enumerate(content.fleets):
        _living(position, row.owner, f"fleets[{i}].owner")
        _check_right(position, row.owner, row.planet, f"fleets[{i}].planet")
    cargo = Counter(army.fleet for army in position.armies)
    for i, row in enumerate(content.armies):
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


def _check_relations(position: Position, content: PositionTable) -> None:
    met: set[frozenset[str]] = set()
    treaties: Counter[str] = Counter()
    for i, row in enumerate(content.relations):
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
        if row.status == "war" and (row.trade or row.pact):
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
            if name in names[:i]:
                raise PositionError(f"{field}[{i}]", f"{name} is there twice")
    if over != bool(position.victory):
        raise PositionError("victory", "a game that is over has a kind of victory, and no other has one")
    if bool(position.winner) != (position.victory not in ("", "none")):
        raise PositionError("winner", "there is a winner if somebody has won, and only then")
    if position.winner and position.winner not in position.by_name:
        raise PositionError("winner", f'there is no State "{position.winner:.60}"')


def _with_held(position: Position, rows: Sequence[HeldRow]) -> Position:
    held: list[Held] = []
    for i, row in enumerate(rows):
        if _living(position, row.state, f"held[{i}].state").kind != "player" or position.phase == "over":
            raise PositionError(f"held[{i}].state", f"{row.state} makes no move any more")
        if any(row.state == other.state for other in held):
            raise PositionError(f"held[{i}].state", f"{row.state} has two mails here")
        arrival = (row.arrival[0], row.arrival[1]) if row.arrival else (0, i)
        held.append(Held(row.state, arrival, _held_lines(position, row, f"held[{i}]")))
    return replace(position, held=tuple(sorted(held, key=lambda mail: mail.arrival)))


def _held_lines(position: Position, row: HeldRow, place: str) -> tuple[Written, ...]:
    written = row.lines if row.written is None else row.written
    if len(written) != len(row.lines):
        raise PositionError(f"{place}.written", f"{len(row.lines)} lines are here, but {len(written)} as written")
    found: list[Written] = []
    for i, line in enumerate(row.lines):
        order = read(clean(line))
        if order is None:
            raise PositionError(f"{place}.lines[{i}]", f'"{line:.60}" is not an order')
        # What became of a unit or a State since the mail came is found when it is carried out.
        named, faults = with_full_names(Book(position, row.state, gone=True), order)
        if faults:
            raise PositionError(f"{place}.lines[{i}]", faults[0].problem)
        found.append(Written(named, " ".join(written[i].split())))
    if all(isinstance(line.order, MAIL_ORDERS) for line in found):
        raise PositionError(f"{place}.lines", "a mail on file has at least one line of a move")
    return tuple(found)
