"""The order form: orders that a faction could give now."""

from collections.abc import Sequence
from textwrap import wrap

from pbmd.rules import fold

from .checking.grammar import MOST_ORDERED
from .checks import possible
from .resolution.economy import base_names
from .tables import CLASSES, DAMAGE_OF, LASER, TORPEDO
from .world.fleets import per_class
from .world.state import Player, Position

FORM_WIDTH = 65
"""A program that wraps a longer comment when it quotes the form would turn its rest into an order."""


def order_form(position: Position, seat: str) -> str:
    """Orders that this faction could give now, each after a single "# " and valid when that is removed; remarks begin with "##
    ". The unchanged form contains no order."""
    player = position.player(seat)
    assert player is not None
    rivals = [other.name for other in position.players if other.alive and other.name != seat]
    remarks = [f"You have {player.bp} BP.", f"Rivals: {', '.join(rivals)}." if rivals else "You have no rivals left."]
    plain = _accepted(position, player, _plain_suggestions(position, player, rivals))
    special = _special_suggestions(position, player, rivals)
    return "\n".join(
        [
            *(f"## {part}" for remark in remarks for part in wrap(remark, FORM_WIDTH)),
            *(f"# {line}" for line in plain),
            *(["## Only one of the next lines:"] if len(special) > 1 else []),
            *(f"# {line}" for line in special),
        ]
    )


def _plain_suggestions(position: Position, player: Player, rivals: Sequence[str]) -> list[str]:
    damaged = any(DAMAGE_OF[alike] for alike, _ in player.ships)
    return [
        *_build_suggestions(position, player),
        *(["Repair all"] if damaged else []),
        "Use counter-espionage",
        *(f"Use spy on {rival}" for rival in rivals[:1]),
        "OOB default: LFTLTF close in, bunch",
    ]


def _special_suggestions(position: Position, player: Player, rivals: Sequence[str]) -> list[str]:
    """Lines that exclude each other, except that several may attack the same faction."""
    choices = [_attack_suggestions(rival, player) for rival in rivals[:1]]
    choices += [["Train spy"], ["Build generator"], ["Raise shields"]]
    return [line for lines in choices for line in _accepted(position, player, lines)]


def _build_suggestions(position: Position, player: Player) -> list[str]:
    name = "" if fold("Rigel") in base_names(position) else " named Rigel"
    held = position.home_bases(player.name)
    allowed = [ship for ship in CLASSES if ship.bases <= held]
    if not allowed:
        return [f"Build 1 base{name}"]
    small = next(ship for ship in allowed if ship.weapon == LASER)
    best = next(ship for ship in reversed(allowed) if ship.weapon == TORPEDO)
    count = min(max(1, player.bp // small.cost // 2), MOST_ORDERED)
    return [f"Build {small.counted(count)}, {best.counted(1)}", f"Build 1 base{name}"]


def _attack_suggestions(target: str, player: Player) -> list[str]:
    """With the ships of one class, or with all where no class can be written: the first that is accepted stands."""
    counts = per_class(dict(player.ships))
    return [f"Attack {target} with {force}" for force in (*(CLASSES[kind].counted(counts[kind]) for kind in counts), "all")]


def _accepted(position: Position, player: Player, lines: Sequence[str]) -> list[str]:
    """The lines that are accepted if they are sent in one letter, and are short enough for the form."""
    if position.status == "finished" or not player.alive:
        return []
    return possible(position, player, [line for line in lines if len(line) <= FORM_WIDTH])
