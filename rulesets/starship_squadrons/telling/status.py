"""Tables of a report: counters with what they can do and carry, planets, losses, what is remembered of the enemy."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..resolution.day import counter_of
from ..resolution.victory import planet_value
from ..world.condition import current, toughness
from ..world.counters import Question, Sighting, Spot, Transit, Unit
from ..world.sight import sight, transit_units_seen
from ..world.state import Position
from ..world.systems import Place, SideNumber, System, enemy_of
from .news import levels

_KINDS = {"star": "star", "planet": "planet", "gas_giant": "gas giant"}


def side_names(position: Position) -> tuple[str, str]:
    """The names of the sides."""
    one, two = position.sides
    return one.name, two.name


@dataclass(frozen=True, slots=True)
class _Counters:
    """The counters of some players, in order. `several`: they include their player."""

    position: Position
    units: Sequence[Unit]
    questions: Sequence[Question]
    several: bool

    def who(self, player: str) -> str:
        return player if self.several else ""

    def rows_at(self, spot: Spot) -> list[dict[str, Any]]:
        return [_unit(self.position, unit, self.who(unit.player)) for unit in self.units if unit.spot == spot]

    def marks_at(self, spot: Spot) -> list[str]:
        """The "?" there, "" for those in reserve."""
        marks = [question for question in self.questions if question.spot == spot]
        return [f"{mark.id} ({mark.player})" if self.several else mark.id for mark in marks]


def counters_of(position: Position, players: Collection[str], *, several: bool) -> dict[str, Any]:
    """The counters of these players: units by place, "?", transit groups and fleets. `several`: they include their player."""
    counters = _Counters(
        position,
        [unit for unit in position.units if unit.player in players],
        [question for question in position.questions if question.player in players],
        several,
    )
    spots = {counter.spot for counter in (*counters.units, *counters.questions)}
    return {
        "places": _places(counters, (spot for spot in spots if isinstance(spot, Place))),
        "transits": _transits(counters, [group for group in position.transits if group.id in spots]),
        "reserve": counters.marks_at(""),
        "fleets": [
            {
                "name": fleet.name,
                "player": counters.who(fleet.player),
                "members": list(fleet.members),
                "place": _fleet_place(position, fleet.player, fleet.members[0]),
            }
            for fleet in position.fleets
            if fleet.player in players
        ],
    }


def _places(counters: _Counters, places: Iterable[Place]) -> list[dict[str, Any]]:
    """What is there, in map order."""
    systems = counters.position.by_system
    order = {name: number for number, name in enumerate(systems)}
    return [
        {
            "place": place.text,
            "there": _there(systems[place.system], place),
            "covered": bool(counters.marks_at(place)),
            "units": counters.rows_at(place),
            "questions": counters.marks_at(place),
        }
        for place in sorted(places, key=lambda place: (order[place.system], place.hex))
    ]


def _transits(counters: _Counters, groups: Iterable[Transit]) -> list[dict[str, Any]]:
    position = counters.position
    return [
        {
            "to": group.to.text,
            "origin": group.origin,
            "day": group.day,
            "of": position.options.jump_days,
            "due": position.day + position.options.jump_days - group.day - 1,
            "distance": group.distance,
            "units": counters.rows_at(group.id),
            "questions": counters.marks_at(group.id),
        }
        for group in groups
    ]


def _fleet_place(position: Position, player: str, member: str) -> str:
    counter = counter_of(position, player, member)
    if counter is None or counter.place is None:
        return "jump transit"
    return counter.place.text


def _there(system: System, place: Place) -> str:
    """What lies in that hex, like "Aldane Prime, starport"."""
    bodies = [body for body in system.bodies if body.hex == place.hex]
    return ", ".join(f"{body.name}{', starport' if body.starport else ''}" for body in bodies)


def _unit(position: Position, unit: Unit, player: str) -> dict[str, Any]:
    now, built = current(unit), unit.printed
    return {
        "name": unit.name,
        "player": player,
        "kind": unit.kind,
        "now": now._asdict(),
        "now_text": levels(now._asdict()),
        "built": built._asdict(),
        "built_text": levels(built._asdict()),
        "changed": now != built,
        "damage": unit.damage,
        "toughness": toughness(unit),
        "fuel": unit.fuel,
        "fuel_room": built.jump,
        "supplies": unit.supplies,
        "supplies_room": now.supply * position.options.supply_per_factor,
        "admirals": unit.admirals,
    }


def out_of_view(position: Position, side: SideNumber) -> list[Sighting]:
    """Enemy counters that the side has seen before and does not see now, the latest first."""
    seen = sight(position, side)
    names = {unit.name for board in seen.values() for unit in board.units}
    names |= {unit.name for unit in transit_units_seen(position, side)}
    found = [
        sighting
        for sighting in position.sightings
        if sighting.side == side
        and sighting.name not in names
        and not (sighting.name == "?" and sighting.place.hex in seen[sighting.place.system].questions)
    ]
    return sorted(found, key=lambda sighting: (-sighting.day, sighting.name.casefold(), sighting.name, sighting.place))


def remembered_rows(sightings: Sequence[Sighting]) -> list[dict[str, Any]]:
    """Where and when counters were last seen, and what they looked like then."""
    return [
        {
            "name": sighting.name,
            "kind": sighting.looks.kind,
            "place": sighting.place.text,
            "day": sighting.day,
            "factors": sighting.looks.printed._asdict(),
            "damage": sighting.looks.damage,
        }
        for sighting in sightings
    ]


def losses_of(position: Position, side: int, hidden: Collection[str]) -> list[dict[str, Any]]:
    """The side's units that were destroyed; of those under a "?" only what the players in `hidden` commanded (SQ-R79)."""
    return [
        {"name": loss.name, "kind": loss.kind, "cost": loss.cost, "day": loss.day, "covered": loss.covered}
        for loss in position.losses
        if loss.side == side and (not loss.covered or loss.player in hidden)
    ]


def planets(position: Position, side: int) -> list[dict[str, Any]]:
    """All systems with what lies in them, which everybody knows; the stock of a starport only for its own side."""
    names = {0: "", 1: position.side(1).name, 2: position.side(2).name}
    return [
        {
            "system": system.name,
            "hex": system.hex.text,
            "size": system.size.text,
            "bodies": [
                {
                    "name": body.name,
                    "kind": _KINDS[body.kind],
                    "hex": body.hex.text,
                    "limit": body.limit,
                    "owner": names[body.owner],
                    "starport": body.starport,
                    "capital": body.capital,
                    "value": body.value,
                    "stock": body.stock if body.starport and body.owner and body.owner == side else None,
                    "commander": body.commander if body.owner == side and position.phase == "setup" else "",
                }
                for body in system.bodies
            ],
        }
        for system in position.systems
    ]


def zones(position: Position, side: SideNumber) -> list[dict[str, Any]]:
    """Where a side may deploy in set-up: systems, with the columns of their boards."""
    return [
        {
            "system": system.name,
            "size": system.size.text,
            "everywhere": any(first == 1 and last == system.size.columns for first, last in columns),
            "columns": [f"{first:02} to {last:02}" for first, last in columns],
        }
        for system in position.systems
        if (columns := [(zone.first, zone.last) for zone in system.deploy if zone.side == side])
    ]


def standing(position: Position, side: SideNumber, hidden: Collection[str]) -> dict[str, int]:
    """The score as a side can calculate it: everybody knows the planets, but of destroyed units a side knows only those that it
    saw, and its own losses, and of those under a "?" only what the players in `hidden` commanded."""
    other = enemy_of(side)
    return {
        "planets": planet_value(position, side),
        "destroyed": sum(loss["cost"] for loss in losses_of(position, other, ())),
        "enemy_planets": planet_value(position, other),
        "lost": sum(loss["cost"] for loss in losses_of(position, side, hidden)),
    }
