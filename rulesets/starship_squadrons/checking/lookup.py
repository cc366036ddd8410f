"""Whom players mean: their own counters and fleets, those of their side, places (section 6.1 of the rules)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pbmd.rules import fold, match_name
from pbmd.rules.checking import Fault, unknown

from ..orders import ALL, SELF, STARPORT
from ..world.counters import Question, Unit
from ..world.sight import sight
from ..world.state import Position
from ..world.systems import Place, System
from .answers import found

NOT_IN_VIEW = "not in view now"
_FLEET = "fleet "


@dataclass(frozen=True, slots=True)
class Own:
    """What a player commands, by name: units, "?", and fleets with their members as the letter has formed them."""

    units: Mapping[str, Unit]
    questions: Mapping[str, Question]
    fleets: Mapping[str, tuple[str, ...]]

    def one(self, text: str, *, questions: bool = True) -> str:
        """The full name of a unit, a fleet or a "?"; `ALL` is itself. Raises `Fault`."""
        if text == ALL:
            return text
        # A fleet can have the name of a unit that came from an ally; in that case the unit is meant.
        match = match_name(text, dict.fromkeys((*self.units, *(self.questions if questions else ()), *self.fleets)))
        if match.found is None and not match.ambiguous and fold(text).startswith(_FLEET):
            match = match_name(text.split(maxsplit=1)[1], self.fleets)
        if match.found is None and text in self.questions:
            raise Fault(f'a "?" counter cannot do this: {text}')
        return found(match, text, "counter or fleet of yours")

    def several(self, texts: Iterable[str], *, questions: bool = True) -> tuple[str, ...]:
        """The full names of units, fleets and "?", each once. Raises `Fault`."""
        return tuple(dict.fromkeys(self.one(text, questions=questions) for text in texts))

    def members(self, name: str) -> tuple[Unit | Question, ...]:
        """The counters that a full name stands for: itself, a fleet's members, or for `ALL` all squadrons."""
        if name == ALL:
            return tuple(unit for unit in self.units.values() if unit.is_squadron)
        if name in self.units:
            return (self.units[name],)
        if name in self.questions:
            return (self.questions[name],)
        counters = {**self.units, **self.questions}
        return tuple(counters[member] for member in self.fleets[name] if member in counters)

    def with_fleet(self, name: str, members: Sequence[str]) -> "Own":
        """The same with this fleet; its members have left all others, and empty ones are removed."""
        others = {
            other: tuple(member for member in fleet if member not in members)
            for other, fleet in self.fleets.items()
            if other != name
        }
        return replace(self, fleets={other: fleet for other, fleet in others.items() if fleet} | {name: tuple(members)})


def own_counters(position: Position, player: str) -> Own:
    """What the player commands now."""
    return Own(
        {unit.name: unit for unit in position.units if unit.player == player},
        {question.id: question for question in position.questions if question.player == player},
        {fleet.name: fleet.members for fleet in position.fleets if fleet.player == player},
    )


@dataclass(frozen=True, slots=True)
class Named:
    """A name, and the remarks on it."""

    name: str
    remark: str = ""


def own_unit(position: Position, player: str, text: str) -> str:
    """The full name of a unit of the player. Raises `Fault`."""
    return found(match_name(text, [unit.name for unit in position.units if unit.player == player]), text, "unit of yours")


def side_unit(position: Position, player: str, text: str) -> Named:
    """A unit of the player's side. Raises `Fault`.

    If allies do not share what they see, a hidden unit of an ally and one that does not exist get the same answer.
    """
    side = position.side_of(player)
    allied = [unit for unit in position.units if unit.side == side]
    if position.options.share_side or len(position.players_of(side)) == 1:
        return Named(found(match_name(text, [unit.name for unit in allied]), text, "unit of your side"))
    seen = [unit.name for unit in allied if unit.player == player or position.is_visible(unit)]
    match = match_name(text, seen)
    if match.ambiguous:
        raise unknown(match, text, "unit of your side")
    return Named(match.found) if match.found is not None else Named(text, f"{text:.60}: {NOT_IN_VIEW}")


def holder(position: Position, player: str, text: str, *, own: bool = False) -> Named:
    """A unit that gives or takes, `STARPORT` or `SELF`; with `own` the unit must be the player's. Raises `Fault`."""
    if text in (STARPORT, SELF):
        return Named(text)
    return Named(own_unit(position, player, text)) if own else side_unit(position, player, text)


def enemies_in_view(position: Position, player: str) -> tuple[str, ...]:
    """The names of all enemy units that the player sees now."""
    seen = sight(position, position.side_of(player))
    return tuple(unit.name for system in seen.values() for unit in system.units)


def enemy_named(text: str, in_view: Iterable[str]) -> Named:
    """A target by name, spelt as the enemy does if it matches exactly; what is not in view is accepted with a remark (SQ-R06).
    A mere beginning is left as written: it is looked up when shots are fired."""
    names = tuple(in_view)
    exact = next((name for name in names if fold(name) == fold(text)), None)
    if exact is not None:
        return Named(exact)
    if any(fold(name).startswith(fold(text)) for name in names):
        return Named(text)
    alike = match_name(text, names).found
    return Named(alike) if alike is not None else Named(text, f"{text:.60}: {NOT_IN_VIEW}")


def place(position: Position, written: Place) -> Place:
    """The place with the full name of its system. Raises `Fault` if there is no such system, or no such hex on its board."""
    system = next(iter(position.systems))
    if written.system:
        name = found(match_name(written.system, position.by_system), written.system, "system")
        system = position.by_system[name]
    elif len(position.systems) > 1:
        raise Fault("name the system, too, before the hex")
    if not system.size.holds(written.hex):
        raise Fault(off_board(system, written))
    return Place(system.name, written.hex)


def off_board(system: System, where: Place) -> str:
    """The message for a hex that is not on a board."""
    return f"hex {where.hex.text} is not on the {system.name} board ({system.size.text})"
