"""Who sees what (section 8 of the rules). A view is built from public facts, the reader's own, and the events they may know."""

from collections.abc import Mapping, Sequence
from typing import Any

from pbmd.rules import Document, Event, Reader, View, seen_by
from pbmd.rules.facts import happened, you
from pbmd.rules.sheets import sheet_of

from .position import awaiting, outcome
from .resolution.budget import cities_price, technology_price, terms_of
from .tables import GOVERNMENTS, WONDER_NUMBER, technology_name
from .telling.atlas import codes, picture, rows
from .telling.news import own_news, public_news, taxes, wars
from .telling.stand import standing
from .world.squares import labels
from .world.state import Position, Society

_TECHNOLOGIES_SHOWN = 3


def view(position: Position, events: Sequence[Event], reader: Reader) -> View:
    """What the reader may know after the turn of these events."""
    known = seen_by(events, reader)
    resolved = next((event.data["turn"] for event in known if event.kind == "turn_resolved"), None)
    own = position.by_name[reader.seat] if reader.kind == "seat" else None
    end = outcome(position)
    news = public_news(known)
    data: dict[str, Any] = {
        "resolved": resolved,
        "over": position.over,
        "outcome": end.reason if end else "",
        "news": news,
        "map": picture(position, reader.seat, known),
        "rows": rows(position),
        "nuked": labels(sorted(position.nuked)),
        "chart": [_row(position, society) for society in position.societies],
        "stand": standing(position, reader.seat),
        "happened": happened(reader, news),
        "numbers": _numbers(position),
        "out": False,
        "destroyed": [wonder.name for wonder in position.wonders if wonder.destroyed],
        "revealed": [dict(event.data) for event in known if event.kind == "orders_revealed"],
        "you": None,
        "own": None,
        "gm": None,
    }
    if own:
        data |= _of_seat(position, own, known, resolved)
    if reader.kind == "gm":
        data["gm"] = [_own(position, society, known) for society in position.living]
    return View(reader, position.turn, data)


def _of_seat(position: Position, own: Society, known: Sequence[Event], resolved: int | None) -> dict[str, Any]:
    """What differs for a seat. A society that was eliminated in this very turn still learns how."""
    out = {"out": not own.living and not position.over}
    if not own.living and own.eliminated_turn != resolved:
        return out
    told = _own(position, own, known)
    results = [line["result"] for line in told["sheet"]["lines"]] if told["sheet"] else []
    return out | {"own": told, "you": _you(told["sheet"]), "news": public_news(known, own.name, results)}


def _you(sheet: Mapping[str, Any] | None) -> Document | None:
    """What became of the reader's orders; None if no turn was resolved. There are no results for what to cut."""
    if not sheet:
        return None
    was_cut = any("cut for lack of gold" in line["result"] for line in sheet["lines"])
    cut = "carried out" if was_cut else "not needed"
    lines = [(line["text"], line["result"]) for line in sheet["lines"]]
    return you(orders=[(text, cut if text.startswith("If short, cut ") and not result else result) for text, result in lines])


def _row(position: Position, society: Society) -> dict[str, Any]:
    """A line of the public chart (SO-R99)."""
    name = society.name
    at_war = {other for war in position.wars if name in war.between for other in war.between if other != name}
    return {
        "name": name,
        "title": society.title,
        "code": codes(position)[name],
        "eliminated": society.eliminated_turn,
        "government": GOVERNMENTS[society.government].name,
        "tech": society.tech,
        "technology": technology_name(society.tech),
        "cities": len(position.territory[name]),
        "squares": labels(position.territory[name]),
        "wonders": [
            f"{wonder.name} ({wonder.square.text}{', obsolete' if wonder.obsolete else ''})"
            for wonder in sorted(position.wonders, key=lambda wonder: WONDER_NUMBER[wonder.name])
            if wonder.owner == name and wonder.square
        ],
        "parts": society.spaceship_parts,
        "parts_needed": position.options.spaceship_parts,
        "wars": [other.name for other in position.societies if other.name in at_war],
        "more": [f"{column} {getattr(society, column)}" for column in position.options.public_chart],
    }


def _numbers(position: Position) -> dict[str, dict[str, int]]:
    """What the public chart counts, for charts over turns."""
    return {
        "Cities": {society.name: len(position.territory[society.name]) for society in position.societies},
        "Technology": {society.name: society.tech for society in position.societies},
        "Wonders": {
            society.name: sum(wonder.owner == society.name and bool(wonder.square) for wonder in position.wonders)
            for society in position.societies
        },
    }


def _own(position: Position, society: Society, known: Sequence[Event]) -> dict[str, Any]:
    """What only the society itself may know."""
    name = society.name
    mine = [event for event in known if event.audience == (name,)]
    sheet, budget = _told(mine, "orders"), _told(mine, "budget")
    on_file = sheet_of(position.sheets, name)
    return {
        "name": name,
        "living": society.living,
        "stock": {key: getattr(society, key) for key in ("gold", "armies", "spies", "nukes", "sdi", "spaceship_parts")},
        **_cities(position, name),
        "rights": _rights(position, name),
        "concedes": next((given.to for given in position.concessions if given.by == name), ""),
        "sheet": {"sent": sheet["sent"], "lines": [dict(line) for line in sheet["lines"]]} if sheet else None,
        "news": own_news(known, name),
        "budget": _budget(budget) if budget else None,
        "wars": wars(known, name),
        "taxes": taxes(known, name),
        "prices": _prices(position, society) if society.living and not position.over else None,
        "on_file": list(on_file.lines) if on_file else None,
        "awaited": name in awaiting(position),
    }


def _told(events: Sequence[Event], kind: str) -> Mapping[str, Any] | None:
    """The content of the only event of that kind, None if there is none."""
    return next((event.data for event in events if event.kind == kind), None)


def _cities(position: Position, name: str) -> dict[str, Any]:
    cities = [city for city in position.city_at.values() if city.owner == name]
    return {
        "rehabilitating": labels(city.square for city in cities if city.rehabilitating),
        "names": [f"{city.square.text} {city.name}" for city in cities if city.name],
    }


def _rights(position: Position, name: str) -> list[str]:
    """Rights to counterattacks, as "Rome (2 times)"."""
    return [
        f"{right.against}{f' ({right.count} times)' if right.count > 1 else ''}"
        for right in position.counterattacks
        if right.holder == name
    ]


def _budget(data: Any) -> dict[str, Any]:
    """The budget as planned and as spent, with the reason for each difference."""
    return {**data, "rows": [{**row, "why": _why(row)} for row in data["rows"]]}


def _why(row: Any) -> str:
    cut, undone = row["units"] - row["kept"], row["kept"] - row["bought"]
    reasons: list[str] = []
    if cut:
        how = "by your list of cuts" if row["listed"] else "from the end of your list"
        reasons.append(f"{cut if row['units'] > 1 else ''} cut {how}: too little gold".lstrip())
    if undone:
        reasons.append(f"{undone if row['units'] > 1 else ''} not done".lstrip())
    return "; ".join(reasons)


def _prices(position: Position, society: Society) -> dict[str, Any]:
    """What things cost this society next turn, and what caravans yield; all of it follows from the chart."""
    name, terms = society.name, terms_of(position, society.name)
    levels = range(society.tech + 1, society.tech + 1 + _TECHNOLOGIES_SHOWN)
    partners: list[dict[str, Any]] = []
    for other in position.living:
        if other is not society and not position.at_war(name, other.name) and position.reaches(name, other.name):
            cost, payout = position.caravan(name, other.name)
            partners.append({"name": other.name, "cost": cost, "payout": int(payout)})
    return {
        "technologies": [{"name": technology_name(level), "price": technology_price(terms, level)} for level in levels],
        "army": society.tech,
        "city": cities_price(terms.cities, 1),
        "caravans": min(society.tech, position.options.max_caravans),
        "partners": partners,
    }
