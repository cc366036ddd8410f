"""What a line says, as an order on this board: who is meant, which unit, and for which phase (DI-90 to DI-97).

An order that cannot be given is a `Fault`. One that can be given but not carried out on the present board gets a remark:
everybody knows all of that.
"""

from collections.abc import Callable, Mapping

from pbmd.rules import match_name
from pbmd.rules.checking import Fault, unknown
from pbmd.rules.words import listing

from ..resolution.by_winter import by_winter
from ..resolution.legal import Problem, legal
from ..resolution.retreats import retreat_to
from ..resolution.winter import sites, to_build
from ..world.commands import (
    Build,
    Concede,
    Convoy,
    Disband,
    Draw,
    Hold,
    Move,
    MoveOrder,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from ..world.state import Position
from ..world.units import Unit, UnitKind
from .names import place_named
from .reader import PHASE_WORDS, Meant, Reader, must_be_moves
from .reading import Named, Place, Said, Verb

PROBLEMS: Mapping[Problem, str] = {
    "own place": "it is there already",
    "out of reach": "it cannot go there",
    "which coast": "it could go to more than one coast, so one must be named",
    "no fleets to convoy": "it cannot go there by land, and there are no fleets for a convoy",
    "support out of reach": "it could not go there itself, so it cannot support there",
    "not at sea": "only fleets at sea convoy",
    "no army to convoy": "there is no army to convoy",
    "nobody there": "there is no unit to support",
    "itself": "no unit supports itself",
}


def meant(reader: Reader, said: Said) -> Meant:
    """The order that a power gives with this. Raises `Fault`."""
    return _MEANT[said.verb](reader, said)


# --- Places and units -----------------------------------------------------------------------------------------------------


def _place(reader: Reader, written: Place) -> str:
    """The place, with the coast as it is written."""
    return place_named(reader.position.options.map, written, asks=reader.asks)


def _named(said: Said) -> Named:
    """The unit that the order is for."""
    assert said.unit is not None
    return said.unit


def has_unit(reader: Reader, place: Place) -> bool:
    """Whether the reader has a unit in a place, as it is written."""
    try:
        return _place(reader, place)[:3] in reader.own
    except Fault:
        return False


def _own(reader: Reader, named: Named) -> Unit:
    """The reader's unit in the named province. Raises `Fault` if there is none."""
    return _of_these(reader, reader.own, named, _place(reader, named.place))


def _of_these(reader: Reader, units: Mapping[str, Unit], named: Named, place: str, what: str = "you have") -> Unit:
    found = units.get(place[:3])
    if found is not None and named.kind in ("", found.kind):
        return found
    name = reader.position.board.by_id[place[:3]].name
    if found is not None:
        raise Fault(f"your unit in {name} is {found.text}")
    have = f"{what} {listing(unit.text for unit in units.values()) or 'none'}"
    raise Fault(f"you have no unit in {name}; {have}" if what == "you have" else f"not in {name}; {have}")


def _other(reader: Reader, named: Named) -> Unit:
    """Anybody's unit that is named; as written, if there is none."""
    place = _place(reader, named.place)
    return reader.there.get(place[:3]) or _hypothetical(reader, named, place)


def _hypothetical(reader: Reader, named: Named, place: str) -> Unit:
    """A unit that does not exist."""
    kind = named.kind or _usual(reader, place)
    return Unit(kind, place if kind == "F" else place[:3])


def _usual(reader: Reader, place: str) -> UnitKind:
    return "F" if reader.position.board.by_id[place[:3]].kind == "sea" else "A"


# --- Moves ----------------------------------------------------------------------------------------------------------------


def _hold(reader: Reader, said: Said) -> Meant:
    must_be_moves(reader)
    return Meant(Hold(_own(reader, _named(said))))


def _move(reader: Reader, said: Said) -> Meant:
    if reader.about == "retreats":
        return _retreat(reader, said)
    must_be_moves(reader)
    unit = _own(reader, _named(said))
    way = [_place(reader, place) for place in said.way]
    if len(way) > 1:
        _must_be_route(reader, unit, way)
    order = Move(unit, way[-1], said.via or len(way) > 1)
    found = _legal(reader, order)
    return Meant(found.order, found.remark and f"{found.remark}; it will hold")


def _must_be_route(reader: Reader, unit: Unit, way: list[str]) -> None:
    """A route by which an army is carried names seas, then the province to which it goes (DI-95)."""
    if unit.kind == "F":
        raise Fault("a fleet goes one step a turn")
    board = reader.position.board
    for place in way[:-1]:
        if place[:3] not in board.touching:
            raise Fault(f"a route of a convoy goes by seas, and {board.by_id[place[:3]].name} is none")


def _legal(reader: Reader, order: MoveOrder) -> Meant:
    """The order, a move with its coast, and why it cannot be carried out, if so (DI-97)."""
    position = reader.position
    done, problem = legal(position.board, reader.there, order, land_fallback=position.options.land_fallback)
    if problem:
        return Meant(order, PROBLEMS[problem])
    return Meant(done if isinstance(order, Move) else order)


def _support(reader: Reader, said: Said) -> Meant:
    must_be_moves(reader)
    assert said.other is not None
    unit, other = _own(reader, _named(said)), _other(reader, said.other)
    if not said.way:
        found = _legal(reader, SupportHold(unit, other))
    else:
        to = [_place(reader, place) for place in said.way][-1]
        found = _legal(reader, SupportMove(unit, other, to if other.kind == "F" else to[:3]))
        if not found.remark and _legal(reader, Move(other, to)).remark not in ("", PROBLEMS["which coast"]):  # any will do
            return Meant(found.order, f"{other.text} cannot go to {to}; the support will be void")
    return Meant(found.order, found.remark and f"{found.remark}; it will hold")


def _convoy(reader: Reader, said: Said) -> Meant:
    must_be_moves(reader)
    assert said.other is not None
    unit, army = _own(reader, _named(said)), _other(reader, said.other)
    to = [_place(reader, place) for place in said.way][-1]
    found = _legal(reader, Convoy(unit, army, to[:3]))
    return Meant(found.order, found.remark and f"{found.remark}; it will hold")


# --- Retreats -------------------------------------------------------------------------------------------------------------


_FOR_RETREATS = "kept for the retreats, if it is dislodged"
_FOR_WINTER = "kept for winter"


def _retreat(reader: Reader, said: Said) -> Meant:
    if said.verb == "move" and len(said.way) != 1:
        raise Fault("a unit retreats one step")
    places = [_place(reader, place) for place in said.way]
    named = _named(said)
    if reader.position.kind == "winter":
        raise Fault(f"that is a retreat, and now {PHASE_WORDS['winter']}")
    if reader.position.kind == "moves":
        unit = _own(reader, named)
        far = [place for place in places if not _is_near(reader, unit, place)]
        if far and not reader.on_file:
            raise Fault(f"{unit.text} cannot go to {listing(far, 'or')}")
        return Meant(Retreat(unit, places[0], tuple(places[1:])), note=_FOR_RETREATS)
    dislodged = {each.unit.province: each for each in reader.power.dislodged}
    units = {province: each.unit for province, each in dislodged.items()}
    unit = _of_these(reader, units, named, _place(reader, named.place), "your units that must retreat are")
    each = dislodged[unit.province]
    fits = next((to for place in places if (to := retreat_to(each, place))), "")
    if not fits:
        open_ = listing(each.retreats, "or")
        raise Fault(f"{unit.text} can retreat to {open_} only")
    return Meant(Retreat(unit, fits))


def _is_near(reader: Reader, unit: Unit, place: str) -> bool:
    return place[:3] in reader.position.board.reach[unit.kind][unit.place]


def _away(reader: Reader, said: Said) -> Meant:
    """For a retreat with only a goal, the only unit that can go there; or, by ``R``, a removal (DI-94)."""
    named = _named(said)
    if reader.section == "removals" or (reader.position.kind == "winter" and _is_removed(said)):
        return _disband(reader, said)
    to = _place(reader, named.place)
    if reader.position.kind == "winter":
        if said.name == "-" and isinstance(removal := _disband(reader, said).order, Disband):
            raise Fault(
                f'if it is to be removed, write "{removal.text}": that may be a retreat, and now {PHASE_WORDS["winter"]}'
            )
        raise Fault(f"that is a retreat, and now {PHASE_WORDS['winter']}")
    if reader.about == "moves" and said.name in _DASHES:  # "to Serbia" may be the rest of a move that a mail program has broken
        raise Fault("say which unit goes there")
    leaving, able = _leaving(reader, to)
    if to[:3] in leaving:
        raise Fault(f"where {leaving[to[:3]].text} retreats to is missing")
    units = [unit for unit in able if named.kind in ("", unit.kind)]
    if len(units) > 1:
        raise Fault(f"{listing([unit.text for unit in units], 'or')} could retreat there; say which")
    if not units:
        raise Fault(f"no unit of yours can retreat to {reader.position.board.by_id[to[:3]].name}")
    found = _retreat(reader, Said("retreat", Named(units[0].kind, Place(units[0].province)), way=(named.place,)))
    return found._replace(is_goal=True)


_DASHES = ("-", "T", "")
"""What stands before a goal alone, or a unit that is removed, if it is no word for a retreat."""


def _is_removed(said: Said) -> bool:
    """Whether a unit behind an ``R`` or a minus is removed in winter: behind a minus only with its kind."""
    return said.name == "r" or (said.name in _DASHES and bool(_named(said).kind))


def _leaving(reader: Reader, to: str) -> tuple[Mapping[str, Unit], list[Unit]]:
    """The units that have to retreat, or may have to, by their provinces; and those of them that can retreat to that place."""
    if reader.position.kind == "retreats":
        dislodged = reader.power.dislodged
        return {each.unit.province: each.unit for each in dislodged}, [each.unit for each in dislodged if retreat_to(each, to)]
    return reader.own, [unit for unit in reader.power.units if _is_near(reader, unit, to)]


# --- Winter ---------------------------------------------------------------------------------------------------------------


def _disband(reader: Reader, said: Said) -> Meant:
    if said.unit is None:
        return _only_disband(reader)
    named = said.unit
    place = _place(reader, named.place)
    if reader.position.kind == "winter":
        if to_build(reader.position, reader.power) >= 0:
            raise Fault("you have no unit to remove")
        return Meant(Disband(_own(reader, named)))
    dislodged = {each.unit.province: each.unit for each in reader.power.dislodged}
    if reader.position.kind == "retreats" and reader.about == "retreats" and place[:3] in dislodged:
        return Meant(Disband(_of_these(reader, dislodged, named, place)))
    if reader.position.kind == "moves" and reader.about == "retreats":
        raise Fault("a unit that is dislodged is disbanded anyway, unless a retreat is sent for it")
    _must_be_autumn(reader, "nothing is removed")
    own = reader.own.get(place[:3])
    if own is not None and named.kind in ("", own.kind):
        return Meant(Disband(own), note=_FOR_WINTER)
    if reader.on_file:
        return Meant(Disband(_hypothetical(reader, named, place)))
    if reader.position.phase == "spring moves":
        return Meant(Disband(_own(reader, named)), note=_FOR_WINTER)
    return Meant(Disband(_by_winter(reader, named, place)), note=_FOR_WINTER)


def _only_disband(reader: Reader) -> Meant:
    """For the only unit that has to retreat."""
    if len(reader.power.dislodged) != 1:
        raise Fault("say which unit is disbanded")
    return Meant(Disband(reader.power.dislodged[0].unit))


def _by_winter(reader: Reader, named: Named, place: str) -> Unit:
    """The unit that the power can have there by winter. Raises `Fault` if it can have none."""
    possible = by_winter(reader.position, reader.power)
    kinds: list[UnitKind] = [kind for kind in ("A", "F") if named.kind in ("", kind) and (kind, place[:3]) in possible]
    name = reader.position.board.by_id[place[:3]].name
    if not kinds:
        raise Fault(f"you have no unit in {name}, and none that could be there by winter")
    if len(kinds) > 1:
        raise Fault(f"say whether it is an army or a fleet in {name}")
    return Unit(kinds[0], place if kinds[0] == "F" else place[:3])


def _must_be_autumn(reader: Reader, what: str) -> None:
    """Raises `Fault` where winter is too far away: orders are kept until the next moves only."""
    if reader.position.phase == "spring retreats":
        raise Fault(f"{what} before winter; orders for it are taken from autumn on")


def _build(reader: Reader, said: Said) -> Meant:
    named = _named(said)
    place = _place(reader, named.place)
    board = reader.position.board
    _must_be_winter(reader)
    _must_be_site(reader, place[:3])
    kind = named.kind or _only_kind(reader, place)
    unit = Unit("A", place[:3]) if kind == "A" else Unit("F", place)
    if not board.stands(unit):
        coasts = [each for each in board.fleet_reach if each[:3] == unit.province]
        if unit.kind == "F" and coasts:
            raise Fault(f"say on which coast: {listing(coasts, 'or')}")
        raise Fault(f"there can be no fleet in {board.by_id[unit.province].name}", example=f"A {unit.province} B")
    return Meant(Build(unit), note="" if reader.position.kind == "winter" else _FOR_WINTER)


def _only_kind(reader: Reader, place: str) -> UnitKind:
    """What can only be built there: an army inland, a fleet on a coast that is named (DATC 4.C.3). Raises `Fault`."""
    if reader.position.board.by_id[place[:3]].kind == "inland":
        return "A"
    if place == place[:3]:
        raise Fault("say whether it is an army or a fleet")
    return "F"


def _must_be_site(reader: Reader, province: str) -> None:
    """Raises `Fault` where the power cannot build, or, before winter, where it will not be able to."""
    board = reader.position.board
    is_winter = reader.position.kind == "winter"
    owned = [home for home in board.sites[reader.seat] if home in reader.power.centres or reader.on_file]
    free = sites(reader.position, reader.power) if is_winter else owned
    if province not in free:
        where = listing(board.by_id[site].name for site in free)
        open_now = f"free {board.site_words} are" if is_winter else f"{board.site_words} are"
        raise Fault(f"you cannot build in {board.by_id[province].name}; your {open_now} {where or 'none'}")


def _must_be_winter(reader: Reader) -> None:
    """Raises `Fault` if the power has nothing to build, or winter is too far away."""
    if reader.position.phase in ("spring moves", "spring retreats"):
        raise Fault("it is spring; builds are taken from autumn on")
    if reader.position.kind == "winter" and to_build(reader.position, reader.power) <= 0:
        raise Fault("you have nothing to build")


def _waive(reader: Reader, _said: Said) -> Meant:
    _must_be_winter(reader)
    return Meant(Waive(), note="" if reader.position.kind == "winter" else _FOR_WINTER)


def _bare(reader: Reader, said: Said) -> Meant:
    """A unit alone is a build or a removal in winter (DI-94)."""
    named = _named(said)
    try:
        place = _place(reader, named.place)
    except Fault:
        if named.kind or reader.about == "winter":
            raise
        raise Fault("this is no order") from None
    if reader.about == "retreats" and place[:3] not in {each.unit.province for each in reader.power.dislodged}:
        return _away(reader, said)
    if reader.about != "winter":
        raise Fault("an order is missing behind the unit")
    return (_build if _is_built(reader, named, place[:3]) else _disband)(reader, said)


def _is_built(reader: Reader, named: Named, province: str) -> bool:
    """Whether a unit alone is built in winter, rather than removed. Raises `Fault` if it is sent ahead and may be either."""
    if reader.section in ("builds", "removals"):
        return reader.section == "builds"
    if reader.position.kind == "winter":
        return to_build(reader.position, reader.power) > 0
    is_site = province in reader.position.board.sites[reader.seat]
    if is_site and province in reader.own:
        unit = f"{named.kind or reader.own[province].kind} {province}"
        raise Fault(f"say whether it is built or removed: {unit} B or {unit} D")
    return is_site and province not in reader.own


# --- Votes -------------------------------------------------------------------------------------------------------------------


def _draw(reader: Reader, _said: Said) -> Meant:
    """A vote for a draw. Raises `Fault` where there are no moves."""
    must_be_moves(reader)
    return Meant(Draw())


def _concede(reader: Reader, said: Said) -> Meant:
    """The victory of a power that is eligible: not one's own, nor one that is out, or that nobody plays (DI-84). Raises
    `Fault`."""
    must_be_moves(reader)
    position = reader.position
    found = match_name(said.name, [name for name in position.board.by_power if name != reader.seat])
    if match_name(said.name, [reader.seat]).found and not (found.found or found.ambiguous):
        raise Fault("you concede to another power, and not to yourself")
    if found.found is None:
        raise unknown(found, said.name, "power")
    if not reader.on_file and (why := _why_not_to(position, found.found)):
        raise Fault(f"nobody can concede to {found.found}: {why}")
    return Meant(Concede(found.found))


def _why_not_to(position: Position, power: str) -> str:
    if not position.by_power[power].survives:
        return "it is out of the game"
    if power not in position.seats:
        return "nobody plays it"
    if power not in position.active:
        return "it was given up"
    return "" if position.by_power[power].units else "it has no units left"


_MEANT: Mapping[Verb, Callable[[Reader, Said], Meant]] = {
    "hold": _hold,
    "move": _move,
    "support": _support,
    "convoy": _convoy,
    "retreat": _retreat,
    "away": _away,
    "disband": _disband,
    "build": _build,
    "bare": _bare,
    "waive": _waive,
    "draw": _draw,
    "concede": _concede,
}
