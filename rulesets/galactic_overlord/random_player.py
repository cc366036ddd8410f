"""Order text of a random player who wants to win: for `pbmd simulate`, for fuzzing, for the demo."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from pbmd.rules import Dice
from pbmd.rules.randomly import one_in, pick

from .resolution.economy import base_names
from .resolution.oobs import RANDOM_OOBS
from .tables import CLASSES, COST_OF, DAMAGE_OF, HULLS, KIND_OF, WEAPONS
from .world.fleets import per_class
from .world.state import Player, Position, free_names


def random_orders(position: Position, seat: str, dice: Dice) -> str:
    """Legal order lines for a living faction; bolder the longer the game lasts, so that games come to an end."""
    player = position.player(seat)
    assert player is not None
    rivals = [other for other in position.players if other.alive and other.name != seat]
    repairs, bp = _repair(player, dice)
    builds = _build(position, seat, bp, dice)
    pact = _pact(position)
    if pact and seat in pact.members and dice.roll(8) > 1:
        war = _joint_attack(pact, player, dice)
    else:
        war = [*_special(position, player, rivals, dice), *_oobs(rivals, dice)]
    return "\n".join([*repairs, *builds, *war, *_gift(position, seat, rivals, dice)]) or "Stockpile"


# --- The yard ----------------------------------------------------------------------------------------------------------


def _repair(player: Player, dice: Dice) -> tuple[list[str], int]:
    """At most one Repair line, and the BP that are left over."""
    damaged = per_class({alike: ships for alike, ships in player.ships if DAMAGE_OF[alike]})
    if not damaged or not player.bp:
        return [], player.bp
    if one_in(dice, 2):
        return ["Repair all"], max(0, player.bp - sum(damaged.values()))
    chosen = {kind: dice.roll(ships) for kind, ships in damaged.items() if one_in(dice, 2)} or damaged
    ships = pick(dice, (", ", " and ")).join(CLASSES[kind].counted(chosen[kind]) for kind in chosen)
    return [f"Repair {ships}"], max(0, player.bp - sum(chosen.values()))


def _build(position: Position, seat: str, bp: int, dice: Dice) -> list[str]:
    """Build lines: now and then a base, up to three lots of ships; each in a line of its own, or all in one."""
    home = position.home_bases(seat)
    items: list[str] = []
    bases: list[str] = []
    price = position.options.base_price(home + 1)
    if home and bp >= price and one_in(dice, 4):
        bases.append(_base(position, dice))
        bp -= price
    hulls = [hull for hull in HULLS if hull.bases <= home]
    for _ in range(3):
        affordable = [hull for hull in hulls if hull.cost <= bp]
        if not affordable:
            break
        hull, weapon = pick(dice, affordable), pick(dice, WEAPONS)
        ships = dice.roll(bp // hull.cost)
        bp -= ships * hull.cost
        plural = "" if ships == 1 else "s"
        forms = (
            f"{ships} {weapon.prefix}{hull.name}{plural}",
            f"{ships}x {weapon.prefix.lower()} {hull.name}{plural}",
            f"{ships} {hull.name}{plural} with {hull.space}x{weapon.plural}",
        )
        items.append(pick(dice, forms))
    if one_in(dice, 2):
        return [f"Build {item}" for item in (*bases, *items)]
    # A name ends its line, so that the base comes last.
    listed = pick(dice, (", ", " and ", " + ")).join((*items, *bases))
    return [f"Build {listed}"] if listed else []


def _base(position: Position, dice: Dice) -> str:
    """A base with or without a name. Everybody chooses from the same few names, so that two sometimes want the same
    (GO-R13)."""
    if one_in(dice, 3):
        return pick(dice, ("1 base", "a base", "base"))
    words, names = pick(dice, ("1 base", "base")), tuple(islice(free_names(base_names(position)), 3))
    return f"{words} named {pick(dice, names)}"


def _gift(position: Position, seat: str, rivals: Sequence[Player], dice: Dice) -> list[str]:
    """Hardly ever a base for a rival, and never the last one."""
    own = [base.name for base in position.bases if base.owner == seat]
    if len(own) < 2 or not rivals or dice.roll(60) > 1:
        return []
    return [f"{pick(dice, ('Transfer', 'Give', 'Trade', 'Transfer base'))} {own[0]} to {pick(dice, rivals).name}"]


# --- War ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Pact:
    """Who attacks whom together, with which order of battle."""

    members: tuple[str, ...]
    target: str
    oob: str


def _pact(position: Position) -> _Pact | None:
    """In some turns the weakest who have ships join against the strongest.

    It follows from the position alone, without dice, so that all members agree on the same pact without talking.
    """
    mood = position.turn + len(position.bases)
    able = sorted((player for player in position.players if player.ships), key=lambda player: (_strength(player), player.name))
    if position.turn == 0 or len(able) < 3 or mood % 3:
        return None
    size = 2 if len(able) < 5 else 3
    tactics = ("", " back off", " close in, spread", " bunch")[mood % 4]
    oob = RANDOM_OOBS[7 * mood % len(RANDOM_OOBS)].letters + tactics
    return _Pact(tuple(player.name for player in able[:size]), able[-1].name, oob)


def _joint_attack(pact: _Pact, player: Player, dice: Dice) -> list[str]:
    """The attack of one member; now and then they forget the order of battle, or want another one or other spoils."""
    place = pact.members.index(player.name)
    # Naming one's neighbours is enough to be one group (GO-R38).
    allies = [pact.members[near] for near in (place - 1, place + 1) if 0 <= near < len(pact.members)]
    clause = f"{pick(dice, ('allied', 'jointly', 'together'))} with {', '.join(allies)}"
    lines = [f"Attack {pact.target} with {_force(player, False, dice)} {clause}{_death(dice)}", f"OOB default: {_oob(dice)}"]
    if dice.roll(5) > 1:
        label = pick(dice, ("OOB attack vs", "Attack vs", "OOB vs"))
        lines.append(f"{label} {pact.target}: {pact.oob if dice.roll(6) > 1 else _oob(dice)}")
    if dice.roll(3) > 1:
        heirs = pact.members if dice.roll(6) > 1 else pact.members[::-1]
        lines.append(f"{pick(dice, ('Captured bases', 'Spoils'))} to {', '.join(heirs)}")
    return lines


def _special(position: Position, player: Player, rivals: Sequence[Player], dice: Dice) -> list[str]:
    """Espionage, and at most one special order: an attack, or else something that makes the faction safer."""
    spying = _spying(position, player, rivals, dice)
    countered = _countered(player, dice)
    special = _attack(position, player, rivals, dice) or _precaution(position, player, bool(spying), dice)
    return [*spying, *countered, *special]


def _spying(position: Position, player: Player, rivals: Sequence[Player], dice: Dice) -> list[str]:
    if not (player.spies and rivals and position.options.spies_per_turn and one_in(dice, 2)):
        return []
    return [f"{pick(dice, ('Use spy on', 'Spy on', 'Use spy against'))} {pick(dice, rivals).name}"]


def _countered(player: Player, dice: Dice) -> list[str]:
    if not (player.counter_espionage and one_in(dice, 8)):
        return []
    return [pick(dice, ("Use counter-espionage", "Use CE"))]


def _attack(position: Position, player: Player, rivals: Sequence[Player], dice: Dice) -> list[str]:
    strength = _strength(player)
    # The chance to attack grows with the turns and with the lead over the weakest rival.
    bold = min(9, 2 + position.turn // 3)
    if not (rivals and strength and position.turn > 0 and dice.roll(10) <= bold):
        return []
    weakest = min(rivals, key=lambda rival: (_strength(rival), rival.name))
    target = weakest if dice.roll(3) > 1 else pick(dice, rivals)
    overwhelming = strength > 2 * _strength(target)
    return [f"Attack {target.name} with {_force(player, overwhelming, dice)}{_death(dice)}"]


def _precaution(position: Position, player: Player, uses_spy: bool, dice: Dice) -> list[str]:
    """Shields, a generator or, where no spy is used, another spy."""
    if player.generators and one_in(dice, 4):
        return [pick(dice, ("Raise shields", "Raise Shields!"))]
    if player.generators < position.options.max_generators and one_in(dice, 3):
        return [pick(dice, ("Build generator", "Rebuild generator"))]
    if player.spies < position.options.max_spies and not uses_spy:
        return [pick(dice, ("Train spy", "Build a spy"))]
    return []


def _force(player: Player, overwhelming: bool, dice: Dice) -> str:
    """Which ships go: all, all but some, or those of some classes."""
    counts = per_class(dict(player.ships))
    if overwhelming or one_in(dice, 3) or len(counts) == 1:
        return pick(dice, ("all", "everything"))
    stays = pick(dice, list(counts))
    if one_in(dice, 2):
        return f"all except {CLASSES[stays].counted(counts[stays])}"
    return ", ".join(CLASSES[kind].counted(dice.roll(ships)) for kind, ships in counts.items() if kind != stays)


def _death(dice: Dice) -> str:
    return " to the death" if one_in(dice, 2) else ""


def _oobs(rivals: Sequence[Player], dice: Dice) -> list[str]:
    if one_in(dice, 10):
        return []
    lines = [f"{pick(dice, ('OOB default:', 'Default:', 'OOB'))} {_oob(dice)}"]
    if one_in(dice, 3):
        lines.append(f"{pick(dice, ('OOB attack:', 'Attack:'))} {_oob(dice)}")
    cases = (("OOB defence vs", "Defense vs"), ("OOB attack vs", "Attack vs"), ("OOB vs", "OOB against"))
    named = [labels for labels in cases if rivals and one_in(dice, 4)]
    return lines + [f"{pick(dice, labels)} {pick(dice, rivals).name}: {_oob(dice)}" for labels in named]


def _oob(dice: Dice) -> str:
    letters = pick(dice, RANDOM_OOBS).letters
    tactics = [pick(dice, ("", "close in", "back off")), pick(dice, ("", "bunch", "spread"))]
    return f"{letters} {', '.join(filter(None, tactics))}".rstrip()


def _strength(player: Player) -> int:
    return sum(COST_OF[KIND_OF[alike]] * ships for alike, ships in player.ships)
