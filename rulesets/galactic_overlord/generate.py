"""Order text of a random player who wants to win: for `pbmd simulate`, for fuzzing, for the demo."""

from collections.abc import Sequence
from typing import TypeVar

from pbmd.rules import Dice

from .fleets import navy_of, per_class
from .oobs import RANDOM_OOBS
from .position import Player, Position
from .tables import CLASSES, COST_OF, HULLS, WEAPONS

T = TypeVar("T")


def random_orders(position: Position, seat: str, dice: Dice) -> str:
    """Legal order lines for a living faction; bolder the longer the game lasts, so that games come to an end."""
    player = position.player(seat)
    assert player is not None
    rivals = [other for other in position.players if other.alive and other.name != seat]
    bp = player.bp
    lines: list[str] = []
    if any(damage for _, damage, _ in player.ships) and bp:
        lines.append("Repair all")
        bp -= min(bp, sum(count for _, damage, count in player.ships if damage))
    built, bp = _build(position, seat, bp, dice)
    lines += built
    lines += _special(position, player, rivals, dice)
    lines += _oobs(rivals, dice)
    if len(position.bases) and dice.roll(60) == 1 and rivals:
        own = [base.name for base in position.bases if base.owner == seat]
        if len(own) > 1:
            lines.append(f"{_one_of(('Transfer', 'Give', 'Trade'), dice)} {own[0]} to {_one_of(rivals, dice).name}")
    return "\n".join(lines) or "Stockpile"


def _build(position: Position, seat: str, bp: int, dice: Dice) -> tuple[list[str], int]:
    home = position.home_bases(seat)
    lines: list[str] = []
    price = position.options.base_price(home + 1)
    if home and bp >= price and dice.roll(4) == 1:
        lines.append(_one_of(("Build 1 base", "Build base", "build a base."), dice))
        bp -= price
    hulls = [hull for hull in HULLS if hull.bases <= home]
    for _ in range(3):
        affordable = [hull for hull in hulls if hull.cost <= bp]
        if not affordable:
            break
        hull, weapon = _one_of(affordable, dice), _one_of(WEAPONS, dice)
        count = dice.roll(bp // hull.cost)
        bp -= count * hull.cost
        name = weapon.prefix + hull.name
        plural = "" if count == 1 else "s"
        forms = (
            f"Build {count} {name}{plural}",
            f"build {count}x {weapon.prefix.lower()} {hull.name}{plural}",
            f"Build {count} {hull.name}{plural} with {hull.space}x{weapon.plural}",
        )
        lines.append(_one_of(forms, dice))
    return lines, bp


def _special(position: Position, player: Player, rivals: Sequence[Player], dice: Dice) -> list[str]:
    lines: list[str] = []
    uses_spy = bool(player.spies and rivals and dice.roll(2) == 1)
    if uses_spy:
        lines.append(f"{_one_of(('Use spy on', 'Spy on', 'Use spy against'), dice)} {_one_of(rivals, dice).name}")
    if player.counter_espionage and dice.roll(8) == 1:
        lines.append(_one_of(("Use counter-espionage", "Use CE"), dice))
    strength = _strength(player)
    weak = sorted(rivals, key=lambda rival: (_strength(rival), rival.name))
    # The chance to attack grows with the turns and with the lead over the weakest rival.
    bold = min(9, 2 + position.turn // 3)
    if weak and strength and position.turn > 0 and dice.roll(10) <= bold:
        target = weak[0] if dice.roll(3) > 1 else _one_of(rivals, dice)
        lines.append(f"Attack {target.name} with {_force(player, strength > 2 * _strength(target), dice)}")
        return lines
    if player.generators and dice.roll(4) == 1:
        return [*lines, _one_of(("Raise shields", "Raise Shields!"), dice)]
    if player.generators < position.options.max_generators and dice.roll(3) == 1:
        return [*lines, _one_of(("Build generator", "Rebuild generator"), dice)]
    if player.spies < position.options.max_spies and not uses_spy:
        return [*lines, _one_of(("Train spy", "Build a spy"), dice)]
    return lines


def _force(player: Player, overwhelming: bool, dice: Dice) -> str:
    death = " to the death" if dice.roll(2) == 1 else ""
    counts = per_class(navy_of(player.ships))
    if overwhelming or dice.roll(3) == 1 or len(counts) == 1:
        return f"{_one_of(('all', 'everything'), dice)}{death}"
    stays = _one_of(list(counts), dice)
    if dice.roll(2) == 1:
        return f"all except {CLASSES[stays].counted(counts[stays])}{death}"
    return ", ".join(CLASSES[kind].counted(dice.roll(count)) for kind, count in counts.items() if kind != stays) + death


def _oobs(rivals: Sequence[Player], dice: Dice) -> list[str]:
    if dice.roll(10) == 1:
        return []
    lines = [f"{_one_of(('OOB default:', 'Default:', 'OOB'), dice)} {_oob(dice)}"]
    if dice.roll(3) == 1:
        lines.append(f"{_one_of(('OOB attack:', 'Attack:'), dice)} {_oob(dice)}")
    if dice.roll(4) == 1 and rivals:
        lines.append(f"OOB defence vs {_one_of(rivals, dice).name}: {_oob(dice)}")
    return lines


def _oob(dice: Dice) -> str:
    letters = _one_of(RANDOM_OOBS, dice).letters
    tactics = [_one_of(("", "close in", "back off"), dice), _one_of(("", "bunch", "spread"), dice)]
    return f"{letters} {', '.join(filter(None, tactics))}".rstrip()


def _strength(player: Player) -> int:
    return sum(COST_OF[kind] * count for kind, _, count in player.ships)


def _one_of(things: Sequence[T], dice: Dice) -> T:
    return things[dice.roll(len(things)) - 1]
