"""Who sees what: everything except orders that have not been carried out, which are in no view (DI-08)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pbmd.rules import Event, Reader, View, seen_by
from pbmd.rules.facts import happened
from pbmd.rules.words import counted, listing

from .position import CODEC, outcome
from .resolution.winter import sites, to_build
from .telling.atlas import atlas
from .telling.gazetteer import gazetteer
from .telling.news import in_sentences, news, phase_title
from .telling.notation import state_lines
from .telling.stand import standing
from .telling.you import own_turn
from .world.state import Position, Power
from .world.units import Unit

_YEARS = 8
"""How many fit into a line of a mail."""


def view(position: Position, events: Sequence[Event], reader: Reader) -> View:
    """The board, which is the same for all, and what has happened."""
    known = seen_by(events, reader)
    ended = outcome(position)
    told = news(position.board, known, reader.seat)
    data = {
        "phase": phase_title(position.phase, position.year) if not position.is_over else "",
        "year": position.year,
        "end": ended.reason if ended else "",
        "news": told,
        "to_do": [] if position.is_over else _to_do(position, reader.seat),
        "own": _own(position, reader.seat) if reader.kind == "seat" and not position.is_over else "",
        "powers": [_power(position, power) for power in _by_rank(position, reader.seat)],
        "unplayed": _unplayed(position),
        "years": [row[0] for row in position.history[-_YEARS:]],
        "counted": position.is_over or any(event.kind == "centres" for event in known),
        "provinces": gazetteer(position.options.map),
        "victory": position.board.victory_centres,
        "state": state_lines(position),
        "document": CODEC.dump(replace(position, sheets=(), missed=(), ahead=())),
        "stand": standing(position, reader.seat),
        "happened": happened(reader, in_sentences(told)),
        "you": own_turn(known, reader.seat) if reader.kind == "seat" else None,
        "numbers": _numbers(position),
        "out": reader.kind == "seat" and not position.is_over and not position.by_power[reader.seat].survives,
        "map": atlas(position, known),
    }
    return View(reader, position.turn, data)


def _by_rank(position: Position, seat: str) -> list[Power]:
    """The powers, the reader's own first and then those with the most centres."""
    return sorted(position.powers, key=lambda power: (power.name != seat, -len(power.centres)))


def _unplayed(position: Position) -> list[str]:
    """Which powers that are left have no player, which have lost theirs, and whose are asleep."""
    left = [power.name for power in position.powers if power.survives and power.name not in position.active]
    of_each = {
        "has no player.": [name for name in left if name not in position.seats],
        "has resigned.": [name for name in left if name in position.left],
        "is in civil disorder.": [name for name in left if name in position.asleep],
    }
    return [f"{listing(names)} {_number(words, len(names))}" for words, names in of_each.items() if names]


def _number(words: str, count: int) -> str:
    """A verb and what follows it, in the plural for several."""
    verb, _, rest = words.partition(" ")
    return words if count == 1 else f"{'have' if verb == 'has' else 'are'} {rest}"


_AWAY = {False: "resigned", True: "civil disorder"}


def _power(position: Position, power: Power) -> dict[str, Any]:
    shown = position.board.by_power[power.name]
    place = [*position.board.by_power].index(power.name) + 1
    state = (
        ""
        if power.name in position.active
        else _AWAY[power.name in position.asleep]
        if power.name in position.seats
        else "no player"
    )
    return {
        "name": power.name,
        "colour": shown.colour,
        "state": state if power.survives else "out",
        "units": [unit.text for unit in power.units],
        "marked": [_marked(position, power, unit) for unit in power.units],
        "centres": list(power.centres),
        "vacant": sorted({*power.centres} - {unit.province for unit in power.units}),
        "history": [row[place] for row in position.history[-_YEARS:]],
    }


def _marked(position: Position, power: Power, unit: Unit) -> str:
    """A unit with a mark for the supply centre on which it stands: * for one of its power's, + for another."""
    if unit.province in power.centres:
        return f"{unit.text}*"
    return f"{unit.text}+" if position.board.by_id[unit.province].centre else unit.text


def _to_do(position: Position, seat: str) -> list[str]:
    """Open retreats and adjustments; the reader's own adjustments come before them."""
    if position.kind == "retreats":
        return [
            f"{power.name}: {each.unit.text}, dislodged by an attack from {each.by}, to {listing(each.retreats, 'or')}"
            for power in position.powers
            for each in power.dislodged
        ]
    if position.kind == "winter":
        others = (power for power in position.powers if power.name != seat)
        return [words for power in others if (words := _winter(position, power))]
    return []


def _winter(position: Position, power: Power) -> str:
    many = to_build(position, power)
    if many < 0:
        return f"{power.name}: {counted(-many, 'removal')}"
    return f"{power.name}: {counted(many, 'build')}, in {listing(sites(position, power), 'or')}" if many else ""


def _own(position: Position, seat: str) -> str:
    """What the reader has to do now; "" for nothing."""
    power = position.by_power[seat]
    if not power.survives:
        return ""
    match position.kind:
        case "moves":
            return "" if power.units else "You have no unit to move."
        case "retreats" if power.dislodged:
            return f"You have {counted(len(power.dislodged), 'unit')} to retreat or to disband."
        case "winter" if many := to_build(position, power):
            if many < 0:
                return f"You must remove {counted(-many, 'unit')}."
            return f"You can build {counted(many, 'unit')}, in {listing(sites(position, power), 'or')}."
        case _:
            return ""


def _numbers(position: Position) -> dict[str, dict[str, int]]:
    powers = [position.by_power[seat] for seat in position.seats]
    return {
        "Centres": {power.name: len(power.centres) for power in powers},
        "Units": {power.name: len(power.units) + len(power.dislodged) for power in powers},
    }
