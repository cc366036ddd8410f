"""Who sees what (section 8 of the rules). A view is built from public facts, the reader's own, and the events they may know."""

from collections.abc import Sequence
from typing import Any

from pbmd.rules import Event, Reader, View, seen_by
from pbmd.rules.facts import happened

from .orders import TREATY_WORDS, Accept, Decline, Withdraw
from .position import movers, seats
from .resolution.move import aboard
from .resolution.victory import proclaimed_planets
from .telling.chart import chart
from .telling.news import failures, in_sentences, sections, told
from .telling.sentences import SENTENCES, nothing
from .telling.stand import standing
from .telling.you import own_turn
from .world.economy import blockaded, has_portal, home_in_effect, slots, tax_income, trade_income, upkeep
from .world.state import Fleet, Planet, Position, StandingOffer, State


def view(position: Position, events: Sequence[Event], reader: Reader) -> View:
    """What the reader may know after the moves of these events.

    The long tables are included at the end of a Turn, for the player to move, for the GM, and if there is nothing to report.
    """
    known = seen_by(events, reader)
    own = _own_nation(position, reader)
    full = _is_full(position, known, reader, own)
    told_in = sections(known)
    data: dict[str, Any] = {
        "phase": position.phase,
        "winner": position.winner,
        "victory": position.victory,
        "sections": told_in,
        "next": list(movers(position)),
        "full": full,
        "players": [_player(position, position.by_name[name], own, reader) for name in seats(position)],
        "npcs": [_npc(position, state) for state in position.states if state.kind == "npc"] if full else [],
        "relations": _relations(position),
        "stand": standing(position, own.name if own else ""),
        "you": own_turn(position, own, known, reader.seat) if reader.kind == "seat" else None,
        "happened": happened(reader, in_sentences(told_in)),
        "numbers": _numbers(position),
        "out": reader.kind == "seat" and own is None and position.phase != "over",
        "planets": [_planet(position, planet) for planet in position.planets] if full else [],
        "map": chart(position, own, known),
        "offers": _all_offers(position) if position.options.offers_public or reader.kind == "gm" else [],
        "own": _own(position, own, known) if own else None,
        "gm": _gm(position, known) if reader.kind == "gm" else None,
    }
    return View(reader, position.turn, data)


def tell(event: Event) -> str:
    """The words of an event outside any move, for a mail to its audience: a heading, then what happened."""
    data, heading = told(event), _HEADINGS.get(event.kind, "News of the Local Cluster")
    lines = [line for line in SENTENCES.get(event.kind, nothing)(data) if line]
    if event.kind == "offer_made":
        asked = data["treaty"], data["from"]
        lines += [f"{data['to']} can answer: {Accept(*asked).text}", f"or: {Decline(*asked).text}"]
    return "\n".join((heading, *lines))


_HEADINGS = {
    "offer_made": "An offer",
    "offer_declined": "An offer is declined",
    "offer_withdrawn": "An offer is withdrawn",
    "offer_lapsed": "An offer has lapsed",
    "agreed": "A treaty",
    "proclaimed": "A proclamation",
    "order_failed": "A line that failed",
}


def _own_nation(position: Position, reader: Reader) -> State | None:
    """The reader's nation, while it is in the game and a player's."""
    own = position.by_name.get(reader.seat) if reader.kind == "seat" else None
    return own if own and own.kind == "player" else None


def _is_full(position: Position, known: Sequence[Event], reader: Reader, own: State | None) -> bool:
    """Whether the long tables are shown."""
    return (
        not known
        or reader.kind == "gm"
        or position.phase == "over"
        or (own is not None and own.name in movers(position))
        or any(event.kind == "turn_ended" for event in known)
    )


# --- Public ------------------------------------------------------------------------------------------------------------


def _player(position: Position, state: State, own: State | None, reader: Reader) -> dict[str, Any]:
    """A nation that is or was a player's; with `credits_public = false` only the reader's own credits are in it."""
    shown = position.options.credits_public or state is own or reader.kind == "gm"
    return {
        "name": state.name,
        "kind": state.kind,
        "leader": state.leader,
        "player": state.player_name,
        "home": state.home_planet,
        "home_lost": not home_in_effect(position, state.name),
        "traits": list(state.traits),
        "technologies": list(state.technologies),
        "planets": len(position.owned_by(state.name)),
        "credits": state.credits if shown else None,
        "fleets": sum(fleet.owner == state.name for fleet in position.fleets),
        "armies": sum(army.owner == state.name for army in position.armies),
        "proclaims": state.proclaims,
        "proclaimed": proclaimed_planets(position).get(state.name, 0),
        "skips": state.skips,
    }


def _numbers(position: Position) -> dict[str, dict[str, int]]:
    """The figures in the public table of nations, for charts over turns; credits only if everybody may see them."""
    names = seats(position)
    numbers = {
        "Planets": {name: len(position.owned_by(name)) for name in names},
        "Fleets": {name: sum(fleet.owner == name for fleet in position.fleets) for name in names},
        "Armies": {name: sum(army.owner == name for army in position.armies) for name in names},
    }
    if position.options.credits_public:
        numbers["Credits"] = {name: position.by_name[name].credits for name in names}
    return numbers


def _npc(position: Position, state: State) -> dict[str, Any]:
    return {"name": state.name, "credits": state.credits if position.options.credits_public else None}


def _relations(position: Position) -> dict[str, list[list[str]]]:
    """The pairs at war, with a trade treaty, with a pact."""
    found = position.relations
    return {
        "wars": [list(relation.between) for relation in found if relation.at_war],
        "trade": [list(relation.between) for relation in found if relation.trade],
        "pacts": [list(relation.between) for relation in found if relation.pact],
    }


def _planet(position: Position, planet: Planet) -> dict[str, Any]:
    """A row in the table of planets. Units that do not belong to the planet's owner are named with their owner."""
    fleets = [fleet for fleet in position.fleets if fleet.planet == planet.name]
    armies = [army for army in position.armies if army.planet == planet.name]
    present = {unit.owner for unit in (*fleets, *armies)}
    owners = [state.name for state in position.states if state.name in present]
    owners.sort(key=lambda name: name != planet.owner)
    units: list[str] = []
    for owner in owners:
        laden = (_laden(position, fleet) for fleet in fleets if fleet.owner == owner)
        words = ", ".join((*laden, *(army.id for army in armies if army.owner == owner)))
        units.append(words if owner == planet.owner else f"{owner}: {words}")
    return {
        "number": position.galaxy.place[planet.name] + 1,
        "name": planet.name,
        "owner": planet.owner,
        "npc": position.by_name[planet.owner].kind == "npc",
        "home": home_in_effect(position, planet.owner) == planet.name,
        "portal": has_portal(position, planet.name),
        "blockaded": blockaded(position, planet.name),
        "resources": list(planet.resources),
        "units": "; ".join(units),
        "neighbours": list(position.galaxy.neighbours[planet.name]),
    }


def _laden(position: Position, fleet: Fleet) -> str:
    """ "F33 (A33)"."""
    cargo = ", ".join(army.id for army in aboard(position, fleet.id))
    return f"{fleet.id} ({cargo})" if cargo else fleet.id


# --- Offers ------------------------------------------------------------------------------------------------------------


def _offer(position: Position, offer: StandingOffer) -> dict[str, Any]:
    """A standing offer, with the lines that answer it or take it back."""
    return {
        "treaty": TREATY_WORDS[offer.treaty],
        "from": offer.by,
        "to": offer.to,
        "until": offer.turn + position.options.offer_turns,
        "accept": Accept(offer.treaty, offer.by).text,
        "decline": Decline(offer.treaty, offer.by).text,
        "withdraw": Withdraw(offer.treaty, offer.to).text,
    }


def _all_offers(position: Position) -> list[dict[str, Any]]:
    return [_offer(position, offer) for offer in position.offers]


# --- The reader's own --------------------------------------------------------------------------------------------------


def _own(position: Position, state: State, known: Sequence[Event]) -> dict[str, Any]:
    """What is useful only to the reader, and what only the reader may know: failed lines, offers, the mail that waits."""
    name = state.name
    held = next((held for held in position.held if held.state == name), None)
    return {
        "name": name,
        "credits": state.credits,
        "tax": tax_income(position, name),
        "trade": trade_income(position, name),
        "upkeep": upkeep(position, name),
        "planets": [
            {
                "name": planet.name,
                "home": planet.name == home_in_effect(position, name),
                "resources": list(planet.resources),
                "slots": slots(position, planet.name),
            }
            for planet in position.owned_by(name)
        ],
        "fleets": [f"{_laden(position, fleet)} at {fleet.planet}" for fleet in position.fleets if fleet.owner == name],
        "armies": [f"{army.id} on {army.planet or army.fleet}" for army in position.armies if army.owner == name],
        "offers_in": [_offer(position, offer) for offer in position.offers if offer.to == name],
        "offers_out": [_offer(position, offer) for offer in position.offers if offer.by == name],
        "failures": failures(known),
        "held": list(held.texts) if held else None,
        "skips": state.skips,
        "skips_to_npc": position.options.skips_to_npc,
    }


def _gm(position: Position, known: Sequence[Event]) -> dict[str, Any]:
    """Everything that is private."""
    held = [{"state": held.state, "lines": list(held.texts)} for held in position.held]
    return {"failures": failures(known), "held": held}
