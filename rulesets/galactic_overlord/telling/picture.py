"""The picture: a panel for each faction, with the bases that it has built in the colours of their holders, its fleet on one
scale with all others, and who has attacked it.

All of it is public (GO-69, GO-71 to GO-73), except which panel is the reader's own, and what in its fleet is damaged (GO-R76).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from pbmd.rules import Event, Reader
from pbmd.rules.paints import paints
from pbmd.rules.words import counted, listing

from ..tables import DAMAGE_OF
from ..world.fleets import navy_rows
from ..world.state import Base, Player, Position

_MOST = 40
"""How many factions are drawn: as many as a map can have owners."""
_ONE_BY_ONE = 12
"""How many bases of a home are drawn; above that only the numbers, by holder."""
_CAPTIONED = 5
"""How many factions, and fights, the words beside the picture name."""
_NAMED = 2
"""How many classes are named below a fleet."""
_RESULT = {
    "attacker_won": "won",
    "walkover": "nobody at home",
    "defender_won": "beaten off",
    "draw": "nobody won",
    "both_destroyed": "both fleets lost",
    "ran_into_shields": "hit the shields",
}
_LEGEND = {
    "own": "you",
    "token": "a base, and who holds it",
    "ringed": "changed hands",
    "bar": "ships",
    "hatched": "damaged",
    "arrow": "attacked and won",
    "failed": "attacked in vain",
}
_WON = frozenset({"attacker_won", "walkover"})


def picture(position: Position, known: Sequence[Event], reader: Reader) -> dict[str, Any]:
    """The picture for this reader, who may know these events of the turn."""
    built, held = _built(position), _held(position)
    there = [player for player in position.players if player.alive or built[player.name]]
    drawn = {player.name for player in sorted(there, key=lambda player: -held[player.name])[:_MOST]}
    moved = _moved(known)
    colours = paints([player.name for player in position.players])
    return {
        "title": f"{_when(position, known)}: who holds which base",
        "caption": _caption(held, known),
        "panels": [
            _panel(player, _tokens(built[player.name], drawn, moved), held[player.name], reader)
            for player in there
            if player.name in drawn
        ],
        "arrows": [_arrow(battle) for battle in _battles(known) if {battle["defender"], *battle["attackers"]} <= drawn],
        "share": "Bases held",
        "owners": [{"name": name, **paint, "note": ""} for name, paint in colours.items() if name in drawn],
        "legend": _LEGEND,
        "notes": [f"The {_MOST} largest factions are drawn; the table has all."] if len(there) > len(drawn) else [],
    }


def _built(position: Position) -> dict[str, list[Base]]:
    """The bases that each faction has built, whoever holds them."""
    built: dict[str, list[Base]] = {player.name: [] for player in position.players}
    for base in sorted(position.bases, key=_place):
        built[base.builder].append(base)
    return built


def _held(position: Position) -> Counter[str]:
    """How many bases each faction holds; ties go by the name, whatever order the bases are in."""
    held = Counter({player.name: 0 for player in position.players})
    held.update(base.owner for base in position.bases)
    return held


def _caption(held: Counter[str], known: Sequence[Event]) -> str:
    """What the picture shows, for those who cannot see it."""
    bases = ", ".join(f"{name} {count}" for name, count in held.most_common(_CAPTIONED) if count)
    fights = (f"{listing(battle['attackers'])} attacked {battle['defender']}: {_result(battle)}" for battle in _battles(known))
    return ". ".join([f"Bases: {bases}", *islice(fights, _CAPTIONED)])


def _when(position: Position, known: Iterable[Event]) -> str:
    resolved = next((event.data["turn"] for event in known if event.kind == "turn_resolved"), None)
    return f"Before turn {position.turn}" if resolved is None else f"Turn {resolved}"


def _battles(known: Iterable[Event]) -> list[Mapping[str, Any]]:
    return [event.data for event in known if event.kind == "battle"]


def _moved(known: Sequence[Event]) -> set[str]:
    """The bases that have changed hands in the turn."""
    captured = {one["base"] for battle in _battles(known) for one in battle["captured"]}
    return captured | {event.data["base"] for event in known if event.kind == "base_transferred"}


def _panel(player: Player, tokens: list[dict[str, Any]], held: int, reader: Reader) -> dict[str, Any]:
    own = reader.seat == player.name
    ships = sum(count for _, count in player.ships)
    damaged = sum(count for alike, count in player.ships if DAMAGE_OF[alike]) if own or reader.kind == "gm" else 0
    return {
        "name": player.name,
        "owner": player.name,
        "value": f"{player.bp} BP" if player.alive else "eliminated",
        "own": own,
        "tokens": tokens,
        "bar": ships if player.alive else None,
        "hatched": damaged if player.alive else 0,
        "text": _fleet(player, ships, is_independent=not held) if player.alive else "",
    }


def _fleet(player: Player, ships: int, *, is_independent: bool) -> str:
    """ "47 ships: 33 Torpedofrigates, 7 Laserfrigates, 7 others": the most numerous classes."""
    rows = sorted(navy_rows(dict(player.ships)), key=lambda row: -row["count"])
    named = [counted(row["count"], row["class"]) for row in rows[:_NAMED]]
    rest = sum(row["count"] for row in rows[_NAMED:])
    others = [f"{rest} other{'s' if rest > 1 else ''}"] if rest else []
    told = f"{counted(ships, 'ship')}: {', '.join([*named, *others])}" if ships else "no ships"
    return f"Without a base. {told}" if is_independent else told


def _tokens(bases: Sequence[Base], drawn: set[str], moved: set[str]) -> list[dict[str, Any]]:
    """The bases of a home as they are drawn: one by one, or, if there are too many, one for each holder."""
    if len(bases) <= _ONE_BY_ONE:
        return [_token(base.owner if base.owner in drawn else "", _label(base), 1, base.name in moved) for base in bases]
    held = Counter(base.owner if base.owner in drawn else "" for base in bases).most_common()
    changed = {base.owner for base in bases if base.name in moved}
    shown = held if len(held) <= _ONE_BY_ONE else held[: _ONE_BY_ONE - 1]
    rest = len(bases) - sum(count for _, count in shown)
    tokens = [_token(owner, "", count, owner in changed) for owner, count in shown]
    return tokens + ([_token("", "", rest, False)] if rest else [])


def _token(owner: str, label: str, count: int, ringed: bool) -> dict[str, Any]:
    return {"owner": owner, "label": label, "count": count, "ringed": ringed}


def _number(base: Base) -> str:
    """ "3" for "Altair Base 3", nothing for a base with a name of its own."""
    number = base.name.removeprefix(f"{base.builder} Base ")
    return number if number.isdecimal() else ""


def _place(base: Base) -> tuple[bool, int, str, str]:
    """Those with numbers come first, whatever their order in the position."""
    number = _number(base)
    return not number, len(number), number, base.name


def _label(base: Base) -> str:
    return _number(base) or base.name[:3]


def _arrow(battle: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "by": battle["attackers"],
        "to": battle["defender"],
        "failed": battle["outcome"] not in _WON,
        "words": _result(battle),
    }


def _result(battle: Mapping[str, Any]) -> str:
    captured, result = len(battle["captured"]), _RESULT[battle["outcome"]]
    return f"{result}, took {counted(captured, 'base')}" if captured else result
