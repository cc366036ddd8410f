"""One battle (section 7, step 6): rounds, tallies, losses. All hits are whole quarters, so that nothing is rounded."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import cycle
from typing import Literal, NamedTuple

from ..orders import Formation, Oob, Range
from ..tables import (
    BEATS,
    DAMAGE_OF,
    FIGHTER,
    HULL_OF,
    KIND_OF,
    LASER,
    LEFT_OF,
    QUARTERS,
    SPACE_OF,
    STRENGTH_OF,
    TORPEDO,
    WEAPON_OF,
    GameOptions,
)
from ..world.fleets import Navy, add, remove

ROUNDS_A_TALLY = 3
ROUNDS_A_RUN = 6

Result = Literal["attacker_won", "defender_won", "draw", "both_destroyed"]
Losses = dict[str, dict[int, int]]
"""How many ships of each kind each player lost."""


@dataclass(slots=True)
class Fleet:
    """Ships in a battle. `parts` are the navies of its players in order of arrival; a home fleet has one.

    `weapons` are those of each kind aboard (GO-102; a damaged ship has all of its own, GO-R54), `points` the hit points in
    quarters, minus damage (GO-101), 0 for an empty fleet: computed once, then updated as ships are lost.
    """

    parts: dict[str, Navy]
    oob: Oob
    weapons: list[int] = field(init=False)
    points: int = field(init=False)

    def __post_init__(self) -> None:
        weapons, points = [0, 0, 0], 0
        for navy in self.parts.values():
            for alike, count in navy.items():
                weapon, space, left = STRENGTH_OF[alike]
                weapons[weapon] += space * count
                points += left * count
        self.weapons, self.points = weapons, points


Round = tuple[int, int, int, int]
"""The weapons of the attackers and the defender in a round, and their adjusted totals in quarters."""


class Fought(NamedTuple):
    """How a battle went. Hits are in quarters; `tallies` are (hits on the attackers, hits on the defender)."""

    result: Result
    rounds: list[Round]
    tallies: list[tuple[int, int]]
    lost: Losses


def fight(attackers: Fleet, defender: Fleet, options: GameOptions, *, to_the_death: Callable[[], bool]) -> Fought:
    """Fight it out; both fleets are left with what survives. `to_the_death` is called after six rounds, which few battles
    reach."""
    rounds: list[Round] = []
    tallies: list[tuple[int, int]] = []
    lost: Losses = {}
    lasers = _laser_power(attackers.oob.range, defender.oob.range, options.range_conflict)
    attack_factors = _FACTORS[defender.oob.formation, lasers]
    defence_factors = _FACTORS[attackers.oob.formation, lasers]
    grain = QUARTERS if options.hit_rounding == "down" else 1
    # More hits than hit points break the battle off before the tally (GO-112, GO-R64).
    enough = 0 if options.destruction == "reach" else 1
    totals = run_began = (0, 0)
    on_attackers = on_defender = 0
    letters = cycle(zip(attackers.oob.weapons, defender.oob.weapons, strict=True))
    for number, (attack, defence) in enumerate(letters, start=1):
        attacking = attackers.weapons[attack] * attack_factors[attack][defence]
        defending = defender.weapons[defence] * defence_factors[defence][attack]
        rounds.append((attack, defence, attacking, defending))
        if attacking > defending:
            on_defender += (attacking - defending) // grain * grain
        else:
            on_attackers += (defending - attacking) // grain * grain
        broken_off = on_attackers >= attackers.points + enough or on_defender >= defender.points + enough
        if number % ROUNDS_A_TALLY and not broken_off:
            continue
        tallies.append((on_attackers, on_defender))
        totals = (totals[0] + on_attackers, totals[1] + on_defender)
        apply_hits(attackers, on_attackers, options, lost)
        apply_hits(defender, on_defender, options, lost)
        on_attackers = on_defender = 0
        if not attackers.points or not defender.points:
            break
        if number % ROUNDS_A_RUN == 0:
            if not to_the_death() or totals == run_began:
                break
            run_began = totals
    return Fought(result_of(attackers, defender, totals), rounds, tallies, lost)


def apply_hits(fleet: Fleet, hits: int, options: GameOptions, lost: Losses) -> None:
    """Use up the hits ship by ship in the order of GO-R70; the rest has no effect. Losses are added to `lost`."""
    if hits >= fleet.points:
        destroy(fleet, lost)
        return
    if not hits:
        return
    fleet.points -= hits
    # Weapons in the order in which they first appear in the order of battle.
    places = _queue(tuple(dict.fromkeys(fleet.oob.weapons)), options.removal_order)
    for alike in sorted({alike for navy in fleet.parts.values() for alike in navy}, key=places.__getitem__):
        kind, left = KIND_OF[alike], LEFT_OF[alike]
        owners = {player: navy[alike] for player, navy in fleet.parts.items() if alike in navy}
        destroyed = min(sum(owners.values()), hits // left)
        shares, following = _shared(owners, destroyed)
        for player, count in shares.items():
            remove(fleet.parts[player], alike, count)
            add(lost.setdefault(player, {}), kind, count)
        fleet.weapons[WEAPON_OF[kind]] -= SPACE_OF[kind] * destroyed
        hits -= destroyed * left
        if following and hits:
            remove(fleet.parts[following], alike, 1)
            add(fleet.parts[following], alike + hits, 1)
            return
        if not hits:
            return


def destroy(fleet: Fleet, lost: Losses) -> None:
    """All ships are lost, from more hits than they can take or for lack of orders (option `missing_oob` = "destroyed")."""
    for player, navy in fleet.parts.items():
        for alike, count in navy.items():
            add(lost.setdefault(player, {}), KIND_OF[alike], count)
        navy.clear()
    fleet.weapons, fleet.points = [0, 0, 0], 0


def _factor(weapon: int, enemy_weapon: int, enemy_formation: Formation, lasers: int) -> int:
    """What one weapon counts in quarters: ×2 if the letter beats the other (GO-79, GO-R57), lasers by range, the enemy's
    formation."""
    power = QUARTERS
    if BEATS[weapon] == enemy_weapon:
        power *= 2
    if weapon == LASER:
        return power * lasers // QUARTERS
    favoured = {"bunch": TORPEDO, "spread": FIGHTER}.get(enemy_formation)
    if favoured is None:
        return power
    return power * 2 if weapon == favoured else power // 2


_FORMATIONS: tuple[Formation, ...] = ("", "bunch", "spread")
_FACTORS = {
    (formation, lasers): tuple(tuple(_factor(own, enemy, formation, lasers) for enemy in range(3)) for own in range(3))
    for formation in _FORMATIONS
    for lasers in (1, 2, 4, 8, 16)
}
"""`_factor` by the enemy's formation and the power of lasers, then by one's own weapon and the enemy's."""


@cache
def _laser_power(attackers: Range, defender: Range, conflict: Literal["cancel", "close_in"]) -> int:
    """What range does to every laser, in quarters (GO-86–91, GO-R56, GO-R59)."""
    ranges = (attackers, defender)
    closing, backing = ranges.count("close in"), ranges.count("back off")
    if conflict == "close_in" and closing:
        backing = 0
    return QUARTERS * 2**closing // 2**backing


def result_of(attackers: Fleet, defender: Fleet, totals: tuple[int, int] = (0, 0)) -> Result:
    """Who won, by the fleets that are left, or else by the hits that each side took (GO-115, GO-116)."""
    if not attackers.points:
        return "defender_won" if defender.points else "both_destroyed"
    if not defender.points:
        return "attacker_won"
    if totals[0] == totals[1]:
        return "draw"
    return "attacker_won" if totals[0] < totals[1] else "defender_won"


@cache
def _queue(weapons: tuple[int, ...], removal_order: Literal["weapon", "hull"]) -> tuple[int, ...]:
    """For each group of identical ships its place in the order in which they are lost: by weapon in the given order, by hull
    from small to large, most damaged first (GO-R69, GO-R70)."""

    def key(alike: int) -> tuple[int, int, int]:
        by_weapon, by_hull = weapons.index(WEAPON_OF[KIND_OF[alike]]), HULL_OF[KIND_OF[alike]]
        return (*((by_hull, by_weapon) if removal_order == "hull" else (by_weapon, by_hull)), -DAMAGE_OF[alike])

    places = {alike: place for place, alike in enumerate(sorted(range(len(KIND_OF)), key=key))}
    return tuple(places[alike] for alike in range(len(KIND_OF)))


def _shared(owners: dict[str, int], count: int) -> tuple[dict[str, int], str]:
    """How many of `count` identical ships each owner loses, and whose turn comes next, "" if none is left: one from each player
    in turn, the last to arrive first (GO-R46)."""
    if len(owners) == 1:
        ((player, there),) = owners.items()
        return {player: count} if count else {}, player if there > count else ""
    shares: dict[str, int] = {}
    left = dict(owners)
    while left:
        for player in reversed(list(left)):
            if not count:
                return shares, player
            count -= 1
            add(shares, player, 1)
            remove(left, player, 1)
    return shares, ""
