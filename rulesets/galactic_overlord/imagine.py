"""The position as one faction may imagine it: its view, and what it assumes about the stocks of others.

Made from the view alone. What a view does not show is set by the handbook under PREVIEW: rivals have the stocks that the game
began with, and their ships are undamaged.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pbmd.rules import Line, Options, Refused, View, assumed
from pbmd.rules.options import changed

from .position import CODEC
from .tables import INFO, NAME_OF, QUARTERS, STATES, GameOptions, game_options
from .world.state import Base, Player, Position, Stack, stacked

_KINDS = {name: kind for kind, name in enumerate(NAME_OF)}


def imagine(view: View, options: Options, lines: Sequence[Line]) -> Position:
    """See the module. Raises `Refused` for a faction that is out of the game and for what cannot be assumed."""
    own, table = view.data["own"], view.data["table"]
    if own is None or not own["alive"] or view.data["status"] != "running":
        raise Refused("you are not in the game any more")
    given = tuple(changed(INFO.options, options).items())
    rules = game_options(given)
    names = [row["name"] for row in table]
    theirs = assumed(lines, names, own["name"], rules.most_in_stock)
    position = Position(
        turn=view.turn,
        status="running",
        winner="",
        given=given,
        players=tuple(_player(row, own, theirs.get(row["name"], {}), rules) for row in table),
        bases=_bases(table, view.data["builders"]),
    )
    return CODEC.load(CODEC.dump(position))


def _player(row: Mapping[str, Any], own: Mapping[str, Any], said: Mapping[str, int], rules: GameOptions) -> Player:
    known = own if row["name"] == own["name"] else said
    if not row["alive"]:
        return Player(row["name"], False, row["bp"], 0, 0, 0)
    # A fleet without bases loses its generators and spies (GO-R48).
    begins = not row["independent"]
    return Player(
        name=row["name"],
        alive=True,
        bp=row["bp"],
        generators=known.get("generators", rules.starting_generators * begins),
        spies=known.get("spies", rules.starting_spies * begins),
        counter_espionage=known.get("counter_espionage", rules.starting_counter_espionage),
        original_ships=known.get("original_ships", 0 if begins else sum(stack["count"] for stack in row["fleet"])),
        ships=_ships(row["fleet"], own["damaged"] if known is own else ()),
    )


def _ships(fleet: Sequence[Mapping[str, Any]], damaged: Sequence[Mapping[str, Any]]) -> tuple[Stack, ...]:
    """The fleet in stacks; ships not known to be damaged are undamaged."""
    stacks = [(_KINDS[row["class"]] * STATES + int(row["damage"] * QUARTERS), int(row["count"])) for row in damaged]
    for row in fleet:
        hurt = sum(each["count"] for each in damaged if each["class"] == row["class"])
        if whole := row["count"] - hurt:
            stacks.append((_KINDS[row["class"]] * STATES, whole))
    return stacked(stacks)


def _bases(table: Sequence[Mapping[str, Any]], builders: Mapping[str, str]) -> tuple[Base, ...]:
    """The bases of each faction in the order in which the view has them."""
    held = [
        *((name, row["name"], row["name"]) for row in table for name in row["home"]),
        *((name, row["name"], builders[name]) for row in table for name in row["captured"]),
    ]
    return tuple(Base(name, owner, builder, number) for number, (name, owner, builder) in enumerate(held, start=1))
